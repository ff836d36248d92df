/* SPDX-License-Identifier: MIT
   Tests of sums of filters along the axes.  Included by test_sepconv.c, after those of products. */

/* ------------------------------------------------------------------------------------------------------------- problems -- */

/* The kinds of filters, as the terms have them: f, g (times i), G (of products). */
enum { SUM_FILTER, SUM_IMAG, SUM_FIRST };

typedef struct sum_filter {
  int lo, ntaps; /* 0: none */
  double taps[64];
} sum_filter;

typedef struct sum_pair {
  long double re, im;
} sum_pair;

typedef struct sum_problem {
  int type, step, boundary[3], potential, add, past; /* step: 2 for complex numbers; past: the caches, and no sums */
  size_t n[3], m[3], vectors;
  sum_filter filter[3][3];
  double mixed[3], phase[3][2], potential_factor, shift, add_factor;
  double *x, *v, *z; /* packed */
  sum_pair *y;       /* the exact result; bound: of its error, of each part */
  long double *bound;
  convk_sumconv_sums *sums, *sums_bound;
} sum_problem;

/* Everything of a call but the kind of its numbers. */
typedef struct sum_call {
  convk *hw;
  const convk_sumconv3d_shape *shape;
  const void *terms;
  const void *in;
  void *out;
  convk_sumconv_sums *sums;
  void *work;
  size_t work_size;
} sum_call;

#define SUM_NAMED(NAME, T, HW) \
  if (!strcmp(name, #HW)) { \
    *known = 1; \
    return NAME##_##HW(k->hw, k->shape, (const SUM_TERMS_##T *)k->terms, (const T *)k->in, (T *)k->out, k->sums, k->work, \
                       k->work_size); \
  }
#define SUM_TERMS_float convk_sumconv_terms_f32
#define SUM_TERMS_double convk_sumconv_terms_f64
#define SUM_CALLS(TYPE, COMPLEX, T) \
  static int sum_named_##TYPE(const sum_call *k, const char *name, int *known) { \
    ON_PROCESSORS(SUM_NAMED, convk_sumconv3d_##TYPE, T) \
    return 1; \
  } \
  static int sum_named_##COMPLEX(const sum_call *k, const char *name, int *known) { \
    ON_PROCESSORS(SUM_NAMED, convk_sumconv3d_##COMPLEX, T) \
    return 1; \
  } \
  static int sum_handle_##TYPE(const sum_call *k, int step) { \
    const convk_sumconv_terms_##TYPE *terms = (const convk_sumconv_terms_##TYPE *)k->terms; \
    return step == 1 \
               ? convk_sumconv3d_##TYPE(k->hw, k->shape, terms, (const T *)k->in, (T *)k->out, k->sums, k->work, k->work_size) \
               : convk_sumconv3d_##COMPLEX(k->hw, k->shape, terms, (const T *)k->in, (T *)k->out, k->sums, k->work, \
                                           k->work_size); \
  } \
  static void sum_terms_##TYPE(const sum_problem *p, const void *v, const void *z, T(*taps)[3][64], \
                               convk_sumconv_terms_##TYPE *terms) { \
    int kind, d, k; \
    memset(terms, 0, sizeof *terms); \
    for (kind = 0; kind < 3; kind++) \
      for (d = 0; d < 3; d++) { \
        const sum_filter *f = &p->filter[kind][d]; \
        convk_filter_##TYPE *to = kind == 0 ? &terms->filter[d] : kind == 1 ? &terms->imag[d] : &terms->first[d]; \
        for (k = 0; k < f->ntaps; k++) taps[kind][d][k] = (T)f->taps[k]; \
        to->lo = f->lo; \
        to->up = f->lo + f->ntaps - 1; \
        to->taps = f->ntaps ? taps[kind][d] : NULL; \
      } \
    for (d = 0; d < 3; d++) { \
      terms->mixed[d] = (T)p->mixed[d]; \
      terms->phase[d][0] = p->phase[d][0]; \
      terms->phase[d][1] = p->phase[d][1]; \
    } \
    terms->potential = (const T *)v; \
    terms->potential_factor = (T)p->potential_factor; \
    terms->shift = (T)p->shift; \
    terms->add = (const T *)z; \
    terms->add_factor = (T)p->add_factor; \
  }
SUM_CALLS(f32, c32, float)
SUM_CALLS(f64, c64, double)

static int sum_work(int type, int step, convk *hw, const convk_sumconv3d_shape *shape, const void *terms, size_t *bytes) {
  const convk_sumconv_terms_f32 *a = (const convk_sumconv_terms_f32 *)terms;
  const convk_sumconv_terms_f64 *b = (const convk_sumconv_terms_f64 *)terms;
  if (step == 1)
    return type ? convk_sumconv3d_work_size_f64(hw, shape, b, bytes) : convk_sumconv3d_work_size_f32(hw, shape, a, bytes);
  return type ? convk_sumconv3d_work_size_c64(hw, shape, b, bytes) : convk_sumconv3d_work_size_c32(hw, shape, a, bytes);
}

static void sum_filter_set(sum_problem *p, int kind, int d, int lo, int ntaps, uint64_t *rng) {
  sum_filter *f = &p->filter[kind][d];
  int k;
  f->lo = lo;
  f->ntaps = ntaps;
  for (k = 0; k < ntaps; k++) f->taps[k] = random_below(rng, 12) ? draw(p->type, DATA_UNIFORM, rng) : 0;
}

/* Sizes of the output, and its first point in the input. */
static long sum_origin(const sum_problem *p, int d) {
  const sum_filter *f = &p->filter[SUM_FILTER][d];
  return f->ntaps ? ref_first(f->lo, f->lo + f->ntaps - 1, p->boundary[d]) : 0;
}

/* x at any point of the grid that goes on beyond its ends. */
static sum_pair sum_at(const sum_problem *p, size_t vector, const long c[3]) {
  sum_pair value = {0, 0}, phase = {1, 0};
  size_t at = vector;
  int d;
  for (d = 2; d >= 0; d--) {
    const long n = (long)p->n[d];
    long i = c[d];
    if (p->boundary[d] != CONVK_BOUNDARY_PERIODIC && (i < 0 || i >= n)) return value;
    for (; i < 0 || i >= n; i += i < 0 ? n : -n)
      if (p->phase[d][0] != 0 || p->phase[d][1] != 0) {
        const long double im = i < 0 ? -(long double)p->phase[d][1] : (long double)p->phase[d][1], was = phase.re;
        phase.re = was * p->phase[d][0] - phase.im * im;
        phase.im = was * im + phase.im * p->phase[d][0];
      }
    at = at * p->n[d] + (size_t)i;
  }
  value.re = p->x[at * (size_t)p->step];
  if (p->step == 1) return value;
  value.im = p->x[at * 2 + 1];
  if (phase.re == 1 && phase.im == 0) return value;
  {
    const long double was = value.re;
    value.re = was * phase.re - value.im * phase.im;
    value.im = was * phase.im + value.im * phase.re;
  }
  return value;
}

static long double sum_size(sum_pair a) { return fabsl(a.re) + fabsl(a.im); }

/* Adds factor times a filter along d at a point to s; magnitudes to *bound. */
static void sum_along(const sum_problem *p, size_t vector, const long c[3], int kind, int d, sum_pair *s, long double *bound) {
  const sum_filter *f = &p->filter[kind][d];
  int k;
  for (k = 0; k < f->ntaps; k++) {
    long at[3];
    sum_pair x;
    memcpy(at, c, sizeof at);
    at[d] += f->lo + k;
    x = sum_at(p, vector, at);
    s->re += f->taps[k] * x.re;
    s->im += f->taps[k] * x.im;
    *bound += fabsl((long double)f->taps[k]) * sum_size(x);
  }
}

