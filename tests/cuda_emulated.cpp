// The emulator's functions for kernels, optimised: tests/emulated.sh links them before those of the library's objects, which are made in
// less time, and run slower.
#include "cuda_emulator.h"

template <class T> static __global__ void kernel(T *p) {
  const unsigned self = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  __syncthreads();
  __syncwarp();
  __threadfence();
  p[0] = __shfl_sync(~0u, p[0], 1);
  p[1] = __shfl_down_sync(~0u, p[1], 1);
  p[2] = __shfl_up_sync(~0u, p[2], 1);
  p[3] = __shfl_xor_sync(~0u, p[3], 1);
  if (__any_sync(~0u, self > 0) || __all_sync(~0u, self < all)) atomicAdd(p, T(1));
}

void convk_emulated_functions(double *p);
void convk_emulated_functions(double *p) {
  void *arguments[] = {&p};
  cudaLaunchKernel(kernel<double>, dim3(1), dim3(32), arguments, 0, 0);
  kernel(reinterpret_cast<float *>(p));
  kernel(reinterpret_cast<unsigned *>(p));
  convk_emulated_copy_async(p, p, sizeof *p);
  convk_emulated_copies_wait();
  convk_emulated_multiply(p, p, p, p);
}
