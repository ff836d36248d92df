#if CONVK_IS_KERNEL_ && CONVK_HAS_SEPCONV_
/* ---- wavelets: two filters on one sequence of rows, in steps of two ---- */

/* Pairs of a tile, by the registers for their sums; one more register has a row, and one a tap. */
#define CONVK_DWT_PAIRS_ (CONVK_REGISTERS_ >= 32 ? 4 : 2)

/* Where a tile's sums go: plainly, or the even and the odd ones to halves so far apart. */
CONVK_INLINE_ void convk_dwt_put_(CONVK_V *v, int vectors, CONVK_T *out, size_t i, size_t half, int partial, size_t left,
                                  int stream) {
  int c;
  if (half && vectors == 2) {
    CONVK_UNZIP_(v);
    CONVK_STORE_(out + i / 2, v[0]);
    CONVK_STORE_(out + half + i / 2, v[1]);
  } else if (half) {
    CONVK_T few[CONVK_LANES];
    size_t j;
    CONVK_STORE_(few, v[0]);
    for (j = 0; j < left; j++) out[((i + j) % 2 ? half : 0) + (i + j) / 2] = CONVK_ONE_(few + j);
  } else {
    CONVK_UNROLL_
    for (c = 0; c < vectors; c++) {
      CONVK_T *to = out + i + (size_t)c * CONVK_LANES;
      if (partial) CONVK_STOREK_(to, v[c], left);
      else if (stream) CONVK_STREAM_(to, v[c]);
      else CONVK_STORE_(to, v[c]);
    }
  }
}

CONVK_INLINE_ void convk_dwt_row_(const CONVK_T *row, int vectors, CONVK_V *x, int partial, size_t left) {
  int c;
  CONVK_UNROLL_
  for (c = 0; c < vectors; c++) x[c] = partial ? CONVK_LOADK_(row, left) : CONVK_LOAD_(row + (size_t)c * CONVK_LANES);
}

/* A tile of so many pairs of outputs and so many vectors.  `least` taps are those of the shorter filter, at least 2 pairs - 1; the
   second has `more` of them.  Each row is loaded once. */
CONVK_INLINE_ void convk_dwt_tile_(int pairs, int vectors, int more, const CONVK_T *const *rows, const convk_dwt_taps_ *taps,
                                   size_t least, size_t i, CONVK_T *const *out, size_t half, int partial, size_t left,
                                   int stream) {
  CONVK_V sum[4][2][2], x[2];
  size_t k;
  int r, t, c, f;
  CONVK_UNROLL_
  for (r = 0; r < 2 * pairs - 1; r++) { /* they begin one after the other */
    convk_dwt_row_(rows[r] + i, vectors, x, partial, left);
    CONVK_UNROLL_
    for (t = 0; 2 * t <= r; t++) {
      CONVK_UNROLL_
      for (f = 0; f < 2; f++) {
        const CONVK_V tap = CONVK_SET_(taps->tap[f][r - 2 * t]);
        CONVK_UNROLL_
        for (c = 0; c < vectors; c++) sum[t][f][c] = r == 2 * t ? CONVK_MUL_(tap, x[c]) : CONVK_FMA_(tap, x[c], sum[t][f][c]);
      }
    }
  }
  for (k = (size_t)(2 * pairs - 1); k < least; k++) {
    convk_dwt_row_(rows[k] + i, vectors, x, partial, left);
    CONVK_UNROLL_
    for (t = 0; t < pairs; t++) {
      CONVK_UNROLL_
      for (f = 0; f < 2; f++) {
        const CONVK_V tap = CONVK_SET_(taps->tap[f][k - (size_t)(2 * t)]);
        CONVK_UNROLL_
        for (c = 0; c < vectors; c++) sum[t][f][c] = CONVK_FMA_(tap, x[c], sum[t][f][c]);
      }
    }
  }
  CONVK_UNROLL_
  for (r = 0; r < 2 * pairs - 2 + more; r++) { /* they end one after the other */
    convk_dwt_row_(rows[least + (size_t)r] + i, vectors, x, partial, left);
    CONVK_UNROLL_
    for (t = 0; t < pairs; t++) {
      CONVK_UNROLL_
      for (f = 0; f < 2; f++)
        if (r < 2 * t + (f ? more : 0)) {
          const CONVK_V tap = CONVK_SET_(taps->tap[f][least + (size_t)r - (size_t)(2 * t)]);
          CONVK_UNROLL_
          for (c = 0; c < vectors; c++) sum[t][f][c] = CONVK_FMA_(tap, x[c], sum[t][f][c]);
        }
    }
  }
  CONVK_UNROLL_
  for (t = 0; t < pairs; t++) {
    CONVK_UNROLL_
    for (f = 0; f < 2; f++) convk_dwt_put_(sum[t][f], vectors, out[2 * t + f], i, half, partial, left, stream);
  }
}

