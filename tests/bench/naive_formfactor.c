/* What a careful programmer writes without this library: the form factor -(i/q^2) sum_t (q.a_t) exp(i q.r_t) for a list of real
   q.  REAL is the type, SUFFIX ends the names, END those of the C library's functions for the type.  mesh: ax ay az x y z. */
#include <math.h>
#include <stddef.h>

#define CAT_(a, b) a##_##b
#define CAT(a, b) CAT_(a, b)
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define SIN JOIN(sin, END)
#define COS JOIN(cos, END)

/* One loop, as the formula reads: the compiler makes scalar calls of sincos. */
void CAT(naive_formfactor, SUFFIX)(size_t nq, const REAL *const q[3], size_t n, const REAL *const mesh[6], REAL *restrict f) {
  const REAL *restrict ax = mesh[0], *restrict ay = mesh[1], *restrict az = mesh[2];
  const REAL *restrict x = mesh[3], *restrict y = mesh[4], *restrict z = mesh[5];
  for (size_t k = 0; k < nq; k++) {
    const REAL qx = q[0][k], qy = q[1][k], qz = q[2][k], square = qx * qx + qy * qy + qz * qz;
    REAL re = 0, im = 0;
    for (size_t t = 0; t < n; t++) {
      const REAL phase = qx * x[t] + qy * y[t] + qz * z[t], along = qx * ax[t] + qy * ay[t] + qz * az[t];
      re += along * COS(phase);
      im += along * SIN(phase);
    }
    f[2 * k] = im / square;
    f[2 * k + 1] = -re / square;
  }
}

/* Sines and cosines in loops of their own, over blocks in the cache, which become calls of glibc's vector functions (libmvec, up
   to 4 ulp). */
enum { BLOCK = 512 };
void CAT(split_formfactor, SUFFIX)(size_t nq, const REAL *const q[3], size_t n, const REAL *const mesh[6], REAL *restrict f) {
  _Alignas(64) REAL phase[BLOCK], sine[BLOCK], cosine[BLOCK];
  for (size_t k = 0; k < 2 * nq; k++) f[k] = 0;
  for (size_t first = 0; first < n; first += BLOCK) {
    const size_t count = n - first < BLOCK ? n - first : BLOCK;
    const REAL *restrict ax = mesh[0] + first, *restrict ay = mesh[1] + first, *restrict az = mesh[2] + first;
    const REAL *restrict x = mesh[3] + first, *restrict y = mesh[4] + first, *restrict z = mesh[5] + first;
    for (size_t k = 0; k < nq; k++) {
      const REAL qx = q[0][k], qy = q[1][k], qz = q[2][k], square = qx * qx + qy * qy + qz * qz;
      REAL re = 0, im = 0;
      for (size_t t = 0; t < count; t++) phase[t] = qx * x[t] + qy * y[t] + qz * z[t];
      _Pragma("omp simd") for (size_t t = 0; t < count; t++) sine[t] = SIN(phase[t]);
      _Pragma("omp simd") for (size_t t = 0; t < count; t++) cosine[t] = COS(phase[t]);
      for (size_t t = 0; t < count; t++) {
        const REAL along = qx * ax[t] + qy * ay[t] + qz * az[t];
        re += along * cosine[t];
        im += along * sine[t];
      }
      f[2 * k] += im / square;
      f[2 * k + 1] -= re / square;
    }
  }
}

#if defined WITH_SLEEF && defined __AVX512F__
#include <immintrin.h>
#include <sleef.h>

#define VECTOR_f32(name) _mm512_##name##_ps
#define VECTOR_f64(name) _mm512_##name##_pd
#define SLEEF_f32 Sleef_sincosf16_u35avx512f
#define SLEEF_f64 Sleef_sincosd8_u35avx512f
#define PAIR_f32 Sleef___m512_2
#define PAIR_f64 Sleef___m512d_2
#define LINE_f32 __m512
#define LINE_f64 __m512d
#define MASK_f32 __mmask16
#define MASK_f64 __mmask8
#define WORD(name) JOIN(VECTOR_, SUFFIX)(name)
#define MASK JOIN(MASK_, SUFFIX)
#define LINE JOIN(LINE_, SUFFIX)
enum { LANES = 64 / sizeof(REAL) };

/* Triangles in the lanes, blocks of them in L1, SLEEF's sine and cosine of at most 3.5 ulp. */
void CAT(sleef_formfactor, SUFFIX)(size_t nq, const REAL *const q[3], size_t n, const REAL *const mesh[6], REAL *restrict f) {
  for (size_t k = 0; k < 2 * nq; k++) f[k] = 0;
  for (size_t first = 0; first < n; first += BLOCK) {
    const size_t last = n - first < BLOCK ? n : first + BLOCK;
    for (size_t k = 0; k < nq; k++) {
      const REAL square = q[0][k] * q[0][k] + q[1][k] * q[1][k] + q[2][k] * q[2][k];
      LINE re = WORD(setzero)(), im = re, v[3];
      for (int d = 0; d < 3; d++) v[d] = WORD(set1)(q[d][k]);
      for (size_t t = first; t < last; t += LANES) {
        const MASK some = last - t < LANES ? (MASK)((1u << (last - t)) - 1) : (MASK)-1;
        LINE phase = WORD(mul)(v[0], WORD(maskz_loadu)(some, mesh[3] + t));
        LINE along = WORD(mul)(v[0], WORD(maskz_loadu)(some, mesh[0] + t));
        for (int d = 1; d < 3; d++) {
          phase = WORD(fmadd)(v[d], WORD(maskz_loadu)(some, mesh[3 + d] + t), phase);
          along = WORD(fmadd)(v[d], WORD(maskz_loadu)(some, mesh[d] + t), along);
        }
        const JOIN(PAIR_, SUFFIX) e = JOIN(SLEEF_, SUFFIX)(phase);
        im = WORD(fmadd)(along, e.x, im);
        re = WORD(fmadd)(along, e.y, re);
      }
      f[2 * k] += WORD(reduce_add)(im) / square;
      f[2 * k + 1] -= WORD(reduce_add)(re) / square;
    }
  }
}
#endif
