/* What a device does with a checked job: opencl_calls.h, cuda.h.  `steps` steps on its box, from a to b and back, `together` in
   one pass, or 0: as the device's own tuning says; one step alone may have any box. */
CONVK_LOCAL_ int convk_stencil_launch_(CONVK_DEVICE_(call) *call, const convk_stencil_job_ *job, size_t together, size_t steps,
                                       CONVK_ARRAY_(const CONVK_T) a, CONVK_ARRAY_(CONVK_T) b);

/* The arguments of a job, but for how it is cut. */
CONVK_LOCAL_ void convk_stencil_arguments_of_(const convk_stencil_job_ *job, CONVK_ARGUMENTS_(stencil) * a) {
  const size_t n[3] = {job->grid.nx, job->grid.ny, job->grid.nz};
  int d;
  a->pitch_y = job->grid.pitch_y;
  a->pitch_z = job->grid.pitch_z;
  for (d = 0; d < 3; d++) {
    a->n[d] = (int64_t)n[d];
    a->first[d] = (int64_t)job->first[d];
    a->end[d] = (int64_t)(job->first[d] + job->count[d]);
    a->periodic[d] = job->boundary[d] == CONVK_BOUNDARY_PERIODIC;
  }
  memcpy(a->c, &job->c, sizeof a->c);
}

/* What a job goes by, which may be a box of a grid that is tuned, or where `planes` is not 0 a part of one with so many. */
CONVK_LOCAL_ void convk_stencil_choice_(convk *hw, const convk_stencil_job_ *job, size_t planes, size_t steps,
                                        long choice[CONVK_TUNE_COUNT]) {
  size_t n[3], d;
  n[0] = job->grid.nx;
  n[1] = job->grid.ny;
  n[2] = job->grid.nz;
  for (d = 0; d < 3; d++)
    if (job->boundary[d] == CONVK_BOUNDARY_FIXED && n[d] > 2) n[d] -= 2; /* points that change */
  if (planes) n[2] = planes;
  convk_choice_(hw, "stencil7", sizeof(CONVK_T), n[0], n[1], n[2], steps, choice);
}

/* ---- device memory ---- */

CONVK_API_ int convk_stencil7_resident(CONVK_ON_ *on, const convk_stencil7_shape *shape,
                                       const convk_stencil7_coefficients *coefficients, size_t steps, CONVK_ARRAY_(CONVK_T) a,
                                       CONVK_ARRAY_(CONVK_T) b, CONVK_ARRAY_(CONVK_T) * result, CONVK_ARRAY_(void) work,
                                       size_t work_size) {
  const size_t s = sizeof(CONVK_T);
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, s, 0, work, work_size);
  convk_stencil_job_ job;
  int status;
  if (!f.status) f.status = convk_stencil7_check_(f.message, shape, coefficients, steps, &job);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  CONVK_DEVICE_(frame_place)(&f, "a", a, job.span, s, CONVK_PLACE_WRITTEN_);
  CONVK_DEVICE_(frame_place)(&f, "b", b, job.span, s, CONVK_PLACE_WRITTEN_);
  f.place[f.places++] = convk_place_of_("result", result, 1, 0);
  if (CONVK_DEVICE_(frame_work)(&f, 0)) f.status = convk_stencil_launch_(&f.call, &job, 0, steps, a, b);
  status = CONVK_DEVICE_(frame_end)(&f);
  if (!status) *result = steps % 2 ? b : a;
  return status;
}

CONVK_API_ int convk_stencil7_box_resident(CONVK_ON_ *on, const convk_stencil7_shape *shape,
                                           const convk_stencil7_coefficients *coefficients, const convk_box3 *box,
                                           CONVK_ARRAY_(const CONVK_T) a, CONVK_ARRAY_(CONVK_T) b, CONVK_ARRAY_(void) work,
                                           size_t work_size) {
  const size_t s = sizeof(CONVK_T);
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, s, 0, work, work_size);
  convk_stencil_job_ job;
  if (!f.status) f.status = convk_stencil7_box_check_(f.message, shape, coefficients, box, &job);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  CONVK_DEVICE_(frame_place)(&f, "a", a, job.span, s, 0);
  CONVK_DEVICE_(frame_place)(&f, "b", b, job.span, s, CONVK_PLACE_WRITTEN_);
  if (CONVK_DEVICE_(frame_work)(&f, 0)) f.status = convk_stencil_launch_(&f.call, &job, 0, 1, a, b);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_stencil7_work_size_resident(CONVK_ON_ *on, const convk_stencil7_shape *shape, size_t steps,
                                                 size_t *bytes) {
  convk_stencil_job_ job;
  char *message = NULL;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_stencil7_size_check_(message, shape, steps, bytes, &job);
  if (!status) *bytes = 0;
  return status;
}

