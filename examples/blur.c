/* A picture as a lens shows it: blurred by a point-spread function, tile by tile through small FFTs, against the direct sum.
 *   blur [FILE.pgm | FILE.png] [--psf airy|gaussian] [--width PIXELS] [--border mirror|replicate] [--tile M] [--hw NAME]
 *        [--threads N] [--quick] [--result FILE.pgm] [--out FILE] [--data FILE]
 *   blur --make-test-image FILE.pgm
 * Without a file a test chart is blurred. The width is that of the point-spread function at half its height. Overlap-save:
 * tiles of M x M pixels overlap by the width of the kernel less one, and what is valid of each lies side by side in the
 * result, which strides alone say: a call takes a row of tiles where it lies, and nothing is copied. PNG is read
 * where libpng was found; its grey values are taken as they are. */
#define _DEFAULT_SOURCE   /* for Bessel functions */
#define _XOPEN_SOURCE 600 /* and a clock that only moves forward */

#define CONVK_WITH_FFT
#define CONVK_F32
#define CONVK_SIMD
#include "convk.h"

#define PROGRAM "blur"
#include "options.h"
#include "data_file.h"
#include "pgm.h"
#include "picture.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define USAGE "blur [FILE.pgm | FILE.png] [OPTION...]; blur --help lists them"

static double patience = 0.3; /* seconds for which a measurement is repeated */

/* ---- the picture that comes in ---- */

enum { CHART_WIDTH = 480, CHART_HEIGHT = 360, SAMPLES = 4 };

/* What is dark of it: a Siemens star, rings and bars, which all become ever finer. */
static int dark_at(double x, double y) {
  static const double bars[][3] = {{200, 8, 20}, {228, 6, 20}, {256, 4, 20}, {284, 3, 20}, {312, 2, 12}, {332, 1, 12}};
  const double r = hypot(x - 396, y - 96);
  size_t k;
  if (r < 72) {
    return cos(PI * r * r / 300) > 0;
  }
  for (k = 0; k < sizeof bars / sizeof bars[0]; k++) { /* from the top on, as wide as that, so high */
    if (y >= bars[k][0] && y < bars[k][0] + bars[k][2] && x >= 336 && x < 456) {
      return fmod(x - 336, 2 * bars[k][1]) < bars[k][1];
    }
  }
  return hypot(x - 164, y - 180) < 150 && sin(32 * atan2(y - 180, x - 164)) > 0;
}

static pgm_image test_chart(void) {
  pgm_image chart;
  size_t i, s;
  chart.width = CHART_WIDTH;
  chart.height = CHART_HEIGHT;
  chart.largest = 255;
  chart.grey = (unsigned short *)memory(CHART_WIDTH * CHART_HEIGHT, sizeof *chart.grey);
  for (i = 0; i < CHART_WIDTH * CHART_HEIGHT; i++) {
    int dark = 0;
    for (s = 0; s < SAMPLES * SAMPLES; s++) { /* in each pixel */
      dark += dark_at((double)(i % CHART_WIDTH) + ((double)(s % SAMPLES) + 0.5) / SAMPLES,
                      (double)(i / CHART_WIDTH) + ((double)(s / SAMPLES) + 0.5) / SAMPLES);
    }
    chart.grey[i] = (unsigned short)(255 - 215 * dark / (SAMPLES * SAMPLES));
  }
  return chart;
}

#ifdef EXAMPLE_HAVE_PNG
static int is_png(const char *path) {
  unsigned char head[4] = {0, 0, 0, 0};
  FILE *file = fopen(path, "rb");
  if (file) {
    head[0] = fread(head, 1, 4, file) == 4 ? head[0] : 0;
    fclose(file);
  }
  return head[0] == 137 && head[1] == 'P' && head[2] == 'N' && head[3] == 'G';
}

