#if CONVK_HAS_GAUSSIAN_
/* ---- points and exponents ---- */

/* One checked call: what kernels need of its points. */
typedef struct convk_gaussian_points_ {
  const convk_gaussian_kernels_ *kernels;
  convk_points p; /* with a stride of at least 1 */
  size_t chunk;   /* points of a task */
  char bad[64];
} convk_gaussian_points_;

/* The elements from the first to the last of a coordinate. */
CONVK_LOCAL_ size_t convk_points_span_(const convk_points *p) { return p->n ? (p->n - 1) * p->stride + 1 : 0; }

CONVK_RARE_ int convk_points_check_(const convk_gaussian_kernels_ *kernels, char *message, int where,
                                    const convk_points *points, convk_gaussian_points_ *job) {
  size_t bytes;
  if (!points) return convk_refuse_(message, CONVK_ERR_NULL, "points is NULL");
  if (where != CONVK_GAUSSIAN_HANDLES_ && points->n && (!points->x || !points->y || !points->z))
    return convk_refuse_(message, CONVK_ERR_NULL, "x, y or z of points is NULL");
  job->kernels = kernels;
  job->chunk = 0;
  job->p = *points;
  if (!job->p.stride) job->p.stride = 1;
  if (convk_mul_(job->p.n, job->p.stride, &bytes) || convk_mul_(bytes, sizeof(CONVK_T), &bytes) || bytes > (size_t)-1 / 4)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "n times stride of points overflows");
  return CONVK_OK;
}

CONVK_RARE_ int convk_points_overlap_(const convk_points *p, const void *out, size_t bytes) {
  const size_t span = convk_points_span_(p) * sizeof(CONVK_T);
  return convk_overlap_(p->x, span, out, bytes) || convk_overlap_(p->y, span, out, bytes) ||
         convk_overlap_(p->z, span, out, bytes);
}

CONVK_LOCAL_ void convk_points_task_(void *arg, size_t index) {
  convk_gaussian_points_ *job = (convk_gaussian_points_ *)arg;
  const convk_points *p = &job->p;
  const size_t begin = index * job->chunk, n = convk_least_(p->n - begin, job->chunk), stride = p->stride;
  size_t i;
  job->bad[index] = 0;
  if (stride == 1) {
    job->bad[index] = !(job->kernels->finite(p->x + begin, n) && job->kernels->finite(p->y + begin, n) &&
                        job->kernels->finite(p->z + begin, n));
  } else if (stride == 3 && p->y == p->x + 1 && p->z == p->x + 2) {
    job->bad[index] = !job->kernels->finite(p->x + 3 * begin, 3 * n);
  } else {
    for (i = begin * stride; i < (begin + n) * stride && !job->bad[index]; i += stride)
      job->bad[index] =
          !(convk_finite_(CONVK_ONE_(p->x + i)) && convk_finite_(CONVK_ONE_(p->y + i)) && convk_finite_(CONVK_ONE_(p->z + i)));
  }
}

/* COORDINATE where a point is not finite. */
CONVK_RARE_ int convk_points_finite_(convk *hw, convk_gaussian_points_ *job) {
  const size_t chunk = job->chunk; /* of the call's own tasks */
  size_t tasks = convk_threads_(hw), i;
  int status;
  if (!job->p.n) return CONVK_OK;
  if (tasks == 1 || job->p.n < CONVK_GAUSSIAN_TASK_) {
    job->chunk = job->p.n;
    convk_points_task_(job, 0);
    job->chunk = chunk;
    return job->bad[0] ? CONVK_ERR_COORDINATE : CONVK_OK;
  }
  tasks = convk_least_(convk_least_(tasks, sizeof job->bad), job->p.n / CONVK_GAUSSIAN_TASK_ + 1);
  job->chunk = job->p.n / tasks + 1;
  tasks = job->p.n / job->chunk + (job->p.n % job->chunk != 0);
  status = convk_run_(hw, tasks, convk_points_task_, job);
  job->chunk = chunk;
  for (i = 0; i < tasks && !status; i++)
    if (job->bad[i]) status = CONVK_ERR_COORDINATE;
  return status;
}

/* Whether all elements are finite, for devices. */
CONVK_LOCAL_ int convk_gaussian_finite_(const CONVK_T *p, size_t n) {
  size_t i, bad = 0;
  for (i = 0; i < n; i++) bad |= !convk_finite_(p[i]);
  return !bad;
}

CONVK_LOCAL_ int convk_rows_finite_(const convk_gaussian_kernels_ *kernels, const CONVK_T *a, size_t rows, size_t n,
                                    size_t ld) {
  size_t r;
  for (r = 0; r < rows; r++)
    if (n && !kernels->finite(a + r * ld, n)) return 0;
  return 1;
}

/* Squared distances of `count` points from `first` on, see convk_gaussian_distances_; copies of the last point fill up a
   multiple of 16. */
CONVK_RARE_ void convk_gaussian_near_(const convk_gaussian_points_ *job, size_t first, size_t count, const CONVK_T *center,
                                      CONVK_T *d, size_t pitch, CONVK_T *s, CONVK_T *lo, CONVK_T *extremes) {
  CONVK_T gathered[3][CONVK_GAUSSIAN_GATHER_];
  const CONVK_T *axes[3], *rows[3];
  const size_t stride = job->p.stride;
  size_t i = 0, j, k;
  axes[0] = job->p.x + first * stride;
  axes[1] = job->p.y + first * stride;
  axes[2] = job->p.z + first * stride;
  extremes[0] = CONVK_GREATEST_;
  extremes[1] = 0;
  if (stride == 1 && count >= 16) {
    i = count / 16 * 16;
    job->kernels->distances(axes, i, center, d, pitch, s, lo, extremes);
  }
  for (k = 0; k < 3; k++) rows[k] = gathered[k];
  for (; i < count; i += CONVK_GAUSSIAN_GATHER_) {
    const size_t n = convk_least_(count - i, CONVK_GAUSSIAN_GATHER_), all = convk_round_up_(n, 16);
    for (k = 0; k < 3; k++)
      for (j = 0; j < all; j++) gathered[k][j] = CONVK_ONE_(axes[k] + (i + (j < n ? j : n - 1)) * stride);
    job->kernels->distances(rows, all, center, d ? d + i : NULL, pitch, s + i, lo ? lo + i : NULL, extremes);
  }
}

/* An exponent as the kernels want it: a and b of convk_gaussian_part_, and `top`, the squared distance beyond which all results
   are alike.  That is where a s reaches `limit`: a little above the least normal result (2^-126, 2^-1022) where results fall,
   or, where they grow, certainly beyond the largest finite one (2^128, 2^1024). */
