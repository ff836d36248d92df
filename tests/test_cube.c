/* The cube reader of the examples against whole, cut, corrupted and absurd files.
 * Each text is parsed from memory of exactly its size, so that a sanitizer sees a read beyond it. */
#include "../examples/cube.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long passed, failed;
static char message[200];

static void expect(int good, const char *what, long detail) {
  if (good) {
    passed++;
  } else {
    failed++;
    printf("FAILED: %s (%ld): %s\n", what, detail, message);
  }
}

/* Parses a copy that ends where the text ends, and checks what must hold for any outcome. */
static int parse(cube_file *cube, const char *text, size_t size) {
  char *copy = (char *)malloc(size ? size : 1);
  int status;
  if (!copy) {
    exit(2);
  }
  memcpy(copy, text, size);
  message[0] = '\0';
  status = cube_parse(cube, copy, size, message, sizeof message);
  free(copy);
  if (status == 0) {
    size_t i, count = cube->n[0] * cube->n[1] * cube->n[2] * cube->nvalues;
    double sum = 0;
    for (i = 0; i < count; i++) {
      sum += fabs(cube->values[i]) <= 1e300 ? 0 : 1;
    }
    expect(sum == 0 && count > 0 && count <= size, "accepted values are finite and no more than the text can hold", 0);
  } else {
    expect(!cube->values && !cube->atoms && !cube->ids, "a refused cube is empty", 0);
    expect(strncmp(message, "line ", 5) == 0 && message[5] >= '1' && message[5] <= '9', "a refusal names the line", 0);
  }
  return status;
}

static void refuse(const char *text, const char *line, const char *what) {
  cube_file cube;
  const int status = parse(&cube, text, strlen(text));
  expect(status != 0 && strncmp(message, line, strlen(line)) == 0, what, status);
  cube_free(&cube);
}

#define HEAD "a water molecule\nsome values\n"
#define AXES "2 0.5 0 0\n1 0 0.5 0\n3 0 0 0.5\n"
#define ATOM "8 8.0 0 0 0.125\n"

static const char plain[] = HEAD " 1 -1.5 0.0 2.25\n" AXES ATOM " 1.0E-1 -2D+00 .5\n 4. 5 -6.25e-3 \n";
static const char orbitals[] = HEAD "-1 0 0 0 2\n" AXES ATOM "2\n 5 6\n 1 2 3 4 5 6\n 7 8 9 10 11 12\n";

static unsigned long random_state;
static unsigned long random_below(unsigned long n) {
  random_state = (random_state * 1103515245UL + 12345UL) & 0x7fffffffUL;
  return (random_state >> 8) % n;
}

static void test_whole(void) {
  static const double values[6] = {0.1, -2, 0.5, 4, 5, -6.25e-3};
  cube_file cube;
  expect(parse(&cube, plain, strlen(plain)) == 0, "a plain cube is read", 0);
  if (cube.values) {
    expect(cube.n[0] == 2 && cube.n[1] == 1 && cube.n[2] == 3 && cube.nvalues == 1, "numbers of points", 0);
    expect(cube.origin[0] <= -1.5 && cube.origin[2] >= 2.25, "origin", 0);
    expect(fabs(cube_cell_volume(&cube) - 0.125) < 1e-15, "cell volume", 0);
    expect(cube.natoms == 1 && cube.atoms[0].number == 8 && cube.atoms[0].position[2] >= 0.125, "atom", 0);
    expect(memcmp(cube.values, values, sizeof values) == 0, "values in the order of the file", 0);
    expect(strcmp(cube.comment[0], "a water molecule") == 0, "comment", 0);
  }
  cube_free(&cube);
  expect(parse(&cube, orbitals, strlen(orbitals)) == 0, "a cube of two orbitals is read", 0);
  if (cube.values) {
    expect(cube.nvalues == 2 && cube.ids && cube.ids[1] == 6 && cube.values[11] >= 12, "two values per point", 0);
  }
  cube_free(&cube);
}

