/* SPDX-License-Identifier: MIT
   Tests of the 7-point stencil. */
#include "test.h"

/* ----------------------------------------------------------------------------- one interface to both precisions -- */

#define STENCIL_NAMED(TYPE, T, HW) \
  if (k->name && !strcmp(k->name, #HW)) \
    status = \
        k->box \
            ? convk_stencil7_box_##TYPE##_##HW(k->hw, l.shape, cp, l.box, (const T *)k->a, (T *)k->b, k->work, k->work_size) \
            : convk_stencil7_##TYPE##_##HW(k->hw, l.shape, cp, k->steps, (T *)k->a, (T *)k->b, rp, k->work, k->work_size);

/* The structs of a call; NULL where it has none. */
typedef struct stencil_structs {
  convk_stencil7_shape shape_of;
  convk_box3 box_of;
  const convk_stencil7_shape *shape;
  const convk_box3 *box;
} stencil_structs;

static void stencil_structs_of(const stencil_call *k, stencil_structs *l) {
  memset(l, 0, sizeof *l);
  if (k->grid) l->shape_of = stencil_shape_of(k->grid, k->boundary);
  if (k->grid) l->shape = &l->shape_of;
  if (!k->first) return;
  memcpy(l->box_of.first, k->first, sizeof l->box_of.first);
  memcpy(l->box_of.count, k->count, sizeof l->box_of.count);
  l->box = &l->box_of;
}

#define STENCIL_CALLS(TYPE, T) \
  static const convk_stencil7_coefficients_##TYPE *stencil_coefficients_##TYPE(const double *c, \
                                                                               convk_stencil7_coefficients_##TYPE *out) { \
    if (!c) return NULL; \
    out->centre = (T)c[0]; \
    out->x_minus = (T)c[1]; \
    out->x_plus = (T)c[2]; \
    out->y_minus = (T)c[3]; \
    out->y_plus = (T)c[4]; \
    out->z_minus = (T)c[5]; \
    out->z_plus = (T)c[6]; \
    return out; \
  } \
  static int stencil_call_##TYPE(const stencil_call *k) { \
    convk_stencil7_coefficients_##TYPE c; \
    const convk_stencil7_coefficients_##TYPE *cp = stencil_coefficients_##TYPE(k->c, &c); \
    T *r = k->result ? (T *)*k->result : NULL, **rp = k->result ? &r : NULL; \
    stencil_structs l; \
    surroundings s; \
    int status = 1; \
    stencil_structs_of(k, &l); \
    s = before_call(); \
    if (!k->name) \
      status = k->box \
                   ? convk_stencil7_box_##TYPE(k->hw, l.shape, cp, l.box, (const T *)k->a, (T *)k->b, k->work, k->work_size) \
                   : convk_stencil7_##TYPE(k->hw, l.shape, cp, k->steps, (T *)k->a, (T *)k->b, rp, k->work, k->work_size); \
    ON_PROCESSORS(STENCIL_NAMED, TYPE, T) \
    after_call(s, k->hw && k->hw->ours.inside.device); \
    if (k->result) *k->result = r; \
    return status; \
  } \
  static void stencil_isotropic_##TYPE(double c0, double c1, double c[7]) { \
    const convk_stencil7_coefficients_##TYPE i = convk_stencil7_isotropic_##TYPE((T)c0, (T)c1); \
    c[0] = (double)i.centre; \
    c[1] = (double)i.x_minus; \
    c[2] = (double)i.x_plus; \
    c[3] = (double)i.y_minus; \
    c[4] = (double)i.y_plus; \
    c[5] = (double)i.z_minus; \
    c[6] = (double)i.z_plus; \
  }

STENCIL_CALLS(f32, float)
STENCIL_CALLS(f64, double)

const stencil_type stencil_types[2] = {{stencil_call_f32, convk_stencil7_work_size_f32, stencil_isotropic_f32},
                                       {stencil_call_f64, convk_stencil7_work_size_f64, stencil_isotropic_f64}};

/* A refusal names an argument, a success says nothing.  message: NULL where nobody could read one. */
static void stencil_want_message(int status, const char *named, const char *message) {
  if (message && status && !named) fail("which argument should '%s' name?", message);
  if (message) want_said(message, status, named);
}

/* ----------------------------------------------------------------------------------------------------------- problems -- */

typedef struct stencil_problem {
  int type, boundary[3], box; /* box: one step on first, count */
  size_t n[3], points, steps, first[3], count[3];
  double c[7], *x, *by_class[2];
  unsigned char *changing; /* 1 at the points that change, 0 at the others */
} stencil_problem;

static void stencil_start(stencil_problem *p, int type, size_t nx, size_t ny, size_t nz, int boundaries, size_t steps) {
  int d;
  memset(p, 0, sizeof *p);
  p->type = type;
  p->n[0] = nx;
  p->n[1] = ny;
  p->n[2] = nz;
  p->points = nx * ny * nz;
  p->steps = steps;
  for (d = 0; d < 3; d++) p->boundary[d] = boundaries >> d & 1 ? CONVK_BOUNDARY_FIXED : CONVK_BOUNDARY_PERIODIC;
}

static void stencil_free(stencil_problem *p) {
  free(p->x);
  free(p->by_class[0]);
  free(p->by_class[1]);
  free(p->changing);
  memset(p, 0, sizeof *p);
}

/* Kinds of weights: equal for all neighbours and of sum 1, equal, seven of any kind, and all but one equal. */
enum { WEIGHTS_HEAT, WEIGHTS_EQUAL, WEIGHTS_SEVEN, WEIGHTS_ODD_ONE, WEIGHTS_KINDS };

static void stencil_weights(stencil_problem *p, int kind, uint64_t *rng) {
  int k;
  for (k = 0; k < 7; k++) {
    p->c[k] = random_unit(rng) / 3;
    if (kind == WEIGHTS_SEVEN && !random_below(rng, 8)) p->c[k] = 0;
    if (k > 1 && kind != WEIGHTS_SEVEN) p->c[k] = p->c[1];
  }
  if (kind == WEIGHTS_HEAT) {
    p->c[1] = fabs(p->c[1]) / 2;
    for (k = 2; k < 7; k++) p->c[k] = p->c[1];
    p->c[0] = 1 - 6 * p->c[1];
  }
  if (kind == WEIGHTS_ODD_ONE) p->c[random_int(rng, 1, 6)] *= 1 + 1.0 / 1024;
  rounded(p->type, p->c, 7);
}

/* What changes: all but fixed points, and of a box only what lies in it. */
static void stencil_mark(stencil_problem *p) {
  size_t x, y, z, index[7];
  if (!p->changing) p->changing = (unsigned char *)need(p->points);
  for (z = 0; z < p->n[2]; z++)
    for (y = 0; y < p->n[1]; y++)
      for (x = 0; x < p->n[0]; x++) {
        const int free_ = ref_stencil_points(p->n, p->boundary, x, y, z, index);
        const int inside =
            !p->box || (x - p->first[0] < p->count[0] && y - p->first[1] < p->count[1] && z - p->first[2] < p->count[2]);
        p->changing[index[0]] = free_ && inside;
      }
}

static void stencil_describe(const stencil_problem *p) {
  int d, equal = 1;
  for (d = 2; d < 7; d++) equal &= p->c[d] == p->c[1];
  describe("%lux%lux%lu ", (unsigned long)p->n[0], (unsigned long)p->n[1], (unsigned long)p->n[2]);
  for (d = 0; d < 3; d++) describe_more("%c", p->boundary[d] == CONVK_BOUNDARY_FIXED ? 'f' : 'p');
  describe_more(" %s", equal ? "equal weights" : "seven weights");
  if (p->box)
    describe_more(" box %lu,%lu,%lu + %lu,%lu,%lu", (unsigned long)p->first[0], (unsigned long)p->first[1],
                  (unsigned long)p->first[2], (unsigned long)p->count[0], (unsigned long)p->count[1],
                  (unsigned long)p->count[2]);
  else describe_more(" %lu steps", (unsigned long)p->steps);
}

static void stencil_finish(stencil_problem *p, int data, uint64_t *rng) {
  p->x = drawn(p->type, data, p->points, rng);
  stencil_mark(p);
  stencil_describe(p);
}

/* The promised bits for one class of variants. */
static const double *stencil_expect(stencil_problem *p, int fused) {
  const int kind = types[p->type].model + (fused ? MODEL_FUSED : MODEL_MULADD);
  double *now, *next;
  size_t s;
  if (p->by_class[fused]) return p->by_class[fused];
  now = reals(p->points);
  next = reals(p->points);
  memcpy(now, p->x, p->points * sizeof *now);
  for (s = 0; s < p->steps; s++) {
    double *other = now;
    model_stencil(kind, now, p->n, p->boundary, p->c, next);
    now = next;
    next = other;
  }
  free(next);
  return p->by_class[fused] = now;
}

/* ------------------------------------------------------------------------------------------------------ ways to run it -- */

typedef struct stencil_way {
  execution e;                           /* rows, l2, nontemporal, threads, work */
  size_t l3, depth, threads_y, together; /* stencil_steps, stencil_planes */
  ptrdiff_t prefetch;
  int call;
} stencil_way;

static const stencil_way stencil_plain = {{0, 0, 0, 0, 0, 0}, 0, 0, 0, 0, 0, CALL_HANDLE};

static stencil_way any_stencil_way(uint64_t *rng) {
  static const size_t rows[] = {0, 0, 1, 2, 3, 5, 8, 64, SIZE_MAX},
                      threads_y[] = {0, 1, 1, 1, 2, 3, 5, 99}; /* 0: small ones stay here */
  static const size_t together[] = {0, 1, 2, 3, 4, SIZE_MAX}, wrong[] = {0, 0, 17, 1000, SIZE_MAX};
  static const size_t l3[] = {0, 0, 0, 1, 20000, 1u << 20};
  static const ptrdiff_t prefetch[] = {0, -1, 1, 64, 100000};
  stencil_way w;
  w.e = any_execution(rng);
  w.e.rows = rows[random_below(rng, COUNT_OF(rows))];
  w.l3 = l3[random_below(rng, COUNT_OF(l3))];
  w.depth = random_below(rng, 3) ? (size_t)random_int(rng, 1, 16) : wrong[random_below(rng, COUNT_OF(wrong))];
  w.threads_y = threads_y[random_below(rng, COUNT_OF(threads_y))];
  w.prefetch = prefetch[random_below(rng, COUNT_OF(prefetch))];
  w.together = together[random_below(rng, COUNT_OF(together))];
  w.call = random_below(rng, 2) ? CALL_HANDLE : (int)random_below(rng, CALL_KINDS);
  return w;
}

static void stencil_way_describe(const stencil_way *w) {
  static const char *const names[CALL_KINDS] = {"by handle", "by name", "by name, no handle"};
  describe_more("; %s; depth %lu threads_y %lu prefetch %ld register %lu l3 %lu", names[w->call], (unsigned long)w->depth,
                (unsigned long)w->threads_y, (long)w->prefetch, (unsigned long)w->together, (unsigned long)w->l3);
  execution_describe(&w->e);
}

static convk *stencil_handle(variant *v, convk *copy, const stencil_way *w, hook *k) {
  convk *hw = handle_for(v, copy, &w->e, k);
  hw->tuning.stencil_rows = w->e.rows;
  hw->tuning.stencil_steps = w->depth;
  hw->tuning.stencil_threads_y = w->threads_y;
  hw->tuning.stencil_prefetch = w->prefetch;
  hw->tuning.stencil_planes = w->together;
  if (w->l3 && !v->device) hw->tuning.l3_bytes = w->l3;
  return hw;
}

/* A call of the problem on these arrays. */
static stencil_call stencil_call_of(const stencil_problem *p, convk *hw, const array *a, const array *b) {
  stencil_call k;
  memset(&k, 0, sizeof k);
  k.hw = hw;
  k.grid = &a->given;
  k.c = p->c;
  k.boundary = p->boundary;
  k.steps = p->steps;
  k.box = p->box;
  k.first = p->first;
  k.count = p->count;
  k.a = a->g.data;
  k.b = b->g.data;
  return k;
}

/* The two arrays of a problem, and the bytes that were in them. */
typedef struct stencil_pair {
  array a, b;
  unsigned char *a_before, *b_before;
} stencil_pair;

static void *array_element(const array *a, size_t x, size_t y, size_t z) {
  return a->g.data + (z * a->full.pitch_z + y * a->full.pitch_y + x) * types[a->type].size;
}

static unsigned char *array_bytes(const array *a) {
  unsigned char *bytes = (unsigned char *)need(a->g.bytes);
  memcpy(bytes, a->g.data, a->g.bytes);
  return bytes;
}

/* NaN with bits that no calculation makes: fixed ones must keep them. */
static void put_marked_nan(int type, void *p, uint64_t mark) {
  const uint64_t wide = UINT64_C(0x7ff4000000000001) | (mark & UINT64_C(0x3ffffffffff)) << 4;
  const uint32_t narrow = UINT32_C(0x7fa00001) | ((uint32_t)mark & 0xfffffu) << 1;
  if (type) memcpy(p, &wide, sizeof wide);
  else memcpy(p, &narrow, sizeof narrow);
}

/* a holds the state.  b has the fixed points too where there are several steps, and otherwise nothing but NaN. */
static stencil_pair stencil_pair_new(const stencil_problem *p, uint64_t *rng) {
  const int both = p->steps > 1 && !p->box;
  stencil_pair q;
  size_t x, y, z, i = 0;
  any_layout(&q.a, p->n, rng);
  if (!random_below(rng, 4)) { /* whole cache lines */
    q.a.given.pitch_y = q.a.full.pitch_y = (p->n[0] + 15) / 16 * 16;
    q.a.given.pitch_z = q.a.full.pitch_z = p->n[1] * q.a.full.pitch_y;
  }
  q.a = array_new(p->type, &q.a.given, &q.a.full, p->x, rng);
  q.b = array_new(p->type, &q.a.given, &q.a.full, NULL, rng);
  for (z = 0; z < p->n[2]; z++)
    for (y = 0; y < p->n[1]; y++)
      for (x = 0; x < p->n[0]; x++, i++) {
        if (p->x[i] != p->x[i]) put_marked_nan(p->type, array_element(&q.a, x, y, z), random64(rng));
        if (both && !p->changing[i]) memcpy(array_element(&q.b, x, y, z), array_element(&q.a, x, y, z), types[p->type].size);
      }
  array_describe("a", &q.a);
  array_describe("b", &q.b);
  q.a_before = array_bytes(&q.a);
  q.b_before = array_bytes(&q.b);
  return q;
}

static void stencil_pair_free(stencil_pair *q) {
  free(q->a_before);
  free(q->b_before);
  guard_free(&q->a.g);
  guard_free(&q->b.g);
}

/* Points that change have the wanted values (NULL: any); all other bytes are what they were.  changing NULL: none may. */
static void points_check(const array *r, const char *name, const unsigned char *before, const unsigned char *changing,
                         const double *want) {
  const convk_grid3 *f = &r->full;
  const size_t size = types[r->type].size;
  size_t x, y, z, i = 0, wrong = 0;
  if (!guard_intact(&r->g)) fail("%s: memory around the array was written", name);
  if (!changing) {
    if (memcmp(r->g.data, before, r->g.bytes)) fail("%s was written", name);
    return;
  }
  for (z = 0; z < f->nz; z++)
    for (y = 0; y < f->ny; y++) {
      const size_t row = z * f->pitch_z + y * f->pitch_y;
      const size_t next = y + 1 < f->ny ? row + f->pitch_y : z + 1 < f->nz ? (z + 1) * f->pitch_z : row + f->nx;
      for (x = 0; x < f->nx; x++, i++) {
        const unsigned char *now = r->g.data + (row + x) * size;
        if (!changing[i]) {
          if (memcmp(now, before + (row + x) * size, size) && !wrong++)
            fail("%s: (%lu,%lu,%lu) was written", name, (unsigned long)x, (unsigned long)y, (unsigned long)z);
        } else if (want) {
          const double got = get(r->type, now, 0);
          if (!same(got, want[i]) && !wrong++)
            fail("%s: first wrong (%lu,%lu,%lu): %.17g, not %.17g", name, (unsigned long)x, (unsigned long)y, (unsigned long)z,
                 got, want[i]);
        }
      }
      if (memcmp(r->g.data + (row + f->nx) * size, before + (row + f->nx) * size, (next - row - f->nx) * size))
        fail("%s: padding behind row %lu of plane %lu was written", name, (unsigned long)y, (unsigned long)z);
    }
}

/* All that a call without an error promises. */
static void stencil_judge(const stencil_problem *p, const stencil_call *k, const stencil_pair *q, const double *want) {
  const int odd = p->steps % 2 != 0;
  if (k->result && *k->result != (odd ? k->b : k->a)) fail("the result is in the wrong array");
  points_check(&q->a, "a", q->a_before, p->steps > 1 ? p->changing : NULL, odd ? NULL : want);
  points_check(&q->b, "b", q->b_before, p->steps ? p->changing : NULL, odd ? want : NULL);
}

/* One call in one way. */
static void stencil_one(stencil_problem *p, variant *v, const stencil_way *given, uint64_t seed) {
  uint64_t rng = seed;
  stencil_way w = *given;
  const long live = heap.live;
  const double *want = stencil_expect(p, v->fused);
  hook k = hook_new(w.e.hook, w.e.threads, random64(&rng));
  convk copy, *hw = stencil_handle(v, &copy, &w, &k);
  stencil_pair q;
  stencil_call call;
  workspace work;
  void *result = &copy; /* neither array */
  size_t bytes;
  int status;
  if (v->device) w.call = CALL_HANDLE;
  stencil_way_describe(&w);
  begin_case();
  q = stencil_pair_new(p, &rng);
  call = stencil_call_of(p, w.call == CALL_BARE ? NULL : hw, &q.a, &q.b);
  if (w.call != CALL_HANDLE) call.name = v->name;
  bytes = stencil_need(p->type, call.hw, call.grid, p->boundary, p->steps);
  if (bytes && v->device) fail("a device wants %lu bytes of work", (unsigned long)bytes);
  work = workspace_new(w.e.work, bytes, &rng);
  call.work = work.work;
  call.work_size = work.size;
  if (!p->box) call.result = &result;
  status = stencil_types[p->type].call(&call);
  check_status(status, live);
  if (!status) stencil_judge(p, &call, &q, want);
  workspace_end(&work);
  stencil_pair_free(&q);
  end_case();
}

