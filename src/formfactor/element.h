#include "formfactor/coefficients.h"

/* ---- elements: terms of form factors ---- */

/* A product that compilers must not fuse with the sums it goes into. */
#if CONVK_FUSES_
#define CONVK_APART_(v) CONVK_KEEP_(v);
#else
#define CONVK_APART_(v)
#endif

/* The sums of c[k] x^k, k < count, of V x together: while one waits the others work. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_horner)(const CONVK_V *x, const CONVK_T *c, const int count, CONVK_V *sum, const int V) {
  int k, v;
  CONVK_EACH_(v, V) sum[v] = CONVK_SET_(c[count - 1]);
  CONVK_UNROLL_
  for (k = count - 2; k >= 0; k--) {
    CONVK_EACH_(v, V) sum[v] = CONVK_FMA_(x[v], sum[v], CONVK_SET_(c[k]));
  }
}

CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(form_dot)(const CONVK_V *q, const CONVK_V *v) {
  return CONVK_FMA_(q[2], v[2], CONVK_FMA_(q[1], v[1], CONVK_MUL_(q[0], v[0])));
}

/* u less the nearest integer: u = 3.7 is 4 - 0.3, and gives -0.3.  A number whose last place is 1 rounds to it. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(form_turn_left)(CONVK_V u) {
#ifdef CONVK_LEFT_
  return CONVK_LEFT_(u);
#else
  const CONVK_V shift = CONVK_SET_(CONVK_OF_(12582912, 6755399441055744.));
  return CONVK_SUB_(u, CONVK_SUB_(CONVK_ADD_(u, shift), shift));
#endif
}

/* The same for u = a b, where fused without its rounding. */
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(form_product_left)(CONVK_V a, CONVK_V b) {
  const CONVK_V shift = CONVK_SET_(CONVK_OF_(12582912, 6755399441055744.));
  return CONVK_FMA_(a, b, CONVK_SUB_(shift, CONVK_FMA_(a, b, shift)));
}

/* Sines and cosines of pi f, |f| <= 1/2, of at most 2: those of pi u but for a common sign, where f is what is left of u. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_half_turns)(const CONVK_V *f, CONVK_V *s, CONVK_V *c, const int V) {
  CONVK_CONSTANT_ CONVK_T sine[] = CONVK_TABLE_(FORM_SIN);
  CONVK_CONSTANT_ CONVK_T cosine[] = CONVK_TABLE_(FORM_COS);
  CONVK_V z[2];
  int v;
  CONVK_EACH_(v, V) z[v] = CONVK_MUL_(f[v], f[v]);
  CONVK_KERNEL_(form_horner)(z, sine, CONVK_COUNT_(sine), s, V);
  CONVK_EACH_(v, V) s[v] = CONVK_MUL_(f[v], s[v]);
  CONVK_KERNEL_(form_horner)(z, cosine, CONVK_COUNT_(cosine), c, V);
  CONVK_EACH_(v, V) c[v] = CONVK_FMA_(z[v], c[v], CONVK_SET_(1));
}
CONVK_ELEMENT_ void CONVK_KERNEL_(form_half_turn)(CONVK_V f, CONVK_V *s, CONVK_V *c) {
  CONVK_KERNEL_(form_half_turns)(&f, s, c, 1);
}

/* (1 - 2^e) / 2 of at most 2, for e <= 126 or 1022; the power is 2^-125 or 2^-1021 at least. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_half_losses)(CONVK_V *e, const int V) {
  CONVK_CONSTANT_ CONVK_T power[] = CONVK_TABLE_(FORM_EXP);
  const CONVK_V bias = CONVK_SET_(CONVK_OF_(12582912 + 126, 6755399441055744. + 1022));
  CONVK_V t[2], r[2], scale[2], p[2];
  int v;
  CONVK_EACH_(v, V) {
    e[v] = CONVK_MAX_(CONVK_SET_(CONVK_OF_(-125, -1021)), e[v]);
    t[v] = CONVK_ADD_(e[v], bias);
    r[v] = CONVK_SUB_(e[v], CONVK_SUB_(t[v], bias));
    scale[v] = CONVK_SHL_(t[v], CONVK_FRACTION_); /* 2^(n - 1) */
  }
  CONVK_KERNEL_(form_horner)(r, power, CONVK_COUNT_(power), p, V);
  CONVK_EACH_(v, V) {
    p[v] = CONVK_MUL_(r[v], p[v]);
    e[v] = CONVK_FMA_(scale[v], p[v], CONVK_SUB_(CONVK_SET_((CONVK_T)0.5f), scale[v]));
  }
}
CONVK_ELEMENT_ CONVK_V CONVK_KERNEL_(form_half_loss)(CONVK_V e) {
  CONVK_KERNEL_(form_half_losses)(&e, 1);
  return e;
}

