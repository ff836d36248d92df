/* The benchmark on a CUDA device, on device arrays: lines as those of bench, the ceiling from a copy between device arrays of
   the same size, from filling one, or from multiply-adds in registers, in the same round.
     bench_cuda [--quick] [--tune] [--json FILE]
   --tune: only every tuning of stencil7, of which the best on a device may become its defaults.
   With -DCONVK_BENCH_CUFFT and -lcufft, convolutions by FFT are beside cuFFT's.
   Builds with nvcc, and with a C++ compiler in the tests' emulator (where rates mean nothing). */
#ifndef __CUDACC__
#include "../cuda_emulator.h"
#endif
#ifndef BENCH_CUDA_PARTS /* without what runs on processors, and without main */
#include "convk_avx.h"
#endif
#include "convk_cuda.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <limits>
#include <vector>
#ifdef CONVK_BENCH_CUFFT
#include <cufft.h>
#endif

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
                 const char *bound, double error, const char *peer = NULL, double peer_rate = 0) {
  printf("%-*s %-3s cuda       1 %-16s %9.1f %-7s  %5.1f%% of %8.1f (%s)", name_width, operation, type, size, rate, unit,
         100 * rate / ceiling, ceiling, bound);
  if (peer) printf("  %6.2f x %s", rate / peer_rate, peer);
  printf("  error %.1e\n", error);
  if (!json) return;
  fprintf(json, "{\"operation\":\"%s\",\"type\":\"%s\",\"hw\":\"cuda\",\"threads\":1,\"size\":\"%s\",\"rate\":%.6g,"
          "\"unit\":\"%s\",\"ceiling\":%.6g,\"ceiling_unit\":\"%s\",\"fraction\":%.4g",
          operation, type, size, rate, unit, ceiling, unit, rate / ceiling);
  if (peer) fprintf(json, ",\"peer\":\"%s\",\"peer_rate\":%.6g,\"ratio\":%.4g", peer, peer_rate, rate / peer_rate);
  fprintf(json, ",\"max_error\":%.3g}\n", error);
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
      for (size_t depth = 1; depth <= (!many ? 1 : tiles[t] == 16 ? 2 : 4); depth++)
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

/* ------------------------------------------------------------------ vector mathematics, Gaussians, form factors -- */

#define TYPED(T, type) \
  static int map(int f, size_t n, const T *x, T *y, T *z) { \
    return f ? convk_cuda_sincos_##type(n, x, y, z, 0) : convk_cuda_exp_##type(n, x, y, 0); \
  } \
  static int gridpot(size_t n, const T *xyz, size_t m, const T *alpha, T *g) { \
    const convk_points_##type p = {n, xyz, xyz + n, xyz + 2 * n, 1}; \
    return convk_cuda_gridpot_##type(&p, NULL, m, alpha, NULL, g, 0, 0); \
  } \
  static int gridpot_sum(size_t n, const T *xyz, size_t m, const T *alpha, size_t nsums, const T *c, T *sums) { \
    const convk_points_##type p = {n, xyz, xyz + n, xyz + 2 * n, 1}; \
    return convk_cuda_gridpot_sum_##type(&p, NULL, m, alpha, nsums, c, 0, NULL, sums, 0, 0); \
  } \
  static void mesh_of(size_t n, T *storage, convk_mesh_##type *mesh) { \
    must(!convk_mesh_assign_##type(n, 0, storage, mesh), "mesh"); \
  } \
  static void mesh_fill(const T *corners, const convk_mesh_##type *mesh, convk_mesh_measures *measures) { \
    must(!convk_mesh_from_triangles_##type(corners, mesh) && !convk_mesh_measure_##type(mesh, measures), "mesh"); \
  } \
  static int formfactor(const convk_mesh_##type *m, const convk_mesh_measures *k, size_t nq, const T *q, T *f, void *work, \
                        size_t bytes) { \
    return convk_cuda_formfactor_##type(m, k, nq, q, q + nq, q + 2 * nq, NULL, NULL, f, work, bytes, 0); \
  } \
  static int formfactor_grid(const convk_mesh_##type *m, const convk_mesh_measures *k, const convk_grid3 *g, const T *q, T *f, \
                             void *work, size_t bytes) { \
    return convk_cuda_formfactor_grid_##type(m, k, g, q, q + g->nx, q + g->nx + g->ny, NULL, NULL, f, work, bytes, 0); \
  } \
  static size_t formfactor_size(size_t n, size_t nq, T) { return convk_cuda_formfactor_work_size_##type(n, nq); } \
  static size_t formfactor_size(size_t n, const convk_grid3 *g, T) { \
    return convk_cuda_formfactor_grid_work_size_##type(n, g, 0); \
  } \
  static int formfactor_processor(const convk_mesh_##type *m, const T q[3], T f[2]) { \
    convk hw; \
    int status = convk_open(&hw, NULL); \
    if (!status) status = convk_formfactor_##type(&hw, m, 1, q, q + 1, q + 2, NULL, NULL, f); \
    convk_close(&hw); \
    return status; \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED
template <class T> struct mesh_type;
template <> struct mesh_type<float> {
  typedef convk_mesh_f32 mesh;
};
template <> struct mesh_type<double> {
  typedef convk_mesh_f64 mesh;
};

/* An array on the device, and what is in it. */
template <class T> struct on_device {
  T *p;
  explicit on_device(size_t n) : p(NULL) { must(!cudaMalloc((void **)&p, (n ? n : 1) * sizeof(T)), "memory"); }
  explicit on_device(const std::vector<T> &v) : p(NULL) {
    must(!cudaMalloc((void **)&p, v.size() * sizeof(T)) && !cudaMemcpy(p, &v[0], v.size() * sizeof(T), cudaMemcpyHostToDevice),
         "copy in");
  }
  ~on_device() { cudaFree(p); }
  std::vector<T> back(size_t first, size_t n) const {
    std::vector<T> v(n);
    must(!cudaMemcpy(&v[0], p + first, n * sizeof(T), cudaMemcpyDeviceToHost), "copy out");
    return v;
  }

private:
  on_device(const on_device &);
};

/* Medians of milliseconds of a call and of its ceiling, in turns. */
template <class Run, class Ceiling> static void medians(int calls, Run run, Ceiling ceiling, double *time, double *bound) {
  std::vector<double> t, b;
  if (rounds < 9) calls = 1;
  for (int r = -1; r < rounds; r++) { /* the first is not counted */
    const double of_ceiling = milliseconds(calls, ceiling), of_call = milliseconds(calls, run);
    if (r < 0) continue;
    b.push_back(of_ceiling);
    t.push_back(of_call);
  }
  *time = median(t);
  *bound = median(b);
}

/* Multiply-adds and nothing else: eight chains in each of 256 threads of many blocks. */
template <class T> struct peak_args {
  T *out, factor;
  int steps;
};
template <class T> static __global__ void __launch_bounds__(256) peak(const peak_args<T> a) {
  T v[8];
  CONVK_CUDA_UNROLL_
  for (int k = 0; k < 8; k++) v[k] = (T)threadIdx.x + (T)k;
  for (int s = 0; s < a.steps; s += 16) {
    CONVK_CUDA_UNROLL_
    for (int i = 0; i < 16; i++)
      CONVK_CUDA_UNROLL_
      for (int k = 0; k < 8; k++) v[k] = convk_cuda_fma_(v[k], a.factor, (T)1);
  }
  T sum = 0;
  CONVK_CUDA_UNROLL_
  for (int k = 0; k < 8; k++) sum += v[k];
  if (sum < 0) a.out[0] = sum; /* never, but the compiler does not know */
}
template <class T> struct peak_of {
  peak_args<T> args;
  unsigned blocks;
  explicit peak_of(T *out) : blocks(rounds < 9 ? 1u : 132u * 64u) {
    args.out = out;
    args.factor = (T)0.5;
    args.steps = rounds < 9 ? 16 : 4096;
  }
  void operator()() const { CONVK_CUDA_LAUNCH_(peak<T>, dim3(blocks), dim3(256), 0, 0, args); }
  double count() const { return 256.0 * 8 * blocks * args.steps; }
};

template <class T> static void measure_map(const char *type, size_t n) {
  std::vector<T> in(n);
  char size[48];
  for (size_t i = 0; i < n; i++) in[i] = (T)((double)((i * 2654435761u >> 7) % 20011) / 1000.5 - 10);
  const on_device<T> x(in), y(n), z(n);
  snprintf(size, sizeof size, "%zu", n);
  for (int f = 0; f < 2; f++) {
    double time, bound, error = 0;
    medians(20, [&] { must(!map(f, n, x.p, y.p, z.p), "map"); },
            [&] { cudaMemcpyAsync(y.p, x.p, n * sizeof(T), cudaMemcpyDeviceToDevice, 0); }, &time, &bound);
    const std::vector<T> got = y.back(0, n < 1000 ? n : 1000);
    for (size_t i = 0; i < got.size(); i++) {
      const long double want = f ? std::sin((long double)in[i]) : std::exp((long double)in[i]);
      error = std::max(error, (double)std::fabs(((long double)got[i] - want) / want));
    }
    line(f ? "sincos" : "exp", type, size, (double)n / time * 1e-6, "G/s", (double)n / (f ? 1.5 * bound : bound) * 1e-6,
         f ? "3/2 copies" : "one copy", error);
  }
}

template <class T> static void measure_gridpot(const char *type, size_t n, size_t m) {
  std::vector<T> points(3 * n), exponents(m), c(8 * m);
  char size[48];
  double time, bound, error = 0;
  for (size_t i = 0; i < 3 * n; i++) points[i] = (T)((double)((i * 2654435761u >> 7) % 20011) / 10005.5 - 1);
  for (size_t j = 0; j < m; j++) exponents[j] = (T)(-0.01 * (double)(j + 1));
  for (size_t j = 0; j < 8 * m; j++) c[j] = (T)((double)((j * 2654435761u >> 9) % 2003) / 1001.5 - 1);
  const on_device<T> xyz(points), alpha(exponents), coefficients(c), g(n * m);
  snprintf(size, sizeof size, "%zux%zu", n, m);
  medians(10, [&] { must(!gridpot(n, xyz.p, m, alpha.p, g.p), "gridpot"); },
          [&] { cudaMemsetAsync(g.p, 1, n * m * sizeof(T), 0); }, &time, &bound);
  for (size_t j = 0; j < m; j += m / 5 + 1) {
    const std::vector<T> row = g.back(j * n, n < 1000 ? n : 1000);
    for (size_t i = 0; i < row.size(); i++) {
      const long double x = points[i], y = points[n + i], z = points[2 * n + i];
      const long double want = std::exp((long double)exponents[j] * (x * x + y * y + z * z));
      error = std::max(error, (double)std::fabs(((long double)row[i] - want) / want));
    }
  }
  line("gridpot", type, size, (double)(n * m) / time * 1e-6, "Gexp/s", (double)(n * m) / bound * 1e-6, "one fill", error);
  for (size_t nsums = 1; nsums <= 8; nsums *= 8) {
    const peak_of<T> most(g.p);
    error = 0;
    medians(10, [&] { must(!gridpot_sum(n, xyz.p, m, alpha.p, nsums, coefficients.p, g.p), "gridpot_sum"); }, most, &time,
            &bound);
    const std::vector<T> got = g.back((nsums - 1) * n, n < 100 ? n : 100);
    for (size_t i = 0; i < got.size(); i++) {
      const long double x = points[i], y = points[n + i], z = points[2 * n + i];
      long double want = 0, all = 0;
      for (size_t j = 0; j < m; j++) {
        const long double term = c[(nsums - 1) * m + j] * std::exp((long double)exponents[j] * (x * x + y * y + z * z));
        want += term;
        all += std::fabs(term);
      }
      error = std::max(error, (double)(std::fabs((long double)got[i] - want) / all));
    }
    snprintf(size, sizeof size, "%zux%zux%zu", n, m, nsums);
    line("gridpot_sum", type, size, (double)(n * m) / time * 1e-6, "Gexp/s",
         most.count() / ((sizeof(T) == 4 ? 16 : 21) + (double)nsums) / bound * 1e-6, "its operations", error);
  }
}

/* The surface of a box, k x k x 2 triangles a face. */
template <class T> static std::vector<T> box_corners(size_t k) {
  static const int order[2][6] = {{0, 3, 1, 0, 2, 3}, {0, 1, 3, 0, 3, 2}};
  std::vector<T> v;
  for (int d = 0; d < 3; d++)
    for (int side = 0; side < 2; side++)
      for (size_t i = 0; i < k * k; i++)
        for (int c = 0; c < 6; c++) {
          const int corner = order[side][c];
          double p[3];
          p[d] = side - 0.5;
          p[(d + 1) % 3] = (double)(i / k + (size_t)(corner & 1)) / (double)k - 0.5;
          p[(d + 2) % 3] = (double)(i % k + (size_t)(corner >> 1)) / (double)k - 0.5;
          v.insert(v.end(), p, p + 3);
        }
  return v;
}

template <class T> static void measure_formfactor(const char *type, size_t k, const size_t n[3]) {
  const std::vector<T> corners = box_corners<T>(k);
  const size_t triangles = corners.size() / 9, nq = n[0] * n[1] * n[2];
  const convk_grid3 grid = {n[0], n[1], n[2], 0, 0};
  std::vector<T> storage(6 * triangles), axes, list(3 * nq);
  typename mesh_type<T>::mesh mesh, there;
  convk_mesh_measures measures;
  char size[48];
  mesh_of(triangles, &storage[0], &mesh);
  mesh_fill(&corners[0], &mesh, &measures);
  for (int d = 0; d < 3; d++)
    for (size_t i = 0; i < n[d]; i++) axes.push_back((T)(0.3 * (d + 1) + 8.0 * (double)i / (double)n[d]));
  for (size_t i = 0; i < nq; i++) {
    list[i] = axes[i % n[0]];
    list[nq + i] = axes[n[0] + i / n[0] % n[1]];
    list[2 * nq + i] = axes[n[0] + n[1] + i / n[0] / n[1]];
  }
  const on_device<T> arrays(storage), q(axes), all(list), f(2 * nq);
  mesh_of(triangles, arrays.p, &there);
  for (int on_grid = 0; on_grid < 2; on_grid++) {
    const size_t bytes = on_grid ? formfactor_size(triangles, &grid, T()) : formfactor_size(triangles, nq, T());
    const on_device<char> work(bytes);
    const peak_of<T> most(f.p);
    double time, bound, error = 0, largest = 0;
    medians(3,
            [&] {
              must(!(on_grid ? formfactor_grid(&there, &measures, &grid, q.p, f.p, work.p, bytes)
                             : formfactor(&there, &measures, nq, all.p, f.p, work.p, bytes)), "formfactor");
            },
            most, &time, &bound);
    const std::vector<T> got = f.back(0, 2 * nq);
    for (size_t i = 0; i < 2 * nq; i++) largest = std::max(largest, std::fabs((double)got[i]));
    for (size_t i = 0; i < nq; i += nq / 7 + 1) {
      const T one[3] = {list[i], list[nq + i], list[2 * nq + i]};
      T want[2];
      must(!formfactor_processor(&mesh, one, want), "formfactor on the processor");
      for (size_t part = 0; part < 2; part++)
        error = std::max(error, std::fabs((double)got[2 * i + part] - (double)want[part]) / largest);
    }
    snprintf(size, sizeof size, "%zux%zux%zux%zu", n[0], n[1], n[2], triangles);
    line(on_grid ? "formfactor_grid" : "formfactor", type, size, (double)nq * (double)triangles / time * 1e-6, "Gpair/s",
         most.count() / (on_grid ? 6.0 : sizeof(T) == 4 ? 23.0 : 31.0) / bound * 1e-6,
         on_grid ? "6 multiply-adds" : "its operations", error);
  }
}

/* ------------------------------------------------------------------------------------------------ 2D convolutions by FFT -- */

#define TYPED(T, type) \
  static size_t fft_plan_size(const convk_fftconv2d_shape *s, size_t kernels, T) { \
    return convk_fftconv2d_plan_size_##type(NULL, s, kernels); \
  } \
  static int fft_plan(const convk_fftconv2d_shape *s, size_t kernels, const T *spectra, void *plan, size_t bytes) { \
    return convk_fftconv2d_plan_spectrum_##type(NULL, s, kernels, spectra, 0, 0, plan, bytes); \
  } \
  static size_t fft_there(const void *plan, T) { return convk_cuda_fftconv2d_plan_size_##type(plan); } \
  static size_t fft_work(const void *plan, size_t items, T) { return convk_cuda_fftconv2d_work_size_##type(plan, items); } \
  static int fftconv2d(const void *plan, const void *there, const convk_batch2d *b, const T *in, T *out, void *work, \
                       size_t bytes) { \
    return convk_cuda_fftconv2d_##type(plan, there, b, in, out, work, bytes, 0); \
  }
TYPED(float, c32)
TYPED(double, c64)
#undef TYPED

/* An item from the definition: relative L2 error. */
template <class T> static double fft_error(size_t m, size_t n, const T *field, const T *spectrum, const T *got) {
  typedef std::complex<long double> number;
  std::vector<number> root(m), a(m * n), h(m * m), b(m * n);
  long double off = 0, all = 0;
  for (size_t k = 0; k < m; k++) root[k] = std::polar(1.0L, -2 * std::acos(-1.0L) * (long double)k / (long double)m);
  for (size_t k = 0; k < m; k++)
    for (size_t c = 0; c < n; c++)
      for (size_t r = 0; r < n; r++) a[k * n + c] += root[k * r % m] * number(field[2 * (r * n + c)], field[2 * (r * n + c) + 1]);
  for (size_t k = 0; k < m; k++)
    for (size_t l = 0; l < m; l++) {
      for (size_t c = 0; c < n; c++) h[k * m + l] += root[l * c % m] * a[k * n + c];
      h[k * m + l] *= number(spectrum[2 * (k * m + l)], spectrum[2 * (k * m + l) + 1]) / (long double)(m * m);
    }
  for (size_t k = 0; k < m; k++)
    for (size_t c = 0; c < n; c++)
      for (size_t l = 0; l < m; l++) b[k * n + c] += std::conj(root[l * c % m]) * h[k * m + l];
  for (size_t r = 0; r < n; r++)
    for (size_t c = 0; c < n; c++) {
      number want = 0;
      for (size_t k = 0; k < m; k++) want += std::conj(root[k * r % m]) * b[k * n + c];
      off += std::norm(number(got[2 * (r * n + c)], got[2 * (r * n + c) + 1]) - want);
      all += std::norm(want);
    }
  return (double)std::sqrt(off / all);
}

#ifdef CONVK_BENCH_CUFFT
static cufftResult fft_exec(cufftHandle plan, float2 *a, int way) { return cufftExecC2C(plan, a, a, way); }
static cufftResult fft_exec(cufftHandle plan, double2 *a, int way) { return cufftExecZ2Z(plan, a, a, way); }

/* Elements of n x n fields to or from those of m x m squares; what is beyond a field is 0. */
template <class P> static __global__ void fft_pad(unsigned m, unsigned n, size_t items, const P *field, P *square) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x, item = i / (m * m);
  const unsigned r = (unsigned)(i / m % m), c = (unsigned)(i % m);
  P v = {0, 0};
  if (item >= items) return;
  if (r < n && c < n) v = field[(item * n + r) * n + c];
  square[i] = v;
}
template <class P> static __global__ void fft_extract(unsigned m, unsigned n, size_t items, const P *square, P *field) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x, item = i / (n * n);
  const unsigned r = (unsigned)(i / n % n), c = (unsigned)(i % n);
  if (item < items) field[i] = square[(item * m + r) * m + c];
}
/* The spectra are scaled by 1 / m^2; `first`: number of the first item. */
template <class P>
static __global__ void fft_multiply(unsigned m, size_t first, size_t items, size_t each, const P *spectra, P *square) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x, item = i / (m * m);
  if (item >= items) return;
  const P s = spectra[(first + item) / each * (m * m) + i % (m * m)], v = square[i];
  P w;
  w.x = s.x * v.x - s.y * v.y;
  w.y = s.x * v.y + s.y * v.x;
  square[i] = w;
}

/* cuFFT with a batched plan, `chunk` items at a time; chunk divides items. */
template <class P> struct fft_peer {
  size_t m, n, items, each, chunk;
  const P *in, *spectra;
  P *out, *square;
  cufftHandle plan;
  fft_peer(size_t m0, size_t n0, size_t items0, size_t each0, size_t chunk0, const P *in0, const P *spectra0, P *out0,
           P *square0)
      : m(m0), n(n0), items(items0), each(each0), chunk(chunk0), in(in0), spectra(spectra0), out(out0), square(square0) {
    int size[2] = {(int)m, (int)m};
    must(cufftPlanMany(&plan, 2, size, NULL, 1, (int)(m * m), NULL, 1, (int)(m * m), sizeof(P) == 8 ? CUFFT_C2C : CUFFT_Z2Z,
                       (int)chunk) == CUFFT_SUCCESS, "cuFFT plan");
  }
  ~fft_peer() { cufftDestroy(plan); }
  void operator()() const {
    const unsigned squares = (unsigned)((chunk * m * m + 255) / 256), fields = (unsigned)((chunk * n * n + 255) / 256);
    for (size_t first = 0; first < items; first += chunk) {
      fft_pad<<<squares, 256>>>((unsigned)m, (unsigned)n, chunk, in + first * n * n, square);
      must(fft_exec(plan, square, CUFFT_FORWARD) == CUFFT_SUCCESS, "cuFFT");
      fft_multiply<<<squares, 256>>>((unsigned)m, first, chunk, each, spectra, square);
      must(fft_exec(plan, square, CUFFT_INVERSE) == CUFFT_SUCCESS, "cuFFT");
      fft_extract<<<fields, 256>>>((unsigned)m, (unsigned)n, chunk, square, out + first * n * n);
    }
  }
};
#endif

/* Fields of m / 2 - 1 squared in FFTs of m squared, `each` of them for every kernel, which is given by its spectrum. */
template <class T> static void measure_fftconv2d(const char *type, size_t m, size_t kernels, size_t each) {
  const size_t n = m / 2 - 1, items = kernels * each, sample = items / 3;
  const double flops = (double)(m * m) * (20 * std::log2((double)m) + 6);
  convk_fftconv2d_shape shape;
  convk_batch2d batch;
  std::vector<T> field(2 * n * n * items), spectra(2 * m * m * kernels);
  double time, bound, error = 0, peer = 0;
  char size[48];
  memset(&shape, 0, sizeof shape);
  memset(&batch, 0, sizeof batch);
  shape.mode = CONVK_CIRCULAR;
  shape.rows = shape.columns = n;
  shape.fft_rows = shape.fft_columns = m;
  batch.items = items;
  batch.items_per_kernel = each;
  for (size_t i = 0; i < field.size(); i++) field[i] = (T)((double)((i * 2654435761u >> 7) % 20011) / 10005.5 - 1);
  for (size_t i = 0; i < spectra.size(); i++) spectra[i] = (T)((double)((i * 2246822519u >> 9) % 20011) / 10005.5 - 1);
  std::vector<char> plan(fft_plan_size(&shape, kernels, T()));
  must(!fft_plan(&shape, kernels, &spectra[0], &plan[0], plan.size()), "plan of fftconv2d");
  plan.resize(fft_there(&plan[0], T()));
  const size_t bytes = fft_work(&plan[0], items, T());
  const on_device<T> in(field), out(field.size());
  const on_device<char> there(plan), work(bytes);
  const peak_of<T> most(out.p);
  auto call = [&] { must(!fftconv2d(&plan[0], there.p, &batch, in.p, out.p, work.p, bytes), "fftconv2d"); };
  medians(20, call, most, &time, &bound);
  call();
  for (size_t i = 0; i < items; i += sample + 1) {
    const std::vector<T> got = out.back(2 * n * n * i, 2 * n * n);
    error = std::max(error, fft_error(m, n, &field[2 * n * n * i], &spectra[2 * m * m * (i / each)], &got[0]));
  }
#ifdef CONVK_BENCH_CUFFT
  {
    typedef typename convk_cuda_fft_type_<T>::pair pair;
    size_t chunk = items, all = 2 * m * m * sizeof(T);
    for (size_t i = 0; i < spectra.size(); i++) spectra[i] /= (T)(m * m);
    const on_device<T> scaled(spectra), square(2 * m * m * items);
    for (int part = 0; part < 2; part++) { /* all at once, or as many kernels' items as stay in the L2 cache: the better one */
      double own, again;
      if (part)
        for (chunk = each; chunk * 2 * all <= 20000000 && items % (2 * chunk) == 0;) chunk *= 2;
      const fft_peer<pair> cufft(m, n, items, each, chunk, (const pair *)in.p, (const pair *)scaled.p,
                                 (pair *)out.p, (pair *)square.p);
      medians(20, cufft, call, &own, &again);
      const std::vector<T> got = out.back(2 * n * n * sample, 2 * n * n);
      cufft();
      const std::vector<T> theirs = out.back(2 * n * n * sample, 2 * n * n);
      for (size_t i = 0; i < got.size(); i++)
        must(std::fabs((double)got[i] - (double)theirs[i]) <= 1e-4 * (double)m, "cuFFT's result");
      if ((double)items / own <= peer) continue;
      peer = (double)items / own;
      time = again; /* of the same rounds */
    }
  }
#endif
  snprintf(size, sizeof size, "%zux%zu", m, m);
  line("fftconv2d", type, size, (double)items / time, "kconv/s", 2 * most.count() / flops / bound, "nominal operations", error,
       peer > 0 ? "cuFFT" : NULL, peer);
}

/* -------------------------------------------------------------------------------------------------------------- pairs -- */

#define TYPED(T, type) \
  static size_t pair_work(size_t n, size_t walkers, T) { return convk_cuda_pair_energy_work_size_##type(n, walkers); } \
  static int pair_energy(const convk_pair_system *s, const convk_walkers *w, const T *r, convk_pair_result *result, T *gradient, \
                         void *work, size_t bytes) { \
    return convk_cuda_pair_energy_##type(s, w, CONVK_PAIR_ALL, r, result, gradient, work, bytes, 0); \
  } \
  static int pair_processor(const convk *hw, const convk_pair_system *s, const convk_walkers *w, const T *r, \
                            convk_pair_result *result) { \
    return convk_pair_energy_##type(hw, s, w, CONVK_PAIR_ALL, r, result, NULL, NULL, 0); \
  } \
  static size_t sweeps_work(const convk_vmc *v, T) { return convk_cuda_vmc_sweeps_work_size_##type(v); } \
  static int sweeps(const convk_vmc *v, T *r, double *ln_psi, double *drift, uint32_t *accepted, void *work, size_t bytes) { \
    return convk_cuda_vmc_sweeps_##type(v, 0, 16, v->step, 0, r, ln_psi, NULL, drift, accepted, work, bytes, 0); \
  } \
  static void sweeps_processor(const convk *hw, const convk_vmc *v, const T *r, std::vector<T> *after) { \
    std::vector<char> state(convk_vmc_state_size_##type(v)); \
    must(!convk_vmc_begin_##type(v, r, &state[0], state.size()) && \
             !convk_vmc_run_##type(hw, v, 16, &state[0], state.size(), NULL, 0) && \
             !convk_vmc_positions_##type(v, &state[0], state.size(), &(*after)[0]), \
         "vmc_run on the processor"); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

/* Balls of 0.0218 atoms per cubic Angstrom, no two nearer than 2.2 A, in random order: that of a long run, in which lanes find
   the fewest exponentials to leave out. */
static std::vector<double> clusters(size_t n, size_t walkers) {
  const double spacing = 3.58;
  std::vector<std::pair<double, size_t> > site;
  std::vector<double> r(3 * n * walkers);
  uint64_t random = 1;
  const auto next = [&] {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return (double)(random >> 11) / 9007199254740992.0;
  };
  const int m = (int)std::cbrt((double)n) + 1, side = 2 * m + 1;
  for (int i = 0; i < side * side * side; i++) {
    const double x = i % side - m, y = i / side % side - m, z = i / side / side - m;
    site.push_back(std::make_pair(x * x + y * y + z * z, (size_t)i));
  }
  std::sort(site.begin(), site.end());
  site.resize(n);
  for (size_t w = 0; w < walkers; w++) {
    for (size_t i = n; i > 1; i--) std::swap(site[i - 1], site[(size_t)(next() * (double)i)]);
    for (size_t i = 0; i < n; i++)
      for (int d = 0, k = (int)site[i].second; d < 3; d++, k /= side)
        r[(3 * w + (size_t)d) * n + i] = spacing * (k % side - m) + 1.38 * (next() - 0.5);
  }
  return r;
}

static convk_pair_system helium(size_t n) {
  convk_pair_system s;
  memset(&s, 0, sizeof s);
  s.particles = n;
  s.potential = convk_hfdb();
  s.trial.p5 = 120;
  s.trial.p0 = 0.4;
  s.trial.p1 = 0.08;
  return s;
}

static void pair_size(char *text, size_t bytes, size_t n, size_t walkers) {
  if (walkers == 1) snprintf(text, bytes, "%zu", n);
  else snprintf(text, bytes, "%zux%zu", walkers, n);
}

template <class T> static void measure_pairs(const char *type, size_t n, size_t walkers) {
  const std::vector<double> at = clusters(n, walkers);
  const std::vector<T> r(at.begin(), at.end());
  const convk_pair_system system = helium(n);
  const convk_walkers all = {walkers, 0, 0}, one = {1, 0, 0};
  const size_t bytes = pair_work(n, walkers, T());
  const on_device<T> there(r), gradient(r.size());
  const on_device<convk_pair_result> result(walkers);
  const on_device<char> work(bytes);
  const peak_of<T> most(gradient.p);
  convk_pair_result want;
  double time, bound, error;
  char size[48];
  convk hw;
  medians(20, [&] { must(!pair_energy(&system, &all, there.p, result.p, gradient.p, work.p, bytes), "pair_energy"); }, most,
          &time, &bound);
  const convk_pair_result got = result.back(walkers - 1, 1)[0];
  must(!convk_open(&hw, NULL) && !pair_processor(&hw, &system, &one, &r[3 * n * (walkers - 1)], &want),
       "pair_energy on the processor");
  convk_close(&hw);
  error = std::fabs((got.ln_psi - want.ln_psi) / want.ln_psi);
  error = std::max(error, std::fabs((got.laplacian - want.laplacian) / want.laplacian));
  error = std::max(error, std::fabs((got.gradient_squared - want.gradient_squared) / want.gradient_squared));
  pair_size(size, sizeof size, n, walkers);
  line("pair_energy", type, size, 0.5 * (double)n * (double)(n - 1) * (double)walkers / time * 1e-6, "Gpair/s",
       most.count() / (sizeof(T) == 4 ? 43.0 : 53.0) / bound * 1e-6, "its operations", error);
}

/* Sixteen sweeps of moves of single particles; error: of coordinates, against the processor's from the same beginning. */
template <class T> static void measure_sweeps(const char *type, size_t n, size_t walkers) {
  const std::vector<double> at = clusters(n, walkers);
  const std::vector<T> r(at.begin(), at.end());
  const size_t few = walkers < 2 ? walkers : 2;
  convk_vmc vmc;
  memset(&vmc, 0, sizeof vmc);
  vmc.system = helium(n);
  vmc.walkers = walkers;
  vmc.seed = 1;
  vmc.step = 0.8;
  vmc.acceptance = -1;
  vmc.equilibration = 1000; /* nothing is measured */
  const size_t bytes = sweeps_work(&vmc, T());
  const on_device<T> there(r), out(1);
  const on_device<double> ln_psi(walkers), drift(walkers);
  const on_device<uint32_t> accepted(walkers);
  const on_device<char> work(bytes);
  const peak_of<T> most(out.p);
  std::vector<T> want(3 * n * few);
  double time, bound, error = 0;
  char size[48];
  convk hw;
  const auto run = [&] { must(!sweeps(&vmc, there.p, ln_psi.p, drift.p, accepted.p, work.p, bytes), "vmc_sweeps"); };
  run();
  const std::vector<T> got = there.back(0, want.size());
  vmc.walkers = few;
  must(!convk_open(&hw, NULL), "processor");
  sweeps_processor(&hw, &vmc, &r[0], &want);
  convk_close(&hw);
  for (size_t i = 0; i < want.size(); i++) error = std::max(error, std::fabs((double)got[i] - (double)want[i]));
  vmc.walkers = walkers;
  medians(1, run, most, &time, &bound);
  pair_size(size, sizeof size, n, walkers);
  line("vmc_sweep", type, size, 16 * (double)n * (double)walkers / time * 1e-3, "Mmove/s",
       most.count() / ((sizeof(T) == 4 ? 42.0 : 54.0) * (double)n) / bound * 1e-3, "its operations", error);
}

#ifndef BENCH_CUDA_PARTS
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
    static const size_t few[3] = {5, 9, 3};
    measure_map<double>("f64", 1000);
    measure_map<float>("f32", 1000);
    measure_gridpot<double>("f64", 300, 9);
    measure_gridpot<float>("f32", 300, 9);
    measure_formfactor<double>("f64", 2, few);
    measure_formfactor<float>("f32", 2, few);
    for (size_t m = 16; m <= 128; m *= 2) {
      measure_fftconv2d<float>("c32", m, 2, 128 / m);
      measure_fftconv2d<double>("c64", m, 2, 128 / m);
    }
    for (size_t n = 20; n <= 300; n += 280) {
      measure_pairs<double>("f64", n, 3);
      measure_pairs<float>("f32", n, 1);
    }
    measure_sweeps<double>("f64", 20, 3);
    measure_sweeps<float>("f32", 20, 3);
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
    static const size_t plane[3] = {256, 256, 1}, cube[3] = {128, 128, 64};
    measure_map<double>("f64", (size_t)1 << 27);
    measure_map<float>("f32", (size_t)1 << 27);
    measure_gridpot<double>("f64", 262144, 640);
    measure_gridpot<float>("f32", 262144, 640);
    measure_formfactor<double>("f64", 24, plane);
    measure_formfactor<float>("f32", 24, plane);
    measure_formfactor<double>("f64", 64, cube);
    measure_formfactor<float>("f32", 64, cube);
    for (size_t m = 16; m <= 128; m *= 2) { /* 3 components at 8 angles in 2 m layers */
      measure_fftconv2d<float>("c32", m, 2 * m, 24);
      measure_fftconv2d<double>("c64", m, 2 * m, 24);
    }
    static const size_t drops[][2] = {{512, 1}, {1024, 1}, {2048, 1}, {4096, 1}, {16384, 1}, {1024, 64}, {20, 4096}, {70, 4096}};
    for (size_t i = 0; i < sizeof drops / sizeof *drops; i++) {
      measure_pairs<double>("f64", drops[i][0], drops[i][1]);
      measure_pairs<float>("f32", drops[i][0], drops[i][1]);
    }
    static const size_t runs[][2] = {{20, 4096}, {70, 4096}, {1024, 132}, {4096, 1}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
      measure_sweeps<double>("f64", runs[i][0], runs[i][1]);
      measure_sweeps<float>("f32", runs[i][0], runs[i][1]);
    }
  }
  if (json) fclose(json);
  return 0;
}
#endif
