/* Words that are no operators in C. */
/* By statements: under -ffast-math clang 14 takes a conditional expression's operands for numbers that are never NaN. */
CONVK_INLINE_ CONVK_T convk_scalar_min_(CONVK_T a, CONVK_T b) {
  if (CONVK_LESS_THAN_(a, b)) return a;
  return b;
}
CONVK_INLINE_ CONVK_T convk_scalar_max_(CONVK_T a, CONVK_T b) {
  if (CONVK_LESS_THAN_(b, a)) return a;
  return b;
}
CONVK_INLINE_ CONVK_T convk_scalar_less_(CONVK_T a, CONVK_T b, CONVK_T x, CONVK_T y) {
  if (CONVK_LESS_THAN_(a, b)) return x;
  return y;
}
CONVK_INLINE_ CONVK_UNSIGNED_ convk_scalar_int_(CONVK_T a) {
  CONVK_UNSIGNED_ i;
  memcpy(&i, &a, sizeof i);
  return i;
}
CONVK_INLINE_ CONVK_T convk_scalar_real_(CONVK_UNSIGNED_ i) {
  CONVK_T a;
  memcpy(&a, &i, sizeof a);
  return a;
}
