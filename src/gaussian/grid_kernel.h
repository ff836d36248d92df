#if CONVK_IS_KERNEL_ && CONVK_HAS_GAUSSIAN_
/* ---- Gaussians on regular grids ---- */

/* Weights of the tables x^0 .. x^l of one entry, in rows at w.  ez: the largest exponential along x times that along z: a row
   of the tile whose product with it is below the cutoff counts as nothing. */
CONVK_INLINE_ void convk_ongrid_weights_of_(const convk_ongrid_weights_ *part, const convk_ongrid_entry_ *e, const CONVK_T *z,
                                            CONVK_T ez, CONVK_T *w, const int l, const int kinds) {
  const convk_any_ *t = part->terms + e->terms;
  const CONVK_V cut = CONVK_SET_(part->cut), faint = CONVK_SET_(ez), zero = CONVK_SET_(0);
  const int most = CONVK_SHELL_MAX_L; /* bounds that are known, so that all loops can be unrolled */
  CONVK_V v[3][CONVK_SHELL_MAX_L + 1];
  size_t r;
  int i, b, c, k;
  CONVK_UNROLL_
  for (i = 0; i <= most; i++, w += CONVK_ONGRID_WIDE_) {
    if (i > l) continue;
    CONVK_UNROLL_
    for (b = 0; b <= most; b++) {
      for (k = 0; k < 3; k++) v[k][b] = zero;
      CONVK_UNROLL_
      for (c = 0; c <= most; c++) {
        const CONVK_T *at = z + (size_t)c * e->z_count;
        CONVK_V term;
        if (c > l - i - b) continue;
        term = CONVK_SET_(*t++);
        v[0][b] = CONVK_FMA_(term, CONVK_SET_(at[0]), v[0][b]);
        if (kinds > 1) v[1][b] = CONVK_FMA_(term, CONVK_SET_(at[e->z_apart]), v[1][b]);
        if (kinds > 3) v[2][b] = CONVK_FMA_(term, CONVK_SET_(at[2 * e->z_apart]), v[2][b]);
      }
    }
    for (r = 0; r < part->rows; r += CONVK_LANES) {
      const CONVK_V size = CONVK_MUL_(CONVK_LOAD_(e->y + r), faint);
      CONVK_V sum[4];
      for (k = 0; k < kinds; k++) sum[k] = zero;
      CONVK_UNROLL_
      for (b = 0; b <= most; b++) {
        const CONVK_T *at = e->y + (size_t)b * CONVK_ONGRID_WIDE_ + r;
        CONVK_V y;
        if (b > l - i) continue;
        y = CONVK_LOAD_(at);
        sum[0] = CONVK_FMA_(v[0][b], y, sum[0]);
        if (kinds > 1) sum[1] = CONVK_FMA_(v[0][b], CONVK_LOAD_(at + e->y_apart), sum[1]);
        if (kinds > 1) sum[2] = CONVK_FMA_(v[1][b], y, sum[2]);
        if (kinds > 3) sum[3] = CONVK_FMA_(v[0][b], CONVK_LOAD_(at + 2 * e->y_apart), CONVK_FMA_(v[2][b], y, sum[3]));
      }
      for (k = 0; k < kinds; k++) CONVK_STORE_(w + (size_t)k * part->apart + r, CONVK_LESS_(size, cut, zero, sum[k]));
    }
  }
}

/* Returns how many tables have weights that are not all 0. */
static size_t convk_ongrid_weigh_(const convk_ongrid_weights_ *part) {
  size_t i, k, q = 0;
  for (i = 0; i < part->count; i++) {
    const convk_ongrid_entry_ *const e = &part->entry[i];
    const size_t at = part->plane - e->z_low;
    const CONVK_T *const z = e->z + at;
    CONVK_T *const w = part->w + q * CONVK_ONGRID_WIDE_;
    CONVK_T ez;
    if (at >= e->z_count) continue;
    ez = z[0] * e->ex;
    if (e->ey * ez < part->cut) continue;
    if (part->kinds > 1) convk_ongrid_weights_of_(part, e, z, ez, w, (int)e->l, 4);
    else if (e->l == 0) convk_ongrid_weights_of_(part, e, z, ez, w, 0, 1);
    else if (e->l == 1) convk_ongrid_weights_of_(part, e, z, ez, w, 1, 1);
    else convk_ongrid_weights_of_(part, e, z, ez, w, (int)e->l, 1);
    for (k = 0; k <= e->l; k++) part->place[q++] = (unsigned)(e->x + k);
  }
  CONVK_LEAVE_
  return q;
}

