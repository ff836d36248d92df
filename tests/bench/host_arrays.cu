/* Calls on host arrays by a CUDA device, which copy there and back: memory as malloc gives it (pageable), and memory that the driver
   has pinned, each beside plain copies of as many bytes of the same kind, in the same rounds; and sweeps of the stencil that leave
   their arrays on the host at every step.
     host_arrays [--quick] [--filter TEXT] [--device N] [--json FILE]
   Builds with nvcc, and with a C++ compiler in the tests' emulator (where rates mean nothing). */
#define BENCH_CUDA_PARTS
#include "bench_cuda.cu"

static double seconds(void) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/* n elements on the host. */
template <class T> struct host_memory {
  T *p;
  int pinned;
  host_memory(size_t n, int pin) : p(NULL), pinned(pin) {
    if (pinned) must(!cudaMallocHost((void **)&p, n * sizeof(T)), "pinned memory");
    else p = (T *)malloc(n * sizeof(T));
    must(p != NULL, "memory");
    memset((void *)p, 0, n * sizeof(T)); /* so that pages are there */
  }
  ~host_memory() {
    if (pinned) cudaFreeHost(p);
    else free(p);
  }

private:
  host_memory(const host_memory &);
};

/* Those of sums and Gaussians come with one vector, and, named by their number, with eight of half as many points an axis. */
static const char *const operations[] = {"exp",
                                         "magicfilter3d",
                                         "stencil7",
                                         "stencil7_8",
                                         "stencil7_steps",
                                         "fftconv2d",
                                         "dwt3d",
                                         "sumconv3d",
                                         "sumconv3d_8",
                                         "chebyshev3d",
                                         "chebyshev3d_8",
                                         "hamiltonian_apply",
                                         "hamiltonian_apply_8",
                                         "orbitals_grid_8"};
static bool begins(const std::string &text, const char *with) { return !text.compare(0, strlen(with), with); }
static bool is_newer(const std::string &which) {
  return which == "dwt3d" || begins(which, "sumconv3d") || begins(which, "chebyshev3d") || begins(which, "hamiltonian") ||
         begins(which, "orbitals");
}
static size_t many_steps(void) { return opt.quick ? 4 : 64; }

/* A batch of convolutions, 32 x 32 points each. */
static const size_t fft_side = 32, fft_kernels = 64;
static size_t fft_items(size_t points) { return points / (fft_side * fft_side); }

/* The result is in y, or for an even number of steps in x. */
#define TYPED(T, type, complex_type) \
  static std::vector<char> fft_plan_of(T) { \
    convk_fftconv2d_shape shape; \
    memset(&shape, 0, sizeof shape); \
    shape.mode = CONVK_FFT_CIRCULAR; \
    shape.rows = shape.columns = shape.fft_rows = shape.fft_columns = fft_side; \
    const std::vector<T> spectra = numbers<T>(2 * fft_side * fft_side * fft_kernels); \
    std::vector<char> plan(fft_plan_size(&shape, fft_kernels, T())); \
    must(!fft_plan(&shape, fft_kernels, &spectra[0], &plan[0], plan.size()), "plan of fftconv2d"); \
    return plan; \
  } \
  static int orbitals(convk *hw, const convk_grid3 *g, size_t rows, T *y) { \
    const std::vector<convk_shell> shells = water_shells(); \
    convk_gaussian_box box; \
    size_t functions = 0; \
    memset(&box, 0, sizeof box); \
    box.grid = *g; \
    box.step_x[0] = box.step_y[1] = box.step_z[2] = 8 / (double)g->nx; \
    for (int d = 0; d < 3; d++) box.origin[d] = -4; \
    must(!convk_shells_functions(NULL, shells.size(), &shells[0], &functions), "functions"); \
    const std::vector<T> c = numbers<T>(rows * functions); \
    const convk_orbital_set_##type set = {shells.size(), &shells[0], rows, &c[0], 0, NULL, NULL}; \
    return convk_orbitals_grid_##type(hw, &box, &set, NULL, y, 0, NULL, 0); \
  } \
  static int call(convk *hw, const std::string &which, const convk_grid3 *g, const std::vector<char> &plan, const T *v, T *x, \
                  T *y) { \
    const convk_stencil7_coefficients_##type c = convk_stencil7_isotropic_##type((T)0.4, (T)0.1); \
    const convk_sepconv3d_shape shape = {*g, {0, 0, 0, 0, 0}, {0, 0, 0}}; /* periodic */ \
    const convk_stencil7_shape grid = fixed_ends(g); \
    const size_t points = g->nx * g->ny * g->nz, steps = which == "stencil7" ? 1 : which == "stencil7_8" ? 8 : many_steps(); \
    T *result; \
    convk_batch2d batch; \
    memset(&batch, 0, sizeof batch); \
    batch.items = fft_items(points) / 2; \
    batch.items_per_kernel = batch.items / fft_kernels + 1; \
    const size_t vectors = which.find("_8") == std::string::npos ? 1 : 8, half = vectors > 1 ? 2 : 1; \
    const convk_grid3 part = {g->nx / half, g->ny / half, g->nz / half, 0, 0}; \
    const sum_case sum = {begins(which, "sum") ? SUM_ONCE : begins(which, "cheby") ? SUM_FILTER : SUM_HAMILTONIAN, \
                          8, \
                          0, \
                          1, \
                          0, \
                          8, \
                          vectors, \
                          part}; \
    const convk_dwt3d_shape wavelets = {*g, {0, 0, 0, 0, 0}, {0, 0, 0}, 1}; \
    const convk_wavelet_##type pair = convk_wavelet_taps_##type(CONVK_WAVELET_DAUBECHIES16); \
    if (which == "dwt3d") return convk_dwt3d_##type(hw, &wavelets, &pair, x, y, NULL, 0); \
    if (begins(which, "orbitals")) return orbitals(hw, &part, vectors, y); \
    if (is_newer(which)) return sum_here(hw, sum, v, x, y, NULL); \
    if (which == "exp") return convk_exp_##type(hw, points, x, y); \
    if (which == "magicfilter3d") return convk_magicfilter3d_##type(hw, &shape, CONVK_FORWARD, NULL, x, y, NULL, 0); \
    if (which == "fftconv2d") \
      return convk_fftconv2d_##complex_type(hw, (const convk_fftconv2d_plan_##complex_type *)(const void *)&plan[0], &batch, \
                                            x, y, NULL, 0); \
    return convk_stencil7_##type(hw, &grid, &c, steps, x, y, &result, NULL, 0); \
  }