CONVK_RARE_ void convk_gaussian_exponent_(int fused, double alpha, CONVK_T *a, CONVK_T *b, CONVK_T *top) {
  const double large = fused ? CONVK_EITHER_(156, 1100) : CONVK_EITHER_(110, 765), most = CONVK_GREATEST_;
  const double lowest = (CONVK_EITHER_(126, 1022) - 0.0001220703125) * (fused ? 1 : 0.69314718055994531);
  const double limit = alpha < 0 ? lowest : large;
  double hi = alpha, lo = 0, size;
  if (fused) convk_times_log2e_(alpha, &hi, &lo);
  size = hi < 0 ? -hi : hi;
  if (!(size <= most)) {
    hi = hi < 0 ? -most : most;
    lo = 0;
    size = most;
  }
  *a = (CONVK_T)hi;
  CONVK_IN_MEMORY_(a);
  *b = (CONVK_T)((hi - (double)*a) + lo);
  if (*b<CONVK_GAUSSIAN_LEAST_ && * b> - CONVK_GAUSSIAN_LEAST_) *b = 0;
  *top = size > limit / most ? (CONVK_T)(limit / size) : CONVK_GREATEST_;
}

/* Checks options, which may choose among `orders` orders, and compensation up to `compensated`.  Fills in the cutoff, at least
   `least`, and the bounds of a s beside it: below the lower one everything is cut, above the upper one nothing. */
CONVK_RARE_ int convk_gaussian_begin_(char *message, int fused, const convk_gaussian_options *options, int orders,
                                      int compensated, CONVK_T least, convk_gaussian_part_ *part) {
  const double unit = fused ? 1 : 0.69314718;
  double cut = (double)least;
  uint64_t bits;
  /* one by one: clearing so little as a block takes longer than a small call's arithmetic */
  part->np = part->na = part->ld = 0;
  part->s = part->lo = part->a = part->b = part->top = NULL;
  part->s_least = part->s_most = part->a_least = part->a_most = 0;
  part->out = NULL;
  part->order = part->stream = 0;
  if (options) {
    if (options->order < 0 || options->order >= orders)
      return convk_refuse_at_(message, CONVK_ERR_OPTION, "options->order is %, and not from 0 to %", options->order, orders - 1,
                              0);
    if (options->compensated != 0 && options->compensated != compensated)
      return convk_refuse_at_(message, CONVK_ERR_OPTION, "options->compensated is %, and not from 0 to %", options->compensated,
                              compensated, 0);
    if (!convk_finite_f64_(options->cutoff))
      return convk_refuse_(message, CONVK_ERR_NONFINITE, "options->cutoff is not finite");
    if (options->cutoff < 0) return convk_refuse_(message, CONVK_ERR_OPTION, "options->cutoff is negative");
    part->order = options->order;
    if (options->cutoff > cut) cut = options->cutoff > (double)CONVK_GREATEST_ ? (double)CONVK_GREATEST_ : options->cutoff;
  }
  part->cut = (CONVK_T)cut;
  cut = (double)part->cut;
  memcpy(&bits, &cut, sizeof bits); /* 2^e <= cut < 2^(e + 1), and something to spare */
  part->above = (CONVK_T)(((double)(bits >> 52) - 1023 + 2) * unit);
  part->below = (CONVK_T)(((double)(bits >> 52) - 1023 - 2) * unit);
  return CONVK_OK;
}

/* Whether all of a block is 0. */
CONVK_LOCAL_ int convk_gaussian_none_(const convk_gaussian_part_ *part) {
  size_t j = 0;
  while (j < part->na && part->a[j] * (part->a[j] > 0 ? part->s_most : part->s_least) < part->below) j++;
  return j == part->na;
}

/* Tasks of a call on so many points, with `each` exponentials for a point, or what takes as long. */
CONVK_LOCAL_ size_t convk_gaussian_tasks_(convk *hw, size_t points, double each) {
  const double tasks = (double)points * each / (double)CONVK_GAUSSIAN_TASK_;
  const size_t threads = convk_threads_(hw);
  return tasks < 1 ? 1 : tasks < (double)threads ? (size_t)tasks : threads;
}

/* What sums are made into: rows at `out`, on which they go on. */
CONVK_LOCAL_ void convk_sums_at_(convk_gaussian_sums_ *sums, CONVK_T *out, size_t ld) {
  sums->from = sums->out = out;
  sums->from_ld = sums->ld = ld;
}

/* ---- the grid potential and its sums ---- */

/* One checked call: rows of `row` elements at call.out. */
typedef struct convk_gridpot_job_ {
  convk_gridpot_call_ call; /* with distances that are not 0 */
  convk_gaussian_points_ points;
  convk_gaussian_part_ part;
  CONVK_T center[6];
  size_t rows, row, bytes;
  size_t points_chunk, exponents_chunk, tasks; /* tasks: side by side in exponents */
  size_t block; /* points of a block at most, a multiple of 16; 0: as many as there is room for */
  int compensated;
} convk_gridpot_job_;

/* Exponents first .. first + n - 1, in rows of `pitch`; their bounds. */
CONVK_RARE_ void convk_gridpot_exponents_(const convk_gridpot_job_ *job, size_t first, size_t n, CONVK_T *rows, size_t pitch,
                                          convk_gaussian_part_ *part) {
  CONVK_T bounds[2];
  part->a = rows;
  part->b = rows + pitch;
  part->top = rows + 2 * pitch;
  job->points.kernels->exponents(job->call.alpha + first, n, rows, pitch, bounds);
  part->a_least = bounds[0];
  part->a_most = bounds[1];
}

CONVK_LOCAL_ void convk_gridpot_task_(void *arg, size_t index) {
  enum { MOST = CONVK_GAUSSIAN_BYTES_ / sizeof(CONVK_T), FEW = CONVK_GAUSSIAN_ROWS_, PAD = 16 };
  const convk_gridpot_job_ *job = (const convk_gridpot_job_ *)arg;
  const size_t p0 = index / job->tasks * job->points_chunk, j0 = index % job->tasks * job->exponents_chunk;
  const size_t np = convk_least_(job->points.p.n - p0, job->points_chunk),
               nj = convk_least_(job->call.m - j0, job->exponents_chunk);
  convk_gaussian_part_ part = job->part;
  CONVK_T large[2 * MOST + 2 * PAD], few[3][FEW + PAD], extremes[2];
  const int points = part.order == CONVK_GRIDPOT_POINTS_CONTIGUOUS;
  const size_t room = points ? MOST : FEW, most_p = job->block ? convk_least_(job->block, room) : room;
  const size_t most_j = points ? FEW : MOST / 2;
  CONVK_T *s = points ? large : few[0], *lo = !job->compensated ? NULL : points ? large + MOST + PAD : few[1];
  size_t p, j;
  for (j = 0; j < nj; j += part.na) {
    part.na = convk_least_(nj - j, most_j);
    convk_gridpot_exponents_(job, j0 + j, part.na, points ? few[0] : large, most_j + PAD, &part);
    for (p = 0; p < np; p += part.np) {
      part.np = convk_least_(np - p, most_p);
      convk_gaussian_near_(&job->points, p0 + p, part.np, job->center, NULL, 0, s, lo, extremes);
      part.s = s;
      part.lo = lo;
      part.s_least = extremes[0];
      part.s_most = extremes[1];
      part.out = job->part.out + (points ? (j0 + j) * part.ld + p0 + p : (p0 + p) * part.ld + j0 + j);
      job->points.kernels->exponentials(&part);
    }
  }
  if (part.stream) job->points.kernels->fence();
}

