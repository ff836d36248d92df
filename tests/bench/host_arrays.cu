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

static const char *const operations[] = {"exp", "magicfilter3d", "stencil7", "stencil7_steps"};
static size_t many_steps(void) { return opt.quick ? 4 : 64; }

/* The result is in y, or for an even number of steps in x. */
#define TYPED(T, type) \
  static int call(convk *hw, int which, const convk_grid3 *g, T *x, T *y) { \
    const convk_stencil7_coefficients_##type c = convk_stencil7_isotropic_##type((T)0.4, (T)0.1); \
    const convk_sepconv3d_shape shape = {*g, {0, 0, 0, 0, 0}, {0, 0, 0}}; /* periodic */ \
    const convk_stencil7_shape grid = fixed_ends(g); \
    T *result; \
    if (which == 0) return convk_exp_##type(hw, g->nx * g->ny * g->nz, x, y); \
    if (which == 1) return convk_magicfilter3d_##type(hw, &shape, CONVK_FORWARD, NULL, x, y, NULL, 0); \
    return convk_stencil7_##type(hw, &grid, &c, which == 2 ? 1 : many_steps(), x, y, &result, NULL, 0); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

template <class T> static void measure(convk *hw, const char *type, size_t n) {
  const convk_grid3 g = {n, n, n, 0, 0};
  const size_t points = n * n * n, bytes = points * sizeof(T);
  const std::vector<T> start = numbers<T>(points);
  const std::string size = std::to_string(n) + "x" + std::to_string(n) + "x" + std::to_string(n);
  for (int which = 0; which < 4; which++) {
    std::vector<T> first;
    if (!wanted(operations[which])) continue;
    for (int pinned = 0; pinned < 2; pinned++) {
      const host_memory<T> x(points, pinned), y(points, pinned);
      const on_device<T> there(points);
      std::vector<double> calls, copies;
      for (int round = -1; round < opt.rounds; round++) { /* the first is not counted */
        std::copy(start.begin(), start.end(), x.p);
        std::copy(start.begin(), start.end(), y.p);
        must(!cudaDeviceSynchronize(), "device");
        const double begun = seconds();
        must(!call(hw, which, &g, x.p, y.p), operations[which]);
        const double called = seconds();
        must(round >= 0 || !pinned || !memcmp(which == 3 ? x.p : y.p, &first[0], bytes),
             "pageable and pinned memory: other bits");
        if (round < 0 && !pinned) first.assign(which == 3 ? x.p : y.p, (which == 3 ? x.p : y.p) + points);
        const double again = seconds();
        must(!cudaMemcpy(there.p, x.p, bytes, cudaMemcpyHostToDevice) &&
                 !cudaMemcpy(y.p, there.p, bytes, cudaMemcpyDeviceToHost),
             "copies");
        if (round >= 0) copies.push_back(seconds() - again);
        if (round >= 0) calls.push_back(called - begun);
      }
      const double moved = 2e-9 * (double)bytes;
      line((std::string(operations[which]) + (pinned ? "_pinned" : "_pageable")).c_str(), type, size.c_str(),
           moved / median(calls), "GB/s", moved / median(copies), "copies in and out", 0);
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
  measure<double>(&hw, "f64", opt.quick ? 12 : 384);
  measure<float>(&hw, "f32", opt.quick ? 12 : 384);
  measure_sweeps_in_host<double>(&hw, "f64", opt.quick ? 12 : 256);
  measure_sweeps_in_host<float>(&hw, "f32", opt.quick ? 12 : 256);
  convk_close(&hw);
  if (opt.json) fclose(opt.json);
  return 0;
}
