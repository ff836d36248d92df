/* Bounds between which no result is subnormal, 0 or infinite, of a s in powers of 2 or e. */
#define CONVK_PLAIN_LEAST_ (CONVK_FUSES_ ? CONVK_OF_(-125, -1021) : CONVK_OF_(-86.5f, -707.5))
#define CONVK_PLAIN_MOST_ (CONVK_FUSES_ ? CONVK_OF_(126, 1022) : CONVK_OF_(87, 708))

/* What is to be done for elements with a in a[0] .. a[1] and s in s[0] .. s[1]. */
CONVK_INLINE_ int CONVK_KERNEL_(gaussian_mode)(const CONVK_PRIVATE_(gaussian_part) *part, const CONVK_T *a, const CONVK_T *s) {
  const CONVK_T least = a[0] * s[a[0] < 0], most = a[1] * s[a[1] > 0];
  if (most < part->below) return CONVK_GAUSSIAN_NONE_;
  return (least > part->above ? 0 : CONVK_GAUSSIAN_CUT_) | (least >= CONVK_PLAIN_LEAST_ ? 0 : CONVK_GAUSSIAN_FAR_) |
         (most <= CONVK_PLAIN_MOST_ ? 0 : CONVK_GAUSSIAN_LARGE_);
}

/* One vector, of any mode; v: a, b, top, s, lo. */
CONVK_RARE_ CONVK_V CONVK_KERNEL_(gaussian_one)(const CONVK_V *v, CONVK_V cut, int mode, int more) {
  CONVK_V g = CONVK_SET_(0);
  if (mode & CONVK_GAUSSIAN_NONE_) return g;
  CONVK_KERNEL_(gaussian_some)(&v[0], &v[1], &v[2], &v[3], &v[4], &g, 1, 0, 0, mode, more);
  return CONVK_LESS_(g, cut, CONVK_SET_(0), g);
}

/* One row of n elements: of point after point for exponent j (ds), or of exponent after exponent for point j (da). */
CONVK_INLINE_ void CONVK_KERNEL_(gaussian_row)(const CONVK_PRIVATE_(gaussian_part) *part, size_t j, const int da, const int ds) {
  enum { U = CONVK_GAUSSIAN_GROUP_ };
  const int more = part->lo != NULL;
  const CONVK_V cut = CONVK_SET_(part->cut), zero = CONVK_SET_(0);
  const size_t n = ds ? part->np : part->na;
  CONVK_T *out = part->out + j * part->ld, bounds[4];
  CONVK_V a[U], b[U], top[U], s[U], lo[U], g[U], few[5];
  size_t i = 0, head = 0, k;
  int u, stream = part->stream, mode;
  bounds[0] = bounds[1] = part->a[j * (size_t)ds];
  bounds[2] = bounds[3] = part->s[j * (size_t)da];
  if (da) {
    bounds[0] = part->a_least;
    bounds[1] = part->a_most;
    s[0] = CONVK_SET_(part->s[j]);
    lo[0] = more ? CONVK_SET_(part->lo[j]) : zero;
  } else {
    bounds[2] = part->s_least;
    bounds[3] = part->s_most;
    a[0] = CONVK_SET_(part->a[j]);
    b[0] = CONVK_SET_(part->b[j]);
    top[0] = CONVK_SET_(part->top[j]);
  }
  mode = CONVK_KERNEL_(gaussian_mode)(part, bounds, bounds + 2);
  if (stream) {
    head = (64 - (uintptr_t)out % 64) % 64 / sizeof *out;
    if ((uintptr_t)out % sizeof *out) stream = 0, head = 0;
    if (head > n) head = n;
  }
  for (;;) {
    if (i >= head) {
      for (; i + U * CONVK_LANES <= n && !(mode & CONVK_GAUSSIAN_LARGE_); i += U * CONVK_LANES) {
        CONVK_UNROLL_
        for (u = 0; u < U; u++) {
          g[u] = zero;
          if (ds) s[u] = CONVK_LOAD_(part->s + i + u * CONVK_LANES);
          if (ds && more) lo[u] = CONVK_LOAD_(part->lo + i + u * CONVK_LANES);
          if (da) a[u] = CONVK_LOAD_(part->a + i + u * CONVK_LANES);
          if (da) b[u] = CONVK_LOAD_(part->b + i + u * CONVK_LANES);
          if (da) top[u] = CONVK_LOAD_(part->top + i + u * CONVK_LANES);
        }
        if (!(mode & CONVK_GAUSSIAN_NONE_))
          CONVK_KERNEL_(gaussian_some)(a, b, top, s, lo, g, U, da, ds, mode & CONVK_GAUSSIAN_FAR_, more);
        if (mode & CONVK_GAUSSIAN_CUT_) {
          CONVK_UNROLL_
          for (u = 0; u < U; u++) g[u] = CONVK_LESS_(g[u], cut, zero, g[u]);
        }
        CONVK_UNROLL_
        for (u = 0; u < U; u++) {
          if (stream) CONVK_STREAM_(out + i + u * CONVK_LANES, g[u]);
          else CONVK_STORE_(out + i + u * CONVK_LANES, g[u]);
        }
      }
      head = n;
    }
    if (i == n) return;
    k = head - i < CONVK_LANES ? head - i : CONVK_LANES; /* before the first line of a stream, and what is left */
    few[0] = da ? CONVK_LOAD_(part->a + i) : a[0];
    few[1] = da ? CONVK_LOAD_(part->b + i) : b[0];
    few[2] = da ? CONVK_LOAD_(part->top + i) : top[0];
    few[3] = ds ? CONVK_LOAD_(part->s + i) : s[0];
    few[4] = ds && more ? CONVK_LOAD_(part->lo + i) : ds ? zero : lo[0];
    CONVK_STOREK_(out + i, CONVK_KERNEL_(gaussian_one)(few, cut, mode, more), k);
    i += k;
  }
}

