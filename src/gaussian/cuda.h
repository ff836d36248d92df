#if CONVK_HAS_GAUSSIAN_
/* ---- Gaussians: device arrays, and host arrays ---- */

template <> struct convk_cuda_gaussian_type_<CONVK_T> {
  typedef convk_orbital_group_ group;
  typedef convk_orbital_shell_ shell;
};

CONVK_LOCAL_ const convk_gaussian_kernels_ *convk_gaussian_kernel_table_(void);

/* A checked call, with where its arrays are on the device. */
CONVK_LOCAL_ int convk_cuda_gridpot_run_(const convk_gridpot_job_ *job, convk_cuda_gridpot_args_<CONVK_T> *a,
                                         cudaStream_t stream) {
  const size_t threads = CONVK_CUDA_GAUSSIAN_THREADS_;
  const int along = job->part.order == CONVK_GRIDPOT_POINTS_CONTIGUOUS;
  const int aligned = (uintptr_t)a->out % 16 == 0 && a->ld * sizeof(CONVK_T) % 16 == 0;
  memcpy(a->points.center, job->center, sizeof a->points.center);
  a->cut = job->part.cut;
  a->m = job->call.m;
  a->nsums = job->call.nsums;
  a->columns = job->row;
  a->rows = job->rows;
  if (!a->columns || !a->rows) return CONVK_OK;
  a->tiles_x = convk_ceil_(a->columns, threads * (job->call.sum ? CONVK_CUDA_GAUSSIAN_POINTS_ : CONVK_CUDA_GAUSSIAN_EACH_));
  a->tasks = a->tiles_x * convk_ceil_(a->rows, job->call.sum ? CONVK_CUDA_GAUSSIAN_SUMS_ : CONVK_CUDA_GAUSSIAN_ROWS_);
  return convk_cuda_start_(job->call.sum ? convk_cuda_gridpot_sum_of_<CONVK_T>(job->compensated, a->nsums)
                                         : convk_cuda_gridpot_of_<CONVK_T>(job->compensated, along, aligned),
                           a->tasks, (int)threads, stream, *a);
}

CONVK_LOCAL_ void convk_cuda_points_given_(const convk_points *from, convk_cuda_points_<CONVK_T> *to) {
  to->x = from->x;
  to->y = from->y;
  to->z = from->z;
  to->n = from->n;
  to->stride = from->stride;
}

CONVK_LOCAL_ int convk_cuda_gridpot_call_(const convk_gridpot_call_ *call, cudaStream_t stream) {
  convk_gridpot_job_ job;
  convk_cuda_gridpot_args_<CONVK_T> a;
  const int status = convk_gridpot_check_(convk_gaussian_kernel_table_(), NULL, NULL, CONVK_GAUSSIAN_DEVICE_, call, &job);
  if (status) return status;
  memset(&a, 0, sizeof a);
  convk_cuda_points_given_(&job.points.p, &a.points);
  a.alpha = job.call.alpha;
  a.c = job.call.c;
  a.ldc = job.call.ldc;
  a.out = job.call.out;
  a.ld = job.call.ld;
  return convk_cuda_gridpot_run_(&job, &a, stream);
}

/* ---- orbitals ---- */

/* What a plan begins with; then come the tables, then the occupations.  On the device the same bytes lie at another place. */
typedef struct convk_cuda_orbitals_known_ {
  size_t bytes, tables, weights; /* of all of it; from its beginning to these */
  int given, occupied;           /* whether there are coefficients, occupations */
  convk_orbitals_job_ job;
} convk_cuda_orbitals_known_;

/* Sizes of the plan of checked shells. */
CONVK_LOCAL_ int convk_cuda_orbitals_layout_(convk_cuda_orbitals_known_ *plan) {
  const size_t norbitals = plan->job.call.norbitals;
  const int density = plan->job.call.density;
  int status;
  plan->job.alone = plan->job.call.density = 0; /* no work for tasks, but room for functions as orbitals */
  plan->job.call.kinds = 1;
  status = convk_orbitals_layout_(1, &plan->job);
  plan->job.call.density = density;
  if (status) return status;
  if (norbitals > (size_t)-1 / 64) return CONVK_ERR_OVERFLOW;
  plan->tables = convk_round_up_(sizeof *plan, 64);
  plan->weights = plan->tables + plan->job.at[5];
  plan->bytes = plan->weights + norbitals * sizeof(CONVK_T) + 64;
  return CONVK_OK;
}

