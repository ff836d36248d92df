/* What atoms alone make, on grids: a flake of graphene and its orbitals, or a crystal of salt, which repeats along all axes.
 *   atoms [flake|salt] [--rings N] [--spacing BOHR] [--out FILE.cube] [--data FILE] [--check] [--hw NAME]
 * Nothing is read: the program makes positions and functions itself.
 *
 * flake: 6 N^2 carbon atoms in N rings around a hexagon, 6 N hydrogen atoms on its edge; N = 4: 120 atoms. Its pi orbitals are
 * those of the extended Hueckel method over Slater's 2p functions across the plane, with all overlaps. Since there H is made of
 * the overlaps S alone, H = alpha (K S + (1 - K)), its orbitals are the eigenvectors of S. On the grid their norm and the sum
 * of the density are those of the method: 1 and the number of carbon atoms.
 * salt: a cube of 4 sodium and 4 chloride ions, each the density of its outer shell of 8 electrons as Slater's rules have it,
 * side by side without a change; the images are the library's.
 *
 * Slater's functions are sums of Gaussians by the rule of trapezoids in t = log of the exponent:
 *   exp(-z r) = z / (2 sqrt pi) integral of exp(-t / 2 - z^2 / (4 e^t)) exp(-e^t r^2) dt
 * --check compares a plane with the points one by one, for the crystal with all images that count written out. */
#define _POSIX_C_SOURCE 200112L /* for a clock that only moves forward */

#define CONVK_WITH_GAUSSIAN
#define CONVK_F64
#define CONVK_SSE
#define CONVK_AVX
#include "convk.h"

#define PROGRAM "atoms"
#include "cube.h"
#include "options.h"
#include "data_file.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USAGE "atoms [flake|salt] [OPTION...]; atoms --help lists them"
#define PI 3.14159265358979323846
#define ANGSTROM 1.8897261 /* bohr */
#define MAX_POINTS 1e8
#define CUTOFF 1e-14 /* primitives below it count as nothing: a large flake costs what its atoms do */
#define TOLERANCE 1e-9

/* Functions of some kinds of atoms at their places, and orbitals over them; a density of ions is one, too. */
typedef struct assembly {
  convk hw;
  cube_file grid; /* its atoms are all of them */
  convk_gaussian_box box;
  convk_shell *shells; /* in the order of the atoms, of which some have none */
  size_t nshells, functions, norbitals;
  double *coefficients, *occupations;
  double *values, *density;
} assembly;

/* ---- Slater's functions ---- */

#define PRIMITIVES 12
#define LOWEST 0.02 /* the smallest exponent over z^2 */
#define STEP 0.65   /* of its logarithm */

typedef struct slater {
  double exponents[PRIMITIVES], coefficients[PRIMITIVES];
} slater;

/* factor exp(-z r) */
static slater make_slater(double z, double factor) {
  slater s;
  int p;
  for (p = 0; p < PRIMITIVES; p++) {
    s.exponents[p] = LOWEST * z * z * exp(STEP * p);
    s.coefficients[p] = factor * STEP * z / (2 * sqrt(PI * s.exponents[p])) * exp(-z * z / (4 * s.exponents[p]));
  }
  return s;
}

static void add_shell(assembly *a, const cube_atom *atom, int l, const slater *s) {
  convk_shell *shell = &a->shells[a->nshells++];
  memset(shell, 0, sizeof *shell);
  memcpy(shell->center, atom->position, sizeof shell->center);
  shell->l = l;
  shell->functions = CONVK_SHELL_CARTESIAN;
  shell->primitives = PRIMITIVES;
  shell->exponents = s->exponents;
  shell->coefficients = s->coefficients;
  a->functions += (size_t)convk_shell_functions(l, CONVK_SHELL_CARTESIAN);
}

static void add_atom(assembly *a, int number, double x, double y, double z) {
  cube_atom *atom = &a->grid.atoms[a->grid.natoms++];
  atom->number = number;
  atom->charge = number;
  atom->position[0] = x;
  atom->position[1] = y;
  atom->position[2] = z;
}

/* ---- the flake ---- */

