#define CONVK_LN2_HIGH_ CONVK_OF_(0.69314575f, 0.6931471805598903) /* 16 and 42 digits: exact times any exponent */
#define CONVK_LN2_LOW_ CONVK_OF_(1.4286068e-06f, 5.497923018708371e-14)

/* ---- exponential functions ----
   x = n ln 2 + r with |r| <= ln(2) / 2 and e^x = 2^n e^r.  n is rounded by adding a number so large that its last place is 1,
   which leaves n, raised by twice the bias of an exponent, in the last bits of the sum t.  ln 2 is a high part of few digits,
   whose product with n is exact, and a low part. */
#define CONVK_EXP_SHIFT_ CONVK_OF_(12582912.f + 254, 6755399441055744. + 2046)
#include "elementary/coefficients.h"

#define CONVK_TOGETHER_ 4 /* most vectors of a step */

/* n and t of each x, and what is left in `high` before the low part of ln 2 is subtracted. */
CONVK_ELEMENT_ void convk_vexp_reduce_(const CONVK_V *x, CONVK_V shift, CONVK_V *n, CONVK_V *t, CONVK_V *high,
                                       const int count) {
  const CONVK_V log2e = CONVK_SET_(CONVK_OF_(1.442695f, 1.4426950408889634));
  int i;
  CONVK_EACH_(i, count) t[i] = CONVK_FMA_(x[i], log2e, shift);
  CONVK_EACH_(i, count) n[i] = CONVK_SUB_(t[i], shift);
  CONVK_EACH_(i, count) high[i] = CONVK_FMA_(n[i], CONVK_SET_(-CONVK_LN2_HIGH_), x[i]);
}

/* p = q(r) of each without its first so many terms, divided by their power of r. */
CONVK_ELEMENT_ void convk_vexp_poly_(const CONVK_V *r, CONVK_V *p, const int first, const int count) {
  CONVK_CONSTANT_ CONVK_T q[] = CONVK_TABLE_(CONVK_EXP);
  int i, k = CONVK_COUNT_(q) - 1;
  CONVK_EACH_(i, count) p[i] = CONVK_SET_(q[k]);
  CONVK_UNROLL_
  for (k--; k >= first; k--) {
    CONVK_EACH_(i, count) p[i] = CONVK_FMA_(r[i], p[i], CONVK_SET_(q[k]));
  }
}

/* v 2^n in two factors, so that all n with a result have factors. */
CONVK_ELEMENT_ CONVK_V convk_vscale_(CONVK_V v, CONVK_V n, CONVK_V t) {
#ifdef CONVK_SCALE_
  (void)t;
  return CONVK_SCALE_(v, n);
#else
  const CONVK_V first = CONVK_SHR_(t, 1), rest = CONVK_ISUB_(t, first);
  (void)n;
  return CONVK_MUL_(CONVK_MUL_(v, CONVK_SHL_(first, CONVK_FRACTION_)), CONVK_SHL_(rest, CONVK_FRACTION_));
#endif
}

/* p = e^r = 1 + r + r^2 q(r) of each. */
CONVK_ELEMENT_ void convk_vexp_near_(const CONVK_V *r, CONVK_V *p, const int count) {
  const CONVK_V one = CONVK_SET_(1);
  int i;
  convk_vexp_poly_(r, p, 0, count);
#if CONVK_FUSES_
  CONVK_EACH_(i, count) p[i] = CONVK_FMA_(r[i], p[i], one);
  CONVK_EACH_(i, count) p[i] = CONVK_FMA_(r[i], p[i], one);
#else /* one rounding less of 1 */
  CONVK_EACH_(i, count) p[i] = CONVK_FMA_(CONVK_MUL_(r[i], r[i]), p[i], r[i]);
  CONVK_EACH_(i, count) p[i] = CONVK_ADD_(one, p[i]);
#endif
}

/* e^x of each as p 2^n.  Where the scaling takes any n, infinite or NaN too, it is enough to keep r small. */
CONVK_ELEMENT_ void convk_vexp_parts_(CONVK_V *x, CONVK_V *p, CONVK_V *n, CONVK_V *t, const int count) {
  CONVK_V r[CONVK_TOGETHER_];
  int i;
#ifndef CONVK_SCALE_
  const CONVK_V least = CONVK_SET_(CONVK_OF_(-104, -746)), greatest = CONVK_SET_(CONVK_OF_(89, 710));
  CONVK_EACH_(i, count) x[i] = CONVK_MAX_(least, CONVK_MIN_(greatest, x[i]));
#endif
  convk_vexp_reduce_(x, CONVK_SET_(CONVK_EXP_SHIFT_), n, t, r, count);
  CONVK_EACH_(i, count) r[i] = CONVK_FMA_(n[i], CONVK_SET_(-CONVK_LN2_LOW_), r[i]);
#ifdef CONVK_SCALE_
  CONVK_EACH_(i, count) r[i] = CONVK_NEARER_(r[i], CONVK_SET_(1));
#endif
  convk_vexp_near_(r, p, count);
}

