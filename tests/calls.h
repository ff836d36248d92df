/* SPDX-License-Identifier: MIT
   What tests of several families use: numbers of both types, arrays between pages that fault, ways to run a call, and the calls of
   one family that another one makes.  After variants.h and reference.h. */

#ifndef CONVK_TESTS_CALLS_H
#define CONVK_TESTS_CALLS_H

/* ------------------------------------------------------------------------------------------------------- numbers -- */

typedef struct real_type {
  const char *name;
  size_t size;
  int model;   /* kind of the model's arithmetic */
  double unit; /* 2^-53 or 2^-24: half an ulp of 1 */
} real_type;
static const real_type types[2] = {{"f32", sizeof(float), MODEL_F32, 1.0 / 16777216},
                                   {"f64", sizeof(double), MODEL_F64, 1.0 / 9007199254740992}};

/* Valgrind computes long double in 53 bits; then the reference errs as much as the result. */
static inline int long_double_is_long(void) {
  volatile long double one = 1, little = 1e-18L, sum = one + little;
  return sum != one;
}
static inline double slack(void) { return long_double_is_long() ? 1 : 2; }

static inline double get(int type, const void *p, size_t i) {
  if (type) {
    double x;
    memcpy(&x, (const char *)p + i * sizeof x, sizeof x);
    return x;
  } else {
    float x;
    memcpy(&x, (const char *)p + i * sizeof x, sizeof x);
    return (double)x;
  }
}
static inline void put(int type, void *p, size_t i, double value) {
  if (type) {
    memcpy((char *)p + i * sizeof value, &value, sizeof value);
  } else {
    const float x = (float)value;
    memcpy((char *)p + i * sizeof x, &x, sizeof x);
  }
}
static inline int same(double a, double b) { return (a != a && b != b) || !memcmp(&a, &b, sizeof a); }

static inline void *need(size_t bytes) {
  void *p = malloc(bytes ? bytes : 1);
  if (!p) {
    fprintf(stderr, "out of memory\n");
    exit(2);
  }
  return p;
}
static inline double *reals(size_t n) { return (double *)need(n * sizeof(double)); }

enum { DATA_UNIFORM, DATA_WILD, DATA_SPECIAL };

static inline double draw(int type, int data, uint64_t *rng) {
  double x = random_unit(rng);
  if (data == DATA_WILD) { /* of a Cauchy distribution: all magnitudes */
    x = tan(1.5707 * x);
  } else if (data == DATA_SPECIAL) {
    switch (random_below(rng, 40)) {
      case 0: x = (double)NAN; break;
      case 1: x = (double)INFINITY; break;
      case 2: x = -(double)INFINITY; break;
      case 3: x = -0.0; break;
      case 4: x = 0; break;
      case 5: x *= type ? 4e-310 : 4e-40; break;
      case 6: x *= type ? 1.5e308 : 3e38; break;
      default: break;
    }
  }
  return type ? x : (double)(float)x;
}

static inline double *drawn(int type, int data, size_t n, uint64_t *rng) {
  double *x = reals(n);
  size_t i;
  for (i = 0; i < n; i++) x[i] = draw(type, data, rng);
  return x;
}

static inline long double *widened(const double *x, size_t n) {
  long double *y = (long double *)need(n * sizeof *y);
  size_t i;
  for (i = 0; i < n; i++) y[i] = x[i];
  return y;
}

static inline void rounded(int type, double *x, size_t n) {
  size_t i;
  for (i = 0; i < n && !type; i++) x[i] = (double)(float)x[i];
}

static inline double not_finite(int kind) { return kind == 0 ? (double)NAN : kind == 1 ? (double)INFINITY : -(double)INFINITY; }

#define HUGE_ (SIZE_MAX / 2 + 1)

/* ----------------------------------------------------------------------------------------------- arrays on guard -- */

typedef struct array {
  guard g;
  convk_grid3 given, full; /* pitches as given to the library, and without zeros */
  int type;
} array;

