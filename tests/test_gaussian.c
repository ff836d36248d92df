/* SPDX-License-Identifier: MIT
   Tests of Gaussians: grid potentials, their sums, orbitals, densities. */
#include "test.h"

/* ---------------------------------------------------------------- one interface to all operations and precisions -- */

enum { GAUSS_GRIDPOT, GAUSS_SUM, GAUSS_ORBITALS, GAUSS_VGL, GAUSS_DENSITY, GAUSS_KINDS };
static const char *const gauss_names[GAUSS_KINDS] = {"gridpot", "gridpot_sum", "orbitals", "orbitals_vgl", "density"};
static int gauss_outputs(int operation) { return operation == GAUSS_VGL ? 5 : 1; }

#define GAUSS_DO(TYPE, T, HW) \
  switch (k->operation) { \
    case GAUSS_GRIDPOT: status = convk_gridpot_##TYPE##HW(k->hw, pp, gg, k->options, (T *)k->out[0], k->ld); break; \
    case GAUSS_SUM: status = convk_gridpot_sum_##TYPE##HW(k->hw, pp, gg, k->options, (T *)k->out[0], k->ld); break; \
    case GAUSS_ORBITALS: \
      status = convk_orbitals_##TYPE##HW(k->hw, pp, ss, k->options, (T *)k->out[0], k->ld, k->work, k->work_size); \
      break; \
    case GAUSS_VGL: status = convk_orbitals_vgl_##TYPE##HW(k->hw, pp, ss, k->options, oo, k->work, k->work_size); break; \
    default: status = convk_density_##TYPE##HW(k->hw, pp, ss, k->options, (T *)k->out[0], k->work, k->work_size); \
  }
