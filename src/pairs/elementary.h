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
