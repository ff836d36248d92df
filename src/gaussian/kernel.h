/* Bounds between which no result is subnormal, 0 or infinite, of a s in powers of 2 or e. */
#define CONVK_PLAIN_LEAST_ (CONVK_FUSES_ ? CONVK_OF_(-125, -1021) : CONVK_OF_(-86.5f, -707.5))
#define CONVK_PLAIN_LIMIT_ (CONVK_FUSES_ ? CONVK_OF_(126, 1022) : CONVK_OF_(87, 708))

/* What is to be done for elements with a in a[0] .. a[1] and s in s[0] .. s[1]. */
CONVK_INLINE_ int convk_gaussian_mode_(const convk_gaussian_part_ *part, const CONVK_T *a, const CONVK_T *s) {
  const CONVK_T least = a[0] * s[a[0] < 0], greatest = a[1] * s[a[1] > 0];
  if (greatest < part->below) return CONVK_GAUSSIAN_NONE_;
  return (least > part->above ? 0 : CONVK_GAUSSIAN_CUT_) | (least >= CONVK_PLAIN_LEAST_ ? 0 : CONVK_GAUSSIAN_FAR_) |
         (greatest <= CONVK_PLAIN_LIMIT_ ? 0 : CONVK_GAUSSIAN_LARGE_);
}

/* Whether no element of a block is out of any range: then none of a row is. */
CONVK_INLINE_ int convk_gaussian_plain_(const convk_gaussian_part_ *part) {
  const CONVK_T a[2] = {part->a_least, part->a_greatest}, s[2] = {part->s_least, part->s_greatest};
  return a[0] <= a[1] && !convk_gaussian_mode_(part, a, s);
}

/* One vector of row j, from element i on, of any mode; rows as in convk_gaussian_rest_. */
CONVK_RARE_ CONVK_V convk_gaussian_one_(const convk_gaussian_part_ *part, size_t j, size_t i, int points, int mode) {
  const CONVK_V zero = CONVK_SET_(0);
  CONVK_V a, b, top, s, lo = zero, g = zero;
  if (mode & CONVK_GAUSSIAN_NONE_) return g;
  a = points ? CONVK_SET_(part->a[j]) : CONVK_LOAD_(part->a + i);
  b = points ? CONVK_SET_(part->b[j]) : CONVK_LOAD_(part->b + i);
  top = points ? CONVK_SET_(part->top[j]) : CONVK_LOAD_(part->top + i);
  s = points ? CONVK_LOAD_(part->s + i) : CONVK_SET_(part->s[j]);
  if (part->lo) lo = points ? CONVK_LOAD_(part->lo + i) : CONVK_SET_(part->lo[j]);
  convk_gaussian_some_(&a, &b, &top, &s, &lo, &g, 1, 0, 0, mode, part->lo != NULL);
  return CONVK_LESS_(g, CONVK_SET_(part->cut), zero, g);
}

/* The first n elements of row j: with ds point after point for exponent j, with da exponent after exponent for point j. */
CONVK_INLINE_ void convk_gaussian_row_(const convk_gaussian_part_ *part, size_t j, size_t n, const int da, const int ds,
                                       int plain) {
  enum { group_ = CONVK_GAUSSIAN_GROUP_ };
  const int more = part->lo != NULL;
  const CONVK_V cut = CONVK_SET_(part->cut), zero = CONVK_SET_(0);
  CONVK_T *out = part->out + j * part->ld, bounds[4];
  CONVK_V a[group_], b[group_], top[group_], s[group_], lo[group_], g[group_];
  size_t i = 0, head = 0, k;
  int u, stream = CONVK_FINDS_GAUSSIAN_ && part->stream, mode;
  bounds[0] = bounds[1] = part->a[j * (size_t)ds];
  bounds[2] = bounds[3] = part->s[j * (size_t)da];
  if (da) {
    bounds[0] = part->a_least;
    bounds[1] = part->a_greatest;
    s[0] = CONVK_SET_(part->s[j]);
    lo[0] = more ? CONVK_SET_(part->lo[j]) : zero;
  } else {
    bounds[2] = part->s_least;
    bounds[3] = part->s_greatest;
    a[0] = CONVK_SET_(part->a[j]);
    b[0] = CONVK_SET_(part->b[j]);
    top[0] = CONVK_SET_(part->top[j]);
  }
  mode = plain ? 0 : convk_gaussian_mode_(part, bounds, bounds + 2);
  if (stream) {
    head = (64 - (uintptr_t)out % 64) % 64 / sizeof *out;
    if ((uintptr_t)out % sizeof *out) stream = 0, head = 0;
    if (head > n) head = n;
  }
  for (;;) {
    if (i >= head) {
      for (; i + group_ * CONVK_LANES <= n && !(mode & CONVK_GAUSSIAN_LARGE_); i += group_ * CONVK_LANES) {
        CONVK_EACH_(u, group_) {
          g[u] = zero;
          if (ds) s[u] = CONVK_LOAD_(part->s + i + u * CONVK_LANES);
          if (ds && more) lo[u] = CONVK_LOAD_(part->lo + i + u * CONVK_LANES);
          if (da) a[u] = CONVK_LOAD_(part->a + i + u * CONVK_LANES);
          if (da) b[u] = CONVK_LOAD_(part->b + i + u * CONVK_LANES);
          if (da) top[u] = CONVK_LOAD_(part->top + i + u * CONVK_LANES);
        }
        if (!(mode & CONVK_GAUSSIAN_NONE_))
          convk_gaussian_some_(a, b, top, s, lo, g, group_, da, ds, mode & CONVK_GAUSSIAN_FAR_, more);
        if (mode & CONVK_GAUSSIAN_CUT_) {
          CONVK_EACH_(u, group_) g[u] = CONVK_LESS_(g[u], cut, zero, g[u]);
        }
        CONVK_EACH_(u, group_) {
          if (stream) CONVK_STREAM_(out + i + u * CONVK_LANES, g[u]);
          else CONVK_STORE_(out + i + u * CONVK_LANES, g[u]);
        }
      }
      head = n;
    }
    if (i == n) return;
    k = head - i < CONVK_LANES ? head - i : CONVK_LANES; /* before the first line of a stream, and what is left */
    CONVK_STOREK_(out + i, convk_gaussian_one_(part, j, i, ds, mode), k);
    i += k;
  }
}

