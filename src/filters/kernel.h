/* KEEP (words/contract.h) where an instruction set has it. */
#undef CONVK_FILTERS_KEEP_
#ifdef CONVK_KEEP_
#define CONVK_FILTERS_KEEP_(v) CONVK_KEEP_(v)
#else
#define CONVK_FILTERS_KEEP_(v) ((void)0)
#endif

/* A vector at p, or with `partial` its first `left` elements, and 0 behind them. */
CONVK_INLINE_ CONVK_V convk_filters_get_(const CONVK_T *p, int partial, size_t left) {
  return partial ? CONVK_LOADK_(p, left) : CONVK_LOAD_(p);
}

/* Stores v at p, with `partial` its first `left` elements alone; stream: past the cache. */
CONVK_INLINE_ void convk_filters_set_(CONVK_T *p, CONVK_V v, int partial, size_t left, int stream) {
  if (partial) CONVK_STOREK_(p, v, left);
  else if (stream) CONVK_STREAM_(p, v);
  else CONVK_STORE_(p, v);
}

/* Stores vectors of sums of output t from i on, times their factors. */
CONVK_INLINE_ void convk_filters_sums_to_(CONVK_T *const *out, const CONVK_T *const *factor, size_t t, size_t i, CONVK_V *sum,
                                          const int vectors, int partial, size_t left, int stream) {
  int c;
  if (factor) {
    CONVK_EACH_(c, vectors) sum[c] = CONVK_MUL_(convk_filters_get_(factor[t] + i + c * CONVK_LANES, partial, left), sum[c]);
  }
  CONVK_EACH_(c, vectors) convk_filters_set_(out[t] + i + c * CONVK_LANES, sum[c], partial, left, stream);
}

/* Taps in registers: each fills a vector; or, where FMA_LANE multiplies by one lane of a vector, LANES of them share one, and
   a single one fills one.
   HELD: how many vectors `count` taps take; HOLD: vector k of these; MUL_TAP and FMA_TAP: by tap k of those in f. */
#ifdef CONVK_FMA_LANE_
#define CONVK_HELD_(count) ((count) < CONVK_LANES ? (count) : (count) / CONVK_LANES)
#define CONVK_HOLD_(taps, k, count) ((count) < CONVK_LANES ? CONVK_SET_((taps)[k]) : CONVK_LOAD_((taps) + (k)*CONVK_LANES))
#define CONVK_MUL_TAP_(f, k, x) CONVK_MUL_LANE_((f)[(k) / CONVK_LANES], (k) % CONVK_LANES, x)
#define CONVK_FMA_TAP_(f, k, x, s) CONVK_FMA_LANE_((f)[(k) / CONVK_LANES], (k) % CONVK_LANES, x, s)
#else
#define CONVK_HELD_(count) (count)
#define CONVK_HOLD_(taps, k, count) CONVK_SET_((taps)[k])
#define CONVK_MUL_TAP_(f, k, x) CONVK_MUL_((f)[k], x)
#define CONVK_FMA_TAP_(f, k, x, s) CONVK_FMA_((f)[k], x, s)
#endif
/* Loads `count` taps, 1, 4, 8 or 16, into f, as MUL_TAP and FMA_TAP take them. */
CONVK_INLINE_ void convk_filters_hold_(int count, const CONVK_T *taps, CONVK_V *f) {
  int k;
  CONVK_EACH_(k, 16)
    if (k < CONVK_HELD_(count)) f[k] = CONVK_HOLD_(taps, k, count);
}

/* A tile of `columns`, outputs x vectors, for outputs <= ntaps: each vector is loaded once, and a tap serves as many
   multiplications as there are vectors.  first: of the outputs, whose first row is at `rows`.  partial: one vector, with `left`
   elements. */
