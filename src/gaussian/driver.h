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

/* Sizes of points, wherever they are. */
CONVK_RARE_ int convk_points_check_(const convk_gaussian_kernels_ *kernels, char *message, const convk_points *points,
                                    convk_gaussian_points_ *job) {
  size_t bytes;
  if (!points) return convk_refuse_(message, CONVK_ERR_NULL, "points is NULL");
  job->kernels = kernels;
  job->chunk = 0;
  job->p = *points;
  if (!job->p.stride) job->p.stride = 1;
  if (convk_mul_(job->p.n, job->p.stride, &bytes) || convk_mul_(bytes, sizeof(CONVK_T), &bytes) || bytes > (size_t)-1 / 4)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "points->n times points->stride is too large");
  return CONVK_OK;
}

/* The coordinates as arrays of a call. */
CONVK_LOCAL_ void convk_points_places_(const convk_points *p, convk_place_ place[3]) {
  const size_t span = convk_points_span_(p) * sizeof(CONVK_T);
  const int flags = p->n ? 0 : CONVK_PLACE_OPTIONAL_;
  place[0] = convk_place_of_("points->x", p->x, span, flags);
  place[1] = convk_place_of_("points->y", p->y, span, flags);
  place[2] = convk_place_of_("points->z", p->z, span, flags);
}

/* Whether arrays of so many bytes certainly lie apart. */
CONVK_INLINE_ int convk_gaussian_apart_(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
  return (uintptr_t)a + a_bytes <= (uintptr_t)b || (uintptr_t)b + b_bytes <= (uintptr_t)a;
}

/* The same as convk_places_check_, at once where nothing overlaps that is written: `out`, of so many bytes. */
CONVK_LOCAL_ int convk_points_apart_(const convk_points *p, const void *out, size_t bytes) {
  const size_t span = convk_points_span_(p) * sizeof(CONVK_T);
  return !p->n || (p->x && p->y && p->z && convk_gaussian_apart_(p->x, span, out, bytes) &&
                   convk_gaussian_apart_(p->y, span, out, bytes) && convk_gaussian_apart_(p->z, span, out, bytes));
}

/* COORDINATE, with the first point that is not finite. */
CONVK_RARE_ int convk_points_refuse_(char *message, const convk_points *p) {
  static const char *const text[3] = {"points->x of point % is not finite", "points->y of point % is not finite",
                                      "points->z of point % is not finite"};
  const CONVK_T *const from[3] = {p->x, p->y, p->z};
  size_t i, k;
  for (i = 0; i < p->n; i++)
    for (k = 0; k < 3; k++)
      if (!convk_finite_(CONVK_ONE_(from[k] + i * p->stride)))
        return convk_refuse_at_(message, CONVK_ERR_COORDINATE, text[k], (int64_t)i, 0, 0);
  return CONVK_ERR_COORDINATE;
}

CONVK_LOCAL_ void convk_points_task_(void *arg, size_t index) {
  convk_gaussian_points_ *job = (convk_gaussian_points_ *)arg;
  const convk_points *p = &job->p;
  const size_t begin = index * job->chunk, n = convk_least_(p->n - begin, job->chunk), stride = p->stride;
  size_t i;
  job->bad[index] = 0;
  if (stride == 1) {
    const CONVK_T *const arrays[3] = {p->x + begin, p->y + begin, p->z + begin};
    job->bad[index] = !job->kernels->finite(arrays, 3, n);
  } else if (stride == 3 && p->y == p->x + 1 && p->z == p->x + 2) {
    const CONVK_T *const packed = p->x + 3 * begin;
    job->bad[index] = !job->kernels->finite(&packed, 1, 3 * n);
  } else {
    for (i = begin * stride; i < (begin + n) * stride && !job->bad[index]; i += stride)
      job->bad[index] =
          !(convk_finite_(CONVK_ONE_(p->x + i)) && convk_finite_(CONVK_ONE_(p->y + i)) && convk_finite_(CONVK_ONE_(p->z + i)));
  }
}

