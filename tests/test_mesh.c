/* SPDX-License-Identifier: MIT
   Tests of indexed meshes: joining, edges, form factors of faces.  Included by test_formfactor.c. */

/* ---------------------------------------------------------------------------------------------- one interface to both types -- */

/* A mesh of any type in guarded memory: faces and the room that joining them takes. */
typedef struct shell {
  int type;
  size_t vertices, faces;
  guard axis[3], face;
} shell;

#define MESH_CALLS(TYPE, T) \
  static convk_indexed_mesh_##TYPE shell_##TYPE(const shell *s) { \
    convk_indexed_mesh_##TYPE m; \
    m.vertices = s->vertices; \
    m.faces = s->faces; \
    m.x = (T *)(void *)s->axis[0].data; \
    m.y = (T *)(void *)s->axis[1].data; \
    m.z = (T *)(void *)s->axis[2].data; \
    m.face = (uint32_t *)(void *)s->face.data; \
    return m; \
  } \
  static int mesh_join_##TYPE(const void *corners, shell *s, void *work, size_t work_size) { \
    convk_indexed_mesh_##TYPE m = shell_##TYPE(s); \
    const int status = convk_mesh_join_##TYPE(form_handle(), (const T *)corners, &m, work, work_size); \
    s->vertices = m.vertices; \
    return status; \
  } \
  static int mesh_corners_##TYPE(const shell *s, void *corners) { \
    const convk_indexed_mesh_##TYPE m = shell_##TYPE(s); \
    return convk_mesh_corners_##TYPE(form_handle(), &m, (T *)corners); \
  } \
  static int mesh_check_##TYPE(const shell *s, convk_mesh_report *report, void *work, size_t work_size) { \
    const convk_indexed_mesh_##TYPE m = shell_##TYPE(s); \
    return convk_mesh_check_##TYPE(form_handle(), &m, report, work, work_size); \
  } \
  static int mesh_from_faces_##TYPE(const shell *s, size_t n, void *const field[12]) { \
    const convk_indexed_mesh_##TYPE m = shell_##TYPE(s); \
    convk_mesh_##TYPE mesh = form_mesh_##TYPE(n, field); \
    mesh.indexed = &m; \
    return convk_mesh_from_faces_##TYPE(form_handle(), &mesh); \
  } \
  static int mesh_rotate_##TYPE(const shell *s, size_t n, void *const field[12]) { \
    static const double r[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}; \
    const convk_indexed_mesh_##TYPE m = shell_##TYPE(s); \
    convk_mesh_##TYPE mesh = form_mesh_##TYPE(n, field); \
    mesh.indexed = &m; \
    return convk_mesh_rotate_##TYPE(form_handle(), &mesh, r, &mesh); \
  } \
  static int mesh_polyhedron_##TYPE(double edge, double cut) { \
    convk_indexed_mesh_##TYPE m = {0, 0, NULL, NULL, NULL, NULL}; \
    return convk_mesh_polyhedron_##TYPE(form_handle(), CONVK_MESH_CUBE, edge, cut, &m); \
  } \
  static int mesh_measure_##TYPE(const shell *s, convk_mesh_measures *measures) { \
    const convk_indexed_mesh_##TYPE m = shell_##TYPE(s); \
    void *const none[12] = {NULL}; \
    convk_mesh_##TYPE mesh = form_mesh_##TYPE(s->faces, none); \
    mesh.indexed = &m; \
    return convk_mesh_measure_##TYPE(form_handle(), &mesh, measures); \
  } \
  static int mesh_formfactor_##TYPE(convk *hw, const shell *s, size_t n, void *const field[12], int grid, size_t nq, \
                                    void *const q[3], const convk_formfactor_options *options, void *f) { \
    const convk_indexed_mesh_##TYPE m = shell_##TYPE(s); \
    const convk_grid3 g = {nq, 2, 3, 0, 0}; \
    const void *const at[6] = {q[0], q[1], q[2], NULL, NULL, NULL}; \
    const convk_q_##TYPE vectors = form_q_##TYPE(nq, at); \
    convk_mesh_##TYPE mesh = form_mesh_##TYPE(n, field); \
    mesh.indexed = &m; \
    return grid ? convk_formfactor_grid_##TYPE(hw, &mesh, &g, &vectors, options, (T *)f, NULL, 0) \
                : convk_formfactor_##TYPE(hw, &mesh, &vectors, options, (T *)f); \
  }
