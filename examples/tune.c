/* Tune: what suits this machine and a grid is measured, kept in a file, and used by calls.
 *   tune [--size NXxNYxNZ] [--hw NAME] [--threads N] [--budget MS] [--file NAME]
 * The library itself never touches the disk. Threads: compile with -fopenmp -DCONVK_OPENMP. */
#define _DEFAULT_SOURCE 1 /* for a clock that only moves forward, and for huge pages */

#define CONVK_WITH_SEPCONV
#define CONVK_WITH_STENCIL
#define CONVK_F64
#define CONVK_SIMD
#include "convk.h"

#define PROGRAM "tune"
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USAGE "tune [OPTION...]; tune --help lists them"
enum { OPERATIONS = 4, LINE = 512, STEPS = 24 };

/* All of a file; one that is not there is empty. */
static char *load(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  const long size = file && !fseek(file, 0, SEEK_END) ? ftell(file) : 0;
  char *text = (char *)malloc((size_t)size + 1);
  *length = (size_t)size;
  require(text && size >= 0, path, "cannot be read");
  if (file) {
    rewind(file);
    require(fread(text, 1, *length, file) == *length, path, "cannot be read");
    fclose(file);
  }
  return text;
}

/* Replaces lines of the same key, which is what comes before the first parameter, and keeps all others as they are. The new
 * text takes the file's place when it is complete: no reader sees half of it. */
static void save(const char *path, char line[OPERATIONS][LINE]) {
  size_t length, at, next;
  char *old = load(path, &length), unfinished[512];
  int i, good = snprintf(unfinished, sizeof unfinished, "%s.new", path) < (int)sizeof unfinished;
  FILE *file = good ? fopen(unfinished, "wb") : NULL;
  require_written(file != NULL, path);
  for (at = 0; at < length; at = next) {
    const char *end = (const char *)memchr(old + at, '\n', length - at);
    int replaced = 0;
    next = end ? (size_t)(end - old) + 1 : length;
    for (i = 0; i < OPERATIONS; i++) {
      const size_t key = (size_t)(strstr(line[i], " rows=") - line[i]) + 1;
      replaced |= next - at > key && memcmp(old + at, line[i], key) == 0;
    }
    good &= replaced || (fwrite(old + at, 1, next - at, file) == next - at && (end || fputc('\n', file) == '\n'));
  }
  for (i = 0; i < OPERATIONS; i++) {
    good &= fputs(line[i], file) >= 0;
  }
  good &= fclose(file) == 0;
  require_written(good && rename(unfinished, path) == 0, path);
  free(old);
}

static void explain(void *path, size_t line, const char *reason) {
  printf("skipped:  %s:%lu: %s\n", (const char *)path, (unsigned long)line, reason);
}

/* Seconds of one call. */
static double call(convk *hw, const convk_tune_shape *shape, double *a, double *b) {
  const convk_stencil7_coefficients_f64 c = convk_stencil7_isotropic_f64(0.4, 0.1);
  const convk_stencil7_shape block = {shape->grid, {shape->boundary[0], shape->boundary[1], shape->boundary[2]}};
  const double begin = seconds();
  double *result;
  require_ok(convk_stencil7_f64(hw, &block, &c, shape->steps, a, b, &result, NULL, 0), "stencil7");
  return seconds() - begin;
}

int main(int argc, char **argv) {
  static const char *const operations[OPERATIONS] = {"stencil7_f64", "sepconv3d_f64", "sumconv3d_f64", "dwt3d_f64"};
  static char line[OPERATIONS][LINE];
  static convk_tuned entries[256];
  const char *spec = NULL, *size = "256x256x256", *threads = NULL, *budget = "20000", *path = "convk-tuned.txt";
  convk_tune_shape shape; /* packed; periodic; 16 taps, as the magic filter, and of sumconv3d 9 */
  size_t length, count = 0, bytes, i;
  double best[2] = {1e30, 1e30}, *array[2];
  void *arrays[2];
  convk_tuned_report report;
  char *text, end;
  convk hw[2]; /* without and with the file */
  int status, k;
  const option options[] = {{"--size", &size, NULL, "NXxNYxNZ", "points of the grid"},
                            {"--budget", &budget, NULL, "MS", "milliseconds of the search"},
                            {"--file", &path, NULL, "NAME", "where the choices are kept"},
                            HARDWARE_OPTION(spec),
                            THREADS_OPTION(threads),
                            END_OF_OPTIONS};

  read_options(argc, argv, options, NULL, USAGE, NULL);
  memset(&shape, 0, sizeof shape);
  memset(&report, 0, sizeof report);
  report.explain = explain;
  k = sscanf(size, "%zux%zux%zu%c", &shape.grid.nx, &shape.grid.ny, &shape.grid.nz, &end);
  require_option(k == 3, "--size", "NXxNYxNZ, as in 256x256x256");
  shape.steps = STEPS;
  open_hardware(&hw[0], spec, threads);
  printf("tuning:   %s on %s, %s points\n", hw[0].name, hw[0].machine, size);
  for (k = 0; k < OPERATIONS; k++) {
    convk_tune_shape of = shape;
    if (k == OPERATIONS - 1) { /* wavelet transforms halve each axis */
      of.grid.nx += of.grid.nx % 2;
      of.grid.ny += of.grid.ny % 2;
      of.grid.nz += of.grid.nz % 2;
    }
    status = convk_tune(&hw[0], operations[k], &of, atof(budget) / OPERATIONS, entries);
    status = status ? status : convk_tuned_write(&hw[0], entries, 1, line[k], LINE, &length);
    require_ok(status, operations[k]);
    printf("chosen:   %s, %.3f times as fast as the defaults:%s", operations[k], 1e-3 * (double)entries[0].gain,
           strstr(line[k], " threads="));
  }
  save(path, line);

  text = load(path, &length);
  report.ctx = (void *)path;
  status = convk_tuned_read(&hw[0], text, length, entries, 256, &count, &report);
  require_ok(status, path);
  printf("read:     %lu entries for this machine, hardware and number of threads from %s\n", (unsigned long)count, path);
  hw[1] = hw[0];
  hw[1].tuned = entries;
  hw[1].ntuned = count;

  bytes = shape.grid.nx * shape.grid.ny * shape.grid.nz * sizeof(double);
  for (k = 0; k < 2; k++) {
    arrays[k] = convk_huge_alloc(bytes);
    array[k] = (double *)arrays[k];
    require(array[k] != NULL, "arrays", convk_strerror(CONVK_ERR_MEMORY));
    require(!convk_first_touch(&hw[1], &shape.grid, sizeof(double), array[k]), "arrays", "cannot be set to zero");
  }
  for (i = 0; i < 10; i++) { /* in turns, and the best counts */
    const double time = call(&hw[i % 2], &shape, array[0], array[1]);
    best[i % 2] = time < best[i % 2] ? time : best[i % 2];
  }
  printf("stencil7: %.4g s, with the file %.4g s: %.3f times as fast\n", best[0], best[1], best[0] / best[1]);
  convk_huge_free(arrays[0]);
  convk_huge_free(arrays[1]);
  free(text);
  convk_close(&hw[0]);
  return 0;
}
