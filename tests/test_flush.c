/* hw.flush_subnormals: every operation, with numbers that are subnormal or become so, gives results without any, and the same
   bits on one thread and on several; threads have their settings back, and hooks find those of the caller.  This file includes
   itself, once per precision. */
#ifndef FLUSH_T
#include "test.h"
#if (defined __x86_64__ || defined __SSE__) && (defined __GNUC__ || defined __clang__) && !defined __CUDACC__

enum { FLUSH_MODE = 0x8040 }; /* of MXCSR: FTZ and DAZ */

static uint64_t flush_rng;
static double flush_usual(double low, double high) { return low + (high - low) * (0.5 + 0.5 * random_unit(&flush_rng)); }

/* What the calls of a case give, one after the other, and how many of these numbers are subnormal. */
static struct {
  unsigned char *at;
  size_t used, room, subnormal;
} flush_out;

static void flush_bytes(const void *data, size_t bytes) {
  if (flush_out.used + bytes > flush_out.room) {
    flush_out.room = 2 * (flush_out.used + bytes);
    flush_out.at = (unsigned char *)realloc(flush_out.at, flush_out.room);
    if (!flush_out.at) exit(2);
  }
  if (bytes) memcpy(flush_out.at + flush_out.used, data, bytes);
  flush_out.used += bytes;
}

static void flush_doubles(const void *data, size_t bytes) {
  const double *x = (const double *)data;
  size_t i;
  for (i = 0; i < bytes / sizeof *x; i++) flush_out.subnormal += (x[i] > 0 || x[i] < 0) && x[i] < DBL_MIN && x[i] > -DBL_MIN;
  flush_bytes(data, bytes);
}

static convk_grid3 flush_grid(size_t nx, size_t ny, size_t nz) {
  convk_grid3 grid = {0, 0, 0, 0, 0};
  grid.nx = nx;
  grid.ny = ny;
  grid.nz = nz;
  return grid;
}

/* Memory of one case, all zeros. */
static void *flush_taken[64];
static size_t flush_count;
static void *flush_take(size_t bytes) {
  void *p = calloc(bytes + 1, 1);
  if (!p || flush_count == COUNT_OF(flush_taken)) exit(2);
  return flush_taken[flush_count++] = p;
}
static void flush_give(void) {
  while (flush_count) free(flush_taken[--flush_count]);
}

/* A hook that wants the settings of the thread that called the operation. */
typedef struct flush_pool {
  hook threads;
  unsigned control;
} flush_pool;
static int flush_run(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  flush_pool *pool = (flush_pool *)ctx;
  int status;
  if (float_control() != pool->control) fail("the hook found MXCSR %#x", float_control());
  status = hook_run(&pool->threads, ntasks, task, arg);
  if (float_control() != pool->control) fail("the hook left MXCSR %#x", float_control());
  return status;
}

/* What a case promises: SHOWN, that flushing changes results, for else it would say nothing; SERIAL, that it never takes
   threads; BITS, that it makes subnormals of bits, or works before and after its tasks, too, so that the processor's mode gives
   others. */
enum { FLUSH_SHOWN = 1, FLUSH_SERIAL = 2, FLUSH_BITS = 4 };
typedef struct flush_call {
  const char *name;
  int (*run)(convk *hw, int size); /* -> status; results are put */
  int sizes, promises;             /* sizes from 0 on: on one thread, then on several */
} flush_call;

#define FLUSH_CAT_(a, b) a##b
#define FLUSH_CAT(a, b) FLUSH_CAT_(a, b)
#define OF(name) FLUSH_CAT(FLUSH_CAT(convk_, name), FLUSH_TYPE)
#define OF_COMPLEX(name) FLUSH_CAT(FLUSH_CAT(convk_, name), FLUSH_COMPLEX)
#define OWN(name) FLUSH_CAT(flush_##name, FLUSH_TYPE)

#define FLUSH_T float
#define FLUSH_TYPE _f32
#define FLUSH_COMPLEX _c32
#define FLUSH_LEAST (-126) /* 2^FLUSH_LEAST is the smallest normal number */
#define FLUSH_MIN FLT_MIN
#include "test_flush.c"
#undef FLUSH_T
#undef FLUSH_TYPE
#undef FLUSH_COMPLEX
#undef FLUSH_LEAST
#undef FLUSH_MIN
#define FLUSH_T double
#define FLUSH_TYPE _f64
#define FLUSH_COMPLEX _c64
#define FLUSH_LEAST (-1022)
#define FLUSH_MIN DBL_MIN
#include "test_flush.c"
#undef FLUSH_T
#undef FLUSH_TYPE
#undef FLUSH_COMPLEX
#undef FLUSH_LEAST
#undef FLUSH_MIN
#undef OF
#undef OF_COMPLEX
#undef OWN

/* One call in one way; the results stay in flush_out. */
static void flush_one(const flush_call *call, convk *hw, int size) {
  const long live = heap.live;
  surroundings s;
  int status;
  flush_rng = random_seed(call->name);
  flush_out.used = flush_out.subnormal = 0;
  s = before_call();
  status = call->run(hw, size);
  after_call(s, 0);
  flush_give();
  if (status) fail("status %d (%s)", status, convk_strerror(status));
  want_returned(live);
}