CONVK_INLINE_ void convk_filters_columns_tile_(int outputs, int vectors, const CONVK_T *const *rows, size_t ntaps,
                                               const CONVK_T *taps, size_t i, CONVK_T *const *out, const CONVK_T *const *factor,
                                               size_t first, int partial, size_t left, int stream) {
  CONVK_V sum[8][4], x[4], f[8];
  size_t k;
  int r, t, c;
  CONVK_EACH_(r, outputs) {
    CONVK_EACH_(c, vectors) x[c] = convk_filters_get_(rows[r] + i + c * CONVK_LANES, partial, left);
    CONVK_UNROLL_
    for (t = 0; t <= r; t++) {
      const CONVK_V tap = CONVK_SET_(taps[r - t]);
      CONVK_EACH_(c, vectors) sum[t][c] = r == t ? CONVK_MUL_(tap, x[c]) : CONVK_FMA_(tap, x[c], sum[t][c]);
    }
  }
  for (k = (size_t)outputs; k < ntaps; k++) {
    const CONVK_T *some = taps + k + 1 - outputs;
    CONVK_SCALAR_(some); /* or gcc keeps the taps of the turn before, and spreads each by a shuffle again */
    CONVK_EACH_(c, vectors) x[c] = convk_filters_get_(rows[k] + i + c * CONVK_LANES, partial, left);
    convk_filters_hold_(outputs, some, f);
    CONVK_EACH_(t, outputs) {
      CONVK_EACH_(c, vectors) sum[t][c] = CONVK_FMA_TAP_(f, outputs - 1 - t, x[c], sum[t][c]);
    }
  }
  CONVK_EACH_(r, outputs) { /* they end one after the other */
    if (r) {
      CONVK_EACH_(c, vectors) x[c] = convk_filters_get_(rows[ntaps - 1 + (size_t)r] + i + c * CONVK_LANES, partial, left);
    }
    CONVK_UNROLL_
    for (t = r ? r : outputs; t < outputs; t++) {
      const CONVK_V tap = CONVK_SET_(taps[ntaps - 1 + (size_t)r - (size_t)t]);
      CONVK_EACH_(c, vectors) sum[t][c] = CONVK_FMA_(tap, x[c], sum[t][c]);
    }
    convk_filters_sums_to_(out, factor, first + (size_t)r, i, sum[r], vectors, partial, left, stream);
  }
}

#if CONVK_TILE_16_
/* A tile for 16 taps, which stay in registers: eight outputs of TILE_16 vectors. */
CONVK_INLINE_ void convk_filters_columns_16_(const CONVK_T *const *rows, const CONVK_V *taps, size_t i, CONVK_T *const *out,
                                             const CONVK_T *const *factor, size_t first, int stream) {
  CONVK_V sum[8][CONVK_TILE_16_], x[CONVK_TILE_16_];
  int c, r, t;
  CONVK_EACH_(r, 8) { /* sums begin */
    CONVK_EACH_(c, CONVK_TILE_16_) x[c] = CONVK_LOAD_(rows[r] + i + c * CONVK_LANES);
    CONVK_UNROLL_
    for (t = 0; t <= r; t++) {
      CONVK_EACH_(c, CONVK_TILE_16_)
        sum[t][c] = r == t ? CONVK_MUL_TAP_(taps, 0, x[c]) : CONVK_FMA_TAP_(taps, r - t, x[c], sum[t][c]);
    }
  }
  CONVK_EACH_(r, 7) {
    CONVK_EACH_(c, CONVK_TILE_16_) x[c] = CONVK_LOAD_(rows[8 + r] + i + c * CONVK_LANES);
    CONVK_EACH_(t, 8) {
      CONVK_EACH_(c, CONVK_TILE_16_) sum[t][c] = CONVK_FMA_TAP_(taps, 8 + r - t, x[c], sum[t][c]);
    }
  }
  CONVK_EACH_(r, 8) { /* and end */
    CONVK_EACH_(c, CONVK_TILE_16_) x[c] = CONVK_LOAD_(rows[15 + r] + i + c * CONVK_LANES);
    CONVK_UNROLL_
    for (t = r; t < 8; t++) {
      CONVK_EACH_(c, CONVK_TILE_16_) sum[t][c] = CONVK_FMA_TAP_(taps, 15 + r - t, x[c], sum[t][c]);
    }
    convk_filters_sums_to_(out, factor, first + (size_t)r, i, sum[r], CONVK_TILE_16_, 0, 0, stream);
  }
}
#endif

#if !CONVK_TILE_OUT_
#define CONVK_FLOW_OUT_ 4 /* outputs of a tile, and taps at least: 8 sums, 2 vectors of x and 4 taps are 14 of 16 registers */
/* Bytes ahead that rows are fetched from beyond the L2: filters of 29 taps on 128^3 points took 0.82 to 0.87 of the time. */
#define CONVK_FLOW_AHEAD_ 192
/* Takes two vectors x from the input row at i, fetches what lies `ahead` bytes further, if that is not 0, and adds their
   products with tap[t] to sum[t] for outputs t = from .. to; all these are the caller's, and t and c, too.  begins: the sum of
   output `to` begins here. */
