#include "device/cuda_manual.h"

#include "device/cuda_list.h"
#if !defined CONVK_CUDA_H_ || defined CONVK_CUDA_PASS_
#ifndef CONVK_CUDA_PASS_
#define CONVK_CUDA_H_

#ifndef CONVK_CUDA_HEADER
#define CONVK_CUDA_HEADER "convk_cuda.h"
#endif
#ifndef CONVK_HEADER
#define CONVK_HEADER "convk.h"
#endif
#include CONVK_HEADER

#if CONVK_MODE_ == 1 && !defined CONVK_CUDA_EMULATOR
#include <cuda_runtime_api.h> /* declarations only: any compiler will do */
#elif defined CONVK_CUDA_EMULATOR
#define CONVK_CUDA_ENTRY_(kernel) kernel
#ifdef CONVK_EMULATOR_COUNTS /* what is counted is what a device runs */
#define CONVK_CUDA_UNROLL_ _Pragma("unroll")
#define CONVK_CUDA_UNROLL_BY_(count) CONVK_PRAGMA_(unroll count)
#else
#define CONVK_CUDA_UNROLL_
#define CONVK_CUDA_UNROLL_BY_(count)
#endif
#define CONVK_CUDA_NOINLINE_ __attribute__((noinline))
#define CONVK_CUDA_SHARED_(name) unsigned char *const name = (unsigned char *)convk_emulated_dynamic_shared()
#elif defined __CUDACC__
#include <cuda_runtime.h>
#define CONVK_CUDA_ENTRY_(kernel) (const void *)(kernel)
#define CONVK_CUDA_UNROLL_ _Pragma("unroll")
#define CONVK_CUDA_UNROLL_BY_(count) CONVK_PRAGMA_(unroll count)
#define CONVK_CUDA_NOINLINE_ __noinline__
#define CONVK_CUDA_SHARED_(name) \
  extern __shared__ __align__(16) unsigned char convk_cuda_shared_[]; \
  unsigned char *const name = convk_cuda_shared_
#else
#error "convk_cuda.h needs a CUDA compiler: compile this file with nvcc"
#endif

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
#define CONVK_CUDA_PASS_ 1 /* types and prototypes */
#define CONVK_TYPE_ f32
#define CONVK_T float
#include CONVK_CUDA_HEADER
#define CONVK_CUDA_PASS_ 1
#define CONVK_TYPE_ f64
#define CONVK_T double
#include CONVK_CUDA_HEADER
CONVK_API_ convk_modules_ convk_cuda_modules_(void);
#if CONVK_MODE_
#define CONVK_HW_ cuda
#define CONVK_PASS_ CONVK_PASS_NAMES_
#include CONVK_HEADER
#endif
#ifdef __cplusplus
}
#endif
#undef CONVK_CUDA_MODULES_
#define CONVK_CUDA_MODULES_ convk_cuda_modules_

#if CONVK_MODE_ != 1
/* Blocks of one launch, where kernels loop over what there is for more. */
#ifndef CONVK_CUDA_MOST_BLOCKS_
#define CONVK_CUDA_MOST_BLOCKS_ 0x7fffffff
#endif

#define CONVK_DEVICE_(name) convk_cuda_##name##_
#define CONVK_DEVICE_TYPED_(name) CONVK_TYPED_(cuda_##name)
#include "device/host.h"
#include "device/cuda_host.h"
#include "device/bring.h"
#include "words/cuda.h"
#include "device/cuda_words.h"
/* ================================================================================ room: separable convolution in 3D == */
#if CONVK_HAS_SEPCONV_
#include "sepconv/kernel.cuh"
#endif /* CONVK_HAS_SEPCONV_ */

/* ============================================================================================== room: 7-point stencil == */
#if CONVK_HAS_STENCIL_
#include "stencil/kernel.cuh"
#endif /* CONVK_HAS_STENCIL_ */

/* ========================================================================================= room: vector mathematics == */
#if CONVK_HAS_VMATH_
#include "vmath/kernel.cuh"
#endif /* CONVK_HAS_VMATH_ */

/* ==================================================================== room: Gaussians: grid potential, orbitals, density == */
#if CONVK_HAS_GAUSSIAN_
#include "gaussian/kernel.cuh"
#endif /* CONVK_HAS_GAUSSIAN_ */

/* ======================================================================= room: X-ray form factor of triangulated shapes == */
#if CONVK_HAS_FORMFACTOR_
#include "formfactor/kernel.cuh"
#endif /* CONVK_HAS_FORMFACTOR_ */

