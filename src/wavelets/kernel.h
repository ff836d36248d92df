/* ---- wavelets: two filters on one sequence of rows, in steps of two ---- */

/* Whether the second filter of taps has one more: no such filter is part of hamiltonian. */
#define CONVK_WAVELETS_MORE_(taps) (CONVK_FINDS_WAVELETS_ && (taps)->more)

/* Pairs of outputs in a tile.  Their sums stay in registers, beside one register for a row and one for a tap. */
#define CONVK_WAVELETS_PAIRS_ (CONVK_REGISTERS_ >= 32 ? 4 : 2)

/* Defined if rows can be filtered in blocks of LANES: the pass along y leaves them transposed, and the pass along x then takes
   columns of LANES elements. */
#ifdef CONVK_STORE_HALVES_
#define CONVK_WAVELETS_TURNS_
#endif

/* Stores the sums of a tile: one after another, or with `half` the even elements and, `half` further, the odd ones. */
CONVK_INLINE_ void convk_wavelets_put_(CONVK_V *v, int vectors, CONVK_T *out, size_t i, size_t half, int partial, size_t left,
                                       int stream) {
  int c;
  if (half && vectors == 2) {
    CONVK_UNZIP_(v);
    CONVK_STORE_(out + i / 2, v[0]);
    CONVK_STORE_(out + half + i / 2, v[1]);
  } else if (half) {
    CONVK_T lanes[CONVK_LANES];
    size_t j;
    CONVK_STORE_(lanes, v[0]);
    for (j = 0; j < left; j++) out[((i + j) % 2 ? half : 0) + (i + j) / 2] = CONVK_ONE_(lanes + j);
  } else {
    CONVK_EACH_(c, vectors) {
      CONVK_T *to = out + i + (size_t)c * CONVK_LANES;
      if (partial) CONVK_STOREK_(to, v[c], left);
      else if (stream) CONVK_STREAM_(to, v[c]);
      else CONVK_STORE_(to, v[c]);
    }
  }
}

CONVK_INLINE_ void convk_wavelets_row_(const CONVK_T *row, int vectors, CONVK_V *x, int partial, size_t left, size_t ahead) {
  int c;
  CONVK_PREFETCH_L1_((uintptr_t)row + ahead);
  if (vectors == 2 && CONVK_LANES * sizeof(CONVK_T) == 64) CONVK_PREFETCH_L1_((uintptr_t)row + ahead + 64);
  CONVK_EACH_(c, vectors) x[c] = partial ? CONVK_LOADK_(row, left) : CONVK_LOAD_(row + (size_t)c * CONVK_LANES);
}

/* Adds the products of a row with tap[f][t] to both sums of pairs from .. to; begins: the sums of pair `to` begin here. */
CONVK_INLINE_ void convk_wavelets_meet_(int from, int to, int begins, int vectors, const CONVK_T *row, CONVK_V (*tap)[4],
                                        CONVK_V (*sum)[2][2], int partial, size_t left, size_t ahead) {
  CONVK_V x[2];
  int t, c, f;
  convk_wavelets_row_(row, vectors, x, partial, left, ahead);
  CONVK_UNROLL_
  for (t = from; t <= to; t++) {
    CONVK_EACH_(f, 2) {
      CONVK_EACH_(c, vectors)
        sum[t][f][c] = begins && t == to ? CONVK_MUL_(tap[f][t], x[c]) : CONVK_FMA_(tap[f][t], x[c], sum[t][f][c]);
    }
  }
}

/* Adds half of the terms to a tile's sums: those of every second row from `rows` on.  Row a is multiplied by tap a - t for pair
   t: a tap moves on to the next pair with the next row, so that eight multiply-adds take four loads and a pointer.  The first
   filter has `least` taps, at least as many as there are pairs, and the second one `more` in addition.  Each row is loaded
   once, but for that tap. */
