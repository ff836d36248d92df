enum { convk_pairs_group_ = 2 }; /* vectors side by side, where each is one long chain */

/* V of some vectors of pairs, from r^2 and 1 / r: powers, and within near_by more; 0 for 1 / r = 0 and r^2 = near_by. */
CONVK_INLINE_ void convk_pairs_near_of_(const convk_pairs_terms_ *c, const CONVK_V *r2, const CONVK_V *t, CONVK_V *v,
                                        const int group_) {
  const CONVK_V zero = CONVK_SET_(0), one = CONVK_SET_(1), near_by = CONVK_SET_(c->near_by);
  CONVK_V e[2 * convk_pairs_group_], r[convk_pairs_group_];
  int g, k;
  CONVK_EACH_(g, group_) r[g] = CONVK_MUL_(r2[g], t[g]);
  if (c->kind == CONVK_POTENTIAL_TABLE) {
    CONVK_T at[convk_pairs_group_ * CONVK_LANES];
    for (g = 0; g < group_; g++) CONVK_STORE_(at + g * CONVK_LANES, r[g]);
    CONVK_LEAVE_
    for (k = 0; k < group_ * CONVK_LANES; k++)
      at[k] = (CONVK_T)convk_pairs_table_(c->values, c->entries, c->first, c->per_spacing, (double)at[k]);
    for (g = 0; g < group_; g++) { /* beyond: 0, but of a NaN NaN */
      const CONVK_V beyond = CONVK_MIN_(near_by, r2[g]);
      v[g] = CONVK_LESS_(r2[g], near_by, CONVK_LOAD_(at + g * CONVK_LANES), CONVK_SUB_(beyond, beyond));
    }
    return;
  }
  CONVK_EACH_(g, group_) {
    const CONVK_V x = CONVK_MUL_(r[g], CONVK_SET_(c->per_rm)), y = CONVK_FMS_(CONVK_SET_(c->d), t[g], one);
    e[2 * g] = CONVK_MUL_(x, CONVK_FMA_(x, CONVK_SET_(c->beta), CONVK_SET_(-c->alpha)));
    e[2 * g + 1] = CONVK_LESS_(zero, y, CONVK_MUL_(y, CONVK_SUB_(zero, y)), zero);
  }
  convk_vexp_of_(e, 2 * group_);
  CONVK_EACH_(g, group_) {
    const CONVK_V s = CONVK_MUL_(t[g], t[g]), powers = CONVK_MUL_(CONVK_MUL_(CONVK_MUL_(s, s), s), convk_pairs_powers_(c, s));
    CONVK_V sum = CONVK_FMA_(powers, e[2 * g + 1], CONVK_MUL_(CONVK_SET_(c->a), e[2 * g]));
    if (c->bump) {
      const CONVK_V from = CONVK_FMS_(r[g], CONVK_SET_(c->per_rm), CONVK_SET_(c->bump_middle));
      sum = convk_pairs_bump_(c, CONVK_MUL_(from, CONVK_SET_(c->bump_scale)), sum);
    }
    v[g] = CONVK_LESS_(r2[g], near_by, sum, powers);
  }
}
CONVK_RARE_ void convk_pairs_near_(const convk_pairs_terms_ *c, const CONVK_V *r2, const CONVK_V *t, CONVK_V *v) {
  convk_pairs_near_of_(c, r2, t, v, convk_pairs_group_);
}

/* One vector of pairs: r^2 of their differences, of nearest images in a box, and t = 1 / r; 1 and 0 beyond the limit. */
CONVK_INLINE_ CONVK_V convk_pairs_distance_(const convk_pairs_terms_ *c, CONVK_V *d, CONVK_V limit, const int masked,
                                            CONVK_V *t) {
  CONVK_V r2;
  if (masked && c->periodic) convk_pairs_image_(c, d);
  r2 = CONVK_MAX_(CONVK_SET_((CONVK_T)CONVK_PAIRS_LEAST_), convk_pairs_norm_(d));
  *t = convk_pairs_rsqrt_(r2);
  if (masked) *t = CONVK_LESS_(r2, limit, *t, CONVK_SET_(0));
  return masked ? CONVK_LESS_(r2, limit, r2, CONVK_SET_(1)) : r2;
}

/* What they add to sums, and w = u' / r.  V comes last: where registers run out, gcc keeps the last sum in memory, and the
   callers that take the most time do not sum V here. */
CONVK_INLINE_ CONVK_V convk_pairs_step_(const convk_pairs_terms_ *c, CONVK_V r2, CONVK_V t, const int want, CONVK_V *sum,
                                        CONVK_V *product) {
  const CONVK_V w = convk_pairs_trial_(c, r2, t, want, sum, product);
  if (want & CONVK_PAIR_POTENTIAL_ENERGY) {
    const CONVK_V s = CONVK_MUL_(t, t), s3 = CONVK_MUL_(CONVK_MUL_(s, s), s);
    const CONVK_V v = CONVK_LESS_(r2, CONVK_SET_(c->near_by), CONVK_SET_(0), convk_pairs_powers_(c, s));
    sum[6] = CONVK_FMA_(s3, v, sum[6]);
  }
  return w;
}

/* Puts the exponent of a product aside, so that it does not overflow. */
CONVK_INLINE_ CONVK_V convk_pairs_mantissa_(CONVK_V product, CONVK_V *exponent) {
  *exponent = CONVK_IADD_(*exponent, CONVK_SHR_(product, CONVK_EITHER_(23, 52)));
  return CONVK_OR_(CONVK_AND_(product, CONVK_BITS_OF_(0x007fffff, 0x000fffffffffffff)), CONVK_SET_(1));
}

