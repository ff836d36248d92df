/* SPDX-License-Identifier: MIT
   Tests of the separable convolution family. */
#define EVERY_REASON 1
#include "test.h"

/* ----------------------------------------------------------------------------- one interface to both precisions -- */

/* The arguments of a call as its struct; NULL where one of them is, but for the grid of the output: what follows. */
static const convk_sepconv3d_shape *shape_of(const convk_grid3 *in, const convk_grid3 *out, const int *boundary,
                                             convk_sepconv3d_shape *shape) {
  if (!in || !boundary) return NULL;
  memset(shape, 0, sizeof *shape);
  shape->in = *in;
  if (out) shape->out = *out;
  memcpy(shape->boundary, boundary, sizeof shape->boundary);
  return shape;
}

static convk_conv1d_shape rows_of(size_t n, size_t ndat, size_t ld_in, size_t ld_out, int boundary) {
  convk_conv1d_shape shape;
  shape.n = n;
  shape.ndat = ndat;
  shape.ld_in = ld_in;
  shape.ld_out = ld_out;
  shape.boundary = boundary;
  return shape;
}

#define NAMED_CALL(TYPE, T, HW) \
  if (!strcmp(hw, #HW)) \
    return convk_magicfilter3d_##TYPE##_##HW(NULL, shape_of(in_grid, out_grid, boundary, &shape), direction, NULL, \
                                             (const T *)in, (T *)out, NULL, 0);
#define CALLED(...) \
  const surroundings s = before_call(); \
  const int status = __VA_ARGS__; \
  after_call(s, hw && hw->ours.inside.device); \
  return status;
#define TYPED_CALLS(TYPE, T) \
  static const convk_filter_##TYPE *filters_##TYPE(const any_filter *f, size_t n, convk_filter_##TYPE *out) { \
    size_t i; \
    for (i = 0; f && i < n; i++) { \
      out[i].lo = f[i].lo; \
      out[i].up = f[i].up; \
      out[i].taps = (const T *)f[i].taps; \
    } \
    return f ? out : NULL; \
  } \
  static const convk_sepconv_epilogue_##TYPE *epilogue_##TYPE(const any_epilogue *e, convk_sepconv_epilogue_##TYPE *out) { \
    if (!e) return NULL; \
    memset(out, 0, sizeof *out); \
    out->potential = (const T *)e->potential; \
    out->density = (T *)e->density; \
    out->density_factor = (T)e->density_factor; \
    out->dot = e->dot; \
    out->energy = e->energy; \
    out->update = e->update; \
    out->a = (T)e->a; \
    out->b = (T)e->b; \
    return out; \
  } \
  static int sepconv3d_##TYPE(convk *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, const any_filter *filter, \
                              const int *boundary, const any_epilogue *epilogue, const void *in, void *out, void *work, \
                              size_t work_size) { \
    convk_sepconv3d_shape shape; \
    convk_filter_##TYPE f[3]; \
    convk_sepconv_epilogue_##TYPE e; \
    CALLED(convk_sepconv3d_##TYPE(hw, shape_of(in_grid, out_grid, boundary, &shape), filters_##TYPE(filter, 3, f), \
                                  epilogue_##TYPE(epilogue, &e), (const T *)in, (T *)out, work, work_size)) \
  } \
  static int magicfilter3d_##TYPE(convk *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, int direction, \
                                  const int *boundary, const any_epilogue *epilogue, const void *in, void *out, void *work, \
                                  size_t work_size) { \
    convk_sepconv3d_shape shape; \
    convk_sepconv_epilogue_##TYPE e; \
    CALLED(convk_magicfilter3d_##TYPE(hw, shape_of(in_grid, out_grid, boundary, &shape), direction, \
                                      epilogue_##TYPE(epilogue, &e), (const T *)in, (T *)out, work, work_size)) \
  } \
  static int potential_apply_##TYPE(convk *hw, const convk_grid3 *grid, const convk_grid3 *potential_grid, \
                                    const int *boundary, const void *potential, const void *psi, void *out, double *energy, \
                                    void *work, size_t work_size) { \
    convk_sepconv3d_shape shape; \
    CALLED(convk_potential_apply_##TYPE(hw, shape_of(grid, potential_grid, boundary, &shape), (const T *)potential, \
                                        (const T *)psi, (T *)out, energy, work, work_size)) \
  } \
  static int conv1d_transpose_##TYPE(convk *hw, size_t n, size_t ndat, size_t ld_in, size_t ld_out, const any_filter *filter, \
                                     int boundary, const void *in, void *out, void *work, size_t work_size) { \
    const convk_conv1d_shape shape = rows_of(n, ndat, ld_in, ld_out, boundary); \
    convk_filter_##TYPE f; \
    CALLED(convk_conv1d_transpose_##TYPE(hw, n == NO_SHAPE ? NULL : &shape, filters_##TYPE(filter, 1, &f), (const T *)in, \
                                         (T *)out, work, work_size)) \
  } \
  static int output_grid_##TYPE(convk *hw, const convk_grid3 *in_grid, const any_filter *filter, const int *boundary, \
                                convk_grid3 *out_grid) { \
    convk_sepconv3d_shape shape; \
    convk_filter_##TYPE f[3]; \
    return convk_sepconv3d_out_grid_##TYPE(hw, shape_of(in_grid, NULL, boundary, &shape), filters_##TYPE(filter, 3, f), \
                                           out_grid); \
  } \
  static int sepconv3d_work_##TYPE(convk *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, \
                                   const any_filter *filter, const int *boundary, size_t *bytes) { \
    convk_sepconv3d_shape shape; \
    convk_filter_##TYPE f[3]; \
    return convk_sepconv3d_work_size_##TYPE(hw, shape_of(in_grid, out_grid, boundary, &shape), filters_##TYPE(filter, 3, f), \
                                            NULL, bytes); \
  } \
  static int magicfilter3d_work_##TYPE(convk *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, int direction, \
                                       const int *boundary, size_t *bytes) { \
    convk_sepconv3d_shape shape; \
    return convk_magicfilter3d_work_size_##TYPE(hw, shape_of(in_grid, out_grid, boundary, &shape), direction, NULL, bytes); \
  } \
  static int potential_work_##TYPE(convk *hw, const convk_grid3 *grid, const convk_grid3 *potential_grid, const int *boundary, \
                                   size_t *bytes) { \
    convk_sepconv3d_shape shape; \
    return convk_potential_apply_work_size_##TYPE(hw, shape_of(grid, potential_grid, boundary, &shape), bytes); \
  } \
  static int conv1d_work_##TYPE(convk *hw, size_t n, size_t ndat, size_t ld_in, size_t ld_out, const any_filter *filter, \
                                int boundary, size_t *bytes) { \
    const convk_conv1d_shape shape = rows_of(n, ndat, ld_in, ld_out, boundary); \
    convk_filter_##TYPE f; \
    return convk_conv1d_transpose_work_size_##TYPE(hw, n == NO_SHAPE ? NULL : &shape, filters_##TYPE(filter, 1, &f), bytes); \
  } \
  static any_filter taps_##TYPE(int direction) { \
    const convk_filter_##TYPE f = convk_magicfilter_taps_##TYPE(direction); \
    any_filter any; \
    any.lo = f.lo; \
    any.up = f.up; \
    any.taps = f.taps; \
    return any; \
  } \
  static int by_name_##TYPE(const char *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, int direction, \
                            const int *boundary, const void *in, void *out) { \
    convk_sepconv3d_shape shape; \
    ON_PROCESSORS(NAMED_CALL, TYPE, T) \
    return 1; \
  }
#define NO_SHAPE (SIZE_MAX - 1) /* of `n`: the shape is NULL */

TYPED_CALLS(f32, float)
TYPED_CALLS(f64, double)

#define TYPED_TABLE(TYPE) \
  sepconv3d_##TYPE, magicfilter3d_##TYPE, potential_apply_##TYPE, conv1d_transpose_##TYPE, output_grid_##TYPE, \
      sepconv3d_work_##TYPE, magicfilter3d_work_##TYPE, potential_work_##TYPE, conv1d_work_##TYPE, taps_##TYPE, by_name_##TYPE

/* The limits of the magic filter are those its documentation states; the relative L2 norm has 8 half ulps. */
const type_calls sepconv_types[2] = {
    {"f32", sizeof(float), MODEL_F32, 1.0 / 16777216, 2e-6, 8.0 / 16777216, TYPED_TABLE(f32)},
    {"f64", sizeof(double), MODEL_F64, 1.0 / 9007199254740992, 4e-15, 8.0 / 9007199254740992, TYPED_TABLE(f64)}};

/* ----------------------------------------------------------------------------------------------------------- problems -- */

/* Parts of an epilogue. */
enum { POTENTIAL = 1, DENSITY = 2, DOT = 4, ENERGY = 8, UPDATE = 16, NO_OUT = 32 };

/* A convolution with everything known about its result. */
typedef struct problem {
  int type, magic, data; /* magic: -1, or a direction */
  size_t n[3], m[3], in_count, out_count;
  int lo[3], up[3], boundary[3];
  double taps[3][64]; /* as the library has them */
  long double exact[3][64];
  double *x, largest;
  long double *ref; /* and the bound of the error at each point where there is no stated one */
  long double *bound;
  unsigned flags;
  double *potential, *density, *old, factor, a, b;
  expected by_class[2];
  int known[2];
} problem;

static void problem_free(problem *p) {
  int c;
  free(p->x);
  free(p->ref);
  free(p->bound);
  free(p->potential);
  free(p->density);
  free(p->old);
  for (c = 0; c < 2; c++) {
    free(p->by_class[c].r);
    free(p->by_class[c].out);
    free(p->by_class[c].density);
  }
  memset(p, 0, sizeof *p);
}

static void problem_start(problem *p, int type, size_t nx, size_t ny, size_t nz) {
  memset(p, 0, sizeof *p);
  p->type = type;
  p->magic = -1;
  p->n[0] = nx;
  p->n[1] = ny;
  p->n[2] = nz;
}

static void problem_magic(problem *p, int direction, int bx, int by, int bz) {
  int d, t;
  p->magic = direction;
  p->boundary[0] = bx;
  p->boundary[1] = by;
  p->boundary[2] = bz;
  for (d = 0; d < 3; d++) {
    ref_magic_taps(direction == CONVK_INVERSE, p->exact[d], &p->lo[d], &p->up[d]);
    for (t = 0; t < 16; t++) p->taps[d][t] = p->type ? (double)p->exact[d][t] : (double)(float)p->exact[d][t];
  }
}

static void problem_filter(problem *p, int axis, int lo, int ntaps, int boundary, uint64_t *rng) {
  int t;
  p->lo[axis] = lo;
  p->up[axis] = lo + ntaps - 1;
  p->boundary[axis] = boundary;
  for (t = 0; t < ntaps; t++) {
    p->taps[axis][t] = draw(p->type, DATA_UNIFORM, rng);
    if (!random_below(rng, 12)) p->taps[axis][t] = 0;
    p->exact[axis][t] = p->taps[axis][t];
  }
}

static const char *boundary_letters = "pgsz";

static void problem_describe(const problem *p) {
  const int *b = p->boundary;
  describe("%lux%lux%lu ", (unsigned long)p->n[0], (unsigned long)p->n[1], (unsigned long)p->n[2]);
  if (p->magic >= 0) describe_more("%s ", p->magic ? "inverse" : "forward");
  else describe_more("taps %d..%d,%d..%d,%d..%d ", p->lo[0], p->up[0], p->lo[1], p->up[1], p->lo[2], p->up[2]);
  describe_more("%c%c%c", boundary_letters[b[0]], boundary_letters[b[1]], boundary_letters[b[2]]);
  if (p->flags)
    describe_more(" epilogue %s%s%s%s%s%s", p->flags & POTENTIAL ? "potential " : "", p->flags & DENSITY ? "density " : "",
                  p->flags & DOT ? "dot " : "", p->flags & ENERGY ? "energy " : "", p->flags & UPDATE ? "update " : "",
                  p->flags & NO_OUT ? "no-out" : "");
}

/* Data, the reference and its bound.  Filters and flags must be set. */
static void problem_finish(problem *p, int data, uint64_t *rng) {
  const long double *taps[3];
  size_t i;
  int d, t;
  p->data = data;
  p->in_count = p->n[0] * p->n[1] * p->n[2];
  p->out_count = 1;
  for (d = 0; d < 3; d++) {
    p->m[d] = ref_points(p->n[d], p->lo[d], p->up[d], p->boundary[d]);
    p->out_count *= p->m[d];
    taps[d] = p->exact[d];
  }
  if (p->flags && (p->m[0] != p->n[0] || p->m[1] != p->n[1] || p->m[2] != p->n[2])) p->flags &= ~(unsigned)DOT;
  if (!(p->flags & (DENSITY | DOT | ENERGY))) p->flags &= ~(unsigned)NO_OUT;
  p->x = drawn(p->type, data, p->in_count, rng);
  for (i = 0; i < p->in_count; i++)
    if (fabs(p->x[i]) > p->largest) p->largest = fabs(p->x[i]);
  if (p->flags) {
    p->potential = drawn(p->type, data, p->out_count, rng);
    p->density = drawn(p->type, data, p->out_count, rng);
    p->old = drawn(p->type, data, p->out_count, rng);
    p->factor = draw(p->type, DATA_UNIFORM, rng);
    p->a = draw(p->type, DATA_UNIFORM, rng);
    p->b = draw(p->type, DATA_UNIFORM, rng);
  }
  problem_describe(p);
  if (data == DATA_SPECIAL) return;
  {
    long double *x = widened(p->x, p->in_count);
    p->ref = ref_separable(x, p->n, p->lo, p->up, p->boundary, taps);
    if (p->magic < 0) {
      static long double size[3][64];
      const long double *sizes[3];
      const double terms = p->up[0] - p->lo[0] + p->up[1] - p->lo[1] + p->up[2] - p->lo[2] + 6.0;
      for (i = 0; i < p->in_count; i++) x[i] = x[i] < 0 ? -x[i] : x[i];
      for (d = 0; d < 3; d++) {
        for (t = 0; t < 64; t++) size[d][t] = p->exact[d][t] < 0 ? -p->exact[d][t] : p->exact[d][t];
        sizes[d] = size[d];
      }
      p->bound = ref_separable(x, p->n, p->lo, p->up, p->boundary, sizes);
      for (i = 0; i < p->out_count; i++) p->bound[i] *= (long double)(2 * types[p->type].unit * terms * slack());
    }
    free(x);
  }
}

static long double problem_bound(const problem *p, size_t i) {
  return p->bound ? p->bound[i] : (long double)(sepconv_types[p->type].limit * p->largest * slack());
}

/* The promised bits for one class of variants. */
static const expected *problem_expect(problem *p, int fused) {
  const int kind = types[p->type].model + (fused ? MODEL_FUSED : MODEL_MULADD);
  expected *e = &p->by_class[fused];
  const double *taps[3];
  size_t i;
  int d;
  if (p->known[fused]) return e;
  p->known[fused] = 1;
  for (d = 0; d < 3; d++) taps[d] = p->taps[d];
  e->r = model_separable(kind, p->x, p->n, p->lo, p->up, p->boundary, taps);
  if (!p->flags) return e;
  e->out = reals(p->out_count);
  e->density = reals(p->out_count);
  for (i = 0; i < p->out_count; i++) {
    const double r = e->r[i], w = p->flags & POTENTIAL ? model_mul(kind, p->potential[i], r) : r;
    e->density[i] = model_madd(kind, p->factor, model_mul(kind, r, r), p->density[i]);
    e->out[i] = w;
  }
  if (p->flags & DOT) e->dot = model_dot(fused, p->x, e->r, p->m);
  if (p->flags & ENERGY) e->energy = model_dot(fused, e->r, e->out, p->m);
  if (p->flags & UPDATE)
    for (i = 0; i < p->out_count; i++) e->out[i] = model_madd(kind, p->a, e->out[i], model_mul(kind, p->b, p->old[i]));
  return e;
}

/* ----------------------------------------------------------------------------------------------------- arrays on guard -- */

/* ------------------------------------------------------------------------------------------------------ ways to run it -- */

/* Taps with pages that fault behind (or before) them. */
static guard taps_on_guard(int type, const double *taps, int ntaps, uint64_t *rng) {
  guard g = guard_new((size_t)ntaps * types[type].size, random_below(rng, 3) ? AT_END : AT_START, 0);
  int t;
  for (t = 0; t < ntaps; t++) put(type, g.data, (size_t)t, taps[t]);
  return g;
}

