/* Nanoseconds of a convolution by size of its FFT, for tests/bench/fft_costs.py: lines of variant, type, size, time.  Fields,
   kernels and results of half as many points, one thread, batches as of the default tuning; the least of ROUNDS.
     fft_costs [VARIANT ...]     without: every variant that this processor has */
#define CONVK_SIMD
#define CONVK_AVX_WITHOUT_AVX2
#define CONVK_F32
#define CONVK_WITH_FFT
#include "convk.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LEAST = 6, MOST = 128, ITEMS = 64, ROUNDS = 7 };
static const double ROUND = 2e6; /* nanoseconds that a round takes, about */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

typedef struct {
  convk *hw;
  int real;
  convk_batch2d batch;
  const float *in;
  float *out;
  void *plan, *work;
  size_t work_size;
} job;

static void call(const job *j) {
  const int status = j->real ? convk_fftconv2d_f32(j->hw, j->plan, &j->batch, j->in, j->out, j->work, j->work_size)
                             : convk_fftconv2d_c32(j->hw, j->plan, &j->batch, j->in, j->out, j->work, j->work_size);
  if (status) {
    fprintf(stderr, "fft_costs: %s\n", convk_strerror(status));
    exit(1);
  }
}

static double time_of(const job *j) {
  double least = 0;
  size_t calls = 1, i;
  for (int round = -1; round < ROUNDS; round++) { /* one to see how many calls make a round */
    const double begin = now();
    for (i = 0; i < calls; i++) call(j);
    const double each = (now() - begin) / (double)(calls * ITEMS);
    if (round < 0) calls = 1 + (size_t)(ROUND / (each * ITEMS));
    else if (!round || each < least) least = each;
  }
  return least;
}

static void measure(const char *name, int real) {
  static float in[2 * ITEMS * MOST * MOST], out[2 * ITEMS * MOST * MOST], kernel[2 * MOST * MOST];
  convk hw;
  if (convk_open(&hw, name)) return;
  for (size_t i = 0; i < sizeof in / sizeof *in; i++) in[i] = (float)(i % 17) - 8;
  for (size_t i = 0; i < sizeof kernel / sizeof *kernel; i++) kernel[i] = (float)(i % 13) - 6;
  for (size_t m = LEAST; m <= MOST; m++) {
    convk_fftconv2d_shape shape = {.mode = CONVK_FFT_CIRCULAR, .fft_rows = m, .fft_columns = m};
    job j = {.hw = &hw, .real = real, .batch = {.items = ITEMS}, .in = in, .out = out};
    size_t plan_size;
    int status;
    if (convk_fft2d_plan_size_c32(NULL, m, m, &plan_size)) continue; /* no product of 2, 3, 5 and 7 */
    shape.rows = shape.columns = shape.kernel_rows = shape.kernel_columns = shape.out_rows = shape.out_columns = (m + 1) / 2;
    status = (real ? convk_fftconv2d_plan_size_f32 : convk_fftconv2d_plan_size_c32)(NULL, &shape, 1, &plan_size);
    j.plan = malloc(plan_size);
    if (!status)
      status = real ? convk_fftconv2d_prepare_f32(NULL, &shape, 1, kernel, 0, 0, j.plan, plan_size)
                    : convk_fftconv2d_prepare_c32(NULL, &shape, 1, kernel, 0, 0, j.plan, plan_size);
    if (!status)
      status = real ? convk_fftconv2d_work_size_f32(&hw, j.plan, ITEMS, &j.work_size)
                    : convk_fftconv2d_work_size_c32(&hw, j.plan, ITEMS, &j.work_size);
    j.work = malloc(j.work_size);
    if (status || !j.plan || !j.work) exit(1);
    printf("%s %s %zu %.1f\n", name, real ? "f32" : "c32", m, time_of(&j));
    free(j.work);
    free(j.plan);
  }
  convk_close(&hw);
}

int main(int argc, char **argv) {
  const char *all[] = {"avx512", "avx2", "sse2", "scalar"};
  const int some = argc > 1;
  for (int i = 0; i < (some ? argc - 1 : 4); i++)
    for (int real = 0; real < 2; real++) measure(some ? argv[i + 1] : all[i], real);
  return 0;
}
