#if CONVK_CORE_
/* ---- the time of kernels, for convk_tune ---- */

/* A queue that notes times takes the place of the handle's; see tuner/types.h for what is asked. */
CONVK_LOCAL_ int convk_cl_clock_(convk *hw, int ask, double *answer) {
  convk_cl_host_ *const host = (convk_cl_host_ *)hw->ours.inside.device;
  struct convk_cl_cache_ *const cache = host->cl.cache;
  cl_command_queue queue;
  cl_int error = CL_SUCCESS;
  host->hw = hw;
  switch (ask) {
    case CONVK_CLOCK_KIND_: *answer = host->cl.cpu ? CONVK_TUNE_ON_CPU_ : CONVK_TUNE_ON_GPU_; break;
    case CONVK_CLOCK_BEGIN_:
      queue = convk_cl_new_queue_(&host->cl, 1, &error);
      if (error) return convk_cl_report_(host, convk_cl_status_(&host->cl, "clCreateCommandQueue", error));
      host->untimed = host->queue;
      host->queue = queue;
      cache->timed = 1;
      cache->seconds = 0;
      break;
    case CONVK_CLOCK_WAY_:
      *answer = (double)(cache->way >> 12); /* exactly */
      cache->way = 0;
      break;
    case CONVK_CLOCK_STILL_: host->still = 1; break;
    case CONVK_CLOCK_COPY_: host->still = 0; break;
    case CONVK_CLOCK_LOOK_:
      *answer = cache->seconds;
      cache->seconds = 0;
      break;
    default:
      (void)clFinish(host->queue);
      (void)clReleaseCommandQueue(host->queue);
      host->queue = host->untimed;
      host->untimed = NULL;
      cache->timed = host->still = 0;
  }
  return CONVK_OK;
}
#endif