static inline void any_layout(array *a, const size_t n[3], uint64_t *rng) {
  a->given.nx = a->full.nx = n[0];
  a->given.ny = a->full.ny = n[1];
  a->given.nz = a->full.nz = n[2];
  a->given.pitch_y = random_below(rng, 3) ? n[0] + random_below(rng, 6) : 0;
  a->full.pitch_y = a->given.pitch_y ? a->given.pitch_y : n[0];
  /* the smallest pitch_z has no padding behind the last row */
  a->given.pitch_z = random_below(rng, 3) ? (n[1] - 1) * a->full.pitch_y + n[0] + random_below(rng, 9) : 0;
  a->full.pitch_z = a->given.pitch_z ? a->given.pitch_z : n[1] * a->full.pitch_y;
}

/* Packed values, or nothing, at a random place and alignment. */
static inline array array_new(int type, const convk_grid3 *layout, const convk_grid3 *full, const double *values,
                              uint64_t *rng) {
  const size_t span = (full->nz - 1) * full->pitch_z + (full->ny - 1) * full->pitch_y + full->nx, size = types[type].size;
  /* one in four at the beginning of a page, where stores past the cache are possible, or half a cache line behind it, where those
     of the widest vectors are not */
  const int paged = !random_below(rng, 4), side = !paged && random_below(rng, 3) ? AT_END : AT_START;
  const size_t shift = paged ? random_below(rng, 4) ? 0 : 32 / size : random_below(rng, 3) ? 0 : random_below(rng, 16);
  size_t x, y, z;
  array a;
  a.type = type;
  a.given = *layout;
  a.full = *full;
  a.g = guard_new(span * size, side, shift * size);
  for (z = 0; values && z < full->nz; z++)
    for (y = 0; y < full->ny; y++)
      for (x = 0; x < full->nx; x++) put(type, a.g.data, z * full->pitch_z + y * full->pitch_y + x, *values++);
  return a;
}

static inline array array_for(int type, const size_t n[3], const double *values, uint64_t *rng) {
  array a;
  any_layout(&a, n, rng);
  return array_new(type, &a.given, &a.full, values, rng);
}

static inline void array_describe(const char *name, const array *a) {
  describe_more(" %s(%lu,%lu @%u)", name, (unsigned long)a->given.pitch_y, (unsigned long)a->given.pitch_z,
                (unsigned)((uintptr_t)a->g.data % 64));
}

/* The payload has the wanted bits (NULL: is as it was made, without values), padding and surroundings are untouched. */
static inline void array_check(const array *a, const char *name, const double *want) {
  const convk_grid3 *f = &a->full;
  const size_t size = types[a->type].size;
  const unsigned char *data = a->g.data;
  size_t x, y, z, wrong = 0, first = 0;
  double got = 0, wanted = 0;
  if (!guard_intact(&a->g)) fail("%s: memory around the array was written", name);
  if (!want) {
    if (!all_fill(data, data + a->g.bytes)) fail("%s was written", name);
    return;
  }
  for (z = 0; z < f->nz; z++)
    for (y = 0; y < f->ny; y++) {
      const size_t row = z * f->pitch_z + y * f->pitch_y;
      size_t next = y + 1 < f->ny ? row + f->pitch_y : (z + 1) * f->pitch_z;
      if (y + 1 == f->ny && z + 1 == f->nz) next = row + f->nx;
      for (x = 0; x < f->nx; x++, want++) {
        const double value = get(a->type, data, row + x);
        if (!same(value, *want) && !wrong++) {
          first = (z * f->ny + y) * f->nx + x;
          got = value;
          wanted = *want;
        }
      }
      if (!all_fill(data + (row + f->nx) * size, data + next * size))
        fail("%s: padding behind row %lu of plane %lu was written", name, (unsigned long)y, (unsigned long)z);
    }
  if (wrong)
    fail("%s: %lu of %lu wrong, first (%lu,%lu,%lu): %.17g, not %.17g", name, (unsigned long)wrong,
         (unsigned long)(f->nx * f->ny * f->nz), (unsigned long)(first % f->nx), (unsigned long)(first / f->nx % f->ny),
         (unsigned long)(first / f->nx / f->ny), got, wanted);
}