MESH_CALLS(f32, float)
MESH_CALLS(f64, double)

static const struct {
  int (*join)(const void *corners, shell *s, void *work, size_t work_size);
  int (*corners)(const shell *s, void *corners);
  int (*check)(const shell *s, convk_mesh_report *report, void *work, size_t work_size);
  int (*from_faces)(const shell *s, size_t n, void *const field[12]);
  int (*rotate)(const shell *s, size_t n, void *const field[12]);
  int (*measure)(const shell *s, convk_mesh_measures *measures);
  int (*polyhedron)(double edge, double cut);
  int (*formfactor)(convk *hw, const shell *s, size_t n, void *const field[12], int grid, size_t nq, void *const q[3],
                    const convk_formfactor_options *options, void *f);
} mesh_types[2] = {{mesh_join_f32, mesh_corners_f32, mesh_check_f32, mesh_from_faces_f32, mesh_rotate_f32, mesh_measure_f32,
                    mesh_polyhedron_f32, mesh_formfactor_f32},
                   {mesh_join_f64, mesh_corners_f64, mesh_check_f64, mesh_from_faces_f64, mesh_rotate_f64, mesh_measure_f64,
                    mesh_polyhedron_f64, mesh_formfactor_f64}};

/* Bytes of work; SIZE_MAX where they are refused. */
static size_t mesh_work(size_t vertices, size_t faces) {
  size_t bytes = SIZE_MAX;
  const int status = convk_mesh_work_size(form_handle(), vertices, faces, &bytes);
  form_said(form_handle(), status, faces >> 30 ? "faces is above 2^30" : "vertices or faces is too large");
  return bytes;
}

/* Room for n triangles; shift: bytes off every alignment. */
static shell shell_room(int type, size_t n, size_t shift) {
  shell s;
  int d;
  s.type = type;
  s.vertices = 0;
  s.faces = n;
  for (d = 0; d < 3; d++) s.axis[d] = guard_new(3 * n * types[type].size, d % 2 ? AT_START : AT_END, shift);
  s.face = guard_new(3 * n * sizeof(uint32_t), AT_END, shift);
  return s;
}

static void shell_end(shell *s) {
  int d;
  for (d = 0; d < 3; d++) guard_free(&s->axis[d]);
  guard_free(&s->face);
}

/* The faces of a body. */
static shell shell_of(const body *b, size_t shift) {
  const size_t size = types[b->type].size, work_size = mesh_work(0, b->n);
  guard corners = guard_new(9 * b->n * size, AT_END, shift), work = guard_new(work_size, AT_START, shift);
  shell s = shell_room(b->type, b->n, shift);
  size_t i;
  int d;
  for (i = 0; i < 9 * b->n; i++) put(b->type, corners.data, i, b->corners[i]);
  FORM_EXPECT(mesh_types[b->type].join(corners.data, &s, work.data, work_size) == CONVK_OK);
  for (i = 0; i < 9 * b->n; i++) FORM_EXPECT(same(get(b->type, corners.data, i), b->corners[i]));
  for (d = 0; d < 3; d++) /* beyond the vertices nothing is written */
    FORM_EXPECT(all_fill(s.axis[d].data + s.vertices * size, s.axis[d].data + s.axis[d].bytes));
  guard_free(&corners);
  guard_free(&work);
  return s;
}

static uint32_t shell_vertex(const shell *s, size_t corner) {
  uint32_t v;
  memcpy(&v, s->face.data + corner * sizeof v, sizeof v);
  return v;
}

static void shell_put(const shell *s, size_t corner, uint32_t v) { memcpy(s->face.data + corner * sizeof v, &v, sizeof v); }

/* ----------------------------------------------------------------------------------------------------------------- edges -- */

/* What mesh_check says, by looking at every pair of edges. */
static convk_mesh_report mesh_plain(const shell *s) {
  convk_mesh_report r;
  size_t i, k, count = 3 * s->faces;
  memset(&r, 0, sizeof r);
  r.closed = r.manifold = 1;
  for (i = 0; i < s->vertices; i++) {
    for (k = 0; k < count && shell_vertex(s, k) != i; k++) continue;
    r.unused += k == count;
  }
  for (i = 0; i < count; i++) {
    const uint32_t a = shell_vertex(s, i), b = shell_vertex(s, i % 3 < 2 ? i + 1 : i - 2);
    size_t along = 0, against = 0, before = 0;
    if (a == b) continue;
    for (k = 0; k < count; k++) {
      const uint32_t c = shell_vertex(s, k), d = shell_vertex(s, k % 3 < 2 ? k + 1 : k - 2);
      along += a == c && b == d;
      against += a == d && b == c;
      before += k < i && ((a == c && b == d) || (a == d && b == c));
    }
    if (along != against) r.closed = 0;
    if (along != 1 || against != 1) r.manifold = 0;
    if (before) continue;
    r.edges++;
    r.border += along + against == 1;
    r.turned += along + against == 2 && along != 1;
    r.crowded += along + against > 2;
  }
  return r;
}

