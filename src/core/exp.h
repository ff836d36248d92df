/* exp(x) of x <= 0; 0 below -700. */
CONVK_PLAIN_RARE_ double convk_exp_(double x) {
  CONVK_PLAIN_CONSTANT_ double c[14] = {
      1,         1,          1. / 2,      1. / 6,       1. / 24,       1. / 120,       1. / 720,
      1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800, 1. / 39916800, 1. / 479001600, 1. / 6227020800.};
  double n, r, sum = c[13];
  int i;
  if (!CONVK_PLAIN_LESS_EQUAL_(-700, x)) return 0;
  n = (double)(int)(CONVK_PLAIN_MUL_(x, 1.4426950408889634) - 0.5); /* log2 e */
  r = (x - CONVK_PLAIN_MUL_(n, CONVK_LN_2_HIGH_)) - CONVK_PLAIN_MUL_(n, CONVK_LN_2_LOW_);
  for (i = 12; i >= 0; i--) sum = CONVK_PLAIN_MUL_(sum, r) + c[i];
  return sum * convk_from_bits_((uint64_t)(1023 + (int)n) << 52);
}
