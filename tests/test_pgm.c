/* The PGM reader of the examples against whole, cut, corrupted and absurd files, binary and in digits. */
#include "../examples/pgm.h"

#define READER_FILE pgm_image
#define READER_PARSE pgm_parse
#define READER_READ pgm_read
#define READER_FREE pgm_free
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sound(const pgm_image *image, size_t size) {
  const size_t pixels = image->width * image->height;
  size_t i, bad = 0;
  for (i = 0; image->grey && i < pixels; i++) {
    bad += image->grey[i] > image->largest;
  }
  return image->grey && bad == 0 && pixels > 0 && pixels < size && image->largest > 0;
}

static int empty(const pgm_image *image) { return !image->grey && image->width == 0 && image->height == 0; }

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

static void test_absurd(void) {
  static const char zero[] = "P2 1 1 9 \0", above[] = "P5 2 1 100 d\145", above16[] = "P5 1 1 256 \1\1";
  pgm_image image;
  refuse("", "byte 0:", "an empty file");
  refuse("P", "byte 0:", "half a beginning");
  refuse("P6 1 1 255 abc", "byte 0:", "colours");
  refuse("P1 1 1 1", "byte 0:", "bits");
  refuse(" P2 1 1 1 1", "byte 0:", "a blank before the beginning");
  refuse("P2", "byte 2:", "nothing behind the beginning");
  refuse("P21 1 1 1", "byte 2:", "no blank behind the beginning");
  refuse("P2 # 1 1 1 1", "byte 12:", "all in a comment");
  refuse("P2 0 1 1 1", "byte 3:", "no width");
  refuse("P2 1 0 1 1", "byte 5:", "no height");
  refuse("P2 -1 1 1 1", "byte 3:", "a negative width");
  refuse("P2 1.0 1 1 1", "byte 4:", "a width with a point");
  refuse("P2 16385 1 1 1", "byte 3:", "too wide");
  refuse("P5 1 16385 1 1", "byte 5:", "too high");
  refuse("P5 16384 16384 255 \1", "byte 20:", "more pixels than bytes");
  refuse("P2 16384 16384 255 1 1 1", "byte 24:", "more pixels than digits");
  refuse("P2 18446744073709551617 1 1 1", "byte 3:", "2^64 + 1 pixels wide");
  refuse("P2 1 4294967297 1 1", "byte 5:", "2^32 + 1 pixels high");
  refuse("P2 99999999999999999999999999999999999999999 1 1 1", "byte 3:", "a width beyond all types");
  refuse("P2 1 1 0 0", "byte 7:", "no largest value");
  refuse("P2 1 1 65536 0", "byte 7:", "too large a value");
  refuse("P2 1 1 x 0", "byte 7:", "a letter for the largest value");
  refuse("P5 1 1 255", "byte 10:", "no blank before the pixels");
  refuse("P5 1 1 255#x", "byte 10:", "a comment before the pixels");
  refuse("P5 1 1 255 ", "byte 11:", "no pixels");
  refuse("P5 1 1 256 x", "byte 12:", "half a pixel");
  refuse("P5 1 1 255 xy", "byte 12:", "a pixel too many");
  refuse("P2 2 1 9 1", "byte 10:", "a number too few");
  refuse("P2 1 1 9 1 1", "byte 11:", "a number too many");
  refuse("P2 2 1 9 1,1", "byte 10:", "a comma");
  refuse("P2 1 1 9 10", "byte 9:", "a pixel above the largest");
  refuse_bytes(zero, sizeof zero - 1, "byte 9:", "a zero byte for a number");
  refuse_bytes(above, sizeof above - 1, "byte 12:", "a byte above the largest");
  refuse_bytes(above16, sizeof above16 - 1, "byte 11:", "two bytes above the largest");
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
    image.grey = (unsigned short *)allocate(301 * 499 * sizeof *image.grey);
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
  refuse_missing(path);
}

/* test_pgm [FILE that may be written] */
int main(int argc, char **argv) {
  static const char letters[] = "0123456789 \n#P25\377";
  test_whole(digits8, strlen(digits8), 255, pixels8, 0);
  test_whole(digits16, strlen(digits16), 1000, pixels16, 1);
  test_whole(binary8, sizeof binary8 - 1, 255, pixels8, 2);
  test_whole(binary16, sizeof binary16 - 1, 1000, pixels16, 3);
  test_cut(digits8, strlen(digits8), strlen(digits8) - 3);
  test_cut(digits16, strlen(digits16), strlen(digits16) - 2);
  test_cut(binary8, sizeof binary8 - 1, sizeof binary8);
  test_cut(binary16, sizeof binary16 - 1, sizeof binary16);
  test_absurd();
  test_flips(digits8, strlen(digits8), letters, sizeof letters - 1, 4);
  test_flips(digits16, strlen(digits16), letters, sizeof letters - 1, 4);
  test_flips(binary8, sizeof binary8 - 1, letters, sizeof letters - 1, 4);
  test_flips(binary16, sizeof binary16 - 1, letters, sizeof letters - 1, 4);
  test_files(argc > 1 ? argv[1] : "test_pgm.tmp");
  return finish();
}