/* The report, with work given and without, beside that of the plain way. */
static convk_mesh_report mesh_reported(const shell *s, size_t shift) {
  const size_t work_size = mesh_work(s->vertices, s->faces);
  guard work = guard_new(work_size, AT_END, shift);
  convk_mesh_report r, own, want = mesh_plain(s);
  convk_mesh_measures m;
  memset(&r, FILL_, sizeof r);
  FORM_EXPECT(mesh_types[s->type].check(s, &r, work.data, work_size) == CONVK_OK);
  FORM_EXPECT(mesh_types[s->type].check(s, &own, NULL, 0) == CONVK_OK);
  FORM_EXPECT(!memcmp(&r.edges, &own.edges, 6 * sizeof r.edges) && same(r.volume, own.volume) && same(r.area, own.area));
  FORM_EXPECT(r.edges == want.edges && r.border == want.border && r.turned == want.turned && r.crowded == want.crowded);
  FORM_EXPECT(r.unused == want.unused && r.closed == want.closed && r.manifold == want.manifold);
  FORM_EXPECT(mesh_types[s->type].measure(s, &m) == CONVK_OK && m.closed == want.closed);
  guard_free(&work);
  return r;
}

/* Bodies of which everything is known. */
static void mesh_bodies(int type) {
  const double c[3] = {3, -2, 1}, side[3] = {0.5, 1, 0.75}, turn = acos(-1.0);
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int which;
  suite.operation = "mesh";
  suite.variant = NULL;
  for (which = 0; which < 6; which++) {
    static const char *const names[] = {"a box of 12 triangles", "a box",   "a sphere",
                                        "two boxes that touch",  "nothing", "zeros"};
    const size_t size = types[type].size;
    body b = body_new(type);
    convk_mesh_report r;
    double volume = 8 * side[0] * side[1] * side[2], area = 8 * (side[0] * side[1] + side[0] * side[2] + side[1] * side[2]);
    unsigned char *back;
    shell s;
    size_t i, k;
    describe("%s", names[which]);
    begin_case();
    if (which < 2 || which == 3) body_box(&b, c, side, which == 1 ? 4 : 1);
    if (which == 2) body_sphere(&b, c, 1.5, 9), volume = 4 * turn * 1.5 * 1.5 * 1.5 / 3, area = 4 * turn * 1.5 * 1.5;
    for (i = 0; which == 2 && i < 9 * b.n; i++) b.corners[i] = rint(ldexp(b.corners[i], 16)) / 65536; /* the seam has no gap */
    for (i = k = 0; which == 2 && i < b.n; i++) { /* nor the poles triangles without area */
      const double *v = b.corners + 9 * i;
      if (!memcmp(v, v + 3, 24) || !memcmp(v, v + 6, 24) || !memcmp(v + 3, v + 6, 24)) continue;
      memmove(b.corners + 9 * k++, v, 72);
    }
    if (which == 2) b.n = k;
    if (which == 3) {
      const double d[3] = {c[0] + 2 * side[0], c[1] + 2 * side[1], c[2]};
      body_box(&b, d, side, 1);
      volume *= 2, area *= 2;
    }
    if (which == 5) {
      double v[3][3] = {{0, 0, 0}, {-0.0, 0, -0.0}, {1, 0, 0}};
      body_triangle(&b, v);
    }
    for (i = b.n; i > 1; i--) { /* in any order */
      const size_t other = random_below(&rng, i);
      double swap[9];
      memcpy(swap, b.corners + 9 * other, sizeof swap);
      memcpy(b.corners + 9 * other, b.corners + 9 * (i - 1), sizeof swap);
      memcpy(b.corners + 9 * (i - 1), swap, sizeof swap);
    }
    s = shell_of(&b, (size_t)which % 3);
    back = (unsigned char *)need(9 * b.n * size);
    FORM_EXPECT(mesh_types[type].corners(&s, back) == CONVK_OK);
    for (i = 0; i < 9 * b.n; i++)
      if (fabs(get(type, back, i) - b.corners[i]) > 0) fail("corner %lu came back as another", (unsigned long)i);
    for (i = 0; i < s.vertices; i++)
      for (k = 0; k < i; k++)
        if (get(type, s.axis[0].data, i) == get(type, s.axis[0].data, k) &&
            get(type, s.axis[1].data, i) == get(type, s.axis[1].data, k) &&
            get(type, s.axis[2].data, i) == get(type, s.axis[2].data, k))
          fail("vertices %lu and %lu are the same", (unsigned long)i, (unsigned long)k);
    r = mesh_reported(&s, (size_t)which % 2);
    if (which < 3) {
      FORM_EXPECT(r.closed && r.manifold && !r.border && !r.turned && !r.crowded && !r.unused);
      FORM_EXPECT(s.vertices + s.faces - r.degenerate == r.edges + 2);
    }
    if (which == 3) FORM_EXPECT(r.closed && !r.manifold && r.crowded == 1 && s.vertices == 14);
    if (which == 4) FORM_EXPECT(!r.edges && !s.vertices && r.closed);
    if (which == 5) FORM_EXPECT(s.vertices == 2 && r.degenerate == 1 && r.edges == 1 && r.closed);
    if (which > 3) volume = area = 0;
    if (fabs(r.volume - volume) > (which == 2 ? 0.1 : 1e-5) * fabs(volume)) fail("the volume is %.17g", r.volume);
    if (fabs(r.area - area) > (which == 2 ? 0.1 : 1e-5) * area) fail("the area is %.17g", r.area);
    free(back);
    shell_end(&s);
    body_free(&b);
    end_case();
  }
}

