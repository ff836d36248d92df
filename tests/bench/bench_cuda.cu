/* The benchmark on a CUDA device, on device arrays: lines as those of bench, each beside its ceiling (device_families.h).
     bench_cuda [--quick] [--tune] [--filter TEXT] [--device N] [--json FILE] [--predicted FILE]
   --tune: only every tuning of stencil7, of which the best on a device may become its defaults.
   --predicted: prints rates of a file beside those measured, such as make audit-cuda AUDIT_FLAGS="--json FILE" writes.
     Where that has several devices of an architecture, it takes the one whose name this device has, else the first.
   With -DCONVK_BENCH_CUFFT and -lcufft, convolutions by FFT are beside cuFFT's.
   Builds with nvcc, and with a C++ compiler in the tests' emulator (where rates mean nothing). */
#ifndef __CUDACC__
#include "../cuda_emulator.h"
#endif
#include "../families.h"
#ifndef BENCH_CUDA_PARTS /* without what runs on processors, and without main */
#include "convk_avx.h"
#endif
#include "convk_cuda.h"
#ifdef CONVK_BENCH_CUFFT
#include <cufft.h>
#endif

#define BENCH_HW "cuda"
#include "device.h"

static const char *device_error(void) { return cudaGetErrorString(cudaGetLastError()); }

/* ---- words: see device_families.h ---- */

static const int bench_f64 = 1, bench_builds = 0;
static cudaStream_t stream; /* the default one */
static convk_cuda_stream *on_stream() {
  static thread_local convk_cuda_stream on;
  on.stream = stream;
  return &on;
}

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
  void set(const std::vector<T> &v) const {
    must(!cudaMemcpy(p, &v[0], v.size() * sizeof(T), cudaMemcpyHostToDevice), "copy in");
  }

private:
  on_device(const on_device &);
};

/* Milliseconds of `calls` calls of what `run` starts. */
template <class Run> static double milliseconds(int calls, const Run &run) {
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

template <class T> static void copy(const on_device<T> &to, const on_device<T> &from, size_t n) {
  must(!cudaMemcpyAsync(to.p, from.p, n * sizeof(T), cudaMemcpyDeviceToDevice, 0), "copy");
}
template <class T> static void fill(const on_device<T> &to, size_t n) {
  must(!cudaMemsetAsync(to.p, 1, n * sizeof(T), 0), "fill");
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
    for (int i = 0; i < 16; i++) CONVK_CUDA_UNROLL_
    for (int k = 0; k < 8; k++) v[k] = fma(v[k], a.factor, (T)1);
  }
  T sum = 0;
  CONVK_CUDA_UNROLL_
  for (int k = 0; k < 8; k++) sum += v[k];
  if (sum < 0) a.out[0] = sum; /* never, but the compiler does not know */
}
template <class T> struct peak_of {
  peak_args<T> args;
  unsigned blocks;
  explicit peak_of(const on_device<T> &out) : blocks(opt.quick ? 1u : 132u * 64u) {
    args.out = out.p;
    args.factor = (T)0.5;
    args.steps = opt.quick ? 16 : 4096;
  }
  void operator()() const {
    void *list[1] = {(void *)&args};
    must(!cudaLaunchKernel(CONVK_CUDA_ENTRY_(peak<T>), dim3(blocks), dim3(256), list, 0, stream), "peak");
  }
  double count() const { return 256.0 * 8 * blocks * args.steps; }
};

typedef on_device<char> bytes_there;

#if CONVK_HAS_HAMILTONIAN_
static convk_sepconv3d_shape periodic_shape(const convk_grid3 *g) {
  const convk_sepconv3d_shape shape = {*g, {0, 0, 0, 0, 0}, {0, 0, 0}};
  return shape;
}

