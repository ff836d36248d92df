/* SPDX-License-Identifier: MIT
   Tests of form factors: lists and tensor grids of q, meshes.  The files of the family that it includes at its end use its
   bodies. */
#include "test.h"

/* ---------------------------------------------------------------- one interface to both operations and precisions -- */

enum { FORM_LIST, FORM_GRID, FORM_KINDS };
/* A condition within a case. */
#define FORM_EXPECT(condition) \
  do { \
    if (!(condition)) fail("%s", #condition); \
  } while (0)

static const char *const form_names[FORM_KINDS] = {"formfactor", "formfactor_grid"};

typedef struct form_call {
  convk *hw;
  const char *name; /* of the variant, to call it by its name */
  int operation, meshless, qless;
  size_t n, nq; /* triangles; q of a list */
  void *field[12];
  const void *q[6]; /* real parts, then imaginary ones of z, x and y */
  const convk_grid3 *grid;
  const convk_formfactor_options *options;
  void *f, *work;
  size_t work_size;
} form_call;

/* What a handle says of a call through it: of a refusal `says`, unless NULL, of success nothing. */
static void form_said(const convk *hw, int status, const char *says) {
  const char *text = hw && status != CONVK_ERR_HANDLE ? hw->message : NULL;
  if (text && (!status ? text[0] != 0 : says && !strstr(text, says)))
    fail("status %d: the message is '%s', not of '%s'", status, text, says ? says : "");
}

/* A handle for calls that need none, and whether a call is refused so, by an argument that it names. */
static convk *form_handle(void) {
  static convk hw;
  if (!hw.size && test_open(&hw, "scalar")) exit(2);
  return &hw;
}
static int form_refused(int status, int want, const char *says) {
  form_said(form_handle(), status, says);
  return status == want;
}
#define FORM_REFUSED(call, want, says) \
  do { \
    if (!form_refused(call, want, says)) fail("%s", #call " is not " #want); \
  } while (0)

#define FORM_DO(TYPE, T, HW) \
  if (k->operation == FORM_LIST) \
    status = convk_formfactor_##TYPE##HW(k->hw, mesh, k->qless ? NULL : &q, k->options, (T *)k->f); \
  else \
    status = convk_formfactor_grid_##TYPE##HW(k->hw, mesh, k->grid, k->qless ? NULL : &q, k->options, (T *)k->f, k->work, \
                                              k->work_size);
#define FORM_NAMED(TYPE, T, HW) \
  if (k->name && !strcmp(k->name, #HW)) { FORM_DO(TYPE, T, _##HW) }

#define FORM_CALL(TYPE, T) \
  static convk_q_##TYPE form_q_##TYPE(size_t n, const void *const q[6]) { \
    convk_q_##TYPE to; \
    to.n = n; \
    to.x = (const T *)q[0]; \
    to.y = (const T *)q[1]; \
    to.z = (const T *)q[2]; \
    to.z_imag = (const T *)q[3]; \
    to.x_imag = (const T *)q[4]; \
    to.y_imag = (const T *)q[5]; \
    return to; \
  } \
  static convk_mesh_##TYPE form_mesh_##TYPE(size_t n, void *const field[12]) { \
    convk_mesh_##TYPE m; \
    m.n = n; \
    m.ax = (T *)field[0]; \
    m.ay = (T *)field[1]; \
    m.az = (T *)field[2]; \
    m.x = (T *)field[3]; \
    m.y = (T *)field[4]; \
    m.z = (T *)field[5]; \
    m.ux = (T *)field[6]; \
    m.uy = (T *)field[7]; \
    m.uz = (T *)field[8]; \
    m.wx = (T *)field[9]; \
    m.wy = (T *)field[10]; \
    m.wz = (T *)field[11]; \
    m.indexed = NULL; \
    return m; \
  } \
  static int form_call_##TYPE(const form_call *k) { \
    const surroundings s = before_call(); \
    const convk_mesh_##TYPE m = form_mesh_##TYPE(k->n, k->field), *mesh = k->meshless ? NULL : &m; \
    const convk_q_##TYPE q = form_q_##TYPE(k->nq, k->q); \
    int status = 1; \
    if (!k->name) { FORM_DO(TYPE, T, ) } \
    EVERYWHERE(FORM_NAMED, TYPE, T) \
    after_call(s, k->hw && k->hw->ours.inside.device); \
    return status; \
  } \
  static int form_from_##TYPE(const void *corners, size_t n, void *const field[12]) { \
    const convk_mesh_##TYPE m = form_mesh_##TYPE(n, field); \
    return convk_mesh_from_triangles_##TYPE(form_handle(), (const T *)corners, &m); \
  } \
  static int form_measure_##TYPE(size_t n, void *const field[12], convk_mesh_measures *measures) { \
    const convk_mesh_##TYPE m = form_mesh_##TYPE(n, field); \
    return convk_mesh_measure_##TYPE(form_handle(), &m, measures); \
  } \
  static int form_rotate_##TYPE(size_t n, void *const field[12], const double r[9], size_t to_n, void *const to[12]) { \
    const convk_mesh_##TYPE m = form_mesh_##TYPE(n, field), out = form_mesh_##TYPE(to_n, to); \
    return convk_mesh_rotate_##TYPE(form_handle(), &m, r, &out); \
  } \
  static int form_assign_##TYPE(size_t n, int corners, void *storage, void **field) { \
    convk_mesh_##TYPE m; \
    const int status = convk_mesh_assign_##TYPE(form_handle(), n, corners, (T *)storage, field ? &m : NULL); \
    if (status) return status; \
    field[0] = m.ax; \
    field[1] = m.ay; \
    field[2] = m.az; \
    field[3] = m.x; \
    field[4] = m.y; \
    field[5] = m.z; \
    field[6] = m.ux; \
    field[7] = m.uy; \
    field[8] = m.uz; \
    field[9] = m.wx; \
    field[10] = m.wy; \
    field[11] = m.wz; \
    return m.n == n ? CONVK_OK : 1; \
  } \
  static size_t form_work_##TYPE(convk *hw, const convk_grid3 *grid, int imag) { \
    static const T some = 0; \
    convk_q_##TYPE q; \
    size_t bytes = 12345; \
    int status; \
    memset(&q, 0, sizeof q); \
    if (imag) q.z_imag = &some; \
    status = convk_formfactor_grid_work_size_##TYPE(hw, grid, &q, &bytes); \
    form_said(hw, status, "grid"); \
    if (status && bytes != 12345) fail("a size was written"); \
    return status ? SIZE_MAX : bytes; \
  } \
  static int form_offers_##TYPE(convk *hw, int operation) { \
    return operation == FORM_LIST ? hw->ours.inside.TYPE.formfactor != NULL : hw->ours.inside.TYPE.formfactor_grid != NULL; \
  }
FORM_CALL(f32, float)
FORM_CALL(f64, double)

static const struct {
  int (*call)(const form_call *k);
  int (*assign)(size_t n, int corners, void *storage, void **field);
  int (*from)(const void *corners, size_t n, void *const field[12]);
  int (*measure)(size_t n, void *const field[12], convk_mesh_measures *measures);
  int (*rotate)(size_t n, void *const field[12], const double r[9], size_t to_n, void *const to[12]);
  int (*offers)(convk *hw, int operation);
  size_t (*work)(convk *hw, const convk_grid3 *grid, int imag);
  double eps;
} form_types[2] = {{form_call_f32, form_assign_f32, form_from_f32, form_measure_f32, form_rotate_f32, form_offers_f32,
                    form_work_f32, FLT_EPSILON},
                   {form_call_f64, form_assign_f64, form_from_f64, form_measure_f64, form_rotate_f64, form_offers_f64,
                    form_work_f64, DBL_EPSILON}};

static variant *form_next(size_t *i, int type, int operation, size_t cost) {
  return next_offering(i, cost, form_types[type].offers, operation);
}

/* --------------------------------------------------------------------------------------------------------------- bodies -- */

/* A mesh in doubles that are numbers of its type, as the library sees it: area, centroid, two corners. */
typedef struct body {
  int type;
  size_t n, room;
  double *corners; /* nine a triangle */
  double *field[12];
} body;

static void body_triangle(body *b, double v[3][3]) {
  int i, k;
  if (b->n == b->room) {
    double *more = reals(9 * (b->room = 2 * b->room + 64));
    if (b->n) memcpy(more, b->corners, 9 * b->n * sizeof *more);
    free(b->corners);
    b->corners = more;
  }
  for (i = 0; i < 3; i++)
    for (k = 0; k < 3; k++) b->corners[9 * b->n + 3 * (size_t)i + (size_t)k] = rounded_to(b->type, v[i][k]);
  b->n++;
}

/* The library's own arrays of this mesh; that they are right is a test of its own. */
static void body_finish(body *b) {
  const size_t size = types[b->type].size;
  void *corners = need(9 * b->n * size), *field[12];
  size_t i, d;
  for (i = 0; i < 9 * b->n; i++) put(b->type, corners, i, b->corners[i]);
  for (d = 0; d < 12; d++) field[d] = need(b->n * size);
  if (form_types[b->type].from(corners, b->n, field)) {
    fprintf(stderr, "no mesh of %lu triangles\n", (unsigned long)b->n);
    exit(2);
  }
  for (d = 0; d < 12; d++) {
    b->field[d] = reals(b->n);
    for (i = 0; i < b->n; i++) b->field[d][i] = get(b->type, field[d], i);
    free(field[d]);
  }
  free(corners);
}

static void body_free(body *b) {
  int d;
  for (d = 0; d < 12; d++) free(b->field[d]);
  free(b->corners);
}

static body body_new(int type) {
  body b;
  memset(&b, 0, sizeof b);
  b.type = type;
  return b;
}

/* A box of sides 2 s around c, k x k x 2 triangles a face. */
static void body_box(body *b, const double c[3], const double s[3], int k) {
  int axis, side, i, j, half;
  for (axis = 0; axis < 3; axis++)
    for (side = -1; side < 2; side += 2)
      for (i = 0; i < k; i++)
        for (j = 0; j < k; j++)
          for (half = 0; half < 2; half++) {
            const int u = (axis + 1) % 3, w = (axis + 2) % 3;
            const int at[3][2] = {{i + half, j + half}, {i + !half, j + half}, {i + !half, j + !half}};
            double v[3][3];
            int p;
            for (p = 0; p < 3; p++) {
              const int q = side > 0 ? p : (3 - p) % 3;
              v[p][axis] = c[axis] + side * s[axis];
              v[p][u] = c[u] + s[u] * (2.0 * at[q][0] / k - 1);
              v[p][w] = c[w] + s[w] * (2.0 * at[q][1] / k - 1);
            }
            body_triangle(b, v);
          }
}

/* A sphere of radius R about c: m rings of 2 m quadrilaterals, those at the poles half without area. */
static void body_sphere(body *b, const double c[3], double R, int m) {
  const double pi = acos(-1.0);
  int i, j, k, half;
  for (i = 0; i < m; i++)
    for (j = 0; j < 2 * m; j++)
      for (half = 0; half < 2; half++) {
        const int ring[2][3] = {{i, i + 1, i + 1}, {i, i + 1, i}}, step[2][3] = {{j, j, j + 1}, {j, j + 1, j + 1}};
        double v[3][3];
        for (k = 0; k < 3; k++) {
          const double a = pi * ring[half][k] / m, p = pi * (step[half][k] % (2 * m)) / m;
          const int pole = ring[half][k] % m == 0;
          v[k][0] = c[0] + (pole ? 0 : R * sin(a) * cos(p));
          v[k][1] = c[1] + (pole ? 0 : R * sin(a) * sin(p));
          v[k][2] = c[2] + (pole ? ring[half][k] ? -R : R : R * cos(a));
        }
        body_triangle(b, v);
      }
}

/* A cylinder of radius R and height h about c, 4 k steps around and k along each of its base, side and top. */
static void body_cylinder(body *b, const double c[3], double R, double h, int k) {
  const double pi = acos(-1.0);
  int i, j, half, p;
  for (i = 0; i < 3 * k; i++)
    for (j = 0; j < 4 * k; j++)
      for (half = 0; half < 2; half++) {
        const int ring[2][3] = {{i, i, i + 1}, {i + 1, i, i + 1}}, step[2][3] = {{j, j + 1, j + 1}, {j, j, j + 1}};
        double v[3][3];
        for (p = 0; p < 3; p++) {
          const int r = ring[half][p];
          const double a = 2 * pi * (step[half][p] % (4 * k)) / (4 * k);
          const double rho = r <= k ? R * r / k : r < 2 * k ? R : R * (3 * k - r) / k;
          v[p][0] = c[0] + rho * cos(a);
          v[p][1] = c[1] + rho * sin(a);
          v[p][2] = c[2] + h * ((r < k ? 0.0 : r < 2 * k ? (double)(r - k) / k : 1.0) - 0.5);
        }
        body_triangle(b, v);
      }
}

/* Triangles anywhere: open. */
static void body_scatter(body *b, size_t n, double size, uint64_t *rng) {
  size_t t;
  int i, k;
  for (t = 0; t < n; t++) {
    double v[3][3];
    for (k = 0; k < 3; k++) {
      v[0][k] = size * random_unit(rng);
      for (i = 1; i < 3; i++) v[i][k] = v[0][k] + 0.1 * size * random_unit(rng);
    }
    if (t % 17 == 5) memcpy(v[1], v[0], sizeof v[0]); /* without area */
    body_triangle(b, v);
  }
}

/* The volume and the sums of vector areas, and what their sums of doubles may lose. */
static long double body_volume(const body *b, long double gap[3], long double loss[3], long double *extent,
                               long double *rounding) {
  long double volume = 0;
  size_t t;
  int d;
  for (d = 0, *extent = *rounding = 0; d < 3; d++) {
    double least = 0, most = 0;
    gap[d] = loss[d] = 0;
    for (t = 0; t < b->n; t++) {
      gap[d] += b->field[d][t];
      loss[d] += fabsl((long double)b->field[d][t]) * DBL_EPSILON * (long double)b->n / 2;
      volume += (long double)b->field[d][t] * b->field[3 + d][t] / 3;
      *rounding += fabsl((long double)b->field[d][t] * b->field[3 + d][t]) * DBL_EPSILON * (3 + (long double)b->n) / 6;
      least = fmin(least, b->field[3 + d][t]);
      most = fmax(most, b->field[3 + d][t]);
    }
    *extent += most - least;
  }
  return volume;
}

