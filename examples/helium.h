/* What helium.c and mpi/helium.c share: options, runs, where the atoms are, checkpoints, pictures and what is printed. Before this
 * text come convk.h with CONVK_WITH_VMC, and options.h or mpi/ranks.h. */
#ifndef HELIUM_H
#define HELIUM_H

#include "data_file.h"
#include "picture.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PI 3.14159265358979323846
#define BULK 0.0218       /* atoms per cubic Angstrom of the liquid, without pressure */
#define HBAR2_2M 6.059648 /* K A^2, of helium-4 */
#define USAGE "helium N [OPTION...], or helium --resume FILE [OPTION...]; helium --help lists them"
/* What differs where there are many processes. */
#ifdef RANKS_H
#define MORE_OPTIONS(w) {"--json", &(w).json, NULL, "FILE", "one more line of it"}, RANKS_OPTIONS((w).simulate)
#else
#define MORE_OPTIONS(w)
#define say printf
#endif

enum { BINS = 256, BLOCKS = 32, EVERY = 16 }; /* a profile is taken every 16 sweeps */
#define MOST_SWEEPS UINT64_C(1000000000000)

/* ---- the end ---- */

static volatile sig_atomic_t interrupted;
static inline void interrupt(int number) {
  (void)number;
  interrupted = 1;
}

/* flags: of sigaction. */
static inline void catch_signal(int number, int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = interrupt;
  action.sa_flags = flags;
  sigaction(number, &action, NULL);
}

/* ---- a run ---- */

/* What a run is of; goes into checkpoints as it is, but for the values of a table and for what is where. */
typedef struct setup {
  convk_vmc vmc;
  uint64_t sweeps; /* that are to count */
  double density;  /* of a box, or 0 */
  int mixed;
  char potential[28]; /* its name */
} setup;

/* Counts of atoms by their distance from the centre of mass of their walker, and of pairs, in blocks of samples; when all blocks
 * are full, two become one. Whole numbers: nothing depends on an order, and those of all processes may be added up. */
enum { ATOMS = 0, PAIRS = 1, WHOLE = 0, FRACTION = 1 };
typedef struct profile {
  double width;                            /* of a bin */
  uint64_t bins, length, blocks, in_block; /* samples in a block; blocks that are full; samples in the next one */
  uint64_t count[2][BLOCKS][BINS];
  uint64_t squares[2][BLOCKS]; /* of all atoms' distances: square Angstrom, and 2^-32 of them */
} profile;

typedef struct run {
  convk hw;
  setup s;
  profile p;
  void *state; /* of the walkers that are here */
  size_t state_size, work_size;
  void *work, *positions; /* of floats, if mixed */
} run;

/* What each program does in its own way. */
static void load(run *r, const char *path); /* all of a checkpoint but the walkers that are elsewhere */
static int enough(void);                    /* whether somebody has had enough: the same in all processes */

static inline convk_vmc_state_f32 *state_f32(const run *r) { return (convk_vmc_state_f32 *)r->state; }
static inline convk_vmc_state_f64 *state_f64(const run *r) { return (convk_vmc_state_f64 *)r->state; }

static inline size_t state_size(const setup *s) {
  size_t bytes = 0;
  require_ok(s->mixed ? convk_vmc_state_size_f32(NULL, &s->vmc, &bytes) : convk_vmc_state_size_f64(NULL, &s->vmc, &bytes),
             "vmc_state_size");
  return bytes;
}
static inline int begin(run *r, const void *positions) {
  return r->s.mixed ? convk_vmc_begin_f32(NULL, &r->s.vmc, (const float *)positions, state_f32(r), r->state_size)
                    : convk_vmc_begin_f64(NULL, &r->s.vmc, (const double *)positions, state_f64(r), r->state_size);
}
static inline int check(const run *r) {
  return r->s.mixed ? convk_vmc_check_f32(NULL, &r->s.vmc, state_f32(r), r->state_size)
                    : convk_vmc_check_f64(NULL, &r->s.vmc, state_f64(r), r->state_size);
}
static inline void take_positions(run *r) {
  require_ok(r->s.mixed ? convk_vmc_positions_f32(NULL, &r->s.vmc, state_f32(r), r->state_size, (float *)r->positions)
                        : convk_vmc_positions_f64(NULL, &r->s.vmc, state_f64(r), r->state_size, (double *)r->positions),
             "vmc_positions");
}
static inline double coordinate(const run *r, size_t walker, size_t axis, size_t atom) {
  const size_t i = (3 * walker + axis) * r->s.vmc.system.particles + atom;
  return r->s.mixed ? (double)((const float *)r->positions)[i] : ((const double *)r->positions)[i];
}
static inline convk_vmc_result results(const run *r) {
  convk_vmc_result result;
  require_ok(r->s.mixed ? convk_vmc_results_f32(NULL, state_f32(r), r->state_size, &result)
                        : convk_vmc_results_f64(NULL, state_f64(r), r->state_size, &result),
             "vmc_results");
  return result;
}

static inline size_t walkers_here(const run *r) { return r->s.vmc.part.join ? r->s.vmc.part.walkers : r->s.vmc.walkers; }

static inline void prepare(run *r) {
  const size_t coordinates = 3 * walkers_here(r) * r->s.vmc.system.particles;
  require_ok(r->s.mixed ? convk_vmc_work_size_f32(&r->hw, &r->s.vmc, &r->work_size)
                        : convk_vmc_work_size_f64(&r->hw, &r->s.vmc, &r->work_size),
             "vmc_work_size");
  r->work = memory(r->work_size, 1);
  r->positions = memory(coordinates, r->s.mixed ? sizeof(float) : sizeof(double));
}

static inline void free_run(run *r) {
  free(r->state);
  free(r->work);
  free(r->positions);
  free((void *)(uintptr_t)r->s.vmc.system.potential.values);
  convk_close(&r->hw);
  free(r);
}

/* ---- where the atoms are ---- */

static inline void begin_profile(run *r) {
  const double edge = r->s.vmc.system.box[0], n = (double)r->s.vmc.system.particles;
  memset(&r->p, 0, sizeof r->p);
  r->p.length = 1;
  if (edge > 0) {
    r->p.bins = edge / 2 < 0.1 * BINS ? (uint64_t)(edge / 2 / 0.1) + 1 : (uint64_t)BINS;
    r->p.width = edge / 2 / (double)r->p.bins;
  } else {
    r->p.bins = BINS;
    r->p.width = fmax(0.25, (2 * cbrt(3 * n / (4 * PI * BULK)) + 20) / BINS);
  }
}