/* Makes the plan in memory of plan->bytes bytes at a multiple of 64. */
CONVK_LOCAL_ void convk_cuda_orbitals_fill_(convk_cuda_orbitals_known_ *plan, char *memory) {
  convk_orbitals_job_ *job = &plan->job;
  const CONVK_T *occupations = job->call.occupations;
  plan->given = job->call.coefficients != NULL;
  plan->occupied = occupations != NULL;
  convk_orbitals_plan_(memory + plan->tables, job);
  if (occupations && job->call.norbitals) {
    memcpy(memory + plan->weights, occupations, job->call.norbitals * sizeof(CONVK_T));
    if (!plan->given) { /* functions as orbitals */
      size_t i, f, j;
      double t[15][15];
      memset(job->matrix, 0, job->functions * job->columns * sizeof(CONVK_T));
      for (i = 0; i < job->call.nshells; i++) {
        const convk_orbital_shell_ *shell = &job->shells[i];
        convk_shell_matrix_(job->call.shells[i].l, job->call.shells[i].order, t);
        for (f = 0; f < shell->functions; f++)
          for (j = 0; j < shell->columns; j++)
            job->matrix[(shell->function + f) * job->columns + shell->column + j] = (CONVK_T)t[f][j];
      }
      plan->given = 1;
    }
  }
  memcpy(memory, plan, sizeof *plan);
}

/* A checked call: `there` is the plan on the device, `part` what is cut. */
CONVK_LOCAL_ int convk_cuda_orbitals_run_(const convk_cuda_orbitals_known_ *plan, const char *there,
                                          const convk_cuda_points_<CONVK_T> *points, const convk_gaussian_part_ *part,
                                          const convk_orbitals_call_ *call, cudaStream_t stream) {
  const size_t threads = CONVK_CUDA_GAUSSIAN_THREADS_, norbitals = call->norbitals;
  const size_t most = convk_cuda_orbitals_most_(call->kinds, norbitals);
  char *tables = (char *)(uintptr_t)there + plan->tables;
  convk_cuda_orbitals_args_<CONVK_T> a;
  size_t k;
  memset(&a, 0, sizeof a);
  a.points = *points;
  a.groups = convk_cuda_at_<convk_orbital_group_>(tables, 0);
  a.shells = convk_cuda_at_<convk_orbital_shell_>(tables, plan->job.at[1]);
  a.exponents = convk_cuda_at_<CONVK_T>(tables, plan->job.at[2]);
  a.radial = convk_cuda_at_<CONVK_T>(tables, plan->job.at[3]);
  a.matrix = convk_cuda_at_<CONVK_T>(tables, plan->job.at[4]);
  a.host_matrix = plan->job.matrix;
  a.weights = convk_cuda_at_<CONVK_T>(tables, plan->weights - plan->tables);
  for (k = 0; k < call->kinds; k++) a.out[k] = call->out[k];
  a.cut = part->cut;
  a.below = part->below;
  a.inverse = plan->job.inverse;
  a.least = plan->job.least;
  a.ngroups = plan->job.ngroups;
  a.primitives = plan->job.primitives;
  a.columns = plan->job.columns;
  a.norbitals = norbitals;
  a.ld = call->ld;
  a.tiles = convk_ceil_(points->n, threads);
  a.tasks = a.tiles * (call->density || !plan->given ? 1 : convk_ceil_(norbitals, most));
  return convk_cuda_start_(convk_cuda_orbitals_of_<CONVK_T>(call->kinds, call->density, plan->given, most), a.tasks,
                           (int)threads, stream, a);
}