#define CONVK_FLOW_WINDOW_(from, to, begins) \
  if (ahead) CONVK_PREFETCH_L1_((uintptr_t)(row + i) + (uintptr_t)ahead); \
  x[0] = CONVK_LOAD_(row + i); \
  x[1] = CONVK_LOAD_(row + i + CONVK_LANES); \
  CONVK_UNROLL_ \
  for (t = 0; t < CONVK_FLOW_OUT_; t++) \
    if (from <= t && t <= to) { \
      CONVK_UNROLL_ \
      for (c = 0; c < 2; c++) sum[t][c] = begins && t == to ? CONVK_MUL_(tap[t], x[c]) : CONVK_FMA_(tap[t], x[c], sum[t][c]); \
    }
/* Taps move on to the next output. */
#define CONVK_FLOW_ON_() \
  CONVK_UNROLL_ \
  for (t = CONVK_FLOW_OUT_ - 1; t > 0; t--) tap[t] = tap[t - 1]

/* A tile of four outputs, two vectors wide.  Each input row is read once for all four: tap[t] is what output t
   multiplies it by, and moves to output t + 1 with the next row.  So eight multiplications take three loads (two of x, one of a
   tap) and a pointer, and a line that sets of the L1 do not keep is read once for four outputs.  There are ntaps + 3 rows. */
CONVK_INLINE_ void convk_filters_columns_flow_(const CONVK_T *const *rows, size_t ntaps, const CONVK_T *taps, size_t i,
                                               CONVK_T *const *out, const CONVK_T *const *factor, size_t first, int stream,
                                               int ahead) {
  CONVK_V sum[CONVK_FLOW_OUT_][2], x[2], tap[CONVK_FLOW_OUT_];
  size_t k;
  int c, r, t;
  for (t = 0; t < CONVK_FLOW_OUT_; t++) tap[t] = CONVK_SET_(0);
  CONVK_EACH_(r, CONVK_FLOW_OUT_) {
    const CONVK_T *const row = rows[r];
    CONVK_FLOW_ON_();
    tap[0] = CONVK_SET_(taps[r]);
    CONVK_FLOW_WINDOW_(0, r, 1)
  }
  for (k = CONVK_FLOW_OUT_; k < ntaps; k++) {
    const CONVK_T *const row = rows[k];
    CONVK_FLOW_ON_();
    tap[0] = CONVK_SET_(taps[k]);
    CONVK_FLOW_WINDOW_(0, CONVK_FLOW_OUT_, 0)
  }
  CONVK_UNROLL_
  for (r = 1; r < CONVK_FLOW_OUT_; r++) {
    const CONVK_T *const row = rows[ntaps - 1 + (size_t)r];
    CONVK_FLOW_ON_();
    CONVK_FLOW_WINDOW_(r, CONVK_FLOW_OUT_, 0)
  }
  CONVK_EACH_(t, CONVK_FLOW_OUT_) convk_filters_sums_to_(out, factor, first + (size_t)t, i, sum[t], 2, 0, 0, stream);
}
#endif

