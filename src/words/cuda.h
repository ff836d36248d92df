/* ------------------------------------------------------------------------------------------------- the words of CUDA -- */

#ifdef CONVK_HIP
#include "words/hip.h"
#else
CONVK_CUDA_INLINE_ double convk_cuda_mul_(double a, double b) { return __dmul_rn(a, b); }
CONVK_CUDA_INLINE_ float convk_cuda_mul_(float a, float b) { return __fmul_rn(a, b); }
CONVK_CUDA_INLINE_ double convk_cuda_add_(double a, double b) { return __dadd_rn(a, b); }
CONVK_CUDA_INLINE_ float convk_cuda_add_(float a, float b) { return __fadd_rn(a, b); }
CONVK_CUDA_INLINE_ double convk_cuda_fma_(double a, double b, double c) { return __fma_rn(a, b, c); }
CONVK_CUDA_INLINE_ float convk_cuda_fma_(float a, float b, float c) { return __fmaf_rn(a, b, c); }
CONVK_CUDA_INLINE_ float convk_cuda_divided_(float a, float b) { return __fdiv_rn(a, b); }
CONVK_CUDA_INLINE_ double convk_cuda_divided_(double a, double b) { return __ddiv_rn(a, b); }
CONVK_CUDA_INLINE_ double convk_cuda_root_(double x) { return __dsqrt_rn(x); }

/* A warp is 32 threads.  Shuffles are within the warp, or within groups of `width` of its threads. */
#define CONVK_CUDA_SHUFFLE_XOR_(v, mask) __shfl_xor_sync(0xffffffffu, v, mask)
#define CONVK_CUDA_SHUFFLE_UP_(v, by, width) __shfl_up_sync(0xffffffffu, v, by, width)
#define CONVK_CUDA_SHUFFLE_DOWN_(v, by, width) __shfl_down_sync(0xffffffffu, v, by, width)
#define CONVK_CUDA_ANY_(is) __any_sync(0xffffffffu, is)
#define CONVK_CUDA_WARP_SYNC_() __syncwarp()
#endif
template <class real_> CONVK_CUDA_INLINE_ real_ convk_cuda_sub_(real_ a, real_ b) { return convk_cuda_add_(a, -b); }

/* b where one of them is NaN. */
template <class type_> CONVK_CUDA_INLINE_ type_ convk_cuda_min_(type_ a, type_ b) { return a < b ? a : b; }
template <class type_> CONVK_CUDA_INLINE_ type_ convk_cuda_max_(type_ a, type_ b) { return a > b ? a : b; }
CONVK_CUDA_INLINE_ uint32_t convk_cuda_bits_(float x) { return __float_as_uint(x); }
CONVK_CUDA_INLINE_ uint64_t convk_cuda_bits_(double x) { return (uint64_t)__double_as_longlong(x); }
CONVK_CUDA_INLINE_ float convk_cuda_real_(uint32_t bits) { return __uint_as_float(bits); }
CONVK_CUDA_INLINE_ double convk_cuda_real_(uint64_t bits) { return __longlong_as_double((long long)bits); }

