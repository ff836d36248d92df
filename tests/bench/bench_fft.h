/* Batches of 2D convolutions by FFT, and of 2D transforms, in items per second.  A field has m / 2 - 1 points along each axis,
   its FFT m, the result is as large as the field and begins with it; 24 items in turn share a kernel.  Padding and extraction
   belong to all sides.  Peers: FFTW, planned PATIENT (--quick: MEASURE), and MKL, each in the fastest of the ways of fft_peer.h.
   The ceiling counts 10 m^2 log2 m^2 + 6 m^2 flops per convolution, half of that for real data, and 5 m^2 log2 m^2 for a
   transform, whether they are done or left out.  Several threads are compared with one, and with FFTW on as many: with threads of
   its own, planned MEASURE, and with a part of the items on each thread, without; vectors along columns and across items
   with the default; one item with one item of the libraries; items that decay as exp(-r), to numbers below the smallest normal one
   and to 0, with ordinary ones, with the handle's flush_subnormals and without.  Errors: relative L2 against direct sums in long double, of some items. */
#include "fft_peer.h"

enum { FFT_COMPLEX, FFT_REAL, FFT_TRANSFORM, FFT_SAMPLES = 3, FFT_SHARE = 24, FFT_MOST = 24 };
enum { FFT_ALL, FFT_BEST, FFT_TINY, FFT_THREADS, FFT_SWITCH, FFT_DECAYING }; /* which contestants; FFT_TINY: of one item */
static const char *const fft_ways[FFT_WAYS] = {"image", "pruned", "out of place", "batch of", "batch of"};