/* The sums of lanes, [3][CONVK_PAIRS_BLOCK_][CONVK_LANES], of so many rows. */
CONVK_RARE_ void convk_pairs_gather_(CONVK_T *lanes, size_t rows, CONVK_T *to) {
  CONVK_V v[CONVK_LANES];
  size_t d, i;
  int k;
  for (d = 0; d < 3; d++, lanes += CONVK_PAIRS_BLOCK_ * CONVK_LANES)
    for (i = 0; i < rows; i += CONVK_LANES) {
      CONVK_EACH_(k, CONVK_LANES)
        v[k] = i + (size_t)k < rows ? CONVK_LOAD_(lanes + (i + (size_t)k) * CONVK_LANES) : CONVK_SET_(0);
      CONVK_TRANSPOSE_(v);
      CONVK_UNROLL_
      for (k = CONVK_LANES - 1; k > 0; k--) v[CONVK_PAIRS_ONTO_(k)] = CONVK_ADD_(v[CONVK_PAIRS_ONTO_(k)], v[k]);
      CONVK_STORE_(to + d * CONVK_PAIRS_BLOCK_ + i, v[0]);
    }
}

/* Adds sums of the type to doubles, and clears them. */
CONVK_INLINE_ void convk_pairs_flush_(CONVK_T *sum, double *to, const size_t count) {
  size_t k, h;
  for (k = 0; k < count; k += CONVK_LANES) {
    const CONVK_V v = CONVK_LOAD_(sum + k);
    CONVK_EACH_(h, CONVK_LANES / CONVK_DLANES_) {
      double *p = to + k + h * CONVK_DLANES_;
      CONVK_DSTORE_(p, CONVK_DADD_(CONVK_DLOAD_(p), CONVK_DPART_(v, h)));
    }
    CONVK_STORE_(sum + k, CONVK_SET_(0));
  }
}

/* Sums of nothing, and a product of nothing. */
CONVK_INLINE_ void convk_pairs_clear_(convk_pairs_lanes_ *p) {
  size_t k;
  for (k = 0; k < CONVK_PAIRS_SUMS_ * CONVK_PAIRS_LANES_; k += CONVK_LANES) CONVK_STORE_(p->sum + k, CONVK_SET_(0));
  for (k = 0; k < CONVK_PAIRS_LANES_; k += CONVK_LANES) {
    CONVK_STORE_(p->product + k, CONVK_SET_(1));
    CONVK_STORE_(p->exponent + k, CONVK_SET_(0));
  }
  p->count = 0;
}

/* Sums and products of one vector of lanes, out of memory and back. */
CONVK_INLINE_ void convk_pairs_take_(const convk_pairs_lanes_ *p, size_t lane, CONVK_V *s, CONVK_V *part, CONVK_V *more) {
  size_t k;
  *part = CONVK_LOAD_(p->product + lane);
  *more = CONVK_LOAD_(p->exponent + lane);
  CONVK_EACH_(k, CONVK_PAIRS_SUMS_ - 1) s[k] = CONVK_LOAD_(p->sum + k * CONVK_PAIRS_LANES_ + lane);
}
CONVK_INLINE_ void convk_pairs_keep_(convk_pairs_lanes_ *p, size_t lane, const CONVK_V *s, CONVK_V part, CONVK_V more) {
  size_t k;
  CONVK_STORE_(p->product + lane, part);
  CONVK_STORE_(p->exponent + lane, more);
  CONVK_EACH_(k, CONVK_PAIRS_SUMS_ - 1) CONVK_STORE_(p->sum + k * CONVK_PAIRS_LANES_ + lane, s[k]);
}

/* The potential of pairs in a list, of `count` r^2 and, if there, 1 / r (0: no pair); without them only of near ones.  Arrays
   have room for 2 sets of lanes more. */
CONVK_RARE_ void convk_pairs_wait_(const convk_pairs_terms_ *c, CONVK_T *squares, const CONVK_T *inverses, size_t count,
                                   double *sum) {
  enum { group_ = convk_pairs_group_, sets_ = 2 * (int)CONVK_PAIRS_LANES_ };
  const CONVK_V near_by = CONVK_SET_(c->near_by), zero = CONVK_SET_(0);
  CONVK_PAIRS_ALIGNED_ CONVK_T part[sets_];
  size_t i, j;
  int g;
  for (j = 0; j < sets_; j += CONVK_LANES) {
    CONVK_STORE_(part + j, zero);
    if (!inverses) CONVK_STORE_(squares + count + j, near_by);
  }
  for (i = 0; i < count; i += sets_)
    for (j = 0; j < sets_; j += group_ * CONVK_LANES) {
      CONVK_V r2[group_], t[group_], v[group_];
      CONVK_EACH_(g, group_) {
        const size_t at = i + j + (size_t)g * CONVK_LANES;
        r2[g] = CONVK_LOAD_(squares + at);
        t[g] = inverses ? CONVK_LOAD_(inverses + at) : CONVK_LESS_(r2[g], near_by, convk_pairs_rsqrt_(r2[g]), zero);
        if (inverses) r2[g] = CONVK_LESS_(zero, t[g], r2[g], near_by);
      }
      convk_pairs_near_(c, r2, t, v);
      CONVK_EACH_(g, group_) {
        CONVK_T *to = part + j + (size_t)g * CONVK_LANES;
        CONVK_STORE_(to, CONVK_ADD_(CONVK_LOAD_(to), v[g]));
      }
    }
  for (i = 0; i < sets_; i += CONVK_PAIRS_LANES_) convk_pairs_flush_(part + i, sum, CONVK_PAIRS_LANES_);
}

enum {
  convk_pairs_wide_ = CONVK_FUSES_, /* texts of their own where speed is looked for; they take time to compile */
  convk_pairs_parts_ = CONVK_PAIRS_LANES_ / CONVK_LANES,             /* vectors of a set of lanes */
  convk_pairs_chunk_ = CONVK_EITHER_(4, 8) * (int)CONVK_PAIRS_LANES_ /* columns whose product of r^2 fits the type */
};

