#define CONVK_SHARED_
#define CONVK_GLOBAL_
#define CONVK_ATOMIC_ADD_(p, v) atomicAdd(p, v)
#define CONVK_ADD_LONG_(p, v) (atomicAdd((unsigned long long *)(void *)(p), (unsigned long long)(v)) > ~(uint64_t)(v))
#define CONVK_BARRIER_() __syncthreads()
#define CONVK_DOUBLE_BITS_(x) convk_cuda_bits_(x)
#define CONVK_SUM_(type, sum, x) convk_cuda_add_(sum, (type)(x))
#include "words/cuda_numbers.h"
#define CONVK_GROUP_FUNCTION_ CONVK_CUDA_INLINE_
#define CONVK_TYPED_FUNCTION_ template <class real_> CONVK_CUDA_INLINE_
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_cuda_##name##_
#pragma push_macro("CONVK_UNROLL_")
#undef CONVK_UNROLL_
#define CONVK_UNROLL_ CONVK_CUDA_UNROLL_
#include "distances/device_kernels.h"
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_##name##_
#pragma pop_macro("CONVK_UNROLL_")
#undef CONVK_GLOBAL_
#undef CONVK_SUM_
#include "words/cuda_numbers_end.h"

enum {
  CONVK_CUDA_DISTANCES_THREADS_ = 256, /* of a block */
  CONVK_CUDA_DISTANCES_MOST_ = 768,    /* of one with many bins: more would have too few registers */
  CONVK_CUDA_DISTANCES_BLOCKS_ = 1024  /* of a launch, at most: each adds its bins to the others */
};

struct convk_cuda_distances_args_ {
  convk_distances_arguments_ of;
  const void *x, *y, *z, *kind;
  void *count, *first, *second, *beyond, *work;
};

template <class real_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_DISTANCES_THREADS_, 2)
    convk_cuda_distances_sort_(const convk_cuda_distances_args_ a) {
  const convk_distances_item_ item = {threadIdx.x, blockDim.x, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x};
  CONVK_CUDA_SHARED_(shared);
  convk_distances_sort_of_(&a.of, &item, (const real_ *)a.x, (const real_ *)a.y, (const real_ *)a.z, (const uint32_t *)a.kind,
                           (double *)a.work, (uint32_t *)(void *)shared);
}

template <int moments_, int shared_>
static __global__ void __launch_bounds__(CONVK_CUDA_DISTANCES_MOST_)
    convk_cuda_distances_count_(const convk_cuda_distances_args_ a) {
  const convk_distances_item_ item = {threadIdx.x, blockDim.x, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x};
  CONVK_CUDA_SHARED_(shared);
  convk_distances_bins_ b = {(uint64_t *)a.count, (uint64_t *)a.first, (uint64_t *)a.second, NULL, 0, 0, 0};
  convk_distances_group_(&a.of, &item, (double *)a.work, &b, (uint64_t *)a.beyond, (uint32_t *)(void *)shared, moments_,
                         shared_);
}

template <int shared_> static void (*convk_cuda_distances_of_(unsigned moments))(const convk_cuda_distances_args_) {
  return moments > 1 ? convk_cuda_distances_count_<2, shared_>
         : moments   ? convk_cuda_distances_count_<1, shared_>
                     : convk_cuda_distances_count_<0, shared_>;
}

struct convk_cuda_debye_args_ {
  convk_debye_arguments_ of;
  convk_debye_there_ array;
};

template <class real_, int list_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_DISTANCES_THREADS_, 2)
    convk_cuda_debye_stage_(const convk_cuda_debye_args_ a) {
  const convk_distances_item_ item = {threadIdx.x, blockDim.x, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x};
  CONVK_CUDA_SHARED_(shared);
  if (list_) convk_debye_list_of_(&a.of, &a.array, &item, (uint32_t *)(void *)shared);
  else
    convk_debye_stage_of_(&a.of, &a.array, &item, (const real_ *)a.array.q, (real_ *)a.array.intensity, (real_ *)a.array.bound);
}