static void CONVK_KERNEL_(gaussian_exponentials)(const CONVK_PRIVATE_(gaussian_part) *part) {
  size_t j;
  if (part->order == CONVK_POINTS_CONTIGUOUS)
    for (j = 0; j < part->na; j++) CONVK_KERNEL_(gaussian_row)(part, j, 0, 1);
  else
    for (j = 0; j < part->np; j++) CONVK_KERNEL_(gaussian_row)(part, j, 1, 0);
  CONVK_LEAVE_
}

/* ---- squared distances ---- */

/* Squared distances s of n points from a center in two parts, c[k] and c[3 + k]; lo, where it is not NULL: what s lost; d, where
   it is not NULL: rows of the differences.  n: whole vectors.  extremes: bounds of s, widened where they have to be. */
static void CONVK_KERNEL_(gaussian_distances)(const CONVK_T *const *xyz, size_t n, const CONVK_T *center, CONVK_T *d,
                                              size_t pitch, CONVK_T *s, CONVK_T *lo, CONVK_T *extremes) {
  CONVK_V least = CONVK_SET_(extremes[0]), most = CONVK_SET_(extremes[1]);
  CONVK_T ends[CONVK_LANES];
  size_t i, k;
  for (i = 0; i < n; i += CONVK_LANES) {
    CONVK_V v[3], r, lost;
    for (k = 0; k < 3; k++) v[k] = CONVK_LOAD_(xyz[k] + i);
    r = CONVK_KERNEL_(gaussian_distance)(v, center, lo != NULL, &lost);
    for (k = 0; k < 3 && d; k++) CONVK_STORE_(d + k * pitch + i, v[k]);
    if (lo) CONVK_STORE_(lo + i, lost);
    CONVK_STORE_(s + i, r);
    least = CONVK_MIN_(least, r);
    most = CONVK_MAX_(most, r);
  }
  CONVK_STORE_(ends, least);
  extremes[0] = ends[0];
  for (k = 1; k < CONVK_LANES; k++) extremes[0] = ends[k] < extremes[0] ? ends[k] : extremes[0];
  CONVK_STORE_(ends, most);
  extremes[1] = ends[0];
  for (k = 1; k < CONVK_LANES; k++) extremes[1] = ends[k] > extremes[1] ? ends[k] : extremes[1];
  CONVK_LEAVE_
}

