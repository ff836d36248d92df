/* ---- src/core/licence.h ---- */
/* MIT License

Copyright (c) 2026 the convk authors

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE. */

/* SPDX-License-Identifier: MIT
   convk_avx.h - the words of AVX, of AVX2 with FMA, and of AVX-512 (F, DQ, BW, VL) for the kernels of convk.h, which has the
   manual.  Adds the hardware "avx2" and "avx512" to convk_open, with CONVK_AVX_WITHOUT_AVX2 "avx", too, and variants by name:
   convk_<operation>_<type>_avx, _avx2, _avx512. */

#ifndef CONVK_AVX_H_
#define CONVK_AVX_H_

#ifndef CONVK_HEADER
#define CONVK_HEADER "convk.h"
#endif
#ifndef CONVK_H_
#include CONVK_HEADER
#else
/* ---- src/core/again.h ---- */
/* A second include in another mode would have no effect, so it is an error. */
#if (defined CONVK_DECLARE) != (CONVK_MODE_ == 1) || (defined CONVK_IMPLEMENT) != (CONVK_MODE_ == 2)
#error "convk.h was included before in this unit, in another mode: define CONVK_DECLARE or CONVK_IMPLEMENT before the first one"
#endif
#if (defined CONVK_ONLY_CORE || defined CONVK_ONLY_FAMILIES) != CONVK_SEPARATE_ || defined CONVK_ONLY_FAMILIES == CONVK_CORE_
#error "convk.h was included before for other parts: define CONVK_ONLY_CORE or CONVK_ONLY_FAMILIES before the first include"
#endif
#endif

#if CONVK_X86_
#if defined CONVK_AVX_WITHOUT_AVX2 && defined CONVK_NO_AVX
#undef CONVK_AVX_WITHOUT_AVX2
#endif
#if CONVK_MODE_ != 1 && CONVK_HERE_
#if defined __clang__ && defined __FAST_MATH__ && defined __IMMINTRIN_H
#error "convk: with clang and -ffast-math include convk_avx.h before <immintrin.h>, whose functions would reorder its sums"
#endif
#ifdef __clang__ /* which keeps the rules of the place where a function is defined */
CONVK_EXACT_PUSH_
#include <immintrin.h>
CONVK_EXACT_POP_
#else
#include <immintrin.h>
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif
CONVK_API_ convk_modules_ convk_avx_modules_(void);
#if CONVK_MODE_ == 1 /* declarations only */
#ifdef CONVK_AVX_WITHOUT_AVX2
#define CONVK_HW_ avx
/* ---- src/core/prototypes.h ---- */
/* Prototypes of the operations of CONVK_HW_, which then goes. */
#if CONVK_HAS_F32_
#define CONVK_TYPE_ f32
#define CONVK_T float
CONVK_VARIANT_OPERATIONS_(CONVK_OP_VARIANT_PROTOTYPE_)
#undef CONVK_TYPE_
#undef CONVK_T
#endif
#if CONVK_HAS_F64_
#define CONVK_TYPE_ f64
#define CONVK_T double
CONVK_VARIANT_OPERATIONS_(CONVK_OP_VARIANT_PROTOTYPE_)
#undef CONVK_TYPE_
#undef CONVK_T
#endif
#undef CONVK_HW_
#endif
#ifndef CONVK_NO_AVX2
#define CONVK_HW_ avx2
/* ---- src/core/prototypes.h ---- */
/* Prototypes of the operations of CONVK_HW_, which then goes. */
#if CONVK_HAS_F32_
#define CONVK_TYPE_ f32
#define CONVK_T float
CONVK_VARIANT_OPERATIONS_(CONVK_OP_VARIANT_PROTOTYPE_)
#undef CONVK_TYPE_
#undef CONVK_T
#endif
#if CONVK_HAS_F64_
#define CONVK_TYPE_ f64
#define CONVK_T double
CONVK_VARIANT_OPERATIONS_(CONVK_OP_VARIANT_PROTOTYPE_)
#undef CONVK_TYPE_
#undef CONVK_T
#endif
#undef CONVK_HW_
#endif
#ifndef CONVK_NO_AVX512
#define CONVK_HW_ avx512
/* ---- src/core/prototypes.h ---- */
/* Prototypes of the operations of CONVK_HW_, which then goes. */
#if CONVK_HAS_F32_
#define CONVK_TYPE_ f32
#define CONVK_T float
CONVK_VARIANT_OPERATIONS_(CONVK_OP_VARIANT_PROTOTYPE_)
#undef CONVK_TYPE_
#undef CONVK_T
#endif
#if CONVK_HAS_F64_
#define CONVK_TYPE_ f64
#define CONVK_T double
CONVK_VARIANT_OPERATIONS_(CONVK_OP_VARIANT_PROTOTYPE_)
#undef CONVK_TYPE_
#undef CONVK_T
#endif
#undef CONVK_HW_
#endif
#else
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* gcc 12 says it of its own intrinsics */
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

/* gcc for Windows aligns the stack to 16 bytes alone, and yet may move vectors of 32 and 64 bytes to it by instructions that
   fault at such addresses (GCC bug 54412; Debian's is mended).  The assembler makes of them those that take any address: they
   are as fast where the address is aligned. */
#if (defined _WIN32 || defined __CYGWIN__) && defined __x86_64__ && defined __GNUC__ && !defined __clang__
#define CONVK_MOVE_(aligned, any) ".macro " aligned " operands:vararg\n\t" any " \\operands\n\t.endm\n\t"
__asm__(".ifndef .Lconvk_moves\n\t.set .Lconvk_moves, 1\n\t" /* once, where -flto makes one text of many units */
        CONVK_MOVE_("vmovaps", "vmovups") CONVK_MOVE_("vmovapd", "vmovupd") CONVK_MOVE_("vmovdqa", "vmovdqu")
            CONVK_MOVE_("vmovdqa32", "vmovdqu32") CONVK_MOVE_("vmovdqa64", "vmovdqu64") ".endif");
#undef CONVK_MOVE_
#endif

/* Whether AVX2 and AVX-512 fuse. */
#ifdef CONVK_STRICT
#define CONVK_FUSED_CLASS_ 0
#else
#define CONVK_FUSED_CLASS_ 1
#endif

