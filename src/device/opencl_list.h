/* FUNCTIONS AND STRUCTS
   Every one that is declared below, on a line of its own: made by make headers, for those who search.

   all families
     int convk_cl_open(convk_cl *cl, cl_context context, cl_device_id device);
     void convk_cl_close(convk_cl *cl);
     int convk_cl_build_log(const convk_cl *cl, char *text, size_t size, size_t *length);
     int convk_cl_programs_save(convk_cl *cl, void *data, size_t size, size_t *bytes);
     int convk_cl_programs_load(convk_cl *cl, const void *data, size_t size);
     int convk_cl_programs_share(convk_cl *cl, const convk_cl *from);
     convk_cl *convk_cl_of(convk *hw);
     struct convk_cl { cl_context context; cl_device_id device; size_t local_bytes, group_items, group_x, group_y; size_t compute_units; size_t stencil_steps; int fp64; int divides; int cpu; convk *hw; struct convk_cl_cache_ *cache; char message[256]; };
     struct convk_cl_queue { convk_cl *cl; cl_command_queue queue; cl_uint num_wait; const cl_event *wait_list; cl_event *event; };
     struct convk_cl_array { cl_mem mem; size_t offset; };
     struct convk_cl_mesh { size_t n; convk_cl_array ax, ay, az, x, y, z; convk_cl_array ux, uy, uz, wx, wy, wz; };
     struct convk_cl_q { size_t n; convk_cl_array x, y, z; convk_cl_array x_imag, y_imag, z_imag; };
     struct convk_cl_points { size_t n; convk_cl_array x, y, z; size_t stride; };
     struct convk_cl_vgl { convk_cl_array value, dx, dy, dz, laplacian; size_t ld; };
     struct convk_cl_density_parts { convk_cl_array density, dx, dy, dz, tau; };
     struct convk_cl_segments { size_t count; convk_cl_array ends, place; size_t points; };
     struct convk_cl_compressed_shape { convk_grid3 dense; convk_cl_segments coarse, fine; size_t vectors, compressed_stride, dense_stride; };
     struct convk_cl_batch2d { size_t items; size_t in_pitch, in_stride; size_t out_pitch, out_stride; convk_cl_array kernel; size_t items_per_kernel; };

   sepconv
     int convk_cl_sepconv3d_f32(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, const convk_filter_f32 filter[3], const convk_cl_sepconv_epilogue_f32 *epilogue, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_sepconv3d_f64(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, const convk_filter_f64 filter[3], const convk_cl_sepconv_epilogue_f64 *epilogue, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_magicfilter3d_f32(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, int direction, const convk_cl_sepconv_epilogue_f32 *epilogue, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_magicfilter3d_f64(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, int direction, const convk_cl_sepconv_epilogue_f64 *epilogue, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_potential_apply_f32(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, convk_cl_array potential, convk_cl_array psi, convk_cl_array out, convk_cl_array energy, convk_cl_array work, size_t work_size);
     int convk_cl_potential_apply_f64(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, convk_cl_array potential, convk_cl_array psi, convk_cl_array out, convk_cl_array energy, convk_cl_array work, size_t work_size);
     int convk_cl_conv1d_transpose_f32(const convk_cl_queue *on, const convk_conv1d_shape *shape, const convk_filter_f32 *filter, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_conv1d_transpose_f64(const convk_cl_queue *on, const convk_conv1d_shape *shape, const convk_filter_f64 *filter, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_sepconv3d_work_size_f32(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, const convk_filter_f32 filter[3], const convk_cl_sepconv_epilogue_f32 *epilogue, size_t *bytes);
     int convk_cl_sepconv3d_work_size_f64(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, const convk_filter_f64 filter[3], const convk_cl_sepconv_epilogue_f64 *epilogue, size_t *bytes);
     int convk_cl_magicfilter3d_work_size_f32(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, int direction, const convk_cl_sepconv_epilogue_f32 *epilogue, size_t *bytes);
     int convk_cl_magicfilter3d_work_size_f64(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, int direction, const convk_cl_sepconv_epilogue_f64 *epilogue, size_t *bytes);
     int convk_cl_potential_apply_work_size_f32(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, size_t *bytes);
     int convk_cl_potential_apply_work_size_f64(const convk_cl_queue *on, const convk_sepconv3d_shape *shape, size_t *bytes);
     int convk_cl_conv1d_transpose_work_size_f32(const convk_cl_queue *on, const convk_conv1d_shape *shape, const convk_filter_f32 *filter, size_t *bytes);
     int convk_cl_conv1d_transpose_work_size_f64(const convk_cl_queue *on, const convk_conv1d_shape *shape, const convk_filter_f64 *filter, size_t *bytes);
     int convk_cl_dwt3d_f32(const convk_cl_queue *on, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, convk_cl_array fine, convk_cl_array coarse, convk_cl_array work, size_t work_size);
     int convk_cl_dwt3d_f64(const convk_cl_queue *on, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, convk_cl_array fine, convk_cl_array coarse, convk_cl_array work, size_t work_size);
     int convk_cl_idwt3d_f32(const convk_cl_queue *on, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, convk_cl_array coarse, convk_cl_array fine, convk_cl_array work, size_t work_size);
     int convk_cl_idwt3d_f64(const convk_cl_queue *on, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, convk_cl_array coarse, convk_cl_array fine, convk_cl_array work, size_t work_size);
     int convk_cl_s1_to_r_f32(const convk_cl_queue *on, const convk_dwt3d_shape *shape, convk_cl_array coarse, convk_cl_array values, convk_cl_array work, size_t work_size);
     int convk_cl_s1_to_r_f64(const convk_cl_queue *on, const convk_dwt3d_shape *shape, convk_cl_array coarse, convk_cl_array values, convk_cl_array work, size_t work_size);
     int convk_cl_r_to_s1_f32(const convk_cl_queue *on, const convk_dwt3d_shape *shape, convk_cl_array values, convk_cl_array coarse, convk_cl_array work, size_t work_size);
     int convk_cl_r_to_s1_f64(const convk_cl_queue *on, const convk_dwt3d_shape *shape, convk_cl_array values, convk_cl_array coarse, convk_cl_array work, size_t work_size);
     int convk_cl_dwt3d_work_size_f32(const convk_cl_queue *on, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, size_t *bytes);
     int convk_cl_dwt3d_work_size_f64(const convk_cl_queue *on, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, size_t *bytes);
     int convk_cl_idwt3d_work_size_f32(const convk_cl_queue *on, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, size_t *bytes);
     int convk_cl_idwt3d_work_size_f64(const convk_cl_queue *on, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, size_t *bytes);
     int convk_cl_s1_to_r_work_size_f32(const convk_cl_queue *on, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_cl_s1_to_r_work_size_f64(const convk_cl_queue *on, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_cl_r_to_s1_work_size_f32(const convk_cl_queue *on, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_cl_r_to_s1_work_size_f64(const convk_cl_queue *on, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_cl_sumconv3d_f32(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f32 *terms, convk_cl_array in, convk_cl_array out, convk_cl_array sums, convk_cl_array work, size_t work_size);
     int convk_cl_sumconv3d_c32(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f32 *terms, convk_cl_array in, convk_cl_array out, convk_cl_array sums, convk_cl_array work, size_t work_size);
     int convk_cl_sumconv3d_f64(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f64 *terms, convk_cl_array in, convk_cl_array out, convk_cl_array sums, convk_cl_array work, size_t work_size);
     int convk_cl_sumconv3d_c64(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f64 *terms, convk_cl_array in, convk_cl_array out, convk_cl_array sums, convk_cl_array work, size_t work_size);
     int convk_cl_sumconv3d_work_size_f32(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f32 *terms, size_t *bytes);
     int convk_cl_sumconv3d_work_size_c32(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f32 *terms, size_t *bytes);
     int convk_cl_sumconv3d_work_size_f64(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f64 *terms, size_t *bytes);
     int convk_cl_sumconv3d_work_size_c64(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f64 *terms, size_t *bytes);
     int convk_cl_chebyshev3d_f32(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f32 *terms, const convk_chebyshev *filter, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_chebyshev3d_c32(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f32 *terms, const convk_chebyshev *filter, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_chebyshev3d_f64(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f64 *terms, const convk_chebyshev *filter, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_chebyshev3d_c64(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f64 *terms, const convk_chebyshev *filter, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_chebyshev3d_work_size_f32(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f32 *terms, const convk_chebyshev *filter, size_t *bytes);
     int convk_cl_chebyshev3d_work_size_c32(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f32 *terms, const convk_chebyshev *filter, size_t *bytes);
     int convk_cl_chebyshev3d_work_size_f64(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f64 *terms, const convk_chebyshev *filter, size_t *bytes);
     int convk_cl_chebyshev3d_work_size_c64(const convk_cl_queue *on, const convk_sumconv3d_shape *shape, const convk_cl_sumconv_terms_f64 *terms, const convk_chebyshev *filter, size_t *bytes);
     int convk_cl_hamiltonian_apply_f32(const convk_cl_queue *on, const convk_hamiltonian_shape *shape, const convk_cl_hamiltonian_terms_f32 *terms, convk_cl_array in, convk_cl_array out, convk_cl_array energies, convk_cl_array work, size_t work_size);
     int convk_cl_hamiltonian_apply_c32(const convk_cl_queue *on, const convk_hamiltonian_shape *shape, const convk_cl_hamiltonian_terms_f32 *terms, convk_cl_array in, convk_cl_array out, convk_cl_array energies, convk_cl_array work, size_t work_size);
     int convk_cl_hamiltonian_apply_f64(const convk_cl_queue *on, const convk_hamiltonian_shape *shape, const convk_cl_hamiltonian_terms_f64 *terms, convk_cl_array in, convk_cl_array out, convk_cl_array energies, convk_cl_array work, size_t work_size);
     int convk_cl_hamiltonian_apply_c64(const convk_cl_queue *on, const convk_hamiltonian_shape *shape, const convk_cl_hamiltonian_terms_f64 *terms, convk_cl_array in, convk_cl_array out, convk_cl_array energies, convk_cl_array work, size_t work_size);
     int convk_cl_hamiltonian_apply_work_size_f32(const convk_cl_queue *on, const convk_hamiltonian_shape *shape, size_t *bytes);
     int convk_cl_hamiltonian_apply_work_size_c32(const convk_cl_queue *on, const convk_hamiltonian_shape *shape, size_t *bytes);
     int convk_cl_hamiltonian_apply_work_size_f64(const convk_cl_queue *on, const convk_hamiltonian_shape *shape, size_t *bytes);
     int convk_cl_hamiltonian_apply_work_size_c64(const convk_cl_queue *on, const convk_hamiltonian_shape *shape, size_t *bytes);
     struct convk_cl_sepconv_epilogue_f32 { convk_cl_array potential, density; float density_factor; convk_cl_array dot, energy; int update; float a, b; };
     struct convk_cl_sepconv_epilogue_f64 { convk_cl_array potential, density; double density_factor; convk_cl_array dot, energy; int update; double a, b; };

   stencil
     int convk_cl_stencil7_f32(const convk_cl_queue *on, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f32 *coefficients, size_t steps, convk_cl_array a, convk_cl_array b, convk_cl_array *result, convk_cl_array work, size_t work_size);
     int convk_cl_stencil7_f64(const convk_cl_queue *on, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f64 *coefficients, size_t steps, convk_cl_array a, convk_cl_array b, convk_cl_array *result, convk_cl_array work, size_t work_size);
     int convk_cl_stencil7_box_f32(const convk_cl_queue *on, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f32 *coefficients, const convk_box3 *box, convk_cl_array a, convk_cl_array b, convk_cl_array work, size_t work_size);
     int convk_cl_stencil7_box_f64(const convk_cl_queue *on, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f64 *coefficients, const convk_box3 *box, convk_cl_array a, convk_cl_array b, convk_cl_array work, size_t work_size);
     int convk_cl_stencil7_work_size_f32(const convk_cl_queue *on, const convk_stencil7_shape *shape, size_t steps, size_t *bytes);
     int convk_cl_stencil7_work_size_f64(const convk_cl_queue *on, const convk_stencil7_shape *shape, size_t steps, size_t *bytes);
     int convk_cl_box_copy_f32(const convk_cl_queue *on, const size_t count[3], const convk_grid3 *in_grid, const size_t in_first[3], convk_cl_array in, const convk_grid3 *out_grid, const size_t out_first[3], convk_cl_array out);
     int convk_cl_box_copy_f64(const convk_cl_queue *on, const size_t count[3], const convk_grid3 *in_grid, const size_t in_first[3], convk_cl_array in, const convk_grid3 *out_grid, const size_t out_first[3], convk_cl_array out);

   vmath
     int convk_cl_exp_f32(const convk_cl_queue *on, size_t n, convk_cl_array x, convk_cl_array y);
     int convk_cl_exp_f64(const convk_cl_queue *on, size_t n, convk_cl_array x, convk_cl_array y);
     int convk_cl_expm1_f32(const convk_cl_queue *on, size_t n, convk_cl_array x, convk_cl_array y);
     int convk_cl_expm1_f64(const convk_cl_queue *on, size_t n, convk_cl_array x, convk_cl_array y);
     int convk_cl_log_f32(const convk_cl_queue *on, size_t n, convk_cl_array x, convk_cl_array y);
     int convk_cl_log_f64(const convk_cl_queue *on, size_t n, convk_cl_array x, convk_cl_array y);
     int convk_cl_sincos_f32(const convk_cl_queue *on, size_t n, convk_cl_array x, convk_cl_array s, convk_cl_array c);
     int convk_cl_sincos_f64(const convk_cl_queue *on, size_t n, convk_cl_array x, convk_cl_array s, convk_cl_array c);

   gaussian
     int convk_cl_gridpot_f32(const convk_cl_queue *on, const convk_cl_points *points, const convk_gaussians_f32 *gaussians, const convk_gaussian_options *options, convk_cl_array g, size_t ld);
     int convk_cl_gridpot_f64(const convk_cl_queue *on, const convk_cl_points *points, const convk_gaussians_f64 *gaussians, const convk_gaussian_options *options, convk_cl_array g, size_t ld);
     int convk_cl_gridpot_sum_f32(const convk_cl_queue *on, const convk_cl_points *points, const convk_gaussians_f32 *gaussians, const convk_gaussian_options *options, convk_cl_array sums, size_t ld);
     int convk_cl_gridpot_sum_f64(const convk_cl_queue *on, const convk_cl_points *points, const convk_gaussians_f64 *gaussians, const convk_gaussian_options *options, convk_cl_array sums, size_t ld);
     int convk_cl_orbitals_f32(const convk_cl_queue *on, const convk_cl_points *points, const convk_orbitals_plan_f32 *plan, convk_cl_array device_plan, const convk_gaussian_options *options, convk_cl_array value, size_t ld);
     int convk_cl_orbitals_f64(const convk_cl_queue *on, const convk_cl_points *points, const convk_orbitals_plan_f64 *plan, convk_cl_array device_plan, const convk_gaussian_options *options, convk_cl_array value, size_t ld);
     int convk_cl_orbitals_vgl_f32(const convk_cl_queue *on, const convk_cl_points *points, const convk_orbitals_plan_f32 *plan, convk_cl_array device_plan, const convk_gaussian_options *options, const convk_cl_vgl *out);
     int convk_cl_orbitals_vgl_f64(const convk_cl_queue *on, const convk_cl_points *points, const convk_orbitals_plan_f64 *plan, convk_cl_array device_plan, const convk_gaussian_options *options, const convk_cl_vgl *out);
     int convk_cl_density_f32(const convk_cl_queue *on, const convk_cl_points *points, const convk_orbitals_plan_f32 *plan, convk_cl_array device_plan, const convk_gaussian_options *options, convk_cl_array density);
     int convk_cl_density_f64(const convk_cl_queue *on, const convk_cl_points *points, const convk_orbitals_plan_f64 *plan, convk_cl_array device_plan, const convk_gaussian_options *options, convk_cl_array density);
     int convk_cl_orbitals_grid_work_size_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, size_t *bytes);
     int convk_cl_orbitals_grid_work_size_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, size_t *bytes);
     int convk_cl_orbitals_grid_k_work_size_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, size_t *bytes);
     int convk_cl_orbitals_grid_k_work_size_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, size_t *bytes);
     int convk_cl_gridpot_grid_work_size_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_gaussians_f32 *gaussians, size_t *bytes);
     int convk_cl_gridpot_grid_work_size_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_gaussians_f64 *gaussians, size_t *bytes);
     int convk_cl_orbitals_grid_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, convk_cl_array value, size_t ld, convk_cl_array work, size_t work_size);
     int convk_cl_orbitals_grid_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, convk_cl_array value, size_t ld, convk_cl_array work, size_t work_size);
     int convk_cl_orbitals_grid_vgl_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, const convk_cl_vgl *out, convk_cl_array work, size_t work_size);
     int convk_cl_orbitals_grid_vgl_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, const convk_cl_vgl *out, convk_cl_array work, size_t work_size);
     int convk_cl_density_grid_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, const convk_cl_density_parts *out, convk_cl_array work, size_t work_size);
     int convk_cl_density_grid_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, const convk_cl_density_parts *out, convk_cl_array work, size_t work_size);
     int convk_cl_orbitals_grid_k_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_bloch_f32 *bloch, const convk_gaussian_options *options, convk_cl_array value, size_t ld, convk_cl_array work, size_t work_size);
     int convk_cl_orbitals_grid_k_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_bloch_f64 *bloch, const convk_gaussian_options *options, convk_cl_array value, size_t ld, convk_cl_array work, size_t work_size);
     int convk_cl_density_grid_k_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_bloch_f32 *bloch, const convk_gaussian_options *options, convk_cl_array density, int add, convk_cl_array work, size_t work_size);
     int convk_cl_density_grid_k_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_bloch_f64 *bloch, const convk_gaussian_options *options, convk_cl_array density, int add, convk_cl_array work, size_t work_size);
     int convk_cl_gridpot_grid_f32(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_gaussians_f32 *gaussians, const convk_gaussian_options *options, convk_cl_array sums, size_t ld, convk_cl_array work, size_t work_size);
     int convk_cl_gridpot_grid_f64(const convk_cl_queue *on, const convk_gaussian_box *box, const convk_gaussians_f64 *gaussians, const convk_gaussian_options *options, convk_cl_array sums, size_t ld, convk_cl_array work, size_t work_size);

   formfactor
     int convk_cl_formfactor_work_size_f32(const convk_cl_queue *on, const convk_cl_mesh *mesh, const convk_cl_q *q, size_t *bytes);
     int convk_cl_formfactor_work_size_f64(const convk_cl_queue *on, const convk_cl_mesh *mesh, const convk_cl_q *q, size_t *bytes);
     int convk_cl_formfactor_f32(const convk_cl_queue *on, const convk_cl_mesh *mesh, const convk_mesh_measures *measures, const convk_cl_q *q, const convk_formfactor_options *options, convk_cl_array f, convk_cl_array work, size_t work_size);
     int convk_cl_formfactor_f64(const convk_cl_queue *on, const convk_cl_mesh *mesh, const convk_mesh_measures *measures, const convk_cl_q *q, const convk_formfactor_options *options, convk_cl_array f, convk_cl_array work, size_t work_size);
     int convk_cl_formfactor_grid_work_size_f32(const convk_cl_queue *on, const convk_cl_mesh *mesh, const convk_grid3 *grid, const convk_cl_q *q, size_t *bytes);
     int convk_cl_formfactor_grid_work_size_f64(const convk_cl_queue *on, const convk_cl_mesh *mesh, const convk_grid3 *grid, const convk_cl_q *q, size_t *bytes);
     int convk_cl_formfactor_grid_f32(const convk_cl_queue *on, const convk_cl_mesh *mesh, const convk_mesh_measures *measures, const convk_grid3 *grid, const convk_cl_q *q, const convk_formfactor_options *options, convk_cl_array f, convk_cl_array work, size_t work_size);
     int convk_cl_formfactor_grid_f64(const convk_cl_queue *on, const convk_cl_mesh *mesh, const convk_mesh_measures *measures, const convk_grid3 *grid, const convk_cl_q *q, const convk_formfactor_options *options, convk_cl_array f, convk_cl_array work, size_t work_size);

   fft
     int convk_cl_fftconv2d_f32(const convk_cl_queue *on, const convk_fftconv2d_plan_f32 *plan, convk_cl_array device_plan, const convk_cl_batch2d *batch, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_fftconv2d_c32(const convk_cl_queue *on, const convk_fftconv2d_plan_c32 *plan, convk_cl_array device_plan, const convk_cl_batch2d *batch, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_fftconv2d_f64(const convk_cl_queue *on, const convk_fftconv2d_plan_f64 *plan, convk_cl_array device_plan, const convk_cl_batch2d *batch, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_fftconv2d_c64(const convk_cl_queue *on, const convk_fftconv2d_plan_c64 *plan, convk_cl_array device_plan, const convk_cl_batch2d *batch, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_fftconv2d_work_size_f32(const convk_cl_queue *on, const convk_fftconv2d_plan_f32 *plan, size_t items, size_t *bytes);
     int convk_cl_fftconv2d_work_size_c32(const convk_cl_queue *on, const convk_fftconv2d_plan_c32 *plan, size_t items, size_t *bytes);
     int convk_cl_fftconv2d_work_size_f64(const convk_cl_queue *on, const convk_fftconv2d_plan_f64 *plan, size_t items, size_t *bytes);
     int convk_cl_fftconv2d_work_size_c64(const convk_cl_queue *on, const convk_fftconv2d_plan_c64 *plan, size_t items, size_t *bytes);
     int convk_cl_fft2d_c32(const convk_cl_queue *on, const convk_fft2d_plan_c32 *plan, convk_cl_array device_plan, int direction, const convk_cl_batch2d *batch, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_fft2d_c64(const convk_cl_queue *on, const convk_fft2d_plan_c64 *plan, convk_cl_array device_plan, int direction, const convk_cl_batch2d *batch, convk_cl_array in, convk_cl_array out, convk_cl_array work, size_t work_size);
     int convk_cl_fft2d_work_size_c32(const convk_cl_queue *on, const convk_fft2d_plan_c32 *plan, size_t items, size_t *bytes);
     int convk_cl_fft2d_work_size_c64(const convk_cl_queue *on, const convk_fft2d_plan_c64 *plan, size_t items, size_t *bytes);

   pairs, CONVK_WITH_VMC
     int convk_cl_pair_potential_f32(const convk_cl_queue *on, const convk_pair_potential *potential, size_t n, convk_cl_array r, convk_cl_array v);
     int convk_cl_pair_potential_f64(const convk_cl_queue *on, const convk_pair_potential *potential, size_t n, convk_cl_array r, convk_cl_array v);
     int convk_cl_pair_energy_work_size_f32(const convk_cl_queue *on, size_t particles, size_t walkers, size_t *bytes);
     int convk_cl_pair_energy_work_size_f64(const convk_cl_queue *on, size_t particles, size_t walkers, size_t *bytes);
     int convk_cl_pair_energy_f32(const convk_cl_queue *on, const convk_pair_system *system, const convk_pair_walkers *walkers, int want, convk_cl_array r, convk_cl_array result, convk_cl_array gradient, convk_cl_array work, size_t work_size);
     int convk_cl_pair_energy_f64(const convk_cl_queue *on, const convk_pair_system *system, const convk_pair_walkers *walkers, int want, convk_cl_array r, convk_cl_array result, convk_cl_array gradient, convk_cl_array work, size_t work_size);
     int convk_cl_pair_move_f32(const convk_cl_queue *on, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, convk_cl_array r, convk_cl_array to, convk_cl_array result);
     int convk_cl_pair_move_f64(const convk_cl_queue *on, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, convk_cl_array r, convk_cl_array to, convk_cl_array result);
     int convk_cl_pair_accept_f32(const convk_cl_queue *on, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, convk_cl_array to, convk_cl_array accept, convk_cl_array r, convk_cl_array gradient);
     int convk_cl_pair_accept_f64(const convk_cl_queue *on, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, convk_cl_array to, convk_cl_array accept, convk_cl_array r, convk_cl_array gradient);
     int convk_cl_vmc_sweeps_work_size_f32(const convk_cl_queue *on, const convk_vmc *vmc, size_t *bytes);
     int convk_cl_vmc_sweeps_work_size_f64(const convk_cl_queue *on, const convk_vmc *vmc, size_t *bytes);
     int convk_cl_vmc_sweeps_f32(const convk_cl_queue *on, const convk_vmc *vmc, const convk_vmc_sweeps *sweeps, const convk_cl_vmc_walkers_f32 *walkers, convk_cl_array work, size_t work_size);
     int convk_cl_vmc_sweeps_f64(const convk_cl_queue *on, const convk_vmc *vmc, const convk_vmc_sweeps *sweeps, const convk_cl_vmc_walkers_f64 *walkers, convk_cl_array work, size_t work_size);
     struct convk_cl_vmc_walkers_f32 { convk_cl_array r; convk_cl_array ln_psi; convk_cl_array result; convk_cl_array drift; convk_cl_array accepted; };
     struct convk_cl_vmc_walkers_f64 { convk_cl_array r; convk_cl_array ln_psi; convk_cl_array result; convk_cl_array drift; convk_cl_array accepted; };
*/