CONVK_LOCAL_ int convk_cuda_orbitals_job_(const convk_points *points, const void *memory, const void *there,
                                          convk_orbitals_call_ *call, cudaStream_t stream) {
  convk_cuda_orbitals_known_ plan;
  convk_gaussian_points_ seen;
  convk_gaussian_part_ part;
  convk_cuda_points_<CONVK_T> given;
  size_t k, bytes;
  int status;
  if (!memory || !there) return CONVK_ERR_NULL;
  memcpy(&plan, memory, sizeof plan);
  call->norbitals = plan.job.call.norbitals;
  if (call->density != plan.occupied) return CONVK_ERR_OPTION;
  status = convk_points_check_(NULL, NULL, CONVK_GAUSSIAN_DEVICE_, points, &seen);
  if (!status) status = convk_gaussian_begin_(NULL, 1, call->options, 1, 0, CONVK_GAUSSIAN_LEAST_PRIMITIVE_, &part);
  if (!status) status = convk_orbitals_results_(NULL, CONVK_GAUSSIAN_DEVICE_, call, &seen.p, &bytes);
  for (k = 0; k < call->kinds && !status; k++)
    if (convk_overlap_(there, plan.bytes, call->out[k], bytes)) status = CONVK_ERR_OVERLAP;
  if (status || !bytes) return status;
  memset(&given, 0, sizeof given);
  convk_cuda_points_given_(&seen.p, &given);
  return convk_cuda_orbitals_run_(&plan, (const char *)there, &given, &part, call, stream);
}

CONVK_API_ int convk_cuda_gridpot(const convk_points *points, const CONVK_T center[3], size_t m, const CONVK_T *alpha,
                                  const convk_gaussian_options *options, CONVK_T *g, size_t ld, cudaStream_t stream) {
  const convk_gridpot_call_ call = {points, center, m, alpha, 0, NULL, 0, options, g, ld, 0};
  return convk_cuda_gridpot_call_(&call, stream);
}
CONVK_API_ int convk_cuda_gridpot_sum(const convk_points *points, const CONVK_T center[3], size_t m, const CONVK_T *alpha,
                                      size_t nsums, const CONVK_T *c, size_t ldc, const convk_gaussian_options *options,
                                      CONVK_T *sums, size_t ld, cudaStream_t stream) {
  const convk_gridpot_call_ call = {points, center, m, alpha, nsums, c, ldc, options, sums, ld, 1};
  return convk_cuda_gridpot_call_(&call, stream);
}

CONVK_API_ size_t convk_cuda_orbitals_plan_size(size_t nshells, const convk_shell *shells, size_t norbitals) {
  convk_cuda_orbitals_known_ plan;
  memset(&plan, 0, sizeof plan);
  plan.job.call.nshells = nshells;
  plan.job.call.shells = shells;
  plan.job.call.norbitals = norbitals;
  plan.job.call.kinds = 1;
  if (convk_orbitals_shells_(NULL, &plan.job) || convk_cuda_orbitals_layout_(&plan)) return 0;
  return plan.bytes;
}

CONVK_API_ int convk_cuda_orbitals_plan(size_t nshells, const convk_shell *shells, size_t norbitals,
                                        const CONVK_T *coefficients, size_t ldc, const CONVK_T *occupations, void *plan,
                                        size_t plan_size) {
  static const convk_points none = {0, NULL, NULL, NULL, 0};
  const int density = occupations != NULL;
  CONVK_T *const out = NULL;
  const convk_orbitals_call_ call = {&none, nshells, shells, norbitals, coefficients, ldc, occupations, NULL, &out,
                                     0,     NULL,    0,      1,         density};
  convk_cuda_orbitals_known_ own;
  int status;
  if (!plan) return CONVK_ERR_NULL;
  memset(&own, 0, sizeof own);
  status = convk_orbitals_check_(convk_gaussian_kernel_table_(), NULL, NULL, CONVK_GAUSSIAN_HANDLES_, &call, &own.job);
  if (!status) status = convk_cuda_orbitals_layout_(&own);
  if (!status && plan_size < own.bytes) status = CONVK_ERR_WORK;
  if (!status) convk_cuda_orbitals_fill_(&own, (char *)plan);
  return status;
}