/* All of some rows by tiles of so many pairs; where the rows end, elements are made again, the same, or a part of a vector. */
CONVK_INLINE_ void convk_dwt_tiles_(int pairs, int more, const CONVK_T *const *rows, const convk_dwt_taps_ *taps, size_t n,
                                    CONVK_T *const *out, size_t half, int stream) {
  const size_t step = 2 * CONVK_LANES, least = taps->count[0];
  size_t i;
  for (i = 0; i + step <= n; i += step) convk_dwt_tile_(pairs, 2, more, rows, taps, least, i, out, half, 0, 0, stream);
  if (i < n && n >= step && !(half && n % 2)) {
    convk_dwt_tile_(pairs, 2, more, rows, taps, least, n - step, out, half, 0, 0, 0);
    return;
  }
  for (; i < n; i += CONVK_LANES)
    convk_dwt_tile_(pairs, 1, more, rows, taps, least, i, out, half, 1, n - i < CONVK_LANES ? n - i : CONVK_LANES, 0);
}

/* Tiles of more pairs while there are so many, of filters of equal or of different length. */
CONVK_INLINE_ size_t convk_dwt_pairs_(int pairs, const CONVK_T *const *rows, const convk_dwt_taps_ *taps, size_t n,
                                      size_t count, size_t t, CONVK_T *const *out, size_t half, int stream) {
  if (taps->count[0] + 1 < (size_t)(2 * pairs)) return t;
  for (; t + (size_t)pairs <= count; t += (size_t)pairs)
    if (taps->count[1] > taps->count[0]) convk_dwt_tiles_(pairs, 2, rows + 2 * t, taps, n, out + 2 * t, half, stream);
    else convk_dwt_tiles_(pairs, 0, rows + 2 * t, taps, n, out + 2 * t, half, stream);
  return t;
}

static void convk_dwt_rows_(const CONVK_T *const *rows, const convk_dwt_taps_ *taps, size_t n, size_t count,
                            CONVK_T *const *out, size_t half, int stream) {
  size_t t = 0;
  for (; stream && t < 2 * count; t++)
    if ((uintptr_t)out[t] % 64) stream = 0;
  t = convk_dwt_pairs_(CONVK_DWT_PAIRS_, rows, taps, n, count, 0, out, half, stream);
  convk_dwt_pairs_(1, rows, taps, n, count, t, out, half, stream);
  CONVK_LEAVE_
}

