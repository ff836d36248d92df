/* ---- amplitudes on a device ---- */

/* Starts stage a->stage: opencl_calls.h, cuda.h. */
CONVK_LOCAL_ int convk_amplitudes_start_(CONVK_DEVICE_(call) *call, convk_amplitudes_arguments_ *a,
                                         const convk_atoms_resident *atoms, const CONVK_DEVICE_STRUCT_(q) * q,
                                         CONVK_ARRAY_(CONVK_T) f, CONVK_ARRAY_(void) work);

/* Rows and lanes that a group of so many items has. */
CONVK_LOCAL_ void convk_amplitudes_tile_of_(size_t items, size_t *tall, size_t *wide) {
  const size_t across = convk_least_(items, CONVK_AMPLITUDES_ACROSS_);
  *tall = items / across * CONVK_AMPLITUDES_EACH_;
  *wide = across * CONVK_AMPLITUDES_EACH_;
}

/* Bytes of shared memory that a stage takes. */
CONVK_LOCAL_ size_t convk_amplitudes_tile_bytes_(const convk_amplitudes_arguments_ *a, size_t items) {
  size_t tall, wide;
  convk_amplitudes_tile_of_(items, &tall, &wide);
  if (a->stage == CONVK_AMPLITUDES_LIST_ || a->stage == CONVK_AMPLITUDES_DAMPED_)
    return 4 * CONVK_AMPLITUDES_BLOCK_ * sizeof(CONVK_T);
  if (a->stage == CONVK_AMPLITUDES_ROWS_)
    return CONVK_AMPLITUDES_ATOMS_ * (tall + CONVK_AMPLITUDES_PAD_ + 2 * wide) * sizeof(CONVK_T);
  return items * sizeof(uint32_t);
}

/* Groups of a stage, which take what there is for more. */
CONVK_LOCAL_ size_t convk_amplitudes_groups_(const convk_amplitudes_arguments_ *a, size_t items) {
  const size_t most = 65535;
  size_t tall, wide, groups = 1, d;
  convk_amplitudes_tile_of_(items, &tall, &wide);
  if (a->stage == CONVK_AMPLITUDES_PHASE_)
    groups = convk_ceil_(convk_least_(a->n[0] + a->n[1] + a->n[2], most * items) * a->batch, items);
  if (a->stage == CONVK_AMPLITUDES_GIVE_) groups = convk_ceil_(a->results, items);
  if (a->stage == CONVK_AMPLITUDES_LIST_ || a->stage == CONVK_AMPLITUDES_DAMPED_)
    groups = convk_ceil_(a->n[0], items * CONVK_AMPLITUDES_POINTS_) * convk_ceil_(a->batch, CONVK_AMPLITUDES_BLOCK_);
  for (d = 0; d < 3 && a->stage == CONVK_AMPLITUDES_ROWS_; d++) { /* any axis may be that of the lanes */
    const size_t some = convk_ceil_(convk_least_(2 * (a->results / a->n[d]), most * tall), tall) * convk_ceil_(a->n[d], wide);
    if (some > groups) groups = some;
  }
  return convk_least_(groups, most);
}

/* What all stages take, of a grid of n[0] n[1] n[2] nodes, or a list of n[0], imag: with complex q_z; and bytes of work, of
   which the table has `limit` at most, if that is enough for a block. */
