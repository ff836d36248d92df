/* Small pictures of slices: colour maps, enlargement, and a writer of PNG (through libpng, when EXAMPLE_HAVE_PNG is defined) or
 * else of PPM. Rows run from the top of the picture to its bottom, three bytes for a pixel. Axes, scales and text are for
 * plot/plot.py, which draws from data files. */
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

static inline void picture_paste(picture_image *image, size_t left, size_t top, const picture_image *part) {
  size_t j;
  for (j = 0; j < part->height; j++) {
    memcpy(image->rgb + 3 * ((top + j) * image->width + left), part->rgb + 3 * j * part->width, 3 * part->width);
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

/* ---- file ---- */

/* PNG or PPM, as PICTURE_SUFFIX says, whatever the name of the file. 0, or -1 when it cannot be written. */
static inline int picture_write(const picture_image *image, const char *path) {
#ifdef EXAMPLE_HAVE_PNG
  png_image png;
  errno = 0;
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
