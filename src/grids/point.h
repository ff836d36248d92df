/* ---- tables and weights of grids, on devices ---- */
#ifdef CONVK_GLOBAL_ /* a word of OpenCL */
#define CONVK_GLOBAL_CONST_ CONVK_GLOBAL_ const
#define CONVK_GLOBAL_DATA_ CONVK_GLOBAL_
#else
#define CONVK_GLOBAL_CONST_ const
#define CONVK_GLOBAL_DATA_
#endif

/* Rows 0 .. degree of a group's tables in one point: of one of `kinds` at distance u, e = exp(-a u^2); added to `to`. */
CONVK_ELEMENT_ void convk_grids_rows_of_(const int kind, int degree, double a, double u, CONVK_T e, CONVK_T *to) {
  double power[CONVK_SHELL_MAX_L + 3];
  int k;
  power[0] = 1;
  CONVK_EACH_(k, CONVK_SHELL_MAX_L + 2) power[k + 1] = CONVK_MUL_(power[k], u);
  CONVK_UNROLL_
  for (k = 0; k <= CONVK_SHELL_MAX_L; k++)
    if (k <= degree)
      to[k] = CONVK_FMA_((CONVK_T)1, (CONVK_T)CONVK_MUL_(convk_grids_factor_(kind, k, a, power), (double)e), to[k]);
}

/* Rows 0 .. degree of real and imaginary parts, of an image with this phase. */
CONVK_ELEMENT_ void convk_bloch_rows_of_(int degree, double u, CONVK_T e, double cosine, double sine, CONVK_T *real,
                                         CONVK_T *imag) {
  double power = 1;
  int k;
  CONVK_UNROLL_
  for (k = 0; k <= CONVK_SHELL_MAX_L; k++) {
    const double value = CONVK_MUL_(power, (double)e);
    if (k <= degree) {
      real[k] = CONVK_FMA_((CONVK_T)1, (CONVK_T)CONVK_MUL_(value, cosine), real[k]);
      imag[k] = CONVK_FMA_((CONVK_T)1, (CONVK_T)CONVK_MUL_(value, sine), imag[k]);
    }
    power = CONVK_MUL_(power, u);
  }
}

/* Point number `at` of a group's tables along an axis, into those from `to` on: sums over images of the center.  kinds: 1, 3
   with derivatives, or 2 with phases. */
CONVK_ELEMENT_ void convk_grids_table_point_(const int kinds, CONVK_GLOBAL_CONST_ convk_grids_axis_device_ *axis, uint64_t at,
                                             CONVK_T cut, CONVK_GLOBAL_DATA_ CONVK_T *to) {
  const double limit = (double)CONVK_GREATEST_ / 4;
  const int rows = (int)axis->rows, phased = kinds == 2 && axis->size;
  const uint64_t i = axis->low + at;
  CONVK_T row[3][CONVK_SHELL_MAX_L + 1], size = 0;
  double image;
  int j, k;
  CONVK_EACH_(j, kinds)
    CONVK_EACH_(k, CONVK_SHELL_MAX_L + 1) row[j][k] = 0;
  for (image = axis->image; image <= axis->last; image += 1) {
    double lo, u, rest, square;
    uint64_t low, end;
    CONVK_T s, e;
    const double hi = convk_grids_image_(axis->start, axis->lost, image, axis->period, &lo);
    convk_grids_range_(hi, axis->step, axis->radius, axis->n, &low, &end);
    if (i < low || i >= end) continue;
    square = convk_grids_square_of_(hi, lo, axis->step, (double)i, limit, &u, &rest);
    s = (CONVK_T)square;
    e = convk_gaussian_((CONVK_T)axis->a, (CONVK_T)axis->b, (CONVK_T)axis->top, s,
                        (CONVK_T)CONVK_ADD_(CONVK_ADD_(square, -(double)s), rest), cut, 1);
    if (phased) {
      double cosine, sine;
      convk_grids_phase_(axis->turn, axis->turn_lo, image, &cosine, &sine);
      convk_bloch_rows_of_(rows - 1, u, e, cosine, sine, row[0], row[1]);
      size = CONVK_ADD_(size, e);
      continue;
    }
    CONVK_EACH_(j, (kinds == 2 ? 1 : kinds)) convk_grids_rows_of_(j, rows - 1, axis->exponent, u, e, row[j]);
  }
  if (phased) to[axis->size] = size;
  /* by numbers that are known when compiled: rows then stay in registers */
  CONVK_EACH_(j, kinds)
    CONVK_EACH_(k, CONVK_SHELL_MAX_L + 1)
      if (k < rows && (!j || kinds != 2 || phased)) to[(uint64_t)(j * rows + k) * axis->count] = row[j][k];
}