/* The mixed term of the other two axes than d. */
static void sum_product(const sum_problem *p, size_t vector, const long c[3], int d, sum_pair *s, long double *bound) {
  const int a = (d + 1) % 3, b = (d + 2) % 3;
  const sum_filter *f = &p->filter[SUM_FIRST][a];
  int k;
  for (k = 0; k < f->ntaps; k++) {
    sum_pair part = {0, 0};
    long double more = 0;
    long at[3];
    memcpy(at, c, sizeof at);
    at[a] += f->lo + k;
    sum_along(p, vector, at, SUM_FIRST, b, &part, &more);
    s->re += f->taps[k] * part.re;
    s->im += f->taps[k] * part.im;
    *bound += fabsl((long double)f->taps[k]) * more;
  }
}

/* One point: its result, and what sums get of it. */
static void sum_point(sum_problem *p, size_t vector, size_t index, const long c[3], size_t point) {
  const sum_pair x = sum_at(p, vector, c);
  sum_pair y = {0, 0}, part[3], all = {0, 0};
  long double bound = 0, terms = 12, size = sum_size(x);
  convk_sumconv_sums *s = &p->sums[vector];
  int d;
  for (d = 0; d < 3; d++) {
    sum_pair g = {0, 0};
    memset(&part[d], 0, sizeof part[d]);
    sum_along(p, vector, c, SUM_FILTER, d, &part[d], &bound);
    sum_along(p, vector, c, SUM_IMAG, d, &g, &bound);
    part[d].re -= g.im;
    part[d].im += g.re;
    y.re += part[d].re;
    y.im += part[d].im;
    terms += 2 * (p->filter[0][d].ntaps + p->filter[1][d].ntaps + p->filter[2][d].ntaps);
    s->axis[d] += (double)(x.re * part[d].re + x.im * part[d].im);
  }
  for (d = 0; d < 3; d++) {
    sum_pair m = {0, 0};
    long double more = 0;
    if (p->mixed[d] == 0) continue;
    sum_product(p, vector, c, d, &m, &more);
    all.re += p->mixed[d] * m.re;
    all.im += p->mixed[d] * m.im;
    bound += fabsl((long double)p->mixed[d]) * more;
  }
  y.re += all.re;
  y.im += all.im;
  s->mixed += (double)(x.re * all.re + x.im * all.im);
  if (p->potential || p->shift != 0) {
    const long double v = p->potential ? p->v[point] : 0, factor = (p->potential ? p->potential_factor * v : 0) + p->shift;
    y.re += factor * x.re;
    y.im += factor * x.im;
    bound += (fabsl((long double)p->potential_factor * v) + fabsl((long double)p->shift)) * size;
    s->potential += (double)(v * (x.re * x.re + x.im * x.im));
    p->sums_bound[vector].potential += (double)(fabsl(v) * size * size);
  }
  if (p->add) {
    const double *z = p->z + index * (size_t)p->step;
    y.re += (long double)p->add_factor * z[0];
    bound += fabsl((long double)p->add_factor * z[0]);
    if (p->step == 2) y.im += (long double)p->add_factor * z[1];
    if (p->step == 2) bound += fabsl((long double)p->add_factor * z[1]);
  }
  p->y[index] = y;
  p->bound[index] = 2 * bound * types[p->type].unit * terms * slack();
  s->dot[0] += (double)(x.re * y.re + x.im * y.im);
  s->dot[1] += (double)(x.re * y.im - x.im * y.re);
  s->norm += (double)(y.re * y.re + y.im * y.im);
  p->sums_bound[vector].dot[0] += (double)(size * bound);
  p->sums_bound[vector].norm += (double)(2 * bound * bound);
}

/* Data and reference; sizes, filters and numbers must be set. */
static void sum_finish(sum_problem *p, int data, uint64_t *rng) {
  const int with_phase = p->phase[0][0] != 0 || p->phase[1][0] != 0 || p->phase[2][0] != 0;
  size_t in_count = p->vectors, out_count = 1, i;
  int d;
  for (d = 0; d < 3; d++) {
    const sum_filter *f = &p->filter[SUM_FILTER][d];
    p->m[d] = f->ntaps ? ref_points(p->n[d], f->lo, f->lo + f->ntaps - 1, p->boundary[d]) : p->n[d];
    in_count *= p->n[d];
    out_count *= p->m[d];
  }
  p->x = drawn(p->type, DATA_UNIFORM, in_count * (size_t)p->step, rng);
  p->v = drawn(p->type, DATA_UNIFORM, out_count, rng);
  p->z = drawn(p->type, DATA_UNIFORM, out_count * p->vectors * (size_t)p->step, rng);
  if (data == DATA_SPECIAL) /* an infinite part times phases is infinite or NaN, as these are multiplied */
    for (i = 0; i < (with_phase ? 1 : 3); i++) p->x[random_below(rng, in_count * (size_t)p->step)] = not_finite((int)i);
  p->y = (sum_pair *)need(out_count * p->vectors * sizeof *p->y);
  p->bound = (long double *)need(out_count * p->vectors * sizeof *p->bound);
  p->sums = (convk_sumconv_sums *)need(p->vectors * sizeof *p->sums);
  p->sums_bound = (convk_sumconv_sums *)need(p->vectors * sizeof *p->sums);
  memset(p->sums, 0, p->vectors * sizeof *p->sums);
  memset(p->sums_bound, 0, p->vectors * sizeof *p->sums);
  for (i = 0; i < out_count * p->vectors; i++) {
    const size_t point = i % out_count;
    const long c[3] = {(long)(point % p->m[0]) + sum_origin(p, 0), (long)(point / p->m[0] % p->m[1]) + sum_origin(p, 1),
                       (long)(point / p->m[0] / p->m[1]) + sum_origin(p, 2)};
    sum_point(p, i / out_count, i, c, point);
  }
}

static void sum_free(sum_problem *p) {
  free(p->x);
  free(p->v);
  free(p->z);
  free(p->y);
  free(p->bound);
  free(p->sums);
  free(p->sums_bound);
}

static void sum_describe(const sum_problem *p) {
  const int *b = p->boundary;
  int kind, d;
  suite.type = p->step == 2 ? (p->type ? "c64" : "c32") : types[p->type].name;
  describe("%lux%lux%lu x %lu %c%c%c", (unsigned long)p->n[0], (unsigned long)p->n[1], (unsigned long)p->n[2],
           (unsigned long)p->vectors, boundary_letters[b[0]], boundary_letters[b[1]], boundary_letters[b[2]]);
  for (kind = 0; kind < 3; kind++) {
    describe_more(" %s", kind == 0 ? "f" : kind == 1 ? "g" : "G");
    for (d = 0; d < 3; d++)
      describe_more(" %d..%d", p->filter[kind][d].lo, p->filter[kind][d].lo + p->filter[kind][d].ntaps - 1);
  }
  for (d = 0; d < 3; d++) describe_more("%s%s", p->mixed[d] != 0 ? " mixed" : "", p->phase[d][0] != 0 ? " phase" : "");
  describe_more("%s%s%s", p->potential ? " V" : "", p->shift != 0 ? " c" : "", p->add ? " z" : "");
}

/* --------------------------------------------------------------------------------------------------------------- runs -- */

/* Arrays of some vectors, between pages that fault, of numbers that come `step` together. */
typedef struct sum_array {
  guard g;
  convk_grid3 given, full;
  size_t stride, given_stride, vectors, step;
  int type;
} sum_array;

static sum_array sum_array_new(int type, int step, const size_t n[3], size_t vectors, const double *values, uint64_t *rng) {
  const size_t size = types[type].size;
  sum_array a;
  array one;
  size_t span, v, x, y, z, k;
  any_layout(&one, n, rng);
  memset(&a, 0, sizeof a);
  a.given = one.given;
  a.full = one.full;
  a.type = type;
  a.step = (size_t)step;
  a.vectors = vectors;
  span = (n[2] - 1) * a.full.pitch_z + (n[1] - 1) * a.full.pitch_y + n[0];
  a.given_stride = random_below(rng, 2) ? span + random_below(rng, 5) : 0;
  a.stride = a.given_stride ? a.given_stride : n[2] * a.full.pitch_z;
  a.g = guard_new(((vectors - 1) * a.stride + span) * a.step * size, random_below(rng, 2) ? AT_END : AT_START,
                  random_below(rng, 2) ? random_below(rng, 16) * size : 0);
  for (v = 0; values && v < vectors; v++)
    for (z = 0; z < n[2]; z++)
      for (y = 0; y < n[1]; y++)
        for (x = 0; x < n[0]; x++)
          for (k = 0; k < a.step; k++)
            put(type, a.g.data, (v * a.stride + z * a.full.pitch_z + y * a.full.pitch_y + x) * a.step + k, *values++);
  return a;
}

