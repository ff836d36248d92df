/* ---- kernels of sums of filters ---- */

/* Rows of a tile along x, and its vectors: a loaded window serves each vector that it lies in the reach of, a tap all rows,
   so that multiply-adds wait for neither. */
#define CONVK_SUMS_ROWS_ (CONVK_REGISTERS_ >= 32 ? 4 : 2)
#define CONVK_SUMS_VECTORS_ 4
/* From so many elements on that a filter reaches over, vectors share windows.  With 16 registers that is slower. */
#if CONVK_REGISTERS_ >= 32
#define CONVK_SUMS_SHARED_ (2 * CONVK_LANES)
#endif

#ifdef CONVK_SUMS_SHARED_
/* Windows begin .. end - 1 of a tile, each at step elements from the one before, for its vectors from .. to: vector v begins
   v * LANES elements further, so that window p has tap p - v * ahead for it. */
CONVK_INLINE_ void convk_sums_windows_(int from, int to, const CONVK_T *const *in, size_t begin, size_t end, size_t step,
                                       size_t ahead, const CONVK_T *taps, CONVK_V (*sum)[CONVK_SUMS_VECTORS_]) {
  size_t p;
  int r, v;
  for (p = begin; p < end; p++) {
    CONVK_V x[CONVK_SUMS_ROWS_];
    CONVK_EACH_(r, CONVK_SUMS_ROWS_) {
      x[r] = CONVK_LOAD_(in[r] + p * step);
      CONVK_FILTERS_KEEP_(x[r]); /* or it is loaded once for each use */
    }
    CONVK_EACH_(v, CONVK_SUMS_VECTORS_)
      if (from <= v && v <= to) {
        CONVK_V tap = CONVK_SET_(taps[p - (size_t)v * ahead]);
        CONVK_FILTERS_KEEP_(tap);
        CONVK_EACH_(r, CONVK_SUMS_ROWS_) sum[r][v] = CONVK_FMA_(tap, x[r], sum[r][v]);
      }
  }
}

/* A tile of four vectors, in stretches where the same vectors are in reach of windows. */
CONVK_INLINE_ void convk_sums_wide_(const CONVK_T *const *in, size_t step, size_t ntaps, const CONVK_T *taps,
                                    CONVK_V (*sum)[CONVK_SUMS_VECTORS_]) {
  const size_t ahead = CONVK_LANES / step, last = ntaps + 3 * ahead;
  size_t p = 0;
  while (p < last) {
    const size_t to = p / ahead < 3 ? p / ahead : 3, from = p < ntaps ? 0 : (p - ntaps) / ahead + 1;
    size_t end = from * ahead + ntaps;
    if (to < 3 && (to + 1) * ahead < end) end = (to + 1) * ahead;
#define CONVK_SUMS_STRETCH_(f, t) \
  case 4 * f + t: convk_sums_windows_(f, t, in, p, end, step, ahead, taps, sum); break;
    switch (4 * from + to) {
      CONVK_SUMS_STRETCH_(0, 0)
      CONVK_SUMS_STRETCH_(0, 1)
      CONVK_SUMS_STRETCH_(0, 2)
      CONVK_SUMS_STRETCH_(0, 3)
      CONVK_SUMS_STRETCH_(1, 2)
      CONVK_SUMS_STRETCH_(1, 3)
      CONVK_SUMS_STRETCH_(2, 3)
      CONVK_SUMS_STRETCH_(3, 3)
      default: break; /* there is no other of filters that reach over two vectors */
    }
#undef CONVK_SUMS_STRETCH_
    p = end;
  }
}
#endif

/* A tile whose vectors load their windows each for itself. */
CONVK_INLINE_ void convk_sums_short_(int rows, int vectors, const CONVK_T *const *in, size_t step, size_t ntaps,
                                     const CONVK_T *taps, CONVK_V (*sum)[CONVK_SUMS_VECTORS_]) {
  size_t p;
  int r, v;
  for (p = 0; p < ntaps; p++) {
    CONVK_V tap = CONVK_SET_(taps[p]);
    CONVK_FILTERS_KEEP_(tap);
    CONVK_EACH_(r, rows) {
      CONVK_EACH_(v, vectors) sum[r][v] = CONVK_FMA_(tap, CONVK_LOAD_(in[r] + p * step + v * CONVK_LANES), sum[r][v]);
    }
  }
}

/* Row r of some rows. */
CONVK_INLINE_ const CONVK_T *convk_sums_at_(const convk_sums_rows_ *rows, size_t r, size_t i) {
  return rows->first + r * rows->pitch + i;
}

/* What comes to the sums of a tile besides the filter of x, `parts` up to a NULL, and to memory.  All is read before anything
   is written, as `add` may be the output, and a row may be there twice. */
