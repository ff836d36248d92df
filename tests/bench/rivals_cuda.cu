/* Calls of convk on arrays of an NVIDIA GPU by names of C, one family a library, and beside them the kernels that somebody writes in
   an afternoon: rivals_cuda.py compiles and loads them, and has more rivals.
     nvcc -O3 -arch=native -shared -Xcompiler -fPIC -I. -DCONVK_WITH_SEPCONV tests/bench/rivals_cuda.cu -o rivals_sepconv.so
   Builds with nvcc, and with a C++ compiler in the tests' emulator. */
#ifndef __CUDACC__
#include "../cuda_emulator.h"
#endif
#include "convk_cuda.h"
#include <cstring>
#include <vector>

/* What all functions take; the comment of each says what of it.  With `need` a call of the library starts nothing, but says there how
   many bytes of work it wants. */
struct task {
  size_t n[8];
  double x[8];
  void *a[8], *work;
  size_t bytes, *need;
};

static convk_cuda_stream on;
#define RIVALS_EXPORT extern "C" __attribute__((visibility("default")))
RIVALS_EXPORT int use_stream(const task *t) { return on.stream = (cudaStream_t)t->a[0], 0; } /* a: a stream */
RIVALS_EXPORT const char *last_message(int status) { return *on.message ? on.message : convk_strerror(status); }

/* Sizes as kernels take them. */
struct sizes {
  int n[8];
  explicit sizes(const task *t) {
    for (int k = 0; k < 8; k++) n[k] = (int)t->n[k];
  }
  int operator[](int k) const { return n[k]; }
};

template <class P> struct parameter { typedef P type; };
template <class... P> static int launch(void (*kernel)(P...), dim3 grid, dim3 block, typename parameter<P>::type... value) {
  void *list[] = {(void *)&value...};
  return cudaLaunchKernel(CONVK_CUDA_ENTRY_(kernel), grid, block, list, 0, on.stream) ? CONVK_ERR_DEVICE : 0;
}

/* ---- filters, sums of filters, wavelets, Hamiltonians ---- */

#if CONVK_HAS_HAMILTONIAN_
/* Sixteen taps along one axis, periodic. */
template <class T>
static __global__ void filter_kernel(int axis, int nx, int ny, int nz, const T *__restrict__ taps, const T *__restrict__ x,
                                     T *__restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (i >= nx || j >= ny) return;
  T s = 0;
  CONVK_CUDA_UNROLL_
  for (int l = -8; l <= 7; l++) {
    const int a = axis == 0 ? (i + l + nx) % nx : i, b = axis == 1 ? (j + l + ny) % ny : j,
              c = axis == 2 ? (k + l + nz) % nz : k;
    s += taps[l + 8] * x[a + (size_t)nx * (b + (size_t)ny * c)];
  }
  y[i + (size_t)nx * (j + (size_t)ny * k)] = s;
}

/* An even filter of R taps on either side, along all axes. */
template <class T, int R>
static __global__ void laplacian_kernel(int nx, int ny, int nz, const T *__restrict__ taps, const T *__restrict__ x,
                                        T *__restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (i >= nx || j >= ny) return;
  const size_t row = nx, plane = row * ny, here = i + row * j + plane * k;
  T s = 3 * taps[R] * x[here];
  CONVK_CUDA_UNROLL_
  for (int l = 1; l <= R; l++) {
    const int xm = i - l < 0 ? i - l + nx : i - l, xp = i + l >= nx ? i + l - nx : i + l;
    const int ym = j - l < 0 ? j - l + ny : j - l, yp = j + l >= ny ? j + l - ny : j + l;
    const int zm = k - l < 0 ? k - l + nz : k - l, zp = k + l >= nz ? k + l - nz : k + l;
    s += taps[R + l] * (x[here - i + xm] + x[here - i + xp] + x[i + row * ym + plane * k] + x[i + row * yp + plane * k] +
                        x[i + row * j + plane * zm] + x[i + row * j + plane * zp]);
  }
  y[here] = s;
}