CONVK_INLINE_ void convk_wavelets_half_(int pairs, int vectors, int more, int begins, const CONVK_T *const *rows,
                                        const CONVK_T (*taps)[CONVK_WAVELETS_TAPS_], size_t least, size_t i,
                                        CONVK_V (*sum)[2][2], int partial, size_t left, size_t ahead) {
  CONVK_V x[2], tap[2][4];
  size_t a;
  int r, t, c, f;
#define CONVK_WAVELETS_ON_() \
  CONVK_EACH_(f, 2) { \
    CONVK_UNROLL_ \
    for (t = pairs - 1; t > 0; t--) tap[f][t] = tap[f][t - 1]; \
  }
  CONVK_EACH_(f, 2) {
    CONVK_EACH_(t, pairs) tap[f][t] = CONVK_SET_(0);
  }
  CONVK_EACH_(r, pairs) { /* the first rows belong to some of the pairs only */
    CONVK_WAVELETS_ON_()
    CONVK_EACH_(f, 2) tap[f][0] = CONVK_SET_(taps[f][r]);
    convk_wavelets_meet_(0, r, begins, vectors, rows[2 * r] + i, tap, sum, partial, left, ahead);
  }
  for (a = (size_t)pairs; a < least; a++) {
    CONVK_WAVELETS_ON_()
    CONVK_EACH_(f, 2) tap[f][0] = CONVK_SET_(taps[f][a]);
    convk_wavelets_meet_(0, pairs - 1, 0, vectors, rows[2 * a] + i, tap, sum, partial, left, ahead);
  }
  CONVK_UNROLL_
  for (r = 1; r < pairs; r++) { /* and so do the last rows */
    CONVK_WAVELETS_ON_()
    convk_wavelets_meet_(r, pairs - 1, 0, vectors, rows[2 * (least + (size_t)r - 1)] + i, tap, sum, partial, left, ahead);
  }
#undef CONVK_WAVELETS_ON_
  if (more) {
    const CONVK_V last = CONVK_SET_(taps[1][least]);
    CONVK_EACH_(t, pairs) {
      convk_wavelets_row_(rows[2 * (least + (size_t)t)] + i, vectors, x, partial, left, ahead);
      CONVK_EACH_(c, vectors) sum[t][1][c] = CONVK_FMA_(last, x[c], sum[t][1][c]);
    }
  }
}

/* A tile of so many pairs of outputs and so many vectors.  Sums begin with -0, which changes nothing that is added to it, so
   that one text serves both halves; where an addition is an instruction of its own, the first product takes its place. */
CONVK_INLINE_ void convk_wavelets_tile_(int pairs, int vectors, const CONVK_T *const *rows, const convk_wavelets_taps_ *taps,
                                        size_t i, CONVK_T *const *out, size_t half, int partial, size_t left, int stream,
                                        size_t ahead) {
  CONVK_V sum[4][2][2];
  size_t p;
  int t, f, c;
  CONVK_EACH_(t, pairs) {
    CONVK_EACH_(f, 2) {
      CONVK_EACH_(c, vectors) sum[t][f][c] = CONVK_SIGN_;
    }
  }
  for (p = 0; p < 2; p++)
    convk_wavelets_half_(pairs, vectors, CONVK_WAVELETS_MORE_(taps), !CONVK_FUSES_ && !p, rows + p, taps->tap[p],
                         taps->count[p], i, sum, partial, left, ahead);
  CONVK_EACH_(t, pairs) {
    CONVK_EACH_(f, 2) convk_wavelets_put_(sum[t][f], vectors, out[2 * t + f], i, half, partial, left, stream);
  }
}

#if CONVK_REGISTERS_ >= 32
/* A block that is not yet turned: LANES / 2 pairs of LANES elements, the first outputs of all before the second ones. */
typedef struct convk_wavelets_block_ {
  CONVK_V v[CONVK_LANES];
  CONVK_T *to;
  size_t pitch, apart;
} convk_wavelets_block_;

CONVK_INLINE_ void convk_wavelets_turned_(const convk_wavelets_block_ *block) {
#ifdef CONVK_WAVELETS_TURNS_
  const size_t pitch = block->pitch;
  CONVK_V v[CONVK_LANES];
  int j;
  if (block->apart) {
    CONVK_EACH_(j, CONVK_LANES) v[j] = block->v[j];
    CONVK_TRANSPOSE_(v);
    CONVK_EACH_(j, CONVK_LANES) {
      CONVK_T *const to = block->to + (size_t)j * pitch;
      CONVK_STORE_HALVES_(to, to + block->apart, v[j]);
    }
  } else {
    CONVK_EACH_(j, CONVK_LANES) v[j] = block->v[j / 2 + j % 2 * (CONVK_LANES / 2)];
    CONVK_TRANSPOSE_(v);
    CONVK_EACH_(j, CONVK_LANES) CONVK_STORE_(block->to + (size_t)j * pitch, v[j]);
  }
#else
  (void)block;
#endif
}

