/* What orbital.c and mpi/orbital.c share: a molecule with its shells and orbitals, values on points, and grids around it.
 * Before this text come convk.h and the program's name as PROGRAM; a program of several ranks includes mpi/ranks.h before. */
#ifndef MOLECULE_H
#define MOLECULE_H

#include "cube.h"
#include "molden_norms.h"
#include "options.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WATER "water_631g.molden" /* of examples/data */
#define MAX_POINTS 100000000.0    /* of one process */
#define CUBE_DIGITS 5             /* behind the point */
#define SLAB \
  ((size_t)16) /* planes of a slab: one orbital takes 1.2 times as long as with 32, but many processes share them better */

#define COEFFICIENTS_OPTION(to) \
  { "--coefficients", &(to), NULL, "NAME", MOLDEN_DIALECT_NAMES ": what they mean, whatever orbitals say" }

#define LISTED "              point by point: the hardware has no calls on grids\n"

enum { ORBITAL, DENSITY };

/* Rows of coefficients, and how many electrons are in each. */
typedef struct orbital_rows {
  size_t count;
  double *coefficients, *occupations;
} orbital_rows;

typedef struct molecule {
  convk hw;
  int single; /* f32 instead of f64 */
  int listed; /* the last grid was evaluated as a list of points */
  molden_file file;
  convk_shell *shells;
  double *normalised;   /* the contraction coefficients of all shells */
  orbital_rows rows[2]; /* of the ORBITAL, and of those that make the DENSITY */
  size_t orbital, homo; /* from 0 */
} molecule;

/* ---- the molecule ---- */

/* Takes the coefficients for what their orbitals say that they are, or for what `as` says, and makes the shells as the library wants
 * them: the file then has contraction coefficients of normalised primitives. */
static inline void make_shells(molecule *m, const char *path, const char *as) {
  const molden_file *f = &m->file;
  char message[512];
  size_t i;
  if (molden_settle(&m->file, as, message, sizeof message)) {
    fail(1, path, "%s", message);
  }
  m->shells = (convk_shell *)memory(f->nshells, sizeof *m->shells);
  m->normalised = (double *)memory(f->nprimitives, sizeof *m->normalised);
  for (i = 0; i < f->nshells; i++) {
    const molden_shell *from = &f->shells[i];
    convk_shell *to = &m->shells[i];
    const int status = convk_shell_normalise(NULL, from->l, from->primitives, f->exponents + from->first,
                                             f->contraction + from->first, m->normalised + from->first);
    require_ok(status, "shells");
    memcpy(to->center, f->atoms[from->atom].position, sizeof to->center);
    to->l = from->l;
    to->functions = from->spherical ? CONVK_SHELL_SPHERICAL_MOLDEN : CONVK_SHELL_CARTESIAN_MOLDEN;
    to->primitives = from->primitives;
    to->exponents = f->exponents + from->first;
    to->coefficients = m->normalised + from->first;
  }
}

/* The last of the highest orbitals that hold electrons, and the first of the lowest that do not: where all energies are the
 * same, as those of natural orbitals may be, their order counts. Returns their number when there is none. */
static inline size_t frontier(const molden_file *f, int occupied) {
  size_t i, best = f->norbitals;
  for (i = 0; i < f->norbitals; i++) {
    const molden_orbital *o = &f->orbitals[i];
    if ((o->occupation >= 0.5) == occupied &&
        (best == f->norbitals || (occupied ? o->energy >= f->orbitals[best].energy : o->energy < f->orbitals[best].energy))) {
      best = i;
    }
  }
  return best;
}

static inline void choose_orbitals(molecule *m, const char *name) {
  const molden_file *f = &m->file;
  orbital_rows *one = &m->rows[ORBITAL], *all = &m->rows[DENSITY];
  char *end;
  size_t i;
  m->homo = frontier(f, 1);
  m->orbital = m->homo;
  if (strcmp(name, "lumo") == 0) {
    m->orbital = frontier(f, 0);
  } else if (strcmp(name, "homo") != 0) {
    m->orbital = (size_t)strtoul(name, &end, 10) - 1; /* 0 becomes too large */
    require_option(end != name && !*end, "--orbital", "a number, homo or lumo");
  }
  require_option(m->orbital < f->norbitals, "--orbital", "the file has no such orbital");
  one->count = 1;
  one->coefficients = f->coefficients + m->orbital * f->nfunctions;
  one->occupations = NULL;
  all->count = 0;
  all->coefficients = (double *)memory(f->norbitals * f->nfunctions, sizeof *all->coefficients);
  all->occupations = (double *)memory(f->norbitals, sizeof *all->occupations);
  for (i = 0; i < f->norbitals; i++) {
    if (f->orbitals[i].occupation < 0 || f->orbitals[i].occupation > 0) {
      memcpy(all->coefficients + all->count * f->nfunctions, f->coefficients + i * f->nfunctions,
             f->nfunctions * sizeof *all->coefficients);
      all->occupations[all->count++] = f->orbitals[i].occupation;
    }
  }
}