/* How many of n pairs, whole sets of lanes, count: apart, since a sum more is one too many for 16 registers. */
CONVK_RARE_ void convk_pairs_count_(const CONVK_T *inverses, size_t n, CONVK_T *sum) {
  const CONVK_V zero = CONVK_SET_(0), one = CONVK_SET_(1);
  size_t lane, j;
  for (lane = 0; lane < CONVK_PAIRS_LANES_; lane += CONVK_LANES) {
    CONVK_V count = CONVK_LOAD_(sum + lane);
    for (j = lane; j < n; j += CONVK_PAIRS_LANES_)
      count = CONVK_ADD_(count, CONVK_LESS_(zero, CONVK_LOAD_(inverses + j), one, zero));
    CONVK_STORE_(sum + lane, count);
  }
}

/* The terms of n pairs, whole sets of lanes: sums, and u' / r of each. */
CONVK_INLINE_ void convk_pairs_sum_(const convk_pairs_terms_ *c, const CONVK_T *squares, const CONVK_T *inverses,
                                    CONVK_T *weights, size_t n, int want, convk_pairs_lanes_ *p) {
  enum { lanes_ = CONVK_PAIRS_LANES_, parts_ = convk_pairs_parts_, chunk_ = convk_pairs_chunk_ };
  double count = p->count;
  size_t j, end;
  int v;
  if (c->counts) convk_pairs_count_(inverses, n, p->sum + 7 * lanes_);
  for (v = 0; v < parts_; v++) {
    const size_t lane = (size_t)v * CONVK_LANES;
    CONVK_V s[CONVK_PAIRS_SUMS_], part, more;
    convk_pairs_take_(p, lane, s, &part, &more);
    for (j = 0; j < n; j = end) {
      const size_t stop = j + chunk_ < n ? j + chunk_ : n;
      for (end = j; end < stop; end += lanes_) {
        const CONVK_V t = CONVK_LOAD_(inverses + end + lane);
        const CONVK_V w = convk_pairs_step_(c, CONVK_LOAD_(squares + end + lane), t, want, s, &part);
        if (want & CONVK_PAIR_GRADIENT) CONVK_STORE_(weights + end + lane, w);
      }
      if (want & CONVK_PAIR_LN_PSI) part = convk_pairs_mantissa_(part, &more);
      count += !v;
    }
    convk_pairs_keep_(p, lane, s, part, more);
  }
  p->count = count;
}

/* r^2 and 1 / r of a row and all columns; bits tell which of them are near.  masked: not all of them count. */
CONVK_INLINE_ uint64_t convk_pairs_distances_(const convk_pairs_terms_ *c, const convk_pairs_tile_ *p, const CONVK_V *at,
                                              size_t n, const int masked, const int want, CONVK_T *squares, CONVK_T *inverses) {
  const CONVK_V near_by = CONVK_SET_(c->near_by), zero = CONVK_SET_(0);
  uint64_t near_ones = 0;
  size_t j;
  int k;
  for (j = 0; j < n; j += CONVK_LANES) {
    const CONVK_V limit = masked ? CONVK_LOAD_(p->limit + j) : zero;
    CONVK_V d[3], r2, t;
    CONVK_EACH_(k, 3) d[k] = CONVK_SUB_(at[k], CONVK_LOAD_(p->columns + j + k * CONVK_PAIRS_BLOCK_));
    r2 = convk_pairs_distance_(c, d, limit, masked, &t);
    CONVK_STORE_(squares + j, r2);
    CONVK_STORE_(inverses + j, t);
    if (want & CONVK_PAIR_POTENTIAL_ENERGY)
      near_ones |= (uint64_t)CONVK_WHICH_LESS_(r2, masked ? CONVK_LESS_(zero, t, near_by, zero) : near_by) << j;
  }
  return near_ones;
}

/* The gradients g of a row, and what columns have of it, by their weights w = u' / r. */
CONVK_INLINE_ void convk_pairs_pull_(const convk_pairs_terms_ *c, const CONVK_V *at, CONVK_V w, const CONVK_T *x, CONVK_T *to,
                                     const int masked, CONVK_V *g) {
  CONVK_V d[3];
  int k;
  CONVK_EACH_(k, 3) d[k] = CONVK_SUB_(at[k], CONVK_LOAD_(x + k * CONVK_PAIRS_BLOCK_));
  if (masked && c->periodic) convk_pairs_image_(c, d);
  CONVK_EACH_(k, 3) {
    g[k] = CONVK_FMA_(w, d[k], g[k]);
    CONVK_STORE_(to + k * CONVK_PAIRS_BLOCK_, CONVK_FNMA_(w, d[k], CONVK_LOAD_(to + k * CONVK_PAIRS_BLOCK_)));
  }
}

/* Two blocks, row after row: first all distances of a row, then its terms, since both in one loop make chains too long for a
   processor to see the next ones (1.7 times as long).  Columns go in interleaved lanes. */
