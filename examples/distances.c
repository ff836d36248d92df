/* What distances of atoms tell, by kinds:
 *   distances [ice|protein] [--quick] [--data FILE] [--hw NAME] [--threads N]
 * ice: partial functions g(r) of a cube of cubic ice, to 1.5 of its edges. All images that are near enough count, those of an atom
 * itself, too, so that nothing is special about half an edge. Protons are in disorder by the ice rules, molecules are displaced by
 * heat. A box that is twice as long must have twice the counts.
 * protein: I(q) of a bundle of four alpha helices of alanine, without hydrogen, in vacuum, as small-angle X-ray scattering sees it, the
 * radius of gyration, and how often distances occur. The sum over bins is compared with the sum over pairs. */
#define _POSIX_C_SOURCE 200112L /* for a clock that only moves forward */

#define CONVK_WITH_DISTANCES
#define CONVK_F64
#define CONVK_SIMD
#include "convk.h"

#define PROGRAM "distances"
#include "options.h"
#include "data_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USAGE "distances [ice|protein] [OPTION...]; distances --help lists them"
#define PI 3.14159265358979323846

/* Atoms, and histograms of their distances. */
typedef struct sample {
  size_t n, count[3]; /* of each kind */
  double *x[3];
  uint32_t *kind;
  convk_distances d;
} sample;

static void make_room(sample *s, size_t n, size_t kinds, size_t bins, double width) {
  const size_t pairs = convk_distances_pairs(kinds);
  int k;
  memset(s, 0, sizeof *s);
  for (k = 0; k < 3; k++) {
    s->x[k] = (double *)memory(n, sizeof **s->x);
  }
  s->kind = (uint32_t *)memory(n, sizeof *s->kind);
  s->d.kinds = kinds;
  s->d.bins = bins;
  s->d.width = width;
  s->d.moments = 2;
  s->d.count = (uint64_t *)memory(pairs * bins, sizeof(uint64_t));
  s->d.moment[0] = (uint64_t *)memory(pairs * bins, sizeof(uint64_t));
  s->d.moment[1] = (uint64_t *)memory(2 * pairs * bins, sizeof(uint64_t));
}

static void free_sample(sample *s) {
  int k;
  for (k = 0; k < 3; k++) {
    free(s->x[k]);
  }
  free(s->kind);
  free(s->d.count);
  free(s->d.moment[0]);
  free(s->d.moment[1]);
}

static void add_atom(sample *s, uint32_t kind, double x, double y, double z) {
  s->x[0][s->n] = x;
  s->x[1][s->n] = y;
  s->x[2][s->n] = z;
  s->kind[s->n++] = kind;
  s->count[kind]++;
}

static convk_atoms_f64 atoms_of(const sample *s) {
  convk_atoms_f64 atoms;
  memset(&atoms, 0, sizeof atoms);
  atoms.n = s->n;
  atoms.x = s->x[0];
  atoms.y = s->x[1];
  atoms.z = s->x[2];
  atoms.kind = s->kind;
  return atoms;
}

static void count(convk *hw, sample *s, const convk_cell *cell) {
  const convk_atoms_f64 atoms = atoms_of(s);
  const double start = seconds();
  require_ok(convk_pair_histogram_f64(hw, &atoms, cell, NULL, &s->d, NULL, 0), hw->message);
  printf("distances:    %.3g s of %zu atoms, %zu bins of %g angstrom\n", seconds() - start, s->n, s->d.bins, s->d.width);
}

static uint32_t random_below(uint32_t n) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((state >> 33) % n);
}

/* ---- ice ---- */

#define EDGE 6.358 /* of the cell of cubic ice, which has 8 molecules, in angstrom */
#define BOND 0.96  /* from oxygen to its hydrogen */
#define HEAT 0.15  /* of displacements along an axis */

/* Places of oxygen are those of diamond, in quarters of an edge: odd ones have bonds along `bond`, even ones against it. Whoever walks
 * along bonds that nobody took before, until there are none, leaves each molecule as often as he comes to it: where he leaves it, it has a
 * hydrogen. */