CONVK_LOCAL_ int convk_amplitudes_arguments_of_(char *message, const convk_amplitudes_job_ *job, const size_t n[3], int tensor,
                                                int imag, size_t limit, convk_amplitudes_arguments_ *a, size_t *need) {
  const size_t results = tensor ? n[0] * n[1] * n[2] : n[0], block = CONVK_AMPLITUDES_BLOCK_;
  const size_t octants = tensor ? 8 * convk_ceil_(n[0], 2) * convk_ceil_(n[1], 2) * convk_ceil_(n[2], 2) : 0;
  const size_t sums = !tensor                 ? (size_t)(2 + imag) * results
                      : octants > 4 * results ? octants
                                              : 4 * results; /* which overflow first */
  const size_t blocks = job->n ? convk_ceil_(job->n, block) : 1, d8 = sizeof(double);
  const int together = job->kinds > 1 && job->output != CONVK_AMPLITUDES_KINDS;
  size_t at[CONVK_AMPLITUDES_PLACES_], end = 0, each = 0, k;
  int status;
  memset(a, 0, sizeof *a);
  status = results > (size_t)-1 / 512 || n[0] > (size_t)-1 / 2048 || n[1] > (size_t)-1 / 2048 || n[2] > (size_t)-1 / 2048
               ? CONVK_ERR_OVERFLOW
               : CONVK_OK;
  if (!status)
    each = (tensor ? 2 * block * (n[0] + n[1] + n[2]) : (size_t)(2 + imag) * results) * sizeof(CONVK_T); /* of a block */
  if (!each) each = 1;
  if (!status) status = convk_reserve_(&end, sums, 1, 1, d8, &at[CONVK_AMPLITUDES_SUMS_AT_]);
  if (!status) status = convk_reserve_(&end, together ? 2 * results : 0, 1, 1, d8, &at[CONVK_AMPLITUDES_TOTALS_AT_]);
  if (!status)
    status =
        convk_reserve_(&end, job->output == CONVK_AMPLITUDES_MEAN ? results : 0, 1, 1, d8, &at[CONVK_AMPLITUDES_MEANS_AT_]);
  if (!status) status = convk_reserve_(&end, 1, 1, 1, d8, &at[CONVK_AMPLITUDES_WEIGHT_AT_]);
  if (limit < each) limit = each;
  if (!status)
    status = convk_reserve_(&end, blocks <= limit / each ? blocks * each : limit, 1, 1, 1, &at[CONVK_AMPLITUDES_TABLE_AT_]);
  if (!status) status = convk_reserve_(&end, job->n + job->kinds + 4, 1, 1, sizeof(uint32_t), &at[CONVK_AMPLITUDES_ORDER_AT_]);
  if (status) return convk_refuse_(message, status, "atoms and q need more work than can be counted in bytes");
  *need = end + 256;
  for (k = 0; k < CONVK_AMPLITUDES_PLACES_; k++) a->place[k] = at[k];
  for (k = 0; k < (tensor ? 3u : 1u); k++) a->n[k] = n[k];
  memcpy(a->inverse, job->cell.inverse, sizeof a->inverse);
  a->batch = convk_least_(blocks, limit / each) * block;
  a->results = results;
  a->frames = (double)job->frames;
  a->atoms = (uint32_t)job->n;
  a->kinds = (uint32_t)job->kinds;
  a->in_cell = (uint32_t)job->in_cell;
  a->tensor = (uint32_t)tensor;
  a->imag = (uint32_t)imag;
  a->mean = job->output == CONVK_AMPLITUDES_MEAN;
  a->scattered = job->scatterers != NULL;
  return CONVK_OK;
}

/* Queues frame number `frame` of atoms that are on the device.  f has its first kind as set number `set`, others behind it. */
CONVK_LOCAL_ int convk_amplitudes_frame_start_(CONVK_DEVICE_(call) *call, const convk_amplitudes_job_ *job,
                                               convk_amplitudes_arguments_ *a, size_t frame, const convk_atoms_resident *atoms,
                                               const CONVK_DEVICE_STRUCT_(q) * q, size_t set, size_t apart,
                                               CONVK_ARRAY_(CONVK_T) f, CONVK_ARRAY_(void) work) {
  const int kinds = job->output == CONVK_AMPLITUDES_KINDS;
  int status = CONVK_OK;
  a->has_kind = (uint32_t)CONVK_DEVICE_(is_set)(atoms->kind);
  a->has_weight = (uint32_t)CONVK_DEVICE_(is_set)(atoms->weight);
  a->first_frame = !frame;
  a->last_frame = frame + 1 == job->frames;
  a->stage = CONVK_AMPLITUDES_SELECT_;
  for (a->kind = 0; a->kind < a->kinds && !frame && !status; a->kind++)
    status = convk_amplitudes_start_(call, a, atoms, q, f, work);
  a->stage = CONVK_AMPLITUDES_MIRROR_;
  if (!status && a->tensor && !frame) status = convk_amplitudes_start_(call, a, atoms, q, f, work);
  for (a->kind = 0; a->kind < a->kinds && !status; a->kind++) {
    if (job->scatterers) a->scatterer = job->scatterers[a->kind];
    a->first_kind = kinds || !a->kind;
    a->last_kind = kinds || a->kind + 1 == a->kinds;
    a->to = (set + (kinds ? a->kind : 0)) * apart;
    for (a->first = 0; (!a->first || a->first < a->atoms) && !status; a->first += a->batch) {
      a->fresh = !a->first;
      a->last = a->first + a->batch >= a->atoms;
      a->stage = a->tensor ? CONVK_AMPLITUDES_PHASE_ : a->imag ? CONVK_AMPLITUDES_DAMPED_ : CONVK_AMPLITUDES_LIST_;
      status = convk_amplitudes_start_(call, a, atoms, q, f, work);
      a->stage = a->tensor ? CONVK_AMPLITUDES_ROWS_ : CONVK_AMPLITUDES_GIVE_;
      if (!status) status = convk_amplitudes_start_(call, a, atoms, q, f, work);
    }
    a->stage = CONVK_AMPLITUDES_GIVE_;
    if (!status && a->tensor) status = convk_amplitudes_start_(call, a, atoms, q, f, work);
  }
  return status;
}

