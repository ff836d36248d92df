/* ---- AVX ---- */
CONVK_EXACT_PUSH_
CONVK_TARGET_PUSH_("avx")
#define CONVK_HW_ avx
#define CONVK_FUSES_ 0
#define CONVK_INTEGER_(name) CONVK_EITHER_(convk_avx_##name##_epi32_, convk_avx_##name##_epi64_)
#define CONVK_DINTEGER_(name) convk_avx_##name##_
#define CONVK_LESS_ CONVK_OWN_(less)
#include "words/avx_256.h"
#include "words/x86.h"
#include "words/passes.h"
CONVK_TARGET_POP_
CONVK_EXACT_POP_
