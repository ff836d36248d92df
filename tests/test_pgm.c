/* The PGM reader of the examples against whole, cut, corrupted and absurd files, binary and in digits.
 * Each file is parsed from memory of exactly its size, so that a sanitizer sees a read beyond it. */
#include "../examples/pgm.h"

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

/* Parses a copy that ends where the bytes end, and checks what must hold for any outcome. */
static int parse(pgm_image *image, const char *bytes, size_t size) {
  char *copy = (char *)malloc(size ? size : 1);
  int status;
  if (!copy) {
    exit(2);
  }
  memcpy(copy, bytes, size);
  message[0] = '\0';
  status = pgm_parse(image, copy, size, message, sizeof message);
  free(copy);
  if (status == 0) {
    const size_t pixels = image->width * image->height;
    size_t i, bad = 0;
    for (i = 0; image->grey && i < pixels; i++) {
      bad += image->grey[i] > image->largest;
    }
    expect(image->grey && bad == 0 && pixels > 0 && pixels < size && image->largest > 0 && message[0] == '\0',
           "accepted pixels are in range and no more than the file can hold", 0);
  } else {
    expect(!image->grey && image->width == 0 && image->height == 0, "a refused file leaves nothing", 0);
    expect(strncmp(message, "byte ", 5) == 0 && message[5] >= '0' && message[5] <= '9' && strchr(message, ':'),
           "a refusal names the byte", 0);
  }
  return status;
}

static void refuse(const char *bytes, size_t size, const char *where, const char *what) {
  pgm_image image;
  const int status = parse(&image, bytes, size);
  expect(status != 0 && strncmp(message, where, strlen(where)) == 0, what, status);
  pgm_free(&image);
}
static void refuse_text(const char *text, const char *where, const char *what) { refuse(text, strlen(text), where, what); }

static unsigned long random_state;
static unsigned long random_below(unsigned long n) {
  random_state = (random_state * 1103515245UL + 12345UL) & 0x7fffffffUL;
  return (random_state >> 8) % n;
}

/* ---- files ---- */

static const unsigned short pixels8[6] = {0, 1, 255, 35, 10, 200}, pixels16[6] = {0, 1, 1000, 255, 256, 999};
static const char digits8[] = "P2\n# a comment\r3 # another 7\n2\n255\n0 1 255\n35\t10 \n # P5 1\n200\n";
static const char digits16[] = "P2 3 2 1000 0 0001 1000 255 256 999";
static const char binary8[] = "P5 3 #4\n 2\n255\n\0\1\377#\n\310";
static const char binary16[] = "P5\n3\r\n2\f1000\v\0\0\0\1\3\350\0\377\1\0\3\347";

static void test_whole(const char *bytes, size_t size, unsigned largest, const unsigned short pixels[6], long which) {
  pgm_image image;
  expect(parse(&image, bytes, size) == 0, "a whole file is read", which);
  expect(image.width == 3 && image.height == 2 && image.largest == largest, "sizes and the largest value", which);
  expect(image.grey && memcmp(image.grey, pixels, 6 * sizeof *pixels) == 0, "pixels in the order of the file", which);
  pgm_free(&image);
}

/* In digits, a file may end within its last number, where it is then another, or behind it. */
static void test_cut(const char *bytes, size_t size, size_t last) {
  size_t cut;
  for (cut = 0; cut < size; cut++) {
    pgm_image image;
    const int status = parse(&image, bytes, cut);
    expect((status == 0) == (cut >= last), "a cut file is refused", (long)cut);
    pgm_free(&image);
  }
}

static void test_flips(const char *bytes, size_t size) {
  static const char alphabet[] = "0123456789 \n#P25\377";
  char *copy = (char *)malloc(size);
  size_t at;
  if (!copy) {
    exit(2);
  }
  /* every byte in turn becomes every other byte */
  for (at = 0; at < size; at++) {
    int byte;
    for (byte = 0; byte < 256; byte++) {
      pgm_image image;
      memcpy(copy, bytes, size);
      copy[at] = (char)byte;
      parse(&image, copy, size);
      pgm_free(&image);
    }
  }
  /* several at once, and pieces moved */
  for (at = 0; at < 20000; at++) {
    unsigned long changes = 1 + random_below(4);
    pgm_image image;
    memcpy(copy, bytes, size);
    if (at % 4 == 0) {
      const size_t length = 1 + random_below((unsigned long)size / 2);
      memmove(copy + random_below((unsigned long)(size - length)), copy + random_below((unsigned long)(size - length)), length);
    }
    while (changes--) {
      copy[random_below((unsigned long)size)] = alphabet[random_below(sizeof alphabet - 1)];
    }
    parse(&image, copy, at % 8 == 1 ? random_below((unsigned long)size) : size);
    pgm_free(&image);
  }
  free(copy);
}

