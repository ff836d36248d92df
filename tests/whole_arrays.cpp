/* SPDX-License-Identifier: MIT
   Every element of large arrays: a device's beside those of the best processor with fused arithmetic.  Where golden.c says that both
   are of one class, the bits are compared; form factors and pairs, whose sums and roots are a device's own, by a stated bound.

     nvcc -x cu -O2 -arch=native -Xcompiler -ffp-contract=off,-fopenmp -DCONVK_OPENMP -DCONVK_CUDA -I. tests/whole_arrays.cpp -o whole_arrays
     c++ -std=c++11 -O2 -ffp-contract=off -DCONVK_CL -DCL_TARGET_OPENCL_VERSION=120 -I. tests/whole_arrays.cpp -o whole_arrays -lOpenCL
     c++ -std=c++11 -O1 -ffp-contract=off -DCONVK_CUDA -DCONVK_TEST_CUDA_EMULATED -I. tests/whole_arrays.cpp -o whole_arrays -pthread
     whole_arrays [--hw NAME] [--small] [--filter TEXT] [--json FILE]

   With -DCONVK_WITH_FFT only that family.  By default --hw cuda, or opencl where only that is compiled in; a processor's name compares
   processors.  --small: sizes for the emulator.  The last line is `N passed, N failed, N skipped`. */
#ifdef CONVK_TEST_CUDA_EMULATED
#include "cuda_emulator.h"
#endif
#define CONVK_AVX
#include "families.h"
#include "convk.h"

#include <cstdio>
#include <limits>
#include <string>

#include "bench/inputs.h"
#if CONVK_HAS_FORMFACTOR_
#include "../examples/shapes.h"
#endif

static const char *filter;
static int small;
static unsigned long passed, failed, skipped;
static FILE *json;
static convk device, processor;

static void must(int ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "whole_arrays: %s\n", what);
  exit(1);
}

template <class T> static const char *type_name(void) { return sizeof(T) == 4 ? "f32" : "f64"; }

static inline std::string product(size_t x, size_t y, size_t z = 0) {
  return std::to_string(x) + "x" + std::to_string(y) + (z ? "x" + std::to_string(z) : "");
}

/* ---- comparisons ---- */

template <class T> static int same_bits(T a, T b) { return !memcmp(&a, &b, sizeof a) || (a != a && b != b); }

/* limit(i) is what element i may differ by; below 0: nothing, not a bit. */
template <class T, class Limit>
static void compare(const std::string &name, const std::vector<T> &got, const std::vector<T> &want, Limit limit) {
  size_t different = 0, first = 0;
  double worst = 0;
  for (size_t i = 0; i < got.size(); i++) {
    const double most = limit(i), off = std::fabs((double)got[i] - (double)want[i]);
    if (same_bits(got[i], want[i])) continue;
    if (most > 0) worst = std::max(worst, off / most);
    if (off <= most) continue; /* a NaN goes on */
    if (!different++) first = i;
  }
  if (different) {
    printf("FAIL %s: %zu of %zu differ, first [%zu]: %.17g, and %.17g on %s\n", name.c_str(), different, got.size(), first,
           (double)got[first], (double)want[first], processor.name);
    failed++;
  } else {
    printf("ok %s: %zu %s", name.c_str(), got.size(), limit(0) < 0 ? "same bits\n" : "within their bounds");
    if (limit(0) >= 0) printf(", the worst %.2g of its own\n", worst);
    passed++;
  }
  fflush(stdout);
  if (json)
    fprintf(json, "{\"whole\":\"%s\",\"hw\":\"%s\",\"elements\":%zu,\"different\":%zu,\"of_bound\":%.3g}\n", name.c_str(),
            device.name, got.size(), different, worst);
}

/* What `call` gives for both, in arrays of n elements that are all NaN before: so that each has to be written. */
template <class T, class Call, class Limit>
static void both_of(const char *operation, const std::string &size, size_t n, Call call, Limit limit) {
  const std::string name = std::string(operation) + " " + type_name<T>() + " " + size;
  if (filter && name.find(filter) == std::string::npos) return;
  std::vector<T> got(n, std::numeric_limits<T>::quiet_NaN()), want(got);
  const int status = call(&device, &got[0]);
  if (status == CONVK_ERR_UNSUPPORTED) {
    printf("skipped %s: %s\n", name.c_str(), convk_strerror(status));
    skipped++;
    return;
  }
  if (status) {
    printf("FAIL %s: %s has status %d, %s\n", name.c_str(), device.name, status, convk_strerror(status));
    failed++;
    return;
  }
  must(!call(&processor, &want[0]), name.c_str());
  compare(name, got, want, limit);
}

static inline double no_bit(size_t) { return -1; }
template <class T, class Call> static void same(const char *operation, const std::string &size, size_t n, Call call) {
  both_of<T>(operation, size, n, call, no_bit);
}

/* ---- filters ---- */

#if CONVK_HAS_HAMILTONIAN_
static convk_sepconv3d_shape shape_of(const convk_grid3 *g, int y = CONVK_BOUNDARY_PERIODIC) {
  const convk_sepconv3d_shape shape = {*g, {0, 0, 0, 0, 0}, {CONVK_BOUNDARY_PERIODIC, y, CONVK_BOUNDARY_PERIODIC}};
  return shape;
}

