/* convk_hamiltonian_apply on device memory: in, out, terms->potential and `energies` (a convk_hamiltonian_energies for each
   vector) are there, all else is on the host and free again on return.  Nothing is allocated, copied or waited for; with OpenCL
   what is new builds programs first, and taps that are new go to the device.
   terms  as there, but with OpenCL a struct of its own
   work   of hamiltonian_apply_work_size bytes there (with OpenCL its offset is in bytes), this call's alone until it is done
   Errors, before anything is started: as convk_hamiltonian_apply, and work may not be NULL; DEVICE; with OpenCL also SIZE (a
   buffer is too small), FP64 (f64, energies), HANDLE, MEMORY, BUILD (see convk_cl_build_log), UNSUPPORTED: too little local
   memory.  After DEVICE, MEMORY or BUILD some kernels may be on their way, and no event is set.
   In place: yes, out may be in.  Nine kernels for each vector, without a potential five, of complex numbers 21 and 13; energies
   take some more. */
CONVK_API_ int convk_hamiltonian_apply_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape,
                                                const CONVK_DEVICE_STRUCT_(hamiltonian_terms) * terms,
                                                CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                                CONVK_ARRAY_(convk_hamiltonian_energies) energies, CONVK_ARRAY_(void) work,
                                                size_t work_size);

/* The same for complex numbers, each of which is one element. */
CONVK_API_ int convk_hamiltonian_apply_complex_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape,
                                                        const CONVK_DEVICE_STRUCT_(hamiltonian_terms) * terms,
                                                        CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                                        CONVK_ARRAY_(convk_hamiltonian_energies) energies,
                                                        CONVK_ARRAY_(void) work, size_t work_size);

/* Bytes of work, which are enough for every smaller grid and any number of vectors, with energies and without: four arrays of
   an orbital, of complex numbers as well; `on` may be NULL.  Status as for processors. */
CONVK_API_ int convk_hamiltonian_apply_work_size_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape, size_t *bytes);
CONVK_API_ int convk_hamiltonian_apply_work_size_complex_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape,
                                                                  size_t *bytes);