typedef struct {
  int (*open)(fft_peer *);
  void (*run)(const fft_peer *), (*close)(fft_peer *);
} fft_library;
#define FFT_LIBRARY(library, type) \
  { library##_fft_open_##type, library##_fft_run_##type, library##_fft_close_##type }
static const char *const fft_libraries[] = {"fftw", "mkl"};
static const fft_library fft_peers[][2] = {{FFT_LIBRARY(fftw, f64), FFT_LIBRARY(fftw, f32)},
                                           {FFT_LIBRARY(mkl, f64), FFT_LIBRARY(mkl, f32)}};

typedef struct {
  int f32, kind;
  size_t m, n, kernels, repeat; /* repeat: calls that are timed together */
  convk_batch2d batch;
  char *memory;
  size_t bytes, plan_size, work_size;
  void *in, *out, *spectra, *scaled, *plan, *work; /* scaled: for peers */
  void *tiles, *apart[2];                          /* of the peers, and of the way with zeros that stay */
  long double *want;                               /* FFT_SAMPLES results of n x n complex numbers */
} fft_case;

typedef struct {
  fft_peer peer;
  const fft_library *library;
  const fft_case *of;
} fft_rival;

/* ---- the reference: sums with exact roots, one axis after the other ---- */

/* to[k] = sum over j < from_n of from[j] exp(sign 2 pi i j k / m), k < to_n; steps in complex numbers. */
static void fft_axis(size_t m, int sign, const long double *from, size_t from_n, size_t from_step, long double *to, size_t to_n,
                     size_t to_step, const long double *root) {
  for (size_t k = 0; k < to_n; k++) {
    long double re = 0, im = 0;
    for (size_t j = 0, at = 0; j < from_n; j++, at = at + k < m ? at + k : at + k - m) {
      const long double c = root[2 * at], s = sign * root[2 * at + 1];
      const long double a = from[2 * j * from_step], b = from[2 * j * from_step + 1];
      re += a * c - b * s;
      im += a * s + b * c;
    }
    to[2 * k * to_step] = re;
    to[2 * k * to_step + 1] = im;
  }
}

static void fft_reference(const fft_case *c, size_t item, long double *want) {
  const size_t m = c->m, n = c->n, parts = c->kind == FFT_REAL ? 1 : 2;
  long double *root = (long double *)calloc(2 * m, sizeof *root), *a = (long double *)calloc(2 * m * m, sizeof *a);
  long double *b = (long double *)calloc(2 * m * m, sizeof *b);
  for (size_t k = 0; k < m; k++) {
    root[2 * k] = cosl(6.283185307179586476925286766559L * (long double)k / (long double)m);
    root[2 * k + 1] = sinl(6.283185307179586476925286766559L * (long double)k / (long double)m);
  }
  for (size_t i = 0; i < n * n; i++)
    for (size_t part = 0; part < parts; part++) b[2 * i + part] = real_at(c->in, c->f32, parts * (item * n * n + i) + part);
  for (size_t y = 0; y < n; y++) fft_axis(m, -1, b + 2 * y * n, n, 1, a + 2 * y * m, m, 1, root);
  for (size_t x = 0; x < m; x++) fft_axis(m, -1, a + 2 * x, n, m, b + 2 * x, m, m, root);
  if (c->kind == FFT_TRANSFORM) memcpy(want, b, 2 * m * m * sizeof *b);
  else {
    for (size_t i = 0; i < m * m; i++) {
      const size_t at = 2 * (item / FFT_SHARE * m * m + i);
      const long double re = real_at(c->spectra, c->f32, at), im = real_at(c->spectra, c->f32, at + 1), t = b[2 * i];
      b[2 * i] = (t * re - b[2 * i + 1] * im) / (long double)(m * m);
      b[2 * i + 1] = (t * im + b[2 * i + 1] * re) / (long double)(m * m);
    }
    for (size_t x = 0; x < m; x++) fft_axis(m, 1, b + 2 * x, m, m, a + 2 * x, n, m, root);
    for (size_t y = 0; y < n; y++) fft_axis(m, 1, a + 2 * y * m, m, 1, want + 2 * y * n, n, 1, root);
  }
  free(root);
  free(a);
  free(b);
}

static size_t fft_sample(const fft_case *c, size_t k) { return k * (c->batch.items - 1) / (FFT_SAMPLES - 1); }

static double fft_error(racer *p, const fft_case *c) {
  const size_t each = c->n * c->n, parts = c->kind == FFT_REAL ? 1 : 2;
  long double error = 0, square = 0;
  memset(c->out, 0xff, c->batch.items * parts * each * (c->f32 ? 4 : 8)); /* NaN */
  p->call(p);
  for (size_t k = 0; k < FFT_SAMPLES; k++)
    for (size_t i = 0; i < each; i++)
      for (size_t part = 0; part < parts; part++) {
        const long double want = c->want[2 * (k * each + i) + part];
        const long double d = real_at(c->out, c->f32, parts * (fft_sample(c, k) * each + i) + part) - want;
        error += d * d;
        square += want * want;
      }
  return (double)sqrtl(error / square);
}

/* ---- the case ---- */

/* The first round only counts, where there is no memory yet. */
static void *fft_array(fft_case *c, size_t bytes) {
  void *p = c->memory ? c->memory + c->bytes : NULL;
  c->bytes += (bytes + 4095) / 4096 * 4096 + 192; /* apart in the page */
  return p;
}

#define FFT_CALLS(type, complex, T) \
  static convk_fftconv2d_shape fft_shape_##type(const fft_case *c) { \
    convk_fftconv2d_shape shape; \
    memset(&shape, 0, sizeof shape); \
    shape.mode = CONVK_FFT_CIRCULAR; \
    shape.rows = shape.columns = shape.out_rows = shape.out_columns = c->n; \
    shape.fft_rows = shape.fft_columns = c->m; \
    return shape; \
  } \
  static size_t fft_plan_size_##type(const fft_case *c) { \
    const convk_fftconv2d_shape shape = fft_shape_##type(c); \
    size_t bytes = 0; \
    const int status = c->kind == FFT_TRANSFORM ? convk_fft2d_plan_size_##complex(NULL, c->m, c->m, &bytes) \
                       : c->kind == FFT_REAL    ? convk_fftconv2d_plan_size_##type(NULL, &shape, c->kernels, &bytes) \
                                                : convk_fftconv2d_plan_size_##complex(NULL, &shape, c->kernels, &bytes); \
    return status ? 0 : bytes; \
  } \
  static int fft_plan_##type(const fft_case *c) { \
    const convk_fftconv2d_shape shape = fft_shape_##type(c); \
    const T *spectra = (const T *)c->spectra; \
    return c->kind == FFT_TRANSFORM ? convk_fft2d_prepare_##complex(NULL, c->m, c->m, c->plan, c->plan_size) \
           : c->kind == FFT_REAL \
               ? convk_fftconv2d_prepare_spectrum_##type(NULL, &shape, c->kernels, spectra, 0, 0, c->plan, c->plan_size) \
               : convk_fftconv2d_prepare_spectrum_##complex(NULL, &shape, c->kernels, spectra, 0, 0, c->plan, c->plan_size); \
  } \
  static size_t fft_work_size_##type(racer *p, const fft_case *c) { \
    size_t bytes = 0; \
    const int status = c->kind == FFT_TRANSFORM ? convk_fft2d_work_size_##complex(&p->hw, c->plan, c->batch.items, &bytes) \
                       : c->kind == FFT_REAL    ? convk_fftconv2d_work_size_##type(&p->hw, c->plan, c->batch.items, &bytes) \
                                                : convk_fftconv2d_work_size_##complex(&p->hw, c->plan, c->batch.items, &bytes); \
    return status ? 0 : bytes; \
  } \
  static int fft_call_##type(racer *p, const fft_case *c) { \
    const T *in = (const T *)c->in; \
    T *out = (T *)c->out; \
    return c->kind == FFT_TRANSFORM \
               ? convk_fft2d_##complex(&p->hw, c->plan, CONVK_FORWARD, &c->batch, in, out, c->work, c->work_size) \
           : c->kind == FFT_REAL ? convk_fftconv2d_##type(&p->hw, c->plan, &c->batch, in, out, c->work, c->work_size) \
                                 : convk_fftconv2d_##complex(&p->hw, c->plan, &c->batch, in, out, c->work, c->work_size); \
  }
