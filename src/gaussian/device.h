/* ---- Gaussians on device memory ---- */

CONVK_LOCAL_ const convk_gaussian_kernels_ *convk_gaussian_kernel_table_(void);

/* Points as checks want them, which do not read them; NULL: none. */
CONVK_LOCAL_ const convk_points *convk_points_seen_(const CONVK_DEVICE_STRUCT_(points) * points, convk_points *seen) {
  memset(seen, 0, sizeof *seen);
  if (!points) return NULL;
  seen->n = points->n;
  seen->stride = points->stride;
  return seen;
}

CONVK_LOCAL_ void convk_points_on_(CONVK_DEVICE_(frame) *f, const CONVK_DEVICE_STRUCT_(points) * points,
                                   const convk_points *checked) {
  const size_t span = convk_points_span_(checked), s = sizeof(CONVK_T);
  const int flags = span ? 0 : CONVK_PLACE_OPTIONAL_;
  CONVK_DEVICE_(frame_place)(f, "points->x", points->x, span, s, flags);
  CONVK_DEVICE_(frame_place)(f, "points->y", points->y, span, s, flags);
  CONVK_DEVICE_(frame_place)(f, "points->z", points->z, span, s, flags);
}

CONVK_LOCAL_ int convk_gridpot_on_(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points, const convk_gaussians *gaussians,
                                   const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) out, size_t ld, int sum) {
  convk_points seen;
  const convk_gridpot_call_ request = {convk_points_seen_(points, &seen), gaussians, options, NULL, ld, sum};
  const size_t s = sizeof(CONVK_T);
  const int may = CONVK_PLACE_OPTIONAL_;
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, s, 0, CONVK_DEVICE_(none)(), 0);
  size_t n_bytes = 0, c_bytes = 0;
  convk_gridpot_job_ job;
  if (!f.status) f.status = convk_gridpot_begin_(convk_gaussian_kernel_table_(), f.message, &request, &job, &n_bytes, &c_bytes);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  convk_points_on_(&f, points, &job.points.p);
  f.place[f.places++] = convk_place_of_("gaussians->alpha", job.of.alpha, n_bytes, n_bytes ? 0 : may);
  f.place[f.places++] = convk_place_of_("gaussians->coefficients", job.of.coefficients, c_bytes, c_bytes ? 0 : may);
  CONVK_DEVICE_(frame_place)(&f, sum ? "sums" : "g", out, job.bytes / s, s, CONVK_PLACE_WRITTEN_ | (job.bytes ? 0 : may));
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status) f.status = convk_gaussians_seen_(&f.call, &job);
  if (!f.status && job.rows && job.row) f.status = convk_gridpot_start_(&f.call, &job, points, out);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_gridpot_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                      const convk_gaussians *gaussians, const convk_gaussian_options *options,
                                      CONVK_ARRAY_(CONVK_T) g, size_t ld) {
  return convk_gridpot_on_(on, points, gaussians, options, g, ld, 0);
}
CONVK_API_ int convk_gridpot_sum_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                          const convk_gaussians *gaussians, const convk_gaussian_options *options,
                                          CONVK_ARRAY_(CONVK_T) sums, size_t ld) {
  return convk_gridpot_on_(on, points, gaussians, options, sums, ld, 1);
}