#define GAUSS_NAMED(TYPE, T, HW) \
  if (k->name && !strcmp(k->name, #HW)) GAUSS_DO(TYPE, T, _##HW)
/* planned: the same call with a plan of its set alone, if there can be one; it lies where no other array is. */
#define GAUSS_CALL(TYPE, T) \
  static int gauss_call_##TYPE(const gauss_call *k) { \
    convk_points_##TYPE p; \
    convk_gaussians_##TYPE g; \
    convk_orbital_set_##TYPE set; \
    convk_vgl_##TYPE out; \
    const convk_points_##TYPE *pp = k->missing == 1 ? NULL : &p; \
    const convk_gaussians_##TYPE *gg = k->missing == 2 ? NULL : &g; \
    const convk_orbital_set_##TYPE *ss = k->missing == 2 ? NULL : &set; \
    const convk_vgl_##TYPE *oo = k->missing == 3 ? NULL : &out; \
    convk_orbitals_plan_##TYPE *plan = NULL; \
    surroundings s; \
    size_t bytes = 0; \
    int status = 1; \
    p.n = k->n; \
    p.x = (const T *)k->x[0]; \
    p.y = (const T *)k->x[1]; \
    p.z = (const T *)k->x[2]; \
    p.stride = k->stride; \
    memset(&g, 0, sizeof g); \
    if (k->center) memcpy(g.center, k->center, sizeof g.center); \
    g.n = k->m; \
    g.alpha = (const T *)k->alpha; \
    g.nsums = k->nsums; \
    g.coefficients = (const T *)k->c; \
    g.ldc = k->ldc; \
    memset(&set, 0, sizeof set); \
    set.nshells = k->nshells; \
    set.shells = k->shells; \
    set.norbitals = k->norbitals; \
    set.coefficients = (const T *)k->c; \
    set.ldc = k->ldc; \
    set.occupations = k->operation == GAUSS_DENSITY || k->planned == 2 ? (const T *)k->occupations : NULL; \
    set.plan = (const convk_orbitals_plan_##TYPE *)k->plan; \
    out.value = (T *)k->out[0]; \
    out.dx = (T *)k->out[1]; \
    out.dy = (T *)k->out[2]; \
    out.dz = (T *)k->out[3]; \
    out.laplacian = (T *)k->out[4]; \
    out.ld = k->ld; \
    if (k->planned && k->operation >= GAUSS_ORBITALS && !convk_orbitals_plan_size_##TYPE(NULL, &set, &bytes)) { \
      plan = (convk_orbitals_plan_##TYPE *)need(bytes); \
      if (!convk_orbitals_prepare_##TYPE(NULL, &set, plan, bytes)) { \
        memset(&set, FILL_, sizeof set); \
        set.plan = plan; \
      } \
    } \
    s = before_call(); \
    if (!k->name) GAUSS_DO(TYPE, T, ) \
    ON_PROCESSORS(GAUSS_NAMED, TYPE, T) \
    after_call(s, k->hw && k->hw->ours.inside.device); \
    free(plan); \
    return status; \
  } \
  static size_t gauss_work_##TYPE(convk *hw, size_t nshells, const convk_shell *shells, size_t norbitals) { \
    convk_orbital_set_##TYPE set; \
    size_t bytes = 0; \
    memset(&set, 0, sizeof set); \
    set.nshells = nshells; \
    set.shells = shells; \
    set.norbitals = norbitals; \
    if (convk_orbitals_work_size_##TYPE(hw, &set, &bytes)) fail("work_size failed"); \
    return bytes; \
  } \
  static int gauss_offers_##TYPE(convk *hw, int operation) { \
    switch (operation) { \
      case GAUSS_GRIDPOT: return hw->ours.inside.TYPE.gridpot != NULL; \
      case GAUSS_SUM: return hw->ours.inside.TYPE.gridpot_sum != NULL; \
      case GAUSS_ORBITALS: return hw->ours.inside.TYPE.orbitals != NULL; \
      case GAUSS_VGL: return hw->ours.inside.TYPE.orbitals_vgl != NULL; \
      default: return hw->ours.inside.TYPE.density != NULL; \
    } \
  }
GAUSS_CALL(f32, float)
GAUSS_CALL(f64, double)

static const struct {
  int (*call)(const gauss_call *k);
  int (*offers)(convk *hw, int operation);
  size_t (*work)(convk *hw, size_t nshells, const convk_shell *shells, size_t norbitals);
} gauss_types[2] = {{gauss_call_f32, gauss_offers_f32, gauss_work_f32}, {gauss_call_f64, gauss_offers_f64, gauss_work_f64}};

/* The next open variant with this operation that can take a case of this size.  Of what a device does not offer, test errors. */
static variant *gauss_next(size_t *i, int type, int operation, size_t cost) {
  return next_offering(i, cost, gauss_types[type].offers, operation);
}

/* Zeros, for all operations. */
static gauss_call gauss_blank(int operation, convk *hw) {
  gauss_call k;
  memset(&k, 0, sizeof k);
  k.operation = operation;
  k.hw = hw;
  return k;
}

/* --------------------------------------------------------------------------------------------------- points in memory -- */

typedef struct gauss_points {
  guard g[3];
  int arrays;
  unsigned char *before[3];
} gauss_points;

/* Three arrays, or one with a stride, of coordinates at xyz[3 i + d]; gaps are NaN. */
static gauss_points gauss_points_new(int type, const double *xyz, size_t n, gauss_call *k, uint64_t *rng) {
  const size_t size = types[type].size;
  gauss_points p;
  size_t i, d, stride;
  memset(&p, 0, sizeof p);
  p.arrays = random_below(rng, 3) ? 3 : 1;
  k->n = n;
  k->stride = p.arrays == 1 ? 3 + random_below(rng, 3) : random_below(rng, 2) ? random_below(rng, 2) : random_below(rng, 5);
  stride = k->stride ? k->stride : 1;
  for (d = 0; d < (size_t)p.arrays; d++) {
    const size_t count = n ? (n - 1) * stride + (p.arrays == 1 ? 3 : 1) : 0;
    p.g[d] = guard_new(count * size, (int)random_below(rng, 2), any_shift(size, rng));
    for (i = 0; i < n; i++) {
      put(type, p.g[d].data, i * stride, xyz[3 * i + d]);
      if (p.arrays == 1) {
        put(type, p.g[d].data, i * stride + 1, xyz[3 * i + 1]);
        put(type, p.g[d].data, i * stride + 2, xyz[3 * i + 2]);
      }
    }
    p.before[d] = (unsigned char *)need(count * size);
    memcpy(p.before[d], p.g[d].data, count * size);
  }
  for (d = 0; d < 3; d++) k->x[d] = p.arrays == 1 ? p.g[0].data + (n ? d * size : 0) : p.g[d].data;
  describe_more("; %d arrays, stride %lu", p.arrays, (unsigned long)k->stride);
  return p;
}

static void gauss_points_end(gauss_points *p) {
  int d;
  for (d = 0; d < p->arrays; d++) {
    if (memcmp(p->before[d], p->g[d].data, p->g[d].bytes)) fail("the points changed");
    if (!guard_intact(&p->g[d])) fail("memory around the points was written");
    guard_free(&p->g[d]);
    free(p->before[d]);
  }
}

/* Rows of results: bits as wanted, what lies between rows untouched. */
static void gauss_compare(int type, const guard *g, const double *want, size_t rows, size_t width, size_t ld,
                          const char *what) {
  const size_t size = types[type].size, distance = ld ? ld : width;
  size_t r, i;
  for (r = 0; r < rows && !suite.bad; r++) {
    for (i = 0; i < width; i++)
      if (!same(get(type, g->data, r * distance + i), want[r * width + i])) {
        fail("%s: element %lu of row %lu is %.17g, not %.17g", what, (unsigned long)i, (unsigned long)r,
             get(type, g->data, r * distance + i), want[r * width + i]);
        break;
      }
    if (r + 1 < rows && width && !all_fill(g->data + (r * distance + width) * size, g->data + (r + 1) * distance * size))
      fail("%s: behind row %lu something was written", what, (unsigned long)r);
  }
}

/* -------------------------------------------------------------------------------------- exponentials in more digits -- */

/* Sums of two doubles, which hold what rounding loses; fma() is exact where long double has no more digits than double. */
typedef struct gauss_pair {
  double high, low;
} gauss_pair;

static gauss_pair pair_sum(double a, double b) {
  gauss_pair r;
  double part;
  r.high = a + b;
  part = r.high - a;
  r.low = (a - (r.high - part)) + (b - part);
  return r;
}

static gauss_pair pair_add(gauss_pair a, gauss_pair b) {
  gauss_pair r = pair_sum(a.high, b.high);
  return pair_sum(r.high, r.low + a.low + b.low);
}

static gauss_pair pair_times(gauss_pair a, gauss_pair b) {
  const double p = a.high * b.high;
  return pair_sum(p, fma(a.high, b.high, -p) + (a.high * b.low + a.low * b.high));
}

static gauss_pair pair_of(double a) {
  gauss_pair r;
  r.high = a;
  r.low = 0;
  return r;
}

/* |point - center|^2 */
static gauss_pair pair_distance(const double *point, const double *center) {
  gauss_pair s = pair_of(0);
  int d;
  for (d = 0; d < 3; d++) {
    const gauss_pair x = pair_sum(point[d], -center[d]);
    s = pair_add(s, pair_times(x, x));
  }
  return s;
}

static long double pair_exp(gauss_pair x) {
  if (!(fabs(x.high) < 1000)) return x.high > 0 ? (long double)HUGE_VAL : 0;
  return expl((long double)x.high) * (1 + (long double)x.low);
}

/* ---------------------------------------------------------------------------------------------------- grid potentials -- */

/* Coordinates whose squared distance is exact in the type, or any, or of all magnitudes. */
enum { POINTS_EXACT, POINTS_ANY, POINTS_WILD };

typedef struct gridpot_problem {
  int type, centered;
  size_t n, m, nsums;
  convk_gaussian_options options; /* order is that of the call */
  double *xyz, center[3], *alpha, *c;
  double *want[2], *sums[2]; /* by class: the matrix with points contiguous, and the sums; NULL: this machine cannot tell */
} gridpot_problem;

/* Exponents with arguments up to `most`, points with coordinates up to 4. */
static void gridpot_start(gridpot_problem *p, int type, size_t n, size_t m, size_t nsums, int points, double most,
                          uint64_t *rng) {
  size_t i;
  int d;
  memset(p, 0, sizeof *p);
  p->type = type;
  p->n = n;
  p->m = m;
  p->nsums = nsums;
  p->xyz = reals(3 * n);
  p->alpha = reals(m);
  p->c = reals(m * nsums);
  p->centered = random_below(rng, 4) != 0;
  for (d = 0; d < 3; d++)
    p->center[d] = !p->centered             ? 0
                   : points == POINTS_EXACT ? random_int(rng, -32, 32) / 16.0
                                            : rounded_to(type, 2 * random_unit(rng));
  for (i = 0; i < 3 * n; i++) {
    p->xyz[i] = points == POINTS_EXACT ? random_int(rng, -64, 64) / 16.0 : 4 * random_unit(rng);
    if (points == POINTS_WILD) p->xyz[i] *= exp(30 * random_unit(rng));
    p->xyz[i] = rounded_to(type, p->xyz[i]);
  }
  for (i = 0; i < m; i++) {
    static const double some[] = {0, -0., 1, -1, -0.5, 1e30, -1e30, -1e-30, -1e-42};
    const size_t which = random_below(rng, 40);
    p->alpha[i] =
        which < COUNT_OF(some) ? some[which] : (random_below(rng, 3) ? -1 : 1) * most / 40 * exp(2 * random_unit(rng));
    p->alpha[i] = rounded_to(type, p->alpha[i]);
  }
  for (i = 0; i < m * nsums; i++) /* some so small that products vanish */
    p->c[i] = rounded_to(type, random_unit(rng) * (random_below(rng, 8) ? 1 : type ? 1e-307 : 1e-37));
}

static void gridpot_free(gridpot_problem *p) {
  int c;
  free(p->xyz);
  free(p->alpha);
  free(p->c);
  for (c = 0; c < 2; c++) {
    free(p->want[c]);
    free(p->sums[c]);
  }
}

static void gridpot_describe(const gridpot_problem *p) {
  describe("%lu points, %lu exponents%s%s", (unsigned long)p->n, (unsigned long)p->m, p->centered ? ", a center" : "",
           p->options.compensated ? ", compensated" : "");
  if (p->options.cutoff != 0) describe_more(", cutoff %g", p->options.cutoff);
}

/* Below these a grid potential is 0, and an exponential in a sum counts as nothing. */
static const double gauss_least[2] = {1.17549435082228751e-38 * (1 + 1. / 8192), 2.2250738585072014e-308 * (1 + 1. / 8192)};
static const double gauss_least_term[2] = {1.9721522630525295e-31, 2.0041683600089728e-292};
static const double gauss_least_square[2] = {1.9721522630525295e-31, 1.0020841800044864e-292}; /* of an orbital in a density */
static const double gauss_least_primitive[2] = {8.2718061255302767e-25, 2.0041683600089728e-292};

/* The bits of a class, made one by one; and of the sums: products added in the order of the exponents. */
static const double *gridpot_expect(gridpot_problem *p, int fused) {
  const int type = p->type, kind = types[type].model + (fused ? MODEL_FUSED : MODEL_MULADD);
  const size_t size = types[type].size;
  convk *model = class_handle(fused);
  size_t i, j, s;
  if (!p->want[fused] && model) {
    p->want[fused] = reals(p->n * p->m);
    for (i = 0; i < p->n; i++)
      for (j = 0; j < p->m; j++) {
        gauss_call k = gauss_blank(GAUSS_GRIDPOT, model);
        double x[3], center[3], alpha, g = 0;
        int d;
        for (d = 0; d < 3; d++) {
          put(type, &x[d], 0, p->xyz[3 * i + (size_t)d]);
          put(type, (char *)center + (size_t)d * size, 0, p->center[d]);
          k.x[d] = &x[d];
        }
        put(type, &alpha, 0, p->alpha[j]);
        k.n = k.m = 1;
        k.center = p->centered ? center : NULL;
        k.alpha = &alpha;
        k.options = &p->options;
        k.out[0] = &g;
        if (gauss_types[type].call(&k)) fail("status of one element");
        p->want[fused][j * p->n + i] = get(type, &g, 0);
      }
  }
  if (p->want[fused] && !p->sums[fused]) {
    p->sums[fused] = reals(p->n * p->nsums);
    for (s = 0; s < p->nsums; s++)
      for (i = 0; i < p->n; i++) {
        double sum = 0;
        for (j = 0; j < p->m; j++) {
          const double g = p->want[fused][j * p->n + i];
          sum = model_madd(kind, p->c[s * p->m + j], g < gauss_least_term[type] ? 0 : g, sum);
        }
        p->sums[fused][s * p->n + i] = sum + 0; /* which is never -0 */
      }
  }
  return p->want[fused];
}

/* One call: where the class's bits are known, these; where the results are wanted, without gaps, points contiguous. */
static void gridpot_one(gridpot_problem *p, variant *v, int operation, int order, const gauss_way *w, uint64_t seed,
                        double *results) {
  const int type = p->type, transposed = operation == GAUSS_GRIDPOT && order == CONVK_GRIDPOT_EXPONENTS_CONTIGUOUS;
  const size_t width = transposed ? p->m : p->n, rows = operation == GAUSS_SUM ? p->nsums : transposed ? p->n : p->m;
  const long live = heap.live;
  uint64_t rng = seed;
  gauss_call k = gauss_blank(operation, NULL);
  convk_gaussian_options options = p->options;
  convk copy;
  hook h = hook_new(w->e.hook, w->e.threads, random64(&rng));
  gauss_points points;
  guard alpha, center, c, out;
  const double *want;
  size_t i, j;
  gridpot_describe(p);
  describe_more("%s", transposed ? ", exponents contiguous" : "");
  if (operation == GAUSS_SUM) describe_more(", %lu sums", (unsigned long)p->nsums);
  begin_case();
  points = gauss_points_new(type, p->xyz, p->n, &k, &rng);
  alpha = gauss_array(type, p->alpha, 1, p->m, 0, &rng);
  center = gauss_array(type, p->center, 1, 3, 0, &rng);
  k.m = p->m;
  k.alpha = alpha.data;
  k.center = p->centered ? center.data : NULL;
  k.nsums = p->nsums;
  k.ldc = random_below(&rng, 2) ? 0 : p->m + random_below(&rng, 5);
  k.ld = random_below(&rng, 2) ? 0 : width + random_below(&rng, 70);
  c = gauss_array(type, operation == GAUSS_SUM ? p->c : NULL, operation == GAUSS_SUM ? p->nsums : 0, p->m, k.ldc, &rng);
  out = gauss_array(type, NULL, rows, width, k.ld, &rng);
  k.c = c.data;
  k.out[0] = out.data;
  options.layout = order;
  k.options = &options;
  if (!order && !p->options.compensated && p->options.cutoff == 0 && random_below(&rng, 2)) k.options = NULL;
  gauss_way_set(&k, v, w, &copy, &h);
  check_status(gauss_types[type].call(&k), live);
  want = gridpot_expect(p, v->fused);
  if (want && operation == GAUSS_SUM) want = p->sums[v->fused];
  if (want && transposed) {
    double *turned = reals(rows * width);
    for (i = 0; i < p->n; i++)
      for (j = 0; j < p->m; j++) turned[i * p->m + j] = want[j * p->n + i];
    gauss_compare(type, &out, turned, rows, width, k.ld, "g");
    free(turned);
  } else if (want) {
    gauss_compare(type, &out, want, rows, width, k.ld, operation == GAUSS_SUM ? "sums" : "g");
  }
  for (j = 0; j < rows && results; j++)
    for (i = 0; i < width; i++)
      results[transposed ? i * p->n + j : j * width + i] = get(type, out.data, j * (k.ld ? k.ld : width) + i);
  if (k.hw && k.hw->ours.inside.device) handle_for(v, &copy, &plain, NULL);
  gauss_points_end(&points);
  gauss_array_end(&alpha, "the exponents");
  gauss_array_end(&center, "the center");
  gauss_array_end(&c, "the coefficients");
  gauss_array_end(&out, "the results");
  end_case();
}

/* What the documentation allows, in units of the last place, for an exponential of a. */
static double gridpot_limit(int fused, int compensated, int points, int centered, double a) {
  if (compensated) return fused ? 1.2 : 1.5;
  return (fused ? 1.1 : 1) + (points == POINTS_EXACT ? 0 : (3 + 2 * centered + !fused) * fabs(a));
}

static double gauss_error(int type, double got, long double want) {
  return type ? vmath_error_f64(got, want) : vmath_error_f32((float)got, (double)want);
}

/* Whether a result counts as nothing, as it has to; some ulp about the least one it may be either. */
static int gauss_is_zero(int type, double got, long double want, double ulps) {
  const long double ratio = want / (long double)gauss_least[type], near = 16 * (ulps + 1) * types[type].unit;
  if (got > 0 && got < gauss_least[type]) fail("%g is less than the least result", got);
  if (got == 0 && ratio > 1 + near) fail("0, not %g", (double)want);
  if (got != 0 && ratio < 1 - near) fail("%g, not 0", got);
  return got == 0 || ratio < 1;
}

/* Against exponentials in more digits; where squared distances are exact, of the product as the class rounds it. */
static void gridpot_accuracy(int type) {
  const size_t n = suite.quick ? 61 : 509, m = suite.quick ? 37 : 97;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int kind, compensated;
  for (compensated = 0; compensated < 2; compensated++)
    for (kind = POINTS_EXACT; kind <= POINTS_WILD; kind++) {
      gridpot_problem p;
      double *got = reals(n * m);
      size_t number = 0, i, j;
      class_results classes;
      variant *v;
      memset(&classes, 0, sizeof classes);
      gridpot_start(&p, type, n, m, 0, kind, type ? 100 : 15, &rng);
      p.options.compensated = compensated;
      while ((v = gauss_next(&number, type, GAUSS_GRIDPOT, n * m)) != NULL) {
        double own[4], *noted = v->device ? own : classes.noted[v->fused];
        double worst = 0, limit = 1, largest = 0;
        int known;
        suite.operation = compensated ? "gridpot compensated" : "gridpot";
        memset(got, FILL_, n * m * sizeof *got);
        gridpot_one(&p, v, GAUSS_GRIDPOT, (int)(number % 2), &gauss_plain, random64(&rng), got);
        gridpot_describe(&p);
        describe_more(", %s points", kind == POINTS_EXACT ? "exact" : kind == POINTS_ANY ? "any" : "wild");
        begin_case();
        known = same_as_class(&classes, v, got, n * m * sizeof *got);
        for (i = 0; i < n && !known; i++)
          for (j = 0; j < m; j++) {
            const gauss_pair s = pair_distance(p.xyz + 3 * i, p.center);
            gauss_pair a = pair_times(pair_of(p.alpha[j]), s);
            double error, allowed;
            if (kind == POINTS_EXACT && !compensated && !v->fused) a = pair_of(rounded_to(type, p.alpha[j] * s.high));
            if (gauss_is_zero(type, got[j * n + i], pair_exp(a), fabs(a.high))) continue;
            error = gauss_error(type, got[j * n + i], pair_exp(a));
            allowed = gridpot_limit(v->fused, compensated, kind, p.centered, a.high) * slack();
            if (!(error <= allowed))
              fail("error %g ulp, allowed %g, at %.17g %.17g %.17g times %.17g: %.17g, not %.17g", error, allowed, p.xyz[3 * i],
                   p.xyz[3 * i + 1], p.xyz[3 * i + 2], p.alpha[j], got[j * n + i], (double)pair_exp(a));
            if (error / allowed > worst / limit) {
              worst = error;
              limit = allowed;
            }
            if (error > largest) largest = error;
          }
        if (!known) {
          noted[0] = worst;
          noted[1] = limit;
          noted[2] = largest;
        }
        error_note("ulp", noted[0], noted[1], kind == POINTS_EXACT || compensated ? noted[2] : 0, 0, 0, n * m);
        end_case();
      }
      class_results_end(&classes);
      gridpot_free(&p);
      free(got);
    }
}

/* ------------------------------------------------------------------------- sizes, layouts, threads, cuts, and screening -- */

/* Each variant, in both layouts and as sums, in its own way. */
static void gridpot_run(gridpot_problem *p, const gauss_way *w, uint64_t seed) {
  uint64_t rng = seed;
  int operation, order;
  for (operation = GAUSS_GRIDPOT; operation <= GAUSS_SUM; operation++)
    for (order = 0; order < (operation == GAUSS_GRIDPOT ? 2 : 1); order++) {
      size_t number = 0;
      variant *v;
      suite.operation = gauss_names[operation];
      while ((v = gauss_next(&number, p->type, operation, p->n * p->m)) != NULL) {
        const gauss_way any = any_gauss_way(&rng);
        if (v->thin && random_below(&rng, v->thin)) continue;
        gridpot_one(p, v, operation, order, w ? w : &any, random64(&rng), NULL);
      }
    }
}

static const size_t gauss_sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 61, 127};

static void gridpot_shapes(int type) {
  static const size_t more[][2] = {{1, 1009}, {1009, 1}, {4099, 3}, {2, 4099}, {8209, 2}, {513, 67}, {64, 64}, {1024, 12}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t a, b;
  for (a = 0; a < COUNT_OF(gauss_sizes); a++)
    for (b = 0; b < COUNT_OF(gauss_sizes); b++) {
      gridpot_problem p;
      if (suite.quick && random_below(&rng, 9)) continue;
      gridpot_start(&p, type, gauss_sizes[a], gauss_sizes[b], random_below(&rng, 20), POINTS_ANY, 20, &rng);
      p.options.compensated = (int)random_below(&rng, 2);
      gridpot_run(&p, NULL, random64(&rng));
      gridpot_free(&p);
    }
  for (a = 0; a < COUNT_OF(more); a++) {
    gridpot_problem p;
    if (suite.quick && a % 4 != 2) continue;
    gridpot_start(&p, type, more[a][0], more[a][1], 1 + a, POINTS_ANY, 20, &rng);
    p.options.compensated = (int)(a % 2);
    gridpot_run(&p, NULL, random64(&rng));
    gridpot_free(&p);
  }
}

/* Every number of sums, of points and of exponents, few of each; then more exponents than there are in a part of them. */
static void gridpot_sums(int type) {
  enum { FEW = 20 };
  static const size_t many[] = {256, 257, 700};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t turn, nsums, number;
  variant *v;
  for (turn = 0; turn <= FEW + COUNT_OF(many); turn++) {
    const size_t n = turn <= FEW ? random_below(&rng, 150) : 9, m = turn <= FEW ? random_below(&rng, 40) : many[turn - FEW - 1];
    gridpot_problem p;
    nsums = turn <= FEW ? turn : turn - FEW;
    gridpot_start(&p, type, n, m, nsums == 19 ? 67 : nsums, POINTS_ANY, 20, &rng);
    suite.operation = gauss_names[GAUSS_SUM];
    for (number = 0; (v = gauss_next(&number, type, GAUSS_SUM, p.n * p.m * nsums)) != NULL;) {
      const gauss_way w = any_gauss_way(&rng);
      gridpot_one(&p, v, GAUSS_SUM, 0, &w, random64(&rng), NULL);
    }
    gridpot_free(&p);
  }
}

/* The sums against long double, with the error of a sum of products and that of the exponentials. */
static void gridpot_sum_accuracy(int type) {
  const double eps = 2 * types[type].unit;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int compensated;
  for (compensated = 0; compensated < 2; compensated++) {
    const size_t n = suite.quick ? 67 : 301, nsums = 7;
    gridpot_problem p;
    double *got = reals(n * nsums);
    size_t number = 0, i, j, s;
    class_results classes;
    variant *v;
    memset(&classes, 0, sizeof classes);
    gridpot_start(&p, type, n, 131, nsums, POINTS_ANY, 10, &rng);
    for (j = 0; j < p.m; j++) p.alpha[j] = -fabs(p.alpha[j]); /* what overflows has no sum */
    p.options.compensated = compensated;
    while ((v = gauss_next(&number, type, GAUSS_SUM, n * p.m)) != NULL) {
      double own[4], *noted = v->device ? own : classes.noted[v->fused];
      double worst = 0, norm = 0, difference = 0;
      int known;
      suite.operation = gauss_names[GAUSS_SUM];
      memset(got, FILL_, n * nsums * sizeof *got);
      gridpot_one(&p, v, GAUSS_SUM, 0, &gauss_plain, random64(&rng), got);
      gridpot_describe(&p);
      describe_more(", against long double");
      begin_case();
      known = same_as_class(&classes, v, got, n * nsums * sizeof *got);
      for (s = 0; s < nsums && !known; s++)
        for (i = 0; i < n; i++) {
          const gauss_pair r = pair_distance(p.xyz + 3 * i, p.center);
          long double sum = 0, bound = 0;
          double error;
          for (j = 0; j < p.m; j++) {
            const gauss_pair a = pair_times(pair_of(p.alpha[j]), r);
            const long double term = (long double)p.c[s * p.m + j] * pair_exp(a);
            const double ulps = gridpot_limit(v->fused, compensated, POINTS_ANY, p.centered, a.high);
            sum += term;
            bound += fabsl(term) * ((double)(p.m + 3) + ulps) * eps + fabs(p.c[s * p.m + j]) * gauss_least_term[type];
          }
          error = (double)(fabsl((long double)got[s * n + i] - sum) / (bound * slack()));
          if (!(error <= 1)) fail("sum %lu of point %lu: %g of what is allowed", (unsigned long)s, (unsigned long)i, error);
          if (error > worst) worst = error;
          norm += (double)(sum * sum);
          difference += pow(got[s * n + i] - (double)sum, 2);
        }
      if (!known) {
        noted[0] = worst;
        noted[1] = sqrt(difference / norm);
      }
      error_note("of the bound", noted[0], 1, 0, noted[1], 0, n * nsums);
      end_case();
    }
    class_results_end(&classes);
    gridpot_free(&p);
    free(got);
  }
}

/* Results do not depend on threads or on the kind of stores. */
static void gridpot_threads(int type) {
  static const size_t sizes[][2] = {{5, 3}, {1500, 5}, {47, 700}, {5003, 31}, {20011, 3}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s;
  for (s = 0; s < COUNT_OF(sizes); s++) {
    gridpot_problem p;
    int kind, threads;
    if (suite.quick && s == 3) continue;
    gridpot_start(&p, type, sizes[s][0], sizes[s][1], 3, POINTS_ANY, 20, &rng);
    p.options.compensated = (int)(s % 2);
    for (kind = HOOK_REVERSED + (suite.quick ? (int)s % 3 : 0); kind <= HOOK_THREADS; kind += suite.quick ? 3 : 1)
      for (threads = random_int(&rng, 2, 4); threads < 9; threads += suite.quick ? 9 : random_int(&rng, 1, 4)) {
        gauss_way w = gauss_plain;
        w.e.hook = kind;
        w.e.threads = threads;
        w.e.nontemporal = random_int(&rng, -1, 1);
        w.call = (int)random_below(&rng, 2);
        gridpot_run(&p, &w, random64(&rng));
      }
    gridpot_free(&p);
  }
}

/* A large call goes to the threads, to no more tasks at a time than are worth it, and stores past the cache keep bits. */
static void gridpot_hook(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const size_t n = suite.quick ? 20011 : 40009, m = suite.quick ? 9 : 20;
  int operation;
  gridpot_problem p;
  gridpot_start(&p, type, n, m, 2, POINTS_ANY, 20, &rng);
  for (operation = GAUSS_GRIDPOT; operation <= GAUSS_SUM; operation++) {
    size_t number = 0;
    variant *v;
    suite.operation = gauss_names[operation];
    while ((v = gauss_next(&number, type, operation, n * m)) != NULL) {
      const size_t size = types[type].size;
      hook h = hook_new(HOOK_REVERSED, 3, 1);
      gauss_call k = gauss_blank(operation, NULL);
      char *x = (char *)need(3 * n * size), *alpha = (char *)need(m * size), *c = (char *)need(2 * m * size);
      char *out[2];
      convk copy = v->hw;
      size_t i;
      if (v->device) {
        free(x);
        free(alpha);
        free(c);
        continue;
      }
      describe("%lu points, %lu exponents, 3 threads, stores past the cache", (unsigned long)n, (unsigned long)m);
      begin_case();
      for (i = 0; i < 3 * n; i++) put(type, x, i, p.xyz[i]);
      for (i = 0; i < m; i++) put(type, alpha, i, p.alpha[i]);
      for (i = 0; i < 2 * m; i++) put(type, c, i, p.c[i]);
      for (i = 0; i < 2; i++) {
        const size_t bytes = n * (operation == GAUSS_SUM ? 2 : m) * size;
        out[i] = (char *)need(bytes);
        memset(out[i], FILL_, bytes);
        copy.parallel.threads = 3;
        copy.parallel.run = i ? hook_run : NULL;
        copy.parallel.ctx = &h;
        copy.tuning.nontemporal = i ? 1 : -1;
        k.hw = &copy;
        k.x[0] = x;
        k.x[1] = x + size;
        k.x[2] = x + 2 * size;
        k.stride = 3;
        k.n = n;
        k.m = m;
        k.nsums = 2;
        k.alpha = alpha;
        k.c = c;
        k.out[0] = out[i];
        check_status(gauss_types[type].call(&k), heap.live);
        if (i && memcmp(out[0], out[1], bytes)) fail("other bits");
        if (i && all_fill((unsigned char *)out[0], (unsigned char *)out[0] + 1024)) fail("nothing was written");
      }
      if (!h.calls || h.most < 2) fail("the hook ran %lu times, with %lu tasks", (unsigned long)h.calls, (unsigned long)h.most);
      for (i = 0; i < 2; i++) free(out[i]);
      free(x);
      free(alpha);
      free(c);
      end_case();
    }
  }
  gridpot_free(&p);
}

/* A part of the points, or of the exponents, gives the same bits as the whole, wherever it begins. */
static void gridpot_cuts(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int operation;
  gridpot_problem p;
  gridpot_start(&p, type, suite.quick ? 300 : 777, 29, 3, POINTS_ANY, 20, &rng);
  for (operation = GAUSS_GRIDPOT; operation <= GAUSS_SUM; operation++) {
    const size_t rows = operation == GAUSS_SUM ? p.nsums : p.m;
    double *whole = reals(p.n * rows), *part = reals(p.n * rows);
    size_t number = 0, at, i, j;
    variant *v;
    suite.operation = gauss_names[operation];
    while ((v = gauss_next(&number, type, operation, 2 * p.n * p.m)) != NULL) {
      gridpot_one(&p, v, operation, 0, &gauss_plain, random64(&rng), whole);
      for (at = 0; at < p.n;) {
        gridpot_problem q = p;
        const size_t first = operation == GAUSS_SUM ? 0 : random_below(&rng, p.m);
        q.n = 1 + random_below(&rng, 200);
        if (q.n > p.n - at) q.n = p.n - at;
        q.m = operation == GAUSS_SUM ? p.m : 1 + random_below(&rng, p.m - first);
        q.xyz += 3 * at;
        q.alpha += first;
        for (i = 0; i < 2; i++) q.want[i] = q.sums[i] = NULL;
        gridpot_one(&q, v, operation, operation == GAUSS_SUM ? 0 : (int)random_below(&rng, 2), &gauss_plain, random64(&rng),
                    part);
        describe("points %lu to %lu of %lu", (unsigned long)at, (unsigned long)(at + q.n), (unsigned long)p.n);
        begin_case();
        for (j = 0; j < (operation == GAUSS_SUM ? rows : q.m); j++)
          for (i = 0; i < q.n; i++)
            if (!same(part[j * q.n + i], whole[(first + j) * p.n + at + i])) fail("other bits in row %lu", (unsigned long)j);
        end_case();
        for (i = 0; i < 2; i++) {
          free(q.want[i]);
          free(q.sums[i]);
        }
        at += q.n;
      }
    }
    free(whole);
    free(part);
  }
  gridpot_free(&p);
}

/* Exactly what is below the cutoff is 0; all else has the bits of the call without.  Some blocks of points lie wholly below. */
static void gridpot_screening(int type) {
  static const double cutoffs[] = {1.0 / 1048576, 0.5, 1, 3, 16, 1e-30, 0};
  const size_t n = suite.quick ? 700 : 5000, m = 13, nsums = 5;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t i, t, number;
  variant *v;
  gridpot_problem p;
  double *got = reals(n * m);
  gridpot_start(&p, type, n, m, nsums, POINTS_ANY, 30, &rng);
  for (i = 0; i < 3 * n; i++) p.xyz[i] = rounded_to(type, p.xyz[i] * (i / 3 / 300 % 3 == 1 ? 30 : 1));
  for (number = 0; (v = gauss_next(&number, type, GAUSS_GRIDPOT, 8 * n * m)) != NULL;) {
    suite.operation = gauss_names[GAUSS_GRIDPOT];
    for (i = 0; i < m; i++) p.alpha[i] = i % 4 || number % 2 == 0 ? -fabs(p.alpha[i]) : fabs(p.alpha[i]);
    p.options.cutoff = 0;
    for (i = 0; i < 2; i++) { /* other exponents, other bits */
      free(p.want[i]);
      free(p.sums[i]);
      p.want[i] = p.sums[i] = NULL;
    }
    gridpot_one(&p, v, GAUSS_GRIDPOT, 0, &gauss_plain, random64(&rng), got);
    for (t = 0; t <= COUNT_OF(cutoffs); t++) {
      gridpot_problem q = p;
      gauss_way w = gauss_plain;
      int order;
      q.options.cutoff = t < COUNT_OF(cutoffs) ? rounded_to(type, cutoffs[t]) : got[random_below(&rng, n * m)];
      if (t < COUNT_OF(cutoffs) && cutoffs[t] == 0)
        q.options.cutoff = type ? 4.94065645841246544e-324 : 1.40129846432481707e-45;
      if (!(q.options.cutoff > 0) || q.options.cutoff > DBL_MAX) continue;
      q.options.compensated = 0;
      for (i = 0; i < 2; i++) q.want[i] = q.sums[i] = NULL;
      q.want[v->fused] = reals(n * m);
      for (i = 0; i < n * m; i++) q.want[v->fused][i] = got[i] < q.options.cutoff ? 0 : got[i];
      for (order = 0; order < 2; order++) {
        w.e.nontemporal = random_int(&rng, -1, 1);
        gridpot_one(&q, v, GAUSS_GRIDPOT, order, &w, random64(&rng), NULL);
      }
      if (!v->device || gauss_types[type].offers(&v->hw, GAUSS_SUM)) {
        suite.operation = gauss_names[GAUSS_SUM];
        gridpot_one(&q, v, GAUSS_SUM, 0, &w, random64(&rng), NULL);
        suite.operation = gauss_names[GAUSS_GRIDPOT];
      }
      for (i = 0; i < 2; i++) {
        free(q.want[i]);
        free(q.sums[i]);
      }
    }
  }
  gridpot_free(&p);
  free(got);
}

/* Rows so far apart that their elements are more than 32 bits can count, in memory of which only a few pages are there. */
static void gridpot_apart(int type) {
  enum { N = 5, M = 3 };
  const size_t size = types[type].size, ld = ((size_t)1 << (sizeof(size_t) > 4 ? 31 : 20)) + 7,
               bytes = ((M - 1) * ld + N) * size;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t number = 0, i, j;
  variant *v;
  gridpot_problem p;
  char *out = (char *)mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (out == (char *)MAP_FAILED) return; /* as under some tools */
  gridpot_start(&p, type, N, M, M, POINTS_ANY, 20, &rng);
  p.centered = 0;
  for (i = 0; i < M; i++) p.alpha[i] = rounded_to(type, -0.1 * (double)(i + 1));
  for (i = 0; i < M * M; i++) p.c[i] = i % (M + 1) == 0; /* each sum is one exponential */
  while ((v = gauss_next(&number, type, GAUSS_GRIDPOT, 0)) != NULL) {
    int operation;
    for (operation = GAUSS_GRIDPOT; operation <= GAUSS_SUM && !v->device; operation++) {
      const double *want = gridpot_expect(&p, v->fused);
      gauss_call k = gauss_blank(operation, &v->hw);
      double xyz[3 * N], alpha[M], c[M * M];
      suite.operation = gauss_names[operation];
      describe("rows at a distance of %lu", (unsigned long)ld);
      begin_case();
      for (i = 0; i < 3 * N; i++) put(type, xyz, i, p.xyz[i]);
      for (i = 0; i < M; i++) put(type, alpha, i, p.alpha[i]);
      for (i = 0; i < M * M; i++) put(type, c, i, p.c[i]);
      for (i = 0; i < 3; i++) k.x[i] = (char *)xyz + i * size;
      k.n = N;
      k.stride = 3;
      k.m = k.nsums = M;
      k.alpha = alpha;
      k.c = c;
      k.out[0] = out;
      k.ld = ld;
      for (j = 0; j < M; j++) memset(out + j * ld * size, FILL_, N * size);
      check_status(gauss_types[type].call(&k), heap.live);
      for (j = 0; j < M && want; j++)
        for (i = 0; i < N; i++)
          if (!same(get(type, out + j * ld * size, i), want[j * N + i])) fail("row %lu is not in its place", (unsigned long)j);
      end_case();
    }
  }
  gridpot_free(&p);
  munmap(out, bytes);
}

/* ---------------------------------------------------------------------------------------------- the ends of the range -- */

/* One point at (r, 0, 0), many exponents: near each limit of the range, dense, and special ones. */
static void gridpot_range(int type) {
  static const double near_f32[] = {-103.97208, -103.27893, -87.336545, -86.643, 88.722839, 88.029692, 0},
                      near_f64[] = {-745.13321910194122,
                                    -744.44007192138122,
                                    -708.39641853226408,
                                    -707.7032713517043,
                                    709.782712893384,
                                    709.08956571282410,
                                    0};
  static const double r[] = {1, 2, 0.5, 0};
  const size_t dense = suite.quick ? 40 : 400, m = 7 * dense + 12;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const double most = type ? DBL_MAX : (double)FLT_MAX, *near = type ? near_f64 : near_f32;
  size_t t, i, number;
  variant *v;
  int compensated;
  for (compensated = 0; compensated < 2; compensated++)
    for (t = 0; t < COUNT_OF(r); t++) {
      gridpot_problem p;
      double *got = reals(m);
      gridpot_start(&p, type, 1, m, 0, POINTS_EXACT, 1, &rng);
      p.options.compensated = compensated;
      p.centered = 0;
      p.center[0] = p.center[1] = p.center[2] = 0;
      p.xyz[0] = p.xyz[1] = p.xyz[2] = 0;
      p.xyz[t % 3] = r[t];
      for (i = 0; i < m; i++) {
        const double big[12] = {most, -most, most / 2, -most / 2, 1e30, -1e30, 1000, -1000, 1e-30, -1e-30, 0, -0.};
        const double square = r[t] > 0 ? r[t] * r[t] : 1, size = fabs(near[i / 12 % 7]) + 1;
        const double close = near[i / 12 % 7] + (type ? 1e-13 : 1e-5) * size * random_unit(&rng);
        p.alpha[i] = rounded_to(type, i < 12 ? big[i] : close / square);
        if (i >= 12 && i % 12 == 0) p.alpha[i] = rounded_to(type, (type ? 750 : 105) * random_unit(&rng) / square);
      }
      for (number = 0; (v = gauss_next(&number, type, GAUSS_GRIDPOT, m)) != NULL;) {
        suite.operation = compensated ? "gridpot compensated" : "gridpot";
        gridpot_one(&p, v, GAUSS_GRIDPOT, (int)(number % 2), &gauss_plain, random64(&rng), got);
        gridpot_describe(&p);
        describe_more(", at the ends of the range, at distance %g", r[t]);
        begin_case();
        for (i = 0; i < m; i++) {
          /* a power of two keeps the product exact; one that is too large for the type is as good as infinite */
          const double a = p.alpha[i] * r[t] * r[t], error = gauss_error(type, got[i], pair_exp(pair_of(a)));
          if (gauss_is_zero(type, got[i], pair_exp(pair_of(a)), 100)) continue;
          if (!(error <= gridpot_limit(v->fused, compensated, POINTS_EXACT, 0, 0) * slack()))
            fail("error %g ulp at %.17g: %.17g, not %.17g", error, a, got[i], (double)expl((long double)a));
        }
        end_case();
      }
      gridpot_free(&p);
      free(got);
    }
}

/* Squares that overflow or vanish: 0, infinity, 1, but never NaN. */
static void gridpot_far(int type) {
  const double big = type ? 1e200 : 1e25, tiny = type ? 1e-200 : 1e-30, most = type ? DBL_MAX : (double)FLT_MAX;
  const double alpha[] = {-1, 1, -1e-3, most, -most};
  enum { POINTS = 6, ALL = 5 };
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int compensated;
  for (compensated = 0; compensated < 2; compensated++) {
    gridpot_problem p;
    double got[POINTS * ALL];
    size_t number = 0, i, j;
    variant *v;
    gridpot_start(&p, type, POINTS, ALL, 0, POINTS_EXACT, 1, &rng);
    p.options.compensated = compensated;
    p.centered = 0;
    for (j = 0; j < ALL; j++) p.alpha[j] = alpha[j];
    for (i = 0; i < 3 * POINTS; i++)
      p.xyz[i] = i % 3 != i / 3 % 3 ? 0 : rounded_to(type, i < 9 ? big : tiny) * (i % 2 ? -1 : 1);
    p.xyz[0] = p.xyz[1] = p.xyz[2] = rounded_to(type, big);
    p.xyz[4] = most;
    while ((v = gauss_next(&number, type, GAUSS_GRIDPOT, POINTS * ALL)) != NULL) {
      suite.operation = gauss_names[GAUSS_GRIDPOT];
      gridpot_one(&p, v, GAUSS_GRIDPOT, (int)(number % 2), &gauss_plain, random64(&rng), got);
      describe("points too far and too near%s", compensated ? ", compensated" : "");
      begin_case();
      for (j = 0; j < ALL; j++)
        for (i = 0; i < POINTS; i++) {
          const double want = i >= 3 ? 1 : alpha[j] > 0 ? HUGE_VAL : 0;
          if (!same(got[j * POINTS + i], want))
            fail("%g at point %lu, exponent %g", got[j * POINTS + i], (unsigned long)i, alpha[j]);
        }
      end_case();
    }
    gridpot_free(&p);
  }
}

/* Exponentials of all sizes, most of them far below the smallest normal number, in products and sums with ordinary coefficients:
   no operation meets or makes a subnormal number. */
static void gridpot_subnormals(int type) {
  enum { N = 700, M = 45, SUMS = 7 };
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const size_t size = types[type].size;
  size_t turn, i, number;
  variant *v;
  if (!SUBNORMAL_SEEN) return;
  for (turn = 0; turn < 24; turn++) {
    double xyz[3 * N], alpha[M], c[SUMS * M], *out = reals(N * M);
    convk_gaussian_options options;
    const int operation = turn % 3 ? GAUSS_SUM : GAUSS_GRIDPOT;
    memset(&options, 0, sizeof options);
    options.layout = operation == GAUSS_GRIDPOT && turn / 3 % 2;
    options.compensated = turn / 6 % 2;
    options.cutoff = turn / 12 ? 1e-10 : 0;
    suite.operation = gauss_names[operation];
    for (i = 0; i < 3 * N; i++) put(type, xyz, i, random_int(&rng, -40, 40) / (i % 4 ? 16.0 : 8.0));
    for (i = 0; i < M; i++) put(type, alpha, i, (i == 4 ? 0.1 : -1) * exp((type ? 11.5 : 9.2) * fabs(random_unit(&rng))) / 20);
    if (turn % 2) put(type, alpha, 4, -3.);
    for (i = 0; i < SUMS * M; i++) put(type, c, i, random_unit(&rng) * exp(3 * random_unit(&rng)));
    for (number = 0; (v = gauss_next(&number, type, operation, N * M)) != NULL;) {
      gauss_call k = gauss_blank(operation, &v->hw);
      if (v->device) continue;
      for (i = 0; i < 3; i++) k.x[i] = (char *)xyz + i * N * size;
      k.n = N;
      k.m = M;
      k.nsums = turn % 3 == 1 ? 1 + turn / 3 % 4 : (size_t)SUMS;
      k.alpha = alpha;
      k.c = c;
      k.options = &options;
      k.out[0] = out;
      describe("small exponentials, %s, cutoff %g", options.compensated ? "compensated" : "plain", options.cutoff);
      begin_case();
      forget_subnormals();
      check_status(gauss_types[type].call(&k), heap.live);
      want_no_subnormals(type, out, N * (operation == GAUSS_SUM ? k.nsums : (size_t)M));
      end_case();
    }
    free(out);
  }
}

/* ------------------------------------------------------------------------------------- functions of shells, as polynomials -- */

/* A homogeneous polynomial in x, y, z: coefficients of x^a y^b z^(l - a - b). */
typedef struct solid {
  int l;
  long double c[6][6];
} solid;

/* p := sum of f times (x, y or z for axis 0, 1, 2) times q */
static void solid_add(solid *p, long double f, int axis, const solid *q) {
  int a, b;
  for (a = 0; a <= q->l; a++)
    for (b = 0; b <= q->l - a; b++) p->c[a + (axis == 0)][b + (axis == 1)] += f * q->c[a][b];
}

static solid solid_zero(int l) {
  solid p;
  memset(&p, 0, sizeof p);
  p.l = l;
  return p;
}

/* Parts of (x + i y)^|m|, then up in l by (l - m) P_l = (2 l - 1) z P_(l-1) - (l + m - 1) r^2 P_(l-2), with (2 m - 1)!! and
   without a sign; normalised as r^l Y_lm sqrt(4 pi / (2 l + 1)) and then divided by sqrt((2 l - 1)!!). */
static solid solid_harmonic(int l, int m) {
  const int size = m < 0 ? -m : m;
  solid re = solid_zero(0), im = solid_zero(0), now, before;
  long double norm = size ? 2 : 1;
  int k, axis;
  re.c[0][0] = 1;
  for (k = 1; k <= size; k++) {
    solid next_re = solid_zero(k), next_im = solid_zero(k);
    solid_add(&next_re, 2 * k - 1, 0, &re);
    solid_add(&next_re, 1 - 2 * k, 1, &im);
    solid_add(&next_im, 2 * k - 1, 0, &im);
    solid_add(&next_im, 2 * k - 1, 1, &re);
    re = next_re;
    im = next_im;
  }
  now = m < 0 ? im : re;
  before = solid_zero(0);
  for (k = size + 1; k <= l; k++) {
    solid next = solid_zero(k);
    solid_add(&next, (long double)(2 * k - 1) / (k - size), 2, &now);
    for (axis = 0; axis < 3 && k > size + 1; axis++) {
      solid one = solid_zero(before.l + 1);
      solid_add(&one, 1, axis, &before);
      solid_add(&next, -(long double)(k + size - 1) / (k - size), axis, &one);
    }
    before = now;
    now = next;
  }
  for (k = l - size + 1; k <= l + size; k++) norm /= k;
  for (k = 2 * l - 1; k > 1; k -= 2) norm /= k;
  for (k = 0; k <= l; k++)
    for (axis = 0; axis <= l - k; axis++) now.c[k][axis] *= sqrtl(norm);
  return now;
}

static long double odd_factorial(int a) { /* (2 a - 1)!! */
  return a < 2 ? 1 : (2 * a - 1) * odd_factorial(a - 1);
}

/* Monomials by name, in the order of molden files. */
static const char *const molden_names[5][15] = {
    {""},
    {"x", "y", "z"},
    {"xx", "yy", "zz", "xy", "xz", "yz"},
    {"xxx", "yyy", "zzz", "xyy", "xxy", "xxz", "xzz", "yzz", "yyz", "xyz"},
    {"xxxx", "yyyy", "zzzz", "xxxy", "xxxz", "xyyy", "yyyz", "xzzz", "yzzz", "xxyy", "xxzz", "yyzz", "xxyz", "xyyz", "xyzz"}};

static int solid_count(int l, int order) {
  return order == CONVK_SHELL_CARTESIAN || order == CONVK_SHELL_CARTESIAN_MOLDEN ? (l + 1) * (l + 2) / 2 : 2 * l + 1;
}

enum { ORDERS = 5 };

/* Function number k of a shell. */
static solid solid_of(int l, int order, int k) {
  solid p = solid_zero(l);
  int a = 0, b = 0, i;
  if (order == CONVK_SHELL_SPHERICAL) return solid_harmonic(l, k - l);
  if (order == CONVK_SHELL_SPHERICAL_MOLDEN) {
    static const int p_order[3] = {1, -1, 0}; /* x y z */
    return solid_harmonic(l, l == 1 ? p_order[k] : k % 2 ? (k + 1) / 2 : -k / 2);
  }
  if (order == CONVK_SHELL_SPHERICAL_PYSCF) return solid_harmonic(l, l == 1 ? (k + 2) % 3 - 1 : k - l);
  if (order == CONVK_SHELL_CARTESIAN_MOLDEN) {
    for (i = 0; i < l; i++) {
      a += molden_names[l][k][i] == 'x';
      b += molden_names[l][k][i] == 'y';
    }
    p.c[a][b] = 1 / sqrtl(odd_factorial(a) * odd_factorial(b) * odd_factorial(l - a - b));
    return p;
  }
  for (a = l; a >= 0; a--)
    for (b = l - a; b >= 0; b--)
      if (k-- == 0) {
        p.c[a][b] = 1;
        return p;
      }
  return p;
}

/* What a polynomial times a radial function has at a point: value, gradient, Laplacian; and the same with all terms positive. */
enum { VALUE, DX, DY, DZ, LAPLACIAN, PARTS };

/* radial: R and its first and second derivative with respect to r^2, and those of absolute values. */
static void solid_at(const solid *p, const long double at[3], const long double radial[3], const long double size[3],
                     long double value[PARTS], long double bound[PARTS]) {
  const long double s = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
  int a, b, d, k;
  for (k = 0; k < PARTS; k++) value[k] = bound[k] = 0;
  for (a = 0; a <= p->l; a++)
    for (b = 0; b <= p->l - a; b++) {
      const int e[3] = {a, b, p->l - a - b};
      long double one[3], first[3], second[3], all, c = p->c[a][b];
      if (c == 0) continue;
      for (d = 0; d < 3; d++) {
        one[d] = power(at[d], e[d]);
        first[d] = e[d] ? e[d] * power(at[d], e[d] - 1) : 0;
        second[d] = e[d] > 1 ? e[d] * (e[d] - 1) * power(at[d], e[d] - 2) : 0;
      }
      all = c * one[0] * one[1] * one[2];
      value[VALUE] += all * radial[0];
      bound[VALUE] += fabsl(all) * size[0];
      value[LAPLACIAN] += all * (6 * radial[1] + 4 * s * radial[2]);
      bound[LAPLACIAN] += fabsl(all) * (6 * size[1] + 4 * s * size[2]);
      for (d = 0; d < 3; d++) {
        const long double others = c * one[(d + 1) % 3] * one[(d + 2) % 3];
        value[DX + d] += others * first[d] * radial[0] + all * 2 * at[d] * radial[1];
        bound[DX + d] += fabsl(others * first[d]) * size[0] + fabsl(all * 2 * at[d]) * size[1];
        value[LAPLACIAN] += others * (second[d] * radial[0] + 4 * first[d] * at[d] * radial[1]);
        bound[LAPLACIAN] += fabsl(others) * (fabsl(second[d]) * size[0] + fabsl(4 * first[d] * at[d]) * size[1]);
      }
    }
}

/* ----------------------------------------------------------------------------------------------------------- orbitals -- */

typedef struct orbital_problem {
  int type;
  size_t n, nshells, functions, norbitals;
  int identity; /* no coefficients: the functions themselves */
  double cutoff;
  double *xyz, *c, *occupations;
  convk_shell *shells;
  long double *value, *bound; /* PARTS arrays of norbitals rows of n, and of what rounding may do to each, in units of eps */
  long double *density, *density_bound;
  double *want[2][PARTS + 1]; /* the bits of a class: the parts, and the density */
} orbital_problem;

/* Few primitives, or more than are worked on at once. */
static size_t any_primitives(uint64_t *rng) { return 1 + random_below(rng, random_below(rng, 8) ? 7 : 50); }

/* A shell with exponents around `typical`; of half of them all parameters are numbers of the type. */
static void orbital_shell(int type, convk_shell *shell, int l, int order, size_t primitives, double typical, uint64_t *rng) {
  const int kept = random_below(rng, 2) ? 1 : type;
  double *numbers = reals(2 * primitives);
  size_t p;
  int d;
  shell->l = l;
  shell->functions = order;
  shell->primitives = primitives;
  for (d = 0; d < 3; d++) shell->center[d] = rounded_to(kept, 1.5 * random_unit(rng));
  for (p = 0; p < primitives; p++) {
    numbers[p] = rounded_to(kept, typical * exp(1.5 * random_unit(rng)));
    numbers[primitives + p] = rounded_to(kept, random_unit(rng));
  }
  shell->exponents = numbers;
  shell->coefficients = numbers + primitives;
}

static void orbital_start(orbital_problem *p, int type, size_t n, size_t nshells, uint64_t *rng) {
  size_t i;
  memset(p, 0, sizeof *p);
  p->type = type;
  p->n = n;
  p->nshells = nshells;
  p->xyz = reals(3 * n);
  for (i = 0; i < 3 * n; i++) p->xyz[i] = rounded_to(type, 3 * random_unit(rng));
  p->shells = (convk_shell *)need(nshells * sizeof *p->shells);
  memset(p->shells, 0, nshells * sizeof *p->shells);
}

/* Orbitals, when the shells are known; -1: the functions themselves. */
static void orbital_finish(orbital_problem *p, int norbitals, uint64_t *rng) {
  size_t i;
  for (i = 0; i < p->nshells; i++) p->functions += (size_t)solid_count(p->shells[i].l, p->shells[i].functions);
  p->identity = norbitals < 0;
  p->norbitals = p->identity ? p->functions : (size_t)norbitals;
  p->occupations = reals(p->norbitals);
  for (i = 0; i < p->norbitals; i++) p->occupations[i] = rounded_to(p->type, random_below(rng, 5) ? 1 + random_unit(rng) : 0);
  if (p->identity) return;
  p->c = reals(p->norbitals * p->functions);
  for (i = 0; i < p->norbitals * p->functions; i++) /* some columns of zeros, as symmetry makes them */
    p->c[i] = random_below(rng, 4) ? rounded_to(p->type, random_unit(rng)) : 0;
}

static void orbital_forget(orbital_problem *p) {
  int k;
  for (k = 0; k <= PARTS; k++) {
    free(p->want[0][k]);
    free(p->want[1][k]);
    p->want[0][k] = p->want[1][k] = NULL;
  }
}

static void orbital_free(orbital_problem *p) {
  size_t i;
  for (i = 0; i < p->nshells; i++) free((void *)(uintptr_t)p->shells[i].exponents);
  orbital_forget(p);
  free(p->shells);
  free(p->xyz);
  free(p->c);
  free(p->occupations);
  free(p->value);
  free(p->bound);
  free(p->density);
  free(p->density_bound);
}

static void orbital_describe(const orbital_problem *p) {
  describe("%lu points, %lu shells of %lu functions, %lu orbitals%s", (unsigned long)p->n, (unsigned long)p->nshells,
           (unsigned long)p->functions, (unsigned long)p->norbitals, p->identity ? ", the functions themselves" : "");
  if (p->nshells == 1) describe_more(", l %d, order %d", p->shells[0].l, p->shells[0].functions);
  if (p->cutoff > 0) describe_more(", cutoff %g", p->cutoff);
}

/* Long double, with what the documentation allows to rounding: (8 + functions) eps of all terms, 3 |a r^2| eps of a primitive. */
static void orbital_reference(orbital_problem *p) {
  const size_t all = p->norbitals * p->n;
  long double(*terms)[PARTS], (*bounds)[PARTS];
  solid *polynomials;
  size_t i, o, f, s, q;
  int k;
  if (p->value) return;
  polynomials = (solid *)need(p->functions * sizeof *polynomials);
  for (s = 0, f = 0; s < p->nshells; s++)
    for (k = 0; k < solid_count(p->shells[s].l, p->shells[s].functions); k++, f++)
      polynomials[f] = solid_of(p->shells[s].l, p->shells[s].functions, k);
  p->value = (long double *)need(PARTS * all * sizeof *p->value);
  p->bound = (long double *)need(PARTS * all * sizeof *p->bound);
  p->density = (long double *)need(p->n * sizeof *p->density);
  p->density_bound = (long double *)need(p->n * sizeof *p->density_bound);
  terms = (long double(*)[PARTS])need(p->functions * sizeof *terms);
  bounds = (long double(*)[PARTS])need(p->functions * sizeof *bounds);
  for (i = 0; i < p->n; i++) {
    for (s = 0, f = 0; s < p->nshells; s++) {
      const convk_shell *shell = &p->shells[s];
      const int count = solid_count(shell->l, shell->functions);
      long double at[3], square = 0, radial[3] = {0, 0, 0}, size[3] = {0, 0, 0};
      for (k = 0; k < 3; k++) {
        at[k] = (long double)p->xyz[3 * i + (size_t)k] - (long double)shell->center[k];
        square += at[k] * at[k];
      }
      for (q = 0; q < shell->primitives; q++) {
        const long double a = shell->exponents[q], e = expl(-a * square), errors = 8 + (double)p->functions + 3 * a * square;
        long double term = shell->coefficients[q] * e;
        if (e < (long double)p->cutoff || e < (long double)gauss_least_primitive[p->type]) continue;
        for (k = 0; k < 3; k++) {
          radial[k] += k == 1 ? -term : term;
          size[k] += fabsl(term) * errors;
          term *= a;
        }
      }
      for (k = 0; k < count; k++, f++) solid_at(&polynomials[f], at, radial, size, terms[f], bounds[f]);
    }
    p->density[i] = p->density_bound[i] = 0;
    for (o = 0; o < p->norbitals; o++) {
      long double occupation = p->occupations[o], v, b;
      for (k = 0; k < PARTS; k++) {
        long double value = 0, bound = 0;
        for (f = 0; f < p->functions; f++) {
          const long double c = p->identity ? f == o : p->c[o * p->functions + f];
          value += c * terms[f][k];
          bound += fabsl(c) * bounds[f][k];
        }
        p->value[(size_t)k * all + o * p->n + i] = value;
        p->bound[(size_t)k * all + o * p->n + i] = bound;
      }
      v = p->value[o * p->n + i];
      b = p->bound[o * p->n + i];
      p->density[i] += occupation * v * v;
      p->density_bound[i] +=
          occupation * ((double)(p->norbitals + 3) * v * v + 2 * fabsl(v) * b + b * b * 2 * types[p->type].unit);
      p->density_bound[i] += occupation * gauss_least_square[p->type] / (2 * types[p->type].unit);
    }
  }
  free(polynomials);
  free(terms);
  free(bounds);
}

/* The bits of a class, point by point; NULL where this machine cannot tell. */
static double *const *orbital_expect(orbital_problem *p, int fused) {
  convk *model = class_handle(fused);
  const size_t size = types[p->type].size;
  char *c, *occupations, *out;
  void *work;
  size_t i, o, f, bytes;
  int k, operation;
  if (!model) return NULL;
  if (p->want[fused][0]) return p->want[fused];
  c = (char *)need(p->norbitals * p->functions * size);
  occupations = (char *)need(p->norbitals * size);
  out = (char *)need((PARTS * p->norbitals + 1) * size);
  bytes = gauss_types[p->type].work(model, p->nshells, p->shells, p->norbitals);
  work = need(bytes);
  for (f = 0; f < p->norbitals * p->functions && !p->identity; f++) put(p->type, c, f, p->c[f]);
  for (o = 0; o < p->norbitals; o++) put(p->type, occupations, o, p->occupations[o]);
  for (k = 0; k <= PARTS; k++) p->want[fused][k] = reals(k == PARTS ? p->n : p->norbitals * p->n);
  for (i = 0; i < p->n; i++)
    for (operation = GAUSS_VGL; operation <= GAUSS_DENSITY; operation++) {
      gauss_call call = gauss_blank(operation, model);
      convk_gaussian_options options;
      char x[24];
      memset(&options, 0, sizeof options);
      options.cutoff = p->cutoff;
      for (k = 0; k < 3; k++) {
        put(p->type, x, (size_t)k, p->xyz[3 * i + (size_t)k]);
        call.x[k] = x + (size_t)k * size;
      }
      call.n = 1;
      call.options = &options;
      call.nshells = p->nshells;
      call.shells = p->shells;
      call.norbitals = p->norbitals;
      call.c = p->identity ? NULL : c;
      call.occupations = occupations;
      call.work = work;
      call.work_size = bytes;
      for (k = 0; k < PARTS; k++) call.out[k] = out + (size_t)k * p->norbitals * size;
      if (gauss_types[p->type].call(&call)) fail("status of one point");
      if (operation == GAUSS_DENSITY) p->want[fused][PARTS][i] = get(p->type, out, 0);
      for (k = 0; k < PARTS && operation == GAUSS_VGL; k++)
        for (o = 0; o < p->norbitals; o++) p->want[fused][k][o * p->n + i] = get(p->type, out, (size_t)k * p->norbitals + o);
    }
  free(c);
  free(occupations);
  free(out);
  free(work);
  return p->want[fused];
}

/* Results against long double.  Near a cutoff of orbitals nobody knows on which side a primitive lies. */
static double orbital_judge(const orbital_problem *p, int operation, int part, const double *got, double *l2) {
  const size_t rows = operation == GAUSS_DENSITY ? 1 : p->norbitals;
  const long double *value = operation == GAUSS_DENSITY ? p->density : p->value + (size_t)part * rows * p->n;
  const long double *bound = operation == GAUSS_DENSITY ? p->density_bound : p->bound + (size_t)part * rows * p->n;
  const double eps = 2 * types[p->type].unit * slack(), tiny = p->type ? DBL_MIN : (double)FLT_MIN;
  double worst = 0;
  long double norm = 0, difference = 0;
  size_t i;
  for (i = 0; i < rows * p->n; i++) {
    const long double off = fabsl((long double)got[i] - value[i]), allowed = eps * bound[i] + (double)(p->functions + 1) * tiny;
    norm += value[i] * value[i];
    difference += off * off;
    if (!(off <= allowed))
      fail("part %d: element %lu of row %lu is %.17g, not %.17g; allowed %g", part, (unsigned long)(i % p->n),
           (unsigned long)(i / p->n), got[i], (double)value[i], (double)allowed);
    if (off / allowed > (long double)worst) worst = (double)(off / allowed);
  }
  *l2 = norm > 0 ? (double)sqrtl(difference / norm) : 0;
  return worst;
}

/* One call: the bits of its class where they are known, long double where that is made, results without gaps where wanted. */
static void orbital_one(orbital_problem *p, variant *v, int operation, const gauss_way *w, uint64_t seed,
                        double *const *results) {
  const int type = p->type, outputs = gauss_outputs(operation);
  const size_t size = types[type].size, rows = operation == GAUSS_DENSITY ? 1 : p->norbitals;
  const long live = heap.live;
  uint64_t rng = seed;
  gauss_call k = gauss_blank(operation, NULL);
  convk_gaussian_options options;
  convk copy;
  hook h = hook_new(w->e.hook, w->e.threads, random64(&rng));
  gauss_points points;
  workspace work;
  guard c, occupations, out[PARTS];
  double *const *want;
  double *packed = reals(rows * p->n), worst = 0, largest = 0;
  size_t i, r;
  int part;
  orbital_describe(p);
  begin_case();
  memset(&options, 0, sizeof options);
  options.cutoff = p->cutoff;
  points = gauss_points_new(type, p->xyz, p->n, &k, &rng);
  k.options = p->cutoff > 0 || random_below(&rng, 2) ? &options : NULL;
  k.nshells = p->nshells;
  k.shells = p->shells;
  k.norbitals = p->norbitals;
  k.ldc = p->identity || random_below(&rng, 2) ? 0 : p->functions + random_below(&rng, 9);
  k.ld = operation == GAUSS_DENSITY || random_below(&rng, 2) ? 0 : p->n + random_below(&rng, 70);
  c = gauss_array(type, p->c, p->identity ? 0 : p->norbitals, p->functions, k.ldc, &rng);
  occupations = gauss_array(type, p->occupations, 1, p->norbitals, 0, &rng);
  k.c = p->identity ? NULL : c.data;
  k.occupations = occupations.data;
  for (part = 0; part < outputs; part++) {
    out[part] = gauss_array(type, NULL, rows, p->n, k.ld, &rng);
    k.out[part] = out[part].data;
  }
  gauss_way_set(&k, v, w, &copy, &h);
  work = workspace_new(w->e.work, gauss_types[type].work(k.hw, p->nshells, p->shells, p->norbitals), &rng);
  k.work = work.work;
  k.work_size = work.size;
  k.planned = (int)random_below(&rng, 3);
  describe_more("%s", k.planned ? "; with a plan" : "");
  check_status(gauss_types[type].call(&k), live);
  want = v->device ? NULL : orbital_expect(p, v->fused);
  for (part = 0; part < outputs; part++) {
    double l2, of_bound;
    if (want) gauss_compare(type, &out[part], want[operation == GAUSS_DENSITY ? PARTS : part], rows, p->n, k.ld, "bits");
    for (r = 0; r < rows; r++)
      for (i = 0; i < p->n; i++) packed[r * p->n + i] = get(type, out[part].data, r * (k.ld ? k.ld : p->n) + i);
    for (r = 0; r + 1 < rows && k.ld && p->n; r++)
      if (!all_fill(out[part].data + (r * k.ld + p->n) * size, out[part].data + (r + 1) * k.ld * size))
        fail("behind row %lu something was written", (unsigned long)r);
    if (results) memcpy(results[part], packed, rows * p->n * sizeof *packed);
    if (!p->value) continue;
    of_bound = orbital_judge(p, operation, part, packed, &l2);
    if (of_bound > worst) worst = of_bound;
    if (l2 > largest) largest = l2;
  }
  if (p->value) error_note("of the bound", worst, 1, 0, largest, 0, (size_t)outputs * rows * p->n);
  if (k.hw && k.hw->ours.inside.device) handle_for(v, &copy, &plain, NULL);
  workspace_end(&work);
  gauss_points_end(&points);
  gauss_array_end(&c, "the coefficients");
  gauss_array_end(&occupations, "the occupations");
  for (part = 0; part < outputs; part++) gauss_array_end(&out[part], "the results");
  free(packed);
  end_case();
}

/* Each variant, values, derivatives and density, in its own way. */
static void orbital_run(orbital_problem *p, const gauss_way *w, uint64_t seed) {
  uint64_t rng = seed;
  int operation;
  for (operation = GAUSS_ORBITALS; operation <= GAUSS_DENSITY; operation++) {
    size_t number = 0;
    variant *v;
    suite.operation = gauss_names[operation];
    while ((v = gauss_next(&number, p->type, operation, 10 * p->n * (p->functions + p->norbitals))) != NULL) {
      const gauss_way any = any_gauss_way(&rng);
      if (v->thin && random_below(&rng, v->thin)) continue;
      orbital_one(p, v, operation, w ? w : &any, random64(&rng), NULL);
    }
  }
}

/* Each shell alone, in each order; with and without coefficients. */
static void orbital_shells(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int l, order, turn;
  for (l = 0; l <= CONVK_SHELL_MAX_L; l++)
    for (order = 0; order < ORDERS; order++)
      for (turn = 0; turn < 2; turn++) {
        orbital_problem p;
        if (suite.quick && (l + order + turn) % 5) continue;
        orbital_start(&p, type, 7 + random_below(&rng, 40), 1, &rng);
        orbital_shell(type, &p.shells[0], l, order, any_primitives(&rng), 0.5, &rng);
        orbital_finish(&p, turn ? random_int(&rng, 0, 4) : -1, &rng);
        orbital_reference(&p);
        orbital_run(&p, NULL, random64(&rng));
        orbital_free(&p);
      }
}

/* Some shells of any kind, some of which share their center, and exponents. */
static void orbital_any(orbital_problem *p, int type, size_t n, size_t nshells, int most_l, int norbitals, uint64_t *rng) {
  size_t i;
  orbital_start(p, type, n, nshells, rng);
  for (i = 0; i < nshells; i++) {
    const convk_shell *before = i ? &p->shells[random_below(rng, 4) ? i - 1 : random_below(rng, i)] : NULL;
    const int alike = before && random_below(rng, 2);
    orbital_shell(type, &p->shells[i], random_int(rng, 0, most_l), random_int(rng, 0, ORDERS - 1),
                  alike ? before->primitives + random_below(rng, 4) / 3 : any_primitives(rng), 0.5, rng);
    if (before && (alike || random_below(rng, 2))) memcpy(p->shells[i].center, before->center, sizeof before->center);
    if (alike) memcpy((double *)(uintptr_t)p->shells[i].exponents, before->exponents, before->primitives * sizeof(double));
    if (alike && random_below(rng, 4) == 0) ((double *)(uintptr_t)p->shells[i].exponents)[before->primitives - 1] *= 1.5;
  }
  orbital_finish(p, norbitals, rng);
}

static void orbital_shapes(int type) {
  static const int orbitals[] = {-1, 0, 1, 2, 3, 4, 5, 8, 17};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t a, b;
  for (a = 0; a < COUNT_OF(gauss_sizes); a++)
    for (b = 0; b < COUNT_OF(orbitals); b++) {
      orbital_problem p;
      if (random_below(&rng, suite.quick ? 20 : 3)) continue;
      orbital_any(&p, type, gauss_sizes[a], 1 + random_below(&rng, 5), 3, orbitals[b], &rng);
      orbital_reference(&p);
      orbital_run(&p, NULL, random64(&rng));
      orbital_free(&p);
    }
}

/* More points than a block, more shells and orbitals than a tile. */
static void orbital_many(int type) {
  static const struct {
    size_t n, nshells;
    int l, orbitals;
  } some[] = {{1, 40, 4, 3},    {37, 60, 2, 17}, {23, 30, 4, -1}, {1031, 3, 2, 2},
              {2053, 2, 1, -1}, {517, 7, 4, 23}, {5, 25, 4, 101}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t i;
  for (i = 0; i < COUNT_OF(some); i++) {
    orbital_problem p;
    if (suite.quick && i % 3) continue;
    orbital_any(&p, type, some[i].n, some[i].nshells, some[i].l, some[i].orbitals, &rng);
    orbital_reference(&p);
    orbital_run(&p, NULL, random64(&rng));
    orbital_free(&p);
  }
}

static void orbital_threads(int type) {
  static const size_t sizes[] = {3, 100, 2000};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s;
  int kind;
  for (s = 0; s < COUNT_OF(sizes); s++) {
    orbital_problem p;
    orbital_any(&p, type, suite.quick && s == 2 ? 700 : sizes[s], 4, 2, 3, &rng);
    for (kind = HOOK_REVERSED + (suite.quick ? (int)s % 3 : 0); kind <= HOOK_THREADS; kind += suite.quick ? 3 : 1) {
      gauss_way w = gauss_plain;
      w.e.hook = kind;
      w.e.threads = random_int(&rng, 2, 9);
      w.e.work = (int)random_below(&rng, WORK_KINDS);
      w.call = (int)random_below(&rng, 2);
      orbital_run(&p, &w, random64(&rng));
    }
    orbital_free(&p);
  }
}

/* The hook gets several tasks of a call of n points. */
static void orbital_hook_of(int type, size_t n, uint64_t *rng) {
  orbital_problem p;
  int operation;
  orbital_any(&p, type, n, 3, 1, 2, rng);
  for (operation = GAUSS_ORBITALS; operation <= GAUSS_DENSITY; operation++) {
    const size_t size = types[type].size, bytes = 2 * p.n * size;
    size_t number = 0, i;
    variant *v;
    suite.operation = gauss_names[operation];
    while ((v = gauss_next(&number, type, operation, 0)) != NULL) {
      hook h = hook_new(HOOK_SHUFFLED, 3, 1);
      gauss_call k = gauss_blank(operation, NULL);
      char *x = (char *)need(3 * p.n * size), *c = (char *)need(2 * p.functions * size), *occupations = (char *)need(2 * size);
      char *out[2][PARTS];
      convk copy = v->hw;
      int part, turn;
      orbital_describe(&p);
      describe_more("; 3 threads");
      begin_case();
      for (i = 0; i < 3 * p.n; i++) put(type, x, i, p.xyz[i]);
      for (i = 0; i < 2 * p.functions; i++) put(type, c, i, p.c[i]);
      for (i = 0; i < 2; i++) put(type, occupations, i, p.occupations[i]);
      for (turn = 0; turn < 2 && !v->device; turn++) {
        const long live = heap.live;
        copy.parallel.threads = turn ? 3 : 1;
        copy.parallel.run = hook_run;
        copy.parallel.ctx = &h;
        k.hw = &copy;
        k.n = p.n;
        for (i = 0; i < 3; i++) k.x[i] = x + i * p.n * size;
        k.nshells = p.nshells;
        k.shells = p.shells;
        k.norbitals = 2;
        k.c = c;
        k.occupations = occupations;
        for (part = 0; part < PARTS; part++) {
          k.out[part] = out[turn][part] = (char *)need(bytes);
          memset(out[turn][part], FILL_, bytes);
        }
        check_status(gauss_types[type].call(&k), live);
      }
      for (part = 0; part < PARTS && !v->device; part++) {
        if (memcmp(out[0][part], out[1][part], bytes)) fail("other bits in part %d", part);
        free(out[0][part]);
        free(out[1][part]);
      }
      if (!v->device && (!h.calls || h.most < 2))
        fail("the hook ran %lu times, with %lu tasks", (unsigned long)h.calls, (unsigned long)h.most);
      free(x);
      free(c);
      free(occupations);
      end_case();
    }
  }
  orbital_free(&p);
}

/* Fewer points, too, than are looked at by several threads whether they are finite. */
static void orbital_hook(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  orbital_hook_of(type, 20011, &rng);
  orbital_hook_of(type, 4099, &rng);
}

/* Primitives below the cutoff count as 0: where all are below, the result is 0, where none is, it has the bits of the call
   without.  Points lie so that nobody needs to know on which side of the cutoff rounding puts a primitive. */
static void orbital_cutoff(int type) {
  static const double cutoffs[] = {1e-3, 0.03, 1e-9, 0.4};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t t;
  for (t = 0; t < COUNT_OF(cutoffs); t++) {
    orbital_problem p;
    size_t i, s, q, kept = 0, number;
    double *free_of_it[PARTS], *screened[PARTS];
    variant *v;
    int k;
    orbital_any(&p, type, suite.quick ? 100 : 700, 5, 2, t == 1 ? -1 : 6, &rng);
    for (s = 1; s < p.nshells && t % 3 == 0; s += 2) /* narrow among wide ones */
      for (q = 0; q < p.shells[s].primitives; q++)
        ((double *)(uintptr_t)p.shells[s].exponents)[q] = rounded_to(type, 20 * p.shells[s].exponents[q]);
    p.cutoff = rounded_to(type, cutoffs[t]);
    for (i = 0; i < p.n; i++) { /* the middle third far off, as blocks; none close to a cutoff */
      int close = 0;
      double at[3];
      for (k = 0; k < 3; k++) at[k] = rounded_to(type, p.xyz[3 * i + (size_t)k] * (i * 3 / p.n == 1 ? 40 : 1));
      for (s = 0; s < p.nshells; s++)
        for (q = 0; q < p.shells[s].primitives; q++) {
          double square = 0;
          for (k = 0; k < 3; k++) square += (at[k] - p.shells[s].center[k]) * (at[k] - p.shells[s].center[k]);
          if (fabs(p.shells[s].exponents[q] * square + log(p.cutoff)) < 1e-3) close = 1;
        }
      if (!close) memcpy(p.xyz + 3 * kept++, at, sizeof at);
    }
    p.n = kept;
    orbital_reference(&p);
    orbital_run(&p, NULL, random64(&rng));
    for (k = 0; k < PARTS; k++) {
      free_of_it[k] = reals(p.norbitals * p.n);
      screened[k] = reals(p.norbitals * p.n);
    }
    suite.operation = gauss_names[GAUSS_VGL];
    for (number = 0; (v = gauss_next(&number, type, GAUSS_VGL, 20 * p.n * (p.functions + p.norbitals))) != NULL;) {
      orbital_problem whole = p;
      size_t all = 0, none = 0;
      orbital_one(&p, v, GAUSS_VGL, &gauss_plain, random64(&rng), screened);
      whole.cutoff = 0;
      memset(whole.want, 0, sizeof whole.want);
      whole.value = NULL;
      orbital_one(&whole, v, GAUSS_VGL, &gauss_plain, random64(&rng), free_of_it);
      orbital_forget(&whole);
      orbital_describe(&p);
      describe_more(", zeros and what has none");
      begin_case();
      for (i = 0; i < p.n; i++) {
        size_t below = 0, primitives = 0, o;
        for (s = 0; s < p.nshells; s++)
          for (q = 0; q < p.shells[s].primitives; q++, primitives++) {
            double square = 0;
            for (k = 0; k < 3; k++) square += pow(p.xyz[3 * i + (size_t)k] - p.shells[s].center[k], 2);
            below += exp(-p.shells[s].exponents[q] * square) < p.cutoff;
          }
        all += below == primitives;
        none += below == 0;
        for (o = 0; o < p.norbitals; o++)
          for (k = 0; k < PARTS; k++) {
            const double got = screened[k][o * p.n + i];
            if (below == primitives && got != 0) fail("%g where all primitives are below the cutoff", got);
            if (!below && !same(got, free_of_it[k][o * p.n + i])) fail("other bits where no primitive is below the cutoff");
          }
      }
      if (!all || (!none && t == 2))
        fail("nothing was tried: %lu of all, %lu of none", (unsigned long)all, (unsigned long)none);
      end_case();
    }
    for (k = 0; k < PARTS; k++) {
      free(free_of_it[k]);
      free(screened[k]);
    }
    orbital_free(&p);
  }
}

/* Exponents of any size: 0 but at the center, or all of the coefficient everywhere. */
static void orbital_extremes(int type) {
  static const double exponents[][2] = {{1e38, 1e300}, {3e38, 1.7e308}, {1e-38, 1e-300}, {1e-60, 1e-308}, {1e300, 1e306}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t t, number, i;
  variant *v;
  suite.operation = gauss_names[GAUSS_ORBITALS];
  for (t = 0; t < COUNT_OF(exponents); t++) {
    orbital_problem p;
    orbital_start(&p, type, 9, 1, &rng);
    orbital_shell(type, &p.shells[0], 0, 0, 1, 1, &rng);
    *(double *)(uintptr_t)p.shells[0].exponents = exponents[t][type];
    *(double *)(uintptr_t)p.shells[0].coefficients = 0.75;
    for (i = 0; i < 3; i++) p.shells[0].center[i] = 0.5 * (double)i;
    for (number = 0; (v = gauss_next(&number, type, GAUSS_ORBITALS, 9)) != NULL;) {
      gauss_call k = gauss_blank(GAUSS_ORBITALS, &v->hw);
      double xyz[27], out[9];
      for (i = 0; i < 27; i++) put(type, xyz, i, p.shells[0].center[i % 3] + (i < 12 ? 0 : 1));
      for (i = 0; i < 3; i++) k.x[i] = (char *)xyz + i * types[type].size;
      k.n = 9;
      k.stride = 3;
      k.nshells = k.norbitals = 1;
      k.shells = p.shells;
      k.out[0] = out;
      describe("an exponent of %g", exponents[t][type]);
      begin_case();
      check_status(gauss_types[type].call(&k), heap.live);
      for (i = 0; i < 9; i++)
        if (get(type, out, i) != (i < 4 || exponents[t][type] < 1 ? 0.75 : 0))
          fail("%g at point %lu", get(type, out, i), (unsigned long)i);
      end_case();
    }
    orbital_free(&p);
  }
}

/* The same of orbitals: narrow and wide shells; points in planes through their centers, exactly, with coefficients some of which
   are noise, or but for rounding (rough), with s, p, d; all operations, with coefficients and without. */
static void orbital_subnormals_on(int type, int rough) {
  enum { SIDE = 13, N = SIDE * SIDE * SIDE, SHELLS = 9, MOST = 11 };
  static const double exponents[SHELLS][3] = {{2266, 340, 77}, {6.6, 0.8, 0.25}, {3.8, 1.04, 0.27},
                                              {0.2, 1.2, 30},  {1, 0.9, 0.1},    {500, 0.7, 9},
                                              {0.4, 4, 40},    {13, 2, 0.44},    {0.12, 0.12, 100}};
  static const double coefficients[3] = {0.3, -0.9, 1.7};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const size_t size = types[type].size;
  size_t turn, i, number, functions = 0;
  convk_shell shells[SHELLS];
  double *xyz = reals(3 * N), *c, occupations[MOST], *out[PARTS];
  variant *v;
  int part;
  if (!SUBNORMAL_SEEN) return;
  memset(shells, 0, sizeof shells);
  for (i = 0; i < SHELLS; i++) {
    shells[i].l = (int)(i * 7 % (rough ? 3 : 5));
    shells[i].functions = (int)(i % ORDERS);
    shells[i].primitives = 3;
    shells[i].exponents = exponents[i];
    shells[i].coefficients = coefficients;
    shells[i].center[0] = (double)(i / 3) * (rough ? 1.43 : 1.375);
    shells[i].center[1] = i / 3 % 2 ? -0.875 : rough ? 0.22 : 0.25;
    shells[i].center[2] = i / 3 % 2 ? rough ? 0.1 : 0.125 : 0;
    functions += (size_t)solid_count(shells[i].l, shells[i].functions);
  }
  for (i = 0; i < N; i++) {
    put(type, xyz, i, (rough ? 1.43 : 1.375) * ((double)(i % SIDE) - 6));
    put(type, xyz, N + i, 1.125 * ((double)(i / SIDE % SIDE) - 6) + (rough ? 0.22 : 0.25));
    put(type, xyz, 2 * N + i, 1.25 * (double)(i / SIDE / SIDE) + (rough ? 0.1 : 0.125));
  }
  c = reals(MOST * functions);
  for (i = 0; i < MOST * functions; i++) put(type, c, i, random_unit(&rng) * (rough || random_below(&rng, 3) ? 1 : 1e-17));
  for (i = 0; i < MOST; i++) put(type, occupations, i, i < 5 ? 2 : 0.1 * (double)(i - 5));
  for (part = 0; part < PARTS; part++) out[part] = reals(N * (functions > MOST ? functions : (size_t)MOST));
  for (turn = 0; turn < 12; turn++) {
    const int operation = GAUSS_ORBITALS + (int)turn % 3;
    convk_gaussian_options options;
    memset(&options, 0, sizeof options);
    options.cutoff = turn / 6 ? 1e-10 : 0;
    suite.operation = gauss_names[operation];
    for (number = 0; (v = gauss_next(&number, type, operation, 20 * N * functions)) != NULL;) {
      gauss_call k = gauss_blank(operation, &v->hw);
      if (v->device) continue;
      for (i = 0; i < 3; i++) k.x[i] = (char *)xyz + i * N * size;
      k.n = N;
      k.nshells = SHELLS;
      k.shells = shells;
      k.norbitals = turn / 3 % 2 ? functions : (size_t)MOST;
      k.c = turn / 3 % 2 ? NULL : c;
      if (operation == GAUSS_DENSITY && !k.c) continue;
      k.occupations = occupations;
      k.options = &options;
      for (part = 0; part < PARTS; part++) k.out[part] = out[part];
      describe("small exponentials, %s, cutoff %g", k.c ? "orbitals" : "functions", options.cutoff);
      begin_case();
      forget_subnormals();
      check_status(gauss_types[type].call(&k), heap.live);
      for (part = 0; part < gauss_outputs(operation); part++)
        want_no_subnormals(type, out[part], N * (operation == GAUSS_DENSITY ? 1 : k.norbitals));
      end_case();
    }
  }
  for (part = 0; part < PARTS; part++) free(out[part]);
  free(xyz);
  free(c);
}

static void orbital_subnormals(int type) {
  orbital_subnormals_on(type, 0);
  orbital_subnormals_on(type, 1);
}

/* Derivatives against differences of the values of the same variant, in double precision: of second order, extrapolated. */
static void orbital_differences(int type) {
  static const double step = 1.0 / 64;
  uint64_t rng = random_seed(suite.test);
  size_t number = 0, i, o;
  variant *v;
  orbital_problem p;
  if (!type) return;
  orbital_any(&p, type, 23, 9, 4, 5, &rng);
  for (i = 0; i < p.n * 3; i++) p.xyz[i] = floor(p.xyz[i] * 1024) / 1024;
  suite.operation = gauss_names[GAUSS_VGL];
  while ((v = gauss_next(&number, type, GAUSS_VGL, 300 * p.n * p.functions)) != NULL) {
    double *part[PARTS], *moved[12];
    double scale = 0;
    int k;
    for (k = 0; k < PARTS; k++) part[k] = reals(p.n * p.norbitals);
    orbital_one(&p, v, GAUSS_VGL, &gauss_plain, random64(&rng), part);
    for (k = 0; k < 12; k++) { /* by -2, -1, 1, 2 steps in each direction */
      static const int by[4] = {-2, -1, 1, 2};
      orbital_problem q = p;
      memset(q.want, 0, sizeof q.want);
      q.value = NULL;
      q.xyz = reals(3 * p.n);
      for (i = 0; i < 3 * p.n; i++) q.xyz[i] = p.xyz[i] + (i % 3 == (size_t)k / 4 ? by[k % 4] * step : 0);
      moved[k] = reals(p.n * p.norbitals);
      orbital_one(&q, v, GAUSS_ORBITALS, &gauss_plain, random64(&rng), &moved[k]);
      orbital_forget(&q);
      free(q.xyz);
    }
    orbital_describe(&p);
    describe_more(", derivatives against differences");
    begin_case();
    for (i = 0; i < p.n * p.norbitals; i++)
      for (k = 0; k < 3; k++) scale = fmax(scale, fabs(part[DX + k][i]));
    for (o = 0; o < p.n * p.norbitals; o++) {
      double laplacian = 0;
      for (k = 0; k < 3; k++) {
        const double *m2 = moved[4 * k], *m1 = moved[4 * k + 1], *p1 = moved[4 * k + 2], *p2 = moved[4 * k + 3];
        const double d = (8 * (p1[o] - m1[o]) - (p2[o] - m2[o])) / (12 * step);
        laplacian += (16 * (p1[o] + m1[o]) - (p2[o] + m2[o]) - 30 * part[VALUE][o]) / (12 * step * step);
        if (!(fabs(d - part[DX + k][o]) <= 1e-4 * scale)) fail("axis %d: %g, and the difference %g", k, part[DX + k][o], d);
      }
      if (!(fabs(laplacian - part[LAPLACIAN][o]) <= 1e-3 * scale))
        fail("Laplacian %g, and the difference %g", part[LAPLACIAN][o], laplacian);
    }
    end_case();
    for (k = 0; k < PARTS; k++) free(part[k]);
    for (k = 0; k < 12; k++) free(moved[k]);
  }
  orbital_free(&p);
}

/* ---------------------------------------------------------------------------------------- norms, densities, and a molecule -- */

/* Values of shells, or a density of orbitals, on a cubic grid of n^3 points and this spacing. */
static void on_grid(variant *v, size_t n, double spacing, size_t nshells, const convk_shell *shells, size_t norbitals,
                    const double *c, const double *occupations, double *out) {
  const size_t all = n * n * n;
  double *xyz = reals(3 * all);
  gauss_call k = gauss_blank(occupations ? GAUSS_DENSITY : GAUSS_ORBITALS, &v->hw);
  size_t i;
  for (i = 0; i < all; i++) {
    xyz[3 * i] = spacing * ((double)(i % n) - 0.5 * (double)(n - 1));
    xyz[3 * i + 1] = spacing * ((double)(i / n % n) - 0.5 * (double)(n - 1));
    xyz[3 * i + 2] = spacing * ((double)(i / n / n) - 0.5 * (double)(n - 1));
  }
  k.n = all;
  k.stride = 3;
  for (i = 0; i < 3; i++) k.x[i] = xyz + i;
  k.nshells = nshells;
  k.shells = shells;
  k.norbitals = norbitals;
  k.c = c;
  k.occupations = occupations;
  k.out[0] = out;
  check_status(gauss_types[1].call(&k), heap.live);
  free(xyz);
}

/* Integrals of products of the functions of a normalised shell over a grid, which is exact for Gaussians as smooth as these: 1
   and 0 for spherical ones; for monomials the moments of a Gaussian. */
static void shell_norms(int type) {
  static const double exponents[3] = {0.9, 0.8, 1.3}, contraction[3] = {0.4, 0.7, -0.2};
  const size_t n = 35, all = n * n * n;
  const double spacing = 0.33;
  size_t number = 0, i;
  int l, order, a, b, d;
  variant *v;
  double *values = reals(15 * all);
  if (type)
    while ((v = gauss_next(&number, type, GAUSS_ORBITALS, 1000000)) != NULL)
      for (l = 0; l <= CONVK_SHELL_MAX_L; l++)
        for (order = 0; order < ORDERS; order++) {
          convk_shell shell;
          double c[3];
          const int count = solid_count(l, order);
          if (suite.quick && (number + (size_t)(l + order)) % 5) continue;
          memset(&shell, 0, sizeof shell);
          shell.l = l;
          shell.functions = order;
          shell.primitives = 3;
          shell.exponents = exponents;
          shell.coefficients = c;
          shell.center[1] = 0.25;
          suite.operation = "convk_shell_normalise";
          describe("overlaps of a shell of l %d in order %d", l, order);
          begin_case();
          check_status(convk_shell_normalise(NULL, l, 3, exponents, contraction, c), heap.live);
          if (convk_shell_functions(l, order) != count) fail("%d functions", convk_shell_functions(l, order));
          on_grid(v, n, spacing, 1, &shell, (size_t)count, NULL, NULL, values);
          for (a = 0; a < count; a++)
            for (b = 0; b <= a; b++) {
              const solid p = solid_of(l, order, a), q = solid_of(l, order, b);
              double sum = 0, want = a == b;
              int pa, pb, qa, qb;
              for (i = 0; i < all; i++) sum += values[(size_t)a * all + i] * values[(size_t)b * all + i];
              sum *= spacing * spacing * spacing;
              if (order == CONVK_SHELL_CARTESIAN || order == CONVK_SHELL_CARTESIAN_MOLDEN) {
                want = 0;
                for (pa = 0; pa <= l; pa++)
                  for (pb = 0; pb <= l - pa; pb++)
                    for (qa = 0; qa <= l; qa++)
                      for (qb = 0; qb <= l - qa; qb++) {
                        const int e[3] = {pa + qa, pb + qb, 2 * l - pa - pb - qa - qb};
                        long double moment = p.c[pa][pb] * q.c[qa][qb];
                        for (d = 0; d < 3; d++) moment *= e[d] % 2 ? 0 : odd_factorial(e[d] / 2);
                        want += (double)moment;
                      }
              }
              if (!(fabs(sum - want) <= 1e-10 * (want > 1 ? want : 1)))
                fail("functions %d and %d: %.15g, not %.15g", a, b, sum, want);
            }
          end_case();
        }
  free(values);
}

/* Coefficients against the integral of the square, sum of c_p c_q (pi / (a_p + a_q))^(3/2) (2 (a_p + a_q))^-l, which is 1, and
   the ratios of primitive norms; in place, with large, small and many exponents. */
static void shell_normalise(int type) {
  uint64_t rng = random_seed(suite.test);
  const long double pi = 3.14159265358979323846264338327950288L;
  int turn, i;
  (void)type;
  suite.operation = "convk_shell_normalise";
  for (turn = 0; turn < 200; turn++) {
    const int l = turn % (CONVK_SHELL_MAX_L + 1), in_place = random_int(&rng, 0, 1);
    const size_t n = 1 + random_below(&rng, turn % 17 ? 6 : 40);
    guard a = guard_new(n * 8, AT_END, 0), c = guard_new(n * 8, AT_END, 0), out = guard_new(n * 8, AT_START, 0);
    double *given = reals(n), *result = (double *)(void *)(in_place ? c.data : out.data);
    long double norm = 0, ratio = 0;
    size_t p, q;
    describe("%lu primitives, l %d%s", (unsigned long)n, l, in_place ? ", in place" : "");
    begin_case();
    for (p = 0; p < n; p++) {
      put(1, a.data, p, exp((turn % 3 ? 5 : 60) * random_unit(&rng)));
      given[p] = 0.1 + fabs(random_unit(&rng));
      put(1, c.data, p, given[p] * (turn % 7 ? 1 : 1e30));
    }
    if (convk_shell_normalise(NULL, l, n, (const double *)(const void *)a.data, (const double *)(const void *)c.data, result))
      fail("status");
    for (p = 0; p < n; p++) {
      const long double ap = get(1, a.data, p), primitive = powl(2 * ap / pi, 0.75L) * powl(4 * ap, l / 2.0L);
      const long double one = (long double)get(1, result, p) / (given[p] * primitive);
      for (q = 0; q < n; q++) {
        const long double sum = ap + (long double)get(1, a.data, q);
        norm += (long double)get(1, result, p) * (long double)get(1, result, q) * powl(pi / sum, 1.5L) * powl(2 * sum, -l);
      }
      if (p && fabsl(one / ratio - 1) > 1e-13L)
        fail("primitive %lu has another ratio: %g", (unsigned long)p, (double)(one / ratio - 1));
      if (!p) ratio = one;
    }
    if (!(fabsl(norm - 1) <= 1e-13L)) fail("the norm is 1 %+g", (double)(norm - 1));
    if (!in_place)
      for (p = 0; p < n; p++)
        if (!same(get(1, c.data, p), given[p] * (turn % 7 ? 1 : 1e30))) fail("the contraction changed");
    gauss_array_end(&a, "the exponents");
    gauss_array_end(&c, "the contraction");
    gauss_array_end(&out, "the coefficients");
    free(given);
    end_case();
  }
  for (turn = 0; turn < 3; turn++)
    for (i = 0; i < 15; i++) {
      static const double good[2] = {1, 2};
      double a[2] = {1, 2}, c[2] = {0.5, 0.25}, out[2] = {7, 7};
      const double odd = not_finite(turn);
      int wanted = CONVK_ERR_OPTION, status = 0;
      describe("bad arguments %d, %g", i, odd);
      begin_case();
      switch (i) {
        case 0: status = convk_shell_normalise(NULL, -1, 2, a, c, out); break;
        case 1: status = convk_shell_normalise(NULL, CONVK_SHELL_MAX_L + 1, 2, a, c, out); break;
        case 2: status = convk_shell_normalise(NULL, 0, 0, a, c, out); break;
        case 3:
          a[1] = 0;
          status = convk_shell_normalise(NULL, 0, 2, a, c, out);
          break;
        case 4:
          a[0] = -1;
          status = convk_shell_normalise(NULL, 1, 2, a, c, out);
          break;
        case 5:
          a[1] = odd;
          status = convk_shell_normalise(NULL, 0, 2, a, c, out);
          wanted = CONVK_ERR_NONFINITE;
          break;
        case 6:
          c[1] = odd;
          status = convk_shell_normalise(NULL, 0, 2, a, c, out);
          wanted = CONVK_ERR_NONFINITE;
          break;
        case 7:
          status = convk_shell_normalise(NULL, 0, 2, NULL, c, out);
          wanted = CONVK_ERR_NULL;
          break;
        case 8:
          status = convk_shell_normalise(NULL, 0, 2, a, NULL, out);
          wanted = CONVK_ERR_NULL;
          break;
        case 9:
          status = convk_shell_normalise(NULL, 0, 2, good, c, NULL);
          wanted = CONVK_ERR_NULL;
          break;
        case 10:
          a[1] = 1e300;
          status = convk_shell_normalise(NULL, 4, 2, a, c, out);
          wanted = CONVK_ERR_NONFINITE;
          break;
        case 11:
          c[0] = c[1] = 0;
          status = convk_shell_normalise(NULL, 1, 2, a, c, out);
          wanted = CONVK_ERR_NONFINITE;
          break;
        case 12:
          c[0] = c[1] = 1e200;
          status = convk_shell_normalise(NULL, 1, 2, a, c, out);
          wanted = CONVK_ERR_NONFINITE;
          break;
        case 13:
          a[0] = 0;
          status = convk_shell_normalise(NULL, 0, 2, a, NULL, out);
          wanted = CONVK_ERR_NULL;
          break;
        default:
          a[0] = 0;
          status = convk_shell_normalise(NULL, 9, 2, a, c, out);
          break;
      }
      want_status(status, wanted);
      if (out[0] != 7 || out[1] != 7) fail("something was written");
      end_case();
    }
}

/* The density is that of the orbitals as the same variant gives them. */
static void density_squares(int type) {
  const double eps = 2 * types[type].unit;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t number = 0, i, o;
  variant *v;
  orbital_problem p;
  double *values, *density;
  orbital_any(&p, type, 333, 6, 3, 13, &rng);
  for (o = 0; o < p.norbitals; o += 3) p.occupations[o] = -p.occupations[o]; /* as differences of densities have them */
  values = reals(p.n * p.norbitals);
  density = reals(p.n);
  while ((v = gauss_next(&number, type, GAUSS_DENSITY, p.n * p.functions)) != NULL) {
    suite.operation = gauss_names[GAUSS_ORBITALS];
    orbital_one(&p, v, GAUSS_ORBITALS, &gauss_plain, random64(&rng), &values);
    suite.operation = gauss_names[GAUSS_DENSITY];
    orbital_one(&p, v, GAUSS_DENSITY, &gauss_plain, random64(&rng), &density);
    orbital_describe(&p);
    describe_more(", squares of orbitals");
    begin_case();
    for (i = 0; i < p.n; i++) {
      long double sum = 0, size = 0;
      for (o = 0; o < p.norbitals; o++) {
        const long double square = (long double)values[o * p.n + i] * (long double)values[o * p.n + i] * p.occupations[o];
        sum += square;
        size += fabsl(square);
      }
      if (!(fabsl((long double)density[i] - sum) <= (double)(p.norbitals + 3) * eps * size))
        fail("point %lu: %.17g, not %.17g", (unsigned long)i, density[i], (double)sum);
    }
    end_case();
  }
  free(values);
  free(density);
  orbital_free(&p);
}

/* Hydrogen with two electrons in the bonding and a half in the antibonding orbital: a density of 2.5 electrons. */
static void density_electrons(int type) {
  static const double a[3] = {3.42525091, 0.62391373, 0.1688554}, contraction[3] = {0.15432897, 0.53532814, 0.44463454};
  const double occupations[2] = {2, 0.5}, spacing = 0.32, distance = 1.4;
  const size_t n = 51, all = n * n * n;
  double c[3] = {0, 0, 0}, orbital[4], overlap = 0, *density = reals(all);
  convk_shell shells[2];
  size_t number = 0, i, p, q;
  variant *v;
  if (type) {
    suite.operation = gauss_names[GAUSS_DENSITY];
    if (convk_shell_normalise(NULL, 0, 3, a, contraction, c)) exit(2);
    for (p = 0; p < 3; p++)
      for (q = 0; q < 3; q++)
        overlap += c[p] * c[q] * pow(3.14159265358979324 / (a[p] + a[q]), 1.5) *
                   exp(-a[p] * a[q] / (a[p] + a[q]) * distance * distance);
    memset(shells, 0, sizeof shells);
    for (i = 0; i < 2; i++) {
      shells[i].primitives = 3;
      shells[i].exponents = a;
      shells[i].coefficients = c;
      shells[i].center[2] = i ? 0.5 * distance : -0.5 * distance;
      orbital[i] = 1 / sqrt(2 + 2 * overlap);
      orbital[2 + i] = (i ? -1 : 1) / sqrt(2 - 2 * overlap);
    }
    while ((v = gauss_next(&number, type, GAUSS_DENSITY, 20 * all)) != NULL) {
      double sum = 0;
      describe("electrons of hydrogen");
      begin_case();
      on_grid(v, n, spacing, 2, shells, 2, orbital, occupations, density);
      for (i = 0; i < all; i++) sum += density[i];
      sum *= spacing * spacing * spacing;
      if (!(fabs(sum - 2.5) <= 1e-5)) fail("%.9g electrons", sum);
      end_case();
    }
  }
  free(density);
}

/* Shells and one orbital of a molden file of s and p shells; 0 when it is not there. */
enum { WATER_SHELLS = 16, WATER_PRIMITIVES = 8 };
typedef struct water {
  size_t nshells, functions;
  convk_shell shells[WATER_SHELLS];
  double numbers[WATER_SHELLS][2][WATER_PRIMITIVES], c[32];
} water;

static int water_read(const char *path, int orbital, water *w) {
  FILE *file = fopen(path, "r");
  char line[256], letter[8];
  double centers[8][3], x[3];
  int section = 0, atom = 0, atoms = 0, count, i, mo = 0;
  memset(w, 0, sizeof *w);
  if (!file) return 0;
  while (fgets(line, sizeof line, file)) {
    if (line[0] == '[')
      section = !strncmp(line, "[Atoms]", 7) ? 1 : !strncmp(line, "[GTO]", 5) ? 2 : !strncmp(line, "[MO]", 4) ? 3 : 0;
    else if (section == 1 && sscanf(line, "%*s %*d %*d %lf %lf %lf", &x[0], &x[1], &x[2]) == 3 && atoms < 8)
      memcpy(centers[atoms++], x, sizeof x);
    else if (section == 2 && sscanf(line, " %7[sp] %d", letter, &count) == 2 && count <= WATER_PRIMITIVES &&
             w->nshells < WATER_SHELLS) {
      convk_shell *shell = &w->shells[w->nshells];
      double(*numbers)[WATER_PRIMITIVES] = w->numbers[w->nshells++];
      shell->l = *letter == 'p';
      shell->functions = CONVK_SHELL_SPHERICAL_MOLDEN;
      shell->primitives = (size_t)count;
      memcpy(shell->center, centers[atom - 1], sizeof shell->center);
      for (i = 0; i < count && fgets(line, sizeof line, file); i++) sscanf(line, "%lf %lf", &numbers[0][i], &numbers[1][i]);
      convk_shell_normalise(NULL, shell->l, shell->primitives, numbers[0], numbers[1], numbers[1]);
      shell->exponents = numbers[0];
      shell->coefficients = numbers[1];
      w->functions += 1 + 2 * (size_t)shell->l;
    } else if (section == 2) {
      sscanf(line, "%d", &atom);
    } else if (section == 3 && strstr(line, "Sym=")) {
      mo++;
    } else if (section == 3 && mo == orbital && sscanf(line, "%d %lf", &i, &x[0]) == 2 && i >= 1 && i <= 32) {
      w->c[i - 1] = x[0];
    }
  }
  fclose(file);
  return atoms && w->nshells && w->functions <= 32;
}

/* The highest occupied orbital of water, against what another program printed with six digits. */
static void orbital_water(int type) {
  enum { N = 17 * 23 * 20 };
  static water w;
  FILE *cube;
  char line[256];
  size_t number = 0, i, d;
  variant *v;
  double *xyz = reals(3 * N), *want = reals(N), *c = reals(32), *out = reals(N);
  int k;
  suite.operation = gauss_names[GAUSS_ORBITALS];
  cube = fopen("examples/data/water_631g_homo.cube", "r");
  if (!cube || !water_read("examples/data/water_631g.molden", 5, &w)) {
    printf("the water molecule is skipped: examples/data is not in this folder\n");
    suite.skipped++;
  } else {
    for (k = 0; k < 9; k++)
      if (!fgets(line, sizeof line, cube)) exit(2);
    for (i = 0; i < N; i++)
      if (fscanf(cube, "%lf", &want[i]) != 1) exit(2);
    for (i = 0; i < N; i++) { /* z is the fastest */
      put(type, xyz, 3 * i, -4 + 0.5 * (double)(i / 460));
      put(type, xyz, 3 * i + 1, -5.5 + 0.5 * (double)(i / 20 % 23));
      put(type, xyz, 3 * i + 2, -5.181922 + 0.5 * (double)(i % 20));
    }
    for (i = 0; i < w.functions; i++) put(type, c, i, w.c[i]);
    while ((v = gauss_next(&number, type, GAUSS_ORBITALS, 100 * N)) != NULL) {
      gauss_call call = gauss_blank(GAUSS_ORBITALS, &v->hw);
      double worst = 0, most = 0, turned = 0;
      size_t functions = 0;
      describe("an orbital of water");
      begin_case();
      if (convk_shells_functions(NULL, w.nshells, w.shells, &functions) || functions != 13 || w.functions != 13)
        fail("%lu functions", (unsigned long)functions);
      call.n = N;
      call.stride = 3;
      for (d = 0; d < 3; d++) call.x[d] = (char *)xyz + d * types[type].size;
      call.nshells = w.nshells;
      call.shells = w.shells;
      call.norbitals = 1;
      call.c = c;
      call.out[0] = out;
      check_status(gauss_types[type].call(&call), heap.live);
      for (i = 0; i < N; i++) { /* the sign of an orbital is anybody's */
        worst = fmax(worst, fabs(get(type, out, i) - want[i]));
        turned = fmax(turned, fabs(get(type, out, i) + want[i]));
        most = fmax(most, fabs(want[i]));
      }
      if (!(fmin(worst, turned) <= (type ? 6e-7 : 1e-6)) || most < 0.1) fail("differences up to %g or %g", worst, turned);
      end_case();
    }
  }
  if (cube) fclose(cube);
  free(xyz);
  free(want);
  free(c);
  free(out);
}

/* The check without a call: what the handle says. */
static void shells_checked(convk_shell *shells) {
  size_t count = 99, number = 0;
  variant *v = next_variant(&number, 0);
  convk *hw = v ? &v->hw : NULL, closed;
  if (!hw) return;
  suite.operation = "convk_shells_functions";
  shells[2].functions = CONVK_SHELL_SPHERICAL_PYSCF;
  CHECK(convk_shells_functions(hw, 3, shells, &count) == CONVK_OK && count == 3 + 5 + 3 && !hw->message[0]);
  CHECK(convk_shells_functions(hw, 1, NULL, &count) == CONVK_ERR_NULL && !strcmp(hw->message, "shells is NULL"));
  CHECK(convk_shells_functions(hw, SIZE_MAX, shells, &count) == CONVK_ERR_OVERFLOW &&
        !strcmp(hw->message, "nshells is too large"));
  shells[1].l = -2147483647 - 1;
  CHECK(convk_shells_functions(hw, 3, shells, &count) == CONVK_ERR_OPTION && count == 11);
  CHECK(!strcmp(hw->message, "shells[1].l is -2147483648, and not from 0 to 4"));
  shells[1].l = 0;
  CHECK(convk_shells_functions(hw, 3, shells, NULL) == CONVK_OK && !hw->message[0]);
  memset(&closed, 0, sizeof closed);
  CHECK(convk_shells_functions(&closed, 3, shells, &count) == CONVK_ERR_HANDLE && count == 11);
}

/* How many functions there are, and what is no shell. */
static void shell_functions(int type) {
  static const double one[1] = {1};
  convk_shell shells[3];
  size_t count = 99;
  int l, order;
  (void)type;
  suite.operation = "convk_shell_functions";
  for (l = -2; l < 8; l++)
    for (order = -1; order <= ORDERS; order++) {
      const int bad = l < 0 || l > CONVK_SHELL_MAX_L || order < 0 || order >= ORDERS, got = convk_shell_functions(l, order);
      describe("l %d, order %d", l, order);
      begin_case();
      if (bad ? got != CONVK_ERR_OPTION : got != solid_count(l, order)) fail("%d functions", got);
      end_case();
    }
  memset(shells, 0, sizeof shells);
  for (l = 0; l < 3; l++) {
    shells[l].l = l + 1;
    shells[l].functions = l;
    shells[l].primitives = 1;
    shells[l].exponents = shells[l].coefficients = one;
  }
  describe("all functions");
  CHECK(convk_shells_functions(NULL, 3, shells, &count) == CONVK_OK && count == 3 + 5 + 10);
  CHECK(convk_shells_functions(NULL, 1, shells, &count) == CONVK_OK && count == 3);
  CHECK(convk_shells_functions(NULL, 0, shells, &count) == CONVK_OK && count == 0);
  count = 99;
  CHECK(convk_shells_functions(NULL, 3, NULL, &count) == CONVK_ERR_NULL && count == 99);
  CHECK(convk_shells_functions(NULL, 3, shells, NULL) == CONVK_OK);
  shells[2].l = 5;
  CHECK(convk_shells_functions(NULL, 3, shells, &count) == CONVK_ERR_OPTION && count == 99);
  CHECK(convk_shells_functions(NULL, 2, shells, &count) == CONVK_OK && count == 8);
  shells[2].l = 1;
  shells[2].functions = ORDERS;
  count = 99;
  CHECK(convk_shells_functions(NULL, 3, shells, &count) == CONVK_ERR_OPTION && count == 99);
  shells_checked(shells);
}

/* -------------------------------------------------------------------------------------------------------------- errors -- */

/* Good arguments, to be spoiled one at a time.  Inputs and results lie in pages of their own, results with as much again. */
enum { G_X, G_ALPHA, G_CENTER, G_C, G_OCCUPATIONS, G_INPUTS, G_N = 40, G_M = 7, G_SUMS = 3, G_ORBITALS = 4, G_SHELLS = 3 };

typedef struct gauss_stage {
  variant *v;
  int type, operation;
  const char *name; /* where it is called by name */
  guard in[G_INPUTS], out[PARTS], work;
  unsigned char *before[G_INPUTS];
  size_t size, functions, rows, need; /* need: bytes of work */
  /* what calls point at */
  gauss_call k;
  convk copy;
  convk_gaussian_options options;
  convk_shell shells[G_SHELLS];
  double numbers[G_SHELLS][4];
  hook failing;
  const char *says;  /* the message that is wanted, NULL: any */
  const char *names; /* what it must have */
} gauss_stage;

static gauss_stage *gauss_reset(gauss_stage *s) {
  static const int l[G_SHELLS] = {0, 2, 1},
                   order[G_SHELLS] = {CONVK_SHELL_SPHERICAL, CONVK_SHELL_CARTESIAN, CONVK_SHELL_SPHERICAL_MOLDEN};
  size_t i;
  int k;
  s->k = gauss_blank(s->operation, &s->v->hw);
  s->k.name = s->name;
  s->says = s->names = NULL;
  s->copy = s->v->hw;
  memset(&s->options, 0, sizeof s->options);
  for (i = 0; i < G_INPUTS; i++) memcpy(s->in[i].data, s->before[i], s->in[i].bytes);
  memset(s->shells, 0, sizeof s->shells);
  for (i = 0; i < G_SHELLS; i++) {
    for (k = 0; k < 4; k++) s->numbers[i][k] = 1 + 0.25 * k;
    s->shells[i].l = l[i];
    s->shells[i].functions = order[i];
    s->shells[i].primitives = 2;
    s->shells[i].exponents = s->numbers[i];
    s->shells[i].coefficients = s->numbers[i] + 2;
  }
  s->k.n = G_N;
  for (i = 0; i < 3; i++) s->k.x[i] = s->in[G_X].data + i * G_N * s->size;
  s->k.options = &s->options;
  s->k.alpha = s->in[G_ALPHA].data;
  s->k.center = s->in[G_CENTER].data;
  s->k.m = G_M;
  s->k.nsums = G_SUMS;
  s->k.nshells = G_SHELLS;
  s->k.shells = s->shells;
  s->k.norbitals = G_ORBITALS;
  s->k.occupations = s->in[G_OCCUPATIONS].data;
  s->k.c = s->in[G_C].data;
  for (k = 0; k < PARTS; k++) s->k.out[k] = s->out[k].data;
  return s;
}

static void gauss_stage_new(gauss_stage *s, variant *v, int type, int operation, int by_name) {
  const size_t counts[G_INPUTS] = {3 * G_N, G_M, 3, 10 * G_ORBITALS + G_M * G_SUMS, G_ORBITALS};
  uint64_t rng = 7;
  size_t i, j;
  memset(s, 0, sizeof *s);
  s->v = v;
  s->type = type;
  s->operation = operation;
  s->name = by_name ? v->name : NULL;
  s->size = types[type].size;
  s->functions = 1 + 6 + 3;
  s->rows = operation == GAUSS_GRIDPOT ? G_M : operation == GAUSS_SUM ? G_SUMS : operation == GAUSS_DENSITY ? 1 : G_ORBITALS;
  for (i = 0; i < G_INPUTS; i++) {
    s->in[i] = guard_new(counts[i] * s->size, AT_END, 0);
    for (j = 0; j < counts[i]; j++) put(type, s->in[i].data, j, 0.5 * random_unit(&rng));
    s->before[i] = (unsigned char *)need(s->in[i].bytes);
    memcpy(s->before[i], s->in[i].data, s->in[i].bytes);
  }
  for (i = 0; i < PARTS; i++) s->out[i] = guard_new(2 * s->rows * (G_N + 8) * s->size, AT_END, 0);
  s->failing = hook_new(HOOK_FAILS, 3, 1);
  gauss_reset(s);
  s->need = operation >= GAUSS_ORBITALS ? gauss_types[type].work(s->k.hw, G_SHELLS, s->shells, G_ORBITALS) : 0;
  s->work = guard_new(s->need + 64, AT_END, 0);
}

static void gauss_stage_end(gauss_stage *s) {
  int i;
  for (i = 0; i < G_INPUTS; i++) {
    guard_free(&s->in[i]);
    free(s->before[i]);
  }
  for (i = 0; i < PARTS; i++) guard_free(&s->out[i]);
  guard_free(&s->work);
}

/* What the handle says, which may be a text that is wanted: why, where an argument was refused. */
static void gauss_heard(const gauss_stage *s, int status) {
  const char *message = s->k.hw->message;
  const int refused = status && status != CONVK_ERR_MEMORY && status != CONVK_ERR_THREADS && status != CONVK_ERR_UNSUPPORTED;
  want_reason(s->k.hw, status);
  if (s->says && strcmp(message, s->says)) fail("the message is '%s', not '%s'", message, s->says);
  if (refused && (!s->names || !s->names[0])) fail("the test says of no argument that it is refused");
  if (refused && s->names && !strstr(message, s->names)) fail("the message is '%s', and does not name '%s'", message, s->names);
}

/* The status is `wanted`; after an error no byte of a result has changed, no memory was asked for, and none is held. */
static void gauss_expect(gauss_stage *s, int wanted, const char *what) {
  const long live = heap.live, total = heap.total;
  int status, i;
  describe("%s%s", s->k.name ? "by name: " : "", what);
  begin_case();
  status = gauss_types[s->type].call(&s->k);
  want_status(status, wanted);
  want_returned(live);
  want_checked_first(wanted, total);
  if (s->k.hw && wanted != CONVK_ERR_HANDLE) gauss_heard(s, wanted);
  for (i = 0; i < PARTS; i++) {
    if (wanted && wanted != CONVK_ERR_THREADS && !all_fill(s->out[i].low, s->out[i].high)) fail("result %d was written", i);
    if (i >= gauss_outputs(s->operation) && !all_fill(s->out[i].low, s->out[i].high)) fail("array %d is no result", i);
    if (!guard_intact(&s->out[i])) fail("memory around result %d was written", i);
    memset(s->out[i].data, FILL_, s->out[i].bytes);
  }
  for (i = 0; i < G_INPUTS; i++)
    if (!guard_intact(&s->in[i])) fail("memory around input %d was written", i);
  if (wanted && wanted != CONVK_ERR_THREADS && !all_fill(s->work.low, s->work.high)) fail("the work memory was written");
  if (!guard_intact(&s->work)) fail("memory around the work was written");
  memset(s->work.data, FILL_, s->work.bytes);
  end_case();
}

/* names: what the message must have, "" where there is none. */
#define GAUSS_SPOIL(expected, text, ...) \
  do { \
    gauss_stage *c = gauss_reset(s); \
    c->names = text; \
    __VA_ARGS__; \
    gauss_expect(s, expected, #__VA_ARGS__); \
  } while (0)

static const char *const gauss_axes[3] = {"points->x", "points->y", "points->z"};

/* Result d, as the signature calls it. */
static const char *gauss_result(const gauss_stage *s, int d) {
  static const char *const derivatives[PARTS] = {"out->value", "out->dx", "out->dy", "out->dz", "out->laplacian"};
  static const char *const results[GAUSS_KINDS] = {"g", "sums", "value", "", "density"};
  return s->operation == GAUSS_VGL ? derivatives[d] : results[s->operation];
}

static void gauss_errors_common(gauss_stage *s) {
  const size_t last = G_N - 1, span = ((s->rows - 1) * G_N + G_N) * s->size;
  unsigned char *out = s->out[0].data;
  int turn, d;
  GAUSS_SPOIL(CONVK_OK, "", (void)0);
  GAUSS_SPOIL(CONVK_OK, "", c->k.options = NULL);
  GAUSS_SPOIL(CONVK_OK, "", c->k.n = 0);
  GAUSS_SPOIL(s->name ? CONVK_OK : CONVK_ERR_NULL, "", c->k.hw = NULL);
  GAUSS_SPOIL(CONVK_ERR_HANDLE, "", memset(&c->copy, 0, sizeof c->copy); c->k.hw = &c->copy);
  GAUSS_SPOIL(CONVK_ERR_HANDLE, "", c->copy.version += 100; c->k.hw = &c->copy);
  GAUSS_SPOIL(CONVK_ERR_HANDLE, "", c->copy.size--; c->k.hw = &c->copy);
  GAUSS_SPOIL(CONVK_ERR_NULL, "points is NULL", c->k.missing = 1);
  GAUSS_SPOIL(CONVK_ERR_NULL, s->operation < GAUSS_ORBITALS ? "gaussians is NULL" : "set is NULL", c->k.missing = 2);
  if (s->operation == GAUSS_VGL) GAUSS_SPOIL(CONVK_ERR_NULL, "out is NULL", c->k.missing = 3);
  for (d = 0; d < 3; d++) GAUSS_SPOIL(CONVK_ERR_NULL, gauss_axes[d], c->k.x[d] = NULL);
  for (d = 0; d < gauss_outputs(s->operation); d++) GAUSS_SPOIL(CONVK_ERR_NULL, gauss_result(s, d), c->k.out[d] = NULL);
  for (turn = suite.quick ? 2 : 0; turn < 3; turn++) {
    const double odd = not_finite(turn);
    for (d = 0; d < 3; d++) {
      GAUSS_SPOIL(CONVK_ERR_COORDINATE, gauss_axes[d], put(c->type, (void *)c->in[G_X].data, (size_t)d * G_N + last, odd));
      GAUSS_SPOIL(CONVK_ERR_COORDINATE, gauss_axes[d], put(c->type, (void *)c->in[G_X].data, (size_t)d * G_N, odd));
    }
    GAUSS_SPOIL(CONVK_ERR_COORDINATE, "points->y", put(c->type, (void *)c->in[G_X].data, G_N + 17, odd);
                c->says = "points->y of point 17 is not finite");
    GAUSS_SPOIL(CONVK_OK, "", put(c->type, (void *)c->in[G_X].data, 1, odd); c->k.stride = 2; c->k.n = 20);
    GAUSS_SPOIL(CONVK_ERR_COORDINATE, "points->", put(c->type, (void *)c->in[G_X].data, 38, odd); c->k.stride = 2; c->k.n = 20);
    for (d = 0; d < 3 * G_N; d += 3 * G_N - 1)
      GAUSS_SPOIL(CONVK_ERR_COORDINATE, "points->", put(c->type, (void *)c->in[G_X].data, (size_t)d, odd); c->k.stride = 3;
                  c->k.x[1] = c->in[G_X].data + c->size; c->k.x[2] = c->in[G_X].data + 2 * c->size);
    GAUSS_SPOIL(CONVK_ERR_NONFINITE, "options->cutoff", c->options.cutoff = odd);
    GAUSS_SPOIL(CONVK_ERR_OPTION, "options->cutoff", c->options.cutoff = -1);
    /* alone in a vector */
    for (d = 0; d < 3; d++)
      GAUSS_SPOIL(CONVK_ERR_COORDINATE, gauss_axes[d], put(c->type, (void *)c->in[G_X].data, (size_t)d * G_N + 32, odd);
                  c->k.n = 33);
    /* a coordinate that is not used */
    GAUSS_SPOIL(CONVK_OK, "", put(c->type, (void *)c->in[G_X].data, last, odd); c->k.n = last);
  }
  if (s->operation != GAUSS_DENSITY) {
    GAUSS_SPOIL(CONVK_OK, "", c->k.ld = G_N);
    GAUSS_SPOIL(CONVK_OK, "", c->k.ld = G_N + 8);
    GAUSS_SPOIL(CONVK_ERR_PITCH, "ld is", c->k.ld = G_N - 1);
    GAUSS_SPOIL(CONVK_ERR_PITCH, "ld is", c->k.ld = 1);
    GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "ld", c->k.ld = SIZE_MAX);
    GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "ld", c->k.ld = SIZE_MAX / 2 + 1);
    GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "ld", c->k.ld = SIZE_MAX / s->size);
  }
  GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "points->n", c->k.n = SIZE_MAX);
  GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "points->n", c->k.n = SIZE_MAX / s->size + 1);
  GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "points->stride", c->k.stride = SIZE_MAX);
  GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "points->stride", c->k.stride = SIZE_MAX / s->size);
  GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "points->stride", c->k.stride = SIZE_MAX / 2 + 1; c->k.n = 3);
  /* the results on each input, and beside it */
  for (d = 0; d < 3; d++) {
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, gauss_axes[d], c->k.x[d] = out);
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, gauss_axes[d], c->k.x[d] = out + span - 1);
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, gauss_axes[d], c->k.x[d] = out + span - s->size; c->k.n = G_N);
  }
  /* precedence: the handle, sizes and options, what is missing, all else */
  GAUSS_SPOIL(CONVK_ERR_HANDLE, "", c->copy.size = 0; c->k.hw = &c->copy; c->k.out[0] = NULL);
  GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "points->n", c->k.x[0] = NULL; c->k.n = SIZE_MAX; c->options.cutoff = (double)NAN);
  GAUSS_SPOIL(CONVK_ERR_OPTION, "options->layout", c->k.x[1] = NULL; c->options.layout = 77);
  GAUSS_SPOIL(CONVK_ERR_OPTION, "options->layout", c->options.layout = 77;
              put(c->type, (void *)c->in[G_X].data, 0, (double)NAN));
  GAUSS_SPOIL(CONVK_ERR_OVERLAP, gauss_axes[0], c->k.x[0] = out; put(c->type, (void *)c->in[G_X].data, G_N, (double)NAN));
}

