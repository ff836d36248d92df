/* The benchmark on a CUDA device, on device arrays: lines as those of bench, the ceiling from a copy between device arrays of
   the same size in the same round.
     bench_cuda [--quick] [--json FILE]
   Builds with nvcc, and with a C++ compiler in the tests' emulator (where rates mean nothing). */
#ifndef __CUDACC__
#include "../cuda_emulator.h"
#endif
#include "convk_cuda.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

static FILE *json;
static int rounds = 9;

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
  return time / calls;
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
  printf("magicfilter3d            %-3s cuda       1 %-16s %9.1f GFlop/s  %5.1f%% of %8.1f (two copies)  error %.1e\n", type, size, rate,
         100 * rate / ceiling, ceiling, error);
  if (json)
    fprintf(json, "{\"operation\":\"magicfilter3d\",\"type\":\"%s\",\"hw\":\"cuda\",\"threads\":1,\"size\":\"%s\",\"rate\":%.6g,"
            "\"unit\":\"GFlop/s\",\"ceiling\":%.6g,\"ceiling_unit\":\"GFlop/s\",\"fraction\":%.4g,\"max_error\":%.3g}\n",
            type, size, rate, ceiling, rate / ceiling, error);
  cudaFree(x);
  cudaFree(y);
  cudaFree(work);
}

int main(int argc, char **argv) {
  cudaDeviceProp device;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick")) rounds = 3;
    else if (!strcmp(argv[i], "--json") && i + 1 < argc) {
      i++;
      json = fopen(argv[i], "w");
      must(json != NULL, argv[i]);
    } else {
      fprintf(stderr, "usage: bench_cuda [--quick] [--json FILE]\n");
      return 1;
    }
  }
  must(!cudaGetDeviceProperties(&device, 0), "device");
  printf("%s\n", device.name);
  if (json) fprintf(json, "{\"machine\":\"%s\",\"threads\":1,\"compiler\":\"nvcc\",\"pages\":\"device\"}\n", device.name);
  if (rounds < 9) {
    measure<double>("f64", 33, 18, 20);
    measure<float>("f32", 33, 18, 20);
  } else {
    static const size_t sizes[][3] = {{128, 126, 130}, {256, 256, 256}, {512, 512, 256}};
    for (int i = 0; i < 3; i++) {
      measure<double>("f64", sizes[i][0], sizes[i][1], sizes[i][2]);
      measure<float>("f32", sizes[i][0], sizes[i][1], sizes[i][2]);
    }
  }
  if (json) fclose(json);
  return 0;
}