/* Whether a group, which has these axes, counts anywhere in a tile and a plane; ez: the largest along x times that along z. */
CONVK_ELEMENT_ int convk_grids_reaches_(CONVK_GLOBAL_CONST_ convk_grids_axis_device_ *x, CONVK_GLOBAL_CONST_ CONVK_T *values,
                                        const uint64_t *tile, uint64_t at, CONVK_T cut, CONVK_T *ez) {
  CONVK_GLOBAL_CONST_ convk_grids_axis_device_ *y = x + 1, *z = x + 2;
  const uint64_t plane = at - z->low; /* it wraps around before the first */
  *ez = 0;
  if (!(plane < z->count)) return 0;
  *ez = CONVK_MUL_(values[z->table + z->size + plane], values[x->maxima + tile[0]]);
  return !(CONVK_MUL_(values[y->maxima + tile[1]], *ez) < cut);
}

/* What a plane of a part of a tile needs of table t: along x itself, or (along) its first or second derivative, and for
   weights along y and z of kind `weight`: 0 themselves, 1 the derivative along y, 2 along z, 3 both second ones; of Bloch sums,
   whose imaginary parts along x are `along` 1, 4 the real part, 5 the imaginary one, 6 this times -1.
   tile: its number along each axis; at: the first point of the part, and the plane; nx, ny: its points and rows
   ez: see convk_grids_reaches_; it and *e are private.  Clang would make of a struct that is
   returned an argument without aliases, which Oclgrind does not run. */
CONVK_ELEMENT_ void convk_grids_look_(CONVK_GLOBAL_CONST_ convk_grids_table_device_ *t,
                                      CONVK_GLOBAL_CONST_ convk_grids_axis_device_ *axes, CONVK_GLOBAL_CONST_ CONVK_T *values,
                                      const uint64_t *tile, const uint64_t *at, int32_t nx, int32_t ny, CONVK_T cut, int weight,
                                      int along, convk_grids_near_ *e, CONVK_T *ez) {
  CONVK_GLOBAL_CONST_ convk_grids_axis_device_ *x = axes + 3 * (uint64_t)t->group, *y = x + 1, *z = x + 2;
  const uint64_t row = at[1] - y->low, plane = at[2] - z->low; /* they wrap around before the first */
  const uint64_t y_kind = y->rows * y->count, z_kind = z->rows * z->count;
  e->terms = t->terms;
  e->degree = (int32_t)t->degree;
  e->x = x->table + ((uint64_t)along * x->rows + t->power) * x->count + (at[0] - x->low);
  e->x_begin = convk_grids_inside_(x->low, at[0], nx);
  e->x_end = convk_grids_inside_(x->low + x->count, at[0], nx);
  e->size = y->table + y->size + row;
  e->y = y->table + (weight == 1 ? y_kind : 0) + row;
  e->y_count = y->count;
  e->y_begin = convk_grids_inside_(y->low, at[1], ny);
  e->y_end = convk_grids_inside_(y->low + y->count, at[1], ny);
  e->y_bend = weight == 3 ? 2 * y_kind : weight > 3 && y->size ? y_kind : 0;
  e->z = z->table + (weight == 2 ? z_kind : 0) + plane;
  e->z_count = z->count;
  e->z_bend = weight == 3 ? 2 * z_kind : weight > 3 && z->size ? z_kind : 0;
  e->alive = convk_grids_reaches_(x, values, tile, at[2], cut, ez);
}

