/* What a careful programmer writes without this library, for the compiler to make the best of: three axis loops with 16 taps
   over a periodic array, and the same with transposed stores.  Built once per compiler and precision with the best flags:
   REAL is the type, SUFFIX ends the names. */
#include <stddef.h>

#define CAT_(a, b) a##_##b
#define CAT(a, b) CAT_(a, b)
#define NAME(name) CAT(name, SUFFIX)

/* y or z: rows of `inner` contiguous elements, n of them along the axis, 16 row pointers at once */
static void axis(size_t inner, size_t n, size_t outer, const REAL *restrict f, const REAL *restrict x, REAL *restrict y) {
  for (size_t o = 0; o < outer; o++, x += inner * n, y += inner * n)
    for (size_t j = 0; j < n; j++) {
      const REAL *r[16];
      REAL *restrict out = y + j * inner;
      for (size_t k = 0; k < 16; k++) r[k] = x + (j + n * 8 - 8 + k) % n * inner;
      for (size_t i = 0; i < inner; i++) {
        REAL s = 0;
        for (size_t k = 0; k < 16; k++) s += f[k] * r[k][i];
        out[i] = s;
      }
    }
}

/* One output point of the contiguous axis. */
static inline REAL point(size_t n, size_t i, const REAL *restrict f, const REAL *restrict x) {
  REAL s = 0;
  if (i >= 8 && i + 8 <= n) {
    for (size_t k = 0; k < 16; k++) s += f[k] * x[i + k - 8];
  } else {
    for (size_t k = 0; k < 16; k++) s += f[k] * x[(i + n * 8 - 8 + k) % n];
  }
  return s;
}

static void line(size_t n, const REAL *restrict f, const REAL *restrict x, REAL *restrict y) {
  for (size_t i = 0; i < n && i < 8; i++) y[i] = point(n, i, f, x);
  for (size_t i = 8; i + 8 <= n; i++) {
    REAL s = 0;
    for (size_t k = 0; k < 16; k++) s += f[k] * x[i + k - 8];
    y[i] = s;
  }
  for (size_t i = n > 15 ? n - 7 : 8; i < n; i++) y[i] = point(n, i, f, x);
}

static void transposed(size_t n, size_t rows, const REAL *restrict f, const REAL *restrict x, REAL *restrict y) {
  for (size_t j = 0; j < rows; j++)
    for (size_t i = 0; i < n; i++) y[i * rows + j] = point(n, i, f, x + j * n);
}

/* n: sizes; t: a work array */
void NAME(naive_loops)(const size_t *n, const REAL *f, const REAL *x, REAL *y, REAL *t) {
  for (size_t j = 0; j < n[1] * n[2]; j++) line(n[0], f, x + j * n[0], y + j * n[0]);
  axis(n[0], n[1], n[2], f, y, t);
  axis(n[0] * n[1], n[2], 1, f, t, y);
}

void NAME(naive_transposed)(const size_t *n, const REAL *f, const REAL *x, REAL *y, REAL *t) {
  transposed(n[0], n[1] * n[2], f, x, y);
  transposed(n[1], n[2] * n[0], f, y, t);
  transposed(n[2], n[0] * n[1], f, t, y);
}

void NAME(naive_conv1d)(const size_t *n, const REAL *f, const REAL *x, REAL *y, REAL *t) {
  (void)t;
  transposed(n[0], n[1] * n[2], f, x, y);
}

