/* ---------------------------------------------------------------------------------------------------- portability -- */

/* What private functions begin with.  INLINE: always inlined; LOCAL: as the compiler likes; RARE: never inlined.  All are
   static, and compilers do not warn where nothing calls them. */
#if defined __GNUC__ || defined __clang__
#if defined __clang__ || defined __OPTIMIZE__
#define CONVK_INLINE_ static inline __attribute__((always_inline, unused))
#else /* gcc's -O0 puts them in each place as they stand, and simplifies nothing: a unit takes as long as with -O2 */
#define CONVK_INLINE_ static inline __attribute__((unused))
#endif
#define CONVK_LOCAL_ static inline __attribute__((unused))
#define CONVK_RARE_ static __attribute__((noinline, unused))
#else
#define CONVK_INLINE_ static inline
#define CONVK_LOCAL_ static inline
#define CONVK_RARE_ static inline
#endif

#if defined __GNUC__ || defined __clang__
#define CONVK_IN_MEMORY_(array) __asm__ volatile("" : : "r"(array) : "memory")
#define CONVK_SCALAR_(x) __asm__("" : "+r"(x)) /* stays out of vectors, from which x would have to be taken again */
#define CONVK_UNLIKELY_(condition) __builtin_expect((condition) != 0, 0)
/* Local arrays that begin with a cache line: vectors of 64 bytes that lie across two take twice as long. */
#define CONVK_ALIGNED_ __attribute__((aligned(64)))
#define CONVK_PREFETCH_(address) __builtin_prefetch((const void *)(address), 0, 2)
#define CONVK_LOWEST_(bits) ((size_t)__builtin_ctzll(bits)) /* the place of the lowest of 64 bits that is set */
#define CONVK_PREFETCH_L1_(address) __builtin_prefetch((const void *)(address), 0, 3)
#else
#define CONVK_IN_MEMORY_(array) ((void)(array))
#define CONVK_SCALAR_(x) ((void)(x))
#define CONVK_UNLIKELY_(condition) (condition)
#define CONVK_ALIGNED_
#define CONVK_PREFETCH_(address) ((void)(address))
#define CONVK_LOWEST_(bits) convk_lowest_(bits)
#define CONVK_PREFETCH_L1_(address) ((void)(address))
#endif

#define CONVK_PRAGMA_(text) _Pragma(#text)

/* What compilers are told that no macro says: the name says what is wrong, and so does the text, where there is one. */
#ifdef __cplusplus
#define CONVK_ASSERT_(name, condition, text) static_assert(condition, text)
#elif defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#define CONVK_ASSERT_(name, condition, text) _Static_assert(condition, text)
#else
#define CONVK_ASSERT_(name, condition, text) typedef char name[(condition) ? 1 : -1]
#endif
#if CONVK_MODE_ != 1 && !defined __CUDA_ARCH__ && \
    !defined __HIP_DEVICE_COMPILE__ /* the arithmetic is here, and for this processor */
#if defined __x86_64__ && defined __GNUC__ && !defined __SSE2_MATH__
#error "convk needs arithmetic that rounds as IEEE 754 says: compile without -mfpmath=387 and -mno-sse2"
#elif defined __FLT_EVAL_METHOD__ && (__FLT_EVAL_METHOD__ == 1 || __FLT_EVAL_METHOD__ == 2)
#error \
    "convk needs operations in the precision of their type, and __FLT_EVAL_METHOD__ is not 0: compile without -ffp-eval-method"
#endif
CONVK_ASSERT_(convk_constants_of_double_are_float_compile_without_single_precision_constant, sizeof(1.0) == sizeof(double),
              "convk: constants of double are float here: compile without -fsingle-precision-constant");
#endif
CONVK_ASSERT_(convk_float_or_double_is_not_of_4_or_8_bytes, sizeof(float) == 4 && sizeof(double) == 8,
              "convk needs float and double of 4 and 8 bytes");
