#if CONVK_HAS_SEPCONV_
/* Sums of filters are for processors: handles of devices say so. */
CONVK_API_ int convk_sumconv3d_device CONVK_OP_SUMCONV3D_(CONVK_OP_PARAMETERS_, REAL, sumconv3d) {
  (void)(shape && terms && in && out && sums && work && work_size);
  return convk_refuse_(convk_message_(hw), CONVK_ERR_UNSUPPORTED, "sumconv3d is for processors");
}
CONVK_API_ int convk_sumconv3d_complex_device CONVK_OP_SUMCONV3D_(CONVK_OP_PARAMETERS_, COMPLEX, complex_sumconv3d) {
  (void)(shape && terms && in && out && sums && work && work_size);
  return convk_refuse_(convk_message_(hw), CONVK_ERR_UNSUPPORTED, "sumconv3d is for processors");
}
#endif
