#if CONVK_HAS_FORMFACTOR_
CONVK_API_ size_t convk_cl_formfactor_work_size(const convk_cl *cl, size_t n, size_t nq) {
  size_t need;
  return !cl || convk_cl_form_need_(cl, sizeof(CONVK_T), n, nq, &need) ? 0 : need;
}

CONVK_API_ int convk_cl_formfactor(convk_cl *cl, cl_command_queue queue, const convk_cl_mesh *mesh,
                                   const convk_mesh_measures *measures, size_t nq, const convk_cl_q *q,
                                   const convk_formfactor_options *options, cl_mem f, size_t f_offset, cl_mem work,
                                   cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  const size_t count[6] = {nq, nq, nq, nq, nq, nq};
  convk_cl_form_ job;
  size_t need = 0;
  int status = convk_cl_check_(cl);
  memset(&job, 0, sizeof job);
  job.element = sizeof(CONVK_T);
  job.nq = nq;
  job.f = convk_cl_at_(f, f_offset);
  job.work = work;
  if (!status && (!queue || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status) status = convk_cl_form_check_(mesh, measures, q, options, 1, &job);
  if (!status) status = convk_cl_form_work_(cl, &job, 0, &need);
  if (!status) status = convk_cl_form_buffers_(cl, &job, nq, count, need);
  if (!status) status = convk_cl_form_run_(&chain, &job);
  return convk_cl_chain_end_(&chain, status, event);
}

CONVK_API_ size_t convk_cl_formfactor_grid_work_size(const convk_cl *cl, size_t n, const convk_grid3 *grid, int qz_imag) {
  convk_cl_form_cut_ cut;
  convk_cl_form_ job;
  convk_grid3 full;
  size_t span;
  memset(&job, 0, sizeof job);
  job.element = sizeof(CONVK_T);
  job.n = n;
  if (convk_cl_check_(cl) || convk_grid_check_(NULL, "grid", grid, 2 * sizeof(CONVK_T), &full, &span) ||
      convk_form_axes_of_(&full, qz_imag != 0, &job.axes) || convk_cl_form_cut_of_(cl, &job, &cut))
    return 0;
  return cut.bytes;
}

CONVK_API_ int convk_cl_formfactor_grid(convk_cl *cl, cl_command_queue queue, const convk_cl_mesh *mesh,
                                        const convk_mesh_measures *measures, const convk_grid3 *grid, const convk_cl_q *q,
                                        const convk_formfactor_options *options, cl_mem f, size_t f_offset, cl_mem work,
                                        cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  convk_cl_array mesh_at[12], q_at[3];
  convk_cl_form_ job;
  convk_grid3 full;
  size_t span = 0, need = 0, count[6] = {0, 0, 0, 0, 0, 0}, d;
  int status = convk_cl_check_(cl);
  memset(&job, 0, sizeof job);
  job.element = sizeof(CONVK_T);
  job.f = convk_cl_at_(f, f_offset);
  job.work = work;
  if (!status && (!queue || !grid || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status) status = convk_cl_form_check_(mesh, measures, q, options, 0, &job);
  if (!status) status = convk_grid_check_(NULL, "grid", grid, 2 * sizeof(CONVK_T), &full, &span);
  if (!status) status = convk_form_axes_of_(&full, job.imag, &job.axes);
  if (!status) status = convk_cl_form_work_(cl, &job, 1, &need);
  if (status) return status;
  memcpy(mesh_at, job.mesh, sizeof mesh_at);
  memcpy(q_at, job.q, sizeof q_at);
  for (d = 0; d < 12; d++) job.mesh[d] = mesh_at[d / 3 * 3 + (size_t)job.axes.axis[d % 3]];
  for (d = 0; d < 3; d++) {
    job.q[d] = q_at[job.axes.axis[d]];
    count[d] = job.axes.n[d];
  }
  count[3] = full.nz;
  status = convk_cl_form_buffers_(cl, &job, span, count, need);
  if (!status) status = convk_cl_form_grid_run_(&chain, &job);
  return convk_cl_chain_end_(&chain, status, event);
}

/* ---- what formfactor/host.h leaves to a device ---- */

typedef convk_cl_form_ convk_form_device_job_;

/* grid: NULL, or that of f without gaps. */
CONVK_LOCAL_ int convk_form_job_of_(const convk_form_call_ *call, const convk_grid3 *grid, convk_cl_form_ *job) {
  memset(job, 0, sizeof *job);
  job->element = sizeof(CONVK_T);
  job->nq = call->span;
  job->imag = (call->q[3] ? 1 : 0) + (call->q[4] ? 2 : 0) + (call->q[5] ? 4 : 0);
  job->rule = call->rule;
  job->body = call->body;
  job->unit = convk_form_unit_(&call->body, call->measures.area, sizeof(CONVK_T), call->rule.order == 2);
  return grid ? convk_form_axes_of_(grid, job->imag, &job->axes) : CONVK_OK;
}

/* q: all of them, from bytes `at` on. */
CONVK_LOCAL_ int convk_form_there_(convk_cl_host_ *host, convk_cl_form_ *job, const convk_form_call_ *call, cl_mem q,
                                   const size_t *at, cl_mem f) {
  const int grid = job->axes.nq > 0;
  const void *field[12];
  size_t need = 0, d;
  int status;
  for (d = 0; d < 12; d++) field[d] = call->field[grid ? d / 3 * 3 + (size_t)job->axes.axis[d % 3] : d];
  for (d = 0; d < 6; d++) {
    job->q[d] = convk_cl_at_(q, at[grid && d < 3 ? (size_t)job->axes.axis[d] : d] / sizeof(CONVK_T));
  }
  job->f.mem = f;
  job->n = call->n < CONVK_CL_FORM_PART_ ? call->n : CONVK_CL_FORM_PART_;
  status = convk_cl_form_work_(&host->cl, job, grid, &need);
  if (!status) status = convk_cl_buffer_(host, CONVK_DEVICE_WORK_, need, &job->work);
  return status ? status : convk_cl_form_parts_(host, job, call->n, field, grid ? convk_cl_form_grid_run_ : convk_cl_form_run_);
}
#endif