static void gridpot_errors(gauss_stage *s) {
  const size_t size = s->size, bytes = ((s->rows - 1) * G_N + G_N) * size, stepped = ((s->rows - 1) * (G_N + 8) + G_N) * size;
  const size_t turned = ((G_N - 1) * (G_M + 1) + G_M) * size;
  unsigned char *out = s->out[0].data;
  const int sum = s->operation == GAUSS_SUM;
  int turn, d;
  GAUSS_SPOIL(CONVK_OK, "", c->k.m = 0);
  GAUSS_SPOIL(CONVK_OK, "", c->k.center = NULL);
  GAUSS_SPOIL(CONVK_OK, "", c->options.compensated = 1);
  GAUSS_SPOIL(CONVK_ERR_NULL, "gaussians->alpha is NULL", c->k.alpha = NULL);
  GAUSS_SPOIL(CONVK_ERR_OPTION, "options->layout", c->options.layout = 2);
  GAUSS_SPOIL(CONVK_ERR_OPTION, "options->layout", c->options.layout = -1);
  GAUSS_SPOIL(sum ? CONVK_ERR_OPTION : CONVK_OK, "options->layout", c->options.layout = 1);
  GAUSS_SPOIL(CONVK_ERR_OPTION, "options->compensated", c->options.compensated = 2);
  GAUSS_SPOIL(CONVK_ERR_OPTION, "options->compensated", c->options.compensated = -1);
  for (turn = suite.quick ? 2 : 0; turn < 3; turn++) {
    const double odd = not_finite(turn);
    GAUSS_SPOIL(CONVK_ERR_NONFINITE, "gaussians->alpha[", put(c->type, (void *)c->in[G_ALPHA].data, 0, odd));
    GAUSS_SPOIL(CONVK_ERR_NONFINITE, "gaussians->alpha[", put(c->type, (void *)c->in[G_ALPHA].data, 0, odd); c->k.m = 1);
    if (sum)
      GAUSS_SPOIL(CONVK_ERR_NONFINITE, "gaussians->coefficients[",
                  put(c->type, (void *)c->in[G_C].data, G_SUMS * G_M - 1, odd));
    GAUSS_SPOIL(CONVK_ERR_NONFINITE, "gaussians->alpha[", put(c->type, (void *)c->in[G_ALPHA].data, G_M - 1, odd));
    GAUSS_SPOIL(CONVK_OK, "", put(c->type, (void *)c->in[G_ALPHA].data, G_M - 1, odd); c->k.m = G_M - 1; c->k.ldc = G_M);
    for (d = 0; d < 3; d++)
      GAUSS_SPOIL(CONVK_ERR_NONFINITE, "gaussians->center[", put(c->type, (void *)c->in[G_CENTER].data, (size_t)d, odd));
    GAUSS_SPOIL(CONVK_ERR_OPTION, "options->layout", c->options.layout = 5; put(c->type, (void *)c->in[G_ALPHA].data, 0, odd));
  }
  GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "gaussians->n", c->k.m = SIZE_MAX);
  GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "gaussians->n", c->k.m = SIZE_MAX / size + 1);
  if (!sum) { /* products that wrap to little or nothing */
    GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "ld", c->k.n = c->k.m = (size_t)1 << sizeof(size_t) * 4);
    GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "ld", c->k.n = ((size_t)1 << sizeof(size_t) * 4) + 1;
                c->k.m = (size_t)1 << sizeof(size_t) * 4);
    GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "gaussians->n", c->k.m = SIZE_MAX / G_N + 2; c->k.n = G_N);
    GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "ld", c->k.m = SIZE_MAX / G_N / size + 1);
    GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "ld", c->k.m = SIZE_MAX / G_N / size + 1; c->options.layout = 1);
    GAUSS_SPOIL(CONVK_OK, "", c->options.layout = 1; c->k.ld = G_M);
    GAUSS_SPOIL(CONVK_ERR_PITCH, "ld is", c->options.layout = 1; c->k.ld = G_M - 1);
    GAUSS_SPOIL(CONVK_OK, "", c->options.layout = 1; c->k.ld = G_M + 1);
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, "gaussians->alpha", c->options.layout = 1; c->k.ld = G_M + 1; c->k.alpha = out + turned - 1);
    GAUSS_SPOIL(CONVK_OK, "", memcpy(out + turned, c->before[G_ALPHA], G_M * size); c->options.layout = 1; c->k.ld = G_M + 1;
                c->k.alpha = out + turned);
  } else {
    GAUSS_SPOIL(CONVK_OK, "", c->k.nsums = 0);
    GAUSS_SPOIL(CONVK_ERR_NULL, "gaussians->coefficients is NULL", c->k.c = NULL);
    GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "gaussians->nsums", c->k.nsums = SIZE_MAX);
    GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "gaussians->nsums", c->k.nsums = SIZE_MAX / G_M / size + 1);
    GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "ld", c->k.nsums = SIZE_MAX / G_N / size + 1; c->k.m = 1);
    GAUSS_SPOIL(CONVK_OK, "", c->k.ldc = G_M);
    GAUSS_SPOIL(CONVK_ERR_PITCH, "ldc is", c->k.ldc = G_M - 1);
    GAUSS_SPOIL(CONVK_ERR_PITCH, "ldc is", c->k.ldc = 1);
    GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "ldc", c->k.ldc = SIZE_MAX / 2 + 1);
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, "coefficients", c->k.c = out);
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, "coefficients", c->k.c = out + bytes - 1);
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, "coefficients", c->k.c = out - (G_SUMS * G_M - 1) * size; c->k.out[0] = out);
    GAUSS_SPOIL(CONVK_OK, "", memcpy(out + bytes, c->before[G_C], G_SUMS * G_M * size); c->k.c = out + bytes);
  }
  GAUSS_SPOIL(CONVK_ERR_OVERLAP, "gaussians->alpha", c->k.alpha = out);
  GAUSS_SPOIL(CONVK_ERR_OVERLAP, "gaussians->alpha", c->k.alpha = out + bytes - 1);
  GAUSS_SPOIL(CONVK_ERR_OVERLAP, "gaussians->alpha", c->k.alpha = out + stepped - 1; c->k.ld = G_N + 8);
  GAUSS_SPOIL(CONVK_OK, "", memcpy(out + bytes, c->before[G_ALPHA], G_M * size); c->k.alpha = out + bytes);
  GAUSS_SPOIL(CONVK_OK, "", memcpy(out + bytes, c->before[G_X], G_N * size); c->k.x[2] = out + bytes);
}