#if CONVK_HERE_
/* ---- src/words/avx_functions.h ---- */
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
#ifdef CONVK_AVX_WITHOUT_AVX2
/* ---- src/words/avx.h ---- */
/* ---- AVX ---- */
CONVK_EXACT_PUSH_
CONVK_TARGET_PUSH_("avx")
#define CONVK_HW_ avx
#define CONVK_FUSES_ 0
#define CONVK_INTEGER_(name) CONVK_EITHER_(convk_avx_##name##_epi32_, convk_avx_##name##_epi64_)
#define CONVK_DINTEGER_(name) convk_avx_##name##_
#define CONVK_LESS_ CONVK_OWN_(less)
/* ---- src/words/avx_256.h ---- */
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
/* ---- src/words/x86.h ---- */
/* ---- words that SSE2, AVX, AVX2 and AVX-512 have alike ----
   A module defines for each precision CONVK_MM_(name), the intrinsics of its vectors, CONVK_OWN_(name), its own functions,
   CONVK_INTEGER_(name), integers of the same size, CONVK_INT_ and CONVK_REAL_, the casts between them; and for both
   precisions CONVK_MM_PD_(name), the intrinsics of doubles, CONVK_DINTEGER_(name), of integers, CONVK_DINT_ and
   CONVK_DREAL_. */
#define CONVK_LOAD_ CONVK_MM_(loadu)
#define CONVK_STORE_ CONVK_MM_(storeu)
#define CONVK_STREAM_ CONVK_MM_(stream)
#define CONVK_FENCE_ _mm_sfence()
#define CONVK_LOADK_ CONVK_OWN_(loadk)
#define CONVK_STOREK_ CONVK_OWN_(storek)
#define CONVK_SET_ CONVK_MM_(set1)
#define CONVK_ADD_ CONVK_MM_(add)
#define CONVK_SUB_ CONVK_MM_(sub)
#define CONVK_MUL_ CONVK_MM_(mul)
#define CONVK_DIV_ CONVK_MM_(div)
#define CONVK_ROOT_ CONVK_MM_(sqrt)
#define CONVK_MIN_ CONVK_MM_(min)
#define CONVK_MAX_ CONVK_MM_(max)
#define CONVK_AND_ CONVK_MM_(and)
#define CONVK_OR_ CONVK_MM_(or)
#define CONVK_XOR_ CONVK_MM_(xor)
#define CONVK_IADD_(a, b) CONVK_REAL_(CONVK_INTEGER_(add)(CONVK_INT_(a), CONVK_INT_(b)))
#define CONVK_ISUB_(a, b) CONVK_REAL_(CONVK_INTEGER_(sub)(CONVK_INT_(a), CONVK_INT_(b)))
#define CONVK_SHL_(a, k) CONVK_REAL_(CONVK_INTEGER_(slli)(CONVK_INT_(a), k))
#define CONVK_SHR_(a, k) CONVK_REAL_(CONVK_INTEGER_(srli)(CONVK_INT_(a), k))
#define CONVK_TRANSPOSE_ CONVK_OWN_(transpose)
#define CONVK_UNZIP_ CONVK_OWN_(unzip)
#define CONVK_ZIP_ CONVK_OWN_(zip)
#define CONVK_DPART_ CONVK_OWN_(part)
#define CONVK_JOIN_ CONVK_OWN_(join)
#define CONVK_DZERO_ CONVK_MM_PD_(setzero)()
#define CONVK_DSET_ CONVK_MM_PD_(set1)
#define CONVK_DLOAD_ CONVK_MM_PD_(loadu)
#define CONVK_DSTORE_ CONVK_MM_PD_(storeu)
#define CONVK_DADD_ CONVK_MM_PD_(add)
#define CONVK_DSUB_ CONVK_MM_PD_(sub)
#define CONVK_DMIN_ CONVK_MM_PD_(min)
#define CONVK_DROOT_ CONVK_MM_PD_(sqrt)
#define CONVK_DAND_ CONVK_MM_PD_(and)
#define CONVK_DOR_ CONVK_MM_PD_(or)
#define CONVK_DSHR_(a, k) CONVK_DREAL_(CONVK_DINTEGER_(srli_epi64)(CONVK_DINT_(a), k))
#define CONVK_DMUL_LOW_(a, b) CONVK_DREAL_(CONVK_DINTEGER_(mul_epu32)(CONVK_DINT_(a), CONVK_DINT_(b)))
#define CONVK_ADD_TWO_(p, a, b) \
  _mm_storeu_si128((__m128i *)(void *)(p), _mm_add_epi64(_mm_loadu_si128((const __m128i *)(const void *)(p)), \
                                                         _mm_castpd_si128(_mm_loadh_pd(_mm_load_sd(a), b))))
#if CONVK_FUSES_
#define CONVK_FMA_ CONVK_MM_(fmadd)
#define CONVK_FNMA_ CONVK_MM_(fnmadd)
#define CONVK_FMS_ CONVK_MM_(fmsub)
#define CONVK_DFMA_ CONVK_MM_PD_(fmadd)
#define CONVK_DMUL_ CONVK_DPRODUCT_
#else
#define CONVK_FMA_(a, b, c) CONVK_ADD_(CONVK_MUL_(a, b), c)
#define CONVK_FNMA_(a, b, c) CONVK_SUB_(c, CONVK_MUL_(a, b))
#define CONVK_FMS_(a, b, c) CONVK_SUB_(CONVK_MUL_(a, b), c)
#define CONVK_DFMA_(a, b, c) CONVK_DADD_(CONVK_MM_PD_(mul)(a, b), c)
#define CONVK_DMUL_ CONVK_MM_PD_(mul)
#endif
/* Neighbours by loads, where registers cannot be shifted across their halves. */
#define CONVK_BEFORE_(p, before, v) ((void)(before), CONVK_LOAD_((p)-1))
#define CONVK_AFTER_(p, v, after) ((void)(after), CONVK_LOAD_((p) + 1))
/* Vectors of one row; windows by loads. */
#define CONVK_BESIDE_(p, ld) ((void)(ld), CONVK_LOAD_(p))
#define CONVK_STORE_BESIDE_(p, ld, v) ((void)(ld), CONVK_STORE_(p, v))
#define CONVK_WINDOW_(p, here, next, k) ((void)(here), (void)(next), CONVK_LOAD_((p) + (k)))
/* ---- src/words/passes.h ---- */
/* The kernels of all families in the words that were defined last: a pass for each precision. */
#if CONVK_HAS_F32_
#define CONVK_PASS_ CONVK_PASS_KERNEL_
#define CONVK_TYPE_ f32
#if CONVK_HAS_F64_
#define CONVK_MORE_
#endif
#include CONVK_HEADER
#endif
#if CONVK_HAS_F64_
#define CONVK_PASS_ CONVK_PASS_KERNEL_
#define CONVK_TYPE_ f64
#include CONVK_HEADER
#endif
CONVK_TARGET_POP_
CONVK_EXACT_POP_
#endif
#ifndef CONVK_NO_AVX2
/* ---- src/words/avx2.h ---- */
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
/* ---- src/words/avx_256.h ---- */
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
/* ---- src/words/x86.h ---- */
/* ---- words that SSE2, AVX, AVX2 and AVX-512 have alike ----
   A module defines for each precision CONVK_MM_(name), the intrinsics of its vectors, CONVK_OWN_(name), its own functions,
   CONVK_INTEGER_(name), integers of the same size, CONVK_INT_ and CONVK_REAL_, the casts between them; and for both
   precisions CONVK_MM_PD_(name), the intrinsics of doubles, CONVK_DINTEGER_(name), of integers, CONVK_DINT_ and
   CONVK_DREAL_. */
