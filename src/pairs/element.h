/* ---- elements: pair terms ----
   CONVK_PAIRS_TERMS_: the constants of a system, in the type of the pair terms; see pairs/constants.h. */
#ifndef CONVK_PAIRS_TERMS_
#define CONVK_PAIRS_TERMS_ convk_pairs_terms_
#define CONVK_PAIRS_TERMS_ARE_HERE_
#endif
#include "pairs/coefficients.h"

/* 1 / sqrt(x), to an ulp: half the exponent from the bits (within 3.4%), a polynomial of least error in x y^2, one step more.
   It costs 13 operations of the ports that multiply, which are there in every vector unit; divisions and roots are not. */
CONVK_ELEMENT_ CONVK_V convk_pairs_rsqrt_(CONVK_V x) {
  const CONVK_V one = CONVK_SET_(1), middle = CONVK_SET_((CONVK_T)0.5);
  CONVK_V y = CONVK_ISUB_(CONVK_BITS_OF_(0x5f375a86, 0x5fe6eb50c7b537a9), CONVK_SHR_(x, 1)), u, h, p;
  u = CONVK_MUL_(CONVK_MUL_(x, y), y);
  if (sizeof(CONVK_T) == sizeof(float)) {
    p = CONVK_FMA_(u, CONVK_SET_((CONVK_T)0.3755021913), CONVK_SET_((CONVK_T)-1.252100306));
    p = CONVK_FMA_(u, p, CONVK_SET_((CONVK_T)1.8765983280));
  } else {
    p = CONVK_FMA_(u, CONVK_SET_((CONVK_T)-0.3130541223904668), CONVK_SET_((CONVK_T)1.3154413817042908));
    p = CONVK_FMA_(u, p, CONVK_SET_((CONVK_T)-2.1917208193845001));
    p = CONVK_FMA_(u, p, CONVK_SET_((CONVK_T)2.1893328136853813));
  }
  y = CONVK_MUL_(y, p);
  h = CONVK_FNMA_(CONVK_MUL_(x, y), y, one);
  p = sizeof(CONVK_T) == sizeof(float) ? middle : CONVK_FMA_(h, CONVK_SET_((CONVK_T)0.375), middle);
  return CONVK_FMA_(CONVK_MUL_(y, h), p, y);
}

/* The nearest images of differences. */
CONVK_ELEMENT_ void convk_pairs_image_(const CONVK_PAIRS_TERMS_ *c, CONVK_V *d) {
  const CONVK_V shift = CONVK_SET_(CONVK_OF_(12582912, 6755399441055744.));
  int k;
  CONVK_EACH_(k, 3) {
    const CONVK_V n = CONVK_SUB_(CONVK_FMA_(d[k], CONVK_SET_(c->inverse[k]), shift), shift);
    d[k] = CONVK_FNMA_(n, CONVK_SET_(c->period[k]), d[k]);
  }
}

/* The square of a distance, which is still to be at least that of 1 / 256. */
CONVK_ELEMENT_ CONVK_V convk_pairs_norm_(const CONVK_V *d) {
  return CONVK_FMA_(d[2], d[2], CONVK_FMA_(d[1], d[1], CONVK_MUL_(d[0], d[0])));
}

/* What pairs of r^2 = r2 and 1 / r = t (1, 0: nothing) add to the sums of the trial function, and w = u' / r. */
CONVK_ELEMENT_ CONVK_V convk_pairs_trial_(const CONVK_PAIRS_TERMS_ *c, CONVK_V r2, CONVK_V t, const int want, CONVK_V *sum,
                                          CONVK_V *product) {
  const CONVK_V s = CONVK_MUL_(t, t), a = CONVK_MUL_(t, s), s2 = CONVK_MUL_(s, s);
  CONVK_V b;
  if (want & CONVK_PAIR_LN_PSI) {
    sum[0] = CONVK_FMA_(a, s, sum[0]);
    sum[2] = CONVK_FMA_(r2, t, sum[2]);
    *product = CONVK_MUL_(*product, r2);
  }
  if (want & (CONVK_PAIR_LN_PSI | CONVK_PAIR_LAPLACIAN)) sum[1] = CONVK_FMA_(t, t, sum[1]);
  if (want & CONVK_PAIR_LAPLACIAN) {
    sum[3] = CONVK_FMA_(a, s2, sum[3]);
    sum[4] = CONVK_FMA_(s, s, sum[4]);
    sum[5] = CONVK_ADD_(sum[5], t);
  }
  if (!(want & CONVK_PAIR_GRADIENT)) return t;
  b = CONVK_FMA_(s, CONVK_FMA_(CONVK_SET_(c->w[0]), a, CONVK_SET_(c->w[1])), CONVK_SET_(c->w[2]));
  return CONVK_FMS_(s, b, CONVK_MUL_(CONVK_SET_(c->w[3]), t));
}

/* The powers of 1 / r in V, over 1 / r^6; s = 1 / r^2. */
CONVK_ELEMENT_ CONVK_V convk_pairs_powers_(const CONVK_PAIRS_TERMS_ *c, CONVK_V s) {
  const CONVK_V v = CONVK_FMA_(s, CONVK_SET_(c->distant[3]), CONVK_SET_(c->distant[2]));
  return CONVK_FMA_(s, CONVK_FMA_(s, v, CONVK_SET_(c->distant[1])), CONVK_SET_(c->distant[0]));
}

/* cos(pi z) of w = z^2 <= 1/4. */
CONVK_ELEMENT_ CONVK_V convk_pairs_cosine_(CONVK_V w) {
  CONVK_CONSTANT_ CONVK_T cosine[] = CONVK_TABLE_(CONVK_PAIRS_COS);
  CONVK_V p = CONVK_SET_(cosine[sizeof cosine / sizeof *cosine - 1]);
  int k;
  CONVK_UNROLL_
  for (k = (int)(sizeof cosine / sizeof *cosine) - 2; k >= 0; k--) p = CONVK_FMA_(w, p, CONVK_SET_(cosine[k]));
  return p;
}

/* The bump of V, of z from -1/2 to 1/2, 0 elsewhere, and what is added to it: sin + 1 is 2 cos^2 of pi z. */
CONVK_ELEMENT_ CONVK_V convk_pairs_bump_(const CONVK_PAIRS_TERMS_ *c, CONVK_V z, CONVK_V sum) {
  const CONVK_V z2 = CONVK_MUL_(z, z), quarter = CONVK_SET_((CONVK_T)0.25);
  const CONVK_V p = CONVK_LESS_(z2, quarter, convk_pairs_cosine_(CONVK_MIN_(z2, quarter)), CONVK_SET_(0));
  return CONVK_FMA_(CONVK_MUL_(CONVK_SET_(c->bump_height), p), p, sum);
}

#ifdef CONVK_PAIRS_TERMS_ARE_HERE_
#undef CONVK_PAIRS_TERMS_
#undef CONVK_PAIRS_TERMS_ARE_HERE_
#endif
