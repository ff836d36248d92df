/* SPDX-License-Identifier: MIT
   Tests of the elementary functions of arrays. */
#include <fenv.h>

#include "test.h"

/* ------------------------------------------------------------------- one interface to all functions and precisions -- */

typedef struct vmath_call {
  convk *hw;
  const char *name; /* of the variant, to call it by its name */
  size_t n;
  const void *x;
  void *y, *z; /* z: the second result of those that have two */
} vmath_call;

#define VMATH_NAMED(FN, TYPE, T, HW) \
  if (k->name && !strcmp(k->name, #HW)) status = convk_##FN##_##TYPE##_##HW(k->hw, k->n, (const T *)k->x, VMATH_OUT_##FN(T));
#define VMATH_OUT_exp(T) (T *)k->y
#define VMATH_OUT_expm1(T) (T *)k->y
#define VMATH_OUT_log(T) (T *)k->y
#define VMATH_OUT_sincos(T) (T *)k->y, (T *)k->z

#define VMATH_CALL(FN, TYPE, T) \
  static int vmath_##FN##_##TYPE(const vmath_call *k) { \
    const surroundings s = before_call(); \
    int status = 1; \
    if (!k->name) status = convk_##FN##_##TYPE(k->hw, k->n, (const T *)k->x, VMATH_OUT_##FN(T)); \
    EVERYWHERE(VMATH_NAMED, FN, TYPE, T) \
    after_call(s, k->hw && k->hw->ours.inside.device); \
    return status; \
  }
VMATH_CALL(exp, f32, float)
VMATH_CALL(exp, f64, double)
VMATH_CALL(expm1, f32, float)
VMATH_CALL(expm1, f64, double)
VMATH_CALL(log, f32, float)
VMATH_CALL(log, f64, double)
VMATH_CALL(sincos, f32, float)
VMATH_CALL(sincos, f64, double)

typedef struct vmath_function {
  const char *name;
  int reference, outputs;
  int (*call[2])(const vmath_call *k);
  double limit[2];      /* of the error, in units of the last place, by class */
  double low, high;     /* ordinary arguments */
  unsigned long stride; /* of the floats tried in an ordinary run */
} vmath_function;

#define VMATH_FUNCTION(NAME, REF, OUTPUTS, MULADD, FUSED, LOW, HIGH, STRIDE) \
  { #NAME, REF, OUTPUTS, {vmath_##NAME##_f32, vmath_##NAME##_f64 }, {MULADD, FUSED }, LOW, HIGH, STRIDE }
static const vmath_function vmath_functions[] = {
    VMATH_FUNCTION(exp, REF_EXP, 1, 1, 0.92, -20, 20, 61),
    VMATH_FUNCTION(expm1, REF_EXPM1, 1, 0.95, 0.95, -20, 20, 61),
    VMATH_FUNCTION(log, REF_LOG, 1, 1, 0.93, 0, 100, 61),
    VMATH_FUNCTION(sincos, REF_SINCOS, 2, 0.85, 0.85, -100, 100, 211),
};

/* All NaN are one; all else goes by bits. */
static int vmath_same(int type, const void *a, const void *b, size_t i) {
  const size_t size = types[type].size;
  const char *p = (const char *)a + i * size, *q = (const char *)b + i * size;
  float f, g;
  double d, e;
  if (!memcmp(p, q, size)) return 1;
  if (type) {
    memcpy(&d, p, size);
    memcpy(&e, q, size);
    return d != d && e != e;
  }
  memcpy(&f, p, size);
  memcpy(&g, q, size);
  return f != f && g != g;
}

static double vmath_value(int type, const void *a, size_t i) {
  const size_t size = types[type].size;
  float f;
  double d;
  if (type) memcpy(&d, (const char *)a + i * size, size);
  else {
    memcpy(&f, (const char *)a + i * size, size);
    d = (double)f;
  }
  return d;
}

/* ----------------------------------------------------------------------------------------------------------- accuracy -- */

/* What a thread found, by class; then the same where results are subnormal. */
typedef struct vmath_worst {
  double error[4], at[4];
  size_t elements, different;
  double where;
  const char *who;
} vmath_worst;

enum { VMATH_BLOCK = 2048, VMATH_THIN = 16 }; /* of the blocks, devices get every so many */

/* Arguments by number, in blocks that threads take; the first variant of each class goes to the reference, the others must give
   its bits. */
typedef struct vmath_sweep {
  const vmath_function *f;
  int type;
  void (*arguments)(const struct vmath_sweep *s, size_t block, void *x);
  uint64_t first, stride; /* of the bits of floats */
  double low, high;
  const double *list;
  uint64_t seed;
  pthread_mutex_t lock;
  vmath_worst worst;
} vmath_sweep;

static void vmath_sweep_block(void *arg, size_t block) {
  vmath_sweep *s = (vmath_sweep *)arg;
  const size_t size = types[s->type].size;
  union {
    float f[VMATH_BLOCK];
    double d[VMATH_BLOCK];
  } x, y[2][2], z[2];
  double want[2][VMATH_BLOCK];
  long double longer[2][VMATH_BLOCK];
  vmath_worst worst;
  const char *first[2] = {NULL, NULL};
  size_t v, i;
  int o, c;
  for (v = 0; v < variant_count; v++)
    if (variants[v].open && (!variants[v].device || block % VMATH_THIN == 0)) break;
  if (v == variant_count) return;
  memset(&worst, 0, sizeof worst);
  worst.elements = VMATH_BLOCK;
  s->arguments(s, block, &x);
  for (i = 0; i < VMATH_BLOCK && !s->type; i++) {
    double r[2] = {0, 0};
    ref_math_f32(s->f->reference, (double)x.f[i], r);
    for (o = 0; o < s->f->outputs; o++) want[o][i] = r[o];
  }
  for (i = 0; i < VMATH_BLOCK && s->type; i++) {
    long double r[2] = {0, 0};
    ref_math_f64(s->f->reference, (long double)x.d[i], r);
    for (o = 0; o < s->f->outputs; o++) longer[o][i] = r[o];
  }
  for (v = 0; v < variant_count; v++) {
    const int device = variants[v].device;
    int again, status;
    vmath_call k;
    c = variants[v].fused;
    again = first[c] != NULL;
    if (!variants[v].open || (device && block % VMATH_THIN)) continue;
    k.hw = device ? &variants[v].hw : NULL;
    k.name = variants[v].name;
    k.n = VMATH_BLOCK;
    k.x = &x;
    k.y = again ? &z[0] : &y[c][0];
    k.z = again ? &z[1] : &y[c][1];
    if (device) pthread_mutex_lock(&s->lock); /* one thread at a time */
    status = s->f->call[s->type](&k);
    if (device) pthread_mutex_unlock(&s->lock);
    if (status) exit(2);
    if (!again) first[c] = k.name;
    else
      for (o = 0; o < s->f->outputs; o++)
        if (memcmp(&z[o], &y[c][o], VMATH_BLOCK * size))
          for (i = 0; i < VMATH_BLOCK; i++)
            if (!vmath_same(s->type, &z[o], &y[c][o], i)) {
              worst.different++;
              worst.where = vmath_value(s->type, &x, i);
              worst.who = k.name;
            }
  }
  for (o = 0; o < s->f->outputs; o++)
    for (c = 0; c < 2; c++)
      for (i = 0; i < VMATH_BLOCK && first[c]; i++) {
        const double error = s->type ? vmath_error_f64(y[c][o].d[i], longer[o][i]) : vmath_error_f32(y[c][o].f[i], want[o][i]);
        const int subnormal = s->type ? fabsl(longer[o][i]) < (long double)DBL_MIN : fabs(want[o][i]) < (double)FLT_MIN;
        if (error > worst.error[c + 2 * subnormal]) {
          worst.error[c + 2 * subnormal] = error;
          worst.at[c + 2 * subnormal] = vmath_value(s->type, &x, i);
        }
      }
  pthread_mutex_lock(&s->lock);
  for (o = 0; o < 4; o++)
    if (worst.error[o] > s->worst.error[o]) {
      s->worst.error[o] = worst.error[o];
      s->worst.at[o] = worst.at[o];
    }
  s->worst.elements += worst.elements;
  s->worst.different += worst.different;
  if (worst.different) {
    s->worst.where = worst.where;
    s->worst.who = worst.who;
  }
  pthread_mutex_unlock(&s->lock);
}

static void vmath_sweep_run(vmath_sweep *s, size_t blocks) {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  hook k = hook_new(HOOK_THREADS, cores < 1 ? 1 : cores > 16 ? 16 : (int)cores, 1);
  size_t v;
  int classes[2] = {0, 0};
  memset(&s->worst, 0, sizeof s->worst);
  pthread_mutex_init(&s->lock, NULL);
  for (v = 0; v < variant_count; v++)
    if (variants[v].open) classes[variants[v].fused]++;
  if (!classes[0] && !classes[1]) return;
  hook_run(&k, blocks, vmath_sweep_block, s);
  suite.operation = s->f->name;
  begin_case();
  if (s->worst.different)
    fail("%lu results of %s are not those of its class; one is at %.17g (%a)", (unsigned long)s->worst.different, s->worst.who,
         s->worst.where, s->worst.where);
  end_case();
  for (v = 0; v < variant_count; v++) {
    const int c = variants[v].fused;
    /* without longer doubles the C library's expm1 errs by 2 ulp itself */
    const double limit = s->f->limit[c] * (long_double_is_long() || s->f->reference != REF_EXPM1 ? slack() : 4);
    if (!variants[v].open) continue;
    use_variant(&variants[v]);
    begin_case();
    if (s->worst.error[c] > limit) fail("error %.4f ulp at %.17g (%a)", s->worst.error[c], s->worst.at[c], s->worst.at[c]);
    if (s->worst.error[c + 2] > 0.93 * slack())
      fail("error %.4f ulp at %.17g (%a), where results are subnormal", s->worst.error[c + 2], s->worst.at[c + 2],
           s->worst.at[c + 2]);
    error_note("ulp", s->worst.error[c], limit, s->worst.error[c], 0, 0, s->worst.elements);
    end_case();
  }
  suite.variant = NULL;
}

/* Every so many of all floats. */
static void vmath_bits(const vmath_sweep *s, size_t block, void *x) {
  size_t i;
  for (i = 0; i < VMATH_BLOCK; i++) {
    const uint32_t bits = (uint32_t)(s->first + (block * VMATH_BLOCK + i) * s->stride);
    memcpy((char *)x + 4 * i, &bits, 4);
  }
}

static void vmath_exhaustive(int type) {
  uint64_t rng = random_seed(suite.test);
  size_t f;
  if (type) return;
  for (f = 0; f < COUNT_OF(vmath_functions); f++) {
    vmath_sweep s;
    memset(&s, 0, sizeof s);
    s.f = &vmath_functions[f];
    s.arguments = vmath_bits;
    s.stride = suite.full ? 1 : s.f->stride * (suite.level == LEVEL_BRIEF ? 97 : ONE_OF(23, 5));
    s.first = random_below(&rng, (size_t)s.stride);
    describe("every %lu-th float", (unsigned long)s.stride);
    vmath_sweep_run(&s, (size_t)(UINT64_C(4294967296) / VMATH_BLOCK / s.stride) + 1);
  }
}

/* Uniform in a range; with equal ends: any bits. */
static void vmath_uniform(const vmath_sweep *s, size_t block, void *x) {
  uint64_t rng = s->seed + block * UINT64_C(0x632be59bd9b4e019);
  size_t i;
  for (i = 0; i < VMATH_BLOCK; i++) {
    double value = s->low + (s->high - s->low) * (0.5 + 0.5 * random_unit(&rng));
    if (s->low >= s->high) {
      const uint64_t bits = random64(&rng);
      memcpy(&value, &bits, sizeof value);
    }
    put(s->type, x, i, value);
  }
}

/* Numbers of either sign and of any magnitude between two. */
static void vmath_magnitudes(const vmath_sweep *s, size_t block, void *x) {
  uint64_t rng = s->seed + block * UINT64_C(0x632be59bd9b4e019);
  size_t i;
  for (i = 0; i < VMATH_BLOCK; i++) {
    const double value = exp(s->low + (s->high - s->low) * (0.5 + 0.5 * random_unit(&rng)));
    put(s->type, x, i, random64(&rng) & 1 ? value : -value);
  }
}

static const struct {
  int reference;
  double low, high;
} vmath_ranges[] = {{REF_EXP, -1, 1},         {REF_EXP, -30, 30},    {REF_EXP, -745.2, -700}, {REF_EXP, -745.2, 709.8},
                    {REF_EXPM1, -1e-3, 1e-3}, {REF_EXPM1, -1, 1},    {REF_EXPM1, -40, 40},    {REF_EXPM1, 0, 709.8},
                    {REF_LOG, 0.99, 1.01},    {REF_LOG, 0.5, 2},     {REF_LOG, 0, 100},       {REF_LOG, 0, 1e-307},
                    {REF_SINCOS, -1, 1},      {REF_SINCOS, -10, 10}, {REF_SINCOS, -1e5, 1e5}, {REF_SINCOS, -1.1e9, 1.1e9}};

static void vmath_random(int type) {
  const size_t blocks = (suite.quick ? 200000 : 2000000 / ONE_OF(1, 4)) / VMATH_BLOCK / 4;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t f, r;
  for (f = 0; f < COUNT_OF(vmath_functions) && type; f++) { /* floats are tried one and all, below */
    vmath_sweep s;
    memset(&s, 0, sizeof s);
    s.f = &vmath_functions[f];
    s.type = type;
    s.arguments = vmath_uniform;
    for (r = 0; r < COUNT_OF(vmath_ranges); r++) {
      if (vmath_ranges[r].reference != s.f->reference) continue;
      s.low = vmath_ranges[r].low;
      s.high = vmath_ranges[r].high;
      s.seed = random64(&rng);
      describe("uniform from %g to %g", s.low, s.high);
      vmath_sweep_run(&s, blocks);
    }
    s.low = s.high = 0;
    s.seed = random64(&rng);
    describe("any bits");
    vmath_sweep_run(&s, blocks);
    s.arguments = vmath_magnitudes;
    s.low = -745;
    s.high = 709;
    describe("any magnitude");
    vmath_sweep_run(&s, blocks);
    s.low = -40;
    s.high = 10;
    describe("magnitudes around 1");
    vmath_sweep_run(&s, blocks);
  }
}

/* ----------------------------------------------------------------------------------- where branches and roundings meet -- */

enum { VMATH_AROUND = 16 }; /* neighbours of a point that are tried, on either side */

static void vmath_around(const vmath_sweep *s, size_t block, void *x) {
  size_t i;
  for (i = 0; i < VMATH_BLOCK; i++) {
    const size_t at = block * VMATH_BLOCK + i;
    const double centre = s->list[at / (2 * VMATH_AROUND) % (size_t)s->stride];
    const int shift = (int)(at % (2 * VMATH_AROUND)) - VMATH_AROUND;
    float f = (float)centre;
    double d = centre;
    if (s->type) {
      uint64_t bits;
      memcpy(&bits, &d, sizeof bits);
      bits += (uint64_t)(int64_t)shift;
      memcpy(&d, &bits, sizeof d);
    } else {
      uint32_t bits;
      memcpy(&bits, &f, sizeof bits);
      bits += (uint32_t)shift;
      memcpy(&f, &bits, sizeof f);
      d = (double)f;
    }
    put(s->type, x, i, d);
  }
}

static void vmath_hard(int type) {
  static double list[1 << 16];
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const long double ln2 = 0.693147180559945309417232121458176568L, quarter_pi = 0.785398163397448309615660845819875721L;
  const size_t some = suite.quick ? 512 : 16384;
  size_t f, n, i;
  for (f = 0; f < COUNT_OF(vmath_functions); f++) {
    static const double fixed[] = {
        0, 1, 0.5, 0.75, 1.5, 2, 4, 0.70710678118654752, 1.4142135623730951, 88.722839, 88.37626, 88.0297, 103.9721, 103.2789,
        87.33655, 709.7827128933841, 709.0895657128241, 745.1332191019412, 744.4400719213813, 708.3964185322641, 17.32868,
        16.63553, 37.42994775023705, 36.73680056967710, 1e5, 131072, 1e9, 1073741824., 1e22, 1e-4, 1e-8, 1e-16, 1e-38, 1e-300,
        /* the largest numbers next to a multiple of pi / 2; floats of which 24 digits of what is left are 0 */
        5.319372648326541e+255, 7.729178919452902e+28, 2435741.75, 1012974528,
        /* close to one, where a carry between the words of the product with 2 / pi counts */
        2.2961287578695901e+125};
    vmath_sweep s;
    memset(&s, 0, sizeof s);
    s.f = &vmath_functions[f];
    s.type = type;
    s.arguments = vmath_around;
    s.list = list;
    for (n = 0; n < COUNT_OF(fixed); n++) {
      list[2 * n] = fixed[n];
      list[2 * n + 1] = -fixed[n];
    }
    n *= 2;
    for (i = 0; i < some; i++) { /* where n in x = n ln 2 + r changes, and where r vanishes; powers of two and their like */
      const int k = random_int(&rng, -2200, 2200);
      list[n++] = (double)((long double)k / 2 * ln2);
      list[n++] = ldexp(1 + 0.5 * (double)random_below(&rng, 2), random_int(&rng, -1074, 1023));
      if (s.f->reference == REF_SINCOS) { /* multiples of pi / 4, small ones and up to the largest that doubles resolve */
        const double most = i % 3 == 0 ? 1000 : i % 3 == 1 ? 1.6e9 : 1e15;
        list[n - 2] = (double)(floorl((long double)(most * random_unit(&rng))) * quarter_pi);
      }
    }
    s.stride = n;
    describe("around %lu points", (unsigned long)n);
    vmath_sweep_run(&s, n * 2 * VMATH_AROUND / VMATH_BLOCK + 1);
  }
}

/* ------------------------------------------------------------------------------------------------------ special values -- */

#define VMATH_NAN_ ((double)NAN)
static const struct {
  int reference;
  double x, y, z;
} vmath_special_values[] = {
    {REF_EXP, 0, 1, 0},
    {REF_EXP, -0., 1, 0},
    {REF_EXP, 1e-30, 1, 0},
    {REF_EXP, -1e-30, 1, 0},
    {REF_EXP, 1e30, HUGE_VAL, 0},
    {REF_EXP, -1e30, 0, 0},
    {REF_EXP, HUGE_VAL, HUGE_VAL, 0},
    {REF_EXP, -HUGE_VAL, 0, 0},
    {REF_EXP, VMATH_NAN_, VMATH_NAN_, 0},
    {REF_EXPM1, 0, 0, 0},
    {REF_EXPM1, -0., -0., 0},
    {REF_EXPM1, 1e-30, 1e-30, 0},
    {REF_EXPM1, -1e-30, -1e-30, 0},
    {REF_EXPM1, 1e-44, 1e-44, 0},
    {REF_EXPM1, -1e-44, -1e-44, 0},
    {REF_EXPM1, 1e30, HUGE_VAL, 0},
    {REF_EXPM1, -1e30, -1, 0},
    {REF_EXPM1, -38, -1, 0},
    {REF_EXPM1, HUGE_VAL, HUGE_VAL, 0},
    {REF_EXPM1, -HUGE_VAL, -1, 0},
    {REF_EXPM1, VMATH_NAN_, VMATH_NAN_, 0},
    {REF_LOG, 0, -HUGE_VAL, 0},
    {REF_LOG, -0., -HUGE_VAL, 0},
    {REF_LOG, 1, 0, 0},
    {REF_LOG, -1, VMATH_NAN_, 0},
    {REF_LOG, -1e-44, VMATH_NAN_, 0},
    {REF_LOG, -1e30, VMATH_NAN_, 0},
    {REF_LOG, HUGE_VAL, HUGE_VAL, 0},
    {REF_LOG, -HUGE_VAL, VMATH_NAN_, 0},
    {REF_LOG, VMATH_NAN_, VMATH_NAN_, 0},
    {REF_SINCOS, 0, 0, 1},
    {REF_SINCOS, -0., -0., 1},
    {REF_SINCOS, 1e-30, 1e-30, 1},
    {REF_SINCOS, -1e-30, -1e-30, 1},
    {REF_SINCOS, 1e-44, 1e-44, 1},
    {REF_SINCOS, HUGE_VAL, VMATH_NAN_, VMATH_NAN_},
    {REF_SINCOS, -HUGE_VAL, VMATH_NAN_, VMATH_NAN_},
    {REF_SINCOS, VMATH_NAN_, VMATH_NAN_, VMATH_NAN_},
};

/* Each of them, alone and in every place among others. */
static void vmath_special(int type) {
  enum { MOST = 37 };
  const size_t size = types[type].size;
  size_t f, r, at, number, i;
  variant *v;
  for (f = 0; f < COUNT_OF(vmath_functions); f++)
    for (number = 0; (v = next_variant(&number, 0)) != NULL;) {
      suite.operation = vmath_functions[f].name;
      for (r = 0; r < COUNT_OF(vmath_special_values); r++) {
        const double want[2] = {vmath_special_values[r].y, vmath_special_values[r].z}, given = vmath_special_values[r].x;
        if (vmath_special_values[r].reference != vmath_functions[f].reference) continue;
        describe("at %g", given);
        begin_case();
        for (at = 0; at < MOST; at++) {
          double x[MOST], y[2][MOST], alone[2];
          char right[2][8];
          vmath_call k;
          int o;
          for (i = 0; i < MOST; i++) put(type, x, i, i == at ? given : 0.25 + (double)i);
          k.hw = &v->hw;
          k.name = NULL;
          k.n = MOST;
          k.x = x;
          k.y = y[0];
          k.z = y[1];
          if (vmath_functions[f].call[type](&k)) fail("status");
          k.n = 1;
          k.x = (const char *)x + at * size;
          k.y = &alone[0];
          k.z = &alone[1];
          if (vmath_functions[f].call[type](&k)) fail("status");
          for (o = 0; o < vmath_functions[f].outputs; o++) {
            put(type, right[o], 0, want[o]);
            if (!vmath_same(type, (const char *)y[o] + at * size, right[o], 0) || !vmath_same(type, &alone[o], right[o], 0))
              fail("at place %lu, result %d: %g, alone %g, not %g", (unsigned long)at, o, vmath_value(type, y[o], at),
                   vmath_value(type, &alone[o], 0), want[o]);
          }
        }
        end_case();
      }
    }
}

/* ------------------------------------------------------------------------- sizes, addresses, threads, and in place -- */

/* Arguments and the results of each class, made one by one; where a device is alone in its class, by the processor if it can. */
typedef struct vmath_problem {
  int type;
  const vmath_function *f;
  size_t n;
  void *x, *y[2][2];
  const char *first[2];
} vmath_problem;

static void vmath_problem_start(vmath_problem *p, int type, const vmath_function *f, size_t n, uint64_t *rng) {
  const size_t size = types[type].size;
  size_t i, v;
  int c;
  memset(p, 0, sizeof *p);
  p->type = type;
  p->f = f;
  p->n = n;
  p->x = need((n + 1) * size);
  for (i = 0; i < n; i++) {
    static const double odd[] = {0, -0., HUGE_VAL, -HUGE_VAL, (double)NAN, 1, -1, 1e-40, -1e-40, 1e5, 1e30, -1e30};
    const size_t which = random_below(rng, 100);
    put(type, p->x, i, which < COUNT_OF(odd) ? odd[which] : f->low + (f->high - f->low) * (0.5 + 0.5 * random_unit(rng)));
  }
  for (v = 0; v < variant_count; v++) {
    vmath_call k;
    convk cpu;
    c = variants[v].fused;
    if (!variants[v].open || p->first[c]) continue;
    p->first[c] = variants[v].name;
    k.hw = NULL;
    if (variants[v].device) {
      k.hw = &variants[v].hw;
      if (!convk_open(&cpu, "avx2")) {
        p->first[c] = "avx2";
        k.hw = NULL;
        convk_close(&cpu);
      }
    }
    p->y[c][0] = need((n + 1) * size);
    p->y[c][1] = need((n + 1) * size);
    k.name = p->first[c];
    k.n = k.hw ? n : 1;
    for (i = 0; i < n; i += k.n) {
      k.x = (const char *)p->x + i * size;
      k.y = (char *)p->y[c][0] + i * size;
      k.z = (char *)p->y[c][1] + i * size;
      if (f->call[type](&k)) fail("status");
    }
  }
}

static void vmath_problem_free(vmath_problem *p) {
  int c;
  for (c = 0; c < 2; c++) {
    free(p->y[c][0]);
    free(p->y[c][1]);
  }
  free(p->x);
}

/* Apart, or the first or the second result in place of the argument. */
enum { PLACE_APART, PLACE_FIRST, PLACE_SECOND, PLACE_KINDS };

static void vmath_try(const vmath_problem *p, const variant *v, convk *hw, const char *name, int place, int side,
                      const size_t shift[3]) {
  const size_t size = types[p->type].size, bytes = p->n * size;
  guard g[3];
  vmath_call k;
  size_t i, o;
  begin_case();
  for (i = 0; i < 3; i++) g[i] = guard_new(bytes, side, shift[i]);
  memcpy(g[0].data, p->x, bytes);
  k.hw = hw;
  k.name = name;
  k.n = p->n;
  k.x = g[0].data;
  k.y = place == PLACE_FIRST ? g[0].data : g[1].data;
  k.z = place == PLACE_SECOND ? g[0].data : g[2].data;
  if (p->f->call[p->type](&k)) fail("status");
  for (o = 0; o < (size_t)p->f->outputs; o++)
    for (i = 0; i < p->n; i++)
      if (!vmath_same(p->type, o ? k.z : k.y, p->y[v->fused][o], i))
        fail("result %lu at %lu of %.17g: %.17g, not %.17g", (unsigned long)o, (unsigned long)i, vmath_value(p->type, p->x, i),
             vmath_value(p->type, o ? k.z : k.y, i), vmath_value(p->type, p->y[v->fused][o], i));
  if (place == PLACE_APART && memcmp(g[0].data, p->x, bytes)) fail("the arguments changed");
  if (place == PLACE_FIRST && !all_fill(g[1].data, g[1].data + bytes)) fail("an array that was not given was written");
  if ((place == PLACE_SECOND || p->f->outputs < 2) && !all_fill(g[2].data, g[2].data + bytes))
    fail("an array that was not given was written");
  for (i = 0; i < 3; i++) {
    if (!guard_intact(&g[i])) fail("written beyond array %lu", (unsigned long)i);
    guard_free(&g[i]);
  }
  end_case();
}

static void vmath_shapes(int type) {
  static const size_t sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 101, 257, 1009, 4099};
  const size_t size = types[type].size;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t f, s, number;
  variant *v;
  for (f = 0; f < COUNT_OF(vmath_functions); f++)
    for (s = 0; s < COUNT_OF(sizes); s++) {
      vmath_problem p;
      suite.operation = vmath_functions[f].name;
      vmath_problem_start(&p, type, &vmath_functions[f], sizes[s], &rng);
      for (number = 0; (v = next_variant(&number, 0)) != NULL;) {
        int place, way;
        for (place = 0; place <= vmath_functions[f].outputs; place++)
          for (way = 0; way < (v->device ? CALL_BARE : CALL_KINDS); way++) {
            const int side = (int)random_below(&rng, 2);
            size_t shift[3], i;
            for (i = 0; i < 3; i++) shift[i] = way ? size * random_below(&rng, 64) : 0;
            describe("%lu elements, place %d, %s", (unsigned long)sizes[s], place,
                     way == CALL_HANDLE  ? "by handle"
                     : way == CALL_NAMED ? "by name"
                                         : "by name, no handle");
            vmath_try(&p, v, way == CALL_BARE ? NULL : &v->hw, way == CALL_HANDLE ? NULL : v->name, place, side, shift);
          }
#if STENCIL_UNALIGNED
        {
          size_t shift[3], i;
          for (i = 0; i < 3; i++) shift[i] = random_below(&rng, 100);
          describe("%lu elements, at any address", (unsigned long)sizes[s]);
          vmath_try(&p, v, &v->hw, NULL, PLACE_APART, AT_START, shift);
        }
#endif
      }
      vmath_problem_free(&p);
    }
}

static void vmath_threads(int type) {
  static const size_t sizes[] = {1000, 8191, 8192, 70011, 100003};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t f, s, number;
  variant *v;
  for (f = 0; f < COUNT_OF(vmath_functions); f++)
    for (s = 0; s < COUNT_OF(sizes); s++) {
      vmath_problem p;
      if (suite.quick && s % 2 == 0 && s > 0) continue;
      suite.operation = vmath_functions[f].name;
      vmath_problem_start(&p, type, &vmath_functions[f], sizes[s], &rng);
      for (number = 0; (v = next_variant(&number, 0)) != NULL;) {
        int kind;
        if (v->device) continue;
        for (kind = HOOK_REVERSED; kind <= HOOK_THREADS; kind++) {
          static const size_t none[3] = {0, 0, 0};
          const int threads = 1 + (int)random_below(&rng, 7);
          hook k = hook_new(kind, threads, random64(&rng));
          convk copy = v->hw;
          copy.parallel.threads = threads;
          copy.parallel.run = hook_run;
          copy.parallel.ctx = &k;
          describe("%lu elements, %d threads, %s", (unsigned long)sizes[s], threads, hook_names[kind]);
          vmath_try(&p, v, &copy, random_below(&rng, 2) ? v->name : NULL, (int)random_below(&rng, 2), AT_END, none);
          begin_case();
          if (sizes[s] > 30000 && threads > 1 && k.most < 2) fail("most tasks %lu", (unsigned long)k.most);
          if (k.most > (size_t)threads) fail("%lu tasks for %d threads", (unsigned long)k.most, threads);
          end_case();
        }
      }
      vmath_problem_free(&p);
    }
}

/* -------------------------------------------------------------------------------------------------------------- errors -- */

/* text: what the handle says of it, where "y" is the first result and "z" the second. */
static void vmath_expect(const vmath_function *f, int type, const vmath_call *k, int wanted, const char *text, const char *what,
                         const guard *g) {
  char said[64] = "", *to = said;
  int status, i;
  for (; text && *text; text++) /* sincos has s and c */
    *to++ = f->outputs > 1 && *text == 'y' ? 's' : *text == 'z' ? 'c' : *text;
  *to = 0;
  describe("%s", what);
  begin_case();
  status = f->call[type](k);
  want_status(status, wanted);
  if (wanted != CONVK_ERR_HANDLE && k->hw) want_said(k->hw->message, status, said);
  for (i = 0; i < 3 && wanted; i++)
    if (!all_fill(g[i].low, g[i].high)) fail("array %d was written", i);
  for (i = 0; i < 3; i++) memset(g[i].low, FILL_, (size_t)(g[i].high - g[i].low));
  end_case();
}
#define VMATH_SPOIL(wanted, text, change) \
  do { \
    vmath_call k = good; \
    copy = v->hw; \
    change; \
    vmath_expect(&vmath_functions[f], type, &k, wanted, text, #change, g); \
  } while (0)

static void vmath_errors(int type) {
  const size_t size = types[type].size, n = 50, bytes = n * size;
  size_t f, number, i;
  variant *v;
  for (f = 0; f < COUNT_OF(vmath_functions); f++)
    for (number = 0; (v = next_variant(&number, 0)) != NULL;) {
      guard g[3];
      vmath_call good;
      convk copy;
      int named;
      suite.operation = vmath_functions[f].name;
      for (i = 0; i < 3; i++) g[i] = guard_new(3 * bytes, AT_END, 0);
      good.hw = &v->hw;
      good.name = NULL;
      good.n = n;
      good.x = g[0].data;
      good.y = g[1].data;
      good.z = g[2].data;
      for (named = 0; named < 2; named++) {
        hook failing = hook_new(HOOK_FAILS, 3, 1);
        if (named) good.name = v->name;
        VMATH_SPOIL(CONVK_OK, NULL, (void)k);
        VMATH_SPOIL(CONVK_OK, NULL, k.n = 0);
        VMATH_SPOIL(named && !v->device ? CONVK_OK : CONVK_ERR_NULL, NULL, k.hw = NULL);
        VMATH_SPOIL(CONVK_ERR_HANDLE, NULL, copy.version += 100; k.hw = &copy);
        VMATH_SPOIL(CONVK_ERR_HANDLE, NULL, copy.size--; k.hw = &copy);
        VMATH_SPOIL(CONVK_ERR_HANDLE, NULL, memset(&copy, 0, sizeof copy); k.hw = &copy);
        VMATH_SPOIL(CONVK_ERR_NULL, "x is NULL", k.x = NULL);
        VMATH_SPOIL(CONVK_ERR_NULL, "y is NULL", k.y = NULL);
        VMATH_SPOIL(CONVK_ERR_NULL, "x is NULL", k.x = NULL; k.n = 0);
        VMATH_SPOIL(CONVK_ERR_OVERFLOW, "n is too large", k.n = SIZE_MAX);
        VMATH_SPOIL(CONVK_ERR_OVERFLOW, "n is too large", k.n = SIZE_MAX / size + 1);
        VMATH_SPOIL(CONVK_OK, NULL, k.y = g[0].data);
        VMATH_SPOIL(CONVK_ERR_OVERLAP, "x overlaps y", k.y = g[0].data + size);
        VMATH_SPOIL(CONVK_ERR_OVERLAP, "x overlaps y", k.y = g[0].data + bytes - 1);
        VMATH_SPOIL(CONVK_OK, NULL, k.y = g[0].data + bytes);
        VMATH_SPOIL(CONVK_ERR_OVERLAP, "x overlaps y", k.x = g[1].data + size);
        VMATH_SPOIL(CONVK_ERR_OVERLAP, "x overlaps y", k.x = g[1].data + 1);
        VMATH_SPOIL(CONVK_OK, NULL, k.x = g[1].data + bytes);
        if (vmath_functions[f].outputs > 1) {
          VMATH_SPOIL(CONVK_ERR_NULL, "z is NULL", k.z = NULL);
          VMATH_SPOIL(CONVK_OK, NULL, k.z = g[0].data);
          VMATH_SPOIL(CONVK_ERR_OVERLAP, "x overlaps z", k.z = g[0].data + size);
          VMATH_SPOIL(CONVK_ERR_OVERLAP, "y overlaps z", k.z = g[1].data);
          VMATH_SPOIL(CONVK_ERR_OVERLAP, "y overlaps z", k.z = g[1].data + bytes - size);
          VMATH_SPOIL(CONVK_OK, NULL, k.z = g[1].data + bytes);
          VMATH_SPOIL(CONVK_ERR_OVERLAP, "y overlaps z", k.y = g[0].data; k.z = g[0].data);
          VMATH_SPOIL(CONVK_ERR_NULL, "z is NULL", k.y = g[0].data + size; k.z = NULL);
        }
        VMATH_SPOIL(CONVK_ERR_HANDLE, NULL, copy.size = 0; k.hw = &copy; k.x = NULL);
        VMATH_SPOIL(CONVK_ERR_NULL, "x is NULL", k.x = NULL; k.n = SIZE_MAX);
        VMATH_SPOIL(CONVK_ERR_OVERFLOW, "n is too large", k.y = g[0].data + size; k.n = SIZE_MAX);
        copy.parallel.threads = 3;
        if (!v->device) {
          static double big[2][50000];
          vmath_call k = good;
          int status;
          copy = v->hw;
          copy.parallel.threads = 3;
          copy.parallel.run = hook_run;
          copy.parallel.ctx = &failing;
          k.hw = &copy;
          k.x = k.y = big[0];
          k.z = big[1];
          k.n = 50000;
          describe("a thread hook that fails");
          begin_case();
          status = vmath_functions[f].call[type](&k);
          want_status(status, CONVK_ERR_THREADS);
          end_case();
        }
      }
      for (i = 0; i < 3; i++) {
        describe("arrays");
        begin_case();
        if (!guard_intact(&g[i])) fail("written beyond array %lu", (unsigned long)i);
        end_case();
        guard_free(&g[i]);
      }
    }
}

/* ---- calls on device memory: what they refuse, and what they say of it ---- */

#if defined CONVK_CL_H_ || defined CONVK_CUDA_H_
enum { VMATH_THERE = 300, VMATH_NOWHERE = -1 }; /* elements of one piece of memory; no array */

/* Elements at which the arrays begin. */
typedef struct vmath_there {
  size_t n;
  int x, y, z, outputs, status; /* outputs: of functions with so many, 0: of all */
  const char *text;             /* of a function with one result */
} vmath_there;
static const vmath_there vmath_there_cases[] = {
    {50, 0, 100, 200, 0, CONVK_OK, NULL},
    {0, 0, 100, 200, 0, CONVK_OK, NULL},
    {50, 0, 0, 200, 0, CONVK_OK, NULL},
    {50, 0, 50, 100, 0, CONVK_OK, NULL},
    {50, 100, 50, 0, 0, CONVK_OK, NULL},
    {50, VMATH_NOWHERE, 100, 200, 0, CONVK_ERR_NULL, "x is NULL"},
    {0, VMATH_NOWHERE, 100, 200, 0, CONVK_ERR_NULL, "x is NULL"},
    {50, 0, VMATH_NOWHERE, 200, 0, CONVK_ERR_NULL, "y is NULL"},
    {50, 0, 100, VMATH_NOWHERE, 2, CONVK_ERR_NULL, "z is NULL"},
    {50, 0, 49, 200, 0, CONVK_ERR_OVERLAP, "x overlaps y"},
    {50, 49, 0, 200, 0, CONVK_ERR_OVERLAP, "x overlaps y"},
    {50, 0, 1, 200, 0, CONVK_ERR_OVERLAP, "x overlaps y"},
    {50, 0, 100, 149, 2, CONVK_ERR_OVERLAP, "y overlaps z"},
    {50, 0, 100, 100, 2, CONVK_ERR_OVERLAP, "y overlaps z"},
    {50, 0, 100, 1, 2, CONVK_ERR_OVERLAP, "x overlaps z"},
    {50, 0, 0, 0, 2, CONVK_ERR_OVERLAP, "y overlaps z"},
    {SIZE_MAX, 0, 100, 200, 0, CONVK_ERR_OVERFLOW, "x"},
    {SIZE_MAX / 4 + 2, 0, 100, 200, 0, CONVK_ERR_OVERFLOW, "x"},
};

static void vmath_there_want(int status, int wanted, const char *message, const char *text, int outputs) {
  char said[64] = "", *to = said;
  for (; text && *text; text++) *to++ = outputs > 1 && *text == 'y' ? 's' : *text == 'z' ? 'c' : *text;
  *to = 0;
  want_status(status, wanted);
  if (message) want_said(message, status, said);
}
#define VMATH_RESIDENT(DEVICE, ON, f, type, n, x, y, z) \
  (type ? (f == 0   ? convk_##DEVICE##_exp_f64(ON, n, VMATH_AT_(double, x), VMATH_AT_(double, y)) \
           : f == 1 ? convk_##DEVICE##_expm1_f64(ON, n, VMATH_AT_(double, x), VMATH_AT_(double, y)) \
           : f == 2 ? convk_##DEVICE##_log_f64(ON, n, VMATH_AT_(double, x), VMATH_AT_(double, y)) \
                    : convk_##DEVICE##_sincos_f64(ON, n, VMATH_AT_(double, x), VMATH_AT_(double, y), VMATH_AT_(double, z))) \
        : (f == 0   ? convk_##DEVICE##_exp_f32(ON, n, VMATH_AT_(float, x), VMATH_AT_(float, y)) \
           : f == 1 ? convk_##DEVICE##_expm1_f32(ON, n, VMATH_AT_(float, x), VMATH_AT_(float, y)) \
           : f == 2 ? convk_##DEVICE##_log_f32(ON, n, VMATH_AT_(float, x), VMATH_AT_(float, y)) \
                    : convk_##DEVICE##_sincos_f32(ON, n, VMATH_AT_(float, x), VMATH_AT_(float, y), VMATH_AT_(float, z))))
#endif

#ifdef CONVK_CL_H_
static convk_cl_array vmath_cl_at(cl_mem mem, int at) {
  convk_cl_array a;
  a.mem = at < 0 ? NULL : mem;
  a.offset = at < 0 ? 0 : (size_t)at;
  return a;
}
#define VMATH_AT_(T, at) vmath_cl_at(mem, at)
static void vmath_resident_cl(variant *v, int type) {
  const size_t size = types[type].size;
  convk_cl *cl = convk_cl_of(&v->hw), closed;
  convk_cl_queue good, on;
  cl_mem mem;
  size_t f, i;
  cl_int error = 0;
  memset(&closed, 0, sizeof closed);
  memset(&good, 0, sizeof good);
  good.cl = cl;
  good.queue = clCreateCommandQueue(cl->context, cl->device, 0, &error);
  mem = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, VMATH_THERE * size, NULL, &error);
  if (error) exit(2);
  for (f = 0; f < COUNT_OF(vmath_functions); f++) {
    const int outputs = vmath_functions[f].outputs, fp64 = cl->fp64;
    suite.operation = vmath_functions[f].name;
#define VMATH_CL(ON, n, x, y, z) VMATH_RESIDENT(cl, ON, f, type, n, x, y, z)
    for (i = 0; i < COUNT_OF(vmath_there_cases); i++) {
      const vmath_there *c = &vmath_there_cases[i];
      if (c->outputs > outputs) continue;
      describe("on buffers, case %lu", (unsigned long)i);
      begin_case();
      vmath_there_want(VMATH_CL(&good, c->n, c->x, c->y, c->z), c->status, cl->message, c->text, outputs);
      end_case();
    }
#define VMATH_CL_CASE(change, wanted, said, text, x, y, z) \
  do { \
    on = good; \
    change; \
    describe("on buffers: " #change); \
    begin_case(); \
    vmath_there_want(VMATH_CL(&on, 50, x, y, z), wanted, said, text, outputs); \
    end_case(); \
  } while (0)
    VMATH_CL_CASE((void)0, CONVK_ERR_SIZE, cl->message, "x.mem", 251, 100, 200);
    VMATH_CL_CASE((void)0, CONVK_ERR_SIZE, cl->message, "y.mem", 0, 251, 100);
    if (outputs > 1) VMATH_CL_CASE((void)0, CONVK_ERR_SIZE, cl->message, "z.mem", 0, 100, 251);
    VMATH_CL_CASE(on.cl = NULL, CONVK_ERR_NULL, NULL, NULL, 0, 100, 200);
    VMATH_CL_CASE(on.cl = &closed, CONVK_ERR_HANDLE, NULL, NULL, 0, 100, 200);
    VMATH_CL_CASE(on.queue = NULL, CONVK_ERR_NULL, cl->message, "on->queue is NULL", 0, 100, 200);
    VMATH_CL_CASE(on.num_wait = 3, CONVK_ERR_NULL, cl->message, "on->wait_list is NULL, and on->num_wait is 3", 0, 100, 200);
    VMATH_CL_CASE(cl->fp64 = 0, type ? CONVK_ERR_FP64 : CONVK_OK, cl->message, type ? "no double precision" : NULL, 0, 100,
                  200);
    cl->fp64 = fp64;
    describe("on buffers, without a queue");
    CHECK(VMATH_CL(NULL, 50, 0, 100, 200) == CONVK_ERR_NULL);
#undef VMATH_CL_CASE
#undef VMATH_CL
  }
  if (clFinish(good.queue) || clReleaseMemObject(mem) || clReleaseCommandQueue(good.queue)) exit(2);
}
#undef VMATH_AT_
#endif

#ifdef CONVK_CUDA_H_
#define VMATH_AT_(T, at) (at < 0 ? (T *)NULL : (T *)mem + at)
static void vmath_resident_cuda(int type) {
  convk_cuda_stream on;
  void *mem = NULL;
  size_t f, i;
  memset(&on, 0, sizeof on);
  if (cudaMalloc(&mem, VMATH_THERE * types[type].size) || cudaMemset(mem, 0, VMATH_THERE * types[type].size)) exit(2);
  for (f = 0; f < COUNT_OF(vmath_functions); f++) {
    const int outputs = vmath_functions[f].outputs;
    suite.operation = vmath_functions[f].name;
    for (i = 0; i < COUNT_OF(vmath_there_cases); i++) {
      const vmath_there *c = &vmath_there_cases[i];
      if (c->outputs > outputs) continue;
      describe("on device arrays, case %lu", (unsigned long)i);
      begin_case();
      vmath_there_want(VMATH_RESIDENT(cuda, &on, f, type, c->n, c->x, c->y, c->z), c->status, on.message, c->text, outputs);
      end_case();
    }
    describe("on device arrays, without a stream");
    CHECK(VMATH_RESIDENT(cuda, NULL, f, type, 50, 0, 100, 200) == CONVK_ERR_NULL);
  }
  if (cudaDeviceSynchronize() || cudaFree(mem)) exit(2);
}
/* As many numbers as blocks of threads take, from arrays that begin alike within 16 bytes, none at their multiple, and then but for z. */
static void vmath_offsets_cuda(variant *v, int type) {
  enum { N = 1024, ROOM = N + 16 };
  const size_t size = types[type].size;
  double x[N], all[3 * ROOM], want[2][N];
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  convk_cuda_stream on;
  void *mem = NULL;
  size_t f, i;
  int apart;
  memset(&on, 0, sizeof on);
  for (i = 0; i < N; i++) put(type, x, i, 1 + 0.9 * random_unit(&rng));
  if (cudaMalloc(&mem, sizeof all)) exit(2);
  for (f = 0; f < COUNT_OF(vmath_functions); f++)
    for (apart = 0; apart < vmath_functions[f].outputs; apart++) {
      const int z = 2 * ROOM + 1 + apart;
      vmath_call k;
      memset(&k, 0, sizeof k);
      k.hw = &v->hw;
      k.n = N;
      k.x = x;
      k.y = want[0];
      k.z = want[1];
      suite.operation = vmath_functions[f].name;
      describe("on device arrays that begin beside multiples of 16 bytes%s", apart ? ", z elsewhere" : "");
      begin_case();
      memset(all, FILL_, sizeof all);
      memcpy((char *)all + size, x, N * size);
      if (vmath_functions[f].call[type](&k)) fail("status");
      if (cudaMemcpy(mem, all, 3 * ROOM * size, cudaMemcpyHostToDevice)) exit(2);
      want_status(VMATH_RESIDENT(cuda, &on, f, type, N, 1, ROOM + 1, z), CONVK_OK);
      if (cudaMemcpy(all, mem, 3 * ROOM * size, cudaMemcpyDeviceToHost)) exit(2);
      if (memcmp((char *)all + (ROOM + 1) * size, want[0], N * size)) fail("other bits of y");
      if (vmath_functions[f].outputs > 1 && memcmp((char *)all + (size_t)z * size, want[1], N * size)) fail("other bits of z");
      end_case();
    }
  if (cudaFree(mem)) exit(2);
}
#undef VMATH_AT_
#endif

static void vmath_resident(int type) {
  size_t number;
  variant *v;
  for (number = 0; (v = next_variant(&number, 0)) != NULL;) {
    if (!v->device) continue;
#ifdef CONVK_CL_H_
    if (!strcmp(v->name, "opencl")) vmath_resident_cl(v, type);
#endif
#ifdef CONVK_CUDA_H_
    if (!strcmp(v->name, "cuda")) vmath_resident_cuda(type), vmath_offsets_cuda(v, type);
#endif
  }
}

/* Arguments whose results are small, or are so themselves: nothing but the results of exp may be subnormal. */
static void vmath_subnormals(int type) {
  enum { N = 1037 };
  static const double least[2] = {-110, -760}, tiny[2] = {-87, -708};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t turn, number, i;
  variant *v;
  if (!SUBNORMAL_SEEN) return;
  for (turn = 0; turn < 6; turn++) {
    double x[N], y[N];
    const size_t f = turn < 4 ? 0 : 1, n = turn % 2 ? (size_t)N : 1 + random_below(&rng, 40);
    suite.operation = vmath_functions[f].name;
    for (i = 0; i < n; i++) {
      const double unit = 0.5 * random_unit(&rng) + 0.5, large = turn > 1 && random_below(&rng, 5) == 0 ? 80 * unit : -1e-3;
      put(type, x, i, f ? exp(tiny[type] * unit) * (i % 2 ? -1 : 1) : large > 0 ? large : least[type] * unit - 1e-3);
    }
    if (!f && n > 20) put(type, x, 11, -HUGE_VAL), put(type, x, 12, -1e30), put(type, x, 13, 1e30);
    for (number = 0; (v = next_variant(&number, n)) != NULL;) {
      vmath_call k;
      if (v->device) continue;
      memset(&k, 0, sizeof k);
      k.hw = &v->hw;
      k.n = n;
      k.x = x;
      k.y = y;
      describe("%lu small %s", (unsigned long)n, f ? "arguments" : "results");
      begin_case();
      forget_subnormals();
      if (vmath_functions[f].call[type](&k)) fail("status");
      want_no_subnormals(type, y, f ? n : 0);
      end_case();
    }
  }
}

/* Around the least normal and the least subnormal result of exp, and others beside them in a vector: the result depends on the
   argument alone. */
static void vmath_exp_small(int type) {
  enum { N = 64 };
  static const double edges[2][3] = {{-87.33654475055310898657, -103.97207708, -95},
                                     {-708.39641853226410622, -745.13321910194, -730}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const double step = type ? 1.2e-13 : 8e-6;
  int turn, i;
  suite.operation = "exp";
  for (turn = 0; turn < (suite.quick ? 20 : 200); turn++) {
    double x[N], y[N], alone[N];
    size_t number = 0;
    variant *v;
    for (i = 0; i < N; i++)
      put(type, x, (size_t)i,
          edges[type][turn % 3] + (turn % 3 == 2 ? 12 * random_unit(&rng) : step * random_int(&rng, -6, 6)));
    put(type, x, random_below(&rng, N), 88 * random_unit(&rng));
    if (turn % 4 == 0) put(type, x, random_below(&rng, N), 1000);
    if (turn % 4 == 1) put(type, x, random_below(&rng, N), NAN);
    while ((v = next_variant(&number, N)) != NULL) {
      vmath_call k;
      if (v->device) continue;
      memset(&k, 0, sizeof k);
      k.hw = &v->hw;
      k.n = N;
      k.x = x;
      k.y = y;
      describe("small results");
      begin_case();
      if (vmath_functions[0].call[type](&k)) fail("status");
      for (i = 0; i < N; i++) {
        double error;
        const double a = get(type, x, (size_t)i), got = get(type, y, (size_t)i);
        k.n = 1;
        k.x = (char *)x + (size_t)i * types[type].size;
        k.y = (char *)alone + (size_t)i * types[type].size;
        if (vmath_functions[0].call[type](&k)) fail("status");
        if (!vmath_same(type, y, alone, (size_t)i))
          fail("%.17g gives %g beside others, %g alone", a, got, get(type, alone, (size_t)i));
        if (a != a || a > 100) continue;
        error = type ? vmath_error_f64(got, expl((long double)a)) : vmath_error_f32((float)got, exp(a));
        if (!(error <= slack() * vmath_functions[0].limit[v->fused])) fail("error %g ulp at %.17g: %g", error, a, got);
      }
      end_case();
    }
  }
}

/* What has finite results raises neither invalid nor overflow nor division by zero, which a program may have made signals.  clang promises
   nothing of the kind, and computes what a jump leaves out. */
static void vmath_flags(int type) {
#if (defined __SSE2_MATH__ || defined __aarch64__) && !defined __FAST_MATH__
  static const double least[2] = {FLT_MIN, DBL_MIN}, most[2] = {FLT_MAX, DBL_MAX}, last[2] = {88.5, 709.5};
  const double small = least[type], big = most[type], end = last[type], step = type ? 9007199254740992. : 33554432.;
  const double all[] = {0,      1,   -1,       0.75,        1.5, 100,     1e5,        1e10,           small,    small / 8,
                        -small, end, 2 * -end, -big / 1.01, big, big / 2, big / step, 4 * big / step, big / 1e4};
  size_t number = 0, f, i, n;
  variant *v;
  while (!library_by_clang && (v = next_variant(&number, 0)) != NULL) {
    if (v->device || !strcmp(v->hw.name, "avx512")) continue; /* whose own instructions nobody has tried */
    for (f = 0; f < COUNT_OF(vmath_functions); f++)
      for (n = 1; n < 20; n += 6) {
        describe("flags, n %lu", (unsigned long)n);
        suite.operation = vmath_functions[f].name;
        suite.type = types[type].name;
        begin_case();
        for (i = 0; i < COUNT_OF(all); i++) {
          double x[20], y[20], z[20] = {0};
          size_t k;
          vmath_call c;
          memset(&c, 0, sizeof c);
          c.hw = &v->hw;
          c.n = n;
          c.x = x;
          c.y = y;
          c.z = z;
          for (k = 0; k < n; k++) put(type, x, k, all[i]);
          feclearexcept(FE_ALL_EXCEPT);
          if (vmath_functions[f].call[type](&c)) fail("status");
          if (fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO) && isfinite(get(type, y, 0)))
            fail("%.17g raises %#x", all[i], (unsigned)fetestexcept(FE_ALL_EXCEPT));
        }
        end_case();
      }
  }
#else
  (void)type;
#endif
}

/* ---------------------------------------------------------------------------------------------------------------------- */

static const test vmath_tests[] = {
    {"vmath", "flags", vmath_flags, 1},         {"vmath", "subnormals", vmath_subnormals, 1},
    {"vmath", "exp_small", vmath_exp_small, 1}, {"vmath", "special", vmath_special, 1},
    {"vmath", "shapes", vmath_shapes, 1},       {"vmath", "threads", vmath_threads, 1},
    {"vmath", "errors", vmath_errors, 1},       {"vmath", "hard", vmath_hard, 1},
    {"vmath", "random", vmath_random, 1},       {"vmath", "floats", vmath_exhaustive, 1},
    {"vmath", "resident", vmath_resident, 1},
};
TEST_LIST(vmath)
