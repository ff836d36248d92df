/* Small pictures of slices: colour maps, enlargement, scales with numbers, and a writer of PNG (through libpng, when
 * EXAMPLE_HAVE_PNG is defined) or else of PPM. Rows run from the top of the picture to its bottom, three bytes for a pixel. */
#ifndef PICTURE_H
#define PICTURE_H

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef EXAMPLE_HAVE_PNG
#include <png.h>
#define PICTURE_SUFFIX ".png"
#else
#define PICTURE_SUFFIX ".ppm"
#endif

/* No side of a picture is longer, so that no product of sizes overflows. */
#define PICTURE_MAX_SIDE 16384

typedef struct picture_image {
  size_t width, height;
  unsigned char *rgb;
} picture_image;

/* 0, or -1 when a side is 0 or too long or memory is short; the picture starts white. */
static inline int picture_open(picture_image *image, size_t width, size_t height) {
  image->width = width;
  image->height = height;
  image->rgb = NULL;
  if (width == 0 || height == 0 || width > PICTURE_MAX_SIDE || height > PICTURE_MAX_SIDE) {
    return -1;
  }
  image->rgb = (unsigned char *)malloc(3 * width * height);
  if (!image->rgb) {
    return -1;
  }
  memset(image->rgb, 255, 3 * width * height);
  return 0;
}

static inline void picture_close(picture_image *image) {
  free(image->rgb);
  image->rgb = NULL;
}

/* ---- colour maps ----
 * Colours are mixed in Oklab (B. Ottosson, 2020), whose L is the lightness that the eye sees, so that equal steps of
 * the data look equal. */

static inline unsigned char picture_byte_(double linear) {
  double v = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055; /* the curve of sRGB */
  v = v > 0 ? v < 1 ? v : 1 : 0;
  return (unsigned char)(255 * v + 0.5);
}