/* ---- values on points ---- */

static inline float *narrow(const double *from, size_t count) {
  float *to = (float *)memory(count, sizeof *to);
  size_t i;
  for (i = 0; i < count; i++) {
    to[i] = (float)from[i];
  }
  return to;
}

/* value[n] of the orbital or of the density on n points, whose x, y and z stand one after the other. Returns the shortest
 * time of the calls, which are repeated for some seconds. */
static inline double evaluate(molecule *m, int what, size_t n, const double *xyz, double *value, double repeat) {
  const orbital_rows *r = &m->rows[what];
  const double begin = seconds();
  double best = DBL_MAX;
  convk_points_f64 points = {n, xyz, xyz + n, xyz + 2 * n, 0};
  convk_points_f32 points32;
  const convk_orbital_set_f64 set = {m->file.nshells, m->shells, r->count, r->coefficients, 0, r->occupations, NULL};
  convk_orbital_set_f32 set32;
  float *xyz32 = NULL, *coefficients32 = NULL, *occupations32 = NULL, *value32 = NULL;
  size_t i;
  if (m->single) {
    xyz32 = narrow(xyz, 3 * n);
    coefficients32 = narrow(r->coefficients, r->count * m->file.nfunctions);
    occupations32 = narrow(r->occupations, r->occupations ? r->count : 0);
    value32 = (float *)memory(n, sizeof *value32);
  }
  points32.n = n;
  points32.x = xyz32;
  points32.y = xyz32 ? xyz32 + n : NULL;
  points32.z = xyz32 ? xyz32 + 2 * n : NULL;
  points32.stride = 0;
  memset(&set32, 0, sizeof set32);
  set32.nshells = m->file.nshells;
  set32.shells = m->shells;
  set32.norbitals = r->count;
  set32.coefficients = coefficients32;
  set32.occupations = occupations32;
  do {
    const double start = seconds();
    int status;
    if (m->single && what == ORBITAL) {
      status = convk_orbitals_f32(&m->hw, &points32, &set32, NULL, value32, 0, NULL, 0);
    } else if (m->single) {
      status = convk_density_f32(&m->hw, &points32, &set32, NULL, value32, NULL, 0);
    } else if (what == ORBITAL) {
      status = convk_orbitals_f64(&m->hw, &points, &set, NULL, value, 0, NULL, 0);
    } else {
      status = convk_density_f64(&m->hw, &points, &set, NULL, value, NULL, 0);
    }
    require_ok(status, what == ORBITAL ? "orbitals" : "density");
    best = fmin(best, seconds() - start);
  } while (seconds() - begin < repeat);
  for (i = 0; m->single && i < n; i++) {
    value[i] = (double)value32[i];
  }
  free(xyz32);
  free(coefficients32);
  free(occupations32);
  free(value32);
  return best;
}

/* ---- grids ---- */

/* A cube file has six digits behind the point: what is evaluated shall be what is written. */
static inline double written(double x) { return floor(1e6 * x + 0.5) / 1e6; }

static inline size_t grid_size(const cube_file *grid) { return grid->n[0] * grid->n[1] * grid->n[2]; }

/* A box around all atoms, of `most` points at most. Its values are the caller's. */
static inline void make_grid(cube_file *grid, const molden_file *f, double spacing, double margin, double most) {
  double count = 1;
  size_t i;
  int d;
  memset(grid, 0, sizeof *grid);
  grid->nvalues = 1;
  grid->natoms = f->natoms;
  grid->atoms = (cube_atom *)memory(f->natoms, sizeof *grid->atoms);
  for (i = 0; i < f->natoms; i++) {
    grid->atoms[i].number = f->atoms[i].number;
    grid->atoms[i].charge = f->atoms[i].charge;
    memcpy(grid->atoms[i].position, f->atoms[i].position, sizeof grid->atoms[i].position);
  }
  for (d = 0; d < 3; d++) {
    double low = f->atoms[0].position[d], high = low, steps;
    for (i = 1; i < f->natoms; i++) {
      low = fmin(low, f->atoms[i].position[d]);
      high = fmax(high, f->atoms[i].position[d]);
    }
    grid->axis[d][d] = written(spacing);
    steps = ceil((high - low + 2 * margin) / grid->axis[d][d]);
    count *= steps + 1;
    require_option(count <= most, "--spacing", "too many points");
    grid->origin[d] = written(0.5 * (low + high - steps * grid->axis[d][d]));
    grid->n[d] = (size_t)steps + 1;
  }
}

