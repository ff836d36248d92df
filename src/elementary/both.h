/* The upper half of the product. */
CONVK_ELEMENT_ uint64_t convk_upper_half_(uint64_t a, uint64_t b) {
  const uint64_t low = 0xffffffff, one = (a >> 32) * (b & low) + ((a & low) * (b & low) >> 32);
  const uint64_t two = (a & low) * (b >> 32) + (one & low);
  return (a >> 32) * (b >> 32) + (one >> 32) + (two >> 32);
}

/* The bits of a 2^e, a < 2^digits, as a number of so many digits. */
CONVK_ELEMENT_ uint64_t convk_bits_of_(uint64_t a, int e, int digits) {
  if (!a) return 0;
  for (; !(a >> (digits - 1)); e--) a <<= 1;
  return ((uint64_t)(e + digits - 2 + (digits > 24 ? 1023 : 127)) << (digits - 1)) + a;
}

/* q and the bits of part[0] and part[1] in x = q pi/2 + part[0] + part[1], |part[0] + part[1]| <= pi/4, for the bits of a
   finite x > 1 of `digits` digits, 24 (f32) or 53 (f64); in integers, so that no compiler's arithmetic matters.  x = m 2^e and
   2 / pi = sum of two_over_pi[j] 2^(-32 (j - 1)) for j >= 2: of m 2 / pi only the part modulo 4 counts, so that 192 digits of
   2 / pi do, from where they begin to matter. */
CONVK_ELEMENT_RARE_ uint32_t convk_reduce_far_(uint64_t x, int digits, uint64_t *part) {
  CONVK_CONSTANT_ uint32_t two_over_pi[40] = {
      0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
      0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,
      0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
      0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};
  const uint64_t high_pi = UINT64_C(0xc90fdaa22168c234), low_pi = UINT64_C(0xc4c6628b80dc1cd1); /* pi/2 in units of 2^-127 */
  const uint64_t hidden = (uint64_t)1 << (digits - 1), m = ((x & (hidden - 1)) | hidden) << (53 - digits);
  /* digit of two_over_pi of weight 2^(1 - e) */
  const int first = (int)(x >> (digits - 1)) - (digits > 24 ? 1023 : 127) + 10;
  uint64_t w[3], a, b, c, carry;
  uint32_t q, flip;
  int e, i;
  for (i = 0; i < 3; i++) {
    const int word = first / 32 + 2 * i, shift = first % 32;
    w[i] = ((uint64_t)two_over_pi[word] << 32 | two_over_pi[word + 1]) << shift;
    if (shift) w[i] |= two_over_pi[word + 2] >> (32 - shift);
  }
  /* a b c = m times 192 digits, modulo 2^192 */
  c = m * w[2];
  carry = convk_upper_half_(m, w[2]);
  b = m * w[1] + carry;
  a = m * w[0] + convk_upper_half_(m, w[1]) + (b < carry);
  /* the two digits before the point, rounded, and what is left, as sign and magnitude */
  q = (uint32_t)(a >> 62);
  flip = (uint32_t)(a >> 61) & 1;
  if (flip) {
    q++;
    c = ~c + 1;
    b = ~b + !c;
    a = ~a + (!b && !c);
  }
  a &= UINT64_C(0x3fffffffffffffff);
  /* its first 128 digits that are not 0, times pi / 2: the upper half of the product */
  for (e = 3; e > -123 && !(a >> 63); e--) {
    a = a << 1 | b >> 63;
    b = b << 1 | c >> 63;
    c <<= 1;
  }
  w[0] = convk_upper_half_(b, low_pi);
  w[1] = b * high_pi;
  w[2] = a * low_pi;
  c = w[0] + w[1];
  carry = c < w[1];
  c += w[2];
  carry += c < w[2];
  w[0] = convk_upper_half_(b, high_pi);
  w[1] = convk_upper_half_(a, low_pi);
  w[2] = a * high_pi;
  a = convk_upper_half_(a, high_pi);
  for (i = 0; i < 3; i++) {
    carry += w[i];
    a += carry < w[i];
  }
  /* 2^e times a and c as a fraction, which is at least 1 / 4 */
  if (!(a >> 63)) {
    a = a << 1 | carry >> 63;
    carry <<= 1;
    e--;
  }
  b = a << digits | carry >> (64 - digits);
  part[0] = convk_bits_of_(a >> (64 - digits), e - digits, digits);
  part[1] = convk_bits_of_(b >> (64 - digits), e - 2 * digits, digits);
  for (i = 0; i < 2; i++) part[i] |= (uint64_t)flip << (digits > 24 ? 63 : 31);
  return q;
}
