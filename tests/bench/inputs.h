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