/* A caller has set the processor's mode, and the threads of his pool are older than that: the same bits on one and on several. */
static void flush_older(const flush_call *call, convk *hw, int size) {
  const unsigned control = float_control();
  unsigned char *alone;
  size_t bytes;
  flush_pool pool;
  hw->flush_subnormals = 0;
  float_control_set(control | FLUSH_MODE);
  flush_one(call, hw, size);
  bytes = flush_out.used;
  alone = (unsigned char *)malloc(bytes + 1);
  if (!alone) exit(2);
  memcpy(alone, flush_out.at, bytes);
  pool.threads = hook_new(HOOK_THREADS, 2, 1);
  pool.threads.control = control;
  pool.control = control | FLUSH_MODE;
  hw->parallel.threads = 2;
  hw->parallel.run = flush_run;
  hw->parallel.ctx = &pool;
  flush_one(call, hw, size);
  float_control_set(control);
  if (flush_out.used != bytes || memcmp(alone, flush_out.at, bytes))
    fail("other bits with threads that do not flush themselves");
  pthread_mutex_destroy(&pool.threads.lock);
  memset(&hw->parallel, 0, sizeof hw->parallel);
  free(alone);
}

static void flush_case(const flush_call *call, convk *hw, int size) {
  unsigned char *flushed;
  size_t bytes;
  int threads;
  memset(&hw->parallel, 0, sizeof hw->parallel);
  hw->flush_subnormals = 1;
  flush_one(call, hw, size);
  if (flush_out.subnormal) fail("%lu results are subnormal", (unsigned long)flush_out.subnormal);
  bytes = flush_out.used;
  flushed = (unsigned char *)malloc(bytes + 1);
  if (!flushed) exit(2);
  memcpy(flushed, flush_out.at, bytes);
  hw->flush_subnormals = 0;
  flush_one(call, hw, size);
  if (call->promises & FLUSH_SHOWN && flush_out.used == bytes && !memcmp(flushed, flush_out.at, bytes))
    fail("there is nothing to flush");
  if (!(call->promises & FLUSH_BITS)) { /* what a caller gets who sets the processor's mode */
    const unsigned control = float_control();
    float_control_set(control | FLUSH_MODE);
    flush_one(call, hw, size);
    float_control_set(control);
    if (flush_out.used != bytes || memcmp(flushed, flush_out.at, bytes)) fail("other bits than in the processor's mode");
  }
  for (threads = 2; threads <= 3 - suite.quick; threads++) {
    flush_pool pool;
    pool.threads = hook_new(HOOK_THREADS, threads, 1);
    pool.control = float_control();
    hw->flush_subnormals = 1;
    hw->parallel.threads = threads;
    hw->parallel.run = flush_run;
    hw->parallel.ctx = &pool;
    flush_one(call, hw, size);
    if (flush_out.used != bytes || memcmp(flushed, flush_out.at, bytes)) fail("other bits with %d threads", threads);
    if (size == call->sizes - 1 && !(call->promises & FLUSH_SERIAL) && pool.threads.most < 2) fail("all on one thread");
    pthread_mutex_destroy(&pool.threads.lock);
  }
  memset(&hw->parallel, 0, sizeof hw->parallel);
  free(flushed);
  if (size == call->sizes - 1 && call->promises & FLUSH_SHOWN && !(call->promises & FLUSH_SERIAL)) flush_older(call, hw, size);
}

/* Emulators of processors may know the mode, and not obey. */
static int flush_obeyed(void) {
  const unsigned control = float_control();
  volatile float x = FLT_MIN;
  float_control_set(control | FLUSH_MODE);
  x = x * 0.5f;
  float_control_set(control);
  return x <= 0;
}

static void flush_all(int type) {
  const flush_call *calls = type ? flush_calls_f64 : flush_calls_f32;
  size_t i, k;
  int size;
  if (!flush_obeyed()) return;
  for (i = 0; i < variant_count; i++) {
    convk hw;
    if (!variants[i].open || variants[i].device || (suite.level < LEVEL_LONG && i % 3)) continue; /* of each class one */
    use_variant(&variants[i]);
    hw = variants[i].hw;
    for (k = 0; calls[k].name; k++)
      for (size = 0; size < calls[k].sizes; size++) {
        describe("%s, size %d", calls[k].name, size);
        begin_case();
        flush_case(&calls[k], &hw, size);
        end_case();
      }
  }
  free(flush_out.at);
  memset(&flush_out, 0, sizeof flush_out);
}
#else
static void flush_all(int type) { (void)type; } /* nothing to set here */
#endif
static const test flush_tests[] = {{"flush_subnormals", "bits", flush_all, 1}};
TEST_LIST(flush)

#else /* once per precision */

/* ---- inputs and results ---- */

