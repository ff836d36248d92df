/* convk_gridpot on device memory: points and g are there and are not read by the host.  `gaussians` and the center in it are
   host memory; its arrays lie where kernels want them: in OpenCL on the host, in CUDA on the device, where nobody looks whether
   they are finite.  OpenCL makes a small buffer of the exponents for the call, as only the host has the doubles that their
   digits need; CUDA allocates and copies nothing.  Nothing is waited for.  Fastest where rows of g begin at multiples of 16
   bytes: bound by memory.
   Errors, before anything is started: those of convk_gridpot but for COORDINATE and THREADS; DEVICE; with OpenCL also SIZE (a
   buffer is too small), FP64 (f64), HANDLE, MEMORY, BUILD (see convk_cl_build_log).  Bits are those of the fused class. */
CONVK_API_ int convk_gridpot_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                      const convk_gaussians *gaussians, const convk_gaussian_options *options,
                                      CONVK_ARRAY_(CONVK_T) g, size_t ld);

/* convk_gridpot_sum on device memory.  Exponentials are made once for up to 8 sums.  Everything else as gridpot there. */
CONVK_API_ int convk_gridpot_sum_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                          const convk_gaussians *gaussians, const convk_gaussian_options *options,
                                          CONVK_ARRAY_(CONVK_T) sums, size_t ld);

/* convk_orbitals on device memory: points and `value` are there.
   plan         of convk_orbitals_prepare, on the host
   device_plan  the first convk_orbitals_plan_bytes bytes of it on the device, at a multiple of 8 bytes; for any number of calls
   One kernel; nothing is allocated, copied or waited for.  Errors: as gridpot there, and PLAN.  Bits as in convk.h. */
CONVK_API_ int convk_orbitals_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                       const convk_orbitals_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                       const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) value, size_t ld);

/* convk_orbitals_vgl on device memory: `out` is host memory, its arrays are there.  Everything else as orbitals there. */
CONVK_API_ int convk_orbitals_vgl_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                           const convk_orbitals_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                           const convk_gaussian_options *options, const CONVK_DEVICE_STRUCT_(vgl) * out);

/* convk_density on device memory, of a plan with occupations.  Everything else as orbitals there. */
CONVK_API_ int convk_density_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                      const convk_orbitals_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                      const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) density);
