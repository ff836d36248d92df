/* ---- a checked call, CONVK_DEVICE_(form) ----
   of n triangles in `field` (as convk_mesh has them) and nq vectors of q (x, y, z, and imaginary parts of z, x, y), whose sums
   begin with `first` and end with `last`; f, and work memory from `base` on.  opencl.h and cuda.h have
     form_need(machine, job, &bytes)   bytes of work, and how the call is cut
     form_start(call, job)            the kernels
     form_stream(host, job, field)    the same for triangles of the host, which come in parts */

/* A job for so many values of q, on the axes of a grid, or without one. */
CONVK_LOCAL_ int convk_formfactor_job_of_(char *message, size_t n, size_t nq, const convk_grid3 *grid, int imag,
                                          CONVK_DEVICE_(form) *job) {
  memset(job, 0, sizeof *job);
  job->element = sizeof(CONVK_T);
  job->n = n;
  job->nq = nq;
  job->imag = imag;
  job->first = job->last = 1;
  job->tuned[0] = grid ? grid->nx : n;
  job->tuned[1] = grid ? grid->ny : nq;
  job->tuned[2] = grid ? grid->nz : 1;
  if (grid && convk_formfactor_axes_of_(grid, imag, &job->axes))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "grid is too large");
  return CONVK_OK;
}

/* The rule, the form and the body of a job, from the measures. */
CONVK_LOCAL_ void convk_formfactor_job_body_(const convk_mesh_measures *measures, const convk_formfactor_rule_ *rule,
                                             CONVK_DEVICE_(form) *job) {
  job->rule = *rule;
  job->body = convk_formfactor_body_of_(measures, rule);
  job->unit = convk_formfactor_unit_(&job->body, measures->area, sizeof(CONVK_T), rule->order == 2);
}

/* Bytes of work, or why there are none. */
CONVK_LOCAL_ int convk_formfactor_job_need_(char *message, CONVK_DEVICE_(machine) *machine, CONVK_DEVICE_(form) *job,
                                            size_t *need) {
  const int status = CONVK_DEVICE_(formfactor_need)(machine, job, need);
  if (status != CONVK_ERR_OVERFLOW) return status;
  return convk_refuse_names_(message, status, "$ is too large", job->axes.nq ? "grid" : "q->n", NULL);
}

/* ---- device memory ---- */

/* What all calls need. */
CONVK_LOCAL_ int convk_formfactor_needs_device_(char *message, const void *mesh, const void *measures, const void *q) {
  int status = convk_need_(message, "mesh", mesh);
  if (!status) status = convk_need_(message, "measures", measures);
  return status ? status : convk_need_(message, "q", q);
}

/* Both calls, which have looked at their sizes.  grid: of one, with its pitches; span: complex elements of f. */
CONVK_LOCAL_ int convk_formfactor_on_(CONVK_DEVICE_(frame) *call, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                      const convk_mesh_measures *measures, const CONVK_DEVICE_STRUCT_(q) * q,
                                      const convk_grid3 *grid, size_t span, const convk_formfactor_options *options,
                                      CONVK_ARRAY_(CONVK_T) f) {
  const convk_formfactor_about_ about = convk_formfactor_about_of_(call->message, "mesh", "->", 0);
  const size_t size = sizeof(CONVK_T);
  const int may = CONVK_PLACE_OPTIONAL_;
  convk_mesh_measures used;
  CONVK_DEVICE_(form) job;
  convk_formfactor_rule_ rule;
  size_t count[6], need = 0, d;
  int corners, imag[3];
  if (call->status) return CONVK_DEVICE_(frame_end)(call);
  imag[0] = CONVK_DEVICE_(is_set)(q->z_imag);
  imag[1] = CONVK_DEVICE_(is_set)(q->x_imag);
  imag[2] = CONVK_DEVICE_(is_set)(q->y_imag);
  used = *measures;
  call->status = convk_formfactor_option_(call->message, options);
  if (!call->status)
    call->status = convk_formfactor_job_of_(call->message, mesh->n, span, grid, imag[0] + 2 * imag[1] + 4 * imag[2], &job);
  if (call->status) return CONVK_DEVICE_(frame_end)(call);
  memcpy(job.field, (const char *)mesh + offsetof(CONVK_DEVICE_STRUCT_(mesh), ax), sizeof job.field);
  job.q[0] = q->x;
  job.q[1] = q->y;
  job.q[2] = q->z;
  job.q[3] = q->z_imag;
  job.q[4] = q->x_imag;
  job.q[5] = q->y_imag;
  job.f = f;
  for (corners = used.edge > 0, d = 6; d < 12; d++) corners = corners && CONVK_DEVICE_(is_set)(job.field[d]);
  rule = convk_formfactor_rule_of_(options, !grid && corners, imag[1] || imag[2], convk_formfactor_eps_(size));
  if (grid && rule.order && rule.order != 2)
    call->status =
        convk_refuse_(call->message, CONVK_ERR_OPTION,
                      "options->order is neither 0 nor 2, or options->form is CONVK_FORM_EXACT: not of a grid on a device");
  for (d = 0; d < 6; d++) count[d] = !grid ? span : d == 0 ? grid->nx : d == 1 ? grid->ny : grid->nz;
  for (d = 0; d < (rule.corners ? 12u : 6u); d++)
    CONVK_DEVICE_(frame_place)(call, convk_mesh_array_((int)d), job.field[d], mesh->n, size, mesh->n ? 0 : may);
  for (d = 0; d < 6; d++)
    CONVK_DEVICE_(frame_place)(call, convk_formfactor_q_((int)d), job.q[d], count[d], size, d < 3 && count[d] ? 0 : may);
  CONVK_DEVICE_(frame_place)(call, "f", f, 2 * span, size, CONVK_PLACE_WRITTEN_ | (span ? 0 : may));
  if (!call->status && rule.order == CONVK_FORMFACTOR_FITTED_ && used.area > 0 && !(used.edge > 0))
    call->status =
        convk_refuse_(call->message, CONVK_ERR_NULL, "measures->edge is 0: mesh_measure saw no corners, and they are needed");
  if (!call->status) call->status = convk_formfactor_choose_(&about, options, &used);
  if (!call->status) convk_formfactor_job_body_(&used, &rule, &job);
  CONVK_DEVICE_(frame_apart)(call);
  if (!call->status)
    call->status = convk_formfactor_job_need_(call->message, CONVK_DEVICE_(machine_of_call)(&call->call), &job, &need);
  if (CONVK_DEVICE_(frame_work)(call, need) && job.nq) {
    job.base = call->work;
    call->status = CONVK_DEVICE_(formfactor_start)(&call->call, &job);
  }
  return CONVK_DEVICE_(frame_end)(call);
}