/* Terms with power b of y of such a table, summed along z in its plane. t: its terms; imag: how far behind them their
   imaginary parts are, 0: there are none. *v, and where tables along z have a second part, or terms have, *w: of a second
   derivative or of imaginary parts. */
CONVK_ELEMENT_ void convk_grids_along_z_(const convk_grids_near_ *e, CONVK_GLOBAL_CONST_ CONVK_T *values,
                                         CONVK_GLOBAL_CONST_ CONVK_T *t, uint64_t imag, int b, CONVK_T *v, CONVK_T *w) {
  CONVK_GLOBAL_CONST_ CONVK_T *z = values + e->z;
  int c;
  *v = *w = 0;
  t += b * (2 * e->degree + 3 - b) / 2;
  CONVK_UNROLL_
  for (c = 0; c <= CONVK_SHELL_MAX_L; c++) {
    if (c > e->degree - b) break;
    *v = CONVK_FMA_(*t, z[0], *v);
    if (e->z_bend) *w = CONVK_FMA_(*t, z[e->z_bend], *w);
    if (imag) *w = CONVK_FMA_(t[imag], z[0], *w);
    if (imag && e->z_bend) *v = CONVK_FNMA_(t[imag], z[e->z_bend], *v);
    t++;
    z += e->z_count;
  }
}

/* Whether a row of the part is near enough to count. */
CONVK_ELEMENT_ int convk_grids_counts_(const convk_grids_near_ *e, CONVK_GLOBAL_CONST_ CONVK_T *values, int32_t row, CONVK_T ez,
                                       CONVK_T cut) {
  return row >= e->y_begin && row < e->y_end && !(CONVK_MUL_(values[e->size + (uint64_t)row], ez) < cut);
}

/* Adds such sums v and w of power b of y to the weight of the table in a row that counts. */
CONVK_ELEMENT_ void convk_grids_add_row_(const convk_grids_near_ *e, CONVK_GLOBAL_CONST_ CONVK_T *values, int32_t row, int b,
                                         CONVK_T v, CONVK_T w, CONVK_T *sum) {
  CONVK_GLOBAL_CONST_ CONVK_T *y = values + (e->y + (uint64_t)row + (uint64_t)b * e->y_count);
  if (e->z_bend) *sum = CONVK_FMA_(v, y[e->y_bend], CONVK_FMA_(w, y[0], *sum));
  else *sum = CONVK_FMA_(v, y[0], *sum);
}

/* The same of a Bloch sum: of its real part, or (weight 5) its imaginary one. */
CONVK_ELEMENT_ void convk_bloch_add_row_(const convk_grids_near_ *e, CONVK_GLOBAL_CONST_ CONVK_T *values, int32_t row, int b,
                                         CONVK_T v, CONVK_T w, int weight, CONVK_T *sum) {
  CONVK_GLOBAL_CONST_ CONVK_T *y = values + (e->y + (uint64_t)row + (uint64_t)b * e->y_count);
  *sum = CONVK_FMA_(weight == 4 ? v : w, y[0], *sum);
  if (e->y_bend && weight == 4) *sum = CONVK_FNMA_(w, y[e->y_bend], *sum);
  if (e->y_bend && weight != 4) *sum = CONVK_FMA_(v, y[e->y_bend], *sum);
}

/* The weight of such a table in a row of the part: 0 where the row is too far away. */
CONVK_ELEMENT_ CONVK_T convk_grids_weight_(const convk_grids_near_ *e, CONVK_GLOBAL_CONST_ CONVK_T *values,
                                           CONVK_GLOBAL_CONST_ CONVK_T *t, int32_t row, CONVK_T ez, CONVK_T cut) {
  CONVK_T sum = 0;
  int b;
  if (!convk_grids_counts_(e, values, row, ez, cut)) return 0;
  CONVK_UNROLL_
  for (b = 0; b <= CONVK_SHELL_MAX_L; b++) {
    CONVK_T v, w;
    if (b > e->degree) break;
    convk_grids_along_z_(e, values, t, 0, b, &v, &w);
    convk_grids_add_row_(e, values, row, b, v, w, &sum);
  }
  return sum;
}

