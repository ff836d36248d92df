#if CONVK_HAS_FFT_
CONVK_LOCAL_ int convk_cuda_fft_need_(convk_cuda_stream *, const convk_fft_plan_ *p, size_t, size_t items, size_t *bytes) {
  convk_cuda_fft_call_<CONVK_T> c;
  const int status = convk_cuda_fft_cut_(*p, items, &c);
  if (!status) *bytes = c.need;
  return status;
}

CONVK_LOCAL_ int convk_cuda_fft_start_(convk_cuda_call_ *call, const convk_fft_plan_ *p, size_t, const void *there,
                                       int direction, const convk_batch2d *full, const size_t *kernel, const CONVK_T *in,
                                       CONVK_T *out, void *work, size_t work_size) {
  convk_cuda_fft_call_<CONVK_T> c;
  convk_batch2d batch = *full;
  convk_place_ place;
  void *base = NULL;
  int status = convk_cuda_fft_cut_(*p, full->items, &c, call->hw);
  if (!status && c.need) status = convk_cuda_work_place_(call, work, work_size, c.need, &place, &base);
  if (status) return status;
  batch.kernel = kernel;
  c.args.outside = (CONVK_T *)base;
  convk_cuda_fft_fill_(*p, (const char *)there, direction, batch, in, out, &c);
  return convk_cuda_fft_run_(*p, c, call->stream);
}

CONVK_LOCAL_ int convk_cuda_fft_host_(convk_cuda_host_ *host, const void *plan, const convk_fft_plan_ *p, size_t, int direction,
                                      const convk_batch2d *full, const CONVK_T *in, CONVK_T *out) {
  const size_t element = (p->real ? 1 : 2) * sizeof(CONVK_T);
  const convk_cuda_call_ call = convk_cuda_call_on_(host);
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
  status = convk_cuda_fft_cut_(*p, full->items, &c, host->hw);
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
  if (!status) status = convk_cuda_clock_start_(&call);
  if (!status) status = convk_cuda_fft_run_(*p, c, host->stream);
  status = convk_cuda_clock_stop_(&call, status);
  return status ? status
                : convk_cuda_copy_batch_(host, 1, to, full->items, p->out_rows, p->out_columns, full->out_pitch,
                                         full->out_stride, element, out);
}
#endif