CONVK_API_ int convk_formfactor_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                         const convk_mesh_measures *measures, const CONVK_DEVICE_STRUCT_(q) * q,
                                         const convk_formfactor_options *options, CONVK_ARRAY_(CONVK_T) f,
                                         CONVK_ARRAY_(void) work, size_t work_size) {
  CONVK_DEVICE_(frame) call = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size);
  size_t bytes;
  if (!call.status) call.status = convk_formfactor_needs_device_(call.message, mesh, measures, q);
  if (!call.status) call.status = convk_bytes_of_(call.message, "q->n", q->n, 2 * sizeof(CONVK_T), &bytes);
  return convk_formfactor_on_(&call, mesh, measures, q, NULL, call.status ? 0 : q->n, options, f);
}

CONVK_API_ int convk_formfactor_grid_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                              const convk_mesh_measures *measures, const convk_grid3 *grid,
                                              const CONVK_DEVICE_STRUCT_(q) * q, const convk_formfactor_options *options,
                                              CONVK_ARRAY_(CONVK_T) f, CONVK_ARRAY_(void) work, size_t work_size) {
  CONVK_DEVICE_(frame) call = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, work, work_size);
  convk_grid3 full;
  size_t span = 0;
  if (!call.status) call.status = convk_formfactor_needs_device_(call.message, mesh, measures, q);
  if (!call.status) call.status = convk_grid_check_(call.message, "grid", grid, 2 * sizeof(CONVK_T), &full, &span);
  if (!call.status && (CONVK_DEVICE_(is_set)(q->x_imag) || CONVK_DEVICE_(is_set)(q->y_imag)))
    call.status = convk_refuse_names_(call.message, CONVK_ERR_OPTION, "$ is given, and a tensor grid takes none",
                                      CONVK_DEVICE_(is_set)(q->x_imag) ? "q->x_imag" : "q->y_imag", NULL);
  return convk_formfactor_on_(&call, mesh, measures, q, &full, span, options, f);
}

/* Both queries.  grid: the caller's, or NULL of a list. */
CONVK_LOCAL_ int convk_formfactor_query_(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh, int on_grid,
                                         const convk_grid3 *grid, const CONVK_DEVICE_STRUCT_(q) * q, size_t *bytes) {
  CONVK_DEVICE_(machine) *machine = NULL;
  CONVK_DEVICE_(form) job;
  convk_grid3 full;
  char *message = NULL;
  size_t span = 0, need = 0;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = CONVK_DEVICE_(machine_of)(on, &machine);
  if (!status) status = convk_formfactor_needs_device_(message, mesh, bytes, q);
  if (!status && on_grid) status = convk_grid_check_(message, "grid", grid, 2 * sizeof(CONVK_T), &full, &span);
  if (!status)
    status = convk_formfactor_job_of_(message, mesh->n, on_grid ? span : q->n, on_grid ? &full : NULL,
                                      CONVK_DEVICE_(is_set)(q->z_imag), &job);
  if (!status) job.rule.order = 2; /* of a grid the one that needs most */
  if (!status) status = convk_formfactor_job_need_(message, machine, &job, &need);
  if (!status) *bytes = need;
  return status;
}