CONVK_INLINE_ void convk_pairs_tile_of_(const convk_pairs_terms_ *c, const convk_pairs_tile_ *p, const int masked,
                                        const int want) {
  enum { lanes_ = CONVK_PAIRS_LANES_, parts_ = convk_pairs_parts_, chunk_ = convk_pairs_chunk_, block_ = CONVK_PAIRS_BLOCK_ };
  const size_t ncolumns = convk_round_up_(p->ncolumns, lanes_);
  CONVK_PAIRS_ALIGNED_ convk_pairs_lanes_ sums;
  CONVK_PAIRS_ALIGNED_ CONVK_T squares[block_];
  CONVK_PAIRS_ALIGNED_ CONVK_T inverses[block_];
  CONVK_PAIRS_ALIGNED_ CONVK_T lanes[3][block_ * CONVK_LANES];
  CONVK_PAIRS_ALIGNED_ CONVK_T queue[5 * block_ + 2 * lanes_];
  double count = 0;
  size_t i, j, end, waiting = 0;
  int k, v;
  convk_pairs_clear_(&sums);
  for (j = 0; (want & CONVK_PAIR_GRADIENT) && j < ncolumns; j += CONVK_LANES)
    for (k = 0; k < 3; k++) CONVK_STORE_(p->column_gradient + (size_t)k * block_ + j, CONVK_SET_(0));
  for (i = 0; i < p->nrows; i++) {
    const CONVK_V at[3] = {CONVK_SET_(p->rows[i]), CONVK_SET_(p->rows[block_ + i]), CONVK_SET_(p->rows[2 * block_ + i])};
    uint64_t near_ones = convk_pairs_distances_(c, p, at, ncolumns, masked, want, squares, inverses);
    CONVK_V g[convk_pairs_parts_][3];
    if (masked && c->counts) convk_pairs_count_(inverses, ncolumns, sums.sum + 7 * lanes_);
    for (v = 0; v < parts_; v++) {
      const size_t lane = (size_t)v * CONVK_LANES;
      CONVK_V s[CONVK_PAIRS_SUMS_], part, more;
      convk_pairs_take_(&sums, lane, s, &part, &more);
      CONVK_EACH_(k, 3) g[v][k] = CONVK_SET_(0);
      for (j = 0; j < ncolumns; j = end) {
        const size_t stop = j + chunk_ < ncolumns ? j + chunk_ : ncolumns;
        for (end = j; end < stop; end += lanes_) {
          const CONVK_V t = CONVK_LOAD_(inverses + end + lane);
          const CONVK_V w = convk_pairs_step_(c, CONVK_LOAD_(squares + end + lane), t, want, s, &part);
          if (want & CONVK_PAIR_GRADIENT)
            convk_pairs_pull_(c, at, w, p->columns + end + lane, p->column_gradient + end + lane, masked, g[v]);
        }
        if (want & CONVK_PAIR_LN_PSI) part = convk_pairs_mantissa_(part, &more);
        count += !v;
      }
      convk_pairs_keep_(&sums, lane, s, part, more);
    }
    if (want & CONVK_PAIR_GRADIENT) {
      CONVK_UNROLL_
      for (v = parts_ - 1; v > 0; v--) {
        CONVK_EACH_(k, 3) g[CONVK_PAIRS_ONTO_(v)][k] = CONVK_ADD_(g[CONVK_PAIRS_ONTO_(v)][k], g[v][k]);
      }
      CONVK_EACH_(k, 3) CONVK_STORE_(lanes[k] + i * CONVK_LANES, g[0][k]);
    }
    for (; near_ones; near_ones &= near_ones - 1) queue[waiting++] = squares[CONVK_LOWEST_(near_ones)];
    if (waiting >= 4 * block_) {
      convk_pairs_wait_(c, queue, NULL, waiting, p->sum + 6 * lanes_);
      waiting = 0;
    }
    if (sizeof(CONVK_T) == sizeof(float) && i % 8 == 7) convk_pairs_flush_(sums.sum, p->sum, CONVK_PAIRS_SUMS_ * lanes_);
  }
  if (waiting) convk_pairs_wait_(c, queue, NULL, waiting, p->sum + 6 * lanes_);
  convk_pairs_flush_(sums.sum, p->sum, CONVK_PAIRS_SUMS_ * lanes_);
  if (want & CONVK_PAIR_GRADIENT) convk_pairs_gather_(&lanes[0][0], p->nrows, p->row_gradient);
  CONVK_LEAVE_ /* before what was compiled for any processor: it would wait for the upper halves of registers */
  if (want & CONVK_PAIR_LN_PSI) convk_pairs_product_(sums.product, sums.exponent, count, 1, p->product);
}

enum { convk_pairs_list_room_ = 512 }; /* pairs of a list: its arrays stay in the first cache */

/* Whether so many of a list are near that V of all costs less than to pick them: 5/8, set by hand and not fitted. */
CONVK_INLINE_ int convk_pairs_dense_(const convk_pairs_terms_ *c, const CONVK_T *squares, size_t count) {
  const CONVK_V near_by = CONVK_SET_(c->near_by), zero = CONVK_SET_(0), one = CONVK_SET_(1);
  CONVK_T lanes[CONVK_LANES], near_ones = 0;
  CONVK_V several = zero;
  size_t j;
  for (j = 0; j < count; j += CONVK_LANES)
    several = CONVK_ADD_(several, CONVK_LESS_(CONVK_LOAD_(squares + j), near_by, one, zero));
  CONVK_STORE_(lanes, several);
  for (j = 0; j < CONVK_LANES; j++) near_ones += lanes[j];
  return 8 * (size_t)near_ones >= 5 * count;
}

/* V of a list's near pairs, one by one into a queue. */
CONVK_RARE_ void convk_pairs_pick_(const convk_pairs_terms_ *c, const CONVK_T *squares, const CONVK_T *inverses, size_t count,
                                   double *sum) {
  const CONVK_V near_by = CONVK_SET_(c->near_by), zero = CONVK_SET_(0);
  CONVK_PAIRS_ALIGNED_ CONVK_T queue[convk_pairs_list_room_ + 2 * CONVK_PAIRS_LANES_];
  size_t i, j, waiting = 0;
  for (i = 0; i < count; i += 64) {
    uint64_t near_ones = 0;
    for (j = 0; j < 64 && i + j < count; j += CONVK_LANES)
      near_ones |= (uint64_t)CONVK_WHICH_LESS_(CONVK_LOAD_(squares + i + j),
                                               CONVK_LESS_(zero, CONVK_LOAD_(inverses + i + j), near_by, zero))
                   << j;
    for (; near_ones; near_ones &= near_ones - 1) queue[waiting++] = squares[i + CONVK_LOWEST_(near_ones)];
  }
  if (waiting) convk_pairs_wait_(c, queue, NULL, waiting, sum);
}