FFT_CALLS(f32, c32, float)
FFT_CALLS(f64, c64, double)

static void fft_call(racer *p) {
  const fft_case *c = (const fft_case *)p->of;
  for (size_t i = 0; i < c->repeat; i++) racer_failed("fft", p, c->f32 ? fft_call_f32(p, c) : fft_call_f64(p, c));
}

static void fft_rival_call(racer *p) {
  const fft_rival *r = (const fft_rival *)p->of;
  for (size_t i = 0; i < r->of->repeat; i++) r->library->run(&r->peer);
}

static double fft_peak(racer *p) {
  const fft_case *c = (const fft_case *)p->of;
  const double points = (double)c->m * (double)c->m, transform = 5 * points * log2(points);
  const double flops = c->kind == FFT_TRANSFORM ? transform : (2 * transform + 6 * points) / (c->kind == FFT_REAL ? 2 : 1);
  return peak_of(p->name, c->f32, p->threads) / flops;
}

/* At 16 and 32 points the layers of Al Umairy et al., "On the use of small 2D convolutions on GPUs", beyond as many as make some
   milliseconds of work; more for threads, so that a call is long for them, too. */
static size_t fft_kernels(size_t m, int threads) {
  return (m <= 16 ? 32 : m <= 32 ? 64 : m <= 60 ? 24 : m <= 64 ? 16 : m <= 96 ? 8 : 4) * (!threads ? 1u : m <= 16 ? 16u : 4u);
}

