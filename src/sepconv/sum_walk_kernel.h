/* ---- short filters of all axes at once ---- */

/* Vectors of each plane that are under way together: two, so that a tap serves eight multiply-adds, and that a vector of the
   potential serves as many complex numbers as there are. */
#define CONVK_SUM_BESIDE_ 2
#define CONVK_SUM_BOTH_(p, v) \
  CONVK_UNROLL_ \
  for (p = 0; p < CONVK_SUM_PLANES_; p++) CONVK_UNROLL_ \
  for (v = 0; v < CONVK_SUM_BESIDE_; v++)

/* What a block of all planes has so far. */
typedef struct convk_sumconv_block_ {
  CONVK_V sum[CONVK_SUM_PLANES_][CONVK_SUM_BESIDE_];
} convk_sumconv_block_;

/* Taps 1 .. ntaps - 1 of x or y; element `at` of rows, and from tap to tap `apart` further. */
CONVK_INLINE_ void convk_sumconv_walk_on_(const CONVK_T *const *rows, size_t at, size_t apart, size_t ntaps,
                                          const CONVK_T *taps, CONVK_V (*sum)[CONVK_SUM_BESIDE_]) {
  const CONVK_T *const r0 = rows[0] + at, *const r1 = rows[1] + at, *const r2 = rows[2] + at, *const r3 = rows[3] + at;
  size_t k, beyond = apart;
  int v;
  for (k = 1; k < ntaps; k++, beyond += apart) {
    const CONVK_V tap = CONVK_SET_(taps[k]);
    CONVK_UNROLL_
    for (v = 0; v < CONVK_SUM_BESIDE_; v++) {
      sum[0][v] = CONVK_FMA_(tap, CONVK_LOAD_(r0 + beyond + v * CONVK_LANES), sum[0][v]);
      sum[1][v] = CONVK_FMA_(tap, CONVK_LOAD_(r1 + beyond + v * CONVK_LANES), sum[1][v]);
      sum[2][v] = CONVK_FMA_(tap, CONVK_LOAD_(r2 + beyond + v * CONVK_LANES), sum[2][v]);
      sum[3][v] = CONVK_FMA_(tap, CONVK_LOAD_(r3 + beyond + v * CONVK_LANES), sum[3][v]);
    }
  }
}

/* Window q of z, which output planes from .. to have in reach. */
CONVK_INLINE_ void convk_sumconv_walk_window_(const CONVK_T *row, int from, int to, const CONVK_T *taps, int begins,
                                              CONVK_V (*sum)[CONVK_SUM_BESIDE_]) {
  CONVK_V x[CONVK_SUM_BESIDE_];
  int p, v;
  CONVK_UNROLL_
  for (v = 0; v < CONVK_SUM_BESIDE_; v++) x[v] = CONVK_LOAD_(row + v * CONVK_LANES);
  CONVK_UNROLL_
  for (p = from; p <= to; p++) {
    const CONVK_V tap = CONVK_SET_(taps[-p]);
    CONVK_UNROLL_
    for (v = 0; v < CONVK_SUM_BESIDE_; v++)
      sum[p][v] = begins && p == to ? CONVK_MUL_(tap, x[v]) : CONVK_FMA_(tap, x[v], sum[p][v]);
  }
}

/* The filter of z: of four planes or more, or fewer. */
CONVK_INLINE_ void convk_sumconv_walk_z_(const convk_sumconv_planes_ *w, size_t at, size_t ntaps,
                                         CONVK_V (*sum)[CONVK_SUM_BESIDE_]) {
  const CONVK_T *const *const z = w->z, *const taps = w->taps[2];
  size_t q;
  int p, v;
  if (ntaps < CONVK_SUM_PLANES_) {
    CONVK_SUM_BOTH_(p, v) sum[p][v] = CONVK_MUL_(CONVK_SET_(taps[0]), CONVK_LOAD_(z[p] + at + v * CONVK_LANES));
    for (q = 1; q < ntaps; q++) CONVK_SUM_BOTH_(p, v)
    sum[p][v] = CONVK_FMA_(CONVK_SET_(taps[q]), CONVK_LOAD_(z[q + (size_t)p] + at + v * CONVK_LANES), sum[p][v]);
    return;
  }
  convk_sumconv_walk_window_(z[0] + at, 0, 0, taps, 1, sum);
  convk_sumconv_walk_window_(z[1] + at, 0, 1, taps + 1, 1, sum);
  convk_sumconv_walk_window_(z[2] + at, 0, 2, taps + 2, 1, sum);
  convk_sumconv_walk_window_(z[3] + at, 0, 3, taps + 3, 1, sum);
  for (q = 4; q < ntaps; q++) convk_sumconv_walk_window_(z[q] + at, 0, 3, taps + q, 0, sum);
  convk_sumconv_walk_window_(z[ntaps] + at, 1, 3, taps + ntaps, 0, sum);
  convk_sumconv_walk_window_(z[ntaps + 1] + at, 2, 3, taps + ntaps + 1, 0, sum);
  convk_sumconv_walk_window_(z[ntaps + 2] + at, 3, 3, taps + ntaps + 2, 0, sum);
}

