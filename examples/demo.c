/* The magic filter on a real orbital: values on a grid -> scaling coefficients -> values, timed, with a picture.
 *   demo [--hw NAME] [--input FILE.cube] [--picture FILE] [--data FILE]
 * Run it from the root of the repository, or name a cube file. */
#define _POSIX_C_SOURCE 200112L /* for a clock that only moves forward */

#define CONVK_WITH_FILTERS /* the other families are left out: they take their time to compile */
#define CONVK_F64
#define CONVK_SIMD
#include "convk.h"

#define PROGRAM "demo"
#include "cube.h"
#include "options.h"
#include "data_file.h"
#include "picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USAGE "demo [OPTION...]; demo --help lists them"
#define MAX_REPETITIONS 101
#define FLOPS_PER_POINT 96.0 /* three passes of 16 multiplications and 16 additions */

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* One transform, repeated for half a second or MAX_REPETITIONS times, whichever comes first, and at least 7 times. Returns the
 * best time. */
static double timed_transform(convk *hw, const convk_sepconv3d_shape *shape, int direction, const double *in, double *out) {
  double time[MAX_REPETITIONS], total = 0, flops;
  int count = 0;
  while (count < 7 || (count < MAX_REPETITIONS && total < 0.5)) {
    const double start = seconds();
    require_ok(convk_magicfilter3d_f64(hw, shape, direction, NULL, in, out, NULL, 0), "magicfilter3d");
    time[count] = seconds() - start;
    total += time[count++];
  }
  qsort(time, (size_t)count, sizeof time[0], ascending);
  flops = FLOPS_PER_POINT * (double)shape->in.nx * (double)shape->in.ny * (double)shape->in.nz;
  printf("%s best %.3f ms, median %.3f ms of %d: %.2f GFlop/s\n",
         direction == CONVK_INVERSE ? "values -> coefficients:" : "coefficients -> values:", 1e3 * time[0],
         1e3 * time[count / 2], count, 1e-9 * flops / time[count / 2]);
  return time[0];
}

/* One axis by plain loops, periodic: row j of `in`, n long, becomes column j of `out`. */
static void plain_axis(size_t n, size_t rows, const convk_filter_f64 *filter, const double *in, double *out) {
  const size_t taps = (size_t)(filter->up - filter->lo) + 1, before = 64 * n - (size_t)-filter->lo;
  double *line = (double *)memory(n + taps, sizeof *line); /* a row, and what lies beyond its ends */
  size_t i, j, l;
  for (j = 0; j < rows; j++) {
    for (i = 0; i < n + taps - 1; i++) {
      line[i] = in[j * n + (before + i) % n];
    }
    for (i = 0; i < n; i++) {
      double sum = 0;
      for (l = 0; l < taps; l++) {
        sum += filter->taps[l] * line[i + l];
      }
      out[i * rows + j] = sum;
    }
  }
  free(line);
}

/* The same filter as most programs have it, to compare with: what this compiler makes of plain loops. */
static void timed_loops(const convk_sepconv3d_shape *shape, const double *in, const double *values, double best) {
  const size_t nx = shape->in.nx, ny = shape->in.ny, nz = shape->in.nz, count = nx * ny * nz;
  const convk_filter_f64 filter = convk_magicfilter_taps_f64(CONVK_FORWARD);
  double *a = (double *)memory(count, sizeof *a), *b = (double *)memory(count, sizeof *b), time = 0, error = 0;
  size_t i;
  int k;
  for (k = 0; k < 21; k++) {
    const double start = seconds();
    double took;
    plain_axis(nx, ny * nz, &filter, in, a);
    plain_axis(ny, nz * nx, &filter, a, b);
    plain_axis(nz, nx * ny, &filter, b, a);
    took = seconds() - start;
    time = k == 0 || took < time ? took : time;
  }
  for (i = 0; i < count; i++) {
    error = fabs(a[i] - values[i]) > error ? fabs(a[i] - values[i]) : error;
  }
  printf("the same by plain loops: best %.3f ms, %.1f times as long; values differ by at most %.1e\n", 1e3 * time, time / best,
         error);
  free(a);
  free(b);
}