/* The arrays, the spectra and the plan; fields are filled in later. */
static void fft_arrays(fft_case *c, int f32, int kind, size_t m, size_t kernels, size_t items) {
  const size_t element = f32 ? 4 : 8, m2 = m * m, half = kind == FFT_REAL ? m / 2 + 1 : m;
  memset(c, 0, sizeof *c);
  c->f32 = f32;
  c->kind = kind;
  c->m = m;
  c->n = kind == FFT_TRANSFORM ? m : m / 2 - 1;
  c->kernels = kernels;
  c->batch.items = items;
  c->repeat = items == 1 ? 64 : 1;
  c->batch.items_per_kernel = FFT_SHARE;
  c->plan_size = f32 ? fft_plan_size_f32(c) : fft_plan_size_f64(c);
  for (int round = 0; round < 2; round++) {
    const size_t data = (kind == FFT_REAL ? 1 : 2) * c->batch.items * c->n * c->n * element;
    if (round) c->memory = (char *)large_array(c->bytes);
    c->bytes = 0;
    c->in = fft_array(c, data);
    c->out = fft_array(c, data);
    c->plan = fft_array(c, c->plan_size);
    if (kind == FFT_TRANSFORM) continue;
    c->spectra = fft_array(c, 2 * c->kernels * m2 * element);
    c->scaled = fft_array(c, 2 * c->kernels * m * half * element);
    c->tiles = fft_array(c, ((size_t)2 << 20) + 2 * m2 * element);
    for (int which = 0; which < 2; which++) c->apart[which] = fft_array(c, 8 * m2 * element);
  }
  for (size_t k = 0; k < c->kernels && kind != FFT_TRANSFORM; k++)
    for (size_t i = 0; i < m2; i++) { /* of a real kernel: conjugated at the opposite frequency */
      const size_t y = i / m, x = i % m, opposite = kind == FFT_REAL ? (m - y) % m * m + (m - x) % m : i;
      const size_t at = k * m2 + (opposite < i ? opposite : i);
      const double re = 2 * spread(2 * at) - 1, im = (kind == FFT_REAL && opposite == i) ? 0 : 2 * spread(2 * at + 1) - 1;
      const double part[2] = {re, opposite < i ? -im : im};
      for (size_t d = 0; d < 2; d++) {
        put_real(c->spectra, f32, 2 * (k * m2 + i) + d, part[d]);
        if (x < half)
          put_real(c->scaled, f32, 2 * ((k * m + y) * half + x) + d,
                   (double)(real_at(c->spectra, f32, 2 * (k * m2 + i) + d) / (long double)m2));
      }
    }
  racer_failed("fft plan", &(racer){.name = "any"}, f32 ? fft_plan_f32(c) : fft_plan_f64(c));
}

/* ---- groups ---- */

/* How many tiles are one chunk: of 32 KiB, or of half of L2 and at most 1 MiB. */
static size_t fft_chunk(const fft_case *c, int way, size_t l2) {
  const size_t tile = 2 * c->m * c->m * (c->f32 ? 4 : 8), half = l2 / 2 < (1 << 20) ? l2 / 2 : 1 << 20;
  const size_t room = way == FFT_CHUNK_L1 ? 32768 : half;
  size_t chunk = way < FFT_CHUNK_L1 || room < tile ? 1 : room / tile;
  if (chunk > c->batch.items) chunk = c->batch.items;
  while (c->batch.items % chunk) chunk--;
  return chunk;
}

/* The ways of one library; those that plan. */
static int fft_rivals(fft_rival *r, racer *p, const fft_case *c, int which, int who, size_t l2) {
  const int ways = which || who == FFT_ALL || c->kind == FFT_TRANSFORM ? FFT_WAYS : FFT_APART; /* FFTW takes long to plan */
  int count = 0;
  for (int way = 0; way < ways; way++) {
    fft_rival *now = &r[count];
    const size_t chunk = fft_chunk(c, way, l2);
    memset(now, 0, sizeof *now);
    now->library = &fft_peers[which][c->f32];
    now->of = c;
    now->peer = (fft_peer){.real = c->kind == FFT_REAL,
                           .transform = c->kind == FFT_TRANSFORM,
                           .way = way,
                           .patient = !opt.quick,
                           .m = c->m,
                           .n = c->n,
                           .items = c->batch.items,
                           .per_kernel = FFT_SHARE,
                           .chunk = chunk,
                           .in = c->in,
                           .spectra = c->scaled,
                           .out = c->out,
                           .tiles = way == FFT_APART ? c->apart[which] : c->tiles};
    if (!now->library->open || (c->kind == FFT_TRANSFORM && (way == FFT_APART || way == FFT_PRUNED)) ||
        (way >= FFT_CHUNK_L1 && chunk == 1) || (way == FFT_CHUNK_L2 && chunk == fft_chunk(c, FFT_CHUNK_L1, l2)) ||
        !now->library->open(&now->peer))
      continue;
    memset(&p[count], 0, sizeof *p);
    if (way < FFT_CHUNK_L1) snprintf(p[count].name, sizeof p->name, "%s %s", fft_libraries[which], fft_ways[way]);
    else snprintf(p[count].name, sizeof p->name, "%s %s %zu", fft_libraries[which], fft_ways[way], chunk);
    p[count].call = fft_rival_call;
    p[count].of = now;
    p[count++].threads = 1;
  }
  return count;
}