/* ---- host arrays on a device ---- */

#define CONVK_STENCIL_HIDDEN_ ((size_t)16) /* steps that take no longer than to copy what they change, about */

/* A checked call.  Where it goes in parts, part p makes planes [output.first, output.end) of the result from those of a window,
   which has `halo` planes more on both sides: of these, each step makes one useless.  The next part's window begins with the
   last 2 halo planes of this one, which are kept in `tail` since steps go to and fro between the slot's arrays. */
typedef struct convk_stencil_arrays_ {
  const convk_stencil_job_ *job;
  size_t steps;              /* of the call; where it goes in parts, of one run over all parts, at most `halo` */
  size_t together;           /* steps that a kernel makes at a time, 0: as many as is best */
  size_t halo, each;         /* planes: more on both sides of what a part makes, and those that it makes */
  size_t plane;              /* bytes of a plane */
  size_t first[3], count[3]; /* of what comes: the box and its neighbours */
  const CONVK_T *a, *b;
  CONVK_T *result;
  CONVK_DEVICE_(flow) flow;
  CONVK_DEVICE_(memory) to;
} convk_stencil_arrays_;

/* What part p makes, and what it needs. */
CONVK_LOCAL_ void convk_stencil_windows_(const convk_stencil_arrays_ *c, size_t part, convk_window_ *output,
                                         convk_window_ *window) {
  const int64_t end = (int64_t)(c->job->first[2] + c->job->count[2]), n = (int64_t)c->job->grid.nz, halo = (int64_t)c->halo;
  output->first = (int64_t)(c->job->first[2] + part * c->each);
  output->end = end - output->first < (int64_t)c->each ? end : output->first + (int64_t)c->each;
  window->first = output->first - halo;
  window->end = output->end + halo;
  if (c->job->boundary[2] == CONVK_BOUNDARY_PERIODIC) return;
  if (window->first < 0) window->first = 0;
  if (window->end > n) window->end = n;
}

CONVK_LOCAL_ int convk_stencil_bring_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_stencil_arrays_ *const c = (const convk_stencil_arrays_ *)arrays;
  convk_window_ output, window, before;
  convk_stencil_windows_(c, part ? part - 1 : 0, &output, &before);
  convk_stencil_windows_(c, part, &output, &window);
  return CONVK_DEVICE_(flow_bring)(host, &c->flow, part, slot, window, before.end);
}

CONVK_LOCAL_ int convk_stencil_work_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_stencil_arrays_ *const c = (const convk_stencil_arrays_ *)arrays;
  const size_t s = sizeof(CONVK_T), at = slot * c->flow.planes * c->plane;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  convk_stencil_job_ device_job = *c->job;
  convk_window_ output, window, before;
  int status;
  call.planes = c->job->grid.nz;
  if (c->job->boundary[2] == CONVK_BOUNDARY_FIXED && call.planes > 2) call.planes -= 2;
  convk_stencil_windows_(c, part ? part - 1 : 0, &output, &before);
  convk_stencil_windows_(c, part, &output, &window);
  status = CONVK_DEVICE_(flow_join)(host, &c->flow, part, slot, window, before.end, output.end - (int64_t)c->halo);
  device_job.grid.nz = (size_t)(window.end - window.first);
  device_job.grid = convk_packed_(&device_job.grid);
  device_job.boundary[2] = CONVK_BOUNDARY_FIXED;
  device_job.first[2] = c->steps > 1 ? 1 : (size_t)(output.first - window.first);
  device_job.count[2] = c->steps > 1 ? device_job.grid.nz - 2 : (size_t)(output.end - output.first);
  if (!status && c->steps > 1) status = CONVK_DEVICE_(same)(host, c->to, at, c->flow.memory, at, device_job.grid.nz * c->plane);
  if (!status)
    status = convk_stencil_launch_(&call, &device_job, c->together, c->steps,
                                   CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(c->flow.memory), at, s),
                                   CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(c->to), at, s));
  return CONVK_DEVICE_(call_end)(&call, status);
}

/* What of a plane goes back: the box, or after several steps all of it, whose fixed points are those of both arrays: a copy of
   whole rows is much faster. */
