/* How programs of several ranks find the same bits however many ranks there are: a hash of values and of where they are, and
 * sums that are exact, so that their order does not count. Both are whole numbers, which MPI_Reduce adds up. */
#ifndef BITS_H
#define BITS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Of one value of `size` bytes, 8 at most. The hash of an array is the sum of those of its values. */
static inline uint64_t hash_of(uint64_t place, const void *value, size_t size) {
  uint64_t bits = 0, h;
  memcpy(&bits, value, size);
  h = (place + 1) * UINT64_C(0x9E3779B97F4A7C15) ^ bits;
  h = (h ^ h >> 32) * UINT64_C(0xBF58476D1CE4E5B9);
  h = (h ^ h >> 29) * UINT64_C(0x94D049BB133111EB);
  return h ^ h >> 32;
}

/* A sum of doubles as a whole number of digits of 32 bits, with room for 2^31 carries: digit k counts 2^(32 k - 1074). */
enum { EXACT_DIGITS = 68, EXACT_BAD, EXACT_WORDS }; /* EXACT_BAD: how many values were not finite */
typedef struct exact_sum {
  int64_t word[EXACT_WORDS];
} exact_sum;

static inline void exact_add(exact_sum *sum, double value) {
  uint64_t bits, low, high;
  unsigned exponent, k, shift;
  int64_t sign;
  memcpy(&bits, &value, sizeof bits);
  exponent = (unsigned)(bits >> 52) & 2047;
  sign = bits >> 63 ? -1 : 1;
  bits &= (UINT64_C(1) << 52) - 1;
  if (exponent == 2047) {
    sum->word[EXACT_BAD]++;
    return;
  }
  if (exponent > 0) {
    bits |= UINT64_C(1) << 52;
    exponent--;
  }
  k = exponent / 32;
  shift = exponent % 32;
  low = (bits & UINT32_MAX) << shift;
  high = ((bits >> 32) << shift) + (low >> 32);
  sum->word[k] += sign * (int64_t)(low & UINT32_MAX);
  sum->word[k + 1] += sign * (int64_t)(high & UINT32_MAX);
  sum->word[k + 2] += sign * (int64_t)(high >> 32);
}

/* As a double; NAN where a value was not finite. */
static inline double exact_value(const exact_sum *sum) {
  int64_t digit[EXACT_DIGITS], carry = 0;
  double value = 0;
  int k, negative;
  if (sum->word[EXACT_BAD]) {
    return NAN;
  }
  for (k = 0; k < EXACT_DIGITS; k++) { /* the last one keeps the sign */
    carry += sum->word[k];
    digit[k] = k + 1 < EXACT_DIGITS ? (int64_t)((uint64_t)carry & UINT32_MAX) : carry;
    carry = (carry - digit[k]) / (INT64_C(1) << 32);
  }
  negative = digit[EXACT_DIGITS - 1] < 0;
  for (k = 0, carry = 0; negative && k < EXACT_DIGITS; k++) {
    carry -= digit[k];
    digit[k] = (int64_t)((uint64_t)carry & UINT32_MAX);
    carry = (carry - digit[k]) / (INT64_C(1) << 32);
  }
  for (k = EXACT_DIGITS - 1; k >= 0; k--) {
    value += ldexp((double)digit[k], 32 * k - 1074);
  }
  return negative ? -value : value;
}

#endif
