/* The STL reader of the examples against whole, cut, corrupted and absurd files, binary and ASCII. */
#include "../examples/stl.h"

#define READER_FILE stl_file
#define READER_PARSE stl_parse
#define READER_READ stl_read
#define READER_FREE stl_free
#include "reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sound(const stl_file *stl, size_t size) {
  size_t i, bad = 0;
  for (i = 0; stl->corners && i < 9 * stl->n; i++) {
    bad += !(fabs(stl->corners[i]) <= FLT_MAX);
  }
  return stl->corners && bad == 0 && stl->n > 0 && 50 * stl->n < size && stl->contrary <= stl->n;
}

static int empty(const stl_file *stl) { return !stl->corners && stl->n == 0 && !stl->binary; }

/* ---- files ---- */

/* Two triangles of one square; the second says its normal the wrong way round. Every number is one of binary32. */
static const double square[18] = {0, 0, 0.5, 1.5, 0, 0.5, 1.5, -2.25, 0.5, 0, 0, 0.5, 1.5, -2.25, 0.5, 0, -2.25, 0.5};

#define FACET1 \
  "facet normal 0 0 -1\n outer loop\n  vertex 0 0 .5\n  vertex 1.5 0 5E-1\n  vertex +1.5 -2.25 0.5\n endloop\nendfacet\n"
#define FACET2 \
  "FACET NORMAL 0 0 1E0 OUTER LOOP VERTEX 0 0 0.50 VERTEX 15.e-1 -225e-2\n.5 VERTEX 0 -2.25 0.5 ENDLOOP\n ENDFACET\n"
static const char plain[] = "solid two facets of a square\n" FACET1 FACET2 "endsolid two\n";
static const char several[] = "\n solid\n" FACET1 "endsolid a\r\n\r\nsolid b\r\n" FACET2 "endsolid";

#define BINARY_SIZE (84 + 2 * 50)
static char binary[BINARY_SIZE];

static void put_u32(char *at, unsigned long v) {
  int k;
  for (k = 0; k < 4; k++) {
    at[k] = (char)(v >> 8 * k & 255);
  }
}

/* Of normal numbers, from their fractions and exponents. */
static void put_float(char *at, double v) {
  int exponent;
  const double fraction = frexp(fabs(v), &exponent);
  put_u32(at, fraction <= 0 ? 0
                            : (v < 0 ? 1UL << 31 : 0) | (unsigned long)(exponent + 126) << 23 |
                                  ((unsigned long)ldexp(fraction, 24) & 0x7fffffUL));
}

static void make_binary(void) {
  int t, k;
  memset(binary, 0, sizeof binary);
  memcpy(binary, "solid by its name only", 22);
  put_u32(binary + 80, 2);
  for (t = 0; t < 2; t++) {
    char *facet = binary + 84 + 50 * t;
    put_float(facet + 8, t == 0 ? -1 : 1);
    for (k = 0; k < 9; k++) {
      put_float(facet + 12 + 4 * k, square[9 * t + k]);
    }
    facet[48] = facet[49] = (char)0xff;
  }
}

/* ---- tests ---- */

static void test_whole(const char *bytes, size_t size, int is_binary, const char *name) {
  stl_file stl;
  expect(parse(&stl, bytes, size) == 0, "a whole file is read", is_binary);
  expect(stl.binary == is_binary && stl.n == 2 && stl.contrary == 1, "kind, triangles, contrary normals", is_binary);
  expect(stl.corners && memcmp(stl.corners, square, sizeof square) == 0, "corners in the order of the file", is_binary);
  expect(strcmp(stl.name, name) == 0, "name", is_binary);
  stl_free(&stl);
}

/* A binary file must be whole; an ASCII one may end behind an `endsolid`, where another solid has not begun. */
static void test_cut(const char *bytes, size_t size) {
  const char *solid = bytes == several ? strstr(several, "solid b") : bytes + size;
  size_t cut;
  for (cut = 0; cut < size; cut++) {
    const char *end = bytes == binary ? NULL : strstr(bytes, "endsolid"), *at = bytes + cut;
    const int whole = end && ((at >= end + 8 && at <= solid) || (at > solid && strstr(solid, "endsolid") + 8 <= at));
    stl_file stl;
    const int status = parse(&stl, bytes, cut);
    expect((status == 0) == whole, "a cut file is refused", (long)cut);
    stl_free(&stl);
  }
}

#define VERTICES "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex "
#define END "\nendloop\nendfacet\nendsolid\n"