/* Up to `max_taps` taps of each filter, of which all but the last one stay in registers, for a tile of four pairs and one
   vector, or of two and two: rows[2 r] is met by tap r - t of pair t.  first, second: how many taps either filter has from here
   on; less than `max_taps` by one at most, so that the last one comes behind all others. */
CONVK_INLINE_ void convk_wavelets_some_(int max_taps, int pairs, int vectors, const CONVK_T *const *rows,
                                        const CONVK_T (*taps)[CONVK_WAVELETS_TAPS_], size_t first, size_t second, size_t i,
                                        CONVK_V (*sum)[2][2], size_t ahead) {
  CONVK_V x[8 + 3][2], tap[2][8];
  const int last = max_taps - 1;
  int r, t, f, c;
  CONVK_EACH_(f, 2) {
    CONVK_EACH_(r, last) {
      tap[f][r] = CONVK_SET_(taps[f][r]);
      CONVK_KEEP_(tap[f][r]);
    }
  }
  CONVK_EACH_(r, last + pairs - 1) {
    convk_wavelets_row_(rows[2 * r] + i, vectors, x[r], 0, 0, ahead);
    CONVK_EACH_(t, pairs)
      if (r >= t && r < t + last) {
        CONVK_EACH_(f, 2) {
          CONVK_EACH_(c, vectors) sum[t][f][c] = CONVK_FMA_(tap[f][r - t], x[r][c], sum[t][f][c]);
        }
      }
  }
  if (second < (size_t)max_taps) return;
  convk_wavelets_row_(rows[2 * r] + i, vectors, x[r], 0, 0, ahead);
  CONVK_UNROLL_
  for (f = 1; f >= 0; f--) {
    if (!f && first < (size_t)max_taps) return;
    tap[f][last] = CONVK_SET_(taps[f][last]);
    CONVK_KEEP_(tap[f][last]);
    CONVK_EACH_(t, pairs) {
      CONVK_EACH_(c, vectors) sum[t][f][c] = CONVK_FMA_(tap[f][last], x[last + t][c], sum[t][f][c]);
    }
  }
}

/* The same for all taps, by 8 at a time, or where there may be `short_filters`, by 4.  Sums begin with -0, which changes
   nothing that is added to it.  late: NULL, or what is turned in the middle: the shuffles of its own sums at the end keep a Zen
   4 from its multiply-adds, 0.85 of its peak instead of 0.89. */
CONVK_INLINE_ void convk_wavelets_held_(int short_filters, int pairs, int vectors, const CONVK_T *const *rows,
                                        const convk_wavelets_taps_ *taps, size_t i, CONVK_V (*sum)[2][2],
                                        const convk_wavelets_block_ *late, size_t ahead) {
  size_t p, k;
  int t, f, c;
  CONVK_EACH_(t, pairs) {
    CONVK_EACH_(f, 2) {
      CONVK_EACH_(c, vectors) sum[t][f][c] = CONVK_SIGN_;
    }
  }
  for (p = 0; p < 2; p++) {
    const size_t first = taps->count[p], second = first + (size_t)taps->more;
    if (p && late) convk_wavelets_turned_(late);
    for (k = 0; k < second; k += 8) {
      const CONVK_T *const *const row = rows + 2 * k + p;
      const CONVK_T(*const tap)[CONVK_WAVELETS_TAPS_] = (const CONVK_T(*)[CONVK_WAVELETS_TAPS_])(taps->tap[p][0] + k);
      if (short_filters && second == 4) convk_wavelets_some_(4, pairs, vectors, row, tap, first, second, i, sum, ahead);
      else convk_wavelets_some_(8, pairs, vectors, row, tap, first - k, second - k, i, sum, ahead);
    }
  }
}

/* Whether there are kernels for so many taps. */
CONVK_INLINE_ int convk_wavelets_is_held_(const convk_wavelets_taps_ *taps) {
  const size_t even = taps->count[0], odd = taps->count[1];
  return taps->more ? even == 15 && odd == 15 : (even == 8 && odd == 8) || (even == 16 && odd == 15);
}