/* Whether all elements are finite: x - x is a 0 without bits. */
static int CONVK_KERNEL_(gaussian_finite)(const CONVK_T *p, size_t n) {
  CONVK_V any = CONVK_SET_(0);
  CONVK_UNSIGNED_ bits[CONVK_LANES], all = 0;
  CONVK_T lanes[CONVK_LANES];
  size_t i;
  for (i = 0; i + CONVK_LANES <= n; i += CONVK_LANES) {
    const CONVK_V v = CONVK_LOAD_(p + i);
    any = CONVK_OR_(any, CONVK_SUB_(v, v));
  }
  if (i < n) {
    const CONVK_V v = CONVK_LOADK_(p + i, n - i);
    any = CONVK_OR_(any, CONVK_SUB_(v, v));
  }
  CONVK_STORE_(lanes, any);
  memcpy(bits, lanes, sizeof bits);
  for (i = 0; i < CONVK_LANES; i++) all |= bits[i];
  CONVK_LEAVE_
  return !all;
}

/* ---- sums of rows ---- */

/* Settles `count` sums. */
CONVK_INLINE_ void CONVK_KERNEL_(gaussian_settle)(const CONVK_PRIVATE_(gaussian_sums) *part, CONVK_V *sum, const int count) {
  const CONVK_V inverse = CONVK_SET_(part->inverse), least = CONVK_SET_(part->least);
  int p;
  CONVK_UNROLL_
  for (p = 0; p < count; p++) sum[p] = CONVK_KERNEL_(gaussian_settled)(sum[p], inverse, least);
}

/* Rows r .. r + rows - 1 of vectors i .., of which the last has k elements. */
CONVK_INLINE_ void CONVK_KERNEL_(gaussian_tile)(const CONVK_PRIVATE_(gaussian_sums) *part, size_t r, size_t i, size_t k,
                                                const int rows, const int vectors) {
  const CONVK_PRIVATE_(any) *c = part->m ? part->c + r * part->ldc : part->c;
  const CONVK_T *e = part->e + i, *from = part->from + r * part->from_ld + i;
  const size_t m = part->m, ldc = part->ldc, pitch = part->pitch, ld = part->ld;
  CONVK_T *out = part->out + r * part->ld + i;
  CONVK_V sum[24], v[4];
  size_t j;
  int p, u;
  CONVK_UNROLL_
  for (p = 0; p < rows * vectors; p++) {
    const CONVK_T *at = from + (size_t)(p / vectors) * part->from_ld + (size_t)(p % vectors) * CONVK_LANES;
    sum[p] = !part->more ? CONVK_SET_(0) : k < CONVK_LANES ? CONVK_LOADK_(at, k) : CONVK_LOAD_(at);
  }
  for (j = 0; j < m; j++) {
    CONVK_UNROLL_
    for (u = 0; u < vectors; u++) v[u] = CONVK_LOAD_(e + j * pitch + u * CONVK_LANES);
    CONVK_UNROLL_
    for (p = 0; p < rows; p++) {
      const CONVK_V w = CONVK_SET_(c[(size_t)p * ldc + j]);
      CONVK_UNROLL_
      for (u = 0; u < vectors; u++) sum[p * vectors + u] = CONVK_FMA_(w, v[u], sum[p * vectors + u]);
    }
  }
  if (part->last) CONVK_KERNEL_(gaussian_settle)(part, sum, rows * vectors);
  CONVK_UNROLL_
  for (p = 0; p < rows * vectors; p++) {
    CONVK_T *to = out + (size_t)(p / vectors) * ld + (size_t)(p % vectors) * CONVK_LANES;
    if (k < CONVK_LANES) CONVK_STOREK_(to, sum[p], k);
    else CONVK_STORE_(to, sum[p]);
  }
}

/* All rows of the vector at i, or of what is left of it. */
CONVK_RARE_ void CONVK_KERNEL_(gaussian_edge)(const CONVK_PRIVATE_(gaussian_sums) *part, size_t i) {
  const size_t k = part->n - i < CONVK_LANES ? part->n - i : CONVK_LANES;
  size_t r = 0;
  for (; r + 6 <= part->rows; r += 6) CONVK_KERNEL_(gaussian_tile)(part, r, i, k, 6, 1);
  for (; r < part->rows; r++) CONVK_KERNEL_(gaussian_tile)(part, r, i, k, 1, 1);
}

/* Tiles of as many sums as there are registers for.  Where not all of e stays in L1, a panel of it does while the rows pass; else
   rows come one after another, whose distance is often one at which loads seem to wait for stores. */