static convk_grid3 grid_of(const task *t) {
  const convk_grid3 g = {t->n[0], t->n[1], t->n[2], 0, 0};
  return g;
}
static convk_sepconv3d_shape filter_shape(const task *t) {
  const convk_sepconv3d_shape s = {grid_of(t), {0, 0, 0, 0, 0}, {0, 0, 0}};
  return s;
}
static convk_dwt3d_shape wavelet_shape(const task *t) {
  const convk_dwt3d_shape s = {grid_of(t), {0, 0, 0, 0, 0}, {0, 0, 0}, 1};
  return s;
}
static convk_sumconv3d_shape sum_shape(const task *t) {
  const convk_sumconv3d_shape s = {grid_of(t), {0, 0, 0, 0, 0}, {0, 0, 0}, t->n[3], 0, 0};
  return s;
}
static convk_hamiltonian_shape orbital_shape(const task *t) {
  const int end = t->n[4] ? CONVK_BOUNDARY_GROW : CONVK_BOUNDARY_PERIODIC;
  const convk_hamiltonian_shape s = {grid_of(t), {0, 0, 0, 0, 0}, {end, end, end}, t->n[3], 0, 0};
  return s;
}

#define ON_GRID(call, T, type, shape_of, ...) \
  RIVALS_EXPORT int call##_##type(const task *t) { \
    const auto s = shape_of(t); \
    if (t->need) return convk_cuda_##call##_work_size_##type(&on, &s, __VA_ARGS__ t->need); \
    return convk_cuda_##call##_##type(&on, &s, __VA_ARGS__(const T *) t->a[0], (T *)t->a[1], t->work, t->bytes); \
  }

/* Calls for real and for complex numbers.
     sumconv3d          n: nx, ny, nz, vectors, order of the Laplacian; a: in, out, potential or NULL
     hamiltonian_apply  n: nx, ny, nz, vectors, whether all axes are free; x: k along x; a: in, out, potential, energies or NULL */
#define CALLS(T, type, real) \
  RIVALS_EXPORT int sumconv3d_##type(const task *t) { \
    T taps[CONVK_DERIVATIVE_TAPS]; \
    const convk_sumconv_terms_##real terms = terms_##real(t, taps); \
    const convk_sumconv3d_shape shape = sum_shape(t); \
    return convk_cuda_sumconv3d_##type(&on, &shape, &terms, (const T *)t->a[0], (T *)t->a[1], NULL, NULL, 0); \
  } \
  RIVALS_EXPORT int hamiltonian_apply_##type(const task *t) { \
    const convk_hamiltonian_terms_##real terms = {{0.5, 0.5, 0.5}, (const T *)t->a[2], 0, {t->x[0], 0, 0}}; \
    const convk_hamiltonian_shape s = orbital_shape(t); \
    if (t->need) return convk_cuda_hamiltonian_apply_work_size_##type(&on, &s, t->need); \
    return convk_cuda_hamiltonian_apply_##type(&on, &s, &terms, (const T *)t->a[0], (T *)t->a[1], \
                                               (convk_hamiltonian_energies *)t->a[3], t->work, t->bytes); \
  }
/* Real ones alone.
     magicfilter3d, dwt3d, idwt3d, s1_to_r, r_to_s1   n: nx, ny, nz; a: in, out
     chebyshev3d      n: as sumconv3d, then the degree; a: as sumconv3d
     taps             n: 0 of the magic filter, 2 of a second derivative; its order; a, on the host: taps, two ints: lo, up
     naive_filter     n: nx, ny, nz, axis; a: taps, in, out
     naive_laplacian  n: nx, ny, nz, taps on either side; a: taps, in, out */