CONVK_API_ int convk_formfactor_work_size_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                                   const CONVK_DEVICE_STRUCT_(q) * q, size_t *bytes) {
  return convk_formfactor_query_(on, mesh, 0, NULL, q, bytes);
}

CONVK_API_ int convk_formfactor_grid_work_size_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(mesh) * mesh,
                                                        const convk_grid3 *grid, const CONVK_DEVICE_STRUCT_(q) * q,
                                                        size_t *bytes) {
  return convk_formfactor_query_(on, mesh, 1, grid, q, bytes);
}

/* ---- host arrays on a device ---- */

/* Triangles of a mesh come in parts of whole ranges, whose sums are doubles. */
typedef struct convk_formfactor_parts_ {
  CONVK_DEVICE_(form) *job;
  const void *const *field;
  size_t all, each, fields;
  CONVK_DEVICE_(memory) mesh;
} convk_formfactor_parts_;

CONVK_LOCAL_ int convk_formfactor_bring_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_formfactor_parts_ *const c = (const convk_formfactor_parts_ *)parts;
  const size_t s = sizeof(CONVK_T), begin = part * c->each, count = c->all - begin < c->each ? c->all - begin : c->each;
  size_t k;
  int status = CONVK_OK;
  for (k = 0; k < c->fields && count && !status; k++)
    status = CONVK_DEVICE_(send)(host, c->mesh, (slot * c->fields + k) * c->each * s, count * s,
                                 (const CONVK_T *)c->field[k] + begin);
  return status;
}

CONVK_LOCAL_ int convk_formfactor_work_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_formfactor_parts_ *const c = (const convk_formfactor_parts_ *)parts;
  const size_t s = sizeof(CONVK_T), begin = part * c->each;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  size_t k;
  for (k = 0; k < c->fields && c->mesh; k++)
    c->job->field[k] = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(c->mesh), (slot * c->fields + k) * c->each * s, s);
  c->job->n = c->all - begin < c->each ? c->all - begin : c->each;
  c->job->first = !part;
  c->job->last = begin + c->job->n == c->all;
  return CONVK_DEVICE_(call_end)(&call, CONVK_DEVICE_(formfactor_start)(&call, c->job));
}

/* once: bytes beside the mesh.  The last part ends the sums. */
CONVK_LOCAL_ int convk_formfactor_stream_(CONVK_DEVICE_(host) *host, CONVK_DEVICE_(form) *job, const void *const field[12],
                                          size_t once) {
  const size_t s = sizeof(CONVK_T), range = CONVK_FORMFACTOR_RANGE_;
  convk_formfactor_parts_ c;
  size_t parts, ranges = convk_ceil_(job->n, range);
  int status;
  memset(&c, 0, sizeof c);
  c.job = job;
  c.field = field;
  c.all = job->n;
  c.fields = job->rule.corners ? 12 : 6;
  if (!ranges) ranges = 1;
  status = CONVK_DEVICE_(parts_of)(host, ranges, c.fields * range * s, 0, once, 1, &c.each);
  c.each = c.each == ranges ? c.all : c.each * range;
  parts = c.each ? convk_ceil_(c.all, c.each) : 1;
  if (!status && c.all)
    status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_0_, (parts > 1 ? CONVK_SLOTS_ : 1) * c.each * c.fields * s, &c.mesh);
  if (!status) status = CONVK_DEVICE_(parts_run)(host, parts, convk_formfactor_bring_, convk_formfactor_work_, NULL, &c);
  return status;
}