/* FFTW on several threads.  Its own: on the whole batch, and on a chunk of tiles that is half of all L2, where padding, multiplying
   and extracting stay on one thread.  Or each thread has some of the kernels' items, and the best of the ways without threads. */
enum { FFT_OWN_ALL, FFT_OWN_CHUNK, FFT_EACH_IMAGE, FFT_EACH_CHUNK, FFT_THREADED };
static const char *const fft_threaded[] = {"fftw, own threads", "fftw, items on threads"};

typedef struct {
  int parts; /* 1 of its own threads */
  fft_peer part[64];
  const fft_library *library;
  void *tiles;
  size_t bytes;
} fft_crowd;

static void fft_crowd_task(void *arg, size_t i) {
  const fft_crowd *crowd = (const fft_crowd *)arg;
  crowd->library->run(&crowd->part[i]);
}

static void fft_crowd_call(racer *p) {
  fft_crowd *crowd = (fft_crowd *)(uintptr_t)p->of;
  on_threads(crowd->parts, fft_crowd_task, crowd);
}

static int fft_crowd_open(fft_crowd *crowd, racer *p, const fft_case *c, int kind, size_t l2) {
  const int each = kind >= FFT_EACH_IMAGE, parts = each ? opt.threads : 1;
  const size_t element = c->f32 ? 4 : 8, tile = 2 * c->m * c->m * element, reals = c->kind == FFT_REAL ? 1 : 2;
  const size_t half = c->kind == FFT_REAL ? c->m / 2 + 1 : c->m;
  memset(crowd, 0, sizeof *crowd);
  crowd->library = &fft_peers[0][c->f32];
  if (!crowd->library->open || c->kernels < (size_t)parts) return 0;
  if (!each && (c->f32 ? !fftw_fft_threaded_f32() : !fftw_fft_threaded_f64())) return 0;
  size_t chunk = kind == FFT_OWN_ALL      ? c->batch.items
                 : kind == FFT_OWN_CHUNK  ? (size_t)opt.threads * (l2 / 2) / tile
                 : kind == FFT_EACH_IMAGE ? 1
                                          : l2 / 2 / tile;
  chunk = chunk < 1 ? 1 : chunk > c->batch.items ? c->batch.items : chunk;
  while ((each ? FFT_SHARE : c->batch.items) % chunk) chunk--; /* a part may have one kernel */
  crowd->bytes = (chunk * tile + 4096) * (size_t)parts;
  crowd->tiles = large_array(crowd->bytes);
  for (int i = 0; i < parts; i++, crowd->parts++) {
    const size_t begin = c->kernels * (size_t)i / (size_t)parts, end = c->kernels * (size_t)(i + 1) / (size_t)parts;
    const size_t field = FFT_SHARE * begin * reals * c->n * c->n * element;
    crowd->part[i] = (fft_peer){.real = c->kind == FFT_REAL,
                                .way = chunk > 1 ? FFT_CHUNK_L2 : FFT_IMAGE,
                                .threads = each ? 1 : opt.threads,
                                .m = c->m,
                                .n = c->n,
                                .items = (end - begin) * FFT_SHARE,
                                .per_kernel = FFT_SHARE,
                                .chunk = chunk,
                                .in = (char *)c->in + field,
                                .spectra = (char *)c->scaled + 2 * begin * c->m * half * element,
                                .out = (char *)c->out + field,
                                .tiles = (char *)crowd->tiles + (chunk * tile + 4096) * (size_t)i};
    if (!crowd->library->open(&crowd->part[i])) exit(1);
  }
  memset(p, 0, sizeof *p);
  snprintf(p->name, sizeof p->name, "%s", fft_threaded[each]);
  p->operation = each;
  p->threads = opt.threads;
  p->call = fft_crowd_call;
  p->of = crowd;
  p->units = (double)c->batch.items;
  return 1;
}