/* work NULL: the bytes of it. */
#define SUM_CALL(T, type, real) \
  static int sum_call_##type(const sum_case &c, const T *v, const T *x, T *y, double *sums, void *work, size_t *bytes) { \
    T taps[CONVK_DERIVATIVE_TAPS]; \
    const convk_sumconv3d_shape shape = c.shape(); \
    const convk_hamiltonian_shape orbital = c.orbital(); \
    const convk_chebyshev filter = c.filter(); \
    const convk_sumconv_terms_##real terms = sum_terms(c, taps, v); \
    const convk_hamiltonian_terms_##real h = orbital_terms(c, v); \
    if (c.operation == SUM_HAMILTONIAN) \
      return work ? convk_cuda_hamiltonian_apply_##type(on_stream(), &orbital, &h, x, y, (convk_hamiltonian_energies *)sums, \
                                                        work, *bytes) \
                  : convk_cuda_hamiltonian_apply_work_size_##type(on_stream(), &orbital, bytes); \
    if (c.operation == SUM_FILTER) \
      return work ? convk_cuda_chebyshev3d_##type(on_stream(), &shape, &terms, &filter, x, y, work, *bytes) \
                  : convk_cuda_chebyshev3d_work_size_##type(on_stream(), &shape, &terms, &filter, bytes); \
    return work ? convk_cuda_sumconv3d_##type(on_stream(), &shape, &terms, x, y, (convk_sumconv_sums *)sums, work, *bytes) \
                : convk_cuda_sumconv3d_work_size_##type(on_stream(), &shape, &terms, bytes); \
  }
SUM_CALL(float, f32, f32)
SUM_CALL(float, c32, f32)
SUM_CALL(double, f64, f64)
SUM_CALL(double, c64, f64)
#undef SUM_CALL

