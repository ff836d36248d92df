/* STL files, binary and ASCII: a reader that refuses what it does not understand.
 *
 * A binary file holds 80 bytes of anything, the number of triangles, and for each triangle 50 bytes, little-endian:
 *   normal[3]  corner[3][3]   as 4-byte floats
 *   two bytes of anything
 * Some programs leave the number 0, or write some bytes more: all triangles that the file holds are read, and less than one may follow.
 * An ASCII file holds one solid or several, with as much white space as it likes between the words, in either case:
 *   solid  name up to the end of the line
 *     facet normal  x y z  outer loop  vertex  x y z  vertex  x y z  vertex  x y z  endloop endfacet
 *     ...
 *   endsolid  name up to the end of the line        or end solid
 * The corners are kept as nine numbers a triangle, in the order of the file, which is that of convk_mesh_from_triangles:
 * seen from outside the body they run anticlockwise. The normals say the same again and are only compared with the corners.
 *
 * Functions return 0, or -1 with a message that names the line (ASCII) or the byte, from 0 (binary). The caller releases
 * what was read with stl_free. Numbers are read with a decimal point whatever the locale.
 * stl_parts.h reads binary files that are too large for memory. */
#ifndef STL_H
#define STL_H

#include "file.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file of this size or larger is refused; define it before the inclusion to read more. It must stay below 7e9, which is how
 * the two kinds are told apart: as a number of triangles, four characters of a text would announce a longer file. */
#ifndef STL_MAX_BYTES
#define STL_MAX_BYTES ((size_t)1 << 31)
#endif

#define STL_NAME_SIZE 81
#define STL_TOKEN_SIZE 64
#define STL_BINARY_HEAD_ 84
#define STL_BINARY_FACET_ 50
#define STL_ASCII_FACET_ 86 /* the shortest: every number one digit, one byte of white space after every word */

typedef struct stl_file {
  char name[STL_NAME_SIZE]; /* of the first solid, cut to this length; control characters become '?' */
  int binary;
  size_t n;        /* triangles, at least one */
  size_t contrary; /* of them, those whose normal points against their corners */
  double *corners; /* 9 n numbers: triangle, corner, coordinate */
} stl_file;

static inline void stl_free(stl_file *stl) {
  free(stl->corners);
  memset(stl, 0, sizeof *stl);
}

