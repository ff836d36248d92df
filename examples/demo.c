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

/* One transform, repeated for half a second or MAX_REPETITIONS times, whichever comes first, but at least 7 times. */
static void timed_transform(convk *hw, const convk_sepconv3d_shape *shape, int direction, const double *in, double *out) {
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

/* The orbital and its coefficients in the plane, and where the nuclei are: lengths along the axes, from the first point. */
static void keep(const cube_file *cube, const double *coefficients, const char *path) {
  const plane p = best_plane(cube);
  const size_t nx = cube->n[p.across], ny = cube->n[p.up];
  double *slice[2], step[3], x[2] = {0, 0}, y[2] = {0, 0};
  const data_file d = data_open(path, "demo");
  size_t i, k;
  for (k = 0; k < 3; k++) {
    const double *a = cube->axis[k];
    step[k] = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  }
  x[1] = step[p.across];
  y[1] = step[p.up];
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
                           (grid_coordinate(cube, at, p.normal) - (double)p.index) * step[p.normal], cube->atoms[i].number};
    data_row(&d, 4, row);
  }
  data_close(&d, "data:");
  free(slice[0]);
  free(slice[1]);
}

static void draw(const cube_file *cube, const char *path) {
  const plane p = best_plane(cube);
  const size_t width = cube->n[p.across], height = cube->n[p.up];
  const size_t longest = width > height ? width : height;
  const size_t factor = longest < 600 ? 600 / longest : 1;
  double *slice = (double *)memory(width * height, sizeof *slice), *large, peak = 0;
  picture_image image;
  size_t i, j;
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
  require_written(!picture_write(&image, path), path);
  free(slice);
  free(large);
  picture_close(&image);
  printf("picture:    %s, plane %lu of %lu across %c; blue -%.3g, white 0, red +%.3g,\n", path, (unsigned long)p.index + 1,
         (unsigned long)cube->n[p.normal], "xyz"[p.normal], peak, peak);
  puts("            colours by the square root");
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
  double *coefficients, *back;
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
  timed_transform(&hw, &shape, CONVK_FORWARD, coefficients, back);
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