#define CONVK_HW_ cuda
#define CONVK_V CONVK_T
#define CONVK_LANES 1
#define CONVK_BITS_(u) convk_cuda_real_((CONVK_UNSIGNED_)(u))
#define CONVK_ELEMENT_ CONVK_CUDA_INLINE_
#define CONVK_ELEMENT_RARE_ static inline __device__ CONVK_CUDA_NOINLINE_
#define CONVK_CONSTANT_ static __constant__
#define CONVK_KERNEL_(name) convk_cuda_##name##_ /* of a float or of a double */
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_cuda_##name##_
#define CONVK_TO_BITS_(u, v) (*(u) = convk_cuda_bits_(v))
#define CONVK_FROM_BITS_(v, u) ((v) = convk_cuda_real_(*(u)))
#define CONVK_LOAD_(p) (*(p))
#define CONVK_STORE_(p, v) (*(p) = (v))
#define CONVK_SET_(x) ((CONVK_T)(x))
#define CONVK_ADD_(a, b) convk_cuda_add_(a, b)
#define CONVK_MUL_(a, b) convk_cuda_mul_(a, b)
#define CONVK_DIV_(a, b) convk_cuda_divided_(a, b)
#define CONVK_FMA_(a, b, c) convk_cuda_fma_(a, b, c)
#define CONVK_FNMA_(a, b, c) convk_cuda_fma_(-(a), b, c)
#define CONVK_FMS_(a, b, c) convk_cuda_fma_(a, b, -(c))
#define CONVK_FUSES_ 1
#define CONVK_SUB_(a, b) convk_cuda_sub_(a, b)
#define CONVK_MIN_(a, b) convk_cuda_min_(a, b)
#define CONVK_MAX_(a, b) convk_cuda_max_(a, b)
#define CONVK_LESS_(a, b, x, y) ((a) < (b) ? (x) : (y))
#define CONVK_ANY_LESS_(a, b) ((a) < (b))
#define CONVK_WHICH_LESS_(a, b) ((unsigned)((a) < (b)))
#define CONVK_INT_(a) convk_cuda_bits_(a)
#define CONVK_AND_(a, b) convk_cuda_real_(convk_cuda_bits_(a) & convk_cuda_bits_(b))
#define CONVK_OR_(a, b) convk_cuda_real_(convk_cuda_bits_(a) | convk_cuda_bits_(b))
#define CONVK_XOR_(a, b) convk_cuda_real_(convk_cuda_bits_(a) ^ convk_cuda_bits_(b))
#define CONVK_IADD_(a, b) convk_cuda_real_(convk_cuda_bits_(a) + convk_cuda_bits_(b))
#define CONVK_ISUB_(a, b) convk_cuda_real_(convk_cuda_bits_(a) - convk_cuda_bits_(b))
#define CONVK_SHL_(a, k) convk_cuda_real_(convk_cuda_bits_(a) << (k))
#define CONVK_SHR_(a, k) convk_cuda_real_(convk_cuda_bits_(a) >> (k))
#define CONVK_D double
#define CONVK_DLANES_ 1
#define CONVK_DPART_(v, h) ((void)(h), (double)(v))
#define CONVK_DFMA_(a, b, c) convk_cuda_fma_(a, b, c)
#define CONVK_DZERO_ 0.0
#define CONVK_DSET_(x) ((double)(x))
#define CONVK_DLOAD_(p) (*(p))
#define CONVK_DSTORE_(p, d) (*(p) = (d))
#define CONVK_DADD_(a, b) convk_cuda_add_(a, b)
#define CONVK_DSUB_(a, b) convk_cuda_sub_(a, b)
#define CONVK_DMUL_(a, b) convk_cuda_mul_(a, b)
#define CONVK_DROOT_(a) convk_cuda_root_(a)
#define CONVK_JOIN_(d) ((CONVK_T) * (d))
#define CONVK_KEEP_(v) ((void)(v))
#define CONVK_REREAD_(f) ((void)(f))

#define CONVK_PASS_ CONVK_PASS_BOTH_
#define CONVK_MORE_
#include CONVK_HEADER
#define CONVK_PASS_ CONVK_PASS_ELEMENT_
#define CONVK_TYPE_ f32
#define CONVK_MORE_
#include CONVK_HEADER
#define CONVK_PASS_ CONVK_PASS_ELEMENT_
#define CONVK_TYPE_ f64
#include CONVK_HEADER
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_##name##_

/* In templates over real_, the constants of convk.h that differ with the precision. */
#define CONVK_TYPE_ cuda
#define CONVK_T real_
#define CONVK_EITHER_cuda_(f32, f64) (sizeof(real_) == sizeof(float) ? (real_)(f32) : (real_)(f64))

/* Numbers as their bits: how many there are of the fraction. */
template <class real_> struct convk_cuda_number_;
template <> struct convk_cuda_number_<float> {
  typedef uint32_t bits;
  enum { fraction = 23 };
};
template <> struct convk_cuda_number_<double> {
  typedef uint64_t bits;
  enum { fraction = 52 };
};