CONVK_INLINE_ void convk_sums_add_(const convk_sums_way_ *w, const convk_sums_rows_ *const *parts, int rows, int vectors,
                                   const size_t *row, size_t i, int partial, size_t left, int stream,
                                   CONVK_V (*sum)[CONVK_SUMS_VECTORS_]) {
  int r, v;
#define CONVK_SUMS_EACH_(text) \
  CONVK_UNROLL_ \
  for (r = 0; r < rows; r++) { \
    CONVK_UNROLL_ \
    for (v = 0; v < vectors; v++) { \
      text \
    } \
  }
#define CONVK_SUMS_GET_(list) convk_filters_get_(convk_sums_at_(&(list), row[r], i) + v * CONVK_LANES, partial, left)
  if (w->part_x)
    CONVK_SUMS_EACH_(convk_filters_set_(w->part_x + row[r] * w->pitch_x + i + v * CONVK_LANES, sum[r][v], partial, left, 0);)
  for (; *parts; parts++) {
    const convk_sums_rows_ *const part = *parts;
    const CONVK_V factor = CONVK_SET_(part->factor);
    if (CONVK_FINDS_SUMS_ && part == &w->part[CONVK_SUMS_PART_HERE_] && w->potential.first) {
      const CONVK_V own = CONVK_SET_(w->potential.factor);
      CONVK_SUMS_EACH_(
          sum[r][v] = CONVK_FMA_(CONVK_FMA_(own, CONVK_SUMS_GET_(w->potential), factor), CONVK_SUMS_GET_(*part), sum[r][v]);)
    } else {
      CONVK_SUMS_EACH_(sum[r][v] = CONVK_FMA_(factor, CONVK_SUMS_GET_(*part), sum[r][v]);)
    }
  }
  if (stream) CONVK_SUMS_EACH_(CONVK_STREAM_(w->out + row[r] * w->pitch_out + i + v * CONVK_LANES, sum[r][v]);)
  else CONVK_SUMS_EACH_(convk_filters_set_(w->out + row[r] * w->pitch_out + i + v * CONVK_LANES, sum[r][v], partial, left, 0);)
#undef CONVK_SUMS_EACH_
#undef CONVK_SUMS_GET_
}

/* A tile: elements i on of some rows, of so many vectors, or what is left of one. */
CONVK_INLINE_ void convk_sums_tile_(const convk_sums_way_ *w, const convk_sums_rows_ *const *parts, int rows, int vectors,
                                    const size_t *row, size_t i, int partial, size_t left, int stream) {
  CONVK_V sum[CONVK_SUMS_ROWS_][CONVK_SUMS_VECTORS_];
  const CONVK_T *in[CONVK_SUMS_ROWS_];
  const size_t filtered = w->ntaps > 0; /* or else nothing is there */
  int r, v;
  CONVK_EACH_(r, rows) {
    in[r] = w->in.first + filtered * (row[r] * w->in.pitch + i);
    CONVK_EACH_(v, vectors) sum[r][v] = CONVK_SET_(0);
  }
#ifdef CONVK_SUMS_SHARED_
  if (vectors == CONVK_SUMS_VECTORS_ && w->step * w->ntaps > CONVK_SUMS_SHARED_ && w->step <= CONVK_LANES)
    convk_sums_wide_(in, w->step, w->ntaps, w->taps, sum);
  else
#endif
    convk_sums_short_(rows, vectors, in, w->step, w->ntaps, w->taps, sum);
  convk_sums_add_(w, parts, rows, vectors, row, i, partial, left, stream, sum);
}

static void convk_sums_finish_(const convk_sums_way_ *w, size_t n, size_t nrows, int stream) {
  enum { CONVK_SUMS_WIDE_ = CONVK_SUMS_VECTORS_ * CONVK_LANES };
  const int past = stream && (uintptr_t)w->out % 64 == 0 && w->pitch_out * sizeof(CONVK_T) % 64 == 0;
  const convk_sums_rows_ *parts[CONVK_SUMS_PARTS_ + 1];
  size_t i, k, r, count = 0;
  for (k = 0; k < CONVK_SUMS_PARTS_; k++)
    if (w->part[k].first) parts[count++] = &w->part[k];
  parts[count] = NULL;
  for (r = 0; r < nrows; r += CONVK_SUMS_ROWS_) {
    size_t row[CONVK_SUMS_ROWS_];
    for (k = 0; k < CONVK_SUMS_ROWS_; k++) row[k] = r + k < nrows ? r + k : nrows - 1; /* some are made again, the same */
    i = 0;
    for (; i + CONVK_SUMS_WIDE_ <= n; i += CONVK_SUMS_WIDE_)
      convk_sums_tile_(w, parts, CONVK_SUMS_ROWS_, CONVK_SUMS_VECTORS_, row, i, 0, 0, past);
    if (i + 2 * CONVK_LANES <= n) {
      convk_sums_tile_(w, parts, CONVK_SUMS_ROWS_, 2, row, i, 0, 0, past);
      i += 2 * CONVK_LANES;
    }
    for (; i < n; i += CONVK_LANES)
      for (k = 0; k < CONVK_SUMS_ROWS_ && r + k < nrows; k++) /* one by one: partial vectors take much text */
        convk_sums_tile_(w, parts, 1, 1, &row[k], i, 1, n - i < CONVK_LANES ? n - i : CONVK_LANES, 0);
  }
  CONVK_LEAVE_
}