#define TYPED(T, type, complex_type) \
  static convk_sumconv_terms_##type terms_##type(const task *t, T *taps) { \
    convk_sumconv_terms_##type terms = convk_sumconv_terms_##type(); \
    convk_derivative_filter_##type(NULL, 2, (int)t->n[4], t->a[2] ? -0.5 : 1, taps, &terms.filter[0]); \
    terms.filter[1] = terms.filter[2] = terms.filter[0]; \
    terms.potential = (const T *)t->a[2], terms.potential_factor = 1; \
    return terms; \
  } \
  CALLS(T, type, type) \
  CALLS(T, complex_type, type) \
  ON_GRID(magicfilter3d, T, type, filter_shape, CONVK_FORWARD, NULL, ) \
  static const convk_wavelet_##type pair_##type = convk_wavelet_taps_##type(CONVK_WAVELET_DAUBECHIES16); \
  ON_GRID(dwt3d, T, type, wavelet_shape, &pair_##type, ) \
  ON_GRID(idwt3d, T, type, wavelet_shape, &pair_##type, ) \
  ON_GRID(s1_to_r, T, type, wavelet_shape, ) \
  ON_GRID(r_to_s1, T, type, wavelet_shape, ) \
  RIVALS_EXPORT int chebyshev3d_##type(const task *t) { \
    T taps[CONVK_DERIVATIVE_TAPS]; \
    const convk_chebyshev filter = {(int)t->n[5], 2, 20, -3}; \
    const convk_sumconv_terms_##type terms = terms_##type(t, taps); \
    const convk_sumconv3d_shape s = sum_shape(t); \
    if (t->need) return convk_cuda_chebyshev3d_work_size_##type(&on, &s, &terms, &filter, t->need); \
    return convk_cuda_chebyshev3d_##type(&on, &s, &terms, &filter, (const T *)t->a[0], (T *)t->a[1], t->work, t->bytes); \
  } \
  RIVALS_EXPORT int taps_##type(const task *t) { \
    convk_filter_##type f = convk_magicfilter_taps_##type(CONVK_FORWARD); \
    T *const taps = (T *)t->a[0]; \
    int *const ends = (int *)t->a[1]; \
    int status = 0; \
    if (t->n[0]) status = convk_derivative_filter_##type(NULL, (int)t->n[0], (int)t->n[1], 1, taps, &f); \
    else memcpy(taps, f.taps, sizeof(T) * (size_t)(f.up - f.lo + 1)); \
    ends[0] = f.lo, ends[1] = f.up; \
    return status; \
  } \
  RIVALS_EXPORT int naive_filter_##type(const task *t) { \
    const sizes n(t); \
    return launch(filter_kernel<T>, dim3((n[0] + 31) / 32, (n[1] + 3) / 4, n[2]), dim3(32, 4), n[3], n[0], n[1], n[2], \
                  (const T *)t->a[0], (const T *)t->a[1], (T *)t->a[2]); \
  } \
  RIVALS_EXPORT int naive_laplacian_##type(const task *t) { \
    const sizes n(t); \
    return launch(n[3] == 1   ? laplacian_kernel<T, 1> \
                  : n[3] == 4 ? laplacian_kernel<T, 4> \
                              : laplacian_kernel<T, 8>, \
                  dim3((n[0] + 63) / 64, (n[1] + 3) / 4, n[2]), dim3(64, 4), n[0], n[1], n[2], (const T *)t->a[0], \
                  (const T *)t->a[1], (T *)t->a[2]); \
  }
TYPED(float, f32, c32)
TYPED(double, f64, c64)
#undef TYPED
#endif

/* ---- the 7-point stencil ---- */

#if CONVK_HAS_STENCIL_
/* Sizes that are multiples of 32. */
template <class T> static __global__ void stencil_kernel(int n, T centre, T side, const T *__restrict__ x, T *__restrict__ y) {
  __shared__ T p[10][34];
  const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y, k0 = blockIdx.z * 32;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const size_t plane = (size_t)n * n, here = i + (size_t)n * j;
  T down = x[here + plane * ((k0 + n - 1) % n)], now = x[here + plane * k0];
  for (int k = k0; k < k0 + 32; k++) {
    const T up = x[here + plane * ((k + 1) % n)];
    __syncthreads();
    p[ty][tx] = now;
    if (threadIdx.x == 0) p[ty][0] = x[(i + n - 1) % n + (size_t)n * j + plane * k];
    if (threadIdx.x == 31) p[ty][33] = x[(i + 1) % n + (size_t)n * j + plane * k];
    if (threadIdx.y == 0) p[0][tx] = x[i + (size_t)n * ((j + n - 1) % n) + plane * k];
    if (threadIdx.y == 7) p[9][tx] = x[i + (size_t)n * ((j + 1) % n) + plane * k];
    __syncthreads();
    y[here + plane * k] = centre * now + side * (p[ty][tx - 1] + p[ty][tx + 1] + p[ty - 1][tx] + p[ty + 1][tx] + down + up);
    down = now, now = up;
  }
}

