#if CONVK_HAS_FORMFACTOR_
/* ---- host arrays on a device ---- */

/* A checked call.  full: the caller's grid of f, in complex elements; a list is one row. */
CONVK_LOCAL_ int convk_form_arrays_(CONVK_DEVICE_(host) *host, convk_form_device_job_ *job, const convk_form_call_ *call,
                                    const convk_grid3 *full) {
  const size_t pair = 2 * sizeof(CONVK_T);
  CONVK_DEVICE_(memory) q = NULL, f = NULL;
  size_t at[7] = {0, 0, 0, 0, 0, 0, 0}, k; /* in bytes */
  int status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  for (k = 0; k < 6; k++) at[k + 1] = at[k] + (call->q[k] ? convk_round_up_(call->nq[k] * sizeof(CONVK_T), 256) : 0);
  status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, at[6], &q);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, full->nx * full->ny * full->nz * pair, &f);
  for (k = 0; k < 6 && !status; k++)
    if (at[k + 1] > at[k]) status = CONVK_DEVICE_(send)(host, q, at[k], call->nq[k] * sizeof(CONVK_T), call->q[k]);
  if (!status) status = convk_form_there_(host, job, call, q, at, f);
  if (!status) status = CONVK_DEVICE_(copy)(host, 1, f, full, pair, call->f);
  return CONVK_DEVICE_(end)(host, status);
}

/* What is left of a checked call.  grid: NULL, or that of f without gaps. */
CONVK_LOCAL_ int convk_form_run_(CONVK_DEVICE_(host) *host, convk_form_call_ *call, const convk_grid3 *grid,
                                 const convk_grid3 *full) {
  const int fields = call->rule.corners ? 12 : 6;
  convk_any_ *field[12];
  convk_form_device_job_ job;
  CONVK_T *room = NULL;
  int status = CONVK_OK;
  if (call->indexed && call->n) { /* triangles of faces are made here */
    room = (CONVK_T *)CONVK_MALLOC((size_t)fields * call->n * sizeof *room);
    if (!room) return CONVK_ERR_MEMORY;
    convk_mesh_block_(call->field, call->indexed, 0, call->n, fields, room, field);
    memcpy(call->field, field, sizeof field);
  }
  status = convk_form_job_of_(call, grid, &job);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 0);
  if (!status && call->span) status = convk_form_arrays_(host, &job, call, full);
  if (room) CONVK_FREE(room);
  return status;
}

/* For a handle of the device: copies, runs, waits; a large mesh comes in parts, while others are worked on.  Errors as in
   convk.h, and HANDLE for other handles, MEMORY, DEVICE, and with OpenCL FP64 and BUILD; `work` is ignored. */
CONVK_API_ int convk_formfactor_device CONVK_OP_FORMFACTOR_(CONVK_OP_PARAMETERS_) {
  const convk_form_about_ about = convk_form_about_of_(convk_message_(hw), "mesh", "->", 0);
  convk_grid3 row = {0, 1, 1, 0, 0};
  convk_form_call_ call;
  CONVK_DEVICE_(host) *host = NULL;
  int status = convk_begin_call_(hw);
  if (!status) status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_formfactor_check_(&about, mesh, NULL, q, options, f, &call);
  if (status) return status;
  row.nx = row.pitch_y = row.pitch_z = q->n;
  return convk_form_run_(host, &call, NULL, &row);
}

CONVK_LOCAL_ int convk_form_list_there_(const void *how, convk *hw, const convk_mesh *mesh, const convk_q *q,
                                        const convk_formfactor_options *options, CONVK_T *f) {
  (void)how;
  return convk_formfactor_device(hw, mesh, q, options, f);
}

CONVK_API_ int convk_formfactor_grid_device CONVK_OP_FORMFACTOR_GRID_(CONVK_OP_PARAMETERS_) {
  convk_form_call_ call;
  CONVK_DEVICE_(host) *host = NULL;
  convk_grid3 full, packed;
  int status = convk_begin_call_(hw);
  if (!status) status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)work;
  (void)work_size;
  if (!status) status = convk_formfactor_grid_check_(convk_message_(hw), mesh, NULL, grid, q, options, f, &full, &call);
  if (!status && call.rule.order && call.rule.order != 2)
    return convk_form_grid_by_list_(convk_form_list_there_, NULL, hw, mesh, &full, &call, options);
  if (status) return status;
  packed = convk_packed_(&full);
  return convk_form_run_(host, &call, &packed, &full);
}
#endif
