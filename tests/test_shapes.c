/* The shapes of the examples: closed, outward, as large as geometry says, with as few triangles as they need; names that are
 * none are refused. */
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
      if (shape_mesh(&s, longest, &m, message, sizeof message) || convk_mesh_check_f64(&m, &r, NULL, 0)) {
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
      if (s.kind == SHAPE_SPHERE || s.kind == SHAPE_CYLINDER) {
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

int main(void) {
  test_known();
  test_names();
  test_too_many();
  printf("%lu passed, %lu failed, 0 skipped\n", passed, failed);
  return failed != 0;
}