/* Periodic cubes.  n: side, steps; a: the state, another array.  stencil7 ends in that of them which x says on return: 0 or 1;
   naive_stencil in the second one after odd numbers of steps. */
#define TYPED(T, type) \
  RIVALS_EXPORT int stencil7_##type(task *t) { \
    const convk_stencil7_coefficients_##type c = convk_stencil7_isotropic_##type((T)0.4, (T)0.1); \
    const convk_stencil7_shape s = {{t->n[0], t->n[0], t->n[0], 0, 0}, \
                                    {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC}}; \
    T *result = NULL; \
    const int status = convk_cuda_stencil7_##type(&on, &s, &c, t->n[1], (T *)t->a[0], (T *)t->a[1], &result, NULL, 0); \
    t->x[0] = result == t->a[1]; \
    return status; \
  } \
  RIVALS_EXPORT int naive_stencil_##type(const task *t) { \
    const unsigned n = (unsigned)t->n[0]; \
    T *from = (T *)t->a[0], *to = (T *)t->a[1], *swap; \
    int status = 0; \
    for (size_t k = 0; k < t->n[1] && !status; k++, swap = from, from = to, to = swap) \
      status = \
          launch(stencil_kernel<T>, dim3(n / 32, n / 8, n / 32), dim3(32, 8), (int)n, (T)0.4, (T)0.1, (const T *)from, to); \
    return status; \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED
#endif

/* ---- Gaussians on grids ---- */

#if CONVK_HAS_GAUSSIAN_
/* A thread a point, of sixteen orbitals. */
template <class T>
static __global__ void orbitals_kernel(int nx, int ny, int nz, T step, T x0, T y0, T z0, int atoms, const T *__restrict__ at,
                                       T e0, T e1, T e2, int rows, const T *__restrict__ c, T *__restrict__ out) {
  const long n = (long)nx * ny * nz, i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T px = x0 + step * (i % nx), py = y0 + step * (i / nx % ny), pz = z0 + step * (i / nx / ny);
  for (int r0 = 0; r0 < rows; r0 += 16) {
    T s[16];
    CONVK_CUDA_UNROLL_
    for (int r = 0; r < 16; r++) s[r] = 0;
    for (int a = 0; a < atoms; a++) {
      const T x = px - at[3 * a], y = py - at[3 * a + 1], z = pz - at[3 * a + 2], q = x * x + y * y + z * z;
      const T g0 = exp(-e0 * q), g1 = exp(-e1 * q), g2 = exp(-e2 * q);
      const T v[10] = {g0, x * g1, y * g1, z * g1, x * x * g2, x * y * g2, x * z * g2, y * y * g2, y * z * g2, z * z * g2};
      CONVK_CUDA_UNROLL_
      for (int r = 0; r < 16; r++) CONVK_CUDA_UNROLL_
      for (int k = 0; k < 10; k++) s[r] += c[(long)(r0 + r) * atoms * 10 + a * 10 + k] * v[k];
    }
    CONVK_CUDA_UNROLL_
    for (int r = 0; r < 16; r++) out[(r0 + r) * n + i] = s[r];
  }
}

enum { GRID_OPEN, GRID_PERIODIC, GRID_OBLIQUE, GRID_POINT_K, GRID_DENSITY };

/* Shells s, p and d on each of the atoms, with one exponent a kind.
     grid           n: nx, ny, nz, atoms, orbitals, kind; x: step, origin; a: out, and on the host coefficients, centres, exponents
     naive_orbitals n: nx, ny, nz, atoms, orbitals, a multiple of 16; x: step, origin, exponents; a: out, coefficients, centres */