/* Compares what a variant made of the problem with its model and with long double. */
static void judge(const problem *p, const expected *e, const array *in, const array *out, const array *potential,
                  const array *density, double dot, double energy) {
  const double unit = types[p->type].unit, depth = (double)(p->m[0] / 16 + p->m[1] + p->m[2] + 8);
  double worst = 0, worst_limit = 1, square = 0, square_ref = 0, largest = 0, worst_error = 0;
  long double dot_ref = 0, dot_bound = 0, energy_ref = 0, energy_bound = 0;
  size_t i;
  array_check(in, "input", p->x);
  if (p->flags & NO_OUT) array_check(out, "output that was not given", p->flags & UPDATE ? p->old : NULL);
  else array_check(out, "output", p->flags ? e->out : e->r);
  if (p->flags) {
    array_check(potential, "potential", p->potential);
    array_check(density, "density", p->flags & DENSITY ? e->density : p->density);
    if ((p->flags & DOT) && !same(dot, e->dot)) fail("dot is %.17g, not %.17g", dot, e->dot);
    if ((p->flags & ENERGY) && !same(energy, e->energy)) fail("energy is %.17g, not %.17g", energy, e->energy);
  }
  if (!p->ref) return;
  for (i = 0; i < p->out_count; i++) {
    const long double ref = p->ref[i], v_i = p->flags & POTENTIAL ? (long double)p->potential[i] : 1,
                      r_bound = problem_bound(p, i);
    const long double size = ref < 0 ? -ref : ref, v_size = v_i < 0 ? -v_i : v_i;
    if (p->flags & DOT) {
      const long double x = p->x[i];
      dot_ref += x * ref;
      dot_bound += (x < 0 ? -x : x) * (r_bound + 2 * depth * (1.0L / 9007199254740992) * size);
    }
    if (p->flags & ENERGY) {
      energy_ref += ref * ref * v_i;
      energy_bound += v_size * (r_bound * (2 * size + r_bound) +
                                (2 * unit + 2 * depth / 9007199254740992) * (size + r_bound) * (size + r_bound));
    }
    if (p->flags & DENSITY) {
      const long double want = p->density[i] + p->factor * ref * ref, factor = fabs(p->factor);
      const long double bound = factor * r_bound * (2 * size + r_bound) +
                                4 * unit * (factor * (size + r_bound) * (size + r_bound) + fabs(p->density[i]));
      const long double error = (long double)array_at(density, i) - want;
      if (!((error < 0 ? -error : error) <= bound)) fail("density %lu errs by %Lg, bound %Lg", (unsigned long)i, error, bound);
    }
    if (!(p->flags & NO_OUT)) {
      long double want = v_i * ref, bound = v_size * (r_bound + (p->flags & POTENTIAL ? 2 * unit * size : 0)), error;
      if (p->flags & UPDATE) {
        want = p->a * want + p->b * (long double)p->old[i];
        bound = fabs(p->a) * bound + 4 * unit * (fabs(p->a) * v_size * size + fabs(p->b * p->old[i]));
      }
      error = (long double)array_at(out, i) - want;
      if (error < 0) error = -error;
      if (!(error <= bound)) fail("output %lu errs by %Lg, bound %Lg", (unsigned long)i, error, bound);
      if (bound > 0 && error * worst_limit >= worst * bound) {
        worst = (double)error;
        worst_limit = (double)bound;
      }
      if ((double)error > worst_error) worst_error = (double)error;
      square += (double)(error * error);
      square_ref += (double)(want * want);
      if (fabs((double)want) > largest) largest = fabs((double)want);
    }
  }
  if (p->flags & DOT && !(fabsl((long double)dot - dot_ref) <= dot_bound))
    fail("dot %.17g errs by %Lg, bound %Lg", dot, (long double)dot - dot_ref, dot_bound);
  if (p->flags & ENERGY && !(fabsl((long double)energy - energy_ref) <= energy_bound))
    fail("energy %.17g errs by %Lg, bound %Lg", energy, (long double)energy - energy_ref, energy_bound);
  if (!(p->flags & NO_OUT) && p->data == DATA_UNIFORM && largest > 0) {
    const double ulp = worst_error / ldexp(2 * unit, ilogb(largest)), l2 = square_ref > 0 ? sqrt(square / square_ref) : 0;
    const int stated = p->magic >= 0 && !p->flags && p->out_count >= 1000;
    if (stated && l2 > sepconv_types[p->type].l2_limit)
      fail("relative L2 error %g, limit %g", l2, sepconv_types[p->type].l2_limit);
    if (p->flags) {
      const char *operation = suite.operation;
      suite.operation = p->magic >= 0 ? "magicfilter3d + epi" : "sepconv3d + epi";
      error_note("of bound", worst / worst_limit, 1, ulp, 0, 0, p->out_count);
      suite.operation = operation;
    } else if (p->magic >= 0) {
      error_note("max|x|", worst / p->largest, worst_limit / p->largest, ulp, stated ? l2 : 0, sepconv_types[p->type].l2_limit,
                 p->out_count);
    } else {
      error_note("of bound", worst / worst_limit, 1, ulp, 0, 0, p->out_count);
    }
  }
}

/* Runs a problem in several ways on every variant. */
static void run_problem(problem *p, const execution *ways, size_t count, uint64_t seed) {
  const type_calls *calls = &sepconv_types[p->type];
  const size_t terms = (size_t)(p->up[0] - p->lo[0] + p->up[1] - p->lo[1] + p->up[2] - p->lo[2] + 3);
  size_t w, i = 0, length;
  variant *v;
  const char *operation = suite.operation;
  length = strlen(suite.text);
  while ((v = next_variant(&i, p->out_count * terms)) != NULL)
    for (w = p->magic < 0 && v->thin && seed % v->thin ? count : 0; w < count;
         w += v->device && w > 3 ? 16 : 1) { /* most of the ways are about processors */
      uint64_t rng = seed + w * 1000003u + i;
      hook k = hook_new(ways[w].hook, ways[w].threads, random64(&rng));
      const expected *e = problem_expect(p, v->fused);
      convk copy, *hw = handle_for(v, &copy, &ways[w], &k);
      array in, out, potential, density;
      any_epilogue epilogue;
      any_filter filter[3];
      guard taps[3];
      workspace work;
      guard sums = guard_new(2 * sizeof(double), AT_END, 0);
      double *sum = (double *)(void *)sums.data;
      const long live = heap.live;
      const double *start = p->flags & UPDATE ? p->old : NULL;
      size_t bytes;
      int d, status;
      void *target;
      memset(&potential, 0, sizeof potential);
      memset(&density, 0, sizeof density);
      suite.text[length] = '\0';
      begin_case();
      suite.operation = p->magic >= 0 ? "magicfilter3d" : "sepconv3d";
      execution_describe(&ways[w]);
      in = array_for(p->type, p->n, p->x, &rng);
      out = array_for(p->type, p->m, start, &rng);
      array_describe("in", &in);
      array_describe("out", &out);
      memset(&epilogue, 0, sizeof epilogue);
      if (p->flags) {
        potential = array_new(p->type, &out.given, &out.full, p->potential, &rng);
        density = array_new(p->type, &out.given, &out.full, p->density, &rng);
        if (p->flags & POTENTIAL) epilogue.potential = potential.g.data;
        if (p->flags & DENSITY) epilogue.density = density.g.data;
        epilogue.density_factor = p->factor;
        if (p->flags & DOT) epilogue.dot = &sum[0];
        if (p->flags & ENERGY) epilogue.energy = &sum[1];
        epilogue.update = p->flags & UPDATE ? 1 : 0;
        epilogue.a = p->a;
        epilogue.b = p->b;
      }
      for (d = 0; d < 3; d++) {
        taps[d] = taps_on_guard(p->type, p->taps[d], p->up[d] - p->lo[d] + 1, &rng);
        filter[d].lo = p->lo[d];
        filter[d].up = p->up[d];
        filter[d].taps = taps[d].data;
      }
      bytes = 0;
      status = p->magic >= 0 ? calls->magicfilter3d_work(hw, &in.given, &out.given, p->magic, p->boundary, &bytes)
                             : calls->sepconv3d_work(hw, &in.given, &out.given, filter, p->boundary, &bytes);
      if (status || !bytes) fail("work_size: status %d, %lu bytes", status, (unsigned long)bytes);
      work = workspace_new(ways[w].work, bytes, &rng);
      target = p->flags & NO_OUT ? NULL : (void *)out.g.data;
      if (p->magic >= 0)
        status = calls->magicfilter3d(hw, &in.given, &out.given, p->magic, p->boundary, p->flags ? &epilogue : NULL, in.g.data,
                                      target, work.work, work.size);
      else
        status = calls->sepconv3d(hw, &in.given, &out.given, filter, p->boundary, p->flags ? &epilogue : NULL, in.g.data,
                                  target, work.work, work.size);
      check_status(status, live);
      if (!status) {
        judge(p, e, &in, &out, &potential, &density, sum[0], sum[1]);
        if (!(p->flags & DOT) && !all_fill(sums.data, sums.data + sizeof(double))) fail("dot written");
        if (!(p->flags & ENERGY) && !all_fill(sums.data + sizeof(double), sums.data + 2 * sizeof(double)))
          fail("energy written");
      }
      workspace_end(&work);
      for (d = 0; d < 3; d++) {
        if (!guard_intact(&taps[d])) fail("memory around the taps was written");
        guard_free(&taps[d]);
      }
      guard_free(&in.g);
      guard_free(&out.g);
      guard_free(&sums);
      if (p->flags) {
        guard_free(&potential.g);
        guard_free(&density.g);
      }
      end_case();
    }
  suite.operation = operation;
}

static int any_boundary(uint64_t *rng) { return (int)random_below(rng, 4); }

/* A filter that fits the axis, of one of the kinds that users have, or none has. */
static void any_taps(problem *p, int axis, uint64_t *rng) {
  int ntaps, lo, boundary = any_boundary(rng);
  switch (random_below(rng, 4)) {
    case 0: ntaps = 16; break;
    case 1: ntaps = random_int(rng, 1, 64); break;
    default: ntaps = random_int(rng, 1, 12); break;
  }
  switch (random_below(rng, 8)) {
    case 0: lo = random_int(rng, -1024, 1024 - ntaps + 1); break; /* far off */
    case 1: lo = random_int(rng, 1, 20); break;                   /* ahead only */
    case 2: lo = -ntaps - random_int(rng, 0, 20); break;          /* behind only */
    case 3: lo = 0; break;
    case 4: lo = -ntaps + 1; break;
    default: lo = -ntaps / 2 + random_int(rng, -2, 2); break;
  }
  if (boundary == CONVK_BOUNDARY_SHRINK && p->n[axis] < (size_t)ntaps) boundary = CONVK_BOUNDARY_GROW;
  problem_filter(p, axis, lo, ntaps, boundary, rng);
}

/* ---------------------------------------------------------------------------------------------------- sizes and shapes -- */

static const size_t edge_sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 13, 15, 16, 17, 31, 37, 61};
static const size_t long_rows[] = {127, 128, 129, 241, 256, 257, 271, 300}; /* devices have tiles of 128 and 256 points */

static void one_shape(int type, int magic, size_t nx, size_t ny, size_t nz, uint64_t *rng) {
  problem p;
  execution way = any_execution(rng);
  problem_start(&p, type, nx, ny, nz);
  if (magic >= 0) {
    int b[3], d;
    for (d = 0; d < 3; d++) {
      b[d] = any_boundary(rng);
      if (b[d] == CONVK_BOUNDARY_SHRINK && p.n[d] < 16) b[d] = CONVK_BOUNDARY_PERIODIC;
    }
    problem_magic(&p, magic, b[0], b[1], b[2]);
  } else {
    int d;
    for (d = 0; d < 3; d++) any_taps(&p, d, rng);
  }
  problem_finish(&p, DATA_UNIFORM, rng);
  run_problem(&p, random_below(rng, 2) ? &plain : &way, 1, random64(rng));
  problem_free(&p);
}

static void shapes(int type, int which) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)which;
  size_t i;
  for (i = 0; i < COUNT_OF(edge_sizes); i++) {
    const size_t n = edge_sizes[i];
    const int magic = which ? (int)(i & 1) : -1;
    one_shape(type, magic, n, 3, 2, &rng);
    one_shape(type, magic, 3, n, 2, &rng);
    one_shape(type, magic, 2, 3, n, &rng);
    if (n <= (suite.quick ? 9u : 37u)) one_shape(type, magic, n, n, n, &rng);
    if (n > 1 && n <= (suite.quick ? 9u : 37u)) one_shape(type, magic, n + 16, n, n - 1, &rng);
  }
  for (i = 0; i < COUNT_OF(long_rows); i++) one_shape(type, which ? (int)(i & 1) : -1, long_rows[i], 1 + 17 * (i % 4), 2, &rng);
  if (suite.quick) {
    one_shape(type, which - 1, 67, 19, 21, &rng);
    return;
  }
  for (i = 0; i < 2; i++) {
    const int magic = which ? (int)i : -1;
    one_shape(type, magic, 130, 41, 37, &rng);
    one_shape(type, magic, 300, 3, 5, &rng);
    one_shape(type, magic, 5, 300, 3, &rng);
    one_shape(type, magic, 3, 5, 300, &rng);
    one_shape(type, magic, 1, 1, 700, &rng);
    one_shape(type, magic, 1, 700, 1, &rng);
    one_shape(type, magic, 2100, 1, 2, &rng);
  }
}

static void sepconv_shapes(int type) { shapes(type, 0); }
static void magic_shapes(int type) { shapes(type, 1); }

/* Anything at once: sizes, filters, boundaries, layouts, epilogues, tuning, threads, work. */
static void sepconv_random(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int count = suite.quick ? 40 : 500 / ONE_OF(1, 3), c, d;
  for (c = 0; c < count; c++) {
    problem p;
    execution ways[2];
    const size_t top = random_below(&rng, 4) ? 12 : 40;
    problem_start(&p, type, 1 + random_below(&rng, top), 1 + random_below(&rng, top), 1 + random_below(&rng, top));
    for (d = 0; d < 3; d++) any_taps(&p, d, &rng);
    if (!random_below(&rng, 2)) {
      p.flags = (unsigned)random_below(&rng, 64);
      if (p.flags & ENERGY) p.flags |= POTENTIAL;
      if (p.flags & NO_OUT) p.flags &= ~(unsigned)UPDATE;
    }
    problem_finish(&p, random_below(&rng, 8) ? DATA_UNIFORM : DATA_WILD, &rng);
    ways[0] = any_execution(&rng);
    ways[1] = any_execution(&rng);
    run_problem(&p, ways, c % 4 ? 1 : 2, random64(&rng));
    problem_free(&p);
  }
}

/* All four boundaries on all axes, and every number of taps. */
static void sepconv_taps(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int ntaps, b;
  for (ntaps = 1; ntaps <= 64; ntaps += suite.quick ? 9 : 1)
    for (b = 0; b < 4; b++) {
      problem p;
      const size_t n = b == CONVK_BOUNDARY_SHRINK ? (size_t)ntaps + random_below(&rng, 3) : 1 + random_below(&rng, 20);
      int axis = random_int(&rng, 0, 2), d;
      problem_start(&p, type, 3, 2, 2);
      p.n[axis] = n;
      for (d = 0; d < 3; d++) any_taps(&p, d, &rng);
      problem_filter(&p, axis, random_int(&rng, -ntaps, 1), ntaps, b, &rng);
      problem_finish(&p, DATA_UNIFORM, &rng);
      run_problem(&p, &plain, 1, random64(&rng));
      problem_free(&p);
    }
  /* the furthest that a filter may lie, either way */
  for (b = 0; b < 4; b++)
    for (ntaps = 1; ntaps <= 64; ntaps += 63) {
      int side;
      for (side = 0; side < 2; side++) {
        problem p;
        int d;
        problem_start(&p, type, 70, 66, 65);
        for (d = 0; d < 3; d++) problem_filter(&p, d, 0, 1, b, &rng);
        for (d = 0; d < 3; d++)
          problem_filter(&p, d, side ? 1024 - ntaps + 1 : -1024, d == (b + side) % 3 ? ntaps : 1, b, &rng);
        for (d = 0; d < 3; d++) p.n[d] = d == (b + side) % 3 ? p.n[d] : 3;
        if (side)
          for (d = 0; d < 3; d++) {
            p.lo[d] = 1024 - (p.up[d] - p.lo[d]);
            p.up[d] = 1024;
          }
        problem_finish(&p, DATA_UNIFORM, &rng);
        run_problem(&p, &plain, 1, random64(&rng));
        problem_free(&p);
      }
    }
  /* far filters that still reach a long axis through zeros */
  for (b = 0; b < (suite.quick ? 2 : 6); b++) {
    problem p;
    int d, axis = b % 3;
    problem_start(&p, type, 3, 2, 2);
    p.n[axis] = 1100;
    for (d = 0; d < 3; d++) problem_filter(&p, d, 0, 2, CONVK_BOUNDARY_PERIODIC, &rng);
    problem_filter(&p, axis, b < 3 ? -1020 : 990, 20, CONVK_BOUNDARY_ZERO, &rng);
    problem_finish(&p, DATA_UNIFORM, &rng);
    run_problem(&p, &plain, 1, random64(&rng));
    problem_free(&p);
  }
}

/* The magic filter with all 64 mixtures of boundaries, both ways. */
static void magic_boundaries(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int mix, direction;
  for (mix = 0; mix < 64; mix += suite.quick ? 7 : 1)
    for (direction = 0; direction < 2; direction++) {
      problem p;
      execution way = any_execution(&rng);
      problem_start(&p, type, 16 + random_below(&rng, 24), 16 + random_below(&rng, 9), 16 + random_below(&rng, 9));
      problem_magic(&p, direction, mix % 4, mix / 4 % 4, mix / 16);
      problem_finish(&p, DATA_UNIFORM, &rng);
      run_problem(&p, &way, 1, random64(&rng));
      problem_free(&p);
    }
}

