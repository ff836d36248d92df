/* Ready meshes and directions of the library: closed, outward, as large as geometry says; averages as harmonics say. And the shapes
 * of the examples, which are made of them: names that are none are refused. */
#define CONVK_WITH_FORMFACTOR
#include "convk.h"

#define SHAPE_MAX_TRIANGLES ((size_t)1 << 16)
#include "../examples/shapes.h"

static unsigned long passed, failed;

static void expect(int good, const char *name, const char *what) {
  if (good) {
    passed++;
  } else {
    failed++;
    printf("FAILED: %s: %s\n", name, what);
  }
}

static int near(double x, double y) { return fabs(x - y) <= 1e-13 * fabs(y); }

static const struct {
  const char *name;
  size_t vertices, faces;
  double volume, area, height; /* 0: not to be compared */
} known[] = {
    {"box:12x18x24", 8, 12, 5184, 1872, 24},
    {"box:1e-11x1e11x.5", 8, 12, 0.5, 0, 0.5},
    {"prism:3x6x10", 6, 8, 155.88457268119894, 211.17691453623977, 10}, /* 9 sqrt(3) 10, and so on */
    {"prism:4x3x2", 8, 12, 18, 42, 2},
    {"prism:6x2x7", 12, 20, 72.74613391789284, 104.78460969082653, 7},
    {"pyramid:10x12", 5, 6, 400, 360, 12},
    {"pyramid:10x12x5", 8, 12, 700, 492.72952016393790, 12}, /* 4 trapezia of height sqrt(12^2 + 2.5^2), 125 of base and top */
    {"pyramid:10x12x10", 8, 12, 1200, 680, 12},
    {"tetrahedron:6", 4, 4, 25.455844122715710, 62.353829072479584, 4.8989794855663562},
    {"octahedron:6", 6, 8, 101.82337649086284, 124.70765814495917, 8.4852813742385703},
    {"octahedron:6x2", 24, 44, 90.509667991878089, 107.13843876330611, 5.6568542494923806}, /* truncated: 8 sqrt(2) 2^3 */
    {"octahedron:6x3", 12, 20, 63.639610306789277, 85.176914536239792, 4.2426406871192848}, /* cuboctahedron of edge 3 */
    {"cylinder:5x16x50", 6, 8, 519.61524227066325, 0, 16},
    {"cylinder:5x16x5", 12, 20, 1039.2304845413265, 0, 16},
    {"sphere:10x30", 12, 20, 2536.1507101204099, 957.45413832739450, 17.013016167040798},
    {"sphere:10", 642, 1280, 0, 0, 0},
    {"cylinder:5x16", 76, 148, 0, 0, 16},
};

static void test_known(void) {
  size_t k, i, turn;
  for (k = 0; k < sizeof known / sizeof known[0]; k++) {
    const char *name = known[k].name;
    char message[200];
    shape s;
    convk_indexed_mesh_f64 m;
    convk_mesh_report r;
    int good = !shape_parse(&s, name, message, sizeof message);
    expect(good, name, "is a name");
    for (turn = 0; good && turn < 2; turn++) {
      const double longest = turn ? s.number[0] / 3.5 : 0;
      double least = 0, most = 0, edge = 0;
      if (turn && k == 1) {
        continue; /* so long that it takes too many triangles */
      }
      if (shape_mesh(&s, longest, &m, message, sizeof message) || convk_mesh_check_f64(NULL, &m, &r, NULL, 0)) {
        expect(0, name, message);
        continue;
      }
      expect(r.closed && r.manifold && !r.degenerate && !r.unused, name, "a closed surface");
      for (i = 0; i < m.vertices; i++) {
        least = fmin(least, m.z[i]);
        most = fmax(most, m.z[i]);
      }
      for (i = 0; i < 3 * m.faces; i++) {
        const size_t a = m.face[i], b = m.face[i % 3 == 2 ? i - 2 : i + 1];
        edge = fmax(edge, sqrt(pow(m.x[a] - m.x[b], 2) + pow(m.y[a] - m.y[b], 2) + pow(m.z[a] - m.z[b], 2)));
      }
      expect(turn || (m.vertices == known[k].vertices && m.faces == known[k].faces), name, "vertices and triangles");
      expect(!turn || edge <= longest, name, "edges");
      expect(r.volume > 0 && (!(known[k].volume > 0) || near(r.volume, known[k].volume)), name, "volume");
      expect(!(known[k].area > 0) || near(r.area, known[k].area), name, "area");
      expect(!(known[k].height > 0) || s.kind == SHAPE_SPHERE || (near(most - least, known[k].height) && near(most, -least)),
             name, "height");
      if (s.kind == SHAPE_SPHERE || s.kind == SHAPE_CYLINDER) { /* not of a cone */
        for (i = 0; i < m.vertices && !turn; i++) {
          const double z = s.kind == SHAPE_SPHERE ? m.z[i] : 0;
          expect(near(sqrt(m.x[i] * m.x[i] + m.y[i] * m.y[i] + z * z), s.number[0]), name, "corners on the surface");
        }
        expect(turn || edge <= s.number[1 + (s.kind == SHAPE_CYLINDER)] || s.kind == SHAPE_CYLINDER, name, "facets");
      }
      shape_free(&m);
    }
  }
}