#define CONVK_LOAD_ CONVK_MM_(loadu)
#define CONVK_STORE_ CONVK_MM_(storeu)
#define CONVK_STREAM_ CONVK_MM_(stream)
#define CONVK_FENCE_ _mm_sfence()
#define CONVK_LOADK_ CONVK_OWN_(loadk)
#define CONVK_STOREK_ CONVK_OWN_(storek)
#define CONVK_SET_ CONVK_MM_(set1)
#define CONVK_ADD_ CONVK_MM_(add)
#define CONVK_SUB_ CONVK_MM_(sub)
#define CONVK_MUL_ CONVK_MM_(mul)
#define CONVK_DIV_ CONVK_MM_(div)
#define CONVK_ROOT_ CONVK_MM_(sqrt)
#define CONVK_MIN_ CONVK_MM_(min)
#define CONVK_MAX_ CONVK_MM_(max)
#define CONVK_AND_ CONVK_MM_(and)
#define CONVK_OR_ CONVK_MM_(or)
#define CONVK_XOR_ CONVK_MM_(xor)
#define CONVK_IADD_(a, b) CONVK_REAL_(CONVK_INTEGER_(add)(CONVK_INT_(a), CONVK_INT_(b)))
#define CONVK_ISUB_(a, b) CONVK_REAL_(CONVK_INTEGER_(sub)(CONVK_INT_(a), CONVK_INT_(b)))
#define CONVK_SHL_(a, k) CONVK_REAL_(CONVK_INTEGER_(slli)(CONVK_INT_(a), k))
#define CONVK_SHR_(a, k) CONVK_REAL_(CONVK_INTEGER_(srli)(CONVK_INT_(a), k))
#define CONVK_TRANSPOSE_ CONVK_OWN_(transpose)
#define CONVK_UNZIP_ CONVK_OWN_(unzip)
#define CONVK_ZIP_ CONVK_OWN_(zip)
#define CONVK_DPART_ CONVK_OWN_(part)
#define CONVK_JOIN_ CONVK_OWN_(join)
#define CONVK_DZERO_ CONVK_MM_PD_(setzero)()
#define CONVK_DSET_ CONVK_MM_PD_(set1)
#define CONVK_DLOAD_ CONVK_MM_PD_(loadu)
#define CONVK_DSTORE_ CONVK_MM_PD_(storeu)
#define CONVK_DADD_ CONVK_MM_PD_(add)
#define CONVK_DSUB_ CONVK_MM_PD_(sub)
#define CONVK_DMIN_ CONVK_MM_PD_(min)
#define CONVK_DROOT_ CONVK_MM_PD_(sqrt)
#define CONVK_DAND_ CONVK_MM_PD_(and)
#define CONVK_DOR_ CONVK_MM_PD_(or)
#define CONVK_DSHR_(a, k) CONVK_DREAL_(CONVK_DINTEGER_(srli_epi64)(CONVK_DINT_(a), k))
#define CONVK_DMUL_LOW_(a, b) CONVK_DREAL_(CONVK_DINTEGER_(mul_epu32)(CONVK_DINT_(a), CONVK_DINT_(b)))
#define CONVK_ADD_TWO_(p, a, b) \
  _mm_storeu_si128((__m128i *)(void *)(p), _mm_add_epi64(_mm_loadu_si128((const __m128i *)(const void *)(p)), \
                                                         _mm_castpd_si128(_mm_loadh_pd(_mm_load_sd(a), b))))
#if CONVK_FUSES_
#define CONVK_FMA_ CONVK_MM_(fmadd)
#define CONVK_FNMA_ CONVK_MM_(fnmadd)
#define CONVK_FMS_ CONVK_MM_(fmsub)
#define CONVK_DFMA_ CONVK_MM_PD_(fmadd)
#define CONVK_DMUL_ CONVK_DPRODUCT_
#else
#define CONVK_FMA_(a, b, c) CONVK_ADD_(CONVK_MUL_(a, b), c)
#define CONVK_FNMA_(a, b, c) CONVK_SUB_(c, CONVK_MUL_(a, b))
#define CONVK_FMS_(a, b, c) CONVK_SUB_(CONVK_MUL_(a, b), c)
#define CONVK_DFMA_(a, b, c) CONVK_DADD_(CONVK_MM_PD_(mul)(a, b), c)
#define CONVK_DMUL_ CONVK_MM_PD_(mul)
#endif
/* Neighbours by loads, where registers cannot be shifted across their halves. */
#define CONVK_BEFORE_(p, before, v) ((void)(before), CONVK_LOAD_((p)-1))
#define CONVK_AFTER_(p, v, after) ((void)(after), CONVK_LOAD_((p) + 1))
/* Vectors of one row; windows by loads. */
#define CONVK_BESIDE_(p, ld) ((void)(ld), CONVK_LOAD_(p))
#define CONVK_STORE_BESIDE_(p, ld, v) ((void)(ld), CONVK_STORE_(p, v))
#define CONVK_WINDOW_(p, here, next, k) ((void)(here), (void)(next), CONVK_LOAD_((p) + (k)))
/* ---- src/words/passes.h ---- */
/* The kernels of all families in the words that were defined last: a pass for each precision. */
#if CONVK_HAS_F32_
#define CONVK_PASS_ CONVK_PASS_KERNEL_
#define CONVK_TYPE_ f32
#if CONVK_HAS_F64_
#define CONVK_MORE_
#endif
#include CONVK_HEADER
#endif
#if CONVK_HAS_F64_
#define CONVK_PASS_ CONVK_PASS_KERNEL_
#define CONVK_TYPE_ f64
#include CONVK_HEADER
#endif
CONVK_TARGET_POP_
CONVK_EXACT_POP_
#endif
#ifndef CONVK_NO_AVX512
/* ---- src/words/avx512.h ---- */
/* ---- AVX-512 ---- */
CONVK_EXACT_PUSH_
CONVK_TARGET_PUSH_("avx512f,avx512dq,avx512bw,avx512vl,avx2,fma,popcnt")

