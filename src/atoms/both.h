/* ---- atoms in their cell, and what they scatter, for processors and devices ---- */

#include "core/plain.h"
#ifndef CONVK_ADD_
CONVK_EXACT_PUSH_
#elif !defined CONVK_GLOBAL_ || defined CONVK_SCATTERS_
#include "core/root.h"
#include "core/exp.h"
#endif

/* The number of a pair of kinds a <= b. */
CONVK_PLAIN_ size_t convk_kinds_pair_(size_t kinds, size_t a, size_t b) { return a * (2 * kinds - a - 1) / 2 + b; }

CONVK_PLAIN_ double convk_cell_dot_(const double *a, const double *b) {
  return (CONVK_PLAIN_MUL_(a[0], b[0]) + CONVK_PLAIN_MUL_(a[1], b[1])) + CONVK_PLAIN_MUL_(a[2], b[2]);
}

/* The largest integer that is not larger, of |x| < 2^31. */
CONVK_PLAIN_ double convk_cell_floor_(double x) {
  const double whole = (double)(int64_t)x;
  return whole > x ? whole - 1 : whole;
}

/* Moves an atom into the periodic cell; not 0: it lies 2^30 vectors beside it, or is no number.  inverse, axis: [3][3]. */
CONVK_PLAIN_ int convk_cell_wrap_(const int *periodic, const double *inverse, const double *axis, double *r) {
  double times[3];
  int k, d;
  for (k = 0; k < 3; k++) {
    const double f = periodic[k] ? convk_cell_dot_(inverse + 3 * k, r) : 0;
    if (!(f < 1073741824.) || !(f > -1073741824.)) return 1; /* 2^30 */
    times[k] = convk_cell_floor_(f);
  }
  for (k = 0; k < 3; k++)
    for (d = 0; d < 3 && times[k] != 0; d++) r[d] -= CONVK_PLAIN_MUL_(times[k], axis[3 * k + d]);
  return 0;
}

/* Where an image of the cell is; vectors that are not periodic are zero. */
CONVK_PLAIN_ void convk_cell_shift_(const double *image, const double *axis, double *shift) {
  int k, d;
  for (d = 0; d < 3; d++)
    for (shift[d] = k = 0; k < 3; k++) shift[d] += CONVK_PLAIN_MUL_(image[k], axis[3 * k + d]);
}

/* ---- scatterers ---- */
#if !defined CONVK_GLOBAL_ || defined CONVK_SCATTERS_
#ifdef CONVK_GLOBAL_
/* As in convk.h. */
typedef struct convk_scatterer {
  int terms;
  double a[6], b[6], c[2], thermal;
} convk_scatterer;
#endif
/* exp(x), as far as it is a number. */
CONVK_PLAIN_ double convk_scatterer_exp_(double x) { return x > 0 ? 1 / convk_exp_(-x) : convk_exp_(x); }

/* f of a kind, and its thermal factor; NULL: 1. */
CONVK_PLAIN_RARE_ void convk_scatterer_of_(const convk_scatterer *s, double q, double *f, double *thermal) {
  const double of_s = CONVK_PLAIN_MUL_(q, 0.07957747154594767), square = CONVK_PLAIN_MUL_(of_s, of_s);
  int k;
  f[0] = s ? s->c[0] : 1;
  f[1] = s ? s->c[1] : 0;
  *thermal = s ? convk_scatterer_exp_(CONVK_PLAIN_MUL_(-s->thermal, square)) : 1;
  for (k = 0; s && k < s->terms; k++)
    f[0] += CONVK_PLAIN_MUL_(s->a[k], convk_scatterer_exp_(CONVK_PLAIN_MUL_(-s->b[k], square)));
}
#endif
#ifndef CONVK_ADD_
CONVK_EXACT_POP_
#endif
#include "core/plain_end.h"