static void test_names(void) {
  static const char *const bad[] = {"",
                                    ":",
                                    "ball:1",
                                    "boxes:1x1x1",
                                    "bo:1x1x1",
                                    "box",
                                    "box:",
                                    "box:1x2",
                                    "box:1x2x3x4",
                                    "box:1xx2",
                                    "box:1x2x3x",
                                    "box:0x1x2",
                                    "box:-1x1x1",
                                    "box:1x2xnan",
                                    "box:1x2x1e13",
                                    "box:0x10x5",
                                    "Box:1x1x1",
                                    "prism:2.5x1x1",
                                    "prism:2x1x1",
                                    "prism:10001x1x1",
                                    "pyramid:1x1x2",
                                    "octahedron:3x2",
                                    "sphere:1e-13",
                                    "sphere:1,5",
                                    "cylinder:5",
                                    "sphere:12345678901234567890123456789012345"};
  size_t k;
  for (k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    char message[200] = "";
    shape s;
    expect(shape_parse(&s, bad[k], message, sizeof message) && message[0], bad[k], "is refused with a reason");
    expect(shape_parse(&s, bad[k], NULL, 0) != 0, bad[k], "is refused without a reason");
  }
}

static void test_too_many(void) {
  static const char *const fine[] = {"sphere:1x1e-9", "cylinder:1x1x1e-11"};
  size_t k;
  for (k = 0; k < 2; k++) {
    char message[200] = "";
    shape s;
    convk_indexed_mesh_f64 m;
    expect(!shape_parse(&s, fine[k], NULL, 0) && shape_mesh(&s, 0, &m, message, sizeof message) && message[0] && !m.x &&
               !m.face,
           fine[k], "is too fine");
  }
}

/* ---- ready meshes of the library ---- */

enum { BOX, PYRAMID, PRISM, CYLINDER, SPHERE, ELLIPSOID, POLYHEDRON };

typedef struct solid {
  const char *name;
  int what;
  size_t n; /* or which polyhedron */
  double a, b, c, d;
  size_t vertices, faces;
  double volume, area; /* 0: not to be compared */
} solid;

/* A handle for messages. */
static convk *said(void) {
  static convk hw;
  if (!hw.size && convk_open(&hw, "scalar")) {
    exit(2);
  }
  return &hw;
}

#define SOLID_CALL(TYPE) \
  static int call_##TYPE(const solid *s, convk_indexed_mesh_##TYPE *m) { \
    switch (s->what) { \
      case BOX: return convk_mesh_box_##TYPE(said(), s->a, s->b, s->c, m); \
      case PYRAMID: return convk_mesh_pyramid_##TYPE(said(), s->a, s->b, s->c, s->d, m); \
      case PRISM: return convk_mesh_prism_##TYPE(said(), s->n, s->a, s->b, m); \
      case CYLINDER: return convk_mesh_cylinder_##TYPE(said(), s->a, s->b, s->c, s->n, m); \
      case SPHERE: return convk_mesh_sphere_##TYPE(said(), s->a, s->n, m); \
      case ELLIPSOID: return convk_mesh_ellipsoid_##TYPE(said(), s->a, s->b, s->c, s->n, m); \
      default: return convk_mesh_polyhedron_##TYPE(said(), (int)s->n - 1, s->a, s->b, m); \
    } \
  }
SOLID_CALL(f32)
SOLID_CALL(f64)