/* What is there, packed; what lies between must be as it was. */
static double *sum_array_values(const sum_array *a, const char *name) {
  const convk_grid3 *f = &a->full;
  const size_t size = types[a->type].size, all = a->g.bytes / size;
  double *values = reals(a->vectors * f->nx * f->ny * f->nz * a->step), *to = values;
  unsigned char *seen = (unsigned char *)need(all);
  size_t v, x, y, z, k, i;
  memset(seen, 0, all);
  for (v = 0; v < a->vectors; v++)
    for (z = 0; z < f->nz; z++)
      for (y = 0; y < f->ny; y++)
        for (x = 0; x < f->nx; x++)
          for (k = 0; k < a->step; k++) {
            const size_t at = (v * a->stride + z * f->pitch_z + y * f->pitch_y + x) * a->step + k;
            *to++ = get(a->type, a->g.data, at);
            seen[at] = 1;
          }
  for (i = 0; i < all; i++)
    if (!seen[i] && !all_fill(a->g.data + i * size, a->g.data + (i + 1) * size)) break;
  if (i < all) fail("%s: padding was written", name);
  if (!guard_intact(&a->g)) fail("%s: memory around the array was written", name);
  free(seen);
  return values;
}

static void sum_judge_sums(const sum_problem *p, const convk_sumconv_sums *got) {
  const size_t count = p->m[0] * p->m[1] * p->m[2];
  const double unit = types[p->type].unit;
  double depth = 40;
  size_t v, k;
  int d;
  for (d = 0; d < 3; d++) depth += 2 * (p->filter[0][d].ntaps + p->filter[1][d].ntaps + p->filter[2][d].ntaps);
  (void)count;
  for (v = 0; v < p->vectors; v++) {
    const convk_sumconv_sums *r = &p->sums[v], *b = &p->sums_bound[v];
    const double near_dot = 4 * unit * depth * b->dot[0], near_norm = 4 * unit * depth * b->norm;
    const double near_v = 4 * unit * 8 * b->potential;
    if (!(fabs(got[v].dot[0] - r->dot[0]) <= near_dot))
      fail("vector %lu: <x|y> %.17g, not %.17g", (unsigned long)v, got[v].dot[0], r->dot[0]);
    if (!(fabs(got[v].dot[1] - r->dot[1]) <= near_dot))
      fail("vector %lu: Im <x|y> %.17g, not %.17g", (unsigned long)v, got[v].dot[1], r->dot[1]);
    if (!(fabs(got[v].norm - r->norm) <= near_norm))
      fail("vector %lu: <y|y> %.17g, not %.17g", (unsigned long)v, got[v].norm, r->norm);
    if (p->potential && !(fabs(got[v].potential - r->potential) <= near_v))
      fail("vector %lu: <x|V|x> %.17g, not %.17g", (unsigned long)v, got[v].potential, r->potential);
    if (!p->potential && got[v].potential != 0) fail("vector %lu: <x|V|x> without V", (unsigned long)v);
    for (k = 0; k < 3; k++)
      if (!(fabs(got[v].axis[k] - r->axis[k]) <= near_dot))
        fail("vector %lu: <x|F_%lu x> %.17g, not %.17g", (unsigned long)v, (unsigned long)k, got[v].axis[k], r->axis[k]);
    if (!(fabs(got[v].mixed - r->mixed) <= near_dot))
      fail("vector %lu: <x|M x> %.17g, not %.17g", (unsigned long)v, got[v].mixed, r->mixed);
  }
}

static void sum_judge(const sum_problem *p, const double *got) {
  const size_t count = p->m[0] * p->m[1] * p->m[2] * p->vectors;
  size_t i, wrong = 0, first = 0;
  double worst = 0;
  for (i = 0; i < count * (size_t)p->step; i++) {
    const sum_pair y = p->y[i / (size_t)p->step];
    const long double want = p->step == 2 && i % 2 ? y.im : y.re, off = fabsl((long double)got[i] - want);
    const long double bound = p->bound[i / (size_t)p->step];
    const int finite = fabsl(want) <= 1e300L;
    if (finite && off > worst * bound) worst = bound > 0 ? (double)(off / bound) : worst;
    if (finite ? off > bound || off != off : want != want ? got[i] == got[i] : !((long double)got[i] == want))
      if (!wrong++) first = i;
  }
  error_note("of bound", worst, 1, 0, 0, 0, count);
  if (wrong)
    fail("%lu of %lu wrong, first %lu: %.17g, not %.17Lg", (unsigned long)wrong, (unsigned long)count, (unsigned long)first,
         got[first], p->step == 2 && first % 2 ? p->y[first / 2].im : p->y[first / (size_t)p->step].re);
}

/* A call of the problem by a variant: work, sums, ways as random says.  in_place: z is where the result goes. */
static void sum_run_variant(sum_problem *p, variant *v, class_results *same_y, class_results *same_sums, int special,
                            uint64_t *rng) {
  const execution e = any_execution(rng);
  hook k = hook_new(e.hook, e.threads, random64(rng));
  const int any = (int)random_below(rng, CALL_KINDS), how = v->device || p->past ? CALL_HANDLE : any;
  const int wants = random_below(rng, 4) && !p->past ? 1 : 0;
  const int in_place = p->add && random_below(rng, 2), out_too = in_place || !wants || random_below(rng, 8);
  const size_t count = p->m[0] * p->m[1] * p->m[2] * p->vectors * (size_t)p->step;
  sum_array in = sum_array_new(p->type, p->step, p->n, p->vectors, p->x, rng);
  sum_array out = sum_array_new(p->type, p->step, p->m, p->vectors, in_place ? p->z : NULL, rng), z = out, potential;
  float taps_f32[3][3][64];
  double taps_f64[3][3][64], *values;
  convk_sumconv_terms_f32 terms_f32;
  convk_sumconv_terms_f64 terms_f64;
  convk_sumconv3d_shape shape;
  convk_sumconv_sums *sums = (convk_sumconv_sums *)need(p->vectors * sizeof *sums);
  workspace w;
  sum_call c;
  convk copy;
  size_t bytes = 0, i;
  int known = 0, status;
  long live;
  if (p->add && !in_place) { /* laid out as the result */
    size_t x, j = 0;
    z.g = guard_new(out.g.bytes, AT_END, 0);
    for (x = 0; x < count; x++) {
      const size_t e0 = x / (size_t)p->step, one = p->m[0] * p->m[1] * p->m[2], q = e0 % one;
      j = (e0 / one * out.stride + q / (p->m[0] * p->m[1]) * out.full.pitch_z + q / p->m[0] % p->m[1] * out.full.pitch_y +
           q % p->m[0]) *
              (size_t)p->step +
          x % (size_t)p->step;
      put(p->type, z.g.data, j, p->z[x]);
    }
  }
  memset(&potential, 0, sizeof potential);
  potential.g = guard_new(((p->m[2] - 1) * out.full.pitch_z + (p->m[1] - 1) * out.full.pitch_y + p->m[0]) * types[p->type].size,
                          AT_END, 0);
  for (i = 0; i < p->m[0] * p->m[1] * p->m[2]; i++)
    put(p->type, potential.g.data,
        i / (p->m[0] * p->m[1]) * out.full.pitch_z + i / p->m[0] % p->m[1] * out.full.pitch_y + i % p->m[0], p->v[i]);
  memset(&shape, 0, sizeof shape);
  shape.in = in.given;
  shape.out = out.given;
  memcpy(shape.boundary, p->boundary, sizeof shape.boundary);
  shape.vectors = p->vectors > 1 ? p->vectors : random_below(rng, 2);
  shape.in_stride = in.given_stride;
  shape.out_stride = out.given_stride;
  sum_terms_f32(p, p->potential ? potential.g.data : NULL, p->add ? z.g.data : NULL, taps_f32, &terms_f32);
  sum_terms_f64(p, p->potential ? potential.g.data : NULL, p->add ? z.g.data : NULL, taps_f64, &terms_f64);
  c.hw = how == CALL_BARE ? NULL : handle_for(v, &copy, &e, &k);
  if (p->past && !v->device) c.hw->tuning.nontemporal = 1;
  c.shape = &shape;
  c.terms = p->type ? (const void *)&terms_f64 : (const void *)&terms_f32;
  c.in = in.g.data;
  c.out = out_too ? out.g.data : NULL;
  c.sums = wants ? sums : NULL;
  sum_describe(p);
  execution_describe(&e);
  describe_more(" %s%s%s", wants ? "sums " : "", in_place ? "in place " : "", out_too ? "" : "no out");
  begin_case();
  if (sum_work(p->type, p->step, c.hw, &shape, c.terms, &bytes)) fail("work_size");
  w = workspace_new(e.work, bytes, rng);
  c.work = w.work;
  c.work_size = w.size;
  live = heap.live;
  memset(sums, FILL_, p->vectors * sizeof *sums);
  {
    const surroundings s = before_call();
    if (how == CALL_HANDLE) {
      status = p->type ? sum_handle_f64(&c, p->step) : sum_handle_f32(&c, p->step);
    } else if (p->step == 1) {
      status = p->type ? sum_named_f64(&c, v->name, &known) : sum_named_f32(&c, v->name, &known);
    } else {
      status = p->type ? sum_named_c64(&c, v->name, &known) : sum_named_c32(&c, v->name, &known);
    }
    after_call(s, v->device);
  }
  check_status(status, live);
  workspace_end(&w);
  values = sum_array_values(&in, "input");
  for (i = 0; i < p->vectors * p->n[0] * p->n[1] * p->n[2] * (size_t)p->step; i++)
    if (!same(values[i], p->x[i])) break;
  if (i < p->vectors * p->n[0] * p->n[1] * p->n[2] * (size_t)p->step) fail("the input was written");
  free(values);
  if (out_too) {
    values = sum_array_values(&out, "out");
    if (special || !same_as_class(same_y, v, values, count * sizeof *values)) sum_judge(p, values);
    free(values);
  } else if (!all_fill(out.g.data, out.g.data + out.g.bytes)) fail("an output that is none was written");
  if (wants && !special && !same_as_class(same_sums, v, sums, p->vectors * sizeof *sums)) sum_judge_sums(p, sums);
  if (!guard_intact(&potential.g)) fail("memory around V was written");
  end_case();
  if (p->add && !in_place) guard_free(&z.g);
  guard_free(&in.g);
  guard_free(&out.g);
  guard_free(&potential.g);
  free(sums);
}