/* The least work that is enough, and one byte less, which is not; fewer orbitals may need more, so that less is asked for. */
static void orbital_least_work(gauss_stage *s) {
  size_t enough = s->need, few = 0;
  while (enough - few > 1) {
    const size_t now = few + (enough - few) / 2;
    gauss_reset(s);
    s->k.work = s->work.data + s->work.bytes - now;
    s->k.work_size = now;
    if (gauss_types[s->type].call(&s->k)) few = now;
    else enough = now;
  }
  memset(s->out[0].data, FILL_, s->out[0].bytes);
  memset(s->work.data, FILL_, s->work.bytes);
  GAUSS_SPOIL(CONVK_OK, "", c->k.work = c->work.data + c->work.bytes - enough; c->k.work_size = enough);
  GAUSS_SPOIL(CONVK_ERR_WORK, "work_size is", c->k.work = c->work.data + c->work.bytes - few; c->k.work_size = few);
}

static void orbital_errors_shells(gauss_stage *s) {
  int turn, d, i;
  GAUSS_SPOIL(CONVK_ERR_OPTION, "set->shells[", c->shells[2].l = 5; c->says = "set->shells[2].l is 5, and not from 0 to 4");
  GAUSS_SPOIL(CONVK_ERR_OPTION, "set->shells[", c->shells[0].l = -1; c->says = "set->shells[0].l is -1, and not from 0 to 4");
  GAUSS_SPOIL(CONVK_ERR_OPTION, "set->shells[", c->shells[1].functions = 77;
              c->says = "set->shells[1].functions is 77, none of CONVK_SHELL_CARTESIAN ...");
  GAUSS_SPOIL(CONVK_ERR_OPTION, "set->shells[", c->numbers[1][1] = -2; c->says = "set->shells[1].exponents[1] is not positive");
  GAUSS_SPOIL(CONVK_ERR_OPTION, "set->shells[", c->shells[2].primitives = 0;
              c->says = "set->shells[2].primitives is 0: at least 1");
  GAUSS_SPOIL(CONVK_ERR_NULL, "exponents is NULL", c->shells[1].exponents = NULL; c->says = "set->shells[1].exponents is NULL");
  GAUSS_SPOIL(CONVK_ERR_NONFINITE, "set->shells[", c->shells[1].center[2] = (double)NAN;
              c->says = "set->shells[1].center[2] is not finite");
  if (!s->name) GAUSS_SPOIL(CONVK_OK, "", c->says = "");
  for (d = 0; d < G_SHELLS; d++) {
    GAUSS_SPOIL(CONVK_ERR_OPTION, "set->shells[", c->shells[d].l = -1);
    GAUSS_SPOIL(CONVK_ERR_OPTION, "set->shells[", c->shells[d].l = CONVK_SHELL_MAX_L + 1);
    GAUSS_SPOIL(CONVK_ERR_OPTION, "set->shells[", c->shells[d].functions = -1);
    GAUSS_SPOIL(CONVK_ERR_OPTION, "set->shells[", c->shells[d].functions = ORDERS);
    GAUSS_SPOIL(CONVK_ERR_OPTION, "set->shells[", c->shells[d].primitives = 0);
    GAUSS_SPOIL(CONVK_ERR_OPTION, "set->shells[", c->numbers[d][1] = 0);
    GAUSS_SPOIL(CONVK_ERR_OPTION, "set->shells[", c->numbers[d][0] = -1);
    GAUSS_SPOIL(c->type ? CONVK_OK : CONVK_ERR_NONFINITE, "set->shells[", c->shells[d].center[d] = 1e300);
    GAUSS_SPOIL(c->type ? CONVK_OK : CONVK_ERR_NONFINITE, "set->shells[", c->shells[d].center[d] = -1e300);
    GAUSS_SPOIL(c->type ? CONVK_OK : CONVK_ERR_NONFINITE, "set->shells[", c->numbers[d][3] = d == 1 ? 1e100 : -1e100);
    GAUSS_SPOIL(c->operation == GAUSS_VGL ? CONVK_ERR_NONFINITE : CONVK_OK, "set->shells[",
                c->numbers[d][1] = c->type ? 1e155 : 1e20);
    for (turn = suite.quick ? 2 : 0; turn < 3; turn++) {
      const double odd = not_finite(turn);
      for (i = 0; i < 4; i++) GAUSS_SPOIL(CONVK_ERR_NONFINITE, "set->shells[", c->numbers[d][i] = odd);
      for (i = 0; i < 3; i++) GAUSS_SPOIL(CONVK_ERR_NONFINITE, "set->shells[", c->shells[d].center[i] = odd);
    }
  }
}