static void test_absurd_text(void) {
  static const char zero[] = "solid\n" FACET1 "facet normal\n0 0 1\0 outer loop vertex 1 2 3 vertex 1 2 3 vertex 1 2 3\n"
                             "endloop endfacet endsolid";
  static const char point[] = "solid\nfacet normal nan -NaN(ind) NAN outer loop\n"
                              "vertex 1 2 3 vertex 1 2 3 vertex 1 2 3 endloop endfacet endsolid";
  stl_file stl;
  refuse("", "byte 0:", "empty file");
  refuse("soli", "byte 4:", "neither kind");
  refuse("solid", "line 1:", "nothing behind the first word");
  refuse("solid x\nendsolid x\n", "line 3:", "no triangle");
  refuse("solid " FACET1 "endsolid\n", "line 2:", "a facet in the name");
  refuse("solid\n" VERTICES "0 1" END, "line 7:", "two coordinates");
  refuse("solid\n" VERTICES "0 1 0 0" END, "line 6:", "four coordinates");
  refuse("solid\n" VERTICES "0 1 0\nvertex 0 1 0" END, "line 7:", "four corners");
  refuse("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0" END, "line 6:", "two corners");
  refuse("solid\nfacet normal 0 0\nouter loop\n", "line 3:", "a short normal");
  refuse("solid\nfacet normal 0 0 one\nouter loop\n", "line 2:", "a normal in words");
  refuse("solid\n\n\nfacet 0 0 1\nouter loop\n", "line 4:", "no word normal");
  refuse("solid\nfacet normal 0 0 1\ninner loop\n", "line 3:", "another loop");
  refuse("solid\n" VERTICES "0 1 0\nendfacet\nendsolid\n", "line 7:", "no endloop");
  refuse("solid\n" VERTICES "0 1 0\nendloop\nfacet normal", "line 8:", "no endfacet");
  refuse("solid\n" VERTICES "0 1 0" END "something", "line 10:", "something behind the last solid");
  refuse("solid\n" VERTICES "0 nan 0" END, "line 6:", "nan");
  refuse("solid\n" VERTICES "0 inf 0" END, "line 6:", "inf");
  refuse("solid\n" VERTICES "0 3.5e38 0" END, "line 6:", "beyond single precision");
  refuse("solid\n" VERTICES "0 -1e99999999999999999999 0" END, "line 6:", "beyond any precision");
  refuse("solid\n" VERTICES "0 0x10 0" END, "line 6:", "hexadecimal");
  refuse("solid\n" VERTICES "0 1,5 0" END, "line 6:", "decimal comma");
  refuse("solid\n" VERTICES "0 1e 0" END, "line 6:", "an exponent without digits");
  refuse("solid\n" VERTICES "0 . 0" END, "line 6:", "a point without digits");
  refuse("solid\n" VERTICES "0 1.2.3 0" END, "line 6:", "two points");
  refuse("solid\n" VERTICES "0 --1 0" END, "line 6:", "two signs");
  refuse("solid\n" VERTICES "0 00000000000000000000000000000000000000000000000000000000000000000000000001 0" END,
         "line 6:", "a number longer than any");
  refuse("solid\nfacet normals 0 0 1\n", "line 2:", "a word with a letter more");
  refuse_bytes(zero, sizeof zero - 1, "line 10:", "a number that goes on behind a zero byte");
  expect(parse(&stl, point, sizeof point - 1) == 0 && stl.n == 1 && stl.contrary == 0, "a triangle without area and normal", 0);
  stl_free(&stl);
}

/* What other programs write. */
static void test_dialects(void) {
  static const char upper[] = "SOLID TWO\n" FACET1 FACET2 "ENDSOLID TWO\n",
                    apart[] = "solid two\n" FACET1 FACET2 "end solid two\n",
                    mark[] = "\xef\xbb\xbfsolid two\n" FACET1 FACET2 "endsolid two";
  static const char fortran[] =
      "solid two\n" FACET2 "facet normal 0 0 1 outer loop vertex 0.25-100 -1.5D0 0.5+000\nvertex 1 0 0 vertex "
      "0 1 0 endloop endfacet endsolid";
  stl_file stl;
  test_whole(upper, sizeof upper - 1, 0, "TWO");
  test_whole(apart, sizeof apart - 1, 0, "two");
  test_whole(mark, sizeof mark - 1, 0, "two");
  expect(parse(&stl, fortran, sizeof fortran - 1) == 0 && fabs(stl.corners[9] - 0.25e-100) < 1e-115 &&
             stl.corners[10] <= -1.5 && stl.corners[11] >= 0.5,
         "exponents as Fortran writes them", 0);
  stl_free(&stl);
  refuse("solid\n" FACET1 "end facet", "line 9:", "another end");
}