/* F at one q, real and imaginary part, and what rounding may do to it. */
static void form_reference(const body *b, const double q[4], int open, int fourth, long double f[2], long double *bound) {
  const long double square = (long double)q[0] * q[0] + (long double)q[1] * q[1] + (long double)q[2] * q[2] +
                             (long double)q[3] * q[3];
  long double gap[3], loss[3], extent, rounding, re = 0, im = 0, allowed = 0;
  const long double volume = body_volume(b, gap, loss, &extent, &rounding);
  long double terms = 0;
  size_t t;
  int i;
  f[0] = volume;
  f[1] = 0;
  *bound = rounding + 1e-300L;
  /* sine, cosine, exponential and the products; in a sum of 512 of the type roundings go at random */
  for (t = 0; t < b->n; t++) terms += b->field[0][t] != 0 || b->field[1][t] != 0 || b->field[2][t] != 0;
  if (b->n > 512) terms *= 512 / (long double)b->n;
  terms = 4 + sqrtl(terms) / 2;
  if (square > 4e-308L) { /* what squares to a double */
    for (t = 0; t < b->n; t++) {
      long double g[2] = {0, 0}, summed = 0, phase = 0, size = 0, e, er, ei, decay, mr, mi, corr, more = 0;
      if (b->field[0][t] == 0 && b->field[1][t] == 0 && b->field[2][t] == 0) continue; /* many such make no work here */
      for (i = 0; i < 3; i++) {
        g[0] += (long double)q[i] * b->field[i][t];
        summed += fabsl((long double)q[i] * b->field[i][t]);
        phase += (long double)q[i] * b->field[3 + i][t];
        size += fabsl((long double)q[i] * b->field[3 + i][t]);
      }
      g[1] = -(long double)q[3] * b->field[2][t];
      summed += fabsl(g[1]);
      decay = -(long double)q[3] * b->field[5][t];
      size += fabsl(decay);
      e = expl(decay);
      er = expm1l(decay) * cosl(phase) - 2 * sinl(phase / 2) * sinl(phase / 2); /* E - 1 */
      ei = e * sinl(phase);
      if (fourth) { /* E (1 - d) - 1 */
        long double sum[2] = {0, 0};
        for (i = 0; i < 3; i++) {
          long double dr = 0, di, x;
          int k;
          for (k = 0; k < 3; k++) {
            const double u = b->field[6 + k][t], w = b->field[9 + k][t];
            x = i == 0 ? (long double)u : i == 1 ? (long double)w : -((long double)u + w);
            dr += q[k] * x;
          }
          x = i == 0 ? (long double)b->field[8][t] : i == 1 ? (long double)b->field[11][t]
                                                            : -((long double)b->field[8][t] + b->field[11][t]);
          di = (long double)q[3] * x;
          sum[0] += dr * dr - di * di;
          sum[1] += 2 * dr * di;
        }
        mr = sum[0] / 24;
        mi = sum[1] / 24;
        corr = er;
        er = er - ((er + 1) * mr - ei * mi);
        ei = ei - ((corr + 1) * mi + ei * mr);
        more = 8 * (fabsl(mr) + fabsl(mi)) * (1 + fabsl(corr));
      }
      re += g[0] * er - g[1] * ei;
      im += g[0] * ei + g[1] * er;
      allowed += (fabsl(g[0]) + fabsl(g[1])) * (4 * e * size + more) + summed * fmaxl(1, e) * fminl(size, 3) * terms;
    }
    if (open)  {
      re += q[0] * gap[0] + q[1] * gap[1] + q[2] * gap[2];
      im -= q[3] * gap[2];
    }
    if (sqrtl(square) * extent > (b->type ? 1e-18L : 1e-9L)) {
      f[0] = im / square;
      f[1] = -re / square;
    } else if (open) {
      f[0] = volume - q[3] * gap[2] / square;
      f[1] = -(q[0] * gap[0] + q[1] * gap[1] + q[2] * gap[2]) / square;
    }
    *bound += allowed / square * form_types[b->type].eps;
    if (open)
      for (i = 0; i < 3; i++) *bound += (fabsl(q[i]) + (i == 2 ? fabsl(q[3]) : 0)) * loss[i] / square;
  }
  *bound += (fabsl(f[0]) + fabsl(f[1])) * form_types[b->type].eps * 2;
}

/* -------------------------------------------------------------------------------------------------------------- problems -- */

typedef struct form_problem {
  const body *b;
  int operation, imag, open; /* open: which form is to come out */
  int bits;                  /* nothing but bits matters: no reference */
  convk_formfactor_options options;
  size_t n[3];               /* of the grid; a list has n[0] */
  double *q[4];
  double *want[2];           /* bits of the classes */
  long double *exact;        /* of each element F and its bound; a bound below 0: not known yet */
} form_problem;

static size_t form_count(const form_problem *p) { return p->operation == FORM_LIST ? p->n[0] : p->n[0] * p->n[1] * p->n[2]; }
static size_t form_axis(const form_problem *p, int d) { return p->operation == FORM_LIST ? p->n[0] : p->n[d > 2 ? 2 : d]; }

static void form_start(form_problem *p, const body *b, int operation, const size_t n[3], int imag, double size, uint64_t *rng) {
  int d;
  size_t i;
  memset(p, 0, sizeof *p);
  p->b = b;
  p->operation = operation;
  p->imag = imag;
  memcpy(p->n, n, sizeof p->n);
  for (d = 0; d < 4; d++) {
    const size_t count = form_axis(p, d);
    p->q[d] = reals(count);
    for (i = 0; i < count; i++) p->q[d][i] = rounded_to(b->type, (d < 3 ? size : size / 4) * random_unit(rng));
  }
  if (imag == 2) /* as on a detector's rows */
    for (i = 0; i < form_axis(p, 3); i++) p->q[3][i] = p->q[3][i / 48 * 48];
}

static void form_forget(form_problem *p) {
  int i;
  free(p->exact);
  p->exact = NULL;
  for (i = 0; i < 2; i++) {
    free(p->want[i]);
    p->want[i] = NULL;
  }
}

static void form_free(form_problem *p) {
  int d;
  form_forget(p);
  for (d = 0; d < 4; d++) free(p->q[d]);
}

static void form_q(const form_problem *p, size_t at, double q[4]) {
  int d;
  for (d = 0; d < 4; d++) {
    const size_t i = p->operation == FORM_LIST ? at
                     : d == 0                  ? at % p->n[0]
                     : d == 1                  ? at / p->n[0] % p->n[1]
                                               : at / p->n[0] / p->n[1];
    q[d] = d < 3 || p->imag ? p->q[d][i] : 0;
  }
}

/* The reference of element i, computed once for all variants. */
static void form_exact(form_problem *p, size_t i, long double f[2], long double *bound) {
  size_t k;
  if (!p->exact) {
    p->exact = (long double *)need(3 * form_count(p) * sizeof *p->exact);
    for (k = 0; k < form_count(p); k++) p->exact[3 * k + 2] = -1;
  }
  if (p->exact[3 * i + 2] < 0) {
    double q[4];
    form_q(p, i, q);
    form_reference(p->b, q, p->open, p->options.order, p->exact + 3 * i, p->exact + 3 * i + 2);
  }
  f[0] = p->exact[3 * i];
  f[1] = p->exact[3 * i + 1];
  *bound = p->exact[3 * i + 2];
}

/* Calls one variant; results, packed, into `results` unless NULL; compared with the reference and with the bits of the class. */
static void form_one(form_problem *p, variant *v, const gauss_way *w, uint64_t seed, double *results) {
  const body *b = p->b;
  const int type = b->type;
  const size_t count = form_count(p), size = types[type].size;
  const long live = heap.live;
  uint64_t rng = seed;
  form_call k;
  convk copy;
  hook h = hook_new(w->e.hook, w->e.threads, random64(&rng));
  guard field[12], q[4], f;
  workspace work;
  convk_grid3 grid;
  size_t i, x, y, z, span = count;
  long double worst = 0;
  int d;
  memset(&k, 0, sizeof k);
  describe("%lu triangles, %s of %lux%lux%lu, %s, form %d%s", (unsigned long)b->n, p->operation ? "grid" : "list",
           (unsigned long)p->n[0], (unsigned long)p->n[1], (unsigned long)p->n[2],
           p->imag ? p->imag > 1 ? "complex by rows" : "complex" : "real", p->options.form,
           p->options.order ? ", fourth order" : "");
  begin_case();
  for (d = 0; d < 12; d++) {
    field[d] = gauss_array(type, b->field[d], 1, b->n, 0, &rng);
    /* corners that are not needed are ignored, but with AUTO they choose the order */
    k.field[d] = d < 6 || p->options.order || (p->options.form && random_below(&rng, 2)) ? field[d].data : NULL;
  }
  for (d = 0; d < 4; d++) {
    q[d] = gauss_array(type, p->q[d], 1, form_axis(p, d), 0, &rng);
    k.q[d] = d < 3 || p->imag ? q[d].data : NULL;
  }
  memset(&grid, 0, sizeof grid);
  grid.nx = p->n[0];
  if (p->operation == FORM_GRID) {
    grid.ny = p->n[1];
    grid.nz = p->n[2];
    if (random_below(&rng, 2)) grid.pitch_y = grid.nx + random_below(&rng, 9);
    if (random_below(&rng, 2)) grid.pitch_z = (grid.pitch_y ? grid.pitch_y : grid.nx) * grid.ny + random_below(&rng, 9);
  } else {
    grid.ny = grid.nz = 1;
  }
  k.grid = &grid;
  k.n = b->n;
  k.nq = p->n[0];
  k.operation = p->operation;
  k.options = p->options.form || p->options.order || random_below(&rng, 2) ? &p->options : NULL;
  {
    const size_t pitch_y = grid.pitch_y ? grid.pitch_y : grid.nx, pitch_z = grid.pitch_z ? grid.pitch_z : pitch_y * grid.ny;
    gauss_call by;
    if (p->operation == FORM_GRID) span = (grid.nz - 1) * pitch_z + (grid.ny - 1) * pitch_y + grid.nx;
    f = guard_new(2 * span * size, (int)random_below(&rng, 2), any_shift(size, &rng));
    k.f = f.data;
    memset(&by, 0, sizeof by);
    gauss_way_set(&by, v, w, &copy, &h);
    if (by.hw && !v->device) copy.tuning.formfactor_rows = copy.tuning.formfactor_q = w->e.rows;
    k.hw = by.hw;
    k.name = v->device && random_below(&rng, 2) ? v->name : by.name;
    work = workspace_new(p->operation == FORM_GRID ? w->e.work : 0,
                         p->operation == FORM_GRID ? form_types[type].work(k.hw, &grid, p->imag != 0) : 0, &rng);
    k.work = work.work;
    k.work_size = work.size;
    check_status(form_types[type].call(&k), live);
    for (z = i = 0; z < (count ? grid.nz : 0); z++)
      for (y = 0; y < grid.ny; y++) {
        const size_t row = z * pitch_z + y * pitch_y;
        const size_t end = y + 1 < grid.ny ? row + pitch_y : z + 1 < grid.nz ? (z + 1) * pitch_z : row + grid.nx;
        for (x = 0; x < grid.nx && !suite.bad; x++, i++) {
          double got[2] = {get(type, f.data, 2 * (row + x)), get(type, f.data, 2 * (row + x) + 1)};
          const double *want = p->want[v->fused];
          if (results) {
            results[2 * i] = got[0];
            results[2 * i + 1] = got[1];
          }
          if (want && (!same(want[2 * i], got[0]) || !same(want[2 * i + 1], got[1])) && !v->device)
            fail("q %lu gives other bits: %.17g %.17g, not %.17g %.17g", (unsigned long)i, got[0], got[1], want[2 * i],
                 want[2 * i + 1]);
          if (!p->bits && (i % (1 + count / (suite.quick ? 16 : 40)) == 0 || v->device)) {
            long double is[2], bound, error;
            double at[4];
            form_q(p, i, at);
            form_exact(p, i, is, &bound);
            bound *= slack();
            for (d = 0; d < 2; d++) /* an open body at a small q */
              if (!type && fabsl(is[d]) > FLT_MAX && fabs(got[d]) > FLT_MAX && (got[d] > 0) == (is[d] > 0)) is[d] = got[d] = 0;
            error = fmaxl(fabsl(got[0] - is[0]), fabsl(got[1] - is[1]));
            if (!(error <= 0)) error /= bound; /* nothing is allowed where there is no triangle */
            if (error > worst) worst = error;
            if (!(error <= 1))
              fail("F(%g, %g, %g + %g i) is %.17g %+.17g i, not %.17Lg %+.17Lg i: %.3Lg of what is allowed", at[0], at[1], at[2],
                   at[3], got[0], got[1], is[0], is[1], error);
          }
        }
        if (!all_fill(f.data + 2 * (row + grid.nx) * size, f.data + 2 * end * size))
          fail("behind row %lu something was written", (unsigned long)y);
      }
    workspace_end(&work);
  }
  if (count) error_note("allowed", (double)worst, 1, 0, 0, 0, count);
  if (v->device) handle_for(v, &copy, &plain, NULL);
  for (d = 0; d < 12; d++) {
    for (i = 0; i < b->n; i++)
      if (!same(get(type, field[d].data, i), b->field[d][i])) fail("the mesh changed");
    gauss_array_end(&field[d], "the mesh");
  }
  for (d = 0; d < 4; d++) gauss_array_end(&q[d], "q");
  gauss_array_end(&f, "F");
  end_case();
}

/* All variants, in any or in a given way; the first of a class says what its bits are. */
static void form_run(form_problem *p, const gauss_way *way, uint64_t seed) {
  uint64_t rng = seed;
  size_t number = 0;
  variant *v;
  const size_t count = form_count(p);
  suite.operation = form_names[p->operation];
  while ((v = form_next(&number, p->b->type, p->operation, 40 * count * (p->b->n + 1))) != NULL) {
    const gauss_way w = way ? *way : any_gauss_way(&rng);
    double *results = reals(2 * count + 1);
    form_one(p, v, &w, random64(&rng), results);
    if (!p->want[v->fused] && !v->device) p->want[v->fused] = results;
    else free(results);
  }
}

/* ---------------------------------------------------------------------------------------------------------------- sizes -- */

static const gauss_way form_plain = {{0, 0, 0, 0, 0, 0}, 0, CALL_HANDLE};
static const double form_origin[3] = {0.3, -0.2, 0.1};

static void form_sizes(int type) {
  static const size_t lists[] = {0, 1, 2, 15, 16, 17, 31, 33, 61, 255, 256, 257, 300};
  static const size_t triangles[] = {0, 1, 2, 15, 16, 63, 64, 65, 511, 512, 513, 1100};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t t, l;
  for (t = 0; t < COUNT_OF(triangles); t++) {
    body b = body_new(type);
    body_scatter(&b, triangles[t], 3, &rng);
    body_finish(&b);
    for (l = 0; l < COUNT_OF(lists); l++) {
      const size_t n[3] = {lists[l], 1, 1};
      form_problem p;
      if (suite.quick && (t + l) % 9) continue;
      form_start(&p, &b, FORM_LIST, n, (int)random_below(&rng, 3), 2, &rng);
      p.open = b.n > 0;
      p.options.form = random_below(&rng, 2) ? CONVK_FORM_AUTO : CONVK_FORM_OPEN;
      p.options.order = 2 * ((int)random_below(&rng, 2));
      form_run(&p, NULL, random64(&rng));
      form_free(&p);
    }
    body_free(&b);
  }
}

