#if !CONVK_IS_KERNEL_ && CONVK_HAS_GAUSSIAN_
/* ---- tables and weights of grids, on devices ---- */
#ifdef CONVK_GLOBAL_ /* a word of OpenCL */
#define CONVK_OVER_THERE_ CONVK_GLOBAL_ const
#else
#define CONVK_OVER_THERE_ const
#endif

/* Rows 0 .. degree of a group's tables in one point: of one of `kinds`, from its distance u from a center, and exp(-a u^2);
   added to `to`. */
CONVK_ELEMENT_ void convk_ongrid_rows_of_(const int kind, int degree, double a, double u, CONVK_T e, CONVK_T *to) {
  double power[CONVK_SHELL_MAX_L + 3];
  int k;
  power[0] = 1;
  CONVK_UNROLL_
  for (k = 0; k < CONVK_SHELL_MAX_L + 2; k++) power[k + 1] = CONVK_MUL_(power[k], u);
  CONVK_UNROLL_
  for (k = 0; k <= CONVK_SHELL_MAX_L; k++)
    if (k <= degree)
      to[k] = CONVK_FMA_((CONVK_T)1, (CONVK_T)CONVK_MUL_(convk_ongrid_factor_(kind, k, a, power), (double)e), to[k]);
}

/* Rows 0 .. degree of real and imaginary parts, of an image with this phase. */
CONVK_ELEMENT_ void convk_onwave_rows_of_(int degree, double u, CONVK_T e, double cosine, double sine, CONVK_T *real,
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

/* What a plane of a part of a tile needs of table t: along x itself, or (along) its first or second derivative, and for
   weights along y and z of kind `weight`: 0 themselves, 1 the derivative along y, 2 along z, 3 both second ones; of Bloch sums,
   whose imaginary parts along x are `along` 1, 4 the real part, 5 the imaginary one, 6 this times -1.
   tile: its number along each axis; at: the first point of the part, and the plane; nx, ny: its points and rows
   ez: the largest exponential along x times that along z; it and *e are private.  Clang would make of a struct that is
   returned an argument without aliases, which Oclgrind does not run. */
CONVK_ELEMENT_ void convk_ongrid_look_(CONVK_OVER_THERE_ convk_ongrid_table_there_ *t,
                                       CONVK_OVER_THERE_ convk_ongrid_axis_there_ *axes, CONVK_OVER_THERE_ CONVK_T *values,
                                       const uint64_t *tile, const uint64_t *at, int32_t nx, int32_t ny, CONVK_T cut,
                                       int weight, int along, convk_ongrid_near_ *e, CONVK_T *ez) {
  CONVK_OVER_THERE_ convk_ongrid_axis_there_ *x = axes + 3 * (uint64_t)t->group, *y = x + 1, *z = x + 2;
  const uint64_t row = at[1] - y->low, plane = at[2] - z->low; /* they wrap around before the first */
  const uint64_t y_kind = y->rows * y->count, z_kind = z->rows * z->count;
  e->terms = t->terms;
  e->degree = (int32_t)t->degree;
  e->x = x->table + ((uint64_t)along * x->rows + t->power) * x->count + (at[0] - x->low);
  e->x_begin = convk_ongrid_inside_(x->low, at[0], nx);
  e->x_end = convk_ongrid_inside_(x->low + x->count, at[0], nx);
  e->size = y->table + y->size + row;
  e->y = y->table + (weight == 1 ? y_kind : 0) + row;
  e->y_count = y->count;
  e->y_begin = convk_ongrid_inside_(y->low, at[1], ny);
  e->y_end = convk_ongrid_inside_(y->low + y->count, at[1], ny);
  e->y_bend = weight == 3 ? 2 * y_kind : weight > 3 && y->size ? y_kind : 0;
  e->z = z->table + (weight == 2 ? z_kind : 0) + plane;
  e->z_count = z->count;
  e->z_bend = weight == 3 ? 2 * z_kind : weight > 3 && z->size ? z_kind : 0;
  *ez = 0;
  e->alive = plane < z->count;
  if (e->alive) {
    *ez = CONVK_MUL_(values[z->table + z->size + plane], values[x->most + tile[0]]);
    e->alive = !(CONVK_MUL_(values[y->most + tile[1]], *ez) < cut);
  }
}

/* Terms with power b of y of such a table, summed along z in its plane.  t: its terms; imag: how far behind them their imaginary
   parts are, 0: there are none.  *v, and where tables along z have a second part, or terms have, *w: of a second derivative or
   of imaginary parts. */
CONVK_ELEMENT_ void convk_ongrid_along_z_(const convk_ongrid_near_ *e, CONVK_OVER_THERE_ CONVK_T *values,
                                          CONVK_OVER_THERE_ CONVK_T *t, uint64_t imag, int b, CONVK_T *v, CONVK_T *w) {
  CONVK_OVER_THERE_ CONVK_T *z = values + e->z;
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
CONVK_ELEMENT_ int convk_ongrid_counts_(const convk_ongrid_near_ *e, CONVK_OVER_THERE_ CONVK_T *values, int32_t row, CONVK_T ez,
                                        CONVK_T cut) {
  return row >= e->y_begin && row < e->y_end && !(CONVK_MUL_(values[e->size + (uint64_t)row], ez) < cut);
}

/* Adds such sums v and w of power b of y to the weight of the table in a row that counts. */
CONVK_ELEMENT_ void convk_ongrid_add_row_(const convk_ongrid_near_ *e, CONVK_OVER_THERE_ CONVK_T *values, int32_t row, int b,
                                          CONVK_T v, CONVK_T w, CONVK_T *sum) {
  CONVK_OVER_THERE_ CONVK_T *y = values + (e->y + (uint64_t)row + (uint64_t)b * e->y_count);
  if (e->z_bend) *sum = CONVK_FMA_(v, y[e->y_bend], CONVK_FMA_(w, y[0], *sum));
  else *sum = CONVK_FMA_(v, y[0], *sum);
}

/* The same of a Bloch sum: of its real part, or (weight 5) its imaginary one. */
CONVK_ELEMENT_ void convk_onwave_add_row_(const convk_ongrid_near_ *e, CONVK_OVER_THERE_ CONVK_T *values, int32_t row, int b,
                                          CONVK_T v, CONVK_T w, int weight, CONVK_T *sum) {
  CONVK_OVER_THERE_ CONVK_T *y = values + (e->y + (uint64_t)row + (uint64_t)b * e->y_count);
  *sum = CONVK_FMA_(weight == 4 ? v : w, y[0], *sum);
  if (e->y_bend && weight == 4) *sum = CONVK_FNMA_(w, y[e->y_bend], *sum);
  if (e->y_bend && weight != 4) *sum = CONVK_FMA_(v, y[e->y_bend], *sum);
}

/* The weight of such a table in a row of the part: 0 where the row is too far away. */
CONVK_ELEMENT_ CONVK_T convk_ongrid_weight_(const convk_ongrid_near_ *e, CONVK_OVER_THERE_ CONVK_T *values,
                                            CONVK_OVER_THERE_ CONVK_T *t, int32_t row, CONVK_T ez, CONVK_T cut) {
  CONVK_T sum = 0;
  int b;
  if (!convk_ongrid_counts_(e, values, row, ez, cut)) return 0;
  CONVK_UNROLL_
  for (b = 0; b <= CONVK_SHELL_MAX_L; b++) {
    CONVK_T v, w;
    if (b > e->degree) break;
    convk_ongrid_along_z_(e, values, t, 0, b, &v, &w);
    convk_ongrid_add_row_(e, values, row, b, v, w, &sum);
  }
  return sum;
}

/* The same of a Bloch sum; imag: see convk_ongrid_along_z_; weight: see convk_ongrid_look_. */
CONVK_ELEMENT_ CONVK_T convk_onwave_weight_(const convk_ongrid_near_ *e, CONVK_OVER_THERE_ CONVK_T *values,
                                            CONVK_OVER_THERE_ CONVK_T *t, uint64_t imag, int32_t row, CONVK_T ez, CONVK_T cut,
                                            int weight) {
  CONVK_T sum = 0;
  int b;
  if (!convk_ongrid_counts_(e, values, row, ez, cut)) return 0;
  CONVK_UNROLL_
  for (b = 0; b <= CONVK_SHELL_MAX_L; b++) {
    CONVK_T v, w;
    if (b > e->degree) break;
    convk_ongrid_along_z_(e, values, t, imag, b, &v, &w);
    convk_onwave_add_row_(e, values, row, b, v, w, weight, &sum);
  }
  return weight == 6 ? -sum : sum;
}
#undef CONVK_OVER_THERE_
#endif