/* COORDINATE where a point is not finite. */
CONVK_RARE_ int convk_points_finite_(convk *hw, char *message, convk_gaussian_points_ *job) {
  const size_t chunk = job->chunk; /* of the call's own tasks */
  size_t tasks = convk_threads_(hw), i;
  int status;
  if (!job->p.n) return CONVK_OK;
  if (tasks == 1 || job->p.n < CONVK_GAUSSIAN_TASK_) {
    job->chunk = job->p.n;
    convk_points_task_(job, 0);
    job->chunk = chunk;
    return job->bad[0] ? convk_points_refuse_(message, &job->p) : CONVK_OK;
  }
  tasks = convk_least_(convk_least_(tasks, sizeof job->bad), job->p.n / CONVK_GAUSSIAN_TASK_ + 1);
  job->chunk = job->p.n / tasks + 1;
  tasks = job->p.n / job->chunk + (job->p.n % job->chunk != 0);
  status = convk_run_tasks_(hw, tasks, convk_points_task_, job);
  job->chunk = chunk;
  for (i = 0; i < tasks && !status; i++)
    if (job->bad[i]) status = convk_points_refuse_(message, &job->p);
  return status;
}

/* Whether all elements are finite, for devices. */
CONVK_LOCAL_ int convk_gaussian_finite_(const CONVK_T *const *arrays, size_t count, size_t n) {
  size_t i, k, bad = 0;
  for (k = 0; k < count; k++)
    for (i = 0; i < n; i++) bad |= !convk_finite_(CONVK_ONE_(arrays[k] + i));
  return !bad;
}

/* NONFINITE, with the first of rows of n elements at distance ld that is not finite; text: [% ld + %], or of one row [%]. */
CONVK_RARE_ int convk_rows_finite_(int (*finite)(const CONVK_T *const *arrays, size_t count, size_t n), char *message,
                                   const char *text, const CONVK_T *a, size_t rows, size_t n, size_t ld) {
  size_t r, i;
  if (rows > 1 && ld == n && finite(&a, 1, rows * n)) return CONVK_OK;
  for (r = 0; r < rows && n; r++, a += ld) /* of no elements a may be NULL */
    if (!finite(&a, 1, n)) {
      for (i = 0; convk_finite_(CONVK_ONE_(a + i));) i++;
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, text, (int64_t)(rows > 1 || ld ? r : i), (int64_t)i, 0);
    }
  return CONVK_OK;
}

/* Squared distances of `count` points from `first` on, see convk_gaussian_distances_; filled up to a multiple of 16. */
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

/* Where a s is so large that all results beyond are alike: a little above the least normal one (2^-126, 2^-1022) where results
   fall, or, where they grow, certainly beyond the largest finite one (2^128, 2^1024). */
CONVK_LOCAL_ double convk_gaussian_limit_(int fused, int grows) {
  if (grows) return fused ? CONVK_EITHER_(156, 1100) : CONVK_EITHER_(110, 765);
  return (CONVK_EITHER_(126, 1022) - 0.0001220703125) * (fused ? 1 : 0.69314718055994531);
}

/* An exponent as the kernels want it: a and b of convk_gaussian_part_, and `top`, the squared distance where a s reaches that
   limit. */
CONVK_INLINE_ void convk_gaussian_exponent_of_(int fused, double alpha, double limit, CONVK_T *a, CONVK_T *b, CONVK_T *top) {
  const double ceiling = CONVK_GREATEST_;
  double hi = alpha, lo = 0, size;
  if (fused) convk_times_log2e_(alpha, &hi, &lo);
  size = convk_from_bits_(convk_to_bits_(hi) << 1 >> 1);
  if (!(size <= ceiling)) {
    hi = hi < 0 ? -ceiling : ceiling;
    lo = 0;
    size = ceiling;
  }
  *a = (CONVK_T)hi;
  if (sizeof *a == sizeof(float)) CONVK_IN_MEMORY_(a);
  *b = (CONVK_T)((hi - (double)*a) + lo);
  if (*b<CONVK_GAUSSIAN_LEAST_ && * b> - CONVK_GAUSSIAN_LEAST_) *b = 0;
  *top = size > limit / ceiling ? (CONVK_T)(limit / size) : CONVK_GREATEST_;
}
CONVK_RARE_ void convk_gaussian_exponent_(int fused, double alpha, CONVK_T *a, CONVK_T *b, CONVK_T *top) {
  convk_gaussian_exponent_of_(fused, alpha, convk_gaussian_limit_(fused, !(alpha < 0)), a, b, top);
}

