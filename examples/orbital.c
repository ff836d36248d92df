/* A molecule from a molden file: one of its orbitals and its electron density on a grid, as cube files and as a picture.
 *   orbital [FILE.molden] [--orbital N|homo|lumo] [--spacing BOHR] [--margin BOHR] [--out PREFIX] [--compare FILE.cube]
 *           [--check] [--hw NAME] [--type f32|f64] [--data FILE] [--coefficients NAME]
 * The norm of the orbital and the sum of the density on the grid come near to 1 and to the number of electrons as the grid
 * becomes finer: a coarse one does not resolve the cores of the atoms.
 * Programs do not agree on what coefficients of molden files mean: what makes the orbitals orthonormal is taken, and said on stderr where
 * it is not what the format says (molden_norms.h). --coefficients takes what it names instead.
 * --check evaluates both as lists of points, too, fails where the two differ by more than roundings, and says what that costs.
 * --compare evaluates the orbital on the grid of a cube file and fails where the two differ: so the example checks itself,
 * since the file of water that it takes from the root of the repository has such a cube beside it. */
#define _POSIX_C_SOURCE 200112L /* for a clock that only moves forward */

#define CONVK_WITH_GAUSSIAN /* the other families are left out: they take their time to compile */
#define CONVK_SIMD
#include "convk.h"

#define PROGRAM "orbital"
#include "molecule.h"
#include "data_file.h"
#include "picture.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USAGE "orbital [FILE.molden] [OPTION...]; orbital --help lists them"
#define WATER_HOMO "water_631g_homo.cube"
#define LARGEST_DIFFERENCE 2e-6 /* from values below 1 in a cube file, which have six digits and positions to 1e-6 bohr */

/* ---- grids ---- */

/* Are the values those of the points one by one? */
static void check_points(molecule *m, int what, const cube_file *grid, double time) {
  const size_t n = grid_size(grid);
  double *xyz = grid_points(grid, 0, grid->n[0] * grid->n[1]), *value = (double *)memory(n, sizeof *value);
  double worst = 0, largest = 0, limit;
  const double listed = evaluate(m, what, n, xyz, value, SECONDS);
  size_t i;
  for (i = 0; i < n; i++) {
    const double difference = fabs(value[i] - grid->values[i]);
    worst = difference > worst || difference != difference ? difference : worst;
    largest = fmax(largest, fabs(value[i]));
  }
  limit = (m->single ? FLT_EPSILON : DBL_EPSILON) * largest * (double)(8 + m->file.nfunctions);
  printf("              as a list of points: %.4g s, %.3g times as long, largest difference %.1e, at most %.1e wanted\n",
         listed, listed / time, worst, limit);
  require(worst <= limit, "--check", "grids and lists of points differ");
  free(value);
  free(xyz);
}

/* Evaluates the orbital or the density on the grid, says what its integral is, and writes it. */
static void on_grid(molecule *m, int what, cube_file *grid, int check, const char *path) {
  const size_t n = grid_size(grid);
  const double time = evaluate_grid(m, what, grid, 0, grid->n[0] * grid->n[1], grid->values, SECONDS);
  double sum = 0;
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
  } else {
    printf("sum %.6f of %g electrons, of %lu orbitals\n", sum, electrons(m), (unsigned long)m->rows[DENSITY].count);
  }
  if (m->listed) {
    fputs(LISTED, stdout);
  }
  if (check) {
    check_points(m, what, grid, time);
  }
  name_values(m, what, grid);
  require(!cube_write(grid, path, CUBE_DIGITS, message, sizeof message), path, message);
}