/* Volumes and areas by textbooks: of polyhedra with edge a, of what is left of them with all edges 1. */
static const solid solids[] = {
    {"box", BOX, 0, 12, 18, 24, 0, 8, 12, 5184, 1872},
    {"flat box", BOX, 0, 1e-11, 1e11, 0.5, 0, 8, 12, 0.5, 0},
    {"pyramid", PYRAMID, 0, 10, 10, 12, 0, 5, 6, 400, 360},
    {"pyramid on a rectangle", PYRAMID, 0, 6, 8, 12, 0, 5, 6, 192, 222.84919885886495}, /* 48 + 6 sqrt(160) + 8 sqrt(153) */
    {"frustum", PYRAMID, 0, 10, 10, 12, 0.5, 8, 12, 700, 492.7295201639379},
    {"prism of 3", PRISM, 3, 6, 10, 0, 0, 6, 8, 155.88457268119894, 211.17691453623977},
    {"prism of 6", PRISM, 6, 2, 7, 0, 0, 12, 20, 72.74613391789284, 104.78460969082653},
    {"cylinder", CYLINDER, 3, 5, 16, 5, 0, 6, 8, 519.61524227066325, 0},
    {"cone", CYLINDER, 4, 5, 6, 0, 0, 5, 6, 100, 148.48857801796106}, /* 50 + 10 sqrt(2) sqrt(36 + 12.5) */
    {"cup", CYLINDER, 6, 1, 3, 2, 0, 12, 20, 18.186533479473214, 0},  /* 3 sqrt(3) / 2 (1 + 2 + 4) */
    {"tetrahedron", POLYHEDRON, 1, 1, 0, 0, 0, 4, 4, 0.11785113019775793, 1.7320508075688772},
    {"cube", POLYHEDRON, 2, 3, 0, 0, 0, 8, 12, 27, 54},
    {"octahedron", POLYHEDRON, 3, 1, 0, 0, 0, 6, 8, 0.47140452079103168, 3.4641016151377544},
    {"dodecahedron", POLYHEDRON, 4, 1, 0, 0, 0, 20, 36, 7.6631189606246319, 20.645728807067603},
    {"icosahedron", POLYHEDRON, 5, 1, 0, 0, 0, 12, 20, 2.1816949906249124, 8.6602540378443865},
    {"truncated tetrahedron", POLYHEDRON, 1, 3, 1, 0, 0, 12, 20, 2.7105759945484324, 12.124355652982141},
    {"octahedron of that", POLYHEDRON, 1, 2, 1, 0, 0, 6, 8, 0.94280904158206336 / 2, 3.4641016151377544},
    {"truncated cube", POLYHEDRON, 2, 2.4142135623730951, 0.70710678118654752, 0, 0, 24, 44, 13.599663291074443,
     32.4346643636149},
    {"cuboctahedron", POLYHEDRON, 2, 1.4142135623730951, 0.70710678118654757, 0, 0, 12, 20, 2.3570226039551585,
     9.4641016151377546},
    {"cuboctahedron of the other", POLYHEDRON, 3, 2, 1, 0, 0, 12, 20, 2.3570226039551585, 9.4641016151377546},
    {"truncated octahedron", POLYHEDRON, 3, 3, 1, 0, 0, 24, 44, 11.313708498984761, 26.784609690826528},
    {"truncated dodecahedron", POLYHEDRON, 4, 2.2360679774997898, 0.61803398874989485, 0, 0, 60, 116, 85.039664559371010,
     100.990760153102},
    {"icosidodecahedron", POLYHEDRON, 5, 2, 1, 0, 0, 30, 56, 13.835525936249404, 29.305982844911895},
    {"truncated icosahedron", POLYHEDRON, 5, 3, 1, 0, 0, 60, 116, 55.287730758122739, 72.60725303413392},
    {"sphere of 1", SPHERE, 1, 10, 0, 0, 0, 12, 20, 2536.1507101204099, 957.4541383273945},
    {"sphere of 2", SPHERE, 2, 1, 0, 0, 0, 42, 80, 0, 0},
    {"sphere of 7", SPHERE, 7, 3, 0, 0, 0, 492, 980, 0, 0},
    {"ellipsoid", ELLIPSOID, 1, 10, 20, 5, 0, 12, 20, 2536.1507101204099, 0},
    {"ellipsoid of 3", ELLIPSOID, 3, 1, 3, 0.25, 0, 92, 180, 0, 0},
};

/* Room for just as much as there is to be. */
static int room_f64(const solid *s, convk_indexed_mesh_f64 *m) {
  const int status = call_f64(s, m);
  if (status) {
    return status;
  }
  m->x = (double *)malloc(m->vertices * sizeof *m->x);
  m->y = (double *)malloc(m->vertices * sizeof *m->y);
  m->z = (double *)malloc(m->vertices * sizeof *m->z);
  m->face = (uint32_t *)malloc(3 * m->faces * sizeof *m->face);
  return CONVK_OK;
}
static void free_f64(convk_indexed_mesh_f64 *m) {
  free(m->x);
  free(m->y);
  free(m->z);
  free(m->face);
}

/* The f32 mesh is that of doubles, rounded. */
static int rounded(const solid *s, const convk_indexed_mesh_f64 *m) {
  convk_indexed_mesh_f32 r = {0, 0, NULL, NULL, NULL, NULL};
  size_t i;
  int good = !call_f32(s, &r) && r.vertices == m->vertices && r.faces == m->faces;
  r.x = (float *)malloc(3 * r.vertices * sizeof *r.x);
  r.y = r.x + r.vertices;
  r.z = r.y + r.vertices;
  r.face = (uint32_t *)malloc(3 * r.faces * sizeof *r.face);
  good = good && !call_f32(s, &r) && memcmp(r.face, m->face, 3 * r.faces * sizeof *r.face) == 0;
  for (i = 0; i < r.vertices && good; i++) {
    const float x = (float)m->x[i], y = (float)m->y[i], z = (float)m->z[i];
    good = !(x < r.x[i] || x > r.x[i] || y < r.y[i] || y > r.y[i] || z < r.z[i] || z > r.z[i]);
  }
  free(r.x);
  free(r.face);
  return good;
}