/* ---- device memory ---- */

/* The same on the host, without arrays. */
CONVK_LOCAL_ int convk_amplitudes_resident_plan_(char *message, const convk_atoms_resident *atoms,
                                                 const convk_amplitude_options *options, convk_atoms *of,
                                                 convk_amplitudes_job_ *job) {
  size_t need;
  memset(of, 0, sizeof *of);
  if (!atoms) return convk_need_(message, "atoms", atoms);
  of->n = atoms->n;
  of->frames = atoms->frames;
  of->stride = atoms->stride;
  return convk_amplitudes_plan_(message, of, options, job, &need);
}

/* Calls and queries of both.  full: of a grid; else NULL, of a list. */
CONVK_LOCAL_ int convk_amplitudes_on_(CONVK_DEVICE_(frame) *frame, const convk_atoms_resident *atoms, const convk_grid3 *full,
                                      const CONVK_DEVICE_STRUCT_(q) * q, const convk_amplitude_options *options,
                                      CONVK_ARRAY_(CONVK_T) f) {
  const size_t s = sizeof(CONVK_T);
  size_t n[3] = {0, 1, 1}, span = 0, elements = 0, need = 0, i;
  convk_amplitudes_arguments_ a;
  convk_amplitudes_job_ job;
  convk_atoms of;
  if (!frame->status) frame->status = convk_amplitudes_resident_plan_(frame->message, atoms, options, &of, &job);
  if (!frame->status && !(frame->query && full)) frame->status = convk_need_(frame->message, "q", q);
  if (frame->status) return CONVK_DEVICE_(frame_end)(frame);
  n[0] = full ? full->nx : q->n;
  n[1] = full ? full->ny : 1;
  n[2] = full ? full->nz : 1;
  job.apart = full ? full->nz * full->pitch_z : n[0];
  span = full ? (n[2] - 1) * full->pitch_z + (n[1] - 1) * full->pitch_y + n[0] : n[0];
  if (!frame->query) {
    frame->status = convk_amplitudes_elements_(frame->message,
                                               CONVK_DEVICE_(is_set)(q->x_imag)           ? "q->x_imag"
                                               : CONVK_DEVICE_(is_set)(q->y_imag)         ? "q->y_imag"
                                               : full && CONVK_DEVICE_(is_set)(q->z_imag) ? "q->z_imag"
                                                                                          : NULL,
                                               full != NULL, span, &job, &elements);
    if (!frame->status) frame->status = convk_amplitudes_parameters_(frame->message, options, &job);
  }
  if (!frame->status)
    frame->status = convk_amplitudes_arguments_of_(frame->message, &job, n, full != NULL, q && CONVK_DEVICE_(is_set)(q->z_imag),
                                                   CONVK_AMPLITUDES_BYTES_, &a, &need);
  if (!frame->status && !frame->query) {
    const size_t all = job.n ? (job.frames - 1) * job.stride + job.n : 0;
    const int some = job.n ? 0 : CONVK_PLACE_OPTIONAL_, any = n[0] ? 0 : CONVK_PLACE_OPTIONAL_;
    CONVK_DEVICE_(frame_place)(frame, "atoms->x", atoms->x, all, s, some);
    CONVK_DEVICE_(frame_place)(frame, "atoms->y", atoms->y, all, s, some);
    CONVK_DEVICE_(frame_place)(frame, "atoms->z", atoms->z, all, s, some);
    CONVK_DEVICE_(frame_place)(frame, "atoms->kind", atoms->kind, job.n, sizeof(uint32_t), CONVK_PLACE_OPTIONAL_);
    CONVK_DEVICE_(frame_place)(frame, "atoms->weight", atoms->weight, job.n, s, CONVK_PLACE_OPTIONAL_);
    CONVK_DEVICE_(frame_place)(frame, "q->x", q->x, n[0], s, any);
    CONVK_DEVICE_(frame_place)(frame, "q->y", q->y, full ? n[1] : n[0], s, any);
    CONVK_DEVICE_(frame_place)(frame, "q->z", q->z, full ? n[2] : n[0], s, any);
    CONVK_DEVICE_(frame_place)(frame, "q->z_imag", q->z_imag, n[0], s, CONVK_PLACE_OPTIONAL_);
    CONVK_DEVICE_(frame_place)(frame, "f", f, elements, s, CONVK_PLACE_WRITTEN_ | any);
  }
  if (CONVK_DEVICE_(frame_work)(frame, need) && n[0]) {
    a.pitch_y = full ? full->pitch_y : 0;
    a.pitch_z = full ? full->pitch_z : 0;
    for (i = 0; i < job.frames && !frame->status; i++) {
      a.frame = i * job.stride;
      frame->status = convk_amplitudes_frame_start_(&frame->call, &job, &a, i, atoms, q,
                                                    job.output == CONVK_AMPLITUDES_KINDS  ? i * job.kinds
                                                    : job.output == CONVK_AMPLITUDES_MEAN ? 0
                                                                                          : i,
                                                    job.apart, f, frame->work);
    }
  }
  return CONVK_DEVICE_(frame_end)(frame);
}