static void make_ice(sample *s, int cells) {
  static const int bond[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  const int side = 4 * cells;
  unsigned char *taken = (unsigned char *)memory((size_t)(side * side * side), 1);
  double *moved = (double *)memory((size_t)(side * side * side), 3 * sizeof *moved);
  int place[3], first[3], k, d, turn;
  for (turn = 0; turn < side * side * side; turn++) {
    const int at[3] = {turn % side, turn / side % side, turn / side / side};
    const int odd = at[0] % 2, base[3] = {at[0] - odd, at[1] - odd, at[2] - odd};
    if ((at[1] - odd) % 2 || (at[2] - odd) % 2 || (base[0] + base[1] + base[2]) % 4) {
      taken[turn] = 15; /* no molecule */
      continue;
    }
    for (d = 0; d < 3; d++) {
      for (k = 0; k < 12; k++) {
        moved[3 * turn + d] += HEAT * (random_below(1000001) / 1e6 - 0.5);
      }
    }
    add_atom(s, 0, EDGE / 4 * at[0] + moved[3 * turn], EDGE / 4 * at[1] + moved[3 * turn + 1],
             EDGE / 4 * at[2] + moved[3 * turn + 2]);
  }
  for (turn = 0; turn < side * side * side; turn++) {
    for (first[0] = turn % side, first[1] = turn / side % side, first[2] = turn / side / side; taken[turn] != 15;) {
      memcpy(place, first, sizeof place);
      do {
        const int here = (place[2] * side + place[1]) * side + place[0], sign = place[0] % 2 ? -1 : 1;
        double h[3];
        for (k = (int)random_below(4); taken[here] >> k & 1; k = (k + 1) % 4) {
        }
        for (d = 0; d < 3; d++) {
          h[d] = EDGE / 4 * place[d] + moved[3 * here + d] + sign * bond[k][d] * BOND / sqrt(3);
          place[d] = (place[d] + sign * bond[k][d] + side) % side;
        }
        add_atom(s, 1, h[0], h[1], h[2]);
        taken[here] |= (unsigned char)(1 << k);
        taken[(place[2] * side + place[1]) * side + place[0]] |= (unsigned char)(1 << k);
      } while (memcmp(place, first, sizeof place) != 0);
    }
  }
  free(taken);
  free(moved);
}

static void ice(convk *hw, int quick, const char *file) {
  const int cells = quick ? 2 : 4;
  const double edge = cells * EDGE, width = 0.04;
  const size_t n = 24 * (size_t)(cells * cells * cells), bins = (size_t)(1.5 * edge / width);
  const convk_cell cell = {{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}}, longer = {{2 * edge, 0, 0}, {0, edge, 0}, {0, 0, edge}};
  sample s, twice;
  size_t i, k, p, differ = 0;
  double neighbours = 0;
  make_room(&s, n, 2, bins, width);
  make_room(&twice, 2 * n, 2, bins, width);
  make_ice(&s, cells);
  require(s.n == n && s.count[1] == 2 * s.count[0], "check", "molecules are not H2O");
  for (i = 0; i < 2 * n; i++) {
    add_atom(&twice, s.kind[i % n], s.x[0][i % n] + (i < n ? 0 : edge), s.x[1][i % n], s.x[2][i % n]);
  }
  count(hw, &s, &cell);
  count(hw, &twice, &longer);
  for (i = 0; i < 3 * bins; i++) {
    differ += twice.d.count[i] > 2 * s.d.count[i] ? twice.d.count[i] - 2 * s.d.count[i] : 2 * s.d.count[i] - twice.d.count[i];
  }
  for (i = 0; (double)(i + 1) * width <= 3.5; i++) {
    neighbours += 2 * (double)s.d.count[i] / (double)s.count[0];
  }
  printf("twice as long: %zu counts differ; neighbours of a molecule: %.3f\n", differ, neighbours);
  require(differ < 20, "check", "a longer box has other counts");
  require(fabs(neighbours - 4) < 0.1, "check", "a molecule has not four neighbours");
  if (file) {
    data_file data = data_open(file, "distances");
    data_note(&data, "edge", "%g angstrom", edge);
    data_note(&data, "molecules", "%zu", s.count[0]);
    data_block(&data, "ice", "r [angstrom], O-O [1], O-H [1], H-H [1]");
    for (k = 0; k < bins; k++) {
      const double low = (double)k * width, high = low + width;
      double row[4] = {low + width / 2, 0, 0, 0};
      for (p = 0; p < 3; p++) {
        const double a = (double)s.count[p / 2], b = (double)s.count[(p + 1) / 2], same = p == 1 ? 1 : 2;
        row[p + 1] = same * (double)s.d.count[p * bins + k] * edge * edge * edge / (a * b) /
                     (4 * PI / 3 * (high * high * high - low * low * low));
      }
      data_row(&data, 4, row);
    }
    data_close(&data, "data:");
  }
  free_sample(&s);
  free_sample(&twice);
}

/* ---- a protein ---- */

#define RESIDUES 28 /* of a helix */
#define APART 9.6   /* axes of helices, in angstrom */

/* International Tables C, table 6.1.1.4: carbon, nitrogen, oxygen. */
static const convk_scatterer elements[3] = {
    {4, {2.31, 1.02, 1.5886, 0.865, 0, 0}, {20.8439, 10.2075, 0.5687, 51.6512, 0, 0}, {0.2156, 0}, 0},
    {4, {12.2126, 3.1322, 2.0125, 1.1663, 0, 0}, {0.0057, 9.8933, 28.9975, 0.5826, 0, 0}, {-11.529, 0}, 0},
    {4, {3.0485, 2.2868, 1.5463, 0.867, 0, 0}, {13.2771, 5.7011, 0.3239, 32.9089, 0, 0}, {0.2508, 0}, 0}};

/* Atoms of a residue about the helix's axis: kind, radius, angle in degrees, height; by bonds of textbooks with phi = -57.8, psi = -47. */
static const double residue[5][4] = {
    {1, 1.566, -26.65, -0.916}, {0, 2.291, 0, 0}, {0, 1.68, 26.9, 1.058}, {2, 1.934, 20.68, 2.247}, {0, 3.341, 16.68, -0.771}};

static void make_protein(sample *s) {
  int helix, i, k;
  for (helix = 0; helix < 4; helix++) {
    const int up = helix % 2 ? 1 : -1; /* every other one turned about x */
    for (i = 0; i < RESIDUES; i++) {
      for (k = 0; k < 5; k++) {
        const double *a = residue[k], angle = PI / 180 * (100 * i + a[2]), z = 1.5 * (i - 0.5 * (RESIDUES - 1)) + a[3];
        add_atom(s, (uint32_t)a[0], (helix < 2 ? -0.5 : 0.5) * APART + a[1] * cos(angle),
                 (helix == 1 || helix == 2 ? -0.5 : 0.5) * APART + up * a[1] * sin(angle), up * z);
      }
    }
  }
}

static void protein(convk *hw, int quick, const char *file) {
  const size_t n = 4 * RESIDUES * 5, nq = quick ? 26 : 251;
  const double width = 0.01;
  double *q = (double *)memory(nq, sizeof *q), *sum = (double *)memory(nq, sizeof *sum),
         *bound = (double *)memory(nq, sizeof *bound);
  double *exact = (double *)memory(nq, sizeof *exact), self[3], all = 0, square = 0, radius, guinier, worst = 0;
  convk_atoms_f64 atoms;
  sample s;
  size_t i, k, d;
  make_room(&s, n, 3, (size_t)(65 / width), width);
  make_protein(&s);
  atoms = atoms_of(&s);
  count(hw, &s, NULL);
  for (k = 0; k < 3; k++) {
    self[k] = (double)s.count[k];
  }
  for (i = 0; i < nq; i++) {
    q[i] = 1.25 * (double)i / (double)(nq - 1);
  }
  require_ok(convk_debye_f64(hw, &s.d, elements, self, nq, q, sum, bound), hw->message);
  require_ok(convk_debye_direct_f64(hw, &atoms, 3, elements, nq, q, exact, NULL, 0), hw->message);
  for (i = 0; i < nq; i++) {
    worst = fmax(worst, fabs(sum[i] - exact[i]) / exact[i]);
    require(fabs(sum[i] - exact[i]) <= bound[i] + 1e-13 * sum[0], "check", "bins err more than they may");
  }
  /* sums of electrons, of their places, and of squares */
  for (d = 0; d < 3; d++) {
    double mean = 0;
    all = 0;
    for (i = 0; i < n; i++) {
      const convk_scatterer *const e = elements + s.kind[i];
      const double f = e->a[0] + e->a[1] + e->a[2] + e->a[3] + e->c[0];
      all += f;
      mean += f * s.x[d][i];
      square += f * s.x[d][i] * s.x[d][i];
    }
    square -= mean * mean / all;
  }
  radius = sqrt(square / all);
  guinier = sqrt(-3 * log(sum[1] / sum[0])) / q[1];
  printf("I(q):         bins differ from pairs by %.1e\n", worst);
  printf("radius of gyration: %.3f angstrom by the atoms, %.3f by I(q)\n", radius, guinier);
  require(quick || fabs(guinier / radius - 1) < 0.003, "check", "the radius of gyration is another one");
  if (file) {
    data_file data = data_open(file, "distances");
    const size_t few = 50; /* bins to a row */
    data_note(&data, "residues", "%d", 4 * RESIDUES);
    data_note(&data, "radius", "%.5g angstrom", radius);
    data_block(&data, "protein", "q [1/angstrom], I [1], bound [1]");
    for (i = 0; i < nq; i++) {
      const double row[3] = {q[i], sum[i], bound[i]};
      data_row(&data, 3, row);
    }
    data_block(&data, "pairs", "r [angstrom], P [1/angstrom], zero [1]");
    for (k = 0; k + few <= s.d.bins; k += few) {
      double row[3] = {((double)k + 0.5 * (double)few) * width, 0, 0};
      for (i = 0; i < 6 * few; i++) {
        row[1] += (double)s.d.count[i / few * s.d.bins + k + i % few] / ((double)few * width);
      }
      data_row(&data, 3, row);
    }
    data_close(&data, "data:");
  }
  free_sample(&s);
  free(q);
  free(sum);
  free(bound);
  free(exact);
}

int main(int argc, char **argv) {
  const char *spec = NULL, *threads = NULL, *file = NULL, *what = NULL;
  int quick = 0;
  const option options[] = {{"--quick", NULL, &quick, NULL, "a smaller cube, fewer values of q"},
                            DATA_OPTION(file),
                            HARDWARE_OPTION(spec),
                            THREADS_OPTION(threads),
                            END_OF_OPTIONS};
  convk hw;
  read_options(argc, argv, options, &what, USAGE, NULL);
  require_option(!what || !strcmp(what, "ice") || !strcmp(what, "protein"), what, "neither ice nor protein");
  open_hardware(&hw, spec, threads);
  printf("hardware:     %s, threads: %d\n", hw.name, threads_of(&hw));
  if (what && *what == 'p') {
    protein(&hw, quick, file);
  } else {
    ice(&hw, quick, file);
  }
  convk_close(&hw);
  return 0;
}