static void test_solids(void) {
  size_t k, i;
  int d;
  for (k = 0; k < sizeof solids / sizeof solids[0]; k++) {
    const solid *s = &solids[k];
    convk_indexed_mesh_f64 m = {0, 0, NULL, NULL, NULL, NULL};
    convk_mesh_report r;
    double middle[3] = {0, 0, 0}, edge = 0, shortest = HUGE_VAL;
    expect(!room_f64(s, &m), s->name, "a size");
    expect(m.vertices == s->vertices && m.faces == s->faces, s->name, "vertices and faces");
    expect(!call_f64(s, &m) && m.vertices == s->vertices && m.faces == s->faces, s->name, "a mesh");
    expect(!convk_mesh_check_f64(NULL, &m, &r, NULL, 0) && r.closed && r.manifold && !r.degenerate && !r.unused, s->name,
           "a closed surface");
    expect(r.edges + 2 == m.vertices + m.faces, s->name, "Euler's formula");
    expect(r.volume > 0 && (!(s->volume > 0) || near(r.volume, s->volume)), s->name, "volume");
    expect(!(s->area > 0) || near(r.area, s->area), s->name, "area");
    expect(rounded(s, &m), s->name, "the same in f32");
    for (i = 0; i < 3 * m.faces; i++) {
      const size_t a = m.face[i], b = m.face[i % 3 == 2 ? i - 2 : i + 1];
      const double length = sqrt(pow(m.x[a] - m.x[b], 2) + pow(m.y[a] - m.y[b], 2) + pow(m.z[a] - m.z[b], 2));
      edge = fmax(edge, length);
      shortest = fmin(shortest, length);
    }
    for (i = 0; i < m.vertices; i++) {
      const double v[3] = {m.x[i], m.y[i], m.z[i]},
                   radius[3] = {s->a, s->what == SPHERE ? s->a : s->b, s->what == SPHERE ? s->a : s->c};
      double square = 0;
      for (d = 0; d < 3; d++) {
        middle[d] += v[d] / s->a;
        square += v[d] / radius[d] * (v[d] / radius[d]);
      }
      if (s->what == SPHERE || s->what == ELLIPSOID) {
        expect(fabs(square - 1) < 1e-15, s->name, "vertices on the surface");
      }
    }
    for (d = 0; d < (s->what == PYRAMID || s->what == CYLINDER ? 2 : 3); d++) {
      expect(fabs(middle[d]) < 1e-12 * (double)m.vertices, s->name, "about the origin");
    }
    if (s->what == SPHERE) {
      const double missing = 1 - r.volume / (4 * SHAPE_PI_ / 3 * pow(s->a, 3)), n = (double)s->n;
      expect(edge <= 1.31 * s->a / n && shortest >= 1.05 * s->a / n, s->name, "the longest edge and the shortest");
      expect(n < 2 || (missing > 0.5 / (n * n) && missing < 0.551 / (n * n)), s->name, "what is missing of the volume");
    }
    free_f64(&m);
  }
}