/* Vectors at i of rows r[0] .. r[group_ - 1], each with an exponent of its own (points) or a point; k of their elements count.
   one, two: a and b of these exponents, or s of these points; NULL: not there yet. */
CONVK_INLINE_ void convk_gaussian_across_(const convk_gaussian_part_ *part, const CONVK_V *one, const CONVK_V *two,
                                          const size_t *r, size_t i, size_t k, int points, int mode, int more) {
  enum { group_ = CONVK_GAUSSIAN_GROUP_ };
  const CONVK_V cut = CONVK_SET_(part->cut), zero = CONVK_SET_(0);
  CONVK_V a[group_], b[group_], top[group_], s[group_], lo[group_], g[group_];
  CONVK_T *const out = part->out + i;
  const size_t ld = part->ld;
  int u;
  CONVK_EACH_(u, group_) g[u] = zero;
  if (!(mode & CONVK_GAUSSIAN_NONE_)) {
    CONVK_EACH_(u, group_) {
      a[u] = points ? one ? one[u] : CONVK_SET_(part->a[r[u]]) : CONVK_LOAD_(part->a + i);
      b[u] = points ? two ? two[u] : CONVK_SET_(part->b[r[u]]) : CONVK_LOAD_(part->b + i);
      s[u] = points ? CONVK_LOAD_(part->s + i) : one ? one[u] : CONVK_SET_(part->s[r[u]]);
      top[u] = !(mode | more) ? zero : points ? CONVK_SET_(part->top[r[u]]) : CONVK_LOAD_(part->top + i);
      lo[u] = !more ? zero : points ? CONVK_LOAD_(part->lo + i) : CONVK_SET_(part->lo[r[u]]);
    }
    convk_gaussian_some_(a, b, top, s, lo, g, group_, 1, 1, mode & CONVK_GAUSSIAN_FAR_, more);
    if (mode & CONVK_GAUSSIAN_CUT_) {
      CONVK_EACH_(u, group_) g[u] = CONVK_LESS_(g[u], cut, zero, g[u]);
    }
  }
  CONVK_EACH_(u, group_) {
    if (k < CONVK_LANES) CONVK_STOREK_(out + r[u] * ld, g[u], k);
    else CONVK_STORE_(out + r[u] * ld, g[u]);
  }
}

/* All rows, where no element is out of any range: some side by side, which share what changes along them, and the registers. */
CONVK_INLINE_ void convk_gaussian_plain_rows_(const convk_gaussian_part_ *part, size_t n, size_t rows, int points) {
  enum { group_ = CONVK_GAUSSIAN_GROUP_ };
  convk_gaussian_part_ own = *part; /* stores to results may change *part, as far as a compiler knows */
  size_t i, j, r[group_];
  int u;
  CONVK_EACH_(u, group_) r[u] = (size_t)u < rows ? (size_t)u : rows - 1; /* of few rows the last stands for those beyond it */
  for (j = 0; j < rows; j += group_) {
    const size_t first = j + group_ <= rows || !j ? j : rows - group_; /* of the last ones some once more */
    CONVK_V one[group_], two[group_];
    CONVK_EACH_(u, group_) {
      one[u] = CONVK_SET_(points ? own.a[first + r[u]] : own.s[first + r[u]]);
      two[u] = points ? CONVK_SET_(own.b[first + r[u]]) : one[u];
    }
    own.out = part->out + first * own.ld;
    for (i = 0; i < n; i += CONVK_LANES) convk_gaussian_across_(&own, one, two, r, i, n - i, points, 0, 0);
  }
}
CONVK_RARE_ void convk_gaussian_plain_points_(const convk_gaussian_part_ *part) {
  convk_gaussian_plain_rows_(part, part->np, part->na, 1);
}
CONVK_RARE_ void convk_gaussian_plain_exponents_(const convk_gaussian_part_ *part) {
  convk_gaussian_plain_rows_(part, part->na, part->np, 0);
}

/* The elements from i on of all rows: what convk_gaussian_row_ leaves, which takes group_ vectors of one row together.  Here
   they are vectors of group_ rows.  With 8 lanes, a group of 4 and rows of 75 elements it has taken 64, and 11 are left:

     row 0   64 ............. 71 | 72 73 74     first 64 .. 71 of rows 0 .. 3, of rows 4 .. 7 and so on,
     row 1   64 ............. 71 | 72 73 74     then 72 .. 74 in the same way, as vectors of 3 elements
     ...

   points: rows lie along the points, one for each exponent; else along the exponents, one for each point. */