TYPED(float, f32, c32)
TYPED(double, f64, c64)
#undef TYPED

/* A call beside copies of its arrays: of pinned ones the longer of both directions, behind which all else may hide; of others all
   in turn. */
template <class T> static void measure(convk *hw, const char *type, size_t n) {
  const std::vector<T> start = numbers<T>(n * n * n);
  const std::vector<char> plan = fft_plan_of(T());
  for (size_t k = 0; k < sizeof operations / sizeof *operations; k++) {
    const std::string which = operations[k];
    const size_t m = !opt.quick                 ? n
                     : is_newer(which)          ? n / 8
                     : begins(which, "stencil") ? n / 2
                                                : n,
                 points = m * m * m, bytes = points * sizeof(T);
    const convk_grid3 g = {m, m, m, 0, 0};
    const std::string size = std::to_string(m) + "x" + std::to_string(m) + "x" + std::to_string(m);
    const bool to_x = which == "stencil7_8" || which == "stencil7_steps";
    const double arrays_in = begins(which, "orbitals")               ? 0 /* orbitals only go out */
                             : !is_newer(which) || which == "dwt3d"  ? 1
                             : which.find("_8") == std::string::npos ? 2 /* a potential, too */
                                                                     : 1.125;
    std::vector<T> first;
    if (!wanted(operations[k])) continue;
    for (int pinned = 0; pinned < 2; pinned++) {
      const host_memory<T> x(points, pinned), y(points, pinned), v(points, pinned);
      const on_device<T> there(points);
      std::vector<double> calls, copies;
      for (int round = -1; round < opt.rounds; round++) { /* the first is not counted */
        std::copy(start.begin(), start.begin() + (std::ptrdiff_t)points, x.p);
        std::copy(start.begin(), start.begin() + (std::ptrdiff_t)points, y.p);
        std::copy(start.begin(), start.begin() + (std::ptrdiff_t)points, v.p);
        must(!cudaDeviceSynchronize(), "device");
        const double begun = seconds();
        must(!call(hw, which, &g, plan, v.p, x.p, y.p), operations[k]);
        const double called = seconds();
        const T *const result = to_x ? x.p : y.p;
        must(round >= 0 || !pinned || !memcmp(result, &first[0], bytes), "pageable and pinned memory: other bits");
        if (round < 0 && !pinned) first.assign(result, result + points);
        const double in = seconds();
        must(!cudaMemcpy(there.p, x.p, bytes, cudaMemcpyHostToDevice), "copy in");
        const double out = seconds();
        must(!cudaMemcpy(y.p, there.p, bytes, cudaMemcpyDeviceToHost), "copy out");
        const double there_and = arrays_in * (out - in), back = seconds() - out;
        if (round >= 0) copies.push_back(pinned ? std::max(there_and, back) : there_and + back);
        if (round >= 0) calls.push_back(called - begun);
      }
      const double moved = 1e-9 * (arrays_in + 1) * (double)bytes;
      line((which + (pinned ? "_pinned" : "_pageable")).c_str(), type, size.c_str(), moved / median(calls), "GB/s",
           moved / median(copies), pinned ? "the longer copy" : "copies in turn", 0);
    }
  }
}

/* The stencil with all arrays in the host's memory at every step. */
template <class T> static void measure_sweeps_in_host(convk *hw, const char *type, size_t n) {
  const size_t all = (n + 2) * (n + 2) * (n + 2), bytes = n * n * n * sizeof(T);
  for (int pinned = 0; pinned < 2; pinned++) {
    const host_memory<T> x(all, pinned), y(all, pinned);
    const on_device<T> there(all);
    measure_in_host<T>(hw, type, pinned ? "_pinned" : "_pageable", n, x.p, y.p, [&] {
      must(!cudaMemcpy(there.p, x.p, bytes, cudaMemcpyHostToDevice) && !cudaMemcpy(y.p, there.p, bytes, cudaMemcpyDeviceToHost),
           "copies");
    });
  }
}

int main(int argc, char **argv) {
  cudaDeviceProp device;
  convk hw;
  read_options(argc, argv, 0);
  const int ordinal = opt.device ? atoi(opt.device) : 0;
  must(!cudaSetDevice(ordinal) && !cudaGetDeviceProperties(&device, ordinal), "--device");
  must(!convk_open(&hw, ("cuda:" + std::to_string(ordinal)).c_str()), "convk_open");
  machine(device.name, 10 * device.major + device.minor, "nvcc");
  measure<double>(&hw, "f64", opt.quick ? 32 : 512);
  measure<float>(&hw, "f32", opt.quick ? 32 : 512);
  measure_sweeps_in_host<double>(&hw, "f64", opt.quick ? 12 : 256);
  measure_sweeps_in_host<float>(&hw, "f32", opt.quick ? 12 : 256);
  convk_close(&hw);
  if (opt.json) fclose(opt.json);
  return 0;
}
