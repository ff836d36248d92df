/* Without these passes of gcc's the kernels compile in four fifths of the time, and are as fast or a little faster.  Vectors
   that gcc 12 makes itself fuse a b - c and a b + c side by side, too, whatever -ffp-contract says. */
#if defined __GNUC__ && !defined __clang__ && defined __OPTIMIZE__
#define CONVK_FFT_APART_
#pragma GCC push_options
#pragma GCC optimize("no-tree-vectorize", "no-tree-pre", "no-tree-vrp", "no-tree-dominator-opts", "no-tree-pta", "no-gcse")
#pragma GCC optimize("no-schedule-insns2", "no-rerun-cse-after-loop", "no-tree-ccp")
#if __GNUC__ > 6
#pragma GCC optimize("no-code-hoisting")
#endif
#endif

/* There are passes on pairs as they are: see convk_fft_pairs_of_. */
#ifdef CONVK_EXCHANGE_
#define CONVK_FFT_BY_PAIRS_
#endif

/* A group of points on its way: where it comes from, and where it goes to. */
typedef struct convk_fft_pass_group_ {
  const convk_fft_pass_ *pass;
  size_t line, left; /* groups of this line to come */
  const CONVK_T *re, *im;
  CONVK_T *to_re, *to_im;
  size_t from, to;                    /* steps from point to point */
  const convk_any_ *twiddle, *factor; /* or NULL */
  int zeros, less;                    /* the upper half is zero, is not wanted */
#ifdef CONVK_FFT_BY_PAIRS_
  CONVK_V w[14]; /* twiddles of pairs */
#endif
} convk_fft_pass_group_;

/* The first group of a line.  A pass with factors ends as the first one back, where imaginary parts come first. */
CONVK_INLINE_ void convk_fft_line_(convk_fft_pass_group_ *g) {
  const convk_fft_pass_ *p = g->pass;
  CONVK_T *to = p->dst + g->line * p->to_line;
  g->left = p->count;
  g->re = p->src + g->line * p->from_line;
  g->im = g->re + p->imag;
  g->to_re = p->factor ? to + p->imag : to;
  g->to_im = p->factor ? to : to + p->imag;
  g->twiddle = p->twiddle;
  g->factor = p->factor ? p->factor + g->line * p->factor_line : NULL;
}

/* Sets g to the first group of the first line of a pass; returns 0 where there is none.  Of p->half bit 0 says that the upper
   half of the inputs is zero, bit 1 that the upper half of the results is not stored. */
CONVK_INLINE_ int convk_fft_begin_(const convk_fft_pass_ *p, convk_fft_pass_group_ *g) {
  g->pass = p;
  g->line = 0;
  g->from = p->from;
  g->to = p->to;
  g->zeros = p->half & 1;
  g->less = p->half & 2;
  convk_fft_line_(g);
  return p->lines && p->count;
}

CONVK_INLINE_ int convk_fft_next_(convk_fft_pass_group_ *g) {
  const convk_fft_pass_ *p = g->pass;
  if (--g->left) {
    g->re += p->from_step;
    g->im += p->from_step;
    g->to_re += p->to_step;
    g->to_im += p->to_step;
    if (g->twiddle) g->twiddle += p->twiddle_step;
    if (g->factor) g->factor += p->factor_next;
    return 1;
  }
  if (++g->line == p->lines) return 0;
  convk_fft_line_(g);
  return 1;
}

CONVK_INLINE_ void convk_fft_load_(const convk_fft_pass_group_ *g, int q, CONVK_V *xr, CONVK_V *xi) {
  *xr = CONVK_LOAD_(g->re + (size_t)q * g->from);
  *xi = CONVK_LOAD_(g->im + (size_t)q * g->from);
}

/* What a pass does first, which is the same for all of its groups.  Passes on pairs are plain, twiddled, or gathered: each pair
   of a vector then comes from a row of its own. */
enum { convk_fft_plain_, convk_fft_twiddled_, convk_fft_zeros_, convk_fft_pairs_, convk_fft_gathered_ };

/* Two points, h apart; pairs are parted on the way. */
CONVK_INLINE_ void convk_fft_load_two_(const CONVK_V *pairs, const int way, const int h, const convk_fft_pass_group_ *g, int q,
                                       CONVK_V *xr, CONVK_V *xi) {
  const CONVK_T *first = g->re + (size_t)q * g->from, *second = g->re + (size_t)(q + h) * g->from;
  CONVK_V a[2], b[2];
#ifdef CONVK_FFT_BY_PAIRS_
  if (pairs) {
    if (way == convk_fft_gathered_) return; /* they are there */
    xr[0] = CONVK_LOAD_(first);
    xr[h] = CONVK_LOAD_(second);
    return;
  }
#endif
  (void)pairs;
  if (way != convk_fft_pairs_) {
    convk_fft_load_(g, q, &xr[0], &xi[0]);
    convk_fft_load_(g, q + h, &xr[h], &xi[h]);
    return;
  }
  a[0] = CONVK_LOAD_(first);
  a[1] = CONVK_LOAD_(first + CONVK_LANES);
  b[0] = CONVK_LOAD_(second);
  b[1] = CONVK_LOAD_(second + CONVK_LANES);
  CONVK_UNZIP_(a);
  CONVK_UNZIP_(b);
  xr[0] = a[0];
  xi[0] = a[1];
  xr[h] = b[0];
  xi[h] = b[1];
}

