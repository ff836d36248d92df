#if CONVK_HAS_FFT_
/* ------------------------------------------------------------------------------------------------------ device arrays -- */

CONVK_LOCAL_ int convk_cuda_fft_start_(const char *kind, const void *plan, const void *there, int direction,
                                       const convk_batch2d *batch, const CONVK_T *in, CONVK_T *out, void *work,
                                       size_t work_size, cudaStream_t stream) {
  convk_fft_plan_ p;
  convk_batch2d full;
  convk_cuda_fft_call_<CONVK_T> call;
  size_t span[2];
  char *base = NULL;
  int status = convk_fft_check_(NULL, plan, kind, direction, batch, sizeof(CONVK_T), batch && batch->kernel, &p, &full, span);
  if (!status && !there) status = CONVK_ERR_NULL;
  if (!status && (uintptr_t)there % 16) status = CONVK_ERR_PLAN;
  if (!status) status = convk_fft_apart_(NULL, &p, there, &full, sizeof(CONVK_T), span, in, out, work, work_size);
  if (!status && batch->items) status = convk_cuda_fft_cut_(p, batch->items, &call);
  if (status || !batch->items) return status;
  status = convk_cuda_work_(NULL, work, work_size, call.need, &base);
  call.args.outside = (CONVK_T *)(void *)base;
  convk_cuda_fft_fill_(p, (const char *)there, direction, full, in, out, &call);
  return status ? status : convk_cuda_fft_run_(p, call, stream);
}

CONVK_LOCAL_ size_t convk_cuda_fft_need_(const char *kind, const void *plan, size_t items) {
  convk_fft_plan_ p;
  convk_cuda_fft_call_<CONVK_T> call;
  if (convk_fft_plan_check_(NULL, plan, kind, &p)) return (size_t)-1;
  return !items ? 0 : convk_cuda_fft_cut_(p, items, &call) ? (size_t)-1 : call.need;
}

CONVK_LOCAL_ size_t convk_cuda_fft_plan_size_(const char *kind, const void *plan) {
  convk_fft_plan_ p;
  return convk_fft_plan_check_(NULL, plan, kind, &p) ? 0 : p.bytes;
}
CONVK_API_ size_t convk_cuda_fftconv2d_plan_size(const void *plan) {
  return convk_cuda_fft_plan_size_(CONVK_FFT_KIND_(1), plan);
}
CONVK_API_ size_t convk_cuda_fftconv2d_plan_size_complex(const void *plan) {
  return convk_cuda_fft_plan_size_(CONVK_FFT_KIND_(0), plan);
}
CONVK_API_ size_t convk_cuda_fft2d_plan_size_complex(const void *plan) {
  return convk_cuda_fft_plan_size_(CONVK_FFT2D_KIND_, plan);
}
CONVK_API_ size_t convk_cuda_fftconv2d_work_size(const void *plan, size_t items) {
  return convk_cuda_fft_need_(CONVK_FFT_KIND_(1), plan, items);
}
CONVK_API_ size_t convk_cuda_fftconv2d_work_size_complex(const void *plan, size_t items) {
  return convk_cuda_fft_need_(CONVK_FFT_KIND_(0), plan, items);
}
CONVK_API_ size_t convk_cuda_fft2d_work_size_complex(const void *plan, size_t items) {
  return convk_cuda_fft_need_(CONVK_FFT2D_KIND_, plan, items);
}
CONVK_API_ int convk_cuda_fftconv2d(const void *plan, const void *there, const convk_batch2d *batch, const CONVK_T *in,
                                    CONVK_T *out, void *work, size_t work_size, cudaStream_t stream) {
  return convk_cuda_fft_start_(CONVK_FFT_KIND_(1), plan, there, CONVK_FORWARD, batch, in, out, work, work_size, stream);
}
CONVK_API_ int convk_cuda_fftconv2d_complex(const void *plan, const void *there, const convk_batch2d *batch, const CONVK_T *in,
                                            CONVK_T *out, void *work, size_t work_size, cudaStream_t stream) {
  return convk_cuda_fft_start_(CONVK_FFT_KIND_(0), plan, there, CONVK_FORWARD, batch, in, out, work, work_size, stream);
}
CONVK_API_ int convk_cuda_fft2d_complex(const void *plan, const void *there, int direction, const convk_batch2d *batch,
                                        const CONVK_T *in, CONVK_T *out, void *work, size_t work_size, cudaStream_t stream) {
  return convk_cuda_fft_start_(CONVK_FFT2D_KIND_, plan, there, direction, batch, in, out, work, work_size, stream);
}

/* ---- what fft/host.h leaves to a device ---- */

CONVK_LOCAL_ int convk_fft_there_(convk_cuda_host_ *host, const void *plan, const convk_fft_plan_ *p, int direction,
                                  const convk_batch2d *full, const CONVK_T *in, CONVK_T *out) {
  const size_t element = (p->real ? 1 : 2) * sizeof(CONVK_T);
  convk_batch2d packed = *full;
  convk_cuda_fft_call_<CONVK_T> c;
  size_t bytes[2];
  void *from = NULL, *to = NULL, *there = NULL, *work = NULL, *kernel = NULL;
  char *base = NULL;
  int status;
  if (convk_mul_(full->items, p->rows * p->columns * element, &bytes[0]) ||
      convk_mul_(full->items, p->out_rows * p->out_columns * element, &bytes[1]))
    return CONVK_ERR_OVERFLOW;
  packed.in_pitch = p->columns;
  packed.in_stride = p->rows * p->columns;
  packed.out_pitch = p->out_columns;
  packed.out_stride = p->out_rows * p->out_columns;
  status = convk_cuda_fft_cut_(*p, full->items, &c);
  if (!status) status = convk_cuda_buffer_(host, CONVK_DEVICE_IN_, bytes[0], &from);
  if (!status) status = convk_cuda_buffer_(host, CONVK_DEVICE_OUT_, bytes[1], &to);
  if (!status) status = convk_cuda_buffer_(host, CONVK_DEVICE_WORK_, c.need, &work);
  if (!status) status = convk_cuda_work_(NULL, work, c.need, c.need, &base);
  if (!status) status = convk_cuda_bring_list_(host, CONVK_DEVICE_MORE_0_, plan, p->bytes, &there);
  if (!status && p->kernels && full->kernel)
    status = convk_cuda_bring_list_(host, CONVK_DEVICE_MORE_1_, full->kernel, full->items * sizeof(size_t), &kernel);
  if (!status)
    status = convk_cuda_copy_batch_(host, 0, from, full->items, p->rows, p->columns, full->in_pitch, full->in_stride, element,
                                    (void *)(uintptr_t)in);
  packed.kernel = (const size_t *)kernel;
  c.args.outside = (CONVK_T *)(void *)base;
  if (!status) convk_cuda_fft_fill_(*p, (const char *)there, direction, packed, (const CONVK_T *)from, (CONVK_T *)to, &c);
  if (!status) status = convk_cuda_fft_run_(*p, c, host->stream);
  return status ? status
                : convk_cuda_copy_batch_(host, 1, to, full->items, p->out_rows, p->out_columns, full->out_pitch,
                                         full->out_stride, element, out);
}
#endif
