
CONVK_API_ size_t CONVK_TYPED_(cl_formfactor_work_size)(const convk_cl *cl, size_t n, size_t nq) {
  size_t need;
  return !cl || convk_cl_form_need_(cl, sizeof(CONVK_T), n, nq, &need) ? 0 : need;
}

CONVK_API_ int CONVK_TYPED_(cl_formfactor)(convk_cl *cl, cl_command_queue queue, const convk_cl_mesh *mesh,
                                           const convk_mesh_measures *measures, size_t nq, const convk_cl_q *q,
                                           const convk_formfactor_options *options, cl_mem f, size_t f_offset, cl_mem work,
                                           cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  const size_t count[4] = {nq, nq, nq, nq};
  convk_cl_form_ job;
  size_t need = 0;
  int status = convk_cl_check_(cl);
  memset(&job, 0, sizeof job);
  job.element = sizeof(CONVK_T);
  job.nq = nq;
  job.f.mem = f;
  job.f.offset = f_offset;
  job.work = work;
  if (!status && (!queue || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status) status = convk_cl_form_check_(mesh, measures, q, options, &job);
  if (!status) status = convk_cl_form_work_(cl, &job, 0, &need);
  if (!status) status = convk_cl_form_buffers_(cl, &job, nq, count, need);
  if (!status) status = convk_cl_form_run_(&chain, &job);
  if (!status && event) status = convk_cl_chain_mark_(&chain);
  return convk_cl_chain_end_(&chain, status, event);
}

CONVK_API_ size_t CONVK_TYPED_(cl_formfactor_grid_work_size)(const convk_cl *cl, size_t n, const convk_grid3 *grid,
                                                             int qz_imag) {
  convk_cl_form_cut_ cut;
  convk_cl_form_ job;
  convk_grid3 full;
  size_t span;
  job.element = sizeof(CONVK_T);
  job.n = n;
  if (convk_cl_check_(cl) || convk_grid_check_(grid, 2 * sizeof(CONVK_T), &full, &span) ||
      convk_form_axes_of_(&full, qz_imag != 0, &job.axes) || convk_cl_form_cut_of_(cl, &job, &cut))
    return 0;
  return cut.bytes;
}

CONVK_API_ int CONVK_TYPED_(cl_formfactor_grid)(convk_cl *cl, cl_command_queue queue, const convk_cl_mesh *mesh,
                                                const convk_mesh_measures *measures, const convk_grid3 *grid,
                                                const convk_cl_q *q, const convk_formfactor_options *options, cl_mem f,
                                                size_t f_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list,
                                                cl_event *event) {
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  convk_cl_array mesh_at[6], q_at[3];
  convk_cl_form_ job;
  convk_grid3 full;
  size_t span = 0, need = 0, count[4], d;
  int status = convk_cl_check_(cl);
  memset(&job, 0, sizeof job);
  job.element = sizeof(CONVK_T);
  job.f.mem = f;
  job.f.offset = f_offset;
  job.work = work;
  if (!status && (!queue || !grid || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status && options && options->fourth_order) status = CONVK_ERR_OPTION;
  if (!status) status = convk_cl_form_check_(mesh, measures, q, options, &job);
  if (!status) status = convk_grid_check_(grid, 2 * sizeof(CONVK_T), &full, &span);
  if (!status) status = convk_form_axes_of_(&full, job.imag, &job.axes);
  if (!status) status = convk_cl_form_work_(cl, &job, 1, &need);
  if (status) return status;
  memcpy(mesh_at, job.mesh, sizeof mesh_at);
  memcpy(q_at, job.q, sizeof q_at);
  for (d = 0; d < 3; d++) {
    job.mesh[d] = mesh_at[job.axes.axis[d]];
    job.mesh[3 + d] = mesh_at[3 + job.axes.axis[d]];
    job.q[d] = q_at[job.axes.axis[d]];
    count[d] = job.axes.n[d];
  }
  count[3] = full.nz;
  status = convk_cl_form_buffers_(cl, &job, span, count, need);
  if (!status) status = convk_cl_form_grid_run_(&chain, &job);
  return convk_cl_chain_end_(&chain, status, event);
}

/* ---- host arrays ---- */

/* The checked call, to a device.  grid: whether its axes are those of job->axes; else it is a list. */
CONVK_LOCAL_ int CONVK_PRIVATE_(cl_form_arrays)(const convk *hw, convk_cl_host_ *host, const CONVK_PRIVATE_(form_call) *call,
                                              int grid, const convk_grid3 *full, convk_cl_form_ *job) {
  const void *field[12], *q[4];
  size_t nq[4], d;
  job->element = sizeof(CONVK_T);
  job->n = call->n;
  job->nq = call->span;
  job->imag = call->q[3] != NULL;
  job->fourth_order = call->fourth_order;
  job->body = convk_form_body_of_(&call->measures);
  for (d = 0; d < 12; d++) field[d] = call->field[grid && d < 6 ? d / 3 * 3 + (size_t)job->axes.axis[d % 3] : d];
  for (d = 0; d < 4; d++) {
    q[d] = call->q[grid && d < 3 ? (size_t)job->axes.axis[d] : d];
    nq[d] = grid && d < 3 ? job->axes.n[d] : call->nq[d];
  }
  return convk_cl_report_(hw, host, convk_cl_form_host_(host, job, grid, field, q, nq, full, call->f));
}

/* convk_formfactor for a handle of "opencl": copies, runs, waits; a large mesh goes up in parts while the last is worked on.
   Errors as there, and HANDLE for other handles, FP64, BUILD, DEVICE, with hw->message. */
CONVK_API_ int CONVK_VARIANT_(formfactor) CONVK_OP_FORMFACTOR_(CONVK_OP_PARAMETERS_) {
  const convk_grid3 row = {nq, 1, 1, nq, nq};
  CONVK_PRIVATE_(form_call) call;
  convk_cl_host_ *host = NULL;
  convk_cl_form_ job;
  int status = convk_cl_host_of_(hw, &host);
  memset(&job, 0, sizeof job);
  if (!status) status = CONVK_PRIVATE_(formfactor_check)(mesh, NULL, nq, qx, qy, qz, qz_imag, options, f, &call);
  if (!status && !nq) status = convk_cl_report_(hw, host, convk_cl_precision_(&host->cl, sizeof(CONVK_T), 0));
  return status || !nq ? status : CONVK_PRIVATE_(cl_form_arrays)(hw, host, &call, 0, &row, &job);
}

CONVK_API_ int CONVK_VARIANT_(formfactor_grid) CONVK_OP_FORMFACTOR_GRID_(CONVK_OP_PARAMETERS_) {
  CONVK_PRIVATE_(form_call) call;
  convk_cl_host_ *host = NULL;
  convk_cl_form_ job;
  convk_grid3 full, packed;
  int status = convk_cl_host_of_(hw, &host);
  (void)work;
  (void)work_size;
  memset(&job, 0, sizeof job);
  if (!status) status = CONVK_PRIVATE_(formfactor_grid_check)(mesh, NULL, grid, qx, qy, qz, qz_imag, options, f, &full, &call);
  if (status) return status;
  packed = convk_cl_packed_(&full);
  status = convk_form_axes_of_(&packed, qz_imag != NULL, &job.axes);
  return status ? status : CONVK_PRIVATE_(cl_form_arrays)(hw, host, &call, 1, &full, &job);
}