static void test_absurd_binary(void) {
  char copy[BINARY_SIZE + 50];
  stl_file stl;
  memset(copy, 0, sizeof copy);
  refuse_bytes(copy, 84, "byte 80:", "no triangle, no body");
  refuse_bytes(copy, 83, "byte 83:", "not even a number of triangles");
  memcpy(copy, binary, BINARY_SIZE);
  test_whole(copy, BINARY_SIZE + 1, 1, "solid by its name only"); /* programs put a line's end behind the triangles */
  test_whole(copy, BINARY_SIZE + 49, 1, "solid by its name only");
  refuse_bytes(copy, BINARY_SIZE + 50, "byte 184: 2 triangles announced, as many bytes as of 1 follow",
               "a triangle too many behind");
  memset(copy + 22, ' ', 80 - 22);
  test_whole(copy, BINARY_SIZE + 1, 1, "solid by its name only");
  memcpy(copy, binary, BINARY_SIZE);
  put_u32(copy + 80, 0); /* written before the triangles were known */
  test_whole(copy, BINARY_SIZE, 1, "solid by its name only");
  refuse_bytes(copy, BINARY_SIZE + 1, "byte 80:", "no triangle, and no whole number of them");
  put_u32(copy + 80, 1);
  refuse_bytes(copy, BINARY_SIZE, "byte 134:", "a triangle too many");
  put_u32(copy + 80, 3);
  refuse_bytes(copy, BINARY_SIZE, "byte 80:", "a triangle too few");
  put_u32(copy + 80, 0xffffffffUL);
  refuse_bytes(copy, BINARY_SIZE, "byte 80:", "four billion triangles");
  put_u32(copy + 80, 2);
  put_u32(copy + 84, 0x7fc00000UL);
  put_u32(copy + 88, 0xff800000UL);
  expect(parse(&stl, copy, BINARY_SIZE) == 0 && stl.n == 2 && stl.contrary == 1, "a normal that is none", 0);
  stl_free(&stl);
  put_u32(copy + 96, 0x7fc00000UL);
  refuse_bytes(copy, BINARY_SIZE, "byte 96:", "a first corner that is not a number");
  put_u32(copy + 96, 0x7f7fffffUL); /* the largest, and the smallest, that there are */
  put_u32(copy + 100, 0x80000001UL);
  expect(parse(&stl, copy, BINARY_SIZE) == 0 && fabs(stl.corners[0] / FLT_MAX - 1) <= 0 &&
             fabs(stl.corners[1] / ldexp(-1, -149) - 1) <= 0,
         "the ends of single precision", 0);
  stl_free(&stl);
  put_u32(copy + 178, 0xff800000UL);
  refuse_bytes(copy, BINARY_SIZE, "byte 178:", "a last coordinate that is infinite");
}

/* One number as the first coordinate of a file. */
static double through_text(const char *number) {
  char text[200];
  stl_file stl;
  double value;
  snprintf(text, sizeof text,
           "solid\nfacet normal 0 0 1 outer loop vertex %s 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet endsolid", number);
  value = parse(&stl, text, strlen(text)) ? HUGE_VAL : stl.corners[0];
  stl_free(&stl);
  return value;
}

/* As many triangles as a text of its size can hold. */
static void test_dense(void) {
  static const char facet[] = "facet normal 0 0 0 outer loop vertex 0 0 0 vertex 0 0 0 vertex 0 0 0 endloop endfacet ";
  const size_t n = 1000, length = sizeof facet - 1;
  char *text = (char *)allocate(6 + n * length + 8);
  stl_file stl;
  size_t i;
  memcpy(text, "solid\n", 6);
  for (i = 0; i < n; i++) {
    memcpy(text + 6 + i * length, facet, length);
  }
  memcpy(text + 6 + n * length, "endsolid", 8);
  expect(length == STL_ASCII_FACET_ && parse(&stl, text, 6 + n * length + 8) == 0 && stl.n == n, "the shortest triangles", 0);
  stl_free(&stl);
  refuse_bytes(text, 6 + n * length, "line 2:", "the shortest triangles without an end");
  free(text);
}