/* Is the orbital that of a cube file? Both signs of an orbital mean the same. */
static int compare(molecule *m, const char *path) {
  cube_file cube;
  double *value, worst[2] = {0, 0}, largest = 0, difference, limit;
  char message[256];
  size_t n, i;
  int k;
  require(!cube_read(&cube, path, message, sizeof message), path, message);
  require(cube.nvalues == 1, path, "more than one value per point");
  n = grid_size(&cube);
  value = (double *)memory(n, sizeof *value);
  evaluate_grid(m, ORBITAL, &cube, 0, cube.n[0] * cube.n[1], value, 0);
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
static void on_plane(molecule *m, int what, const plane *p, size_t side, double *value) {
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
  evaluate(m, what, n, xyz, value, SECONDS);
  free(xyz);
}

/* The plane of the molecule, unless the orbital is almost nothing there: then the one with most of it. */
static size_t best_plane(molecule *m, const plane planes[3], double *value) {
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

static const char *const names[3] = {"the plane of the molecule", "the plane across it, along its length",
                                     "the plane across it and its length"};

/* Where the atoms are, seen from a plane. */
static void keep_atoms(const molden_file *f, const plane *p, const char *name, const data_file *d) {
  size_t i;
  int k;
  data_block(d, name, "across [bohr], up [bohr], off the plane [bohr], number [1]");
  for (i = 0; i < f->natoms; i++) {
    double r[3], row[4];
    for (k = 0; k < 3; k++) {
      r[k] = f->atoms[i].position[k] - p->center[k];
    }
    row[0] = dot(r, p->across);
    row[1] = dot(r, p->up);
    row[2] = dot(r, p->normal);
    row[3] = f->atoms[i].number;
    data_row(d, 4, row);
  }
}

static void keep(const molecule *m, const plane planes[3], size_t best, const double *orbital, const double *density,
                 const char *path) {
  const double step = 2 * planes[0].half / SIDE, x[2] = {0.5 * step - planes[0].half, step};
  const double *const columns[2] = {orbital, density};
  const molden_orbital *o = &m->file.orbitals[m->orbital];
  const data_file d = data_open(path, "orbital");
  data_note(&d, "orbital", "%lu %s", (unsigned long)m->orbital + 1, o->symmetry);
  data_note(&d, "energy", "%.6f hartree", o->energy);
  data_note(&d, "plane of the orbital", "%s", names[best]);
  data_note(&d, "coefficients", "%s", m->file.meaning);
  data_block(&d, "planes", "across [bohr], up [bohr], orbital [bohr^-3/2], density in the plane of the molecule [bohr^-3]");
  data_map(&d, SIDE, SIDE, x, x, 2, columns);
  keep_atoms(&m->file, &planes[best], "atoms by the orbital's plane", &d);
  keep_atoms(&m->file, &planes[0], "atoms by the density's plane", &d);
  data_close(&d, "data:");
}

/* The orbital to the left, and the density in the plane of the molecule to the right. */
static void draw(molecule *m, const char *path, const char *data) {
  const ptrdiff_t row = SIDE;
  double *value = (double *)memory(SIDE * SIDE, sizeof *value), *density = (double *)memory(SIDE * SIDE, sizeof *value),
         peak = 0, most = 10 * LOWEST_DENSITY;
  plane planes[3];
  picture_image image;
  size_t i, best;
  make_planes(&m->file, planes);
  require(!picture_open(&image, 2 * SIDE + GAP, SIDE), "the picture", convk_strerror(CONVK_ERR_MEMORY));
  best = best_plane(m, planes, value);
  on_plane(m, ORBITAL, &planes[best], SIDE, value);
  on_plane(m, DENSITY, &planes[0], SIDE, density);
  if (data) {
    keep(m, planes, best, value, density, data);
  }
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
  for (i = 0; i < SIDE * SIDE; i++) {
    most = fmax(most, density[i]);
  }
  for (i = 0; i < SIDE * SIDE; i++) {
    density[i] = density[i] > LOWEST_DENSITY ? log(density[i] / LOWEST_DENSITY) / log(most / LOWEST_DENSITY) : 0;
  }
  require(!picture_data(&image, SIDE + GAP, 0, density + (SIDE - 1) * row, 1, -row, SIDE, SIDE, 1, picture_heat), "the picture",
          convk_strerror(CONVK_ERR_MEMORY));
  require_written(!picture_write(&image, path), path);
  picture_close(&image);
  free(value);
  free(density);
  printf("picture:      %s, planes of %.1f bohr; left the orbital in %s, blue -%.3g, white 0, red +%.3g,\n", path,
         2 * planes[0].half, names[best], peak, peak);
  printf("              colours by the square root; right the density in the plane of the molecule, black %.0e or less, white "
         "%.3g,\n",
         LOWEST_DENSITY, most);
  printf("              by the logarithm; read as %s\n", m->file.meaning);
}

int main(int argc, char **argv) {
  const char *path = NULL, *spec = NULL, *name = "homo", *spacing = "0.2", *margin = "5", *prefix = "orbital", *other = NULL;
  const char *type = "f64", *data = NULL, *as = NULL;
  char message[512], file[512], data_of[2][512];
  cube_file grid;
  molecule m;
  int same = 1, given, check = 0;
  const option options[] = {{"--orbital", &name, NULL, "WHICH", "homo, lumo, or a number from 1"},
                            {"--spacing", &spacing, NULL, "BOHR", "between points of the grid"},
                            {"--margin", &margin, NULL, "BOHR", "from the nuclei to the ends of the grid"},
                            {"--type", &type, NULL, "TYPE", "f32 or f64"},
                            {"--out", &prefix, NULL, "PREFIX", "of two cube files and a picture"},
                            {"--check", NULL, &check, NULL, "values of the grid against those of its points one by one"},
                            {"--compare", &other, NULL, "FILE.cube", "the same orbital by another program"},
                            COEFFICIENTS_OPTION(as),
                            DATA_OPTION(data),
                            HARDWARE_OPTION(spec),
                            END_OF_OPTIONS};

  read_options(argc, argv, options, &path, USAGE, NULL);
  memset(&m, 0, sizeof m);
  m.single = !word(type, "--type", "f32", "f64");
  require_option(strlen(prefix) < 480, "--out", "too long");
  open_hardware(&m.hw, spec, NULL);
  given = path != NULL;
  path = given ? path : example_data(WATER, data_of[0]);
  require(!molden_read(&m.file, path, message, sizeof message), path, message);
  make_shells(&m, path, as);
  if (m.file.rewritten) {
    fprintf(stderr, PROGRAM ": %s: read as %s\n", path, m.file.meaning);
  }
  choose_orbitals(&m, name);
  if (!given && !other && m.orbital == m.homo) {
    other = example_data(WATER_HOMO, data_of[1]);
  }
  make_grid(&grid, &m.file, number(spacing, "--spacing", 0.005, 5), number(margin, "--margin", 0, 100), MAX_POINTS);
  grid.values = (double *)memory(grid_size(&grid), sizeof *grid.values);
  printf("hardware:     %s, threads: %d, %s\n", m.hw.name, threads_of(&m.hw), type);
  print_molecule(&m, path, &grid);
  snprintf(file, sizeof file, "%s.cube", prefix);
  on_grid(&m, ORBITAL, &grid, check, file);
  snprintf(file, sizeof file, "%s-density.cube", prefix);
  on_grid(&m, DENSITY, &grid, check, file);
  printf("cube files:   %s.cube, %s-density.cube\n", prefix, prefix);
  snprintf(file, sizeof file, "%s" PICTURE_SUFFIX, prefix);
  draw(&m, file, data);
  if (other) {
    same = compare(&m, other);
  }
  cube_free(&grid);
  molecule_free(&m);
  convk_close(&m.hw);
  require(same, "compare", "the orbital is not that of the cube file");
  return 0;
}