static void fft_crowd_close(fft_crowd *crowd) {
  for (int i = 0; i < crowd->parts; i++) crowd->library->close(&crowd->part[i]);
  munmap(crowd->tiles, crowd->bytes);
}

/* The best hardware on all threads beside FFTW's on as many: what the better way of each kind does, and the error of all. */
static void fft_threads_group(int f32, int kind, size_t m) {
  const char *type = kind == FFT_REAL ? (f32 ? "f32" : "f64") : (f32 ? "c32" : "c64");
  racer p[1 + FFT_THREADED];
  fft_crowd *crowd = (fft_crowd *)calloc(FFT_THREADED, sizeof *crowd);
  fft_case c;
  char size[48];
  int count = 0, best[2] = {0, 0};
  snprintf(size, sizeof size, "%zux%zu", m, m);
  for (size_t h = sizeof hardware / sizeof *hardware; h-- && !count && !stencil_skipped("fftconv2d on threads", size);)
    count = racer_open(&p[0], hardware[h], opt.threads);
  if (!count) {
    free(crowd);
    return;
  }
  fft_arrays(&c, f32, kind, m, fft_kernels(m, 1), FFT_SHARE * fft_kernels(m, 1));
  c.work_size = f32 ? fft_work_size_f32(&p[0], &c) : fft_work_size_f64(&p[0], &c);
  c.work = large_array(c.work_size);
  p[0].of = &c;
  p[0].call = fft_call;
  p[0].ceiling = fft_peak;
  p[0].units = (double)c.batch.items;
  for (int way = 0; way < FFT_THREADED; way++)
    count += fft_crowd_open(&crowd[count - 1], &p[count], &c, way, p[0].hw.tuning.l2_bytes);
  for (size_t i = 0; i < (kind == FFT_REAL ? 1 : 2) * c.batch.items * c.n * c.n; i++) put_real(c.in, f32, i, 2 * spread(i) - 1);
  c.want = (long double *)calloc(2 * FFT_SAMPLES * c.n * c.n, sizeof *c.want);
  for (size_t k = 0; k < FFT_SAMPLES; k++) fft_reference(&c, fft_sample(&c, k), c.want + 2 * k * c.n * c.n);
  racers_run(p, count);
  for (int i = 1; i < count; i++)
    if (!best[p[i].operation] || p[i].rate[0] > p[best[p[i].operation]].rate[0]) best[p[i].operation] = i;
  for (int each = 0; each < 2; each++) {
    racer *q = &p[best[each]];
    if (q == p) continue;
    line_spent = &p[0].spent;
    line("fftconv2d", type, p[0].name, opt.threads, size, p[0].rate[0] * 1e-3, "kconv/s", p[0].bound[0] * 1e-3, "kconv/s",
         q->name, q->rate[0] * 1e-3, fft_error(&p[0], &c));
    line_spent = &q->spent;
    line("fftconv2d", type, q->name, opt.threads, size, q->rate[0] * 1e-3, "kconv/s", 0, NULL, NULL, 0, fft_error(q, &c));
  }
  for (int i = 1; i < count; i++) fft_crowd_close(&crowd[i - 1]);
  convk_close(&p[0].hw);
  munmap(c.memory, c.bytes);
  munmap(c.work, c.work_size);
  free(c.want);
  free(crowd);
}

