/* ---- one axis of a grid, for processors and devices: doubles, of which every operation rounds once ---- */

#ifdef CONVK_ADD_ /* words of a device */
#define CONVK_AXIS_ CONVK_ELEMENT_
#define CONVK_AXIS_ADD_(a, b) CONVK_ADD_(a, b)
#define CONVK_AXIS_SUB_(a, b) CONVK_SUB_(a, b)
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
#define CONVK_AXIS_SUB_(a, b) ((a) - (b)) /* not a + -b: clang takes -b as it likes where -ffast-math is on */
#define CONVK_AXIS_MUL_(a, b) ((a) * (b))
#define CONVK_AXIS_DIV_(a, b) ((a) / (b))
#define CONVK_AXIS_LEADING_(x) convk_leading_(x)
CONVK_EXACT_PUSH_
#endif

/* a + b rounded, and *lost = a + b less that, exactly (Knuth). */
CONVK_AXIS_ double convk_grids_two_sum_(double a, double b, double *lost) {
  const double sum = CONVK_AXIS_ADD_(a, b), other = CONVK_AXIS_SUB_(sum, a);
  *lost = CONVK_AXIS_ADD_(CONVK_AXIS_SUB_(a, CONVK_AXIS_SUB_(sum, other)), CONVK_AXIS_SUB_(b, other));
  return sum;
}

/* a b rounded, and *lost = a b less that, to 2^-104 of a b (Dekker; no FMA). */
CONVK_AXIS_ double convk_grids_two_product_(double a, double b, double *lost) {
  const double product = CONVK_AXIS_MUL_(a, b), ah = CONVK_AXIS_LEADING_(a), al = CONVK_AXIS_SUB_(a, ah);
  const double bh = CONVK_AXIS_LEADING_(b), bl = CONVK_AXIS_SUB_(b, bh);
  const double error = CONVK_AXIS_SUB_(CONVK_AXIS_MUL_(ah, bh), product);
  *lost = CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(error, CONVK_AXIS_MUL_(ah, bl)), CONVK_AXIS_MUL_(al, bh)),
                          CONVK_AXIS_MUL_(al, bl));
  return product;
}

/* The distance of image number `image` of a center from the first point, in two parts. */
CONVK_AXIS_ double convk_grids_image_(double start, double start_lost, double image, double period, double *lo) {
  double lost, left;
  const double hi = convk_grids_two_sum_(start, convk_grids_two_product_(image, period, &lost), &left);
  *lo = CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(left, start_lost), lost);
  return hi;
}

/* The square, less than `limit`, of the distance u of point i from a center that is at hi + lo: in two parts. */
CONVK_AXIS_ double convk_grids_square_of_(double hi, double lo, double step, double i, double limit, double *u, double *rest) {
  double lost, left, square;
  const double at = convk_grids_two_sum_(hi, convk_grids_two_product_(i, step, &lost), &left);
  left = CONVK_AXIS_ADD_(left, CONVK_AXIS_ADD_(lo, lost));
  *u = CONVK_AXIS_ADD_(at, left);
  square = convk_grids_two_product_(at, at, rest);
  *rest = CONVK_AXIS_ADD_(*rest, CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(2, at), left));
  if (square < limit) return square;
  *rest = 0;
  return limit;
}

/* Points of the axis where a center at `base` from the first point, negative, is nearer than `reach`. */
CONVK_AXIS_ void convk_grids_range_(double base, double step, double reach, uint64_t n, uint64_t *low, uint64_t *end) {
  const double size = step < 0 ? -step : step, at = step < 0 ? base : -base, last = (double)n;
  double from = CONVK_AXIS_SUB_(CONVK_AXIS_DIV_(CONVK_AXIS_SUB_(at, reach), size), 1.0);
  double to = CONVK_AXIS_ADD_(CONVK_AXIS_DIV_(CONVK_AXIS_ADD_(at, reach), size), 2.0);
  from = from > 0 ? from : 0;
  to = to > 0 ? to : 0;
  *low = from < last ? (uint64_t)from : n;
  *end = to < last ? (uint64_t)to : n;
  if (*end < *low) *end = *low;
}