#define TYPED(T, type) \
  RIVALS_EXPORT int grid_##type(const task *t) { \
    static const double one = 1; \
    const size_t atoms = t->n[3], rows = t->n[4], kind = t->n[5]; \
    const double *const centres = (const double *)t->a[2], *const exponents = (const double *)t->a[3], h = t->x[0]; \
    const T *const c = (const T *)t->a[1]; \
    T *const out = (T *)t->a[0]; \
    std::vector<convk_shell> shells(3 * atoms); \
    memset(&shells[0], 0, shells.size() * sizeof shells[0]); \
    for (size_t i = 0; i < shells.size(); i++) { \
      memcpy(shells[i].center, centres + i / 3 * 3, sizeof shells[i].center); \
      shells[i].l = (int)(i % 3), shells[i].primitives = 1; \
      shells[i].exponents = exponents + i % 3, shells[i].coefficients = &one; \
    } \
    convk_gaussian_box box; \
    memset(&box, 0, sizeof box); \
    box.grid.nx = t->n[0], box.grid.ny = t->n[1], box.grid.nz = t->n[2]; \
    box.step_x[0] = box.step_y[1] = box.step_z[2] = h; \
    memcpy(box.origin, t->x + 1, sizeof box.origin); \
    if (kind == GRID_OBLIQUE) box.step_y[0] = 0.3 * h, box.step_z[1] = -0.4 * h, box.step_z[0] = 0.1 * h; \
    for (int d = 0; d < 3 && (kind == GRID_PERIODIC || kind == GRID_POINT_K); d++) box.period[d] = h * (double)t->n[d]; \
    const std::vector<T> occupations(rows, (T)2); \
    const convk_orbital_set_##type set = {shells.size(), &shells[0], rows, c, 0, &occupations[0], NULL}; \
    const convk_bloch_##type bloch = {{0.25, -0.5, 0.75}, c}; \
    const convk_density_parts_##type parts = {out, NULL, NULL, NULL, NULL}; \
    if (kind == GRID_POINT_K) \
      return t->need ? convk_cuda_orbitals_grid_k_work_size_##type(&on, &box, &set, t->need) \
                     : convk_cuda_orbitals_grid_k_##type(&on, &box, &set, &bloch, NULL, out, 0, t->work, t->bytes); \
    if (t->need) return convk_cuda_orbitals_grid_work_size_##type(&on, &box, &set, t->need); \
    return kind == GRID_DENSITY ? convk_cuda_density_grid_##type(&on, &box, &set, NULL, &parts, t->work, t->bytes) \
                                : convk_cuda_orbitals_grid_##type(&on, &box, &set, NULL, out, 0, t->work, t->bytes); \
  } \
  RIVALS_EXPORT int naive_orbitals_##type(const task *t) { \
    const sizes n(t); \
    const double *const x = t->x; \
    return launch(orbitals_kernel<T>, dim3((unsigned)((t->n[0] * t->n[1] * t->n[2] + 127) / 128)), dim3(128), n[0], n[1], \
                  n[2], (T)x[0], (T)x[1], (T)x[2], (T)x[3], n[3], (const T *)t->a[2], (T)x[4], (T)x[5], (T)x[6], n[4], \
                  (const T *)t->a[1], (T *)t->a[0]); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED
#endif

/* ---- form factors ---- */

#if CONVK_HAS_FORMFACTOR_
struct exact {
  template <class T> static __device__ void sine_cosine(T p, T *s, T *c) { sincos(p, s, c); }
};
struct rough { /* by the special function unit */
  static __device__ void sine_cosine(float p, float *s, float *c) { *s = __sinf(p), *c = __cosf(p); }
};
/* Triangles as their centroids; a block takes 128 of them at a time. */
template <class T, class By>
static __global__ void form_kernel(int triangles, const T *__restrict__ mesh, int nx, int ny, int nz, const T *__restrict__ q,
                                   T *__restrict__ out) {
  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x, nq = (long)nx * ny * nz;
  const T x = i < nq ? q[i % nx] : 0, y = i < nq ? q[nx + i / nx % ny] : 0, z = i < nq ? q[nx + ny + i / nx / ny] : 0;
  T re = 0, im = 0;
  __shared__ T s[6][128];
  for (int b = 0; b < triangles; b += 128) {
    __syncthreads();
    for (int k = 0; k < 6; k++)
      s[k][threadIdx.x] = b + threadIdx.x < triangles ? mesh[(long)k * triangles + b + threadIdx.x] : 0;
    __syncthreads();
    CONVK_CUDA_UNROLL_BY_(4)
    for (int j = 0; j < 128; j++) {
      T sine, cosine;
      const T p = x * s[0][j] + y * s[1][j] + z * s[2][j], w = x * s[3][j] + y * s[4][j] + z * s[5][j];
      By::sine_cosine(p, &sine, &cosine);
      re += w * sine, im -= w * cosine;
    }
  }
  const T qq = x * x + y * y + z * z;
  if (i < nq) out[2 * i] = re / qq, out[2 * i + 1] = im / qq;
}

