/* Bytes of work for orbitals_grid, orbitals_grid_vgl and density_grid there, and for what is smaller: see
   convk_orbitals_grid_work_size.  on: for its message, and may be NULL.  Errors: those of that query; then *bytes stays as it
   is. */
CONVK_API_ int convk_orbitals_grid_work_size_resident(CONVK_ON_ *on, const convk_gaussian_box *box,
                                                      const convk_orbital_set *set, size_t *bytes);

/* The same of orbitals_grid_k and density_grid_k there: see convk_orbitals_grid_k_work_size. */
CONVK_API_ int convk_orbitals_grid_k_work_size_resident(CONVK_ON_ *on, const convk_gaussian_box *box,
                                                        const convk_orbital_set *set, size_t *bytes);

/* The same of gridpot_grid there: see convk_gridpot_grid_work_size. */
CONVK_API_ int convk_gridpot_grid_work_size_resident(CONVK_ON_ *on, const convk_gaussian_box *box,
                                                     const convk_gaussians *gaussians, size_t *bytes);

/* convk_orbitals_grid on device memory: `value` and work are there.
   set    and all that it points to is on the host, coefficients and occupations too, and is not needed any more when the call
          returns: what the host makes of it goes to work as arguments of kernels, 3.5 KB at a time (CUDA), or by a small buffer
          (OpenCL)
   work   orbitals_grid_work_size bytes of the device, this call's alone until it is done; an offset of it is in bytes
   Four kernels, of steps other than along x, y and z one; host memory is allocated and freed again, nothing is waited for.
   Errors: as gridpot there, and those of convk_orbitals_grid.  Bits are those of the fused class; of such steps devices have
   their own, within the same bounds. */
CONVK_API_ int convk_orbitals_grid_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                            const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) value, size_t ld,
                                            CONVK_ARRAY_(void) work, size_t work_size);

/* convk_orbitals_grid_vgl on device memory: `out` is host memory, its arrays are there.  Everything else as orbitals_grid
   there. */
CONVK_API_ int convk_orbitals_grid_vgl_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                                const convk_gaussian_options *options, const CONVK_DEVICE_STRUCT_(vgl) * out,
                                                CONVK_ARRAY_(void) work, size_t work_size);

/* convk_density_grid on device memory: `out` is host memory, its arrays are there.  Everything else as orbitals_grid there. */
CONVK_API_ int convk_density_grid_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                           const convk_gaussian_options *options,
                                           const CONVK_DEVICE_STRUCT_(density_parts) * out, CONVK_ARRAY_(void) work,
                                           size_t work_size);

/* convk_orbitals_grid_k on device memory: `value` and work are there, bloch and its coefficients on the host.  Everything else
   as orbitals_grid there, with work of orbitals_grid_k_work_size. */
CONVK_API_ int convk_orbitals_grid_k_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                              const convk_bloch *bloch, const convk_gaussian_options *options,
                                              CONVK_ARRAY_(CONVK_T) value, size_t ld, CONVK_ARRAY_(void) work,
                                              size_t work_size);

/* convk_density_grid_k on device memory, as orbitals_grid_k there. */
CONVK_API_ int convk_density_grid_k_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                             const convk_bloch *bloch, const convk_gaussian_options *options,
                                             CONVK_ARRAY_(CONVK_T) density, int add, CONVK_ARRAY_(void) work, size_t work_size);

/* convk_gridpot_grid on device memory: sums and work are there; gaussians and its arrays on the host.  Everything else as
   orbitals_grid there, with work of gridpot_grid_work_size. */
CONVK_API_ int convk_gridpot_grid_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_gaussians *gaussians,
                                           const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) sums, size_t ld,
                                           CONVK_ARRAY_(void) work, size_t work_size);
