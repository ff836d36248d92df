/* ================================================================================================================= AVX == */

CONVK_EXACT_PUSH_
CONVK_TARGET_PUSH_("avx")

/* Masks of the first k lanes. */
CONVK_INLINE_ __m256i convk_avx_mask_f32_(size_t k) {
  static const int32_t ones[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};
  return _mm256_loadu_si256((const __m256i *)(const void *)(ones + 8 - k));
}
CONVK_INLINE_ __m256i convk_avx_mask_f64_(size_t k) {
  static const int64_t ones[8] = {-1, -1, -1, -1, 0, 0, 0, 0};
  return _mm256_loadu_si256((const __m256i *)(const void *)(ones + 4 - k));
}
CONVK_INLINE_ __m256 convk_avx_loadk_f32_(const float *p, size_t k) { return _mm256_maskload_ps(p, convk_avx_mask_f32_(k)); }
CONVK_INLINE_ __m256d convk_avx_loadk_f64_(const double *p, size_t k) { return _mm256_maskload_pd(p, convk_avx_mask_f64_(k)); }
/* By halves: stores by masks take some 40 operations on AMD's processors.  By memcpy: p is aligned to nothing. */
CONVK_INLINE_ void convk_avx_storek_f32_(float *p, __m256 v, size_t k) {
  __m128 part = _mm256_castps256_ps128(v);
  if (k >= 8) {
    _mm256_storeu_ps(p, v);
    return;
  }
  if (k & 4) {
    memcpy(p, &part, 4 * sizeof *p);
    part = _mm256_extractf128_ps(v, 1);
    p += 4;
  }
  if (k & 2) {
    memcpy(p, &part, 2 * sizeof *p);
    part = _mm_movehl_ps(part, part);
    p += 2;
  }
  if (k & 1) memcpy(p, &part, sizeof *p);
}
CONVK_INLINE_ void convk_avx_storek_f64_(double *p, __m256d v, size_t k) {
  __m128d part = _mm256_castpd256_pd128(v);
  if (k >= 4) {
    _mm256_storeu_pd(p, v);
    return;
  }
  if (k & 2) {
    memcpy(p, &part, 2 * sizeof *p);
    part = _mm256_extractf128_pd(v, 1);
    p += 2;
  }
  if (k & 1) memcpy(p, &part, sizeof *p);
}
CONVK_INLINE_ __m256d convk_avx_part_f32_(__m256 v, size_t h) {
  return _mm256_cvtps_pd(h ? _mm256_extractf128_ps(v, 1) : _mm256_castps256_ps128(v));
}
CONVK_INLINE_ __m256d convk_avx_part_f64_(__m256d v, size_t h) {
  (void)h;
  return v;
}
CONVK_INLINE_ void convk_avx_transpose_f64_(__m256d v[4]) {
  const __m256d a = _mm256_unpacklo_pd(v[0], v[1]), b = _mm256_unpackhi_pd(v[0], v[1]);
  const __m256d c = _mm256_unpacklo_pd(v[2], v[3]), d = _mm256_unpackhi_pd(v[2], v[3]);
  v[0] = _mm256_permute2f128_pd(a, c, 0x20);
  v[1] = _mm256_permute2f128_pd(b, d, 0x20);
  v[2] = _mm256_permute2f128_pd(a, c, 0x31);
  v[3] = _mm256_permute2f128_pd(b, d, 0x31);
}
/* Of 8 rows: pairs of rows 4 apart exchange 128-bit halves, then each half is a 4 x 4 transposition. */
CONVK_INLINE_ void convk_avx_transpose_f32_(__m256 v[8]) {
  __m256 low[4], high[4];
  int i;
  CONVK_EACH_(i, 4) {
    low[i] = _mm256_permute2f128_ps(v[i], v[i + 4], 0x20);
    high[i] = _mm256_permute2f128_ps(v[i], v[i + 4], 0x31);
  }
  CONVK_EACH_(i, 2) {
    const __m256 *s = i ? high : low;
    const __m256 a = _mm256_unpacklo_ps(s[0], s[1]), b = _mm256_unpackhi_ps(s[0], s[1]);
    const __m256 c = _mm256_unpacklo_ps(s[2], s[3]), d = _mm256_unpackhi_ps(s[2], s[3]);
    v[4 * i] = _mm256_shuffle_ps(a, c, 0x44);
    v[4 * i + 1] = _mm256_shuffle_ps(a, c, 0xee);
    v[4 * i + 2] = _mm256_shuffle_ps(b, d, 0x44);
    v[4 * i + 3] = _mm256_shuffle_ps(b, d, 0xee);
  }
}

