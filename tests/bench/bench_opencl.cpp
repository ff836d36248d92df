/* The benchmark on an OpenCL device, on buffers: lines as those of bench, each beside its ceiling (device_families.h).
     bench_opencl [--quick] [--filter TEXT] [--device N|NAME] [--json FILE] [--predicted FILE]
   --predicted: prints rates of a file beside those measured, such as make audit-cuda AUDIT_FLAGS="--json FILE" writes.
   Full sizes are for GPUs: --quick on processors. */
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include "../families.h"
#include "convk_avx.h"
#include "convk_cl.h"

#define BENCH_HW "opencl"
#include "device.h"

/* The library's handle says which device, and has its context; the queue is ours, for its clock. */
static struct {
  convk hw;
  convk_cl *cl;
  cl_command_queue queue;
  cl_program program;
  char message[256]; /* of an error of OpenCL itself */
} device;

static const char *device_error(void) {
  return *device.message ? device.message : device.cl && *device.cl->message ? device.cl->message : device.hw.message;
}

static void must_cl(cl_int error, const char *what) {
  if (error) snprintf(device.message, sizeof device.message, "OpenCL error %d", (int)error);
  must(!error, what);
}

static convk_cl_queue the_queue() {
  convk_cl_queue on = {device.cl, device.queue, 0, NULL, NULL};
  return on;
}
static convk_cl_array whole(cl_mem mem) {
  const convk_cl_array array = {mem, 0};
  return array;
}

/* ---- words: see device_families.h ---- */

static const int bench_builds = 1;
static int bench_f64;
typedef size_t stencil_tuning; /* steps in one pass */

template <class T> struct on_device {
  cl_mem p;
  explicit on_device(size_t n) : p(make(n, NULL)) {}
  explicit on_device(const std::vector<T> &v) : p(make(v.size(), &v[0])) {}
  ~on_device() { clReleaseMemObject(p); }
  std::vector<T> back(size_t first, size_t n) const {
    std::vector<T> v(n);
    must_cl(clEnqueueReadBuffer(device.queue, p, CL_TRUE, first * sizeof(T), n * sizeof(T), &v[0], 0, NULL, NULL), "copy out");
    return v;
  }
  void set(const std::vector<T> &v) const {
    must_cl(clEnqueueWriteBuffer(device.queue, p, CL_TRUE, 0, v.size() * sizeof(T), &v[0], 0, NULL, NULL), "copy in");
  }

private:
  on_device(const on_device &);
  static cl_mem make(size_t n, const T *from) {
    cl_int error;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (from ? CL_MEM_COPY_HOST_PTR : 0);
    const cl_mem mem = clCreateBuffer(device.cl->context, flags, (n ? n : 1) * sizeof(T), const_cast<T *>(from), &error);
    must_cl(error, "memory");
    return mem;
  }
};
typedef on_device<char> bytes_there;

/* The queue is in order, and markers in it have times. */
static cl_event mark(void) {
  cl_event event;
  must_cl(clEnqueueMarkerWithWaitList(device.queue, 0, NULL, &event), "events");
  return event;
}
static double ended(cl_event event) {
  cl_ulong time = 0;
  must_cl(clWaitForEvents(1, &event), "on the device");
  must_cl(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL), "timing");
  clReleaseEvent(event);
  return 1e-6 * (double)time;
}
template <class Run> static double milliseconds(int calls, const Run &run) {
  const cl_event begin = mark();
  for (int i = 0; i < calls; i++) run();
  const cl_event end = mark();
  const double at = ended(end), from = ended(begin);
  return std::max(at - from, 1e-6) / calls;
}

/* ---- ceilings: kernels of 16 bytes a work-item, and eight chains of multiply-adds in each of many ---- */