/* Only the white space behind the last number may be missing, save one byte of it. */
static void test_cut(const char *text, size_t trailing) {
  const size_t size = strlen(text);
  size_t cut;
  for (cut = 0; cut < size; cut++) {
    cube_file cube;
    const int status = parse(&cube, text, cut);
    expect((status == 0) == (cut + trailing > size), "a cut file is refused", (long)cut);
    cube_free(&cube);
  }
}

static void test_flips(const char *text) {
  const size_t size = strlen(text);
  size_t at;
  char *copy = (char *)malloc(size);
  if (!copy) {
    exit(2);
  }
  /* every byte in turn becomes every other byte */
  for (at = 0; at < size; at++) {
    int byte;
    for (byte = 0; byte < 256; byte++) {
      cube_file cube;
      memcpy(copy, text, size);
      copy[at] = (char)byte;
      parse(&cube, copy, size);
      cube_free(&cube);
    }
  }
  /* several at once, drawn from what means something in a cube file */
  for (at = 0; at < 20000; at++) {
    static const char alphabet[] = "0123456789+-.eEdDxnai \t\r\n";
    unsigned long changes = 1 + random_below(6);
    cube_file cube;
    memcpy(copy, text, size);
    while (changes--) {
      copy[random_below((unsigned long)size)] = alphabet[random_below(sizeof alphabet - 1)];
    }
    parse(&cube, copy, size);
    cube_free(&cube);
  }
  free(copy);
}

static void test_absurd(void) {
  refuse("", "line 1:", "empty file");
  refuse(HEAD "1000000000 0 0 0\n" AXES ATOM "1 2 3 4 5 6\n", "line 7:", "a billion atoms");
  refuse(HEAD "99999999999999999999999 0 0 0\n" AXES, "line 3:", "more atoms than an integer holds");
  refuse(HEAD "-2147483648 0 0 0\n" AXES, "line 3:", "the most negative number of atoms");
  refuse(HEAD "0 0 0 0\n2000000000 1 0 0\n2000000000 0 1 0\n2000000000 0 0 1\n1\n", "line 7:", "8e27 points");
  refuse(HEAD "0 0 0 0\n65536 1 0 0\n65536 0 1 0\n65536 0 0 1\n1\n", "line 7:", "2^48 points");
  refuse(HEAD "0 0 0 0 2000000000\n1 1 0 0\n1 0 1 0\n1 0 0 1\n1\n", "line 7:", "2e9 values per point");
  refuse(HEAD "0 0 0 0 0\n" AXES "1 2 3 4 5 6\n", "line 3:", "no value per point");
  refuse(HEAD "-1 0 0 0\n" AXES ATOM "2000000000 1 2\n1 2 3 4 5 6\n", "line 8:", "2e9 orbitals");
  refuse(HEAD "-1 0 0 0\n" AXES ATOM "0\n1 2 3 4 5 6\n", "line 8:", "no orbital");
  refuse(HEAD "-1 0 0 0\n" AXES ATOM "-1 5\n1 2 3 4 5 6\n", "line 8:", "a negative number of orbitals");
  refuse(HEAD "-1 0 0 0 3\n" AXES ATOM "2 5 6\n1 2 3 4 5 6\n", "line 8:", "two numbers of orbitals");
  refuse(HEAD "0 0 0 0\n0 1 0 0\n1 0 1 0\n1 0 0 1\n1\n", "line 4:", "no point");
  refuse(HEAD "0 0 0 0\n1 1 0 0\n-1 0 1 0\n1 0 0 1\n1\n", "line 5:", "a negative number of points");
  refuse(HEAD "0 0 0 0\n1.5 1 0 0\n1 0 1 0\n1 0 0 1\n1\n", "line 4:", "a fraction of a point");
  refuse(HEAD "0 0 0 0\n1 1 0 0\n1 0 1 0\n1 1 1 0\n1\n", "line 6:", "steps in one plane");
  refuse(HEAD "0 0 0 0\n1 1e200 0 0\n1 0 1e200 0\n1 0 0 1e200\n1\n", "line 6:", "steps whose volume overflows");
  refuse(HEAD "0 nan 0 0\n" AXES "1 2 3 4 5 6\n", "line 3:", "nan");
  refuse(HEAD "0 0 0 0\n" AXES "1 2 inf 4 5 6\n", "line 7:", "inf");
  refuse(HEAD "0 0 0 0\n" AXES "1 2\n3 4\n1e999 6\n", "line 9:", "overflow of a value");
  refuse(HEAD "0 0 0 0\n" AXES "1 2 0x3 4 5 6\n", "line 7:", "hexadecimal");
  refuse(HEAD "0 0 0 0\n" AXES "1 2 3,5 4 5 6\n", "line 7:", "decimal comma");
  refuse(HEAD "0 0 0 0\n" AXES "1 2 3e 4 5 6\n", "line 7:", "an exponent without digits");
  refuse(HEAD "0 0 0 0\n" AXES "1 2 . 4 5 6\n", "line 7:", "a point without digits");
  refuse(HEAD "0 0 0 0\n" AXES "1 2 3 4 5   \n", "line 8:", "a value too few");
  refuse(HEAD "0 0 0 0\n" AXES "1 2 3 4 5 6\n7\n", "line 8:", "a value too many");
  refuse(HEAD "0 0 0\n" AXES "1 2 3 4 5 6\n", "line 3:", "a short line");
  refuse(HEAD "1 0 0 0\n" AXES "8 8 0 0 0 0\n1 2 3 4 5 6\n", "line 7:", "a long line");
  refuse(HEAD "0 0 0 0\n" AXES "1 2 3 4 5 "
              "0000000000000000000000000000000000000000000000000000000000000000000000000006\n",
         "line 7:", "a number longer than any");
}