/* r^2 and 1 / r of the pairs of some diagonals, from `first` on, packed into a list that is filled up to two sets of lanes;
   *last: where the next list begins.  The number of pairs. */
CONVK_INLINE_ size_t convk_pairs_list_(const convk_pairs_terms_ *c, CONVK_T (*x)[2 * CONVK_PAIRS_BLOCK_ + CONVK_PAIRS_LANES_],
                                       size_t n, size_t first, size_t *last, CONVK_T *squares, CONVK_T *inverses) {
  const CONVK_V limit = CONVK_SET_(c->limit);
  const int masked = c->periodic || c->counts;
  size_t i, length = 0, diagonal;
  int k;
  for (diagonal = first; diagonal <= n / 2 && length + n <= convk_pairs_list_room_; diagonal++) {
    const size_t pairs = 2 * diagonal == n ? diagonal : n; /* the last of an even number is its own other half */
    for (i = 0; i < pairs; i += CONVK_LANES) {
      CONVK_V d[3], t;
      CONVK_EACH_(k, 3) d[k] = CONVK_SUB_(CONVK_LOAD_(x[k] + i), CONVK_LOAD_(x[k] + i + diagonal));
      CONVK_STORE_(squares + length + i, convk_pairs_distance_(c, d, limit, masked, &t));
      CONVK_STORE_(inverses + length + i, t);
    }
    length += pairs;
  }
  *last = diagonal;
  for (i = length; i < convk_round_up_(length, 2 * CONVK_PAIRS_LANES_); i += CONVK_LANES) {
    CONVK_STORE_(squares + i, CONVK_SET_(1));
    CONVK_STORE_(inverses + i, CONVK_SET_(0));
  }
  return length;
}

/* The gradients of the pairs in a list: of each particle the sum of its pairs, those with i + k and those with i - k. */
CONVK_INLINE_ void convk_pairs_pull_own_(const convk_pairs_terms_ *c, const convk_pairs_tile_ *p,
                                         CONVK_T (*x)[2 * CONVK_PAIRS_BLOCK_ + CONVK_PAIRS_LANES_], size_t first, size_t last,
                                         const CONVK_T *weights) {
  const size_t n = p->nrows, lanes = convk_round_up_(n, CONVK_LANES), gap = n / 2, pitch = gap + lanes;
  const CONVK_V zero = CONVK_SET_(0);
  CONVK_T rows[2 * convk_pairs_list_room_ +
               CONVK_PAIRS_LANES_]; /* of diagonals, each with its last ones before it, as cyclic neighbours */
  size_t i, j = 0, diagonal;
  int k, v;
  for (diagonal = first; diagonal < last; diagonal++, j += n) {
    const size_t pairs = 2 * diagonal == n ? diagonal : n;
    CONVK_T *row = rows + (diagonal - first) * pitch + gap;
    for (i = 0; i < diagonal; i += CONVK_LANES)
      CONVK_STORE_(row - diagonal + i, pairs < n ? zero : CONVK_LOAD_(weights + j + n - diagonal + i));
    for (i = 0; i < pairs; i += CONVK_LANES) CONVK_STORE_(row + i, CONVK_LOAD_(weights + j + i));
    for (i = pairs; i < lanes; i += CONVK_LANES) CONVK_STORE_(row + i, zero);
  }
  for (i = 0; i < n; i += CONVK_LANES) {
    CONVK_V at[3], g[2][3];
    const CONVK_T *row = rows + gap + i;
    CONVK_EACH_(k, 3) {
      at[k] = CONVK_LOAD_(x[k] + i);
      g[0][k] = CONVK_LOAD_(p->row_gradient + (size_t)k * CONVK_PAIRS_BLOCK_ + i);
      g[1][k] = zero;
    }
    for (diagonal = first; diagonal < last; diagonal++, row += pitch) {
      CONVK_EACH_(v, 2) {
        const CONVK_V w = CONVK_LOAD_(v ? row - diagonal : row);
        CONVK_V d[3];
        CONVK_EACH_(k, 3) d[k] = CONVK_SUB_(at[k], CONVK_LOAD_(x[k] + i + (v ? n - diagonal : diagonal)));
        if (CONVK_UNLIKELY_(c->periodic)) convk_pairs_image_(c, d); /* else its constants take the register of a sum */
        CONVK_EACH_(k, 3) g[v][k] = CONVK_FMA_(w, d[k], g[v][k]);
      }
    }
    CONVK_EACH_(k, 3) CONVK_STORE_(p->row_gradient + (size_t)k * CONVK_PAIRS_BLOCK_ + i, CONVK_ADD_(g[0][k], g[1][k]));
  }
}

/* A block and itself, diagonal after diagonal: particles i and i + k, cyclically, so that vectors are full however few they
   are.  Of 5 particles, say, the first diagonal has the pairs 01 12 23 34 40, and the second 02 13 24 30 41.
   Some diagonals make a list, packed; first all its distances, then its terms, then the gradients. */
