#if CONVK_HAS_VMC_
/* convk_pair_potential on buffers; in place where r and v are the same.  The potential is on the host, a table's values too.
   Errors, before anything is enqueued: those of convk_pair_potential, and SIZE (a buffer is too small), FP64 (both precisions
   need doubles), BUILD, DEVICE. */
CONVK_API_ int convk_cl_pair_potential(convk_cl *cl, cl_command_queue queue, const convk_pair_potential *potential, size_t n,
                                       cl_mem r, size_t r_offset, cl_mem v, size_t v_offset, cl_uint num_wait,
                                       const cl_event *wait_list, cl_event *event);

/* Bytes of work for a device-resident pair_energy; 0 when sizes overflow. */
CONVK_API_ size_t convk_cl_pair_energy_work_size(const convk_cl *cl, size_t particles, size_t walkers);

/* convk_pair_energy on buffers of cl's context.
   system     on the host, the values of a table too
   walkers    how many, and where coordinates lie: in r from r_offset on, in elements; gradient (NULL: none) in the same way
   result     convk_pair_result of each walker, from number result_offset on
   work       a buffer of cl_pair_energy_work_size bytes, this call's alone until its event
   num_wait, wait_list, event   as in OpenCL; the queue may be out of order
   Never waits for the device; the first call of a kind (want, potential, box, cutoff) builds two or three programs on the host.
   Whether coordinates are finite and within range is not checked here.
   Accuracy: as convk_pair_energy; every pair is computed from both sides, and sums are in an order that depends on the
   device and the sizes, but not on anything else.
   Errors, before anything is enqueued: those of convk_pair_energy for parameters, and SIZE (a buffer is too small), WORK,
   OVERLAP, FP64 (both precisions need doubles), HANDLE, MEMORY, BUILD, DEVICE; UNSUPPORTED: too little local memory, or kernels
   whose groups cannot have so many items (cl->message says how many can). */
CONVK_API_ int convk_cl_pair_energy(convk_cl *cl, cl_command_queue queue, const convk_pair_system *system,
                                    const convk_pair_walkers *walkers, int want, cl_mem r, size_t r_offset, cl_mem result,
                                    size_t result_offset, cl_mem gradient, size_t gradient_offset, cl_mem work,
                                    cl_uint num_wait, const cl_event *wait_list, cl_event *event);

/* convk_pair_move on buffers: to, x y z of walker after walker, and result, convk_pair_move_result of each walker.  Everything
   else as cl_pair_energy, without work.  INDEX: no such particle. */
CONVK_API_ int convk_cl_pair_move(convk_cl *cl, cl_command_queue queue, const convk_pair_system *system,
                                  const convk_pair_walkers *walkers, size_t particle, cl_mem r, size_t r_offset, cl_mem to,
                                  size_t to_offset, cl_mem result, size_t result_offset, cl_uint num_wait,
                                  const cl_event *wait_list, cl_event *event);

/* convk_pair_accept on buffers; accept: NULL, or bytes from accept_offset on.  Everything else as cl_pair_move. */
CONVK_API_ int convk_cl_pair_accept(convk_cl *cl, cl_command_queue queue, const convk_pair_system *system,
                                    const convk_pair_walkers *walkers, size_t particle, cl_mem to, size_t to_offset,
                                    cl_mem accept, size_t accept_offset, cl_mem r, size_t r_offset, cl_mem gradient,
                                    size_t gradient_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event);

/* Bytes of work for cl_vmc_sweeps; 0 for what it refuses. */
CONVK_API_ size_t convk_cl_vmc_sweeps_work_size(const convk_cl *cl, const convk_vmc *vmc);

/* Sweeps of a run that stays on the device: what convk_vmc_run does between one look at the results and the next, on buffers of
   cl's context.  A run whose sweeps follow each other, whatever the calls, with the same steps, has the bits of convk_vmc_run
   on the same device.
   vmc        on the host; its step, acceptance and equilibration only say when measurements are taken
   sweep, count   the first sweep's number, and how many: random numbers belong to it, and every 16th begins with ln Psi anew
   step       of the moves (in a run that tunes it, of one choice)
   anew       1: ln_psi is not set yet (the first call)
   r          coordinates of walkers x 3 x particles from r_offset on, in elements: changed
   ln_psi     a double for each walker: followed
   result     convk_pair_result of all walkers, measurement after measurement; NULL where none is taken in these sweeps
   drift      a double for each walker: the largest |ln Psi followed less ln Psi anew| in these sweeps
   accepted   a cl_uint for each walker: moves that these sweeps accepted (sweeps, with CONVK_VMC_MOVE_ALL)
   Offsets in elements, of results for `result`.  work: cl_vmc_sweeps_work_size bytes.  Everything else as cl_pair_energy. */
CONVK_API_ int convk_cl_vmc_sweeps(convk_cl *cl, cl_command_queue queue, const convk_vmc *vmc, uint64_t sweep, size_t count,
                                   double step, int anew, cl_mem r, size_t r_offset, cl_mem ln_psi, size_t ln_psi_offset,
                                   cl_mem result, size_t result_offset, cl_mem drift, size_t drift_offset, cl_mem accepted,
                                   size_t accepted_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list,
                                   cl_event *event);
#endif