/* Holes, faces inside out, vertices too many: what mesh_check, AUTO and CLOSED make of them. */
static void mesh_faults(int type) {
  const double c[3] = {0.25, -0.5, 0.125}, side[3] = {0.5, 1, 0.75};
  const size_t size = types[type].size;
  int which;
  suite.operation = "mesh";
  suite.variant = NULL;
  for (which = 0; which < 5; which++) {
    static const char *const names[] = {"two faces of a box are missing", "a face inside out", "all faces inside out",
                                        "a vertex of no face", "a face twice"};
    unsigned char q[3][8], f[16], open[16];
    void *const none[12] = {NULL}, *at[3];
    convk_formfactor_options options = {CONVK_FORM_CLOSED, 0};
    body b = body_new(type);
    convk_mesh_report r;
    convk *hw = &variants[0].hw;
    shell s;
    size_t i, k;
    int d, want = which < 1   ? CONVK_ERR_OPEN_MESH
                  : which < 2 ? CONVK_ERR_ORIENTATION
                  : which < 4 ? CONVK_OK
                              : CONVK_ERR_OPEN_MESH;
    describe("%s", names[which]);
    begin_case();
    body_box(&b, c, side, 2);
    if (which == 0) b.n -= 16; /* both sides of the last axis: their areas cancel */
    if (which == 4) body_triangle(&b, (double(*)[3])(void *)(b.corners + 9 * 7));
    s = shell_of(&b, 1);
    for (i = 0; i < (which == 1 ? 3u : which == 2 ? 3 * s.faces : 0); i += 3) {
      const uint32_t first = shell_vertex(&s, i);
      shell_put(&s, i, shell_vertex(&s, i + 1));
      shell_put(&s, i + 1, first);
    }
    if (which == 3) {
      for (d = 0; d < 3; d++) put(type, s.axis[d].data, s.vertices, 7);
      s.vertices++;
    }
    r = mesh_reported(&s, 0);
    if (which == 0) FORM_EXPECT(!r.closed && r.border == 16 && !r.turned);
    if (which == 1) FORM_EXPECT(!r.closed && r.turned == 3 && !r.border);
    if (which == 2) FORM_EXPECT(r.closed && r.manifold && r.volume < 0);
    if (which == 3) FORM_EXPECT(r.closed && r.unused == 1);
    if (which == 4) FORM_EXPECT(!r.closed && r.crowded == 3);
    for (d = 0; d < 3; d++) {
      put(type, q[d], 0, 0.5 + d);
      at[d] = q[d];
    }
    memset(f, FILL_, sizeof f);
    i = (size_t)mesh_types[type].formfactor(hw, &s, s.faces, none, 0, 1, at, &options, f);
    if ((int)i != want) fail("the closed form gives %d", (int)i);
    if (want) FORM_EXPECT(all_fill(f, f + 2 * size));
    options.order = 4; /* given an order, the forms differ in nothing else */
    if (!want) {
      for (k = 0; k < 2; k++) { /* the default takes the closed form just there */
        options.form = k ? CONVK_FORM_AUTO : CONVK_FORM_CLOSED;
        FORM_EXPECT(mesh_types[type].formfactor(hw, &s, s.faces, none, 0, 1, at, &options, k ? open : f) == CONVK_OK);
      }
      FORM_EXPECT(!memcmp(f, open, 2 * size));
    } else {
      for (k = 0; k < 2; k++) {
        options.form = k ? CONVK_FORM_AUTO : CONVK_FORM_OPEN;
        FORM_EXPECT(mesh_types[type].formfactor(hw, &s, s.faces, none, 0, 1, at, &options, k ? open : f) == CONVK_OK);
      }
      FORM_EXPECT(!memcmp(f, open, 2 * size));
    }
    shell_end(&s);
    body_free(&b);
    end_case();
  }
}

