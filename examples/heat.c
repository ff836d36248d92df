/* Heat: a hot wire, wound to a helix, in a cold block. Explicit Euler steps of dT/dt = D laplacian T, the 7-point stencil:
 *   T'(x,y,z) = c0 T(x,y,z) + c1 (sum of the six neighbours),   c1 = D dt / h^2,  c0 = 1 - 6 c1
 *   heat [--hw NAME] [--n POINTS] [--steps N] [--threads N] [--out PREFIX] [--data FILE]
 * The faces of the block stay at 0. mpi/heat.c does the same with many processes. */
#define _DEFAULT_SOURCE /* for a clock that only moves forward, and huge pages */

#define CONVK_WITH_STENCIL /* the other families are left out: they take their time to compile */
#define CONVK_F64
#define CONVK_SIMD
#include "convk.h"

#define PROGRAM "heat"
#include "options.h"
#include "data_file.h"
#include "picture.h"
#include "wire.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USAGE "heat [OPTION...]; heat --help lists them"
#define FRAMES 6
#define GAP 8 /* pixels between slices */

/* n^3 points and the faces around them: n + 2 points along each axis. */
typedef struct block {
  convk hw;
  convk_stencil7_shape shape; /* of the grid, with fixed ends */
  convk_stencil7_coefficients_f64 c;
  size_t n;
  double *now, *next; /* the state, and memory for the next one */
} block;

static size_t at(const block *b, size_t x, size_t y, size_t z) {
  return z * b->shape.grid.pitch_z + y * b->shape.grid.pitch_y + x;
}
static size_t elements(const block *b) { return b->shape.grid.nz * b->shape.grid.pitch_z; } /* what lies between rows stays 0 */

/* ---- states and steps ---- */

/* The slowest mode, sin(a x) sin(a y) sin(a z) from a corner, a = pi / (n + 1): a step multiplies it by c0 + 6 c1 cos a. */
static double sine_mode(double x, double y, double z) { return cos(PI * x) * cos(PI * y) * cos(PI * z); }

/* The points that change. The faces belong to the caller, in both arrays: here they are 0 from the start. */
static void set(block *b, double (*initial)(double x, double y, double z)) {
  const double h = 1.0 / (double)(b->n + 1);
  size_t x, y, z;
  for (z = 1; z <= b->n; z++) {
    for (y = 1; y <= b->n; y++) {
      for (x = 1; x <= b->n; x++) {
        b->now[at(b, x, y, z)] = initial((double)x * h - 0.5, (double)y * h - 0.5, (double)z * h - 0.5);
      }
    }
  }
}

/* Returns the time of `steps` steps, at most `per_call` in a call. A call says in which array the state is at its end. */
static double advance(block *b, size_t steps, size_t per_call) {
  const double start = seconds();
  while (steps > 0) {
    const size_t more = steps < per_call ? steps : per_call;
    double *result;
    require_ok(convk_stencil7_f64(&b->hw, &b->shape, &b->c, more, b->now, b->next, &result, NULL, 0), "stencil7");
    if (result != b->now) {
      b->next = b->now;
      b->now = result;
    }
    steps -= more;
  }
  return seconds() - start;
}

/* ---- the wire, with pictures ---- */

/* The middle planes of a state, as maps: the one of x along y and z, the other along x and y. */
static void keep(const block *b, size_t step, const data_file *data) {
  const double h = 1.0 / (double)(b->n + 1);
  const size_t m = b->shape.grid.nx, middle = m / 2;
  char name[40];
  size_t i, j;
  snprintf(name, sizeof name, "step %lu", (unsigned long)step);
  data_block(data, name, "across [edge], up [edge], T in the plane of x [1], T in the plane of z [1]");
  for (j = 0; j < m; j++) {
    for (i = 0; i < m; i++) {
      const double row[4] = {(double)i * h, (double)j * h, b->now[at(b, middle, i, j)], b->now[at(b, i, j, middle)]};
      data_row(data, 4, row);
    }
    data_line_end(data);
  }
}

/* Pictures at times that grow as the square, since heat spreads as the root of time. Each shows the planes x and z through
 * the middle, one above the other; another has all of them side by side. */
static void cool(block *b, size_t steps, const char *prefix, const data_file *data) {
  const size_t m = b->shape.grid.nx, middle = m / 2, factor = m < 400 ? 400 / m : 1, side = m * factor, across = side + GAP;
  const ptrdiff_t row = (ptrdiff_t)b->shape.grid.pitch_y, plane = (ptrdiff_t)b->shape.grid.pitch_z;
  picture_image one, all;
  double initial = 0;
  size_t frame, done = 0, i;
  char path[512];
  require(!picture_open(&one, side, across + side) && !picture_open(&all, FRAMES * across - GAP, 2 * across - GAP), "pictures",
          convk_strerror(CONVK_ERR_MEMORY));
  set(b, hot_wire);
  printf("%9s %9s %10s    picture\n", "step", "hottest", "heat left");
  for (frame = 0; frame < FRAMES; frame++) {
    const size_t until = steps * frame * frame / ((FRAMES - 1) * (FRAMES - 1));
    double heat = 0, hottest = 0;
    advance(b, until - done, until - done);
    done = until;
    for (i = 0; i < elements(b); i++) {
      heat += b->now[i];
      hottest = fmax(hottest, b->now[i]);
    }
    initial = frame == 0 ? heat : initial;
    snprintf(path, sizeof path, "%s-%lu" PICTURE_SUFFIX, prefix, (unsigned long)done);
    require(!picture_data(&one, 0, 0, b->now + at(b, middle, 0, m - 1), row, -plane, m, m, factor, picture_heat) &&
                !picture_data(&one, 0, across, b->now + at(b, 0, m - 1, middle), 1, -row, m, m, factor, picture_heat) &&
                !picture_write(&one, path),
            path, "cannot be made");
    picture_paste(&all, frame * across, 0, &one);
    if (data) {
      keep(b, done, data);
    }
    printf("%9lu %9.4f %8.2f %%    %s\n", (unsigned long)done, hottest, 100 * heat / initial, path);
  }
  snprintf(path, sizeof path, "%s" PICTURE_SUFFIX, prefix);
  require(!picture_write(&all, path), path, "cannot be made");
  printf("pictures:     planes x = %lu (above) and z = %lu; one scale: 0 black, red, yellow, 1 white; all in %s\n",
         (unsigned long)middle, (unsigned long)middle, path);
  picture_close(&one);
  picture_close(&all);
}