/* Pairs: first the middle quarters change places, so that a shuffle within halves does the rest; and back. */
CONVK_INLINE_ void convk_avx_unzip_f32_(__m256 v[2]) {
  const __m256 a = _mm256_permute2f128_ps(v[0], v[1], 0x20), b = _mm256_permute2f128_ps(v[0], v[1], 0x31);
  v[0] = _mm256_shuffle_ps(a, b, 0x88);
  v[1] = _mm256_shuffle_ps(a, b, 0xdd);
}
CONVK_INLINE_ void convk_avx_zip_f32_(__m256 v[2]) {
  const __m256 a = _mm256_unpacklo_ps(v[0], v[1]), b = _mm256_unpackhi_ps(v[0], v[1]);
  v[0] = _mm256_permute2f128_ps(a, b, 0x20);
  v[1] = _mm256_permute2f128_ps(a, b, 0x31);
}
CONVK_INLINE_ void convk_avx_unzip_f64_(__m256d v[2]) {
  const __m256d a = _mm256_permute2f128_pd(v[0], v[1], 0x20), b = _mm256_permute2f128_pd(v[0], v[1], 0x31);
  v[0] = _mm256_unpacklo_pd(a, b);
  v[1] = _mm256_unpackhi_pd(a, b);
}
CONVK_INLINE_ void convk_avx_zip_f64_(__m256d v[2]) {
  const __m256d a = _mm256_unpacklo_pd(v[0], v[1]), b = _mm256_unpackhi_pd(v[0], v[1]);
  v[0] = _mm256_permute2f128_pd(a, b, 0x20);
  v[1] = _mm256_permute2f128_pd(a, b, 0x31);
}
CONVK_INLINE_ __m256 convk_avx_exchange_f32_(__m256 v) { return _mm256_permute_ps(v, 0xb1); }
CONVK_INLINE_ __m256d convk_avx_exchange_f64_(__m256d v) { return _mm256_permute_pd(v, 5); }
/* Rows 0 and 2, 1 and 3: a row is two pairs. */
CONVK_INLINE_ void convk_avx_pairs_from_f32_(const float *p, size_t pitch, __m256 v[2]) {
  const __m256 even = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps(p + 2 * pitch), 1);
  const __m256 odd = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + pitch)), _mm_loadu_ps(p + 3 * pitch), 1);
  v[0] = _mm256_shuffle_ps(even, odd, 0x44);
  v[1] = _mm256_shuffle_ps(even, odd, 0xee);
}
CONVK_INLINE_ void convk_avx_pairs_to_f32_(float *p, size_t pitch, const __m256 v[2]) {
  const __m256 even = _mm256_shuffle_ps(v[0], v[1], 0x44), odd = _mm256_shuffle_ps(v[0], v[1], 0xee);
  _mm_storeu_ps(p, _mm256_castps256_ps128(even));
  _mm_storeu_ps(p + pitch, _mm256_castps256_ps128(odd));
  _mm_storeu_ps(p + 2 * pitch, _mm256_extractf128_ps(even, 1));
  _mm_storeu_ps(p + 3 * pitch, _mm256_extractf128_ps(odd, 1));
}
CONVK_INLINE_ void convk_avx_pairs_from_f64_(const double *p, size_t pitch, __m256d v[2]) {
  const __m256d first = _mm256_loadu_pd(p), second = _mm256_loadu_pd(p + pitch);
  v[0] = _mm256_permute2f128_pd(first, second, 0x20);
  v[1] = _mm256_permute2f128_pd(first, second, 0x31);
}
CONVK_INLINE_ void convk_avx_pairs_to_f64_(double *p, size_t pitch, const __m256d v[2]) {
  _mm256_storeu_pd(p, _mm256_permute2f128_pd(v[0], v[1], 0x20));
  _mm256_storeu_pd(p + pitch, _mm256_permute2f128_pd(v[0], v[1], 0x31));
}

CONVK_INLINE_ __m256 convk_avx_join_f32_(const __m256d *d) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(d[0])), _mm256_cvtpd_ps(d[1]), 1);
}
CONVK_INLINE_ __m256d convk_avx_join_f64_(const __m256d *d) { return d[0]; }
/* AVX has no integers of 256 bits: they are computed by halves. */
#define CONVK_LOW_(a) _mm256_castsi256_si128(a)
#define CONVK_HIGH_(a) _mm256_extractf128_si256(a, 1)
#define CONVK_HALVES_(name, second, low, high) \
  CONVK_INLINE_ __m256i convk_avx_##name##_(__m256i a, second b) { \
    const __m256i v = _mm256_castsi128_si256(_mm_##name(CONVK_LOW_(a), low(b))); \
    return _mm256_insertf128_si256(v, _mm_##name(CONVK_HIGH_(a), high(b)), 1); \
  }
CONVK_HALVES_(add_epi32, __m256i, CONVK_LOW_, CONVK_HIGH_)
CONVK_HALVES_(add_epi64, __m256i, CONVK_LOW_, CONVK_HIGH_)
CONVK_HALVES_(sub_epi32, __m256i, CONVK_LOW_, CONVK_HIGH_)
CONVK_HALVES_(sub_epi64, __m256i, CONVK_LOW_, CONVK_HIGH_)
CONVK_HALVES_(slli_epi32, int, , )
CONVK_HALVES_(slli_epi64, int, , )
CONVK_HALVES_(srli_epi32, int, , )
CONVK_HALVES_(srli_epi64, int, , )
CONVK_HALVES_(mul_epu32, __m256i, CONVK_LOW_, CONVK_HIGH_)
#undef CONVK_LOW_
#undef CONVK_HIGH_
#undef CONVK_HALVES_

/* By logic: blendv goes by signs, which gcc makes comparisons of integers of, one by one where there are none of 256 bits. */
#define CONVK_SELECT_(type, wide, s) \
  CONVK_INLINE_ wide convk_avx_less_##type##_(wide a, wide b, wide x, wide y) { \
    const wide less = _mm256_cmp_##s(a, b, _CMP_LT_OQ); \
    return _mm256_or_##s(_mm256_and_##s(less, x), _mm256_andnot_##s(less, y)); \
  }
CONVK_SELECT_(f32, __m256, ps)
CONVK_SELECT_(f64, __m256d, pd)
#undef CONVK_SELECT_

CONVK_TARGET_POP_
CONVK_EXACT_POP_
