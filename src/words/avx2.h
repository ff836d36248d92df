/* ---- AVX2 with FMA ---- */
CONVK_EXACT_PUSH_
CONVK_TARGET_PUSH_("avx2,fma")
/* A product that gcc, which fuses intrinsics in its GNU modes, leaves as it is. */
CONVK_INLINE_ __m256d convk_avx2_product_(__m256d a, __m256d b) {
  __m256d product = _mm256_mul_pd(a, b);
  __asm__("" : "+x"(product));
  return product;
}

#define CONVK_HW_ avx2
#define CONVK_DPRODUCT_ convk_avx2_product_
#define CONVK_FUSES_ CONVK_FUSED_CLASS_
#define CONVK_INTEGER_(name) CONVK_EITHER_(_mm256_##name##_epi32, _mm256_##name##_epi64)
#define CONVK_DINTEGER_(name) _mm256_##name
#define CONVK_LESS_(a, b, x, y) CONVK_MM_(blendv)(y, x, CONVK_MM_(cmp)(a, b, _CMP_LT_OQ))
/* All bits of an element that is positive, finite and normal.  Its bits less those of the least normal number are below a
   limit; both have their sign turned, since integers are compared with signs. */
#define CONVK_NORMAL_(a) \
  CONVK_INTEGER_(cmpgt) \
  (CONVK_INT_(CONVK_BITS_OF_(0xff000000, 0xffe0000000000000)), \
   CONVK_INTEGER_(sub)(CONVK_INT_(a), CONVK_INT_(CONVK_BITS_OF_(0x80800000, 0x8010000000000000))))
#define CONVK_ALL_NORMAL_(a, b) \
  (CONVK_MM_(movemask)(CONVK_REAL_(_mm256_and_si256(CONVK_NORMAL_(a), CONVK_NORMAL_(b)))) == (1 << CONVK_LANES) - 1)
#include "words/avx_256.h"
#include "words/x86.h"
#include "words/passes.h"
CONVK_TARGET_POP_
CONVK_EXACT_POP_