static void form_grids(int type) {
  static const size_t more[][3] = {{17, 1, 1}, {1, 17, 1},   {1, 1, 17},  {33, 2, 3},  {2, 33, 3},
                                   {3, 2, 33}, {15, 16, 2},  {1, 40, 40}, {61, 7, 1},  {64, 3, 5},
                                   {7, 80, 2}, {1100, 1, 2}, {1, 1, 600}, {5, 530, 1}, {3, 23, 29}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t s, total = 5 * 5 * 4 + COUNT_OF(more);
  body b[3];
  b[0] = body_new(type);
  body_scatter(&b[0], 129, 3, &rng);
  b[1] = body_new(type);
  body_box(&b[1], form_origin, form_origin, 2);
  b[2] = body_new(type);
  for (s = 0; s < 3; s++) body_finish(&b[s]);
  for (s = 0; s < total; s++) {
    const size_t small[3] = {1 + s % 5, 1 + s / 5 % 5, 1 + s / 25 % 4};
    const size_t *n = s < 100 ? small : more[s - 100];
    const int which = s % 23 == 7 ? 2 : (int)random_below(&rng, 2);
    form_problem p;
    if (suite.quick && s % 6) continue;
    form_start(&p, &b[which], FORM_GRID, n, (int)random_below(&rng, 3), 2, &rng);
    p.open = which == 0;
    if (which == 1 && random_below(&rng, 2)) p.options.form = CONVK_FORM_CLOSED;
    if (random_below(&rng, 3) == 0) p.options.form = CONVK_FORM_OPEN;
    if (p.options.form == CONVK_FORM_OPEN) p.open = 1;
    p.options.order = 2 * ((int)random_below(&rng, 2));
    form_run(&p, NULL, random64(&rng));
    form_free(&p);
  }
  for (s = 0; s < 3; s++) body_free(&b[s]);
}

/* From phases that vanish to phases of thousands, q = 0 among them; absorption until nothing is left. */
static void form_scales(int type) {
  static const double sizes[] = {0, 1e-300, 1e-44, 1e-30, 1e-18, 1e-12, 1e-9, 3e-8, 1e-5, 1e-2, 1, 30, 3000};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const double c[3] = {0.5, 0.25, 2}, edges[3] = {1, 0.75, 1.5};
  int operation, open;
  size_t s, i;
  for (open = 0; open < 2; open++) {
    body b = body_new(type);
    if (open) body_scatter(&b, 150, 1, &rng);
    else body_box(&b, c, edges, 3);
    body_finish(&b);
    for (operation = 0; operation < FORM_KINDS; operation++)
      for (s = 0; s < 2 * COUNT_OF(sizes); s++) {
        const double size = sizes[s / 2];
        const size_t n[3] = {operation ? 5u : 37u, 4, 3};
        form_problem p;
        if (suite.quick && (s + (size_t)open) % 3) continue;
        form_start(&p, &b, operation, n, (int)(s % 2), size, &rng);
        p.open = open;
        p.options.order = 2 * ((int)random_below(&rng, 2) && size < 10);
        for (i = 0; i < form_axis(&p, 3); i++) { /* nothing may grow beyond the type's numbers */
          if (p.q[3][i] < -8) p.q[3][i] = -8;
          if (!open) p.q[3][i] = fabs(p.q[3][i]); /* the box lies at z > 0 */
          else if (p.q[3][i] > 8) p.q[3][i] = 8;
        }
        p.q[0][0] = p.q[1][0] = p.q[2][0] = p.q[3][0] = 0;
        form_run(&p, NULL, random64(&rng));
        form_free(&p);
      }
    body_free(&b);
  }
}

/* Absorption alone, in one triangle: the exponential is best seen where its argument lies half way between powers of 2. */
static void form_damping(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  double v[3][3] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  const size_t n[2][3] = {{40, 1, 1}, {1, 1, 40}};
  body b = body_new(type);
  int operation;
  size_t i, d;
  body_triangle(&b, v);
  body_finish(&b);
  for (operation = 0; operation < FORM_KINDS; operation++) {
    form_problem p;
    form_start(&p, &b, operation, n[operation], 1, 0, &rng);
    for (i = 0; i < 40; i++) {
      for (d = 0; d < 3; d++) p.q[d][operation && d < 2 ? 0 : i] = 0;
      p.q[3][i] = rounded_to(type, (i % 2 ? 0.5 : -0.5) * log(2.0) * (1 - 0.1 * fabs(random_unit(&rng))) * (i % 5 ? 1 : 3));
    }
    p.open = 1;
    form_run(&p, NULL, random64(&rng));
    form_free(&p);
  }
  body_free(&b);
}

/* Sums of blocks are added in doubles: of each block of a list, and of a grid, one triangle has an area. */
static void form_blocks(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const double values[6] = {0.3, 0.2, 0.5, 0.1, 0.07, 0.05};
  int operation;
  for (operation = 0; operation < FORM_KINDS; operation++) {
    const size_t block = operation ? CONVK_FORMFACTOR_BLOCK_ : CONVK_FORMFACTOR_TRIANGLES_, n[3] = {3, 1, 1};
    body b = body_new(type);
    form_problem p;
    size_t i;
    int d;
    if (!operation && (suite.quick || type)) continue; /* many triangles; in doubles nothing is to be seen */
    b.n = 1000 * block;
    for (d = 0; d < 12; d++) {
      b.field[d] = reals(b.n);
      for (i = 0; i < b.n; i++) b.field[d][i] = d > 5 || (d < 3 && i % block) ? 0 : rounded_to(type, values[d]);
    }
    form_start(&p, &b, operation, n, 0, 2, &rng);
    p.open = 1;
    form_run(&p, &form_plain, random64(&rng));
    form_free(&p);
    body_free(&b);
  }
}

/* A part of a list, and of a grid, gives the same bits as the whole; more threads too. */
static void form_cuts(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int operation, imag;
  for (operation = 0; operation < FORM_KINDS; operation++)
    for (imag = 0; imag < 3; imag++) {
      const size_t n[3] = {operation ? 67u : 331u, 5, 7};
      body b = body_new(type);
      form_problem p;
      size_t number = 0;
      variant *v;
      body_scatter(&b, 530, 2, &rng);
      body_finish(&b);
      form_start(&p, &b, operation, n, imag, 3, &rng);
      p.open = 1;
      p.options.order = 2 * (operation && imag == 1);
      suite.operation = form_names[operation];
      while ((v = form_next(&number, type, operation, 40 * form_count(&p) * b.n)) != NULL) {
        double *whole = reals(2 * form_count(&p)), *part = reals(2 * form_count(&p));
        int turn;
        if (v->device) continue;
        form_one(&p, v, &form_plain, random64(&rng), whole);
        for (turn = 0; turn < (suite.quick ? 2 : 4); turn++) {
          form_problem q = p;
          size_t first[3] = {random_below(&rng, n[0]), random_below(&rng, 5), random_below(&rng, 7)}, x, y, z;
          gauss_way w = any_gauss_way(&rng);
          int d;
          q.want[0] = q.want[1] = NULL;
          q.exact = NULL;
          q.bits = 1;
          for (d = 0; d < 4; d++) {
            const int axis = operation == FORM_LIST ? 0 : d > 2 ? 2 : d;
            q.q[d] += first[axis];
          }
          for (d = 0; d < 3; d++) {
            q.n[d] = 1 + random_below(&rng, n[d] - first[d]);
            if (operation && d == 0 && q.n[0] < 8) q.n[0] = n[0] - first[0]; /* the longest axis stays the longest */
          }
          if (operation && q.n[0] < 8) continue;
          form_one(&q, v, &w, random64(&rng), part);
          describe("part %lu of the whole", (unsigned long)first[0]);
          begin_case();
          for (z = 0; z < (operation ? q.n[2] : 1); z++)
            for (y = 0; y < (operation ? q.n[1] : 1); y++)
              for (x = 0; x < q.n[0]; x++) {
                const size_t i = x + q.n[0] * (y + q.n[1] * z);
                const size_t at = operation ? first[0] + x + n[0] * (first[1] + y + 5 * (first[2] + z)) : first[0] + x;
                if (!same(part[2 * i], whole[2 * at]) || !same(part[2 * i + 1], whole[2 * at + 1]))
                  fail("other bits at %lu", (unsigned long)at);
              }
          end_case();
        }
        free(whole);
        free(part);
      }
      form_free(&p);
      body_free(&b);
    }
}

/* --------------------------------------------------------------------------------------------------------- known bodies -- */

/* F of a list by one variant, without other checks. */
static double *form_values(variant *v, const body *b, size_t nq, double *const q[4], int fourth) {
  const size_t size = types[b->type].size;
  convk_formfactor_options options;
  form_call k;
  double *out = reals(2 * nq);
  void *given[4], *f = need(2 * nq * size);
  size_t i;
  int d;
  memset(&k, 0, sizeof k);
  memset(&options, 0, sizeof options);
  options.order = 2 * (fourth);
  options.form = CONVK_FORM_CLOSED;
  for (d = 0; d < 12; d++) {
    k.field[d] = need(b->n * size);
    for (i = 0; i < b->n; i++) put(b->type, k.field[d], i, b->field[d][i]);
  }
  for (d = 0; d < 4; d++) {
    given[d] = q[d] ? need(nq * size) : NULL;
    for (i = 0; i < nq && q[d]; i++) put(b->type, given[d], i, q[d][i]);
    k.q[d] = given[d];
  }
  k.hw = &v->hw;
  k.n = b->n;
  k.nq = nq;
  k.options = &options;
  k.f = f;
  FORM_EXPECT(form_types[b->type].call(&k) == CONVK_OK);
  for (i = 0; i < 2 * nq; i++) out[i] = get(b->type, f, i);
  for (d = 0; d < 12; d++) free(k.field[d]);
  for (d = 0; d < 4; d++) free(given[d]);
  free(f);
  return out;
}

/* The integral of exp(i (q + i p) t) from -s to s. */
static void form_edge(double q, double p, double s, double out[2]) {
  const double a = exp(-p * s), b = exp(p * s), square = q * q + p * p;
  double re, im;
  if (square * s * s < 1e-8) { /* 2 s (1 - (k s)^2 / 6) */
    out[0] = 2 * s * (1 - (q * q - p * p) * s * s / 6);
    out[1] = -2 * s * 2 * q * p * s * s / 6;
    return;
  }
  re = a * cos(q * s) - b * cos(q * s); /* exp(i k s) - exp(-i k s), over i k */
  im = a * sin(q * s) + b * sin(q * s);
  out[0] = (im * q - re * p) / square;
  out[1] = -(re * q + im * p) / square;
}

/* A box in finer and finer triangles: the error falls by 4, with the correction by 16; complex qz too. */
static void form_box(int type) {
  static const double c[3] = {0, 0, 2}, s[3] = {0.5, 0.75, 2};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t number = 0, i;
  variant *v;
  suite.operation = "formfactor";
  while ((v = form_next(&number, type, FORM_LIST, 40 * 40 * 3072)) != NULL) {
    int imag, fourth, level;
    for (imag = 0; imag < 2; imag++)
      for (fourth = 0; fourth < 2; fourth++) {
        double error[3] = {0, 0, 0};
        double *q[4];
        int d;
        describe("a box, %s%s", imag ? "complex" : "real", fourth ? ", fourth order" : "");
        begin_case();
        for (d = 0; d < 4; d++) {
          q[d] = reals(40);
          for (i = 0; i < 40; i++) q[d][i] = rounded_to(type, d < 3 ? 3 * random_unit(&rng) : 0.5 * fabs(random_unit(&rng)));
        }
        for (level = 0; level < 3; level++) {
          body b = body_new(type);
          double *f;
          double *const given[4] = {q[0], q[1], q[2], imag ? q[3] : NULL};
          body_box(&b, c, s, 6 << level);
          body_finish(&b);
          f = form_values(v, &b, 40, given, fourth);
          for (i = 0; i < 40; i++) {
            double x[2], y[2], z[2], re, im, p = imag ? q[3][i] : 0, damp = exp(-p * c[2]);
            form_edge(q[0][i], 0, s[0], x);
            form_edge(q[1][i], 0, s[1], y);
            form_edge(q[2][i], p, s[2], z);
            re = x[0] * y[0] * damp * (z[0] * cos(q[2][i] * c[2]) - z[1] * sin(q[2][i] * c[2]));
            im = x[0] * y[0] * damp * (z[0] * sin(q[2][i] * c[2]) + z[1] * cos(q[2][i] * c[2]));
            error[level] = fmax(error[level], hypot(f[2 * i] - re, f[2 * i + 1] - im) / (8 * s[0] * s[1] * s[2]));
          }
          free(f);
          body_free(&b);
        }
        for (level = 1; level < 3; level++) {
          const double ratio = error[level - 1] / error[level];
          if ((type || !fourth || level < 2) && !(ratio > (fourth ? 12 : 3.6) && ratio < (fourth ? 20 : 4.4)))
            if (type || error[level] > 2e-6) fail("errors %g %g %g", error[0], error[1], error[2]);
        }
        if (error[2] > (fourth ? 3e-5 : 5e-3)) fail("the error is %g", error[2]);
        for (d = 0; d < 4; d++) free(q[d]);
        end_case();
      }
  }
}

/* A sphere: what its facets make of it falls by 4. */
static void form_sphere(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t number = 0, i;
  variant *v;
  suite.operation = "formfactor";
  while ((v = form_next(&number, type, FORM_LIST, 40 * 20 * 4096)) != NULL) {
    const double zero[3] = {0, 0, 0};
    double error[2] = {0, 0}, *q[4];
    int d, level;
    describe("a sphere");
    begin_case();
    for (d = 0; d < 3; d++) {
      q[d] = reals(20);
      for (i = 0; i < 20; i++) q[d][i] = rounded_to(type, 2 * random_unit(&rng));
    }
    q[3] = NULL;
    for (level = 0; level < 2; level++) {
      body b = body_new(type);
      double *f;
      body_sphere(&b, zero, 1.5, 16 << level);
      body_finish(&b);
      f = form_values(v, &b, 20, q, 1);
      for (i = 0; i < 20; i++) {
        const double x = 1.5 * sqrt(q[0][i] * q[0][i] + q[1][i] * q[1][i] + q[2][i] * q[2][i]);
        const double want = x < 1e-2 ? 1 - x * x / 10 : 3 * (sin(x) - x * cos(x)) / (x * x * x);
        error[level] = fmax(error[level], hypot(f[2 * i] / (4 * acos(-1.0) * 1.5 * 1.5 * 1.5 / 3) - want, f[2 * i + 1] / 14));
      }
      free(f);
      body_free(&b);
    }
    if (!(error[1] < 1e-2 && error[0] / error[1] > 3.6 && error[0] / error[1] < 4.4)) fail("errors %g %g", error[0], error[1]);
    for (d = 0; d < 3; d++) free(q[d]);
    end_case();
  }
}

/* A box on a grid of q, and a cylinder on a grid and in a list: the error falls by 4, of the box with the correction by 16. */
static void form_oracles(int type) {
  const double c[3] = {0, 0, 1}, s[3] = {0.5, 0.75, 1}, R = 1.25, h = 1.5, pi = acos(-1.0);
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t number = 0, i;
  variant *v;
  while ((v = form_next(&number, type, FORM_GRID, 6 * 60 * 8000)) != NULL) {
    int what, level;
    for (what = 0; what < 12; what++) { /* a cylinder's grid and list; a box, real and complex, lanes on each axis */
      static const size_t sizes[5][3] = {{5, 4, 3}, {4, 5, 3}, {3, 4, 5}, {5, 4, 3}, {4, 5, 3}};
      const int box = what > 1, fourth = what > 6 || what == 1, operation = what == 1 ? FORM_LIST : FORM_GRID;
      const size_t list[3] = {60, 1, 1}, *n = box ? sizes[(what - 2) % 5] : operation ? sizes[0] : list, count = 60;
      double error[2] = {0, 0};
      form_problem p;
      suite.operation = form_names[operation];
      if (v->device && !form_types[type].offers(&v->hw, operation)) continue;
      for (level = 0; level < 2; level++) {
        uint64_t same_q = rng;
        body b = body_new(type);
        double *f = reals(2 * count);
        if (box) body_box(&b, c, s, 8 << level);
        else body_cylinder(&b, c, R, h, 9 << level);
        body_finish(&b);
        form_start(&p, &b, operation, n, box && (what - 2) % 5 > 2, 2, &same_q);
        p.bits = 1;
        p.options.order = 2 * (fourth);
        form_one(&p, v, &form_plain, same_q, f);
        for (i = 0; i < count; i++) {
          double q[4], x[2], y[2] = {1, 0}, z[2], w[2], re, im, e;
          form_q(&p, i, q);
          if (box) {
            form_edge(q[0], 0, s[0], x);
            form_edge(q[1], 0, s[1], y);
          } else {
            const double u = R * sqrt(q[0] * q[0] + q[1] * q[1]);
            x[0] = pi * R * R * (u < 1e-4 ? 1 : 2 * j1(u) / u);
          }
          form_edge(q[2], q[3], box ? s[2] : h / 2, z);
          e = exp(-q[3] * c[2]) * x[0] * y[0];
          w[0] = e * cos(q[2] * c[2]);
          w[1] = e * sin(q[2] * c[2]);
          re = z[0] * w[0] - z[1] * w[1];
          im = z[0] * w[1] + z[1] * w[0];
          error[level] = fmax(error[level], hypot(f[2 * i] - re, f[2 * i + 1] - im));
        }
        form_free(&p);
        body_free(&b);
        free(f);
      }
      describe("%s%s", box ? "a box" : "a cylinder", fourth ? ", fourth order" : "");
      begin_case();
      if (box && fourth) { /* in floats hardly more than roundings are left, which may as well cancel */
        if (!(error[0] < 2e-3 && (!type || error[0] / error[1] < 20) && (error[0] / error[1] > 12 || (!type && error[1] < 1e-5))) &&
            (type || error[0] > 1e-5))
          fail("errors %g %g", error[0], error[1]);
      } else if (!(error[0] < 0.2 && error[0] / error[1] > 3.6 && error[0] / error[1] < 4.4)) {
        fail("errors %g %g", error[0], error[1]);
      }
      end_case();
    }
    random64(&rng);
  }
}

/* F(-q) = conj F(q); a shift is a phase; a turned mesh and q turned back; L^3 F(L q); two bodies add. */
static void form_invariants(int type) {
  static const double turn[9] = {0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6};
  enum { N = 33 };
  const double c[3] = {0, 0, 0}, s[3] = {0.5, 1, 0.75}, shift[3] = {1.5, -2, 0.5}, far[3] = {4, 0, 0};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const double tolerance = 300 * form_types[type].eps;
  size_t number = 0, i;
  variant *v;
  suite.operation = "formfactor";
  while ((v = form_next(&number, type, FORM_LIST, 40 * N * 1000)) != NULL) {
    body b = body_new(type), moved = body_new(type), large = body_new(type), two = body_new(type), turned;
    double *q[4] = {reals(N), reals(N), reals(N), NULL}, *r[4] = {reals(N), reals(N), reals(N), NULL};
    const double large_s[3] = {1, 2, 1.5}, volume = 8 * s[0] * s[1] * s[2];
    double *f, *g, *h;
    int d;
    body_box(&b, c, s, 8);
    body_box(&moved, shift, s, 8);
    body_box(&large, c, large_s, 8);
    body_box(&two, c, s, 8);
    body_box(&two, far, s, 8);
    body_finish(&b);
    body_finish(&moved);
    body_finish(&large);
    body_finish(&two);
    for (d = 0; d < 3; d++)
      for (i = 0; i < N; i++) q[d][i] = rounded_to(type, 2 * random_unit(&rng));
    describe("invariants");
    begin_case();
    f = form_values(v, &b, N, q, 1);
    for (d = 0; d < 3; d++)
      for (i = 0; i < N; i++) r[d][i] = -q[d][i];
    g = form_values(v, &b, N, r, 1);
    for (i = 0; i < N; i++)
      if (hypot(f[2 * i] - g[2 * i], f[2 * i + 1] + g[2 * i + 1]) > tolerance * volume) fail("F(-q) is not conj F(q)");
    free(g);
    g = form_values(v, &moved, N, q, 1);
    for (i = 0; i < N; i++) {
      const double p = q[0][i] * shift[0] + q[1][i] * shift[1] + q[2][i] * shift[2];
      if (hypot(f[2 * i] * cos(p) - f[2 * i + 1] * sin(p) - g[2 * i], f[2 * i] * sin(p) + f[2 * i + 1] * cos(p) - g[2 * i + 1]) >
          tolerance * volume)
        fail("a shift is no phase");
    }
    free(g);
    for (d = 0; d < 3; d++)
      for (i = 0; i < N; i++) r[d][i] = q[d][i] / 2;
    g = form_values(v, &large, N, r, 1);
    for (i = 0; i < N; i++)
      if (hypot(8 * f[2 * i] - g[2 * i], 8 * f[2 * i + 1] - g[2 * i + 1]) > 8 * tolerance * volume)
        fail("twice as large is not 8 F(2 q)");
    free(g);
    g = form_values(v, &two, N, q, 1);
    for (i = 0; i < N; i++) {
      const double p = q[0][i] * far[0];
      if (hypot(f[2 * i] * (1 + cos(p)) - f[2 * i + 1] * sin(p) - g[2 * i],
                f[2 * i] * sin(p) + f[2 * i + 1] * (1 + cos(p)) - g[2 * i + 1]) > tolerance * volume)
        fail("two bodies do not add");
    }
    free(g);
    /* F_R(q) = F(R^T q) */
    turned = body_new(type);
    turned.n = b.n;
    {
      void *from[12], *to[12];
      for (d = 0; d < 12; d++) {
        to[d] = from[d] = need(b.n * types[type].size);
        for (i = 0; i < b.n; i++) put(type, from[d], i, b.field[d][i]);
      }
      FORM_EXPECT(form_types[type].rotate(b.n, from, turn, b.n, to) == CONVK_OK); /* in place */
      for (d = 0; d < 12; d++) {
        turned.field[d] = reals(b.n);
        for (i = 0; i < b.n; i++) turned.field[d][i] = get(type, to[d], i);
        free(from[d]);
      }
    }
    for (d = 0; d < 3; d++)
      for (i = 0; i < N; i++) r[d][i] = rounded_to(type, turn[d] * q[0][i] + turn[3 + d] * q[1][i] + turn[6 + d] * q[2][i]);
    g = form_values(v, &turned, N, q, 1);
    h = form_values(v, &b, N, r, 1);
    for (i = 0; i < N; i++)
      if (hypot(g[2 * i] - h[2 * i], g[2 * i + 1] - h[2 * i + 1]) > tolerance * volume) fail("a turned mesh is not a turned q");
    free(g);
    free(h);
    free(f);
    end_case();
    for (d = 0; d < 3; d++) {
      free(q[d]);
      free(r[d]);
    }
    body_free(&b);
    body_free(&moved);
    body_free(&large);
    body_free(&two);
    body_free(&turned);
  }
}

/* Across every threshold of |q| a closed body's F does not jump, whatever its size and its octant. */
static void form_continuity(int type) {
  enum { N = 400 };
  size_t number = 0, i;
  variant *v;
  suite.operation = "formfactor";
  while ((v = form_next(&number, type, FORM_LIST, 40 * N * 200)) != NULL) {
    int which, d;
    for (which = 0; which < 4; which++) {
      const double unit = which == 2 ? ldexp(1, 27) : which == 3 ? ldexp(1, -27) : 1, sign = which == 1 ? -1 : 1;
      const double c[3] = {sign * 0.75 * unit, sign * 1.25 * unit, sign * unit}, s[3] = {0.5 * unit, unit, 0.75 * unit};
      const double volume = 8 * s[0] * s[1] * s[2], low = which < 2 ? -30 : -20;
      body b = body_new(type);
      double *q[4], *f;
      body_box(&b, c, s, 3);
      body_finish(&b);
      describe("sides of %g, |q| from %g to 1e-3 of their inverse", unit, pow(10, low));
      begin_case();
      for (d = 0; d < 3; d++) {
        q[d] = reals(N);
        for (i = 0; i < N; i++) q[d][i] = rounded_to(type, (d + 1) * pow(10, low + (-3 - low) * (double)i / (N - 1)) / unit);
      }
      q[3] = NULL;
      f = form_values(v, &b, N, q, 0);
      for (i = 0; i < N; i++) {
        const double phase = q[0][i] * c[0] + q[1][i] * c[1] + q[2][i] * c[2], eps = form_types[type].eps;
        if (fabs(f[2 * i] - volume) > volume * (24 * eps + 20 * phase * phase) ||
            fabs(f[2 * i + 1] - volume * phase) > volume * (24 * eps * fabs(phase) + 50 * phase * phase + (type ? 1e-16 : 1e-7)))
          fail("F(%g) is %.17g %+.17g i", q[0][i], f[2 * i], f[2 * i + 1]);
      }
      end_case();
      free(f);
      for (d = 0; d < 3; d++) free(q[d]);
      body_free(&b);
    }
  }
}

/* --------------------------------------------------------------------------------------------------------------- meshes -- */

/* Areas, centroids and corners against long double. */
static void form_mesh_triangles(int type, uint64_t *rng) {
  body b = body_new(type);
  size_t t;
  int d;
  describe("triangles against long double");
  begin_case();
  body_scatter(&b, 77, 3, rng);
  body_finish(&b);
  for (t = 0; t < b.n; t++) {
    const double *v = b.corners + 9 * t;
    for (d = 0; d < 3; d++) {
      const int e = (d + 1) % 3, g = (d + 2) % 3;
      const long double area = (((long double)v[3 + e] - v[e]) * ((long double)v[6 + g] - v[g]) -
                                ((long double)v[3 + g] - v[g]) * ((long double)v[6 + e] - v[e])) / 2;
      const long double at = ((long double)v[d] + v[3 + d] + v[6 + d]) / 3;
      if (fabsl(b.field[d][t] - area) > 2 * form_types[type].eps) fail("area %lu", (unsigned long)t);
      if (fabsl(b.field[3 + d][t] - at) > 4 * form_types[type].eps) fail("centroid %lu", (unsigned long)t);
      if (fabsl(b.field[6 + d][t] - (v[d] - at)) > 4 * form_types[type].eps) fail("corner %lu", (unsigned long)t);
      if (fabsl(b.field[9 + d][t] - (v[3 + d] - at)) > 4 * form_types[type].eps) fail("second corner %lu", (unsigned long)t);
    }
  }
  body_free(&b);
  end_case();
}

static void form_mesh_measures(int type) {
  const double c[3] = {3, -2, 1}, s[3] = {0.5, 1, 0.75}, remote[3] = {1000.25, -2000.5, 500.125};
  const size_t size = types[type].size;
  convk_mesh_measures m;
  size_t t, i;
  int d, which;
  for (which = 0; which < 6; which++) {
    static const char *const names[] = {"closed", "inverted", "one triangle missing", "remote", "a sphere", "empty"};
    body b = body_new(type);
    void *field[12];
    double volume = 8 * s[0] * s[1] * s[2], area = 8 * (s[0] * s[1] + s[0] * s[2] + s[1] * s[2]);
    describe("%s", names[which]);
    begin_case();
    if (which == 4) body_sphere(&b, c, 1.5, 60);
    else if (which < 5) body_box(&b, which == 3 ? remote : c, s, which == 2 ? 40 : 5);
    if (which == 1)
      for (t = 0; t < b.n; t++)
        for (d = 0; d < 3; d++) {
          const double x = b.corners[9 * t + 3 + (size_t)d];
          b.corners[9 * t + 3 + (size_t)d] = b.corners[9 * t + 6 + (size_t)d];
          b.corners[9 * t + 6 + (size_t)d] = x;
        }
    if (which == 2) b.n--;
    body_finish(&b);
    for (d = 0; d < 12; d++) {
      field[d] = need(b.n * size);
      for (i = 0; i < b.n; i++) put(type, field[d], i, b.field[d][i]);
    }
    FORM_EXPECT(form_types[type].measure(b.n, field, &m) == CONVK_OK);
    if (which == 1) volume = -volume;
    if (which == 4) volume = 4 * acos(-1.0) * 1.5 * 1.5 * 1.5 / 3, area = 4 * acos(-1.0) * 1.5 * 1.5;
    if (which == 5) volume = area = 0;
    if (m.closed != (which != 2)) fail("closed is %d, the gap %g %g %g", m.closed, m.gap[0], m.gap[1], m.gap[2]);
    if (fabs(m.area - area) > area * (which == 4 ? 4e-3 : which == 2 ? 1e-3 : 1e-5)) fail("the area is %.17g", m.area);
    if (which != 2 && fabs(m.volume - volume) > fabs(volume) * (which == 4 ? 4e-3 : type ? 1e-9 : which == 3 ? 5e-2 : 1e-5))
      fail("the volume is %.17g", m.volume);
    if (which == 0)
      for (d = 0; d < 3; d++)
        if (m.least[d] > c[d] - s[d] + 1e-6 && m.least[d] < 0) fail("the least coordinate is %g", m.least[d]);
    for (d = 0; d < 12; d++) free(field[d]);
    body_free(&b);
    end_case();
  }
}

static void form_mesh_errors(int type, uint64_t *rng) {
  const size_t size = types[type].size;
  unsigned char room[12][64], corners[2 * 9 * 8], before[12][64];
  void *field[12], *none[12];
  double r[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  convk_mesh_measures m;
  size_t i;
  int d;
  describe("errors");
  begin_case();
  memset(room, 0x5a, sizeof room);
  memcpy(before, room, sizeof room);
  memset(none, 0, sizeof none);
  for (i = 0; i < 18; i++) put(type, corners, i, random_unit(rng));
  for (d = 0; d < 12; d++) field[d] = room[d];
  FORM_REFUSED(form_types[type].from(NULL, 2, field), CONVK_ERR_NULL, "corners is NULL");
  FORM_REFUSED(form_types[type].from(corners, 2, none), CONVK_ERR_NULL, "mesh->ax is NULL");
  FORM_REFUSED(form_types[type].from(corners, (size_t)-1 / 16, field), CONVK_ERR_OVERFLOW, "mesh->n is too large");
  field[3] = corners + 8 * size;
  FORM_REFUSED(form_types[type].from(corners, 2, field), CONVK_ERR_OVERLAP, "corners overlaps mesh->x");
  field[3] = room[3];
  field[7] = room[2] + size;
  FORM_REFUSED(form_types[type].from(corners, 2, field), CONVK_ERR_OVERLAP, "mesh->az overlaps mesh->uy");
  field[7] = room[7];
  for (i = 0; i < 18; i++) {
    const double old = get(type, corners, i);
    put(type, corners, i, i % 2 ? HUGE_VAL : NAN);
    FORM_REFUSED(form_types[type].from(corners, 2, field), CONVK_ERR_COORDINATE, "corners[");
    put(type, corners, i, old);
  }
  FORM_EXPECT(!memcmp(before, room, sizeof room));
  FORM_EXPECT(form_types[type].from(corners, 2, field) == CONVK_OK);
  memcpy(before, room, sizeof room);
  FORM_REFUSED(form_types[type].measure(2, none, &m), CONVK_ERR_NULL, "mesh->ax is NULL");
  FORM_REFUSED(form_types[type].measure(2, field, NULL), CONVK_ERR_NULL, "measures is NULL");
  put(type, field[5], 1, NAN);
  FORM_REFUSED(form_types[type].measure(2, field, &m), CONVK_ERR_COORDINATE, "mesh->z[1] is not finite");
  memcpy(room, before, sizeof room);
  FORM_REFUSED(form_types[type].rotate(2, field, NULL, 2, field), CONVK_ERR_NULL, "rotation is NULL");
  FORM_REFUSED(form_types[type].rotate(2, none, r, 2, field), CONVK_ERR_NULL, "mesh->ax is NULL");
  FORM_REFUSED(form_types[type].rotate(2, field, r, 2, none), CONVK_ERR_NULL, "out->ax is NULL");
  FORM_REFUSED(form_types[type].rotate(2, field, r, 1, field), CONVK_ERR_SIZE, "out->n is 1, and mesh->n 2");
  FORM_REFUSED(form_types[type].rotate(1, field, r, 2, field), CONVK_ERR_SIZE, "out->n is 2, and mesh->n 1");
  r[7] = NAN;
  FORM_REFUSED(form_types[type].rotate(2, field, r, 2, field), CONVK_ERR_NONFINITE, "rotation[7] is not finite");
  FORM_EXPECT(!memcmp(before, room, sizeof room));
  r[7] = 0;
  FORM_EXPECT(form_types[type].rotate(2, field, r, 2, field) == CONVK_OK);
  FORM_EXPECT(!memcmp(before, room, sizeof room)); /* the identity */
  end_case();
}

static void form_meshes(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  suite.operation = "mesh";
  suite.variant = NULL;
  form_mesh_triangles(type, &rng);
  form_mesh_measures(type);
  form_mesh_errors(type, &rng);
}

/* Where storage goes. */
static void form_assigns(int type) {
  const size_t size = types[type].size;
  int d, k;
  describe("mesh_assign");
  for (k = 0; k < 2; k++) { /* with corners, or without */
    double storage[12 * 7];
    void *field[12];
    memset(field, FILL_, sizeof field);
    CHECK(form_types[type].assign(7, k, storage, field) == CONVK_OK);
    for (d = 0; d < 12; d++) CHECK(field[d] == (d < 6 || k ? (void *)((char *)storage + 7 * size * (size_t)d) : NULL));
    CHECK(form_types[type].assign(0, k, storage, field) == CONVK_OK);
    CHECK(form_refused(form_types[type].assign(7, k, NULL, field), CONVK_ERR_NULL, "storage is NULL"));
    CHECK(form_refused(form_types[type].assign(7, k, storage, NULL), CONVK_ERR_NULL, "mesh is NULL"));
    CHECK(form_refused(form_types[type].assign((size_t)-1 / 12, k, storage, field), CONVK_ERR_OVERFLOW, "n is too large"));
  }
}

/* Numbers known by hand. */
static void form_one_triangle(int type) {
  static const double corners[9] = {1, 0, 0, 0, 2, 0, 0, 0, 4}, normal[3] = {4, 2, 1};
  unsigned char given[9 * 8], room[12][8];
  void *field[12];
  convk_mesh_measures m;
  size_t i;
  int d;
  describe("one triangle");
  begin_case();
  for (i = 0; i < 9; i++) put(type, given, i, corners[i]);
  for (d = 0; d < 12; d++) field[d] = d < 6 ? room[d] : NULL;
  memset(room, FILL_, sizeof room);
  FORM_EXPECT(form_types[type].from(given, 1, field) == CONVK_OK);
  for (d = 0; d < 3; d++) FORM_EXPECT(get(type, field[d], 0) == normal[d]);
  FORM_EXPECT(all_fill(room[6], room[0] + sizeof room));
  FORM_EXPECT(form_types[type].measure(1, field, &m) == CONVK_OK);
  FORM_EXPECT(fabs(m.area - sqrt(21.0)) < 1e-15 * 8 && fabs(m.volume - 4.0 / 3) < 4 * form_types[type].eps && !m.closed);
  for (d = 0; d < 3; d++) {
    FORM_EXPECT(m.gap[d] == normal[d] && m.least[d] == 0 && m.most[d] == get(type, field[3 + d], 0));
    FORM_EXPECT(fabs(m.most[d] - (d < 1 ? 1 : d < 2 ? 2 : 4) / 3.0) < 2 * form_types[type].eps);
  }
  for (i = 0; i < 9; i++) put(type, given, i, -corners[i]);
  FORM_EXPECT(form_types[type].from(given, 1, field) == CONVK_OK); /* mirrored: the vector area is the same */
  for (d = 0; d < 3; d++) FORM_EXPECT(get(type, field[d], 0) == normal[d]);
  FORM_EXPECT(form_types[type].measure(1, field, &m) == CONVK_OK && m.volume < 0);
  for (d = 0; d < 3; d++) FORM_EXPECT(m.most[d] == 0 && m.least[d] == get(type, field[3 + d], 0));
  put(type, given, 3, type ? 1e160 : 1e20); /* finite, but not its square */
  FORM_REFUSED(form_types[type].from(given, 1, field), CONVK_ERR_RANGE, "corners[3] is too large");
  end_case();
}

static void form_gaps(int type) {
  const size_t size = types[type].size;
  convk_mesh_measures m;
  size_t i, t;
  int d, k;
  describe("how much of a gap is a hole");
  for (k = 0; k < 2; k++) { /* a fine sphere anywhere, whole and without its smallest good triangle */
    const double c[3] = {k * 100.3, k * 21.7, -k * 55.1};
    body b = body_new(type);
    void *field[12];
    body_sphere(&b, c, 1, 40);
    if (k) { /* turned by something: no coordinate is a round number */
      for (t = 0; t < 3 * b.n; t++) {
        double *v = b.corners + 3 * t;
        const double x = v[0] - c[0], y = v[1] - c[1];
        v[0] = rounded_to(type, c[0] + 0.6 * x - 0.8 * y);
        v[1] = rounded_to(type, c[1] + 0.8 * x + 0.6 * y);
      }
    }
    body_finish(&b);
    for (d = 0; d < 12; d++) {
      field[d] = need(b.n * size);
      for (i = 0; i < b.n; i++) put(type, field[d], i, b.field[d][i]);
    }
    begin_case();
    FORM_EXPECT(form_types[type].measure(b.n, field, &m) == CONVK_OK);
    if (!m.closed) fail("open, the gap is %g %g %g", m.gap[0], m.gap[1], m.gap[2]);
    FORM_EXPECT(form_types[type].measure(b.n - 2, field, &m) == CONVK_OK); /* the last is without area, at the pole */
    if (m.closed) fail("closed, the gap is %g %g %g", m.gap[0], m.gap[1], m.gap[2]);
    end_case();
    for (d = 0; d < 12; d++) free(field[d]);
    body_free(&b);
  }
}

static void form_rotations(int type) {
  const size_t size = types[type].size;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t i;
  int d, k;
  for (k = 0; k < 4; k++) { /* corners of both, of one, of the other, of none */
    static const double turn[9] = {0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6};
    enum { N = 37 };
    double values[12][N];
    guard from[12], to[12];
    void *a[12], *b[12];
    describe("a rotation, corners %d", k);
    begin_case();
    for (d = 0; d < 12; d++) {
      for (i = 0; i < N; i++) values[d][i] = rounded_to(type, 3 * random_unit(&rng));
      from[d] = gauss_array(type, values[d], 1, N, 0, &rng);
      to[d] = gauss_array(type, NULL, 1, N, 0, &rng);
      a[d] = d < 6 || !(k & 1) ? from[d].data : NULL;
      b[d] = d < 6 || !(k & 2) ? to[d].data : NULL;
    }
    FORM_EXPECT(form_types[type].rotate(N, a, turn, N, b) == CONVK_OK);
    for (d = 0; d < 12; d++) {
      for (i = 0; i < N && (d < 6 || !k); i++) {
        const double *r = turn + d % 3 * 3;
        const int v = d / 3 * 3;
        const long double want =
            (long double)r[0] * values[v][i] + (long double)r[1] * values[v + 1][i] + (long double)r[2] * values[v + 2][i];
        if (fabsl((long double)get(type, to[d].data, i) - want) > 4 * form_types[type].eps)
          fail("field %d at %lu", d, (unsigned long)i);
        if (!same(get(type, from[d].data, i), values[d][i])) fail("the given mesh changed");
      }
      if (d > 5 && k && !all_fill(to[d].data, to[d].data + N * size)) fail("corners were written");
    }
    if (!k) { /* the arrays of the other mesh one element on, and two of its arrays in each other's place */
      b[0] = (char *)a[0] + size;
      FORM_REFUSED(form_types[type].rotate(N - 1, a, turn, N - 1, b), CONVK_ERR_OVERLAP, "overlaps out->");
      b[0] = a[1];
      FORM_REFUSED(form_types[type].rotate(N, a, turn, N, b), CONVK_ERR_OVERLAP, "overlaps out->");
      FORM_REFUSED(form_types[type].rotate((size_t)-1 / 12, a, turn, (size_t)-1 / 12, b), CONVK_ERR_OVERFLOW, "mesh->n is too large");
      for (d = 0; d < 12; d++)
        for (i = 0; i < N; i++)
          if (!same(get(type, from[d].data, i), values[d][i])) fail("the given mesh changed");
    }
    for (d = 0; d < 12; d++) {
      gauss_array_end(&from[d], "the mesh");
      gauss_array_end(&to[d], "the turned mesh");
    }
    end_case();
  }
}

/* What the helpers do, and what they do with what is missing. */
static void form_helpers(int type) {
  suite.operation = "mesh";
  suite.variant = NULL;
  form_assigns(type);
  form_one_triangle(type);
  form_gaps(type);
  form_rotations(type);
}

/* --------------------------------------------------------------------------------------------------------------- errors -- */

/* One wrong thing at a time, in both operations; nothing may be written. */
static void form_errors(int type) {
  enum { N = 20, NQ = 6 };
  static const char *const arrays[16] = {"mesh->ax", "mesh->ay", "mesh->az", "mesh->x",  "mesh->y", "mesh->z",
                                         "mesh->ux", "mesh->uy", "mesh->uz", "mesh->wx", "mesh->wy", "mesh->wz",
                                         "q->x",     "q->y",     "q->z",     "q->z_imag"};
  const size_t size = types[type].size;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int operation;
  for (operation = 0; operation < FORM_KINDS; operation++) {
    size_t number = 0;
    variant *v;
    suite.operation = form_names[operation];
    while ((v = form_next(&number, type, operation, 1)) != NULL) {
      int how, wrong;
      for (how = 0; how < (v->device ? 2 : 3); how++)
        for (wrong = 0; wrong < 52; wrong++) {
          convk_formfactor_options options;
          convk_grid3 grid = {NQ, 2, 2, 0, 0};
          unsigned char mesh[12][N * 8], q[4][NQ * 8], out[2 * 4 * NQ * 8 + 8];
          form_call k;
          convk copy = v->hw;
          hook h = hook_new(HOOK_FAILS, 3, 1);
          size_t i, work_size = 0;
          void *work = NULL;
          const char *says = NULL;
          int d, want = CONVK_OK, status, may_write = 0;
          memset(&k, 0, sizeof k);
          memset(&options, 0, sizeof options);
          for (d = 0; d < 12; d++) {
            k.field[d] = mesh[d];
            for (i = 0; i < N; i++) put(type, mesh[d], i, random_unit(&rng));
          }
          for (d = 0; d < 4; d++) {
            k.q[d] = q[d];
            for (i = 0; i < NQ; i++) put(type, q[d], i, random_unit(&rng));
          }
          memset(out, FILL_, sizeof out);
          k.hw = v->device ? &v->hw : &copy;
          k.name = how ? v->name : NULL;
          if (how == 2) k.hw = NULL;
          k.operation = operation;
          k.n = N;
          k.nq = NQ;
          k.grid = &grid;
          k.options = &options;
          k.f = out;
          if (operation == FORM_GRID) {
            work_size = form_types[type].work(k.hw, &grid, 1);
            work = need(work_size + 1);
            k.work = work;
            k.work_size = work_size;
          }
          describe("wrong: %d", wrong);
          if (wrong < 6) k.field[wrong] = NULL, want = CONVK_ERR_NULL, says = arrays[wrong];
          else if (wrong < 9) k.q[wrong - 6] = NULL, want = CONVK_ERR_NULL, says = arrays[12 + wrong - 6];
          else switch (wrong) {
            case 9: k.f = NULL; says = "f is NULL"; want = CONVK_ERR_NULL; break;
            case 10: k.meshless = 1; says = "mesh is NULL"; want = CONVK_ERR_NULL; break;
            case 11: options.form = 4; says = "options->form is 4"; want = CONVK_ERR_OPTION; break;
            case 12: options.form = -1; says = "options->form is -1"; want = CONVK_ERR_OPTION; break;
            case 13: options.order = 3; says = "options->order is 3"; want = CONVK_ERR_OPTION; break;
            case 14: options.form = CONVK_FORM_CLOSED;
              says = "options->form is CONVK_FORM_CLOSED, and mesh is open"; want = CONVK_ERR_OPEN_MESH; break;
            case 15: case 16: case 17: put(type, q[wrong - 15], NQ - 1, NAN);
              if (operation == FORM_GRID && wrong > 15) put(type, q[wrong - 15], 1, HUGE_VAL);
              says = arrays[12 + wrong - 15]; want = CONVK_ERR_NONFINITE; break;
            case 18: put(type, q[3], 1, -HUGE_VAL); says = "q->z_imag[1] is not finite"; want = CONVK_ERR_NONFINITE; break;
            case 19: case 20: case 21: case 22: case 23: case 24:
              put(type, mesh[wrong - 19], N - 1, wrong % 2 ? NAN : HUGE_VAL); says = arrays[wrong - 19]; want = CONVK_ERR_COORDINATE; break;
            case 25:
              says = "q is too large for mesh"; put(type, q[0], 0, type ? 1e17 : 1e8); put(type, mesh[3], 0, 1); want = CONVK_ERR_RANGE; break;
            case 26:
              says = "q->z_imag is too large for mesh";
              put(type, q[3], 0, type ? 800 : 100); put(type, mesh[5], 0, -1); want = CONVK_ERR_RANGE; break;
            case 27:
              says = "q->z_imag is too large for mesh";
              put(type, q[3], 0, type ? -800 : -100); put(type, mesh[5], 0, 1); want = CONVK_ERR_RANGE; break;
            case 28: says = "f overlaps mesh->az"; k.f = mesh[2] + size; want = CONVK_ERR_OVERLAP; break;
            case 29: says = "f overlaps"; k.f = q[3] - size; want = CONVK_ERR_OVERLAP; break; /* or an array before q */
            case 30: says = operation == FORM_LIST ? "f overlaps q->x" : "f overlaps"; k.f = q[0]; want = CONVK_ERR_OVERLAP; break; /* or behind q */
            case 31: if (how == 2 || v->device) break; copy.version += 100; want = CONVK_ERR_HANDLE; break;
            case 32:
              if (how == 2 || v->device) break;
              k.operation = operation;
              copy.parallel.threads = 3;
              copy.parallel.run = hook_run;
              copy.parallel.ctx = &h;
              if (operation == FORM_LIST) break; /* six q are one task */
              work_size = form_types[type].work(k.hw, &grid, 1);
              free(work);
              k.work = work = need(work_size + 1);
              k.work_size = work_size;
              want = CONVK_ERR_THREADS;
              may_write = 1;
              break;
            case 33: says = "mesh->n is too large"; k.n = (size_t)-1 / 8; want = CONVK_ERR_OVERFLOW; break;
            case 34: options.order = 2; break;
            case 40: case 41: case 42: case 43: case 44: case 45:
              options.order = 2;
              put(type, mesh[wrong - 34], N - 1, wrong % 2 ? NAN : -HUGE_VAL);
              says = arrays[wrong - 34];
              want = CONVK_ERR_COORDINATE;
              break;
            case 46: /* of nothing all may be NULL */
              if (operation == FORM_GRID) break;
              k.nq = 0;
              k.f = NULL;
              memset(k.q, 0, sizeof k.q);
              may_write = 2;
              break;
            case 47: k.n = 0; memset(k.field, 0, sizeof k.field); break;
            case 35:
              options.order = 2;
              k.field[6 + how] = NULL;
              says = arrays[6 + how];
              want = CONVK_ERR_NULL;
              break;
            case 36:
              if (operation == FORM_LIST) {
                k.nq = (size_t)-1 / 4;
                says = "q->n is too large";
                want = CONVK_ERR_OVERFLOW;
              } else {
                k.grid = NULL;
                says = "grid is NULL";
                want = CONVK_ERR_NULL;
              }
              break;
            case 37: if (operation == FORM_GRID) { grid.pitch_y = NQ - 1;
              says = "grid.pitch_y is 5, less than nx = 6"; want = CONVK_ERR_PITCH; } break;
            case 38: if (operation == FORM_GRID) { grid.ny = 0; says = "grid.ny is 0"; want = CONVK_ERR_SIZE; } break;
            case 48: k.qless = 1; says = "q is NULL"; want = CONVK_ERR_NULL; break;
            case 49: case 50: /* of a list both imaginary parts are right where there are corners */
              if (operation == FORM_LIST) break;
              k.q[4 + wrong - 49] = q[0];
              says = wrong == 49 ? "q->x_imag is given" : "q->y_imag is given";
              want = CONVK_ERR_OPTION;
              break;
            case 51: if (operation == FORM_GRID) { grid.pitch_z = 1; says = "grid.pitch_z is 1"; want = CONVK_ERR_PITCH; } break;
            default:
              if (operation == FORM_GRID && !v->device) { k.work_size--; says = "work_size is "; want = CONVK_ERR_WORK; }
              break;
          }
          begin_case();
          if (want == CONVK_OK) k.q[3] = NULL;
          if (wrong == 47) memset(out, 1, 2 * size); /* which 0 replaces */
          status = form_types[type].call(&k);
          want_status(status, want);
          if (want && want != CONVK_ERR_HANDLE && want != CONVK_ERR_THREADS && !says) fail("no argument is looked for");
          form_said(k.hw, status, says);
          if (want && !may_write && !all_fill(out, out + sizeof out)) fail("something was written");
          if (!want && may_write < 2 && all_fill(out, out + 2 * size)) fail("nothing was written");
          if (wrong == 47 && (get(type, out, 0) != 0 || get(type, out, 1) != 0)) fail("F of nothing is not 0");
          if (!all_fill(out + 2 * 4 * NQ * size, out + sizeof out)) fail("too much was written");
          end_case();
          free(work);
        }
    }
  }
}

/* Every array in turn overlaps the results by its last element or by its first byte; what only touches them is right. */
static void form_overlaps(int type) {
  enum { N = 5, NX = 4, NY = 3, NZ = 2, ROOM = 4096 };
  const size_t size = types[type].size;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  unsigned char *memory = (unsigned char *)need(2 * 17 * ROOM), *before = memory + 17 * ROOM;
  int operation;
  for (operation = 0; operation < FORM_KINDS; operation++) {
    size_t number = 0;
    variant *v;
    suite.operation = form_names[operation];
    while ((v = form_next(&number, type, operation, 1)) != NULL) {
      int which, side;
      for (which = 0; which < 16; which++)
        for (side = 0; side < 4; side++) {
          const convk_grid3 grid = {NX, NY, NZ, NX + 1, NY * (NX + 1) + 2};
          const size_t span = operation ? (NZ - 1) * grid.pitch_z + (NY - 1) * grid.pitch_y + grid.nx : grid.nx;
          const size_t count = which < 12 ? N : !operation || which == 12 ? NX : which == 13 ? NY : NZ;
          unsigned char *one = memory + (size_t)(which + 1) * ROOM - ROOM / 2;
          form_call k;
          size_t i;
          int d, status;
          memset(memory, FILL_, 17 * ROOM);
          memset(&k, 0, sizeof k);
          for (d = 0; d < 16; d++) {
            void *p = memory + (size_t)(d + 1) * ROOM - ROOM / 2;
            if (d < 12) k.field[d] = p;
            else k.q[d - 12] = p;
            for (i = 0; i < N; i++) put(type, p, i, random_unit(&rng));
          }
          k.hw = &v->hw;
          k.operation = operation;
          k.n = N;
          k.nq = NX;
          k.grid = &grid;
          k.f = side == 0   ? one + (count - 1) * size
                : side == 1 ? one + 1 - 2 * span * size
                : side == 2 ? one + count * size
                            : one - 2 * span * size;
          memcpy(before, memory, 17 * ROOM);
          describe("the results and array %d, %s", which, side < 2 ? "which overlap" : "which touch");
          begin_case();
          status = form_types[type].call(&k);
          want_status(status, side < 2 ? CONVK_ERR_OVERLAP : CONVK_OK);
          if ((side < 2) != !memcmp(before, memory, 17 * ROOM)) fail(side < 2 ? "something was written" : "nothing was written");
          end_case();
        }
    }
  }
  free(memory);
}

/* Phases and exponentials at the last value that is allowed, and at the first that is not. */
static void form_limits(int type) {
  const double turns = ldexp(2 * acos(-1.0), type ? 50 : 21), power = type ? 708 : 87, eps = form_types[type].eps;
  int operation, which, beyond;
  for (operation = 0; operation < FORM_KINDS; operation++) {
    size_t number = 0;
    variant *v;
    suite.operation = form_names[operation];
    while ((v = form_next(&number, type, operation, 1)) != NULL)
      for (which = 0; which < 12; which++)
        for (beyond = 0; beyond < 2; beyond++) {
          const double sign = which & 1 ? -1 : 1, side = which & 2 ? -1 : 1, to = beyond ? 1 + 4 * eps : 1 - 4 * eps;
          const convk_grid3 grid = {1, 1, 1, 0, 0};
          unsigned char field[6][2 * 8], q[4][8], f[16];
          form_call k;
          int d, status;
          memset(&k, 0, sizeof k);
          memset(f, FILL_, sizeof f);
          for (d = 0; d < 6; d++) {
            k.field[d] = field[d];
            put(type, field[d], 0, d < 3 ? 1.0 / 1048576 : 0); /* so small that no sum overflows before its exponentials */
            put(type, field[d], 1, d < 3 ? -1.0 / 1048576 : 0);
          }
          for (d = 0; d < 4; d++) {
            k.q[d] = q[d];
            put(type, q[d], 0, 0);
          }
          if (which < 4) { /* one axis, then all of them, then absorption */
            put(type, field[3 + which % 3], 1, side);
            put(type, q[which % 3], 0, sign * turns * to);
          } else if (which < 8) {
            for (d = 0; d < 3; d++) {
              put(type, field[3 + d], d == 1, side * (d + 1));
              put(type, q[d], 0, sign * turns / (3 * (d + 1)) * to);
            }
          } else {
            put(type, field[5], 1, side);
            put(type, q[0], 0, 0.5);
            put(type, q[3], 0, sign * (sign == side && beyond ? 20 * power : power * (beyond ? to : 1)));
          }
          k.hw = &v->hw;
          k.operation = operation;
          k.n = 2;
          k.nq = 1;
          k.grid = &grid;
          k.f = f;
          describe("limit %d, %s", which, beyond ? "beyond" : "within");
          begin_case();
          status = form_types[type].call(&k);
          if (status != (beyond && (which < 8 || sign != side) ? CONVK_ERR_RANGE : CONVK_OK))
            fail("status %d (%s)", status, convk_strerror(status));
          if (status && !all_fill(f, f + sizeof f)) fail("something was written");
          if (!status && !(fabs(get(type, f, 0)) + fabs(get(type, f, 1)) < HUGE_VAL)) fail("F is not finite");
          end_case();
        }
  }
}

/* Corners count, too: what a corner takes beyond the limits is refused, what stays within them with the longest edge added to a
   centroid is not. */
static void form_corner_limits(int type) {
  const double turns = ldexp(2 * acos(-1.0), type ? 50 : 21), power = type ? 708 : 87, edge = 3, near = 2.0 / 3;
  int operation, axis, side, sign, damped, beyond;
  for (operation = 0; operation < FORM_KINDS; operation++) {
    size_t number = 0;
    variant *v;
    suite.operation = form_names[operation];
    while ((v = form_next(&number, type, operation, 1)) != NULL)
      for (axis = 0; axis < 3; axis++)
        for (side = -1; side < 2; side += 2)
          for (sign = -1; sign < 2; sign += 2)
            for (damped = 0; damped < 2; damped++)
              for (beyond = 0; beyond < 2; beyond++) {
                const convk_grid3 grid = {1, 1, 1, 0, 0};
                const int to = sign == side ? 0 : beyond; /* exponentials only grow on one side */
                unsigned char field[12][8], q[6][8], f[16];
                convk_formfactor_options options;
                form_call k;
                int d, status;
                if (operation != FORM_LIST && damped && axis < 2) continue; /* an option of lists */
                memset(&k, 0, sizeof k);
                memset(&options, 0, sizeof options);
                memset(f, FILL_, sizeof f);
                for (d = 0; d < 12; d++) { /* a sliver: one corner far to one side, two to the other */
                  k.field[d] = field[d];
                  put(type, field[d], 0, d < 3 ? 1.0 / 1048576 : 0);
                }
                put(type, field[3 + axis], 0, side);
                put(type, field[6 + axis], 0, side * near * edge);
                put(type, field[9 + axis], 0, side * (near - 1) * edge);
                for (d = 0; d < 6; d++) put(type, q[d], 0, 0);
                for (d = 0; d < 3; d++) k.q[d] = q[d];
                if (damped) {
                  put(type, q[(axis + 1) % 3], 0, 0.5);
                  put(type, q[3 + axis], 0, sign * power * (to ? 1.01 / (near * edge + 1) : 0.99 / (edge + 1)));
                } else put(type, q[axis], 0, sign * turns * (beyond ? 1.01 / (near * edge + 1) : 0.99 / (edge + 1)));
                if (damped && axis == 2) k.q[3] = q[5];
                if (damped && axis == 0) k.q[4] = q[3];
                if (damped && axis == 1) k.q[5] = q[4];
                options.order = 2;
                k.options = &options;
                k.hw = &v->hw;
                k.operation = operation;
                k.n = 1;
                k.nq = 1;
                k.grid = &grid;
                k.f = f;
                describe("a corner on axis %d, %s: %d %d, %s", axis, damped ? "growth" : "phase", side, sign,
                         beyond ? "beyond" : "within");
                begin_case();
                status = form_types[type].call(&k);
                want_status(status, (damped ? to : beyond) ? CONVK_ERR_RANGE : CONVK_OK);
                if (status && !all_fill(f, f + sizeof f)) fail("something was written");
                if (!status && !(fabs(get(type, f, 0)) + fabs(get(type, f, 1)) < HUGE_VAL)) fail("F is not finite");
                end_case();
              }
  }
}

/* What a grid needs is enough for all smaller ones, whatever the threads and tuned tiles. */
static void form_work_grows(int type) {
  static const size_t rows[] = {0, 1, 7, 513, 4000};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t i, turn;
  convk hw = *form_handle();
  hook h = hook_new(HOOK_FAILS, 3, 1);
  convk_tuned tuned[3];
  suite.operation = "formfactor_grid";
  suite.variant = NULL;
  memset(tuned, 0, sizeof tuned);
  for (i = 0; i < COUNT_OF(tuned); i++) {
    strcpy(tuned[i].operation, i < 2 ? "formfactor_grid" : "formfactor");
    strcpy(tuned[i].type, type ? "f64" : "f32");
    strcpy(tuned[i].hw, hw.name);
    strcpy(tuned[i].machine, hw.machine);
    tuned[i].nx = tuned[i].ny = i ? 9 : 70;
    tuned[i].nz = tuned[i].length = 1;
    tuned[i].threads = 3;
    tuned[i].choice[CONVK_TUNE_ROWS] = i ? 2000 : 3;
  }
  describe("work of smaller grids");
  begin_case();
  hw.parallel.run = hook_run;
  hw.parallel.ctx = &h;
  for (turn = 0; turn < 4000; turn++) {
    const size_t most = turn % 3 ? 80 : 3000, imag = random_below(&rng, 2);
    convk_grid3 large = {1 + random_below(&rng, most), 1 + random_below(&rng, most), 1 + random_below(&rng, 20), 0, 0}, less = large;
    hw.parallel.threads = (int)(1 + 2 * (turn % 5));
    hw.tuning.formfactor_rows = rows[turn % COUNT_OF(rows)];
    hw.tuned = turn % 2 ? tuned : NULL;
    hw.ntuned = turn % 2 ? COUNT_OF(tuned) : 0;
    less.nx = 1 + random_below(&rng, large.nx);
    if (turn & 4) less.ny = 1 + random_below(&rng, large.ny);
    if (turn & 8) less.nz = 1 + random_below(&rng, large.nz);
    if (form_types[type].work(&hw, &less, (int)imag) > form_types[type].work(&hw, &large, (int)imag))
      fail("%lux%lux%lu wants more than %lux%lux%lu", (unsigned long)less.nx, (unsigned long)less.ny, (unsigned long)less.nz,
           (unsigned long)large.nx, (unsigned long)large.ny, (unsigned long)large.nz);
  }
  end_case();
}

/* Bytes of work: which grids are refused, how little a large one needs; an allocation and a thread hook that fail. */
static void form_work(int type) {
  static const struct {
    convk_grid3 grid;
    int good;
  } cases[] = {{{1, 1, 1, 0, 0}, 1},          {{70000, 70000, 1, 0, 0}, 1},       {{3, 70000, 70000, 5, 400000}, 1},
               {{0, 1, 1, 0, 0}, 0},          {{1, 0, 1, 0, 0}, 0},               {{1, 1, 0, 0, 0}, 0},
               {{4, 2, 1, 3, 0}, 0},          {{4, 2, 2, 4, 7}, 0},               {{4, 2, 2, 4, 8}, 1},
               {{SIZE_MAX / 2, 4, 1, 0, 0}, 0}, {{1, 1, SIZE_MAX / 8, 0, 0}, 0}};
  const size_t size = types[type].size;
  size_t number = 0, i;
  variant *v;
  suite.operation = "formfactor_grid";
  while ((v = form_next(&number, type, FORM_GRID, 1)) != NULL) {
    size_t small, one, three;
    convk copy = v->hw;
    hook h = hook_new(HOOK_FAILS, 3, 1);
    int operation;
    describe("bytes of work");
    begin_case();
    for (i = 0; i < COUNT_OF(cases); i++) {
      const size_t bytes = form_types[type].work(&v->hw, &cases[i].grid, (int)i % 2);
      if ((bytes == SIZE_MAX) != !cases[i].good || (v->device && cases[i].good && bytes))
        fail("case %lu gives %lu", (unsigned long)i, (unsigned long)bytes);
      if (bytes != SIZE_MAX && bytes >> 26) fail("case %lu wants %lu bytes", (unsigned long)i, (unsigned long)bytes);
    }
    if (form_types[type].work(&v->hw, NULL, 0) != SIZE_MAX) fail("no grid, but bytes");
    small = form_types[type].work(NULL, &cases[0].grid, 1);
    one = form_types[type].work(NULL, &cases[1].grid, 1);
    copy.parallel.threads = 3;
    copy.parallel.run = hook_run;
    copy.parallel.ctx = &h;
    three = form_types[type].work(&copy, &cases[1].grid, 1);
    if (!v->device && !(small < one && three > 2 * one && form_types[type].work(&copy, &cases[0].grid, 1) == small))
      fail("%lu, %lu and %lu bytes", (unsigned long)small, (unsigned long)one, (unsigned long)three);
    end_case();
    for (operation = 0; operation < FORM_KINDS && !v->device; operation++) {
      enum { N = 3, NQ = 300 };
      unsigned char field[6][N * 8], q[3][NQ * 8], *f = (unsigned char *)need(3 * 2 * NQ * size);
      const convk_grid3 grid = {NQ, 3, 1, 0, 0};
      uint64_t rng = random_seed(suite.test);
      form_call k;
      int d, status;
      const long live = heap.live;
      memset(&k, 0, sizeof k);
      memset(f, FILL_, 3 * 2 * NQ * size);
      for (d = 0; d < 6; d++) {
        k.field[d] = field[d];
        for (i = 0; i < N; i++) put(type, field[d], i, random_unit(&rng));
      }
      for (d = 0; d < 3; d++) {
        k.q[d] = q[d];
        for (i = 0; i < NQ; i++) put(type, q[d], i, random_unit(&rng));
      }
      k.operation = operation;
      k.n = N;
      k.nq = NQ;
      k.grid = &grid;
      k.f = f;
      k.hw = &copy;
      describe("a thread hook that fails");
      begin_case();
      h.calls = 0;
      status = form_types[type].call(&k);
      if (status != CONVK_ERR_THREADS || !h.calls) fail("status %d (%s)", status, convk_strerror(status));
      want_returned(live);
      end_case();
      describe("no memory");
      begin_case();
      k.hw = &v->hw;
      memset(f, FILL_, 3 * 2 * NQ * size);
      heap.until_failure = 0;
      status = form_types[type].call(&k);
      heap.until_failure = -1;
      want_status(status, operation ? CONVK_ERR_MEMORY : CONVK_OK);
      if (status && !all_fill(f, f + 3 * 2 * NQ * size)) fail("something was written");
      end_case();
      free(f);
    }
  }
}

/* Growth in large areas: what is allowed stays finite, and not much more is refused than must be. */
static void form_growth(int type) {
  const int power = type ? 708 : 87;
  int operation, exponent, thin;
  for (operation = 0; operation < FORM_KINDS; operation++) {
    size_t number = 0;
    variant *v;
    suite.operation = form_names[operation];
    while ((v = form_next(&number, type, operation, 1)) != NULL)
      for (exponent = power - 60, thin = 0; exponent <= power; exponent += thin, thin = !thin) {
        const convk_grid3 grid = {1, 1, 1, 0, 0};
        unsigned char field[6][2 * 8], q[4][8], f[16];
        form_call k;
        int d, status;
        memset(&k, 0, sizeof k);
        memset(f, FILL_, sizeof f);
        for (d = 0; d < 6; d++) {
          k.field[d] = field[d];
          put(type, field[d], 0, d < 3 ? 1e4 : d < 5 ? 0 : thin ? 1.0 / 1024 : 1);
          put(type, field[d], 1, d < 3 ? -1e4 : 0);
        }
        for (d = 0; d < 4; d++) {
          k.q[d] = q[d];
          put(type, q[d], 0, d == 0 && exponent % 2 ? 1e6 : d < 3 ? 4 : thin ? -1024 * exponent : -exponent);
        }
        k.hw = &v->hw;
        k.operation = operation;
        k.n = 2;
        k.nq = 1;
        k.grid = &grid;
        k.f = f;
        describe("exp(%d) in areas of 10000%s", exponent, thin ? ", thin" : "");
        begin_case();
        status = form_types[type].call(&k);
        if (status && (status != CONVK_ERR_RANGE || exponent < power - (thin ? 50 : 38)))
          fail("status %d (%s)", status, convk_strerror(status));
        if (status && !all_fill(f, f + sizeof f)) fail("something was written");
        if (!status && !(fabs(get(type, f, 0)) + fabs(get(type, f, 1)) < HUGE_VAL)) fail("F is not finite");
        end_case();
      }
  }
}

/* The closed form is the default of closed meshes; triangles without area change no bit; a grid is a list. */
static void form_forms(int type) {
  const double c[3] = {0.37, -0.23, 1.1};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int operation, imag, d, turn;
  size_t t, i;
  for (operation = 0; operation < FORM_KINDS; operation++)
    for (turn = 0; turn < (operation ? 6 : 2); turn++) { /* of a grid lanes on each axis, three of them with fourth order */
      static const size_t sizes[6][3] = {{11, 4, 3}, {11, 4, 3}, {4, 11, 3}, {4, 11, 3}, {3, 4, 11}, {17, 2, 5}};
      const size_t list_of[3] = {130, 1, 1}, *n = operation ? sizes[turn] : list_of;
      body b = body_new(type), more = body_new(type);
      form_problem p;
      body_sphere(&b, c, 0.71, 3);
      for (t = 0; t < 3 * b.n; t++) { /* sheared: closed but for roundings, which the open form shows at a small q */
        double *v = b.corners + 3 * t;
        v[0] = rounded_to(type, v[0] + 0.31 * v[1]);
        v[1] = rounded_to(type, v[1] - 0.17 * v[2]);
      }
      for (t = 0; t < 60; t++) { /* of one block, whatever comes in between */
        double v[3][3];
        memcpy(v, b.corners + 9 * (t / 5 * 3 + (t % 5 < 3 ? t % 5 : 0)), sizeof v);
        if (t % 5 > 2) memcpy(v[t % 5 == 3], v[2], sizeof v[2]);
        body_triangle(&more, v);
      }
      body_finish(&b);
      body_finish(&more);
      imag = turn % 2;
      form_start(&p, &b, operation, n, imag, 2, &rng);
      p.options.order = 2 * (turn > 1);
      for (d = 0; d < 4; d++)
        for (i = 0; i < form_axis(&p, d); i += 2) p.q[d][i] = rounded_to(type, 1e-6 * p.q[d][i]);
      form_run(&p, NULL, random64(&rng));
      p.options.form = CONVK_FORM_CLOSED;
      form_run(&p, NULL, random64(&rng));
      p.b = &more;
      form_run(&p, NULL, random64(&rng));
      p.options.form = CONVK_FORM_OPEN;
      p.open = 1;
      form_forget(&p);
      form_run(&p, NULL, random64(&rng));
      if (operation == FORM_GRID) {
        size_t number = 0;
        variant *v;
        form_problem list;
        const size_t count = form_count(&p), all[3] = {count, 1, 1};
        form_start(&list, &more, FORM_LIST, all, imag, 0, &rng);
        for (i = 0; i < count; i++) {
          double q[4];
          form_q(&p, i, q);
          for (d = 0; d < 4; d++) list.q[d][i] = q[d];
        }
        list.options = p.options;
        list.open = 1;
        while ((v = form_next(&number, type, FORM_GRID, 40 * count * more.n)) != NULL) {
          double *one = reals(2 * count), *other = reals(2 * count);
          if (v->device && !form_types[type].offers(&v->hw, FORM_LIST)) continue;
          form_one(&p, v, &form_plain, random64(&rng), one);
          form_one(&list, v, &form_plain, random64(&rng), other);
          describe("a grid as a list");
          begin_case();
          for (i = 0; i < count && !suite.bad; i++) {
            long double f[2], bound, also;
            form_exact(&p, i, f, &bound);
            form_exact(&list, i, f, &also);
            if (hypot(one[2 * i] - other[2 * i], one[2 * i + 1] - other[2 * i + 1]) > (double)(bound + also))
              fail("q %lu: %.17g %+.17g i and %.17g %+.17g i", (unsigned long)i, one[2 * i], one[2 * i + 1], other[2 * i],
                   other[2 * i + 1]);
          }
          end_case();
          free(one);
          free(other);
        }
        form_free(&list);
      }
      form_free(&p);
      body_free(&b);
      body_free(&more);
    }
}

/* ------------------------------------------------------------------------------------------- arrays that a device has -- */

/* A call whose arrays lie in `image`, which goes to the device and comes back; less: bytes of work too few; *says: what is said
   of it. */
#ifdef CONVK_CUDA_H_
#define FORM_CUDA(TYPE, T) \
  static int form_cuda_##TYPE(const form_call *k, const convk_mesh_measures *measures, unsigned char *image, size_t bytes, \
                              size_t less, char *says) { \
    unsigned char *there = NULL; \
    void *work = NULL, *field[12]; \
    const void *at[6]; \
    convk_q_##TYPE q; \
    convk_mesh_##TYPE mesh; \
    convk_cuda_stream on; \
    size_t size = 0; \
    int d, status, error = cudaMalloc((void **)&there, bytes) != cudaSuccess; \
    memset(&on, 0, sizeof on); \
    for (d = 0; d < 12; d++) field[d] = k->field[d] ? there + ((unsigned char *)k->field[d] - image) : NULL; \
    for (d = 0; d < 6; d++) at[d] = k->q[d] ? there + ((const unsigned char *)k->q[d] - image) : NULL; \
    q = form_q_##TYPE(k->nq, at); \
    mesh = form_mesh_##TYPE(k->n, field); \
    status = k->operation ? convk_cuda_formfactor_grid_work_size_##TYPE(&on, &mesh, k->grid, &q, &size) \
                          : convk_cuda_formfactor_work_size_##TYPE(NULL, &mesh, &q, &size); \
    error = error || cudaMalloc(&work, size) != cudaSuccess; \
    error = error || cudaMemcpy(there, image, bytes, cudaMemcpyHostToDevice) != cudaSuccess; \
    if (!error && !status) { \
      T *f = k->f ? (T *)(there + ((unsigned char *)k->f - image)) : NULL; \
      status = k->operation \
                   ? convk_cuda_formfactor_grid_##TYPE(&on, k->meshless ? NULL : &mesh, measures, k->grid, \
                                                       k->qless ? NULL : &q, k->options, f, work, size - less) \
                   : convk_cuda_formfactor_##TYPE(&on, k->meshless ? NULL : &mesh, measures, k->qless ? NULL : &q, k->options, \
                                                  f, work, size - less); \
    } \
    strcpy(says, on.message); \
    error = error || cudaMemcpy(image, there, bytes, cudaMemcpyDeviceToHost) != cudaSuccess; \
    if (cudaFree(there) != cudaSuccess || cudaFree(work) != cudaSuccess || error) fail("the device"); \
    return status; \
  }
