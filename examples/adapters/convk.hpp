// convk for C++17 and later: handles, plans and states that close themselves, arrays of any kind whose sizes are checked, and
// errors as exceptions or as values.  Everything is in namespace cvk, since the C struct has the name convk.
//   cvk::handle hw;                                             // the best hardware; or cvk::handle hw("avx2")
//   std::vector<double> psi(n * n * n), values(n * n * n);      // or std::array, std::span, T[N], cvk::span(pointer, size)
//   const convk_sepconv3d_shape shape = {{n, n, n, 0, 0}, {}, {}};       // packed, periodic, the output alike
//   hw.magicfilter3d(shape, CONVK_FORWARD, nullptr, psi, values);      // throws cvk::error
// The same without exceptions, also where there are none (-fno-exceptions):
//   auto hw = cvk::quiet_handle::open();                        // a cvk::expected, true where there is a handle
//   if (!hw) return hw.error().text();
//   if (auto bad = hw->exp(x.size(), x, y)) return bad.text();  // a cvk::status, true where something failed; bad.more: why
// Methods are the operations of convk.h by name, whose doc comments hold, with its arguments in its order but for the handle:
//   arrays   of float, double or std::complex of these, from which the type follows.  One that is too short is CONVK_ERR_SIZE;
//            a bare pointer is trusted; nullptr is an array that is not there
//   structs  as they are, from which the type follows where no array tells it; arrays in them are bare pointers: x.data()
//   leading dimensions, work and its size, and other arguments at the end may be left out: they are 0
// A query of a size, hw.NAME<double>(...), has the arguments of C but the last, which is what comes back.
// Plans (of fftconv2d_prepare, fft2d_prepare, orbitals_prepare) and states (vmc_begin) come from methods, too.
// What has no handle is called as in C.
// Define CONVK_WITH_<FAMILY>, CONVK_SIMD and so on as for convk.h, and where several units include this CONVK_DECLARE, with
// CONVK_IMPLEMENT in one: C++ wants the same functions in all.
#ifndef CONVK_HPP
#define CONVK_HPP
#include "convk.h"
#include <array>
#include <complex>
#include <cstdio>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cvk {
// ---- the C functions by type: api::exp(type<double>()) is convk_exp_f64 ----
template <class T> struct type {};
#define CVK_TYPE_reals_ type<CONVK_EITHER_(float, double)>
#define CVK_TYPE_complexes_ type<std::complex<CONVK_EITHER_(float, double)>>
#define CVK_FUNCTION_(numbers, name) \
  static constexpr auto name(CVK_TYPE_##numbers##_) { return &CONVK_NAME_OF_##numbers##_(name); }
#define CVK_REALS_(name) CVK_FUNCTION_(reals, name)
#define CVK_BOTH_(name) CVK_FUNCTION_(reals, name) CVK_FUNCTION_(complexes, name)
#define CVK_OPERATION_(room, numbers, member, name, parameters, arguments) CVK_FUNCTION_(numbers, name)
// What the operations of a room are called with: other functions, and queries of sizes, of real numbers and of both kinds.
#define CVK_FILTERS_SIZES_(size) \
  size(sepconv3d_work_size) size(magicfilter3d_work_size) size(potential_apply_work_size) size(conv1d_transpose_work_size)
#define CVK_WAVELETS_SIZES_(size) size(dwt3d_work_size) size(idwt3d_work_size) size(s1_to_r_work_size) size(r_to_s1_work_size)
#define CVK_SUMS_SIZES_(size) size(sumconv3d_work_size) size(chebyshev3d_work_size)
#define CVK_HAMILTONIAN_SIZES_(size) size(hamiltonian_apply_work_size)
#define CVK_STENCIL_SIZES_(size) size(stencil7_work_size)
#define CVK_GAUSSIAN_SIZES_(size) size(orbitals_work_size) size(orbitals_plan_size)
#define CVK_GRIDS_SIZES_(size) size(orbitals_grid_work_size) size(gridpot_grid_work_size) size(orbitals_grid_k_work_size)
#define CVK_FORMFACTOR_SIZES_(size) size(formfactor_grid_work_size) size(formfactor_assembly_work_size)
#define CVK_DISTANCES_SIZES_(size) size(pair_histogram_work_size) size(debye_direct_work_size)
#define CVK_AMPLITUDES_SIZES_(size) size(amplitudes_work_size) size(amplitudes_grid_work_size)
#define CVK_FFT_SIZES_(size) size(fftconv2d_plan_size) size(fftconv2d_work_size)
#define CVK_FFT2D_SIZES_(size) size(fft2d_plan_size) size(fft2d_work_size)
#define CVK_PAIRS_SIZES_(size) size(pair_energy_work_size) size(vmc_work_size) size(vmc_state_size)
#define CVK_COMPLEXES_(name) CVK_FUNCTION_(complexes, name)
#define CVK_FUNCTIONS_ \
  CONVK_COMPILED_OPERATIONS_(CVK_OPERATION_) \
  CONVK_IF_(CONVK_HAS_FILTERS_, CVK_FILTERS_SIZES_(CVK_REALS_)) \
  CONVK_IF_(CONVK_HAS_WAVELETS_, CVK_WAVELETS_SIZES_(CVK_REALS_)) \
  CONVK_IF_(CONVK_HAS_SUMS_, CVK_SUMS_SIZES_(CVK_BOTH_)) \
  CONVK_IF_(CONVK_HAS_HAMILTONIAN_, CVK_HAMILTONIAN_SIZES_(CVK_BOTH_)) \
  CONVK_IF_(CONVK_HAS_STENCIL_, CVK_STENCIL_SIZES_(CVK_REALS_)) \
  CONVK_IF_(CONVK_HAS_GAUSSIAN_, CVK_GAUSSIAN_SIZES_(CVK_REALS_) CVK_REALS_(orbitals_prepare)) \
  CONVK_IF_(CONVK_HAS_GRIDS_, CVK_GRIDS_SIZES_(CVK_REALS_)) \
  CONVK_IF_(CONVK_HAS_FORMFACTOR_, CVK_FORMFACTOR_SIZES_(CVK_REALS_) CVK_REALS_(formfactor_assembly) \
                                       CVK_REALS_(formfactor_powder) CVK_REALS_(formfactor_dwba)) \
  CONVK_IF_(CONVK_HAS_DISTANCES_, CVK_DISTANCES_SIZES_(CVK_REALS_)) \
  CONVK_IF_(CONVK_HAS_AMPLITUDES_, CVK_AMPLITUDES_SIZES_(CVK_REALS_)) \
  CONVK_IF_(CONVK_HAS_FFT_, \
            CVK_FFT_SIZES_(CVK_BOTH_) CVK_BOTH_(fftconv2d_prepare) CVK_BOTH_(fftconv2d_plan_bytes) \
                CVK_FFT2D_SIZES_(CVK_COMPLEXES_) CVK_COMPLEXES_(fft2d_prepare) CVK_COMPLEXES_(fft2d_plan_bytes)) \
  CONVK_IF_(CONVK_HAS_PAIRS_, CVK_PAIRS_SIZES_(CVK_REALS_) CVK_REALS_(vmc_begin) CVK_REALS_(vmc_results))
struct api {
#if CONVK_HAS_F32_
#define CONVK_TYPE_ f32
  CVK_FUNCTIONS_
#undef CONVK_TYPE_
#endif
#if CONVK_HAS_F64_
#define CONVK_TYPE_ f64
  CVK_FUNCTIONS_
#undef CONVK_TYPE_
#endif
};
// ---- errors ----
struct [[nodiscard]] status { // true where a call failed
  int code;
  char more[sizeof(convk::message)]; // what the handle says, which argument or name is wrong; may be empty
  status(int code = CONVK_OK, const char *message = "") : code(code) {
    more[0] = 0;
    if (code) std::snprintf(more, sizeof more, "%s", message);
  }
  explicit operator bool() const { return code != CONVK_OK; }
  const char *text() const { return convk_strerror(code); }
};
template <class V> struct [[nodiscard]] expected : std::optional<V> { // a value, or why there is none
  status bad;
  expected(V &&value) : std::optional<V>(std::move(value)) {}
  expected(status error) : bad(error) {}
  status error() const { return bad; }
};
struct returns { // what a handle does with a status
  using none = status;
  template <class V> using result = expected<V>;
  static status done(int code, const char *more) { return {code, more}; }
  template <class V> static result<V> done(int code, const char *more, V &&v) {
    return code ? result<V>(status(code, more)) : result<V>(std::move(v));
  }
};
#ifdef __cpp_exceptions
struct error : std::runtime_error {
  int code;
  error(int status, const std::string &more)
      : runtime_error(convk_strerror(status) + (more.empty() ? more : ": " + more)), code(status) {}
};
struct throws {
  using none = void;
  template <class V> using result = V;
  static void done(int code, const char *more) {
    if (code) throw error(code, more);
  }
  template <class V> static V done(int code, const char *more, V &&v) { return done(code, more), std::move(v); }
};
#endif
// ---- arrays ----
inline constexpr std::array<int, 3> periodic = {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC};
template <class T> struct span { // where there is no std::span
  T *pointer;
  std::size_t count;
  span(T *data, std::size_t size) : pointer(data), count(size) {}
  T *data() const { return pointer; }
  std::size_t size() const { return count; }
};

namespace detail {
template <class X, class = void> struct element { using type = void; };
template <class X> struct element<X, std::void_t<decltype(std::data(std::declval<X &>()), std::size(std::declval<X &>()))>> {
  using type = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<X &>()))>>;
};
template <class X> using element_t = typename element<X>::type; // void: no array
template <class T> struct real { using type = T; };
template <class T> struct real<std::complex<T>> { using type = T; };
template <class T> using real_t = typename real<T>::type;
template <class P> using pointee = std::remove_cv_t<std::remove_pointer_t<P>>;
template <class... A> struct first { using type = void; }; // the type of the first array of numbers
template <class X, class... A> struct first<X, A...> {
  using type = std::conditional_t<std::is_floating_point_v<real_t<element_t<X>>>, element_t<X>, typename first<A...>::type>;
};
// An argument of convk.h, from one of ours.
template <class P, class X> P pass(X &x) {
  using E = element_t<X>;
  if constexpr (!std::is_pointer_v<P>) return static_cast<P>(x);
  else if constexpr (std::is_convertible_v<X &, P> && std::is_void_v<E>) return x;
  else if constexpr (std::is_void_v<E>) return &x;
  else if constexpr (std::is_same_v<E, real_t<E>> && !(std::is_same_v<E, unsigned char> && !std::is_void_v<pointee<P>>))
    return std::data(x);
  else
    return reinterpret_cast<P>(std::data(x)); // a complex number is an array of two, as the standard has it; bytes are what
                                              // a plan or a state lies in
}
template <class X> std::size_t length(const X &x) { // in numbers
  using E = element_t<const X>;
  if constexpr (std::is_void_v<E>) return SIZE_MAX;
  else return std::size(x) * (std::is_same_v<E, real_t<E>> ? 1 : 2);
}
// How many numbers each array of an operation needs, in their order: a function of its arguments.
using sizes = std::array<std::size_t, 7>; // the most that an operation has
inline std::size_t times(std::size_t a, std::size_t b) { return b && a > SIZE_MAX / b ? SIZE_MAX : a * b; }
inline std::size_t rows(std::size_t count, std::size_t pitch, std::size_t n) { // pitch 0: packed
  const std::size_t before = times(count ? count - 1 : 0, pitch ? pitch : n);
  return !count || !n ? 0 : before > SIZE_MAX - n ? SIZE_MAX : before + n;
}
inline std::size_t block(std::size_t count, std::size_t stride, std::size_t n, std::size_t pitch, std::size_t m) {
  return rows(count, stride ? stride : times(pitch ? pitch : m, n), rows(n, pitch, m));
}
template <class S> auto of(const S *points) -> decltype(points->n) { return points ? points->n : 0; }
inline std::size_t of(const convk_pair_walkers *w) { return w ? w->walkers : 0; }
inline std::size_t of(const convk_grid3 *g) { return g ? block(g->nz, g->pitch_z, g->ny, g->pitch_y, g->nx) : 0; }
inline std::size_t of(const convk_stencil7_shape *s) { return s ? of(&s->grid) : 0; }
template <class S> std::size_t of(const S *s, const convk_pair_walkers *w) {
  return s && w ? block(w->walkers, w->stride, 3, w->pitch, s->particles) : 0;
}
// The distance of grids of this box in memory.
inline std::size_t apart(const convk_gaussian_box *b, std::size_t ld) {
  if (ld || !b) return ld;
  const convk_grid3 &g = b->grid;
  return times(g.nz, g.pitch_z ? g.pitch_z : times(g.ny, g.pitch_y ? g.pitch_y : g.nx));
}
template <class S> std::size_t orbitals(const S *set) { // of a plan nobody knows
  std::size_t count = 0;
  if (!set || set->plan || set->coefficients || set->norbitals) return set && !set->plan ? set->norbitals : 0;
  return convk_shells_functions(nullptr, set->nshells, set->shells, &count) ? 0 : count;
}
#define CVK_NEEDS_(name, arguments, ...) inline constexpr auto need_##name = [] arguments { return sizes{__VA_ARGS__}; };
// Points of an axis behind a filter from lo to up; none where nothing is left.
inline std::size_t filtered(std::size_t n, int boundary, std::size_t more) {
  return boundary == CONVK_BOUNDARY_GROW ? n + more : boundary != CONVK_BOUNDARY_SHRINK ? n : n > more ? n - more : 0;
}
template <class F> std::size_t reach(const F &f) { return f.up > f.lo ? std::size_t(f.up) - std::size_t(f.lo) : 0; }
// Numbers of the output of three filters that reach so far.
inline std::size_t filtered(const convk_sepconv3d_shape *s, std::size_t x, std::size_t y, std::size_t z) {
  if (!s) return 0;
  convk_grid3 out = s->out;
  if (!out.nx && !out.ny && !out.nz) {
    out.nx = filtered(s->in.nx, s->boundary[0], x);
    out.ny = filtered(s->in.ny, s->boundary[1], y);
    out.nz = filtered(s->in.nz, s->boundary[2], z);
  }
  return of(&out);
}
inline std::size_t of(const convk_sepconv3d_shape *s) { return s ? of(&s->in) : 0; }
CVK_NEEDS_(sepconv3d, (auto s, auto f, auto...), of(s), f ? filtered(s, reach(f[0]), reach(f[1]), reach(f[2])) : 0)
CVK_NEEDS_(magicfilter3d, (auto s, auto...), of(s), filtered(s, 15, 15, 15))
CVK_NEEDS_(potential_apply, (auto s, auto...), filtered(s, 15, 15, 15), of(s), of(s))
CVK_NEEDS_(conv1d_transpose, (auto s, auto f, auto...), s ? rows(s->ndat, s->ld_in, s->n) : 0,
           s &&f ? rows(filtered(s->n, s->boundary, reach(*f)), s->ld_out, s->ndat) : 0)
