/* ---- kernels of sums of filters ---- */

/* Rows of a tile of `along`, and its vectors: a loaded window serves each vector that it lies in the reach of, a tap all rows,
   so that multiply-adds wait for neither. */
#define CONVK_SUM_ROWS_ (CONVK_REGISTERS_ >= 32 ? 4 : 2)
#define CONVK_SUM_VECTORS_ 4
#ifdef CONVK_KEEP_
#define CONVK_SUM_KEEP_(v) CONVK_KEEP_(v)
#else
#define CONVK_SUM_KEEP_(v) ((void)0)
#endif

/* Windows begin .. end - 1 of a tile, each at step elements from the one before, for its vectors from .. to: vector v begins
   v * LANES elements further, so that window p has tap p - v * ahead for it. */
CONVK_INLINE_ void convk_sumconv_windows_(int from, int to, const CONVK_T *const *in, size_t begin, size_t end, size_t step,
                                          size_t ahead, const CONVK_T *taps, CONVK_V (*sum)[CONVK_SUM_VECTORS_]) {
  size_t p;
  int r, v;
  for (p = begin; p < end; p++) {
    CONVK_V x[CONVK_SUM_ROWS_];
    CONVK_UNROLL_
    for (r = 0; r < CONVK_SUM_ROWS_; r++) {
      x[r] = CONVK_LOAD_(in[r] + p * step);
      CONVK_SUM_KEEP_(x[r]); /* or it is loaded once for each use */
    }
    CONVK_UNROLL_
    for (v = 0; v < CONVK_SUM_VECTORS_; v++)
      if (from <= v && v <= to) {
        CONVK_V tap = CONVK_SET_(taps[p - (size_t)v * ahead]);
        CONVK_SUM_KEEP_(tap);
        CONVK_UNROLL_
        for (r = 0; r < CONVK_SUM_ROWS_; r++) sum[r][v] = CONVK_FMA_(tap, x[r], sum[r][v]);
      }
  }
}

/* A tile of four vectors, in stretches where the same vectors are in reach of windows. */
CONVK_INLINE_ void convk_sumconv_wide_(const CONVK_T *const *in, size_t step, size_t ntaps, const CONVK_T *taps,
                                       CONVK_V (*sum)[CONVK_SUM_VECTORS_]) {
  const size_t ahead = CONVK_LANES / step, last = ntaps + 3 * ahead;
  size_t p = 0;
  while (p < last) {
    const size_t to = p / ahead < 3 ? p / ahead : 3, from = p < ntaps ? 0 : (p - ntaps) / ahead + 1;
    size_t end = from * ahead + ntaps;
    if (to < 3 && (to + 1) * ahead < end) end = (to + 1) * ahead;
#define CONVK_STRETCH_(f, t) \
  case 4 * f + t: convk_sumconv_windows_(f, t, in, p, end, step, ahead, taps, sum); break;
    switch (4 * from + to) {
      CONVK_STRETCH_(0, 0)
      CONVK_STRETCH_(0, 1)
      CONVK_STRETCH_(0, 2)
      CONVK_STRETCH_(0, 3)
      CONVK_STRETCH_(1, 1)
      CONVK_STRETCH_(1, 2)
      CONVK_STRETCH_(1, 3)
      CONVK_STRETCH_(2, 2)
      CONVK_STRETCH_(2, 3)
      CONVK_STRETCH_(3, 3)
      default: break; /* of filters shorter than a vector: nobody is in reach */
    }
#undef CONVK_STRETCH_
    p = end;
  }
}

