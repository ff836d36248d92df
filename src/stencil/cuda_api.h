#if CONVK_HAS_STENCIL_
/* convk_stencil7 on device arrays: a and b are device memory, all else is host memory and free again on return; no work.
   Nothing is allocated, copied or waited for, and results are there when `stream` has come past the call.  Arguments, results
   and status codes are those of the function of the same name in convk.h, except that the fixed points are not looked at:
   from two steps on b must hold those of a, for which the caller answers (there is no CONVK_ERR_RIM).
   CONVK_ERR_OPTION is a tile that there is not, CONVK_ERR_OVERFLOW also a plane of more than 2^30 tiles, and CONVK_ERR_DEVICE
   a failed launch.  `tuning` may be NULL.
   One kernel for each pass over memory.  The number of passes is even when `steps` is: two steps are two passes. */
CONVK_API_ int convk_cuda_stencil7(const convk_grid3 *grid, const convk_stencil7_coefficients *coefficients,
                                   const int boundary[3], size_t steps, const convk_cuda_stencil_tuning *tuning, CONVK_T *a,
                                   CONVK_T *b, CONVK_T **result, cudaStream_t stream);

/* convk_stencil7_box on device arrays; everything else as cuda_stencil7.  One kernel.  In place: no, neither. */
CONVK_API_ int convk_cuda_stencil7_box(const convk_grid3 *grid, const convk_stencil7_coefficients *coefficients,
                                       const int boundary[3], const size_t first[3], const size_t count[3],
                                       const convk_cuda_stencil_tuning *tuning, const CONVK_T *a, CONVK_T *b,
                                       cudaStream_t stream);
#endif
