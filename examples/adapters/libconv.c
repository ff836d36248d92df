/* libconv's one-dimensional convolutions: see libconv.h.
     cc -O2 -c libconv.c -fopenmp -DCONVK_OPENMP       (with convk.h and the modules of processors beside it, or -I)
   The array is taken as it lies: left x n x right, with the filter along y of a 3D grid, or along x where nothing is left of it. */
#ifndef LIBCONV_T
#include "adapter.h"
#include "libconv.h"

/* What a call is of, but for its type. */
typedef struct libconv_call {
  const char *routine;
  int lo, up, axis; /* of the filter, and the grid's axis along which it goes */
  double taps[2 * ADAPTER_REACH + 1];
  convk_sepconv3d_shape shape;
} libconv_call;

/* The filter of an operation, times a factor; 0: there is none. */
static int libconv_filter(int32_t op, double factor, libconv_call *call) {
  if (op == SYM8_MF || op == SYM8_IMF) {
    const convk_filter_f64 magic = convk_magicfilter_taps_f64(op == SYM8_MF ? CONVK_FORWARD : CONVK_INVERSE);
    int i;
    call->lo = magic.lo;
    call->up = magic.up;
    for (i = 0; i <= magic.up - magic.lo; i++) call->taps[i] = factor * magic.taps[i];
    return 1;
  }
  if (op != SYM8_D1 && op != SYM8_D2) return 0;
  call->lo = -ADAPTER_REACH;
  call->up = ADAPTER_REACH;
  adapter_taps(op == SYM8_D1 ? adapter_d1 : adapter_d2, op == SYM8_D1, factor, call->taps);
  return 1;
}

static int32_t libconv_size(const libconv_call *call, int32_t n, int32_t bc) {
  const int32_t more = call->up - call->lo;
  return bc == LIBCONV_GROW ? n + more : bc == LIBCONV_SHRINK ? n - more : n;
}

static int libconv_dims(int32_t op, int32_t d, int32_t idim, const int32_t *n, int32_t bc, int32_t *dims) {
  libconv_call call;
  if (!libconv_filter(op, 1, &call)) return CONVK_ERR_OPTION;
  if (idim < 0 || idim >= d) return CONVK_ERR_SIZE;
  dims[idim] = libconv_size(&call, n[idim], bc);
  return CONVK_OK;
}

/* Two for each tap and point; no more than the type holds. */
static int libconv_cost(int32_t op, int32_t d, const int32_t *n, int32_t narr, int32_t *cost) {
  libconv_call call;
  double count;
  int32_t i;
  if (!libconv_filter(op, 1, &call)) return CONVK_ERR_OPTION;
  count = 2.0 * (call.up - call.lo + 1) * narr;
  for (i = 0; i < d; i++) count *= n[i];
  *cost = count < INT32_MAX ? (int32_t)count : INT32_MAX;
  return CONVK_OK;
}

/* The grids of a call. */
static int libconv_grids(libconv_call *call, int32_t d, int32_t idim, const int32_t *n, int32_t bc, const int32_t *nx,
                         const int32_t *ny, int32_t narr) {
  const int of_bc = bc == LIBCONV_PERIODIC ? CONVK_BOUNDARY_PERIODIC
                    : bc == LIBCONV_GROW   ? CONVK_BOUNDARY_GROW
                    : bc == LIBCONV_SHRINK ? CONVK_BOUNDARY_SHRINK
                                           : CONVK_BOUNDARY_ZERO;
  double points = narr; /* of x and y together at most, in case that sizes overflow */
  size_t left = 1, right = (size_t)narr;
  int32_t i, m;
  if (bc != LIBCONV_PERIODIC && bc != LIBCONV_GROW && bc != LIBCONV_SHRINK && bc != LIBCONV_FREE) return CONVK_ERR_BOUNDARY;
  if (narr < 1 || idim < 0 || idim >= d || n[idim] < 1) return CONVK_ERR_SIZE;
  m = libconv_size(call, n[idim], bc);
  if (m < 1) return CONVK_ERR_SHRINK;
  if (nx[idim] < n[idim] || ny[idim] < m) return CONVK_ERR_PITCH;
  for (i = 0; i < d; i++) {
    points *= (double)nx[i] + (double)ny[i];
    if (i == idim) continue;
    if (nx[i] < 1 || nx[i] != ny[i] || n[i] > nx[i]) return CONVK_ERR_SIZE;
    if (i < idim) left *= (size_t)nx[i];
    if (i > idim) right *= (size_t)nx[i];
  }
  if (points > (double)((size_t)-1 / sizeof(double))) return CONVK_ERR_OVERFLOW;
  call->axis = left > 1;
  call->shape.boundary[0] = call->shape.boundary[1] = call->shape.boundary[2] = CONVK_BOUNDARY_PERIODIC;
  call->shape.boundary[call->axis] = of_bc;
  memset(&call->shape.in, 0, sizeof call->shape.in);
  if (call->axis) {
    call->shape.in.nx = left;
    call->shape.in.ny = (size_t)n[idim];
    call->shape.in.nz = right;
    call->shape.out = call->shape.in;
    call->shape.out.ny = (size_t)m;
    call->shape.in.pitch_z = left * (size_t)nx[idim];
    call->shape.out.pitch_z = left * (size_t)ny[idim];
  } else {
    call->shape.in.nx = (size_t)n[idim];
    call->shape.in.ny = right;
    call->shape.in.nz = 1;
    call->shape.out = call->shape.in;
    call->shape.out.nx = (size_t)m;
    call->shape.in.pitch_y = (size_t)nx[idim];
    call->shape.out.pitch_y = (size_t)ny[idim];
  }
  return CONVK_OK;
}

