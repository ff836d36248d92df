
#if CONVK_TILE_OUT_
/* One tile of `columns` for 16 taps: the taps stay in registers where there are enough. */
CONVK_INLINE_ void CONVK_KERNEL_(sepconv_columns_tile)(const CONVK_T *const *rows, const CONVK_V *taps, size_t i,
                                                       CONVK_T *const *out, int stream) {
  CONVK_V sum[CONVK_TILE_OUT_][CONVK_TILE_VEC_];
  int r, t, c;
  CONVK_UNROLL_
  for (r = 0; r < CONVK_TILE_OUT_ + 15; r++) {
    CONVK_V x[CONVK_TILE_VEC_];
    CONVK_UNROLL_
    for (c = 0; c < CONVK_TILE_VEC_; c++) x[c] = CONVK_LOAD_(rows[r] + i + c * CONVK_LANES);
    CONVK_UNROLL_
    for (t = 0; t < CONVK_TILE_OUT_; t++) {
      CONVK_UNROLL_
      for (c = 0; c < CONVK_TILE_VEC_; c++) {
        if (r == t) sum[t][c] = CONVK_MUL_(taps[0], x[c]);
        if (r > t && r < t + 16) sum[t][c] = CONVK_FMA_(taps[r - t], x[c], sum[t][c]);
        if (r == t + 15) {
          if (stream) CONVK_STREAM_(out[t] + i + c * CONVK_LANES, sum[t][c]);
          else CONVK_STORE_(out[t] + i + c * CONVK_LANES, sum[t][c]);
        }
      }
    }
  }
}
#endif

/* Any number of taps: two outputs from each row, four vectors wide, so that loads stay behind multiplications. */
CONVK_INLINE_ void CONVK_KERNEL_(sepconv_columns_pair)(const CONVK_T *const *rows, size_t ntaps, const CONVK_T *taps, size_t i,
                                                       CONVK_T *const *out, int stream) {
  CONVK_V f = CONVK_SET_(taps[0]), s[4], t[4];
  size_t k;
  int c;
  CONVK_UNROLL_
  for (c = 0; c < 4; c++) {
    s[c] = CONVK_MUL_(f, CONVK_LOAD_(rows[0] + i + c * CONVK_LANES));
    t[c] = CONVK_MUL_(f, CONVK_LOAD_(rows[1] + i + c * CONVK_LANES));
  }
  for (k = 1; k < ntaps; k++) {
    f = CONVK_SET_(taps[k]);
    CONVK_UNROLL_
    for (c = 0; c < 4; c++) {
      s[c] = CONVK_FMA_(f, CONVK_LOAD_(rows[k] + i + c * CONVK_LANES), s[c]);
      t[c] = CONVK_FMA_(f, CONVK_LOAD_(rows[k + 1] + i + c * CONVK_LANES), t[c]);
    }
  }
  CONVK_UNROLL_
  for (c = 0; c < 4; c++) {
    if (stream) {
      CONVK_STREAM_(out[0] + i + c * CONVK_LANES, s[c]);
      CONVK_STREAM_(out[1] + i + c * CONVK_LANES, t[c]);
    } else {
      CONVK_STORE_(out[0] + i + c * CONVK_LANES, s[c]);
      CONVK_STORE_(out[1] + i + c * CONVK_LANES, t[c]);
    }
  }
}

static void CONVK_KERNEL_(sepconv_columns)(const CONVK_T *const *rows, size_t ntaps, const CONVK_T *taps, size_t n, size_t nout,
                                           CONVK_T *const *out, int stream) {
  const size_t wide = 4 * CONVK_LANES;
  size_t i, k, t = 0;
  for (k = 0; k < nout; k++)
    if ((uintptr_t)out[k] % 64) stream = 0;
#if CONVK_TILE_OUT_
  if (ntaps == 16 && n >= CONVK_TILE_VEC_ * CONVK_LANES) {
    const size_t width = CONVK_TILE_VEC_ * CONVK_LANES;
    CONVK_V f[16];
    CONVK_UNROLL_
    for (k = 0; k < 16; k++) f[k] = CONVK_SET_(taps[k]);
    for (; t + CONVK_TILE_OUT_ <= nout; t += CONVK_TILE_OUT_)
      for (i = 0; i < n; i += width) { /* the last tile makes some outputs again, the same */
        const int whole = i + width <= n;
        CONVK_KERNEL_(sepconv_columns_tile)(rows + t, f, whole ? i : n - width, out + t, stream & whole);
      }
  }
#endif
  if (n >= wide && t + 2 <= nout) {
    const size_t first = t, pairs = (nout - t) / 2;
    t += 2 * pairs;
    for (i = 0; i < n; i += wide) {
      const int whole = i + wide <= n;
      const size_t at = whole ? i : n - wide;
      for (k = 0; k < pairs; k++)
        CONVK_KERNEL_(sepconv_columns_pair)(rows + first + 2 * k, ntaps, taps, at, out + first + 2 * k, stream & whole);
    }
  }
  for (; t < nout; t++)
    for (i = 0; i < n; i += CONVK_LANES) {
      const size_t left = n - i < CONVK_LANES ? n - i : CONVK_LANES;
      CONVK_V s = CONVK_MUL_(CONVK_SET_(taps[0]), CONVK_LOADK_(rows[t] + i, left));
      for (k = 1; k < ntaps; k++) s = CONVK_FMA_(CONVK_SET_(taps[k]), CONVK_LOADK_(rows[t + k] + i, left), s);
      CONVK_STOREK_(out[t] + i, s, left);
    }
  CONVK_LEAVE_
}

