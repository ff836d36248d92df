/* What ../debye.c finds, by many processes:
 *   mpirun -n RANKS debye [--radius ANGSTROM] [--xyz FILE] [--width ANGSTROM] [--parts N] [--check] [--hw NAME] [--threads N] [--json FILE]
 * Each rank counts the distances of its parts of all pairs, and the histograms are added up. They are integers, so that all ranks
 * together have the numbers of one, whatever their order; nothing else travels. Rank 0 makes I(q) of them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for the processors of a rank */
#endif

#define CONVK_WITH_DISTANCES
#define CONVK_F64
#define CONVK_SIMD
#include "convk.h"

#define PROGRAM "debye"
#include "ranks.h"
#include "bits.h"
#include "../particle.h"

#define USAGE "debye [OPTION...]; debye --help lists them"
#define VALUES 6

static void count(convk *hw, const convk_atoms_f64 *atoms, const convk_distances *d, size_t index, size_t parts) {
  const convk_part part = {index, parts};
  require_ok(convk_pair_histogram_f64(hw, atoms, NULL, &part, d, NULL, 0), hw->message);
}

/* A sum of squares has two words, of which the lower one carries into the upper one. */
static void add_squares(void *from, void *to, int *n, MPI_Datatype *type) {
  const uint64_t *a = (const uint64_t *)from;
  uint64_t *b = (uint64_t *)to;
  int i;
  (void)type;
  for (i = 0; i < 2 * *n; i += 2) {
    b[i] += a[i];
    b[i + 1] += a[i + 1] + (b[i] < a[i]);
  }
}

static void add_up(uint64_t *words, int n, MPI_Datatype type, MPI_Op op) {
  MPI_Reduce(job.rank ? (void *)words : MPI_IN_PLACE, words, n, type, op, 0, MPI_COMM_WORLD);
}

static void add_all(const convk_distances *d) {
  const int n = ranks_count("--width", d->bins);
  MPI_Datatype two;
  MPI_Op op;
  MPI_Type_contiguous(2, MPI_UINT64_T, &two);
  MPI_Type_commit(&two);
  MPI_Op_create(add_squares, 1, &op);
  add_up(d->count, n, MPI_UINT64_T, MPI_SUM);
  add_up(d->moment[0], n, MPI_UINT64_T, MPI_SUM);
  add_up(d->moment[1], n, two, op);
  MPI_Op_free(&op);
  MPI_Type_free(&two);
}

static uint64_t hash(const convk_distances *d) {
  uint64_t h = 0;
  size_t k;
  for (k = 0; k < d->bins; k++) {
    h += hash_of(4 * k, d->count + k, 8) + hash_of(4 * k + 1, d->moment[0] + k, 8);
    h += hash_of(4 * k + 2, d->moment[1] + 2 * k, 8) + hash_of(4 * k + 3, d->moment[1] + 2 * k + 1, 8);
  }
  return h;
}

static uint64_t alone(convk *hw, const convk_atoms_f64 *atoms, const particle *p, double width) {
  convk_distances d = room_for(p, width);
  particle none = {0, NULL, NULL, NULL};
  uint64_t h;
  count(hw, atoms, &d, 0, 1);
  h = hash(&d);
  free_particle(&none, &d);
  return h;
}

int main(int argc, char **argv) {
  int check = 0;
  static const double q[VALUES] = {0, 0.01, 0.3, 2.67, 7.5, 29};
  const char *radius = "20", *width = "0.01", *xyz = NULL, *pieces = "8", *spec = NULL, *threads = NULL, *json = NULL,
             *rate = "0";
  const option options[] = {{"--radius", &radius, NULL, "ANGSTROM", "of the ball"},
                            {"--width", &width, NULL, "ANGSTROM", "of a bin"},
                            {"--xyz", &xyz, NULL, "FILE", "atoms of a file in place of the ball"},
                            {"--parts", &pieces, NULL, "N", "of each rank, between which it can say how far it is"},
                            {"--json", &json, NULL, "FILE", "one more line of it"},
                            {"--check", NULL, &check, NULL, "one process alone finds the same numbers"},
                            HARDWARE_OPTION(spec),
                            THREADS_OPTION(threads),
                            RANKS_OPTIONS(rate) END_OF_OPTIONS};
  double intensity[VALUES], bound[VALUES], self, bins, pairs, start;
  convk_atoms_f64 atoms;
  convk_distances d;
  size_t parts, k;
  ranks_time t;
  particle p;
  convk hw;

  ranks_begin(&argc, &argv);
  read_options(argc, argv, options, NULL, USAGE, NULL);
  parts = (size_t)whole(pieces, "--parts", 1, 1000000);
  bins = number(width, "--width", 1e-4, 0.1);
  job.rate = number(rate, "--simulate", 0, 1e30);
  p = xyz ? read_xyz(xyz) : ball(number(radius, "--radius", 3, 300));
  ranks_open(&hw, spec, threads);
  atoms = atoms_of(&p);
  d = room_for(&p, bins);
  self = (double)p.n;
  pairs = 0.5 * self * (self - 1) / job.count;
  say("hardware:     %s, ranks: %d, threads of each: %d\n", hw.name, job.count, threads_of(&hw));
  say("atoms:        %lu, %lu bins of %g angstrom\n", (unsigned long)p.n, (unsigned long)d.bins, bins);
  ranks_start(&t);
  start = seconds();
  for (k = 0; k < parts; k++) {
    if (!ranks_simulated(pairs / (double)parts)) {
      count(&hw, &atoms, &d, k * (size_t)job.count + (size_t)job.rank, parts * (size_t)job.count);
    }
    ranks_progress((double)(k + 1) / (double)parts, start);
  }
  start = seconds();
  add_all(&d);
  t.communication = seconds() - start;
  ranks_stop(&t);
  if (!job.rank && !(job.rate > 0)) {
    require_ok(convk_debye_f64(&hw, &d, &gold, &self, VALUES, q, intensity, bound), hw.message);
    for (k = 0; k < VALUES; k++) {
      say("I(%g):%*s %.15g, within %.1e\n", q[k], q[k] < 0.1 && q[k] > 0 ? 5 : 6, "", intensity[k], bound[k]);
    }
    say("bits:         %016llx\n", (unsigned long long)hash(&d));
  }
  ranks_table(&hw, &t, pairs, "pairs", json);
  if (check && !job.rank && !(job.rate > 0)) {
    require(alone(&hw, &atoms, &p, bins) == hash(&d), "one process", "different numbers");
    say("check:        one process alone finds the same numbers\n");
  }
  free_particle(&p, &d);
  convk_close(&hw);
  return ranks_end();
}