/* A header of others may leave #pragma pack behind it: structs would differ from those of other units. */
typedef struct convk_aligned_ {
  char first;
  size_t second;
  char third;
  void *fourth;
} convk_aligned_;
CONVK_ASSERT_(convk_structs_are_packed_by_an_option_or_a_pragma,
              offsetof(convk_aligned_, second) == sizeof(size_t) && sizeof(convk_aligned_) == 4 * sizeof(size_t),
              "convk: structs are packed here, by -fpack-struct or a #pragma pack that an earlier header left");
/* Code that is instrumented stays small: unrolled and inlined it takes minutes to compile. */
#if defined __SANITIZE_ADDRESS__
#define CONVK_INSTRUMENTED_ 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define CONVK_INSTRUMENTED_ 1
#endif
#endif
/* a < b and a <= b, which are false where one is NaN.  In regions as below gcc 14 to 16 turn comparisons around where the
   command line says -ffinite-math-only, __builtin_isless, too: there the bits are compared, as integers. */
#if defined __GNUC__ && __GNUC__ > 12 && !defined __clang__ && !defined __CUDA_ARCH__ && defined __FINITE_MATH_ONLY__ && \
    __FINITE_MATH_ONLY__ > 0
/* a < b, or with more = 1 a <= b. */
CONVK_INLINE_ int convk_less_by_bits_(double a, double b, int64_t more) {
  const int64_t infinite = (int64_t)(UINT64_C(0x7ff) << 52);
  int64_t x, y;
  memcpy(&x, &a, sizeof x);
  memcpy(&y, &b, sizeof y);
  if (x < 0) x = -(int64_t)((uint64_t)x << 1 >> 1); /* sign and magnitude: the order of numbers, -0 as 0, NaN beyond infinity */
  if (y < 0) y = -(int64_t)((uint64_t)y << 1 >> 1);
  return x >= -infinite && y <= infinite && x < y + more;
}
#define CONVK_LESS_THAN_(a, b) convk_less_by_bits_(a, b, 0)
#define CONVK_LESS_EQUAL_(a, b) convk_less_by_bits_(a, b, 1)
#else
#define CONVK_LESS_THAN_(a, b) ((a) < (b))
#define CONVK_LESS_EQUAL_(a, b) ((a) <= (b))
#endif

/* Regions: for an instruction set, and with rules of their own for real numbers, whatever -ffast-math, -Ofast and -ffp-contract
   say: sums keep their order, NaN and -0 count, and nothing is fused but what a word fuses.
   A region for an instruction set is CONVK_EXACT_PUSH_, CONVK_TARGET_PUSH_(features), ..., CONVK_TARGET_POP_,
   CONVK_EXACT_POP_. */
#if defined __clang__
#if defined __FAST_MATH__ && CONVK_MODE_ != 1
#if !defined __x86_64__ && !defined __i386__
#error "convk: compile this file without -ffast-math: on this architecture clang has no way to say so here"
#elif defined __FMA__ && !defined CONVK_FP_CONTRACT_ON
#error "convk: compile this file without -ffast-math, or with -ffast-math -ffp-contract=on and -DCONVK_FP_CONTRACT_ON"
#endif /* since clang's -ffast-math fuses behind the back of all pragmas */
#endif
#if __clang_major__ > 16 && defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__ > 0 && CONVK_MODE_ != 1
#error "convk: compile this file with -fno-finite-math-only behind -ffast-math: clang takes what functions get for finite"
#endif
#define CONVK_UNROLL_ CONVK_PRAGMA_(clang loop unroll(full))
#ifdef __HIP_DEVICE_COMPILE__ /* host code is only read then */
#define CONVK_EXACT_PUSH_
#define CONVK_EXACT_POP_
#elif defined __x86_64__ || defined __i386__
#define CONVK_EXACT_PUSH_ \
  CONVK_PRAGMA_(float_control(push)) CONVK_PRAGMA_(float_control(precise, on)) CONVK_PRAGMA_(clang fp contract(off))
