/* ---- amplitudes: kernels ---- */

/* The sums of a list for so many vectors of q, real or with complex q_z. */
CONVK_INLINE_ void convk_amplitudes_list_of_(const convk_amplitudes_part_ *p, size_t i, const int vectors_, const int imag) {
  CONVK_V turns[2][3], decay[2], re[2], im[2], damped[2];
  size_t t;
  int v, d;
  CONVK_EACH_(v, vectors_) {
    CONVK_EACH_(d, 3) turns[v][d] = CONVK_LOAD_(p->turns[d] + i + (size_t)v * CONVK_LANES);
    if (imag) decay[v] = CONVK_LOAD_(p->decay + i + (size_t)v * CONVK_LANES);
    re[v] = im[v] = damped[v] = CONVK_SET_(0);
  }
  for (t = 0; t < p->n; t++) {
    const CONVK_V z = CONVK_SET_(p->at[2][t]);
    CONVK_V w[2];
    CONVK_EACH_(v, vectors_) w[v] = CONVK_SET_(p->weight[t]);
    if (imag) {
      convk_amplitudes_damped_(decay, z, w[0], w, vectors_);
      CONVK_EACH_(v, vectors_) damped[v] = CONVK_ADD_(damped[v], w[v]);
    }
    convk_amplitudes_atom_(turns, CONVK_SET_(p->at[0][t]), CONVK_SET_(p->at[1][t]), z, w, re, im, vectors_);
  }
  CONVK_EACH_(v, vectors_) {
    CONVK_STORE_(p->re + i + (size_t)v * CONVK_LANES, re[v]);
    CONVK_STORE_(p->im + i + (size_t)v * CONVK_LANES, im[v]);
    if (imag) CONVK_STORE_(p->damped + i + (size_t)v * CONVK_LANES, damped[v]);
  }
}

static void convk_amplitudes_list_(const convk_amplitudes_part_ *p) {
  enum { vectors_ = !CONVK_TERSE_ && CONVK_REGISTERS_ > 16 ? 2 : 1 };
  size_t i;
  for (i = 0; i < p->nq; i += vectors_ * CONVK_LANES)
    if (p->decay) convk_amplitudes_list_of_(p, i, vectors_, 1);
    else convk_amplitudes_list_of_(p, i, vectors_, 0);
  CONVK_LEAVE_
}

/* Phases of the lanes, for a block of atoms. */
static void convk_amplitudes_lanes_(const CONVK_T *at, size_t n, const CONVK_T *turns, const CONVK_T *rest, size_t lanes,
                                    CONVK_T *phase) {
  size_t i, t;
  for (i = 0; i < lanes; i += CONVK_LANES) {
    const CONVK_V q = CONVK_LOAD_(turns + i), left = CONVK_LOAD_(rest + i);
    CONVK_T *to = phase + 2 * CONVK_AMPLITUDES_BLOCK_ * i;
    for (t = 0; t < n; t++, to += 2 * CONVK_LANES) {
      CONVK_V c, s;
      convk_amplitudes_phase_(q, left, CONVK_SET_(at[t]), &c, &s);
      CONVK_STORE_(to, c);
      CONVK_STORE_(to + CONVK_LANES, s);
    }
  }
  CONVK_LEAVE_
}

/* Phases of one value of q of the rows: cosines of a block of atoms, then sines, times a weight of each. */
static void convk_amplitudes_row_(const CONVK_T *at, const CONVK_T *weight, size_t n, CONVK_T turns, CONVK_T rest,
                                  CONVK_T *phase) {
  size_t t;
  for (t = 0; t < n; t += CONVK_LANES) {
    const CONVK_V w = CONVK_LOAD_(weight + t);
    CONVK_V c, s;
    convk_amplitudes_phase_(CONVK_SET_(turns), CONVK_SET_(rest), CONVK_LOAD_(at + t), &c, &s);
    CONVK_STORE_(phase + t, CONVK_MUL_(w, c));
    CONVK_STORE_(phase + CONVK_AMPLITUDES_BLOCK_ + t, CONVK_MUL_(w, s));
  }
  CONVK_LEAVE_
}