#if CONVK_ROW_VEC_
/* One tile of `rows` for 16 taps: each window of the row, shifted by 0 .. lanes - 1 from a vector of it, serves every output
   vector of the tile that it reaches. */
CONVK_INLINE_ void CONVK_KERNEL_(sepconv_rows_tile)(const CONVK_T *in, size_t pitch_in, const CONVK_V *taps, CONVK_T *out,
                                                    size_t pitch_out) {
  enum { CONVK_REACH_ = 16 / CONVK_LANES };
  CONVK_V sum[CONVK_ROW_VEC_][CONVK_ROW_ROWS_], v[CONVK_ROW_ROWS_], next[CONVK_ROW_ROWS_];
  int j, k, m, r;
  CONVK_UNROLL_
  for (r = 0; r < CONVK_ROW_ROWS_; r++) next[r] = CONVK_LOAD_(in + (size_t)r * pitch_in);
  CONVK_UNROLL_
  for (j = 0; j < CONVK_ROW_VEC_ + CONVK_REACH_ - 1; j++) {
    CONVK_UNROLL_
    for (r = 0; r < CONVK_ROW_ROWS_; r++) {
      v[r] = next[r];
      next[r] = CONVK_LOAD_(in + (size_t)r * pitch_in + (j + 1) * CONVK_LANES);
    }
    CONVK_UNROLL_
    for (k = 0; k < CONVK_LANES; k++) {
      CONVK_V x[CONVK_ROW_ROWS_];
      CONVK_UNROLL_
      for (r = 0; r < CONVK_ROW_ROWS_; r++) x[r] = CONVK_WINDOW_(in + (size_t)r * pitch_in + j * CONVK_LANES, v[r], next[r], k);
      CONVK_UNROLL_
      for (r = 0; r < CONVK_ROW_ROWS_; r++) CONVK_KEEP_(x[r]); /* or it is loaded once for each use */
      CONVK_UNROLL_
      for (m = 0; m < CONVK_REACH_; m++) {
        CONVK_UNROLL_
        for (r = 0; r < CONVK_ROW_ROWS_; r++)
          if (j >= m && j - m < CONVK_ROW_VEC_) {
            const CONVK_V f = taps[m * CONVK_LANES + k];
            sum[j - m][r] = m + k == 0 ? CONVK_MUL_(f, x[r]) : CONVK_FMA_(f, x[r], sum[j - m][r]);
            CONVK_KEEP_(sum[j - m][r]);
          }
      }
    }
    CONVK_UNROLL_
    for (r = 0; r < CONVK_ROW_ROWS_; r++)
      if (j >= CONVK_REACH_ - 1)
        CONVK_STORE_(out + (size_t)r * pitch_out + (j - CONVK_REACH_ + 1) * CONVK_LANES, sum[j - CONVK_REACH_ + 1][r]);
  }
}
#endif

/* Any number of taps: two rows, four vectors wide. */
CONVK_INLINE_ void CONVK_KERNEL_(sepconv_rows_pair)(const CONVK_T *in, size_t pitch_in, size_t ntaps, const CONVK_T *taps,
                                                    CONVK_T *out, size_t pitch_out) {
  CONVK_V f = CONVK_SET_(taps[0]), s[4], t[4];
  size_t k;
  int c;
  CONVK_UNROLL_
  for (c = 0; c < 4; c++) {
    s[c] = CONVK_MUL_(f, CONVK_LOAD_(in + c * CONVK_LANES));
    t[c] = CONVK_MUL_(f, CONVK_LOAD_(in + pitch_in + c * CONVK_LANES));
  }
  for (k = 1; k < ntaps; k++) {
    f = CONVK_SET_(taps[k]);
    CONVK_UNROLL_
    for (c = 0; c < 4; c++) {
      s[c] = CONVK_FMA_(f, CONVK_LOAD_(in + k + c * CONVK_LANES), s[c]);
      t[c] = CONVK_FMA_(f, CONVK_LOAD_(in + pitch_in + k + c * CONVK_LANES), t[c]);
    }
  }
  CONVK_UNROLL_
  for (c = 0; c < 4; c++) {
    CONVK_STORE_(out + c * CONVK_LANES, s[c]);
    CONVK_STORE_(out + pitch_out + c * CONVK_LANES, t[c]);
  }
}