// Numbers of one grid of a wavelet transform by filters of so many taps; fine: of the fine one.
inline std::size_t halved(const convk_dwt3d_shape *s, std::size_t taps, bool fine) {
  if (!s) return 0;
  convk_grid3 grid = fine ? s->fine : s->coarse;
  if (grid.nx || grid.ny || grid.nz) return of(&grid);
  const convk_grid3 &other = fine ? s->coarse : s->fine;
  const std::size_t n[3] = {other.nx, other.ny, other.nz};
  std::size_t *const to[3] = {&grid.nx, &grid.ny, &grid.nz};
  for (int d = 0; d < 3; d++) {
    const bool open = s->boundary[d] == CONVK_BOUNDARY_GROW || s->boundary[d] == CONVK_BOUNDARY_SHRINK;
    const std::size_t more = open && taps > 2 ? taps - 2 : 0;
    *to[d] = fine ? n[d] + more : n[d] > more ? n[d] - more : 0;
  }
  return of(&grid);
}
CVK_NEEDS_(dwt3d, (auto s, auto w, auto...), w ? halved(s, reach(*w) + 1, true) : 0, w ? halved(s, reach(*w) + 1, false) : 0)
CVK_NEEDS_(idwt3d, (auto s, auto w, auto...), w ? halved(s, reach(*w) + 1, false) : 0, w ? halved(s, reach(*w) + 1, true) : 0)
CVK_NEEDS_(s1_to_r, (auto s, auto...), halved(s, 31, false), halved(s, 31, true))
CVK_NEEDS_(r_to_s1, (auto s, auto...), halved(s, 31, true), halved(s, 31, false))

