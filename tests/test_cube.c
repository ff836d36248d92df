/* The cube reader of the examples against whole, cut, corrupted and absurd files. */
#include "../examples/cube.h"

#define READER_FILE cube_file
#define READER_PARSE cube_parse
#define READER_READ cube_read
#define READER_FREE cube_free
#include "reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int sound(const cube_file *cube, size_t size) {
  const size_t count = cube->n[0] * cube->n[1] * cube->n[2] * cube->nvalues;
  size_t i, bad = 0;
  for (i = 0; i < count; i++) {
    bad += !(fabs(cube->values[i]) <= 1e300);
  }
  return bad == 0 && count > 0 && count <= size;
}

static int empty(const cube_file *cube) { return !cube->values && !cube->atoms && !cube->ids; }

#define HEAD "a water molecule\nsome values\n"
#define AXES "2 0.5 0 0\n1 0 0.5 0\n3 0 0 0.5\n"
#define ATOM "8 8.0 0 0 0.125\n"

static const char plain[] = HEAD " 1 -1.5 0.0 2.25\n" AXES ATOM " 1.0E-1 -2D+00 .5\n 4. 5 -6.25e-3 \n";
static const char orbitals[] = HEAD "-1 0 0 0 2\n" AXES ATOM "2\n 5 6\n 1 2 3 4 5 6\n 7 8 9 10 11 12\n";

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

/* Of the last number digits may be missing, since the last line may lack its end, but not what makes it a number. */
static void test_cut(const char *text) {
  size_t size = strlen(text), last, cut;
  while (cube_is_space_(text[size - 1])) {
    size--;
  }
  for (last = size; !cube_is_space_(text[last - 1]); last--) {
  }
  for (cut = 0; cut <= strlen(text); cut++) {
    const char before = cut ? text[cut - 1] : ' ';
    const int whole = cut > size || (cut > last && (file_is_digit(before) || (before == '.' && file_is_digit(text[cut - 2]))));
    cube_file cube;
    const int status = parse(&cube, text, cut);
    expect((status == 0) == whole, "a cut file is refused", (long)cut);
    cube_free(&cube);
  }
}

/* Values of files that other programs write: the numbers of `text`, and how far a step and an atom are. */
static void test_spelled(const char *text, double first, double step, double z, const char *what) {
  cube_file cube;
  const int status = parse(&cube, text, strlen(text));
  expect(status == 0, what, status);
  if (status == 0) {
    expect(fabs(cube.values[0] / first - 1) < 1e-15 && fabs(cube.axis[2][2] - step) < 1e-12, what, 1);
    expect(strcmp(cube.comment[0], "a water molecule") == 0, what, 3);
    expect(cube.natoms == 1 && fabs(cube.atoms[0].position[2] - z) < 1e-12, what, 2);
  }
  cube_free(&cube);
}

static void test_dialects(void) {
  test_spelled(HEAD " 1 0 0 0\n" AXES ATOM "0.12345-102 1 2\n3 4 -5.5+101", 0.12345e-102, 0.5, 0.125,
               "exponents by their sign alone, and no end of the last line");
  test_spelled(HEAD " 1 0 0 0\n" AXES "8 8.0 0 0 0.125-100\n"
                    "1D0 1 2\n3 4 5",
               1, 0.5, 0.125e-100, "in the header, too");
  test_spelled("\xef\xbb\xbf" HEAD " 1 0 0 0\n" AXES ATOM "3 1 2 3 4 5\n", 3, 0.5, 0.125, "a mark of UTF-8");
  test_spelled(HEAD " 1 1 0 0\n-2 0.5 0 0\n-1 0 0.5 0\n-3 0 0 0.529177210903\n8 8 0 0 1.058354421806\n3 1 2 3 4 5\n", 3, 1, 2,
               "all lengths in Angstrom");
  test_spelled(HEAD "    1-1000.123456-1000.123456-1000.123456\n" AXES "    8    8.000000-1000.123456-1000.123456-1000.123456\n"
                    "-3.00000E+00-1.00000E+00-1.00000E+00 1 1 1\n",
               -3, 0.5, -1000.123456, "columns that touch");
  test_spelled(HEAD " 1 0 0 0\n" AXES ATOM "-0.12345-102-0.12345-102-0.12345+102 1 1 1\n", -0.12345e-102, 0.5, 0.125,
               "columns that touch, exponents by their sign alone");
  test_spelled(HEAD " 1 0 0 0\n" AXES ATOM "0.500000-100.250000-100.250000 1 1 1\n", 0.5, 0.5, 0.125, "no exponents");
  refuse(HEAD " 1 0 0 0\n" AXES ATOM "0.12345-10 1 2 3 4 5\n6\n", "line 8:", "an exponent of two digits by its sign alone");
  refuse(HEAD "0 0 0 0\n-2 0.5 0 0\n1 0 0.5 0\n-3 0 0 0.5\n1 2 3 4 5 6\n", "line 5:", "bohr and Angstrom");
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
      expect(again.nvalues == cube.nvalues && again.n[0] == cube.n[0] && again.n[1] == cube.n[1] && again.n[2] == cube.n[2] &&
                 memcmp(again.values, cube.values, count * sizeof *cube.values) == 0,
             "17 significant digits keep every bit", (long)k);
    }
    cube_free(&again);
    cube.values[0] = HUGE_VAL;
    expect(cube_write(&cube, path, 16, message, sizeof message) != 0, "infinity is not written", (long)k);
    cube_free(&cube);
  }
  remove(path);
  refuse_missing(path);
}

/* test_cube [FILE that may be written] */
int main(int argc, char **argv) {
  static const char letters[] = "0123456789+-.eEdDxnai \t\r\n";
  test_whole();
  test_cut(plain);
  test_cut(orbitals);
  test_dialects();
  test_absurd();
  test_flips(plain, strlen(plain), letters, sizeof letters - 1, 6);
  test_flips(orbitals, strlen(orbitals), letters, sizeof letters - 1, 6);
  test_round_trip(argc > 1 ? argv[1] : "test_cube.tmp");
  return finish();
}
