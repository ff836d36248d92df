/* The orbital and the density of ../orbital.c by many processes, and cube files with the same bytes, which all write together.
 *   mpirun -n RANKS orbital [FILE.molden] [--orbital N|homo|lumo] [--spacing BOHR] [--margin BOHR] [--out PREFIX] [--hdf5 FILE]
 *                           [--hw NAME] [--threads N] [--type f32|f64] [--json FILE] [--coefficients NAME]
 * The points of the grid stand in rows along its last axis, as in the file, and each rank has as many rows as the others, one
 * more or less. Values come from slabs of 16 planes across the first axis, which do not depend on the number of ranks: a rank
 * evaluates all slabs that have a row of its own, so that one at a border is evaluated by both, and the bits are those of one
 * rank. (A box of a rank's rows alone has other last digits: its origin is rounded, and where functions count as nothing is
 * cut otherwise.) Nothing travels between ranks but the molecule, two sums, and sizes of text: where in the file a rank's text
 * begins follows from the sizes of those before it.
 * --hdf5 writes both to one file of HDF5, with all bits: datasets "orbital" and "density" of nx x ny x nz values, whose
 * attributes are the origin, the axes (in steps from point to point, bohr) and the atoms.
 * All files are the same for all numbers of ranks. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for the processors of a rank, and text that is printed to memory */
#endif

#define CONVK_WITH_GAUSSIAN
#define CONVK_SIMD
#include "convk.h"

#define PROGRAM "orbital"
#include "ranks.h"
#include "bits.h"
#include "../molecule.h"

#ifdef EXAMPLE_HAVE_HDF5
#include <hdf5.h>
#endif
#include <limits.h>

#define USAGE "orbital [FILE.molden] [OPTION...]; orbital --help lists them"
#define PIECE ((size_t)1 << 24) /* bytes of text that are written at once */

/* Rows of the grid. */
typedef struct share {
  cube_file grid; /* its values are those of the rows */
  size_t first, rows;
} share;

/* ---- the molecule ---- */

