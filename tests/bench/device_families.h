/* What is measured on devices, one text for CUDA and OpenCL, on arrays of the device, with the largest error against the processor or
   a definition.  Every line stands beside a ceiling of the same rounds: a copy between arrays of the device, a fill, or multiply-adds
   in registers.  Before this text come device.h and the words of a device, for T float and double:
     on_device<T>               an array: of n elements, or with those of a vector; its back(first, n), and set(vector)
     milliseconds(calls, run)   of each of so many calls of what `run` starts, by events
     copy(to, from, n), fill(to, n)   starts one
     peak_of<T>                 made of an on_device<T>: starts multiply-adds, and says by count() how many
     bench_f64                  whether there are doubles
     bench_builds               whether each kind of call takes a while to build: with --quick there are few of them
     stencil_tuning             what stencil7 may be told, or NULL
     the calls                  magicfilter ... sweeps below; arrays that one side wants on the host and the other one on the device
                                come in both ways (both<T>)
     fft_peer                   with BENCH_FFT_PEER defined: the rate of another library */
#ifndef BENCH_DEVICE_FAMILIES_H
#define BENCH_DEVICE_FAMILIES_H

/* ---- what the device can do ---- */

template <class T> static void measure_ceilings(const char *type, size_t bytes) {
  const size_t n = bytes / sizeof(T);
  const on_device<T> from(n), to(n);
  const peak_of<T> most(to);
  double copied, filled, added;
  char size[48];
  fill(from, n);
  medians(
      20, [&] { copy(to, from, n); }, [&] { fill(to, n); }, &copied, &filled);
  medians(
      5, most, [&] { fill(to, n); }, &added, &filled);
  snprintf(size, sizeof size, "%zu", n);
  if (wanted("ceiling_copy")) line("ceiling_copy", type, size, 2e-6 * (double)bytes / copied, "GB/s", 0, NULL, 0);
  if (wanted("ceiling_fill")) line("ceiling_fill", type, size, 1e-6 * (double)bytes / filled, "GB/s", 0, NULL, 0);
  if (wanted("ceiling_fma")) line("ceiling_fma", type, "registers", 2e-6 * most.count() / added, "GFlop/s", 0, NULL, 0);
}

/* ---- filters, wavelets, sums of filters ---- */

#if CONVK_HAS_HAMILTONIAN_
static const double *taps_of(double) { return convk_magicfilter_taps_f64(CONVK_FORWARD).taps; }
static const float *taps_of(float) { return convk_magicfilter_taps_f32(CONVK_FORWARD).taps; }

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

template <class T> static void measure_magicfilter(const char *type, size_t nx, size_t ny, size_t nz) {
  const convk_grid3 g = {nx, ny, nz, 0, 0};
  if (!wanted("magicfilter3d")) return;
  const size_t points = nx * ny * nz, bytes = magicfilter_work(&g, T());
  const std::vector<T> in = numbers<T>(points);
  const on_device<T> x(in), y(points);
  const on_device<char> work(bytes);
  double time, bound;
  char size[48];
  medians(
      20, [&] { must(!magicfilter(&g, x, y, work, bytes), "magicfilter3d"); }, [&] { copy(y, x, points); }, &time, &bound);
  snprintf(size, sizeof size, "%zux%zux%zu", nx, ny, nz);
  must(!magicfilter(&g, x, y, work, bytes), "magicfilter3d"); /* two passes of reading and writing */
  line("magicfilter3d", type, size, 96e-6 * (double)points / time, "GFlop/s", 96e-6 * (double)points / (2 * bound),
       "two copies", largest_error(g, in, y.back(0, points)));
}

#include "device_dwt.h"
#include "device_sum.h"

template <class T> static void all_filters(const char *type, const char *complex_type) {
  static const size_t sizes[][3] = {{128, 126, 130}, {256, 256, 256}, {512, 512, 256}};
  if (opt.quick) {
    measure_magicfilter<T>(type, 33, 18, 20);
    measure_dwt<T>(type, 34, 18, 20);
    measure_sums<T>(type, complex_type, 10, 6, 8);
    return;
  }
  for (size_t i = 0; i < 3; i++) measure_magicfilter<T>(type, sizes[i][0], sizes[i][1], sizes[i][2]);
  for (size_t i = 0; i < 2; i++) measure_dwt<T>(type, sizes[i][0], sizes[i][1], sizes[i][2]);
  for (size_t i = 0; i < 2; i++) measure_sums<T>(type, complex_type, sizes[i][0], sizes[i][1], sizes[i][2]);
}
#endif

/* ---- the 7-point stencil ---- */

#if CONVK_HAS_STENCIL_
static convk_stencil7_shape fixed_ends(const convk_grid3 *g) {
  const convk_stencil7_shape shape = {*g, {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED}};
  return shape;
}

static int stencil7_processor(convk *hw, const convk_grid3 *g, size_t steps, double *a, double *b, double **r) {
  const convk_stencil7_coefficients_f64 c = convk_stencil7_isotropic_f64(0.4, 0.1);
  const convk_stencil7_shape shape = fixed_ends(g);
  return convk_stencil7_f64(hw, &shape, &c, steps, a, b, r, NULL, 0);
}
static int stencil7_processor(convk *hw, const convk_grid3 *g, size_t steps, float *a, float *b, float **r) {
  const convk_stencil7_coefficients_f32 c = convk_stencil7_isotropic_f32(0.4f, 0.1f);
  const convk_stencil7_shape shape = fixed_ends(g);
  return convk_stencil7_f32(hw, &shape, &c, steps, a, b, r, NULL, 0);
}