/* Vector v of `left` elements at p. */
CONVK_INLINE_ CONVK_V convk_sumconv_walk_get_(const CONVK_T *p, int v, int partial, size_t left) {
  const size_t before = (size_t)v * CONVK_LANES;
  if (!partial) return CONVK_LOAD_(p + before);
  if (left >= before + CONVK_LANES) return CONVK_LOAD_(p + before);
  return left <= before ? CONVK_SET_(0) : CONVK_LOADK_(p + before, left - before);
}

/* The potential of elements i on, of which complex numbers have one for two. */
CONVK_INLINE_ void convk_sumconv_walk_potential_(const CONVK_T *row, size_t i, size_t step, int partial, size_t left,
                                                 CONVK_V *potential) {
  if (step == 1) {
    potential[0] = convk_sumconv_walk_get_(row + i, 0, partial, left);
    potential[1] = convk_sumconv_walk_get_(row + i, 1, partial, left);
    return;
  }
  potential[0] = potential[1] = convk_sumconv_walk_get_(row + i / 2, 0, partial, left / 2);
  CONVK_ZIP_(potential);
}

/* Sums along z, and along y, of `blocks` blocks of row r from element i on: to memory that stays in L1, as registers hold those
   of one axis.  Functions of their own: they have the registers to themselves. */
CONVK_RARE_ void convk_sumconv_walk_up_(const convk_sumconv_planes_ *w, size_t r, size_t i, size_t blocks,
                                        convk_sumconv_block_ *up) {
  int p, v;
  for (; blocks; blocks--, i += CONVK_SUM_BESIDE_ * CONVK_LANES, up++) {
    CONVK_V sum[CONVK_SUM_PLANES_][CONVK_SUM_BESIDE_];
    convk_sumconv_walk_z_(w, r * w->pitch + i, w->ntaps[2], sum);
    CONVK_SUM_BOTH_(p, v) up->sum[p][v] = sum[p][v];
  }
}
CONVK_RARE_ void convk_sumconv_walk_along_(const convk_sumconv_planes_ *w, size_t r, size_t i, size_t blocks,
                                           convk_sumconv_block_ *along) {
  const CONVK_T *const taps = w->taps[1];
  int p, v;
  for (; blocks; blocks--, i += CONVK_SUM_BESIDE_ * CONVK_LANES, along++) {
    const size_t at = r * w->pitch + i;
    CONVK_V sum[CONVK_SUM_PLANES_][CONVK_SUM_BESIDE_];
    CONVK_SUM_BOTH_(p, v) sum[p][v] = CONVK_MUL_(CONVK_SET_(taps[0]), CONVK_LOAD_(w->y[p] + at + v * CONVK_LANES));
    convk_sumconv_walk_on_(w->y, at, w->pitch, w->ntaps[1], taps, sum);
    CONVK_SUM_BOTH_(p, v) along->sum[p][v] = sum[p][v];
  }
}

/* Elements i on of row r of all planes: two vectors, or what is left of them. */
CONVK_INLINE_ void convk_sumconv_walk_block_(const convk_sumconv_planes_ *w, size_t r, size_t i, int partial, size_t left,
                                             int stream, const convk_sumconv_block_ *along, const convk_sumconv_block_ *up) {
  CONVK_V sum[CONVK_SUM_PLANES_][CONVK_SUM_BESIDE_];
  const size_t *const ntaps = w->ntaps;
  const size_t at = r * w->pitch + i;
  int p, v;
  CONVK_SUM_BOTH_(p, v) sum[p][v] = CONVK_SET_(0);
  if (ntaps[0]) {
    CONVK_SUM_BOTH_(p, v)
    sum[p][v] = CONVK_FMA_(CONVK_SET_(w->taps[0][0]), CONVK_LOAD_(w->x[p] + at + v * CONVK_LANES), sum[p][v]);
    convk_sumconv_walk_on_(w->x, at, w->step, ntaps[0], w->taps[0], sum);
  }
  if (ntaps[1]) CONVK_SUM_BOTH_(p, v) sum[p][v] = CONVK_ADD_(sum[p][v], along->sum[p][v]);
  if (ntaps[2]) CONVK_SUM_BOTH_(p, v) sum[p][v] = CONVK_ADD_(sum[p][v], up->sum[p][v]);
  if (w->wants_x) {
    const CONVK_V shift = CONVK_SET_(w->shift), factor = CONVK_SET_(w->potential_factor);
    CONVK_UNROLL_
    for (p = 0; p < CONVK_SUM_PLANES_; p++) {
      CONVK_V c[CONVK_SUM_BESIDE_];
      c[0] = c[1] = shift;
      if (w->potential[0]) {
        convk_sumconv_walk_potential_(w->potential[p] + r * w->pitch_potential, i, w->step, partial, left, c);
        CONVK_UNROLL_
        for (v = 0; v < CONVK_SUM_BESIDE_; v++) c[v] = CONVK_FMA_(factor, c[v], shift);
      }
      CONVK_UNROLL_
      for (v = 0; v < CONVK_SUM_BESIDE_; v++)
        sum[p][v] = CONVK_FMA_(c[v], CONVK_LOAD_(w->here[p] + at + v * CONVK_LANES), sum[p][v]);
    }
  }
  if (w->add[0]) {
    const CONVK_V factor = CONVK_SET_(w->add_factor);
    CONVK_SUM_BOTH_(p, v)
    sum[p][v] = CONVK_FMA_(factor, convk_sumconv_walk_get_(w->add[p] + r * w->pitch_add + i, v, partial, left), sum[p][v]);
  }
  CONVK_SUM_BOTH_(p, v) {
    CONVK_T *const out = w->out[p] + r * w->pitch_out + i + v * CONVK_LANES;
    if (!partial && stream) CONVK_STREAM_(out, sum[p][v]);
    else if (!partial) CONVK_STORE_(out, sum[p][v]);
    else if (p < (int)w->some && left > (size_t)v * CONVK_LANES)
      convk_sepconv_put_(out, sum[p][v], left - (size_t)v * CONVK_LANES);
  }
}