static FLUSH_T *OWN(array)(size_t n) { return (FLUSH_T *)flush_take(n * sizeof(FLUSH_T)); }
static FLUSH_T *OWN(values)(size_t n, double low, double high) {
  FLUSH_T *x = OWN(array)(n);
  size_t i;
  for (i = 0; i < n; i++) x[i] = (FLUSH_T)flush_usual(low, high);
  return x;
}
/* Of either sign, from 2^low to 2^high times the smallest normal number. */
static FLUSH_T *OWN(tiny)(size_t n, double low, double high) {
  FLUSH_T *x = OWN(array)(n);
  const int error = errno; /* which ldexp may set */
  size_t i;
  for (i = 0; i < n; i++) {
    const double e = flush_usual(low, high);
    x[i] = (FLUSH_T)ldexp((random_unit(&flush_rng) < 0 ? -1 : 1) * pow(2, e - floor(e)), (int)floor(e) + FLUSH_LEAST);
  }
  errno = error;
  return x;
}
static void OWN(put)(const FLUSH_T *x, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) flush_out.subnormal += (x[i] > 0 || x[i] < 0) && x[i] < FLUSH_MIN && x[i] > -FLUSH_MIN;
  flush_bytes(x, n * sizeof *x);
}

/* ---- convolutions and stencils ---- */

/* The grid of a call, of the input and of the output, from which it follows. */
static convk_sepconv3d_shape OWN(shape)(int size, int x, int y, int z) {
  convk_sepconv3d_shape shape;
  memset(&shape, 0, sizeof shape);
  shape.in = flush_grid(size ? 90 : 13, size ? 41 : 9, size ? 33 : 7);
  shape.boundary[0] = x;
  shape.boundary[1] = y;
  shape.boundary[2] = z;
  return shape;
}

static int OWN(sepconv3d)(convk *hw, int size) {
  const convk_sepconv3d_shape shape = OWN(shape)(size, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_GROW);
  const FLUSH_T *taps = OWN(values)(48, -0.5, 0.6);
  const FLUSH_T *in = OWN(tiny)(shape.in.nx * shape.in.ny * shape.in.nz, -3, 3);
  OF(filter) filter[3];
  convk_grid3 to = {0, 0, 0, 0, 0};
  FLUSH_T *out;
  int d, status;
  for (d = 0; d < 3; d++) {
    filter[d].lo = -d;
    filter[d].up = size ? 15 - d : 4;
    filter[d].taps = taps + 16 * d;
  }
  status = OF(sepconv3d_out_grid)(hw, &shape, filter, &to);
  out = OWN(array)(to.nx * to.ny * to.nz);
  if (!status) status = OF(sepconv3d)(hw, &shape, filter, NULL, in, out, NULL, 0);
  OWN(put)(out, to.nx * to.ny * to.nz);
  return status;
}

/* Everything that may be fused into the last pass; sums are of normal products. */
static int OWN(magicfilter3d)(convk *hw, int size) {
  const convk_sepconv3d_shape shape = OWN(shape)(size, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_ZERO);
  const size_t n = shape.in.nx * shape.in.ny * shape.in.nz;
  const FLUSH_T *in = OWN(tiny)(n, -FLUSH_LEAST / 2 - 3, -FLUSH_LEAST / 2 + 1); /* whose squares are tiny */
  FLUSH_T *out = OWN(tiny)(n, -1, 2), *density = OWN(tiny)(n, -1, 2);
  double sums[2] = {0, 0};
  OF(sepconv_epilogue) e;
  int status;
  memset(&e, 0, sizeof e);
  e.potential = OWN(tiny)(n, -FLUSH_LEAST / 2 - 3, -FLUSH_LEAST / 2 + 1);
  e.density = density;
  e.density_factor = (FLUSH_T)0.7;
  e.dot = &sums[0];
  e.energy = &sums[1];
  e.update = 1;
  e.a = (FLUSH_T)0.3;
  e.b = (FLUSH_T)-0.4;
  status = OF(magicfilter3d)(hw, &shape, CONVK_INVERSE, &e, in, out, NULL, 0);
  OWN(put)(out, n);
  OWN(put)(density, n);
  flush_bytes(sums, sizeof sums);
  return status;
}

static int OWN(potential_apply)(convk *hw, int size) {
  const convk_sepconv3d_shape shape = OWN(shape)(size, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_PERIODIC);
  const size_t n = shape.in.nx * shape.in.ny * shape.in.nz;
  const FLUSH_T *psi = OWN(tiny)(n, -2, 2), *potential = OWN(values)(n, -2, 2);
  FLUSH_T *out = OWN(array)(n);
  double energy = 0;
  const int status = OF(potential_apply)(hw, &shape, potential, psi, out, &energy, NULL, 0);
  OWN(put)(out, n);
  flush_bytes(&energy, sizeof energy);
  return status;
}

static int OWN(conv1d_transpose)(convk *hw, int size) {
  const size_t n = size ? 133 : 10, ndat = size ? 2000 : 3;
  const convk_conv1d_shape shape = {n, ndat, 0, 0, CONVK_BOUNDARY_PERIODIC};
  OF(filter) filter = OF(magicfilter_taps)(CONVK_FORWARD);
  const FLUSH_T *in = OWN(tiny)(n * ndat, -3, 3);
  FLUSH_T *out = OWN(array)(n * ndat);
  const int status = OF(conv1d_transpose)(hw, &shape, &filter, in, out, NULL, 0);
  OWN(put)(out, n * ndat);
  return status;
}

