/* The reader of OFF, PLY and OBJ files of the examples against whole, cut, corrupted and absurd files, text and binary. */
#include "../examples/mesh.h"

#define READER_FILE mesh_file
#define READER_PARSE mesh_file_parse
#define READER_READ mesh_file_read
#define READER_FREE mesh_file_free
#include "reader.h"

static int sound(const mesh_file *m, size_t size) {
  size_t i, bad = 0;
  for (i = 0; i < m->vertices; i++) {
    bad += !(fabs(m->x[i]) <= MESH_FILE_MAX_ && fabs(m->y[i]) <= MESH_FILE_MAX_ && fabs(m->z[i]) <= MESH_FILE_MAX_);
  }
  for (i = 0; i < 3 * m->faces; i++) {
    bad += m->face[i] >= m->vertices;
  }
  return bad == 0 && m->faces > 0 && m->faces < size && m->vertices < size;
}

static int empty(const mesh_file *m) { return !m->x && !m->face && !m->vertices && !m->faces && !m->kind; }

/* ---- files: a pyramid with a square base ---- */

static const double corners[5][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 1.5}};
static const uint32_t faces[6][3] = {{0, 3, 2}, {0, 2, 1}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};

static const char off[] = "# a remark\nOFF # and more\n5 5\n 8\n-1 -1 0\n1 -1 0\n+1.0 1e0 0 # a corner\n-1 1 0\n0 0 15e-1\n\n"
                          "4 0 3 2 1 255 0 0\n3 0 1 4\n3 1 2 4 # red\n3  2 3 4 0.5 0.5\n3 3 0 4\n# the end\n";
static const char ply[] =
    "ply\nformat ascii 1.0\ncomment made by hand\nelement vertex 5\nproperty float x\nproperty float64 y\nproperty double z\n"
    "property uchar red\nelement edge 1\nproperty int a\nproperty list uchar float b\nelement face 5\n"
    "property list uchar int vertex_indices\nproperty float quality\nend_header\n"
    "-1 -1 0 7\n1 -1 0 7\n1 1 0 7\n-1 1 0 7\n0 0 1.5 7\n3 2 0.5 0.5\n4 0 3 2 1 0\n3 0 1 4 0\n3 1 2 4 0\n3 2 3 4 0\n3 3 0 4 0\n";
static const char ply_head[] =
    "element vertex 5\r\nproperty short nx\r\nproperty float x\r\nproperty float y\r\nproperty double z\r\n"
    "element face 5\r\nproperty list uint8 uint32 vertex_index\r\nend_header\r\n";

typedef struct bytes {
  char at[1024];
  size_t size;
  int big;
} bytes;

static void add_text(bytes *b, const char *text) {
  memcpy(b->at + b->size, text, strlen(text));
  b->size += strlen(text);
}

static void add(bytes *b, unsigned long long bits, size_t count) {
  size_t k;
  for (k = 0; k < count; k++) {
    b->at[b->size++] = (char)(bits >> 8 * (b->big ? count - 1 - k : k) & 255);
  }
}

/* The bits of a normal number or zero. */
static unsigned long long real_bits(double v, int fraction_bits, int bias) {
  int exponent;
  const double fraction = frexp(fabs(v), &exponent);
  const unsigned long long sign = v < 0 ? (unsigned long long)1 << (fraction_bits == 23 ? 31 : 63) : 0;
  if (!(fraction > 0)) {
    return sign;
  }
  return sign | (unsigned long long)(exponent + bias - 1) << fraction_bits |
         ((unsigned long long)ldexp(fraction, fraction_bits + 1) & (((unsigned long long)1 << fraction_bits) - 1));
}

static bytes binary(int big) {
  static const unsigned base[4] = {0, 3, 2, 1};
  bytes b;
  int i, k;
  memset(&b, 0, sizeof b);
  b.big = big;
  add_text(&b, "ply\r\n");
  add_text(&b, big ? "format binary_big_endian 1.0\r\n" : "format binary_little_endian 1.0\r\n");
  add_text(&b, ply_head);
  for (i = 0; i < 5; i++) {
    add(&b, 0xfff0, 2);
    add(&b, real_bits(corners[i][0], 23, 127), 4);
    add(&b, real_bits(corners[i][1], 23, 127), 4);
    add(&b, real_bits(corners[i][2], 52, 1023), 8);
  }
  add(&b, 4, 1);
  for (k = 0; k < 4; k++) {
    add(&b, base[k], 4);
  }
  for (i = 2; i < 6; i++) {
    add(&b, 3, 1);
    for (k = 0; k < 3; k++) {
      add(&b, faces[i][k], 4);
    }
  }
  return b;
}