/* Items of c's sizes that decay from their corner on, in an array of their own. */
static void fft_decay(fft_case *to, const fft_case *c) {
  const size_t parts = c->kind == FFT_REAL ? 1 : 2, n = c->n;
  *to = *c;
  to->bytes = parts * c->batch.items * n * n * (c->f32 ? 4 : 8);
  to->in = large_array(to->bytes);
  for (size_t i = 0; i < parts * c->batch.items * n * n; i++) {
    const double y = (double)(i / parts / n % n), x = (double)(i / parts % n);
    put_real(to->in, c->f32, i, (2 * spread(i) - 1) * exp((c->f32 ? -110 : -800) * sqrt(x * x + y * y) / (double)n));
  }
}

static void fft_group(int f32, int kind, size_t m, int who) {
  static const char *const types[2][3] = {{"c64", "f64", "c64"}, {"c32", "f32", "c32"}};
  static const char *const decaying[] = {"", " decaying", " decaying, flushed"};
  static const char *const switches[] = {"fftconv2d_switch: default", "fftconv2d_switch: columns", "fftconv2d_switch: items"};
  const char *operation = who == FFT_SWITCH ? "fftconv2d_switch" : kind == FFT_TRANSFORM ? "fft2d" : "fftconv2d";
  const size_t kernels = who == FFT_TINY ? 1 : fft_kernels(m, who == FFT_THREADS),
               items = who == FFT_TINY ? 1 : FFT_SHARE * kernels;
  const char *type = types[f32][kind], *unit = kind == FFT_TRANSFORM ? "kFFT/s" : "kconv/s";
  racer *p = (racer *)calloc(FFT_MOST, sizeof *p);
  fft_rival *rivals = (fft_rival *)calloc(FFT_MOST, sizeof *rivals);
  fft_case c, small; /* small: the items that decay */
  char size[48];
  int count = 0, own, first[3], best[2] = {-1, -1};
  snprintf(size, sizeof size, "%zux%zu%s", m, m, who == FFT_TINY ? " one item" : "");
  if (!stencil_skipped(operation, size)) count = racers_open(p, 1, who != FFT_ALL);
  if (!count) {
    free(rivals);
    free(p);
    return;
  }
  fft_arrays(&c, f32, kind, m, kernels, items);
  small = c;
  if (who == FFT_THREADS) count += racer_open(&p[count], p[0].name, opt.threads);
  for (int lanes = 1; lanes <= 2 && who == FFT_SWITCH; lanes++, count++) {
    p[count] = p[0];
    p[count].operation = lanes;
    p[count].hw.tuning.fft_lanes = (size_t)lanes;
  }
  for (int flush = 0; flush < 2 && who == FFT_DECAYING; flush++, count++) {
    p[count] = p[0];
    p[count].operation = 1 + flush;
    p[count].hw.flush_subnormals = flush;
  }
  own = count;
  for (int i = 0; i < own; i++) {
    const size_t size_of = f32 ? fft_work_size_f32(&p[i], &c) : fft_work_size_f64(&p[i], &c);
    p[i].of = who == FFT_DECAYING && i ? &small : &c;
    p[i].call = fft_call;
    p[i].ceiling = fft_peak;
    if (size_of > c.work_size) c.work_size = size_of;
  }
  c.work = large_array(c.work_size);
  if (who == FFT_DECAYING) fft_decay(&small, &c);
  first[0] = count;
  for (int which = 0; which < 2; which++) {
    if (who < FFT_THREADS) count += fft_rivals(&rivals[count], &p[count], &c, which, who, p[0].hw.tuning.l2_bytes);
    first[which + 1] = count;
  }
  for (size_t i = 0; i < (kind == FFT_REAL ? 1 : 2) * c.batch.items * c.n * c.n; i++) put_real(c.in, f32, i, 2 * spread(i) - 1);
  c.want = who == FFT_DECAYING ? NULL : (long double *)calloc(2 * FFT_SAMPLES * c.n * c.n, sizeof *c.want);
  for (size_t k = 0; k < FFT_SAMPLES && c.want; k++) fft_reference(&c, fft_sample(&c, k), c.want + 2 * k * c.n * c.n);
  for (int i = 0; i < count; i++) p[i].units = (double)(c.batch.items * c.repeat);
  racers_run(p, count);
  for (int which = 0; which < 2; which++)
    for (int i = first[which]; i < first[which + 1]; i++)
      if (best[which] < 0 || p[i].rate[0] > p[best[which]].rate[0]) best[which] = i;
  for (int i = who == FFT_THREADS || who == FFT_DECAYING ? 1 : 0; i < count; i++) {
    racer *q = &p[i];
    const double error = c.want ? fft_error(q, &c) : -1;
    int lines = 0;
    for (int which = 0; which < 2 && i < own; which++) { /* MKL takes what the processor has: for the best */
      const int k = best[which];
      if (k < 0 || (which == 1 && i != own - 1)) continue;
      line_spent = &q->spent;
      line(operation, type, q->name, q->threads, size, q->rate[0] * 1e-3, unit, q->bound[0] * 1e-3, unit, fft_libraries[which],
           p[k].rate[0] * 1e-3, error);
      lines++;
    }
    if (lines) continue;
    const char *peer = i >= own || !i        ? NULL
                       : who == FFT_THREADS  ? "one thread"
                       : who == FFT_SWITCH   ? "default"
                       : who == FFT_DECAYING ? "ordinary data"
                                             : NULL;
    if (who == FFT_DECAYING) snprintf(size, sizeof size, "%zux%zu%s", m, m, decaying[q->operation]);
    line_spent = &q->spent;
    line(i < own && who == FFT_SWITCH ? switches[q->operation] : operation, type, q->name, q->threads, size, q->rate[0] * 1e-3,
         unit, q->bound[0] * 1e-3, q->ceiling ? unit : NULL, peer, p[0].rate[0] * 1e-3, error);
  }
  for (int i = own; i < count; i++) {
    const fft_rival *r = (const fft_rival *)p[i].of;
    r->library->close(&rivals[i].peer);
  }
  for (int i = 0; i < own; i++) convk_close(&p[i].hw);
  if (who == FFT_DECAYING) munmap(small.in, small.bytes);
  munmap(c.memory, c.bytes);
  munmap(c.work, c.work_size);
  free(c.want);
  free(rivals);
  free(p);
}

