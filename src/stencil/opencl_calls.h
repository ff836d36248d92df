
CONVK_LOCAL_ void CONVK_PRIVATE_(cl_stencil_begin)(const CONVK_PRIVATE_(stencil_job) *checked, convk_cl_stencil_ *job) {
  const CONVK_T *value = &checked->c.centre;
  size_t d;
  memset(job, 0, sizeof *job);
  job->element = sizeof(CONVK_T);
  job->grid = checked->grid;
  job->isotropic = checked->isotropic;
  for (d = 0; d < 7; d++) job->c[d] = (double)value[d];
  for (d = 0; d < 3; d++) {
    if (checked->boundary[d] == CONVK_PERIODIC) job->periodic |= 1 << d;
    job->first[d] = checked->first[d];
    job->count[d] = checked->count[d];
  }
}

/* A checked call on buffers: large enough, and apart. */
CONVK_LOCAL_ int CONVK_PRIVATE_(cl_stencil_buffers)(convk_cl *cl, cl_command_queue queue,
                                                  const CONVK_PRIVATE_(stencil_job) *checked, size_t steps, cl_mem a,
                                                  size_t a_offset, cl_mem b, size_t b_offset, cl_uint num_wait,
                                                  const cl_event *wait_list, cl_event *event) {
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  const size_t span = convk_cl_span_(&checked->grid);
  convk_cl_stencil_ job;
  convk_cl_part_ part[2];
  int status = convk_cl_precision_(cl, sizeof(CONVK_T), 0);
  CONVK_PRIVATE_(cl_stencil_begin)(checked, &job);
  job.depth = cl->stencil_steps;
  job.state[0] = convk_cl_at_(a, a_offset);
  job.state[1] = convk_cl_at_(b, b_offset);
  if (!status) status = convk_cl_part_of_(cl, a, a_offset, span, sizeof(CONVK_T), 1, &part[0]);
  if (!status) status = convk_cl_part_of_(cl, b, b_offset, span, sizeof(CONVK_T), 1, &part[1]);
  if (!status) status = convk_cl_apart_(part, 2);
  if (!status) status = convk_cl_stencil_run_(&chain, &job, steps);
  return convk_cl_chain_end_(&chain, status, event);
}

CONVK_API_ int CONVK_TYPED_(cl_stencil7)(convk_cl *cl, cl_command_queue queue, const convk_grid3 *grid,
                                         const CONVK_TYPED_(stencil7_coefficients) *coefficients, const int boundary[3],
                                         size_t steps, cl_mem a, size_t a_offset, cl_mem b, size_t b_offset, cl_mem *result,
                                         cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  CONVK_PRIVATE_(stencil_job) checked;
  int status = convk_cl_check_(cl);
  if (!status && (!queue || !a || !b || !result || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status) status = CONVK_PRIVATE_(stencil_check)(grid, coefficients, boundary, &checked);
  if (!status) status = CONVK_PRIVATE_(stencil_steps)(&checked, steps);
  if (!status)
    status =
        CONVK_PRIVATE_(cl_stencil_buffers)(cl, queue, &checked, steps, a, a_offset, b, b_offset, num_wait, wait_list, event);
  if (!status) *result = steps % 2 ? b : a;
  return status;
}

CONVK_API_ int CONVK_TYPED_(cl_stencil7_box)(convk_cl *cl, cl_command_queue queue, const convk_grid3 *grid,
                                             const CONVK_TYPED_(stencil7_coefficients) *coefficients, const int boundary[3],
                                             const size_t first[3], const size_t count[3], cl_mem a, size_t a_offset, cl_mem b,
                                             size_t b_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  CONVK_PRIVATE_(stencil_job) checked;
  int status = convk_cl_check_(cl);
  if (!status && (!queue || !a || !b || !first || !count || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status) status = CONVK_PRIVATE_(stencil_check)(grid, coefficients, boundary, &checked);
  if (!status) status = CONVK_PRIVATE_(stencil_box)(first, count, &checked);
  return status
             ? status
             : CONVK_PRIVATE_(cl_stencil_buffers)(cl, queue, &checked, 1, a, a_offset, b, b_offset, num_wait, wait_list, event);
}

/* For host arrays: the job's grid is that of the buffers. */
CONVK_LOCAL_ int CONVK_HARDWARE_(stencil_there)(convk_cl_host_ *host, const CONVK_PRIVATE_(stencil_job) *checked, size_t steps,
                                                cl_mem a, cl_mem b) {
  convk_cl_chain_ chain = convk_cl_chain_of_(&host->cl, host->queue, 0, NULL);
  convk_cl_stencil_ job;
  CONVK_PRIVATE_(cl_stencil_begin)(checked, &job);
  job.depth = host->hw->tuning.stencil_steps ? host->hw->tuning.stencil_steps : host->cl.stencil_steps;
  job.state[0].mem = a;
  job.state[1].mem = b;
  return convk_cl_chain_end_(&chain, convk_cl_stencil_run_(&chain, &job, steps), NULL);
}