FORM_CUDA(f32, float)
FORM_CUDA(f64, double)
#endif

#ifdef CONVK_CL_H_
static convk_cl_array form_cl_array(cl_mem mem, const void *pointer, const unsigned char *image, size_t size) {
  convk_cl_array a;
  a.mem = pointer ? mem : NULL;
  a.offset = pointer ? (size_t)((const unsigned char *)pointer - image) / size : 0;
  return a;
}
#define FORM_CL(TYPE, T) \
  static int form_cl_##TYPE(variant *v, const form_call *k, const convk_mesh_measures *measures, unsigned char *image, \
                            size_t bytes, size_t less, char *says) { \
    convk_cl *cl = convk_cl_of(&v->hw); \
    cl_int error = 0, code = 0; \
    const cl_command_queue queue = clCreateCommandQueue(cl->context, cl->device, 0, &code); \
    const cl_mem there = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, bytes, NULL, &error); \
    const convk_cl_array f = form_cl_array(there, k->f, image, sizeof(T)); \
    convk_cl_queue on; \
    convk_cl_array work; \
    convk_cl_mesh mesh; \
    convk_cl_q q; \
    size_t size = 0; \
    int status; \
    memset(&on, 0, sizeof on); \
    on.cl = cl; \
    on.queue = queue; \
    mesh.n = k->n; \
    mesh.ax = form_cl_array(there, k->field[0], image, sizeof(T)); \
    mesh.ay = form_cl_array(there, k->field[1], image, sizeof(T)); \
    mesh.az = form_cl_array(there, k->field[2], image, sizeof(T)); \
    mesh.x = form_cl_array(there, k->field[3], image, sizeof(T)); \
    mesh.y = form_cl_array(there, k->field[4], image, sizeof(T)); \
    mesh.z = form_cl_array(there, k->field[5], image, sizeof(T)); \
    mesh.ux = form_cl_array(there, k->field[6], image, sizeof(T)); \
    mesh.uy = form_cl_array(there, k->field[7], image, sizeof(T)); \
    mesh.uz = form_cl_array(there, k->field[8], image, sizeof(T)); \
    mesh.wx = form_cl_array(there, k->field[9], image, sizeof(T)); \
    mesh.wy = form_cl_array(there, k->field[10], image, sizeof(T)); \
    mesh.wz = form_cl_array(there, k->field[11], image, sizeof(T)); \
    q.n = k->nq; \
    q.x = form_cl_array(there, k->q[0], image, sizeof(T)); \
    q.y = form_cl_array(there, k->q[1], image, sizeof(T)); \
    q.z = form_cl_array(there, k->q[2], image, sizeof(T)); \
    q.z_imag = form_cl_array(there, k->q[3], image, sizeof(T)); \
    q.x_imag = form_cl_array(there, k->q[4], image, sizeof(T)); \
    q.y_imag = form_cl_array(there, k->q[5], image, sizeof(T)); \
    status = k->operation ? convk_cl_formfactor_grid_work_size_##TYPE(&on, &mesh, k->grid, &q, &size) \
                          : convk_cl_formfactor_work_size_##TYPE(&on, &mesh, &q, &size); \
    work.offset = 300; /* bytes */ \
    work.mem = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, size + work.offset, NULL, &code); \
    error |= code | clEnqueueWriteBuffer(queue, there, CL_TRUE, 0, bytes, image, 0, NULL, NULL); \
    if (!error && !status) \
      status = k->operation \
                   ? convk_cl_formfactor_grid_##TYPE(&on, k->meshless ? NULL : &mesh, measures, k->grid, k->qless ? NULL : &q, \
                                                     k->options, f, work, size - less) \
                   : convk_cl_formfactor_##TYPE(&on, k->meshless ? NULL : &mesh, measures, k->qless ? NULL : &q, k->options, f, \
                                                work, size - less); \
    strcpy(says, cl->message); \
    error |= clEnqueueReadBuffer(queue, there, CL_TRUE, 0, bytes, image, 0, NULL, NULL); \
    error |= clReleaseMemObject(there) | clReleaseMemObject(work.mem) | clReleaseCommandQueue(queue); \
    if (error) fail("the device: error %d", (int)error); \
    return status; \
  }
