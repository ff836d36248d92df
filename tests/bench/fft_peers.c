/* What a careful programmer writes with a library of transforms, FFTW or (with WITH_MKL) MKL: pad, forward, multiply, inverse,
   extract.  REAL is the type, SUFFIX ends the names. */
#include <string.h>

#include "fft_peer.h"

#define CAT4_(a, b, c, d) a##b##c##d
#define CAT4(a, b, c, d) CAT4_(a, b, c, d)

/* `count` transforms of m (rank 1) or m x m points, real to complex and back where `real`; steps in elements of each side. */
typedef struct layout {
  int rank, real, back;
  size_t m, count;
  size_t pitch[2], next[2]; /* in, out: from point to point of rank 1, or row to row of rank 2; to the next transform */
  void *from, *to;
} layout;

#ifdef WITH_MKL
#include <mkl_dfti.h>
#define PUBLIC(name) CAT4(mkl_fft_, name, _, SUFFIX)

static void *plan_of(const layout *l, int patient) {
  const enum DFTI_CONFIG_VALUE type = sizeof(REAL) == 4 ? DFTI_SINGLE : DFTI_DOUBLE,
                               domain = l->real ? DFTI_REAL : DFTI_COMPLEX;
  const MKL_LONG n = (MKL_LONG)l->m;
  MKL_LONG size[2] = {n, n}, strides[2][3];
  DFTI_DESCRIPTOR_HANDLE h = NULL;
  (void)patient;
  for (int side = 0; side < 2; side++) {
    strides[side][0] = 0;
    strides[side][1] = (MKL_LONG)l->pitch[side];
    strides[side][2] = 1;
  }
  if (l->rank == 1 ? (DftiCreateDescriptor)(&h, type, domain, 1, n) : (DftiCreateDescriptor)(&h, type, domain, 2, size))
    return NULL;
  if (DftiSetValue(h, DFTI_NUMBER_OF_TRANSFORMS, (MKL_LONG)l->count) || DftiSetValue(h, DFTI_THREAD_LIMIT, (MKL_LONG)1) ||
      DftiSetValue(h, DFTI_FWD_STRIDES, strides[l->back]) || DftiSetValue(h, DFTI_BWD_STRIDES, strides[!l->back]) ||
      DftiSetValue(h, DFTI_FWD_DISTANCE, (MKL_LONG)l->next[l->back]) ||
      DftiSetValue(h, DFTI_BWD_DISTANCE, (MKL_LONG)l->next[!l->back]) ||
      DftiSetValue(h, DFTI_PLACEMENT, l->from == l->to ? DFTI_INPLACE : DFTI_NOT_INPLACE) ||
      (l->real && DftiSetValue(h, DFTI_CONJUGATE_EVEN_STORAGE, DFTI_COMPLEX_COMPLEX)) || DftiCommitDescriptor(h)) {
    DftiFreeDescriptor(&h);
    return NULL;
  }
  return h;
}

static void execute(void *plan, const layout *l) {
  DFTI_DESCRIPTOR_HANDLE h = (DFTI_DESCRIPTOR_HANDLE)plan;
  if (l->back) DftiComputeBackward(h, l->from, l->to);
  else DftiComputeForward(h, l->from, l->to);
}

static void destroy(void *plan) {
  DFTI_DESCRIPTOR_HANDLE h = (DFTI_DESCRIPTOR_HANDLE)plan;
  if (h) DftiFreeDescriptor(&h);
}

static void set_threads(int threads) { (void)threads; }
int PUBLIC(threaded)(void) { return 0; }
#else
#include <fftw3.h>
#define PUBLIC(name) CAT4(fftw_fft_, name, _, SUFFIX)
#define FFTW_f32(name) CAT4(fftwf, _, name, )
#define FFTW_f64(name) CAT4(fftw, _, name, )
#define FFTW CAT4(FFTW_, SUFFIX, , )

static void *plan_of(const layout *l, int patient) {
  const unsigned flags = patient ? FFTW_PATIENT : FFTW_MEASURE;
  const int size[2] = {(int)l->m, (int)l->m}, count = (int)l->count, pair = l->rank == 2;
  const int in[2] = {(int)l->m, (int)l->pitch[0]}, out[2] = {(int)l->m, (int)l->pitch[1]};
  const int in_step = pair ? 1 : in[1], out_step = pair ? 1 : out[1], in_next = (int)l->next[0], out_next = (int)l->next[1];
  FFTW(complex) *from = (FFTW(complex) *)l->from, *to = (FFTW(complex) *)l->to;
  if (!l->real)
    return FFTW(plan_many_dft)(l->rank, size, count, from, in, in_step, in_next, to, out, out_step, out_next,
                               l->back ? FFTW_BACKWARD : FFTW_FORWARD, flags);
  if (l->back)
    return FFTW(plan_many_dft_c2r)(l->rank, size, count, from, in, in_step, in_next, (REAL *)to, out, out_step, out_next,
                                   flags);
  return FFTW(plan_many_dft_r2c)(l->rank, size, count, (REAL *)from, in, in_step, in_next, to, out, out_step, out_next, flags);
}

static void execute(void *plan, const layout *l) {
  FFTW(complex) *from = (FFTW(complex) *)l->from, *to = (FFTW(complex) *)l->to;
  if (!l->real) FFTW(execute_dft)((FFTW(plan))plan, from, to);
  else if (l->back) FFTW(execute_dft_c2r)((FFTW(plan))plan, from, (REAL *)to);
  else FFTW(execute_dft_r2c)((FFTW(plan))plan, (REAL *)from, to);
}