CONVK_INLINE_ void convk_fft_store_(const convk_fft_pass_group_ *g, int k, CONVK_V xr, CONVK_V xi) {
  CONVK_STORE_(g->to_re + (size_t)k * g->to, xr);
  CONVK_STORE_(g->to_im + (size_t)k * g->to, xi);
}

/* Twiddles w are pairs from point 1 on, since that of point 0 is 1: point q, above 0, has w[2 (q - 1)] + i w[2 (q - 1) + 1].
   Point q times its twiddle: */
CONVK_INLINE_ void convk_fft_twiddle_(const CONVK_V *pairs, const convk_fft_pass_group_ *g, int q, CONVK_V *xr, CONVK_V *xi) {
#ifdef CONVK_FFT_BY_PAIRS_
  if (pairs) {
    convk_fft_times_(pairs, g->w[2 * q - 2], g->w[2 * q - 1], xr, xi);
    return;
  }
#endif
  (void)pairs;
  convk_fft_times_(NULL, CONVK_SET_(g->twiddle[2 * q - 2]), CONVK_SET_(g->twiddle[2 * q - 1]), xr, xi);
}

/* The first step of a transform: a + w b and a - w b of points a = q - r / 2, whose twiddle is in it already, and b = q. */
CONVK_INLINE_ void convk_fft_twiddled_butterfly_(const CONVK_V *pairs, const convk_fft_pass_group_ *g, int q, CONVK_V *ar,
                                                 CONVK_V *ai, CONVK_V *br, CONVK_V *bi) {
#ifdef CONVK_FFT_BY_PAIRS_
  if (pairs) {
    convk_fft_butterfly_(pairs, g->w[2 * q - 2], g->w[2 * q - 1], ar, ai, br, bi);
    return;
  }
#endif
  (void)pairs;
  convk_fft_butterfly_(NULL, CONVK_SET_(g->twiddle[2 * q - 2]), CONVK_SET_(g->twiddle[2 * q - 1]), ar, ai, br, bi);
}

/* Frequencies n .. n + r - 1 times their factors, with real and imaginary parts exchanged: exchanged before and after, a
   forward transform is an inverse one, so that the way back is the same text. */
CONVK_INLINE_ void convk_fft_factors_(const int r, const convk_fft_pass_group_ *g, int n, CONVK_V *xr, CONVK_V *xi) {
  const convk_any_ *f = g->factor + (size_t)n * g->pass->factor_step;
  const size_t step = g->pass->factor_step, imag = g->pass->factor_imag;
  CONVK_V t;
  int q;
  if (g->pass->wide) {
    CONVK_EACH_(q, r) {
      const CONVK_T *at = (const CONVK_T *)(const void *)(f + (size_t)q * step);
      convk_fft_times_(NULL, CONVK_LOAD_(at), CONVK_LOAD_(at + imag), &xr[q], &xi[q]);
    }
  } else {
    CONVK_EACH_(q, r)
      convk_fft_times_(NULL, CONVK_SET_(f[(size_t)q * step]), CONVK_SET_(f[(size_t)q * step + imag]), &xr[q], &xi[q]);
  }
  CONVK_UNROLL_SHORT_
  for (q = 0; q < r; q++) {
    t = xr[q];
    xr[q] = xi[q];
    xi[q] = t;
  }
}

/* Points q, q + h, q + 2 h, q + 3 h of 4 h after the first step, which joins those 2 h apart: of 8 points 0 and 4, 2 and 6.
   Those of 16 are after the second, too.  xr and xi begin at point q. */
CONVK_INLINE_ void convk_fft_enter_four_(const CONVK_V *pairs, const int way, const int h, int q,
                                         const convk_fft_pass_group_ *g, CONVK_V *xr, CONVK_V *xi) {
  convk_fft_load_two_(pairs, way, h, g, q, xr, xi);
  if (way == convk_fft_zeros_) {
    xr[2 * h] = xr[0];
    xi[2 * h] = xi[0];
    xr[3 * h] = xr[h];
    xi[3 * h] = xi[h];
  } else {
    convk_fft_load_two_(pairs, way, h, g, q + 2 * h, xr + 2 * h, xi + 2 * h);
    if (way == convk_fft_twiddled_) {
      if (q) convk_fft_twiddle_(pairs, g, q, &xr[0], &xi[0]);
      convk_fft_twiddle_(pairs, g, q + h, &xr[h], &xi[h]);
      convk_fft_twiddled_butterfly_(pairs, g, q + 2 * h, &xr[0], &xi[0], &xr[2 * h], &xi[2 * h]);
      convk_fft_twiddled_butterfly_(pairs, g, q + 3 * h, &xr[h], &xi[h], &xr[3 * h], &xi[3 * h]);
    } else {
      convk_fft_butterfly_1_(pairs, &xr[0], &xi[0], &xr[2 * h], &xi[2 * h]);
      convk_fft_butterfly_1_(pairs, &xr[h], &xi[h], &xr[3 * h], &xi[3 * h]);
    }
  }
  if (way == convk_fft_pairs_ && g->pass->pairs > 1) { /* sums and differences take both parts alike */
    CONVK_V t;
    int i;
    CONVK_EACH_(i, 4) {
      t = xr[i * h];
      xr[i * h] = xi[i * h];
      xi[i * h] = t;
    }
  }
  if (h == 4) convk_fft_radix4_(pairs, h, xr, xi);
}

