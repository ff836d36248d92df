#if CONVK_HAS_SEPCONV_
/* ---- wavelets, which devices do not offer ---- */

CONVK_RARE_ int convk_dwt_lacks_(convk *hw, const char *operation) {
  const int status = hw ? CONVK_OK : CONVK_ERR_HANDLE;
  return status ? status
                : convk_refuse_names_(hw->message, CONVK_ERR_UNSUPPORTED, "hw is $, which has no $", hw->name, operation);
}

CONVK_API_ int convk_dwt3d_device CONVK_OP_DWT3D_(CONVK_OP_PARAMETERS_) {
  (void)shape, (void)wavelet, (void)fine, (void)coarse, (void)work, (void)work_size;
  return convk_dwt_lacks_(hw, "dwt3d");
}

CONVK_API_ int convk_idwt3d_device CONVK_OP_IDWT3D_(CONVK_OP_PARAMETERS_) {
  (void)shape, (void)wavelet, (void)fine, (void)coarse, (void)work, (void)work_size;
  return convk_dwt_lacks_(hw, "idwt3d");
}

CONVK_API_ int convk_s1_to_r_device CONVK_OP_S1_TO_R_(CONVK_OP_PARAMETERS_) {
  (void)shape, (void)coarse, (void)values, (void)work, (void)work_size;
  return convk_dwt_lacks_(hw, "s1_to_r");
}

CONVK_API_ int convk_r_to_s1_device CONVK_OP_R_TO_S1_(CONVK_OP_PARAMETERS_) {
  (void)shape, (void)coarse, (void)values, (void)work, (void)work_size;
  return convk_dwt_lacks_(hw, "r_to_s1");
}
#endif
