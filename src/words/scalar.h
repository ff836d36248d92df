/* ---- the scalar variant: vectors of one element ---- */

#define CONVK_HW_ scalar
#define CONVK_LOAD_(p) (*(const convk_any_ *)(p))
#define CONVK_STORE_(p, v) (*(convk_any_ *)(p) = (v))
#define CONVK_STREAM_(p, v) (*(convk_any_ *)(p) = (v))
#define CONVK_FENCE_ ((void)0)
#define CONVK_LOADK_(p, k) ((void)(k), *(const convk_any_ *)(p))
#define CONVK_STOREK_(p, v, k) ((void)(k), *(convk_any_ *)(p) = (v))
#define CONVK_SET_(x) (x)
#define CONVK_ADD_(a, b) ((a) + (b))
#define CONVK_MUL_(a, b) ((a) * (b))
#define CONVK_DIV_(a, b) ((a) / (b))
#define CONVK_FMA_(a, b, c) ((a) * (b) + (c))
#define CONVK_FNMA_(a, b, c) ((c) - (a) * (b))
#define CONVK_FMS_(a, b, c) ((a) * (b) - (c))
#define CONVK_FUSES_ 0
#define CONVK_REGISTERS_ 16
#define CONVK_SUB_(a, b) ((a) - (b))
#define CONVK_MIN_(a, b) convk_scalar_min_(a, b)
#define CONVK_MAX_(a, b) convk_scalar_max_(a, b)
#define CONVK_LESS_(a, b, x, y) convk_scalar_less_(a, b, x, y)
#define CONVK_ANY_LESS_(a, b) CONVK_LESS_THAN_(a, b)
#define CONVK_WHICH_LESS_(a, b) ((unsigned)CONVK_LESS_THAN_(a, b))
#define CONVK_AND_(a, b) CONVK_BITS_(CONVK_INT_(a) & CONVK_INT_(b))
#define CONVK_OR_(a, b) CONVK_BITS_(CONVK_INT_(a) | CONVK_INT_(b))
#define CONVK_XOR_(a, b) CONVK_BITS_(CONVK_INT_(a) ^ CONVK_INT_(b))
#define CONVK_IADD_(a, b) CONVK_BITS_(CONVK_INT_(a) + CONVK_INT_(b))
#define CONVK_ISUB_(a, b) CONVK_BITS_(CONVK_INT_(a) - CONVK_INT_(b))
#define CONVK_SHL_(a, k) CONVK_BITS_(CONVK_INT_(a) << (k))
#define CONVK_SHR_(a, k) CONVK_BITS_(CONVK_INT_(a) >> (k))
#define CONVK_BEFORE_(p, before, v) ((void)(before), CONVK_LOAD_((p)-1))
#define CONVK_AFTER_(p, v, after) ((void)(after), CONVK_LOAD_((p) + 1))
#define CONVK_TRANSPOSE_(v) ((void)(v))
#define CONVK_UNZIP_(v) ((void)(v))
#define CONVK_ZIP_(v) ((void)(v))
#define CONVK_D double
#define CONVK_DLANES_ 1
#define CONVK_DPART_(v, h) ((void)(h), (double)(v))
#define CONVK_DFMA_(a, b, c) ((a) * (b) + (c))
#define CONVK_DZERO_ 0.0
#define CONVK_DSET_(x) ((double)(x))
#define CONVK_DLOAD_(p) (*(p))
#define CONVK_DSTORE_(p, d) (*(p) = (d))
#define CONVK_DADD_(a, b) ((a) + (b))
#define CONVK_DSUB_(a, b) ((a) - (b))
#define CONVK_DMUL_(a, b) ((a) * (b))
#define CONVK_DMIN_(a, b) convk_least_of_(a, b)
#define CONVK_DROOT_(a) convk_exact_root_(a)
#define CONVK_DSHR_(a, k) convk_from_bits_(convk_to_bits_(a) >> (k))
#define CONVK_DAND_(a, b) convk_from_bits_(convk_to_bits_(a) & convk_to_bits_(b))
#define CONVK_DOR_(a, b) convk_from_bits_(convk_to_bits_(a) | convk_to_bits_(b))
#define CONVK_DMUL_LOW_(a, b) convk_from_bits_((uint64_t)(uint32_t)convk_to_bits_(a) * (uint32_t)convk_to_bits_(b))
#define CONVK_ADD_TWO_(p, a, b) ((p)[0] += convk_to_bits_(*(a)), (p)[1] += convk_to_bits_(*(b)))
#define CONVK_JOIN_(d) ((CONVK_T) * (d))
#define CONVK_LEAVE_
#define CONVK_V CONVK_T
#define CONVK_LANES 1
#define CONVK_BITS_(u) convk_scalar_real_(u)
#define CONVK_INT_(a) convk_scalar_int_(a)
#define CONVK_TILE_OUT_ 4
#define CONVK_TILE_VEC_ 2
#define CONVK_TILE_16_ 0
#define CONVK_ROW_ROWS_ 0
CONVK_EXACT_PUSH_
#if (CONVK_X86_ && \
     (defined CONVK_SIMD || defined CONVK_SSE || defined CONVK_AVX || defined CONVK_SSE_H_ || defined CONVK_AVX_H_)) || \
    (CONVK_ARM64_ && (defined CONVK_SIMD || defined CONVK_NEON || defined CONVK_NEON_H_))
/* a handle is of these unless "scalar" is asked for */
#define CONVK_TERSE_ 1
CONVK_LIGHT_PUSH_
#include "words/passes.h"
CONVK_LIGHT_POP_
#else
#include "words/passes.h"
#endif
CONVK_EXACT_POP_

#if CONVK_CORE_
CONVK_OPENER_(scalar)

CONVK_API_ convk_modules_ convk_scalar_modules_(void) {
  static const convk_module_ list[] = {{"scalar", 0, convk_open_scalar_}};
  const convk_modules_ table = {1, list};
  return table;
}
#endif