/* out: of each kind. */
CONVK_LOCAL_ int convk_orbitals_on_(CONVK_DEVICE_(frame) f, const CONVK_DEVICE_STRUCT_(points) * points,
                                    const convk_orbitals_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                    const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) const *out, size_t ld,
                                    size_t kinds, int density) {
  convk_points seen;
  const convk_orbital_set set = {0, NULL, 0, NULL, 0, NULL, plan};
  const convk_orbitals_call_ request = {
      convk_points_seen_(points, &seen), &set, options, {NULL, NULL, NULL, NULL, NULL}, ld, NULL, 0, kinds, density, 1};
  const size_t s = sizeof(CONVK_T);
  size_t bytes = 0, none, k;
  convk_orbitals_job_ job;
  if (!f.status) f.status = convk_orbitals_begin_(convk_gaussian_kernel_table_(), f.message, &request, &job, &none);
  if (!f.status) f.status = convk_orbitals_results_(f.message, &job, &bytes);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  convk_points_on_(&f, points, &job.points.p);
  CONVK_DEVICE_(frame_place)(&f, "device_plan", device_plan, (size_t)job.head->device, 1, 0);
  for (k = 0; k < kinds; k++)
    CONVK_DEVICE_(frame_place)(&f, convk_orbitals_name_(&request, k), out[k], bytes / s, s,
                               CONVK_PLACE_WRITTEN_ | (bytes ? 0 : CONVK_PLACE_OPTIONAL_));
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status && f.place[3].begin % 8)
    f.status = convk_refuse_(f.message, CONVK_ERR_PLAN, "device_plan does not lie at a multiple of 8 bytes");
  if (!f.status && bytes) f.status = convk_orbitals_start_(&f.call, &job, points, device_plan, out);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_orbitals_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                       const convk_orbitals_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                       const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) value, size_t ld) {
  return convk_orbitals_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, CONVK_DEVICE_(none)(), 0), points, plan,
                            device_plan, options, &value, ld, 1, 0);
}

CONVK_API_ int convk_orbitals_vgl_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                           const convk_orbitals_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                           const convk_gaussian_options *options, const CONVK_DEVICE_STRUCT_(vgl) * out) {
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, CONVK_DEVICE_(none)(), 0);
  CONVK_ARRAY_(CONVK_T) five[5];
  if (!f.status) f.status = convk_need_(f.message, "out", out);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  memcpy(five, out, sizeof five); /* value .. laplacian */
  return convk_orbitals_on_(f, points, plan, device_plan, options, five, out->ld, 5, 0);
}

CONVK_API_ int convk_density_resident(CONVK_ON_ *on, const CONVK_DEVICE_STRUCT_(points) * points,
                                      const convk_orbitals_plan *plan, CONVK_ARRAY_(const void) device_plan,
                                      const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) density) {
  return convk_orbitals_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 0, CONVK_DEVICE_(none)(), 0), points, plan,
                            device_plan, options, &density, 0, 1, 1);
}

/* ---- host arrays on a device ---- */

/* What runs a checked call on points and results of the device, rows `ld` apart.  What else it needs goes up with part 0. */
typedef int convk_gaussian_device_(CONVK_DEVICE_(host) *host, void *job, size_t part, size_t ld,
                                   const CONVK_DEVICE_STRUCT_(points) * points, CONVK_ARRAY_(CONVK_T) const *out);

/* A checked call in parts of the points: their coordinates go up packed, or as xyz where they are so. */
typedef struct convk_gaussian_arrays_job_ {
  const convk_points *p;
  convk_gaussian_device_ *start;
  void *job;
  size_t kinds, each, other; /* other: results of a point */
  int rows;                  /* points are rows of a result, not columns */
  convk_grid3 grid;          /* of one kind of result */
  CONVK_T *const *out;
  CONVK_T *gathered[2]; /* coordinates of two parts, where the caller's lie apart */
  CONVK_DEVICE_(memory) in, results[5];
} convk_gaussian_arrays_job_;

CONVK_LOCAL_ int convk_gaussian_xyz_(const convk_points *p) { return p->stride == 3 && p->y == p->x + 1 && p->z == p->x + 2; }

CONVK_LOCAL_ size_t convk_gaussian_count_(const convk_gaussian_arrays_job_ *c, size_t part) {
  const size_t left = c->p->n - part * c->each;
  return left < c->each ? left : c->each;
}

CONVK_LOCAL_ int convk_gaussian_bring_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_gaussian_arrays_job_ *const c = (const convk_gaussian_arrays_job_ *)parts;
  const convk_points *const p = c->p;
  const size_t s = sizeof(CONVK_T), n = convk_gaussian_count_(c, part), first = part * c->each * p->stride;
  const size_t at = slot * 3 * c->each * s;
  const CONVK_T *const from[3] = {p->x, p->y, p->z};
  CONVK_T *const gathered = c->gathered[part % 2];
  size_t d, i;
  int status = CONVK_OK;
  if (convk_gaussian_xyz_(p)) return CONVK_DEVICE_(send)(host, c->in, at, 3 * n * s, p->x + first);
  if (gathered && part > 1) status = CONVK_DEVICE_(until)(host, (part - 2) % CONVK_SLOTS_); /* it has left */
  for (d = 0; d < 3 && !status; d++) {
    for (i = 0; gathered && i < n; i++) memcpy(gathered + d * n + i, from[d] + first + i * p->stride, s);
    status = CONVK_DEVICE_(send)(host, c->in, at + d * n * s, n * s, gathered ? gathered + d * n : from[d] + first);
  }
  return status;
}