static void sum_run(sum_problem *p, int special, uint64_t *rng) {
  class_results same_y, same_sums;
  size_t number = 0;
  variant *v;
  memset(&same_y, 0, sizeof same_y);
  memset(&same_sums, 0, sizeof same_sums);
  while ((v = next_variant(&number, 0)) != NULL) sum_run_variant(p, v, &same_y, &same_sums, special, rng);
  class_results_end(&same_y);
  class_results_end(&same_sums);
  suite.type = types[p->type].name;
}

/* Anything; part: bits of what it must have. */
enum { SUM_WITH_IMAG = 1, SUM_WITH_MIXED = 2, SUM_WITH_PHASE = 4, SUM_WITH_REST = 8, SUM_WITH_LONG = 16 };
static void sum_any(sum_problem *p, int type, int step, const size_t n[3], unsigned with, uint64_t *rng) {
  int d, kind;
  memset(p, 0, sizeof *p);
  p->type = type;
  p->step = step;
  p->vectors = random_below(rng, 4) ? 1 : 1 + random_below(rng, 3);
  for (d = 0; d < 3; d++) {
    const int most = with & SUM_WITH_LONG ? 64 : 12, taps = 1 + (int)random_below(rng, (size_t)most);
    const int lo = -(int)random_below(rng, (size_t)taps);
    p->n[d] = n[d];
    p->boundary[d] = (int)random_below(rng, 4);
    if (with & SUM_WITH_PHASE && random_below(rng, 3)) p->boundary[d] = CONVK_BOUNDARY_PERIODIC;
    if (random_below(rng, 8)) sum_filter_set(p, SUM_FILTER, d, lo, taps, rng);
    if (p->boundary[d] == CONVK_BOUNDARY_PERIODIC || p->boundary[d] == CONVK_BOUNDARY_ZERO)
      p->filter[SUM_FILTER][d].lo += random_int(rng, -6, 6);
    if (p->boundary[d] == CONVK_BOUNDARY_SHRINK && p->filter[SUM_FILTER][d].ntaps > (int)n[d])
      sum_filter_set(p, SUM_FILTER, d, -(int)random_below(rng, n[d]), (int)n[d], rng);
    for (kind = 1; kind < 3; kind++) {
      const sum_filter *f = &p->filter[SUM_FILTER][d];
      const int ends = p->boundary[d] == CONVK_BOUNDARY_GROW || p->boundary[d] == CONVK_BOUNDARY_SHRINK;
      const int count = ends ? f->ntaps : 1 + (int)random_below(rng, 9);
      if (kind == SUM_IMAG ? !(with & SUM_WITH_IMAG) || !random_below(rng, 3) : !(with & SUM_WITH_MIXED)) continue;
      if (ends && count && count < 10) sum_filter_set(p, kind, d, f->lo, count, rng);
      else if (ends && f->ntaps) sum_filter_set(p, kind, d, f->lo + f->ntaps / 3, 1 + f->ntaps / 4, rng);
      else if (ends) sum_filter_set(p, kind, d, 0, 1, rng);
      else sum_filter_set(p, kind, d, random_int(rng, -7, 3), count, rng);
    }
    if (with & SUM_WITH_PHASE && p->boundary[d] == CONVK_BOUNDARY_PERIODIC && random_below(rng, 4)) {
      const double angle = 3 * random_unit(rng);
      p->phase[d][0] = cos(angle);
      p->phase[d][1] = sin(angle);
    }
  }
  for (d = 0; d < 3 && with & SUM_WITH_MIXED; d++)
    if (random_below(rng, 4)) p->mixed[d] = draw(type, DATA_UNIFORM, rng);
  if (with & SUM_WITH_REST) {
    p->potential = (int)random_below(rng, 2);
    p->potential_factor = draw(type, DATA_UNIFORM, rng);
    if (random_below(rng, 2)) p->shift = draw(type, DATA_UNIFORM, rng);
    p->add = (int)random_below(rng, 2);
    p->add_factor = draw(type, DATA_UNIFORM, rng);
  }
}

static void sum_shapes(int type) {
  static const size_t sizes[] = {1, 2, 3, 5, 7, 8, 9, 13, 15, 16, 17, 19, 31, 33};
  const int cases = suite.quick ? 36 : 400;
  uint64_t rng = random_seed("sum_shapes");
  int i, d;
  for (i = 0; i < cases; i++) {
    const int step = 1 + i % 2;
    const int beside = i % 12 == 8 || i % 12 == 9; /* filters reach past all of x, to the left alone */
    const unsigned with =
        i % 12 > 7 ? 0 : (unsigned)random_below(&rng, 32) & (step == 1 ? ~(unsigned)(SUM_WITH_IMAG | SUM_WITH_PHASE) : ~0u);
    sum_problem p;
    size_t n[3];
    for (d = 0; d < 3; d++) n[d] = sizes[random_below(&rng, COUNT_OF(sizes))];
    if (!random_below(&rng, 5)) n[random_below(&rng, 3)] = 60 + random_below(&rng, 80);
    while (n[0] * n[1] * n[2] > (suite.quick ? 1500 : 4000)) n[random_below(&rng, 3)] = 1 + random_below(&rng, 8);
    if (!with) {
      n[0] = beside ? 1 + random_below(&rng, 3) : 8 + random_below(&rng, 45);
      n[1] = 1 + random_below(&rng, 9);
      n[2] = 4 + random_below(&rng, 5);
    }
    sum_any(&p, type, step, n, with, &rng);
    p.past = i % 12 > 7;
    for (d = 0; p.past && d < 3; d++) {
      p.boundary[d] = random_below(&rng, 2) ? CONVK_BOUNDARY_PERIODIC : CONVK_BOUNDARY_ZERO;
      sum_filter_set(&p, SUM_FILTER, d, -4, 9 - (int)random_below(&rng, 8), &rng);
    }
    for (d = 0; beside && d < 3; d++) {
      p.boundary[d] = CONVK_BOUNDARY_PERIODIC;
      sum_filter_set(&p, SUM_FILTER, d, -4, 1 + (int)random_below(&rng, 4), &rng);
    }
    sum_finish(&p, DATA_UNIFORM, &rng);
    sum_run(&p, 0, &rng);
    sum_free(&p);
  }
}