// Numbers of the input and of the output of a sum of filters, of so many numbers for each element, and its sums.
template <class S, class F> sizes summed(const S *s, const F *terms, std::size_t numbers) {
  if (!s || !terms) return sizes{};
  const auto along = [&](int d) { return terms->filter[d].taps ? reach(terms->filter[d]) : std::size_t(0); };
  const auto grids = [&](convk_grid3 g, std::size_t stride) {
    const std::size_t plane = g.pitch_z ? g.pitch_z : times(g.ny, g.pitch_y ? g.pitch_y : g.nx);
    return times(numbers, rows(s->vectors ? s->vectors : 1, stride ? stride : times(g.nz, plane), of(&g)));
  };
  convk_grid3 out = s->out;
  if (!out.nx && !out.ny && !out.nz) {
    out.nx = filtered(s->in.nx, s->boundary[0], along(0));
    out.ny = filtered(s->in.ny, s->boundary[1], along(1));
    out.nz = filtered(s->in.nz, s->boundary[2], along(2));
  }
  return sizes{grids(s->in, s->in_stride), grids(out, s->out_stride), s->vectors ? s->vectors : 1};
}
// Numbers of so many grids, `stride` from one to the next.
inline std::size_t many(std::size_t count, std::size_t stride, const convk_grid3 &g) {
  const std::size_t plane = g.pitch_z ? g.pitch_z : times(g.ny, g.pitch_y ? g.pitch_y : g.nx);
  return rows(count ? count : 1, stride ? stride : times(g.nz, plane), of(&g));
}
// Numbers of orbitals in wavelets, so many for each element, in and out, and of their energies.
inline sizes orbitals(const convk_hamiltonian_shape *s, std::size_t numbers) {
  if (!s) return sizes{};
  convk_grid3 grid = s->wavelets;
  std::size_t *const to[3] = {&grid.nx, &grid.ny, &grid.nz};
  const std::size_t n[3] = {s->values.nx, s->values.ny, s->values.nz};
  for (int d = 0; d < 3 && !s->wavelets.nx && !s->wavelets.ny && !s->wavelets.nz; d++) {
    const bool open = s->boundary[d] == CONVK_BOUNDARY_GROW || s->boundary[d] == CONVK_BOUNDARY_SHRINK;
    *to[d] = !open ? n[d] : n[d] > 29 ? n[d] - 29 : 0;
  }
  return sizes{times(numbers, many(s->vectors, s->in_stride, grid)), times(numbers, many(s->vectors, s->out_stride, grid)),
               s->vectors ? s->vectors : 1};
}
// Numbers of orbitals as segments.
inline std::size_t points(const convk_segments &s) {
  std::size_t at = 0;
  if (s.points || !s.ends) return s.points;
  for (std::size_t k = 0; k < s.count; k++) {
    if (s.place) at = s.place[k];
    at += s.ends[2 * k + 1] - s.ends[2 * k] + 1;
  }
  return at;
}
inline std::size_t packed(const convk_compressed_shape *s) {
  if (!s) return 0;
  const std::size_t one = points(s->coarse) + times(7, points(s->fine));
  return one ? rows(s->vectors ? s->vectors : 1, s->compressed_stride, one) : 0;
}
CVK_NEEDS_(wavelet_uncompress, (auto s, auto...), packed(s), s ? many(s->vectors, s->dense_stride, s->dense) : 0)
CVK_NEEDS_(wavelet_compress, (auto s, auto...), s ? many(s->vectors, s->dense_stride, s->dense) : 0, packed(s))
CVK_NEEDS_(stencil7, (auto shape, auto...), of(shape), of(shape))
CVK_NEEDS_(stencil7_box, (auto shape, auto...), of(shape), of(shape))
CVK_NEEDS_(exp, (auto n, auto...), n, n)
inline constexpr auto need_expm1 = need_exp, need_log = need_exp;
CVK_NEEDS_(sincos, (auto n, auto...), n, n, n)
CVK_NEEDS_(gridpot, (auto p, auto g, auto o, auto, auto ld, auto...),
           !g               ? 0
           : o && o->layout ? rows(of(p), ld, g->n)
                            : rows(g->n, ld, of(p)))