/* The long double reference itself, against the triple sum. */
static void reference_itself(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c, d;
  size_t i;
  for (c = 0; c < 20; c++) {
    problem p;
    const long double *taps[3];
    long double *x;
    problem_start(&p, type, 1 + random_below(&rng, 7), 1 + random_below(&rng, 6), 1 + random_below(&rng, 5));
    for (d = 0; d < 3; d++) {
      const int ntaps = random_int(&rng, 1, 5);
      problem_filter(&p, d, random_int(&rng, -6, 3), ntaps, p.n[d] < (size_t)ntaps ? CONVK_BOUNDARY_GROW : c % 4, &rng);
      taps[d] = p.exact[d];
    }
    problem_finish(&p, DATA_UNIFORM, &rng);
    x = widened(p.x, p.in_count);
    begin_case();
    for (i = 0; i < p.out_count; i++) {
      size_t at[3];
      long double error;
      at[0] = i % p.m[0];
      at[1] = i / p.m[0] % p.m[1];
      at[2] = i / p.m[0] / p.m[1];
      error = ref_point(x, p.n, p.lo, p.up, p.boundary, taps, at) - p.ref[i];
      if (!(fabsl(error) <= (long double)(1e-17 * slack() * slack() * slack() * 100)))
        fail("point %lu: %Lg", (unsigned long)i, error);
    }
    end_case();
    free(x);
    problem_free(&p);
  }
}

/* ----------------------------------------------------------------------------------------------- cuts, threads, tuning -- */

static void sepconv_cuts(int type) {
  static const size_t rows[] = {0, 1, 3, 8, 9, 1000};
  static const struct {
    size_t n[3];
    int magic;
    unsigned flags;
    int boundary[3];
  } list[] = {
      {{21, 30, 19}, CONVK_FORWARD, 0, {0, 0, 0}},
      {{17, 25, 16}, CONVK_INVERSE, POTENTIAL | ENERGY | DOT | DENSITY, {0, 3, 0}},
      {{5, 3, 101}, CONVK_FORWARD, 0, {0, 0, 0}}, /* few rows and many planes: cut in z */
      {{4, 9, 83}, CONVK_INVERSE, DOT | UPDATE, {3, 0, 3}},
      {{6, 2, 70}, CONVK_FORWARD, ENERGY | POTENTIAL, {1, 1, 1}},
      {{20, 18, 90}, CONVK_INVERSE, 0, {2, 2, 2}},
      {{3, 40, 3}, -1, DOT | DENSITY, {0, 0, 0}},
      {{33, 1, 64}, -1, 0, {0, 0, 0}},
      {{32, 21, 18}, CONVK_FORWARD, 0, {0, 0, 0}}, /* rows of whole cache lines */
      {{48, 11, 17}, CONVK_INVERSE, 0, {0, 3, 0}},
  };
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c, i;
  for (c = 0; c < COUNT_OF(list); c++) {
    execution ways[160];
    size_t count = 0;
    problem p;
    int threads, hooks, d;
    problem_start(&p, type, list[c].n[0], list[c].n[1], list[c].n[2]);
    p.flags = list[c].flags;
    if (list[c].magic >= 0) problem_magic(&p, list[c].magic, list[c].boundary[0], list[c].boundary[1], list[c].boundary[2]);
    else
      for (d = 0; d < 3; d++)
        problem_filter(&p, d, random_int(&rng, -12, 4), random_int(&rng, 5, 20),
                       d == 2 ? CONVK_BOUNDARY_PERIODIC : CONVK_BOUNDARY_ZERO, &rng);
    problem_finish(&p, DATA_UNIFORM, &rng);
    for (i = 0; i < COUNT_OF(rows); i++)
      for (threads = 1; threads <= 5; threads++)
        for (hooks = HOOK_REVERSED; hooks <= HOOK_THREADS; hooks++) {
          execution *e = &ways[count];
          if (threads == 1 && hooks > HOOK_REVERSED) continue;
          if (random_below(&rng, ONE_OF(12, 3))) continue;
          memset(e, 0, sizeof *e);
          e->rows = rows[i];
          e->threads = threads;
          e->hook = hooks;
          e->nontemporal = (int)(count % 3) - 1;
          e->work = (int)(count % WORK_KINDS);
          count++;
        }
    for (i = 0; i < 3; i++, count++) { /* and without tuning */
      memset(&ways[count], 0, sizeof ways[count]);
      ways[count].nontemporal = (int)i - 1;
    }
    run_problem(&p, ways, count, random64(&rng));
    problem_free(&p);
  }
}

/* The hook is really used, and gets more than one task where there is work for more than one thread; small calls stay where
   they are. */
static void sepconv_hook(int type) {
  static const size_t shapes_[][3] = {{32, 64, 32}, {16, 3, 2048}, {8, 8, 8}, {8, 64, 8}};
  const type_calls *calls = &sepconv_types[type];
  size_t i, s;
  variant *v;
  for (s = 0; s < COUNT_OF(shapes_); s++)
    for (i = 0; (v = next_variant(&i, 0)) != NULL;) {
      const size_t n = shapes_[s][0] * shapes_[s][1] * shapes_[s][2];
      convk_grid3 g = {0, 0, 0, 0, 0};
      const int boundary[3] = {0, 0, 0};
      execution e = plain;
      hook k = hook_new(HOOK_REVERSED, 4, 1);
      convk copy, *hw;
      void *in, *out;
      if (v->device) continue;
      g.nx = shapes_[s][0];
      g.ny = shapes_[s][1];
      g.nz = shapes_[s][2];
      in = calloc(n, calls->size);
      out = calloc(n, calls->size);
      if (!in || !out) exit(2);
      e.hook = HOOK_REVERSED;
      e.threads = 4;
      hw = handle_for(v, &copy, &e, &k);
      describe("%lux%lux%lu on 4 threads", (unsigned long)g.nx, (unsigned long)g.ny, (unsigned long)g.nz);
      begin_case();
      if (calls->magicfilter3d(hw, &g, &g, 0, boundary, NULL, in, out, NULL, 0)) fail("status");
      if (s < 2 ? k.calls < 1 || k.most < 2 : k.calls > 0)
        fail("hook called %lu times, most tasks %lu", (unsigned long)k.calls, (unsigned long)k.most);
      end_case();
      free(in);
      free(out);
    }
}

/* One handle and copies of it in several threads at once. */
typedef struct user {
  const type_calls *calls;
  convk *hw;
  const problem *p;
  const double *want;
  int wrong;
} user;

static void *use_handle(void *arg) {
  user *u = (user *)arg;
  const problem *p = u->p;
  const size_t size = u->calls->size;
  convk_grid3 gi = {0, 0, 0, 0, 0}, go = {0, 0, 0, 0, 0};
  char *in = (char *)need(p->in_count * size), *out = (char *)need(p->out_count * size);
  size_t i;
  int turn;
  gi.nx = p->n[0];
  gi.ny = p->n[1];
  gi.nz = p->n[2];
  go.nx = p->m[0];
  go.ny = p->m[1];
  go.nz = p->m[2];
  for (i = 0; i < p->in_count; i++) put(p->type, in, i, p->x[i]);
  for (turn = 0; turn < 10; turn++) {
    memset(out, FILL_, p->out_count * size);
    if (u->calls->magicfilter3d(u->hw, &gi, &go, p->magic, p->boundary, NULL, in, out, NULL, 0)) u->wrong++;
    for (i = 0; i < p->out_count; i++)
      if (!same(get(p->type, out, i), u->want[i])) u->wrong++;
  }
  free(in);
  free(out);
  return NULL;
}

static void sepconv_concurrent(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  problem p;
  size_t i = 0, t;
  variant *v;
  problem_start(&p, type, 20, 17, 18);
  problem_magic(&p, CONVK_FORWARD, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_ZERO);
  problem_finish(&p, DATA_UNIFORM, &rng);
  while ((v = next_variant(&i, 0)) != NULL) {
    user users[3];
    convk copy = v->hw;
    if (v->device) continue;
    problem_describe(&p);
    describe_more("; one handle and a copy in three threads");
    begin_case();
    for (t = 0; t < 3; t++) {
      users[t].calls = &sepconv_types[type];
      users[t].hw = t == 2 ? &copy : &v->hw;
      users[t].p = &p;
      users[t].want = problem_expect(&p, v->fused)->r;
      users[t].wrong = 0;
    }
    side_by_side(use_handle, users, 3, sizeof users[0]);
    for (t = 0; t < 3; t++)
      if (users[t].wrong) fail("thread %lu: %d wrong", (unsigned long)t, users[t].wrong);
    end_case();
  }
  problem_free(&p);
}

/* ------------------------------------------------------------------------------------------------------------ epilogues -- */