#define BOND (1.42 * ANGSTROM)   /* between carbon atoms */
#define BOND_H (1.09 * ANGSTROM) /* from carbon to hydrogen */
#define ZETA 1.625               /* of carbon's 2p, by Slater's rules */
#define LEVEL (-11.4)            /* eV, of the extended Hueckel method */
#define WOLFSBERG_HELMHOLZ 1.75  /* K */
#define HEIGHT 0.9               /* bohr over the plane: where the picture is */
#define MARGIN 6.0               /* bohr beyond the atoms */
#define MAX_RINGS 8

/* Corners of all hexagons within some rings, each once, and hydrogen where a corner has two neighbours. */
static void place_flake(assembly *a, int rings) {
  const double apart = BOND * sqrt(3);
  size_t carbons, i, j;
  int q, r, k;
  a->grid.atoms = (cube_atom *)memory((size_t)(6 * rings * (rings + 1)), sizeof *a->grid.atoms);
  for (r = 1 - rings; r < rings; r++) {
    for (q = 1 - rings; q < rings; q++) {
      for (k = 0; k < 6 && abs(q + r) < rings; k++) {
        const double x = apart * (q + 0.5 * r) + BOND * cos(PI / 3 * (k + 0.5));
        const double y = apart * sqrt(0.75) * r + BOND * sin(PI / 3 * (k + 0.5));
        for (i = 0; i < a->grid.natoms; i++) {
          const double *p = a->grid.atoms[i].position;
          if (hypot(p[0] - x, p[1] - y) < 0.1 * BOND) {
            break;
          }
        }
        if (i == a->grid.natoms) {
          add_atom(a, 6, x, y, 0);
        }
      }
    }
  }
  carbons = a->grid.natoms;
  for (i = 0; i < carbons; i++) {
    const double *p = a->grid.atoms[i].position;
    double out[2] = {0, 0};
    int neighbours = 0;
    for (j = 0; j < carbons; j++) {
      const double *other = a->grid.atoms[j].position, x = p[0] - other[0], y = p[1] - other[1];
      if (j != i && hypot(x, y) < 1.1 * BOND) {
        out[0] += x;
        out[1] += y;
        neighbours++;
      }
    }
    if (neighbours == 2) {
      const double length = hypot(out[0], out[1]);
      add_atom(a, 1, p[0] + BOND_H * out[0] / length, p[1] + BOND_H * out[1] / length, 0);
    }
  }
}

/* The overlap of two such 2p functions across the plane. */
static double overlap(double distance) {
  const double rho = ZETA * distance;
  return exp(-rho) * (1 + rho + 0.4 * rho * rho + rho * rho * rho / 15);
}

/* Turns columns i and j of an n x n matrix, or its rows. */
static void turn(double *m, size_t n, size_t i, size_t j, double c, double s, int rows) {
  size_t k;
  for (k = 0; k < n; k++) {
    double *a = rows ? m + i * n + k : m + k * n + i, *b = rows ? m + j * n + k : m + k * n + j;
    const double p = *a, q = *b;
    *a = c * p - s * q;
    *b = s * p + c * q;
  }
}

/* Makes a symmetric matrix diagonal by Jacobi's rotations; the rows of v become its eigenvectors. */
static void diagonalise(double *m, double *v, size_t n) {
  size_t i, j;
  int sweep;
  for (i = 0; i < n * n; i++) {
    v[i] = i % (n + 1) == 0;
  }
  for (sweep = 0; sweep < 20; sweep++) {
    for (i = 0; i < n; i++) {
      for (j = i + 1; j < n; j++) {
        const double angle = 0.5 * atan2(2 * m[i * n + j], m[j * n + j] - m[i * n + i]), c = cos(angle), s = sin(angle);
        if (fabs(m[i * n + j]) > 1e-15) {
          turn(m, n, i, j, c, s, 0);
          turn(m, n, i, j, c, s, 1);
          turn(v, n, i, j, c, s, 1);
        }
      }
    }
  }
}

/* The occupied orbitals; the last one is the highest. Pairs of equal energy are told apart by a field that is too weak to
 * count: one of each pair is even across x = 0. */