static inline void picture_oklab_(double L, double a, double b, unsigned char rgb[3]) {
  double l = L + 0.3963377774 * a + 0.2158037573 * b;
  double m = L - 0.1055613458 * a - 0.0638541728 * b;
  double s = L - 0.0894841775 * a - 1.2914855480 * b;
  l = l * l * l;
  m = m * m * m;
  s = s * s * s;
  rgb[0] = picture_byte_(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  rgb[1] = picture_byte_(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  rgb[2] = picture_byte_(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
}

/* Not a number is grey in every map. */
static inline void picture_grey_(unsigned char rgb[3]) { rgb[0] = rgb[1] = rgb[2] = 128; }

/* Signed data, t in -1..1: blue, white, red, equally dark and equally far from white at both ends. */
static inline void picture_diverging(double t, unsigned char rgb[3]) {
  const double size = fabs(t) < 1 ? fabs(t) : 1;
  if (t != t) {
    picture_grey_(rgb);
  } else if (t < 0) {
    picture_oklab_(1 - 0.55 * size, -0.020 * size, -0.185 * size, rgb);
  } else {
    picture_oklab_(1 - 0.55 * size, 0.160 * size, 0.092 * size, rgb);
  }
}

/* Data in 0..1, from black by red and yellow to white: lightness grows with t in equal steps, the hue turns on the way, and
 * the distance from grey is about the largest that sRGB has there. */
static inline void picture_heat(double t, unsigned char rgb[3]) {
  const double L = 0.1 + 0.9 * (t > 0 ? t < 1 ? t : 1 : 0);
  const double hue = 0.38 + 1.57 * L * L * L, chroma = 0.33 * L * (1 - L * L * L * L);
  if (t != t) {
    picture_grey_(rgb);
  } else {
    picture_oklab_(L, chroma * cos(hue), chroma * sin(hue), rgb);
  }
}

/* ---- enlargement ---- */

/* in[ny][nx] becomes out[ny * factor][nx * factor], linear between the samples, constant beyond the outermost. Data are
 * enlarged, not colours: a colour between two others need not lie on the map. */
static inline void picture_scale(const double *in, size_t nx, size_t ny, size_t factor, double *out) {
  size_t i, j;
  for (j = 0; j < ny * factor; j++) {
    double y = ((double)j + 0.5) / (double)factor - 0.5;
    size_t j0, j1;
    y = y > 0 ? y : 0;
    j0 = (size_t)y;
    j1 = j0 + 1 < ny ? j0 + 1 : j0;
    y -= (double)j0;
    for (i = 0; i < nx * factor; i++) {
      double x = ((double)i + 0.5) / (double)factor - 0.5;
      size_t i0, i1;
      x = x > 0 ? x : 0;
      i0 = (size_t)x;
      i1 = i0 + 1 < nx ? i0 + 1 : i0;
      x -= (double)i0;
      out[j * nx * factor + i] = (1 - y) * ((1 - x) * in[j0 * nx + i0] + x * in[j0 * nx + i1]) +
                                 y * ((1 - x) * in[j1 * nx + i0] + x * in[j1 * nx + i1]);
    }
  }
}

/* ---- what an image is made of ----
 * Parts have their upper left corner at (left, top) and must fit in the image. */

/* The values in[i * right + j * down], i < nx to the right and j < ny downwards, enlarged and coloured by a map. 0, or -1
 * when memory is short. */
static inline int picture_data(picture_image *image, size_t left, size_t top, const double *in, ptrdiff_t right, ptrdiff_t down,
                               size_t nx, size_t ny, size_t factor, void (*map)(double t, unsigned char rgb[3])) {
  const size_t width = nx * factor, height = ny * factor;
  double *slice = (double *)malloc(nx * ny * sizeof *slice), *large = (double *)malloc(width * height * sizeof *large);
  const int status = slice && large ? 0 : -1;
  size_t i, j;
  if (!status) {
    for (j = 0; j < ny; j++) {
      for (i = 0; i < nx; i++) {
        slice[j * nx + i] = in[(ptrdiff_t)i * right + (ptrdiff_t)j * down];
      }
    }
    picture_scale(slice, nx, ny, factor, large);
    for (j = 0; j < height; j++) {
      for (i = 0; i < width; i++) {
        map(large[j * width + i], image->rgb + 3 * ((top + j) * image->width + left + i));
      }
    }
  }
  free(slice);
  free(large);
  return status;
}

/* A map from 0 on the left to 1 on the right. */
static inline void picture_scale_bar(picture_image *image, size_t left, size_t top, size_t width, size_t height,
                                     void (*map)(double t, unsigned char rgb[3])) {
  size_t i, j;
  for (j = 0; j < height; j++) {
    for (i = 0; i < width; i++) {
      map(((double)i + 0.5) / (double)width, image->rgb + 3 * ((top + j) * image->width + left + i));
    }
  }
}

static inline void picture_paste(picture_image *image, size_t left, size_t top, const picture_image *part) {
  size_t j;
  for (j = 0; j < part->height; j++) {
    memcpy(image->rgb + 3 * ((top + j) * image->width + left), part->rgb + 3 * j * part->width, 3 * part->width);
  }
}

/* Darkens the ring between two radii about (x, y), in pixels, with a soft edge; an inner radius of 0 gives a disc. */
static inline void picture_ring(picture_image *image, double x, double y, double inner, double outer) {
  size_t i, j, c;
  for (j = 0; j < image->height; j++) {
    for (i = 0; i < image->width; i++) {
      const double r = hypot((double)i + 0.5 - x, (double)j + 0.5 - y);
      double cover = outer + 0.5 - r;
      unsigned char *pixel = image->rgb + 3 * (j * image->width + i);
      if (inner > 0 && cover > r - inner + 0.5) {
        cover = r - inner + 0.5;
      }
      cover = cover > 0 ? cover < 1 ? cover : 1 : 0;
      for (c = 0; c < 3; c++) {
        pixel[c] = (unsigned char)(pixel[c] + cover * (40.0 - pixel[c]) + 0.5);
      }
    }
  }
}

/* ---- scales and their labels ----
 * Text is drawn here so that a picture can say its numbers without a font; it has digits, capitals and few others. */

static inline void picture_dot_(picture_image *image, ptrdiff_t x, ptrdiff_t y) {
  if (x >= 0 && y >= 0 && (size_t)x < image->width && (size_t)y < image->height) {
    memset(image->rgb + 3 * ((size_t)y * image->width + (size_t)x), 40, 3);
  }
}

/* A dark rectangle. */
static inline void picture_box(picture_image *image, ptrdiff_t left, ptrdiff_t top, ptrdiff_t width, ptrdiff_t height) {
  ptrdiff_t x, y;
  for (y = top; y < top + height; y++) {
    for (x = left; x < left + width; x++) {
      picture_dot_(image, x, y);
    }
  }
}

/* A dark frame around a part. */
static inline void picture_frame(picture_image *image, size_t left, size_t top, size_t width, size_t height, ptrdiff_t thick) {
  const ptrdiff_t x = (ptrdiff_t)left, y = (ptrdiff_t)top, w = (ptrdiff_t)width, h = (ptrdiff_t)height;
  picture_box(image, x - thick, y - thick, w + 2 * thick, thick);
  picture_box(image, x - thick, y + h, w + 2 * thick, thick);
  picture_box(image, x - thick, y, thick, h);
  picture_box(image, x + w, y, thick, h);
}

#define PICTURE_TEXT_WIDTH 6 /* of a character, with the gap behind it, and its height: to be multiplied by the size */
#define PICTURE_TEXT_HEIGHT 7

/* Dark text whose first character has its upper left corner at (left, top); what leaves the image is cut off. */
static inline void picture_text(picture_image *image, ptrdiff_t left, ptrdiff_t top, int size, const char *text) {
  static const char known[] = "0123456789-+.|/FVeqxyzABCDEGHIJKLMNOPQRSTUWXYZ,:=()%";
  static const unsigned char rows[][PICTURE_TEXT_HEIGHT] = {
      {14, 17, 17, 17, 17, 17, 14}, {4, 12, 4, 4, 4, 4, 14},      {14, 17, 1, 6, 8, 16, 31},    {14, 17, 1, 6, 1, 17, 14},
      {2, 6, 10, 18, 31, 2, 2},     {31, 16, 30, 1, 1, 17, 14},   {14, 16, 16, 30, 17, 17, 14}, {31, 1, 2, 2, 4, 4, 4},
      {14, 17, 17, 14, 17, 17, 14}, {14, 17, 17, 15, 1, 1, 14},   {0, 0, 0, 14, 0, 0, 0},       {0, 4, 4, 31, 4, 4, 0},
      {0, 0, 0, 0, 0, 12, 12},      {4, 4, 4, 4, 4, 4, 4},        {1, 1, 2, 4, 8, 16, 16},      {31, 16, 16, 30, 16, 16, 16},
      {17, 17, 17, 17, 10, 10, 4},  {0, 14, 17, 31, 16, 14, 0},   {0, 15, 17, 17, 15, 1, 1},    {0, 17, 10, 4, 10, 17, 0},
      {0, 17, 17, 17, 15, 1, 14},   {0, 31, 2, 4, 8, 31, 0},      {14, 17, 17, 31, 17, 17, 17}, {30, 17, 17, 30, 17, 17, 30},
      {14, 17, 16, 16, 16, 17, 14}, {30, 17, 17, 17, 17, 17, 30}, {31, 16, 16, 30, 16, 16, 31}, {14, 17, 16, 23, 17, 17, 15},
      {17, 17, 17, 31, 17, 17, 17}, {14, 4, 4, 4, 4, 4, 14},      {7, 2, 2, 2, 2, 18, 12},      {17, 18, 20, 24, 20, 18, 17},
      {16, 16, 16, 16, 16, 16, 31}, {17, 27, 21, 21, 17, 17, 17}, {17, 25, 21, 19, 17, 17, 17}, {14, 17, 17, 17, 17, 17, 14},
      {30, 17, 17, 30, 16, 16, 16}, {14, 17, 17, 17, 21, 18, 13}, {30, 17, 17, 30, 20, 18, 17}, {15, 16, 16, 14, 1, 1, 30},
      {31, 4, 4, 4, 4, 4, 4},       {17, 17, 17, 17, 17, 17, 14}, {17, 17, 17, 21, 21, 27, 17}, {17, 17, 10, 4, 10, 17, 17},
      {17, 17, 10, 4, 4, 4, 4},     {31, 1, 2, 4, 8, 16, 31},     {0, 0, 0, 0, 12, 4, 8},       {0, 12, 12, 0, 12, 12, 0},
      {0, 0, 31, 0, 31, 0, 0},      {2, 4, 8, 8, 8, 4, 2},        {8, 4, 2, 2, 2, 4, 8},        {24, 25, 2, 4, 8, 19, 3}};
  for (; *text; text++, left += PICTURE_TEXT_WIDTH * size) {
    const char *found = strchr(known, *text);
    int x, y;
    for (y = 0; found && y < PICTURE_TEXT_HEIGHT; y++) {
      for (x = 0; x < 5; x++) {
        if (rows[found - known][y] >> (4 - x) & 1) {
          picture_box(image, left + x * size, top + y * size, size, size);
        }
      }
    }
  }
}

/* Where a value lies between 10^low (0) and 10^high (1) on a logarithmic scale; beyond them at the nearer end. */
static inline double picture_decades(double value, int low, int high) {
  double t;
  if (value != value) {
    return value;
  }
  t = value > 0 ? (log10(value) - low) / (high - low) : 0;
  return t > 0 ? t < 1 ? t : 1 : 0;
}

/* The map for picture_decades: 10^high at the top, every decade marked on the right, and as many named as there is room for,
 * which takes 60 pixels. */
static inline void picture_decade_bar(picture_image *image, size_t left, size_t top, size_t width, size_t height, int low,
                                      int high, void (*map)(double t, unsigned char rgb[3])) {
  const ptrdiff_t right = (ptrdiff_t)(left + width);
  const int decades = high - low;
  const int step = 1 + 24 * decades / (int)height;
  char number[16];
  size_t i, j;
  int k;
  for (j = 0; j < height; j++) {
    for (i = 0; i < width; i++) {
      map(1 - ((double)j + 0.5) / (double)height, image->rgb + 3 * ((top + j) * image->width + left + i));
    }
  }
  for (k = 0; k <= decades; k++) {
    const ptrdiff_t y = (ptrdiff_t)top + (ptrdiff_t)((double)height * k / decades);
    picture_box(image, right, y - 1, k % step == 0 ? 8 : 4, 2);
    if (k % step == 0) {
      snprintf(number, sizeof number, "%d", high - k);
      picture_text(image, right + 11, y - 6, 2, "10");
      picture_text(image, right + 11 + 4 * PICTURE_TEXT_WIDTH, y - 10, 1, number);
    }
  }
}

/* Round numbers at a side of a part of length `length`, which shows low..high: below it, from left to right, or to the left of
 * it, from the bottom to the top. (left, top) is the corner of the part where low is. */
static inline void picture_ticks(picture_image *image, size_t left, size_t top, size_t length, int upwards, double low,
                                 double high) {
  const double most = (high - low) * 60 / (double)length; /* a number every 60 pixels or rarer */
  double step = pow(10, floor(log10(most)));
  long k;
  step *= most > 5 * step ? 10 : most > 2 * step ? 5 : most > step ? 2 : 1;
  for (k = (long)ceil(low / step - 1e-9); (double)k * step <= high + 1e-9 * step; k++) {
    const ptrdiff_t along = (ptrdiff_t)((double)length * ((double)k * step - low) / (high - low));
    char number[32];
    ptrdiff_t wide;
    snprintf(number, sizeof number, "%g", (double)k * step);
    wide = (ptrdiff_t)strlen(number) * 2 * PICTURE_TEXT_WIDTH - 2;
    if (upwards) {
      const ptrdiff_t y = (ptrdiff_t)top - along;
      picture_box(image, (ptrdiff_t)left - 8, y - 1, 8, 2);
      picture_text(image, (ptrdiff_t)left - 11 - wide, y - PICTURE_TEXT_HEIGHT, 2, number);
    } else {
      const ptrdiff_t x = (ptrdiff_t)left + along;
      picture_box(image, x - 1, (ptrdiff_t)top, 2, 8);
      picture_text(image, x - wide / 2, (ptrdiff_t)top + 11, 2, number);
    }
  }
}

/* ---- file ---- */

/* PNG or PPM, as PICTURE_SUFFIX says, whatever the name of the file. 0, or -1 when it cannot be written. */
static inline int picture_write(const picture_image *image, const char *path) {
#ifdef EXAMPLE_HAVE_PNG
  png_image png;
  memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  png.width = (png_uint_32)image->width;
  png.height = (png_uint_32)image->height;
  png.format = PNG_FORMAT_RGB;
  return png_image_write_to_file(&png, path, 0, image->rgb, 0, NULL) ? 0 : -1;
#else
  FILE *file = fopen(path, "wb");
  const size_t size = 3 * image->width * image->height;
  int bad;
  if (!file) {
    return -1;
  }
  bad = fprintf(file, "P6\n%lu %lu\n255\n", (unsigned long)image->width, (unsigned long)image->height) < 0;
  bad |= fwrite(image->rgb, 1, size, file) != size;
  bad |= fclose(file) != 0;
  return bad ? -1 : 0;
#endif
}

#endif
