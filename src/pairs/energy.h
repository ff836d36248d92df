/* ---- all pairs of a walker ---- */

/* Sums of pairs in interleaved lanes, and products of r^2, whose exponents were put aside `count` times. */
typedef struct convk_pairs_lanes_ {
  CONVK_T sum[CONVK_PAIRS_SUMS_ * CONVK_PAIRS_LANES_], product[CONVK_PAIRS_LANES_], exponent[CONVK_PAIRS_LANES_];
  double count;
} convk_pairs_lanes_;

/* The sum of lanes. */
CONVK_LOCAL_ double convk_pairs_fold_(const double *lane) {
  double s[CONVK_PAIRS_LANES_ / 2];
  size_t i;
  CONVK_EACH_(i, CONVK_PAIRS_LANES_ / 2) s[i] = lane[i] + lane[i + CONVK_PAIRS_LANES_ / 2];
  CONVK_UNROLL_
  for (i = CONVK_PAIRS_LANES_ / 2 - 1; i; i--) s[CONVK_PAIRS_ONTO_(i)] += s[i];
  return s[0];
}

/* Products of lanes, below 2, with the bits of their exponents added up over `count` of them, into one, or out of it (sign). */
CONVK_RARE_ void convk_pairs_product_(const CONVK_T *mantissa, const CONVK_T *exponent, double count, int sign,
                                      convk_pairs_sums_ *to) {
  double m[CONVK_PAIRS_LANES_], e;
  uint64_t bits = 0;
  size_t i;
  for (i = 0; i < CONVK_PAIRS_LANES_; i++) {
    CONVK_UNSIGNED_ one;
    memcpy(&one, &exponent[i], sizeof one);
    bits += one;
    m[i] = (double)mantissa[i];
  }
  for (i = CONVK_PAIRS_LANES_ - 1; i; i--) m[CONVK_PAIRS_ONTO_(i)] *= m[i];
  e = (double)bits - CONVK_EITHER_(127., 1023.) * count * (double)CONVK_PAIRS_LANES_;
  convk_pairs_multiply_(to, sign > 0 ? m[0] : 1 / m[0], sign * e);
}

/* A block of a walker, x y z, filled up with 0 to whole sets of lanes. */
CONVK_RARE_ void convk_pairs_block_(const CONVK_T *r, size_t pitch, size_t n, size_t block, CONVK_T *to) {
  const size_t begin = block * CONVK_PAIRS_BLOCK_, count = n - begin < CONVK_PAIRS_BLOCK_ ? n - begin : CONVK_PAIRS_BLOCK_;
  size_t d, bytes = count * sizeof *to;
  CONVK_SCALAR_(bytes); /* where a compiler sees that it is small it copies by an instruction that is slow to start */
  for (d = 0; d < 3; d++) {
    CONVK_T *x = to + d * CONVK_PAIRS_BLOCK_;
    size_t i;
    memcpy(x, r + d * pitch + begin, bytes);
    for (i = count; i % CONVK_PAIRS_LANES_; i++) x[i] = 0;
  }
}

/* Adds a block's gradient to that of a walker. */
CONVK_RARE_ void convk_pairs_add_(const CONVK_T *block, size_t n, size_t padded, size_t at, double *gradient) {
  size_t d, i;
  for (d = 0; d < 3; d++)
    for (i = 0; i < n; i++) gradient[d * padded + at + i] += (double)block[d * CONVK_PAIRS_BLOCK_ + i];
}

/* It is all that a walker has: there are as many as finish sums up. */
CONVK_RARE_ void convk_pairs_set_(const CONVK_T *block, size_t n, size_t padded, double *gradient) {
  size_t d, i;
  for (d = 0; d < 3; d++) {
    for (i = 0; i < n; i++) gradient[d * padded + i] = 0. + (double)block[d * CONVK_PAIRS_BLOCK_ + i]; /* no -0 */
    for (; i % 4; i++) gradient[d * padded + i] = 0;
  }
}

/* The stripes of one walker as tasks. */
typedef struct convk_pairs_stripes_job_ {
  const convk_pairs_kernels_ *kernels;
  const convk_pairs_terms_ *terms;
  const CONVK_T *r;
  size_t n, pitch, tasks;
  int want;
  convk_pairs_sums_ *sums; /* of each stripe */
  double *gradient;        /* of each stripe, [3][padded] */
} convk_pairs_stripes_job_;