/* What is refused writes nothing, neither arrays nor their sizes. */
static void test_refused(void) {
  static const struct {
    solid s;
    int status;
    const char *says;
  } bad[] = {
      {{"no length", BOX, 0, 0, 1, 1, 0, 0, 0, 0, 0}, CONVK_ERR_SIZE, "a is not positive"},
      {{"a negative length", BOX, 0, 1, 1, -1, 0, 0, 0, 0, 0}, CONVK_ERR_SIZE, "c is not positive"},
      {{"not a number", BOX, 0, 1, NAN, 1, 0, 0, 0, 0, 0}, CONVK_ERR_NONFINITE, "b is not finite"},
      {{"infinite", BOX, 0, 1, 1, HUGE_VAL, 0, 0, 0, 0, 0}, CONVK_ERR_NONFINITE, "c is not finite"},
      {{"too long", BOX, 0, 1, 1e154, 1, 0, 0, 0, 0, 0}, CONVK_ERR_RANGE, "b is too large"},
      {{"a wide top", PYRAMID, 0, 1, 1, 1, 1.5, 0, 0, 0, 0}, CONVK_ERR_SIZE, "top is above 1"},
      {{"a negative top", PYRAMID, 0, 1, 1, 1, -0.5, 0, 0, 0, 0}, CONVK_ERR_SIZE, "top is not positive"},
      {{"no top", PYRAMID, 0, 1, 1, 1, NAN, 0, 0, 0, 0}, CONVK_ERR_NONFINITE, "top is not finite"},
      {{"a prism of two", PRISM, 2, 1, 1, 0, 0, 0, 0, 0, 0}, CONVK_ERR_SIZE, "n is 2, less than 3"},
      {{"a prism of too many", PRISM, ((size_t)1 << 28) + 1, 1, 1, 0, 0, 0, 0, 0, 0}, CONVK_ERR_OVERFLOW, "n is too large"},
      {{"a prism that is too large", PRISM, 1000000, 1e149, 1, 0, 0, 0, 0, 0, 0}, CONVK_ERR_RANGE, "edge is too large"},
      {{"a cylinder of two", CYLINDER, 2, 1, 1, 1, 0, 0, 0, 0, 0}, CONVK_ERR_SIZE, "n is 2, less than 3"},
      {{"a cylinder with a negative top", CYLINDER, 9, 1, 1, -1, 0, 0, 0, 0, 0}, CONVK_ERR_SIZE, "top is not positive"},
      {{"a sphere of none", SPHERE, 0, 1, 0, 0, 0, 0, 0, 0, 0}, CONVK_ERR_SIZE, "n is 0"},
      {{"a sphere of too many", SPHERE, 7328, 1, 0, 0, 0, 0, 0, 0, 0}, CONVK_ERR_OVERFLOW, "n is 7328"},
      {{"a flat ellipsoid", ELLIPSOID, 3, 1, 1, 0, 0, 0, 0, 0, 0}, CONVK_ERR_SIZE, "rz is not positive"},
      {{"no polyhedron", POLYHEDRON, 0, 1, 0, 0, 0, 0, 0, 0, 0}, CONVK_ERR_OPTION, "kind is -1"},
      {{"a sixth polyhedron", POLYHEDRON, 6, 1, 0, 0, 0, 0, 0, 0, 0}, CONVK_ERR_OPTION, "kind is 5"},
      {{"a cut too deep", POLYHEDRON, 3, 1, 0.51, 0, 0, 0, 0, 0, 0}, CONVK_ERR_SIZE, "cut is not within"},
      {{"a negative cut", POLYHEDRON, 3, 1, -0.1, 0, 0, 0, 0, 0, 0}, CONVK_ERR_SIZE, "cut is not positive"},
  };
  static const char *const arrays[8] = {"mesh->x is NULL",
                                        "mesh->y is NULL",
                                        "mesh->z is NULL",
                                        "mesh->face is NULL",
                                        "mesh->vertices is 11, and 12 are needed",
                                        "mesh->faces is 19, and 20 are needed",
                                        "mesh->x overlaps mesh->y",
                                        "mesh->z overlaps mesh->face"};
  const solid fine = {"an icosahedron", POLYHEDRON, 5, 1, 0, 0, 0, 0, 0, 0, 0};
  size_t k;
  for (k = 0; k < sizeof bad / sizeof bad[0] + 8; k++) {
    const int call = k < sizeof bad / sizeof bad[0] ? -1 : (int)(k - sizeof bad / sizeof bad[0]);
    double x[3 * 4096], before[3 * 4096];
    uint32_t face[3 * 4096], face_before[3 * 4096];
    convk_indexed_mesh_f64 m, were;
    int want = call < 0 ? bad[k].status : call < 4 ? CONVK_ERR_NULL : call < 6 ? CONVK_ERR_SIZE : CONVK_ERR_OVERLAP, status;
    memset(x, 0xa5, sizeof x);
    memset(face, 0xa5, sizeof face);
    memcpy(before, x, sizeof x);
    memcpy(face_before, face, sizeof face);
    m.vertices = call == 4 ? 11 : 4096;
    m.faces = call == 5 ? 19 : 4096;
    m.x = call == 0 ? NULL : x;
    m.y = call == 1 ? NULL : call == 6 ? x + 11 : x + 4096;
    m.z = call == 2 ? NULL : call == 7 ? (double *)(void *)face : x + 8192;
    m.face = call == 3 ? NULL : face;
    were = m;
    status = call_f64(call < 0 ? &bad[k].s : &fine, &m);
    expect(status == want, call < 0 ? bad[k].s.name : "arrays", convk_strerror(status));
    expect(strstr(said()->message, call < 0 ? bad[k].says : arrays[call]) != NULL, call < 0 ? bad[k].s.name : "arrays",
           said()->message);
    expect(memcmp(&m, &were, sizeof m) == 0 && memcmp(x, before, sizeof x) == 0 && memcmp(face, face_before, sizeof face) == 0,
           call < 0 ? bad[k].s.name : "arrays", "nothing is written");
    expect(call >= 0 || (call_f64(&bad[k].s, NULL) == CONVK_ERR_NULL && !strcmp(said()->message, "mesh is NULL")), "no mesh",
           "is refused");
  }
}

/* ---- directions ---- */

