#if CONVK_HAS_STENCIL_
/* What a device does with a checked job: opencl_calls.h, cuda.h.  `steps` steps on its box, from a to b and back, `together` in
   one pass, or 0: as the device's own tuning says; one step alone may have any box. */
CONVK_LOCAL_ int convk_stencil_launch_(CONVK_DEVICE_(call) *call, const convk_stencil_job_ *job, size_t together, size_t steps,
                                       CONVK_ARRAY_(const CONVK_T) a, CONVK_ARRAY_(CONVK_T) b);

/* What kernels are told of a job, but for how it is cut. */
CONVK_LOCAL_ void convk_stencil_tell_(const convk_stencil_job_ *job, CONVK_ARGUMENTS_(stencil) * a) {
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

/* What a job goes by, which may be a box of a grid that is tuned. */
CONVK_LOCAL_ void convk_stencil_choice_(convk *hw, const convk_stencil_job_ *job, size_t steps, long choice[CONVK_TUNE_COUNT]) {
  size_t n[3], d;
  n[0] = job->grid.nx;
  n[1] = job->grid.ny;
  n[2] = job->grid.nz;
  for (d = 0; d < 3; d++)
    if (job->boundary[d] == CONVK_BOUNDARY_FIXED && n[d] > 2) n[d] -= 2; /* points that change */
  convk_choice_(hw, "stencil7", sizeof(CONVK_T), n[0], n[1], n[2], steps, choice);
}

/* ---- device memory ---- */

/* The arrays of a call; result is NULL for a box. */
CONVK_LOCAL_ int convk_stencil_places_(CONVK_DEVICE_(call) *call, const convk_stencil_job_ *job, int box,
                                       CONVK_ARRAY_(const CONVK_T) a, CONVK_ARRAY_(CONVK_T) b, const void *result) {
  const size_t s = sizeof(CONVK_T);
  convk_place_ place[3];
  int status = CONVK_DEVICE_(array_place)(call, "a", a, job->span, s, box ? 0 : CONVK_PLACE_WRITTEN_, &place[0]);
  if (!status) status = CONVK_DEVICE_(array_place)(call, "b", b, job->span, s, CONVK_PLACE_WRITTEN_, &place[1]);
  place[2] = convk_place_of_("result", result, 1, 0);
  return status ? status : convk_places_check_(call->message, place, box ? 2 : 3);
}

CONVK_API_ int convk_stencil7_resident(CONVK_ON_ *on, const convk_stencil7_shape *shape,
                                       const convk_stencil7_coefficients *coefficients, size_t steps, CONVK_ARRAY_(CONVK_T) a,
                                       CONVK_ARRAY_(CONVK_T) b, CONVK_ARRAY_(CONVK_T) * result, CONVK_ARRAY_(void) work,
                                       size_t work_size) {
  CONVK_DEVICE_(call) call;
  convk_stencil_job_ job;
  int status = CONVK_DEVICE_(call_of)(on, sizeof(CONVK_T), 0, &call);
  (void)work;
  (void)work_size;
  if (!status) status = convk_stencil7_check_(call.message, shape, coefficients, steps, &job);
  if (!status) status = convk_stencil_places_(&call, &job, 0, a, b, result);
  if (!status) status = convk_stencil_launch_(&call, &job, 0, steps, a, b);
  status = CONVK_DEVICE_(call_end)(&call, status);
  if (!status) *result = steps % 2 ? b : a;
  return status;
}

CONVK_API_ int convk_stencil7_box_resident(CONVK_ON_ *on, const convk_stencil7_shape *shape,
                                           const convk_stencil7_coefficients *coefficients, const convk_box3 *box,
                                           CONVK_ARRAY_(const CONVK_T) a, CONVK_ARRAY_(CONVK_T) b, CONVK_ARRAY_(void) work,
                                           size_t work_size) {
  CONVK_DEVICE_(call) call;
  convk_stencil_job_ job;
  int status = CONVK_DEVICE_(call_of)(on, sizeof(CONVK_T), 0, &call);
  (void)work;
  (void)work_size;
  if (!status) status = convk_stencil7_box_check_(call.message, shape, coefficients, box, &job);
  if (!status) status = convk_stencil_places_(&call, &job, 1, a, b, NULL);
  if (!status) status = convk_stencil_launch_(&call, &job, 0, 1, a, b);
  return CONVK_DEVICE_(call_end)(&call, status);
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

/* A checked call: brings the box and its neighbours, takes the steps, and fetches the box. */
CONVK_LOCAL_ int convk_stencil_arrays_(CONVK_DEVICE_(host) *host, const convk_stencil_job_ *job, size_t steps, const CONVK_T *a,
                                       const CONVK_T *b, CONVK_T *result) {
  convk_stencil_job_ there = *job;
  const convk_grid3 *const g = &job->grid;
  const size_t n[3] = {g->nx, g->ny, g->nz};
  CONVK_DEVICE_(memory) from = NULL, to = NULL;
  size_t first[3], count[3];
  int d, fixed = 0, status = CONVK_DEVICE_(able)(host, sizeof *a, 0);
  if (status || !steps || !job->count[0] || !job->count[1] || !job->count[2]) return status;
  for (d = 0; d < 3; d++) {
    const size_t end = job->first[d] + job->count[d];
    const int all = !job->first[d] || end == n[d]; /* neighbours at the other end of the axis */
    first[d] = all ? 0 : job->first[d] - 1;
    count[d] = all ? n[d] : end + 1 - first[d];
    fixed |= job->boundary[d] == CONVK_BOUNDARY_FIXED;
  }
  there.grid = convk_packed_(g);
  status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_IN_, g, sizeof *a, a, 0, &from);
  if (!status) status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_OUT_, g, sizeof *a, b, 0, &to);
  if (!status) status = CONVK_DEVICE_(copy_box)(host, 0, from, g, first, count, sizeof *a, (void *)(uintptr_t)a);
  if (!status && steps > 1 && fixed) /* the fixed points, which are those of a */
    status = CONVK_DEVICE_(same)(host, to, from, there.grid.pitch_z * n[2] * sizeof *a);
  if (!status) {
    CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
    status = convk_stencil_launch_(&call, &there, host->hw->tuning.stencil_steps, steps, CONVK_DEVICE_(array_of)(from),
                                   CONVK_DEVICE_(array_of)(to));
    status = CONVK_DEVICE_(call_end)(&call, status);
  }
  if (!status) status = CONVK_DEVICE_(copy_box)(host, 1, steps % 2 ? to : from, g, job->first, job->count, sizeof *a, result);
  return CONVK_DEVICE_(end)(host, status);
}

