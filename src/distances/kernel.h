/* ---- distances: kernels, in doubles whatever the precision of the arrays ----
   Vectors of bins and of what they get go into a ring, and others leave it at the same time, one by one: while the processor
   waits for roots it counts. */

/* Adds a vector of a ring to its bins: a word of a count above 42 bits of the sum of f, and one of the sum of f^2; or sums of
   weights. */
CONVK_INLINE_ void convk_distances_count_(const convk_distances_rows_ *p, const convk_distances_ring_ *ring, size_t from,
                                          uint64_t *words, const int moments, const int weighted) {
  int l, i;
  CONVK_EACH_(l, CONVK_DLANES_) {
    const size_t at = from + (size_t)l, k = (uint32_t)convk_to_bits_(ring->bin[at]);
    if (weighted) {
      double *const sum = p->sums + k * (size_t)(p->moments + 1), part = ring->more[at];
      for (i = 0; i <= p->moments; i++) {
        sum[i] += part;
        part *= (double)(int64_t)(convk_to_bits_(ring->add[at]) & 0xfffff);
#ifdef CONVK_KEEP_ /* no compiler fuses it with the next sum */
        CONVK_KEEP_(part);
#endif
      }
    } else if (moments > 1) CONVK_ADD_TWO_(words + 2 * k, ring->add + at, ring->more + at);
    else words[k] += moments ? convk_to_bits_(ring->add[at]) : 1;
  }
}

/* Numbers of the rows that have anything within reach, and how many these are: looked for in advance, since no processor can
   foretell them. */
CONVK_RARE_ size_t convk_distances_near_(const convk_distances_rows_ *p, uint32_t *row) {
  double square[CONVK_DISTANCES_BOX_ + CONVK_DISTANCES_LANES_];
  size_t i, n = 0;
  int d;
  for (i = 0; i < p->rows; i += CONVK_DLANES_) {
    CONVK_D sum = CONVK_DZERO_;
    CONVK_EACH_(d, 3) {
      const CONVK_D x = CONVK_DSUB_(CONVK_DLOAD_(p->at[d] + i), CONVK_DSET_(p->shift[d]));
      const CONVK_D inside = CONVK_DMIN_(CONVK_DSUB_(x, CONVK_DSET_(p->least[d])), CONVK_DSUB_(CONVK_DSET_(p->most[d]), x));
      const CONVK_D gap = CONVK_DMIN_(inside, CONVK_DZERO_);
      sum = CONVK_DADD_(sum, CONVK_DMUL_(gap, gap));
    }
    CONVK_DSTORE_(square + i, sum);
  }
  for (i = 0; i < p->rows; i++) {
    row[n] = (uint32_t)i;
    n += square[i] <= p->reach * p->reach;
  }
  return n;
}

CONVK_INLINE_ void convk_distances_row_begin_(const convk_distances_rows_ *p, size_t i, CONVK_D *at, CONVK_D *shift) {
  int d;
  CONVK_EACH_(d, 3) {
    at[d] = CONVK_DSET_(p->at[d][i]);
    shift[d] = CONVK_DSET_(p->shift[d]);
  }
}

/* A row and what all rows have in common.  limit: of the distance of X from a number within 2^-50 of it. */
typedef struct convk_distances_row_of_ {
  CONVK_D at[3], shift[3], weight, scale, top, limit;
  const double *to[3]; /* of p, as words: stores could change what p points at */
  uint64_t *words;
} convk_distances_row_of_;

/* The places of squared distances.  quick, for every other vector, so that the divider and other units work: by a root that is
   not rounded; where it, and the product with the scale, might make X another integer, all is done again, as for a distance
   of 0. */
CONVK_INLINE_ CONVK_D convk_distances_places_of_(const convk_distances_row_of_ *row, CONVK_D square, size_t quick) {
#ifdef CONVK_DNEAR_ROOT_
  if (quick) {
    const CONVK_D t = CONVK_DMUL_(CONVK_DNEAR_ROOT_(square), row->scale), most = CONVK_DSET_(4503599627370496.); /* 2^52 */
    const CONVK_D place = CONVK_DADD_(t, most);
    if (!CONVK_UNLIKELY_(!CONVK_DALL_WITHIN_(CONVK_DSUB_(CONVK_DSUB_(place, most), t), row->limit))) return place;
  }
#endif
  (void)quick;
  return convk_distances_place_(CONVK_DROOT_(square), row->scale);
}