static void convk_pairs_own_(const convk_pairs_terms_ *c, const convk_pairs_tile_ *p) {
  enum { lanes_ = CONVK_PAIRS_LANES_, block_ = CONVK_PAIRS_BLOCK_, list_ = convk_pairs_list_room_ };
  const size_t n = p->nrows;
  const int want = p->want;
  CONVK_PAIRS_ALIGNED_ convk_pairs_lanes_ sums;
  CONVK_PAIRS_ALIGNED_ CONVK_T x[3][2 * block_ + lanes_]; /* coordinates twice over */
  CONVK_PAIRS_ALIGNED_ CONVK_T squares[list_ + 3 * lanes_];
  CONVK_PAIRS_ALIGNED_ CONVK_T inverses[list_ + 3 * lanes_];
  CONVK_PAIRS_ALIGNED_ CONVK_T weights[list_ + 3 * lanes_];
  size_t i, first, last;
  int k;
  convk_pairs_clear_(&sums);
  for (k = 0; k < 3; k++) {
    for (i = 0; i < n; i += CONVK_LANES) CONVK_STORE_(x[k] + i, CONVK_LOAD_(p->rows + (size_t)k * block_ + i));
    for (i = 0; i < n; i += CONVK_LANES) CONVK_STORE_(x[k] + n + i, CONVK_LOAD_(p->rows + (size_t)k * block_ + i));
    for (i = 0; (want & CONVK_PAIR_GRADIENT) && i < n; i += CONVK_LANES)
      CONVK_STORE_(p->row_gradient + (size_t)k * block_ + i, CONVK_SET_(0));
  }
  for (first = 1; first <= n / 2; first = last) {
    const size_t length = convk_pairs_list_(c, x, n, first, &last, squares, inverses),
                 whole = convk_round_up_(length, 2 * lanes_);
    const int dense = (want & CONVK_PAIR_POTENTIAL_ENERGY) && convk_pairs_dense_(c, squares, whole);
    CONVK_STORE_(weights + whole, CONVK_SET_(0));
    convk_pairs_sum_(c, squares, inverses, weights, whole, dense ? want & ~CONVK_PAIR_POTENTIAL_ENERGY : want, &sums);
    convk_pairs_flush_(sums.sum, p->sum, CONVK_PAIRS_SUMS_ * lanes_);
    if (dense) convk_pairs_wait_(c, squares, inverses, whole, p->sum + 6 * lanes_);
    else if (want & CONVK_PAIR_POTENTIAL_ENERGY) convk_pairs_pick_(c, squares, inverses, length, p->sum + 6 * lanes_);
    if (want & CONVK_PAIR_GRADIENT) convk_pairs_pull_own_(c, p, x, first, last, weights);
  }
  CONVK_LEAVE_
  if (want & CONVK_PAIR_LN_PSI) convk_pairs_product_(sums.product, sums.exponent, sums.count, 1, p->product);
}

/* The pairs of two or three particles in open space, 01, 12 and 20: what convk_pairs_own_ does, to the last bit, without what
   there is of it for more.  V is that of convk_pairs_wait_, since what fills lanes up counts as near, so that so short a list
   is dense; or has no near part.  Lanes behind the last pair have the first one, so that no number in them is subnormal. */
static void convk_pairs_tiny_(const convk_pairs_terms_ *c, size_t n, size_t pitch, int want, const CONVK_T *r,
                              convk_pairs_tiny_lanes_ *p) {
  enum { group_ = convk_pairs_group_, vectors_ = CONVK_LANES < 4 ? 4 / CONVK_LANES : 1 };
  const CONVK_V zero = CONVK_SET_(0), one = CONVK_SET_(1), near_by = CONVK_SET_(c->near_by), limit = CONVK_SET_(c->limit);
  const size_t pairs = 2 * n - 3;
  const int near_too = (want & CONVK_PAIR_POTENTIAL_ENERGY) && c->near_by > 0;
  CONVK_V r2[vectors_], t[vectors_], v[vectors_];
  CONVK_V first[3];
  size_t i, j;
  int m, u;
  CONVK_EACH_(m, 3) {
    const convk_any_ *x = (const convk_any_ *)(r + (size_t)m * pitch);
    first[m] = CONVK_SET_(x[0] - x[1]);
    if (pairs == 1) continue;
    for (i = 0; i < 4; i += CONVK_LANES) CONVK_STORE_(p->way[m] + i, first[m]);
    p->way[m][1] = x[1] - x[2];
    p->way[m][2] = x[2] - x[0];
  }
  for (u = 0; u < (pairs > CONVK_LANES ? vectors_ : 1); u++) {
    CONVK_V at[3], w, s[CONVK_PAIRS_SUMS_], part = one, more = zero;
    j = (size_t)u * CONVK_LANES;
    CONVK_EACH_(m, 3) at[m] = pairs > 1 ? CONVK_LOAD_(p->way[m] + j) : first[m];
    CONVK_EACH_(m, CONVK_PAIRS_SUMS_ - 1) s[m] = zero;
    r2[u] = convk_pairs_distance_(c, at, limit, 1, &t[u]);
    w = convk_pairs_step_(c, r2[u], t[u], near_too ? want & ~CONVK_PAIR_POTENTIAL_ENERGY : want, s, &part);
    CONVK_STORE_(p->product + j, convk_pairs_mantissa_(part, &more));
    CONVK_STORE_(p->exponent + j, more);
    CONVK_EACH_(m, CONVK_PAIRS_SUMS_ - 1) CONVK_STORE_(p->sum[m] + j, s[m]);
    CONVK_STORE_(p->sum[7] + j, CONVK_LESS_(zero, t[u], one, zero));
    CONVK_EACH_(m, 3) CONVK_STORE_(p->way[m] + j, CONVK_MUL_(w, at[m]));
    r2[u] = CONVK_LESS_(zero, t[u], r2[u], near_by);
  }
  if (near_too && (vectors_ < group_ || pairs <= CONVK_LANES)) {
    convk_pairs_near_of_(c, r2, t, v, 1);
    CONVK_STORE_(p->sum[6], v[0]);
  } else
    for (u = 0; near_too && u < vectors_; u += group_) {
      convk_pairs_near_(c, r2 + u, t + u, v + u);
      CONVK_EACH_(m, group_) CONVK_STORE_(p->sum[6] + (u + m) * CONVK_LANES, v[u + m]);
    }
  CONVK_LEAVE_
}