/* In units in which squares of areas are too large or too small for doubles: areas, and whether meshes are closed. */
static void mesh_units(int type) {
  static const int powers[2][4] = {{-50, -20, 20, 50}, {-450, -300, 270, 480}};
  const double c[3] = {0.25, -0.5, 0.125}, side[3] = {0.5, 1, 0.75};
  const size_t size = types[type].size;
  int which, d;
  suite.operation = "mesh";
  suite.variant = NULL;
  for (which = 0; which < 8; which++) {
    const int power = powers[type][which / 2], open = which % 2;
    body b = body_new(type), large = body_new(type);
    void *field[12];
    convk_mesh_measures m, measures;
    convk_mesh_report r, report;
    shell s;
    size_t i;
    describe("lengths times 2^%d, %s", power, open ? "open" : "closed");
    begin_case();
    body_box(&b, c, side, 4);
    body_box(&large, c, side, 4);
    b.n -= (size_t)open;
    large.n -= (size_t)open;
    for (i = 0; i < 9 * b.n; i++) large.corners[i] = ldexp(b.corners[i], power);
    body_finish(&b);
    for (d = 0; d < 12; d++) field[d] = need(b.n * size);
    for (i = 0; i < 12 * b.n; i++) put(type, field[i / b.n], i % b.n, b.field[i / b.n][i % b.n]);
    FORM_EXPECT(form_types[type].measure(b.n, field, &m) == CONVK_OK && m.closed == !open);
    for (i = 0; i < 12 * b.n; i++)
      put(type, field[i / b.n], i % b.n, ldexp(b.field[i / b.n][i % b.n], i < 3 * b.n ? 2 * power : power));
    FORM_EXPECT(form_types[type].measure(b.n, field, &measures) == CONVK_OK);
    if (measures.closed != m.closed || !same(measures.area, ldexp(m.area, 2 * power)) ||
        !same(measures.edge, ldexp(m.edge, power)))
      fail("closed %d, area %g, edge %g", measures.closed, measures.area, measures.edge);
    s = shell_of(&b, 0);
    FORM_EXPECT(mesh_types[type].check(&s, &r, NULL, 0) == CONVK_OK);
    shell_end(&s);
    s = shell_of(&large, 0);
    FORM_EXPECT(mesh_types[type].check(&s, &report, NULL, 0) == CONVK_OK);
    if (report.degenerate || report.closed != r.closed || !same(report.area, ldexp(r.area, 2 * power)))
      fail("closed %d, area %g, without area %lu", report.closed, report.area, (unsigned long)report.degenerate);
    shell_end(&s);
    for (d = 0; d < 12; d++) free(field[d]);
    body_free(&b);
    body_free(&large);
    end_case();
  }
}

/* --------------------------------------------------------------------------------------------------- triangles of faces -- */