static pgm_image read_png(const char *path) {
  static const png_color white = {255, 255, 255}; /* behind what is transparent */
  pgm_image image;
  png_image png;
  unsigned char *grey;
  size_t i;
  memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  require(png_image_begin_read_from_file(&png, path) != 0, path, png.message);
  require(png.width > 0 && png.height > 0 && png.width <= PGM_MAX_SIDE && png.height <= PGM_MAX_SIDE, path, "absurd sizes");
  png.format = PNG_FORMAT_GRAY;
  image.width = png.width;
  image.height = png.height;
  image.largest = 255;
  image.grey = (unsigned short *)memory(image.width * image.height, sizeof *image.grey);
  grey = (unsigned char *)memory(image.width * image.height, 1);
  require(png_image_finish_read(&png, &white, grey, 0, NULL) != 0, path, png.message);
  for (i = 0; i < image.width * image.height; i++) {
    image.grey[i] = grey[i];
  }
  free(grey);
  return image;
}
#endif

#ifdef EXAMPLE_HAVE_PNG
#define READS ", a PNG file otherwise; other pictures are not read"
#else
#define READS "; other pictures are not read, and PNG only where make finds libpng, Debian package libpng-dev"
#endif
static pgm_image read_image(const char *path) {
  char message[256];
  pgm_image image;
  if (!path) {
    return test_chart();
  }
#ifdef EXAMPLE_HAVE_PNG
  if (is_png(path)) {
    return read_png(path);
  }
#endif
  if (pgm_read(&image, path, message, sizeof message)) {
    fail(1, path, "%s%s", message, strstr(message, "begins with") ? READS : "");
  }
  return image;
}

/* ---- the point-spread function ---- */

/* Rings of Airy's that are kept, which hold 95% of the light; a Gaussian ends at 5 sigma. */
#define DARK_RING 3.8317059702075125   /* the first zero of J1 */
#define LAST_RING 13.323691936314223   /* the fourth one */
#define HALF_HEIGHT 1.6163399561827614 /* where 2 J1(x) / x is the root of 1/2 */

static double spread(int airy, double width, double r) {
  const double v = 2 * HALF_HEIGHT * r / width, a = v > 0 ? 2 * j1(v) / v : 1;
  return airy ? v < LAST_RING ? a * a : 0 : exp2(-4 * r * r / (width * width));
}

/* side x side values, an odd number, whose sum is 1. */
static float *make_psf(int airy, double width, size_t *side) {
  const double reach = airy ? LAST_RING / (2 * HALF_HEIGHT) * width : 5 / 2.3548200450309493 * width;
  const size_t r = (size_t)ceil(reach), n = 2 * r + 1;
  float *psf = (float *)memory(n * n, sizeof *psf);
  double sum = 0;
  size_t i;
  int pass;
  for (pass = 0; pass < 2; pass++) {
    for (i = 0; i < n * n; i++) {
      const double value = spread(airy, width, hypot((double)(i % n) - (double)r, (double)(i / n) - (double)r));
      sum += pass == 0 ? value : 0;
      psf[i] = (float)(value / sum);
    }
  }
  *side = n;
  return psf;
}

/* ---- the convolution ---- */

#define BLOCK 64

typedef struct blurring {
  convk hw;
  size_t width, height; /* of the picture */
  size_t side;          /* of the kernel */
  size_t tile, valid;   /* of a tile, and of its result: tile - side + 1 */
  size_t across, down;  /* tiles */
  size_t in_pitch;      /* of the picture with its border: across * valid + side - 1 */
  size_t out_pitch;     /* across * valid */
  const float *psf;
  float *in;  /* the picture from (side - 1) / 2 to the left of it and above it on; it ends where the last tiles end */
  float *out; /* from the picture's first pixel on */
} blurring;

/* What lies at i, of n pixels, and beyond them. */
static size_t inside(ptrdiff_t i, size_t n, int mirror) {
  const ptrdiff_t m = (ptrdiff_t)n;
  if (!mirror) {
    return i < 0 ? 0 : i < m ? (size_t)i : n - 1;
  }
  i = (i % (2 * m) + 2 * m) % (2 * m);
  return i < m ? (size_t)i : (size_t)(2 * m - 1 - i);
}

/* The work with tiles of that size, about: their transforms. */
static double work_of(const blurring *b, size_t tile) {
  const double m = (double)tile, valid = (double)(tile - b->side + 1);
  return ceil((double)b->width / valid) * ceil((double)b->height / valid) * m * m * log2(m);
}

