#if CONVK_HAS_GAUSSIAN_
/* convk_gridpot on buffers of cl's context.
   points     on the device, which are not checked; center, alpha: on the host, needed only during the call
   g          a buffer, first element at g_offset
   num_wait, wait_list, event   as in OpenCL; the queue may be out of order
   Never waits for the device; makes a small buffer for the exponents, and a program where the precision or an option is new.
   Errors, before anything is enqueued: those of convk_gridpot but for COORDINATE and THREADS; SIZE (a buffer is too small),
   FP64 (f64), MEMORY, BUILD (see convk_cl_build_log), DEVICE (see cl->message). */
CONVK_API_ int convk_cl_gridpot(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, const CONVK_T center[3],
                                size_t m, const CONVK_T *alpha, const convk_gaussian_options *options, cl_mem g,
                                size_t g_offset, size_t ld, cl_uint num_wait, const cl_event *wait_list, cl_event *event);

/* convk_gridpot_sum on buffers: c, too, is on the host.  Everything else as cl_gridpot. */
CONVK_API_ int convk_cl_gridpot_sum(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points,
                                    const CONVK_T center[3], size_t m, const CONVK_T *alpha, size_t nsums, const CONVK_T *c,
                                    size_t ldc, const convk_gaussian_options *options, cl_mem sums, size_t sums_offset,
                                    size_t ld, cl_uint num_wait, const cl_event *wait_list, cl_event *event);

/* convk_orbitals on buffers: points and `value` on the device, shells and coefficients on the host.  Everything else as
   cl_gridpot. */
CONVK_API_ int convk_cl_orbitals(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, size_t nshells,
                                 const convk_shell *shells, size_t norbitals, const CONVK_T *coefficients, size_t ldc,
                                 const convk_gaussian_options *options, cl_mem value, size_t value_offset, size_t ld,
                                 cl_uint num_wait, const cl_event *wait_list, cl_event *event);

/* convk_orbitals_vgl on buffers: out has value, dx, dy, dz and the Laplacian.  Everything else as cl_orbitals. */
CONVK_API_ int convk_cl_orbitals_vgl(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, size_t nshells,
                                     const convk_shell *shells, size_t norbitals, const CONVK_T *coefficients, size_t ldc,
                                     const convk_gaussian_options *options, const convk_cl_array out[5], size_t ld,
                                     cl_uint num_wait, const cl_event *wait_list, cl_event *event);

/* convk_density on buffers; occupations are on the host.  Everything else as cl_orbitals. */
CONVK_API_ int convk_cl_density(convk_cl *cl, cl_command_queue queue, const convk_cl_points *points, size_t nshells,
                                const convk_shell *shells, size_t norbitals, const CONVK_T *coefficients, size_t ldc,
                                const CONVK_T *occupations, const convk_gaussian_options *options, cl_mem density,
                                size_t density_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
#endif