CONVK_LOCAL_ void convk_stencil_result_(const convk_stencil_arrays_ *c, size_t first[3], size_t count[3]) {
  memcpy(first, c->job->first, 3 * sizeof *first);
  memcpy(count, c->job->count, 3 * sizeof *count);
  if (c->steps < 2) return;
  first[0] = first[1] = 0;
  count[0] = c->job->grid.nx;
  count[1] = c->job->grid.ny;
}

CONVK_LOCAL_ int convk_stencil_back_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_stencil_arrays_ *const c = (const convk_stencil_arrays_ *)arrays;
  size_t first[3], count[3];
  convk_window_ output, window;
  convk_grid3 grid = c->job->grid;
  convk_stencil_windows_(c, part, &output, &window);
  convk_stencil_result_(c, first, count);
  first[2] = 0;
  count[2] = grid.nz = (size_t)(output.end - output.first);
  return CONVK_DEVICE_(copy_box)(host, 1, c->steps % 2 ? c->to : c->flow.memory,
                                 (slot * c->flow.planes + (size_t)(output.first - window.first)) * c->plane, &grid, first,
                                 count, sizeof(CONVK_T), c->result + (size_t)output.first * grid.pitch_z);
}

/* At once: brings the box and its neighbours, takes the steps, and fetches the box. */
CONVK_LOCAL_ int convk_stencil_whole_(CONVK_DEVICE_(host) *host, convk_stencil_arrays_ *c) {
  const convk_stencil_job_ *const job = c->job;
  const convk_grid3 *const g = &job->grid;
  convk_stencil_job_ device_job = *job;
  const size_t s = sizeof(CONVK_T);
  CONVK_DEVICE_(memory) from = NULL;
  size_t first[3], count[3];
  const int fixed = job->boundary[0] == CONVK_BOUNDARY_FIXED || job->boundary[1] == CONVK_BOUNDARY_FIXED ||
                    job->boundary[2] == CONVK_BOUNDARY_FIXED;
  int status;
  device_job.grid = convk_packed_(g);
  status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_IN_, g, s, c->a, 0, &from);
  if (!status) status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_OUT_, g, s, c->b, 0, &c->to);
  if (!status) status = CONVK_DEVICE_(copy_box)(host, 0, from, 0, g, c->first, c->count, s, (void *)(uintptr_t)c->a);
  if (!status && c->steps > 1 && fixed) /* the fixed points, which are those of a */
    status = CONVK_DEVICE_(same)(host, c->to, 0, from, 0, device_job.grid.pitch_z * g->nz * s);
  if (!status) {
    CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
    status = convk_stencil_launch_(&call, &device_job, c->together, c->steps, CONVK_DEVICE_(array_of)(from),
                                   CONVK_DEVICE_(array_of)(c->to));
    status = CONVK_DEVICE_(call_end)(&call, status);
  }
  convk_stencil_result_(c, first, count);
  return status ? status : CONVK_DEVICE_(copy_box)(host, 1, c->steps % 2 ? c->to : from, 0, g, first, count, s, c->result);
}

/* In parts: as many steps at a time as a window has planes around what it makes. */
CONVK_LOCAL_ int convk_stencil_in_parts_(CONVK_DEVICE_(host) *host, convk_stencil_arrays_ *c) {
  const size_t all = c->steps, halo = c->halo, places = CONVK_SLOTS_;
  const size_t parts = convk_ceil_(c->job->count[2], c->each);
  CONVK_T *const result = c->result;
  size_t left = all;
  int status;
  c->flow.b = convk_staged_of_(CONVK_DEVICE_IN_, &c->job->grid, sizeof(CONVK_T), c->a, 1, 0);
  c->flow.planes = c->each + 2 * halo;
  c->flow.kept = (int64_t)halo;
  memcpy(c->flow.first, c->first, sizeof c->flow.first);
  memcpy(c->flow.count, c->count, sizeof c->flow.count);
  status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, places * c->flow.planes * c->plane, &c->flow.memory);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, places * c->flow.planes * c->plane, &c->to);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_0_, 2 * halo * c->plane, &c->flow.tail);
  if (!status && c->job->boundary[2] == CONVK_BOUNDARY_PERIODIC)
    status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_1_, halo * c->plane, &c->flow.head);
  while (left && !status) {
    c->steps = c->halo = left < halo ? left : halo;
    left -= c->steps;
    c->result = left ? (CONVK_T *)(uintptr_t)c->a : result;
    status = CONVK_DEVICE_(parts_run)(host, parts, convk_stencil_bring_, convk_stencil_work_, convk_stencil_back_, c);
    if (left) status = CONVK_DEVICE_(wait)(host, status); /* what goes back comes again */
  }
  return status;
}