static double norm(const double *x, size_t count, double cell) {
  double sum = 0;
  size_t i;
  for (i = 0; i < count; i++) {
    sum += x[i] * x[i];
  }
  return sum * cell;
}

/* ---- the picture ---- */

/* A plane of the grid: axis `normal` fixed at `index`; across runs to the right and up runs upwards. */
typedef struct plane {
  size_t index;
  int normal, across, up;
} plane;

static plane make_plane(int normal, size_t index) {
  plane p;
  p.normal = normal;
  p.index = index;
  p.across = normal == 0 ? 1 : 0;
  p.up = normal == 2 ? 1 : 2;
  return p;
}

static size_t plane_at(const cube_file *cube, const plane *p, size_t across, size_t up) {
  size_t at[3];
  at[p->normal] = p->index;
  at[p->across] = across;
  at[p->up] = up;
  return (at[0] * cube->n[1] + at[1]) * cube->n[2] + at[2];
}

/* An orbital is seen best where both of its signs are: the plane with the largest sqrt P + sqrt N, where P and N are
 * the sums of squares of its positive and its negative values. */
static plane best_plane(const cube_file *cube) {
  plane best = make_plane(0, 0);
  double best_score = -1;
  int normal;
  for (normal = 0; normal < 3; normal++) {
    size_t index;
    for (index = 0; index < cube->n[normal]; index++) {
      const plane p = make_plane(normal, index);
      double sum[2] = {0, 0}, score;
      size_t i, j;
      for (i = 0; i < cube->n[p.across]; i++) {
        for (j = 0; j < cube->n[p.up]; j++) {
          const double v = cube->values[plane_at(cube, &p, i, j)];
          sum[v < 0] += v * v;
        }
      }
      score = sqrt(sum[0]) + sqrt(sum[1]);
      if (score > best_score * (1 + 1e-9)) { /* of two equal planes the first, whatever the rounding */
        best_score = score;
        best = p;
      }
    }
  }
  return best;
}

/* Where a point lies along one axis, in steps of the grid: the axes need not be orthogonal. */
static double grid_coordinate(const cube_file *cube, const double position[3], int axis) {
  const double *a = cube->axis[axis], *b = cube->axis[(axis + 1) % 3], *c = cube->axis[(axis + 2) % 3];
  double normal[3], above = 0, below = 0;
  int d;
  for (d = 0; d < 3; d++) {
    normal[d] = b[(d + 1) % 3] * c[(d + 2) % 3] - b[(d + 2) % 3] * c[(d + 1) % 3];
    above += (position[d] - cube->origin[d]) * normal[d];
    below += a[d] * normal[d];
  }
  return above / below;
}

