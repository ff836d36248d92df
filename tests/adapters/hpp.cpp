// examples/adapters/convk.hpp: every family in every type that it has, against the C functions; arrays of all kinds, sizes, errors.
// Compiled with and without exceptions.
#define CONVK_DECLARE
#include "../../examples/adapters/convk.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

static int passed, failed;

static void check(const char *what, bool good) {
  if (good) {
    passed++;
  } else {
    failed++;
    std::printf("FAILED %s\n", what);
  }
}

#ifdef __cpp_exceptions
static cvk::handle open() { return cvk::handle("scalar"); }
template <class F> int code_of(F call) {
  try {
    call();
  } catch (const cvk::error &e) {
    return std::strstr(e.what(), convk_strerror(e.code)) ? e.code : 1;
  }
  return CONVK_OK;
}
template <class V> V &&value(V &&v) { return std::move(v); }
#else
static cvk::quiet_handle open() { return std::move(*cvk::quiet_handle::open("scalar")); }
static int code_of_(cvk::status s) { return std::strcmp(s.text(), convk_strerror(s.code)) ? 1 : s.code; }
template <class V> int code_of_(const cvk::expected<V> &e) { return e ? CONVK_OK : e.error().code; }
template <class F> int code_of(F call) { return code_of_(call()); }
template <class V> V value(cvk::expected<V> &&e) { return std::move(*e); }
#endif
#define CODE(call) code_of([&] { return call; })

template <class T> struct c;
template <> struct c<float> {
  static constexpr auto taps = &convk_magicfilter_taps_f32;
  static constexpr auto assign = &convk_mesh_assign_f32;
  static constexpr auto from_triangles = &convk_mesh_from_triangles_f32;
  using filter = convk_filter_f32;
  using sum_terms = convk_sumconv_terms_f32;
  using hamiltonian_terms = convk_hamiltonian_terms_f32;
  using points = convk_points_f32;
  using gaussians = convk_gaussians_f32;
  using orbital_set = convk_orbital_set_f32;
  using vgl = convk_vgl_f32;
  using density_parts = convk_density_parts_f32;
  using bloch = convk_bloch_f32;
  using mesh = convk_mesh_f32;
  using assembly = convk_assembly_f32;
  using q = convk_q_f32;
  using directions = convk_directions_f32;
  using dwba = convk_dwba_f32;
  using coefficients = convk_stencil7_coefficients_f32;
};
template <> struct c<double> {
  static constexpr auto taps = &convk_magicfilter_taps_f64;
  static constexpr auto assign = &convk_mesh_assign_f64;
  static constexpr auto from_triangles = &convk_mesh_from_triangles_f64;
  using filter = convk_filter_f64;
  using sum_terms = convk_sumconv_terms_f64;
  using hamiltonian_terms = convk_hamiltonian_terms_f64;
  using points = convk_points_f64;
  using gaussians = convk_gaussians_f64;
  using orbital_set = convk_orbital_set_f64;
  using vgl = convk_vgl_f64;
  using density_parts = convk_density_parts_f64;
  using bloch = convk_bloch_f64;
  using mesh = convk_mesh_f64;
  using assembly = convk_assembly_f64;
  using q = convk_q_f64;
  using directions = convk_directions_f64;
  using dwba = convk_dwba_f64;
  using coefficients = convk_stencil7_coefficients_f64;
};

template <class T> static std::vector<T> numbers(std::size_t n) {
  std::vector<T> x(n);
  unsigned state = 1;
  for (auto &v : x) v = T((state = state * 1664525u + 1013904223u) >> 8) / T(1 << 24);
  return x;
}
template <class T> static bool close(const std::vector<T> &a, const std::vector<T> &b) {
  for (std::size_t i = 0; i < a.size(); i++)
    if (!(std::abs(a[i] - b[i]) <= 1e-5)) return false;
  return a.size() == b.size();
}

// Each array of numbers, or of structs that come one for each of something, lacks an element in turn.
template <class E>
constexpr bool counted =
    std::is_floating_point_v<cvk::detail::real_t<E>> || std::is_same_v<E, convk_shell> ||
    std::is_same_v<E, convk_pair_result> || std::is_same_v<E, convk_pair_move_result> ||
    std::is_same_v<E, convk_sumconv_sums> || std::is_same_v<E, convk_hamiltonian_energies> || std::is_same_v<E, unsigned char>;
