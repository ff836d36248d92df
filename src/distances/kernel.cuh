#define CONVK_SHARED_
#define CONVK_GLOBAL_
#define CONVK_ATOMIC_ADD_(p, v) atomicAdd(p, v)
#define CONVK_BARRIER_() __syncthreads()
#define CONVK_DOUBLE_BITS_(x) convk_cuda_bits_(x)
#define CONVK_GROUP_FUNCTION_ CONVK_CUDA_INLINE_
#define CONVK_TYPED_FUNCTION_ template <class real_> CONVK_CUDA_INLINE_
#define CONVK_KERNEL_(name) convk_cuda_##name##_
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_cuda_##name##_
#include "distances/device_kernels.h"
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_##name##_
#undef CONVK_KERNEL_
#undef CONVK_SHARED_
#undef CONVK_GLOBAL_
#undef CONVK_ATOMIC_ADD_
#undef CONVK_BARRIER_
#undef CONVK_DOUBLE_BITS_
#undef CONVK_GROUP_FUNCTION_
#undef CONVK_TYPED_FUNCTION_

template <class real_> struct convk_cuda_distances_sort_args_ {
  convk_distances_arguments_ of;
  const real_ *x, *y, *z;
  const uint32_t *kind;
  double *work;
  uint32_t *beyond;
};
struct convk_cuda_distances_args_ {
  convk_distances_arguments_ of;
  double *work;
  uint32_t *count, *first, *second, *beyond;
};

CONVK_CUDA_INLINE_ convk_distances_item_ convk_cuda_distances_item_() {
  const convk_distances_item_ item = {threadIdx.x, blockDim.x, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x};
  return item;
}

enum {
  CONVK_CUDA_DISTANCES_THREADS_ = 256, /* of a block */
  CONVK_CUDA_DISTANCES_MOST_ = 768,    /* of one with many bins: more would have too few registers */
  CONVK_CUDA_DISTANCES_BLOCKS_ = 1024  /* of a launch, at most: each adds its bins to the others */
};

template <class real_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_DISTANCES_THREADS_, 2)
    convk_cuda_distances_sort_(const convk_cuda_distances_sort_args_<real_> a) {
  const convk_distances_item_ item = convk_cuda_distances_item_();
  CONVK_CUDA_SHARED_(shared);
  convk_distances_sort_of_<real_>(&a.of, &item, a.x, a.y, a.z, a.kind, a.work, a.beyond, (uint32_t *)(void *)shared);
}

template <int moments_, int shared_>
static __global__ void __launch_bounds__(CONVK_CUDA_DISTANCES_MOST_)
    convk_cuda_distances_count_(const convk_cuda_distances_args_ a) {
  const convk_distances_item_ item = convk_cuda_distances_item_();
  CONVK_CUDA_SHARED_(shared);
  convk_distances_bins_ b;
  b.count = a.count;
  b.first = a.first;
  b.second = a.second;
  b.beyond = a.beyond;
  convk_distances_group_(&a.of, &item, a.work, &b, (uint32_t *)(void *)shared, moments_, shared_);
}

template <int shared_> static void (*convk_cuda_distances_of_(int moments))(const convk_cuda_distances_args_) {
  return moments > 1 ? convk_cuda_distances_count_<2, shared_>
         : moments   ? convk_cuda_distances_count_<1, shared_>
                     : convk_cuda_distances_count_<0, shared_>;
}