/* From fractions to whole numbers. */
static inline void carry(uint64_t squares[2][BLOCKS], size_t k) {
  squares[WHOLE][k] += squares[FRACTION][k] >> 32;
  squares[FRACTION][k] &= UINT64_C(0xffffffff);
}

/* Sums of many processes become one. */
static inline void carry_all(profile *p) {
  size_t k;
  for (k = 0; k < BLOCKS; k++) {
    carry(p->squares, k);
  }
}

/* Blocks 2k and 2k + 1 become block k. */
static inline void merge_blocks(profile *p) {
  size_t kind, k, i;
  for (k = 0; k < BLOCKS; k++) {
    for (kind = 0; kind < 2; kind++) {
      p->squares[kind][k] = k < BLOCKS / 2 ? p->squares[kind][2 * k] + p->squares[kind][2 * k + 1] : 0;
      for (i = 0; i < BINS; i++) {
        p->count[kind][k][i] = k < BLOCKS / 2 ? p->count[kind][2 * k][i] + p->count[kind][2 * k + 1][i] : 0;
      }
    }
  }
  carry_all(p);
  p->blocks = BLOCKS / 2;
  p->length *= 2;
}

/* A walker's squares become a whole number first: sums do not depend on the order of walkers. */
static inline void sample(run *r) {
  const size_t n = r->s.vmc.system.particles, here = walkers_here(r);
  const double edge = r->s.vmc.system.box[0], per_width = 1 / r->p.width;
  uint64_t *atoms, *pairs;
  double *x = (double *)memory(3 * n, sizeof *x);
  size_t w, i, j, d;
  if (r->p.blocks == BLOCKS) {
    merge_blocks(&r->p);
  }
  take_positions(r);
  atoms = r->p.count[ATOMS][r->p.blocks];
  pairs = r->p.count[PAIRS][r->p.blocks];
  for (w = 0; w < here; w++) {
    double squares = 0;
    for (d = 0; d < 3; d++) {
      double centre = 0;
      for (i = 0; i < n; i++) {
        x[d * n + i] = coordinate(r, w, d, i);
        centre += x[d * n + i];
      }
      for (i = 0; i < n; i++) {
        x[d * n + i] -= centre / (double)n;
      }
    }
    for (i = 0; i < n; i++) {
      const double a = x[i], b = x[n + i], c = x[2 * n + i];
      if (edge > 0) {
        for (j = 0; j < i; j++) {
          double u = x[j] - a, v = x[n + j] - b, z = x[2 * n + j] - c, bin;
          u -= edge * rint(u / edge);
          v -= edge * rint(v / edge);
          z -= edge * rint(z / edge);
          bin = sqrt(u * u + v * v + z * z) * per_width;
          if (bin < (double)r->p.bins) {
            pairs[(size_t)bin]++;
          }
        }
      } else {
        const double square = a * a + b * b + c * c, at = sqrt(square) * per_width;
        squares += square;
        if (at < BINS) {
          atoms[(size_t)at]++;
        }
        for (j = 0; j < i; j++) {
          const double u = x[j] - a, v = x[n + j] - b, z = x[2 * n + j] - c, bin = sqrt(u * u + v * v + z * z) * per_width;
          if (bin < BINS) {
            pairs[(size_t)bin]++;
          }
        }
      }
    }
    squares = fmin(squares, 9007199254740992.0); /* of atoms that have flown off */
    r->p.squares[WHOLE][r->p.blocks] += (uint64_t)squares;
    r->p.squares[FRACTION][r->p.blocks] += (uint64_t)((squares - floor(squares)) * 4294967296.0);
    carry(r->p.squares, (size_t)r->p.blocks);
  }
  free(x);
  if (++r->p.in_block == r->p.length) {
    r->p.in_block = 0;
    r->p.blocks++;
  }
}

static inline uint64_t samples(const profile *p) { return p->blocks * p->length + p->in_block; }

/* Mean per sample, and its standard error from the blocks that are full; infinite where these are fewer than 8. */
static inline double block_mean(const profile *p, const double *block, double *error) {
  double sum = 0, square = 0, mean;
  size_t k;
  for (k = 0; k < p->blocks; k++) {
    sum += block[k];
    square += block[k] * block[k];
  }
  mean = sum / (double)p->blocks;
  *error = p->blocks < 8
               ? HUGE_VAL
               : sqrt(fmax(0, square / (double)p->blocks - mean * mean) / (double)(p->blocks - 1)) / (double)p->length;
  if (p->in_block) {
    sum += block[p->blocks];
  }
  return sum / (double)samples(p);
}

/* Atoms per cubic Angstrom at distances of bin i: from the centre, or of others from an atom. */
static inline double density(const run *r, int kind, size_t i, double *error) {
  const double n = (double)r->s.vmc.system.particles, inner = (double)i * r->p.width, outer = inner + r->p.width;
  const double shell = 4 * PI / 3 * (outer * outer * outer - inner * inner * inner) * (double)r->s.vmc.walkers;
  const double scale = (kind == PAIRS ? 2 / n : 1) / shell;
  double block[BLOCKS], mean;
  size_t k;
  for (k = 0; k < BLOCKS; k++) {
    block[k] = (double)r->p.count[kind][k][i];
  }
  mean = block_mean(&r->p, block, error);
  *error *= scale;
  return mean * scale;
}

static inline double rms_radius(const run *r, double *error) {
  const double scale = 1 / ((double)r->s.vmc.walkers * (double)r->s.vmc.system.particles);
  double block[BLOCKS], square;
  size_t k;
  for (k = 0; k < BLOCKS; k++) {
    block[k] = (double)r->p.squares[WHOLE][k] + (double)r->p.squares[FRACTION][k] / 4294967296.0;
  }
  square = block_mean(&r->p, block, error) * scale;
  *error *= scale / (2 * sqrt(square));
  return sqrt(square);
}

/* ---- checkpoints ----
 * A file has a head, which is a header, the setup, the profile, the values of a table and a list of parts, and then the states of
 * these parts, one after another: all as they are in memory. The sum is over the head; a state has its own. */

static const char magic[16] = "helium by convk";

typedef struct header {
  char magic[16];
  uint32_t version, endian;
  uint64_t bytes;                        /* of the file */
  uint64_t setup, profile, table, parts; /* bytes of what comes after the header */
  uint64_t sum;
} header;

/* Walkers whose state is at byte `at`. */
typedef struct part {
  uint64_t at, bytes, first, walkers;
} part;

/* FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo). */
static inline uint64_t checksum(const unsigned char *bytes, size_t size) {
  uint64_t sum = UINT64_C(14695981039346656037);
  size_t i;
  for (i = 0; i < size; i++) {
    sum = (sum ^ bytes[i]) * UINT64_C(1099511628211);
  }
  return sum;
}

/* The head of a file with such parts, to be freed; sets where these are. Returns the bytes of the whole file. */
static inline uint64_t make_head(const run *r, part *list, size_t parts, unsigned char **head, size_t *size) {
  const convk_pair_potential *v = &r->s.vmc.system.potential;
  unsigned char *to;
  uint64_t end;
  convk_pair_potential *p;
  setup s;
  header h;
  size_t k;
  memcpy(&s, &r->s, sizeof s); /* with what lies between its members, but for what was never set */
  p = &s.vmc.system.potential;
  memset(&p->kind + 1, 0, offsetof(convk_pair_potential, epsilon) - sizeof p->kind);
  p->values = NULL;
  memset(&s.vmc.part, 0, sizeof s.vmc.part);
  memset(&h, 0, sizeof h);
  memcpy(h.magic, magic, sizeof magic);
  h.version = CONVK_VERSION;
  h.endian = 0x01020304u;
  h.setup = sizeof s;
  h.profile = sizeof r->p;
  h.table = v->kind == CONVK_POTENTIAL_TABLE ? v->entries * sizeof(double) : 0;
  h.parts = parts * sizeof *list;
  *size = sizeof h + (size_t)(h.setup + h.profile + h.table + h.parts);
  for (k = 0, end = *size; k < parts; end += list[k++].bytes) {
    list[k].at = end;
  }
  h.bytes = end;
  *head = to = (unsigned char *)memory(*size, 1);
  memcpy(to, &h, sizeof h);
  memcpy(to += sizeof h, &s, sizeof s);
  memcpy(to += sizeof s, &r->p, sizeof r->p);
  to += sizeof r->p;
  if (h.table) {
    memcpy(to, v->values, (size_t)h.table);
  }
  memcpy(to + h.table, list, (size_t)h.parts);
  h.sum = checksum(*head, *size);
  memcpy(*head, &h, sizeof h);
  return end;
}

/* A checkpoint is written beside its place and then put there, so that there is always a whole one. To be freed. */
static inline char *beside(const char *path) {
  const size_t length = strlen(path) + 5;
  char *name = (char *)memory(length, 1);
  snprintf(name, length, "%s.new", path);
  return name;
}

static inline void put_there(const char *name, const char *path, int good) {
  if (!good || rename(name, path)) {
    const char *why = strerror(errno);
    remove(name);
    fail(1, path, "cannot be written: %s", why);
  }
}

static inline FILE *open_checkpoint(const char *path) {
  FILE *in = fopen(path, "rb");
  if (!in) {
    fail(1, path, "cannot be read: %s", strerror(errno));
  }
  return in;
}

static inline void read_bytes(FILE *in, const char *path, void *to, size_t bytes) {
  const size_t have = fread(to, 1, bytes, in);
  if (ferror(in)) {
    fail(1, path, "cannot be read: %s", strerror(errno));
  }
  require(have == bytes, path, "is cut off");
}

/* The head of a file, to be freed. */
static inline unsigned char *read_head(FILE *in, const char *path, size_t *size) {
  unsigned char *head;
  struct stat found;
  header h;
  uint64_t sum, length;
  memset(&h, 0, sizeof h);
  *size = fread(&h, 1, sizeof h, in);
  if (ferror(in) || fstat(fileno(in), &found)) {
    fail(1, path, "cannot be read: %s", strerror(errno));
  }
  length = (uint64_t)found.st_size;
  require(*size >= sizeof h.magic && memcmp(h.magic, magic, sizeof magic) == 0, path, "is no checkpoint of helium");
  require(*size == sizeof h, path, "is cut off");
  require(h.version == CONVK_VERSION && h.endian == 0x01020304u && h.setup == sizeof(setup) && h.profile == sizeof(profile),
          path, "is a checkpoint of another version, or of another kind of machine");
  if (length < h.bytes) {
    fail(1, path, "is cut off: it has %llu of %llu bytes", (unsigned long long)length, (unsigned long long)h.bytes);
  }
  require(length == h.bytes, path, "is damaged: it is longer than it says");
  require(h.table <= length && h.parts <= length && sizeof h + h.setup + h.profile + h.table + h.parts <= length, path,
          "is damaged: its header makes no sense");
  *size = sizeof h + (size_t)(h.setup + h.profile + h.table + h.parts);
  head = (unsigned char *)memory(*size, 1);
  sum = h.sum;
  h.sum = 0;
  memcpy(head, &h, sizeof h);
  read_bytes(in, path, head + sizeof h, *size - sizeof h);
  require(checksum(head, *size) == sum, path, "is damaged: its checksum is wrong");
  return head;
}

/* Setup, profile and table of a run from the head of a file; returns the list of its parts, to be freed. A sum that is right is no
 * promise: what sizes depend on is looked at. */
static inline part *take_head(run *r, const unsigned char *head, size_t size, const char *path, size_t *parts) {
  const unsigned char *from = head + sizeof(header);
  uint64_t at = size, walkers = 0;
  part *list;
  header h;
  size_t k;
  memcpy(&h, head, sizeof h);
  memcpy(&r->s, from, sizeof r->s);
  from += sizeof r->s;
  memcpy(&r->p, from, sizeof r->p);
  from += sizeof r->p;
  memset(&r->s.vmc.part, 0, sizeof r->s.vmc.part);
  require(r->p.blocks <= BLOCKS && r->p.bins <= BINS && r->p.bins && r->p.length && r->p.in_block < r->p.length &&
              r->p.width > 0 && (r->s.mixed == 0 || r->s.mixed == 1) && memchr(r->s.potential, 0, sizeof r->s.potential) &&
              h.table == (r->s.vmc.system.potential.kind == CONVK_POTENTIAL_TABLE
                              ? r->s.vmc.system.potential.entries * sizeof(double)
                              : 0) &&
              h.parts && h.parts % sizeof *list == 0,
          path, "is damaged");
  r->s.vmc.system.potential.values = NULL;
  if (h.table) {
    double *values = (double *)memory((size_t)h.table, 1);
    memcpy(values, from, (size_t)h.table);
    r->s.vmc.system.potential.values = values;
    from += h.table;
  }
  *parts = (size_t)h.parts / sizeof *list;
  list = (part *)memory(*parts, sizeof *list);
  memcpy(list, from, (size_t)h.parts);
  for (k = 0; k < *parts; k++) {
    require(list[k].at == at && list[k].bytes <= h.bytes - at && list[k].first == walkers && list[k].walkers &&
                list[k].walkers <= r->s.vmc.walkers - walkers,
            path, "is damaged: its parts do not fit");
    at += list[k].bytes;
    walkers += list[k].walkers;
  }
  require(at == h.bytes && walkers == r->s.vmc.walkers, path, "is damaged: its parts do not fit");
  return list;
}

