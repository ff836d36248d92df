#if CONVK_HAS_SEPCONV_
/* ---- segments, which devices do not offer ---- */

CONVK_RARE_ int convk_segments_lacks_(convk *hw, const char *operation) {
  return hw ? convk_refuse_names_(hw->message, CONVK_ERR_UNSUPPORTED, "hw is $, which has no $", hw->name, operation)
            : CONVK_ERR_HANDLE;
}

CONVK_API_ int convk_wavelet_uncompress_device CONVK_OP_WAVELET_UNCOMPRESS_(CONVK_OP_PARAMETERS_) {
  (void)shape, (void)compressed, (void)dense;
  return convk_segments_lacks_(hw, "wavelet_uncompress");
}

CONVK_API_ int convk_wavelet_compress_device CONVK_OP_WAVELET_COMPRESS_(CONVK_OP_PARAMETERS_) {
  (void)shape, (void)dense, (void)compressed;
  return convk_segments_lacks_(hw, "wavelet_compress");
}
#endif