/* Checks options, which may choose among `layouts` layouts, and compensation up to `compensated`.  Fills in the cutoff, at
   least `least`, and the bounds of a s beside it: below the lower one everything is cut, above the upper one nothing. */
CONVK_RARE_ int convk_gaussian_begin_(char *message, int fused, const convk_gaussian_options *options, int layouts,
                                      int compensated, CONVK_T least, convk_gaussian_part_ *part) {
  const double unit = fused ? 1 : 0.69314718;
  double cut = (double)least;
  uint64_t bits;
  /* one by one: clearing so little as a block takes longer than a small call's arithmetic */
  part->np = part->na = part->ld = 0;
  part->s = part->lo = part->a = part->b = part->top = NULL;
  part->s_least = part->s_greatest = part->a_greatest = 0;
  part->a_least = 1; /* more than the most: not known */
  part->out = NULL;
  part->layout = part->stream = 0;
  if (options) {
    if (options->layout < 0 || options->layout >= layouts)
      return convk_refuse_at_(message, CONVK_ERR_OPTION, "options->layout is %, and not from 0 to %", options->layout,
                              layouts - 1, 0);
    if (options->compensated != 0 && options->compensated != compensated)
      return convk_refuse_at_(message, CONVK_ERR_OPTION, "options->compensated is %, and not from 0 to %", options->compensated,
                              compensated, 0);
    if (!convk_finite_f64_(options->cutoff))
      return convk_refuse_(message, CONVK_ERR_NONFINITE, "options->cutoff is not finite");
    if (options->cutoff < 0) return convk_refuse_(message, CONVK_ERR_OPTION, "options->cutoff is negative");
    part->layout = options->layout;
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
  while (j < part->na && part->a[j] * (part->a[j] > 0 ? part->s_greatest : part->s_least) < part->below) j++;
  return j == part->na;
}

/* Tasks of a call on so many points, with `each` exponentials for a point, or what takes as long. */
CONVK_LOCAL_ size_t convk_gaussian_tasks_(convk *hw, size_t points, double each) {
  const double tasks = (double)points * each / (double)CONVK_GAUSSIAN_TASK_;
  const size_t threads = convk_threads_(hw);
  return tasks < 1 ? 1 : tasks < (double)threads ? (size_t)tasks : threads;
}

/* Cuts n points into at most so many tasks, which is their number: *chunk points for each, but the last.  No divisions for one,
   of which a small call waits for each. */
CONVK_LOCAL_ size_t convk_gaussian_cut_(size_t n, size_t tasks, size_t *chunk) {
  *chunk = tasks == 1 ? n : convk_round_up_(convk_ceil_(n, tasks), 64 / sizeof(CONVK_T));
  return tasks == 1 ? 1 : convk_ceil_(n, *chunk);
}

/* What sums are made into: rows at `out`, on which they go on. */
CONVK_LOCAL_ void convk_gaussian_sums_at_(convk_gaussian_sums_ *sums, CONVK_T *out, size_t ld) {
  sums->from = sums->out = out;
  sums->from_ld = sums->ld = ld;
}

/* ---- the grid potential and its sums ---- */

/* One checked call: rows of `row` elements at call.out. */
typedef struct convk_gridpot_job_ {
  convk_gaussians of; /* with a distance that is not 0 */
  CONVK_T *out;
  size_t ld;
  int sum;
  convk_gaussian_points_ points;
  convk_gaussian_part_ part;
  CONVK_T center[6];
  size_t rows, row, bytes;
  size_t points_chunk, exponents_chunk, tasks; /* tasks: side by side in exponents */
  size_t block; /* points of a block at most, a multiple of 16; 0: as many as there is room for */
  int compensated;
} convk_gridpot_job_;

/* Exponents first .. first + n - 1, in rows of `pitch`; their bounds. */
CONVK_LOCAL_ void convk_gridpot_exponents_(const convk_gridpot_job_ *job, size_t first, size_t n, CONVK_T *rows, size_t pitch,
                                           convk_gaussian_part_ *part) {
  CONVK_T bounds[2];
  part->a = rows;
  part->b = rows + pitch;
  part->top = rows + 2 * pitch;
  job->points.kernels->exponents(job->of.alpha + first, n, rows, pitch, bounds);
  part->a_least = bounds[0];
  part->a_greatest = bounds[1];
}

CONVK_LOCAL_ void convk_gridpot_task_(void *arg, size_t index) {
  enum { capacity_ = CONVK_GAUSSIAN_BYTES_ / sizeof(CONVK_T), rows_ = CONVK_GAUSSIAN_ROWS_, pad_ = 16 };
  const convk_gridpot_job_ *job = (const convk_gridpot_job_ *)arg;
  const size_t along = job->tasks == 1 ? index : index / job->tasks; /* a small call would wait for the division */
  const size_t p0 = along * job->points_chunk, j0 = (index - along * job->tasks) * job->exponents_chunk;
  const size_t np = convk_least_(job->points.p.n - p0, job->points_chunk),
               nj = convk_least_(job->of.n - j0, job->exponents_chunk);
  convk_gaussian_part_ part = job->part;
  CONVK_T large[2 * capacity_ + 2 * pad_], short_rows[3][rows_ + pad_], extremes[2];
  const int points = part.layout == CONVK_GRIDPOT_POINTS_CONTIGUOUS;
  const size_t room = points ? capacity_ : rows_, max_p = job->block ? convk_least_(job->block, room) : room;
  const size_t max_j = points ? rows_ : capacity_ / 2;
  CONVK_T *s = points ? large : short_rows[0], *lo = !job->compensated ? NULL
                                                     : points          ? large + capacity_ + pad_
                                                                       : short_rows[1];
  size_t p, j;
  for (j = 0; j < nj; j += part.na) {
    part.na = convk_least_(nj - j, max_j);
    convk_gridpot_exponents_(job, j0 + j, part.na, points ? short_rows[0] : large, max_j + pad_, &part);
    for (p = 0; p < np; p += part.np) {
      part.np = convk_least_(np - p, max_p);
      convk_gaussian_near_(&job->points, p0 + p, part.np, job->center, NULL, 0, s, lo, extremes);
      part.s = s;
      part.lo = lo;
      part.s_least = extremes[0];
      part.s_greatest = extremes[1];
      part.out = job->part.out + (points ? (j0 + j) * part.ld + p0 + p : (p0 + p) * part.ld + j0 + j);
      job->points.kernels->exponentials(&part);
    }
  }
  if (part.stream) job->points.kernels->fence();
}

/* Adds the terms of the exponents of a part, or makes the sums of them, by exponentials in L1: in strips at part->out. */
CONVK_RARE_ void convk_sums_by_strips_(const convk_gaussian_kernels_ *kernels, const convk_gaussian_part_ *part,
                                       convk_gaussian_sums_ *sums) {
  convk_gaussian_part_ strip = *part;
  const convk_any_ *c = sums->c;
  const int last = sums->last;
  size_t k;
  sums->last = 0;
  sums->e = strip.out;
  sums->pitch = strip.ld;
  for (k = 0; k < part->na; k += strip.na) {
    strip.na = convk_least_(part->na - k, CONVK_GAUSSIAN_STRIP_);
    strip.a = part->a + k;
    strip.b = part->b + k;
    strip.top = part->top + k;
    sums->m = strip.na;
    sums->c = c + k;
    sums->last = last && k + strip.na == part->na;
    if (convk_gaussian_none_(&strip)) continue;
    kernels->exponentials(&strip);
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
    capacity_ = CONVK_GAUSSIAN_BYTES_ / 4 / sizeof(CONVK_T),
    rows_ = CONVK_GAUSSIAN_ROWS_,
    strip_ = CONVK_GAUSSIAN_STRIP_,
    pad_ = 16
  };
  const convk_gridpot_job_ *job = (const convk_gridpot_job_ *)arg;
  const convk_gaussian_kernels_ *kernels = job->points.kernels;
  const size_t p0 = index * job->points_chunk, np = convk_least_(job->points.p.n - p0, job->points_chunk);
  const int strips = job->compensated || job->of.nsums > CONVK_GAUSSIAN_SUMS_;
  const size_t room = strips ? capacity_ / 2 : capacity_, max_points = job->block ? convk_least_(job->block, room) : room;
  convk_gaussian_part_ part = job->part;
  convk_gaussian_sums_ sums;
  CONVK_T s[capacity_ + pad_], lo[capacity_ / 2 + pad_], exponents[3][rows_ + pad_], strip[strip_][capacity_ / 2 + pad_],
      extremes[2];
  CONVK_T *lost = job->compensated ? lo : NULL;
  size_t p, j = 0;
  sums.rows = job->of.nsums;
  sums.m = sums.pitch = 0;
  sums.least = 0;
  sums.ldc = job->of.ldc;
  sums.inverse = 1;
  sums.e = strip[0];
  part.s = s;
  part.lo = lost;
  part.out = strip[0];
  part.ld = capacity_ / 2 + pad_;
  do {
    part.na = convk_least_(job->of.n - j, rows_);
    convk_gridpot_exponents_(job, j, part.na, exponents[0], rows_ + pad_, &part);
    for (p = 0; p < np; p += sums.n) {
      sums.n = convk_least_(np - p, max_points);
      convk_gaussian_sums_at_(&sums, job->part.out + p0 + p, job->part.ld);
      sums.c = job->of.coefficients ? job->of.coefficients + j : strip[0];
      sums.more = j != 0;
      sums.last = 1; /* also of a part of the exponents: there is no scale, and nothing may be left unwritten */
      convk_gaussian_near_(&job->points, p0 + p, sums.n, job->center, NULL, 0, s, lost, extremes);
      part.np = convk_round_up_(sums.n, 16);
      part.s_least = extremes[0];
      part.s_greatest = extremes[1];
      if (strips) convk_sums_by_strips_(kernels, &part, &sums);
      else (void)kernels->collect(&part, &sums);
    }
    j += part.na;
  } while (j < job->of.n);
}

/* Whether the points of a row of results follow each other. */
CONVK_LOCAL_ int convk_gridpot_points_first_(const convk_gridpot_job_ *job) {
  return job->sum || job->part.layout == CONVK_GRIDPOT_POINTS_CONTIGUOUS;
}

/* The sizes of a part of n points, which have room for `ld` of them on a device. */
CONVK_LOCAL_ void convk_gridpot_part_(convk_gridpot_job_ *job, size_t n, size_t ld) {
  if (convk_gridpot_points_first_(job)) {
    job->row = n;
    job->ld = ld;
  } else {
    job->rows = n;
    job->ld = job->row;
  }
}

/* Sizes. */
CONVK_LOCAL_ int convk_gridpot_sizes_(char *message, convk_gridpot_job_ *job, size_t *n_bytes, size_t *c_bytes) {
  convk_gaussians *const g = &job->of;
  const size_t n = job->points.p.n;
  const int points_first = convk_gridpot_points_first_(job);
  job->rows = job->sum ? g->nsums : points_first ? g->n : n;
  job->row = points_first ? n : g->n;
  if (!job->ld) job->ld = job->row;
  if (!g->ldc) g->ldc = g->n;
  if (job->ld < job->row)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "ld is %, less than the % elements of a row", (int64_t)job->ld,
                            (int64_t)job->row, 0);
  if (job->sum && g->ldc < g->n)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "gaussians->ldc is %, less than gaussians->n = %", (int64_t)g->ldc,
                            (int64_t)g->n, 0);
  if (convk_rows_bytes_(1, g->n, 0, sizeof *g->alpha, n_bytes))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "gaussians->n is too large");
  if (convk_rows_bytes_(job->sum ? g->nsums : 0, g->n, g->ldc, sizeof *g->coefficients, c_bytes))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "gaussians->nsums times gaussians->ldc is too large");
  if (convk_rows_bytes_(job->rows, job->row, job->ld, sizeof *job->out, &job->bytes))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "the rows of the result times ld are too large");
  return CONVK_OK;
}