/* Memory for the state of the walkers that are here. */
static inline void make_room(run *r) {
  r->state_size = state_size(&r->s);
  r->state = memory(r->state_size, 1);
}

/* What there is in a part of a file for the walkers that are here: a status. */
static inline int take_part(run *r, const void *from, size_t bytes, size_t *taken) {
  return r->s.mixed
             ? convk_vmc_take_f32(NULL, &r->s.vmc, state_f32(r), r->state_size, (const convk_vmc_state_f32 *)from, bytes, taken)
             : convk_vmc_take_f64(NULL, &r->s.vmc, state_f64(r), r->state_size, (const convk_vmc_state_f64 *)from, bytes,
                                  taken);
}

/* ---- the system ---- */

/* Lines "r V" at equal steps; # begins a remark. */
static inline convk_pair_potential read_table(const char *path) {
  FILE *in = fopen(path, "r");
  double *r = NULL, *v = NULL, step;
  size_t n = 0, most = 0, k;
  unsigned long number = 0;
  char line[512];
  if (!in) {
    fail(2, "--potential", "%s: %s", path, strerror(errno));
  }
  while (fgets(line, sizeof line, in)) {
    char *at = line, *end;
    number++;
    if (!strchr(line, '\n') && !feof(in)) {
      fail(2, "--potential", "%s, line %lu: too long", path, number);
    }
    line[strcspn(line, "#\r\n")] = 0;
    if (line[strspn(line, " \t")] == 0) {
      continue;
    }
    if (n == most) {
      most = most ? 2 * most : 1024;
      r = (double *)realloc(r, most * sizeof *r);
      v = (double *)realloc(v, most * sizeof *v);
      require(r && v, path, convk_strerror(CONVK_ERR_MEMORY));
    }
    r[n] = strtod(at, &end);
    v[n] = end == at ? 0 : strtod(at = end, &end);
    if (end == at || end[strspn(end, " \t")] || !(fabs(r[n]) < HUGE_VAL) || !(fabs(v[n]) < HUGE_VAL)) {
      fail(2, "--potential", "%s, line %lu: two numbers are wanted, r and V", path, number);
    }
    n++;
  }
  if (ferror(in)) {
    fail(2, "--potential", "%s: %s", path, strerror(errno));
  }
  fclose(in);
  if (n < 4) {
    fail(2, "--potential", "%s: a table has 4 or more lines", path);
  }
  step = (r[n - 1] - r[0]) / (double)(n - 1);
  for (k = 0; k < n; k++) {
    if (!(step > 0) || !(fabs(r[k] - (r[0] + (double)k * step)) < 1e-3 * step)) {
      fail(2, "--potential", "%s: distances must grow in equal steps, and entry %lu does not fit", path, (unsigned long)k + 1);
    }
  }
  {
    const convk_pair_potential p = convk_pair_table(r[0], step, n, v);
    free(r);
    return p;
  }
}

static inline convk_pair_potential find_potential(const char *name, char called[28]) {
  const char *slash = strrchr(name, '/');
  snprintf(called, 28, "%s", slash ? slash + 1 : name);
  return strcmp(name, "hfdhe2") == 0  ? convk_pair_hfdhe2()
         : strcmp(name, "hfdb") == 0  ? convk_pair_hfdb()
         : strcmp(name, "lm2m2") == 0 ? convk_pair_lm2m2()
         : strcmp(name, "lj") == 0    ? convk_pair_lennard_jones(10.22, 2.556)
                                      : read_table(name);
}

/* Near the lowest energy of HFD-B(HE): N = 3 by quadrature, 4 to 112 by reweighting samples of p5 = 125, 300 and 1000 the best of
 * a few; others of helium's potentials want nearly the same. A pair function is largest at r = -p0 / p1, which for large
 * clusters is about their radius. In between and beyond, p0 and ln p1 are linear in ln N. */
static inline convk_pair_trial default_trial(size_t n) {
  static const double known[][4] = {/* N, p5, p0, p1 */
                                    {2, 119, 1, 0.0118},      {3, 129, 0.52, 0.0695},   {4, 125, 0.33, 0.083},
                                    {8, 125, 0.17, 0.065},    {20, 125, 0.09, 0.03},    {40, 125, -0.02, 0.023},
                                    {70, 125, -0.13, 0.024},  {112, 125, -0.25, 0.028}, {300, 125, -0.29, 0.02},
                                    {1000, 125, -0.29, 0.013}};
  const size_t last = sizeof known / sizeof known[0] - 1;
  convk_pair_trial t;
  double at;
  size_t k = 0;
  while (k < last - 1 && (double)n > known[k + 1][0]) {
    k++;
  }
  at = log(fmax(2, (double)n) / known[k][0]) / log(known[k + 1][0] / known[k][0]);
  t.p5 = known[k][1] + fmin(1, at) * (known[k + 1][1] - known[k][1]);
  t.p2 = 0;
  t.p0 = known[k][2] + fmin(1, at) * (known[k + 1][2] - known[k][2]);
  t.p1 = known[k][3] * pow(known[k + 1][3] / known[k][3], at);
  return t;
}

/* What a minimiser begins with: McMillan's core of 1965, and that the atoms stay together. */
static inline convk_pair_trial plain_trial(size_t n) {
  convk_pair_trial t;
  t.p5 = pow(2.6, 5);
  t.p2 = 0;
  t.p0 = 0.1;
  t.p1 = 0.3 * cbrt((double)n / 3) / fmax(1, (double)n - 1);
  return t;
}

/* Per atom, for pairs beyond half the edge of the box, where g = 1: 2 pi rho times the integral of V r^2, and of the kinetic energy
 * by Laplacians, whose integral is that of (r^2 u')'. Terms of longer range than p2 have none. */
static inline void tail(const run *r, double *potential, double *kinetic) {
  enum { STEPS = 2000 };
  const convk_pair_trial *t = &r->s.vmc.system.trial;
  const double cut = r->s.vmc.system.box[0] / 2, rho = r->s.density;
  double at[STEPS], v[STEPS];
  int k;
  for (k = 0; k < STEPS; k++) { /* equal steps in 1 / r */
    at[k] = cut * STEPS / (k + 0.5);
  }
  require_ok(convk_pair_potential_f64_scalar(NULL, &r->s.vmc.system.potential, STEPS, at, v), "pair_potential");
  for (*potential = 0, k = 0; k < STEPS; k++) {
    *potential += 2 * PI * rho * v[k] * pow(at[k], 4) / cut / STEPS;
  }
  *kinetic = 2 * PI * rho * HBAR2_2M * cut * cut * (5 * t->p5 / pow(cut, 6) + 2 * t->p2 / pow(cut, 3));
}