/* One of them.  gradient: [3][padded], of doubles, set; or NULL. */
CONVK_RARE_ void convk_pairs_stripe_(const convk_pairs_stripes_job_ *job, size_t stripe, convk_pairs_sums_ *sums,
                                     double *gradient) {
  const convk_pairs_terms_ *c = job->terms;
  const CONVK_T *r = job->r;
  const size_t n = job->n, pitch = job->pitch;
  const size_t blocks = convk_pairs_blocks_(n), stripes = convk_pairs_stripes_(n), padded = convk_pairs_padded_(n);
  CONVK_PAIRS_ALIGNED_ CONVK_T rows[3 * CONVK_PAIRS_BLOCK_];
  CONVK_PAIRS_ALIGNED_ CONVK_T columns[3 * CONVK_PAIRS_BLOCK_];
  CONVK_PAIRS_ALIGNED_ CONVK_T limit[CONVK_PAIRS_BLOCK_];
  CONVK_PAIRS_ALIGNED_ CONVK_T row_gradient[3 * CONVK_PAIRS_BLOCK_];
  CONVK_PAIRS_ALIGNED_ CONVK_T column_gradient[3 * CONVK_PAIRS_BLOCK_];
  CONVK_PAIRS_ALIGNED_ double sum[CONVK_PAIRS_SUMS_ * CONVK_PAIRS_LANES_];
  convk_pairs_tile_ tile;
  size_t block, step, i;
  int k;
  memset(sum, 0, sizeof sum);
  convk_pairs_sums_clear_(sums);
  if (gradient && blocks > 1) memset(gradient, 0, 3 * padded * sizeof *gradient);
  tile.rows = rows;
  tile.limit = limit;
  tile.row_gradient = row_gradient;
  tile.column_gradient = column_gradient;
  tile.want = job->want;
  tile.sum = sum;
  tile.product = sums;
  for (block = stripe; block < blocks; block += stripes) {
    convk_pairs_block_(r, pitch, n, block, rows);
    tile.nrows = n - block * CONVK_PAIRS_BLOCK_ < CONVK_PAIRS_BLOCK_ ? n - block * CONVK_PAIRS_BLOCK_ : CONVK_PAIRS_BLOCK_;
    for (step = 0; step <= blocks / 2; step++) {
      const size_t other = (block + step) % blocks, left = n - other * CONVK_PAIRS_BLOCK_;
      if (step && 2 * step == blocks && block >= step) break; /* the other half of the opposite ones */
      tile.own = !step;
      tile.ncolumns = left < CONVK_PAIRS_BLOCK_ ? left : CONVK_PAIRS_BLOCK_;
      tile.all = step && tile.ncolumns == CONVK_PAIRS_BLOCK_ && !c->periodic && !c->counts;
      tile.columns = columns;
      if (step) convk_pairs_block_(r, pitch, n, other, columns);
      else tile.columns = rows;
      for (i = 0; step && i < CONVK_PAIRS_BLOCK_; i++) limit[i] = i < tile.ncolumns ? c->limit : 0;
      job->kernels->tile(c, &tile);
      if (!gradient) continue;
      if (blocks == 1) {
        convk_pairs_set_(row_gradient, n, padded, gradient);
        continue;
      }
      convk_pairs_add_(row_gradient, tile.nrows, padded, block * CONVK_PAIRS_BLOCK_, gradient);
      if (step) convk_pairs_add_(column_gradient, tile.ncolumns, padded, other * CONVK_PAIRS_BLOCK_, gradient);
    }
  }
  for (k = 0; k < CONVK_PAIRS_SUMS_; k++) sums->sum[k] = convk_pairs_fold_(sum + (size_t)k * CONVK_PAIRS_LANES_);
}

/* What sums over all pairs mean. */
CONVK_RARE_ void convk_pairs_finish_(const convk_pairs_terms_ *c, int want, const convk_pairs_sums_ *s, size_t n,
                                     const double *gradient, size_t padded, convk_pair_result *result) {
  const double laplacian = 20 * c->p[0] * s->sum[3] + 2 * c->p[1] * s->sum[4] + c->p[2] * s->sum[1] + 2 * c->p[3] * s->sum[5];
  double square[4] = {0, 0, 0, 0};
  size_t d, i, k;
  if (want & CONVK_PAIR_GRADIENT)
    for (d = 0; d < 3; d++)
      for (i = 0; i < n; i += 4) { /* it is 0 behind the last */
        const double *const g = gradient + d * padded + i;
        CONVK_EACH_(k, 4) square[k] += g[k] * g[k];
      }
  convk_pairs_meaning_(c->p, c->edge, c->hbar2_2m, want, s->sum, want & CONVK_PAIR_LN_PSI ? convk_pairs_log_(s) : 0, laplacian,
                       (square[0] + square[2]) + (square[1] + square[3]), (double *)(void *)result);
}