#define CONVK_EXACT_POP_ CONVK_PRAGMA_(float_control(pop))
#else /* without float_control such regions do not nest, and end with what the command line says */
#define CONVK_EXACT_PUSH_ CONVK_PRAGMA_(STDC FP_CONTRACT OFF)
#define CONVK_EXACT_POP_ CONVK_PRAGMA_(STDC FP_CONTRACT DEFAULT)
#endif
#define CONVK_TARGET_PUSH_(features) CONVK_PRAGMA_(clang attribute push(__attribute__((target(features))), apply_to = function))
#define CONVK_TARGET_POP_ CONVK_PRAGMA_(clang attribute pop)
#elif defined __GNUC__
#ifdef __NVCC__ /* which passes the pragmas on to gcc, and warns that it does not know them */
#pragma nv_diag_suppress 1675
#endif
#ifdef __OPTIMIZE__
#define CONVK_UNROLL_ CONVK_PRAGMA_(GCC unroll 64)
#else /* gcc warns of what it then ignores in loops that sanitizers watch */
#define CONVK_UNROLL_
#endif
/* Only what the command line makes necessary, since functions with options of their own compile slower.  One pragma for all:
   gcc forgets the second of two that come from one macro. */
#if defined __FAST_MATH__ || defined __ASSOCIATIVE_MATH__ || defined __RECIPROCAL_MATH__ || defined __NO_SIGNED_ZEROS__ || \
    (defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__ > 0)
#define CONVK_EXACT_PUSH_ \
  CONVK_PRAGMA_(GCC push_options) \
  CONVK_PRAGMA_(GCC optimize("no-fast-math", "no-unsafe-math-optimizations", "no-finite-math-only", "no-associative-math", \
                             "no-reciprocal-math", "signed-zeros", "fp-contract=off"))
#elif (defined __x86_64__ || defined __i386__) && !defined __FMA__ && !defined __FMA4__ && !defined CONVK_STRICT
#define CONVK_EXACT_PUSH_ CONVK_PRAGMA_(GCC push_options) /* nothing to fuse with, or nothing left to fuse */
#else
#define CONVK_EXACT_PUSH_ CONVK_PRAGMA_(GCC push_options) CONVK_PRAGMA_(GCC optimize("fp-contract=off"))
#endif
#define CONVK_EXACT_POP_ CONVK_PRAGMA_(GCC pop_options)
#define CONVK_TARGET_PUSH_(features) CONVK_PRAGMA_(GCC target(features)) /* until CONVK_EXACT_POP_ */
#define CONVK_TARGET_POP_
#else
#define CONVK_UNROLL_
#define CONVK_EXACT_PUSH_
#define CONVK_EXACT_POP_
#define CONVK_TARGET_PUSH_(features)
#define CONVK_TARGET_POP_
#endif

#ifdef __CUDA_ARCH__ /* nvcc reads code of the device */
#undef CONVK_UNROLL_
#define CONVK_UNROLL_ CONVK_PRAGMA_(unroll)
#endif

/* Regions of drivers that prepare a call and have no loops of weight, and of portable kernels beside those of an instruction
   set: gcc takes less time for them. */
#if defined __GNUC__ && !defined __clang__ && defined __OPTIMIZE__ && !defined __OPTIMIZE_SIZE__
#define CONVK_LIGHT_PUSH_ CONVK_PRAGMA_(GCC push_options) CONVK_PRAGMA_(GCC optimize("O1"))
#define CONVK_LIGHT_POP_ CONVK_PRAGMA_(GCC pop_options)
#else
#define CONVK_LIGHT_PUSH_
#define CONVK_LIGHT_POP_
#endif