/* Element i, counted as in packed values. */
static inline double array_at(const array *a, size_t i) {
  const convk_grid3 *f = &a->full;
  return get(a->type, a->g.data, i / (f->nx * f->ny) * f->pitch_z + i / f->nx % f->ny * f->pitch_y + i % f->nx);
}

/* ------------------------------------------------------------------------------------------------ ways to run it -- */

enum { WORK_NULL, WORK_EXACT, WORK_ODD, WORK_MORE, WORK_KINDS };

/* Tuning, threads and memory; zeros: defaults. */
typedef struct execution {
  size_t rows, l2;
  int nontemporal, hook, threads, work;
} execution;

static inline execution any_execution(uint64_t *rng) {
  static const size_t rows[] = {0, 0, 1, 3, 8, 9, 16, 1000}, l2[] = {0, 0, 1, 4096, 65536, 1u << 30};
  execution e;
  e.rows = rows[random_below(rng, COUNT_OF(rows))];
  e.l2 = l2[random_below(rng, COUNT_OF(l2))];
  e.nontemporal = random_int(rng, -1, 1);
  e.threads = random_int(rng, 1, 7);
  e.hook = e.threads == 1 ? HOOK_NONE : random_int(rng, HOOK_REVERSED, HOOK_THREADS);
  if (e.hook == HOOK_THREADS && random_below(rng, 4)) e.hook = HOOK_SHUFFLED; /* threads take time to start */
  e.work = (int)random_below(rng, WORK_KINDS);
  return e;
}

static inline void execution_describe(const execution *e) {
  describe_more("; rows %lu l2 %lu nontemporal %d threads %d %s work %d;", (unsigned long)e->rows, (unsigned long)e->l2,
                e->nontemporal, e->threads, hook_names[e->hook], e->work);
}

/* A copy of the variant's handle with these settings; a device's handle itself, which may not be copied. */
static inline convk *handle_for(variant *v, convk *copy, const execution *e, hook *k) {
  convk *hw = &v->hw;
  if (!v->device) {
    *copy = v->hw;
    hw = copy;
  }
  hw->tuning.sepconv_rows = e->rows;
  hw->tuning.nontemporal = e->nontemporal;
  if (e->l2) hw->tuning.l2_bytes = e->l2;
  hw->parallel.threads = e->hook ? e->threads : 0;
  hw->parallel.run = e->hook ? hook_run : NULL;
  hw->parallel.ctx = e->hook ? (void *)k : NULL;
  return hw;
}

typedef struct workspace {
  guard g;
  void *work;
  size_t size;
} workspace;

static inline workspace workspace_new(int kind, size_t bytes, uint64_t *rng) {
  workspace w;
  memset(&w, 0, sizeof w);
  if (kind == WORK_NULL) return w;
  w.size = bytes + (kind == WORK_MORE ? random_below(rng, 200) : 0);
  w.g = guard_new(w.size, kind == WORK_ODD && random_below(rng, 2) ? AT_START : AT_END,
                  kind == WORK_ODD ? 1 + 2 * random_below(rng, 32) : 0);
  w.work = w.g.data;
  return w;
}

static inline void workspace_end(workspace *w) {
  if (!w->work) return;
  if (!guard_intact(&w->g)) fail("memory around the work was written");
  guard_free(&w->g);
}

/* Arguments are good or bad for all variants alike, and nothing may stay allocated. */
static inline void check_status(int status, long live) {
  want_status(status, CONVK_OK);
  want_returned(live);
  if (heap.damaged) fail("memory around an allocation was written");
  heap.damaged = 0;
}

static const execution plain = {0, 0, 0, 0, 0, 0};

/* Through the handle, by the variant's name, and by its name without a handle. */
enum { CALL_HANDLE, CALL_NAMED, CALL_BARE, CALL_KINDS };

/* ------------------------------------------------------------------------------------------------------- results -- */

typedef struct expected {
  double *r, *out, *density, dot, energy;
} expected;

/* In units of the last place of the exact result; of subnormal results the least number.  Infinity stands at the first number
   that is too large, and what lies beyond it too. */