/* Arrays of the host: the exponents, the coefficients of sums, points, results. */
CONVK_LOCAL_ int convk_gridpot_arrays_(char *message, const convk_gridpot_job_ *job, size_t n_bytes, size_t c_bytes) {
  const convk_gaussians *const g = &job->of;
  convk_place_ place[6];
  if ((g->alpha || !n_bytes) && (g->coefficients || !c_bytes) && (job->out || !job->bytes) &&
      convk_points_apart_(&job->points.p, job->out, job->bytes) &&
      convk_gaussian_apart_(g->alpha, n_bytes, job->out, job->bytes) &&
      convk_gaussian_apart_(g->coefficients, c_bytes, job->out, job->bytes))
    return CONVK_OK;
  convk_points_places_(&job->points.p, place);
  place[3] = convk_place_of_("gaussians->alpha", g->alpha, n_bytes, n_bytes ? 0 : CONVK_PLACE_OPTIONAL_);
  place[4] = convk_place_of_("gaussians->coefficients", g->coefficients, c_bytes, c_bytes ? 0 : CONVK_PLACE_OPTIONAL_);
  place[5] = convk_place_of_(job->sum ? "sums" : "g", job->out, job->bytes,
                             CONVK_PLACE_WRITTEN_ | (job->bytes ? 0 : CONVK_PLACE_OPTIONAL_));
  return convk_places_check_(message, place, 6);
}