/* `columns` of the table: the largest tiles first, then what is left, in pairs of outputs and one by one. */
static void convk_filters_columns_(const CONVK_T *const *rows, size_t ntaps, const CONVK_T *taps, size_t n, size_t nout,
                                   CONVK_T *const *out, const CONVK_T *const *factor, int stream, convk_fetch_ *fetch) {
#ifdef CONVK_FMA_LANE_
  enum { few_ = 1 }; /* outputs of the tiles for what is left: two taps do not fill a vector of four */
#else
  enum { few_ = 2 };
#endif
  const size_t wide = 4 * CONVK_LANES, most = ntaps < few_ ? 1 : few_;
  size_t i, k, t = 0;
  for (k = 0; stream && k < nout; k++)
    if ((uintptr_t)out[k] % 64) stream = 0;
#if CONVK_TILE_16_
  if (ntaps == 16 && n >= CONVK_TILE_16_ * CONVK_LANES) {
    enum { step_ = CONVK_TILE_16_ * CONVK_LANES };
    CONVK_V f[CONVK_HELD_(16)];
    convk_fetch_over_(fetch, nout / 8 * (n / step_));
    convk_filters_hold_(16, taps, f);
    for (; t + 8 <= nout; t += 8)
      for (i = 0; i < n; i += step_) {
        const int whole = i + step_ <= n;
        if (fetch) convk_fetch_some_(fetch, 0);
        convk_filters_columns_16_(rows + t, f, whole ? i : n - step_, out, factor, t, stream & whole);
      }
  }
#endif
#if !CONVK_TILE_OUT_
  if (ntaps >= CONVK_FLOW_OUT_ && n >= 2 * CONVK_LANES && nout >= CONVK_FLOW_OUT_) {
    const size_t tiles = nout / CONVK_FLOW_OUT_;
    convk_fetch_over_(fetch, tiles * n / (2 * CONVK_LANES));
    t = tiles * CONVK_FLOW_OUT_;
    for (i = 0; i < n; i += 2 * CONVK_LANES) { /* the last tiles make some outputs again, the same */
      const int whole = i + 2 * CONVK_LANES <= n;
      const size_t at = whole ? i : n - 2 * CONVK_LANES;
      for (k = 0; k < t; k += CONVK_FLOW_OUT_) {
        if (fetch) {
          convk_fetch_some_(fetch, 0);
          convk_filters_columns_flow_(rows + k, ntaps, taps, at, out, factor, k, stream & whole, CONVK_FLOW_AHEAD_);
        } else {
          convk_filters_columns_flow_(rows + k, ntaps, taps, at, out, factor, k, stream & whole, 0);
        }
      }
    }
  }
#endif
#if CONVK_TILE_OUT_
  convk_fetch_over_(fetch, nout * n / (CONVK_TILE_OUT_ * CONVK_TILE_VEC_ * CONVK_LANES));
  for (; ntaps >= CONVK_TILE_OUT_ && t + CONVK_TILE_OUT_ <= nout; t += CONVK_TILE_OUT_)
    if (n >= CONVK_TILE_VEC_ * CONVK_LANES)
      for (i = 0; i < n; i += CONVK_TILE_VEC_ * CONVK_LANES) { /* the last tile makes some outputs again, the same */
        const int whole = i + CONVK_TILE_VEC_ * CONVK_LANES <= n;
        if (fetch) convk_fetch_some_(fetch, 0);
        convk_filters_columns_tile_(CONVK_TILE_OUT_, CONVK_TILE_VEC_, rows + t, ntaps, taps,
                                    whole ? i : n - CONVK_TILE_VEC_ * CONVK_LANES, out, factor, t, 0, 0, stream & whole);
      }
    else
      for (i = 0; i < n; i += CONVK_LANES)
        convk_filters_columns_tile_(CONVK_TILE_OUT_, 1, rows + t, ntaps, taps, i, out, factor, t, 1,
                                    n - i < CONVK_LANES ? n - i : CONVK_LANES, 0);
#endif
  if (n >= wide && t < nout) {
    const size_t first = t;
    convk_fetch_over_(fetch, convk_ceil_(nout - t, most) * n / wide);
    for (i = 0; i < n; i += wide) {
      const int whole = i + wide <= n;
      const size_t at = whole ? i : n - wide;
      for (t = first; t < nout; t += k) {
        k = t + most <= nout ? most : 1;
        if (fetch) convk_fetch_some_(fetch, 0);
        if (k == few_) convk_filters_columns_tile_(few_, 4, rows + t, ntaps, taps, at, out, factor, t, 0, 0, stream & whole);
        else convk_filters_columns_tile_(1, 4, rows + t, ntaps, taps, at, out, factor, t, 0, 0, stream & whole);
      }
    }
  }
  for (; t < nout; t++)
    for (i = 0; i < n; i += CONVK_LANES)
      convk_filters_columns_tile_(1, 1, rows + t, ntaps, taps, i, out, factor, t, 1, n - i < CONVK_LANES ? n - i : CONVK_LANES,
                                  0);
  CONVK_LEAVE_
}

/* One vector into what is left of a row. */
CONVK_INLINE_ void convk_filters_put_(CONVK_T *out, CONVK_V v, size_t left) {
  if (left >= CONVK_LANES) CONVK_STORE_(out, v);
  else CONVK_STOREK_(out, v, left);
}

#if CONVK_ROW_ROWS_
/* `rows` for 16 taps: a strip of ROW_ROWS rows, in groups of ROW_BESIDE rows that share a vector (words/contract.h).  A vector
   has a step of STEP outputs of each row of its group, which take their 16 taps from windows of REACH = 16 / STEP steps.  REACH
   sums are under way at a time; for STEP = 4 and taps t0 .. t15:

     windows from       x0..x3    x4..x7    x8..x11   x12..x15  x16..x19
     sum of y0..y3      t0-t3     t4-t7     t8-t11    t12-t15                 stored behind x12..x15
     sum of y4..y7                t0-t3     t4-t7     t8-t11    t12-t15
     sum of y8..y11                         t0-t3     t4-t7     t8-t11 ...

   The window from x1 on is x1 x2 x3 x4.  Each window, loaded or shifted once, serves REACH sums. */
#define CONVK_STEP_ (CONVK_LANES / CONVK_ROW_BESIDE_)
#define CONVK_REACH_ (16 / CONVK_STEP_)
#define CONVK_GROUPS_ (CONVK_ROW_ROWS_ / CONVK_ROW_BESIDE_)