CONVK_INLINE_ void convk_fft_enter_this_(const CONVK_V *pairs, const int way, const int h, const convk_fft_pass_group_ *g,
                                         CONVK_V *xr, CONVK_V *xi) {
  int q;
  if (h < 4 || CONVK_LANES > 1) {
    CONVK_EACH_(q, h) convk_fft_enter_four_(pairs, way, h, q, g, xr + q, xi + q);
  } else { /* of single numbers a loop is faster by 13%; unrolled, vectors of 16 registers are, by 5 to 20% */
    for (q = 0; q < h; q++) convk_fft_enter_four_(pairs, way, h, q, g, xr + q, xi + q);
  }
}
/* factors: as of passes of radix 8, where points with factors (1) come from no rows. */
CONVK_INLINE_ void convk_fft_enter_(const int h, const int factors, const convk_fft_pass_group_ *g, CONVK_V *xr, CONVK_V *xi) {
  if (g->zeros) convk_fft_enter_this_(NULL, convk_fft_zeros_, h, g, xr, xi);
  else if (g->twiddle) convk_fft_enter_this_(NULL, convk_fft_twiddled_, h, g, xr, xi);
  else if (factors != 1 && g->pass->pairs) convk_fft_enter_this_(NULL, convk_fft_pairs_, h, g, xr, xi);
  else convk_fft_enter_this_(NULL, convk_fft_plain_, h, g, xr, xi);
}

/* Times the factors, and the first step of the way back. */
CONVK_INLINE_ void convk_fft_return_(const int r, const convk_fft_pass_group_ *g, CONVK_V *xr, CONVK_V *xi) {
  CONVK_V yr[16], yi[16];
  int n;
  CONVK_EACH_(n, r) {
    yr[n] = xr[CONVK_FFT_PLACE_(r, n)];
    yi[n] = xi[CONVK_FFT_PLACE_(r, n)];
  }
  convk_fft_factors_(r, g, 0, yr, yi);
  CONVK_EACH_(n, r / 2) convk_fft_butterfly_1_(NULL, &yr[n], &yi[n], &yr[n + r / 2], &yi[n + r / 2]);
  CONVK_EACH_(n, r) {
    xr[n] = yr[n];
    xi[n] = yi[n];
  }
}

CONVK_INLINE_ void convk_fft_leave_(const int r, const convk_fft_pass_group_ *g, const CONVK_V *xr, const CONVK_V *xi) {
  int n;
  CONVK_EACH_(n, r / 2) convk_fft_store_(g, n, xr[CONVK_FFT_PLACE_(r, n)], xi[CONVK_FFT_PLACE_(r, n)]);
  if (g->less) return;
  CONVK_UNROLL_
  for (n = r / 2; n < r; n++) convk_fft_store_(g, n, xr[CONVK_FFT_PLACE_(r, n)], xi[CONVK_FFT_PLACE_(r, n)]);
}

static void convk_fft_pass_1_(const convk_fft_pass_ *p) {
  convk_fft_pass_group_ g;
  int more;
  for (more = convk_fft_begin_(p, &g); more; more = convk_fft_next_(&g)) {
    CONVK_V xr, xi;
    convk_fft_load_(&g, 0, &xr, &xi);
    if (g.factor) convk_fft_factors_(1, &g, 0, &xr, &xi);
    convk_fft_store_(&g, 0, xr, xi);
  }
  CONVK_LEAVE_
}

static void convk_fft_pass_2_(const convk_fft_pass_ *p) {
  convk_fft_pass_group_ g;
  int more;
  for (more = convk_fft_begin_(p, &g); more; more = convk_fft_next_(&g)) {
    CONVK_V xr[2], xi[2];
    convk_fft_load_(&g, 0, &xr[0], &xi[0]);
    if (g.zeros) {
      xr[1] = xr[0];
      xi[1] = xi[0];
    } else {
      convk_fft_load_(&g, 1, &xr[1], &xi[1]);
      if (g.twiddle) convk_fft_twiddled_butterfly_(0, &g, 1, &xr[0], &xi[0], &xr[1], &xi[1]);
      else convk_fft_butterfly_1_(NULL, &xr[0], &xi[0], &xr[1], &xi[1]);
    }
    if (g.factor) {
      convk_fft_factors_(2, &g, 0, xr, xi);
      convk_fft_butterfly_1_(NULL, &xr[0], &xi[0], &xr[1], &xi[1]);
    }
    convk_fft_store_(&g, 0, xr[0], xi[0]);
    if (!g.less) convk_fft_store_(&g, 1, xr[1], xi[1]);
  }
  CONVK_LEAVE_
}

static void convk_fft_pass_4_(const convk_fft_pass_ *p) {
  convk_fft_pass_group_ g;
  CONVK_V xr[4], xi[4];
  int more;
  for (more = convk_fft_begin_(p, &g); more; more = convk_fft_next_(&g)) {
    convk_fft_enter_(1, 0, &g, xr, xi);
    convk_fft_radix4_(NULL, 1, xr, xi);
    if (g.factor) {
      convk_fft_return_(4, &g, xr, xi);
      convk_fft_radix4_(NULL, 1, xr, xi);
    }
    convk_fft_leave_(4, &g, xr, xi);
  }
  CONVK_LEAVE_
}

/* factors: of passes that multiply and go back.  Others are a text of their own: one text for both (2) moves registers about
   for a tenth of the time. */