/* What exponents and coefficients must be, where they are in memory of the host. */
CONVK_LOCAL_ int convk_gridpot_numbers_(const convk_gaussian_kernels_ *kernels, char *message, const convk_gridpot_job_ *job) {
  const convk_gaussians *const g = &job->of;
  const int status = convk_rows_finite_(kernels->finite, message, "gaussians->alpha[%] is not finite", g->alpha, 1, g->n, 0);
  if (status || !job->sum) return status;
  return convk_rows_finite_(kernels->finite, message, "gaussians->coefficients[% ldc + %] is not finite", g->coefficients,
                            g->nsums, g->n, g->ldc);
}

/* What gridpot and its sums ask of their arguments wherever the arrays are. */
CONVK_RARE_ int convk_gridpot_begin_(const convk_gaussian_kernels_ *kernels, char *message, const convk_gridpot_call_ *call,
                                     convk_gridpot_job_ *job, size_t *n_bytes, size_t *c_bytes) {
  size_t k;
  int status = convk_points_check_(kernels, message, call->points, &job->points);
  if (status) return status;
  if (!call->gaussians) return convk_refuse_(message, CONVK_ERR_NULL, "gaussians is NULL");
  job->of = *call->gaussians;
  job->out = call->out;
  job->ld = call->ld;
  job->sum = call->sum;
  job->block = 0;
  status = convk_gaussian_begin_(message, kernels->fused, call->options, call->sum ? 1 : 2, 1,
                                 call->sum ? CONVK_GAUSSIAN_LEAST_TERM_ : CONVK_GAUSSIAN_LEAST_, &job->part);
  if (!status) status = convk_gridpot_sizes_(message, job, n_bytes, c_bytes);
  for (k = 0; k < 3 && !status; k++) {
    job->center[k] = job->of.center[k];
    job->center[3 + k] = 0;
    if (!convk_finite_(job->center[k]))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "gaussians->center[%] is not finite", (int64_t)k, 0, 0);
  }
  job->compensated = call->options && call->options->compensated;
  job->part.out = job->out;
  job->part.ld = job->ld;
  return status;
}