static void make_orbitals(assembly *a, size_t n) {
  double *s = (double *)memory(n * n, sizeof *s), *v = (double *)memory(n * n, sizeof *v), energy[2];
  size_t *order = (size_t *)memory(n, sizeof *order), i, j, most;
  for (i = 0; i < n; i++) {
    const double *p = a->grid.atoms[i].position;
    for (j = 0; j < n; j++) {
      const double *q = a->grid.atoms[j].position;
      s[i * n + j] = overlap(hypot(p[0] - q[0], p[1] - q[1]));
    }
    s[i * n + i] += 1e-9 * (p[0] * p[0] - p[1] * p[1]);
    order[i] = i;
  }
  diagonalise(s, v, n);
  for (i = 0; i < n; i++) { /* bonding orbitals have the largest eigenvalues */
    for (j = i + 1; j < n; j++) {
      if (s[order[j] * (n + 1)] > s[order[i] * (n + 1)]) {
        most = order[i];
        order[i] = order[j];
        order[j] = most;
      }
    }
  }
  a->norbitals = n / 2;
  a->coefficients = (double *)memory(a->norbitals * a->functions, sizeof *a->coefficients);
  a->occupations = (double *)memory(a->norbitals, sizeof *a->occupations);
  memset(a->coefficients, 0, a->norbitals * a->functions * sizeof *a->coefficients);
  for (i = 0; i < a->norbitals; i++) {
    const double *c = v + order[i] * n, norm = 1 / sqrt(s[order[i] * (n + 1)]);
    for (j = most = 0; j < n; j++) {
      most = fabs(c[j]) > 1.01 * fabs(c[most]) ? j : most;
    }
    for (j = 0; j < n; j++) {
      a->coefficients[i * a->functions + 3 * j + 2] = c[j] * (c[most] < 0 ? -norm : norm);
    }
    a->occupations[i] = 2;
  }
  for (i = 0; i < 2; i++) {
    const double value = s[order[a->norbitals - 1 + i] * (n + 1)];
    energy[i] = LEVEL * (WOLFSBERG_HELMHOLZ + (1 - WOLFSBERG_HELMHOLZ) / value);
  }
  printf("orbitals:     %lu occupied, the highest at %.2f eV, the next one at %.2f eV\n", (unsigned long)a->norbitals,
         energy[0], energy[1]);
  free(order);
  free(s);
  free(v);
}

static void make_flake(assembly *a, int rings, double spacing, slater *carbon) {
  double high[3] = {0, 0, 0};
  size_t i, carbons;
  int d;
  place_flake(a, rings);
  for (i = 0; i < a->grid.natoms; i++) {
    for (d = 0; d < 3; d++) {
      high[d] = fmax(high[d], a->grid.atoms[i].position[d]);
    }
  }
  for (d = 0; d < 3; d++) {
    const double half = ceil((high[d] + MARGIN) / spacing);
    a->grid.n[d] = 2 * (size_t)half + 1;
    a->grid.origin[d] = -half * spacing;
    a->grid.axis[d][d] = spacing;
  }
  carbons = (size_t)(6 * rings * rings);
  printf("flake:        %lu carbon and %lu hydrogen atoms\n", (unsigned long)carbons,
         (unsigned long)(a->grid.natoms - carbons));
  *carbon = make_slater(ZETA, sqrt(pow(ZETA, 5) / PI));
  a->shells = (convk_shell *)memory(carbons, sizeof *a->shells);
  for (i = 0; i < carbons; i++) {
    add_shell(a, &a->grid.atoms[i], 1, carbon);
  }
  make_orbitals(a, carbons);
}

/* ---- the crystal ---- */

#define EDGE (5.64 * ANGSTROM)

/* r^(2n-2) exp(-z r), of so many electrons, as functions x^a y^b z^c of r^2 and r^4; z and n by Slater's rules. */
static const double square[6] = {1, 0, 0, 1, 0, 1}, fourth[15] = {1, 0, 0, 2, 0, 2, 0, 0, 0, 0, 1, 0, 2, 0, 1};
#define SODIUM (11 - (7 * 0.35 + 2 * 0.85))
#define CHLORINE (2 * (17 - (7 * 0.35 + 8 * 0.85 + 2)) / 3)

