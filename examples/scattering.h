/* What gisaxs.c and mpi/gisaxs.c share: a particle from a file or by its name, the detector, and a pattern as picture and as data. Before
 * this text come convk.h, the program's name as PROGRAM, and options.h. */
#ifndef SCATTERING_H
#define SCATTERING_H

#include "data_file.h"
#include "mesh.h"
#include "picture.h"
#include "shapes.h"
#include "stl.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* How a program prints what it finds; of many processes only one does. */
#ifndef TELL
#define TELL printf
#endif

/* ---- the particle ---- */

/* Files of examples/data, which may be named without their path. */
static const char *const bodies[] = {"sphere", "cylinder", "box"};

/* The index of a name, or -1. */
static inline int body_named(const char *name, size_t length) {
  int k;
  for (k = 2; k >= 0 && (strlen(bodies[k]) != length || strncmp(bodies[k], name, length) != 0); k--) {
  }
  return k;
}

typedef struct particle {
  convk_indexed_mesh_f64 indexed;
  convk_mesh_f64 mesh;
  double *storage; /* of the mesh, with corners */
} particle;

static inline int ends_with(const char *path, const char *end) {
  const size_t length = strlen(path), behind = strlen(end);
  return length > behind && strcmp(path + length - behind, end) == 0;
}

/* Files that mesh.h reads. */
static inline int has_faces(const char *path) {
  return ends_with(path, ".off") || ends_with(path, ".ply") || ends_with(path, ".obj");
}

/* An STL file names every corner of every triangle: equal ones become one vertex. */
static inline void read_stl(convk_indexed_mesh_f64 *indexed, const char *path) {
  char message[256];
  stl_file stl;
  require(!stl_read(&stl, path, message, sizeof message), path, message);
  indexed->faces = stl.n;
  indexed->x = (double *)memory(9 * stl.n, sizeof *indexed->x);
  indexed->y = indexed->x + 3 * stl.n;
  indexed->z = indexed->x + 6 * stl.n;
  indexed->face = (uint32_t *)memory(3 * stl.n, sizeof *indexed->face);
  require_ok(convk_mesh_join_f64(NULL, stl.corners, indexed, NULL, 0), path);
  TELL("mesh:         %s (%s, \"%s\")\n", path, stl.binary ? "binary" : "ASCII", stl.name);
  if (stl.contrary) {
    TELL("              %lu normals point against their corners; the corners count\n", (unsigned long)stl.contrary);
  }
  stl_free(&stl);
}

static inline void read_faces(convk_indexed_mesh_f64 *indexed, const char *path) {
  char message[256];
  mesh_file file;
  require(!mesh_file_read(&file, path, message, sizeof message), path, message);
  indexed->vertices = file.vertices;
  indexed->faces = file.faces;
  indexed->x = file.x;
  indexed->y = file.y;
  indexed->z = file.z;
  indexed->face = file.face;
  TELL("mesh:         %s (%s)\n", path, file.kind);
}

/* Arrays of triangles for its faces. */
static inline void prepare(particle *p, const char *what) {
  int status;
  p->storage = (double *)memory(12 * p->indexed.faces, sizeof *p->storage);
  status = convk_mesh_assign_f64(NULL, p->indexed.faces, 1, p->storage, &p->mesh);
  p->mesh.indexed = &p->indexed;
  require_ok(status ? status : convk_mesh_from_faces_f64(NULL, &p->mesh), what);
}

/* Prints the names that may be given, for --help. */
static inline const char *shape_list(void) {
  static char text[1024];
  size_t length = (size_t)snprintf(text, sizeof text, "A SHAPE is sphere, cylinder or box, of examples/data, or with lengths");
  int k;
  for (k = 0; k < SHAPE_KINDS && length < sizeof text; k++) {
    length += (size_t)snprintf(text + length, sizeof text - length, "\n  %s:%s", shape_kinds[k].name, shape_kinds[k].numbers);
  }
  return text;
}

/* Finds the path of the file with this name; returns whether the name is that of a shape. */
static inline int find(const char *name, char path[512], shape *named) {
  const int is_shape = strchr(name, ':') && !ends_with(name, ".stl") && !has_faces(name);
  char message[256];
  require_option(strlen(name) < 480, "the file's name", "too long");
  snprintf(path, 512, "%s", name);
  if (body_named(name, strlen(name)) >= 0) {
    char file[16];
    snprintf(file, sizeof file, "%.10s.stl", name);
    example_data(file, path);
  }
  if (is_shape) {
    require_option(!shape_parse(named, name, message, sizeof message), "the shape", message);
  }
  return is_shape;
}

/* Reads a file or, if `named` is not NULL, makes that shape. */
static inline void load(particle *p, const char *path, const shape *named) {
  char message[256];
  if (named) {
    require(!shape_mesh(named, 0, &p->indexed, message, sizeof message), path, message);
    TELL("mesh:         %s\n", path);
  } else if (has_faces(path)) {
    read_faces(&p->indexed, path);
  } else {
    read_stl(&p->indexed, path);
  }
  prepare(p, path);
}

