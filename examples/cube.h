/* Gaussian cube files: a reader that refuses what it does not understand, and a writer.
 *
 * A cube file holds two comment lines, then
 *   natoms  origin[3]  [values per point]
 *   n[0]  axis[0][3]              points along the first axis, and the step from one to the next, in bohr; where all three
 *                                 numbers of points are negative, all lengths of the file are in Angstrom, and become bohr
 *   n[1]  axis[1][3]
 *   n[2]  axis[2][3]
 *   number  charge  position[3]   one line for each atom
 *   count  id...                  only when natoms is negative: how many values each point has, and their names
 *   the values
 * The values are kept in the order of the file: all values of a point together, then the LAST axis fastest,
 *   values[((i0 * n[1] + i1) * n[2] + i2) * nvalues + k].
 * So, with one value per point, a cube file is a grid of the library with nx = n[2], ny = n[1], nz = n[0]:
 * the library's x is the file's z.
 *
 * Functions return 0, or -1 with a message that names the line. The caller releases a cube with cube_free.
 * Numbers are read and written with a decimal point whatever the locale; an exponent may be spelled E or D, or by its sign alone, as
 * Fortran writes those of three digits. Columns may touch where a number begins with a sign. */
#ifndef CUBE_H
#define CUBE_H

#include "file.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A larger file is refused; define it before the inclusion to read more. */
#ifndef CUBE_MAX_BYTES
#define CUBE_MAX_BYTES ((size_t)1 << 31)
#endif

#define CUBE_BOHR 0.529177210903 /* in Angstrom, CODATA 2018 */
#define CUBE_COMMENT_SIZE 128
#define CUBE_TOKEN_SIZE 64

typedef struct cube_atom {
  int number;
  double charge;
  double position[3];
} cube_atom;

typedef struct cube_file {
  char comment[2][CUBE_COMMENT_SIZE]; /* cut to this length; control characters become '?' */
  size_t n[3];
  size_t nvalues; /* per point, 1 in most files */
  size_t natoms;
  double origin[3];
  double axis[3][3];
  cube_atom *atoms; /* natoms of them */
  int *ids;         /* nvalues names, or NULL when the file has none */
  double *values;   /* n[0] n[1] n[2] nvalues of them */
} cube_file;

/* ---- reading ----
 * The words and numbers of a text with their checks; molden.h reads by them too. */

static inline void cube_free(cube_file *cube) {
  free(cube->atoms);
  free(cube->ids);
  free(cube->values);
  memset(cube, 0, sizeof *cube);
}