/* Runs a problem in several ways on every variant; on devices, where most of the ways make no difference, in one or a few. */
static void run_stencil(stencil_problem *p, const stencil_way *ways, size_t count, uint64_t seed) {
  const size_t length = strlen(suite.text);
  size_t i = 0, w;
  variant *v;
  while ((v = next_variant(&i, p->points * (p->steps ? p->steps : 1) * 8)) != NULL)
    for (w = 0; w < count; w += v->device ? 5 : 1) {
      suite.text[length] = '\0';
      stencil_one(p, v, &ways[w], seed + w * 1000003u + i);
    }
}

/* ---------------------------------------------------------------------------------------------------- sizes and shapes -- */

/* The largest size of a kind.  An emulator takes its time for each plane of a tile, whatever lies in it. */
#ifdef CONVK_TEST_CUDA_EMULATED
#define STENCIL_MOST(real, emulated) ((size_t)(emulated))
#else
#define STENCIL_MOST(real, emulated) ((size_t)(real))
#endif

/* A problem of these sizes, everything else at random. */
static void stencil_shape(int type, size_t nx, size_t ny, size_t nz, int boundaries, size_t steps, uint64_t *rng) {
  stencil_problem p;
  stencil_way ways[2];
  stencil_start(&p, type, nx, ny, nz, boundaries, steps);
  stencil_weights(&p, (int)random_below(rng, WEIGHTS_KINDS), rng);
  stencil_finish(&p, random_below(rng, 8) ? DATA_UNIFORM : DATA_WILD, rng);
  ways[0] = any_stencil_way(rng);
  ways[1] = any_stencil_way(rng);
  if (!random_below(rng, 6)) ways[0] = stencil_plain;
  run_stencil(&p, ways, 2, random64(rng));
  stencil_free(&p);
}

/* Every size from 1 to 70 and primes beyond on each axis, the other axes small. */
static void stencil_shapes(int type) {
  static const size_t primes[] = {71, 73, 97, 101, 127, 131, STENCIL_MOST(257, 79), STENCIL_MOST(509, 89)};
  static const size_t tiled[][4] = {{63, 3, 4, 1}, {124, 3, 4, 2}, {220, 32, 2, 1}}; /* a point less than OpenCL's; CUDA's */
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c, n[3];
  int d, axis;
  for (c = 1; c <= 70 + COUNT_OF(primes); c++)
    for (axis = 0; axis < 3; axis++) {
      if (suite.quick && c > 20 && (c + (size_t)axis) % 7) continue;
      for (d = 0; d < 3; d++)
        n[d] = d == axis ? c <= 70 ? c : primes[c - 71] : 1 + random_below(&rng, c % 2 ? 5 : STENCIL_MOST(12, 7));
      stencil_shape(type, n[0], n[1], n[2], (int)random_below(&rng, 8), random_below(&rng, STENCIL_MOST(7, 5)), &rng);
    }
  for (c = 1; c <= (suite.quick ? 9u : 33u); c += c < 9 ? 1 : 4) stencil_shape(type, c, c, c, (int)(c % 8), 1 + c % 5, &rng);
  for (c = 0; c < COUNT_OF(tiled); c++) stencil_shape(type, tiled[c][0], tiled[c][1], tiled[c][2], 0, tiled[c][3], &rng);
}

/* All eight mixtures of boundaries with sizes about the smallest, and so many steps that they cross the grid repeatedly. */
static void stencil_boundaries(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int mix, turn, turns = suite.quick ? 6 : 40;
  for (mix = 0; mix < 8; mix++) {
    for (turn = 0; turn < turns; turn++)
      stencil_shape(type, 1 + random_below(&rng, 5), 1 + random_below(&rng, 5), 1 + random_below(&rng, 5), mix,
                    random_below(&rng, STENCIL_MOST(20, 12)), &rng);
    for (turn = 0; turn < turns; turn++)
      stencil_shape(type, 1 + random_below(&rng, 40), 1 + random_below(&rng, 12), 1 + random_below(&rng, STENCIL_MOST(12, 5)),
                    mix, random_below(&rng, STENCIL_MOST(8, 6)), &rng);
  }
}

/* Anything at once. */
static void stencil_random(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c, count = suite.quick ? 40 : 300 / ONE_OF(1, 2);
  for (c = 0; c < count; c++) {
    const size_t top = c % 8 ? 20 : 70, planes = c % 8 ? STENCIL_MOST(20, 8) : STENCIL_MOST(70, 20);
    stencil_shape(type, 1 + random_below(&rng, top), 1 + random_below(&rng, top), 1 + random_below(&rng, planes),
                  (int)random_below(&rng, 8), random_below(&rng, c % 8 ? STENCIL_MOST(12, 8) : 4), &rng);
  }
}

/* ----------------------------------------------------------------------------------------------- steps, threads, tuning -- */

/* Every number of steps in one pass over memory, with numbers of steps that it divides and that it does not. */
static void stencil_steps(int type) {
  static const size_t steps[] = {0, 1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 32, 33, 48};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c, depth;
  for (c = 0; c < COUNT_OF(steps); c++) {
    stencil_problem p;
    stencil_way ways[20];
    size_t count = 0;
    if (suite.quick && c % 3) continue;
    stencil_start(&p, type, 5 + random_below(&rng, 30), 3 + random_below(&rng, 10), 3 + random_below(&rng, STENCIL_MOST(10, 4)),
                  (int)(c % 8), steps[c]);
    stencil_weights(&p, c % 2 ? WEIGHTS_SEVEN : WEIGHTS_HEAT, &rng);
    stencil_finish(&p, DATA_UNIFORM, &rng);
    for (depth = 1; depth <= 18; depth++) {
      if (suite.quick && depth % 3) continue;
      ways[count] = any_stencil_way(&rng);
      ways[count++].depth = depth == 18 ? SIZE_MAX : depth;
    }
    run_stencil(&p, ways, count, random64(&rng));
    stencil_free(&p);
  }
}

/* A larger grid, from which the library takes tiles of its own choice: nothing about how it is cut shows. */
static void stencil_cuts(int type) {
  static const size_t rows[] = {37, 47, 67}, planes[] = {23, 31, 41}; /* all but the first are more than the cache below */
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c, i;
  for (c = 0; c < 2; c++) {
    stencil_problem p;
    stencil_way ways[30];
    const int count = suite.quick ? 6 : (int)COUNT_OF(ways);
    const int size = suite.quick ? 0 : suite.level == LEVEL_LONG ? 2 : 1;
    stencil_start(&p, type, 130, rows[size], planes[size], c ? 5 : 2, c ? 6 : 5);
    stencil_weights(&p, c % 2 ? WEIGHTS_HEAT : WEIGHTS_SEVEN, &rng);
    stencil_finish(&p, DATA_UNIFORM, &rng);
    for (i = 0; i < count; i++) {
      ways[i] = any_stencil_way(&rng);
      if (i < 3) ways[i] = stencil_plain;
      if (i < 2) ways[i].l3 = i ? 1 : (size_t)1 << 19; /* several steps by default */
      if (i < 12) ways[i].e.nontemporal = i % 3 - 1;
      if (i >= 3 && i < 12) ways[i].depth = 1 + (size_t)i / 6;
      if (i >= 12 && i < 19) { /* one to seven threads, default blocks */
        ways[i] = stencil_plain;
        ways[i].e.threads = i - 11;
        ways[i].threads_y = 1 + (size_t)i % 2;
        ways[i].e.hook = i % 2 ? HOOK_THREADS : HOOK_SHUFFLED;
      }
    }
    run_stencil(&p, ways, (size_t)count, random64(&rng));
    stencil_free(&p);
  }
}

/* The hook gets more than one task where there is work for several threads, and tasks side by side as asked for.  What is small
   stays on the caller's thread where nothing is asked for. */