/* Adds the terms of the exponents of a part, or makes the sums of them, by exponentials in L1: in strips at part->out. */
CONVK_RARE_ void convk_sums_by_strips_(const convk_gaussian_kernels_ *kernels, const convk_gaussian_part_ *part,
                                       convk_gaussian_sums_ *sums) {
  convk_gaussian_part_ few = *part;
  const convk_any_ *c = sums->c;
  const int last = sums->last;
  size_t k;
  sums->last = 0;
  sums->e = few.out;
  sums->pitch = few.ld;
  for (k = 0; k < part->na; k += few.na) {
    few.na = convk_least_(part->na - k, CONVK_GAUSSIAN_STRIP_);
    few.a = part->a + k;
    few.b = part->b + k;
    few.top = part->top + k;
    sums->m = few.na;
    sums->c = c + k;
    sums->last = last && k + few.na == part->na;
    if (convk_gaussian_none_(&few)) continue;
    kernels->exponentials(&few);
    kernels->sums(sums);
    sums->more = 1;
    if (sums->last) return;
  }
  sums->last = last;
  sums->m = 0;
  if (last) kernels->sums(sums); /* of what there is, or over nothing */
}

CONVK_LOCAL_ void convk_gridpot_sum_task_(void *arg, size_t index) {
  enum {
    MOST = CONVK_GAUSSIAN_BYTES_ / 4 / sizeof(CONVK_T),
    FEW = CONVK_GAUSSIAN_ROWS_,
    STRIP = CONVK_GAUSSIAN_STRIP_,
    PAD = 16
  };
  const convk_gridpot_job_ *job = (const convk_gridpot_job_ *)arg;
  const convk_gaussian_kernels_ *kernels = job->points.kernels;
  const size_t p0 = index * job->points_chunk, np = convk_least_(job->points.p.n - p0, job->points_chunk);
  const int strips = job->compensated || job->call.nsums > CONVK_GAUSSIAN_SUMS_;
  const size_t room = strips ? MOST / 2 : MOST, most = job->block ? convk_least_(job->block, room) : room;
  convk_gaussian_part_ part = job->part;
  convk_gaussian_sums_ sums;
  CONVK_T s[MOST + PAD], lo[MOST / 2 + PAD], exponents[3][FEW + PAD], strip[STRIP][MOST / 2 + PAD], extremes[2];
  CONVK_T *lost = job->compensated ? lo : NULL;
  size_t p, j = 0;
  sums.rows = job->call.nsums;
  sums.m = sums.pitch = 0;
  sums.least = 0;
  sums.ldc = job->call.ldc;
  sums.inverse = 1;
  sums.e = strip[0];
  part.s = s;
  part.lo = lost;
  part.out = strip[0];
  part.ld = MOST / 2 + PAD;
  do {
    part.na = convk_least_(job->call.m - j, FEW);
    convk_gridpot_exponents_(job, j, part.na, exponents[0], FEW + PAD, &part);
    for (p = 0; p < np; p += sums.n) {
      sums.n = convk_least_(np - p, most);
      convk_sums_at_(&sums, job->part.out + p0 + p, job->part.ld);
      sums.c = job->call.c ? job->call.c + j : strip[0];
      sums.more = j != 0;
      sums.last = 1; /* also of a part of the exponents: there is no scale, and nothing may be left unwritten */
      convk_gaussian_near_(&job->points, p0 + p, sums.n, job->center, NULL, 0, s, lost, extremes);
      part.np = convk_round_up_(sums.n, 16);
      part.s_least = extremes[0];
      part.s_most = extremes[1];
      if (strips) convk_sums_by_strips_(kernels, &part, &sums);
      else (void)kernels->collect(&part, &sums);
    }
    j += part.na;
  } while (j < job->call.m);
}

/* Sizes, and arrays that must not be NULL. */
CONVK_RARE_ int convk_gridpot_sizes_(char *message, int where, convk_gridpot_job_ *job, size_t *m_bytes, size_t *c_bytes) {
  convk_gridpot_call_ *c = &job->call;
  const size_t n = job->points.p.n;
  const int points_first = c->sum || job->part.order == CONVK_GRIDPOT_POINTS_CONTIGUOUS;
  job->rows = c->sum ? c->nsums : points_first ? c->m : n;
  job->row = points_first ? n : c->m;
  if (where != CONVK_GAUSSIAN_HANDLES_ && job->rows && job->row && !c->out)
    return convk_refuse_(message, CONVK_ERR_NULL, c->sum ? "sums is NULL" : "g is NULL");
  if (c->nsums && c->m && !c->c) return convk_refuse_(message, CONVK_ERR_NULL, "c is NULL");
  if (!c->ld) c->ld = job->row;
  if (!c->ldc) c->ldc = c->m;
  if (c->ld < job->row)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "ld is %, less than the % elements of a row", (int64_t)c->ld,
                            (int64_t)job->row, 0);
  if (c->sum && c->ldc < c->m)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "ldc is %, less than the % elements of a row", (int64_t)c->ldc,
                            (int64_t)c->m, 0);
  if (convk_rows_bytes_(1, c->m, 0, sizeof *c->alpha, m_bytes) ||
      convk_rows_bytes_(c->nsums, c->m, c->ldc, sizeof *c->c, c_bytes))
    return CONVK_ERR_OVERFLOW;
  return convk_rows_bytes_(job->rows, job->row, c->ld, sizeof *c->out, &job->bytes);
}

/* All checks of gridpot and its sums; exponents and coefficients are on the device only where points and results are. */
CONVK_RARE_ int convk_gridpot_check_(const convk_gaussian_kernels_ *kernels, convk *hw, char *message, int where,
                                     const convk_gridpot_call_ *call, convk_gridpot_job_ *job) {
  const convk_gridpot_call_ *c = &job->call;
  size_t m_bytes, c_bytes, k;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  job->call = *call;
  job->block = 0;
  if (!status) status = convk_points_check_(kernels, message, where, c->points, &job->points);
  if (!status && c->m && !c->alpha) status = convk_refuse_(message, CONVK_ERR_NULL, "alpha is NULL");
  if (!status)
    status = convk_gaussian_begin_(message, kernels->fused, c->options, c->sum ? 1 : 2, 1,
                                   c->sum ? CONVK_GAUSSIAN_LEAST_TERM_ : CONVK_GAUSSIAN_LEAST_, &job->part);
  if (!status) status = convk_gridpot_sizes_(message, where, job, &m_bytes, &c_bytes);
  if (status) return status;
  if (convk_points_overlap_(&job->points.p, c->out, job->bytes) || convk_overlap_(c->alpha, m_bytes, c->out, job->bytes) ||
      convk_overlap_(c->c, c_bytes, c->out, job->bytes) || convk_overlap_(c->center, 3 * sizeof *c->center, c->out, job->bytes))
    return CONVK_ERR_OVERLAP;
  for (k = 0; k < 3; k++) {
    job->center[k] = c->center ? CONVK_ONE_(c->center + k) : 0;
    job->center[3 + k] = 0;
    if (!convk_finite_(job->center[k]))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "center[%] is not finite", (int64_t)k, 0, 0);
  }
  if (where != CONVK_GAUSSIAN_DEVICE_ && !convk_rows_finite_(kernels, c->alpha, 1, c->m, 0))
    return convk_refuse_(message, CONVK_ERR_NONFINITE, "an element of alpha is not finite");
  if (where != CONVK_GAUSSIAN_DEVICE_ && !convk_rows_finite_(kernels, c->c, c->nsums, c->m, c->ldc))
    return convk_refuse_(message, CONVK_ERR_NONFINITE, "an element of c is not finite");
  job->compensated = c->options && c->options->compensated;
  job->part.out = c->out;
  job->part.ld = c->ld;
  return where == CONVK_GAUSSIAN_HOST_ ? convk_points_finite_(hw, &job->points) : CONVK_OK;
}