/* The same of a Bloch sum; imag: see convk_grids_along_z_; weight: see convk_grids_look_. */
CONVK_ELEMENT_ CONVK_T convk_bloch_weight_(const convk_grids_near_ *e, CONVK_GLOBAL_CONST_ CONVK_T *values,
                                           CONVK_GLOBAL_CONST_ CONVK_T *t, uint64_t imag, int32_t row, CONVK_T ez, CONVK_T cut,
                                           int weight) {
  CONVK_T sum = 0;
  int b;
  if (!convk_grids_counts_(e, values, row, ez, cut)) return 0;
  CONVK_UNROLL_
  for (b = 0; b <= CONVK_SHELL_MAX_L; b++) {
    CONVK_T v, w;
    if (b > e->degree) break;
    convk_grids_along_z_(e, values, t, imag, b, &v, &w);
    convk_bloch_add_row_(e, values, row, b, v, w, weight, &sum);
  }
  return weight == 6 ? -sum : sum;
}

/* ---- general cells ---- */

/* Factors of one axis of Gaussians u^k exp(-a u^2), for k up to l, where e is exp(-a u^2): of kind 0 the values, and where
   kinds is 3, of kinds 1 and 2 what the first and the second derivative has in their place: see convk_grids_factor_. */
CONVK_ELEMENT_ void convk_cells_powers_of_(const int kinds, int l, double a, double u, CONVK_T e, CONVK_T *to) {
  double power[CONVK_SHELL_MAX_L + 3];
  int k, kind;
  power[0] = 1;
  CONVK_EACH_(k, CONVK_SHELL_MAX_L + 2) power[k + 1] = CONVK_MUL_(power[k], u);
  CONVK_UNROLL_
  for (k = 0; k <= CONVK_SHELL_MAX_L; k++) {
    if (k > l) continue;
    CONVK_EACH_(kind, kinds)
      to[kind * (CONVK_SHELL_MAX_L + 1) + k] = (CONVK_T)CONVK_MUL_(convk_grids_factor_(kind, k, a, power), (double)e);
  }
}

/* Adds all terms up to degree l of `wide` orbitals, which lie side by side, to sums of them.  kinds: 1; 5 with gradients and
   Laplacians; 2 of complex numbers, of an image with this phase and of imaginary parts `imag` behind real ones, if not 0.
   x, y, z: what powers_of makes. */
CONVK_ELEMENT_ void convk_cells_terms_of_(const int kinds, const int wide, int l, const CONVK_T *x, const CONVK_T *y,
                                          const CONVK_T *z, CONVK_GLOBAL_CONST_ CONVK_T *t, uint64_t imag, CONVK_T cosine,
                                          CONVK_T sine, CONVK_T *sum) {
  const int rows = CONVK_SHELL_MAX_L + 1;
  int i, b, c, o, k;
  CONVK_UNROLL_
  for (i = 0; i <= CONVK_SHELL_MAX_L; i++) {
    if (i > l) break;
    CONVK_UNROLL_
    for (b = 0; b <= CONVK_SHELL_MAX_L - i; b++) {
      const CONVK_T p = CONVK_MUL_(x[i], y[b]);
      CONVK_T slope[3] = {0, 0, 0}; /* along x, along y, both second derivatives */
      if (b > l - i) break;
      if (kinds == 5) {
        slope[0] = CONVK_MUL_(x[rows + i], y[b]);
        slope[1] = CONVK_MUL_(x[i], y[rows + b]);
        slope[2] = CONVK_FMA_(x[2 * rows + i], y[b], CONVK_MUL_(x[i], y[2 * rows + b]));
      }
      CONVK_UNROLL_
      for (c = 0; c <= CONVK_SHELL_MAX_L - i - b; c++) {
        CONVK_T m[5];
        if (c > l - i - b) break;
        m[0] = CONVK_MUL_(p, z[c]);
        m[1] = m[2] = m[3] = m[4] = 0;
        if (kinds == 2) {
          m[1] = CONVK_MUL_(m[0], sine);
          m[0] = CONVK_MUL_(m[0], cosine);
        }
        if (kinds == 5) {
          m[1] = CONVK_MUL_(slope[0], z[c]);
          m[2] = CONVK_MUL_(slope[1], z[c]);
          m[3] = CONVK_MUL_(p, z[rows + c]);
          m[4] = CONVK_FMA_(slope[2], z[c], CONVK_MUL_(p, z[2 * rows + c]));
        }
        CONVK_EACH_(o, wide) {
          CONVK_EACH_(k, kinds) sum[k * wide + o] = CONVK_FMA_(t[o], m[k], sum[k * wide + o]);
          if (kinds == 2 && imag) {
            sum[o] = CONVK_FNMA_(t[imag + (uint64_t)o], m[1], sum[o]);
            sum[wide + o] = CONVK_FMA_(t[imag + (uint64_t)o], m[0], sum[wide + o]);
          }
        }
        t += wide;
      }
    }
  }
}