CVK_NEEDS_(gridpot_sum, (auto p, auto g, auto, auto, auto ld, auto...), g ? rows(g->nsums, ld, of(p)) : 0)
CVK_NEEDS_(orbitals, (auto p, auto set, auto, auto, auto ld, auto...), rows(orbitals(set), ld, of(p)))
CVK_NEEDS_(orbitals_vgl, (auto...), 0)
CVK_NEEDS_(density, (auto p, auto...), of(p))
CVK_NEEDS_(orbitals_grid, (auto b, auto set, auto, auto, auto ld, auto...),
           rows(orbitals(set), apart(b, ld), b ? of(&b->grid) : 0))
CVK_NEEDS_(orbitals_grid_vgl, (auto...), 0)
CVK_NEEDS_(density_grid, (auto...), 0)
CVK_NEEDS_(gridpot_grid, (auto b, auto g, auto, auto, auto ld, auto...), b &&g ? rows(g->nsums, apart(b, ld), of(&b->grid)) : 0)
CVK_NEEDS_(orbitals_grid_k, (auto b, auto set, auto, auto, auto, auto ld, auto...),
           times(2, rows(orbitals(set), apart(b, ld), b ? of(&b->grid) : 0)))
CVK_NEEDS_(density_grid_k, (auto b, auto...), b ? of(&b->grid) : 0)
CVK_NEEDS_(formfactor, (auto, auto q, auto...), times(2, of(q)))
CVK_NEEDS_(formfactor_grid, (auto, auto g, auto...), times(2, of(g)))
CVK_NEEDS_(formfactor_assembly, (auto, auto q, auto...), times(2, of(q)), of(q))
CVK_NEEDS_(formfactor_powder, (auto, auto n, auto...), n, n)
CVK_NEEDS_(formfactor_dwba, (auto, auto w, auto...), times(2, of(w)))
CVK_NEEDS_(pair_potential, (auto, auto n, auto...), n, n)
CVK_NEEDS_(pair_energy, (auto s, auto w, auto...), of(s, w), of(w), of(s, w))
CVK_NEEDS_(pair_move, (auto s, auto w, auto...), of(s, w), times(3, of(w)), of(w))
CVK_NEEDS_(pair_accept, (auto s, auto w, auto...), times(3, of(w)), of(w), of(s, w), of(s, w))