/* Numbers that are not finite, also where nobody looks. */
static void orbital_errors_numbers(gauss_stage *s) {
  const size_t functions = s->functions;
  int turn;
  for (turn = suite.quick ? 2 : 0; turn < 3; turn++) {
    const double odd = not_finite(turn);
    GAUSS_SPOIL(CONVK_ERR_NONFINITE, "set->coefficients[", put(c->type, (void *)c->in[G_C].data, 0, odd));
    GAUSS_SPOIL(CONVK_ERR_NONFINITE, "set->coefficients[",
                put(c->type, (void *)c->in[G_C].data, G_ORBITALS * functions - 1, odd));
    GAUSS_SPOIL(CONVK_OK, "", put(c->type, (void *)c->in[G_C].data, G_ORBITALS * functions - 1, odd); c->k.norbitals--);
    if (s->operation == GAUSS_DENSITY) {
      GAUSS_SPOIL(CONVK_ERR_NONFINITE, "set->occupations[", put(c->type, (void *)c->in[G_OCCUPATIONS].data, 0, odd));
      GAUSS_SPOIL(CONVK_ERR_NONFINITE, "set->occupations[",
                  put(c->type, (void *)c->in[G_OCCUPATIONS].data, G_ORBITALS - 1, odd));
      GAUSS_SPOIL(CONVK_OK, "", put(c->type, (void *)c->in[G_OCCUPATIONS].data, G_ORBITALS - 1, odd); c->k.norbitals--);
    }
  }
}