/* All checks of a call on arrays of the host, by the threads of `with`: hw, or NULL. */
CONVK_LOCAL_ int convk_gridpot_check_(const convk_gaussian_kernels_ *kernels, convk *hw, convk *with,
                                      const convk_gridpot_call_ *call, convk_gridpot_job_ *job) {
  char *const message = convk_message_(hw);
  size_t n_bytes, c_bytes;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status) status = convk_gridpot_begin_(kernels, message, call, job, &n_bytes, &c_bytes);
  if (!status) status = convk_gridpot_arrays_(message, job, n_bytes, c_bytes);
  if (!status) status = convk_gridpot_numbers_(kernels, message, job);
  return status ? status : convk_points_finite_(with, message, &job->points);
}

CONVK_LOCAL_ int convk_gridpot_run_(convk *hw, convk_gridpot_job_ *job) {
  const size_t n = job->points.p.n, m = job->of.n, unit = 64 / sizeof(CONVK_T), blocks = n / CONVK_GAUSSIAN_ROWS_ + 1;
  size_t tasks = convk_gaussian_tasks_(hw, n, (double)m), parts = convk_least_(tasks, blocks);
  if (tasks == 1) {
    job->points_chunk = n;
    job->exponents_chunk = m;
    job->tasks = 1;
    return convk_run_tasks_(hw, 1, convk_gridpot_task_, job);
  }
  job->points_chunk = convk_round_up_(convk_ceil_(n, parts), unit);
  parts = convk_ceil_(n, job->points_chunk);
  tasks = convk_least_(tasks / parts, m);
  job->exponents_chunk = convk_round_up_(convk_ceil_(m, tasks), unit);
  job->tasks = convk_ceil_(m, job->exponents_chunk);
  return convk_run_tasks_(hw, parts * job->tasks, convk_gridpot_task_, job);
}

