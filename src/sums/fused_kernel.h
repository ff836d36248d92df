/* ---- short filters of all axes at once ---- */

/* Rows of each plane that are under way together, a vector of each: a window that filters of y and z see serves as many of them
   as see it, a tap all of the other axis; so loads of windows across lines, which filters of x need, are most of all. */
#define CONVK_SUMS_HIGH_ (CONVK_REGISTERS_ >= 32 ? 4 : 2)
/* Where a vector is a number, these are not rows but numbers beside each other, of which compilers make vectors: how far apart,
   and rows and elements of a block. */
#define CONVK_SUMS_APART_(pitch) (CONVK_LANES > 1 ? (pitch) : 1)
#define CONVK_SUMS_STEP_ ((size_t)(CONVK_LANES > 1 ? CONVK_SUMS_HIGH_ : 1))
#define CONVK_SUMS_WIDE_ ((size_t)(CONVK_LANES > 1 ? CONVK_LANES : CONVK_SUMS_HIGH_))
#define CONVK_SUMS_BLOCK_(p, r) \
  CONVK_UNROLL_ \
  for (p = 0; p < CONVK_SUMS_PLANES_; p++) CONVK_UNROLL_ \
  for (r = 0; r < CONVK_SUMS_HIGH_; r++)

/* What a block of all planes has so far. */
typedef struct convk_sums_block_ {
  CONVK_V sum[CONVK_SUMS_PLANES_][CONVK_SUMS_HIGH_];
} convk_sums_block_;

/* A window of y or z, which rows or planes from .. to of a block see, with their taps; of z for all rows, of y for all planes.
   begins: it is the first one of number `to`. */
CONVK_INLINE_ void convk_sums_fused_window_(int of_z, const CONVK_T *const *rows, size_t at, size_t pitch, int from, int to,
                                            int begins, const CONVK_V *tap, CONVK_V (*sum)[CONVK_SUMS_HIGH_]) {
  CONVK_V x;
#define CONVK_SUMS_SEEN_(other, k) \
  if (from <= (k) && (k) <= to) { \
    CONVK_V *const of = of_z ? &sum[k][(other) % CONVK_SUMS_HIGH_] : &sum[other][(k) % CONVK_SUMS_HIGH_]; \
    *of = begins && (k) == to ? CONVK_MUL_(tap[k], x) : CONVK_FMA_(tap[k], x, *of); \
  }
#define CONVK_SUMS_SEE_ALL_(other) \
  x = CONVK_LOAD_(of_z ? rows[0] + at + (size_t)(other)*CONVK_SUMS_APART_(pitch) : rows[other] + at); \
  CONVK_FILTERS_KEEP_(x); /* or it is loaded once for each use */ \
  CONVK_SUMS_SEEN_(other, 0) \
  CONVK_SUMS_SEEN_(other, 1) \
  CONVK_SUMS_SEEN_(other, 2) \
  CONVK_SUMS_SEEN_(other, 3)
  CONVK_SUMS_SEE_ALL_(0)
  CONVK_SUMS_SEE_ALL_(1)
  if (of_z && CONVK_SUMS_HIGH_ == 2) return;
  CONVK_SUMS_SEE_ALL_(2)
  CONVK_SUMS_SEE_ALL_(3)
#undef CONVK_SUMS_SEEN_
#undef CONVK_SUMS_SEE_ALL_
}

/* The filter of y or z for a block, with at least as many taps as it has rows or planes: the taps of the windows in reach are
   in registers, and move on. */