/* Two filters of wavelets.  libconv's begin one sample before those of BigDFT. */
typedef struct libconv_wavelet {
  int lo, ntaps;
  const double *low, *high;
} libconv_wavelet;

/* Those of an operation, with as many points more beyond free ends as it has taps but two; 0: there is none. */
static int libconv_wavelet_of(int32_t op, int synthesis, libconv_wavelet *w) {
  convk_wavelet_f64 of;
  if (op != (synthesis ? SYM8_IDWT : SYM8_DWT) && op != (synthesis ? SYM8_S1TOR : SYM8_RTOS1)) return 0;
  of = convk_wavelet_taps_f64(op == SYM8_IDWT || op == SYM8_DWT ? CONVK_WAVELET_DAUBECHIES16 : CONVK_WAVELET_VALUES);
  w->lo = of.lo - 1;
  w->ntaps = of.up - of.lo + 1;
  w->low = of.low;
  w->high = of.high;
  return 1;
}

/* Points of the dimension in y, where x has n; -1: none. */
static int32_t libconv_wavelet_size(const libconv_wavelet *w, int synthesis, int32_t n, int32_t bc) {
  const int32_t more = w->ntaps - 2;
  const int32_t m = bc == LIBCONV_GROW ? n + more : bc == LIBCONV_SHRINK ? n - more : n;
  if (bc == (synthesis ? LIBCONV_SHRINK : LIBCONV_GROW)) return -1;
  return n < 1 || m < 2 || (synthesis ? n : m) % 2 ? -1 : m;
}

static int libconv_wavelet_dims(int32_t op, int synthesis, int32_t d, int32_t idim, const int32_t *n, int32_t bc,
                                int32_t *dims) {
  libconv_wavelet w;
  int32_t m;
  if (!libconv_wavelet_of(op, synthesis, &w)) return CONVK_ERR_OPTION;
  if (idim < 0 || idim >= d) return CONVK_ERR_SIZE;
  m = libconv_wavelet_size(&w, synthesis, n[idim], bc);
  if (m < 0) return CONVK_ERR_SIZE;
  dims[idim] = m;
  return CONVK_OK;
}

/* Two for each tap and coefficient. */
static int libconv_wavelet_cost(int32_t op, int synthesis, int32_t d, int32_t idim, const int32_t *n, int32_t bc, int32_t narr,
                                int32_t *cost) {
  libconv_wavelet w;
  double count;
  int32_t i, m;
  if (!libconv_wavelet_of(op, synthesis, &w)) return CONVK_ERR_OPTION;
  m = idim < 0 || idim >= d ? -1 : libconv_wavelet_size(&w, synthesis, n[idim], bc);
  if (m < 0) return CONVK_ERR_SIZE;
  count = 2.0 * w.ntaps * (synthesis ? n[idim] : m) * narr;
  for (i = 0; i < d; i++)
    if (i != idim) count *= n[i];
  *cost = count < INT32_MAX ? (int32_t)count : INT32_MAX;
  return CONVK_OK;
}

enum { LIBCONV_WIDE = 8 };

#define LIBCONV_CAT_(a, b, c) a##b##c
#define LIBCONV_PASTE_(a, b, c) LIBCONV_CAT_(a, b, c)
#define LIBCONV_(name) LIBCONV_PASTE_(LIBCONV_P, _, name)       /* d_name */
#define LIBCONV_CONVK_(name) LIBCONV_PASTE_(name, _, LIBCONV_K) /* name_f64 */

