/* ---- exponentials of products ----
   2^(a s) for a = A + B in two parts: a s = n + f with n the nearest integer to A s, found as in vexp.  A s - n is exact but
   for its last rounding, so that f has lost less than 2^-25 (f32) of a s, however large it is.
   2^f = 1 + f (c1 + f p(f)) with p of least relative error: 2^-27.9, 2^-55.7, most of it from c1 = ln 2.
   Processors take a hundred cycles and more for a number below the smallest normal one, so none is ever made: s is kept to
   `top`, where the result is a little above that number, and what is below the limit, which is a little above that again,
   becomes 0. */
#include "gaussian/coefficients.h"

#define CONVK_GAUSSIAN_GROUP_ (CONVK_FUSES_ ? 4 : 1) /* vectors on their way together */
/* p 2^n, where the last bits of t are n, or with CONVK_GAUSSIAN_LARGE_ what vscale wants. */
CONVK_ELEMENT_ CONVK_V convk_gaussian_scaled_(CONVK_V p, CONVK_V n, CONVK_V t, int mode) {
  if (CONVK_UNLIKELY_(mode & CONVK_GAUSSIAN_LARGE_)) return convk_vscale_(p, n, t);
  return CONVK_IADD_(p, CONVK_SHL_(t, CONVK_FRACTION_));
}

#define CONVK_GAUSSIAN_SHIFT_(mode) \
  ((mode)&CONVK_GAUSSIAN_LARGE_ ? CONVK_EXP_SHIFT_ : CONVK_OF_(12582912, 6755399441055744.)) /* whose last bits are 0 */

#if !CONVK_FUSES_
/* The first half of the digits of a factor, whose products with such halves are exact. */
#define CONVK_HALF_OF_(v) CONVK_AND_(v, CONVK_BITS_OF_(0xfffff000, 0xfffffffff8000000))

/* What x = a s has lost. */
CONVK_ELEMENT_ CONVK_V convk_gaussian_lost_(CONVK_V a, CONVK_V s, CONVK_V x) {
  const CONVK_V ah = CONVK_HALF_OF_(a), al = CONVK_SUB_(a, ah), sh = CONVK_HALF_OF_(s), sl = CONVK_SUB_(s, sh);
  return CONVK_FMA_(al, sl, CONVK_FMA_(al, sh, CONVK_FMA_(ah, sl, CONVK_SUB_(CONVK_MUL_(ah, sh), x))));
}
#endif

/* count vectors g = 2^((a + b) s), in the mul-add class e^(a s) with one multiplication; a, b, top vary (da), or s and lo do
   (ds).  more: what s and the product have lost counts, too.  mode: where results may be out of range. */
CONVK_ELEMENT_ void convk_gaussian_some_(const CONVK_V *a, const CONVK_V *b, const CONVK_V *top, const CONVK_V *s,
                                         const CONVK_V *lo, CONVK_V *g, const int count, const int da, const int ds, int mode,
                                         int more) {
  const CONVK_V shift = CONVK_SET_(CONVK_GAUSSIAN_SHIFT_(mode));
  CONVK_V x[CONVK_GAUSSIAN_GROUP_], t[CONVK_GAUSSIAN_GROUP_], n[CONVK_GAUSSIAN_GROUP_], f[CONVK_GAUSSIAN_GROUP_];
  int u;
  CONVK_EACH_(u, count) x[u] = s[u * ds];
  if (mode & (CONVK_GAUSSIAN_FAR_ | CONVK_GAUSSIAN_LARGE_)) {
    CONVK_EACH_(u, count) x[u] = CONVK_MIN_(x[u], top[u * da]);
  }
#if CONVK_FUSES_
  {
    CONVK_CONSTANT_ CONVK_T c[] = CONVK_TABLE_(CONVK_EXP2);
    const CONVK_V c1 = CONVK_SET_(CONVK_OF_(0.693147182f, 0.69314718055994529)), one = CONVK_SET_(1);
    int k;
    CONVK_EACH_(u, count) {
      t[u] = CONVK_FMA_(a[u * da], x[u], shift);
      n[u] = CONVK_SUB_(t[u], shift);
      f[u] = CONVK_FMS_(a[u * da], x[u], n[u]);
      f[u] = CONVK_FMA_(b[u * da], x[u], f[u]);
    }
    if (more) {
      CONVK_EACH_(u, count) f[u] = CONVK_FMA_(a[u * da], CONVK_LESS_(top[u * da], s[u * ds], CONVK_SET_(0), lo[u * ds]), f[u]);
    }
    CONVK_EACH_(u, count) g[u] = CONVK_SET_(c[CONVK_EITHER_(4, 9)]);
    CONVK_UNROLL_
    for (k = CONVK_EITHER_(3, 8); k >= 0; k--) {
      CONVK_EACH_(u, count) g[u] = CONVK_FMA_(f[u], g[u], CONVK_SET_(c[k]));
    }
    CONVK_EACH_(u, count) g[u] = CONVK_FMA_(f[u], CONVK_FMA_(f[u], g[u], c1), one);
  }
#else
  CONVK_V r[CONVK_GAUSSIAN_GROUP_];
  (void)b;
  CONVK_EACH_(u, count) f[u] = CONVK_MUL_(a[u * da], x[u]);
  convk_vexp_reduce_(f, shift, n, t, r, count);
  CONVK_EACH_(u, count) r[u] = CONVK_FMA_(n[u], CONVK_SET_(-CONVK_LN2_LOW_), r[u]);
  convk_vexp_near_(r, g, count);
  if (more) {
    CONVK_EACH_(u, count) {
      CONVK_V e = CONVK_FMA_(a[u * da], lo[u * ds], convk_gaussian_lost_(a[u * da], x[u], f[u]));
      e = CONVK_FMA_(g[u], e, g[u]);
      g[u] = CONVK_LESS_(top[u * da], s[u * ds], g[u], e);
    }
  }
#endif
  CONVK_EACH_(u, count) g[u] = convk_gaussian_scaled_(g[u], n[u], t[u], mode);
}

