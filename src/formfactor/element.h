#include "formfactor/coefficients.h"

/* ---- elements: terms of form factors ---- */

/* Which formula gives the mean of a triangle, see form_mean; all are squares of turns.
   CLOSE: summed over the edges; up to here the series (order 8, 16) leaves at most 6.5e-9 or 5.8e-17 of the mean.
   SLENDER: |w_0 w_1 w_2|^2 over the sum of |w|^2; above it the corners' sum has no more than sqrt(3 / SLENDER) / pi^2 = 4 or
   16 times the roundings of its terms.
   TAN_BELOW: of the shortest edge; how far the coefficients FORM_TAN reach. */
#define CONVK_FORMFACTOR_CLOSE_ CONVK_OF_(0.146f, 0.2)
#define CONVK_FORMFACTOR_SLENDER_ CONVK_EITHER_(1.0f / 512, 1.0f / 8192)
#define CONVK_FORMFACTOR_TAN_BELOW_ (1.0f / 160)

/* A product that compilers must not fuse with the sums it goes into. */
#if CONVK_FUSES_
#define CONVK_APART_(v) CONVK_KEEP_(v);
#else
#define CONVK_APART_(v)
#endif

CONVK_ELEMENT_ CONVK_V convk_formfactor_dot_(const CONVK_V *q, const CONVK_V *v) {
  return CONVK_FMA_(q[2], v[2], CONVK_FMA_(q[1], v[1], CONVK_MUL_(q[0], v[0])));
}

/* (1 - 2^e) / 2 of at most 2, for e <= 126 or 1022; the power is 2^-125 or 2^-1021 at least. */
CONVK_ELEMENT_ void convk_formfactor_half_losses_(CONVK_V *e, const int vectors) {
  CONVK_CONSTANT_ CONVK_T power[] = CONVK_TABLE_(CONVK_FORMFACTOR_EXP);
  const CONVK_V bias = CONVK_SET_(CONVK_OF_(12582912 + 126, 6755399441055744. + 1022));
  CONVK_V t[2], r[2], scale[2], p[2];
  int v;
  CONVK_EACH_(v, vectors) {
    e[v] = CONVK_MAX_(CONVK_SET_(CONVK_OF_(-125, -1021)), e[v]);
    t[v] = CONVK_ADD_(e[v], bias);
    r[v] = CONVK_SUB_(e[v], CONVK_SUB_(t[v], bias));
    scale[v] = CONVK_SHL_(t[v], CONVK_FRACTION_); /* 2^(n - 1) */
  }
  convk_horner_(r, power, CONVK_COUNT_(power), p, vectors);
  CONVK_EACH_(v, vectors) {
    p[v] = CONVK_MUL_(r[v], p[v]);
    e[v] = CONVK_FMA_(scale[v], p[v], CONVK_SUB_(CONVK_SET_((CONVK_T)0.5f), scale[v]));
  }
}
CONVK_ELEMENT_ CONVK_V convk_formfactor_half_loss_(CONVK_V e) {
  convk_formfactor_half_losses_(&e, 1);
  return e;
}

/* (exp(i q.r) - 1) / 2 = -a + i b from the half turn's sine and cosine.  With h = q.r / 2 = pi u it is -sin^2 h + i sin h cos
   h: both have the period pi, so that u goes to the nearest integer and no quadrant matters.  Complex q.r (imag) has a factor
   e = exp(-Im q.r): -(e sin^2 h + loss) + i e sin h cos h, where loss = (1 - e) / 2. */
CONVK_ELEMENT_ void convk_formfactor_damp_(const int imag, CONVK_V loss, CONVK_V s, CONVK_V c, CONVK_V *a, CONVK_V *b) {
  if (imag) {
    const CONVK_V es = CONVK_MUL_(CONVK_FNMA_(CONVK_SET_(2), loss, CONVK_SET_(1)), s); /* the product with 2 is exact */
    *a = CONVK_FMA_(es, s, loss);
    *b = CONVK_MUL_(es, c);
  } else {
    *a = CONVK_MUL_(s, s);
    *b = CONVK_MUL_(s, c);
  }
}