static inline double vmath_error_f32(float y, double want) {
  const double most = 340282366920938463463374607431768211456.; /* 2^128 */
  double got = (double)y, last;
  uint64_t bits;
  if (want != want || got != got) return want != want && got != got ? 0 : HUGE_VAL;
  if (want > most || want < -most) want = want > 0 ? most : -most;
  if (got > most || got < -most) got = got > 0 ? most : -most;
  if (got == want) return signbit(got) == signbit(want) ? 0 : HUGE_VAL;
  memcpy(&bits, &want, sizeof bits);
  bits = bits >> 52 & 0x7ff;
  bits = (bits > 1023 - 126 ? bits : 1023 - 126) - 23;
  bits <<= 52;
  memcpy(&last, &bits, sizeof last);
  return fabs(got - want) / last;
}

static inline double vmath_error_f64(double y, long double want) {
  long double got = (long double)y, most = ldexpl(1, 1024);
  int exponent;
  if (want != want || got != got) return want != want && got != got ? 0 : HUGE_VAL;
  if (LDBL_MAX_EXP > DBL_MAX_EXP) {
    if (want > most || want < -most) want = want > 0 ? most : -most;
    if (got > most || got < -most) got = got > 0 ? most : -most;
  }
  if (got == want) return signbit(got) == signbit(want) ? 0 : HUGE_VAL;
  frexpl(want, &exponent);
  if (exponent < -1021) exponent = -1021;
  return (double)ldexpl(fabsl(got - want), 53 - exponent);
}


/* ------------------------------------------------------------------------------------------------- subnormal numbers -- */

/* Processors keep in mind whether an operation met a subnormal number (2) or would have made one (16). */
#if defined __SSE2__
#include <xmmintrin.h>
enum { SUBNORMAL_SEEN = 1 };
static inline void forget_subnormals(void) { _mm_setcsr(_mm_getcsr() & ~0x3fu); }
static inline unsigned met_subnormals(void) { return _mm_getcsr() & 0x12u; }
#else
enum { SUBNORMAL_SEEN = 0 };
static inline void forget_subnormals(void) {}
static inline unsigned met_subnormals(void) { return 0; }
#endif

/* After forget_subnormals() and a call. */
static inline void want_no_subnormals(int type, const void *results, size_t n) {
  const unsigned met = met_subnormals();
  size_t i;
  if (met) fail("an operation %s", met & 2 ? "met a subnormal number" : "made a subnormal number");
  for (i = 0; i < n; i++) {
    const double y = fabs(get(type, results, i));
    if (y > 0 && y < (type ? DBL_MIN : (double)FLT_MIN)) {
      fail("result %lu is %g", (unsigned long)i, y);
      return;
    }
  }
}

/* -------------------------------------------------------------------------------------- calls of single families -- */

typedef struct any_filter {
  int lo, up;
  const void *taps;
} any_filter;

typedef struct any_epilogue {
  const void *potential;
  void *density;
  double density_factor;
  double *dot, *energy;
  int update;
  double a, b;
} any_epilogue;

typedef struct type_calls {
  const char *name;
  size_t size;
  int model;    /* kind of the model's arithmetic */
  double unit;  /* 2^-53 or 2^-24: half an ulp of 1 */
  double limit; /* of the magic filter, for inputs of at most 1 */
  double l2_limit;
  int (*sepconv3d)(convk *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, const any_filter *filter,
                   const int *boundary, const any_epilogue *epilogue, const void *in, void *out, void *work, size_t work_size);
  int (*magicfilter3d)(convk *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, int direction, const int *boundary,
                       const any_epilogue *epilogue, const void *in, void *out, void *work, size_t work_size);
  int (*potential_apply)(convk *hw, const convk_grid3 *grid, const convk_grid3 *potential_grid, const int *boundary,
                         const void *potential, const void *psi, void *out, double *energy, void *work, size_t work_size);
  int (*conv1d_transpose)(convk *hw, size_t n, size_t ndat, size_t ld_in, size_t ld_out, const any_filter *filter, int boundary,
                          const void *in, void *out, void *work, size_t work_size);
  int (*output_grid)(convk *hw, const convk_grid3 *in_grid, const any_filter *filter, const int *boundary,
                     convk_grid3 *out_grid);
  /* sizes of work; after an error *bytes is as it was */
  int (*sepconv3d_work)(convk *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, const any_filter *filter,
                        const int *boundary, size_t *bytes);
  int (*magicfilter3d_work)(convk *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, int direction,
                            const int *boundary, size_t *bytes);
  int (*potential_work)(convk *hw, const convk_grid3 *grid, const convk_grid3 *potential_grid, const int *boundary,
                        size_t *bytes);
  int (*conv1d_work)(convk *hw, size_t n, size_t ndat, size_t ld_in, size_t ld_out, const any_filter *filter, int boundary,
                     size_t *bytes);
  any_filter (*taps)(int direction);
  /* the variant called by its name, with no handle */
  int (*by_name)(const char *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, int direction, const int *boundary,
                 const void *in, void *out);
} type_calls;

