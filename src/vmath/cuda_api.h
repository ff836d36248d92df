#if CONVK_HAS_VMATH_
/* convk_exp, convk_expm1, convk_log and convk_sincos on device arrays, in place or apart as in convk.h; nothing is allocated,
   copied or waited for, and results are there when `stream` has come past the call.  One kernel; no work.  Errors: NULL,
   OVERFLOW, OVERLAP, DEVICE.  Bits are those of the fused class.
   Traffic: 2 elements each, 3 for sincos: exp in f32 has a bound by memory, sincos in f64 one by arithmetic. */
CONVK_API_ int convk_cuda_exp(size_t n, const CONVK_T *x, CONVK_T *y, cudaStream_t stream);
CONVK_API_ int convk_cuda_expm1(size_t n, const CONVK_T *x, CONVK_T *y, cudaStream_t stream);
CONVK_API_ int convk_cuda_log(size_t n, const CONVK_T *x, CONVK_T *y, cudaStream_t stream);
CONVK_API_ int convk_cuda_sincos(size_t n, const CONVK_T *x, CONVK_T *s, CONVK_T *c, cudaStream_t stream);
#endif