static void stencil_hook(int type) {
  static const size_t sizes[][3] = {{8, 64, 3}, {8, 3, 64}, {16, 16, 16}, {64, 64, 64}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s, i, threads_y;
  variant *v;
  for (s = 0; s < COUNT_OF(sizes); s++)
    for (i = 0; (v = next_variant(&i, 0)) != NULL;)
      for (threads_y = 0; threads_y <= 4; threads_y++) {
        stencil_problem p;
        stencil_way w = stencil_plain;
        hook k = hook_new(HOOK_REVERSED, 4, 1);
        convk copy, *hw;
        array a, b;
        stencil_call call;
        void *result = NULL;
        if (v->device || threads_y > sizes[s][1]) continue;
        w.e.hook = HOOK_REVERSED;
        w.e.threads = 4;
        w.threads_y = threads_y;
        hw = stencil_handle(v, &copy, &w, &k);
        stencil_start(&p, type, sizes[s][0], sizes[s][1], sizes[s][2], 0, 2);
        stencil_weights(&p, WEIGHTS_HEAT, &rng);
        stencil_finish(&p, DATA_UNIFORM, &rng);
        describe_more("; 4 threads, %lu side by side in y", (unsigned long)threads_y);
        a = array_for(type, p.n, p.x, &rng);
        b = array_new(type, &a.given, &a.full, NULL, &rng);
        call = stencil_call_of(&p, hw, &a, &b);
        call.result = &result;
        begin_case();
        if (stencil_types[type].call(&call)) fail("status");
        if (s < 3 && !threads_y ? k.calls > 0 : k.calls < 1 || k.most < 2)
          fail("hook called %lu times, most tasks %lu", (unsigned long)k.calls, (unsigned long)k.most);
        if (threads_y == 4 && k.most != 4) fail("%lu tasks", (unsigned long)k.most);
        end_case();
        guard_free(&a.g);
        guard_free(&b.g);
        stencil_free(&p);
      }
}

/* One handle and a copy of it in several threads at once. */
typedef struct stencil_user {
  stencil_problem *p;
  convk *hw;
  const double *want;
  int wrong;
} stencil_user;

static void *use_stencil(void *arg) {
  stencil_user *u = (stencil_user *)arg;
  const stencil_problem *p = u->p;
  const size_t size = types[p->type].size;
  convk_grid3 g = {0, 0, 0, 0, 0};
  char *a = (char *)need(p->points * size), *b = (char *)need(p->points * size);
  size_t i;
  int turn;
  g.nx = p->n[0];
  g.ny = p->n[1];
  g.nz = p->n[2];
  for (turn = 0; turn < 10; turn++) {
    stencil_call k;
    void *result = NULL;
    memset(&k, 0, sizeof k);
    k.hw = u->hw;
    k.grid = &g;
    k.c = p->c;
    k.boundary = p->boundary;
    k.steps = p->steps;
    k.a = a;
    k.b = b;
    k.result = &result;
    for (i = 0; i < p->points; i++) {
      put(p->type, a, i, p->x[i]);
      put(p->type, b, i, p->changing[i] ? (double)NAN : p->x[i]);
    }
    if (stencil_types[p->type].call(&k) || !result) u->wrong++;
    for (i = 0; i < p->points && !u->wrong; i++)
      if (!same(get(p->type, result, i), u->want[i])) u->wrong++;
  }
  free(a);
  free(b);
  return NULL;
}

static void stencil_concurrent(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  stencil_problem p;
  size_t i = 0, t, length;
  variant *v;
  stencil_start(&p, type, 24, 17, 18, 5, 9);
  stencil_weights(&p, WEIGHTS_SEVEN, &rng);
  stencil_finish(&p, DATA_UNIFORM, &rng);
  length = strlen(suite.text);
  while ((v = next_variant(&i, 0)) != NULL) {
    stencil_user users[3];
    convk copy = v->hw;
    if (v->device) continue;
    suite.text[length] = '\0';
    describe_more("; one handle and a copy in three threads");
    copy.tuning.stencil_steps = 3;
    begin_case();
    for (t = 0; t < 3; t++) {
      users[t].p = &p;
      users[t].hw = t == 2 ? &copy : &v->hw;
      users[t].want = stencil_expect(&p, v->fused);
      users[t].wrong = 0;
    }
    side_by_side(use_stencil, users, 3, sizeof users[0]);
    for (t = 0; t < 3; t++)
      if (users[t].wrong) fail("thread %lu: %d wrong", (unsigned long)t, users[t].wrong);
    end_case();
  }
  stencil_free(&p);
}

/* ------------------------------------------------------------------------------------------------- NaN, Inf, extremes -- */

static void stencil_special(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c, count = suite.quick ? 16 : 80;
  for (c = 0; c < count; c++) {
    stencil_problem p;
    stencil_way ways[2];
    stencil_start(&p, type, 1 + random_below(&rng, 40), 1 + random_below(&rng, 12), 1 + random_below(&rng, 12), c % 8,
                  random_below(&rng, 5));
    stencil_weights(&p, c / 8 % WEIGHTS_KINDS, &rng);
    stencil_finish(&p, DATA_SPECIAL, &rng);
    ways[0] = any_stencil_way(&rng);
    ways[1] = any_stencil_way(&rng);
    run_stencil(&p, ways, 2, random64(&rng));
    stencil_free(&p);
  }
}

/* One NaN or infinity reaches just the points whose sums contain it, step by step, and weights of 0 do not stop it. */
static void stencil_reach(int type) {
  static const double poison[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c;
  for (c = 0; c < (suite.quick ? 12 : 48); c++) {
    stencil_problem p;
    stencil_way w = any_stencil_way(&rng);
    size_t i, s, number = 0, length, at;
    unsigned char *reached, *next;
    variant *v;
    stencil_start(&p, type, 3 + random_below(&rng, 40), 3 + random_below(&rng, 10), 3 + random_below(&rng, 10), c % 8,
                  1 + random_below(&rng, 5));
    stencil_weights(&p, c % 3 ? WEIGHTS_SEVEN : WEIGHTS_EQUAL, &rng);
    if (c % 6 == 1) p.c[random_below(&rng, 7)] = 0;
    stencil_finish(&p, DATA_UNIFORM, &rng);
    at = random_below(&rng, p.points);
    p.x[at] = poison[c / 8 % 3];
    describe_more("; %g at %lu,%lu,%lu", p.x[at], (unsigned long)(at % p.n[0]), (unsigned long)(at / p.n[0] % p.n[1]),
                  (unsigned long)(at / p.n[0] / p.n[1]));
    reached = (unsigned char *)need(p.points);
    next = (unsigned char *)need(p.points);
    memset(reached, 0, p.points);
    reached[at] = 1;
    for (s = 0; s < p.steps; s++) {
      unsigned char *other = reached;
      size_t x, y, z, index[7];
      int k;
      for (z = 0; z < p.n[2]; z++)
        for (y = 0; y < p.n[1]; y++)
          for (x = 0; x < p.n[0]; x++) {
            const int changes = ref_stencil_points(p.n, p.boundary, x, y, z, index);
            int hit = 0;
            for (k = 0; k < (changes ? 7 : 1); k++) hit |= reached[index[k]];
            next[index[0]] = (unsigned char)hit;
          }
      reached = next;
      next = other;
    }
    length = strlen(suite.text);
    while ((v = next_variant(&number, p.points * p.steps * 8)) != NULL) {
      hook k = hook_new(w.e.hook, w.e.threads, 1);
      convk copy, *hw = stencil_handle(v, &copy, &w, &k);
      stencil_pair q;
      stencil_call call;
      void *result = NULL;
      suite.text[length] = '\0';
      stencil_way_describe(&w);
      begin_case();
      q = stencil_pair_new(&p, &rng);
      call = stencil_call_of(&p, hw, &q.a, &q.b);
      call.result = &result;
      if (stencil_types[type].call(&call)) fail("status");
      for (i = 0; i < p.points && result; i++) {
        const double got = array_at(p.steps % 2 ? &q.b : &q.a, i);
        if (p.steps == 1 && !p.changing[i]) continue; /* b's own */
        if (reached[i] == (got - got == 0))
          fail("%lu,%lu,%lu is %g", (unsigned long)(i % p.n[0]), (unsigned long)(i / p.n[0] % p.n[1]),
               (unsigned long)(i / p.n[0] / p.n[1]), got);
      }
      stencil_pair_free(&q);
      end_case();
    }
    free(reached);
    free(next);
    stencil_free(&p);
  }
}

/* ------------------------------------------------------------------------------------------------------------- accuracy -- */

/* Errors against long double.  A step with equal weights rounds no product or sum of a point more than 5 times, one with
   seven weights 7 times; what it is given errs already. */
static void stencil_accuracy(int type) {
  const double unit = types[type].unit * slack();
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c, k;
  for (c = 0; c < 16; c++) {
    stencil_problem p;
    long double *ref, *bound, *next, *more, exact[7], sizes[7];
    const size_t steps = c & 1 ? 20 : 1;
    const char *operation = suite.operation;
    size_t i, s, number = 0;
    variant *v;
    stencil_start(&p, type, 37, 19, STENCIL_MOST(15, 6), (c >> 2) * 5 % 8, steps);
    stencil_weights(&p, c & 2 ? WEIGHTS_SEVEN : WEIGHTS_HEAT, &rng);
    stencil_finish(&p, DATA_UNIFORM, &rng);
    ref = widened(p.x, p.points);
    bound = (long double *)need(p.points * sizeof *bound);
    next = (long double *)need(p.points * sizeof *next);
    more = (long double *)need(p.points * sizeof *more);
    for (i = 0; i < p.points; i++) bound[i] = 0;
    for (k = 0; k < 7; k++) {
      exact[k] = p.c[k];
      sizes[k] = fabs(p.c[k]);
    }
    for (s = 0; s < steps; s++) {
      const long double once = (c & 2 ? 7 : 5) * (long double)unit * (1 + 16 * (long double)unit);
      for (i = 0; i < p.points; i++) more[i] = bound[i] + once * (fabsl(ref[i]) + bound[i]);
      ref_stencil(more, p.n, p.boundary, sizes, bound);
      for (i = 0; i < p.points; i++)
        if (!p.changing[i]) bound[i] = 0;
      ref_stencil(ref, p.n, p.boundary, exact, next);
      memcpy(ref, next, p.points * sizeof *ref);
    }
    while ((v = next_variant(&number, p.points * steps * 8)) != NULL) {
      stencil_pair q;
      stencil_call call;
      void *result = NULL;
      double worst = 0, worst_limit = 1, largest = 0, worst_error = 0, square = 0, square_ref = 0;
      begin_case();
      q = stencil_pair_new(&p, &rng);
      call = stencil_call_of(&p, &v->hw, &q.a, &q.b);
      call.result = &result;
      if (stencil_types[type].call(&call)) fail("status");
      for (i = 0; i < p.points; i++) {
        const double value = array_at(steps % 2 ? &q.b : &q.a, i), limit = (double)bound[i];
        const double error = p.changing[i] ? fabs((double)((long double)value - ref[i])) : 0;
        if (!(error <= limit)) fail("point %lu errs by %g, bound %g", (unsigned long)i, error, limit);
        if (limit > 0 && error * worst_limit >= worst * limit) {
          worst = error;
          worst_limit = limit;
        }
        if (error > worst_error) worst_error = error;
        if (fabs((double)ref[i]) > largest) largest = fabs((double)ref[i]);
        square += error * error;
        square_ref += (double)(ref[i] * ref[i]);
      }
      suite.operation = steps > 1 ? "stencil7, 20 steps" : "stencil7";
      error_note("of bound", worst / worst_limit, 1, worst_error / ldexp(2 * types[type].unit, ilogb(largest)),
                 sqrt(square / square_ref), 0, p.points);
      suite.operation = operation;
      stencil_pair_free(&q);
      end_case();
    }
    free(ref);
    free(bound);
    free(next);
    free(more);
    stencil_free(&p);
  }
}

/* ---------------------------------------------------------------------------------------------------------- identities -- */

/* What a variant makes of packed data. */
static double *packed_stencil(variant *v, const stencil_problem *p, const double *x) {
  const size_t size = types[p->type].size;
  convk_grid3 g = {0, 0, 0, 0, 0};
  char *a = (char *)need(p->points * size), *b = (char *)need(p->points * size);
  double *y = reals(p->points);
  stencil_call k;
  void *result = NULL;
  size_t i;
  g.nx = p->n[0];
  g.ny = p->n[1];
  g.nz = p->n[2];
  memset(&k, 0, sizeof k);
  k.hw = &v->hw;
  k.grid = &g;
  k.c = p->c;
  k.boundary = p->boundary;
  k.steps = p->steps;
  k.a = a;
  k.b = b;
  k.result = &result;
  for (i = 0; i < p->points; i++) {
    put(p->type, a, i, x[i]);
    put(p->type, b, i, p->changing[i] ? (double)NAN : x[i]);
  }
  if (stencil_types[p->type].call(&k)) fail("status");
  for (i = 0; i < p->points; i++) y[i] = result ? get(p->type, result, i) : (double)NAN;
  free(a);
  free(b);
  return y;
}

/* Half the distance from 1 to the next long double, as the machine computes: valgrind's long doubles are doubles. */
static long double long_double_unit(void) {
  volatile long double unit = 1, sum = 2;
  while (sum > 1) {
    unit /= 2;
    sum = 1 + unit;
  }
  return unit;
}

/* Sines that vanish on fixed faces, and fit periodic axes, are eigenvectors: a step multiplies them by
   c0 + 2 (cx cos a + cy cos b + cz cos c).  In the Euclidean norm a step adds at most a relative 5 or 7 units of rounding, and
   multiplies what was added before by no more than the largest eigenvalue. */
static void stencil_modes(int type) {
  static const struct {
    size_t n[3], mode[3], steps;
    int boundaries;
    double c[3];
  } list[] = {{{9, 8, 7}, {1, 1, 2}, 60, 7, {0.1, 0.1, 0.1}},
              {{8, 9, 7}, {1, 2, 1}, 50, 6, {0.1, 0.07, 0.12}},
              {{35, 26, 19}, {1, 1, 1}, 1000, 7, {0.1, 0.1, 0.1}},
              {{34, 23, 20}, {1, 2, 1}, 1000, 7, {0.1, 0.07, 0.12}},
              {{32, 21, 24}, {1, 1, 1}, 1000, 6, {0.125, 0.125, 0.125}},
              {{26, 24, 33}, {1, 1, 1}, 1000, 3, {0.0625, 0.125, 0.09375}}};
  const long double pi = 3.14159265358979323846264338327950288L;
  size_t l;
  for (l = 0; l < COUNT_OF(list); l++) {
    stencil_problem p;
    long double factor, most, power = 1, bound = 0, norm = 0, *mode, angle[3];
    size_t i, x, y, z, number = 0;
    const char *operation = suite.operation;
    const int equal = list[l].c[0] == list[l].c[1];
    variant *v;
    int d;
    stencil_start(&p, type, list[l].n[0], list[l].n[1], list[l].n[2], list[l].boundaries, list[l].steps);
    if (suite.quick && p.steps > 80) p.steps = 80;
    p.c[0] = 1;
    for (d = 0; d < 3; d++) {
      p.c[1 + 2 * d] = p.c[2 + 2 * d] = list[l].c[d];
      p.c[0] -= 2 * list[l].c[d];
    }
    rounded(type, p.c, 7);
    factor = most = p.c[0];
    for (d = 0; d < 3; d++) {
      const int fixed = p.boundary[d] == CONVK_BOUNDARY_FIXED;
      angle[d] = (fixed ? pi / (long double)(p.n[d] - 1) : 2 * pi / (long double)p.n[d]) * (long double)list[l].mode[d];
      factor += 2 * p.c[1 + 2 * d] * cosl(angle[d]);
      most += 2 * p.c[1 + 2 * d] * (fixed ? cosl(pi / (long double)(p.n[d] - 1)) : 1);
    }
    p.x = reals(p.points);
    stencil_mark(&p);
    mode = (long double *)need(p.points * sizeof *mode);
    for (z = 0, i = 0; z < p.n[2]; z++)
      for (y = 0; y < p.n[1]; y++)
        for (x = 0; x < p.n[0]; x++, i++) {
          mode[i] = p.changing[i] ? sinl(angle[0] * x) * sinl(angle[1] * y) * sinl(angle[2] * z) : 0;
          p.x[i] = (double)mode[i];
          norm += mode[i] * mode[i];
        }
    rounded(type, p.x, p.points);
    for (i = 0; i < p.steps; i++) { /* errors after a step, from those before; rounding of the data is the first */
      bound = most * (bound + (i ? 0 : types[type].unit)) + (equal ? 5 : 7) * types[type].unit * power;
      power *= factor;
    }
    bound *= slack() / 50 / power; /* errors are independent: a fiftieth of the worst case is still above their sum */
    bound +=
        8 * (long double)p.steps * long_double_unit(); /* the factor's own rounding, worth something where that is coarse */
    stencil_describe(&p);
    while ((v = next_variant(&number, p.points * p.steps * 8)) != NULL) {
      long double square = 0;
      double *got, error;
      begin_case();
      got = packed_stencil(v, &p, p.x);
      for (i = 0; i < p.points; i++) square += (got[i] - power * mode[i]) * (got[i] - power * mode[i]);
      error = (double)(sqrtl(square / norm) / power);
      if (!(error <= (double)bound)) fail("relative L2 error %g, limit %Lg", error, bound);
      suite.operation = "stencil7, eigenmode";
      error_note("of bound", error / (double)bound, 1, 0, error, (double)bound, p.points);
      suite.operation = operation;
      end_case();
      free(got);
    }
    free(mode);
    stencil_free(&p);
  }
}

/* On a torus a step multiplies the sum by the sum of the weights.  With positive weights of sum 1 it errs by at most 5 or 7
   units of rounding of the sum of sizes in each step. */
static void stencil_sums(int type) {
  static const double one_sided[7] = {0.25, 0.2, 0.05, 0.03125, 0.15625, 0.15, 0.1625};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c, k;
  for (c = 0; c < 6; c++) {
    stencil_problem p;
    long double want = 0, sizes = 0, weights = 0;
    size_t i, number = 0;
    variant *v;
    stencil_start(&p, type, c < 2 ? 7 : 31, c < 2 ? 5 : 23, c < 2 ? 6 : 17, 0, suite.quick || c < 2 ? 60 : 200);
    for (k = 0; k < 7; k++) p.c[k] = c % 2 ? one_sided[k] : c == 2 ? (k ? 0.1 : 0.4) : (k ? 0.125 : 0.25);
    rounded(type, p.c, 7);
    stencil_finish(&p, DATA_UNIFORM, &rng);
    for (i = 0; i < p.points; i++) {
      p.x[i] += c < 4 ? 1 : 0;
      rounded(type, &p.x[i], 1);
      want += p.x[i];
      sizes += fabs(p.x[i]);
    }
    for (k = 0; k < 7; k++) weights += p.c[k];
    for (i = 0; i < p.steps; i++) want *= weights;
    while ((v = next_variant(&number, p.points * p.steps * 8)) != NULL) {
      const long double bound = 1.01L * slack() * p.steps * (c % 2 ? 7 : 5) * types[type].unit * sizes;
      long double sum = 0;
      double *got;
      begin_case();
      got = packed_stencil(v, &p, p.x);
      for (i = 0; i < p.points; i++) sum += got[i];
      if (!(fabsl(sum - want) <= bound)) fail("sum %.17Lg, not %.17Lg, bound %Lg", sum, want, bound);
      end_case();
      free(got);
    }
    stencil_free(&p);
  }
}

/* A constant stays, to the bit where nothing has to be rounded, with all boundaries. */
static void stencil_constant(int type) {
  static const double c[2][7] = {{0.25, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125},
                                 {0.25, 0.125, 0.125, 0.0625, 0.1875, 0.15625, 0.09375}};
  int mix, kind;
  for (mix = 0; mix < 8; mix++)
    for (kind = 0; kind < 2; kind++) {
      stencil_problem p;
      size_t i, number = 0;
      variant *v;
      stencil_start(&p, type, 19 + (size_t)mix, 9, STENCIL_MOST(11, 5), mix, 20);
      memcpy(p.c, c[kind], sizeof p.c);
      p.x = reals(p.points);
      for (i = 0; i < p.points; i++) p.x[i] = 1.375;
      stencil_mark(&p);
      stencil_describe(&p);
      while ((v = next_variant(&number, p.points * p.steps * 8)) != NULL) {
        double *got;
        begin_case();
        got = packed_stencil(v, &p, p.x);
        for (i = 0; i < p.points; i++)
          if (!same(got[i], 1.375)) fail("point %lu became %.17g", (unsigned long)i, got[i]);
        end_case();
        free(got);
      }
      stencil_free(&p);
    }
}

/* S(x + y) = S(x) + S(y) within rounding, S(2 x) = 2 S(x) and shifts along periodic axes to the bit. */
static void stencil_linear(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c, d;
  for (c = 0; c < (suite.quick ? 8 : 16); c++) {
    stencil_problem p;
    size_t i, shift[3], number = 0, *to;
    double *y, *sum, *twice, *moved;
    variant *v;
    stencil_start(&p, type, 3 + random_below(&rng, 30), 3 + random_below(&rng, 12), 3 + random_below(&rng, 12), c % 8 % 7,
                  1 + random_below(&rng, 6));
    stencil_weights(&p, c % 2 ? WEIGHTS_SEVEN : WEIGHTS_HEAT, &rng);
    stencil_finish(&p, DATA_UNIFORM, &rng);
    for (d = 0; d < 3; d++) shift[d] = p.boundary[d] == CONVK_BOUNDARY_FIXED ? 0 : random_below(&rng, p.n[d]);
    describe_more(", shifted by %lu,%lu,%lu", (unsigned long)shift[0], (unsigned long)shift[1], (unsigned long)shift[2]);
    y = drawn(type, DATA_UNIFORM, p.points, &rng);
    sum = reals(p.points);
    twice = reals(p.points);
    moved = reals(p.points);
    to = (size_t *)need(p.points * sizeof *to);
    for (i = 0; i < p.points; i++) {
      to[i] = ((i / p.n[0] / p.n[1] + shift[2]) % p.n[2] * p.n[1] + (i / p.n[0] % p.n[1] + shift[1]) % p.n[1]) * p.n[0] +
              (i % p.n[0] + shift[0]) % p.n[0];
      sum[i] = p.x[i] + y[i];
      twice[i] = 2 * p.x[i];
      moved[to[i]] = p.x[i];
    }
    rounded(type, sum, p.points);
    while ((v = next_variant(&number, p.points * p.steps * 32)) != NULL) {
      double *fx, *fy, *fsum, *ftwice, *fmoved, limit = 16 * types[type].unit;
      begin_case();
      fx = packed_stencil(v, &p, p.x);
      fy = packed_stencil(v, &p, y);
      fsum = packed_stencil(v, &p, sum);
      ftwice = packed_stencil(v, &p, twice);
      fmoved = packed_stencil(v, &p, moved);
      for (i = 0; i < p.steps; i++) limit *= 7.0 / 3; /* weights are at most 1 / 3, of sum 7 / 3 */
      for (i = 0; i < p.points; i++) {
        if (!(fabs(fsum[i] - (fx[i] + fy[i])) <= limit * (double)p.steps)) fail("sum at %lu", (unsigned long)i);
        if (!same(ftwice[i], 2 * fx[i])) fail("double at %lu", (unsigned long)i);
        if (!same(fmoved[to[i]], fx[i])) fail("shift at %lu", (unsigned long)i);
      }
      end_case();
      free(fx);
      free(fy);
      free(fsum);
      free(ftwice);
      free(fmoved);
    }
    free(y);
    free(sum);
    free(twice);
    free(moved);
    free(to);
    stencil_free(&p);
  }
}

/* --------------------------------------------------------------------------------------------------------------- boxes -- */

/* The points that change, as a box. */
static void stencil_whole(const stencil_problem *p, size_t first[3], size_t count[3]) {
  int d;
  for (d = 0; d < 3; d++) {
    const int fixed = p->boundary[d] == CONVK_BOUNDARY_FIXED;
    first[d] = fixed && p->n[d] > 2;
    count[d] = !fixed ? p->n[d] : p->n[d] > 2 ? p->n[d] - 2 : 0;
  }
}

/* A box anywhere, of any size, whole axes and none of an axis among them. */
static void any_box(stencil_problem *p, uint64_t *rng) {
  int d;
  p->box = 1;
  stencil_whole(p, p->first, p->count);
  for (d = 0; d < 3; d++) {
    const size_t all = p->count[d];
    switch (random_below(rng, 8)) {
      case 0: break; /* the whole axis */
      case 1:        /* nothing, anywhere up to the end */
        p->count[d] = random_below(rng, 3) ? p->count[d] : 0;
        if (!p->count[d]) p->first[d] += random_below(rng, all + 1);
        break;
      case 2: /* at the last point */
        p->first[d] += all ? all - 1 : 0;
        p->count[d] = all ? 1 : 0;
        break;
      default:
        if (!all) break;
        p->count[d] = 1 + random_below(rng, all);
        p->first[d] += random_below(rng, all - p->count[d] + 1);
    }
  }
}

/* One box in several ways. */
static void box_random(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c, count = suite.quick ? 60 : 400;
  for (c = 0; c < count; c++) {
    stencil_problem p;
    stencil_way ways[2];
    stencil_start(&p, type, 1 + random_below(&rng, c % 4 ? 20 : 70), 1 + random_below(&rng, 12), 1 + random_below(&rng, 12),
                  c % 8, 1);
    stencil_weights(&p, (int)random_below(&rng, WEIGHTS_KINDS), &rng);
    any_box(&p, &rng);
    stencil_finish(&p, c % 5 ? DATA_UNIFORM : DATA_SPECIAL, &rng);
    ways[0] = any_stencil_way(&rng);
    ways[1] = any_stencil_way(&rng);
    run_stencil(&p, ways, 2, random64(&rng));
    stencil_free(&p);
  }
}

/* Boxes that make up the points that change, in any order, each in a way of its own: the bits of one step. */
static void box_partition(int type) {
  enum { MOST = 24 };
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c, turns = suite.quick ? 10 : 40;
  for (c = 0; c < turns; c++) {
    stencil_problem p;
    size_t first[MOST][3], count[MOST][3], boxes = 1, i, number = 0, length;
    unsigned char *all;
    variant *v;
    stencil_start(&p, type, 1 + random_below(&rng, 60), 1 + random_below(&rng, 20), 1 + random_below(&rng, 20), c % 8, 1);
    stencil_weights(&p, (int)random_below(&rng, WEIGHTS_KINDS), &rng);
    stencil_finish(&p, DATA_UNIFORM, &rng);
    all = (unsigned char *)need(p.points);
    memcpy(all, p.changing, p.points);
    stencil_whole(&p, first[0], count[0]);
    while (boxes < 2 + (size_t)c % (MOST - 1)) { /* cut one in two, perhaps at its end */
      const size_t box = random_below(&rng, boxes), axis = random_below(&rng, 3);
      const size_t low = random_below(&rng, count[box][axis] + 1);
      memcpy(first[boxes], first[box], sizeof first[0]);
      memcpy(count[boxes], count[box], sizeof count[0]);
      first[boxes][axis] += low;
      count[boxes][axis] -= low;
      count[box][axis] = low;
      boxes++;
    }
    for (i = boxes; i > 1; i--) {
      const size_t j = random_below(&rng, i);
      size_t kept[3];
      memcpy(kept, first[j], sizeof kept);
      memcpy(first[j], first[i - 1], sizeof kept);
      memcpy(first[i - 1], kept, sizeof kept);
      memcpy(kept, count[j], sizeof kept);
      memcpy(count[j], count[i - 1], sizeof kept);
      memcpy(count[i - 1], kept, sizeof kept);
    }
    describe_more("; %lu boxes", (unsigned long)boxes);
    length = strlen(suite.text);
    p.box = 1;
    while ((v = next_variant(&number, p.points * boxes * 8)) != NULL) {
      const double *want = stencil_expect(&p, v->fused);
      const long live = heap.live;
      stencil_pair q;
      suite.text[length] = '\0';
      begin_case();
      q = stencil_pair_new(&p, &rng);
      for (i = 0; i < boxes; i++) {
        stencil_way w = any_stencil_way(&rng);
        hook k = hook_new(w.e.hook, w.e.threads, random64(&rng));
        convk copy, *hw = stencil_handle(v, &copy, &w, &k);
        stencil_call call = stencil_call_of(&p, hw, &q.a, &q.b);
        if (!v->device && w.call != CALL_HANDLE) call.name = v->name;
        memcpy(p.first, first[i], sizeof p.first);
        memcpy(p.count, count[i], sizeof p.count);
        stencil_mark(&p);
        check_status(stencil_types[type].call(&call), live);
        points_check(&q.a, "a", q.a_before, NULL, NULL);
        points_check(&q.b, "b", q.b_before, p.changing, want);
        memcpy(q.b_before, q.b.g.data, q.b.g.bytes);
      }
      points_check(&q.b, "b at the end", q.b_before, all, want);
      stencil_pair_free(&q);
      end_case();
    }
    free(all);
    stencil_free(&p);
  }
}

/* The work of a whole step is enough for every box, with any number of threads. */
static void box_work(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  stencil_problem p;
  size_t number = 0, length;
  variant *v;
  stencil_start(&p, type, 9, 6, 6, 0, 1);
  stencil_weights(&p, WEIGHTS_SEVEN, &rng);
  p.box = 1;
  stencil_finish(&p, DATA_UNIFORM, &rng);
  describe("boxes of 9x6x6");
  length = strlen(suite.text);
  while ((v = next_variant(&number, 0)) != NULL) {
    int threads;
    for (threads = 1; threads <= 8 && !v->device; threads++) {
      stencil_way w = stencil_plain;
      suite.text[length] = '\0';
      describe_more(", %d threads", threads);
      begin_case();
      for (p.count[0] = 1; p.count[0] <= 9; p.count[0] += 8)
        for (p.count[1] = 1; p.count[1] <= 6; p.count[1]++)
          for (p.count[2] = 1; p.count[2] <= 6; p.count[2]++) {
            hook k = hook_new(HOOK_REVERSED, threads, 1);
            convk copy, *hw;
            stencil_pair q;
            stencil_call call;
            workspace work;
            int status;
            w.e.hook = threads > 1 ? HOOK_REVERSED : HOOK_NONE;
            w.e.threads = threads;
            w.threads_y = p.count[2] % 3;
            w.e.rows = p.count[1] % 2;
            hw = stencil_handle(v, &copy, &w, &k);
            suite.text[length] = '\0';
            describe_more(", %d threads, box of %lu,%lu,%lu", threads, (unsigned long)p.count[0], (unsigned long)p.count[1],
                          (unsigned long)p.count[2]);
            q = stencil_pair_new(&p, &rng);
            call = stencil_call_of(&p, hw, &q.a, &q.b);
            work = workspace_new(WORK_EXACT, stencil_need(type, hw, call.grid, p.boundary, 1), &rng);
            call.work = work.work;
            call.work_size = work.size;
            status = stencil_types[type].call(&call);
            want_status(status, CONVK_OK);
            workspace_end(&work);
            stencil_pair_free(&q);
          }
      end_case();
    }
  }
  stencil_free(&p);
}

/* ---------------------------------------------------------------------------------------------------- arrays of a device -- */

/* The functions that take arrays of a device.  Two arrays of the host stand for them: what a call makes of its copies on the
   device is brought back, so that all that is checked of calls on the host's own arrays is checked here. */

/* Arguments that only these functions have, and what may be wrong with them. */
enum {
  SPOILED_NOTHING,
  SPOILED_PENDING, /* CUDA: an error before the call, which does not matter and stays */
  SPOILED_NO_CL,   /* OpenCL from here on */
  SPOILED_CLOSED_CL,
  SPOILED_NO_QUEUE,
  SPOILED_NO_LIST,
  SPOILED_FP64,  /* the device has none */
  SPOILED_LOCAL, /* bytes of local memory: `value` */
  SPOILED_SHORT, /* the buffer of array `which` ends one byte early */
  SPOILED_OFFSET /* of array `which`: `value` */
};

typedef struct resident_way {
  size_t steps;        /* in one pass; 0: chosen by the library */
  size_t tile, planes; /* CUDA */
  int tuned;           /* CUDA: whether the call gets a structure */
  int stream;          /* CUDA: one of its own */
  int limits;          /* OpenCL: of resident_limits */
  int events;          /* OpenCL: so many to wait for; -1: none, and no event is asked for */
  int own;             /* OpenCL: a convk_cl of its own, closed while the call waits */
  int one;             /* both arrays in one piece of memory */
  size_t room[3];      /* elements before, between and behind them */
  int spoiled, which;
  size_t value;
} resident_way;

/* Limits that a device may have, 0: its own; and with them the steps in one pass, for each such pair is a program. */
static const struct {
  int cpu;
  size_t steps, items, x, y, bytes;
} resident_limits[] = {{1, 0, 0, 0, 0, 0},   {0, 2, 0, 0, 0, 0},     {0, 1, 0, 0, 0, 49152}, {0, 3, 64, 0, 0, 49152},
                       {0, 2, 24, 13, 3, 0}, {0, 4, 0, 0, 0, 10000}, {1, 4, 0, 0, 0, 20000}, {0, 1, 0, 0, 2, 300}};

static void resident_describe(const variant *v, const resident_way *w) {
  if (!strcmp(v->name, "cuda"))
    describe_more("; %s tile %lu steps %lu planes %lu stream %d", w->tuned ? "tuning" : "no tuning", (unsigned long)w->tile,
                  (unsigned long)w->steps, (unsigned long)w->planes, w->stream);
  else describe_more("; limits %d steps %lu events %d own %d", w->limits, (unsigned long)w->steps, w->events, w->own);
  describe_more("; %s of memory, room %lu %lu %lu;", w->one ? "one piece" : "two pieces", (unsigned long)w->room[0],
                (unsigned long)w->room[1], (unsigned long)w->room[2]);
}

/* Memory of the device, one or two pieces of it, and what the host knows to be in them. */
typedef struct resident {
  const guard *array[2];
  int pieces, piece[2]; /* in which piece an array is, */
  size_t at[2];         /* and at which byte of it */
  size_t bytes[2];
  unsigned char *image[2];
} resident;

static resident resident_new(const resident_way *w, size_t size, const guard *a, const guard *b) {
  resident r;
  int i;
  memset(&r, 0, sizeof r);
  r.array[0] = a;
  r.array[1] = b;
  r.pieces = w->one ? 1 : 2;
  r.piece[1] = r.pieces - 1;
  r.at[0] = w->room[0] * size;
  r.at[1] = w->room[1] * size + (w->one ? r.at[0] + a->bytes : 0);
  r.bytes[0] = r.at[0] + a->bytes + w->room[1] * size;
  r.bytes[r.piece[1]] = r.at[1] + b->bytes + w->room[2] * size;
  for (i = 0; i < r.pieces; i++) {
    r.image[i] = (unsigned char *)need(r.bytes[i]);
    memset(r.image[i], FILL_, r.bytes[i]);
  }
  for (i = 0; i < 2; i++) memcpy(r.image[r.piece[i]] + r.at[i], r.array[i]->data, r.array[i]->bytes);
  return r;
}

/* The images are those of the device again: brings the arrays back, and looks at what is around them. */
static void resident_end(resident *r) {
  int i;
  for (i = 0; i < 2; i++) {
    unsigned char *from = r->image[r->piece[i]] + r->at[i];
    memcpy(r->array[i]->data, from, r->array[i]->bytes);
    memset(from, FILL_, r->array[i]->bytes);
  }
  for (i = 0; i < r->pieces; i++) {
    if (!all_fill(r->image[i], r->image[i] + r->bytes[i])) fail("memory of the device around the arrays was written");
    free(r->image[i]);
  }
}

#if defined CONVK_CUDA_H_ || defined CONVK_CL_H_
/* What the last call said. */
static char resident_said[256];

/* Where a pointer into one of the host's arrays lies on the device: the byte of a piece. */
static int resident_place(const resident *r, const void *pointer, size_t *at) {
  const unsigned char *p = (const unsigned char *)pointer;
  const int i = p >= r->array[1]->data && p <= r->array[1]->data + r->array[1]->bytes;
  *at = r->at[i] + (size_t)(p - r->array[i]->data);
  return r->piece[i];
}
#endif

#ifdef CONVK_CUDA_H_
#define STENCIL_CUDA(TYPE, T) \
  static int stencil_cuda_##TYPE(const stencil_call *k, convk_cuda_stream *on) { \
    convk_stencil7_coefficients_##TYPE c; \
    const convk_stencil7_coefficients_##TYPE *cp = stencil_coefficients_##TYPE(k->c, &c); \
    T *r = k->result ? (T *)*k->result : NULL, **rp = k->result ? &r : NULL; \
    stencil_structs l; \
    surroundings s; \
    int status; \
    stencil_structs_of(k, &l); \
    s = before_call(); \
    status = k->box ? convk_cuda_stencil7_box_##TYPE(on, l.shape, cp, l.box, (const T *)k->a, (T *)k->b, NULL, 0) \
                    : convk_cuda_stencil7_##TYPE(on, l.shape, cp, k->steps, (T *)k->a, (T *)k->b, rp, NULL, 0); \
    after_call(s, 1); \
    if (k->result) *k->result = r; \
    return status; \
  }
STENCIL_CUDA(f32, float)
STENCIL_CUDA(f64, double)

/* Nothing may be allocated while `closed`: the emulator then has no memory left. */
static void cuda_memory(int closed) {
#ifdef CONVK_TEST_CUDA_EMULATED
  static size_t before;
  size_t left = 0, all = 0;
  if (cudaMemGetInfo(&left, &all)) fail("cudaMemGetInfo");
  if (closed) before = all;
  convk_emulator_memory_limit(closed ? all - left : before);
#else
  (void)closed;
#endif
}

static int resident_cuda(resident *r, int type, const resident_way *w, const stencil_call *k) {
  const convk_cuda_stencil_tuning tuning = {w->tile, w->steps, w->planes};
  convk_cuda_stream on;
  stencil_call there = *k;
  unsigned char *memory[2] = {NULL, NULL};
  cudaStream_t stream = NULL;
  void *result = &there; /* no array */
  long total;
  size_t at;
  int i, status, error = 0, piece;
  if (w->stream) error |= cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess;
  for (i = 0; i < r->pieces; i++) {
    error |= cudaMalloc((void **)&memory[i], r->bytes[i]) != cudaSuccess;
    if (!error) error |= cudaMemcpyAsync(memory[i], r->image[i], r->bytes[i], cudaMemcpyHostToDevice, stream) != cudaSuccess;
  }
  if (k->a) {
    piece = resident_place(r, k->a, &at);
    there.a = memory[piece] + at;
  }
  if (k->b) {
    piece = resident_place(r, k->b, &at);
    there.b = memory[piece] + at;
  }
  if (k->result) there.result = &result;
  if (w->spoiled == SPOILED_PENDING) {
    void *never = NULL;
    error |= cudaMalloc(&never, SIZE_MAX / 4) == cudaSuccess;
  }
  if (error) fail("the device: %s", cudaGetErrorString(cudaGetLastError()));
  cuda_memory(1);
  total = heap.total;
  memset(&on, 0, sizeof on);
  on.stream = stream;
  if (w->tuned) on.stencil = tuning;
  strcpy(on.message, "of the call before");
  status = (type ? stencil_cuda_f64 : stencil_cuda_f32)(&there, &on);
  strcpy(resident_said, on.message);
  if (heap.total != total) fail("memory was allocated");
  cuda_memory(0);
  if ((cudaGetLastError() != cudaSuccess) != (status == CONVK_ERR_DEVICE || w->spoiled == SPOILED_PENDING))
    fail("an error of the runtime, but status %d", status);
  for (i = 0; i < r->pieces; i++)
    error |= cudaMemcpyAsync(r->image[i], memory[i], r->bytes[i], cudaMemcpyDeviceToHost, stream) != cudaSuccess;
  error |= cudaStreamSynchronize(stream) != cudaSuccess;
  for (i = 0; i < r->pieces; i++) error |= cudaFree(memory[i]) != cudaSuccess;
  if (stream) error |= cudaStreamDestroy(stream) != cudaSuccess;
  if (error) fail("the device: %s", cudaGetErrorString(cudaGetLastError()));
  if (k->result && result != (void *)&there) *k->result = result == there.a ? k->a : result == there.b ? k->b : result;
  return status;
}
#endif

#ifdef CONVK_CL_H_
/* The part of a call that only OpenCL has. */
typedef struct stencil_cl {
  convk_cl_queue on;
  size_t a_offset, b_offset;
} stencil_cl;

#define STENCIL_CL(TYPE) \
  static int stencil_cl_##TYPE(const stencil_call *k, const stencil_cl *d) { \
    convk_stencil7_coefficients_##TYPE c; \
    const convk_stencil7_coefficients_##TYPE *cp = stencil_coefficients_##TYPE(k->c, &c); \
    convk_cl_array r = {k->result ? (cl_mem)*k->result : NULL, 77}, *rp = k->result ? &r : NULL; \
    const convk_cl_array a = {(cl_mem)k->a, d->a_offset}, b = {(cl_mem)k->b, d->b_offset}, none = {NULL, 0}; \
    stencil_structs l; \
    surroundings s; \
    int status; \
    stencil_structs_of(k, &l); \
    s = before_call(); \
    status = k->box ? convk_cl_stencil7_box_##TYPE(&d->on, l.shape, cp, l.box, a, b, none, 0) \
                    : convk_cl_stencil7_##TYPE(&d->on, l.shape, cp, k->steps, a, b, rp, none, 0); \
    after_call(s, 1); \
    if (k->result && !status && r.offset != (k->steps % 2 ? b : a).offset) fail("the offset of the result"); \
    if (k->result) *k->result = r.mem; \
    return status; \
  }