CONVK_RARE_ void convk_gaussian_rest_(const convk_gaussian_part_ *part, size_t i, int points, int plain) {
  enum { group_ = CONVK_GAUSSIAN_GROUP_ };
  const int more = part->lo != NULL;
  const size_t n = points ? part->np : part->na, rows = points ? part->na : part->np;
  const CONVK_T *own = points ? part->a : part->s; /* what is one number for a row, */
  CONVK_T of_rows[2], along[2];                    /* bounds of that in so many rows, and of what changes along them */
  const CONVK_T *a_bounds = points ? of_rows : along, *s_bounds = points ? along : of_rows;
  size_t j, r[group_];
  int u;
  along[0] = points ? part->s_least : part->a_least;
  along[1] = points ? part->s_greatest : part->a_greatest;
  for (; i < n; i += CONVK_LANES) {
    const size_t k = n - i < CONVK_LANES ? n - i : CONVK_LANES;
    for (j = 0; j < rows; j += group_) {
      int mode = 0;
      /* the last row stands for those beyond it */
      CONVK_EACH_(u, group_) r[u] = j + (size_t)u < rows ? j + (size_t)u : rows - 1;
      if (!plain) {
        CONVK_EACH_(u, group_) {
          of_rows[0] = u && of_rows[0] < own[r[u]] ? of_rows[0] : own[r[u]];
          of_rows[1] = u && of_rows[1] > own[r[u]] ? of_rows[1] : own[r[u]];
        }
        mode = convk_gaussian_mode_(part, a_bounds, s_bounds);
      }
      if (CONVK_UNLIKELY_(mode & CONVK_GAUSSIAN_LARGE_)) {
        CONVK_EACH_(u, group_)
          CONVK_STOREK_(part->out + r[u] * part->ld + i, convk_gaussian_one_(part, r[u], i, points, mode), k);
      } else convk_gaussian_across_(part, NULL, NULL, r, i, k, points, mode, more);
    }
  }
}

static void convk_gaussian_exponentials_(const convk_gaussian_part_ *part) {
  enum { step_ = CONVK_GAUSSIAN_GROUP_ * CONVK_LANES };
  /* grids ask for single rows of points: less to compile */
  const int any = CONVK_FINDS_GAUSSIAN_, points = !any || part->layout == CONVK_GRIDPOT_POINTS_CONTIGUOUS,
            plain = convk_gaussian_plain_(part), across = any && CONVK_FUSES_ && !part->stream;
  const size_t n = points ? part->np : part->na, whole = across ? n / step_ * step_ : n;
  size_t j;
  if (across && plain && !part->lo) { /* what most calls want */
    if (points) convk_gaussian_plain_points_(part);
    else convk_gaussian_plain_exponents_(part);
    CONVK_LEAVE_
    return;
  }
  if (points) {
    for (j = 0; j < part->na && whole; j++) convk_gaussian_row_(part, j, whole, 0, 1, plain);
  } else {
    for (j = 0; j < part->np && whole; j++) convk_gaussian_row_(part, j, whole, 1, 0, plain);
  }
  if (any && CONVK_FUSES_ && whole < n) convk_gaussian_rest_(part, whole, points, plain);
  CONVK_LEAVE_
}

/* ---- exponents ---- */

/* The least element of `least` and the greatest of `greatest`, which is the least of n = -greatest.  With four lanes:
     l0  l1  l2  l3    n0 n1 n2 n3    the two vectors
     l01 l23 n01 n23                  both, after UNZIP and MIN; l01: the lesser of l0 and l1
     l   n   l   n                    both, after these again */
CONVK_INLINE_ void convk_gaussian_extremes_(CONVK_V least, CONVK_V greatest, CONVK_T *extremes) {
  CONVK_T ends[2 * CONVK_LANES];
  CONVK_V v[2];
  int n;
  v[0] = least;
  v[1] = CONVK_SUB_(CONVK_SET_(0), greatest);
  CONVK_UNROLL_
  for (n = CONVK_LANES; n > 1; n /= 2) {
    CONVK_UNZIP_(v);
    v[0] = v[1] = CONVK_MIN_(v[0], v[1]);
  }
  CONVK_STORE_(ends, v[0]);
  CONVK_STORE_(ends + (CONVK_LANES > 1 ? 0 : 1), v[1]);
  extremes[0] = ends[0];
  extremes[1] = -ends[1];
}