static void orbital_errors_overlaps(gauss_stage *s) {
  const size_t size = s->size, bytes = ((s->rows - 1) * G_N + G_N) * size;
  unsigned char *out = s->out[0].data;
  int d, i;
  if (s->operation == GAUSS_DENSITY) {
    GAUSS_SPOIL(CONVK_ERR_NULL, "set->occupations is NULL", c->k.occupations = NULL);
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, "set->occupations", c->k.occupations = out + bytes - 1);
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, "set->occupations", c->k.occupations = out - (G_ORBITALS - 1) * size);
  }
  for (d = 0; d < gauss_outputs(s->operation); d++)
    for (i = 0; i < gauss_outputs(s->operation); i++) {
      if (i == d) continue;
      GAUSS_SPOIL(CONVK_ERR_OVERLAP, gauss_result(s, d), c->k.out[d] = c->k.out[i]);
      GAUSS_SPOIL(CONVK_ERR_OVERLAP, gauss_result(s, d), c->k.out[d] = (char *)c->k.out[i] + bytes - 1);
    }
  for (d = 0; d < gauss_outputs(s->operation); d++) {
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, gauss_axes[1], c->k.x[1] = c->k.out[d]);
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, "coefficients", c->k.c = c->k.out[d]);
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, "coefficients", c->k.c = (char *)c->k.out[d] + bytes - 1);
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, gauss_result(s, d), c->k.out[d] = (char *)c->numbers[0] + 1 - bytes);
  }
}

