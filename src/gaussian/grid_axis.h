#if CONVK_HAS_GAUSSIAN_
/* ---- one axis of a grid, for processors and devices: doubles, of which every operation rounds once ---- */
#include "gaussian/grid_there.h"

#ifdef CONVK_ADD_ /* words of a device */
#define CONVK_AXIS_ CONVK_ELEMENT_
#define CONVK_AXIS_ADD_(a, b) CONVK_ADD_(a, b)
#define CONVK_AXIS_MUL_(a, b) CONVK_MUL_(a, b)
#define CONVK_AXIS_DIV_(a, b) CONVK_DIV_(a, b)
#ifdef CONVK_LEADING_
#define CONVK_AXIS_LEADING_(x) CONVK_LEADING_(x)
#else
#define CONVK_AXIS_LEADING_(x) convk_cuda_real_(convk_cuda_bits_(x) & (~(uint64_t)0 << 27))
#endif
#else
#define CONVK_AXIS_ CONVK_LOCAL_
#define CONVK_AXIS_ADD_(a, b) ((a) + (b))
#define CONVK_AXIS_MUL_(a, b) ((a) * (b))
#define CONVK_AXIS_DIV_(a, b) ((a) / (b))
#define CONVK_AXIS_LEADING_(x) convk_leading_(x)
CONVK_EXACT_PUSH_
#endif

/* a + b, and what it lost. */
CONVK_AXIS_ double convk_ongrid_sum_(double a, double b, double *lost) {
  const double sum = CONVK_AXIS_ADD_(a, b), other = CONVK_AXIS_ADD_(sum, -a);
  *lost = CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(a, -CONVK_AXIS_ADD_(sum, -other)), CONVK_AXIS_ADD_(b, -other));
  return sum;
}

/* a b, and what it lost. */
CONVK_AXIS_ double convk_ongrid_times_(double a, double b, double *lost) {
  const double product = CONVK_AXIS_MUL_(a, b), ah = CONVK_AXIS_LEADING_(a), al = CONVK_AXIS_ADD_(a, -ah);
  const double bh = CONVK_AXIS_LEADING_(b), bl = CONVK_AXIS_ADD_(b, -bh);
  const double most = CONVK_AXIS_ADD_(CONVK_AXIS_MUL_(ah, bh), -product);
  *lost = CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(most, CONVK_AXIS_MUL_(ah, bl)), CONVK_AXIS_MUL_(al, bh)),
                          CONVK_AXIS_MUL_(al, bl));
  return product;
}

/* The distance of image number `image` of a center from the first point, in two parts. */
CONVK_AXIS_ double convk_ongrid_image_(double start, double start_lost, double image, double period, double *lo) {
  double lost, left;
  const double hi = convk_ongrid_sum_(start, convk_ongrid_times_(image, period, &lost), &left);
  *lo = CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(left, start_lost), lost);
  return hi;
}

/* The square, less than `most`, of the distance u of point i from a center that is at hi + lo from the first point: in two
   parts. */
CONVK_AXIS_ double convk_ongrid_square_of_(double hi, double lo, double step, double i, double most, double *u, double *rest) {
  double lost, left, square;
  const double at = convk_ongrid_sum_(hi, convk_ongrid_times_(i, step, &lost), &left);
  left = CONVK_AXIS_ADD_(left, CONVK_AXIS_ADD_(lo, lost));
  *u = CONVK_AXIS_ADD_(at, left);
  square = convk_ongrid_times_(at, at, rest);
  *rest = CONVK_AXIS_ADD_(*rest, CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(2, at), left));
  if (square < most) return square;
  *rest = 0;
  return most;
}

/* Points of the axis where a center at `base` from the first point, negative, is nearer than `reach`. */
CONVK_AXIS_ void convk_ongrid_range_(double base, double step, double reach, uint64_t n, uint64_t *low, uint64_t *end) {
  const double size = step < 0 ? -step : step, at = step < 0 ? base : -base, last = (double)n;
  double from = CONVK_AXIS_ADD_(CONVK_AXIS_DIV_(CONVK_AXIS_ADD_(at, -reach), size), -1.0);
  double to = CONVK_AXIS_ADD_(CONVK_AXIS_DIV_(CONVK_AXIS_ADD_(at, reach), size), 2.0);
  from = from > 0 ? from : 0;
  to = to > 0 ? to : 0;
  *low = from < last ? (uint64_t)from : n;
  *end = to < last ? (uint64_t)to : n;
  if (*end < *low) *end = *low;
}