static void sepconv_epilogues(int type) {
  static const size_t sizes[][3] = {{17, 5, 3}, {16, 3, 2}, {1, 1, 1}, {33, 2, 4}, {7, 9, 11}, {50, 4, 1}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  unsigned flags;
  for (flags = 1; flags < 64; flags++) {
    problem p;
    execution ways[2];
    const size_t *n = sizes[flags % COUNT_OF(sizes)];
    const unsigned outputs = flags & (DENSITY | DOT | ENERGY);
    int d;
    if ((flags & ENERGY) && !(flags & POTENTIAL)) continue;
    if ((flags & NO_OUT) && ((flags & UPDATE) || !outputs)) continue;
    problem_start(&p, type, n[0], n[1], n[2]);
    p.flags = flags;
    if (flags % 3 == 0)
      problem_magic(&p, flags & 1 ? CONVK_INVERSE : CONVK_FORWARD, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_ZERO,
                    CONVK_BOUNDARY_PERIODIC);
    else
      for (d = 0; d < 3; d++)
        problem_filter(&p, d, random_int(&rng, -6, 2), random_int(&rng, 1, 16),
                       !(flags & DOT) && d == 1 ? CONVK_BOUNDARY_GROW : CONVK_BOUNDARY_PERIODIC, &rng);
    problem_finish(&p, DATA_UNIFORM, &rng);
    ways[0] = plain;
    ways[1] = any_execution(&rng);
    run_problem(&p, ways, 2, random64(&rng));
    problem_free(&p);
  }
  { /* an epilogue that asks for nothing */
    problem p;
    problem_start(&p, type, 18, 5, 6);
    problem_magic(&p, CONVK_FORWARD, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW);
    p.flags = 64;
    problem_finish(&p, DATA_UNIFORM, &rng);
    run_problem(&p, &plain, 1, random64(&rng));
    problem_free(&p);
  }
}

/* ------------------------------------------------------------------------------------------------- NaN, Inf, extremes -- */

static void sepconv_special(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c, d, count = suite.quick ? 10 : 60;
  for (c = 0; c < count; c++) {
    problem p;
    execution way = any_execution(&rng);
    problem_start(&p, type, 1 + random_below(&rng, 40), 1 + random_below(&rng, 20), 1 + random_below(&rng, 20));
    if (c % 2) problem_magic(&p, c / 2 % 2, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_GROW);
    else
      for (d = 0; d < 3; d++)
        problem_filter(&p, d, random_int(&rng, -3, 1), random_int(&rng, 1, 3),
                       p.n[d] > 3 ? any_boundary(&rng) : CONVK_BOUNDARY_ZERO, &rng);
    problem_finish(&p, DATA_SPECIAL, &rng);
    run_problem(&p, &way, 1, random64(&rng));
    problem_free(&p);
  }
}

/* One NaN or infinity reaches just the points whose sums contain it. */
static void sepconv_reach(int type) {
  static const double poison[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  const type_calls *calls = &sepconv_types[type];
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c, i, j;
  variant *v;
  for (c = 0; c < (suite.quick ? 4u : 24u); c++) {
    problem p;
    size_t at[3], where;
    int d;
    problem_start(&p, type, 33 + c, 20 + c % 5, 18 + c % 7);
    problem_magic(&p, (int)(c & 1), any_boundary(&rng), any_boundary(&rng), any_boundary(&rng));
    problem_finish(&p, DATA_UNIFORM, &rng);
    for (d = 0; d < 3; d++) at[d] = random_below(&rng, p.n[d]);
    where = (at[2] * p.n[1] + at[1]) * p.n[0] + at[0];
    describe_more("; %g at %lu,%lu,%lu", poison[c % 3], (unsigned long)at[0], (unsigned long)at[1], (unsigned long)at[2]);
    for (i = 0; (v = next_variant(&i, p.out_count * 48)) != NULL;) {
      char *in = (char *)need(p.in_count * calls->size), *out = (char *)need(p.out_count * calls->size);
      convk_grid3 gi = {0, 0, 0, 0, 0}, go = {0, 0, 0, 0, 0};
      gi.nx = p.n[0];
      gi.ny = p.n[1];
      gi.nz = p.n[2];
      go.nx = p.m[0];
      go.ny = p.m[1];
      go.nz = p.m[2];
      for (j = 0; j < p.in_count; j++) put(type, in, j, j == where ? poison[c % 3] : p.x[j]);
      begin_case();
      if (calls->magicfilter3d(&v->hw, &gi, &go, p.magic, p.boundary, NULL, in, out, NULL, 0)) fail("status");
      for (j = 0; j < p.out_count; j++) {
        size_t k[3];
        int reached = 1;
        double got = get(type, out, j);
        k[0] = j % p.m[0];
        k[1] = j / p.m[0] % p.m[1];
        k[2] = j / p.m[0] / p.m[1];
        for (d = 0; d < 3; d++) {
          const long y = (long)k[d] + ref_first(p.lo[d], p.up[d], p.boundary[d]);
          int l, hit = 0;
          for (l = p.lo[d]; l <= p.up[d]; l++)
            if (ref_source(y + l, p.n[d], p.boundary[d]) == (long)at[d]) hit = 1;
          reached &= hit;
        }
        if (reached == (got - got == 0))
          fail("%lu,%lu,%lu is %g", (unsigned long)k[0], (unsigned long)k[1], (unsigned long)k[2], got);
      }
      end_case();
      free(in);
      free(out);
    }
    problem_free(&p);
  }
}

/* --------------------------------------------------------------------------------------------------------- identities -- */

static double *packed_magic(variant *v, int type, int direction, const size_t n[3], const int boundary[3], const double *x) {
  const type_calls *calls = &sepconv_types[type];
  convk_grid3 gi = {0, 0, 0, 0, 0}, go = {0, 0, 0, 0, 0};
  size_t i, m[3], count = n[0] * n[1] * n[2], out_count = 1;
  char *in = (char *)need(count * calls->size), *out;
  double *y;
  int d, lo, up, status;
  long double taps[16];
  ref_magic_taps(direction == CONVK_INVERSE, taps, &lo, &up);
  for (d = 0; d < 3; d++) {
    m[d] = ref_points(n[d], lo, up, boundary[d]);
    out_count *= m[d];
  }
  gi.nx = n[0];
  gi.ny = n[1];
  gi.nz = n[2];
  go.nx = m[0];
  go.ny = m[1];
  go.nz = m[2];
  out = (char *)need(out_count * calls->size);
  memset(out, FILL_, out_count * calls->size);
  y = reals(out_count);
  for (i = 0; i < count; i++) put(type, in, i, x[i]);
  status = calls->magicfilter3d(&v->hw, &gi, &go, direction, boundary, NULL, in, out, NULL, 0);
  want_status(status, CONVK_OK);
  for (i = 0; i < out_count; i++) y[i] = get(type, out, i);
  free(in);
  free(out);
  return y;
}

/* The taps and their sums. */
static void magic_taps(int type) {
  const type_calls *calls = &sepconv_types[type];
  int direction, t;
  for (direction = 0; direction < 2; direction++) {
    const any_filter f = calls->taps(direction);
    long double taps[16], sum = 0, size = 0, square = 0, moment[16];
    int lo, up, m;
    memset(moment, 0, sizeof moment);
    ref_magic_taps(direction, taps, &lo, &up);
    describe("taps of direction %d", direction);
    begin_case();
    if (f.lo != lo || f.up != up) fail("range %d..%d", f.lo, f.up);
    for (t = 0; t < 16; t++) {
      const double got = get(type, f.taps, (size_t)t), want = type ? (double)taps[t] : (double)(float)taps[t];
      if (!same(got, want)) fail("tap %d is %a, not %a", t + lo, got, want);
      sum += got;
      size += fabs(got);
      square += (long double)got * got;
    }
    if (fabsl(sum - 1) > 16 * calls->unit) fail("sum of taps %.17Lg", sum);
    if (fabsl(size - 1.18949575619620L) > 1e-13L + 16 * calls->unit) fail("sum of sizes %.17Lg", size);
    if (fabsl(square - 0.99681931858324L) > 1e-13L + 16 * calls->unit) fail("sum of squares %.17Lg", square);
    end_case();
    /* the table in these tests */
    describe("reference taps of direction %d", direction);
    begin_case();
    for (m = 0, sum = 0; m < 16; m++) sum += taps[m];
    if (fabsl(sum - 1) > 1e-18L * slack() * 200) fail("sum %Lg", sum - 1);
    end_case();
  }
}

/* Where one tap goes: the orientation of the filter on each axis, without any arithmetic. */
static void magic_impulse(int type) {
  size_t i = 0;
  variant *v;
  int axis, direction, d;
  while ((v = next_variant(&i, 0)) != NULL)
    for (axis = 0; axis < 3; axis++)
      for (direction = 0; direction < 2; direction++) {
        const type_calls *calls = &sepconv_types[type];
        const size_t n = 40, at = 20;
        convk_grid3 g = {1, 1, 1, 0, 0};
        const int boundary[3] = {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC};
        any_filter f[3];
        double x[40], one = 1, y[40];
        float xf[40], onef = 1, yf[40];
        int lo, up;
        long double taps[16];
        ref_magic_taps(direction, taps, &lo, &up);
        for (d = 0; d < 40; d++) {
          x[d] = d == (int)at ? 1 : 0;
          xf[d] = (float)x[d];
        }
        for (d = 0; d < 3; d++) {
          f[d].lo = f[d].up = 0;
          f[d].taps = type ? (const void *)&one : (const void *)&onef;
        }
        f[axis] = calls->taps(direction);
        *(axis == 0 ? &g.nx : axis == 1 ? &g.ny : &g.nz) = n;
        describe("impulse on axis %d, direction %d", axis, direction);
        begin_case();
        if (calls->sepconv3d(&v->hw, &g, &g, f, boundary, NULL, type ? (const void *)x : (const void *)xf,
                             type ? (void *)y : (void *)yf, NULL, 0))
          fail("status");
        for (d = 0; d < 40; d++) { /* y[i] has x[i + l] times tap l, so that l = at - i */
          const int l = (int)at - d;
          const long double want = l >= lo && l <= up ? taps[l - lo] : 0;
          const double got = type ? y[d] : (double)yf[d];
          if (got != (type ? (double)want : (double)(float)want)) fail("point %d is %g, not %Lg", d, got, want);
        }
        end_case();
      }
}

/* IMF(MF(p)) = p for polynomials up to degree 15, in Chebyshev form so that values stay small. */
static void magic_polynomials(int type) {
  const type_calls *calls = &sepconv_types[type];
  const int boundary[3] = {CONVK_BOUNDARY_SHRINK, CONVK_BOUNDARY_SHRINK, CONVK_BOUNDARY_SHRINK};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c, d;
  for (c = 0; c < (suite.quick ? 4 : 20); c++) {
    size_t n[3], mid[3], m[3], i, count, variant_number = 0;
    int degree[3];
    double *x;
    long double *exact;
    variant *v;
    for (d = 0; d < 3; d++) {
      n[d] = 31 + random_below(&rng, 6);
      mid[d] = n[d] - 15;
      m[d] = n[d] - 30;
      degree[d] = c < 16 && d == c % 3 ? c : random_int(&rng, 0, 15);
    }
    if (c == 19) degree[0] = degree[1] = degree[2] = 15;
    count = n[0] * n[1] * n[2];
    x = reals(count);
    exact = (long double *)need(count * sizeof *exact);
    for (i = 0; i < count; i++) {
      size_t at[3];
      exact[i] = 1;
      at[0] = i % n[0];
      at[1] = i / n[0] % n[1];
      at[2] = i / n[0] / n[1];
      for (d = 0; d < 3; d++) {
        const long double t = 2 * (long double)at[d] / (long double)(n[d] - 1) - 1;
        long double before = 1, now = t, next;
        int k;
        for (k = 1; k < degree[d]; k++) {
          next = 2 * t * now - before;
          before = now;
          now = next;
        }
        exact[i] *= degree[d] ? now : 1;
      }
      x[i] = (double)exact[i];
    }
    rounded(type, x, count);
    describe("polynomial of degrees %d,%d,%d on %lux%lux%lu", degree[0], degree[1], degree[2], (unsigned long)n[0],
             (unsigned long)n[1], (unsigned long)n[2]);
    while ((v = next_variant(&variant_number, count * 96)) != NULL) {
      /* both filters, the rounding of the input, and what the sum of sizes makes of it */
      const double bound = slack() * (2 * calls->limit * 1.7 + 3 * calls->unit * 2.9);
      double *values, *back;
      begin_case();
      values = packed_magic(v, type, CONVK_FORWARD, n, boundary, x);
      back = packed_magic(v, type, CONVK_INVERSE, mid, boundary, values);
      for (i = 0; i < m[0] * m[1] * m[2]; i++) {
        const size_t from = ((i / m[0] / m[1] + 15) * n[1] + i / m[0] % m[1] + 15) * n[0] + i % m[0] + 15;
        const long double error = (long double)back[i] - exact[from];
        if (!(fabsl(error) <= bound)) fail("point %lu: %Lg, bound %g", (unsigned long)i, error, bound);
      }
      end_case();
      free(values);
      free(back);
    }
    free(x);
    free(exact);
  }
}

/* <MF x, y> = <x, IMF y>, also between different boundaries: the transpose of growing is shrinking. */
static void magic_adjoint(int type) {
  static const int there[][3] = {{0, 0, 0}, {3, 3, 3}, {1, 1, 1}, {0, 1, 3}, {2, 2, 2}, {1, 0, 2}, {3, 2, 0}};
  const type_calls *calls = &sepconv_types[type];
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c, i;
  for (c = 0; c < COUNT_OF(there); c++) {
    size_t n[3], m[3], in_count = 1, out_count = 1, number = 0;
    int back[3], d;
    double *x, *y;
    variant *v;
    for (d = 0; d < 3; d++) {
      n[d] = 17 + random_below(&rng, 12);
      m[d] = ref_points(n[d], -8, 7, there[c][d]);
      in_count *= n[d];
      out_count *= m[d];
      back[d] = there[c][d] == CONVK_BOUNDARY_GROW     ? CONVK_BOUNDARY_SHRINK
                : there[c][d] == CONVK_BOUNDARY_SHRINK ? CONVK_BOUNDARY_GROW
                                                       : there[c][d];
    }
    x = drawn(type, DATA_UNIFORM, in_count, &rng);
    y = drawn(type, DATA_UNIFORM, out_count, &rng);
    describe("%lux%lux%lu with %c%c%c", (unsigned long)n[0], (unsigned long)n[1], (unsigned long)n[2],
             boundary_letters[there[c][0]], boundary_letters[there[c][1]], boundary_letters[there[c][2]]);
    while ((v = next_variant(&number, in_count * 96)) != NULL) {
      double *fx, *gy;
      long double left = 0, right = 0, bound = 0;
      begin_case();
      fx = packed_magic(v, type, CONVK_FORWARD, n, there[c], x);
      gy = packed_magic(v, type, CONVK_INVERSE, m, back, y);
      for (i = 0; i < out_count; i++) {
        left += (long double)fx[i] * y[i];
        bound += fabs(y[i]);
      }
      for (i = 0; i < in_count; i++) {
        right += (long double)gy[i] * x[i];
        bound += fabs(x[i]);
      }
      /* errors are independent: a hundredth of the worst case is still far above their sum */
      bound *= (long double)(calls->limit / 100 * slack());
      if (!(fabsl(left - right) <= bound)) fail("%.17Lg and %.17Lg, bound %Lg", left, right, bound);
      end_case();
      free(fx);
      free(gy);
    }
    free(x);
    free(y);
  }
}

/* Plane waves: the response at pi, and the defect |w|^2 - 1 of a round trip, on each axis. */
static void magic_waves(int type) {
  static const struct {
    size_t cycles; /* of 32 points */
    double defect, tolerance;
  } list[] = {{0, 0, 1e-15},           {1, -1.8e-19, 1e-15},  {2, -1.1e-14, 1.1e-15},
              {4, -5.4e-10, 0.06e-10}, {8, -1.4e-5, 0.06e-5}, {16, -1.95e-2, 0.006e-2}};
  const type_calls *calls = &sepconv_types[type];
  const int boundary[3] = {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC};
  size_t c;
  int axis;
  for (c = 0; c < COUNT_OF(list); c++)
    for (axis = 0; axis < 3; axis++) {
      size_t n[3] = {3, 2, 2}, count, i, number = 0;
      const long double theta = 2 * 3.14159265358979323846264338327950288L * (long double)list[c].cycles / 32;
      long double re = 0, im = 0, response;
      const double rounding = slack() * calls->unit * 24;
      double *x;
      variant *v;
      int l;
      n[axis] = 32;
      count = n[0] * n[1] * n[2];
      x = reals(count);
      for (l = -8; l <= 7; l++) {
        re += ref_magic[l + 8] * cosl(theta * l);
        im += ref_magic[l + 8] * sinl(theta * l);
      }
      response = re * re + im * im;
      describe("wave of %lu cycles on axis %d", (unsigned long)list[c].cycles, axis);
      begin_case();
      if (fabsl(response - 1 - list[c].defect) > list[c].tolerance) fail("defect of the reference %Lg", response - 1);
      if (list[c].cycles == 16 && fabsl(sqrtl(response) - 0.990184203643L) > 1e-12L) fail("response %.17Lg", sqrtl(response));
      end_case();
      for (i = 0; i < count; i++) {
        const size_t at = axis == 0 ? i % n[0] : axis == 1 ? i / n[0] % n[1] : i / n[0] / n[1];
        x[i] = (double)cosl(theta * (long double)at);
      }
      rounded(type, x, count);
      while ((v = next_variant(&number, count * 96)) != NULL) {
        double *values, *back;
        long double amplitude = 0, norm = 0, cosine = 0, sine = 0;
        begin_case();
        values = packed_magic(v, type, CONVK_FORWARD, n, boundary, x);
        back = packed_magic(v, type, CONVK_INVERSE, n, boundary, values);
        for (i = 0; i < count; i++) {
          const size_t at = axis == 0 ? i % n[0] : axis == 1 ? i / n[0] % n[1] : i / n[0] / n[1];
          const long double wave = cosl(theta * (long double)at);
          amplitude += wave * back[i];
          norm += wave * wave;
          cosine += wave * values[i];
          sine += sinl(theta * (long double)at) * values[i];
          if (fabsl((long double)back[i] - response * wave) > slack() * (2 * 1.7 * calls->limit))
            fail("point %lu", (unsigned long)i);
        }
        if (fabsl(amplitude / norm - response) > rounding) fail("defect %Lg, not %Lg", amplitude / norm - 1, response - 1);
        if (fabsl((cosine * cosine + sine * sine) / (norm * norm) - response) > 2 * rounding)
          fail("response %.12Lg", sqrtl(cosine * cosine + sine * sine) / norm);
        end_case();
        free(values);
        free(back);
      }
      free(x);
    }
}

/* F(x + y) = F(x) + F(y) within rounding, F(2 x) = 2 F(x) and shifts on a torus to the bit. */
static void magic_linear(int type) {
  const type_calls *calls = &sepconv_types[type];
  const int boundary[3] = {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c;
  for (c = 0; c < (suite.quick ? 2 : 8); c++) {
    size_t n[3], count, i, shift[3], number = 0;
    double *x, *y, *sum, *twice, *moved;
    variant *v;
    int d;
    for (d = 0; d < 3; d++) {
      n[d] = 3 + random_below(&rng, 25);
      shift[d] = random_below(&rng, n[d]);
    }
    count = n[0] * n[1] * n[2];
    x = drawn(type, DATA_UNIFORM, count, &rng);
    y = drawn(type, DATA_UNIFORM, count, &rng);
    sum = reals(count);
    twice = reals(count);
    moved = reals(count);
    for (i = 0; i < count; i++) {
      const size_t to = ((i / n[0] / n[1] + shift[2]) % n[2] * n[1] + (i / n[0] % n[1] + shift[1]) % n[1]) * n[0] +
                        (i % n[0] + shift[0]) % n[0];
      sum[i] = x[i] + y[i];
      twice[i] = 2 * x[i];
      moved[to] = x[i];
    }
    rounded(type, sum, count);
    describe("%lux%lux%lu, shifted by %lu,%lu,%lu", (unsigned long)n[0], (unsigned long)n[1], (unsigned long)n[2],
             (unsigned long)shift[0], (unsigned long)shift[1], (unsigned long)shift[2]);
    while ((v = next_variant(&number, count * 48)) != NULL) {
      double *fx, *fy, *fsum, *ftwice, *fmoved;
      begin_case();
      fx = packed_magic(v, type, c & 1, n, boundary, x);
      fy = packed_magic(v, type, c & 1, n, boundary, y);
      fsum = packed_magic(v, type, c & 1, n, boundary, sum);
      ftwice = packed_magic(v, type, c & 1, n, boundary, twice);
      fmoved = packed_magic(v, type, c & 1, n, boundary, moved);
      for (i = 0; i < count; i++) {
        const size_t to = ((i / n[0] / n[1] + shift[2]) % n[2] * n[1] + (i / n[0] % n[1] + shift[1]) % n[1]) * n[0] +
                          (i % n[0] + shift[0]) % n[0];
        if (!(fabs(fsum[i] - (fx[i] + fy[i])) <= 4 * calls->limit + 4 * calls->unit)) fail("sum at %lu", (unsigned long)i);
        if (!same(ftwice[i], 2 * fx[i])) fail("double at %lu", (unsigned long)i);
        if (!same(fmoved[to], fx[i])) fail("shift at %lu", (unsigned long)i);
      }
      end_case();
      free(fx);
      free(fy);
      free(fsum);
      free(ftwice);
      free(fmoved);
    }
    free(x);
    free(y);
    free(sum);
    free(twice);
    free(moved);
  }
}

/* The variant called by name without a handle, and the pointers in the handle. */
static void magic_by_name(int type) {
  const type_calls *calls = &sepconv_types[type];
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  problem p;
  size_t number = 0, i;
  variant *v;
  problem_start(&p, type, 29, 11, 9);
  problem_magic(&p, CONVK_INVERSE, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_ZERO);
  problem_finish(&p, DATA_UNIFORM, &rng);
  while ((v = next_variant(&number, 0)) != NULL) {
    array in, out;
    int status;
    if (v->device) continue;
    begin_case();
    in = array_for(type, p.n, p.x, &rng);
    out = array_for(type, p.m, NULL, &rng);
    status = calls->by_name(v->name, &in.given, &out.given, p.magic, p.boundary, in.g.data, out.g.data);
    if (want_status(status, CONVK_OK)) array_check(&out, "output", problem_expect(&p, v->fused)->r);
    for (i = 0; i < 3 && !status; i++) { /* without a handle the checks are the same */
      const int wrong[3] = {0, 9, 0};
      if (calls->by_name(v->name, &in.given, &out.given, p.magic, wrong, in.g.data, out.g.data) != CONVK_ERR_BOUNDARY)
        fail("wrong boundary accepted");
      if (calls->by_name(v->name, NULL, &out.given, p.magic, p.boundary, in.g.data, out.g.data) != CONVK_ERR_NULL)
        fail("NULL accepted");
    }
    end_case();
    guard_free(&in.g);
    guard_free(&out.g);
  }
  problem_free(&p);
}

/* Rounding upward, denormals flushed: the caller's choice must survive. */
static void magic_control(int type) {
  const size_t n[3] = {19, 9, 10};
  const int boundary[3] = {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_GROW};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  double *x = drawn(type, DATA_UNIFORM, n[0] * n[1] * n[2], &rng);
  size_t number = 0;
  variant *v;
  describe("control bits of the floating-point unit");
  while ((v = next_variant(&number, 0)) != NULL) {
    control c;
    if (v->device) continue;
    begin_case();
    c = control_begin(UPWARD_AND_FLUSHED);
    free(packed_magic(v, type, 0, n, boundary, x));
    control_end(c);
    end_case();
  }
  free(x);
}

/* ----------------------------------------------------------------------------------------------------- potential_apply -- */

static void potential_case(int type, const size_t n[3], const int boundary[3], int in_place, int with_energy, int data,
                           const execution *ways, size_t count, uint64_t *rng) {
  const type_calls *calls = &sepconv_types[type];
  problem p, q; /* MF, with the potential; IMF */
  int back[3], d;
  size_t w, number = 0, i;
  const uint64_t seed = random64(rng);
  double *result[2] = {NULL, NULL}, largest_v = 0, limit;
  long double *ref = NULL, *middle;
  const long double *taps[3];
  variant *v;
  problem_start(&p, type, n[0], n[1], n[2]);
  problem_magic(&p, CONVK_FORWARD, boundary[0], boundary[1], boundary[2]);
  p.flags = POTENTIAL | ENERGY;
  problem_finish(&p, data, rng);
  describe_more(" %s%s", in_place ? "in place" : "", with_energy ? "" : " no energy");
  for (d = 0; d < 3; d++) back[d] = boundary[d] == CONVK_BOUNDARY_GROW ? CONVK_BOUNDARY_SHRINK : boundary[d];
  problem_start(&q, type, p.m[0], p.m[1], p.m[2]);
  problem_magic(&q, CONVK_INVERSE, back[0], back[1], back[2]);
  for (d = 0; d < 3; d++) taps[d] = q.exact[d];
  for (i = 0; i < p.out_count; i++)
    if (fabs(p.potential[i]) > largest_v) largest_v = fabs(p.potential[i]);
  /* each filter errs by its limit, and passes on what it gets times at most 1.19^3 */
  limit = slack() * p.largest * largest_v * (2 * 1.683 * calls->limit + 2 * calls->unit * 2.84);
  if (p.ref) {
    middle = (long double *)need(p.out_count * sizeof *middle);
    for (i = 0; i < p.out_count; i++) middle[i] = p.ref[i] * p.potential[i];
    ref = ref_separable(middle, p.m, q.lo, q.up, back, taps);
    free(middle);
  }
  {
    const size_t length = strlen(suite.text);
    while ((v = next_variant(&number, p.out_count * 96)) != NULL)
      for (w = 0; w < count; w += v->device && w > 3 ? 8 : 1) {
        uint64_t place = seed + w * 7919u + number;
        const expected *e = problem_expect(&p, v->fused);
        hook k = hook_new(ways[w].hook, ways[w].threads, random64(&place));
        convk copy, *hw = handle_for(v, &copy, &ways[w], &k);
        array psi, out, potential;
        workspace work;
        guard sum = guard_new(sizeof(double), AT_END, 0);
        double *energy = with_energy ? (double *)(void *)sum.data : NULL;
        const long live = heap.live;
        size_t bytes;
        int status;
        if (!result[v->fused]) {
          const double *rounded_taps[3];
          for (d = 0; d < 3; d++) rounded_taps[d] = q.taps[d];
          result[v->fused] = model_separable(calls->model + (v->fused ? MODEL_FUSED : MODEL_MULADD), e->out, p.m, q.lo, q.up,
                                             back, rounded_taps);
        }
        suite.text[length] = '\0';
        begin_case();
        execution_describe(&ways[w]);
        psi = array_for(type, n, p.x, &place);
        potential = array_for(type, p.m, p.potential, &place);
        out = array_new(type, &psi.given, &psi.full, NULL, &place);
        array_describe("psi", &psi);
        array_describe("potential", &potential);
        bytes = 0;
        want_status(calls->potential_work(hw, &psi.given, &potential.given, boundary, &bytes), CONVK_OK);
        if (!bytes && !v->device) fail("work_size is 0");
        work = workspace_new(ways[w].work, bytes, &place);
        status = calls->potential_apply(hw, &psi.given, &potential.given, boundary, potential.g.data, psi.g.data,
                                        in_place ? psi.g.data : out.g.data, energy, work.work, work.size);
        check_status(status, live);
        if (!status) {
          const array *to = in_place ? &psi : &out;
          double worst = 0, square = 0, square_ref = 0, largest = 0;
          array_check(&potential, "potential", p.potential);
          array_check(to, "output", result[v->fused]);
          if (!in_place) array_check(&psi, "psi", p.x);
          if (with_energy && !same(*energy, e->energy)) fail("energy is %.17g, not %.17g", *energy, e->energy);
          if (!with_energy && !all_fill(sum.data, sum.data + sizeof(double))) fail("energy written");
          for (i = 0; ref && i < p.in_count; i++) {
            const double error = (double)fabsl((long double)array_at(to, i) - ref[i]);
            if (!(error <= limit)) fail("output %lu errs by %g, limit %g", (unsigned long)i, error, limit);
            if (error > worst) worst = error;
            square += error * error;
            square_ref += (double)(ref[i] * ref[i]);
            if (fabs((double)ref[i]) > largest) largest = fabs((double)ref[i]);
          }
          if (ref && with_energy) {
            long double sum_ref = 0, bound = 0;
            for (i = 0; i < p.out_count; i++) {
              const long double size = fabsl(p.ref[i]), b = problem_bound(&p, i);
              sum_ref += p.ref[i] * p.ref[i] * p.potential[i];
              bound +=
                  fabs(p.potential[i]) *
                  (b * (2 * size + b) + (2 * calls->unit + 2e-16 * (double)(p.m[0] / 16 + p.m[1] + p.m[2] + 8)) * size * size);
            }
            if (!(fabsl((long double)*energy - sum_ref) <= bound))
              fail("energy errs by %Lg, bound %Lg", (long double)*energy - sum_ref, bound);
          }
          if (ref && largest > 0) {
            const int stated = p.in_count >= 1000;
            const double l2 = stated ? sqrt(square / square_ref) : 0;
            if (l2 > 2 * calls->l2_limit) fail("relative L2 error %g", l2);
            error_note("max|x| max|V|", worst / p.largest / largest_v, limit / p.largest / largest_v,
                       worst / ldexp(2 * calls->unit, ilogb(largest)), l2, 2 * calls->l2_limit, p.in_count);
          }
        }
        workspace_end(&work);
        guard_free(&psi.g);
        guard_free(&out.g);
        guard_free(&potential.g);
        guard_free(&sum);
        end_case();
      }
  }
  for (d = 0; d < 2; d++) free(result[d]);
  free(ref);
  problem_free(&p);
}

static void potential_shapes(int type) {
  static const int allowed[3] = {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_ZERO};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c, count = suite.quick ? 12 : 80;
  for (c = 0; c < count; c++) {
    size_t n[3];
    int boundary[3], d;
    execution ways[2];
    for (d = 0; d < 3; d++) {
      n[d] = c < 45 ? edge_sizes[(c + 4 * (size_t)d) % COUNT_OF(edge_sizes)] : 1 + random_below(&rng, 30);
      if (n[d] > 20 && d != (int)(c % 3)) n[d] %= 17;
      if (!n[d]) n[d] = 1;
      boundary[d] = allowed[c < 27 ? (d == 0 ? c : d == 1 ? c / 3 : c / 9) % 3 : random_below(&rng, 3)];
    }
    ways[0] = plain;
    ways[1] = any_execution(&rng);
    potential_case(type, n, boundary, (int)(c & 1), c % 5 != 0, c % 10 == 9 ? DATA_SPECIAL : DATA_UNIFORM, ways, 2, &rng);
  }
}

static void potential_cuts(int type) {
  static const size_t rows[] = {0, 1, 3, 8, 9, 1000};
  const size_t n[2][3] = {{12, 19, 18}, {4, 3, 60}};
  const int boundary[2][3] = {{0, 1, 3}, {1, 0, 1}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  execution ways[64];
  size_t c, i, count = 0;
  int threads;
  for (i = 0; i < COUNT_OF(rows); i++)
    for (threads = 1; threads <= 5; threads++) {
      execution *e = &ways[count];
      memset(e, 0, sizeof *e);
      e->rows = rows[i];
      e->threads = threads;
      e->hook = threads == 1 ? HOOK_NONE : HOOK_REVERSED + (int)count % 3;
      e->nontemporal = (int)(count % 3) - 1;
      e->work = (int)(count / 2 % WORK_KINDS);
      count++;
    }
  for (c = 0; c < 2; c++) potential_case(type, n[c], boundary[c], (int)c, 1, DATA_UNIFORM, ways, suite.quick ? 8 : count, &rng);
}

/* ---------------------------------------------------------------------------------------------------- conv1d_transpose -- */

static void conv1d_case(int type, size_t n, size_t ndat, int magic, int lo, int ntaps, int boundary, int data,
                        const execution *ways, size_t count, uint64_t *rng) {
  const type_calls *calls = &sepconv_types[type];
  problem p; /* a convolution along x of rows; its output is transposed */
  const uint64_t seed = random64(rng);
  size_t w, number = 0, i, j;
  double *want[2] = {NULL, NULL};
  variant *v;
  int d;
  problem_start(&p, type, n, ndat, 1);
  if (magic >= 0) problem_magic(&p, magic, boundary, 0, 0);
  else problem_filter(&p, 0, lo, ntaps, boundary, rng);
  for (d = 1; d < 3; d++) { /* nothing on the other axes */
    p.lo[d] = p.up[d] = 0;
    p.boundary[d] = CONVK_BOUNDARY_PERIODIC;
    p.taps[d][0] = 1;
    p.exact[d][0] = 1;
  }
  problem_finish(&p, data, rng);
  describe("n %lu ndat %lu taps %d..%d %c", (unsigned long)n, (unsigned long)ndat, p.lo[0], p.up[0],
           boundary_letters[boundary]);
  {
    const size_t length = strlen(suite.text), m = p.m[0];
    while ((v = next_variant(&number, m * ndat * (size_t)(p.up[0] - p.lo[0] + 1))) != NULL)
      for (w = magic < 0 && v->thin && seed % v->thin ? count : 0; w < count; w += v->device && w > 3 ? 8 : 1) {
        uint64_t place = seed + w * 7919u + number;
        hook k = hook_new(ways[w].hook, ways[w].threads, random64(&place));
        convk copy, *hw = handle_for(v, &copy, &ways[w], &k);
        size_t shape_in[3], shape_out[3], bytes;
        array in, out;
        guard taps = taps_on_guard(type, p.taps[0], p.up[0] - p.lo[0] + 1, &place);
        any_filter filter;
        workspace work;
        const long live = heap.live;
        int status;
        if (!want[v->fused]) {
          double *r = reals(p.out_count);
          want[v->fused] = reals(p.out_count);
          model_pass(calls->model + (v->fused ? MODEL_FUSED : MODEL_MULADD), p.x, p.n, 0, p.lo[0], p.up[0], boundary, p.taps[0],
                     r);
          for (j = 0; j < ndat; j++)
            for (i = 0; i < m; i++) want[v->fused][i * ndat + j] = r[j * m + i];
          free(r);
        }
        suite.text[length] = '\0';
        begin_case();
        execution_describe(&ways[w]);
        shape_in[0] = n;
        shape_in[1] = ndat;
        shape_out[0] = ndat;
        shape_out[1] = m;
        shape_in[2] = shape_out[2] = 1;
        in = array_for(type, shape_in, p.x, &place);
        out = array_for(type, shape_out, NULL, &place);
        array_describe("in", &in);
        array_describe("out", &out);
        filter.lo = p.lo[0];
        filter.up = p.up[0];
        filter.taps = taps.data;
        bytes = 0;
        want_status(calls->conv1d_work(hw, n, ndat, in.given.pitch_y, out.given.pitch_y, &filter, boundary, &bytes), CONVK_OK);
        work = workspace_new(ways[w].work, bytes, &place);
        status = calls->conv1d_transpose(hw, n, ndat, in.given.pitch_y, out.given.pitch_y, &filter, boundary, in.g.data,
                                         out.g.data, work.work, work.size);
        check_status(status, live);
        if (!status) {
          double worst = 0, worst_limit = 1, worst_error = 0, largest = 0, square = 0, square_ref = 0;
          array_check(&in, "input", p.x);
          array_check(&out, "output", want[v->fused]);
          for (j = 0; p.ref && j < ndat; j++)
            for (i = 0; i < m; i++) {
              const double ref = (double)p.ref[j * m + i];
              const double error = (double)fabsl((long double)array_at(&out, i * ndat + j) - p.ref[j * m + i]);
              const double bound = (double)problem_bound(&p, j * m + i);
              if (!(error <= bound))
                fail("row %lu point %lu errs by %g, bound %g", (unsigned long)j, (unsigned long)i, error, bound);
              if (bound > 0 && error * worst_limit >= worst * bound) {
                worst = error;
                worst_limit = bound;
              }
              if (error > worst_error) worst_error = error;
              if (fabs(ref) > largest) largest = fabs(ref);
              square += error * error;
              square_ref += ref * ref;
            }
          if (largest > 0) {
            const int stated = magic >= 0 && p.out_count >= 1000;
            const double l2 = stated ? sqrt(square / square_ref) : 0;
            if (l2 > calls->l2_limit) fail("relative L2 error %g", l2);
            error_note("of bound", worst / worst_limit, 1, worst_error / ldexp(2 * calls->unit, ilogb(largest)), l2,
                       calls->l2_limit, p.out_count);
          }
        }
        workspace_end(&work);
        if (!guard_intact(&taps)) fail("memory around the taps was written");
        guard_free(&taps);
        guard_free(&in.g);
        guard_free(&out.g);
        end_case();
      }
  }
  free(want[0]);
  free(want[1]);
  problem_free(&p);
}

static void conv1d_shapes(int type) {
  static const size_t many[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 61, 64, 65, 100};
  static const size_t lengths[] = {1,   2,   3,   5,   8,   15,  16,  17,  31,  37,  61,  112,
                                   113, 127, 128, 129, 136, 143, 144, 145, 255, 256, 257, 300};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t i, j;
  for (i = 0; i < COUNT_OF(lengths); i++)
    for (j = 0; j < COUNT_OF(many); j++) {
      const size_t n = lengths[i], ndat = many[j];
      execution way = any_execution(&rng);
      int boundary = any_boundary(&rng), magic = random_below(&rng, 3) ? -1 : random_int(&rng, 0, 1);
      int ntaps = random_below(&rng, 2) ? random_int(&rng, 1, 64) : 16, lo = -ntaps / 2 + random_int(&rng, -3, 3);
      if (!random_below(&rng, 5)) lo = random_int(&rng, -1024, 1024 - ntaps + 1);
      if (boundary == CONVK_BOUNDARY_SHRINK && n < (size_t)(magic >= 0 ? 16 : ntaps)) boundary = CONVK_BOUNDARY_ZERO;
      if (suite.quick && (i + j) % 6) continue;
      conv1d_case(type, n, ndat, magic, lo, ntaps, boundary, random_below(&rng, 9) ? DATA_UNIFORM : DATA_SPECIAL,
                  random_below(&rng, 2) ? &plain : &way, 1, &rng);
    }
  for (i = 1; i <= 64 && !suite.quick; i++)
    for (j = 0; j < 4; j++)
      conv1d_case(type, j == CONVK_BOUNDARY_SHRINK ? i + random_below(&rng, 9) : 1 + random_below(&rng, 70),
                  1 + random_below(&rng, 40), -1, random_int(&rng, -(int)i, 1), (int)i, (int)j, DATA_UNIFORM, &plain, 1, &rng);
}

static void conv1d_cuts(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  execution ways[32];
  size_t count = 0;
  int threads, hooks;
  for (threads = 1; threads <= 5; threads++)
    for (hooks = HOOK_REVERSED; hooks <= HOOK_THREADS; hooks++) {
      memset(&ways[count], 0, sizeof ways[count]);
      ways[count].rows = count % 4 > 0; /* else threads are for more work */
      ways[count].threads = threads;
      ways[count].hook = hooks;
      ways[count].work = (int)count % WORK_KINDS;
      ways[count].nontemporal = (int)count % 3 - 1;
      count++;
    }
  conv1d_case(type, 150, 200, CONVK_FORWARD, 0, 0, CONVK_BOUNDARY_PERIODIC, DATA_UNIFORM, ways, suite.quick ? 5 : count, &rng);
  conv1d_case(type, 21, 97, -1, -3, 9, CONVK_BOUNDARY_GROW, DATA_UNIFORM, ways, suite.quick ? 5 : count, &rng);
}

/* Three calls make the 3D convolution, and the axes come back in order. */
static void conv1d_three(int type) {
  const type_calls *calls = &sepconv_types[type];
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c, d;
  for (c = 0; c < (suite.quick ? 3 : 16); c++) {
    problem p;
    size_t number = 0, i;
    variant *v;
    problem_start(&p, type, 2 + random_below(&rng, 30), 2 + random_below(&rng, 20), 2 + random_below(&rng, 20));
    if (c % 2) problem_magic(&p, c / 2 % 2, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_ZERO);
    else
      for (d = 0; d < 3; d++)
        problem_filter(&p, d, random_int(&rng, -6, 2), random_int(&rng, 1, 20), any_boundary(&rng) % 2, &rng);
    problem_finish(&p, DATA_UNIFORM, &rng);
    while ((v = next_variant(&number, p.out_count * 64)) != NULL) {
      const size_t yz = p.n[1] * p.n[2], zx = p.n[2] * p.m[0], xy = p.m[0] * p.m[1];
      char *a = (char *)need(p.in_count * calls->size), *b = (char *)need(p.m[0] * yz * calls->size);
      char *e = (char *)need(p.m[1] * zx * calls->size), *r = (char *)need(p.out_count * calls->size);
      double *taps = reals(3 * 64); /* of double for alignment */
      any_filter f[3];
      int t, status;
      for (i = 0; i < p.in_count; i++) put(type, a, i, p.x[i]);
      for (d = 0; d < 3; d++) {
        for (t = 0; t <= p.up[d] - p.lo[d]; t++) put(type, taps + 64 * d, (size_t)t, p.taps[d][t]);
        f[d].lo = p.lo[d];
        f[d].up = p.up[d];
        f[d].taps = taps + 64 * d;
      }
      begin_case();
      status = calls->conv1d_transpose(&v->hw, p.n[0], yz, 0, 0, &f[0], p.boundary[0], a, b, NULL, 0);
      if (!status) status = calls->conv1d_transpose(&v->hw, p.n[1], zx, 0, 0, &f[1], p.boundary[1], b, e, NULL, 0);
      if (!status) status = calls->conv1d_transpose(&v->hw, p.n[2], xy, 0, 0, &f[2], p.boundary[2], e, r, NULL, 0);
      want_status(status, CONVK_OK);
      for (i = 0; i < p.out_count && !status; i++) {
        const long double error = fabsl((long double)get(type, r, i) - p.ref[i]);
        if (!(error <= problem_bound(&p, i)))
          fail("point %lu errs by %Lg, bound %Lg", (unsigned long)i, error, problem_bound(&p, i));
      }
      end_case();
      free(a);
      free(b);
      free(e);
      free(r);
      free(taps);
    }
    problem_free(&p);
  }
}

/* ------------------------------------------------------------------------------------------------------- size helpers -- */

static const double in_zeros[64] = {0}; /* taps of either type */

static void sizes_good(int type) {
  const type_calls *calls = &sepconv_types[type];
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c, d;
  for (c = 0; c < 300; c++) {
    problem p;
    any_filter f[3];
    convk_grid3 in, out;
    const double one[64] = {1};
    size_t m[3], bytes = 0;
    int status;
    problem_start(&p, type, 1 + random_below(&rng, 100), 1 + random_below(&rng, 100), 1 + random_below(&rng, 100));
    for (d = 0; d < 3; d++) {
      any_taps(&p, d, &rng);
      f[d].lo = p.lo[d];
      f[d].up = p.up[d];
      f[d].taps = c % 2 ? NULL : one; /* taps do not count for sizes */
      m[d] = ref_points(p.n[d], p.lo[d], p.up[d], p.boundary[d]);
    }
    in.nx = p.n[0];
    in.ny = p.n[1];
    in.nz = p.n[2];
    in.pitch_y = c % 3 ? p.n[0] + (size_t)c % 7 : 0;
    in.pitch_z = 0;
    memset(&out, FILL_, sizeof out);
    problem_describe(&p);
    begin_case();
    status = calls->output_grid(NULL, &in, f, p.boundary, &out);
    want_status(status, CONVK_OK);
    if (out.nx != m[0] || out.ny != m[1] || out.nz != m[2])
      fail("sizes %lu,%lu,%lu", (unsigned long)out.nx, (unsigned long)out.ny, (unsigned long)out.nz);
    else if ((out.pitch_y && out.pitch_y != m[0]) || (out.pitch_z && out.pitch_z != m[0] * m[1])) fail("not packed");
    if (calls->sepconv3d_work(NULL, &in, NULL, f, p.boundary, &bytes) || !bytes) fail("work size 0");
    end_case();
  }
}

/* Work sizes on more and more threads, and of wrong arguments. */
static void sizes_work(int type) {
  const type_calls *calls = &sepconv_types[type];
  const convk_grid3 g = {20, 100, 50, 0, 0}, wide = {35, 115, 65, 0, 0};
  const int periodic[3] = {0, 0, 0}, grow[3] = {1, 1, 1}, odd[3] = {0, 7, 0}, shrink[3] = {0, 0, 2};
  const convk_grid3 zero = {20, 0, 50, 0, 0}, pitch = {20, 100, 50, 19, 0}, small_ = {20, 100, 15, 0, 0};
  const any_filter f = calls->taps(CONVK_FORWARD);
  convk hw;
  size_t before = 0, kept = 77;
  int threads;
  if (convk_open(&hw, "scalar")) return;
  hw.parallel.run = hook_run;
  describe("work of 1 to 8 threads");
  begin_case();
  for (threads = 1; threads <= 8; threads++) {
    size_t s = 0, q = 0, r = 0;
    hw.parallel.threads = threads;
    want_status(calls->magicfilter3d_work(&hw, &g, NULL, CONVK_FORWARD, periodic, &s), CONVK_OK);
    want_status(calls->potential_work(&hw, &g, &wide, grow, &q), CONVK_OK);
    want_status(calls->conv1d_work(&hw, 1000, 1000, 0, 0, &f, CONVK_BOUNDARY_PERIODIC, &r), CONVK_OK);
    if (!s || !q || !r) fail("0 bytes");
    if (r < before) fail("conv1d_transpose: fewer bytes on %d threads", threads);
    before = r;
  }
  end_case();
  describe("work sizes of wrong arguments");
#define REFUSED(status, text, call) CHECK(calls->call == status && strstr(hw.message, text) && kept == 77)
  REFUSED(CONVK_ERR_NULL, "shape is NULL", magicfilter3d_work(&hw, NULL, NULL, 0, periodic, &kept));
  REFUSED(CONVK_ERR_NULL, "bytes is NULL", magicfilter3d_work(&hw, &g, NULL, 0, periodic, NULL));
  REFUSED(CONVK_ERR_OPTION, "direction is 5", magicfilter3d_work(&hw, &g, NULL, 5, periodic, &kept));
  REFUSED(CONVK_ERR_BOUNDARY, "shape->boundary[1] is 7", magicfilter3d_work(&hw, &g, NULL, 0, odd, &kept));
  REFUSED(CONVK_ERR_SIZE, "shape->in.ny is 0", magicfilter3d_work(&hw, &zero, NULL, 0, periodic, &kept));
  REFUSED(CONVK_ERR_SIZE, "shape->out", magicfilter3d_work(&hw, &g, &wide, 0, periodic, &kept));
  REFUSED(CONVK_ERR_PITCH, "shape->in.pitch_y is 19, less than nx = 20",
          magicfilter3d_work(&hw, &pitch, NULL, 0, periodic, &kept));
  REFUSED(CONVK_ERR_SHRINK, "shape->boundary[2]", magicfilter3d_work(&hw, &small_, NULL, 0, shrink, &kept));
  REFUSED(CONVK_ERR_NULL, "filter is NULL", sepconv3d_work(&hw, &g, NULL, NULL, periodic, &kept));
  REFUSED(CONVK_ERR_NULL, "shape is NULL", potential_work(&hw, NULL, &g, periodic, &kept));
  REFUSED(CONVK_ERR_NULL, "bytes is NULL", potential_work(&hw, &g, &g, periodic, NULL));
  REFUSED(CONVK_ERR_SIZE, "shape->out must be of 35 x 115 x 65", potential_work(&hw, &g, &g, grow, &kept));
  REFUSED(CONVK_ERR_BOUNDARY, "shape->boundary[2] is 2", potential_work(&hw, &g, &g, shrink, &kept));
  REFUSED(CONVK_ERR_BOUNDARY, "shape->boundary[1] is 7", potential_work(&hw, &g, &g, odd, &kept));
  REFUSED(CONVK_ERR_SIZE, "shape->in", potential_work(&hw, &zero, &g, periodic, &kept));
  REFUSED(CONVK_ERR_NULL, "shape is NULL", conv1d_work(&hw, NO_SHAPE, 1, 0, 0, &f, 0, &kept));
  REFUSED(CONVK_ERR_NULL, "filter is NULL", conv1d_work(&hw, 10, 10, 0, 0, NULL, 0, &kept));
  REFUSED(CONVK_ERR_NULL, "bytes is NULL", conv1d_work(&hw, 10, 10, 0, 0, &f, 0, NULL));
  REFUSED(CONVK_ERR_SIZE, "shape->ndat is 0", conv1d_work(&hw, 10, 0, 0, 0, &f, 0, &kept));
  REFUSED(CONVK_ERR_PITCH, "shape->ld_in is 9, less than n = 10", conv1d_work(&hw, 10, 10, 9, 0, &f, 0, &kept));
#undef REFUSED
  convk_close(&hw);
}

/* Work for a size is enough for every smaller one, however the handle is tuned: the size query grows, and the call takes what
   it says of the larger one. */
static void sizes_monotone(int type) {
  const type_calls *calls = &sepconv_types[type];
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c, d;
  for (c = 0; c < 400; c++) {
    static const size_t l2[] = {0, (size_t)1 << 15, (size_t)1 << 18, (size_t)1 << 22},
                        l3[] = {0, (size_t)1 << 19, (size_t)1 << 25};
    convk_tuned entry;
    convk_grid3 large = {0, 0, 0, 0, 0}, little = {0, 0, 0, 0, 0}, lout = {0, 0, 0, 0, 0};
    size_t n[3], m[3], bytes[2] = {0, 0}, count = 1, out_count = 1;
    any_filter f[3];
    unsigned char *in, *out, *work;
    hook k = hook_new(HOOK_REVERSED, 1 + (int)random_below(&rng, 8), 1);
    problem p;
    convk hw;
    if (convk_open(&hw, "scalar")) return;
    hw.parallel.run = hook_run;
    hw.parallel.threads = k.threads;
    hw.parallel.ctx = &k;
    hw.tuning.l2_bytes = l2[random_below(&rng, COUNT_OF(l2))];
    hw.tuning.l3_bytes = l3[random_below(&rng, COUNT_OF(l3))];
    hw.tuning.l3_threads = random_below(&rng, 9);
    if (!random_below(&rng, 4)) hw.tuning.sepconv_rows = 1 + random_below(&rng, 40);
    memset(&entry, 0, sizeof entry);
    problem_start(&p, type, 1 + random_below(&rng, c % 4 ? 30 : 300), 1 + random_below(&rng, c % 3 ? 30 : 300),
                  1 + random_below(&rng, 60));
    for (d = 0; d < 3; d++) {
      any_taps(&p, d, &rng);
      f[d].lo = p.lo[d];
      f[d].up = p.up[d];
      n[d] = 1 + random_below(&rng, p.n[d]);
      if (p.boundary[d] == CONVK_BOUNDARY_SHRINK && n[d] <= (size_t)(p.up[d] - p.lo[d])) n[d] = p.n[d];
      m[d] = ref_points(n[d], p.lo[d], p.up[d], p.boundary[d]);
      count *= n[d];
      out_count *= m[d];
    }
    if (!random_below(&rng, 4)) { /* tuned for the smaller one alone */
      strcpy(entry.operation, "sepconv3d");
      strcpy(entry.type, types[type].name);
      strcpy(entry.hw, hw.name);
      strcpy(entry.machine, hw.machine);
      entry.threads = hw.parallel.threads;
      entry.nx = n[0];
      entry.ny = n[1];
      entry.nz = n[2];
      entry.length = (size_t)(p.up[1] - p.lo[1] + 1);
      entry.choice[CONVK_TUNE_ROWS] = random_below(&rng, 8) ? 1 + (long)random_below(&rng, 300) : -1;
      hw.tuned = &entry;
      hw.ntuned = 1;
    }
    large.nx = p.n[0], large.ny = p.n[1], large.nz = p.n[2];
    little.nx = n[0], little.ny = n[1], little.nz = n[2];
    problem_describe(&p);
    describe_more(" and %lux%lux%lu", (unsigned long)n[0], (unsigned long)n[1], (unsigned long)n[2]);
    begin_case();
    want_status(calls->sepconv3d_work(&hw, &large, NULL, f, p.boundary, &bytes[0]), CONVK_OK);
    want_status(calls->sepconv3d_work(&hw, &little, NULL, f, p.boundary, &bytes[1]), CONVK_OK);
    if (bytes[0] < bytes[1]) fail("%lu bytes, but %lu for the smaller one", (unsigned long)bytes[0], (unsigned long)bytes[1]);
    in = (unsigned char *)need(count * calls->size);
    out = (unsigned char *)need(out_count * calls->size);
    work = (unsigned char *)need(bytes[1] + 1);
    memset(in, 0, count * calls->size);
    for (d = 0; d < 3; d++) f[d].taps = in_zeros;
    want_status(calls->sepconv3d(&hw, &little, &lout, f, p.boundary, NULL, in, out, work, bytes[1]), CONVK_OK);
    bytes[0] = bytes[1] = 0;
    for (d = 0; d < 2; d++)
      want_status(calls->conv1d_work(&hw, d ? n[0] : p.n[0], d ? n[1] : p.n[1], 0, 0, f, p.boundary[0], &bytes[d]), CONVK_OK);
    if (bytes[0] < bytes[1]) fail("%lu bytes of rows, but %lu", (unsigned long)bytes[0], (unsigned long)bytes[1]);
    for (d = 0; d < 3; d++)
      if (p.boundary[d] == CONVK_BOUNDARY_SHRINK) p.boundary[d] = CONVK_BOUNDARY_ZERO;
    bytes[0] = bytes[1] = 0;
    want_status(calls->potential_work(&hw, &large, NULL, p.boundary, &bytes[0]), CONVK_OK);
    want_status(calls->potential_work(&hw, &little, NULL, p.boundary, &bytes[1]), CONVK_OK);
    if (bytes[0] < bytes[1]) fail("%lu bytes of potential_apply, but %lu", (unsigned long)bytes[0], (unsigned long)bytes[1]);
    end_case();
    free(in);
    free(out);
    free(work);
    convk_close(&hw);
  }
}

/* ------------------------------------------------------------------------------------------------------------- errors -- */

enum { OP_SEPCONV, OP_MAGIC, OP_POTENTIAL, OP_CONV1D, OP_COUNT };
enum { IN_, OUT_, POTENTIAL_, DENSITY_, TAPS_, SUMS_, BUFFERS_ };

/* Good arguments of one operation, for tests that spoil one of them. */
typedef struct arguments {
  const type_calls *calls;
  int type, device, op;
  convk *hw;
  convk copy; /* of the handle, to be spoiled */
  convk_grid3 gi, go, *gip, *gop;
  any_filter f[3], *fp;
  int b[3], *bp, boundary, direction;
  any_epilogue e, *ep;
  size_t n, ndat, ld_in, ld_out, bytes;
  unsigned char *in, *out, *potential, *density, *taps;
  double *dot, *energy;
  void *work;
  size_t work_size;
} arguments;

typedef struct stage {
  guard buffers[BUFFERS_];
  unsigned char *before[BUFFERS_]; /* what is in them */
  arguments good, now;
  hook failing;
} stage;

static void stage_new(stage *s, variant *v, int type, int op) {
  const size_t size = types[type].size;
  arguments *g = &s->good;
  uint64_t rng = 5;
  size_t i, d;
  memset(s, 0, sizeof *s);
  for (i = 0; i < BUFFERS_; i++) {
    s->buffers[i] = guard_new(E_ELEMENTS * sizeof(double), i & 1 ? AT_START : AT_END, 0);
    s->before[i] = (unsigned char *)need(s->buffers[i].bytes);
    for (d = 0; d < E_ELEMENTS * sizeof(double) / size; d++) put(type, s->buffers[i].data, d, random_unit(&rng));
    memcpy(s->before[i], s->buffers[i].data, s->buffers[i].bytes);
  }
  s->failing = hook_new(HOOK_FAILS, 3, 1);
  g->calls = &sepconv_types[type];
  g->type = type;
  g->device = v->device;
  g->op = op;
  g->hw = &v->hw;
  g->gi.nx = g->go.nx = E_X;
  g->gi.ny = g->go.ny = E_Y;
  g->gi.nz = g->go.nz = E_Z;
  g->bytes = E_X * E_Y * E_Z * size;
  g->in = s->buffers[IN_].data + 40 * size;
  g->out = s->buffers[OUT_].data;
  g->potential = s->buffers[POTENTIAL_].data;
  g->density = s->buffers[DENSITY_].data;
  g->taps = s->buffers[TAPS_].data;
  g->dot = (double *)(void *)s->buffers[SUMS_].data;
  g->energy = g->dot + 1;
  for (d = 0; d < 3; d++) {
    g->f[d].lo = -1;
    g->f[d].up = 1;
    g->f[d].taps = g->taps + 64 * d * size;
  }
  g->n = E_N;
  g->ndat = E_NDAT;
}

static void stage_end(stage *s) {
  size_t i;
  for (i = 0; i < BUFFERS_; i++) {
    guard_free(&s->buffers[i]);
    free(s->before[i]);
  }
}

static arguments *stage_reset(stage *s) {
  arguments *c = &s->now;
  *c = s->good;
  c->copy = *c->hw;
  c->gip = &c->gi;
  c->gop = &c->go;
  c->fp = c->f;
  c->bp = c->b;
  return c;
}

static int stage_call(const arguments *c) {
  switch (c->op) {
    case OP_SEPCONV:
      return c->calls->sepconv3d(c->hw, c->gip, c->gop, c->fp, c->bp, c->ep, c->in, c->out, c->work, c->work_size);
    case OP_MAGIC:
      return c->calls->magicfilter3d(c->hw, c->gip, c->gop, c->direction, c->bp, c->ep, c->in, c->out, c->work, c->work_size);
    case OP_POTENTIAL:
      return c->calls->potential_apply(c->hw, c->gip, c->gop, c->bp, c->potential, c->in, c->out, c->energy, c->work,
                                       c->work_size);
    default:
      return c->calls->conv1d_transpose(c->hw, c->n, c->ndat, c->ld_in, c->ld_out, c->fp, c->boundary, c->in, c->out, c->work,
                                        c->work_size);
  }
}

static int stage_work(const arguments *c, size_t *bytes) {
  switch (c->op) {
    case OP_SEPCONV: return c->calls->sepconv3d_work(c->hw, c->gip, c->gop, c->fp, c->bp, bytes);
    case OP_MAGIC: return c->calls->magicfilter3d_work(c->hw, c->gip, c->gop, c->direction, c->bp, bytes);
    case OP_POTENTIAL: return c->calls->potential_work(c->hw, c->gip, c->gop, c->bp, bytes);
    default: return c->calls->conv1d_work(c->hw, c->n, c->ndat, c->ld_in, c->ld_out, c->fp, c->boundary, bytes);
  }
}

/* The size query refuses the shape with the same status and the same words, and leaves its result alone. */
static void stage_expect_work(const arguments *c, int wanted, const char *text) {
  static const int shapes[] = {CONVK_ERR_OVERFLOW, CONVK_ERR_PITCH,  CONVK_ERR_TAPS, CONVK_ERR_BOUNDARY,
                               CONVK_ERR_SHRINK,   CONVK_ERR_HANDLE, CONVK_OK};
  size_t i, bytes = 77;
  for (i = 0; i < COUNT_OF(shapes) && shapes[i] != wanted; i++) continue;
  if (i == COUNT_OF(shapes)) return;
  want_status(stage_work(c, &bytes), wanted);
  if (wanted && bytes != 77) fail("the size was written");
  if (c->hw && wanted != CONVK_ERR_HANDLE) want_said(c->hw->message, wanted, text);
}

/* The status is `expected`, and after an error no byte has changed and no memory is held. */
static void stage_expect(stage *s, int wanted, const char *text, const char *what) {
  const long live = heap.live, total = heap.total;
  size_t i;
  int status;
  describe("%s", what);
  begin_case();
  status = stage_call(&s->now);
  want_status(status, wanted);
  want_returned(live);
  want_checked_first(wanted, total);
  want_reason(s->now.hw, wanted);
  if (s->now.hw && wanted != CONVK_ERR_HANDLE) want_said(s->now.hw->message, wanted, text);
  stage_expect_work(&s->now, wanted, text);
  for (i = 0; i < BUFFERS_; i++) {
    if (wanted != CONVK_ERR_THREADS && (wanted || i == IN_ || i == TAPS_ || i == POTENTIAL_) &&
        memcmp(s->buffers[i].data, s->before[i], s->buffers[i].bytes))
      fail("array %d was written", (int)i);
    if (!guard_intact(&s->buffers[i])) fail("memory around array %d was written", (int)i);
    memcpy(s->buffers[i].data, s->before[i], s->buffers[i].bytes);
  }
  end_case();
}

/* The status of a call with arguments that were changed so, and what its message must say. */
#define SPOIL(expected, text, ...) \
  do { \
    arguments *c = stage_reset(s); \
    __VA_ARGS__; \
    stage_expect(s, expected, text, #__VA_ARGS__); \
  } while (0)

static void with_epilogue(arguments *c, unsigned flags) {
  c->ep = &c->e;
  if (flags & POTENTIAL) c->e.potential = c->potential;
  if (flags & DENSITY) c->e.density = c->density;
  if (flags & DOT) c->e.dot = c->dot;
  if (flags & ENERGY) c->e.energy = c->energy;
  c->e.update = flags & UPDATE ? 1 : 0;
  c->e.density_factor = 0.5;
  c->e.a = 0.5;
  c->e.b = 0.25;
}

static void all_sizes(arguments *c, size_t nx, size_t ny, size_t nz) {
  c->gi.nx = c->go.nx = nx;
  c->gi.ny = c->go.ny = ny;
  c->gi.nz = c->go.nz = nz;
}

/* Of every operation: the handle, memory, threads. */
static void errors_common(stage *s) {
  SPOIL(CONVK_OK, "", (void)c);
  SPOIL(CONVK_ERR_NULL, "", c->hw = NULL);
  SPOIL(CONVK_ERR_NULL, s->good.op == OP_POTENTIAL ? "psi is NULL" : "in is NULL", c->in = NULL);
  SPOIL(CONVK_ERR_NULL, "out is NULL", c->out = NULL);
  SPOIL(CONVK_ERR_HANDLE, "", memset(&c->copy, 0, sizeof c->copy); c->hw = &c->copy);
  SPOIL(CONVK_ERR_HANDLE, "", c->copy.version += 100; c->hw = &c->copy);
  SPOIL(CONVK_ERR_HANDLE, "", c->copy.version--; c->hw = &c->copy);
  SPOIL(CONVK_ERR_HANDLE, "", c->copy.size--; c->hw = &c->copy);
  SPOIL(CONVK_ERR_HANDLE, "", c->copy.size += 8; c->hw = &c->copy);
  if (s->good.device) {
    long k;
    for (k = 0; k < 40; k++) {
      arguments *c = stage_reset(s);
      const long live = heap.live;
      int status;
      describe("after %ld allocations there is no memory", k);
      begin_case();
      heap.until_failure = k;
      status = stage_call(c);
      heap.until_failure = -1;
      if (status && status != CONVK_ERR_MEMORY) fail("status %d, %s", status, convk_strerror(status));
      if (heap.live > live && status) fail("%ld allocations left", heap.live - live);
      end_case();
      if (!status) break;
    }
    stage_reset(s);
    memcpy(s->buffers[OUT_].data, s->before[OUT_], s->buffers[OUT_].bytes);
    memcpy(s->buffers[SUMS_].data, s->before[SUMS_], s->buffers[SUMS_].bytes);
    SPOIL(CONVK_OK, "", c->work = c->density; c->work_size = 1);
    return;
  }
  heap.until_failure = 0;
  SPOIL(CONVK_ERR_MEMORY, "of work", (void)c);
  heap.until_failure = -1;
  {
    guard work;
    size_t bytes = 0;
    stage_reset(s);
    describe("work sizes");
    begin_case();
    want_status(stage_work(&s->now, NULL), CONVK_ERR_NULL);
    want_status(stage_work(&s->now, &bytes), CONVK_OK);
    end_case();
    work = guard_new(bytes, AT_END, 0);
    SPOIL(CONVK_OK, "", c->work = work.data; c->work_size = bytes);
    memset(work.data, FILL_, bytes);
    SPOIL(CONVK_ERR_WORK, "work_size is ", c->work = work.data; c->work_size = 64);
    SPOIL(CONVK_ERR_WORK, "work_size is ", c->work = work.data; c->work_size = 1000);
    SPOIL(CONVK_ERR_WORK, "work_size is ", c->work = work.data; c->work_size = 0);
    SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->work = c->out; c->work_size = bytes);
    SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->work = (void *)(uintptr_t)c->in; c->work_size = bytes);
    SPOIL(CONVK_ERR_OVERLAP, " overlaps work", c->work = (void *)(uintptr_t)c->in; c->work_size = 64);
    SPOIL(CONVK_ERR_OVERLAP, " overlaps work", c->work = c->out - 63; c->work_size = 64); /* by one byte */
    CHECK(all_fill(work.data, work.data + bytes));
    guard_free(&work);
  }
  SPOIL(CONVK_ERR_THREADS, "", c->hw = &c->copy; c->copy.parallel.threads = 3; c->copy.parallel.run = hook_run;
        c->copy.parallel.ctx = &s->failing; c->copy.tuning.sepconv_rows = 1);
  SPOIL(CONVK_OK, "", c->hw = &c->copy; c->copy.parallel.threads = 1; c->copy.parallel.run = hook_run;
        c->copy.parallel.ctx = &s->failing);
  SPOIL(CONVK_OK, "", c->hw = &c->copy; c->copy.parallel.threads = -3; c->copy.parallel.run = hook_run;
        c->copy.parallel.ctx = &s->failing);
  SPOIL(CONVK_OK, "", c->hw = &c->copy; c->copy.parallel.threads = 3; c->copy.parallel.run = NULL;
        c->copy.parallel.ctx = &s->failing);
}

/* Of the operations on grids. */
static void errors_grid(stage *s) {
  int d, k;
  SPOIL(CONVK_ERR_NULL, "shape is NULL", c->gip = NULL);
  SPOIL(CONVK_OK, "", c->gop = NULL);
  SPOIL(CONVK_OK, "", memset(&c->go, 0, sizeof c->go));
  SPOIL(CONVK_ERR_NULL, "shape is NULL", c->bp = NULL);
  SPOIL(CONVK_ERR_SIZE, "shape->in.nx is 0", c->gi.nx = 0);
  SPOIL(CONVK_ERR_SIZE, "shape->in.ny is 0", c->gi.ny = 0);
  SPOIL(CONVK_ERR_SIZE, "shape->in.nz is 0", c->gi.nz = 0);
  SPOIL(CONVK_ERR_SIZE, "shape->out.nx is 0", c->go.nx = 0);
  SPOIL(CONVK_ERR_SIZE, "shape->out.ny is 0", c->go.ny = 0);
  SPOIL(CONVK_ERR_SIZE, "shape->out.nz is 0", c->go.nz = 0);
  SPOIL(CONVK_ERR_SIZE, "shape->in.nx is 0", all_sizes(c, 0, 0, 0));
  SPOIL(CONVK_ERR_SIZE, "shape->out ", c->go.nx++);
  SPOIL(CONVK_ERR_SIZE, "shape->out ", c->go.ny++);
  SPOIL(CONVK_ERR_SIZE, "shape->out ", c->go.nz++);
  SPOIL(CONVK_ERR_SIZE, "shape->out ", c->go.nx--);
  SPOIL(CONVK_ERR_SIZE, "shape->out ", c->go.ny--);
  SPOIL(CONVK_ERR_SIZE, "shape->out ", c->go.nz--);
  for (d = 0; d < 3; d++) SPOIL(CONVK_ERR_SIZE, "shape->out ", c->b[d] = CONVK_BOUNDARY_GROW);
  SPOIL(CONVK_ERR_PITCH, "shape->in.pitch_y is ", c->gi.pitch_y = E_X - 1);
  SPOIL(CONVK_ERR_PITCH, "shape->out.pitch_y is ", c->go.pitch_y = E_X - 1);
  SPOIL(CONVK_ERR_PITCH, "shape->in.pitch_y is ", c->gi.pitch_y = 1);
  SPOIL(CONVK_ERR_PITCH, "shape->in.pitch_z is ", c->gi.pitch_z = E_X * E_Y - 1);
  SPOIL(CONVK_ERR_PITCH, "shape->out.pitch_z is ", c->go.pitch_z = E_X * E_Y - 1);
  SPOIL(CONVK_ERR_PITCH, "shape->in.pitch_z is ", c->gi.pitch_y = 8; c->gi.pitch_z = 8 * (E_Y - 1) + E_X - 1);
  SPOIL(CONVK_OK, "", c->gi.pitch_y = 8; c->gi.pitch_z = 8 * (E_Y - 1) + E_X);
  SPOIL(CONVK_ERR_PITCH, "shape->out.pitch_z is ", c->go.pitch_z = 1);
  SPOIL(CONVK_ERR_OVERFLOW, "shape->", all_sizes(c, HUGE_, 1, 1));
  SPOIL(CONVK_ERR_OVERFLOW, "shape->", all_sizes(c, 1, HUGE_, 1));
  SPOIL(CONVK_ERR_OVERFLOW, "shape->", all_sizes(c, 1, 1, HUGE_));
  SPOIL(CONVK_ERR_OVERFLOW, "shape->", all_sizes(c, SIZE_MAX, SIZE_MAX, SIZE_MAX));
  SPOIL(CONVK_ERR_OVERFLOW, "shape->", all_sizes(c, SIZE_MAX / c->calls->size + 1, 1, 1));
  SPOIL(CONVK_ERR_OVERFLOW, "shape->", all_sizes(c, (size_t)1 << (sizeof(size_t) * 4), (size_t)1 << (sizeof(size_t) * 4), 1));
  SPOIL(CONVK_ERR_OVERFLOW, "shape->", all_sizes(c, 4, HUGE_ / 2, 2));
  SPOIL(CONVK_ERR_OVERFLOW, "shape->", all_sizes(c, 4, 4, HUGE_ / 8 + 1));
  SPOIL(CONVK_ERR_OVERFLOW, "shape->", c->gi.pitch_y = HUGE_);
  SPOIL(CONVK_ERR_OVERFLOW, "shape->out", c->go.pitch_y = SIZE_MAX);
  SPOIL(CONVK_ERR_OVERFLOW, "shape->", c->gi.pitch_z = SIZE_MAX);
  SPOIL(CONVK_ERR_OVERFLOW, "shape->out", c->go.pitch_z = SIZE_MAX / 2);
  for (d = 0; d < 3; d++)
    for (k = 0; k < 5; k++) {
      static const int unknown[5] = {4, -1, 99, INT_MAX, INT_MIN};
      SPOIL(CONVK_ERR_BOUNDARY, "shape->boundary", c->b[d] = unknown[k]);
    }
  SPOIL(CONVK_OK, "", c->gi.pitch_y = 9);
  SPOIL(CONVK_OK, "", c->go.pitch_z = E_X * E_Y + 3);
}

/* Of sepconv3d and magicfilter3d: the epilogue and overlaps. */
static void errors_epilogue(stage *s) {
  const size_t size = types[s->good.type].size, all = s->good.bytes;
  int k;
  SPOIL(CONVK_OK, "", with_epilogue(c, POTENTIAL | DENSITY | DOT | ENERGY | UPDATE));
  SPOIL(CONVK_OK, "", with_epilogue(c, 0));
  SPOIL(CONVK_OK, "", with_epilogue(c, DOT); c->out = NULL);
  SPOIL(CONVK_OK, "", with_epilogue(c, DENSITY); c->out = NULL);
  SPOIL(CONVK_OK, "", with_epilogue(c, POTENTIAL | ENERGY); c->out = NULL);
  SPOIL(CONVK_ERR_NULL, "out is NULL", with_epilogue(c, 0); c->out = NULL);
  SPOIL(CONVK_ERR_NULL, "out is NULL", with_epilogue(c, POTENTIAL); c->out = NULL);
  SPOIL(CONVK_ERR_NULL, "out is NULL", with_epilogue(c, DENSITY | UPDATE); c->out = NULL);
  SPOIL(CONVK_ERR_NULL, "out is NULL", with_epilogue(c, UPDATE); c->out = NULL);
  SPOIL(CONVK_ERR_OPTION, "epilogue->energy", with_epilogue(c, ENERGY));
  SPOIL(CONVK_ERR_OPTION, "epilogue->energy", with_epilogue(c, ENERGY | DENSITY | DOT));
  SPOIL(CONVK_ERR_OPTION, "epilogue->update", with_epilogue(c, UPDATE); c->e.update = 2);
  SPOIL(CONVK_ERR_OPTION, "epilogue->update", with_epilogue(c, UPDATE); c->e.update = -1);
  for (k = 0; k < 3; k++) {
    SPOIL(CONVK_ERR_NONFINITE, "epilogue->density_factor", with_epilogue(c, DENSITY); c->e.density_factor = not_finite(k));
    SPOIL(CONVK_ERR_NONFINITE, "epilogue->a is", with_epilogue(c, UPDATE); c->e.a = not_finite(k));
    SPOIL(CONVK_ERR_NONFINITE, "epilogue->b is", with_epilogue(c, UPDATE); c->e.b = not_finite(k));
    SPOIL(CONVK_OK, "", with_epilogue(c, DOT); c->e.density_factor = c->e.a = c->e.b = not_finite(k));
  }
  /* what is computed into what */
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->out = c->in);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->out = c->in + size);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->out = c->in - size);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->out = c->in + all - size);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->in = c->out + all - size);
  SPOIL(CONVK_OK, "", c->in = c->out + all; memcpy(s->before[OUT_], s->buffers[OUT_].data, s->buffers[OUT_].bytes));
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->gi.pitch_z = E_X * E_Y + 9; c->in = c->out - 0; c->out = c->in + all);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", with_epilogue(c, POTENTIAL); c->e.potential = c->out);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", with_epilogue(c, POTENTIAL); c->e.potential = c->out + all - size);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", with_epilogue(c, POTENTIAL); c->out = c->potential + all - size);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", with_epilogue(c, DENSITY); c->e.density = c->out);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", with_epilogue(c, DENSITY); c->e.density = c->out + all - size);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", with_epilogue(c, DENSITY); c->e.density = c->in);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", with_epilogue(c, DENSITY); c->e.density = c->in + all - size);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", with_epilogue(c, DENSITY); c->e.density = c->in; c->out = NULL);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", with_epilogue(c, DENSITY | POTENTIAL); c->e.density = c->potential);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", with_epilogue(c, DENSITY); c->in = c->density + all - size);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", with_epilogue(c, POTENTIAL | DOT); c->e.dot = (double *)(void *)c->potential);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", with_epilogue(c, POTENTIAL | ENERGY); c->e.energy = (double *)(void *)c->potential);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", with_epilogue(c, POTENTIAL | DOT | ENERGY);
        c->e.energy = (double *)(void *)((char *)c->e.dot + 4));
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", with_epilogue(c, POTENTIAL | DOT | ENERGY); c->e.dot = c->e.energy);
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", with_epilogue(c, POTENTIAL | DOT | ENERGY);
        c->e.dot = (double *)(void *)((char *)c->e.energy + 4)); /* half of it */
  SPOIL(CONVK_ERR_OVERLAP, " overlaps ", with_epilogue(c, DENSITY | POTENTIAL); c->e.density = c->potential + all - size);
}