CONVK_LOCAL_ int convk_gaussian_work_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_gaussian_arrays_job_ *const c = (const convk_gaussian_arrays_job_ *)parts;
  const size_t s = sizeof(CONVK_T);
  const int xyz = convk_gaussian_xyz_(c->p);
  CONVK_DEVICE_STRUCT_(points) points;
  CONVK_ARRAY_(CONVK_T) arrays[5];
  size_t d;
  points.n = convk_gaussian_count_(c, part);
  points.stride = xyz ? 3 : 1;
  convk_points_at_(c->in, slot * 3 * c->each, xyz ? 1 : points.n, &points);
  for (d = 0; d < c->kinds; d++)
    arrays[d] = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(c->results[d]), slot * c->each * c->other * s, s);
  return c->start(host, c->job, part, c->each, &points, arrays);
}

CONVK_LOCAL_ int convk_gaussian_fetch_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_gaussian_arrays_job_ *const c = (const convk_gaussian_arrays_job_ *)parts;
  const size_t s = sizeof(CONVK_T), none[3] = {0, 0, 0}, n = convk_gaussian_count_(c, part);
  convk_grid3 grid = c->grid;
  size_t count[3], d;
  int status = CONVK_OK;
  if (c->rows) grid.ny = c->each;
  else grid.nx = c->each;
  count[0] = c->rows ? grid.nx : n;
  count[1] = c->rows ? n : grid.ny;
  count[2] = 1;
  for (d = 0; d < c->kinds && !status; d++)
    status = CONVK_DEVICE_(copy_box)(host, 1, c->results[d], slot * c->each * c->other * s, &grid, none, count, s,
                                     c->out[d] + part * c->each * (c->rows ? grid.pitch_y : 1));
  return status;
}

/* Results of a kind: `count` rows of `row` elements, `ld` apart.  rows: points are rows of them; once: bytes that go up beside
   the points. */
CONVK_LOCAL_ int convk_gaussian_arrays_(CONVK_DEVICE_(host) *host, const convk_points *p, size_t kinds, size_t row,
                                        size_t count, size_t ld, int rows, CONVK_T *const *out, convk_gaussian_device_ *start,
                                        void *job, size_t once) {
  const size_t s = sizeof(CONVK_T), other = rows ? row : count, unit = (3 + kinds * other) * s;
  convk_gaussian_arrays_job_ c;
  size_t d, places, parts;
  int status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  memset(&c, 0, sizeof c);
  c.p = p;
  c.start = start;
  c.job = job;
  c.kinds = kinds;
  c.grid.nx = row;
  c.grid.ny = count;
  c.grid.nz = 1;
  c.grid.pitch_y = ld;
  c.grid.pitch_z = count * ld;
  c.rows = rows;
  c.other = other;
  c.out = out;
  status = CONVK_DEVICE_(parts_of)(host, p->n, unit, 0, once, 1, &c.each);
  parts = status ? 1 : convk_ceil_(p->n, c.each);
  places = parts > 1 ? CONVK_SLOTS_ : 1;
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, places * 3 * c.each * s, &c.in);
  for (d = 0; d < kinds && !status; d++)
    status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_ + d, places * c.each * other * s, &c.results[d]);
  for (d = 0; d < 2 && d < parts && !status && p->stride > 1 && !convk_gaussian_xyz_(p); d++)
    if (!(c.gathered[d] = (CONVK_T *)CONVK_MALLOC(3 * c.each * s))) status = CONVK_ERR_MEMORY;
  if (!status)
    status = CONVK_DEVICE_(parts_run)(host, parts, convk_gaussian_bring_, convk_gaussian_work_, convk_gaussian_fetch_, &c);
  status = CONVK_DEVICE_(end)(host, status);
  for (d = 0; d < 2; d++)
    if (c.gathered[d]) CONVK_FREE(c.gathered[d]);
  return status;
}