CONVK_INLINE_ void convk_sums_fused_slide_(int of_z, const convk_sums_planes_ *w, size_t at, CONVK_V (*sum)[CONVK_SUMS_HIGH_]) {
  const int count = of_z ? CONVK_SUMS_PLANES_ : CONVK_SUMS_HIGH_;
  const CONVK_T *const taps = w->taps[1 + of_z];
  const size_t ntaps = w->ntaps[1 + of_z], pitch = w->pitch;
  CONVK_V tap[CONVK_SUMS_PLANES_];
  size_t q;
  int k;
#define CONVK_SUMS_SEE_(from, to, begins) \
  convk_sums_fused_window_(of_z, of_z ? w->z + q : w->y, of_z ? at : at + q * pitch, pitch, from, to, begins, tap, sum)
#define CONVK_SUMS_ON_() \
  CONVK_UNROLL_ \
  for (k = CONVK_SUMS_PLANES_ - 1; k > 0; k--) tap[k] = tap[k - 1]
#define CONVK_SUMS_NEXT_() \
  CONVK_SUMS_ON_(); \
  tap[0] = CONVK_SET_(taps[q]); \
  CONVK_FILTERS_KEEP_(tap[0])
  tap[0] = tap[1] = tap[2] = tap[3] = CONVK_SET_(0);
  q = 0;
  CONVK_SUMS_NEXT_();
  CONVK_SUMS_SEE_(0, 0, 1);
  q = 1;
  CONVK_SUMS_NEXT_();
  CONVK_SUMS_SEE_(0, 1, 1);
  q = 2;
  if (count > 2) {
    CONVK_SUMS_NEXT_();
    CONVK_SUMS_SEE_(0, 2, 1);
    q = 3;
    CONVK_SUMS_NEXT_();
    CONVK_SUMS_SEE_(0, 3, 1);
    q = 4;
  }
  for (; q < ntaps; q++) {
    CONVK_SUMS_NEXT_();
    CONVK_SUMS_SEE_(0, count - 1, 0);
  }
  CONVK_SUMS_ON_();
  CONVK_SUMS_SEE_(1, count - 1, 0);
  if (count > 2) {
    q++;
    CONVK_SUMS_ON_();
    CONVK_SUMS_SEE_(2, count - 1, 0);
    q++;
    CONVK_SUMS_ON_();
    CONVK_SUMS_SEE_(3, count - 1, 0);
  }
#undef CONVK_SUMS_SEE_
#undef CONVK_SUMS_ON_
#undef CONVK_SUMS_NEXT_
}

/* The same with fewer taps: each row has its own windows. */
CONVK_INLINE_ void convk_sums_fused_short_(int of_z, const convk_sums_planes_ *w, size_t at, CONVK_V (*sum)[CONVK_SUMS_HIGH_]) {
  const CONVK_T *const taps = w->taps[1 + of_z];
  size_t q;
  int p, r;
  CONVK_SUMS_BLOCK_(p, r) sum[p][r] = CONVK_SET_(0); /* compilers do not see that there is a tap */
  for (q = 0; q < w->ntaps[1 + of_z]; q++) {
    const CONVK_V tap = CONVK_SET_(taps[q]);
    CONVK_SUMS_BLOCK_(p, r) {
      const CONVK_V x =
          CONVK_LOAD_((of_z ? w->z[q + (size_t)p] : w->y[p] + q * w->pitch) + at + (size_t)r * CONVK_SUMS_APART_(w->pitch));
      sum[p][r] = q ? CONVK_FMA_(tap, x, sum[p][r]) : CONVK_MUL_(tap, x);
    }
  }
}

/* Sums along y or z of `blocks` blocks from row r and element i on: to memory that stays in L1, as registers hold those of one
   axis.  Functions of their own: they have the registers to themselves. */
