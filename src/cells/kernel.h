/* ---- Gaussians on grids of any three steps ---- */

/* v at an element, or added there. */
CONVK_INLINE_ void convk_cells_put_(CONVK_T *to, CONVK_V v, int more) {
#if CONVK_FUSES_
  CONVK_KEEP_(v); /* v may be a product: compilers must not fuse it with the sum */
#endif
  CONVK_STORE_(to, more ? CONVK_ADD_(CONVK_LOAD_(to), v) : v);
}

/* ---- rows of a tile: lanes are rows ---- */

/* a b of numbers in two parts. */
CONVK_INLINE_ CONVK_V convk_cells_product_(CONVK_V a, CONVK_V a_lo, CONVK_V b, CONVK_V b_lo, CONVK_V *lo) {
  CONVK_V h = CONVK_MUL_(a, b), e;
#if CONVK_FUSES_
  CONVK_KEEP_(h); /* not to be fused with what it is added to */
  e = CONVK_FMS_(a, b, h);
#else
  e = convk_gaussian_lost_(a, b, h);
#endif
  *lo = CONVK_FMA_(a, b_lo, CONVK_FMA_(a_lo, b, e));
  return h;
}

/* a + b of numbers in two parts. */
CONVK_INLINE_ CONVK_V convk_cells_sum_(CONVK_V a, CONVK_V a_lo, CONVK_V b, CONVK_V b_lo, CONVK_V *lo) {
  const CONVK_V sum = convk_gaussian_minus_(a, CONVK_SUB_(CONVK_SET_(0), b), lo);
  *lo = CONVK_ADD_(*lo, CONVK_ADD_(a_lo, b_lo));
  return sum;
}

/* exp(-a s) of n squares s, a multiple of 16, which lost lo: what is less than cut is 0.  of: a, b and top, see
   convk_gaussian_part_. */
CONVK_RARE_ void convk_cells_exponentials_(const CONVK_T *of, const CONVK_T *squares, const CONVK_T *lost, size_t n,
                                           CONVK_T cut, CONVK_T *to) {
  enum { group_ = CONVK_LANES < 16 && CONVK_FUSES_ ? 2 : 1 };
  const CONVK_V a = CONVK_SET_(of[0]), b = CONVK_SET_(of[1]), top = CONVK_SET_(of[2]);
  const CONVK_V least = CONVK_SET_(cut), zero = CONVK_SET_(0);
  CONVK_V s[group_], lo[group_], g[group_];
  size_t i;
  int u;
  for (i = 0; i < n; i += group_ * CONVK_LANES) {
    CONVK_EACH_(u, group_) {
      s[u] = CONVK_LOAD_(squares + i + (size_t)u * CONVK_LANES);
      lo[u] = CONVK_LOAD_(lost + i + (size_t)u * CONVK_LANES);
    }
    convk_gaussian_some_(&a, &b, &top, s, lo, g, group_, 0, 1, CONVK_GAUSSIAN_FAR_, 1);
    CONVK_EACH_(u, group_) CONVK_STORE_(to + i + (size_t)u * CONVK_LANES, CONVK_LESS_(g[u], least, zero, g[u]));
  }
}

