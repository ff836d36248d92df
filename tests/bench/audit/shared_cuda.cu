/* The shared memory that kernels ask for when they start: shared_cuda BYTES starts transforms and form factors on a device whose
   blocks may have so many bytes, runs none of their kernels, and prints for each launch the kernel's address, its threads and the
   bytes.  audit_cuda.py builds it with a C++ compiler in the tests' emulator, and finds the names. */
#include <cstdio>
#include <cstdlib>
#include "../../cuda_emulator.h"

template <class Kernel> static cudaError_t noted(Kernel kernel, dim3 block, size_t shared) {
  printf("%llx %u %llu\n", (unsigned long long)(size_t)kernel, block.x, (unsigned long long)shared);
  return cudaSuccess;
}
/* Both ways in which hosts start kernels. */
#define convk_emulated_launch(kernel, grid, block, shared, stream, ...) noted(kernel, block, shared)
#define cudaLaunchKernel(kernel, grid, block, args, shared, stream) noted(kernel, block, shared)
static size_t shared_most;
#define CONVK_CUDA_FFT_SHARED_ shared_most
#define BENCH_CUDA_PARTS
#include "../bench_cuda.cu"

/* What calls_cuda.h asks for each call: only that it starts. */
template <class Run> static void each_call(const std::string &name, const char *, double, double, Run run, bool = false) {
  must(run() == 0, name.c_str());
}
#include "../calls_cuda.h"

template <class T> static void start_all(const char *type, const char *complex) {
  static const size_t sides[] = {8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 100, 112, 128, 256}, narrow[3] = {64, 16, 1},
                      wide[3] = {128, 16, 1};
  for (size_t m : sides) call_fft<T>(complex, type, m, 2);
  call_formfactor<T>(type, 2, narrow);
  call_formfactor<T>(type, 2, wide);
  noted(convk_cuda_formfactor_grid_<T, 64, 1>, dim3(64), convk_cuda_formfactor_grid_bytes_(64, 1)); /* fourth order */
  noted(convk_cuda_formfactor_grid_<T, 128, 1>, dim3(64), convk_cuda_formfactor_grid_bytes_(128, 1));
  for (size_t each = 2, look; each <= 6; each += 2) { /* of orbitals and a density on a grid; g functions */
    noted(convk_cuda_grids_of_<T>(0, each), dim3(128), convk_cuda_grids_shared_<T>(each, 5, &look));
    noted(convk_cuda_grids_of_<T>(1, each), dim3(128), convk_cuda_grids_shared_<T>(each, 5, &look));
    noted(convk_cuda_grids_of_<T>(2, each), dim3(128), convk_cuda_grids_shared_<T>(each, 10, &look));
  }
}

int main(int argc, char **argv) {
  if (argc != 2) return 1;
  shared_most = (size_t)atol(argv[1]);
  start_all<double>("f64", "c64");
  start_all<float>("f32", "c32");
  return 0;
}