static void choose_tile(blurring *b, size_t wanted) {
  static const size_t sizes[] = {16, 32, 48, 64, 96, 128, 160, 192, 256, 384, 512};
  size_t k;
  b->tile = wanted;
  for (k = 0; k < sizeof sizes / sizeof sizes[0] && !wanted; k++) {
    if (sizes[k] >= b->side && (!b->tile || work_of(b, sizes[k]) < work_of(b, b->tile))) {
      b->tile = sizes[k];
    }
  }
  require_option(b->tile >= b->side, "the tile", "smaller than the kernel");
  b->valid = b->tile - b->side + 1;
  b->across = (b->width + b->valid - 1) / b->valid;
  b->down = (b->height + b->valid - 1) / b->valid;
  b->out_pitch = b->across * b->valid;
  b->in_pitch = b->out_pitch + b->side - 1;
}

static void fill(blurring *b, const pgm_image *image, int mirror) {
  const size_t rows = b->down * b->valid;
  const ptrdiff_t border = (ptrdiff_t)(b->side / 2);
  size_t x, y;
  b->in = (float *)memory((rows + b->side - 1) * b->in_pitch + BLOCK, sizeof *b->in);
  b->out = (float *)memory(rows * b->out_pitch, sizeof *b->out);
  memset(b->in + (rows + b->side - 1) * b->in_pitch, 0, BLOCK * sizeof *b->in);
  for (y = 0; y < rows + b->side - 1; y++) {
    const unsigned short *row = image->grey + inside((ptrdiff_t)y - border, b->height, mirror) * b->width;
    for (x = 0; x < b->in_pitch; x++) {
      b->in[y * b->in_pitch + x] = (float)row[inside((ptrdiff_t)x - border, b->width, mirror)] / (float)image->largest;
    }
  }
}

/* Row by row of tiles; the time of the best run. */
static double by_tiles(blurring *b) {
  convk_fftconv2d_shape shape, resolved;
  convk_batch2d batch;
  size_t plan_size, work_size, row;
  double best = DBL_MAX, begin;
  convk_fftconv2d_plan_f32 *plan;
  void *work;
  memset(&shape, 0, sizeof shape);
  shape.rows = shape.columns = b->tile;
  shape.kernel_rows = shape.kernel_columns = b->side;
  shape.mode = CONVK_FFT_VALID;
  shape.fft_rows = shape.fft_columns = b->tile;
  require_ok(convk_fftconv2d_resolve(&b->hw, &shape, &resolved), "the tile");
  memset(&batch, 0, sizeof batch);
  batch.items = b->across;
  batch.in_pitch = b->in_pitch;
  batch.out_pitch = b->out_pitch;
  batch.in_stride = batch.out_stride = b->valid;
  require_ok(convk_fftconv2d_plan_size_f32(&b->hw, &shape, 1, &plan_size), "fftconv2d_plan_size");
  plan = (convk_fftconv2d_plan_f32 *)memory(plan_size, 1);
  require_ok(convk_fftconv2d_prepare_f32(&b->hw, &shape, 1, b->psf, 0, 0, plan, plan_size), "fftconv2d_prepare");
  require_ok(convk_fftconv2d_work_size_f32(&b->hw, plan, b->across, &work_size), "fftconv2d_work_size");
  work = memory(work_size + 1, 1);
  for (begin = seconds(); best > 1e9 || seconds() - begin < patience;) {
    const double start = seconds();
    for (row = 0; row < b->down; row++) {
      const float *in = b->in + row * b->valid * b->in_pitch;
      float *out = b->out + row * b->valid * b->out_pitch;
      require_ok(convk_fftconv2d_f32(&b->hw, plan, &batch, in, out, work, work_size), "fftconv2d");
    }
    best = fmin(best, seconds() - start);
  }
  free(work);
  free(plan);
  return best;
}

/* The sum that it stands for, of as many rows as two seconds allow, in loops that compilers vectorise; BLOCK sums at a time,
 * which may stay in registers. The time of all rows. */