/*   mesh                          n: triangles; a, on the host: corners, storage of 6 numbers each, convk_mesh_measures
     formfactor, formfactor_grid   n: nx, ny, nz, triangles; a: storage, q (a list, or axes), result, and on the host measures
     naive_form, naive_form_rough  n: the same; a: centroids and areas, axes of q, result */
#define FORM(T, type, name, By) \
  RIVALS_EXPORT int name##_##type(const task *t) { \
    const sizes n(t); \
    return launch(form_kernel<T, By>, dim3((unsigned)((t->n[0] * t->n[1] * t->n[2] + 127) / 128)), dim3(128), n[3], \
                  (const T *)t->a[0], n[0], n[1], n[2], (const T *)t->a[1], (T *)t->a[2]); \
  }
#define TYPED(T, type) \
  RIVALS_EXPORT int mesh_##type(const task *t) { \
    convk_mesh_##type m; \
    int status = convk_mesh_assign_##type(NULL, t->n[0], 0, (T *)t->a[1], &m); \
    if (!status) status = convk_mesh_from_triangles_##type(NULL, (const T *)t->a[0], &m); \
    return status ? status : convk_mesh_measure_##type(NULL, &m, (convk_mesh_measures *)t->a[2]); \
  } \
  RIVALS_EXPORT int formfactor_##type(const task *t) { \
    const size_t nq = t->n[0] * t->n[1] * t->n[2]; \
    const T *const q = (const T *)t->a[1]; \
    const convk_q_##type list = {nq, q, q + nq, q + 2 * nq, NULL, NULL, NULL}; \
    convk_mesh_##type m; \
    const int status = convk_mesh_assign_##type(NULL, t->n[3], 0, (T *)t->a[0], &m); \
    if (status || t->need) return status ? status : convk_cuda_formfactor_work_size_##type(&on, &m, &list, t->need); \
    return convk_cuda_formfactor_##type(&on, &m, (const convk_mesh_measures *)t->a[3], &list, NULL, (T *)t->a[2], t->work, \
                                        t->bytes); \
  } \
  RIVALS_EXPORT int formfactor_grid_##type(const task *t) { \
    const convk_grid3 g = {t->n[0], t->n[1], t->n[2], 0, 0}; \
    const T *const q = (const T *)t->a[1]; \
    const convk_q_##type axes = {0, q, q + g.nx, q + g.nx + g.ny, NULL, NULL, NULL}; \
    convk_mesh_##type m; \
    const int status = convk_mesh_assign_##type(NULL, t->n[3], 0, (T *)t->a[0], &m); \
    if (status || t->need) return status ? status : convk_cuda_formfactor_grid_work_size_##type(&on, &m, &g, &axes, t->need); \
    return convk_cuda_formfactor_grid_##type(&on, &m, (const convk_mesh_measures *)t->a[3], &g, &axes, NULL, (T *)t->a[2], \
                                             t->work, t->bytes); \
  } \
  FORM(T, type, naive_form, exact)
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED
FORM(float, f32, naive_form_rough, rough)
#endif

/* ---- convolutions ---- */

#if CONVK_HAS_FFT_
/* Of squares, as large as they were before, with one square kernel for all.
     plan       n: sides of a square and of the kernel; a, on the host: kernel, bytes of the plan that the device wants; work: the plan
     fftconv2d  n: items; a: in, out, the plan there, and on the host */