CONVK_INLINE_ void convk_sums_fused_axis_(int of_z, const convk_sums_planes_ *w, size_t at, size_t blocks,
                                          convk_sums_block_ *to) {
  const int short_filter =
      w->ntaps[1 + of_z] < (size_t)(of_z ? CONVK_SUMS_PLANES_ : CONVK_SUMS_HIGH_) || (!of_z && CONVK_LANES == 1);
  int p, r;
  for (; blocks; blocks--, at += CONVK_SUMS_WIDE_, to++) {
    CONVK_V sum[CONVK_SUMS_PLANES_][CONVK_SUMS_HIGH_];
    if (short_filter) convk_sums_fused_short_(of_z, w, at, sum);
    else convk_sums_fused_slide_(of_z, w, at, sum);
    CONVK_SUMS_BLOCK_(p, r) to->sum[p][r] = sum[p][r];
  }
}
CONVK_RARE_ void convk_sums_fused_up_(const convk_sums_planes_ *w, size_t at, size_t blocks, convk_sums_block_ *up) {
  convk_sums_fused_axis_(1, w, at, blocks, up);
}
CONVK_RARE_ void convk_sums_fused_along_(const convk_sums_planes_ *w, size_t at, size_t blocks, convk_sums_block_ *along) {
  convk_sums_fused_axis_(0, w, at, blocks, along);
}

/* Elements at p, or what is left of them. */
CONVK_INLINE_ CONVK_V convk_sums_fused_get_(const CONVK_T *p, size_t left) {
  return left < CONVK_LANES ? CONVK_LOADK_(p, left) : CONVK_LOAD_(p);
}

/* The potential of elements i on, of which complex numbers have one for two. */
CONVK_INLINE_ CONVK_V convk_sums_fused_potential_(const CONVK_T *row, size_t i, size_t step, size_t left) {
  const size_t half = left < CONVK_LANES ? (left + 1) / 2 : (CONVK_LANES + 1) / 2;
  CONVK_V v[2];
  if (step == 1) return convk_sums_fused_get_(row + i, left);
  if (CONVK_LANES == 1) return CONVK_LOAD_(row + i / 2);
  v[0] = v[1] = CONVK_LOADK_(row + i / 2, half);
  CONVK_ZIP_(v);
  return v[0];
}

/* What comes to the sum of all filters in a plane from row r0 on: a copy, as stores might change the planes' for all that
   compilers know. */
typedef struct convk_sums_extra_ {
  const CONVK_T *here, *potential, *add;
  size_t pitch, pitch_potential, pitch_add, step;
  CONVK_V shift, factor, add_factor;
  int any, wants_x;
} convk_sums_extra_;

CONVK_INLINE_ convk_sums_extra_ convk_sums_fused_extra_(const convk_sums_planes_ *w, size_t p, size_t r0) {
  convk_sums_extra_ e;
  e.wants_x = w->wants_x;
  e.any = w->wants_x || w->add[0];
  e.here = w->here[p] + r0 * w->pitch;
  e.potential = w->potential[0] ? w->potential[p] + r0 * w->pitch_potential : NULL;
  e.add = w->add[0] ? w->add[p] + r0 * w->pitch_add : NULL;
  e.pitch = w->pitch;
  e.pitch_potential = w->pitch_potential;
  e.pitch_add = w->pitch_add;
  e.step = w->step;
  e.shift = CONVK_SET_(w->shift);
  e.factor = CONVK_SET_(w->potential_factor);
  e.add_factor = CONVK_SET_(w->add_factor);
  return e;
}

/* Elements i on of row r with it. */
CONVK_INLINE_ CONVK_V convk_sums_fused_more_(const convk_sums_extra_ *e, size_t r, size_t i, size_t left, CONVK_V sum) {
  if (e->wants_x) {
    CONVK_V c = e->shift;
    if (e->potential)
      c = CONVK_FMA_(e->factor, convk_sums_fused_potential_(e->potential + r * e->pitch_potential, i, e->step, left), c);
    sum = CONVK_FMA_(c, CONVK_LOAD_(e->here + r * e->pitch + i), sum);
  }
  if (e->add) sum = CONVK_FMA_(e->add_factor, convk_sums_fused_get_(e->add + r * e->pitch_add + i, left), sum);
  return sum;
}

/* The filter of x, and the sum of all three, of `blocks` blocks from row r0 and element i on: to rows of the output, or, where
   more is to come, in place of the sums along z. */