/* Of test_sepconv.c. */
extern const type_calls sepconv_types[2];

enum { E_X = 6, E_Y = 5, E_Z = 4, E_N = 6, E_NDAT = 40, E_ELEMENTS = 3 * E_N * E_NDAT };

typedef struct stencil_call {
  convk *hw;
  const char *name;        /* of the variant, to call it by its name */
  const convk_grid3 *grid; /* NULL: no shape */
  const double *c;         /* of the point, x-, x+, y-, y+, z-, z+ */
  const int *boundary;
  size_t steps;
  int box;
  const size_t *first, *count; /* NULL: no box */
  void *a, *b, **result, *work;
  size_t work_size;
} stencil_call;

typedef struct stencil_type {
  int (*call)(const stencil_call *k);
  int (*work)(convk *hw, const convk_stencil7_shape *shape, size_t steps, size_t *bytes);
  void (*isotropic)(double c0, double c1, double c[7]);
} stencil_type;
/* Of test_stencil.c. */
extern const stencil_type stencil_types[2];

static inline convk_stencil7_shape stencil_shape_of(const convk_grid3 *grid, const int boundary[3]) {
  convk_stencil7_shape shape;
  shape.grid = *grid;
  memcpy(shape.boundary, boundary, sizeof shape.boundary);
  return shape;
}

/* Bytes of work of a good call. */
static inline size_t stencil_need(int type, convk *hw, const convk_grid3 *grid, const int boundary[3], size_t steps) {
  const convk_stencil7_shape shape = stencil_shape_of(grid, boundary);
  size_t bytes = SIZE_MAX;
  if (stencil_types[type].work(hw, &shape, steps, &bytes)) fail("work_size");
  return bytes;
}

/* Arrays at addresses that are no multiple of an element; the sanitizers look how the portable variant reads them. */
#define STENCIL_UNALIGNED CONVK_X86_

typedef struct gauss_call {
  convk *hw;
  const char *name; /* of the variant, to call it by its name */
  int operation;
  int missing; /* NULL is given for: 1 the points, 2 the Gaussians or the set, 3 where derivatives go */
  size_t n, stride;
  const void *x[3];
  const convk_gaussian_options *options;
  /* of gridpot, gridpot_sum */
  const void *center, *alpha;
  size_t m, nsums;
  /* of orbitals and what is made of them */
  size_t nshells, norbitals;
  const convk_shell *shells;
  int planned;      /* by a plan that is made of all this; 2: also of occupations that nobody needs */
  const void *plan; /* or by this */
  const void *occupations;
  void *work;
  size_t work_size;
  /* coefficients and results of both */
  const void *c;
  size_t ldc, ld;
  void *out[5];
} gauss_call;

/* How an element of an array may lie: flush at a page that faults, or some elements or bytes off it. */
static inline size_t any_shift(size_t size, uint64_t *rng) {
  switch (random_below(rng, STENCIL_UNALIGNED ? 3 : 2)) {
    case 0: return 0;
    case 1: return size * random_below(rng, 40);
    default: return random_below(rng, 100);
  }
}

