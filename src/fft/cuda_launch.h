CONVK_LOCAL_ int convk_cuda_fft_need_(convk_cuda_machine_ *, const convk_fft_plan_ *p, size_t, size_t items, size_t *bytes) {
  convk_cuda_fft_call_<CONVK_T> c;
  const int status = convk_cuda_fft_cut_(*p, items, &c);
  if (!status) *bytes = c.need;
  return status;
}

CONVK_LOCAL_ int convk_cuda_fft_start_(convk_cuda_call_ *call, const convk_fft_plan_ *p, size_t, const void *device_plan,
                                       int direction, const convk_batch2d *full, const size_t *kernel, const CONVK_T *in,
                                       CONVK_T *out, void *work, size_t work_size) {
  convk_cuda_fft_call_<CONVK_T> c;
  convk_batch2d batch = *full;
  convk_place_ place;
  void *base = NULL;
  int status = convk_cuda_fft_cut_(*p, full->items, &c, call->hw, call->planes);
  if (!status && c.need) status = convk_cuda_work_place_(call, work, work_size, c.need, &place, &base);
  if (status) return status;
  batch.kernel = kernel;
  c.args.outside = (CONVK_T *)base;
  convk_cuda_fft_fill_(*p, (const char *)device_plan, direction, batch, in, out, &c);
  status = convk_cuda_clock_start_(call);
  if (!status) status = convk_cuda_fft_run_(*p, c, call->stream);
  return convk_cuda_clock_stop_(call, status);
}
