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
     size_t convk_cl_fft_plan_bytes(const void *plan);
     struct convk_cl { cl_context context; cl_device_id device; size_t local_bytes, group_items, group_x, group_y; size_t compute_units; size_t stencil_steps; int fp64; int divides; int cpu; struct convk_cl_cache_ *cache; char message[256]; };
     struct convk_cl_queue { convk_cl *cl; cl_command_queue queue; cl_uint num_wait; const cl_event *wait_list; cl_event *event; };
     struct convk_cl_array { cl_mem mem; size_t offset; };
     struct convk_cl_mesh { size_t n; convk_cl_array area[3], at[3], u[3], w[3]; };
     struct convk_cl_q { convk_cl_array x, y, z, z_imag, x_imag, y_imag; };
     struct convk_cl_points { size_t n; convk_cl_array x, y, z; size_t stride; };

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
     struct convk_cl_sepconv_epilogue_f32 { convk_cl_array potential, density; float density_factor; convk_cl_array dot, energy; int update; float a, b; };
     struct convk_cl_sepconv_epilogue_f64 { convk_cl_array potential, density; double density_factor; convk_cl_array dot, energy; int update; double a, b; };

   stencil
     int convk_cl_stencil7_f32(convk_cl *cl, cl_command_queue queue, const convk_grid3 *grid, const convk_stencil7_coefficients_f32 *coefficients, const int boundary[3], size_t steps, cl_mem a, size_t a_offset, cl_mem b, size_t b_offset, cl_mem *result, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_stencil7_f64(convk_cl *cl, cl_command_queue queue, const convk_grid3 *grid, const convk_stencil7_coefficients_f64 *coefficients, const int boundary[3], size_t steps, cl_mem a, size_t a_offset, cl_mem b, size_t b_offset, cl_mem *result, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_stencil7_box_f32(convk_cl *cl, cl_command_queue queue, const convk_grid3 *grid, const convk_stencil7_coefficients_f32 *coefficients, const int boundary[3], const size_t first[3], const size_t count[3], cl_mem a, size_t a_offset, cl_mem b, size_t b_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_stencil7_box_f64(convk_cl *cl, cl_command_queue queue, const convk_grid3 *grid, const convk_stencil7_coefficients_f64 *coefficients, const int boundary[3], const size_t first[3], const size_t count[3], cl_mem a, size_t a_offset, cl_mem b, size_t b_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event);

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
     int convk_cl_gridpot_f32(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, const float center[3], size_t m, const float *alpha, const convk_gaussian_options *options, cl_mem g, size_t g_offset, size_t ld, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_gridpot_f64(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, const double center[3], size_t m, const double *alpha, const convk_gaussian_options *options, cl_mem g, size_t g_offset, size_t ld, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_gridpot_sum_f32(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, const float center[3], size_t m, const float *alpha, size_t nsums, const float *c, size_t ldc, const convk_gaussian_options *options, cl_mem sums, size_t sums_offset, size_t ld, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_gridpot_sum_f64(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, const double center[3], size_t m, const double *alpha, size_t nsums, const double *c, size_t ldc, const convk_gaussian_options *options, cl_mem sums, size_t sums_offset, size_t ld, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_orbitals_f32(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, size_t nshells, const convk_shell *shells, size_t norbitals, const float *coefficients, size_t ldc, const convk_gaussian_options *options, cl_mem value, size_t value_offset, size_t ld, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_orbitals_f64(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, size_t nshells, const convk_shell *shells, size_t norbitals, const double *coefficients, size_t ldc, const convk_gaussian_options *options, cl_mem value, size_t value_offset, size_t ld, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_orbitals_vgl_f32(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, size_t nshells, const convk_shell *shells, size_t norbitals, const float *coefficients, size_t ldc, const convk_gaussian_options *options, const convk_cl_array out[5], size_t ld, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_orbitals_vgl_f64(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, size_t nshells, const convk_shell *shells, size_t norbitals, const double *coefficients, size_t ldc, const convk_gaussian_options *options, const convk_cl_array out[5], size_t ld, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_density_f32(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, size_t nshells, const convk_shell *shells, size_t norbitals, const float *coefficients, size_t ldc, const float *occupations, const convk_gaussian_options *options, cl_mem density, size_t density_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_density_f64(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, size_t nshells, const convk_shell *shells, size_t norbitals, const double *coefficients, size_t ldc, const double *occupations, const convk_gaussian_options *options, cl_mem density, size_t density_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event);

   formfactor
     size_t convk_cl_formfactor_work_size_f32(const convk_cl *cl, size_t n, size_t nq);
     size_t convk_cl_formfactor_work_size_f64(const convk_cl *cl, size_t n, size_t nq);
     int convk_cl_formfactor_f32(convk_cl *cl, cl_command_queue queue, const convk_cl_mesh *mesh, const convk_mesh_measures *measures, size_t nq, const convk_cl_q *q, const convk_formfactor_options *options, cl_mem f, size_t f_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_formfactor_f64(convk_cl *cl, cl_command_queue queue, const convk_cl_mesh *mesh, const convk_mesh_measures *measures, size_t nq, const convk_cl_q *q, const convk_formfactor_options *options, cl_mem f, size_t f_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     size_t convk_cl_formfactor_grid_work_size_f32(const convk_cl *cl, size_t n, const convk_grid3 *grid, int qz_imag);
     size_t convk_cl_formfactor_grid_work_size_f64(const convk_cl *cl, size_t n, const convk_grid3 *grid, int qz_imag);
     int convk_cl_formfactor_grid_f32(convk_cl *cl, cl_command_queue queue, const convk_cl_mesh *mesh, const convk_mesh_measures *measures, const convk_grid3 *grid, const convk_cl_q *q, const convk_formfactor_options *options, cl_mem f, size_t f_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_formfactor_grid_f64(convk_cl *cl, cl_command_queue queue, const convk_cl_mesh *mesh, const convk_mesh_measures *measures, const convk_grid3 *grid, const convk_cl_q *q, const convk_formfactor_options *options, cl_mem f, size_t f_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list, cl_event *event);

   fft
     size_t convk_cl_fftconv2d_work_size_f32(convk_cl *cl, const void *plan, size_t items);
     size_t convk_cl_fftconv2d_work_size_c32(convk_cl *cl, const void *plan, size_t items);
     size_t convk_cl_fftconv2d_work_size_f64(convk_cl *cl, const void *plan, size_t items);
     size_t convk_cl_fftconv2d_work_size_c64(convk_cl *cl, const void *plan, size_t items);
     int convk_cl_fftconv2d_f32(convk_cl *cl, cl_command_queue queue, const void *plan, cl_mem device_plan, const convk_batch2d *batch, cl_mem kernel, size_t kernel_offset, cl_mem in, size_t in_offset, cl_mem out, size_t out_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_fftconv2d_c32(convk_cl *cl, cl_command_queue queue, const void *plan, cl_mem device_plan, const convk_batch2d *batch, cl_mem kernel, size_t kernel_offset, cl_mem in, size_t in_offset, cl_mem out, size_t out_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_fftconv2d_f64(convk_cl *cl, cl_command_queue queue, const void *plan, cl_mem device_plan, const convk_batch2d *batch, cl_mem kernel, size_t kernel_offset, cl_mem in, size_t in_offset, cl_mem out, size_t out_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_fftconv2d_c64(convk_cl *cl, cl_command_queue queue, const void *plan, cl_mem device_plan, const convk_batch2d *batch, cl_mem kernel, size_t kernel_offset, cl_mem in, size_t in_offset, cl_mem out, size_t out_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     size_t convk_cl_fft2d_work_size_c32(convk_cl *cl, const void *plan, size_t items);
     size_t convk_cl_fft2d_work_size_c64(convk_cl *cl, const void *plan, size_t items);
     int convk_cl_fft2d_c32(convk_cl *cl, cl_command_queue queue, const void *plan, cl_mem device_plan, int direction, const convk_batch2d *batch, cl_mem in, size_t in_offset, cl_mem out, size_t out_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
     int convk_cl_fft2d_c64(convk_cl *cl, cl_command_queue queue, const void *plan, cl_mem device_plan, int direction, const convk_batch2d *batch, cl_mem in, size_t in_offset, cl_mem out, size_t out_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list, cl_event *event);

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
