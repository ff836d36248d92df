/* ---- numbers: what drivers need, without -lm ---- */

/* The words of numbers.h on processors; what is compiled by this header is not fused. */
#define CONVK_NUMBER_ CONVK_LOCAL_
#define CONVK_NUMBER_APART_ CONVK_RARE_
#define CONVK_NUMBER_FAR_
#define CONVK_ROLLED_
#define CONVK_TIMES_(a, b) ((a) * (b))
#define CONVK_PLUS_(a, b) ((a) + (b))
#define CONVK_TIMES_PLUS_(a, b, c) ((a) * (b) + (c))
#define CONVK_OVER_(a, b) ((a) / (b))
#define CONVK_SIXTH_(x) ((x) / 6)
#define CONVK_ROOT_OF_(x) convk_sqrt_(x)
#define CONVK_LOG_OF_(x) convk_log_(x)
#define CONVK_EXP_OF_(x) convk_exp_(x)

CONVK_RARE_ double convk_log_(double x);
CONVK_RARE_ double convk_exp_(double x);
#include "pairs/numbers.h"
#undef CONVK_NUMBER_
#undef CONVK_NUMBER_APART_
#undef CONVK_NUMBER_FAR_
#undef CONVK_ROLLED_
#undef CONVK_TIMES_
#undef CONVK_PLUS_
#undef CONVK_TIMES_PLUS_
#undef CONVK_OVER_
#undef CONVK_SIXTH_
#undef CONVK_ROOT_OF_
#undef CONVK_LOG_OF_
#undef CONVK_EXP_OF_

/* Of finite x > 0, also below the ordinary ones: those times 2^54 are. */
CONVK_RARE_ double convk_log_(double x) {
  double k = 0;
  if (x < 2.2250738585072014e-308) {
    x *= 18014398509481984.;
    k = -54;
  }
  convk_split_(&x, &k);
  return convk_log_ratio_(x, 1, k);
}

/* Of x <= 0; 0 below -700. */
CONVK_RARE_ double convk_exp_(double x) {
  static const double c[14] = {
      1,         1,          1. / 2,      1. / 6,       1. / 24,       1. / 120,       1. / 720,
      1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800, 1. / 39916800, 1. / 479001600, 1. / 6227020800.};
  double n, r, sum = c[13];
  int i;
  if (!CONVK_LESS_EQUAL_(-700, x)) return 0;
  n = (double)(int)(x * 1.4426950408889634 - 0.5); /* log2 e */
  r = (x - n * CONVK_LN_2_HIGH_) - n * CONVK_LN_2_LOW_;
  for (i = 12; i >= 0; i--) sum = sum * r + c[i];
  return sum * convk_from_bits_((uint64_t)(1023 + (int)n) << 52);
}

/* x^a of finite x > 0, as far as it is between exp(-700) and exp(700). */
CONVK_RARE_ double convk_power_(double x, double a) {
  const double y = a * convk_log_(x);
  return y > 0 ? 1 / convk_exp_(-y) : convk_exp_(y);
}

CONVK_API_ void convk_philox4x32(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
  uint32_t c[4];
  memcpy(c, counter, sizeof c);
  convk_philox_(c, key[0], key[1]);
  memcpy(out, c, sizeof c);
}