static inline int cube_is_space_(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static inline void cube_skip_blanks_(file_reader *r) {
  while (r->at < r->end && cube_is_space_(*r->at) && *r->at != '\n') {
    r->at++;
  }
}

static inline void cube_skip_space_(file_reader *r) {
  while (r->at < r->end && cube_is_space_(*r->at)) {
    r->line += *r->at == '\n';
    r->at++;
  }
}

static inline int cube_token_(file_reader *r, const char *what, char token[CUBE_TOKEN_SIZE]) {
  size_t length = 0;
  if (r->at == r->end) {
    return file_fail(r, "the file ends before %s", what);
  }
  if (*r->at == '\n') {
    return file_fail(r, "the line ends before %s", what);
  }
  while (r->at < r->end && !cube_is_space_(*r->at)) {
    if (length + 1 == CUBE_TOKEN_SIZE) {
      return file_fail(r, "%s is too long", what);
    }
    token[length++] = *r->at++;
  }
  token[length] = '\0';
  /* An embedded zero byte would hide the rest of the token. */
  if (strlen(token) != length) {
    return file_fail(r, "%s is not a number", what);
  }
  return 0;
}

/* Passes over a number that ends at `end`: white space follows it, the end of the file, or the sign of the next number, where columns
 * touch. NULL: it is no number. */
static inline int cube_pass_(file_reader *r, const char *what, const char *kind, const char *end) {
  char token[CUBE_TOKEN_SIZE];
  if (end && end - r->at < CUBE_TOKEN_SIZE && (end == r->end || cube_is_space_(*end) || *end == '+' || *end == '-')) {
    r->at = end;
    return 0;
  }
  return cube_token_(r, what, token) ? -1 : file_fail(r, "%s is not a %s", what, kind);
}

/* The grammar is checked first, because strtod also takes hexadecimal, inf and nan. */
static inline int cube_double_(file_reader *r, const char *what, double *value) {
  const char *t = r->at, *exponent = NULL, *end = file_decimal_end(t, r->end, &exponent), *point = localeconv()->decimal_point;
  char local[CUBE_TOKEN_SIZE + 20], *u = local, *stop;
  size_t point_size = point ? strlen(point) : 0;
  if (cube_pass_(r, what, "number", end)) {
    return -1;
  }
  if (point_size == 0 || point_size > 15) {
    point = ".";
    point_size = 1;
  }
  for (; t < end && t != exponent && (file_is_digit(*t) || strchr("+-.", *t)); t++) {
    if (*t == '.') {
      memcpy(u, point, point_size);
      u += point_size;
    } else {
      *u++ = *t;
    }
  }
  if (exponent) {
    *u++ = 'e';
    memcpy(u, exponent, (size_t)(end - exponent));
    u += end - exponent;
  }
  *u = '\0';
  *value = strtod(local, &stop);
  if (*stop != '\0') {
    return file_fail(r, "%s is not a number", what);
  }
  if (!(fabs(*value) <= 1e300)) {
    return file_fail(r, "%s is too large", what);
  }
  return 0;
}

static inline int cube_long_(file_reader *r, const char *what, long *value) {
  const char *t = r->at, *end;
  const int negative = t < r->end && *t == '-';
  long v = 0;
  t += t < r->end && (*t == '+' || *t == '-');
  for (end = t; end < r->end && file_is_digit(*end); end++) {
  }
  if (cube_pass_(r, what, "whole number", end > t ? end : NULL)) {
    return -1;
  }
  for (; t < end; t++) {
    /* int everywhere else: a count beyond it cannot be meant */
    if (v > (INT_MAX - 9) / 10) {
      return file_fail(r, "%s is too large", what);
    }
    v = 10 * v + (*t - '0');
  }
  *value = negative ? -v : v;
  return 0;
}

/* The last line of a file may lack its end. */
static inline int cube_end_line_(file_reader *r) {
  cube_skip_blanks_(r);
  if (r->at < r->end && *r->at != '\n') {
    return file_fail(r, "something follows the last number of this line");
  }
  if (r->at < r->end) {
    r->at++;
    r->line++;
  }
  return 0;
}

static inline int cube_doubles_(file_reader *r, const char *what, double *value, int count) {
  int i;
  for (i = 0; i < count; i++) {
    cube_skip_blanks_(r);
    if (cube_double_(r, what, &value[i])) {
      return -1;
    }
  }
  return 0;
}

static inline int cube_comment_(file_reader *r, char comment[CUBE_COMMENT_SIZE]) {
  size_t length = 0;
  for (; r->at < r->end && *r->at != '\n'; r->at++) {
    if (length + 1 < CUBE_COMMENT_SIZE && *r->at != '\r') {
      const unsigned char c = (unsigned char)*r->at;
      comment[length++] = c < 32 || c == 127 ? '?' : *r->at;
    }
  }
  while (length && comment[length - 1] == ' ') {
    length--;
  }
  comment[length] = '\0';
  return cube_end_line_(r);
}

/* The volume that one point stands for, in bohr cubed. */
static inline double cube_cell_volume(const cube_file *cube) {
  const double(*a)[3] = cube->axis;
  return fabs(a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) + a[0][1] * (a[1][2] * a[2][0] - a[1][0] * a[2][2]) +
              a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]));
}

/* A number and the white space behind it take two bytes or more: what is left of the text bounds every count,
 * before anything is allocated for it. */
static inline size_t cube_room_(const file_reader *r) { return (size_t)(r->end - r->at) / 2; }