#define LIBCONV_T double
#define LIBCONV_P d
#define LIBCONV_K f64
#include "libconv.c"
#undef LIBCONV_T
#undef LIBCONV_P
#undef LIBCONV_K
#define LIBCONV_T float
#define LIBCONV_P s
#define LIBCONV_K f32
#include "libconv.c"

#else /* once for each type */

static int LIBCONV_(libconv_sepconv)(const libconv_call *call, const convk_sepconv3d_shape *shape,
                                     const LIBCONV_CONVK_(convk_sepconv_epilogue) * epilogue, const LIBCONV_T *x,
                                     LIBCONV_T *y) {
  static const LIBCONV_T one = 1;
  LIBCONV_CONVK_(convk_filter) filter[3] = {{0, 0, NULL}, {0, 0, NULL}, {0, 0, NULL}};
  LIBCONV_T taps[2 * ADAPTER_REACH + 1];
  int i, status = CONVK_OK;
  convk *hw = adapter_handle(&status);
  if (status) return status;
  for (i = 0; i <= call->up - call->lo; i++) taps[i] = (LIBCONV_T)call->taps[i];
  for (i = 0; i < 3; i++) filter[i].taps = &one;
  filter[call->axis].lo = call->lo;
  filter[call->axis].up = call->up;
  filter[call->axis].taps = taps;
  return LIBCONV_CONVK_(convk_sepconv3d)(hw, shape, filter, epilogue, x, y, NULL, 0);
}

/* dot may be NULL. */
static void LIBCONV_(libconv)(const char *routine, int32_t op, LIBCONV_VALUES_(LIBCONV_T), LIBCONV_T *dot) {
  libconv_call call;
  LIBCONV_CONVK_(convk_sepconv_epilogue) epilogue, dot_alone;
  double sum = 0;
  int status = libconv_filter(op, a, &call) ? CONVK_OK : CONVK_ERR_OPTION;
  if (!status) status = libconv_grids(&call, d, idim, n, bc, nx, ny, narr);
  if (!status && dot && bc == LIBCONV_SHRINK) status = CONVK_ERR_BOUNDARY;
  memset(&epilogue, 0, sizeof epilogue);
  dot_alone = epilogue;
  epilogue.update = a_y < 0 || a_y > 0 || a_y != a_y;
  epilogue.a = 1;
  epilogue.b = a_y;
  if (dot && bc != LIBCONV_GROW && !(a_x < 0 || a_x > 0)) {
    epilogue.dot = &sum;
  } else if (dot && !status) { /* before a_x joins the filter, and without points that x does not have */
    convk_sepconv3d_shape same = call.shape;
    same.out = same.in;
    if (bc == LIBCONV_GROW) same.boundary[call.axis] = CONVK_BOUNDARY_ZERO;
    dot_alone.dot = &sum;
    status = LIBCONV_(libconv_sepconv)(&call, &same, &dot_alone, x, NULL);
  }
  call.taps[-call.lo] += a_x;
  if (!status) status = LIBCONV_(libconv_sepconv)(&call, &call.shape, &epilogue, x, y);
  adapter_check(routine, status);
  if (!status && dot) *dot = (LIBCONV_T)sum;
}

/* Rows of `left` numbers, `size` of them along the dimension, of which LIBCONV_WIDE go at once where left is 1: then a row is a
   number of each.  in and out: such rows, `step` apart; of out fine points or coefficients become sums. */
static void LIBCONV_(wavelet_rows)(const libconv_wavelet *w, int synthesis, int32_t half, int32_t fine, int32_t bc, LIBCONV_T a,
                                   size_t left, const LIBCONV_T *in, LIBCONV_T *out) {
  const int32_t first = fine == 2 * half ? 0 : w->lo; /* which point is the first one */
  int32_t i, m;
  size_t q;
  int l;
  for (i = 0; i < half; i++)
    for (l = 0; l < w->ntaps; l++) {
      const LIBCONV_T low = a * (LIBCONV_T)w->low[l], high = a * (LIBCONV_T)w->high[l];
      m = 2 * i + w->lo + l - first;
      if (bc == LIBCONV_PERIODIC) m = (m % fine + fine) % fine;
      if (m < 0 || m >= fine) continue;
      if (synthesis) {
        const LIBCONV_T *const s = in + (size_t)i * left, *const d = s + (size_t)half * left;
        LIBCONV_T *const y = out + (size_t)m * left;
        for (q = 0; q < left; q++) y[q] += low * s[q] + high * d[q];
      } else {
        const LIBCONV_T *const x = in + (size_t)m * left;
        LIBCONV_T *const s = out + (size_t)i * left, *const d = s + (size_t)half * left;
        for (q = 0; q < left; q++) {
          s[q] += low * x[q];
          d[q] += high * x[q];
        }
      }
    }
}