static double by_sums(const blurring *b, float *out, size_t *rows) {
  const double start = seconds();
  size_t x, y, j, i, k;
  for (y = 0; y < b->height && (y == 0 || seconds() - start < 2); y++) {
    for (x = 0; x < b->width; x += BLOCK) {
      const size_t count = b->width - x < BLOCK ? b->width - x : BLOCK;
      float sum[BLOCK] = {0}; /* of which those beyond the row are dropped */
      for (j = 0; j < b->side; j++) {
        const float *from = b->in + (y + b->side - 1 - j) * b->in_pitch + x + b->side - 1;
        for (i = 0; i < b->side; i++, from--) {
          const float weight = b->psf[j * b->side + i];
          for (k = 0; k < BLOCK; k++) {
            sum[k] += weight * from[k];
          }
        }
      }
      memcpy(out + y * b->width + x, sum, count * sizeof *out);
    }
  }
  *rows = y;
  return (seconds() - start) * (double)b->height / (double)y;
}

/* The same in double precision, for one pixel. */
static double exact(const blurring *b, size_t x, size_t y) {
  double sum = 0;
  size_t j, i;
  for (j = 0; j < b->side; j++) {
    for (i = 0; i < b->side; i++) {
      sum += (double)b->psf[j * b->side + i] * (double)b->in[(y + b->side - 1 - j) * b->in_pitch + x + b->side - 1 - i];
    }
  }
  return sum;
}

/* ---- the picture that goes out ---- */

enum { GAP = 16, SHOWN = 480, PSF_SHOWN = 200 };

static void grey(double t, unsigned char rgb[3]) {
  const double v = t > 0 ? t < 1 ? t : 1 : 0;
  rgb[0] = rgb[1] = rgb[2] = (unsigned char)(255 * v + 0.5);
}

/* A large picture is shrunk, shrink x shrink pixels to their mean, a small one enlarged. */
static void show(picture_image *image, size_t left, const float *in, size_t pitch, size_t width, size_t height, size_t shrink,
                 size_t factor) {
  double *mean = (double *)memory(width * height, sizeof *mean);
  size_t i, k;
  for (i = 0; i < width * height; i++) {
    for (mean[i] = 0, k = 0; k < shrink * shrink; k++) {
      mean[i] += (double)in[(i / width * shrink + k / shrink) * pitch + i % width * shrink + k % shrink];
    }
    mean[i] /= (double)(shrink * shrink);
  }
  require(!picture_data(image, left, 0, mean, 1, (ptrdiff_t)width, width, height, factor, grey), "the picture",
          convk_strerror(CONVK_ERR_MEMORY));
  free(mean);
}

/* Before, after, and the point-spread function by its logarithm, side by side. */
static void draw(const blurring *b, const char *path) {
  const size_t longest = b->width > b->height ? b->width : b->height, shortest = b->width + b->height - longest;
  const size_t wanted = (longest + 2 * SHOWN - 1) / (2 * SHOWN), shrink = wanted < shortest ? wanted : shortest;
  const size_t factor = longest < SHOWN ? SHOWN / longest : 1, nx = b->width / shrink, ny = b->height / shrink;
  const size_t width = nx * factor, height = ny * factor, enlarge = b->side < PSF_SHOWN ? PSF_SHOWN / b->side : 1;
  const size_t psf = b->side * enlarge, right = 2 * (width + GAP), border = b->side / 2;
  double *t = (double *)memory(b->side * b->side, sizeof *t);
  const float peak = b->psf[border * b->side + border];
  picture_image image;
  size_t i;
  require(!picture_open(&image, right + psf, height > psf ? height : psf), path, "the picture does not fit in memory");
  show(&image, 0, b->in + border * b->in_pitch + border, b->in_pitch, nx, ny, shrink, factor);
  show(&image, width + GAP, b->out, b->out_pitch, nx, ny, shrink, factor);
  for (i = 0; i < b->side * b->side; i++) {
    t[i] = picture_decades((double)b->psf[i] / (double)peak, -5, 0);
  }
  require(!picture_data(&image, right, 0, t, 1, (ptrdiff_t)b->side, b->side, b->side, enlarge, picture_heat), path,
          convk_strerror(CONVK_ERR_MEMORY));
  require_written(!picture_write(&image, path), path);
  printf("picture:      %s: before, after, and the point-spread function over its peak, 1e-5 to 1\n", path);
  picture_close(&image);
  free(t);
}