static inline int cube_parse_(file_reader *r, void *result) {
  cube_file *const cube = (cube_file *)result;
  size_t i, count;
  long number = 0, natoms = 0;
  double volume, unit;
  int d, e, negative = 0;
  file_skip_mark(r);
  if (cube_comment_(r, cube->comment[0]) || cube_comment_(r, cube->comment[1])) {
    return -1;
  }
  cube_skip_blanks_(r);
  if (cube_long_(r, "the number of atoms", &natoms) || cube_doubles_(r, "the origin", cube->origin, 3)) {
    return -1;
  }
  cube->nvalues = 1;
  cube_skip_blanks_(r);
  if (r->at < r->end && *r->at != '\n') {
    if (cube_long_(r, "the number of values per point", &number)) {
      return -1;
    }
    if (number <= 0) {
      return file_fail(r, "the number of values per point must be positive");
    }
    cube->nvalues = (size_t)number;
  }
  if (cube_end_line_(r)) {
    return -1;
  }
  for (d = 0; d < 3; d++) {
    cube_skip_blanks_(r);
    if (cube_long_(r, "the number of points", &number)) {
      return -1;
    }
    if (number == 0) {
      return file_fail(r, "the number of points along axis %d must not be 0", d + 1);
    }
    negative += number < 0;
    if (negative != 0 && negative != d + 1) {
      return file_fail(r, "the number of points along axis %d must have the sign of the others: + for bohr, - for Angstrom",
                       d + 1);
    }
    cube->n[d] = (size_t)labs(number);
    if (cube_doubles_(r, "the step", cube->axis[d], 3) || cube_end_line_(r)) {
      return -1;
    }
  }
  volume = cube_cell_volume(cube);
  if (!(volume > 0 && volume <= 1e300)) {
    r->line--;
    return file_fail(r, "the three steps span no volume");
  }

  unit = negative ? 1 / CUBE_BOHR : 1;
  for (d = 0; d < 3; d++) {
    cube->origin[d] *= unit;
    for (e = 0; e < 3; e++) {
      cube->axis[d][e] *= unit;
    }
  }
  cube->natoms = (size_t)labs(natoms);
  if (cube->natoms > cube_room_(r) / 5) {
    return file_fail(r, "the file is too short for %lu atoms", (unsigned long)cube->natoms);
  }
  if (cube->natoms) {
    cube->atoms = (cube_atom *)malloc(cube->natoms * sizeof *cube->atoms);
    if (!cube->atoms) {
      return file_fail(r, "not enough memory for %lu atoms", (unsigned long)cube->natoms);
    }
  }
  for (i = 0; i < cube->natoms; i++) {
    cube_skip_blanks_(r);
    if (cube_long_(r, "the atomic number", &number) || cube_doubles_(r, "the charge", &cube->atoms[i].charge, 1) ||
        cube_doubles_(r, "the position", cube->atoms[i].position, 3) || cube_end_line_(r)) {
      return -1;
    }
    for (d = 0; d < 3; d++) {
      cube->atoms[i].position[d] *= unit;
    }
    cube->atoms[i].number = (int)number;
  }

  if (natoms < 0) {
    cube_skip_space_(r);
    if (cube_long_(r, "the number of orbitals", &number)) {
      return -1;
    }
    if (number <= 0 || (cube->nvalues != 1 && (size_t)number != cube->nvalues)) {
      return file_fail(r, "%ld orbitals announced, %lu values per point", number, (unsigned long)cube->nvalues);
    }
    cube->nvalues = (size_t)number;
    if (cube->nvalues > cube_room_(r)) {
      return file_fail(r, "the file is too short for %lu orbitals", (unsigned long)cube->nvalues);
    }
    cube->ids = (int *)malloc(cube->nvalues * sizeof *cube->ids);
    if (!cube->ids) {
      return file_fail(r, "not enough memory for %lu orbitals", (unsigned long)cube->nvalues);
    }
    for (i = 0; i < cube->nvalues; i++) {
      cube_skip_space_(r);
      if (cube_long_(r, "the name of an orbital", &number)) {
        return -1;
      }
      cube->ids[i] = (int)number;
    }
    if (cube_end_line_(r)) {
      return -1;
    }
  }

  count = cube->nvalues;
  for (d = 0; d < 3; d++) {
    /* as a division, so that the product never overflows */
    if (count > cube_room_(r) / cube->n[d]) {
      return file_fail(r, "the file is too short for %lu x %lu x %lu points of %lu", (unsigned long)cube->n[0],
                       (unsigned long)cube->n[1], (unsigned long)cube->n[2], (unsigned long)cube->nvalues);
    }
    count *= cube->n[d];
  }
  if (count > (size_t)-1 / sizeof *cube->values) {
    return file_fail(r, "%lu values do not fit in memory", (unsigned long)count);
  }
  cube->values = (double *)malloc(count * sizeof *cube->values);
  if (!cube->values) {
    return file_fail(r, "not enough memory for %lu values", (unsigned long)count);
  }
  for (i = 0; i < count; i++) {
    cube_skip_space_(r);
    if (r->at == r->end) {
      return file_fail(r, "the file ends after %lu of %lu values", (unsigned long)i, (unsigned long)count);
    }
    if (cube_double_(r, "a value", &cube->values[i])) {
      return -1;
    }
  }
  cube_skip_space_(r);
  if (r->at < r->end) {
    return file_fail(r, "something follows the last of %lu values", (unsigned long)count);
  }
  return 0;
}