/* The exponent of exp(-Im q.r) = 2^e, from the imaginary part of q.r in turns. */
CONVK_ELEMENT_ CONVK_V convk_formfactor_exponent_(CONVK_V it) {
  return CONVK_MUL_(it, CONVK_SET_(CONVK_OF_(-9.064720f, -9.064720283654388))); /* - 2 pi log2 e */
}

/* Products of complex numbers, real and imaginary part; where imag is 0 the imaginary parts are not there. */
CONVK_ELEMENT_ void convk_formfactor_times_(const CONVK_V *x, const CONVK_V *y, const int imag, CONVK_V *xy) {
  const CONVK_V re = imag ? CONVK_FNMA_(x[1], y[1], CONVK_MUL_(x[0], y[0])) : CONVK_MUL_(x[0], y[0]);
  if (imag) xy[1] = CONVK_FMA_(x[0], y[1], CONVK_MUL_(x[1], y[0]));
  xy[0] = re;
}

/* sum = sum x + y, of them. */
CONVK_ELEMENT_ void convk_formfactor_times_add_(const CONVK_V *x, const CONVK_V *y, const int imag, CONVK_V *sum) {
  const CONVK_V re = CONVK_FMA_(sum[0], x[0], y[0]);
  if (imag) {
    const CONVK_V im = CONVK_FMA_(sum[0], x[1], CONVK_FMA_(sum[1], x[0], y[1]));
    sum[0] = CONVK_FNMA_(sum[1], x[1], re);
    sum[1] = im;
  } else {
    sum[0] = re;
  }
}

/* The sum of c[k] x^k, k < count, and more x^count. */
CONVK_ELEMENT_ CONVK_V convk_formfactor_powers_(CONVK_V x, const CONVK_T *c, const int count, CONVK_V more) {
  int k;
  CONVK_UNROLL_
  for (k = count - 1; k >= 0; k--) more = CONVK_FMA_(x, more, CONVK_SET_(c[k]));
  return more;
}

/* The mean of exp(i q.r) over a triangle is exp(i q.centroid) (1 - 2 (d0 + i d1)): d0 and d1 for real q as series up to an
   order 4, 8, 12 or 16 and the odd one behind it.  max_order: 4, 8, or 16, and then `order` is 12 or 16.
   p = - e2, s = - e3: symmetric functions of the turns of the corners less that of the centroid (their sum is 0).  The term of
   degree k is - i^k h_k / (k + 2)!, h_k = sum over 2 i + 3 j = k of binomial(i + j, i) p^i (-s)^j. */