/* Into L2: elements at .. at + width - 1 of the addresses first .. end - 1. */
CONVK_INLINE_ void CONVK_KERNEL_(sepconv_fetch)(const CONVK_T *const *fetch, size_t first, size_t end, size_t at,
                                                size_t width) {
  size_t c;
  for (; first < end; first++)
    for (c = 0; c < width; c += 64 / sizeof(CONVK_T)) CONVK_PREFETCH_((uintptr_t)fetch[first] + (at + c) * sizeof(CONVK_T));
}

static void CONVK_KERNEL_(sepconv_rows)(const CONVK_T *in, size_t pitch_in, size_t ntaps, const CONVK_T *taps, size_t n,
                                        size_t nrows, CONVK_T *out, size_t pitch_out, const CONVK_T *const *fetch,
                                        size_t nfetch) {
  const size_t wide = 4 * CONVK_LANES;
  size_t i, k, r = 0;
#if CONVK_ROW_VEC_
  if (ntaps == 16 && n >= CONVK_ROW_VEC_ * CONVK_LANES) {
    const size_t width = CONVK_ROW_VEC_ * CONVK_LANES;
    CONVK_V f[16];
    CONVK_UNROLL_
    for (k = 0; k < 16; k++) f[k] = CONVK_SET_(taps[k]);
    for (; r + CONVK_ROW_ROWS_ <= nrows; r += CONVK_ROW_ROWS_) {
      const size_t first = nfetch * r / nrows, end = nfetch * (r + CONVK_ROW_ROWS_) / nrows;
      const CONVK_T *x = in + r * pitch_in;
      CONVK_T *y = out + r * pitch_out;
      for (i = 0; i < n; i += width) {
        const size_t at = i + width <= n ? i : n - width;
        CONVK_REREAD_(f);
        CONVK_KERNEL_(sepconv_fetch)(fetch, first, end, at, width);
        CONVK_KERNEL_(sepconv_rows_tile)(x + at, pitch_in, f, y + at, pitch_out);
      }
    }
  }
#endif
  for (; r + 2 <= nrows && n >= wide; r += 2) {
    const size_t first = nfetch * r / nrows, end = nfetch * (r + 2) / nrows;
    for (i = 0; i < n; i += wide) {
      const size_t at = i + wide <= n ? i : n - wide;
      CONVK_KERNEL_(sepconv_fetch)(fetch, first, end, at, wide);
      CONVK_KERNEL_(sepconv_rows_pair)(in + r * pitch_in + at, pitch_in, ntaps, taps, out + r * pitch_out + at, pitch_out);
    }
  }
  for (; r < nrows; r++) {
    const CONVK_T *x = in + r * pitch_in;
    CONVK_T *y = out + r * pitch_out;
    for (i = 0; i < n; i += CONVK_LANES) {
      const size_t left = n - i < CONVK_LANES ? n - i : CONVK_LANES;
      CONVK_V s = CONVK_MUL_(CONVK_SET_(taps[0]), CONVK_LOAD_(x + i));
      for (k = 1; k < ntaps; k++) s = CONVK_FMA_(CONVK_SET_(taps[k]), CONVK_LOAD_(x + i + k), s);
      CONVK_STOREK_(y + i, s, left);
    }
  }
  CONVK_LEAVE_
}

static void CONVK_KERNEL_(sepconv_fence)(void) { CONVK_FENCE_; }

static void CONVK_KERNEL_(sepconv_copy)(const CONVK_T *in, CONVK_T *out, size_t pitch, size_t n, size_t nrows) {
  size_t i, r;
  for (r = 0; r < nrows; r++)
    for (i = 0; i < n; i += CONVK_LANES) {
      const size_t left = n - i < CONVK_LANES ? n - i : CONVK_LANES;
      CONVK_STOREK_(out + r * pitch + i, in ? CONVK_LOADK_(in + r * pitch + i, left) : CONVK_SET_(0), left);
    }
  CONVK_LEAVE_
}