CONVK_LOCAL_ void convk_pairs_stripe_task_(void *arg, size_t index) {
  const convk_pairs_stripes_job_ *job = (const convk_pairs_stripes_job_ *)arg;
  convk_pairs_stripe_(job, index, job->sums + index,
                      job->gradient ? job->gradient + index * 3 * convk_pairs_padded_(job->n) : NULL);
}

/* Adds a stripe's gradient of some blocks to that of the first: what it has of them. */
CONVK_LOCAL_ void convk_pairs_reduce_(size_t n, size_t stripe, size_t begin, size_t end, const double *from, double *to) {
  const size_t blocks = convk_pairs_blocks_(n);
  size_t d, i, block, at;
  for (d = 0; d < 3; d++)
    for (block = begin; block < end; block++)
      if (convk_pairs_touches_(blocks, stripe, block))
        for (i = 0, at = (d * blocks + block) * CONVK_PAIRS_BLOCK_; i < CONVK_PAIRS_BLOCK_; i++) to[at + i] += from[at + i];
}

CONVK_LOCAL_ void convk_pairs_reduce_task_(void *arg, size_t index) {
  const convk_pairs_stripes_job_ *job = (const convk_pairs_stripes_job_ *)arg;
  const size_t blocks = convk_pairs_blocks_(job->n), stripes = convk_pairs_stripes_(job->n);
  const size_t begin = convk_share_(blocks, job->tasks, index), end = convk_share_(blocks, job->tasks, index + 1);
  size_t k;
  for (k = 1; k < stripes; k++)
    convk_pairs_reduce_(job->n, k, begin, end, job->gradient + k * 3 * convk_pairs_padded_(job->n), job->gradient);
}

/* Two or three particles: the bits of a stripe in two thirds of its time (330 ns of pair_energy become 217, with AVX-512).
   Lanes are added, and products multiplied, in the order of convk_pairs_fold_. */
CONVK_RARE_ void convk_pairs_tiny_of_(const convk_pairs_kernels_ *kernels, const convk_pairs_terms_ *c, int want, size_t n,
                                      const CONVK_T *r, size_t pitch, convk_pairs_sums_ *sums, double *gradient) {
  CONVK_PAIRS_ALIGNED_ convk_pairs_tiny_lanes_ p;
  const size_t pairs = 2 * n - 3;
  size_t d, i, k;
  kernels->tiny(c, n, pitch, want, r, &p);
  convk_pairs_sums_clear_(sums);
  for (k = 0; k < CONVK_PAIRS_SUMS_; k++) {
    if (k == 7 && !c->counts) continue;
    sums->sum[k] = 0. + (double)p.sum[k][0];
    if (pairs > 1) sums->sum[k] = (sums->sum[k] + (double)p.sum[k][2]) + (double)p.sum[k][1];
  }
  if (want & CONVK_PAIR_LN_PSI) {
    double product = (double)p.product[0], exponent = 0;
    for (i = 0; i < pairs; i++) {
      CONVK_UNSIGNED_ bits;
      memcpy(&bits, &p.exponent[i], sizeof bits);
      exponent += (double)bits - CONVK_EITHER_(127., 1023.);
    }
    if (pairs > 1) product = (product * (double)p.product[2]) * (double)p.product[1];
    convk_pairs_multiply_(sums, product, exponent);
  }
  if (!(want & CONVK_PAIR_GRADIENT)) return;
  for (d = 0; d < 3; d++) { /* with the next one, less with the one before; 0 behind the last */
    const CONVK_T *const way = p.way[d];
    double *const g = gradient + d * CONVK_PAIRS_BLOCK_;
    g[0] = 0. + (double)(CONVK_T)(way[0] - (pairs > 1 ? way[2] : 0));
    g[1] = 0. + (double)(CONVK_T)((pairs > 1 ? way[1] : 0) - way[0]);
    g[2] = pairs > 1 ? 0. + (double)(CONVK_T)(way[2] - way[1]) : 0;
    g[3] = 0;
  }
}