FORM_CL(f32, float)
FORM_CL(f64, double)
#endif

/* Bytes of device memory of a call of n triangles and nq vectors, or of a grid. */
#define FORM_THERE_WORK(TYPE) \
  static size_t form_there_work_##TYPE(variant *v, size_t n, size_t nq, const convk_grid3 *grid, int imag) { \
    size_t bytes = 0; \
    int status = 1; \
    FORM_CUDA_WORK(TYPE) FORM_CL_WORK(TYPE)(void) v; \
    if (status) fail("status %d of a size", status); \
    return bytes; \
  }
#ifdef CONVK_CUDA_H_
#define FORM_CUDA_WORK(TYPE) \
  if (!strcmp(v->name, "cuda")) { \
    static TYPE##_type some; \
    convk_mesh_##TYPE mesh; \
    convk_q_##TYPE q; \
    memset(&mesh, 0, sizeof mesh); \
    memset(&q, 0, sizeof q); \
    mesh.n = n; \
    q.n = nq; \
    q.z_imag = imag ? &some : NULL; \
    status = grid ? convk_cuda_formfactor_grid_work_size_##TYPE(NULL, &mesh, grid, &q, &bytes) \
                  : convk_cuda_formfactor_work_size_##TYPE(NULL, &mesh, &q, &bytes); \
  }
