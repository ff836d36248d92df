/* ---- distances: kernels, in doubles whatever the precision of the arrays ----
   Vectors of distances go into a ring, and others leave it at the same time for their bins one by one: while the processor
   waits for roots it counts. */

enum {
  convk_distances_ring_ = 1024,
  convk_distances_behind_ = 32
}; /* numbers that stay in the ring, so that they have arrived */

/* Distances of an atom at `at` from those at to[.][j] on. */
CONVK_INLINE_ CONVK_D convk_distances_those_(const CONVK_D *at, const CONVK_D *shift, const double *const *to, size_t j) {
  return convk_distances_from_(at, shift, CONVK_DLOAD_(to[0] + j), CONVK_DLOAD_(to[1] + j), CONVK_DLOAD_(to[2] + j));
}

/* Numbers 2^52 + X of a ring, whose last bits are X = k 2^20 + f, into bins k: a word of a count above 42 bits of the sum of f,
   and one of the sum of f^2; or sums of weights. */
CONVK_INLINE_ void convk_distances_count_(const convk_distances_rows_ *p, const double *from, const double *weight,
                                          const int moments, const int n) {
  const uint64_t place = ((uint64_t)1 << CONVK_DISTANCES_BITS_) - 1;
  int l, i;
  CONVK_EACH_(l, n) {
    uint64_t bits;
    memcpy(&bits, from + l, sizeof bits);
    {
      const uint64_t f = bits & place;
      const size_t k = (uint32_t)(bits >> CONVK_DISTANCES_BITS_); /* 2^52 and the exponent lie above these 32 bits */
      if (weight) {
        double *const sum = p->sums + k * (size_t)(p->moments + 1), part = weight[l];
        for (i = 0; i <= p->moments; i++) {
          sum[i] += part;
          part *= (double)(int64_t)f;
#ifdef CONVK_KEEP_ /* no compiler fuses it with the next sum */
          CONVK_KEEP_(part);
#endif
        }
      } else if (moments > 1) {
        p->words[2 * k] += ((uint64_t)1 << 42) + f;
        p->words[2 * k + 1] += f * f;
      } else p->words[k] += moments ? ((uint64_t)1 << 42) + f : 1;
    }
  }
}

/* Whether row i has anything within reach. */
CONVK_INLINE_ int convk_distances_near_(const convk_distances_rows_ *p, size_t i) {
  double square = 0;
  int d;
  for (d = 0; d < 3; d++) {
    const double x = p->at[d][i] - p->shift[d];
    const double gap = x < p->least[d] ? p->least[d] - x : x > p->most[d] ? x - p->most[d] : 0;
    square += gap * gap;
  }
  return square <= p->reach * p->reach;
}

CONVK_INLINE_ void convk_distances_row_begin_(const convk_distances_rows_ *p, size_t i, CONVK_D *at, CONVK_D *shift) {
  int d;
  CONVK_EACH_(d, 3) {
    at[d] = CONVK_DSET_(p->at[d][i]);
    shift[d] = CONVK_DSET_(p->shift[d]);
  }
}

CONVK_INLINE_ void convk_distances_rows_of_(const convk_distances_rows_ *p, const int moments, const int weighted) {
  double ring[convk_distances_ring_ + CONVK_DISTANCES_LANES_], product[convk_distances_ring_ + CONVK_DISTANCES_LANES_];
  double limit[CONVK_DLANES_];
  const CONVK_D scale = CONVK_DSET_(p->scale);
  CONVK_D at[3], shift[3], top;
  size_t i, j, in = 0, out = 0;
  /* what lies beyond has a bin in each lane: additions to one wait for each other */
  for (i = 0; i < CONVK_DLANES_; i++) limit[i] = 4503599627370496. + (double)(p->bins + i) * 1048576;
  top = CONVK_DLOAD_(limit);
  for (i = 0; i < p->rows; i++) {
    const size_t n = p->triangle ? i : p->columns;
    const CONVK_D weight = CONVK_DSET_(weighted ? p->weight[0][i] : 0);
    if (!convk_distances_near_(p, i)) continue;
    convk_distances_row_begin_(p, i, at, shift);
    for (j = 0; j < n; j += CONVK_DLANES_) {
      const CONVK_D r = convk_distances_those_(at, shift, p->to, j);
      CONVK_DSTORE_(ring + in, CONVK_DMIN_(convk_distances_place_(r, scale), top));
      if (weighted) CONVK_DSTORE_(product + in, CONVK_DMUL_(weight, CONVK_DLOAD_(p->weight[1] + j)));
      in += n - j < CONVK_DLANES_ ? n - j : CONVK_DLANES_;
      if (in - out < convk_distances_behind_ + CONVK_DLANES_) continue;
      convk_distances_count_(p, ring + out, weighted ? product + out : NULL, moments, CONVK_DLANES_);
      out += CONVK_DLANES_;
      if (in < convk_distances_ring_) continue;
      memmove(ring, ring + out, (in - out) * sizeof *ring);
      if (weighted) memmove(product, product + out, (in - out) * sizeof *product);
      in -= out;
      out = 0;
    }
  }
  for (; out < in; out++) convk_distances_count_(p, ring + out, weighted ? product + out : NULL, moments, 1);
  CONVK_LEAVE_
}

