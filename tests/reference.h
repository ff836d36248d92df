/* SPDX-License-Identifier: MIT
   What the tests compare with, written from the definitions and sharing nothing with the library: convolutions, stencils
   and elementary functions in more digits, and models of the promised bits.  Data are packed, x fastest. */

#ifndef CONVK_TESTS_REFERENCE_H
#define CONVK_TESTS_REFERENCE_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { REF_PERIODIC, REF_GROW, REF_SHRINK, REF_ZERO, REF_FIXED };

/* The magic filter of the least asymmetric Daubechies-16 family, as a correlation, l = -8..7; the inverse is w[-l]. */
static const long double ref_magic[16] = {
    0.0000008433424733352934109473332581581623296918L, -0.00001290557201342060969516786758559028264130L,
    0.00008762984476210559564689161894116397046443L,   -0.0003015803813269046316716370382616987910328L,
    0.001747237136729939034494478127498529416921L,     -0.009420470302010803859227115409481950746073L,
    0.02373821463724942397566389712597274534985L,      0.06126258958312079821953805969111734845422L,
    0.9940415697834003993178616712570731269683L,       -0.06048952891969835160028346363993374032323L,
    -0.02103025160930381434955489412839065067239L,     0.01337263414854794752733423467013220996945L,
    -0.003441281444934938572808815096868218611693L,    0.0004944322768868991919228225947675097243714L,
    -0.00005185986881173432922848639136911486874128L,  0.000002727344929119796596577153130172279928753L};

static inline void ref_magic_taps(int inverse, long double taps[16], int *lo, int *up) {
  int i;
  for (i = 0; i < 16; i++) taps[i] = ref_magic[inverse ? 15 - i : i];
  *lo = inverse ? -7 : -8;
  *up = inverse ? 8 : 7;
}

/* Points of the result, 0 when there is none. */
static inline size_t ref_points(size_t n, int lo, int up, int boundary) {
  const size_t more = (size_t)(up - lo);
  if (boundary == REF_GROW) return n + more;
  if (boundary == REF_SHRINK) return n > more ? n - more : 0;
  return n;
}

/* The index i of y[i] that is stored first: all i that reach the data, all i that need nothing else, or 0. */
static inline long ref_first(int lo, int up, int boundary) {
  if (boundary == REF_GROW) return -up;
  if (boundary == REF_SHRINK) return -lo;
  return 0;
}

/* Where point i of the extended axis lies in the array, or -1 for a zero. */
static inline long ref_source(long i, size_t n, int boundary) {
  if (boundary == REF_PERIODIC) {
    const long m = i % (long)n;
    return m < 0 ? m + (long)n : m;
  }
  return i >= 0 && i < (long)n ? i : -1;
}

/* One axis: y[i] = sum over l = lo..up of taps[l - lo] x[i + l].  n has the sizes of `in`. */
static inline void ref_pass(const long double *in, const size_t n[3], int axis, int lo, int up, int boundary,
                            const long double *taps, long double *out) {
  const size_t inner = axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1], outer = n[0] * n[1] * n[2] / inner / n[axis];
  const size_t points = n[axis], m = ref_points(points, lo, up, boundary), reach = m + (size_t)(up - lo);
  const int ntaps = up - lo + 1;
  long double *line = (long double *)malloc(reach * sizeof *line);
  size_t i, j, k;
  int t;
  if (!line) exit(2);
  for (j = 0; j < outer; j++)
    for (i = 0; i < inner; i++) {
      const long double *x = in + j * points * inner + i;
      long double *y = out + j * m * inner + i;
      for (k = 0; k < reach; k++) {
        const long from = ref_source(ref_first(lo, up, boundary) + lo + (long)k, points, boundary);
        line[k] = from < 0 ? 0 : x[(size_t)from * inner];
      }
      for (k = 0; k < m; k++) {
        long double sum = 0;
        for (t = 0; t < ntaps; t++) sum += taps[t] * line[k + (size_t)t];
        y[k * inner] = sum;
      }
    }
  free(line);
}

/* Three axes.  The order does not matter here beyond the last bits of long double. */
static inline long double *ref_separable(const long double *in, const size_t n[3], const int lo[3], const int up[3],
                                         const int boundary[3], const long double *const taps[3]) {
  size_t size[3];
  long double *now = NULL;
  int axis;
  memcpy(size, n, sizeof size);
  for (axis = 0; axis < 3; axis++) {
    const size_t m = ref_points(size[axis], lo[axis], up[axis], boundary[axis]);
    long double *next = (long double *)malloc(size[0] * size[1] * size[2] / size[axis] * m * sizeof *next);
    if (!next) exit(2);
    ref_pass(now ? now : in, size, axis, lo[axis], up[axis], boundary[axis], taps[axis], next);
    free(now);
    now = next;
    size[axis] = m;
  }
  return now;
}