#else
#define FORM_CUDA_WORK(TYPE)
#endif
#ifdef CONVK_CL_H_
#define FORM_CL_WORK(TYPE) \
  if (!strcmp(v->name, "opencl")) { \
    convk_cl_queue on; \
    convk_cl_mesh mesh; \
    convk_cl_q q; \
    memset(&on, 0, sizeof on); \
    memset(&mesh, 0, sizeof mesh); \
    memset(&q, 0, sizeof q); \
    on.cl = convk_cl_of(&v->hw); \
    mesh.n = n; \
    q.n = nq; \
    q.z_imag.mem = imag ? (cl_mem)(void *)&q : NULL; \
    status = grid ? convk_cl_formfactor_grid_work_size_##TYPE(&on, &mesh, grid, &q, &bytes) \
                  : convk_cl_formfactor_work_size_##TYPE(&on, &mesh, &q, &bytes); \
  }
#else
#define FORM_CL_WORK(TYPE)
#endif
typedef float f32_type;
typedef double f64_type;
FORM_THERE_WORK(f32)
FORM_THERE_WORK(f64)

/* What a call there needs is enough for all that is smaller. */
static void form_there_grows(int type) {
  size_t (*const work)(variant *v, size_t n, size_t nq, const convk_grid3 *grid, int imag) =
      type ? form_there_work_f64 : form_there_work_f32;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t number = 0, turn;
  variant *v;
  suite.operation = "formfactor";
  while ((v = form_next(&number, type, FORM_LIST, 1)) != NULL) {
    if (!v->device) continue;
    describe("work of smaller calls there");
    begin_case();
    for (turn = 0; turn < 3000; turn++) {
      const size_t most = turn % 3 ? 200 : 5000, n = random_below(&rng, turn % 2 ? 300 : 3000000), nq = random_below(&rng, most * 99);
      const size_t n_less = random_below(&rng, n + 1), nq_less = random_below(&rng, nq + 1);
      const int imag = (int)random_below(&rng, 2);
      convk_grid3 large = {1 + random_below(&rng, most), 1 + random_below(&rng, most), 1 + random_below(&rng, 50), 0, 0}, less = large;
      if (turn & 4) less.nx = 1 + random_below(&rng, large.nx);
      if (turn & 8) less.ny = 1 + random_below(&rng, large.ny);
      if (turn & 16) less.nz = 1 + random_below(&rng, large.nz);
      if (work(v, n_less, nq_less, NULL, imag) > work(v, n, nq, NULL, imag))
        fail("%lu x %lu wants more than %lu x %lu", (unsigned long)n_less, (unsigned long)nq_less, (unsigned long)n, (unsigned long)nq);
      if (work(v, n_less, 0, &less, imag) > work(v, n, 0, &large, imag))
        fail("%lux%lux%lu wants more than %lux%lux%lu", (unsigned long)less.nx, (unsigned long)less.ny, (unsigned long)less.nz,
             (unsigned long)large.nx, (unsigned long)large.ny, (unsigned long)large.nz);
    }
    end_case();
  }
}