/* What an exponential exp(-a u^2) is multiplied by for u^k of it, or (kind 1, 2) for the first or second derivative of that;
   power: those of u. */
CONVK_AXIS_ double convk_ongrid_factor_(const int kind, const int k, double a, const double *power) {
  const double f = (double)k;
  double sum = 0;
  if (kind == 0) return power[k];
  if (kind == 1) {
    if (k) sum = CONVK_AXIS_MUL_(f, power[k - 1]);
    return CONVK_AXIS_ADD_(sum, -CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(2, a), power[k + 1]));
  }
  if (k > 1) sum = CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(f, f - 1), power[k - 2]);
  sum = CONVK_AXIS_ADD_(sum, -CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(2, a), 2 * f + 1), power[k]));
  return CONVK_AXIS_ADD_(sum, CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(4, a), a), power[k + 2]));
}

/* The cosine and sine of x, at most an eighth of a turn, and of so many quarters of a turn besides, to some 1e-16. */
CONVK_AXIS_ void convk_ongrid_circle_(double x, int quarter, double *cosine, double *sine) {
  const double square = CONVK_AXIS_MUL_(x, x);
  double c = 1, s = 1;
  int i;
  for (i = 20; i > 0; i -= 2) {
    c = CONVK_AXIS_ADD_(1.0, -CONVK_AXIS_DIV_(CONVK_AXIS_MUL_(c, square), (double)(i * (i - 1))));
    s = CONVK_AXIS_ADD_(1.0, -CONVK_AXIS_DIV_(CONVK_AXIS_MUL_(s, square), (double)(i * (i + 1))));
  }
  s = CONVK_AXIS_MUL_(s, x);
  *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
  *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
}

/* The nearest integer, up to 2^51. */
CONVK_AXIS_ double convk_ongrid_whole_(double x) {
  const double large = 6755399441055744.0; /* 1.5 2^52, behind which there is no fraction */
  return CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(x, large), -large);
}

/* The phase of image number `image` of a center: of the angle (hi + lo) image. */
CONVK_AXIS_ void convk_ongrid_phase_(double hi, double lo, double image, double *cosine, double *sine) {
  double lost, less, left, x, n, m;
  const double angle = convk_ongrid_times_(hi, image, &lost);
  n = convk_ongrid_whole_(CONVK_AXIS_DIV_(angle, 1.5707963267948966));
  m = convk_ongrid_whole_(CONVK_AXIS_ADD_(CONVK_AXIS_MUL_(n, 0.25), -0.375)); /* whole turns */
  lost = CONVK_AXIS_ADD_(lost, CONVK_AXIS_MUL_(lo, image));
  x = convk_ongrid_sum_(angle, -convk_ongrid_times_(n, 1.5707963267948966, &less), &left);
  less = CONVK_AXIS_ADD_(less, CONVK_AXIS_MUL_(n, 6.123233995736766e-17));
  x = CONVK_AXIS_ADD_(x, CONVK_AXIS_ADD_(left, CONVK_AXIS_ADD_(lost, -less)));
  if (!(x > -1 && x < 1)) x = n = m = 0; /* too many turns to tell */
  convk_ongrid_circle_(x, (int)CONVK_AXIS_ADD_(n, CONVK_AXIS_MUL_(m, -4.0)), cosine, sine);
}

/* Where point `at` of an axis is among `count` points from `first` on: 0 where it is before them, count behind them. */
CONVK_AXIS_ int32_t convk_ongrid_inside_(uint64_t at, uint64_t first, int32_t count) {
  return at < first ? 0 : at - first < (uint64_t)count ? (int32_t)(at - first) : count;
}

#ifndef CONVK_ADD_
CONVK_EXACT_POP_
#endif
#undef CONVK_AXIS_
#undef CONVK_AXIS_ADD_
#undef CONVK_AXIS_MUL_
#undef CONVK_AXIS_DIV_
#undef CONVK_AXIS_LEADING_
#endif