/* One step of input at `in`, a column of the drawing, for the sums of age from .. to: a sum of age m began m steps before.
   Window k is the input from in + k on; it has tap m STEP + k in the sum of age m.  here: the vectors of this step, then of the
   next. */
CONVK_INLINE_ void convk_filters_rows_block_(const CONVK_T *in, size_t pitch_in, const CONVK_V *taps, CONVK_V *here,
                                             CONVK_V (*sum)[CONVK_GROUPS_], int from, int to) {
  CONVK_V next[CONVK_GROUPS_];
  int k, m, r;
  CONVK_EACH_(r, CONVK_GROUPS_)
    if (CONVK_ROW_BESIDE_ > 1) next[r] = CONVK_BESIDE_(in + (size_t)(r * CONVK_ROW_BESIDE_) * pitch_in + CONVK_STEP_, pitch_in);
  CONVK_EACH_(k, CONVK_STEP_) {
    CONVK_EACH_(r, CONVK_GROUPS_) {
      CONVK_V x = CONVK_WINDOW_(in + (size_t)(r * CONVK_ROW_BESIDE_) * pitch_in, here[r], next[r], k);
      CONVK_KEEP_(x); /* or it is loaded once for each use */
      CONVK_UNROLL_
      for (m = CONVK_REACH_ - 1; m >= 0; m--)
        if (from <= m && m <= to) {
          sum[m][r] = m + k == 0 ? CONVK_MUL_TAP_(taps, 0, x) : CONVK_FMA_TAP_(taps, m * CONVK_STEP_ + k, x, sum[m][r]);
          CONVK_KEEP_(sum[m][r]);
        }
    }
  }
  CONVK_EACH_(r, CONVK_GROUPS_)
    if (CONVK_ROW_BESIDE_ > 1) here[r] = next[r];
}

/* The end of rows: the first `left` elements of each row's step. */
CONVK_RARE_ void convk_filters_rows_partial_(const CONVK_T *steps, CONVK_T *out, size_t pitch_out, size_t left) {
  size_t i, r;
  for (r = 0; r < CONVK_ROW_BESIDE_; r++)
    for (i = 0; i < left; i++) out[r * pitch_out + i] = steps[r * CONVK_STEP_ + i];
}

/* Stores the oldest sums, which are complete; the others grow older. */
CONVK_INLINE_ void convk_filters_rows_store_(CONVK_V (*sum)[CONVK_GROUPS_], CONVK_T *out, size_t pitch_out, size_t left) {
  int m, r;
  CONVK_EACH_(r, CONVK_GROUPS_) {
    const CONVK_V v = sum[CONVK_REACH_ - 1][r];
    CONVK_T *to = out + (size_t)(r * CONVK_ROW_BESIDE_) * pitch_out;
    if (CONVK_ROW_BESIDE_ == 1) {
      convk_filters_put_(to, v, left);
    } else if (left >= CONVK_STEP_) {
      CONVK_STORE_BESIDE_(to, pitch_out, v);
    } else {
      CONVK_T steps[CONVK_LANES];
      CONVK_STORE_(steps, v);
      convk_filters_rows_partial_(steps, to, pitch_out, left);
    }
  }
  CONVK_UNROLL_
  for (m = CONVK_REACH_ - 1; m > 0; m--) {
    CONVK_EACH_(r, CONVK_GROUPS_) sum[m][r] = sum[m - 1][r];
  }
}

/* A strip from end to end: steps where sums only begin, steps where one begins and one ends, steps where sums only end.  A
   function of its own, or registers for addresses run out. */