/* Takes a vector of n atoms from j on into the ring, as number `in` of all atoms, and another one out of it. */
CONVK_INLINE_ void convk_distances_step_(const convk_distances_rows_ *p, convk_distances_ring_ *ring,
                                         const convk_distances_row_of_ *row, size_t j, size_t n, size_t in, const int moments,
                                         const int weighted) {
  const CONVK_D square = convk_distances_square_(row->at, row->shift, CONVK_DLOAD_(row->to[0] + j),
                                                 CONVK_DLOAD_(row->to[1] + j), CONVK_DLOAD_(row->to[2] + j));
  const size_t at = in % CONVK_DISTANCES_RING_;
  const CONVK_D place = CONVK_DMIN_(convk_distances_places_of_(row, square, in & CONVK_DLANES_), row->top);
  const CONVK_D f = CONVK_DAND_(place, CONVK_DSET_(convk_from_bits_(0xfffff)));
  size_t k;
  CONVK_DSTORE_(ring->bin + at, CONVK_DSHR_(place, CONVK_DISTANCES_BITS_));
  if (moments > 1) CONVK_DSTORE_(ring->more + at, CONVK_DMUL_LOW_(f, f));
  if (weighted) CONVK_DSTORE_(ring->more + at, CONVK_DMUL_(row->weight, CONVK_DLOAD_(p->weight[1] + j)));
  if (moments || weighted) CONVK_DSTORE_(ring->add + at, CONVK_DOR_(f, CONVK_DSET_(convk_from_bits_((uint64_t)1 << 42))));
  for (k = n - j; k < CONVK_DLANES_; k++) ring->bin[at + k] = convk_from_bits_(p->bins + k); /* no atoms */
  if (in < CONVK_DISTANCES_BEHIND_) return;
  convk_distances_count_(p, ring, (in - CONVK_DISTANCES_BEHIND_) % CONVK_DISTANCES_RING_, row->words, moments, weighted);
}

/* Counts rows number[first] .. number[rows - 1]. */
CONVK_INLINE_ void convk_distances_rows_of_(const convk_distances_rows_ *p, const uint32_t *number, size_t first, size_t rows,
                                            const int moments, const int weighted) {
  CONVK_ALIGNED_ convk_distances_ring_ ring;
  convk_distances_row_of_ row;
  double beyond[CONVK_DLANES_];
  size_t i, j, k, in = 0;
  /* what lies beyond has a bin in each lane: additions to one wait for each other */
  for (i = 0; i < CONVK_DLANES_; i++) beyond[i] = 4503599627370496. + (double)(p->bins + i) * 1048576;
  row.top = CONVK_DLOAD_(beyond);
  row.scale = CONVK_DSET_(p->scale);
  row.limit = CONVK_DSET_(0.5 - (double)(p->bins + CONVK_DLANES_) * 9.313225746154785e-10); /* 2^-30 = 2^-50 of 2^20 */
  row.words = p->words;
  for (i = 0; i < 3; i++) row.to[i] = p->to[i];
  for (k = first; k < rows; k++) {
    const size_t n = p->triangle ? number[k] : p->columns;
    i = number[k];
    row.weight = CONVK_DSET_(weighted ? p->weight[0][i] : 0);
    convk_distances_row_begin_(p, i, row.at, row.shift);
    for (j = 0; j < n; j += CONVK_DLANES_, in += CONVK_DLANES_)
      convk_distances_step_(p, &ring, &row, j, n, in, moments, weighted);
  }
  for (i = in > CONVK_DISTANCES_BEHIND_ ? in - CONVK_DISTANCES_BEHIND_ : 0; i < in; i += CONVK_DLANES_)
    convk_distances_count_(p, &ring, i % CONVK_DISTANCES_RING_, p->words, moments, weighted);
  CONVK_LEAVE_
}