/* Two states of n[0] x n[1] x n[2] points that change, each row of them at the beginning of 128 bytes, and what is in both
   states at first. */
template <class T> struct stencil_arrays {
  convk_grid3 grid;
  size_t points, shift;
  std::vector<T> start;
  on_device<T> a, b;

  static convk_grid3 padded(const size_t n[3]) {
    const size_t line = 128 / sizeof(T), pitch = (n[0] + 1 + line) / line * line;
    const convk_grid3 g = {n[0] + 2, n[1] + 2, n[2] + 2, pitch, pitch * (n[1] + 2)};
    return g;
  }
  explicit stencil_arrays(const size_t n[3])
      : grid(padded(n)), points(n[0] * n[1] * n[2]), shift(128 / sizeof(T) - 1),
        start(numbers<T>(grid.pitch_z * grid.nz + shift)), a(start), b(start) {}
  void reset() {
    a.set(start);
    b.set(start);
  }
  /* What is in both after these steps. */
  std::vector<T> after(size_t steps, const stencil_tuning *tuning) {
    int second = 0;
    reset();
    must(!stencil7(&grid, steps, tuning, a, b, shift, &second), "stencil7");
    return (second ? b : a).back(0, start.size());
  }
  std::vector<T> after_on(convk *hw, size_t steps) const {
    std::vector<T> one(start), other(start);
    T *result = NULL;
    must(!stencil7_processor(hw, &grid, steps, &one[shift], &other[shift], &result), "stencil7 on the processor");
    if (result == &other[shift]) one.swap(other);
    return one;
  }
  /* Milliseconds of a call, and of a copy of as many points, in the same rounds. */
  void time(size_t steps, const stencil_tuning *tuning, double *call, double *copied) {
    int second = 0;
    medians(
        steps > 1 ? 3 : 20, [&] { must(!stencil7(&grid, steps, tuning, a, b, shift, &second), "stencil7"); },
        [&] { copy(b, a, points); }, call, copied);
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
      fprintf(stderr, "bench_" BENCH_HW ": stencil7: %g, and on %s %g\n", (double)got[i], hw.name, (double)want[i]);
      exit(1);
    }
    worst = std::max(worst, error);
  }
  convk_close(&hw);
  return worst;
}

template <class T> static void measure_stencil(const char *type, size_t nx, size_t ny, size_t nz, size_t steps) {
  const char *const operation = steps > 1 ? "stencil7_steps" : "stencil7";
  const size_t n[3] = {nx, ny, nz};
  double call, copied;
  char size[48];
  if (!wanted(operation)) return;
  stencil_arrays<T> arrays(n);
  const double error = stencil_error(arrays.after(steps, NULL), arrays, steps);
  arrays.reset();
  arrays.time(steps, NULL, &call, &copied);
  snprintf(size, sizeof size, "%zux%zux%zu", nx, ny, nz);
  line(operation, type, size, 1e-6 * (double)(arrays.points * steps) / call, "GLUP/s", 1e-6 * (double)arrays.points / copied,
       "one copy", error);
}

/* Sweeps of n^3 points whose arrays lie on the host before and after each, as in programs that leave one step to a device: both ways
   over the bus every time.  a, b: (n + 2)^3 elements of any host memory.  copies() takes n^3 elements there and back, which no such
   sweep can beat. */
template <class T, class Copies>
static void measure_in_host(convk *hw, const char *type, const char *memory, size_t n, T *a, T *b, const Copies &copies) {
  typedef std::chrono::steady_clock watch;
  const convk_grid3 g = {n + 2, n + 2, n + 2, 0, 0};
  const size_t sweeps = opt.quick ? 1 : 4, points = n * n * n, all = (n + 2) * (n + 2) * (n + 2);
  const std::string operation = std::string("stencil7_in_host") + memory,
                    size = std::to_string(n) + "x" + std::to_string(n) + "x" + std::to_string(n);
  const std::vector<T> start = numbers<T>(all);
  std::vector<T> x(start), y(start);
  std::vector<double> times, bounds;
  double error = 0;
  T *result = NULL;
  convk processor;
  if (!wanted(operation.c_str())) return;
  std::copy(start.begin(), start.end(), a);
  std::copy(start.begin(), start.end(), b);
  must(!convk_open(&processor, NULL) && !stencil7_processor(&processor, &g, 1, &x[0], &y[0], &result),
       "stencil7 on the processor");
  convk_close(&processor);
  for (int round = -1; round < opt.rounds; round++) { /* the first is not counted */
    const watch::time_point begun = watch::now();
    for (size_t s = 0; s < sweeps; s++, std::swap(a, b)) {
      must(!stencil7_processor(hw, &g, 1, a, b, &result) && result == b, "stencil7");
      if (round < 0 && !s)
        for (size_t i = 0; i < all; i++) error = std::max(error, std::fabs((double)b[i] - (double)y[i]));
    }
    const watch::time_point called = watch::now();
    copies();
    if (round < 0) continue;
    times.push_back(std::chrono::duration<double>(called - begun).count());
    bounds.push_back(std::chrono::duration<double>(watch::now() - called).count());
  }
  must(error <= 8 * (double)std::numeric_limits<T>::epsilon(), "stencil7 in host: another result");
  line(operation.c_str(), type, size.c_str(), 1e-9 * (double)(points * sweeps) / median(times), "GLUP/s",
       1e-9 * (double)points / median(bounds), "copies in and out", error);
}

