/* The words of OpenCL, for T, float or double by F64: of vectors of CONVK_LANES elements, one unless the source says otherwise
   before.  Every word rounds once: device/preamble.cl forbids to fuse them. */
#include "words/precision.h"
#ifndef CONVK_LANES
#define CONVK_LANES 1
#endif
#if F64
#define CONVK_TYPE_ f64
#else
#define CONVK_TYPE_ f32
#endif
#if CONVK_LANES == 1
#define CONVK_LANED_(name) name
#define CONVK_LOAD_(p) (*(p))
#define CONVK_STORE_(p, v) (*(p) = (v))
#define CONVK_LESS_(a, b, x, y) ((a) < (b) ? (x) : (y))
#define CONVK_ANY_LESS_(a, b) ((a) < (b))
#define CONVK_WHICH_LESS_(a, b) ((uint)((a) < (b)))
#define CONVK_TO_BITS_(u, v) (*(u) = CONVK_INT_(v))
#define CONVK_FROM_BITS_(v, u) ((v) = CONVK_REAL_(*(u)))
#else
#define CONVK_LANED_(name) CONVK_PASTE3_(name, CONVK_LANES, )
#define CONVK_LOAD_(p) CONVK_LANED_(vload)(0, p)
#define CONVK_STORE_(p, v) CONVK_LANED_(vstore)(v, 0, p)
#define CONVK_LESS_(a, b, x, y) select(y, x, (a) < (b))
#define CONVK_ANY_LESS_(a, b) any((a) < (b))
#define CONVK_TO_BITS_(u, v) CONVK_STORE_(u, CONVK_INT_(v))
#define CONVK_FROM_BITS_(v, u) ((v) = CONVK_REAL_(CONVK_LOAD_(u)))
#endif
#define uint32_t uint
#define uint64_t ulong
#define int32_t int
#define int64_t long
#define UINT32_C(c) c##u
#define UINT64_C(c) c##ul
#define CONVK_T T
#define CONVK_ARGUMENTS_(name) name##_arguments
#define CONVK_ARGUMENT_T_ T
#define CONVK_DEFINE_ARGUMENTS_(name) \
  typedef struct name##_arguments name##_arguments; \
  struct name##_arguments
#define CONVK_V CONVK_LANED_(T)
/* A source includes those rooms that it needs. */
#define CONVK_IS_KERNEL_ 0
#define CONVK_GROUP_KERNEL_ kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void
#define CONVK_UNROLL_ _Pragma("unroll")
#define CONVK_UNLIKELY_(condition) (condition)
#define CONVK_ELEMENT_ static inline __attribute__((always_inline)) /* compilers need not build what nothing calls */
#define CONVK_ELEMENT_RARE_ static inline
#define CONVK_CONSTANT_ const
#define CONVK_SET_(x) ((CONVK_V)(x))
#define CONVK_ADD_(a, b) ((a) + (b))
/* sum + x in loops that add up: optimisers reorder plain additions there, against the language, but no fused ones. */
#define CONVK_SUM_(type, sum, x) fma((type)(1), (type)(x), (type)(sum))
#define CONVK_MUL_(a, b) ((a) * (b))
#define CONVK_DIV_(a, b) ((a) / (b))
#define CONVK_FMA_(a, b, c) fma(a, b, c)
#define CONVK_FNMA_(a, b, c) fma(-(a), b, c)
#define CONVK_FMS_(a, b, c) fma(a, b, -(c))
#define CONVK_FUSES_ 1
#define CONVK_SUB_(a, b) ((a) - (b))
#define CONVK_MIN_(a, b) convk_min_(a, b)
#define CONVK_MAX_(a, b) convk_max_(a, b)
#define CONVK_INT_(v) CONVK_LANED_(CONVK_EITHER_(as_uint, as_ulong))(v)
#define CONVK_REAL_(u) CONVK_LANED_(CONVK_EITHER_(as_float, as_double))(u)
#define CONVK_BITS_(u) CONVK_REAL_((CONVK_LANED_(CONVK_EITHER_(uint, ulong)))(u))
#define CONVK_AND_(a, b) CONVK_REAL_(CONVK_INT_(a) & CONVK_INT_(b))
#define CONVK_OR_(a, b) CONVK_REAL_(CONVK_INT_(a) | CONVK_INT_(b))
#define CONVK_XOR_(a, b) CONVK_REAL_(CONVK_INT_(a) ^ CONVK_INT_(b))
#define CONVK_IADD_(a, b) CONVK_REAL_(CONVK_INT_(a) + CONVK_INT_(b))
#define CONVK_ISUB_(a, b) CONVK_REAL_(CONVK_INT_(a) - CONVK_INT_(b))
#define CONVK_SHL_(a, k) CONVK_REAL_(CONVK_INT_(a) << (k))
#define CONVK_SHR_(a, k) CONVK_REAL_(CONVK_INT_(a) >> (k))
#define CONVK_D CONVK_LANED_(double) /* where the device has them */
#define CONVK_DLANES_ CONVK_LANES
#define CONVK_DPART_(v, h) CONVK_LANED_(convert_double)(v)
#define CONVK_DFMA_(a, b, c) fma(a, b, c)
#define CONVK_DZERO_ ((CONVK_D)(0))
#define CONVK_DSET_(x) ((CONVK_D)(x))
#define CONVK_DLOAD_(p) CONVK_LOAD_(p)
#define CONVK_DSTORE_(p, d) CONVK_STORE_(p, d)
#define CONVK_DADD_(a, b) ((a) + (b))
#define CONVK_DSUB_(a, b) ((a) - (b))
#define CONVK_DMUL_(a, b) ((a) * (b))
#define CONVK_DROOT_(a) sqrt(a)
#define CONVK_LEADING_(x) as_double(as_ulong(x) & (~(ulong)0 << 27)) /* the first 26 digits of a double */
#define CONVK_GLOBAL_ global
#define CONVK_JOIN_(d) CONVK_LANED_(CONVK_EITHER_(convert_float, convert_double))(*(d))
#define CONVK_KEEP_(v) ((void)0)
#define CONVK_REREAD_(f) ((void)0)

/* b where one of them is NaN. */
CONVK_ELEMENT_ CONVK_V convk_min_(CONVK_V a, CONVK_V b) { return CONVK_LESS_(a, b, a, b); }
CONVK_ELEMENT_ CONVK_V convk_max_(CONVK_V a, CONVK_V b) { return CONVK_LESS_(b, a, a, b); }