CONVK_LOCAL_ int convk_gridpot_run_(convk *hw, convk_gridpot_job_ *job) {
  const size_t n = job->points.p.n, m = job->call.m, unit = 64 / sizeof(CONVK_T), blocks = n / CONVK_GAUSSIAN_ROWS_ + 1;
  size_t tasks = convk_gaussian_tasks_(hw, n, (double)m), parts = convk_least_(tasks, blocks);
  if (tasks == 1) {
    job->points_chunk = n;
    job->exponents_chunk = m;
    job->tasks = 1;
    return convk_run_(hw, 1, convk_gridpot_task_, job);
  }
  job->points_chunk = convk_round_up_(convk_ceil_(n, parts), unit);
  parts = convk_ceil_(n, job->points_chunk);
  tasks = convk_least_(tasks / parts, m);
  job->exponents_chunk = convk_round_up_(convk_ceil_(m, tasks), unit);
  job->tasks = convk_ceil_(m, job->exponents_chunk);
  return convk_run_(hw, parts * job->tasks, convk_gridpot_task_, job);
}

CONVK_LOCAL_ int convk_gridpot_sum_run_(convk *hw, convk_gridpot_job_ *job) {
  const size_t n = job->points.p.n;
  const double each = (double)job->call.m * (1 + (double)job->call.nsums / (double)CONVK_GAUSSIAN_PRODUCTS_);
  const size_t tasks = convk_least_(convk_gaussian_tasks_(hw, n, each), n / CONVK_GAUSSIAN_ROWS_ + 1);
  job->part.stream = 0; /* strips stay in the cache */
  job->points_chunk = convk_round_up_(convk_ceil_(n, tasks), 64 / sizeof(CONVK_T));
  return convk_run_(hw, convk_ceil_(n, job->points_chunk), convk_gridpot_sum_task_, job);
}

CONVK_RARE_ int convk_gridpot_all_(const convk_gaussian_kernels_ *kernels, convk *hw, const convk_gridpot_call_ *call) {
  convk_gridpot_job_ job;
  int status;
  if (kernels->gridpot) return kernels->gridpot(hw, call);
  status = convk_gridpot_check_(kernels, hw, convk_message_(hw), CONVK_GAUSSIAN_HOST_, call, &job);
  if (status || !job.rows || !job.row) return status;
  if (hw) {
    const size_t n[3] = {job.points.p.n, call->m, call->sum ? call->nsums : 1};
    const convk_tuning tuning = convk_tuning_for_(hw, call->sum ? "gridpot_sum" : "gridpot", sizeof(CONVK_T), n, 1);
    job.part.stream = convk_cache_past_(&tuning, convk_threads_(hw), job.bytes);
    job.block = convk_round_up_(convk_least_(tuning.gaussian_points, CONVK_GAUSSIAN_BYTES_), 16);
  }
  return call->sum ? convk_gridpot_sum_run_(hw, &job) : convk_gridpot_run_(hw, &job);
}

CONVK_LOCAL_ int convk_gridpot_cpu_(const convk_gaussian_kernels_ *kernels, convk *hw, const convk_points *points,
                                    const CONVK_T *center, size_t m, const CONVK_T *alpha,
                                    const convk_gaussian_options *options, CONVK_T *g, size_t ld) {
  const convk_gridpot_call_ call = {points, center, m, alpha, 0, NULL, 0, options, g, ld, 0};
  return convk_gridpot_all_(kernels, hw, &call);
}

CONVK_LOCAL_ int convk_gridpot_sum_cpu_(const convk_gaussian_kernels_ *kernels, convk *hw, const convk_points *points,
                                        const CONVK_T *center, size_t m, const CONVK_T *alpha, size_t nsums, const CONVK_T *c,
                                        size_t ldc, const convk_gaussian_options *options, CONVK_T *sums, size_t ld) {
  const convk_gridpot_call_ call = {points, center, m, alpha, nsums, c, ldc, options, sums, ld, 1};
  return convk_gridpot_all_(kernels, hw, &call);
}

/* ---- orbitals ---- */

/* Shells that share their exponentials. */
typedef struct convk_orbital_group_ {
  CONVK_T center[6]; /* the center, and what rounding it lost */
  size_t shells, shell, primitives, primitive;
  int moved; /* the group before has another center */
} convk_orbital_group_;

typedef struct convk_orbital_shell_ {
  size_t l, functions, function, columns, column; /* columns: in the monomials x^a y^b z^c R */
  const CONVK_T *matrix;                          /* functions x columns, where there are no coefficients */
} convk_orbital_shell_;

typedef struct convk_orbitals_job_ {
  convk_orbitals_call_ call; /* with distances that are not 0 */
  convk_gaussian_points_ points;
  convk_gaussian_part_ part;
  size_t functions, columns, primitives, ngroups;
  size_t block, pitch, rows; /* points of a block, elements of a row in scratch, and rows of it */
  size_t at[6], task, need;  /* offsets of the arrays that follow and of the scratch, bytes of a task's, and all of it */
  convk_orbital_group_ *groups;
  convk_orbital_shell_ *shells;
  CONVK_T *exponents, *radial, *matrix; /* rows a, b, top; three factors per primitive and shell; functions or orbitals */
  CONVK_T inverse, least;               /* of the scale in the factors, and the smallest normal number times that */
  char *scratch;
  int alone; /* surely no coefficients: a function is made of its own shell's monomials */
  int wide;  /* results wait in scratch for all columns, or for their squares */
} convk_orbitals_job_;

