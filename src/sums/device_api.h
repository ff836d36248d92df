/* convk_sumconv3d on device memory: in, out, the arrays of the terms and `sums` (a convk_sumconv_sums for each vector) are
   there, all else is on the host and free again on return.  Nothing is allocated, copied or waited for; with OpenCL what is
   new builds programs first, and taps that are new go to the device.
   terms  as there, but with OpenCL a struct of its own
   work   of sumconv3d_work_size bytes there (with OpenCL its offset is in bytes), this call's alone until it is done; NULL
          where there are neither sums nor mixed terms
   Errors, before anything is started: as convk_sumconv3d; DEVICE; with OpenCL also SIZE (a buffer is too small), FP64 (f64,
   c64; sums and phases), HANDLE, MEMORY, BUILD (see convk_cl_build_log), UNSUPPORTED: too little local memory.
   In place: out may be terms->add.  One kernel, with sums two or three more; each mixed term takes two for each vector. */
CONVK_API_ int convk_sumconv3d_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                        const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, CONVK_ARRAY_(const CONVK_T) in,
                                        CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(convk_sumconv_sums) sums,
                                        CONVK_ARRAY_(void) work, size_t work_size);
/* The same for complex numbers, each of which is one element. */
CONVK_API_ int convk_sumconv3d_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms,
                                                CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                                CONVK_ARRAY_(convk_sumconv_sums) sums, CONVK_ARRAY_(void) work,
                                                size_t work_size);

/* Bytes of work, which are enough for every smaller grid, for fewer vectors and taps, with sums and without; `on` may be NULL.
   With mixed terms four arrays of one vector, and for sums 64 bytes for each row.  Status as for processors. */
CONVK_API_ int convk_sumconv3d_work_size_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                  const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, size_t *bytes);
CONVK_API_ int convk_sumconv3d_work_size_complex_resident(CONVK_ON_ *on, const convk_sumconv3d_shape *shape,
                                                          const CONVK_DEVICE_STRUCT_(sumconv_terms) * terms, size_t *bytes);

#include "sums/chebyshev_device_api.h"