CONVK_INLINE_ __mmask16 convk_avx512_mask_f32_(size_t k) { return (__mmask16)((1u << k) - 1); }
CONVK_INLINE_ __mmask8 convk_avx512_mask_f64_(size_t k) { return (__mmask8)((1u << k) - 1); }
CONVK_INLINE_ __m512 convk_avx512_loadk_f32_(const float *p, size_t k) {
  return _mm512_maskz_loadu_ps(convk_avx512_mask_f32_(k), p);
}
CONVK_INLINE_ __m512d convk_avx512_loadk_f64_(const double *p, size_t k) {
  return _mm512_maskz_loadu_pd(convk_avx512_mask_f64_(k), p);
}
CONVK_INLINE_ void convk_avx512_storek_f32_(float *p, __m512 v, size_t k) {
  _mm512_mask_storeu_ps(p, convk_avx512_mask_f32_(k), v);
}
CONVK_INLINE_ void convk_avx512_storek_f64_(double *p, __m512d v, size_t k) {
  _mm512_mask_storeu_pd(p, convk_avx512_mask_f64_(k), v);
}
CONVK_INLINE_ __m512d convk_avx512_part_f32_(__m512 v, size_t h) {
  return _mm512_cvtps_pd(h ? _mm512_extractf32x8_ps(v, 1) : _mm512_castps512_ps256(v));
}
CONVK_INLINE_ __m512d convk_avx512_part_f64_(__m512d v, size_t h) {
  (void)h;
  return v;
}
CONVK_INLINE_ __m512 convk_avx512_join_f32_(const __m512d *d) {
  return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(d[0])), _mm512_cvtpd_ps(d[1]), 1);
}
CONVK_INLINE_ __m512d convk_avx512_join_f64_(const __m512d *d) { return d[0]; }
/* Steps of rows beside each other, of 32 or 16 bytes, whose windows need few shifts within halves or quarters.  Loads across
   lines cost two accesses, and Intel repeats the multiply-adds that were to follow them at once. */
CONVK_INLINE_ __m512d convk_avx512_beside_f64_(const double *p, size_t ld) {
  return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(p)), _mm256_loadu_pd(p + ld), 1);
}
CONVK_INLINE_ void convk_avx512_store_beside_f64_(double *p, size_t ld, __m512d v) {
  _mm256_storeu_pd(p, _mm512_castpd512_pd256(v));
  _mm256_storeu_pd(p + ld, _mm512_extractf64x4_pd(v, 1));
}
CONVK_INLINE_ void convk_avx512_store_halves_f64_(double *p, double *q, __m512d v) {
  _mm256_storeu_pd(p, _mm512_castpd512_pd256(v));
  _mm256_storeu_pd(q, _mm512_extractf64x4_pd(v, 1));
}
CONVK_INLINE_ void convk_avx512_store_halves_f32_(float *p, float *q, __m512 v) {
  _mm256_storeu_ps(p, _mm512_castps512_ps256(v));
  _mm256_storeu_ps(q, _mm512_extractf32x8_ps(v, 1));
}
CONVK_INLINE_ __m512d convk_avx512_window_f64_(__m512d a, __m512d b, int k) {
  const __m512d middle = _mm512_permutex2var_pd(a, _mm512_set_epi64(13, 12, 7, 6, 9, 8, 3, 2), b);
  return k == 0 ? a : k == 2 ? middle : k == 1 ? _mm512_shuffle_pd(a, middle, 0x55) : _mm512_shuffle_pd(middle, b, 0x55);
}
CONVK_INLINE_ __m512 convk_avx512_beside_f32_(const float *p, size_t ld) {
  __m512 v = _mm512_insertf32x4(_mm512_castps128_ps512(_mm_loadu_ps(p)), _mm_loadu_ps(p + ld), 1);
  v = _mm512_insertf32x4(v, _mm_loadu_ps(p + 2 * ld), 2);
  return _mm512_insertf32x4(v, _mm_loadu_ps(p + 3 * ld), 3);
}
CONVK_INLINE_ void convk_avx512_store_beside_f32_(float *p, size_t ld, __m512 v) {
  _mm_storeu_ps(p, _mm512_castps512_ps128(v));
  _mm_storeu_ps(p + ld, _mm512_extractf32x4_ps(v, 1));
  _mm_storeu_ps(p + 2 * ld, _mm512_extractf32x4_ps(v, 2));
  _mm_storeu_ps(p + 3 * ld, _mm512_extractf32x4_ps(v, 3));
}
CONVK_INLINE_ __m512 convk_avx512_window_f32_(__m512 a, __m512 b, int k) {
  const __m512 middle = _mm512_shuffle_ps(a, b, 0x4e);
  return k == 0 ? a : k == 2 ? middle : k == 1 ? _mm512_shuffle_ps(a, middle, 0x99) : _mm512_shuffle_ps(middle, b, 0x99);
}
CONVK_INLINE_ __m512d convk_avx512_before_f64_(__m512d a, __m512d b) {
  return _mm512_castsi512_pd(_mm512_alignr_epi64(_mm512_castpd_si512(b), _mm512_castpd_si512(a), 7));
}
CONVK_INLINE_ __m512d convk_avx512_after_f64_(__m512d a, __m512d b) {
  return _mm512_castsi512_pd(_mm512_alignr_epi64(_mm512_castpd_si512(b), _mm512_castpd_si512(a), 1));
}
CONVK_INLINE_ __m512 convk_avx512_before_f32_(__m512 a, __m512 b) {
  return _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(b), _mm512_castps_si512(a), 15));
}
CONVK_INLINE_ __m512 convk_avx512_after_f32_(__m512 a, __m512 b) {
  return _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(b), _mm512_castps_si512(a), 1));
}
CONVK_INLINE_ __m512 convk_avx512_exchange_f32_(__m512 v) { return _mm512_permute_ps(v, 0xb1); }
CONVK_INLINE_ __m512d convk_avx512_exchange_f64_(__m512d v) { return _mm512_permute_pd(v, 0x55); }
CONVK_INLINE_ void convk_avx512_pairs_from_f32_(const float *p, size_t pitch, __m512 v[2]) {
  const __m512d even = _mm512_castps_pd(convk_avx512_beside_f32_(p, 2 * pitch));
  const __m512d odd = _mm512_castps_pd(convk_avx512_beside_f32_(p + pitch, 2 * pitch));
  v[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(even, odd));
  v[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(even, odd));
}
CONVK_INLINE_ void convk_avx512_pairs_to_f32_(float *p, size_t pitch, const __m512 v[2]) {
  const __m512d first = _mm512_castps_pd(v[0]), second = _mm512_castps_pd(v[1]);
  convk_avx512_store_beside_f32_(p, 2 * pitch, _mm512_castpd_ps(_mm512_unpacklo_pd(first, second)));
  convk_avx512_store_beside_f32_(p + pitch, 2 * pitch, _mm512_castpd_ps(_mm512_unpackhi_pd(first, second)));
}
CONVK_INLINE_ void convk_avx512_pairs_from_f64_(const double *p, size_t pitch, __m512d v[2]) {
  const __m512d low = convk_avx512_beside_f64_(p, pitch), high = convk_avx512_beside_f64_(p + 2 * pitch, pitch);
  v[0] = _mm512_shuffle_f64x2(low, high, 0x88);
  v[1] = _mm512_shuffle_f64x2(low, high, 0xdd);
}
CONVK_INLINE_ void convk_avx512_pairs_to_f64_(double *p, size_t pitch, const __m512d v[2]) {
  const __m512i low = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), high = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
  convk_avx512_store_beside_f64_(p, pitch, _mm512_permutex2var_pd(v[0], low, v[1]));
  convk_avx512_store_beside_f64_(p + 2 * pitch, pitch, _mm512_permutex2var_pd(v[0], high, v[1]));
}
/* Transpositions by exchanging halves, quarters and so on between rows. */
CONVK_INLINE_ void convk_avx512_transpose_f64_(__m512d v[8]) {
  __m512d t[8];
  int i;
  CONVK_UNROLL_
  for (i = 0; i < 8; i += 2) {
    t[i] = _mm512_unpacklo_pd(v[i], v[i + 1]);
    t[i + 1] = _mm512_unpackhi_pd(v[i], v[i + 1]);
  }
  CONVK_EACH_(i, 2) { /* i: even or odd columns */
    const __m512d a = _mm512_shuffle_f64x2(t[i], t[i + 2], 0x88), b = _mm512_shuffle_f64x2(t[i], t[i + 2], 0xdd);
    const __m512d c = _mm512_shuffle_f64x2(t[i + 4], t[i + 6], 0x88), d = _mm512_shuffle_f64x2(t[i + 4], t[i + 6], 0xdd);
    v[i] = _mm512_shuffle_f64x2(a, c, 0x88);
    v[i + 4] = _mm512_shuffle_f64x2(a, c, 0xdd);
    v[i + 2] = _mm512_shuffle_f64x2(b, d, 0x88);
    v[i + 6] = _mm512_shuffle_f64x2(b, d, 0xdd);
  }
}
/* u[i + j]: column 4 q + j of rows i .. i + 3 in quarter q, of `rows` rows. */
CONVK_INLINE_ void convk_avx512_fours_f32_(const int rows, const __m512 *v, __m512 *u) {
  __m512 t[16];
  int i;
  CONVK_UNROLL_
  for (i = 0; i < rows; i += 2) {
    t[i] = _mm512_unpacklo_ps(v[i], v[i + 1]);
    t[i + 1] = _mm512_unpackhi_ps(v[i], v[i + 1]);
  }
  CONVK_UNROLL_
  for (i = 0; i < rows; i += 4) {
    u[i] = _mm512_shuffle_ps(t[i], t[i + 2], 0x44);
    u[i + 1] = _mm512_shuffle_ps(t[i], t[i + 2], 0xee);
    u[i + 2] = _mm512_shuffle_ps(t[i + 1], t[i + 3], 0x44);
    u[i + 3] = _mm512_shuffle_ps(t[i + 1], t[i + 3], 0xee);
  }
}
CONVK_INLINE_ void convk_avx512_transpose_f32_(__m512 v[16]) {
  __m512 u[16];
  int j;
  convk_avx512_fours_f32_(16, v, u);
  CONVK_EACH_(j, 4) {
    const __m512 a = _mm512_shuffle_f32x4(u[j], u[j + 4], 0x88), b = _mm512_shuffle_f32x4(u[j], u[j + 4], 0xdd);
    const __m512 c = _mm512_shuffle_f32x4(u[j + 8], u[j + 12], 0x88), d = _mm512_shuffle_f32x4(u[j + 8], u[j + 12], 0xdd);
    v[j] = _mm512_shuffle_f32x4(a, c, 0x88);
    v[j + 8] = _mm512_shuffle_f32x4(a, c, 0xdd);
    v[j + 4] = _mm512_shuffle_f32x4(b, d, 0x88);
    v[j + 12] = _mm512_shuffle_f32x4(b, d, 0xdd);
  }
}
/* The same of rows in memory: halves of rows come into their places by loads, which leaves two thirds or three quarters of the
   shuffles.  (Quarters would leave half of them, but are four loads for each vector, and slower.) */