/* Wavelet analysis or synthesis of 16 taps, -7..8, along an axis of n points, of which `inner` numbers lie between neighbours. */
static void analyse(size_t inner, size_t n, size_t outer, const REAL *restrict f, const REAL *restrict x, REAL *restrict y) {
  for (size_t o = 0; o < outer; o++, x += inner * n, y += inner * n)
    for (size_t j = 0; j < n / 2; j++) {
      REAL *restrict s = y + j * inner, *restrict d = y + (n / 2 + j) * inner;
      const REAL *r[16];
      for (size_t k = 0; k < 16; k++) r[k] = x + (2 * j + n * 8 - 7 + k) % n * inner;
      for (size_t i = 0; i < inner; i++) {
        REAL a = 0, b = 0;
        for (size_t k = 0; k < 16; k++) {
          a += f[k] * r[k][i];
          b += f[16 + k] * r[k][i];
        }
        s[i] = a;
        d[i] = b;
      }
    }
}
static void synthesise(size_t inner, size_t n, size_t outer, const REAL *restrict f, const REAL *restrict x, REAL *restrict y) {
  const size_t half = n / 2;
  for (size_t o = 0; o < outer; o++, x += inner * n, y += inner * n)
    for (size_t j = 0; j < half; j++) { /* points 2 j + 1 and 2 j + 2 take s and d from j - 3 to j + 4 */
      REAL *restrict odd = y + (2 * j + 1) * inner, *restrict even = y + (2 * j + 2) % n * inner;
      const REAL *s[8], *d[8];
      for (size_t k = 0; k < 8; k++) {
        s[k] = x + (j + half * 8 - 3 + k) % half * inner;
        d[k] = s[k] + half * inner;
      }
      for (size_t i = 0; i < inner; i++) {
        REAL a = 0, b = 0;
        for (size_t k = 0; k < 8; k++) {
          a += f[14 - 2 * k] * s[k][i] + f[30 - 2 * k] * d[k][i];
          b += f[15 - 2 * k] * s[k][i] + f[31 - 2 * k] * d[k][i];
        }
        odd[i] = a;
        even[i] = b;
      }
    }
}

/* f: 16 taps of s, 16 of d; inverse: from wavelets. */
void NAME(naive_dwt)(const size_t *n, int inverse, const REAL *f, const REAL *x, REAL *y, REAL *t) {
  void (*const pass)(size_t, size_t, size_t, const REAL *restrict, const REAL *restrict, REAL *restrict) =
      inverse ? synthesise : analyse;
  pass(1, n[0], n[1] * n[2], f, x, y);
  pass(n[0], n[1], n[2], f, y, t);
  pass(n[0] * n[1], n[2], 1, f, t, y);
}
/* A sum of the same even filter of 2 reach + 1 taps along three periodic axes, in three passes: y = ..., y += ..., y += ... */
#define SUM_(reach) \
  static void sum_rows_##reach(size_t n, const REAL *restrict f, const REAL *restrict x, REAL *restrict t, REAL *restrict y) { \
    for (size_t i = 0; i < n + 2 * reach; i++) t[i] = x[(i + n * reach - reach) % n]; \
    for (size_t i = 0; i < n; i++) { \
      REAL s = 0; \
      for (size_t k = 0; k < 2 * reach + 1; k++) s += f[k] * t[i + k]; \
      y[i] = s; \
    } \
  } \
  static void sum_axis_##reach(size_t inner, size_t n, size_t outer, const REAL *restrict f, const REAL *restrict x, \
                               REAL *restrict y) { \
    for (size_t o = 0; o < outer; o++, x += inner * n, y += inner * n) \
      for (size_t j = 0; j < n; j++) { \
        const REAL *r[2 * reach + 1]; \
        REAL *restrict out = y + j * inner; \
        for (size_t k = 0; k < 2 * reach + 1; k++) r[k] = x + (j + n * reach - reach + k) % n * inner; \
        for (size_t i = 0; i < inner; i++) { \
          REAL s = 0; \
          for (size_t k = 0; k < 2 * reach + 1; k++) s += f[k] * r[k][i]; \
          out[i] += s; \
        } \
      } \
  } \
  void NAME(naive_sum_##reach)(const size_t *n, const REAL *f, const REAL *x, REAL *y, REAL *t) { \
    for (size_t j = 0; j < n[1] * n[2]; j++) sum_rows_##reach(n[0], f, x + j * n[0], t, y + j * n[0]); \
    sum_axis_##reach(n[0], n[1], n[2], f, x, y); \
    sum_axis_##reach(n[0] * n[1], n[2], 1, f, x, y); \
  }
SUM_(4)
SUM_(14)