/* The points of a block, and the rows of a task's scratch. */
CONVK_RARE_ void convk_orbitals_scratch_(convk_orbitals_job_ *job) {
  const size_t values = job->call.norbitals * job->call.kinds;
  job->block = CONVK_GAUSSIAN_ORBITAL_BYTES_ / sizeof(CONVK_T);
  job->wide = job->call.density || (!job->alone && job->columns > CONVK_GAUSSIAN_COLUMNS_);
  while (job->wide && job->block > CONVK_GAUSSIAN_ORBITAL_LEAST_ / sizeof(CONVK_T) &&
         values > CONVK_GAUSSIAN_VALUES_ / sizeof(CONVK_T) / job->block)
    job->block /= 2;
  job->pitch = job->block + 16;
  job->rows = 4 + CONVK_GAUSSIAN_STRIP_ + 3 * CONVK_GAUSSIAN_SHELLS_ + CONVK_GAUSSIAN_STAGES_ +
              job->call.kinds * CONVK_GAUSSIAN_COLUMNS_ + (job->wide ? values : 0);
  job->task = convk_round_up_(job->rows * job->pitch * sizeof(CONVK_T), 64);
}

/* Sizes for checked shells: the arrays of a call in its work memory, one scratch for every task.  The bounds of counts are so
   low that what is made of them cannot overflow. */
CONVK_RARE_ int convk_orbitals_layout_(size_t tasks, convk_orbitals_job_ *job) {
  const convk_shell *shells = job->call.shells;
  size_t i, b[5], rows = job->call.norbitals, sum = 0;
  job->columns = job->primitives = job->ngroups = 0;
  for (i = 0; i < job->call.nshells; i++) {
    const size_t l = (size_t)shells[i].l;
    if (shells[i].primitives > (size_t)-1 / 4096 - job->primitives) return CONVK_ERR_OVERFLOW;
    job->columns += (l + 1) * (l + 2) / 2;
    job->primitives += shells[i].primitives;
  }
  if (job->alone) rows = convk_least_(rows, CONVK_GAUSSIAN_MOST_); /* a shell has so many functions */
  if (convk_mul_(rows, job->columns, &b[4]) || b[4] > (size_t)-1 / 256) return CONVK_ERR_OVERFLOW;
  convk_orbitals_scratch_(job);
  if (job->wide && job->call.norbitals > (size_t)-1 / 65536 / tasks) return CONVK_ERR_OVERFLOW;
  b[0] = job->call.nshells * sizeof *job->groups;
  b[1] = job->call.nshells * sizeof *job->shells;
  b[2] = b[3] = 3 * job->primitives * sizeof(CONVK_T);
  b[4] *= sizeof(CONVK_T);
  for (i = 0; i < 5; i++) {
    job->at[i] = sum;
    sum += convk_round_up_(b[i], 64);
  }
  job->at[5] = sum;
  if (convk_mul_(job->task, tasks, &i) || i > (size_t)-1 / 4 || sum > (size_t)-1 / 4) return CONVK_ERR_OVERFLOW;
  job->need = sum + i + 64;
  return CONVK_OK;
}

/* A bound of a shell's functions, and of their gradients and Laplacians.  |x|^k exp(-a r^2) is at most (k / (2 e a))^(k / 2),
   for k <= 6 less than 1.4 max(1, 1 / a)^3.  Of x^4 exp(-a r^2) the Laplacian has the terms 12 x^2, 22 a x^4 and 4 a^2 x^4 r^2
   times exp(-a r^2), at most 22 / a together: 64 max(4, 4 a^2) max(1, 1 / a)^3 is more than ten times that. */
CONVK_RARE_ double convk_orbitals_most_(const convk_shell *shell) {
  double sum = 0;
  size_t p;
  for (p = 0; p < shell->primitives; p++) {
    const double a = shell->exponents[p], c = shell->coefficients[p], wide = a < 1 ? 1 / a : 1;
    sum += (c < 0 ? -c : c) * 64 * (a > 1 ? 4 * a * a : 4) * wide * wide * wide;
  }
  return sum;
}

/* The scale of a call's factors: a power of 2, so large that small products of them are not subnormal, and so small that
   results, which are at most `most`, stay below 2^-20 of the largest number.  At most 2^96 or 2^800: the inverse is a normal
   number, with some reserve.  Found in steps of 2^32, then of 2. */
CONVK_RARE_ CONVK_T convk_orbitals_scale_(double most, convk_orbitals_job_ *job) {
  const double limit = (double)CONVK_GREATEST_ / 1048576;
  const int last = CONVK_EITHER_(96, 800);
  double scale = 1;
  int k;
  for (k = 0; k + 32 <= last && most * (scale * 2147483648.) < limit; k += 32) scale *= 4294967296.;
  for (; k < last && most * scale < limit; k++) scale *= 2;
  job->inverse = (CONVK_T)(1 / scale);
  job->least = (CONVK_T)((double)CONVK_OF_(1.17549435082228751e-38f, 2.2250738585072014e-308) * scale);
  return (CONVK_T)scale;
}

/* One shell's part of the coefficients' product with the functions in monomials, rows `to` of its columns at distance `ld`; or,
   without coefficients, its functions themselves.  The largest element, or `largest`. */
CONVK_RARE_ double convk_orbitals_matrix_(const convk_orbital_shell_ *s, double t[15][15], const CONVK_T *c, size_t ldc,
                                          size_t rows, CONVK_T *to, size_t ld, double largest) {
  unsigned char where[15][15], count[15]; /* of each column, where it is not 0 */
  size_t o, j, k;
  for (j = 0; j < s->columns; j++)
    for (count[j] = 0, k = 0; k < s->functions; k++)
      if (t[k][j] != 0) where[j][count[j]++] = (unsigned char)k;
  for (o = 0; o < rows; o++, to += ld) {
    double most = 0; /* of this row: a wait for all before takes longer than the row */
    for (j = 0; j < s->columns; j++) {
      double sum = c ? 0 : t[o][j], minus;
      for (k = 0; c && k < count[j]; k++) sum += (double)CONVK_ONE_(c + o * ldc + where[j][k]) * t[where[j][k]][j];
      to[j] = (CONVK_T)sum;
      minus = -sum;
      sum = minus > sum ? minus : sum;
      most = most > sum ? most : sum;
    }
    largest = largest > most ? largest : most;
  }
  return largest;
}

/* Fills the arrays at `base`: exponents and factors of each group, and the product of the coefficients with the functions in
   monomials, formed in double and rounded once. */