#ifdef CONVK_SLIDE_
/* A plane at a time.  Loads across lines take longer, and so do shifts of registers where all are: half of each do not.  On
   Zen 4: 9.1 cycles a vector of 9 taps; loads alone 13.4, shifts alone 10.8 */
CONVK_RARE_ void convk_sums_fused_across_(const convk_sums_planes_ *w, int p, size_t r0, size_t i, size_t blocks, int more,
                                          int stream, const convk_sums_block_ *along, convk_sums_block_ *up) {
  const size_t pitch = w->pitch, step = w->step, ntaps = w->ntaps[0], pitch_out = w->pitch_out;
  const int adds = (w->ntaps[1] ? 1 : 0) + (w->ntaps[2] ? 2 : 0);
  const CONVK_T *const taps = w->taps[0], *x = w->x[p] + r0 * pitch + i;
  const CONVK_T *const last = taps + ntaps;
  const convk_sums_extra_ extra = convk_sums_fused_extra_(w, (size_t)p, r0);
  CONVK_T *out = w->out[p] + r0 * pitch_out + i;
  int r;
#define CONVK_SUMS_ROWS_OF_(r) \
  CONVK_UNROLL_ \
  for (r = 0; r < CONVK_SUMS_HIGH_; r++)
  for (; blocks; blocks--, x += CONVK_LANES, out += CONVK_LANES, along++, up++) {
    CONVK_V v[CONVK_SUMS_HIGH_], next[CONVK_SUMS_HIGH_], sum[CONVK_SUMS_HIGH_], tap;
    const CONVK_T *t = taps, *from = x;
    size_t at = 0;
    CONVK_SUMS_ROWS_OF_(r) {
      sum[r] = CONVK_SET_(0);
      v[r] = CONVK_LOAD_(x + (size_t)r * pitch);
      next[r] = CONVK_LOAD_(x + (size_t)r * pitch + CONVK_LANES);
    }
    if (ntaps) {
      tap = CONVK_SET_(*t++);
      CONVK_SUMS_ROWS_OF_(r) sum[r] = CONVK_FMA_(tap, v[r], sum[r]);
    }
    for (; t < last; t++) {
      at += step;
      from += step;
      if (at > CONVK_LANES) {
        at -= CONVK_LANES;
        CONVK_SUMS_ROWS_OF_(r) {
          v[r] = next[r];
          next[r] = CONVK_LOAD_(from + (size_t)r * pitch + (CONVK_LANES - at));
        }
      }
      tap = CONVK_SET_(*t);
      CONVK_SUMS_ROWS_OF_(r) sum[r] = CONVK_FMA_(tap, CONVK_SLIDE_(v[r], next[r], at), sum[r]);
      if (++t >= last) break;
      at += step;
      from += step;
      tap = CONVK_SET_(*t);
      CONVK_SUMS_ROWS_OF_(r) sum[r] = CONVK_FMA_(tap, CONVK_LOAD_(from + (size_t)r * pitch), sum[r]);
    }
    if (adds & 1) CONVK_SUMS_ROWS_OF_(r) sum[r] = CONVK_ADD_(sum[r], along->sum[p][r]);
    if (adds & 2) CONVK_SUMS_ROWS_OF_(r) sum[r] = CONVK_ADD_(sum[r], up->sum[p][r]);
    if (!more && extra.any) CONVK_SUMS_ROWS_OF_(r) sum[r] = convk_sums_fused_more_(&extra, (size_t)r, i, CONVK_LANES, sum[r]);
    i += CONVK_LANES;
    if (more) CONVK_SUMS_ROWS_OF_(r) up->sum[p][r] = sum[r];
    else if (stream) CONVK_SUMS_ROWS_OF_(r) CONVK_STREAM_(out + (size_t)r * pitch_out, sum[r]);
    else CONVK_SUMS_ROWS_OF_(r) CONVK_STORE_(out + (size_t)r * pitch_out, sum[r]);
  }
#undef CONVK_SUMS_ROWS_OF_
}
#else
CONVK_RARE_ void convk_sums_fused_across_(const convk_sums_planes_ *w, int all, size_t r0, size_t i, size_t blocks, int more,
                                          int stream, const convk_sums_block_ *along, convk_sums_block_ *up) {
  const size_t pitch_out = w->pitch_out;
  const int extra = w->wants_x || w->add[0];
  int p, r;
  (void)all;
  (void)stream; /* these vectors are less than a line: convk_sums_fused_put_ has what goes past the cache */
  for (; blocks; blocks--, i += CONVK_SUMS_WIDE_, along++, up++) {
    CONVK_V sum[CONVK_SUMS_PLANES_][CONVK_SUMS_HIGH_];
    const size_t to = r0 * pitch_out + i, at = r0 * w->pitch + i;
    size_t k;
    CONVK_SUMS_BLOCK_(p, r) sum[p][r] = CONVK_SET_(0);
    for (k = 0; k < w->ntaps[0]; k++) {
      CONVK_V tap = CONVK_SET_(w->taps[0][k]);
      CONVK_FILTERS_KEEP_(tap);
      CONVK_SUMS_BLOCK_(p, r)
      sum[p][r] = CONVK_FMA_(tap, CONVK_LOAD_(w->x[p] + at + k * w->step + (size_t)r * CONVK_SUMS_APART_(w->pitch)), sum[p][r]);
    }
    if (w->ntaps[1]) CONVK_SUMS_BLOCK_(p, r) sum[p][r] = CONVK_ADD_(sum[p][r], along->sum[p][r]);
    if (w->ntaps[2]) CONVK_SUMS_BLOCK_(p, r) sum[p][r] = CONVK_ADD_(sum[p][r], up->sum[p][r]);
    if (!more && extra) {
      CONVK_EACH_(p, CONVK_SUMS_PLANES_) {
        const convk_sums_extra_ e = convk_sums_fused_extra_(w, (size_t)p, r0);
        CONVK_EACH_(r, CONVK_SUMS_HIGH_)
          sum[p][r] = convk_sums_fused_more_(&e, CONVK_LANES > 1 ? (size_t)r : 0, i + (CONVK_LANES > 1 ? 0 : (size_t)r),
                                             CONVK_LANES, sum[p][r]);
      }
    }
    if (more) CONVK_SUMS_BLOCK_(p, r) up->sum[p][r] = sum[p][r];
    else CONVK_SUMS_BLOCK_(p, r) CONVK_STORE_(w->out[p] + to + (size_t)r * CONVK_SUMS_APART_(pitch_out), sum[p][r]);
  }
}