CONVK_ELEMENT_ void convk_formfactor_series_(const int max_order, int order, CONVK_V p, CONVK_V s, CONVK_V *d0, CONVK_V *d1) {
  CONVK_CONSTANT_ CONVK_T even0[] = CONVK_TABLE_(CONVK_FORMFACTOR_EVEN0);
  CONVK_CONSTANT_ CONVK_T even1[] = CONVK_TABLE_(CONVK_FORMFACTOR_EVEN1);
  CONVK_CONSTANT_ CONVK_T even2[] = CONVK_TABLE_(CONVK_FORMFACTOR_EVEN2);
  CONVK_CONSTANT_ CONVK_T odd0[] = CONVK_TABLE_(CONVK_FORMFACTOR_ODD0);
  CONVK_CONSTANT_ CONVK_T odd1[] = CONVK_TABLE_(CONVK_FORMFACTOR_ODD1);
  CONVK_CONSTANT_ CONVK_T odd2[] = CONVK_TABLE_(CONVK_FORMFACTOR_ODD2);
  const CONVK_V zero = CONVK_SET_(0), square = CONVK_MUL_(s, s);
  if (max_order > 8) {
    CONVK_V e0 = zero, e1 = zero, e2 = zero, o0 = zero, o1 = zero, o2 = zero;
    if (order > 12) {
      e0 = convk_formfactor_powers_(p, even0 + 6, 1, CONVK_SET_(even0[7]));
      e1 = convk_formfactor_powers_(p, even1 + 4, 1, CONVK_SET_(even1[5]));
      e2 = convk_formfactor_powers_(p, even2 + 1, 1, CONVK_SET_(even2[2]));
      o0 = convk_formfactor_powers_(p, odd0 + 6, 1, CONVK_SET_(odd0[7]));
      o1 = convk_formfactor_powers_(p, odd1 + 3, 1, CONVK_SET_(odd1[4]));
      o2 = convk_formfactor_powers_(p, odd2, 1, CONVK_SET_(odd2[1]));
    }
    e1 = CONVK_FMA_(convk_formfactor_powers_(p, even2, 1, e2), square, convk_formfactor_powers_(p, even1, 4, e1));
    o1 = CONVK_FMA_(o2, square, convk_formfactor_powers_(p, odd1, 3, o1));
    e0 = convk_formfactor_powers_(p, even0, 6, e0);
    *d0 = CONVK_FMA_(e0, p, CONVK_MUL_(square, e1));
    *d1 = CONVK_MUL_(s, CONVK_FMA_(o1, square, convk_formfactor_powers_(p, odd0, 6, o0)));
  } else if (max_order > 4) {
    const CONVK_V e1 = convk_formfactor_powers_(p, even1, 1, CONVK_SET_(even1[1]));
    const CONVK_V e0 = convk_formfactor_powers_(p, even0, 3, CONVK_SET_(even0[3]));
    const CONVK_V o0 = convk_formfactor_powers_(p, odd0, 3, CONVK_SET_(odd0[3]));
    *d0 = CONVK_FMA_(e0, p, CONVK_MUL_(square, e1));
    *d1 = CONVK_MUL_(s, CONVK_FMA_(CONVK_SET_(odd1[0]), square, o0));
  } else {
    *d0 = CONVK_MUL_(convk_formfactor_powers_(p, even0, 1, CONVK_SET_(even0[1])), p);
    *d1 = CONVK_MUL_(s, convk_formfactor_powers_(p, odd0, 1, CONVK_SET_(odd0[1])));
  }
}

/* The same for complex q, where d0 and d1 are complex themselves: by h_k = p h_{k-2} - s h_{k-3}, a loop for any order.  Order
   2 has its first term only. */
CONVK_ELEMENT_ void convk_formfactor_series_complex_(int order, const CONVK_V *p, const CONVK_V *s, CONVK_V *d0, CONVK_V *d1) {
  CONVK_CONSTANT_ CONVK_T term[] = CONVK_TABLE_(CONVK_FORMFACTOR_SERIES);
  CONVK_V even[2], odd[2], before[2], minus[2];
  int d, k;
  CONVK_EACH_(d, 2) {
    minus[d] = CONVK_SUB_(CONVK_SET_(0), s[d]);
    d0[d] = d1[d] = before[d] = CONVK_SET_(0);
    even[d] = p[d];
    odd[d] = minus[d];
  }
  for (k = 0; k < order; k += 2) {
    CONVK_V a[2], b[2];
    convk_formfactor_times_(minus, before, 1, a);
    convk_formfactor_times_(minus, even, 1, b);
    CONVK_EACH_(d, 2) {
      d0[d] = CONVK_FMA_(even[d], CONVK_SET_(term[k]), d0[d]);
      if (order > 2) d1[d] = CONVK_FMA_(odd[d], CONVK_SET_(term[k + 1]), d1[d]);
      before[d] = odd[d];
    }
    convk_formfactor_times_add_(p, a, 1, even);
    convk_formfactor_times_add_(p, b, 1, odd);
  }
}

/* Multiplies exp(i q.r) = 1 - 2 a + 2 i b at the centroid by 1 - 2 (d0 + i d1), the series of `order`; order 2 has its first
   term only.  max_order: of real q 2, 4, 8, or 16 for orders 12 and 16.  du, dw: turns at two corners less those at the
   centroid. */