/* All pairs of one walker.  hw: for its threads, NULL: serial.  *gradient: [3][padded] of the scratch. */
CONVK_RARE_ int convk_pairs_walker_(const convk_pairs_kernels_ *kernels, const convk_pairs_terms_ *c, convk *hw, int want,
                                    size_t n, const CONVK_T *r, size_t pitch, convk_pair_result *result, double *scratch,
                                    double **gradient) {
  const size_t stripes = convk_pairs_stripes_(n), padded = convk_pairs_padded_(n);
  convk_pairs_sums_ *part = (convk_pairs_sums_ *)(void *)scratch, sums;
  double *g = scratch + CONVK_PAIRS_STRIPES_ * sizeof(convk_pairs_sums_) / sizeof(double);
  size_t k;
  convk_pairs_stripes_job_ job;
  if (n <= 3 && !c->periodic && !(c->near_by > 0 && c->near_by <= 1)) {
    convk_pairs_tiny_of_(kernels, c, want, n, r, pitch, &sums, g);
    convk_pairs_finish_(c, want, &sums, n, g, padded, result);
    if (gradient) *gradient = g;
    return CONVK_OK;
  }
  job.kernels = kernels;
  job.terms = c;
  job.r = r;
  job.n = n;
  job.pitch = pitch;
  job.want = want;
  job.sums = part;
  job.gradient = want & CONVK_PAIR_GRADIENT ? g : NULL;
  if (hw && convk_threads_(hw) > 1 && stripes > 1) {
    int status = convk_run_tasks_(hw, stripes, convk_pairs_stripe_task_, &job);
    job.tasks = padded > 256 ? convk_threads_(hw) : 1;
    if (!status && job.gradient) status = convk_run_tasks_(hw, job.tasks, convk_pairs_reduce_task_, &job);
    if (status) return status;
  } else {
    convk_pairs_stripe_task_(&job, 0);
    for (k = 1; k < stripes; k++) {
      double *next = want & CONVK_PAIR_GRADIENT ? g + 3 * padded : NULL;
      convk_pairs_stripe_(&job, k, part + k, next);
      if (next) convk_pairs_reduce_(n, k, 0, convk_pairs_blocks_(n), next, g);
    }
  }
  convk_pairs_sums_clear_(&sums);
  for (k = 0; k < stripes; k++) convk_pairs_sums_add_(&sums, part + k);
  convk_pairs_finish_(c, want, &sums, n, g, padded, result);
  if (gradient) *gradient = g;
  return CONVK_OK;
}

/* ---- pair_energy ---- */

CONVK_API_ int convk_pair_energy_work_size(convk *hw, size_t particles, size_t walkers, size_t *bytes) {
  char *message;
  int status = convk_pairs_call_(hw, &message);
  size_t need;
  if (!status) status = convk_pairs_particles_check_(message, "", particles);
  if (status) return status;
  if (!bytes) return convk_refuse_(message, CONVK_ERR_NULL, "bytes is NULL");
  need = convk_pairs_work_size_(hw, particles, walkers);
  if (need == (size_t)-1) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "particles is too large");
  *bytes = need;
  return CONVK_OK;
}

/* One checked call; walkers are dealt out to tasks, or one walker's stripes are. */
typedef struct convk_pairs_job_ {
  const convk_pairs_kernels_ *kernels;
  convk_pairs_terms_ terms;
  convk_pair_walkers full;
  size_t n, tasks, scratch;
  int want;
  const CONVK_T *r;
  CONVK_T *gradient;
  convk_pair_result *result;
  double *base;
} convk_pairs_job_;

CONVK_RARE_ int convk_pairs_one_(const convk_pairs_job_ *job, convk *hw, size_t w, double *scratch) {
  const size_t padded = convk_pairs_padded_(job->n);
  double *g = NULL;
  size_t d, i;
  const int status = convk_pairs_walker_(job->kernels, &job->terms, hw, job->want, job->n, job->r + w * job->full.stride,
                                         job->full.pitch, job->result + w, scratch, &g);
  if (status || !job->gradient || !(job->want & CONVK_PAIR_GRADIENT)) return status;
  for (d = 0; d < 3; d++) {
    convk_any_ *to = (convk_any_ *)(job->gradient + w * job->full.stride + d * job->full.pitch);
    for (i = 0; i < job->n; i++) to[i] = (CONVK_T)g[d * padded + i];
  }
  return CONVK_OK;
}