static inline void print_trial(const char *name, const convk_pair_trial *t) {
  say("%-14sp5 %.5g, p2 %.5g, p0 %.5g, p1 %.5g\n", name, t->p5, t->p2, t->p0, t->p1);
}

/* Two digits of the error. */
static inline void quantity(const char *name, double mean, double error, const char *what) {
  if (error < HUGE_VAL) {
    const double digits = error > 0 ? 1 - floor(log10(error) + 0.002) : 9;
    const int places = digits > 0 ? digits < 12 ? (int)digits : 12 : 0;
    printf("%-14s%.*f +- %.*f %s\n", name, places, mean, places, error, what);
  } else {
    printf("%-14s%.6g %s (too few sweeps for an error bar)\n", name, mean, what);
  }
}

/* ---- the picture, the table and the atoms ---- */

enum { SIDE = 460 }; /* of the picture, in pixels */

static inline void blend(picture_image *image, ptrdiff_t x, ptrdiff_t y, const double rgb[3], double cover) {
  unsigned char *pixel;
  size_t c;
  if (x < 0 || y < 0 || (size_t)x >= image->width || (size_t)y >= image->height || !(cover > 0)) {
    return;
  }
  pixel = image->rgb + 3 * ((size_t)y * image->width + (size_t)x);
  cover = fmin(cover, 1);
  for (c = 0; c < 3; c++) {
    pixel[c] = (unsigned char)(pixel[c] + cover * (rgb[c] - pixel[c]) + 0.5);
  }
}

typedef struct atom {
  double x, y, z;
} atom;

static inline int by_depth(const void *a, const void *b) {
  const double left = ((const atom *)a)->z, right = ((const atom *)b)->z;
  return left < right ? -1 : left > right;
}

/* The atoms of one walker about its centre, the hindmost first. */
static inline atom *one_walker(const run *r) {
  const size_t n = r->s.vmc.system.particles;
  const double edge = r->s.vmc.system.box[0];
  atom *a = (atom *)memory(n, sizeof *a);
  double centre[3] = {0, 0, 0}, at[3];
  size_t i, d;
  for (d = 0; d < 3; d++) {
    for (i = 0; i < n; i++) {
      centre[d] += edge > 0 ? edge / 2 / (double)n : coordinate(r, 0, d, i) / (double)n;
    }
  }
  for (i = 0; i < n; i++) {
    for (d = 0; d < 3; d++) {
      at[d] = coordinate(r, 0, d, i);
      at[d] -= edge > 0 ? edge * floor(at[d] / edge) : 0;
      at[d] -= centre[d];
    }
    a[i].x = at[0];
    a[i].y = at[1];
    a[i].z = at[2];
  }
  qsort(a, n, sizeof *a, by_depth);
  return a;
}

/* Balls of the size of an atom, lit from the upper left, paler with the distance. */
static inline void draw(size_t n, const atom *a, const char *path) {
  const double radius = 1.28, light[3] = {-0.40, -0.56, 0.725};
  double reach = radius, scale, deep;
  picture_image image;
  size_t i, d;
  require(!picture_open(&image, SIDE, SIDE), path, "the picture does not fit in memory");
  for (i = 0; i < n; i++) {
    reach = fmax(reach, fmax(fmax(fabs(a[i].x), fabs(a[i].y)), fabs(a[i].z)) + 1.1 * radius);
  }
  reach *= 1.03;
  scale = SIDE / (2 * reach);
  deep = fmax(a[n - 1].z - a[0].z, 1.5 * reach);
  for (i = 0; i < n; i++) {
    const double far = 0.72 * (a[n - 1].z - a[i].z) / deep, size = radius * scale;
    const double x = SIDE / 2. + a[i].x * scale, y = SIDE / 2. - a[i].y * scale;
    ptrdiff_t px, py;
    for (py = (ptrdiff_t)floor(y - size - 1); py <= (ptrdiff_t)(y + size + 1); py++) {
      for (px = (ptrdiff_t)floor(x - size - 1); px <= (ptrdiff_t)(x + size + 1); px++) {
        const double u = ((double)px + 0.5 - x) / size, v = ((double)py + 0.5 - y) / size, away = sqrt(u * u + v * v);
        const double up = sqrt(fmax(0, 1 - away * away)), lit = fmax(0, u * light[0] + v * light[1] + up * light[2]);
        const double shine = pow(lit, 24), dark = 0.34 + 0.66 * lit - 0.25 * pow(fmin(away, 1), 6);
        double rgb[3];
        if ((away - 1) * size > 0.5) {
          continue;
        }
        for (d = 0; d < 3; d++) {
          static const double base[3] = {72, 142, 208};
          const double colour = fmin(255, base[d] * dark * 1.08 + 190 * shine);
          rgb[d] = colour + far * (246 - colour);
        }
        blend(&image, px, py, rgb, 0.5 - (away - 1) * size);
      }
    }
  }
  require_written(!picture_write(&image, path), path);
  picture_close(&image);
  printf("%-14s%s, one walker\n", "picture:", path);
}

/* The same walker as an XYZ file, which programs that show molecules read. */
static inline void write_atoms(const run *r, const atom *a, const char *path) {
  const double edge = r->s.vmc.system.box[0];
  const size_t n = r->s.vmc.system.particles;
  FILE *out = fopen(path, "w");
  size_t i;
  int bad;
  if (!out) {
    fail(1, path, "cannot be written: %s", strerror(errno));
  }
  fprintf(out, "%lu\n", (unsigned long)n);
  if (edge > 0) {
    fprintf(out, "Lattice=\"%.6f 0 0 0 %.6f 0 0 0 %.6f\" ", edge, edge, edge);
  }
  fputs("Properties=species:S:1:pos:R:3\n", out);
  for (i = 0; i < n; i++) {
    fprintf(out, "He %.4f %.4f %.4f\n", a[i].x, a[i].y, a[i].z);
  }
  bad = ferror(out);
  require_written(fclose(out) == 0 && !bad, path);
  printf("%-14s%s, one walker\n", "atoms:", path);
}