CONVK_INLINE_ void convk_wavelets_puts_(int pairs, int vectors, CONVK_V (*sum)[2][2], size_t i, CONVK_T *const *out,
                                        size_t half, int stream) {
  int t, f;
  CONVK_EACH_(t, pairs) {
    CONVK_EACH_(f, 2) convk_wavelets_put_(sum[t][f], vectors, out[2 * t + f], i, half, 0, 0, stream);
  }
}

/* All of some rows, of 2 vectors at least, by such tiles: the last one makes some elements again, the same. */
CONVK_INLINE_ size_t convk_wavelets_holds_(const CONVK_T *const *rows, const convk_wavelets_taps_ *taps, size_t n, size_t count,
                                           CONVK_T *const *out, size_t half, int stream, size_t ahead) {
  CONVK_V sum[4][2][2];
  size_t i, t = 0;
  for (; !half && t + 4 <= count; t += 4)
    for (i = 0; i < n; i += CONVK_LANES) {
      const int whole = i + CONVK_LANES <= n;
      const size_t at = whole ? i : n - CONVK_LANES;
      convk_wavelets_held_(0, 4, 1, rows + 2 * t, taps, at, sum, NULL, ahead);
      convk_wavelets_puts_(4, 1, sum, at, out + 2 * t, 0, stream & whole);
    }
#ifndef CONVK_WAVELETS_TURNS_ /* or blocks of rows take the other way, and few rows are left here */
  for (; t + 2 <= count; t += 2)
    for (i = 0; i < n; i += 2 * CONVK_LANES) {
      const int whole = i + 2 * CONVK_LANES <= n;
      const size_t at = whole ? i : n - 2 * CONVK_LANES;
      convk_wavelets_held_(0, 2, 2, rows + 2 * t, taps, at, sum, NULL, ahead);
      convk_wavelets_puts_(2, 2, sum, at, out + 2 * t, half, stream & whole);
    }
#endif
  return t;
}
#endif

#ifdef CONVK_WAVELETS_TURNS_
/* All of some rows by such tiles, whose sums turn on their way out, while those of the next tile are made. */
CONVK_RARE_ void convk_wavelets_turn_last_(const convk_wavelets_block_ *block) { convk_wavelets_turned_(block); }

static void convk_wavelets_turn_(const CONVK_T *const *rows, const convk_wavelets_taps_ *taps, size_t n, size_t pairs,
                                 CONVK_T *out, size_t pitch, size_t apart, size_t ahead, convk_fetch_ *fetch) {
  enum { group_ = CONVK_LANES / 2, late_ = group_ == 4 };
  CONVK_V sum[4][2][2];
  convk_wavelets_block_ block, last;
  size_t t, i, g;
  int j;
  convk_fetch_over_(fetch, convk_ceil_(2 * pairs, CONVK_LANES) * convk_ceil_(n, CONVK_LANES));
  block.to = out; /* where zeros go first, and then what belongs there */
  block.pitch = pitch;
  block.apart = apart;
  CONVK_EACH_(j, CONVK_LANES) block.v[j] = CONVK_SET_(0);
  for (t = 0; t < pairs; t += group_) {
    const size_t first = t + group_ <= pairs ? t : pairs - group_;
    for (i = 0; i < n; i += CONVK_LANES) {
      const size_t at = i + CONVK_LANES <= n ? i : n - CONVK_LANES;
      if (fetch) convk_fetch_some_(fetch, 1);
      for (g = 0; g < group_; g += 4) {
        convk_wavelets_held_(CONVK_FINDS_WAVELETS_, 4, 1, rows + 2 * (first + g), taps, at, sum, late_ ? &block : NULL, ahead);
        CONVK_EACH_(j, 4) {
          block.v[g + (size_t)j] = sum[j][0][0];
          block.v[g + (size_t)j + group_] = sum[j][1][0];
        }
      }
      block.to = out + at * pitch + (apart ? first : 2 * first);
      if (!late_) convk_wavelets_turned_(&block);
    }
  }
  if (late_) { /* a copy, as what another function sees would be in memory all the time */
    CONVK_EACH_(j, CONVK_LANES) last.v[j] = block.v[j];
    last.to = block.to;
    last.pitch = pitch;
    last.apart = apart;
    convk_wavelets_turn_last_(&last);
  }
  CONVK_LEAVE_
}
static size_t convk_wavelets_lanes_(const convk_wavelets_taps_ *taps) {
  const int short_ = !taps->more && taps->count[0] == 4 && taps->count[1] == 4;
  return short_ || convk_wavelets_is_held_(taps) ? CONVK_LANES : 0;
}
#define CONVK_WAVELETS_TABLE_ convk_wavelets_lanes_, convk_wavelets_turn_
#else
#define CONVK_WAVELETS_TABLE_ NULL, NULL
#endif