CONVK_RARE_ void convk_filters_rows_strip_(const CONVK_T *in, size_t pitch_in, const CONVK_T *taps, size_t n, CONVK_T *out,
                                           size_t pitch_out) {
  CONVK_V sum[CONVK_REACH_][CONVK_GROUPS_], f[CONVK_HELD_(16)], here[CONVK_GROUPS_];
  size_t i;
  int j, m, r;
  convk_filters_hold_(16, taps, f);
  CONVK_EACH_(r, CONVK_GROUPS_)
    if (CONVK_ROW_BESIDE_ > 1) here[r] = CONVK_BESIDE_(in + (size_t)(r * CONVK_ROW_BESIDE_) * pitch_in, pitch_in);
  CONVK_EACH_(j, CONVK_REACH_ - 1) {
    convk_filters_rows_block_(in + j * CONVK_STEP_, pitch_in, f, here, sum, 0, j);
    CONVK_UNROLL_
    for (m = j + 1; m > 0; m--) {
      CONVK_EACH_(r, CONVK_GROUPS_) sum[m][r] = sum[m - 1][r];
    }
  }
  in += 16 - CONVK_STEP_;
  i = 0;
  for (; CONVK_ROW_TURN_ > 1 && i + CONVK_ROW_TURN_ * CONVK_STEP_ + 16 - 2 * CONVK_STEP_ < n;
       i += CONVK_ROW_TURN_ * CONVK_STEP_) {
    CONVK_EACH_(j, CONVK_ROW_TURN_) {
      convk_filters_rows_block_(in + i + j * CONVK_STEP_, pitch_in, f, here, sum, 0, CONVK_REACH_ - 1);
      convk_filters_rows_store_(sum, out + i + j * CONVK_STEP_, pitch_out, CONVK_STEP_);
    }
  }
  for (; i + 16 - CONVK_STEP_ < n; i += CONVK_STEP_) {
    CONVK_REREAD_(f);
    convk_filters_rows_block_(in + i, pitch_in, f, here, sum, 0, CONVK_REACH_ - 1);
    convk_filters_rows_store_(sum, out + i, pitch_out, CONVK_STEP_);
  }
  CONVK_UNROLL_
  for (j = 1; j < CONVK_REACH_; j++) { /* nothing begins any more */
    convk_filters_rows_block_(in + i, pitch_in, f, here, sum, j, CONVK_REACH_ - 1);
    convk_filters_rows_store_(sum, out + i, pitch_out, i < n ? n - i : 0);
    i += CONVK_STEP_;
  }
}
#endif

/* Any number of taps: four rows, two vectors wide; a window serves both vectors where it lies in the reach of both. */
CONVK_INLINE_ void convk_filters_rows_tile_(const CONVK_T *const *in, size_t ntaps, const CONVK_T *taps, size_t i, size_t left,
                                            CONVK_T *const *out) {
  CONVK_V s[4], t[4];
  size_t p;
  int r;
  CONVK_EACH_(r, 4) {
    s[r] = CONVK_MUL_(CONVK_SET_(taps[0]), CONVK_LOAD_(in[r] + i));
    t[r] = CONVK_SET_(0);
  }
  for (p = 1; p < ntaps && p < CONVK_LANES; p++) {
    const CONVK_V f = CONVK_SET_(taps[p]);
    CONVK_EACH_(r, 4) s[r] = CONVK_FMA_(f, CONVK_LOAD_(in[r] + i + p), s[r]);
  }
  if (left > CONVK_LANES) {
    CONVK_EACH_(r, 4) t[r] = CONVK_MUL_(CONVK_SET_(taps[0]), CONVK_LOAD_(in[r] + i + CONVK_LANES));
  }
  if (ntaps > CONVK_LANES) {
    CONVK_EACH_(r, 4) s[r] = CONVK_FMA_(CONVK_SET_(taps[CONVK_LANES]), CONVK_LOAD_(in[r] + i + CONVK_LANES), s[r]);
  }
  for (p = CONVK_LANES + 1; p < ntaps; p++) {
    const CONVK_V f = CONVK_SET_(taps[p]), g = CONVK_SET_(taps[p - CONVK_LANES]);
    CONVK_EACH_(r, 4) {
      const CONVK_V x = CONVK_LOAD_(in[r] + i + p);
      s[r] = CONVK_FMA_(f, x, s[r]);
      t[r] = CONVK_FMA_(g, x, t[r]);
    }
  }
  if (left > CONVK_LANES)
    for (; p < ntaps + CONVK_LANES; p++) {
      const CONVK_V g = CONVK_SET_(taps[p - CONVK_LANES]);
      CONVK_EACH_(r, 4) t[r] = CONVK_FMA_(g, CONVK_LOAD_(in[r] + i + p), t[r]);
    }
  CONVK_EACH_(r, 4) {
    convk_filters_put_(out[r] + i, s[r], left);
    if (left > CONVK_LANES) convk_filters_put_(out[r] + i + CONVK_LANES, t[r], left - CONVK_LANES);
  }
}