/* Two vectors of complex numbers, or what is left of them. */
CONVK_INLINE_ void convk_sums_spin_some_(const CONVK_T *in, int turn, CONVK_V re, CONVK_V im, CONVK_T *out, size_t left) {
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
  convk_filters_put_(out, v[0], left);
  CONVK_IN_MEMORY_(out); /* or gcc makes an fmaddsub of a scalar's two products, whatever it is told of contraction */
  if (more) convk_filters_put_(out + CONVK_LANES, v[1], more);
}

static void convk_sums_spin_(const CONVK_T *in, size_t pitch_in, size_t n, size_t nrows, int turn, CONVK_T re, CONVK_T im,
                             CONVK_T *out, size_t pitch_out) {
  const CONVK_V a = CONVK_SET_(re), b = CONVK_SET_(im);
  size_t i, r;
  for (r = 0; r < nrows; r++) {
    const CONVK_T *from = in + r * pitch_in;
    CONVK_T *to = out + r * pitch_out;
    for (i = 0; i + 2 * CONVK_LANES <= 2 * n; i += 2 * CONVK_LANES)
      convk_sums_spin_some_(from + i, turn, a, b, to + i, 2 * CONVK_LANES);
    if (i < 2 * n) convk_sums_spin_some_(from + i, turn, a, b, to + i, 2 * n - i);
  }
  CONVK_LEAVE_
}

static void convk_sums_copy_(const CONVK_T *in, size_t pitch_in, size_t n, size_t nrows, CONVK_T *out, size_t pitch_out) {
  size_t i, r;
  for (r = 0; r < nrows; r++) {
    const CONVK_T *from = in + r * pitch_in;
    CONVK_T *to = out + r * pitch_out;
    for (i = 0; i + CONVK_LANES <= n; i += CONVK_LANES) CONVK_STORE_(to + i, CONVK_LOAD_(from + i));
    if (i < n) CONVK_STOREK_(to + i, CONVK_LOADK_(from + i, n - i), n - i);
  }
  CONVK_LEAVE_
}

static double convk_sums_dot_(const CONVK_T *a, const CONVK_T *potential, const CONVK_T *b, size_t n) {
  const double sum = convk_filters_sum_(a, potential, b, n);
  CONVK_LEAVE_
  return sum;
}
#undef CONVK_SUMS_ROWS_
#undef CONVK_SUMS_VECTORS_
#undef CONVK_SUMS_SHARED_

#if CONVK_FINDS_SUMS_ /* or only hamiltonian needs this text, whose filters are long, and take no potential */
static void convk_sums_twice_(const CONVK_T *in, size_t pitch_in, size_t n, size_t nrows, CONVK_T *out, size_t pitch_out) {
  size_t i, r;
  for (r = 0; r < nrows; r++)
    for (i = 0; i < n; i += CONVK_LANES) {
      const size_t left = n - i < CONVK_LANES ? n - i : CONVK_LANES, first = 2 * left < CONVK_LANES ? 2 * left : CONVK_LANES;
      const CONVK_T *from = in + r * pitch_in + i;
      CONVK_T *to = out + r * pitch_out + 2 * i;
      CONVK_V v[2];
      v[0] = v[1] = left == CONVK_LANES ? CONVK_LOAD_(from) : CONVK_LOADK_(from, left);
      CONVK_ZIP_(v);
      convk_filters_put_(to, v[0], first);
      if (2 * left > first) convk_filters_put_(to + CONVK_LANES, v[1], 2 * left - first);
    }
  CONVK_LEAVE_
}

#include "sums/fused_kernel.h"
#define CONVK_SUMS_TABLE_ convk_sums_twice_, convk_sums_fused_, convk_sums_wrap_rows_
#else
#define CONVK_SUMS_TABLE_ NULL, NULL, NULL
#endif

static const convk_sums_kernels_ convk_sums_table_ = {convk_filters_columns_, convk_filters_copy_, convk_filters_fence_,
                                                      convk_sums_finish_,     convk_sums_spin_,    convk_sums_copy_,
                                                      convk_sums_dot_,        CONVK_SUMS_TABLE_};
#undef CONVK_SUMS_TABLE_
CONVK_LOCAL_ const convk_sums_kernels_ *convk_sums_kernel_table_(void) { return &convk_sums_table_; }