/* The points of some rows of a grid, in the order of its values: a row is along the last axis, the rows of the second one
 * follow one another. */
static inline double *grid_points(const cube_file *grid, size_t first, size_t rows) {
  const size_t n = rows * grid->n[2];
  double *xyz = (double *)memory(3 * n, sizeof *xyz);
  size_t r, k, at = 0;
  int d;
  for (r = first; r < first + rows; r++) {
    const double i = (double)(r / grid->n[1]), j = (double)(r % grid->n[1]);
    for (k = 0; k < grid->n[2]; k++, at++) {
      for (d = 0; d < 3; d++) {
        xyz[(size_t)d * n + at] = grid->origin[d] + i * grid->axis[0][d] + j * grid->axis[1][d] + (double)k * grid->axis[2][d];
      }
    }
  }
  return xyz;
}

/* Whether a grid has axes along x, y and z, as those of convk_gaussian_box have. */
static inline int has_axes(const cube_file *grid) {
  int d, e;
  for (d = 0; d < 3; d++) {
    for (e = 0; e < 3; e++) {
      if ((grid->axis[d][e] != 0) != (d == e)) {
        return 0;
      }
    }
  }
  return 1;
}

/* Planes `first` .. `first` + box->grid.nx - 1 of a grid, as the library wants them. */
static inline convk_gaussian_box slab_box(const cube_file *grid, size_t first) {
  convk_gaussian_box box;
  memset(&box, 0, sizeof box);
  memcpy(box.origin, grid->origin, sizeof box.origin);
  box.origin[0] += (double)first * grid->axis[0][0];
  box.step_x[0] = grid->axis[0][0];
  box.step_y[1] = grid->axis[1][1];
  box.step_z[2] = grid->axis[2][2];
  box.grid.nx = grid->n[0] - first < SLAB ? grid->n[0] - first : SLAB;
  box.grid.ny = grid->n[1];
  box.grid.nz = grid->n[2];
  return box;
}

/* The orbital or the density on one slab, in `on` or `on32`. */
static inline int evaluate_slab(molecule *m, int what, const convk_gaussian_box *box, const float *coefficients32,
                                const float *occupations32, double *on, float *on32) {
  const orbital_rows *r = &m->rows[what];
  const convk_orbital_set_f64 set = {m->file.nshells, m->shells, r->count, r->coefficients, 0, r->occupations, NULL};
  const convk_orbital_set_f32 set32 = {m->file.nshells, m->shells, r->count, coefficients32, 0, occupations32, NULL};
  const convk_density_parts_f64 density = {on, NULL, NULL, NULL, NULL};
  const convk_density_parts_f32 density32 = {on32, NULL, NULL, NULL, NULL};
  if (m->single && what == ORBITAL) {
    return convk_orbitals_grid_f32(&m->hw, box, &set32, NULL, on32, 0, NULL, 0);
  } else if (m->single) {
    return convk_density_grid_f32(&m->hw, box, &set32, NULL, &density32, NULL, 0);
  } else if (what == ORBITAL) {
    return convk_orbitals_grid_f64(&m->hw, box, &set, NULL, on, 0, NULL, 0);
  }
  return convk_density_grid_f64(&m->hw, box, &set, NULL, &density, NULL, 0);
}

/* Rows first .. first + rows - 1 of a slab whose first plane is `plane`, if it has them, to where the file wants them: the
 * library's values lie along x, and those of a cube file along z. */
static inline void take_slab(const convk_gaussian_box *box, size_t plane, size_t first, size_t rows, const double *on,
                             const float *on32, double *value) {
  const size_t nx = box->grid.nx, ny = box->grid.ny, nz = box->grid.nz, end = (plane + nx) * ny;
  size_t r = first > plane * ny ? first : plane * ny, k;
  for (; r < first + rows && r < end; r++) {
    const size_t from = r % ny * nx + r / ny - plane;
    for (k = 0; k < nz; k++) {
      value[(r - first) * nz + k] = on32 ? (double)on32[k * ny * nx + from] : on[k * ny * nx + from];
    }
  }
}