/* The greatest error of averages of the spherical harmonics of degree l, whose own average of squares is 1. */
static double harmonic_error(size_t l, size_t n, const double *x, const double *y, const double *z, const double *w) {
  long double worst = 0;
  size_t m, i, k;
  for (m = 0; m <= l; m++) {
    long double re = 0, im = 0;
    for (i = 0; i < n; i++) {
      const long double s = sqrtl((long double)x[i] * x[i] + (long double)y[i] * y[i]), angle = atan2l(y[i], x[i]);
      long double p = 1, less = 0, more, weight = w ? (long double)w[i] : 1 / (long double)n;
      for (k = 1; k <= m; k++) {
        p *= s * sqrtl((2 * (long double)k + 1) / (2 * (long double)k));
      }
      for (k = m + 1; k <= l; k++) {
        const long double a = (long double)k * k - (long double)m * m, b = (long double)(k - 1) * (k - 1) - (long double)m * m;
        more = sqrtl((4 * (long double)k * k - 1) / a) *
               (z[i] * p - (k > m + 1 ? sqrtl(b / (4 * (long double)(k - 1) * (k - 1) - 1)) * less : 0));
        less = p;
        p = more;
      }
      re += weight * p * cosl((long double)m * angle);
      im += weight * p * sinl((long double)m * angle);
    }
    re -= l == 0;
    worst = fmaxl(worst, fmaxl(fabsl(re), fabsl(im)));
  }
  return (double)worst;
}

static size_t how_many(size_t degree, int half) {
  size_t n = 12345;
  return convk_sphere_directions(said(), degree, half, &n) ? n == 12345 ? (size_t)-1 : 0 : n;
}

/* Just as exact as is said, and no more. */
static void test_quadrature(void) {
  static const size_t degrees[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 25, 40};
  size_t k, l, i;
  int half;
  for (k = 0; k < sizeof degrees / sizeof degrees[0]; k++) {
    for (half = 0; half < 2; half++) {
      const size_t degree = degrees[k], n = how_many(degree, half), rings = degree / 2 + 1;
      double *x = (double *)malloc(4 * n * sizeof *x), worst = 0;
      float *f = (float *)malloc(4 * n * sizeof *f);
      convk_directions_f64 wide;
      convk_directions_f32 narrow;
      char name[64];
      int good = 1;
      snprintf(name, sizeof name, "degree %lu%s", (unsigned long)degree, half ? ", half" : "");
      expect(n == (degree + 1) * (half ? (rings + 1) / 2 : rings), name, "how many directions");
      wide.n = narrow.n = n + (size_t)half; /* more room than there are directions */
      wide.x = x;
      narrow.x = f;
      wide.y = x + n;
      narrow.y = f + n;
      wide.z = x + 2 * n;
      narrow.z = f + 2 * n;
      wide.weight = x + 3 * n;
      narrow.weight = f + 3 * n;
      expect(!convk_sphere_quadrature_f64(said(), degree, half, &wide) && wide.n == n, name, "a rule");
      expect(!convk_sphere_quadrature_f32(NULL, degree, half, &narrow) && narrow.n == n, name, "a rule in f32");
      wide.weight = NULL;
      wide.x = (double *)malloc(n * sizeof *x);
      expect(!convk_sphere_quadrature_f64(said(), degree, half, &wide) && !memcmp(wide.x, x, n * sizeof *x), name,
             "no weights");
      free(wide.x);
      for (i = 0; i < 4 * n; i++) {
        good = good && !(f[i] < (float)x[i] || f[i] > (float)x[i]);
      }
      expect(good, name, "the same in f32");
      for (i = 0; i < n; i++) {
        good = good && fabs(x[i] * x[i] + x[n + i] * x[n + i] + x[2 * n + i] * x[2 * n + i] - 1) < 1e-15 && x[3 * n + i] > 0 &&
               (!half || x[2 * n + i] >= 0);
      }
      expect(good, name, "unit vectors and positive weights");
      for (l = 0; l <= degree; l += 1 + (size_t)half) {
        worst = fmax(worst, harmonic_error(l, n, x, x + n, x + 2 * n, x + 3 * n));
      }
      expect(worst <= (degree <= 30 ? 1e-15 : 2e-15), name, "averages of harmonics");
      l = half ? degree + 2 - degree % 2 : degree + 1;
      expect(harmonic_error(l, n, x, x + n, x + 2 * n, x + 3 * n) > 0.1, name, "not of the next ones");
      free(x);
      free(f);
    }
  }
}

