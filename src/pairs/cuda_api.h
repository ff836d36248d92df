#if CONVK_HAS_VMC_
/* convk_pair_potential on device arrays.  Here and below r, to, result, gradient, accept, v and work are device memory, and so
   are the values of a table (potential.values), which are not looked at; structures are host memory that is free again on
   return.  Arguments, results and status codes are those of the functions of the same name in convk.h, with CONVK_ERR_DEVICE;
   what needs a look at device memory (COORDINATE, RANGE of coordinates, NONFINITE of a table) is not checked.  f32 sums up pair
   terms of f32 in f64, as convk.h says: devices have f64, if some of them slowly. */
CONVK_API_ int convk_cuda_pair_potential(const convk_pair_potential *potential, size_t n, const CONVK_T *r, CONVK_T *v,
                                         cudaStream_t stream);

/* Bytes of device memory for cuda_pair_energy: 0, and work may be NULL, up to 256 particles; else some 400 bytes per particle
   of as many walkers as fit into 64 MB, of one at least; (size_t)-1: too large. */
CONVK_API_ size_t convk_cuda_pair_energy_work_size(size_t particles, size_t walkers);

/* convk_pair_energy on device arrays: one kernel up to 256 particles, else two for as many walkers as fit into work.  The bits
   are the same for any number of walkers and on all devices of one kind, whose 1 / sqrt they begin with.
   f64: 33 operations of a pair from one end and 20 from the other, and exponentials where it is near. */
CONVK_API_ int convk_cuda_pair_energy(const convk_pair_system *system, const convk_pair_walkers *walkers, int want,
                                      const CONVK_T *r, convk_pair_result *result, CONVK_T *gradient, void *work,
                                      size_t work_size, cudaStream_t stream);

/* convk_pair_move and convk_pair_accept on device arrays: one kernel each. */
CONVK_API_ int convk_cuda_pair_move(const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle,
                                    const CONVK_T *r, const CONVK_T *to, convk_pair_move_result *result, cudaStream_t stream);
CONVK_API_ int convk_cuda_pair_accept(const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle,
                                      const CONVK_T *to, const unsigned char *accept, CONVK_T *r, CONVK_T *gradient,
                                      cudaStream_t stream);

/* Bytes of device memory for cuda_vmc_sweeps; 0: too large, or no vmc. */
CONVK_API_ size_t convk_cuda_vmc_sweeps_work_size(const convk_vmc *vmc);

/* What convk_vmc_run does with walkers between one look at them and the next: sweeps `sweep` to sweep + count - 1, of one
   batch: sweep / 16 must not change.
   step      as convk_vmc_result has it; the caller tunes it
   anew      1: ln_psi is not set yet (the first call); 2: some are not numbers, because they are not known; else 0
   r         coordinates, x y z of walker after walker, packed
   ln_psi    of each walker
   result    of each measurement in these sweeps, of each walker; NULL: there is none
   drift     of each walker, set: the largest difference of ln Psi followed and anew
   accepted  moves of each walker, set
   Moves of single particles: one kernel for all sweeps up to a measurement; a block takes a walker.
   Errors: NULL, SIZE, PARTICLES, OVERFLOW, OPTION, NONFINITE, BOX, POTENTIAL, RANGE, WORK, DEVICE. */
CONVK_API_ int convk_cuda_vmc_sweeps(const convk_vmc *vmc, uint64_t sweep, size_t count, double step, int anew, CONVK_T *r,
                                     double *ln_psi, convk_pair_result *result, double *drift, uint32_t *accepted, void *work,
                                     size_t work_size, cudaStream_t stream);
#endif