static void convk_pairs_sum_tile_(const convk_pairs_terms_ *c, const convk_pairs_tile_ *p) {
  if (p->own) convk_pairs_own_(c, p);
  else if (convk_pairs_wide_ && p->all && p->want == CONVK_PAIR_ALL) convk_pairs_tile_of_(c, p, 0, CONVK_PAIR_ALL);
  else convk_pairs_tile_of_(c, p, 1, p->want);
}

/* r^2 and 1 / r of a particle at two places and a chunk of others, those of one vector of lanes. */
CONVK_INLINE_ void convk_pairs_row_distances_(const convk_pairs_terms_ *c, const convk_pairs_row_ *p, size_t begin, size_t end,
                                              CONVK_T (*squares)[convk_pairs_chunk_ / convk_pairs_parts_],
                                              CONVK_T (*inverses)[convk_pairs_chunk_ / convk_pairs_parts_]) {
  size_t i, j;
  int k, m;
  for (j = begin, i = 0; j < end; j += CONVK_PAIRS_LANES_, i += CONVK_LANES) {
    const CONVK_V limit = CONVK_LOAD_(p->limit + j);
    CONVK_EACH_(m, 2) {
      CONVK_V d[3], t;
      CONVK_EACH_(k, 3) d[k] = CONVK_SUB_(CONVK_SET_(p->at[m][k]), CONVK_LOAD_(p->x[k] + j));
      CONVK_STORE_(squares[m] + i, convk_pairs_distance_(c, d, limit, 1, &t));
      CONVK_STORE_(inverses[m] + i, t);
    }
  }
}

/* Adds how many more of n others count after than before. */
CONVK_INLINE_ CONVK_V convk_pairs_row_count_(CONVK_T (*inverses)[convk_pairs_chunk_ / convk_pairs_parts_], size_t n,
                                             CONVK_V count) {
  const CONVK_V zero = CONVK_SET_(0), one = CONVK_SET_(1);
  size_t i;
  for (i = 0; i < n; i += CONVK_LANES)
    count = CONVK_ADD_(count, CONVK_SUB_(CONVK_LESS_(zero, CONVK_LOAD_(inverses[1] + i), one, zero),
                                         CONVK_LESS_(zero, CONVK_LOAD_(inverses[0] + i), one, zero)));
  return count;
}

/* The gradient of a particle at place m, and what others have of it, by their weights w = u' / r. */
CONVK_INLINE_ void convk_pairs_row_pull_(const convk_pairs_terms_ *c, const convk_pairs_row_ *p, const int m, size_t at,
                                         CONVK_V w, CONVK_V *force) {
  CONVK_V d[3];
  int k;
  CONVK_EACH_(k, 3) d[k] = CONVK_SUB_(CONVK_SET_(p->at[m][k]), CONVK_LOAD_(p->x[k] + at));
  if (c->periodic) convk_pairs_image_(c, d);
  CONVK_EACH_(k, 3) {
    CONVK_T *to;
    force[k] = CONVK_FMA_(w, d[k], force[k]);
    if (!p->gradient[0]) continue;
    to = p->gradient[k] + at;
    CONVK_STORE_(to, m ? CONVK_FNMA_(w, d[k], CONVK_LOAD_(to)) : CONVK_FMA_(w, d[k], CONVK_LOAD_(to)));
  }
}

