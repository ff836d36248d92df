#include "elementary/exponential.h"

/* The sum of c[k] x^k for k < count, even and odd powers apart: half as long a wait for one multiplication more. */
CONVK_ELEMENT_ CONVK_V convk_vpoly_(CONVK_V x, CONVK_V x2, const CONVK_T *c, const int count) {
  CONVK_V even = CONVK_SET_(c[(count - 1) & ~1]), odd = CONVK_SET_(c[(count - 2) | 1]);
  int k;
  CONVK_UNROLL_
  for (k = ((count - 1) & ~1) - 2; k >= 0; k -= 2) even = CONVK_FMA_(x2, even, CONVK_SET_(c[k]));
  CONVK_UNROLL_
  for (k = ((count - 2) | 1) - 2; k >= 0; k -= 2) odd = CONVK_FMA_(x2, odd, CONVK_SET_(c[k]));
  return CONVK_FMA_(x, odd, even);
}

/* ---- logarithm ----
   x = 2^k m with 3/4 <= m < 3/2, f = m - 1, s = f / (2 + f): log(1 + f) = 2 s + s z P(z) with z = s^2
   = f - (f^2 / 2 - s (f^2 / 2 + z P(z))), in which f is exact and all else is small.  k ln 2 + f is kept in two parts. */

/* m and k of x, which is positive and normal.  bias: CONVK_LOG_BIAS_, and n more gives k - n. */
CONVK_ELEMENT_ CONVK_V convk_vsplit_(CONVK_V x, CONVK_V bias, CONVK_V *k) {
  /* x less a quarter of a binade: its exponent is k's, counted from that of 1/2 */
  const CONVK_V lower = CONVK_ISUB_(x, CONVK_BITS_OF_(0x00400000, 0x0008000000000000));
  const CONVK_V whole = CONVK_SET_(CONVK_OF_(8388608, 4503599627370496.)); /* whose last place is 1 */
  *k = CONVK_SUB_(CONVK_OR_(CONVK_SHR_(lower, CONVK_FRACTION_), whole), bias);
  return CONVK_IADD_(CONVK_AND_(lower, CONVK_BITS_OF_(0x007fffff, 0x000fffffffffffff)),
                     CONVK_BITS_OF_(0x3f400000, 0x3fe8000000000000));
}
#define CONVK_LOG_BIAS_ CONVK_OF_(8388608.f + 126, 4503599627370496. + 1022)

/* log(2^k m). */
CONVK_ELEMENT_ CONVK_V convk_vlog_of_(CONVK_V m, CONVK_V k) {
  CONVK_CONSTANT_ CONVK_T p[] = CONVK_TABLE_(CONVK_LOG);
  CONVK_V f, s, z, w, g, h, l;
  f = CONVK_SUB_(m, CONVK_SET_(1));
  s = CONVK_DIV_(f, CONVK_SUB_(CONVK_SET_(-1), m)); /* -s */
  z = CONVK_MUL_(s, s);
  w = CONVK_MUL_(CONVK_SET_((CONVK_T)-0.5f), f);
  h = CONVK_FMA_(k, CONVK_SET_(CONVK_LN2_HIGH_), f);
  l = CONVK_SUB_(f, CONVK_FMA_(k, CONVK_SET_(-CONVK_LN2_HIGH_), h));
  l = CONVK_FMA_(w, f, CONVK_FMA_(k, CONVK_SET_(CONVK_LN2_LOW_), l));
  g = CONVK_FMA_(z, convk_vpoly_(z, CONVK_MUL_(z, z), p, CONVK_COUNT_(p)), CONVK_MUL_(w, f));
  return CONVK_ADD_(h, CONVK_FMA_(s, g, l));
}

#ifdef CONVK_ALL_NORMAL_
/* Of x which CONVK_ALL_NORMAL_ takes. */
CONVK_ELEMENT_ CONVK_V convk_vlog_normal_(CONVK_V x) {
  CONVK_V k, m = convk_vsplit_(x, CONVK_SET_(CONVK_LOG_BIAS_), &k);
  return convk_vlog_of_(m, k);
}
#endif