/* A checked call.  full: the caller's grid of f, in complex elements; a list is one row. */
CONVK_LOCAL_ int convk_formfactor_arrays_(CONVK_DEVICE_(host) *host, CONVK_DEVICE_(form) *job,
                                          const convk_formfactor_call_ *call, const convk_grid3 *full) {
  const size_t pair = 2 * sizeof(CONVK_T);
  CONVK_DEVICE_(call) device_call = CONVK_DEVICE_(call_on)(host);
  CONVK_DEVICE_(memory) q = NULL, f = NULL, work = NULL;
  const void *field[12];
  size_t at[7] = {0, 0, 0, 0, 0, 0, 0}, need = 0, k; /* in bytes */
  int status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  for (k = 0; k < 12; k++) field[k] = call->field[k];
  for (k = 0; k < 6; k++) at[k + 1] = at[k] + (call->q[k] ? convk_round_up_(call->nq[k] * sizeof(CONVK_T), 256) : 0);
  status = convk_formfactor_job_need_(device_call.message, CONVK_DEVICE_(machine_of_call)(&device_call), job, &need);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, at[6], &q);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, full->nx * full->ny * full->nz * pair, &f);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, need, &work);
  for (k = 0; k < 6 && !status; k++)
    if (at[k + 1] > at[k]) status = CONVK_DEVICE_(send)(host, q, at[k], call->nq[k] * sizeof(CONVK_T), call->q[k]);
  for (k = 0; k < 6 && !status; k++)
    if (call->q[k]) job->q[k] = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(q), at[k], sizeof(CONVK_T));
  job->f = CONVK_DEVICE_(array_of)(f);
  job->base = CONVK_DEVICE_(array_of)(work);
  if (!status) status = convk_formfactor_stream_(host, job, field, at[6] + full->nx * full->ny * full->nz * pair + need);
  if (!status) status = CONVK_DEVICE_(copy)(host, 1, f, full, pair, call->f);
  return CONVK_DEVICE_(end)(host, status);
}

/* What is left of a checked call.  grid: NULL, or that of f without gaps. */
CONVK_LOCAL_ int convk_formfactor_run_(CONVK_DEVICE_(host) *host, convk_formfactor_call_ *call, const convk_grid3 *grid,
                                       const convk_grid3 *full) {
  const int fields = call->rule.corners ? 12 : 6, imag = (call->q[3] ? 1 : 0) + (call->q[4] ? 2 : 0) + (call->q[5] ? 4 : 0);
  convk_any_ *field[12];
  CONVK_DEVICE_(form) job;
  CONVK_T *room = NULL;
  int status = CONVK_OK;
  if (call->indexed && call->n) { /* triangles of faces are made here */
    room = (CONVK_T *)CONVK_MALLOC((size_t)fields * call->n * sizeof *room);
    if (!room) return CONVK_ERR_MEMORY;
    convk_mesh_block_(call->field, call->indexed, 0, call->n, fields, room, field);
    memcpy(call->field, field, sizeof field);
  }
  status = convk_formfactor_job_of_(call->about.message, call->n, call->span, grid, imag, &job);
  convk_formfactor_job_body_(&call->measures, &call->rule, &job);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 0);
  if (!status && call->span) status = convk_formfactor_arrays_(host, &job, call, full);
  if (room) CONVK_FREE(room);
  return status;
}

/* For a handle of the device: copies, runs, waits; a large mesh comes in parts, while others are worked on.  Errors as in
   convk.h, and HANDLE for other handles, MEMORY, DEVICE, and with OpenCL FP64 and BUILD; `work` is ignored. */
CONVK_API_ int convk_formfactor_device(convk *hw, const convk_mesh *mesh, const convk_q *q,
                                       const convk_formfactor_options *options, CONVK_T *f) {
  const convk_formfactor_about_ about = convk_formfactor_about_of_(convk_message_(hw), "mesh", "->", 0);
  convk_grid3 row = {0, 1, 1, 0, 0};
  convk_formfactor_call_ call;
  CONVK_DEVICE_(host) *host = NULL;
  int status = convk_begin_call_(hw);
  if (!status) status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_formfactor_checked_(&about, mesh, q, options, f, &call);
  if (status) return status;
  row.nx = row.pitch_y = row.pitch_z = q->n;
  return convk_formfactor_run_(host, &call, NULL, &row);
}

CONVK_LOCAL_ int convk_formfactor_list_device_(const void *how, convk *hw, const convk_mesh *mesh, const convk_q *q,
                                               const convk_formfactor_options *options, CONVK_T *f) {
  (void)how;
  return convk_formfactor_device(hw, mesh, q, options, f);
}

CONVK_API_ int convk_formfactor_grid_device(convk *hw, const convk_mesh *mesh, const convk_grid3 *grid, const convk_q *q,
                                            const convk_formfactor_options *options, CONVK_T *f, void *work, size_t work_size) {
  convk_formfactor_call_ call;
  CONVK_DEVICE_(host) *host = NULL;
  convk_grid3 full, packed;
  int status = convk_begin_call_(hw);
  if (!status) status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)work;
  (void)work_size;
  if (!status) status = convk_formfactor_grid_check_(convk_message_(hw), mesh, grid, q, options, f, &full, &call);
  if (!status && call.rule.order && call.rule.order != 2)
    return convk_formfactor_grid_by_list_(convk_formfactor_list_device_, NULL, hw, mesh, &full, &call, options);
  if (status) return status;
  packed = convk_packed_(&full);
  return convk_formfactor_run_(host, &call, &packed, &full);
}