/* Adds an image of a group, at `at` as convk_cells_moved_ tells, in a point hi + lo from the first one. */
CONVK_ELEMENT_ void convk_cells_image_of_device_(const int kinds, const int wide,
                                                 CONVK_GLOBAL_CONST_ convk_cells_group_device_ *group,
                                                 CONVK_GLOBAL_CONST_ CONVK_T *terms, uint64_t imag, CONVK_T cut,
                                                 const double *hi, const double *lo, const double *at, CONVK_T cosine,
                                                 CONVK_T sine, CONVK_T *sum) {
  const int each = kinds == 5 ? 3 : 1, l = (int)group->l;
  CONVK_T x[3 * (CONVK_SHELL_MAX_L + 1)], y[3 * (CONVK_SHELL_MAX_L + 1)], z[3 * (CONVK_SHELL_MAX_L + 1)], s, e;
  double u[3], rest;
  const double square = convk_cells_square_device_(hi, lo, at, (double)CONVK_GREATEST_ / 4, u, &rest);
  s = (CONVK_T)square;
  e = convk_gaussian_((CONVK_T)group->a, (CONVK_T)group->b, (CONVK_T)group->top, s,
                      (CONVK_T)CONVK_ADD_(CONVK_ADD_(square, -(double)s), rest), cut, 1);
  if (e == 0) return;
  convk_cells_powers_of_(each, l, group->exponent, u[0], e, x);
  convk_cells_powers_of_(each, l, group->exponent, u[1], (CONVK_T)1, y);
  convk_cells_powers_of_(each, l, group->exponent, u[2], (CONVK_T)1, z);
  convk_cells_terms_of_(kinds, wide, l, x, y, z, terms + group->terms * (uint64_t)wide, imag, cosine, sine, sum);
}

/* Adds orbitals' squares, and of 5 kinds what derivatives give, or of 2 kinds those of imaginary parts, to a density. */
CONVK_ELEMENT_ void convk_cells_density_of_(const int kinds, const int wide, CONVK_GLOBAL_CONST_ CONVK_T *weights,
                                            uint64_t count, const CONVK_T *sum, CONVK_T *total) {
  int o, d;
  CONVK_EACH_(o, wide) {
    if ((uint64_t)o >= count) break;
    total[0] = convk_gaussian_add_square_(weights[o], sum[o], total[0]);
    if (kinds == 2) total[0] = convk_gaussian_add_square_(weights[o], sum[wide + o], total[0]);
    if (kinds == 5) {
      const CONVK_T twice = CONVK_MUL_(CONVK_ADD_(weights[o], weights[o]), convk_gaussian_large_(sum[o]));
      CONVK_T squares = 0;
      CONVK_UNROLL_
      for (d = 1; d < 4; d++) convk_grids_add_slope_(twice, sum[d * wide + o], &total[d], &squares);
      total[4] = CONVK_FMA_(CONVK_MUL_((CONVK_T)0.5, weights[o]), squares, total[4]);
    }
  }
}
#undef CONVK_GLOBAL_CONST_
#undef CONVK_GLOBAL_DATA_
