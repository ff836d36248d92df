/* convk_chebyshev3d on device memory: in, out and terms->potential are there, all else is on the host and free again on return.
   Nothing is allocated, copied or waited for; with OpenCL what is new builds programs first, and the taps of the first steps go
   to the device.
   terms  as of sumconv3d there; add: none
   work   of chebyshev3d_work_size bytes there (with OpenCL its offset is in bytes), this call's alone until it is done; NULL
          where these are 0
   Errors, before anything is started: as convk_chebyshev3d; DEVICE; with OpenCL also SIZE (a buffer is too small), FP64 (f64,
   c64; phases), HANDLE, MEMORY, BUILD (see convk_cl_build_log).
   In place: no.  A kernel for each step; each mixed term takes two more for each vector. */
CONVK_API_ int convk_chebyshev3d_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                          const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, const convk_chebyshev *filter,
                                          CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work,
                                          size_t work_size);
/* The same for complex numbers, each of which is one element. */
CONVK_API_ int convk_chebyshev3d_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                  const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                  const convk_chebyshev *filter, CONVK_ARRAY_(const CONVK_T) in,
                                                  CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(void) work, size_t work_size);

/* Bytes of work, which are enough for every smaller grid, for fewer vectors and taps, and for lower degrees; `on` may be NULL.
   Of the filter only the degree counts: from 2 on a packed array of the points of `out`; and what mixed terms take in sumconv3d
   there.  Status as for processors. */
CONVK_API_ int convk_chebyshev3d_work_size_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                    const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                    const convk_chebyshev *filter, size_t *bytes);
CONVK_API_ int convk_chebyshev3d_work_size_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                            const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                            const convk_chebyshev *filter, size_t *bytes);