/* Where all but a thousandth of the counts lie below, in bins. */
static inline size_t reach(const profile *p, int kind) {
  uint64_t all = 0, sum = 0;
  size_t i, k;
  for (i = 0; i < p->bins; i++) {
    for (k = 0; k < BLOCKS; k++) {
      all += p->count[kind][k][i];
    }
  }
  for (i = 0; i < p->bins && sum < all - all / 1000; i++) {
    for (k = 0; k < BLOCKS; k++) {
      sum += p->count[kind][k][i];
    }
  }
  return i;
}

/* Densities by the distance: in a box of pairs, elsewhere of atoms from the centre and of the others from an atom. */
static inline void write_table(const run *r, const convk_vmc_result *result, double energy, const char *path) {
  const size_t atoms = r->s.density > 0 ? (size_t)r->p.bins : reach(&r->p, ATOMS), pairs = reach(&r->p, PAIRS);
  const size_t end = atoms < pairs ? pairs : atoms;
  const data_file d = data_open(path, "helium");
  double row[5], error;
  size_t i;
  data_note(&d, "atoms", "%lu", (unsigned long)r->s.vmc.system.particles);
  data_note(&d, "potential", "%s", r->s.potential);
  data_note(&d, "density of the liquid", "%g A^-3", r->s.density > 0 ? r->s.density : BULK);
  data_note(&d, "energy per atom", "%.6g K", energy);
  if (result->energy.error < HUGE_VAL) {
    data_note(&d, "error of it", "%.2g K", result->energy.error / (double)r->s.vmc.system.particles);
  }
  if (r->s.density > 0) {
    data_block(&d, "pairs", "r [A], g [1], error of g [1]");
  } else {
    data_note(&d, "radius", "%.5g A", rms_radius(r, &error));
    data_block(&d, "densities", "r [A], atoms [A^-3], error of atoms [A^-3], pairs [A^-3], error of pairs [A^-3]");
  }
  for (i = 0; i < end; i++) {
    row[0] = ((double)i + 0.5) * r->p.width;
    if (r->s.density > 0) {
      row[1] = density(r, PAIRS, i, &row[2]) / r->s.density;
      row[2] /= r->s.density;
    } else {
      row[1] = density(r, ATOMS, i, &row[2]);
      row[3] = density(r, PAIRS, i, &row[4]);
    }
    data_row(&d, r->s.density > 0 ? 3 : 5, row);
  }
  data_close(&d, "table:");
}

/* ---- what is asked for ---- */

typedef struct wishes {
  const char *atoms, *potential, *trial, *box, *walkers, *sweeps, *equilibrate, *seed, *moves, *precision, *time, *checkpoint,
      *every, *resume, *output, *hw, *threads, *json, *simulate; /* the last two where there are many processes */
  int minimise, drift;
} wishes;

static inline wishes read_wishes(int argc, char **argv) {
  wishes w;
  const option options[] = {
      {"--potential", &w.potential, NULL, "P",
       "hfdhe2, hfdb (otherwise), lm2m2, lj, or a file of lines \"r V\" at equal steps, in Angstrom and K"},
      {"--trial", &w.trial, NULL, "A,B,C,D", "ln Psi = sum over pairs of -A/r^5 - B/r^2 - C ln r - D r"},
      {"--box", &w.box, NULL, "DENSITY", "the periodic liquid, in atoms per cubic Angstrom"},
      {"--minimise", NULL, &w.minimise, NULL, "first finds better parameters of the trial function"},
      {"--walkers", &w.walkers, NULL, "W", "copies of the system that walk at once"},
      {"--sweeps", &w.sweeps, NULL, "M", "sweeps that count"},
      {"--equilibrate", &w.equilibrate, NULL, "M", "sweeps before them"},
      {"--seed", &w.seed, NULL, "S", "of the random numbers"},
      {"--moves", &w.moves, NULL, "HOW", "single or all"},
      {"--drift", NULL, &w.drift, NULL, "moves follow the quantum force"},
      {"--precision", &w.precision, NULL, "P", "f64, or mixed: pair terms in f32"},
      {"--time", &w.time, NULL, "SECONDS", "stops after so long"},
      {"--checkpoint", &w.checkpoint, NULL, "FILE", "where the run can go on from"},
      {"--every", &w.every, NULL, "SECONDS", "between two of them; 60"},
      {"--resume", &w.resume, NULL, "FILE", "goes on to the same bits"},
      {"--output", &w.output, NULL, "PREFIX", "of the picture, the table and the atoms"},
      HARDWARE_OPTION(w.hw),
      THREADS_OPTION(w.threads),
      MORE_OPTIONS(w) END_OF_OPTIONS};
  memset(&w, 0, sizeof w);
  w.output = "helium";
  read_options(argc, argv, options, &w.atoms, USAGE, NULL);
  if (!w.atoms && !w.resume) {
    fail(2, "usage", "%s", USAGE);
  }
  return w;
}

static inline convk_pair_trial read_trial(const char *text) {
  double p[4];
  const char *at = text;
  convk_pair_trial t;
  int k;
  for (k = 0; k < 4; k++) {
    char *end;
    p[k] = strtod(at, &end);
    if (end == at || *end != (k < 3 ? ',' : 0) || !(fabs(p[k]) < HUGE_VAL)) {
      fail(2, "--trial", "%s: four numbers P5,P2,P0,P1 are wanted", text);
    }
    at = end + 1;
  }
  t.p5 = p[0];
  t.p2 = p[1];
  t.p0 = p[2];
  t.p1 = p[3];
  return t;
}

/* What a new run is of. */
static inline void set_up(run *r, const wishes *o) {
  convk_vmc *v = &r->s.vmc;
  const uint64_t n = whole(o->atoms, "N", 2, 1000000);
  double work;
  v->system.particles = (size_t)n;
  v->system.potential = find_potential(o->potential ? o->potential : "hfdb", r->s.potential);
  v->system.hbar2_2m = HBAR2_2M;
  if (o->box) {
    r->s.density = number(o->box, "--box", 1e-6, 0.1);
    v->system.box[0] = v->system.box[1] = v->system.box[2] = cbrt((double)n / r->s.density);
  }
  v->system.trial = o->trial ? read_trial(o->trial) : o->minimise || o->box ? plain_trial((size_t)n) : default_trial((size_t)n);
  if (o->box && !o->trial) {
    v->system.trial.p0 = v->system.trial.p1 = 0;
  }
  v->walkers = (size_t)(o->walkers ? whole(o->walkers, "--walkers", 1, 1000000) : n <= 128 ? 64 : 16);
  v->seed = o->seed ? whole(o->seed, "--seed", 0, UINT64_MAX) : 1;
  v->moves = o->moves && word(o->moves, "--moves", "single", "all") ? CONVK_VMC_MOVE_ALL : CONVK_VMC_MOVE_SINGLE;
  v->drift = o->drift;
  r->s.mixed = o->precision && word(o->precision, "--precision", "f64", "mixed");
  /* some seconds, or as long as told */
  work = (double)n * (double)n * (double)v->walkers;
  r->s.sweeps = o->sweeps ? whole(o->sweeps, "--sweeps", 1, MOST_SWEEPS)
                : o->time ? MOST_SWEEPS
                          : (uint64_t)fmax(500, fmin(20000, 2e9 / fmax(work, 1)));
  v->equilibration = (size_t)(o->equilibrate ? whole(o->equilibrate, "--equilibrate", 0, UINT64_C(1000000000))
                                             : (uint64_t)fmax(20, fmin(64, 1.2e7 / fmax(work, 1))) * EVERY);
}

