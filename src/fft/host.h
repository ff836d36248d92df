#if CONVK_HAS_FFT_
/* ---- host arrays on a device ---- */

CONVK_LOCAL_ int convk_fft_arrays_(convk *hw, const char *kind, const void *plan, int direction, const convk_batch2d *batch,
                                   const CONVK_T *in, CONVK_T *out) {
  CONVK_DEVICE_(host) *host = NULL;
  convk_fft_plan_ p;
  convk_batch2d full;
  size_t span[2];
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_fft_check_(convk_message_(hw), plan, kind, direction, batch, sizeof(CONVK_T), 0, &p, &full, span);
  if (!status) status = convk_fft_apart_(convk_message_(hw), &p, plan, &full, sizeof(CONVK_T), span, in, out, NULL, 0);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 0);
  if (!status && full.items) status = CONVK_DEVICE_(begin)(host);
  if (status || !full.items) return status;
  return CONVK_DEVICE_(end)(host, convk_fft_there_(host, plan, &p, direction, &full, in, out));
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
