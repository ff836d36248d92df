/* FUNCTIONS AND STRUCTS
   Every one that is declared below, on a line of its own: made by make headers, for those who search.  What each does stands in
   <family>/api.h and types.h, further below.  Operations also exist for one hardware, with its name at the end:
   convk_exp_f64_avx2.  One function is a macro: int convk_open(convk *hw, const char *spec).

   all families
     const char *convk_strerror(int status);
     convk_grid3 convk_grid3_padded(size_t nx, size_t ny, size_t nz, size_t element);
     void *convk_huge_alloc(size_t bytes);
     void convk_huge_free(void *array);
     int convk_first_touch(convk *hw, const convk_grid3 *grid, size_t element, void *array);
     void convk_close(convk *hw);
     int convk_tuned_write(convk *hw, const convk_tuned *entries, size_t count, char *text, size_t size, size_t *length);
     int convk_tuned_read(convk *hw, const char *text, size_t length, convk_tuned *entries, size_t capacity, size_t *count, convk_tuned_report *report);
     int convk_tune(convk *hw, const char *operation, const convk_tune_shape *shape, double budget_ms, convk_tuned *entry);
     struct convk_grid3 { size_t nx, ny, nz, pitch_y, pitch_z; };
     struct convk_box3 { size_t first[3], count[3]; };
     struct convk_parallel { int threads; int (*run)(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg); void *ctx; };
     struct convk_tuning { size_t l2_bytes, l3_bytes; size_t l3_threads; int nontemporal; size_t sepconv_rows; size_t stencil_rows; size_t stencil_steps; size_t stencil_threads_y; ptrdiff_t stencil_prefetch; size_t stencil_planes; size_t gaussian_points; size_t formfactor_q; size_t formfactor_rows; size_t fft_lanes; size_t pair_split; };
     struct convk_tuned { char operation[16], type[4], hw[16], machine[64]; int threads; size_t nx, ny, nz; size_t length; long choice[CONVK_TUNE_COUNT]; long gain; int tried, refused; };
     struct convk { size_t size; int version; char name[24]; char machine[64]; convk_parallel parallel; int flush_subnormals; convk_tuning tuning; const convk_tuned *tuned; size_t ntuned; size_t device_bytes; char message[256]; convk_ours_ ours; };
     struct convk_tuned_report { size_t skipped; void (*explain)(void *ctx, size_t line, const char *reason); void *ctx; };
     struct convk_tune_shape { convk_grid3 grid; int boundary[3]; size_t steps; int taps; size_t triangles; };

   sepconv: operations
     int convk_sepconv3d_f32(convk *hw, const convk_sepconv3d_shape *shape, const convk_filter_f32 filter[3], const convk_sepconv_epilogue_f32 *epilogue, const float *in, float *out, void *work, size_t work_size);
     int convk_sepconv3d_f64(convk *hw, const convk_sepconv3d_shape *shape, const convk_filter_f64 filter[3], const convk_sepconv_epilogue_f64 *epilogue, const double *in, double *out, void *work, size_t work_size);
     int convk_magicfilter3d_f32(convk *hw, const convk_sepconv3d_shape *shape, int direction, const convk_sepconv_epilogue_f32 *epilogue, const float *in, float *out, void *work, size_t work_size);
     int convk_magicfilter3d_f64(convk *hw, const convk_sepconv3d_shape *shape, int direction, const convk_sepconv_epilogue_f64 *epilogue, const double *in, double *out, void *work, size_t work_size);
     int convk_potential_apply_f32(convk *hw, const convk_sepconv3d_shape *shape, const float *potential, const float *psi, float *out, double *energy, void *work, size_t work_size);
     int convk_potential_apply_f64(convk *hw, const convk_sepconv3d_shape *shape, const double *potential, const double *psi, double *out, double *energy, void *work, size_t work_size);
     int convk_conv1d_transpose_f32(convk *hw, const convk_conv1d_shape *shape, const convk_filter_f32 *filter, const float *in, float *out, void *work, size_t work_size);
     int convk_conv1d_transpose_f64(convk *hw, const convk_conv1d_shape *shape, const convk_filter_f64 *filter, const double *in, double *out, void *work, size_t work_size);
     int convk_dwt3d_f32(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, const float *fine, float *coarse, void *work, size_t work_size);
     int convk_dwt3d_f64(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, const double *fine, double *coarse, void *work, size_t work_size);
     int convk_idwt3d_f32(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, const float *coarse, float *fine, void *work, size_t work_size);
     int convk_idwt3d_f64(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, const double *coarse, double *fine, void *work, size_t work_size);
     int convk_s1_to_r_f32(convk *hw, const convk_dwt3d_shape *shape, const float *coarse, float *values, void *work, size_t work_size);
     int convk_s1_to_r_f64(convk *hw, const convk_dwt3d_shape *shape, const double *coarse, double *values, void *work, size_t work_size);
     int convk_r_to_s1_f32(convk *hw, const convk_dwt3d_shape *shape, const float *values, float *coarse, void *work, size_t work_size);
     int convk_r_to_s1_f64(convk *hw, const convk_dwt3d_shape *shape, const double *values, double *coarse, void *work, size_t work_size);
     int convk_sumconv3d_f32(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, const float *in, float *out, convk_sumconv_sums *sums, void *work, size_t work_size);
     int convk_sumconv3d_c32(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, const float *in, float *out, convk_sumconv_sums *sums, void *work, size_t work_size);
     int convk_sumconv3d_f64(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, const double *in, double *out, convk_sumconv_sums *sums, void *work, size_t work_size);
     int convk_sumconv3d_c64(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, const double *in, double *out, convk_sumconv_sums *sums, void *work, size_t work_size);

   sepconv: what else there is
     convk_wavelet_f32 convk_wavelet_taps_f32(int which);
     convk_wavelet_f64 convk_wavelet_taps_f64(int which);
     int convk_dwt3d_resolve_f32(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, convk_dwt3d_shape *resolved);
     int convk_dwt3d_resolve_f64(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, convk_dwt3d_shape *resolved);
     int convk_dwt3d_work_size_f32(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, size_t *bytes);
     int convk_dwt3d_work_size_f64(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, size_t *bytes);
     int convk_idwt3d_work_size_f32(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet_f32 *wavelet, size_t *bytes);
     int convk_idwt3d_work_size_f64(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet_f64 *wavelet, size_t *bytes);
     int convk_s1_to_r_work_size_f32(convk *hw, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_s1_to_r_work_size_f64(convk *hw, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_r_to_s1_work_size_f32(convk *hw, const convk_dwt3d_shape *shape, size_t *bytes);
     int convk_r_to_s1_work_size_f64(convk *hw, const convk_dwt3d_shape *shape, size_t *bytes);
     convk_filter_f32 convk_magicfilter_taps_f32(int direction);
     convk_filter_f64 convk_magicfilter_taps_f64(int direction);
     int convk_sepconv3d_out_grid_f32(convk *hw, const convk_sepconv3d_shape *shape, const convk_filter_f32 filter[3], convk_grid3 *out_grid);
     int convk_sepconv3d_out_grid_f64(convk *hw, const convk_sepconv3d_shape *shape, const convk_filter_f64 filter[3], convk_grid3 *out_grid);
     int convk_sepconv3d_work_size_f32(convk *hw, const convk_sepconv3d_shape *shape, const convk_filter_f32 filter[3], const convk_sepconv_epilogue_f32 *epilogue, size_t *bytes);
     int convk_sepconv3d_work_size_f64(convk *hw, const convk_sepconv3d_shape *shape, const convk_filter_f64 filter[3], const convk_sepconv_epilogue_f64 *epilogue, size_t *bytes);
     int convk_magicfilter3d_work_size_f32(convk *hw, const convk_sepconv3d_shape *shape, int direction, const convk_sepconv_epilogue_f32 *epilogue, size_t *bytes);
     int convk_magicfilter3d_work_size_f64(convk *hw, const convk_sepconv3d_shape *shape, int direction, const convk_sepconv_epilogue_f64 *epilogue, size_t *bytes);
     int convk_potential_apply_work_size_f32(convk *hw, const convk_sepconv3d_shape *shape, size_t *bytes);
     int convk_potential_apply_work_size_f64(convk *hw, const convk_sepconv3d_shape *shape, size_t *bytes);
     int convk_conv1d_transpose_work_size_f32(convk *hw, const convk_conv1d_shape *shape, const convk_filter_f32 *filter, size_t *bytes);
     int convk_conv1d_transpose_work_size_f64(convk *hw, const convk_conv1d_shape *shape, const convk_filter_f64 *filter, size_t *bytes);
     int convk_derivative_filter_f32(convk *hw, int derivative, int order, double factor, float taps[29], convk_filter_f32 *filter);
     int convk_derivative_filter_f64(convk *hw, int derivative, int order, double factor, double taps[29], convk_filter_f64 *filter);
     int convk_sumconv3d_out_grid_f32(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, convk_grid3 *out_grid);
     int convk_sumconv3d_out_grid_f64(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, convk_grid3 *out_grid);
     int convk_sumconv3d_work_size_f32(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, size_t *bytes);
     int convk_sumconv3d_work_size_c32(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f32 *terms, size_t *bytes);
     int convk_sumconv3d_work_size_f64(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, size_t *bytes);
     int convk_sumconv3d_work_size_c64(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms, size_t *bytes);
     struct convk_sepconv3d_shape { convk_grid3 in, out; int boundary[3]; };
     struct convk_conv1d_shape { size_t n, ndat, ld_in, ld_out; int boundary; };
     struct convk_dwt3d_shape { convk_grid3 fine, coarse; int boundary[3]; int levels; };
     struct convk_sumconv3d_shape { convk_grid3 in, out; int boundary[3]; size_t vectors, in_stride, out_stride; };
     struct convk_sumconv_sums { double dot[2], potential, norm, axis[3], mixed; };
     struct convk_wavelet_f32 { int lo, up; const float *low, *high; };
     struct convk_wavelet_f64 { int lo, up; const double *low, *high; };
     struct convk_filter_f32 { int lo, up; const float *taps; };
     struct convk_filter_f64 { int lo, up; const double *taps; };
     struct convk_sepconv_epilogue_f32 { const float *potential; float *density; float density_factor; double *dot, *energy; int update; float a, b; };
     struct convk_sepconv_epilogue_f64 { const double *potential; double *density; double density_factor; double *dot, *energy; int update; double a, b; };
     struct convk_sumconv_terms_f32 { convk_filter_f32 filter[3], imag[3], first[3]; float mixed[3]; double phase[3][2]; const float *potential; float potential_factor, shift; const float *add; float add_factor; };
     struct convk_sumconv_terms_f64 { convk_filter_f64 filter[3], imag[3], first[3]; double mixed[3]; double phase[3][2]; const double *potential; double potential_factor, shift; const double *add; double add_factor; };

   stencil: operations
     int convk_stencil7_f32(convk *hw, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f32 *coefficients, size_t steps, float *a, float *b, float **result, void *work, size_t work_size);
     int convk_stencil7_f64(convk *hw, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f64 *coefficients, size_t steps, double *a, double *b, double **result, void *work, size_t work_size);
     int convk_stencil7_box_f32(convk *hw, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f32 *coefficients, const convk_box3 *box, const float *a, float *b, void *work, size_t work_size);
     int convk_stencil7_box_f64(convk *hw, const convk_stencil7_shape *shape, const convk_stencil7_coefficients_f64 *coefficients, const convk_box3 *box, const double *a, double *b, void *work, size_t work_size);

   stencil: what else there is
     convk_stencil7_coefficients_f32 convk_stencil7_isotropic_f32(float c0, float c1);
     convk_stencil7_coefficients_f64 convk_stencil7_isotropic_f64(double c0, double c1);
     int convk_stencil7_work_size_f32(convk *hw, const convk_stencil7_shape *shape, size_t steps, size_t *bytes);
     int convk_stencil7_work_size_f64(convk *hw, const convk_stencil7_shape *shape, size_t steps, size_t *bytes);
     struct convk_stencil7_shape { convk_grid3 grid; int boundary[3]; };
     struct convk_stencil7_coefficients_f32 { float centre, x_minus, x_plus, y_minus, y_plus, z_minus, z_plus; };
     struct convk_stencil7_coefficients_f64 { double centre, x_minus, x_plus, y_minus, y_plus, z_minus, z_plus; };

   vmath: operations
     int convk_exp_f32(convk *hw, size_t n, const float *x, float *y);
     int convk_exp_f64(convk *hw, size_t n, const double *x, double *y);
     int convk_expm1_f32(convk *hw, size_t n, const float *x, float *y);
     int convk_expm1_f64(convk *hw, size_t n, const double *x, double *y);
     int convk_log_f32(convk *hw, size_t n, const float *x, float *y);
     int convk_log_f64(convk *hw, size_t n, const double *x, double *y);
     int convk_sincos_f32(convk *hw, size_t n, const float *x, float *s, float *c);
     int convk_sincos_f64(convk *hw, size_t n, const double *x, double *s, double *c);

   gaussian: operations
     int convk_gridpot_f32(convk *hw, const convk_points_f32 *points, const convk_gaussians_f32 *gaussians, const convk_gaussian_options *options, float *g, size_t ld);
     int convk_gridpot_f64(convk *hw, const convk_points_f64 *points, const convk_gaussians_f64 *gaussians, const convk_gaussian_options *options, double *g, size_t ld);
     int convk_gridpot_sum_f32(convk *hw, const convk_points_f32 *points, const convk_gaussians_f32 *gaussians, const convk_gaussian_options *options, float *sums, size_t ld);
     int convk_gridpot_sum_f64(convk *hw, const convk_points_f64 *points, const convk_gaussians_f64 *gaussians, const convk_gaussian_options *options, double *sums, size_t ld);
     int convk_orbitals_f32(convk *hw, const convk_points_f32 *points, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, float *value, size_t ld, void *work, size_t work_size);
     int convk_orbitals_f64(convk *hw, const convk_points_f64 *points, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, double *value, size_t ld, void *work, size_t work_size);
     int convk_orbitals_vgl_f32(convk *hw, const convk_points_f32 *points, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, const convk_vgl_f32 *out, void *work, size_t work_size);
     int convk_orbitals_vgl_f64(convk *hw, const convk_points_f64 *points, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, const convk_vgl_f64 *out, void *work, size_t work_size);
     int convk_density_f32(convk *hw, const convk_points_f32 *points, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, float *density, void *work, size_t work_size);
     int convk_density_f64(convk *hw, const convk_points_f64 *points, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, double *density, void *work, size_t work_size);
     int convk_orbitals_grid_f32(convk *hw, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, float *value, size_t ld, void *work, size_t work_size);
     int convk_orbitals_grid_f64(convk *hw, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, double *value, size_t ld, void *work, size_t work_size);
     int convk_orbitals_grid_vgl_f32(convk *hw, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, const convk_vgl_f32 *out, void *work, size_t work_size);
     int convk_orbitals_grid_vgl_f64(convk *hw, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, const convk_vgl_f64 *out, void *work, size_t work_size);
     int convk_density_grid_f32(convk *hw, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_gaussian_options *options, const convk_density_parts_f32 *out, void *work, size_t work_size);
     int convk_density_grid_f64(convk *hw, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_gaussian_options *options, const convk_density_parts_f64 *out, void *work, size_t work_size);
     int convk_gridpot_grid_f32(convk *hw, const convk_gaussian_box *box, const convk_gaussians_f32 *gaussians, const convk_gaussian_options *options, float *sums, size_t ld, void *work, size_t work_size);
     int convk_gridpot_grid_f64(convk *hw, const convk_gaussian_box *box, const convk_gaussians_f64 *gaussians, const convk_gaussian_options *options, double *sums, size_t ld, void *work, size_t work_size);
     int convk_orbitals_grid_k_f32(convk *hw, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_bloch_f32 *bloch, const convk_gaussian_options *options, float *value, size_t ld, void *work, size_t work_size);
     int convk_orbitals_grid_k_f64(convk *hw, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_bloch_f64 *bloch, const convk_gaussian_options *options, double *value, size_t ld, void *work, size_t work_size);
     int convk_density_grid_k_f32(convk *hw, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, const convk_bloch_f32 *bloch, const convk_gaussian_options *options, float *density, int add, void *work, size_t work_size);
     int convk_density_grid_k_f64(convk *hw, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, const convk_bloch_f64 *bloch, const convk_gaussian_options *options, double *density, int add, void *work, size_t work_size);

   gaussian: what else there is
     int convk_shell_functions(int l, int functions);
     int convk_shells_functions(convk *hw, size_t nshells, const convk_shell *shells, size_t *count);
     int convk_shell_normalise(convk *hw, int l, size_t primitives, const double *exponents, const double *contraction, double *coefficients);
     int convk_orbitals_work_size_f32(convk *hw, const convk_orbital_set_f32 *set, size_t *bytes);
     int convk_orbitals_work_size_f64(convk *hw, const convk_orbital_set_f64 *set, size_t *bytes);
     int convk_orbitals_plan_size_f32(convk *hw, const convk_orbital_set_f32 *set, size_t *bytes);
     int convk_orbitals_plan_size_f64(convk *hw, const convk_orbital_set_f64 *set, size_t *bytes);
     int convk_orbitals_prepare_f32(convk *hw, const convk_orbital_set_f32 *set, convk_orbitals_plan_f32 *plan, size_t plan_size);
     int convk_orbitals_prepare_f64(convk *hw, const convk_orbital_set_f64 *set, convk_orbitals_plan_f64 *plan, size_t plan_size);
     int convk_orbitals_plan_bytes_f32(convk *hw, const convk_orbitals_plan_f32 *plan, size_t *bytes);
     int convk_orbitals_plan_bytes_f64(convk *hw, const convk_orbitals_plan_f64 *plan, size_t *bytes);
     int convk_orbitals_grid_work_size_f32(convk *hw, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, size_t *bytes);
     int convk_orbitals_grid_work_size_f64(convk *hw, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, size_t *bytes);
     int convk_orbitals_grid_k_work_size_f32(convk *hw, const convk_gaussian_box *box, const convk_orbital_set_f32 *set, size_t *bytes);
     int convk_orbitals_grid_k_work_size_f64(convk *hw, const convk_gaussian_box *box, const convk_orbital_set_f64 *set, size_t *bytes);
     int convk_gridpot_grid_work_size_f32(convk *hw, const convk_gaussian_box *box, const convk_gaussians_f32 *gaussians, size_t *bytes);
     int convk_gridpot_grid_work_size_f64(convk *hw, const convk_gaussian_box *box, const convk_gaussians_f64 *gaussians, size_t *bytes);
     struct convk_shell { double center[3]; int l; int functions; size_t primitives; const double *exponents; const double *coefficients; };
     struct convk_gaussian_options { int layout; int compensated; double cutoff; };
     struct convk_gaussian_box { double origin[3]; double step_x[3], step_y[3], step_z[3]; convk_grid3 grid; double period[3]; };
     struct convk_points_f32 { size_t n; const float *x, *y, *z; size_t stride; };
     struct convk_points_f64 { size_t n; const double *x, *y, *z; size_t stride; };
     struct convk_gaussians_f32 { float center[3]; size_t n; const float *alpha; size_t nsums; const float *coefficients; size_t ldc; };
     struct convk_gaussians_f64 { double center[3]; size_t n; const double *alpha; size_t nsums; const double *coefficients; size_t ldc; };
     struct convk_orbital_set_f32 { size_t nshells; const convk_shell *shells; size_t norbitals; const float *coefficients; size_t ldc; const float *occupations; const convk_orbitals_plan_f32 *plan; };
     struct convk_orbital_set_f64 { size_t nshells; const convk_shell *shells; size_t norbitals; const double *coefficients; size_t ldc; const double *occupations; const convk_orbitals_plan_f64 *plan; };
     struct convk_vgl_f32 { float *value, *dx, *dy, *dz, *laplacian; size_t ld; };
     struct convk_vgl_f64 { double *value, *dx, *dy, *dz, *laplacian; size_t ld; };
     struct convk_density_parts_f32 { float *density, *dx, *dy, *dz, *tau; };
     struct convk_density_parts_f64 { double *density, *dx, *dy, *dz, *tau; };
     struct convk_bloch_f32 { double k[3]; const float *imag; };
     struct convk_bloch_f64 { double k[3]; const double *imag; };

   formfactor: operations
     int convk_formfactor_f32(convk *hw, const convk_mesh_f32 *mesh, const convk_q_f32 *q, const convk_formfactor_options *options, float *f);
     int convk_formfactor_f64(convk *hw, const convk_mesh_f64 *mesh, const convk_q_f64 *q, const convk_formfactor_options *options, double *f);
     int convk_formfactor_grid_f32(convk *hw, const convk_mesh_f32 *mesh, const convk_grid3 *grid, const convk_q_f32 *q, const convk_formfactor_options *options, float *f, void *work, size_t work_size);
     int convk_formfactor_grid_f64(convk *hw, const convk_mesh_f64 *mesh, const convk_grid3 *grid, const convk_q_f64 *q, const convk_formfactor_options *options, double *f, void *work, size_t work_size);

   formfactor: what else there is
     int convk_mesh_work_size(convk *hw, size_t vertices, size_t faces, size_t *bytes);
     int convk_sphere_directions(convk *hw, size_t degree, int half, size_t *directions);
     int convk_formfactor_error(convk *hw, const convk_mesh_measures *measures, double q, int order, double *error);
     int convk_mesh_assign_f32(convk *hw, size_t n, int corners, float *storage, convk_mesh_f32 *mesh);
     int convk_mesh_assign_f64(convk *hw, size_t n, int corners, double *storage, convk_mesh_f64 *mesh);
     int convk_mesh_from_triangles_f32(convk *hw, const float *corners, const convk_mesh_f32 *mesh);
     int convk_mesh_from_triangles_f64(convk *hw, const double *corners, const convk_mesh_f64 *mesh);
     int convk_mesh_from_faces_f32(convk *hw, const convk_mesh_f32 *mesh);
     int convk_mesh_from_faces_f64(convk *hw, const convk_mesh_f64 *mesh);
     int convk_mesh_join_f32(convk *hw, const float *corners, convk_indexed_mesh_f32 *mesh, void *work, size_t work_size);
     int convk_mesh_join_f64(convk *hw, const double *corners, convk_indexed_mesh_f64 *mesh, void *work, size_t work_size);
     int convk_mesh_corners_f32(convk *hw, const convk_indexed_mesh_f32 *mesh, float *corners);
     int convk_mesh_corners_f64(convk *hw, const convk_indexed_mesh_f64 *mesh, double *corners);
     int convk_mesh_check_f32(convk *hw, const convk_indexed_mesh_f32 *mesh, convk_mesh_report *report, void *work, size_t work_size);
     int convk_mesh_check_f64(convk *hw, const convk_indexed_mesh_f64 *mesh, convk_mesh_report *report, void *work, size_t work_size);
     int convk_mesh_measure_f32(convk *hw, const convk_mesh_f32 *mesh, convk_mesh_measures *measures);
     int convk_mesh_measure_f64(convk *hw, const convk_mesh_f64 *mesh, convk_mesh_measures *measures);
     int convk_mesh_box_f32(convk *hw, double a, double b, double c, convk_indexed_mesh_f32 *mesh);
     int convk_mesh_box_f64(convk *hw, double a, double b, double c, convk_indexed_mesh_f64 *mesh);
     int convk_mesh_pyramid_f32(convk *hw, double a, double b, double height, double top, convk_indexed_mesh_f32 *mesh);
     int convk_mesh_pyramid_f64(convk *hw, double a, double b, double height, double top, convk_indexed_mesh_f64 *mesh);
     int convk_mesh_prism_f32(convk *hw, size_t n, double edge, double height, convk_indexed_mesh_f32 *mesh);
     int convk_mesh_prism_f64(convk *hw, size_t n, double edge, double height, convk_indexed_mesh_f64 *mesh);
     int convk_mesh_cylinder_f32(convk *hw, double radius, double height, double top, size_t n, convk_indexed_mesh_f32 *mesh);
     int convk_mesh_cylinder_f64(convk *hw, double radius, double height, double top, size_t n, convk_indexed_mesh_f64 *mesh);
     int convk_mesh_sphere_f32(convk *hw, double radius, size_t n, convk_indexed_mesh_f32 *mesh);
     int convk_mesh_sphere_f64(convk *hw, double radius, size_t n, convk_indexed_mesh_f64 *mesh);
     int convk_mesh_ellipsoid_f32(convk *hw, double rx, double ry, double rz, size_t n, convk_indexed_mesh_f32 *mesh);
     int convk_mesh_ellipsoid_f64(convk *hw, double rx, double ry, double rz, size_t n, convk_indexed_mesh_f64 *mesh);
     int convk_mesh_polyhedron_f32(convk *hw, int kind, double edge, double cut, convk_indexed_mesh_f32 *mesh);
     int convk_mesh_polyhedron_f64(convk *hw, int kind, double edge, double cut, convk_indexed_mesh_f64 *mesh);
     int convk_mesh_rotate_f32(convk *hw, const convk_mesh_f32 *mesh, const double rotation[9], const convk_mesh_f32 *out);
     int convk_mesh_rotate_f64(convk *hw, const convk_mesh_f64 *mesh, const double rotation[9], const convk_mesh_f64 *out);
     int convk_formfactor_grid_work_size_f32(convk *hw, const convk_grid3 *grid, const convk_q_f32 *q, size_t *bytes);
     int convk_formfactor_grid_work_size_f64(convk *hw, const convk_grid3 *grid, const convk_q_f64 *q, size_t *bytes);
     int convk_formfactor_assembly_work_size_f32(convk *hw, const convk_assembly_f32 *assembly, size_t count, size_t *bytes);
     int convk_formfactor_assembly_work_size_f64(convk *hw, const convk_assembly_f64 *assembly, size_t count, size_t *bytes);
     int convk_formfactor_assembly_f32(convk *hw, const convk_assembly_f32 *assembly, const convk_q_f32 *q, const convk_formfactor_options *options, float *f, float *intensity, void *work, size_t work_size);
     int convk_formfactor_assembly_f64(convk *hw, const convk_assembly_f64 *assembly, const convk_q_f64 *q, const convk_formfactor_options *options, double *f, double *intensity, void *work, size_t work_size);
     int convk_sphere_quadrature_f32(convk *hw, size_t degree, int half, convk_directions_f32 *directions);
     int convk_sphere_quadrature_f64(convk *hw, size_t degree, int half, convk_directions_f64 *directions);
     int convk_sphere_spiral_f32(convk *hw, int half, const convk_directions_f32 *directions);
     int convk_sphere_spiral_f64(convk *hw, int half, const convk_directions_f64 *directions);
     int convk_formfactor_powder_f32(convk *hw, const convk_assembly_f32 *assembly, size_t nq, const float *q, const convk_directions_f32 *directions, const convk_formfactor_options *options, float *intensity, void *work, size_t work_size);
     int convk_formfactor_powder_f64(convk *hw, const convk_assembly_f64 *assembly, size_t nq, const double *q, const convk_directions_f64 *directions, const convk_formfactor_options *options, double *intensity, void *work, size_t work_size);
     int convk_formfactor_dwba_f32(convk *hw, const convk_assembly_f32 *assembly, const convk_dwba_f32 *waves, const convk_formfactor_options *options, float *f, void *work, size_t work_size);
     int convk_formfactor_dwba_f64(convk *hw, const convk_assembly_f64 *assembly, const convk_dwba_f64 *waves, const convk_formfactor_options *options, double *f, void *work, size_t work_size);
     struct convk_formfactor_options { int form; int order; };
     struct convk_mesh_measures { double area; double volume; double gap[3]; double least[3], most[3]; double edge; int closed; };
     struct convk_mesh_report { size_t edges; size_t border; size_t turned; size_t crowded; size_t degenerate; size_t unused; double area, volume; int closed; int manifold; };
     struct convk_placement { size_t mesh; double position[3]; double rotation[9]; double scale; double weight[2]; };
     struct convk_q_f32 { size_t n; const float *x, *y, *z; const float *x_imag, *y_imag, *z_imag; };
     struct convk_q_f64 { size_t n; const double *x, *y, *z; const double *x_imag, *y_imag, *z_imag; };
     struct convk_directions_f32 { size_t n; float *x, *y, *z, *weight; };
     struct convk_directions_f64 { size_t n; double *x, *y, *z, *weight; };
     struct convk_indexed_mesh_f32 { size_t vertices, faces; float *x, *y, *z; uint32_t *face; };
     struct convk_indexed_mesh_f64 { size_t vertices, faces; double *x, *y, *z; uint32_t *face; };
     struct convk_mesh_f32 { size_t n; float *ax, *ay, *az, *x, *y, *z; float *ux, *uy, *uz, *wx, *wy, *wz; const convk_indexed_mesh_f32 *indexed; };
     struct convk_mesh_f64 { size_t n; double *ax, *ay, *az, *x, *y, *z; double *ux, *uy, *uz, *wx, *wy, *wz; const convk_indexed_mesh_f64 *indexed; };
     struct convk_assembly_f32 { size_t meshes, placements; const convk_mesh_f32 *mesh; const convk_placement *placement; };
     struct convk_assembly_f64 { size_t meshes, placements; const convk_mesh_f64 *mesh; const convk_placement *placement; };
     struct convk_dwba_f32 { size_t n; const float *qx, *qy; const float *kz_in, *kz_in_imag; const float *kz_out, *kz_out_imag; const float *t_in, *t_out; const float *r_in, *r_out; };
     struct convk_dwba_f64 { size_t n; const double *qx, *qy; const double *kz_in, *kz_in_imag; const double *kz_out, *kz_out_imag; const double *t_in, *t_out; const double *r_in, *r_out; };

   fft: operations
     int convk_fftconv2d_f32(convk *hw, const convk_fftconv2d_plan_f32 *plan, const convk_batch2d *batch, const float *in, float *out, void *work, size_t work_size);
     int convk_fftconv2d_c32(convk *hw, const convk_fftconv2d_plan_c32 *plan, const convk_batch2d *batch, const float *in, float *out, void *work, size_t work_size);
     int convk_fftconv2d_f64(convk *hw, const convk_fftconv2d_plan_f64 *plan, const convk_batch2d *batch, const double *in, double *out, void *work, size_t work_size);
     int convk_fftconv2d_c64(convk *hw, const convk_fftconv2d_plan_c64 *plan, const convk_batch2d *batch, const double *in, double *out, void *work, size_t work_size);
     int convk_fft2d_c32(convk *hw, const convk_fft2d_plan_c32 *plan, int direction, const convk_batch2d *batch, const float *in, float *out, void *work, size_t work_size);
     int convk_fft2d_c64(convk *hw, const convk_fft2d_plan_c64 *plan, int direction, const convk_batch2d *batch, const double *in, double *out, void *work, size_t work_size);

   fft: what else there is
     int convk_fftconv2d_resolve(convk *hw, const convk_fftconv2d_shape *shape, convk_fftconv2d_shape *resolved);
     int convk_fftconv2d_prepare_f32(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const float *kernel, size_t pitch, size_t stride, convk_fftconv2d_plan_f32 *plan, size_t plan_size);
     int convk_fftconv2d_prepare_c32(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const float *kernel, size_t pitch, size_t stride, convk_fftconv2d_plan_c32 *plan, size_t plan_size);
     int convk_fftconv2d_prepare_f64(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const double *kernel, size_t pitch, size_t stride, convk_fftconv2d_plan_f64 *plan, size_t plan_size);
     int convk_fftconv2d_prepare_c64(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const double *kernel, size_t pitch, size_t stride, convk_fftconv2d_plan_c64 *plan, size_t plan_size);
     int convk_fftconv2d_prepare_spectrum_f32(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const float *spectrum, size_t pitch, size_t stride, convk_fftconv2d_plan_f32 *plan, size_t plan_size);
     int convk_fftconv2d_prepare_spectrum_c32(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const float *spectrum, size_t pitch, size_t stride, convk_fftconv2d_plan_c32 *plan, size_t plan_size);
     int convk_fftconv2d_prepare_spectrum_f64(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const double *spectrum, size_t pitch, size_t stride, convk_fftconv2d_plan_f64 *plan, size_t plan_size);
     int convk_fftconv2d_prepare_spectrum_c64(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, const double *spectrum, size_t pitch, size_t stride, convk_fftconv2d_plan_c64 *plan, size_t plan_size);
     int convk_fftconv2d_plan_size_f32(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, size_t *bytes);
     int convk_fftconv2d_plan_size_c32(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, size_t *bytes);
     int convk_fftconv2d_plan_size_f64(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, size_t *bytes);
     int convk_fftconv2d_plan_size_c64(convk *hw, const convk_fftconv2d_shape *shape, size_t kernels, size_t *bytes);
     int convk_fftconv2d_plan_bytes_f32(convk *hw, const convk_fftconv2d_plan_f32 *plan, size_t *bytes);
     int convk_fftconv2d_plan_bytes_c32(convk *hw, const convk_fftconv2d_plan_c32 *plan, size_t *bytes);
     int convk_fftconv2d_plan_bytes_f64(convk *hw, const convk_fftconv2d_plan_f64 *plan, size_t *bytes);
     int convk_fftconv2d_plan_bytes_c64(convk *hw, const convk_fftconv2d_plan_c64 *plan, size_t *bytes);
     int convk_fftconv2d_work_size_f32(convk *hw, const convk_fftconv2d_plan_f32 *plan, size_t items, size_t *bytes);
     int convk_fftconv2d_work_size_c32(convk *hw, const convk_fftconv2d_plan_c32 *plan, size_t items, size_t *bytes);
     int convk_fftconv2d_work_size_f64(convk *hw, const convk_fftconv2d_plan_f64 *plan, size_t items, size_t *bytes);
     int convk_fftconv2d_work_size_c64(convk *hw, const convk_fftconv2d_plan_c64 *plan, size_t items, size_t *bytes);
     int convk_fft2d_prepare_c32(convk *hw, size_t rows, size_t columns, convk_fft2d_plan_c32 *plan, size_t plan_size);
     int convk_fft2d_prepare_c64(convk *hw, size_t rows, size_t columns, convk_fft2d_plan_c64 *plan, size_t plan_size);
     int convk_fft2d_plan_size_c32(convk *hw, size_t rows, size_t columns, size_t *bytes);
     int convk_fft2d_plan_size_c64(convk *hw, size_t rows, size_t columns, size_t *bytes);
     int convk_fft2d_plan_bytes_c32(convk *hw, const convk_fft2d_plan_c32 *plan, size_t *bytes);
     int convk_fft2d_plan_bytes_c64(convk *hw, const convk_fft2d_plan_c64 *plan, size_t *bytes);
     int convk_fft2d_work_size_c32(convk *hw, const convk_fft2d_plan_c32 *plan, size_t items, size_t *bytes);
     int convk_fft2d_work_size_c64(convk *hw, const convk_fft2d_plan_c64 *plan, size_t items, size_t *bytes);
     struct convk_fftconv2d_shape { size_t rows, columns; size_t kernel_rows, kernel_columns; int mode; int correlation; ptrdiff_t origin_row, origin_column; size_t out_rows, out_columns; size_t fft_rows, fft_columns; };
     struct convk_batch2d { size_t items; size_t in_pitch, in_stride; size_t out_pitch, out_stride; const size_t *kernel; size_t items_per_kernel; };

   pairs, CONVK_WITH_VMC: operations
     int convk_pair_potential_f32(convk *hw, const convk_pair_potential *potential, size_t n, const float *r, float *v);
     int convk_pair_potential_f64(convk *hw, const convk_pair_potential *potential, size_t n, const double *r, double *v);
     int convk_pair_energy_f32(convk *hw, const convk_pair_system *system, const convk_pair_walkers *walkers, int want, const float *r, convk_pair_result *result, float *gradient, void *work, size_t work_size);
     int convk_pair_energy_f64(convk *hw, const convk_pair_system *system, const convk_pair_walkers *walkers, int want, const double *r, convk_pair_result *result, double *gradient, void *work, size_t work_size);
     int convk_pair_move_f32(convk *hw, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, const float *r, const float *to, convk_pair_move_result *result);
     int convk_pair_move_f64(convk *hw, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, const double *r, const double *to, convk_pair_move_result *result);
     int convk_pair_accept_f32(convk *hw, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, const float *to, const unsigned char *accept, float *r, float *gradient);
     int convk_pair_accept_f64(convk *hw, const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle, const double *to, const unsigned char *accept, double *r, double *gradient);
     int convk_vmc_run_f32(convk *hw, const convk_vmc *vmc, size_t sweeps, convk_vmc_state_f32 *state, size_t state_size, void *work, size_t work_size);
     int convk_vmc_run_f64(convk *hw, const convk_vmc *vmc, size_t sweeps, convk_vmc_state_f64 *state, size_t state_size, void *work, size_t work_size);

   pairs, CONVK_WITH_VMC: what else there is
     convk_pair_potential convk_pair_hfdhe2(void);
     convk_pair_potential convk_pair_hfdb(void);
     convk_pair_potential convk_pair_lm2m2(void);
     convk_pair_potential convk_pair_lennard_jones(double epsilon, double sigma);
     convk_pair_potential convk_pair_table(double first, double spacing, size_t entries, const double *values);
     void convk_philox4x32(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);
     void convk_vmc_join(const void *before, void *record);
     int convk_pair_energy_work_size_f32(convk *hw, size_t particles, size_t walkers, size_t *bytes);
     int convk_pair_energy_work_size_f64(convk *hw, size_t particles, size_t walkers, size_t *bytes);
     int convk_vmc_work_size_f32(convk *hw, const convk_vmc *vmc, size_t *bytes);
     int convk_vmc_work_size_f64(convk *hw, const convk_vmc *vmc, size_t *bytes);
     int convk_vmc_state_size_f32(convk *hw, const convk_vmc *vmc, size_t *bytes);
     int convk_vmc_state_size_f64(convk *hw, const convk_vmc *vmc, size_t *bytes);
     int convk_vmc_begin_f32(convk *hw, const convk_vmc *vmc, const float *r, convk_vmc_state_f32 *state, size_t state_size);
     int convk_vmc_begin_f64(convk *hw, const convk_vmc *vmc, const double *r, convk_vmc_state_f64 *state, size_t state_size);
     int convk_vmc_check_f32(convk *hw, const convk_vmc *vmc, const convk_vmc_state_f32 *state, size_t state_size);
     int convk_vmc_check_f64(convk *hw, const convk_vmc *vmc, const convk_vmc_state_f64 *state, size_t state_size);
     int convk_vmc_positions_f32(convk *hw, const convk_vmc *vmc, const convk_vmc_state_f32 *state, size_t state_size, float *r);
     int convk_vmc_positions_f64(convk *hw, const convk_vmc *vmc, const convk_vmc_state_f64 *state, size_t state_size, double *r);
     int convk_vmc_results_f32(convk *hw, const convk_vmc_state_f32 *state, size_t state_size, convk_vmc_result *result);
     int convk_vmc_results_f64(convk *hw, const convk_vmc_state_f64 *state, size_t state_size, convk_vmc_result *result);
     int convk_vmc_take_f32(convk *hw, const convk_vmc *vmc, convk_vmc_state_f32 *state, size_t state_size, const convk_vmc_state_f32 *from, size_t from_size, size_t *taken);
     int convk_vmc_take_f64(convk *hw, const convk_vmc *vmc, convk_vmc_state_f64 *state, size_t state_size, const convk_vmc_state_f64 *from, size_t from_size, size_t *taken);
     int convk_vmc_minimise_f32(convk *hw, convk_vmc *vmc, const convk_vmc_minimise_options *options, convk_vmc_state_f32 *state, size_t state_size, convk_vmc_result *result, void *work, size_t work_size);
     int convk_vmc_minimise_f64(convk *hw, convk_vmc *vmc, const convk_vmc_minimise_options *options, convk_vmc_state_f64 *state, size_t state_size, convk_vmc_result *result, void *work, size_t work_size);
     struct convk_pair_trial { double p5, p2, p0, p1; };
     struct convk_pair_potential { int kind; double epsilon, rm, a, alpha, beta, c6, c8, c10, d; double bump, x1, x2; const double *values; size_t entries; double first, spacing; };
     struct convk_pair_system { size_t particles; convk_pair_trial trial; convk_pair_potential potential; double box[3]; double cutoff; double hbar2_2m; };
     struct convk_pair_walkers { size_t walkers; size_t pitch, stride; };
     struct convk_pair_result { double ln_psi; double potential; double gradient_squared; double laplacian; double kinetic; double derivative[4]; };
     struct convk_pair_move_result { double ln_psi; double before[3], after[3]; };
     struct convk_vmc_part { size_t first, walkers; int (*join)(void *ctx, void *record, size_t bytes); void *ctx; };
     struct convk_vmc { convk_pair_system system; size_t walkers; uint64_t seed; int moves; int drift; double step; double acceptance; size_t equilibration; size_t interval; convk_vmc_part part; };
     struct convk_vmc_sweeps { uint64_t first; size_t count; double step; int anew; };
     struct convk_vmc_estimate { double mean; double error; double variance; double autocorrelation; double block; };
     struct convk_vmc_result { uint64_t sweeps, measurements; double step, acceptance; convk_vmc_estimate energy, potential, kinetic; convk_vmc_estimate kinetic_gradient; convk_vmc_estimate kinetic_laplacian; double drift; double pairs; };
     struct convk_vmc_minimise_options { size_t iterations; size_t sweeps; size_t final_sweeps; int fixed[4]; double rate; double regularisation; int (*look)(void *ctx, size_t iteration, const convk_vmc *vmc, const convk_vmc_result *result); void *ctx; };
*/
