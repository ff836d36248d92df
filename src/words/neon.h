/* ---- NEON of 64-bit ARM ---- */
CONVK_EXACT_PUSH_

/* The first k elements, and never a byte more.  What is rare stays out of line. */
CONVK_RARE_ float64x2_t convk_neon_load_partial_f64_(const double *p, size_t k) {
  const float64x2_t zero = vdupq_n_f64(0);
  return k ? vld1q_lane_f64(p, zero, 0) : zero;
}
CONVK_RARE_ float32x4_t convk_neon_load_partial_f32_(const float *p, size_t k) {
  const float32x4_t zero = vdupq_n_f32(0);
  const float32x4_t two = k >= 2 ? vcombine_f32(vld1_f32(p), vdup_n_f32(0)) : zero;
  return k == 3 ? vld1q_lane_f32(p + 2, two, 2) : k == 1 ? vld1q_lane_f32(p, zero, 0) : two;
}
CONVK_RARE_ void convk_neon_store_partial_f32_(float *p, float32x4_t v, size_t k) {
  if (k >= 2) vst1_f32(p, vget_low_f32(v));
  if (k == 3) vst1q_lane_f32(p + 2, v, 2);
  if (k == 1) vst1q_lane_f32(p, v, 0);
}
CONVK_INLINE_ float64x2_t convk_neon_loadk_f64_(const double *p, size_t k) {
  return k >= 2 ? vld1q_f64(p) : convk_neon_load_partial_f64_(p, k);
}
CONVK_INLINE_ float32x4_t convk_neon_loadk_f32_(const float *p, size_t k) {
  return k >= 4 ? vld1q_f32(p) : convk_neon_load_partial_f32_(p, k);
}
CONVK_INLINE_ void convk_neon_storek_f64_(double *p, float64x2_t v, size_t k) {
  if (k >= 2) vst1q_f64(p, v);
  else if (k) vst1q_lane_f64(p, v, 0);
}
CONVK_INLINE_ void convk_neon_storek_f32_(float *p, float32x4_t v, size_t k) {
  if (k >= 4) vst1q_f32(p, v);
  else convk_neon_store_partial_f32_(p, v, k);
}

CONVK_INLINE_ uint32_t convk_neon_which_f32_(uint32x4_t less) {
  static const uint32_t bits[4] = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32(less, vld1q_u32(bits)));
}
CONVK_INLINE_ uint64_t convk_neon_which_f64_(uint64x2_t less) {
  static const uint64_t bits[2] = {1, 2};
  return vaddvq_u64(vandq_u64(less, vld1q_u64(bits)));
}
/* Whether a lane is set: halves of lanes, as one number. */
CONVK_INLINE_ int convk_neon_any_f32_(uint32x4_t less) { return vget_lane_u64(vreinterpret_u64_u16(vmovn_u32(less)), 0) != 0; }
CONVK_INLINE_ int convk_neon_any_f64_(uint64x2_t less) { return vget_lane_u64(vreinterpret_u64_u32(vmovn_u64(less)), 0) != 0; }