CONVK_ELEMENT_ CONVK_V convk_vlog_(CONVK_V x) {
#ifdef CONVK_MANTISSA_
  const CONVK_V m = CONVK_MANTISSA_(x);
  return CONVK_LOG_ENDS_(convk_vlog_of_(m, CONVK_SUB_(CONVK_EXPONENT_(x), CONVK_EXPONENT_(m))), x);
#else
  const CONVK_V least = CONVK_BITS_OF_(0x00800000, 0x0010000000000000); /* normal number */
  const CONVK_V times = CONVK_SET_(CONVK_OF_(33554432, 18014398509481984.));
  const CONVK_V bias = CONVK_SET_(CONVK_LOG_BIAS_);
  const CONVK_V bias_times = CONVK_SET_(CONVK_OF_(8388608.f + 126 + 25, 4503599627370496. + 1022 + 54));
  const CONVK_V zero = CONVK_SET_(0), infinite = CONVK_INFINITE_;
  CONVK_V y = x, from = bias, k, m, h, l;
#ifdef CONVK_ANY_LESS_
  if (CONVK_UNLIKELY_(CONVK_ANY_LESS_(x, least)))
#endif
  {
    y = CONVK_MUL_(x, CONVK_LESS_(x, least, times, CONVK_SET_(1))); /* times 1, so that nothing large overflows */
    from = CONVK_LESS_(x, least, bias_times, bias);
  }
  m = convk_vsplit_(y, from, &k);
  h = convk_vlog_of_(m, k);
  /* 0 and what is negative; then infinity and NaN */
  l = CONVK_LESS_(x, zero, CONVK_BITS_OF_(0xffc00000, 0xfff8000000000000), CONVK_XOR_(infinite, CONVK_SIGN_));
  return CONVK_LESS_(x, infinite, CONVK_LESS_(zero, x, h, l), CONVK_ADD_(x, infinite));
#endif
}

/* ---- sine and cosine ----
   x = n pi/2 + r + lo with |r| <= pi/4.  pi/2 is cut into parts: the first subtract exactly, the next leave a difference and
   its rounding error, the last one's own rounding does not count.  Fused, a part has all digits, and its product with n is
   known in two parts; else so few that products with n, of 17 (f32) or 30 (f64) digits, are exact; f32 then uses doubles. */
#define CONVK_SINCOS_FAR_ CONVK_OF_(131072, 1073741824)

/* r and lo of x = n pi/2 + r + lo, for x up to the limit. */
CONVK_ELEMENT_ CONVK_V convk_vreduce_(CONVK_V x, CONVK_V n, CONVK_V *lo) {
#if CONVK_FUSES_
  CONVK_CONSTANT_ CONVK_T part[] = CONVK_TABLE_(CONVK_HALF_PI);
  const CONVK_V next = CONVK_SET_(-part[1]), high = CONVK_FMA_(n, CONVK_SET_(-part[0]), x);
  CONVK_V p = CONVK_MUL_(n, CONVK_SET_(part[1])), r, e;
  CONVK_KEEP_(p); /* a product that compilers must not fuse */
  r = CONVK_SUB_(high, p);
  e = CONVK_ADD_(CONVK_SUB_(CONVK_SUB_(high, r), p), CONVK_FMA_(n, next, p));
  *lo = CONVK_FMA_(n, CONVK_SET_(-part[2]), e);
  return r;
#else
  static const double part[] = CONVK_TABLE_(CONVK_HALF_PI_CUT);
  const size_t last = sizeof part / sizeof *part - 1, parts = CONVK_LANES / CONVK_DLANES_;
  CONVK_V r = x, next, e;
  size_t k;
  if (sizeof(CONVK_T) == sizeof(float)) {
    CONVK_D d[CONVK_LANES / CONVK_DLANES_];
    CONVK_EACH_(k, parts) {
      const CONVK_D m = CONVK_DPART_(n, k);
      d[k] = CONVK_DFMA_(m, CONVK_DSET_(-part[1]), CONVK_DFMA_(m, CONVK_DSET_(-part[0]), CONVK_DPART_(x, k)));
    }
    r = CONVK_JOIN_(d);
    CONVK_EACH_(k, parts) d[k] = CONVK_DFMA_(CONVK_DPART_(r, k), CONVK_DSET_(-1), d[k]);
    *lo = CONVK_JOIN_(d);
    return r;
  }
  *lo = CONVK_SET_(0);
  CONVK_EACH_(k, last) {
    const CONVK_V p = CONVK_SET_((CONVK_T)-part[k]);
    next = CONVK_FMA_(n, p, r);
    if (k >= 2) {
      e = CONVK_FMA_(n, p, CONVK_SUB_(r, next));
      *lo = k == 2 ? e : CONVK_ADD_(*lo, e);
    }
    r = next;
  }
  *lo = CONVK_FMA_(n, CONVK_SET_((CONVK_T)-part[last]), *lo);
  return r;
#endif
}