/* Measures the particle, and prints what it is. */
static inline void describe(const particle *p, const char *path, convk_mesh_measures *measures) {
  convk_mesh_report report;
  int status;
  memset(&report, 0, sizeof report);
  status = convk_mesh_measure_f64(NULL, &p->mesh, measures);
  status = status ? status : convk_mesh_check_f64(NULL, &p->indexed, &report, NULL, 0);
  require_ok(status, path);
  TELL("              %lu vertices, %lu triangles, %lu edges, %s\n", (unsigned long)p->indexed.vertices,
       (unsigned long)p->indexed.faces, (unsigned long)report.edges, report.closed ? "closed" : "open");
  if (report.border || report.turned) {
    TELL("              %lu edges of one triangle only, %lu between triangles that are turned against each other\n",
         (unsigned long)report.border, (unsigned long)report.turned);
  }
  TELL("              area %.6g, volume %.6g\n", measures->area, measures->volume);
  require(fabs(measures->volume) > 0, path, "it encloses no volume");
  if (measures->volume < 0) {
    TELL("              inside out: corners run clockwise, and F has the other sign\n");
  }
}

/* The same shape in triangles so small that a point in each will do: edges of 2 / q, and no more triangles than make sense. */
static inline void refine(particle *points, const char *path, const shape *named, double qmax, double area) {
  const double edge = fmax(2 / qmax, sqrt(area / 2000));
  char message[256];
  require(!shape_mesh(named, edge, &points->indexed, message, sizeof message), path, message);
  prepare(points, path);
  TELL("              in %lu triangles for one point in each\n", (unsigned long)points->mesh.n);
}

static inline void particle_free(particle *p) {
  free(p->storage);
  shape_free(&p->indexed); /* arrays as files have them, too */
}

/* ---- the detector ---- */

/* "NYxNZ" pixels, from 2 to `most` each. */
static inline void read_pixels(const char *text, const char *name, unsigned long most, size_t *ny, size_t *nz) {
  unsigned long y = 0, z = 0;
  int read = 0;
  if (sscanf(text, "%lux%lu%n", &y, &z, &read) != 2 || text[read] || y < 2 || z < 2 || y > most || z > most) {
    fail(BAD_OPTIONS, name, "NYxNZ is wanted, 2..%lu each, not %s", most, text);
  }
  *ny = y;
  *nz = z;
}

static inline double in_type(int single, double x) { return single ? (double)(float)x : x; }

/* The middles of n pixels that fill -qmax..qmax, in the precision of the calls. */
static inline double *axis_of_detector(int single, double qmax, size_t n) {
  double *q = (double *)memory(n, sizeof *q);
  size_t i;
  for (i = 0; i < n; i++) {
    q[i] = in_type(single, qmax * (2 * (double)i + 1 - (double)n) / (double)n);
  }
  return q;
}

/* ---- the pattern ---- */

static inline int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* t = |F / V|^2 of [nz][ny] pixels, over as many decades as 98% of the pixels need. */
static inline void draw(size_t ny, size_t nz, const double *t, const char *path) {
  const size_t pixels = ny * nz, longest = ny > nz ? ny : nz, factor = longest < 510 ? 510 / longest : 1;
  double *shown = (double *)memory(pixels, sizeof *t);
  picture_image image;
  int low, high;
  size_t i;
  memcpy(shown, t, pixels * sizeof *t);
  qsort(shown, pixels, sizeof *t, ascending);
  high = (int)ceil(log10(shown[pixels - 1] + DBL_MIN) - 0.01);
  low = (int)floor(log10(shown[pixels / 50] + DBL_MIN));
  low = low > high - 3 ? high - 3 : low < high - 12 ? high - 12 : low;
  for (i = 0; i < pixels; i++) {
    shown[i] = picture_decades(t[i], low, high);
  }
  require(!picture_open(&image, ny * factor, nz * factor) &&
              !picture_data(&image, 0, 0, shown + (nz - 1) * ny, 1, -(ptrdiff_t)ny, ny, nz, factor, picture_heat),
          path, "the picture does not fit in memory");
  require_written(!picture_write(&image, path), path);
  TELL("picture:      %s, |F / volume|^2 from 1e%d (black) to 1e%d (white)\n", path, low, high);
  picture_close(&image);
  free(shown);
}

/* The same as data, for lengths in nm. */
static inline void keep(size_t ny, size_t nz, double qmax, double absorption, const double *t, const char *what,
                        const char *path) {
  const double y[2] = {qmax * (1 - (double)ny) / (double)ny, 2 * qmax / (double)ny};
  const double z[2] = {qmax * (1 - (double)nz) / (double)nz, 2 * qmax / (double)nz};
  const data_file d = data_open(path, "gisaxs");
  data_note(&d, "particle", "%s", what);
  data_note(&d, "Im qz", "%g 1/nm", absorption);
  data_block(&d, "pattern", "qy [1/nm], qz [1/nm], |F/V|^2 [1]");
  data_map(&d, ny, nz, y, z, 1, &t);
  data_close(&d, "data:");
}

#endif