/* Elements i on of a pair by two vectors and then by parts of vectors.  A function of its own: this compiles slowly, and takes
   little time. */
CONVK_RARE_ void convk_wavelets_rest_(const CONVK_T *const *rows, const convk_wavelets_taps_ *taps, size_t i, size_t n,
                                      CONVK_T *const *out, size_t half, size_t ahead) {
  const size_t step = 2 * CONVK_LANES;
  for (; i + step <= n; i += step) convk_wavelets_tile_(1, 2, rows, taps, i, out, half, 0, 0, 0, ahead);
  for (; i < n; i += CONVK_LANES)
    convk_wavelets_tile_(1, 1, rows, taps, i, out, half, 1, n - i < CONVK_LANES ? n - i : CONVK_LANES, 0, ahead);
}

/* All of some rows by tiles: the last one makes some elements again, the same, where it fits in. */
CONVK_INLINE_ void convk_wavelets_tiles_(const CONVK_T *const *rows, const convk_wavelets_taps_ *taps, size_t n,
                                         CONVK_T *const *out, size_t half, int stream, size_t ahead) {
  const size_t step = 2 * CONVK_LANES, end = n < step ? 0 : half && n % 2 ? n / step * step : n;
  size_t i, t;
  for (i = 0; i < end; i += step) {
    const int whole = i + step <= end;
    convk_wavelets_tile_(CONVK_WAVELETS_PAIRS_, 2, rows, taps, whole ? i : n - step, out, half, 0, 0, stream & whole, ahead);
  }
  for (t = 0; end < n && t < CONVK_WAVELETS_PAIRS_; t++)
    convk_wavelets_rest_(rows + 2 * t, taps, end, n, out + 2 * t, half, ahead);
}

static void convk_wavelets_rows_(const CONVK_T *const *rows, const convk_wavelets_taps_ *taps, size_t n, size_t count,
                                 CONVK_T *const *out, size_t half, int stream, size_t ahead) {
  size_t t = 0;
  for (; stream && t < 2 * count; t++)
    if ((uintptr_t)out[t] % 64) stream = 0;
  t = 0;
#if CONVK_REGISTERS_ >= 32
  if (convk_wavelets_is_held_(taps) && n >= 2 * CONVK_LANES && !(half && n % 2))
    t = convk_wavelets_holds_(rows, taps, n, count, out, half, stream, ahead);
#endif
  for (; taps->count[1] >= CONVK_WAVELETS_PAIRS_ && t + CONVK_WAVELETS_PAIRS_ <= count; t += CONVK_WAVELETS_PAIRS_)
    convk_wavelets_tiles_(rows + 2 * t, taps, n, out + 2 * t, half, stream, ahead);
  for (; t < count; t++) convk_wavelets_rest_(rows + 2 * t, taps, 0, n, out + 2 * t, half, ahead);
  CONVK_LEAVE_
}

CONVK_INLINE_ void convk_wavelets_load_(const CONVK_T *row, int vectors, size_t pitch, CONVK_V *x) {
  int c;
  CONVK_EACH_(c, vectors) {
    x[c] = CONVK_LOAD_(row + (size_t)c * pitch);
    CONVK_FILTERS_KEEP_(x[c]); /* or it is loaded once for each filter */
  }
}

/* Half of the sums of some vectors, which begin `pitch` apart. */
CONVK_INLINE_ void convk_wavelets_sums_(int vectors, int more, int begins, const CONVK_T *row, size_t pitch,
                                        const CONVK_T (*taps)[CONVK_WAVELETS_TAPS_], size_t least, CONVK_V (*sum)[2]) {
  CONVK_V x[4];
  size_t k = 0;
  int c, f;
  if (begins) {
    convk_wavelets_load_(row, vectors, pitch, x);
    k = 1;
    CONVK_EACH_(f, 2) {
      const CONVK_V tap = CONVK_SET_(taps[f][0]);
      CONVK_EACH_(c, vectors) sum[c][f] = CONVK_MUL_(tap, x[c]);
    }
  }
  for (; k < least; k++) {
    convk_wavelets_load_(row + k, vectors, pitch, x);
    CONVK_EACH_(f, 2) {
      const CONVK_V tap = CONVK_SET_(taps[f][k]);
      CONVK_EACH_(c, vectors) sum[c][f] = CONVK_FMA_(tap, x[c], sum[c][f]);
    }
  }
  if (more) {
    const CONVK_V tap = CONVK_SET_(taps[1][least]);
    convk_wavelets_load_(row + least, vectors, pitch, x);
    CONVK_EACH_(c, vectors) sum[c][1] = CONVK_FMA_(tap, x[c], sum[c][1]);
  }
}