/* A new run, but for its hardware. */
static inline void set_out(run *r) {
  int status;
  make_room(r);
  status = begin(r, NULL);
  if (status) { /* what the library says about parameters that it does not take */
    fail(2, "these options", "%s", convk_strerror(status));
  }
  begin_profile(r);
}

static inline void resume(run *r, const wishes *o) {
  if (o->potential || o->trial || o->box || o->walkers || o->equilibrate || o->seed || o->moves || o->precision ||
      o->minimise || o->drift) {
    fail(2, "--resume",
         "the checkpoint says what to run; only --sweeps, --time, --checkpoint, --every, --output, --hw and --threads go with "
         "it");
  }
  load(r, o->resume);
  if (o->atoms && whole(o->atoms, "N", 2, 1000000) != r->s.vmc.system.particles) {
    fail(2, "--resume", "the checkpoint is of %lu atoms", (unsigned long)r->s.vmc.system.particles);
  }
  if (o->sweeps || o->time) {
    r->s.sweeps = o->sweeps ? whole(o->sweeps, "--sweeps", 1, MOST_SWEEPS) : MOST_SWEEPS;
  }
}

/* ---- what is done ---- */

/* One line per iteration: the parameters that it sampled, and what it found. In a box, where the slope of ln Psi jumps, the
 * energy of the wave function is that of gradients. */
static inline int watch(void *ctx, size_t iteration, const convk_vmc *vmc, const convk_vmc_result *result) {
  const convk_pair_trial *t = &vmc->system.trial;
  const double n = (double)vmc->system.particles;
  (void)ctx;
  say("%9lu     %-9.5g %-10.4g %-10.4g %-11.5g ", (unsigned long)iteration + 1, t->p5, t->p2, t->p0, t->p1);
  if (vmc->system.box[0] > 0) {
    say("%.3f\n", (result->potential.mean + result->kinetic_gradient.mean) / n);
  } else if (result->energy.error < HUGE_VAL) {
    say("%.5f +- %.5f\n", result->energy.mean / n, result->energy.error / n);
  } else {
    say("%.4f\n", result->energy.mean / n);
  }
  fflush(stdout);
  return enough();
}

/* Better parameters, of those that are not 0. */
static inline void minimise(run *r) {
  const uint64_t seed = r->s.vmc.seed;
  convk_pair_trial *t = &r->s.vmc.system.trial;
  convk_vmc_result result;
  convk_vmc_minimise_options m;
  int status;
  r->s.vmc.seed ^= UINT64_C(0x9E3779B97F4A7C15); /* other random numbers than those of the run that judges them */
  require_ok(begin(r, NULL), "vmc_begin");
  say("iteration     p5        p2         p0         p1          energy/K\n");
  memset(&m, 0, sizeof m);
  m.sweeps = (size_t)fmax(100, fmin(500, (double)r->s.sweeps / 8));
  m.final_sweeps = 1; /* the run itself gives the result */
  m.fixed[0] = !(fabs(t->p5) > 0);
  m.fixed[1] = !(fabs(t->p2) > 0);
  m.fixed[2] = !(fabs(t->p0) > 0);
  m.fixed[3] = !(fabs(t->p1) > 0);
  m.look = watch;
  status = r->s.mixed
               ? convk_vmc_minimise_f32(&r->hw, &r->s.vmc, &m, state_f32(r), r->state_size, &result, r->work, r->work_size)
               : convk_vmc_minimise_f64(&r->hw, &r->s.vmc, &m, state_f64(r), r->state_size, &result, r->work, r->work_size);
  require(status != CONVK_ERR_RANGE, "--minimise", "this trial function does not hold the atoms together");
  require_ok(status, "vmc_minimise");
  take_positions(r);
  print_trial("after:", t);
  say("%-14s--trial %.6g,%.6g,%.6g,%.6g\n", "", t->p5, t->p2, t->p0, t->p1);
  r->s.vmc.seed = seed;
  require_ok(begin(r, r->positions), "vmc_begin");
}

/* What is to be done; after the line "hardware". */
static inline void introduce(run *r, int minimised) {
  const convk_vmc *v = &r->s.vmc;
  say("%-14s%lu atoms, potential %s, hbar^2/2m %g K A^2", "system:", (unsigned long)v->system.particles, r->s.potential,
      HBAR2_2M);
  if (r->s.density > 0) {
    say(", box of %.4f A, %g atoms per cubic A", v->system.box[0], r->s.density);
  }
  say("\n%-14s%lu, seed %llu, moves of %s%s, %s\n", "walkers:", (unsigned long)v->walkers, (unsigned long long)v->seed,
      v->moves == CONVK_VMC_MOVE_ALL ? "all atoms" : "single atoms", v->drift ? " that follow the force" : "",
      r->s.mixed ? "pair terms in f32" : "f64");
  if (minimised) {
    minimise(r);
  } else {
    print_trial("trial:", &v->system.trial);
  }
  if (r->s.sweeps < MOST_SWEEPS) {
    say("%-14s%llu, after %lu of equilibration\n", "sweeps:", (unsigned long long)r->s.sweeps, (unsigned long)v->equilibration);
  } else {
    say("%-14s%lu of equilibration, then for as long as there is time\n", "sweeps:", (unsigned long)v->equilibration);
  }
}

/* The loop of sweeps: how far it is, and in what steps it goes. */
typedef struct course {
  uint64_t first, total, start, done; /* sweeps: the first that counts, all, those before this program, those that are done */
  uint64_t batch;                     /* as many until somebody looks at the clock */
  double begun, now, limit, pairs;    /* seconds, and pairs before this program */
} course;

