#if CONVK_CORE_
/* ---- the time of kernels, for convk_tune ---- */

/* Events around the kernels of each call; see tuner/types.h for what is asked. */
CONVK_LOCAL_ int convk_cuda_clock_(convk *hw, int ask, double *answer) {
  convk_cuda_host_ *const d = (convk_cuda_host_ *)hw->ours.inside.device;
  int status, i;
  d->hw = hw;
  switch (ask) {
    case CONVK_CLOCK_KIND_: *answer = CONVK_TUNE_ON_CUDA_; return CONVK_OK;
    case CONVK_CLOCK_STILL_: d->still = 1; return CONVK_OK;
    case CONVK_CLOCK_COPY_: d->still = 0; return CONVK_OK;
    case CONVK_CLOCK_WAY_: *answer = 0; return CONVK_OK;
    case CONVK_CLOCK_LOOK_:
      *answer = d->seconds;
      d->seconds = 0;
      return CONVK_OK;
    default: break;
  }
  status = convk_cuda_begin_(d);
  if (status) return convk_cuda_failed_(d, status);
  for (i = 0; i < 2 && !status; i++) {
    if (ask == CONVK_CLOCK_BEGIN_) {
      status = convk_cuda_status_(d, cudaEventCreateWithFlags(&d->clock[i], 0));
      if (status) d->clock[i] = NULL;
    } else if (d->clock[i]) {
      (void)cudaEventDestroy(d->clock[i]);
      d->clock[i] = NULL;
    }
  }
  if (status && d->clock[0]) {
    (void)cudaEventDestroy(d->clock[0]);
    d->clock[0] = NULL;
  }
  d->still = 0;
  d->seconds = 0;
  return convk_cuda_end_(d, status);
}
#endif