static void convk_filters_along_x_(const CONVK_T *in, size_t pitch_in, size_t ntaps, const CONVK_T *taps, size_t n,
                                   size_t nrows, CONVK_T *out, size_t pitch_out) {
  size_t i, k, r = 0;
#if CONVK_ROW_ROWS_
  if (ntaps == 16 && nrows >= CONVK_ROW_ROWS_)
    for (; r < nrows; r += CONVK_ROW_ROWS_) { /* the last strip makes some rows again, the same */
      const size_t at = r + CONVK_ROW_ROWS_ <= nrows ? r : nrows - CONVK_ROW_ROWS_;
      convk_filters_rows_strip_(in + at * pitch_in, pitch_in, taps, n, out + at * pitch_out, pitch_out);
    }
#undef CONVK_STEP_
#undef CONVK_REACH_
#undef CONVK_GROUPS_
#endif
#undef CONVK_HELD_
#undef CONVK_HOLD_
#undef CONVK_MUL_TAP_
#undef CONVK_FMA_TAP_
  for (; r < nrows; r += 4) {
    const CONVK_T *x[4];
    CONVK_T *y[4];
    for (k = 0; k < 4; k++) {
      const size_t at = r + k < nrows ? r + k : nrows - 1;
      x[k] = in + at * pitch_in;
      y[k] = out + at * pitch_out;
    }
    for (i = 0; i < n; i += 2 * CONVK_LANES) convk_filters_rows_tile_(x, ntaps, taps, i, n - i, y);
  }
  CONVK_LEAVE_
}

static void convk_filters_fence_(void) { CONVK_FENCE_; }

static void convk_filters_copy_(const CONVK_T *in, CONVK_T *out, size_t pitch, size_t n, size_t nrows) {
  size_t i, r;
  for (i = 0; i < n; i += CONVK_LANES) {
    const size_t left = n - i < CONVK_LANES ? n - i : CONVK_LANES;
    for (r = 0; r < nrows; r++)
      CONVK_STOREK_(out + r * pitch + i, in ? CONVK_LOADK_(in + r * pitch + i, left) : CONVK_SET_(0), left);
  }
  CONVK_LEAVE_
}

static void convk_filters_transpose_(const CONVK_T *in, size_t ld_in, size_t n, size_t nrows, CONVK_T *out, size_t ld_out) {
  size_t i, j;
  int k;
  for (j = 0; j < nrows; j += CONVK_LANES) {
    const size_t left = nrows - j < CONVK_LANES ? nrows - j : CONVK_LANES;
    const int whole = left == CONVK_LANES && n >= CONVK_LANES;
    for (i = 0; whole && i < n; i += CONVK_LANES) { /* the last square makes some columns again, the same */
      const size_t at = i + CONVK_LANES <= n ? i : n - CONVK_LANES;
      CONVK_V v[CONVK_LANES];
#ifdef CONVK_TRANSPOSE_FROM_
      const CONVK_T *row[CONVK_LANES];
      CONVK_EACH_(k, CONVK_LANES) row[k] = in + (j + (size_t)k) * ld_in + at;
      CONVK_TRANSPOSE_FROM_(row, v);
#else
      CONVK_EACH_(k, CONVK_LANES) v[k] = CONVK_LOAD_(in + (j + (size_t)k) * ld_in + at);
      CONVK_TRANSPOSE_(v);
#endif
      CONVK_EACH_(k, CONVK_LANES) CONVK_STORE_(out + (at + (size_t)k) * ld_out + j, v[k]);
    }
    for (i = whole ? n : 0; i < n; i++) {
      size_t q;
      for (q = 0; q < left; q++) out[i * ld_out + j + q] = CONVK_ONE_(in + (j + q) * ld_in + i);
    }
  }
  CONVK_LEAVE_
}

/* Sums over one row keep 16 lanes, element i in lane i mod 16, whatever the vectors are; then a fixed tree. */
CONVK_INLINE_ double convk_filters_tree_(CONVK_D *lanes) {
  double s[CONVK_DLANES_];
  int i, h;
  CONVK_UNROLL_
  for (h = 8; h >= CONVK_DLANES_; h /= 2) {
    CONVK_EACH_(i, h / CONVK_DLANES_) lanes[i] = CONVK_DADD_(lanes[i], lanes[i + h / CONVK_DLANES_]);
  }
  CONVK_DSTORE_(s, lanes[0]);
  CONVK_UNROLL_
  for (h = CONVK_DLANES_ / 2; h > 0; h /= 2) {
    CONVK_EACH_(i, h) s[i] += s[i + h];
  }
  return s[0];
}

