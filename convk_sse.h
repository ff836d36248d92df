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
   convk_sse.h - the words of SSE2 for the kernels of convk.h, which has the manual.
   Adds the hardware "sse2" to convk_open, and variants by name: convk_<operation>_<type>_sse2. */

#ifndef CONVK_SSE_H_
#define CONVK_SSE_H_

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
#ifdef __cplusplus
extern "C" {
#endif
CONVK_API_ convk_modules_ convk_sse_modules_(void);
#if CONVK_MODE_ == 1 /* declarations only */
#define CONVK_HW_ sse2
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
#else
#if CONVK_HERE_ && !defined CONVK_NO_SSE2
#ifdef __cplusplus
}
#endif
#if defined __clang__ && defined __FAST_MATH__ && defined __EMMINTRIN_H && !defined CONVK_AVX_H_
#error "convk: with clang and -ffast-math include convk_sse.h before <emmintrin.h>, whose functions would reorder its sums"
#endif
#ifdef __clang__ /* which keeps the rules of the place where a function is defined */
CONVK_EXACT_PUSH_
#include <emmintrin.h>
CONVK_EXACT_POP_
#else
#include <emmintrin.h>
#endif
#ifdef __cplusplus
extern "C" {
#endif
/* ---- src/words/sse2.h ---- */
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

#if CONVK_CORE_
#ifndef CONVK_NO_SSE2
CONVK_OPENER_(sse2)
#endif
CONVK_API_ convk_modules_ convk_sse_modules_(void) {
#ifdef CONVK_NO_SSE2
  return convk_no_modules_();
#else
  static const convk_module_ list[] = {{"sse2", CONVK_CPU_SSE2_, convk_open_sse2_}};
  const convk_modules_ table = {sizeof list / sizeof *list, list};
  return table;
#endif
}
CONVK_OFFER_(sse)
#endif
#endif /* declarations only */
#undef CONVK_SSE_MODULES_
#define CONVK_SSE_MODULES_ convk_sse_modules_

#ifdef __cplusplus
}
#endif
#endif /* CONVK_X86_ */
#endif