#if CONVK_FUSES_
/* a log2(e) = a + b of each, as convk_times_log2e_ has it, in doubles; FMA with 0 or 1 is a product or a sum. */
CONVK_INLINE_ void convk_gaussian_times_log2e_(CONVK_V *a, CONVK_V *b) {
  enum { parts_ = CONVK_LANES / CONVK_DLANES_ };
  const CONVK_D l0 = CONVK_DSET_(1.4426950216293335), l1 = CONVK_DSET_(1.92596298909109e-08),
                l2 = CONVK_DSET_(2.0355273740931033e-17);
  const CONVK_D zero = CONVK_DZERO_, minus = CONVK_DSET_(-1);
  CONVK_D hi[parts_], lo[parts_];
  int h;
  CONVK_EACH_(h, parts_) {
    const CONVK_D x = CONVK_DPART_(*a, (size_t)h);
    const CONVK_D x0 =
        CONVK_EITHER_(x, CONVK_AND_(x, CONVK_BITS_(~(uint64_t)0 << 27))); /* of a float all digits, and x1 is 0 */
    const CONVK_D x1 = CONVK_DFMA_(x0, minus, x), first = CONVK_DFMA_(x0, l0, zero);
    CONVK_D cross = CONVK_DFMA_(x0, l1, zero), last = CONVK_DFMA_(x, l2, zero), low;
    if (sizeof(CONVK_T) == sizeof(double)) {
      cross = CONVK_DADD_(cross, CONVK_DFMA_(x1, l0, zero));
      last = CONVK_DADD_(CONVK_DFMA_(x1, l1, zero), last);
    }
    low = CONVK_DADD_(cross, last);
    hi[h] = CONVK_DADD_(first, low);
    lo[h] = CONVK_DADD_(CONVK_DFMA_(hi[h], minus, first), low);
  }
  *a = CONVK_JOIN_(hi);
  CONVK_EACH_(h, parts_) lo[h] = CONVK_DADD_(CONVK_DFMA_(CONVK_DPART_(*a, (size_t)h), minus, hi[h]), lo[h]);
  *b = CONVK_JOIN_(lo);
}
#endif

/* n exponents as kernels want them, see convk_gaussian_exponent_: rows a, b and top at distance `pitch`; copies of the last
   exponent fill up a vector.  bounds: of a. */
static void convk_gaussian_exponents_(const CONVK_T *alpha, size_t n, CONVK_T *rows, size_t pitch, CONVK_T *bounds) {
  const double lowest = (CONVK_EITHER_(126, 1022) - 0.0001220703125) * (CONVK_FUSES_ ? 1 : 0.69314718055994531);
  const CONVK_V shrinks = CONVK_SET_((CONVK_T)lowest), zero = CONVK_SET_(0), greatest = CONVK_SET_(CONVK_GREATEST_);
  const CONVK_V grows = CONVK_SET_(CONVK_FUSES_ ? CONVK_OF_(156, 1100) : CONVK_OF_(110, 765));
  /* an exponent that is less has no limit; a little more than what divides `lowest` to the greatest number, and `grows` */
  const double unit = CONVK_EITHER_(1.0000002, 1.0000000000000004) / (double)CONVK_GREATEST_;
  const CONVK_V least_shrinks = CONVK_SET_((CONVK_T)(lowest * unit));
  const CONVK_V least_grows = CONVK_SET_((CONVK_T)((CONVK_FUSES_ ? CONVK_EITHER_(156, 1100) : CONVK_EITHER_(110, 765)) * unit));
  CONVK_V least = greatest, highest = CONVK_SET_(-CONVK_GREATEST_);
  CONVK_T lanes[CONVK_LANES];
  size_t i, k;
  for (i = 0; i < n; i += CONVK_LANES) {
    CONVK_T *to = rows + i;
    CONVK_V a, b = zero, top, size, none;
    if (n - i < CONVK_LANES) {
      for (k = 0; k < CONVK_LANES; k++) lanes[k] = CONVK_ONE_(alpha + (i + k < n ? i + k : n - 1));
      a = CONVK_LOAD_(lanes);
    } else {
      a = CONVK_LOAD_(alpha + i);
    }
    if (CONVK_UNLIKELY_(CONVK_ANY_LESS_(CONVK_SET_(CONVK_GREATEST_ / 2), convk_gaussian_size_(a)))) {
      CONVK_STORE_(lanes, a);
      for (k = 0; k < CONVK_LANES; k++)
        convk_gaussian_exponent_(CONVK_FUSES_, (double)lanes[k], to + k, to + k + pitch, to + k + 2 * pitch);
      a = CONVK_LOAD_(to);
    } else {
#if CONVK_FUSES_
      convk_gaussian_times_log2e_(&a, &b);
      b = CONVK_LESS_(convk_gaussian_size_(b), CONVK_SET_(CONVK_GAUSSIAN_LEAST_), zero, b);
#endif
      size = convk_gaussian_size_(a);
      none = CONVK_LESS_(a, zero, least_shrinks, least_grows);
      top = CONVK_LESS_(none, size, CONVK_LESS_(a, zero, shrinks, grows), greatest);
      CONVK_STORE_(to, a);
      CONVK_STORE_(to + pitch, b);
      CONVK_STORE_(to + 2 * pitch, CONVK_DIV_(top, CONVK_LESS_(none, size, size, CONVK_SET_(1))));
    }
    least = CONVK_MIN_(least, a);
    highest = CONVK_MAX_(highest, a);
  }
  convk_gaussian_extremes_(least, highest, bounds);
  CONVK_LEAVE_
}

/* ---- squared distances ---- */

/* Squared distances s of n points from a center in two parts, center[k] + center[3 + k].  Arrays have whole vectors, also
   behind point n.  lo: what s lost by rounding; d: three rows of differences, `pitch` apart; either may be NULL.
   extremes: the least and the greatest s of earlier calls, and on return of this one, too. */