/* NaN and infinity reach what the formula says, and nothing else. */
static void sum_special(int type) {
  uint64_t rng = random_seed("sum_special");
  int i;
  for (i = 0; i < (suite.quick ? 12 : 40); i++) {
    const size_t n[3] = {5 + random_below(&rng, 30), 1 + random_below(&rng, 14), 1 + random_below(&rng, 12)};
    sum_problem p;
    sum_any(&p, type, 1 + i % 2, n, i % 2 ? 15 : 10, &rng);
    sum_finish(&p, DATA_SPECIAL, &rng);
    sum_run(&p, 1, &rng);
    sum_free(&p);
  }
}

/* ------------------------------------------------------------------------------------------------------------- filters -- */

static void sum_taps(int type) {
  static const int orders[] = {0, 2, 4, 6, 8, 10, 12, 14, 16};
  size_t i;
  int derivative, k, power;
  for (i = 0; i < COUNT_OF(orders); i++)
    for (derivative = 1; derivative <= 2; derivative++) {
      const int order = orders[i], exact = order ? order + derivative - 1 : derivative == 2 ? 15 : 16;
      const int reach = order ? order / 2 : 14;
      float taps_f32[CONVK_DERIVATIVE_TAPS];
      double taps_f64[CONVK_DERIVATIVE_TAPS];
      convk_filter_f32 f;
      convk_filter_f64 g;
      long double t[CONVK_DERIVATIVE_TAPS];
      describe("derivative %d order %d", derivative, order);
      begin_case();
      want_status(type ? convk_derivative_filter_f64(NULL, derivative, order, 1, taps_f64, &g)
                       : convk_derivative_filter_f32(NULL, derivative, order, 1, taps_f32, &f),
                  CONVK_OK);
      if (type ? g.lo != -reach || g.up != reach || g.taps != taps_f64 : f.lo != -reach || f.up != reach || f.taps != taps_f32)
        fail("the filter is of %d..%d", type ? g.lo : f.lo, type ? g.up : f.up);
      for (k = 0; k <= 2 * reach; k++) t[k] = type ? (long double)taps_f64[k] : (long double)taps_f32[k];
      for (power = 0; power <= exact; power++) { /* of l^power at 0: power! where that is the derivative, or 0 */
        long double sum = 0, size = 0;
        for (k = -reach; k <= reach; k++) {
          long double l = 1;
          int j;
          for (j = 0; j < power; j++) l *= k;
          sum += t[k + reach] * l;
          size += fabsl(t[k + reach] * l);
        }
        if (power == derivative) sum -= derivative;
        if (!(fabsl(sum) <= 2 * (long double)types[type].unit * size)) fail("l^%d: off by %Lg of %Lg", power, sum, size);
      }
      if (order)
        for (k = 1; k <= reach; k++) { /* by factorials in long double */
          long double c = k % 2 ? 1 : -1;
          int j;
          for (j = 1; j <= k; j++) c *= (long double)(reach - k + j) / (long double)(reach + j);
          c *= derivative == 2 ? 2.0L / ((long double)k * k) : 1.0L / k;
          if (!(fabsl(t[reach + k] - c) <= 1.01L * (long double)types[type].unit * fabsl(c)))
            fail("tap %d: %.20Lg, not %.20Lg", k, t[reach + k], c);
          if (t[reach - k] != (derivative == 2 ? t[reach + k] : -t[reach + k])) fail("tap %d has no mirror", k);
        }
      end_case();
    }
  {
    double taps[CONVK_DERIVATIVE_TAPS], half[CONVK_DERIVATIVE_TAPS];
    char room[(CONVK_DERIVATIVE_TAPS + 1) * sizeof(double)];
    convk_filter_f64 f;
    describe("factors and errors");
    CHECK(convk_derivative_filter_f64(NULL, 2, 8, 1, taps, &f) == CONVK_OK);
    CHECK(convk_derivative_filter_f64(NULL, 2, 8, -0.5, half, &f) == CONVK_OK);
    for (k = 0; k < 9; k++) CHECK(half[k] == -0.5 * taps[k]);
    CHECK(convk_derivative_filter_f64(NULL, 2, 8, 1, (double *)(void *)(room + 1), &f) == CONVK_OK); /* at any address */
    CHECK(!memcmp(room + 1, taps, 9 * sizeof *taps));
    CHECK(convk_derivative_filter_f64(NULL, 0, 8, 1, taps, &f) == CONVK_ERR_OPTION);
    CHECK(convk_derivative_filter_f64(NULL, 3, 8, 1, taps, &f) == CONVK_ERR_OPTION);
    CHECK(convk_derivative_filter_f64(NULL, 2, 7, 1, taps, &f) == CONVK_ERR_OPTION);
    CHECK(convk_derivative_filter_f64(NULL, 2, 18, 1, taps, &f) == CONVK_ERR_OPTION);
    CHECK(convk_derivative_filter_f64(NULL, 2, -2, 1, taps, &f) == CONVK_ERR_OPTION);
    CHECK(convk_derivative_filter_f64(NULL, 2, 8, (double)NAN, taps, &f) == CONVK_ERR_NONFINITE);
    CHECK(convk_derivative_filter_f64(NULL, 2, 8, (double)INFINITY, taps, &f) == CONVK_ERR_NONFINITE);
    CHECK(convk_derivative_filter_f64(NULL, 2, 8, 1, NULL, &f) == CONVK_ERR_NULL);
    CHECK(convk_derivative_filter_f64(NULL, 2, 8, 1, taps, NULL) == CONVK_ERR_NULL);
  }
}