static void CONVK_KERNEL_(gaussian_add)(const CONVK_PRIVATE_(gaussian_sums) *part) {
  enum { WIDE = CONVK_REGISTERS_ > 16 ? 4 : 2, STEP = WIDE * CONVK_LANES };
  const size_t whole = part->n / STEP * STEP, panel = part->m * part->n * sizeof(CONVK_T) > 40960 ? (size_t)STEP : whole;
  const size_t all = part->rows / 6 * 6;
  size_t i, k, r;
  for (i = 0; i < whole; i += panel)
    for (r = 0; r < all; r += 6)
      for (k = i; k < i + panel; k += STEP) CONVK_KERNEL_(gaussian_tile)(part, r, k, CONVK_LANES, 6, WIDE);
  for (r = all; r < part->rows; r += part->rows - r >= 4 ? 4 : 1)
    for (k = 0; k < whole; k += STEP) {
      if (part->rows - r >= 4) CONVK_KERNEL_(gaussian_tile)(part, r, k, CONVK_LANES, 4, WIDE);
      else CONVK_KERNEL_(gaussian_tile)(part, r, k, CONVK_LANES, 1, WIDE);
    }
  for (k = whole; k < part->n; k += CONVK_LANES) CONVK_KERNEL_(gaussian_edge)(part, k);
  CONVK_LEAVE_
}

/* Sums over the exponents of a list, of `vectors` vectors of points at a time, from i to `end` or as far as that goes: sums and
   exponentials stay in registers. */
CONVK_INLINE_ void CONVK_KERNEL_(gaussian_pass)(const CONVK_PRIVATE_(gaussian_part) *part,
                                                const CONVK_PRIVATE_(gaussian_sums) *sums, size_t i, size_t end,
                                                const unsigned short *list, size_t count, int mode, const int vectors) {
  const CONVK_V cut = CONVK_SET_(part->cut), zero = CONVK_SET_(0);
  const CONVK_PRIVATE_(any) *c = sums->c;
  const CONVK_T *ea = part->a, *eb = part->b, *top = part->top;
  CONVK_V sum[CONVK_GAUSSIAN_GROUP_], s[CONVK_GAUSSIAN_GROUP_], g[CONVK_GAUSSIAN_GROUP_], a[3];
  size_t q;
  int u;
  for (; i < end; i += (size_t)vectors * CONVK_LANES) {
    const CONVK_T *from = sums->from + i;
    CONVK_T *out = sums->out + i;
    CONVK_EACH_(u, vectors) {
      s[u] = CONVK_LOAD_(part->s + i + u * CONVK_LANES);
      sum[u] = sums->more ? CONVK_LOAD_(from + u * CONVK_LANES) : zero;
    }
    for (q = 0; q < count; q++) {
      const size_t j = list[q];
      const CONVK_V w = CONVK_SET_(c[j]);
      a[0] = CONVK_SET_(ea[j]);
      a[1] = CONVK_FUSES_ ? CONVK_SET_(eb[j]) : a[0];
      a[2] = mode ? CONVK_SET_(top[j]) : a[0];
      CONVK_KERNEL_(gaussian_some)(&a[0], &a[1], &a[2], s, s, g, vectors, 0, 1, mode, 0);
      if (mode & CONVK_GAUSSIAN_CUT_) {
        CONVK_EACH_(u, vectors) g[u] = CONVK_LESS_(g[u], cut, zero, g[u]);
      }
      CONVK_EACH_(u, vectors) sum[u] = CONVK_FMA_(w, g[u], sum[u]);
    }
    if (sums->last) CONVK_KERNEL_(gaussian_settle)(sums, sum, vectors);
    CONVK_EACH_(u, vectors) CONVK_STORE_(out + u * CONVK_LANES, sum[u]);
  }
}

