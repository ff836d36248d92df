/* What the machine can do, measured: multiply-add peak of each instruction set, copy and write bandwidth past the caches. */
#ifndef BENCH_CEILING_H
#define BENCH_CEILING_H

#include <stddef.h>
#include <time.h>

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { PEAK_CHAINS = 12 }; /* independent sums: latency times throughput, and they fit 16 registers */

/* One run of a peak loop: `rounds` times PEAK_CHAINS operations on vectors; gives flops per second. */
#define PEAK(name, target_, V, T, set, step)                                             \
  __attribute__((target(target_), noinline)) static double name(long rounds) {           \
    V s[PEAK_CHAINS], one = set((T)1), tiny = set((T)1e-30);                              \
    const double begin = seconds();                                                      \
    for (int i = 0; i < PEAK_CHAINS; i++) s[i] = set((T)i);                               \
    for (long r = 0; r < rounds; r++) {                                                   \
      _Pragma("GCC unroll 12") for (int i = 0; i < PEAK_CHAINS; i++) { step; }            \
      __asm__ volatile("" : "+x"(one), "+x"(tiny));                                       \
    }                                                                                    \
    for (int i = 0; i < PEAK_CHAINS; i++) __asm__ volatile("" : : "x"(s[i]));             \
    return (double)rounds / (seconds() - begin);                                         \
  }

#if defined __x86_64__
#include <immintrin.h>
/* Without fused multiply-add, half of the chains multiply and half add: both kinds of unit are busy. */
#define MULADD(p, t) s[i] = i % 2 ? p##mul_##t(s[i], one) : p##add_##t(s[i], tiny)
PEAK(peak_sse2_f64, "sse2", __m128d, double, _mm_set1_pd, MULADD(_mm_, pd))
PEAK(peak_sse2_f32, "sse2", __m128, float, _mm_set1_ps, MULADD(_mm_, ps))
PEAK(peak_avx_f64, "avx", __m256d, double, _mm256_set1_pd, MULADD(_mm256_, pd))
PEAK(peak_avx_f32, "avx", __m256, float, _mm256_set1_ps, MULADD(_mm256_, ps))
PEAK(peak_avx2_f64, "avx2,fma", __m256d, double, _mm256_set1_pd, s[i] = _mm256_fmadd_pd(s[i], one, tiny))
PEAK(peak_avx2_f32, "avx2,fma", __m256, float, _mm256_set1_ps, s[i] = _mm256_fmadd_ps(s[i], one, tiny))
PEAK(peak_avx512_f64, "avx512f", __m512d, double, _mm512_set1_pd, s[i] = _mm512_fmadd_pd(s[i], one, tiny))
PEAK(peak_avx512_f32, "avx512f", __m512, float, _mm512_set1_ps, s[i] = _mm512_fmadd_ps(s[i], one, tiny))

/* Copies n doubles past the caches, whole lines; reads only, writes only where the other pointer is NULL. */
__attribute__((noinline)) static void stream_copy(double *to, const double *from, size_t n) {
  const __m128d zero = _mm_setzero_pd();
  size_t i, k;
  for (i = 0; i + 8 <= n; i += 8)
    for (k = 0; k < 8; k += 2) _mm_stream_pd(to + i + k, from ? _mm_load_pd(from + i + k) : zero);
  _mm_sfence();
}
#else
#include <string.h>
static void stream_copy(double *to, const double *from, size_t n) {
  if (from) memcpy(to, from, n * sizeof *to);
  else memset(to, 0, n * sizeof *to);
}
#endif

__attribute__((noinline)) static double peak_scalar_f64(long rounds) {
  double s[PEAK_CHAINS], one = 1, tiny = 1e-30;
  const double begin = seconds();
  for (int i = 0; i < PEAK_CHAINS; i++) s[i] = i;
  for (long r = 0; r < rounds; r++) {
    _Pragma("GCC unroll 12") for (int i = 0; i < PEAK_CHAINS; i++) s[i] = i % 2 ? s[i] * one : s[i] + tiny;
    __asm__ volatile("" : "+m"(one), "+m"(tiny));
  }
  for (int i = 0; i < PEAK_CHAINS; i++) __asm__ volatile("" : : "m"(s[i]));
  return (double)rounds / (seconds() - begin);
}

/* Flops per second of one core with this instruction set; 0: not known. */
static double peak(const char *hw, int f32) {
  static const struct {
    const char *hw;
    double (*run[2])(long);
    int bytes, flops;
  } list[] = {
#if defined __x86_64__
      {"sse2", {peak_sse2_f64, peak_sse2_f32}, 16, 1},
      {"avx", {peak_avx_f64, peak_avx_f32}, 32, 1},
      {"avx2", {peak_avx2_f64, peak_avx2_f32}, 32, 2},
      {"avx512", {peak_avx512_f64, peak_avx512_f32}, 64, 2},
#endif
      {"scalar", {peak_scalar_f64, peak_scalar_f64}, 0, 1},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (!strcmp(list[i].hw, hw)) {
      const int lanes = list[i].bytes ? list[i].bytes / (f32 ? 4 : 8) : 1;
      double best = 0;
      for (int t = 0; t < 3; t++) {
        const double r = list[i].run[f32](100000);
        if (r > best) best = r;
      }
      return best * PEAK_CHAINS * lanes * list[i].flops;
    }
  return 0;
}

#endif