CONVK_API_ int convk_amplitudes_work_size_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms,
                                                   const CONVK_DEVICE_STRUCT_(q) * q, const convk_amplitude_options *options,
                                                   size_t *bytes) {
  CONVK_DEVICE_(frame) frame = CONVK_DEVICE_(frame_query)(on, bytes);
  return convk_amplitudes_on_(&frame, atoms, NULL, q, options, CONVK_DEVICE_(none)());
}

CONVK_API_ int convk_amplitudes_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms, const CONVK_DEVICE_STRUCT_(q) * q,
                                         const convk_amplitude_options *options, CONVK_ARRAY_(CONVK_T) f,
                                         CONVK_ARRAY_(void) work, size_t work_size) {
  CONVK_DEVICE_(frame) frame = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size);
  return convk_amplitudes_on_(&frame, atoms, NULL, q, options, f);
}

/* Looks at a grid, too. */
CONVK_LOCAL_ int convk_amplitudes_on_grid_(CONVK_DEVICE_(frame) *frame, const convk_atoms_resident *atoms,
                                           const convk_grid3 *grid, const CONVK_DEVICE_STRUCT_(q) * q,
                                           const convk_amplitude_options *options, CONVK_ARRAY_(CONVK_T) f) {
  convk_grid3 full = {0, 0, 0, 0, 0};
  size_t span;
  if (!frame->status) frame->status = convk_grid_check_(frame->message, "grid", grid, 2 * sizeof(CONVK_T), &full, &span);
  return convk_amplitudes_on_(frame, atoms, &full, q, options, f);
}

CONVK_API_ int convk_amplitudes_grid_work_size_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms,
                                                        const convk_grid3 *grid, const convk_amplitude_options *options,
                                                        size_t *bytes) {
  CONVK_DEVICE_(frame) frame = CONVK_DEVICE_(frame_query)(on, bytes);
  return convk_amplitudes_on_grid_(&frame, atoms, grid, NULL, options, CONVK_DEVICE_(none)());
}

CONVK_API_ int convk_amplitudes_grid_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms, const convk_grid3 *grid,
                                              const CONVK_DEVICE_STRUCT_(q) * q, const convk_amplitude_options *options,
                                              CONVK_ARRAY_(CONVK_T) f, CONVK_ARRAY_(void) work, size_t work_size) {
  CONVK_DEVICE_(frame) frame = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size);
  return convk_amplitudes_on_grid_(&frame, atoms, grid, q, options, f);
}

/* ---- host arrays ---- */

/* A checked call: frames go to the device one after another, and what they give comes back.  full: the grid of f, a list is one
   row. */