CONVK_INLINE_ void convk_neon_transpose_f64_(float64x2_t v[2]) {
  const float64x2_t low = vtrn1q_f64(v[0], v[1]);
  v[1] = vtrn2q_f64(v[0], v[1]);
  v[0] = low;
}
CONVK_INLINE_ void convk_neon_transpose_f32_(float32x4_t v[4]) {
  const float64x2_t a = vreinterpretq_f64_f32(vtrn1q_f32(v[0], v[1])), b = vreinterpretq_f64_f32(vtrn2q_f32(v[0], v[1]));
  const float64x2_t c = vreinterpretq_f64_f32(vtrn1q_f32(v[2], v[3])), d = vreinterpretq_f64_f32(vtrn2q_f32(v[2], v[3]));
  v[0] = vreinterpretq_f32_f64(vtrn1q_f64(a, c));
  v[1] = vreinterpretq_f32_f64(vtrn1q_f64(b, d));
  v[2] = vreinterpretq_f32_f64(vtrn2q_f64(a, c));
  v[3] = vreinterpretq_f32_f64(vtrn2q_f64(b, d));
}
CONVK_INLINE_ void convk_neon_zip_f64_(float64x2_t v[2]) { convk_neon_transpose_f64_(v); }
CONVK_INLINE_ void convk_neon_unzip_f64_(float64x2_t v[2]) { convk_neon_transpose_f64_(v); }
/* a0 b0 a1 b1 and a2 b2 a3 b3 of a and b. */
CONVK_INLINE_ void convk_neon_zip_f32_(float32x4_t v[2]) {
  const float32x4_t low = vzip1q_f32(v[0], v[1]);
  v[1] = vzip2q_f32(v[0], v[1]);
  v[0] = low;
}
CONVK_INLINE_ void convk_neon_unzip_f32_(float32x4_t v[2]) {
  const float32x4_t even = vuzp1q_f32(v[0], v[1]);
  v[1] = vuzp2q_f32(v[0], v[1]);
  v[0] = even;
}

CONVK_INLINE_ float64x2_t convk_neon_exchange_f64_(float64x2_t v) { return vextq_f64(v, v, 1); }
CONVK_INLINE_ float32x4_t convk_neon_exchange_f32_(float32x4_t v) { return vrev64q_f32(v); }
CONVK_INLINE_ float64x2_t convk_neon_alternate_f64_(double a, double b) { return vsetq_lane_f64(b, vdupq_n_f64(a), 1); }
CONVK_INLINE_ float32x4_t convk_neon_alternate_f32_(float a, float b) { return vzip1q_f32(vdupq_n_f32(a), vdupq_n_f32(b)); }
CONVK_INLINE_ void convk_neon_pairs_from_f64_(const double *p, size_t pitch, float64x2_t v[2]) {
  (void)pitch;
  v[0] = vld1q_f64(p);
  v[1] = vld1q_f64(p + 2);
}
CONVK_INLINE_ void convk_neon_pairs_to_f64_(double *p, size_t pitch, const float64x2_t v[2]) {
  (void)pitch;
  vst1q_f64(p, v[0]);
  vst1q_f64(p + 2, v[1]);
}
CONVK_INLINE_ void convk_neon_pairs_from_f32_(const float *p, size_t pitch, float32x4_t v[2]) {
  const float64x2_t a = vreinterpretq_f64_f32(vld1q_f32(p)), b = vreinterpretq_f64_f32(vld1q_f32(p + pitch));
  v[0] = vreinterpretq_f32_f64(vtrn1q_f64(a, b));
  v[1] = vreinterpretq_f32_f64(vtrn2q_f64(a, b));
}
CONVK_INLINE_ void convk_neon_pairs_to_f32_(float *p, size_t pitch, const float32x4_t v[2]) {
  const float64x2_t a = vreinterpretq_f64_f32(v[0]), b = vreinterpretq_f64_f32(v[1]);
  vst1q_f32(p, vreinterpretq_f32_f64(vtrn1q_f64(a, b)));
  vst1q_f32(p + pitch, vreinterpretq_f32_f64(vtrn2q_f64(a, b)));
}

CONVK_INLINE_ float64x2_t convk_neon_part_f32_(float32x4_t v, size_t h) {
  return h ? vcvt_high_f64_f32(v) : vcvt_f64_f32(vget_low_f32(v));
}
CONVK_INLINE_ float64x2_t convk_neon_part_f64_(float64x2_t v, size_t h) {
  (void)h;
  return v;
}
CONVK_INLINE_ float32x4_t convk_neon_join_f32_(const float64x2_t *d) { return vcvt_high_f32_f64(vcvt_f32_f64(d[0]), d[1]); }
CONVK_INLINE_ float64x2_t convk_neon_join_f64_(const float64x2_t *d) { return d[0]; }