/* What an exponential exp(-a u^2) is multiplied by for u^k, or (kind 1, 2) a derivative of that; power: of u. */
CONVK_AXIS_ double convk_grids_factor_(const int kind, const int k, double a, const double *power) {
  const double f = (double)k;
  double sum = 0;
  if (kind == 0) return power[k];
  if (kind == 1) {
    if (k) sum = CONVK_AXIS_MUL_(f, power[k - 1]);
    return CONVK_AXIS_SUB_(sum, CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(2, a), power[k + 1]));
  }
  if (k > 1) sum = CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(f, f - 1), power[k - 2]);
  sum = CONVK_AXIS_SUB_(sum, CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(2, a), 2 * f + 1), power[k]));
  return CONVK_AXIS_ADD_(sum, CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(CONVK_AXIS_MUL_(4, a), a), power[k + 2]));
}

/* The cosine and sine of x, at most an eighth of a turn, and of so many quarters of a turn besides, to some 1e-16. */
CONVK_AXIS_ void convk_grids_circle_(double x, int quarter, double *cosine, double *sine) {
  const double square = CONVK_AXIS_MUL_(x, x);
  double c = 1, s = 1;
  int i;
  for (i = 20; i > 0; i -= 2) {
    c = CONVK_AXIS_SUB_(1.0, CONVK_AXIS_DIV_(CONVK_AXIS_MUL_(c, square), (double)(i * (i - 1))));
    s = CONVK_AXIS_SUB_(1.0, CONVK_AXIS_DIV_(CONVK_AXIS_MUL_(s, square), (double)(i * (i + 1))));
  }
  s = CONVK_AXIS_MUL_(s, x);
  *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
  *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
}

/* The nearest integer, up to 2^51. */
CONVK_AXIS_ double convk_grids_whole_(double x) {
  const double large = 6755399441055744.0; /* 1.5 2^52, behind which there is no fraction */
  return CONVK_AXIS_SUB_(CONVK_AXIS_ADD_(x, large), large);
}

/* The phase of image number `image` of a center: of the angle (hi + lo) image. */
CONVK_AXIS_ void convk_grids_phase_(double hi, double lo, double image, double *cosine, double *sine) {
  double lost, less, left, x, n, m;
  const double angle = convk_grids_two_product_(hi, image, &lost);
  n = convk_grids_whole_(CONVK_AXIS_DIV_(angle, 1.5707963267948966));
  m = convk_grids_whole_(CONVK_AXIS_SUB_(CONVK_AXIS_MUL_(n, 0.25), 0.375)); /* whole turns */
  lost = CONVK_AXIS_ADD_(lost, CONVK_AXIS_MUL_(lo, image));
  x = convk_grids_two_sum_(angle, -convk_grids_two_product_(n, 1.5707963267948966, &less), &left);
  less = CONVK_AXIS_ADD_(less, CONVK_AXIS_MUL_(n, 6.123233995736766e-17));
  x = CONVK_AXIS_ADD_(x, CONVK_AXIS_ADD_(left, CONVK_AXIS_SUB_(lost, less)));
  if (!(x > -1 && x < 1)) x = n = m = 0; /* too many turns to tell */
  convk_grids_circle_(x, (int)CONVK_AXIS_ADD_(n, CONVK_AXIS_MUL_(m, -4.0)), cosine, sine);
}

/* Where point `at` of an axis is among `count` points from `first` on: 0 where it is before them, count behind them. */
CONVK_AXIS_ int32_t convk_grids_inside_(uint64_t at, uint64_t first, int32_t count) {
  return at < first ? 0 : at - first < (uint64_t)count ? (int32_t)(at - first) : count;
}

#ifdef CONVK_ADD_    /* ---- general cells, on devices ---- */
#ifdef CONVK_GLOBAL_ /* a word of OpenCL */
#define CONVK_GLOBAL_CONST_ CONVK_GLOBAL_ const
#else
#define CONVK_GLOBAL_CONST_ const
#endif

CONVK_AXIS_ double convk_cells_floor_(double x) {
  const double whole = x < 1e15 && x > -1e15 ? (double)(int64_t)x : x;
  return whole > x ? whole - 1 : whole;
}

