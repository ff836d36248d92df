/* ---- words that AVX and AVX2 have alike: vectors of 256 bits ---- */
#define CONVK_V CONVK_EITHER_(__m256, __m256d)
#define CONVK_LANES CONVK_EITHER_(8, 4)
#define CONVK_MM_(name) CONVK_EITHER_(_mm256_##name##_ps, _mm256_##name##_pd)
#define CONVK_MM_PD_(name) _mm256_##name##_pd
#define CONVK_OWN_(name) CONVK_EITHER_(convk_avx_##name##_f32_, convk_avx_##name##_f64_)
#define CONVK_INT_ CONVK_EITHER_(_mm256_castps_si256, _mm256_castpd_si256)
#define CONVK_REAL_ CONVK_EITHER_(_mm256_castsi256_ps, _mm256_castsi256_pd)
#define CONVK_LOAD_HALF_(p) CONVK_MM_(insertf128)(CONVK_MM_(setzero)(), CONVK_EITHER_(_mm_loadu_ps, _mm_loadu_pd)(p), 0)
#define CONVK_BITS_(u) CONVK_REAL_(CONVK_EITHER_(_mm256_set1_epi32((int)(u)), _mm256_set1_epi64x((long long)(u))))
#define CONVK_ANY_LESS_(a, b) CONVK_MM_(movemask)(CONVK_MM_(cmp)(a, b, _CMP_LT_OQ))
#define CONVK_WHICH_LESS_(a, b) ((unsigned)CONVK_ANY_LESS_(a, b))
#define CONVK_DINT_ _mm256_castpd_si256
#define CONVK_DREAL_ _mm256_castsi256_pd
#define CONVK_D __m256d
#define CONVK_DLANES_ 4
#define CONVK_REGISTERS_ 16
#define CONVK_REREAD_(f) CONVK_IN_MEMORY_(f)
#define CONVK_KEEP_(v) __asm__("" : "+x"(v))
#define CONVK_EXCHANGE_ CONVK_OWN_(exchange)
#define CONVK_ALTERNATE_(a, b) CONVK_EITHER_(_mm256_setr_ps(a, b, a, b, a, b, a, b), _mm256_setr_pd(a, b, a, b))
#define CONVK_PAIRS_FROM_ CONVK_OWN_(pairs_from)
#define CONVK_PAIRS_TO_ CONVK_OWN_(pairs_to)
#define CONVK_LEAVE_ _mm256_zeroupper();
#define CONVK_TILE_OUT_ 0
#define CONVK_TILE_16_ 0
#define CONVK_ROW_ROWS_ CONVK_EITHER_(4, 2)
#define CONVK_ROW_BESIDE_ 1
#define CONVK_ROW_TURN_ 1