/* The sum of a[i] b[i] over one row, or of potential[i] b[i] b[i] where there is no a. */
static double convk_filters_sum_(const CONVK_T *a, const CONVK_T *potential, const CONVK_T *b, size_t n) {
  enum { CONVK_PARTS_ = CONVK_LANES / CONVK_DLANES_, CONVK_SUMS_ = 16 / CONVK_DLANES_ };
  CONVK_D sum[CONVK_SUMS_], lanes[CONVK_SUMS_];
  size_t i, c, h, j;
  CONVK_EACH_(j, CONVK_SUMS_) sum[j] = CONVK_DZERO_;
  for (i = 0; i + 16 <= n; i += 16) {
    CONVK_UNROLL_
    for (j = 0; j < CONVK_SUMS_; j += CONVK_PARTS_) {
      const size_t at = i + j * CONVK_DLANES_;
      const CONVK_V v = CONVK_LOAD_(b + at), u = a ? CONVK_LOAD_(a + at) : CONVK_MUL_(CONVK_LOAD_(potential + at), v);
      CONVK_EACH_(h, CONVK_PARTS_) sum[j + h] = CONVK_DFMA_(CONVK_DPART_(u, h), CONVK_DPART_(v, h), sum[j + h]);
    }
  }
  CONVK_EACH_(j, CONVK_SUMS_) lanes[j] = sum[j];
  for (c = 0; i < n; i += CONVK_LANES) { /* these are found by their number, and lie in memory */
    const size_t left = n - i < CONVK_LANES ? n - i : CONVK_LANES;
    const CONVK_V v = CONVK_LOADK_(b + i, left);
    const CONVK_V u = a ? CONVK_LOADK_(a + i, left) : CONVK_MUL_(CONVK_LOADK_(potential + i, left), v);
    for (h = 0; h < CONVK_PARTS_; h++, c++) lanes[c] = CONVK_DFMA_(CONVK_DPART_(u, h), CONVK_DPART_(v, h), lanes[c]);
  }
  return convk_filters_tree_(lanes);
}

/* What the epilogue does to a vector, but for sums. */
CONVK_INLINE_ void convk_filters_finish_some_(const convk_sepconv_epilogue *epilogue, const CONVK_T *r,
                                              const CONVK_T *potential, CONVK_T *density, CONVK_T *out, size_t ahead,
                                              int stream, int partial, size_t left) {
  const CONVK_V v = convk_filters_get_(r, partial, left);
  CONVK_V w = v;
  if (density) {
    const CONVK_V d =
        CONVK_FMA_(CONVK_SET_(epilogue->density_factor), CONVK_MUL_(v, v), convk_filters_get_(density, partial, left));
    CONVK_PREFETCH_((uintptr_t)density + ahead);
    convk_filters_set_(density, d, partial, left, 0);
  }
  if (potential) {
    CONVK_PREFETCH_((uintptr_t)potential + ahead);
    w = CONVK_MUL_(convk_filters_get_(potential, partial, left), v);
  }
  if (!out) return;
  if (CONVK_FINDS_FILTERS_ && epilogue->update) {
    CONVK_PREFETCH_((uintptr_t)out + ahead);
    w = CONVK_FMA_(CONVK_SET_(epilogue->a), w, CONVK_MUL_(CONVK_SET_(epilogue->b), convk_filters_get_(out, partial, left)));
  }
  convk_filters_set_(out, w, partial, left, stream);
}

static void convk_filters_finish_(const convk_sepconv_epilogue *epilogue, size_t offset, size_t pitch, size_t n, size_t nrows,
                                  const CONVK_T *r, const CONVK_T *x, size_t pitch_x, CONVK_T *out, double *dot, double *energy,
                                  size_t ahead, int stream) {
  const CONVK_T *potential = epilogue->potential ? epilogue->potential + offset : NULL;
  CONVK_T *density = CONVK_FINDS_FILTERS_ && epilogue->density ? epilogue->density + offset : NULL; /* hamiltonian has none */
  size_t k, i;
  for (k = 0; k < nrows; k++) {
    const int past = stream && !epilogue->update && (uintptr_t)out % 64 == 0;
    if (dot) dot[k] = convk_filters_sum_(x + k * pitch_x, NULL, r, n);
    if (energy) energy[k] = convk_filters_sum_(NULL, potential, r, n);
    for (i = 0; i < n; i += CONVK_LANES) {
      CONVK_T *to = out ? out + i : NULL, *dense = density ? density + i : NULL;
      const CONVK_T *from = potential ? potential + i : NULL;
      if (i + CONVK_LANES <= n) {
        convk_filters_finish_some_(epilogue, r + i, from, dense, to, ahead, past, 0, 0);
      } else {
        convk_filters_finish_some_(epilogue, r + i, from, dense, to, ahead, 0, 1, n - i);
      }
    }
    r += n;
    if (potential) potential += pitch;
    if (density) density += pitch;
    if (out) out += pitch;
  }
  CONVK_LEAVE_
}

static const convk_filters_kernels_ convk_filters_table_ = {convk_filters_columns_,   convk_filters_fence_,
                                                            convk_filters_along_x_,   convk_filters_copy_,
                                                            convk_filters_transpose_, convk_filters_finish_};
CONVK_LOCAL_ const convk_filters_kernels_ *convk_filters_kernel_table_(void) { return &convk_filters_table_; }