static inline int stl_is_space_(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }
static inline char stl_lower_(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static inline void stl_skip_space_(file_reader *r) {
  for (; r->at < r->end && stl_is_space_(*r->at); r->at++) {
    r->line += *r->at == '\n';
  }
}

/* Blanks before and behind the name are none of it. */
static inline void stl_name_(stl_file *stl, const char *at, const char *end) {
  size_t length = 0;
  while (at < end && stl_is_space_(*at)) {
    at++;
  }
  for (; at < end && *at && length + 1 < STL_NAME_SIZE; at++) {
    const unsigned char c = (unsigned char)*at;
    stl->name[length++] = c < 32 || c == 127 ? stl_is_space_(*at) ? ' ' : '?' : *at;
  }
  while (length && stl->name[length - 1] == ' ') {
    length--;
  }
  stl->name[length] = '\0';
}

static inline int stl_allocate_(const file_reader *r, stl_file *stl, size_t n) {
  stl->corners = n <= (size_t)-1 / (9 * sizeof *stl->corners) ? (double *)malloc(n * 9 * sizeof *stl->corners) : NULL;
  return stl->corners ? 0 : file_fail(r, "not enough memory for %lu triangles", (unsigned long)n);
}

/* Do the normal of a triangle and its corners name opposite sides? A normal of zeros names none. */
static inline int stl_contrary_(const double normal[3], const double *v) {
  double along = 0;
  int d;
  for (d = 0; d < 3; d++) {
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    along += normal[d] * ((v[3 + e] - v[e]) * (v[6 + f] - v[f]) - (v[3 + f] - v[f]) * (v[6 + e] - v[e]));
  }
  return along < 0;
}

/* ---- binary ---- */

static inline unsigned long stl_u32_(const char *at) {
  const unsigned char *b = (const unsigned char *)at;
  return (unsigned long)b[0] | (unsigned long)b[1] << 8 | (unsigned long)b[2] << 16 | (unsigned long)b[3] << 24;
}

/* IEEE single precision, whatever the byte order of this machine. */
static inline double stl_float_(const char *at) {
  const uint32_t bits = (uint32_t)stl_u32_(at);
  float x;
  memcpy(&x, &bits, sizeof x);
  return (double)x;
}

/* What a binary file of `size` bytes says of its triangles; the reader holds its head at least. */
static inline int stl_binary_head_(file_reader *r, uint64_t size, stl_file *stl) {
  const uint64_t room = size < STL_BINARY_HEAD_ ? 0 : (size - STL_BINARY_HEAD_) / STL_BINARY_FACET_;
  uint64_t n;
  r->line = 0;
  stl->binary = 1;
  if (size < STL_BINARY_HEAD_) {
    r->at = r->end;
    return file_fail(r, "the file ends before the number of triangles");
  }
  stl_name_(stl, r->begin, r->begin + 80);
  r->at = r->begin + 80;
  n = stl_u32_(r->at);
  n = n == 0 && (size - STL_BINARY_HEAD_) % STL_BINARY_FACET_ == 0 ? room : n;
  if (n == 0) {
    return file_fail(r, "no triangles");
  }
  if (n > room) {
    return file_fail(r, "%lu triangles announced, the file ends after %lu", (unsigned long)n, (unsigned long)room);
  }
  if (n < room) {
    r->before = STL_BINARY_HEAD_ + n * STL_BINARY_FACET_;
    r->at = r->begin;
    return file_fail(r, "%lu triangles announced, as many bytes as of %lu follow them", (unsigned long)n,
                     (unsigned long)(room - n));
  }
  stl->n = (size_t)n;
  return 0;
}

/* The corners of `count` triangles; `first` is the number of the first of them in the file. */
static inline int stl_facets_(file_reader *r, size_t first, size_t count, double *corners, size_t *contrary) {
  size_t i;
  int k;
  for (i = 0; i < count; i++) {
    double normal[3];
    for (k = 0; k < 3; k++, r->at += 4) {
      const double x = stl_float_(r->at);
      normal[k] = fabs(x) <= FLT_MAX ? x : 0;
    }
    for (k = 0; k < 9; k++, r->at += 4) {
      const double x = stl_float_(r->at);
      if (!(fabs(x) <= FLT_MAX)) {
        return file_fail(r, "corner %d of triangle %lu is not finite", k / 3 + 1, (unsigned long)(first + i) + 1);
      }
      corners[9 * i + (size_t)k] = x;
    }
    *contrary += (size_t)stl_contrary_(normal, corners + 9 * i);
    r->at += 2;
  }
  return 0;
}

static inline int stl_parse_binary_(file_reader *r, stl_file *stl) {
  if (stl_binary_head_(r, (uint64_t)(r->end - r->begin), stl) || stl_allocate_(r, stl, stl->n)) {
    return -1;
  }
  r->at = r->begin + STL_BINARY_HEAD_;
  return stl_facets_(r, 0, stl->n, stl->corners, &stl->contrary);
}

/* ---- ASCII ---- */

/* The next word, in lower case. */
static inline int stl_token_(file_reader *r, const char *what, char token[STL_TOKEN_SIZE]) {
  size_t length = 0;
  stl_skip_space_(r);
  if (r->at == r->end) {
    return file_fail(r, "the file ends before %s", what);
  }
  while (r->at < r->end && !stl_is_space_(*r->at)) {
    if (length + 1 == STL_TOKEN_SIZE || !*r->at) {
      return file_fail(r, "%s is wanted, a word that is none is found", what);
    }
    token[length++] = stl_lower_(*r->at++);
  }
  token[length] = '\0';
  return 0;
}

static inline int stl_word_(file_reader *r, const char *word) {
  char token[STL_TOKEN_SIZE];
  if (stl_token_(r, word, token)) {
    return -1;
  }
  return strcmp(token, word) == 0 ? 0 : file_fail(r, "%s is wanted", word);
}

/* The name behind `solid` and `endsolid`: whatever stands on the rest of the line. */
static inline void stl_skip_line_(file_reader *r) {
  while (r->at < r->end && *r->at != '\n') {
    r->at++;
  }
}

/* A decimal number, to the end of a word; up to 19 digits count, and what single precision writes (9 digits) is read without an
 * error. */
static inline int stl_decimal_(const char *t, double *value) {
  const char *const all = t + strlen(t), *power, *end = file_decimal_end(t, all, &power);
  unsigned long long mantissa = 0;
  long exponent = 0, more = 0;
  int behind = 0;
  const int negative = *t == '-';
  double size;
  if (!end || end != all) {
    return -1;
  }
  for (t += *t == '+' || *t == '-'; file_is_digit(*t) || *t == '.'; t++) {
    if (*t == '.') {
      behind = 1;
    } else if (mantissa < 1000000000000000000ULL) {
      mantissa = 10 * mantissa + (unsigned long long)(*t - '0');
      exponent -= behind;
    } else {
      exponent += !behind;
    }
  }
  if (power) {
    for (t = power + (*power == '+' || *power == '-'); t < end; t++) {
      more = more < 100000 ? 10 * more + (*t - '0') : more; /* far beyond any double */
    }
    exponent += *power == '-' ? -more : more;
  }
  /* powers of ten up to 22 are exact, so that one rounding remains */
  size = (double)mantissa;
  if (mantissa) {
    size = exponent < 0 ? size / pow(10, (double)-exponent) : size * pow(10, (double)exponent);
  }
  *value = negative ? -size : size;
  return 0;
}

static inline int stl_number_(file_reader *r, const char *what, double *value) {
  char token[STL_TOKEN_SIZE];
  if (stl_token_(r, what, token)) {
    return -1;
  }
  if (stl_decimal_(token, value)) {
    return file_fail(r, "%s is not a number", what);
  }
  return fabs(*value) <= FLT_MAX ? 0 : file_fail(r, "%s is too large", what);
}

/* What the normal of a triangle without area looks like: programs divide by zero there. */
static inline int stl_is_nan_(const char *t) {
  t += *t == '+' || *t == '-';
  return strncmp(t, "nan", 3) == 0;
}

static inline int stl_normal_(file_reader *r, double normal[3]) {
  static const char what[] = "the normal";
  int d;
  for (d = 0; d < 3; d++) {
    char token[STL_TOKEN_SIZE];
    if (stl_token_(r, what, token)) {
      return -1;
    }
    if (stl_decimal_(token, &normal[d])) {
      if (!stl_is_nan_(token)) {
        return file_fail(r, "%s is not a number", what);
      }
      normal[d] = 0;
    }
    normal[d] = fabs(normal[d]) <= FLT_MAX ? normal[d] : 0;
  }
  return 0;
}

static inline int stl_parse_ascii_(file_reader *r, stl_file *stl) {
  int solids = 0, k;
  file_skip_mark(r);
  /* as many as the text can hold, and the one that it may end in */
  if (stl_allocate_(r, stl, (size_t)(r->end - r->begin) / STL_ASCII_FACET_ + 1)) {
    return -1;
  }
  do {
    const char *name;
    if (stl_word_(r, "solid")) {
      return -1;
    }
    name = r->at;
    stl_skip_line_(r);
    if (solids++ == 0) {
      stl_name_(stl, name, r->at);
    }
    for (;;) {
      double normal[3], *corner = stl->corners + 9 * stl->n;
      char token[STL_TOKEN_SIZE];
      if (stl_token_(r, "facet or endsolid", token)) {
        return -1;
      }
      if (strcmp(token, "end") == 0) {
        if (stl_word_(r, "solid")) {
          return -1;
        }
        break;
      }
      if (strcmp(token, "endsolid") == 0) {
        break;
      }
      if (strcmp(token, "facet") != 0) {
        return file_fail(r, "facet or endsolid is wanted");
      }
      if (stl_word_(r, "normal") || stl_normal_(r, normal) || stl_word_(r, "outer") || stl_word_(r, "loop")) {
        return -1;
      }
      for (k = 0; k < 9; k++) {
        if ((k % 3 == 0 && stl_word_(r, "vertex")) || stl_number_(r, "a coordinate", &corner[k])) {
          return -1;
        }
      }
      if (stl_word_(r, "endloop") || stl_word_(r, "endfacet")) {
        return -1;
      }
      stl->contrary += (size_t)stl_contrary_(normal, corner);
      stl->n++;
    }
    stl_skip_line_(r);
    stl_skip_space_(r);
  } while (r->at < r->end);
  return stl->n ? 0 : file_fail(r, "no triangles");
}

/* ---- both ---- */

/* Binary files may begin with `solid` too: the size that their number of triangles announces tells, or, where the file is
 * cut, a zero byte, which no text has. have: how many of the `size` bytes are here, the head at least. */
static inline int stl_is_ascii_(const char *bytes, size_t have, uint64_t size) {
  static const char word[] = "solid";
  const char *at = bytes, *end = bytes + have;
  size_t k;
  if (size >= STL_BINARY_HEAD_ && (size - STL_BINARY_HEAD_) / STL_BINARY_FACET_ == stl_u32_(bytes + 80)) {
    return 0;
  }
  at += have >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  while (at < end && stl_is_space_(*at)) {
    at++;
  }
  for (k = 0; k < 5; k++) {
    if (at + k >= end || stl_lower_(at[k]) != word[k]) {
      return 0;
    }
  }
  return memchr(bytes, 0, have < STL_BINARY_HEAD_ ? have : STL_BINARY_HEAD_) == NULL;
}

static inline int stl_parse_(file_reader *r, void *result) {
  stl_file *const stl = (stl_file *)result;
  const size_t size = (size_t)(r->end - r->begin);
  return stl_is_ascii_(r->begin, size, size) ? stl_parse_ascii_(r, stl) : stl_parse_binary_(r, stl);
}

static inline void stl_release_(void *stl) { stl_free((stl_file *)stl); }
static const file_format stl_format_ = {sizeof(stl_file), STL_MAX_BYTES - 1, 1, stl_parse_, stl_release_};

/* Reads an STL file from bytes[0..size-1]. message, which may be NULL, is written only on failure; *stl is then empty. */
static inline int stl_parse(stl_file *stl, const char *bytes, size_t size, char *message, size_t message_size) {
  return file_parse(&stl_format_, stl, bytes, size, message, message_size);
}

/* The same from a file. */
static inline int stl_read(stl_file *stl, const char *path, char *message, size_t message_size) {
  return file_read(&stl_format_, stl, path, message, message_size);
}

#endif