CONVK_API_ int convk_cuda_orbitals(const convk_points *points, const void *plan, const void *there,
                                   const convk_gaussian_options *options, CONVK_T *value, size_t ld, cudaStream_t stream) {
  convk_orbitals_call_ call = {points, 0, NULL, 0, NULL, 0, NULL, options, &value, ld, NULL, 0, 1, 0};
  return convk_cuda_orbitals_job_(points, plan, there, &call, stream);
}
CONVK_API_ int convk_cuda_orbitals_vgl(const convk_points *points, const void *plan, const void *there,
                                       const convk_gaussian_options *options, CONVK_T *value, CONVK_T *dx, CONVK_T *dy,
                                       CONVK_T *dz, CONVK_T *laplacian, size_t ld, cudaStream_t stream) {
  CONVK_T *const out[5] = {value, dx, dy, dz, laplacian};
  convk_orbitals_call_ call = {points, 0, NULL, 0, NULL, 0, NULL, options, out, ld, NULL, 0, 5, 0};
  return convk_cuda_orbitals_job_(points, plan, there, &call, stream);
}
CONVK_API_ int convk_cuda_density(const convk_points *points, const void *plan, const void *there,
                                  const convk_gaussian_options *options, CONVK_T *density, cudaStream_t stream) {
  convk_orbitals_call_ call = {points, 0, NULL, 0, NULL, 0, NULL, options, &density, 0, NULL, 0, 1, 1};
  return convk_cuda_orbitals_job_(points, plan, there, &call, stream);
}

/* ---- what gaussian/host.h leaves to a device ---- */

/* y and z begin so many elements after x. */
typedef struct convk_gaussian_places_ {
  size_t n, apart, stride;
  void *in, *out[5];
} convk_gaussian_places_;

CONVK_LOCAL_ void convk_cuda_points_at_(const convk_gaussian_places_ *at, convk_cuda_points_<CONVK_T> *to) {
  to->x = (const CONVK_T *)at->in;
  to->y = to->x + at->apart;
  to->z = to->y + at->apart;
  to->n = at->n;
  to->stride = at->stride;
}

CONVK_LOCAL_ int convk_gridpot_there_(convk_cuda_host_ *host, void *checked, const convk_gaussian_places_ *at) {
  const convk_gridpot_job_ *job = (const convk_gridpot_job_ *)checked;
  const convk_gridpot_call_ *c = &job->call;
  const size_t row = c->m * sizeof(CONVK_T), sums = convk_round_up_(row, 256);
  convk_cuda_gridpot_args_<CONVK_T> a;
  void *table = NULL;
  int status = convk_cuda_buffer_(host, CONVK_DEVICE_WORK_, sums + c->nsums * row, &table);
  memset(&a, 0, sizeof a);
  if (!status && row) status = convk_cuda_send_(host, table, 0, row, c->alpha);
  if (!status && row && c->nsums)
    status = convk_cuda_copy_rows_(host, 0, (char *)table + sums, row, (void *)(uintptr_t)c->c, c->ldc * sizeof(CONVK_T), row,
                                   c->nsums);
  if (status) return status;
  convk_cuda_points_at_(at, &a.points);
  a.alpha = (const CONVK_T *)table;
  a.c = convk_cuda_at_<CONVK_T>(table, sums);
  a.ldc = c->m;
  a.out = (CONVK_T *)at->out[0];
  a.ld = job->row;
  return convk_cuda_gridpot_run_(job, &a, host->stream);
}

CONVK_LOCAL_ int convk_orbitals_there_(convk_cuda_host_ *host, void *checked, const convk_gaussian_places_ *at) {
  convk_cuda_orbitals_known_ plan;
  convk_orbitals_call_ c;
  convk_cuda_points_<CONVK_T> points;
  convk_work_ memory;
  CONVK_T *out[5];
  void *there = NULL;
  size_t k;
  int status;
  memset(&plan, 0, sizeof plan);
  memset(&points, 0, sizeof points);
  plan.job = *(const convk_orbitals_job_ *)checked;
  c = plan.job.call;
  if (!c.density) plan.job.call.occupations = NULL;
  for (k = 0; k < c.kinds; k++) out[k] = (CONVK_T *)at->out[k];
  c.out = out;
  c.ld = at->n;
  status = convk_cuda_orbitals_layout_(&plan);
  if (!status) status = convk_work_begin_(NULL, &memory, NULL, 0, plan.bytes);
  if (status) return status;
  convk_cuda_orbitals_fill_(&plan, memory.base);
  convk_cuda_points_at_(at, &points);
  status = convk_cuda_buffer_(host, CONVK_DEVICE_WORK_, plan.bytes, &there);
  if (!status) status = convk_cuda_send_(host, there, 0, plan.bytes - 64, memory.base);
  if (!status) status = convk_cuda_orbitals_run_(&plan, (const char *)there, &points, &plan.job.part, &c, host->stream);
  status = convk_cuda_wait_(host, status); /* its copy may have gone on until here */
  convk_work_end_(&memory);
  return status;
}
#endif
