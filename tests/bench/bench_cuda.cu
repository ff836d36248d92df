/* The benchmark on a CUDA device, on device arrays: lines as those of bench, the ceiling from a copy between device arrays of
   the same size in the same round.
     bench_cuda [--quick] [--tune] [--json FILE]
   --tune: only every tuning of stencil7, of which the best on a device may become its defaults.
   Builds with nvcc, and with a C++ compiler in the tests' emulator (where rates mean nothing). */
#ifndef __CUDACC__
#include "../cuda_emulator.h"
#endif
#include "convk_avx.h"
#include "convk_cuda.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

static FILE *json;
static int rounds = 9, name_width = 24;

static void must(int ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "bench_cuda: %s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
  exit(1);
}

static int magicfilter(const convk_grid3 *g, const int *b, const double *x, double *y, void *work, size_t bytes) {
  return convk_cuda_magicfilter3d_f64(g, g, CONVK_FORWARD, b, NULL, x, y, work, bytes, 0);
}
static int magicfilter(const convk_grid3 *g, const int *b, const float *x, float *y, void *work, size_t bytes) {
  return convk_cuda_magicfilter3d_f32(g, g, CONVK_FORWARD, b, NULL, x, y, work, bytes, 0);
}
static size_t work_size(const convk_grid3 *g, const int *b, double) {
  return convk_cuda_magicfilter3d_work_size_f64(g, CONVK_FORWARD, b, NULL);
}
static size_t work_size(const convk_grid3 *g, const int *b, float) {
  return convk_cuda_magicfilter3d_work_size_f32(g, CONVK_FORWARD, b, NULL);
}
static const double *taps_of(double) { return convk_magicfilter_taps_f64(CONVK_FORWARD).taps; }
static const float *taps_of(float) { return convk_magicfilter_taps_f32(CONVK_FORWARD).taps; }

/* Milliseconds of `calls` calls of what `run` starts. */
template <class Run> static double milliseconds(int calls, Run run) {
  cudaEvent_t begin, end;
  float time = 0;
  must(!cudaEventCreate(&begin) && !cudaEventCreate(&end), "events");
  cudaEventRecord(begin, 0);
  for (int i = 0; i < calls; i++) run();
  cudaEventRecord(end, 0);
  must(!cudaEventSynchronize(end) && !cudaEventElapsedTime(&time, begin, end), "timing");
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return (double)time / calls;
}

static void line(const char *operation, const char *type, const char *size, double rate, const char *unit, double ceiling,
                 const char *bound, double error) {
  printf("%-*s %-3s cuda       1 %-16s %9.1f %-7s  %5.1f%% of %8.1f (%s)  error %.1e\n", name_width, operation, type, size, rate,
         unit, 100 * rate / ceiling, ceiling, bound, error);
  if (json)
    fprintf(json, "{\"operation\":\"%s\",\"type\":\"%s\",\"hw\":\"cuda\",\"threads\":1,\"size\":\"%s\",\"rate\":%.6g,"
            "\"unit\":\"%s\",\"ceiling\":%.6g,\"ceiling_unit\":\"%s\",\"fraction\":%.4g,\"max_error\":%.3g}\n",
            operation, type, size, rate, unit, ceiling, unit, rate / ceiling, error);
}

static double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

/* Largest error at some points against sums in long double with the taps as stored. */
template <class T> static double largest_error(const convk_grid3 &g, const std::vector<T> &x, const std::vector<T> &y) {
  const T *f = taps_of(T());
  double worst = 0;
  for (unsigned s = 0; s < 40; s++) {
    const size_t n[3] = {g.nx, g.ny, g.nz};
    size_t at[3];
    for (int d = 0; d < 3; d++) at[d] = s == 0 ? 0 : s == 1 ? n[d] - 1 : (size_t)(s * 2654435761u >> (3 * d)) % n[d];
    long double sum = 0;
    for (size_t k = 0; k < 16 * 16 * 16; k++) {
      const size_t l[3] = {k % 16, k / 16 % 16, k / 256};
      size_t i[3];
      for (int d = 0; d < 3; d++) i[d] = (at[d] + n[d] * 8 - 8 + l[d]) % n[d];
      sum += (long double)f[l[0]] * f[l[1]] * f[l[2]] * x[i[0] + n[0] * (i[1] + n[1] * i[2])];
    }
    worst = std::max(worst, (double)std::fabs((long double)y[at[0] + n[0] * (at[1] + n[1] * at[2])] - sum));
  }
  return worst;
}