#define TYPED(T, type) \
  RIVALS_EXPORT int plan_##type(const task *t) { \
    convk_fftconv2d_shape s; \
    memset(&s, 0, sizeof s); \
    s.mode = CONVK_FFT_SAME, s.rows = s.columns = t->n[0], s.kernel_rows = s.kernel_columns = t->n[1]; \
    convk_fftconv2d_plan_##type *const plan = (convk_fftconv2d_plan_##type *)t->work; \
    if (t->need) return convk_fftconv2d_plan_size_##type(NULL, &s, 1, t->need); \
    const int status = convk_fftconv2d_prepare_##type(NULL, &s, 1, (const T *)t->a[0], 0, 0, plan, t->bytes); \
    return status ? status : convk_fftconv2d_plan_bytes_##type(NULL, plan, (size_t *)t->a[1]); \
  } \
  RIVALS_EXPORT int fftconv2d_##type(const task *t) { \
    const convk_fftconv2d_plan_##type *const plan = (const convk_fftconv2d_plan_##type *)t->a[3]; \
    convk_batch2d batch; \
    memset(&batch, 0, sizeof batch); \
    batch.items = t->n[0]; \
    if (t->need) return convk_cuda_fftconv2d_work_size_##type(&on, plan, t->n[0], t->need); \
    return convk_cuda_fftconv2d_##type(&on, plan, t->a[2], &batch, (const T *)t->a[0], (T *)t->a[1], t->work, t->bytes); \
  }
TYPED(float, f32)
TYPED(double, f64)
TYPED(float, c32)
TYPED(double, c64)
#undef TYPED
#endif

/* ---- distances of atoms ---- */

#if CONVK_HAS_DISTANCES_
/* A thread an atom. */
template <class T>
static __global__ void distances_kernel(int n, const T *__restrict__ x, T scale, int bins, int moments,
                                        unsigned long long *__restrict__ count, unsigned long long *__restrict__ moment) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T x0 = x[i], y0 = x[n + i], z0 = x[2 * (size_t)n + i];
  for (int j = 0; j < i; j++) {
    const T dx = x0 - x[j], dy = y0 - x[n + j], dz = z0 - x[2 * (size_t)n + j], r = sqrt(dx * dx + dy * dy + dz * dz) * scale;
    const int k = (int)r;
    if (k >= bins) continue;
    atomicAdd(count + k, 1ull);
    if (moments) atomicAdd(moment + k, (unsigned long long)((r - (T)k) * 1048576));
  }
}

/* Of one kind.  n: atoms, bins, moments; x: width, side of a periodic cube or 0; a: [3][n], count, first and second moments. */
#define TYPED(T, type) \
  RIVALS_EXPORT int distances_##type(const task *t) { \
    const T *const x = (const T *)t->a[0]; \
    const size_t n = t->n[0]; \
    const double side = t->x[1]; \
    const convk_cell cell = {{side, 0, 0}, {0, side, 0}, {0, 0, side}}; \
    const convk_cuda_atoms_##type atoms = {n, 1, n, x, x + n, x + 2 * n, NULL, NULL}; \
    const convk_cuda_distances_##type d = { \
        t->n[1], 1, t->x[0], (int)t->n[2], (uint64_t *)t->a[1], {(uint64_t *)t->a[2], (uint64_t *)t->a[3]}, NULL}; \
    if (t->need) return convk_cuda_pair_histogram_work_size_##type(&on, &atoms, &d, t->need); \
    return convk_cuda_pair_histogram_##type(&on, &atoms, &cell, NULL, &d, t->work, t->bytes); \
  } \
  RIVALS_EXPORT int naive_distances_##type(const task *t) { \
    const sizes n(t); \
    return launch(distances_kernel<T>, dim3((unsigned)((t->n[0] + 127) / 128)), dim3(128), n[0], (const T *)t->a[0], \
                  (T)(1 / t->x[0]), n[1], n[2], (unsigned long long *)t->a[1], (unsigned long long *)t->a[2]); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED
#endif
