
/* Bytes of work of fftconv2d on buffers for so many items: 0 where an item fits the local memory.  (size_t)-1: no such plan, or
   too little local memory. */
CONVK_LOCAL_ size_t CONVK_PRIVATE_(cl_fft_work_size)(convk_cl *cl, const char *kind, const void *plan, size_t items) {
  convk_fft_plan_ copy;
  convk_cl_fft_cut_ cut;
  if (convk_cl_check_(cl) || convk_fft_plan_check_(plan, kind, &copy) ||
      convk_cl_fft_cut_of_(cl, &copy, sizeof(CONVK_T), items, &cut))
    return (size_t)-1;
  return cut.bytes;
}
CONVK_API_ size_t CONVK_TYPED_(cl_fftconv2d_work_size)(convk_cl *cl, const void *plan, size_t items) {
  return CONVK_PRIVATE_(cl_fft_work_size)(cl, CONVK_FFT_KIND_(1), plan, items);
}
CONVK_API_ size_t CONVK_COMPLEX_(cl_fftconv2d_work_size)(convk_cl *cl, const void *plan, size_t items) {
  return CONVK_PRIVATE_(cl_fft_work_size)(cl, CONVK_FFT_KIND_(0), plan, items);
}

CONVK_LOCAL_ int CONVK_PRIVATE_(cl_fft)(convk_cl *cl, cl_command_queue queue, const char *kind, const void *plan,
                                      cl_mem device_plan, int direction, const convk_batch2d *batch, cl_mem kernel,
                                      size_t kernel_offset, cl_mem in, size_t in_offset, cl_mem out, size_t out_offset,
                                      cl_mem work, cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  convk_cl_fft_ job;
  memset(&job, 0, sizeof job);
  job.in.mem = in;
  job.in.offset = in_offset;
  job.out.mem = out;
  job.out.offset = out_offset;
  job.index.mem = kernel;
  job.index.offset = kernel_offset;
  return convk_cl_fft_buffers_(cl, queue, kind, plan, direction, batch, device_plan, work, sizeof(CONVK_T), &job, num_wait,
                               wait_list, event);
}

CONVK_API_ int CONVK_TYPED_(cl_fftconv2d)(convk_cl *cl, cl_command_queue queue, const void *plan, cl_mem device_plan,
                                          const convk_batch2d *batch, cl_mem kernel, size_t kernel_offset, cl_mem in,
                                          size_t in_offset, cl_mem out, size_t out_offset, cl_mem work, cl_uint num_wait,
                                          const cl_event *wait_list, cl_event *event) {
  return CONVK_PRIVATE_(cl_fft)(cl, queue, CONVK_FFT_KIND_(1), plan, device_plan, CONVK_FORWARD, batch, kernel, kernel_offset, in,
                                in_offset, out, out_offset, work, num_wait, wait_list, event);
}
CONVK_API_ int CONVK_COMPLEX_(cl_fftconv2d)(convk_cl *cl, cl_command_queue queue, const void *plan, cl_mem device_plan,
                                            const convk_batch2d *batch, cl_mem kernel, size_t kernel_offset, cl_mem in,
                                            size_t in_offset, cl_mem out, size_t out_offset, cl_mem work, cl_uint num_wait,
                                            const cl_event *wait_list, cl_event *event) {
  return CONVK_PRIVATE_(cl_fft)(cl, queue, CONVK_FFT_KIND_(0), plan, device_plan, CONVK_FORWARD, batch, kernel, kernel_offset, in,
                                in_offset, out, out_offset, work, num_wait, wait_list, event);
}

CONVK_API_ size_t CONVK_COMPLEX_(cl_fft2d_work_size)(convk_cl *cl, const void *plan, size_t items) {
  return CONVK_PRIVATE_(cl_fft_work_size)(cl, CONVK_EITHER_("fft2d c32", "fft2d c64"), plan, items);
}
CONVK_API_ int CONVK_COMPLEX_(cl_fft2d)(convk_cl *cl, cl_command_queue queue, const void *plan, cl_mem device_plan, int direction,
                                        const convk_batch2d *batch, cl_mem in, size_t in_offset, cl_mem out, size_t out_offset,
                                        cl_mem work, cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  return CONVK_PRIVATE_(cl_fft)(cl, queue, CONVK_EITHER_("fft2d c32", "fft2d c64"), plan, device_plan, direction, batch, NULL, 0,
                                in, in_offset, out, out_offset, work, num_wait, wait_list, event);
}

/* ---- host arrays ---- */

CONVK_LOCAL_ int CONVK_PRIVATE_(cl_fft_arrays)(const convk *hw, const char *kind, const void *plan, int direction,
                                             const convk_batch2d *batch, const CONVK_T *in, CONVK_T *out) {
  convk_cl_host_ *host = NULL;
  convk_cl_fft_ job;
  size_t span[2];
  int status = convk_cl_host_of_(hw, &host);
  memset(&job, 0, sizeof job);
  if (!status)
    status = convk_fft_check_(plan, kind, direction, batch, sizeof(CONVK_T), in && out, 0, &job.plan, &job.full, span);
  if (!status) status = convk_fft_places_(&job.plan, &job.full, sizeof(CONVK_T), span, (uintptr_t)in, (uintptr_t)out);
  if (status) return status;
  job.element = sizeof(CONVK_T);
  job.transform = !job.plan.kernels;
  job.inverse = direction == CONVK_INVERSE;
  return convk_cl_report_(hw, host, convk_cl_fft_host_(host, &job, plan, in, out));
}

/* convk_fftconv2d for a handle of "opencl": copies the batch, the plan's tables and the spectra in use, runs, waits; `work` is
   ignored.  Errors as there, and HANDLE for other handles, FP64, BUILD, DEVICE, UNSUPPORTED, with hw->message. */
CONVK_API_ int CONVK_VARIANT_(fftconv2d) CONVK_OP_FFTCONV2D_(CONVK_OP_PARAMETERS_, REAL, fftconv2d) {
  (void)work;
  (void)work_size;
  return CONVK_PRIVATE_(cl_fft_arrays)(hw, CONVK_FFT_KIND_(1), plan, CONVK_FORWARD, batch, in, out);
}
CONVK_API_ int CONVK_COMPLEX_VARIANT_(fftconv2d) CONVK_OP_FFTCONV2D_(CONVK_OP_PARAMETERS_, COMPLEX, complex_fftconv2d) {
  (void)work;
  (void)work_size;
  return CONVK_PRIVATE_(cl_fft_arrays)(hw, CONVK_FFT_KIND_(0), plan, CONVK_FORWARD, batch, in, out);
}
CONVK_API_ int CONVK_COMPLEX_VARIANT_(fft2d) CONVK_OP_FFT2D_(CONVK_OP_PARAMETERS_) {
  (void)work;
  (void)work_size;
  return CONVK_PRIVATE_(cl_fft_arrays)(hw, CONVK_EITHER_("fft2d c32", "fft2d c64"), plan, direction, batch, in, out);
}