static void test_spiral(void) {
  static const size_t sizes[] = {0, 1, 2, 10, 1000};
  size_t k, i, j;
  int half;
  for (k = 0; k < 5; k++) {
    for (half = 0; half < 2; half++) {
      const size_t n = sizes[k];
      double *x = (double *)malloc((4 * n + 1) * sizeof *x), apart = 4, *y = x + n, *z = y + n;
      float *f = (float *)malloc((3 * n + 1) * sizeof *f);
      int good;
      const convk_directions_f64 wide = {n, x, y, z, z + n};
      const convk_directions_f32 narrow = {n, f, f + n, f + 2 * n, NULL};
      expect(!convk_sphere_spiral_f64(said(), half, &wide) && !convk_sphere_spiral_f32(NULL, half, &narrow), "spiral",
             "directions");
      good = 1;
      for (i = 0; i < n; i++) {
        good = good && !(wide.weight[i] < 1 / (double)n || wide.weight[i] > 1 / (double)n);
      }
      expect(good, "spiral", "equal weights");
      for (i = 0; i < 3 * n; i++) {
        good = good && !(f[i] < (float)x[i] || f[i] > (float)x[i]);
      }
      for (i = 0; i < n; i++) {
        good = good && fabs(x[i] * x[i] + y[i] * y[i] + z[i] * z[i] - 1) < 1e-15 && (!half || z[i] > 0);
        for (j = 0; j < i; j++) {
          apart = fmin(apart, pow(x[i] - x[j], 2) + pow(y[i] - y[j], 2) + pow(z[i] - z[j], 2));
        }
      }
      expect(good, "spiral", "unit vectors, the same in f32");
      expect(n < 3 || apart * (double)n * (1 + half) > 9, "spiral", "none are close to each other"); /* evenly: 4 pi / n each */
      for (i = 1 + (size_t)half; i < 5 && n == 1000; i += 1 + (size_t)half) {
        expect(harmonic_error(i, n, x, y, z, NULL) < 0.002 * (double)i, "spiral", "evenly over the sphere");
      }
      free(x);
      free(f);
    }
  }
}

static void test_bad_directions(void) {
  double x[4 * 32], before[4 * 32];
  const struct {
    size_t degree;
    int half;
    double *to[4];
    int status;
    const char *says;
  } bad[] = {{3, 2, {x, x + 32, x + 64, x + 96}, CONVK_ERR_OPTION, "half is 2"},
             {16385, 0, {x, x + 32, x + 64, x + 96}, CONVK_ERR_OVERFLOW, "degree is 16385"},
             {(size_t)-1, 1, {x, x + 32, x + 64, x + 96}, CONVK_ERR_OVERFLOW, "degree is "},
             {3, 0, {NULL, x + 32, x + 64, x + 96}, CONVK_ERR_NULL, "directions->x is NULL"},
             {3, 0, {x, NULL, x + 64, x + 96}, CONVK_ERR_NULL, "directions->y is NULL"},
             {3, 0, {x, x + 32, NULL, x + 96}, CONVK_ERR_NULL, "directions->z is NULL"},
             {3, 0, {x, x + 32, x + 64, x + 96}, CONVK_ERR_SIZE, "directions->n is 7, and 8 are needed"},
             {3, 0, {x, x + 7, x + 64, x + 96}, CONVK_ERR_OVERLAP, "directions->x overlaps directions->y"},
             {3, 0, {x, x + 32, x + 64, x + 71}, CONVK_ERR_OVERLAP, "directions->z overlaps directions->weight"}};
  size_t k;
  memset(x, 0xa5, sizeof x);
  memcpy(before, x, sizeof x);
  for (k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    const size_t n = k == 2 ? bad[k].degree : 8; /* as many as degree 3 has */
    double *const *to = bad[k].to;
    convk_directions_f64 d = {k == 6 ? 7 : n, to[0], to[1], to[2], to[3]}, were = d;
    expect(convk_sphere_quadrature_f64(said(), bad[k].degree, bad[k].half, &d) == bad[k].status, "quadrature",
           convk_strerror(bad[k].status));
    expect(strstr(said()->message, bad[k].says) != NULL, "quadrature", said()->message);
    expect(k == 1 || k == 6 || convk_sphere_spiral_f64(said(), bad[k].half, &d) == bad[k].status, "spiral",
           convk_strerror(bad[k].status));
    expect(k == 1 || k == 2 || k == 6 || strstr(said()->message, bad[k].says) != NULL, "spiral", said()->message);
    expect(!memcmp(&d, &were, sizeof d), "directions", "their number is not written");
  }
  expect(convk_sphere_quadrature_f64(said(), 3, 0, NULL) == CONVK_ERR_NULL && !strcmp(said()->message, "directions is NULL") &&
             convk_sphere_spiral_f64(said(), 0, NULL) == CONVK_ERR_NULL && !strcmp(said()->message, "directions is NULL") &&
             convk_sphere_directions(said(), 3, 0, NULL) == CONVK_ERR_NULL && !strcmp(said()->message, "directions is NULL") &&
             convk_sphere_directions(said(), 3, 2, &k) == CONVK_ERR_OPTION &&
             !strcmp(said()->message, "half is 2, neither 0 nor 1"),
         "directions", "what is not there");
  expect(memcmp(x, before, sizeof x) == 0, "directions", "nothing is written");
  expect(how_many(16385, 0) == (size_t)-1 && how_many(16384, 0) != (size_t)-1, "directions", "the highest degree");
}

/* ---- what they are for ---- */

static double sinc(double x) { return fabs(x) < 1e-4 ? 1 - x * x / 6 : sin(x) / x; }

