#if CONVK_HAS_STENCIL_
/* convk_stencil7 on buffers of cl's context, without work.
   a, b      buffers with the first elements of the two states at a_offset, b_offset (elements)
   result    is set to b after an odd number of steps, to a otherwise, as soon as all is enqueued
   num_wait, wait_list, event   as in OpenCL; the queue may be out of order
   From two steps on, b must hold the fixed points of a: that is not checked here.
   In place: no.  Ranges of one buffer must not overlap; overlapping sub-buffers are not found out.  Several steps are made in
   one pass over memory (cl->stencil_steps).
   Never waits for the device; a precision, a kind of coefficients or a number of steps in one pass that are new to cl build a
   program on the host first.
   Errors, before anything is enqueued: those of convk_stencil7 but for RIM, WORK and THREADS; SIZE also where a buffer is too
   small; FP64, BUILD (see convk_cl_build_log), DEVICE (see cl->message).  UNSUPPORTED: too little local memory.  After DEVICE,
   MEMORY or BUILD some kernels may be on their way; *event and *result are not set. */
CONVK_API_ int convk_cl_stencil7(convk_cl *cl, cl_command_queue queue, const convk_grid3 *grid,
                                 const convk_stencil7_coefficients *coefficients, const int boundary[3], size_t steps, cl_mem a,
                                 size_t a_offset, cl_mem b, size_t b_offset, cl_mem *result, cl_uint num_wait,
                                 const cl_event *wait_list, cl_event *event);

/* convk_stencil7_box on buffers; everything else as cl_stencil7. */
CONVK_API_ int convk_cl_stencil7_box(convk_cl *cl, cl_command_queue queue, const convk_grid3 *grid,
                                     const convk_stencil7_coefficients *coefficients, const int boundary[3],
                                     const size_t first[3], const size_t count[3], cl_mem a, size_t a_offset, cl_mem b,
                                     size_t b_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
#endif
