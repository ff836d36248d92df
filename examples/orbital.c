/* A molecule from a molden file: one of its orbitals and its electron density on a grid, as cube files and as a picture.
 *   orbital [FILE.molden] [--orbital N|homo|lumo] [--spacing BOHR] [--margin BOHR] [--out PREFIX] [--compare FILE.cube]
 *           [--hw NAME] [--type f32|f64]
 * The norm of the orbital and the sum of the density on the grid come near to 1 and to the number of electrons as the grid
 * becomes finer: a coarse one does not resolve the cores of the atoms.
 * --compare evaluates the orbital on the grid of a cube file and fails where the two differ: so the example checks itself,
 * since the file of water that it takes from the root of the repository has such a cube beside it. */
#define _POSIX_C_SOURCE 200112L /* for a clock that only moves forward */

#define CONVK_WITH_GAUSSIAN /* the other families are left out: they take their time to compile */
#define CONVK_SSE
#define CONVK_AVX
#include "convk.h"

#define PROGRAM "orbital"
#include "cube.h"
#include "molden.h"
#include "options.h"
#include "picture.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USAGE \
  "orbital [FILE.molden] [--orbital N|homo|lumo] [--spacing BOHR] [--margin BOHR]\n" \
  "               [--out PREFIX] [--compare FILE.cube] [--hw NAME] [--type f32|f64]"
#define WATER "examples/data/water_631g.molden"
#define WATER_HOMO "examples/data/water_631g_homo.cube"
#define LARGEST_DIFFERENCE 2e-6 /* from values below 1 in a cube file, which have six digits and positions to 1e-6 bohr */
#define MAX_POINTS 100000000.0
#define SECONDS 0.2 /* how long a call is repeated */

enum { ORBITAL, DENSITY };

/* Rows of coefficients, and how many electrons are in each. */
typedef struct orbital_rows {
  size_t count;
  double *coefficients, *occupations;
} orbital_rows;

typedef struct molecule {
  convk hw;
  int single; /* f32 instead of f64 */
  molden_file file;
  convk_shell *shells;
  double *normalised;   /* the contraction coefficients of all shells */
  orbital_rows rows[2]; /* of the ORBITAL, and of those that make the DENSITY */
  size_t orbital, homo; /* from 0 */
} molecule;

/* ---- the molecule ---- */

/* The shells as the library wants them: the file has contraction coefficients of normalised primitives. */
static void make_shells(molecule *m) {
  const molden_file *f = &m->file;
  size_t i;
  m->shells = (convk_shell *)memory(f->nshells, sizeof *m->shells);
  m->normalised = (double *)memory(f->nprimitives, sizeof *m->normalised);
  for (i = 0; i < f->nshells; i++) {
    const molden_shell *from = &f->shells[i];
    convk_shell *to = &m->shells[i];
    const int status = convk_shell_normalise(from->l, from->primitives, f->exponents + from->first,
                                             f->contraction + from->first, m->normalised + from->first);
    require_ok(status, "shells");
    memcpy(to->center, f->atoms[from->atom].position, sizeof to->center);
    to->l = from->l;
    to->order = from->spherical ? CONVK_SPHERICAL_MOLDEN : CONVK_CARTESIAN_MOLDEN;
    to->primitives = from->primitives;
    to->exponents = f->exponents + from->first;
    to->coefficients = m->normalised + from->first;
  }
}

/* The last of the highest orbitals that hold electrons, and the first of the lowest that do not: where all energies are the
 * same, as those of natural orbitals may be, their order counts. Returns their number when there is none. */