static void test_numbers(void) {
  static const struct {
    const char *text;
    double value;
  } known[] = {{"0", 0},
               {"-0.1", -0.1},
               {"1e22", 1e22},
               {"123456789e-10", 123456789e-10},
               {"-12345.678901", -12345.678901},
               {"0.125000000000000000000000000", 0.125},
               {"0.3", 0.3},
               {"0.000000000000000000000001", 1e-24},
               {"30000000000000000000000000000000000000", 3e37},
               {"1e-99999999999", 0},
               {"0e999", 0}};
  size_t k;
  int j;
  for (k = 0; k < sizeof known / sizeof known[0]; k++) {
    const double error = fabs(through_text(known[k].text) - known[k].value);
    expect(error <= (k < 7 ? 0 : 2 * DBL_EPSILON * fabs(known[k].value)), known[k].text, (long)k); /* 15 digits: exactly */
  }
  for (j = 0; j < 20000; j++) {
    const float f = (float)ldexp((double)random_below(1UL << 22) * 4 + (double)random_below(4), (int)random_below(230) - 130);
    char text[40];
    snprintf(text, sizeof text, j % 2 ? "%.8e" : "%.9g", (double)f);
    expect(fabs(through_text(text) - (double)f) <= 6e-9 * (double)f && (float)through_text(text) - f <= 0 &&
               f - (float)through_text(text) <= 0,
           "nine digits keep every bit of single precision", j);
  }
}

/* ---- files on disk ---- */

static int write_file(const char *path, const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  const int bad = !file || fwrite(bytes, 1, size, file) != size;
  return (file && fclose(file) != 0) || bad;
}

static void test_files(const char *path) {
  static const struct {
    const char *path;
    size_t n;
    double volume;
  } known[] = {{"examples/data/sphere.stl", 3798, 4188.79},
               {"examples/data/cylinder.stl", 4460, 1256.64},
               {"examples/data/box.stl", 7012, 5184}};
  const size_t n = 5000, size = 84 + 50 * n; /* larger than the first block of memory */
  char *large = (char *)allocate(size);
  stl_file stl;
  size_t i, k;
  memcpy(large, binary, 80);
  put_u32(large + 80, (unsigned long)n);
  for (i = 0; i < n; i++) {
    memcpy(large + 84 + 50 * i, binary + 84 + 50 * (i % 2), 50);
  }
  expect(!write_file(path, large, size) && !stl_read(&stl, path, message, sizeof message) && stl.n == n &&
             stl.contrary == n / 2 && memcmp(stl.corners + 9 * (n - 2), square, sizeof square) == 0,
         "a large file", 0);
  stl_free(&stl);
  free(large);
  expect(!write_file(path, several, strlen(several)) && !stl_read(&stl, path, message, sizeof message) && stl.n == 2,
         "a text file", 0);
  stl_free(&stl);
  remove(path);
  refuse_missing(path);
  for (k = 0; k < sizeof known / sizeof known[0]; k++) {
    double volume = 0;
    message[0] = '\0';
    expect(!stl_read(&stl, known[k].path, message, sizeof message) && stl.n == known[k].n && stl.contrary == 0, known[k].path,
           0);
    for (i = 0; i < stl.n; i++) {
      const double *u = stl.corners + 9 * i, *v = u + 3, *w = u + 6;
      int d;
      for (d = 0; d < 3; d++) {
        volume += u[d] * (v[(d + 1) % 3] * w[(d + 2) % 3] - v[(d + 2) % 3] * w[(d + 1) % 3]) / 6;
      }
    }
    expect(fabs(volume / known[k].volume - 1) < 5e-3, "volume", (long)k);
    stl_free(&stl);
  }
}

/* test_stl [FILE that may be written], from the root of the repository */
int main(int argc, char **argv) {
  static const char letters[] = "0123456789+-.eEnaisoldfctrmuptvxN \t\r\n";
  static const char bits[] = {0, 1, 2, 3, '\x7f', '\xff', '\x80', '\x3f', 's', 'o'};
  make_binary();
  test_whole(plain, strlen(plain), 0, "two facets of a square");
  test_whole(several, strlen(several), 0, "");
  test_whole(binary, sizeof binary, 1, "solid by its name only");
  test_cut(plain, strlen(plain));
  test_cut(several, strlen(several));
  test_cut(binary, sizeof binary);
  test_absurd_text();
  test_dialects();
  test_absurd_binary();
  test_dense();
  test_numbers();
  test_flips(plain, strlen(plain), letters, sizeof letters - 1, 6);
  test_flips(several, strlen(several), letters, sizeof letters - 1, 6);
  test_flips(binary, sizeof binary, bits, sizeof bits, 6);
  test_files(argc > 1 ? argv[1] : "test_stl.tmp");
  return finish();
}