static inline course set_course(const run *r, double limit) {
  const convk_vmc_result before = results(r);
  course c;
  c.first = r->s.vmc.equilibration;
  c.total = c.first + r->s.sweeps;
  c.start = c.done = before.sweeps;
  c.pairs = before.pairs;
  c.batch = 1;
  c.begun = c.now = seconds();
  c.limit = limit;
  return c;
}

/* Some sweeps, with a profile after every EVERY that count. */
static inline void advance(run *r, course *c, uint64_t sweeps) {
  const uint64_t end = c->total - c->done < sweeps ? c->total : c->done + sweeps;
  while (c->done < end) {
    const uint64_t next = c->done < c->first ? c->first + EVERY : c->done + EVERY - (c->done - c->first) % EVERY;
    const size_t some = (size_t)((next < end ? next : end) - c->done);
    require_ok(r->s.mixed ? convk_vmc_run_f32(&r->hw, &r->s.vmc, some, state_f32(r), r->state_size, r->work, r->work_size)
                          : convk_vmc_run_f64(&r->hw, &r->s.vmc, some, state_f64(r), r->state_size, r->work, r->work_size),
               "vmc_run");
    c->done += some;
    if (c->done == next) {
      sample(r);
    }
  }
}

/* Batches of about a tenth of a second: often enough for somebody who waits, and no more messages than that. */
static inline void look_at_clock(course *c) {
  const double then = c->now;
  c->now = seconds();
  if (c->now - then < 0.05 && c->batch < MOST_SWEEPS / 2) {
    c->batch *= 2;
  } else if (c->now - then > 0.2 && c->batch > 1) {
    c->batch /= 2;
  }
}

static inline void say_end(const run *r, const course *c, int stopped) {
  const double elapsed = c->now - c->begun;
  if (c->done < c->total) {
    say("%-14safter sweep %llu, %s\n", "stopped:", (unsigned long long)c->done,
        stopped ? "by a signal" : "when its time was over");
  }
  say("%-14s%.3g s, %.4g M pairs/s\n", "time:", elapsed, 1e-6 * (results(r).pairs - c->pairs) / fmax(elapsed, 1e-9));
}

/* Where the run is, on one line of a terminal, over and over. */
static inline void progress(const run *r, const course *c, const char *end) {
  const convk_vmc_result result = results(r);
  const double elapsed = c->now - c->begun;
  const double n = (double)r->s.vmc.system.particles;
  const double sweeps = (double)(c->total - c->done), done = (double)(c->done - c->start);
  const double left = fmax(0, fmin(elapsed * sweeps / fmax(1, done), c->limit - elapsed));
  fprintf(stderr, "%3.0f%%, sweep %llu", 100 * elapsed / (elapsed + left), (unsigned long long)result.sweeps);
  if (!result.measurements) {
    fprintf(stderr, ", equilibration");
  } else if (result.energy.error < HUGE_VAL) {
    fprintf(stderr, ", E/N = %.5f +- %.5f K", result.energy.mean / n, result.energy.error / n);
  } else {
    fprintf(stderr, ", E/N = %.4f K", result.energy.mean / n);
  }
  fprintf(stderr, ", %.3g M pairs/s, %.0f s left%s", 1e-6 * (result.pairs - c->pairs) / elapsed, left, end);
  fflush(stderr);
}

static inline void report(run *r, const char *prefix) {
  const convk_vmc_result result = results(r);
  const double n = (double)r->s.vmc.system.particles, infinite = HUGE_VAL;
  const convk_vmc_estimate e = result.energy;
  const size_t length = strlen(prefix) + 5;
  atom *walker;
  char *path;
  double energy = e.mean / n, error;
  if (!result.measurements) {
    printf("%-14snone: the run ended before its equilibration did\n", "energy:");
    return;
  }
  quantity("energy:", energy, e.error / n, "K per atom");
  quantity("potential:", result.potential.mean / n, result.potential.error / n, "K per atom");
  quantity("kinetic:", result.kinetic.mean / n, result.kinetic.error / n, "K per atom");
  quantity("  gradients:", result.kinetic_gradient.mean / n, result.kinetic_gradient.error / n,
           r->s.density > 0 ? "K per atom" : "K per atom, another estimator of the same mean");
  quantity("  Laplacians:", result.kinetic_laplacian.mean / n, result.kinetic_laplacian.error / n,
           r->s.density > 0 ? "K per atom" : "K per atom, and another");
  if (r->s.density > 0) {
    double potential, kinetic;
    tail(r, &potential, &kinetic);
    printf("%-14spotential %.5f, kinetic by Laplacians %.5f K per atom, from pairs beyond half the box\n", "tail:", potential,
           kinetic);
    energy += potential + 2 * kinetic; /* the local kinetic energy has twice that of Laplacians, less that of gradients */
    quantity("with tail:", energy, e.error / n, "K per atom");
  }
  printf("%-14s%.4g K^2 of a walker's energy\n", "variance:", e.variance);
  if (e.error < infinite) {
    printf("%-14s%.3g sweeps (autocorrelation of the energy), errors from blocks of %.0f\n", "correlation:", e.autocorrelation,
           e.block);
  }
  printf("%-14s%.2f %% of moves, step %.4g A\n", "accepted:", 100 * result.acceptance, result.step);
  printf("%-14s%.2g of ln Psi, followed and anew\n", "drift:", result.drift);
  if (!samples(&r->p)) {
    printf("%-14snone: it is taken every %d sweeps\n", "profile:", EVERY);
    return;
  }
  if (!(r->s.density > 0)) {
    const double radius = rms_radius(r, &error);
    quantity("radius:", radius, error, "A, root of the mean square");
  }
  path = (char *)memory(length, 1);
  snprintf(path, length, "%s.txt", prefix);
  write_table(r, &result, energy, path);
  take_positions(r);
  walker = one_walker(r);
  snprintf(path, length, "%s.xyz", prefix);
  write_atoms(r, walker, path);
  snprintf(path, length, "%s%s", prefix, PICTURE_SUFFIX);
  draw(r->s.vmc.system.particles, walker, path);
  free(walker);
  free(path);
}

/* The table's place, without leaving anything new there. */
static inline void probe(const char *prefix) {
  const size_t length = strlen(prefix) + 5;
  char *path = (char *)memory(length, 1);
  FILE *out;
  int made;
  snprintf(path, length, "%s.txt", prefix);
  made = access(path, F_OK) != 0;
  out = fopen(path, "a");
  if (!out) {
    fail(1, path, "cannot be written: %s", strerror(errno));
  }
  fclose(out);
  if (made) {
    remove(path);
  }
  free(path);
}

#endif