/* The same for pairs of blocks of two planes, where nothing else comes to the sums: on AVX2 two vectors of a row are a line,
   and lines of four rows in turn are written faster than halves of eight: 1.2 to 1.4 times where memory is the output; where a
   cache is, a call on 48^3 points takes 0.95 of the time. */
CONVK_RARE_ void convk_sums_fused_lines_(const convk_sums_planes_ *w, int p, size_t r0, size_t i, size_t pairs, int stream,
                                         const convk_sums_block_ *along, const convk_sums_block_ *up) {
  enum { CONVK_SUMS_SIDE_ = 2 * CONVK_SUMS_HIGH_ };
  const CONVK_T *in[CONVK_SUMS_SIDE_];
  CONVK_T *out[CONVK_SUMS_SIDE_];
  size_t at = 0, k;
  int r, v;
#define CONVK_SUMS_SIDES_ \
  CONVK_UNROLL_ \
  for (r = 0; r < CONVK_SUMS_SIDE_; r++) CONVK_UNROLL_ \
  for (v = 0; v < 2; v++)
#define CONVK_SUMS_OF_(block) (block)[v].sum[p + r / CONVK_SUMS_HIGH_][r % CONVK_SUMS_HIGH_]
  CONVK_EACH_(r, CONVK_SUMS_SIDE_) {
    const size_t row = (size_t)(r % CONVK_SUMS_HIGH_);
    in[r] = w->x[p + r / CONVK_SUMS_HIGH_] + r0 * w->pitch + i + row * CONVK_SUMS_APART_(w->pitch);
    out[r] = w->out[p + r / CONVK_SUMS_HIGH_] + r0 * w->pitch_out + i + row * CONVK_SUMS_APART_(w->pitch_out);
  }
  for (; pairs; pairs--, at += 2 * CONVK_SUMS_WIDE_, along += 2, up += 2) {
    CONVK_V sum[CONVK_SUMS_SIDE_][2];
    CONVK_SUMS_SIDES_ sum[r][v] = CONVK_SET_(0);
    for (k = 0; k < w->ntaps[0]; k++) {
      CONVK_V tap = CONVK_SET_(w->taps[0][k]);
      CONVK_FILTERS_KEEP_(tap);
      CONVK_SUMS_SIDES_ sum[r][v] =
          CONVK_FMA_(tap, CONVK_LOAD_(in[r] + at + k * w->step + (size_t)v * CONVK_SUMS_WIDE_), sum[r][v]);
    }
    if (w->ntaps[1]) CONVK_SUMS_SIDES_ sum[r][v] = CONVK_ADD_(sum[r][v], CONVK_SUMS_OF_(along));
    if (w->ntaps[2]) CONVK_SUMS_SIDES_ sum[r][v] = CONVK_ADD_(sum[r][v], CONVK_SUMS_OF_(up));
    if (stream) CONVK_SUMS_SIDES_ CONVK_STREAM_(out[r] + at + (size_t)v * CONVK_SUMS_WIDE_, sum[r][v]);
    else CONVK_SUMS_SIDES_ CONVK_STORE_(out[r] + at + (size_t)v * CONVK_SUMS_WIDE_, sum[r][v]);
  }
#undef CONVK_SUMS_SIDES_
#undef CONVK_SUMS_OF_
}
#endif