#define TYPED(T, type, complex_type) \
  static size_t magicfilter_work(const convk_grid3 *g, T) { \
    const convk_sepconv3d_shape shape = periodic_shape(g); \
    size_t bytes = 0; \
    must(!convk_cuda_magicfilter3d_work_size_##type(on_stream(), &shape, CONVK_FORWARD, NULL, &bytes), "work_size"); \
    return bytes; \
  } \
  static int magicfilter(const convk_grid3 *g, const on_device<T> &x, const on_device<T> &y, const bytes_there &work, \
                         size_t bytes) { \
    const convk_sepconv3d_shape shape = periodic_shape(g); \
    return convk_cuda_magicfilter3d_##type(on_stream(), &shape, CONVK_FORWARD, NULL, x.p, y.p, work.p, bytes); \
  } \
  static size_t dwt_work(const convk_grid3 *g, T) { \
    const convk_wavelet_##type w = convk_wavelet_taps_##type(CONVK_WAVELET_DAUBECHIES16); \
    const convk_dwt3d_shape shape = {*g, {0, 0, 0, 0, 0}, {0, 0, 0}, 1}; \
    size_t bytes = 0; \
    must(!convk_cuda_dwt3d_work_size_##type(on_stream(), &shape, &w, &bytes), "work_size"); /* either way */ \
    return bytes; \
  } \
  static int dwt(int back, const convk_grid3 *g, const on_device<T> &x, const on_device<T> &y, const bytes_there &work, \
                 size_t bytes) { \
    const convk_wavelet_##type w = convk_wavelet_taps_##type(CONVK_WAVELET_DAUBECHIES16); \
    const convk_dwt3d_shape shape = {*g, {0, 0, 0, 0, 0}, {0, 0, 0}, 1}; \
    return back ? convk_cuda_idwt3d_##type(on_stream(), &shape, &w, x.p, y.p, work.p, bytes) \
                : convk_cuda_dwt3d_##type(on_stream(), &shape, &w, x.p, y.p, work.p, bytes); \
  } \
  static int sum_call(const sum_case &c, const on_device<T> &v, const on_device<T> &x, const on_device<T> &y, \
                      const on_device<double> &sums, const bytes_there *work, size_t *bytes) { \
    return (c.is_complex ? sum_call_##complex_type : sum_call_##type)(c, v.p, x.p, y.p, c.sums ? sums.p : NULL, \
                                                                      work ? work->p : NULL, bytes); \
  }
TYPED(float, f32, c32)
TYPED(double, f64, c64)
#undef TYPED
#endif

#if CONVK_HAS_STENCIL_
typedef convk_cuda_stencil_tuning stencil_tuning;
#define TYPED(T, type) \
  static int stencil7(const convk_grid3 *g, size_t steps, const stencil_tuning *t, const on_device<T> &a, \
                      const on_device<T> &b, size_t first, int *second) { \
    const convk_stencil7_coefficients_##type c = convk_stencil7_isotropic_##type((T)0.4, (T)0.1); \
    const convk_stencil7_shape shape = {*g, {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED}}; \
    const stencil_tuning chosen = {0, 0, 0}; \
    convk_cuda_stream *const on = on_stream(); \
    T *result = NULL; \
    on->stencil = t ? *t : chosen; \
    const int status = convk_cuda_stencil7_##type(on, &shape, &c, steps, a.p + first, b.p + first, &result, NULL, 0); \
    *second = result == b.p + first; \
    return status; \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED
#endif

#if CONVK_HAS_VMATH_
#define TYPED(T, type) \
  static int map(int f, size_t n, const on_device<T> &x, const on_device<T> &y, const on_device<T> &z) { \
    return f ? convk_cuda_sincos_##type(on_stream(), n, x.p, y.p, z.p) : convk_cuda_exp_##type(on_stream(), n, x.p, y.p); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED
#endif

#if CONVK_HAS_GAUSSIAN_
#define TYPED(T, type) \
  static int gridpot(size_t n, const on_device<T> &xyz, size_t m, const both<T> &alpha, const on_device<T> &g) { \
    const convk_points_##type p = {n, xyz.p, xyz.p + n, xyz.p + 2 * n, 1}; \
    const convk_gaussians_##type e = {{0, 0, 0}, m, alpha.there.p, 0, NULL, 0}; \
    return convk_cuda_gridpot_##type(on_stream(), &p, &e, NULL, g.p, 0); \
  } \
  static int gridpot_sum(size_t n, const on_device<T> &xyz, size_t m, const both<T> &alpha, size_t nsums, const both<T> &c, \
                         const on_device<T> &sums) { \
    const convk_points_##type p = {n, xyz.p, xyz.p + n, xyz.p + 2 * n, 1}; \
    const convk_gaussians_##type e = {{0, 0, 0}, m, alpha.there.p, nsums, c.there.p, 0}; \
    return convk_cuda_gridpot_sum_##type(on_stream(), &p, &e, NULL, sums.p, 0); \
  } \
  static size_t orbitals_grid_work(int form, const convk_gaussian_box *box, const convk_orbital_set_##type *set) { \
    size_t bytes = 0; \
    must(!(form == GRID_POINT_K ? convk_cuda_orbitals_grid_k_work_size_##type \
                                : convk_cuda_orbitals_grid_work_size_##type)(NULL, box, set, &bytes), \
         "work of orbitals_grid"); \
    return bytes; \
  } \
  static int orbitals_grid(int form, const convk_gaussian_box *box, const convk_orbital_set_##type *set, \
                           const on_device<T> &out, const on_device<char> &work, size_t bytes) { \
    const convk_density_parts_##type parts = {out.p, NULL, NULL, NULL, NULL}; \
    const convk_bloch_##type bloch = {{0.25, -0.5, 0.75}, set->coefficients}; \
    if (form == GRID_POINT_K) \
      return convk_cuda_orbitals_grid_k_##type(on_stream(), box, set, &bloch, NULL, out.p, 0, work.p, bytes); \
    return form == GRID_DENSITY ? convk_cuda_density_grid_##type(on_stream(), box, set, NULL, &parts, work.p, bytes) \
                                : convk_cuda_orbitals_grid_##type(on_stream(), box, set, NULL, out.p, 0, work.p, bytes); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED
#endif

#if CONVK_HAS_FORMFACTOR_
#define TYPED(T, type) \
  static size_t formfactor_work(size_t n, size_t nq, T) { \
    convk_mesh_##type m; \
    convk_q_##type list; \
    size_t bytes = 0; \
    m.n = n; \
    list.n = nq; \
    must(!convk_cuda_formfactor_work_size_##type(NULL, &m, &list, &bytes), "work of formfactor"); \
    return bytes; \
  } \
  static int formfactor(size_t n, const on_device<T> &mesh, const convk_mesh_measures *k, size_t nq, const on_device<T> &q, \
                        const on_device<T> &f, const bytes_there &work, size_t bytes) { \
    const convk_q_##type list = {nq, q.p, q.p + nq, q.p + 2 * nq, NULL, NULL, NULL}; \
    convk_mesh_##type m; \
    const int status = convk_mesh_assign_##type(NULL, n, 0, mesh.p, &m); \
    return status ? status : convk_cuda_formfactor_##type(on_stream(), &m, k, &list, NULL, f.p, work.p, bytes); \
  } \
  static size_t formfactor_grid_work(size_t n, const convk_grid3 *g, T) { \
    convk_mesh_##type m; \
    const convk_q_##type axes = {0, NULL, NULL, NULL, NULL, NULL, NULL}; \
    size_t bytes = 0; \
    m.n = n; \
    must(!convk_cuda_formfactor_grid_work_size_##type(NULL, &m, g, &axes, &bytes), "work of formfactor_grid"); \
    return bytes; \
  } \
  static int formfactor_grid(size_t n, const on_device<T> &mesh, const convk_mesh_measures *k, const convk_grid3 *g, \
                             const on_device<T> &q, const on_device<T> &f, const bytes_there &work, size_t bytes) { \
    const convk_q_##type axes = {0, q.p, q.p + g->nx, q.p + g->nx + g->ny, NULL, NULL, NULL}; \
    convk_mesh_##type m; \
    const int status = convk_mesh_assign_##type(NULL, n, 0, mesh.p, &m); \
    return status ? status : convk_cuda_formfactor_grid_##type(on_stream(), &m, k, g, &axes, NULL, f.p, work.p, bytes); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED
#endif

#if CONVK_HAS_FFT_
#define TYPED(T, type) \
  static size_t fft_there(const void *plan, T) { \
    size_t bytes = 0; \
    must(!convk_fftconv2d_plan_bytes_##type(NULL, (const convk_fftconv2d_plan_##type *)plan, &bytes), "bytes of a plan"); \
    return bytes; \
  } \
  static size_t fft_work(const void *plan, size_t items, T) { \
    size_t bytes = 0; \
    must(!convk_cuda_fftconv2d_work_size_##type(on_stream(), (const convk_fftconv2d_plan_##type *)plan, items, &bytes), \
         "size of work"); \
    return bytes; \
  } \
  static int fftconv2d(const void *plan, const bytes_there &there, const convk_batch2d *b, const on_device<T> &in, \
                       const on_device<T> &out, const bytes_there &work, size_t bytes) { \
    return convk_cuda_fftconv2d_##type(on_stream(), (const convk_fftconv2d_plan_##type *)plan, there.p, b, in.p, out.p, \
                                       work.p, bytes); \
  }
TYPED(float, c32)
TYPED(double, c64)
#undef TYPED
#endif

#if CONVK_HAS_PAIRS_
#define TYPED(T, type) \
  static size_t pair_work(size_t n, size_t walkers, T) { \
    size_t bytes = 0; \
    return convk_cuda_pair_energy_work_size_##type(NULL, n, walkers, &bytes) ? 0 : bytes; \
  } \
  static int pair_energy(const convk_pair_system *s, const convk_pair_walkers *w, const on_device<T> &r, \
                         const on_device<convk_pair_result> &result, const on_device<T> &gradient, const bytes_there &work, \
                         size_t bytes) { \
    return convk_cuda_pair_energy_##type(on_stream(), s, w, CONVK_PAIR_ALL, r.p, result.p, gradient.p, work.p, bytes); \
  } \
  static size_t sweeps_work(const convk_vmc *v, T) { \
    size_t bytes = 0; \
    return convk_cuda_vmc_sweeps_work_size_##type(NULL, v, &bytes) ? 0 : bytes; \
  } \
  static int sweeps(const convk_vmc *v, const on_device<T> &r, const on_device<double> &ln_psi, \
                    const on_device<double> &drift, const on_device<uint32_t> &accepted, const bytes_there &work, \
                    size_t bytes) { \
    const convk_vmc_sweeps sweeps = {0, 16, v->step, 0}; \
    const convk_cuda_vmc_walkers_##type walkers = {r.p, ln_psi.p, NULL, drift.p, accepted.p}; \
    return convk_cuda_vmc_sweeps_##type(on_stream(), v, &sweeps, &walkers, work.p, bytes); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED
#endif

#if CONVK_HAS_DISTANCES_
#define TYPED(T, type) \
  static int histogram(size_t n, const convk_distances &d, const on_device<T> &x, const on_device<uint64_t> &bins, \
                       const bytes_there *work, size_t *bytes) { \
    const convk_cuda_atoms_##type atoms = {n, 1, n, x.p, x.p + n, x.p + 2 * n, NULL, NULL}; \
    const convk_cuda_distances_##type to = {d.bins, 1, d.width, d.moments, bins.p, {bins.p + d.bins, bins.p + 2 * d.bins}, \
                                            NULL}; \
    return work ? convk_cuda_pair_histogram_##type(on_stream(), &atoms, NULL, NULL, &to, work->p, *bytes) \
                : convk_cuda_pair_histogram_work_size_##type(NULL, &atoms, &to, bytes); \
  } \
  static int debye(const convk_distances &d, const on_device<uint64_t> &bins, size_t nq, const on_device<T> &q, \
                   const bytes_there *work, size_t *bytes) { \
    const convk_cuda_distances_##type from = {d.bins, 1, d.width, d.moments, bins.p, {bins.p + d.bins, bins.p + 2 * d.bins}, \
                                              NULL}; \
    const convk_cuda_intensities_##type to = {nq, q.p, q.p + nq, NULL}; \
    return work ? convk_cuda_debye_##type(on_stream(), &from, NULL, NULL, &to, work->p, *bytes) \
                : convk_cuda_debye_work_size_##type(NULL, &from, &to, bytes); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED
#endif

#if CONVK_HAS_AMPLITUDES_
#define TYPED(T, type) \
  static int amplitudes(size_t n, int way, size_t m, const on_device<T> &x, const on_device<T> &axes, const on_device<T> &f, \
                        const bytes_there *work, size_t *bytes) { \
    const convk_cuda_atoms_##type atoms = {n, 1, n, x.p, x.p + n, x.p + 2 * n, NULL, NULL}; \
    const convk_q_##type q = {m, axes.p, axes.p + m, axes.p + 2 * m, NULL, NULL, way == 3 ? axes.p : NULL}; \
    const bool tensor = way == 1 || way == 2; \
    const convk_grid3 grid = {m, m, m, 0, 0}; \
    if (!work) \
      return tensor ? convk_cuda_amplitudes_grid_work_size_##type(NULL, &atoms, &grid, NULL, bytes) \
                    : convk_cuda_amplitudes_work_size_##type(NULL, &atoms, &q, NULL, bytes); \
    return tensor ? convk_cuda_amplitudes_grid_##type(on_stream(), &atoms, &grid, &q, NULL, f.p, work->p, *bytes) \
                  : convk_cuda_amplitudes_##type(on_stream(), &atoms, &q, NULL, f.p, work->p, *bytes); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED
#endif

/* ---- cuFFT ---- */

#ifdef CONVK_BENCH_CUFFT
#define BENCH_FFT_PEER
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
template <class P> struct fft_peer_of {
  size_t m, n, items, each, chunk;
  const P *in, *spectra;
  P *out, *square;
  cufftHandle plan;
  fft_peer_of(size_t m0, size_t n0, size_t items0, size_t each0, size_t chunk0, const P *in0, const P *spectra0, P *out0,
              P *square0)
      : m(m0), n(n0), items(items0), each(each0), chunk(chunk0), in(in0), spectra(spectra0), out(out0), square(square0) {
    int size[2] = {(int)m, (int)m};
    must(cufftPlanMany(&plan, 2, size, NULL, 1, (int)(m * m), NULL, 1, (int)(m * m), sizeof(P) == 8 ? CUFFT_C2C : CUFFT_Z2Z,
                       (int)chunk) == CUFFT_SUCCESS,
         "cuFFT plan");
  }
  ~fft_peer_of() { cufftDestroy(plan); }
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

/* Items in a millisecond by the better way of two: all of them at once, or of as many kernels as stay in the L2 cache; *time becomes
   that of `call` in the same rounds. */
template <class T, class Call>
static const char *fft_peer(size_t m, size_t n, size_t kernels, size_t each, const on_device<T> &in,
                            const std::vector<T> &spectra, const on_device<T> &out, Call call, double *rate, double *time) {
  typedef typename convk_cuda_fft_type_<T>::pair pair;
  const size_t items = kernels * each, all = 2 * m * m * sizeof(T), sample = items / 3;
  std::vector<T> scaled(spectra);
  size_t chunk = items;
  for (size_t i = 0; i < scaled.size(); i++) scaled[i] /= (T)(m * m);
  const on_device<T> there(scaled), square(2 * m * m * items);
  for (int part = 0; part < 2; part++) {
    double own, again;
    if (part)
      for (chunk = each; chunk * 2 * all <= 20000000 && items % (2 * chunk) == 0;) chunk *= 2;
    const fft_peer_of<pair> cufft(m, n, items, each, chunk, (const pair *)in.p, (const pair *)there.p, (pair *)out.p,
                                  (pair *)square.p);
    medians(20, cufft, call, &own, &again);
    call();
    const std::vector<T> got = out.back(2 * n * n * sample, 2 * n * n);
    cufft();
    const std::vector<T> theirs = out.back(2 * n * n * sample, 2 * n * n);
    for (size_t i = 0; i < got.size(); i++)
      must(std::fabs((double)got[i] - (double)theirs[i]) <= 1e-4 * (double)m, "cuFFT's result");
    if ((double)items / own <= *rate) continue;
    *rate = (double)items / own;
    *time = again;
  }
  return "cuFFT";
}
#endif

#include "device_families.h"

/* ---- tuning ---- */

#if CONVK_HAS_STENCIL_
/* Every tile, number of steps in one pass and some chunks of planes, for one step and for `steps` of them; each gives the bits of the
   defaults. */
template <class T> static void tune_stencil(const char *type, size_t nx, size_t ny, size_t nz, size_t steps) {
  static const size_t tiles[] = {16, 32, 64}, planes[] = {0, 16, 64};
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

#endif

#ifndef BENCH_CUDA_PARTS
int main(int argc, char **argv) {
  cudaDeviceProp device;
  read_options(argc, argv, CONVK_HAS_STENCIL_);
  const int ordinal = opt.device ? atoi(opt.device) : 0;
  must(!cudaSetDevice(ordinal) && !cudaGetDeviceProperties(&device, ordinal), "--device");
  machine(device.name, 10 * device.major + device.minor, "nvcc");
#if CONVK_HAS_STENCIL_
  if (opt.tune) {
    const size_t n = opt.quick ? 9 : 512;
    for (size_t size = opt.quick ? n : 256; size <= n; size *= 2) { /* 24 steps: an even number of passes of every depth */
      tune_stencil<double>("f64", size, size, size, opt.quick ? 6 : 24);
      tune_stencil<float>("f32", size, size, size, opt.quick ? 6 : 24);
    }
  }
#endif
  if (!opt.tune) measure_both();
  if (opt.json) fclose(opt.json);
  return 0;
}
#endif