/* Of filters.  Axis d of the grids, or the only one. */
static void errors_filter(stage *s, int axes) {
  static const struct {
    int lo, up;
  } wrong[] = {{1, 0},
               {0, -1},
               {0, 64},
               {-32, 32},
               {-1025, -1025},
               {1025, 1025},
               {-1025, -1000},
               {1000, 1025},
               {INT_MIN, INT_MAX},
               {INT_MIN, INT_MIN},
               {INT_MAX, INT_MAX},
               {INT_MAX, INT_MIN},
               {-1, INT_MAX},
               {INT_MIN, 0}};
  const size_t size = types[s->good.type].size;
  size_t i;
  int d, k;
  SPOIL(CONVK_ERR_NULL, "filter is NULL", c->fp = NULL);
  for (d = 0; d < axes; d++) {
    unsigned char *taps = s->buffers[TAPS_].data + 64 * (size_t)d * size;
    SPOIL(CONVK_ERR_NULL, s->good.op == OP_CONV1D ? "filter->taps is NULL" : "].taps is NULL", c->f[d].taps = NULL);
    for (i = 0; i < COUNT_OF(wrong); i++)
      SPOIL(CONVK_ERR_TAPS, "not 1 to 64 taps", c->f[d].lo = wrong[i].lo; c->f[d].up = wrong[i].up);
    SPOIL(CONVK_OK, "", c->f[d].lo = -1024; c->f[d].up = -961);
    SPOIL(CONVK_OK, "", c->f[d].lo = 961; c->f[d].up = 1024);
    for (k = 0; k < 3; k++)
      for (i = 0; i < 3; i++) {
        put(s->good.type, taps, i, not_finite(k));
        memcpy(s->before[TAPS_], s->buffers[TAPS_].data, s->buffers[TAPS_].bytes);
        SPOIL(CONVK_ERR_NONFINITE, s->good.op == OP_CONV1D ? "filter->taps[" : "].taps[", c->f[d].lo = -1);
        put(s->good.type, taps, i, 0.5);
        memcpy(s->before[TAPS_], s->buffers[TAPS_].data, s->buffers[TAPS_].bytes);
      }
  }
}

