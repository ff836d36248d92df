/* What the machine can do, measured: multiply-add peak of each instruction set, copy and write bandwidth past the caches. */
#ifndef BENCH_CEILING_H
#define BENCH_CEILING_H

#include <stddef.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#if defined __x86_64__
#include <immintrin.h>

/* The peak loops are assembly, so that every compiler runs the same: 14 independent sums, which covers latency times
   throughput.  Without fused multiply-add each sum is multiplied and added to in turn, which keeps both kinds of unit busy.
   They give rounds per second of 28 instructions.  v: of AVX, whose movq clears the upper parts of a register. */
#define EACH7(mul, add)                                                                              \
  mul(0) add(7) mul(1) add(8) mul(2) add(9) mul(3) add(10) mul(4) add(11) mul(5) add(12) mul(6) add(13)
#define EACH14(mul, add)                                                                             \
  EACH7(mul, add) mul(7) add(0) mul(8) add(1) mul(9) add(2) mul(10) add(3) mul(11) add(4) mul(12) add(5) mul(13) add(6)
#define PEAK(name, v, zero, mul, add)                                                                                       \
  static double name(long rounds) {                                                                                         \
    const double begin = seconds();                                                                                         \
    long left = rounds;                                                                                                     \
    __asm__ volatile(EACH7(zero, zero) v "movq %1, %%xmm14\n\t" v "movq %2, %%xmm15\n1:\n\t" EACH14(mul, add)               \
                     "dec %0\n\tjnz 1b\n\t"                                                                                 \
                     : "+r"(left)                                                                                           \
                     : "r"(bits_of(1)), "r"(bits_of(1e-30))                                                                 \
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",    \
                       "xmm12", "xmm13", "xmm14", "xmm15", "cc");                                                           \
    return (double)rounds / (seconds() - begin);                                                                            \
  }

static unsigned long long bits_of(double x) {
  unsigned long long bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

#define ZERO_SSE(i) "xorps %%xmm" #i ", %%xmm" #i "\n\t"
#define ZERO_AVX(i) "vxorps %%xmm" #i ", %%xmm" #i ", %%xmm" #i "\n\t"
#define MUL_SD(i) "mulsd %%xmm14, %%xmm" #i "\n\t"
#define ADD_SD(i) "addsd %%xmm15, %%xmm" #i "\n\t"
#define MUL_PD(i) "mulpd %%xmm14, %%xmm" #i "\n\t"
#define ADD_PD(i) "addpd %%xmm15, %%xmm" #i "\n\t"
#define MUL_YMM(i) "vmulpd %%ymm14, %%ymm" #i ", %%ymm" #i "\n\t"
#define ADD_YMM(i) "vaddpd %%ymm15, %%ymm" #i ", %%ymm" #i "\n\t"
#define FMA_YMM(i) "vfmadd213pd %%ymm15, %%ymm14, %%ymm" #i "\n\t"
#define FMA_ZMM(i) "vfmadd213pd %%zmm15, %%zmm14, %%zmm" #i "\n\t"
PEAK(peak_scalar, "", ZERO_SSE, MUL_SD, ADD_SD)
PEAK(peak_sse2, "", ZERO_SSE, MUL_PD, ADD_PD)
PEAK(peak_avx, "v", ZERO_AVX, MUL_YMM, ADD_YMM)
PEAK(peak_avx2, "v", ZERO_AVX, FMA_YMM, FMA_YMM)
PEAK(peak_avx512, "v", ZERO_AVX, FMA_ZMM, FMA_ZMM)

/* Flops per second of one core with this instruction set; f32 has twice the lanes of f64 and the same instructions per
   second.  0: not known. */
static double peak(const char *hw, int f32) {
  static const struct {
    const char *hw;
    double (*run)(long);
    int lanes, flops;
  } list[] = {{"scalar", peak_scalar, 0, 1},
              {"sse2", peak_sse2, 2, 1},
              {"avx", peak_avx, 4, 1},
              {"avx2", peak_avx2, 4, 2},
              {"avx512", peak_avx512, 8, 2}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (!strcmp(list[i].hw, hw)) {
      double best = 0;
      for (int t = 0; t < 3; t++) {
        const double r = list[i].run(100000);
        if (r > best) best = r;
      }
      return best * 28 * list[i].flops * (list[i].lanes ? list[i].lanes << f32 : 1);
    }
  return 0;
}

/* Copies n doubles past the caches, whole lines; writes numbers that change from line to line where `from` is NULL: lines of
   zeros go out twice as fast on some machines.  Stores of whole lines where the machine has them, which are the faster. */
__attribute__((target("avx512f"), noinline)) static void stream_lines(double *to, const double *from, size_t n) {
  const __m512d step = _mm512_set_pd(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8);
  __m512d x = step;
  for (size_t i = 0; i + 8 <= n; i += 8, x = _mm512_add_pd(x, step)) _mm512_stream_pd(to + i, from ? _mm512_load_pd(from + i) : x);
  _mm_sfence();
}

__attribute__((noinline)) static void stream_copy(double *to, const double *from, size_t n) {
  const __m128d step = _mm_set_pd(0.1, 0.2);
  __m128d x = step;
  if (__builtin_cpu_supports("avx512f")) {
    stream_lines(to, from, n);
    return;
  }
  for (size_t i = 0; i + 8 <= n; i += 8, x = _mm_add_pd(x, step))
    for (size_t k = 0; k < 8; k += 2) _mm_stream_pd(to + i + k, from ? _mm_load_pd(from + i + k) : x);
  _mm_sfence();
}
#else
static void stream_copy(double *to, const double *from, size_t n) {
  if (from) memcpy(to, from, n * sizeof *to);
  else
    for (size_t i = 0; i < n; i++) to[i] = 0.1 * (double)i;
}

static double peak(const char *hw, int f32) {
  (void)hw;
  (void)f32;
  return 0;
}
#endif

#endif