CONVK_INLINE_ void convk_avx512_transpose_from_f64_(const double *const row[8], __m512d v[8]) {
  int h, i;
  CONVK_EACH_(i, 4) { /* rows 0 and 2, 1 and 3, 4 and 6, 5 and 7 */
    const int r = i % 2 + i / 2 * 4;
    CONVK_EACH_(h, 2) /* columns 4 h .. 4 h + 3 */
      v[4 * h + i] =
          _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(row[r] + 4 * h)), _mm256_loadu_pd(row[r + 2] + 4 * h), 1);
  }
  CONVK_EACH_(h, 2) {
    __m512d *a = v + 4 * h, t[4];
    CONVK_UNROLL_
    for (i = 0; i < 4; i += 2) {
      t[i] = _mm512_unpacklo_pd(a[i], a[i + 1]);
      t[i + 1] = _mm512_unpackhi_pd(a[i], a[i + 1]);
    }
    CONVK_EACH_(i, 2) {
      a[i] = _mm512_shuffle_f64x2(t[i], t[i + 2], 0x88);
      a[i + 2] = _mm512_shuffle_f64x2(t[i], t[i + 2], 0xdd);
    }
  }
}
CONVK_INLINE_ void convk_avx512_transpose_from_f32_(const float *const row[16], __m512 v[16]) {
  int h, i, q;
  CONVK_EACH_(i, 8)
    CONVK_EACH_(h, 2) /* columns 8 h .. 8 h + 7 of rows i, i + 8 */
      v[8 * h + i] =
          _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(row[i] + 8 * h)), _mm256_loadu_ps(row[i + 8] + 8 * h), 1);
  CONVK_EACH_(h, 2) {
    __m512 *a = v + 8 * h, u[8];
    convk_avx512_fours_f32_(8, a, u);
    CONVK_EACH_(q, 4) {
      const __m512i low = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0), high = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
      a[q] = _mm512_castpd_ps(_mm512_permutex2var_pd(_mm512_castps_pd(u[q]), low, _mm512_castps_pd(u[q + 4])));
      a[q + 4] = _mm512_castpd_ps(_mm512_permutex2var_pd(_mm512_castps_pd(u[q]), high, _mm512_castps_pd(u[q + 4])));
    }
  }
}