/* n pi/2 + r + lo = x for 0 <= x up to the limit; n in the last bits of the result. */
CONVK_ELEMENT_ CONVK_V convk_vreduce_near_(CONVK_V x, CONVK_V *r, CONVK_V *lo) {
  const CONVK_V shift = CONVK_SET_(CONVK_OF_(12582912, 6755399441055744.));
  const CONVK_V t = CONVK_FMA_(x, CONVK_SET_(CONVK_OF_(0.63661975f, 0.6366197723675814)), shift);
  *r = convk_vreduce_(x, CONVK_SUB_(t, shift), lo);
  return t;
}

/* The same for finite elements beyond the limit, of v = x, n, r, lo. */
CONVK_ELEMENT_RARE_ void convk_vreduce_far_(CONVK_V *v) {
  const CONVK_UNSIGNED_ limit = CONVK_EITHER_(UINT32_C(0x48000000), UINT64_C(0x41d0000000000000)); /* its bits */
  const CONVK_UNSIGNED_ infinite = CONVK_EITHER_(UINT32_C(0x7f800000), UINT64_C(0x7ff0000000000000));
  CONVK_UNSIGNED_ u[4][CONVK_LANES];
  int i, k;
  for (i = 0; i < 4; i++) CONVK_TO_BITS_(u[i], v[i]);
  for (k = 0; k < CONVK_LANES; k++) {
    uint64_t part[2];
    if (u[0][k] <= limit || u[0][k] >= infinite) continue;
    u[1][k] = convk_reduce_far_(u[0][k], CONVK_FRACTION_ + 1, part);
    u[2][k] = (CONVK_UNSIGNED_)part[0];
    u[3][k] = (CONVK_UNSIGNED_)part[1];
  }
  for (i = 1; i < 4; i++) CONVK_FROM_BITS_(v[i], u[i]);
}

/* Of x, where |x| = n pi/2 + r + lo with n in the last bits of t. */
CONVK_ELEMENT_ void convk_vsincos_of_(CONVK_V x, CONVK_V t, CONVK_V r, CONVK_V lo, CONVK_V *sine, CONVK_V *cosine) {
  CONVK_CONSTANT_ CONVK_T s[] = CONVK_TABLE_(CONVK_SIN), c[] = CONVK_TABLE_(CONVK_COS);
  const CONVK_V one = CONVK_SET_(1), sign = CONVK_SIGN_;
  CONVK_V z, z2, h, e, p, q, odd, swap, flip;
  z = CONVK_MUL_(r, r);
  z2 = CONVK_MUL_(z, z);
  /* 1 - z / 2 is h - e; cos(r + lo) has - r lo too, and sin(r + lo) almost lo h */
  h = CONVK_FMA_(z, CONVK_SET_((CONVK_T)-0.5f), one);
  e = CONVK_FMA_(r, lo, CONVK_FMA_(z, CONVK_SET_((CONVK_T)0.5f), CONVK_SUB_(h, one)));
  q = CONVK_SUB_(h, CONVK_FMA_(z2, convk_vpoly_(z, z2, c, CONVK_COUNT_(c)), e));
  lo = CONVK_MUL_(lo, h);
  p = CONVK_ADD_(r, CONVK_FMA_(CONVK_MUL_(z, r), convk_vpoly_(z, z2, s, CONVK_COUNT_(s)), lo));
  /* odd quadrants swap the two; the sine is negative in the last two, the cosine in the middle two */
  odd = CONVK_ISUB_(CONVK_SET_(0), CONVK_AND_(t, CONVK_BITS_(1)));
  swap = CONVK_AND_(CONVK_XOR_(p, q), odd);
  flip = CONVK_SHL_(t, CONVK_EITHER_(30, 62));
  *sine = CONVK_XOR_(CONVK_XOR_(p, swap), CONVK_AND_(CONVK_XOR_(flip, x), sign));
  *cosine = CONVK_XOR_(CONVK_XOR_(q, swap), CONVK_AND_(CONVK_XOR_(flip, CONVK_SHL_(t, CONVK_EITHER_(31, 63))), sign));
}

CONVK_ELEMENT_ void convk_vsincos_(CONVK_V x, CONVK_V *sine, CONVK_V *cosine) {
  const CONVK_V a = CONVK_XOR_(x, CONVK_AND_(x, CONVK_SIGN_)); /* |x|: so a zero keeps its sign */
  CONVK_V r, lo, t = convk_vreduce_near_(a, &r, &lo);
  if (CONVK_UNLIKELY_(CONVK_ANY_LESS_(CONVK_SET_(CONVK_SINCOS_FAR_), a))) {
    CONVK_V v[4];
    v[0] = a;
    v[1] = t;
    v[2] = r;
    v[3] = lo;
    convk_vreduce_far_(v);
    t = v[1];
    r = v[2];
    lo = v[3];
  }
  convk_vsincos_of_(x, t, r, lo, sine, cosine);
}