CONVK_INLINE_ void convk_fft_pass_8_of_(const convk_fft_pass_ *p, const int factors) {
  convk_fft_pass_group_ g;
  CONVK_V xr[8], xi[8];
  int more, back;
  for (more = convk_fft_begin_(p, &g); more; more = convk_fft_next_(&g)) {
    convk_fft_enter_(2, factors, &g, xr, xi);
    for (back = 0;; back = 1) { /* the text of a transform once, for both ways */
      convk_fft_radix4_(NULL, 2, xr, xi);
      convk_fft_radix4_(NULL, 2, xr + 1, xi + 1);
      convk_fft_radix8_(NULL, xr, xi);
      if (back || !factors || (factors == 2 && !g.factor)) break;
      convk_fft_return_(8, &g, xr, xi);
    }
    convk_fft_leave_(8, &g, xr, xi);
  }
  CONVK_LEAVE_
}
static void convk_fft_pass_8_(const convk_fft_pass_ *p) {
  if (CONVK_TERSE_) convk_fft_pass_8_of_(p, 2);
  else if (p->factor) convk_fft_pass_8_of_(p, 1);
  else convk_fft_pass_8_of_(p, 0);
}

/* Frequencies k, k + 4, k + 8, k + 12 from four transforms.  Of copies: points in memory would be stored there, too. */
CONVK_INLINE_ void convk_fft_radix16_store_(const int k, const convk_fft_pass_group_ *g, const CONVK_V *xr, const CONVK_V *xi) {
  CONVK_V yr[4], yi[4];
  int q;
  CONVK_EACH_(q, 4) {
    yr[q] = xr[4 * k + q];
    yi[q] = xi[4 * k + q];
  }
  convk_fft_radix16_(NULL, k, yr, yi);
  convk_fft_store_(g, k, yr[0], yi[0]);
  convk_fft_store_(g, k + 4, yr[2], yi[2]);
  if (g->less) return;
  convk_fft_store_(g, k + 8, yr[1], yi[1]);
  convk_fft_store_(g, k + 12, yr[3], yi[3]);
}

#if CONVK_REGISTERS_ >= 32
static void convk_fft_pass_16_(const convk_fft_pass_ *p) {
  convk_fft_pass_group_ g;
  CONVK_V xr[16], xi[16];
  int more, q;
  for (more = convk_fft_begin_(p, &g); more; more = convk_fft_next_(&g)) {
    convk_fft_enter_(4, 0, &g, xr, xi);
    if (g.factor) {
      convk_fft_radix16_(NULL, 0, xr, xi);
      convk_fft_radix16_(NULL, 1, xr + 4, xi + 4);
      convk_fft_radix16_(NULL, 2, xr + 8, xi + 8);
      convk_fft_radix16_(NULL, 3, xr + 12, xi + 12);
      convk_fft_return_(16, &g, xr, xi);
      CONVK_EACH_(q, 4) convk_fft_radix4_(NULL, 4, xr + q, xi + q);
    }
    convk_fft_radix16_store_(0, &g, xr, xi); /* stored at once: all points fill the registers */
    convk_fft_radix16_store_(1, &g, xr, xi);
    convk_fft_radix16_store_(2, &g, xr, xi);
    convk_fft_radix16_store_(3, &g, xr, xi);
  }
  CONVK_LEAVE_
}
#else
static void convk_fft_pass_16_(const convk_fft_pass_ *p) {
  convk_fft_pass_group_ all, g;
  CONVK_V xr[16], xi[16], z[32]; /* z: frequencies that take the way back */
  int more, back, n;
  for (more = convk_fft_begin_(p, &all); more; more = convk_fft_next_(&all)) {
    g = all;
    if (all.factor) {
      g.to_re = (CONVK_T *)(void *)z;
      g.to_im = g.to_re + CONVK_LANES;
      g.to = 2 * CONVK_LANES;
      g.less = 0;
    }
    for (back = 0;; back = 1) {
      convk_fft_enter_(4, 0, &g, xr, xi);
      convk_fft_radix16_store_(0, &g, xr, xi);
      convk_fft_radix16_store_(1, &g, xr, xi);
      convk_fft_radix16_store_(2, &g, xr, xi);
      convk_fft_radix16_store_(3, &g, xr, xi);
      if (back || !all.factor) break;
      for (n = 0; n < 16; n++) convk_fft_factors_(1, &all, n, &z[2 * n], &z[2 * n + 1]);
      g = all;
      g.re = (const CONVK_T *)(void *)z;
      g.im = g.re + CONVK_LANES;
      g.from = 2 * CONVK_LANES;
      g.twiddle = NULL;
      g.zeros = 0;
    }
  }
  CONVK_LEAVE_
}
#endif

CONVK_INLINE_ void convk_fft_pass_odd_(const int r, const convk_fft_pass_ *p) {
  convk_fft_pass_group_ g;
  int more, q, back;
  for (more = convk_fft_begin_(p, &g); more; more = convk_fft_next_(&g)) {
    CONVK_V xr[8], xi[8];
    CONVK_UNROLL_SHORT_
    for (q = 0; q < r; q++) convk_fft_load_(&g, q, &xr[q], &xi[q]);
    if (g.twiddle) CONVK_UNROLL_SHORT_
    for (q = 1; q < r; q++) convk_fft_twiddle_(0, &g, q, &xr[q], &xi[q]);
    for (back = 0;; back = 1) { /* the text of a transform once, for both ways */
      convk_fft_radix_odd_(r, xr, xi);
      if (back || !g.factor) break;
      convk_fft_factors_(r, &g, 0, xr, xi);
    }
    CONVK_UNROLL_SHORT_
    for (q = 0; q < r; q++) convk_fft_store_(&g, q, xr[q], xi[q]);
  }
}
static void convk_fft_pass_3_(const convk_fft_pass_ *p) {
  convk_fft_pass_odd_(3, p);
  CONVK_LEAVE_
}
static void convk_fft_pass_5_(const convk_fft_pass_ *p) {
  convk_fft_pass_odd_(5, p);
  CONVK_LEAVE_
}
static void convk_fft_pass_7_(const convk_fft_pass_ *p) {
  convk_fft_pass_odd_(7, p);
  CONVK_LEAVE_
}

