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