CONVK_LOCAL_ int convk_gridpot_host_(convk *hw, const convk_gridpot_call_ *call) {
  convk_gridpot_job_ job;
  CONVK_DEVICE_(host) *host = NULL;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_gridpot_check_(convk_gaussian_kernel_table_(), hw, CONVK_DEVICE_(threads)(hw), call, &job);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 0);
  if (status || !job.rows || !job.row) return status;
  return convk_gaussian_arrays_(host, &job.points.p, 1, job.row, job.rows, job.ld, !convk_gridpot_points_first_(&job),
                                &call->out, convk_gridpot_device_, &job,
                                (1 + (job.sum ? job.of.nsums : 0)) * (job.of.n * sizeof(CONVK_T) + 256));
}

/* The plan that a call has, or that it makes, goes up. */
CONVK_LOCAL_ int convk_orbitals_device_(CONVK_DEVICE_(host) *host, void *checked, size_t part, size_t ld,
                                        const CONVK_DEVICE_STRUCT_(points) * points, CONVK_ARRAY_(CONVK_T) const *out) {
  convk_orbitals_job_ *const job = (convk_orbitals_job_ *)checked;
  const convk_orbital_set *const set = job->call.set;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  CONVK_DEVICE_(memory) device_tables = NULL;
  convk_work_ memory;
  const void *tables = set->plan;
  int status = CONVK_OK;
  memory.own = NULL;
  job->call.ld = ld;
  if (!set->plan && !part) {
    if (job->call.density) job->built.combined = 1; /* functions as orbitals */
    job->built.occupied = job->call.density != 0;
    status = convk_orbitals_layout_(call.message, set, 1, &job->built);
    if (!status) status = convk_work_begin_(call.message, &memory, NULL, 0, (size_t)job->built.bytes + 64);
    if (status) return status;
    convk_orbitals_fill_(set, 1, 1, 1, &job->built, memory.base);
    if (job->call.density && job->norbitals)
      memcpy(memory.base + job->built.at[CONVK_ORBITALS_OCCUPATIONS_], set->occupations, job->norbitals * sizeof(CONVK_T));
    tables = memory.base;
  }
  status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, (size_t)job->head->device, &device_tables);
  if (!status && !part) status = CONVK_DEVICE_(send)(host, device_tables, 0, (size_t)job->head->device, tables);
  if (!status) status = convk_orbitals_start_(&call, job, points, CONVK_DEVICE_(array_of)(device_tables), out);
  status = CONVK_DEVICE_(call_end)(&call, status);
  if (memory.own) status = CONVK_DEVICE_(wait)(host, status); /* the copy may have gone on until here */
  if (memory.own) CONVK_FREE(memory.own);
  return status;
}

CONVK_LOCAL_ int convk_orbitals_host_(convk *hw, const convk_orbitals_call_ *call) {
  convk_orbitals_job_ job;
  CONVK_DEVICE_(host) *host = NULL;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_orbitals_check_(convk_gaussian_kernel_table_(), hw, CONVK_DEVICE_(threads)(hw), call, &job);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 0);
  if (status || !job.rows || !job.points.p.n) return status;
  return convk_gaussian_arrays_(host, &job.points.p, call->kinds, job.points.p.n, job.rows, job.call.ld, 0, call->out,
                                convk_orbitals_device_, &job, (size_t)job.head->device + 64);
}

static const convk_gaussian_kernels_ convk_gaussian_table_ = {
    1, convk_gaussian_finite_, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, convk_gridpot_host_, convk_orbitals_host_};
CONVK_LOCAL_ const convk_gaussian_kernels_ *convk_gaussian_kernel_table_(void) { return &convk_gaussian_table_; }

/* For a handle of the device: copies, runs, waits.  Errors as in convk.h, and HANDLE for other handles, MEMORY, DEVICE, and
   with OpenCL FP64 and BUILD, with hw->message; `work` is ignored. */
CONVK_GAUSSIAN_OPERATIONS_(CONVK_OP_VARIANT_)
