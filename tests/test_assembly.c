/* The reader of assemblies of the examples against whole, cut, corrupted and absurd files. */
#define CONVK_DECLARE
#define CONVK_WITH_FORMFACTOR
#include "convk.h"

#include "../examples/assembly.h"

#define READER_FILE assembly_file
#define READER_PARSE assembly_parse
#define READER_READ assembly_read
#define READER_FREE assembly_free
#include "reader.h"

static int sound(const assembly_file *a, size_t size) {
  size_t i, bad = 0;
  int d;
  for (i = 0; i < a->particles; i++) {
    const convk_placement *p = &a->placement[i];
    bad += p->mesh >= a->names || p->scale < 0 || !(fabs(p->scale) <= ASSEMBLY_MAX_);
    for (d = 0; d < 3; d++) {
      bad += !(fabs(p->position[d]) <= ASSEMBLY_MAX_);
    }
    for (d = 0; d < 9; d++) {
      bad += !(fabs(p->rotation[d]) <= 1 + 1e-14);
    }
    for (d = 0; d < 2; d++) {
      bad += !(fabs(p->weight[d]) <= ASSEMBLY_MAX_);
    }
  }
  for (i = 0; i < a->names; i++) {
    bad += !a->name[i][0] || strlen(a->name[i]) >= ASSEMBLY_NAME_SIZE;
  }
  return bad == 0 && a->particles > 0 && a->names > 0 && a->particles < size && a->names <= a->particles;
}

static int empty(const assembly_file *a) { return !a->name && !a->placement && !a->names && !a->particles; }

static const char text[] = "# particles\n\n  sphere 1 -2.5 3e0\ncube.stl 0 0 0 rotate 90 0 0 # turned\r\n"
                           "sphere +1 .5 -1.E1 weight 0.5 -0.25 scale 2 rotate 0 90 0\n\tcube.stl 4 5 6 scale 1e-1 weight -1";

static void test_whole(void) {
  static const double quarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, aside[9] = {0, 0, 1, 0, 1, 0, -1, 0, 0};
  assembly_file a;
  double r[9], s;
  int d, k;
  expect(parse(&a, text, sizeof text - 1) == 0, "the file is read", 0);
  expect(a.names == 2 && a.particles == 4, "names and particles", (long)a.particles);
  if (a.names == 2 && a.particles == 4) {
    const convk_placement *p = a.placement;
    expect(!strcmp(a.name[0], "sphere") && !strcmp(a.name[1], "cube.stl"), "the names", 0);
    expect(p[0].mesh == 0 && p[1].mesh == 1 && p[2].mesh == 0 && p[3].mesh == 1, "who is what", 0);
    expect(p[0].position[0] == 1 && p[0].position[1] == -2.5 && p[0].position[2] == 3, "a position", 0);
    expect(p[2].position[0] == 1 && p[2].position[1] == 0.5 && p[2].position[2] == -10, "another position", 0);
    expect(p[0].weight[0] == 1 && p[0].weight[1] == 0 && p[0].scale == 0, "what is not said", 0);
    expect(p[2].weight[0] == 0.5 && p[2].weight[1] == -0.25 && p[2].scale == 2, "a weight and a scale", 0);
    expect(p[3].weight[0] == -1 && p[3].weight[1] == 0 && p[3].scale == 0.1, "a scale and a weight", 0);
    for (d = 0; d < 9; d++) {
      expect(p[0].rotation[d] == 0 && fabs(p[1].rotation[d] - quarter[d]) == 0 && fabs(p[2].rotation[d] - aside[d]) == 0,
             "rotations", d);
    }
  }
  assembly_free(&a);
  assembly_rotation(17, -38, 231, r); /* orthogonal, right-handed; z goes to where A and B say */
  for (d = 0; d < 3; d++) {
    for (k = 0; k < 3; k++) {
      s = r[3 * d] * r[3 * k] + r[3 * d + 1] * r[3 * k + 1] + r[3 * d + 2] * r[3 * k + 2];
      expect(fabs(s - (d == k)) < 1e-15, "rows are orthogonal", 3 * d + k);
    }
  }
  s = r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) + r[2] * (r[3] * r[7] - r[4] * r[6]);
  expect(fabs(s - 1) < 1e-15, "the determinant", 0);
  expect(fabs(r[2] - cos(17 * 3.14159265358979323846 / 180) * sin(-38 * 3.14159265358979323846 / 180)) < 1e-15, "the axis", 0);
}

static void test_bad(void) {
  char many[300 * 16], name[600];
  size_t k, at = 0;
  refuse("", "line 1: no particles", "an empty file");
  refuse("# nothing\n\n", "line 3: no particles", "remarks alone");
  refuse("sphere 1 2\n", "line 1: z is missing", "two coordinates");
  refuse("sphere 0 0 0\n\nsphere 1 x 2\n", "line 3: y is not a number", "a word for a number");
  refuse("sphere 1 2 1e16\n", "line 1: z is too large", "far away");
  refuse("sphere 1 2 nan\n", "line 1: z is not a number", "no number");
  refuse("sphere 1 2 3 4\n", "line 1: rotate, scale or weight is wanted", "four coordinates");
  refuse("sphere 1 2 3 turn 1\n", "line 1: rotate", "an unknown word");
  refuse("sphere 1 2 3 rotate 1 2\n", "line 1: the third angle is missing", "two angles");
  refuse("sphere 1 2 3 rotate 1 2 # 3\n", "line 1: the third angle is missing", "an angle in a remark");
  refuse("sphere 1 2 3 scale\n", "line 1: the scale is missing", "no scale");
  refuse("sphere 1 2 3 scale 0\n", "line 1: the scale is not positive", "scale 0");
  refuse("sphere 1 2 3 scale -1\n", "line 1: the scale is not positive", "a negative scale");
  refuse("sphere 1 2 3 scale 1 scale 1\n", "line 1: scale comes twice", "a second scale");
  refuse("sphere 1 2 3 weight 1 2 3\n", "line 1: rotate", "three weights");
  refuse("sphere 1 2 3 weight 1 +-2\n", "line 1: the imaginary part of the weight is not a number", "a sign too many");
  refuse_bytes("a\0b 1 2 3\n", 10, "line 1: a byte of 0", "a byte of 0");
  memset(name, 'a', sizeof name);
  memcpy(name + 300, " 1 2 3\n", 8);
  refuse(name, "line 1: a word is too long", "a long name");
  for (k = 0; k < 257; k++) {
    at += (size_t)sprintf(many + at, "s%lu 1 2 3\n", (unsigned long)k);
  }
  refuse(many, "line 257: more than 256 names", "many names");
}

int main(int argc, char **argv) {
  static const char letters[] = "0123456789.-e \n#rotatescaleweight";
  size_t cut;
  test_whole();
  for (cut = 0; cut < sizeof text; cut++) {
    accepts(text, cut);
  }
  test_bad();
  test_flips(text, sizeof text - 1, letters, sizeof letters - 1, 6);
  refuse_missing(argc > 1 ? argv[1] : "there is no such file");
  return finish();
}