#if CONVK_EITHER_(1, 0) && defined CONVK_ROOT_
/* The bin of one pair, in doubles. */
CONVK_INLINE_ uint32_t convk_distances_bin_(const convk_distances_rows_ *p, size_t row, size_t j) {
  double bits[CONVK_DLANES_];
  CONVK_D at[3], shift[3], r;
  convk_distances_row_begin_(p, row, at, shift);
  r = convk_distances_from_(at, shift, CONVK_DSET_(p->to[0][j]), CONVK_DSET_(p->to[1][j]), CONVK_DSET_(p->to[2][j]));
  r = CONVK_DMIN_(convk_distances_place_(r, CONVK_DSET_(p->scale)), CONVK_DSET_(4503599627370496. + (double)p->bins * 1048576));
  CONVK_DSTORE_(bits, CONVK_DSHR_(r, CONVK_DISTANCES_BITS_));
  return (uint32_t)convk_to_bits_(bits[0]);
}

/* Counts alone of floats, whose distances tell the bin but next to its edges, where one is found again in doubles.  With
   u = 2^-24 a difference is off by u of it, and by what `doubt` has for rounded coordinates; their squares by 3 u, the sum by
   5 u, the root by 3.5 u, and its place in bins, where nothing is fused, by 6.5 u.  Returns how many rows are done: not all
   where many distances lie next to edges, as in a crystal. */
CONVK_RARE_ size_t convk_distances_floats_(const convk_distances_rows_ *p, const uint32_t *number, size_t rows) {
  CONVK_ALIGNED_ CONVK_T to[3][CONVK_DISTANCES_BOX_ + CONVK_LANES], last[CONVK_LANES];
  CONVK_ALIGNED_ uint32_t ring[CONVK_DISTANCES_RING_];
  const CONVK_V over = CONVK_SET_((CONVK_T)(p->scale / 1048576)), half = CONVK_SET_((CONVK_T)-0.5);
  const CONVK_V integers = CONVK_SET_((CONVK_T)12582912); /* 1.5 2^23 */
  const CONVK_V sure = CONVK_SET_((CONVK_T)(0.5 - p->doubt)), less = CONVK_SET_((CONVK_T)CONVK_DISTANCES_DOUBT_);
  const size_t n = p->columns, beyond = p->bins;
  uint64_t *const words = p->words;
  CONVK_V top;
  size_t i, j, k, d, in = 0, doubts = 0;
  unsigned doubt;
  for (d = 0; d < 3; d++)
    for (j = 0; j < n + CONVK_LANES; j++) to[d][j] = j < n ? (CONVK_T)p->to[d][j] : (CONVK_T)1e18; /* no atoms: beyond all */
  for (i = 0; i < CONVK_LANES; i++) last[i] = (CONVK_T)(beyond + i % CONVK_DISTANCES_LANES_);
  for (i = 0; i < CONVK_DISTANCES_RING_; i++) ring[i] = (uint32_t)(beyond + i % CONVK_DISTANCES_LANES_);
  top = CONVK_LOAD_(last);
  for (k = 0; k < rows && doubts * 12 <= in / CONVK_LANES + 16; k++) {
    CONVK_V at[3];
    for (d = 0; d < 3; d++) at[d] = CONVK_SET_((CONVK_T)(p->at[d][number[k]] - p->shift[d]));
    for (j = 0; j < n; j += CONVK_LANES, in += CONVK_LANES) {
      const CONVK_V x = CONVK_SUB_(at[0], CONVK_LOAD_(to[0] + j)), y = CONVK_SUB_(at[1], CONVK_LOAD_(to[1] + j));
      const CONVK_V z = CONVK_SUB_(at[2], CONVK_LOAD_(to[2] + j));
      const CONVK_V r = CONVK_ROOT_(CONVK_FMA_(x, x, CONVK_FMA_(y, y, CONVK_MUL_(z, z))));
      const CONVK_V middle = CONVK_MIN_(CONVK_FMA_(r, over, half), top), bin = CONVK_ADD_(middle, integers);
      const CONVK_V left = CONVK_AND_(CONVK_SUB_(middle, CONVK_SUB_(bin, integers)), CONVK_BITS_(0x7fffffffu));
      uint32_t *const from = ring + (in - CONVK_DISTANCES_BEHIND_) % CONVK_DISTANCES_RING_;
      uint32_t *const at_ring = ring + in % CONVK_DISTANCES_RING_;
      CONVK_STORE_((CONVK_T *)(void *)at_ring, CONVK_AND_(bin, CONVK_BITS_(0x3fffffu)));
      doubt = CONVK_WHICH_LESS_(CONVK_FNMA_(middle, less, sure), left);
      for (; CONVK_UNLIKELY_(doubt); doubt &= doubt - 1, doubts++) {
        const size_t lane = (size_t)(convk_to_bits_((double)(doubt & (0 - doubt))) >> 52) - 1023; /* of its lowest bit */
        at_ring[lane] = convk_distances_bin_(p, number[k], j + lane);
      }
      CONVK_EACH_(i, CONVK_LANES) words[from[i]]++;
    }
  }
  for (i = 0; i < CONVK_DISTANCES_BEHIND_; i++) words[ring[(in - 1 - i) % CONVK_DISTANCES_RING_]]++;
  return k;
}
#endif

