/* Data as text, which gnuplot, numpy.loadtxt and plot/plot.py read:
 *   # example: gisaxs
 *   # volume: 1251.4 nm^3                    what holds for all of it, as "# name: value unit"
 *
 *   # block: pattern                         a table: what its columns are, with their units, and its rows
 *   # columns: qy [1/nm], qz [1/nm], |F/V|^2 [1]
 *   -1.99 -1.99 3.1e-08
 * In a map the first column runs fastest, and an empty line ends each line of the map, for gnuplot's "with pm3d". Two empty lines
 * stand before each block, which is an "index" of gnuplot. All blocks of a file have as many columns. Before this text comes options.h. */
#ifndef DATA_FILE_H
#define DATA_FILE_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct data_file {
  FILE *file;
  const char *path;
} data_file;

/* "# name: " and what the format says, up to the end of the line. */
static inline void data_note(const data_file *d, const char *name, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(d->file, "# %s: ", name);
  vfprintf(d->file, format, arguments);
  putc('\n', d->file);
  va_end(arguments);
}

static inline data_file data_open(const char *path, const char *example) {
  data_file d;
  d.path = path;
  d.file = fopen(path, "w");
  if (!d.file) {
    fail(1, path, "cannot be written: %s", strerror(errno));
  }
  data_note(&d, "example", "%s", example);
  return d;
}

static inline void data_block(const data_file *d, const char *name, const char *columns) {
  fputs("\n\n", d->file);
  data_note(d, "block", "%s", name);
  data_note(d, "columns", "%s", columns);
}

static inline void data_row(const data_file *d, size_t count, const double *values) {
  size_t i;
  for (i = 0; i < count; i++) {
    fprintf(d->file, "%s%.7g", i ? " " : "", values[i]);
  }
  putc('\n', d->file);
}

/* After each line of a map. */
static inline void data_line_end(const data_file *d) { putc('\n', d->file); }

/* A map at x = x[0] + i x[1] and y = y[0] + j y[1], whose further columns are values[k][j * nx + i]. */
static inline void data_map(const data_file *d, size_t nx, size_t ny, const double x[2], const double y[2], size_t count,
                            const double *const *values) {
  double row[8];
  size_t i, j, k;
  for (j = 0; j < ny; j++) {
    row[1] = y[0] + (double)j * y[1];
    for (i = 0; i < nx; i++) {
      row[0] = x[0] + (double)i * x[1];
      for (k = 0; k < count; k++) {
        row[2 + k] = values[k][j * nx + i];
      }
      data_row(d, 2 + count, row);
    }
    data_line_end(d);
  }
}

/* Says where it is, after a label. */
static inline void data_close(const data_file *d, const char *label) {
  const int bad = ferror(d->file);
  require_written(fclose(d->file) == 0 && !bad, d->path);
  printf("%-13s %s; drawn with axes by python3 examples/plot/plot.py %s OUT.png\n", label, d->path, d->path);
}

#endif