CONVK_INLINE_ void convk_avx512_unzip_f32_(__m512 v[2]) {
  const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512 a = _mm512_permutex2var_ps(v[0], even, v[1]);
  v[1] = _mm512_permutex2var_ps(v[0], _mm512_add_epi32(even, _mm512_set1_epi32(1)), v[1]);
  v[0] = a;
}
CONVK_INLINE_ void convk_avx512_zip_f32_(__m512 v[2]) {
  const __m512i low = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
  const __m512 a = _mm512_permutex2var_ps(v[0], low, v[1]);
  v[1] = _mm512_permutex2var_ps(v[0], _mm512_add_epi32(low, _mm512_set1_epi32(8)), v[1]);
  v[0] = a;
}
CONVK_INLINE_ void convk_avx512_unzip_f64_(__m512d v[2]) {
  const __m512i even = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
  const __m512d a = _mm512_permutex2var_pd(v[0], even, v[1]);
  v[1] = _mm512_permutex2var_pd(v[0], _mm512_add_epi64(even, _mm512_set1_epi64(1)), v[1]);
  v[0] = a;
}
CONVK_INLINE_ void convk_avx512_zip_f64_(__m512d v[2]) {
  const __m512i low = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
  const __m512d a = _mm512_permutex2var_pd(v[0], low, v[1]);
  v[1] = _mm512_permutex2var_pd(v[0], _mm512_add_epi64(low, _mm512_set1_epi64(4)), v[1]);
  v[0] = a;
}

/* gcc without optimisation makes these macros, which convert masks. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif
/* With -ffinite-math-only clang takes a < b for the contrary of b <= a, which differs where one is NaN, unless it cannot see
   what a mask comes from. */
#if defined __clang__ && defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__ > 0
#define CONVK_AVX512_OPAQUE_(mask) __asm__("" : "+Yk"(mask))
#else
#define CONVK_AVX512_OPAQUE_(mask) ((void)0)
#endif
CONVK_INLINE_ __mmask16 convk_avx512_is_less_f32_(__m512 a, __m512 b) {
  __mmask16 less = _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
  CONVK_AVX512_OPAQUE_(less);
  return less;
}
CONVK_INLINE_ __mmask8 convk_avx512_is_less_f64_(__m512d a, __m512d b) {
  __mmask8 less = _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
  CONVK_AVX512_OPAQUE_(less);
  return less;
}
#undef CONVK_AVX512_OPAQUE_
CONVK_INLINE_ __m512 convk_avx512_nearer_f32_(__m512 a, __m512 b) { return _mm512_range_ps(a, b, 2); }
CONVK_INLINE_ __m512d convk_avx512_nearer_f64_(__m512d a, __m512d b) { return _mm512_range_pd(a, b, 2); }
CONVK_INLINE_ __m512 convk_avx512_left_f32_(__m512 u) { return _mm512_reduce_ps(u, _MM_FROUND_NO_EXC); }
CONVK_INLINE_ __m512d convk_avx512_left_f64_(__m512d u) { return _mm512_reduce_pd(u, _MM_FROUND_NO_EXC); }
CONVK_INLINE_ __m512 convk_avx512_mantissa_f32_(__m512 x) {
  return _mm512_getmant_ps(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_src);
}
CONVK_INLINE_ __m512d convk_avx512_mantissa_f64_(__m512d x) {
  return _mm512_getmant_pd(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_src);
}
CONVK_INLINE_ __m512 convk_avx512_exponent_f32_(__m512 x) { return _mm512_getexp_ps(x); }
CONVK_INLINE_ __m512d convk_avx512_exponent_f64_(__m512d x) { return _mm512_getexp_pd(x); }
/* By class of x, from the lowest digit on: both NaN 2 (itself), zeros 4 (-inf), 1 0 (y), -inf 3 (NaN), inf 5 (itself), negative
   3 (NaN), positive 0 (y). */
CONVK_INLINE_ __m512 convk_avx512_log_ends_f32_(__m512 y, __m512 x) {
  return _mm512_fixupimm_ps(y, x, _mm512_set1_epi32(0x03530422), 0);
}
CONVK_INLINE_ __m512d convk_avx512_log_ends_f64_(__m512d y, __m512d x) {
  return _mm512_fixupimm_pd(y, x, _mm512_set1_epi64(0x03530422), 0);
}
/* See SLIDE. */
CONVK_INLINE_ __m512d convk_avx512_slide_f64_(__m512d v, __m512d w, size_t k) {
  const __m512i first = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
  return _mm512_permutex2var_pd(v, _mm512_add_epi64(first, _mm512_set1_epi64((long long)k)), w);
}
CONVK_INLINE_ __m512 convk_avx512_slide_f32_(__m512 v, __m512 w, size_t k) {
  const __m512i first = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  return _mm512_permutex2var_ps(v, _mm512_add_epi32(first, _mm512_set1_epi32((int)k)), w);
}
/* See CHOOSE: eight elements at a time. */
CONVK_INLINE_ void convk_avx512_choose_(void *to, size_t apart, const void *from, const unsigned short *rows, size_t nrows,
                                        const unsigned char *columns, size_t ncolumns, size_t pitch, size_t n, size_t *counts) {
  const size_t each = ncolumns > 1 ? ncolumns : 1, line = ncolumns > 1 ? pitch : 1;
  size_t i, r, c;
  for (i = 0; i < nrows * line; i++) counts[i] = 0;
  for (i = 0; i < n; i += 8) {
    const __mmask8 all = n - i < 8 ? (__mmask8)((1u << (n - i)) - 1) : 255;
    const __m128i row = _mm_loadu_si128((const __m128i *)(const void *)(rows + i));
    const __m128i column = _mm_loadl_epi64((const __m128i *)(const void *)(columns + i));
    const __m512i elements = _mm512_maskz_loadu_epi64(all, (const char *)from + 8 * i);
    __mmask8 in[8];
    for (c = 0; c < each; c++)
      in[c] = ncolumns > 1 ? (__mmask8)(_mm_test_epi8_mask(column, _mm_set1_epi8((char)(1 << c))) & all) : all;
    for (r = 0; r < nrows; r++) {
      const __mmask8 own = _mm_test_epi16_mask(row, _mm_set1_epi16((short)(1 << r)));
      size_t *const count = counts + r * line;
      char *const list = (char *)to + 8 * r * line * apart;
      if (!(own & all)) continue;
      for (c = 0; c < each; c++) {
        const __mmask8 chosen = own & in[c];
        _mm512_storeu_si512(list + 8 * (c * apart + count[c]), _mm512_maskz_compress_epi64(chosen, elements));
        count[c] += (size_t)_mm_popcnt_u32(chosen);
      }
    }
  }
}
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic pop
#endif