CONVK_RARE_ void convk_orbitals_plan_(char *base, convk_orbitals_job_ *job) {
  const convk_shell *shells = job->call.shells;
  const CONVK_T *coefficients = job->call.coefficients;
  const int fused = job->points.kernels->fused;
  size_t i, j, k, p, primitive = 0, radial = 0, function = 0, column = 0;
  CONVK_T *matrix;
  double t[15][15], scale, most = 0, largest = 1;
  job->groups = (convk_orbital_group_ *)(void *)base;
  job->shells = (convk_orbital_shell_ *)(void *)(base + job->at[1]);
  job->exponents = (CONVK_T *)(void *)(base + job->at[2]);
  job->radial = (CONVK_T *)(void *)(base + job->at[3]);
  matrix = job->matrix = (CONVK_T *)(void *)(base + job->at[4]);
  job->scratch = base + job->at[5];
  for (i = 0; i < job->call.nshells; i++) {
    convk_orbital_shell_ *s = &job->shells[i];
    s->l = (size_t)shells[i].l;
    s->functions = (size_t)convk_shell_functions(shells[i].l, shells[i].order);
    s->columns = (s->l + 1) * (s->l + 2) / 2;
    s->function = function;
    s->column = column;
    s->matrix = matrix;
    if (!i || shells[i].l != shells[i - 1].l || shells[i].order != shells[i - 1].order)
      convk_shell_matrix_(shells[i].l, shells[i].order, t);
    if (coefficients) {
      largest = convk_orbitals_matrix_(s, t, coefficients + function, job->call.ldc, job->call.norbitals, job->matrix + column,
                                       job->columns, largest);
    } else {
      largest = convk_orbitals_matrix_(s, t, NULL, 0, s->functions, matrix, s->columns, largest);
      matrix += s->functions * s->columns;
    }
    most += convk_orbitals_most_(&shells[i]) * (double)s->columns;
    function += s->functions;
    column += s->columns;
  }
  scale = (double)convk_orbitals_scale_(most * largest, job);
  for (i = 0; i < job->call.nshells; i += job->groups[job->ngroups++].shells) {
    convk_orbital_group_ *g = &job->groups[job->ngroups];
    const convk_shell *first = &shells[i];
    g->shells = convk_shells_alike_(job->call.nshells - i, first);
    g->shell = i;
    g->primitives = first->primitives;
    g->primitive = primitive;
    g->moved = i == 0 || memcmp(first->center, first[-1].center, sizeof first->center) != 0;
    for (k = 0; k < 3; k++) {
      g->center[k] = (CONVK_T)first->center[k];
      CONVK_IN_MEMORY_(g->center); /* gcc 12 takes (double)(float)x for x here */
      g->center[3 + k] = (CONVK_T)(first->center[k] - (double)g->center[k]);
    }
    for (p = 0; p < g->primitives; p++) {
      CONVK_T *a = job->exponents + primitive++;
      convk_gaussian_exponent_(fused, -first->exponents[p], a, a + job->primitives, a + 2 * job->primitives);
    }
    for (k = 0; k < g->shells; k++)
      for (j = 0; j < 3; j++)
        for (p = 0; p < g->primitives; p++) {
          const double slope = j ? -2 * first[k].exponents[p] : 1;
          job->radial[radial++] = (CONVK_T)(first[k].coefficients[p] * slope * (j == 2 ? slope : 1) * scale);
        }
  }
}

/* Where the results of a block of n points go: in the end, and before, where that is elsewhere. */
typedef struct convk_orbitals_out_ {
  CONVK_T *last[5], *before[5];
  size_t last_ld, before_ld, n;
} convk_orbitals_out_;

/* Sums of n points for so many orbitals or functions, over m monomials with coefficients c, rows of ldc.  They carry the scale
   of the call, which the last of them takes away. */
CONVK_LOCAL_ convk_gaussian_sums_ convk_orbitals_sums_(const convk_orbitals_job_ *job, size_t rows, size_t n, size_t m,
                                                       const CONVK_T *c, size_t ldc) {
  convk_gaussian_sums_ sums;
  sums.rows = rows;
  sums.n = n;
  sums.m = m;
  sums.c = c;
  sums.ldc = ldc;
  sums.pitch = job->pitch;
  sums.inverse = job->inverse;
  sums.least = job->least;
  sums.more = 0;
  sums.last = 1;
  return sums;
}

/* Products of `count` columns from `column` on, which lie at phi, with the coefficients.  more: added to those of the columns
   before; last: no more follow. */
CONVK_RARE_ void convk_orbitals_product_(const convk_orbitals_job_ *job, const CONVK_T *phi, size_t column, size_t count,
                                         int more, int last, const convk_orbitals_out_ *out) {
  convk_gaussian_sums_ sums = convk_orbitals_sums_(job, job->call.norbitals, out->n, count, job->matrix + column, job->columns);
  size_t k;
  sums.more = more;
  sums.last = last;
  for (k = 0; k < job->call.kinds && job->call.norbitals; k++) {
    sums.e = phi + k * CONVK_GAUSSIAN_COLUMNS_ * job->pitch;
    convk_sums_at_(&sums, out->before[k], out->before_ld);
    if (last) sums.out = out->last[k];
    if (last) sums.ld = out->last_ld;
    job->points.kernels->sums(&sums);
  }
}

/* Radial functions of a group and, with derivatives, R' / r and (R' / r)' / r: rows at `radial`.  0: all are 0. */
CONVK_RARE_ int convk_orbitals_radial_(const convk_orbitals_job_ *job, const convk_orbital_group_ *g, const CONVK_T *factors,
                                       convk_gaussian_part_ *part, CONVK_T *radial) {
  convk_gaussian_sums_ sums;
  size_t p;
  sums.rows = g->shells * (job->call.kinds > 1 ? 3 : 1);
  sums.m = sums.pitch = 0;
  sums.e = NULL;
  sums.inverse = sums.least = 0;
  sums.more = sums.last = 0;
  sums.n = part->np;
  sums.ldc = g->primitives * (job->call.kinds > 1 ? 1 : 3);
  convk_sums_at_(&sums, radial, job->pitch);
  for (p = 0; p < g->primitives; p += part->na) {
    part->na = convk_least_(g->primitives - p, CONVK_GAUSSIAN_ROWS_);
    part->a = job->exponents + g->primitive + p;
    part->b = part->a + job->primitives;
    part->top = part->b + job->primitives;
    sums.c = factors + p;
    if (sums.rows > CONVK_GAUSSIAN_SUMS_) convk_sums_by_strips_(job->points.kernels, part, &sums);
    else if (job->points.kernels->collect(part, &sums)) sums.more = 1;
  }
  return sums.more;
}

/* Functions of the shell at phi, as rows of the result.  none: they are all 0. */
CONVK_RARE_ void convk_orbitals_rows_(const convk_orbitals_job_ *job, const convk_orbital_shell_ *s, const CONVK_T *phi,
                                      int none, const convk_orbitals_out_ *out) {
  convk_gaussian_sums_ sums = convk_orbitals_sums_(job, s->functions, out->n, none ? 0 : s->columns, s->matrix, s->columns);
  size_t k;
  for (k = 0; k < job->call.kinds; k++) {
    sums.e = phi + k * CONVK_GAUSSIAN_COLUMNS_ * job->pitch;
    convk_sums_at_(&sums, out->last[k] + s->function * out->last_ld, out->last_ld);
    job->points.kernels->sums(&sums);
  }
}