/* The factors of a pair. */
CONVK_INLINE_ void convk_amplitudes_factors_(const convk_amplitudes_rows_ *p, size_t pair) {
  const size_t block = CONVK_AMPLITUDES_BLOCK_;
  const CONVK_T *const e = p->row_phase[pair][0], *const f = p->row_phase[pair][1];
  CONVK_T *to = p->factors + (p->octant ? 4 : 2) * block * pair;
  size_t t;
  for (t = 0; t < p->n; t += CONVK_LANES, to += CONVK_LANES) {
    const CONVK_V ec = CONVK_LOAD_(e + t), es = CONVK_LOAD_(e + block + t);
    const CONVK_V fc = CONVK_LOAD_(f + t), fs = CONVK_LOAD_(f + block + t);
    CONVK_V factor[4];
    int r;
    if (p->octant) {
      convk_amplitudes_octants_(ec, es, fc, fs, factor);
      CONVK_EACH_(r, 4) CONVK_STORE_(to + (size_t)r * block, factor[r]);
    } else {
      convk_amplitudes_pair_(ec, es, fc, fs, factor);
      CONVK_EACH_(r, 2) CONVK_STORE_(to + (size_t)r * block, factor[r]);
    }
  }
}

/* The product for so many factors, from number `row` on, and the vector of lanes from i on. */
CONVK_INLINE_ void convk_amplitudes_product_(const convk_amplitudes_rows_ *p, size_t row, size_t i, const int rows_) {
  const CONVK_T *phase = p->phase + 2 * CONVK_AMPLITUDES_BLOCK_ * i, *factor = p->factors + CONVK_AMPLITUDES_BLOCK_ * row;
  CONVK_V sum[2][12];
  size_t t, h;
  int r, d;
  CONVK_EACH_(r, rows_) sum[0][r] = sum[1][r] = CONVK_SET_(0);
  for (t = 0; t < p->n; t++, factor++, phase += 2 * CONVK_LANES) {
    const CONVK_V c = CONVK_LOAD_(phase), s = CONVK_LOAD_(phase + CONVK_LANES);
    CONVK_EACH_(r, rows_) {
      const CONVK_V f = CONVK_SET_(factor[r * (int)CONVK_AMPLITUDES_BLOCK_]);
      sum[0][r] = CONVK_FMA_(f, c, sum[0][r]);
      sum[1][r] = CONVK_FMA_(f, s, sum[1][r]);
    }
  }
  CONVK_EACH_(r, rows_)
    CONVK_EACH_(d, 2)
      for (h = 0; h < CONVK_LANES / CONVK_DLANES_; h++) {
        double *const to = p->sum + (2 * (row + (size_t)r) + (size_t)d) * p->pitch + i + h * CONVK_DLANES_;
        CONVK_DSTORE_(to, CONVK_DADD_(CONVK_DLOAD_(to), CONVK_DPART_(sum[d][r], h)));
      }
}

static void convk_amplitudes_rows_of_(const convk_amplitudes_rows_ *p) {
  enum { rows_ = CONVK_TERSE_ ? 2 : CONVK_REGISTERS_ > 16 ? 12 : 6 };
  const size_t rows = (p->octant ? 4 : 2) * p->pairs;
  size_t i, r;
  for (r = 0; r < p->pairs; r++) convk_amplitudes_factors_(p, r);
  for (i = 0; i < p->lanes; i += CONVK_LANES) { /* whose phases stay near while all factors go by */
    for (r = 0; r + rows_ <= rows; r += rows_) convk_amplitudes_product_(p, r, i, rows_);
    for (; r < rows; r += 2) convk_amplitudes_product_(p, r, i, 2);
  }
  CONVK_LEAVE_
}

CONVK_LOCAL_ const convk_amplitudes_kernels_ *convk_amplitudes_kernel_table_(void) {
  static const convk_amplitudes_kernels_ kernels = {convk_amplitudes_list_, convk_amplitudes_lanes_, convk_amplitudes_row_,
                                                    convk_amplitudes_rows_of_, NULL};
  return &kernels;
}