// Arrays among the parameters of a C function: of numbers, and of structs that come one for each of something.
template <class P, class... S> constexpr bool points_to = std::is_pointer_v<P> && (std::is_same_v<pointee<P>, S> || ...);
template <class P, class T>
constexpr bool is_array = points_to<P, T, convk_shell, convk_pair_result, convk_pair_move_result, convk_sumconv_sums,
                                    convk_hamiltonian_energies, unsigned char>;

template <class... P, std::size_t... I, class... A> std::tuple<P...> padded(std::index_sequence<I...>, A &...given) {
  std::tuple<P...> all{};
  ((std::get<I>(all) = pass<std::tuple_element_t<I, std::tuple<P...>>>(given)), ...);
  return all;
}
template <class T, class N, class... P, class... A>
int call(int (*function)(convk *, P...), const N &need, convk *hw, A &...given) {
  static_assert(sizeof...(A) <= sizeof...(P), "more arguments than the operation has");
  const std::tuple<P...> passed = padded<P...>(std::index_sequence_for<A...>{}, given...); // what is left out is 0
  const sizes needed = std::apply(need, passed);
  const std::size_t have[] = {length(given)...};
  constexpr bool array[] = {is_array<P, T>...};
  for (std::size_t i = 0, k = 0; i < sizeof...(A); i++)
    if (array[i] && k < needed.size() && have[i] < needed[k++]) {
      std::snprintf(hw->message, sizeof hw->message, "argument %zu is an array of %zu numbers, and %zu are needed", i + 1,
                    have[i], needed[k - 1]);
      return CONVK_ERR_SIZE;
    }
  return std::apply([&](auto... arguments) { return function(hw, arguments...); }, passed);
}
// What a query of a size gives, by the last argument of the C function.
template <class... P, class... A> int ask(int (*function)(convk *, P...), convk *hw, std::size_t &size, A &&...given) {
  static_assert(sizeof...(A) < sizeof...(P), "more arguments than the query has");
  std::tuple<P...> passed = padded<P...>(std::index_sequence_for<A...>{}, given...);
  std::get<sizeof...(P) - 1>(passed) = &size;
  return std::apply([&](auto... arguments) { return function(hw, arguments...); }, passed);
}
// Where the plan or state of a C function lies, the last argument but its size.
template <class... P, class M> auto lies_in(int (*)(convk *, P...), const M &m) {
  return reinterpret_cast<std::tuple_element_t<sizeof...(P) - 2, std::tuple<P...>>>(m.data());
}
// The type of numbers of a call: that of the first array, or of the structs that only a function of this type takes.
template <class X>
using named =
    std::conditional_t<std::is_void_v<element_t<X>>, pointee<std::remove_cv_t<std::remove_reference_t<X>>>, element_t<X>>;