#define TYPED(T, type) \
  static int magicfilter(convk *hw, const convk_grid3 *g, int way, const T *x, T *y) { \
    const convk_sepconv3d_shape shape = shape_of(g); \
    return convk_magicfilter3d_##type(hw, &shape, way, NULL, x, y, NULL, 0); \
  } \
  /* uneven taps, other boundaries, a potential, a density and both sums */ \
  static int sepconv(convk *hw, const convk_grid3 *g, const T *taps, const T *v, const T *x, T *y, T *density, double *sums) { \
    const convk_filter_##type f[3] = {{-2, 5, taps}, {-1, 1, taps}, {-7, 3, taps}}; \
    const convk_sepconv3d_shape shape = shape_of(g, CONVK_BOUNDARY_ZERO); \
    const convk_sepconv_epilogue_##type e = {v, density, 2, sums, sums + 1, 0, 1, 0}; \
    return convk_sepconv3d_##type(hw, &shape, f, &e, x, y, NULL, 0); \
  } \
  static int apply(convk *hw, const convk_grid3 *g, const T *v, const T *x, T *y, double *energy) { \
    const convk_sepconv3d_shape shape = shape_of(g); \
    return convk_potential_apply_##type(hw, &shape, v, x, y, energy, NULL, 0); \
  } \
  static int transpose(convk *hw, size_t n, size_t ndat, const T *x, T *y) { \
    const convk_filter_##type f = convk_magicfilter_taps_##type(CONVK_FORWARD); \
    const convk_conv1d_shape shape = {n, ndat, 0, 0, CONVK_BOUNDARY_PERIODIC}; \
    return convk_conv1d_transpose_##type(hw, &shape, &f, x, y, NULL, 0); \
  } \
  /* either way; `which` pair; y free */ \
  static int wavelets(convk *hw, const convk_grid3 *coarse, int which, int back, const T *x, T *y) { \
    const convk_wavelet_##type w = convk_wavelet_taps_##type(which); \
    const convk_dwt3d_shape shape = { \
        {0, 0, 0, 0, 0}, *coarse, {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_PERIODIC}, 1}; \
    return back ? convk_idwt3d_##type(hw, &shape, &w, x, y, NULL, 0) : convk_dwt3d_##type(hw, &shape, &w, x, y, NULL, 0); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

template <class T> static void test_filters(const size_t n[3]) {
  const convk_grid3 g = {n[0], n[1], n[2], 0, 0};
  const size_t points = n[0] * n[1] * n[2];
  const std::string size = product(n[0], n[1], n[2]);
  const std::vector<T> x = numbers<T>(points), taps = numbers<T>(16), before = numbers<T>(points);
  std::vector<T> v(x), density;
  std::vector<double> sums;
  std::reverse(v.begin(), v.end());
  same<T>("magicfilter3d", size, points, [&](convk *hw, T *y) { return magicfilter(hw, &g, CONVK_FORWARD, &x[0], y); });
  same<T>("magicfilter3d", size + " inverse", points,
          [&](convk *hw, T *y) { return magicfilter(hw, &g, CONVK_INVERSE, &x[0], y); });
  /* sums and densities follow the output in one array: f32 holds those of double in two */
  const size_t more = 2 * sizeof(double) / sizeof(T);
  same<T>("sepconv3d", size, 2 * points + more, [&](convk *hw, T *y) {
    double two[2] = {0, 0};
    std::copy(before.begin(), before.end(), y + points);
    const int status = sepconv(hw, &g, &taps[0], &v[0], &x[0], y, y + points, two);
    memcpy(y + 2 * points, two, sizeof two);
    return status;
  });
  same<T>("potential_apply", size, points + more / 2, [&](convk *hw, T *y) {
    double energy = 0;
    const int status = apply(hw, &g, &v[0], &x[0], y, &energy);
    memcpy(y + points, &energy, sizeof energy);
    return status;
  });
  same<T>("conv1d_transpose", product(n[0], n[1] * n[2]), points,
          [&](convk *hw, T *y) { return transpose(hw, n[0], n[1] * n[2], &x[0], y); });
}

/* What a device takes where segments are. */
#ifdef CONVK_CUDA
template <class T> struct there {
  T *p;
  there(const T *from, size_t n) : p(NULL) {
    must(!cudaMalloc((void **)&p, n * sizeof(T)) && !cudaMemcpy(p, from, n * sizeof(T), cudaMemcpyHostToDevice), "copy in");
  }
  ~there() { cudaFree(p); }
};
#define SEGMENTS_THERE(T, type) \
  if (hw == &device && !strncmp(device.name, "cuda", 4)) { \
    convk_cuda_stream on = convk_cuda_stream(); \
    const there<size_t> e(&ends[0], ends.size()), p(&place[0], place.size()); \
    const there<T> from(&x[0], x.size()), to(y, count); \
    s.coarse.ends = e.p, s.coarse.place = p.p, s.fine = s.coarse; \
    const int status = compress ? convk_cuda_wavelet_compress_##type(&on, &s, from.p, to.p) \
                                : convk_cuda_wavelet_uncompress_##type(&on, &s, from.p, to.p); \
    must(!cudaMemcpy(y, to.p, count * sizeof(T), cudaMemcpyDeviceToHost), "copy out"); \
    return status; \
  }
#else
#define SEGMENTS_THERE(T, type)
#endif
#define TYPED(T, type) \
  static int segments(convk *hw, int compress, size_t nx, size_t ny, size_t nz, const std::vector<size_t> &ends, \
                      const std::vector<size_t> &place, size_t kept, const std::vector<T> &x, size_t count, T *y) { \
    convk_compressed_shape s = convk_compressed_shape(); \
    s.dense.nx = 2 * nx, s.dense.ny = 2 * ny, s.dense.nz = 2 * nz; \
    s.coarse.count = place.size(), s.coarse.points = kept; \
    s.coarse.ends = &ends[0], s.coarse.place = &place[0], s.fine = s.coarse; \
    SEGMENTS_THERE(T, type) \
    (void)count; \
    return compress ? convk_wavelet_compress_##type(hw, &s, &x[0], y) : convk_wavelet_uncompress_##type(hw, &s, &x[0], y); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

/* Of a grid with at most so many points. */
template <class T> static void test_wavelets(const size_t n[3]) {
  static const char *const names[] = {"dwt3d", "idwt3d"};
  static const int pairs[] = {CONVK_WAVELET_DAUBECHIES16, CONVK_WAVELET_SYM4, CONVK_WAVELET_VALUES};
  static const size_t more[] = {14, 6, 29};
  const convk_grid3 g = {n[0] & ~(size_t)1, n[1] & ~(size_t)1, n[2] & ~(size_t)1, 0, 0};
  for (int i = 0; i < 6; i++) {
    const int back = i % 2, which = i / 2;
    const size_t coarse = g.nx * g.ny * g.nz, fine = g.nx * (g.ny + more[which]) * g.nz;
    const std::vector<T> x = numbers<T>(back ? coarse : fine);
    same<T>(names[back], product(g.nx, g.ny, g.nz) + " pair " + std::to_string(which), back ? fine : coarse,
            [&](convk *hw, T *y) { return wavelets(hw, &g, pairs[which], back, &x[0], y); });
  }
}

/* Vectors in padded grids; where sums come with them, they follow in the same array. */
template <class T> static void test_sums(const size_t n[3]) {
  const convk_grid3 packed = {n[0] & ~(size_t)1, n[1] & ~(size_t)1, n[2] & ~(size_t)1, 0, 0};
  convk_grid3 padded = packed;
  padded.pitch_y = packed.nx + 3;
  padded.pitch_z = padded.pitch_y * packed.ny + 5;
  const sum_case cases[] = {{SUM_ONCE, 2, 0, 0, 0, 0, 1, packed},        {SUM_ONCE, 8, 0, 1, 1, 0, 2, padded},
                            {SUM_ONCE, 0, 1, 1, 0, 0, 2, padded},        {SUM_ONCE, 16, 1, 1, 1, 0, 1, packed},
                            {SUM_FILTER, 8, 0, 1, 0, 3, 2, padded},      {SUM_FILTER, 2, 1, 1, 0, 8, 1, packed},
                            {SUM_HAMILTONIAN, 0, 0, 1, 0, 0, 1, packed}, {SUM_HAMILTONIAN, 0, 0, 1, 1, 0, 2, padded},
                            {SUM_HAMILTONIAN, 0, 1, 1, 1, 0, 1, padded}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const sum_case &c = cases[i];
    const size_t all = c.elements() * c.vectors;
    const std::vector<T> x = numbers<T>(all), v = numbers<T>(c.elements());
    std::vector<double> sums(SUM_NUMBERS * c.vectors);
    same<T>(c.name(),
            product(packed.nx, packed.ny, packed.nz) + " of " + std::to_string(c.vectors) + (c.is_complex ? " complex" : "") +
                (c.grid.pitch_y ? " padded" : "") + " order " + std::to_string(c.order) + (c.sums ? " sums" : ""),
            all + (c.sums ? sums.size() * sizeof(double) / sizeof(T) : 0), [&](convk *hw, T *y) {
              std::fill(sums.begin(), sums.end(), 0.0);
              const int status = sum_here(hw, c, &v[0], &x[0], y, c.sums ? &sums[0] : NULL);
              if (c.sums) memcpy(y + all, &sums[0], sums.size() * sizeof(double));
              return status;
            });
  }
}

/* Segments of some rows, of which the last one ends in the next row: by calls on arrays of the device, since those on the host's are
   done there. */
template <class T> static void test_segments(const size_t n[3]) {
  const size_t nx = n[0] / 2, ny = n[1] / 2, nz = n[2] / 2, points = 8 * nx * ny * nz;
  std::vector<size_t> ends, place;
  size_t kept = 0;
  for (size_t row = 0; row + 1 < ny * nz; row += 3) {
    const size_t first = row * nx + row % 5 % nx, last = (row + 1) * nx - 1 + row % 2;
    ends.push_back(first);
    ends.push_back(last);
    place.push_back(kept);
    kept += last - first + 1;
  }
  for (int compress = 0; compress < 2; compress++) {
    const std::vector<T> x = numbers<T>(compress ? points : 8 * kept);
    same<T>(compress ? "wavelet_compress" : "wavelet_uncompress", product(2 * nx, 2 * ny, 2 * nz), compress ? 8 * kept : points,
            [&](convk *hw, T *y) {
              return segments(hw, compress, nx, ny, nz, ends, place, kept, x, compress ? 8 * kept : points, y);
            });
  }
}

template <class T> static void test_sepconv(void) {
  static const size_t little[][3] = {{70, 20, 12}, {33, 18, 9}}, large[][3] = {{128, 126, 130}, {256, 256, 256}, {300, 41, 97}};
  for (size_t i = 0; i < (small ? 2 : 3); i++) test_filters<T>(small ? little[i] : large[i]);
  for (size_t i = 0; i < (small ? 2 : 3); i++) test_wavelets<T>(small ? little[i] : large[i]);
  static const size_t tiny[3] = {11, 6, 4};
  for (size_t i = 0; i < (small ? 1 : 3); i++) test_sums<T>(small ? tiny : large[i]);
  for (size_t i = 0; i < (small ? 1 : 3); i++) test_segments<T>(small ? tiny : large[i]);
}
#endif

/* ---- stencils ---- */

#if CONVK_HAS_STENCIL_
#define TYPED(T, type) \
  static int sweeps(convk *hw, const convk_grid3 *g, const int *boundary, size_t steps, T *a, T *b, T **result) { \
    const convk_stencil7_coefficients_##type c = convk_stencil7_isotropic_##type((T)0.4, (T)0.1); \
    const convk_stencil7_shape shape = {*g, {boundary[0], boundary[1], boundary[2]}}; \
    return convk_stencil7_##type(hw, &shape, &c, steps, a, b, result, NULL, 0); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

template <class T> static void test_stencil(void) {
  static const int boundary[2][3] = {{CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED},
                                     {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_PERIODIC}};
  static const size_t little[3] = {70, 20, 9}, large[3] = {512, 300, 200}, steps[3] = {1, 7, 40};
  const size_t *n = small ? little : large, points = n[0] * n[1] * n[2];
  const convk_grid3 g = {n[0], n[1], n[2], 0, 0};
  const std::vector<T> start = numbers<T>(points);
  for (int b = 0; b < 2; b++)
    for (int s = 0; s < (small ? 2 : 3); s++)
      same<T>("stencil7", product(n[0], n[1], n[2]) + (b ? " mixed, " : " fixed, ") + std::to_string(steps[s]) + " steps",
              points, [&](convk *hw, T *y) {
                std::vector<T> other(start);
                T *result = NULL;
                std::copy(start.begin(), start.end(), y);
                const int status = sweeps(hw, &g, boundary[b], steps[s], y, &other[0], &result);
                if (!status && result != y) std::copy(result, result + points, y);
                return status;
              });
}
#endif

/* ---- vector mathematics ---- */

#if CONVK_HAS_VMATH_
#define TYPED(T, type) \
  static int map(convk *hw, int f, size_t n, const T *x, T *y) { \
    return f == 0   ? convk_exp_##type(hw, n, x, y) \
           : f == 1 ? convk_expm1_##type(hw, n, x, y) \
           : f == 2 ? convk_log_##type(hw, n, x, y) \
                    : convk_sincos_##type(hw, n, x, y, y + n); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

template <class T> static void test_vmath(void) {
  static const char *const names[] = {"exp", "expm1", "log", "sincos"};
  const size_t n = small ? 3001 : ((size_t)1 << 24) + 1;
  const T range = sizeof(T) == 4 ? (T)90 : (T)720; /* beyond the ends of exp */
  std::vector<T> x = numbers<T>(n);
  for (size_t i = 0; i < n; i++) x[i] = i % 7 ? x[i] * range : std::ldexp(x[i], -(int)(i % 140));
  for (int f = 0; f < 4; f++)
    same<T>(names[f], std::to_string(n), f == 3 ? 2 * n : n, [&](convk *hw, T *y) { return map(hw, f, n, &x[0], y); });
}
#endif

/* ---- Gaussians and orbitals ---- */

#if CONVK_HAS_GAUSSIAN_
#define TYPED(T, type) \
  static int potential(convk *hw, size_t n, const T *xyz, size_t m, const T *alpha, size_t sums, const T *c, T *out) { \
    const convk_points_##type p = {n, xyz, xyz + n, xyz + 2 * n, 1}; \
    const convk_gaussians_##type g = {{0, 0, 0}, m, alpha, sums, c, 0}; \
    return c ? convk_gridpot_sum_##type(hw, &p, &g, NULL, out, 0) : convk_gridpot_##type(hw, &p, &g, NULL, out, 0); \
  } \
  static int orbitals(convk *hw, int form, size_t n, const T *xyz, const std::vector<convk_shell> &s, size_t rows, const T *c, \
                      const T *occupations, T *y) { \
    const convk_points_##type p = {n, xyz, xyz + n, xyz + 2 * n, 1}; \
    const size_t all = rows * n; \
    const convk_orbital_set_##type set = {s.size(), &s[0], rows, c, 0, occupations, NULL}; \
    const convk_vgl_##type vgl = {y, y + all, y + 2 * all, y + 3 * all, y + 4 * all, 0}; \
    if (form == 2) return convk_density_##type(hw, &p, &set, NULL, y, NULL, 0); \
    if (form == 0) return convk_orbitals_##type(hw, &p, &set, NULL, y, 0, NULL, 0); \
    return convk_orbitals_vgl_##type(hw, &p, &set, NULL, &vgl, NULL, 0); \
  } \
  /* On a grid: rows, and results, are ld apart. */ \
  static int on_grid(convk *hw, int form, const convk_gaussian_box *box, size_t ld, const std::vector<convk_shell> &s, \
                     size_t rows, const T *c, const T *occupations, T *y) { \
    const convk_orbital_set_##type set = {s.size(), &s[0], rows, c, 0, occupations, NULL}; \
    const size_t all = rows * ld; \
    const convk_vgl_##type vgl = {y, y + all, y + 2 * all, y + 3 * all, y + 4 * all, ld}; \
    const convk_density_parts_##type one = {y, NULL, NULL, NULL, NULL}; \
    const convk_density_parts_##type parts = {y, y + ld, y + 2 * ld, y + 3 * ld, y + 4 * ld}; \
    const convk_bloch_##type bloch = {{0.25, -0.5, 0.75}, c}; \
    if (form == 4) return convk_orbitals_grid_k_##type(hw, box, &set, &bloch, NULL, y, ld, NULL, 0); \
    if (form == 5) std::fill(y, y + ld, (T)0.5); /* which is added to */ \
    if (form == 5) return convk_density_grid_k_##type(hw, box, &set, &bloch, NULL, y, 1, NULL, 0); \
    if (form == 0) return convk_orbitals_grid_##type(hw, box, &set, NULL, y, ld, NULL, 0); \
    if (form == 1) return convk_orbitals_grid_vgl_##type(hw, box, &set, NULL, &vgl, NULL, 0); \
    return convk_density_grid_##type(hw, box, &set, NULL, form == 2 ? &one : &parts, NULL, 0); \
  } \
  static int sums_on_grid(convk *hw, const convk_gaussian_box *box, size_t ld, size_t m, const T *alpha, size_t sums, \
                          const T *c, T *y) { \
    const convk_gaussians_##type g = {{(T)0.25, (T)-0.5, 0}, m, alpha, sums, c, 0}; \
    return convk_gridpot_grid_##type(hw, box, &g, NULL, y, ld, NULL, 0); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

/* Within some roundings of the largest number of each kind, of n / kinds elements; of steps along x, y and z the same bits. */
template <class T, class Call>
static void nearly(const char *operation, const std::string &size, size_t n, size_t kinds, int general, Call call) {
  std::vector<double> largest(kinds);
  if (general) {
    std::vector<T> want(n, std::numeric_limits<T>::quiet_NaN());
    must(!call(&processor, &want[0]), operation);
    for (size_t i = 0; i < n; i++) {
      double &most = largest[i / (n / kinds)];
      if (std::fabs((double)want[i]) > most) most = std::fabs((double)want[i]); /* not what is NaN between rows */
    }
  }
  both_of<T>(operation, size, n, call, [&](size_t i) {
    return general ? 100 * (double)std::numeric_limits<T>::epsilon() * largest[i / (n / kinds)] : -1;
  });
}

/* Many tiles along all axes, of which the last ones are parts; padded, and with periods along y and z, or not; then of a cell. */
template <class T> static void test_gaussian_grid(const std::vector<convk_shell> &shells, size_t functions) {
  static const struct {
    const char *name, *more;
    size_t kinds; /* of results; 0: one of all orbitals */
  } forms[] = {{"orbitals_grid", "", 1},       {"orbitals_grid_vgl", "", 5}, {"density_grid", "", 0},
               {"density_grid", " slopes", 0}, {"orbitals_grid_k", "", 2},   {"density_grid_k", " added", 0}};
  const size_t rows = small ? 3 : 8, sums = 3, m = small ? 5 : 20;
  const std::vector<T> c = numbers<T>(std::max(rows * functions, sums * m)), occupations(rows, (T)2);
  std::vector<T> alpha(m);
  for (size_t j = 0; j < m; j++) alpha[j] = (T)(-0.01 * (double)((j + 1) * (j + 1)));
  for (int kind = 0; kind < 4; kind++) {
    const int periodic = kind % 2, general = kind / 2;
    convk_gaussian_box box;
    memset(&box, 0, sizeof box);
    box.grid.nx = small ? 101 : 203;
    box.grid.ny = small ? 5 : 101;
    box.grid.nz = small ? 9 : 67;
    box.grid.pitch_y = box.grid.nx + 3 * (size_t)periodic;
    box.grid.pitch_z = box.grid.pitch_y * box.grid.ny + 5 * (size_t)periodic;
    box.step_x[0] = 4.0 / (double)box.grid.nx;
    box.step_y[1] = -3.0 / (double)box.grid.ny;
    box.step_z[2] = 2.0 / (double)box.grid.nz;
    if (general) { /* where each image takes exponentials of its own: few of them */
      for (size_t j = 0; j < m && kind == 2; j++) alpha[j] *= 25;
      box.step_y[0] = 0.3 * box.step_x[0];
      box.step_z[1] = -0.4 * box.step_y[1];
      box.step_x[2] = 0.25 * box.step_x[0];
    }
    box.origin[0] = -2.5;
    box.origin[1] = 1.5;
    box.origin[2] = -1;
    if (periodic) box.period[1] = 3, box.period[2] = 1.5;
    const size_t ld = box.grid.pitch_z * box.grid.nz + 7 * (size_t)periodic;
    const std::string size =
        product(box.grid.nx, box.grid.ny, box.grid.nz) + (general ? " of a cell" : "") + (periodic ? " periodic, " : ", ");
    for (int form = 0; form < 6; form++)
      nearly<T>(forms[form].name, size + std::to_string(rows) + forms[form].more,
                (forms[form].kinds ? forms[form].kinds * rows
                 : form == 3       ? 5
                                   : 1) *
                    ld,
                form == 1 || form == 3 ? 5 : 1, general,
                [&](convk *hw, T *y) { return on_grid(hw, form, &box, ld, shells, rows, &c[0], &occupations[0], y); });
    nearly<T>("gridpot_grid", size + std::to_string(m), sums * ld, 1, general,
              [&](convk *hw, T *y) { return sums_on_grid(hw, &box, ld, m, &alpha[0], sums, &c[0], y); });
  }
}

template <class T> static void test_gaussian(void) {
  static const char *const names[] = {"orbitals", "orbitals_vgl", "density"};
  const size_t n = small ? 301 : 1000003, m = small ? 9 : 20, few = small ? 301 : 262147, rows = small ? 2 : 5;
  const std::vector<convk_shell> shells = water_shells();
  std::vector<T> xyz = numbers<T>(3 * n), alpha(m), occupations(rows, (T)2);
  const std::vector<T> c = numbers<T>(8 * m);
  size_t functions = 0;
  must(!convk_shells_functions(NULL, shells.size(), &shells[0], &functions), "functions");
  const std::vector<T> rows_of = numbers<T>(rows * functions);
  for (size_t i = 0; i < 3 * n; i++) xyz[i] *= 4;
  for (size_t j = 0; j < m; j++) alpha[j] = (T)(-0.01 * (double)((j + 1) * (j + 1)));
  same<T>("gridpot", product(few, m), few * m,
          [&](convk *hw, T *y) { return potential(hw, few, &xyz[0], m, &alpha[0], 0, (const T *)NULL, y); });
  for (size_t sums = 1; sums <= 8; sums += 7)
    same<T>("gridpot_sum", product(n, m, sums), sums * n,
            [&](convk *hw, T *y) { return potential(hw, n, &xyz[0], m, &alpha[0], sums, &c[0], y); });
  for (int form = 0; form < 3; form++)
    same<T>(names[form], product(n, rows),
            (form == 0   ? rows
             : form == 1 ? 5 * rows
                         : 1) *
                n,
            [&](convk *hw, T *y) { return orbitals(hw, form, n, &xyz[0], shells, rows, &rows_of[0], &occupations[0], y); });
  test_gaussian_grid<T>(shells, functions);
}
#endif

/* ---- form factors ---- */

#if CONVK_HAS_FORMFACTOR_
/* The surface of a sphere of radius 1 as triangles of three corners. */
static std::vector<double> sphere(void) {
  char message[256];
  shape s;
  convk_indexed_mesh_f64 surface;
  must(!shape_parse(&s, small ? "sphere:1x0.8" : "sphere:1x0.1", message, sizeof message) &&
           !shape_mesh(&s, 0, &surface, message, sizeof message),
       "sphere");
  std::vector<double> corners(9 * surface.faces);
  must(!convk_mesh_corners_f64(NULL, &surface, &corners[0]), "sphere");
  shape_free(&surface);
  return corners;
}

#define TYPED(T, type) \
  static int formfactor(convk *hw, const convk_mesh_##type *m, size_t nq, const T *q, T *f) { \
    const convk_q_##type list = {nq, q, q + nq, q + 2 * nq, NULL, NULL, NULL}; \
    return convk_formfactor_##type(hw, m, &list, NULL, f); \
  } \
  static int formfactor_grid(convk *hw, const convk_mesh_##type *m, const convk_grid3 *g, const T *q, T *f) { \
    const convk_q_##type axes = {0, q, q + g->nx, q + g->nx + g->ny, NULL, NULL, NULL}; \
    return convk_formfactor_grid_##type(hw, m, g, &axes, NULL, f, NULL, 0); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

/* F(q) is a sum of area / |q| times terms of at most 1, each of which is off by a rounding of its own and of the phase q.r,
   for both that are compared. */
template <class T> static double form_bound(double area, double q) {
  const double roundings = 1;
  return 2 * roundings * (double)std::numeric_limits<T>::epsilon() * area / q * (1 + q);
}

template <class T> static void test_formfactor(void) {
  const std::vector<double> from = sphere();
  const std::vector<T> corners(from.begin(), from.end());
  const size_t triangles = corners.size() / 9, nq = small ? 101 : 1000000;
  const convk_grid3 little = {9, 7, 3, 0, 0}, large = {200, 150, 30, 0, 0}, g = small ? little : large;
  std::vector<T> storage(6 * triangles), q = numbers<T>(3 * nq), axes = numbers<T>(g.nx + g.ny + g.nz);
  typename mesh_type<T>::mesh mesh;
  convk_mesh_measures measures;
  mesh_of(triangles, &storage[0], &mesh);
  mesh_fill(&corners[0], &mesh, &measures);
  for (size_t i = 0; i < q.size(); i++) q[i] *= 30;
  for (size_t i = 0; i < axes.size(); i++) axes[i] *= 30;
  const auto length = [](double x, double y, double z) { return std::max(std::sqrt(x * x + y * y + z * z), 1e-3); };
  const std::string more = "x" + std::to_string(triangles);
  both_of<T>(
      "formfactor", std::to_string(nq) + more, 2 * nq, [&](convk *hw, T *f) { return formfactor(hw, &mesh, nq, &q[0], f); },
      [&](size_t i) { return form_bound<T>(measures.area, length(q[i / 2], q[nq + i / 2], q[2 * nq + i / 2])); });
  both_of<T>(
      "formfactor_grid", product(g.nx, g.ny, g.nz) + more, 2 * g.nx * g.ny * g.nz,
      [&](convk *hw, T *f) { return formfactor_grid(hw, &mesh, &g, &axes[0], f); },
      [&](size_t i) {
        const size_t k = i / 2;
        return form_bound<T>(measures.area,
                             length(axes[k % g.nx], axes[g.nx + k / g.nx % g.ny], axes[g.nx + g.ny + k / g.nx / g.ny]));
      });
}
#endif

/* ---- transforms ---- */

#if CONVK_HAS_FFT_
#define TYPED(T, real, complex) \
  static int fft2d(convk *hw, size_t rows, size_t columns, int way, const convk_batch2d *b, const T *x, T *y) { \
    size_t bytes = 0; \
    int status = convk_fft2d_plan_size_##complex(hw, rows, columns, &bytes); \
    std::vector<char> memory(bytes + 1); \
    convk_fft2d_plan_##complex *const plan = (convk_fft2d_plan_##complex *)(void *)&memory[0]; \
    if (!status) status = convk_fft2d_prepare_##complex(hw, rows, columns, plan, bytes); \
    return status ? status : convk_fft2d_##complex(hw, plan, way, b, x, y, NULL, 0); \
  } \
  static int fftconv2d(convk *hw, int is_real, const convk_fftconv2d_shape *s, size_t kernels, const T *kernel, \
                       const convk_batch2d *b, const T *x, T *y) { \
    size_t bytes = 0; \
    int status = (is_real ? convk_fftconv2d_plan_size_##real : convk_fftconv2d_plan_size_##complex)(hw, s, kernels, &bytes); \
    std::vector<char> memory(bytes + 1); \
    convk_fftconv2d_plan_##real *const r = (convk_fftconv2d_plan_##real *)(void *)&memory[0]; \
    convk_fftconv2d_plan_##complex *const c = (convk_fftconv2d_plan_##complex *)(void *)&memory[0]; \
    if (!status) \
      status = is_real ? convk_fftconv2d_prepare_##real(hw, s, kernels, kernel, 0, 0, r, bytes) \
                       : convk_fftconv2d_prepare_##complex(hw, s, kernels, kernel, 0, 0, c, bytes); \
    if (status) return status; \
    return is_real ? convk_fftconv2d_##real(hw, r, b, x, y, NULL, 0) : convk_fftconv2d_##complex(hw, c, b, x, y, NULL, 0); \
  }
TYPED(float, f32, c32)
TYPED(double, f64, c64)
#undef TYPED

template <class T> static void test_fft(void) {
  static const size_t little[][3] = {{32, 16, 3}, {49, 50, 1}}, large[][3] = {{128, 128, 500}, {64, 64, 1000}, {360, 240, 60},
                                                                              {49, 50, 700},   {1024, 512, 8}, {32, 32, 5000}};
  for (size_t i = 0; i < (small ? 2 : 6); i++) {
    const size_t *n = small ? little[i] : large[i], rows = n[0], columns = n[1], items = n[2], side = 5, kernels = 1;
    const std::string size = product(rows, columns) + ", " + std::to_string(items) + " of them";
    const std::vector<T> x = numbers<T>(2 * rows * columns * items), kernel = numbers<T>(2 * side * side * kernels);
    convk_batch2d batch;
    convk_fftconv2d_shape shape;
    memset(&batch, 0, sizeof batch);
    memset(&shape, 0, sizeof shape);
    batch.items = items;
    for (int way = 0; way < 2; way++)
      same<T>("fft2d", size + (way ? " inverse" : " forward"), x.size(),
              [&](convk *hw, T *y) { return fft2d(hw, rows, columns, way ? CONVK_INVERSE : CONVK_FORWARD, &batch, &x[0], y); });
    shape.rows = rows;
    shape.columns = columns;
    shape.kernel_rows = shape.kernel_columns = side;
    shape.mode =
        rows == columns ? CONVK_FFT_CIRCULAR : CONVK_FFT_SAME; /* squares of 32 and 64 points have kernels of their own */
    for (int real = 0; real < 2; real++)
      same<T>("fftconv2d", size + (real ? " real" : " complex"), x.size() / (real ? 2 : 1),
              [&](convk *hw, T *y) { return fftconv2d(hw, real, &shape, kernels, &kernel[0], &batch, &x[0], y); });
  }
}
#endif

/* ---- pairs ---- */

#if CONVK_HAS_PAIRS_
#define TYPED(T, type) \
  static int pair_values(convk *hw, const convk_pair_potential *p, size_t n, const T *r, T *v) { \
    return convk_pair_potential_##type(hw, p, n, r, v); \
  } \
  static int pair_energy(convk *hw, const convk_pair_system *s, const convk_pair_walkers *w, const T *r, \
                         convk_pair_result *result, T *gradient) { \
    return convk_pair_energy_##type(hw, s, w, CONVK_PAIR_ALL, r, result, gradient, NULL, 0); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

/* Roots and exponentials of a device's own give terms that are off by some roundings; sums of terms of both signs are off by those of
   the largest ones, which as many as there are neighbours of an atom make. */
static double pair_depth(double r) {
  return 40 * std::exp(3 * std::max(0.0, 3.0 - r));
} /* about 3 A, where V crosses 0, terms
                                                                                        of this size cancel */
/* Sums over the neighbours of each atom of how large its terms of the gradient are; *potential: over all pairs, of those of V. */
static std::vector<double> pair_terms(const convk_pair_system &s, const double *at, double *potential) {
  const size_t n = s.particles;
  std::vector<double> sum(n, 0.0);
  *potential = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) {
      const double x = at[3 * i] - at[3 * j], y = at[3 * i + 1] - at[3 * j + 1], z = at[3 * i + 2] - at[3 * j + 2];
      const double r = std::sqrt(x * x + y * y + z * z), term = 5 * s.trial.p5 / std::pow(r, 6) + s.trial.p0 / r + s.trial.p1;
      sum[i] += term;
      sum[j] += term;
      *potential += pair_depth(r);
    }
  return sum;
}

template <class T> static void test_pairs(void) {
  const double roundings = 64, eps = (double)std::numeric_limits<T>::epsilon();
  static const size_t little[][2] = {{20, 3}, {300, 1}}, large[][2] = {{1000, 64}, {70, 2048}, {20, 8192}, {4096, 2}};
  const size_t distances = small ? 500 : 1000003;
  const convk_pair_potential aziz = convk_pair_hfdb();
  std::vector<T> r = numbers<T>(distances);
  for (size_t i = 0; i < distances; i++) r[i] = (T)(6.5 + 4.5 * r[i]);
  both_of<T>(
      "pair_potential", std::to_string(distances), distances,
      [&](convk *hw, T *v) { return pair_values(hw, &aziz, distances, &r[0], v); },
      [&](size_t i) { return roundings * eps * pair_depth((double)r[i]); });
  for (size_t i = 0; i < (small ? 2 : 4); i++) {
    const size_t *n = small ? little[i] : large[i];
    const std::vector<double> at = clusters(n[0], n[1]);
    const std::vector<T> where(at.begin(), at.end());
    const convk_pair_system system = helium(n[0]);
    const convk_pair_walkers all = {n[1], 0, 0};
    std::vector<convk_pair_result> results[2];
    std::vector<double> terms, potentials(n[1]);
    for (size_t w = 0; w < n[1]; w++) {
      const std::vector<double> one = pair_terms(system, &at[3 * n[0] * w], &potentials[w]);
      terms.insert(terms.end(), one.begin(), one.end());
    }
    int turn = 0;
    both_of<T>(
        "pair_energy", product(n[1], n[0]) + " gradients", where.size(),
        [&](convk *hw, T *gradient) {
          std::vector<convk_pair_result> &result = results[turn++ & 1];
          result.resize(n[1]);
          return pair_energy(hw, &system, &all, &where[0], &result[0], gradient);
        },
        [&](size_t j) { return roundings * eps * terms[j / 3]; });
    if (turn < 2) continue;
    std::vector<double> sums[2];
    for (int k = 0; k < 2; k++)
      for (size_t w = 0; w < n[1]; w++) {
        const convk_pair_result &one = results[k][w];
        const double values[] = {one.ln_psi, one.potential, one.gradient_squared, one.laplacian};
        sums[k].insert(sums[k].end(), values, values + 4);
      }
    compare(std::string("pair_energy ") + type_name<T>() + " " + product(n[1], n[0]) + " sums", sums[0], sums[1],
            [&](size_t j) { return roundings * eps * (j % 4 == 1 ? potentials[j / 4] : std::fabs(sums[1][j])); });
  }
}
#endif

/* ---- main ---- */

template <class T> static void test_all(void) {
#if CONVK_HAS_HAMILTONIAN_
  test_sepconv<T>();
#endif
#if CONVK_HAS_STENCIL_
  test_stencil<T>();
#endif
#if CONVK_HAS_VMATH_
  test_vmath<T>();
#endif
#if CONVK_HAS_GAUSSIAN_
  test_gaussian<T>();
#endif
#if CONVK_HAS_FORMFACTOR_
  test_formfactor<T>();
#endif
#if CONVK_HAS_FFT_
  test_fft<T>();
#endif
#if CONVK_HAS_PAIRS_
  test_pairs<T>();
#endif
}

int main(int argc, char **argv) {
#if defined CONVK_CL && !defined CONVK_CUDA
  const char *hw = "opencl";
#else
  const char *hw = "cuda";
#endif
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (!strcmp(argv[i], "--small")) {
      small = 1;
      continue;
    }
    if (value && !strcmp(argv[i], "--hw")) hw = value;
    else if (value && !strcmp(argv[i], "--filter")) filter = value;
    else if (value && !strcmp(argv[i], "--json")) must((json = fopen(value, "w")) != NULL, value);
    else {
      fprintf(stderr, "usage: whole_arrays [--hw NAME] [--small] [--filter TEXT] [--json FILE]\n");
      return 2;
    }
    i++;
  }
  int status = convk_open(&processor, "avx512");
  if (status) status = convk_open(&processor, "avx2");
  if (!status) status = convk_open(&device, hw);
  if (status) {
    printf("%s beside a processor with AVX2: %s\n0 passed, 0 failed, 1 skipped\n", hw, convk_strerror(status));
    return status == CONVK_ERR_HW_MODULE || status == CONVK_ERR_HW_MACHINE ? 77 : 1;
  }
  test_all<double>();
  test_all<float>();
  convk_close(&device);
  convk_close(&processor);
  if (json) fclose(json);
  printf("%lu passed, %lu failed, %lu skipped\n", passed, failed, skipped);
  return failed != 0;
}