/* (exp(i q.r) - 1) / 2 = -a + i b from the half turn's sine and cosine.  With h = q.r / 2 = pi u it is -sin^2 h + i sin h cos h:
   both have the period pi, so that u goes to the nearest integer and no quadrant matters.  Complex q.r (imag) has a factor
   e = exp(-Im q.r): -(e sin^2 h + loss) + i e sin h cos h, where loss = (1 - e) / 2. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_damp)(const int imag, CONVK_V loss, CONVK_V s, CONVK_V c, CONVK_V *a, CONVK_V *b) {
  if (imag) {
    const CONVK_V es = CONVK_MUL_(CONVK_FNMA_(CONVK_SET_(2), loss, CONVK_SET_(1)), s); /* the product with 2 is exact */
    *a = CONVK_FMA_(es, s, loss);
    *b = CONVK_MUL_(es, c);
  } else {
    *a = CONVK_MUL_(s, s);
    *b = CONVK_MUL_(s, c);
  }
}

/* Fourth order: the factor 1 - 2 d on exp(i q.r), d = sum of (q.d_i)^2 / 48 over the corners.  turns: q / (2 pi), it: its
   imaginary part of z; u, w: two corners from the centroid. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_correct)(const CONVK_V *turns, CONVK_V it, const CONVK_V *u, const CONVK_V *w,
                                                const int imag, CONVK_V *a, CONVK_V *b) {
  const CONVK_V square = CONVK_SET_((CONVK_T)(CONVK_EITHER_(1.64493402f, 39.47841760435743 / 24))); /* (2 pi)^2 / 24 */
  const CONVK_V du = CONVK_KERNEL_(form_dot)(turns, u), dw = CONVK_KERNEL_(form_dot)(turns, w), a0 = *a, b0 = *b;
  CONVK_V dr = CONVK_FMA_(du, CONVK_ADD_(du, dw), CONVK_MUL_(dw, dw)), twice;
  if (imag) {
    const CONVK_V eu = CONVK_MUL_(it, u[2]), ew = CONVK_MUL_(it, w[2]);
    CONVK_V di = CONVK_MUL_(dw, CONVK_ADD_(CONVK_ADD_(ew, ew), eu));
    dr = CONVK_SUB_(dr, CONVK_FMA_(eu, CONVK_ADD_(eu, ew), CONVK_MUL_(ew, ew)));
    di = CONVK_MUL_(CONVK_FMA_(du, CONVK_ADD_(CONVK_ADD_(eu, eu), ew), di), square);
    CONVK_APART_(di)
    twice = CONVK_ADD_(di, di);
    *a = CONVK_FNMA_(twice, b0, *a);
    *b = CONVK_SUB_(CONVK_FMA_(twice, a0, *b), di);
  }
  dr = CONVK_MUL_(dr, square);
  CONVK_APART_(dr)
  twice = CONVK_ADD_(dr, dr);
  *a = CONVK_ADD_(CONVK_FNMA_(twice, a0, *a), dr);
  *b = CONVK_FNMA_(twice, b0, *b);
}

/* Adds a triangle, g = q.a / |q|, to the sums.  conj(q).a = |q| (g - i Im q_z / |q| a_z): what the last part takes has sums of its
   own. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_add)(CONVK_V g, CONVK_V area_z, CONVK_V a, CONVK_V b, const int imag, CONVK_V *re,
                                            CONVK_V *im, CONVK_V *re_z, CONVK_V *im_z) {
  *re = CONVK_FMA_(g, a, *re);
  *im = CONVK_FMA_(g, b, *im);
  if (imag) {
    *re_z = CONVK_FMA_(area_z, b, *re_z);
    *im_z = CONVK_FMA_(area_z, a, *im_z);
  }
}

/* Of a row of a grid and a triangle, whose E - 1 on the row's two axes are e and f: the two complex factors of E_lane, that of q_lane
   last.  area: the lanes' axis first. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_terms)(const CONVK_V *q, const CONVK_V *q_imag, const CONVK_V *area, CONVK_V er,
                                              CONVK_V ei, CONVK_V fr, CONVK_V fi, CONVK_V *term) {
  const CONVK_V g = CONVK_FMA_(q[1], area[2], CONVK_MUL_(q[0], area[1]));
  const CONVK_V h = CONVK_FMA_(q_imag[1], area[2], CONVK_MUL_(q_imag[0], area[1]));
  /* the product less 1: e + f + e f */
  const CONVK_V dr = CONVK_ADD_(CONVK_ADD_(er, fr), CONVK_FNMA_(ei, fi, CONVK_MUL_(er, fr)));
  const CONVK_V di = CONVK_ADD_(CONVK_ADD_(ei, fi), CONVK_FMA_(er, fi, CONVK_MUL_(ei, fr)));
  term[0] = CONVK_FMA_(g, dr, CONVK_MUL_(h, di));
  term[1] = CONVK_FNMA_(h, dr, CONVK_MUL_(g, di));
  term[2] = CONVK_MUL_(area[0], dr);
  term[3] = CONVK_MUL_(area[0], di);
}

/* Adds those factors times E_lane. */
CONVK_ELEMENT_ void CONVK_KERNEL_(form_multiply)(CONVK_V q, const CONVK_V *term, CONVK_V er, CONVK_V ei, CONVK_V *re,
                                                 CONVK_V *im) {
  const CONVK_V ur = CONVK_FMA_(q, term[2], term[0]), ui = CONVK_FMA_(q, term[3], term[1]);
  *re = CONVK_FNMA_(ui, ei, CONVK_FMA_(ur, er, *re));
  *im = CONVK_FMA_(ui, er, CONVK_FMA_(ur, ei, *im));
}

#undef CONVK_APART_