template <class P, class X>
constexpr bool suits = !std::is_class_v<pointee<P>> || std::is_null_pointer_v<named<X>> || std::is_same_v<named<X>, pointee<P>>;
template <class... A, class... P, std::size_t... I> constexpr bool all_suit(int (*)(convk *, P...), std::index_sequence<I...>) {
  return sizeof...(A) <= sizeof...(P) && (suits<std::tuple_element_t<I, std::tuple<P..., A...>>, A> && ...);
}
template <class F, class T, class... A> constexpr bool takes() { // F gives the function of a type
  if constexpr (std::is_invocable_v<F, type<T>>)
    return all_suit<A...>(std::invoke_result_t<F, type<T>>{}, std::index_sequence_for<A...>{});
  else return false;
}
template <class F, class... A> auto numbers_of() {
  using T = real_t<typename first<A...>::type>;
  if constexpr (!std::is_void_v<T>) return type<T>();
  else if constexpr (takes<F, double, A...>() && !takes<F, float, A...>()) return type<double>();
  else if constexpr (takes<F, float, A...>() && !takes<F, double, A...>()) return type<float>();
}
} // namespace detail
// ---- what lives longer than a call ----
struct memory { // empty where there was none
  std::unique_ptr<unsigned char[]> bytes;
  std::size_t count;
  explicit memory(std::size_t n) : bytes(n < SIZE_MAX ? new (std::nothrow) unsigned char[n] : nullptr), count(bytes ? n : 0) {}
  unsigned char *data() const { return bytes.get(); }
  std::size_t size() const { return count; }
};
template <class T> struct plan : memory { // of fftconv2d or fft2d, for arrays of T; rows and columns of a field and of a result
  std::size_t n, m, out_n, out_m;
  detail::sizes needs(const convk_batch2d &b) const {
    constexpr std::size_t numbers = sizeof(T) / sizeof(detail::real_t<T>);
    return {detail::times(numbers, detail::block(b.items, b.in_stride, n, b.in_pitch, m)),
            detail::times(numbers, detail::block(b.items, b.out_stride, out_n, b.out_pitch, out_m))};
  }
};
template <class T> struct orbitals_plan : memory { // for the plan of a convk_orbital_set
  using memory::memory;
  template <class P> operator const P *() const { return reinterpret_cast<const P *>(data()); }
};
template <class T> struct vmc_state : memory { // its bytes are a checkpoint
  using memory::memory;
  using c_type = std::conditional_t<std::is_same_v<T, float>, convk_vmc_state_f32, convk_vmc_state_f64>;
  c_type *c() const { return reinterpret_cast<c_type *>(data()); } // for C functions
};
// ---- handles ----
#define CVK_METHOD_(name) \
  template <class... A> none name(A &&...arguments) const { \
    const auto function = [](auto of) -> decltype(api::name(of)) { return api::name(of); }; \
    using T = decltype(detail::numbers_of<decltype(function), std::remove_reference_t<A>...>()); \
    static_assert(!std::is_void_v<T>, "one array or struct at least must tell the type of numbers"); \
    return typed(T(), function, detail::need_##name, arguments...); \
  }
// A query of a size, in bytes: of real types and of complex ones it is one method.
#define CVK_SIZE_METHOD_(name) \
  template <class T, class... A> result<std::size_t> name(A &&...arguments) const { \
    std::size_t size = 0; \
    const int code = detail::ask(api::name(type<T>()), &hw_, size, arguments...); \
    return done(code, std::move(size)); \
  }
#define CVK_METHOD_OPERATION_(room, numbers, member, name, parameters, arguments) CVK_METHOD_(name)
#define CVK_PLAN_METHOD_(name, arguments) \
  template <class T, class... A> none name(const plan<T> &p, A &&...more) const { \
    static_assert(std::is_same_v<typename detail::first<std::remove_reference_t<A>...>::type, T>, "a plan of another type"); \
    const auto needs = [&p] arguments { return p.needs(*b); }; \
    return done(detail::call<detail::real_t<T>>(api::name(type<T>()), needs, &hw_, p, more...)); \
  }
template <class Policy> class basic_handle {
  mutable convk hw_ = {}; // whose message is no part of its value
  using none = typename Policy::none;
  template <class V> using result = typename Policy::template result<V>;
  none done(int code) const { return Policy::done(code, code ? hw_.message : ""); }
  template <class V> result<V> done(int code, V &&v) const { return Policy::done(code, code ? hw_.message : "", std::move(v)); }
  convk *fresh() const { return hw_.message[0] = 0, &hw_; } // for what does not forget the last message by itself
  basic_handle(const char *spec, int &code) { code = convk_open(&hw_, spec); }
  template <class T, class F, class N, class... A> none typed(type<T> t, F function, const N &need, A &...arguments) const {
    return done(detail::call<T>(function(t), need, &hw_, arguments...));
  }

public:
  static result<basic_handle> open(const char *spec = nullptr) {
    int code;
    basic_handle hw(spec, code);
    return Policy::done(code, hw.hw_.message, std::move(hw));
  }
  template <class P = Policy, class = std::enable_if_t<std::is_void_v<typename P::none>>> // only where there are exceptions
  explicit basic_handle(const char *spec = nullptr) {
    done(convk_open(&hw_, spec));
  }
  basic_handle(basic_handle &&other) noexcept : hw_(std::exchange(other.hw_, convk{})) {}
  basic_handle &operator=(basic_handle &&other) noexcept { return std::swap(hw_, other.hw_), *this; }
  ~basic_handle() { convk_close(&hw_); }
  convk *get() { return &hw_; } // to set threads and tuning, or for a C function
  convk *get() const { return &hw_; }
#if CONVK_HAS_FILTERS_
  CONVK_FILTERS_OPERATIONS_(CVK_METHOD_OPERATION_)
  CVK_FILTERS_SIZES_(CVK_SIZE_METHOD_)
#endif
#if CONVK_HAS_WAVELETS_
  CONVK_WAVELETS_OPERATIONS_(CVK_METHOD_OPERATION_)
  CVK_WAVELETS_SIZES_(CVK_SIZE_METHOD_)
#endif
#if CONVK_HAS_SUMS_
  template <class... A> none sumconv3d(A &&...arguments) const { // real or complex, as its arrays are
    using T = typename detail::first<std::remove_reference_t<A>...>::type;
    static_assert(!std::is_void_v<T>, "one array at least must tell the type of numbers");
    const auto needs = [](auto s, auto terms, auto...) {
      return detail::summed(s, terms, sizeof(T) / sizeof(detail::real_t<T>));
    };
    return done(detail::call<detail::real_t<T>>(api::sumconv3d(type<T>()), needs, &hw_, arguments...));
  }
  template <class... A> none chebyshev3d(A &&...arguments) const { // likewise
    using T = typename detail::first<std::remove_reference_t<A>...>::type;
    static_assert(!std::is_void_v<T>, "one array at least must tell the type of numbers");
    const auto needs = [](auto s, auto terms, auto...) {
      return detail::summed(s, terms, sizeof(T) / sizeof(detail::real_t<T>));
    };
    return done(detail::call<detail::real_t<T>>(api::chebyshev3d(type<T>()), needs, &hw_, arguments...));
  }
  CVK_SUMS_SIZES_(CVK_SIZE_METHOD_)
#endif
#if CONVK_HAS_HAMILTONIAN_
  template <class... A> none hamiltonian_apply(A &&...arguments) const { // real or complex, as its arrays are
    using T = typename detail::first<std::remove_reference_t<A>...>::type;
    static_assert(!std::is_void_v<T>, "one array at least must tell the type of numbers");
    const auto needs = [](auto s, auto...) { return detail::orbitals(s, sizeof(T) / sizeof(detail::real_t<T>)); };
    return done(detail::call<detail::real_t<T>>(api::hamiltonian_apply(type<T>()), needs, &hw_, arguments...));
  }
  CVK_HAMILTONIAN_SIZES_(CVK_SIZE_METHOD_)
#endif
#if CONVK_HAS_STENCIL_
  CONVK_STENCIL_OPERATIONS_(CVK_METHOD_OPERATION_)
  CVK_STENCIL_SIZES_(CVK_SIZE_METHOD_)
#endif
#if CONVK_HAS_VMATH_
  CONVK_VMATH_OPERATIONS_(CVK_METHOD_OPERATION_)
#endif
#if CONVK_HAS_GAUSSIAN_
  CONVK_GAUSSIAN_OPERATIONS_(CVK_METHOD_OPERATION_)
  CVK_GAUSSIAN_SIZES_(CVK_SIZE_METHOD_)
  template <class S, class T = detail::pointee<decltype(S::coefficients)>>
  result<orbitals_plan<T>> orbitals_prepare(const S &set) const {
    std::size_t size = 0;
    int code = api::orbitals_plan_size(type<T>())(&hw_, &set, &size);
    orbitals_plan<T> p(code ? 0 : size);
    using P = std::remove_const_t<std::remove_pointer_t<decltype(set.plan)>>;
    if (!code) code = api::orbitals_prepare(type<T>())(&hw_, &set, reinterpret_cast<P *>(p.data()), p.size());
    return done(code, std::move(p));
  }
#endif
#if CONVK_HAS_GRIDS_
  CONVK_GRIDS_OPERATIONS_(CVK_METHOD_OPERATION_)
  CVK_GRIDS_SIZES_(CVK_SIZE_METHOD_)
#endif
#if CONVK_HAS_FORMFACTOR_
  CONVK_FORMFACTOR_OPERATIONS_(CVK_METHOD_OPERATION_)
  CVK_METHOD_(formfactor_assembly)
  CVK_METHOD_(formfactor_powder)
  CVK_METHOD_(formfactor_dwba)
  CVK_FORMFACTOR_SIZES_(CVK_SIZE_METHOD_)
#endif
#if CONVK_HAS_DISTANCES_ // whose arrays are plain pointers: their lengths are the caller's
  template <class S, class T = detail::pointee<decltype(S::x)>>
  none pair_histogram(const S &atoms, const convk_cell *cell, const convk_part *part, const convk_distances &distances,
                      void *work = nullptr, std::size_t work_size = 0) const {
    return done(api::pair_histogram(type<T>())(&hw_, &atoms, cell, part, &distances, work, work_size));
  }
  template <class S, class T = detail::pointee<decltype(S::x)>>
  none debye_direct(const S &atoms, std::size_t nkinds, const convk_scatterer *kinds, std::size_t nq, const T *q, T *intensity,
                    void *work = nullptr, std::size_t work_size = 0) const {
    return done(api::debye_direct(type<T>())(&hw_, &atoms, nkinds, kinds, nq, q, intensity, work, work_size));
  }
  template <class T>
  none debye(const convk_distances &distances, const convk_scatterer *kinds, const double *self, std::size_t nq, const T *q,
             T *intensity, T *bound = nullptr) const {
    return done(api::debye(type<T>())(&hw_, &distances, kinds, self, nq, q, intensity, bound));
  }
  CVK_DISTANCES_SIZES_(CVK_SIZE_METHOD_)
#endif
#if CONVK_HAS_AMPLITUDES_ // the same; f has as many numbers as the options say
  template <class S, class Q, class T = detail::pointee<decltype(S::x)>>
  none amplitudes(const S &atoms, const Q &q, const convk_amplitude_options *options, T *f, void *work = nullptr,
                  std::size_t work_size = 0) const {
    return done(api::amplitudes(type<T>())(&hw_, &atoms, &q, options, f, work, work_size));
  }
  template <class S, class Q, class T = detail::pointee<decltype(S::x)>>
  none amplitudes_grid(const S &atoms, const convk_grid3 &grid, const Q &q, const convk_amplitude_options *options, T *f,
                       void *work = nullptr, std::size_t work_size = 0) const {
    return done(api::amplitudes_grid(type<T>())(&hw_, &atoms, &grid, &q, options, f, work, work_size));
  }
  CVK_AMPLITUDES_SIZES_(CVK_SIZE_METHOD_)
#endif
#if CONVK_HAS_PAIRS_
  CVK_METHOD_(pair_potential)
  CVK_METHOD_(pair_energy)
  CVK_METHOD_(pair_move)
  CVK_METHOD_(pair_accept)
  CVK_PAIRS_SIZES_(CVK_SIZE_METHOD_)
  template <class T, class X> result<vmc_state<T>> vmc_begin(const convk_vmc &vmc, const X &r) const { // r: may be nullptr
    std::size_t bytes = 0;
    int code = api::vmc_state_size(type<T>())(&hw_, &vmc, &bytes);
    vmc_state<T> s(bytes);
    const std::size_t walkers = vmc.part.walkers ? vmc.part.walkers : vmc.walkers;
    const bool fits = detail::length(r) >= detail::block(walkers, 0, vmc.system.particles, 0, 3);
    if (!code && !fits) code = CONVK_ERR_SIZE;
    if (!code) code = api::vmc_begin(type<T>())(&hw_, &vmc, detail::pass<const T *>(r), s.c(), s.size());
    return done(code, std::move(s));
  }
  template <class T> result<convk_vmc_result> vmc_results(const vmc_state<T> &s) const {
    convk_vmc_result found = {};
    const int code = api::vmc_results(type<T>())(&hw_, s.c(), s.size(), &found);
    return done(code, std::move(found));
  }
  template <class T> none vmc_run(const convk_vmc &vmc, std::size_t sweeps, vmc_state<T> &s) const {
    return done(api::vmc_run(type<T>())(&hw_, &vmc, sweeps, s.c(), s.size(), nullptr, 0));
  }
#endif
#if CONVK_HAS_FFT_
  CVK_PLAN_METHOD_(fftconv2d, (auto, auto b, auto...))
  CVK_PLAN_METHOD_(fft2d, (auto, auto, auto b, auto...))
  CVK_FFT_SIZES_(CVK_SIZE_METHOD_)
  CVK_FFT2D_SIZES_(CVK_SIZE_METHOD_)
  template <class X, class T = detail::element_t<const X>> // kernels: packed, one after the other
  result<plan<T>> fftconv2d_prepare(const convk_fftconv2d_shape &shape, std::size_t count, const X &kernels) const {
    convk_fftconv2d_shape s = shape;
    std::size_t bytes = 0;
    int code = convk_fftconv2d_resolve(&hw_, &shape, &s);
    if (!code) code = api::fftconv2d_plan_size(type<T>())(&hw_, &shape, count, &bytes);
    plan<T> p{memory(bytes), s.rows, s.columns, s.out_rows, s.out_columns};
    if (!code && std::size(kernels) < detail::block(count, 0, s.kernel_rows, 0, s.kernel_columns)) code = CONVK_ERR_SIZE;
    const auto numbers = detail::pass<const detail::real_t<T> *>(kernels);
    const auto prepare = api::fftconv2d_prepare(type<T>());
    if (!code) code = prepare(&hw_, &shape, count, numbers, 0, 0, detail::lies_in(prepare, p), p.size());
    return done(code, std::move(p));
  }
  template <class T> result<plan<T>> fft2d_prepare(std::size_t rows, std::size_t columns) const {
    std::size_t bytes = 0;
    int code = api::fft2d_plan_size(type<T>())(&hw_, rows, columns, &bytes);
    plan<T> p{memory(bytes), rows, columns, rows, columns};
    const auto prepare = api::fft2d_prepare(type<T>());
    if (!code) code = prepare(&hw_, rows, columns, detail::lies_in(prepare, p), p.size());
    return done(code, std::move(p));
  }
#endif
};
using quiet_handle = basic_handle<returns>;
#ifdef __cpp_exceptions
using handle = basic_handle<throws>;
#endif
} // namespace cvk
#endif
