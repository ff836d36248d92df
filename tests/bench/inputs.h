/* Inputs of benchmarks and of tests on whole arrays.  Before this text comes convk.h or a module; `must` is the program's. */
#ifndef BENCH_INPUTS_H
#define BENCH_INPUTS_H

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

static void must(int ok, const char *what); /* or the program ends */

/* n numbers between -1 and 1, without an order that a kernel could like. */
template <class T> static std::vector<T> numbers(size_t n) {
  std::vector<T> v(n);
  for (size_t i = 0; i < n; i++) v[i] = (T)((double)((i * 2654435761u >> 7) % 20011) / 10005.5 - 1);
  return v;
}

/* ---- sums of filters ---- */

#if CONVK_HAS_HAMILTONIAN_
/* A call on vectors of a periodic grid.
     order       of the Laplacians of sumconv3d and chebyshev3d; 0: that of wavelets
     is_complex  complex numbers; the Hamiltonian then at a point k
     sums        those that come with sumconv3d, or the Hamiltonian's energies: SUM_NUMBERS for each vector
     degree      of chebyshev3d */
enum { SUM_ONCE, SUM_FILTER, SUM_HAMILTONIAN, SUM_NUMBERS = 8 };
struct sum_case {
  int operation, order, is_complex, potential, sums, degree;
  size_t vectors;
  convk_grid3 grid;
  const char *name(void) const {
    return operation == SUM_ONCE ? "sumconv3d" : operation == SUM_FILTER ? "chebyshev3d" : "hamiltonian_apply";
  }
  size_t points(void) const { return grid.nx * grid.ny * grid.nz; }
  /* Of a vector, with what lies between rows and planes. */
  size_t elements(void) const { return (grid.pitch_z ? grid.pitch_z * grid.nz : points()) * (is_complex ? 2 : 1); }
  convk_sumconv3d_shape shape(void) const {
    const convk_sumconv3d_shape s = {grid, grid, {0, 0, 0}, vectors, 0, 0};
    return s;
  }
  convk_hamiltonian_shape orbital(void) const {
    const convk_hamiltonian_shape s = {grid, {0, 0, 0, 0, 0}, {0, 0, 0}, vectors, 0, 0};
    return s;
  }
  convk_chebyshev filter(void) const {
    const convk_chebyshev f = {degree, 2, 20, -3};
    return f;
  }
};

#define SUM_HERE(T, type, real) \
  static inline int sum_here_##type(convk *hw, const sum_case &c, const T *v, const T *x, T *y, double *sums) { \
    const convk_sumconv3d_shape shape = c.shape(); \
    const convk_hamiltonian_shape orbital = c.orbital(); \
    const convk_chebyshev filter = c.filter(); \
    const convk_hamiltonian_terms_##real h = orbital_terms(c, v); \
    T taps[CONVK_DERIVATIVE_TAPS]; \
    const convk_sumconv_terms_##real terms = sum_terms(c, taps, v); \
    if (c.operation == SUM_HAMILTONIAN) \
      return convk_hamiltonian_apply_##type(hw, &orbital, &h, x, y, (convk_hamiltonian_energies *)sums, NULL, 0); \
    if (c.operation == SUM_FILTER) return convk_chebyshev3d_##type(hw, &shape, &terms, &filter, x, y, NULL, 0); \
    return convk_sumconv3d_##type(hw, &shape, &terms, x, y, (convk_sumconv_sums *)sums, NULL, 0); \
  }
#define TYPED(T, type, complex_type) \
  static inline convk_sumconv_terms_##type sum_terms(const sum_case &c, T *taps, const T *v) { \
    convk_sumconv_terms_##type terms = convk_sumconv_terms_##type(); \
    must(!convk_derivative_filter_##type(NULL, 2, c.order, -0.5, taps, &terms.filter[0]), "a Laplacian"); \
    terms.filter[1] = terms.filter[2] = terms.filter[0]; \
    terms.potential = c.potential ? v : NULL; \
    terms.potential_factor = 1; \
    return terms; \
  } \
  static inline convk_hamiltonian_terms_##type orbital_terms(const sum_case &c, const T *v) { \
    const convk_hamiltonian_terms_##type h = {{0.5, 0.5, 0.5}, c.potential ? v : NULL, 0, {c.is_complex ? 0.25 : 0.0, 0, 0}}; \
    return h; \
  } \
  SUM_HERE(T, type, type) \
  SUM_HERE(T, complex_type, type) \
  /* On host arrays; sums may be NULL. */ \
  static inline int sum_here(convk *hw, const sum_case &c, const T *v, const T *x, T *y, double *sums) { \
    return c.is_complex ? sum_here_##complex_type(hw, c, v, x, y, sums) : sum_here_##type(hw, c, v, x, y, sums); \
  }
TYPED(float, f32, c32)
TYPED(double, f64, c64)
#undef TYPED
#undef SUM_HERE
#endif

/* ---- Gaussians ---- */

#if CONVK_HAS_GAUSSIAN_
/* Water in a basis of s, p and d functions: 7 shells on each of three atoms. */
static inline std::vector<convk_shell> water_shells(void) {
  static const double exponents[6] = {11720, 1759, 400.8, 113.7, 37.03, 13.27}, ones[6] = {1, 1, 1, 1, 1, 1};
  std::vector<convk_shell> shells;
  for (int atom = 0; atom < 3; atom++)
    for (int s = 0; s < 7; s++) {
      const convk_shell shell = {{0.4 * atom, 0.3 * (atom % 2), 0},
                                 s < 3   ? 0
                                 : s < 5 ? 1
                                         : 2,
                                 CONVK_SHELL_SPHERICAL,
                                 s ? 2u : 6u,
                                 exponents + (s ? 4 - s % 3 : 0),
                                 ones};
      shells.push_back(shell);
    }
  return shells;
}
#endif

/* ---- meshes ---- */

#if CONVK_HAS_FORMFACTOR_
#define TYPED(T, type) \
  static inline void mesh_of(size_t n, T *storage, convk_mesh_##type *mesh) { \
    must(!convk_mesh_assign_##type(NULL, n, 0, storage, mesh), "mesh"); \
  } \
  static inline void mesh_fill(const T *corners, const convk_mesh_##type *mesh, convk_mesh_measures *measures) { \
    must(!convk_mesh_from_triangles_##type(NULL, corners, mesh) && !convk_mesh_measure_##type(NULL, mesh, measures), "mesh"); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED
template <class T> struct mesh_type;
template <> struct mesh_type<float> { typedef convk_mesh_f32 mesh; };
template <> struct mesh_type<double> { typedef convk_mesh_f64 mesh; };
#endif

/* ---- pairs ---- */

#if CONVK_HAS_PAIRS_
/* Balls of 0.0218 atoms per cubic Angstrom, no two nearer than 2.2 A, in random order: that of a long run, in which lanes find
   the fewest exponentials to leave out. */
static inline std::vector<double> clusters(size_t n, size_t walkers) {
  const double spacing = 3.58;
  std::vector<std::pair<double, size_t>> site;
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

static inline convk_pair_system helium(size_t n) {
  convk_pair_system s;
  memset(&s, 0, sizeof s);
  s.particles = n;
  s.potential = convk_pair_hfdb();
  s.trial.p5 = 120;
  s.trial.p0 = 0.4;
  s.trial.p1 = 0.08;
  return s;
}
#endif

#endif