template <class T> static void measure(const char *type, size_t nx, size_t ny, size_t nz) {
  const convk_grid3 g = {nx, ny, nz, 0, 0};
  const int periodic[3] = {CONVK_PERIODIC, CONVK_PERIODIC, CONVK_PERIODIC};
  const size_t points = nx * ny * nz, bytes = work_size(&g, periodic, T());
  std::vector<T> in(points), out(points);
  std::vector<double> time, copy;
  T *x = NULL, *y = NULL;
  void *work = NULL;
  char size[48];
  for (size_t i = 0; i < points; i++) in[i] = (T)((double)((i * 2654435761u >> 7) % 20011) / 10005.5 - 1);
  must(!cudaMalloc((void **)&x, points * sizeof(T)) && !cudaMalloc((void **)&y, points * sizeof(T)) && !cudaMalloc(&work, bytes),
       "memory");
  must(!cudaMemcpy(x, &in[0], points * sizeof(T), cudaMemcpyHostToDevice), "copy in");
  for (int r = -1; r < rounds; r++) { /* the first is not counted */
    const int calls = rounds < 9 ? 1 : 20;
    const double c = milliseconds(calls, [&] { cudaMemcpyAsync(y, x, points * sizeof(T), cudaMemcpyDeviceToDevice, 0); });
    const double t = milliseconds(calls, [&] { must(!magicfilter(&g, periodic, x, y, work, bytes), "magicfilter3d"); });
    if (r >= 0) {
      time.push_back(t);
      copy.push_back(c);
    }
  }
  must(!cudaMemcpy(&out[0], y, points * sizeof(T), cudaMemcpyDeviceToHost), "copy out");
  const double rate = 96.0 * (double)points / median(time) * 1e-6;
  const double ceiling = 96.0 * (double)points / (2 * median(copy)) * 1e-6; /* two passes of reading and writing */
  const double error = largest_error(g, in, out);
  snprintf(size, sizeof size, "%zux%zux%zu", nx, ny, nz);
  line("magicfilter3d", type, size, rate, "GFlop/s", ceiling, "two copies", error);
  cudaFree(x);
  cudaFree(y);
  cudaFree(work);
}

/* ------------------------------------------------------------------------------------------------------ 7-point stencil -- */

static const int fixed[3] = {CONVK_FIXED, CONVK_FIXED, CONVK_FIXED};

static int stencil7(const convk_grid3 *g, size_t steps, const convk_cuda_stencil_tuning *t, double *a, double *b, double **r) {
  const convk_stencil7_coefficients_f64 c = convk_stencil7_isotropic_f64(0.4, 0.1);
  return convk_cuda_stencil7_f64(g, &c, fixed, steps, t, a, b, r, 0);
}
static int stencil7(const convk_grid3 *g, size_t steps, const convk_cuda_stencil_tuning *t, float *a, float *b, float **r) {
  const convk_stencil7_coefficients_f32 c = convk_stencil7_isotropic_f32(0.4f, 0.1f);
  return convk_cuda_stencil7_f32(g, &c, fixed, steps, t, a, b, r, 0);
}
static int stencil7_processor(const convk *hw, const convk_grid3 *g, size_t steps, double *a, double *b, double **r) {
  const convk_stencil7_coefficients_f64 c = convk_stencil7_isotropic_f64(0.4, 0.1);
  return convk_stencil7_f64(hw, g, &c, fixed, steps, a, b, r, NULL, 0);
}
static int stencil7_processor(const convk *hw, const convk_grid3 *g, size_t steps, float *a, float *b, float **r) {
  const convk_stencil7_coefficients_f32 c = convk_stencil7_isotropic_f32(0.4f, 0.1f);
  return convk_stencil7_f32(hw, g, &c, fixed, steps, a, b, r, NULL, 0);
}

/* Two states of n[0] x n[1] x n[2] points that change, each row of them at the beginning of 128 bytes, and what is in both
   states at first. */
