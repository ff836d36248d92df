/* SPDX-License-Identifier: MIT
   Tests of 2D convolutions by FFT and of 2D transforms.  The references are the sums of the definitions, term by term. */
#include "test.h"

/* ---------------------------------------------------------------- one interface to all operations and precisions -- */

enum { FFT_REAL, FFT_COMPLEX, FFT_PLAIN, FFT_KINDS }; /* convolutions of real and complex numbers, transforms */
static const char *const fft_types[FFT_KINDS][2] = {{"f32", "f64"}, {"c32", "c64"}, {"c32", "c64"}};

static void fft_suite(int kind, int type) {
  suite.operation = kind == FFT_PLAIN ? "fft2d" : "fftconv2d";
  suite.type = fft_types[kind][type];
}

typedef struct fft_call {
  convk *hw;
  const char *name; /* of the variant, to call it by its name */
  int kind, direction;
  const void *plan;
  const convk_batch2d *batch;
  const void *in;
  void *out, *work;
  size_t work_size;
} fft_call;

/* Kernels, or their spectra, as a plan takes them. */
typedef struct fft_kernels {
  size_t count;
  const void *data;
  int spectrum;
  size_t pitch, stride;
} fft_kernels;

/* After a refusal the message of an open handle has this text, and is empty after success. */
static void fft_want_text(convk *hw, int status, const char *text) {
  if (!hw || status == CONVK_ERR_HANDLE) return;
  if (!status && hw->message[0]) fail("the message after success is '%s'", hw->message);
  if (status && text && !strstr(hw->message, text)) fail("the message is '%s', without '%s'", hw->message, text);
}

/* The answer of a query for a size, and (size_t)-1 where there is none: nothing was written then.  fft_query: its status. */
#define FFT_UNTOUCHED ((size_t)0x5a5a5a5a)
static int fft_query;
static size_t fft_answer(convk *hw, const size_t *bytes, int status) {
  fft_query = status;
  if (status && *bytes != FFT_UNTOUCHED) fail("a size was written, and the status is %d", status);
  if (hw && status != CONVK_ERR_HANDLE && !status != !hw->message[0]) fail("status %d and message '%s'", status, hw->message);
  return status ? (size_t)-1 : *bytes;
}

#define FFT_DO(TYPE, CTYPE, T, HW) \
  if (k->kind == FFT_REAL) \
    status = convk_fftconv2d_##TYPE##HW(k->hw, (const convk_fftconv2d_plan_##TYPE *)k->plan, k->batch, (const T *)k->in, \
                                        (T *)k->out, k->work, k->work_size); \
  else if (k->kind == FFT_COMPLEX) \
    status = convk_fftconv2d_##CTYPE##HW(k->hw, (const convk_fftconv2d_plan_##CTYPE *)k->plan, k->batch, (const T *)k->in, \
                                         (T *)k->out, k->work, k->work_size); \
  else \
    status = convk_fft2d_##CTYPE##HW(k->hw, (const convk_fft2d_plan_##CTYPE *)k->plan, k->direction, k->batch, \
                                     (const T *)k->in, (T *)k->out, k->work, k->work_size);