/* The distance of neighbours along an axis of the grid, in bohr. */
static double step_of(const cube_file *cube, int axis) {
  const double *a = cube->axis[axis];
  return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* The orbital and its coefficients in the plane, and where the nuclei are: lengths along the axes, from the first point. */
static void keep(const cube_file *cube, const double *coefficients, const char *path) {
  const plane p = best_plane(cube);
  const size_t nx = cube->n[p.across], ny = cube->n[p.up];
  double *slice[2], x[2] = {0, 0}, y[2] = {0, 0};
  const data_file d = data_open(path, "demo");
  size_t i, k;
  x[1] = step_of(cube, p.across);
  y[1] = step_of(cube, p.up);
  for (k = 0; k < 2; k++) {
    slice[k] = (double *)memory(nx * ny, sizeof *slice[k]);
    for (i = 0; i < nx * ny; i++) {
      slice[k][i] = (k == 0 ? cube->values : coefficients)[plane_at(cube, &p, i % nx, i / nx)];
    }
  }
  data_note(&d, "plane", "%lu of %lu across %c", (unsigned long)p.index + 1, (unsigned long)cube->n[p.normal], "xyz"[p.normal]);
  data_note(&d, "axes", "%c %c", "xyz"[p.across], "xyz"[p.up]);
  data_block(&d, "plane", "across [bohr], up [bohr], values [bohr^-3/2], coefficients [bohr^-3/2]");
  data_map(&d, nx, ny, x, y, 2, (const double *const *)slice);
  data_block(&d, "atoms", "across [bohr], up [bohr], off the plane [bohr], number [1]");
  for (i = 0; i < cube->natoms; i++) {
    const double *at = cube->atoms[i].position;
    const double row[4] = {grid_coordinate(cube, at, p.across) * x[1], grid_coordinate(cube, at, p.up) * y[1],
                           (grid_coordinate(cube, at, p.normal) - (double)p.index) * step_of(cube, p.normal),
                           cube->atoms[i].number};
    data_row(&d, 4, row);
  }
  data_close(&d, "data:");
  free(slice[0]);
  free(slice[1]);
}

/* A disc of one grey, with a white border, about a point of the image. */
static void draw_disc(picture_image *image, double x, double y, double radius, unsigned char grey) {
  size_t i, j;
  for (j = 0; j < image->height; j++) {
    for (i = 0; i < image->width; i++) {
      const double distance = hypot((double)i - x, (double)j - y);
      if (distance < radius + 2) {
        memset(image->rgb + 3 * (j * image->width + i), distance < radius ? grey : 255, 3);
      }
    }
  }
}

/* A bar of `length` pixels at the lower left, black with a white border. */
static void draw_bar(picture_image *image, size_t length) {
  const size_t thick = 6, left = 16, top = image->height - 16 - thick;
  size_t i, j;
  for (j = top - 2; j < top + thick + 2; j++) {
    for (i = left - 2; i < left + length + 2; i++) {
      const int inside = j >= top && j < top + thick && i >= left && i < left + length;
      memset(image->rgb + 3 * (j * image->width + i), inside ? 0 : 255, 3);
    }
  }
}

/* Lines where the size of the data passes a level: darker pixels, of both signs. */
static void draw_contours(picture_image *image, const double *data, const double *level, size_t levels) {
  const size_t width = image->width;
  size_t i, j, k;
  int c;
  for (k = 0; k < levels; k++) {
    for (j = 0; j + 1 < image->height; j++) {
      for (i = 0; i + 1 < width; i++) {
        const double *at = data + j * width + i;
        const int above = fabs(at[0]) > level[k];
        if (above != (fabs(at[1]) > level[k]) || above != (fabs(at[width]) > level[k])) {
          for (c = 0; c < 3; c++) {
            unsigned char *byte = image->rgb + 3 * (j * width + i) + c;
            *byte = (unsigned char)(*byte / 2);
          }
        }
      }
    }
  }
}

static void draw(const cube_file *cube, const char *path) {
  static const double level[3] = {0.02, 0.08, 0.32}; /* bohr^-3/2 */
  const double angstrom = 1.8897261246;              /* bohr */
  const plane p = best_plane(cube);
  const size_t width = cube->n[p.across], height = cube->n[p.up];
  const size_t longest = width > height ? width : height;
  const size_t factor = longest < 600 ? 600 / longest : 1;
  double *slice = (double *)memory(width * height, sizeof *slice), *large, peak = 0;
  picture_image image;
  size_t i, j, bar;
  require(!picture_open(&image, width * factor, height * factor), path, "the picture does not fit in memory");
  large = (double *)memory(image.width * image.height, sizeof *large);
  for (j = 0; j < height; j++) {
    for (i = 0; i < width; i++) {
      const double v = cube->values[plane_at(cube, &p, i, height - 1 - j)];
      slice[j * width + i] = v;
      peak = fabs(v) > peak ? fabs(v) : peak;
    }
  }
  picture_scale(slice, width, height, factor, large);
  for (i = 0; i < image.width * image.height; i++) {
    /* the root brings out the tails, where most of an orbital's extent is */
    const double t = peak > 0 ? sqrt(fabs(large[i]) / peak) : 0;
    picture_diverging(large[i] < 0 ? -t : t, image.rgb + 3 * i);
  }
  draw_contours(&image, large, level, 3);
  for (i = 0; i < cube->natoms; i++) {
    const double *at = cube->atoms[i].position;
    const double x = (grid_coordinate(cube, at, p.across) + 0.5) * (double)factor - 0.5;
    const double y = ((double)height - grid_coordinate(cube, at, p.up) - 0.5) * (double)factor - 0.5;
    draw_disc(&image, x, y, cube->atoms[i].number > 1 ? 7 : 4, 64); /* hydrogen smaller than the others */
  }
  bar = (size_t)(angstrom / step_of(cube, p.across) * (double)factor + 0.5);
  if (bar + 32 < image.width && image.height > 64) {
    draw_bar(&image, bar);
  }
  require_written(!picture_write(&image, path), path);
  free(slice);
  free(large);
  picture_close(&image);
  printf("picture:    %s, plane %lu of %lu across %c; blue -%.3g, white 0, red +%.3g,\n", path, (unsigned long)p.index + 1,
         (unsigned long)cube->n[p.normal], "xyz"[p.normal], peak, peak);
  puts("            colours by the square root; lines at 0.02, 0.08, 0.32 bohr^-3/2; discs: nuclei; bar: 1 Angstrom");
}

/* There and back: the norms, and what is lost. */
static void compare(const cube_file *cube, const double *coefficients, const double *back) {
  const size_t count = cube->n[0] * cube->n[1] * cube->n[2];
  const double cell = cube_cell_volume(cube);
  double worst = 0, largest = 0;
  size_t i;
  for (i = 0; i < count; i++) {
    const double error = fabs(back[i] - cube->values[i]), size = fabs(cube->values[i]);
    worst = error > worst || error != error ? error : worst;
    largest = size > largest ? size : largest;
  }
  printf("norm:       values %.10f, coefficients %.10f, values again %.10f\n", norm(cube->values, count, cell),
         norm(coefficients, count, cell), norm(back, count, cell));
  printf("round trip: largest error %.2e, where the largest value is %.2e\n", worst, largest);
  puts("            (not rounding: the inverse filter is the adjoint, which undoes the filter only for smooth data)");
}

int main(int argc, char **argv) {
  const char *spec = NULL, *input = NULL, *picture = "orbital" PICTURE_SUFFIX, *data = NULL;
  const option options[] = {
      {"--input", &input, NULL, "FILE.cube", "a wave function on a periodic grid; examples/data/water_homo.cube"},
      {"--picture", &picture, NULL, "FILE", "of the orbital"},
      DATA_OPTION(data),
      HARDWARE_OPTION(spec),
      END_OF_OPTIONS};
  char message[256], path[512];
  cube_file cube;
  convk_sepconv3d_shape shape = {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0}}; /* periodic, and the output as the input */
  convk hw;
  double *coefficients, *back, best;
  size_t count;

  read_options(argc, argv, options, NULL, USAGE, NULL);
  input = input ? input : example_data("water_homo.cube", path);
  open_hardware(&hw, spec, NULL);
  require(!cube_read(&cube, input, message, sizeof message), input, message);
  require(cube.nvalues == 1, input, "more than one value per point");

  /* the file's last axis is contiguous, which the library calls x */
  shape.in.nx = cube.n[2];
  shape.in.ny = cube.n[1];
  shape.in.nz = cube.n[0];
  count = shape.in.nx * shape.in.ny * shape.in.nz;
  coefficients = (double *)memory(count, sizeof *coefficients);
  back = (double *)memory(count, sizeof *back);
  printf("hardware:   %s\n", hw.name);
  printf("grid:       %lu x %lu x %lu points of %s, x contiguous (the file's z), periodic, cell %.6g bohr^3\n",
         (unsigned long)shape.in.nx, (unsigned long)shape.in.ny, (unsigned long)shape.in.nz, input, cube_cell_volume(&cube));
  timed_transform(&hw, &shape, CONVK_INVERSE, cube.values, coefficients);
  best = timed_transform(&hw, &shape, CONVK_FORWARD, coefficients, back);
  timed_loops(&shape, coefficients, back, best);
  compare(&cube, coefficients, back);
  draw(&cube, picture);
  if (data) {
    keep(&cube, coefficients, data);
  }
  free(coefficients);
  free(back);
  cube_free(&cube);
  convk_close(&hw);
  return 0;
}