/* The powder average of a box with sides 3, 4, 5 by Fejer's rule in z and equal steps around it. */
static double box_powder(double q) {
  enum { N = 60 };
  double sum = 0;
  int k, j;
  for (k = 0; k < N; k++) {
    const double t = (k + 0.5) * SHAPE_PI_ / N, z = cos(t), s = sin(t);
    double w = 1;
    for (j = 1; j <= N / 2; j++) {
      w -= 2 * cos(2 * j * t) / (4.0 * j * j - 1);
    }
    for (j = 0; j < 2 * N; j++) {
      const double a = j * SHAPE_PI_ / N;
      sum += w / N * pow(60 * sinc(1.5 * q * s * cos(a)) * sinc(2 * q * s * sin(a)) * sinc(2.5 * q * z), 2) / (2 * N);
    }
  }
  return sum;
}

static void test_powder(void) {
  static const double q[5] = {0, 0.3, 1, 2.5, 4}; /* q d up to 28 */
  const solid box = {"box", BOX, 0, 3, 4, 5, 0, 0, 0, 0, 0};
  convk_indexed_mesh_f64 m = {0, 0, NULL, NULL, NULL, NULL};
  const convk_q_f64 diagonal = {5, q, q, q, NULL, NULL, NULL};
  convk_directions_f64 around;
  convk_formfactor_options exact;
  convk_placement two[2];
  convk_assembly_f64 a;
  convk_mesh_f64 mesh;
  double I[5], again[5], f[10], equal[500], *x;
  size_t n, i;
  convk hw;
  int half;
  memset(&mesh, 0, sizeof mesh);
  memset(&exact, 0, sizeof exact);
  memset(two, 0, sizeof two);
  expect(!room_f64(&box, &m) && !call_f64(&box, &m) && !convk_open(&hw, NULL), "powder", "a box");
  mesh.n = m.faces;
  mesh.indexed = &m;
  exact.form = CONVK_FORM_EXACT;
  a.meshes = 1;
  a.mesh = &mesh;
  a.placements = 1;
  a.placement = two;
  expect(!convk_formfactor_f64(&hw, &mesh, &diagonal, &exact, f), "box", "a form factor");
  for (i = 0; i < 5; i++) {
    const double want = 60 * sinc(1.5 * q[i]) * sinc(2 * q[i]) * sinc(2.5 * q[i]);
    expect(fabs(f[2 * i] - want) < 60e-14 && fabs(f[2 * i + 1]) < 60e-14, "box", "its form factor");
  }
  for (half = 0; half < 2; half++) {
    n = how_many(48, half); /* 20 more than q d: no error but rounding */
    x = (double *)malloc(4 * n * sizeof *x);
    around.n = n;
    around.x = x;
    around.y = x + n;
    around.z = x + 2 * n;
    around.weight = x + 3 * n;
    expect(!convk_sphere_quadrature_f64(&hw, 48, half, &around) &&
               !convk_formfactor_powder_f64(&hw, &a, 5, q, &around, &exact, I, NULL, 0),
           "powder", "an average");
    for (i = 0; i < 5; i++) {
      expect(fabs(I[i] / box_powder(q[i]) - 1) < 1e-12, "powder", "the average of a box");
    }
    free(x);
  }
  /* weights that are left out are equal: those of directions, and those of particles */
  a.placements = 2;
  two[1].position[1] = 7;
  n = 500;
  x = (double *)malloc(3 * n * sizeof *x);
  for (i = 0; i < n; i++) {
    equal[i] = 1.0 / 500;
  }
  around.n = n;
  around.x = x;
  around.y = x + n;
  around.z = x + 2 * n;
  around.weight = NULL;
  expect(!convk_sphere_spiral_f64(&hw, 1, &around), "powder", "a spiral");
  expect(!convk_formfactor_powder_f64(&hw, &a, 5, q, &around, &exact, I, NULL, 0), "powder", "no weights");
  around.weight = equal;
  two[0].weight[0] = two[1].weight[0] = 1;
  expect(!convk_formfactor_powder_f64(&hw, &a, 5, q, &around, &exact, again, NULL, 0) && memcmp(I, again, sizeof I) == 0 &&
             near(I[0], 14400),
         "powder", "weights that are left out are equal");
  around.weight = NULL;
  two[1].weight[0] = 0; /* not left out beside another */
  expect(!convk_formfactor_powder_f64(&hw, &a, 1, q, &around, &exact, I, NULL, 0) && near(I[0], 3600), "powder",
         "a weight of 0 beside another");
  two[0].weight[0] = 0; /* nor one without a real part */
  two[0].weight[1] = 1;
  expect(!convk_formfactor_powder_f64(&hw, &a, 1, q, &around, &exact, I, NULL, 0) && near(I[0], 3600), "powder",
         "an imaginary weight");
  free(x);
  free_f64(&m);
  convk_close(&hw);
}

int main(void) {
  test_solids();
  test_refused();
  test_quadrature();
  test_spiral();
  test_bad_directions();
  test_powder();
  test_known();
  test_names();
  test_too_many();
  printf("%lu passed, %lu failed, 0 skipped\n", passed, failed);
  return failed != 0;
}