/* ======================================================================= room: 2D convolutions by FFT, and 2D transforms == */
/* A block takes one item or several small ones through all of it: fields are read once, and results written once.
   Squares of 16, 32 and, in single precision, 64 points (fft/squares.cuh): a thread holds a whole line in registers, first a column
   of the field, then a line along x, then a column of the result.  Lines meet in shared memory only in between, twiddles are
   constants, and fields go through shared memory, too, since their rows are rarely whole sectors of memory.
   Other sizes (fft/kernel.cuh): between passes points lie in shared memory, columns one after another, an odd number of elements
   apart; lanes go across columns along y, and along columns for passes along x, so that neither has bank conflicts.  Lines along x
   are as long as the FFT, and columns are only as many as there are in the field or the result: lines go through a small buffer in
   groups of about 32.
   Items too large for shared memory: the same three parts, each one launch over columns or lines, with the columns in work. */
#if CONVK_HAS_FFT_
#include "fft/kernel.cuh"
#include "fft/squares.cuh"
#include "fft/cuda_cut.h"
#endif /* CONVK_HAS_FFT_ */

/* ======================================================================== room: pairs: variational Monte Carlo of clusters == */
/* A pair is seen once, from the end that has the other in the next half of all, cyclically; for the gradient also from the other.
   Up to 256 particles: threads are particles, several walkers fill a block, which does all; as far as shared memory reaches, the
   second end of a pair takes u' / r from the first.
   More: tiles of 64 rows and 64 columns; a block of four warps, which share the columns, takes a row of tiles, or a slice of it,
   and a second kernel adds up the slices.  Up to 16384 particles a tile's pairs give columns their gradients, too, which are
   written apart for each diagonal of tiles and added up with the slices; above that there is no room for them, and each pair is
   looked at from both ends.  Order and slices depend on the number of particles alone, and so do the bits.
   Moves of single particles: a block goes through whole sweeps of a walker, its threads through the others. */
#if CONVK_HAS_VMC_
#include "pairs/kernel.cuh"
#endif /* CONVK_HAS_VMC_ */

/* ===================================================================================================== both precisions == */

#undef CONVK_TYPE_
#undef CONVK_T
#define CONVK_CUDA_PASS_ 2 /* calls */
#define CONVK_TYPE_ f32
#define CONVK_T float
#include CONVK_CUDA_HEADER
#define CONVK_CUDA_PASS_ 2 /* calls */
#define CONVK_TYPE_ f64
#define CONVK_T double
#include CONVK_CUDA_HEADER

#include "device/cuda_open.h"
#undef CONVK_DEVICE_
#undef CONVK_DEVICE_TYPED_
#endif /* not declarations only */

#elif CONVK_CUDA_PASS_ == 1
#if CONVK_HAS_TYPE_
#if CONVK_HAS_SEPCONV_
#include "sepconv/cuda_api.h"
#endif
#if CONVK_HAS_STENCIL_
#include "stencil/cuda_api.h"
#endif
#if CONVK_HAS_VMATH_
#include "vmath/cuda_api.h"
#endif
#if CONVK_HAS_GAUSSIAN_
#include "gaussian/cuda_api.h"
#endif
#if CONVK_HAS_FORMFACTOR_
#include "formfactor/cuda_api.h"
#endif
#if CONVK_HAS_FFT_
#include "fft/cuda_api.h"
#endif
#if CONVK_HAS_VMC_
#include "pairs/cuda_api.h"
#endif
#endif
#undef CONVK_CUDA_PASS_
#undef CONVK_TYPE_
#undef CONVK_T

#else /* calls, once per precision */

#define CONVK_HW_ cuda
#if CONVK_HAS_TYPE_
#if CONVK_HAS_SEPCONV_
#include "sepconv/cuda.h"
#include "sepconv/host.h"
#endif /* CONVK_HAS_SEPCONV_ */
#if CONVK_HAS_STENCIL_
#include "stencil/cuda.h"
#include "stencil/host.h"
#endif /* CONVK_HAS_STENCIL_ */
#if CONVK_HAS_VMATH_
#include "vmath/cuda.h"
#include "vmath/host.h"
#endif /* CONVK_HAS_VMATH_ */
#if CONVK_HAS_GAUSSIAN_
#include "gaussian/cuda.h"
#include "gaussian/host.h"
#endif /* CONVK_HAS_GAUSSIAN_ */
#if CONVK_HAS_FORMFACTOR_
#include "formfactor/cuda.h"
#include "formfactor/host.h"
#endif /* CONVK_HAS_FORMFACTOR_ */
#if CONVK_HAS_FFT_
#include "fft/cuda.h"
#include "fft/host.h"
#endif /* CONVK_HAS_FFT_ */
#if CONVK_HAS_VMC_
#include "pairs/cuda.h"
#include "pairs/host.h"
#endif /* CONVK_HAS_VMC_ */
CONVK_COMPILED_FAMILIES_(CONVK_FAMILY_DEVICE_BINDER_)
#endif
#undef CONVK_HW_
#undef CONVK_CUDA_PASS_
#undef CONVK_TYPE_
#undef CONVK_T
#endif
#endif /* CONVK_CUDA_H_ or a pass */