#ifdef CONVK_FFT_BY_PAIRS_
/* Results n, to a vector, or n and n + 1, to rows, where those of an inverse transform are scaled. */
CONVK_INLINE_ void convk_fft_leave_pairs_(const int rows, const convk_fft_pass_group_ *g, int n, CONVK_V a, CONVK_V b) {
  CONVK_T *const to = g->to_re + (size_t)n * g->to;
  CONVK_V x[2] = {a, b};
  if (!rows) {
    CONVK_STORE_(to, a);
    return;
  }
  if (g->pass->pairs) {
    x[0] = CONVK_MUL_(a, CONVK_SET_(g->pass->scale));
    x[1] = CONVK_MUL_(b, CONVK_SET_(g->pass->scale));
  }
  CONVK_PAIRS_TO_(to, g->pass->pitch, x);
}

/* All steps but the first, and results, but those of rows that have two lines. */
CONVK_INLINE_ void convk_fft_rest_pairs_(const CONVK_V *pairs, const int r, const int rows, const convk_fft_pass_group_ *g,
                                         CONVK_V *x) {
  int i, n;
  if (r == 4) convk_fft_radix4_(pairs, 1, x, x);
  if (r == 8) {
    convk_fft_radix4_(pairs, 2, x, x);
    convk_fft_radix4_(pairs, 2, x + 1, x);
    convk_fft_radix8_(pairs, x, x);
  }
  if (r < 16) {
    CONVK_EACH_(n, r)
      if (!rows) convk_fft_leave_pairs_(0, g, n, x[CONVK_FFT_PLACE_(r, n)], x[0]);
    return;
  }
  CONVK_EACH_(i, 4) {
    convk_fft_radix16_(pairs, i, x + 4 * i, x);
    CONVK_EACH_(n, 4) {
      CONVK_V *const at = x + CONVK_FFT_PLACE_(16, 4 * n + i);
      if (rows && i % 2) convk_fft_leave_pairs_(1, g, 4 * n + i - 1, at[-4], at[0]);
      if (!rows) convk_fft_leave_pairs_(0, g, 4 * n + i, at[0], x[0]);
    }
  }
}

/* Passes of a transform on pairs as they lie in memory: vectors are neighbouring columns along y, and the same column of some
   rows along x, two columns at a time, so that rows are loaded and stored by two pairs and little is turned; and the points of
   radix 16 fill 16 registers, where apart they fill 32.  The two columns are points of one group where the axis has one pass,
   else points of two lines.  Butterflies look at no imaginary parts: they are given x. */
CONVK_INLINE_ void convk_fft_pairs_of_(const int r, const int way, const int rows, const convk_fft_pass_ *p) {
  convk_fft_pass_group_ g[2];
  const int whole = way == convk_fft_gathered_ && rows, lines = !whole && (way == convk_fft_gathered_ || rows) ? 2 : 1;
  const CONVK_T one = p->pairs ? -(CONVK_T)1 : (CONVK_T)1;
  CONVK_V x[32], pairs[4];
  uintptr_t ahead = 0;
  size_t line, left;
  int i, k;
  CONVK_EACH_(i, 4) {
    const CONVK_T sine = i ? convk_fft_cosine_(-one, 4 - i) : one;
    pairs[i] = CONVK_ALTERNATE_(sine, -sine);
  }
  for (line = 0; line < p->lines; line += (size_t)lines) {
    CONVK_EACH_(k, lines) {
      const size_t n = line + (size_t)k, from = p->order ? p->order[n] / (unsigned)r : n;
      g[k].pass = p;
      g[k].from = whole ? 2 : p->from;
      g[k].to = whole ? 2 : p->to;
      g[k].re = p->src + from * p->from_line;
      g[k].to_re = p->dst + n * p->to_line;
      if (way == convk_fft_twiddled_)
        CONVK_EACH_(i, r - 1) {
          const convk_any_ *w = p->twiddle + from * p->twiddle_line + 2 * i;
          g[k].w[2 * i] = CONVK_SET_(w[0]);
          g[k].w[2 * i + 1] = CONVK_MUL_(CONVK_SET_(w[1]), pairs[0]);
        }
    }
    for (left = p->count; left; left--) {
      if (rows && p->next)
        CONVK_EACH_(i, lines * r / 2 * CONVK_LANES * (int)sizeof(CONVK_T) / 32) {
          CONVK_PREFETCH_L1_(p->next + ahead);
          CONVK_PREFETCH_L1_(p->next_to + ahead);
          ahead += 64;
        }
      if (way == convk_fft_gathered_)
        CONVK_EACH_(i, r) {
          CONVK_V two[2];
          if (whole && i % 2) continue;
          CONVK_PAIRS_FROM_(g[0].re + (size_t)i * g[0].from, p->from_pitch, two);
          x[i] = two[0];
          x[whole ? i + 1 : i + 16] = two[1];
        }
      CONVK_EACH_(k, lines) {
        convk_fft_enter_this_(pairs, way, r / 4, &g[k], x + 16 * k, x);
        convk_fft_rest_pairs_(pairs, r, rows, &g[k], x + 16 * k);
        g[k].re += p->from_step;
      }
      if (rows && !whole)
        CONVK_EACH_(i, r) convk_fft_leave_pairs_(1, &g[0], i, x[CONVK_FFT_PLACE_(r, i)], x[16 + CONVK_FFT_PLACE_(r, i)]);
      CONVK_EACH_(k, lines) g[k].to_re += p->to_step;
    }
  }
  CONVK_LEAVE_
}

