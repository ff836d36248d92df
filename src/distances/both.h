/* ---- Debye's sum: bins and what they add, for processors and devices, in doubles ---- */
#include "core/plain.h"
#ifndef CONVK_ADD_
CONVK_EXACT_PUSH_
#endif

#define CONVK_DISTANCES_LANES_ \
  ((size_t)8) /* boxes are filled up to a multiple of all numbers of lanes; sums have so many parts */
#define CONVK_DISTANCES_LIST_ ((size_t)512) /* bins, or distances, of a step: four numbers of each are 16 KB */

/* q without its sign; 0 where the square has no digits. */
CONVK_PLAIN_ double convk_debye_q_(double q) {
  const double size = q < 0 ? -q : q;
  return size < 1e-150 ? 0 : size;
}

/* Re(f conj(g)) of two kinds; with the thermal factors of a pair. */
CONVK_PLAIN_RARE_ double convk_scatterer_product_(const convk_scatterer *one, const convk_scatterer *other, double q) {
  double f[2], g[2], thermal[2];
  convk_scatterer_of_(one, q, f, &thermal[0]);
  convk_scatterer_of_(other, q, g, &thermal[1]);
  return (CONVK_PLAIN_MUL_(f[0], g[0]) + CONVK_PLAIN_MUL_(f[1], g[1])) * (thermal[0] * thermal[1]);
}

/* |f|^2 of an atom with itself. */
CONVK_PLAIN_RARE_ double convk_scatterer_self_(const convk_scatterer *kind, double q) {
  double f[2], thermal;
  convk_scatterer_of_(kind, q, f, &thermal);
  return CONVK_PLAIN_MUL_(f[0], f[0]) + CONVK_PLAIN_MUL_(f[1], f[1]);
}

/* A bin as a0 g(q m) + a1 g'(q m) + a2 g''(q m), and what n v without the second moment, or n, adds to its bound. */
typedef struct convk_debye_bin_ {
  double m, a[3], n, bound;
} convk_debye_bin_;

/* Bin k, of its number of pairs, or the sum of their weights, and the moments that there are. */
CONVK_PLAIN_RARE_ void convk_debye_bin_of_(double width, uint64_t k, int moments, double n, double first, double second,
                                           convk_debye_bin_ *bin) {
  const double unit = width / 1048576, low = CONVK_PLAIN_MUL_((double)k, width);
  double f = 524288; /* the mean of places */
  bin->a[1] = bin->a[2] = 0;
  bin->n = bin->a[0] = n;
  if (moments && (n > 0 || n < 0) && first / n >= 0 && first / n <= 1048576) f = first / n;
  else if (moments) bin->a[1] = CONVK_PLAIN_MUL_(first - CONVK_PLAIN_MUL_(n, f), unit);
  bin->m = low + CONVK_PLAIN_MUL_(f, unit);
  if (moments > 1)
    bin->a[2] = ((second - CONVK_PLAIN_MUL_(2 * f, first)) + CONVK_PLAIN_MUL_(CONVK_PLAIN_MUL_(n, f), f)) * (unit * unit) / 2;
  bin->bound = moments > 1 ? 2 * bin->a[2] : moments ? n * f * (1048576 - f) * (unit * unit) : n;
}

/* Whether it adds anything. */
CONVK_PLAIN_ int convk_debye_is_(const convk_debye_bin_ *bin) {
  return bin->a[0] < 0 || bin->a[0] > 0 || bin->a[1] < 0 || bin->a[1] > 0 || bin->a[2] < 0 || bin->a[2] > 0;
}

/* With g = sin x / x, x = q m, g' = (cos x - g) / m and g'' = -q^2 g - 2 (cos x - g) / m^2 the coefficients of sin x / q, of
   -q sin x and of cos x follow. */
CONVK_PLAIN_ void convk_debye_terms_(const convk_debye_bin_ *bin, double *to) {
  const double over = 1 / bin->m, cosine = CONVK_PLAIN_MUL_(bin->a[1] - CONVK_PLAIN_MUL_(2 * bin->a[2], over), over);
  to[0] = (bin->a[0] - cosine) * over;
  to[1] = bin->a[2] * over;
  to[2] = cosine;
}

/* The sums of sin x, of sin x with the squares, and of cos x as they add up for q. */
CONVK_PLAIN_ double convk_debye_waved_(double sum, const double *waves, double q, int second) {
  sum += waves[0] / q;
  return second ? sum + (waves[2] - CONVK_PLAIN_MUL_(q, waves[1])) : sum;
}

/* A bin whose m may be 0, where x = q m < 1: by the series of g and its derivatives. */
CONVK_PLAIN_RARE_ double convk_debye_series_(const convk_debye_bin_ *bin, double q) {
  const double x = q * bin->m;
  double g[3] = {1, 0, 0}, before = 1; /* the k-th term of g is (-x^2)^k / (2k + 1)! */
  int k;
  for (k = 1; k < 10; k++) {
    const double power = -before / (2 * k * (2 * k + 1)); /* of x^2k less x^(2k - 2) */
    g[2] += CONVK_PLAIN_MUL_(power * (2 * k), 2 * k - 1.);
    g[1] += CONVK_PLAIN_MUL_(power * (2 * k), x);
    before = CONVK_PLAIN_MUL_(CONVK_PLAIN_MUL_(power, x), x);
    g[0] += before;
  }
  return (CONVK_PLAIN_MUL_(bin->a[0], g[0]) + CONVK_PLAIN_MUL_(bin->a[1] * q, g[1])) +
         CONVK_PLAIN_MUL_(CONVK_PLAIN_MUL_(bin->a[2], q * q), g[2]);
}

/* Adds the sum over the bins of a pair of kinds, whose products are f, to the intensity; and its bound. */
CONVK_PLAIN_ void convk_debye_add_(double f, double sum, double q, double width, int moments, double all, double left,
                                   double *intensity, double *bound) {
  const double h = q * width, each = moments > 1 ? h * q * q / 24 : moments ? q * q / 6 : h / 4;
  *intensity += CONVK_PLAIN_MUL_(2 * f, q > 0 ? sum : all);
  *bound += CONVK_PLAIN_MUL_(f < 0 ? -2 * f : 2 * f, CONVK_PLAIN_MUL_(left, each) + CONVK_PLAIN_MUL_(all, h) / 4194304);
}
#ifndef CONVK_ADD_
CONVK_EXACT_POP_
#endif
#include "core/plain_end.h"