static inline void cube_release_(void *cube) { cube_free((cube_file *)cube); }
static const file_format cube_format_ = {sizeof(cube_file), CUBE_MAX_BYTES, 1, cube_parse_, cube_release_};

/* Reads a cube from text[0..size-1]. message, which may be NULL, is written only on failure; *cube is then empty. */
static inline int cube_parse(cube_file *cube, const char *text, size_t size, char *message, size_t message_size) {
  return file_parse(&cube_format_, cube, text, size, message, message_size);
}

/* The same from a file. */
static inline int cube_read(cube_file *cube, const char *path, char *message, size_t message_size) {
  return file_read(&cube_format_, cube, path, message, message_size);
}

/* ---- writing ---- */

#define CUBE_VALUE_SIZE (CUBE_TOKEN_SIZE + 400) /* of a value as text, with a zero byte */

/* value with `digits` digits behind a decimal point, right-aligned, one blank before it; the length, or -1 */
static inline int cube_text_(char text[CUBE_VALUE_SIZE], int width, int digits, char form, double value) {
  const char *point = localeconv()->decimal_point;
  char *at;
  size_t size = point ? strlen(point) : 0;
  int length = snprintf(text, CUBE_VALUE_SIZE, form == 'E' ? " %*.*E" : " %*.*f", width, digits, value);
  if (length < 0 || length >= CUBE_VALUE_SIZE) {
    return -1;
  }
  at = size ? strstr(text, point) : NULL;
  if (at) {
    *at = '.';
    memmove(at + 1, at + size, strlen(at + size) + 1);
    length -= (int)size - 1;
  }
  return length;
}

static inline int cube_put_(FILE *file, int width, int digits, char form, double value) {
  char text[CUBE_VALUE_SIZE];
  return cube_text_(text, width, digits, form, value) < 0 || fputs(text, file) == EOF ? -1 : 0;
}

/* Each line of points along the last axis starts a new line of text, six numbers to a line. Negative values with an exponent of
 * three digits are one character wider than others: this is the size of `length` values as text. */
static inline size_t cube_row_size(const double *values, size_t length, int digits) {
  char text[CUBE_VALUE_SIZE];
  const char *point = localeconv()->decimal_point;
  const int long_point = point && strlen(point) > 1; /* a blank less is put before it */
  size_t size = length * (size_t)(digits + 8) + (length + 5) / 6, k;
  for (k = 0; k < length; k++) {
    const double x = fabs(values[k]);
    if ((x > 0 && x < 1e-98) || x > 1e98 || long_point) {
      size = size + (size_t)cube_text_(text, digits + 7, digits, 'E', values[k]) - (size_t)(digits + 8);
    }
  }
  return size;
}

/* The text, of that size and a zero byte behind it. */
static inline void cube_row_text(const double *values, size_t length, int digits, char *to) {
  char text[CUBE_VALUE_SIZE];
  size_t k;
  for (k = 0; k < length; k++) {
    const int size = cube_text_(text, digits + 7, digits, 'E', values[k]);
    memcpy(to, text, (size_t)size);
    to += size;
    if (k % 6 == 5 || k + 1 == length) {
      *to++ = '\n';
    }
  }
  *to = '\0';
}