static void errors_sepconv3d(int type) {
  size_t number = 0;
  variant *v;
  static stage on;
  stage *s = &on;
  int d;
  while ((v = next_variant(&number, 0)) != NULL) {
    stage_new(s, v, type, OP_SEPCONV);
    errors_common(s);
    errors_grid(s);
    errors_epilogue(s);
    errors_filter(s, 3);
    for (d = 0; d < 3; d++) {
      SPOIL(CONVK_ERR_SHRINK, " shrinks ", c->b[d] = CONVK_BOUNDARY_SHRINK; c->f[d].up = c->f[d].lo + (d == 0   ? E_X
                                                                                                       : d == 1 ? E_Y
                                                                                                                : E_Z));
      SPOIL(CONVK_ERR_SHRINK, " shrinks ", c->b[d] = CONVK_BOUNDARY_SHRINK; c->f[d].lo = -31; c->f[d].up = 32);
      SPOIL(CONVK_OK, "", c->b[d] = CONVK_BOUNDARY_SHRINK; c->f[d].lo = 0; c->f[d].up = (d == 0   ? E_X
                                                                                         : d == 1 ? E_Y
                                                                                                  : E_Z) -
                                                                                        1;
            *(d == 0   ? &c->go.nx
              : d == 1 ? &c->go.ny
                       : &c->go.nz) = 1);
      SPOIL(CONVK_ERR_SIZE, "epilogue->dot", with_epilogue(c, DOT); c->b[d] = CONVK_BOUNDARY_SHRINK;
            *(d == 0   ? &c->go.nx
              : d == 1 ? &c->go.ny
                       : &c->go.nz) -= 2);
      SPOIL(CONVK_ERR_SIZE, "epilogue->dot", with_epilogue(c, DOT); c->b[d] = CONVK_BOUNDARY_GROW;
            *(d == 0   ? &c->go.nx
              : d == 1 ? &c->go.ny
                       : &c->go.nz) += 2);
    }
    stage_end(s);
  }
}