/* The texts that there are: radix 16 is the first pass of an axis, radix 4 the last, radix 8 both; of axes of 16 and 32 points
   radix 8 is the first, and radix 16 the only one.  Vectors of 64 bytes gather more rows: of more points they lose 5 to 20%. */
enum { convk_fft_most_pairs_ = CONVK_LANES * (int)sizeof(CONVK_T) > 32 ? 32 : CONVK_FFT_MAX_SIZE_ };
CONVK_INLINE_ void convk_fft_pairs_any_(const int r, const convk_fft_pass_ *p) {
  const int last = r == 16 ? convk_fft_gathered_ : convk_fft_twiddled_, all = convk_fft_most_pairs_ > 32;
  if ((all || r != 8) && p->apart & 2) convk_fft_pairs_of_(r, last, 1, p);
  else if ((all || r != 8) && r < 16 && p->twiddle) convk_fft_pairs_of_(r, convk_fft_twiddled_, 0, p);
  else if (r == 4) return;
  else if ((all || r == 8) && p->apart & 1) convk_fft_pairs_of_(r, convk_fft_gathered_, 0, p);
  else convk_fft_pairs_of_(r, convk_fft_plain_, 0, p);
}
static void convk_fft_pairs_4_(const convk_fft_pass_ *p) { convk_fft_pairs_any_(4, p); }
static void convk_fft_pairs_8_(const convk_fft_pass_ *p) { convk_fft_pairs_any_(8, p); }
static void convk_fft_pairs_16_(const convk_fft_pass_ *p) { convk_fft_pairs_any_(16, p); }
#endif

/* The square whose rows lie at row[0] .., transposed. */
CONVK_INLINE_ void convk_fft_transposed_(const CONVK_T *const row[CONVK_LANES], CONVK_V v[CONVK_LANES]) {
#ifdef CONVK_TRANSPOSE_FROM_
  CONVK_TRANSPOSE_FROM_(row, v);
#else
  size_t i;
  CONVK_EACH_(i, CONVK_LANES) v[i] = CONVK_LOAD_(row[i]);
  CONVK_TRANSPOSE_(v);
#endif
}

static void convk_fft_copy_square_(const convk_fft_square_ *p) {
  const CONVK_V scale = CONVK_SET_(p->scale);
  size_t n;
  int i;
  for (n = 0; n < (size_t)p->parts * p->count; n++) {
    const size_t square = n < p->count ? n : n - p->count, part = n < p->count ? 0 : CONVK_LANES;
    const size_t from = (p->order ? p->order[square] : square) * p->from_step + part, to = square * p->to_step + part;
    CONVK_V v[CONVK_LANES];
    CONVK_V some[CONVK_LANES]; /* in memory, so that v stays in registers */
    if (p->from_rows < CONVK_LANES) {
      for (i = 0; i < CONVK_LANES; i++)
        some[i] = (size_t)i < p->from_rows ? CONVK_LOADK_((const CONVK_T *)(const void *)(p->from[i] + from), p->from_n)
                                           : CONVK_SET_(0);
      CONVK_IN_MEMORY_(some);
      CONVK_EACH_(i, CONVK_LANES) v[i] = some[i];
    } else if (p->from_n < CONVK_LANES) {
      CONVK_EACH_(i, CONVK_LANES) v[i] = CONVK_LOADK_((const CONVK_T *)(const void *)(p->from[i] + from), p->from_n);
    } else {
      CONVK_EACH_(i, CONVK_LANES) v[i] = CONVK_LOAD_((const CONVK_T *)(const void *)(p->from[i] + from));
    }
    CONVK_TRANSPOSE_(v);
    if (p->scale > 0)
      CONVK_EACH_(i, CONVK_LANES) v[i] = CONVK_MUL_(v[i], scale);
    if (p->to_rows < CONVK_LANES) {
      CONVK_EACH_(i, CONVK_LANES) some[i] = v[i];
      CONVK_IN_MEMORY_(some);
      for (i = 0; (size_t)i < p->to_rows; i++) CONVK_STOREK_((CONVK_T *)(void *)(p->to[i] + to), some[i], p->to_n);
    } else if (p->to_n < CONVK_LANES) {
      CONVK_EACH_(i, CONVK_LANES) CONVK_STOREK_((CONVK_T *)(void *)(p->to[i] + to), v[i], p->to_n);
    } else {
      CONVK_EACH_(i, CONVK_LANES) CONVK_STORE_((CONVK_T *)(void *)(p->to[i] + to), v[i]);
    }
  }
  CONVK_LEAVE_
}

