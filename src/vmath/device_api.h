/* convk_exp on device memory: n elements of x to y, in place or apart as there.  The first call of a function in a precision
   builds a program with OpenCL.  Nothing is waited for or copied.
   Errors, before anything is started: NULL, OVERFLOW, OVERLAP, DEVICE; with OpenCL also SIZE (a buffer is too small), FP64
   (f64), HANDLE, MEMORY, BUILD (see convk_cl_build_log).
   Bits are those of the fused class.  Traffic: 2 elements each, 3 for sincos. */
CONVK_API_ int convk_exp_resident(CONVK_ON_ *on, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) y);

/* convk_expm1 on device memory; everything else as exp there. */
CONVK_API_ int convk_expm1_resident(CONVK_ON_ *on, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) y);

/* convk_log on device memory; everything else as exp there. */
CONVK_API_ int convk_log_resident(CONVK_ON_ *on, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) y);

/* convk_sincos on device memory; s or c may be x.  Everything else as exp there. */
CONVK_API_ int convk_sincos_resident(CONVK_ON_ *on, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) s,
                                     CONVK_ARRAY_(CONVK_T) c);