/* As evaluate, on rows first .. first + rows - 1 of a grid, many times as fast: by slabs of some planes, which the whole grid
 * decides and not who has which rows. So values have the same bits for any number of processes, also where a part of a slab
 * counts as nothing, and where the first plane of a slab is rounded. What the file's order costs is left out of the time. Where
 * there are no axes, or the hardware has no calls on grids, it is the points one by one: m->listed, LISTED says so. */
static inline double evaluate_grid(molecule *m, int what, const cube_file *grid, size_t first, size_t rows, double *value,
                                   double repeat) {
  const orbital_rows *r = &m->rows[what];
  const size_t ny = grid->n[1], nz = grid->n[2];
  const double begin = seconds();
  double best = DBL_MAX, *on = NULL, *xyz;
  float *coefficients32 = NULL, *occupations32 = NULL, *on32 = NULL;
  m->listed = !has_axes(grid);
  if (m->single) {
    coefficients32 = narrow(r->coefficients, r->count * m->file.nfunctions);
    occupations32 = narrow(r->occupations, r->occupations ? r->count : 0);
    on32 = (float *)memory(SLAB * ny * nz, sizeof *on32);
  } else {
    on = (double *)memory(SLAB * ny * nz, sizeof *on);
  }
  do {
    size_t plane = first / ny / SLAB * SLAB;
    double time = 0;
    for (; plane * ny < first + rows && !m->listed; plane += SLAB) {
      const convk_gaussian_box box = slab_box(grid, plane);
      const double start = seconds();
      const int status = evaluate_slab(m, what, &box, coefficients32, occupations32, on, on32);
      m->listed = status == CONVK_ERR_UNSUPPORTED;
      require_ok(m->listed ? CONVK_OK : status, what == ORBITAL ? "orbitals_grid" : "density_grid");
      time += seconds() - start;
      take_slab(&box, plane, first, rows, on, on32, value);
    }
    best = fmin(best, time);
  } while (seconds() - begin < repeat && !m->listed);
  free(coefficients32);
  free(occupations32);
  free(on32);
  free(on);
  if (m->listed) {
    xyz = grid_points(grid, first, rows);
    best = evaluate(m, what, rows * nz, xyz, value, repeat);
    free(xyz);
  }
  return best;
}

static inline double electrons(const molecule *m) {
  double sum = 0;
  size_t i;
  for (i = 0; i < m->rows[DENSITY].count; i++) {
    sum += m->rows[DENSITY].occupations[i];
  }
  return sum;
}

/* The first lines of a cube file. */
static inline void name_values(const molecule *m, int what, cube_file *grid) {
  const molden_orbital *o = &m->file.orbitals[m->orbital];
  if (what == ORBITAL) {
    snprintf(grid->comment[0], CUBE_COMMENT_SIZE, "Orbital %lu, symmetry %s", (unsigned long)m->orbital + 1, o->symmetry);
    snprintf(grid->comment[1], CUBE_COMMENT_SIZE, "Energy %.6f hartree, occupation %g", o->energy, o->occupation);
  } else {
    snprintf(grid->comment[0], CUBE_COMMENT_SIZE, "Electron density");
    snprintf(grid->comment[1], CUBE_COMMENT_SIZE, "%g electrons", electrons(m));
  }
}

static inline void print_molecule(const molecule *m, const char *path, const cube_file *grid) {
  const molden_file *f = &m->file;
  const molden_orbital *o = &f->orbitals[m->orbital];
  printf("molecule:     %s: %lu atoms, %lu shells, %lu functions, %lu orbitals\n", path, (unsigned long)f->natoms,
         (unsigned long)f->nshells, (unsigned long)f->nfunctions, (unsigned long)f->norbitals);
  if (f->rewritten) {
    printf("              read as %s\n", f->meaning);
  }
  printf("              orbital %lu %s, energy %.6f hartree, occupation %g\n", (unsigned long)m->orbital + 1, o->symmetry,
         o->energy, o->occupation);
  printf("grid:         %lu x %lu x %lu points %g bohr apart, the last axis contiguous\n", (unsigned long)grid->n[0],
         (unsigned long)grid->n[1], (unsigned long)grid->n[2], grid->axis[0][0]);
}

static inline void molecule_free(molecule *m) {
  free(m->rows[DENSITY].coefficients);
  free(m->rows[DENSITY].occupations);
  free(m->shells);
  free(m->normalised);
  molden_free(&m->file);
}

#endif