static void LIBCONV_(wavelets)(const char *routine, int32_t op, int synthesis, int32_t d, int32_t idim, const int32_t *n,
                               int32_t bc, const int32_t *nx, const int32_t *ny, int32_t narr, const LIBCONV_T *x, LIBCONV_T *y,
                               LIBCONV_T a, LIBCONV_T a_y) {
  libconv_wavelet w;
  size_t left = 1, right = (size_t)narr, j, q, p;
  int32_t i, m = -1, half, fine;
  LIBCONV_T *memory = NULL;
  int status = libconv_wavelet_of(op, synthesis, &w) ? CONVK_OK : CONVK_ERR_OPTION;
  if (!status && (narr < 1 || idim < 0 || idim >= d)) status = CONVK_ERR_SIZE;
  if (!status && bc != LIBCONV_PERIODIC && bc != LIBCONV_FREE && bc != (synthesis ? LIBCONV_GROW : LIBCONV_SHRINK))
    status = CONVK_ERR_BOUNDARY;
  if (!status) m = libconv_wavelet_size(&w, synthesis, n[idim], bc);
  if (!status && m < 0) status = CONVK_ERR_ODD;
  if (!status && (nx[idim] < n[idim] || ny[idim] < m)) status = CONVK_ERR_PITCH;
  for (i = 0; i < d && !status; i++) {
    if (i == idim) continue;
    if (nx[i] < 1 || nx[i] != ny[i] || n[i] > nx[i]) status = CONVK_ERR_SIZE;
    if (i < idim) left *= (size_t)nx[i];
    if (i > idim) right *= (size_t)nx[i];
  }
  half = status ? 0 : (synthesis ? n[idim] : m) / 2;
  fine = synthesis ? m : status ? 0 : n[idim];
  if (!status) {
    const size_t rows = left > 1 ? 1 : LIBCONV_WIDE, wide = left * rows, of = (size_t)n[idim], to = (size_t)m;
    memory = (LIBCONV_T *)malloc((of + to) * wide * sizeof *memory);
    if (!memory) status = CONVK_ERR_MEMORY;
    for (j = 0; j < right && !status; j += rows) {
      const size_t count = right - j < rows ? right - j : rows;
      const LIBCONV_T *const from = x + j * left * (size_t)nx[idim];
      LIBCONV_T *const in = memory, *const out = memory + of * wide, *const at = y + j * left * (size_t)ny[idim];
      memset(memory, 0, (of + to) * wide * sizeof *memory);
      for (p = 0; p < of && rows > 1; p++)
        for (q = 0; q < count; q++) in[p * wide + q] = from[q * (size_t)nx[idim] + p];
      LIBCONV_(wavelet_rows)(&w, synthesis, half, fine, bc, a, wide, rows > 1 ? in : from, out);
      for (q = 0; q < count; q++)
        for (p = 0; p < to * left; p++) {
          LIBCONV_T *const value = at + q * (size_t)ny[idim] * left + p;
          const LIBCONV_T sum = rows > 1 ? out[p * wide + q] : out[p];
          *value = a_y < 0 || a_y > 0 || a_y != a_y ? a_y * *value + sum : sum;
        }
    }
    free(memory);
  }
  adapter_check(routine, status);
}