/* Numbers of the type between guard pages, rows of `width` at distance ld, from doubles without gaps. */
static inline guard gauss_array(int type, const double *values, size_t rows, size_t width, size_t ld, uint64_t *rng) {
  const size_t size = types[type].size, distance = ld ? ld : width;
  const size_t bytes = rows && width ? ((rows - 1) * distance + width) * size : 0;
  guard g = guard_new(bytes, (int)random_below(rng, 2), any_shift(size, rng));
  size_t r, i;
  for (r = 0; r < rows && values; r++)
    for (i = 0; i < width; i++) put(type, g.data, r * distance + i, values[r * width + i]);
  return g;
}

static inline void gauss_array_end(guard *g, const char *what) {
  if (!guard_intact(g)) fail("memory around %s was written", what);
  guard_free(g);
}

/* Threads, tuning, and how it is called. */
typedef struct gauss_way {
  execution e;
  size_t l3;
  int call;
} gauss_way;

static inline gauss_way any_gauss_way(uint64_t *rng) {
  static const size_t l3[] = {0, 0, 1, 1000, 20000, 1u << 20};
  gauss_way w;
  w.e = any_execution(rng);
  w.l3 = l3[random_below(rng, COUNT_OF(l3))];
  w.call = (int)random_below(rng, CALL_KINDS);
  return w;
}

static inline void gauss_way_set(gauss_call *k, variant *v, const gauss_way *w, convk *copy, hook *h) {
  static const char *const how[CALL_KINDS] = {"by handle", "by name", "by name, no handle"};
  convk *hw = handle_for(v, copy, &w->e, h);
  const int call = v->device ? CALL_HANDLE : w->call;
  if (w->l3 && !v->device) hw->tuning.l3_bytes = w->l3;
  k->hw = call == CALL_BARE ? NULL : hw;
  k->name = call == CALL_HANDLE ? NULL : v->name;
  describe_more("; %s; l3 %lu", how[call], (unsigned long)w->l3);
  execution_describe(&w->e);
}

/* Through memory: gcc 12 leaves the rounding out where it vectorises several of them. */
static inline double rounded_to(int type, double x) {
  volatile float single = (float)x;
  return type ? x : (double)single;
}

static const gauss_way gauss_plain = {{0, 0, 0, 0, 0, 0}, 0, CALL_HANDLE};

static inline long double power(long double x, int n) {
  long double p = 1;
  for (; n > 0; n--) p *= x;
  return n < 0 ? 0 : p;
}

#define MIB ((size_t)1 << 20)

/* Sizes that a program may set, or a machine claim: none, tiny, strange, an L3 smaller than the L2, and a whole server's. */
static const size_t tune_caches[][3] = {{0, 0, 0},
                                        {1, 1, 1},
                                        {0, 1, 0},
                                        {4096, 20000, 2},
                                        {MIB, 0, 0},
                                        {2 * MIB, MIB, 2},
                                        {2 * MIB, 8 * MIB, 2},
                                        {2 * MIB, 260 * MIB, 2},
                                        {1, 260 * MIB, 999},
                                        {(size_t)-1, (size_t)-1, (size_t)-1},
                                        {0, (size_t)-1, 1},
                                        {(size_t)-1, 0, 0}};

static inline void tune_caches_set(convk *hw, size_t i) {
  hw->tuning.l2_bytes = tune_caches[i][0];
  hw->tuning.l3_bytes = tune_caches[i][1];
  hw->tuning.l3_threads = tune_caches[i][2];
  describe_more("; l2 %lu l3 %lu of %lu threads", (unsigned long)tune_caches[i][0], (unsigned long)tune_caches[i][1],
                (unsigned long)tune_caches[i][2]);
}

/* Of pairs. */
#define VMC_EXPECT(condition) \
  do { \
    if (!(condition)) fail("%s", #condition); \
  } while (0)

static inline int vmc_near(long double a, long double b, long double relative) {
  return fabsl(a - b) <= relative * (fabsl(a) + fabsl(b));
}

/* From the second on. */
static inline void cuts_sort(size_t *cut, size_t count) {
  size_t i, j;
  for (i = 2; i < count; i++)
    for (j = i; j > 1 && cut[j - 1] > cut[j]; j--) {
      const size_t other = cut[j];
      cut[j] = cut[j - 1];
      cut[j - 1] = other;
    }
}

#endif