/* exp(i (k + G) r) on a periodic cell with phases exp(i k L) is an eigenvector of every filter; its eigenvalue is the symbol. */
static void sum_waves(int type) {
  static const int orders[] = {0, 2, 8, 16};
  uint64_t rng = random_seed("sum_waves");
  size_t i, number;
  variant *v;
  for (i = 0; i < COUNT_OF(orders); i++) {
    const size_t n[3] = {5 + random_below(&rng, 20), 3 + random_below(&rng, 9), 2 + random_below(&rng, 20)},
                 all = n[0] * n[1] * n[2];
    float taps_f32[2][CONVK_DERIVATIVE_TAPS];
    double taps_f64[2][CONVK_DERIVATIVE_TAPS];
    convk_sumconv_terms_f32 a;
    convk_sumconv_terms_f64 b;
    convk_sumconv3d_shape shape;
    convk_sumconv_sums sums;
    guard in = guard_new(2 * all * types[type].size, AT_END, 0), out = guard_new(2 * all * types[type].size, AT_END, 0);
    long double theta[3], value = 0, size = 0;
    size_t q;
    int d, k;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memset(&shape, 0, sizeof shape);
    shape.in.nx = n[0];
    shape.in.ny = n[1];
    shape.in.nz = n[2];
    for (d = 0; d < 3; d++) {
      const double angle = 3 * random_unit(&rng);
      theta[d] =
          (angle + 2 * 3.14159265358979323846264338327950288L * (long double)random_below(&rng, n[d])) / (long double)n[d];
      a.phase[d][0] = b.phase[d][0] = cos(angle);
      a.phase[d][1] = b.phase[d][1] = sin(angle);
      CHECK(convk_derivative_filter_f64(NULL, 2, orders[i], -0.5, taps_f64[0], &b.filter[d]) == CONVK_OK);
      CHECK(convk_derivative_filter_f64(NULL, 1, orders[i], -0.25, taps_f64[1], &b.imag[d]) == CONVK_OK);
      if (!type) {
        CHECK(convk_derivative_filter_f32(NULL, 2, orders[i], -0.5, taps_f32[0], &a.filter[d]) == CONVK_OK);
        CHECK(convk_derivative_filter_f32(NULL, 1, orders[i], -0.25, taps_f32[1], &a.imag[d]) == CONVK_OK);
      }
      for (k = b.filter[d].lo; k <= b.filter[d].up; k++) {
        value += taps_f64[0][k - b.filter[d].lo] * cosl(k * theta[d]) - taps_f64[1][k - b.filter[d].lo] * sinl(k * theta[d]);
        size += fabs(taps_f64[0][k - b.filter[d].lo]) + fabs(taps_f64[1][k - b.filter[d].lo]);
      }
    }
    for (q = 0; q < all; q++) {
      const long double phi = theta[0] * (long double)(q % n[0]) + theta[1] * (long double)(q / n[0] % n[1]) +
                              theta[2] * (long double)(q / n[0] / n[1]);
      put(type, in.data, 2 * q, (double)cosl(phi));
      put(type, in.data, 2 * q + 1, (double)sinl(phi));
    }
    number = 0;
    while ((v = next_variant(&number, 0)) != NULL) {
      int status;
      suite.type = type ? "c64" : "c32";
      describe("%lux%lux%lu order %d", (unsigned long)n[0], (unsigned long)n[1], (unsigned long)n[2], orders[i]);
      begin_case();
      status = type ? convk_sumconv3d_c64(&v->hw, &shape, &b, (const double *)(void *)in.data, (double *)(void *)out.data,
                                          &sums, NULL, 0)
                    : convk_sumconv3d_c32(&v->hw, &shape, &a, (const float *)(void *)in.data, (float *)(void *)out.data, &sums,
                                          NULL, 0);
      want_status(status, CONVK_OK);
      for (q = 0; q < 2 * all; q++)
        if (!(fabsl((long double)get(type, out.data, q) - value * (long double)get(type, in.data, q)) <=
              60 * (long double)types[type].unit * size))
          break;
      if (q < 2 * all)
        fail("element %lu: %g, not %Lg times %g", (unsigned long)q, get(type, out.data, q), value, get(type, in.data, q));
      if (!(fabsl((long double)sums.dot[0] - value * (long double)all) <=
            60 * (long double)types[type].unit * size * (long double)all))
        fail("energy %g", sums.dot[0]);
      if (!(fabs(sums.axis[0] + sums.axis[1] + sums.axis[2] - sums.dot[0]) <= 1e-6 * (double)(size * (long double)all)))
        fail("energies of axes");
      end_case();
    }
    suite.type = types[type].name;
    guard_free(&in);
    guard_free(&out);
  }
}

/* Even f, odd g times i, phases and V make an operator that is Hermitian: <u|Hv> = conj <v|Hu>. */
static void sum_hermitian(int type) {
  uint64_t rng = random_seed("sum_hermitian");
  int turn;
  for (turn = 0; turn < (suite.quick ? 4 : 12); turn++) {
    const size_t n[3] = {3 + random_below(&rng, 12), 1 + random_below(&rng, 9), 2 + random_below(&rng, 9)},
                 all = n[0] * n[1] * n[2];
    sum_problem p;
    size_t number = 0, q;
    variant *v;
    int d, k;
    memset(&p, 0, sizeof p);
    p.type = type;
    p.step = 2;
    p.vectors = 2;
    for (d = 0; d < 3; d++) {
      const int reach = 1 + (int)random_below(&rng, 14);
      const double angle = 3 * random_unit(&rng);
      p.n[d] = n[d];
      p.boundary[d] = random_below(&rng, 3) ? CONVK_BOUNDARY_PERIODIC : CONVK_BOUNDARY_ZERO;
      sum_filter_set(&p, SUM_FILTER, d, -reach, 2 * reach + 1, &rng);
      sum_filter_set(&p, SUM_IMAG, d, -reach, 2 * reach + 1, &rng);
      sum_filter_set(&p, SUM_FIRST, d, -3, 7, &rng);
      for (k = 0; k <= reach; k++) {
        p.filter[SUM_FILTER][d].taps[2 * reach - k] = p.filter[SUM_FILTER][d].taps[k];
        p.filter[SUM_IMAG][d].taps[2 * reach - k] = k == reach ? 0 : -p.filter[SUM_IMAG][d].taps[k];
      }
      for (k = 0; k <= 3; k++) p.filter[SUM_FIRST][d].taps[6 - k] = k == 3 ? 0 : -p.filter[SUM_FIRST][d].taps[k];
      p.mixed[d] = draw(type, DATA_UNIFORM, &rng);
      if (p.boundary[d] == CONVK_BOUNDARY_PERIODIC) {
        p.phase[d][0] = cos(angle);
        p.phase[d][1] = sin(angle);
      }
    }
    p.potential = 1;
    p.potential_factor = 0.5;
    p.shift = 0.25;
    sum_finish(&p, DATA_UNIFORM, &rng);
    while ((v = next_variant(&number, 0)) != NULL) {
      float taps_f32[3][3][64], *x_f32 = (float *)need(8 * all * sizeof(float)), *v_f32 = (float *)need(all * sizeof(float));
      double taps_f64[3][3][64], *y = reals(4 * all), re[2] = {0, 0}, im[2] = {0, 0};
      convk_sumconv_terms_f32 a;
      convk_sumconv_terms_f64 b;
      convk_sumconv3d_shape shape;
      int status;
      memset(&shape, 0, sizeof shape);
      shape.in.nx = n[0];
      shape.in.ny = n[1];
      shape.in.nz = n[2];
      shape.vectors = 2;
      memcpy(shape.boundary, p.boundary, sizeof shape.boundary);
      for (q = 0; q < 4 * all; q++) x_f32[q] = (float)p.x[q];
      for (q = 0; q < all; q++) v_f32[q] = (float)p.v[q];
      sum_terms_f32(&p, v_f32, NULL, taps_f32, &a);
      sum_terms_f64(&p, p.v, NULL, taps_f64, &b);
      sum_describe(&p);
      begin_case();
      status = type ? convk_sumconv3d_c64(&v->hw, &shape, &b, p.x, y, NULL, NULL, 0)
                    : convk_sumconv3d_c32(&v->hw, &shape, &a, x_f32, x_f32 + 4 * all, NULL, NULL, 0);
      want_status(status, CONVK_OK);
      for (q = 0; q < 4 * all && !type; q++) y[q] = x_f32[4 * all + q];
      for (q = 0; q < all; q++)
        for (k = 0; k < 2; k++) {
          const double *u = p.x + 2 * (q + (size_t)k * all), *hv = y + 2 * (q + (size_t)(1 - k) * all);
          re[k] += u[0] * hv[0] + u[1] * hv[1];
          im[k] += u[0] * hv[1] - u[1] * hv[0];
        }
      if (!(fabs(re[0] - re[1]) <= 300 * types[type].unit * 100 * (double)all)) fail("<u|Hv> %g, <v|Hu> %g", re[0], re[1]);
      if (!(fabs(im[0] + im[1]) <= 300 * types[type].unit * 100 * (double)all))
        fail("Im <u|Hv> %g, Im <v|Hu> %g", im[0], im[1]);
      end_case();
      free(x_f32);
      free(v_f32);
      free(y);
    }
    suite.type = types[type].name;
    sum_free(&p);
  }
}

/* ------------------------------------------------------------------------------------------------------------- errors -- */