/* `count` elements from i on of sums of some rows and planes to memory, with what comes to them. */
CONVK_RARE_ void convk_sums_fused_put_(const convk_sums_planes_ *w, size_t r0, size_t rows, size_t i, size_t count, int stream,
                                       const convk_sums_block_ *up) {
  size_t p, k, r;
  for (p = 0; p < w->some; p++) {
    const convk_sums_extra_ extra = convk_sums_fused_extra_(w, p, r0);
    for (r = 0; r < rows; r++)
      for (k = 0; k < count; k += CONVK_LANES) {
        const CONVK_V sum = convk_sums_fused_more_(&extra, r, i + k, count - k,
                                                   up[k / CONVK_SUMS_WIDE_].sum[p][CONVK_LANES > 1 ? r : k % CONVK_SUMS_WIDE_]);
        CONVK_T *const to = w->out[p] + (r0 + r) * w->pitch_out + i + k;
        if (stream && count - k >= CONVK_LANES) CONVK_STREAM_(to, sum);
        else convk_filters_put_(to, sum, count - k);
      }
  }
}

/* Bytes of a row that are swept through all rows before the next ones: what y sees of four planes stays in L1. */
#define CONVK_SUMS_STRIP_ ((size_t)256)

static void convk_sums_fused_(const convk_sums_planes_ *w, size_t n, size_t nrows, int stream) {
  const size_t strip = CONVK_SUMS_STRIP_ / sizeof(CONVK_T), high = CONVK_SUMS_STEP_;
  convk_sums_block_ along[CONVK_SUMS_STRIP_ / 2 * 3 / sizeof(CONVK_V) + 1], up[CONVK_SUMS_STRIP_ / 2 * 3 / sizeof(CONVK_V) + 1];
#ifdef CONVK_SLIDE_
  const int passes = CONVK_SUMS_PLANES_;
#else
  const int passes = 1, by_lines = !w->wants_x && !w->add[0] && n >= 2 * CONVK_SUMS_WIDE_;
#endif
  size_t begin, r;
  int p, past = stream && w->pitch_out * sizeof(CONVK_T) % 64 == 0;
  for (p = 0; p < CONVK_SUMS_PLANES_; p++) past = past && (uintptr_t)w->out[p] % 64 == 0;
  for (begin = 0; begin < n; begin += strip) {
    const size_t count = n - begin <= strip + strip / 2 ? n - begin : strip,
                 blocks = (count + CONVK_SUMS_WIDE_ - 1) / CONVK_SUMS_WIDE_;
    for (r = 0; r < nrows; r += high) {
      const size_t rows = nrows - r < high ? nrows - r : high, at = r * w->pitch + begin;
      /* what goes past the cache, and is less than a line at a time, goes there row by row: half lines of eight rows in turn
         took twice as long */
      size_t done = 0, whole = rows < high || w->some < CONVK_SUMS_PLANES_ || (past && sizeof(CONVK_V) < 64)
                                   ? 0
                                   : count / CONVK_SUMS_WIDE_;
      if (w->ntaps[2]) convk_sums_fused_up_(w, at, blocks, up);
      if (w->ntaps[1]) convk_sums_fused_along_(w, at, blocks, along);
#ifndef CONVK_SLIDE_
      if (by_lines && rows == high && w->some == CONVK_SUMS_PLANES_ && !(past && 2 * sizeof(CONVK_V) < 64)) {
        done = count / CONVK_SUMS_WIDE_ / 2 * 2;
        if (past) whole = done;
        for (p = 0; p < CONVK_SUMS_PLANES_; p += 2) convk_sums_fused_lines_(w, p, r, begin, done / 2, past, along, up);
      }
#endif
      for (p = 0; done < whole && p < passes; p++)
        convk_sums_fused_across_(w, p, r, begin + done * CONVK_SUMS_WIDE_, whole - done, 0, past, along + done, up + done);
      if (whole == blocks) continue;
      for (p = 0; p < passes; p++)
        convk_sums_fused_across_(w, p, r, begin + whole * CONVK_SUMS_WIDE_, blocks - whole, 1, 0, along + whole, up + whole);
      convk_sums_fused_put_(w, r, rows, begin + whole * CONVK_SUMS_WIDE_, count - whole * CONVK_SUMS_WIDE_, past, up + whole);
    }
    if (count == n - begin) break;
  }
  CONVK_LEAVE_
}