/* Elements i on of some rows: four vectors, or what is left of one. */
CONVK_INLINE_ void convk_sumconv_tile_(const CONVK_T *const *from, size_t i, size_t step, size_t ntaps, const CONVK_T *taps,
                                       CONVK_T *const *to, int wide, size_t left) {
  CONVK_V sum[CONVK_SUM_ROWS_][CONVK_SUM_VECTORS_];
  const CONVK_T *in[CONVK_SUM_ROWS_];
  int r, v;
  CONVK_UNROLL_
  for (r = 0; r < CONVK_SUM_ROWS_; r++) {
    in[r] = from[r] + i;
    CONVK_UNROLL_
    for (v = 0; v < CONVK_SUM_VECTORS_; v++) sum[r][v] = CONVK_SET_(0);
  }
  if (wide) convk_sumconv_wide_(in, step, ntaps, taps, sum);
  else convk_sumconv_windows_(0, 0, in, 0, ntaps, step, 0, taps, sum);
  CONVK_UNROLL_
  for (r = 0; r < CONVK_SUM_ROWS_; r++) {
    CONVK_UNROLL_
    for (v = 0; v < CONVK_SUM_VECTORS_; v++)
      if (wide) CONVK_STORE_(to[r] + i + v * CONVK_LANES, sum[r][v]);
    if (!wide) convk_sepconv_put_(to[r] + i, sum[r][0], left);
  }
}

static void convk_sumconv_along_(const CONVK_T *in, size_t pitch_in, size_t step, size_t ntaps, const CONVK_T *taps, size_t n,
                                 size_t nrows, CONVK_T *out, size_t pitch_out) {
  const size_t wide = CONVK_SUM_VECTORS_ * CONVK_LANES;
  size_t i, k, r;
  for (r = 0; r < nrows; r += CONVK_SUM_ROWS_) {
    const CONVK_T *x[CONVK_SUM_ROWS_];
    CONVK_T *y[CONVK_SUM_ROWS_];
    for (k = 0; k < CONVK_SUM_ROWS_; k++) { /* rows that are missing are made again, the same */
      const size_t at = r + k < nrows ? r + k : nrows - 1;
      x[k] = in + at * pitch_in;
      y[k] = out + at * pitch_out;
    }
    i = 0;
    if (n >= wide && step <= CONVK_LANES)
      for (; i + CONVK_LANES < n; i += wide) {
        const size_t at = i + wide <= n ? i : n - wide; /* the last tile makes some elements again */
        if (step == 1) convk_sumconv_tile_(x, at, 1, ntaps, taps, y, 1, 0);
        else convk_sumconv_tile_(x, at, 2, ntaps, taps, y, 1, 0);
      }
    for (; i < n; i += CONVK_LANES) convk_sumconv_tile_(x, i, step, ntaps, taps, y, 0, n - i);
  }
  CONVK_LEAVE_
}

/* Two vectors of complex numbers, or what is left of them. */
CONVK_INLINE_ void convk_sumconv_spin_some_(const CONVK_T *in, int turn, CONVK_V re, CONVK_V im, CONVK_T *out, size_t left) {
  CONVK_V v[2], a, b;
  const size_t more = left > CONVK_LANES ? left - CONVK_LANES : 0;
  v[0] = left >= CONVK_LANES ? CONVK_LOAD_(in) : CONVK_LOADK_(in, left);
  v[1] = more >= CONVK_LANES ? CONVK_LOAD_(in + CONVK_LANES) : CONVK_SET_(0);
  if (more && more < CONVK_LANES) v[1] = CONVK_LOADK_(in + CONVK_LANES, more);
  CONVK_UNZIP_(v);
  a = v[0];
  b = v[1];
  v[0] = turn ? CONVK_SUB_(CONVK_SET_(0), b) : CONVK_FNMA_(im, b, CONVK_MUL_(re, a));
  v[1] = turn ? a : CONVK_FMA_(im, a, CONVK_MUL_(re, b));
  CONVK_ZIP_(v);
  convk_sepconv_put_(out, v[0], left);
  if (more) convk_sepconv_put_(out + CONVK_LANES, v[1], more);
}

static void convk_sumconv_spin_(const CONVK_T *in, size_t n, int turn, CONVK_T re, CONVK_T im, CONVK_T *out) {
  const CONVK_V a = CONVK_SET_(re), b = CONVK_SET_(im);
  size_t i = 0;
  for (; i + 2 * CONVK_LANES <= 2 * n; i += 2 * CONVK_LANES)
    convk_sumconv_spin_some_(in + i, turn, a, b, out + i, 2 * CONVK_LANES);
  if (i < 2 * n) convk_sumconv_spin_some_(in + i, turn, a, b, out + i, 2 * n - i);
  CONVK_LEAVE_
}