CONVK_ELEMENT_ void convk_formfactor_bend_(const int max_order, int order, const CONVK_V *du, const CONVK_V *dw, const int imag,
                                           CONVK_V *a, CONVK_V *b) {
  const CONVK_V a0 = *a, b0 = *b, third = CONVK_ADD_(du[0], dw[0]);
  CONVK_V d[2], p = CONVK_FMA_(du[0], third, CONVK_MUL_(dw[0], dw[0]));
  if (imag) {
    CONVK_V all[2], square[2], s[2], d0[2], d1[2];
    all[0] = third;
    all[1] = CONVK_ADD_(du[1], dw[1]);
    square[0] = CONVK_SUB_(p, CONVK_FMA_(du[1], all[1], CONVK_MUL_(dw[1], dw[1])));
    square[1] = CONVK_FMA_(du[0], CONVK_ADD_(all[1], du[1]), CONVK_MUL_(dw[0], CONVK_ADD_(all[1], dw[1])));
    convk_formfactor_times_(du, dw, 1, s);
    convk_formfactor_times_(s, all, 1, s);
    convk_formfactor_series_complex_(order, square, s, d0, d1);
    d[0] = CONVK_SUB_(d0[0], d1[1]);
    d[1] = CONVK_ADD_(d0[1], d1[0]);
  } else if (max_order > 2) {
    const CONVK_V s = CONVK_MUL_(CONVK_MUL_(du[0], dw[0]), third);
    convk_formfactor_series_(max_order, order, p, s, &d[0], &d[1]);
  } else {
    p = CONVK_MUL_(p, CONVK_SET_((CONVK_T)(CONVK_EITHER_(1.64493402f, 39.47841760435743 / 24)))); /* (2 pi)^2 / 24 */
    CONVK_APART_(p)
    d[0] = CONVK_ADD_(p, p);
    *a = CONVK_ADD_(CONVK_FNMA_(d[0], a0, a0), p);
    *b = CONVK_FNMA_(d[0], b0, b0);
    return;
  }
  { /* 1 - 2 a and 2 b are the exponential itself */
    const CONVK_V real = CONVK_FNMA_(CONVK_SET_(2), a0, CONVK_SET_(1)), other = CONVK_MUL_(CONVK_SET_(2), b0);
    *a = CONVK_FNMA_(d[1], other, CONVK_FMA_(d[0], real, a0));
    *b = CONVK_FNMA_(d[1], real, CONVK_FNMA_(d[0], other, b0));
  }
}

/* pi e_12, the mean over the edge v between corners 1 and 2 of a, b, as the fraction e / under: (y_1 - y_2) / i over v, or
   where that cancels, the ends' mean 1 - a_1 - a_2 + i (b_1 + b_2) times tan(pi v) / v over 1. */
CONVK_ELEMENT_ void convk_formfactor_edge_(const CONVK_V *v, CONVK_V square, const CONVK_V *a, const CONVK_V *b, const int imag,
                                           CONVK_V *e, CONVK_V *under) {
  CONVK_CONSTANT_ CONVK_T tangent[] = CONVK_TABLE_(CONVK_FORMFACTOR_TAN);
  const CONVK_V zero = CONVK_SET_(0), one = CONVK_SET_(1), cancels = CONVK_SET_((CONVK_T)CONVK_FORMFACTOR_TAN_BELOW_);
  CONVK_V tan[2], x[2];
  int k;
  if (imag) {
    convk_formfactor_times_(v, v, 1, x);
    tan[0] = CONVK_SET_(tangent[CONVK_COUNT_(tangent) - 1]);
    tan[1] = zero;
    for (k = CONVK_COUNT_(tangent) - 2; k >= 0; k--) {
      e[0] = CONVK_SET_(tangent[k]);
      e[1] = zero;
      convk_formfactor_times_add_(x, e, 1, tan);
    }
  } else {
    tan[0] = convk_formfactor_powers_(square, tangent, CONVK_COUNT_(tangent), zero);
  }
  e[0] = CONVK_SUB_(CONVK_SUB_(one, a[1]), a[2]);
  e[1] = CONVK_ADD_(b[1], b[2]);
  if (imag) {
    convk_formfactor_times_(tan, e, 1, e);
  } else {
    e[0] = CONVK_MUL_(tan[0], e[0]);
    e[1] = CONVK_MUL_(tan[0], e[1]);
  }
  e[0] = CONVK_LESS_(square, cancels, e[0], CONVK_SUB_(b[1], b[2]));
  e[1] = CONVK_LESS_(square, cancels, e[1], CONVK_SUB_(a[1], a[2]));
  under[0] = CONVK_LESS_(square, cancels, one, v[0]);
  under[1] = imag ? CONVK_LESS_(square, cancels, zero, v[1]) : zero;
}

