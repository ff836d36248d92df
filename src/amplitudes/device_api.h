/* Bytes of device memory for amplitudes there, which are enough for fewer atoms, kinds and q, too: of atoms and q only n is
   looked at, and whether z_imag is there.  4 for each atom, some 50 for each q, and up to 64 MB of sums.  `on` may be NULL.
   Errors: NULL, SIZE, OVERFLOW, HANDLE. */
CONVK_API_ int convk_amplitudes_work_size_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms,
                                                   const CONVK_DEVICE_STRUCT_(q) * q, const convk_amplitude_options *options,
                                                   size_t *bytes);

/* convk_amplitudes on device memory: the same bits.
   atoms, q   structs on the host, arrays there
   options    on the host, with scatterers and cell
   work       amplitudes_work_size bytes, this call's alone until it is done; with OpenCL the offset is in bytes
   Nothing is allocated, copied or waited for; with OpenCL a first call builds two programs.  Coordinates, weights, kinds and q
   are not checked: a kind that is not there counts as the last one, and exp(-Im q_z z) may overflow.
   Errors, before anything is started: as convk_amplitudes for what is on the host; DEVICE; with OpenCL also SIZE (a buffer is
   too small), FP64 (both precisions need doubles), HANDLE, MEMORY, BUILD. */
CONVK_API_ int convk_amplitudes_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms, const CONVK_DEVICE_STRUCT_(q) * q,
                                         const convk_amplitude_options *options, CONVK_ARRAY_(CONVK_T) f,
                                         CONVK_ARRAY_(void) work, size_t work_size);

/* The same for amplitudes_grid: for each q some 60 bytes, and up to 64 MB of phases.  Errors also: PITCH. */
CONVK_API_ int convk_amplitudes_grid_work_size_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms,
                                                        const convk_grid3 *grid, const convk_amplitude_options *options,
                                                        size_t *bytes);

/* convk_amplitudes_grid on device memory, as amplitudes there: the same bits.  The device finds the axes that have -q for every
   q.  Errors also: PITCH. */
CONVK_API_ int convk_amplitudes_grid_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms, const convk_grid3 *grid,
                                              const CONVK_DEVICE_STRUCT_(q) * q, const convk_amplitude_options *options,
                                              CONVK_ARRAY_(CONVK_T) f, CONVK_ARRAY_(void) work, size_t work_size);