CONVK_ELEMENT_ void convk_vexp_of_(CONVK_V *x, const int count) {
  CONVK_V n[CONVK_TOGETHER_], t[CONVK_TOGETHER_], p[CONVK_TOGETHER_];
  int i;
  convk_vexp_parts_(x, p, n, t, count);
  CONVK_EACH_(i, count) x[i] = convk_vscale_(p[i], n[i], t[i]);
}

CONVK_ELEMENT_ CONVK_V convk_vexp_(CONVK_V x) {
  convk_vexp_of_(&x, 1);
  return x;
}

/* e^x - 1 = 2^n (1 - 2^-n + r + r^2 q(r)) of each.  1 - 2^-n = a + b is a sum of two parts, and so is that with r and r^2 / 2,
   in which also counts what r has lost: near x = ln(2) / 2 half is subtracted of what rounds. */
CONVK_ELEMENT_ void convk_vexpm1_of_(CONVK_V *x, const int count) {
  const CONVK_V one = CONVK_SET_(1), a_half = CONVK_SET_((CONVK_T)0.5f), low = CONVK_SET_(-CONVK_LN2_LOW_);
  const CONVK_V least = CONVK_SET_(CONVK_OF_(-18, -38)), greatest = CONVK_SET_(CONVK_OF_(89, 710));
  CONVK_V n[CONVK_TOGETHER_], t[CONVK_TOGETHER_], r[CONVK_TOGETHER_], p[CONVK_TOGETHER_], a[CONVK_TOGETHER_];
  CONVK_V b[CONVK_TOGETHER_], h[CONVK_TOGETHER_], l[CONVK_TOGETHER_], high[CONVK_TOGETHER_], r2[CONVK_TOGETHER_];
  CONVK_V s[CONVK_TOGETHER_];
  int i;
  CONVK_EACH_(i, count) s[i] = CONVK_AND_(x[i], CONVK_SIGN_); /* the result's, also of zeros */
  CONVK_EACH_(i, count) x[i] = CONVK_MAX_(least, CONVK_MIN_(greatest, x[i]));
  convk_vexp_reduce_(x, CONVK_SET_(CONVK_EXP_SHIFT_), n, t, high, count);
  CONVK_EACH_(i, count) r[i] = CONVK_FMA_(n[i], low, high[i]);
  CONVK_EACH_(i, count) {
    CONVK_V v = CONVK_ISUB_(CONVK_SET_((CONVK_T)-0.25f), CONVK_SHL_(t[i], CONVK_FRACTION_));
    v = CONVK_MAX_(CONVK_SET_(0), v); /* 2^-n, but 0 for the last two n */
    a[i] = CONVK_SUB_(one, v);
    b[i] = CONVK_SUB_(CONVK_SUB_(one, a[i]), v); /* 0 where v > 1 */
  }
  CONVK_EACH_(i, count) h[i] = CONVK_ADD_(a[i], high[i]);
  CONVK_EACH_(i, count) r2[i] = CONVK_MUL_(r[i], r[i]);
  CONVK_EACH_(i, count) l[i] = CONVK_ADD_(CONVK_ADD_(CONVK_SUB_(a[i], h[i]), high[i]), b[i]);
  convk_vexp_poly_(r, p, 1, count);
  CONVK_EACH_(i, count) l[i] = CONVK_FMA_(n[i], low, l[i]);
  CONVK_EACH_(i, count) l[i] = CONVK_FMA_(r[i], CONVK_FMA_(n[i], low, CONVK_SUB_(high[i], r[i])), l[i]);
  CONVK_EACH_(i, count) a[i] = h[i];
  CONVK_EACH_(i, count) h[i] = CONVK_FMA_(r2[i], a_half, a[i]);
  CONVK_EACH_(i, count) l[i] = CONVK_ADD_(l[i], CONVK_FMA_(r2[i], a_half, CONVK_SUB_(a[i], h[i])));
  CONVK_EACH_(i, count) l[i] = CONVK_FMA_(CONVK_MUL_(r2[i], r[i]), p[i], l[i]);
  CONVK_EACH_(i, count) x[i] = CONVK_OR_(convk_vscale_(CONVK_ADD_(h[i], l[i]), n[i], t[i]), s[i]);
}

CONVK_ELEMENT_ CONVK_V convk_vexpm1_(CONVK_V x) {
  convk_vexpm1_of_(&x, 1);
  return x;
}