STENCIL_CL(f32)
STENCIL_CL(f64)

/* Sets limits of the device and the steps in one pass; returns what there was. */
static convk_cl resident_limit(convk_cl *cl, const resident_way *w) {
  const convk_cl was = *cl;
  const size_t l = (size_t)w->limits;
  cl->stencil_steps = l ? resident_limits[l].steps : w->steps;
  if (l) cl->cpu = resident_limits[l].cpu;
  if (resident_limits[l].items) cl->group_items = resident_limits[l].items;
  if (resident_limits[l].x) cl->group_x = resident_limits[l].x;
  if (resident_limits[l].y) cl->group_y = resident_limits[l].y;
  if (resident_limits[l].bytes) cl->local_bytes = resident_limits[l].bytes;
  if (w->spoiled == SPOILED_LOCAL) cl->local_bytes = w->value;
  if (w->spoiled == SPOILED_FP64) cl->fp64 = 0;
  return was;
}

static void resident_unlimit(convk_cl *cl, const convk_cl *was) {
  cl->stencil_steps = was->stencil_steps;
  cl->cpu = was->cpu;
  cl->group_items = was->group_items;
  cl->group_x = was->group_x;
  cl->group_y = was->group_y;
  cl->local_bytes = was->local_bytes;
  cl->fp64 = was->fp64;
}

/* Where the call waits for events, its arrays are written after it has returned: it can have waited for nothing. */
static int resident_cl(variant *v, resident *r, int type, const resident_way *w, const stencil_call *k) {
  const size_t size = types[type].size, waits = w->events > 0 ? (size_t)w->events : 0, last = waits > 1 && w->room[0] % 2;
  convk_cl *cl = convk_cl_of(&v->hw), own, closed, was;
  cl_command_queue queue, copies;
  cl_mem memory[2] = {NULL, NULL};
  cl_event ready[2] = {NULL, NULL}, done = NULL;
  stencil_call there = *k;
  stencil_cl d;
  void *result = &there; /* no buffer */
  size_t at, *offset[2];
  cl_int error = 0, code = 0;
  cl_uint i;
  long total;
  int status, piece;
  memset(&d, 0, sizeof d);
  offset[0] = &d.a_offset;
  offset[1] = &d.b_offset;
  queue = clCreateCommandQueue(cl->context, cl->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
  if (code) queue = clCreateCommandQueue(cl->context, cl->device, 0, &code);
  error |= code;
  copies = clCreateCommandQueue(cl->context, cl->device, 0, &code);
  error |= code;
  for (i = 0; i < 2 && !error; i++) {
    void *const host = i ? k->b : k->a;
    if (!host) continue;
    piece = resident_place(r, host, &at);
    *offset[i] = at / size;
    if (w->spoiled == SPOILED_OFFSET && w->which == (int)i) *offset[i] = w->value;
    if (w->spoiled == SPOILED_SHORT && w->which == (int)i)
      r->bytes[piece] = at + k->grid->nx * k->grid->ny * k->grid->nz * size - 1;
  }
  for (i = 0; i < (cl_uint)r->pieces && !error; i++) {
    memory[i] = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, r->bytes[i], NULL, &code);
    error |= code;
  }
  there.a = k->a ? memory[resident_place(r, k->a, &at)] : NULL;
  there.b = k->b ? memory[resident_place(r, k->b, &at)] : NULL;
  if (k->result) there.result = &result;
  for (i = 0; i < waits && !error; i++) {
    ready[i] = clCreateUserEvent(cl->context, &code);
    error |= code;
  }
  for (i = 0; i < (cl_uint)r->pieces && !waits && !error; i++)
    error |= clEnqueueWriteBuffer(copies, memory[i], CL_TRUE, 0, r->bytes[i], r->image[i], 0, NULL, NULL);
  if (error) {
    fail("the device: error %d", (int)error);
    return CONVK_ERR_DEVICE;
  }
  if (w->own && convk_cl_open(&own, cl->context, cl->device)) fail("convk_cl_open");
  memset(&closed, 0, sizeof closed);
  d.on.cl = w->spoiled == SPOILED_NO_CL ? NULL : w->spoiled == SPOILED_CLOSED_CL ? &closed : w->own ? &own : cl;
  d.on.queue = w->spoiled == SPOILED_NO_QUEUE ? NULL : queue;
  d.on.num_wait = w->spoiled == SPOILED_NO_LIST ? 1 : (cl_uint)waits;
  d.on.wait_list = d.on.num_wait && w->spoiled != SPOILED_NO_LIST ? ready : NULL;
  d.on.event = w->events < 0 ? NULL : &done;
  was = resident_limit(w->own ? &own : cl, w);
  if (d.on.cl) strcpy(d.on.cl->message, "of the call before");
  total = heap.total;
  status = (type ? stencil_cl_f64 : stencil_cl_f32)(&there, &d);
  if (heap.total != total) fail("memory was allocated");
  strcpy(resident_said, d.on.cl ? d.on.cl->message : "");
  if (d.on.cl) d.on.cl->message[0] = '\0';
  if (w->own) convk_cl_close(&own);
  else resident_unlimit(cl, &was);
  if (d.on.event && !status != (done != NULL)) fail(status ? "an event after an error" : "no event");
  if (waits > 1) error |= clSetUserEventStatus(ready[1 - last], CL_COMPLETE);
  for (i = 0; i < (cl_uint)r->pieces && waits; i++)
    error |= clEnqueueWriteBuffer(copies, memory[i], CL_TRUE, 0, r->bytes[i], r->image[i], 0, NULL, NULL);
  if (waits) error |= clSetUserEventStatus(ready[last], CL_COMPLETE);
  error |= done ? clWaitForEvents(1, &done) : clFinish(queue);
  for (i = 0; i < (cl_uint)r->pieces; i++)
    error |= clEnqueueReadBuffer(copies, memory[i], CL_TRUE, 0, r->bytes[i], r->image[i], 0, NULL, NULL);
  for (i = 0; i < 2; i++) {
    if (ready[i]) clReleaseEvent(ready[i]);
    if (memory[i]) clReleaseMemObject(memory[i]);
  }
  if (done) clReleaseEvent(done);
  error |= clFinish(queue);
  clReleaseCommandQueue(queue);
  clReleaseCommandQueue(copies);
  if (error) fail("the device: error %d", (int)error);
  if (k->result && result != (void *)&there) {
    const int odd = k->steps % 2 != 0; /* both arrays may be in one buffer */
    *k->result = result == (odd ? there.b : there.a) ? (odd ? k->b : k->a) : result;
  }
  return status;
}
#endif

