/* ----------------------------------------------------------------------------------------------------------- hardware -- */

/* All lists of instruction sets stand here and in core/modules.h: add the names of a new one to these lists. */
#if (defined __x86_64__ || defined __i386__) && (defined __GNUC__ || defined __clang__)
#define CONVK_X86_ 1
#else
#define CONVK_X86_ 0
#endif
#if defined __aarch64__ && defined __ARM_NEON && !defined __AARCH64EB__ && (defined __GNUC__ || defined __clang__)
#define CONVK_ARM64_ 1
#else
#define CONVK_ARM64_ 0
#endif

/* Processor features, as bits.  NEON needs none: all processors of 64-bit ARM that this is compiled for have it. */
enum {
  CONVK_CPU_SSE2_ = 1,
  CONVK_CPU_AVX_ = 2,
  CONVK_CPU_AVX2_ = 4,  /* with FMA */
  CONVK_CPU_AVX512_ = 8 /* F, DQ, BW and VL, and POPCNT */
};

/* The names that convk_open knows beside "scalar": of processors, where a better one comes after those that the same machine
   runs, too; and of devices, which take options. */
#define CONVK_PROCESSORS_(name) name(sse2) name(avx) name(avx2) name(avx512) name(neon)
#define CONVK_DEVICES_(name) name(opencl) name(cuda)

/* Modules define these again when they are included; convk_open, a macro, reads them where it is used. */
#define CONVK_MODULES_ \
  convk_scalar_modules_, CONVK_SSE_MODULES_, CONVK_AVX_MODULES_, CONVK_NEON_MODULES_, CONVK_CL_MODULES_, CONVK_CUDA_MODULES_
#define CONVK_SSE_MODULES_ convk_no_modules_
#define CONVK_AVX_MODULES_ convk_no_modules_
#define CONVK_NEON_MODULES_ convk_no_modules_
#define CONVK_CL_MODULES_ convk_no_modules_
#define CONVK_CUDA_MODULES_ convk_no_modules_