static void make_salt(assembly *a, double spacing, slater ions[2]) {
  const double n = ceil(EDGE / spacing);
  size_t i, at = 0;
  int d;
  a->grid.atoms = (cube_atom *)memory(8, sizeof *a->grid.atoms);
  for (i = 0; i < 8; i++) { /* the corners of an eighth of the cube, in turns */
    const size_t x = i % 2, y = i / 2 % 2, z = i / 4;
    add_atom(a, (x + y + z) % 2 ? 17 : 11, EDGE / 2 * (double)x, EDGE / 2 * (double)y, EDGE / 2 * (double)z);
  }
  for (d = 0; d < 3; d++) {
    a->grid.n[d] = (size_t)n;
    a->grid.axis[d][d] = EDGE / n;
    a->box.period[d] = EDGE;
  }
  ions[0] = make_slater(SODIUM, 8 * pow(SODIUM, 5) / (4 * PI * 24));
  ions[1] = make_slater(CHLORINE, 8 * pow(CHLORINE, 7) / (4 * PI * 720));
  a->shells = (convk_shell *)memory(8, sizeof *a->shells);
  for (i = 0; i < 8; i++) {
    const int chlorine = a->grid.atoms[i].number == 17;
    add_shell(a, &a->grid.atoms[i], chlorine ? 4 : 2, &ions[chlorine]);
  }
  a->norbitals = 1;
  a->coefficients = (double *)memory(a->functions, sizeof *a->coefficients);
  for (i = 0; i < 8; i++) {
    const int chlorine = a->grid.atoms[i].number == 17;
    const size_t count = chlorine ? 15 : 6;
    memcpy(a->coefficients + at, chlorine ? fourth : square, count * sizeof *a->coefficients);
    at += count;
  }
  puts("salt:         4 sodium and 4 chloride ions in a cube that repeats along all axes");
}

/* ---- grids ---- */

/* The value (i, j, k) of the grid. */
static size_t place(const assembly *a, size_t i, size_t j, size_t k) { return (k * a->grid.n[1] + j) * a->grid.n[0] + i; }

static void on_grid(assembly *a, const char *name, int density, double *to) {
  const convk_orbital_set_f64 one = {a->nshells, a->shells, 1,   a->coefficients + (a->norbitals - 1) * a->functions,
                                     0,          NULL,      NULL};
  const convk_orbital_set_f64 all = {a->nshells, a->shells, a->norbitals, a->coefficients, 0, a->occupations, NULL};
  const convk_density_parts_f64 parts = {to, NULL, NULL, NULL, NULL};
  const size_t n = a->grid.n[0] * a->grid.n[1] * a->grid.n[2];
  const convk_gaussian_options options = {0, 0, CUTOFF};
  const double begin = seconds();
  double best = DBL_MAX, sum = 0;
  size_t i;
  do {
    const double start = seconds();
    const int status = density ? convk_density_grid_f64(&a->hw, &a->box, &all, &options, &parts, NULL, 0)
                               : convk_orbitals_grid_f64(&a->hw, &a->box, &one, &options, to, 0, NULL, 0);
    require_ok(status, name);
    best = fmin(best, seconds() - start);
  } while (seconds() - begin < SECONDS);
  for (i = 0; i < n; i++) {
    sum += a->occupations && !density ? to[i] * to[i] : to[i];
  }
  printf("%-13s %.4g s, %.1f million points per second, %s %.5f on the grid\n", name, best, 1e-6 * (double)n / best,
         a->occupations && !density ? "norm" : "sum", sum * cube_cell_volume(&a->grid));
}