#define FFT_NAMED(TYPE, CTYPE, T, HW) \
  if (k->name && !strcmp(k->name, #HW)) { \
    FFT_DO(TYPE, CTYPE, T, _##HW) \
  }

#define FFT_CALL(TYPE, CTYPE, T) \
  static int fft_call_##TYPE(const fft_call *k) { \
    const surroundings s = before_call(); \
    int status = 1; \
    if (!k->name) { \
      FFT_DO(TYPE, CTYPE, T, ) \
    } \
    EVERYWHERE(FFT_NAMED, TYPE, CTYPE, T) \
    after_call(s, k->hw && k->hw->ours.inside.device); \
    return status; \
  } \
  static size_t fft_plan_size_##TYPE(int kind, convk *hw, const convk_fftconv2d_shape *shape, size_t kernels) { \
    size_t bytes = FFT_UNTOUCHED; \
    return fft_answer(hw, &bytes, \
                      kind == FFT_REAL      ? convk_fftconv2d_plan_size_##TYPE(hw, shape, kernels, &bytes) \
                      : kind == FFT_COMPLEX ? convk_fftconv2d_plan_size_##CTYPE(hw, shape, kernels, &bytes) \
                                            : convk_fft2d_plan_size_##CTYPE(hw, shape->rows, shape->columns, &bytes)); \
  } \
  static int fft_plan_##TYPE(int kind, convk *hw, const convk_fftconv2d_shape *shape, const fft_kernels *k, void *plan, \
                             size_t size) { \
    const surroundings s = before_call(); \
    const T *data = (const T *)k->data; \
    int status; \
    if (kind == FFT_PLAIN) \
      status = convk_fft2d_prepare_##CTYPE(hw, shape->rows, shape->columns, (convk_fft2d_plan_##CTYPE *)plan, size); \
    else if (kind == FFT_REAL) \
      status = (k->spectrum ? convk_fftconv2d_prepare_spectrum_##TYPE : convk_fftconv2d_prepare_##TYPE)( \
          hw, shape, k->count, data, k->pitch, k->stride, (convk_fftconv2d_plan_##TYPE *)plan, size); \
    else \
      status = (k->spectrum ? convk_fftconv2d_prepare_spectrum_##CTYPE : convk_fftconv2d_prepare_##CTYPE)( \
          hw, shape, k->count, data, k->pitch, k->stride, (convk_fftconv2d_plan_##CTYPE *)plan, size); \
    after_call(s, 0); \
    return status; \
  } \
  static size_t fft_work_##TYPE(int kind, convk *hw, const void *plan, size_t items) { \
    size_t bytes = FFT_UNTOUCHED; \
    return fft_answer(hw, &bytes, \
                      kind == FFT_REAL \
                          ? convk_fftconv2d_work_size_##TYPE(hw, (const convk_fftconv2d_plan_##TYPE *)plan, items, &bytes) \
                      : kind == FFT_COMPLEX \
                          ? convk_fftconv2d_work_size_##CTYPE(hw, (const convk_fftconv2d_plan_##CTYPE *)plan, items, &bytes) \
                          : convk_fft2d_work_size_##CTYPE(hw, (const convk_fft2d_plan_##CTYPE *)plan, items, &bytes)); \
  } \
  static size_t fft_bytes_##TYPE(int kind, convk *hw, const void *plan) { \
    size_t bytes = FFT_UNTOUCHED; \
    return fft_answer( \
        hw, &bytes, \
        kind == FFT_REAL      ? convk_fftconv2d_plan_bytes_##TYPE(hw, (const convk_fftconv2d_plan_##TYPE *)plan, &bytes) \
        : kind == FFT_COMPLEX ? convk_fftconv2d_plan_bytes_##CTYPE(hw, (const convk_fftconv2d_plan_##CTYPE *)plan, &bytes) \
                              : convk_fft2d_plan_bytes_##CTYPE(hw, (const convk_fft2d_plan_##CTYPE *)plan, &bytes)); \
  } \
  /* Queries that have nowhere to answer. */ \
  static void fft_nowhere_##TYPE(int kind, convk *hw, const convk_fftconv2d_shape *shape, const void *plan) { \
    const int status[3] = { \
        kind == FFT_REAL      ? convk_fftconv2d_plan_size_##TYPE(hw, shape, 2, NULL) \
        : kind == FFT_COMPLEX ? convk_fftconv2d_plan_size_##CTYPE(hw, shape, 2, NULL) \
                              : convk_fft2d_plan_size_##CTYPE(hw, shape->rows, shape->columns, NULL), \
        kind == FFT_REAL      ? convk_fftconv2d_work_size_##TYPE(hw, (const convk_fftconv2d_plan_##TYPE *)plan, 2, NULL) \
        : kind == FFT_COMPLEX ? convk_fftconv2d_work_size_##CTYPE(hw, (const convk_fftconv2d_plan_##CTYPE *)plan, 2, NULL) \
                              : convk_fft2d_work_size_##CTYPE(hw, (const convk_fft2d_plan_##CTYPE *)plan, 2, NULL), \
        kind == FFT_REAL      ? convk_fftconv2d_plan_bytes_##TYPE(hw, (const convk_fftconv2d_plan_##TYPE *)plan, NULL) \
        : kind == FFT_COMPLEX ? convk_fftconv2d_plan_bytes_##CTYPE(hw, (const convk_fftconv2d_plan_##CTYPE *)plan, NULL) \
                              : convk_fft2d_plan_bytes_##CTYPE(hw, (const convk_fft2d_plan_##CTYPE *)plan, NULL)}; \
    size_t i; \
    for (i = 0; i < COUNT_OF(status); i++) want_status(status[i], CONVK_ERR_NULL); \
    fft_want_text(hw, CONVK_ERR_NULL, "bytes is NULL"); \
  } \
  static int fft_offers_##TYPE(convk *hw, int kind) { \
    return kind == FFT_REAL      ? hw->ours.inside.TYPE.fftconv2d != NULL \
           : kind == FFT_COMPLEX ? hw->ours.inside.TYPE.complex_fftconv2d != NULL \
                                 : hw->ours.inside.TYPE.complex_fft2d != NULL; \
  }
FFT_CALL(f32, c32, float)
FFT_CALL(f64, c64, double)

/* limit: of the relative L2 norm of an item's errors; eight times that of one element's */
static const struct {
  int (*call)(const fft_call *k);
  size_t (*plan_size)(int kind, convk *hw, const convk_fftconv2d_shape *shape, size_t kernels);
  int (*plan)(int kind, convk *hw, const convk_fftconv2d_shape *shape, const fft_kernels *k, void *plan, size_t size);
  size_t (*work)(int kind, convk *hw, const void *plan, size_t items);
  size_t (*bytes)(int kind, convk *hw, const void *plan);
  void (*nowhere)(int kind, convk *hw, const convk_fftconv2d_shape *shape, const void *plan);
  int (*offers)(convk *hw, int kind);
  double limit;
} fft_ops[2] = {
    {fft_call_f32, fft_plan_size_f32, fft_plan_f32, fft_work_f32, fft_bytes_f32, fft_nowhere_f32, fft_offers_f32, 5e-7},
    {fft_call_f64, fft_plan_size_f64, fft_plan_f64, fft_work_f64, fft_bytes_f64, fft_nowhere_f64, fft_offers_f64, 1e-15}};

/* The next open variant with this operation.  What a device does not offer, it must refuse: a test of its own. */
static variant *fft_next(size_t *i, int type, int kind, size_t cost) {
  return next_offering(i, cost, fft_ops[type].offers, kind);
}

/* ------------------------------------------------------------------------------------------------------------ problems -- */

enum { FFT_FIELDS = 3, FFT_SPECIAL = 2, FFT_FILTERS = 3 }; /* fields, then those with something that is not finite */
enum { FFT_ALL = FFT_FIELDS + FFT_SPECIAL };

/* A few fields and kernels of one shape, and what each pair gives. */
typedef struct fft_problem {
  int kind, type, direction, spectrum;
  convk_fftconv2d_shape shape;
  size_t n[2], k[2], out[2], period[2], fft[2]; /* period 0: not circular; fft: of spectra */
  ptrdiff_t origin[2];
  size_t parts, size;     /* real numbers and bytes of an element */
  size_t fields, filters; /* that are used: fewer where sums are long */
  double *field[FFT_ALL], *kernel[FFT_FILTERS];
  long *map[2]; /* element of the field that element l of the kernel takes to result i, or -1 */
  int known[2][FFT_ALL * FFT_FILTERS];
  unsigned char *bits[2][FFT_ALL * FFT_FILTERS]; /* of a class of variants */
  double l2[2][FFT_ALL * FFT_FILTERS], worst[2][FFT_ALL * FFT_FILTERS];
  long double *exact[FFT_ALL * FFT_FILTERS];
} fft_problem;

static size_t fft_remainder(ptrdiff_t a, size_t p) {
  const ptrdiff_t r = a % (ptrdiff_t)p;
  return (size_t)(r < 0 ? r + (ptrdiff_t)p : r);
}

/* The definitions of the modes. */
static void fft_axis(fft_problem *p, int d, size_t out, ptrdiff_t origin, size_t period) {
  const size_t n = p->n[d], k = p->k[d];
  size_t i, l;
  p->period[d] = 0;
  switch (p->shape.mode) {
    case CONVK_FFT_FULL:
      p->out[d] = n + k - 1;
      p->origin[d] = 0;
      break;
    case CONVK_FFT_SAME:
      p->out[d] = n;
      p->origin[d] = (ptrdiff_t)((k - 1) / 2);
      break;
    case CONVK_FFT_VALID:
      p->out[d] = n < k ? k - n + 1 : n - k + 1; /* the smaller within the larger */
      p->origin[d] = n < k ? (ptrdiff_t)(n - 1) : (ptrdiff_t)(k - 1);
      break;
    case CONVK_FFT_CIRCULAR:
      p->out[d] = out ? out : n;
      p->origin[d] = origin;
      p->period[d] = period ? period : n;
      break;
    default: p->out[d] = out; p->origin[d] = origin;
  }
  p->map[d] = (long *)need(k * p->out[d] * sizeof(long));
  for (i = 0; i < p->out[d]; i++)
    for (l = 0; l < k; l++) {
      const ptrdiff_t at = p->shape.correlation ? (p->period[d] ? -(ptrdiff_t)l : (ptrdiff_t)(k - 1 - l)) : (ptrdiff_t)l;
      ptrdiff_t j = p->origin[d] + (ptrdiff_t)i - at;
      if (p->period[d]) j = (ptrdiff_t)fft_remainder(j, p->period[d]);
      p->map[d][i * k + l] = j >= 0 && j < (ptrdiff_t)n ? (long)j : -1;
    }
}

/* exp(-2 pi i k / n) for k < n */
static long double *fft_roots(size_t n) {
  const long double turn = 2 * acosl(-1.0L);
  long double *root = (long double *)need(2 * n * sizeof *root);
  size_t k;
  for (k = 0; k < n; k++) { /* by eighths of a turn, so that the angle is at most one */
    const size_t eighth = 8 * k / n;
    const long double rest = (eighth % 2 ? (long double)((eighth + 1) * n - 8 * k) : (long double)(8 * k - eighth * n)) / 8;
    const long double s = sinl(turn * rest / (long double)n), c = cosl(turn * rest / (long double)n);
    const int change = (eighth + 1) / 2 % 2 != 0;
    const long double re = change ? s : c, im = change ? c : s;
    root[2 * k] = (eighth + 2) / 4 % 2 ? -re : re;
    root[2 * k + 1] = eighth / 4 % 2 ? im : -im;
  }
  return root;
}

/* The sums of the definition, rows, then columns; sign 1: exp(+...). */
static void fft_direct(const size_t n[2], int sign, const long double *in, long double *out) {
  long double *half = (long double *)need(2 * n[0] * n[1] * sizeof *half);
  int d;
  for (d = 1; d >= 0; d--) {
    const size_t step = d ? 1 : n[1], lines = d ? n[0] : n[1], line_step = d ? n[1] : 1;
    const long double *from = d ? in : half;
    long double *to = d ? half : out, *root = fft_roots(n[d]);
    size_t line, k, j;
    for (line = 0; line < lines; line++)
      for (k = 0; k < n[d]; k++) {
        const long double *x = from + 2 * line * line_step;
        long double re = 0, im = 0;
        size_t turn = 0;
        for (j = 0; j < n[d]; j++, x += 2 * step) {
          const long double c = root[2 * turn], s = sign > 0 ? -root[2 * turn + 1] : root[2 * turn + 1];
          re += x[0] * c - x[1] * s;
          im += x[0] * s + x[1] * c;
          turn += k;
          if (turn >= n[d]) turn -= n[d];
        }
        to[2 * (line * line_step + k * step)] = re;
        to[2 * (line * line_step + k * step) + 1] = im;
      }
    free(root);
  }
  free(half);
}

/* The sum over the kernel's elements that are not 0; for f32 in doubles, which have digits enough. */
#define FFT_SUM(NAME, R) \
  static void NAME(const fft_problem *p, const double *x, const double *h, long double *out) { \
    const R sign = p->shape.correlation ? -1 : 1; \
    const size_t parts = p->parts; \
    size_t y, i, r, c, count = 0, *at = (size_t *)need(2 * p->k[0] * p->k[1] * sizeof *at), t; \
    for (r = 0; r < p->k[0]; r++) \
      for (c = 0; c < p->k[1]; c++) { \
        const double *g = h + parts * (r * p->k[1] + c); \
        if (g[0] == 0 && (parts == 1 || g[1] == 0)) continue; \
        at[2 * count] = r; \
        at[2 * count++ + 1] = c; \
      } \
    for (y = 0; y < p->out[0]; y++) \
      for (i = 0; i < p->out[1]; i++) { \
        R re = 0, im = 0; \
        for (t = 0; t < count; t++) { \
          const long row = p->map[0][y * p->k[0] + at[2 * t]], column = p->map[1][i * p->k[1] + at[2 * t + 1]]; \
          const double *g = h + parts * (at[2 * t] * p->k[1] + at[2 * t + 1]), *f; \
          if (row < 0 || column < 0) continue; \
          f = x + parts * ((size_t)row * p->n[1] + (size_t)column); \
          if (parts == 1) re += (R)f[0] * (R)g[0]; \
          else { \
            re += (R)f[0] * (R)g[0] - sign * (R)f[1] * (R)g[1]; \
            im += sign * (R)f[0] * (R)g[1] + (R)f[1] * (R)g[0]; \
          } \
        } \
        *out++ = re; \
        if (parts == 2) *out++ = im; \
      } \
    free(at); \
  }
FFT_SUM(fft_sum_f32, double)
FFT_SUM(fft_sum_f64, long double)

static size_t fft_values(const fft_problem *p) { return p->parts * p->out[0] * p->out[1]; }

static const long double *fft_exact(fft_problem *p, size_t f, size_t g) {
  long double **exact = &p->exact[f * FFT_FILTERS + g];
  size_t i;
  if (*exact) return *exact;
  *exact = (long double *)need(fft_values(p) * sizeof **exact);
  if (p->kind != FFT_PLAIN) (p->type ? fft_sum_f64 : fft_sum_f32)(p, p->field[f], p->kernel[g], *exact);
  else {
    const size_t count = 2 * p->n[0] * p->n[1];
    long double *x = (long double *)need(count * sizeof *x);
    memset(x, 0, count * sizeof *x);
    for (i = 0; i < count; i++) x[i] = p->field[f][i];
    fft_direct(p->n, p->direction == CONVK_INVERSE ? 1 : -1, x, *exact);
    for (i = 0; i < count && p->direction == CONVK_INVERSE; i++) (*exact)[i] /= (long double)(p->n[0] * p->n[1]);
    free(x);
  }
  return *exact;
}

static double *fft_draw(int type, size_t n, uint64_t *rng) {
  double *x = reals(n);
  size_t i;
  for (i = 0; i < n; i++) x[i] = type ? random_unit(rng) : (double)(float)random_unit(rng);
  return x;
}

/* k: of kernels, whatever the shape says.  Of a transform the shape's rows and columns count. */
static void fft_start(fft_problem *p, int kind, int type, const convk_fftconv2d_shape *shape, const size_t k[2], int spectrum,
                      int direction, uint64_t *rng) {
  size_t i;
  memset(p, 0, sizeof *p);
  p->kind = kind;
  p->type = type;
  p->shape = *shape;
  p->spectrum = spectrum;
  p->direction = direction;
  p->n[0] = shape->rows;
  p->n[1] = shape->columns;
  p->parts = kind == FFT_REAL ? 1 : 2;
  p->size = p->parts * types[type].size;
  fft_suite(kind, type);
  if (kind == FFT_PLAIN) memcpy(p->out, p->n, sizeof p->n);
  else {
    memcpy(p->k, k, sizeof p->k);
    fft_axis(p, 0, shape->out_rows, shape->origin_row, shape->fft_rows);
    fft_axis(p, 1, shape->out_columns, shape->origin_column, shape->fft_columns);
    p->fft[0] = shape->fft_rows ? shape->fft_rows : p->period[0];
    p->fft[1] = shape->fft_columns ? shape->fft_columns : p->period[1];
    for (i = 0; i < FFT_FILTERS; i++) p->kernel[i] = fft_draw(type, p->parts * k[0] * k[1], rng);
  }
  for (i = 0; i < FFT_ALL; i++) p->field[i] = fft_draw(type, p->parts * p->n[0] * p->n[1], rng);
  p->fields = p->n[0] * p->n[1] > 800 ? 2 : FFT_FIELDS;
  p->filters = kind == FFT_PLAIN ? 1 : p->n[0] * p->n[1] > 800 ? 2 : FFT_FILTERS;
  if (kind != FFT_PLAIN) { /* of large kernels only so many elements that the sum ends */
    const size_t all = k[0] * k[1], most = 1000000 / (p->out[0] * p->out[1]) + 40;
    size_t f, j;
    for (f = 0; f < FFT_FILTERS && all > most; f++)
      for (j = 0; j < all; j++)
        if (j && j + 1 < all && random_below(rng, all) > most)
          for (i = 0; i < p->parts; i++) p->kernel[f][p->parts * j + i] = 0;
  }
  p->field[FFT_FIELDS][random_below(rng, p->parts * p->n[0] * p->n[1])] = (double)NAN;
  p->field[FFT_FIELDS + 1][random_below(rng, p->parts * p->n[0] * p->n[1])] = -(double)INFINITY;
}

static void fft_forget(fft_problem *p) {
  size_t i, c;
  for (i = 0; i < FFT_ALL * FFT_FILTERS; i++) {
    for (c = 0; c < 2; c++) free(p->bits[c][i]);
    free(p->exact[i]);
  }
  memset(p->known, 0, sizeof p->known);
  memset(p->bits, 0, sizeof p->bits);
  memset(p->exact, 0, sizeof p->exact);
}

static void fft_end(fft_problem *p) {
  size_t i;
  fft_forget(p);
  for (i = 0; i < FFT_ALL; i++) free(p->field[i]);
  for (i = 0; i < FFT_FILTERS; i++) free(p->kernel[i]);
  free(p->map[0]);
  free(p->map[1]);
}

static void fft_describe(const fft_problem *p) {
  static const char *const modes[] = {"full", "same", "valid", "circular", "window"};
  const convk_fftconv2d_shape *s = &p->shape;
  if (p->kind == FFT_PLAIN)
    describe("%lux%lu %s", (unsigned long)p->n[0], (unsigned long)p->n[1], p->direction ? "inverse" : "forward");
  else
    describe("%s %s%s %lux%lu by %lux%lu, fft %lux%lu, origin %ld,%ld, out %lux%lu", modes[s->mode],
             s->correlation ? "correlation" : "convolution", p->spectrum ? " with a spectrum" : "", (unsigned long)p->n[0],
             (unsigned long)p->n[1], (unsigned long)p->k[0], (unsigned long)p->k[1], (unsigned long)s->fft_rows,
             (unsigned long)s->fft_columns, (long)s->origin_row, (long)s->origin_column, (unsigned long)s->out_rows,
             (unsigned long)s->out_columns);
}

/* ---------------------------------------------------------------------------------------------------- arrays in memory -- */

enum { FFT_PACKED, FFT_PADDED, FFT_TIGHT, FFT_SIDE, FFT_LAYOUTS };

/* Items of rows x columns; the pitch and the stride that are told may be 0. */
typedef struct fft_side {
  size_t rows, columns, pitch, stride, told_pitch, told_stride, span;
} fft_side;

static fft_side fft_layout(int layout, size_t items, size_t rows, size_t columns, uint64_t *rng) {
  fft_side s;
  s.rows = rows;
  s.columns = columns;
  s.told_pitch = s.told_stride = 0;
  if (layout == FFT_PADDED) {
    s.told_pitch = columns + random_below(rng, 6);
    if (random_below(rng, 3)) s.told_stride = rows * s.told_pitch + random_below(rng, 9);
  } else if (layout == FFT_TIGHT) { /* an item begins in the padding of the last row before it */
    s.told_pitch = columns + 1 + random_below(rng, 6);
    s.told_stride = (rows - 1) * s.told_pitch + columns;
  } else if (layout == FFT_SIDE) {
    s.told_stride = columns + random_below(rng, 3);
    s.told_pitch = (items ? items - 1 : 0) * s.told_stride + columns + random_below(rng, 3);
  }
  s.pitch = s.told_pitch ? s.told_pitch : columns;
  s.stride = s.told_stride ? s.told_stride : rows * s.pitch;
  s.span = items ? (items - 1) * s.stride + (rows - 1) * s.pitch + columns : 0;
  return s;
}

static guard fft_guard(size_t bytes, uint64_t *rng) {
  const int side = random_below(rng, 3) ? AT_END : AT_START;
  return guard_new(bytes, side, random_below(rng, 2) ? 0 : 1 + random_below(rng, 64));
}

static void fft_put(int type, void *to, size_t at, size_t count, const double *values) {
  size_t i;
  for (i = 0; i < count; i++) put(type, to, at + i, values[i]);
}

/* The spectrum of a kernel, in natural order; of real ones the rows that are not read hold NaN. */
static void fft_put_spectrum(const fft_problem *p, size_t g, void *to, size_t at, size_t pitch) {
  const size_t count = p->fft[0] * p->fft[1];
  long double *x = (long double *)need(4 * count * sizeof *x), *y = x + 2 * count;
  size_t r, c, i;
  memset(x, 0, 2 * count * sizeof *x);
  for (r = 0; r < p->k[0]; r++)
    for (c = 0; c < p->k[1]; c++)
      for (i = 0; i < p->parts; i++) x[2 * (r * p->fft[1] + c) + i] = p->kernel[g][p->parts * (r * p->k[1] + c) + i];
  fft_direct(p->fft, -1, x, y);
  for (r = 0; r < (p->kind == FFT_REAL ? p->fft[0] / 2 + 1 : p->fft[0]); r++)
    for (i = 0; i < 2 * p->fft[1]; i++) put(p->type, to, 2 * (at + r * pitch) + i, (double)y[2 * r * p->fft[1] + i]);
  free(x);
}

/* A plan of `count` kernels, number i being which[i] of the problem's, in guarded memory. */
static guard fft_plan_new(const fft_problem *p, convk *hw, size_t count, const size_t *which, uint64_t *rng) {
  const size_t bytes = fft_ops[p->type].plan_size(p->kind, hw, &p->shape, count);
  const size_t element = (p->spectrum ? 2 : p->parts) * types[p->type].size;
  guard plan, data;
  fft_kernels k;
  size_t i, r;
  int status;
  memset(&k, 0, sizeof k);
  memset(&data, 0, sizeof data);
  if (bytes == (size_t)-1) {
    fail("no size of a plan");
    return guard_new(0, AT_END, 0);
  }
  plan = fft_guard(bytes, rng);
  if (p->kind != FFT_PLAIN) {
    const size_t rows = p->spectrum ? p->kind == FFT_REAL ? p->fft[0] / 2 + 1 : p->fft[0] : p->k[0];
    const size_t columns = p->spectrum ? p->fft[1] : p->k[1];
    fft_side s = fft_layout((int)random_below(rng, FFT_LAYOUTS), count, p->spectrum ? p->fft[0] : rows, columns, rng);
    k.count = count;
    k.spectrum = p->spectrum;
    k.pitch = s.told_pitch;
    k.stride = s.told_stride;
    data = fft_guard(((count - 1) * s.stride + (rows - 1) * s.pitch + columns) * element, rng);
    k.data = data.data;
    for (i = 0; i < count; i++)
      if (p->spectrum) fft_put_spectrum(p, which[i], data.data, i * s.stride, s.pitch);
      else
        for (r = 0; r < rows; r++)
          fft_put(p->type, data.data, p->parts * (i * s.stride + r * s.pitch), p->parts * columns,
                  p->kernel[which[i]] + p->parts * r * columns);
  }
  status = fft_ops[p->type].plan(p->kind, hw, &p->shape, &k, plan.data, bytes);
  if (status) fail("the plan: status %d, %s", status, convk_strerror(status));
  if (!guard_intact(&plan)) fail("memory around the plan was written");
  if (data.map) {
    if (!guard_intact(&data)) fail("memory around kernels was written");
    guard_free(&data);
  }
  return plan;
}

/* --------------------------------------------------------------------------------------------------------------- calls -- */

/* What an item's bits must be: those of one item alone, packed, by the portable variant or by AVX2.  Where this machine has
   none of the class, the first variant that is asked says. */
static const unsigned char *fft_bits(fft_problem *p, variant *v, size_t f, size_t g) {
  const size_t at = f * FFT_FILTERS + g, values = fft_values(p);
  convk *hw = class_handle(v->fused) ? class_handle(v->fused) : &v->hw;
  unsigned char **bits = &p->bits[v->fused][at];
  const long double *exact;
  long double square = 0, square_error = 0, unit, worst = 0;
  long double x_square = 0, h_square = 0, points = 1;
  uint64_t rng = 1;
  convk_batch2d batch;
  fft_call k;
  guard plan;
  double *x;
  size_t i;
  int status;
  if (*bits) return *bits;
  *bits = (unsigned char *)need(values * types[p->type].size);
  plan = fft_plan_new(p, hw, 1, &g, &rng);
  x = p->field[f];
  memset(&k, 0, sizeof k);
  memset(&batch, 0, sizeof batch);
  batch.items = 1;
  k.hw = hw;
  k.kind = p->kind;
  k.direction = p->direction;
  k.plan = plan.data;
  k.batch = &batch;
  k.in = need(p->parts * p->n[0] * p->n[1] * types[p->type].size);
  fft_put(p->type, (void *)(uintptr_t)k.in, 0, p->parts * p->n[0] * p->n[1], x);
  k.out = *bits;
  memset(*bits, FILL_, values * types[p->type].size);
  status = fft_ops[p->type].call(&k);
  if (status) fail("the model: status %d, %s", status, convk_strerror(status));
  guard_free(&plan);
  free((void *)(uintptr_t)k.in);
  /* Transforms spread their errors evenly over the whole result, of which this may be a small corner. */
  exact = fft_exact(p, f, g);
  for (i = 0; i < values; i++) {
    const long double e = fabsl((long double)get(p->type, *bits, i) - exact[i]);
    square += exact[i] * exact[i];
    square_error += e * e;
    if (!(e <= worst)) worst = e;
  }
  for (i = 0; i < p->parts * p->n[0] * p->n[1]; i++) x_square += (long double)x[i] * x[i];
  if (p->kind != FFT_PLAIN) {
    for (i = 0; i < p->parts * p->k[0] * p->k[1]; i++) h_square += (long double)p->kernel[g][i] * p->kernel[g][i];
    for (i = 0; i < 2; i++)
      points *= (long double)p->out[i] / (long double)(p->period[i] ? p->period[i] : p->n[i] + p->k[i] - 1);
    square = fmaxl(square, x_square * h_square * points);
  }
  unit = sqrtl(square / (long double)(p->out[0] * p->out[1]));
  p->l2[v->fused][at] = (double)(square > 0 ? sqrtl(square_error / square) : square_error);
  p->worst[v->fused][at] = (double)(square > 0 ? worst / unit : worst);
  return *bits;
}

enum { FFT_ONE, FFT_EACH, FFT_RUNS, FFT_MAPPED, FFT_CHOICES };
static const char *const fft_choices[FFT_CHOICES] = {"one kernel", "each its own", "runs of items", "an index"};

/* How a problem is run. */
typedef struct fft_way {
  size_t items, lanes, per_kernel;
  int choice, in_layout, out_layout, in_place, special; /* special: one item in so many is not finite */
  int hook, threads, work, named, moved;                /* moved: the plan is a copy */
} fft_way;

/* Kernels cost a plan each: fewer of the large ones. */
static fft_way fft_any_way(const fft_problem *p, size_t items, uint64_t *rng) {
  fft_way w;
  memset(&w, 0, sizeof w);
  w.items = items;
  w.lanes = random_below(rng, 3);
  w.choice = p->kind == FFT_PLAIN || random_below(rng, 3) == 0 ? (int)FFT_ONE : (int)random_below(rng, FFT_CHOICES);
  if (w.choice == FFT_EACH && (p->n[0] + p->k[0]) * (p->n[1] + p->k[1]) * items > 10000) w.choice = FFT_MAPPED;
  w.per_kernel = 2 + random_below(rng, 12);
  w.in_layout = (int)random_below(rng, FFT_LAYOUTS);
  w.out_layout = (int)random_below(rng, FFT_LAYOUTS);
  w.in_place = random_below(rng, 4) == 0;
  w.threads = random_below(rng, 3) ? 1 : random_int(rng, 2, 5);
  w.hook = w.threads == 1 ? HOOK_NONE : random_int(rng, HOOK_REVERSED, HOOK_THREADS);
  if (w.hook == HOOK_THREADS && random_below(rng, 4)) w.hook = HOOK_SHUFFLED; /* threads take time to start */
  w.work = (int)random_below(rng, WORK_KINDS);
  w.named = random_below(rng, 4) == 0;
  w.moved = random_below(rng, 4) == 0;
  return w;
}

/* A copy of the variant's handle with these settings; a device's handle itself, which may not be copied. */
static convk *fft_handle(variant *v, convk *copy, const fft_way *w, hook *h) {
  convk *hw = &v->hw;
  if (!v->device) {
    *copy = v->hw;
    hw = copy;
  }
  hw->tuning.fft_lanes = w->lanes;
  hw->parallel.threads = w->hook ? w->threads : 0;
  hw->parallel.run = w->hook ? hook_run : NULL;
  hw->parallel.ctx = w->hook ? (void *)h : NULL;
  return hw;
}

/* Whether a value that is not finite reaches every result that its field's place does. */
static int fft_poisoned(const fft_problem *p, size_t f, const unsigned char *out, size_t r, size_t c) {
  const double *x = p->field[f];
  size_t i, l, at = 0;
  int reached[2] = {0, 0};
  for (i = 0; i < p->parts * p->n[0] * p->n[1]; i++)
    if (!(fabs(x[i]) <= DBL_MAX)) at = i / p->parts;
  for (l = 0; l < p->k[0]; l++) reached[0] |= p->map[0][r * p->k[0] + l] == (long)(at / p->n[1]);
  for (l = 0; l < p->k[1]; l++) reached[1] |= p->map[1][c * p->k[1] + l] == (long)(at % p->n[1]);
  if (p->kind != FFT_PLAIN && !(reached[0] && reached[1])) return 1;
  for (i = 0; i < p->parts; i++)
    if (!(fabs(get(p->type, out, i)) <= DBL_MAX)) return 1;
  return 0;
}

/* Item number i of field f and filter g, whose rows lie `pitch` bytes apart: its bits and its errors, or that it is not finite. */
static void fft_check_item(fft_problem *p, variant *v, size_t i, size_t f, size_t g, const unsigned char *rows, size_t pitch) {
  const size_t line = p->out[1] * p->size, size = types[p->type].size;
  const unsigned char *bits = f < FFT_FIELDS ? fft_bits(p, v, f, g) : NULL;
  size_t r, c;
  for (r = 0; r < p->out[0] && !suite.bad; r++) {
    const unsigned char *at = rows + r * pitch, *want = bits ? bits + r * line : NULL;
    if (want && memcmp(at, want, line)) {
      for (c = 0; c < p->parts * p->out[1]; c++)
        if (memcmp(at + c * size, want + c * size, size)) break;
      fail("item %lu, row %lu, number %lu is %.17g, not %.17g; exactly %.17g", (unsigned long)i, (unsigned long)r,
           (unsigned long)c, get(p->type, at, c), get(p->type, want, c),
           (double)fft_exact(p, f, g)[r * p->parts * p->out[1] + c]);
    }
    if (!want)
      for (c = 0; c < p->out[1] && !suite.bad; c++)
        if (!fft_poisoned(p, f, at + c * p->size, r, c))
          fail("item %lu is finite at row %lu, column %lu", (unsigned long)i, (unsigned long)r, (unsigned long)c);
  }
  if (bits && !suite.bad) {
    const size_t pair = f * FFT_FILTERS + g;
    const double limit = fft_ops[p->type].limit * slack(), l2 = p->l2[v->fused][pair], worst = p->worst[v->fused][pair];
    error_note("rms", worst, 8 * limit, 0, l2, limit, fft_values(p));
    if (!(l2 <= limit)) fail("item %lu: relative L2 of errors %.3g", (unsigned long)i, l2);
    if (!(worst <= 8 * limit)) fail("item %lu: an error of %.3g rms", (unsigned long)i, worst);
  }
}

/* Right results are filled, and then all that is left must be as before. */
static void fft_check_between(const fft_problem *p, const fft_way *w, const fft_side *in, const fft_side *out,
                              unsigned char *before, guard *target) {
  const size_t size = p->size, items = w->items;
  size_t i, r;
  for (i = 0; i < items; i++)
    for (r = 0; r < p->out[0]; r++) memset(target->data + (i * out->stride + r * out->pitch) * size, FILL_, p->out[1] * size);
  if (w->in_place && items != 1) { /* what was no input was filled before */
    for (i = 0; i < items; i++)
      for (r = 0; r < p->n[0] && r < p->out[0]; r++)
        memset(before + (i * in->stride + r * in->pitch) * size, FILL_, (p->n[1] < p->out[1] ? p->n[1] : p->out[1]) * size);
    if (memcmp(before, target->data, target->bytes)) fail("something was written between results");
    return;
  }
  if (w->in_place) /* the input and the result differ in their pitch */
    for (r = 0; r < p->n[0]; r++) memset(target->data + r * in->pitch * size, FILL_, p->n[1] * size);
  if (!all_fill(target->data, target->data + target->bytes)) fail("something was written between results");
}

static void fft_run(fft_problem *p, variant *v, const fft_way *w, uint64_t seed) {
  uint64_t rng = seed;
  const size_t items = w->items, bytes_of = p->size, per = w->per_kernel;
  const int choice = w->choice;
  const size_t plans = choice == FFT_ONE    ? 1
                       : choice == FFT_EACH ? items + random_below(&rng, 2)
                       : choice == FFT_RUNS ? (items + per - 1) / per + random_below(&rng, 2)
                                            : 1 + random_below(&rng, 4);
  const size_t count = plans ? plans : 1;
  size_t *which = (size_t *)need(count * sizeof *which), *kernel = (size_t *)need((items + 1) * sizeof *kernel);
  size_t *field = (size_t *)need((items + 1) * sizeof *field), i, r;
  const size_t rows = p->n[0] > p->out[0] ? p->n[0] : p->out[0], columns = p->n[1] > p->out[1] ? p->n[1] : p->out[1];
  fft_side in, out;
  guard plan, source, target, index;
  unsigned char *before, *plan_before;
  hook h = hook_new(w->hook, w->threads, random64(&rng));
  convk copy, *hw = fft_handle(v, &copy, w, &h);
  convk_batch2d batch;
  workspace work;
  fft_call k;
  size_t work_size;
  const long live = heap.live, total = heap.total;
  int status;
  fft_suite(p->kind, p->type);
  fft_describe(p);
  describe_more("; %lu items, %s (%lu), lanes %lu, layouts %d %d%s, threads %d %s, work %d%s%s", (unsigned long)items,
                fft_choices[choice], (unsigned long)plans, (unsigned long)w->lanes, w->in_layout, w->out_layout,
                w->in_place ? ", in place" : "", w->threads, hook_names[w->hook], w->work, w->named ? ", by name" : "",
                w->moved ? ", the plan moved" : "");
  begin_case();
  memset(&k, 0, sizeof k);
  memset(&batch, 0, sizeof batch);
  memset(&index, 0, sizeof index);
  batch.items = items;
  for (i = 0; i < count; i++) which[i] = random_below(&rng, p->filters);
  for (i = 0; i < items; i++) {
    field[i] = random_below(&rng, p->fields);
    if (w->special && random_below(&rng, (size_t)w->special) == 0) field[i] = FFT_FIELDS + random_below(&rng, FFT_SPECIAL);
  }
  /* the plan, and which of its kernels an item takes */
  plan = fft_plan_new(p, random_below(&rng, 2) ? hw : NULL, count, which, &rng);
  if (suite.bad) {
    end_case();
    return;
  }
  if (w->moved) {
    const size_t bytes = fft_ops[p->type].bytes(p->kind, NULL, plan.data);
    guard moved = fft_guard(bytes < plan.bytes ? bytes : plan.bytes, &rng);
    memcpy(moved.data, plan.data, moved.bytes);
    guard_free(&plan);
    plan = moved;
  }
  plan_before = (unsigned char *)need(plan.bytes);
  memcpy(plan_before, plan.data, plan.bytes);
  batch.items_per_kernel = choice == FFT_ONE ? random_below(&rng, 3) : choice == FFT_EACH ? random_below(&rng, 2) : per;
  for (i = 0; i < items; i++)
    kernel[i] = choice == FFT_ONE ? 0 : choice == FFT_EACH ? i : choice == FFT_RUNS ? i / per : random_below(&rng, count);
  if (choice != FFT_ONE && count == 1)
    for (i = 0; i < items; i++) kernel[i] = 0;
  if (choice == FFT_MAPPED || (p->kind == FFT_PLAIN && random_below(&rng, 2))) {
    index = guard_new(items * sizeof *kernel, AT_END, 0);
    for (i = 0; i < items; i++) {
      const size_t nonsense = p->kind == FFT_PLAIN ? (size_t)-1 : kernel[i];
      memcpy(index.data + i * sizeof nonsense, &nonsense, sizeof nonsense);
    }
    batch.kernel = (const size_t *)(const void *)index.data;
  }
  /* arrays */
  in = fft_layout(w->in_layout, items, w->in_place ? rows : p->n[0], w->in_place ? columns : p->n[1], &rng);
  if (w->in_place) {
    const size_t least = p->n[1] > p->out[1] ? p->n[1] : p->out[1];
    if (!in.told_pitch) in.told_pitch = least;
    if (!in.told_stride) in.told_stride = in.stride;
    out = in;
    if (items == 1) { /* then each may have its own */
      out.pitch = out.told_pitch = p->out[1] + random_below(&rng, 4);
      in.pitch = in.told_pitch = p->n[1] + random_below(&rng, 4);
      if (random_below(&rng, 2)) in.stride = in.told_stride = random_below(&rng, 5); /* of no meaning */
      in.span = (p->n[0] - 1) * in.pitch + p->n[1];
      r = (p->out[0] - 1) * out.pitch + p->out[1];
      if (r > in.span) in.span = r;
    }
  } else out = fft_layout(w->out_layout, items, p->out[0], p->out[1], &rng);
  batch.in_pitch = in.told_pitch;
  batch.in_stride = in.told_stride;
  batch.out_pitch = out.told_pitch;
  batch.out_stride = out.told_stride;
  source = fft_guard(in.span * bytes_of, &rng);
  for (i = 0; i < items; i++)
    for (r = 0; r < p->n[0]; r++)
      fft_put(p->type, source.data, p->parts * (i * in.stride + r * in.pitch), p->parts * p->n[1],
              p->field[field[i]] + p->parts * r * p->n[1]);
  before = (unsigned char *)need(source.bytes);
  memcpy(before, source.data, source.bytes);
  if (w->in_place) target = source;
  else target = fft_guard(out.span * bytes_of, &rng);
  k.name = w->named ? v->name : NULL;
  k.hw = k.name && !v->device && !w->hook && w->lanes == 0 ? NULL : hw;
  k.kind = p->kind;
  k.direction = p->direction;
  k.plan = plan.data;
  k.batch = &batch;
  k.in = source.data;
  k.out = target.data;
  work_size = fft_ops[p->type].work(p->kind, k.hw, plan.data, items);
  if (work_size == (size_t)-1 || (v->device && work_size)) fail("%lu bytes of work", (unsigned long)work_size);
  if (!v->device && !work_size != !items) fail("%lu bytes of work", (unsigned long)work_size);
  work = workspace_new(w->work, work_size, &rng);
  k.work = work.work;
  k.work_size = work.size;
  status = fft_ops[p->type].call(&k);
  check_status(status, live);
  if (!v->device && (w->work == WORK_NULL && items ? heap.total != total + 1 : heap.total != total))
    fail("%ld allocations", heap.total - total);
  workspace_end(&work);
  if (memcmp(plan_before, plan.data, plan.bytes)) fail("the plan was written");
  if (!guard_intact(&plan) || !guard_intact(&source) || !guard_intact(&target)) fail("memory around arrays was written");
  if (!w->in_place && memcmp(before, source.data, source.bytes)) fail("the input was written");
  /* results; each is filled when it is right, and then all that is left must be as before */
  for (i = 0; i < items && !suite.bad && !status; i++)
    fft_check_item(p, v, i, field[i], p->kind == FFT_PLAIN ? 0 : which[kernel[i]], target.data + i * out.stride * bytes_of,
                   out.pitch * bytes_of);
  if (!suite.bad && !status) fft_check_between(p, w, &in, &out, before, &target);
  if (index.map) {
    for (i = 0; i < items && p->kind != FFT_PLAIN; i++)
      if (memcmp(index.data + i * sizeof *kernel, &kernel[i], sizeof *kernel)) fail("the index was written");
    guard_free(&index);
  }
  end_case();
  guard_free(&plan);
  guard_free(&source);
  if (!w->in_place) guard_free(&target);
  free(before);
  free(plan_before);
  free(which);
  free(kernel);
  free(field);
}

/* A device may compile for each size: it gets one problem in so many. */
static int fft_thin(const variant *v, size_t number) { return v->device && number % (v->thin ? 2 * v->thin : 4); }

/* What the emulated device must get through, about. */
static size_t fft_cost(const fft_problem *p, size_t items) {
  return 40 * items * (p->n[0] + p->k[0] + 8) * (p->n[1] + p->k[1] + 8);
}

/* All variants, `ways` times with up to `most` items. */
static void fft_runs(fft_problem *p, size_t number, int ways, size_t most, int special, uint64_t seed) {
  uint64_t rng = seed;
  int turn;
  for (turn = 0; turn < ways; turn++) {
    const size_t items = 1 + random_below(&rng, most);
    fft_way w = fft_any_way(p, items, &rng);
    const uint64_t own = random64(&rng);
    size_t i = 0;
    variant *v;
    w.special = special;
    if (turn < 2) w.lanes = (size_t)turn + 1;
    while ((v = fft_next(&i, p->type, p->kind, fft_cost(p, items))) != NULL)
      if (!fft_thin(v, number) && !(v->device && turn > 1)) fft_run(p, v, &w, own);
  }
}

/* -------------------------------------------------------------------------------------------------------------- shapes -- */

static int fft_smooth(size_t n) {
  static const size_t primes[] = {2, 3, 5, 7};
  size_t i;
  for (i = 0; i < COUNT_OF(primes); i++)
    while (n && n % primes[i] == 0) n /= primes[i];
  return n == 1;
}

/* Whether m points keep `out` results from `origin` on free of what wraps around; straight from the sum.  Elements of a kernel
   that meet nothing there are left out, but not of its spectrum. */
static int fft_enough(size_t n, size_t k, ptrdiff_t origin, size_t out, size_t m, int spectrum) {
  size_t l;
  if (m < n || m < out) return 0;
  for (l = 0; l < k; l++) { /* from field j to result w: the distance j + l - origin - w has all values from least to most */
    const ptrdiff_t least = (ptrdiff_t)l - origin - (ptrdiff_t)(out - 1), most = (ptrdiff_t)(l + n - 1) - origin;
    const int meets = spectrum || (least <= 0 && most >= 0);
    if (meets && (least <= -(ptrdiff_t)m || most >= (ptrdiff_t)m)) return 0;
  }
  return 1;
}

/* One axis of m points: sizes of field and kernel, and the window. */
static void fft_any_axis(int mode, size_t m, int spectrum, uint64_t *rng, size_t *n, size_t *k, ptrdiff_t *origin,
                         size_t *out) {
  int turn;
  *origin = 0;
  *out = 0;
  if (mode == CONVK_FFT_CIRCULAR) {
    *n = random_below(rng, 3) ? 1 + random_below(rng, m) : m;
    *k = random_below(rng, 3) ? 1 + random_below(rng, m) : m;
    *origin = random_below(rng, 3) ? random_int(rng, -2 * (int)m, 2 * (int)m) : 0;
    *out = random_below(rng, 3) ? 1 + random_below(rng, m) : 0;
    return;
  }
  for (turn = 0; turn < 100; turn++) {
    const size_t near = random_below(rng, 2) ? m / 2 : m; /* half of zeros, of which passes know, or not */
    ptrdiff_t o = 0;
    size_t points;
    *n = 1 + random_below(rng, near ? near : 1);
    *k = 1 + random_below(rng, m);
    points = *n + *k - 1;
    if (mode == CONVK_FFT_FULL && points < m && random_below(rng, 2)) points = *n + (*k = m + 1 - *n) - 1;
    if (mode == CONVK_FFT_WINDOW) {
      o = *origin = random_int(rng, 0, (int)points - 1);
      points = *out = 1 + random_below(rng, points - (size_t)o);
    } else if (mode == CONVK_FFT_SAME) {
      o = (ptrdiff_t)((*k - 1) / 2);
      points = *n;
    } else if (mode == CONVK_FFT_VALID) {
      o = (ptrdiff_t)(*n < *k ? *n : *k) - 1;
      points = (*n < *k ? *k - *n : *n - *k) + 1;
    }
    if (fft_enough(*n, *k, o, points, m, spectrum)) return;
  }
  *n = *k = 1;
  *origin = 0;
  *out = mode == CONVK_FFT_WINDOW;
}

/* A shape whose transforms have m[0] x m[1] points. */
static void fft_any_shape(int mode, const size_t m[2], int spectrum, uint64_t *rng, convk_fftconv2d_shape *shape, size_t k[2]) {
  memset(shape, 0, sizeof *shape);
  shape->mode = mode;
  shape->correlation = (int)random_below(rng, 2);
  fft_any_axis(mode, m[0], spectrum, rng, &shape->rows, &k[0], &shape->origin_row, &shape->out_rows);
  fft_any_axis(mode, m[1], spectrum, rng, &shape->columns, &k[1], &shape->origin_column, &shape->out_columns);
  shape->kernel_rows = k[0];
  shape->kernel_columns = k[1];
  if (mode == CONVK_FFT_CIRCULAR) {
    if (shape->rows != m[0] || random_below(rng, 2)) shape->fft_rows = m[0];
    if (shape->columns != m[1] || random_below(rng, 2)) shape->fft_columns = m[1];
    if (spectrum && random_below(rng, 2)) shape->kernel_rows = shape->kernel_columns = 0; /* of no meaning */
  } else {
    if (spectrum || random_below(rng, 3)) shape->fft_rows = m[0];
    if (spectrum || random_below(rng, 3)) shape->fft_columns = m[1];
  }
}

static void fft_case(int kind, int type, int mode, size_t rows, size_t columns, size_t number, int ways, size_t most,
                     uint64_t *rng) {
  const size_t m[2] = {rows, columns};
  const int spectrum = kind != FFT_PLAIN && fft_smooth(rows) && fft_smooth(columns) && random_below(rng, 4) == 0;
  convk_fftconv2d_shape shape;
  size_t k[2] = {0, 0};
  fft_problem p;
  if (kind == FFT_PLAIN) {
    memset(&shape, 0, sizeof shape);
    shape.rows = rows;
    shape.columns = columns;
  } else fft_any_shape(mode, m, spectrum, rng, &shape, k);
  fft_start(&p, kind, type, &shape, k, spectrum, kind == FFT_PLAIN ? mode : 0, rng);
  fft_runs(&p, number, ways, most, 0, random64(rng));
  fft_end(&p);
}

/* Every size up to 40, on either axis, and some squares; circular ones also with other factors. */
static void fft_sizes(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t smooth[40], count = 0, m, number = 0;
  int kind, mode;
  for (m = 1; m <= 40; m++)
    if (fft_smooth(m)) smooth[count++] = m;
  for (kind = 0; kind < FFT_KINDS; kind++)
    for (m = 1; m <= 40; m++)
      for (mode = 0; mode < (kind == FFT_PLAIN ? 2 : 5); mode++) {
        const size_t any = smooth[random_below(&rng, count)], other = fft_smooth(m) && number % 3 == 0 ? m : any;
        const int turned = (int)random_below(&rng, 2);
        if (!fft_smooth(m) && (kind == FFT_PLAIN || mode != CONVK_FFT_CIRCULAR)) continue;
        number++;
        if (suite.quick && m != 11 && (number % 7 || m > 20)) continue;
        fft_case(kind, type, mode, turned ? other : m, turned ? m : other, number, 2, 18, &rng);
        if (!suite.quick && fft_smooth(m) && mode == CONVK_FFT_CIRCULAR) /* both of other factors, or one */
          fft_case(kind, type, mode, turned ? 11 + m : m, turned ? m : 13 + m, number, 1, 9, &rng);
      }
}

/* Squares of which half of the input is there, and half of the output is wanted along one axis, or both. */
static void fft_halves(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const size_t k[2] = {3, 3};
  int kind, wanted;
  for (kind = 0; kind < FFT_KINDS; kind++)
    for (wanted = 1; wanted < 4 && kind != FFT_PLAIN; wanted++) {
      convk_fftconv2d_shape shape;
      fft_problem p;
      memset(&shape, 0, sizeof shape);
      shape.mode = CONVK_FFT_CIRCULAR;
      shape.rows = shape.columns = 8;
      shape.fft_rows = shape.fft_columns = 16;
      shape.kernel_rows = k[0];
      shape.kernel_columns = k[1];
      shape.out_rows = wanted & 1 ? 8 : 16;
      shape.out_columns = wanted & 2 ? 8 : 16;
      fft_start(&p, kind, type, &shape, k, 0, 0, &rng);
      fft_runs(&p, 4, 2, 20, 0, random64(&rng)); /* OpenCL, which has no programs of their own for these, is left out */
      fft_end(&p);
    }
}

/* The smallest transforms, every pair of sizes. */
static void fft_small(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t rows, columns, number = 0;
  int kind, mode;
  for (kind = 0; kind < FFT_KINDS; kind++)
    for (rows = 1; rows <= 4; rows++)
      for (columns = 1; columns <= 4; columns++)
        for (mode = 0; mode < (kind == FFT_PLAIN ? 2 : 5); mode++)
          if (!suite.quick || (rows * columns <= 3 && (kind == FFT_PLAIN || mode == CONVK_FFT_CIRCULAR)))
            fft_case(kind, type, mode, rows, columns, number++, 2, 20, &rng);
}

/* Large squares, and every size up to 1024 along one axis. */
static void fft_large(int type) {
  static const size_t sizes[][2] = {{48, 48}, {60, 56}, {64, 64}, {80, 84}, {96, 90}, {100, 98}, {120, 72}, {128, 128}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s, m, number = 0;
  int kind;
  for (kind = 0; kind < FFT_KINDS; kind++) {
    const int modes = kind == FFT_PLAIN ? 2 : 5;
    for (s = 0; s < COUNT_OF(sizes); s++) {
      number++;
      if (suite.quick && s != 2) continue;
      fft_case(kind, type, (int)(s + (size_t)kind) % modes, sizes[s][0], sizes[s][1], number, 2, 3, &rng);
      if (suite.full) fft_case(kind, type, (int)(s + (size_t)kind + 1) % modes, sizes[s][1], sizes[s][0], number, 2, 19, &rng);
    }
    for (m = 41; m <= 1024; m++) {
      const size_t other = 1 + random_below(&rng, 2);
      if (!fft_smooth(m)) continue;
      number++;
      if (suite.quick && number % 40) continue;
      if (!suite.full && kind != FFT_PLAIN && (number + (size_t)(kind + type)) % 2) continue;
      if (number % 2) fft_case(kind, type, (int)(number / 2 % (size_t)modes), m, other, number, 1, 3, &rng);
      else fft_case(kind, type, (int)(number / 2 % (size_t)modes), other, m, number, 1, 3, &rng);
    }
    if (suite.quick) continue;
    fft_case(kind, type, 0, 1024, 4, 0, 1, 2, &rng);
    fft_case(kind, type, 1, 3, 1000, 0, 1, 2, &rng);
    fft_case(kind, type, 0, 729, 2, 0, 1, 2, &rng);
    fft_case(kind, type, 1, 512, 5, 0, 1, 2, &rng);
    fft_case(kind, type, modes - 1, 1, 1, 0, 2, 40, &rng);
    fft_case(kind, type, modes - 1, 1, 7, 0, 2, 40, &rng);
    fft_case(kind, type, modes - 1, 7, 1, 0, 2, 40, &rng);
  }
}

/* All sizes, origins and windows of small problems. */
static void fft_windows(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t n, k, number = 0, most = suite.quick ? 3 : 6;
  ptrdiff_t origin;
  size_t out;
  int mode, correlation;
  for (n = 1; n <= most; n++)
    for (k = 1; k <= most; k++)
      for (mode = 0; mode < 5; mode++)
        for (correlation = 0; correlation < 2; correlation++) {
          const int turned = (int)random_below(&rng, 2), kind = (int)random_below(&rng, 2);
          const ptrdiff_t first = mode == CONVK_FFT_CIRCULAR ? -2 : 0;
          const ptrdiff_t last = mode == CONVK_FFT_WINDOW     ? (ptrdiff_t)(n + k) - 2
                                 : mode == CONVK_FFT_CIRCULAR ? (ptrdiff_t)n + 1
                                                              : 0;
          for (origin = first; origin <= last; origin++) {
            const size_t room = mode == CONVK_FFT_WINDOW     ? n + k - 1 - (size_t)origin
                                : mode == CONVK_FFT_CIRCULAR ? (n > k ? n : k) + 2
                                                             : 1;
            for (out = mode == CONVK_FFT_WINDOW ? 1 : 0;
                 out <= (mode == CONVK_FFT_WINDOW || mode == CONVK_FFT_CIRCULAR ? room : 0); out++) {
              convk_fftconv2d_shape shape;
              size_t sizes[2], m[2] = {6, 6};
              const size_t period = mode == CONVK_FFT_CIRCULAR ? room : 0;
              fft_problem p;
              if (mode >= CONVK_FFT_CIRCULAR && random_below(&rng, suite.quick ? 40 : 8)) continue;
              if (suite.quick && random_below(&rng, 2)) continue;
              fft_any_shape(mode, m, 0, &rng, &shape, sizes);
              shape.correlation = correlation;
              shape.fft_rows = shape.fft_columns = mode == CONVK_FFT_CIRCULAR ? 6 : 0;
              sizes[turned] = k;
              if (turned) {
                shape.columns = n;
                shape.kernel_columns = k;
                shape.origin_column = origin;
                shape.out_columns = out;
                shape.fft_columns = period;
              } else {
                shape.rows = n;
                shape.kernel_rows = k;
                shape.origin_row = origin;
                shape.out_rows = out;
                shape.fft_rows = period;
              }
              fft_start(&p, kind, type, &shape, sizes, 0, 0, &rng);
              fft_runs(&p, number++, 1, 5, 0, random64(&rng));
              fft_end(&p);
            }
          }
        }
}

/* Batches of every size up to 17 and 33, with lanes along columns and across items, kernels chosen in every way. */
static void fft_batches(int type) {
  static const size_t sizes[][2] = {{4, 6}, {16, 16}, {9, 20}, {32, 15}, {1, 5}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s, items, number = 0;
  int kind, choice;
  for (kind = 0; kind < FFT_KINDS; kind++)
    for (s = 0; s < COUNT_OF(sizes); s++) {
      convk_fftconv2d_shape shape;
      size_t k[2] = {0, 0};
      fft_problem p;
      if (suite.quick && s != 2 && s != 0) continue;
      if (kind == FFT_PLAIN) {
        memset(&shape, 0, sizeof shape);
        shape.rows = sizes[s][0];
        shape.columns = sizes[s][1];
      } else fft_any_shape((int)(s + (size_t)kind) % 5, sizes[s], 0, &rng, &shape, k);
      fft_start(&p, kind, type, &shape, k, 0, (int)s % 2, &rng);
      for (items = 0; items <= 33; items += items == 17 ? 16 : 1)
        for (choice = 0; choice < (kind == FFT_PLAIN ? 1 : (int)FFT_CHOICES); choice++) {
          fft_way w = fft_any_way(&p, items, &rng);
          const uint64_t own = random64(&rng);
          size_t lanes, i = 0;
          variant *v;
          number++;
          if (suite.quick && number % 5) continue;
          if (kind != FFT_PLAIN) w.choice = choice;
          while ((v = fft_next(&i, type, kind, fft_cost(&p, items))) != NULL)
            for (lanes = 0; lanes < (v->device ? 1u : 3u); lanes++) {
              if (suite.quick && lanes != number / 5 % 3) continue;
              w.lanes = lanes;
              if (!v->device || (s % 2 == 0 && s < 3 && number % 3 == 0)) fft_run(&p, v, &w, own); /* few sizes */
            }
        }
      fft_end(&p);
    }
}

/* NaN and infinity stay in their item. */
static void fft_isolation(int type) {
  static const size_t sizes[][2] = {{4, 4}, {8, 6}, {7, 15}, {16, 20}, {24, 40}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s;
  int kind;
  for (kind = 0; kind < FFT_KINDS; kind++)
    for (s = 0; s < COUNT_OF(sizes); s++) {
      convk_fftconv2d_shape shape;
      size_t k[2] = {0, 0};
      fft_problem p;
      if (suite.quick && s != (size_t)kind) continue;
      if (kind == FFT_PLAIN) {
        memset(&shape, 0, sizeof shape);
        shape.rows = sizes[s][0];
        shape.columns = sizes[s][1];
      } else fft_any_shape((int)(s + (size_t)kind) % 5, sizes[s], 0, &rng, &shape, k);
      fft_start(&p, kind, type, &shape, k, 0, (int)s % 2, &rng);
      fft_runs(&p, s * 4, suite.quick ? 2 : 8, 33, 3, random64(&rng));
      fft_end(&p);
    }
}

/* Threads: any number, any order of tasks. */
static void fft_threads(int type) {
  static const size_t sizes[][2] = {{5, 6}, {16, 12}, {20, 27}};
  static const int threads[] = {1, 2, 3, 5};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s, t, number = 0;
  int kind, lanes;
  for (kind = 0; kind < FFT_KINDS; kind++)
    for (s = 0; s < COUNT_OF(sizes); s++) {
      convk_fftconv2d_shape shape;
      size_t k[2] = {0, 0};
      fft_problem p;
      if (suite.quick && s) continue;
      if (kind == FFT_PLAIN) {
        memset(&shape, 0, sizeof shape);
        shape.rows = sizes[s][0];
        shape.columns = sizes[s][1];
      } else fft_any_shape((int)(s + (size_t)kind) % 5, sizes[s], 0, &rng, &shape, k);
      fft_start(&p, kind, type, &shape, k, 0, (int)s % 2, &rng);
      for (t = 0; t < COUNT_OF(threads); t++)
        for (lanes = 1; lanes < 3; lanes++) {
          const size_t items = 1 + random_below(&rng, 50);
          fft_way w = fft_any_way(&p, items, &rng);
          const uint64_t own = random64(&rng);
          size_t i = 0;
          variant *v;
          w.threads = threads[t];
          w.hook = t == 0 ? (int)HOOK_NONE : (number++ % 3) ? (int)HOOK_SHUFFLED : (int)HOOK_THREADS;
          w.lanes = (size_t)lanes;
          while ((v = fft_next(&i, type, kind, fft_cost(&p, items))) != NULL)
            if (!fft_thin(v, number)) fft_run(&p, v, &w, own);
        }
      fft_end(&p);
    }
}

/* ----------------------------------------------------------------------------------------------------------- identities -- */

/* One item of numbers as they come, packed; k: of a convolution, else NULL. */
static void fft_one(variant *v, int kind, int type, const convk_fftconv2d_shape *shape, const double *kernel, int direction,
                    const double *in, size_t values_in, double *out, size_t values) {
  const size_t parts = kind == FFT_REAL ? 1 : 2, size = types[type].size;
  const size_t count = kind == FFT_PLAIN ? 0 : parts * shape->kernel_rows * shape->kernel_columns;
  const size_t bytes = fft_ops[type].plan_size(kind, NULL, shape, 1);
  void *plan = need(bytes), *h = need(count * size), *x = need(values_in * size), *y = need(values * size);
  fft_kernels k;
  fft_call c;
  convk_batch2d batch;
  size_t i;
  int status;
  memset(&k, 0, sizeof k);
  memset(&c, 0, sizeof c);
  memset(&batch, 0, sizeof batch);
  fft_put(type, h, 0, count, kernel);
  fft_put(type, x, 0, values_in, in);
  k.count = 1;
  k.data = h;
  batch.items = 1;
  c.hw = &v->hw;
  c.kind = kind;
  c.direction = direction;
  c.plan = plan;
  c.batch = &batch;
  c.in = x;
  c.out = y;
  status = fft_ops[type].plan(kind, NULL, shape, &k, plan, bytes);
  if (!status) status = fft_ops[type].call(&c);
  want_status(status, CONVK_OK);
  for (i = 0; i < values; i++) out[i] = status ? (double)NAN : get(type, y, i);
  free(plan);
  free(h);
  free(x);
  free(y);
}

/* Relative L2 of a difference. */
static void fft_close(int type, const double *a, const double *b, size_t n, double limits, const char *what) {
  double square = 0, error = 0;
  size_t i;
  for (i = 0; i < n; i++) {
    square += b[i] * b[i];
    error += (a[i] - b[i]) * (a[i] - b[i]);
  }
  if (!(sqrt(error / square) <= limits * slack() * fft_ops[type].limit))
    fail("%s: relative L2 %.3g", what, sqrt(error / square));
}

static void fft_transforms(int type) {
  static const size_t sizes[][2] = {{1, 1},   {16, 12},   {512, 16}, {32, 16},  {7, 30},
                                    {64, 45}, {128, 128}, {1024, 6}, {5, 1000}, {256, 210}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s, i;
  fft_suite(FFT_PLAIN, type);
  for (s = 0; s < (suite.quick ? 3 : COUNT_OF(sizes)); s++) {
    const size_t rows = sizes[s][0], columns = sizes[s][1], n = rows * columns;
    const size_t at[2] = {random_below(&rng, rows), random_below(&rng, columns)};
    long double *root[2];
    double *x = fft_draw(type, 2 * n, &rng), *y = reals(2 * n), *z = reals(2 * n), *t = reals(2 * n);
    convk_fftconv2d_shape shape;
    size_t number = 0;
    variant *v;
    memset(&shape, 0, sizeof shape);
    shape.rows = rows;
    shape.columns = columns;
    root[0] = fft_roots(rows);
    root[1] = fft_roots(columns);
    while ((v = fft_next(&number, type, FFT_PLAIN, 200 * n)) != NULL) {
      long double energy = 0, other = 0;
      double worst = 0;
      if (fft_thin(v, s + 3)) continue;
      describe("transforms of %lux%lu", (unsigned long)rows, (unsigned long)columns);
      begin_case();
      fft_one(v, FFT_PLAIN, type, &shape, NULL, CONVK_FORWARD, x, 2 * n, y, 2 * n);
      for (i = 0; i < 2 * n; i++) { /* Parseval */
        energy += (long double)x[i] * x[i];
        other += (long double)y[i] * y[i] / (long double)n;
      }
      if (!(fabsl(energy - other) <= 2 * slack() * fft_ops[type].limit * energy)) fail("%.20Lg becomes %.20Lg", energy, other);
      for (i = 0; i < 2 * n; i++) t[i] = type ? y[i] : (double)(float)y[i];
      fft_one(v, FFT_PLAIN, type, &shape, NULL, CONVK_INVERSE, t, 2 * n, z, 2 * n);
      fft_close(type, z, x, 2 * n, 2, "there and back");
      for (i = 0; i < 2 * n; i++) t[i] = -4 * x[i]; /* exact */
      fft_one(v, FFT_PLAIN, type, &shape, NULL, CONVK_FORWARD, t, 2 * n, z, 2 * n);
      for (i = 0; i < 2 * n; i++)
        if (!(z[i] == -4 * y[i])) fail("number %lu of -4 times the data: %.17g and %.17g", (unsigned long)i, z[i], y[i]);
      for (i = 0; i < n; i++) { /* a shift multiplies by roots */
        const size_t r = i / columns, c = i % columns, from = (r + at[0]) % rows * columns + (c + at[1]) % columns;
        const double a = y[2 * i], b = y[2 * i + 1];
        const size_t turn[2] = {r * at[0] % rows, c * at[1] % columns};
        const double re =
            (double)(root[0][2 * turn[0]] * root[1][2 * turn[1]] - root[0][2 * turn[0] + 1] * root[1][2 * turn[1] + 1]);
        const double im =
            (double)(root[0][2 * turn[0]] * root[1][2 * turn[1] + 1] + root[0][2 * turn[0] + 1] * root[1][2 * turn[1]]);
        z[2 * i] = a * re + b * im; /* the conjugate: towards lower indices */
        z[2 * i + 1] = b * re - a * im;
        t[2 * i] = x[2 * from];
        t[2 * i + 1] = x[2 * from + 1];
      }
      fft_one(v, FFT_PLAIN, type, &shape, NULL, CONVK_FORWARD, t, 2 * n, y, 2 * n);
      fft_close(type, y, z, 2 * n, 2, "a shift");
      for (i = 0; i < 2 * n; i++) t[i] = 0; /* an impulse becomes roots */
      t[2 * (at[0] * columns + at[1])] = 1;
      fft_one(v, FFT_PLAIN, type, &shape, NULL, CONVK_FORWARD, t, 2 * n, y, 2 * n);
      for (i = 0; i < n; i++) {
        const size_t a = i / columns * at[0] % rows, b = i % columns * at[1] % columns;
        const long double re = root[0][2 * a] * root[1][2 * b] - root[0][2 * a + 1] * root[1][2 * b + 1];
        const long double im = root[0][2 * a] * root[1][2 * b + 1] + root[0][2 * a + 1] * root[1][2 * b];
        worst = fmax(worst, (double)fmaxl(fabsl(re - y[2 * i]), fabsl(im - y[2 * i + 1])));
      }
      if (!(worst <= 2 * fft_ops[type].limit))
        fail("an impulse at %lu,%lu: error %.3g", (unsigned long)at[0], (unsigned long)at[1], worst);
      for (i = 0; i < 2 * n; i++) t[i] = 0;
      t[0] = 1;
      fft_one(v, FFT_PLAIN, type, &shape, NULL, CONVK_FORWARD, t, 2 * n, y, 2 * n);
      for (i = 0; i < n; i++)
        if (y[2 * i] != 1 || y[2 * i + 1] != 0) fail("an impulse at 0: %.17g, %.17g", y[2 * i], y[2 * i + 1]);
      end_case();
    }
    free(root[0]);
    free(root[1]);
    free(x);
    free(y);
    free(z);
    free(t);
  }
}

/* y, the convolution of x and h, against the convolution theorem: transforms, their product, the way back. */
static void fft_theorem(variant *v, int kind, int type, const size_t n[2], const size_t k[2], const double *x, const double *h,
                        const double *y) {
  const size_t parts = kind == FFT_REAL ? 1 : 2, out[2] = {n[0] + k[0] - 1, n[1] + k[1] - 1};
  double *a, *b, *e, *t;
  convk_fftconv2d_shape shape;
  size_t m[2], d, i, c, points;
  for (d = 0; d < 2; d++)
    for (m[d] = out[d]; !fft_smooth(m[d]);) m[d]++;
  if (!fft_ops[type].offers(&v->hw, FFT_PLAIN) || m[0] > 1024 || m[1] > 1024) return;
  points = m[0] * m[1];
  a = reals(2 * points);
  b = reals(2 * points);
  e = reals(2 * points);
  t = reals(parts * out[0] * out[1]);
  memset(&shape, 0, sizeof shape);
  shape.rows = m[0];
  shape.columns = m[1];
  for (d = 0; d < 2; d++) {
    const size_t *size = d ? k : n;
    const double *from = d ? h : x;
    memset(e, 0, 2 * points * sizeof *e);
    for (i = 0; i < size[0]; i++)
      for (c = 0; c < parts * size[1]; c++) e[2 * i * m[1] + 2 / parts * c] = from[parts * i * size[1] + c];
    fft_one(v, FFT_PLAIN, type, &shape, NULL, CONVK_FORWARD, e, 2 * points, d ? b : a, 2 * points);
  }
  for (i = 0; i < points; i++) {
    const double re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
    a[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
    a[2 * i] = re;
  }
  fft_one(v, FFT_PLAIN, type, &shape, NULL, CONVK_INVERSE, a, 2 * points, b, 2 * points);
  for (i = 0; i < out[0]; i++)
    for (c = 0; c < parts * out[1]; c++) t[parts * i * out[1] + c] = b[2 * i * m[1] + 2 / parts * c];
  fft_close(type, t, y, parts * out[0] * out[1], 3, "the convolution theorem");
  free(a);
  free(b);
  free(e);
  free(t);
}

static void fft_convolutions(int type) {
  static const size_t sizes[][4] = {{7, 9, 4, 6}, {31, 15, 31, 16}, {63, 64, 62, 64}, {120, 90, 9, 7}, {500, 3, 500, 2}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s, i;
  int kind;
  for (kind = 0; kind < FFT_PLAIN; kind++)
    for (s = 0; s < (suite.quick ? 2 : COUNT_OF(sizes)); s++) {
      const size_t *n = sizes[s], *k = sizes[s] + 2, parts = kind == FFT_REAL ? 1 : 2;
      const size_t out[2] = {n[0] + k[0] - 1, n[1] + k[1] - 1}, values = parts * out[0] * out[1];
      double *x = fft_draw(type, parts * n[0] * n[1], &rng), *h = fft_draw(type, parts * k[0] * k[1], &rng);
      double *y = reals(values), *z = reals(values), *t = reals(values), *u = reals(4 * out[0] * out[1]);
      convk_fftconv2d_shape shape, turned;
      size_t number = 0;
      variant *v;
      memset(&shape, 0, sizeof shape);
      shape.rows = n[0];
      shape.columns = n[1];
      shape.kernel_rows = k[0];
      shape.kernel_columns = k[1];
      turned = shape;
      turned.rows = k[0];
      turned.columns = k[1];
      turned.kernel_rows = n[0];
      turned.kernel_columns = n[1];
      fft_suite(kind, type);
      while ((v = fft_next(&number, type, kind, 200 * out[0] * out[1])) != NULL) {
        const size_t at[2] = {random_below(&rng, k[0]), random_below(&rng, k[1])};
        if (fft_thin(v, s + 3)) continue;
        describe("%lux%lu by %lux%lu", (unsigned long)n[0], (unsigned long)n[1], (unsigned long)k[0], (unsigned long)k[1]);
        begin_case();
        fft_one(v, kind, type, &shape, h, 0, x, parts * n[0] * n[1], y, values);
        fft_one(v, kind, type, &turned, x, 0, h, parts * k[0] * k[1], z, values);
        fft_close(type, z, y, values, 2, "kernel and field exchanged");
        for (i = 0; i < parts * n[0] * n[1]; i++) t[i] = x[i] / -8;
        for (i = 0; i < parts * k[0] * k[1]; i++) u[i] = 16 * h[i];
        fft_one(v, kind, type, &shape, u, 0, t, parts * n[0] * n[1], z, values);
        for (i = 0; i < values; i++)
          if (!(z[i] == -2 * y[i]))
            fail("number %lu of 16 times the kernel, -1/8 times the field: %.17g and %.17g", (unsigned long)i, z[i], y[i]);
        memset(u, 0, parts * k[0] * k[1] * sizeof *u); /* a kernel that shifts */
        u[parts * (at[0] * k[1] + at[1])] = 1;
        fft_one(v, kind, type, &shape, u, 0, x, parts * n[0] * n[1], z, values);
        memset(t, 0, values * sizeof *t);
        for (i = 0; i < n[0]; i++)
          memcpy(t + parts * ((at[0] + i) * out[1] + at[1]), x + parts * i * n[1], parts * n[1] * sizeof *t);
        fft_close(type, z, t, values, 1, "a shift");
        fft_theorem(v, kind, type, n, k, x, h, y);
        end_case();
      }
      free(x);
      free(h);
      free(y);
      free(z);
      free(t);
      free(u);
    }
}

/* Items that are windows of one image, as they overlap. */
static void fft_sliding(int type) {
  static const size_t sizes[][2] = {{4, 5}, {8, 8}, {13, 6}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s, i, r;
  int kind;
  for (kind = 0; kind < FFT_KINDS; kind++)
    for (s = 0; s < (suite.quick ? 1 : COUNT_OF(sizes)); s++) {
      const size_t rows = kind == FFT_PLAIN ? 12 : sizes[s][0], columns = kind == FFT_PLAIN ? 10 : sizes[s][1];
      const size_t parts = kind == FFT_REAL ? 1 : 2, step = 1 + s * 2, pitch = 200, items = 19;
      const size_t bytes = parts * types[type].size, each = rows * columns;
      const size_t span = (items - 1) * step + (rows - 1) * pitch + columns;
      double *x = fft_draw(type, parts * span, &rng), *h = fft_draw(type, parts * 9, &rng);
      unsigned char *image = (unsigned char *)need(span * bytes), *single = (unsigned char *)need(items * each * bytes);
      unsigned char *one = (unsigned char *)need(items * each * bytes), *other = (unsigned char *)need(items * each * bytes);
      unsigned char *filter = (unsigned char *)need(9 * bytes);
      convk_fftconv2d_shape shape;
      size_t size, number = 0;
      void *plan;
      fft_kernels k;
      variant *v;
      int status;
      memset(&shape, 0, sizeof shape);
      shape.rows = rows;
      shape.columns = columns;
      shape.kernel_rows = shape.kernel_columns = 3;
      shape.mode = CONVK_FFT_SAME;
      memset(&k, 0, sizeof k);
      k.count = 1;
      k.data = filter;
      fft_put(type, filter, 0, parts * 9, h);
      fft_put(type, image, 0, parts * span, x);
      for (i = 0; i < items; i++)
        for (r = 0; r < rows; r++)
          memcpy(single + (i * each + r * columns) * bytes, image + (i * step + r * pitch) * bytes, columns * bytes);
      fft_suite(kind, type);
      size = fft_ops[type].plan_size(kind, NULL, &shape, 1);
      plan = need(size);
      status = fft_ops[type].plan(kind, NULL, &shape, &k, plan, size);
      while ((v = fft_next(&number, type, kind, 4000 * each)) != NULL) {
        convk_batch2d batch;
        fft_call c;
        if (fft_thin(v, s)) continue;
        describe("%lu windows of %lux%lu, %lu apart", (unsigned long)items, (unsigned long)rows, (unsigned long)columns,
                 (unsigned long)step);
        begin_case();
        memset(&batch, 0, sizeof batch);
        memset(&c, 0, sizeof c);
        memset(one, 0, items * each * bytes);
        memset(other, FILL_, items * each * bytes);
        c.hw = &v->hw;
        c.kind = kind;
        c.plan = plan;
        c.batch = &batch;
        batch.items = items;
        c.in = single;
        c.out = other;
        if (!status) status = fft_ops[type].call(&c);
        batch.in_pitch = pitch;
        batch.in_stride = step;
        c.in = image;
        c.out = one;
        if (!status) status = fft_ops[type].call(&c);
        want_status(status, CONVK_OK);
        if (memcmp(one, other, items * each * bytes)) fail("other bits than of windows cut out");
        end_case();
      }
      free(plan);
      free(x);
      free(h);
      free(image);
      free(single);
      free(one);
      free(other);
      free(filter);
    }
}

/* ---------------------------------------------------------------------------------------------------- shapes and plans -- */

/* What a shape stands for, and which sizes of transforms it takes. */
static void fft_shapes(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const int turns = suite.quick ? 40 : 400;
  int turn, d;
  suite.operation = "fftconv2d";
  for (turn = 0; turn < turns; turn++) {
    const size_t m[2] = {1 + random_below(&rng, 24), 1 + random_below(&rng, 24)};
    const int mode = turn % 5, kind = turn / 5 % 2;
    convk_fftconv2d_shape shape, all, again;
    size_t k[2], plan_size, chosen_size, i;
    fft_problem p;
    unsigned char *plan[2];
    fft_kernels kernels;
    int status;
    fft_any_shape(mode, m, 0, &rng, &shape, k);
    if (mode != CONVK_FFT_CIRCULAR) shape.fft_rows = shape.fft_columns = 0;
    fft_start(&p, kind, type, &shape, k, 0, 0, &rng);
    fft_describe(&p);
    begin_case();
    memset(&all, FILL_, sizeof all);
    status = convk_fftconv2d_resolve(NULL, &shape, &all);
    want_status(status, CONVK_OK);
    if (all.rows != shape.rows || all.columns != shape.columns || all.kernel_rows != k[0] || all.kernel_columns != k[1] ||
        all.correlation != shape.correlation)
      fail("the sizes changed");
    if (all.mode != (mode == CONVK_FFT_CIRCULAR ? CONVK_FFT_CIRCULAR : CONVK_FFT_WINDOW)) fail("mode %d", all.mode);
    if (all.out_rows != p.out[0] || all.out_columns != p.out[1])
      fail("out %lux%lu, not %lux%lu", (unsigned long)all.out_rows, (unsigned long)all.out_columns, (unsigned long)p.out[0],
           (unsigned long)p.out[1]);
    for (d = 0; d < 2; d++) {
      const ptrdiff_t origin = d ? all.origin_column : all.origin_row;
      const size_t fft = d ? all.fft_columns : all.fft_rows;
      if (mode == CONVK_FFT_CIRCULAR) {
        if (origin < 0 || (size_t)origin >= p.period[d] || fft_remainder(p.origin[d], p.period[d]) != (size_t)origin ||
            fft != p.period[d])
          fail("origin %ld, period %lu", (long)origin, (unsigned long)fft);
      } else if (origin != p.origin[d] || !fft_smooth(fft) || !fft_enough(p.n[d], k[d], origin, p.out[d], fft, 0))
        fail("origin %ld, fft %lu", (long)origin, (unsigned long)fft);
      else if (fft > 2 * (p.n[d] + k[d])) fail("fft %lu", (unsigned long)fft);
    }
    again = all;
    status = convk_fftconv2d_resolve(NULL, &again, &again); /* in place */
    if (status || memcmp(&again, &all, sizeof all)) fail("not the same again");
    /* a plan of what it stands for is the same plan */
    plan_size = fft_ops[type].plan_size(kind, NULL, &shape, 2);
    chosen_size = fft_ops[type].plan_size(kind, NULL, &all, 2);
    if (plan_size != chosen_size) fail("plans of %lu and %lu bytes", (unsigned long)plan_size, (unsigned long)chosen_size);
    memset(&kernels, 0, sizeof kernels);
    kernels.count = 2;
    kernels.data = need(2 * k[0] * k[1] * p.size);
    for (i = 0; i < 2; i++) {
      fft_put(type, (void *)(uintptr_t)kernels.data, i * p.parts * k[0] * k[1], p.parts * k[0] * k[1], p.kernel[i]);
      plan[i] = (unsigned char *)need(plan_size + 64);
      memset(plan[i], FILL_, plan_size + 64);
    }
    for (i = 0; i < 2 && !suite.bad; i++) {
      unsigned char *at = plan[i] + 8 * i; /* of another alignment */
      status = fft_ops[type].plan(kind, NULL, i ? &all : &shape, &kernels, at, plan_size);
      want_status(status, CONVK_OK);
    }
    if (!suite.bad) {
      convk_fft_plan_ head;
      memcpy(&head, plan[0], sizeof head);
      if (head.bytes > plan_size || memcmp(plan[0], plan[1] + 8, head.bytes)) fail("the plans differ");
      for (i = 0; i < variant_count && !suite.bad; i++) /* and of every hardware */
        if (variants[i].open) {
          memset(plan[1], FILL_, plan_size);
          if (fft_ops[type].plan(kind, &variants[i].hw, &shape, &kernels, plan[1], plan_size) ||
              memcmp(plan[0], plan[1], head.bytes))
            fail("the plan by %s differs", variants[i].label);
        }
    }
    for (i = 0; i < 2; i++) free(plan[i]);
    free((void *)(uintptr_t)kernels.data);
    end_case();
    /* sizes that are given */
    begin_case();
    for (d = 0; d < 2 && mode != CONVK_FFT_CIRCULAR; d++)
      for (i = 1; i < p.n[d] + k[d] + 8; i++) {
        const int good = fft_smooth(i) && fft_enough(p.n[d], k[d], p.origin[d], p.out[d], i, 0);
        all = shape;
        if (d) all.fft_columns = i;
        else all.fft_rows = i;
        status = convk_fftconv2d_resolve(NULL, &all, &again);
        if (status != (good ? CONVK_OK : CONVK_ERR_FFT_SIZE)) fail("axis %d, fft %lu: status %d", d, (unsigned long)i, status);
        if ((fft_ops[type].plan_size(kind, NULL, &all, 1) == (size_t)-1) != !good)
          fail("axis %d, fft %lu: plan_size", d, (unsigned long)i);
      }
    end_case();
    fft_end(&p);
  }
}

/* A plan's errors: what is wrong, the status, and what the message says. */
typedef struct fft_wrong {
  const char *what;
  int status;
  const char *text; /* that its message has */
  convk_fftconv2d_shape shape;
} fft_wrong;

/* rows, columns, kernel_rows, kernel_columns, mode, correlation, origin_row, origin_column, out_rows, out_columns, fft_* */
static const fft_wrong fft_wrong_shapes[] = {
    {"no rows", CONVK_ERR_SIZE, "shape->rows is 0", {0, 6, 3, 4, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 0, 0}},
    {"no columns", CONVK_ERR_SIZE, "shape->columns is 0", {5, 0, 3, 4, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 0, 0}},
    {"no kernel rows", CONVK_ERR_SIZE, "shape->kernel_rows is 0", {5, 6, 0, 4, CONVK_FFT_SAME, 0, 0, 0, 0, 0, 0, 0}},
    {"no kernel columns", CONVK_ERR_SIZE, "shape->kernel_columns is 0", {5, 6, 3, 0, CONVK_FFT_VALID, 0, 0, 0, 0, 0, 0, 0}},
    {"no kernel columns, circular",
     CONVK_ERR_SIZE,
     "shape->kernel_columns is 0",
     {5, 6, 3, 0, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 0, 0, 0}},
    {"no window rows", CONVK_ERR_SIZE, "shape->out_rows is 0", {5, 6, 3, 4, CONVK_FFT_WINDOW, 0, 0, 0, 0, 1, 0, 0}},
    {"no window columns", CONVK_ERR_SIZE, "shape->out_columns is 0", {5, 6, 3, 4, CONVK_FFT_WINDOW, 0, 0, 0, 1, 0, 0, 0}},
    {"mode -1", CONVK_ERR_MODE, "shape->mode is -1", {5, 6, 3, 4, -1, 0, 0, 0, 0, 0, 0, 0}},
    {"mode 5", CONVK_ERR_MODE, "shape->mode is 5", {5, 6, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0}},
    {"full with an origin", CONVK_ERR_MODE, "shape->origin_row is not 0", {5, 6, 3, 4, CONVK_FFT_FULL, 0, 1, 0, 0, 0, 0, 0}},
    {"same with an origin",
     CONVK_ERR_MODE,
     "shape->origin_column is not 0",
     {5, 6, 3, 4, CONVK_FFT_SAME, 0, 0, -1, 0, 0, 0, 0}},
    {"valid with an origin", CONVK_ERR_MODE, "shape->origin_row is not 0", {5, 6, 3, 4, CONVK_FFT_VALID, 0, 2, 0, 0, 0, 0, 0}},
    {"full with a window", CONVK_ERR_MODE, "shape->out_rows is not 0", {5, 6, 3, 4, CONVK_FFT_FULL, 0, 0, 0, 7, 0, 0, 0}},
    {"same with a window", CONVK_ERR_MODE, "shape->out_columns is not 0", {5, 6, 3, 4, CONVK_FFT_SAME, 0, 0, 0, 0, 6, 0, 0}},
    {"valid with a window", CONVK_ERR_MODE, "shape->out_rows is not 0", {5, 6, 3, 4, CONVK_FFT_VALID, 0, 0, 0, 1, 1, 0, 0}},
    {"correlation 2", CONVK_ERR_OPTION, "shape->correlation is 2", {5, 6, 3, 4, CONVK_FFT_FULL, 2, 0, 0, 0, 0, 0, 0}},
    {"correlation -1", CONVK_ERR_OPTION, "shape->correlation is -1", {5, 6, 3, 4, CONVK_FFT_FULL, -1, 0, 0, 0, 0, 0, 0}},
    {"window before the rows",
     CONVK_ERR_WINDOW,
     "shape->origin_row is -1",
     {5, 6, 3, 4, CONVK_FFT_WINDOW, 0, -1, 0, 1, 1, 0, 0}},
    {"window before the columns",
     CONVK_ERR_WINDOW,
     "shape->origin_column is -1",
     {5, 6, 3, 4, CONVK_FFT_WINDOW, 0, 0, -1, 2, 1, 0, 0}},
    {"window behind the rows",
     CONVK_ERR_WINDOW,
     "shape->origin_row is 7, outside of the convolution's 7",
     {5, 6, 3, 4, CONVK_FFT_WINDOW, 0, 7, 0, 1, 1, 0, 0}},
    {"window behind the columns",
     CONVK_ERR_WINDOW,
     "shape->origin_column is 9",
     {5, 6, 3, 4, CONVK_FFT_WINDOW, 0, 0, 9, 1, 1, 0, 0}},
    {"window leaves the rows",
     CONVK_ERR_WINDOW,
     "shape->out_rows is 5, and from shape->origin_row on there are 4",
     {5, 6, 3, 4, CONVK_FFT_WINDOW, 0, 3, 0, 5, 1, 0, 0}},
    {"window leaves the columns",
     CONVK_ERR_WINDOW,
     "shape->out_columns is 2",
     {5, 6, 3, 4, CONVK_FFT_WINDOW, 0, 0, 8, 1, 2, 0, 0}},
    {"window far off", CONVK_ERR_WINDOW, "shape->origin_row is", {5, 6, 3, 4, CONVK_FFT_WINDOW, 0, PTRDIFF_MAX, 0, 1, 1, 0, 0}},
    {"window far before",
     CONVK_ERR_WINDOW,
     "shape->origin_column is",
     {5, 6, 3, 4, CONVK_FFT_WINDOW, 0, 0, PTRDIFF_MIN, 1, 1, 0, 0}},
    {"more rows than the period",
     CONVK_ERR_SIZE,
     "shape->rows is 5, more than the period shape->fft_rows = 4",
     {5, 6, 3, 4, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 0, 4, 0}},
    {"more columns than the period",
     CONVK_ERR_SIZE,
     "shape->columns is 6",
     {5, 6, 3, 4, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 0, 0, 5}},
    {"kernel rows beyond the period",
     CONVK_ERR_SIZE,
     "shape->kernel_rows is 6",
     {5, 6, 6, 4, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 0, 0, 0}},
    {"kernel columns beyond the period",
     CONVK_ERR_SIZE,
     "shape->kernel_columns is 9",
     {5, 6, 3, 9, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 0, 0, 8}},
    {"window of more than a period",
     CONVK_ERR_WINDOW,
     "shape->out_rows is 6",
     {5, 6, 3, 4, CONVK_FFT_CIRCULAR, 0, 0, 0, 6, 0, 0, 0}},
    {"window of more than a period, columns",
     CONVK_ERR_WINDOW,
     "shape->out_columns is 9",
     {5, 6, 3, 4, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 9, 0, 8}},
    {"fft of 11",
     CONVK_ERR_FFT_SIZE,
     "shape->fft_rows is 11, no product of 2, 3, 5, 7",
     {5, 6, 3, 4, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 11, 0}},
    {"fft of 13", CONVK_ERR_FFT_SIZE, "shape->fft_columns is 13", {5, 6, 3, 4, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 0, 13}},
    {"fft too small",
     CONVK_ERR_FFT_SIZE,
     "shape->fft_rows is 6, and 7 points are needed",
     {5, 6, 3, 4, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 6, 0}},
    {"fft of 1250", CONVK_ERR_FFT_SIZE, "shape->fft_rows is 1250", {5, 6, 3, 4, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 1250, 0}},
    {"fft of 2048", CONVK_ERR_FFT_SIZE, "shape->fft_columns is 2048", {5, 6, 3, 4, CONVK_FFT_SAME, 0, 0, 0, 0, 0, 0, 2048}},
    {"513 rows of a kernel for tiles",
     CONVK_ERR_FFT_SIZE,
     "shape->kernel_rows is 513, too many for tiles",
     {513, 6, 513, 4, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 0, 0}},
    {"513 columns of a kernel for tiles",
     CONVK_ERR_FFT_SIZE,
     "shape->kernel_columns is 513",
     {5, 1030, 3, 513, CONVK_FFT_VALID, 0, 0, 0, 0, 0, 0, 0}},
    {"1025 columns of a kernel",
     CONVK_ERR_FFT_SIZE,
     "shape->kernel_columns is 1025",
     {5, 1, 3, 1025, CONVK_FFT_VALID, 0, 0, 0, 0, 0, 0, 0}},
    {"tiles of 44 points", CONVK_ERR_FFT_SIZE, "shape->fft_rows is 44", {1100, 6, 3, 4, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 44, 0}},
    {"tiles of 1250 columns",
     CONVK_ERR_FFT_SIZE,
     "shape->fft_columns is 1250",
     {5, 1100, 3, 4, CONVK_FFT_SAME, 0, 0, 0, 0, 0, 0, 1250}},
    {"more than half of a tile is the kernel's",
     CONVK_ERR_FFT_SIZE,
     "shape->fft_rows is 16, and tiles take twice shape->kernel_rows = 9",
     {1100, 6, 9, 4, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 16, 0}},
    {"a period of 1031",
     CONVK_ERR_FFT_SIZE,
     "shape->rows and shape->out_rows take 2061 points",
     {1031, 6, 3, 4, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 0, 0, 0}},
    {"a period of 521",
     CONVK_ERR_FFT_SIZE,
     "shape->rows and shape->out_rows take 1041 points",
     {521, 6, 3, 4, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 0, 0, 0}},
    {"all rows", CONVK_ERR_OVERFLOW, "shape->rows is too large", {SIZE_MAX, 6, 3, 4, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 0, 0}},
    {"half of all columns",
     CONVK_ERR_OVERFLOW,
     "shape->columns is too large",
     {5, SIZE_MAX / 2, 3, 4, CONVK_FFT_SAME, 0, 0, 0, 0, 0, 0, 0}},
    {"kernel rows",
     CONVK_ERR_OVERFLOW,
     "shape->kernel_rows is too large",
     {5, 6, SIZE_MAX - 3, 4, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 0, 0}},
    {"kernel columns",
     CONVK_ERR_OVERFLOW,
     "shape->kernel_columns is too large",
     {5, 6, 3, SIZE_MAX / 4, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 0, 0}},
    {"all windows",
     CONVK_ERR_OVERFLOW,
     "shape->out_rows is too large",
     {5, 6, 3, 4, CONVK_FFT_WINDOW, 0, 1, 0, SIZE_MAX, 1, 0, 0}},
    {"all periods",
     CONVK_ERR_OVERFLOW,
     "shape->fft_columns is too large",
     {5, 6, 3, 4, CONVK_FFT_CIRCULAR, 0, 1, 0, 0, 0, 0, SIZE_MAX}}};
static const convk_fftconv2d_shape fft_good_shape = {5, 6, 3, 4, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 8, 12};

/* Three good kernels, or their spectra, and memory for their plan, in which nothing may be written.  hw: tells why. */
typedef struct fft_planning {
  int type, kind, spectrum;
  size_t parts, size, bytes;
  unsigned char *plan, *data;
  fft_kernels own;
  convk *hw;
} fft_planning;

/* A plan that is refused with a text: by the open handle, which says so, and by none. */
static void fft_refuses_into(const fft_planning *r, const char *what, int wanted, const char *text,
                             const convk_fftconv2d_shape *shape, const fft_kernels *kernels, void *plan, size_t bytes) {
  int with, status;
  for (with = 0; with < 2; with++) {
    convk *hw = with ? r->hw : NULL;
    describe("a plan from %s: %s", r->spectrum ? "spectra" : "kernels", what);
    begin_case();
    status = fft_ops[r->type].plan(r->kind, hw, shape, kernels, plan, bytes);
    want_status(status, wanted);
    fft_want_text(hw, status, text);
    if (!all_fill(r->plan, r->plan + r->bytes)) fail("something was written");
    end_case();
  }
}
static void fft_refuses(const fft_planning *r, const char *what, int wanted, const char *text,
                        const convk_fftconv2d_shape *shape, const fft_kernels *kernels) {
  fft_refuses_into(r, what, wanted, text, shape, kernels, r->plan, r->bytes);
}

/* A size that is refused. */
static void fft_refuses_size(const fft_planning *r, const char *what, int wanted, const char *text,
                             const convk_fftconv2d_shape *shape, size_t kernels) {
  describe("the size of a plan: %s", what);
  begin_case();
  (void)fft_ops[r->type].plan_size(r->kind, r->hw, shape, kernels);
  want_status(fft_query, wanted);
  fft_want_text(r->hw, fft_query, text);
  end_case();
}

static void fft_refuses_shapes(const fft_planning *r) {
  convk_fftconv2d_shape all;
  size_t i;
  int status;
  for (i = 0; i < COUNT_OF(fft_wrong_shapes); i++) {
    const fft_wrong *w = &fft_wrong_shapes[i];
    const int free_kernel = r->spectrum && w->shape.mode == CONVK_FFT_CIRCULAR;
    const char *text = free_kernel && w->status == CONVK_ERR_FFT_SIZE ? "shape->rows is" : w->text;
    if (free_kernel && strstr(w->what, "kernel")) continue;
    fft_refuses(r, w->what, w->status, text, &w->shape, &r->own);
    if (r->spectrum || r->kind) continue;
    describe("the shape: %s", w->what);
    begin_case();
    memset(&all, FILL_, sizeof all);
    status = convk_fftconv2d_resolve(r->hw, &w->shape, &all);
    want_status(status, w->status);
    fft_want_text(r->hw, status, w->text);
    if (!all_fill((unsigned char *)&all, (unsigned char *)&all + sizeof all)) fail("something was written");
    end_case();
    fft_refuses_size(r, w->what, w->status, w->text, &w->shape, 1);
  }
}

static void fft_refuses_handles(const fft_planning *r) {
  size_t bytes = FFT_UNTOUCHED;
  convk shut;
  int garbage;
  for (garbage = 0; garbage < 2; garbage++) {
    memset(&shut, garbage ? FILL_ : 0, sizeof shut);
    describe("a handle that is not open");
    begin_case();
    want_status(fft_ops[r->type].plan(r->kind, &shut, &fft_good_shape, &r->own, r->plan, r->bytes), CONVK_ERR_HANDLE);
    if (!all_fill(r->plan, r->plan + r->bytes)) fail("something was written");
    (void)fft_ops[r->type].plan_size(r->kind, &shut, &fft_good_shape, 1);
    want_status(fft_query, CONVK_ERR_HANDLE);
    (void)fft_ops[r->type].bytes(r->kind, &shut, r->plan);
    want_status(fft_query, CONVK_ERR_HANDLE);
    want_status(convk_fftconv2d_resolve(&shut, &fft_good_shape, NULL), CONVK_ERR_HANDLE);
    want_status(convk_fft2d_plan_size_c64(&shut, 4, 4, &bytes), CONVK_ERR_HANDLE);
    if (bytes != FFT_UNTOUCHED) fail("a size was written");
    end_case();
  }
}

static void fft_refuses_arguments(const fft_planning *r) {
  fft_kernels k;
  const char *array = r->spectrum ? "spectrum is NULL" : "kernel is NULL";
  fft_refuses(r, "no shape", CONVK_ERR_NULL, "shape is NULL", NULL, &r->own);
  fft_refuses_size(r, "no shape", CONVK_ERR_NULL, "shape is NULL", NULL, 1);
  k = r->own;
  k.data = NULL;
  fft_refuses(r, "no kernel", CONVK_ERR_NULL, array, &fft_good_shape, &k);
  fft_refuses_into(r, "no plan", CONVK_ERR_NULL, "plan is NULL", &fft_good_shape, &r->own, NULL, r->bytes);
  k = r->own;
  k.count = 0;
  fft_refuses(r, "no kernels", CONVK_ERR_SIZE, "kernels is 0", &fft_good_shape, &k);
  fft_refuses_size(r, "no kernels", CONVK_ERR_SIZE, "kernels is 0", &fft_good_shape, 0);
  k.count = SIZE_MAX / 64;
  fft_refuses(r, "kernels overflow", CONVK_ERR_OVERFLOW, "kernels is ", &fft_good_shape, &k);
  fft_refuses_size(r, "kernels overflow", CONVK_ERR_OVERFLOW, "kernels is ", &fft_good_shape, SIZE_MAX / 64);
  k = r->own;
  k.pitch = (r->spectrum ? 12 : 4) - 1;
  fft_refuses(r, "the pitch", CONVK_ERR_PITCH, r->spectrum ? "pitch is 11, less than the 12" : "pitch is 3, less than the 4",
              &fft_good_shape, &k);
  k.pitch = SIZE_MAX / 2;
  fft_refuses(r, "a huge pitch", CONVK_ERR_OVERFLOW, "pitch is too large", &fft_good_shape, &k);
  k = r->own;
  k.stride = SIZE_MAX / 2;
  fft_refuses(r, "a huge stride", CONVK_ERR_OVERFLOW, "kernels at stride", &fft_good_shape, &k);
  k.stride = SIZE_MAX / 2 / r->size;
  fft_refuses(r, "a large stride", CONVK_ERR_OVERFLOW, "kernels at stride", &fft_good_shape, &k);
  fft_refuses_into(r, "a byte less", CONVK_ERR_WORK, "plan_size is ", &fft_good_shape, &r->own, r->plan, r->bytes - 1);
  fft_refuses_into(r, "no bytes", CONVK_ERR_WORK, "plan_size is 0, and ", &fft_good_shape, &r->own, r->plan, 0);
  fft_refuses_handles(r);
}

static void fft_refuses_overlaps(const fft_planning *r, uint64_t *rng) {
  fft_kernels k = r->own;
  size_t i;
  int turn, status;
  for (turn = 0; turn < 12; turn++) { /* the kernels overlap the plan, or touch it */
    const size_t rows = r->spectrum ? r->kind == FFT_REAL ? 5 : 8 : 3, columns = r->spectrum ? 12 : 4;
    const size_t each = (r->spectrum ? 8 : 3) * columns, span = (2 * each + rows * columns) * r->parts * r->size;
    unsigned char *both = (unsigned char *)need(2 * span + r->bytes), *at = both + span;
    const size_t shift = turn < 8 ? random_below(rng, span + r->bytes - 1) + 1 : turn % 2 ? 0 : span + r->bytes;
    memset(both, 0, 2 * span + r->bytes);
    describe("kernels and plan %s", turn < 8 ? "overlap" : "touch");
    begin_case();
    k.data = both + shift;
    status = fft_ops[r->type].plan(r->kind, r->hw, &fft_good_shape, &k, at, r->bytes);
    want_status(status, turn < 8 ? CONVK_ERR_OVERLAP : CONVK_OK);
    fft_want_text(r->hw, status, r->spectrum ? "spectrum overlaps plan" : "kernel overlaps plan");
    if (turn < 8)
      for (i = 0; i < r->bytes; i++)
        if (at[i]) fail("something was written");
    end_case();
    free(both);
  }
}

static void fft_refuses_numbers(const fft_planning *r, uint64_t *rng) {
  int turn;
  for (turn = 0; turn < 40; turn++) { /* of a spectrum of real numbers, rows 0 .. 4 */
    const size_t rows = r->spectrum ? r->kind == FFT_REAL ? 5 : 8 : 3, row = (r->spectrum ? 12 : 4) * r->parts;
    const size_t each = (r->spectrum ? 8 : 3) * row;
    const size_t at = random_below(rng, 3) * each + (turn ? random_below(rng, rows * row) : rows * row - 1);
    const double was = get(r->type, r->data, at);
    put(r->type, r->data, at, turn % 3 == 0 ? (double)NAN : turn % 3 == 1 ? (double)INFINITY : -(double)INFINITY);
    fft_refuses(r, "not finite", CONVK_ERR_NONFINITE, r->spectrum ? "spectrum: number " : "kernel: number ", &fft_good_shape,
                &r->own);
    put(r->type, r->data, at, was);
  }
}

/* Spectra of sizes that no transform has, or that are too small. */
static void fft_refuses_spectra(const fft_planning *r) {
  static const fft_wrong beyond[] = {
      {"a period of 11", CONVK_ERR_FFT_SIZE, "shape->fft_rows is 11", {5, 6, 3, 4, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 0, 11, 0}},
      {"rows by tiles", CONVK_ERR_FFT_SIZE, "shape->rows takes tiles", {1100, 6, 3, 4, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 64, 12}},
      {"columns by tiles",
       CONVK_ERR_FFT_SIZE,
       "shape->columns takes tiles",
       {5, 1025, 3, 4, CONVK_FFT_WINDOW, 0, 0, 1000, 1, 1, 8, 64}},
      {"a period of 1250",
       CONVK_ERR_FFT_SIZE,
       "shape->fft_columns is 1250",
       {5, 6, 3, 4, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 0, 0, 1250}},
      {"the rest of the kernel wraps",
       CONVK_ERR_FFT_SIZE,
       "shape->fft_rows is 4",
       {4, 6, 8, 4, CONVK_FFT_WINDOW, 0, 10, 0, 1, 1, 4, 12}},
      {"results wrap",
       CONVK_ERR_FFT_SIZE,
       "shape->fft_rows is 6, and a spectrum takes 7 points",
       {5, 6, 3, 4, CONVK_FFT_WINDOW, 0, 6, 0, 1, 1, 6, 0}},
      {"the field wraps into the first results",
       CONVK_ERR_FFT_SIZE,
       "shape->fft_rows is 12, and a spectrum takes 14 points",
       {10, 6, 5, 4, CONVK_FFT_WINDOW, 0, 0, 0, 2, 1, 12, 12}}};
  size_t i;
  for (i = 0; i < COUNT_OF(beyond); i++)
    fft_refuses(r, beyond[i].what, beyond[i].status, beyond[i].text, &beyond[i].shape, &r->own);
}

/* Plans of transforms: sizes that there are not, and what else is refused of those that there are. */
static void fft_transform_plan_errors(int type, convk *hw) {
  static const fft_kernels none = {1, NULL, 0, 0, 0};
  static const char *const text[12] = {"rows is 0",    "columns is 0",    "rows is 11",    "columns is 13",
                                       "rows is 1025", "columns is 1250", "rows is 2048",  "columns is ",
                                       "rows is ",     "rows is 22",      "plan_size is ", "plan_size is "};
  size_t i;
  fft_suite(FFT_PLAIN, type);
  for (i = 0; i < 12; i++) {
    static const size_t sizes[12][2] = {{0, 4},    {4, 0},        {11, 4},       {4, 13}, {1025, 4}, {4, 1250},
                                        {2048, 1}, {1, SIZE_MAX}, {SIZE_MAX, 1}, {22, 1}, {1, 1000}, {1024, 1}};
    convk_fftconv2d_shape shape;
    size_t bytes;
    unsigned char *plan;
    convk shut;
    int status;
    const int good_size = i >= 10;
    memset(&shape, 0, sizeof shape);
    memset(&shut, 0, sizeof shut);
    shape.rows = sizes[i][0];
    shape.columns = sizes[i][1];
    describe("a plan of %lux%lu", (unsigned long)sizes[i][0], (unsigned long)sizes[i][1]);
    begin_case();
    bytes = fft_ops[type].plan_size(FFT_PLAIN, hw, &shape, 1);
    if ((bytes == (size_t)-1) == good_size) fail("%lu bytes", (unsigned long)bytes);
    if (!good_size) {
      want_status(fft_query, CONVK_ERR_FFT_SIZE);
      fft_want_text(hw, fft_query, text[i]);
      bytes = 100000;
    }
    plan = (unsigned char *)need(bytes);
    memset(plan, FILL_, bytes);
    status = fft_ops[type].plan(FFT_PLAIN, hw, &shape, &none, plan, good_size ? bytes - 1 : bytes);
    want_status(status, good_size ? CONVK_ERR_WORK : CONVK_ERR_FFT_SIZE);
    fft_want_text(hw, status, text[i]);
    if (good_size) {
      status = fft_ops[type].plan(FFT_PLAIN, &shut, &shape, &none, plan, bytes);
      want_status(status, CONVK_ERR_HANDLE);
      status = fft_ops[type].plan(FFT_PLAIN, hw, &shape, &none, NULL, bytes);
      want_status(status, CONVK_ERR_NULL);
      fft_want_text(hw, status, "plan is NULL");
    }
    if (!all_fill(plan, plan + bytes)) fail("something was written");
    free(plan);
    end_case();
  }
}

static void fft_plan_errors(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const size_t size = types[type].size;
  size_t i;
  int kind, spectrum;
  convk hw;
  if (test_open(&hw, "scalar")) exit(2);
  for (kind = 0; kind < FFT_PLAIN; kind++)
    for (spectrum = 0; spectrum < 2; spectrum++) {
      const size_t parts = kind == FFT_COMPLEX || spectrum ? 2 : 1, values = 2 * 8 * 12 * 3 * parts;
      fft_planning r;
      int status;
      memset(&r, 0, sizeof r);
      r.hw = &hw;
      r.type = type;
      r.kind = kind;
      r.spectrum = spectrum;
      r.parts = parts;
      r.size = size;
      r.bytes = fft_ops[type].plan_size(kind, NULL, &fft_good_shape, 3);
      r.plan = (unsigned char *)need(r.bytes);
      r.data = (unsigned char *)need(values * size);
      r.own.count = 3;
      r.own.data = r.data;
      r.own.spectrum = spectrum;
      fft_suite(kind, type);
      for (i = 0; i < values; i++) put(type, r.data, i, random_unit(&rng));
      memset(r.plan, FILL_, r.bytes);
      if (r.bytes == (size_t)-1) fail("no size");
      fft_refuses_shapes(&r);
      fft_refuses_arguments(&r);
      fft_refuses_overlaps(&r, &rng);
      fft_refuses_numbers(&r, &rng);
      if (spectrum) fft_refuses_spectra(&r);
      describe("the same, right");
      begin_case();
      status = fft_ops[type].plan(kind, NULL, &fft_good_shape, &r.own, r.plan, r.bytes);
      if (status || all_fill(r.plan, r.plan + r.bytes)) fail("status %d", status);
      end_case();
      free(r.plan);
      free(r.data);
    }
  describe("resolve without shapes");
  CHECK(convk_fftconv2d_resolve(NULL, NULL, NULL) == CONVK_ERR_NULL);
  CHECK(convk_fftconv2d_resolve(NULL, &fft_good_shape, NULL) == CONVK_ERR_NULL);
  CHECK(convk_fftconv2d_resolve(&hw, NULL, NULL) == CONVK_ERR_NULL && !strcmp(hw.message, "shape is NULL"));
  CHECK(convk_fftconv2d_resolve(&hw, &fft_good_shape, NULL) == CONVK_ERR_NULL && !strcmp(hw.message, "resolved is NULL"));
  fft_transform_plan_errors(type, &hw);
  convk_close(&hw);
}

/* ------------------------------------------------------------------------------------------------------- errors of calls -- */

enum { FFT_ROOM = 2000 }; /* bytes around arrays */

/* A good call of three items: 5 x 6 -> 7 x 9, or 8 x 10 of a transform; two kernels.  fft_scale: of larger items. */
static size_t fft_scale = 1;
typedef struct fft_stage {
  variant *v;
  int kind, type;
  size_t size, in_bytes, out_bytes, work_bytes, plan_bytes;
  size_t index[3];
  convk_batch2d batch;
  fft_call call;
  unsigned char *plan, *in, *out, *work, *before;
} fft_stage;

static void fft_stage_new(fft_stage *s, variant *v, int kind, int type, int mode) {
  const size_t parts = kind == FFT_REAL ? 1 : 2;
  uint64_t rng = 5;
  convk_fftconv2d_shape shape;
  fft_kernels k;
  double *x = fft_draw(type, 600 * fft_scale * fft_scale, &rng);
  size_t i;
  memset(s, 0, sizeof *s);
  memset(&shape, 0, sizeof shape);
  memset(&k, 0, sizeof k);
  s->v = v;
  s->kind = kind;
  s->type = type;
  s->size = parts * types[type].size;
  shape.rows = fft_scale * (kind == FFT_PLAIN ? 8 : 5);
  shape.columns = fft_scale * (kind == FFT_PLAIN ? 10 : 6);
  shape.kernel_rows = 3;
  shape.kernel_columns = 4;
  shape.mode = mode;
  s->in_bytes = 3 * shape.rows * shape.columns * s->size;
  s->out_bytes = kind == FFT_PLAIN         ? s->in_bytes
                 : mode == CONVK_FFT_VALID ? 3 * 3 * 3 * s->size
                                           : 3 * (shape.rows + 2) * (shape.columns + 3) * s->size;
  s->plan_bytes = fft_ops[type].plan_size(kind, NULL, &shape, 2);
  s->plan = (unsigned char *)need(s->plan_bytes);
  s->in = (unsigned char *)need(s->in_bytes + 2 * FFT_ROOM) + FFT_ROOM;
  s->out = (unsigned char *)need(s->out_bytes + 2 * FFT_ROOM) + FFT_ROOM;
  s->before = (unsigned char *)need(s->in_bytes + 2 * FFT_ROOM);
  memset(s->in - FFT_ROOM, 0, s->in_bytes + 2 * FFT_ROOM);
  fft_put(type, s->in, 0, s->in_bytes / types[type].size, x);
  k.count = 2;
  k.data = s->before;
  fft_put(type, s->before, 0, 24 * parts, x + 7);
  if (fft_ops[type].plan(kind, NULL, &shape, &k, s->plan, s->plan_bytes)) fail("no plan");
  memcpy(s->before, s->in - FFT_ROOM, s->in_bytes + 2 * FFT_ROOM);
  s->work_bytes = fft_ops[type].work(kind, &v->hw, s->plan, 3);
  s->work = (unsigned char *)need(s->work_bytes + 1);
  for (i = 0; i < 3; i++) s->index[i] = i % 2;
  free(x);
}

static void fft_stage_end(fft_stage *s) {
  free(s->plan);
  free(s->in - FFT_ROOM);
  free(s->out - FFT_ROOM);
  free(s->work);
  free(s->before);
}

static fft_call *fft_stage_reset(fft_stage *s) {
  memset(&s->batch, 0, sizeof s->batch);
  memset(&s->call, 0, sizeof s->call);
  s->batch.items = 3;
  s->batch.kernel = s->index;
  s->call.hw = &s->v->hw;
  s->call.kind = s->kind;
  s->call.plan = s->plan;
  s->call.batch = &s->batch;
  s->call.in = s->in;
  s->call.out = s->out;
  s->call.work = s->work;
  s->call.work_size = s->work_bytes;
  return &s->call;
}

/* text: what the message of a refusal has. */
static void fft_stage_expect(fft_stage *s, int wanted, const char *text, const char *what) {
  const long live = heap.live;
  int status;
  describe("%s", what);
  begin_case();
  memset(s->out - FFT_ROOM, FILL_, s->out_bytes + 2 * FFT_ROOM);
  memset(s->work, FILL_, s->work_bytes + 1);
  status = fft_ops[s->type].call(&s->call);
  want_status(status, wanted);
  if (s->call.hw) fft_want_text(s->call.hw, wanted, text);
  if (wanted && !all_fill(s->out - FFT_ROOM, s->out + s->out_bytes + FFT_ROOM)) fail("the output was written");
  if (wanted && !all_fill(s->work, s->work + s->work_bytes + 1)) fail("the work memory was written");
  if (wanted && memcmp(s->before, s->in - FFT_ROOM, s->in_bytes + 2 * FFT_ROOM)) fail("the input was written");
  if (!wanted && s->call.out == s->out && s->batch.items && all_fill(s->out, s->out + s->out_bytes))
    fail("nothing was written");
  want_returned(live);
  end_case();
  fft_stage_reset(s);
}

static void fft_errors_handle(fft_stage *s) {
  fft_call *c = &s->call;
  convk shut;
  fft_stage_expect(s, CONVK_OK, NULL, "all right");
  c->hw = NULL;
  fft_stage_expect(s, CONVK_ERR_NULL, NULL, "no handle");
  memset(&shut, 0, sizeof shut);
  c->hw = &shut;
  fft_stage_expect(s, CONVK_ERR_HANDLE, NULL, "a closed handle");
  if (!s->v->device) {
    shut = s->v->hw;
    shut.version += 100;
    c->hw = &shut;
    fft_stage_expect(s, CONVK_ERR_HANDLE, NULL, "a handle of another version");
    shut = s->v->hw;
    shut.size--;
    c->hw = &shut;
    c->name = s->v->name;
    fft_stage_expect(s, CONVK_ERR_HANDLE, NULL, "a handle of another size, by name");
  }
  c->plan = NULL;
  fft_stage_expect(s, CONVK_ERR_NULL, "plan is NULL", "no plan");
  c->batch = NULL;
  fft_stage_expect(s, CONVK_ERR_NULL, "batch is NULL", "no batch");
  c->in = NULL;
  fft_stage_expect(s, CONVK_ERR_NULL, "in is NULL", "no input");
  c->out = NULL;
  fft_stage_expect(s, CONVK_ERR_NULL, "out is NULL", "no output");
  s->batch.items = 0;
  c->in = NULL;
  c->out = NULL;
  fft_stage_expect(s, CONVK_OK, NULL, "no items and no arrays");
  s->batch.items = 0;
  c->work_size = 0;
  fft_stage_expect(s, CONVK_OK, NULL, "no items and no work");
  s->batch.items = 0;
  c->plan = NULL;
  fft_stage_expect(s, CONVK_ERR_NULL, "plan is NULL", "no items and no plan");
}

static void fft_errors_plans(fft_stage *s) {
  fft_call *c = &s->call;
  unsigned char *other = (unsigned char *)need(s->plan_bytes);
  convk_fft_plan_ head;
  size_t i;
  int kind, type;
  c->plan = other;
  memset(other, FILL_, s->plan_bytes);
  fft_stage_expect(s, CONVK_ERR_PLAN, "plan is none", "a plan of 0xff");
  c->plan = other;
  memset(other, 0, s->plan_bytes);
  fft_stage_expect(s, CONVK_ERR_PLAN, "plan is none", "a plan of zeros");
  for (i = 0; i < sizeof head; i++) {        /* its checksum covers everything that a call believes */
    if (i == sizeof head.kind - 1) continue; /* the text ends there in any case */
    memcpy(other, s->plan, s->plan_bytes);
    other[i] ^= (unsigned char)(1 << i % 8);
    c->plan = other;
    fft_stage_expect(s, CONVK_ERR_PLAN, "plan ", "a plan with one bit changed");
  }
  memcpy(&head, s->plan, sizeof head);
  head.version += 100;
  head.sum = convk_fft_sum_(&head);
  memcpy(other, &head, sizeof head);
  c->plan = other;
  fft_stage_expect(s, CONVK_ERR_PLAN, "plan is of version", "a plan of another version");
  CHECK(fft_ops[s->type].work(s->kind, &s->v->hw, other, 3) == (size_t)-1 && fft_query == CONVK_ERR_PLAN);
  CHECK(fft_ops[s->type].bytes(s->kind, &s->v->hw, other) == (size_t)-1 && fft_query == CONVK_ERR_PLAN);
  for (kind = 0; kind < FFT_KINDS; kind++)
    for (type = 0; type < 2; type++) {
      fft_stage foreign;
      if ((kind == s->kind && type == s->type) || !has_type(type)) continue;
      fft_stage_new(&foreign, s->v, kind, type, CONVK_FFT_FULL);
      c->plan = foreign.plan;
      fft_stage_expect(s, CONVK_ERR_PLAN, "plan is of fft", "a plan of another operation or type");
      fft_stage_end(&foreign);
    }
  free(other);
}

static void fft_errors_sizes(fft_stage *s) {
  const size_t huge[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 4, SIZE_MAX / 8};
  const size_t columns = s->kind == FFT_PLAIN ? 10 : 6;
  const size_t out_rows = s->kind == FFT_PLAIN ? 8 : 7, out_columns = s->kind == FFT_PLAIN ? 10 : 9;
  size_t i;
  s->batch.in_pitch = columns - 1;
  fft_stage_expect(s, CONVK_ERR_PITCH, "batch->in_pitch is ", "the input's pitch");
  s->batch.out_pitch = out_columns - 1;
  fft_stage_expect(s, CONVK_ERR_PITCH, "batch->out_pitch is ", "the output's pitch");
  s->batch.out_stride = 1;
  fft_stage_expect(s, CONVK_ERR_PITCH, "batch->out_stride is 1", "output items one apart");
  s->batch.out_stride = out_rows * out_columns - 1;
  fft_stage_expect(s, CONVK_ERR_PITCH, "batch->out_stride is ", "output items share an element");
  s->batch.out_pitch = out_columns + 1;
  s->batch.out_stride = out_rows * (out_columns + 1) - 2;
  fft_stage_expect(s, CONVK_ERR_PITCH, "batch->out_stride is ", "output items share an element, padded");
  s->batch.out_pitch = 3 * out_columns - 1;
  s->batch.out_stride = out_columns;
  fft_stage_expect(s, CONVK_ERR_PITCH, "batch->out_stride is ", "output items side by side beyond a row");
  s->batch.out_pitch = 3 * out_columns;
  s->batch.out_stride = out_columns - 1;
  fft_stage_expect(s, CONVK_ERR_PITCH, "batch->out_stride is ", "output items side by side share a column");
  s->batch.items = 1;
  s->batch.out_stride = 1;
  fft_stage_expect(s, CONVK_OK, NULL, "one output item, whatever its stride");
  for (i = 0; i < COUNT_OF(huge); i++) {
    s->batch.in_pitch = huge[i];
    fft_stage_expect(s, CONVK_ERR_OVERFLOW, "batch->in_pitch is too large", "a huge pitch of the input");
    s->batch.out_pitch = huge[i];
    fft_stage_expect(s, CONVK_ERR_OVERFLOW, "batch->out_pitch is too large", "a huge pitch of the output");
    s->batch.in_stride = huge[i];
    fft_stage_expect(s, CONVK_ERR_OVERFLOW, "batch->in_stride", "a huge stride of the input");
    s->batch.out_stride = huge[i];
    fft_stage_expect(s, CONVK_ERR_OVERFLOW, "batch->out_stride", "a huge stride of the output");
    s->batch.items = huge[i];
    fft_stage_expect(s, CONVK_ERR_OVERFLOW, "batch->items", "items without end");
    s->batch.in_stride = huge[i] / s->size / 2 - columns;
    fft_stage_expect(s, i == 3 ? CONVK_OK : CONVK_ERR_OVERFLOW, "batch->in_stride",
                     "bytes without end"); /* a quarter of all at most */
    if (i == 2) break;
  }
}

static void fft_errors_kernels(fft_stage *s) {
  size_t i;
  for (i = 0; i < 3; i++) {
    s->index[i] = 2;
    fft_stage_expect(s, CONVK_ERR_INDEX, "batch->kernel: item ", "kernel 2 of 2");
    s->index[i] = SIZE_MAX;
    fft_stage_expect(s, CONVK_ERR_INDEX, "batch->kernel: item ", "the last kernel of all");
    s->index[i] = i % 2;
  }
  s->batch.kernel = NULL;
  fft_stage_expect(s, CONVK_ERR_INDEX, "batch->items_per_kernel: item 2 takes kernel 2, and plan has 2",
                   "three items, two kernels");
  s->batch.kernel = NULL;
  s->batch.items_per_kernel = 1;
  fft_stage_expect(s, CONVK_ERR_INDEX, "batch->items_per_kernel: item 2", "three items, one per kernel");
  s->batch.kernel = NULL;
  s->batch.items_per_kernel = 2;
  fft_stage_expect(s, CONVK_OK, NULL, "three items, two per kernel");
  s->index[2] = 7;
  s->batch.items = 2;
  fft_stage_expect(s, CONVK_OK, NULL, "an index longer than the batch");
  s->index[2] = 0;
}

static void fft_errors_overlap(fft_stage *s) {
  const size_t out_rows = s->kind == FFT_PLAIN ? 8 : 7, out_columns = s->kind == FFT_PLAIN ? 10 : 9;
  fft_call *c = &s->call;
  size_t i;
  for (i = 0; i < 6; i++) {
    const size_t shift[] = {1, s->size, s->in_bytes / 2, s->in_bytes - 1, s->in_bytes - s->size, s->in_bytes / 3};
    if (shift[i] < s->in_bytes && s->in_bytes - shift[i] + s->out_bytes < s->in_bytes + FFT_ROOM &&
        shift[i] + s->out_bytes < s->in_bytes + FFT_ROOM) {
      c->out = s->in + shift[i];
      fft_stage_expect(s, CONVK_ERR_OVERLAP, "in overlaps out", "the output begins within the input");
    }
    if (s->out_bytes <= FFT_ROOM) {
      c->out = s->in - s->out_bytes + shift[i];
      fft_stage_expect(s, CONVK_ERR_OVERLAP, "in overlaps out", "the output ends within the input");
    }
  }
  s->batch.in_pitch = out_columns;
  s->batch.in_stride = out_rows * out_columns + 1;
  c->out = s->in;
  fft_stage_expect(s, CONVK_ERR_OVERLAP, "in overlaps out", "in place with another stride");
  s->batch.in_pitch = out_columns + 1;
  s->batch.in_stride = (out_rows + 1) * (out_columns + 1);
  s->batch.out_stride = s->batch.in_stride;
  c->out = s->in;
  fft_stage_expect(s, CONVK_ERR_OVERLAP, "in overlaps out", "in place with another pitch");
  c->out = s->plan;
  fft_stage_expect(s, CONVK_ERR_OVERLAP, "plan overlaps out", "the output is the plan");
  if (s->kind != FFT_PLAIN) {
    c->out = s->index;
    fft_stage_expect(s, CONVK_ERR_OVERLAP, "out overlaps batch->kernel", "the output is the index");
  }
  if (s->v->device) return;
  c->work = s->in;
  fft_stage_expect(s, CONVK_ERR_OVERLAP, "overlaps work", "the work is the input");
  c->work = s->out;
  fft_stage_expect(s, CONVK_ERR_OVERLAP, "out overlaps work", "the work is the output");
  c->work = s->plan;
  fft_stage_expect(s, CONVK_ERR_OVERLAP, "overlaps work", "the work is the plan");
  if (s->kind == FFT_PLAIN) return;
  c->work = s->index;
  fft_stage_expect(s, CONVK_ERR_OVERLAP, "work overlaps batch->kernel", "the work is the index");
}

static void fft_errors_work(fft_stage *s) {
  fft_call *c = &s->call;
  int lanes, threads;
  c->work_size = 0;
  fft_stage_expect(s, CONVK_ERR_WORK, "work_size is 0, and ", "no work");
  for (lanes = 0; lanes < 3; lanes++)
    for (threads = 1; threads < 5; threads += 3) {
      hook h = hook_new(HOOK_REVERSED, threads, 1);
      convk copy = s->v->hw;
      unsigned char *work;
      size_t bytes;
      copy.tuning.fft_lanes = (size_t)lanes;
      copy.parallel.threads = threads;
      copy.parallel.run = hook_run;
      copy.parallel.ctx = &h;
      c->hw = &copy;
      bytes = fft_ops[s->type].work(s->kind, &copy, s->plan, 3);
      work = (unsigned char *)need(bytes);
      memset(work, FILL_, bytes);
      c->work = work;
      c->work_size = bytes - 1;
      fft_stage_expect(s, CONVK_ERR_WORK, "work_size is ", "a byte of work less");
      CHECK(all_fill(work, work + bytes) && !h.calls);
      free(work);
      if (threads == 1 || lanes != 1) continue; /* across items there is one task */
      c->hw = &copy;
      c->work = NULL;
      h.kind = HOOK_FAILS;
      describe("a thread hook that fails");
      begin_case();
      if (fft_ops[s->type].call(c) != CONVK_ERR_THREADS || !h.calls) fail("another status");
      end_case();
      fft_stage_reset(s);
      describe("small work, which no threads take");
      begin_case();
      h.calls = 0;
      test_fft_task = 131072;
      if (fft_ops[s->type].call(c) != CONVK_OK || h.calls) fail("a call of the hook");
      test_fft_task = 0;
      end_case();
      fft_stage_reset(s);
    }
  c->work = NULL;
  c->work_size = 0;
  heap.until_failure = 0;
  fft_stage_expect(s, CONVK_ERR_MEMORY, "memory", "no memory");
  heap.until_failure = -1;
}

static void fft_errors_direction(fft_stage *s) {
  fft_call *c = &s->call;
  c->direction = 2;
  fft_stage_expect(s, CONVK_ERR_OPTION, "direction is 2", "direction 2");
  c->direction = -1;
  fft_stage_expect(s, CONVK_ERR_OPTION, "direction is -1", "direction -1");
  c->direction = CONVK_INVERSE;
  fft_stage_expect(s, CONVK_OK, NULL, "inverse");
}

static void fft_stage_errors(fft_stage *s) {
  fft_stage_reset(s);
  fft_errors_handle(s);
  fft_errors_plans(s);
  fft_errors_sizes(s);
  if (s->kind != FFT_PLAIN) fft_errors_kernels(s);
  fft_errors_overlap(s);
  if (!s->v->device) fft_errors_work(s);
  if (s->kind == FFT_PLAIN) fft_errors_direction(s);
}

static void fft_errors(int type) {
  int kind;
  for (kind = 0; kind < FFT_KINDS; kind++) {
    size_t i = 0;
    variant *v;
    fft_suite(kind, type);
    while ((v = fft_next(&i, type, kind, 1)) != NULL) {
      fft_stage s;
      fft_stage_new(&s, v, kind, type, CONVK_FFT_FULL);
      fft_stage_errors(&s);
      fft_stage_end(&s);
      if (kind == FFT_PLAIN) continue;
      /* inputs that overlap are good, in place they are not */
      fft_stage_new(&s, v, kind, type, CONVK_FFT_VALID);
      fft_stage_reset(&s);
      s.batch.in_pitch = s.batch.out_pitch = 6;
      s.batch.in_stride = s.batch.out_stride = 18;
      fft_stage_expect(&s, CONVK_OK, NULL, "inputs that overlap");
      s.batch.in_pitch = s.batch.out_pitch = 6;
      s.batch.in_stride = s.batch.out_stride = 18;
      s.call.out = s.in;
      fft_stage_expect(&s, CONVK_ERR_OVERLAP, "in overlaps out", "inputs that overlap, in place");
      fft_stage_end(&s);
    }
  }
}

/* Arrays that touch, before and behind. */
static void fft_touching(int type) {
  int kind, side;
  for (kind = 0; kind < FFT_KINDS; kind++) {
    size_t i = 0;
    variant *v;
    fft_suite(kind, type);
    while ((v = fft_next(&i, type, kind, 1)) != NULL)
      for (side = 0; side < 2; side++) {
        fft_stage s;
        unsigned char *both;
        int status;
        fft_stage_new(&s, v, kind, type, CONVK_FFT_FULL);
        both = (unsigned char *)need(s.in_bytes + s.out_bytes);
        memset(both, FILL_, s.in_bytes + s.out_bytes);
        fft_stage_reset(&s);
        fft_stage_expect(&s, CONVK_OK, NULL, "arrays apart");
        s.call.in = memcpy(side ? both : both + s.out_bytes, s.in, s.in_bytes);
        s.call.out = side ? both + s.in_bytes : both;
        describe("arrays that touch");
        begin_case();
        status = fft_ops[type].call(&s.call);
        want_status(status, CONVK_OK);
        if (memcmp(s.call.in, s.in, s.in_bytes)) fail("the input was written");
        if (memcmp(s.call.out, s.out, s.out_bytes)) fail("other results than apart");
        end_case();
        free(both);
        fft_stage_end(&s);
      }
  }
}

/* Bytes of work; what hardware offers; what it does not, it must refuse. */
static void fft_work(int type) {
  static const size_t sizes[][2] = {{1, 1}, {8, 8}, {64, 10}, {120, 128}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s, i;
  int kind;
  for (kind = 0; kind < FFT_KINDS; kind++)
    for (s = 0; s < COUNT_OF(sizes); s++) {
      const size_t which[2] = {0, 1};
      convk_fftconv2d_shape shape;
      size_t k[2] = {3, 3}, any, number = 0;
      guard plan;
      convk shut;
      fft_problem p;
      fft_suite(kind, type);
      suite.variant = NULL;
      memset(&shape, 0, sizeof shape);
      shape.rows = sizes[s][0];
      shape.columns = sizes[s][1];
      shape.kernel_rows = shape.kernel_columns = 3;
      shape.mode = CONVK_FFT_SAME;
      fft_start(&p, kind, type, &shape, k, 0, 0, &rng);
      describe("work of %lux%lu", (unsigned long)sizes[s][0], (unsigned long)sizes[s][1]);
      begin_case();
      plan = fft_plan_new(&p, NULL, 2, which, &rng);
      any = fft_ops[type].work(kind, NULL, plan.data, 5);
      if (any == (size_t)-1 || !any || any >> 24) fail("%lu bytes without a handle", (unsigned long)any);
      if (fft_ops[type].work(kind, NULL, plan.data, 0)) fail("work for nothing");
      fft_ops[type].nowhere(kind, NULL, &shape, plan.data);
      {
        convk_fft_plan_ head;
        memcpy(&head, plan.data, sizeof head);
        if (fft_ops[type].bytes(kind, NULL, plan.data) != head.bytes || head.bytes > plan.bytes) fail("bytes of a plan");
      }
      if (fft_ops[type].bytes(kind, NULL, NULL) != (size_t)-1 || fft_query != CONVK_ERR_NULL) fail("bytes of no plan");
      if (fft_ops[type].work(kind, NULL, NULL, 5) != (size_t)-1) fail("work without a plan");
      for (i = 0; i < FFT_KINDS; i++)
        if ((int)i != kind && fft_ops[type].work((int)i, NULL, plan.data, 5) != (size_t)-1)
          fail("work with a plan of another kind");
      memset(&shut, 0, sizeof shut);
      if (fft_ops[type].work(kind, &shut, plan.data, 5) != (size_t)-1) fail("work with a closed handle");
      if (has_type(!type) && fft_ops[!type].work(kind, NULL, plan.data, 5) != (size_t)-1)
        fail("work with a plan of another type");
      end_case();
      while (number < variant_count) {
        variant *v = &variants[number++];
        unsigned char x[64], y[64];
        convk_batch2d batch;
        fft_call c;
        size_t bytes;
        int status;
        if (!v->open) continue;
        use_variant(v);
        begin_case();
        bytes = fft_ops[type].work(kind, &v->hw, plan.data, 5);
        if (v->device ? bytes != 0 : !bytes || bytes == (size_t)-1) fail("%lu bytes", (unsigned long)bytes);
        fft_ops[type].nowhere(kind, &v->hw, &shape, plan.data);
        if (fft_ops[type].work(kind, &v->hw, NULL, 5) != (size_t)-1) fail("work without a plan");
        fft_want_text(&v->hw, fft_query, "plan is NULL");
        if (fft_ops[type].bytes(!kind, &v->hw, plan.data) != (size_t)-1) fail("bytes of a plan of another kind");
        fft_want_text(&v->hw, fft_query, "plan is of fft");
        if (!v->device) {
          convk copy = v->hw;
          hook h = hook_new(HOOK_REVERSED, 3, 1);
          size_t three;
          memset(&copy.tuning, 0, sizeof copy.tuning); /* then nothing but the variant tells it from no handle */
          bytes = fft_ops[type].work(kind, &copy, plan.data, 5);
          if (bytes > any) fail("%lu bytes; without a handle %lu", (unsigned long)bytes, (unsigned long)any);
          copy.parallel.threads = 3;
          copy.parallel.run = hook_run;
          copy.parallel.ctx = &h;
          copy.tuning.fft_lanes = 1;
          three = fft_ops[type].work(kind, &copy, plan.data, 5);
          copy.parallel.threads = 1;
          bytes = fft_ops[type].work(kind, &copy, plan.data, 5);
          if (!(three > 2 * (bytes - 64) && three <= 3 * bytes))
            fail("%lu bytes, of three threads %lu", (unsigned long)bytes, (unsigned long)three);
          if (fft_ops[type].work(kind, &copy, plan.data, 50000) != bytes) fail("work grows with the batch");
        }
        if (s == 0) {
          memset(&c, 0, sizeof c);
          memset(&batch, 0, sizeof batch);
          memset(x, 0, sizeof x);
          memset(y, FILL_, sizeof y);
          batch.items = 1;
          c.hw = &v->hw;
          c.kind = kind;
          c.plan = plan.data;
          c.batch = &batch;
          c.in = x;
          c.out = y;
          status = fft_ops[type].call(&c);
          want_status(status, fft_ops[type].offers(&v->hw, kind) ? CONVK_OK : CONVK_ERR_UNSUPPORTED);
          if (!v->device && !fft_ops[type].offers(&v->hw, kind)) fail("no such operation");
          if (status && !all_fill(y, y + sizeof y)) fail("something was written");
        }
        end_case();
      }
      guard_free(&plan);
      fft_end(&p);
    }
}

/* Work for up to 70 items on a handle is enough for fewer, and each call takes what it was told. */
static void fft_bounds_of(convk *hw, int kind, int type, const void *plan, size_t kernels, size_t each) {
  static const size_t called[] = {1, 2, 3, 5, 8, 9, 16, 17, 33};
  size_t items, last = 0, bytes, i, index[33];
  for (items = 0; items <= 70; items++) {
    bytes = fft_ops[type].work(kind, hw, plan, items);
    if (bytes == (size_t)-1 || bytes < last)
      fail("%lu items: %lu bytes of work, after %lu", (unsigned long)items, (unsigned long)bytes, (unsigned long)last);
    last = bytes;
  }
  for (i = 0; i < COUNT_OF(called) && !suite.bad; i++) {
    unsigned char *in = (unsigned char *)need(called[i] * each), *out = (unsigned char *)need(called[i] * each);
    guard work;
    convk_batch2d batch;
    fft_call c;
    memset(&batch, 0, sizeof batch);
    memset(&c, 0, sizeof c);
    memset(in, 0, called[i] * each);
    for (items = 0; items < COUNT_OF(index); items++) index[items] = items % kernels;
    bytes = fft_ops[type].work(kind, hw, plan, called[i]);
    work = guard_new(bytes, AT_END, 0);
    batch.items = called[i];
    batch.kernel = index;
    c.hw = hw;
    c.kind = kind;
    c.plan = plan;
    c.batch = &batch;
    c.in = in;
    c.out = out;
    c.work = work.data;
    c.work_size = bytes - 1;
    want_status(fft_ops[type].call(&c), CONVK_ERR_WORK);
    c.work_size = bytes;
    want_status(fft_ops[type].call(&c), CONVK_OK);
    if (!guard_intact(&work)) fail("memory around the work was written");
    guard_free(&work);
    free(in);
    free(out);
  }
}

/* Sizes are bounds: for more kernels and items there are never fewer bytes, also where a table chooses by their number. */
static void fft_bounds(int type) {
  static const size_t sizes[][2] = {{1, 1}, {4, 6}, {16, 16}, {9, 20}, {40, 35}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s, number, kernels, last;
  int kind, way;
  for (kind = 0; kind < FFT_KINDS; kind++)
    for (s = 0; s < COUNT_OF(sizes); s++) {
      const size_t which[2] = {0, 1}, k[2] = {3, 3};
      convk_fftconv2d_shape shape;
      guard plan;
      variant *v;
      fft_problem p;
      if (suite.quick && s % 2 == 0 && s) continue;
      memset(&shape, 0, sizeof shape);
      shape.rows = sizes[s][0];
      shape.columns = sizes[s][1];
      shape.kernel_rows = shape.kernel_columns = 3;
      shape.mode = CONVK_FFT_SAME;
      fft_suite(kind, type);
      suite.variant = NULL;
      describe("sizes of %lux%lu", (unsigned long)sizes[s][0], (unsigned long)sizes[s][1]);
      begin_case();
      for (last = 0, kernels = 1; kernels < 20; kernels++) {
        const size_t bytes = fft_ops[type].plan_size(kind, NULL, &shape, kernels);
        if (bytes == (size_t)-1 || bytes < last + (kind != FFT_PLAIN))
          fail("%lu kernels: %lu bytes", (unsigned long)kernels, (unsigned long)bytes);
        last = bytes;
      }
      fft_start(&p, kind, type, &shape, k, 0, 0, &rng);
      plan = fft_plan_new(&p, NULL, 1 + s % 2, which, &rng);
      end_case();
      for (number = 0; (v = fft_next(&number, type, kind, 1)) != NULL;)
        for (way = 0; way < 12 && !v->device; way++) { /* threads, lanes or a table of one for few and one for many items */
          static const int threads[] = {1, 3, 8};
          convk copy = v->hw;
          convk_tuned entries[2];
          hook h = hook_new(HOOK_REVERSED, threads[way % 3], 1);
          size_t i;
          copy.parallel.threads = threads[way % 3];
          copy.parallel.run = hook_run;
          copy.parallel.ctx = &h;
          copy.tuning.fft_lanes = way < 9 ? (size_t)way / 3 : 0;
          memset(entries, 0, sizeof entries);
          for (i = 0; i < 2 && way >= 9; i++) {
            convk_tuned *e = &entries[i];
            strcpy(e->operation, kind == FFT_PLAIN ? "fft2d" : "fftconv2d");
            strcpy(e->type, fft_types[kind][type]);
            strcpy(e->hw, copy.name);
            strcpy(e->machine, copy.machine);
            e->threads = threads[way % 3];
            e->nx = sizes[s][1];
            e->ny = sizes[s][0];
            e->nz = i ? 40 : 6;
            e->length = 1;
            e->choice[CONVK_TUNE_ROWS] = (long)(1 + (i + s) % 2);
            copy.tuned = entries;
            copy.ntuned = 2;
          }
          describe("work of %lux%lu, %d threads, lanes %d%s", (unsigned long)sizes[s][0], (unsigned long)sizes[s][1],
                   threads[way % 3], (int)copy.tuning.fft_lanes, way < 9 ? "" : ", tuned");
          begin_case();
          fft_bounds_of(&copy, kind, type, plan.data, 1 + s % 2, sizes[s][0] * sizes[s][1] * p.size);
          end_case();
        }
      guard_free(&plan);
      fft_end(&p);
    }
}

/* A plan is shared: by threads with handles of their own, each of its own hardware. */
typedef struct fft_user {
  convk *hw;
  int kind, type, status;
  const void *plan, *in;
  unsigned char *out;
  size_t items;
} fft_user;

static void *fft_use(void *pointer) {
  fft_user *u = (fft_user *)pointer;
  convk_batch2d batch;
  fft_call c;
  int turn;
  memset(&c, 0, sizeof c);
  memset(&batch, 0, sizeof batch);
  batch.items = u->items;
  c.hw = u->hw;
  c.kind = u->kind;
  c.plan = u->plan;
  c.batch = &batch;
  c.in = u->in;
  c.out = u->out;
  for (turn = 0; turn < 10 && !u->status; turn++) u->status = fft_ops[u->type].call(&c);
  return NULL;
}

static void fft_concurrent(int type) {
  enum { ITEMS = 21, VALUES = 2 * 24 * 20 };
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const size_t zero = 0, bytes = VALUES * types[type].size;
  int kind;
  for (kind = 0; kind < FFT_KINDS; kind++) {
    convk_fftconv2d_shape shape;
    const size_t k[2] = {9, 5};
    fft_user users[8];
    convk copies[8];
    size_t count = 0, i, number = 0;
    fft_problem p;
    guard plan;
    unsigned char *in = (unsigned char *)need(ITEMS * bytes);
    variant *v;
    memset(&shape, 0, sizeof shape);
    shape.rows = 24;
    shape.columns = 20;
    shape.kernel_rows = 9;
    shape.kernel_columns = 5;
    shape.mode = CONVK_FFT_SAME;
    fft_start(&p, kind, type, &shape, k, 0, 0, &rng);
    for (i = 0; i < ITEMS * VALUES; i++) put(type, in, i, random_unit(&rng));
    fft_suite(kind, type);
    suite.variant = NULL;
    describe("a plan that is shared");
    begin_case();
    plan = fft_plan_new(&p, NULL, 1, &zero, &rng);
    while ((v = next_variant(&number, 1)) != NULL && count < 8) {
      if (v->device) continue;
      for (i = 0; i < 2 && count < 8; i++, count++) {
        copies[count] = v->hw;
        copies[count].tuning.fft_lanes = 1 + i;
        users[count].hw = &copies[count];
        users[count].kind = kind;
        users[count].type = type;
        users[count].status = 0;
        users[count].plan = plan.data;
        users[count].in = in;
        users[count].items = ITEMS;
        users[count].out = (unsigned char *)need(ITEMS * bytes);
      }
    }
    suite.variant = NULL;
    for (i = 0; i < count; i++) memset(users[i].out, FILL_, ITEMS * bytes);
    side_by_side(fft_use, users, count, sizeof users[0]);
    for (i = 0; i < count; i++) want_status(users[i].status, CONVK_OK);
    for (i = 0; i < count; i++) {
      const size_t used = ITEMS * p.n[0] * p.n[1] * p.size;
      unsigned char *alone = (unsigned char *)need(ITEMS * bytes);
      fft_user one = users[i];
      one.out = alone;
      fft_use(&one);
      if (memcmp(alone, users[i].out, used)) fail("other bits than alone");
      free(alone);
    }
    end_case();
    for (i = 0; i < count; i++) free(users[i].out);
    free(in);
    guard_free(&plan);
    fft_end(&p);
  }
}

/* Rounding and flushing as the caller set them stay so, and plans and results do not trip over them. */
static void fft_control(int type) {
  int kind;
  if (!float_control()) return; /* not here */
  for (kind = 0; kind < FFT_KINDS; kind++) {
    size_t i = 0;
    variant *v;
    fft_suite(kind, type);
    while ((v = fft_next(&i, type, kind, 1)) != NULL) {
      size_t n;
      if (v->device) continue;
      for (n = 0; n < COUNT_OF(control_settings); n++) {
        fft_stage s;
        control c;
        int status;
        describe("MXCSR with %#x", control_settings[n]);
        begin_case();
        fft_stage_new(&s, v, kind, type, CONVK_FFT_FULL);
        fft_stage_reset(&s);
        c = control_begin(float_control() | control_settings[n]);
        status = fft_ops[type].call(&s.call);
        control_end(c);
        want_status(status, CONVK_OK);
        end_case();
        fft_stage_end(&s);
      }
    }
  }
}

/* ----------------------------------------------------------------------------------------------------------------- tiles -- */

/* rows, columns, kernel_rows, kernel_columns, mode, correlation, origin_row, origin_column, out_rows, out_columns, fft_* */
static const convk_fftconv2d_shape fft_tiled_shapes[] = {
    {1025, 3, 1, 1, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 0, 0},       {1500, 40, 9, 7, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 0, 0},
    {1500, 40, 9, 7, CONVK_FFT_SAME, 1, 0, 0, 0, 0, 0, 0},      {1500, 40, 10, 7, CONVK_FFT_VALID, 0, 0, 0, 0, 0, 0, 0},
    {40, 1500, 5, 64, CONVK_FFT_SAME, 0, 0, 0, 0, 0, 0, 0},     {40, 1500, 5, 64, CONVK_FFT_VALID, 1, 0, 0, 0, 0, 0, 0},
    {2100, 5, 33, 2, CONVK_FFT_FULL, 1, 0, 0, 0, 0, 0, 0},      {2100, 5, 64, 7, CONVK_FFT_VALID, 0, 0, 0, 0, 0, 0, 0},
    {1, 3000, 1, 17, CONVK_FFT_SAME, 0, 0, 0, 0, 0, 0, 0},      {1, 3001, 1, 2, CONVK_FFT_FULL, 1, 0, 0, 0, 0, 0, 4},
    {1300, 2, 512, 2, CONVK_FFT_SAME, 0, 0, 0, 0, 0, 0, 0},     {600, 1, 512, 1, CONVK_FFT_FULL, 1, 0, 0, 0, 0, 0, 0},
    {1030, 11, 3, 5, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 6, 0},      {7, 1100, 3, 4, CONVK_FFT_SAME, 1, 0, 0, 0, 0, 0, 9},
    {1100, 1060, 2, 3, CONVK_FFT_VALID, 0, 0, 0, 0, 0, 0, 0},   {1041, 1055, 3, 3, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 40, 0},
    {1500, 6, 20, 4, CONVK_FFT_WINDOW, 1, 7, 2, 1509, 5, 0, 0}, {1500, 6, 20, 4, CONVK_FFT_WINDOW, 0, 1018, 0, 1, 9, 0, 0},
    {5, 1400, 3, 8, CONVK_FFT_WINDOW, 0, 0, 3, 7, 800, 0, 0},   {5, 1400, 3, 8, CONVK_FFT_WINDOW, 1, 1, 1390, 6, 17, 0, 16},
    {9000, 3, 16, 2, CONVK_FFT_SAME, 0, 0, 0, 0, 0, 0, 0}};

/* What a call with tiles must refuse: results in the field's place, too little work; and a device all of it. */
static void fft_tiles_refused(const fft_problem *p, variant *v, uint64_t *rng) {
  const size_t bytes = p->n[0] * p->n[1] * p->size, out_bytes = p->out[0] * p->out[1] * p->size, none = 0;
  const size_t most = bytes > out_bytes ? bytes : out_bytes;
  unsigned char *in = (unsigned char *)need(most), *out = (unsigned char *)need(most), *work;
  guard plan = fft_plan_new(p, &v->hw, 1, &none, rng);
  convk_batch2d batch;
  size_t work_size;
  fft_call k;
  int status;
  fft_suite(p->kind, p->type);
  fft_describe(p);
  describe_more("; refused");
  begin_case();
  memset(&k, 0, sizeof k);
  memset(&batch, 0, sizeof batch);
  memset(in, 0, most);
  memset(out, FILL_, most);
  batch.items = 1;
  work_size = fft_ops[p->type].work(p->kind, &v->hw, plan.data, 1);
  if (v->device ? work_size != 0 : !work_size || work_size == (size_t)-1) fail("%lu bytes of work", (unsigned long)work_size);
  work = (unsigned char *)need(work_size + 1);
  memset(work, FILL_, work_size);
  k.hw = &v->hw;
  k.kind = p->kind;
  k.plan = plan.data;
  k.batch = &batch;
  k.in = in;
  k.out = out;
  k.work = work;
  if (v->device) {
    status = fft_ops[p->type].call(&k);
    want_status(status, CONVK_ERR_UNSUPPORTED);
  } else {
    k.work_size = work_size - 1;
    status = fft_ops[p->type].call(&k);
    want_status(status, CONVK_ERR_WORK);
    if (!all_fill(work, work + work_size)) fail("the work memory was written");
    k.work_size = work_size;
    k.in = out;
    status = fft_ops[p->type].call(&k);
    want_status(status, CONVK_ERR_OVERLAP);
    if (p->out[0] * p->out[1] > 500 && fft_ops[p->type].work(p->kind, &v->hw, plan.data, SIZE_MAX / 2) != (size_t)-1)
      fail("work for tiles without end");
    batch.items = 0;
    status = fft_ops[p->type].call(&k);
    want_status(status, CONVK_OK);
  }
  if (!all_fill(out, out + most)) fail("the output was written");
  end_case();
  free(in);
  free(out);
  free(work);
  guard_free(&plan);
}

/* Fields of more points than a transform has: tiles of chosen and given sizes, whole and cut at the edges, in any number of tasks. */
static void fft_tiles(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s, d;
  int kind, turn;
  for (kind = 0; kind < FFT_PLAIN; kind++)
    for (s = 0; s < COUNT_OF(fft_tiled_shapes); s++) {
      const convk_fftconv2d_shape *shape = &fft_tiled_shapes[s];
      const size_t k[2] = {shape->kernel_rows, shape->kernel_columns};
      convk_fftconv2d_shape all, again;
      fft_problem p;
      int status, tiles = 0;
      if (suite.quick && s % 5 != (size_t)(kind + type)) continue;
      fft_start(&p, kind, type, shape, k, 0, 0, &rng);
      fft_describe(&p);
      begin_case();
      status = convk_fftconv2d_resolve(NULL, shape, &all);
      want_status(status, CONVK_OK);
      for (d = 0; d < 2; d++) {
        const size_t m = d ? all.fft_columns : all.fft_rows, given = d ? shape->fft_columns : shape->fft_rows;
        if (!fft_smooth(m) || m > 1024 || (given && m != given)) fail("fft %lu", (unsigned long)m);
        if (fft_enough(p.n[d], k[d], p.origin[d], p.out[d], m, 0)) continue;
        tiles++;
        if (m < 2 * k[d]) fail("tiles of %lu", (unsigned long)m);
      }
      if (!tiles) fail("no tiles");
      status = convk_fftconv2d_resolve(NULL, &all, &again);
      if (status || memcmp(&again, &all, sizeof all)) fail("not the same again");
      if (fft_ops[type].plan_size(kind, NULL, shape, 2) != fft_ops[type].plan_size(kind, NULL, &all, 2))
        fail("other sizes of plans");
      end_case();
      for (turn = 0; turn < 3; turn++) {
        fft_way w = fft_any_way(&p, 1 + random_below(&rng, p.out[0] * p.out[1] > 20000 ? 2 : 4), &rng);
        const uint64_t own = random64(&rng);
        size_t i = 0;
        variant *v;
        if (suite.quick && turn && turn != (int)(1 + s % 2)) continue;
        w.in_place = 0;
        w.lanes = (size_t)turn % 3;
        if (turn == 1 && p.out[0] * p.out[1] < 4000) w.special = 3; /* the check takes the square of that */
        while ((v = fft_next(&i, type, kind, 1)) != NULL) {
          if (!v->device) fft_run(&p, v, &w, own);
          if (turn == 0) fft_tiles_refused(&p, v, &rng);
        }
      }
      fft_end(&p);
    }
}

/* Rows of tiles whose neighbours differ in one thing alone, and of tiles that are all the same, so that lanes may hold tiles of
   items with other kernels: columns, kernel_columns, fft_columns, mode, origin, out. */
static const struct {
  size_t n, k, fft;
  int mode;
  ptrdiff_t origin;
  size_t out;
} fft_seams_of[] = {
    {1080, 25, 576, CONVK_FFT_FULL, 0, 0},
    {1104, 25, 576, CONVK_FFT_SAME, 0, 0}, /* results left out */
    {1090, 25, 576, CONVK_FFT_WINDOW, 5, 1104},
    {1976, 25, 1024, CONVK_FFT_FULL, 0, 0}, /* the same */
    {1076, 8, 64, CONVK_FFT_FULL, 0, 0},
    {1072, 8, 64, CONVK_FFT_WINDOW, 3, 1076}, /* points of the field in the last tile */
    {1128, 25, 576, CONVK_FFT_VALID, 0, 0},
    {1033, 8, 64, CONVK_FFT_VALID, 0, 0}, /* nothing */
    {1152, 1, 576, CONVK_FFT_SAME, 0, 0},
    {1200, 25, 576, CONVK_FFT_WINDOW, 30, 1104} /* nothing */
};

/* Several items, each with its own kernel, on both axes; by tiles in the lanes, on one thread and on two, and by columns. */
static void fft_seams(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s;
  int kind, axis, turn;
  for (s = 0; s < COUNT_OF(fft_seams_of); s++)
    for (kind = 0; kind < FFT_PLAIN; kind++)
      for (axis = 0; axis < 2; axis++) { /* 1: rows are cut */
        convk_fftconv2d_shape shape;
        size_t k[2];
        fft_problem p;
        if (suite.quick && (s + (size_t)(kind + axis)) % 2) continue;
        memset(&shape, 0, sizeof shape);
        shape.mode = fft_seams_of[s].mode;
        shape.correlation = (int)(s + (size_t)kind) % 2;
        *(axis ? &shape.rows : &shape.columns) = fft_seams_of[s].n;
        *(axis ? &shape.kernel_rows : &shape.kernel_columns) = fft_seams_of[s].k;
        *(axis ? &shape.fft_rows : &shape.fft_columns) = fft_seams_of[s].fft;
        *(axis ? &shape.origin_row : &shape.origin_column) = fft_seams_of[s].origin;
        *(axis ? &shape.out_rows : &shape.out_columns) = fft_seams_of[s].out;
        *(axis ? &shape.columns : &shape.rows) = 2;
        *(axis ? &shape.kernel_columns : &shape.kernel_rows) = 1;
        if (shape.mode == CONVK_FFT_WINDOW) *(axis ? &shape.out_columns : &shape.out_rows) = 2;
        k[0] = shape.kernel_rows;
        k[1] = shape.kernel_columns;
        fft_start(&p, kind, type, &shape, k, 0, 0, &rng);
        p.filters = FFT_FILTERS;
        for (turn = 0; turn < 3; turn++) {
          const uint64_t own = random64(&rng);
          fft_way w;
          size_t i = 0;
          variant *v;
          if (suite.quick && turn) continue;
          memset(&w, 0, sizeof w);
          w.items = 5;
          w.choice = FFT_EACH;
          w.lanes = turn == 2 ? 1 : 2;
          w.threads = turn == 1 ? 2 : 1;
          w.hook = turn == 1 ? HOOK_REVERSED : HOOK_NONE;
          while ((v = fft_next(&i, type, kind, 1)) != NULL)
            if (!v->device) fft_run(&p, v, &w, own);
        }
        fft_end(&p);
      }
}

/* -------------------------------------------------------------------------------------------------------- device memory -- */

/* Memory of a device, arrays in it by elements, and what says where a call runs. */
#if defined CONVK_CUDA_H_
#define FFT_DEVICE cuda
typedef void *fft_memory, *fft_there;
typedef convk_cuda_stream fft_on;
typedef convk_batch2d fft_batch_there;
#define FFT_AS(T, array) ((T *)(array))
static fft_on fft_on_new(variant *v) {
  fft_on on;
  (void)v;
  memset(&on, 0, sizeof on);
  return on;
}
static void fft_on_end(fft_on *on) { (void)on; }
static const char *fft_on_message(fft_on *on) { return on->message; }
static fft_memory fft_memory_new(fft_on *on, size_t bytes) {
  void *p = NULL;
  (void)on;
  if (cudaMalloc(&p, bytes)) exit(2);
  return p;
}
static void fft_memory_end(fft_memory m) { cudaFree(m); }
static void fft_memory_put(fft_on *on, fft_memory m, size_t at, const void *from, size_t bytes) {
  (void)on;
  if (cudaMemcpy((char *)m + at, from, bytes, cudaMemcpyHostToDevice)) exit(2);
}
static void fft_memory_get(fft_on *on, fft_memory m, size_t at, void *to, size_t bytes) {
  (void)on;
  if (cudaDeviceSynchronize() || cudaMemcpy(to, (char *)m + at, bytes, cudaMemcpyDeviceToHost)) exit(2);
}
static fft_there fft_at(fft_memory m, size_t element, size_t size) { return (char *)m + element * size; }
#elif defined CONVK_CL_H_
#define FFT_DEVICE cl
typedef cl_mem fft_memory;
typedef convk_cl_array fft_there;
typedef convk_cl_queue fft_on;
typedef convk_cl_batch2d fft_batch_there;
#define FFT_AS(T, array) (array)
static fft_on fft_on_new(variant *v) {
  fft_on on;
  memset(&on, 0, sizeof on);
  on.cl = convk_cl_of(&v->hw);
  on.queue = clCreateCommandQueue(on.cl->context, on.cl->device, 0, NULL);
  if (!on.queue) exit(2);
  return on;
}
static void fft_on_end(fft_on *on) { clReleaseCommandQueue(on->queue); }
static const char *fft_on_message(fft_on *on) { return on->cl->message; }
static fft_memory fft_memory_new(fft_on *on, size_t bytes) {
  cl_mem m = clCreateBuffer(on->cl->context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  if (!m) exit(2);
  return m;
}
static void fft_memory_end(fft_memory m) { clReleaseMemObject(m); }
static void fft_memory_put(fft_on *on, fft_memory m, size_t at, const void *from, size_t bytes) {
  if (clEnqueueWriteBuffer(on->queue, m, CL_TRUE, at, bytes, from, 0, NULL, NULL)) exit(2);
}
static void fft_memory_get(fft_on *on, fft_memory m, size_t at, void *to, size_t bytes) {
  if (clEnqueueReadBuffer(on->queue, m, CL_TRUE, at, bytes, to, 0, NULL, NULL)) exit(2);
}
static fft_there fft_at(fft_memory m, size_t element, size_t size) {
  const convk_cl_array a = {m, element};
  (void)size;
  return a;
}
#endif

#ifdef FFT_DEVICE
typedef struct fft_resident_call {
  fft_on *on;
  int kind, type, direction;
  const void *plan;
  fft_there device_plan, in, out, work;
  size_t work_size;
  const fft_batch_there *batch;
} fft_resident_call;

#define FFT_CALL_NAME(device, name, type) FFT_CALL_NAME_(device, name, type)
#define FFT_CALL_NAME_(device, name, type) convk_##device##_##name##_##type
#define FFT_RESIDENT(TYPE, CTYPE, T) \
  static int fft_resident_##TYPE(const fft_resident_call *c) { \
    if (c->kind == FFT_REAL) \
      return FFT_CALL_NAME(FFT_DEVICE, fftconv2d, TYPE)(c->on, (const convk_fftconv2d_plan_##TYPE *)c->plan, c->device_plan, \
                                                        c->batch, FFT_AS(const T, c->in), FFT_AS(T, c->out), c->work, \
                                                        c->work_size); \
    if (c->kind == FFT_COMPLEX) \
      return FFT_CALL_NAME(FFT_DEVICE, fftconv2d, CTYPE)(c->on, (const convk_fftconv2d_plan_##CTYPE *)c->plan, c->device_plan, \
                                                         c->batch, FFT_AS(const T, c->in), FFT_AS(T, c->out), c->work, \
                                                         c->work_size); \
    return FFT_CALL_NAME(FFT_DEVICE, fft2d, CTYPE)(c->on, (const convk_fft2d_plan_##CTYPE *)c->plan, c->device_plan, \
                                                   c->direction, c->batch, FFT_AS(const T, c->in), FFT_AS(T, c->out), c->work, \
                                                   c->work_size); \
  } \
  static int fft_resident_work_##TYPE(fft_on *on, int kind, const void *plan, size_t items, size_t *bytes) { \
    if (kind == FFT_REAL) \
      return FFT_CALL_NAME(FFT_DEVICE, fftconv2d_work_size, TYPE)(on, (const convk_fftconv2d_plan_##TYPE *)plan, items, \
                                                                  bytes); \
    if (kind == FFT_COMPLEX) \
      return FFT_CALL_NAME(FFT_DEVICE, fftconv2d_work_size, CTYPE)(on, (const convk_fftconv2d_plan_##CTYPE *)plan, items, \
                                                                   bytes); \
    return FFT_CALL_NAME(FFT_DEVICE, fft2d_work_size, CTYPE)(on, (const convk_fft2d_plan_##CTYPE *)plan, items, bytes); \
  }
FFT_RESIDENT(f32, c32, float)
FFT_RESIDENT(f64, c64, double)
static int fft_resident(const fft_resident_call *c) { return (c->type ? fft_resident_f64 : fft_resident_f32)(c); }
static int fft_resident_work(fft_on *on, int kind, int type, const void *plan, size_t items, size_t *bytes) {
  return (type ? fft_resident_work_f64 : fft_resident_work_f32)(on, kind, plan, items, bytes);
}

enum { FFT_BEFORE = 3, FFT_PLAN_AT = 32 }; /* elements before arrays; bytes before the plan */

/* A stage's arrays on the device, each in memory of its own with elements before and behind it. */
typedef struct fft_device_stage {
  fft_stage *s;
  fft_on on;
  size_t plan_bytes, need;
  fft_memory plan, in, out, index, work;
  fft_batch_there batch;
  fft_resident_call call;
} fft_device_stage;

static fft_resident_call *fft_device_reset(fft_device_stage *d) {
  fft_stage *s = d->s;
  fft_resident_call *c = &d->call;
  memset(&d->batch, 0, sizeof d->batch);
  memset(c, 0, sizeof *c);
  d->batch.items = 3;
  d->batch.kernel = FFT_AS(const size_t, fft_at(d->index, FFT_BEFORE, 8));
  c->on = &d->on;
  c->kind = s->kind;
  c->type = s->type;
  c->plan = s->plan;
  c->batch = &d->batch;
  c->device_plan = fft_at(d->plan, FFT_PLAN_AT, 1);
  c->in = fft_at(d->in, FFT_BEFORE, s->size);
  c->out = fft_at(d->out, FFT_BEFORE, s->size);
  if (d->need) {
    c->work = fft_at(d->work, FFT_BEFORE, 1);
    c->work_size = d->need;
  }
  return c;
}

/* On the device, from elements before `out` on; all else there must stay as it is. */
static void fft_device_same(fft_device_stage *d, const unsigned char *want) {
  fft_stage *s = d->s;
  const size_t before = FFT_BEFORE * s->size, bytes = s->out_bytes + 2 * before;
  unsigned char *got = (unsigned char *)need(bytes), *fill = (unsigned char *)need(bytes);
  int status;
  memset(fill, FILL_, bytes);
  fft_memory_put(&d->on, d->out, 0, fill, bytes);
  fft_memory_put(&d->on, d->work, 0, fill, FFT_BEFORE);
  fft_memory_put(&d->on, d->work, FFT_BEFORE + d->need, fill, FFT_BEFORE);
  status = fft_resident(&d->call);
  want_status(status, CONVK_OK);
  if (fft_on_message(&d->on)[0]) fail("the message after success is '%s'", fft_on_message(&d->on));
  fft_memory_get(&d->on, d->out, 0, got, bytes);
  if (memcmp(got + before, want, s->out_bytes)) fail("other bits than on host arrays");
  if (!all_fill(got, got + before) || !all_fill(got + before + s->out_bytes, got + bytes)) fail("something else was written");
  fft_memory_get(&d->on, d->work, 0, got, FFT_BEFORE);
  fft_memory_get(&d->on, d->work, FFT_BEFORE + d->need, got + FFT_BEFORE, FFT_BEFORE);
  if (!all_fill(got, got + 2 * FFT_BEFORE)) fail("memory around the work was written");
  free(got);
  free(fill);
}

static void fft_device_refused(fft_device_stage *d, int wanted, const char *text, const char *what) {
  fft_stage *s = d->s;
  const size_t bytes = s->out_bytes + 2 * FFT_BEFORE * s->size;
  unsigned char *got = (unsigned char *)need(bytes);
  int status;
  describe("device memory: %s", what);
  begin_case();
  memset(got, FILL_, bytes);
  fft_memory_put(&d->on, d->out, 0, got, bytes);
  status = fft_resident(&d->call);
  want_status(status, wanted);
  if (!strstr(fft_on_message(&d->on), text)) fail("the message is '%s', without '%s'", fft_on_message(&d->on), text);
  fft_memory_get(&d->on, d->out, 0, got, bytes);
  if (!all_fill(got, got + bytes)) fail("the output was written");
  end_case();
  free(got);
  fft_device_reset(d);
}

static void fft_device_errors(fft_device_stage *d) {
  fft_stage *s = d->s;
  fft_resident_call *c = &d->call;
  const size_t columns = fft_scale * (s->kind == FFT_PLAIN ? 10 : 6);
  convk_fft_plan_ head;
  fft_there none;
  size_t bytes = FFT_UNTOUCHED;
  memset(&none, 0, sizeof none);
  c->plan = NULL;
  fft_device_refused(d, CONVK_ERR_NULL, "plan is NULL", "no plan");
  memcpy(&head, s->plan, sizeof head);
  head.rows++;
  c->plan = &head;
  fft_device_refused(d, CONVK_ERR_PLAN, "plan was changed", "a plan that was changed");
  c->device_plan = none;
  fft_device_refused(d, CONVK_ERR_NULL, "device_plan is NULL", "no plan there");
  c->device_plan = fft_at(d->plan, FFT_PLAN_AT + 8, 1);
  fft_device_refused(d, CONVK_ERR_PLAN, "device_plan is at no multiple of 16 bytes", "a plan in the wrong place");
  c->batch = NULL;
  fft_device_refused(d, CONVK_ERR_NULL, "batch is NULL", "no batch");
  c->in = none;
  fft_device_refused(d, CONVK_ERR_NULL, "in is NULL", "no input");
  c->out = none;
  fft_device_refused(d, CONVK_ERR_NULL, "out is NULL", "no output");
  d->batch.in_pitch = columns - 1;
  fft_device_refused(d, CONVK_ERR_PITCH, "batch->in_pitch is ", "the input's pitch");
  d->batch.out_stride = 1;
  fft_device_refused(d, CONVK_ERR_PITCH, "batch->out_stride is 1", "items that overlap");
  d->batch.in_stride = SIZE_MAX / 2;
  fft_device_refused(d, CONVK_ERR_OVERFLOW, "batch->in_stride", "a huge stride");
  c->in = fft_at(d->out, FFT_BEFORE + 1, s->size);
  fft_device_refused(d, CONVK_ERR_OVERLAP, "in overlaps out", "the output within the input");
  c->work = fft_at(d->out, FFT_BEFORE * s->size, 1);
  c->work_size = s->size;
  fft_device_refused(d, CONVK_ERR_OVERLAP, "overlaps work", "the work is the output");
  if (d->need) {
    c->work = none;
    fft_device_refused(d, CONVK_ERR_NULL, "work is NULL", "no work");
    c->work_size = d->need - 1;
    fft_device_refused(d, CONVK_ERR_WORK, "work_size is ", "a byte of work less");
  }
  if (s->kind == FFT_PLAIN) {
    c->direction = 2;
    fft_device_refused(d, CONVK_ERR_OPTION, "direction is 2", "direction 2");
  }
#ifdef CONVK_CL_H_
  c->in = fft_at(d->in, FFT_BEFORE + 4, s->size);
  fft_device_refused(d, CONVK_ERR_SIZE, "in.mem is too small", "a buffer that is too small");
  d->on.queue = NULL;
  describe("device memory: no queue");
  CHECK(fft_resident(c) == CONVK_ERR_NULL && strstr(fft_on_message(&d->on), "queue is NULL"));
#endif
  describe("device memory: sizes of work");
  begin_case();
  if (fft_resident_work(&d->on, s->kind, s->type, NULL, 3, &bytes) != CONVK_ERR_NULL || bytes != FFT_UNTOUCHED ||
      !strstr(fft_on_message(&d->on), "plan is NULL"))
    fail("no plan: '%s'", fft_on_message(&d->on));
  if (fft_resident_work(&d->on, s->kind, s->type, &head, 3, &bytes) != CONVK_ERR_PLAN || bytes != FFT_UNTOUCHED)
    fail("a plan that was changed");
  if (fft_resident_work(&d->on, s->kind, s->type, s->plan, 3, NULL) != CONVK_ERR_NULL ||
      !strstr(fft_on_message(&d->on), "bytes is NULL"))
    fail("nowhere: '%s'", fft_on_message(&d->on));
  end_case();
}

/* little: so small a local memory, where it can be set, that items do not fit. */
static void fft_resident_of(variant *v, int kind, int type, int little) {
  const size_t size = sizeof(uint64_t);
  fft_device_stage d;
  fft_stage s;
  uint64_t index[3 + 2 * FFT_BEFORE];
  unsigned char *want;
  size_t i, items, last = 0, bytes = 0, local = 0;
  int status;
  fft_stage_new(&s, v, kind, type, CONVK_FFT_FULL);
  memset(&d, 0, sizeof d);
  d.s = &s;
  d.on = fft_on_new(v);
  fft_stage_reset(&s);
  describe("device memory%s", little ? ", little of it local" : "");
  begin_case();
  want_status(fft_ops[type].call(&s.call), CONVK_OK);
  want = (unsigned char *)need(s.out_bytes);
  memcpy(want, s.out, s.out_bytes);
#ifdef CONVK_CL_H_
  local = d.on.cl->local_bytes;
  if (little) d.on.cl->local_bytes = 512;
#endif
  d.plan_bytes = fft_ops[type].bytes(kind, NULL, s.plan);
  status = fft_resident_work(&d.on, kind, type, s.plan, 3, &d.need);
  want_status(status, CONVK_OK);
  if (!d.need != !little) fail("%lu bytes of work", (unsigned long)d.need);
  for (items = 0; items < 300; items += items < 9 ? 1 : 40) {
    status = fft_resident_work(&d.on, kind, type, s.plan, items, &bytes);
    if (status || bytes < last) fail("%lu items: status %d, %lu bytes", (unsigned long)items, status, (unsigned long)bytes);
    last = bytes;
  }
  d.plan = fft_memory_new(&d.on, d.plan_bytes + 2 * FFT_PLAN_AT);
  d.in = fft_memory_new(&d.on, s.in_bytes + 2 * FFT_BEFORE * s.size);
  d.out = fft_memory_new(&d.on, s.out_bytes + 2 * FFT_BEFORE * s.size);
  d.index = fft_memory_new(&d.on, sizeof index);
  d.work = fft_memory_new(&d.on, d.need + 2 * FFT_BEFORE);
  for (i = 0; i < COUNT_OF(index); i++)
    index[i] = i < FFT_BEFORE || i >= FFT_BEFORE + 3 ? (uint64_t)-1 : s.index[i - FFT_BEFORE];
  fft_memory_put(&d.on, d.plan, FFT_PLAN_AT, s.plan, d.plan_bytes);
  fft_memory_put(&d.on, d.in, FFT_BEFORE * s.size, s.in, s.in_bytes);
  fft_memory_put(&d.on, d.index, 0, index, COUNT_OF(index) * size);
  fft_device_reset(&d);
  fft_device_same(&d, want);
  fft_device_same(&d, want); /* a launch that was made before */
  end_case();
  fft_device_errors(&d);
  (void)local;
#ifdef CONVK_CL_H_
  d.on.cl->local_bytes = local;
#endif
  fft_memory_end(d.plan);
  fft_memory_end(d.in);
  fft_memory_end(d.out);
  fft_memory_end(d.index);
  fft_memory_end(d.work);
  free(want);
  fft_on_end(&d.on);
  fft_stage_end(&s);
}
#endif

/* Calls on device memory, of every kind: the bits of those on host arrays, and what they refuse. */
static void fft_residents(int type) {
#ifdef FFT_DEVICE
  int kind;
  for (kind = 0; kind < FFT_KINDS; kind++) {
    size_t i = 0;
    variant *v;
    fft_suite(kind, type);
    while ((v = fft_next(&i, type, kind, 1)) != NULL) {
      if (!v->device) continue;
      fft_resident_of(v, kind, type, 0);
      if (suite.level == LEVEL_BRIEF && kind == FFT_COMPLEX && !strcmp(v->name, "opencl"))
        continue; /* it takes long to build */
#ifdef CONVK_CUDA_H_
      if ((v->order && suite.level != LEVEL_BRIEF) || !type) continue; /* 227 KB are local there */
      fft_scale = 24;
#endif
      fft_resident_of(v, kind, type, 1);
      fft_scale = 1;
    }
  }
#endif
  (void)type;
}

static const test fft_tests[] = {
    {"fft", "sizes", fft_sizes, 1},
    {"fft", "small", fft_small, 1},
    {"fft", "large", fft_large, TYPED_LONG},
    {"fft", "windows", fft_windows, 1},
    {"fft", "batches", fft_batches, TYPED_LONG},
    {"fft", "isolation", fft_isolation, 1},
    {"fft", "threads", fft_threads, 1},
    {"fft", "tiles", fft_tiles, TYPED_LONG},
    {"fft", "transforms", fft_transforms, 1},
    {"fft", "convolutions", fft_convolutions, 1},
    {"fft", "sliding", fft_sliding, 1},
    {"fft", "shapes", fft_shapes, 1},
    {"fft", "plan_errors", fft_plan_errors, 1},
    {"fft", "errors", fft_errors, 1},
    {"fft", "touching", fft_touching, 1},
    {"fft", "work", fft_work, 1},
    {"fft", "bounds", fft_bounds, TYPED_LONG},
    {"fft", "resident", fft_residents, 1},
    {"fft", "concurrent", fft_concurrent, 1},
    {"fft", "control", fft_control, 1},
    {"fft", "seams", fft_seams, 1},
    {"fft", "halves", fft_halves, 1},
};
TEST_LIST(fft)