CONVK_LOCAL_ int convk_amplitudes_arrays_run_(CONVK_DEVICE_(host) *host, const convk_amplitudes_job_ *job,
                                              const convk_grid3 *full, const size_t nq[3], convk_amplitudes_arguments_ *a,
                                              size_t need) {
  const size_t s = sizeof(CONVK_T), origin[3] = {0, 0, 0}, count[3] = {full->nx, full->ny, full->nz};
  const size_t kinds = job->output == CONVK_AMPLITUDES_KINDS ? job->kinds : 1, element = a->mean ? s : 2 * s;
  const convk_atoms *const atoms = job->atoms;
  const CONVK_T *const from[8] = {atoms->x, atoms->y, atoms->z, atoms->weight, job->q[0], job->q[1], job->q[2], job->imag};
  const size_t size[8] = {job->n, job->n, job->n, atoms->weight ? job->n : 0, nq[0], nq[1], nq[2], job->imag ? nq[2] : 0};
  CONVK_DEVICE_(memory) in = NULL, kind = NULL, out = NULL, work = NULL;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  CONVK_DEVICE_STRUCT_(q) q;
  convk_atoms_resident here;
  size_t at[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0}, frame, k;
  int status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  for (k = 0; k < 8; k++) at[k + 1] = at[k] + convk_round_up_(size[k] * s, 256);
  status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, at[8], &in);
  if (!status && atoms->kind && job->n)
    status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_0_, atoms->kind, job->n * sizeof *atoms->kind, &kind);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, kinds * a->results * element, &out);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, need, &work);
  memset(&here, 0, sizeof here);
  memset(&q, 0, sizeof q);
  here.x = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[0], s);
  here.y = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[1], s);
  here.z = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[2], s);
  here.kind = CONVK_DEVICE_(array_of)(kind);
  if (size[3]) here.weight = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[3], s);
  q.x = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[4], s);
  q.y = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[5], s);
  q.z = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[6], s);
  if (size[7]) q.z_imag = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[7], s);
  a->pitch_y = full->nx;
  a->pitch_z = full->nx * full->ny;
  for (frame = 0; frame < job->frames && !status; frame++) {
    for (k = 3; k < 8 && !frame && !status; k++)
      if (size[k]) status = CONVK_DEVICE_(send)(host, in, at[k], size[k] * s, from[k]);
    for (k = 0; k < 3 && !status; k++)
      if (size[k]) status = CONVK_DEVICE_(send)(host, in, at[k], size[k] * s, from[k] + frame * job->stride);
    if (!status)
      status = convk_amplitudes_frame_start_(&call, job, a, frame, &here, &q, 0, a->results, CONVK_DEVICE_(array_of)(out),
                                             CONVK_DEVICE_(array_of)(work));
    for (k = 0; k < kinds && (!a->mean || a->last_frame) && !status; k++)
      status = CONVK_DEVICE_(copy_box)(host, 1, out, k * a->results * element, full, origin, count, element,
                                       (char *)job->f + (frame * kinds + k) * (a->mean ? 0 : job->apart) * element);
  }
  status = CONVK_DEVICE_(call_end)(&call, status);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_LOCAL_ int convk_amplitudes_call_(convk *hw, const convk_atoms *atoms, int tensor, const convk_grid3 *grid,
                                        const convk_q *q, const convk_amplitude_options *options, CONVK_T *f, void *work,
                                        size_t work_size) {
  CONVK_DEVICE_(host) *host = NULL;
  convk_grid3 full = {0, 1, 1, 0, 0};
  convk_amplitudes_arguments_ a;
  convk_amplitudes_job_ job;
  const size_t limit = CONVK_AMPLITUDES_BYTES_;
  size_t before = 0, need = 0, n[3];
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status)
    status = tensor
                 ? convk_amplitudes_grid_checked_(hw, atoms, grid, q, options, f, work, work_size, &job, &full, &before, &need)
                 : convk_amplitudes_list_checked_(hw, atoms, q, options, f, work, work_size, &job, &need);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 1);
  if (!status && !tensor) full.nx = full.pitch_y = full.pitch_z = q->n;
  n[0] = full.nx;
  n[1] = tensor ? full.ny : full.nx;
  n[2] = tensor ? full.nz : full.nx;
  if (!status)
    status =
        convk_amplitudes_arguments_of_(hw->message, &job, n, tensor, job.imag != NULL, hw->device_bytes ? 0 : limit, &a, &need);
  if (!status && hw->device_bytes) { /* what the other buffers leave */
    size_t bytes =
        need + 8 * 256 + (4 * job.n + n[0] + n[1] + (job.imag ? 2 : 1) * n[2]) * sizeof(CONVK_T) + job.n * sizeof(uint32_t);
    bytes += (job.output == CONVK_AMPLITUDES_KINDS ? job.kinds : 1) * 2 * a.results * sizeof(CONVK_T);
    if (hw->device_bytes > bytes)
      status = convk_amplitudes_arguments_of_(hw->message, &job, n, tensor, job.imag != NULL,
                                              convk_least_(limit, hw->device_bytes - bytes), &a, &need);
  }
  return status || !n[0] ? status : convk_amplitudes_arrays_run_(host, &job, &full, n, &a, need);
}

CONVK_LOCAL_ const convk_amplitudes_kernels_ *convk_amplitudes_kernel_table_(void) {
  static const convk_amplitudes_kernels_ kernels = {NULL, NULL, NULL, NULL, convk_amplitudes_call_};
  return &kernels;
}

/* For a handle of the device: as in convk.h; copies, runs, waits, and ignores `work`.  Errors as there, and HANDLE for other
   handles, MEMORY, DEVICE, and with OpenCL FP64 and BUILD. */
CONVK_AMPLITUDES_OPERATIONS_(CONVK_OP_VARIANT_)
