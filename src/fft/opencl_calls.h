#if CONVK_HAS_FFT_
CONVK_LOCAL_ size_t convk_cl_fft_work_size_(convk_cl *cl, const char *kind, const void *plan, size_t items) {
  convk_fft_plan_ copy;
  convk_cl_fft_cut_ cut;
  if (convk_cl_check_(cl) || convk_fft_plan_check_(NULL, plan, kind, &copy) ||
      convk_cl_fft_cut_of_(cl, &copy, sizeof(CONVK_T), items, &cut))
    return (size_t)-1;
  return cut.bytes;
}
CONVK_API_ size_t convk_cl_fftconv2d_work_size(convk_cl *cl, const void *plan, size_t items) {
  return convk_cl_fft_work_size_(cl, CONVK_FFT_KIND_(1), plan, items);
}
CONVK_API_ size_t convk_cl_fftconv2d_work_size_complex(convk_cl *cl, const void *plan, size_t items) {
  return convk_cl_fft_work_size_(cl, CONVK_FFT_KIND_(0), plan, items);
}

CONVK_LOCAL_ int convk_cl_fft_start_(convk_cl *cl, cl_command_queue queue, const char *kind, const void *plan,
                                     cl_mem device_plan, int direction, const convk_batch2d *batch, cl_mem kernel,
                                     size_t kernel_offset, cl_mem in, size_t in_offset, cl_mem out, size_t out_offset,
                                     cl_mem work, cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  convk_cl_fft_ job;
  memset(&job, 0, sizeof job);
  job.in = convk_cl_at_(in, in_offset);
  job.out = convk_cl_at_(out, out_offset);
  job.index = convk_cl_at_(kernel, kernel_offset);
  return convk_cl_fft_buffers_(cl, queue, kind, plan, direction, batch, device_plan, work, sizeof(CONVK_T), &job, num_wait,
                               wait_list, event);
}

CONVK_API_ int convk_cl_fftconv2d(convk_cl *cl, cl_command_queue queue, const void *plan, cl_mem device_plan,
                                  const convk_batch2d *batch, cl_mem kernel, size_t kernel_offset, cl_mem in, size_t in_offset,
                                  cl_mem out, size_t out_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list,
                                  cl_event *event) {
  return convk_cl_fft_start_(cl, queue, CONVK_FFT_KIND_(1), plan, device_plan, CONVK_FORWARD, batch, kernel, kernel_offset, in,
                             in_offset, out, out_offset, work, num_wait, wait_list, event);
}
CONVK_API_ int convk_cl_fftconv2d_complex(convk_cl *cl, cl_command_queue queue, const void *plan, cl_mem device_plan,
                                          const convk_batch2d *batch, cl_mem kernel, size_t kernel_offset, cl_mem in,
                                          size_t in_offset, cl_mem out, size_t out_offset, cl_mem work, cl_uint num_wait,
                                          const cl_event *wait_list, cl_event *event) {
  return convk_cl_fft_start_(cl, queue, CONVK_FFT_KIND_(0), plan, device_plan, CONVK_FORWARD, batch, kernel, kernel_offset, in,
                             in_offset, out, out_offset, work, num_wait, wait_list, event);
}

CONVK_API_ size_t convk_cl_fft2d_work_size_complex(convk_cl *cl, const void *plan, size_t items) {
  return convk_cl_fft_work_size_(cl, CONVK_FFT2D_KIND_, plan, items);
}
CONVK_API_ int convk_cl_fft2d_complex(convk_cl *cl, cl_command_queue queue, const void *plan, cl_mem device_plan, int direction,
                                      const convk_batch2d *batch, cl_mem in, size_t in_offset, cl_mem out, size_t out_offset,
                                      cl_mem work, cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  return convk_cl_fft_start_(cl, queue, CONVK_FFT2D_KIND_, plan, device_plan, direction, batch, NULL, 0, in, in_offset, out,
                             out_offset, work, num_wait, wait_list, event);
}

/* ---- what fft/host.h leaves to a device ---- */

CONVK_LOCAL_ int convk_fft_there_(convk_cl_host_ *host, const void *plan, const convk_fft_plan_ *p, int direction,
                                  const convk_batch2d *full, const CONVK_T *in, CONVK_T *out) {
  convk_cl_fft_ job;
  memset(&job, 0, sizeof job);
  job.element = sizeof(CONVK_T);
  job.plan = *p;
  job.full = *full;
  job.transform = !p->kernels;
  job.inverse = direction == CONVK_INVERSE;
  return convk_cl_fft_host_(host, &job, plan, in, out);
}
#endif
