#if CONVK_HAS_FORMFACTOR_
/* Bytes of work for a device-resident formfactor of n triangles and nq vectors of q; 0 when sizes overflow. */
CONVK_API_ size_t convk_cl_formfactor_work_size(const convk_cl *cl, size_t n, size_t nq);

/* convk_formfactor on buffers of cl's context.
   mesh       triangles on the device; measures: what convk_mesh_measure said of them on the host, without which neither the
              form nor the volume is known
   q          nq vectors; f: nq complex numbers from f_offset on, in elements of the type
   work       a buffer of cl_formfactor_work_size bytes, this call's alone until its event
   num_wait, wait_list, event   as in OpenCL; the queue may be out of order
   Never waits for the device; the first call of a kind builds two programs on the host.  Whether numbers are finite and phases
   within range is not checked here.
   Errors, before anything is enqueued: NULL, OPTION, OPEN_MESH, OVERFLOW, SIZE (a buffer is too small), WORK, OVERLAP, FP64
   (f64), HANDLE, MEMORY, BUILD, DEVICE. */
CONVK_API_ int convk_cl_formfactor(convk_cl *cl, cl_command_queue queue, const convk_cl_mesh *mesh,
                                   const convk_mesh_measures *measures, size_t nq, const convk_cl_q *q,
                                   const convk_formfactor_options *options, cl_mem f, size_t f_offset, cl_mem work,
                                   cl_uint num_wait, const cl_event *wait_list, cl_event *event);

/* Bytes of work for a device-resident formfactor_grid of n triangles, qz_imag: whether there is one; 0 for wrong arguments. */
CONVK_API_ size_t convk_cl_formfactor_grid_work_size(const convk_cl *cl, size_t n, const convk_grid3 *grid, int qz_imag);

/* convk_formfactor_grid on buffers: q has grid->nx, ny and nz values of x, y and z, and nz of z_imag; f the pitches of the
   grid, in complex elements.  Work: cl_formfactor_grid_work_size, whatever the options.  Everything else as cl_formfactor, and
   PITCH; UNSUPPORTED: too little local memory. */
CONVK_API_ int convk_cl_formfactor_grid(convk_cl *cl, cl_command_queue queue, const convk_cl_mesh *mesh,
                                        const convk_mesh_measures *measures, const convk_grid3 *grid, const convk_cl_q *q,
                                        const convk_formfactor_options *options, cl_mem f, size_t f_offset, cl_mem work,
                                        cl_uint num_wait, const cl_event *wait_list, cl_event *event);
#endif