/* Point (i, j, k) of the box from its first one, in x, y, z, in two parts. */
CONVK_AXIS_ void convk_cells_point_(CONVK_GLOBAL_CONST_ convk_cells_device_ *cell, double i, double j, double k, double *hi,
                                    double *lo) {
  int d;
  CONVK_EACH_(d, 3) {
    double lost[5], sum;
    const double x = convk_grids_two_product_(i, cell->step[d], &lost[0]);
    const double y = convk_grids_two_product_(j, cell->step[3 + d], &lost[1]);
    const double z = convk_grids_two_product_(k, cell->step[6 + d], &lost[2]);
    sum = convk_grids_two_sum_(x, y, &lost[3]);
    hi[d] = convk_grids_two_sum_(sum, z, &lost[4]);
    lo[d] = CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(lost[0], lost[1]), CONVK_AXIS_ADD_(lost[2], lost[3])), lost[4]);
  }
}

/* Numbers n with least <= n period <= greatest: the first of `count`, of which all of them are some. */
CONVK_AXIS_ double convk_cells_first_(double least, double greatest, double period) {
  if (!(period < 0 || period > 0)) return 0;
  return convk_cells_floor_(CONVK_AXIS_DIV_(period < 0 ? greatest : least, period));
}
CONVK_AXIS_ uint64_t convk_cells_count_device_(double wide, double period) {
  const double size = period < 0 ? -period : period;
  return size > 0 ? (uint64_t)CONVK_AXIS_DIV_(wide, size) + 2 : 1;
}

/* Images of a group that may count in nx by ny points of a plane, whose first one is `from` the box's first point.  A little
   more than its radius, as nobody minds a few images more. */
CONVK_AXIS_ void convk_cells_reach_of_(CONVK_GLOBAL_CONST_ convk_cells_device_ *cell,
                                       CONVK_GLOBAL_CONST_ convk_cells_group_device_ *group, const double *from, int32_t nx,
                                       int32_t ny, convk_cells_reach_device_ *to) {
  const double across = CONVK_AXIS_MUL_((double)(ny - 1), cell->wide[1]);
  double r[3], size = 0;
  int d, k;
  CONVK_EACH_(d, 3) {
    r[d] = CONVK_AXIS_ADD_(from[d], group->start[d]);
    size = CONVK_AXIS_ADD_(size, r[d] < 0 ? -r[d] : r[d]);
  }
  CONVK_EACH_(k, 3) {
    double sum = 0;
    CONVK_EACH_(d, 3) sum = CONVK_FMA_(cell->axis[3 * k + d], r[d], sum);
    to->at[k] = sum;
  }
  to->least = across < 0 ? across : 0;
  to->greatest = CONVK_FMA_((double)(nx - 1), cell->wide[0], across > 0 ? across : 0);
  to->high = CONVK_AXIS_MUL_((double)(ny - 1), cell->wide[2]);
  to->reach = CONVK_FMA_(group->radius, 1.000001, CONVK_AXIS_MUL_(1e-14, size));
  to->first = convk_cells_first_(CONVK_AXIS_SUB_(to->at[2], to->reach), CONVK_AXIS_ADD_(to->at[2], to->reach), cell->image[8]);
  to->count[2] = convk_cells_count_device_(CONVK_AXIS_MUL_(2, to->reach), cell->image[8]);
  to->count[1] = convk_cells_count_device_(CONVK_FMA_(2.0, to->reach, to->high), cell->image[4]);
  to->count[0] =
      convk_cells_count_device_(CONVK_FMA_(2.0, to->reach, CONVK_AXIS_SUB_(to->greatest, to->least)), cell->image[0]);
}

/* How far 0 is from least .. most, squared. */
CONVK_AXIS_ double convk_cells_apart_device_(double least, double greatest) {
  const double gap = least > 0 ? least : greatest < 0 ? greatest : 0;
  return CONVK_AXIS_MUL_(gap, gap);
}