static void errors_magicfilter3d(int type) {
  static const int unknown[] = {2, -1, 99, INT_MIN, INT_MAX};
  size_t number = 0, i;
  variant *v;
  static stage on;
  stage *s = &on;
  int d;
  while ((v = next_variant(&number, 0)) != NULL) {
    stage_new(s, v, type, OP_MAGIC);
    errors_common(s);
    errors_grid(s);
    errors_epilogue(s);
    for (i = 0; i < COUNT_OF(unknown); i++) SPOIL(CONVK_ERR_OPTION, "direction is ", c->direction = unknown[i]);
    SPOIL(CONVK_OK, "", c->direction = CONVK_INVERSE);
    for (d = 0; d < 3; d++) SPOIL(CONVK_ERR_SHRINK, " shrinks ", c->b[d] = CONVK_BOUNDARY_SHRINK);
    SPOIL(CONVK_ERR_SHRINK, " shrinks ", all_sizes(c, 15, 1, 1); c->b[0] = CONVK_BOUNDARY_SHRINK);
    SPOIL(CONVK_OK, "", all_sizes(c, 16, 1, 1); c->b[0] = CONVK_BOUNDARY_SHRINK; c->go.nx = 1);
    stage_end(s);
  }
}

static void errors_potential_apply(int type) {
  size_t number = 0;
  variant *v;
  static stage on;
  stage *s = &on;
  int d;
  while ((v = next_variant(&number, 0)) != NULL) {
    stage_new(s, v, type, OP_POTENTIAL);
    errors_common(s);
    errors_grid(s);
    SPOIL(CONVK_ERR_NULL, "potential is NULL", c->potential = NULL);
    SPOIL(CONVK_OK, "", c->energy = NULL);
    SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->out = c->in + types[type].size);
    SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->out = c->potential);
    SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->out = c->potential + s->good.bytes - types[type].size);
    SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->energy = (double *)(void *)c->potential);
    SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->energy = (double *)(void *)(c->out - 4)); /* half of it */
    for (d = 0; d < 3; d++) SPOIL(CONVK_ERR_BOUNDARY, "shape->boundary", c->b[d] = CONVK_BOUNDARY_SHRINK);
    for (d = 0; d < 3; d++)
      SPOIL(CONVK_ERR_BOUNDARY, "shape->boundary", all_sizes(c, 20, 20, 20); c->b[d] = CONVK_BOUNDARY_SHRINK);
    stage_end(s);
  }
}

