#if CONVK_IS_KERNEL_ && CONVK_HAS_GAUSSIAN_
/* ---- Gaussians on grids of any three steps ---- */

/* Exponentials of a line, 16 elements at a time: powers 0 .. 15 of the ratio of two neighbours serve all of these. */
CONVK_INLINE_ void convk_oncell_line_(const convk_oncell_rows_ *part) {
  const CONVK_T *const f = part->factor;
  CONVK_T power[16];
  size_t i, v, block;
  power[0] = 1;
  power[1] = f[1];
  for (v = 2; v < 4; v++) power[v] = power[v - 2] * f[2];
  for (v = 4; v < 8; v++) power[v] = power[v - 4] * f[3];
  for (v = 8; v < 16; v++) power[v] = power[v - 8] * f[4];
  for (i = part->from, block = i / 16; i < part->to; i += 16, block++) {
    CONVK_T start = f[0];
    for (v = 0; v < 3; v++)
      if (block >> v & 1) start *= f[5 + v];
    for (v = 0; v < 16; v += CONVK_LANES)
      CONVK_STORE_(part->line + i + v, CONVK_MUL_(CONVK_LOAD_(part->table + (i - part->from) + v),
                                                  CONVK_MUL_(CONVK_SET_(start), CONVK_LOAD_(power + v))));
  }
}

/* v at an element of a row, or added there. */
CONVK_INLINE_ void convk_oncell_put_(CONVK_T *to, CONVK_V v, int more) {
  CONVK_STORE_(to, more ? CONVK_ADD_(CONVK_LOAD_(to), v) : v);
}

/* The same of v times a phase. */
CONVK_INLINE_ void convk_oncell_turn_by_(CONVK_T *to, CONVK_V v, CONVK_T phase, int more) {
  const CONVK_V by = CONVK_SET_(phase);
  CONVK_STORE_(to, more ? CONVK_FMA_(v, by, CONVK_LOAD_(to)) : CONVK_MUL_(v, by));
}

