/* Device arrays: the coordinates (the structure of points itself is host memory), alpha, c, g and sums are device
   memory, center is host memory; nothing is allocated, copied or waited for, and results are there when `stream` has come past
   the call.  Arguments and results as in convk.h, bits too; what needs a look at device memory (COORDINATE, and NONFINITE of
   alpha and c) is not checked.  Errors: NULL, OPTION, NONFINITE, PITCH, OVERFLOW, OVERLAP, DEVICE.
   int convk_cuda_gridpot_<type>(points, center, m, alpha, options, g, ld, stream)
     One kernel; no work.  Fastest where rows of g begin at multiples of 16 bytes: bound by memory.
   int convk_cuda_gridpot_sum_<type>(points, center, m, alpha, nsums, c, ldc, options, sums, ld, stream)
     One kernel; no work.  Exponentials are made once for up to 8 sums.
   Orbitals on the device need a plan, which the caller makes of the shells once, copies to the device, and keeps in both places:
   size_t convk_cuda_orbitals_plan_size_<type>(nshells, shells, norbitals)                        bytes; 0: bad shells
   int convk_cuda_orbitals_plan_<type>(nshells, shells, norbitals, coefficients, ldc, occupations, plan, plan_size)
     All arguments are host memory, plan as malloc gives it.  occupations: of a density, else NULL.  Errors: those of orbitals in
     convk.h that concern these arguments, WORK where the plan is too small.
   int convk_cuda_orbitals_<type>(points, plan, there, options, value, ld, stream)
   int convk_cuda_orbitals_vgl_<type>(points, plan, there, options, value, dx, dy, dz, laplacian, ld, stream)
   int convk_cuda_density_<type>(points, plan, there, options, density, stream)
     plan on the host, the same bytes there on the device; bits as in convk.h.  One kernel.  OPTION also where a plan has
     occupations and the call is not density, or has none and it is. */
CONVK_API_ int CONVK_TYPED_(cuda_gridpot)(const CONVK_TYPED_(points) *points, const CONVK_T center[3], size_t m,
    const CONVK_T *alpha, const convk_gaussian_options *options, CONVK_T *g, size_t ld, cudaStream_t stream);
CONVK_API_ int CONVK_TYPED_(cuda_gridpot_sum)(const CONVK_TYPED_(points) *points, const CONVK_T center[3], size_t m,
    const CONVK_T *alpha, size_t nsums, const CONVK_T *c, size_t ldc, const convk_gaussian_options *options,
    CONVK_T *sums, size_t ld, cudaStream_t stream);
CONVK_API_ size_t CONVK_TYPED_(cuda_orbitals_plan_size)(size_t nshells, const convk_shell *shells, size_t norbitals);
CONVK_API_ int CONVK_TYPED_(cuda_orbitals_plan)(size_t nshells, const convk_shell *shells, size_t norbitals,
    const CONVK_T *coefficients, size_t ldc, const CONVK_T *occupations, void *plan, size_t plan_size);
CONVK_API_ int CONVK_TYPED_(cuda_orbitals)(const CONVK_TYPED_(points) *points, const void *plan, const void *there,
    const convk_gaussian_options *options, CONVK_T *value, size_t ld, cudaStream_t stream);
CONVK_API_ int CONVK_TYPED_(cuda_orbitals_vgl)(const CONVK_TYPED_(points) *points, const void *plan, const void *there,
    const convk_gaussian_options *options, CONVK_T *value, CONVK_T *dx, CONVK_T *dy, CONVK_T *dz, CONVK_T *laplacian,
    size_t ld, cudaStream_t stream);
CONVK_API_ int CONVK_TYPED_(cuda_density)(const CONVK_TYPED_(points) *points, const void *plan, const void *there,
    const convk_gaussian_options *options, CONVK_T *density, cudaStream_t stream);