/* Rank 0 reads the file: so it may lie on a disk of its own, and a thousand ranks are no burden for a common one. */
static void read_molecule(molecule *m, const char *path, const char *as) {
  char message[256], *text = NULL;
  size_t size = 0;
  uint64_t bytes;
  if (!job.rank) {
    text = file_load(path, INT_MAX, &size, message, sizeof message);
    require(text != NULL, path, message);
  }
  bytes = size;
  MPI_Bcast(&bytes, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (job.rank) {
    text = (char *)memory((size_t)bytes, 1);
  }
  MPI_Bcast(text, (int)bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
  require(!molden_parse(&m->file, text, (size_t)bytes, message, sizeof message), path, message);
  free(text);
  make_shells(m, path, as);
}

static void take_rows(share *s) {
  const size_t all = s->grid.n[0] * s->grid.n[1], ranks = (size_t)job.count, rank = (size_t)job.rank;
  s->first = all / ranks * rank + all % ranks * rank / ranks;
  s->rows = all / ranks * (rank + 1) + all % ranks * (rank + 1) / ranks - s->first;
  if (!(job.rate > 0)) {
    require_option((double)s->rows * (double)s->grid.n[2] <= MAX_POINTS, "--spacing", "too many points for one rank");
    s->grid.values = (double *)memory(s->rows * s->grid.n[2], sizeof *s->grid.values);
  }
}

/* ---- values ---- */

/* The sums of rows are exact, and those within a row in its order: so all ranks together find the bits of one. */
static double integral(const share *s, int what, ranks_time *t) {
  const size_t n = s->grid.n[2];
  exact_sum own;
  double start;
  size_t r, k;
  memset(&own, 0, sizeof own);
  for (r = 0; r < s->rows && !(job.rate > 0); r++) {
    const double *row = s->grid.values + r * n;
    double sum = 0;
    for (k = 0; k < n; k++) {
      sum += what == ORBITAL ? row[k] * row[k] : row[k];
    }
    exact_add(&own, sum);
  }
  start = seconds();
  MPI_Reduce(job.rank ? own.word : MPI_IN_PLACE, own.word, EXACT_WORDS, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  t->communication += seconds() - start;
  return exact_value(&own) * cube_cell_volume(&s->grid);
}

static uint64_t hash(const share *s) {
  const size_t n = s->rows * s->grid.n[2];
  uint64_t own = 0, all = 0;
  size_t i;
  for (i = 0; i < n; i++) {
    own += hash_of((uint64_t)s->first * s->grid.n[2] + i, &s->grid.values[i], sizeof *s->grid.values);
  }
  MPI_Reduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  return all;
}

/* ---- cube files ---- */

/* One rank's trouble with a file ends all with its message. */
static void require_file(int status, const char *path, const char *what) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  if (status != MPI_SUCCESS) {
    MPI_Error_string(status, text, &length);
    fail(1, path, "%s: %.*s", what, (int)strcspn(text, ",\n"), text);
  }
}

/* All ranks open it, and rank 0 speaks for all where that fails. This comes before the values, which may take long. */
static MPI_File open_cube(const char *path) {
  MPI_File file;
  job.alike = 1;
  require_file(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file), path,
               "cannot open the file");
  job.alike = 0;
  return file;
}

/* Rows of text, as many as a piece holds, from row *at on. Nothing is left for a rank that is done. */
static size_t next_piece(const share *s, const size_t *sizes, size_t *at, char *text) {
  size_t bytes = 0;
  while (*at < s->rows && (bytes == 0 || bytes + sizes[*at] < PIECE)) {
    cube_row_text(s->grid.values + *at * s->grid.n[2], s->grid.n[2], CUBE_DIGITS, text + bytes);
    bytes += sizes[(*at)++];
  }
  return bytes;
}

static void write_cube(const share *s, const char *path, MPI_File file) {
  const size_t n = s->grid.n[2];
  size_t *sizes = (size_t *)memory(s->rows, sizeof *sizes), longest = 0, header_size = 0, unfit, r;
  uint64_t own = 0, offset = 0, all = 0, pieces = 0, most = 0, p;
  char *header = NULL, *text;
  unfit = cube_unfit(s->grid.values, s->rows * n);
  if (unfit < s->rows * n) {
    fail(1, path, "value %llu is not finite or above 1e300", (unsigned long long)s->first * n + unfit);
  }
  if (!job.rank) {
    FILE *to = open_memstream(&header, &header_size);
    require(to && !cube_put_header(&s->grid, to), path, "no memory for the first lines");
    fclose(to);
  }
  own = header_size;
  for (r = 0; r < s->rows; r++) {
    sizes[r] = cube_row_size(s->grid.values + r * n, n, CUBE_DIGITS);
    longest = sizes[r] > longest ? sizes[r] : longest;
    own += sizes[r];
  }
  text = (char *)memory((longest > PIECE ? longest : PIECE) + 1, 1);
  for (r = 0; r < s->rows; pieces++) { /* as next_piece cuts them */
    size_t bytes = sizes[r++];
    while (r < s->rows && bytes + sizes[r] < PIECE) {
      bytes += sizes[r++];
    }
  }
  MPI_Exscan(&own, &offset, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&pieces, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  require_file(MPI_File_set_size(file, (MPI_Offset)all), path, "cannot write the file"); /* an older one may be longer */
  if (!job.rank) {
    require_file(MPI_File_write_at(file, 0, header, (int)header_size, MPI_CHAR, MPI_STATUS_IGNORE), path,
                 "cannot write the file");
    offset = header_size;
  }
  for (p = 0, r = 0; p < most; p++) {
    const size_t bytes = next_piece(s, sizes, &r, text);
    require_file(MPI_File_write_at_all(file, (MPI_Offset)offset, text, (int)bytes, MPI_CHAR, MPI_STATUS_IGNORE), path,
                 "cannot write the file");
    offset += bytes;
  }
  require_file(MPI_File_close(&file), path, "cannot write the file");
  free(header);
  free(sizes);
  free(text);
}

/* ---- HDF5 ---- */

#ifdef EXAMPLE_HAVE_HDF5
/* All ranks do this together. */
static void attribute(hid_t of, const char *name, hid_t type, int dims, hsize_t rows, hsize_t columns, const void *values,
                      const char *path) {
  const hsize_t n[2] = {rows, columns};
  const hid_t space = H5Screate_simple(dims, n, NULL), a = H5Acreate2(of, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  require(a >= 0 && H5Awrite(a, type, values) >= 0, path, "cannot write an attribute");
  H5Aclose(a);
  H5Sclose(space);
}

static hid_t hdf5_open(const char *path) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  hid_t file;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* one line of ours is enough */
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST); /* attributes of more than 64 KiB: many atoms */
  file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  job.alike = 1;
  require(file >= 0, path, "cannot open the file");
  job.alike = 0;
  H5Pclose(access);
  return file;
}

static void hdf5_describe(hid_t data, const cube_file *grid, const char *path) {
  const size_t n = grid->natoms;
  int *numbers = (int *)memory(n, sizeof *numbers);
  double *positions = (double *)memory(3 * n, sizeof *positions);
  size_t i;
  for (i = 0; i < n; i++) {
    numbers[i] = grid->atoms[i].number;
    memcpy(positions + 3 * i, grid->atoms[i].position, sizeof grid->atoms[i].position);
  }
  attribute(data, "origin", H5T_NATIVE_DOUBLE, 1, 3, 1, grid->origin, path);
  attribute(data, "axes", H5T_NATIVE_DOUBLE, 2, 3, 3, grid->axis, path);
  attribute(data, "atomic_numbers", H5T_NATIVE_INT, 1, n, 1, numbers, path);
  attribute(data, "positions", H5T_NATIVE_DOUBLE, 2, n, 3, positions, path);
  free(numbers);
  free(positions);
}

/* Adds rows `from` to `to` of the first two axes, which lie in one plane or are whole planes, to what is selected. */
static void hdf5_select(hid_t space, const size_t n[3], size_t from, size_t to) {
  const size_t planes = (to - from) / n[1];
  const hsize_t start[3] = {from / n[1], from % n[1], 0};
  const hsize_t count[3] = {planes > 0 ? planes : 1, planes > 0 ? n[1] : to - from, n[2]};
  if (from < to) {
    H5Sselect_hyperslab(space, H5S_SELECT_OR, start, NULL, count, NULL);
  }
}

static void hdf5_write(hid_t file, const char *name, const share *s, const char *path) {
  const size_t *n = s->grid.n, end = s->first + s->rows;
  const size_t up = (s->first + n[1] - 1) / n[1] * n[1], head = up < end ? up : end; /* the rest of the first plane */
  const size_t down = end / n[1] * n[1], tail = down > head ? down : head;           /* whole planes end, a part may follow */
  const hsize_t dims[3] = {n[0], n[1], n[2]}, own = s->rows * n[2];
  const hid_t there = H5Screate_simple(3, dims, NULL), here = H5Screate_simple(1, &own, NULL),
              together = H5Pcreate(H5P_DATASET_XFER),
              data = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, there, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  require(data >= 0, path, "cannot write the file");
  hdf5_describe(data, &s->grid, path);
  H5Sselect_none(there);
  hdf5_select(there, n, s->first, head);
  hdf5_select(there, n, head, tail);
  hdf5_select(there, n, tail, end);
  if (!own) {
    H5Sselect_none(here);
  }
  H5Pset_dxpl_mpio(together, H5FD_MPIO_COLLECTIVE);
  require(H5Dwrite(data, H5T_NATIVE_DOUBLE, here, there, together, s->grid.values) >= 0, path, "cannot write the file");
  H5Dclose(data);
  H5Sclose(there);
  H5Sclose(here);
  H5Pclose(together);
}
#endif

/* ---- both ---- */

/* Values of the orbital or of the density in this rank's rows, their integral, and the file; returns the seconds of writing. */
static double on_grid(molecule *m, int what, share *s, const char *path, MPI_File file, ranks_time *t) {
  const size_t n = s->rows * s->grid.n[2];
  double start, sum;
  uint64_t bits;
  if (n > 0 && !ranks_simulated((double)n)) {
    evaluate_grid(m, what, &s->grid, s->first, s->rows, s->grid.values, 0);
  }
  sum = integral(s, what, t);
  ranks_stop(t);
  if (job.rate > 0) {
    return 0;
  }
  bits = hash(s);
  if (what == ORBITAL) {
    say("orbital:      bits %016llx, norm %.17g on the grid\n", (unsigned long long)bits, sum);
  } else {
    say("density:      bits %016llx, sum %.17g of %g electrons, of %lu orbitals\n", (unsigned long long)bits, sum, electrons(m),
        (unsigned long)m->rows[DENSITY].count);
  }
  if (m->listed) {
    say(LISTED);
  }
  name_values(m, what, &s->grid);
  start = seconds();
  write_cube(s, path, file);
  return seconds() - start;
}

int main(int argc, char **argv) {
  static const char *const names[2] = {"orbital", "density"}, *const endings[2] = {".cube", "-density.cube"};
  const char *path = NULL, *spec = NULL, *threads = NULL, *name = "homo", *spacing = "0.1", *margin = "5", *prefix = "orbital",
             *hdf5 = NULL, *type = "f64", *json = NULL, *rate = "0", *as = NULL;
  double writing = 0;
  char files[2][512], water[512];
  MPI_File cube[2] = {MPI_FILE_NULL, MPI_FILE_NULL};
  ranks_time t, sum;
  molecule m;
  share s;
  int what;
#ifdef EXAMPLE_HAVE_HDF5
  hid_t to = -1;
#endif
  const option options[] = {{"--orbital", &name, NULL, "WHICH", "homo, lumo, or a number from 1"},
                            {"--spacing", &spacing, NULL, "BOHR", "between points of the grid"},
                            {"--margin", &margin, NULL, "BOHR", "from the nuclei to the ends of the grid"},
                            {"--type", &type, NULL, "TYPE", "f32 or f64"},
                            {"--out", &prefix, NULL, "PREFIX", "of two cube files"},
                            {"--hdf5", &hdf5, NULL, "FILE", "the same as HDF5"},
                            COEFFICIENTS_OPTION(as),
                            {"--json", &json, NULL, "FILE", "one more line of it"},
                            HARDWARE_OPTION(spec),
                            THREADS_OPTION(threads),
                            RANKS_OPTIONS(rate) END_OF_OPTIONS};

  memset(&m, 0, sizeof m);
  memset(&s, 0, sizeof s);
  memset(&sum, 0, sizeof sum);
  ranks_begin(&argc, &argv);
  read_options(argc, argv, options, &path, USAGE, NULL);
  path = path ? path : example_data(WATER, water);
  job.rate = number(rate, "--simulate", 0, 1e30);
  m.single = !word(type, "--type", "f32", "f64");
  require_option(strlen(prefix) < 480, "--out", "too long");
#ifndef EXAMPLE_HAVE_HDF5
  require_option(!hdf5, "--hdf5", "this program was made without HDF5: Debian package libhdf5-mpi-dev, then make mpi");
#endif
  read_molecule(&m, path, as);
  choose_orbitals(&m, name);
  make_grid(&s.grid, &m.file, number(spacing, "--spacing", 0.005, 5), number(margin, "--margin", 0, 100),
            MAX_POINTS * job.count);
  ranks_open(&m.hw, spec, threads);
  take_rows(&s);
  if (!job.rank) {
    print_molecule(&m, path, &s.grid);
  }
  for (what = ORBITAL; what <= DENSITY && !(job.rate > 0); what++) {
    snprintf(files[what], sizeof files[what], "%s%s", prefix, endings[what]);
    cube[what] = open_cube(files[what]);
  }
#ifdef EXAMPLE_HAVE_HDF5
  to = hdf5 ? hdf5_open(hdf5) : -1;
#endif
  for (what = ORBITAL; what <= DENSITY; what++) {
    ranks_start(&t);
    writing += on_grid(&m, what, &s, files[what], cube[what], &t);
    sum.total += t.total;
    sum.communication += t.communication;
#ifdef EXAMPLE_HAVE_HDF5
    if (hdf5) {
      const double start = seconds();
      hdf5_write(to, names[what], &s, hdf5);
      writing += seconds() - start;
    }
#else
    (void)names;
#endif
  }
#ifdef EXAMPLE_HAVE_HDF5
  require(!hdf5 || H5Fclose(to) >= 0, hdf5 ? hdf5 : "", "cannot write the file");
#endif
  if (!(job.rate > 0)) {
    say("files:        %s.cube, %s-density.cube%s%s, written in %.3g s\n", prefix, prefix, hdf5 ? ", " : "", hdf5 ? hdf5 : "",
        writing);
  }
  ranks_table(&m.hw, &sum, 2 * (double)s.rows * (double)s.grid.n[2], "point", json);
  cube_free(&s.grid);
  convk_close(&m.hw);
  molecule_free(&m);
  return ranks_end();
}