static void CONVK_KERNEL_(sepconv_transpose)(const CONVK_T *in, size_t ld_in, size_t n, size_t nrows, CONVK_T *out,
                                             size_t ld_out) {
  size_t i, j;
  int k;
  for (j = 0; j < nrows; j += CONVK_LANES) {
    const size_t left = nrows - j < CONVK_LANES ? nrows - j : CONVK_LANES;
    for (i = 0; left == CONVK_LANES && i + CONVK_LANES <= n; i += CONVK_LANES) {
      CONVK_V v[CONVK_LANES];
      CONVK_UNROLL_
      for (k = 0; k < CONVK_LANES; k++) v[k] = CONVK_LOAD_(in + (j + (size_t)k) * ld_in + i);
      CONVK_TRANSPOSE_(v);
      CONVK_UNROLL_
      for (k = 0; k < CONVK_LANES; k++) CONVK_STORE_(out + (i + (size_t)k) * ld_out + j, v[k]);
    }
    for (i = left == CONVK_LANES ? n - n % CONVK_LANES : 0; i < n; i++) {
      size_t q;
      for (q = 0; q < left; q++) out[i * ld_out + j + q] = in[(j + q) * ld_in + i];
    }
  }
  CONVK_LEAVE_
}

/* Sums over one row keep 16 lanes, element i in lane i mod 16, whatever the vectors are; then a fixed tree. */
CONVK_INLINE_ double CONVK_KERNEL_(sepconv_tree)(const CONVK_D *lanes) {
  double s[16];
  int i, h;
  for (i = 0; i < 16 / CONVK_DLANES_; i++) CONVK_DSTORE_(s + i * CONVK_DLANES_, lanes[i]);
  for (h = 8; h; h /= 2)
    for (i = 0; i < h; i++) s[i] += s[i + h];
  return s[0];
}

static void CONVK_KERNEL_(sepconv_finish)(const CONVK_TYPED_(epilogue) *epilogue, size_t offset, size_t n, const CONVK_T *r,
                                          const CONVK_T *x, CONVK_T *out, double *dot, double *energy, size_t ahead,
                                          int stream) {
  const CONVK_T *potential = epilogue->potential ? epilogue->potential + offset : NULL;
  CONVK_T *density = epilogue->density ? epilogue->density + offset : NULL;
  const CONVK_V factor = CONVK_SET_(epilogue->density_factor), a = CONVK_SET_(epilogue->a), b = CONVK_SET_(epilogue->b);
  const int past = stream && out && !epilogue->update && (uintptr_t)out % 64 == 0;
  double *const sum[2] = {dot, energy};
  CONVK_D lanes[2][16 / CONVK_DLANES_];
  size_t i, c = 0, h, s; /* c: the sum of this vector's first lanes */
  for (s = 0; s < 2; s++)
    for (i = 0; i < 16 / CONVK_DLANES_; i++) lanes[s][i] = CONVK_DZERO_;
  for (i = 0; i < n; i += CONVK_LANES) {
    const size_t left = n - i < CONVK_LANES ? n - i : CONVK_LANES;
    const CONVK_V v = CONVK_LOADK_(r + i, left);
    CONVK_V w = v;
    if (density) {
      const CONVK_V d = CONVK_FMA_(factor, CONVK_MUL_(v, v), CONVK_LOADK_(density + i, left));
      CONVK_PREFETCH_((uintptr_t)(density + i) + ahead);
      CONVK_STOREK_(density + i, d, left);
    }
    if (potential) {
      CONVK_PREFETCH_((uintptr_t)(potential + i) + ahead);
      w = CONVK_MUL_(CONVK_LOADK_(potential + i, left), v);
    }
    for (s = 0; s < 2; s++)
      if (sum[s]) {
        const CONVK_V u = s ? w : CONVK_LOADK_(x + i, left);
        for (h = 0; h < CONVK_LANES / CONVK_DLANES_; h++)
          lanes[s][c + h] = CONVK_DFMA_(CONVK_DPART_(u, h), CONVK_DPART_(v, h), lanes[s][c + h]);
      }
    if (epilogue->update) {
      CONVK_PREFETCH_((uintptr_t)(out + i) + ahead);
      w = CONVK_FMA_(a, w, CONVK_MUL_(b, CONVK_LOADK_(out + i, left)));
    }
    if (past && left == CONVK_LANES) CONVK_STREAM_(out + i, w);
    else if (out) CONVK_STOREK_(out + i, w, left);
    c = (c + CONVK_LANES / CONVK_DLANES_) % (16 / CONVK_DLANES_);
  }
  for (s = 0; s < 2; s++)
    if (sum[s]) *sum[s] = CONVK_KERNEL_(sepconv_tree)(lanes[s]);
  CONVK_LEAVE_
}

CONVK_LOCAL_ const CONVK_PRIVATE_(sepconv_kernels) *CONVK_KERNEL_(sepconv_kernels)(void) {
  static const CONVK_PRIVATE_(sepconv_kernels) kernels = {CONVK_KERNEL_(sepconv_columns),   CONVK_KERNEL_(sepconv_fence),
                                                          CONVK_KERNEL_(sepconv_rows),      CONVK_KERNEL_(sepconv_copy),
                                                          CONVK_KERNEL_(sepconv_transpose), CONVK_KERNEL_(sepconv_finish)};
  return &kernels;
}