static void test_round_trip(const char *path) {
  cube_file cube, again;
  size_t k;
  message[0] = '\0';
  for (k = 0; k < 2; k++) {
    const char *text = k ? orbitals : plain;
    int status;
    if (parse(&cube, text, strlen(text))) {
      return;
    }
    cube.values[1] = 1.0 / 3;
    cube.values[2] = -1e-300;
    status = cube_write(&cube, path, 16, message, sizeof message);
    expect(status == 0, "a cube is written", (long)k);
    status = cube_read(&again, path, message, sizeof message);
    expect(status == 0, "what was written is read", (long)k);
    if (status == 0) {
      const size_t count = cube.n[0] * cube.n[1] * cube.n[2] * cube.nvalues;
      expect(again.nvalues == cube.nvalues && again.n[0] == cube.n[0] && again.n[1] == cube.n[1] &&
                 again.n[2] == cube.n[2] && memcmp(again.values, cube.values, count * sizeof *cube.values) == 0,
             "17 significant digits keep every bit", (long)k);
    }
    cube_free(&again);
    cube.values[0] = HUGE_VAL;
    expect(cube_write(&cube, path, 16, message, sizeof message) != 0, "infinity is not written", (long)k);
    cube_free(&cube);
  }
  remove(path);
  expect(cube_read(&cube, path, message, sizeof message) != 0, "a missing file is refused", 0);
}

/* test_cube [FILE that may be written] */
int main(int argc, char **argv) {
  random_state = 20240229;
  test_whole();
  test_cut(plain, 2);
  test_cut(orbitals, 1);
  test_absurd();
  test_flips(plain);
  test_flips(orbitals);
  test_round_trip(argc > 1 ? argv[1] : "test_cube.tmp");
  printf("%lu passed, %lu failed, 0 skipped\n", passed, failed);
  return failed != 0;
}