/* n points from `first` on. */
CONVK_RARE_ void convk_orbitals_block_(const convk_orbitals_job_ *job, CONVK_T *scratch, size_t first, size_t n) {
  const convk_gaussian_kernels_ *kernels = job->points.kernels;
  const size_t pitch = job->pitch, kinds = job->call.kinds;
  CONVK_T *d = scratch, *strip = d + 4 * pitch, *radial = strip + CONVK_GAUSSIAN_STRIP_ * pitch;
  CONVK_T *stages = radial + 3 * CONVK_GAUSSIAN_SHELLS_ * pitch, *phi = stages + CONVK_GAUSSIAN_STAGES_ * pitch;
  CONVK_T *values = phi + kinds * CONVK_GAUSSIAN_COLUMNS_ * pitch, extremes[2];
  const CONVK_T *factors = job->radial;
  convk_orbitals_out_ out;
  convk_gaussian_part_ part = job->part;
  convk_gaussian_shell_ shell;
  size_t i, k, begin = 0, waiting = 0; /* columns that wait for the product, from `begin` on */
  int more = 0;
  out.n = n;
  out.last_ld = job->call.density ? pitch : job->call.ld;
  out.before_ld = job->wide ? pitch : job->call.ld;
  for (k = 0; k < kinds; k++) {
    CONVK_T *to = job->call.out[k] + first;
    out.before[k] = job->wide ? values + k * job->call.norbitals * pitch : to;
    out.last[k] = job->call.density ? values : to;
  }
  part.np = shell.n = convk_round_up_(n, 16);
  part.s = d + 3 * pitch;
  part.out = strip;
  part.ld = shell.pitch = pitch;
  shell.strip = kinds > 1 ? CONVK_GAUSSIAN_COLUMNS_ * pitch : 0;
  shell.d = d;
  shell.scratch = stages;
  for (i = 0; i < job->ngroups; i++) {
    const convk_orbital_group_ *g = &job->groups[i];
    int some;
    if (g->moved) {
      convk_gaussian_near_(&job->points, first, n, g->center, d, pitch, d + 3 * pitch, NULL, extremes);
      part.s_least = extremes[0];
      part.s_most = extremes[1];
    }
    some = convk_orbitals_radial_(job, g, factors, &part, radial);
    factors += 3 * g->shells * g->primitives;
    for (k = 0; k < g->shells; k++) {
      const convk_orbital_shell_ *s = &job->shells[g->shell + k];
      if (waiting && (!some || waiting + s->columns > CONVK_GAUSSIAN_COLUMNS_)) {
        convk_orbitals_product_(job, phi, begin, waiting, more, 0, &out);
        more = 1;
        waiting = 0;
      }
      if (!waiting) begin = s->column;
      shell.l = s->l;
      shell.radial = radial + k * (kinds > 1 ? 3 : 1) * pitch;
      shell.to = phi + waiting * pitch;
      if (some) kernels->shell(&shell);
      if (!job->call.coefficients) convk_orbitals_rows_(job, s, phi, !some, &out);
      else if (some) waiting += s->columns;
    }
  }
  if (job->call.coefficients) convk_orbitals_product_(job, phi, begin, waiting, more, 1, &out);
  if (job->call.density)
    kernels->squares(values, pitch, job->call.norbitals, job->call.occupations, job->call.out[0] + first, n);
}

CONVK_LOCAL_ void convk_orbitals_task_(void *arg, size_t index) {
  const convk_orbitals_job_ *job = (const convk_orbitals_job_ *)arg;
  const size_t begin = index * job->points.chunk, n = convk_least_(job->points.p.n - begin, job->points.chunk);
  CONVK_T *scratch = (CONVK_T *)(void *)(job->scratch + index * job->task);
  size_t p;
  for (p = 0; p < n; p += job->block) convk_orbitals_block_(job, scratch, begin + p, convk_least_(n - p, job->block));
}

/* Shells and sizes: what the arguments must be whatever the points are.  Factors of exponentials, with derivatives 4 a^2 c too,
   must fit the type. */
CONVK_RARE_ int convk_orbitals_shells_(char *message, convk_orbitals_job_ *job) {
  size_t i, p, k;
  const int status = convk_shells_check(job->call.nshells, job->call.shells, &job->functions, message, CONVK_MESSAGE_BYTES_);
  if (status) return status;
  for (i = 0; i < job->call.nshells; i++) {
    const convk_shell *s = &job->call.shells[i];
    for (k = 0; k < 3; k++)
      if (s->center[k] > (double)CONVK_GREATEST_ || s->center[k] < -(double)CONVK_GREATEST_)
        return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "shells[%].center[%] does not fit the type", (int64_t)i,
                                (int64_t)k, 0);
    for (p = 0; p < s->primitives; p++) {
      const double a = s->exponents[p], c = s->coefficients[p] < 0 ? -s->coefficients[p] : s->coefficients[p];
      if (!(c <= (double)CONVK_GREATEST_))
        return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "shells[%].coefficients[%] does not fit the type", (int64_t)i,
                                (int64_t)p, 0);
      if (job->call.kinds > 1 && !(c * a * a <= (double)CONVK_GREATEST_ / 4))
        return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "shells[%]: 4 a^2 times coefficients[%] does not fit the type",
                                (int64_t)i, (int64_t)p, 0);
    }
  }
  return CONVK_OK;
}

/* Results: rows of n elements of each kind, apart from the points and from each other.  Sets *bytes of one, and fills in ld. */
CONVK_RARE_ int convk_orbitals_results_(char *message, int where, convk_orbitals_call_ *call, const convk_points *p,
                                        size_t *bytes) {
  const size_t rows = call->density ? 1 : call->norbitals;
  size_t i, k;
  for (k = 0; k < call->kinds; k++)
    if (where != CONVK_GAUSSIAN_HANDLES_ && rows && p->n && !call->out[k])
      return convk_refuse_at_(message, CONVK_ERR_NULL, "result % is NULL", (int64_t)k, 0, 0);
  if (!call->ld) call->ld = p->n;
  if (call->ld < p->n)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "ld is %, less than the % points", (int64_t)call->ld, (int64_t)p->n, 0);
  if (call->ld > (size_t)-1 / 64 || convk_rows_bytes_(rows, p->n, call->ld, sizeof(CONVK_T), bytes)) return CONVK_ERR_OVERFLOW;
  for (k = 0; k < call->kinds; k++) {
    if (convk_points_overlap_(p, call->out[k], *bytes)) return CONVK_ERR_OVERLAP;
    for (i = 0; i < k; i++)
      if (convk_overlap_(call->out[i], *bytes, call->out[k], *bytes)) return CONVK_ERR_OVERLAP;
  }
  return CONVK_OK;
}

/* Whether memory that is written overlaps what orbitals are made of. */
CONVK_RARE_ int convk_orbitals_overlap_(const convk_orbitals_call_ *call, size_t c_bytes, const void *out, size_t bytes) {
  return convk_overlap_(call->coefficients, c_bytes, out, bytes) ||
         convk_overlap_(call->occupations, call->norbitals * sizeof(CONVK_T), out, bytes) ||
         convk_shells_overlap_(call->nshells, call->shells, out, bytes);
}

