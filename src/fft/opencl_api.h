#if CONVK_HAS_FFT_
/* Bytes of work of fftconv2d on buffers for so many items: 0 where an item fits the local memory.  (size_t)-1: no such plan, or
   too little local memory. */
CONVK_API_ size_t convk_cl_fftconv2d_work_size(convk_cl *cl, const void *plan, size_t items);
CONVK_API_ size_t convk_cl_fftconv2d_work_size_complex(convk_cl *cl, const void *plan, size_t items);

/* convk_fftconv2d on buffers of cl's context.
   plan         on the host; device_plan: its first convk_cl_fft_plan_bytes bytes, which the caller has copied to this buffer
   batch        batch->kernel NULL: `kernel` says which kernel an item takes, as one cl_ulong per item from kernel_offset on, or
                NULL: as convk_batch2d.  An item whose kernel the plan does not have stays as it is
   in, out      items from in_offset and out_offset on, in elements of the type (a complex number is one); in place as there
   work         a buffer of cl_fftconv2d_work_size bytes, this call's alone until its event; NULL where that is 0
   num_wait, wait_list, event   as in OpenCL; the queue may be out of order
   Never waits for the device; the first call for a plan's sizes builds a program (three where an item does not fit the local
   memory) on the host.
   Errors, before anything is enqueued: those of convk_fftconv2d but for THREADS, and OPTION (batch->kernel), SIZE (a buffer is
   too small), FP64 (c64, f64), BUILD (see convk_cl_build_log), DEVICE (see cl->message).  UNSUPPORTED: too little local
   memory, or a plan with tiles. */
CONVK_API_ int convk_cl_fftconv2d(convk_cl *cl, cl_command_queue queue, const void *plan, cl_mem device_plan,
                                  const convk_batch2d *batch, cl_mem kernel, size_t kernel_offset, cl_mem in, size_t in_offset,
                                  cl_mem out, size_t out_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list,
                                  cl_event *event);
CONVK_API_ int convk_cl_fftconv2d_complex(convk_cl *cl, cl_command_queue queue, const void *plan, cl_mem device_plan,
                                          const convk_batch2d *batch, cl_mem kernel, size_t kernel_offset, cl_mem in,
                                          size_t in_offset, cl_mem out, size_t out_offset, cl_mem work, cl_uint num_wait,
                                          const cl_event *wait_list, cl_event *event);

/* convk_fft2d on buffers; work: cl_fft2d_work_size.  Everything else as cl_fftconv2d. */
CONVK_API_ size_t convk_cl_fft2d_work_size_complex(convk_cl *cl, const void *plan, size_t items);
CONVK_API_ int convk_cl_fft2d_complex(convk_cl *cl, cl_command_queue queue, const void *plan, cl_mem device_plan, int direction,
                                      const convk_batch2d *batch, cl_mem in, size_t in_offset, cl_mem out, size_t out_offset,
                                      cl_mem work, cl_uint num_wait, const cl_event *wait_list, cl_event *event);
#endif
