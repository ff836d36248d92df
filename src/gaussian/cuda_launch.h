/* ---- Gaussians: choices of kernels, and launches ---- */

template <> struct convk_cuda_gaussian_type_<CONVK_T> {
  typedef convk_orbital_group_ group;
  typedef convk_orbital_shell_ shell;
};

CONVK_LOCAL_ void convk_cuda_points_fill_(const convk_points *from, convk_cuda_points_<CONVK_T> *to) {
  to->x = from->x;
  to->y = from->y;
  to->z = from->z;
  to->n = from->n;
  to->stride = from->stride ? from->stride : 1;
}

/* Exponents and coefficients are on the device: nobody looks at them. */
CONVK_LOCAL_ int convk_gaussians_seen_(convk_cuda_call_ *, const convk_gridpot_job_ *) { return CONVK_OK; }

CONVK_LOCAL_ int convk_gridpot_start_(convk_cuda_call_ *call, const convk_gridpot_job_ *job, const convk_points *points,
                                      CONVK_T *out) {
  const size_t threads = CONVK_CUDA_GAUSSIAN_THREADS_;
  size_t each = CONVK_CUDA_GAUSSIAN_EACH_;
  const int along = job->part.layout == CONVK_GRIDPOT_POINTS_CONTIGUOUS;
  const int aligned = (uintptr_t)out % 16 == 0 && job->ld * sizeof(CONVK_T) % 16 == 0;
  convk_cuda_gridpot_args_<CONVK_T> a;
  long choice[CONVK_TUNE_COUNT];
  int status = convk_cuda_clock_start_(call);
  if (status) return status;
  memset(&a, 0, sizeof a);
  convk_cuda_points_fill_(points, &a.points);
  memcpy(a.points.center, job->center, sizeof a.points.center);
  a.alpha = job->of.alpha;
  a.c = job->of.coefficients;
  a.ldc = job->of.ldc;
  a.out = out;
  a.ld = job->ld;
  a.cut = job->part.cut;
  a.m = job->of.n;
  a.nsums = job->of.nsums;
  a.columns = job->row;
  a.rows = job->rows;
  if (job->sum) {
    convk_choice_(call->hw, "gridpot_sum", sizeof(CONVK_T), points->n, job->of.n, job->of.nsums, 1, choice);
    each = convk_cuda_gridpot_points_(job->compensated, a.nsums, choice[CONVK_TUNE_TILE_X]);
  }
  a.tiles_x = convk_ceil_(a.columns, threads * each);
  a.tasks = a.tiles_x * convk_ceil_(a.rows, job->sum ? CONVK_CUDA_GAUSSIAN_SUMS_ : CONVK_CUDA_GAUSSIAN_ROWS_);
  status = convk_cuda_start_(job->sum ? convk_cuda_gridpot_sum_of_<CONVK_T>(job->compensated, a.nsums, each)
                                      : convk_cuda_gridpot_of_<CONVK_T>(job->compensated, along, aligned),
                             a.tasks, (int)threads, call->stream, a);
  return convk_cuda_clock_stop_(call, status);
}

/* A plan at `plan`. */
CONVK_LOCAL_ int convk_orbitals_start_(convk_cuda_call_ *call, const convk_orbitals_job_ *job, const convk_points *points,
                                       const void *plan, CONVK_T *const *out) {
  const size_t threads = CONVK_CUDA_GAUSSIAN_THREADS_, kinds = job->call.kinds;
  size_t block = convk_cuda_orbitals_block_(kinds, job->norbitals);
  const convk_orbitals_head_ *const head = job->head;
  char *const at = (char *)(uintptr_t)plan;
  const int combined = head->combined != 0;
  convk_cuda_orbitals_args_<CONVK_T> a;
  long choice[CONVK_TUNE_COUNT];
  size_t k;
  int status = convk_cuda_clock_start_(call);
  if (status) return status;
  convk_choice_(call->hw, "orbitals", sizeof(CONVK_T), points->n, (size_t)head->functions, job->norbitals, 1, choice);
  if (kinds == 1) block = convk_tuned_power_(choice[CONVK_TUNE_TILE_Y], 8, 16, block);
  memset(&a, 0, sizeof a);
  convk_cuda_points_fill_(points, &a.points);
  a.groups = convk_cuda_at_<convk_orbital_group_>(at, (size_t)head->at[CONVK_ORBITALS_GROUPS_]);
  a.shells = convk_cuda_at_<convk_orbital_shell_>(at, (size_t)head->at[CONVK_ORBITALS_SHELLS_]);
  a.exponents = convk_cuda_at_<CONVK_T>(at, (size_t)head->at[CONVK_ORBITALS_EXPONENTS_]);
  a.radial = convk_cuda_at_<CONVK_T>(at, (size_t)head->at[CONVK_ORBITALS_RADIAL_]);
  a.matrix = convk_cuda_at_<CONVK_T>(at, (size_t)head->at[CONVK_ORBITALS_MATRIX_]);
  a.weights = convk_cuda_at_<CONVK_T>(at, (size_t)head->at[CONVK_ORBITALS_OCCUPATIONS_]);
  for (k = 0; k < kinds; k++) a.out[k] = out[k];
  a.cut = job->part.cut;
  a.below = job->part.below;
  a.inverse = head->inverse;
  a.least = head->least;
  a.ngroups = (size_t)head->ngroups;
  a.primitives = (size_t)head->primitives;
  a.columns = (size_t)head->columns;
  a.norbitals = job->norbitals;
  a.ld = job->call.ld;
  a.tiles = convk_ceil_(points->n, threads);
  a.tasks = a.tiles * (job->call.density || !combined ? 1 : convk_ceil_(job->norbitals, block));
  status = convk_cuda_start_(convk_cuda_orbitals_of_<CONVK_T>(kinds, job->call.density, combined, block), a.tasks, (int)threads,
                             call->stream, a);
  return convk_cuda_clock_stop_(call, status);
}

/* ---- what gaussian/device.h leaves to a device ---- */

/* y and z begin so many elements after x. */
CONVK_LOCAL_ void convk_points_at_(void *in, size_t first, size_t apart, convk_points *points) {
  points->x = (const CONVK_T *)in + first;
  points->y = points->x + apart;
  points->z = points->y + apart;
}

/* Exponents and coefficients go up, too. */
CONVK_LOCAL_ int convk_gridpot_device_(convk_cuda_host_ *host, void *checked, size_t part, size_t ld,
                                       const convk_points *points, CONVK_T *const *out) {
  convk_gridpot_job_ *const job = (convk_gridpot_job_ *)checked;
  convk_gaussians *const g = &job->of;
  const size_t row = g->n * sizeof(CONVK_T), sums = convk_round_up_(row, 256), nsums = job->sum ? g->nsums : 0;
  convk_cuda_call_ call = convk_cuda_call_on_(host);
  void *table = NULL;
  int status;
  convk_gridpot_part_(job, points->n, ld);
  if (part) return convk_gridpot_start_(&call, job, points, out[0]);
  status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, sums + nsums * row, &table);
  if (!status && row) status = convk_cuda_send_(host, table, 0, row, g->alpha);
  if (!status && row && nsums)
    status = convk_cuda_copy_rows_(host, 0, (char *)table + sums, row, (void *)(uintptr_t)g->coefficients,
                                   g->ldc * sizeof(CONVK_T), row, nsums);
  g->alpha = (const CONVK_T *)table;
  g->coefficients = convk_cuda_at_<CONVK_T>(table, sums);
  g->ldc = g->n;
  return status ? status : convk_gridpot_start_(&call, job, points, out[0]);
}