/* ---- how fast, how exact ---- */

/* The sine mode, whose decay is known, by one call, which makes several steps in each pass over memory (temporal blocking), and
 * by as many calls of one step: the same to the last bit. */
static void compare(block *b, size_t steps) {
  const size_t count = elements(b);
  const double updates = (double)b->n * (double)b->n * (double)b->n * (double)steps;
  const double half = sin(0.5 * PI / (double)(b->n + 1)), start = seconds();
  const double decay = exp((double)steps * log1p(-12 * C1 * half * half)); /* cos a = 1 - 2 sin(a / 2)^2, not to lose digits */
  double many = DBL_MAX, single = DBL_MAX, worst = 0, *kept = (double *)memory(count, sizeof *kept);
  size_t i;
  do { /* as often as a second allows, at least once: the best counts */
    set(b, sine_mode);
    many = fmin(many, advance(b, steps, steps));
    memcpy(kept, b->now, count * sizeof *kept);
    set(b, sine_mode);
    single = fmin(single, advance(b, steps, 1));
    require(memcmp(kept, b->now, count * sizeof *kept) == 0, "one call and single steps", "different bits");
  } while (seconds() - start < 1);
  set(b, sine_mode);
  for (i = 0; i < count; i++) {
    const double error = fabs(kept[i] - decay * b->now[i]) / (decay > DBL_MIN ? decay : DBL_MIN);
    worst = error > worst || error != error ? error : worst;
  }
  free(kept);
  printf("one call:     %.4g s, %.3f GLUP/s (10^9 updates per second), equivalent bandwidth %.1f GB/s (16 bytes per update)\n",
         many, 1e-9 * updates / many, 16e-9 * updates / many);
  printf("single steps: %.4g s, %.3f GLUP/s: one call is %.2f times as fast, with the same bits\n", single,
         1e-9 * updates / single, single / many);
  printf("sine mode:    decays to %.10f, relative error %.1e\n", decay, worst);
  require(worst < 1e-15 * (double)(steps + 8), "sine mode", "more error than rounding explains");
}

int main(int argc, char **argv) {
  const char *spec = NULL, *points = "160", *count = "800", *threads = NULL, *prefix = "heat", *file = NULL;
  data_file data;
  void *arrays[2];
  size_t steps, m;
  block b;
  const option options[] = {{"--n", &points, NULL, "N", "points along each edge, 8..800"},
                            {"--steps", &count, NULL, "N", "steps of time"},
                            {"--out", &prefix, NULL, "PREFIX", "of the file names of pictures"},
                            DATA_OPTION(file),
                            HARDWARE_OPTION(spec),
                            THREADS_OPTION(threads),
                            END_OF_OPTIONS};

  read_options(argc, argv, options, NULL, USAGE, NULL);
  b.n = (size_t)whole(points, "--n", 8, 800);
  steps = (size_t)whole(count, "--steps", 1, 1000000);
  require_option(strlen(prefix) < 480, "--out", "too long");
  open_hardware(&b.hw, spec, threads);
  m = b.n + 2;
  b.shape.grid = convk_grid3_padded(m, m, m, sizeof *b.now);
  b.shape.boundary[0] = b.shape.boundary[1] = b.shape.boundary[2] = CONVK_BOUNDARY_FIXED;
  b.c = convk_stencil7_isotropic_f64(1 - 6 * C1, C1);
  arrays[0] = convk_huge_alloc(elements(&b) * sizeof *b.now);
  b.now = (double *)arrays[0];
  arrays[1] = convk_huge_alloc(elements(&b) * sizeof *b.next);
  b.next = (double *)arrays[1];
  require(b.now && b.next, "arrays", convk_strerror(CONVK_ERR_MEMORY));
  memset(b.now, 0, elements(&b) * sizeof *b.now);
  memset(b.next, 0, elements(&b) * sizeof *b.next);
  printf("hardware:     %s, threads: %d\n", b.hw.name, threads_of(&b.hw));
  printf("grid:         %lu^3 points between cold faces, %lu steps, c1 = %g\n", (unsigned long)b.n, (unsigned long)steps, C1);
  if (file) {
    data = data_open(file, "heat");
    data_note(&data, "points", "%lu along an edge", (unsigned long)b.n);
    data_note(&data, "time step", "%.7g edge^2/D", C1 / ((double)(b.n + 1) * (double)(b.n + 1)));
  }
  cool(&b, steps, prefix, file ? &data : NULL);
  if (file) {
    data_close(&data, "data:");
  }
  compare(&b, steps);
  convk_huge_free(arrays[0]);
  convk_huge_free(arrays[1]);
  convk_close(&b.hw);
  return 0;
}