/* Pairs of some vectors, which begin pitch_in apart and leave results pitch_out apart, or what is left of one. */
CONVK_INLINE_ void convk_wavelets_step_(int vectors, const CONVK_T *even, const CONVK_T *odd, size_t pitch_in,
                                        const convk_wavelets_taps_ *taps, CONVK_T *out, size_t pitch_out, size_t apart,
                                        size_t left) {
  CONVK_V sum[4][2];
  int c;
  convk_wavelets_sums_(vectors, CONVK_WAVELETS_MORE_(taps), 1, even, pitch_in, taps->tap[0], taps->count[0], sum);
  convk_wavelets_sums_(vectors, CONVK_WAVELETS_MORE_(taps), 0, odd, pitch_in, taps->tap[1], taps->count[1], sum);
  CONVK_EACH_(c, vectors) {
    CONVK_T *const to = out + (size_t)c * pitch_out;
    if (left < CONVK_LANES) {
      CONVK_T lanes[2][CONVK_LANES];
      size_t j;
      CONVK_STORE_(lanes[0], sum[c][0]);
      CONVK_STORE_(lanes[1], sum[c][1]);
      for (j = 0; j < left; j++) {
        to[apart ? j : 2 * j] = CONVK_ONE_(lanes[0] + j);
        to[apart ? apart + j : 2 * j + 1] = CONVK_ONE_(lanes[1] + j);
      }
    } else if (apart) {
      CONVK_STORE_(to, sum[c][0]);
      CONVK_STORE_(to + apart, sum[c][1]);
    } else {
      CONVK_ZIP_(sum[c]);
      CONVK_STORE_(to, sum[c][0]);
      CONVK_STORE_(to + CONVK_LANES, sum[c][1]);
    }
  }
}

/* Four vectors at a time, of a row, or where that is too short, of four rows; the last ones make some elements again, the
   same. */
static void convk_wavelets_along_(const CONVK_T *even, const CONVK_T *odd, size_t pitch_in, const convk_wavelets_taps_ *taps,
                                  size_t pairs, size_t nrows, CONVK_T *out, size_t pitch_out, size_t apart) {
  const size_t each = apart ? 1 : 2; /* elements of the output from one pair to the next */
  const int wide = pairs >= 4 * CONVK_LANES;
  const size_t step = wide ? 4 * CONVK_LANES : CONVK_LANES, next_in = wide ? CONVK_LANES : pitch_in,
               next_out = wide ? each * CONVK_LANES : pitch_out;
  size_t i, rows;
  for (; nrows; nrows -= rows, even += rows * pitch_in, odd += rows * pitch_in, out += rows * pitch_out) {
    const int four = wide || (pairs >= CONVK_LANES && nrows >= 4);
    rows = four && !wide ? 4 : 1;
    for (i = 0; four && i < pairs; i += step) {
      const size_t at = i + step <= pairs ? i : pairs - step;
      convk_wavelets_step_(4, even + at, odd + at, next_in, taps, out + each * at, next_out, apart, step);
    }
    for (; i < pairs; i += CONVK_LANES)
      convk_wavelets_step_(1, even + i, odd + i, 0, taps, out + each * i, 0, apart, pairs - i);
  }
  CONVK_LEAVE_
}
#undef CONVK_WAVELETS_TURNS_
#undef CONVK_WAVELETS_PAIRS_
#undef CONVK_WAVELETS_MORE_

static const convk_wavelets_kernels_ convk_wavelets_table_ = {convk_filters_copy_, convk_filters_fence_, convk_wavelets_rows_,
                                                              convk_wavelets_along_, CONVK_WAVELETS_TABLE_};
#undef CONVK_WAVELETS_TABLE_
CONVK_LOCAL_ const convk_wavelets_kernels_ *convk_wavelets_kernel_table_(void) { return &convk_wavelets_table_; }