/* One plane z = z_k by the points of it and all images of the shells that reach it; fails where it differs. */
static void check_plane(assembly *a, size_t k, const double *values) {
  const size_t nx = a->grid.n[0], n = nx * a->grid.n[1], images = a->box.period[0] > 0 ? 5 : 1;
  const size_t all = images * images * images, count = all * a->nshells;
  double *xyz = (double *)memory(3 * n, sizeof *xyz), *listed = (double *)memory(n, sizeof *listed), worst = 0, largest = 0;
  double *coefficients = (double *)memory(all * a->functions, sizeof *coefficients);
  convk_shell *shells = (convk_shell *)memory(count, sizeof *shells);
  const convk_points_f64 points = {n, xyz, xyz + n, xyz + 2 * n, 0};
  const convk_orbital_set_f64 set = {count, shells, 1, coefficients, 0, NULL, NULL};
  size_t i, s;
  for (i = 0; i < n; i++) {
    xyz[i] = a->grid.origin[0] + (double)(i % nx) * a->grid.axis[0][0];
    xyz[n + i] = a->grid.origin[1] + (double)(i / nx) * a->grid.axis[1][1];
    xyz[2 * n + i] = a->grid.origin[2] + (double)k * a->grid.axis[2][2];
  }
  for (i = 0; i < all; i++) {
    memcpy(coefficients + i * a->functions, a->coefficients + (a->norbitals - 1) * a->functions,
           a->functions * sizeof *coefficients);
    for (s = 0; s < a->nshells; s++) {
      double *center = shells[i * a->nshells + s].center;
      shells[i * a->nshells + s] = a->shells[s];
      center[0] += ((double)(i % images) - (double)(images / 2)) * a->box.period[0];
      center[1] += ((double)(i / images % images) - (double)(images / 2)) * a->box.period[1];
      center[2] += ((double)(i / images / images) - (double)(images / 2)) * a->box.period[2];
    }
  }
  require_ok(convk_orbitals_f64(&a->hw, &points, &set, NULL, listed, 0, NULL, 0), "orbitals");
  for (i = 0; i < n; i++) {
    const double difference = fabs(listed[i] - values[place(a, i % nx, i / nx, k)]);
    worst = difference > worst || difference != difference ? difference : worst;
    largest = fmax(largest, fabs(listed[i]));
  }
  printf("check:        a plane point by point, of %lu functions: largest difference %.1e of %.3g\n",
         (unsigned long)(all * a->functions), worst, largest);
  require(worst <= TOLERANCE * largest, "--check", "grids and lists of points differ");
  free(xyz);
  free(listed);
  free(coefficients);
  free(shells);
}

static void write_cube(assembly *a, const char *path, const double *values) {
  const size_t *n = a->grid.n;
  char message[256];
  size_t i, j, k, next = 0;
  a->grid.values = (double *)memory(n[0] * n[1] * n[2], sizeof *a->grid.values);
  for (i = 0; i < n[0]; i++) {
    for (j = 0; j < n[1]; j++) {
      for (k = 0; k < n[2]; k++) {
        a->grid.values[next++] = values[place(a, i, j, k)];
      }
    }
  }
  snprintf(a->grid.comment[0], CUBE_COMMENT_SIZE, "%s",
           a->occupations ? "The highest occupied orbital" : "Density of outer shells");
  require(!cube_write(&a->grid, path, 5, message, sizeof message), path, message);
  printf("cube file:    %s\n", path);
}

/* ---- data ---- */

static void keep_flake(const assembly *a, const char *path) {
  const size_t *n = a->grid.n, k = (size_t)floor((HEIGHT - a->grid.origin[2]) / a->grid.axis[2][2] + 0.5);
  const double x[2] = {a->grid.origin[0], a->grid.axis[0][0]}, y[2] = {a->grid.origin[1], a->grid.axis[1][1]};
  const double *const columns[2] = {a->values + place(a, 0, 0, k), a->density + place(a, 0, 0, k)};
  const data_file d = data_open(path, "flake");
  size_t i;
  data_note(&d, "height", "%.6g bohr", a->grid.origin[2] + (double)k * a->grid.axis[2][2]);
  data_block(&d, "plane", "x [bohr], y [bohr], orbital [bohr^-3/2], density [bohr^-3]");
  data_map(&d, n[0], n[1], x, y, 2, columns);
  data_block(&d, "atoms", "x [bohr], y [bohr], z [bohr], number [1]");
  for (i = 0; i < a->grid.natoms; i++) {
    const cube_atom *atom = &a->grid.atoms[i];
    const double row[4] = {atom->position[0], atom->position[1], atom->position[2], atom->number};
    data_row(&d, 4, row);
  }
  data_close(&d, "data:");
}