/* One particle at two places, and all others. */
CONVK_INLINE_ void convk_pairs_row_of_(const convk_pairs_terms_ *c, const convk_pairs_row_ *p, const int want) {
  enum { lanes_ = CONVK_PAIRS_LANES_, parts_ = convk_pairs_parts_, chunk_ = convk_pairs_chunk_, segment_ = 8 * chunk_ };
  CONVK_PAIRS_ALIGNED_ CONVK_T product[2][lanes_];
  CONVK_PAIRS_ALIGNED_ CONVK_T exponent[2][lanes_];
  CONVK_PAIRS_ALIGNED_ CONVK_T sum[10 * lanes_];
  double count = 0;
  size_t begin, i, j, end, stop;
  int k, m, v;
  for (begin = 0; begin < p->n; begin = stop) {
    stop = begin + segment_ < p->n ? begin + segment_ : p->n;
    for (v = 0; v < parts_; v++) {
      const size_t lane = (size_t)v * CONVK_LANES;
      CONVK_V s[2][CONVK_PAIRS_SUMS_], force[2][3], part[2], more[2], shift = CONVK_SET_(0);
      CONVK_EACH_(m, 2) {
        part[m] = begin ? CONVK_LOAD_(product[m] + lane) : CONVK_SET_(1);
        more[m] = begin ? CONVK_LOAD_(exponent[m] + lane) : CONVK_SET_(0);
        CONVK_EACH_(k, CONVK_PAIRS_SUMS_) s[m][k] = CONVK_SET_(0);
        CONVK_EACH_(k, 3) force[m][k] = CONVK_SET_(0);
      }
      for (j = begin; j < stop; j = end) {
        const size_t last = j + chunk_ < stop ? j + chunk_ : stop;
        CONVK_PAIRS_ALIGNED_ CONVK_T squares[2][chunk_ / parts_];
        CONVK_PAIRS_ALIGNED_ CONVK_T inverses[2][chunk_ / parts_];
        convk_pairs_row_distances_(c, p, j + lane, last + lane, squares, inverses);
        for (end = j, i = 0; end < last; end += lanes_, i += CONVK_LANES) {
          CONVK_EACH_(m, 2) { /* sums stay in registers, with gradients it is these that do not */
            const CONVK_V t = CONVK_LOAD_(inverses[m] + i);
            const CONVK_V w = convk_pairs_step_(c, CONVK_LOAD_(squares[m] + i), t, want, s[m], &part[m]);
            if (CONVK_UNLIKELY_(want & CONVK_PAIR_GRADIENT)) convk_pairs_row_pull_(c, p, m, end + lane, w, force[m]);
          }
        }
        if (c->counts) shift = convk_pairs_row_count_(inverses, i, shift);
        CONVK_EACH_(m, 2) part[m] = convk_pairs_mantissa_(part[m], &more[m]);
        count += !v;
      }
      CONVK_EACH_(m, 2) {
        CONVK_STORE_(product[m] + lane, part[m]);
        CONVK_STORE_(exponent[m] + lane, more[m]);
        if (!(want & CONVK_PAIR_GRADIENT)) continue;
        CONVK_EACH_(k, 3) CONVK_STORE_(sum + (size_t)(4 + 3 * m + k) * lanes_ + lane, force[m][k]);
      }
      CONVK_EACH_(k, 3) CONVK_STORE_(sum + (size_t)k * lanes_ + lane, CONVK_SUB_(s[1][k], s[0][k]));
      if (c->counts) CONVK_STORE_(sum + 3 * lanes_ + lane, shift);
    }
    convk_pairs_flush_(sum, p->sum, 3 * lanes_);
    for (i = 0; c->counts && i < lanes_; i++) p->product->sum[7] += (double)sum[3 * lanes_ + i];
    if (want & CONVK_PAIR_GRADIENT) convk_pairs_flush_(sum + 4 * lanes_, p->force, 6 * lanes_);
  }
  CONVK_LEAVE_
  if (c->p[2] > 0 || c->p[2] < 0) {
    convk_pairs_product_(product[0], exponent[0], count, -1, p->product);
    convk_pairs_product_(product[1], exponent[1], count, 1, p->product);
  }
}

static void convk_pairs_sum_row_(const convk_pairs_terms_ *c, const convk_pairs_row_ *p) {
  if (!convk_pairs_wide_ || CONVK_REGISTERS_ >= 32)
    convk_pairs_row_of_(c, p, CONVK_PAIR_LN_PSI | (p->want & CONVK_PAIR_GRADIENT));
  else if (p->want & CONVK_PAIR_GRADIENT) convk_pairs_row_of_(c, p, CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT);
  else convk_pairs_row_of_(c, p, CONVK_PAIR_LN_PSI);
}

static void convk_pairs_values_(const convk_pairs_terms_ *c, size_t n, const CONVK_T *r, CONVK_T *v) {
  enum { group_ = convk_pairs_group_ };
  const CONVK_T limit = CONVK_OF_(1048576, 1125899906842624.); /* its square is CONVK_PAIRS_BIG_ */
  const CONVK_V near_by = CONVK_SET_(c->near_by), least = CONVK_SET_((CONVK_T)CONVK_PAIRS_LEAST_);
  const CONVK_V upper = CONVK_SET_(limit), lower = CONVK_SET_(-limit);
  size_t i, at;
  int g;
  for (i = 0; i < n; i += group_ * CONVK_LANES) {
    CONVK_V r2[group_], t[group_], value[group_];
    unsigned which = 0;
    for (g = 0, at = i; g < group_; g++, at += CONVK_LANES) {
      CONVK_V s = at + CONVK_LANES <= n ? CONVK_LOAD_(r + at) : at < n ? CONVK_LOADK_(r + at, n - at) : upper;
      s = CONVK_MAX_(lower, CONVK_MIN_(upper, s)); /* so that no square overflows */
      r2[g] = CONVK_MAX_(least, CONVK_MUL_(s, s));
      t[g] = convk_pairs_rsqrt_(r2[g]);
      s = CONVK_MUL_(t[g], t[g]);
      value[g] = CONVK_MUL_(CONVK_MUL_(CONVK_MUL_(s, s), s), convk_pairs_powers_(c, s));
      which |= CONVK_WHICH_LESS_(r2[g], near_by);
    }
    if (which) convk_pairs_near_(c, r2, t, value);
    for (g = 0, at = i; g < group_; g++, at += CONVK_LANES) {
      if (at + CONVK_LANES <= n) CONVK_STORE_(v + at, value[g]);
      else if (at < n) CONVK_STOREK_(v + at, value[g], n - at);
    }
  }
  CONVK_LEAVE_
}

static int convk_pairs_inside_(size_t n, const CONVK_T *r) {
  const CONVK_V sign = CONVK_SIGN_, above = CONVK_SET_(CONVK_OF_(16384.001953125f, 268435456.00000006)); /* next to FAR */
  const unsigned all = (1u << CONVK_LANES) - 1;
  unsigned good = all;
  size_t i;
  for (i = 0; i < n; i += CONVK_LANES) {
    const CONVK_V x = n - i < CONVK_LANES ? CONVK_LOADK_(r + i, n - i) : CONVK_LOAD_(r + i);
    good &= CONVK_WHICH_LESS_(CONVK_XOR_(x, CONVK_AND_(x, sign)), above); /* a NaN is not less */
  }
  CONVK_LEAVE_
  return good == all;
}

CONVK_LOCAL_ const convk_pairs_kernels_ *convk_pairs_kernel_table_(void) {
  static const convk_pairs_kernels_ kernels = {convk_pairs_sum_tile_, convk_pairs_sum_row_, convk_pairs_values_,
                                               convk_pairs_tiny_, convk_pairs_inside_};
  return &kernels;
}