/* A call of f64 that is good as it stands, and what it must leave alone. */
typedef struct sum_stage {
  double in[2 * 5 * 6 * 7], out[2 * 16 * 16 * 16], add[2 * 16 * 16 * 16], potential[16 * 16 * 16], taps[64];
  convk_sumconv_sums sums[2];
  unsigned char work[64];
  convk_sumconv3d_shape shape;
  convk_sumconv_terms_f64 terms;
  sum_call call;
  size_t work_size;
} sum_stage;

static void sum_stage_new(sum_stage *s, convk *hw) {
  int d;
  memset(s, 0, sizeof *s);
  memset(s->out, FILL_, sizeof s->out);
  memset(s->sums, FILL_, sizeof s->sums);
  memset(s->work, FILL_, sizeof s->work);
  s->shape.in.nx = 5;
  s->shape.in.ny = 6;
  s->shape.in.nz = 7;
  for (d = 0; d < 3; d++) {
    s->terms.filter[d].lo = s->terms.first[d].lo = -1;
    s->terms.filter[d].up = s->terms.first[d].up = 1;
    s->terms.filter[d].taps = s->terms.first[d].taps = s->taps;
    s->terms.mixed[d] = 1;
  }
  s->terms.potential = s->potential;
  s->terms.add = s->add;
  s->call.hw = hw;
  s->call.shape = &s->shape;
  s->call.terms = &s->terms;
  s->call.in = s->in;
  s->call.out = s->out;
  s->call.sums = s->sums;
}

/* Without mixed terms, whose filters have limits of their own. */
static void sum_stage_unmixed(sum_stage *s) {
  memset(s->terms.mixed, 0, sizeof s->terms.mixed);
  memset(s->terms.first, 0, sizeof s->terms.first);
}