#define LIBCONV_WAVELET_BROKER_ *d, *idim, n, *bc, nx, ny, *narr, x, y, *a, *a_y
#define LIBCONV_FAMILY_(family, synthesis, of_wavelets) \
  void LIBCONV_(family##_1d_)(LIBCONV_WAVELETS_(LIBCONV_T)) { \
    LIBCONV_(wavelets)(#family "_1d", *op, synthesis, LIBCONV_WAVELET_BROKER_); \
  } \
  void LIBCONV_(family##_1d_dims_)(LIBCONV_SIZES_, const LIBCONV_T *a, const LIBCONV_T *a_y, int32_t *dims) { \
    (void)a, (void)a_y; \
    adapter_check(#family "_1d_dims", libconv_wavelet_dims(*op, synthesis, *d, *idim, n, *bc, dims)); \
  } \
  void LIBCONV_(family##_1d_cost_)(LIBCONV_SIZES_, LIBCONV_LEADING_, const LIBCONV_T *a, const LIBCONV_T *a_y, \
                                   int32_t *cost) { \
    (void)nx, (void)ny, (void)a, (void)a_y; \
    adapter_check(#family "_1d_cost", libconv_wavelet_cost(*op, synthesis, *d, *idim, n, *bc, *narr, cost)); \
  } \
  void LIBCONV_(family##_1d_sym8)(LIBCONV_WAVELET_VALUES_(LIBCONV_T)) { \
    LIBCONV_(wavelets)(#family "_1d_sym8", of_wavelets, synthesis, d, idim, n, bc, nx, ny, narr, x, y, a, a_y); \
  }
LIBCONV_FAMILY_(s0s1, 0, SYM8_DWT)
LIBCONV_FAMILY_(s1s0, 1, SYM8_IDWT)
#undef LIBCONV_FAMILY_

#define LIBCONV_BROKER_ *d, *idim, n, *bc, nx, ny, *narr, x, y, *a, *a_x, *a_y
#define LIBCONV_KERNEL_ d, idim, n, bc, nx, ny, narr, x, y, a, a_x, a_y

void LIBCONV_(s0s0_1d_)(LIBCONV_ARRAYS_(LIBCONV_T)) { LIBCONV_(libconv)("s0s0_1d", *op, LIBCONV_BROKER_, NULL); }
void LIBCONV_(s0s0_dot_1d_)(LIBCONV_ARRAYS_(LIBCONV_T), LIBCONV_T *dot_in) {
  LIBCONV_(libconv)("s0s0_dot_1d", *op, LIBCONV_BROKER_, dot_in);
}
void LIBCONV_(s0s0_1d_dims_)(LIBCONV_SIZES_, LIBCONV_FACTORS_(LIBCONV_T), int32_t *dims) {
  (void)a, (void)a_x, (void)a_y;
  adapter_check("s0s0_1d_dims", libconv_dims(*op, *d, *idim, n, *bc, dims));
}
void LIBCONV_(s0s0_dot_1d_dims_)(LIBCONV_SIZES_, LIBCONV_FACTORS_(LIBCONV_T), LIBCONV_T *dot_in, int32_t *dims) {
  (void)dot_in;
  LIBCONV_(s0s0_1d_dims_)(op, d, idim, n, bc, a, a_x, a_y, dims);
}
void LIBCONV_(s0s0_1d_cost_)(LIBCONV_SIZES_, LIBCONV_LEADING_, LIBCONV_FACTORS_(LIBCONV_T), int32_t *cost) {
  (void)idim, (void)bc, (void)nx, (void)ny, (void)a, (void)a_x, (void)a_y;
  adapter_check("s0s0_1d_cost", libconv_cost(*op, *d, n, *narr, cost));
}
void LIBCONV_(s0s0_dot_1d_cost_)(LIBCONV_SIZES_, LIBCONV_LEADING_, LIBCONV_FACTORS_(LIBCONV_T), LIBCONV_T *dot_in,
                                 int32_t *cost) {
  (void)dot_in;
  LIBCONV_(s0s0_1d_cost_)(op, d, idim, n, bc, nx, ny, narr, a, a_x, a_y, cost);
}
void LIBCONV_(s0s0_1d_sym8_md)(LIBCONV_VALUES_(LIBCONV_T)) { LIBCONV_(libconv)("sym8_md", SYM8_MF, LIBCONV_KERNEL_, NULL); }
void LIBCONV_(s0s0_1d_sym8_imd)(LIBCONV_VALUES_(LIBCONV_T)) { LIBCONV_(libconv)("sym8_imd", SYM8_IMF, LIBCONV_KERNEL_, NULL); }
void LIBCONV_(s0s0_1d_sym8_d1_dotin)(LIBCONV_VALUES_(LIBCONV_T), LIBCONV_T *dot_in) {
  LIBCONV_(libconv)("sym8_d1_dotin", SYM8_D1, LIBCONV_KERNEL_, dot_in);
}
void LIBCONV_(s0s0_1d_sym8_d2_dotin)(LIBCONV_VALUES_(LIBCONV_T), LIBCONV_T *dot_in) {
  LIBCONV_(libconv)("sym8_d2_dotin", SYM8_D2, LIBCONV_KERNEL_, dot_in);
}
#endif