/* The definition itself at one point of the result: the triple sum. */
static inline long double ref_point(const long double *in, const size_t n[3], const int lo[3], const int up[3],
                                    const int boundary[3], const long double *const taps[3], const size_t at[3]) {
  long double sum = 0;
  int l[3];
  for (l[2] = lo[2]; l[2] <= up[2]; l[2]++)
    for (l[1] = lo[1]; l[1] <= up[1]; l[1]++)
      for (l[0] = lo[0]; l[0] <= up[0]; l[0]++) {
        long from[3];
        int d, inside = 1;
        for (d = 0; d < 3; d++) {
          from[d] = ref_source((long)at[d] + ref_first(lo[d], up[d], boundary[d]) + l[d], n[d], boundary[d]);
          if (from[d] < 0) inside = 0;
        }
        if (inside)
          sum += taps[0][l[0] - lo[0]] * taps[1][l[1] - lo[1]] * taps[2][l[2] - lo[2]] *
                 in[((size_t)from[2] * n[1] + (size_t)from[1]) * n[0] + (size_t)from[0]];
      }
  return sum;
}

/* ---- the promised bits: y, then x, then z; taps ascending; every operation rounded to the type ---- */

enum { MODEL_F32 = 0, MODEL_F64 = 2, MODEL_MULADD = 0, MODEL_FUSED = 1 }; /* a kind is a type plus a class */

/* Values of f32 are held as double, which loses nothing. */
/* Through memory: gcc 12 leaves the rounding out where it vectorises several of them. */
static inline double model_round(int kind, double x) {
  volatile float single = (float)x;
  return kind < MODEL_F64 ? (double)single : x;
}

static inline double model_mul(int kind, double a, double b) {
  return kind < MODEL_F64 ? (double)(float)((float)a * (float)b) : a * b;
}

static inline double model_madd(int kind, double a, double b, double c) {
  switch (kind) {
    case MODEL_F32 + MODEL_MULADD: {
      const float product = (float)a * (float)b;
      return (double)(float)(product + (float)c);
    }
    case MODEL_F32 + MODEL_FUSED: return (double)fmaf((float)a, (float)b, (float)c);
    case MODEL_F64 + MODEL_MULADD: {
      const double product = a * b;
      return product + c;
    }
    default: return fma(a, b, c);
  }
}

static inline void model_pass(int kind, const double *in, const size_t n[3], int axis, int lo, int up, int boundary,
                              const double *taps, double *out) {
  const size_t inner = axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1], outer = n[0] * n[1] * n[2] / inner / n[axis];
  const size_t points = n[axis], m = ref_points(points, lo, up, boundary), reach = m + (size_t)(up - lo);
  const int ntaps = up - lo + 1;
  double *line = (double *)malloc(reach * sizeof *line);
  size_t i, j, k;
  int t;
  if (!line) exit(2);
  for (j = 0; j < outer; j++)
    for (i = 0; i < inner; i++) {
      const double *x = in + j * points * inner + i;
      double *y = out + j * m * inner + i;
      for (k = 0; k < reach; k++) {
        const long from = ref_source(ref_first(lo, up, boundary) + lo + (long)k, points, boundary);
        line[k] = from < 0 ? 0 : x[(size_t)from * inner];
      }
      for (k = 0; k < m; k++) {
        double sum = model_mul(kind, taps[0], line[k]);
        for (t = 1; t < ntaps; t++) sum = model_madd(kind, taps[t], line[k + (size_t)t], sum);
        y[k * inner] = sum;
      }
    }
  free(line);
}

static inline double *model_separable(int kind, const double *in, const size_t n[3], const int lo[3], const int up[3],
                                      const int boundary[3], const double *const taps[3]) {
  static const int order[3] = {1, 0, 2};
  size_t size[3];
  double *now = NULL;
  int pass;
  memcpy(size, n, sizeof size);
  for (pass = 0; pass < 3; pass++) {
    const int axis = order[pass];
    const size_t m = ref_points(size[axis], lo[axis], up[axis], boundary[axis]);
    double *next = (double *)malloc(size[0] * size[1] * size[2] / size[axis] * m * sizeof *next);
    if (!next) exit(2);
    model_pass(kind, now ? now : in, size, axis, lo[axis], up[axis], boundary[axis], taps[axis], next);
    free(now);
    now = next;
    size[axis] = m;
  }
  return now;
}