CONVK_INLINE_ __m512d convk_avx512_product_(__m512d a, __m512d b) { /* as convk_avx2_product_ */
  __m512d product = _mm512_mul_pd(a, b);
  __asm__("" : "+v"(product));
  return product;
}

/* The series of 1 / sqrt(1 - e), whose next term is below 2^-53 of it: 14 bits become all.  Here a vector of roots takes 24
   cycles of the divider, which can do every other one at the same time. */
CONVK_INLINE_ __m512d convk_avx512_near_root_(__m512d a) {
  const __m512d y = _mm512_rsqrt14_pd(a), g = _mm512_mul_pd(a, y), e = _mm512_fnmadd_pd(g, y, _mm512_set1_pd(1));
  __m512d sum = _mm512_fmadd_pd(e, _mm512_set1_pd(0.3125), _mm512_set1_pd(0.375));
  sum = _mm512_mul_pd(_mm512_fmadd_pd(e, sum, _mm512_set1_pd(0.5)), e);
  return _mm512_fmadd_pd(g, sum, g);
}
CONVK_INLINE_ int convk_avx512_all_within_(__m512d a, __m512d b) {
  return _mm512_cmp_pd_mask(_mm512_abs_pd(a), b, _CMP_LT_OQ) == 255;
}

#define CONVK_HW_ avx512
#define CONVK_DPRODUCT_ convk_avx512_product_
#define CONVK_V CONVK_EITHER_(__m512, __m512d)
#define CONVK_LANES CONVK_EITHER_(16, 8)
#define CONVK_MM_(name) CONVK_EITHER_(_mm512_##name##_ps, _mm512_##name##_pd)
#define CONVK_MM_PD_(name) _mm512_##name##_pd
#define CONVK_OWN_(name) CONVK_EITHER_(convk_avx512_##name##_f32_, convk_avx512_##name##_f64_)
#define CONVK_INTEGER_(name) CONVK_EITHER_(_mm512_##name##_epi32, _mm512_##name##_epi64)
#define CONVK_INT_ CONVK_EITHER_(_mm512_castps_si512, _mm512_castpd_si512)
#define CONVK_REAL_ CONVK_EITHER_(_mm512_castsi512_ps, _mm512_castsi512_pd)
#define CONVK_BITS_(u) CONVK_REAL_(CONVK_EITHER_(_mm512_set1_epi32((int)(u)), _mm512_set1_epi64((long long)(u))))
#define CONVK_FUSES_ CONVK_FUSED_CLASS_
#define CONVK_REGISTERS_ 32
/* ---- src/words/x86.h ---- */
/* ---- words that SSE2, AVX, AVX2 and AVX-512 have alike ----
   A module defines for each precision CONVK_MM_(name), the intrinsics of its vectors, CONVK_OWN_(name), its own functions,
   CONVK_INTEGER_(name), integers of the same size, CONVK_INT_ and CONVK_REAL_, the casts between them; and for both
   precisions CONVK_MM_PD_(name), the intrinsics of doubles, CONVK_DINTEGER_(name), of integers, CONVK_DINT_ and
   CONVK_DREAL_. */
#define CONVK_LOAD_ CONVK_MM_(loadu)
#define CONVK_STORE_ CONVK_MM_(storeu)
#define CONVK_STREAM_ CONVK_MM_(stream)
#define CONVK_FENCE_ _mm_sfence()
#define CONVK_LOADK_ CONVK_OWN_(loadk)
#define CONVK_STOREK_ CONVK_OWN_(storek)
#define CONVK_SET_ CONVK_MM_(set1)
#define CONVK_ADD_ CONVK_MM_(add)
#define CONVK_SUB_ CONVK_MM_(sub)
#define CONVK_MUL_ CONVK_MM_(mul)
#define CONVK_DIV_ CONVK_MM_(div)
#define CONVK_ROOT_ CONVK_MM_(sqrt)
#define CONVK_MIN_ CONVK_MM_(min)
#define CONVK_MAX_ CONVK_MM_(max)
#define CONVK_AND_ CONVK_MM_(and)
#define CONVK_OR_ CONVK_MM_(or)
#define CONVK_XOR_ CONVK_MM_(xor)
#define CONVK_IADD_(a, b) CONVK_REAL_(CONVK_INTEGER_(add)(CONVK_INT_(a), CONVK_INT_(b)))
#define CONVK_ISUB_(a, b) CONVK_REAL_(CONVK_INTEGER_(sub)(CONVK_INT_(a), CONVK_INT_(b)))
#define CONVK_SHL_(a, k) CONVK_REAL_(CONVK_INTEGER_(slli)(CONVK_INT_(a), k))
#define CONVK_SHR_(a, k) CONVK_REAL_(CONVK_INTEGER_(srli)(CONVK_INT_(a), k))
#define CONVK_TRANSPOSE_ CONVK_OWN_(transpose)
#define CONVK_UNZIP_ CONVK_OWN_(unzip)
#define CONVK_ZIP_ CONVK_OWN_(zip)
#define CONVK_DPART_ CONVK_OWN_(part)
#define CONVK_JOIN_ CONVK_OWN_(join)
#define CONVK_DZERO_ CONVK_MM_PD_(setzero)()
#define CONVK_DSET_ CONVK_MM_PD_(set1)
#define CONVK_DLOAD_ CONVK_MM_PD_(loadu)
#define CONVK_DSTORE_ CONVK_MM_PD_(storeu)
#define CONVK_DADD_ CONVK_MM_PD_(add)
#define CONVK_DSUB_ CONVK_MM_PD_(sub)
#define CONVK_DMIN_ CONVK_MM_PD_(min)
#define CONVK_DROOT_ CONVK_MM_PD_(sqrt)
#define CONVK_DAND_ CONVK_MM_PD_(and)
#define CONVK_DOR_ CONVK_MM_PD_(or)
#define CONVK_DSHR_(a, k) CONVK_DREAL_(CONVK_DINTEGER_(srli_epi64)(CONVK_DINT_(a), k))
#define CONVK_DMUL_LOW_(a, b) CONVK_DREAL_(CONVK_DINTEGER_(mul_epu32)(CONVK_DINT_(a), CONVK_DINT_(b)))
#define CONVK_ADD_TWO_(p, a, b) \
  _mm_storeu_si128((__m128i *)(void *)(p), _mm_add_epi64(_mm_loadu_si128((const __m128i *)(const void *)(p)), \
                                                         _mm_castpd_si128(_mm_loadh_pd(_mm_load_sd(a), b))))