static void test_absurd(void) {
  static const char zero[] = "P2 1 1 9 \0", above[] = "P5 2 1 100 d\145", above16[] = "P5 1 1 256 \1\1";
  pgm_image image;
  refuse_text("", "byte 0:", "an empty file");
  refuse_text("P", "byte 0:", "half a beginning");
  refuse_text("P6 1 1 255 abc", "byte 0:", "colours");
  refuse_text("P1 1 1 1", "byte 0:", "bits");
  refuse_text(" P2 1 1 1 1", "byte 0:", "a blank before the beginning");
  refuse_text("P2", "byte 2:", "nothing behind the beginning");
  refuse_text("P21 1 1 1", "byte 2:", "no blank behind the beginning");
  refuse_text("P2 # 1 1 1 1", "byte 12:", "all in a comment");
  refuse_text("P2 0 1 1 1", "byte 3:", "no width");
  refuse_text("P2 1 0 1 1", "byte 5:", "no height");
  refuse_text("P2 -1 1 1 1", "byte 3:", "a negative width");
  refuse_text("P2 1.0 1 1 1", "byte 4:", "a width with a point");
  refuse_text("P2 16385 1 1 1", "byte 3:", "too wide");
  refuse_text("P5 1 16385 1 1", "byte 5:", "too high");
  refuse_text("P5 16384 16384 255 \1", "byte 20:", "more pixels than bytes");
  refuse_text("P2 16384 16384 255 1 1 1", "byte 24:", "more pixels than digits");
  refuse_text("P2 18446744073709551617 1 1 1", "byte 3:", "2^64 + 1 pixels wide");
  refuse_text("P2 1 4294967297 1 1", "byte 5:", "2^32 + 1 pixels high");
  refuse_text("P2 99999999999999999999999999999999999999999 1 1 1", "byte 3:", "a width beyond all types");
  refuse_text("P2 1 1 0 0", "byte 7:", "no largest value");
  refuse_text("P2 1 1 65536 0", "byte 7:", "too large a value");
  refuse_text("P2 1 1 x 0", "byte 7:", "a letter for the largest value");
  refuse_text("P5 1 1 255", "byte 10:", "no blank before the pixels");
  refuse_text("P5 1 1 255#x", "byte 10:", "a comment before the pixels");
  refuse_text("P5 1 1 255 ", "byte 11:", "no pixels");
  refuse_text("P5 1 1 256 x", "byte 12:", "half a pixel");
  refuse_text("P5 1 1 255 xy", "byte 12:", "a pixel too many");
  refuse_text("P2 2 1 9 1", "byte 10:", "a number too few");
  refuse_text("P2 1 1 9 1 1", "byte 11:", "a number too many");
  refuse_text("P2 2 1 9 1,1", "byte 10:", "a comma");
  refuse_text("P2 1 1 9 10", "byte 9:", "a pixel above the largest");
  refuse(zero, sizeof zero - 1, "byte 9:", "a zero byte for a number");
  refuse(above, sizeof above - 1, "byte 12:", "a byte above the largest");
  refuse(above16, sizeof above16 - 1, "byte 11:", "two bytes above the largest");
  expect(parse(&image, "P2 2 1 65535 0 65535", 20) == 0 && image.grey[1] == 65535, "the largest of all", 0);
  pgm_free(&image);
  expect(parse(&image, "P5 2 1 100 dc", 13) == 0 && image.grey[0] == 100 && image.grey[1] == 99, "the largest of this file", 0);
  pgm_free(&image);
  expect(pgm_parse(&image, "P7", 2, NULL, 0) != 0, "no message is wanted", 0);
  expect(pgm_parse(&image, "P7", 2, message, 1) != 0 && message[0] == '\0', "no room for a message", 0);
}

/* ---- files on disk ---- */

static void test_files(const char *path) {
  pgm_image image, again;
  size_t i;
  int k;
  for (k = 0; k < 2; k++) {
    image.width = 301;
    image.height = 499; /* larger than the first block of memory */
    image.largest = k ? 40000 : 250;
    image.grey = (unsigned short *)malloc(301 * 499 * sizeof *image.grey);
    if (!image.grey) {
      exit(2);
    }
    for (i = 0; i < 301 * 499; i++) {
      image.grey[i] = (unsigned short)random_below(image.largest + 1);
    }
    message[0] = '\0';
    expect(!pgm_write(&image, path) && !pgm_read(&again, path, message, sizeof message), "what is written is read", k);
    expect(again.width == 301 && again.height == 499 && again.largest == image.largest && again.grey &&
               memcmp(again.grey, image.grey, 301 * 499 * sizeof *image.grey) == 0,
           "and is the same", k);
    pgm_free(&again);
    pgm_free(&image);
  }
  remove(path);
  expect(pgm_read(&image, path, message, sizeof message) != 0, "a missing file is refused", 0);
}

/* test_pgm [FILE that may be written] */
int main(int argc, char **argv) {
  random_state = 20240229;
  test_whole(digits8, strlen(digits8), 255, pixels8, 0);
  test_whole(digits16, strlen(digits16), 1000, pixels16, 1);
  test_whole(binary8, sizeof binary8 - 1, 255, pixels8, 2);
  test_whole(binary16, sizeof binary16 - 1, 1000, pixels16, 3);
  test_cut(digits8, strlen(digits8), strlen(digits8) - 3);
  test_cut(digits16, strlen(digits16), strlen(digits16) - 2);
  test_cut(binary8, sizeof binary8 - 1, sizeof binary8);
  test_cut(binary16, sizeof binary16 - 1, sizeof binary16);
  test_absurd();
  test_flips(digits8, strlen(digits8));
  test_flips(digits16, strlen(digits16));
  test_flips(binary8, sizeof binary8 - 1);
  test_flips(binary16, sizeof binary16 - 1);
  test_files(argc > 1 ? argv[1] : "test_pgm.tmp");
  printf("%lu passed, %lu failed, 0 skipped\n", passed, failed);
  return failed != 0;
}