static const char source[] =
    "__kernel void copy(__global uint4 *to, __global const uint4 *from) { to[get_global_id(0)] = from[get_global_id(0)]; }\n"
    "__kernel void fill(__global uint4 *to) { to[get_global_id(0)] = (uint4)(0x01010101u); }\n"
    "#define PEAK(T, T8, name) \\\n"
    "  __kernel void name(__global T *out, const T factor, const int steps) { \\\n"
    "    T8 v = (T8)(0, 1, 2, 3, 4, 5, 6, 7) + (T8)((T)get_local_id(0)); \\\n"
    "    for (int s = 0; s < steps; s += 4) { \\\n"
    "      v = fma(v, (T8)(factor), (T8)(1)); \\\n"
    "      v = fma(v, (T8)(factor), (T8)(1)); \\\n"
    "      v = fma(v, (T8)(factor), (T8)(1)); \\\n"
    "      v = fma(v, (T8)(factor), (T8)(1)); \\\n"
    "    } \\\n"
    "    if (v.s0 + v.s1 + v.s2 + v.s3 + v.s4 + v.s5 + v.s6 + v.s7 < 0) \\\n"
    "      out[0] = v.s0; /* never, but the compiler does not know */ \\\n"
    "  }\n"
    "PEAK(float, float8, peak_f32)\n"
    "#ifdef F64\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "PEAK(double, double8, peak_f64)\n"
    "#endif\n";

static cl_kernel kernel_of(const char *name) {
  cl_int error;
  const cl_kernel kernel = clCreateKernel(device.program, name, &error);
  must_cl(error, name);
  return kernel;
}

static void start(cl_kernel kernel, size_t items, const size_t *group) {
  must_cl(clEnqueueNDRangeKernel(device.queue, kernel, 1, NULL, &items, group, 0, NULL, NULL), "ceiling");
}

template <class T> static void copy(const on_device<T> &to, const on_device<T> &from, size_t n) {
  static const cl_kernel kernel = kernel_of("copy");
  must_cl(clSetKernelArg(kernel, 0, sizeof to.p, &to.p) | clSetKernelArg(kernel, 1, sizeof from.p, &from.p), "copy");
  start(kernel, std::max(n * sizeof(T) / 16, (size_t)1), NULL);
}
template <class T> static void fill(const on_device<T> &to, size_t n) {
  static const cl_kernel kernel = kernel_of("fill");
  must_cl(clSetKernelArg(kernel, 0, sizeof to.p, &to.p), "fill");
  start(kernel, std::max(n * sizeof(T) / 16, (size_t)1), NULL);
}

template <class T> struct peak_of {
  cl_kernel kernel;
  size_t items;
  cl_int steps;
  explicit peak_of(const on_device<T> &out)
      : kernel(kernel_of(sizeof(T) == 4 ? "peak_f32" : "peak_f64")),
        items(64 * (opt.quick ? 1 : 256 * device.cl->compute_units)), steps(opt.quick ? 16 : 4096) {
    const T factor = (T)0.5;
    must_cl(clSetKernelArg(kernel, 0, sizeof out.p, &out.p) | clSetKernelArg(kernel, 1, sizeof factor, &factor) |
                clSetKernelArg(kernel, 2, sizeof steps, &steps),
            "peak");
  }
  ~peak_of() { clReleaseKernel(kernel); }
  void operator()() const {
    const size_t group = 64;
    start(kernel, items, &group);
  }
  double count() const { return 8.0 * (double)items * steps; }

private:
  peak_of(const peak_of &);
};

/* ---- the calls ---- */

static convk_cl_array from(cl_mem mem, size_t offset) {
  const convk_cl_array a = {mem, offset};
  return a;
}

static convk_cl_points points_of(cl_mem xyz, size_t n) {
  const convk_cl_points p = {n, from(xyz, 0), from(xyz, n), from(xyz, 2 * n), 1};
  return p;
}

/* As convk_mesh_assign lays out a mesh without corners. */
static convk_cl_mesh mesh_there(cl_mem mesh, size_t n) {
  convk_cl_mesh m;
  memset(&m, 0, sizeof m);
  m.n = n;
  m.ax = from(mesh, 0);
  m.ay = from(mesh, n);
  m.az = from(mesh, 2 * n);
  m.x = from(mesh, 3 * n);
  m.y = from(mesh, 4 * n);
  m.z = from(mesh, 5 * n);
  return m;
}