/* Arrays made of faces have the bits of those made of triangles, and so have form factors that make them as they go. */
static void mesh_triangles(int type) {
  const double c[3] = {0.25, -0.5, 0.125};
  const size_t size = types[type].size;
  enum { NQ = 19 };
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  body b = body_new(type);
  void *field[12], *copy[12], *some[12], *q[3];
  shell s;
  size_t i, number;
  int d, grid, fourth;
  variant *v;
  suite.operation = "mesh";
  suite.variant = NULL;
  describe("from faces");
  begin_case();
  body_sphere(&b, c, 1, 14); /* more than a block of a list */
  body_finish(&b);
  s = shell_of(&b, 3);
  for (d = 0; d < 12; d++) {
    field[d] = need(b.n * size);
    copy[d] = need(b.n * size);
    for (i = 0; i < b.n; i++) put(type, copy[d], i, b.field[d][i]);
  }
  FORM_EXPECT(mesh_types[type].from_faces(&s, b.n, field) == CONVK_OK);
  for (d = 0; d < 12; d++) FORM_EXPECT(!memcmp(field[d], copy[d], b.n * size));
  for (d = 0; d < 12; d++) some[d] = d < 6 ? field[d] : NULL;
  FORM_EXPECT(mesh_types[type].rotate(&s, b.n, some) == CONVK_ERR_NULL); /* corners would stay as they are */
  FORM_EXPECT(mesh_types[type].rotate(&s, b.n, copy) == CONVK_OK);
  for (d = 0; d < 3; d++) q[d] = need(NQ * size);
  for (d = 0; d < 3; d++)
    for (i = 0; i < NQ; i++) put(type, q[d], i, rounded_to(type, 9 * random_unit(&rng)));
  end_case();
  for (grid = 0; grid < 2; grid++)
    for (fourth = 0; fourth < 2; fourth++) {
      number = 0;
      suite.operation = form_names[grid];
      while ((v = form_next(&number, type, grid, 40 * NQ * b.n)) != NULL) {
        const convk_formfactor_options options = {CONVK_FORM_AUTO, 2 * fourth};
        const size_t bytes = 2 * size * NQ * (grid ? 6 : 1);
        void *const none[12] = {NULL};
        unsigned char *f = (unsigned char *)need(3 * bytes);
        describe("faces%s", fourth ? ", fourth order" : "");
        begin_case();
        FORM_EXPECT(mesh_types[type].formfactor(&v->hw, &s, b.n, field, grid, NQ, q, &options, f) == CONVK_OK);
        FORM_EXPECT(mesh_types[type].formfactor(&v->hw, &s, b.n, none, grid, NQ, q, &options, f + bytes) == CONVK_OK);
        FORM_EXPECT(mesh_types[type].formfactor(&v->hw, &s, b.n, some, grid, NQ, q, &options, f + 2 * bytes) == CONVK_OK);
        FORM_EXPECT(!memcmp(f, f + bytes, bytes) && !memcmp(f, f + 2 * bytes, bytes));
        end_case();
        free(f);
      }
      suite.variant = NULL;
    }
  for (d = 0; d < 12; d++) {
    free(field[d]);
    free(copy[d]);
  }
  for (d = 0; d < 3; d++) free(q[d]);
  shell_end(&s);
  body_free(&b);
}

/* ---------------------------------------------------------------------------------------------------------------- errors -- */

/* What the calls say of the shell as it is now. */
#define MESH_SAYS(status, says) \
  do { \
    FORM_REFUSED(mesh_types[type].check(&s, &r, NULL, 0), status, "mesh->" says); \
    FORM_REFUSED(mesh_types[type].corners(&s, corners.data), status, "mesh->" says); \
    FORM_REFUSED(mesh_types[type].from_faces(&s, b.n, field), status, "mesh->indexed->" says); \
    FORM_REFUSED(mesh_types[type].measure(&s, &m), status, "mesh->indexed->" says); \
    FORM_REFUSED(mesh_types[type].formfactor(form_handle(), &s, b.n, none, 0, 1, q, NULL, f), status, "mesh->indexed->" says); \
  } while (0)