/* Everything before the values; not 0 where that fails. */
static inline int cube_put_header(const cube_file *cube, FILE *file) {
  size_t i, k;
  int d, e, bad = 0;
  bad |= fprintf(file, "%s\n%s\n", cube->comment[0], cube->comment[1]) < 0;
  bad |= fprintf(file, "%5ld", cube->ids ? -(long)cube->natoms : (long)cube->natoms) < 0;
  for (e = 0; e < 3; e++) {
    bad |= cube_put_(file, 11, 6, 'f', cube->origin[e]) != 0;
  }
  if (cube->nvalues > 1 && !cube->ids) {
    bad |= fprintf(file, " %4lu", (unsigned long)cube->nvalues) < 0;
  }
  bad |= fputc('\n', file) == EOF;
  for (d = 0; d < 3; d++) {
    bad |= fprintf(file, "%5lu", (unsigned long)cube->n[d]) < 0;
    for (e = 0; e < 3; e++) {
      bad |= cube_put_(file, 11, 6, 'f', cube->axis[d][e]) != 0;
    }
    bad |= fputc('\n', file) == EOF;
  }
  for (i = 0; i < cube->natoms; i++) {
    bad |= fprintf(file, "%5d", cube->atoms[i].number) < 0;
    bad |= cube_put_(file, 11, 6, 'f', cube->atoms[i].charge) != 0;
    for (e = 0; e < 3; e++) {
      bad |= cube_put_(file, 11, 6, 'f', cube->atoms[i].position[e]) != 0;
    }
    bad |= fputc('\n', file) == EOF;
  }
  if (cube->ids) {
    bad |= fprintf(file, "%5lu", (unsigned long)cube->nvalues) < 0;
    for (k = 0; k < cube->nvalues; k++) {
      bad |= fprintf(file, " %4d%s", cube->ids[k], k + 1 == cube->nvalues ? "\n" : k % 10 == 8 ? "\n" : "") < 0;
    }
  }
  return bad;
}

/* A value that cube_read would not take, or `count`. */
static inline size_t cube_unfit(const double *values, size_t count) {
  size_t i = 0;
  while (i < count && fabs(values[i]) <= 1e300) {
    i++;
  }
  return i;
}

/* Writes a cube with `digits` digits behind the point: 5 is customary, 16 keeps every bit of the values. A value that
 * cube_read would not take is refused before the file is touched. */
static inline int cube_write(const cube_file *cube, const char *path, int digits, char *message, size_t message_size) {
  const file_reader r = file_reader_of(NULL, 0, 0, message, message_size);
  FILE *file;
  char *text;
  size_t i, unfit, count = cube->nvalues;
  int d, bad = 0;
  if (digits < 1 || digits > 17) {
    return file_fail(&r, "the number of digits must lie in 1..17");
  }
  /* a minus sign in front of the number of atoms announces the names, so there must be an atom to carry it */
  if (cube->nvalues == 0 || cube->natoms > INT_MAX || cube->nvalues > INT_MAX || (cube->ids && !cube->natoms)) {
    return file_fail(&r, "the numbers of atoms and of values per point must fit a cube file");
  }
  for (d = 0; d < 3; d++) {
    if (cube->n[d] == 0 || cube->n[d] > INT_MAX || count > (size_t)-1 / cube->n[d]) {
      return file_fail(&r, "the number of points along axis %d must fit a cube file", d + 1);
    }
    count *= cube->n[d];
  }
  unfit = cube_unfit(cube->values, count);
  if (unfit < count) {
    return file_fail(&r, "value %lu is not finite or above 1e300", (unsigned long)unfit);
  }
  file = fopen(path, "wb");
  if (!file) {
    return file_fail(&r, "cannot open the file: %s", strerror(errno));
  }
  bad |= cube_put_header(cube, file);
  for (i = 0; i < cube->n[0] * cube->n[1] && !bad; i++) {
    const size_t length = cube->n[2] * cube->nvalues;
    const size_t size = cube_row_size(cube->values + i * length, length, digits);
    text = (char *)malloc(size + 1);
    bad |= !text;
    if (text) {
      cube_row_text(cube->values + i * length, length, digits, text);
      bad |= fwrite(text, 1, size, file) != size;
    }
    free(text);
  }
  bad |= fclose(file) != 0;
  return bad ? file_fail(&r, "cannot write the file") : 0;
}

#endif
