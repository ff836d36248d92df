/* ========================================================================================================== AVX2, FMA == */

CONVK_EXACT_PUSH_
CONVK_TARGET_PUSH_("avx2,fma")

#define CONVK_HW_ avx2
#define CONVK_MM_PD_(name) _mm256_##name##_pd
#define CONVK_FUSES_ CONVK_FUSED_CLASS_
#define CONVK_REGISTERS_ 16
#include "words/x86.h"
#define CONVK_LESS_(a, b, x, y) CONVK_MM_(blendv)(y, x, CONVK_MM_(cmp)(a, b, _CMP_LT_OQ))
#define CONVK_ANY_LESS_(a, b) CONVK_MM_(movemask)(CONVK_MM_(cmp)(a, b, _CMP_LT_OQ))
#define CONVK_WHICH_LESS_(a, b) ((unsigned)CONVK_MM_(movemask)(CONVK_MM_(cmp)(a, b, _CMP_LT_OQ)))
#define CONVK_D __m256d
#define CONVK_DLANES_ 4
#define CONVK_REREAD_(f) CONVK_IN_MEMORY_(f)
#define CONVK_KEEP_(v) __asm__("" : "+x"(v))
#define CONVK_LEAVE_ _mm256_zeroupper();

#if CONVK_HAS_F32_
#define CONVK_PASS_ CONVK_PASS_KERNEL_
#define CONVK_TYPE_ f32
#define CONVK_V __m256
#define CONVK_LANES 8
#define CONVK_MM_(name) _mm256_##name##_ps
#define CONVK_OWN_(name) convk_avx_##name##_f32_
#define CONVK_INTEGER_(name) _mm256_##name##_epi32
#define CONVK_INT_ _mm256_castps_si256
#define CONVK_REAL_ _mm256_castsi256_ps
#define CONVK_BITS_(u) CONVK_REAL_(_mm256_set1_epi32((int)(u)))
#define CONVK_TILE_OUT_ 0
#define CONVK_TILE_16_ 0
#define CONVK_ROW_ROWS_ 4
#define CONVK_ROW_BESIDE_ 1
#if CONVK_HAS_F64_
#define CONVK_MORE_
#endif
#include CONVK_HEADER
#endif
#if CONVK_HAS_F64_
#define CONVK_PASS_ CONVK_PASS_KERNEL_
#define CONVK_TYPE_ f64
#define CONVK_V __m256d
#define CONVK_LANES 4
#define CONVK_MM_(name) _mm256_##name##_pd
#define CONVK_OWN_(name) convk_avx_##name##_f64_
#define CONVK_INTEGER_(name) _mm256_##name##_epi64
#define CONVK_INT_ _mm256_castpd_si256
#define CONVK_REAL_ _mm256_castsi256_pd
#define CONVK_BITS_(u) CONVK_REAL_(_mm256_set1_epi64x((long long)(u)))
#define CONVK_TILE_OUT_ 0
#define CONVK_TILE_16_ 0
#define CONVK_ROW_ROWS_ 2
#define CONVK_ROW_BESIDE_ 1
#include CONVK_HEADER
#endif

CONVK_TARGET_POP_
CONVK_EXACT_POP_
