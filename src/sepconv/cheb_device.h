#if CONVK_HAS_SEPCONV_
/* So are Chebyshev filters. */
CONVK_API_ int convk_chebyshev3d_device CONVK_OP_CHEBYSHEV3D_(CONVK_OP_PARAMETERS_, REAL, chebyshev3d) {
  (void)(shape && terms && filter && in && out && work && work_size);
  return convk_refuse_(convk_message_(hw), CONVK_ERR_UNSUPPORTED, "chebyshev3d is for processors");
}
CONVK_API_ int convk_chebyshev3d_complex_device CONVK_OP_CHEBYSHEV3D_(CONVK_OP_PARAMETERS_, COMPLEX, complex_chebyshev3d) {
  (void)(shape && terms && filter && in && out && work && work_size);
  return convk_refuse_(convk_message_(hw), CONVK_ERR_UNSUPPORTED, "chebyshev3d is for processors");
}
#endif