/* Rows r .. r + rows - 1 of vectors i .., of which the last has k elements; x: where they begin in the panels. */
CONVK_INLINE_ void convk_ongrid_tile_(const convk_ongrid_product_ *part, size_t r, size_t i, size_t x, size_t k, const int rows,
                                      const int vectors) {
  CONVK_T *const out = part->out + r * part->pitch + i;
  CONVK_V sum[24], v[4];
  size_t q;
  int p, u, half;
  CONVK_UNROLL_
  for (p = 0; p < rows * vectors; p++) sum[p] = CONVK_SET_(0);
  for (half = 0; half < part->parts; half++) {
    const convk_any_ *w = part->w[half] + r;
    const CONVK_T *const panel = part->panel[half] + x;
    for (q = 0; q < part->count; q++, w += CONVK_ONGRID_WIDE_) {
      const CONVK_T *at = panel + (size_t)part->place[q] * CONVK_ONGRID_STRIP_;
      CONVK_UNROLL_
      for (u = 0; u < vectors; u++) v[u] = CONVK_LOAD_(at + u * CONVK_LANES);
      CONVK_UNROLL_
      for (p = 0; p < rows; p++) {
        const CONVK_V weight = CONVK_SET_(w[p]);
        CONVK_UNROLL_
        for (u = 0; u < vectors; u++) sum[p * vectors + u] = CONVK_FMA_(weight, v[u], sum[p * vectors + u]);
      }
    }
  }
  CONVK_UNROLL_
  for (p = 0; p < rows * vectors; p++) {
    CONVK_T *to = out + (size_t)(p / vectors) * part->pitch + (size_t)(p % vectors) * CONVK_LANES;
    if (k < CONVK_LANES) CONVK_STOREK_(to, sum[p], k);
    else if (part->stream && i >= part->head) CONVK_STREAM_(to, sum[p]);
    else CONVK_STORE_(to, sum[p]);
  }
}

/* `rows` rows of one strip of n elements. */
CONVK_INLINE_ void convk_ongrid_rows_(const convk_ongrid_product_ *part, size_t r, size_t i, size_t x, size_t n,
                                      const int rows) {
  enum { HALF = CONVK_ONGRID_VECTORS_ / 2 };
  size_t k = 0;
  if (n == CONVK_ONGRID_STRIP_) {
    convk_ongrid_tile_(part, r, i, x, CONVK_LANES, rows, CONVK_ONGRID_VECTORS_);
    return;
  }
  for (; k + HALF * CONVK_LANES <= n; k += HALF * CONVK_LANES)
    convk_ongrid_tile_(part, r, i + k, x + k, CONVK_LANES, rows, HALF);
  for (; k < n; k += CONVK_LANES) convk_ongrid_tile_(part, r, i + k, x + k, n - k < CONVK_LANES ? n - k : CONVK_LANES, rows, 1);
}

static void convk_ongrid_multiply_(const convk_ongrid_product_ *part) {
  size_t i, r, x = 0, n;
  for (i = 0; i < part->n; i += n, x += part->total * CONVK_ONGRID_STRIP_) {
    n = i || !part->head ? CONVK_ONGRID_STRIP_ : part->head;
    if (n > part->n - i) n = part->n - i;
    for (r = 0; r + 6 <= part->rows; r += 6) convk_ongrid_rows_(part, r, i, x, n, 6);
    if (r + 4 <= part->rows) {
      convk_ongrid_rows_(part, r, i, x, n, 4);
      r += 4;
    }
    for (; r < part->rows; r++) convk_ongrid_rows_(part, r, i, x, n, 1);
  }
  CONVK_LEAVE_
}

/* One vector of k elements. */
CONVK_INLINE_ void convk_ongrid_square_(const convk_ongrid_squares_ *part, const CONVK_T *from, size_t at, size_t k) {
  const CONVK_V weight = CONVK_SET_(part->weight), zero = CONVK_SET_(0);
  const CONVK_V value = CONVK_LOAD_(from);
  CONVK_V sum[5];
  int d;
  CONVK_EACH_(d, 5) {
    sum[d] = zero;
    if (part->out[d] && !part->first)
      sum[d] = k < CONVK_LANES ? CONVK_LOADK_(part->out[d] + at, k) : CONVK_LOAD_(part->out[d] + at);
  }
  sum[0] = convk_gaussian_add_square_(weight, value, sum[0]);
  if (part->apart) {
    const CONVK_V half = CONVK_SET_((CONVK_T)0.5), twice = CONVK_MUL_(CONVK_ADD_(weight, weight), convk_gaussian_large_(value));
    CONVK_V squares = zero;
    CONVK_EACH_(d, 3) {
      convk_ongrid_add_slope_(twice, CONVK_LOAD_(from + (size_t)(d + 1) * part->apart), &sum[d + 1], &squares);
    }
    sum[4] = CONVK_FMA_(CONVK_MUL_(half, weight), squares, sum[4]);
  }
  CONVK_EACH_(d, 5) {
    if (!part->out[d]) continue;
    if (k < CONVK_LANES) CONVK_STOREK_(part->out[d] + at, sum[d], k);
    else CONVK_STORE_(part->out[d] + at, sum[d]);
  }
}

static void convk_ongrid_add_squares_(const convk_ongrid_squares_ *part) {
  size_t i, r;
  for (r = 0; r < part->rows; r++)
    for (i = 0; i < part->n; i += CONVK_LANES)
      convk_ongrid_square_(part, part->value + r * part->from_pitch + i, r * part->pitch + i,
                           part->n - i < CONVK_LANES ? part->n - i : CONVK_LANES);
  CONVK_LEAVE_
}
#endif
