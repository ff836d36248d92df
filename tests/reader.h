/* What the tests of the examples' readers share. Each file is parsed from memory of exactly its size, so that a sanitizer sees
 * a read beyond it. A test defines, before this text, the type of a file and its functions,
 *   #define READER_FILE stl_file, and likewise READER_PARSE, READER_READ, READER_FREE
 * and behind it the two functions that know what such a file holds. */
#ifndef CONVK_TESTS_READER_H
#define CONVK_TESTS_READER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether all that was read from `size` bytes is in range, and no more than so many bytes can say. */
static int sound(const READER_FILE *file, size_t size);
/* Whether nothing is left of a file that was refused. */
static int empty(const READER_FILE *file);

#ifndef READER_STRIDE /* where programs are slow, one of so many files that are not sound */
#define READER_STRIDE 1
#endif

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

/* The last line, and the status of the program. */
static int finish(void) {
  printf("%lu passed, %lu failed, 0 skipped\n", passed, failed);
  return failed != 0;
}

static unsigned long random_state = 20240229;
static unsigned long random_below(size_t n) {
  random_state = (random_state * 1103515245UL + 12345UL) & 0x7fffffffUL;
  return (random_state >> 8) % (unsigned long)n;
}

static void *allocate(size_t size) {
  void *p = malloc(size ? size : 1);
  if (!p) {
    exit(2);
  }
  return p;
}

/* "line 1: ..." or "byte 0: ..." */
static int names_a_place(void) {
  const int line = strncmp(message, "line ", 5) == 0;
  const size_t digits = line || strncmp(message, "byte ", 5) == 0 ? strspn(message + 5, "0123456789") : 0;
  return digits > 0 && message[5 + digits] == ':' && !(line && message[5] == '0');
}

/* Parses a copy that ends where the bytes end, and checks what must hold for any outcome. */
static int parse(READER_FILE *file, const char *bytes, size_t size) {
  char *copy = (char *)allocate(size);
  int status;
  memcpy(copy, bytes, size);
  message[0] = '\0';
  status = READER_PARSE(file, copy, size, message, sizeof message);
  free(copy);
  if (status == 0) {
    expect(sound(file, size) && message[0] == '\0', "what is accepted is sound and no more than the file can hold", 0);
  } else {
    expect(empty(file), "a refused file leaves nothing", 0);
    expect(names_a_place(), "a refusal names the line or the byte", 0);
  }
  return status;
}

static int accepts(const char *bytes, size_t size) {
  READER_FILE file;
  const int status = parse(&file, bytes, size);
  READER_FREE(&file);
  return status == 0;
}

static void refuse_bytes(const char *bytes, size_t size, const char *where, const char *what) {
  const int accepted = accepts(bytes, size);
  expect(!accepted && strncmp(message, where, strlen(where)) == 0, what, accepted);
}
static void refuse(const char *text, const char *where, const char *what) { refuse_bytes(text, strlen(text), where, what); }

static void refuse_missing(const char *path) {
  READER_FILE file;
  expect(READER_READ(&file, path, message, sizeof message) != 0 && empty(&file), "a missing file is refused", 0);
}

/* Every byte in turn becomes every other byte. Then, many times, up to `most` bytes become letters that mean something in such
 * a file, some pieces move, which makes words follow in a wrong order, and some files are cut. */
static void test_flips(const char *bytes, size_t size, const char *letters, size_t count, size_t most) {
  char *copy = (char *)allocate(size);
  size_t at;
  for (at = 0; at < size; at++) {
    int byte;
    for (byte = (int)(at % READER_STRIDE); byte < 256; byte += READER_STRIDE) {
      memcpy(copy, bytes, size);
      copy[at] = (char)byte;
      accepts(copy, size);
    }
  }
  for (at = 0; at < 20000 / READER_STRIDE; at++) {
    unsigned long changes = 1 + random_below(most);
    memcpy(copy, bytes, size);
    if (at % 4 == 0) {
      const size_t length = 1 + random_below(size / 2), from = random_below(size - length), to = random_below(size - length);
      memmove(copy + to, copy + from, length);
    }
    while (changes--) {
      copy[random_below(size)] = letters[random_below(count)];
    }
    accepts(copy, at % 8 == 1 ? random_below(size) : size);
  }
  free(copy);
}

#endif