/* One face of the cube, and the plane through two opposite edges that are parallel to z. */
static void keep_salt(const assembly *a, const char *path) {
  const size_t n = a->grid.n[0];
  const double step = a->grid.axis[0][0], x[2] = {0, step}, along[2] = {0, sqrt(2) * step};
  double *face = (double *)memory(2 * n * n, sizeof *face), *across = face + n * n;
  const double *const columns[2] = {face, across};
  const data_file d = data_open(path, "salt");
  size_t i, k;
  for (k = 0; k < n; k++) {
    for (i = 0; i < n; i++) {
      face[k * n + i] = a->values[place(a, i, k, 0)];
      across[k * n + i] = a->values[place(a, i, i, k)];
    }
  }
  data_note(&d, "edge", "%.7g bohr", EDGE);
  data_block(&d, "face", "x [bohr], y [bohr], density [bohr^-3]");
  data_map(&d, n, n, x, x, 1, columns);
  data_block(&d, "across", "along x = y [bohr], z [bohr], density [bohr^-3]");
  data_map(&d, n, n, along, x, 1, columns + 1);
  data_close(&d, "data:");
  free(face);
}

int main(int argc, char **argv) {
  const char *what = NULL, *rings = "4", *spacing = "0.3", *out = NULL, *data = NULL, *spec = NULL;
  slater functions[2];
  double apart;
  size_t n;
  int flake, check = 0;
  assembly a;
  const option options[] = {{"--rings", &rings, NULL, "N", "of hexagons of the flake"},
                            {"--spacing", &spacing, NULL, "BOHR", "between points of the grid"},
                            {"--out", &out, NULL, "FILE.cube", "the flake's highest orbital, or the density of the salt"},
                            {"--check", NULL, &check, NULL, "a plane against its points one by one"},
                            DATA_OPTION(data),
                            HARDWARE_OPTION(spec),
                            END_OF_OPTIONS};

  read_options(argc, argv, options, &what, USAGE, NULL);
  memset(&a, 0, sizeof a);
  flake = !what || !word(what, "what", "flake", "salt");
  apart = number(spacing, "--spacing", 0.02, 2);
  open_hardware(&a.hw, spec, NULL);
  printf("hardware:     %s, threads: %d\n", a.hw.name, threads_of(&a.hw));
  if (flake) {
    make_flake(&a, (int)whole(rings, "--rings", 1, MAX_RINGS), apart, functions);
  } else {
    make_salt(&a, apart, functions);
  }
  n = a.grid.n[0] * a.grid.n[1] * a.grid.n[2];
  require_option((double)a.grid.n[0] * (double)a.grid.n[1] * (double)a.grid.n[2] <= MAX_POINTS, "--spacing", "too many points");
  a.grid.nvalues = 1;
  memcpy(a.box.origin, a.grid.origin, sizeof a.box.origin);
  a.box.step_x[0] = a.grid.axis[0][0];
  a.box.step_y[1] = a.grid.axis[1][1];
  a.box.step_z[2] = a.grid.axis[2][2];
  a.box.grid.nx = a.grid.n[0];
  a.box.grid.ny = a.grid.n[1];
  a.box.grid.nz = a.grid.n[2];
  printf("grid:         %lu x %lu x %lu points %.4g bohr apart\n", (unsigned long)a.grid.n[0], (unsigned long)a.grid.n[1],
         (unsigned long)a.grid.n[2], a.grid.axis[0][0]);
  a.values = (double *)memory(n, sizeof *a.values);
  on_grid(&a, flake ? "orbital:" : "density:", 0, a.values);
  if (flake) {
    a.density = (double *)memory(n, sizeof *a.density);
    on_grid(&a, "density:", 1, a.density);
  }
  if (check) {
    check_plane(&a, flake ? a.grid.n[2] / 2 + 3 : a.grid.n[2] / 4, a.values);
  }
  if (out) {
    write_cube(&a, out, a.values);
  }
  if (data && flake) {
    keep_flake(&a, data);
  } else if (data) {
    keep_salt(&a, data);
  }
  free(a.values);
  free(a.density);
  free(a.shells);
  free(a.coefficients);
  free(a.occupations);
  cube_free(&a.grid);
  convk_close(&a.hw);
  return 0;
}