static OF(stencil7_coefficients) OWN(stencil_coefficients)(void) {
  OF(stencil7_coefficients) c = OF(stencil7_isotropic)((FLUSH_T)0.4, (FLUSH_T)0.1);
  c.x_plus = (FLUSH_T)0.05;
  c.z_minus = (FLUSH_T)0.17;
  return c;
}

/* Sizes 2 and 3: some steps, level upon level. */
static int OWN(stencil7)(convk *hw, int size) {
  const convk_stencil7_shape shape = {{size % 2 ? 130 : 9, size % 2 ? 60 : 8, size % 2 ? 40 : 7, 0, 0},
                                      {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC}};
  const size_t n = shape.grid.nx * shape.grid.ny * shape.grid.nz;
  const OF(stencil7_coefficients) c = OWN(stencil_coefficients)();
  FLUSH_T *a = OWN(tiny)(n, -3, 3), *b = OWN(array)(n), *end = NULL;
  const int status = OF(stencil7)(hw, &shape, &c, size > 1 ? 5 : 1, a, b, &end, NULL, 0);
  if (end) OWN(put)(end, n);
  return status;
}

static int OWN(stencil7_box)(convk *hw, int size) {
  const convk_stencil7_shape shape = {{size ? 130 : 9, size ? 60 : 8, size ? 40 : 7, 0, 0},
                                      {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_FIXED}};
  const convk_box3 box = {{1, 0, 1}, {shape.grid.nx - 2, shape.grid.ny, shape.grid.nz - 3}};
  const size_t n = shape.grid.nx * shape.grid.ny * shape.grid.nz;
  const OF(stencil7_coefficients) c = OWN(stencil_coefficients)();
  const FLUSH_T *a = OWN(tiny)(n, -3, 3);
  FLUSH_T *b = OWN(array)(n);
  const int status = OF(stencil7_box)(hw, &shape, &c, &box, a, b, NULL, 0);
  OWN(put)(b, n);
  return status;
}

/* ---- functions of arrays: from the length on that is cut into tasks, and just below ---- */

static size_t OWN(length)(int size) {
  const size_t n[4] = {1000, 2 * CONVK_MAP_CHUNK_ - 1, 2 * CONVK_MAP_CHUNK_, 40000};
  return n[size];
}
static int OWN(exp)(convk *hw, int size) {
  const size_t n = OWN(length)(size);
  const FLUSH_T *x = OWN(values)(n, (FLUSH_LEAST - 4) * 0.6931, (FLUSH_LEAST + 1) * 0.6931);
  FLUSH_T *y = OWN(array)(n);
  const int status = OF(exp)(hw, n, x, y);
  OWN(put)(y, n);
  return status;
}
static int OWN(expm1)(convk *hw, int size) {
  const size_t n = OWN(length)(size);
  const FLUSH_T *x = OWN(tiny)(n, -4, 1);
  FLUSH_T *y = OWN(array)(n);
  const int status = OF(expm1)(hw, n, x, y);
  size_t i;
  OWN(put)(y, n);
  for (i = 0; i < n && !status; i++) /* zeros keep the sign, too */
    if (!signbit(x[i]) != !signbit(y[i])) return -1;
  return status;
}
static int OWN(log)(convk *hw, int size) {
  const size_t n = OWN(length)(size);
  FLUSH_T *x = OWN(tiny)(n, -4, 1), *y = OWN(array)(n);
  size_t i;
  int status;
  for (i = 0; i < n; i++) x[i] = x[i] < 0 ? -x[i] : x[i];
  status = OF(log)(hw, n, x, y);
  OWN(put)(y, n);
  return status;
}
static int OWN(sincos)(convk *hw, int size) {
  const size_t n = OWN(length)(size);
  const FLUSH_T *x = OWN(tiny)(n, -4, 1);
  FLUSH_T *s = OWN(array)(n), *c = OWN(array)(n);
  const int status = OF(sincos)(hw, n, x, s, c);
  OWN(put)(s, n);
  OWN(put)(c, n);
  return status;
}

/* ---- Gaussians ---- */

static OF(points) OWN(points)(size_t n, double far) {
  OF(points) p;
  p.n = n;
  p.x = OWN(values)(n, far / 2, far);
  p.y = OWN(values)(n, far / 2, far);
  p.z = OWN(values)(n, far / 2, far);
  p.stride = 0;
  return p;
}