/* The call on copies of `a` and `b` on the device; k->a and k->b point into these. */
static int resident_call(variant *v, int type, const resident_way *w, const stencil_call *k, const guard *a, const guard *b) {
  resident r = resident_new(w, types[type].size, a, b);
  int status = 1;
#ifdef CONVK_CUDA_H_
  if (!strcmp(v->name, "cuda")) status = resident_cuda(&r, type, w, k);
#endif
#ifdef CONVK_CL_H_
  if (!strcmp(v->name, "opencl")) status = resident_cl(v, &r, type, w, k);
#endif
  (void)v;
  (void)k;
  resident_end(&r);
  return status;
}

/* The next open device.  Emulated ones, which differ in the order of threads, take turns. */
static variant *next_device(size_t *i, size_t turn) {
  variant *v;
  while ((v = next_variant(i, 0)) != NULL)
    if (v->device && (strcmp(v->label, "cuda-emulated") || suite.level == LEVEL_BRIEF || (size_t)v->order == turn % EMULATED))
      return v;
  return NULL;
}

static resident_way any_resident_way(uint64_t *rng) {
  static const size_t tiles[] = {0, 16, 16, 16, 32, 64}, steps[] = {0, 1, 2, 3, 4, 5, SIZE_MAX};
  static const size_t planes[] = {0, 0, 1, 2, 3, 7, SIZE_MAX};
  resident_way w;
  size_t i;
  memset(&w, 0, sizeof w);
  w.tuned = random_below(rng, 5) > 0;
  w.tile = tiles[random_below(rng, COUNT_OF(tiles))];
  w.steps = steps[random_below(rng, COUNT_OF(steps))];
  w.planes = planes[random_below(rng, COUNT_OF(planes))];
  w.stream = (int)random_below(rng, 2);
  w.events = random_int(rng, -1, 2);
  w.one = (int)random_below(rng, 2);
  for (i = 0; i < 3; i++) w.room[i] = random_below(rng, 2) ? random_below(rng, 20) : 0;
  return w;
}

/* One call in one way. */
static void resident_one(stencil_problem *p, variant *v, const resident_way *w, uint64_t seed) {
  const size_t length = strlen(suite.text);
  const double *want = stencil_expect(p, v->fused);
  const long live = heap.live;
  uint64_t rng = seed;
  stencil_pair q;
  stencil_call call;
  void *result = &q; /* neither array */
  int status;
  resident_describe(v, w);
  begin_case();
  q = stencil_pair_new(p, &rng);
  call = stencil_call_of(p, NULL, &q.a, &q.b);
  if (!p->box) call.result = &result;
  status = resident_call(v, p->type, w, &call, &q.a.g, &q.b.g);
  check_status(status, live);
  if (!status) stencil_judge(p, &call, &q, want);
  stencil_pair_free(&q);
  end_case();
  suite.text[length] = '\0';
}

/* Sizes, layouts, boundaries, steps, weights, boxes and ways, anything at once. */
static void resident_any(int type, int box) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c, count = suite.quick ? 40 : 500;
  for (c = 0; c < count; c++) {
    const size_t top = c % 8 == 0 ? 70 : c % 3 ? 20 : 5; /* 5: tiles with their halo reach around periodic axes */
    const size_t planes = top == 70 ? STENCIL_MOST(70, 10) : top == 20 ? STENCIL_MOST(20, 6) : top;
    resident_way w = any_resident_way(&rng);
    stencil_problem p;
    size_t i = 0;
    variant *v;
    stencil_start(&p, type, 1 + random_below(&rng, top), 1 + random_below(&rng, top), 1 + random_below(&rng, planes),
                  (int)random_below(&rng, 8), box ? 1 : c % 10);
    stencil_weights(&p, (int)random_below(&rng, WEIGHTS_KINDS), &rng);
    if (box) any_box(&p, &rng);
    stencil_finish(&p, c % 5 ? DATA_UNIFORM : DATA_SPECIAL, &rng);
    while ((v = next_device(&i, c)) != NULL) resident_one(&p, v, &w, random64(&rng));
    stencil_free(&p);
  }
}

static void resident_random(int type) { resident_any(type, 0); }
static void resident_box(int type) { resident_any(type, 1); }

/* Every kernel that a tuning, or the limits of a device, can choose: two tiles and more, or grids that are smaller than a halo,
   several chunks of planes, and as many steps as take passes of the greatest depth. */
static void resident_tiles(int type) {
  static const size_t tiles[] = {16, 32, 64};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const size_t turns = suite.quick ? 1 : 3;
  size_t c, i;
  variant *v;
  for (c = 0; c < 48 * turns; c++) {
    const size_t tile = tiles[c % 3], steps = 1 + c / 3 % 4, kind = c / 12 % 2, small = c / 24 % 2, wide = c / 48 + kind;
    const size_t whole_x = tile < 64    ? tile
                           : steps == 1 ? 128
                                        : 32,
                 whole_y = tile < 64 || steps == 1 ? (tile < 32 ? tile : 32)
                           : type                  ? 64
                                                   : 128;
    const size_t nx = wide != 1 ? whole_x : 12, ny = wide != 2 ? whole_y : 9;
    resident_way w = any_resident_way(&rng);
    stencil_problem p;
    if (small)
      stencil_start(&p, type, 1 + random_below(&rng, 4), 1 + random_below(&rng, 4), 1 + random_below(&rng, 4),
                    (int)(random_below(&rng, 8) & random_below(&rng, 8)), 0);
    else
      stencil_start(&p, type, nx + 3 + random_below(&rng, 6), ny + 3 + random_below(&rng, 6), 2 + random_below(&rng, 4),
                    (int)random_below(&rng, 8), 0);
    p.steps = steps % 2 ? steps : 2 * steps;
    stencil_weights(&p, kind ? WEIGHTS_SEVEN : WEIGHTS_EQUAL, &rng);
    stencil_finish(&p, DATA_UNIFORM, &rng);
    w.tuned = 1;
    w.tile = tile;
    w.steps = steps;
    w.planes = 1 + c % 3;
    for (i = 0; (v = next_device(&i, c / 3 + c / 48)) != NULL;)
      if (!strcmp(v->name, "cuda")) resident_one(&p, v, &w, random64(&rng));
    stencil_free(&p);
  }
  for (c = 0; c < 4 * COUNT_OF(resident_limits); c++) {
    const size_t limits = c / 4;
    resident_way w = any_resident_way(&rng);
    stencil_problem p;
    if (suite.quick && c > 4) break; /* each builds programs */
    stencil_start(&p, type, 60 + random_below(&rng, 30), 30 + random_below(&rng, 30), 1 + random_below(&rng, 20),
                  (int)random_below(&rng, 8), limits ? resident_limits[limits].steps * (1 + c % 4) : c);
    if (suite.quick && limits) p.steps = 2 * resident_limits[limits].steps;
    stencil_weights(&p, c % 2 ? WEIGHTS_HEAT : WEIGHTS_SEVEN, &rng);
    stencil_finish(&p, DATA_UNIFORM, &rng);
    w.limits = (int)limits;
    if ((w.own = c == 3) != 0) w.events = 2;
    for (i = 0; (v = next_device(&i, 0)) != NULL;)
      if (!strcmp(v->name, "opencl")) resident_one(&p, v, &w, random64(&rng));
    stencil_free(&p);
  }
}

/* ------------------------------------------------------------------------------------------------ what surrounds a call -- */

/* The helper that makes weights. */
static void stencil_isotropic(int type) {
  double c[7];
  int k;
  memset(c, 0, sizeof c);
  stencil_types[type].isotropic(0.375, -2.5, c);
  describe("coefficients 0.375, -2.5");
  begin_case();
  for (k = 0; k < 7; k++)
    if (!same(c[k], k ? -2.5 : 0.375)) fail("weight %d is %g", k, c[k]);
  end_case();
}

/* Rounding upward, denormals flushed: the caller's choice must survive, and so must the state of vector registers. */
static void stencil_control(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t number = 0;
  stencil_problem p;
  variant *v;
  stencil_start(&p, type, 37, 9, 10, 2, 3);
  stencil_weights(&p, WEIGHTS_HEAT, &rng);
  stencil_finish(&p, DATA_UNIFORM, &rng);
  while ((v = next_variant(&number, 0)) != NULL) {
    control c;
    if (v->device) continue;
    begin_case();
    c = control_begin(UPWARD_AND_FLUSHED);
    free(packed_stencil(v, &p, p.x));
    control_end(c);
    end_case();
  }
  stencil_free(&p);
}

static void stencil_unaligned(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c, turns = suite.quick ? 8 : 40;
  for (c = 0; c < turns && STENCIL_UNALIGNED; c++) {
    stencil_problem p;
    stencil_way w = any_stencil_way(&rng);
    const size_t size = types[type].size, shifts[2] = {1 + random_below(&rng, 80), 1 + random_below(&rng, 80)};
    size_t number = 0, i, length;
    variant *v;
    stencil_start(&p, type, 1 + random_below(&rng, 70), 1 + random_below(&rng, 8), 1 + random_below(&rng, 8), c % 8,
                  random_below(&rng, 6));
    stencil_weights(&p, c % 2 ? WEIGHTS_SEVEN : WEIGHTS_HEAT, &rng);
    stencil_finish(&p, DATA_UNIFORM, &rng);
    describe_more("; %lu and %lu bytes off", (unsigned long)shifts[0], (unsigned long)shifts[1]);
    length = strlen(suite.text);
    while ((v = next_variant(&number, 0)) != NULL) {
      const double *want = stencil_expect(&p, v->fused);
      hook k = hook_new(w.e.hook, w.e.threads, random64(&rng));
      convk copy, *hw = stencil_handle(v, &copy, &w, &k);
      const convk_grid3 g = {p.n[0], p.n[1], p.n[2], 0, 0};
      guard arrays[2];
      stencil_call call;
      void *result = NULL;
      if (v->device) continue;
      suite.text[length] = '\0';
      stencil_way_describe(&w);
      begin_case();
      memset(&call, 0, sizeof call);
      for (i = 0; i < 2; i++) arrays[i] = guard_new(p.points * size, c & 1 ? AT_START : AT_END, shifts[i]);
      for (i = 0; i < p.points; i++) {
        put(type, arrays[0].data, i, p.x[i]);
        if (!p.changing[i]) put(type, arrays[1].data, i, p.x[i]);
      }
      call.hw = hw;
      call.grid = &g;
      call.c = p.c;
      call.boundary = p.boundary;
      call.steps = p.steps;
      call.a = arrays[0].data;
      call.b = arrays[1].data;
      call.result = &result;
      if (stencil_types[type].call(&call)) fail("status");
      for (i = 0; i < p.points && result; i++)
        if (!same(get(type, result, i), want[i])) fail("point %lu", (unsigned long)i);
      for (i = 0; i < 2; i++) {
        if (!guard_intact(&arrays[i])) fail("memory around array %lu was written", (unsigned long)i);
        guard_free(&arrays[i]);
      }
      end_case();
    }
    stencil_free(&p);
  }
}

/* ------------------------------------------------------------------------------------------- arrays that suit the sweeps -- */

/* Padded pitches: whole cache lines, an odd number of them for a row; packed where they overflow. */
static void stencil_padded(int type) {
  static const size_t elements[] = {1, 2, 4, 8, 16, 32, 64};
  size_t e, nx, ny;
  (void)type;
  for (e = 0; e < COUNT_OF(elements); e++) {
    const size_t unit = 64 / elements[e];
    convk_grid3 g;
    describe("elements of %lu bytes", (unsigned long)elements[e]);
    begin_case();
    for (nx = 1; nx < 300; nx++)
      for (ny = 1; ny < 40; ny += 1 + nx % 5) {
        g = convk_grid3_padded(nx, ny, 7, elements[e]);
        if (g.nx != nx || g.ny != ny || g.nz != 7) fail("sizes");
        if (g.pitch_y < nx || g.pitch_y % unit || g.pitch_y / unit % 2 == 0 || g.pitch_y > nx + 2 * unit)
          fail("%lu points: pitch_y %lu", (unsigned long)nx, (unsigned long)g.pitch_y);
        if (g.pitch_z < ny * g.pitch_y || g.pitch_z % unit || g.pitch_z > ny * g.pitch_y + 16 * unit)
          fail("%lux%lu points: pitch_z %lu", (unsigned long)nx, (unsigned long)ny, (unsigned long)g.pitch_z);
      }
    g = convk_grid3_padded(HUGE_, 3, 4, elements[e]);
    if (g.pitch_y || g.pitch_z || g.nx != HUGE_) fail("no room for a row, but not packed");
    g = convk_grid3_padded(100, HUGE_ / 8, 4, elements[e]);
    if (g.pitch_y || g.pitch_z || g.ny != HUGE_ / 8) fail("no room for a plane, but not packed");
    end_case();
  }
}

static void stencil_huge(int type) {
  static const size_t sizes[] = {0, 1, 1000, (size_t)1 << 21, ((size_t)5 << 20) + 3};
  const long live = heap.live;
  size_t i;
  void *p;
  (void)type;
  for (i = 0; i < COUNT_OF(sizes); i++) {
    describe("%lu bytes", (unsigned long)sizes[i]);
    begin_case();
    p = convk_huge_alloc(sizes[i]);
    if (!p || (uintptr_t)p % ((size_t)2 << 20)) fail("%p", p);
    else memset(p, 1, sizes[i]); /* the page behind faults */
    convk_huge_free(p);
    if (heap.live != live) fail("%ld blocks left", heap.live - live);
    heap.until_failure = 0;
    p = convk_huge_alloc(sizes[i]);
    heap.until_failure = -1;
    if (p) fail("memory out of nothing");
    end_case();
  }
  describe("all memory there is");
  CHECK(!convk_huge_alloc(SIZE_MAX));
  convk_huge_free(NULL);
}

#define TOUCH_WRONG(status, named, ...) \
  do { \
    if (convk_first_touch(hw, __VA_ARGS__) != (status)) fail("not refused: %s", named); \
    stencil_want_message(status, named, hw->message); \
  } while (0)

/* Every element becomes 0, gaps stay, and so does everything where an argument is wrong. */
static void stencil_touch(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const size_t size = types[type].size;
  size_t number = 0, c;
  variant *v;
  while ((v = next_variant(&number, 0)) != NULL)
    for (c = 0; c < 20; c++) {
      stencil_way w = any_stencil_way(&rng);
      const size_t n[3] = {1 + random_below(&rng, 20), 1 + random_below(&rng, 12), 1 + random_below(&rng, 12)};
      const size_t points = n[0] * n[1] * n[2];
      double *zeros = (double *)calloc(points, sizeof *zeros);
      hook k = hook_new(w.e.hook, w.e.threads, random64(&rng)), failing = hook_new(HOOK_FAILS, 3, 1);
      convk copy, *hw = stencil_handle(v, &copy, &w, &k), closed;
      array a = array_for(type, n, NULL, &rng);
      convk_grid3 wrong = a.given;
      if (!zeros) exit(2);
      memset(&closed, 0, sizeof closed);
      describe("first touch of %lux%lux%lu", (unsigned long)n[0], (unsigned long)n[1], (unsigned long)n[2]);
      stencil_way_describe(&w);
      array_describe("array", &a);
      begin_case();
      if (convk_first_touch(NULL, &a.given, size, a.g.data) != CONVK_ERR_NULL) fail("no handle");
      if (convk_first_touch(&closed, &a.given, size, a.g.data) != CONVK_ERR_HANDLE) fail("closed handle");
      TOUCH_WRONG(CONVK_ERR_NULL, "grid is NULL", NULL, size, a.g.data);
      TOUCH_WRONG(CONVK_ERR_NULL, "array is NULL", &a.given, size, NULL);
      TOUCH_WRONG(CONVK_ERR_SIZE, "element is 0", &a.given, 0, a.g.data);
      wrong.ny = 0;
      TOUCH_WRONG(CONVK_ERR_SIZE, "grid.ny is 0", &wrong, size, a.g.data);
      wrong.ny = HUGE_;
      wrong.pitch_z = 0;
      TOUCH_WRONG(CONVK_ERR_OVERFLOW, " is too large", &wrong, size, a.g.data);
      TOUCH_WRONG(CONVK_ERR_OVERFLOW, " is too large", &a.given, SIZE_MAX / 4, a.g.data);
      wrong = a.given;
      wrong.pitch_z = 1;
      if (points > n[0] && n[1] > 1) TOUCH_WRONG(CONVK_ERR_PITCH, "grid.pitch_z is 1, less than the ", &wrong, size, a.g.data);
      if (!v->device && n[2] > 2) {
        closed = *hw;
        closed.parallel.threads = 3;
        closed.parallel.run = hook_run;
        closed.parallel.ctx = &failing;
        closed.tuning.stencil_threads_y = 0;
        if (convk_first_touch(&closed, &a.given, size, a.g.data) != CONVK_ERR_THREADS) fail("failing hook");
      }
      array_check(&a, "array", NULL);
      if (convk_first_touch(hw, &a.given, size, a.g.data) || hw->message[0]) fail("status, or '%s'", hw->message);
      array_check(&a, "array", zeros);
      end_case();
      guard_free(&a.g);
      free(zeros);
    }
}