static void convk_gaussian_distances_(const CONVK_T *const *xyz, size_t n, const CONVK_T *center, CONVK_T *d, size_t pitch,
                                      CONVK_T *s, CONVK_T *lo, CONVK_T *extremes) {
  CONVK_V least = CONVK_SET_(extremes[0]), greatest = CONVK_SET_(extremes[1]);
  size_t i, k;
  for (i = 0; i < n; i += CONVK_LANES) {
    CONVK_V v[3], r, lost;
    for (k = 0; k < 3; k++) v[k] = CONVK_LOAD_(xyz[k] + i);
    r = convk_gaussian_distance_(v, center, lo != NULL, &lost);
    for (k = 0; k < 3 && d; k++) CONVK_STORE_(d + k * pitch + i, v[k]);
    if (lo) CONVK_STORE_(lo + i, lost);
    CONVK_STORE_(s + i, r);
    least = CONVK_MIN_(least, r);
    greatest = CONVK_MAX_(greatest, r);
  }
  convk_gaussian_extremes_(least, greatest, extremes);
  CONVK_LEAVE_
}

/* Whether all elements of some arrays are finite: x - x is 0, else NaN, which is not less than anything. */
static int convk_gaussian_are_finite_(const CONVK_T *const *arrays, size_t count, size_t n) {
  const unsigned all = (1u << CONVK_LANES) - 1;
  CONVK_V any = CONVK_SET_(0);
  unsigned good;
  size_t k;
  for (k = 0; k < count; k++) {
    const CONVK_T *p = arrays[k];
    size_t left = n;
    for (; left >= CONVK_LANES; left -= CONVK_LANES, p += CONVK_LANES) {
      const CONVK_V v = CONVK_LOAD_(p);
      any = CONVK_OR_(any, CONVK_SUB_(v, v));
    }
    if (CONVK_UNLIKELY_(left != 0)) {
      const CONVK_V v = CONVK_LOADK_(p, left);
      any = CONVK_OR_(any, CONVK_SUB_(v, v));
    }
  }
  good = CONVK_WHICH_LESS_(any, CONVK_SET_(1));
  CONVK_LEAVE_
  return good == all;
}

/* ---- sums of rows ---- */

/* Settles `count` sums. */
CONVK_INLINE_ void convk_gaussian_settle_(const convk_gaussian_sums_ *part, CONVK_V *sum, const int count) {
  const CONVK_V inverse = CONVK_SET_(part->inverse), least = CONVK_SET_(part->least);
  int p;
  CONVK_EACH_(p, count) sum[p] = convk_gaussian_settled_(sum[p], inverse, least);
}

/* Rows r .. r + rows - 1 of vectors i .., of which the last has k elements. */
CONVK_INLINE_ void convk_gaussian_tile_(const convk_gaussian_sums_ *part, size_t r, size_t i, size_t k, const int rows,
                                        const int vectors) {
  const convk_any_ *c = part->m ? part->c + r * part->ldc : part->c;
  const CONVK_T *e = part->e + i, *from = part->from + r * part->from_ld + i;
  const size_t m = part->m, ldc = part->ldc, pitch = part->pitch, ld = part->ld;
  CONVK_T *out = part->out + r * part->ld + i;
  CONVK_V sum[24], v[4];
  size_t j;
  int p, u;
  CONVK_EACH_(p, rows * vectors) {
    const CONVK_T *at = from + (size_t)(p / vectors) * part->from_ld + (size_t)(p % vectors) * CONVK_LANES;
    sum[p] = !part->more ? CONVK_SET_(0) : k < CONVK_LANES ? CONVK_LOADK_(at, k) : CONVK_LOAD_(at);
  }
  for (j = 0; j < m; j++) {
    CONVK_EACH_(u, vectors) v[u] = CONVK_LOAD_(e + j * pitch + u * CONVK_LANES);
    CONVK_EACH_(p, rows) {
      const CONVK_V w = CONVK_SET_(c[(size_t)p * ldc + j]);
      CONVK_EACH_(u, vectors) sum[p * vectors + u] = CONVK_FMA_(w, v[u], sum[p * vectors + u]);
    }
  }
  if (part->last) convk_gaussian_settle_(part, sum, rows * vectors);
  CONVK_EACH_(p, rows * vectors) {
    CONVK_T *to = out + (size_t)(p / vectors) * ld + (size_t)(p % vectors) * CONVK_LANES;
    if (k < CONVK_LANES) CONVK_STOREK_(to, sum[p], k);
    else CONVK_STORE_(to, sum[p]);
  }
}

/* All rows of the vector at i, or of what is left of it. */
CONVK_RARE_ void convk_gaussian_edge_(const convk_gaussian_sums_ *part, size_t i) {
  const size_t k = part->n - i < CONVK_LANES ? part->n - i : CONVK_LANES;
  size_t r = 0;
  for (; r + 6 <= part->rows; r += 6) convk_gaussian_tile_(part, r, i, k, 6, 1);
  for (; r < part->rows; r++) convk_gaussian_tile_(part, r, i, k, 1, 1);
}

/* Tiles of as many sums as there are registers for.  Where e is too large for L1, the rows pass over one panel of it, which
   stays there, after another.  Else each row is done as a whole, since rows are often at distances where loads seem to wait for
   stores of the row before. */
