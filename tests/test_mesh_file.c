/* The reader of OFF and PLY files of the examples against whole, cut, corrupted and absurd files, text and binary. */
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
  refuse("COFF\n1 1 1\n", "line 1: OFF", "another kind of OFF");
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

int main(int argc, char **argv) {
  static const char letters[] = "0123456789.-e \n#plyOFFx";
  int k;
  test_whole(off, sizeof off - 1, "OFF", 0);
  test_whole(ply, sizeof ply - 1, "PLY", 1);
  test_cuts(off, sizeof off - 1, sizeof off - 23, 0); /* the last number may be cut to a shorter one, and remarks go */
  test_cuts(ply, sizeof ply - 1, sizeof ply - 3, 1);
  test_bad();
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