#if CONVK_FUSES_
#define CONVK_FMA_ CONVK_MM_(fmadd)
#define CONVK_FNMA_ CONVK_MM_(fnmadd)
#define CONVK_FMS_ CONVK_MM_(fmsub)
#define CONVK_DFMA_ CONVK_MM_PD_(fmadd)
#define CONVK_DMUL_ CONVK_DPRODUCT_
#else
#define CONVK_FMA_(a, b, c) CONVK_ADD_(CONVK_MUL_(a, b), c)
#define CONVK_FNMA_(a, b, c) CONVK_SUB_(c, CONVK_MUL_(a, b))
#define CONVK_FMS_(a, b, c) CONVK_SUB_(CONVK_MUL_(a, b), c)
#define CONVK_DFMA_(a, b, c) CONVK_DADD_(CONVK_MM_PD_(mul)(a, b), c)
#define CONVK_DMUL_ CONVK_MM_PD_(mul)
#endif
/* Neighbours by loads, where registers cannot be shifted across their halves. */
#define CONVK_BEFORE_(p, before, v) ((void)(before), CONVK_LOAD_((p)-1))
#define CONVK_AFTER_(p, v, after) ((void)(after), CONVK_LOAD_((p) + 1))
/* Vectors of one row; windows by loads. */
#define CONVK_BESIDE_(p, ld) ((void)(ld), CONVK_LOAD_(p))
#define CONVK_STORE_BESIDE_(p, ld, v) ((void)(ld), CONVK_STORE_(p, v))
#define CONVK_WINDOW_(p, here, next, k) ((void)(here), (void)(next), CONVK_LOAD_((p) + (k)))
#define CONVK_IS_LESS_ CONVK_OWN_(is_less)
#define CONVK_LESS_(a, b, x, y) CONVK_MM_(mask_blend)(CONVK_IS_LESS_(a, b), y, x)
#define CONVK_ANY_LESS_(a, b) (CONVK_IS_LESS_(a, b) != 0)
#define CONVK_WHICH_LESS_(a, b) ((unsigned)CONVK_IS_LESS_(a, b))
#define CONVK_SCALE_ CONVK_MM_(scalef)
#define CONVK_NEARER_ CONVK_OWN_(nearer)
#define CONVK_LEFT_ CONVK_OWN_(left)
#define CONVK_MANTISSA_ CONVK_OWN_(mantissa)
#define CONVK_EXPONENT_ CONVK_OWN_(exponent)
#define CONVK_LOG_ENDS_ CONVK_OWN_(log_ends)
#define CONVK_CHOOSE_ convk_avx512_choose_
#define CONVK_SLIDE_ CONVK_OWN_(slide)
#undef CONVK_BEFORE_
#undef CONVK_AFTER_
#undef CONVK_BESIDE_
#undef CONVK_STORE_BESIDE_
#undef CONVK_WINDOW_
#define CONVK_BEFORE_(p, u, v) CONVK_OWN_(before)(u, v)
#define CONVK_AFTER_(p, v, w) CONVK_OWN_(after)(v, w)
#define CONVK_BESIDE_ CONVK_OWN_(beside)
#define CONVK_STORE_BESIDE_ CONVK_OWN_(store_beside)
#define CONVK_STORE_HALVES_ CONVK_OWN_(store_halves)
#define CONVK_WINDOW_(p, here, next, k) CONVK_OWN_(window)(here, next, k)
#define CONVK_TRANSPOSE_FROM_ CONVK_OWN_(transpose_from)
#define CONVK_EXCHANGE_ CONVK_OWN_(exchange)
#define CONVK_ALTERNATE_(a, b) CONVK_EITHER_(_mm512_setr4_ps(a, b, a, b), _mm512_setr4_pd(a, b, a, b))
#define CONVK_PAIRS_FROM_ CONVK_OWN_(pairs_from)
#define CONVK_PAIRS_TO_ CONVK_OWN_(pairs_to)
#define CONVK_DINTEGER_(name) _mm512_##name
#define CONVK_DINT_ _mm512_castpd_si512
#define CONVK_DREAL_ _mm512_castsi512_pd
#define CONVK_DNEAR_ROOT_ convk_avx512_near_root_
#define CONVK_DALL_WITHIN_ convk_avx512_all_within_
#define CONVK_D __m512d
#define CONVK_DLANES_ 8
#define CONVK_REREAD_(f) ((void)0)
#define CONVK_KEEP_(v) __asm__("" : "+v"(v))
#define CONVK_LEAVE_ _mm256_zeroupper();
#define CONVK_TILE_OUT_ 8
#define CONVK_TILE_VEC_ 2
#define CONVK_TILE_16_ 1
#define CONVK_ROW_ROWS_ CONVK_EITHER_(8, 4)
#define CONVK_ROW_BESIDE_ CONVK_EITHER_(4, 2)
#define CONVK_ROW_TURN_ 1
/* ---- src/words/passes.h ---- */
/* The kernels of all families in the words that were defined last: a pass for each precision. */
#if CONVK_HAS_F32_
#define CONVK_PASS_ CONVK_PASS_KERNEL_
#define CONVK_TYPE_ f32
#if CONVK_HAS_F64_
#define CONVK_MORE_
#endif
#include CONVK_HEADER
#endif
#if CONVK_HAS_F64_
#define CONVK_PASS_ CONVK_PASS_KERNEL_
#define CONVK_TYPE_ f64
#include CONVK_HEADER
#endif
CONVK_TARGET_POP_
CONVK_EXACT_POP_
#endif
#endif

#if CONVK_CORE_
#ifdef CONVK_AVX_WITHOUT_AVX2
CONVK_OPENER_(avx)
#endif
#ifndef CONVK_NO_AVX2
CONVK_OPENER_(avx2)
#endif
#ifndef CONVK_NO_AVX512
CONVK_OPENER_(avx512)
#endif
CONVK_API_ convk_modules_ convk_avx_modules_(void) {
  static const convk_module_ list[] = {
#ifdef CONVK_AVX_WITHOUT_AVX2
      {"avx", CONVK_CPU_AVX_, convk_open_avx_},
#endif
#ifndef CONVK_NO_AVX2
      {"avx2", CONVK_CPU_AVX2_, convk_open_avx2_},
#endif
#ifndef CONVK_NO_AVX512
      {"avx512", CONVK_CPU_AVX512_, convk_open_avx512_},
#endif
      {NULL, 0, NULL}};
  const convk_modules_ table = {sizeof list / sizeof *list - 1, list};
  return table;
}
CONVK_OFFER_(avx)
#endif
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic pop
#endif
#endif /* declarations only */
#undef CONVK_AVX_MODULES_
#define CONVK_AVX_MODULES_ convk_avx_modules_

#ifdef __cplusplus
}
#endif
#endif /* CONVK_X86_ */
#endif