static void errors_conv1d(int type) {
  const size_t size = types[type].size;
  static const int unknown[] = {4, -1, 99, INT_MIN, INT_MAX};
  size_t number = 0, i;
  variant *v;
  static stage on;
  stage *s = &on;
  while ((v = next_variant(&number, 0)) != NULL) {
    stage_new(s, v, type, OP_CONV1D);
    errors_common(s);
    errors_filter(s, 1);
    SPOIL(CONVK_ERR_NULL, "shape is NULL", c->n = NO_SHAPE);
    SPOIL(CONVK_ERR_SIZE, "shape->n is 0", c->n = 0);
    SPOIL(CONVK_ERR_SIZE, "shape->ndat is 0", c->ndat = 0);
    SPOIL(CONVK_ERR_SIZE, "shape->n is 0", c->n = c->ndat = 0);
    SPOIL(CONVK_ERR_PITCH, "shape->ld_in is ", c->ld_in = E_N - 1);
    SPOIL(CONVK_ERR_PITCH, "shape->ld_in is ", c->ld_in = 1);
    SPOIL(CONVK_ERR_PITCH, "shape->ld_out is ", c->ld_out = E_NDAT - 1);
    SPOIL(CONVK_ERR_PITCH, "shape->ld_out is ", c->ld_out = 1);
    SPOIL(CONVK_OK, "", c->ld_in = E_N + 3; c->ld_out = E_NDAT + 5);
    SPOIL(CONVK_ERR_OVERFLOW, "shape->", c->n = SIZE_MAX);
    SPOIL(CONVK_ERR_OVERFLOW, "shape->", c->ndat = SIZE_MAX);
    SPOIL(CONVK_ERR_OVERFLOW, "shape->", c->n = HUGE_);
    SPOIL(CONVK_ERR_OVERFLOW, "shape->", c->ndat = HUGE_);
    SPOIL(CONVK_ERR_OVERFLOW, "shape->", c->n = (size_t)1 << (sizeof(size_t) * 4); c->ndat = (size_t)1 << (sizeof(size_t) * 4));
    SPOIL(CONVK_ERR_OVERFLOW, "shape->", c->ld_in = SIZE_MAX);
    SPOIL(CONVK_ERR_OVERFLOW, "shape->", c->ld_out = SIZE_MAX);
    SPOIL(CONVK_ERR_OVERFLOW, "shape->", c->ld_in = HUGE_ / 16);
    SPOIL(CONVK_ERR_OVERFLOW, "shape->", c->ld_out = HUGE_ / 4);
    SPOIL(CONVK_ERR_OVERFLOW, "shape->ld_in", c->ld_in = SIZE_MAX / 2 / size / E_NDAT);
    SPOIL(CONVK_ERR_OVERFLOW, "shape->ld_out", c->ld_out = SIZE_MAX / 2 / size / E_N);
    for (i = 0; i < COUNT_OF(unknown); i++) SPOIL(CONVK_ERR_BOUNDARY, "shape->boundary", c->boundary = unknown[i]);
    SPOIL(CONVK_ERR_SHRINK, " shrinks ", c->boundary = CONVK_BOUNDARY_SHRINK; c->f[0].up = c->f[0].lo + E_N);
    SPOIL(CONVK_OK, "", c->boundary = CONVK_BOUNDARY_SHRINK; c->f[0].up = c->f[0].lo + E_N - 1);
    SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->out = c->in);
    SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->out = c->in + size);
    SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->out = c->in + (E_N * E_NDAT - 1) * size);
    SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->in = c->out + (E_N * E_NDAT - 1) * size);
    SPOIL(CONVK_ERR_OVERLAP, " overlaps ", c->boundary = CONVK_BOUNDARY_GROW; c->in = c->out + (E_N * E_NDAT) * size);
    /* right behind the last row, whose gap belongs to nobody */
    SPOIL(CONVK_OK, "", c->ld_in = E_N + 3; c->in = c->density; c->out = c->density + ((E_NDAT - 1) * (E_N + 3) + E_N) * size);
    SPOIL(CONVK_OK, "", c->ld_out = E_NDAT + 3; c->out = c->density;
          c->in = c->density + ((E_N - 1) * (E_NDAT + 3) + E_NDAT) * size);
    stage_end(s);
  }
}

/* Helpers that only compute sizes. */
static void errors_sizes(int type) {
  const type_calls *calls = &sepconv_types[type];
  const double one[64] = {1};
  struct {
    convk_grid3 g;
    int lo, up, boundary, status;
  } list[] = {
      {{0, 1, 1, 0, 0}, 0, 0, 0, CONVK_ERR_SIZE},         {{1, 0, 1, 0, 0}, 0, 0, 0, CONVK_ERR_SIZE},
      {{1, 1, 0, 0, 0}, 0, 0, 0, CONVK_ERR_SIZE},         {{5, 5, 5, 4, 0}, 0, 0, 0, CONVK_ERR_PITCH},
      {{5, 5, 5, 5, 24}, 0, 0, 0, CONVK_ERR_PITCH},       {{HUGE_, 5, 5, 0, 0}, 0, 0, 0, CONVK_ERR_OVERFLOW},
      {{5, 5, HUGE_, 0, 0}, 0, 0, 0, CONVK_ERR_OVERFLOW}, {{5, 5, 5, 0, 0}, 1, 0, 0, CONVK_ERR_TAPS},
      {{5, 5, 5, 0, 0}, 0, 64, 0, CONVK_ERR_TAPS},        {{5, 5, 5, 0, 0}, -1025, -1024, 0, CONVK_ERR_TAPS},
      {{5, 5, 5, 0, 0}, 1020, 1025, 0, CONVK_ERR_TAPS},   {{5, 5, 5, 0, 0}, 0, 3, 4, CONVK_ERR_BOUNDARY},
      {{5, 5, 5, 0, 0}, 0, 3, -1, CONVK_ERR_BOUNDARY},    {{5, 5, 5, 0, 0}, 0, 5, CONVK_BOUNDARY_SHRINK, CONVK_ERR_SHRINK}};
  size_t i, bytes = 77;
  convk hw, closed;
  int d;
  memset(&closed, 0, sizeof closed);
  if (convk_open(&hw, "scalar")) return;
  for (i = 0; i < COUNT_OF(list); i++)
    for (d = 0; d < 3; d++) {
      any_filter f[3];
      int boundary[3] = {0, 0, 0}, a, status;
      convk_grid3 out, kept;
      memset(&out, 0x5a, sizeof out);
      kept = out;
      for (a = 0; a < 3; a++) {
        f[a].lo = f[a].up = 0;
        f[a].taps = one;
      }
      f[d].lo = list[i].lo;
      f[d].up = list[i].up;
      boundary[d] = list[i].boundary;
      describe("output_grid, case %lu on axis %d", (unsigned long)i, d);
      begin_case();
      status = calls->output_grid(&hw, &list[i].g, f, boundary, &out);
      want_status(status, list[i].status);
      want_said(hw.message, status, status == CONVK_ERR_TAPS ? "filter[" : "shape->");
      if (memcmp(&out, &kept, sizeof out)) fail("the grid was written");
      want_status(calls->sepconv3d_work(&hw, &list[i].g, NULL, f, boundary, &bytes), list[i].status);
      want_said(hw.message, status, status == CONVK_ERR_TAPS ? "filter[" : "shape->");
      if (bytes != 77) fail("the size was written");
      end_case();
    }
  {
    const convk_grid3 g = {5, 5, 5, 0, 0};
    const int boundary[3] = {0, 0, 0};
    any_filter f[3];
    convk_grid3 out;
    for (d = 0; d < 3; d++) {
      f[d].lo = f[d].up = 0;
      f[d].taps = one;
    }
    describe("output_grid with NULL");
    CHECK(calls->output_grid(&hw, NULL, f, boundary, &out) == CONVK_ERR_NULL && strstr(hw.message, "shape is NULL"));
    CHECK(calls->output_grid(NULL, NULL, f, boundary, &out) == CONVK_ERR_NULL);
    CHECK(calls->output_grid(&hw, &g, NULL, boundary, &out) == CONVK_ERR_NULL && strstr(hw.message, "filter is NULL"));
    CHECK(calls->output_grid(&hw, &g, f, boundary, NULL) == CONVK_ERR_NULL && strstr(hw.message, "out_grid is NULL"));
    CHECK(calls->output_grid(&hw, &g, f, boundary, &out) == CONVK_OK && !hw.message[0]);
    CHECK(calls->output_grid(&closed, &g, f, boundary, &out) == CONVK_ERR_HANDLE);
    CHECK(calls->sepconv3d_work(&hw, &g, NULL, f, boundary, NULL) == CONVK_ERR_NULL && strstr(hw.message, "bytes is NULL"));
    CHECK(calls->sepconv3d_work(&hw, &g, NULL, f, NULL, &bytes) == CONVK_ERR_NULL && strstr(hw.message, "shape is NULL"));
    CHECK(calls->sepconv3d_work(&closed, &g, NULL, f, boundary, &bytes) == CONVK_ERR_HANDLE && bytes == 77);
    CHECK(calls->sepconv3d_work(NULL, &g, NULL, f, boundary, &bytes) == CONVK_OK && bytes > 77);
  }
  for (d = 0; d < 3; d++) { /* sizes at the edge of what can be addressed */
    const int boundary[3] = {CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_GROW};
    int shift;
    for (shift = 20; shift < (int)sizeof(size_t) * 8; shift++) {
      convk_grid3 g = {1, 1, 1, 0, 0}, out;
      any_filter f[3];
      size_t n = (size_t)1 << shift;
      int a, status, work_status;
      for (a = 0; a < 3; a++) {
        f[a].lo = 0;
        f[a].up = a == d ? 63 : 0;
        f[a].taps = one;
      }
      *(d == 0 ? &g.nx : d == 1 ? &g.ny : &g.nz) = n;
      describe("2^%d points on axis %d", shift, d);
      begin_case();
      status = calls->output_grid(NULL, &g, f, boundary, &out);
      bytes = 0;
      work_status = calls->sepconv3d_work(NULL, &g, NULL, f, boundary, &bytes);
      if (work_status ? work_status != CONVK_ERR_OVERFLOW : status != CONVK_OK) fail("status %d of the work", work_status);
      if (status && status != CONVK_ERR_OVERFLOW) fail("status %d", status);
      if (n > SIZE_MAX / calls->size && !status) fail("accepted");
      if (!status && *(d == 0 ? &out.nx : d == 1 ? &out.ny : &out.nz) != n + 63) fail("wrong size");
      if (status && bytes) fail("work of %lu bytes", (unsigned long)bytes);
      if (bytes && d == 0 && bytes < n * calls->size) fail("work of only %lu bytes", (unsigned long)bytes);
      end_case();
    }
  }
}

#include "test_sepconv_sum.c"

#include "test_chebyshev.c"

/* ---------------------------------------------------------------------------------------------------------------------- */

static const test sepconv_tests[] = {
    {"sepconv3d", "reference", reference_itself, 1},
    {"magicfilter_taps", "values", magic_taps, 1},
    {"sepconv3d", "sizes", sizes_good, 1},
    {"sepconv3d", "work_size", sizes_work, 1},
    {"sepconv3d", "work_monotone", sizes_monotone, 1},
    {"sepconv3d", "size_errors", errors_sizes, 1},
    {"sepconv3d", "errors", errors_sepconv3d, 1},
    {"magicfilter3d", "errors", errors_magicfilter3d, 1},
    {"potential_apply", "errors", errors_potential_apply, 1},
    {"conv1d_transpose", "errors", errors_conv1d, 1},
    {"magicfilter3d", "impulse", magic_impulse, 1},
    {"sepconv3d", "shapes", sepconv_shapes, 1},
    {"magicfilter3d", "shapes", magic_shapes, 1},
    {"magicfilter3d", "boundaries", magic_boundaries, 1},
    {"sepconv3d", "taps", sepconv_taps, 1},
    {"sepconv3d", "epilogues", sepconv_epilogues, 1},
    {"sepconv3d", "random", sepconv_random, 1},
    {"sepconv3d", "special", sepconv_special, 1},
    {"magicfilter3d", "reach", sepconv_reach, 1},
    {"sepconv3d", "cuts", sepconv_cuts, 1},
    {"sepconv3d", "hook", sepconv_hook, 1},
    {"magicfilter3d", "concurrent", sepconv_concurrent, 1},
    {"magicfilter3d", "by_name", magic_by_name, 1},
    {"magicfilter3d", "control", magic_control, 1},
    {"magicfilter3d", "polynomials", magic_polynomials, 1},
    {"magicfilter3d", "adjoint", magic_adjoint, 1},
    {"magicfilter3d", "waves", magic_waves, 1},
    {"magicfilter3d", "linear", magic_linear, 1},
    {"potential_apply", "shapes", potential_shapes, 1},
    {"potential_apply", "cuts", potential_cuts, 1},
    {"conv1d_transpose", "shapes", conv1d_shapes, 1},
    {"conv1d_transpose", "cuts", conv1d_cuts, 1},
    {"conv1d_transpose", "three", conv1d_three, 1},
    {"sumconv3d", "errors", sum_errors, 0},
    {"sumconv3d", "shapes", sum_shapes, TYPED_LONG},
    {"sumconv3d", "special", sum_special, 1},
    {"derivative_filter", "values", sum_taps, 1},
    {"sumconv3d", "waves", sum_waves, 1},
    {"sumconv3d", "hermitian", sum_hermitian, 1},
    {"sumconv3d", "short", sum_short, 0},
    {"chebyshev3d", "errors", cheb_errors, 0},
    {"chebyshev3d", "recurrence", cheb_recurrence, 1},
    {"chebyshev3d", "sweeps", cheb_sweeps, 1},
    {"chebyshev3d", "sizes", cheb_sizes, 0},
    {"chebyshev3d", "waves", cheb_waves, 1},
};
TEST_LIST(sepconv)

#include "test_dwt.c"
#include "test_hamiltonian.c"
#include "test_chebyshev_there.c"