/* Few steps hide behind the copies even with planes that are made twice; many stay on the device, if it has room. */
CONVK_LOCAL_ int convk_stencil_host_(CONVK_DEVICE_(host) *host, const convk_stencil_job_ *job, size_t steps, const CONVK_T *a,
                                     const CONVK_T *b, CONVK_T *result) {
  const size_t n[3] = {job->grid.nx, job->grid.ny, job->grid.nz}, hidden = CONVK_STENCIL_HIDDEN_;
  convk_stencil_arrays_ c;
  int d, status = CONVK_DEVICE_(able)(host, sizeof *a, 0);
  if (status || !steps || !job->count[0] || !job->count[1] || !job->count[2]) return status;
  memset(&c, 0, sizeof c);
  for (d = 0; d < 3; d++) {
    const size_t end = job->first[d] + job->count[d];
    const int all = !job->first[d] || end == n[d]; /* neighbours at the other end of the axis */
    c.first[d] = all ? 0 : job->first[d] - 1;
    c.count[d] = all ? n[d] : end + 1 - c.first[d];
  }
  c.job = job;
  c.steps = steps;
  c.together = host->hw->tuning.stencil_steps;
  c.a = a;
  c.b = b;
  c.result = result;
  c.plane = n[0] * n[1] * sizeof *a;
  c.halo = steps < hidden ? steps : hidden;
  if (c.halo > n[2]) c.halo = n[2];
  status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  do { /* with less memory fewer steps at a time */
    status = CONVK_DEVICE_(parts_of)(host, job->count[2], 2 * c.plane, 4 * c.halo * c.plane, 3 * c.halo * c.plane,
                                     steps > hidden ? job->count[2] : 2 * c.halo, &c.each);
  } while (status == CONVK_ERR_MEMORY && (c.halo /= 2) > 0);
  if (!status) status = c.each == job->count[2] ? convk_stencil_whole_(host, &c) : convk_stencil_in_parts_(host, &c);
  return CONVK_DEVICE_(end)(host, status);
}

/* For a handle of the device: copies, runs, waits.  Errors as in convk.h, RIM too, and HANDLE for other handles, MEMORY,
   DEVICE, and with OpenCL FP64, BUILD and UNSUPPORTED, with hw->message; `work` and the thread hook are ignored.  Of the
   handle's tuning stencil_steps counts.  stencil7 copies in a, and copies out of the result the points that change, or after
   several steps also the fixed ones, which are those of a;
   stencil7_box copies in the box and its neighbours, and out the box.  On an error of the device, what is in the points that
   change is undefined. */
CONVK_API_ int convk_stencil7_device(convk *hw, const convk_stencil7_shape *shape,
                                     const convk_stencil7_coefficients *coefficients, size_t steps, CONVK_T *a, CONVK_T *b,
                                     CONVK_T **result, void *work, size_t work_size) {
  convk_stencil_job_ job;
  CONVK_DEVICE_(host) *host = NULL;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)(work && work_size);
  if (!status) status = convk_stencil7_check_(hw->message, shape, coefficients, steps, &job);
  if (!status) status = convk_stencil_arrays_check_(hw->message, &job, 0, a, b, result, NULL, 0);
  if (!status && steps > 1) status = convk_stencil_rims_(hw->message, &job, a, b);
  if (!status) status = convk_stencil_host_(host, &job, steps, a, b, steps % 2 ? b : a);
  if (!status) *result = steps % 2 ? b : a;
  return status;
}

CONVK_API_ int convk_stencil7_box_device(convk *hw, const convk_stencil7_shape *shape,
                                         const convk_stencil7_coefficients *coefficients, const convk_box3 *box,
                                         const CONVK_T *a, CONVK_T *b, void *work, size_t work_size) {
  convk_stencil_job_ job;
  CONVK_DEVICE_(host) *host = NULL;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)(work && work_size);
  if (!status) status = convk_stencil7_box_check_(hw->message, shape, coefficients, box, &job);
  if (!status) status = convk_stencil_arrays_check_(hw->message, &job, 1, a, b, NULL, NULL, 0);
  return status ? status : convk_stencil_host_(host, &job, 1, a, b, b);
}

