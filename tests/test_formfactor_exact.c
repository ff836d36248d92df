/* SPDX-License-Identifier: MIT
   Tests of form factors exact on triangles, and of series about their centroids, for complex q in all components.  Included by
   test_formfactor.c, after test_mesh.c, whose shells it uses. */

#include "reference_formfactor.h"

/* ---------------------------------------------------------------------------------------------------------------- calls -- */

enum { GIVE_FACES, GIVE_ARRAYS, GIVE_BOTH, GIVE_KINDS };

typedef struct exact_call {
  convk *hw;
  const char *name; /* of the variant, to call it by its name */
  const shell *faces;
  size_t n, nq;
  void *field[12];
  const void *q[3], *imag[3];
  convk_formfactor_options options;
  void *f;
} exact_call;

#define EXACT_DO(TYPE, T, HW) \
  status = convk_formfactor_##TYPE##HW(k->hw, &m, &q, &k->options, (T *)k->f);
#define EXACT_NAMED(TYPE, T, HW) \
  if (k->name && !strcmp(k->name, #HW)) { EXACT_DO(TYPE, T, _##HW) }
#define EXACT_CALL(TYPE, T) \
  static int exact_call_##TYPE(const exact_call *k) { \
    const surroundings s = before_call(); \
    convk_mesh_##TYPE m = form_mesh_##TYPE(k->n, k->field); \
    convk_indexed_mesh_##TYPE faces; \
    const void *const at[6] = {k->q[0], k->q[1], k->q[2], k->imag[2], k->imag[0], k->imag[1]}; \
    const convk_q_##TYPE q = form_q_##TYPE(k->nq, at); \
    int status = 1; \
    if (k->faces) { \
      faces = shell_##TYPE(k->faces); \
      m.indexed = &faces; \
    } \
    if (!k->name) EXACT_DO(TYPE, T, ) \
    EVERYWHERE(EXACT_NAMED, TYPE, T) \
    after_call(s, k->hw && k->hw->ours.inside.device); \
    return status; \
  }
EXACT_CALL(f32, float)
EXACT_CALL(f64, double)

static int (*const exact_calls[2])(const exact_call *k) = {exact_call_f32, exact_call_f64};

/* What convk_formfactor_error says of an order. */
static double exact_error(const convk_mesh_measures *m, double q, int order) {
  double error = -1;
  FORM_EXPECT(convk_formfactor_error(NULL, m, q, order, &error) == CONVK_OK && error >= 0);
  return error;
}

/* ------------------------------------------------------------------------------------------------------------- problems -- */

typedef struct exact_problem {
  const body *b, *edges; /* edges: another body whose faces give the edges, where it is not NULL */
  const char *name;     /* what errors are told of */
  int give, open, bits; /* open: which form is to come out; bits: nothing else matters */
  convk_formfactor_options options;
  size_t nq, spread; /* 0, or what numbers of vertices are multiplied by */
  double *q[6];      /* real parts, then imaginary ones */
  int given[3];      /* which of these are */
  double limit;      /* of the error, over `size` */
  double size;       /* 0: the volume */
  double *want[2];   /* bits of the classes */
  double *exact;     /* F; NULL: not known yet */
} exact_problem;

/* What errors are allowed: rounding in the type, of bodies of this kind. */
static double exact_limit(int type) { return type ? 2e-14 : 2e-6; }

/* Moves every vertex to a number so many times as large; those between are of no face. */
static void shell_spread(shell *s, size_t factor) {
  const size_t size = types[s->type].size, vertices = (s->vertices - 1) * factor + 1;
  size_t i;
  int d;
  for (d = 0; d < 3; d++) {
    guard more = guard_new(vertices * size, AT_END, 0);
    memset(more.data, 0, vertices * size);
    for (i = 0; i < s->vertices; i++) memcpy(more.data + i * factor * size, s->axis[d].data + i * size, size);
    guard_free(&s->axis[d]);
    s->axis[d] = more;
  }
  for (i = 0; i < 3 * s->faces; i++) shell_put(s, i, (uint32_t)(shell_vertex(s, i) * factor));
  s->vertices = vertices;
}

static void exact_start(exact_problem *p, const body *b, size_t nq) {
  int d;
  memset(p, 0, sizeof *p);
  p->b = b;
  p->nq = nq;
  p->name = "formfactor_exact";
  p->options.form = CONVK_FORM_EXACT;
  p->limit = exact_limit(b->type);
  for (d = 0; d < 6; d++) {
    p->q[d] = reals(nq + 1);
    memset(p->q[d], 0, (nq + 1) * sizeof(double));
  }
}

static void exact_forget(exact_problem *p) {
  int i;
  free(p->exact);
  p->exact = NULL;
  for (i = 0; i < 2; i++) {
    free(p->want[i]);
    p->want[i] = NULL;
  }
}

static void exact_free(exact_problem *p) {
  int d;
  exact_forget(p);
  for (d = 0; d < 6; d++) free(p->q[d]);
}

static void exact_q(const exact_problem *p, size_t i, double q[3], double imag[3]) {
  int d;
  for (d = 0; d < 3; d++) {
    q[d] = p->q[d][i];
    imag[d] = p->given[d] ? p->q[3 + d][i] : 0;
  }
}

static twofold_complex exact_reference(const exact_problem *p, size_t i) {
  double q[3], imag[3], square = 0;
  int d;
  exact_q(p, i, q, imag);
  for (d = 0; d < 3; d++) square += q[d] * q[d] + imag[d] * imag[d];
  if (p->open && square > 0) return twofold_surface(p->b->corners, p->b->n, q, imag);
  return twofold_formfactor(p->b->corners, p->b->n, q, imag);
}

/* How much exp(i q.r) may be above 1: errors grow with it. */
static double exact_growth(const exact_problem *p, size_t i) {
  double q[3], imag[3], most = 0;
  size_t c;
  exact_q(p, i, q, imag);
  for (c = 0; c < 3 * p->b->n; c++) {
    const double *v = p->b->corners + 3 * c;
    most = fmax(most, -(imag[0] * v[0] + imag[1] * v[1] + imag[2] * v[2]));
  }
  return exp(most);
}

static double exact_volume(const body *b) {
  const double zero[3] = {0, 0, 0};
  return fabs(twofold_formfactor(b->corners, b->n, zero, zero).re.high);
}

static double exact_area(const body *b) {
  double sum = 0;
  size_t t;
  for (t = 0; t < b->n; t++) {
    twofold a[3];
    twofold_area(b->corners + 9 * t, a);
    sum += sqrt(a[0].high * a[0].high + a[1].high * a[1].high + a[2].high * a[2].high) / 2;
  }
  return sum;
}

/* Calls one variant with every array in guarded memory; compares with the reference and with the bits of the class. */
static void exact_one(exact_problem *p, variant *v, const gauss_way *w, uint64_t seed, double *results) {
  const body *b = p->b;
  const int type = b->type;
  const size_t size = types[type].size;
  const long live = heap.live;
  uint64_t rng = seed;
  exact_call k;
  convk copy;
  hook h = hook_new(w->e.hook, w->e.threads, random64(&rng));
  guard field[12], q[6], f;
  shell faces;
  gauss_call by;
  size_t i;
  double worst = 0;
  int d;
  memset(&k, 0, sizeof k);
  memset(&by, 0, sizeof by);
  describe("%lu triangles by %s, list of %lu, form %d, order %d%s%s%s", (unsigned long)b->n,
           p->give == GIVE_FACES ? "faces" : p->give == GIVE_ARRAYS ? "arrays" : "both", (unsigned long)p->nq, p->options.form,
           p->options.order, p->given[0] ? ", qx complex" : "", p->given[1] ? ", qy complex" : "",
           p->given[2] ? ", qz complex" : "");
  begin_case();
  if (!p->bits && !(p->size > 0)) p->size = exact_volume(b);
  faces = shell_of(p->edges ? p->edges : b, any_shift(size, &rng));
  if (p->spread) shell_spread(&faces, p->spread);
  for (d = 0; d < 12; d++) {
    field[d] = gauss_array(type, b->field[d], 1, b->n, 0, &rng);
    k.field[d] = p->give == GIVE_FACES ? NULL : field[d].data;
  }
  k.faces = p->give == GIVE_ARRAYS ? NULL : &faces;
  for (d = 0; d < 6; d++) q[d] = gauss_array(type, p->q[d], 1, p->nq, 0, &rng);
  for (d = 0; d < 3; d++) {
    k.q[d] = q[d].data;
    k.imag[d] = p->given[d] ? q[3 + d].data : NULL;
  }
  k.n = b->n;
  k.nq = p->nq;
  k.options = p->options;
  f = guard_new(2 * p->nq * size, (int)random_below(&rng, 2), any_shift(size, &rng));
  k.f = f.data;
  gauss_way_set(&by, v, w, &copy, &h);
  if (by.hw && !v->device) copy.tuning.formfactor_q = w->e.rows;
  k.hw = by.hw;
  k.name = v->device && random_below(&rng, 2) ? v->name : by.name;
  check_status(exact_calls[type](&k), live);
  if (!p->exact && !p->bits) {
    p->exact = reals(2 * p->nq + 1);
    for (i = 0; i < p->nq; i++) {
      const twofold_complex is = exact_reference(p, i);
      p->exact[2 * i] = is.re.high;
      p->exact[2 * i + 1] = is.im.high;
    }
  }
  for (i = 0; i < p->nq && !suite.bad; i++) {
    const double got[2] = {get(type, f.data, 2 * i), get(type, f.data, 2 * i + 1)}, *want = p->want[v->fused];
    if (results) {
      results[2 * i] = got[0];
      results[2 * i + 1] = got[1];
    }
    if (want && (!same(want[2 * i], got[0]) || !same(want[2 * i + 1], got[1])) && !v->device)
      fail("q %lu gives other bits: %.17g %.17g, not %.17g %.17g", (unsigned long)i, got[0], got[1], want[2 * i],
           want[2 * i + 1]);
    if (!p->bits) {
      const double *is = p->exact + 2 * i;
      const double error = hypot(got[0] - is[0], got[1] - is[1]) / (p->size * exact_growth(p, i));
      if (error > worst) worst = error;
      if (!(error <= p->limit)) {
        double at[3], imag[3];
        exact_q(p, i, at, imag);
        fail("F(%.9g %+.9g i, %.9g %+.9g i, %.9g %+.9g i) is %.17g %+.17g i, not %.17g %+.17g i: an error of %.3g", at[0],
             imag[0], at[1], imag[1], at[2], imag[2], got[0], got[1], is[0], is[1], error);
      }
    }
  }
  if (!p->bits && p->nq) error_note("of F(0)", worst, p->limit, 0, 0, 0, p->nq);
  if (v->device) handle_for(v, &copy, &plain, NULL);
  for (d = 0; d < 12; d++) gauss_array_end(&field[d], "the mesh");
  for (d = 0; d < 6; d++) gauss_array_end(&q[d], "q");
  gauss_array_end(&f, "F");
  shell_end(&faces);
  end_case();
}

/* All variants, in any or in a given way; the first of a class says what its bits are. */
static void exact_run(exact_problem *p, const gauss_way *way, uint64_t seed) {
  uint64_t rng = seed;
  size_t number = 0;
  variant *v;
  suite.operation = p->name;
  while ((v = form_next(&number, p->b->type, FORM_LIST, 150 * p->nq * (p->b->n + 1))) != NULL) {
    const gauss_way w = way ? *way : any_gauss_way(&rng);
    double *results = reals(2 * p->nq + 1);
    exact_one(p, v, &w, random64(&rng), results);
    if (!p->want[v->fused] && !v->device) p->want[v->fused] = results;
    else free(results);
  }
}

/* --------------------------------------------------------------------------------------------------------------- bodies -- */

/* A triangle whose corners run anticlockwise seen from where c is not. */
static void exact_outward(body *b, const double *u, const double *v, const double *w, const double c[3]) {
  double corner[3][3], out = 0;
  int d;
  for (d = 0; d < 3; d++) {
    const int e = (d + 1) % 3, g = (d + 2) % 3;
    out += ((v[e] - u[e]) * (w[g] - u[g]) - (v[g] - u[g]) * (w[e] - u[e])) * (u[d] - c[d]);
  }
  for (d = 0; d < 3; d++) {
    corner[0][d] = u[d];
    corner[1][d] = out > 0 ? v[d] : w[d];
    corner[2][d] = out > 0 ? w[d] : v[d];
  }
  body_triangle(b, corner);
}

/* The hull of n points of which no four lie in a plane. */
static void body_hull(body *b, size_t n, const double (*p)[3]) {
  double c[3] = {0, 0, 0};
  size_t i, j, k, l;
  int d;
  for (i = 0; i < n; i++)
    for (d = 0; d < 3; d++) c[d] += p[i][d] / (double)n;
  for (i = 0; i < n; i++)
    for (j = i + 1; j < n; j++)
      for (k = j + 1; k < n; k++) {
        int above = 0, below = 0;
        for (l = 0; l < n && !(above && below); l++) {
          double side = 0;
          if (l == i || l == j || l == k) continue;
          for (d = 0; d < 3; d++) {
            const int e = (d + 1) % 3, g = (d + 2) % 3;
            side += (p[l][d] - p[i][d]) *
                    ((p[j][e] - p[i][e]) * (p[k][g] - p[i][g]) - (p[j][g] - p[i][g]) * (p[k][e] - p[i][e]));
          }
          if (side > 0) above = 1;
          else below = 1;
        }
        if (!(above && below)) exact_outward(b, p[i], p[j], p[k], c);
      }
}

/* Points anywhere on an ellipsoid. */
static void body_polyhedron(body *b, size_t n, double far, uint64_t *rng) {
  double p[40][3], axis[3], shift[3];
  size_t i;
  int d;
  for (d = 0; d < 3; d++) {
    axis[d] = 0.75 + 0.5 * random_unit(rng);
    shift[d] = far * random_unit(rng);
  }
  for (i = 0; i < n; i++) {
    double square;
    do {
      for (d = 0, square = 0; d < 3; d++) {
        p[i][d] = random_unit(rng);
        square += p[i][d] * p[i][d];
      }
    } while (square > 1 || square < 0.01);
    for (d = 0; d < 3; d++) p[i][d] = rounded_to(b->type, p[i][d] / sqrt(square) * axis[d] + shift[d]);
  }
  body_hull(b, n, (const double(*)[3])p);
}

/* The convex body with these corners, and faces in the directions of these normals. */
static void body_solid(body *b, size_t n, const double (*p)[3], size_t faces, const double (*normal)[3]) {
  const double zero[3] = {0, 0, 0};
  size_t f, i, k;
  int d;
  for (f = 0; f < faces; f++) {
    const double *w = normal[f];
    double most = 0, u[3], length = 0, angle[40];
    size_t on[40], count = 0;
    for (i = 0; i < n; i++) most = fmax(most, w[0] * p[i][0] + w[1] * p[i][1] + w[2] * p[i][2]);
    for (i = 0; i < n; i++)
      if (w[0] * p[i][0] + w[1] * p[i][1] + w[2] * p[i][2] > most * (1 - 1e-6)) on[count++] = i;
    for (d = 0; d < 3; d++) {
      u[d] = -w[d] * most;
      length += w[d] * w[d];
    }
    for (d = 0; d < 3; d++) u[d] = p[on[0]][d] + u[d] / length; /* from the middle to the first */
    for (k = 0; k < count; k++) {
      const double *r = p[on[k]];
      double x = 0, y = 0;
      for (d = 0; d < 3; d++) {
        x += u[d] * r[d];
        y += (w[(d + 1) % 3] * u[(d + 2) % 3] - w[(d + 2) % 3] * u[(d + 1) % 3]) * r[d];
      }
      angle[k] = atan2(y / sqrt(length), x);
      for (i = k; i && angle[i] < angle[i - 1]; i--) {
        const double a = angle[i];
        const size_t o = on[i];
        angle[i] = angle[i - 1];
        on[i] = on[i - 1];
        angle[i - 1] = a;
        on[i - 1] = o;
      }
    }
    for (k = 2; k < count; k++) exact_outward(b, p[on[0]], p[on[k - 1]], p[on[k]], zero);
  }
}

static const double exact_cube[8][3] = {{1, 1, 1},   {1, 1, -1},   {1, -1, 1},   {1, -1, -1},
                                        {-1, 1, 1}, {-1, 1, -1}, {-1, -1, 1}, {-1, -1, -1}};
static const double exact_axes[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

enum { SOLID_TETRAHEDRON, SOLID_OCTAHEDRON, SOLID_BOX, SOLID_DODECAHEDRON, SOLID_PRISM, SOLIDS };
static const char *const solid_names[SOLIDS] = {"tetrahedron", "octahedron", "box", "dodecahedron", "prism"};

/* With the origin inside. */
static body body_named(int type, int which) {
  const double g = 1.6180339887498949;
  body b = body_new(type);
  double p[20][3], w[12][3];
  size_t i;
  int d;
  switch (which) {
    case SOLID_TETRAHEDRON:
      memcpy(p[0], exact_cube[0], sizeof p[0]);
      memcpy(p[1], exact_cube[3], sizeof p[0]);
      memcpy(p[2], exact_cube[5], sizeof p[0]);
      memcpy(p[3], exact_cube[6], sizeof p[0]);
      body_hull(&b, 4, (const double(*)[3])p);
      break;
    case SOLID_OCTAHEDRON: body_solid(&b, 6, exact_axes, 8, exact_cube); break;
    case SOLID_BOX:
      for (i = 0; i < 8; i++)
        for (d = 0; d < 3; d++) p[i][d] = exact_cube[i][d] * (1 - 0.25 * d);
      body_solid(&b, 8, (const double(*)[3])p, 6, exact_axes);
      break;
    case SOLID_DODECAHEDRON:
      for (i = 0; i < 12; i++) {
        const double s = i & 1 ? -1 : 1, t = i & 2 ? -1 : 1;
        const int axis = (int)(i / 4);
        p[i][axis] = w[i][axis] = 0;
        p[i][(axis + 1) % 3] = s / g;
        p[i][(axis + 2) % 3] = t * g;
        w[i][(axis + 1) % 3] = s * g;
        w[i][(axis + 2) % 3] = t;
      }
      memcpy(p[12], exact_cube[0], sizeof exact_cube);
      body_solid(&b, 20, (const double(*)[3])p, 12, (const double(*)[3])w);
      break;
    default: /* a triangle times a length */
      for (i = 0; i < 6; i++) {
        p[i][0] = i % 3 == 0 ? 1.25 : i % 3 == 1 ? -0.5 : -0.75;
        p[i][1] = i % 3 == 0 ? -0.25 : i % 3 == 1 ? 1 : -0.875;
        p[i][2] = i < 3 ? 0.625 : -0.625;
      }
      for (i = 0; i < 3; i++) {
        w[i][0] = p[(i + 1) % 3][1] - p[i][1];
        w[i][1] = p[i][0] - p[(i + 1) % 3][0];
        w[i][2] = 0;
      }
      memcpy(w[3], exact_axes[4], 2 * sizeof w[0]);
      body_solid(&b, 6, (const double(*)[3])p, 5, (const double(*)[3])w);
  }
  return b;
}

/* Each triangle becomes four, with the middles of edges as corners; coordinates of few digits keep that exact. */
static body body_split(const body *b) {
  body finer = body_new(b->type);
  size_t t;
  int i, d;
  for (t = 0; t < b->n; t++) {
    double v[6][3];
    static const int part[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
    for (i = 0; i < 3; i++)
      for (d = 0; d < 3; d++) {
        v[i][d] = b->corners[9 * t + (size_t)(3 * i + d)];
        v[3 + i][d] = (v[i][d] + b->corners[9 * t + (size_t)(3 * ((i + 1) % 3) + d)]) / 2;
      }
    for (i = 0; i < 4; i++) {
      double corner[3][3];
      int k;
      for (k = 0; k < 3; k++) memcpy(corner[k], v[part[i][k]], sizeof corner[k]);
      body_triangle(&finer, corner);
    }
  }
  return finer;
}

/* ------------------------------------------------------------------------------------------------ the reference itself -- */

static twofold_complex exact_real(double x) { return twofold_pair(twofold_of(x), twofold_of(0)); }

static twofold_complex exact_cover(twofold_complex a, twofold_complex b) {
  const twofold square = twofold_add(twofold_mul(b.re, b.re), twofold_mul(b.im, b.im));
  b.im = twofold_minus(b.im);
  a = twofold_cmul(a, b);
  return twofold_pair(twofold_over(a.re, square), twofold_over(a.im, square));
}

static twofold_complex exact_cminus(twofold_complex a) { return twofold_pair(twofold_minus(a.re), twofold_minus(a.im)); }

static twofold_complex exact_exp(twofold_complex z) {
  twofold_complex e;
  twofold_differences(1, &z, &e);
  return e;
}

/* The integral of exp(i q x) from -s to s for q that is not small: (exp(i q s) - exp(-i q s)) / (i q). */
static twofold_complex exact_edge(double q, double imag, double s) {
  const twofold_complex z = twofold_pair(twofold_product(-imag, s), twofold_product(q, s));
  return exact_cover(twofold_cadd(exact_exp(z), exact_cminus(exact_exp(exact_cminus(z)))),
                     twofold_pair(twofold_of(-imag), twofold_of(q)));
}

/* F by the edges of triangles, Stokes' theorem in each plane: another formula, for q that is not small.
     int over T of exp(i q.r) dS = sum over edges of (-i / |q'|^2) (conj(q').m) int exp(i q.r) dl,
   q' what of q lies in the plane, m the outward normal of the edge there.  With the area vector a and an edge e, conj(q').m dl
   is conj(q).(e x a) / |a|, which needs no root once it is multiplied by the face's conj(q).a / |a|. */
static twofold_complex exact_by_edges(const body *b, const double q[3], const double imag[3]) {
  twofold_complex f = exact_real(0);
  twofold square = twofold_of(0);
  size_t t;
  int d, k;
  for (d = 0; d < 3; d++) {
    square = twofold_add(square, twofold_product(q[d], q[d]));
    square = twofold_add(square, twofold_product(imag[d], imag[d]));
  }
  for (t = 0; t < b->n; t++) {
    const double *v = b->corners + 9 * t;
    twofold a[3], n = twofold_of(0), across;
    twofold_complex along = exact_real(0), sum = exact_real(0), face;
    twofold_area(v, a);
    for (d = 0; d < 3; d++) {
      n = twofold_add(n, twofold_mul(a[d], a[d]));
      along = twofold_cadd(along, twofold_pair(twofold_mul(a[d], twofold_of(q[d])), twofold_mul(a[d], twofold_of(-imag[d]))));
    }
    /* |q'|^2 = |q|^2 - |q.a|^2 / N */
    across = twofold_add(square, twofold_minus(twofold_over(
                                     twofold_add(twofold_mul(along.re, along.re), twofold_mul(along.im, along.im)), n)));
    for (k = 0; k < 3; k++) {
      const double *from = v + 3 * k, *to = v + 3 * ((k + 1) % 3);
      twofold_complex z[2], e[2], side = exact_real(0);
      for (d = 0; d < 3; d++) {
        const int g = (d + 1) % 3, h = (d + 2) % 3;
        const twofold x = twofold_add(twofold_mul(twofold_sum(to[g], -from[g]), a[h]),
                                      twofold_minus(twofold_mul(twofold_sum(to[h], -from[h]), a[g])));
        side = twofold_cadd(side, twofold_pair(twofold_mul(x, twofold_of(q[d])), twofold_mul(x, twofold_of(-imag[d]))));
      }
      z[0] = twofold_phase(q, imag, from);
      z[1] = twofold_phase(q, imag, to);
      twofold_differences(2, z, e);
      sum = twofold_cadd(sum, twofold_cmul(side, e[0]));
    }
    face = twofold_cmul(along, sum); /* times (-i)^2 / (|q|^2 |q'|^2 N) */
    n = twofold_mul(twofold_mul(n, across), square);
    f = twofold_cadd(f, twofold_pair(twofold_over(face.re, n), twofold_over(face.im, n)));
  }
  return exact_cminus(f);
}

/* exp[z0, z1, z2, z3] by its definition, for arguments that are not close. */
static twofold_complex exact_divided(const twofold_complex *z) {
  twofold_complex sum = exact_real(0);
  int i, j;
  for (i = 0; i < 4; i++) {
    twofold_complex product = exact_real(1);
    for (j = 0; j < 4; j++)
      if (j != i) product = twofold_cmul(product, twofold_cadd(z[i], exact_cminus(z[j])));
    sum = twofold_cadd(sum, exact_cover(exact_exp(z[i]), product));
  }
  return sum;
}

/* The octahedron |x| + |y| + |z| <= 1: -8 sum over a of q_a sin q_a / ((q_a^2 - q_b^2) (q_a^2 - q_c^2)). */
static twofold_complex exact_octahedron(const double q[3], const double imag[3]) {
  twofold_complex z[3], sum = exact_real(0);
  int d;
  for (d = 0; d < 3; d++) z[d] = twofold_pair(twofold_of(q[d]), twofold_of(imag[d]));
  for (d = 0; d < 3; d++) {
    const int e = (d + 1) % 3, g = (d + 2) % 3;
    const twofold_complex turned = twofold_pair(twofold_of(-imag[d]), twofold_of(q[d])), square = twofold_cmul(z[d], z[d]);
    twofold_complex sine = twofold_cadd(exact_exp(turned), exact_cminus(exact_exp(exact_cminus(turned)))); /* 2 i sin q */
    twofold_complex below;
    below = twofold_cmul(twofold_cadd(square, exact_cminus(twofold_cmul(z[e], z[e]))),
                         twofold_cadd(square, exact_cminus(twofold_cmul(z[g], z[g]))));
    sine = twofold_pair(sine.im, twofold_minus(sine.re));
    sum = twofold_cadd(sum, exact_cover(twofold_cmul(z[d], sine), below));
  }
  return twofold_cmul(sum, exact_real(-4));
}

static double exact_apart(twofold_complex a, twofold_complex b) {
  const twofold_complex d = twofold_cadd(a, exact_cminus(b));
  return hypot(d.re.high, d.im.high);
}

/* The reference has many more digits than a double: known bodies by formulas of their own, all of them by edges and by
   surfaces, and numbers that another program has computed. */
static void exact_references(int type) {
  uint64_t rng = random_seed(suite.test);
  const int turns = suite.quick ? 10 : 60;
  int which, i, d;
  (void)type;
  suite.operation = "formfactor_exact";
  suite.variant = NULL;
  for (which = 0; which < SOLIDS; which++) {
    body b = body_named(1, which);
    const double volume = exact_volume(&b);
    double worst = 0, worst_edges = 0, worst_surface = 0;
    describe("the reference of a %s", solid_names[which]);
    begin_case();
    for (i = 0; i < turns; i++) {
      const double size = pow(10, 1.75 + 1.25 * random_unit(&rng)); /* formulas cancel where q is small */
      double q[3], imag[3];
      twofold_complex f, g = exact_real(0), z[4];
      for (d = 0; d < 3; d++) {
        q[d] = size * random_unit(&rng);
        imag[d] = i % 2 ? 2 * random_unit(&rng) : 0;
      }
      f = twofold_formfactor(b.corners, b.n, q, imag);
      worst_edges = fmax(worst_edges, exact_apart(f, exact_by_edges(&b, q, imag)) / volume);
      worst_surface = fmax(worst_surface, exact_apart(f, twofold_surface(b.corners, b.n, q, imag)) / volume);
      if (which == SOLID_TETRAHEDRON) {
        for (d = 0; d < 4; d++) z[d] = twofold_phase(q, imag, exact_cube[d == 0 ? 0 : d == 1 ? 3 : d == 2 ? 5 : 6]);
        g = twofold_cmul(exact_divided(z), exact_real(16)); /* six times the volume, 8 / 3 */
      }
      if (which == SOLID_OCTAHEDRON) g = exact_octahedron(q, imag);
      if (which == SOLID_BOX) {
        g = exact_real(1);
        for (d = 0; d < 3; d++) g = twofold_cmul(g, exact_edge(q[d], imag[d], 1 - 0.25 * d));
      }
      if (which == SOLID_PRISM) { /* its base as the difference of three phases, all at z = 0 */
        double base[9], in_plane[3], in_imag[3];
        twofold area[3];
        twofold_complex e[3];
        for (d = 0; d < 3; d++) {
          in_plane[d] = d < 2 ? q[d] : 0;
          in_imag[d] = d < 2 ? imag[d] : 0;
        }
        base[0] = 1.25, base[1] = -0.25, base[3] = -0.5, base[4] = 1, base[6] = -0.75, base[7] = -0.875;
        base[2] = base[5] = base[8] = 0;
        twofold_area(base, area);
        for (d = 0; d < 3; d++) z[d] = twofold_phase(in_plane, in_imag, base + 3 * d);
        twofold_differences(3, z, e);
        g = twofold_cmul(twofold_cmul(e[0], twofold_pair(area[2], twofold_of(0))), exact_edge(q[2], imag[2], 0.625));
      }
      if (which != SOLID_DODECAHEDRON) worst = fmax(worst, exact_apart(f, g) / volume);
    }
    if (!(worst < 1e-27 && worst_edges < 1e-27 && worst_surface < 1e-27))
      fail("errors over F(0): %g of its formula, %g by edges, %g by surfaces", worst, worst_edges, worst_surface);
    end_case();
    body_free(&b);
  }
  { /* what 120 digits say of the tetrahedron */
    static const struct {
      double q[3], imag[3];
      int exponent;
      double f[4];
    } known[] = {{{3, -5, 7}, {1, 2, -3}, -35,
                  {2.6666666666666665, 1.480141512104583e-16, 1.2649025346172595e-20, 5.349112261735593e-37}},
                 {{3, -5, 7}, {1, 2, -3}, -18,
                  {2.666666666398912, 1.875099226853226e-16, 2.1730974548645023e-10, 1.0463682760604443e-26}},
                 {{3, -5, 7}, {-5, 3, 2}, -4,
                  {2.6302250983088244, -3.075876063673597e-17, 0.03540971598627011, -2.1944780797981067e-18}},
                 {{3, -5, 7}, {-1, 1, 2}, -1,
                  {0.7080803268054183, -4.8344063287556834e-17, 0.4475711817306621, -1.1348353251941857e-17}},
                 {{37, -50, 70}, {0, 0, 0}, 0,
                  {2.7364128980115092e-05, -1.4558760615177472e-21, -6.636637793808722e-05, -8.406182149364893e-22}},
                 {{301, -550, 790}, {1, -2, 1}, 0,
                  {-5.8296595327302824e-08, 1.016423502438432e-24, -6.639349403468694e-08, 5.78266211852502e-24}}};
    body b = body_named(1, SOLID_TETRAHEDRON);
    for (i = 0; i < (int)COUNT_OF(known); i++) {
      double q[3], imag[3], error;
      twofold_complex f;
      describe("the reference at q %d", i);
      begin_case();
      for (d = 0; d < 3; d++) {
        q[d] = ldexp(known[i].q[d], known[i].exponent);
        imag[d] = ldexp(known[i].imag[d], known[i].exponent);
      }
      f.re = twofold_quick(known[i].f[0], known[i].f[1]);
      f.im = twofold_quick(known[i].f[2], known[i].f[3]);
      error = exact_apart(f, twofold_formfactor(b.corners, b.n, q, imag));
      if (!(error < 1e-29)) fail("the error is %g", error);
      end_case();
    }
    body_free(&b);
  }
}

/* ------------------------------------------------------------------------------------------------------------- accuracy -- */

/* Vectors q of any direction, |q| from `least` to `most`; imaginary parts as large, up to `decay`. */
static void exact_fill(exact_problem *p, double least, double most, double decay, uint64_t *rng) {
  size_t i;
  int d;
  for (d = 0; d < 3; d++) p->given[d] = 1;
  for (i = 0; i < p->nq; i++) {
    const double size = exp(log(least) + (log(most) - log(least)) * (0.5 + 0.5 * random_unit(rng)));
    double square = 0;
    for (d = 0; d < 3; d++) {
      p->q[d][i] = random_unit(rng);
      square += p->q[d][i] * p->q[d][i];
    }
    for (d = 0; d < 3; d++) {
      p->q[d][i] = rounded_to(p->b->type, p->q[d][i] * size / sqrt(square));
      p->q[3 + d][i] = rounded_to(p->b->type, fmin(size, decay) * random_unit(rng));
    }
  }
}

/* Random convex bodies, and random complex q; real ones, and those of an absorbing film. */
static void exact_polyhedra(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const int turns = suite.quick ? 9 : 36;
  int turn;
  for (turn = 0; turn < turns; turn++) {
    body b = body_new(type);
    exact_problem p;
    body_polyhedron(&b, 6 + random_below(&rng, 27), turn % 3 == 2 ? 2 : 0.25, &rng);
    body_finish(&b);
    exact_start(&p, &b, suite.level == LEVEL_BRIEF ? 3 : suite.quick ? 8 : 50);
    exact_fill(&p, 0.5e-10, 500, turn % 3 == 2 ? 0.5 : 1.5, &rng); /* the body is about 2 wide */
    p.given[0] = turn % 4 < 2;
    p.given[1] = turn % 4 < 1 || turn % 8 == 3;
    p.given[2] = turn % 4 != 3;
    p.give = turn % GIVE_KINDS;
    if (p.give == GIVE_ARRAYS) p.limit *= 2; /* whose corners are rounded once more, each triangle's for itself */
    if (turn % 3 == 2) p.limit *= 2;         /* and where the origin is outside phases are larger */
    exact_run(&p, NULL, random64(&rng));
    exact_free(&p);
    body_free(&b);
  }
}

/* Solids, q = 0 and q along edges, along normals of faces and in their planes, where terms of the formulas vanish or come
   together, and q close to that; of any size, and complex along the same directions. */
static void exact_solids(int type) {
  static const double sizes[] = {1e-10, 1e-6, 1e-3, 0.02, 0.1, 0.3, 0.7, 1, 1.5, 2, 3, 5, 10, 40, 300};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int which, d;
  size_t s;
  for (which = 0; which < SOLIDS; which++) {
    body b = body_named(type, which), split;
    exact_problem p;
    size_t t, i = 0, step;
    body_finish(&b);
    step = !suite.quick ? 1 : b.n > 12 ? 16 : 4;
    exact_start(&p, &b, 1 + COUNT_OF(sizes) * (1 + 6 * b.n / step + 6));
    for (s = 0; s < COUNT_OF(sizes); s++)
      for (t = random_below(&rng, step); t < b.n; t += step) {
        const double *v = b.corners + 9 * t;
        double along[6][3], length;
        int k;
        twofold area[3];
        twofold_area(v, area);
        for (d = 0; d < 3; d++) {
          along[0][d] = v[3 + d] - v[d];             /* two edges */
          along[1][d] = v[6 + d] - v[3 + d];
          along[2][d] = area[d].high;                /* the normal */
          along[3][d] = along[0][d] + 0.37 * along[1][d]; /* in the plane */
          along[5][d] = v[d];                        /* to a corner */
        }
        for (d = 0; d < 3; d++) /* in the plane, across an edge: two corners have the same phase */
          along[4][d] = area[(d + 1) % 3].high * along[0][(d + 2) % 3] - area[(d + 2) % 3].high * along[0][(d + 1) % 3];
        for (k = 0; k < 6 && i + 1 < p.nq; k++, i++) {
          const double *w = along[k];
          const int imag = (int)random_below(&rng, 4);
          const double off = random_below(&rng, 2) ? pow(10, -4.5 + 4 * random_unit(&rng)) : 0; /* close to it, or just there */
          length = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
          for (d = 0; d < 3; d++) {
            p.q[d][i] = rounded_to(type, imag == 3 ? 0 : sizes[s] * (w[d] / length + off * random_unit(&rng)));
            p.q[3 + d][i] = rounded_to(type, imag == 0   ? 0
                                             : imag == 1 ? fmin(sizes[s], 1) * along[2][d] / 8
                                                         : (imag == 2 ? 1 : -1) * fmin(sizes[s], 1.5) * w[d] / length);
          }
        }
      }
    p.nq = i + 1; /* the last is 0 */
    for (d = 0; d < 6; d++) p.q[d][i] = 0;
    p.given[0] = p.given[1] = p.given[2] = 1;
    exact_run(&p, NULL, random64(&rng));
    /* the same body in finer triangles */
    split = body_split(&b);
    if (which < SOLID_DODECAHEDRON || which == SOLID_PRISM) {
      body_finish(&split);
      for (d = 0; d < 2; d++) { /* other bits, but the same F */
        free(p.want[d]);
        p.want[d] = NULL;
      }
      p.b = &split;
      exact_run(&p, NULL, random64(&rng));
      for (d = 0; d < 12; d++) free(split.field[d]);
    }
    free(split.corners);
    exact_free(&p);
    body_free(&b);
  }
}

/* |q| in fine steps across all thresholds, in bodies all of whose triangles change their method at the same time, and in some
   whose do one after another: errors stay below the limit everywhere, so that nothing jumps. */
static void exact_continuity(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int which, turn, d;
  for (which = 0; which < 3; which++)
    for (turn = 0; turn < (suite.quick ? 1 : 4); turn++) {
      body b = which ? body_named(type, which == 1 ? SOLID_TETRAHEDRON : SOLID_BOX) : body_new(type);
      const size_t n = suite.quick ? 100 : 1000;
      exact_problem p;
      double along[6];
      size_t i;
      if (!which) body_polyhedron(&b, 8, 0.25, &rng);
      body_finish(&b);
      exact_start(&p, &b, n);
      for (d = 0; d < 6; d++) along[d] = random_unit(&rng) * (d < 3 ? 1 : 0.25);
      if (turn == 1) along[1] = along[0] * 1.001; /* phases of two corners come close */
      if (turn == 2) along[0] = along[1] = 0;
      for (i = 0; i < n; i++) {
        const double size = pow(10, -4 + 5.3 * (double)i / (double)n);
        for (d = 0; d < 6; d++) p.q[d][i] = rounded_to(type, along[d] * (d < 3 ? size : fmin(size, 4)));
      }
      for (d = 0; d < 3; d++) p.given[d] = turn != 3;
      exact_run(&p, NULL, random64(&rng));
      exact_free(&p);
      body_free(&b);
    }
}

/* Thin plates, needles, and triangles without area, which join a corner to the middle of an edge or are a corner thrice.  The
   faces' terms are as large as the area, and what is left of them is the volume. */
static void exact_slivers(int type) {
  static const double sides[][3] = {{1, 1, 1e-2}, {1, 1, 1e-5}, {1e-3, 1e-3, 1}, {1, 1e-2, 1e-4}};
  const double c[3] = {0.25, -0.125, 0.0625};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t k, t;
  int d, imag;
  for (k = 0; k < COUNT_OF(sides) + 1; k++)
    for (imag = 0; imag < 2; imag++) {
      body b = k < COUNT_OF(sides) ? body_new(type) : body_named(type, SOLID_BOX);
      exact_problem p;
      if (k < COUNT_OF(sides)) {
        body_box(&b, c, sides[k], 1);
      } else { /* one triangle in two, and what closes the gap */
        double v[4][3], some[3][3];
        for (d = 0; d < 3; d++) {
          for (t = 0; t < 3; t++) v[t][d] = b.corners[3 * t + (size_t)d];
          v[3][d] = (v[0][d] + v[1][d]) / 2;
        }
        for (d = 0; d < 3; d++) {
          b.corners[3 + d] = v[3][d]; /* the first is now 0, 3, 2 */
          some[0][d] = v[3][d], some[1][d] = v[1][d], some[2][d] = v[2][d];
        }
        body_triangle(&b, some);
        for (d = 0; d < 3; d++) some[0][d] = v[0][d], some[1][d] = v[1][d], some[2][d] = v[3][d];
        body_triangle(&b, some);
        memcpy(some[1], some[0], sizeof some[0]);
        memcpy(some[2], some[0], sizeof some[0]);
        body_triangle(&b, some);
      }
      body_finish(&b);
      exact_start(&p, &b, suite.level == LEVEL_BRIEF ? 6 : suite.quick ? 16 : 200);
      exact_fill(&p, 1e-10, 500, imag ? 1.5 : 0, &rng);
      if (!imag) memset(p.given, 0, sizeof p.given);
      for (t = 0; t < p.nq; t += 3) p.q[t % 2 ? 0 : 2][t] = 0;
      p.size = exact_area(&b) / 12; /* of the cube of sides 2 that is the volume divided by its side, 2 times 1.33 */
      exact_run(&p, NULL, random64(&rng));
      exact_free(&p);
      body_free(&b);
    }
}

/* Open surfaces, by their edges and by their sums: the integral itself, without - 1. */
static void exact_open(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int turn, d;
  for (turn = 0; turn < 8; turn++) {
    body b = body_named(type, turn < 4 ? SOLID_BOX : SOLID_DODECAHEDRON);
    exact_problem p;
    size_t i;
    b.n -= turn < 4 ? 4 : 1; /* the box has lost two opposite faces: its areas add up to 0, but its edges tell */
    body_finish(&b);
    exact_start(&p, &b, 60);
    exact_fill(&p, 0.3, 300, 1, &rng);
    p.open = 1; /* the box is closed as far as sums can tell: what - 1 takes away is their 0 */
    p.give = turn % 2 ? GIVE_ARRAYS : GIVE_FACES;
    if (turn % 4 > 1) memset(p.given, 0, sizeof p.given);
    for (i = 0; i < 6; i++) p.q[i % 3][i] = 0;
    for (d = 0; d < 6; d++) p.q[d][59] = 0;
    p.size = exact_area(&b) * 2;
    exact_run(&p, NULL, random64(&rng));
    exact_free(&p);
    body_free(&b);
  }
}

/* A flat sheet of ten times the square of its longest edge, at q along that edge and across the sheet, where all triangles err
   alike: by no more than is said of an open mesh; and the default, which chooses by that. */
static void exact_sheets(int type) {
  static const int orders[] = {0, 2, 4, 8};
  enum { ROWS = 4, COLUMNS = 5, NQ = 3 };
  const double side = 0.125, edge = side * sqrt(2.0), far = sqrt(1.0 / 3); /* cos of the angle where errors are largest */
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int normal, k, i, j, d;
  for (normal = 0; normal < 3; normal++) {
    body b = body_new(type);
    convk_mesh_measures m;
    shell s;
    for (i = 0; i < 2 * ROWS * COLUMNS; i++) {
      double v[3][3];
      memset(v, 0, sizeof v);
      for (j = 0; j < 3; j++) { /* corners 0 1 2 or 0 2 3 of a square, whose diagonal is from 0 to 2 */
        const int corner = j + (j > 0 && i % 2);
        v[j][(normal + 1) % 3] = side * (i / 2 % COLUMNS + (corner == 1 || corner == 2) - COLUMNS / 2.0);
        v[j][(normal + 2) % 3] = side * (i / 2 / COLUMNS + (corner > 1) - ROWS / 2.0);
      }
      body_triangle(&b, v);
    }
    body_finish(&b);
    s = shell_of(&b, 0);
    describe("a sheet");
    begin_case();
    FORM_EXPECT(mesh_types[type].measure(&s, &m) == CONVK_OK && !m.closed);
    end_case();
    shell_end(&s);
    for (k = 0; k <= (int)COUNT_OF(orders); k++) {
      const double least = 0.018, most = k == (int)COUNT_OF(orders) ? 0.034 : k ? 0.3 : 0.06;
      exact_problem p;
      exact_start(&p, &b, NQ);
      for (i = 0; i < NQ; i++)
        for (d = 0; d < 3; d++) {
          const double size = least + (most - least) * i / (NQ - 1), along = sqrt((1 - far * far) / 2);
          p.q[d][i] = rounded_to(type, size / edge * (d == normal ? far : along));
        }
      p.open = 1;
      p.size = edge * edge * edge; /* a body as large as the longest edge */
      p.name = "formfactor_sheets";
      p.options.form = CONVK_FORM_OPEN;
      p.options.order = k < (int)COUNT_OF(orders) ? orders[k] : 0;
      if (k < (int)COUNT_OF(orders)) { /* of the largest q, where order 0 is closest to it */
        p.limit = exact_error(&m, most / edge, orders[k]);
      } else {
        p.options.form = CONVK_FORM_AUTO;
        p.limit = m.area / (6 * edge * edge) / 1024; /* a body of area edge / 6, as a cube of this edge has */
      }
      p.limit += 30 * exact_limit(type); /* of the area's sum */
      exact_run(&p, &gauss_plain, random64(&rng));
      exact_free(&p);
    }
    body_free(&b);
  }
}

/* Vertices whose numbers have their last digits in common. */
static void exact_spread(int type) {
  static const size_t factors[] = {1024, 4096, 65536, 3};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t k;
  for (k = 0; k < COUNT_OF(factors); k++) {
    body b = body_named(type, SOLID_DODECAHEDRON);
    exact_problem p;
    body_finish(&b);
    exact_start(&p, &b, 20);
    exact_fill(&p, 1e-3, 300, 1, &rng);
    p.spread = factors[k];
    p.give = k % 2 ? GIVE_BOTH : GIVE_FACES;
    if (k % 2) p.limit *= 2;
    exact_run(&p, NULL, random64(&rng));
    exact_free(&p);
    body_free(&b);
  }
}

/* A turned mesh: its faces still serve their edges, and nothing else of them may be taken. */
static void exact_turned(int type) {
  static const double turn[9] = {0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int which, d, k;
  for (which = 0; which < 2; which++) {
    body b = body_named(type, which ? SOLID_DODECAHEDRON : SOLID_PRISM), turned = body_new(type);
    exact_problem p;
    size_t t;
    for (t = 0; t < b.n; t++) {
      double v[3][3];
      for (k = 0; k < 3; k++)
        for (d = 0; d < 3; d++) {
          const double *from = b.corners + 9 * t + 3 * (size_t)k;
          v[k][d] = turn[3 * d] * from[0] + turn[3 * d + 1] * from[1] + turn[3 * d + 2] * from[2];
        }
      body_triangle(&turned, v);
    }
    body_finish(&turned);
    exact_start(&p, &turned, 60);
    exact_fill(&p, 1e-3, 300, 1, &rng);
    p.edges = &b;
    p.give = GIVE_BOTH;
    p.limit *= 2; /* whose corners are rounded once more */
    exact_run(&p, NULL, random64(&rng));
    exact_free(&p);
    body_free(&turned);
    free(b.corners);
  }
}

/* Series about centroids: what is left out falls with a power of g = |q| times the longest edge.  With corners at phases u
   about that of the centroid, the term of degree k of the mean of exp(i q.r) is 2 h_k / (k + 2)!, h_k the sum of all products of k of
   the u.  It is largest for q along a median: no more than (g / 3)^k times that of (2, -1, -1). */
static void exact_series(int type) {
  static const struct {
    int order, left; /* the first degree that is left out */
    double g[2];
  } series[] = {{2, 3, {0.5, 0.05}}, {4, 6, {1.5, 0.3}}, {8, 10, {3, 1}}, {12, 14, {4, 2}}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int k, turn, which, d;
  size_t i;
  for (k = 0; k < (int)COUNT_OF(series); k++)
    for (turn = 0; turn < 8; turn++) {
      const double g = series[k].g[turn % 2] * (type ? 1 : 1.5);
      body b = body_named(type, turn & 2 ? SOLID_OCTAHEDRON : SOLID_TETRAHEDRON);
      const double edge = turn & 2 ? sqrt(2.0) : sqrt(8.0), volume = exact_volume(&b), area = exact_area(&b);
      double sum = 0, *f[2];
      exact_problem p;
      size_t number = 0;
      variant *v;
      body_finish(&b);
      exact_start(&p, &b, 40);
      exact_fill(&p, g / edge * 0.999, g / edge, g / edge / 4, &rng);
      for (i = 0; i < p.nq; i++) { /* in all, g */
        double square = 0;
        for (d = 0; d < 6; d++) square += p.q[d][i] * p.q[d][i];
        for (d = 0; d < 6; d++) p.q[d][i] = rounded_to(type, p.q[d][i] * g / edge / sqrt(square));
      }
      for (d = 0; d < 3; d++) p.given[d] = turn > 5 && series[k].order > 2;
      p.given[2] = turn > 3;
      p.options.form = turn % 3 == 0 ? CONVK_FORM_CLOSED : CONVK_FORM_AUTO;
      p.options.order = series[k].order;
      p.name = "formfactor_series";
      p.give = turn % GIVE_KINDS;
      for (i = 0; i < 40; i++) { /* h_k (2, -1, -1) = sum of 2^a (-1)^b (b + 1), a + b = k, over 3^k */
        double h = 0, term;
        size_t a;
        for (a = 0; a <= i; a++) h += ldexp((i - a) % 2 ? -1 : 1, (int)a) * (double)(i - a + 1);
        term = 2 * fabs(h) * pow(g / 3, (double)i) / exp(lgamma((double)i + 3));
        if ((int)i >= series[k].left) sum += term;
      }
      p.limit = (sum * area * edge / g / volume) * 1.02 + 2 * exact_limit(type);
      exact_run(&p, NULL, random64(&rng));
      /* and it is no better than that, by far: it is a series */
      suite.operation = p.name;
      while ((v = form_next(&number, type, FORM_LIST, 150 * p.nq * b.n)) != NULL) {
        double worst = 0;
        if (v->device) continue; /* which have one way to go, and compile for each */
        for (which = 0; which < 2; which++) {
          exact_problem q = p;
          q.bits = 1;
          q.want[0] = q.want[1] = NULL;
          q.options.form = which ? CONVK_FORM_EXACT : p.options.form;
          q.options.order = which ? 0 : p.options.order;
          f[which] = reals(2 * p.nq);
          exact_one(&q, v, &form_plain, random64(&rng), f[which]);
        }
        for (i = 0; i < p.nq; i++)
          worst = fmax(worst, hypot(f[0][2 * i] - f[1][2 * i], f[0][2 * i + 1] - f[1][2 * i + 1]) / volume);
        describe("order %d at g = %g differs from the exact mean by %g, %g is expected", series[k].order, g, worst, p.limit);
        begin_case();
        if (worst < p.limit / 1000 - exact_limit(type)) fail("too little");
        if (series[k].order == 2) { /* another name of it */
          exact_problem q = p;
          q.bits = 1;
          q.want[0] = q.want[1] = NULL;
          q.want[v->fused] = f[0];
          q.options.order = 0;
          q.options.order = 2;
          exact_one(&q, v, &form_plain, random64(&rng), NULL);
          begin_case();
        }
        end_case();
        free(f[0]);
        free(f[1]);
      }
      exact_free(&p);
      body_free(&b);
    }
}

/* What convk_formfactor_error says is a bound, and not one that is far from the truth; it holds for complex q, too. */
static void exact_bounds(int type) {
  static const int orders[] = {0, 2, 4, 8, 12, 16};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int which, k, turn, d;
  size_t i;
  suite.variant = NULL;
  for (which = 0; which < SOLIDS; which += 1 + suite.quick) {
    body solid = body_named(type, which), b = which < SOLID_DODECAHEDRON ? body_split(&solid) : body_named(type, which);
    shell s;
    convk_mesh_measures m;
    double edge = 0, none = -1;
    body_finish(&b);
    s = shell_of(&b, 0);
    describe("bounds of a %s", solid_names[which]);
    begin_case();
    FORM_EXPECT(mesh_types[type].measure(&s, &m) == CONVK_OK);
    for (i = 0; i < 3 * b.n; i++) {
      const double *v = b.corners + 3 * i, *w = b.corners + 3 * (i % 3 == 2 ? i - 2 : i + 1);
      edge = fmax(edge, sqrt(pow(v[0] - w[0], 2) + pow(v[1] - w[1], 2) + pow(v[2] - w[2], 2)));
    }
    if (fabs(m.edge - edge) > edge * 4 * form_types[type].eps) fail("the longest edge is %.17g, not %.17g", edge, m.edge);
    FORM_REFUSED(convk_formfactor_error(form_handle(), NULL, 1, 0, &none), CONVK_ERR_NULL, "measures is NULL");
    FORM_REFUSED(convk_formfactor_error(form_handle(), &m, 1, 0, NULL), CONVK_ERR_NULL, "error is NULL");
    FORM_REFUSED(convk_formfactor_error(form_handle(), &m, 1, 3, &none), CONVK_ERR_OPTION, "order is 3");
    FORM_REFUSED(convk_formfactor_error(form_handle(), &m, 1, -1, &none), CONVK_ERR_OPTION, "order is -1");
    FORM_REFUSED(convk_formfactor_error(form_handle(), &m, 1, 14, &none), CONVK_ERR_OPTION, "order is 14");
    FORM_EXPECT(none < 0);
    end_case();
    for (k = 0; k < (int)COUNT_OF(orders); k++) {
      double nearest = 0, best = 0;
      for (turn = 0; turn < 4; turn++) {
        const double size = (turn < 2 ? 0.3 : 1 + 0.25 * k) / edge, bound = exact_error(&m, size, orders[k]);
        double *f = reals(2 * 30);
        exact_problem p;
        exact_start(&p, &b, suite.quick ? 6 : 30);
        exact_fill(&p, size * 0.9, size * 0.999, turn % 2 ? size / 2 : 0, &rng);
        for (i = 0; i < p.nq; i++) { /* |q| with its imaginary part */
          double square = 0;
          for (d = 0; d < 6; d++) square += p.q[d][i] * p.q[d][i];
          for (d = 0; d < 6; d++) p.q[d][i] = rounded_to(type, p.q[d][i] * size * 0.9999 / sqrt(square));
        }
        p.given[0] = p.given[1] = turn % 2 && orders[k] > 2; /* which such orders do not have */
        p.options.form = CONVK_FORM_CLOSED;
        p.options.order = orders[k];
        p.limit = bound + exact_limit(type);
        p.name = "formfactor_bounds";
        suite.operation = p.name;
        use_variant(&variants[0]);
        if (variants[0].open && !variants[0].device) {
          exact_one(&p, &variants[0], &form_plain, random64(&rng), f);
          best = fmax(best, bound);
          for (i = 0; i < p.nq && bound > 100 * exact_limit(type); i++)
            nearest = fmax(nearest, hypot(f[2 * i] - p.exact[2 * i], f[2 * i + 1] - p.exact[2 * i + 1]) / (bound * p.size));
        }
        suite.variant = NULL;
        free(f);
        exact_free(&p);
      }
      describe("the bound of order %d of a %s", orders[k], solid_names[which]);
      begin_case();
      if (best > 100 * exact_limit(type) && !(nearest > 0.0002)) fail("far from any error, which are %g of it", nearest);
      end_case();
    }
    shell_end(&s);
    body_free(&b);
    free(solid.corners);
  }
}

enum { OPEN_SHEET, OPEN_BUMP, OPEN_SOUP, OPEN_PILE, OPEN_KINDS };
static const char *const open_names[OPEN_KINDS] = {"a flat sheet", "a curved sheet", "triangles anywhere", "a pile of needles"};

/* Open surfaces of 2 side^2 triangles: squares in two, triangles here and there, and one thin triangle as many times. */
static body body_open(int type, int kind, size_t side, uint64_t *rng) {
  static const int square[2][3] = {{0, 1, 3}, {0, 3, 2}}; /* corners 0 1 below, 2 3 above */
  const double h = 1 / (double)side;
  body b = body_new(type);
  size_t i, half;
  int c, d;
  for (i = 0; i < side * side; i++)
    for (half = 0; half < 2; half++) {
      const double center[3] = {random_unit(rng), random_unit(rng), random_unit(rng)};
      double corner[3][3];
      for (c = 0; c < 3; c++) {
        const int at = square[half][c];
        const double x = h * (double)(i % side + (size_t)(at % 2)), y = h * (double)(i / side + (size_t)(at / 2));
        const double z = kind == OPEN_BUMP ? 0.3 * sin(3 * x) * cos(2 * y) : 0;
        const double needle[3] = {c ? 1.0 : 0.0, c == 1 ? -0.02 : c == 2 ? 0.02 : 0, 0}, point[3] = {x, y, z};
        for (d = 0; d < 3; d++)
          corner[c][d] = rounded_to(type, kind == OPEN_SOUP   ? center[d] + h * random_unit(rng)
                                          : kind == OPEN_PILE ? needle[d]
                                                              : point[d]);
      }
      body_triangle(&b, corner);
    }
  body_finish(&b);
  return b;
}

/* q for an open surface: lengths of `sizes` over the edge in each of some directions.  Of a sheet the worst ones are those near
   its normal, where triangles add up and yet none is in one phase: at an angle of sine sqrt(m / (m + 1)) for what is left of
   degree m. */
static void exact_open_fill(exact_problem *p, const double *sizes, size_t count, double edge, uint64_t *rng) {
  static const double degrees[] = {2, 6, 18};
  size_t i;
  int d;
  for (i = 0; i < p->nq; i++) {
    const double length = sizes[i % count] / edge, m = degrees[i / count % 3], sine = sqrt(m / (m + 1));
    const double turn = i / count < 3 ? 0 : 3 * random_unit(rng);
    double q[6] = {sine * cos(turn), sine * sin(turn), sqrt(1 - sine * sine), 0, 0, 0}, square = 0;
    for (d = 0; d < 3 && i / count % 2 && turn > 0; d++) q[d] = random_unit(rng);
    if (p->given[2]) q[5] = 0.5 * random_unit(rng);
    for (d = 0; d < 6; d++) square += q[d] * q[d];
    for (d = 0; d < 6; d++) p->q[d][i] = rounded_to(p->b->type, q[d] * length / sqrt(square));
  }
}

/* What the library says of F(q) of an order, and what roundings of sums of areas and of phases may add; over edge^3. */
static double exact_open_bound(const exact_problem *p, const convk_mesh_measures *m, double reach, size_t i, double *rounding) {
  double q[3], imag[3], square = 0;
  int d;
  exact_q(p, i, q, imag);
  for (d = 0; d < 3; d++) square += q[d] * q[d] + imag[d] * imag[d];
  *rounding = exact_limit(p->b->type) * m->area * (1 / sqrt(square) + reach) / p->size;
  return exact_error(m, sqrt(square), p->options.order);
}

/* Open meshes: errors over edge^3 are below the bound, however many triangles there are, and no further than a factor of 10 from it
   where all are needles at one place, which is nearly the worst. */
static void exact_open_bounds(int type) {
  static const int orders[] = {0, 2, 4, 8, 12, 16};
  static const double sizes[] = {0.1, 1, 5, 0.4, 2.5};
  static const size_t sides[] = {1, 4, 16, 70};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int kind, k;
  size_t which, i;
  if (!variants[0].open || variants[0].device) return;
  for (which = 0; which < COUNT_OF(sides) - (suite.quick ? 2 : 0); which++)
    for (kind = 0; kind < OPEN_KINDS - (sides[which] > 16); kind++) {
      const size_t few = sides[which] > 16 ? 3 : COUNT_OF(sizes), directions = sides[which] > 16 ? 1 : 6;
      body b = body_open(type, kind, sides[which], &rng);
      shell s = shell_of(&b, 0);
      convk_mesh_measures m;
      exact_problem p;
      double reach = 0;
      use_variant(&variants[0]);
      suite.operation = "formfactor_open_bounds";
      describe("%s of %lu triangles", open_names[kind], (unsigned long)b.n);
      begin_case();
      if (mesh_types[type].measure(&s, &m) || m.closed) fail("it is no open mesh");
      end_case();
      for (i = 0; i < 3 * b.n; i++) {
        const double *v = b.corners + 3 * i;
        reach = fmax(reach, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
      }
      exact_start(&p, &b, few * directions);
      p.name = suite.operation;
      p.open = 1;
      p.given[2] = kind == OPEN_BUMP;
      p.options.form = CONVK_FORM_OPEN;
      p.size = pow(m.edge, 3);
      exact_open_fill(&p, sizes, few, m.edge, &rng);
      for (k = 0; k < (int)COUNT_OF(orders); k++) {
        double *f = reals(2 * p.nq), bound, rounding, error, nearest = 0;
        p.options.order = orders[k];
        for (i = 0, p.limit = 0; i < p.nq; i++) { /* of any q: each has its own below */
          bound = exact_open_bound(&p, &m, reach, i, &rounding);
          p.limit = fmax(p.limit, bound + rounding);
        }
        exact_one(&p, &variants[0], &form_plain, random64(&rng), f);
        describe("%s of %lu triangles, order %d", open_names[kind], (unsigned long)b.n, orders[k]);
        begin_case();
        for (i = 0; i < p.nq; i++) {
          bound = exact_open_bound(&p, &m, reach, i, &rounding);
          error = hypot(f[2 * i] - p.exact[2 * i], f[2 * i + 1] - p.exact[2 * i + 1]) / (p.size * exact_growth(&p, i));
          if (!(error <= bound + rounding)) fail("q %lu: an error of %.3g, and %.3g is the bound", (unsigned long)i, error, bound);
          if (bound > 100 * rounding) nearest = fmax(nearest, error / bound);
        }
        if (kind == OPEN_PILE && nearest < 0.1 && nearest > 0) fail("far from any error, which are %g of it", nearest);
        end_case();
        free(f);
      }
      shell_end(&s);
      exact_free(&p);
      body_free(&b);
    }
}

/* The default with corners: as good as it says it is, whatever q. */
static void exact_automatic(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int turn, d;
  for (turn = 0; turn < 8; turn++) {
    body b = body_new(type);
    exact_problem p;
    if (turn % 2) body_polyhedron(&b, 20, 0.25, &rng);
    else body_sphere(&b, form_origin, 1, 4 + turn);
    body_finish(&b);
    exact_start(&p, &b, suite.quick ? 8 : 150);
    exact_fill(&p, 1e-6, 300, 1.5, &rng);
    for (d = 0; d < 3; d++) p.given[d] = (turn / 2) >> d & 1;
    p.options.form = CONVK_FORM_AUTO;
    p.name = "formfactor_auto";
    p.limit = 1.0 / 1024;
    p.give = turn % GIVE_KINDS;
    exact_run(&p, NULL, random64(&rng));
    exact_free(&p);
    body_free(&b);
  }
}

/* ----------------------------------------------------------------------------------------------------------------- bits -- */

/* Lists of any length, more triangles than any block, and parts of a list: the bits do not change, however the work is cut. */
static void exact_cuts(int type) {
  static const size_t lists[] = {0, 1, 2, 15, 16, 17, 31, 33, 61, 257, 331};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int turn, d;
  for (turn = 0; turn < 4; turn++) {
    const size_t n = lists[COUNT_OF(lists) - 1];
    body b = body_new(type);
    exact_problem p;
    size_t l, number = 0, i;
    variant *v;
    body_sphere(&b, form_origin, 1.25, turn % 2 ? 4 : 15); /* 900 triangles, some of them without area */
    body_finish(&b);
    exact_start(&p, &b, n);
    exact_fill(&p, 1e-4, 60, 1, &rng);
    p.bits = 1;
    p.give = turn % GIVE_KINDS;
    for (d = 0; d < 3; d++) p.given[d] = turn & 2 ? d < turn : 0;
    suite.operation = "formfactor_exact";
    while ((v = form_next(&number, type, FORM_LIST, 150 * n * b.n)) != NULL) {
      double *whole, *part;
      if (v->device) continue;
      whole = reals(2 * n);
      part = reals(2 * n);
      exact_one(&p, v, &form_plain, random64(&rng), whole);
      for (l = 0; l < COUNT_OF(lists); l++) {
        const gauss_way w = any_gauss_way(&rng);
        exact_problem q = p;
        size_t first;
        if (suite.quick && l % 3 != (size_t)turn % 3) continue;
        q.nq = lists[l];
        first = random_below(&rng, n - q.nq + 1);
        for (d = 0; d < 6; d++) q.q[d] += first;
        q.want[0] = q.want[1] = NULL;
        exact_one(&q, v, &w, random64(&rng), part);
        describe("part %lu of the whole", (unsigned long)first);
        begin_case();
        for (i = 0; i < 2 * q.nq; i++)
          if (!same(part[i], whole[2 * first + i])) fail("other bits at %lu", (unsigned long)(i / 2));
        end_case();
      }
      if (!p.want[v->fused]) { /* and so do the other variants of the class */
        p.want[v->fused] = whole;
      } else {
        free(whole);
      }
      free(part);
    }
    exact_free(&p);
    body_free(&b);
  }
}

/* --------------------------------------------------------------------------------------------------------------- errors -- */

/* One wrong thing at a time; nothing may be written. */
static void exact_errors(int type) {
  enum { NQ = 6, WRONG = 30 };
  const size_t size = types[type].size;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t number = 0;
  variant *v;
  suite.operation = "formfactor_exact";
  while ((v = form_next(&number, type, FORM_LIST, 1)) != NULL) {
    int how, wrong;
    for (how = 0; how < (v->device ? 2 : 3); how++)
      for (wrong = 0; wrong < WRONG; wrong++) {
        body b = body_named(type, SOLID_BOX);
        unsigned char q[6][NQ * 8], out[2 * NQ * 8 + 8], field[12][16 * 8];
        shell faces;
        exact_call k;
        size_t i, face = 0;
        int d, want = CONVK_OK, status;
        memset(&k, 0, sizeof k);
        memset(out, FILL_, sizeof out);
        body_finish(&b);
        faces = shell_of(&b, 0);
        for (d = 0; d < 12; d++)
          for (i = 0; i < b.n; i++) put(type, field[d], i, b.field[d][i]);
        for (d = 0; d < 6; d++)
          for (i = 0; i < NQ; i++) put(type, q[d], i, random_unit(&rng));
        for (d = 0; d < 3; d++) {
          k.q[d] = q[d];
          k.imag[d] = q[3 + d];
        }
        k.hw = how == 2 ? NULL : &v->hw;
        k.name = how ? v->name : NULL;
        k.faces = &faces;
        k.n = b.n;
        k.nq = NQ;
        k.f = out;
        k.options.form = CONVK_FORM_EXACT;
        describe("wrong: %d", wrong);
        switch (wrong) {
          case 0: case 1: case 2: k.q[wrong] = NULL; want = CONVK_ERR_NULL; break;
          case 3: k.f = NULL; want = CONVK_ERR_NULL; break;
          case 4: case 5: case 6:
            put(type, q[wrong - 1], NQ - 1, wrong % 2 ? NAN : -HUGE_VAL);
            want = CONVK_ERR_NONFINITE;
            break;
          case 7: case 8: case 9: k.f = q[wrong - 4]; want = CONVK_ERR_OVERLAP; break;
          case 10: k.f = q[3] + (NQ - 1) * size; want = CONVK_ERR_OVERLAP; break;
          case 11: k.f = q[4] - 2 * NQ * size + 1; want = CONVK_ERR_OVERLAP; break;
          case 12: k.options.order = -1; want = CONVK_ERR_OPTION; break;
          case 13: k.options.order = wrong + (int)number % 2 * 3; want = CONVK_ERR_OPTION; break;
          case 14: k.options.form = 4; want = CONVK_ERR_OPTION; break;
          case 15: shell_put(&faces, 3 * b.n - 1, (uint32_t)faces.vertices); want = CONVK_ERR_FACE; break;
          case 16: put(type, faces.axis[1].data, faces.vertices - 1, NAN); want = CONVK_ERR_COORDINATE; break;
          case 17: put(type, faces.axis[2].data, 0, HUGE_VAL); want = CONVK_ERR_COORDINATE; break;
          case 18: case 19: /* arrays without corners, and with only some of them */
            k.faces = NULL;
            for (d = 0; d < (wrong == 18 ? 6 : 11); d++) k.field[d] = field[d];
            want = CONVK_ERR_NULL;
            break;
          case 20: /* a face is inside out */
            k.options.form = CONVK_FORM_CLOSED;
            face = 3 * random_below(&rng, b.n);
            { const uint32_t vertex = shell_vertex(&faces, face);
              shell_put(&faces, face, shell_vertex(&faces, face + 1));
              shell_put(&faces, face + 1, vertex); }
            want = CONVK_ERR_ORIENTATION;
            break;
          case 21: k.options.form = CONVK_FORM_CLOSED; faces.faces = k.n = b.n - 1; want = CONVK_ERR_OPEN_MESH; break;
          case 22: /* a tube: its areas add up to 0 */
            k.options.form = CONVK_FORM_CLOSED;
            faces.faces = k.n = b.n - 4;
            want = CONVK_ERR_OPEN_MESH;
            break;
          case 23: k.n = b.n + 1; want = CONVK_ERR_SIZE; break;
          case 24: put(type, q[0], 0, type ? 1e17 : 1e8); want = CONVK_ERR_RANGE; break;
          case 25: put(type, q[3], 0, type ? 900 : 120); want = CONVK_ERR_RANGE; break;
          case 26: put(type, q[4], 0, type ? -1200 : -160); want = CONVK_ERR_RANGE; break;
          case 27: /* corners of arrays that are no numbers */
            k.faces = NULL;
            for (d = 0; d < 12; d++) k.field[d] = field[d];
            put(type, field[10], b.n - 1, NAN);
            want = CONVK_ERR_COORDINATE;
            break;
          case 28: /* nothing is wrong */ break;
          default: k.nq = (size_t)-1 / 4; want = CONVK_ERR_OVERFLOW; break;
        }
        begin_case();
        status = exact_calls[type](&k);
        want_status(status, want);
        if (want && !all_fill(out, out + sizeof out)) fail("something was written");
        if (!want && all_fill(out, out + 2 * size)) fail("nothing was written");
        if (!all_fill(out + 2 * NQ * size, out + sizeof out)) fail("too much was written");
        end_case();
        faces.faces = b.n;
        shell_end(&faces);
        body_free(&b);
      }
  }
}

/* A small body far out on one axis: growth along that axis is refused, the same along others is not. */
static void exact_far(int type) {
  const double far = 100, growth = -1.5 * (type ? 708 : 87) / far;
  size_t number = 0, i;
  variant *v;
  suite.operation = "formfactor_exact";
  while ((v = form_next(&number, type, FORM_LIST, 1)) != NULL) {
    int axis, along, d;
    for (axis = 0; axis < 3; axis++)
      for (along = 0; along < 3; along++) {
        body b = body_named(type, SOLID_TETRAHEDRON);
        unsigned char q[6][8], out[2 * 8];
        shell faces;
        exact_call k;
        for (i = 0; i < 3 * b.n; i++) b.corners[3 * i + (size_t)axis] += far;
        body_finish(&b);
        faces = shell_of(&b, 0);
        memset(&k, 0, sizeof k);
        memset(out, FILL_, sizeof out);
        for (d = 0; d < 3; d++) {
          put(type, q[d], 0, 0.125 * d);
          put(type, q[3 + d], 0, d == along ? growth : 0);
          k.q[d] = q[d];
          k.imag[d] = q[3 + d];
        }
        k.hw = &v->hw;
        k.faces = &faces;
        k.n = b.n;
        k.nq = 1;
        k.f = out;
        k.options.form = CONVK_FORM_EXACT;
        describe("far out on axis %d, growth along %d", axis, along);
        begin_case();
        want_status(exact_calls[type](&k), axis == along ? CONVK_ERR_RANGE : CONVK_OK);
        end_case();
        shell_end(&faces);
        body_free(&b);
      }
  }
}

/* Exponentials that may overflow at corners, and not at centroids: refused, or right; and what is far from that is not refused. */
static void exact_growths(int type) {
  enum { NQ = 1 };
  const double power = type ? 708 : 87;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t number = 0;
  variant *v;
  suite.operation = "formfactor_exact";
  while ((v = form_next(&number, type, FORM_LIST, 1)) != NULL) {
    int turn, d;
    for (turn = 0; turn < 64; turn++) {
      body b = body_named(type, SOLID_TETRAHEDRON);
      unsigned char q[6][8], out[2 * 8];
      const double *corner = b.corners + 3 * random_below(&rng, 3 * b.n);
      double most = -power * (0.05 + turn / 40.0) / 3;
      shell faces;
      exact_call k;
      int status;
      memset(&k, 0, sizeof k);
      memset(out, FILL_, sizeof out);
      body_finish(&b);
      faces = shell_of(&b, 0);
      for (d = 0; d < 3; d++) { /* one axis or all */
        put(type, q[d], 0, random_unit(&rng));
        put(type, q[3 + d], 0, turn % 4 == d ? 3 * most * corner[d] : turn % 4 == 3 ? most * corner[d] : 0);
        k.q[d] = q[d];
        k.imag[d] = q[3 + d];
      }
      k.hw = &v->hw;
      k.faces = &faces;
      k.n = b.n;
      k.nq = NQ;
      k.f = out;
      k.options.form = CONVK_FORM_EXACT;
      describe("exp(%g) at a corner", -3 * most);
      begin_case();
      status = exact_calls[type](&k);
      if (status && (status != CONVK_ERR_RANGE || -3 * most < 0.15 * power)) fail("status %d (%s)", status, convk_strerror(status));
      if (!status && -3 * most > power + 2) fail("that overflows");
      if (status && !all_fill(out, out + sizeof out)) fail("something was written");
      if (!status && !(fabs(get(type, out, 0)) + fabs(get(type, out, 1)) < HUGE_VAL)) fail("F is not finite");
      end_case();
      shell_end(&faces);
      body_free(&b);
    }
  }
}

/* A grid whose options are no products over the axes gives the bits of a list of the same q, within its pitches, and refuses imaginary
   parts of qx and qy. */
static void exact_grids(int type) {
  enum {
    N = 12,
    NX = 17,
    NY = 16,
    NZ = 17,
    PITCH_Y = NX + 2,
    PITCH_Z = PITCH_Y * NY + 5,
    ALL = NX * NY * NZ,
    SPAN = PITCH_Z * NZ
  };
  const size_t size = types[type].size;
  size_t number = 0;
  variant *v;
  suite.operation = form_names[FORM_GRID];
  while ((v = form_next(&number, type, FORM_GRID, (size_t)40 * ALL * N)) != NULL) {
    unsigned char *listed = (unsigned char *)need(4 * ALL * size), *list = (unsigned char *)need(2 * ALL * size);
    unsigned char *out = (unsigned char *)need(2 * SPAN * size);
    int what;
    for (what = 0; what < 6; what++) { /* exact and order 4, complex qz by turns; the last two are wrong */
      const convk_grid3 grid = {NX, NY, NZ, PITCH_Y, PITCH_Z};
      const size_t n[4] = {NX, NY, NZ, NZ};
      convk_formfactor_options options;
      unsigned char q[4][NX * 8], field[12][N * 8];
      body b = body_named(type, SOLID_BOX);
      form_call k;
      size_t i;
      int d;
      memset(&k, 0, sizeof k);
      memset(&options, 0, sizeof options);
      memset(out, FILL_, 2 * SPAN * size);
      body_finish(&b);
      for (d = 0; d < 12; d++) {
        k.field[d] = field[d];
        for (i = 0; i < N; i++) put(type, field[d], i, b.field[d][i]);
      }
      for (d = 0; d < 4; d++) {
        k.q[d] = d < 3 || what % 2 ? q[d] : NULL;
        for (i = 0; i < n[d]; i++) put(type, q[d], i, d == 3 ? 0.1 - 0.01 * (double)i : (double)(i * i) * 0.1 * (d + 1));
        for (i = 0; i < ALL; i++)
          memcpy(listed + ((size_t)d * ALL + i) * size,
                 q[d] + (d == 0   ? i % NX
                         : d == 1 ? i / NX % NY
                                  : i / NX / NY) *
                            size,
                 size);
      }
      k.hw = &v->hw;
      k.operation = FORM_GRID;
      k.n = N;
      k.grid = &grid;
      k.options = &options;
      k.f = out;
      options.order = what / 2 == 1 ? 4 : 0;
      if (what / 2 == 0) options.form = CONVK_FORM_EXACT;
      if (what > 3) k.q[what] = q[0]; /* x_imag or y_imag */
      describe("grid %d", what);
      begin_case();
      want_status(form_types[type].call(&k), what < 4 ? CONVK_OK : CONVK_ERR_OPTION);
      if (what < 4) {
        k.operation = FORM_LIST;
        k.nq = ALL;
        k.f = list;
        for (d = 0; d < 4; d++) k.q[d] = k.q[d] ? listed + (size_t)d * ALL * size : NULL;
        want_status(form_types[type].call(&k), CONVK_OK);
        for (i = 0; i < ALL; i++) {
          unsigned char *at = out + 2 * size * (i % NX + i / NX % NY * PITCH_Y + i / NX / NY * PITCH_Z);
          if (memcmp(at, list + 2 * size * i, 2 * size) != 0) fail("q %d differs from the list's", (int)i);
          memset(at, FILL_, 2 * size);
        }
      }
      if (!all_fill(out, out + 2 * SPAN * size)) fail("something was written beside the grid");
      end_case();
      body_free(&b);
    }
    free(listed);
    free(list);
    free(out);
  }
}

static const test formfactor_exact_tests[] = {
    {"formfactor", "exact_reference", exact_references, 0}, {"formfactor", "exact_polyhedra", exact_polyhedra, 1},
    {"formfactor", "exact_solids", exact_solids, TYPED_LONG},        {"formfactor", "exact_continuity", exact_continuity, TYPED_LONG},
    {"formfactor", "exact_slivers", exact_slivers, 1},      {"formfactor", "exact_open", exact_open, 1},
    {"formfactor", "exact_cuts", exact_cuts, 1},            {"formfactor", "exact_errors", exact_errors, 1},
    {"formfactor", "exact_turned", exact_turned, 1},        {"formfactor", "exact_series", exact_series, 1},
    {"formfactor", "exact_automatic", exact_automatic, TYPED_LONG},  {"formfactor", "exact_spread", exact_spread, 1},
    {"formfactor", "exact_bounds", exact_bounds, TYPED_LONG},        {"formfactor_grid", "exact_grids", exact_grids, 1},
    {"formfactor", "exact_growths", exact_growths, 1},      {"formfactor", "exact_open_bounds", exact_open_bounds, TYPED_LONG},
    {"formfactor", "exact_sheets", exact_sheets, 1},        {"formfactor", "exact_far", exact_far, 1},
};
TEST_LIST(formfactor_exact)