/* Image number q of those: its numbers n along the steps, and whether it may count. */
CONVK_AXIS_ int convk_cells_number_(CONVK_GLOBAL_CONST_ convk_cells_device_ *cell, const convk_cells_reach_device_ *of,
                                    uint64_t q, double *n) {
  const uint64_t line = q / of->count[0];
  double x = of->at[0], y = of->at[1], z = of->at[2];
  n[2] = CONVK_AXIS_ADD_(of->first, (double)(line / of->count[1]));
  x = CONVK_FMA_(-n[2], cell->image[6], x);
  y = CONVK_FMA_(-n[2], cell->image[7], y);
  z = CONVK_FMA_(-n[2], cell->image[8], z);
  n[1] = convk_cells_first_(CONVK_AXIS_SUB_(y, of->reach), CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(y, of->high), of->reach),
                            cell->image[4]);
  n[1] = CONVK_AXIS_ADD_(n[1], (double)(line % of->count[1]));
  x = CONVK_FMA_(-n[1], cell->image[3], x);
  y = CONVK_FMA_(-n[1], cell->image[4], y);
  n[0] = convk_cells_first_(CONVK_AXIS_SUB_(CONVK_AXIS_ADD_(x, of->least), of->reach),
                            CONVK_AXIS_ADD_(CONVK_AXIS_ADD_(x, of->greatest), of->reach), cell->image[0]);
  n[0] = CONVK_AXIS_ADD_(n[0], (double)(q - line * of->count[0]));
  x = CONVK_FMA_(-n[0], cell->image[0], x);
  x = convk_cells_apart_device_(CONVK_AXIS_ADD_(x, of->least), CONVK_AXIS_ADD_(x, of->greatest));
  y = convk_cells_apart_device_(y, CONVK_AXIS_ADD_(y, of->high));
  return CONVK_FMA_(z, z, CONVK_AXIS_ADD_(x, y)) <= CONVK_AXIS_MUL_(of->reach, of->reach);
}

/* The first point of the box less the image with these numbers, in two parts: three of both. */
CONVK_AXIS_ void convk_cells_moved_(CONVK_GLOBAL_CONST_ convk_cells_device_ *cell,
                                    CONVK_GLOBAL_CONST_ convk_cells_group_device_ *group, const double *n, double *at) {
  int d, k;
  CONVK_EACH_(d, 3) {
    double hi = group->start[d], lo = group->lost[d];
    CONVK_UNROLL_
    for (k = 2; k >= 0; k--) {
      double lost, left;
      hi = convk_grids_two_sum_(hi, -convk_grids_two_product_(n[k], cell->period[3 * k + d], &lost), &left);
      lost = CONVK_FMA_(n[k], cell->lost[3 * k + d], lost);
      lo = CONVK_AXIS_ADD_(lo, CONVK_AXIS_SUB_(left, lost));
    }
    at[d] = hi;
    at[3 + d] = lo;
  }
}

/* Its phase. */
CONVK_AXIS_ void convk_cells_phase_device_(CONVK_GLOBAL_CONST_ convk_cells_device_ *cell, const double *n, double *cosine,
                                           double *sine) {
  int k;
  *cosine = 1;
  *sine = 0;
  CONVK_EACH_(k, 3) {
    double c, s, real;
    convk_grids_phase_(cell->turn[k], cell->turn_lo[k], n[k], &c, &s);
    real = CONVK_FMA_(*cosine, c, -CONVK_AXIS_MUL_(*sine, s));
    *sine = CONVK_FMA_(*cosine, s, CONVK_AXIS_MUL_(*sine, c));
    *cosine = real;
  }
}

/* The squared distance, less than `limit`, of a point from such an image, in two parts; u: its components. */
CONVK_AXIS_ double convk_cells_square_device_(const double *hi, const double *lo, const double *at, double limit, double *u,
                                              double *rest) {
  double sum = 0, lost = 0;
  int d;
  CONVK_EACH_(d, 3) {
    double left, square, more;
    const double x = convk_grids_two_sum_(hi[d], at[d], &left);
    left = CONVK_AXIS_ADD_(left, CONVK_AXIS_ADD_(lo[d], at[3 + d]));
    u[d] = CONVK_AXIS_ADD_(x, left);
    square = CONVK_AXIS_MUL_(x, x);
    more = CONVK_FMA_(CONVK_AXIS_MUL_(2, x), left, CONVK_FMA_(x, x, -square));
    sum = convk_grids_two_sum_(sum, square, &left);
    lost = CONVK_AXIS_ADD_(lost, CONVK_AXIS_ADD_(more, left));
  }
  *rest = lost;
  if (sum < limit) return sum;
  *rest = 0;
  return limit;
}
#undef CONVK_GLOBAL_CONST_
#else
CONVK_EXACT_POP_
#endif
#undef CONVK_AXIS_
#undef CONVK_AXIS_ADD_
#undef CONVK_AXIS_SUB_
#undef CONVK_AXIS_MUL_
#undef CONVK_AXIS_DIV_
#undef CONVK_AXIS_LEADING_
