CONVK_LOCAL_ int CONVK_PRIVATE_(cl_map)(convk_cl *cl, cl_command_queue queue, int function, size_t n, cl_mem x, size_t x_offset,
                                      cl_mem y, size_t y_offset, cl_mem z, size_t z_offset, cl_uint num_wait,
                                      const cl_event *wait_list, cl_event *event) {
  convk_cl_map_ job;
  job.function = function;
  job.element = sizeof(CONVK_T);
  job.n = n;
  job.mem[0] = x;
  job.mem[1] = y;
  job.mem[2] = z ? z : y; /* an argument that the others do not use */
  job.offset[0] = x_offset;
  job.offset[1] = y_offset;
  job.offset[2] = z_offset;
  return convk_cl_map_buffers_(cl, queue, &job, num_wait, wait_list, event);
}

CONVK_API_ int CONVK_TYPED_(cl_exp)(convk_cl *cl, cl_command_queue queue, size_t n, cl_mem x, size_t x_offset, cl_mem y,
                                    size_t y_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  return CONVK_PRIVATE_(cl_map)(cl, queue, CONVK_MAP_EXP_, n, x, x_offset, y, y_offset, NULL, 0, num_wait, wait_list, event);
}

CONVK_API_ int CONVK_TYPED_(cl_expm1)(convk_cl *cl, cl_command_queue queue, size_t n, cl_mem x, size_t x_offset, cl_mem y,
                                      size_t y_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  return CONVK_PRIVATE_(cl_map)(cl, queue, CONVK_MAP_EXPM1_, n, x, x_offset, y, y_offset, NULL, 0, num_wait, wait_list, event);
}

CONVK_API_ int CONVK_TYPED_(cl_log)(convk_cl *cl, cl_command_queue queue, size_t n, cl_mem x, size_t x_offset, cl_mem y,
                                    size_t y_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  return CONVK_PRIVATE_(cl_map)(cl, queue, CONVK_MAP_LOG_, n, x, x_offset, y, y_offset, NULL, 0, num_wait, wait_list, event);
}

CONVK_API_ int CONVK_TYPED_(cl_sincos)(convk_cl *cl, cl_command_queue queue, size_t n, cl_mem x, size_t x_offset, cl_mem s,
                                       size_t s_offset, cl_mem c, size_t c_offset, cl_uint num_wait, const cl_event *wait_list,
                                       cl_event *event) {
  if (!c) return convk_cl_check_(cl) ? convk_cl_check_(cl) : CONVK_ERR_NULL;
  return CONVK_PRIVATE_(cl_map)(cl, queue, CONVK_MAP_SINCOS_, n, x, x_offset, s, s_offset, c, c_offset, num_wait, wait_list,
                                event);
}

CONVK_LOCAL_ int CONVK_HARDWARE_(map_there)(convk_cl_host_ *host, int function, size_t n, cl_mem first, cl_mem second) {
  convk_cl_chain_ chain = convk_cl_chain_of_(&host->cl, host->queue, 0, NULL);
  convk_cl_map_ job;
  memset(&job, 0, sizeof job);
  job.function = function;
  job.element = sizeof(CONVK_T);
  job.n = n;
  job.mem[0] = job.mem[1] = first;
  job.mem[2] = second ? second : first;
  return convk_cl_chain_end_(&chain, convk_cl_map_run_(&chain, &job), NULL);
}
