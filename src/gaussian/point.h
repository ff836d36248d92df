/* ---- one point, on devices ---- */

/* 2^((a + b) s); with `more` what s has lost counts, too; 0 below cut. */
CONVK_ELEMENT_ CONVK_V convk_gaussian_(CONVK_V a, CONVK_V b, CONVK_V top, CONVK_V s, CONVK_V lo, CONVK_V cut, const int more) {
  CONVK_V g;
  convk_gaussian_some_(&a, &b, &top, &s, &lo, &g, 1, 0, 0, CONVK_GAUSSIAN_FAR_ | CONVK_GAUSSIAN_LARGE_, more);
  return CONVK_LESS_(g, cut, CONVK_SET_(0), g);
}

/* Where the monomials of degree k begin, among those of all degrees; there are 35 up to degree 4. */
#define CONVK_DEGREE_(k) ((k) * ((k) + 1) * ((k) + 2) / 6)

/* `row` times the monomials of all degrees up to l: x times the degree before, y times what has no x, z times its last. */
CONVK_ELEMENT_ void convk_gaussian_monomials_of_(const int l, const CONVK_V *v, CONVK_V row, CONVK_V *m) {
  int q;
  m[0] = row;
  CONVK_UNROLL_
  for (q = 1; q < 35; q++) { /* not to an end that depends on l: compilers unroll this before they know it */
    const int k = q < CONVK_DEGREE_(2) ? 1 : q < CONVK_DEGREE_(3) ? 2 : q < CONVK_DEGREE_(4) ? 3 : 4, before = k * (k + 1) / 2;
    const int p = q - CONVK_DEGREE_(k), axis = p < before ? 0 : p < before + k ? 1 : 2;
    if (k > l) continue;
    m[q] = CONVK_MUL_(v[axis], m[CONVK_DEGREE_(k - 1) + (axis == 0 ? p : axis == 1 ? p - k : before - 1)]);
  }
}

/* The function m R with m = x^a y^b z^c, b + c = i, c = j, and of 5 kinds its gradient and Laplacian, from monomials times R at
   m, times R' / r at slope and times (2 l + 3) R' / r + r (R' / r)' at bend:
   d/dx (m R) = a m / x R + x m R' / r, and (laplacian of m) R + m bend. */
CONVK_ELEMENT_ void convk_gaussian_values_(const int l, const int kinds, const int i, const int j, const CONVK_V *v,
                                           const CONVK_V *m, const CONVK_V *slope, const CONVK_V *bend, CONVK_V *value) {
  const int q = i * (i + 1) / 2 + j, top = CONVK_DEGREE_(l) + q;
  int k;
  value[0] = m[top];
  if (kinds == 1) return;
  value[4] = bend[top];
  CONVK_EACH_(k, 3) { /* one and two powers less */
    const int power = k == 0 ? l - i : k == 1 ? i - j : j;
    const int one = CONVK_DEGREE_(l - 1) + (k == 0 ? q : i * (i - 1) / 2 + j - k / 2);
    const int two = CONVK_DEGREE_(l - 2) + (k == 0 ? q : (i - 1) * (i - 2) / 2 + j - k / 2 * 2);
    value[k + 1] = CONVK_MUL_(v[k], slope[top]);
    if (power > 0) value[k + 1] = CONVK_FMA_(CONVK_SET_(power), m[one], value[k + 1]);
    if (power > 1) value[4] = CONVK_FMA_(CONVK_SET_(power * (power - 1)), m[two], value[4]);
  }
}
