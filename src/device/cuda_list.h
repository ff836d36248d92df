/* FUNCTIONS AND STRUCTS
   Every one that is declared below, on a line of its own: made by make headers, for those who search.

   all families
     struct convk_cuda_stream { cudaStream_t stream; convk_cuda_stencil_tuning stencil; convk *hw; char message[256]; };

   sepconv
     int convk_cuda_sepconv3d_f32(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, const convk_filter_f32 filter[3], const convk_sepconv_epilogue_f32 *epilogue, const float *in, float *out, void *work, size_t work_size);
     int convk_cuda_sepconv3d_f64(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, const convk_filter_f64 filter[3], const convk_sepconv_epilogue_f64 *epilogue, const double *in, double *out, void *work, size_t work_size);
     int convk_cuda_magicfilter3d_f32(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, int direction, const convk_sepconv_epilogue_f32 *epilogue, const float *in, float *out, void *work, size_t work_size);
     int convk_cuda_magicfilter3d_f64(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, int direction, const convk_sepconv_epilogue_f64 *epilogue, const double *in, double *out, void *work, size_t work_size);
     int convk_cuda_potential_apply_f32(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, const float *potential, const float *psi, float *out, double *energy, void *work, size_t work_size);
     int convk_cuda_potential_apply_f64(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, const double *potential, const double *psi, double *out, double *energy, void *work, size_t work_size);
     int convk_cuda_conv1d_transpose_f32(convk_cuda_stream *on, const convk_conv1d_shape *shape, const convk_filter_f32 *filter, const float *in, float *out, void *work, size_t work_size);
     int convk_cuda_conv1d_transpose_f64(convk_cuda_stream *on, const convk_conv1d_shape *shape, const convk_filter_f64 *filter, const double *in, double *out, void *work, size_t work_size);
     int convk_cuda_sepconv3d_work_size_f32(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, const convk_filter_f32 filter[3], const convk_sepconv_epilogue_f32 *epilogue, size_t *bytes);
     int convk_cuda_sepconv3d_work_size_f64(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, const convk_filter_f64 filter[3], const convk_sepconv_epilogue_f64 *epilogue, size_t *bytes);
     int convk_cuda_magicfilter3d_work_size_f32(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, int direction, const convk_sepconv_epilogue_f32 *epilogue, size_t *bytes);
     int convk_cuda_magicfilter3d_work_size_f64(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, int direction, const convk_sepconv_epilogue_f64 *epilogue, size_t *bytes);
     int convk_cuda_potential_apply_work_size_f32(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, size_t *bytes);
     int convk_cuda_potential_apply_work_size_f64(convk_cuda_stream *on, const convk_sepconv3d_shape *shape, size_t *bytes);
     int convk_cuda_conv1d_transpose_work_size_f32(convk_cuda_stream *on, const convk_conv1d_shape *shape, const convk_filter_f32 *filter, size_t *bytes);
     int convk_cuda_conv1d_transpose_work_size_f64(convk_cuda_stream *on, const convk_conv1d_shape *shape, const convk_filter_f64 *filter, size_t *bytes);
     int convk_cuda_dwt3d_f32(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, const float *fine, float *coarse, void *work, size_t work_size);
     int convk_cuda_dwt3d_f64(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, const double *fine, double *coarse, void *work, size_t work_size);
     int convk_cuda_idwt3d_f32(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, const float *coarse, float *fine, void *work, size_t work_size);
     int convk_cuda_idwt3d_f64(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, const double *coarse, double *fine, void *work, size_t work_size);
     int convk_cuda_s1_to_r_f32(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const float *coarse, float *values, void *work, size_t work_size);
     int convk_cuda_s1_to_r_f64(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const double *coarse, double *values, void *work, size_t work_size);
     int convk_cuda_r_to_s1_f32(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const float *values, float *coarse, void *work, size_t work_size);
     int convk_cuda_r_to_s1_f64(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const double *values, double *coarse, void *work, size_t work_size);
     int convk_cuda_dwt3d_work_size_f32(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, size_t *bytes);
     int convk_cuda_dwt3d_work_size_f64(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, size_t *bytes);
     int convk_cuda_idwt3d_work_size_f32(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, size_t *bytes);
     int convk_cuda_idwt3d_work_size_f64(convk_cuda_stream *on, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, size_t *bytes);
     int convk_cuda_s1_to_r_work_size_f32(convk_cuda_stream *on, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_cuda_s1_to_r_work_size_f64(convk_cuda_stream *on, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_cuda_r_to_s1_work_size_f32(convk_cuda_stream *on, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_cuda_r_to_s1_work_size_f64(convk_cuda_stream *on, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_cuda_sumconv3d_f32(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, const float *in, float *out, convk_sumconv_sums *sums, void *work, size_t work_size);
     int convk_cuda_sumconv3d_c32(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, const float *in, float *out, convk_sumconv_sums *sums, void *work, size_t work_size);
     int convk_cuda_sumconv3d_f64(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, const double *in, double *out, convk_sumconv_sums *sums, void *work, size_t work_size);
     int convk_cuda_sumconv3d_c64(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, const double *in, double *out, convk_sumconv_sums *sums, void *work, size_t work_size);
     int convk_cuda_sumconv3d_work_size_f32(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, size_t *bytes);
     int convk_cuda_sumconv3d_work_size_c32(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, size_t *bytes);
     int convk_cuda_sumconv3d_work_size_f64(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, size_t *bytes);
     int convk_cuda_sumconv3d_work_size_c64(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, size_t *bytes);
     int convk_cuda_chebyshev3d_f32(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, const convk_chebyshev *filter, const float *in, float *out, void *work, size_t work_size);
     int convk_cuda_chebyshev3d_c32(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, const convk_chebyshev *filter, const float *in, float *out, void *work, size_t work_size);
     int convk_cuda_chebyshev3d_f64(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, const convk_chebyshev *filter, const double *in, double *out, void *work, size_t work_size);
     int convk_cuda_chebyshev3d_c64(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, const convk_chebyshev *filter, const double *in, double *out, void *work, size_t work_size);
     int convk_cuda_chebyshev3d_work_size_f32(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, const convk_chebyshev *filter, size_t *bytes);
     int convk_cuda_chebyshev3d_work_size_c32(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, const convk_chebyshev *filter, size_t *bytes);
     int convk_cuda_chebyshev3d_work_size_f64(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, const convk_chebyshev *filter, size_t *bytes);
     int convk_cuda_chebyshev3d_work_size_c64(convk_cuda_stream *on, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, const convk_chebyshev *filter, size_t *bytes);
     int convk_cuda_hamiltonian_apply_f32(convk_cuda_stream *on, const convk_hamiltonian_shape *shape, const convk_hamiltonian_terms_f32 *terms, const float *in, float *out, convk_hamiltonian_energies *energies, void *work, size_t work_size);
     int convk_cuda_hamiltonian_apply_c32(convk_cuda_stream *on, const convk_hamiltonian_shape *shape, const convk_hamiltonian_terms_f32 *terms, const float *in, float *out, convk_hamiltonian_energies *energies, void *work, size_t work_size);
     int convk_cuda_hamiltonian_apply_f64(convk_cuda_stream *on, const convk_hamiltonian_shape *shape, const convk_hamiltonian_terms_f64 *terms, const double *in, double *out, convk_hamiltonian_energies *energies, void *work, size_t work_size);
     int convk_cuda_hamiltonian_apply_c64(convk_cuda_stream *on, const convk_hamiltonian_shape *shape, const convk_hamiltonian_terms_f64 *terms, const double *in, double *out, convk_hamiltonian_energies *energies, void *work, size_t work_size);
     int convk_cuda_hamiltonian_apply_work_size_f32(convk_cuda_stream *on, const convk_hamiltonian_shape *shape, size_t *bytes);
     int convk_cuda_hamiltonian_apply_work_size_c32(convk_cuda_stream *on, const convk_hamiltonian_shape *shape, size_t *bytes);
     int convk_cuda_hamiltonian_apply_work_size_f64(convk_cuda_stream *on, const convk_hamiltonian_shape *shape, size_t *bytes);
     int convk_cuda_hamiltonian_apply_work_size_c64(convk_cuda_stream *on, const convk_hamiltonian_shape *shape, size_t *bytes);

   stencil
     int convk_cuda_stencil7_f32(convk_cuda_stream *on, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f32 *coefficients, size_t steps, float *a, float *b, float **result, void *work, size_t work_size);
     int convk_cuda_stencil7_f64(convk_cuda_stream *on, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f64 *coefficients, size_t steps, double *a, double *b, double **result, void *work, size_t work_size);
     int convk_cuda_stencil7_box_f32(convk_cuda_stream *on, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f32 *coefficients, const convk_box3 *box, const float *a, float *b, void *work, size_t work_size);
     int convk_cuda_stencil7_box_f64(convk_cuda_stream *on, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f64 *coefficients, const convk_box3 *box, const double *a, double *b, void *work, size_t work_size);
     int convk_cuda_stencil7_work_size_f32(convk_cuda_stream *on, const convk_stencil7_shape *shape, size_t steps, size_t *bytes);
     int convk_cuda_stencil7_work_size_f64(convk_cuda_stream *on, const convk_stencil7_shape *shape, size_t steps, size_t *bytes);
     int convk_cuda_box_copy_f32(convk_cuda_stream *on, const size_t count[3], const convk_grid3 *in_grid, const size_t in_first[3], const float *in, const convk_grid3 *out_grid, const size_t out_first[3], float *out);
     int convk_cuda_box_copy_f64(convk_cuda_stream *on, const size_t count[3], const convk_grid3 *in_grid, const size_t in_first[3], const double *in, const convk_grid3 *out_grid, const size_t out_first[3], double *out);
     struct convk_cuda_stencil_tuning { size_t tile; size_t steps; size_t planes; };

   vmath
     int convk_cuda_exp_f32(convk_cuda_stream *on, size_t n, const float *x, float *y);
     int convk_cuda_exp_f64(convk_cuda_stream *on, size_t n, const double *x, double *y);
     int convk_cuda_expm1_f32(convk_cuda_stream *on, size_t n, const float *x, float *y);
     int convk_cuda_expm1_f64(convk_cuda_stream *on, size_t n, const double *x, double *y);
     int convk_cuda_log_f32(convk_cuda_stream *on, size_t n, const float *x, float *y);
     int convk_cuda_log_f64(convk_cuda_stream *on, size_t n, const double *x, double *y);
     int convk_cuda_sincos_f32(convk_cuda_stream *on, size_t n, const float *x, float *s, float *c);
     int convk_cuda_sincos_f64(convk_cuda_stream *on, size_t n, const double *x, double *s, double *c);

   gaussian
     int convk_cuda_gridpot_f32(convk_cuda_stream *on, const convk_points_f32 *points, const convk_gaussians_f32 *gaussians, const convk_gaussian_options *options, float *g, size_t ld);
     int convk_cuda_gridpot_f64(convk_cuda_stream *on, const convk_points_f64 *points, const convk_gaussians_f64 *gaussians, const convk_gaussian_options *options, double *g, size_t ld);
     int convk_cuda_gridpot_sum_f32(convk_cuda_stream *on, const convk_points_f32 *points, const convk_gaussians_f32 *gaussians, const convk_gaussian_options *options, float *sums, size_t ld);
     int convk_cuda_gridpot_sum_f64(convk_cuda_stream *on, const convk_points_f64 *points, const convk_gaussians_f64 *gaussians, const convk_gaussian_options *options, double *sums, size_t ld);
     int convk_cuda_orbitals_f32(convk_cuda_stream *on, const convk_points_f32 *points, const convk_orbitals_plan_f32 *plan, const void *device_plan, const convk_gaussian_options *options, float *value, size_t ld);
     int convk_cuda_orbitals_f64(convk_cuda_stream *on, const convk_points_f64 *points, const convk_orbitals_plan_f64 *plan, const void *device_plan, const convk_gaussian_options *options, double *value, size_t ld);
     int convk_cuda_orbitals_vgl_f32(convk_cuda_stream *on, const convk_points_f32 *points, const convk_orbitals_plan_f32 *plan, const void *device_plan, const convk_gaussian_options *options, const convk_vgl_f32 *out);
     int convk_cuda_orbitals_vgl_f64(convk_cuda_stream *on, const convk_points_f64 *points, const convk_orbitals_plan_f64 *plan, const void *device_plan, const convk_gaussian_options *options, const convk_vgl_f64 *out);
     int convk_cuda_density_f32(convk_cuda_stream *on, const convk_points_f32 *points, const convk_orbitals_plan_f32 *plan, const void *device_plan, const convk_gaussian_options *options, float *density);
     int convk_cuda_density_f64(convk_cuda_stream *on, const convk_points_f64 *points, const convk_orbitals_plan_f64 *plan, const void *device_plan, const convk_gaussian_options *options, double *density);
     int convk_cuda_orbitals_grid_work_size_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, size_t *bytes);
     int convk_cuda_orbitals_grid_work_size_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, size_t *bytes);
     int convk_cuda_orbitals_grid_k_work_size_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, size_t *bytes);
     int convk_cuda_orbitals_grid_k_work_size_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, size_t *bytes);
     int convk_cuda_gridpot_grid_work_size_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_gaussians_f32 *gaussians, size_t *bytes);
     int convk_cuda_gridpot_grid_work_size_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_gaussians_f64 *gaussians, size_t *bytes);
     int convk_cuda_orbitals_grid_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, float *value, size_t ld, void *work, size_t work_size);
     int convk_cuda_orbitals_grid_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, double *value, size_t ld, void *work, size_t work_size);
     int convk_cuda_orbitals_grid_vgl_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, const convk_vgl_f32 *out, void *work, size_t work_size);
     int convk_cuda_orbitals_grid_vgl_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, const convk_vgl_f64 *out, void *work, size_t work_size);
     int convk_cuda_density_grid_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, const convk_density_parts_f32 *out, void *work, size_t work_size);
     int convk_cuda_density_grid_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, const convk_density_parts_f64 *out, void *work, size_t work_size);
     int convk_cuda_orbitals_grid_k_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_bloch_f32 *bloch, const convk_gaussian_options *options, float *value, size_t ld, void *work, size_t work_size);
     int convk_cuda_orbitals_grid_k_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_bloch_f64 *bloch, const convk_gaussian_options *options, double *value, size_t ld, void *work, size_t work_size);
     int convk_cuda_density_grid_k_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_bloch_f32 *bloch, const convk_gaussian_options *options, float *density, int add, void *work, size_t work_size);
     int convk_cuda_density_grid_k_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_bloch_f64 *bloch, const convk_gaussian_options *options, double *density, int add, void *work, size_t work_size);
     int convk_cuda_gridpot_grid_f32(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_gaussians_f32 *gaussians, const convk_gaussian_options *options, float *sums, size_t ld, void *work, size_t work_size);
     int convk_cuda_gridpot_grid_f64(convk_cuda_stream *on, const convk_gaussian_box *box, const convk_gaussians_f64 *gaussians, const convk_gaussian_options *options, double *sums, size_t ld, void *work, size_t work_size);

   formfactor
     int convk_cuda_formfactor_work_size_f32(convk_cuda_stream *on, const convk_mesh_f32 *mesh, const convk_q_f32 *q, size_t *bytes);
     int convk_cuda_formfactor_work_size_f64(convk_cuda_stream *on, const convk_mesh_f64 *mesh, const convk_q_f64 *q, size_t *bytes);
     int convk_cuda_formfactor_f32(convk_cuda_stream *on, const convk_mesh_f32 *mesh, const convk_mesh_measures *measures, const convk_q_f32 *q, const convk_formfactor_options *options, float *f, void *work, size_t work_size);
     int convk_cuda_formfactor_f64(convk_cuda_stream *on, const convk_mesh_f64 *mesh, const convk_mesh_measures *measures, const convk_q_f64 *q, const convk_formfactor_options *options, double *f, void *work, size_t work_size);
     int convk_cuda_formfactor_grid_work_size_f32(convk_cuda_stream *on, const convk_mesh_f32 *mesh, const convk_grid3 *grid, const convk_q_f32 *q, size_t *bytes);
     int convk_cuda_formfactor_grid_work_size_f64(convk_cuda_stream *on, const convk_mesh_f64 *mesh, const convk_grid3 *grid, const convk_q_f64 *q, size_t *bytes);
     int convk_cuda_formfactor_grid_f32(convk_cuda_stream *on, const convk_mesh_f32 *mesh, const convk_mesh_measures *measures, const convk_grid3 *grid, const convk_q_f32 *q, const convk_formfactor_options *options, float *f, void *work, size_t work_size);
     int convk_cuda_formfactor_grid_f64(convk_cuda_stream *on, const convk_mesh_f64 *mesh, const convk_mesh_measures *measures, const convk_grid3 *grid, const convk_q_f64 *q, const convk_formfactor_options *options, double *f, void *work, size_t work_size);

   fft
     int convk_cuda_fftconv2d_f32(convk_cuda_stream *on, const convk_fftconv2d_plan_f32 *plan, const void *device_plan, const convk_batch2d *batch, const float *in, float *out, void *work, size_t work_size);
     int convk_cuda_fftconv2d_c32(convk_cuda_stream *on, const convk_fftconv2d_plan_c32 *plan, const void *device_plan, const convk_batch2d *batch, const float *in, float *out, void *work, size_t work_size);
     int convk_cuda_fftconv2d_f64(convk_cuda_stream *on, const convk_fftconv2d_plan_f64 *plan, const void *device_plan, const convk_batch2d *batch, const double *in, double *out, void *work, size_t work_size);
     int convk_cuda_fftconv2d_c64(convk_cuda_stream *on, const convk_fftconv2d_plan_c64 *plan, const void *device_plan, const convk_batch2d *batch, const double *in, double *out, void *work, size_t work_size);
     int convk_cuda_fftconv2d_work_size_f32(convk_cuda_stream *on, const convk_fftconv2d_plan_f32 *plan, size_t items, size_t *bytes);
     int convk_cuda_fftconv2d_work_size_c32(convk_cuda_stream *on, const convk_fftconv2d_plan_c32 *plan, size_t items, size_t *bytes);
     int convk_cuda_fftconv2d_work_size_f64(convk_cuda_stream *on, const convk_fftconv2d_plan_f64 *plan, size_t items, size_t *bytes);
     int convk_cuda_fftconv2d_work_size_c64(convk_cuda_stream *on, const convk_fftconv2d_plan_c64 *plan, size_t items, size_t *bytes);
     int convk_cuda_fft2d_c32(convk_cuda_stream *on, const convk_fft2d_plan_c32 *plan, const void *device_plan, int direction, const convk_batch2d *batch, const float *in, float *out, void *work, size_t work_size);
     int convk_cuda_fft2d_c64(convk_cuda_stream *on, const convk_fft2d_plan_c64 *plan, const void *device_plan, int direction, const convk_batch2d *batch, const double *in, double *out, void *work, size_t work_size);
     int convk_cuda_fft2d_work_size_c32(convk_cuda_stream *on, const convk_fft2d_plan_c32 *plan, size_t items, size_t *bytes);
     int convk_cuda_fft2d_work_size_c64(convk_cuda_stream *on, const convk_fft2d_plan_c64 *plan, size_t items, size_t *bytes);

   pairs, CONVK_WITH_VMC
     int convk_cuda_pair_potential_f32(convk_cuda_stream *on, const convk_pair_potential *potential, size_t n, const float *r, float *v);
     int convk_cuda_pair_potential_f64(convk_cuda_stream *on, const convk_pair_potential *potential, size_t n, const double *r, double *v);
     int convk_cuda_pair_energy_work_size_f32(convk_cuda_stream *on, size_t particles, size_t walkers, size_t *bytes);
     int convk_cuda_pair_energy_work_size_f64(convk_cuda_stream *on, size_t particles, size_t walkers, size_t *bytes);
     int convk_cuda_pair_energy_f32(convk_cuda_stream *on, const convk_pair_system *system, const convk_pair_walkers *walkers, int want, const float *r, convk_pair_result *result, float *gradient, void *work, size_t work_size);
     int convk_cuda_pair_energy_f64(convk_cuda_stream *on, const convk_pair_system *system, const convk_pair_walkers *walkers, int want, const double *r, convk_pair_result *result, double *gradient, void *work, size_t work_size);
     int convk_cuda_pair_move_f32(convk_cuda_stream *on, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, const float *r, const float *to, convk_pair_move_result *result);
     int convk_cuda_pair_move_f64(convk_cuda_stream *on, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, const double *r, const double *to, convk_pair_move_result *result);
     int convk_cuda_pair_accept_f32(convk_cuda_stream *on, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, const float *to, const unsigned char *accept, float *r, float *gradient);
     int convk_cuda_pair_accept_f64(convk_cuda_stream *on, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, const double *to, const unsigned char *accept, double *r, double *gradient);
     int convk_cuda_vmc_sweeps_work_size_f32(convk_cuda_stream *on, const convk_vmc *vmc, size_t *bytes);
     int convk_cuda_vmc_sweeps_work_size_f64(convk_cuda_stream *on, const convk_vmc *vmc, size_t *bytes);
     int convk_cuda_vmc_sweeps_f32(convk_cuda_stream *on, const convk_vmc *vmc, const convk_vmc_sweeps *sweeps, const convk_cuda_vmc_walkers_f32 *walkers, void *work, size_t work_size);
     int convk_cuda_vmc_sweeps_f64(convk_cuda_stream *on, const convk_vmc *vmc, const convk_vmc_sweeps *sweeps, const convk_cuda_vmc_walkers_f64 *walkers, void *work, size_t work_size);
     struct convk_cuda_vmc_walkers_f32 { float *r; double *ln_psi; convk_pair_result *result; double *drift; uint32_t *accepted; };
     struct convk_cuda_vmc_walkers_f64 { double *r; double *ln_psi; convk_pair_result *result; double *drift; uint32_t *accepted; };
*/