/* A sum of products in f64: in a row 16 lanes by index and then halves of them, rows of a plane, planes. */
static inline double model_dot(int fused, const double *a, const double *b, const size_t n[3]) {
  const int kind = MODEL_F64 + (fused ? MODEL_FUSED : MODEL_MULADD);
  double total = 0;
  size_t x, y, z, half;
  for (z = 0; z < n[2]; z++) {
    double plane = 0;
    for (y = 0; y < n[1]; y++) {
      double lane[16] = {0};
      for (x = 0; x < n[0]; x++, a++, b++) lane[x % 16] = model_madd(kind, *a, *b, lane[x % 16]);
      for (half = 8; half; half /= 2)
        for (x = 0; x < half; x++) lane[x] += lane[x + half];
      plane += lane[0];
    }
    total += plane;
  }
  return total;
}

/* ---- one step of the 7-point stencil; weights c of the point and of x-, x+, y-, y+, z-, z+ ---- */

/* Indices of a point and of its neighbours; 0, and only the first, where the point is fixed. */
static inline int ref_stencil_points(const size_t n[3], const int boundary[3], size_t x, size_t y, size_t z, size_t index[7]) {
  size_t at[3], stride = 1;
  int d;
  at[0] = x;
  at[1] = y;
  at[2] = z;
  index[0] = (z * n[1] + y) * n[0] + x;
  for (d = 0; d < 3; stride *= n[d++]) {
    const int first = at[d] == 0, last = at[d] + 1 == n[d];
    if (boundary[d] == REF_FIXED && (first || last)) return 0;
    index[1 + 2 * d] = first ? index[0] + (n[d] - 1) * stride : index[0] - stride;
    index[2 + 2 * d] = last ? index[0] - (n[d] - 1) * stride : index[0] + stride;
  }
  return 1;
}

static inline void ref_stencil(const long double *in, const size_t n[3], const int boundary[3], const long double c[7],
                               long double *out) {
  size_t x, y, z, index[7];
  int k;
  for (z = 0; z < n[2]; z++)
    for (y = 0; y < n[1]; y++)
      for (x = 0; x < n[0]; x++) {
        const int changes = ref_stencil_points(n, boundary, x, y, z, index);
        long double sum = 0;
        for (k = 0; k < 7 && changes; k++) sum += c[k] * in[index[k]];
        out[index[0]] = changes ? sum : in[index[0]];
      }
}

static inline double model_add(int kind, double a, double b) {
  return kind < MODEL_F64 ? (double)(float)((float)a + (float)b) : a + b;
}

/* With equal weights of the neighbours their sum comes first, axis by axis. */
static inline void model_stencil(int kind, const double *in, const size_t n[3], const int boundary[3], const double c[7],
                                 double *out) {
  const int equal = c[1] == c[2] && c[1] == c[3] && c[1] == c[4] && c[1] == c[5] && c[1] == c[6];
  size_t x, y, z, i[7];
  int k;
  for (z = 0; z < n[2]; z++)
    for (y = 0; y < n[1]; y++)
      for (x = 0; x < n[0]; x++) {
        if (!ref_stencil_points(n, boundary, x, y, z, i)) {
          out[i[0]] = in[i[0]];
          continue;
        }
        out[i[0]] = model_mul(kind, c[0], in[i[0]]);
        if (equal) {
          const double sx = model_add(kind, in[i[1]], in[i[2]]), sy = model_add(kind, in[i[3]], in[i[4]]);
          const double s = model_add(kind, model_add(kind, sx, sy), model_add(kind, in[i[5]], in[i[6]]));
          out[i[0]] = model_madd(kind, c[1], s, out[i[0]]);
        } else {
          for (k = 1; k < 7; k++) out[i[0]] = model_madd(kind, c[k], in[i[k]], out[i[0]]);
        }
      }
}

/* ---- vector mathematics: by the C library in more digits than the type's; sine and cosine come together ---- */

enum { REF_EXP, REF_EXPM1, REF_LOG, REF_SINCOS };

static inline void ref_math_f32(int function, double x, double y[2]) {
  switch (function) {
    case REF_EXP: y[0] = exp(x); break;
    case REF_EXPM1: y[0] = expm1(x); break;
    case REF_LOG: y[0] = log(x); break;
    default: y[0] = sin(x); y[1] = cos(x);
  }
}

static inline void ref_math_f64(int function, long double x, long double y[2]) {
  switch (function) {
    case REF_EXP: y[0] = expl(x); break;
    case REF_EXPM1: y[0] = expm1l(x); break;
    case REF_LOG: y[0] = logl(x); break;
    default: y[0] = sinl(x); y[1] = cosl(x);
  }
}

#endif