/* A line of factors, of one item in the first lanes, and of another in the rest. */
static void convk_fft_blend_(const convk_any_ *first, const convk_any_ *second, size_t lanes, size_t pitch, size_t n,
                             CONVK_T *to) {
  CONVK_T number[CONVK_LANES];
  const CONVK_V split = CONVK_SET_((CONVK_T)lanes - (CONVK_T)0.5);
  CONVK_V lane;
  size_t i;
  for (i = 0; i < CONVK_LANES; i++) number[i] = (CONVK_T)i;
  lane = CONVK_LOAD_(number);
  for (i = 0; i < n; i++, first += pitch, second += pitch, to += CONVK_LANES)
    CONVK_STORE_(to, CONVK_LESS_(lane, split, CONVK_SET_(*first), CONVK_SET_(*second)));
  CONVK_LEAVE_
}

/* Lines of two real columns, apart.  The 2 is in the spectra.  Frequencies 0 .. n / 2 only. */
static void convk_fft_unpack_(const CONVK_T *line, const convk_any_u32_ *position, size_t n, CONVK_T *a, CONVK_T *b) {
  CONVK_V re, im;
  size_t k;
  int second;
  for (k = 0; k <= n / 2; k++, a += 2 * CONVK_LANES, b += 2 * CONVK_LANES) {
    const CONVK_T *z = line + 2 * CONVK_LANES * (size_t)position[k],
                  *m = line + 2 * CONVK_LANES * (size_t)position[k ? n - k : 0];
    const CONVK_V zr = CONVK_LOAD_(z), zi = CONVK_LOAD_(z + CONVK_LANES), mr = CONVK_LOAD_(m),
                  mi = CONVK_LOAD_(m + CONVK_LANES);
    CONVK_EACH_(second, 2) {
      convk_fft_split_(zr, zi, mr, mi, second, &re, &im);
      CONVK_STORE_(second ? b : a, re);
      CONVK_STORE_((second ? b : a) + CONVK_LANES, im);
    }
  }
  CONVK_LEAVE_
}

/* And back: Z(-k) is stored first, so that Z(k) stays where both are one place.  b may be NULL: zeros. */
static void convk_fft_pack_(CONVK_T *line, const convk_any_u32_ *position, size_t n, const CONVK_T *a, const CONVK_T *b) {
  CONVK_V zr, zi, mr, mi;
  size_t k;
  for (k = 0; k <= n / 2; k++) {
    CONVK_T *z = line + 2 * CONVK_LANES * (size_t)position[k], *m = line + 2 * CONVK_LANES * (size_t)position[k ? n - k : 0];
    const CONVK_V br = b ? CONVK_LOAD_(b + 2 * CONVK_LANES * k) : CONVK_SET_(0);
    const CONVK_V bi = b ? CONVK_LOAD_(b + 2 * CONVK_LANES * k + CONVK_LANES) : CONVK_SET_(0);
    convk_fft_merge_(CONVK_LOAD_(a + 2 * CONVK_LANES * k), CONVK_LOAD_(a + 2 * CONVK_LANES * k + CONVK_LANES), br, bi, &zr, &zi,
                     &mr, &mi);
    CONVK_STORE_(m, mr);
    CONVK_STORE_(m + CONVK_LANES, mi);
    CONVK_STORE_(z, zr);
    CONVK_STORE_(z + CONVK_LANES, zi);
  }
  CONVK_LEAVE_
}

/* Rows that are missing are copies of the first; lines beyond a row's end are written. */
static void convk_fft_to_lines_(const convk_fft_rows_ *p) {
  const CONVK_T *row[CONVK_LANES], *at[CONVK_LANES];
  CONVK_T *to = p->lines;
  size_t x, i;
  for (i = 0; i < CONVK_LANES; i++) row[i] = p->plane + p->row[i < p->rows ? i : 0] * p->plane_pitch;
  for (x = 0; x < 2 * convk_round_up_(p->n, CONVK_LANES); x += CONVK_LANES) { /* real parts, then imaginary parts */
    CONVK_V v[CONVK_LANES];
    CONVK_EACH_(i, CONVK_LANES) at[i] = row[i] + x;
    convk_fft_transposed_(at, v);
    CONVK_EACH_(i, CONVK_LANES) CONVK_STORE_(to + 2 * CONVK_LANES * i, v[i]);
    to += x / CONVK_LANES % 2 ? 2 * CONVK_LANES * CONVK_LANES - CONVK_LANES : CONVK_LANES;
  }
  CONVK_LEAVE_
}

/* By squares whose rows are real and imaginary parts in turn: of 4 lanes re k0, im k0, re k1, im k1 of 4 rows each, which are
   then four rows of pairs. */