/* Loops of a few turns: clang unrolls them by itself, and warns where it is told to afterwards. */
#ifdef __clang__
#define CONVK_UNROLL_SHORT_
#else
#define CONVK_UNROLL_SHORT_ CONVK_UNROLL_
#endif

#if defined CONVK_INSTRUMENTED_ && defined __GNUC__
#undef CONVK_UNROLL_
#ifdef __clang__
#define CONVK_UNROLL_ CONVK_PRAGMA_(clang loop unroll(disable))
#elif defined __OPTIMIZE__
#define CONVK_UNROLL_ CONVK_PRAGMA_(GCC unroll 1)
#else
#define CONVK_UNROLL_
#endif
#undef CONVK_INLINE_
#define CONVK_INLINE_ static inline __attribute__((unused))
#endif

/* What begins public functions, in the mode of this unit. */
#if !CONVK_MODE_
#define CONVK_API_ CONVK_LOCAL_
#elif defined CONVK_SHARED && defined _WIN32
#if CONVK_MODE_ == 2
#define CONVK_API_ __declspec(dllexport)
#else
#define CONVK_API_ __declspec(dllimport)
#endif
#elif defined CONVK_SHARED && defined __GNUC__
#define CONVK_API_ __attribute__((visibility("default")))
#elif defined __GNUC__ && !defined _WIN32
#define CONVK_API_ __attribute__((visibility("hidden")))
#else
#define CONVK_API_
#endif

/* What begins a function of a family that the core calls: hidden, where they are in units apart. */
#if !CONVK_SEPARATE_
#define CONVK_ACROSS_ CONVK_LOCAL_
#elif defined __GNUC__ && !defined _WIN32
#define CONVK_ACROSS_ __attribute__((visibility("hidden")))
#else
#define CONVK_ACROSS_
#endif

#include "words/precision.h"
/* convk_NAME_f64 in passes over a precision, convk_NAME_f64_avx2 in passes over an instruction set; private: with _, and
   of one hardware, CONVK_HARDWARE_ */
#define CONVK_ONE_(p) (*(const convk_any_ *)(p)) /* an element of the caller's, at any address */
#define CONVK_TYPED_(name) CONVK_EITHER_(convk_##name##_f32, convk_##name##_f64)
#define CONVK_PRIVATE_(name) CONVK_EITHER_(convk_##name##_f32_, convk_##name##_f64_)
#define CONVK_BOTH_(name) convk_##name##_ /* of processors; a device has its own for a while */
#define CONVK_VARIANT_(name) CONVK_PASTE3_(CONVK_PRIVATE_(name), CONVK_HW_, )
#define CONVK_HARDWARE_(name) CONVK_PASTE3_(CONVK_PRIVATE_(name), CONVK_HW_, _)

/* The rest, where the first is 1, and nothing where it is 0. */
#define CONVK_IF_0_(...)
#define CONVK_IF_1_(...) __VA_ARGS__
#define CONVK_IF_(condition, ...) CONVK_PASTE3_(CONVK_IF_, condition, _)(__VA_ARGS__)
/* The second, or the third. */
#define CONVK_PICK_0_(a, b) b
#define CONVK_PICK_1_(a, b) a
#define CONVK_PICK_(condition, a, b) CONVK_PASTE3_(CONVK_PICK_, condition, _)(a, b)
/* A list in brackets without them. */
#define CONVK_UNPACK_(...) __VA_ARGS__

#define CONVK_HAS_TYPE_ CONVK_EITHER_(CONVK_HAS_F32_, CONVK_HAS_F64_)
/* convk_NAME_c32 or _c64: of the complex numbers of a precision */
#define CONVK_COMPLEX_(name) CONVK_EITHER_(convk_##name##_c32, convk_##name##_c64)
#define CONVK_COMPLEX_VARIANT_(name) CONVK_PASTE3_(CONVK_EITHER_(convk_##name##_c32_, convk_##name##_c64_), CONVK_HW_, )