#define CONVK_GAUSSIAN_PANEL_ 40960 /* bytes of e: less than the 48 KiB of L1 of newer processors.  A choice */
static void convk_gaussian_add_(const convk_gaussian_sums_ *part) {
  enum { wide_ = CONVK_REGISTERS_ > 16 ? 4 : 2, step_ = wide_ * CONVK_LANES };
  const size_t whole = part->n / step_ * step_,
               panel = part->m * part->n * sizeof(CONVK_T) > CONVK_GAUSSIAN_PANEL_ ? (size_t)step_ : whole;
  const size_t all = part->rows / 6 * 6;
  size_t i, k, r;
  for (i = 0; i < whole; i += panel)
    for (r = 0; r < all; r += 6)
      for (k = i; k < i + panel; k += step_) convk_gaussian_tile_(part, r, k, CONVK_LANES, 6, wide_);
  for (r = all; r < part->rows; r += part->rows - r >= 4 ? 4 : 1)
    for (k = 0; k < whole; k += step_) {
      if (part->rows - r >= 4) convk_gaussian_tile_(part, r, k, CONVK_LANES, 4, wide_);
      else convk_gaussian_tile_(part, r, k, CONVK_LANES, 1, wide_);
    }
  for (k = whole; k < part->n; k += CONVK_LANES) convk_gaussian_edge_(part, k);
  CONVK_LEAVE_
}

/* Sums over the exponents of a list, of `vectors` vectors of points at a time, from point i to `end`: sums and exponentials
   stay in registers.  rows: how many, at most; the last of them stands for those beyond it.  With vectors = 1 the last one may
   be partial; with more, end - i is a multiple of them. */
CONVK_INLINE_ void convk_gaussian_pass_(const convk_gaussian_part_ *part, const convk_gaussian_sums_ *sums, size_t i,
                                        size_t end, const unsigned short *list, size_t count, int mode, const int vectors,
                                        const int rows) {
  const CONVK_V cut = CONVK_SET_(part->cut), zero = CONVK_SET_(0);
  const convk_any_ *c[CONVK_GAUSSIAN_SUMS_];
  const CONVK_T *ea = part->a, *eb = part->b, *top = part->top;
  CONVK_V sum[CONVK_GAUSSIAN_SUMS_ * CONVK_GAUSSIAN_GROUP_], s[CONVK_GAUSSIAN_GROUP_], g[CONVK_GAUSSIAN_GROUP_], a[3];
  size_t q, row[CONVK_GAUSSIAN_SUMS_];
  int u, r;
  CONVK_EACH_(r, rows) {
    row[r] = r && (size_t)r < sums->rows ? (size_t)r : r ? sums->rows - 1 : 0;
    c[r] = sums->c + row[r] * sums->ldc;
  }
  for (; i < end; i += (size_t)vectors * CONVK_LANES) {
    const size_t k = vectors > 1 || end - i > CONVK_LANES ? CONVK_LANES : end - i;
    CONVK_EACH_(u, vectors) s[u] = CONVK_LOAD_(part->s + i + u * CONVK_LANES);
    CONVK_EACH_(r, rows * vectors) {
      const CONVK_T *from = sums->from + row[r / vectors] * sums->from_ld + i + (size_t)(r % vectors) * CONVK_LANES;
      sum[r] = !sums->more ? zero : k < CONVK_LANES ? CONVK_LOADK_(from, k) : CONVK_LOAD_(from);
    }
    for (q = 0; q < count; q++) {
      const size_t j = list[q];
      a[0] = CONVK_SET_(ea[j]);
      a[1] = CONVK_FUSES_ ? CONVK_SET_(eb[j]) : a[0];
      a[2] = mode ? CONVK_SET_(top[j]) : a[0];
      convk_gaussian_some_(&a[0], &a[1], &a[2], s, s, g, vectors, 0, 1, mode, 0);
      if (mode & CONVK_GAUSSIAN_CUT_) {
        CONVK_EACH_(u, vectors) g[u] = CONVK_LESS_(g[u], cut, zero, g[u]);
      }
      CONVK_EACH_(r, rows) {
        const CONVK_V w = CONVK_SET_(c[r][j]);
        CONVK_EACH_(u, vectors) sum[r * vectors + u] = CONVK_FMA_(w, g[u], sum[r * vectors + u]);
      }
    }
    if (sums->last) convk_gaussian_settle_(sums, sum, rows * vectors);
    CONVK_EACH_(r, rows * vectors) {
      CONVK_T *out = sums->out + row[r / vectors] * sums->ld + i + (size_t)(r % vectors) * CONVK_LANES;
      if (k < CONVK_LANES) CONVK_STOREK_(out, sum[r], k);
      else CONVK_STORE_(out, sum[r]);
    }
  }
}

/* The same out of any range, vector by vector. */
CONVK_RARE_ void convk_gaussian_pass_far_(const convk_gaussian_part_ *part, const convk_gaussian_sums_ *sums,
                                          const unsigned short *list, size_t count, int mode) {
  size_t i, q, r;
  for (i = 0; i < sums->n; i += CONVK_LANES)
    for (r = 0; r < sums->rows; r++) {
      const size_t k = sums->n - i < CONVK_LANES ? sums->n - i : CONVK_LANES;
      const convk_any_ *c = sums->c + r * sums->ldc;
      CONVK_V sum = sums->more ? CONVK_LOADK_(sums->from + r * sums->from_ld + i, k) : CONVK_SET_(0);
      for (q = 0; q < count; q++) sum = CONVK_FMA_(CONVK_SET_(c[list[q]]), convk_gaussian_one_(part, list[q], i, 1, mode), sum);
      if (sums->last) convk_gaussian_settle_(sums, &sum, 1);
      CONVK_STOREK_(sums->out + r * sums->ld + i, sum, k);
    }
}