/* ------------------------------------------------------------------------------------------------------------- errors -- */

/* Good arguments, to be spoiled one at a time. */
typedef struct stencil_arguments {
  convk copy; /* of the handle */
  convk_grid3 g;
  double c[7];
  int boundary[3];
  size_t first[3], count[3];
  void *result;
  stencil_call k;
} stencil_arguments;

/* Arrays a and b lie within larger ones, with room for work memory on both sides. */
typedef struct stencil_stage {
  int type, device, box, resident;
  variant *v;
  const char *name; /* of the variant, where it is called by name */
  guard arrays[2], work;
  unsigned char *before;
  size_t bytes, need; /* of a grid, of work */
  hook failing;
  resident_way way; /* where resident */
  stencil_arguments now;
} stencil_stage;

static stencil_arguments *stencil_reset(stencil_stage *s) {
  stencil_arguments *c = &s->now;
  int k;
  memset(c, 0, sizeof *c);
  memset(&s->way, 0, sizeof s->way);
  c->copy = s->v->hw;
  c->g.nx = E_X;
  c->g.ny = E_Y;
  c->g.nz = E_Z;
  for (k = 0; k < 7; k++) c->c[k] = 0.125 + k / 64.0;
  for (k = 0; k < 3; k++) {
    c->boundary[k] = k == 1 ? CONVK_BOUNDARY_PERIODIC : CONVK_BOUNDARY_FIXED;
    c->first[k] = k == 1 ? 0 : 1;
    c->count[k] = k == 0 ? E_X - 2 : k == 1 ? E_Y : E_Z - 2;
  }
  c->result = s;
  c->k.hw = &s->v->hw;
  c->k.name = s->name;
  c->k.grid = &c->g;
  c->k.c = c->c;
  c->k.boundary = c->boundary;
  c->k.steps = 3;
  c->k.box = s->box;
  c->k.first = c->first;
  c->k.count = c->count;
  c->k.a = s->arrays[0].data ? s->arrays[0].data + s->need : NULL;
  c->k.b = s->arrays[1].data ? s->arrays[1].data + s->need : NULL;
  c->k.result = s->box ? NULL : &c->result;
  return c;
}

static void stencil_stage_new(stencil_stage *s, variant *v, int type, int box, int by_name, int on_device) {
  uint64_t rng = 5;
  size_t i;
  memset(s, 0, sizeof *s);
  s->type = type;
  s->device = v->device;
  s->box = box;
  s->v = v;
  s->name = by_name ? v->name : NULL;
  s->resident = on_device;
  s->bytes = E_X * E_Y * E_Z * types[type].size;
  stencil_reset(s);
  s->now.copy.tuning.nontemporal = 1; /* past the caches, which takes work */
  s->need = stencil_need(type, &s->now.copy, &s->now.g, s->now.boundary, box ? 1 : 3);
  s->need = (s->need + (on_device ? s->bytes : 0) + 127) / 64 * 64; /* a buffer must have room for overlapping arrays */
  s->work = guard_new(s->need, AT_END, 0);
  for (i = 0; i < 2; i++) s->arrays[i] = guard_new(s->bytes + 2 * s->need, i ? AT_START : AT_END, 0);
  for (i = 0; i < s->arrays[0].bytes / types[type].size; i++) put(type, s->arrays[0].data, i, random_unit(&rng));
  s->before = (unsigned char *)need(s->arrays[0].bytes);
  memcpy(s->before, s->arrays[0].data, s->arrays[0].bytes);
  memcpy(s->arrays[1].data, s->before, s->arrays[0].bytes);
  s->failing = hook_new(HOOK_FAILS, 3, 1);
}

static void stencil_stage_end(stencil_stage *s) {
  guard_free(&s->arrays[0]);
  guard_free(&s->arrays[1]);
  guard_free(&s->work);
  free(s->before);
}

/* The status is `wanted`, and after an error no byte has changed, no memory is held, and the message has `named`: an argument.
   Nobody looks at the fixed points of arrays of a device. */
static void stencil_expect_status(stencil_stage *s, int wanted, const char *named, const char *what) {
  const stencil_call *k = &s->now.k;
  const long live = heap.live, total = heap.total;
  size_t i;
  int status;
  if (s->resident && wanted == CONVK_ERR_RIM) wanted = CONVK_OK;
  describe("%s%s", k->name ? "by name: " : s->resident ? "on the device: " : "", what);
  begin_case();
  status =
      s->resident ? resident_call(s->v, s->type, &s->way, k, &s->arrays[0], &s->arrays[1]) : stencil_types[s->type].call(k);
  want_status(status, wanted);
  want_returned(live);
  want_checked_first(wanted, total);
  if (!s->resident) stencil_want_message(wanted, named, k->hw && wanted != CONVK_ERR_HANDLE ? k->hw->message : NULL);
#if defined CONVK_CUDA_H_ || defined CONVK_CL_H_
  else if (s->way.spoiled != SPOILED_NO_CL && s->way.spoiled != SPOILED_CLOSED_CL)
    stencil_want_message(wanted, named, resident_said);
#endif
  if (!s->box && s->now.result != (wanted ? (void *)s : k->steps % 2 ? k->b : k->a)) fail("wrong result pointer");
  for (i = 0; i < 2; i++) {
    if (wanted && memcmp(s->arrays[i].data, s->before, s->arrays[i].bytes)) fail("array %s was written", i ? "b" : "a");
    if (!guard_intact(&s->arrays[i])) fail("memory around array %s was written", i ? "b" : "a");
    memcpy(s->arrays[i].data, s->before, s->arrays[i].bytes);
  }
  if (wanted && !all_fill(s->work.low, s->work.high)) fail("the work memory was written");
  if (!guard_intact(&s->work)) fail("memory around the work was written");
  memset(s->work.data, FILL_, s->work.bytes);
  end_case();
}

