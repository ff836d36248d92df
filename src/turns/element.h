#include "turns/coefficients.h"

/* ---- sines and cosines of phases in turns ---- */

/* The sums of c[k] x^k, k < count, of so many x together: while one waits the others work. */
CONVK_ELEMENT_ void convk_horner_(const CONVK_V *x, const CONVK_T *c, const int count, CONVK_V *sum, const int vectors) {
  int k, v;
  CONVK_EACH_(v, vectors) sum[v] = CONVK_SET_(c[count - 1]);
  CONVK_UNROLL_
  for (k = count - 2; k >= 0; k--) {
    CONVK_EACH_(v, vectors) sum[v] = CONVK_FMA_(x[v], sum[v], CONVK_SET_(c[k]));
  }
}

/* u less the nearest integer: u = 3.7 is 4 - 0.3, and gives -0.3.  A number whose last place is 1 rounds to it. */
CONVK_ELEMENT_ CONVK_V convk_turn_left_(CONVK_V u) {
#ifdef CONVK_LEFT_
  return CONVK_LEFT_(u);
#else
  const CONVK_V shift = CONVK_SET_(CONVK_OF_(12582912, 6755399441055744.));
  return CONVK_SUB_(u, CONVK_SUB_(CONVK_ADD_(u, shift), shift));
#endif
}

/* The same for u = a b, where fused without its rounding. */
CONVK_ELEMENT_ CONVK_V convk_turn_product_left_(CONVK_V a, CONVK_V b) {
  const CONVK_V shift = CONVK_SET_(CONVK_OF_(12582912, 6755399441055744.));
  return CONVK_FMA_(a, b, CONVK_SUB_(shift, CONVK_FMA_(a, b, shift)));
}

/* Sines and cosines of pi f, |f| <= 1/2, of at most 2: those of pi u but for a common sign, where f is what is left of u. */
CONVK_ELEMENT_ void convk_half_turns_(const CONVK_V *f, CONVK_V *s, CONVK_V *c, const int vectors) {
  CONVK_CONSTANT_ CONVK_T sine[] = CONVK_TABLE_(CONVK_TURNS_SIN);
  CONVK_CONSTANT_ CONVK_T cosine[] = CONVK_TABLE_(CONVK_TURNS_COS);
  CONVK_V z[2];
  int v;
  CONVK_EACH_(v, vectors) z[v] = CONVK_MUL_(f[v], f[v]);
  convk_horner_(z, sine, CONVK_COUNT_(sine), s, vectors);
  CONVK_EACH_(v, vectors) s[v] = CONVK_MUL_(f[v], s[v]);
  convk_horner_(z, cosine, CONVK_COUNT_(cosine), c, vectors);
  CONVK_EACH_(v, vectors) c[v] = CONVK_FMA_(z[v], c[v], CONVK_SET_(1));
}
CONVK_ELEMENT_ void convk_half_turn_(CONVK_V f, CONVK_V *s, CONVK_V *c) { convk_half_turns_(&f, s, c, 1); }
