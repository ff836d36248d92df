#if CONVK_HAS_GAUSSIAN_
/* ---- host arrays on a device ---- */

/* What runs a checked call on points and results of the device, rows without gaps; job: checked. */
typedef int convk_gaussian_there_(CONVK_DEVICE_(host) *host, void *job, const convk_gaussian_places_ *at);

/* Ends a checked call: coordinates go up packed, or as xyz where they are so. */
CONVK_LOCAL_ int convk_gaussian_arrays_(CONVK_DEVICE_(host) *host, const convk_points *p, size_t kinds, size_t lines,
                                        size_t columns, size_t ld, CONVK_T *const *out, convk_gaussian_there_ *there,
                                        void *job) {
  const size_t n = p->n, s = sizeof(CONVK_T);
  const int xyz = p->stride == 3 && p->y == p->x + 1 && p->z == p->x + 2;
  const CONVK_T *const from[3] = {p->x, p->y, p->z};
  const convk_grid3 grid = {columns, lines, 1, ld, lines * ld};
  convk_gaussian_places_ at;
  CONVK_T *gathered = NULL;
  size_t d, i;
  int status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  at.n = n;
  at.apart = xyz ? 1 : n;
  at.stride = xyz ? 3 : 1;
  status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, 3 * n * s, &at.in);
  for (d = 0; d < kinds && !status; d++)
    status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_ + d, lines * columns * s, &at.out[d]);
  if (!status && xyz) status = CONVK_DEVICE_(send)(host, at.in, 0, 3 * n * s, p->x);
  if (!status && !xyz && p->stride > 1 && !(gathered = (CONVK_T *)CONVK_MALLOC(3 * n * s))) status = CONVK_ERR_MEMORY;
  for (d = 0; d < 3 && !xyz && !status; d++) {
    for (i = 0; gathered && i < n; i++) memcpy(gathered + d * n + i, from[d] + i * p->stride, s);
    status = CONVK_DEVICE_(send)(host, at.in, d * n * s, n * s, gathered ? gathered + d * n : from[d]);
  }
  if (!status) status = there(host, job, &at);
  for (d = 0; d < kinds && !status; d++) status = CONVK_DEVICE_(copy)(host, 1, at.out[d], &grid, s, out[d]);
  status = CONVK_DEVICE_(end)(host, status);
  if (gathered) CONVK_FREE(gathered);
  return status;
}

CONVK_LOCAL_ int convk_gridpot_host_(convk *hw, const convk_gridpot_call_ *call) {
  convk_gridpot_job_ job;
  CONVK_DEVICE_(host) *host = NULL;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status)
    status = convk_gridpot_check_(convk_gaussian_kernel_table_(), CONVK_DEVICE_(threads)(hw), convk_message_(hw),
                                  CONVK_GAUSSIAN_HOST_, call, &job);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 0);
  if (status || !job.rows || !job.row) return status;
  return convk_gaussian_arrays_(host, &job.points.p, 1, job.rows, job.row, job.call.ld, &call->out, convk_gridpot_there_, &job);
}

CONVK_LOCAL_ int convk_orbitals_host_(convk *hw, const convk_orbitals_call_ *call) {
  convk_orbitals_job_ job;
  CONVK_DEVICE_(host) *host = NULL;
  size_t lines;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status)
    status = convk_orbitals_check_(convk_gaussian_kernel_table_(), CONVK_DEVICE_(threads)(hw), convk_message_(hw),
                                   CONVK_GAUSSIAN_HOST_, call, &job);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 0);
  if (status) return status;
  lines = call->density ? 1 : job.call.norbitals;
  if (!lines || !job.points.p.n) return CONVK_OK;
  return convk_gaussian_arrays_(host, &job.points.p, call->kinds, lines, job.points.p.n, job.call.ld, call->out,
                                convk_orbitals_there_, &job);
}

CONVK_LOCAL_ const convk_gaussian_kernels_ *convk_gaussian_kernel_table_(void) {
  static const convk_gaussian_kernels_ kernels = {
      1, convk_gaussian_finite_, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, convk_gridpot_host_, convk_orbitals_host_};
  return &kernels;
}

/* For a handle of the device: copies, runs, waits.  Errors as in convk.h, and HANDLE for other handles, MEMORY, DEVICE, and
   with OpenCL FP64 and BUILD, with hw->message; `work` is ignored. */
CONVK_GAUSSIAN_OPERATIONS_(CONVK_OP_VARIANT_)
#endif