/* For a handle of the device: copies, runs, waits.  Errors as in convk.h, RIM too, and HANDLE for other handles, MEMORY,
   DEVICE, and with OpenCL FP64, BUILD and UNSUPPORTED, with hw->message; `work` and the thread hook are ignored.  Of the
   handle's tuning stencil_steps counts.  stencil7 copies in a, and copies out the points of the result that change;
   stencil7_box copies in the box and its neighbours, and out the box.  On an error of the device, what is in the points that
   change is undefined. */
CONVK_API_ int convk_stencil7_device CONVK_OP_STENCIL7_(CONVK_OP_PARAMETERS_) {
  convk_stencil_job_ job;
  CONVK_DEVICE_(host) *host = NULL;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)(work && work_size);
  if (!status) status = convk_stencil7_check_(hw->message, shape, coefficients, steps, &job);
  if (!status) status = convk_stencil_arrays_check_(hw->message, &job, 0, a, b, result, NULL, 0);
  if (!status && steps > 1) status = convk_stencil_rims_(hw->message, &job, a, b);
  if (!status) status = convk_stencil_arrays_(host, &job, steps, a, b, steps % 2 ? b : a);
  if (!status) *result = steps % 2 ? b : a;
  return status;
}

CONVK_API_ int convk_stencil7_box_device CONVK_OP_STENCIL7_BOX_(CONVK_OP_PARAMETERS_) {
  convk_stencil_job_ job;
  CONVK_DEVICE_(host) *host = NULL;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)(work && work_size);
  if (!status) status = convk_stencil7_box_check_(hw->message, shape, coefficients, box, &job);
  if (!status) status = convk_stencil_arrays_check_(hw->message, &job, 1, a, b, NULL, NULL, 0);
  return status ? status : convk_stencil_arrays_(host, &job, 1, a, b, b);
}
#endif