static void destroy(void *plan) {
  if (plan) FFTW(destroy_plan)((FFTW(plan))plan);
}

#ifdef WITH_FFTW_THREADS
/* Of the plans that follow. */
static void set_threads(int threads) { FFTW(plan_with_nthreads)(threads > 1 ? threads : 1); }
int PUBLIC(threaded)(void) { return FFTW(init_threads)() != 0; }
#else
static void set_threads(int threads) { (void)threads; }
int PUBLIC(threaded)(void) { return 0; }
#endif
#endif

/* The steps' transforms in their order; returns how many there are. */
static int layouts(const fft_peer *p, layout l[4]) {
  const size_t m = p->m, pitch = fft_peer_pitch(p), each = m * pitch;
  REAL *tile = (REAL *)p->tiles;
  memset(l, 0, 4 * sizeof *l);
  for (int i = 0; i < 4; i++) {
    layout *a = &l[i];
    a->rank = p->way == FFT_PRUNED ? 1 : 2;
    a->m = m;
    a->count = p->chunk;
    a->back = p->way == FFT_PRUNED ? i > 1 : i;
    a->from = a->to = tile;
    if (p->way == FFT_PRUNED && (i == 1 || i == 2)) { /* columns */
      a->count = a->pitch[0] = a->pitch[1] = pitch / 2;
      a->next[0] = a->next[1] = 1;
      continue;
    }
    a->real = p->real;
    for (int side = 0; side < 2; side++) {
      const size_t element = p->real && side == a->back ? 1 : 2; /* reals of an element */
      a->pitch[side] = p->way == FFT_PRUNED ? 1 : pitch / element;
      a->next[side] = (p->way == FFT_PRUNED ? pitch : each) / element;
    }
    if (p->way == FFT_PRUNED) a->count = p->n;
    if (p->way == FFT_APART) {
      a->from = tile + (size_t)(i % 2) * each;
      a->to = tile + (size_t)(i % 2 + 1) * each;
    }
  }
  if (!p->transform) return p->way == FFT_PRUNED ? 4 : 2;
  l->from = (void *)(size_t)p->in;
  l->to = p->out;
  return 1;
}

int PUBLIC(open)(fft_peer *p) {
  layout l[4];
  const int count = layouts(p, l);
  memset(p->plan, 0, sizeof p->plan);
  if (p->threads > 1) set_threads(p->threads);
  for (int i = 0; i < count; i++)
    if (!(p->plan[i] = plan_of(&l[i], p->patient))) {
      PUBLIC(close)(p);
      return 0;
    }
  if (p->threads > 1) set_threads(1);
  if (!p->transform) memset(p->tiles, 0, p->chunk * p->m * fft_peer_pitch(p) * sizeof(REAL));
  return 1;
}

void PUBLIC(close)(fft_peer *p) {
  for (int i = 0; i < 4; i++) {
    destroy(p->plan[i]);
    p->plan[i] = NULL;
  }
}

static void pad(const fft_peer *p, const REAL *field, REAL *tile) {
  const size_t row = (p->real ? 1 : 2) * p->n, pitch = fft_peer_pitch(p), zeros = p->way == FFT_APART ? 0 : pitch - row;
  for (size_t y = 0; y < p->n; y++, tile += pitch, field += row) {
    memcpy(tile, field, row * sizeof *tile);
    memset(tile + row, 0, zeros * sizeof *tile);
  }
  if (p->way != FFT_APART) memset(tile, 0, (p->m - p->n) * pitch * sizeof *tile);
}

static void multiply(size_t n, REAL *restrict a, const REAL *restrict b) {
  for (size_t i = 0; i < 2 * n; i += 2) {
    const REAL re = a[i] * b[i] - a[i + 1] * b[i + 1], im = a[i] * b[i + 1] + a[i + 1] * b[i];
    a[i] = re;
    a[i + 1] = im;
  }
}

static void extract(const fft_peer *p, const REAL *tile, REAL *result) {
  const size_t row = (p->real ? 1 : 2) * p->n, pitch = fft_peer_pitch(p);
  for (size_t y = 0; y < p->n; y++, tile += pitch, result += row) memcpy(result, tile, row * sizeof *tile);
}

void PUBLIC(run)(const fft_peer *p) {
  const size_t each = p->m * fft_peer_pitch(p), item = (p->real ? 1 : 2) * p->n * p->n;
  REAL *tile = (REAL *)p->tiles, *middle = p->way == FFT_APART ? tile + each : tile, *last = middle + (middle - tile);
  const REAL *in = (const REAL *)p->in, *spectra = (const REAL *)p->spectra;
  REAL *out = (REAL *)p->out;
  layout l[4];
  const int half = layouts(p, l) / 2;
  for (size_t i = 0; i < p->items; i += p->chunk) {
    if (p->transform) {
      l->from = (void *)(size_t)(in + i * item);
      l->to = out + i * item;
      execute(p->plan[0], l);
      continue;
    }
    for (size_t k = 0; k < p->chunk; k++) pad(p, in + (i + k) * item, tile + k * each);
    for (int s = 0; s < half; s++) execute(p->plan[s], &l[s]);
    for (size_t k = 0; k < p->chunk; k++) multiply(each / 2, middle + k * each, spectra + (i + k) / p->per_kernel * each);
    for (int s = half; s < 2 * half; s++) execute(p->plan[s], &l[s]);
    for (size_t k = 0; k < p->chunk; k++) extract(p, last + k * each, out + (i + k) * item);
  }
}