static convk_cl_q q_there(cl_mem q, size_t nx, size_t ny) {
  convk_cl_q there;
  memset(&there, 0, sizeof there);
  there.n = nx;
  there.x = from(q, 0);
  there.y = from(q, nx);
  there.z = from(q, nx + ny);
  return there;
}

static convk_sepconv3d_shape periodic_shape(const convk_grid3 *g) {
  const convk_sepconv3d_shape shape = {*g, {0, 0, 0, 0, 0}, {0, 0, 0}};
  return shape;
}

/* work NULL: the bytes of it. */
#define SUM_CALL(T, type, real) \
  static int sum_call_##type(const sum_case &c, cl_mem v, cl_mem x, cl_mem y, cl_mem sums, cl_mem work, size_t *bytes) { \
    T taps[CONVK_DERIVATIVE_TAPS]; \
    const convk_cl_queue on = the_queue(); \
    const convk_sumconv3d_shape shape = c.shape(); \
    const convk_hamiltonian_shape orbital = c.orbital(); \
    const convk_chebyshev filter = c.filter(); \
    const convk_sumconv_terms_##real here = sum_terms(c, taps, (const T *)NULL); \
    const convk_hamiltonian_terms_##real from = orbital_terms(c, (const T *)NULL); \
    convk_cl_sumconv_terms_##real terms = convk_cl_sumconv_terms_##real(); \
    convk_cl_hamiltonian_terms_##real h = convk_cl_hamiltonian_terms_##real(); \
    memcpy(terms.filter, here.filter, sizeof here.filter); \
    memcpy(h.spacing, from.spacing, sizeof from.spacing); \
    memcpy(h.k, from.k, sizeof from.k); \
    terms.potential_factor = here.potential_factor; \
    terms.potential = h.potential = whole(v); \
    if (c.operation == SUM_HAMILTONIAN) \
      return work ? convk_cl_hamiltonian_apply_##type(&on, &orbital, &h, whole(x), whole(y), whole(sums), whole(work), *bytes) \
                  : convk_cl_hamiltonian_apply_work_size_##type(&on, &orbital, bytes); \
    if (c.operation == SUM_FILTER) \
      return work ? convk_cl_chebyshev3d_##type(&on, &shape, &terms, &filter, whole(x), whole(y), whole(work), *bytes) \
                  : convk_cl_chebyshev3d_work_size_##type(&on, &shape, &terms, &filter, bytes); \
    return work ? convk_cl_sumconv3d_##type(&on, &shape, &terms, whole(x), whole(y), whole(sums), whole(*bytes ? work : NULL), \
                                            *bytes) \
                : convk_cl_sumconv3d_work_size_##type(&on, &shape, &terms, bytes); \
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
    must(!convk_cl_magicfilter3d_work_size_##type(NULL, &shape, CONVK_FORWARD, NULL, &bytes), "work_size"); \
    return bytes; \
  } \
  static int magicfilter(const convk_grid3 *g, const on_device<T> &x, const on_device<T> &y, const bytes_there &work, \
                         size_t bytes) { \
    const convk_sepconv3d_shape shape = periodic_shape(g); \
    const convk_cl_queue on = the_queue(); \
    return convk_cl_magicfilter3d_##type(&on, &shape, CONVK_FORWARD, NULL, whole(x.p), whole(y.p), whole(work.p), bytes); \
  } \
  static size_t dwt_work(const convk_grid3 *g, T) { \
    const convk_wavelet_##type w = convk_wavelet_taps_##type(CONVK_WAVELET_DAUBECHIES16); \
    const convk_dwt3d_shape shape = {*g, {0, 0, 0, 0, 0}, {0, 0, 0}, 1}; \
    size_t bytes = 0; \
    must(!convk_cl_dwt3d_work_size_##type(NULL, &shape, &w, &bytes), "work_size"); /* either way */ \
    return bytes; \
  } \
  static int dwt(int back, const convk_grid3 *g, const on_device<T> &x, const on_device<T> &y, const bytes_there &work, \
                 size_t bytes) { \
    const convk_wavelet_##type w = convk_wavelet_taps_##type(CONVK_WAVELET_DAUBECHIES16); \
    const convk_dwt3d_shape shape = {*g, {0, 0, 0, 0, 0}, {0, 0, 0}, 1}; \
    const convk_cl_queue on = the_queue(); \
    return back ? convk_cl_idwt3d_##type(&on, &shape, &w, whole(x.p), whole(y.p), whole(work.p), bytes) \
                : convk_cl_dwt3d_##type(&on, &shape, &w, whole(x.p), whole(y.p), whole(work.p), bytes); \
  } \
  static int sum_call(const sum_case &c, const on_device<T> &v, const on_device<T> &x, const on_device<T> &y, \
                      const on_device<double> &sums, const bytes_there *work, size_t *bytes) { \
    return (c.is_complex ? sum_call_##complex_type : sum_call_##type)(c, c.potential ? v.p : NULL, x.p, y.p, \
                                                                      c.sums ? sums.p : NULL, work ? work->p : NULL, bytes); \
  } \
  static int stencil7(const convk_grid3 *g, size_t steps, const stencil_tuning *t, const on_device<T> &a, \
                      const on_device<T> &b, size_t first, int *second) { \
    const convk_stencil7_coefficients_##type c = convk_stencil7_isotropic_##type((T)0.4, (T)0.1); \
    const convk_stencil7_shape shape = {*g, {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED}}; \
    const convk_cl_queue on = the_queue(); \
    const convk_cl_array from = {a.p, first}, to = {b.p, first}; \
    convk_cl_array result = {NULL, 0}, none = {NULL, 0}; \
    device.cl->stencil_steps = t ? *t : 0; \
    const int status = convk_cl_stencil7_##type(&on, &shape, &c, steps, from, to, &result, none, 0); \
    *second = result.mem == b.p; \
    return status; \
  } \
  static int map(int f, size_t n, const on_device<T> &x, const on_device<T> &y, const on_device<T> &z) { \
    const convk_cl_queue on = the_queue(); \
    return f ? convk_cl_sincos_##type(&on, n, whole(x.p), whole(y.p), whole(z.p)) \
             : convk_cl_exp_##type(&on, n, whole(x.p), whole(y.p)); \
  } \
  static int gridpot(size_t n, const on_device<T> &xyz, size_t m, const both<T> &alpha, const on_device<T> &g) { \
    const convk_cl_points p = points_of(xyz.p, n); \
    const convk_cl_queue on = the_queue(); \
    const convk_gaussians_##type e = {{0, 0, 0}, m, &alpha.here[0], 0, NULL, 0}; \
    return convk_cl_gridpot_##type(&on, &p, &e, NULL, whole(g.p), 0); \
  } \
  static int gridpot_sum(size_t n, const on_device<T> &xyz, size_t m, const both<T> &alpha, size_t nsums, const both<T> &c, \
                         const on_device<T> &sums) { \
    const convk_cl_points p = points_of(xyz.p, n); \
    const convk_cl_queue on = the_queue(); \
    const convk_gaussians_##type e = {{0, 0, 0}, m, &alpha.here[0], nsums, &c.here[0], 0}; \
    return convk_cl_gridpot_sum_##type(&on, &p, &e, NULL, whole(sums.p), 0); \
  } \
  static size_t orbitals_grid_work(int form, const convk_gaussian_box *box, const convk_orbital_set_##type *set) { \
    const convk_cl_queue on = the_queue(); \
    size_t bytes = 0; \
    must(!(form == GRID_POINT_K ? convk_cl_orbitals_grid_k_work_size_##type \
                                : convk_cl_orbitals_grid_work_size_##type)(&on, box, set, &bytes), \
         "work of orbitals_grid"); \
    return bytes; \
  } \
  static int orbitals_grid(int form, const convk_gaussian_box *box, const convk_orbital_set_##type *set, \
                           const on_device<T> &out, const on_device<char> &work, size_t bytes) { \
    const convk_cl_queue on = the_queue(); \
    convk_cl_density_parts parts; \
    memset(&parts, 0, sizeof parts); \
    parts.density = whole(out.p); \
    const convk_bloch_##type bloch = {{0.25, -0.5, 0.75}, set->coefficients}; \
    if (form == GRID_POINT_K) \
      return convk_cl_orbitals_grid_k_##type(&on, box, set, &bloch, NULL, whole(out.p), 0, whole(work.p), bytes); \
    return form == GRID_DENSITY ? convk_cl_density_grid_##type(&on, box, set, NULL, &parts, whole(work.p), bytes) \
                                : convk_cl_orbitals_grid_##type(&on, box, set, NULL, whole(out.p), 0, whole(work.p), bytes); \
  } \
  static size_t formfactor_work(size_t n, size_t nq, T) { \
    const convk_cl_queue on = the_queue(); \
    const convk_cl_mesh m = mesh_there(NULL, n); \
    const convk_cl_q all = q_there(NULL, nq, nq); \
    size_t bytes = 0; \
    must(!convk_cl_formfactor_work_size_##type(&on, &m, &all, &bytes), "work of formfactor"); \
    return bytes; \
  } \
  static int formfactor(size_t n, const on_device<T> &mesh, const convk_mesh_measures *k, size_t nq, const on_device<T> &q, \
                        const on_device<T> &f, const bytes_there &work, size_t bytes) { \
    const convk_cl_queue on = the_queue(); \
    const convk_cl_mesh m = mesh_there(mesh.p, n); \
    const convk_cl_q all = q_there(q.p, nq, nq); \
    return convk_cl_formfactor_##type(&on, &m, k, &all, NULL, whole(f.p), whole(work.p), bytes); \
  } \
  static size_t formfactor_grid_work(size_t n, const convk_grid3 *g, T) { \
    const convk_cl_queue on = the_queue(); \
    const convk_cl_mesh m = mesh_there(NULL, n); \
    const convk_cl_q axes = q_there(NULL, g->nx, g->ny); \
    size_t bytes = 0; \
    must(!convk_cl_formfactor_grid_work_size_##type(&on, &m, g, &axes, &bytes), "work of formfactor_grid"); \
    return bytes; \
  } \
  static int formfactor_grid(size_t n, const on_device<T> &mesh, const convk_mesh_measures *k, const convk_grid3 *g, \
                             const on_device<T> &q, const on_device<T> &f, const bytes_there &work, size_t bytes) { \
    const convk_cl_queue on = the_queue(); \
    const convk_cl_mesh m = mesh_there(mesh.p, n); \
    const convk_cl_q axes = q_there(q.p, g->nx, g->ny); \
    return convk_cl_formfactor_grid_##type(&on, &m, k, g, &axes, NULL, whole(f.p), whole(work.p), bytes); \
  } \
  static size_t fft_there(const void *plan, T) { \
    size_t bytes = 0; \
    must(!convk_fftconv2d_plan_bytes_##complex_type(NULL, (const convk_fftconv2d_plan_##complex_type *)plan, &bytes), \
         "bytes of a plan"); \
    return bytes; \
  } \
  static size_t fft_work(const void *plan, size_t items, T) { \
    const convk_cl_queue on = the_queue(); \
    size_t bytes = 0; \
    must(!convk_cl_fftconv2d_work_size_##complex_type(&on, (const convk_fftconv2d_plan_##complex_type *)plan, items, &bytes), \
         "size of work"); \
    return bytes; \
  } \
  static int fftconv2d(const void *plan, const bytes_there &there, const convk_batch2d *b, const on_device<T> &in, \
                       const on_device<T> &out, const bytes_there &work, size_t bytes) { \
    const convk_cl_queue on = the_queue(); \
    const convk_cl_batch2d batch = {b->items,      b->in_pitch, b->in_stride,       b->out_pitch, \
                                    b->out_stride, {NULL, 0},   b->items_per_kernel}; \
    return convk_cl_fftconv2d_##complex_type(&on, (const convk_fftconv2d_plan_##complex_type *)plan, whole(there.p), &batch, \
                                             whole(in.p), whole(out.p), whole(bytes ? work.p : NULL), bytes); \
  } \
  static size_t pair_work(size_t n, size_t walkers, T) { \
    const convk_cl_queue on = the_queue(); \
    size_t bytes = 0; \
    return convk_cl_pair_energy_work_size_##type(&on, n, walkers, &bytes) ? 0 : bytes; \
  } \
  static int pair_energy(const convk_pair_system *s, const convk_pair_walkers *w, const on_device<T> &r, \
                         const on_device<convk_pair_result> &result, const on_device<T> &gradient, const bytes_there &work, \
                         size_t bytes) { \
    const convk_cl_queue on = the_queue(); \
    const convk_cl_array at = {r.p, 0}, to = {result.p, 0}, slope = {gradient.p, 0}, room = {work.p, 0}; \
    return convk_cl_pair_energy_##type(&on, s, w, CONVK_PAIR_ALL, at, to, slope, room, bytes); \
  } \
  static size_t sweeps_work(const convk_vmc *v, T) { \
    const convk_cl_queue on = the_queue(); \
    size_t bytes = 0; \
    return convk_cl_vmc_sweeps_work_size_##type(&on, v, &bytes) ? 0 : bytes; \
  } \
  static int sweeps(const convk_vmc *v, const on_device<T> &r, const on_device<double> &ln_psi, \
                    const on_device<double> &drift, const on_device<uint32_t> &accepted, const bytes_there &work, \
                    size_t bytes) { \
    const convk_cl_queue on = the_queue(); \
    const convk_vmc_sweeps sweeps = {0, 16, v->step, 1}; \
    const convk_cl_vmc_walkers_##type walkers = {{r.p, 0}, {ln_psi.p, 0}, {NULL, 0}, {drift.p, 0}, {accepted.p, 0}}; \
    const convk_cl_array room = {work.p, 0}; \
    return convk_cl_vmc_sweeps_##type(&on, v, &sweeps, &walkers, room, bytes); \
  }
TYPED(float, f32, c32)
TYPED(double, f64, c64)
#undef TYPED

#define TYPED(T, type) \
  static int histogram(size_t n, const convk_distances &d, const on_device<T> &x, const on_device<uint64_t> &bins, \
                       const bytes_there *work, size_t *bytes) { \
    const convk_cl_queue on = the_queue(); \
    const convk_cl_atoms_##type atoms = {n, 1, n, {x.p, 0}, {x.p, n}, {x.p, 2 * n}, {NULL, 0}, {NULL, 0}}; \
    const convk_cl_distances_##type to = { \
        d.bins, 1, d.width, d.moments, {bins.p, 0}, {{bins.p, d.bins}, {bins.p, 2 * d.bins}}, {NULL, 0}}; \
    return work ? convk_cl_pair_histogram_##type(&on, &atoms, NULL, NULL, &to, whole(work->p), *bytes) \
                : convk_cl_pair_histogram_work_size_##type(&on, &atoms, &to, bytes); \
  } \
  static int debye(const convk_distances &d, const on_device<uint64_t> &bins, size_t nq, const on_device<T> &q, \
                   const bytes_there *work, size_t *bytes) { \
    convk_cl_queue on = the_queue(); \
    const convk_cl_distances_##type from = { \
        d.bins, 1, d.width, d.moments, {bins.p, 0}, {{bins.p, d.bins}, {bins.p, 2 * d.bins}}, {NULL, 0}}; \
    const convk_cl_intensities_##type to = {nq, {q.p, 0}, {q.p, nq}, {NULL, 0}}; \
    return work ? convk_cl_debye_##type(&on, &from, NULL, NULL, &to, whole(work->p), *bytes) \
                : convk_cl_debye_work_size_##type(&on, &from, &to, bytes); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

#define TYPED(T, type) \
  static int amplitudes(size_t n, int way, size_t m, const on_device<T> &x, const on_device<T> &axes, const on_device<T> &f, \
                        const bytes_there *work, size_t *bytes) { \
    const convk_cl_queue on = the_queue(); \
    const convk_cl_atoms_##type atoms = {n, 1, n, {x.p, 0}, {x.p, n}, {x.p, 2 * n}, {NULL, 0}, {NULL, 0}}; \
    const convk_cl_q q = {m, {axes.p, 0}, {axes.p, m}, {axes.p, 2 * m}, {NULL, 0}, {NULL, 0}, {way == 3 ? axes.p : NULL, 0}}; \
    const bool tensor = way == 1 || way == 2; \
    const convk_grid3 grid = {m, m, m, 0, 0}; \
    if (!work) \
      return tensor ? convk_cl_amplitudes_grid_work_size_##type(&on, &atoms, &grid, NULL, bytes) \
                    : convk_cl_amplitudes_work_size_##type(&on, &atoms, &q, NULL, bytes); \
    return tensor ? convk_cl_amplitudes_grid_##type(&on, &atoms, &grid, &q, NULL, whole(f.p), whole(work->p), *bytes) \
                  : convk_cl_amplitudes_##type(&on, &atoms, &q, NULL, whole(f.p), whole(work->p), *bytes); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

#include "device_families.h"

/* Of devices by NVIDIA, ten times the compute capability. */
static int arch_of(cl_device_id id) {
  cl_uint part[2] = {0, 0};
  for (cl_uint k = 0; k < 2; k++) /* CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, MINOR */
    if (clGetDeviceInfo(id, 0x4000 + k, sizeof part[k], &part[k], NULL)) return 0;
  return (int)(10 * part[0] + part[1]);
}

/* The stencil with all arrays in the host's memory at every step. */
template <class T> static void measure_sweeps_in_host(const char *type, size_t n) {
  const size_t all = (n + 2) * (n + 2) * (n + 2), bytes = n * n * n * sizeof(T);
  std::vector<T> x(all), y(all);
  const on_device<T> there(all);
  measure_in_host<T>(&device.hw, type, "", n, &x[0], &y[0], [&] {
    must_cl(clEnqueueWriteBuffer(device.queue, there.p, CL_TRUE, 0, bytes, &x[0], 0, NULL, NULL) |
                clEnqueueReadBuffer(device.queue, there.p, CL_TRUE, 0, bytes, &y[0], 0, NULL, NULL),
            "copies");
  });
}

int main(int argc, char **argv) {
  char name[256] = "", spec[300] = "opencl";
  cl_int error;
  read_options(argc, argv, 0);
  if (opt.device) snprintf(spec, sizeof spec, "opencl:%.250s", opt.device);
  must(!convk_open(&device.hw, spec), spec);
  device.cl = convk_cl_of(&device.hw);
  bench_f64 = device.cl->fp64;
  device.queue = clCreateCommandQueue(device.cl->context, device.cl->device, CL_QUEUE_PROFILING_ENABLE, &error);
  must_cl(error, "queue");
  const char *text = source;
  device.program = clCreateProgramWithSource(device.cl->context, 1, &text, NULL, &error);
  must_cl(error, "program");
  must_cl(clBuildProgram(device.program, 1, &device.cl->device, bench_f64 ? "-DF64" : "", NULL, NULL), "program");
  must_cl(clGetDeviceInfo(device.cl->device, CL_DEVICE_NAME, sizeof name - 1, name, NULL), "device");
  machine(name, arch_of(device.cl->device), "OpenCL");
  measure_both();
  if (bench_f64) measure_sweeps_in_host<double>("f64", opt.quick ? 12 : 256);
  measure_sweeps_in_host<float>("f32", opt.quick ? 12 : 256);
  clReleaseProgram(device.program);
  clReleaseCommandQueue(device.queue);
  convk_close(&device.hw);
  if (opt.json) fclose(opt.json);
  return 0;
}