template <class T> static void all_stencils(const char *type) {
  for (size_t steps = 1; steps <= 5 && opt.quick; steps += 4) measure_stencil<T>(type, 33, 18, 6, steps);
  for (size_t steps = 1; steps <= 64 && !opt.quick; steps += 63)
    for (size_t n = 256; n <= 512; n *= 2) measure_stencil<T>(type, n, n, n, steps);
}
#endif

/* ---- vector mathematics ---- */

#if CONVK_HAS_VMATH_
template <class T> static void measure_map(const char *type, size_t n) {
  if (!wanted("exp") && !wanted("sincos")) return;
  std::vector<T> in = numbers<T>(n);
  for (size_t i = 0; i < n; i++) in[i] *= 10;
  const on_device<T> x(in), y(n), z(n);
  char size[48];
  snprintf(size, sizeof size, "%zu", n);
  for (int f = 0; f < 2; f++) {
    double time, bound, error = 0;
    if (!wanted(f ? "sincos" : "exp")) continue;
    medians(
        20, [&] { must(!map(f, n, x, y, z), "map"); }, [&] { copy(y, x, n); }, &time, &bound);
    must(!map(f, n, x, y, z), "map");
    const std::vector<T> got = y.back(0, n < 1000 ? n : 1000);
    for (size_t i = 0; i < got.size(); i++) {
      const long double want = f ? std::sin((long double)in[i]) : std::exp((long double)in[i]);
      error = std::max(error, (double)std::fabs(((long double)got[i] - want) / want));
    }
    line(f ? "sincos" : "exp", type, size, 1e-6 * (double)n / time, "G/s", 1e-6 * (double)n / (f ? 1.5 * bound : bound),
         f ? "3/2 copies" : "one copy", error);
  }
}

template <class T> static void all_maps(const char *type) { measure_map<T>(type, opt.quick ? 1000 : (size_t)1 << 27); }
#endif

/* ---- Gaussians ---- */

#if CONVK_HAS_GAUSSIAN_
template <class T> static void measure_gridpot(const char *type, size_t n, size_t m) {
  if (!wanted("gridpot") && !wanted("gridpot_sum")) return;
  const std::vector<T> points = numbers<T>(3 * n);
  std::vector<T> exponents(m);
  char size[48];
  double time, bound, error = 0;
  for (size_t j = 0; j < m; j++) exponents[j] = (T)(-0.01 * (double)(j + 1));
  const on_device<T> xyz(points), g(n * m);
  const both<T> alpha(exponents), c(numbers<T>(8 * m));
  if (wanted("gridpot")) {
    snprintf(size, sizeof size, "%zux%zu", n, m);
    medians(
        10, [&] { must(!gridpot(n, xyz, m, alpha, g), "gridpot"); }, [&] { fill(g, n * m); }, &time, &bound);
    must(!gridpot(n, xyz, m, alpha, g), "gridpot");
    for (size_t j = 0; j < m; j += m / 5 + 1) {
      const std::vector<T> row = g.back(j * n, n < 1000 ? n : 1000);
      for (size_t i = 0; i < row.size(); i++) {
        const long double x = points[i], y = points[n + i], z = points[2 * n + i];
        const long double want = std::exp((long double)exponents[j] * (x * x + y * y + z * z));
        error = std::max(error, (double)std::fabs(((long double)row[i] - want) / want));
      }
    }
    line("gridpot", type, size, 1e-6 * (double)(n * m) / time, "Gexp/s", 1e-6 * (double)(n * m) / bound, "one fill", error);
  }
  for (size_t nsums = 1; nsums <= 8 && wanted("gridpot_sum"); nsums *= 8) {
    const peak_of<T> most(g);
    error = 0;
    medians(
        10, [&] { must(!gridpot_sum(n, xyz, m, alpha, nsums, c, g), "gridpot_sum"); }, most, &time, &bound);
    const std::vector<T> got = g.back((nsums - 1) * n, n < 100 ? n : 100);
    for (size_t i = 0; i < got.size(); i++) {
      const long double x = points[i], y = points[n + i], z = points[2 * n + i];
      long double want = 0, all = 0;
      for (size_t j = 0; j < m; j++) {
        const long double term = c.here[(nsums - 1) * m + j] * std::exp((long double)exponents[j] * (x * x + y * y + z * z));
        want += term;
        all += std::fabs(term);
      }
      error = std::max(error, (double)(std::fabs((long double)got[i] - want) / all));
    }
    snprintf(size, sizeof size, "%zux%zux%zu", n, m, nsums);
    line("gridpot_sum", type, size, 1e-6 * (double)(n * m) / time, "Gexp/s",
         1e-6 * most.count() / ((sizeof(T) == 4 ? 16 : 21) + (double)nsums) / bound, "its operations", error);
  }
}