/* What is left, or out of any range, vector by vector. */
CONVK_RARE_ void CONVK_KERNEL_(gaussian_pass_few)(const CONVK_PRIVATE_(gaussian_part) *part,
                                                  const CONVK_PRIVATE_(gaussian_sums) *sums, size_t i,
                                                  const unsigned short *list, size_t count, int mode) {
  const CONVK_PRIVATE_(any) *c = sums->c;
  size_t q;
  for (; i < sums->n; i += CONVK_LANES) {
    const size_t k = sums->n - i < CONVK_LANES ? sums->n - i : CONVK_LANES;
    CONVK_V sum = sums->more ? CONVK_LOADK_(sums->from + i, k) : CONVK_SET_(0), v[5];
    v[3] = v[4] = CONVK_LOAD_(part->s + i);
    for (q = 0; q < count; q++) {
      const size_t j = list[q];
      v[0] = CONVK_SET_(part->a[j]);
      v[1] = CONVK_SET_(part->b[j]);
      v[2] = CONVK_SET_(part->top[j]);
      sum = CONVK_FMA_(CONVK_SET_(c[j]), CONVK_KERNEL_(gaussian_one)(v, CONVK_SET_(part->cut), mode, 0), sum);
    }
    if (sums->last) CONVK_KERNEL_(gaussian_settle)(sums, &sum, 1);
    CONVK_STOREK_(sums->out + i, sum, k);
  }
}

/* out[i] = sum_j c[j] g(i, j), one row, of at most CONVK_GAUSSIAN_ROWS_ exponents; 0 where all exponentials are 0, and then nothing
   is written unless it is the last. */
static int CONVK_KERNEL_(gaussian_collect)(const CONVK_PRIVATE_(gaussian_part) *part, const CONVK_PRIVATE_(gaussian_sums) *sums) {
  enum { STEP = CONVK_GAUSSIAN_GROUP_ * CONVK_LANES, FAR = CONVK_GAUSSIAN_CUT_ | CONVK_GAUSSIAN_FAR_ };
  unsigned short list[CONVK_GAUSSIAN_ROWS_];
  CONVK_T bounds[4];
  size_t j, end, count = 0;
  int mode = 0;
  bounds[2] = part->s_least;
  bounds[3] = part->s_most;
  for (j = 0; j < part->na; j++) {
    int own;
    bounds[0] = bounds[1] = part->a[j];
    own = CONVK_KERNEL_(gaussian_mode)(part, bounds, bounds + 2);
    list[count] = (unsigned short)j;
    count += !(own & CONVK_GAUSSIAN_NONE_);
    mode |= own & ~CONVK_GAUSSIAN_NONE_;
  }
  if (count || sums->last) {
    end = mode & CONVK_GAUSSIAN_LARGE_ ? 0 : sums->n / STEP * STEP;
    CONVK_KERNEL_(gaussian_pass)(part, sums, 0, end, list, count, mode & FAR, CONVK_GAUSSIAN_GROUP_);
    if (end < sums->n) CONVK_KERNEL_(gaussian_pass_few)(part, sums, end, list, count, mode);
  }
  CONVK_LEAVE_
  return count != 0;
}

/* out[i] = sum_r weight[r] value[r pitch + i]^2 */
static void CONVK_KERNEL_(gaussian_squares)(const CONVK_T *value, size_t pitch, size_t rows, const CONVK_T *weight, CONVK_T *out,
                                            size_t n) {
  const CONVK_PRIVATE_(any) *w = weight;
  size_t i, r;
  for (i = 0; i < n; i += CONVK_LANES) {
    CONVK_V sum = CONVK_SET_(0);
    for (r = 0; r < rows; r++)
      sum = CONVK_KERNEL_(gaussian_add_square)(CONVK_SET_(w[r]), CONVK_LOAD_(value + r * pitch + i), sum);
    if (n - i < CONVK_LANES) CONVK_STOREK_(out + i, sum, n - i);
    else CONVK_STORE_(out + i, sum);
  }
  CONVK_LEAVE_
}

/* ---- shells ---- */

CONVK_INLINE_ void CONVK_KERNEL_(gaussian_times)(const CONVK_T *a, const CONVK_T *b, CONVK_T *to, size_t n) {
  size_t i;
  for (i = 0; i < n; i += CONVK_LANES) CONVK_STORE_(to + i, CONVK_MUL_(CONVK_LOAD_(a + i), CONVK_LOAD_(b + i)));
}