static size_t frontier(const molden_file *f, int occupied) {
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

static void choose_orbitals(molecule *m, const char *name) {
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
    require(end != name && !*end, "--orbital", "a number, homo or lumo");
  }
  require(m->orbital < f->norbitals, "--orbital", "the file has no such orbital");
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

static float *narrow(const double *from, size_t count) {
  float *to = (float *)memory(count, sizeof *to);
  size_t i;
  for (i = 0; i < count; i++) {
    to[i] = (float)from[i];
  }
  return to;
}

/* value[n] of the orbital or of the density on n points, whose x, y and z stand one after the other. Returns the shortest
 * time of the calls, which are repeated for some seconds. */
static double evaluate(const molecule *m, int what, size_t n, const double *xyz, double *value, double repeat) {
  const orbital_rows *r = &m->rows[what];
  const size_t shells = m->file.nshells;
  const double begin = seconds();
  double best = DBL_MAX;
  convk_points_f64 points = {n, xyz, xyz + n, xyz + 2 * n, 0};
  convk_points_f32 points32;
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
  do {
    const double start = seconds();
    int status;
    if (m->single && what == ORBITAL) {
      status = convk_orbitals_f32(&m->hw, &points32, shells, m->shells, 1, coefficients32, 0, NULL, value32, 0, NULL, 0);
    } else if (m->single) {
      status = convk_density_f32(&m->hw, &points32, shells, m->shells, r->count, coefficients32, 0, occupations32, NULL,
                                 value32, NULL, 0);
    } else if (what == ORBITAL) {
      status = convk_orbitals_f64(&m->hw, &points, shells, m->shells, 1, r->coefficients, 0, NULL, value, 0, NULL, 0);
    } else {
      status = convk_density_f64(&m->hw, &points, shells, m->shells, r->count, r->coefficients, 0, r->occupations, NULL, value,
                                 NULL, 0);
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
static double written(double x) { return floor(1e6 * x + 0.5) / 1e6; }

static size_t grid_size(const cube_file *grid) { return grid->n[0] * grid->n[1] * grid->n[2]; }

/* A box around all atoms. Its values are for the caller to fill. */
static void make_grid(cube_file *grid, const molden_file *f, double spacing, double margin) {
  double count = 1;
  size_t i;
  int d;
  memset(grid, 0, sizeof *grid);
  grid->nvalues = 1;
  grid->natoms = f->natoms;
  grid->atoms = (cube_atom *)memory(f->natoms, sizeof *grid->atoms);
  for (i = 0; i < f->natoms; i++) {
    grid->atoms[i].number = f->atoms[i].number;
    grid->atoms[i].charge = f->atoms[i].number;
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
    require(count <= MAX_POINTS, "--spacing", "too many points");
    grid->origin[d] = written(0.5 * (low + high - steps * grid->axis[d][d]));
    grid->n[d] = (size_t)steps + 1;
  }
  grid->values = (double *)memory(grid_size(grid), sizeof *grid->values);
}

/* The points of a grid in the order of its values, the last axis fastest. */
static double *grid_points(const cube_file *grid) {
  const size_t n = grid_size(grid);
  double *xyz = (double *)memory(3 * n, sizeof *xyz);
  size_t i, j, k, at = 0;
  int d;
  for (i = 0; i < grid->n[0]; i++) {
    for (j = 0; j < grid->n[1]; j++) {
      for (k = 0; k < grid->n[2]; k++, at++) {
        for (d = 0; d < 3; d++) {
          xyz[(size_t)d * n + at] =
              grid->origin[d] + (double)i * grid->axis[0][d] + (double)j * grid->axis[1][d] + (double)k * grid->axis[2][d];
        }
      }
    }
  }
  return xyz;
}

/* Evaluates the orbital or the density on the grid, says what its integral is, and writes it. */
static void on_grid(const molecule *m, int what, cube_file *grid, const double *xyz, const char *path) {
  const molden_orbital *o = &m->file.orbitals[m->orbital];
  const size_t n = grid_size(grid);
  const double time = evaluate(m, what, n, xyz, grid->values, SECONDS);
  double sum = 0, electrons = 0;
  char message[256];
  size_t i;
  for (i = 0; i < n; i++) {
    sum += what == ORBITAL ? grid->values[i] * grid->values[i] : grid->values[i];
  }
  sum *= cube_cell_volume(grid);
  printf("%s %.4g s, %.1f million points per second, ", what == ORBITAL ? "orbital:     " : "density:     ", time,
         1e-6 * (double)n / time);
  if (what == ORBITAL) {
    printf("norm %.6f on the grid\n", sum);
    snprintf(grid->comment[0], CUBE_COMMENT_SIZE, "Orbital %lu, symmetry %s", (unsigned long)m->orbital + 1, o->symmetry);
    snprintf(grid->comment[1], CUBE_COMMENT_SIZE, "Energy %.6f hartree, occupation %g", o->energy, o->occupation);
  } else {
    for (i = 0; i < m->rows[DENSITY].count; i++) {
      electrons += m->rows[DENSITY].occupations[i];
    }
    printf("sum %.6f of %g electrons, of %lu orbitals\n", sum, electrons, (unsigned long)m->rows[DENSITY].count);
    snprintf(grid->comment[0], CUBE_COMMENT_SIZE, "Electron density");
    snprintf(grid->comment[1], CUBE_COMMENT_SIZE, "%g electrons", electrons);
  }
  require(!cube_write(grid, path, 5, message, sizeof message), path, message);
}

/* Is the orbital that of a cube file? Both signs of an orbital mean the same. */
static int compare(const molecule *m, const char *path) {
  cube_file cube;
  double *xyz, *value, worst[2] = {0, 0}, largest = 0, difference, limit;
  char message[256];
  size_t n, i;
  int k;
  require(!cube_read(&cube, path, message, sizeof message), path, message);
  require(cube.nvalues == 1, path, "more than one value per point");
  n = grid_size(&cube);
  xyz = grid_points(&cube);
  value = (double *)memory(n, sizeof *value);
  evaluate(m, ORBITAL, n, xyz, value, 0);
  for (i = 0; i < n; i++) {
    for (k = 0; k < 2; k++) {
      difference = fabs(k == 0 ? value[i] - cube.values[i] : value[i] + cube.values[i]);
      worst[k] = difference > worst[k] || difference != difference ? difference : worst[k];
    }
    largest = fmax(largest, fabs(cube.values[i]));
  }
  difference = fmin(worst[0], worst[1]);
  limit = LARGEST_DIFFERENCE * fmax(1, pow(10, ceil(log10(largest)))); /* of 0: 1 */
  limit += m->single ? FLT_EPSILON * largest * (double)m->file.nfunctions : 0;
  printf("compare:      %s: largest difference %.2e, at most %.1e wanted, on %lu points, largest value %.3g\n", path,
         difference, limit, (unsigned long)n, largest);
  free(xyz);
  free(value);
  cube_free(&cube);
  return difference <= limit;
}

/* ---- the picture ---- */

#define SIDE 480 /* pixels */
#define GAP 16
#define REACH 3.5 /* bohr beyond the outermost atom */
#define LOWEST_DENSITY 1e-4

/* A square plane through the centre of the nuclear charge. */
typedef struct plane {
  double center[3], across[3], up[3], normal[3], half; /* half: of its side */
} plane;

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Unit vectors along which a symmetric matrix is diagonal, by Jacobi's rotations. */
static void principal_axes(double a[3][3], double axis[3][3]) {
  int sweep, i, j, k;
  for (i = 0; i < 3; i++) {
    for (j = 0; j < 3; j++) {
      axis[i][j] = i == j;
    }
  }
  for (sweep = 0; sweep < 30; sweep++) {
    for (i = 0; i < 2; i++) {
      for (j = i + 1; j < 3; j++) {
        const double angle = 0.5 * atan2(2 * a[i][j], a[j][j] - a[i][i]), c = cos(angle), s = sin(angle);
        for (k = 0; k < 3; k++) {
          const double p = a[k][i], q = a[k][j], u = axis[i][k], v = axis[j][k];
          a[k][i] = c * p - s * q;
          a[k][j] = s * p + c * q;
          axis[i][k] = c * u - s * v;
          axis[j][k] = s * u + c * v;
        }
        for (k = 0; k < 3; k++) {
          const double p = a[i][k], q = a[j][k];
          a[i][k] = c * p - s * q;
          a[j][k] = s * p + c * q;
        }
      }
    }
  }
}

/* Three planes at right angles; the first is that of the molecule, in which it has its largest extents. */
static void make_planes(const molden_file *f, plane planes[3]) {
  static const int axes[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}}; /* across, up, normal */
  double center[3] = {0, 0, 0}, spread[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, axis[3][3], away = 0, charge = 0, *u, sign;
  int order[3] = {0, 1, 2}, largest, d, e;
  size_t i;
  for (i = 0; i < f->natoms; i++) {
    const double z = f->atoms[i].number > 0 ? f->atoms[i].number : 1e-3; /* also when there are only points without charge */
    charge += z;
    for (d = 0; d < 3; d++) {
      center[d] += z * f->atoms[i].position[d];
    }
  }
  for (d = 0; d < 3; d++) {
    center[d] /= charge;
  }
  for (i = 0; i < f->natoms; i++) {
    double r[3];
    for (d = 0; d < 3; d++) {
      r[d] = f->atoms[i].position[d] - center[d];
    }
    for (d = 0; d < 3; d++) {
      for (e = 0; e < 3; e++) {
        spread[d][e] += r[d] * r[e];
      }
    }
    away = fmax(away, sqrt(dot(r, r)));
  }
  principal_axes(spread, axis);
  for (d = 0; d < 3; d++) {
    for (e = d + 1; e < 3; e++) {
      if (spread[order[e]][order[e]] > spread[order[d]][order[d]]) {
        const int swap = order[d];
        order[d] = order[e];
        order[e] = swap;
      }
    }
    /* the largest component is positive, lest up become down */
    u = axis[order[d]];
    largest = fabs(u[1]) > 1.0001 * fabs(u[0]) ? 1 : 0;
    largest = fabs(u[2]) > 1.0001 * fabs(u[largest]) ? 2 : largest;
    for (e = 0, sign = u[largest] < 0 ? -1 : 1; e < 3; e++) {
      u[e] *= sign;
    }
  }
  for (d = 0; d < 3; d++) {
    memcpy(planes[d].center, center, sizeof center);
    memcpy(planes[d].across, axis[order[axes[d][0]]], sizeof axis[0]);
    memcpy(planes[d].up, axis[order[axes[d][1]]], sizeof axis[0]);
    memcpy(planes[d].normal, axis[order[axes[d][2]]], sizeof axis[0]);
    planes[d].half = away + REACH;
  }
}

/* side x side values, from the lower left to the upper right. */
static void on_plane(const molecule *m, int what, const plane *p, size_t side, double *value) {
  const size_t n = side * side;
  double *xyz = (double *)memory(3 * n, sizeof *xyz);
  size_t i, j, d;
  for (j = 0; j < side; j++) {
    for (i = 0; i < side; i++) {
      const double x = ((2 * (double)i + 1) / (double)side - 1) * p->half,
                   y = ((2 * (double)j + 1) / (double)side - 1) * p->half;
      for (d = 0; d < 3; d++) {
        xyz[d * n + j * side + i] = p->center[d] + x * p->across[d] + y * p->up[d];
      }
    }
  }
  evaluate(m, what, n, xyz, value, 0);
  free(xyz);
}

/* The plane of the molecule, unless the orbital is almost nothing there: then the one with most of it. */
static size_t best_plane(const molecule *m, const plane planes[3], double *value) {
  double sum[3] = {0, 0, 0};
  size_t i, d, best = 0;
  for (d = 0; d < 3; d++) {
    on_plane(m, ORBITAL, &planes[d], SIDE / 8, value);
    for (i = 0; i < SIDE / 8 * (SIDE / 8); i++) {
      sum[d] += value[i] * value[i];
    }
    best = sum[d] > (best == 0 ? 10 : 1) * sum[best] ? d : best;
  }
  return best;
}

/* Atoms in the plane are discs, others rings where they project onto it; hydrogen is smaller. */
static void draw_atoms(const molden_file *f, const plane *p, double left, picture_image *image) {
  const double pixels = 0.5 * SIDE / p->half;
  size_t i;
  int d;
  for (i = 0; i < f->natoms; i++) {
    const double radius = pixels * (f->atoms[i].number > 1 ? 0.12 : 0.08);
    double r[3];
    for (d = 0; d < 3; d++) {
      r[d] = f->atoms[i].position[d] - p->center[d];
    }
    picture_ring(image, left + (dot(r, p->across) + p->half) * pixels, (p->half - dot(r, p->up)) * pixels,
                 fabs(dot(r, p->normal)) < 0.05 ? 0 : 0.6 * radius, radius);
  }
}

static void signed_bar(double t, unsigned char rgb[3]) { picture_diverging(2 * t - 1, rgb); }

/* The orbital to the left, and the density in the plane of the molecule to the right. */
static void draw(const molecule *m, const char *path) {
  static const char *const names[3] = {"the plane of the molecule", "the plane across it, along its length",
                                       "the plane across it and its length"};
  const ptrdiff_t row = SIDE;
  double *value = (double *)memory(SIDE * SIDE, sizeof *value), peak = 0, most = 10 * LOWEST_DENSITY;
  plane planes[3];
  picture_image image;
  size_t i, best;
  make_planes(&m->file, planes);
  require(!picture_open(&image, 2 * SIDE + GAP, SIDE + 2 * GAP), "the picture", convk_strerror(CONVK_ERR_MEMORY));
  best = best_plane(m, planes, value);
  on_plane(m, ORBITAL, &planes[best], SIDE, value);
  for (i = 0; i < SIDE * SIDE; i++) {
    peak = fmax(peak, fabs(value[i]));
  }
  for (i = 0; i < SIDE * SIDE; i++) {
    /* the root brings out the tails, where most of an orbital's extent is */
    const double t = peak > 0 ? sqrt(fabs(value[i]) / peak) : 0;
    value[i] = value[i] < 0 ? -t : t;
  }
  require(!picture_data(&image, 0, 0, value + (SIDE - 1) * row, 1, -row, SIDE, SIDE, 1, picture_diverging), "the picture",
          convk_strerror(CONVK_ERR_MEMORY));
  draw_atoms(&m->file, &planes[best], 0, &image);
  on_plane(m, DENSITY, &planes[0], SIDE, value);
  for (i = 0; i < SIDE * SIDE; i++) {
    most = fmax(most, value[i]);
  }
  for (i = 0; i < SIDE * SIDE; i++) {
    value[i] = value[i] > LOWEST_DENSITY ? log(value[i] / LOWEST_DENSITY) / log(most / LOWEST_DENSITY) : 0;
  }
  require(!picture_data(&image, SIDE + GAP, 0, value + (SIDE - 1) * row, 1, -row, SIDE, SIDE, 1, picture_heat), "the picture",
          convk_strerror(CONVK_ERR_MEMORY));
  draw_atoms(&m->file, &planes[0], SIDE + GAP, &image);
  picture_scale_bar(&image, 0, SIDE + GAP, SIDE, GAP, signed_bar);
  picture_scale_bar(&image, SIDE + GAP, SIDE + GAP, SIDE, GAP, picture_heat);
  require(!picture_write(&image, path), path, "cannot be written");
  picture_close(&image);
  free(value);
  printf("picture:      %s, planes of %.1f bohr; left the orbital in %s, blue -%.3g, white 0, red +%.3g,\n", path,
         2 * planes[0].half, names[best], peak, peak);
  printf("              colours by the square root; right the density in the plane of the molecule, black %.0e or less, white "
         "%.3g,\n",
         LOWEST_DENSITY, most);
  puts("              by the logarithm; an atom in the plane is a disc, one off it a ring");
}

int main(int argc, char **argv) {
  const char *path = NULL, *spec = NULL, *name = "homo", *spacing = "0.2", *margin = "5", *prefix = "orbital", *other = NULL;
  const char *type = "f64";
  char message[256], file[512];
  double *xyz;
  cube_file grid;
  molecule m;
  int same = 1;
  const option options[] = {
      {"--orbital", &name, NULL},  {"--spacing", &spacing, NULL}, {"--margin", &margin, NULL}, {"--out", &prefix, NULL},
      {"--compare", &other, NULL}, {"--hw", &spec, NULL},         {"--type", &type, NULL},     {NULL, NULL, NULL}};

  read_options(argc, argv, options, &path, USAGE, NULL);
  memset(&m, 0, sizeof m);
  m.single = !word(type, "--type", "f32", "f64");
  require(strlen(prefix) < 480, "--out", "too long");
  open_hardware(&m.hw, spec, NULL);
  require(!molden_read(&m.file, path ? path : WATER, message, sizeof message), path ? path : WATER, message);
  make_shells(&m);
  choose_orbitals(&m, name);
  if (!path && !other && m.orbital == m.homo) {
    other = WATER_HOMO;
  }
  make_grid(&grid, &m.file, number(spacing, "--spacing", 0.005, 5), number(margin, "--margin", 0, 100));
  xyz = grid_points(&grid);
  printf("hardware:     %s, threads: %d, %s\n", m.hw.name, threads_of(&m.hw), type);
  printf("molecule:     %s: %lu atoms, %lu shells, %lu functions, %lu orbitals\n", path ? path : WATER,
         (unsigned long)m.file.natoms, (unsigned long)m.file.nshells, (unsigned long)m.file.nfunctions,
         (unsigned long)m.file.norbitals);
  printf("              orbital %lu %s, energy %.6f hartree, occupation %g\n", (unsigned long)m.orbital + 1,
         m.file.orbitals[m.orbital].symmetry, m.file.orbitals[m.orbital].energy, m.file.orbitals[m.orbital].occupation);
  printf("grid:         %lu x %lu x %lu points %g bohr apart, the last axis contiguous\n", (unsigned long)grid.n[0],
         (unsigned long)grid.n[1], (unsigned long)grid.n[2], grid.axis[0][0]);
  snprintf(file, sizeof file, "%s.cube", prefix);
  on_grid(&m, ORBITAL, &grid, xyz, file);
  snprintf(file, sizeof file, "%s-density.cube", prefix);
  on_grid(&m, DENSITY, &grid, xyz, file);
  printf("cube files:   %s.cube, %s-density.cube\n", prefix, prefix);
  snprintf(file, sizeof file, "%s" PICTURE_SUFFIX, prefix);
  draw(&m, file);
  if (other) {
    same = compare(&m, other);
  }
  free(xyz);
  free(m.rows[DENSITY].coefficients);
  free(m.rows[DENSITY].occupations);
  free(m.shells);
  free(m.normalised);
  cube_free(&grid);
  molden_free(&m.file);
  convk_close(&m.hw);
  require(same, "compare", "the orbital is not that of the cube file");
  return 0;
}
