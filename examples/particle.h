/* A particle of gold atoms, and room for the histogram of their distances: of the programs debye, alone and of many ranks.
 * Before this text come convk.h and options.h. */
#ifndef PARTICLE_H
#define PARTICLE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EDGE 4.0786 /* of gold's cubic cell, in angstrom */

/* International Tables C, table 6.1.1.4; good for q up to 25 / angstrom. */
static const convk_scatterer gold = {
    4, {16.8819, 18.5913, 25.5582, 5.86, 0, 0}, {0.4611, 8.6216, 1.4826, 36.3956, 0, 0}, {12.0658, 0}, 0.6};

typedef struct particle {
  size_t n;
  double *x, *y, *z;
} particle;

static void make_room(particle *p, size_t n) {
  p->n = n;
  p->x = (double *)memory(n, sizeof *p->x);
  p->y = (double *)memory(n, sizeof *p->y);
  p->z = (double *)memory(n, sizeof *p->z);
}

/* Atoms of the crystal within a ball about one of them. */
static particle ball(double radius) {
  const int most = (int)(2 * radius / EDGE) + 1;
  particle p = {0, NULL, NULL, NULL};
  int turn, i, j, k;
  for (turn = 0; turn < 2; turn++) { /* first they are counted */
    size_t n = 0;
    for (i = -most; i <= most; i++) {
      for (j = -most; j <= most; j++) {
        for (k = -most; k <= most; k++) {
          const double x = 0.5 * EDGE * i, y = 0.5 * EDGE * j, z = 0.5 * EDGE * k;
          if ((i + j + k) % 2 || x * x + y * y + z * z > radius * radius) {
            continue;
          }
          if (turn) {
            p.x[n] = x;
            p.y[n] = y;
            p.z[n] = z;
          }
          n++;
        }
      }
    }
    if (!turn) {
      make_room(&p, n);
    }
  }
  return p;
}

/* A file of the format xyz: how many, a comment, and lines of a name and three numbers. */
static particle read_xyz(const char *path) {
  particle p = {0, NULL, NULL, NULL};
  char line[512];
  size_t i, n = 0;
  FILE *f = fopen(path, "r");
  require(f != NULL, path, "cannot be read");
  require(fgets(line, sizeof line, f) && sscanf(line, "%zu", &n) == 1 && n > 0 && n < 100000000, path,
          "begins with no number of atoms");
  make_room(&p, n);
  require(fgets(line, sizeof line, f) != NULL, path, "has no second line");
  for (i = 0; i < n; i++) {
    require(fgets(line, sizeof line, f) && sscanf(line, "%*s %lf %lf %lf", p.x + i, p.y + i, p.z + i) == 3, path,
            "an atom has no three coordinates");
  }
  fclose(f);
  return p;
}

/* The farthest that two atoms can be apart, by the box about them. */
static double extent(const particle *p) {
  const double *const axes[3] = {p->x, p->y, p->z};
  double sum = 0;
  size_t i;
  int d;
  for (d = 0; d < 3; d++) {
    double least = axes[d][0], most = least;
    for (i = 0; i < p->n; i++) {
      least = fmin(least, axes[d][i]);
      most = fmax(most, axes[d][i]);
    }
    sum += (most - least) * (most - least);
  }
  return sqrt(sum);
}

static convk_atoms_f64 atoms_of(const particle *p) {
  convk_atoms_f64 atoms;
  memset(&atoms, 0, sizeof atoms);
  atoms.n = p->n;
  atoms.x = p->x;
  atoms.y = p->y;
  atoms.z = p->z;
  return atoms;
}

/* A histogram with both moments, to the largest distance. */
static convk_distances room_for(const particle *p, double width) {
  convk_distances d;
  memset(&d, 0, sizeof d);
  d.width = width;
  d.bins = (size_t)(extent(p) / width) + 2;
  d.moments = 2;
  d.count = (uint64_t *)memory(d.bins, sizeof(uint64_t));
  d.moment[0] = (uint64_t *)memory(d.bins, sizeof(uint64_t));
  d.moment[1] = (uint64_t *)memory(2 * d.bins, sizeof(uint64_t));
  return d;
}

static void free_particle(particle *p, convk_distances *d) {
  free(p->x);
  free(p->y);
  free(p->z);
  free(d->count);
  free(d->moment[0]);
  free(d->moment[1]);
}

#endif