static void fft(void) {
  static const size_t sizes[] = {16, 32, 64, 128}, others[] = {48, 60, 80, 96, 100, 120};
  for (size_t i = 0; i < (opt.quick ? 2 : 4); i++) {
    fft_group(1, FFT_COMPLEX, sizes[i], FFT_ALL);
    if (i == 0) fft_group(1, FFT_COMPLEX, sizes[i], FFT_TINY);
    fft_group(1, FFT_COMPLEX, sizes[i], FFT_DECAYING);
    if (opt.quick) continue;
    fft_group(0, FFT_COMPLEX, sizes[i], FFT_DECAYING);
    fft_group(1, FFT_REAL, sizes[i], FFT_DECAYING);
    if (opt.threads > 1) {
      fft_group(1, FFT_COMPLEX, sizes[i], FFT_THREADS);
      fft_threads_group(1, FFT_COMPLEX, sizes[i]);
    }
    fft_group(1, FFT_COMPLEX, sizes[i], FFT_SWITCH);
    fft_group(0, FFT_COMPLEX, sizes[i], FFT_BEST);
    fft_group(1, FFT_REAL, sizes[i], FFT_BEST);
    fft_group(0, FFT_REAL, sizes[i], FFT_BEST);
  }
  for (size_t i = 0; i < sizeof others / sizeof *others && !opt.quick; i++) fft_group(1, FFT_COMPLEX, others[i], FFT_BEST);
  for (size_t i = 0; i < (opt.quick ? 1 : 4); i++) {
    fft_group(1, FFT_TRANSFORM, sizes[i], FFT_BEST);
    if (i == 0) fft_group(1, FFT_TRANSFORM, sizes[i], FFT_TINY);
    fft_group(1, FFT_TRANSFORM, sizes[i], FFT_DECAYING);
  }
}