/* What is left of rows, and of planes. */
CONVK_RARE_ void convk_sumconv_walk_rest_(const convk_sumconv_planes_ *w, size_t r, size_t i, size_t left,
                                          const convk_sumconv_block_ *along, const convk_sumconv_block_ *up) {
  convk_sumconv_walk_block_(w, r, i, 1, left, 0, along, up);
}
CONVK_RARE_ void convk_sumconv_walk_whole_(const convk_sumconv_planes_ *w, size_t r, size_t i, size_t blocks, int stream,
                                           const convk_sumconv_block_ *along, const convk_sumconv_block_ *up) {
  const size_t wide = CONVK_SUM_BESIDE_ * CONVK_LANES;
  if (stream)
    for (; blocks; blocks--, i += wide) convk_sumconv_walk_block_(w, r, i, 0, 0, 1, along++, up++);
  else
    for (; blocks; blocks--, i += wide) convk_sumconv_walk_block_(w, r, i, 0, 0, 0, along++, up++);
}

/* Bytes of a row that are swept through all rows before the next ones: what y sees of four planes stays in L1. */
#define CONVK_SUM_STRIP_ ((size_t)512)

static void convk_sumconv_walk_(const convk_sumconv_planes_ *w, size_t n, size_t nrows, int stream) {
  const size_t strip = CONVK_SUM_STRIP_ / sizeof(CONVK_T), wide = CONVK_SUM_BESIDE_ * CONVK_LANES;
  convk_sumconv_block_ along[CONVK_SUM_STRIP_ / 2 * 3 / sizeof(CONVK_V) / CONVK_SUM_BESIDE_ + 1],
      up[CONVK_SUM_STRIP_ / 2 * 3 / sizeof(CONVK_V) / CONVK_SUM_BESIDE_ + 1];
  size_t begin, b, r;
  int p, past = stream && w->pitch_out * sizeof(CONVK_T) % 64 == 0;
  for (p = 0; p < CONVK_SUM_PLANES_; p++) past = past && (uintptr_t)w->out[p] % 64 == 0;
  for (begin = 0; begin < n; begin += strip) {
    const size_t count = n - begin < strip + strip / 2 ? n - begin : strip, blocks = (count + wide - 1) / wide;
    const size_t whole = w->some < CONVK_SUM_PLANES_ ? 0 : count / wide;
    for (r = 0; r < nrows; r++) {
      if (w->ntaps[2]) convk_sumconv_walk_up_(w, r, begin, blocks, up);
      if (w->ntaps[1]) convk_sumconv_walk_along_(w, r, begin, blocks, along);
      convk_sumconv_walk_whole_(w, r, begin, whole, past, along, up);
      for (b = whole; b < blocks; b++)
        convk_sumconv_walk_rest_(w, r, begin + b * wide, count - b * wide < wide ? count - b * wide : wide, along + b, up + b);
    }
    if (count == n - begin) break;
  }
  CONVK_LEAVE_
}

/* n elements, where ends of rows may be written a vector at a time as long as a vector is there. */
CONVK_INLINE_ void convk_sumconv_wrap_some_(const CONVK_T *in, size_t n, CONVK_T *out) {
  size_t i;
  for (i = 0; i + CONVK_LANES <= n; i += CONVK_LANES) CONVK_STORE_(out + i, CONVK_LOAD_(in + i));
  if (i < n) CONVK_STOREK_(out + i, CONVK_LOADK_(in + i, n - i), n - i);
}

static void convk_sumconv_wrap_rows_(const CONVK_T *in, size_t pitch_in, size_t n, size_t left, size_t right, size_t nrows,
                                     CONVK_T *out, size_t pitch_out) {
  for (; nrows; nrows--, in += pitch_in, out += pitch_out) {
    convk_sumconv_wrap_some_(in + (n - left), left, out - left);
    convk_sumconv_wrap_some_(in, n, out);
    convk_sumconv_wrap_some_(in, right, out + n);
  }
  CONVK_LEAVE_
}
#undef CONVK_SUM_BESIDE_
#undef CONVK_SUM_BOTH_
#undef CONVK_SUM_STRIP_
