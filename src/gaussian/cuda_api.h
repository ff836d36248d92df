#if CONVK_HAS_GAUSSIAN_
/* convk_gridpot on device arrays: the coordinates (the structure of points itself is host memory), alpha, c, g and sums are
   device memory here and below, center is host memory; nothing is allocated, copied or waited for, and results are there when
   `stream` has come past the call.  Arguments and results as in convk.h, bits too; what needs a look at device memory
   (COORDINATE, and NONFINITE of alpha and c) is not checked.  One kernel; no work.  Fastest where rows of g begin at multiples
   of 16 bytes: bound by memory.  Errors: NULL, OPTION, NONFINITE, PITCH, OVERFLOW, OVERLAP, DEVICE. */
CONVK_API_ int convk_cuda_gridpot(const convk_points *points, const CONVK_T center[3], size_t m, const CONVK_T *alpha,
                                  const convk_gaussian_options *options, CONVK_T *g, size_t ld, cudaStream_t stream);

/* convk_gridpot_sum on device arrays.  One kernel; no work.  Exponentials are made once for up to 8 sums.  Everything else as
   cuda_gridpot. */
CONVK_API_ int convk_cuda_gridpot_sum(const convk_points *points, const CONVK_T center[3], size_t m, const CONVK_T *alpha,
                                      size_t nsums, const CONVK_T *c, size_t ldc, const convk_gaussian_options *options,
                                      CONVK_T *sums, size_t ld, cudaStream_t stream);

/* Orbitals on the device need a plan, which the caller makes of the shells once, copies to the device, and keeps in both
   places.  Its bytes; 0: bad shells. */
CONVK_API_ size_t convk_cuda_orbitals_plan_size(size_t nshells, const convk_shell *shells, size_t norbitals);

/* Makes such a plan.  All arguments are host memory, plan as malloc gives it.
   occupations  of a density, else NULL
   plan         of cuda_orbitals_plan_size bytes
   Errors: those of convk_orbitals that concern these arguments, WORK where the plan is too small. */
CONVK_API_ int convk_cuda_orbitals_plan(size_t nshells, const convk_shell *shells, size_t norbitals,
                                        const CONVK_T *coefficients, size_t ldc, const CONVK_T *occupations, void *plan,
                                        size_t plan_size);

/* convk_orbitals, convk_orbitals_vgl and convk_density on device arrays: plan is on the host, the same bytes `there` on the
   device.  One kernel; no work; bits as in convk.h.  Errors: as cuda_gridpot; OPTION also where a plan has occupations and the
   call is not density, or has none and it is. */
CONVK_API_ int convk_cuda_orbitals(const convk_points *points, const void *plan, const void *there,
                                   const convk_gaussian_options *options, CONVK_T *value, size_t ld, cudaStream_t stream);
CONVK_API_ int convk_cuda_orbitals_vgl(const convk_points *points, const void *plan, const void *there,
                                       const convk_gaussian_options *options, CONVK_T *value, CONVK_T *dx, CONVK_T *dy,
                                       CONVK_T *dz, CONVK_T *laplacian, size_t ld, cudaStream_t stream);
CONVK_API_ int convk_cuda_density(const convk_points *points, const void *plan, const void *there,
                                  const convk_gaussian_options *options, CONVK_T *density, cudaStream_t stream);
#endif