CONVK_LOCAL_ int convk_gridpot_sum_run_(convk *hw, convk_gridpot_job_ *job) {
  const size_t n = job->points.p.n;
  const double each = (double)job->of.n * (1 + (double)job->of.nsums / (double)CONVK_GAUSSIAN_PRODUCTS_);
  const size_t tasks = convk_least_(convk_gaussian_tasks_(hw, n, each), n / CONVK_GAUSSIAN_ROWS_ + 1);
  job->part.stream = 0; /* strips stay in the cache */
  return convk_run_tasks_(hw, convk_gaussian_cut_(n, tasks, &job->points_chunk), convk_gridpot_sum_task_, job);
}

CONVK_RARE_ int convk_gridpot_all_(const convk_gaussian_kernels_ *kernels, convk *hw, const convk_gridpot_call_ *call) {
  convk_gridpot_job_ job;
  int status;
  if (kernels->gridpot) return kernels->gridpot(hw, call);
  status = convk_gridpot_check_(kernels, hw, hw, call, &job);
  if (status || !job.rows || !job.row) return status;
  if (hw) {
    const size_t n[3] = {job.points.p.n, job.of.n, call->sum ? job.of.nsums : 1};
    convk_tuning own;
    const convk_tuning *tuning = convk_tuning_for_(hw, call->sum ? "gridpot_sum" : "gridpot", sizeof(CONVK_T), n, 1, &own);
    job.part.stream = convk_cache_past_(tuning, convk_threads_(hw), job.bytes);
    job.block = convk_round_up_(convk_least_(tuning->gaussian_points, CONVK_GAUSSIAN_BYTES_), 16);
  }
  return call->sum ? convk_gridpot_sum_run_(hw, &job) : convk_gridpot_run_(hw, &job);
}

CONVK_LOCAL_ int convk_gridpot_cpu_(const convk_gaussian_kernels_ *kernels, convk *hw, const convk_points *points,
                                    const convk_gaussians *gaussians, const convk_gaussian_options *options, CONVK_T *g,
                                    size_t ld) {
  const convk_gridpot_call_ call = {points, gaussians, options, g, ld, 0};
  return convk_gridpot_all_(kernels, hw, &call);
}

CONVK_LOCAL_ int convk_gridpot_sum_cpu_(const convk_gaussian_kernels_ *kernels, convk *hw, const convk_points *points,
                                        const convk_gaussians *gaussians, const convk_gaussian_options *options, CONVK_T *sums,
                                        size_t ld) {
  const convk_gridpot_call_ call = {points, gaussians, options, sums, ld, 1};
  return convk_gridpot_all_(kernels, hw, &call);
}

#include "gaussian/orbitals.h"
