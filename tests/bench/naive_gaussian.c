/* What a careful programmer writes without this library: Gaussians on points, squared distances made once per block, in loops
   that the compiler turns into calls of glibc's vector exponential (libmvec, up to 4 ulp).  REAL is the type, SUFFIX ends the
   names, END those of the C library's functions for the type.  With WITH_SLEEF also the grid potential by SLEEF's exponential of
   at most 1 ulp and stores past the caches; its sizes are multiples of 16 and its rows aligned. */
#include <math.h>
#include <stddef.h>

#define CAT_(a, b) a##_##b
#define CAT(a, b) CAT_(a, b)
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define EXP JOIN(exp, END)

enum { BLOCK = 2048 };

static size_t squares(size_t first, size_t last, const REAL *const r[3], REAL *restrict s) {
  const size_t n = last - first < BLOCK ? last - first : BLOCK;
  const REAL *restrict x = r[0] + first, *restrict y = r[1] + first, *restrict z = r[2] + first;
  for (size_t i = 0; i < n; i++) s[i] = x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
  return n;
}

/* Points first .. last - 1 of exp(alpha r^2): rows of points, or of exponents, at distance ld. */
void CAT(naive_gridpot, SUFFIX)(size_t first, size_t last, const REAL *const r[3], size_t m, const REAL *restrict alpha,
                                int by_exponents, REAL *restrict g, size_t ld) {
  _Alignas(64) REAL s[BLOCK];
  for (size_t n; first < last; first += n) {
    n = squares(first, last, r, s);
    if (by_exponents)
      for (size_t i = 0; i < n; i++) {
        REAL *restrict to = g + (first + i) * ld;
        const REAL square = s[i];
        _Pragma("omp simd") for (size_t j = 0; j < m; j++) to[j] = EXP(alpha[j] * square);
      }
    else
      for (size_t j = 0; j < m; j++) {
        REAL *restrict to = g + j * ld + first;
        const REAL a = alpha[j];
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) to[i] = EXP(a * s[i]);
      }
  }
}

/* Points first .. last - 1 of sums over them, sums in rows at distance ld. */
void CAT(naive_gridpot_sum, SUFFIX)(size_t first, size_t last, const REAL *const r[3], size_t m, const REAL *restrict alpha,
                                    size_t nsums, const REAL *restrict c, REAL *restrict sums, size_t ld) {
  _Alignas(64) REAL s[BLOCK], e[BLOCK];
  for (size_t n; first < last; first += n) {
    n = squares(first, last, r, s);
    for (size_t k = 0; k < nsums; k++)
      for (size_t i = 0; i < n; i++) sums[k * ld + first + i] = 0;
    for (size_t j = 0; j < m; j++) {
      const REAL a = alpha[j];
      _Pragma("omp simd") for (size_t i = 0; i < n; i++) e[i] = EXP(a * s[i]);
      for (size_t k = 0; k < nsums; k++) {
        REAL *restrict to = sums + k * ld + first;
        const REAL w = c[k * m + j];
        for (size_t i = 0; i < n; i++) to[i] += w * e[i];
      }
    }
  }
}

/* Points first .. last - 1 of orbitals, rows at distance ld, over spherical shells s, p and d in the order m = -l .. l: a shell's
   radial part for a block of points, then its functions times the coefficients of each orbital. */
void CAT(naive_orbitals, SUFFIX)(size_t first, size_t last, const REAL *const r[3], size_t nshells, double (*centers)[3],
                                 const int *l, const size_t *primitives, const double *const *exponents,
                                 const double *const *contraction, size_t norbitals, const REAL *matrix, size_t functions,
                                 REAL *out, size_t ld) {
  enum { SOME = 512 };
  _Alignas(64) REAL x[3][SOME], s[SOME], radial[SOME], chi[5][SOME];
  const REAL third = (REAL)0.28867513459481288;      /* 1 / (2 sqrt 3) */
  const REAL least = sizeof(REAL) == 4 ? -87 : -708; /* libmvec leaves what underflows to scalar calls, ten times as slow */
  for (; first < last; first += SOME) {
    const size_t n = last - first < SOME ? last - first : SOME;
    size_t f = 0;
    for (size_t o = 0; o < norbitals; o++)
      for (size_t i = 0; i < n; i++) out[o * ld + first + i] = 0;
    for (size_t k = 0; k < nshells; f += (size_t)(2 * l[k] + 1), k++) {
      for (int d = 0; d < 3; d++)
        for (size_t i = 0; i < n; i++) x[d][i] = r[d][first + i] - (REAL)centers[k][d];
      for (size_t i = 0; i < n; i++) {
        s[i] = x[0][i] * x[0][i] + x[1][i] * x[1][i] + x[2][i] * x[2][i];
        radial[i] = 0;
      }
      for (size_t p = 0; p < primitives[k]; p++) {
        const REAL a = (REAL)-exponents[k][p], c = (REAL)contraction[k][p];
        _Pragma("omp simd") for (size_t i = 0; i < n; i++) radial[i] += c * EXP(a * s[i] > least ? a * s[i] : least);
      }
      if (l[k] == 0)
        for (size_t i = 0; i < n; i++) chi[0][i] = radial[i];
      if (l[k] == 1)
        for (int d = 0; d < 3; d++)
          for (size_t i = 0; i < n; i++) chi[d][i] = x[(d + 1) % 3][i] * radial[i];
      if (l[k] == 2)
        for (size_t i = 0; i < n; i++) {
          const REAL u = x[0][i], v = x[1][i], w = x[2][i], g = radial[i];
          chi[0][i] = u * v * g;
          chi[1][i] = v * w * g;
          chi[2][i] = (2 * w * w - u * u - v * v) * third * g;
          chi[3][i] = u * w * g;
          chi[4][i] = (u * u - v * v) * (REAL)0.5 * g;
        }
      for (size_t o = 0; o < norbitals; o++) {
        REAL *restrict to = out + o * ld + first;
        for (size_t m = 0; m < (size_t)(2 * l[k] + 1); m++) {
          const REAL c = matrix[o * functions + f + m];
          for (size_t i = 0; i < n; i++) to[i] += c * chi[m][i];
        }
      }
    }
  }
}

#if defined WITH_SLEEF && defined __AVX512F__
#include <immintrin.h>
#include <sleef.h>

#define VECTOR_f32(name) _mm512_##name##_ps
#define VECTOR_f64(name) _mm512_##name##_pd
#define SLEEF_f32 Sleef_expf16_u10avx512f
#define SLEEF_f64 Sleef_expd8_u10avx512f
#define WORD(name) JOIN(VECTOR_, SUFFIX)(name)
enum { LANES = 64 / sizeof(REAL) };

void CAT(sleef_gridpot, SUFFIX)(size_t first, size_t last, const REAL *const r[3], size_t m, const REAL *restrict alpha,
                                int by_exponents, REAL *restrict g, size_t ld) {
  _Alignas(64) REAL s[BLOCK];
  for (size_t n; first < last; first += n) {
    n = squares(first, last, r, s);
    if (by_exponents)
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j += LANES)
          WORD(stream)(g + (first + i) * ld + j, JOIN(SLEEF_, SUFFIX)(WORD(mul)(WORD(loadu)(alpha + j), WORD(set1)(s[i]))));
    else
      for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < n; i += LANES)
          WORD(stream)(g + j * ld + first + i, JOIN(SLEEF_, SUFFIX)(WORD(mul)(WORD(load)(s + i), WORD(set1)(alpha[j]))));
  }
  _mm_sfence();
}
#endif