/* pi^2 times the mean where two corners have nearly the same phase, as the fraction sum / under: with pi e_12 = e / under and
   pi e_20 = top / v[1] it is (e v[1] - top under) / (under v[1] v[2]). */
CONVK_ELEMENT_ void convk_formfactor_slender_(const CONVK_V (*v)[2], CONVK_V square, const CONVK_V *a, const CONVK_V *b,
                                              const int imag, CONVK_V *sum, CONVK_V *under) {
  CONVK_V e[2], top[2];
  convk_formfactor_edge_(v[0], square, a, b, imag, e, under);
  top[0] = CONVK_SUB_(b[2], b[0]);
  top[1] = CONVK_SUB_(a[2], a[0]);
  sum[0] = CONVK_FNMA_(top[0], under[0], CONVK_MUL_(e[0], v[1][0]));
  sum[1] = CONVK_FNMA_(top[1], under[0], CONVK_MUL_(e[1], v[1][0]));
  if (imag) {
    sum[0] = CONVK_FMA_(top[1], under[1], CONVK_FNMA_(e[1], v[1][1], sum[0]));
    sum[1] = CONVK_FNMA_(top[0], under[1], CONVK_FMA_(e[0], v[1][1], sum[1]));
  }
  convk_formfactor_times_(under, v[1], imag, under);
  convk_formfactor_times_(under, v[2], imag, under);
}

/* What form_mean does where a triangle's corners are not close to each other: the sum of y_k w_k over w_0 w_1 w_2, or where
   that product is small the fraction of form_slender, and of these one division.  In lanes whose corners are close, wide <
   close, what comes out is of no use. */
CONVK_ELEMENT_ void convk_formfactor_apart_(const CONVK_V (*w)[2], const CONVK_V *a, const CONVK_V *b, CONVK_V wide,
                                            CONVK_V close, const int imag, CONVK_V *mean_a, CONVK_V *mean_b) {
  const CONVK_V zero = CONVK_SET_(0), one = CONVK_SET_(1), middle = CONVK_SET_((CONVK_T)0.5f);
  const CONVK_V per = CONVK_SET_(CONVK_OF_(0.050660592f, 0.05066059182116889)); /* 1 / (2 pi^2) */
  const CONVK_V least = CONVK_MUL_(wide, CONVK_SET_((CONVK_T)CONVK_FORMFACTOR_SLENDER_));
  CONVK_V product[2], re = zero, im = zero, size;
  int k;
  CONVK_EACH_(k, 3) { /* -re + i im is the sum */
    re = CONVK_FMA_(a[k], w[k][0], re);
    im = CONVK_FMA_(b[k], w[k][0], im);
    if (imag) {
      re = CONVK_FMA_(b[k], w[k][1], re);
      im = CONVK_FNMA_(a[k], w[k][1], im);
    }
  }
  convk_formfactor_times_(w[0], w[1], imag, product);
  convk_formfactor_times_(product, w[2], imag, product);
  product[0] = CONVK_LESS_(wide, close, one, product[0]);
  if (imag) product[1] = CONVK_LESS_(wide, close, zero, product[1]);
  size = CONVK_MUL_(product[0], product[0]);
  if (imag) size = CONVK_FMA_(product[1], product[1], size);
  if (CONVK_ANY_LESS_(size, least)) {
    CONVK_V sum[2], under[2], ca[3], cb[3], v[3][2], square[3], smaller, smallest;
    CONVK_EACH_(k, 3) {
      square[k] = CONVK_MUL_(w[k][0], w[k][0]);
      if (imag) square[k] = CONVK_FMA_(w[k][1], w[k][1], square[k]);
    }
    smaller = CONVK_MIN_(square[1], square[0]);
    smallest = CONVK_MIN_(square[2], smaller);
    /* The corners and the w between them, turned about so that v[0] belongs to the shortest edge:
                 0
           v[2] / \ v[1]     v[0] = u_1 - u_2, v[1] = u_2 - u_0, v[2] = u_0 - u_1
               1---2
                v[0]
       It stands here, since clang 14 leaves v in memory where another function fills it. */
    CONVK_EACH_(k, 3) {
      const int l = k < 2 ? k + 1 : 0, m = k ? k - 1 : 2;
      ca[k] = CONVK_LESS_(square[2], smaller, a[m], CONVK_LESS_(square[1], square[0], a[l], a[k]));
      cb[k] = CONVK_LESS_(square[2], smaller, b[m], CONVK_LESS_(square[1], square[0], b[l], b[k]));
      v[k][0] = CONVK_LESS_(square[2], smaller, w[m][0], CONVK_LESS_(square[1], square[0], w[l][0], w[k][0]));
      if (imag) v[k][1] = CONVK_LESS_(square[2], smaller, w[m][1], CONVK_LESS_(square[1], square[0], w[l][1], w[k][1]));
    }
    convk_formfactor_slender_((const CONVK_V(*)[2])v, smallest, ca, cb, imag, sum, under);
    re = CONVK_LESS_(size, least, sum[1], re);
    im = CONVK_LESS_(size, least, sum[0], im);
    product[0] = CONVK_LESS_(size, least, under[0], product[0]);
    if (imag) product[1] = CONVK_LESS_(size, least, under[1], product[1]);
  }
  if (imag) {
    const CONVK_V over = CONVK_DIV_(per, CONVK_FMA_(product[1], product[1], CONVK_MUL_(product[0], product[0])));
    *mean_a = CONVK_FMA_(over, CONVK_FNMA_(im, product[1], CONVK_MUL_(re, product[0])), middle);
    *mean_b = CONVK_MUL_(over, CONVK_FMA_(re, product[1], CONVK_MUL_(im, product[0])));
  } else {
    const CONVK_V over = CONVK_DIV_(per, product[0]);
    *mean_a = CONVK_FMA_(re, over, middle);
    *mean_b = CONVK_MUL_(im, over);
  }
}