/* Exponents that are subnormal, far away.  Results are never subnormal. */
static int OWN(gridpot)(convk *hw, int size) {
  const size_t n = size ? 1000 : 333, m = size ? 100 : 21;
  const OF(points) p = OWN(points)(n, ldexp(1, -FLUSH_LEAST / 2));
  FLUSH_T *alpha = OWN(tiny)(m, -4, 1), *g = OWN(array)(n * m);
  OF(gaussians) gaussians;
  size_t i;
  int status;
  for (i = 0; i < m; i++) alpha[i] = alpha[i] > 0 ? -alpha[i] : alpha[i];
  memset(&gaussians, 0, sizeof gaussians);
  gaussians.n = m;
  gaussians.alpha = alpha;
  status = OF(gridpot)(hw, &p, &gaussians, NULL, g, 0);
  OWN(put)(g, n * m);
  return status;
}
static int OWN(gridpot_sum)(convk *hw, int size) {
  const size_t n = size ? 1000 : 333, m = size ? 100 : 21;
  const OF(points) p = OWN(points)(n, 2);
  const FLUSH_T *alpha = OWN(values)(m, -3, 0), *c = OWN(tiny)(3 * m, -3, 2);
  FLUSH_T *sums = OWN(array)(3 * n);
  OF(gaussians) gaussians;
  int status;
  memset(&gaussians, 0, sizeof gaussians);
  gaussians.n = m;
  gaussians.alpha = alpha;
  gaussians.nsums = 3;
  gaussians.coefficients = c;
  status = OF(gridpot_sum)(hw, &p, &gaussians, NULL, sums, 0);
  OWN(put)(sums, 3 * n);
  return status;
}

/* Values, then derivatives, then the density.  Small factors are scaled on the way, and results that are subnormal are 0. */
static int OWN(orbitals_kind)(convk *hw, int size, int kind) {
  enum { SHELLS = 4, FUNCTIONS = 1 + 3 + 5 + 7, ORBITALS = 3 };
  static const double exponents[2] = {0.3, 1.7}, weights[2] = {0.4, 0.8};
  const size_t n = size ? 6000 : 100;
  const OF(points) p = OWN(points)(n, 2);
  convk_shell shells[SHELLS];
  const FLUSH_T *c = kind == 2 ? OWN(tiny)(ORBITALS * FUNCTIONS, -FLUSH_LEAST / 2 - 2, -FLUSH_LEAST / 2)
                               : OWN(tiny)(ORBITALS * FUNCTIONS, -2, 2);
  const FLUSH_T *occupations = OWN(values)(ORBITALS, 0, 2);
  FLUSH_T *value[5];
  OF(orbital_set) set;
  OF(vgl) out;
  int i, status;
  memset(shells, 0, sizeof shells);
  for (i = 0; i < SHELLS; i++) {
    shells[i].l = i;
    shells[i].functions = CONVK_SHELL_SPHERICAL;
    shells[i].primitives = 2;
    shells[i].exponents = exponents;
    shells[i].coefficients = weights;
  }
  for (i = 0; i < 5; i++) value[i] = OWN(array)(ORBITALS * n);
  memset(&set, 0, sizeof set);
  set.nshells = SHELLS;
  set.shells = shells;
  set.norbitals = ORBITALS;
  set.coefficients = c;
  set.occupations = occupations;
  out.value = value[0];
  out.dx = value[1];
  out.dy = value[2];
  out.dz = value[3];
  out.laplacian = value[4];
  out.ld = 0;
  status = kind == 0   ? OF(orbitals)(hw, &p, &set, NULL, value[0], 0, NULL, 0)
           : kind == 1 ? OF(orbitals_vgl)(hw, &p, &set, NULL, &out, NULL, 0)
                       : OF(density)(hw, &p, &set, NULL, value[0], NULL, 0);
  for (i = 0; i < 5; i++) OWN(put)(value[i], ORBITALS * n);
  return status;
}
static int OWN(orbitals)(convk *hw, int size) { return OWN(orbitals_kind)(hw, size, 0); }
static int OWN(orbitals_vgl)(convk *hw, int size) { return OWN(orbitals_kind)(hw, size, 1); }
static int OWN(density)(convk *hw, int size) { return OWN(orbitals_kind)(hw, size, 2); }

/* ---- form factors: areas are tiny ---- */

static OF(mesh) OWN(mesh)(size_t n) {
  OF(mesh) m;
  memset(&m, 0, sizeof m);
  m.n = n;
  m.ax = OWN(tiny)(n, -2, 2);
  m.ay = OWN(tiny)(n, -2, 2);
  m.az = OWN(tiny)(n, -2, 2);
  m.x = OWN(values)(n, -1, 1);
  m.y = OWN(values)(n, -1, 1);
  m.z = OWN(values)(n, -1, 1);
  m.ux = OWN(values)(n, -1, 1);
  m.uy = OWN(values)(n, -1, 1);
  m.uz = OWN(values)(n, -1, 1);
  m.wx = OWN(values)(n, -1, 1);
  m.wy = OWN(values)(n, -1, 1);
  m.wz = OWN(values)(n, -1, 1);
  return m;
}

/* By centroids, a series, and exactly; of real and of complex q. */
static int OWN(formfactor)(convk *hw, int size) {
  const OF(mesh) mesh = OWN(mesh)(size ? 70 : 5);
  const size_t nq = size ? 1200 : 20;
  const FLUSH_T *q[4];
  OF(q) v = {nq, NULL, NULL, NULL, NULL, NULL, NULL};
  int d, kind, status = CONVK_OK;
  for (d = 0; d < 4; d++) q[d] = OWN(values)(nq, d < 3 ? -3 : -0.25, d < 3 ? 3 : 0.25);
  v.x = q[0];
  v.y = q[1];
  v.z = q[2];
  for (kind = 0; kind < 6 && !status; kind++) {
    convk_formfactor_options o;
    FLUSH_T *f = OWN(array)(2 * nq);
    memset(&o, 0, sizeof o);
    o.form = kind / 2 == 2 ? CONVK_FORM_EXACT : CONVK_FORM_OPEN;
    o.order = kind / 2 == 1 ? 4 : 0;
    v.z_imag = kind % 2 ? q[3] : NULL;
    status = OF(formfactor)(hw, &mesh, &v, &o, f);
    OWN(put)(f, 2 * nq);
  }
  return status;
}

