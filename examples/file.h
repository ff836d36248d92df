/* What the readers of files share: where a reader is, messages that name the place, and loading a whole file. */
#ifndef FILE_H
#define FILE_H

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct file_reader {
  const char *begin, *at, *end; /* NULL before there are bytes */
  size_t line;                  /* from 1; 0 where there are no lines, and the byte is named */
  uint64_t before;              /* bytes of the file that lie before `begin` */
  char *message;                /* NULL when none is wanted */
  size_t message_size;
} file_reader;

static inline file_reader file_reader_of(const void *bytes, size_t size, size_t line, char *message, size_t message_size) {
  file_reader r;
  r.begin = r.at = (const char *)bytes;
  r.end = bytes ? r.begin + size : NULL;
  r.line = line;
  r.before = 0;
  r.message = message;
  r.message_size = message_size;
  return r;
}

/* Returns -1, and says why: "line 1: ..." or "byte 0: ...". */
static inline int file_fail(const file_reader *r, const char *format, ...) {
  if (r->message && r->message_size) {
    va_list list;
    const int used = !r->begin ? 0
                     : r->line ? snprintf(r->message, r->message_size, "line %lu: ", (unsigned long)r->line)
                               : snprintf(r->message, r->message_size,
                                          "byte %llu: ", (unsigned long long)(r->before + (uint64_t)(r->at - r->begin)));
    va_start(list, format);
    if (used >= 0 && (size_t)used < r->message_size) {
      vsnprintf(r->message + used, r->message_size - (size_t)used, format, list);
    }
    va_end(list);
  }
  return -1;
}

/* The mark of UTF-8, which some editors put before a text, is none of it. */
static inline void file_skip_mark(file_reader *r) {
  if (r->at == r->begin && r->end - r->at >= 3 && memcmp(r->at, "\xef\xbb\xbf", 3) == 0) {
    r->at += 3;
  }
}

static inline int file_is_digit(char c) { return c >= '0' && c <= '9'; }

/* Where a decimal number ends that begins at `at`, or NULL where none does: a sign, digits with one point at most, and an exponent
 * behind e or d. Fortran leaves that letter out before an exponent of three digits, as in 0.12345-102; another sign is not of this
 * number, since columns of a fixed width touch where numbers fill them. exponent: its sign or first digit, or NULL. */
static inline const char *file_decimal_end(const char *at, const char *end, const char **exponent) {
  int digits = 0, points = 0, k = 0;
  *exponent = NULL;
  at += at < end && (*at == '+' || *at == '-');
  for (; at < end && (file_is_digit(*at) || (*at == '.' && !points)); at++) {
    points += *at == '.';
    digits |= *at != '.';
  }
  if (!digits) {
    return NULL;
  }
  if (at < end && strchr("eEdD", *at) && *at) {
    *exponent = ++at;
    at += at < end && (*at == '+' || *at == '-');
    for (digits = 0; at < end && file_is_digit(*at); at++) {
      digits = 1;
    }
    return digits ? at : NULL;
  }
  if (points && at < end && (*at == '+' || *at == '-')) {
    while (k < 4 && at + 1 + k < end && file_is_digit(at[1 + k])) {
      k++;
    }
    if (k == 3 && (at + 4 == end || at[4] != '.')) {
      *exponent = at;
      at += 4;
    }
  }
  return at;
}

/* All of a file of at most `most` bytes, which the caller frees, or NULL with a message. */
static inline char *file_load(const char *path, size_t most, size_t *size, char *message, size_t message_size) {
  const file_reader r = file_reader_of(NULL, 0, 0, message, message_size);
  FILE *file = fopen(path, "rb");
  char *bytes = NULL;
  size_t room = 0, got = 1;
  int status = 0;
  *size = 0;
  if (!file) {
    file_fail(&r, "cannot open the file: %s", strerror(errno));
    return NULL;
  }
  while (!status && got) {
    if (*size == room) {
      char *more = NULL;
      if (*size <= most) {
        room = room == 0 ? 65536 : room <= most / 2 ? 2 * room : most + 1;
        more = (char *)realloc(bytes, room);
      }
      if (!more) {
        status = file_fail(&r, "the file is too large");
        break;
      }
      bytes = more;
    }
    got = fread(bytes + *size, 1, room - *size, file);
    *size += got;
  }
  if (!status && ferror(file)) {
    status = file_fail(&r, "cannot read the file: %s", strerror(errno));
  }
  fclose(file);
  if (status) {
    free(bytes);
    return NULL;
  }
  return bytes;
}

/* What files of one format become: a struct that begins as zeros, and whose memory is given back. */
typedef struct file_format {
  size_t size;                                /* of the struct */
  size_t most;                                /* bytes of a file */
  size_t line;                                /* 1: messages name lines; 0: bytes */
  int (*parse)(file_reader *r, void *result); /* 0, or -1 with a message */
  void (*release)(void *result);
} file_format;

/* Reads a file that lies in bytes[0..size-1]; 0, or -1 with a message, and an empty *result. */
static inline int file_parse(const file_format *format, void *result, const void *bytes, size_t size, char *message,
                             size_t message_size) {
  file_reader r = file_reader_of(bytes, size, format->line, message, message_size);
  int status;
  memset(result, 0, format->size);
  status = format->parse(&r, result);
  if (status) {
    format->release(result);
  }
  return status;
}

/* The same of a file that is named. */
static inline int file_read(const file_format *format, void *result, const char *path, char *message, size_t message_size) {
  size_t size;
  char *bytes = file_load(path, format->most, &size, message, message_size);
  int status = -1;
  memset(result, 0, format->size);
  if (bytes) {
    status = file_parse(format, result, bytes, size, message, message_size);
    free(bytes);
  }
  return status;
}

#endif
