#if CONVK_HAS_VMATH_
/* convk_exp on buffers of cl's context: n elements of x from x_offset on, to y from y_offset on (in elements).
   In place: the same buffer and offset; other ranges must not overlap.
   num_wait, wait_list, event   as in OpenCL; the queue may be out of order
   Never waits for the device; the first call of a function in a precision builds a program on the host.
   Errors, before anything is enqueued: NULL, OVERFLOW, SIZE (a buffer is too small), OVERLAP, FP64 (f64), HANDLE, MEMORY, BUILD
   (see convk_cl_build_log), DEVICE (see cl->message). */
CONVK_API_ int convk_cl_exp(convk_cl *cl, cl_command_queue queue, size_t n, cl_mem x, size_t x_offset, cl_mem y,
                            size_t y_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event);

/* convk_expm1 on buffers; everything else as cl_exp. */
CONVK_API_ int convk_cl_expm1(convk_cl *cl, cl_command_queue queue, size_t n, cl_mem x, size_t x_offset, cl_mem y,
                              size_t y_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event);

/* convk_log on buffers; everything else as cl_exp. */
CONVK_API_ int convk_cl_log(convk_cl *cl, cl_command_queue queue, size_t n, cl_mem x, size_t x_offset, cl_mem y,
                            size_t y_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event);

/* convk_sincos on buffers; s or c may be x.  Everything else as cl_exp. */
CONVK_API_ int convk_cl_sincos(convk_cl *cl, cl_command_queue queue, size_t n, cl_mem x, size_t x_offset, cl_mem s,
                               size_t s_offset, cl_mem c, size_t c_offset, cl_uint num_wait, const cl_event *wait_list,
                               cl_event *event);
#endif
