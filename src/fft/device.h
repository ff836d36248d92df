#if CONVK_HAS_FFT_
/* Each device has, in opencl.h and cuda.h, as CONVK_DEVICE_(name):
   fft_need(on, &plan, element, items, &bytes)   bytes of work
   fft_start(&call, &plan, element, device_plan, direction, &full, kernel, in, out, work, work_size)   a checked call
   fft_host(host, plan, &plan, element, direction, &full, in, out)   a checked call on host arrays, there and back */

/* Tiles are for processors. */
CONVK_LOCAL_ int convk_fft_whole_(char *message, const convk_fft_plan_ *p) {
  return p->tile[0] || p->tile[1] ? convk_refuse_(message, CONVK_ERR_UNSUPPORTED, "plan has tiles, which are for processors")
                                  : CONVK_OK;
}

/* ---- device memory ---- */

CONVK_LOCAL_ int convk_fft_on_(CONVK_ON_ *on, const char *kind, const void *plan, CONVK_ARRAY_(const void) device_plan,
                               int direction, const CONVK_THERE_(batch2d) * batch, CONVK_ARRAY_(const CONVK_T) in,
                               CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size) {
  const int put = CONVK_PLACE_WRITTEN_, may = CONVK_PLACE_OPTIONAL_;
  convk_place_ place[CONVK_FFT_PLACES_];
  convk_batch2d asked, full;
  convk_fft_plan_ p;
  CONVK_DEVICE_(call) call;
  size_t span[2], number;
  int none, status = CONVK_DEVICE_(call_of)(on, sizeof(CONVK_T), 0, &call);
  memset(&asked, 0, sizeof asked);
  if (batch) {
    asked.items = batch->items;
    asked.in_pitch = batch->in_pitch;
    asked.in_stride = batch->in_stride;
    asked.out_pitch = batch->out_pitch;
    asked.out_stride = batch->out_stride;
    asked.items_per_kernel = batch->items_per_kernel;
  }
  if (!status)
    status = convk_fft_check_(call.message, plan, kind, direction, batch ? &asked : NULL, sizeof(CONVK_T),
                              batch && CONVK_DEVICE_(there)(batch->kernel), &p, &full, span);
  if (!status) status = convk_fft_whole_(call.message, &p);
  if (status) return CONVK_DEVICE_(call_end)(&call, status);
  none = full.items ? 0 : may;
  number = (p.real ? 1 : 2) * sizeof(CONVK_T);
  status = CONVK_DEVICE_(array_place)(&call, "device_plan", device_plan, p.bytes, 1, 0, &place[CONVK_FFT_AT_PLAN_]);
  if (!status) status = CONVK_DEVICE_(array_place)(&call, "in", in, span[0], number, none, &place[CONVK_FFT_AT_IN_]);
  if (!status) status = CONVK_DEVICE_(array_place)(&call, "out", out, span[1], number, none | put, &place[CONVK_FFT_AT_OUT_]);
  if (!status)
    status = CONVK_DEVICE_(array_place)(&call, "work", work, CONVK_DEVICE_(there)(work) ? work_size : 0, 1, may | put,
                                        &place[CONVK_FFT_AT_WORK_]);
  if (!status)
    status = CONVK_DEVICE_(array_place)(&call, "batch->kernel", batch->kernel, p.kernels ? full.items : 0, sizeof(uint64_t),
                                        may, &place[CONVK_FFT_AT_KERNEL_]);
  if (!status) status = convk_fft_places_(call.message, &p, &full, place);
  if (!status && place[CONVK_FFT_AT_PLAN_].begin % 16)
    status = convk_refuse_(call.message, CONVK_ERR_PLAN, "device_plan is at no multiple of 16 bytes");
  if (!status && full.items)
    status = CONVK_DEVICE_(fft_start)(&call, &p, sizeof(CONVK_T), device_plan, direction, &full, batch->kernel, in, out, work,
                                      work_size);
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_LOCAL_ int convk_fft_need_(CONVK_ON_ *on, const char *kind, const void *plan, size_t items, size_t *bytes) {
  convk_fft_plan_ p;
  char *message = NULL;
  size_t need = 0;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_fft_plan_check_(message, plan, kind, &p);
  if (!status) status = convk_need_(message, "bytes", bytes);
  if (!status) status = convk_fft_whole_(message, &p);
  if (!status && items) status = CONVK_DEVICE_(fft_need)(on, &p, sizeof(CONVK_T), items, &need);
  if (!status) *bytes = need;
  return status;
}

CONVK_API_ int convk_fftconv2d_resident(CONVK_ON_ *on, const convk_fftconv2d_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                        const CONVK_THERE_(batch2d) * batch, CONVK_ARRAY_(const CONVK_T) in,
                                        CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_fft_on_(on, CONVK_FFT_KIND_(1), plan, device_plan, CONVK_FORWARD, batch, in, out, work, work_size);
}
CONVK_API_ int convk_fftconv2d_complex_resident(CONVK_ON_ *on, const convk_fftconv2d_plan_complex *plan,
                                                CONVK_ARRAY_(const void) device_plan, const CONVK_THERE_(batch2d) * batch,
                                                CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                                CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_fft_on_(on, CONVK_FFT_KIND_(0), plan, device_plan, CONVK_FORWARD, batch, in, out, work, work_size);
}
CONVK_API_ int convk_fft2d_complex_resident(CONVK_ON_ *on, const convk_fft2d_plan_complex *plan,
                                            CONVK_ARRAY_(const void) device_plan, int direction,
                                            const CONVK_THERE_(batch2d) * batch, CONVK_ARRAY_(const CONVK_T) in,
                                            CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size) {
  return convk_fft_on_(on, CONVK_FFT2D_KIND_, plan, device_plan, direction, batch, in, out, work, work_size);
}

CONVK_API_ int convk_fftconv2d_work_size_resident(CONVK_ON_ *on, const convk_fftconv2d_plan *plan, size_t items,
                                                  size_t *bytes) {
  return convk_fft_need_(on, CONVK_FFT_KIND_(1), plan, items, bytes);
}
CONVK_API_ int convk_fftconv2d_work_size_complex_resident(CONVK_ON_ *on, const convk_fftconv2d_plan_complex *plan, size_t items,
                                                          size_t *bytes) {
  return convk_fft_need_(on, CONVK_FFT_KIND_(0), plan, items, bytes);
}
CONVK_API_ int convk_fft2d_work_size_complex_resident(CONVK_ON_ *on, const convk_fft2d_plan_complex *plan, size_t items,
                                                      size_t *bytes) {
  return convk_fft_need_(on, CONVK_FFT2D_KIND_, plan, items, bytes);
}

/* ---- host arrays on a device ---- */

CONVK_LOCAL_ int convk_fft_arrays_(convk *hw, const char *kind, const void *plan, int direction, const convk_batch2d *batch,
                                   const CONVK_T *in, CONVK_T *out) {
  char *const message = convk_message_(hw);
  CONVK_DEVICE_(host) *host = NULL;
  convk_fft_plan_ p;
  convk_batch2d full;
  size_t span[2];
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_fft_check_(message, plan, kind, direction, batch, sizeof(CONVK_T), 0, &p, &full, span);
  if (!status) status = convk_fft_apart_(message, &p, plan, &full, sizeof(CONVK_T), span, in, out, NULL, 0);
  if (!status) status = convk_fft_whole_(message, &p);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 0);
  if (!status && full.items) status = CONVK_DEVICE_(begin)(host);
  if (status || !full.items) return status;
  return CONVK_DEVICE_(end)(host, CONVK_DEVICE_(fft_host)(host, plan, &p, sizeof(CONVK_T), direction, &full, in, out));
}

