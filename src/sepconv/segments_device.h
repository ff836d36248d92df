#if CONVK_HAS_SEPCONV_
/* ---- segments: copies alone, and both arrays are on the host, which makes them ---- */

CONVK_API_ int convk_wavelet_uncompress_device CONVK_OP_WAVELET_UNCOMPRESS_(CONVK_OP_PARAMETERS_) {
  CONVK_DEVICE_(host) *host = NULL;
  const int status = CONVK_DEVICE_(host_of)(hw, &host);
  return status ? status : convk_wavelet_uncompress_cpu_(NULL, hw, shape, compressed, dense);
}

CONVK_API_ int convk_wavelet_compress_device CONVK_OP_WAVELET_COMPRESS_(CONVK_OP_PARAMETERS_) {
  CONVK_DEVICE_(host) *host = NULL;
  const int status = CONVK_DEVICE_(host_of)(hw, &host);
  return status ? status : convk_wavelet_compress_cpu_(NULL, hw, shape, dense, compressed);
}
#endif
