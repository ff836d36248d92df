/* SPDX-License-Identifier: MIT
   Form factors of triangles in twice the digits of double, by a formula that has no case for small q and none for large:
     F(q) = int over the body of exp(i q.r) = sum over triangles of det(v0, v1, v2) exp[0, z0, z1, z2], z = i q.v,
   the tetrahedra between the triangles of a closed surface and the origin, each with a divided difference of exp
   (Hermite-Genocchi), which is a corner of the exponential of the matrix with the arguments on its diagonal and ones above it
   (Opitz).  That is computed as (exp(A / 2^s))^(2^s): nothing cancels when arguments come together.
   For processors that round to double after each operation, without contraction, as the tests are compiled.                */

#ifndef CONVK_TESTS_REFERENCE_FORMFACTOR_H
#define CONVK_TESTS_REFERENCE_FORMFACTOR_H

#include <math.h>
#include <stddef.h>
#include <string.h>

/* high + low, |low| no more than half a unit in the last place of high: 106 bits */
typedef struct twofold {
  double high, low;
} twofold;
typedef struct twofold_complex {
  twofold re, im;
} twofold_complex;

static inline twofold twofold_of(double x) {
  twofold t;
  t.high = x;
  t.low = 0;
  return t;
}

/* a + b where |a| >= |b| or a = 0 */
static inline twofold twofold_quick(double a, double b) {
  twofold t;
  t.high = a + b;
  t.low = b - (t.high - a);
  return t;
}

static inline twofold twofold_sum(double a, double b) {
  twofold t;
  const double s = a + b, v = s - a;
  t.high = s;
  t.low = (a - (s - v)) + (b - v);
  return t;
}

/* By halves of 26 bits: fma would be slow where the processor has none. */
static inline twofold twofold_product(double a, double b) {
  const double s = 134217729 * a, t = 134217729 * b;
  const double ah = s - (s - a), bh = t - (t - b), al = a - ah, bl = b - bh, p = a * b;
  twofold r;
  r.high = p;
  r.low = ((ah * bh - p) + ah * bl + al * bh) + al * bl;
  return r;
}

static inline twofold twofold_add(twofold a, twofold b) {
  twofold s = twofold_sum(a.high, b.high);
  const twofold t = twofold_sum(a.low, b.low);
  s = twofold_quick(s.high, s.low + t.high);
  return twofold_quick(s.high, s.low + t.low);
}

static inline twofold twofold_minus(twofold a) {
  a.high = -a.high;
  a.low = -a.low;
  return a;
}

static inline twofold twofold_mul(twofold a, twofold b) {
  twofold p = twofold_product(a.high, b.high);
  return twofold_quick(p.high, p.low + (a.high * b.low + a.low * b.high));
}

static inline twofold twofold_over(twofold a, twofold b) {
  twofold q = twofold_of(a.high / b.high), r;
  int turn;
  for (turn = 0; turn < 2; turn++) {
    r = twofold_add(a, twofold_minus(twofold_mul(q, b)));
    q = twofold_add(q, twofold_of(r.high / b.high));
  }
  return q;
}

/* By a power of 2. */
static inline twofold twofold_scaled(twofold a, double power) {
  a.high *= power;
  a.low *= power;
  return a;
}

static inline twofold_complex twofold_pair(twofold re, twofold im) {
  twofold_complex z;
  z.re = re;
  z.im = im;
  return z;
}

static inline twofold_complex twofold_cadd(twofold_complex a, twofold_complex b) {
  return twofold_pair(twofold_add(a.re, b.re), twofold_add(a.im, b.im));
}

static inline twofold_complex twofold_cmul(twofold_complex a, twofold_complex b) {
  return twofold_pair(twofold_add(twofold_mul(a.re, b.re), twofold_minus(twofold_mul(a.im, b.im))),
                      twofold_add(twofold_mul(a.re, b.im), twofold_mul(a.im, b.re)));
}

static inline twofold_complex twofold_cscaled(twofold_complex a, double power) {
  return twofold_pair(twofold_scaled(a.re, power), twofold_scaled(a.im, power));
}

