/* A gold nanoparticle, how it scatters X-rays and neutrons, and its pair distribution function, from one histogram of distances:
 *   debye [--radius ANGSTROM] [--width ANGSTROM] [--xyz FILE] [--quick] [--data FILE] [--hw NAME] [--threads N]
 * A ball of a face-centered cubic crystal, or the atoms of a file, all of them taken for gold. Distances, and how often each occurs,
 * do not depend on q or on the radiation: I(q) is one sum over bins, by Debye's formula,
 *   I(q) = N f^2 + 2 f^2 exp(-B q^2 / (8 pi^2)) sum over pairs of sin(q r) / (q r)
 * and what follows from it
 *   S(q) = I / (N f^2),   G(r) = 2 / pi integral from 0.7 of q (S - 1) w(q) sin(q r) dq,   w(q) = sin(pi q / Q) / (pi q / Q) up to Q (Lorch). */
#define _POSIX_C_SOURCE 200112L /* for a clock that only moves forward */

#define CONVK_WITH_DISTANCES
#define CONVK_F64
#define CONVK_SIMD
#include "convk.h"

#define PROGRAM "debye"
#include "options.h"
#include "data_file.h"
#include "particle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USAGE "debye [OPTION...]; debye --help lists them"
#define PI 3.14159265358979323846
#define FIRST_Q 0.7 /* 1 / angstrom; below is the shape of the particle */
#define LAST_Q 30.0
#define CHECKS 6

static const convk_scatterer nucleus = {0, {0}, {0}, {7.63, 0}, 0.6}; /* fm */

int main(int argc, char **argv) {
  const char *spec = NULL, *threads = NULL, *file = NULL, *radius = "20", *width = "0.01", *xyz = NULL;
  int quick = 0;
  const option options[] = {{"--radius", &radius, NULL, "ANGSTROM", "of the ball"},
                            {"--width", &width, NULL, "ANGSTROM", "of a bin"},
                            {"--xyz", &xyz, NULL, "FILE", "atoms of a file in place of the ball"},
                            {"--quick", NULL, &quick, NULL, "fewer values of q"},
                            DATA_OPTION(file),
                            HARDWARE_OPTION(spec),
                            THREADS_OPTION(threads),
                            END_OF_OPTIONS};
  static const double checks[CHECKS] = {0, 0.01, 0.3, 2.67, 7.5, 29};
  convk hw;
  convk_atoms_f64 atoms;
  convk_distances distances;
  particle p;
  double *q, *xray, *neutron, *bound, *s, *r, *g, self, start, took, exact[CHECKS], sum[CHECKS], limit[CHECKS], peak = 0;
  size_t nq, nr, i, j, best = 0;

  read_options(argc, argv, options, NULL, USAGE, NULL);
  open_hardware(&hw, spec, threads);
  p = xyz ? read_xyz(xyz) : ball(number(radius, "--radius", 3, 300));
  atoms = atoms_of(&p);
  distances = room_for(&p, number(width, "--width", 1e-4, 0.1));
  start = seconds();
  require_ok(convk_pair_histogram_f64(&hw, &atoms, NULL, NULL, &distances, NULL, 0), hw.message);
  took = seconds() - start;
  printf("hardware:     %s, threads: %d\n", hw.name, threads_of(&hw));
  printf("atoms:        %zu, %zu bins of %g angstrom\n", p.n, distances.bins, distances.width);
  printf("distances:    %.3g s, %.3g billion pairs a second\n", took, 0.5e-9 * (double)p.n * ((double)p.n - 1) / took);

  /* both radiations from one histogram */
  nq = quick ? 600 : 3000;
  q = (double *)memory(nq, sizeof *q);
  xray = (double *)memory(nq, sizeof *q);
  neutron = (double *)memory(nq, sizeof *q);
  bound = (double *)memory(nq, sizeof *q);
  s = (double *)memory(nq, sizeof *q);
  for (i = 0; i < nq; i++) {
    q[i] = LAST_Q * ((double)i + 0.5) / (double)nq;
  }
  self = (double)p.n;
  start = seconds();
  require_ok(convk_debye_f64(&hw, &distances, &gold, &self, nq, q, xray, bound), hw.message);
  require_ok(convk_debye_f64(&hw, &distances, &nucleus, &self, nq, q, neutron, NULL), hw.message);
  printf("intensities:  %.3g s for %zu values of q, of both radiations\n", seconds() - start, nq);

  /* the sum over pairs, at a few q */
  require_ok(convk_debye_f64(&hw, &distances, &gold, &self, CHECKS, checks, sum, limit), hw.message);
  require_ok(convk_debye_direct_f64(&hw, &atoms, 1, &gold, CHECKS, checks, exact, NULL, 0), hw.message);
  printf("        q     intensity, by bins         by pairs     difference    its bound\n");
  for (i = 0; i < CHECKS; i++) {
    printf("%9.3g %22.15g %16.9g %14.2e %12.2e\n", checks[i], sum[i], exact[i], sum[i] - exact[i], limit[i]);
    require(fabs(sum[i] - exact[i]) <= limit[i] + 1e-13 * sum[0] * (1 + checks[i]), "check", "bins err more than they may");
  }

  /* the pair distribution function, by neutrons, whose f does not depend on q */
  nr = 1500;
  r = (double *)memory(nr, sizeof *r);
  g = (double *)memory(nr, sizeof *g);
  for (i = 0; i < nq; i++) {
    s[i] = neutron[i] / (self * nucleus.c[0] * nucleus.c[0]);
  }
  for (j = 0; j < nr; j++) {
    r[j] = 0.01 * (double)(j + 1);
    for (i = (size_t)(FIRST_Q / LAST_Q * (double)nq); i < nq; i++) {
      const double w = PI * q[i] / LAST_Q;
      g[j] += 2 / PI * (LAST_Q / (double)nq) * q[i] * (s[i] - 1) * sin(w) / w * sin(q[i] * r[j]);
    }
    if (r[j] > 2 && r[j] < 3.4 && g[j] > peak) {
      peak = g[j];
      best = j;
    }
  }
  printf("G(r):         first peak at %.2f angstrom; a / sqrt 2 is %.2f\n", r[best], EDGE / sqrt(2));
  require(xyz || fabs(r[best] - EDGE / sqrt(2)) < 0.03, "check", "the nearest neighbours are elsewhere");

  if (file) {
    data_file data = data_open(file, "debye");
    double row[4];
    data_note(&data, "atoms", "%zu", p.n);
    data_note(&data, "edge", "%g angstrom", EDGE);
    data_block(&data, "intensity", "q [1/angstrom], X-rays [1], S [1], bound [1]");
    for (i = 0; i < nq; i++) {
      row[0] = q[i];
      row[1] = xray[i];
      row[2] = s[i];
      row[3] = bound[i];
      data_row(&data, 4, row);
    }
    data_block(&data, "pairs", "r [angstrom], G [1/angstrom^2], zero [1], none [1]");
    for (j = 0; j < nr; j++) {
      row[0] = r[j];
      row[1] = g[j];
      row[2] = row[3] = 0;
      data_row(&data, 4, row);
    }
    data_close(&data, "data:");
  }
  free_particle(&p, &distances);
  free(q);
  free(xray);
  free(neutron);
  free(bound);
  free(s);
  free(r);
  free(g);
  convk_close(&hw);
  return 0;
}