/* The status; the message names `says`, or with NULL is empty. */
static int form_there(variant *v, int type, const form_call *k, const convk_mesh_measures *measures, unsigned char *image,
                      size_t bytes, size_t less, const char *says) {
  char text[256] = "";
  int status = 1;
#ifdef CONVK_CUDA_H_
  if (!strcmp(v->name, "cuda")) status = (type ? form_cuda_f64 : form_cuda_f32)(k, measures, image, bytes, less, text);
#endif
#ifdef CONVK_CL_H_
  if (!strcmp(v->name, "opencl")) status = (type ? form_cl_f64 : form_cl_f32)(v, k, measures, image, bytes, less, text);
#endif
  (void)v, (void)type, (void)k, (void)measures, (void)image, (void)bytes, (void)less;
  if (says ? !strstr(text, says) : text[0] != 0) fail("the message is '%s', not of '%s'", text, says ? says : "");
  return status;
}

/* One wrong thing at a time; nothing is written. */
static void form_there_errors(variant *v, int type, const form_call *right, const convk_mesh_measures *measures,
                              unsigned char *image, size_t bytes) {
  static const char *const name[15] = {"mesh->ax", "mesh->ay", "mesh->az", "mesh->x",  "mesh->y",  "mesh->z",  "mesh->ux", "mesh->uy",
                                       "mesh->uz", "mesh->wx", "mesh->wy", "mesh->wz", "q->x is", "q->y is", "q->z is"};
  const size_t size = types[type].size;
  int wrong;
  for (wrong = 0; wrong < 31; wrong++) {
    const int on_grid = right->operation == FORM_GRID;
    const convk_mesh_measures *of = measures;
    convk_formfactor_options o = *right->options;
    convk_grid3 grid = *right->grid;
    form_call k = *right;
    const char *says = wrong < 15 ? name[wrong] : NULL;
    int want = CONVK_ERR_NULL, less = 0;
    k.options = &o;
    k.grid = &grid;
    if (wrong < 12) {
      o.order = wrong < 6 ? 0 : 2;
      k.field[wrong] = NULL;
    } else if (wrong < 15) k.q[wrong - 12] = NULL;
    else
      switch (wrong) {
        case 15: k.f = NULL; says = "f is NULL"; break;
        case 16: k.meshless = 1; says = "mesh is NULL"; break;
        case 17: of = NULL; says = "measures is NULL"; break;
        case 18: k.qless = 1; says = "q is NULL"; break;
        case 19: o.form = 7; says = "options->form is 7"; want = CONVK_ERR_OPTION; break;
        case 20: o.order = 3; says = "options->order is 3"; want = CONVK_ERR_OPTION; break;
        case 21: o.form = CONVK_FORM_CLOSED; says = "options->form is CONVK_FORM_CLOSED, and mesh is open"; want = CONVK_ERR_OPEN_MESH; break;
        case 22: k.f = k.field[0]; says = "mesh->ax overlaps f"; want = CONVK_ERR_OVERLAP; break;
        case 23: k.f = (char *)(uintptr_t)k.q[1] - size; says = "overlaps f"; want = CONVK_ERR_OVERLAP; break;
        case 24: less = 1; says = "work_size is "; want = CONVK_ERR_WORK; break;
        case 25: if (!on_grid) continue; k.q[4] = k.q[0]; says = "q->x_imag is given"; want = CONVK_ERR_OPTION; break;
        case 26: if (!on_grid) continue; k.q[5] = k.q[0]; says = "q->y_imag is given"; want = CONVK_ERR_OPTION; break;
        case 27: if (!on_grid) continue; o.order = 4; says = "options->order is neither 0 nor 2"; want = CONVK_ERR_OPTION; break;
        case 30:
          if (!on_grid) continue;
          o.order = 0;
          o.form = CONVK_FORM_EXACT;
          says = "options->form is CONVK_FORM_EXACT";
          want = CONVK_ERR_OPTION;
          break;
        case 28: if (!on_grid) continue; grid.ny = 0; says = "grid.ny is 0"; want = CONVK_ERR_SIZE; break;
        default: if (!on_grid) continue; grid.pitch_y = grid.nx - 1; says = "grid.pitch_y is "; want = CONVK_ERR_PITCH; break;
      }
    describe("wrong there: %d", wrong);
    want_status(form_there(v, type, &k, of, image, bytes, (size_t)less, says), want);
    if (!all_fill((unsigned char *)right->f, image + bytes)) fail("something was written");
  }
}