/* One vector of all rows. */
CONVK_INLINE_ void convk_oncell_vector_(const convk_oncell_rows_ *part, size_t i, size_t at) {
  static const CONVK_T count[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const CONVK_V first = CONVK_SET_((CONVK_T)(double)i + part->index), a = CONVK_SET_(part->exponent);
  const CONVK_V u = CONVK_FMA_(CONVK_ADD_(first, CONVK_LOAD_(count)), CONVK_SET_(part->step), CONVK_SET_(part->delta));
  const CONVK_V twice = CONVK_ADD_(a, a), four = CONVK_MUL_(twice, twice);
  const int most = CONVK_SHELL_MAX_L, l = (int)part->l, more = part->more;
  CONVK_V x[CONVK_SHELL_MAX_L + 3];
  int q;
  x[0] = CONVK_LOAD_(part->line + i);
  CONVK_UNROLL_
  for (q = 0; q <= most; q++, at += CONVK_ONGRID_STRIP_) {
    if (q > l) continue;
    if (q) x[q] = CONVK_MUL_(x[q - 1], u);
    if (part->phased) {
      convk_oncell_turn_by_(part->panel[0] + at, x[q], part->phase[0], more);
      convk_oncell_turn_by_(part->panel[1] + at, x[q], part->phase[1], more);
    } else {
      convk_oncell_put_(part->panel[0] + at, x[q], more);
    }
    if (part->kinds > 1) {
      const CONVK_V f = CONVK_SET_((CONVK_T)q), g = CONVK_SET_((CONVK_T)(q * (q - 1))), h = CONVK_SET_((CONVK_T)(2 * q + 1));
      CONVK_V first_one, second;
      x[q + 1] = CONVK_MUL_(x[q], u);
      x[q + 2] = CONVK_MUL_(x[q + 1], u);
      first_one = CONVK_FNMA_(twice, x[q + 1], CONVK_MUL_(f, x[q ? q - 1 : 0]));
      second = CONVK_FMA_(four, x[q + 2], CONVK_FNMA_(CONVK_MUL_(twice, h), x[q], CONVK_MUL_(g, x[q > 1 ? q - 2 : 0])));
      convk_oncell_put_(part->panel[1] + at, first_one, more);
      convk_oncell_put_(part->panel[2] + at, second, more);
    }
  }
}

static void convk_oncell_rows_of_(const convk_oncell_rows_ *part) {
  const CONVK_V zero = CONVK_SET_(0);
  size_t i, q;
  int k;
  if (part->table) convk_oncell_line_(part);
  for (i = 0; i < part->n; i += CONVK_LANES) {
    const size_t at = i / CONVK_ONGRID_STRIP_ * CONVK_ONGRID_STRIP_ * part->total + i % CONVK_ONGRID_STRIP_;
    if (i >= part->from && i < part->to) {
      convk_oncell_vector_(part, i, at);
      continue;
    }
    for (k = 0; k < 3 && !part->more; k++)
      for (q = 0; q <= part->l && part->panel[k]; q++) CONVK_STORE_(part->panel[k] + at + q * CONVK_ONGRID_STRIP_, zero);
  }
  CONVK_LEAVE_
}

/* Sums of one vector of orbitals for the rows x'^q. */
CONVK_INLINE_ const CONVK_T *convk_oncell_sums_(const convk_oncell_weights_ *part, const CONVK_T *terms, int m, int sets,
                                                CONVK_V *sum) {
  int b, c, k;
  for (b = 0; b <= m; b++)
    for (c = 0; c <= m - b; c++, terms += part->width) {
      const CONVK_T *const f = part->factor + (b + c) * (b + c + 1) / 2 + c;
      const CONVK_V t = CONVK_LOAD_(terms);
      CONVK_UNROLL_
      for (k = 0; k < sets; k++) sum[k] = CONVK_FMA_(t, CONVK_SET_(f[15 * k]), sum[k]);
    }
  return terms;
}

/* One vector of orbitals. */
CONVK_INLINE_ void convk_oncell_weigh_vector_(const convk_oncell_weights_ *part, size_t o, const int sets) {
  const CONVK_T *terms = part->terms + o;
  const CONVK_V zero = CONVK_SET_(0);
  size_t q;
  int d;
  for (q = 0; q <= part->l; q++) {
    CONVK_T *const w = part->w + q * CONVK_ONGRID_WIDE_ + o;
    CONVK_V sum[4], other[2];
    sum[0] = sum[1] = sum[2] = sum[3] = other[0] = other[1] = zero;
    if (sets == 2 && part->imag) (void)convk_oncell_sums_(part, terms + part->imag, (int)(part->l - q), sets, other);
    terms = convk_oncell_sums_(part, terms, (int)(part->l - q), sets, sum);
    if (sets == 2) {
      sum[0] = CONVK_SUB_(sum[0], other[1]);
      sum[1] = CONVK_ADD_(sum[1], other[0]);
      CONVK_STORE_(w + part->apart, sum[1]);
      CONVK_STORE_(w + 2 * part->apart, CONVK_SUB_(zero, sum[1]));
    }
    CONVK_STORE_(w, sum[0]);
    if (sets < 4) continue;
    CONVK_UNROLL_
    for (d = 0; d < 3; d++) {
      CONVK_STORE_(w + (size_t)(1 + d) * part->apart, CONVK_MUL_(CONVK_SET_(part->axis[0][d]), sum[0]));
      CONVK_STORE_(w + (size_t)(4 + d) * part->apart,
                   CONVK_FMA_(CONVK_SET_(part->axis[1][d]), sum[1], CONVK_MUL_(CONVK_SET_(part->axis[2][d]), sum[2])));
    }
    CONVK_STORE_(w + 7 * part->apart, sum[3]);
  }
}

static void convk_oncell_weigh_(const convk_oncell_weights_ *part) {
  size_t o;
  for (o = 0; o < part->count; o += CONVK_LANES) {
    if (part->sets == 1) convk_oncell_weigh_vector_(part, o, 1);
    else if (part->sets == 2) convk_oncell_weigh_vector_(part, o, 2);
    else convk_oncell_weigh_vector_(part, o, 4);
  }
  CONVK_LEAVE_
}

static void convk_oncell_interleave_(const convk_oncell_pairs_ *part) {
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
#endif