static int OWN(formfactor_grid)(convk *hw, int size) {
  const OF(mesh) mesh = OWN(mesh)(size ? 70 : 5);
  const convk_grid3 grid = flush_grid(size ? 40 : 5, size ? 17 : 3, size ? 9 : 2);
  const size_t n = grid.nx * grid.ny * grid.nz;
  const FLUSH_T *q[4];
  OF(q) v = {0, NULL, NULL, NULL, NULL, NULL, NULL};
  int d, kind, status = CONVK_OK;
  for (d = 0; d < 4; d++) q[d] = OWN(values)(40, d < 3 ? -3 : -0.25, d < 3 ? 3 : 0.25);
  v.x = q[0];
  v.y = q[1];
  v.z = q[2];
  for (kind = 0; kind < 4 && !status; kind++) {
    convk_formfactor_options o;
    FLUSH_T *f = OWN(array)(2 * n);
    memset(&o, 0, sizeof o);
    o.form = CONVK_FORM_OPEN;
    o.order = kind / 2 * 2;
    v.z_imag = kind % 2 ? q[3] : NULL;
    status = OF(formfactor_grid)(hw, &mesh, &grid, &v, &o, f, NULL, 0);
    OWN(put)(f, 2 * n);
  }
  return status;
}

/* An assembly, a powder of it, and in layers. */
static int OWN(formfactor_many)(convk *hw, int size) {
  enum { PARTICLES = 6, DIRECTIONS = 20 };
  const OF(mesh) mesh = OWN(mesh)(9);
  const size_t nq = size ? 900 : 30;
  convk_placement *p = (convk_placement *)flush_take(PARTICLES * sizeof *p);
  FLUSH_T *f = OWN(array)(2 * nq), *g = OWN(array)(2 * nq), *square = OWN(array)(nq), *powder = OWN(array)(nq), *q[10];
  OF(assembly) a;
  OF(dwba) w;
  OF(q) v;
  OF(directions) n;
  size_t i;
  int d, status;
  for (i = 0; i < PARTICLES; i++) {
    for (d = 0; d < 3; d++) p[i].position[d] = flush_usual(-3, 3);
    if (i % 2) p[i].scale = 1.25;
    p[i].weight[0] = flush_usual(-1, 1);
  }
  a.meshes = 1;
  a.placements = PARTICLES;
  a.mesh = &mesh;
  a.placement = p;
  for (d = 0; d < 10; d++) q[d] = OWN(values)(d < 6 ? nq : 2 * nq, d == 3 || d == 5 ? 0 : -2, d == 3 || d == 5 ? 0.0625 : 2);
  v.n = w.n = nq;
  v.x = q[0];
  v.y = q[1];
  v.z = q[2];
  v.z_imag = q[3];
  v.x_imag = v.y_imag = NULL;
  n.n = DIRECTIONS;
  n.x = q[1];
  n.y = q[2];
  n.z = q[4];
  n.weight = q[5];
  w.qx = q[0];
  w.qy = q[1];
  w.kz_in = q[2];
  w.kz_in_imag = q[3];
  w.kz_out = q[4];
  w.kz_out_imag = q[5];
  w.t_in = q[6];
  w.t_out = q[7];
  w.r_in = q[8];
  w.r_out = q[9];
  status = OF(formfactor_assembly)(hw, &a, &v, NULL, f, square, NULL, 0);
  if (!status) status = OF(formfactor_powder)(hw, &a, nq / DIRECTIONS, q[0], &n, NULL, powder, NULL, 0);
  if (!status) status = OF(formfactor_dwba)(hw, &a, &w, NULL, g, NULL, 0);
  flush_bytes(f, 2 * nq * sizeof *f); /* rounded from sums of doubles after all tasks, so that they may be subnormal */
  flush_bytes(square, nq * sizeof *square);
  flush_bytes(powder, nq * sizeof *powder);
  flush_bytes(g, 2 * nq * sizeof *g);
  return status;
}

/* ---- transforms ---- */