/* All checks. */
CONVK_RARE_ int convk_orbitals_check_(const convk_gaussian_kernels_ *kernels, convk *hw, char *message, int where,
                                      const convk_orbitals_call_ *given, convk_orbitals_job_ *job) {
  convk_orbitals_call_ *call = &job->call;
  const convk_points *p = &job->points.p;
  size_t bytes, c_bytes, tasks, k;
  double products, each;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  memset(job, 0, sizeof *job);
  job->call = *given;
  if (!status) status = convk_points_check_(kernels, message, where, call->points, &job->points);
  if (!status)
    status = convk_gaussian_begin_(message, kernels->fused, call->options, 1, 0, CONVK_GAUSSIAN_LEAST_PRIMITIVE_, &job->part);
  if (!status && call->density && call->norbitals && !call->occupations)
    status = convk_refuse_(message, CONVK_ERR_NULL, "occupations is NULL");
  if (!status) status = convk_orbitals_shells_(message, job);
  if (!status && !call->coefficients && call->norbitals != job->functions)
    status = convk_refuse_at_(message, CONVK_ERR_SIZE, "norbitals is %, and without coefficients the shells have % functions",
                              (int64_t)call->norbitals, (int64_t)job->functions, 0);
  if (!status && !call->ldc) call->ldc = job->functions;
  if (!status && call->ldc < job->functions)
    status = convk_refuse_at_(message, CONVK_ERR_PITCH, "ldc is %, less than the % functions of the shells", (int64_t)call->ldc,
                              (int64_t)job->functions, 0);
  if (!status && call->ldc > (size_t)-1 / 64) status = CONVK_ERR_OVERFLOW;
  if (!status)
    status = convk_rows_bytes_(call->coefficients ? call->norbitals : 0, job->functions, call->ldc, sizeof(CONVK_T), &c_bytes);
  if (!status) status = convk_orbitals_results_(message, where, call, p, &bytes);
  if (status) return status;
  for (k = 0; k < call->kinds; k++)
    if (convk_orbitals_overlap_(call, c_bytes, call->out[k], bytes) ||
        convk_overlap_(call->work, call->work_size, call->out[k], bytes))
      return CONVK_ERR_OVERLAP;
  if (convk_points_overlap_(p, call->work, call->work_size) ||
      convk_orbitals_overlap_(call, c_bytes, call->work, call->work_size))
    return CONVK_ERR_OVERLAP;
  if (c_bytes && !convk_rows_finite_(kernels, call->coefficients, call->norbitals, job->functions, call->ldc))
    return convk_refuse_(message, CONVK_ERR_NONFINITE, "an element of coefficients is not finite");
  if (call->density && !convk_rows_finite_(kernels, call->occupations, 1, call->norbitals, 0))
    return convk_refuse_(message, CONVK_ERR_NONFINITE, "an element of occupations is not finite");
  job->alone = !call->coefficients;
  status = convk_orbitals_layout_(1, job);
  products = (double)job->columns * (double)(job->alone ? 1 : call->norbitals) / (double)CONVK_GAUSSIAN_PRODUCTS_;
  each = (double)job->primitives + (double)job->columns + products;
  tasks = convk_gaussian_tasks_(hw, p->n, (double)call->kinds * each);
  if (!status && tasks > 1) status = convk_orbitals_layout_(tasks, job);
  job->points.chunk = convk_round_up_(convk_ceil_(p->n, tasks), 64 / sizeof(CONVK_T));
  return status || where != CONVK_GAUSSIAN_HOST_ ? status : convk_points_finite_(hw, &job->points);
}

CONVK_RARE_ int convk_orbitals_all_(const convk_gaussian_kernels_ *kernels, convk *hw, const convk_orbitals_call_ *call) {
  convk_orbitals_job_ job;
  convk_work_ memory;
  int status;
  if (kernels->orbitals) { /* a device needs no work */
    convk_orbitals_call_ own = *call;
    own.work = NULL;
    own.work_size = 0;
    return kernels->orbitals(hw, &own);
  }
  status = convk_orbitals_check_(kernels, hw, convk_message_(hw), CONVK_GAUSSIAN_HOST_, call, &job);
  if (status || !job.points.p.n || (!call->density && !call->norbitals)) return status;
  status = convk_work_begin_(NULL, &memory, call->work, call->work_size, job.need);
  if (status) return status;
  convk_orbitals_plan_(memory.base, &job);
  status = convk_run_(hw, convk_ceil_(job.points.p.n, job.points.chunk), convk_orbitals_task_, &job);
  convk_work_end_(&memory);
  return status;
}

CONVK_LOCAL_ int convk_orbitals_cpu_(const convk_gaussian_kernels_ *kernels, convk *hw, const convk_points *points,
                                     size_t nshells, const convk_shell *shells, size_t norbitals, const CONVK_T *coefficients,
                                     size_t ldc, const convk_gaussian_options *options, CONVK_T *value, size_t ld, void *work,
                                     size_t work_size) {
  const convk_orbitals_call_ call = {points,  nshells, shells, norbitals, coefficients, ldc, NULL,
                                     options, &value,  ld,     work,      work_size,    1,   0};
  return convk_orbitals_all_(kernels, hw, &call);
}

CONVK_LOCAL_ int convk_orbitals_vgl_cpu_(const convk_gaussian_kernels_ *kernels, convk *hw, const convk_points *points,
                                         size_t nshells, const convk_shell *shells, size_t norbitals,
                                         const CONVK_T *coefficients, size_t ldc, const convk_gaussian_options *options,
                                         CONVK_T *value, CONVK_T *dx, CONVK_T *dy, CONVK_T *dz, CONVK_T *laplacian, size_t ld,
                                         void *work, size_t work_size) {
  CONVK_T *const out[5] = {value, dx, dy, dz, laplacian};
  const convk_orbitals_call_ call = {points,  nshells, shells, norbitals, coefficients, ldc, NULL,
                                     options, out,     ld,     work,      work_size,    5,   0};
  return convk_orbitals_all_(kernels, hw, &call);
}

CONVK_LOCAL_ int convk_density_cpu_(const convk_gaussian_kernels_ *kernels, convk *hw, const convk_points *points,
                                    size_t nshells, const convk_shell *shells, size_t norbitals, const CONVK_T *coefficients,
                                    size_t ldc, const CONVK_T *occupations, const convk_gaussian_options *options,
                                    CONVK_T *density, void *work, size_t work_size) {
  const convk_orbitals_call_ call = {points,  nshells,  shells, norbitals, coefficients, ldc, occupations,
                                     options, &density, 0,      work,      work_size,    1,   1};
  return convk_orbitals_all_(kernels, hw, &call);
}

/* ---- public operations ---- */

CONVK_API_ size_t convk_orbitals_work_size(convk *hw, size_t nshells, const convk_shell *shells, size_t norbitals) {
  convk_orbitals_job_ job;
  size_t need;
  memset(&job, 0, sizeof job);
  job.call.nshells = nshells;
  job.call.shells = shells;
  if (convk_orbitals_shells_(NULL, &job)) return 0;
  job.call.norbitals = norbitals ? norbitals : job.functions;
  job.alone = !norbitals;
  job.call.kinds = 5;
  if (convk_orbitals_layout_(convk_threads_(hw), &job)) return 0;
  need = job.need;
  job.call.kinds = 1;
  job.call.density = 1;
  if (convk_orbitals_layout_(convk_threads_(hw), &job)) return 0;
  return need > job.need ? need : job.need;
}
#endif
