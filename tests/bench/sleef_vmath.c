/* SLEEF's functions of at most 1 ulp over arrays, for each instruction set that the compiler's flags allow.  For whole vectors
   only: n is a multiple of 16. */
#if defined __x86_64__ || defined __i386__
#include <immintrin.h>
#include <sleef.h>
#include <stddef.h>

#define ONE(name, type, T, lanes, load, store, function, hw) \
  void sleef_##name##_##type##_##hw(size_t n, const T *x, T *y, T *z) { \
    (void)z; \
    for (size_t i = 0; i < n; i += lanes) store(y + i, function##_u10##hw(load(x + i))); \
  }
#define TWO(type, T, lanes, load, store, function, hw, pair) \
  void sleef_sincos_##type##_##hw(size_t n, const T *x, T *y, T *z) { \
    for (size_t i = 0; i < n; i += lanes) { \
      const pair r = function##_u10##hw(load(x + i)); \
      store(y + i, r.x); \
      store(z + i, r.y); \
    } \
  }
#define ALL(type, T, lanes, load, store, suffix, hw, pair) \
  ONE(exp, type, T, lanes, load, store, Sleef_exp##suffix, hw) \
  ONE(expm1, type, T, lanes, load, store, Sleef_expm1##suffix, hw) \
  ONE(log, type, T, lanes, load, store, Sleef_log##suffix, hw) \
  TWO(type, T, lanes, load, store, Sleef_sincos##suffix, hw, pair)

#ifdef __SSE2__
ALL(f32, float, 4, _mm_loadu_ps, _mm_storeu_ps, f4, sse2, Sleef___m128_2)
ALL(f64, double, 2, _mm_loadu_pd, _mm_storeu_pd, d2, sse2, Sleef___m128d_2)
#endif
#ifdef __AVX__
ALL(f32, float, 8, _mm256_loadu_ps, _mm256_storeu_ps, f8, avx, Sleef___m256_2)
ALL(f64, double, 4, _mm256_loadu_pd, _mm256_storeu_pd, d4, avx, Sleef___m256d_2)
#endif
#ifdef __AVX2__
ALL(f32, float, 8, _mm256_loadu_ps, _mm256_storeu_ps, f8, avx2, Sleef___m256_2)
ALL(f64, double, 4, _mm256_loadu_pd, _mm256_storeu_pd, d4, avx2, Sleef___m256d_2)
#endif
#ifdef __AVX512F__
ALL(f32, float, 16, _mm512_loadu_ps, _mm512_storeu_ps, f16, avx512f, Sleef___m512_2)
ALL(f64, double, 8, _mm512_loadu_pd, _mm512_storeu_pd, d8, avx512f, Sleef___m512d_2)
#endif
#else
typedef int nothing_here;
#endif