template <class T> struct stencil_arrays {
  convk_grid3 grid;
  size_t points, shift;
  std::vector<T> start;
  T *memory[2], *a, *b;

  explicit stencil_arrays(const size_t n[3]) : points(n[0] * n[1] * n[2]), shift(128 / sizeof(T) - 1) {
    const size_t pitch = (n[0] + 2 + shift) / (shift + 1) * (shift + 1);
    const convk_grid3 g = {n[0] + 2, n[1] + 2, n[2] + 2, pitch, pitch * (n[1] + 2)};
    grid = g;
    start.resize(g.pitch_z * g.nz + shift);
    for (size_t i = 0; i < start.size(); i++) start[i] = (T)((double)((i * 2654435761u >> 7) % 20011) / 10005.5 - 1);
    for (int i = 0; i < 2; i++) must(!cudaMalloc((void **)&memory[i], start.size() * sizeof(T)), "memory");
    a = memory[0] + shift;
    b = memory[1] + shift;
  }
  ~stencil_arrays() {
    cudaFree(memory[0]);
    cudaFree(memory[1]);
  }
  void reset() {
    for (int i = 0; i < 2; i++)
      must(!cudaMemcpy(memory[i], &start[0], start.size() * sizeof(T), cudaMemcpyHostToDevice), "copy in");
  }
  /* What is in both after these steps. */
  std::vector<T> after(size_t steps, const convk_cuda_stencil_tuning *tuning) {
    std::vector<T> end(start.size());
    T *result = NULL;
    reset();
    must(!stencil7(&grid, steps, tuning, a, b, &result), "stencil7");
    must(!cudaMemcpy(&end[0], result - shift, end.size() * sizeof(T), cudaMemcpyDeviceToHost), "copy out");
    return end;
  }
  std::vector<T> after_on(const convk *hw, size_t steps) const {
    std::vector<T> one(start), other(start);
    T *result = NULL;
    must(!stencil7_processor(hw, &grid, steps, &one[shift], &other[shift], &result), "stencil7 on the processor");
    if (result == &other[shift]) one.swap(other);
    return one;
  }
  /* Milliseconds of a call, and of a copy of as many points, in the same rounds. */
  void time(size_t steps, const convk_cuda_stencil_tuning *tuning, double *call, double *copy) {
    const int calls = rounds < 9 ? 1 : steps > 1 ? 3 : 20;
    std::vector<double> calls_time, copies_time;
    T *result = NULL;
    for (int r = -1; r < rounds; r++) { /* the first is not counted */
      const double c = milliseconds(
          calls, [&] { cudaMemcpyAsync(memory[1], memory[0], points * sizeof(T), cudaMemcpyDeviceToDevice, 0); });
      const double t = milliseconds(calls, [&] { must(!stencil7(&grid, steps, tuning, a, b, &result), "stencil7"); });
      if (r >= 0) {
        calls_time.push_back(t);
        copies_time.push_back(c);
      }
    }
    *call = median(calls_time);
    *copy = median(copies_time);
  }
};

/* The largest difference from the best variant of the processor.  Fused ones must give the same bits; with others each step may
   differ by a few roundings of values of at most 1. */
template <class T> static double stencil_error(const std::vector<T> &got, const stencil_arrays<T> &arrays, size_t steps) {
  convk hw;
  must(!convk_open(&hw, NULL), "convk_open");
  const std::vector<T> want = arrays.after_on(&hw, steps);
  double worst = 0, limit = 8 * (double)std::numeric_limits<T>::epsilon() * (double)steps;
#ifndef CONVK_STRICT
  if (!strcmp(hw.name, "avx2") || !strcmp(hw.name, "avx512")) limit = 0;
#endif
  for (size_t i = 0; i < got.size(); i++) {
    const double error = std::fabs((double)got[i] - (double)want[i]);
    if (!(error <= limit)) {
      fprintf(stderr, "bench_cuda: stencil7: %g, and on %s %g\n", (double)got[i], hw.name, (double)want[i]);
      exit(1);
    }
    worst = std::max(worst, error);
  }
  convk_close(&hw);
  return worst;
}

template <class T> static void measure_stencil(const char *type, size_t nx, size_t ny, size_t nz, size_t steps) {
  const size_t n[3] = {nx, ny, nz};
  stencil_arrays<T> arrays(n);
  double call, copy, error;
  char size[48];
  error = stencil_error(arrays.after(steps, NULL), arrays, steps);
  arrays.reset();
  arrays.time(steps, NULL, &call, &copy);
  snprintf(size, sizeof size, "%zux%zux%zu", nx, ny, nz);
  line(steps > 1 ? "stencil7_steps" : "stencil7", type, size, (double)(arrays.points * steps) / call * 1e-6, "GLUP/s",
       (double)arrays.points / copy * 1e-6, "one copy", error);
}