static void mesh_errors(int type) {
  const double c[3] = {0.25, -0.5, 0.125}, side[3] = {0.5, 1, 0.75};
  const size_t size = types[type].size;
  body b = body_new(type);
  unsigned char room[12][12 * 8], one[3][8], f[16];
  void *field[12], *const none[12] = {NULL}, *q[3];
  convk_mesh_measures m;
  convk_mesh_report r;
  guard corners, work;
  shell s, other;
  size_t i, work_size;
  int d;
  suite.operation = "mesh";
  suite.variant = NULL;
  describe("errors");
  begin_case();
  body_box(&b, c, side, 1);
  s = shell_of(&b, 0);
  corners = guard_new(9 * b.n * size, AT_END, 0);
  for (d = 0; d < 12; d++) field[d] = room[d];
  for (d = 0; d < 3; d++) {
    put(type, one[d], 0, 1);
    q[d] = one[d];
  }
  memset(room, FILL_, sizeof room);
  memset(f, FILL_, sizeof f);
  memset(&r, FILL_, sizeof r);
  memset(&m, FILL_, sizeof m);
  for (i = 0; i < 36; i += 35) { /* a vertex that is not there */
    const uint32_t old = shell_vertex(&s, i);
    shell_put(&s, i, i ? (uint32_t)s.vertices : 0xffffffffu);
    MESH_SAYS(CONVK_ERR_FACE, "face[");
    shell_put(&s, i, old);
  }
  for (d = 0; d < 3; d++)
    for (i = 0; i < s.vertices; i += s.vertices - 1) {
      const double old = get(type, s.axis[d].data, i);
      put(type, s.axis[d].data, i, i ? NAN : -HUGE_VAL);
      if (d == 0) MESH_SAYS(CONVK_ERR_COORDINATE, "x[");
      else if (d == 1) MESH_SAYS(CONVK_ERR_COORDINATE, "y[");
      else MESH_SAYS(CONVK_ERR_COORDINATE, "z[");
      put(type, s.axis[d].data, i, type ? 1e160 : 1e20);
      MESH_SAYS(CONVK_ERR_RANGE, "");
      put(type, s.axis[d].data, i, old);
    }
  other = s;
  s.face.data = NULL;
  MESH_SAYS(CONVK_ERR_NULL, "face is NULL");
  s = other;
  s.axis[1].data = NULL;
  MESH_SAYS(CONVK_ERR_NULL, "y is NULL");
  s = other;
  s.faces = ((size_t)1 << 30) + 1;
  FORM_REFUSED(mesh_types[type].check(&s, &r, NULL, 0), CONVK_ERR_OVERFLOW, "mesh->faces is above 2^30");
  FORM_REFUSED(mesh_types[type].join(corners.data, &s, NULL, 0), CONVK_ERR_OVERFLOW, "mesh->faces is above 2^30");
  s = other;
  s.vertices = SIZE_MAX / 2;
  FORM_REFUSED(mesh_types[type].check(&s, &r, NULL, 0), CONVK_ERR_OVERFLOW, "mesh->vertices is too large");
  s = other;
  FORM_REFUSED(mesh_types[type].polyhedron(1, 0.7), CONVK_ERR_SIZE, "cut is not within");
  FORM_REFUSED(mesh_types[type].polyhedron(2, 1.25), CONVK_ERR_SIZE, "cut is not within");
  FORM_EXPECT(mesh_work(0, ((size_t)1 << 30) + 1) == SIZE_MAX && mesh_work((size_t)-1, 9) == SIZE_MAX);
  FORM_REFUSED(mesh_types[type].from_faces(&s, b.n - 1, field), CONVK_ERR_SIZE, "mesh->indexed->faces is 12, and mesh->n 11");
  FORM_REFUSED(mesh_types[type].formfactor(form_handle(), &s, b.n - 1, none, 0, 1, q, NULL, f), CONVK_ERR_SIZE,
               "mesh->indexed->faces is 12, and mesh->n 11");
  FORM_REFUSED(mesh_types[type].from_faces(&s, b.n, none), CONVK_ERR_NULL, "mesh->ax is NULL");
  field[4] = s.axis[2].data;
  FORM_REFUSED(mesh_types[type].from_faces(&s, b.n, field), CONVK_ERR_OVERLAP, "mesh->y overlaps mesh->indexed->z");
  field[4] = s.face.data;
  FORM_REFUSED(mesh_types[type].from_faces(&s, b.n, field), CONVK_ERR_OVERLAP, "mesh->y overlaps mesh->indexed->face");
  field[4] = room[3];
  FORM_REFUSED(mesh_types[type].from_faces(&s, b.n, field), CONVK_ERR_OVERLAP, "mesh->x overlaps mesh->y");
  field[4] = room[4];
  FORM_REFUSED(mesh_types[type].formfactor(form_handle(), &s, b.n, none, 0, 1, q, NULL, s.axis[0].data), CONVK_ERR_OVERLAP,
               "f overlaps mesh->indexed->x");
  FORM_REFUSED(mesh_types[type].formfactor(form_handle(), &s, b.n, none, 0, 1, q, NULL, s.face.data), CONVK_ERR_OVERLAP,
               "f overlaps mesh->indexed->face");
  FORM_REFUSED(mesh_types[type].corners(&s, NULL), CONVK_ERR_NULL, "corners is NULL");
  FORM_REFUSED(mesh_types[type].corners(&s, s.axis[1].data), CONVK_ERR_OVERLAP, "corners overlaps mesh->y");
  FORM_REFUSED(mesh_types[type].check(&s, NULL, NULL, 0), CONVK_ERR_NULL, "report is NULL");
  work_size = mesh_work(s.vertices, s.faces);
  work = guard_new(work_size, AT_END, 0);
  FORM_REFUSED(mesh_types[type].check(&s, &r, work.data, work_size - 1), CONVK_ERR_WORK, "work_size is ");
  FORM_REFUSED(mesh_types[type].check(&s, &r, s.axis[0].data, work_size), CONVK_ERR_OVERLAP, "work overlaps mesh->x");
  work_size = mesh_work(0, s.faces);
  FORM_EXPECT(mesh_types[type].join(corners.data, &s, work.data, work_size - 1) != CONVK_OK);
  memset(corners.data, 0, corners.bytes);
  FORM_REFUSED(mesh_types[type].join(corners.data, &s, work.data, work_size - 1), CONVK_ERR_WORK, "work_size is ");
  FORM_REFUSED(mesh_types[type].join(corners.data, &s, corners.data, work_size), CONVK_ERR_OVERLAP, "corners overlaps work");
  FORM_REFUSED(mesh_types[type].join(s.axis[0].data, &s, work.data, work_size), CONVK_ERR_OVERLAP, "corners overlaps mesh->x");
  FORM_REFUSED(mesh_types[type].join(s.axis[1].data, &s, work.data, work_size), CONVK_ERR_OVERLAP, "corners overlaps mesh->y");
  FORM_REFUSED(mesh_types[type].join(s.axis[2].data, &s, work.data, work_size), CONVK_ERR_OVERLAP, "corners overlaps mesh->z");
  FORM_REFUSED(mesh_types[type].join(s.face.data, &s, work.data, work_size), CONVK_ERR_OVERLAP, "corners overlaps mesh->face");
  FORM_REFUSED(mesh_types[type].join(s.axis[0].data - (9 * s.faces - 1) * size, &s, work.data, work_size), CONVK_ERR_OVERLAP,
               "corners overlaps mesh->x"); /* by one element */
  FORM_REFUSED(mesh_types[type].join(corners.data, &s, corners.data - 63, 64), CONVK_ERR_OVERLAP, "corners overlaps work");
  FORM_REFUSED(mesh_types[type].join(NULL, &s, NULL, 0), CONVK_ERR_NULL, "corners is NULL");
  for (i = 0; i < 9 * b.n; i += 9 * b.n - 1) {
    put(type, corners.data, i, i ? NAN : HUGE_VAL);
    FORM_REFUSED(mesh_types[type].join(corners.data, &s, NULL, 0), CONVK_ERR_COORDINATE, "corners[");
    put(type, corners.data, i, type ? -1e160 : -1e20);
    FORM_REFUSED(mesh_types[type].join(corners.data, &s, NULL, 0), CONVK_ERR_RANGE, "corners[");
    put(type, corners.data, i, 0);
  }
  FORM_EXPECT(all_fill(room[0], room[0] + sizeof room) && all_fill(f, f + sizeof f));
  FORM_EXPECT(all_fill((unsigned char *)&r, (unsigned char *)(&r + 1)) &&
              all_fill((unsigned char *)&m, (unsigned char *)(&m + 1)));
  for (i = 0; i < 9 * b.n; i++) put(type, corners.data, i, b.corners[i]);
  other = shell_of(&b, 0);
  FORM_EXPECT(s.vertices == other.vertices && !memcmp(s.face.data, other.face.data, s.face.bytes)); /* nothing was touched */
  for (d = 0; d < 3; d++) FORM_EXPECT(!memcmp(s.axis[d].data, other.axis[d].data, s.axis[d].bytes));
  shell_end(&other);
  shell_end(&s);
  guard_free(&corners);
  guard_free(&work);
  body_free(&b);
  end_case();
}

static const test mesh_tests[] = {
    {"mesh", "bodies", mesh_bodies, 1},       {"mesh", "units", mesh_units, 1},         {"mesh", "faults", mesh_faults, 1},
    {"mesh", "triangles", mesh_triangles, 1}, {"mesh", "faces_errors", mesh_errors, 1},
};
TEST_LIST(mesh)
