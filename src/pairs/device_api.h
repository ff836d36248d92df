/* Walkers of a run that stays on a device: see vmc_sweeps there.
   r          coordinates, x y z of walker after walker, packed: changed
   ln_psi     of each walker: followed
   result     of all walkers, measurement after measurement; none where no sweep ends with one
   drift      of each walker: set to the largest |ln Psi followed less ln Psi anew| in these sweeps
   accepted   of each walker: set to how many moves these sweeps accepted (sweeps, with CONVK_VMC_MOVE_ALL) */
typedef struct convk_vmc_walkers_resident {
  CONVK_ARRAY_(CONVK_T) r;
  CONVK_ARRAY_(double) ln_psi;
  CONVK_ARRAY_(convk_pair_result) result;
  CONVK_ARRAY_(double) drift;
  CONVK_ARRAY_(uint32_t) accepted;
} convk_vmc_walkers_resident;

/* convk_pair_potential on device memory; in place where r and v are the same array.
   potential   on the host; the values of a table, too, with OpenCL, and in device memory with CUDA, where they are not looked
               at
   Nothing is waited for or copied, but for a table with OpenCL; the first call of a kind (want, potential, box, cutoff) builds
   two or three programs there.  Coordinates are not looked at: neither COORDINATE nor their RANGE is found.
   Errors, before anything is started: those of convk_pair_potential for what is on the host, SIZE (OpenCL: a buffer is too
   small), FP64 (both precisions need doubles), HANDLE, MEMORY, BUILD, DEVICE. */
CONVK_API_ int convk_pair_potential_resident(CONVK_ON_ *on, const convk_pair_potential *potential, size_t n,
                                             CONVK_ARRAY_(const CONVK_T) r, CONVK_ARRAY_(CONVK_T) v);

/* Bytes of work for pair_energy there, and for all that is smaller: 3 MB to 100 MB; with CUDA 0 up to 256 particles, whose work
   may be NULL.  on: with CUDA only for its message, and may be NULL.  Errors: NULL, SIZE, PARTICLES, OVERFLOW, HANDLE; then
   *bytes stays as it is. */
CONVK_API_ int convk_pair_energy_work_size_resident(CONVK_ON_ *on, size_t particles, size_t walkers, size_t *bytes);

/* convk_pair_energy on device memory: result and work, too; gradient may be none.  work is this call's alone until it is done;
   an offset of it is in bytes.  Everything else as pair_potential there, with PITCH, OPTION, BOX, OVERLAP, WORK; with OpenCL
   UNSUPPORTED: too little local memory, or kernels whose groups cannot have so many items.
   Accuracy: as convk_pair_energy; sums are in an order that depends on the device and the sizes, but not on anything else.
   With CUDA one kernel up to 256 particles, else two for as many walkers as fit into work. */
CONVK_API_ int convk_pair_energy_resident(CONVK_ON_ *on, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                          int want, CONVK_ARRAY_(const CONVK_T) r, CONVK_ARRAY_(convk_pair_result) result,
                                          CONVK_ARRAY_(CONVK_T) gradient, CONVK_ARRAY_(void) work, size_t work_size);

/* convk_pair_move on device memory, and convk_pair_accept, whose accept and gradient may be none: a kernel each.  Everything
   else as pair_energy there, without work. */
CONVK_API_ int convk_pair_move_resident(CONVK_ON_ *on, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                        size_t particle, CONVK_ARRAY_(const CONVK_T) r, CONVK_ARRAY_(const CONVK_T) to,
                                        CONVK_ARRAY_(convk_pair_move_result) result);
CONVK_API_ int convk_pair_accept_resident(CONVK_ON_ *on, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                          size_t particle, CONVK_ARRAY_(const CONVK_T) to,
                                          CONVK_ARRAY_(const unsigned char) accept, CONVK_ARRAY_(CONVK_T) r,
                                          CONVK_ARRAY_(CONVK_T) gradient);

/* Bytes of work for vmc_sweeps there, and for fewer particles or walkers.  Everything else as the query for pair_energy, with
   the errors of convk_vmc_begin for vmc. */
CONVK_API_ int convk_vmc_sweeps_work_size_resident(CONVK_ON_ *on, const convk_vmc *vmc, size_t *bytes);

/* Sweeps of a run that stays on the device: what convk_vmc_run does between one look at the results and the next.  A run whose
   sweeps follow each other, whatever the calls, with the same steps, has the bits of convk_vmc_run on the same device.
   vmc       on the host; its step, acceptance and equilibration only say when measurements are taken
   sweeps    which of them, and how; see convk_vmc_sweeps
   walkers   on the host, its arrays on the device
   Moves of single particles: one kernel for all sweeps up to a measurement.  Everything else as pair_energy there, with the
   errors of convk_vmc_begin for vmc. */
CONVK_API_ int convk_vmc_sweeps_resident(CONVK_ON_ *on, const convk_vmc *vmc, const convk_vmc_sweeps *sweeps,
                                         const convk_vmc_walkers_resident *walkers, CONVK_ARRAY_(void) work, size_t work_size);