static void orbital_errors_work(gauss_stage *s) {
  const size_t size = s->size, bytes = ((s->rows - 1) * G_N + G_N) * size;
  unsigned char *end = s->work.data + s->work.bytes;
  int d;
  heap.until_failure = 0;
  GAUSS_SPOIL(CONVK_ERR_MEMORY, "", (void)0);
  heap.until_failure = -1;
  GAUSS_SPOIL(CONVK_OK, "", c->k.work = end - c->need; c->k.work_size = c->need);
  GAUSS_SPOIL(CONVK_OK, "", c->k.work = end - c->need - 1; c->k.work_size = c->need);
  orbital_least_work(s);
  GAUSS_SPOIL(CONVK_ERR_WORK, "work_size is", c->k.work = end - c->need; c->k.work_size = 0);
  for (d = 0; d < gauss_outputs(s->operation); d++) {
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, "work", c->k.work = c->k.out[d]; c->k.work_size = c->need);
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, "work", c->k.work = (char *)c->k.out[d] + bytes - 1; c->k.work_size = c->need);
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, "work", c->k.out[d] = end - c->need; c->k.work = end - c->need; c->k.work_size = c->need);
  }
  /* inputs at the ends of the work, away from all else */
  for (d = 0; d < 3; d++) {
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, gauss_axes[d], c->k.x[d] = end - size; c->k.n = 1; c->k.work = end - c->need;
                c->k.work_size = c->need);
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, gauss_axes[d], c->k.x[d] = end - c->need; c->k.work = end - c->need;
                c->k.work_size = c->need);
  }
  GAUSS_SPOIL(CONVK_ERR_OVERLAP, "coefficients", c->k.c = end - size; c->k.work = end - c->need; c->k.work_size = c->need);
  GAUSS_SPOIL(CONVK_ERR_OVERLAP, "coefficients", c->k.c = end - c->need; c->k.work = end - c->need; c->k.work_size = c->need);
  if (s->operation == GAUSS_DENSITY) {
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, "set->occupations", c->k.occupations = end - size; c->k.work = end - c->need;
                c->k.work_size = c->need);
    GAUSS_SPOIL(CONVK_ERR_OVERLAP, "set->occupations", c->k.occupations = end - c->need; c->k.work = end - c->need;
                c->k.work_size = c->need);
  }
}

static void orbital_errors(gauss_stage *s) {
  const size_t size = s->size, functions = s->functions;
  GAUSS_SPOIL(CONVK_OK, "", c->k.norbitals = 0);
  GAUSS_SPOIL(CONVK_ERR_NULL, "set->shells is NULL", c->k.shells = NULL);
  GAUSS_SPOIL(CONVK_ERR_NULL, "exponents is NULL", c->shells[1].exponents = NULL);
  GAUSS_SPOIL(CONVK_ERR_NULL, "coefficients is NULL", c->shells[2].coefficients = NULL);
  GAUSS_SPOIL(CONVK_ERR_SIZE, "set->norbitals", c->k.c = NULL);
  GAUSS_SPOIL(CONVK_ERR_OPTION, "options->layout", c->options.layout = 1);
  GAUSS_SPOIL(CONVK_ERR_OPTION, "options->compensated", c->options.compensated = 1);
  orbital_errors_shells(s);
  orbital_errors_numbers(s);
  orbital_errors_overlaps(s);
  GAUSS_SPOIL(CONVK_OK, "", c->k.ldc = functions);
  GAUSS_SPOIL(CONVK_ERR_PITCH, "ldc is", c->k.ldc = functions - 1);
  GAUSS_SPOIL(CONVK_ERR_PITCH, "ldc is", c->k.ldc = 1);
  GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "ldc", c->k.ldc = SIZE_MAX / 2 + 1);
  GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "orbitals", c->k.norbitals = SIZE_MAX);
  GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "orbitals", c->k.norbitals = SIZE_MAX / functions / size + 1);
  GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "orbitals", c->k.norbitals = SIZE_MAX / G_N / size + 1);
  GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "set->nshells", c->k.nshells = SIZE_MAX);
  GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "set->nshells", c->k.nshells = SIZE_MAX / sizeof(convk_shell) + 2);
  GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "primitives", c->shells[1].primitives = SIZE_MAX);
  GAUSS_SPOIL(CONVK_ERR_OVERFLOW, "primitives", c->shells[1].primitives = SIZE_MAX / sizeof(double) + 2);
  GAUSS_SPOIL(CONVK_ERR_NULL, "set->shells is NULL", c->k.shells = NULL; c->k.nshells = SIZE_MAX);
  GAUSS_SPOIL(CONVK_ERR_OPTION, "set->shells[", c->shells[1].l = 7; put(c->type, (void *)c->in[G_X].data, 0, (double)NAN));
  if (!s->v->device) orbital_errors_work(s);
}

/* Two points, whose coordinates share an array or not: each element that is used is looked at, and no other. */
static void gauss_errors_layouts(gauss_stage *s) {
  enum { N = 2, APART = 8, ELEMENTS = 3 * APART };
  static const struct {
    size_t stride, from[3];
  } layouts[] = {{3, {0, 1, 2}},
                 {3, {0, 1, APART}},
                 {3, {0, APART, 2}},
                 {3, {APART, 1, 2}},
                 {3, {0, 2, 1}},
                 {3, {2, 1, 0}},
                 {3, {0, APART, APART + 1}},
                 {3, {0, APART, 2 * APART}},
                 {3, {APART, 2 * APART, 0}},
                 {2, {0, 1, APART}},
                 {4, {0, 1, 2}},
                 {4, {0, 1, APART + 2}},
                 {1, {0, 1, 2}},
                 {1, {0, APART, 2 * APART}}};
  size_t at, element, i;
  int d;
  for (at = 0; at < COUNT_OF(layouts); at++)
    for (element = 0; element < ELEMENTS; element++) {
      gauss_stage *c = gauss_reset(s);
      char text[80];
      int used = 0;
      for (d = 0; d < 3; d++) {
        c->k.x[d] = c->in[G_X].data + layouts[at].from[d] * c->size;
        for (i = 0; i < N; i++) used |= element == layouts[at].from[d] + i * layouts[at].stride;
      }
      if (!used && element % 4 != 3) continue; /* of those not used only some */
      c->names = "points->";
      c->k.n = N;
      c->k.stride = layouts[at].stride;
      put(c->type, (void *)c->in[G_X].data, element, not_finite((int)(element % 3)));
      snprintf(text, sizeof text, "layout %lu, element %lu", (unsigned long)at, (unsigned long)element);
      gauss_expect(s, used ? CONVK_ERR_COORDINATE : CONVK_OK, text);
    }
}

/* Arrays of so many points that threads share them. */
enum { G_MANY = 60000 };
static double gauss_many[3 * G_MANY], gauss_many_out[PARTS][G_M * G_MANY];

/* Points that threads share: the first and the last of each share are looked at. */
static void gauss_errors_shares(gauss_stage *s) {
  enum { MANY = 40000, SHARE = MANY / 3 + 1, FEW = 16384, HALF = FEW / 2 + 1 }; /* three threads; and as few as two have */
  static const struct {
    size_t n, at;
  } spoilt[] = {{MANY, 0},        {MANY, SHARE - 1}, {MANY, SHARE},   {MANY, 2 * SHARE - 1}, {MANY, 2 * SHARE},
                {MANY, MANY - 1}, {FEW, 0},          {FEW, HALF - 1}, {FEW, HALF},           {FEW, FEW - 1}};
  static const size_t strides[] = {1, 2, 3};
  hook h = hook_new(HOOK_REVERSED, 3, 1);
  size_t i, stride;
  int d;
  memset(gauss_many, 0, sizeof gauss_many);
  for (stride = 0; stride < COUNT_OF(strides); stride++)
    for (i = 0; i < COUNT_OF(spoilt); i++)
      for (d = 0; d < 3; d++) {
        const size_t apart = strides[stride] == 1 ? MANY : 1, element = spoilt[i].at * strides[stride] + (size_t)d * apart;
        int status, k;
        if (strides[stride] == 2 && d != 1) continue; /* then y lies within x, and z is y */
        gauss_reset(s);
        s->copy.parallel.threads = 3;
        s->copy.parallel.run = hook_run;
        s->copy.parallel.ctx = &h;
        s->k.hw = &s->copy;
        s->k.n = spoilt[i].n;
        s->k.stride = strides[stride];
        for (k = 0; k < 3; k++)
          s->k.x[k] = (char *)gauss_many + (size_t)(strides[stride] == 2 && k == 2 ? 1 : k) * apart * s->size;
        for (k = 0; k < PARTS; k++) s->k.out[k] = gauss_many_out[k];
        put(s->type, gauss_many, element, (double)NAN);
        describe("point %lu of %lu, stride %lu, coordinate %d, on three threads", (unsigned long)spoilt[i].at,
                 (unsigned long)spoilt[i].n, (unsigned long)strides[stride], d);
        begin_case();
        status = gauss_types[s->type].call(&s->k);
        want_status(status, CONVK_ERR_COORDINATE);
        end_case();
        put(s->type, gauss_many, element, 0);
      }
}

/* A hook that fails; whatever else a handle holds. */
static void gauss_errors_hook(gauss_stage *s) {
  const long live = heap.live;
  int status, i;
  gauss_reset(s);
  memset(gauss_many, 0, sizeof gauss_many);
  s->copy.parallel.threads = 3;
  s->copy.parallel.run = hook_run;
  s->copy.parallel.ctx = &s->failing;
  s->k.hw = &s->copy;
  s->k.n = G_MANY;
  for (i = 0; i < 3; i++) s->k.x[i] = gauss_many + i * G_MANY;
  for (i = 0; i < PARTS; i++) s->k.out[i] = gauss_many_out[i];
  describe("a thread hook that fails");
  begin_case();
  status = gauss_types[s->type].call(&s->k);
  want_status(status, CONVK_ERR_THREADS);
  want_returned(live);
  end_case();
}