/* out[i] = sum_j c[j] g(i, j), at most CONVK_GAUSSIAN_SUMS_ rows, of at most CONVK_GAUSSIAN_ROWS_ exponents.  Returns 0 where
   all exponentials are 0; then it writes nothing, unless these are the last exponents. */
static int convk_gaussian_collect_(const convk_gaussian_part_ *part, const convk_gaussian_sums_ *sums) {
  enum {
    group_ = CONVK_GAUSSIAN_GROUP_,
    pair_ = group_ == 1             ? 1
            : CONVK_REGISTERS_ > 16 ? 3
                                    : 2,
    distant_ = CONVK_GAUSSIAN_CUT_ | CONVK_GAUSSIAN_FAR_
  };
  const CONVK_V s_least = CONVK_SET_(part->s_least), s_greatest = CONVK_SET_(part->s_greatest), zero = CONVK_SET_(0);
  const size_t n = sums->n;
  unsigned short list[CONVK_GAUSSIAN_ROWS_];
  size_t j, end, count = 0;
  int mode = 0;
  for (j = 0; j < part->na; j += CONVK_LANES) { /* as in gaussian_mode, of many */
    const size_t k = part->na - j < CONVK_LANES ? part->na - j : CONVK_LANES;
    const CONVK_V a = k < CONVK_LANES ? CONVK_LOADK_(part->a + j, k) : CONVK_LOAD_(part->a + j);
    const CONVK_V least = CONVK_MUL_(a, CONVK_LESS_(a, zero, s_greatest, s_least));
    const CONVK_V greatest = CONVK_MUL_(a, CONVK_LESS_(zero, a, s_greatest, s_least));
    const unsigned none = CONVK_WHICH_LESS_(greatest, CONVK_SET_(part->below));
    const unsigned kept = CONVK_WHICH_LESS_(CONVK_SET_(part->above), least);
    unsigned some = ((1u << k) - 1) & ~none;
    if (some & ~kept) mode |= CONVK_GAUSSIAN_CUT_;
    if (some & CONVK_WHICH_LESS_(least, CONVK_SET_(CONVK_PLAIN_LEAST_))) mode |= CONVK_GAUSSIAN_FAR_;
    if (some & CONVK_WHICH_LESS_(CONVK_SET_(CONVK_PLAIN_LIMIT_), greatest)) mode |= CONVK_GAUSSIAN_LARGE_;
    for (; some; some &= some - 1) list[count++] = (unsigned short)(j + CONVK_LOWEST_(some));
  }
  if (!count && !sums->last) return 0;
  if (mode & CONVK_GAUSSIAN_LARGE_) {
    convk_gaussian_pass_far_(part, sums, list, count, mode);
  } else {
    const size_t step = (sums->rows == 1 ? group_ : pair_) * CONVK_LANES;
    end = group_ > 1 || sums->rows == 1 ? n / step * step : 0;
    if (sums->rows == 1) convk_gaussian_pass_(part, sums, 0, end, list, count, mode & distant_, group_, 1);
    else if (group_ > 1) convk_gaussian_pass_(part, sums, 0, end, list, count, mode & distant_, pair_, CONVK_GAUSSIAN_SUMS_);
    if (end < n) convk_gaussian_pass_(part, sums, end, n, list, count, mode & distant_, 1, CONVK_GAUSSIAN_SUMS_);
  }
  CONVK_LEAVE_
  return count != 0;
}

/* out[i] = sum_r weight[r] value[r pitch + i]^2 */
static void convk_gaussian_squares_(const CONVK_T *value, size_t pitch, size_t rows, const CONVK_T *weight, CONVK_T *out,
                                    size_t n) {
  const convk_any_ *w = weight;
  CONVK_V sum;
  size_t i, r;
  for (i = 0; i + CONVK_LANES <= n; i += CONVK_LANES) {
    sum = CONVK_SET_(0);
    for (r = 0; r < rows; r++) sum = convk_gaussian_add_square_(CONVK_SET_(w[r]), CONVK_LOAD_(value + r * pitch + i), sum);
    CONVK_STORE_(out + i, sum);
  }
  sum = CONVK_SET_(0);
  for (r = 0; i < n && r < rows; r++) /* behind them there may be anything */
    sum = convk_gaussian_add_square_(CONVK_SET_(w[r]), CONVK_LOADK_(value + r * pitch + i, n - i), sum);
  if (i < n) CONVK_STOREK_(out + i, sum, n - i);
  CONVK_LEAVE_
}

/* ---- shells ---- */

CONVK_INLINE_ void convk_gaussian_times_(const CONVK_T *a, const CONVK_T *b, CONVK_T *to, size_t n) {
  size_t i;
  for (i = 0; i < n; i += CONVK_LANES) CONVK_STORE_(to + i, CONVK_MUL_(CONVK_LOAD_(a + i), CONVK_LOAD_(b + i)));
}

/* Monomials of degree k times a row, from those of degree k - 1: x times all, y times those without x, z times the last. */
CONVK_RARE_ void convk_gaussian_degree_(const convk_gaussian_shell_ *part, size_t k, const CONVK_T *from, CONVK_T *to) {
  const size_t before = k * (k + 1) / 2, pitch = part->pitch;
  size_t q;
  for (q = 0; q < before + k + 1; q++) {
    const size_t axis = q < before ? 0 : q < before + k ? 1 : 2, row = axis == 0 ? q : axis == 1 ? q - k : before - 1;
    convk_gaussian_times_(part->d + axis * pitch, from + row * pitch, to + q * pitch, part->n);
  }
}