/* The mean of exp(i q.r) over a triangle, exactly, by what lies at its corners: turns u (complex where imag) and a, b of
   exp(i q.r) = 1 - 2 a + 2 i b there; out come a and b of the mean.  With w_0 = u_1 - u_2 and so on, and y = -a + i b, it is
     1 / pi^2 sum y_k w_k / (w_0 w_1 w_2).
   Where two corners have nearly the same phase the sum cancels.  If these are 1 and 2, it is
     i (e_12 - e_20) / (pi (u_0 - u_1)),
   e_kl being the mean over an edge, (y_k - y_l) / (i x), x = pi (u_k - u_l), or where that cancels, too, the mean of the ends
   times tan(x) / x.  Where all three corners are close the series does it.  Each lane goes its own way. */
CONVK_ELEMENT_ void convk_formfactor_mean_(const CONVK_V (*u)[2], const CONVK_V *a, const CONVK_V *b, const int imag,
                                           CONVK_V *mean_a, CONVK_V *mean_b) {
  const CONVK_V third = CONVK_SET_(CONVK_OF_(0.33333334f, 0.3333333333333333)), close = CONVK_SET_(CONVK_FORMFACTOR_CLOSE_);
  CONVK_V w[3][2], wide = CONVK_SET_(0);
  unsigned in;
  int k, d;
  CONVK_EACH_(k, 3)
    CONVK_EACH_(d, 1 + imag) {
      w[k][d] = CONVK_SUB_(u[k < 2 ? k + 1 : 0][d], u[k ? k - 1 : 2][d]);
      wide = CONVK_FMA_(w[k][d], w[k][d], wide);
    }
  in = CONVK_WHICH_LESS_(wide, close);
  if (in != ((1u << CONVK_LANES) - 1)) convk_formfactor_apart_((const CONVK_V(*)[2])w, a, b, wide, close, imag, mean_a, mean_b);
  if (in) {
    CONVK_V center[2], s, c, near_a, near_b, du[2], dw[2], loss = CONVK_SET_(0);
    CONVK_EACH_(d, 1 + imag) {
      center[d] = CONVK_MUL_(CONVK_ADD_(CONVK_ADD_(u[0][d], u[1][d]), u[2][d]), third);
      du[d] = CONVK_MUL_(CONVK_SUB_(w[2][d], w[1][d]), third);
      dw[d] = CONVK_MUL_(CONVK_SUB_(w[0][d], w[2][d]), third);
      CONVK_APART_(center[d])
      CONVK_APART_(du[d])
      CONVK_APART_(dw[d])
    }
    convk_half_turn_(convk_turn_left_(center[0]), &s, &c);
    if (imag) loss = convk_formfactor_half_loss_(convk_formfactor_exponent_(center[1]));
    convk_formfactor_damp_(imag, loss, s, c, &near_a, &near_b);
    convk_formfactor_bend_(CONVK_EITHER_(8, 16), CONVK_EITHER_(8, 16), du, dw, imag, &near_a, &near_b);
    *mean_a = CONVK_LESS_(wide, close, near_a, *mean_a);
    *mean_b = CONVK_LESS_(wide, close, near_b, *mean_b);
  }
}