/* One point, few, several along columns and along items, many, and tiles. */
static int OWN(fftconv2d)(convk *hw, int size) {
  static const size_t sizes[5][4] = {{3, 1, 1, 1}, {2, 5, 4, 3}, {40, 7, 6, 3}, {9, 60, 30, 5}, {2, 1030, 3, 3}}; /* items */
  const size_t items = sizes[size][0];
  convk_fftconv2d_shape shape;
  convk_batch2d batch;
  int real, status;
  memset(&shape, 0, sizeof shape);
  memset(&batch, 0, sizeof batch);
  batch.items = items;
  shape.rows = sizes[size][1];
  shape.columns = sizes[size][2];
  shape.kernel_rows = shape.kernel_columns = sizes[size][3];
  shape.mode = CONVK_FFT_FULL;
  status = convk_fftconv2d_resolve(hw, &shape, &shape);
  shape.mode = CONVK_FFT_FULL;
  shape.out_rows = shape.out_columns = 0;
  shape.origin_row = shape.origin_column = 0;
  for (real = 0; real < 2 && !status; real++) {
    const size_t parts = real ? 1 : 2, in_count = parts * items * shape.rows * shape.columns;
    const size_t out_count = parts * items * (shape.rows + shape.kernel_rows - 1) * (shape.columns + shape.kernel_columns - 1);
    const FLUSH_T *in = OWN(tiny)(in_count, -3, 3), *kernel = OWN(values)(2 * shape.kernel_rows * shape.kernel_columns, 0.5, 1);
    FLUSH_T *out = OWN(array)(out_count);
    size_t bytes = 0;
    void *plan;
    status = (real ? OF(fftconv2d_plan_size) : OF_COMPLEX(fftconv2d_plan_size))(hw, &shape, 1, &bytes);
    plan = flush_take(bytes);
    if (!status)
      status = real ? OF(fftconv2d_prepare)(hw, &shape, 1, kernel, 0, 0, (OF(fftconv2d_plan) *)plan, bytes)
                    : OF_COMPLEX(fftconv2d_prepare)(hw, &shape, 1, kernel, 0, 0, (OF_COMPLEX(fftconv2d_plan) *)plan, bytes);
    if (!status)
      status = real ? OF(fftconv2d)(hw, (OF(fftconv2d_plan) *)plan, &batch, in, out, NULL, 0)
                    : OF_COMPLEX(fftconv2d)(hw, (OF_COMPLEX(fftconv2d_plan) *)plan, &batch, in, out, NULL, 0);
    OWN(put)(out, out_count);
  }
  return status;
}

static int OWN(fft2d)(convk *hw, int size) {
  static const size_t sizes[][3] = {{1, 1, 1},  {1, 1, 40},  {1, 5, 3},  {6, 1, 3},
                                    {8, 12, 3}, {7, 10, 40}, {64, 60, 6}}; /* items last */
  const size_t rows = sizes[size][0], columns = sizes[size][1], n = 2 * rows * columns * sizes[size][2];
  size_t bytes = 0;
  OF_COMPLEX(fft2d_plan) * plan;
  convk own = *hw;
  convk_batch2d batch;
  int way, status = OF_COMPLEX(fft2d_plan_size)(hw, rows, columns, &bytes);
  plan = (OF_COMPLEX(fft2d_plan) *)flush_take(bytes);
  if (!status) status = OF_COMPLEX(fft2d_prepare)(hw, rows, columns, plan, bytes);
  memset(&batch, 0, sizeof batch);
  batch.items = sizes[size][2];
  for (way = 0; way < 6 && !status; way++) { /* there and back; lanes as it likes, along columns, across items */
    const FLUSH_T *in = OWN(tiny)(n, -3, 3);
    FLUSH_T *out = OWN(array)(n);
    own.tuning.fft_lanes = (size_t)(way / 2);
    status = OF_COMPLEX(fft2d)(&own, plan, way % 2 ? CONVK_INVERSE : CONVK_FORWARD, &batch, in, out, NULL, 0);
    OWN(put)(out, n);
  }
  return status;
}

/* ---- pairs: of energies and trial functions that are tiny ---- */

static convk_pair_system OWN(system)(size_t particles) {
  convk_pair_system s;
  const int error = errno;
  memset(&s, 0, sizeof s);
  s.particles = particles;
  s.potential = convk_pair_lennard_jones(ldexp(1, FLUSH_LEAST + 3), 2.556);
  s.trial.p5 = ldexp(1, -1020);
  s.trial.p2 = -ldexp(1, -1021);
  s.trial.p1 = ldexp(1, -1023);
  errno = error;
  return s;
}
static FLUSH_T *OWN(places)(size_t particles, size_t walkers) {
  FLUSH_T *r = OWN(array)(3 * particles * walkers);
  size_t i;
  for (i = 0; i < 3 * particles * walkers; i++) {
    const size_t p = i % particles, d = i / particles % 3, site = d == 0 ? p % 6 : d == 1 ? p / 6 % 6 : p / 36;
    r[i] = (FLUSH_T)(3.5 * (double)site + flush_usual(0, 1));
  }
  return r;
}

static int OWN(pair_potential)(convk *hw, int size) {
  const size_t n = size ? 3000 : 100;
  const convk_pair_potential p = OWN(system)(2).potential;
  const FLUSH_T *r = OWN(values)(n, 2, 8);
  FLUSH_T *v = OWN(array)(n);
  const int status = OF(pair_potential)(hw, &p, n, r, v);
  OWN(put)(v, n);
  return status;
}

