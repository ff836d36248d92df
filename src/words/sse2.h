CONVK_EXACT_PUSH_
CONVK_TARGET_PUSH_("sse2")

/* The first k elements, and never a byte more.  What is rare stays out of line. */
CONVK_RARE_ __m128d convk_sse2_load_partial_f64_(const double *p, size_t k) {
  return k ? _mm_set_sd(*(const convk_any_f64_ *)p) : _mm_setzero_pd();
}
CONVK_RARE_ void convk_sse2_store_partial_f64_(double *p, __m128d v, size_t k) {
  if (k) *(convk_any_f64_ *)p = _mm_cvtsd_f64(v);
}
CONVK_RARE_ __m128 convk_sse2_load_partial_f32_(const float *p, size_t k) {
  const __m128 two = k >= 2 ? _mm_loadl_pi(_mm_setzero_ps(), (const __m64 *)(const void *)p) : _mm_setzero_ps();
  __m128 last;
  if (k % 2 == 0) return two;
  last = _mm_set_ss(*(const convk_any_f32_ *)(p + k - 1));
  return k == 3 ? _mm_movelh_ps(two, last) : last;
}
CONVK_RARE_ void convk_sse2_store_partial_f32_(float *p, __m128 v, size_t k) {
  if (k >= 2) _mm_storel_pi((__m64 *)(void *)p, v);
  if (k == 3) *(convk_any_f32_ *)(p + 2) = _mm_cvtss_f32(_mm_movehl_ps(v, v));
  if (k == 1) *(convk_any_f32_ *)p = _mm_cvtss_f32(v);
}
CONVK_INLINE_ __m128d convk_sse2_loadk_f64_(const double *p, size_t k) {
  return k >= 2 ? _mm_loadu_pd(p) : convk_sse2_load_partial_f64_(p, k);
}
CONVK_INLINE_ void convk_sse2_storek_f64_(double *p, __m128d v, size_t k) {
  if (k >= 2) _mm_storeu_pd(p, v);
  else convk_sse2_store_partial_f64_(p, v, k);
}
CONVK_INLINE_ __m128 convk_sse2_loadk_f32_(const float *p, size_t k) {
  return k >= 4 ? _mm_loadu_ps(p) : convk_sse2_load_partial_f32_(p, k);
}
CONVK_INLINE_ void convk_sse2_storek_f32_(float *p, __m128 v, size_t k) {
  if (k >= 4) _mm_storeu_ps(p, v);
  else convk_sse2_store_partial_f32_(p, v, k);
}
CONVK_INLINE_ void convk_sse2_transpose_f64_(__m128d v[2]) {
  const __m128d low = _mm_unpacklo_pd(v[0], v[1]);
  v[1] = _mm_unpackhi_pd(v[0], v[1]);
  v[0] = low;
}
CONVK_INLINE_ void convk_sse2_transpose_f32_(__m128 v[4]) { _MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]); }

CONVK_INLINE_ void convk_sse2_zip_f64_(__m128d v[2]) { convk_sse2_transpose_f64_(v); }
CONVK_INLINE_ void convk_sse2_unzip_f64_(__m128d v[2]) { convk_sse2_transpose_f64_(v); }
CONVK_INLINE_ void convk_sse2_zip_f32_(__m128 v[2]) {
  const __m128 low = _mm_unpacklo_ps(v[0], v[1]);
  v[1] = _mm_unpackhi_ps(v[0], v[1]);
  v[0] = low;
}
CONVK_INLINE_ void convk_sse2_unzip_f32_(__m128 v[2]) {
  const __m128 even = _mm_shuffle_ps(v[0], v[1], 0x88);
  v[1] = _mm_shuffle_ps(v[0], v[1], 0xdd);
  v[0] = even;
}

CONVK_INLINE_ __m128d convk_sse2_exchange_f64_(__m128d v) { return _mm_shuffle_pd(v, v, 1); }
CONVK_INLINE_ __m128 convk_sse2_exchange_f32_(__m128 v) { return _mm_shuffle_ps(v, v, 0xb1); }
CONVK_INLINE_ void convk_sse2_pairs_from_f64_(const double *p, size_t pitch, __m128d v[2]) {
  (void)pitch;
  v[0] = _mm_loadu_pd(p);
  v[1] = _mm_loadu_pd(p + 2);
}
CONVK_INLINE_ void convk_sse2_pairs_to_f64_(double *p, size_t pitch, const __m128d v[2]) {
  (void)pitch;
  _mm_storeu_pd(p, v[0]);
  _mm_storeu_pd(p + 2, v[1]);
}
CONVK_INLINE_ void convk_sse2_pairs_from_f32_(const float *p, size_t pitch, __m128 v[2]) {
  const __m128 first = _mm_loadu_ps(p), second = _mm_loadu_ps(p + pitch);
  v[0] = _mm_movelh_ps(first, second);
  v[1] = _mm_movehl_ps(second, first);
}
CONVK_INLINE_ void convk_sse2_pairs_to_f32_(float *p, size_t pitch, const __m128 v[2]) {
  _mm_storeu_ps(p, _mm_movelh_ps(v[0], v[1]));
  _mm_storeu_ps(p + pitch, _mm_movehl_ps(v[1], v[0]));
}