#define STENCIL_WRONG(expected, named, ...) \
  do { \
    stencil_arguments *c = stencil_reset(s); \
    (void)c; \
    __VA_ARGS__; \
    stencil_expect_status(s, expected, named, #__VA_ARGS__); \
  } while (0)
#define STENCIL_ANY(expected, ...) STENCIL_WRONG(expected, NULL, __VA_ARGS__)
#define STENCIL_RIGHT(...) STENCIL_WRONG(CONVK_OK, NULL, __VA_ARGS__)

/* Runs its tasks once, and fails the second time. */
static int stencil_hook_second(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  hook *k = (hook *)ctx;
  size_t i;
  for (i = 0; i < ntasks && !k->calls; i++) task(arg, i);
  return k->calls++ > 0;
}

/* A handle whose calls go past the caches, which takes work. */
static void stencil_streams(stencil_arguments *c) {
  c->copy.tuning.nontemporal = 1;
  c->k.hw = &c->copy;
}

/* The handle, memory, threads. */
static void stencil_errors_common(stencil_stage *s) {
  STENCIL_RIGHT((void)0);
  STENCIL_WRONG(s->name ? CONVK_OK : CONVK_ERR_NULL, NULL, c->k.hw = NULL);
  STENCIL_WRONG(CONVK_ERR_HANDLE, NULL, memset(&c->copy, 0, sizeof c->copy); c->k.hw = &c->copy);
  STENCIL_WRONG(CONVK_ERR_HANDLE, NULL, c->copy.version += 100; c->k.hw = &c->copy);
  STENCIL_WRONG(CONVK_ERR_HANDLE, NULL, c->copy.version--; c->k.hw = &c->copy);
  STENCIL_WRONG(CONVK_ERR_HANDLE, NULL, c->copy.size--; c->k.hw = &c->copy);
  STENCIL_WRONG(CONVK_ERR_HANDLE, NULL, c->copy.size += 8; c->k.hw = &c->copy);
  if (s->device) {
    long n;
    for (n = 0; n < 40; n++) {
      const long live = heap.live;
      int status;
      stencil_reset(s);
      describe("after %ld allocations there is no memory", n);
      begin_case();
      heap.until_failure = n;
      status = stencil_types[s->type].call(&s->now.k);
      heap.until_failure = -1;
      if (status && status != CONVK_ERR_MEMORY) fail("status %d, %s", status, convk_strerror(status));
      if (heap.live > live && status) fail("%ld allocations left", heap.live - live);
      if (status && memcmp(s->arrays[0].data, s->before, s->arrays[0].bytes)) fail("a was written");
      if (status && memcmp(s->arrays[1].data, s->before, s->arrays[1].bytes)) fail("b was written");
      memcpy(s->arrays[0].data, s->before, s->arrays[0].bytes);
      memcpy(s->arrays[1].data, s->before, s->arrays[1].bytes);
      end_case();
      if (!status) break;
    }
    STENCIL_RIGHT(c->k.work = s->work.data; c->k.work_size = 1);
    return;
  }
  heap.until_failure = 0;
  STENCIL_WRONG(CONVK_ERR_MEMORY, " bytes of work", stencil_streams(c));
  STENCIL_RIGHT((void)0); /* small arrays take none */
  heap.until_failure = -1;
  {
    unsigned char *end = s->work.data + s->work.bytes;
    size_t bytes;
    stencil_streams(stencil_reset(s));
    bytes = stencil_need(s->type, &s->now.copy, &s->now.g, s->now.boundary, s->box ? 1 : 3);
    STENCIL_RIGHT(c->k.work = end - 1; c->k.work_size = 1); /* small arrays take none */
    STENCIL_RIGHT(stencil_streams(c); c->k.work = end - bytes; c->k.work_size = bytes);
    STENCIL_RIGHT(stencil_streams(c); c->k.work = end - bytes - 1; c->k.work_size = bytes);
    STENCIL_WRONG(CONVK_ERR_WORK, "work_size is ", stencil_streams(c); c->k.work = end - bytes; c->k.work_size = bytes - 1);
    STENCIL_WRONG(CONVK_ERR_WORK, "work_size is ", stencil_streams(c); c->k.work = end - bytes; c->k.work_size = bytes / 2);
    STENCIL_WRONG(CONVK_ERR_WORK, "work_size is ", stencil_streams(c); c->k.work = end - bytes; c->k.work_size = 0);
    STENCIL_WRONG(CONVK_ERR_OVERLAP, " overlaps work", c->k.work = c->k.a; c->k.work_size = bytes);
    STENCIL_WRONG(CONVK_ERR_OVERLAP, " overlaps work", c->k.work = c->k.b; c->k.work_size = bytes);
    STENCIL_WRONG(CONVK_ERR_OVERLAP, " overlaps work", c->k.work = (char *)c->k.a - bytes + 1; c->k.work_size = bytes);
    STENCIL_WRONG(CONVK_ERR_OVERLAP, " overlaps work", c->k.work = (char *)c->k.b - bytes + 1; c->k.work_size = bytes);
    STENCIL_WRONG(CONVK_ERR_OVERLAP, " overlaps work", c->k.work = (char *)c->k.a + s->bytes - 1; c->k.work_size = bytes);
    STENCIL_WRONG(CONVK_ERR_OVERLAP, " overlaps work", c->k.work = (char *)c->k.b + s->bytes - 1; c->k.work_size = bytes);
    STENCIL_RIGHT(stencil_streams(c); c->k.work = (char *)c->k.a - bytes; c->k.work_size = bytes);
    STENCIL_RIGHT(stencil_streams(c); c->k.work = (char *)c->k.b - bytes; c->k.work_size = bytes);
    STENCIL_RIGHT(stencil_streams(c); c->k.work = (char *)c->k.a + s->bytes; c->k.work_size = bytes);
    STENCIL_RIGHT(stencil_streams(c); c->k.work = (char *)c->k.b + s->bytes; c->k.work_size = bytes);
  }
  STENCIL_WRONG(CONVK_ERR_THREADS, "", c->k.hw = &c->copy; c->copy.parallel.threads = 3; c->copy.parallel.run = hook_run;
                c->copy.parallel.ctx = &s->failing; c->copy.tuning.stencil_threads_y = 1);
  STENCIL_RIGHT(c->k.hw = &c->copy; c->copy.parallel.threads = 1; c->copy.parallel.run = hook_run;
                c->copy.parallel.ctx = &s->failing);
  STENCIL_RIGHT(c->k.hw = &c->copy; c->copy.parallel.threads = -3; c->copy.parallel.run = hook_run;
                c->copy.parallel.ctx = &s->failing);
  STENCIL_RIGHT(c->k.hw = &c->copy; c->copy.parallel.threads = 3; c->copy.parallel.run = NULL;
                c->copy.parallel.ctx = &s->failing);
  if (!s->box) { /* what is done stays done, but it is no result */
    const long live = heap.live;
    hook second = hook_new(HOOK_NONE, 3, 1);
    stencil_arguments *c = stencil_reset(s);
    c->k.hw = &c->copy;
    c->copy.parallel.threads = 3;
    c->copy.parallel.run = stencil_hook_second;
    c->copy.parallel.ctx = &second;
    c->copy.tuning.stencil_steps = c->copy.tuning.stencil_threads_y = 1;
    describe("a hook that fails the second time");
    begin_case();
    if (stencil_types[s->type].call(&c->k) != CONVK_ERR_THREADS) fail("no error");
    if (second.calls != 2) fail("called %lu times", (unsigned long)second.calls);
    if (c->result != s) fail("a result");
    want_returned(live);
    memcpy(s->arrays[0].data, s->before, s->arrays[0].bytes);
    memcpy(s->arrays[1].data, s->before, s->arrays[1].bytes);
    end_case();
  }
}

static void stencil_sizes(stencil_arguments *c, size_t nx, size_t ny, size_t nz) {
  c->g.nx = nx;
  c->g.ny = ny;
  c->g.nz = nz;
}

/* Pointers, shapes, options and overlaps. */
static void stencil_errors_arguments(stencil_stage *s) {
  static const int unknown[] = {CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_SHRINK, CONVK_BOUNDARY_ZERO, -1, 5, 99, INT_MAX, INT_MIN};
  const size_t size = types[s->type].size, points = E_X * E_Y * E_Z;
  static const char *const boundaries[3] = {"shape->boundary[0] is ", "shape->boundary[1] is ", "shape->boundary[2] is "};
  static const char *const weights[7] = {"coefficients->centre is not", "coefficients->x_minus is not",
                                         "coefficients->x_plus is not", "coefficients->y_minus is not",
                                         "coefficients->y_plus is not", "coefficients->z_minus is not",
                                         "coefficients->z_plus is not"};
  static const char *const fits = "box->first[0] and box->count[0] go beyond";
  const int overlap = s->box ? CONVK_ERR_SIZE : CONVK_ERR_OVERLAP; /* arrays are looked at last */
  size_t i;
  int d, k;
  STENCIL_WRONG(CONVK_ERR_NULL, "shape is NULL", c->k.grid = NULL);
  STENCIL_WRONG(CONVK_ERR_NULL, "coefficients is NULL", c->k.c = NULL);
  STENCIL_WRONG(CONVK_ERR_NULL, "a is NULL", c->k.a = NULL);
  STENCIL_WRONG(CONVK_ERR_NULL, "b is NULL", c->k.b = NULL);
  STENCIL_WRONG(CONVK_ERR_SIZE, "shape->grid.nx is 0", c->g.nx = 0);
  STENCIL_WRONG(CONVK_ERR_SIZE, "shape->grid.ny is 0", c->g.ny = 0);
  STENCIL_WRONG(CONVK_ERR_SIZE, "shape->grid.nz is 0", c->g.nz = 0);
  STENCIL_WRONG(CONVK_ERR_SIZE, "shape->grid.nx is 0", stencil_sizes(c, 0, 0, 0));
  STENCIL_WRONG(CONVK_ERR_PITCH, "shape->grid.pitch_y is ", c->g.pitch_y = E_X - 1);
  STENCIL_WRONG(CONVK_ERR_PITCH, "shape->grid.pitch_y is ", c->g.pitch_y = 1);
  STENCIL_WRONG(CONVK_ERR_PITCH, "shape->grid.pitch_z is ", c->g.pitch_z = E_X * E_Y - 1);
  STENCIL_WRONG(CONVK_ERR_PITCH, "shape->grid.pitch_z is ", c->g.pitch_z = 1);
  STENCIL_WRONG(CONVK_ERR_OVERFLOW, " is too large", stencil_sizes(c, HUGE_, 1, 1));
  STENCIL_WRONG(CONVK_ERR_OVERFLOW, " is too large", stencil_sizes(c, 1, HUGE_, 1));
  STENCIL_WRONG(CONVK_ERR_OVERFLOW, " is too large", stencil_sizes(c, 1, 1, HUGE_));
  STENCIL_WRONG(CONVK_ERR_OVERFLOW, " is too large", stencil_sizes(c, SIZE_MAX, SIZE_MAX, SIZE_MAX));
  STENCIL_WRONG(CONVK_ERR_OVERFLOW, " is too large", stencil_sizes(c, SIZE_MAX / size + 1, 1, 1));
  STENCIL_WRONG(CONVK_ERR_OVERFLOW, " is too large",
                stencil_sizes(c, (size_t)1 << (sizeof(size_t) * 4), (size_t)1 << (sizeof(size_t) * 4), 1));
  STENCIL_WRONG(CONVK_ERR_OVERFLOW, " is too large", stencil_sizes(c, 4, 4, HUGE_ / 8 + 1));
  STENCIL_WRONG(CONVK_ERR_OVERFLOW, " is too large", c->g.pitch_y = HUGE_);
  STENCIL_WRONG(CONVK_ERR_OVERFLOW, " is too large", c->g.pitch_z = SIZE_MAX);
  for (d = 0; d < 3; d++)
    for (i = 0; i < COUNT_OF(unknown); i++) STENCIL_WRONG(CONVK_ERR_BOUNDARY, boundaries[d], c->boundary[d] = unknown[i]);
  for (d = 0; d < 7; d++)
    for (k = 0; k < 3; k++) STENCIL_WRONG(CONVK_ERR_NONFINITE, weights[d], c->c[d] = not_finite(k));
  /* a and b, gaps of pitches included */
  STENCIL_WRONG(CONVK_ERR_OVERLAP, "a overlaps b", c->k.b = c->k.a);
  STENCIL_WRONG(CONVK_ERR_OVERLAP, "a overlaps b", c->k.b = (char *)c->k.a + size);
  STENCIL_WRONG(CONVK_ERR_OVERLAP, "a overlaps b", c->k.b = (char *)c->k.a - size);
  STENCIL_WRONG(CONVK_ERR_OVERLAP, "a overlaps b", c->k.b = (char *)c->k.a + s->bytes - size);
  STENCIL_WRONG(CONVK_ERR_OVERLAP, "a overlaps b", c->k.a = (char *)c->k.b + s->bytes - size);
  STENCIL_WRONG(overlap, s->box ? fits : "a overlaps b", stencil_sizes(c, 3, 3, 3); c->g.pitch_y = 7;
                c->k.b = (char *)c->k.a + 3 * size);
  STENCIL_WRONG(overlap, s->box ? fits : "a overlaps b", stencil_sizes(c, 3, 3, 3); c->g.pitch_z = 20;
                c->k.b = (char *)c->k.a + 10 * size);
  /* what comes first when several things are wrong */
  if (!s->resident)
    STENCIL_WRONG(CONVK_ERR_HANDLE, NULL, c->copy.size = 0; c->k.hw = &c->copy; c->k.grid = NULL; c->k.first = NULL);
  STENCIL_WRONG(CONVK_ERR_SIZE, "shape->grid.nx is 0", c->k.b = NULL; c->g.nx = 0);
  STENCIL_WRONG(CONVK_ERR_SIZE, "shape->grid.nz is 0", c->g.nz = 0; c->g.pitch_y = 1);
  STENCIL_WRONG(CONVK_ERR_PITCH, "shape->grid.pitch_y is ", c->g.pitch_y = 1; c->g.nz = HUGE_);
  STENCIL_WRONG(CONVK_ERR_OVERFLOW, " is too large", c->g.nz = HUGE_; c->boundary[0] = -1);
  STENCIL_WRONG(CONVK_ERR_BOUNDARY, boundaries[2], c->boundary[2] = -1; c->c[3] = not_finite(0));
  STENCIL_WRONG(CONVK_ERR_NONFINITE, weights[6], c->c[6] = not_finite(1); c->k.b = c->k.a);
  STENCIL_WRONG(s->box ? CONVK_ERR_SIZE : CONVK_ERR_OVERFLOW, s->box ? fits : "steps times", c->k.b = c->k.a;
                c->k.steps = SIZE_MAX; c->first[0] = 0);
  if (s->box) return;
  STENCIL_WRONG(CONVK_ERR_NULL, "result is NULL", c->k.result = NULL);
  STENCIL_WRONG(CONVK_ERR_OVERFLOW, "steps times", c->k.steps = SIZE_MAX);
  STENCIL_WRONG(CONVK_ERR_OVERFLOW, "steps times", c->k.steps = SIZE_MAX / points + 1);
  STENCIL_WRONG(CONVK_ERR_RIM, "b lacks fixed points of a", c->k.a = (char *)c->k.a + size);
  STENCIL_RIGHT(c->k.a = (char *)c->k.a + size; c->k.steps = 1);
  STENCIL_WRONG(CONVK_ERR_OVERFLOW, "steps times", c->k.a = (char *)c->k.a + size; c->k.steps = SIZE_MAX);
  if (!s->device)
    STENCIL_WRONG(CONVK_ERR_RIM, "b lacks fixed points of a", c->k.a = (char *)c->k.a + size; c->k.work = s->work.data;
                  c->k.work_size = 1);
  for (d = 0; d < 3; d++) { /* nothing changes, so that many steps take no time */
    const size_t all = d == 0 ? 2 * E_Y * E_Z : d == 1 ? E_X * 2 * E_Z : E_X * E_Y * 2;
    for (i = 0; i < 2; i++) {
      const size_t steps = SIZE_MAX / all - i;
      STENCIL_RIGHT(c->boundary[d] = CONVK_BOUNDARY_FIXED; *(d == 0   ? &c->g.nx
                                                             : d == 1 ? &c->g.ny
                                                                      : &c->g.nz) = 2;
                    c->k.steps = steps);
      STENCIL_WRONG(CONVK_ERR_OVERFLOW, "steps times", c->boundary[d] = CONVK_BOUNDARY_FIXED; *(d == 0   ? &c->g.nx
                                                                                                : d == 1 ? &c->g.ny
                                                                                                         : &c->g.nz) = 2;
                    c->k.steps = steps + 2);
    }
  }
}

static void stencil_errors_box(stencil_stage *s) {
  static const size_t sizes[3] = {E_X, E_Y, E_Z};
  static const char *const fits[3] = {"box->first[0] and box->count[0] go beyond", "box->first[1] and box->count[1] go beyond",
                                      "box->first[2] and box->count[2] go beyond"};
  int d, mix;
  STENCIL_WRONG(CONVK_ERR_NULL, "box is NULL", c->k.first = NULL);
  for (mix = 0; mix < 8; mix++)
    for (d = 0; d < 3; d++) {
      const int fixed = mix >> d & 1;
      const size_t n = sizes[d], low = fixed ? 1 : 0, all = fixed ? n - 2 : n, end = low + all;
      const struct {
        int status;
        size_t first, count;
      } list[] = {{CONVK_OK, low, all},
                  {CONVK_OK, low, 1},
                  {CONVK_OK, low, 0},
                  {CONVK_OK, end - 1, 1},
                  {CONVK_OK, end, 0},
                  {fixed ? CONVK_ERR_SIZE : CONVK_OK, 0, 1},
                  {fixed ? CONVK_ERR_SIZE : CONVK_OK, 0, n},
                  {CONVK_ERR_SIZE, low, all + 1},
                  {CONVK_ERR_SIZE, low + 1, all},
                  {CONVK_ERR_SIZE, end - 1, 2},
                  {CONVK_ERR_SIZE, end, 1},
                  {CONVK_OK, 0, 0},
                  {CONVK_OK, end + 1, 0},
                  {CONVK_OK, SIZE_MAX, 0},
                  {CONVK_ERR_SIZE, end + 1, 1},
                  {CONVK_ERR_SIZE, low, SIZE_MAX},
                  {CONVK_ERR_SIZE, low + 1, SIZE_MAX},
                  {CONVK_ERR_SIZE, end - 1, SIZE_MAX - n},
                  {CONVK_ERR_SIZE, SIZE_MAX, 1},
                  {CONVK_ERR_SIZE, SIZE_MAX, 2},
                  {CONVK_ERR_SIZE, SIZE_MAX - 1, low + 2}};
      size_t i;
      for (i = 0; i < COUNT_OF(list); i++) {
        stencil_arguments *c = stencil_reset(s);
        char what[120];
        int a;
        for (a = 0; a < 3; a++) {
          const int ends = mix >> a & 1;
          c->boundary[a] = ends ? CONVK_BOUNDARY_FIXED : CONVK_BOUNDARY_PERIODIC;
          c->first[a] = ends ? 1 : 0;
          c->count[a] = sizes[a] - (ends ? 2 : 0);
        }
        c->first[d] = list[i].first;
        c->count[d] = list[i].count;
        snprintf(what, sizeof what, "boundaries %d, axis %d: %lu points at %lu", mix, d, (unsigned long)list[i].count,
                 (unsigned long)list[i].first);
        stencil_expect_status(s, list[i].status, list[i].status ? fits[d] : NULL, what);
      }
    }
  for (d = 0; d < 3; d++) { /* nothing changes */
    STENCIL_WRONG(CONVK_ERR_SIZE, fits[d], c->boundary[d] = CONVK_BOUNDARY_FIXED; *(d == 0   ? &c->g.nx
                                                                                    : d == 1 ? &c->g.ny
                                                                                             : &c->g.nz) = 2;
                  c->first[d] = 1; c->count[d] = 1);
    STENCIL_RIGHT(c->boundary[d] = CONVK_BOUNDARY_FIXED; *(d == 0   ? &c->g.nx
                                                           : d == 1 ? &c->g.ny
                                                                    : &c->g.nz) = 2;
                  c->first[d] = 0; c->count[d] = 0);
  }
  if (!s->device) STENCIL_WRONG(CONVK_ERR_SIZE, fits[0], c->count[0] = E_X; c->k.work = s->work.data; c->k.work_size = 1);
}

static void stencil_errors_of(int type, int box) {
  size_t number = 0;
  variant *v;
  while ((v = next_variant(&number, 0)) != NULL) {
    int by_name;
    for (by_name = 0; by_name < (v->device ? 1 : 2); by_name++) {
      static stencil_stage s;
      stencil_stage_new(&s, v, type, box, by_name, 0);
      stencil_errors_common(&s);
      stencil_errors_arguments(&s);
      if (box) stencil_errors_box(&s);
      stencil_stage_end(&s);
    }
  }
}

/* The size query of a device, by `ask` of its interface; said: the message of what the call is on, NULL: it is on none. */
#define RESIDENT_WORK(ask, on, said) \
  do { \
    const convk_stencil7_shape good = {{E_X, E_Y, E_Z, 0, 0}, \
                                       {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_FIXED}}; \
    const convk_stencil7_shape bad = {{E_X, E_Y, E_Z, 0, 0}, {CONVK_BOUNDARY_FIXED, 7, CONVK_BOUNDARY_FIXED}}; \
    size_t bytes = 9; \
    if (ask(on, &bad, 3, &bytes) != CONVK_ERR_BOUNDARY || bytes != 9) fail("a bad shape"); \
    stencil_want_message(CONVK_ERR_BOUNDARY, "shape->boundary[1] is 7", said); \
    if (ask(on, &good, SIZE_MAX, &bytes) != CONVK_ERR_OVERFLOW || bytes != 9) fail("too many steps"); \
    stencil_want_message(CONVK_ERR_OVERFLOW, "steps times", said); \
    if (ask(on, &good, 3, NULL) != CONVK_ERR_NULL) fail("no place for the size"); \
    stencil_want_message(CONVK_ERR_NULL, "bytes is NULL", said); \
    if (ask(on, &good, 3, &bytes) || bytes) fail("devices need no work"); \
    stencil_want_message(CONVK_OK, NULL, said); \
  } while (0)

/* What only device-resident calls of CUDA refuse. */
static void resident_errors_cuda(stencil_stage *s) {
  static const size_t good[] = {0, 16, 32, 64}, wrong[] = {1, 2, 8, 15, 17, 24, 48, 63, 65, 128, SIZE_MAX};
  size_t i;
  for (i = 0; i < COUNT_OF(good); i++) {
    STENCIL_RIGHT(s->way.tuned = 1; s->way.tile = good[i]);
    STENCIL_RIGHT(s->way.tuned = 1; s->way.tile = good[i]; s->way.steps = s->way.planes = SIZE_MAX);
  }
  for (i = 0; i < COUNT_OF(wrong); i++) {
    STENCIL_WRONG(CONVK_ERR_OPTION, "on->stencil.tile is ", s->way.tuned = 1; s->way.tile = wrong[i]);
    STENCIL_RIGHT(s->way.tile = wrong[i]); /* no structure */
  }
  if (s->box) {
    STENCIL_WRONG(CONVK_ERR_OPTION, "on->stencil.tile is ", s->way.tuned = 1; s->way.tile = 24; c->count[1] = 0);
    STENCIL_WRONG(CONVK_ERR_SIZE, "box->first[0]", s->way.tuned = 1; s->way.tile = 24; c->first[0] = 0);
  } else {
    STENCIL_WRONG(CONVK_ERR_OPTION, "on->stencil.tile is ", s->way.tuned = 1; s->way.tile = 24; c->k.steps = 0);
    STENCIL_WRONG(CONVK_ERR_OVERFLOW, "steps times", s->way.tuned = 1; s->way.tile = 24; c->k.steps = SIZE_MAX);
  }
  STENCIL_WRONG(CONVK_ERR_OVERLAP, "a overlaps b", s->way.tuned = 1; s->way.tile = 24; c->k.b = c->k.a);
  STENCIL_WRONG(CONVK_ERR_NULL, "a is NULL", s->way.tuned = 1; s->way.tile = 24; c->k.a = NULL);
  STENCIL_WRONG(CONVK_ERR_OPTION, "on->stencil.tile is ", s->way.tuned = 1; s->way.tile = 24;
                c->k.a = (char *)c->k.a + types[s->type].size);
#ifdef CONVK_CUDA_H_
  if (sizeof(size_t) > 4) { /* more than 2^30 tiles, of arrays that nobody has */
    const convk_cuda_stencil_tuning small = {16, 1, 0};
    convk_cuda_stream on;
    stencil_arguments *c = stencil_reset(s);
    int status;
    c->boundary[0] = c->boundary[2] = CONVK_BOUNDARY_PERIODIC;
    c->g.nx = c->g.ny = c->count[0] = c->count[1] = (size_t)1 << (sizeof(size_t) * 4 - 13);
    c->g.nz = c->count[2] = 1;
    c->first[0] = c->first[2] = 0;
    c->k.a = (void *)(uintptr_t)64;
    c->k.b = (void *)(uintptr_t)(SIZE_MAX / 4 + 65);
    c->k.steps = 1;
    describe("on the device: too many tiles");
    begin_case();
    memset(&on, 0, sizeof on);
    on.stencil = small;
    status = (s->type ? stencil_cuda_f64 : stencil_cuda_f32)(&c->k, &on);
    if (status != CONVK_ERR_OVERFLOW || c->result != s) fail("status %d, %s", status, convk_strerror(status));
    stencil_want_message(CONVK_ERR_OVERFLOW, "shape->grid has more than 2^30 tiles", on.message);
    end_case();
  }
#endif
#ifdef CONVK_CUDA_H_
  {
    convk_cuda_stream on;
    memset(&on, 0, sizeof on);
    describe("the work of a device");
    begin_case();
    if (s->type) RESIDENT_WORK(convk_cuda_stencil7_work_size_f64, &on, on.message);
    else RESIDENT_WORK(convk_cuda_stencil7_work_size_f32, &on, on.message);
    RESIDENT_WORK(convk_cuda_stencil7_work_size_f64, NULL, NULL);
    end_case();
  }
#endif
  STENCIL_RIGHT(s->way.spoiled = SPOILED_PENDING);
  STENCIL_RIGHT((void)0); /* the error is gone */
}

/* Of OpenCL. */
static void resident_errors_opencl(stencil_stage *s) {
  const size_t size = types[s->type].size, points = E_X * E_Y * E_Z, all = s->arrays[0].bytes / size;
  const int fp64 = s->type ? CONVK_ERR_FP64 : CONVK_OK;
  int i;
  STENCIL_ANY(CONVK_ERR_NULL, s->way.spoiled = SPOILED_NO_CL);
  STENCIL_ANY(CONVK_ERR_HANDLE, s->way.spoiled = SPOILED_CLOSED_CL);
  STENCIL_WRONG(CONVK_ERR_NULL, "on->queue is NULL", s->way.spoiled = SPOILED_NO_QUEUE);
  STENCIL_WRONG(CONVK_ERR_NULL, "on->wait_list is NULL", s->way.spoiled = SPOILED_NO_LIST);
  STENCIL_ANY(CONVK_ERR_HANDLE, s->way.spoiled = SPOILED_CLOSED_CL; c->k.grid = NULL; c->k.first = NULL);
  STENCIL_WRONG(CONVK_ERR_NULL, "on->queue is NULL", s->way.spoiled = SPOILED_NO_QUEUE; c->g.nx = 0);
  STENCIL_WRONG(fp64, "double precision", s->way.spoiled = SPOILED_FP64);
  STENCIL_WRONG(s->type ? CONVK_ERR_FP64 : CONVK_ERR_NONFINITE, s->type ? "double" : "coefficients->x_plus",
                s->way.spoiled = SPOILED_FP64;
                c->c[2] = not_finite(1));
  STENCIL_WRONG(s->type ? CONVK_ERR_FP64 : CONVK_ERR_OVERLAP, s->type ? "double" : "a overlaps b",
                s->way.spoiled = SPOILED_FP64;
                c->k.b = c->k.a);
  STENCIL_WRONG(CONVK_ERR_UNSUPPORTED, "local memory", s->way.spoiled = SPOILED_LOCAL; s->way.value = 9 * size - 1);
  if (!suite.quick) STENCIL_RIGHT(s->way.spoiled = SPOILED_LOCAL; s->way.value = 9 * size); /* a program of its own */
  for (i = 0; i < 2; i++) {
    STENCIL_WRONG(CONVK_ERR_SIZE, i ? "b.mem is too small" : "a.mem is too small", s->way.spoiled = SPOILED_SHORT;
                  s->way.which = i);
    STENCIL_RIGHT(s->way.spoiled = SPOILED_OFFSET; s->way.which = i; s->way.value = all - points);
    STENCIL_WRONG(CONVK_ERR_SIZE, i ? "b.mem is too small" : "a.mem is too small", s->way.spoiled = SPOILED_OFFSET;
                  s->way.which = i; s->way.value = all - points + 1);
    STENCIL_WRONG(CONVK_ERR_SIZE, i ? "b.mem is too small" : "a.mem is too small", s->way.spoiled = SPOILED_OFFSET;
                  s->way.which = i; s->way.value = all);
    STENCIL_WRONG(CONVK_ERR_OVERFLOW, i ? "b.offset is too large" : "a.offset is too large", s->way.spoiled = SPOILED_OFFSET;
                  s->way.which = i; s->way.value = SIZE_MAX / size);
    STENCIL_WRONG(CONVK_ERR_OVERFLOW, i ? "b.offset is too large" : "a.offset is too large", s->way.spoiled = SPOILED_OFFSET;
                  s->way.which = i; s->way.value = SIZE_MAX);
    STENCIL_WRONG(CONVK_ERR_BOUNDARY, "shape->boundary[1] is 99", s->way.spoiled = SPOILED_SHORT; s->way.which = i;
                  c->boundary[1] = 99);
  }
  STENCIL_WRONG(CONVK_ERR_SIZE, "b.mem is too small", s->way.spoiled = SPOILED_OFFSET; s->way.which = 1; s->way.value = all;
                c->k.b = c->k.a);
  if (s->box)
    STENCIL_WRONG(s->type ? CONVK_ERR_FP64 : CONVK_ERR_SIZE, s->type ? "double" : "box->first[0]",
                  s->way.spoiled = SPOILED_FP64;
                  c->first[0] = 0);
  else
    STENCIL_WRONG(s->type ? CONVK_ERR_FP64 : CONVK_ERR_OVERFLOW, s->type ? "double" : "steps times",
                  s->way.spoiled = SPOILED_FP64;
                  c->k.steps = SIZE_MAX);
#ifdef CONVK_CL_H_
  {
    convk_cl *const cl = convk_cl_of(&s->v->hw);
    const convk_cl_queue on = {cl, NULL, 0, NULL, NULL};
    describe("the work of a device");
    begin_case();
    if (s->type) RESIDENT_WORK(convk_cl_stencil7_work_size_f64, &on, cl->message);
    else RESIDENT_WORK(convk_cl_stencil7_work_size_f32, &on, cl->message);
    RESIDENT_WORK(convk_cl_stencil7_work_size_f64, NULL, NULL);
    end_case();
  }
#endif
}

/* Calls on arrays of a device, in two pieces of its memory: a and b lie apart there as they do here. */
static void resident_errors_of(int type, int box) {
  size_t number = 0;
  variant *v;
  while ((v = next_device(&number, (size_t)(type + box))) != NULL) {
    static stencil_stage s;
    stencil_stage_new(&s, v, type, box, 0, 1);
    stencil_errors_arguments(&s);
    if (box) stencil_errors_box(&s);
    if (!strcmp(v->name, "cuda")) resident_errors_cuda(&s);
    else resident_errors_opencl(&s);
    stencil_stage_end(&s);
  }
}

static void resident_errors(int type) { resident_errors_of(type, 0); }
static void resident_box_errors(int type) { resident_errors_of(type, 1); }

static void stencil_errors(int type) { stencil_errors_of(type, 0); }
static void box_errors(int type) { stencil_errors_of(type, 1); }

/* From two steps on the fixed points, and only they, must be the same bits in both arrays. */
static void stencil_rims(int type) {
  static const size_t sizes[][3] = {
      {STENCIL_MOST(6, 4), STENCIL_MOST(4, 3), STENCIL_MOST(5, 3)}, {3, 3, 3}, {2, 4, 3}, {5, 1, 4}, {4, 3, 2}, {1, 1, 1}};
  const size_t size = types[type].size;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c, i, number = 0;
  variant *v;
  while ((v = next_variant(&number, 0)) != NULL)
    for (c = 0; c < COUNT_OF(sizes) * 8; c++) {
      stencil_problem p;
      stencil_pair q;
      size_t x, y, z;
      const size_t *n = sizes[c / 8];
      if (v->device && c % (suite.quick ? 5 : 3)) continue;
      stencil_start(&p, type, n[0], n[1], n[2], (int)(c % 8), 2 + random_below(&rng, 4));
      stencil_weights(&p, WEIGHTS_SEVEN, &rng);
      stencil_finish(&p, DATA_SPECIAL, &rng);
      begin_case();
      q = stencil_pair_new(&p, &rng);
      for (z = 0, i = 0; z < n[2]; z++)
        for (y = 0; y < n[1]; y++)
          for (x = 0; x < n[0]; x++, i++) {
            unsigned char *at = (unsigned char *)array_element(&q.b, x, y, z);
            const size_t bit = random_below(&rng, 3) ? random_below(&rng, 8 * size) : 8 * size - 1; /* often the sign */
            const int wanted = p.changing[i] ? CONVK_OK : CONVK_ERR_RIM;
            stencil_call call = stencil_call_of(&p, &v->hw, &q.a, &q.b);
            void *result = &p;
            int status;
            at[bit / 8] ^= (unsigned char)(1u << bit % 8);
            call.result = &result;
            status = stencil_types[type].call(&call);
            if (status != wanted)
              fail("status %d (%s) with bit %lu of (%lu,%lu,%lu) turned", status, convk_strerror(status), (unsigned long)bit,
                   (unsigned long)x, (unsigned long)y, (unsigned long)z);
            if (wanted) { /* nothing has changed */
              if (result != &p) fail("the result was set");
              at[bit / 8] ^= (unsigned char)(1u << bit % 8);
              points_check(&q.a, "a", q.a_before, NULL, NULL);
              points_check(&q.b, "b", q.b_before, NULL, NULL);
              at[bit / 8] ^= (unsigned char)(1u << bit % 8);
              call.steps = random_below(&rng, 2); /* then b's own do not matter */
              if (stencil_types[type].call(&call)) fail("refused with %lu steps", (unsigned long)call.steps);
            }
            memcpy(q.a.g.data, q.a_before, q.a.g.bytes);
            memcpy(q.b.g.data, q.b_before, q.b.g.bytes);
          }
      stencil_pair_free(&q);
      end_case();
      stencil_free(&p);
    }
}

/* ---- work sizes ---- */

/* One that is refused says why, and leaves what *bytes was. */
static void work_refused(int type, convk *hw, const convk_stencil7_shape *shape, size_t steps, int wanted, const char *named) {
  size_t bytes = 12345;
  const int status = stencil_types[type].work(hw, shape, steps, &bytes);
  if (status != wanted || bytes != 12345)
    fail("status %d, %s, and %lu bytes", status, convk_strerror(status), (unsigned long)bytes);
  stencil_want_message(wanted, named, hw && named ? hw->message : NULL);
}

static void stencil_work_errors(int type) {
  static const int wrong[] = {CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_SHRINK, CONVK_BOUNDARY_ZERO, -1, 99};
  static const char *const boundaries[3] = {"shape->boundary[0] is ", "shape->boundary[1] is ", "shape->boundary[2] is "};
  const convk_stencil7_shape good = {{20, 100, 50, 0, 0},
                                     {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_FIXED}};
  size_t number = 0, i;
  variant *v;
  while ((v = next_variant(&number, 0)) != NULL) {
    convk *hw = &v->hw, closed;
    convk_stencil7_shape bad = good;
    int d;
    memset(&closed, 0, sizeof closed);
    describe("work sizes that are refused");
    begin_case();
    work_refused(type, &closed, &good, 4, CONVK_ERR_HANDLE, NULL);
    work_refused(type, NULL, NULL, 4, CONVK_ERR_NULL, NULL);
    work_refused(type, hw, NULL, 4, CONVK_ERR_NULL, "shape is NULL");
    if (stencil_types[type].work(hw, &good, 4, NULL) != CONVK_ERR_NULL) fail("no place for the size");
    stencil_want_message(CONVK_ERR_NULL, "bytes is NULL", hw->message);
    bad.grid.ny = 0;
    work_refused(type, hw, &bad, 4, CONVK_ERR_SIZE, "shape->grid.ny is 0");
    bad = good;
    bad.grid.pitch_y = 19;
    work_refused(type, hw, &bad, 4, CONVK_ERR_PITCH, "shape->grid.pitch_y is 19, less than nx = 20");
    bad = good;
    bad.grid.pitch_z = 1999;
    work_refused(type, hw, &bad, 4, CONVK_ERR_PITCH, "shape->grid.pitch_z is 1999, less than the 2000 of a plane");
    bad = good;
    bad.grid.nx = HUGE_;
    work_refused(type, hw, &bad, 4, CONVK_ERR_OVERFLOW, " is too large");
    work_refused(type, hw, &good, SIZE_MAX, CONVK_ERR_OVERFLOW, "steps times the points of shape->grid");
    work_refused(type, hw, &good, SIZE_MAX / 100000 + 1, CONVK_ERR_OVERFLOW, "steps times the points of shape->grid");
    for (d = 0; d < 3; d++)
      for (i = 0; i < COUNT_OF(wrong); i++) {
        bad = good;
        bad.boundary[d] = wrong[i];
        work_refused(type, hw, &bad, 4, CONVK_ERR_BOUNDARY, boundaries[d]);
      }
    if (stencil_need(type, hw, &good.grid, good.boundary, 4) && v->device) fail("a device wants work");
    stencil_want_message(CONVK_OK, NULL, hw->message);
    if (stencil_need(type, NULL, &good.grid, good.boundary, 0)) fail("no steps want work");
    end_case();
  }
}

/* Sizes at the edge of what can be addressed. */
static void stencil_work_edges(int type) {
  int d, shift;
  for (d = 0; d < 3; d++)
    for (shift = 20; shift < (int)sizeof(size_t) * 8; shift++) {
      convk_stencil7_shape edge = {{3, 3, 3, 0, 0}, {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_FIXED}};
      const size_t n = (size_t)1 << shift;
      size_t bytes = 0;
      int status;
      *(d == 0 ? &edge.grid.nx : d == 1 ? &edge.grid.ny : &edge.grid.nz) = n;
      describe("work of 2^%d points on axis %d", shift, d);
      begin_case();
      status = stencil_types[type].work(NULL, &edge, 1000, &bytes);
      if (n > SIZE_MAX / 9 / types[type].size && status != CONVK_ERR_OVERFLOW) fail("work of %lu bytes", (unsigned long)bytes);
      if (shift < 40 && status) fail("status %d", status);
      if (shift > 30 && shift < 40 && d < 2 && !bytes) fail("none");
      end_case();
    }
}

/* A handle of small caches, in which small grids are swept in all ways that there are, and its tuned entries. */
static void work_handle(convk *hw, hook *k, convk_tuned *entries, uint64_t *rng) {
  size_t i;
  hw->parallel.threads = (int)(1 + random_below(rng, 5));
  hw->parallel.run = hook_run;
  hw->parallel.ctx = k;
  hw->tuning.l2_bytes = (size_t)1 << random_int(rng, 12, 21); /* from 1.5 MiB on it is near, in spite of an L3 */
  hw->tuning.l3_bytes = random_below(rng, 3) ? (size_t)1 << random_int(rng, 13, 24) : 0;
  hw->tuning.l3_threads = 1 + random_below(rng, 3);
  hw->tuning.nontemporal = random_below(rng, 3) ? 0 : random_int(rng, -1, 1);
  hw->tuning.stencil_steps = random_below(rng, 3) ? 0 : random_below(rng, 20);
  hw->tuning.stencil_rows = random_below(rng, 4) ? 0 : random_below(rng, 40);
  hw->tuning.stencil_planes = random_below(rng, 3) ? 0 : random_below(rng, 5);
  hw->tuning.stencil_threads_y = random_below(rng, 3) ? 0 : random_below(rng, 4);
  hw->tuned = entries;
  hw->ntuned = random_below(rng, 4);
  for (i = 0; i < hw->ntuned; i++) {
    convk_tuned *e = &entries[i];
    memset(e, 0, sizeof *e);
    strcpy(e->operation, "stencil7");
    strcpy(e->type, random_below(rng, 2) ? "f32" : "f64");
    strcpy(e->hw, hw->name);
    strcpy(e->machine, hw->machine);
    e->threads = hw->parallel.threads;
    e->nx = 1 + random_below(rng, 80);
    e->ny = 1 + random_below(rng, 30);
    e->nz = 1 + random_below(rng, 30);
    e->length = 1 + random_below(rng, 4);
    e->choice[CONVK_TUNE_ROWS] = (long)random_below(rng, 40);
    e->choice[CONVK_TUNE_DEPTH] = (long)random_below(rng, 8);
    e->choice[CONVK_TUNE_NONTEMPORAL] = (long)random_below(rng, 3) - 1;
    e->choice[CONVK_TUNE_PLANES] = (long)random_below(rng, 5);
    e->choice[CONVK_TUNE_THREADS_Y] = (long)random_below(rng, 3);
  }
}

/* Whether so much work is enough for a periodic grid of any size: threads side by side fail before they touch an array. */
static int work_suffices(int type, convk *hw, const convk_grid3 *grid, size_t steps, size_t bytes) {
  static const int periodic[3] = {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC};
  static const double c[7] = {0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
  hook failing = hook_new(HOOK_FAILS, 3, 1);
  convk copy = *hw;
  stencil_call k;
  void *result = NULL;
  if (hw->parallel.threads < 2 || grid->ny < 2 || hw->tuning.stencil_threads_y < 2) return 1;
  copy.parallel.ctx = &failing;
  memset(&k, 0, sizeof k);
  k.hw = &copy;
  k.grid = grid;
  k.c = c;
  k.boundary = periodic;
  k.steps = steps;
  k.a = (void *)(SIZE_MAX / 4 - 63);
  k.b = (void *)(SIZE_MAX / 2 - 63);
  k.work = (void *)(SIZE_MAX / 4 * 3 - 63);
  k.work_size = bytes;
  k.result = &result;
  return stencil_types[type].call(&k) == CONVK_ERR_THREADS;
}

/* What a size query says is enough for every smaller grid, box and number of steps, and no less than what it says of those. */
static void stencil_work(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c, i, count = suite.quick ? 300 : 3000, some = 0, enough = 0;
  for (c = 0; c < count; c++) {
    const size_t most[3] = {(size_t)(c % 3 ? 2000 : 80), 1 + random_below(&rng, 120), 1 + random_below(&rng, 60)};
    hook k = hook_new(HOOK_REVERSED, 3, random64(&rng));
    convk_tuned entries[4];
    stencil_problem p;
    size_t need, steps, length;
    convk hw;
    if (convk_open(&hw, "scalar")) return;
    work_handle(&hw, &k, entries, &rng);
    stencil_start(&p, type, 1 + random_below(&rng, most[0]), most[1], most[2], (int)(c % 8), 1 + random_below(&rng, 12));
    if (c % 8 == 0) hw.tuning.stencil_threads_y = 2 + random_below(&rng, 3); /* work_suffices looks */
    stencil_describe(&p);
    length = strlen(suite.text);
    begin_case();
    {
      const convk_grid3 grid = {p.n[0], p.n[1], p.n[2], 0, 0};
      need = stencil_need(type, &hw, &grid, p.boundary, p.steps);
    }
    some += need > 0;
    for (i = 0; i < 40; i++) {
      convk_grid3 less = {1 + random_below(&rng, p.n[0]), 1 + random_below(&rng, p.n[1]), 1 + random_below(&rng, p.n[2]), 0, 0};
      size_t own;
      if (random_below(&rng, 2)) less.nx = p.n[0];
      if (random_below(&rng, 2)) less.ny = p.n[1];
      if (random_below(&rng, 2)) less.nz = p.n[2];
      steps = random_below(&rng, 2) ? p.steps : random_below(&rng, p.steps + 1);
      own = stencil_need(type, &hw, &less, p.boundary, steps);
      if (own > need)
        fail("%lu bytes for %lux%lux%lu and %lu steps, more than %lu", (unsigned long)own, (unsigned long)less.nx,
             (unsigned long)less.ny, (unsigned long)less.nz, (unsigned long)steps, (unsigned long)need);
      if (steps && c % 8 == 0 && !work_suffices(type, &hw, &less, steps, need))
        fail("not enough for %lux%lux%lu and %lu steps", (unsigned long)less.nx, (unsigned long)less.ny, (unsigned long)less.nz,
             (unsigned long)steps);
      if (i % 4 == 0 && less.nx * less.ny * less.nz < 20000) { /* and it is enough */
        stencil_problem q;
        stencil_pair pair;
        stencil_call call;
        workspace work;
        void *result = NULL;
        stencil_start(&q, type, less.nx, less.ny, less.nz, (int)(c % 8), steps);
        if ((q.box = random_below(&rng, 3) == 0) != 0) any_box(&q, &rng);
        q.x = drawn(type, DATA_UNIFORM, q.points, &rng);
        stencil_mark(&q);
        pair = stencil_pair_new(&q, &rng);
        call = stencil_call_of(&q, &hw, &pair.a, &pair.b);
        call.result = q.box ? NULL : &result;
        work = workspace_new(WORK_EXACT, need, &rng);
        call.work = work.work;
        call.work_size = work.size;
        want_status(stencil_types[type].call(&call), CONVK_OK);
        enough++;
        workspace_end(&work);
        stencil_pair_free(&pair);
        stencil_free(&q);
        suite.text[length] = '\0';
      }
    }
    end_case();
    stencil_free(&p);
    convk_close(&hw);
  }
  describe("work sizes");
  CHECK(some > count / 4 && some < count && enough > count);
  {
    static const int periodic[3] = {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC};
    const convk_grid3 grid = {512, 512, 256, 0, 0};
    convk hw;
    if (convk_open(&hw, "scalar")) return;
    hw.tuning.l2_bytes = (size_t)1 << 19;
    hw.tuning.l3_bytes = (size_t)1 << 26;
    describe("work of 64 steps where L3 is said to have 64 MiB: queues take a small part of that");
    CHECK(stencil_need(type, &hw, &grid, periodic, 64) < (size_t)7 << 19);
    convk_close(&hw);
  }
  stencil_work_edges(type);
}

/* ---------------------------------------------------------------------------------------------------------------------- */

static const test stencil_tests[] = {
    {"stencil7", "work_size", stencil_work, TYPED_LONG},
    {"stencil7", "work_size_errors", stencil_work_errors, 1},
    {"stencil7", "errors", stencil_errors, 1},
    {"stencil7_box", "errors", box_errors, 1},
    {"stencil7", "rims", stencil_rims, 1},
    {"stencil7", "shapes", stencil_shapes, 1},
    {"stencil7", "boundaries", stencil_boundaries, 1},
    {"stencil7", "random", stencil_random, 1},
    {"stencil7", "steps", stencil_steps, 1},
    {"stencil7", "cuts", stencil_cuts, 1},
    {"stencil7", "hook", stencil_hook, 1},
    {"stencil7", "concurrent", stencil_concurrent, 1},
    {"stencil7", "special", stencil_special, 1},
    {"stencil7", "reach", stencil_reach, 1},
    {"stencil7", "accuracy", stencil_accuracy, 1},
    {"stencil7", "modes", stencil_modes, 1},
    {"stencil7", "sums", stencil_sums, 1},
    {"stencil7", "constant", stencil_constant, 1},
    {"stencil7", "linear", stencil_linear, 1},
    {"stencil7", "isotropic", stencil_isotropic, 1},
    {"stencil7", "control", stencil_control, 1},
    {"stencil7", "unaligned", stencil_unaligned, 1},
    {"grid3_padded", "pitches", stencil_padded, 0},
    {"huge_alloc", "memory", stencil_huge, 0},
    {"first_touch", "arrays", stencil_touch, 1},
    {"stencil7_box", "random", box_random, 1},
    {"stencil7_box", "partition", box_partition, 1},
    {"stencil7_box", "work", box_work, 1},
    {"stencil7", "resident", resident_random, 1},
    {"stencil7_box", "resident", resident_box, 1},
    {"stencil7", "resident_tiles", resident_tiles, 1},
    {"stencil7", "resident_errors", resident_errors, 1},
    {"stencil7_box", "resident_errors", resident_box_errors, 1},
};
TEST_LIST(stencil)