/* The same as data, every pixel; y runs downwards. */
static void keep(const blurring *b, const char *psf_name, double psf_width, const char *path) {
  const ptrdiff_t border = (ptrdiff_t)(b->side / 2);
  const float *before = b->in + border * (ptrdiff_t)b->in_pitch + border;
  const data_file d = data_open(path, "blur");
  size_t x, y;
  data_note(&d, "kernel", "%s", psf_name);
  data_note(&d, "width at half height", "%g pixel", psf_width);
  data_note(&d, "tiles", "%lu x %lu of %lu x %lu pixels", (unsigned long)b->across, (unsigned long)b->down,
            (unsigned long)b->tile, (unsigned long)b->tile);
  data_block(&d, "picture", "x [pixel], y [pixel], before [of white], after [of white]");
  for (y = 0; y < b->height; y++) {
    for (x = 0; x < b->width; x++) {
      const double row[4] = {(double)x, (double)y, (double)before[y * b->in_pitch + x], (double)b->out[y * b->out_pitch + x]};
      data_row(&d, 4, row);
    }
    data_line_end(&d);
  }
  data_block(&d, "kernel", "x [pixel], y [pixel], distance [pixel], weight [1]");
  for (y = 0; y < b->side; y++) {
    for (x = 0; x < b->side; x++) {
      const double u = (double)x - (double)border, v = (double)y - (double)border;
      const double row[4] = {u, v, hypot(u, v), (double)b->psf[y * b->side + x]};
      data_row(&d, 4, row);
    }
    data_line_end(&d);
  }
  data_close(&d, "data:");
}

static void save(const blurring *b, unsigned largest, const char *path) {
  pgm_image image;
  size_t i;
  image.width = b->width;
  image.height = b->height;
  image.largest = largest;
  image.grey = (unsigned short *)memory(b->width * b->height, sizeof *image.grey);
  for (i = 0; i < b->width * b->height; i++) {
    const float v = b->out[i / b->width * b->out_pitch + i % b->width];
    image.grey[i] = (unsigned short)((v > 0 ? v < 1 ? v : 1 : 0) * (float)largest + 0.5F);
  }
  require_written(!pgm_write(&image, path), path);
  pgm_free(&image);
}

/* ---- how fast, how exact ---- */

/* The largest differences, over full scale. */
typedef struct errors {
  size_t step;                      /* every so many pixels and rows are compared with double */
  double tiles, direct, difference; /* of the tiles, of the direct sums, and between the two */
} errors;

static errors compare(const blurring *b, const float *direct, size_t rows) {
  errors e = {7, 0, 0, 0};
  size_t x, y;
  while (pow((double)b->side / (double)e.step, 2) * (double)b->width * (double)b->height > 1e8) {
    e.step += 2;
  }
  for (y = 0; y < b->height; y++) {
    for (x = 0; x < b->width; x++) {
      const double tiled = (double)b->out[y * b->out_pitch + x], summed = y < rows ? (double)direct[y * b->width + x] : tiled;
      e.difference = fmax(e.difference, fabs(tiled - summed));
      if (x % e.step == 0 && y % e.step == 0) {
        const double sum = exact(b, x, y);
        e.tiles = fmax(e.tiles, fabs(tiled - sum));
        e.direct = fmax(e.direct, fabs(summed - sum));
      }
    }
  }
  return e;
}