static void convk_cells_table_make_(const convk_cells_table_ *part) {
  static const CONVK_T count[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const CONVK_V zero = CONVK_SET_(0), by = CONVK_SET_(part->by[0]), by_lo = CONVK_SET_(part->by[1]);
  const CONVK_T first = (CONVK_T)(double)part->middle, from = (CONVK_T)(double)part->from - first;
  const CONVK_V least = CONVK_SET_(from - (CONVK_T)0.5),
                greatest = CONVK_SET_((CONVK_T)(double)part->end - first - (CONVK_T)0.5);
  CONVK_T s[16], lost[16];
  size_t i, k;
  for (i = 0; i < part->pitch; i += 16) {
    const CONVK_V whole = CONVK_SET_((CONVK_T)(double)i - first);
    for (k = 0; k < 16; k += CONVK_LANES) {
      CONVK_V lo, e, v = CONVK_ADD_(whole, CONVK_LOAD_(count + k));
      e = convk_cells_product_(v, zero, by, by_lo, &lo);
      CONVK_STORE_(s + k, CONVK_LESS_(v, least, zero, CONVK_LESS_(v, greatest, e, zero)));
      CONVK_STORE_(lost + k, lo);
    }
    convk_cells_exponentials_(part->of, s, lost, 16, 0, part->to + i);
    for (k = 0; k < 16; k += CONVK_LANES) {
      const CONVK_V v = CONVK_ADD_(whole, CONVK_LOAD_(count + k)), e = CONVK_LOAD_(part->to + i + k);
      CONVK_STORE_(part->to + i + k, CONVK_LESS_(v, least, zero, CONVK_LESS_(v, greatest, e, zero)));
    }
  }
  CONVK_LEAVE_
}

/* to[0][k] = y^k for k = 0 .. l.  If kinds > 1 to[1][k] and to[2][k] are the first and second derivative of y^k exp(-a y^2),
   over the exponential. */
CONVK_INLINE_ void convk_cells_powers_(CONVK_V y, CONVK_V a, int l, int kinds, CONVK_V to[3][CONVK_SHELL_MAX_L + 3]) {
  const CONVK_V twice = CONVK_ADD_(a, a), four = CONVK_MUL_(twice, twice);
  CONVK_V *const power = to[0];
  int k;
  power[0] = CONVK_SET_(1);
  for (k = 0; k < l + (kinds > 1 ? 2 : 0); k++) power[k + 1] = CONVK_MUL_(power[k], y);
  for (k = 0; k <= l && kinds > 1; k++) {
    const CONVK_V f = CONVK_SET_((CONVK_T)k), g = CONVK_SET_((CONVK_T)(k * (k - 1))), h = CONVK_SET_((CONVK_T)(2 * k + 1));
    to[1][k] = CONVK_FNMA_(twice, power[k + 1], CONVK_MUL_(f, power[k ? k - 1 : 0]));
    to[2][k] =
        CONVK_FMA_(four, power[k + 2], CONVK_FNMA_(CONVK_MUL_(twice, h), power[k], CONVK_MUL_(g, power[k > 1 ? k - 2 : 0])));
  }
}

/* One vector of rows of a member's factors: exponentials e times what y and z, at `from`, make of them, see
   convk_cells_weights_ for sets of them. */
CONVK_RARE_ void convk_cells_factors_(const convk_cells_image_part_ *part, const CONVK_V *from, CONVK_V a, CONVK_V e, int l,
                                      int more, CONVK_T *to) {
  enum { apart_ = 16 * CONVK_CELLS_PRODUCTS_ };
  CONVK_V ys[3][CONVK_SHELL_MAX_L + 3], zs[3][CONVK_SHELL_MAX_L + 3];
  int i, c, kind;
  for (kind = 0; kind < 2; kind++) convk_cells_powers_(from[kind], a, l, part->sets == 4 ? 3 : 1, kind ? zs : ys);
  for (i = 0; i <= l; i++)
    for (c = 0; c <= i; c++, to += 16) {
      const CONVK_V v = CONVK_MUL_(CONVK_MUL_(ys[0][i - c], zs[0][c]), e);
      if (part->sets == 2) {
        convk_cells_put_(to + apart_, CONVK_MUL_(v, CONVK_SET_(part->phase[1])), more);
        convk_cells_put_(to, CONVK_MUL_(v, CONVK_SET_(part->phase[0])), more);
        continue;
      }
      convk_cells_put_(to, v, more);
      if (part->sets == 1) continue;
      convk_cells_put_(to + apart_, CONVK_MUL_(CONVK_MUL_(ys[1][i - c], zs[0][c]), e), more);
      convk_cells_put_(to + 2 * apart_, CONVK_MUL_(CONVK_MUL_(ys[0][i - c], zs[1][c]), e), more);
      convk_cells_put_(to + 3 * apart_, CONVK_MUL_(CONVK_FMA_(ys[2][i - c], zs[0][c], CONVK_MUL_(ys[0][i - c], zs[2][c])), e),
                       more);
    }
}

static unsigned convk_cells_image_of_(const convk_cells_image_part_ *part) {
  const convk_cells_shape_ *const shape = part->shape;
  const CONVK_V zero = CONVK_SET_(0), reach = CONVK_SET_(part->reach), width = CONVK_SET_(part->width);
  const unsigned all = (1u << shape->rows) - 1;
  CONVK_T y[16], z[16], s[16], lo[16], size[16], made[16];
  unsigned any = 0;
  size_t i, r;
  for (r = 0; r < 16; r += CONVK_LANES) {
    const CONVK_V x = CONVK_ADD_(CONVK_SET_(part->x), CONVK_LOAD_(shape->x + r));
    CONVK_V p[2], lost[2], square[2], gap;
    p[0] = convk_cells_sum_(CONVK_LOAD_(shape->y[0] + r), CONVK_LOAD_(shape->y[1] + r), CONVK_SET_(part->y[0]),
                            CONVK_SET_(part->y[1]), &lost[0]);
    p[1] = convk_cells_sum_(CONVK_LOAD_(shape->z[0] + r), CONVK_LOAD_(shape->z[1] + r), CONVK_SET_(part->z[0]),
                            CONVK_SET_(part->z[1]), &lost[1]);
    CONVK_STORE_(y + r, CONVK_ADD_(p[0], lost[0]));
    CONVK_STORE_(z + r, CONVK_ADD_(p[1], lost[1]));
    square[0] = convk_cells_product_(p[0], lost[0], p[0], lost[0], &lost[0]);
    square[1] = convk_cells_product_(p[1], lost[1], p[1], lost[1], &lost[1]);
    square[0] = convk_cells_sum_(square[0], lost[0], square[1], lost[1], &lost[0]);
    gap = CONVK_MAX_(zero, CONVK_MAX_(x, CONVK_SUB_(zero, CONVK_ADD_(x, width))));
    if (part->width < 0) gap = zero;
    CONVK_STORE_(s + r, CONVK_MIN_(square[0], CONVK_SET_(CONVK_GREATEST_)));
    CONVK_STORE_(lo + r, lost[0]);
    CONVK_STORE_(size + r, CONVK_FMA_(gap, gap, square[0]));
  }
  for (i = 0; i < part->count; i++) {
    convk_cells_alive_ *const alive = part->alive + i;
    const CONVK_V exponent = CONVK_SET_(part->exponent[i]);
    CONVK_T of[3];
    unsigned dead = 0;
    for (r = 0; r < 16; r += CONVK_LANES) dead |= CONVK_WHICH_LESS_(reach, CONVK_MUL_(exponent, CONVK_LOAD_(size + r))) << r;
    if (!(all & ~dead)) break;
    if (!part->used[i]) continue;
    of[0] = part->a[i];
    of[1] = part->b[i];
    of[2] = part->top[i];
    convk_cells_exponentials_(of, s, lo, 16, 0, made);
    for (r = 0; r < 16; r += CONVK_LANES) {
      const int more = alive->rows != 0;
      const CONVK_V beyond = CONVK_MUL_(exponent, CONVK_LOAD_(size + r)),
                    e = CONVK_LESS_(reach, beyond, zero, CONVK_LOAD_(made + r));
      if (part->sets > 1 || part->l[i]) {
        CONVK_V from[2];
        from[0] = CONVK_LOAD_(y + r);
        from[1] = CONVK_LOAD_(z + r);
        convk_cells_factors_(part, from, exponent, e, (int)part->l[i], more, alive->factor + r);
      } else {
        convk_cells_put_(alive->factor + r, e, more);
      }
    }
    alive->rows |= all & ~dead;
    any |= all & ~dead;
  }
  CONVK_LEAVE_
  return any;
}

/* ---- lines ---- */

/* Squares of distances of elements `from` to `to` of a line, which begins at start + s. */
CONVK_RARE_ void convk_cells_squares_(const convk_cells_bases_ *part, const CONVK_T *start, CONVK_T s, CONVK_T s_lo,
                                      size_t from, size_t to) {
  const CONVK_V limit = CONVK_SET_(CONVK_GREATEST_);
  CONVK_V first, lost;
  size_t i;
  first = convk_cells_sum_(CONVK_SET_(start[0]), CONVK_SET_(start[1]), CONVK_SET_(s), CONVK_SET_(s_lo), &lost);
  for (i = from; i < to; i += CONVK_LANES) {
    CONVK_V lo,
        h = convk_cells_sum_(CONVK_LOAD_(part->offset + i), CONVK_LOAD_(part->offset + part->apart + i), first, lost, &lo);
    h = convk_cells_product_(h, lo, h, lo, &lo);
    CONVK_STORE_(part->s + i, CONVK_MIN_(h, limit));
    CONVK_STORE_(part->lo + i, lo);
  }
}

/* exp(-a s) of a line's elements, and zeros on both sides of them. */
CONVK_RARE_ void convk_cells_base_(const convk_cells_bases_ *part, const convk_cells_line_ *line, CONVK_T *base) {
  size_t i;
  for (i = 0; i < 16; i += CONVK_LANES) {
    CONVK_STORE_(base + line->from - 16 + i, CONVK_SET_(0));
    CONVK_STORE_(base + line->to + i, CONVK_SET_(0));
  }
  convk_cells_exponentials_(line->exponents, part->s + line->from, part->lo + line->from, line->to - line->from, part->cut,
                            base + line->from);
}

/* The same for one row alone. */
CONVK_RARE_ void convk_cells_own_base_(const convk_cells_bases_ *part, const convk_cells_line_ *line, size_t row,
                                       CONVK_T *base) {
  const convk_cells_shape_ *const shape = part->shape;
  convk_cells_squares_(part, line->start, shape->s[0][row], shape->s[1][row], line->from, line->to);
  convk_cells_base_(part, line, base);
}

/* Multiplies what a line's member has for rows r .. with e. */
CONVK_INLINE_ void convk_cells_fold_(const convk_cells_line_ *line, size_t sets, CONVK_V e, size_t r) {
  const size_t products = (line->l + 1) * (line->l + 2) / 2;
  size_t k, i;
  for (k = 0; k < sets; k++)
    for (i = 0; i < products; i++) {
      CONVK_T *const to = line->of->factor + (k * CONVK_CELLS_PRODUCTS_ + i) * 16 + r;
      CONVK_STORE_(to, CONVK_MUL_(CONVK_LOAD_(to), e));
    }
}

static void convk_cells_bases_of_(const convk_cells_bases_ *part) {
  const convk_cells_shape_ *const shape = part->shape;
  CONVK_T s[16], lo[16], made[16];
  size_t i, r, from = (size_t)-1, to = 0;
  for (i = 0; i < part->count; i++) {
    from = part->line[i].from < from ? part->line[i].from : from;
    to = part->line[i].to > to ? part->line[i].to : to;
  }
  convk_cells_squares_(part, part->line->start, 0, 0, from, to);
  for (r = 0; r < 16 && part->line->table[0]; r += CONVK_LANES) { /* s (2 u + s) */
    const CONVK_V own = CONVK_LOAD_(shape->s[0] + r), own_lo = CONVK_LOAD_(shape->s[1] + r);
    CONVK_V lost, sum;
    sum = convk_cells_sum_(CONVK_SET_(part->line->twice[0]), CONVK_SET_(part->line->twice[1]), own, own_lo, &lost);
    sum = convk_cells_product_(own, own_lo, sum, lost, &lost);
    CONVK_STORE_(s + r, sum);
    CONVK_STORE_(lo + r, lost);
  }
  for (i = 0; i < part->count; i++) {
    convk_cells_line_ *const line = part->line + i;
    convk_cells_base_(part, line, line->base);
    if (!line->table[0]) continue;
    convk_cells_exponentials_(line->exponents, s, lo, 16, 0, made);
    for (r = 0; r < 16; r += CONVK_LANES) {
      const CONVK_V e = CONVK_LOAD_(made + r);
      if (line->factor) CONVK_STORE_(line->factor + r, e);
      else convk_cells_fold_(line, part->sets, e, r);
    }
  }
  CONVK_LEAVE_
}

/* ---- rows of a panel ---- */

/* v times a phase at an element, or added there. */
CONVK_INLINE_ void convk_cells_turn_by_(CONVK_T *to, CONVK_V v, CONVK_V phase, int more) {
  CONVK_STORE_(to, more ? CONVK_FMA_(v, phase, CONVK_LOAD_(to)) : CONVK_MUL_(v, phase));
}

/* What vectors of a line's rows need: copies, as compilers would otherwise load them again after each store. */
typedef struct convk_cells_pen_ {
  size_t l, apart;
  CONVK_V twice, four, real, imag; /* two and four times the exponent and its square; the phase */
  int more, kinds, phased;
} convk_cells_pen_;

/* One vector of all rows of a line, where the exponential is x, at `to`. */
CONVK_INLINE_ void convk_cells_vector_(const convk_cells_pen_ *pen, CONVK_V x, CONVK_V u, CONVK_T *to) {
  CONVK_V before = x, last = x, next = CONVK_MUL_(x, u); /* x u^(q - 2), x u^(q - 1), x u^(q + 1) */
  size_t q;
  for (q = 0; q <= pen->l; q++, to += CONVK_GRIDS_STRIP_) {
    const CONVK_V after = CONVK_MUL_(next, u);
    if (pen->phased) {
      convk_cells_turn_by_(to, x, pen->real, pen->more);
      convk_cells_turn_by_(to + pen->apart, x, pen->imag, pen->more);
    } else {
      convk_cells_put_(to, x, pen->more);
    }
    if (pen->kinds > 1) {
      static const CONVK_T factor[3][CONVK_SHELL_MAX_L + 1] = {{0, 1, 2, 3, 4}, {0, 0, 2, 6, 12}, {1, 3, 5, 7, 9}};
      const CONVK_V f = CONVK_SET_(factor[0][q]), g = CONVK_SET_(factor[1][q]), h = CONVK_SET_(factor[2][q]);
      const CONVK_V second = CONVK_FNMA_(CONVK_MUL_(pen->twice, h), x, CONVK_MUL_(g, before));
      convk_cells_put_(to + pen->apart, CONVK_FNMA_(pen->twice, next, CONVK_MUL_(f, last)), pen->more);
      convk_cells_put_(to + 2 * pen->apart, CONVK_FMA_(pen->four, after, second), pen->more);
    }
    before = last;
    last = x;
    x = next;
    next = after;
  }
}

/* Where element i of a line's first row is in a panel. */
CONVK_INLINE_ CONVK_T *convk_cells_spot_(const convk_cells_rows_ *part, const convk_cells_line_ *line, CONVK_T *panel,
                                         size_t i) {
  return panel + i / CONVK_GRIDS_STRIP_ * CONVK_GRIDS_STRIP_ * part->total + i % CONVK_GRIDS_STRIP_ +
         line->place * CONVK_GRIDS_STRIP_;
}

/* Zeros of a row's elements before `begin` and from `end` on, both multiples of 16 or the last one. */
CONVK_INLINE_ void convk_cells_nothing_(const convk_cells_rows_ *part, const convk_cells_line_ *line, CONVK_T *panel,
                                        size_t begin, size_t end) {
  const CONVK_V zero = CONVK_SET_(0);
  const size_t kinds = part->phased ? 2 : (size_t)part->kinds;
  size_t i, k, q;
  if (line->more) return;
  for (i = begin ? 0 : end; i < part->n; i = i + CONVK_LANES == begin ? end : i + CONVK_LANES) {
    CONVK_T *const to = convk_cells_spot_(part, line, panel, i);
    for (k = 0; k < kinds; k++)
      for (q = 0; q <= line->l; q++) CONVK_STORE_(to + k * part->apart + q * CONVK_GRIDS_STRIP_, zero);
  }
}

/* The same in four panels. */
CONVK_RARE_ void convk_cells_nothing_in_four_(const convk_cells_rows_ *part, const convk_cells_line_ *line, size_t begin,
                                              size_t end) {
  size_t g;
  for (g = 0; g < 4; g++) convk_cells_nothing_(part, line, part->panel + g * part->beside, begin, end);
}

/* Elements of a row that a line has, multiples of 16 or the last one. */
CONVK_INLINE_ size_t convk_cells_span_(const convk_cells_rows_ *part, const convk_cells_line_ *line, size_t shift,
                                       size_t *begin) {
  const size_t whole = line->to > shift ? (line->to - shift + 15) / 16 * 16 : 0, end = whole < part->n ? whole : part->n;
  const size_t first = line->from > shift ? (line->from - shift) / 16 * 16 : 0; /* 0 also where the line begins a bit later */
  *begin = first < end ? first : 0;
  return first < end ? end : 0;
}

/* The table of a row along an axis. */
CONVK_INLINE_ const CONVK_T *convk_cells_table_at_(const convk_cells_rows_ *part, const convk_cells_line_ *line, int axis,
                                                   size_t row) {
  return line->table[axis] + ((ptrdiff_t)(part->own.shape->step[row][axis] * line->pitch) + line->lean);
}

/* All rows of a line for one row of the tile.  tables: how many it takes; bare: it has values of s alone, and no table. */
CONVK_INLINE_ void convk_cells_draw_(const convk_cells_rows_ *part, const convk_cells_line_ *line, size_t row,
                                     const CONVK_T *base, CONVK_T *panel, int tables, int bare) {
  static const CONVK_T count[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const convk_cells_shape_ *const shape = part->own.shape;
  const size_t shift = shape->shift[row];
  const CONVK_T *const one = tables > 0 ? convk_cells_table_at_(part, line, 0, row) : NULL;
  const CONVK_T *const two = tables > 1 ? convk_cells_table_at_(part, line, 1, row) : NULL;
  const CONVK_V factor = tables > 0 && line->factor ? CONVK_SET_(line->factor[row]) : CONVK_SET_(1);
  const CONVK_V delta = CONVK_SET_(line->delta + shape->s[0][row]), step = CONVK_SET_(part->step);
  const CONVK_V a = CONVK_SET_(line->exponents[3]);
  size_t begin, i;
  const size_t end = convk_cells_span_(part, line, shift, &begin);
  convk_cells_pen_ pen;
  pen.l = line->l;
  pen.apart = part->apart;
  pen.twice = CONVK_ADD_(a, a);
  pen.four = CONVK_MUL_(pen.twice, pen.twice);
  pen.real = CONVK_SET_(line->phase[0]);
  pen.imag = CONVK_SET_(line->phase[1]);
  pen.more = line->more;
  pen.kinds = part->kinds;
  pen.phased = part->phased;
  convk_cells_nothing_(part, line, panel, begin, end);
  for (i = begin; i < end; i += CONVK_LANES) {
    CONVK_T *const to = convk_cells_spot_(part, line, panel, i);
    const size_t idx = i + shift;
    CONVK_V u, x = CONVK_LOAD_(base + idx);
    if (bare) {
      CONVK_STORE_(to, x);
      continue;
    }
    if (tables > 1) x = CONVK_MUL_(x, CONVK_LOAD_(two + idx));
    if (tables > 0) x = CONVK_MUL_(x, CONVK_LOAD_(one + idx));
    if (tables > 0 && line->factor) x = CONVK_MUL_(x, factor);
    u = CONVK_ADD_(CONVK_SET_((CONVK_T)(double)idx + line->index), CONVK_LOAD_(count));
    convk_cells_vector_(&pen, x, CONVK_FMA_(u, step, delta), to);
  }
}

/* The same for four rows of the tile that take the same second table, one panel after another. */
CONVK_INLINE_ void convk_cells_draw_four_(const convk_cells_rows_ *part, const convk_cells_line_ *line, const int linear) {
  static const CONVK_T count[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const convk_cells_shape_ *const shape = part->own.shape;
  const size_t shift = shape->shift[part->row], beside = part->beside;
  const CONVK_T *one[4], *const two = convk_cells_table_at_(part, line, 1, part->row), *const base = line->base;
  const CONVK_V step = CONVK_SET_(part->step);
  const int scaled = line->factor != NULL;
  CONVK_V factor[4], delta[4];
  size_t begin, end, i, strip;
  CONVK_T *to;
  int g;
  CONVK_EACH_(g, 4) {
    const size_t row = part->row + (size_t)(g < part->group ? g : part->group - 1);
    one[g] = convk_cells_table_at_(part, line, 0, row);
    factor[g] = CONVK_SET_(scaled ? line->factor[row] : 1);
    delta[g] = CONVK_SET_(line->delta + shape->s[0][row]);
  }
  end = convk_cells_span_(part, line, shift, &begin);
  if (begin || end < part->n) convk_cells_nothing_in_four_(part, line, begin, end);
  to = convk_cells_spot_(part, line, part->panel, begin);
  strip = begin % CONVK_GRIDS_STRIP_;
  for (i = begin; i < end; i += CONVK_LANES) {
    const size_t idx = i + shift;
    const CONVK_V all = CONVK_MUL_(CONVK_LOAD_(base + idx), CONVK_LOAD_(two + idx));
    CONVK_V x[4];
    CONVK_EACH_(g, 4) x[g] = CONVK_MUL_(all, CONVK_LOAD_(one[g] + idx));
    if (line->factor)
      CONVK_EACH_(g, 4) x[g] = CONVK_MUL_(x[g], factor[g]);
    CONVK_EACH_(g, 4) CONVK_STORE_(to + (size_t)g * beside, x[g]);
    if (linear) {
      const CONVK_V u = CONVK_ADD_(CONVK_SET_((CONVK_T)(double)idx + line->index), CONVK_LOAD_(count));
      CONVK_EACH_(g, 4)
        CONVK_STORE_(to + (size_t)g * beside + CONVK_GRIDS_STRIP_, CONVK_MUL_(x[g], CONVK_FMA_(u, step, delta[g])));
    }
    to += CONVK_LANES;
    strip += CONVK_LANES;
    if (strip < CONVK_GRIDS_STRIP_) continue;
    strip = 0;
    to += (part->total - 1) * CONVK_GRIDS_STRIP_;
  }
}

static void convk_cells_rows_of_(const convk_cells_rows_ *part) {
  const convk_cells_shape_ *const shape = part->own.shape;
  unsigned all = 0;
  size_t k, row;
  int g;
  for (g = 0; g < part->group; g++) all |= shape->same[part->row + (size_t)g];
  for (k = 0; k < part->count; k++) {
    const convk_cells_line_ *const line = part->line + k;
    const int mode = part->kinds > 1 || part->phased || line->more || line->l > 1 ? 2 : (int)line->l;
    const int tables = !line->table[0] ? 0 : line->table[1] ? 2 : 1;
    if (!(line->rows & all)) continue;
    if (!CONVK_TERSE_ && tables == 2 && mode < 2 && part->beside) {
      if (line->l) convk_cells_draw_four_(part, line, 1);
      else convk_cells_draw_four_(part, line, 0);
      continue;
    }
    for (g = 0, row = part->row; g < part->group; g++, row++) {
      const CONVK_T *const base = line->base ? line->base : part->base;
      CONVK_T *const panel = part->panel + (size_t)g * part->beside;
      if (!(line->rows & shape->same[row])) continue;
      if (!line->base) convk_cells_own_base_(&part->own, line, row, part->base);
      convk_cells_draw_(part, line, row, base, panel, tables, mode == 0 && tables == 0);
    }
  }
  CONVK_LEAVE_
}

/* ---- weights ---- */

/* Sums of one vector of orbitals for the rows x'^q of terms y'^b z'^c up to b + c = m. */
CONVK_INLINE_ void convk_cells_sums_(const CONVK_T *factor, const CONVK_T *terms, size_t width, const int m, const int sets,
                                     CONVK_V *sum) {
  int b, c, k;
  CONVK_UNROLL_
  for (b = 0; b <= m; b++) {
    CONVK_UNROLL_
    for (c = 0; c <= m - b; c++, terms += width) {
      const CONVK_T *const f = factor + 16 * ((b + c) * (b + c + 1) / 2 + c);
      const CONVK_V t = CONVK_LOAD_(terms);
      CONVK_EACH_(k, sets) sum[k] = CONVK_FMA_(t, CONVK_SET_(f[16 * CONVK_CELLS_PRODUCTS_ * k]), sum[k]);
    }
  }
}

/* The same of any m: f and g are rare. */
CONVK_INLINE_ void convk_cells_sums_any_(const CONVK_T *factor, const CONVK_T *terms, size_t width, int m, const int sets,
                                         CONVK_V *sum) {
  int b, c, k;
  for (b = 0; b <= m; b++) {
    const CONVK_T *f = factor + 16 * (b * (b + 1) / 2); /* that of y'^b; of each z' more b + c + 2 behind */
    for (c = 0; c <= m - b; c++, terms += width) {
      const CONVK_V t = CONVK_LOAD_(terms);
      CONVK_EACH_(k, sets) sum[k] = CONVK_FMA_(t, CONVK_SET_(f[16 * CONVK_CELLS_PRODUCTS_ * k]), sum[k]);
      f += 16 * (b + c + 2);
    }
  }
}

/* Weights of such sums at `w`; other: those of imaginary parts of terms. */
CONVK_INLINE_ void convk_cells_leave_(const convk_cells_weights_ *part, CONVK_T *w, const CONVK_V *sums, const CONVK_V *other,
                                      const int sets) {
  CONVK_V sum = sums[0];
  int d;
  if (sets == 2) {
    CONVK_V imag = sums[1], turned = other[1], other_imag = other[0];
#if CONVK_FUSES_
    CONVK_KEEP_(sum); /* sums of one term are products, which compilers must not fuse with what follows */
    CONVK_KEEP_(imag);
    CONVK_KEEP_(turned);
    CONVK_KEEP_(other_imag);
#endif
    imag = CONVK_ADD_(imag, other_imag);
    sum = CONVK_SUB_(sum, turned);
    CONVK_STORE_(w + part->apart, imag);
    CONVK_STORE_(w + 2 * part->apart, CONVK_SUB_(CONVK_SET_(0), imag));
  }
  CONVK_STORE_(w, sum);
  if (sets < 4) return;
  CONVK_EACH_(d, 3) {
    CONVK_STORE_(w + (size_t)(1 + d) * part->apart, CONVK_MUL_(CONVK_SET_(part->axis[0][d]), sum));
    CONVK_STORE_(w + (size_t)(4 + d) * part->apart,
                 CONVK_FMA_(CONVK_SET_(part->axis[1][d]), sums[1], CONVK_MUL_(CONVK_SET_(part->axis[2][d]), sums[2])));
  }
  CONVK_STORE_(w + 7 * part->apart, sums[3]);
}

CONVK_INLINE_ void convk_cells_power_(const convk_cells_weights_ *part, const CONVK_T *factor, const CONVK_T *terms, CONVK_T *w,
                                      const int m, const int sets) {
  CONVK_V sum[4], other[2];
  sum[0] = sum[1] = sum[2] = sum[3] = other[0] = other[1] = CONVK_SET_(0);
  if (sets == 2 && part->imag) convk_cells_sums_(factor, terms + part->imag, part->width, m, sets, other);
  convk_cells_sums_(factor, terms, part->width, m, sets, sum);
  convk_cells_leave_(part, w, sum, other, sets);
}

CONVK_INLINE_ void convk_cells_power_any_(const convk_cells_weights_ *part, const CONVK_T *factor, const CONVK_T *terms,
                                          CONVK_T *w, int m, const int sets) {
  CONVK_V sum[4], other[2];
  sum[0] = sum[1] = sum[2] = sum[3] = other[0] = other[1] = CONVK_SET_(0);
  if (sets == 2 && part->imag) convk_cells_sums_any_(factor, terms + part->imag, part->width, m, sets, other);
  convk_cells_sums_any_(factor, terms, part->width, m, sets, sum);
  convk_cells_leave_(part, w, sum, other, sets);
}

/* The weights of a member, from `to` on: of each m = l - q up to 2, of four sets up to 1, of two of 0, a text of its own, as
   they follow in this order. */
CONVK_INLINE_ void convk_cells_powers_to_(const convk_cells_weights_ *part, const convk_cells_alive_ *alive, CONVK_T *to,
                                          const int l, const int sets) {
  enum { next_ = CONVK_GRIDS_WIDE_ };
  const int most = CONVK_TERSE_ || sets == 2 ? 0 : sets == 1 ? 2 : 1;
  const CONVK_T *const factor = alive->factor + part->row;
  const size_t width = part->width;
  size_t o;
  int m;
  for (o = 0; o < part->orbitals; o += CONVK_LANES) {
    const CONVK_T *t = part->terms + alive->terms * width + o;
    CONVK_T *w = to + o;
    for (m = l; m > most; m--) {
      convk_cells_power_any_(part, factor, t, w, m, sets);
      t += (size_t)(m + 1) * (size_t)(m + 2) / 2 * width;
      w += next_;
    }
    if (most > 1 && l > 1) convk_cells_power_(part, factor, t, w, 2, sets), t += 6 * width, w += next_;
    if (most > 0 && l > 0) convk_cells_power_(part, factor, t, w, 1, sets), t += 3 * width, w += next_;
    convk_cells_power_(part, factor, t, w, 0, sets);
  }
}

/* A member of any degree. */
CONVK_RARE_ void convk_cells_weigh_any_(const convk_cells_weights_ *part, const convk_cells_alive_ *alive, CONVK_T *to) {
  const int l = (int)alive->l;
  if (part->sets == 1) convk_cells_powers_to_(part, alive, to, l, 1);
  else if (part->sets == 2) convk_cells_powers_to_(part, alive, to, l, 2);
  else convk_cells_powers_to_(part, alive, to, l, 4);
}

static size_t convk_cells_weigh_(const convk_cells_weights_ *part) {
  convk_grids_listed_ *const list = part->list; /* copies: compilers must think that weights may be stored over the rest */
  const convk_cells_alive_ *const all = part->alive;
  const size_t count = part->count, row = part->row;
  size_t i, k, q = 0;
  for (i = 0; i < count; i++) {
    const convk_cells_alive_ *const alive = all + i;
    CONVK_T *const w = part->w + q * CONVK_GRIDS_WIDE_;
    const size_t l = alive->l, place = alive->place;
    if (!(alive->rows >> row & 1)) continue;
    if (!CONVK_TERSE_ && part->sets == 1 && l == 0) convk_cells_powers_to_(part, alive, w, 0, 1);
    else if (!CONVK_TERSE_ && part->sets == 1 && l == 1) convk_cells_powers_to_(part, alive, w, 1, 1);
    else convk_cells_weigh_any_(part, alive, w);
    for (k = 0; k <= l; k++, q++) {
      list[q].w = (unsigned)(q * CONVK_GRIDS_WIDE_);
      list[q].x = (unsigned)(place + k);
    }
  }
  CONVK_LEAVE_
  return q;
}

/* ---- one orbital ---- */

/* Weights of a line in 16 rows, of 1 and of x'. */
CONVK_INLINE_ void convk_cells_single_weights_(const convk_cells_single_ *part, const convk_cells_line_ *line, CONVK_T *w) {
  const CONVK_T *const t = part->terms + line->of->terms * part->width, *const f = line->of->factor;
  const size_t width = part->width;
  size_t r;
  for (r = 0; r < 16; r += CONVK_LANES) {
    const CONVK_V first = CONVK_LOAD_(f + r), zero = CONVK_SET_(0);
    CONVK_V sum = CONVK_FMA_(CONVK_SET_(t[0]), first, zero);
    if (line->l) {
      sum = CONVK_FMA_(CONVK_SET_(t[width]), CONVK_LOAD_(f + 32 + r), sum);
      sum = CONVK_FMA_(CONVK_SET_(t[2 * width]), CONVK_LOAD_(f + 16 + r), sum);
      CONVK_STORE_(w + 16 + r, CONVK_FMA_(CONVK_SET_(t[3 * width]), first, zero));
    }
    CONVK_STORE_(w + r, sum);
  }
}

/* Adds one vector of a line to sums of four rows, which take x[g]. */
CONVK_INLINE_ void convk_cells_single_add_(const convk_cells_line_ *line, const CONVK_V *x, const CONVK_T *w, CONVK_V u,
                                           CONVK_V step, const CONVK_T *s, CONVK_V *sum, const int vectors) {
  int g;
  CONVK_EACH_(g, 4) sum[g * vectors] = CONVK_FMA_(CONVK_SET_(w[g]), x[g], sum[g * vectors]);
  if (!line->l) return;
  CONVK_EACH_(g, 4) {
    const CONVK_V own = CONVK_FMA_(u, step, CONVK_SET_(line->delta + s[g]));
    sum[g * vectors] = CONVK_FMA_(CONVK_SET_(w[16 + g]), CONVK_MUL_(x[g], own), sum[g * vectors]);
  }
}

/* Sums of `vectors` vectors from element i on in four rows from `row` on. */
CONVK_INLINE_ void convk_cells_single_sums_(const convk_cells_single_ *part, size_t row, unsigned all, size_t i, CONVK_V *sum,
                                            const int vectors) {
  static const CONVK_T count[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const convk_cells_rows_ *const rows = part->rows;
  const convk_cells_shape_ *const shape = rows->own.shape;
  const size_t shift = shape->shift[row];
  const CONVK_V step = CONVK_SET_(rows->step);
  const CONVK_T *own = part->bases + 16;
  size_t k, v;
  int g;
  for (k = 0; k < rows->count; k++) {
    const convk_cells_line_ *const line = rows->line + k;
    const CONVK_T *const w = part->w + 32 * k + row, *base[4], *one[4], *two = NULL;
    size_t begin, end;
    if (!(line->rows & all)) continue;
    end = convk_cells_span_(rows, line, shift, &begin);
    CONVK_EACH_(g, 4) {
      base[g] = line->base;
      if (!line->base) base[g] = own + (size_t)g * (line->to - line->from + 32) - line->from;
      one[g] = NULL;
      if (line->base && line->table[0])
        one[g] = convk_cells_table_at_(rows, line, 0, g < shape->group[row] ? row + (size_t)g : row);
    }
    if (!line->base) own += 4 * (line->to - line->from + 32);
    else if (line->table[0]) two = convk_cells_table_at_(rows, line, 1, row);
    CONVK_EACH_(v, (size_t)vectors) {
      const size_t at = i + v * CONVK_LANES, idx = at + shift;
      CONVK_V x[4], u = step;
      if (at < begin || at >= end) continue;
      if (line->l) u = CONVK_ADD_(CONVK_SET_((CONVK_T)(double)idx + line->index), CONVK_LOAD_(count));
      if (two) {
        const CONVK_V both = CONVK_MUL_(CONVK_LOAD_(base[0] + idx), CONVK_LOAD_(two + idx));
        CONVK_EACH_(g, 4) x[g] = CONVK_MUL_(both, CONVK_LOAD_(one[g] + idx));
      } else {
        CONVK_EACH_(g, 4) x[g] = CONVK_LOAD_(base[g] + idx);
      }
      convk_cells_single_add_(line, x, w, u, step, shape->s[0] + row, sum + v, vectors);
    }
  }
}

/* Bases of lines that have none, for four rows each: whether there is room. */
CONVK_INLINE_ int convk_cells_single_bases_(const convk_cells_single_ *part, size_t row, unsigned all) {
  const convk_cells_rows_ *const rows = part->rows;
  CONVK_T *to = part->bases + 16, *const end = part->bases + part->room;
  size_t k, g;
  for (k = 0; k < rows->count; k++) {
    const convk_cells_line_ *const line = rows->line + k;
    const size_t n = line->to - line->from + 32;
    if (line->base || !(line->rows & all)) continue;
    if ((size_t)(end - to) < 4 * n) return 0;
    for (g = 0; g < 4; g++, to += n) {
      const size_t own = g < (size_t)rows->own.shape->group[row] ? row + g : row;
      convk_cells_own_base_(&rows->own, line, own, to - line->from);
    }
  }
  return 1;
}

static int convk_cells_single_of_(const convk_cells_single_ *part) {
  enum { vectors_ = CONVK_REGISTERS_ > 16 ? 3 : 2, wide_ = vectors_ * CONVK_LANES };
  const convk_cells_rows_ *const rows = part->rows;
  const convk_cells_shape_ *const shape = rows->own.shape;
  size_t k, row, i, v, g;
  int terse = CONVK_TERSE_; /* a variable, so that compilers do not warn of loops behind it */
  if (terse) return 0;
  for (k = 0; k < rows->count; k++) {
    const convk_cells_line_ *const line = rows->line + k;
    if (line->more || line->l > 1 || line->factor) return 0;
  }
  for (k = 0; k < rows->count; k++) convk_cells_single_weights_(part, rows->line + k, part->w + 32 * k);
  for (row = 0; row < shape->rows; row += (size_t)shape->group[row]) {
    const size_t group = (size_t)shape->group[row];
    unsigned all = 0;
    for (g = 0; g < group; g++) all |= shape->same[row + g];
    if (!convk_cells_single_bases_(part, row, all)) return 0;
    for (i = 0; i < part->n; i += wide_) {
      CONVK_V sum[4 * vectors_];
      CONVK_T lanes[4 * wide_];
      CONVK_EACH_(k, 4 * vectors_) sum[k] = CONVK_SET_(0);
      convk_cells_single_sums_(part, row, all, i, sum, vectors_);
      CONVK_EACH_(k, 4 * vectors_) CONVK_STORE_(lanes + k * CONVK_LANES, sum[k]);
      for (g = 0; g < group; g++)
        for (v = 0; v < vectors_ && i + v * CONVK_LANES < part->n; v++) {
          CONVK_T *const to = part->to[row + g] + i + v * CONVK_LANES;
          const CONVK_V own = CONVK_LOAD_(lanes + (g * vectors_ + v) * CONVK_LANES);
          const size_t left = part->n - i - v * CONVK_LANES;
          if (left < CONVK_LANES) CONVK_STOREK_(to, own, left);
          else if (part->stream) CONVK_STREAM_(to, own);
          else CONVK_STORE_(to, own);
        }
    }
  }
  CONVK_LEAVE_
  return 1;
}

static void convk_cells_interleave_(const convk_cells_pairs_ *part) {
  size_t r, i;
  for (r = 0; r < part->rows; r++)
    for (i = 0; i < part->n; i += CONVK_LANES) {
      const size_t k = 2 * (part->n - i < CONVK_LANES ? part->n - i : CONVK_LANES);
      CONVK_T *const to = part->to + r * part->pitch + 2 * i;
      CONVK_V v[2];
      v[0] = CONVK_LOAD_(part->real + r * part->from_pitch + i);
      v[1] = CONVK_LOAD_(part->imag + r * part->from_pitch + i);
      CONVK_ZIP_(v);
      if (k <= CONVK_LANES) {
        CONVK_STOREK_(to, v[0], k);
        continue;
      }
      CONVK_STORE_(to, v[0]);
      if (k < 2 * CONVK_LANES) CONVK_STOREK_(to + CONVK_LANES, v[1], k - CONVK_LANES);
      else CONVK_STORE_(to + CONVK_LANES, v[1]);
    }
  CONVK_LEAVE_
}

CONVK_LOCAL_ const convk_cells_kernels_ *convk_cells_kernel_table_(void) {
  static const convk_cells_kernels_ kernels = {convk_cells_table_make_, convk_cells_image_of_,  convk_cells_bases_of_,
                                               convk_cells_rows_of_,    convk_cells_single_of_, convk_cells_weigh_,
                                               convk_cells_interleave_};
  return &kernels;
}