/* Sums of some vectors along a row: tap k takes what lies at even + k / 2 or odd + k / 2. */
CONVK_INLINE_ void convk_dwt_sums_(int vectors, int more, const CONVK_T *even, const CONVK_T *odd, const convk_dwt_taps_ *taps,
                                   size_t least, CONVK_V (*sum)[2]) {
  CONVK_V x[4];
  size_t k;
  int c, f, r;
  convk_dwt_row_(even, vectors, x, 0, 0);
  CONVK_UNROLL_
  for (f = 0; f < 2; f++) {
    const CONVK_V tap = CONVK_SET_(taps->tap[f][0]);
    CONVK_UNROLL_
    for (c = 0; c < vectors; c++) sum[c][f] = CONVK_MUL_(tap, x[c]);
  }
  for (k = 1; k + 1 < least; k += 2) {
    CONVK_UNROLL_
    for (r = 0; r < 2; r++) {
      convk_dwt_row_(r ? even + (k + 1) / 2 : odd + k / 2, vectors, x, 0, 0);
      CONVK_UNROLL_
      for (f = 0; f < 2; f++) {
        const CONVK_V tap = CONVK_SET_(taps->tap[f][k + (size_t)r]);
        CONVK_UNROLL_
        for (c = 0; c < vectors; c++) sum[c][f] = CONVK_FMA_(tap, x[c], sum[c][f]);
      }
    }
  }
  if (k < least) {
    convk_dwt_row_(odd + k / 2, vectors, x, 0, 0);
    CONVK_UNROLL_
    for (f = 0; f < 2; f++) {
      const CONVK_V tap = CONVK_SET_(taps->tap[f][k]);
      CONVK_UNROLL_
      for (c = 0; c < vectors; c++) sum[c][f] = CONVK_FMA_(tap, x[c], sum[c][f]);
    }
  }
  CONVK_UNROLL_
  for (r = 0; r < more; r++) { /* `least` is even then */
    const CONVK_V tap = CONVK_SET_(taps->tap[1][least + (size_t)r]);
    convk_dwt_row_((r ? odd : even) + least / 2, vectors, x, 0, 0);
    CONVK_UNROLL_
    for (c = 0; c < vectors; c++) sum[c][1] = CONVK_FMA_(tap, x[c], sum[c][1]);
  }
}

/* A row's pairs from i on: some vectors, or what is left of one. */
CONVK_INLINE_ void convk_dwt_step_(int vectors, int more, const CONVK_T *even, const CONVK_T *odd, const convk_dwt_taps_ *taps,
                                   size_t i, CONVK_T *out, size_t apart, size_t left) {
  CONVK_V sum[4][2];
  int c;
  convk_dwt_sums_(vectors, more, even + i, odd + i, taps, taps->count[0], sum);
  CONVK_UNROLL_
  for (c = 0; c < vectors; c++) {
    const size_t at = i + (size_t)c * CONVK_LANES;
    if (left < CONVK_LANES) {
      CONVK_T few[2][CONVK_LANES];
      size_t j;
      CONVK_STORE_(few[0], sum[c][0]);
      CONVK_STORE_(few[1], sum[c][1]);
      for (j = 0; j < left; j++) {
        out[apart ? at + j : 2 * (at + j)] = CONVK_ONE_(few[0] + j);
        out[apart ? apart + at + j : 2 * (at + j) + 1] = CONVK_ONE_(few[1] + j);
      }
    } else if (apart) {
      CONVK_STORE_(out + at, sum[c][0]);
      CONVK_STORE_(out + apart + at, sum[c][1]);
    } else {
      CONVK_ZIP_(sum[c]);
      CONVK_STORE_(out + 2 * at, sum[c][0]);
      CONVK_STORE_(out + 2 * at + CONVK_LANES, sum[c][1]);
    }
  }
}

CONVK_INLINE_ void convk_dwt_line_(int more, const CONVK_T *even, const CONVK_T *odd, const convk_dwt_taps_ *taps, size_t pairs,
                                   CONVK_T *out, size_t apart) {
  const size_t step = 4 * CONVK_LANES;
  size_t i;
  for (i = 0; i < pairs && pairs >= step; i += step)
    convk_dwt_step_(4, more, even, odd, taps, i + step <= pairs ? i : pairs - step, out, apart, step);
  for (; i < pairs; i += CONVK_LANES) convk_dwt_step_(1, more, even, odd, taps, i, out, apart, pairs - i);
}

static void convk_dwt_along_(const CONVK_T *even, const CONVK_T *odd, size_t pitch_in, const convk_dwt_taps_ *taps,
                             size_t pairs, size_t nrows, CONVK_T *out, size_t pitch_out, size_t apart) {
  size_t r;
  for (r = 0; r < nrows; r++)
    if (taps->count[1] > taps->count[0])
      convk_dwt_line_(2, even + r * pitch_in, odd + r * pitch_in, taps, pairs, out + r * pitch_out, apart);
    else convk_dwt_line_(0, even + r * pitch_in, odd + r * pitch_in, taps, pairs, out + r * pitch_out, apart);
  CONVK_LEAVE_
}
#endif