/* Blurs the picture by tiles and by direct sums. */
static void measure(blurring *b) {
  const double pixels = (double)(b->width * b->height), time = by_tiles(b), begin = seconds();
  float *direct = (float *)memory(b->width * b->height, sizeof *direct);
  double direct_time = DBL_MAX;
  size_t rows;
  errors e;
  do {
    direct_time = fmin(direct_time, by_sums(b, direct, &rows));
  } while (seconds() - begin < patience);
  e = compare(b, direct, rows);
  printf("by tiles:     %.4g s, %.4g Mpixel/s, errs by up to %.1e of full scale (every %luth pixel and row, against double)\n",
         time, 1e-6 * pixels / time, e.tiles, (unsigned long)e.step);
  printf("direct sums:  %.4g s, %.4g Mpixel/s, errs by up to %.1e: tiles are %.1f times as fast\n", direct_time,
         1e-6 * pixels / direct_time, e.direct, direct_time / time);
  printf("              the two differ by up to %.1e in %lu rows\n", e.difference, (unsigned long)rows);
  require(e.tiles < 2e-6 && e.difference < 2e-6 + 4e-7 * (double)b->side, "fftconv2d", "more error than rounding explains");
  free(direct);
}

/* ---- what is asked for ---- */

int main(int argc, char **argv) {
  const char *file = NULL, *psf_name = "airy", *width = "6", *border = "mirror", *tile = "0", *spec = NULL, *threads = NULL;
  const char *result = NULL, *chart = NULL, *data = NULL, *picture = "blur" PICTURE_SUFFIX;
  double psf_width;
  float *psf;
  pgm_image image;
  blurring b;
  int airy, mirror, quick = 0;
  const option options[] = {{"--psf", &psf_name, NULL, "NAME", "airy or gaussian"},
                            {"--width", &width, NULL, "PIXELS", "of the point-spread function at half its height"},
                            {"--border", &border, NULL, "KIND", "what lies beyond: mirror or replicate"},
                            {"--tile", &tile, NULL, "M", "pixels of a tile, 0: as the kernel needs"},
                            {"--quick", NULL, &quick, NULL, "measures once"},
                            {"--result", &result, NULL, "FILE.pgm", "the blurred picture"},
                            {"--out", &picture, NULL, "FILE", "a picture of all"},
                            {"--make-test-image", &chart, NULL, "FILE.pgm", "writes the test chart, and nothing else"},
                            DATA_OPTION(data),
                            HARDWARE_OPTION(spec),
                            THREADS_OPTION(threads),
                            END_OF_OPTIONS};

  memset(&b, 0, sizeof b);
  read_options(argc, argv, options, &file, USAGE, NULL);
  patience = quick ? 0 : patience;
  if (chart) {
    image = test_chart();
    require_written(!pgm_write(&image, chart), chart);
    pgm_free(&image);
    return 0;
  }
  airy = !word(psf_name, "--psf", "airy", "gaussian");
  mirror = !word(border, "--border", "mirror", "replicate");
  psf_width = number(width, "--width", 0.5, 60);
  open_hardware(&b.hw, spec, threads);
  printf("hardware:     %s, threads: %d\n", b.hw.name, threads_of(&b.hw));

  image = read_image(file);
  b.width = image.width;
  b.height = image.height;
  b.psf = psf = make_psf(airy, psf_width, &b.side);
  choose_tile(&b, (size_t)number(tile, "--tile", 0, 1024));
  fill(&b, &image, mirror);
  printf("image:        %s, %lu x %lu pixels, 0..%u\n", file ? file : "the test chart", (unsigned long)b.width,
         (unsigned long)b.height, image.largest);
  printf("kernel:       %s, %g pixels wide at half its height, %lu x %lu points\n", psf_name, psf_width, (unsigned long)b.side,
         (unsigned long)b.side);
  printf("tiles:        %lu x %lu of %lu x %lu pixels, of which %lu x %lu are valid\n", (unsigned long)b.across,
         (unsigned long)b.down, (unsigned long)b.tile, (unsigned long)b.tile, (unsigned long)b.valid, (unsigned long)b.valid);

  measure(&b);
  draw(&b, picture);
  if (data) {
    keep(&b, psf_name, psf_width, data);
  }
  if (result) {
    save(&b, image.largest, result);
  }
  pgm_free(&image);
  free(psf);
  free(b.in);
  free(b.out);
  convk_close(&b.hw);
  return 0;
}