/* n elements, where ends of rows may be written a vector at a time as long as a vector is there. */
CONVK_INLINE_ void convk_sums_wrap_some_(const CONVK_T *in, size_t n, CONVK_T *out) {
  size_t i;
  for (i = 0; i + CONVK_LANES <= n; i += CONVK_LANES) CONVK_STORE_(out + i, CONVK_LOAD_(in + i));
  if (i < n) CONVK_STOREK_(out + i, CONVK_LOADK_(in + i, n - i), n - i);
}

static void convk_sums_wrap_rows_(const CONVK_T *in, size_t pitch_in, size_t n, size_t left, size_t right, size_t nrows,
                                  CONVK_T *out, size_t pitch_out) {
  const size_t whole = (left + CONVK_LANES - 1) / CONVK_LANES * CONVK_LANES; /* there is room for a line */
  if (whole <= n) left = whole;
  for (; nrows; nrows--, in += pitch_in, out += pitch_out) {
    convk_sums_wrap_some_(in + (n - left), left, out - left);
    convk_sums_wrap_some_(in, n, out);
    convk_sums_wrap_some_(in, right, out + n);
  }
  CONVK_LEAVE_
}
#undef CONVK_SUMS_HIGH_
#undef CONVK_SUMS_BLOCK_
#undef CONVK_SUMS_APART_
#undef CONVK_SUMS_STEP_
#undef CONVK_SUMS_WIDE_
#undef CONVK_SUMS_STRIP_
