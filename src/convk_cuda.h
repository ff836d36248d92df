#include "core/licence.h"

#include "device/cuda_manual.h"

#include "rooms/cuda_list.h"
#if !defined CONVK_CUDA_H_ || defined CONVK_CUDA_PASS_
#ifndef CONVK_CUDA_PASS_
#define CONVK_CUDA_H_
#include "rooms/cuda_names.h"

#ifndef CONVK_CUDA_HEADER
#define CONVK_CUDA_HEADER "convk_cuda.h"
#endif
#ifndef CONVK_HEADER
#define CONVK_HEADER "convk.h"
#endif
#ifndef CONVK_H_
#include CONVK_HEADER
#else
#include "core/again.h"
#endif

#if CONVK_MODE_ == 1 && !defined CONVK_CUDA_EMULATOR
#include <cuda_runtime_api.h> /* declarations only: any compiler will do */
#elif defined CONVK_CUDA_EMULATOR
#define CONVK_CUDA_ENTRY_(kernel) kernel
#define CONVK_CUDA_NOINLINE_ __attribute__((noinline))
#define CONVK_CUDA_BOUNDS_(threads, blocks)
#define CONVK_CUDA_SHARED_(name) unsigned char *const name = (unsigned char *)convk_emulated_dynamic_shared()
#else
#ifdef CONVK_HIP
#include "device/hip.h"
#define CONVK_CUDA_BOUNDS_(threads, blocks) __launch_bounds__(threads) /* the second number means something else there */
#elif defined __CUDACC__
#include <cuda_runtime.h>
#define CONVK_CUDA_PTX_                                                        /* instructions of PTX may be written */
#define CONVK_CUDA_BOUNDS_(threads, blocks) __launch_bounds__(threads, blocks) /* of a block; on a multiprocessor, at least */
#else
#error "convk_cuda.h needs a CUDA compiler: compile this file with nvcc"
#endif
#define CONVK_CUDA_ENTRY_(kernel) (const void *)(kernel)
#define CONVK_CUDA_NOINLINE_ __noinline__
#define CONVK_CUDA_SHARED_(name) \
  extern __shared__ __align__(16) unsigned char convk_cuda_shared_[]; \
  unsigned char *const name = convk_cuda_shared_
#endif
#if defined CONVK_CUDA_EMULATOR && !defined CONVK_EMULATOR_UNROLLS /* what is counted is what a device runs */
#define CONVK_CUDA_UNROLL_
#define CONVK_CUDA_UNROLL_BY_(count)
#else
#define CONVK_CUDA_UNROLL_ _Pragma("unroll")
#define CONVK_CUDA_UNROLL_BY_(count) CONVK_PRAGMA_(unroll count)
#endif
#define CONVK_CUDA_INLINE_ static __device__ __forceinline__
#define CONVK_CUDA_EACH_(i, count) CONVK_CUDA_UNROLL_ for (int i = 0; i < (count); i++)
/* What the threads of all blocks do together, each for every i that is its own. */
#define CONVK_CUDA_EVERY_(i, count, threads) \
  for (size_t i = blockIdx.x * (size_t)threads + threadIdx.x; i < count; i += gridDim.x * (size_t)threads)

/* What a kernel is compiled for, 900 for sm_90; 0 for the host.  From sm_100 on ptxas (CUDA 13.0) holds some kernels to so few
   registers that it spills a few of them, unless they name a smaller number of blocks. */
#ifdef __CUDA_ARCH__
#define CONVK_CUDA_ARCH_ __CUDA_ARCH__
#else
#define CONVK_CUDA_ARCH_ 0
#endif

#ifdef __cplusplus
extern "C" {
#endif
#include "stencil/cuda_tuning.h"
#include "device/cuda_api.h"
#include "device/words_api.h"
#define CONVK_ON_ convk_cuda_stream
#define CONVK_ARRAY_(type) type *
#define CONVK_DEVICE_STRUCT_(name) convk_##name
#define CONVK_DEVICE_(name) convk_cuda_##name##_
#define CONVK_ARGUMENTS_(name) convk_##name##_arguments_<CONVK_T>
#define CONVK_DEFINE_ARGUMENTS_(name) template <class real_> struct convk_##name##_arguments_
#define CONVK_ARGUMENT_T_ real_
#define CONVK_DEVICE_TYPED_(name) CONVK_TYPED_(cuda_##name)
#define CONVK_DEVICE_COMPLEX_(name) CONVK_COMPLEX_(cuda_##name)
#define CONVK_CUDA_PASS_ 1 /* types and prototypes */
#define CONVK_TYPE_ f32
#include CONVK_CUDA_HEADER
#define CONVK_CUDA_PASS_ 1
#define CONVK_TYPE_ f64
#include CONVK_CUDA_HEADER
CONVK_API_ convk_modules_ convk_cuda_modules_(void);
#if CONVK_MODE_
#define CONVK_HW_ cuda
#include "core/prototypes.h"
#endif
#ifdef __cplusplus
}
#endif
#undef CONVK_CUDA_MODULES_
#define CONVK_CUDA_MODULES_ convk_cuda_modules_

#if CONVK_MODE_ != 1
/* Blocks of one launch, where kernels loop over what there is for more. */
#ifndef CONVK_CUDA_MAX_BLOCKS_
#define CONVK_CUDA_MAX_BLOCKS_ 0x7fffffff
#endif

#include "device/host.h"
#include "device/arguments.h"
#include "device/cuda_host.h"
#include "device/bring.h"
#include "device/parts.h"
#include "device/words_cuda.h"
#include "device/frame.h"
#include "device/vectors.h"
#include "words/cuda.h"
#include "device/cuda_words.h"
#include "rooms/cuda_kernels.h"
/* ===================================================================================================== both precisions == */

#undef CONVK_TYPE_
#undef CONVK_T
#define CONVK_CUDA_PASS_ 2 /* calls */
#define CONVK_TYPE_ f32
#include CONVK_CUDA_HEADER
#define CONVK_CUDA_PASS_ 2 /* calls */
#define CONVK_TYPE_ f64
#include CONVK_CUDA_HEADER

#include "device/cuda_clock.h"
#include "device/cuda_open.h"
#endif /* not declarations only */
#include "device/words_end.h"
#if CONVK_MODE_ != 1 && defined CONVK_HIP && !defined CONVK_CUDA_EMULATOR
#include "rooms/hip_names_end.h"
#endif

#else
#include "rooms/public_names.h"
#include "rooms/cuda_public_names.h"
#include "core/real.h"
#if CONVK_HAS_TYPE_
#if CONVK_CUDA_PASS_ == 1
#include "rooms/cuda_api.h"
#else /* calls, once per precision */
#define CONVK_HW_ cuda
#define CONVK_KERNEL_(name) CONVK_HARDWARE_(name)
#include "rooms/cuda_calls.h"
CONVK_COMPILED_ROOMS_(CONVK_ROOM_DEVICE_BINDER_)
#undef CONVK_HW_
#undef CONVK_KERNEL_
#endif
#endif
#undef CONVK_CUDA_PASS_
#include "rooms/public_names_end.h"
#include "rooms/cuda_public_names_end.h"
#undef CONVK_TYPE_
#undef CONVK_T
#endif
#endif /* CONVK_CUDA_H_ or a pass */
