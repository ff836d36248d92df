
#if CONVK_HAS_SEPCONV_ && CONVK_HAS_TYPE_
/* Bytes of work for chebyshev3d on this handle (NULL: serial, default blocks), which are enough for every smaller grid, for
   fewer vectors and taps, and for lower degrees.  Of the filter only the degree counts.  Devices: 0.  Status as chebyshev3d. */
CONVK_API_ int convk_chebyshev3d_work_size(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                           const convk_chebyshev *filter, size_t *bytes);
/* The same for complex calls. */
CONVK_API_ int convk_chebyshev3d_work_size_complex(convk *hw, const convk_sumconv3d_shape *shape,
                                                   const convk_sumconv_terms *terms, const convk_chebyshev *filter,
                                                   size_t *bytes);
#endif