CONVK_LOCAL_ void convk_pairs_task_(void *arg, size_t index) {
  const convk_pairs_job_ *job = (const convk_pairs_job_ *)arg;
  size_t w = convk_share_(job->full.walkers, job->tasks, index);
  for (; w < convk_share_(job->full.walkers, job->tasks, index + 1); w++)
    (void)convk_pairs_one_(job, NULL, w, job->base + index * job->scratch);
}

/* One walker after the other, each on all threads. */
CONVK_RARE_ int convk_pairs_in_turn_(void *arg, convk *hw) {
  const convk_pairs_job_ *job = (const convk_pairs_job_ *)arg;
  size_t w;
  int status = CONVK_OK;
  for (w = 0; w < job->full.walkers && !status; w++) status = convk_pairs_one_(job, hw, w, job->base);
  return status;
}

/* A quick look at what pair_coordinates looks at one by one; in one go where walkers are packed. */
CONVK_RARE_ int convk_pairs_all_inside_(const convk_pairs_kernels_ *kernels, const convk_pair_walkers *full, size_t n,
                                        const CONVK_T *r) {
  const int packed = full->pitch == n && full->stride == 3 * n;
  size_t w, d;
  if (packed) return kernels->inside(3 * n * full->walkers, r);
  for (w = 0; w < full->walkers; w++)
    for (d = 0; d < 3; d++)
      if (!kernels->inside(n, r + w * full->stride + d * full->pitch)) return 0;
  return 1;
}

CONVK_RARE_ int convk_pair_energy_cpu_(const convk_pairs_kernels_ *kernels, convk *hw, const convk_pair_system *system,
                                       const convk_pair_walkers *walkers, int want, const CONVK_T *r, convk_pair_result *result,
                                       CONVK_T *gradient, void *work, size_t work_size) {
  convk_pairs_job_ job;
  convk_work_ memory;
  size_t need;
  char *const message = hw ? hw->message : NULL;
  int status = convk_pairs_energy_check_(message, system, walkers, want, CONVK_PAIRS_TABLE_, &job.terms, &job.full);
  if (!status) status = convk_pairs_energy_arrays_(message, system, &job.full, r, result, gradient, work, work_size);
  if (!status && job.full.walkers && !convk_pairs_all_inside_(kernels, &job.full, system->particles, r))
    status = convk_pairs_coordinates_(message, "r", &job.full, system->particles, r);
  if (status || !job.full.walkers) return status;
  memory.base = NULL;
  need = convk_pairs_work_size_(hw, system->particles, job.full.walkers);
  if (need == (size_t)-1) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "system->particles is too large");
  status = convk_work_begin_(message, &memory, work, work_size, need);
  if (status) return status;
  job.kernels = kernels;
  job.n = system->particles;
  job.want = want ? want : CONVK_PAIR_ALL;
  job.r = r;
  job.result = result;
  job.gradient = gradient;
  job.base = (double *)(void *)memory.base;
  job.tasks = convk_pairs_tasks_(hw, job.n, job.full.walkers, sizeof *r);
  if (job.tasks) {
    job.scratch = convk_pairs_scratch_(job.n, 0);
    status = convk_run_tasks_(hw, job.tasks, convk_pairs_task_, &job);
  } else status = convk_run_here_(hw, convk_pairs_in_turn_, &job);
  convk_work_end_(&memory);
  return status;
}

/* ---- pair_potential ---- */

typedef struct convk_pairs_values_job_ {
  const convk_pairs_kernels_ *kernels;
  convk_pairs_terms_ terms;
  size_t n;
  const CONVK_T *r;
  CONVK_T *v;
} convk_pairs_values_job_;

CONVK_LOCAL_ void convk_pairs_values_task_(void *arg, size_t index) {
  const convk_pairs_values_job_ *job = (const convk_pairs_values_job_ *)arg;
  (void)index;
  job->kernels->potential(&job->terms, job->n, job->r, job->v);
}

CONVK_RARE_ int convk_pair_potential_cpu_(const convk_pairs_kernels_ *kernels, convk *hw, const convk_pair_potential *potential,
                                          size_t n, const CONVK_T *r, CONVK_T *v) {
  convk_pairs_values_job_ job;
  char *const message = hw ? hw->message : NULL;
  int status = convk_pairs_values_check_(message, potential, n, CONVK_PAIRS_TABLE_, &job.terms);
  if (!status) status = convk_pairs_values_arrays_(message, potential, n, r, v);
  if (status) return status;
  job.kernels = kernels;
  job.n = n;
  job.r = r;
  job.v = v;
  return convk_run_tasks_(hw, 1, convk_pairs_values_task_, &job);
}
