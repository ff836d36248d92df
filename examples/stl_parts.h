/* Binary STL files that are too large for memory: any part of their triangles at a time. Before this text comes _POSIX_C_SOURCE
 * 200112L or more, for places in large files. */
#ifndef STL_PARTS_H
#define STL_PARTS_H

#include "stl.h"

#include <sys/types.h>

typedef struct stl_parts {
  FILE *file;    /* NULL where it is no binary file: stl_read reads it */
  size_t n;      /* triangles */
  char *bytes;   /* of those that are read at a time */
  stl_file head; /* what it says of itself */
} stl_parts;

#define STL_AT_A_TIME_ ((size_t)1 << 14) /* triangles */

static inline void stl_close(stl_parts *p) {
  if (p->file) {
    fclose(p->file);
  }
  free(p->bytes);
  memset(p, 0, sizeof *p);
}

/* Returns 0, or -1 with a message. */
static inline int stl_open(stl_parts *p, const char *path, char *message, size_t message_size) {
  const size_t room = STL_AT_A_TIME_ * STL_BINARY_FACET_;
  file_reader r = file_reader_of(NULL, 0, 0, message, message_size);
  long long size = -1;
  size_t have;
  int status = 0;
  memset(p, 0, sizeof *p);
  p->file = fopen(path, "rb");
  if (!p->file) {
    return file_fail(&r, "cannot open the file: %s", strerror(errno));
  }
  p->bytes = (char *)malloc(room);
  if (p->bytes && !fseeko(p->file, 0, SEEK_END)) {
    size = (long long)ftello(p->file);
  }
  if (size < 0 || fseeko(p->file, 0, SEEK_SET)) {
    status = file_fail(&r, p->bytes ? "cannot read the file" : "not enough memory");
  } else {
    have = fread(p->bytes, 1, room, p->file);
    r = file_reader_of(p->bytes, have, 0, message, message_size);
    if (ferror(p->file)) {
      status = file_fail(&r, "cannot read the file");
    } else if (stl_is_ascii_(p->bytes, have, (uint64_t)size)) {
      stl_close(p);
    } else {
      status = stl_binary_head_(&r, (uint64_t)size, &p->head);
      p->n = p->head.n;
    }
  }
  if (status) {
    stl_close(p);
  }
  return status;
}

/* Nine numbers for each of `count` triangles from `first` on. */
static inline int stl_part(stl_parts *p, size_t first, size_t count, double *corners, char *message, size_t message_size) {
  size_t contrary = 0;
  while (count > 0) {
    const size_t some = count < STL_AT_A_TIME_ ? count : STL_AT_A_TIME_;
    const uint64_t before = STL_BINARY_HEAD_ + (uint64_t)first * STL_BINARY_FACET_;
    file_reader r = file_reader_of(p->bytes, some * STL_BINARY_FACET_, 0, message, message_size);
    r.before = before;
    if (fseeko(p->file, (off_t)before, SEEK_SET) || fread(p->bytes, STL_BINARY_FACET_, some, p->file) != some) {
      return file_fail(&r, "cannot read the file");
    }
    if (stl_facets_(&r, first, some, corners, &contrary)) {
      return -1;
    }
    first += some;
    count -= some;
    corners += 9 * some;
  }
  return 0;
}

#endif