/* |v| */
CONVK_ELEMENT_ CONVK_V convk_gaussian_size_(CONVK_V v) { return CONVK_AND_(v, CONVK_BITS_OF_(0x7fffffff, 0x7fffffffffffffff)); }

/* A sum of terms which were `scale` times too large: what is less than `least` is 0, which is the smallest normal number times
   the scale, so that the product with its inverse is exact.  It is never -0. */
CONVK_ELEMENT_ CONVK_V convk_gaussian_settled_(CONVK_V sum, CONVK_V inverse, CONVK_V least) {
  const CONVK_V zero = CONVK_SET_(0);
  return CONVK_FMA_(CONVK_LESS_(convk_gaussian_size_(sum), least, zero, sum), inverse, zero);
}

/* v, or 0 where it is less than 2^-51 or 2^-485, the square root of the least term of a sum. */
CONVK_ELEMENT_ CONVK_V convk_gaussian_large_(CONVK_V v) {
  const CONVK_V least = CONVK_SET_(CONVK_OF_(4.4408920985006262e-16f, 1.0010415475915505e-146));
  return CONVK_LESS_(convk_gaussian_size_(v), least, CONVK_SET_(0), v);
}

/* total + weight v^2, where a v that convk_gaussian_large_ drops adds nothing: its square is nearly subnormal. */
CONVK_ELEMENT_ CONVK_V convk_gaussian_add_square_(CONVK_V weight, CONVK_V v, CONVK_V total) {
  v = convk_gaussian_large_(v);
  return CONVK_FMA_(CONVK_MUL_(weight, v), v, total);
}

/* An orbital's derivative v along one axis: adds to the density's, and to the sum of squares.  twice: 2 occupation value. */
CONVK_ELEMENT_ void convk_grids_add_slope_(CONVK_V twice, CONVK_V v, CONVK_V *sum, CONVK_V *squares) {
  v = convk_gaussian_large_(v);
  *sum = CONVK_FMA_(twice, v, *sum);
  *squares = CONVK_FMA_(v, v, *squares);
}

/* ---- squared distances ---- */

/* x - c, and what it lost (Knuth). */
CONVK_ELEMENT_ CONVK_V convk_gaussian_minus_(CONVK_V x, CONVK_V c, CONVK_V *lost) {
  const CONVK_V d = CONVK_SUB_(x, c), back = CONVK_SUB_(d, x);
  *lost = CONVK_SUB_(CONVK_SUB_(x, CONVK_SUB_(d, back)), CONVK_ADD_(c, back));
  return d;
}

/* d^2, and what it lost. */
CONVK_ELEMENT_ CONVK_V convk_gaussian_square_(CONVK_V d, CONVK_V *lost) {
  CONVK_V h = CONVK_MUL_(d, d);
#if CONVK_FUSES_
  CONVK_KEEP_(h); /* not to be fused with what it is added to */
  *lost = CONVK_FMA_(d, d, CONVK_SUB_(CONVK_SET_(0), h));
#else
  *lost = convk_gaussian_lost_(d, d, h);
#endif
  return h;
}

/* The squared distance of v, three coordinates, from a center in two parts, c[k] and c[3 + k]; v: the differences.  With `more`
   the first parts alone count, and lo is all that the sum of six terms loses, to first order. */
CONVK_ELEMENT_ CONVK_V convk_gaussian_distance_(CONVK_V *v, const CONVK_T *c, const int more, CONVK_V *lo) {
  const CONVK_V greatest = CONVK_SET_(CONVK_GREATEST_), smallest = CONVK_SET_(-CONVK_GREATEST_), zero = CONVK_SET_(0);
  CONVK_V h[3], e[3], f, sum, r;
  int k;
  *lo = zero;
  if (!more) {
    CONVK_EACH_(k, 3) {
      v[k] = CONVK_SUB_(CONVK_SUB_(v[k], CONVK_SET_(c[k])), CONVK_SET_(c[3 + k]));
      v[k] = CONVK_MAX_(smallest, CONVK_MIN_(greatest, v[k]));
    }
    r = CONVK_FMA_(v[2], v[2], CONVK_FMA_(v[1], v[1], CONVK_MUL_(v[0], v[0])));
    return CONVK_MIN_(r, greatest);
  }
  CONVK_EACH_(k, 3) {
    v[k] = convk_gaussian_minus_(v[k], CONVK_SET_(c[k]), &f);
    h[k] = convk_gaussian_square_(v[k], &e[k]);
    e[k] = CONVK_FMA_(CONVK_ADD_(v[k], v[k]), f, e[k]);
  }
  sum = convk_gaussian_minus_(h[0], CONVK_SUB_(zero, h[1]), &f);
  f = CONVK_ADD_(f, CONVK_ADD_(e[0], e[1]));
  r = convk_gaussian_minus_(sum, CONVK_SUB_(zero, h[2]), &h[0]);
  f = CONVK_ADD_(f, CONVK_ADD_(e[2], h[0]));
  r = CONVK_MIN_(greatest, r);
  *lo = CONVK_LESS_(r, greatest, f, zero);
  return r;
}