/* For a handle of the device: copies the batch, and of the plan what it needs, runs, waits; `work` is ignored.  Errors as in
   convk.h, and HANDLE for other handles, MEMORY, DEVICE, and with OpenCL FP64, BUILD and UNSUPPORTED, with hw->message. */
CONVK_API_ int convk_fftconv2d_device CONVK_OP_FFTCONV2D_(CONVK_OP_PARAMETERS_, REAL, fftconv2d) {
  (void)work;
  (void)work_size;
  return convk_fft_arrays_(hw, CONVK_FFT_KIND_(1), plan, CONVK_FORWARD, batch, in, out);
}
CONVK_API_ int convk_fftconv2d_complex_device CONVK_OP_FFTCONV2D_(CONVK_OP_PARAMETERS_, COMPLEX, complex_fftconv2d) {
  (void)work;
  (void)work_size;
  return convk_fft_arrays_(hw, CONVK_FFT_KIND_(0), plan, CONVK_FORWARD, batch, in, out);
}
CONVK_API_ int convk_fft2d_complex_device CONVK_OP_FFT2D_(CONVK_OP_PARAMETERS_) {
  (void)work;
  (void)work_size;
  return convk_fft_arrays_(hw, CONVK_FFT2D_KIND_, plan, direction, batch, in, out);
}
#endif