template <bool Shorten, class A> decltype(auto) lacking(A &a) {
  if constexpr (Shorten) return cvk::span(std::data(a), std::size(a) - 1);
  else return (a);
}
template <std::size_t J, class A, class... As, class F, std::size_t... I, class... B>
void one_short(const char *what, F call, std::index_sequence<I...> all, B &...b) {
  if constexpr (counted<cvk::detail::element_t<A>> && !std::is_base_of_v<cvk::memory, A>)
    check(what, code_of([&] { return call(lacking<I == J>(b)...); }) == CONVK_ERR_SIZE);
  if constexpr (sizeof...(As) > 0) one_short<J + 1, As...>(what, call, all, b...);
}
template <class F, class... A> void each_short(const char *what, F call, A &&...a) {
  one_short<0, std::remove_reference_t<A>...>(what, call, std::index_sequence_for<A...>{}, a...);
}
#define SHORT(method, ...) \
  if constexpr (std::is_same_v<T, double>) \
  each_short( \
      #method, [&](auto &&...all) { return hw.method(all...); }, __VA_ARGS__)

// How arguments reach C: queries of sizes, and the type of numbers that structs alone tell.
struct points_f32 {
  const float *x;
};
struct points_f64 {
  const double *x;
};
struct opaque_plan;
static int work_size(convk *, const convk_grid3 *grid, int zeros, const points_f64 *none, std::size_t *bytes) {
  if (!grid->nx) return CONVK_ERR_SIZE;
  *bytes = grid->nx + static_cast<std::size_t>(zeros) + (none != nullptr);
  return CONVK_OK;
}
static int takes_f32(convk *, const points_f32 *, std::size_t, opaque_plan *) { return 0; }
static int takes_f64(convk *, const points_f64 *, std::size_t, opaque_plan *) { return 0; }
static void forms() {
  const auto function = [](auto t) {
    if constexpr (std::is_same_v<decltype(t), cvk::type<double>>) return &takes_f64;
    else return &takes_f32;
  };
  using F = decltype(function);
  const auto kind = [](auto... types) { return cvk::detail::numbers_of<F, decltype(types)...>(); };
  static_assert(std::is_same_v<decltype(kind(points_f32())), cvk::type<float>>);
  static_assert(std::is_same_v<decltype(kind(points_f64(), 1)), cvk::type<double>>);
  static_assert(std::is_same_v<decltype(kind(static_cast<const points_f64 *>(nullptr), 1)), cvk::type<double>>);
  static_assert(std::is_same_v<decltype(kind(std::vector<points_f32>(), 1)), cvk::type<float>>);
  static_assert(std::is_void_v<decltype(kind(nullptr, 1))>);
  static_assert(std::is_same_v<decltype(kind(nullptr, std::vector<float>())), cvk::type<float>>);
  convk hw = {};
  convk_grid3 grid = {7, 1, 1, 0, 0};
  std::size_t size = 5;
  check("a size", cvk::detail::ask(&work_size, &hw, size, grid) == CONVK_OK && size == 7);
  check("a size of more", cvk::detail::ask(&work_size, &hw, size, grid, 3, points_f64{}) == CONVK_OK && size == 11);
  grid.nx = 0;
  check("no size", cvk::detail::ask(&work_size, &hw, size, grid) == CONVK_ERR_SIZE && size == 11);
  cvk::memory bytes(64);
  check("memory of a plan", cvk::detail::pass<opaque_plan *>(bytes) == reinterpret_cast<opaque_plan *>(bytes.data()) &&
                                cvk::detail::pass<void *>(bytes) == bytes.data() &&
                                cvk::detail::pass<const unsigned char *>(bytes) == bytes.data());
  check("functions", !takes_f32(nullptr, nullptr, 0, nullptr) && !takes_f64(nullptr, nullptr, 0, nullptr));
}

// A call does what the C function does, and refuses each array that lacks an element.
template <class T, class H> static void wavelets(const H &hw) {
  using V = std::vector<T>;
  convk_hamiltonian_shape orbital = {};
  orbital.wavelets = {4, 6, 2, 0, 0};
  orbital.vectors = 2;
  typename c<T>::hamiltonian_terms energy_of = {};
  for (double &h : energy_of.spacing) h = 0.5;
  V psi = numbers<T>(96), h_psi(96);
  std::vector<convk_hamiltonian_energies> found_energies(2);
  check("hamiltonian_apply", CODE(hw.hamiltonian_apply(orbital, energy_of, psi, h_psi, found_energies)) == CONVK_OK &&
                                 found_energies[1].kinetic[2] > 0);
  SHORT(hamiltonian_apply, orbital, energy_of, psi, h_psi, found_energies);
  std::vector<std::complex<T>> bloch(96), h_bloch(96);
  for (std::size_t i = 0; i < 96; i++) bloch[i] = std::complex<T>(psi[i], 1);
  energy_of.k[1] = 0.5;
  check("complex hamiltonian_apply",
        CODE(hw.hamiltonian_apply(orbital, energy_of, bloch, h_bloch, found_energies)) == CONVK_OK && h_bloch[95].imag() != 0);
  check("k is for complex calls", CODE(hw.hamiltonian_apply(orbital, energy_of, psi, h_psi, nullptr)) == CONVK_ERR_OPTION);
  SHORT(hamiltonian_apply, orbital, energy_of, bloch, h_bloch, found_energies);
  energy_of.k[1] = 0;
  orbital.values = orbital.wavelets;
  orbital.wavelets = {};
  SHORT(hamiltonian_apply, orbital, energy_of, psi, h_psi, found_energies);
  const std::size_t ends[2] = {1, 3};
  convk_compressed_shape segments = {};
  segments.dense = {4, 6, 2, 0, 0};
  segments.coarse = segments.fine = {1, ends, nullptr, 0};
  segments.vectors = 2;
  V few_of = numbers<T>(48), dense(96), back_again(48);
  check("wavelet_uncompress", CODE(hw.wavelet_uncompress(segments, few_of, dense)) == CONVK_OK && dense[0] == 0);
  check("wavelet_compress", CODE(hw.wavelet_compress(segments, dense, back_again)) == CONVK_OK && back_again == few_of);
  SHORT(wavelet_uncompress, segments, few_of, dense);
  SHORT(wavelet_compress, segments, dense, back_again);
}

template <class T, class H> static void arrays(const H &hw) {
  using V = std::vector<T>;
  const std::size_t n = 37;
  V x = numbers<T>(n), y(n), z(n), want(n);
  check("exp", CODE(hw.exp(n, x, y)) == CONVK_OK && std::abs(y[5] - std::exp(x[5])) < 1e-6);
  check("expm1", CODE(hw.expm1(n, x, y)) == CONVK_OK && std::abs(y[5] - std::expm1(x[5])) < 1e-6);
  check("log", CODE(hw.log(n, y, z)) == CONVK_OK && std::abs(z[5] - std::log(y[5])) < 1e-5);
  check("sincos",
        CODE(hw.sincos(n, x, y, z)) == CONVK_OK && std::abs(y[5] - std::sin(x[5])) + std::abs(z[5] - std::cos(x[5])) < 1e-6);
  SHORT(exp, n, x, y);
  SHORT(expm1, n, x, y);
  SHORT(log, n, x, y);
  SHORT(sincos, n, x, y, z);
  const V before = y;
  check("short in", CODE(hw.exp(n, cvk::span<T>(x.data(), n - 1), y)) == CONVK_ERR_SIZE && y == before);
  check("short out", CODE(hw.exp(n, x, cvk::span<T>(y.data(), n - 1))) == CONVK_ERR_SIZE && y == before);
  check("short third", CODE(hw.sincos(n, x, y, cvk::span<T>(z.data(), n - 1))) == CONVK_ERR_SIZE);
  check("no array", CODE(hw.exp(n, x, nullptr)) == CONVK_ERR_NULL);
  check("a pointer is trusted", CODE(hw.exp(n - 1, x, y.data())) == CONVK_OK);
  T plain[4] = {0, 1, 2, 3};
  const std::array<T, 4> fixed = {0, 1, 2, 3};
  std::array<T, 4> out = {};
  check("arrays of C and C++", CODE(hw.exp(4, plain, out)) == CONVK_OK && CODE(hw.exp(4, fixed, plain)) == CONVK_OK &&
                                   !std::memcmp(plain, out.data(), sizeof plain));
#if __cplusplus >= 202002L
  check("std::span", CODE(hw.exp(4, std::span<const T>(fixed), std::span(out))) == CONVK_OK);
  check("a short std::span", CODE(hw.exp(4, std::span<const T>(fixed).first(3), std::span(out))) == CONVK_ERR_SIZE);
#endif

  // separable convolution
  const convk_sepconv3d_shape grids = {{5, 4, 3, 6, 0}, {20, 4, 3, 0, 0}, {CONVK_BOUNDARY_GROW, 0, 0}};
  const convk_sepconv3d_shape follows = {grids.in, {}, {CONVK_BOUNDARY_GROW, 0, 0}};
  const convk_conv1d_shape two = {2, 6, 0, 0, CONVK_BOUNDARY_GROW}, three = {2, 6, 3, 0, CONVK_BOUNDARY_GROW};
  V a = numbers<T>(6 * 4 * 2 + 6 * 3 + 5), b(20 * 4 * 3), again(20 * 4 * 3);
  check("magicfilter3d", CODE(hw.magicfilter3d(grids, CONVK_FORWARD, nullptr, a, b)) == CONVK_OK);
  const std::size_t work_bytes = value(hw.template magicfilter3d_work_size<T>(grids, CONVK_FORWARD, nullptr));
  std::vector<unsigned char> enough(work_bytes);
  check("its work", CODE(hw.magicfilter3d(grids, CONVK_FORWARD, nullptr, a, b, enough.data(), work_bytes)) == CONVK_OK);
  check("work of no direction", CODE(hw.template magicfilter3d_work_size<T>(grids, 7, nullptr)) == CONVK_ERR_OPTION);
  const typename c<T>::filter magic = c<T>::taps(CONVK_FORWARD);
  const std::array<typename c<T>::filter, 3> filters = {magic, magic, magic};
  check("sepconv3d", CODE(hw.sepconv3d(follows, filters, nullptr, a, again)) == CONVK_OK && b == again && b[30] != 0);
  SHORT(sepconv3d, grids, filters, nullptr, a, again);
  SHORT(sepconv3d, follows, filters, nullptr, a, again);
  SHORT(magicfilter3d, follows, CONVK_FORWARD, nullptr, a, b);
  V potential(20 * 4 * 3, T(2));
  double energy = 0;
  check("potential_apply", CODE(hw.potential_apply(grids, potential, a, a, &energy)) == CONVK_OK && energy > 0);
  SHORT(potential_apply, follows, potential, a, a, &energy);
  V rows = numbers<T>(12), columns(17 * 2 * 3), few(17 * 6);
  check("conv1d_transpose", CODE(hw.conv1d_transpose(two, magic, rows, few)) == CONVK_OK && few[6 * 7] != 0);
  SHORT(conv1d_transpose, two, magic, rows, few);
  check("a leading dimension counts", CODE(hw.conv1d_transpose(three, magic, rows, few)) == CONVK_ERR_SIZE);
  convk_sumconv3d_shape sum_shape = {};
  sum_shape.in = {5, 4, 3, 6, 0};
  sum_shape.vectors = 2;
  typename c<T>::sum_terms terms = {};
  for (auto &f : terms.filter) f = magic;
  V from = numbers<T>(6 * 4 * 3 * 2 - 1), summed(120);
  std::vector<convk_sumconv_sums> found(2);
  check("sumconv3d",
        CODE(hw.sumconv3d(sum_shape, terms, from, summed, found)) == CONVK_OK && summed[119] != 0 && found[1].norm > 0);
  SHORT(sumconv3d, sum_shape, terms, from, summed, found);
  std::vector<std::complex<T>> complex_from(from.size(), std::complex<T>(0, 1)), complex_to(120);
  check("complex sumconv3d", CODE(hw.sumconv3d(sum_shape, terms, complex_from, complex_to, nullptr)) == CONVK_OK &&
                                 complex_to[119].imag() != 0 && complex_to[119].real() == 0);
  SHORT(sumconv3d, sum_shape, terms, complex_from, complex_to, found);
  const std::size_t real_work = value(hw.template sumconv3d_work_size<T>(sum_shape, terms));
  check("its work is less than that of complex",
        real_work < value(hw.template sumconv3d_work_size<std::complex<T>>(sum_shape, terms)));
  std::vector<unsigned char> work(1 << 20);
  check("work", CODE(hw.magicfilter3d(grids, CONVK_FORWARD, nullptr, a, b, work.data(), work.size())) == CONVK_OK &&
                    CODE(hw.magicfilter3d(grids, CONVK_FORWARD, nullptr, a, b, work, std::size_t(8))) == CONVK_ERR_WORK);

  // stencil
  const convk_stencil7_shape cube = {{6, 6, 6, 0, 0},
                                     {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC}};
  const typename c<T>::coefficients heat = {T(0.4), T(0.1), T(0.1), T(0.1), T(0.1), T(0.1), T(0.1)};
  V u = numbers<T>(216), v(216), w(216);
  T *result = nullptr;
  check("stencil7", CODE(hw.stencil7(cube, heat, 1, u, v, &result)) == CONVK_OK && result == v.data());
  const convk_box3 all = {{0, 0, 0}, {6, 6, 6}};
  check("stencil7_box", CODE(hw.stencil7_box(cube, heat, all, u, w)) == CONVK_OK && v == w);
  SHORT(stencil7, cube, heat, 1, u, v, &result);
  SHORT(stencil7_box, cube, heat, all, u, w);

  // Gaussians
  const V p = numbers<T>(30), alpha = {T(-1), T(-2)}, weights = {T(1), T(2), T(3), T(4)};
  const std::array<T, 3> center = {T(0.5), T(0.5), T(0.5)};
  const typename c<T>::points points = {10, p.data(), p.data() + 10, p.data() + 20, 0};
  typename c<T>::gaussians gaussians = {{center[0], center[1], center[2]}, 2, alpha.data(), 2, weights.data(), 0};
  V m(20), sums(20), direct(20);
  check("gridpot", CODE(hw.gridpot(points, gaussians, nullptr, m)) == CONVK_OK);
  check("gridpot_sum", CODE(hw.gridpot_sum(points, gaussians, nullptr, sums)) == CONVK_OK);
  SHORT(gridpot, points, gaussians, nullptr, m);
  SHORT(gridpot_sum, points, gaussians, nullptr, sums);
  for (int i = 0; i < 10; i++) {
    direct[i] = weights[0] * m[i] + weights[1] * m[10 + i];
    direct[10 + i] = weights[2] * m[i] + weights[3] * m[10 + i];
  }
  check("the same sums", close(sums, direct));
  const double exponent = 1, one = 1;
  const std::array<convk_shell, 2> shells = {convk_shell{{0, 0, 0}, 0, CONVK_SHELL_CARTESIAN, 1, &exponent, &one},
                                             convk_shell{{1, 0, 0}, 1, CONVK_SHELL_CARTESIAN, 1, &exponent, &one}};
  const V orbital = {1, 2, 3, 4, 4, 3, 2, 1}, occupations = {1, 2};
  V values(20), dx(20), dy(20), dz(20), laplacian(20), rho(10), expected_rho(10);
  const typename c<T>::orbital_set set = {2, shells.data(), 2, orbital.data(), 0, occupations.data(), nullptr};
  check("orbitals", CODE(hw.orbitals(points, set, nullptr, values)) == CONVK_OK);
  V vgl(20);
  const typename c<T>::vgl five = {vgl.data(), dx.data(), dy.data(), dz.data(), laplacian.data(), 0};
  check("orbitals_vgl", CODE(hw.orbitals_vgl(points, set, nullptr, five)) == CONVK_OK && close(vgl, values));
  check("density", CODE(hw.density(points, set, nullptr, rho)) == CONVK_OK);
  const auto prepared = value(hw.orbitals_prepare(set));
  const typename c<T>::orbital_set planned = {0, nullptr, 0, nullptr, 0, nullptr, prepared};
  V by_plan(20);
  check("orbitals of a plan", CODE(hw.orbitals(points, planned, nullptr, by_plan)) == CONVK_OK && by_plan == values);
  check("their work", value(hw.template orbitals_work_size<T>(set)) > 0);
  SHORT(orbitals, points, set, nullptr, values);
  SHORT(density, points, set, nullptr, rho);
  for (int i = 0; i < 10; i++) expected_rho[i] = values[i] * values[i] + 2 * values[10 + i] * values[10 + i];
  convk_gaussian_box box{};
  box.step_x[0] = box.step_y[1] = box.step_z[2] = 0.25;
  box.grid = {5, 2, 1, 0, 0};
  V on_grid(20), by_points(20), gx(10), gy(10), gz(10, 0), rho_grid(10), sums_grid(20);
  for (std::size_t i = 0; i < 10; i++) gx[i] = T(0.25) * T(i % 5), gy[i] = T(0.25) * T(i / 5);
  const typename c<T>::points box_points = {10, gx.data(), gy.data(), gz.data(), 0};
  check("orbitals_grid", CODE(hw.orbitals_grid(box, set, nullptr, on_grid)) == CONVK_OK);
  check("on points", CODE(hw.orbitals(box_points, set, nullptr, by_points)) == CONVK_OK && close(on_grid, by_points));
  const typename c<T>::density_parts rho_parts = {rho_grid.data(), nullptr, nullptr, nullptr, nullptr};
  check("density_grid", CODE(hw.density_grid(box, set, nullptr, rho_parts)) == CONVK_OK);
  check("on points", CODE(hw.density(box_points, set, nullptr, rho)) == CONVK_OK && close(rho_grid, rho));
  check("orbitals_grid_vgl", CODE(hw.orbitals_grid_vgl(box, set, nullptr, five)) == CONVK_OK && close(vgl, by_points));
  check("gridpot_grid", CODE(hw.gridpot_grid(box, gaussians, nullptr, sums_grid)) == CONVK_OK);
  check("on points", CODE(hw.gridpot_sum(box_points, gaussians, nullptr, direct)) == CONVK_OK && close(sums_grid, direct));
  check("work of grids", value(hw.template orbitals_grid_work_size<T>(box, set)) > 0 &&
                             value(hw.template gridpot_grid_work_size<T>(box, gaussians)) > 0);
  V complex_grid(40), rho_k(10);
  typename c<T>::bloch bloch{};
  check("orbitals_grid_k", CODE(hw.orbitals_grid_k(box, set, bloch, nullptr, complex_grid)) == CONVK_OK);
  V real_parts(20);
  for (std::size_t i = 0; i < 20; i++) real_parts[i] = complex_grid[2 * i];
  check("k = 0", close(real_parts, by_points));
  check("density_grid_k", CODE(hw.density_grid_k(box, set, bloch, nullptr, rho_k, 0)) == CONVK_OK && close(rho_k, rho));
  check("work at k", value(hw.template orbitals_grid_k_work_size<T>(box, set)) > 0);
  SHORT(orbitals_grid_k, box, set, bloch, nullptr, complex_grid);
  SHORT(orbitals_grid, box, set, nullptr, on_grid);
  SHORT(gridpot_grid, box, gaussians, nullptr, sums_grid);
  check("density", CODE(hw.density(points, set, nullptr, rho)) == CONVK_OK);
  check("the same density", std::abs(rho[3] - expected_rho[3]) <= 1e-5 * rho[3]);

  // form factors: F(0) of the unit cube's corner tetrahedron is 1/6
  const V corners = {0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                     0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  V storage(48);
  typename c<T>::mesh mesh = {};
  check("mesh", !c<T>::assign(nullptr, 4, 1, storage.data(), &mesh) && !c<T>::from_triangles(nullptr, corners.data(), &mesh));
  const V q = {0, T(0.5)};
  std::vector<std::complex<T>> f(2), f_grid(8), f_all(2);
  typename c<T>::q list = {};
  list.n = 2;
  list.x = list.y = list.z = q.data();
  check("formfactor", CODE(hw.formfactor(mesh, list, nullptr, f)) == CONVK_OK && std::abs(f[0] - T(1) / 6) < 1e-6);
  const convk_grid3 q_grid = {2, 2, 2, 0, 0};
  check("formfactor_grid",
        CODE(hw.formfactor_grid(mesh, q_grid, list, nullptr, f_grid)) == CONVK_OK && std::abs(f_grid[0] - f[0]) < 1e-5);
  convk_placement placement = {};
  placement.weight[0] = 2;
  const typename c<T>::assembly assembly = {1, 1, &mesh, &placement};
  V intensity(2), powder(2);
  check("formfactor_assembly", CODE(hw.formfactor_assembly(assembly, list, nullptr, f_all, intensity)) == CONVK_OK &&
                                   std::abs(f_all[1] - T(2) * f[1]) < 1e-5 &&
                                   std::abs(intensity[1] - std::norm(f_all[1])) < 1e-5);
  V nx = {1}, ny = {0};
  const typename c<T>::directions along = {1, nx.data(), ny.data(), ny.data(), nx.data()};
  check("formfactor_powder", CODE(hw.formfactor_powder(assembly, 2, q, along, nullptr, powder)) == CONVK_OK &&
                                 std::abs(powder[0] - intensity[0]) < 1e-5);
  const V zeros(2);
  typename c<T>::dwba waves = {};
  waves.n = 2;
  waves.qx = waves.qy = waves.kz_out = q.data();
  waves.kz_in = zeros.data();
  std::vector<std::complex<T>> f_waves(2);
  check("formfactor_dwba", CODE(hw.formfactor_dwba(assembly, waves, nullptr, f_waves)) == CONVK_OK && close(f_waves, f_all));
  SHORT(formfactor_dwba, assembly, waves, nullptr, f_waves);
  SHORT(formfactor, mesh, list, nullptr, f);
  // two atoms, 3 apart
  const T at[2] = {0, 3}, zero[2] = {0, 0}, distance_q[1] = {2};
  T by_bins[1] = {0}, by_pairs[1] = {0};
  std::conditional_t<std::is_same_v<T, float>, convk_atoms_f32, convk_atoms_f64> atoms{};
  std::vector<std::uint64_t> counts(10);
  convk_distances distances{};
  const double self = 2;
  atoms.n = 2;
  atoms.x = at;
  atoms.y = atoms.z = zero;
  distances.bins = counts.size();
  distances.width = 0.8; // the middle of bin 3 is at 2.8
  distances.count = counts.data();
  check("pair_histogram", CODE(hw.pair_histogram(atoms, nullptr, nullptr, distances)) == CONVK_OK && counts[3] == 1);
  check("debye", CODE(hw.debye(distances, nullptr, &self, 1, distance_q, by_bins)) == CONVK_OK &&
                     std::abs(by_bins[0] - T(2 + 2 * std::sin(5.6) / 5.6)) < 1e-6);
  check("debye_direct", CODE(hw.debye_direct(atoms, 1, nullptr, 1, distance_q, by_pairs)) == CONVK_OK &&
                            std::abs(by_pairs[0] - T(2 + 2 * std::sin(6) / 6)) < 1e-6);
  T by_waves[2] = {0, 0};
  std::conditional_t<std::is_same_v<T, float>, convk_q_f32, convk_q_f64> amplitude_q{};
  const convk_grid3 one_wave = {1, 1, 1, 0, 0};
  amplitude_q.n = 1;
  amplitude_q.x = amplitude_q.y = zero;
  amplitude_q.z = distance_q;
  atoms.x = zero;
  atoms.z = at;
  check("amplitudes", CODE(hw.amplitudes(atoms, amplitude_q, nullptr, by_waves)) == CONVK_OK &&
                          std::abs(by_waves[0] - T(1 + std::cos(6))) + std::abs(by_waves[1] - T(std::sin(6))) < 1e-6);
  check("amplitudes_grid", CODE(hw.amplitudes_grid(atoms, one_wave, amplitude_q, nullptr, by_waves)) == CONVK_OK &&
                               std::abs(by_waves[0] - T(1 + std::cos(6))) + std::abs(by_waves[1] - T(std::sin(6))) < 1e-6);
  SHORT(formfactor_grid, mesh, q_grid, list, nullptr, f_grid);
  SHORT(formfactor_assembly, assembly, list, nullptr, f_all, intensity);
  SHORT(formfactor_powder, assembly, 2, q, along, nullptr, powder);

  // transforms
  convk_fftconv2d_shape convolution = {};
  convolution.rows = convolution.columns = 4;
  convolution.kernel_rows = convolution.kernel_columns = 1;
  convolution.mode = CONVK_FFT_SAME;
  const std::array<T, 1> twice = {2};
  const V field = numbers<T>(32);
  V product(32);
  convk_batch2d batch = {};
  batch.items = 2;
  auto plan = value(hw.fftconv2d_prepare(convolution, 1, twice));
  check("fftconv2d",
        CODE(hw.fftconv2d(plan, batch, field, product)) == CONVK_OK && std::abs(product[31] - 2 * field[31]) < 1e-5);
  const std::vector<std::complex<T>> wave(16, {T(0), T(1)}), times_i = {{T(0), T(1)}};
  std::vector<std::complex<T>> complex_out(16), spectrum(16), back(16);
  batch.items = 1;
  check("work of a plan", value(hw.template fftconv2d_work_size<T>(plan, 3)) > 0);
  check("work of no plan", CODE(hw.template fftconv2d_work_size<T>(nullptr, 3)) == CONVK_ERR_NULL);
  auto complex_plan = value(hw.fftconv2d_prepare(convolution, 1, times_i));
  check("complex fftconv2d",
        CODE(hw.fftconv2d(complex_plan, batch, wave, complex_out)) == CONVK_OK && std::abs(complex_out[3] + T(1)) < 1e-5);
  auto transform = value(hw.template fft2d_prepare<std::complex<T>>(4, 4));
  check("fft2d", CODE(hw.fft2d(transform, CONVK_FORWARD, batch, wave, spectrum)) == CONVK_OK &&
                     std::abs(spectrum[0] - std::complex<T>(0, 16)) < 1e-5);
  check("and back",
        CODE(hw.fft2d(transform, CONVK_INVERSE, batch, spectrum, back)) == CONVK_OK && std::abs(back[7] - wave[7]) < 1e-5);
  SHORT(fftconv2d, complex_plan, batch, wave, complex_out);
  SHORT(fft2d, transform, CONVK_FORWARD, batch, wave, spectrum);
  batch.items = 3;
  check("transforms, short", CODE(hw.fftconv2d(plan, batch, field, product)) == CONVK_ERR_SIZE &&
                                 CODE(hw.fft2d(transform, CONVK_FORWARD, batch, wave, spectrum)) == CONVK_ERR_SIZE);
  batch.items = 1;
  batch.out_pitch = 5;
  check("a pitch counts", CODE(hw.fft2d(transform, CONVK_FORWARD, batch, wave, spectrum)) == CONVK_ERR_SIZE);
  convolution.mode = 99;
  check("a bad shape", CODE(hw.fftconv2d_prepare(convolution, 1, twice)) == CONVK_ERR_MODE);
  convolution.mode = CONVK_FFT_SAME;
  check("no kernel", CODE(hw.fftconv2d_prepare(convolution, 0, twice)) == CONVK_ERR_SIZE &&
                         CODE(hw.fftconv2d_prepare(convolution, 2, twice)) == CONVK_ERR_SIZE);
  check("work of fftconv2d", value(hw.template fftconv2d_work_size<T>(plan, 2)) > 0 &&
                                 value(hw.template fft2d_work_size<std::complex<T>>(transform, 2)) > 0);
  check("a bad size", CODE(hw.template fft2d_prepare<std::complex<T>>(11, 4)) == CONVK_ERR_FFT_SIZE);

  // pairs
  convk_vmc vmc = {};
  vmc.system.particles = 3;
  vmc.system.trial.p5 = 2700;
  vmc.system.trial.p1 = 0.4;
  vmc.system.potential = convk_pair_hfdb();
  vmc.walkers = 2;
  convk_pair_walkers walkers = {};
  walkers.walkers = 2;
  const V r = {0, 3, 6, 0, 1, 2, 0, 2, 0, 0, 4, 8, 0, 1, 2, 0, 2, 0}, to = {0, 0, 1, 0, 0, 2}, distance = {3, 4};
  V moved = r, gradient(18), pair(2), seventeen(17);
  std::vector<convk_pair_result> energies(2);
  std::vector<convk_pair_move_result> moves(2);
  std::vector<unsigned char> accept(2, 1);
  const convk_pair_system &s = vmc.system;
  check("pair_potential", CODE(hw.pair_potential(s.potential, 2, distance, pair)) == CONVK_OK && pair[0] < 0);
  check("pair_energy", CODE(hw.pair_energy(s, walkers, 0, r, energies, gradient)) == CONVK_OK && energies[1].ln_psi < 0);
  check("without gradients", CODE(hw.pair_energy(s, walkers, 0, r, energies, nullptr)) == CONVK_OK);
  check("pair_energy's work", value(hw.template pair_energy_work_size<T>(s.particles, walkers.walkers)) < std::size_t(1) << 24);
  check("pair_move", CODE(hw.pair_move(s, walkers, 1, r, to, moves)) == CONVK_OK);
  check("pair_accept", CODE(hw.pair_accept(s, walkers, 1, to, accept, moved, gradient)) == CONVK_OK && moved[1] == to[0]);
  SHORT(pair_potential, s.potential, 2, distance, pair);
  SHORT(pair_energy, s, walkers, 0, r, energies, gradient);
  SHORT(pair_move, s, walkers, 1, r, to, moves);
  SHORT(pair_accept, s, walkers, 1, to, accept, moved, gradient);
  std::vector<convk_pair_result> then(2);
  check("after the move",
        CODE(hw.pair_energy(s, walkers, 0, moved, then, nullptr)) == CONVK_OK &&
            std::abs(then[0].ln_psi - energies[0].ln_psi - moves[0].ln_psi) < 1e-3 * std::abs(then[0].ln_psi));
  auto state = value(hw.template vmc_begin<T>(vmc, nullptr));
  check("vmc", CODE(hw.vmc_run(vmc, 20, state)) == CONVK_OK && value(hw.vmc_results(state)).sweeps == 20);
  auto kept = std::move(state); // a state moves like any value
  check("vmc goes on", CODE(hw.vmc_run(vmc, 5, kept)) == CONVK_OK && value(hw.vmc_results(kept)).sweeps == 25);
  check("vmc, short",
        CODE(hw.template vmc_begin<T>(vmc, seventeen)) == CONVK_ERR_SIZE && CODE(hw.template vmc_begin<T>(vmc, r)) == CONVK_OK);
  vmc.system.particles = 1;
  check("vmc of one", CODE(hw.template vmc_begin<T>(vmc, nullptr)) == CONVK_ERR_PARTICLES);
}

int main() {
  auto hw = open();
  forms();
  wavelets<float>(hw);
  wavelets<double>(hw);
  arrays<float>(hw);
  arrays<double>(hw);
  auto moved = std::move(hw);
  const std::vector<double> x = {1};
  std::vector<double> y(1);
  check("what was moved from is not open", CODE(hw.exp(1, x, y)) == CONVK_ERR_HANDLE);
  check("what was moved to is", CODE(moved.exp(1, x, y)) == CONVK_OK && !std::strcmp(moved.get()->name, "scalar"));
  hw = std::move(moved);
  check("and back", CODE(hw.exp(1, x, y)) == CONVK_OK);
  static_assert(!std::is_copy_constructible_v<cvk::quiet_handle> && std::is_nothrow_move_constructible_v<cvk::quiet_handle>);
  auto wrong = cvk::quiet_handle::open("abacus");
  check("no such hardware", !wrong && wrong.error().code == CONVK_ERR_HW_NAME && wrong.error());
  check("which has its name in the message", std::strstr(wrong.error().more, "'abacus'"));
  auto quiet = cvk::quiet_handle::open();
  check("too short", std::strstr(quiet->exp(2, x, y).more, "argument 2 is an array of 1 numbers, and 2 are needed"));
  check("nothing to say", !*quiet->exp(1, x, y).more);
  check("hardware that is not compiled in", cvk::quiet_handle::open("opencl").error().code == CONVK_ERR_HW_MODULE);
#ifdef __cpp_exceptions
  check("an exception", CODE(cvk::handle("abacus")) == CONVK_ERR_HW_NAME);
  try {
    cvk::handle("abacus");
  } catch (const cvk::error &e) {
    check("its text", std::strstr(e.what(), "unknown hardware name: 'abacus' is none of scalar, "));
  }
  const cvk::status bad = quiet->exp(1, x, nullptr);
  check("a status", bad && bad.code == CONVK_ERR_NULL);
#endif
  std::printf("%d passed, %d failed, 0 skipped\n", passed, failed);
  return failed != 0;
}