/* The second where one is NaN, as nothing of fmin's kind has it. */
CONVK_INLINE_ float32x4_t convk_neon_min_f32_(float32x4_t a, float32x4_t b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
CONVK_INLINE_ float64x2_t convk_neon_min_f64_(float64x2_t a, float64x2_t b) { return vbslq_f64(vcltq_f64(a, b), a, b); }
CONVK_INLINE_ float32x4_t convk_neon_max_f32_(float32x4_t a, float32x4_t b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
CONVK_INLINE_ float64x2_t convk_neon_max_f64_(float64x2_t a, float64x2_t b) { return vbslq_f64(vcgtq_f64(a, b), a, b); }
CONVK_INLINE_ float32x4_t convk_neon_left_f32_(float32x4_t u) { return vsubq_f32(u, vrndnq_f32(u)); }
CONVK_INLINE_ float64x2_t convk_neon_left_f64_(float64x2_t u) { return vsubq_f64(u, vrndnq_f64(u)); }

/* By one lane of a: told by hand and in this order, since compilers copy each such lane to all of another register, ahead of a
   loop, or end one sum before they begin the next, and spill what then finds no place. */
#define CONVK_BY_LANE_(instruction, lane, r) \
  __asm__ volatile(instruction "\t%0." r ", %1." r ", %2." lane : "=w"(v) : "w"(b), "w"(a))
#define CONVK_BY_LANE_TO_(instruction, lane, r) \
  __asm__ volatile(instruction "\t%0." r ", %1." r ", %2." lane : "+w"(c) : "w"(b), "w"(a))
CONVK_INLINE_ float64x2_t convk_neon_mul_lane_f64_(float64x2_t a, int k, float64x2_t b) {
  float64x2_t v;
  if (k) CONVK_BY_LANE_("fmul", "d[1]", "2d");
  else CONVK_BY_LANE_("fmul", "d[0]", "2d");
  return v;
}
CONVK_INLINE_ float32x4_t convk_neon_mul_lane_f32_(float32x4_t a, int k, float32x4_t b) {
  float32x4_t v;
  if (k == 0) CONVK_BY_LANE_("fmul", "s[0]", "4s");
  else if (k == 1) CONVK_BY_LANE_("fmul", "s[1]", "4s");
  else if (k == 2) CONVK_BY_LANE_("fmul", "s[2]", "4s");
  else CONVK_BY_LANE_("fmul", "s[3]", "4s");
  return v;
}
CONVK_INLINE_ float64x2_t convk_neon_fma_lane_f64_(float64x2_t a, int k, float64x2_t b, float64x2_t c) {
  if (k) CONVK_BY_LANE_TO_("fmla", "d[1]", "2d");
  else CONVK_BY_LANE_TO_("fmla", "d[0]", "2d");
  return c;
}
CONVK_INLINE_ float32x4_t convk_neon_fma_lane_f32_(float32x4_t a, int k, float32x4_t b, float32x4_t c) {
  if (k == 0) CONVK_BY_LANE_TO_("fmla", "s[0]", "4s");
  else if (k == 1) CONVK_BY_LANE_TO_("fmla", "s[1]", "4s");
  else if (k == 2) CONVK_BY_LANE_TO_("fmla", "s[2]", "4s");
  else CONVK_BY_LANE_TO_("fmla", "s[3]", "4s");
  return c;
}
#undef CONVK_BY_LANE_
#undef CONVK_BY_LANE_TO_

#define CONVK_HW_ neon
#define CONVK_V CONVK_EITHER_(float32x4_t, float64x2_t)
#define CONVK_LANES CONVK_EITHER_(4, 2)
#define CONVK_REGISTERS_ 32
#define CONVK_MM_(name) CONVK_EITHER_(v##name##_f32, v##name##_f64)
#define CONVK_MM_PD_(name) v##name##_f64
#define CONVK_OWN_(name) CONVK_EITHER_(convk_neon_##name##_f32_, convk_neon_##name##_f64_)
#define CONVK_INTEGER_(name) CONVK_EITHER_(v##name##_u32, v##name##_u64)
#define CONVK_INT_ CONVK_EITHER_(vreinterpretq_u32_f32, vreinterpretq_u64_f64)
#define CONVK_REAL_ CONVK_EITHER_(vreinterpretq_f32_u32, vreinterpretq_f64_u64)
#define CONVK_BITS_(u) CONVK_REAL_(CONVK_INTEGER_(dupq_n)(u))
#define CONVK_LOAD_ CONVK_MM_(ld1q)
#define CONVK_STORE_ CONVK_MM_(st1q)
#define CONVK_STREAM_ CONVK_MM_(st1q)
#define CONVK_FENCE_ ((void)0)
#define CONVK_LOADK_ CONVK_OWN_(loadk)
#define CONVK_STOREK_ CONVK_OWN_(storek)
#define CONVK_LEAVE_
#define CONVK_SET_ CONVK_MM_(dupq_n)
#define CONVK_ADD_ CONVK_MM_(addq)
#define CONVK_SUB_ CONVK_MM_(subq)
#define CONVK_MUL_ CONVK_MM_(mulq)
#define CONVK_DIV_ CONVK_MM_(divq)
#define CONVK_ROOT_ CONVK_MM_(sqrtq)
#define CONVK_MIN_ CONVK_OWN_(min)
#define CONVK_MAX_ CONVK_OWN_(max)
#define CONVK_LESS_(a, b, x, y) CONVK_MM_(bslq)(CONVK_MM_(cltq)(a, b), x, y)
#define CONVK_ANY_LESS_(a, b) CONVK_OWN_(any)(CONVK_MM_(cltq)(a, b))
#define CONVK_WHICH_LESS_(a, b) ((unsigned)CONVK_OWN_(which)(CONVK_MM_(cltq)(a, b)))
#define CONVK_AND_(a, b) CONVK_REAL_(CONVK_INTEGER_(andq)(CONVK_INT_(a), CONVK_INT_(b)))
#define CONVK_OR_(a, b) CONVK_REAL_(CONVK_INTEGER_(orrq)(CONVK_INT_(a), CONVK_INT_(b)))
#define CONVK_XOR_(a, b) CONVK_REAL_(CONVK_INTEGER_(eorq)(CONVK_INT_(a), CONVK_INT_(b)))
#define CONVK_IADD_(a, b) CONVK_REAL_(CONVK_INTEGER_(addq)(CONVK_INT_(a), CONVK_INT_(b)))
#define CONVK_ISUB_(a, b) CONVK_REAL_(CONVK_INTEGER_(subq)(CONVK_INT_(a), CONVK_INT_(b)))
#define CONVK_SHL_(a, k) CONVK_REAL_(CONVK_INTEGER_(shlq_n)(CONVK_INT_(a), k))
#define CONVK_SHR_(a, k) CONVK_REAL_(CONVK_INTEGER_(shrq_n)(CONVK_INT_(a), k))
#define CONVK_LEFT_ CONVK_OWN_(left)
#define CONVK_TRANSPOSE_ CONVK_OWN_(transpose)
#define CONVK_UNZIP_ CONVK_OWN_(unzip)
#define CONVK_ZIP_ CONVK_OWN_(zip)
#define CONVK_EXCHANGE_ CONVK_OWN_(exchange)
#define CONVK_ALTERNATE_ CONVK_OWN_(alternate)
#define CONVK_PAIRS_FROM_ CONVK_OWN_(pairs_from)
#define CONVK_PAIRS_TO_ CONVK_OWN_(pairs_to)
#define CONVK_D float64x2_t
#define CONVK_DLANES_ 2
#define CONVK_DPART_ CONVK_OWN_(part)
#define CONVK_JOIN_ CONVK_OWN_(join)
#define CONVK_DZERO_ vdupq_n_f64(0)
#define CONVK_DSET_ vdupq_n_f64
#define CONVK_DLOAD_ vld1q_f64
#define CONVK_DSTORE_ vst1q_f64
#define CONVK_DADD_ vaddq_f64
#define CONVK_DSUB_ vsubq_f64
#define CONVK_DMUL_ vmulq_f64
#define CONVK_DMIN_ convk_neon_min_f64_
#define CONVK_DROOT_ vsqrtq_f64
#define CONVK_DINT_ vreinterpretq_u64_f64
#define CONVK_DREAL_ vreinterpretq_f64_u64
#define CONVK_DSHR_(a, k) CONVK_DREAL_(vshrq_n_u64(CONVK_DINT_(a), k))
#define CONVK_DAND_(a, b) CONVK_DREAL_(vandq_u64(CONVK_DINT_(a), CONVK_DINT_(b)))
#define CONVK_DOR_(a, b) CONVK_DREAL_(vorrq_u64(CONVK_DINT_(a), CONVK_DINT_(b)))
#define CONVK_DMUL_LOW_(a, b) CONVK_DREAL_(vmull_u32(vmovn_u64(CONVK_DINT_(a)), vmovn_u64(CONVK_DINT_(b))))
#define CONVK_ADD_TWO_(p, a, b) vst1q_u64(p, vaddq_u64(vld1q_u64(p), CONVK_DINT_(vcombine_f64(vld1_f64(a), vld1_f64(b)))))
#ifdef CONVK_STRICT
#define CONVK_FUSES_ 0
#define CONVK_FMA_(a, b, c) CONVK_ADD_(CONVK_MUL_(a, b), c)
#define CONVK_FNMA_(a, b, c) CONVK_SUB_(c, CONVK_MUL_(a, b))
#define CONVK_FMS_(a, b, c) CONVK_SUB_(CONVK_MUL_(a, b), c)
#define CONVK_DFMA_(a, b, c) vaddq_f64(vmulq_f64(a, b), c)
#define CONVK_FMA_LANE_(a, k, b, c) CONVK_ADD_(CONVK_MUL_LANE_(a, k, b), c)
#else
#define CONVK_FUSES_ 1
#define CONVK_FMA_(a, b, c) CONVK_MM_(fmaq)(c, a, b)
#define CONVK_FNMA_(a, b, c) CONVK_MM_(fmsq)(c, a, b)
#define CONVK_FMS_(a, b, c) CONVK_MM_(fmaq)(CONVK_MM_(negq)(c), a, b)
#define CONVK_DFMA_(a, b, c) vfmaq_f64(c, a, b)
#define CONVK_FMA_LANE_(a, k, b, c) CONVK_OWN_(fma_lane)(a, k, b, c)
#endif
#define CONVK_MUL_LANE_(a, k, b) CONVK_OWN_(mul_lane)(a, k, b)
/* Neighbours and windows by loads, of which the processors do several a cycle at any address. */
#define CONVK_BEFORE_(p, before, v) ((void)(before), CONVK_LOAD_((p)-1))
#define CONVK_AFTER_(p, v, after) ((void)(after), CONVK_LOAD_((p) + 1))
#define CONVK_BESIDE_(p, ld) ((void)(ld), CONVK_LOAD_(p))
#define CONVK_STORE_BESIDE_(p, ld, v) ((void)(ld), CONVK_STORE_(p, v))
#define CONVK_WINDOW_(p, here, next, k) ((void)(here), (void)(next), CONVK_LOAD_((p) + (k)))
#define CONVK_KEEP_(v) __asm__("" : "+w"(v))
#define CONVK_REREAD_(f) ((void)0)
#define CONVK_TILE_OUT_ 8
#define CONVK_TILE_VEC_ 2
#define CONVK_TILE_16_ 2
#define CONVK_ROW_ROWS_ CONVK_EITHER_(4, 2)
#define CONVK_ROW_BESIDE_ 1
#define CONVK_ROW_TURN_ CONVK_EITHER_(2, 4)
#include "words/passes.h"
CONVK_EXACT_POP_