static void convk_distances_rows_any_(const convk_distances_rows_ *p) {
  uint32_t number[CONVK_DISTANCES_BOX_];
  const size_t rows = convk_distances_near_(p, number);
  size_t done = 0;
#if CONVK_EITHER_(1, 0) && defined CONVK_ROOT_
  if (!p->sums && !p->moments && !p->triangle && p->doubt + CONVK_DISTANCES_DOUBT_ * (double)p->bins < 0.008)
    done = convk_distances_floats_(p, number, rows);
#endif
  if (p->sums) convk_distances_rows_of_(p, number, 0, rows, 0, 1);
  else if (p->moments > 1) convk_distances_rows_of_(p, number, 0, rows, 2, 0);
  else if (p->moments) convk_distances_rows_of_(p, number, 0, rows, 1, 0);
  else convk_distances_rows_of_(p, number, done, rows, 0, 0);
}

/* Distances of one row. */
static void convk_distances_lengths_(const convk_distances_rows_ *p, size_t row, double *r) {
  const size_t n = p->triangle ? row : p->columns;
  CONVK_D at[3], shift[3];
  size_t j;
  convk_distances_row_begin_(p, row, at, shift);
  for (j = 0; j < n; j += CONVK_DLANES_)
    CONVK_DSTORE_(r + j, convk_distances_from_(at, shift, CONVK_DLOAD_(p->to[0] + j), CONVK_DLOAD_(p->to[1] + j),
                                               CONVK_DLOAD_(p->to[2] + j)));
  CONVK_LEAVE_
}

/* Sums have a lane for each of the longest vector's, so that they have one order. */
CONVK_INLINE_ void convk_distances_waves_of_(convk_distances_waves_ *p, const int second) {
  enum { parts_ = CONVK_DISTANCES_LANES_ / CONVK_DLANES_ };
  const CONVK_D turns = CONVK_DSET_(p->q * 0.3183098861837907);
  CONVK_D sum[3][parts_], s, c;
  double lane[CONVK_DISTANCES_LANES_];
  size_t i;
  int k, g;
  CONVK_EACH_(g, parts_) sum[0][g] = sum[1][g] = sum[2][g] = CONVK_DZERO_;
  for (i = 0; i < p->n; i += CONVK_DISTANCES_LANES_) {
    CONVK_EACH_(g, parts_) {
      const size_t at = i + (size_t)g * CONVK_DLANES_;
      convk_distances_half_turns_(CONVK_DMUL_(CONVK_DLOAD_(p->m + at), turns), &s, &c, second);
      sum[0][g] = CONVK_DFMA_(s, CONVK_DLOAD_(p->sine + at), sum[0][g]);
      if (!second) continue;
      sum[1][g] = CONVK_DFMA_(s, CONVK_DLOAD_(p->square + at), sum[1][g]);
      sum[2][g] = CONVK_DFMA_(c, CONVK_DLOAD_(p->cosine + at), sum[2][g]);
    }
  }
  for (k = 0; k < 3; k++) {
    CONVK_EACH_(g, parts_) CONVK_DSTORE_(lane + g * CONVK_DLANES_, sum[k][g]);
    p->sum[k] = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
  }
  CONVK_LEAVE_
}

static void convk_distances_waves_any_(convk_distances_waves_ *p) {
  if (p->second) convk_distances_waves_of_(p, 1);
  else convk_distances_waves_of_(p, 0);
}

CONVK_LOCAL_ const convk_distances_kernels_ *convk_distances_kernel_table_(void) {
  static const convk_distances_kernels_ kernels = {
      {convk_distances_rows_any_, convk_distances_lengths_, convk_distances_waves_any_}, NULL, NULL};
  return &kernels;
}