static void convk_fft_to_rows_(const convk_fft_rows_ *p) {
  const CONVK_V scale = CONVK_SET_(p->scale);
  const CONVK_T *part[2] = {p->lines + (p->swap ? CONVK_LANES : 0), p->lines + (p->swap ? 0 : CONVK_LANES)};
  const size_t n = 2 * p->n, rows = p->rows;
  convk_any_u32_ last[CONVK_LANES];
  uintptr_t prefetch_to = p->next_to, next = p->next, ahead = 0;
  size_t f, i, k;
  for (f = 0; f < n; f += CONVK_LANES) {
    const size_t left = n - f < CONVK_LANES ? n - f : CONVK_LANES, odd = CONVK_LANES == 1 ? f % 2 : 0;
    const convk_any_u32_ *position = p->position + f / 2;
    convk_any_ *to = p->to + f;
    const CONVK_T *row[CONVK_LANES];
    CONVK_V v[CONVK_LANES];
    if (p->next && f % (64 / sizeof(CONVK_T)) == 0)
      for (k = 0; k < rows; k++) { /* one after the other: processors see that, and read ahead themselves */
        CONVK_PREFETCH_L1_(prefetch_to + ahead);
        CONVK_PREFETCH_L1_(next + ahead);
        ahead += 64;
        if (ahead < n * sizeof(CONVK_T)) continue;
        ahead = 0;
        prefetch_to += p->pitch * sizeof(CONVK_T);
        next += p->next_pitch * sizeof(CONVK_T);
      }
    if (left < CONVK_LANES) {
      for (i = 0; i < CONVK_LANES; i++) last[i] = position[i < left / 2 ? i : 0];
      position = last;
    }
    CONVK_EACH_(i, CONVK_LANES) row[i] = part[(odd + i) % 2] + 2 * CONVK_LANES * (size_t)position[(odd + i) / 2];
    convk_fft_transposed_(row, v);
    if (p->scale > 0)
      CONVK_EACH_(i, CONVK_LANES) v[i] = CONVK_MUL_(v[i], scale);
    if (rows < CONVK_LANES || left < CONVK_LANES) {
      CONVK_V some[CONVK_LANES]; /* in memory, so that v stays in registers */
      CONVK_EACH_(i, CONVK_LANES) some[i] = v[i];
      CONVK_IN_MEMORY_(some);
      for (k = 0; k < rows; k++, to += p->pitch) CONVK_STOREK_((CONVK_T *)(void *)to, some[k], left);
    } else {
      CONVK_EACH_(i, CONVK_LANES) CONVK_STORE_((CONVK_T *)(void *)(to + i * p->pitch), v[i]);
    }
  }
  CONVK_LEAVE_
}

/* Rows of neighbouring columns, from the one of this number on, to vectors of real and of imaginary parts, and back. */
static void convk_fft_unzip_(const convk_fft_job_ *job, const convk_any_ *in, size_t column, CONVK_T *to, size_t step) {
  const size_t f = 2 * column, left = job->in_row - f;
  const size_t first = left < CONVK_LANES ? left : CONVK_LANES, second = left < CONVK_LANES ? 0 : left - CONVK_LANES;
  size_t row;
  for (row = 0; row < job->plan->rows; row++, to += step) {
    const CONVK_T *at = (const CONVK_T *)(const void *)(in + row * job->in_pitch + f);
    CONVK_V v[2];
    if (second >= CONVK_LANES) {
      v[0] = CONVK_LOAD_(at);
      v[1] = CONVK_LOAD_(at + CONVK_LANES);
    } else {
      v[0] = CONVK_LOADK_(at, first);
      v[1] = second ? CONVK_LOADK_(at + CONVK_LANES, second) : CONVK_SET_(0);
    }
    CONVK_UNZIP_(v);
    CONVK_STORE_(to, v[job->swap]);
    CONVK_STORE_(to + CONVK_LANES, v[!job->swap]);
  }
  CONVK_LEAVE_
}

static void convk_fft_zip_(const convk_fft_job_ *job, size_t column) {
  const size_t f = 2 * column, left = job->out_row - f;
  const size_t first = left < CONVK_LANES ? left : CONVK_LANES, second = left < CONVK_LANES ? 0 : left - CONVK_LANES;
  size_t row;
  for (row = 0; row < job->plan->out_rows; row++) {
    const CONVK_T *from = job->a + 2 * CONVK_LANES * row;
    CONVK_T *at = (CONVK_T *)(void *)(job->out[0] + row * job->out_pitch + f);
    CONVK_V v[2];
    v[0] = CONVK_LOAD_(from);
    v[1] = CONVK_LOAD_(from + CONVK_LANES);
    CONVK_ZIP_(v);
    if (second >= CONVK_LANES) {
      CONVK_STORE_(at, v[0]);
      CONVK_STORE_(at + CONVK_LANES, v[1]);
    } else {
      CONVK_STOREK_(at, v[0], first);
      if (second) CONVK_STOREK_(at + CONVK_LANES, v[1], second);
    }
  }
  CONVK_LEAVE_
}

CONVK_LOCAL_ const convk_fft_kernels_ *convk_fft_kernel_table_(void) {
  static const convk_fft_kernels_ kernels = {CONVK_LANES,
#ifdef CONVK_FFT_BY_PAIRS_
                                             convk_fft_most_pairs_,
                                             {convk_fft_pairs_4_, convk_fft_pairs_8_, convk_fft_pairs_16_},
#else
                                             0,
                                             {NULL, NULL, NULL},
#endif
                                             {NULL, convk_fft_pass_1_, convk_fft_pass_2_, convk_fft_pass_3_, convk_fft_pass_4_,
                                              convk_fft_pass_5_, NULL, convk_fft_pass_7_, convk_fft_pass_8_, NULL, NULL, NULL,
                                              NULL, NULL, NULL, NULL, convk_fft_pass_16_},
                                             convk_fft_copy_square_,
                                             convk_fft_to_lines_,
                                             convk_fft_to_rows_,
                                             convk_fft_unzip_,
                                             convk_fft_zip_,
                                             convk_fft_unpack_,
                                             convk_fft_pack_,
                                             convk_fft_blend_};
  return &kernels;
}
#undef CONVK_FFT_BY_PAIRS_
#ifdef CONVK_FFT_APART_
#pragma GCC pop_options
#undef CONVK_FFT_APART_
#endif