static void gauss_errors(int type) {
  int operation, named;
  for (operation = 0; operation < GAUSS_KINDS; operation++) {
    size_t number = 0;
    variant *v;
    suite.operation = gauss_names[operation];
    while ((v = next_variant(&number, 0)) != NULL)
      for (named = suite.quick && !v->device ? (int)(number % 2) : 0; named < (v->device ? 1 : 2);
           named += suite.quick ? 2 : 1) {
        gauss_stage held, *s = &held;
        gauss_stage_new(s, v, type, operation, named);
        if (v->device && !gauss_types[type].offers(&v->hw, operation)) {
          GAUSS_SPOIL(CONVK_ERR_UNSUPPORTED, "", (void)c);
          gauss_stage_end(s);
          continue;
        }
        gauss_errors_common(s);
        if (operation < GAUSS_ORBITALS) gridpot_errors(s);
        else orbital_errors(s);
        if (!named || suite.quick) gauss_errors_layouts(s);
        if (!v->device && (!named || suite.quick)) gauss_errors_shares(s);
        if (!v->device) gauss_errors_hook(s);
        gauss_stage_end(s);
      }
  }
}

/* ---------------------------------------------------------------------------------------------------------------------- */

/* Cutoffs close to those that hold without any.  Each point has one exponential, which is the result, or times a number
   an orbital.  Exponentials lie on both sides of the cutoff, none so close that roundings decide. */
static void gauss_cutoffs(int type) {
  enum { N = 40 };
  static const double factors[] = {0.5, 1.1, 1.5, 1.9, 2.1, 4, 9};                 /* of the least cutoff */
  const double alpha = 1, scale = type ? 1e200 : 1e20, close = type ? 1e-9 : 1e-3; /* scale: squares must be in range */
  int operation, d;
  size_t t, i;
  for (operation = 0; operation < GAUSS_KINDS; operation++) {
    const double least = (operation == GAUSS_GRIDPOT ? gauss_least
                          : operation == GAUSS_SUM   ? gauss_least_term
                                                     : gauss_least_primitive)[type];
    for (t = 0; t < COUNT_OF(factors); t++) {
      const double cutoff = factors[t] > 1 ? factors[t] * least : least;
      convk_gaussian_options options;
      convk_shell shell;
      unsigned char xyz[3][N * 8], minus[8], one[8], coefficient[8], out[5][N * 8];
      gauss_call k = gauss_blank(operation, NULL);
      double e[N];
      size_t number = 0;
      variant *v;
      memset(&options, 0, sizeof options);
      memset(&shell, 0, sizeof shell);
      memset(xyz, 0, sizeof xyz);
      for (i = 0; i < N; i++) {
        const double r = rounded_to(type, sqrt(-log(1.02 * pow(1.06, (double)i) * least) / alpha));
        put(type, xyz[0], i, r);
        e[i] = exp(-alpha * r * r);
      }
      options.cutoff = factors[t] * least;
      options.compensated = operation < GAUSS_ORBITALS && t % 2;
      shell.primitives = 1;
      shell.exponents = &alpha;
      shell.coefficients = &alpha; /* 1, too */
      put(type, minus, 0, -alpha);
      put(type, one, 0, 1);
      put(type, coefficient, 0, operation < GAUSS_ORBITALS ? 1 : scale);
      k.n = N;
      for (d = 0; d < 3; d++) k.x[d] = xyz[d];
      k.options = &options;
      k.m = k.nsums = k.nshells = k.norbitals = 1;
      k.alpha = minus;
      k.shells = &shell;
      k.c = coefficient;
      k.occupations = one;
      for (d = 0; d < 5; d++) k.out[d] = out[d];
      suite.operation = gauss_names[operation];
      while ((v = gauss_next(&number, type, operation, 10 * N)) != NULL) {
        k.hw = &v->hw;
        describe("cutoff %g times the least", factors[t]);
        begin_case();
        memset(out, FILL_, sizeof out);
        want_status(gauss_types[type].call(&k), CONVK_OK);
        for (d = 0; d < gauss_outputs(operation) && !suite.bad; d++)
          for (i = 0; i < N; i++) {
            const double got = get(type, out[d], i);
            const int none = e[i] < cutoff || d == DY || d == DZ; /* points lie along x */
            if (fabs(e[i] / cutoff - 1) < close) continue;
            if (none ? got != 0 : !(fabs(got) > 0)) fail("result %d of an exponential of %.9g is %.9g", d, e[i], got);
          }
        end_case();
      }
    }
  }
}

/* ---------------------------------------------------------------------------------------------------- plans and sizes -- */

/* Whether a call is refused, and its message has the text. */
static void plan_refused(convk *hw, int status, int wanted, const char *text) {
  describe("a plan or a size: %s", text);
  begin_case();
  want_status(status, wanted);
  if (hw && !strstr(hw->message, text)) fail("the message is '%s'", hw->message);
  end_case();
}

#define GAUSS_PLANS(TYPE, T, OTHER) \
  /* Sizes grow with shells and orbitals. */ \
  static void plan_sizes_##TYPE(convk *hw, const convk_shell *shells, size_t nshells) { \
    size_t orbitals, before[2] = {0, 0}, fewer[2] = {0, 0}, size[2], i; \
    convk_orbital_set_##TYPE set; \
    memset(&set, 0, sizeof set); \
    set.shells = shells; \
    describe("sizes of work and plans"); \
    begin_case(); \
    for (orbitals = 1; orbitals < 4000; orbitals += 1 + orbitals / 9) { \
      set.norbitals = orbitals; \
      set.nshells = nshells - 1; \
      want_status(convk_orbitals_work_size_##TYPE(hw, &set, &fewer[0]) | convk_orbitals_plan_size_##TYPE(hw, &set, &fewer[1]), \
                  0); \
      set.nshells = nshells; \
      want_status(convk_orbitals_work_size_##TYPE(hw, &set, &size[0]) | convk_orbitals_plan_size_##TYPE(hw, &set, &size[1]), \
                  0); \
      for (i = 0; i < 2; i++) { \
        if (size[i] < before[i] || size[i] < fewer[i]) \
          fail("%lu orbitals ask for less than fewer do", (unsigned long)orbitals); \
        before[i] = size[i]; \
      } \
    } \
    end_case(); \
  } \
  /* More orbitals than a block of least points has room for, with as much work as the query says; and a density of functions, \
     which is the same from a plan. */ \
  static void plan_many_##TYPE(convk *hw, const convk_shell *few) { \
    enum { SHELLS = 28, FUNCTIONS = 77, ORBITALS = 600, POINTS = 40 }; \
    static T c[ORBITALS * FUNCTIONS], occupations[FUNCTIONS], xyz[3][POINTS], out[5][ORBITALS * POINTS], density[2][POINTS]; \
    const convk_points_##TYPE points = {POINTS, xyz[0], xyz[1], xyz[2], 0}; \
    const convk_vgl_##TYPE vgl = {out[0], out[1], out[2], out[3], out[4], 0}; \
    convk_orbital_set_##TYPE set; \
    convk_shell shells[SHELLS]; \
    size_t bytes[2] = {0, 0}, i; \
    void *work, *plan; \
    convk one = *hw; \
    one.parallel.threads = 1; /* less work than for many */ \
    for (i = 0; i < SHELLS; i++) shells[i] = few[i % 4]; \
    for (i = 0; i < ORBITALS * FUNCTIONS; i++) c[i] = (T)(i % 7) - 3; \
    for (i = 0; i < FUNCTIONS; i++) occupations[i] = (T)(1 + i); \
    for (i = 0; i < 3 * POINTS; i++) xyz[i % 3][i / 3] = (T)(i % 11) / 4; \
    memset(&set, 0, sizeof set); \
    set.shells = shells; \
    set.nshells = SHELLS; \
    set.occupations = occupations; \
    describe("a density of functions, by a plan"); \
    begin_case(); \
    want_status(convk_orbitals_plan_size_##TYPE(hw, &set, &bytes[0]), CONVK_OK); \
    plan = need(bytes[0]); \
    want_status(convk_orbitals_prepare_##TYPE(hw, &set, (convk_orbitals_plan_##TYPE *)plan, bytes[0]), CONVK_OK); \
    want_status(convk_density_##TYPE(hw, &points, &set, NULL, density[0], NULL, 0), CONVK_OK); \
    memset(&set, 0, sizeof set); \
    set.plan = (const convk_orbitals_plan_##TYPE *)plan; \
    want_status(convk_density_##TYPE(hw, &points, &set, NULL, density[1], NULL, 0), CONVK_OK); \
    if (memcmp(density[0], density[1], sizeof density[0]) || !(density[0][0] > 0)) fail("the densities differ"); \
    free(plan); \
    end_case(); \
    memset(&set, 0, sizeof set); \
    set.shells = shells; \
    set.nshells = SHELLS; \
    set.coefficients = c; \
    set.norbitals = ORBITALS; \
    describe("%d orbitals in as much work as they need", ORBITALS); \
    begin_case(); \
    want_status(convk_orbitals_work_size_##TYPE(&one, &set, &bytes[1]), CONVK_OK); \
    work = need(bytes[1]); \
    want_status(convk_orbitals_vgl_##TYPE(&one, &points, &set, NULL, &vgl, work, bytes[1]), CONVK_OK); \
    free(work); \
    end_case(); \
  } \
  static void plan_errors_##TYPE(convk *hw, convk_shell *shells, size_t nshells) { \
    static T c[400], occupations[9], xyz[3] = {0, 0, 0}, out[5][64]; \
    convk_points_##TYPE points = {1, xyz, xyz + 1, xyz + 2, 0}; \
    convk_vgl_##TYPE vgl = {out[0], out[1], out[2], out[3], out[4], 0}; \
    convk_orbital_set_##TYPE set, of; \
    convk_orbitals_plan_##TYPE *plan, *copy; \
    size_t bytes = 0, device = 0, other = 77; \
    char *at; \
    memset(&set, 0, sizeof set); \
    memset(&of, 0, sizeof of); \
    set.nshells = nshells; \
    set.shells = shells; \
    set.norbitals = 3; \
    set.coefficients = c; \
    plan_refused(hw, convk_orbitals_work_size_##TYPE(hw, NULL, &other), CONVK_ERR_NULL, "set is NULL"); \
    plan_refused(hw, convk_orbitals_plan_size_##TYPE(hw, NULL, &other), CONVK_ERR_NULL, "set is NULL"); \
    plan_refused(hw, convk_orbitals_work_size_##TYPE(hw, &set, NULL), CONVK_ERR_NULL, "bytes is NULL"); \
    plan_refused(hw, convk_orbitals_plan_size_##TYPE(hw, &set, NULL), CONVK_ERR_NULL, "bytes is NULL"); \
    shells[1].l = 9; \
    plan_refused(hw, convk_orbitals_work_size_##TYPE(hw, &set, &other), CONVK_ERR_OPTION, "set->shells[1].l is 9"); \
    plan_refused(hw, convk_orbitals_plan_size_##TYPE(hw, &set, &other), CONVK_ERR_OPTION, "set->shells[1].l is 9"); \
    shells[1].l = 1; \
    set.norbitals = SIZE_MAX / 60000; \
    plan_refused(hw, convk_orbitals_work_size_##TYPE(hw, &set, &other), CONVK_ERR_OVERFLOW, "set->norbitals"); \
    set.norbitals = SIZE_MAX / 4; \
    plan_refused(hw, convk_orbitals_plan_size_##TYPE(hw, &set, &other), CONVK_ERR_OVERFLOW, "set->norbitals"); \
    set.norbitals = 3; \
    if (other != 77) fail("a refused query has set its result"); \
    plan_refused(NULL, convk_orbitals_plan_size_##TYPE(NULL, &set, &bytes), CONVK_OK, "no handle"); \
    at = (char *)need(2 * bytes + 16); \
    plan = (convk_orbitals_plan_##TYPE *)(void *)at; \
    copy = (convk_orbitals_plan_##TYPE *)(void *)(at + bytes + 8); \
    memset(at, 0, 2 * bytes + 16); \
    plan_refused(hw, convk_orbitals_prepare_##TYPE(hw, NULL, plan, bytes), CONVK_ERR_NULL, "set is NULL"); \
    plan_refused(hw, convk_orbitals_prepare_##TYPE(hw, &set, NULL, bytes), CONVK_ERR_NULL, "plan is NULL"); \
    plan_refused(hw, convk_orbitals_prepare_##TYPE(hw, &set, plan, 100), CONVK_ERR_WORK, "plan_size is 100, and "); \
    plan_refused(hw, convk_orbitals_prepare_##TYPE(hw, &set, (convk_orbitals_plan_##TYPE *)(void *)(at + 4), bytes), \
                 CONVK_ERR_PLAN, "plan does not lie at a multiple of 8 bytes"); \
    set.coefficients = (const T *)(void *)(at + 64); \
    plan_refused(hw, convk_orbitals_prepare_##TYPE(hw, &set, plan, bytes), CONVK_ERR_OVERLAP, \
                 "set->coefficients overlaps plan"); \
    set.coefficients = c; \
    set.occupations = (const T *)(void *)(at + 64); \
    plan_refused(hw, convk_orbitals_prepare_##TYPE(hw, &set, plan, bytes), CONVK_ERR_OVERLAP, \
                 "set->occupations overlaps plan"); \
    set.occupations = NULL; \
    c[17] = (T)NAN; \
    plan_refused(hw, convk_orbitals_prepare_##TYPE(hw, &set, plan, bytes), CONVK_ERR_NONFINITE, "set->coefficients["); \
    c[17] = 1; \
    occupations[2] = (T)INFINITY; \
    set.occupations = occupations; \
    plan_refused(hw, convk_orbitals_prepare_##TYPE(hw, &set, plan, bytes), CONVK_ERR_NONFINITE, "set->occupations[2]"); \
    occupations[2] = 1; \
    set.occupations = NULL; \
    set.ldc = 1; \
    plan_refused(hw, convk_orbitals_prepare_##TYPE(hw, &set, plan, bytes), CONVK_ERR_PITCH, "set->ldc is 1"); \
    set.ldc = 0; \
    set.coefficients = NULL; \
    plan_refused(hw, convk_orbitals_prepare_##TYPE(hw, &set, plan, bytes), CONVK_ERR_SIZE, "set->norbitals is 3"); \
    set.coefficients = c; \
    plan_refused(hw, convk_orbitals_plan_bytes_##TYPE(hw, plan, &device), CONVK_ERR_PLAN, "plan is no plan"); \
    plan_refused(hw, convk_orbitals_plan_bytes_##TYPE(hw, NULL, &device), CONVK_ERR_NULL, "plan is NULL"); \
    plan_refused(hw, convk_orbitals_prepare_##TYPE(hw, &set, plan, bytes), CONVK_OK, ""); \
    plan_refused(hw, convk_orbitals_plan_bytes_##TYPE(hw, plan, NULL), CONVK_ERR_NULL, "bytes is NULL"); \
    plan_refused(hw, convk_orbitals_plan_bytes_##TYPE(hw, plan, &device), CONVK_OK, ""); \
    if (!device || device > bytes) fail("a device needs %lu bytes of %lu", (unsigned long)device, (unsigned long)bytes); \
    of.plan = plan; \
    plan_refused(hw, convk_orbitals_##TYPE(hw, &points, &of, NULL, out[0], 0, NULL, 0), CONVK_OK, ""); \
    plan_refused(hw, convk_density_##TYPE(hw, &points, &of, NULL, out[0], NULL, 0), CONVK_ERR_PLAN, \
                 "set->plan was prepared without occupations"); \
    plan_refused(hw, convk_orbitals_##TYPE(hw, &points, &of, NULL, (T *)(void *)(at + bytes - sizeof(T)), 0, NULL, 0), \
                 CONVK_ERR_OVERLAP, "set->plan overlaps value"); \
    plan_refused(hw, convk_orbitals_work_size_##TYPE(hw, &of, &other), CONVK_OK, ""); \
    memcpy(copy, plan, bytes); \
    ((char *)copy)[40] ^= 4; \
    of.plan = copy; \
    plan_refused(hw, convk_orbitals_##TYPE(hw, &points, &of, NULL, out[0], 0, NULL, 0), CONVK_ERR_PLAN, \
                 "set->plan is no plan"); \
    plan_refused(hw, convk_orbitals_work_size_##TYPE(hw, &of, &other), CONVK_ERR_PLAN, "set->plan is no plan"); \
    of.plan = (const convk_orbitals_plan_##TYPE *)(void *)(at + 4); \
    plan_refused(hw, convk_orbitals_##TYPE(hw, &points, &of, NULL, out[0], 0, NULL, 0), CONVK_ERR_PLAN, "multiple of 8"); \
    if (has_type(sizeof(T) == 4)) \
      plan_refused(NULL, convk_orbitals_plan_bytes_##OTHER(NULL, (const convk_orbitals_plan_##OTHER *)(void *)plan, &device), \
                   CONVK_ERR_PLAN, "of another type"); \
    ((double *)(uintptr_t)shells[0].exponents)[0] = sizeof(T) == 4 ? 1e20 : 1e155; \
    plan_refused(hw, convk_orbitals_prepare_##TYPE(hw, &set, plan, bytes), CONVK_OK, ""); \
    of.plan = plan; \
    plan_refused(hw, convk_orbitals_##TYPE(hw, &points, &of, NULL, out[0], 0, NULL, 0), CONVK_OK, ""); \
    plan_refused(hw, convk_orbitals_vgl_##TYPE(hw, &points, &of, NULL, &vgl, NULL, 0), CONVK_ERR_NONFINITE, \
                 "set->shells[0].coefficients[0] times 4 a^2"); \
    ((double *)(uintptr_t)shells[0].exponents)[0] = 1; \
    free(at); \
  }
GAUSS_PLANS(f32, float, f64)
GAUSS_PLANS(f64, double, f32)

static void gauss_plans(int type) {
  double exponents[4][2], weights[2] = {1, 0.5};
  convk_shell shells[4];
  size_t number = 0, i;
  variant *v;
  memset(shells, 0, sizeof shells);
  for (i = 0; i < 4; i++) {
    exponents[i][0] = 1;
    exponents[i][1] = 0.5 + (double)i;
    shells[i].l = (int)(i % 3);
    shells[i].primitives = 2;
    shells[i].exponents = exponents[i];
    shells[i].coefficients = weights;
  }
  suite.operation = "orbitals_prepare";
  while ((v = gauss_next(&number, type, GAUSS_ORBITALS, 0)) != NULL) {
    if (type) plan_sizes_f64(&v->hw, shells, 4), plan_many_f64(&v->hw, shells), plan_errors_f64(&v->hw, shells, 4);
    else plan_sizes_f32(&v->hw, shells, 4), plan_many_f32(&v->hw, shells), plan_errors_f32(&v->hw, shells, 4);
  }
}

#include "test_gaussian_grid.c"
#include "test_gaussian_cells.c"

static const test gaussian_tests[] = {
    {"gridpot", "shapes", gridpot_shapes, 1},
    {"gridpot", "sums", gridpot_sums, 1},
    {"gridpot", "accuracy", gridpot_accuracy, 1},
    {"gridpot", "sum_accuracy", gridpot_sum_accuracy, 1},
    {"gridpot", "threads", gridpot_threads, 1},
    {"gridpot", "hook", gridpot_hook, 1},
    {"gridpot", "cuts", gridpot_cuts, 1},
    {"gridpot", "screening", gridpot_screening, 1},
    {"gridpot", "range", gridpot_range, 1},
    {"gridpot", "far", gridpot_far, 1},
    {"gridpot", "apart", gridpot_apart, 1},
    {"gridpot", "subnormals", gridpot_subnormals, 1},
    {"orbitals", "subnormals", orbital_subnormals, 1},
    {"orbitals", "shells", orbital_shells, 1},
    {"orbitals", "shapes", orbital_shapes, 1},
    {"orbitals", "many", orbital_many, 1},
    {"orbitals", "threads", orbital_threads, 1},
    {"orbitals", "hook", orbital_hook, 1},
    {"orbitals", "cutoff", orbital_cutoff, 1},
    {"orbitals", "extremes", orbital_extremes, 1},
    {"orbitals", "differences", orbital_differences, 1},
    {"orbitals", "norms", shell_norms, 1},
    {"orbitals", "water", orbital_water, 1},
    {"density", "squares", density_squares, 1},
    {"density", "electrons", density_electrons, 1},
    {"shells", "functions", shell_functions, 0},
    {"shells", "normalise", shell_normalise, 0},
    {"gaussian", "errors", gauss_errors, 1},
    {"gaussian", "cutoffs", gauss_cutoffs, 1},
    {"gaussian", "plans", gauss_plans, 1},
    {"orbitals_grid", "each", ongrid_each, 1},
    {"orbitals_grid", "shapes", ongrid_shapes, 1},
    {"orbitals_grid", "room", ongrid_room, 1},
    {"orbitals_grid", "chain", ongrid_chain, TYPED_LONG},
    {"orbitals_grid", "periods", ongrid_periods, TYPED_LONG},
    {"orbitals_grid", "nothing", ongrid_nothing, 1},
    {"orbitals_grid", "cells", cell_each, TYPED_LONG},
    {"orbitals_grid", "cell_shapes", cell_shapes, 1},
    {"orbitals_grid", "cell_lists", cell_lists, 1},
    {"orbitals_grid", "cell_alone", cell_alone, 1},
    {"orbitals_grid", "cell_crowd", cell_crowd, 1},
    {"orbitals_grid", "cell_points", cell_points, 1},
    {"orbitals_grid", "cell_short", cell_short, 1},
    {"orbitals_grid", "cell_moves", cell_moves, 1},
    {"orbitals_grid", "cell_periods", cell_periods, TYPED_LONG},
    {"orbitals_grid_k", "sums", bloch_sums, TYPED_LONG},
    {"orbitals_grid_k", "axes", bloch_axes, TYPED_LONG},
    {"orbitals_grid_k", "turns", bloch_turns, 1},
    {"orbitals_grid_k", "errors", bloch_errors, 1},
    {"orbitals_grid", "errors", ongrid_errors, 1},
    {"orbitals_grid", "parts", ongrid_parts, 1},
};
TEST_LIST(gaussian)