static void convk_sumconv_twice_(const CONVK_T *in, size_t n, CONVK_T *out) {
  size_t i;
  for (i = 0; i < n; i += CONVK_LANES) {
    const size_t left = n - i < CONVK_LANES ? n - i : CONVK_LANES, first = 2 * left < CONVK_LANES ? 2 * left : CONVK_LANES;
    CONVK_V v[2];
    v[0] = v[1] = left == CONVK_LANES ? CONVK_LOAD_(in + i) : CONVK_LOADK_(in + i, left);
    CONVK_ZIP_(v);
    convk_sepconv_put_(out + 2 * i, v[0], first);
    if (2 * left > first) convk_sepconv_put_(out + 2 * i + CONVK_LANES, v[1], 2 * left - first);
  }
  CONVK_LEAVE_
}

/* Elements i on of a way; common: three parts and neither mixed terms nor turned ones. */
CONVK_INLINE_ void convk_sumconv_row_some_(const convk_sumconv_way_ *w, size_t i, int common, int partial, size_t left,
                                           int stream) {
  CONVK_V y = CONVK_SET_(0);
  int k, any = 0;
  if (common) {
    y = CONVK_ADD_(
        CONVK_ADD_(convk_sepconv_get_(w->part[0] + i, partial, left), convk_sepconv_get_(w->part[1] + i, partial, left)),
        convk_sepconv_get_(w->part[2] + i, partial, left));
  } else {
    for (k = 0; k < 3; k++)
      if (w->part[k]) {
        const CONVK_V v = convk_sepconv_get_(w->part[k] + i, partial, left);
        y = any ? CONVK_ADD_(y, v) : v;
        any = 1;
      }
    for (k = 0; k < 3; k++)
      if (w->mixed[k]) y = CONVK_FMA_(CONVK_SET_(w->factor[k]), convk_sepconv_get_(w->mixed[k] + i, partial, left), y);
    if (w->turned) y = CONVK_ADD_(y, convk_sepconv_get_(w->turned + i, partial, left));
  }
  if (w->x) {
    CONVK_V c = CONVK_SET_(w->shift);
    if (w->potential) c = CONVK_FMA_(CONVK_SET_(w->potential_factor), convk_sepconv_get_(w->potential + i, partial, left), c);
    y = CONVK_FMA_(c, convk_sepconv_get_(w->x + i, partial, left), y);
  }
  if (w->add) y = CONVK_FMA_(CONVK_SET_(w->add_factor), convk_sepconv_get_(w->add + i, partial, left), y);
  convk_sepconv_set_(w->out + i, y, partial, left, stream);
}

static void convk_sumconv_row_(const convk_sumconv_way_ *way, size_t n, int stream) {
  const convk_sumconv_way_ w = *way;
  const int past = stream && (uintptr_t)w.out % 64 == 0;
  const int others = w.mixed[0] || w.mixed[1] || w.mixed[2] || w.turned;
  size_t i = 0;
  if (w.part[0] && w.part[1] && w.part[2] && !others) {
    for (; i + CONVK_LANES <= n; i += CONVK_LANES) convk_sumconv_row_some_(&w, i, 1, 0, 0, past);
    if (i < n) convk_sumconv_row_some_(&w, i, 1, 1, n - i, 0);
  } else {
    for (; i + CONVK_LANES <= n; i += CONVK_LANES) convk_sumconv_row_some_(&w, i, 0, 0, 0, past);
    if (i < n) convk_sumconv_row_some_(&w, i, 0, 1, n - i, 0);
  }
  CONVK_LEAVE_
}

static double convk_sumconv_dot_(const CONVK_T *a, const CONVK_T *potential, const CONVK_T *b, size_t n) {
  const double sum = convk_sepconv_sum_(a, potential, b, n);
  CONVK_LEAVE_
  return sum;
}
#undef CONVK_SUM_ROWS_
#undef CONVK_SUM_VECTORS_
#undef CONVK_SUM_KEEP_