/* Monomials of degree k times a row, from those of degree k - 1: x times all, y times those without x, z times the last. */
CONVK_RARE_ void CONVK_KERNEL_(gaussian_degree)(const CONVK_PRIVATE_(gaussian_shell) *part, size_t k, const CONVK_T *from,
                                                CONVK_T *to) {
  const size_t before = k * (k + 1) / 2, pitch = part->pitch;
  size_t q;
  for (q = 0; q < before + k + 1; q++) {
    const size_t axis = q < before ? 0 : q < before + k ? 1 : 2, row = axis == 0 ? q : axis == 1 ? q - k : before - 1;
    CONVK_KERNEL_(gaussian_times)(part->d + axis * pitch, from + row * pitch, to + q * pitch, part->n);
  }
}

/* All degrees up to l: one after another at `stage`, the last at `to`.  Of l = 0 there is nothing but the row itself. */
CONVK_INLINE_ void CONVK_KERNEL_(gaussian_monomials)(const CONVK_PRIVATE_(gaussian_shell) *part, const CONVK_T *row,
                                                     CONVK_T *stage, CONVK_T *to) {
  const CONVK_T *from = row;
  size_t k;
  if (part->l == 0) memcpy(to, row, part->n * sizeof *to);
  for (k = 1; k <= part->l; k++) {
    CONVK_T *next = k == part->l ? to : stage;
    CONVK_KERNEL_(gaussian_degree)(part, k, from, next);
    from = next;
    stage += (k + 1) * (k + 2) / 2 * part->pitch;
  }
}

/* d/dx (m R) = a m / x R + x m D, and the Laplacian (laplacian of m) R + m ((2 l + 3) D + r^2 D' / r), of m = x^a y^b z^c. */
CONVK_RARE_ void CONVK_KERNEL_(gaussian_derivatives)(const CONVK_PRIVATE_(gaussian_shell) *part) {
  const size_t l = part->l, pitch = part->pitch, n = part->n, strip = part->strip;
  const CONVK_T *lower = l > 1 ? part->scratch + (l * (l + 1) * (l + 2) / 6 - l * (l + 1) / 2 - 1) * pitch : part->radial;
  const CONVK_T *lowest = l > 2 ? lower - l * (l - 1) / 2 * pitch : part->radial;
  CONVK_T *slope = part->scratch + 19 * pitch, *m = slope + 19 * pitch, *combined = m + 15 * pitch;
  size_t i, j, q = 0, e[3];
  for (i = 0; i < n; i += CONVK_LANES) {
    const CONVK_V s = CONVK_LOAD_(part->d + 3 * pitch + i), d = CONVK_LOAD_(part->radial + pitch + i);
    const CONVK_V w = CONVK_MUL_(s, CONVK_LOAD_(part->radial + 2 * pitch + i));
    CONVK_STORE_(combined + i, CONVK_FMA_(CONVK_SET_((CONVK_T)(2 * l + 3)), d, w));
  }
  CONVK_KERNEL_(gaussian_monomials)(part, part->radial + pitch, slope, m);
  CONVK_KERNEL_(gaussian_monomials)(part, combined, slope, part->to + 4 * strip);
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

static void CONVK_KERNEL_(gaussian_functions)(const CONVK_PRIVATE_(gaussian_shell) *part) {
  CONVK_KERNEL_(gaussian_monomials)(part, part->radial, part->scratch, part->to);
  if (part->strip) CONVK_KERNEL_(gaussian_derivatives)(part);
  CONVK_LEAVE_
}

static void CONVK_KERNEL_(gaussian_fence)(void) { CONVK_FENCE_; }

CONVK_LOCAL_ const CONVK_PRIVATE_(gaussian_kernels) *CONVK_KERNEL_(gaussian_kernels)(void) {
  static const CONVK_PRIVATE_(gaussian_kernels) kernels = {
      CONVK_FUSES_,                    CONVK_KERNEL_(gaussian_finite), CONVK_KERNEL_(gaussian_distances),
      CONVK_KERNEL_(gaussian_exponentials), CONVK_KERNEL_(gaussian_add), CONVK_KERNEL_(gaussian_collect),
      CONVK_KERNEL_(gaussian_functions), CONVK_KERNEL_(gaussian_squares), CONVK_KERNEL_(gaussian_fence), NULL, NULL};
  return &kernels;
}

#undef CONVK_PLAIN_LEAST_
#undef CONVK_PLAIN_MOST_