/* ---- tests ---- */

static void test_whole(const char *at, size_t size, const char *kind, long which) {
  mesh_file m;
  int i, good;
  expect(parse(&m, at, size) == 0, "a whole file is read", which);
  good = m.vertices == 5 && m.faces == 6 && m.kind && strcmp(m.kind, kind) == 0;
  for (i = 0; good && i < 5; i++) {
    good = fabs(m.x[i] - corners[i][0]) + fabs(m.y[i] - corners[i][1]) + fabs(m.z[i] - corners[i][2]) <= 0;
  }
  expect(good && memcmp(m.face, faces, sizeof faces) == 0, "vertices and triangles", which);
  mesh_file_free(&m);
}

static void test_cuts(const char *at, size_t size, size_t whole, long which) {
  size_t cut;
  for (cut = 0; cut < whole; cut++) {
    if (accepts(at, cut)) {
      expect(0, "a cut file is refused", which);
    }
  }
  expect(accepts(at, size), "and the whole is not", which);
}

static void test_bad(void) {
  refuse("", "line 1", "nothing");
  refuse("VOFF\n1 1 1\n", "line 1: OFF", "another kind of OFF");
  refuse("4OFF\n1 1 1\n", "line 1: OFF", "OFF of four dimensions");
  refuse("OFF BINARY\n1 1 1\n", "line 1: a binary OFF file is not supported", "binary OFF");
  refuse("NOFF\n3 1 0\n0 0 0 0 0 1\n1 0\n0 1 0\n3 0 1 2\n", "line 4: three coordinates", "a line with two coordinates");
  refuse("OFF\n3 1 0\n0 0 0 9\n1 0 0 9\n0 1 0 9\n3 0 1 3\n", "line 6: a face names", "a vertex too many behind colours");
  refuse("OFF\n1 1", "line 2: the file ends", "half a count");
  refuse("OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n", "line 6: no faces", "no faces");
  refuse("OFF\n-3 1 0\n", "line 2: the number of vertices", "a negative count");
  refuse("OFF\n3.5 1 0\n", "line 2: the number of vertices", "half a vertex");
  refuse("OFF\n4000000000 1 0\n0 0 0\n", "line 2: 4000000000 vertices", "too many vertices");
  refuse("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1\n3 0 1 2\n", "line 6: a face has less", "a coordinate is missing");
  refuse("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 nan\n3 0 1 2\n", "line 5: a coordinate is not", "not a number");
  refuse("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 1e200\n3 0 1 2\n", "line 5: a coordinate is not finite", "too large");
  refuse("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n", "line 6: a face has less", "two corners");
  refuse("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "line 6: a face names", "a vertex too many");
  refuse("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", "line 6: a face names", "a negative vertex");
  refuse("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n", "line 6: a vertex", "half a vertex of a face");
  refuse("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\nmore\n", "line 7: something", "something behind");
  refuse("ply\nformat ascii 2.0\n", "line 2: an unknown", "another version");
  refuse("ply\nelement vertex 3\nend_header\n", "line 3: the header names", "no format");
  refuse("ply\nformat ascii 1.0\nproperty float x\n", "line 3: a property of an element", "a property of nothing");
  refuse("ply\nformat ascii 1.0\nelement vertex 3\nproperty half x\n", "line 4: a property of an unknown", "an unknown type");
  refuse("ply\nformat ascii 1.0\nelement vertex 3\nproperty list float int x\n", "line 4: a property", "a fractional length");
  refuse("ply\nformat ascii 1.0\nelement vertex x\n", "line 3: the number", "a number that is none");
  refuse("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n", "line 7: vertices",
         "no z");
  refuse("ply\nformat ascii 1.0\nelement thing 5\nend_header\n", "line 5: an element", "elements of nothing");
  refuse("ply\nformat ascii 1.0\nwhat\n", "line 3: a line", "a word that is none");
  refuse("ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_index\nend_header\n3 0 1 2\n",
         "line 6: a face names", "faces without vertices");
}

/* The same pyramid as other programs write it. */
#define OFF_FACES "4 0 3 2 1\n3 0 1 4\n3 1 2 4\n3 2 3 4\n3 3 0 4"
#define OFF_PLAIN "-1 -1 0\n1 -1 0\n1 1 0\n-1 1 0\n0 0 1.5\n" OFF_FACES
#define OFF_MORE(more) "-1 -1 0" more "\n1 -1 0" more "\n1 1 0" more "\n-1 1 0" more "\n0 0 1.5" more "\n" OFF_FACES
#define STRIP_HEAD "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
#define STRIPS "element tristrips 1\nproperty list int int vertex_indices\n"
#define FACES "element face 2\nproperty list uchar int vertex_indices\n"
#define POINTS "-1 -1 0\n1 -1 0\n1 1 0\n-1 1 0\n0 0 1.5\n"

static void test_dialects(void) {
  static const char *const same[] = {
      "OFF 5 5 8\n" OFF_PLAIN,
      "OFF5 5 8\n" OFF_PLAIN,
      "  \n OFF\n5 5 8\n" OFF_PLAIN,
      "\xef\xbb\xbfOFF\n5 5 8\n" OFF_PLAIN,
      "OFF\n5 5\n" OFF_PLAIN,
      "off\n5 5\n8\n" OFF_PLAIN,
      "OFF 5 5 # no edges\n# remark\n" OFF_PLAIN "\n",
      "OFF\n5 5 8\n-1 -1\n0 1 -1 0 1 1 0\n-1 1 0 0 0 1.5 4 0 3 2 1\n3 0 1 4\n3 1 2 4\n3 2 3 4\n3 3 0 4",
      "COFF\n5 5 8\n" OFF_MORE(" 255 0 0 255"),
      "COFF\n5 5 8\n" OFF_MORE(" 0.5 0.5 0"),
      "NOFF\n5 5 8\n" OFF_MORE(" 0 0 1"),
      "CNOFF\n5 5 8\n" OFF_MORE(" 0 0 1 255 255 255 0"),
      "STOFF\n5 5 8\n" OFF_MORE(" 0.5 0.5"),
      "STCNOFF\n5 5\n" OFF_MORE(" 0 0 1 0 0 1 0.5 0.5"),
      "OFF\n5 5 8\n" OFF_MORE(" 255 0 0"),
      "OFF\n5 5 8\n" OFF_MORE(" 0 0 1"),
      "OFF\n5 5 8\n" OFF_MORE(" 4 0 1 2 3"),
      "OFF\n5 5 8\n-0.1D+1 -1.0+000 0\n1 -1 0\n1 1 0\n-1 1 0\n0 0 1.5\n" OFF_FACES,
  };
  static const char *const objects[] = {"# a pyramid\nmtllib none.mtl\no pyramid\nv -1 -1 0\nv 1 -1 0 0.5 0.5 0.5\nvt 0 0\nvn "
                                        "0 0 1\nv 1 1 0 1.0\nv -1 1 0\nv 0 0 1.5\n"
                                        "g f base v\nusemtl x\nf 1 4 3 2\ns off\nf 1/1 2/1 5/1\nf 2//1 3//1 5//1\nl 1 2\nf "
                                        "3/1/1 4/1/1 5/1/1 # and this\nf -2 -5 -1",
                                        "\xef\xbb\xbfv -1 -1 0\nv 1 -1 \\\n0\nv 1 1 0\nv -1 1 0\nv 0 0 1.5\r\nf 1 4 \\\r\n3 "
                                        "2\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n"};
  static const char *const strips[] = {
      /* base and sides by strips: 0 3 2 and 0 2 1, then the sides round the top */
      STRIP_HEAD STRIPS "end_header\n" POINTS "21 3 2 0 1 -1 0 1 4 -1 1 2 4 -1 2 3 4 -1 3 0 4 -1",
      STRIP_HEAD STRIPS FACES "end_header\n" POINTS "12 0 1 4 -1 1 2 4 -1 2 3 4 -1\n4 0 3 2 1\n3 3 0 4\n",
      STRIP_HEAD FACES STRIPS "end_header\n" POINTS "4 0 3 2 1\n3 3 0 4\n12 0 1 4 -1 1 2 4 -1 2 3 4 -1\n",
      STRIP_HEAD FACES "element face 3\nproperty list uchar int vertex_index\nend_header\n" POINTS
                       "4 0 3 2 1\n3 0 1 4\n3 1 2 4\n3 2 3 4\n3 3 0 4\n",
      STRIP_HEAD STRIPS "element tristrips 1\nproperty list int int vertex_indices\nend_header\n" POINTS
                        "15 3 2 0 1 -1 0 1 4 4 -1 1 2 4 -1 -1\n7 2 3 4 -1 3 0 4\n"};
  static const char long_strip[] = STRIP_HEAD STRIPS "end_header\n" POINTS "6 0 1 2 3 3 4\n";
  static const uint32_t turned[2][3] = {{0, 1, 2}, {2, 1, 3}};
  mesh_file m;
  size_t i, k;
  for (i = 0; i < sizeof same / sizeof *same; i++) {
    test_whole(same[i], strlen(same[i]), "OFF", 100 + (long)i);
  }
  for (i = 0; i < 2; i++) {
    test_whole(objects[i], strlen(objects[i]), "OBJ", 200 + (long)i);
  }
  test_flips(objects[0], strlen(objects[0]), "0123456789.-e \n#vfn/\\", 21, 6);
  for (i = 0; i < sizeof strips / sizeof *strips; i++) {
    double volume = 0;
    expect(parse(&m, strips[i], strlen(strips[i])) == 0 && m.faces == 6 && m.vertices == 5, "strips of triangles", (long)i);
    for (k = 0; k < m.faces; k++) { /* of the tetrahedra to the base's first corner, which is 2 where all are turned right */
      const uint32_t *f = m.face + 3 * k;
      const double a[3] = {m.x[f[0]] + 1, m.y[f[0]] + 1, m.z[f[0]]}, b[3] = {m.x[f[1]] + 1, m.y[f[1]] + 1, m.z[f[1]]},
                   c[3] = {m.x[f[2]] + 1, m.y[f[2]] + 1, m.z[f[2]]};
      volume +=
          (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
    }
    expect(fabs(volume - 2) < 1e-12, "strips turned right", (long)i);
    mesh_file_free(&m);
  }
  test_flips(strips[1], strlen(strips[1]), "0123456789.-e \n", 15, 6);
  expect(parse(&m, long_strip, sizeof long_strip - 1) == 0 && m.faces == 2 && memcmp(m.face, turned, sizeof turned) == 0,
         "every other triangle of a strip is turned round, those with a corner twice are none", (long)m.faces);
  mesh_file_free(&m);
  refuse(STRIP_HEAD STRIPS "end_header\n" POINTS "4 0 1 -2 2\n", "line 15: a face names", "a strip with -2");
  refuse(STRIP_HEAD STRIPS "end_header\n" POINTS "4 0 1 2 5\n", "line 15: a face names", "a strip with a vertex too many");
  refuse("v 0 0 0\nv 1 0 0\nv 0 1\nf 1 2 3\n", "line 3: three coordinates", "a vertex of two coordinates");
  refuse("v 0 0 0\nv 1 0 0\nv 0 1 x\nf 1 2 3\n", "line 3: a coordinate", "a coordinate that is none");
  refuse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "line 4: a face names", "a vertex too many");
  refuse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "line 4: a face names", "vertex 0");
  refuse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -4 1 2\n", "line 4: a face names", "a vertex before the first");
  refuse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1.5 1 2\n", "line 4: a vertex of a face is not", "half a vertex");
  refuse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "line 4: a face has less", "two corners");
  refuse("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "line 4: no faces", "no faces");
}

int main(int argc, char **argv) {
  static const char letters[] = "0123456789.-e \n#plyOFFx";
  int k;
  test_whole(off, sizeof off - 1, "OFF", 0);
  test_whole(ply, sizeof ply - 1, "PLY", 1);
  test_cuts(off, sizeof off - 1, sizeof off - 23, 0); /* the last number may be cut to a shorter one, and remarks go */
  test_cuts(ply, sizeof ply - 1, sizeof ply - 3, 1);
  test_bad();
  test_dialects();
  for (k = 0; k < 2; k++) {
    const bytes b = binary(k);
    test_whole(b.at, b.size, "PLY", 2 + k);
    test_cuts(b.at, b.size, b.size, 2 + k);
    test_flips(b.at, b.size, letters, sizeof letters - 1, 6);
  }
  test_flips(off, sizeof off - 1, letters, sizeof letters - 1, 6);
  test_flips(ply, sizeof ply - 1, letters, sizeof letters - 1, 6);
  refuse_missing(argc > 1 ? argv[1] : "there is no such file");
  return finish();
}
