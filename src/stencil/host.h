#if CONVK_HAS_STENCIL_
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
  if (!status) status = convk_stencil_there_(host, &there, steps, from, to);
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