/* ---- boxes ---- */

/* What box_copy does with a checked job: opencl_calls.h, cuda.h. */
CONVK_LOCAL_ int convk_box_launch_(CONVK_DEVICE_(call) *call, CONVK_ARGUMENTS_(box) * arguments, CONVK_ARRAY_(const CONVK_T) in,
                                   CONVK_ARRAY_(CONVK_T) out);

/* One side of a copy. */
typedef struct convk_box_side_ {
  const char *grid_name, *first_name;
  size_t at, span, range; /* the box's first point, elements of the grid, those from the first to the last of the box */
  uint64_t pitch[2];
} convk_box_side_;

CONVK_RARE_ int convk_box_check_(char *message, const size_t count[3], const convk_grid3 *grid, const size_t *first,
                                 convk_box_side_ *side) {
  const size_t zero[3] = {0, 0, 0}, *const f = first ? first : zero;
  convk_grid3 full, packed;
  size_t n[3];
  int d, status;
  memset(&packed, 0, sizeof packed);
  packed.nx = count[0];
  packed.ny = count[1];
  packed.nz = count[2];
  status =
      convk_grid_check_(message, grid ? side->grid_name : "count", grid ? grid : &packed, sizeof(CONVK_T), &full, &side->span);
  if (status) return status;
  n[0] = full.nx;
  n[1] = full.ny;
  n[2] = full.nz;
  for (d = 0; d < 3; d++)
    if (count[d] > n[d] || f[d] > n[d] - count[d])
      return convk_refuse_names_(message, CONVK_ERR_SIZE, "count and $ reach beyond $", side->first_name,
                                 grid ? side->grid_name : "count");
  side->at = f[2] * full.pitch_z + f[1] * full.pitch_y + f[0];
  side->range = (count[2] - 1) * full.pitch_z + (count[1] - 1) * full.pitch_y + count[0];
  side->pitch[0] = full.pitch_y;
  side->pitch[1] = full.pitch_z;
  return CONVK_OK;
}

CONVK_API_ int convk_box_copy_resident(CONVK_ON_ *on, const size_t count[3], const convk_grid3 *in_grid,
                                       const size_t in_first[3], CONVK_ARRAY_(const CONVK_T) in, const convk_grid3 *out_grid,
                                       const size_t out_first[3], CONVK_ARRAY_(CONVK_T) out) {
  convk_box_side_ side[2] = {{"in_grid", "in_first", 0, 0, 0, {0, 0}}, {"out_grid", "out_first", 0, 0, 0, {0, 0}}};
  const size_t s = sizeof(CONVK_T);
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, s, 0, CONVK_DEVICE_(none)(), 0);
  CONVK_ARGUMENTS_(box) arguments;
  int k;
  if (!f.status) f.status = convk_need_(f.message, "count", count);
  if (f.status || !count[0] || !count[1] || !count[2]) return CONVK_DEVICE_(frame_end)(&f);
  f.status = convk_box_check_(f.message, count, in_grid, in_first, &side[0]);
  if (!f.status) f.status = convk_box_check_(f.message, count, out_grid, out_first, &side[1]);
  CONVK_DEVICE_(frame_place)(&f, "in", in, side[0].span, s, 0);
  CONVK_DEVICE_(frame_place)(&f, "out", out, side[1].span, s, CONVK_PLACE_WRITTEN_);
  for (k = 0; k < 2 && !f.status; k++) { /* of the boxes */
    if (f.place[k].begin || f.place[k].buffer) f.place[k].begin += side[k].at * s;
    f.place[k].bytes = side[k].range * s;
  }
  if (!CONVK_DEVICE_(frame_work)(&f, 0)) return CONVK_DEVICE_(frame_end)(&f);
  memset(&arguments, 0, sizeof arguments);
  arguments.in_at = side[0].at;
  arguments.out_at = side[1].at;
  memcpy(arguments.in_pitch, side[0].pitch, sizeof arguments.in_pitch);
  memcpy(arguments.out_pitch, side[1].pitch, sizeof arguments.out_pitch);
  arguments.count[0] = count[0];
  arguments.count[1] = count[1];
  arguments.points = (uint64_t)count[0] * count[1] * count[2];
  arguments.each = 1;
  f.status = convk_box_launch_(&f.call, &arguments, in, out);
  return CONVK_DEVICE_(frame_end)(&f);
}
