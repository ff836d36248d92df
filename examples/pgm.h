/* PGM files, grey pictures, binary and in digits: a reader that refuses what it does not understand, and a writer.
 *
 * A file holds "P5" or "P2", width, height and the largest value, decimal numbers with white space and comments between them (a
 * comment runs from # to the end of its line), then the rows from the top:
 *   P5  one byte of white space, then a byte per pixel, or two, the larger part first, where the largest value is above 255
 *   P2  decimal numbers with white space, and comments, between them
 *
 * Functions return 0, or -1 with a message that names the byte, from 0. The caller releases what was read with pgm_free. */
#ifndef PGM_H
#define PGM_H

#include "file.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No side of a picture is longer, so that no product of sizes overflows; a file of so many bytes or more is refused. */
#define PGM_MAX_SIDE 16384
#define PGM_MAX_BYTES ((size_t)1 << 30)

typedef struct pgm_image {
  size_t width, height;
  unsigned largest;     /* 1..65535; no pixel is above it */
  unsigned short *grey; /* [height][width] */
} pgm_image;

static inline void pgm_free(pgm_image *image) {
  free(image->grey);
  memset(image, 0, sizeof *image);
}

static inline int pgm_is_space_(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline int pgm_is_digit_(char c) { return c >= '0' && c <= '9'; }

/* White space and comments. */
static inline void pgm_skip_(file_reader *r) {
  while (r->at < r->end && (pgm_is_space_(*r->at) || *r->at == '#')) {
    if (*r->at == '#') {
      while (r->at < r->end && *r->at != '\n' && *r->at != '\r') {
        r->at++;
      }
    } else {
      r->at++;
    }
  }
}

/* A number of lowest..highest, of which highest is below 2^28. The white space before it is needed. */
static inline int pgm_number_(file_reader *r, const char *what, unsigned long lowest, unsigned long highest,
                              unsigned long *value) {
  const char *before = r->at, *first;
  unsigned long v = 0;
  pgm_skip_(r);
  if (r->at == r->end) {
    return file_fail(r, "the file ends before %s", what);
  }
  if (r->at == before || !pgm_is_digit_(*r->at)) {
    return file_fail(r, "%s is wanted, something else is found", what);
  }
  for (first = r->at; r->at < r->end && pgm_is_digit_(*r->at); r->at++) {
    if (v <= highest) {
      v = 10 * v + (unsigned long)(*r->at - '0');
    }
  }
  if (v < lowest || v > highest) {
    r->at = first;
    return file_fail(r, "%s is not in %lu..%lu", what, lowest, highest);
  }
  *value = v;
  return 0;
}

static inline int pgm_parse_(file_reader *r, void *result) {
  pgm_image *const image = (pgm_image *)result;
  unsigned long width = 0, height = 0, largest = 0, value = 0;
  size_t pixels, each, room, i;
  int binary;
  if (r->end - r->at < 2 || r->at[0] != 'P' || (r->at[1] != '2' && r->at[1] != '5')) {
    return file_fail(r, "a PGM file begins with P5 or P2");
  }
  binary = r->at[1] == '5';
  r->at += 2;
  if (pgm_number_(r, "the width", 1, PGM_MAX_SIDE, &width) || pgm_number_(r, "the height", 1, PGM_MAX_SIDE, &height) ||
      pgm_number_(r, "the largest value", 1, 65535, &largest)) {
    return -1;
  }
  pixels = (size_t)width * height;
  each = largest > 255 ? 2 : 1;
  if (binary) {
    if (r->at == r->end || !pgm_is_space_(*r->at)) {
      return file_fail(r, "white space is wanted before the pixels");
    }
    r->at++;
  }
  room =
      binary ? (size_t)(r->end - r->at) / each : (size_t)(r->end - r->at) / 2; /* in digits: at least one, and a blank before */
  if (pixels > room) {
    r->at = r->end;
    return file_fail(r, "the file ends before the last of %lu x %lu pixels", width, height);
  }
  image->grey = (unsigned short *)malloc(pixels * sizeof *image->grey);
  if (!image->grey) {
    return file_fail(r, "not enough memory for %lu x %lu pixels", width, height);
  }
  image->width = width;
  image->height = height;
  image->largest = (unsigned)largest;
  for (i = 0; i < pixels; i++) {
    if (binary) {
      value = (unsigned char)r->at[0];
      value = each == 2 ? value << 8 | (unsigned char)r->at[1] : value;
      if (value > largest) {
        return file_fail(r, "a pixel is above the largest value, %lu", largest);
      }
      r->at += each;
    } else if (pgm_number_(r, "a pixel", 0, largest, &value)) {
      return -1;
    }
    image->grey[i] = (unsigned short)value;
  }
  if (!binary) {
    pgm_skip_(r);
  }
  return r->at == r->end ? 0 : file_fail(r, "something follows the last pixel");
}

static inline void pgm_release_(void *image) { pgm_free((pgm_image *)image); }
static const file_format pgm_format_ = {sizeof(pgm_image), PGM_MAX_BYTES - 1, 0, pgm_parse_, pgm_release_};

/* Reads a picture from bytes[0..size-1]. message, which may be NULL, is written only on failure; *image is then empty. */
static inline int pgm_parse(pgm_image *image, const void *bytes, size_t size, char *message, size_t message_size) {
  return file_parse(&pgm_format_, image, bytes, size, message, message_size);
}

/* The same from a file. */
static inline int pgm_read(pgm_image *image, const char *path, char *message, size_t message_size) {
  return file_read(&pgm_format_, image, path, message, message_size);
}

/* Writes a binary picture. 0, or -1 when it cannot be written. */
static inline int pgm_write(const pgm_image *image, const char *path) {
  FILE *file = fopen(path, "wb");
  const size_t pixels = image->width * image->height;
  size_t i;
  int bad;
  if (!file) {
    return -1;
  }
  bad = fprintf(file, "P5\n%lu %lu\n%u\n", (unsigned long)image->width, (unsigned long)image->height, image->largest) < 0;
  for (i = 0; i < pixels && !bad; i++) {
    bad = (image->largest > 255 && putc(image->grey[i] >> 8, file) == EOF) || putc(image->grey[i] & 255, file) == EOF;
  }
  bad |= fclose(file) != 0;
  return bad ? -1 : 0;
}

#endif