static void sum_stage_run(sum_stage *s, int step, int wanted, const char *text, const char *what) {
  const long live = heap.live, total = heap.total;
  int status;
  suite.type = step == 1 ? "f64" : "c64";
  describe("%s", what);
  begin_case();
  status = sum_handle_f64(&s->call, step);
  want_status(status, wanted);
  want_returned(live);
  want_checked_first(wanted, total);
  if (wanted) {
    if (s->call.hw) want_said(s->call.hw->message, wanted, text);
    if (!all_fill((unsigned char *)s->out, (unsigned char *)(s->out + COUNT_OF(s->out)))) fail("out was written");
    if (!all_fill((unsigned char *)s->sums, (unsigned char *)(s->sums + COUNT_OF(s->sums)))) fail("sums were written");
    if (!all_fill(s->work, s->work + sizeof s->work)) fail("the work was written");
  }
  end_case();
}
#define SUM_SPOIL(STEP, STATUS, TEXT, ...) \
  { \
    sum_stage_new(s, &v->hw); \
    __VA_ARGS__; \
    sum_stage_run(s, STEP, STATUS, TEXT, #__VA_ARGS__); \
  }

static void sum_errors_of(sum_stage *s, variant *v, int step) {
  static double imag[3] = {1, 2, 3};
  int d, k;
  SUM_SPOIL(step, CONVK_OK, "", s->taps[0] = 1)
  SUM_SPOIL(step, CONVK_OK, "", s->call.sums = NULL)
  SUM_SPOIL(step, CONVK_OK, "", s->call.out = NULL)
  SUM_SPOIL(step, CONVK_OK, "", s->terms.add = s->out)
  SUM_SPOIL(step, CONVK_OK, "", memset(&s->terms, 0, sizeof s->terms))
  SUM_SPOIL(step, CONVK_ERR_NULL, "out and sums are NULL", s->call.out = NULL; s->call.sums = NULL)
  SUM_SPOIL(step, CONVK_ERR_NULL, "in is NULL", s->call.in = NULL)
  SUM_SPOIL(step, CONVK_ERR_NULL, "shape is NULL", s->call.shape = NULL)
  SUM_SPOIL(step, CONVK_ERR_NULL, "terms is NULL", s->call.terms = NULL)
  SUM_SPOIL(step, CONVK_ERR_SIZE, "shape->in.ny is 0", s->shape.in.ny = 0)
  SUM_SPOIL(step, CONVK_ERR_SIZE, "shape->out must be of 5 x 6 x 7", s->shape.out = s->shape.in; s->shape.out.nx = 4)
  SUM_SPOIL(step, CONVK_ERR_SIZE, "shape->out must be of 5 x 6 x 7", s->shape.out = s->shape.in; s->shape.out.ny = 7)
  SUM_SPOIL(step, CONVK_ERR_SIZE, "shape->out must be of 5 x 6 x 7", s->shape.out = s->shape.in; s->shape.out.nz = 6)
  SUM_SPOIL(step, CONVK_ERR_PITCH, "shape->in.pitch_y", s->shape.in.pitch_y = 4)
  SUM_SPOIL(step, CONVK_ERR_PITCH, "shape->out_stride is 209", s->shape.vectors = 2; s->shape.out_stride = 5 * 6 * 7 - 1)
  SUM_SPOIL(step, CONVK_OK, "", s->shape.in_stride = s->shape.out_stride = 1) /* one vector is not apart from another */
  SUM_SPOIL(step, CONVK_ERR_OVERFLOW, "vectors", s->shape.vectors = SIZE_MAX)
  SUM_SPOIL(step, CONVK_ERR_OVERFLOW, "vectors", s->shape.vectors = 3; s->shape.in_stride = HUGE_)
  /* strides that lead, by overflow, to a vector without elements */
  SUM_SPOIL(step, CONVK_ERR_OVERFLOW, "vectors", s->shape.vectors = 2; s->shape.in_stride = SIZE_MAX - 209)
  SUM_SPOIL(step, CONVK_ERR_OVERFLOW, "vectors", s->shape.vectors = 2; s->shape.out_stride = SIZE_MAX - 209)
  SUM_SPOIL(step, CONVK_ERR_OVERFLOW, "vectors", s->shape.vectors = 2; s->shape.in_stride = SIZE_MAX / 16 / (size_t)step)
  SUM_SPOIL(step, CONVK_ERR_OVERFLOW, "vectors", s->shape.vectors = 2; s->shape.out_stride = SIZE_MAX / 16 / (size_t)step)
  SUM_SPOIL(step, CONVK_ERR_OVERFLOW, "shape->in", s->shape.in.nx = HUGE_)
  for (d = 0; d < 3; d++) {
    const char *const letter = d == 0 ? "[0]" : d == 1 ? "[1]" : "[2]";
    SUM_SPOIL(step, CONVK_ERR_BOUNDARY, letter, s->shape.boundary[d] = 4)
    SUM_SPOIL(step, CONVK_ERR_BOUNDARY, letter, s->shape.boundary[d] = -1)
    SUM_SPOIL(step, CONVK_ERR_TAPS, letter, s->terms.filter[d].up = -2)
    SUM_SPOIL(step, CONVK_ERR_TAPS, letter, s->terms.filter[d].lo = -63)
    SUM_SPOIL(step, CONVK_ERR_TAPS, letter, s->terms.filter[d].lo = s->terms.filter[d].up = 1025)
    SUM_SPOIL(step, CONVK_ERR_TAPS, letter, s->terms.first[d].up = 64)
    SUM_SPOIL(step, CONVK_ERR_TAPS, letter, s->terms.first[d].up = 2; s->shape.boundary[d] = CONVK_BOUNDARY_GROW)
    SUM_SPOIL(step, CONVK_ERR_TAPS, letter, s->terms.first[d].lo = -2; s->shape.boundary[d] = CONVK_BOUNDARY_SHRINK)
    SUM_SPOIL(step, CONVK_ERR_TAPS, letter, s->terms.filter[d].lo = 1; s->shape.boundary[d] = CONVK_BOUNDARY_SHRINK)
    SUM_SPOIL(step, CONVK_ERR_TAPS, letter, s->terms.filter[d].up = -1; s->shape.boundary[d] = CONVK_BOUNDARY_GROW)
    SUM_SPOIL(step, CONVK_ERR_TAPS, "terms->filter", sum_stage_unmixed(s); s->terms.filter[d].lo = 1;
              s->shape.boundary[d] = CONVK_BOUNDARY_SHRINK)
    SUM_SPOIL(step, CONVK_ERR_TAPS, "terms->filter", sum_stage_unmixed(s); s->terms.filter[d].up = -1;
              s->shape.boundary[d] = CONVK_BOUNDARY_GROW)
    SUM_SPOIL(step, CONVK_ERR_SHRINK, letter, s->terms.filter[d].lo = -9; s->shape.boundary[d] = CONVK_BOUNDARY_SHRINK)
    SUM_SPOIL(step, CONVK_ERR_SHRINK, "leaves nothing", s->terms.filter[d].lo = -9;
              s->shape.boundary[d] = CONVK_BOUNDARY_SHRINK)
    SUM_SPOIL(2, CONVK_ERR_OPTION, letter, s->shape.boundary[d] = CONVK_BOUNDARY_ZERO; s->terms.phase[d][0] = 1)
    SUM_SPOIL(2, CONVK_ERR_OPTION, letter, s->terms.phase[d][1] = 0.99)
    SUM_SPOIL(2, CONVK_ERR_OPTION, letter, s->terms.phase[d][1] = -1.01)
    SUM_SPOIL(2, CONVK_ERR_NONFINITE, letter, s->terms.phase[d][0] = (double)NAN)
    SUM_SPOIL(2, CONVK_ERR_NONFINITE, letter, s->terms.phase[d][1] = (double)NAN)
    SUM_SPOIL(1, CONVK_ERR_OPTION, "complex", s->terms.phase[d][0] = -1)
    SUM_SPOIL(1, CONVK_ERR_OPTION, "complex", s->terms.imag[d].taps = imag)
    SUM_SPOIL(2, CONVK_OK, "", s->terms.imag[d].taps = imag; s->terms.imag[d].up = 2)
    SUM_SPOIL(step, CONVK_ERR_NULL, "terms->first", s->terms.first[d].taps = NULL)
    for (k = 0; k < 3; k++) {
      SUM_SPOIL(step, k == d ? CONVK_OK : CONVK_ERR_NULL, k == d ? "" : letter,
                memset(s->terms.mixed, 0, sizeof s->terms.mixed);
                s->terms.mixed[d] = 1; s->terms.first[k].taps = NULL)
    }
    SUM_SPOIL(step, CONVK_ERR_NONFINITE, letter, s->terms.mixed[d] = (double)INFINITY)
    for (k = 0; k < 3; k++) {
      SUM_SPOIL(step, CONVK_ERR_NONFINITE, "terms->filter[0]", s->taps[k] = not_finite(k))
    }
  }
  SUM_SPOIL(step, CONVK_ERR_NONFINITE, "terms->potential_factor", s->terms.potential_factor = (double)NAN)
  SUM_SPOIL(step, CONVK_ERR_NONFINITE, "terms->shift", s->terms.shift = (double)NAN)
  SUM_SPOIL(step, CONVK_ERR_NONFINITE, "terms->add_factor", s->terms.add_factor = (double)NAN)
  SUM_SPOIL(step, CONVK_ERR_OVERLAP, "in overlaps out", s->call.in = s->out)
  SUM_SPOIL(step, CONVK_ERR_OVERLAP, "out overlaps terms->add", s->terms.add = s->out + 1)
  SUM_SPOIL(step, CONVK_ERR_OVERLAP, "out overlaps terms->potential", s->terms.potential = s->out + 200)
  SUM_SPOIL(step, CONVK_ERR_OVERLAP, "out overlaps sums", s->call.sums = (convk_sumconv_sums *)(void *)(s->out + 8))
  /* arrays that share one element, the second vector's sums, and what only one of two arguments writes */
  SUM_SPOIL(step, CONVK_ERR_OVERLAP, "in overlaps out", s->call.in = s->out - (210 * step - 1))
  SUM_SPOIL(step, CONVK_ERR_OVERLAP, "out overlaps terms->potential", s->terms.potential = s->out - 209)
  SUM_SPOIL(step, CONVK_ERR_OVERLAP, "in overlaps sums", s->shape.in.nx = s->shape.in.ny = s->shape.in.nz = 1;
            s->shape.vectors = 2; s->call.in = s->sums[1].dot)
  SUM_SPOIL(step, CONVK_ERR_OVERLAP, "terms->potential overlaps sums",
            s->call.sums = (convk_sumconv_sums *)(void *)s->potential)
  if (v->device) return; /* which ignore work */
  SUM_SPOIL(step, CONVK_ERR_OVERLAP, "overlaps work", s->call.work = s->out; s->call.work_size = 100)
  SUM_SPOIL(step, CONVK_ERR_OVERLAP, "work overlaps terms->add", s->call.work = s->add - 4; s->call.work_size = 64)
  SUM_SPOIL(step, CONVK_ERR_OVERLAP, "work overlaps terms->add", s->call.work = s->add;
            s->call.work_size = 210 * (size_t)step * sizeof *s->add) /* all of it: in place is the output alone */
  SUM_SPOIL(step, CONVK_ERR_OVERLAP, "work overlaps terms->potential", s->call.work = s->potential; s->call.work_size = 64)
  SUM_SPOIL(step, CONVK_ERR_WORK, "work_size is 64", s->call.work = s->work; s->call.work_size = sizeof s->work)
}

static void sum_errors(int type) {
  sum_stage *s = (sum_stage *)need(sizeof *s);
  size_t number = 0, bytes = 0, less = 0;
  convk_grid3 grid;
  variant *v;
  (void)type;
  while ((v = next_variant(&number, 0)) != NULL) {
    sum_errors_of(s, v, 1);
    sum_errors_of(s, v, 2);
    sum_stage_new(s, &v->hw);
    describe("sizes");
    s->shape.boundary[1] = CONVK_BOUNDARY_GROW;
    s->shape.boundary[2] = CONVK_BOUNDARY_SHRINK;
    CHECK(convk_sumconv3d_out_grid_f64(&v->hw, &s->shape, &s->terms, &grid) == CONVK_OK);
    CHECK(grid.nx == 5 && grid.ny == 8 && grid.nz == 5);
    CHECK(convk_sumconv3d_out_grid_f64(&v->hw, &s->shape, &s->terms, NULL) == CONVK_ERR_NULL);
    CHECK(convk_sumconv3d_out_grid_f64(&v->hw, NULL, &s->terms, &grid) == CONVK_ERR_NULL);
    CHECK(convk_sumconv3d_work_size_f64(&v->hw, &s->shape, &s->terms, NULL) == CONVK_ERR_NULL);
    CHECK(convk_sumconv3d_work_size_f64(&v->hw, &s->shape, &s->terms, &bytes) == CONVK_OK && bytes > 0);
    CHECK(convk_sumconv3d_work_size_c64(&v->hw, &s->shape, &s->terms, &less) == CONVK_OK && less > bytes);
    sum_stage_unmixed(s); /* fewer taps leave more of an axis that shrinks, and need no more work */
    CHECK(convk_sumconv3d_work_size_f64(&v->hw, &s->shape, &s->terms, &less) == CONVK_OK && less > 0);
    s->terms.filter[2].lo = s->terms.filter[2].up = 0;
    s->call.work = need(less);
    s->call.work_size = less;
    want_status(sum_handle_f64(&s->call, 1), CONVK_OK);
    free(s->call.work);
    sum_stage_new(s, &v->hw);
    s->shape.boundary[1] = CONVK_BOUNDARY_GROW;
    s->shape.boundary[2] = CONVK_BOUNDARY_SHRINK;
    s->shape.in.nx = 4;
    CHECK(convk_sumconv3d_work_size_f64(&v->hw, &s->shape, &s->terms, &less) == CONVK_OK && less <= bytes);
    s->shape.in.ny = 4;
    s->shape.in.nz = 3;
    CHECK(convk_sumconv3d_work_size_f64(&v->hw, &s->shape, &s->terms, &less) == CONVK_OK && less <= bytes);
  }
  suite.type = types[1].name;
  free(s);
}