/* Adds a triangle, g = q.a / |q|, to the sums.  conj(q).a = |q| (g - i Im q_z / |q| a_z), whose last part has its own sums. */
CONVK_ELEMENT_ void convk_formfactor_add_(CONVK_V g, CONVK_V area_z, CONVK_V a, CONVK_V b, const int imag, CONVK_V *re,
                                          CONVK_V *im, CONVK_V *re_z, CONVK_V *im_z) {
  *re = CONVK_FMA_(g, a, *re);
  *im = CONVK_FMA_(g, b, *im);
  if (imag) {
    *re_z = CONVK_FMA_(area_z, b, *re_z);
    *im_z = CONVK_FMA_(area_z, a, *im_z);
  }
}

/* The same where all components of q may be complex: h = imag_along.a, and conj(q).a = |q| (g - i h). */
CONVK_ELEMENT_ void convk_formfactor_add_full_(const int imag, CONVK_V g, CONVK_V h, CONVK_V a, CONVK_V b, CONVK_V *re,
                                               CONVK_V *im) {
  *re = CONVK_FMA_(g, a, *re);
  *im = CONVK_FMA_(g, b, *im);
  if (imag) {
    *re = CONVK_FNMA_(h, b, *re);
    *im = CONVK_FMA_(h, a, *im);
  }
}

/* Of a row of a grid and a triangle, whose E - 1 on the row's two axes are e and f: the complex factors of E_lane, that of
   q_lane last.  area: the lanes' axis first.
   Fourth order: factors of the powers 0 to 3 of q_lane, which is that of lengths times `per`.  corner: u, then w, as area.
   With D = (1 + e) (1 + f) - 1 they are those of conj(q).a (D - Q (1 + D)), where Q, the sum of (q.d_i)^2 / 24 over the
   corners, is Q_0 + q_lane Q_1 + q_lane^2 Q_2. */