/* e[k] = exp[z[k], ..., z[n - 1]], the divided difference at n - k points; n is at most 4. */
static inline void twofold_differences(int n, const twofold_complex *z, twofold_complex *e) {
  enum { TERMS = 28 }; /* 2^-28 / 28!, and there are some hundred products of that degree */
  twofold_complex power[4][4], sum[4][4], zero, scaled[4];
  double largest = 0, unit = 1;
  int i, j, k, turn;
  memset(&zero, 0, sizeof zero);
  for (i = 0; i < n; i++) largest = fmax(largest, fabs(z[i].re.high) + fabs(z[i].im.high));
  while (largest * unit > 0.5) unit /= 2;
  for (i = 0; i < n; i++) {
    scaled[i] = twofold_cscaled(z[i], unit);
    for (j = 0; j < n; j++) {
      sum[i][j] = zero;
      sum[i][j].re.high = i == j;
      power[i][j] = sum[i][j];
    }
  }
  for (turn = 1; turn <= TERMS; turn++) {
    const twofold part = twofold_over(twofold_of(1), twofold_of(turn));
    for (i = 0; i < n; i++) /* row i of the product needs rows i and i + 1 of the last */
      for (j = i; j < n; j++) {
        twofold_complex p = twofold_cmul(scaled[i], power[i][j]);
        if (i < j) p = twofold_cadd(p, twofold_cscaled(power[i + 1][j], unit));
        power[i][j] = twofold_pair(twofold_mul(p.re, part), twofold_mul(p.im, part));
        sum[i][j] = twofold_cadd(sum[i][j], power[i][j]);
      }
  }
  for (; unit < 1; unit *= 2)
    for (i = 0; i < n; i++) /* in place: row i of the square needs rows from i on, and of row i what stands before */
      for (j = n - 1; j >= i; j--) {
        twofold_complex p = zero;
        for (k = i; k <= j; k++) p = twofold_cadd(p, twofold_cmul(sum[i][k], sum[k][j]));
        sum[i][j] = p;
      }
  for (i = 0; i < n; i++) e[i] = sum[i][n - 1];
}

/* i q.v */
static inline twofold_complex twofold_phase(const double q[3], const double imag[3], const double v[3]) {
  twofold re = twofold_of(0), im = twofold_of(0);
  int d;
  for (d = 0; d < 3; d++) {
    re = twofold_add(re, twofold_product(-imag[d], v[d]));
    im = twofold_add(im, twofold_product(q[d], v[d]));
  }
  return twofold_pair(re, im);
}

/* (v1 - v0) x (v2 - v0), twice the vector area, of a triangle of nine numbers. */
static inline void twofold_area(const double *corners, twofold area[3]) {
  int d;
  for (d = 0; d < 3; d++) {
    const int e = (d + 1) % 3, g = (d + 2) % 3;
    const twofold u1 = twofold_sum(corners[3 + e], -corners[e]), u2 = twofold_sum(corners[6 + g], -corners[g]);
    const twofold w1 = twofold_sum(corners[3 + g], -corners[g]), w2 = twofold_sum(corners[6 + e], -corners[e]);
    area[d] = twofold_add(twofold_mul(u1, u2), twofold_minus(twofold_mul(w1, w2)));
  }
}

/* F(q + i imag) of n triangles, nine numbers each, that close a surface. */
static inline twofold_complex twofold_formfactor(const double *corners, size_t n, const double q[3], const double imag[3]) {
  twofold_complex f = twofold_pair(twofold_of(0), twofold_of(0)), z[4], e[4];
  size_t t;
  int d;
  for (t = 0; t < n; t++) {
    const double *v = corners + 9 * t;
    twofold area[3], det = twofold_of(0);
    twofold_area(v, area);
    for (d = 0; d < 3; d++) det = twofold_add(det, twofold_mul(area[d], twofold_of(v[d])));
    if (!(det.high < 0 || det.high > 0)) continue;
    z[0] = twofold_pair(twofold_of(0), twofold_of(0));
    for (d = 0; d < 3; d++) z[1 + d] = twofold_phase(q, imag, v + 3 * d);
    twofold_differences(4, z, e);
    f.re = twofold_add(f.re, twofold_mul(det, e[0].re));
    f.im = twofold_add(f.im, twofold_mul(det, e[0].im));
  }
  return f;
}

/* -(i / |q|^2) sum (conj(q).n) int exp(i q.r) dS, for an open surface and q other than 0. */
static inline twofold_complex twofold_surface(const double *corners, size_t n, const double q[3], const double imag[3]) {
  twofold_complex sum = twofold_pair(twofold_of(0), twofold_of(0)), f, z[3], e[3];
  twofold square = twofold_of(0);
  size_t t;
  int d;
  for (d = 0; d < 3; d++) {
    square = twofold_add(square, twofold_product(q[d], q[d]));
    square = twofold_add(square, twofold_product(imag[d], imag[d]));
  }
  for (t = 0; t < n; t++) {
    twofold area[3];
    twofold_complex along = twofold_pair(twofold_of(0), twofold_of(0));
    twofold_area(corners + 9 * t, area);
    for (d = 0; d < 3; d++) {
      along.re = twofold_add(along.re, twofold_mul(area[d], twofold_of(q[d])));
      along.im = twofold_add(along.im, twofold_mul(area[d], twofold_of(-imag[d])));
      z[d] = twofold_phase(q, imag, corners + 9 * t + 3 * d);
    }
    twofold_differences(3, z, e);
    sum = twofold_cadd(sum, twofold_cmul(along, e[0]));
  }
  f.re = twofold_over(sum.im, square);
  f.im = twofold_minus(twofold_over(sum.re, square));
  return f;
}

#endif