static void convk_distances_rows_any_(const convk_distances_rows_ *p) {
  if (p->sums) convk_distances_rows_of_(p, 0, 1);
  else if (p->moments > 1) convk_distances_rows_of_(p, 2, 0);
  else if (p->moments) convk_distances_rows_of_(p, 1, 0);
  else convk_distances_rows_of_(p, 0, 0);
}

/* Distances of one row. */
static void convk_distances_lengths_(const convk_distances_rows_ *p, size_t row, double *r) {
  const size_t n = p->triangle ? row : p->columns;
  CONVK_D at[3], shift[3];
  size_t j;
  convk_distances_row_begin_(p, row, at, shift);
  for (j = 0; j < n; j += CONVK_DLANES_) CONVK_DSTORE_(r + j, convk_distances_those_(at, shift, p->to, j));
  CONVK_LEAVE_
}

/* sin(pi t) and cos(pi t): with n the integer next to t and f = t - n they are (-1)^n times those of f, |f| <= 1/2, by their
   series.  (-1)^n = 1 - 8 p^2 for p = n / 2 less the integer next to it. */
CONVK_INLINE_ void convk_distances_half_turns_(CONVK_D t, CONVK_D *s, CONVK_D *c, const int second) {
  static const double sine[11] = {3.141592653589793,       -5.16771278004997,       2.5501640398773455,
                                  -0.5992645293207921,     0.08214588661112823,     -0.0073704309457143504,
                                  0.00046630280576761255,  -2.1915353447830217e-05, 7.952054001475513e-07,
                                  -2.2948428997269873e-08, 5.392664662608129e-10};
  static const double cosine[12] = {1.00000000000000,        -4.934802200544679,     4.0587121264167685,
                                    -1.3352627688545895,     0.2353306303588932,     -0.02580689139001406,
                                    0.0019295743094039231,   -0.0001046381049248457, 4.303069587032947e-06,
                                    -1.3878952462213771e-07, 3.604730797462501e-09,  -7.700707130601354e-11};
  const CONVK_D round = CONVK_DSET_(6755399441055744.); /* 1.5 2^52 */
  const CONVK_D n = CONVK_DSUB_(CONVK_DADD_(t, round), round), f = CONVK_DSUB_(t, n), z = CONVK_DMUL_(f, f);
  const CONVK_D half = CONVK_DMUL_(n, CONVK_DSET_(0.5)), p = CONVK_DSUB_(half, CONVK_DSUB_(CONVK_DADD_(half, round), round));
  const CONVK_D sign = CONVK_DSUB_(CONVK_DSET_(1), CONVK_DMUL_(CONVK_DSET_(8), CONVK_DMUL_(p, p)));
  CONVK_D sum = CONVK_DSET_(sine[10]);
  int k;
  CONVK_UNROLL_
  for (k = 9; k >= 0; k--) sum = CONVK_DFMA_(z, sum, CONVK_DSET_(sine[k]));
  *s = CONVK_DMUL_(CONVK_DMUL_(f, sign), sum);
  if (!second) return;
  sum = CONVK_DSET_(cosine[11]);
  CONVK_UNROLL_
  for (k = 10; k >= 0; k--) sum = CONVK_DFMA_(z, sum, CONVK_DSET_(cosine[k]));
  *c = CONVK_DMUL_(sign, sum);
}

/* Sums have a lane for each of the longest vector's, so that they have one order. */
CONVK_INLINE_ void convk_distances_waves_of_(convk_distances_waves_ *p, const int second) {
  enum { parts_ = CONVK_DISTANCES_LANES_ / CONVK_DLANES_ };
  const CONVK_D turns = CONVK_DSET_(p->q * 0.3183098861837907);
  CONVK_D sum[3][parts_], s, c;
  double lane[CONVK_DISTANCES_LANES_];
  size_t i;
  int k, g;
  CONVK_EACH_(g, parts_) sum[0][g] = sum[1][g] = sum[2][g] = CONVK_DZERO_;
  for (i = 0; i < p->n; i += CONVK_DISTANCES_LANES_) {
    CONVK_EACH_(g, parts_) {
      const size_t at = i + (size_t)g * CONVK_DLANES_;
      convk_distances_half_turns_(CONVK_DMUL_(CONVK_DLOAD_(p->m + at), turns), &s, &c, second);
      sum[0][g] = CONVK_DFMA_(s, CONVK_DLOAD_(p->sine + at), sum[0][g]);
      if (!second) continue;
      sum[1][g] = CONVK_DFMA_(s, CONVK_DLOAD_(p->square + at), sum[1][g]);
      sum[2][g] = CONVK_DFMA_(c, CONVK_DLOAD_(p->cosine + at), sum[2][g]);
    }
  }
  for (k = 0; k < 3; k++) {
    CONVK_EACH_(g, parts_) CONVK_DSTORE_(lane + g * CONVK_DLANES_, sum[k][g]);
    p->sum[k] = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
  }
  CONVK_LEAVE_
}

static void convk_distances_waves_any_(convk_distances_waves_ *p) {
  if (p->second) convk_distances_waves_of_(p, 1);
  else convk_distances_waves_of_(p, 0);
}

CONVK_LOCAL_ const convk_distances_kernels_ *convk_distances_kernel_table_(void) {
  static const convk_distances_kernels_ kernels = {
      {convk_distances_rows_any_, convk_distances_lengths_, convk_distances_waves_any_}, NULL};
  return &kernels;
}