CONVK_ELEMENT_ void convk_formfactor_terms_(const CONVK_V *q, const CONVK_V *q_imag, const CONVK_V *area, const CONVK_V *corner,
                                            CONVK_V per, CONVK_V er, CONVK_V ei, CONVK_V fr, CONVK_V fi, const int fourth_order,
                                            CONVK_V *term) {
  const CONVK_V g = CONVK_FMA_(q[1], area[2], CONVK_MUL_(q[0], area[1]));
  const CONVK_V h = CONVK_FMA_(q_imag[1], area[2], CONVK_MUL_(q_imag[0], area[1]));
  /* the product less 1: e + f + e f */
  CONVK_V dr = CONVK_ADD_(CONVK_ADD_(er, fr), CONVK_FNMA_(ei, fi, CONVK_MUL_(er, fr)));
  CONVK_V di = CONVK_ADD_(CONVK_ADD_(ei, fi), CONVK_FMA_(er, fi, CONVK_MUL_(ei, fr)));
  if (fourth_order) {
    const CONVK_V twelfth = CONVK_SET_(CONVK_OF_(-0.083333336f, -0.08333333333333333)), a = CONVK_MUL_(per, area[0]);
    /* q.u = p + q_lane u, q.w = s + q_lane w; 12 Q = (q.u)^2 + (q.u) (q.w) + (q.w)^2 */
    const CONVK_V u = CONVK_MUL_(per, corner[0]), w = CONVK_MUL_(per, corner[3]);
    const CONVK_V uuw = CONVK_ADD_(CONVK_ADD_(u, u), w), wwu = CONVK_ADD_(CONVK_ADD_(w, w), u);
    const CONVK_V pr = CONVK_FMA_(q[1], corner[2], CONVK_MUL_(q[0], corner[1]));
    const CONVK_V pi = CONVK_FMA_(q_imag[1], corner[2], CONVK_MUL_(q_imag[0], corner[1]));
    const CONVK_V sr = CONVK_FMA_(q[1], corner[5], CONVK_MUL_(q[0], corner[4]));
    const CONVK_V si = CONVK_FMA_(q_imag[1], corner[5], CONVK_MUL_(q_imag[0], corner[4]));
    const CONVK_V zero = CONVK_FMA_(pr, CONVK_ADD_(pr, sr), CONVK_MUL_(sr, sr));
    const CONVK_V zero_r = CONVK_FNMA_(pi, CONVK_ADD_(pi, si), CONVK_FNMA_(si, si, zero));
    const CONVK_V zero_i =
        CONVK_FMA_(pr, CONVK_ADD_(CONVK_ADD_(pi, pi), si), CONVK_MUL_(sr, CONVK_ADD_(CONVK_ADD_(si, si), pi)));
    const CONVK_V one_r = CONVK_FMA_(pr, uuw, CONVK_MUL_(sr, wwu)), one_i = CONVK_FMA_(pi, uuw, CONVK_MUL_(si, wwu));
    const CONVK_V two = CONVK_FMA_(u, CONVK_ADD_(u, w), CONVK_MUL_(w, w));
    /* times -(1 + D) / 12 */
    const CONVK_V yr = CONVK_MUL_(twelfth, CONVK_ADD_(CONVK_SET_(1), dr)), yi = CONVK_MUL_(twelfth, di);
    const CONVK_V xr = CONVK_FNMA_(one_i, yi, CONVK_MUL_(one_r, yr)), xi = CONVK_FMA_(one_i, yr, CONVK_MUL_(one_r, yi));
    const CONVK_V vr = CONVK_MUL_(two, yr), vi = CONVK_MUL_(two, yi);
    dr = CONVK_FNMA_(zero_i, yi, CONVK_FMA_(zero_r, yr, dr));
    di = CONVK_FMA_(zero_i, yr, CONVK_FMA_(zero_r, yi, di));
    term[2] = CONVK_FMA_(g, xr, CONVK_FMA_(h, xi, CONVK_MUL_(a, dr)));
    term[3] = CONVK_FMA_(g, xi, CONVK_FNMA_(h, xr, CONVK_MUL_(a, di)));
    term[4] = CONVK_FMA_(g, vr, CONVK_FMA_(h, vi, CONVK_MUL_(a, xr)));
    term[5] = CONVK_FMA_(g, vi, CONVK_FNMA_(h, vr, CONVK_MUL_(a, xi)));
    term[6] = CONVK_MUL_(a, vr);
    term[7] = CONVK_MUL_(a, vi);
  } else {
    term[2] = CONVK_MUL_(area[0], dr);
    term[3] = CONVK_MUL_(area[0], di);
  }
  term[0] = CONVK_FMA_(g, dr, CONVK_MUL_(h, di));
  term[1] = CONVK_FNMA_(h, dr, CONVK_MUL_(g, di));
}

/* Adds those `count` factors times E_lane. */
CONVK_ELEMENT_ void convk_formfactor_multiply_(CONVK_V q, const CONVK_V *term, const int count, CONVK_V er, CONVK_V ei,
                                               CONVK_V *re, CONVK_V *im) {
  CONVK_V ur = term[2 * count - 2], ui = term[2 * count - 1];
  int k;
  CONVK_UNROLL_
  for (k = count - 2; k >= 0; k--) {
    ur = CONVK_FMA_(q, ur, term[2 * k]);
    ui = CONVK_FMA_(q, ui, term[2 * k + 1]);
  }
  *re = CONVK_FNMA_(ui, ei, CONVK_FMA_(ur, er, *re));
  *im = CONVK_FMA_(ui, er, CONVK_FMA_(ur, ei, *im));
}

#undef CONVK_APART_
#undef CONVK_FORMFACTOR_CLOSE_
#undef CONVK_FORMFACTOR_SLENDER_
#undef CONVK_FORMFACTOR_TAN_BELOW_