/* Every tile, number of steps in one pass and chunk of planes, for one step and for `steps` of them; each gives the bits of the
   defaults. */
template <class T> static void tune_stencil(const char *type, size_t nx, size_t ny, size_t nz, size_t steps) {
  static const size_t tiles[] = {16, 32, 64}, planes[] = {0, 8, 16, 32, 64, 128, 256};
  const size_t n[3] = {nx, ny, nz};
  stencil_arrays<T> arrays(n);
  char size[48], what[80];
  snprintf(size, sizeof size, "%zux%zux%zu", nx, ny, nz);
  for (int many = 0; many < 2; many++) {
    const size_t count = many ? steps : 1;
    const std::vector<T> want = arrays.after(count, NULL);
    double best = 0;
    char best_what[80] = "";
    for (size_t t = 0; t < sizeof tiles / sizeof *tiles; t++)
      for (size_t depth = 1; depth <= (!many ? 1 : tiles[t] == 16 || (tiles[t] == 64 && sizeof(T) == 8) ? 2 : 4); depth++)
        for (size_t p = 0; p < sizeof planes / sizeof *planes && (!p || planes[p - 1] < nz); p++) {
          const convk_cuda_stencil_tuning tuning = {tiles[t], depth, planes[p]};
          const std::vector<T> got = arrays.after(count, &tuning);
          double call, copy, rate;
          snprintf(what, sizeof what, "%s: tile %zu, %zu in one pass, planes %zu", many ? "stencil7_steps" : "stencil7",
                   tuning.tile, tuning.steps, tuning.planes);
          if (memcmp(&got[0], &want[0], got.size() * sizeof(T))) {
            fprintf(stderr, "bench_cuda: %s differs from the defaults\n", what);
            exit(1);
          }
          arrays.time(count, &tuning, &call, &copy);
          rate = (double)(arrays.points * count) / call * 1e-6;
          line(what, type, size, rate, "GLUP/s", (double)arrays.points / copy * 1e-6, "one copy", 0);
          if (rate > best) {
            best = rate;
            strcpy(best_what, what);
          }
        }
    printf("best, %s %s: %s, %.1f GLUP/s\n", type, size, best_what, best);
  }
}

int main(int argc, char **argv) {
  cudaDeviceProp device;
  int tune = 0;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick")) rounds = 3;
    else if (!strcmp(argv[i], "--tune")) tune = 1;
    else if (!strcmp(argv[i], "--json") && i + 1 < argc) {
      i++;
      json = fopen(argv[i], "w");
      must(json != NULL, argv[i]);
    } else {
      fprintf(stderr, "usage: bench_cuda [--quick] [--tune] [--json FILE]\n");
      return 1;
    }
  }
  must(!cudaGetDeviceProperties(&device, 0), "device");
  printf("%s\n", device.name);
  if (json) fprintf(json, "{\"machine\":\"%s\",\"threads\":1,\"compiler\":\"nvcc\",\"pages\":\"device\"}\n", device.name);
  if (tune) {
    name_width = 54;
    const size_t n = rounds < 9 ? 9 : 512;
    for (size_t size = rounds < 9 ? n : 256; size <= n; size *= 2) { /* 24 steps: an even number of passes of every depth */
      tune_stencil<double>("f64", size, size, size, rounds < 9 ? 6 : 24);
      tune_stencil<float>("f32", size, size, size, rounds < 9 ? 6 : 24);
    }
  } else if (rounds < 9) {
    measure<double>("f64", 33, 18, 20);
    measure<float>("f32", 33, 18, 20);
    for (size_t steps = 1; steps <= 5; steps += 4) {
      measure_stencil<double>("f64", 33, 18, 6, steps);
      measure_stencil<float>("f32", 33, 18, 6, steps);
    }
  } else {
    static const size_t sizes[][3] = {{128, 126, 130}, {256, 256, 256}, {512, 512, 256}};
    for (int i = 0; i < 3; i++) {
      measure<double>("f64", sizes[i][0], sizes[i][1], sizes[i][2]);
      measure<float>("f32", sizes[i][0], sizes[i][1], sizes[i][2]);
    }
    for (size_t steps = 1; steps <= 64; steps += 63)
      for (size_t n = 256; n <= 512; n *= 2) {
        measure_stencil<double>("f64", n, n, n, steps);
        measure_stencil<float>("f32", n, n, n, steps);
      }
  }
  if (json) fclose(json);
  return 0;
}