/* Arrays on the device give the bits of arrays on the host, whatever lies behind those of the mesh; without corners, or what
   mesh_measure says of them, no order 2. */
static void form_resident(int type) {
  enum { BEHIND = 64 }; /* NaNs behind each array of the mesh */
  static const size_t sizes[3][3] = {{19, 4, 3}, {3, 19, 4}, {4, 3, 19}};
  const size_t size = types[type].size;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t number = 0, i;
  variant *v;
  while ((v = form_next(&number, type, FORM_GRID, 1)) != NULL) {
    int turn, d;
    for (turn = 0; turn < 24 && v->device; turn++) { /* the longest axis, real or complex, the order, grid or list */
      const int imag = turn / 3 % 2, fourth = turn / 6 % 2, operation = turn < 12 ? FORM_GRID : FORM_LIST;
      const size_t list[3] = {77, 1, 1};
      const convk_grid3 grid = {sizes[turn % 3][0], sizes[turn % 3][1], sizes[turn % 3][2], 0, 0};
      convk_mesh_measures measures;
      unsigned char *image, *at;
      form_problem p;
      double *want;
      form_call k;
      size_t bytes;
      body b = body_new(type);
      suite.operation = form_names[operation];
      if (!form_types[type].offers(&v->hw, operation) || (operation == FORM_LIST && turn % 3)) continue;
      body_scatter(&b, 150, 2, &rng);
      body_finish(&b);
      form_start(&p, &b, operation, operation ? sizes[turn % 3] : list, imag, 2, &rng);
      p.open = 1;
      p.options.order = 2 * fourth;
      want = reals(2 * form_count(&p));
      form_one(&p, v, &form_plain, random64(&rng), want);
      bytes = (12 * (b.n + BEHIND) + 2 * form_count(&p)) * size;
      for (d = 0; d < 4; d++) bytes += form_axis(&p, d) * size;
      at = image = (unsigned char *)need(bytes);
      memset(image, FILL_, bytes);
      memset(&k, 0, sizeof k);
      for (d = 0; d < 12; d++, at += (b.n + BEHIND) * size) {
        k.field[d] = at;
        for (i = 0; i < b.n; i++) put(type, at, i, b.field[d][i]);
      }
      for (d = 0; d < 4; at += form_axis(&p, d) * size, d++) {
        if (d < 3 || imag) k.q[d] = at;
        for (i = 0; i < form_axis(&p, d); i++) put(type, at, i, p.q[d][i]);
      }
      k.f = at;
      k.n = b.n;
      k.nq = list[0];
      k.operation = operation;
      k.grid = &grid;
      k.options = &p.options;
      describe("arrays of the device, %s%s", imag ? "complex" : "real", fourth ? ", order 2" : "");
      begin_case();
      FORM_EXPECT(form_types[type].measure(b.n, k.field, &measures) == CONVK_OK);
      if (turn % 6 == 0) form_there_errors(v, type, &k, &measures, image, bytes);
      if (!fourth && turn == 12) measures.edge = 0;
      else if (!fourth)
        for (d = 6; d < 12; d++) k.field[d] = NULL;
      FORM_EXPECT(all_fill((unsigned char *)k.f, image + bytes));
      FORM_EXPECT(form_there(v, type, &k, &measures, image, bytes, 0, NULL) == CONVK_OK);
      for (i = 0; i < 2 * form_count(&p) && !suite.bad; i++)
        if (!same(get(type, k.f, i), want[i])) fail("number %lu has other bits than from the host", (unsigned long)i);
      end_case();
      free(image);
      free(want);
      form_free(&p);
      body_free(&b);
    }
  }
}

/* The unit of length is the caller's: what scales a body and q by a power of two scales every bit of F. */
static void form_units(int type) {
  static const size_t n[3] = {5, 17, 4};
  const int powers[3] = {0, type ? 200 : 30, type ? -200 : -30};
  size_t number = 0, i;
  variant *v;
  suite.operation = "formfactor_grid";
  while ((v = form_next(&number, type, FORM_GRID, 40 * 340 * 200)) != NULL) {
    int turn, k, d;
    for (turn = 0; turn < 4; turn++) { /* complex, and the order */
      double *f[3];
      for (k = 0; k < 3; k++) {
        const double unit = ldexp(1, powers[k]), c[3] = {0.25 * unit, -0.5 * unit, unit}, s[3] = {0.5 * unit, unit, 0.75 * unit};
        uint64_t rng = random_seed(suite.test) + (uint64_t)type;
        body b = body_new(type);
        form_problem p;
        body_box(&b, c, s, 4);
        body_finish(&b);
        form_start(&p, &b, FORM_GRID, n, turn % 2, 2, &rng);
        for (d = 0; d < 4; d++)
          for (i = 0; i < form_axis(&p, d); i++) p.q[d][i] /= unit;
        p.bits = 1;
        p.options.order = 2 * (turn / 2);
        f[k] = reals(2 * form_count(&p));
        form_one(&p, v, &form_plain, rng, f[k]);
        form_free(&p);
        body_free(&b);
      }
      describe("units of length, %s%s", turn % 2 ? "complex" : "real", turn / 2 ? ", fourth order" : "");
      begin_case();
      for (k = 1; k < 3; k++)
        for (i = 0; i < 2 * n[0] * n[1] * n[2] && !suite.bad; i++)
          if (!same(ldexp(f[k][i], -3 * powers[k]), f[0][i]))
            fail("in units of 2^%d number %lu has other bits", powers[k], (unsigned long)i);
      end_case();
      for (k = 0; k < 3; k++) free(f[k]);
    }
  }
}

static const test formfactor_tests[] = {
    {"formfactor_grid", "units", form_units, 1},
    {"formfactor", "resident", form_resident, 1},
    {"formfactor", "resident_work", form_there_grows, 1},
    {"formfactor", "damping", form_damping, 1},
    {"formfactor", "blocks", form_blocks, 1},
    {"formfactor", "oracles", form_oracles, 1},
    {"formfactor_grid", "work", form_work, 1},        {"formfactor_grid", "work_grows", form_work_grows, 1},
    {"mesh", "helpers", form_helpers, 1},
    {"formfactor", "growth", form_growth, 1},         {"formfactor", "forms", form_forms, 1},
    {"formfactor", "overlaps", form_overlaps, 1},     {"formfactor", "limits", form_limits, 1},
    {"formfactor", "sizes", form_sizes, 1},           {"formfactor", "scales", form_scales, 1},
    {"formfactor", "box", form_box, 1},               {"formfactor", "sphere", form_sphere, 1},
    {"formfactor", "invariants", form_invariants, 1}, {"formfactor", "continuity", form_continuity, 1},
    {"formfactor", "meshes", form_meshes, 1},         {"formfactor", "errors", form_errors, 1},
    {"formfactor", "cuts", form_cuts, 1},             {"formfactor_grid", "shapes", form_grids, 1},
    {"formfactor", "corner_limits", form_corner_limits, 1},
};
TEST_LIST(formfactor)

#include "test_formfactor_many.c"
#include "test_mesh.c"
#include "test_formfactor_exact.c"