CONVK_INLINE_ __m128d convk_sse2_part_f32_(__m128 v, size_t h) { return _mm_cvtps_pd(h ? _mm_movehl_ps(v, v) : v); }
CONVK_INLINE_ __m128d convk_sse2_part_f64_(__m128d v, size_t h) {
  (void)h;
  return v;
}

/* x where a < b, y elsewhere. */
CONVK_INLINE_ __m128 convk_sse2_less_f32_(__m128 a, __m128 b, __m128 x, __m128 y) {
  const __m128 m = _mm_cmplt_ps(a, b);
  return _mm_or_ps(_mm_and_ps(m, x), _mm_andnot_ps(m, y));
}
CONVK_INLINE_ __m128d convk_sse2_less_f64_(__m128d a, __m128d b, __m128d x, __m128d y) {
  const __m128d m = _mm_cmplt_pd(a, b);
  return _mm_or_pd(_mm_and_pd(m, x), _mm_andnot_pd(m, y));
}
CONVK_INLINE_ __m128 convk_sse2_join_f32_(const __m128d *d) { return _mm_movelh_ps(_mm_cvtpd_ps(d[0]), _mm_cvtpd_ps(d[1])); }
CONVK_INLINE_ __m128d convk_sse2_join_f64_(const __m128d *d) { return d[0]; }

#define CONVK_HW_ sse2
#define CONVK_EXCHANGE_ CONVK_OWN_(exchange)
#define CONVK_ALTERNATE_(a, b) CONVK_EITHER_(_mm_setr_ps(a, b, a, b), _mm_setr_pd(a, b))
#define CONVK_PAIRS_FROM_ CONVK_OWN_(pairs_from)
#define CONVK_PAIRS_TO_ CONVK_OWN_(pairs_to)
#define CONVK_V CONVK_EITHER_(__m128, __m128d)
#define CONVK_LANES CONVK_EITHER_(4, 2)
#define CONVK_MM_(name) CONVK_EITHER_(_mm_##name##_ps, _mm_##name##_pd)
#define CONVK_MM_PD_(name) _mm_##name##_pd
#define CONVK_OWN_(name) CONVK_EITHER_(convk_sse2_##name##_f32_, convk_sse2_##name##_f64_)
#define CONVK_INTEGER_(name) CONVK_EITHER_(_mm_##name##_epi32, _mm_##name##_epi64)
#define CONVK_INT_ CONVK_EITHER_(_mm_castps_si128, _mm_castpd_si128)
#define CONVK_REAL_ CONVK_EITHER_(_mm_castsi128_ps, _mm_castsi128_pd)
#define CONVK_BITS_(u) CONVK_REAL_(CONVK_EITHER_(_mm_set1_epi32((int)(u)), _mm_set1_epi64x((long long)(u))))
#define CONVK_DINTEGER_(name) _mm_##name
#define CONVK_DINT_ _mm_castpd_si128
#define CONVK_DREAL_ _mm_castsi128_pd
#define CONVK_FUSES_ 0
#define CONVK_REGISTERS_ 16
#include "words/x86.h"
#define CONVK_LESS_ CONVK_OWN_(less)
#define CONVK_ANY_LESS_(a, b) CONVK_MM_(movemask)(CONVK_MM_(cmplt)(a, b))
#define CONVK_WHICH_LESS_(a, b) ((unsigned)CONVK_ANY_LESS_(a, b))
#define CONVK_D __m128d
#define CONVK_DLANES_ 2
#define CONVK_REREAD_(f) CONVK_IN_MEMORY_(f)
#define CONVK_KEEP_(v) __asm__("" : "+x"(v))
#define CONVK_LEAVE_
#define CONVK_TILE_OUT_ 0
#define CONVK_TILE_16_ 0
#define CONVK_ROW_ROWS_ 0
#include "words/passes.h"
CONVK_TARGET_POP_
CONVK_EXACT_POP_