/* Orbitals of atoms with shells s, p, d on a grid of n points an axis, and their density: multiply-adds of points with tables, six
   an atom, which all reach all points; against what a processor makes of the first plane.  Then orbitals of a periodic cell, the same at
   a point k, and on a grid with oblique axes. */
#define TYPED(T, type) \
  static int orbitals_grid_here(convk *hw, int form, const convk_gaussian_box *box, const convk_orbital_set_##type *set, \
                                T *out) { \
    const convk_density_parts_##type parts = {out, NULL, NULL, NULL, NULL}; \
    const convk_bloch_##type bloch = {{0.25, -0.5, 0.75}, set->coefficients}; \
    if (form == GRID_POINT_K) return convk_orbitals_grid_k_##type(hw, box, set, &bloch, NULL, out, 0, NULL, 0); \
    return form == GRID_DENSITY ? convk_density_grid_##type(hw, box, set, NULL, &parts, NULL, 0) \
                                : convk_orbitals_grid_##type(hw, box, set, NULL, out, 0, NULL, 0); \
  } \
  static void set_of(const std::vector<convk_shell> &shells, size_t rows, const T *c, const T *occupations, \
                     convk_orbital_set_##type *set) { \
    const convk_orbital_set_##type s = {shells.size(), &shells[0], rows, c, 0, occupations, NULL}; \
    *set = s; \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED
template <class T> struct orbital_set_of;
template <> struct orbital_set_of<float> { typedef convk_orbital_set_f32 type; };
template <> struct orbital_set_of<double> { typedef convk_orbital_set_f64 type; };

template <class T> static void measure_grids(const char *type, size_t n, size_t rows, size_t atoms) {
  static const double exponents[3] = {0.3, 0.25, 0.2}, one = 1;
  static const struct {
    const char *name, *more;
    int form, periodic, oblique;
  } kinds[] = {{"orbitals_grid", "", GRID_ORBITALS, 0, 0},
               {"density_grid", "", GRID_DENSITY, 0, 0},
               {"orbitals_grid", " oblique", GRID_ORBITALS, 0, 1},
               {"orbitals_grid", " periodic", GRID_ORBITALS, 1, 0},
               {"orbitals_grid_k", " periodic", GRID_POINT_K, 1, 0}};
  const size_t all = sizeof kinds / sizeof *kinds, some = !opt.quick || !bench_builds ? all : sizeof(T) == 8 ? 3 : 2;
  std::vector<convk_shell> shells(3 * atoms);
  typename orbital_set_of<T>::type set;
  char size[64];
  if (!wanted("orbitals_grid_k") && !wanted("density_grid")) return;
  memset(&shells[0], 0, shells.size() * sizeof shells[0]);
  for (size_t i = 0; i < shells.size(); i++) {
    for (size_t d = 0; d < 3; d++) shells[i].center[d] = 0.25 * (double)(i / 3 * (d + 3) % 7) - 0.75;
    shells[i].l = (int)(i % 3);
    shells[i].primitives = 1;
    shells[i].exponents = exponents + i % 3;
    shells[i].coefficients = &one;
  }
  const std::vector<T> c = numbers<T>(rows * 10 * atoms), occupations(rows, (T)2);
  const size_t points = n * n * n, plane = n * n;
  const double count = (double)points * (double)rows * 6 * (double)atoms, step = 8 / (double)n;
  const on_device<T> out(2 * points * rows);
  const peak_of<T> most(out);
  set_of(shells, rows, &c[0], &occupations[0], &set);
  for (size_t k = 0; k < some; k++) {
    const char *const name = kinds[k].name;
    const int form = kinds[k].form;
    double time, bound, error = 0, largest = 0;
    convk_gaussian_box box;
    convk hw;
    if (!wanted(name)) continue;
    memset(&box, 0, sizeof box);
    box.grid.nx = box.grid.ny = box.grid.nz = n;
    box.step_x[0] = box.step_y[1] = box.step_z[2] = step;
    if (kinds[k].oblique) box.step_y[0] = 0.3 * step, box.step_z[1] = -0.4 * step, box.step_z[0] = 0.1 * step;
    for (int d = 0; d < 3; d++) box.origin[d] = -4, box.period[d] = kinds[k].periodic ? 8 : 0;
    const size_t bytes = orbitals_grid_work(form, &box, &set);
    const on_device<char> work(bytes);
    const auto call = [&] { must(!orbitals_grid(form, &box, &set, out, work, bytes), name); };
    medians(10, call, most, &time, &bound);
    call();
    box.grid.nz = 1;
    std::vector<T> want(plane * (form == GRID_DENSITY ? 1 : 2 * rows));
    must(!convk_open(&hw, NULL) && !orbitals_grid_here(&hw, form, &box, &set, &want[0]), name);
    convk_close(&hw);
    const std::vector<T> got = out.back(0, plane);
    for (size_t i = 0; i < plane; i++) {
      error = std::max(error, std::fabs((double)got[i] - (double)want[i]));
      largest = std::max(largest, std::fabs((double)want[i]));
    }
    snprintf(size, sizeof size, "%zux%zux%zux%zux%zu%s", n, n, n, rows, 6 * atoms, kinds[k].more);
    line(name, type, size, 1e-6 * count / time, "Gma/s", 1e-6 * most.count() / bound, "its operations", error / largest);
  }
}

template <class T> static void all_gaussians(const char *type) {
  if (opt.quick) {
    measure_gridpot<T>(type, 300, 9);
    measure_grids<T>(type, 12, 2, 2);
    return;
  }
  measure_gridpot<T>(type, 262144, 640);
  if (sizeof(T) == 4) measure_gridpot<T>(type, 65536, 4096);
  for (size_t n = 80; n <= 96; n += 16) measure_grids<T>(type, n, 16, 17);
}
#endif

/* ---- form factors ---- */

#if CONVK_HAS_FORMFACTOR_
#define TYPED(T, type) \
  static int formfactor_processor(const convk_mesh_##type *m, const T q[3], T f[2]) { \
    convk hw; \
    int status = convk_open(&hw, NULL); \
    const convk_q_##type one = {1, q, q + 1, q + 2, NULL, NULL, NULL}; \
    if (!status) status = convk_formfactor_##type(&hw, m, &one, NULL, f); \
    convk_close(&hw); \
    return status; \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

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
  if (!wanted("formfactor") && !wanted("formfactor_grid")) return;
  const std::vector<T> corners = box_corners<T>(k);
  const size_t triangles = corners.size() / 9, nq = n[0] * n[1] * n[2];
  const convk_grid3 grid = {n[0], n[1], n[2], 0, 0};
  std::vector<T> storage(6 * triangles), axes, list(3 * nq);
  typename mesh_type<T>::mesh mesh;
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
  const on_device<T> there(storage), q(axes), all(list), f(2 * nq);
  for (int on_grid = 0; on_grid < 2; on_grid++) {
    const char *const operation = on_grid ? "formfactor_grid" : "formfactor";
    if (!wanted(operation)) continue;
    const size_t bytes = on_grid ? formfactor_grid_work(triangles, &grid, T()) : formfactor_work(triangles, nq, T());
    const on_device<char> work(bytes);
    const peak_of<T> most(f);
    double time, bound, error = 0, largest = 0;
    const auto call = [&] {
      must(!(on_grid ? formfactor_grid(triangles, there, &measures, &grid, q, f, work, bytes)
                     : formfactor(triangles, there, &measures, nq, all, f, work, bytes)),
           operation);
    };
    medians(3, call, most, &time, &bound);
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
    line(operation, type, size, 1e-6 * (double)nq * (double)triangles / time, "Gpair/s",
         1e-6 * most.count() /
             (on_grid          ? 6.0
              : sizeof(T) == 4 ? 23.0
                               : 31.0) /
             bound,
         on_grid ? "6 multiply-adds" : "its operations", error);
  }
}

template <class T> static void all_formfactors(const char *type) {
  static const size_t few[3] = {5, 9, 3}, plane[3] = {256, 256, 1}, cube[3] = {128, 128, 64}, millions[3] = {128, 128, 128};
  if (opt.quick) {
    measure_formfactor<T>(type, 2, few);
    return;
  }
  measure_formfactor<T>(type, 24, plane);
  measure_formfactor<T>(type, 64, cube);
  if (sizeof(T) == 4) measure_formfactor<T>(type, 87, millions); /* 90828 triangles; HipGISAXS was timed on 91753 */
}
#endif

/* ---- 2D convolutions by FFT ---- */

#if CONVK_HAS_FFT_
#define TYPED(T, type) \
  static size_t fft_plan_size(const convk_fftconv2d_shape *s, size_t kernels, T) { \
    size_t bytes = 0; \
    must(!convk_fftconv2d_plan_size_##type(NULL, s, kernels, &bytes), "size of a plan of fftconv2d"); \
    return bytes; \
  } \
  static int fft_plan(const convk_fftconv2d_shape *s, size_t kernels, const T *spectra, void *plan, size_t bytes) { \
    return convk_fftconv2d_prepare_spectrum_##type(NULL, s, kernels, spectra, 0, 0, (convk_fftconv2d_plan_##type *)plan, \
                                                   bytes); \
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
      for (size_t r = 0; r < n; r++)
        a[k * n + c] += root[k * r % m] * number(field[2 * (r * n + c)], field[2 * (r * n + c) + 1]);
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

#ifndef BENCH_FFT_PEER
template <class T, class Call>
static const char *fft_peer(size_t, size_t, size_t, size_t, const on_device<T> &, const std::vector<T> &, const on_device<T> &,
                            const Call &, double *, double *) {
  return NULL;
}
#endif

/* Fields of m / 2 - 1 squared in FFTs of m squared, `each` of them for every kernel, which is given by its spectrum. */
template <class T> static void measure_fftconv2d(const char *type, size_t m, size_t kernels, size_t each) {
  if (!wanted("fftconv2d")) return;
  const size_t n = m / 2 - 1, items = kernels * each, sample = items / 3;
  const double flops = (double)(m * m) * (20 * std::log2((double)m) + 6);
  convk_fftconv2d_shape shape;
  convk_batch2d batch;
  const std::vector<T> field = numbers<T>(2 * n * n * items);
  std::vector<T> spectra(2 * m * m * kernels);
  double time, bound, error = 0, peer = 0;
  char size[48];
  memset(&shape, 0, sizeof shape);
  memset(&batch, 0, sizeof batch);
  shape.mode = CONVK_FFT_CIRCULAR;
  shape.rows = shape.columns = n;
  shape.fft_rows = shape.fft_columns = m;
  batch.items = items;
  batch.items_per_kernel = each;
  for (size_t i = 0; i < spectra.size(); i++) spectra[i] = (T)((double)((i * 2246822519u >> 9) % 20011) / 10005.5 - 1);
  std::vector<char> plan(fft_plan_size(&shape, kernels, T()));
  must(!fft_plan(&shape, kernels, &spectra[0], &plan[0], plan.size()), "plan of fftconv2d");
  plan.resize(fft_there(&plan[0], T()));
  const size_t bytes = fft_work(&plan[0], items, T());
  const on_device<T> in(field), out(field.size());
  const on_device<char> there(plan), work(bytes);
  const peak_of<T> most(out);
  const auto call = [&] { must(!fftconv2d(&plan[0], there, &batch, in, out, work, bytes), "fftconv2d"); };
  medians(20, call, most, &time, &bound);
  call();
  for (size_t i = 0; i < items; i += sample + 1) {
    const std::vector<T> got = out.back(2 * n * n * i, 2 * n * n);
    error = std::max(error, fft_error(m, n, &field[2 * n * n * i], &spectra[2 * m * m * (i / each)], &got[0]));
  }
  const char *const library = fft_peer(m, n, kernels, each, in, spectra, out, call, &peer, &time);
  snprintf(size, sizeof size, "%zux%zu", m, m);
  line("fftconv2d", type, size, (double)items / time, "kconv/s", 2 * most.count() / flops / bound, "nominal operations", error,
       library, peer);
}

/* 3 components at 8 angles in 2 m layers. */
template <class T> static void all_convolutions(const char *type) {
  for (size_t m = 16; m <= 128; m *= 2) measure_fftconv2d<T>(type, m, opt.quick ? 2 : 2 * m, opt.quick ? 128 / m : 24);
}
#endif

/* ---- pairs ---- */

#if CONVK_HAS_PAIRS_
#define TYPED(T, type) \
  static int pair_processor(convk *hw, const convk_pair_system *s, const convk_pair_walkers *w, const T *r, \
                            convk_pair_result *result) { \
    return convk_pair_energy_##type(hw, s, w, CONVK_PAIR_ALL, r, result, NULL, NULL, 0); \
  } \
  static void sweeps_processor(convk *hw, const convk_vmc *v, const T *r, std::vector<T> *after) { \
    size_t bytes = 0; \
    must(!convk_vmc_state_size_##type(hw, v, &bytes), "vmc_state_size"); \
    std::vector<char> memory(bytes); \
    convk_vmc_state_##type *const state = (convk_vmc_state_##type *)(void *)&memory[0]; \
    must(!convk_vmc_begin_##type(hw, v, r, state, bytes) && !convk_vmc_run_##type(hw, v, 16, state, bytes, NULL, 0) && \
             !convk_vmc_positions_##type(hw, v, state, bytes, &(*after)[0]), \
         "vmc_run on the processor"); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

static void pair_size(char *text, size_t bytes, size_t n, size_t walkers) {
  if (walkers == 1) snprintf(text, bytes, "%zu", n);
  else snprintf(text, bytes, "%zux%zu", walkers, n);
}

template <class T> static void measure_pairs(const char *type, size_t n, size_t walkers) {
  if (!wanted("pair_energy")) return;
  const std::vector<double> at = clusters(n, walkers);
  const std::vector<T> r(at.begin(), at.end());
  const convk_pair_system system = helium(n);
  const convk_pair_walkers all = {walkers, 0, 0}, one = {1, 0, 0};
  const size_t bytes = pair_work(n, walkers, T());
  const on_device<T> there(r), gradient(r.size());
  const on_device<convk_pair_result> result(walkers);
  const on_device<char> work(bytes);
  const peak_of<T> most(gradient);
  convk_pair_result want;
  double time, bound, error;
  char size[48];
  convk hw;
  medians(
      20, [&] { must(!pair_energy(&system, &all, there, result, gradient, work, bytes), "pair_energy"); }, most, &time, &bound);
  const convk_pair_result got = result.back(walkers - 1, 1)[0];
  must(!convk_open(&hw, NULL) && !pair_processor(&hw, &system, &one, &r[3 * n * (walkers - 1)], &want),
       "pair_energy on the processor");
  convk_close(&hw);
  error = std::fabs((got.ln_psi - want.ln_psi) / want.ln_psi);
  error = std::max(error, std::fabs((got.laplacian - want.laplacian) / want.laplacian));
  error = std::max(error, std::fabs((got.gradient_squared - want.gradient_squared) / want.gradient_squared));
  pair_size(size, sizeof size, n, walkers);
  line("pair_energy", type, size, 0.5 * (double)n * (double)(n - 1) * (double)walkers / time * 1e-6, "Gpair/s",
       most.count() / (sizeof(T) == 4 ? 31.0 : 36.0) / bound * 1e-6, "its operations", error); /* of large walkers on CUDA */
}

/* Sixteen sweeps of moves of single particles; error: of coordinates, against the processor's from the same beginning. */
template <class T> static void measure_sweeps(const char *type, size_t n, size_t walkers) {
  if (!wanted("vmc_sweep")) return;
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
  const peak_of<T> most(out);
  std::vector<T> want(3 * n * few);
  double time, bound, error = 0;
  char size[48];
  convk hw;
  const auto run = [&] { must(!sweeps(&vmc, there, ln_psi, drift, accepted, work, bytes), "vmc_sweeps"); };
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

template <class T> static void all_pairs(const char *type) {
  static const size_t drops[][2] = {{512, 1}, {1024, 1}, {2048, 1}, {4096, 1}, {16384, 1}, {1024, 64}, {20, 4096}, {70, 4096}};
  static const size_t runs[][2] = {{20, 4096}, {70, 4096}, {1024, 132}, {4096, 1}};
  if (opt.quick) {
    for (size_t n = 20; n <= 300; n += 280) measure_pairs<T>(type, n, sizeof(T) == 4 ? 1 : 3);
    measure_sweeps<T>(type, 20, 3);
    return;
  }
  for (size_t i = 0; i < sizeof drops / sizeof *drops; i++) measure_pairs<T>(type, drops[i][0], drops[i][1]);
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) measure_sweeps<T>(type, runs[i][0], runs[i][1]);
}
#endif

/* ---- distances ---- */

#if CONVK_HAS_DISTANCES_
/* Random atoms, all their pairs; error: the share of pairs that no bin has. */
template <class T> static void measure_distances(const char *type, size_t n, int moments) {
  static const char *const names[] = {"pair_histogram: counts", "pair_histogram", "pair_histogram: both"};
  if (!wanted(names[moments])) return;
  const double side = cbrt((double)n / 0.625), pairs = 0.5 * (double)n * (double)(n - 1);
  convk_distances d;
  std::vector<T> r(3 * n);
  double time, bound, count = 0;
  size_t bytes = 0;
  char size[48];
  memset(&d, 0, sizeof d);
  d.width = 0.01;
  d.bins = (size_t)(side * 1.7321 / d.width) + 2;
  d.moments = moments;
  for (size_t i = 0; i < r.size(); i++) r[i] = (T)(side * (double)((i * 2654435761u >> 7) % 33554393) / 33554393);
  const on_device<T> x(r);
  const on_device<uint64_t> bins(std::vector<uint64_t>(4 * d.bins));
  const on_device<double> registers(r.size());
  must(!histogram(n, d, x, bins, (const bytes_there *)NULL, &bytes), "work of pair_histogram");
  const bytes_there work(bytes);
  const peak_of<double> most(registers);
  const auto call = [&] { must(!histogram(n, d, x, bins, &work, &bytes), "pair_histogram"); };
  medians(5, call, most, &time, &bound);
  bins.set(std::vector<uint64_t>(4 * d.bins));
  call();
  const std::vector<uint64_t> got = bins.back(0, d.bins);
  for (size_t k = 0; k < d.bins; k++) count += (double)got[k];
  snprintf(size, sizeof size, "%zu", n);
  line(names[moments], type, size, 1e-6 * pairs / time, "Gpair/s", most.count() / 28 / bound * 1e-6, "its operations",
       std::fabs(count - pairs) / pairs); /* 13, and 15 of a root, as nvcc makes it */
}

/* Sums over a histogram of bins that are all filled; error: of the sum of magnitudes. */
template <class T> static void measure_debye(const char *type, size_t n, size_t nq) {
  if (!wanted("debye")) return;
  convk_distances d;
  std::vector<uint64_t> counts(4 * n);
  std::vector<T> waves(2 * nq);
  memset(&d, 0, sizeof d);
  d.width = 0.01;
  d.bins = n;
  d.moments = 2;
  for (size_t k = 0; k < n; k++) { /* all at the middles of bins */
    counts[k] = 1 + k % 97;
    counts[n + k] = counts[k] << 19;
    counts[2 * n + 2 * k] = counts[k] << 38;
  }
  for (size_t i = 0; i < nq; i++) waves[i] = (T)(0.05 * (double)(i + 1));
  const on_device<uint64_t> bins(counts);
  const on_device<T> q(waves);
  const on_device<double> registers(std::vector<double>(1 << 16));
  size_t bytes = 0;
  must(!debye(d, bins, nq, q, (const bytes_there *)NULL, &bytes), "work of debye");
  const bytes_there work(bytes);
  const peak_of<double> most(registers);
  double time, bound, error = 0;
  char size[48];
  medians(
      5, [&] { must(!debye(d, bins, nq, q, &work, &bytes), "debye"); }, most, &time, &bound);
  const std::vector<T> got = q.back(nq, nq);
  for (size_t i = 0; i < nq; i += nq / 7 + 1) {
    double sum = 0, all = 0;
    for (size_t k = 0; k < n; k++) {
      const double x = (double)waves[i] * 0.01 * ((double)k + 0.5);
      sum += 2 * (double)counts[k] * std::sin(x) / x;
      all += 2 * (double)counts[k] / x;
    }
    error = std::max(error, std::fabs((double)got[i] - sum) / all);
  }
  snprintf(size, sizeof size, "%zux%zu", n, nq);
  line("debye", type, size, 1e-6 * (double)n * (double)nq / time, "Gbin/s", most.count() / 40 / bound * 1e-6, "its operations",
       error);
}

template <class T> static void all_distances(const char *type) {
  measure_debye<T>(type, opt.quick ? 700 : 6000, opt.quick ? 9 : 580);
  for (int moments = 0; moments < 3; moments++)
    for (size_t n = opt.quick ? 500 : 20000; n <= (opt.quick ? 500 : 160000); n *= 8) measure_distances<T>(type, n, moments);
}
#endif

/* ---- amplitudes ---- */

#if CONVK_HAS_AMPLITUDES_
/* Random atoms; way 0: a list of q, 1: a grid, 2: one that has -q for every q, 3: a list with complex q_z.  error: of the sum of magnitudes. */
template <class T> static void measure_amplitudes(const char *type, int way, size_t n, size_t m) {
  static const char *const names[] = {"amplitudes", "amplitudes_grid", "amplitudes_grid: octants", "amplitudes: complex q_z"};
  if (!wanted(names[way])) return;
  const bool grid = way == 1 || way == 2;
  const size_t nq = grid ? m * m * m : m;
  std::vector<T> r(3 * n), q(3 * m);
  for (size_t i = 0; i < r.size(); i++) r[i] = (T)(8 * (double)((i * 2654435761u >> 7) % 33554393) / 33554393 - 4);
  for (size_t i = 0; i < q.size(); i++)
    q[i] = way == 2 ? (T)(2 * (double)(i % m) - (double)(m - 1)) / (T)m : (T)(4 * (double)((i * 40503u) % 65521) / 65521 - 2);
  const on_device<T> x(r), axes(q), f(2 * nq);
  size_t bytes = 0;
  must(!amplitudes(n, way, m, x, axes, f, (const bytes_there *)NULL, &bytes), "work of amplitudes");
  const bytes_there work(bytes);
  const peak_of<T> most(f);
  const auto call = [&] { must(!amplitudes(n, way, m, x, axes, f, &work, &bytes), names[way]); };
  double time, bound, error = 0;
  char size[48];
  medians(3, call, most, &time, &bound);
  const std::vector<T> got = f.back(0, 2 * nq);
  for (size_t i = 0; i < nq; i += nq / 7 + 1) {
    const size_t at[3] = {grid ? i % m : i, grid ? i / m % m : i, grid ? i / m / m : i};
    double re = 0, im = 0, all = 0;
    for (size_t j = 0; j < n; j++) {
      double phase = 0;
      for (size_t d = 0; d < 3; d++) phase += (double)q[d * m + at[d]] * (double)r[d * n + j];
      const double w = way == 3 ? std::exp(-(double)q[i] * (double)r[2 * n + j]) : 1;
      re += w * std::cos(phase);
      im += w * std::sin(phase);
      all += w;
    }
    error = std::max(error, std::hypot((double)got[2 * i] - re, (double)got[2 * i + 1] - im) / all);
  }
  if (grid) snprintf(size, sizeof size, "%zux%zux%zux%zu", m, m, m, n);
  else snprintf(size, sizeof size, "%zux%zu", m, n);
  line(names[way], type, size, 1e-6 * (double)nq * (double)n / time, "Gpair/s",
       1e-6 * most.count() /
           (way == 2         ? 1.0
            : grid           ? 4.0
            : way            ? 30.0
            : sizeof(T) == 4 ? 19.0
                             : 27.0) /
           bound,
       "multiply-adds", error);
}

template <class T> static void all_amplitudes(const char *type) {
  measure_amplitudes<T>(type, 0, opt.quick ? 140 : 10000, opt.quick ? 9 : 65536);
  measure_amplitudes<T>(type, 3, opt.quick ? 140 : 10000, opt.quick ? 9 : 65536);
  for (int way = 1; way < 3; way++) measure_amplitudes<T>(type, way, opt.quick ? 140 : 10000, opt.quick ? 7 : 96);
}
#endif

/* ---- all of them ---- */

/* Of the families that are compiled; sizes too large for the emulator and slow processors, or with --quick small and odd ones. */
template <class T> static void measure_all(const char *type, const char *complex_type) {
  measure_ceilings<T>(type, opt.quick ? 40000 : (size_t)1 << 29);
#if CONVK_HAS_HAMILTONIAN_
  all_filters<T>(type, complex_type);
#endif
#if CONVK_HAS_STENCIL_
  all_stencils<T>(type);
#endif
#if CONVK_HAS_VMATH_
  all_maps<T>(type);
#endif
#if CONVK_HAS_GAUSSIAN_
  all_gaussians<T>(type);
#endif
#if CONVK_HAS_FORMFACTOR_
  all_formfactors<T>(type);
#endif
#if CONVK_HAS_FFT_
  all_convolutions<T>(complex_type);
#endif
#if CONVK_HAS_PAIRS_
  if (bench_f64) all_pairs<T>(type);
#endif
#if CONVK_HAS_DISTANCES_
  if (bench_f64) all_distances<T>(type);
#endif
#if CONVK_HAS_AMPLITUDES_
  if (bench_f64) all_amplitudes<T>(type);
#endif
  (void)complex_type;
}

static void measure_both(void) {
  if (bench_f64) measure_all<double>("f64", "c64");
  measure_all<float>("f32", "c32");
}

#endif
