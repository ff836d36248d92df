/* ln 2: 32 bits of it, so that products with exponents are exact; and the rest */
#define CONVK_LN_2_HIGH_ 6.93147180369123816490e-01
#define CONVK_LN_2_LOW_ 1.90821492927058770002e-10

/* The square root of a finite x >= 0, to an ulp, without a call that would need -lm: one text for processors and devices.  The
   bits shifted to half the exponent are a root within 6.1%, and each step of Newton's leaves half the square of the error. */
CONVK_PLAIN_RARE_ double convk_sqrt_(double x) {
  double y = convk_from_bits_((convk_to_bits_(x) >> 1) + ((uint64_t)1023 << 51));
  int i;
  if (!(x > 0)) return 0;
  for (i = 0; i < 5; i++) {
    const double next = 0.5 * (y + x / y);
    if (next == y) break; /* soon where x is a square: 1, 4 and 16 are the first guess */
    y = next;
  }
  return y;
}