/* All degrees up to l: one after another at `stage`, the last at `to`.  Of l = 0 there is nothing but the row itself. */
CONVK_INLINE_ void convk_gaussian_monomials_(const convk_gaussian_shell_ *part, const CONVK_T *row, CONVK_T *stage,
                                             CONVK_T *to) {
  const CONVK_T *from = row;
  size_t k;
  if (part->l == 0) memcpy(to, row, part->n * sizeof *to);
  for (k = 1; k <= part->l; k++) {
    CONVK_T *next = k == part->l ? to : stage;
    convk_gaussian_degree_(part, k, from, next);
    from = next;
    stage += (k + 1) * (k + 2) / 2 * part->pitch;
  }
}

/* d/dx (m R) = a m / x R + x m D, and the Laplacian (laplacian of m) R + m ((2 l + 3) D + r^2 D' / r), of m = x^a y^b z^c. */
CONVK_RARE_ void convk_gaussian_derivatives_(const convk_gaussian_shell_ *part) {
  const size_t l = part->l, pitch = part->pitch, n = part->n, strip = part->strip;
  const CONVK_T *lower = l > 1 ? part->scratch + (l * (l + 1) * (l + 2) / 6 - l * (l + 1) / 2 - 1) * pitch : part->radial;
  const CONVK_T *lowest = l > 2 ? lower - l * (l - 1) / 2 * pitch : part->radial;
  CONVK_T *slope = part->scratch + CONVK_GAUSSIAN_LOWER_ * pitch, *m = slope + CONVK_GAUSSIAN_LOWER_ * pitch;
  CONVK_T *combined = m + CONVK_GAUSSIAN_UPPER_ * pitch;
  size_t i, j, q = 0, e[3];
  for (i = 0; i < n; i += CONVK_LANES) {
    const CONVK_V s = CONVK_LOAD_(part->d + 3 * pitch + i), d = CONVK_LOAD_(part->radial + pitch + i);
    const CONVK_V w = CONVK_MUL_(s, CONVK_LOAD_(part->radial + 2 * pitch + i));
    CONVK_STORE_(combined + i, CONVK_FMA_(CONVK_SET_((CONVK_T)(2 * l + 3)), d, w));
  }
  convk_gaussian_monomials_(part, part->radial + pitch, slope, m);
  convk_gaussian_monomials_(part, combined, slope, part->to + 4 * strip);
  for (i = 0; i <= l; i++)
    for (j = 0; j <= i; j++, q++) { /* b + c = i, c = j */
      const CONVK_T *one[3], *two[3];
      size_t k, v;
      e[0] = l - i;
      e[1] = i - j;
      e[2] = j;
      one[0] = e[0] ? lower + q * pitch : NULL;
      one[1] = e[1] ? lower + (i * (i - 1) / 2 + j) * pitch : NULL;
      one[2] = e[2] ? lower + (i * (i - 1) / 2 + j - 1) * pitch : NULL;
      two[0] = e[0] > 1 ? lowest + q * pitch : NULL;
      two[1] = e[1] > 1 ? lowest + ((i - 1) * (i - 2) / 2 + j) * pitch : NULL;
      two[2] = e[2] > 1 ? lowest + ((i - 1) * (i - 2) / 2 + j - 2) * pitch : NULL;
      for (v = 0; v < n; v += CONVK_LANES) {
        const CONVK_V md = CONVK_LOAD_(m + q * pitch + v);
        CONVK_T *to = part->to + q * pitch + v;
        CONVK_V sum = CONVK_LOAD_(to + 4 * strip);
        for (k = 0; k < 3; k++) {
          CONVK_V g = CONVK_MUL_(CONVK_LOAD_(part->d + k * pitch + v), md);
          if (e[k]) g = CONVK_FMA_(CONVK_SET_((CONVK_T)e[k]), CONVK_LOAD_(one[k] + v), g);
          if (e[k] > 1) sum = CONVK_FMA_(CONVK_SET_((CONVK_T)(e[k] * (e[k] - 1))), CONVK_LOAD_(two[k] + v), sum);
          CONVK_STORE_(to + (k + 1) * strip, g);
        }
        CONVK_STORE_(to + 4 * strip, sum);
      }
    }
}

static void convk_gaussian_functions_(const convk_gaussian_shell_ *part) {
  convk_gaussian_monomials_(part, part->radial, part->scratch, part->to);
  if (part->strip) convk_gaussian_derivatives_(part);
  CONVK_LEAVE_
}

static void convk_gaussian_fence_(void) { CONVK_FENCE_; }

static const convk_gaussian_kernels_ convk_gaussian_table_ = {CONVK_FUSES_,
                                                              convk_gaussian_are_finite_,
                                                              convk_gaussian_exponents_,
                                                              convk_gaussian_distances_,
                                                              convk_gaussian_exponentials_,
                                                              convk_gaussian_add_,
                                                              convk_gaussian_collect_,
                                                              convk_gaussian_functions_,
                                                              convk_gaussian_squares_,
                                                              convk_gaussian_fence_,
                                                              NULL,
                                                              NULL};
CONVK_LOCAL_ const convk_gaussian_kernels_ *convk_gaussian_kernel_table_(void) { return &convk_gaussian_table_; }

#undef CONVK_PLAIN_LEAST_
#undef CONVK_PLAIN_LIMIT_
#undef CONVK_GAUSSIAN_PANEL_