/* Sizes: walkers on threads; one walker, whose stripes are dealt out. */
static int OWN(pair_energy)(convk *hw, int size) {
  const size_t particles = size ? 140 : 7, walkers = size ? 1 : 4, n = 3 * particles * walkers;
  const convk_pair_system system = OWN(system)(particles);
  const FLUSH_T *r = OWN(places)(particles, walkers);
  convk_pair_walkers lay = {0, 0, 0};
  convk_pair_result result[4];
  FLUSH_T *gradient = OWN(array)(n);
  int status;
  memset(result, 0, sizeof result);
  lay.walkers = walkers;
  status = OF(pair_energy)(hw, &system, &lay, 0, r, result, gradient, NULL, 0);
  flush_doubles(result, sizeof result);
  OWN(put)(gradient, n);
  return status;
}

static int OWN(pair_move)(convk *hw, int size) {
  const size_t particles = size ? 140 : 7, walkers = 3, n = 3 * particles * walkers;
  const convk_pair_system system = OWN(system)(particles);
  FLUSH_T *r = OWN(places)(particles, walkers), *to = OWN(values)(3 * walkers, 6, 8), *gradient = OWN(tiny)(n, -2, 2);
  convk_pair_walkers lay = {0, 0, 0};
  convk_pair_move_result moves[3];
  int status;
  memset(moves, 0, sizeof moves);
  lay.walkers = walkers;
  status = OF(pair_move)(hw, &system, &lay, particles / 2, r, to, moves);
  if (!status) status = OF(pair_accept)(hw, &system, &lay, particles - 1, to, NULL, r, gradient);
  flush_doubles(moves, sizeof moves);
  OWN(put)(gradient, n);
  return status;
}

/* Moves one by one and of all, with drift and without; sizes: walkers on threads; one walker with its pairs on threads. */
static int OWN(vmc_run)(convk *hw, int size) {
  int way, status = CONVK_OK;
  for (way = 0; way < 4 && !status; way++) {
    convk_vmc vmc;
    size_t bytes;
    OF(vmc_state) * state;
    memset(&vmc, 0, sizeof vmc);
    vmc.system = OWN(system)(size ? 140 : 7);
    vmc.walkers = size ? 1 : 5;
    vmc.seed = 5;
    vmc.moves = way % 2 ? CONVK_VMC_MOVE_ALL : CONVK_VMC_MOVE_SINGLE;
    vmc.drift = way / 2;
    vmc.step = 0.1;
    vmc.acceptance = -1;
    status = OF(vmc_state_size)(NULL, &vmc, &bytes);
    if (status) return status;
    state = (OF(vmc_state) *)(void *)flush_take(bytes);
    status = OF(vmc_begin)(NULL, &vmc, NULL, state, bytes);
    if (!status) status = OF(vmc_run)(hw, &vmc, size ? 3 : 40, state, bytes, NULL, 0);
    flush_bytes(state, bytes);
  }
  return status;
}

static const flush_call OWN(calls)[] = {{"sepconv3d", OWN(sepconv3d), 2, FLUSH_SHOWN},
                                        {"magicfilter3d", OWN(magicfilter3d), 2, FLUSH_SHOWN},
                                        {"potential_apply", OWN(potential_apply), 2, FLUSH_SHOWN},
                                        {"conv1d_transpose", OWN(conv1d_transpose), 2, FLUSH_SHOWN},
                                        {"stencil7", OWN(stencil7), 4, FLUSH_SHOWN},
                                        {"stencil7_box", OWN(stencil7_box), 2, FLUSH_SHOWN},
                                        {"exp", OWN(exp), 4, FLUSH_SHOWN | FLUSH_BITS},
                                        {"expm1", OWN(expm1), 4, FLUSH_SHOWN},
                                        {"log", OWN(log), 4, FLUSH_SHOWN},
                                        {"sincos", OWN(sincos), 4, FLUSH_SHOWN},
                                        {"gridpot", OWN(gridpot), 2, FLUSH_SHOWN},
                                        {"gridpot_sum", OWN(gridpot_sum), 2, FLUSH_SHOWN},
                                        {"orbitals", OWN(orbitals), 2, FLUSH_BITS},
                                        {"orbitals_vgl", OWN(orbitals_vgl), 2, FLUSH_BITS},
                                        {"density", OWN(density), 2, 0},
                                        {"formfactor", OWN(formfactor), 2, FLUSH_SHOWN | FLUSH_BITS},
                                        {"formfactor_grid", OWN(formfactor_grid), 2, FLUSH_SHOWN | FLUSH_BITS},
                                        {"formfactor_many", OWN(formfactor_many), 2, FLUSH_SHOWN | FLUSH_BITS},
                                        {"fftconv2d", OWN(fftconv2d), 5, FLUSH_SHOWN},
                                        {"fft2d", OWN(fft2d), 7, FLUSH_SHOWN},
                                        {"pair_potential", OWN(pair_potential), 2, FLUSH_SHOWN | FLUSH_SERIAL},
                                        {"pair_energy", OWN(pair_energy), 2, FLUSH_SHOWN},
                                        {"pair_move", OWN(pair_move), 2, FLUSH_SHOWN | FLUSH_SERIAL},
                                        {"vmc_run", OWN(vmc_run), 2, FLUSH_SHOWN | FLUSH_BITS},
                                        {NULL, NULL, 0, 0}};
#endif
