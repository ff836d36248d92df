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

#endif
