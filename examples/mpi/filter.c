/* Orbitals of a wavelet code on many processes: the magic filter, a local potential, or a smoothing filter, on a periodic grid.
 *   mpirun -n RANKS filter [--operation magic|potential|smooth] [--by grid|orbitals] [--n NX[xNYxNZ] | --block N]
 *                          [--orbitals M] [--repeat K] [--type f32|f64] [--hw NAME] [--threads N] [--check] [--json FILE]
 *                          [--progress]
 *   --operation magic      from coefficients of scaling functions to values, 16 taps along each axis: 8 points of one side
 *                          and 7 of the other
 *   --operation potential  out = IMF(V MF(psi)), to values, times V, and back; with the energy <psi|V|psi> of each orbital
 *   --operation smooth     29 taps, 14 points of both sides: any separable filter goes this way
 *   --by grid      each orbital is cut into blocks along y and z, one per rank, with copies of its neighbours' points around
 *                  it, its halo, as wide as the filter reaches. An axis that is cut shrinks by its halo in the library's call.
 *   --by orbitals  each rank has whole orbitals: there is nothing to exchange but energies.
 * --n is the whole grid and --orbitals all orbitals; --block N: more ranks, more work. By grid each rank has blocks of N^3
 * points of all orbitals, by orbitals it has M orbitals of N^3 points.
 * On a device (--hw cuda or opencl) orbitals stay there from the first time to the last, and only halos travel: packed by a kernel,
 * one message for each neighbour, see device.h. Energies by grid, whose rows are added up on the host, are made once at the end.
 * The result has the same bits for all numbers of ranks and both distributions, and the energy for all numbers of ranks;
 * --check lets rank 0 compute everything again, alone. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for the processors of a rank */
#endif

#define CONVK_WITH_SEPCONV
#define CONVK_WITH_STENCIL /* for boxes of grids on devices */
#define CONVK_SIMD
#include "convk.h"

#define PROGRAM "filter"
#include "ranks.h"
#include "bits.h"
#include "device.h"

#include <math.h>

#define USAGE "filter [OPTION...]; filter --help lists them"
#define PI 3.14159265358979323846
#define SMOOTH 14 /* how far the smoothing filter reaches */
#define MAX_ORBITALS 4096

enum { X, Y, Z, AXES, LOW = 0, HIGH, SIDES };
enum { MAGIC, POTENTIAL, SMOOTHING };
enum { GRID, ORBITALS };
static const char *const operations[] = {"magic", "potential", "smooth"};

/* A filter, the same along all axes. */
typedef struct stage {
  int lo, up;
  const float *taps32;
  const double *taps64;
} stage;

/* How an array holds a rank's points, with a halo along the axes that are cut. */
typedef struct layout {
  convk_grid3 grid; /* with the halo */
  size_t around[AXES][SIDES], elements;
  MPI_Datatype send[3][3],
      receive[3][3]; /* to and from the neighbour one block further along y and z: [1][1] is the rank itself */
} layout;

/* What a device has, where there is one. Messages: of the orbital that comes, and of the two between its filters. */
typedef struct orbitals_there {
  device on;
  device_array *psi, *out, between[2], potential, energies, work;
  device_message sent[3][3][3], received[3][3][3];
} orbitals_there;

typedef struct set_of_orbitals {
  convk hw;
  int operation, by, single; /* single: f32 instead of f64 */
  size_t element;
  MPI_Comm ranks; /* in a Cartesian grid of y and z, periodic */
  int across[AXES], neighbour[3][3];
  size_t all[AXES], first[AXES], n[AXES]; /* of the whole grid; the first point here, and how many */
  size_t orbitals, here, first_here;      /* all of them, those of which this rank has points, and the first of these */
  stage stages[2];
  int last;          /* of the stages */
  layout layouts[3]; /* before and after each stage */
  char **psi, **out, *between[2], *potential, *work;
  void **memory; /* to be freed */
  size_t arrays, work_size;
  double *wave[AXES], *well[AXES]; /* factors of an orbital and terms of the potential along the whole of each axis */
  double *rows;                    /* one sum for each row of points */
  exact_sum *energies;             /* of the orbitals here; by orbitals, only sums[] */
  double *sums;
  orbitals_there there;
} set_of_orbitals;

static size_t point(const set_of_orbitals *s, const layout *l, size_t y, size_t z) { /* in bytes, the first of a row */
  return s->element * ((l->around[Z][LOW] + z) * l->grid.pitch_z + (l->around[Y][LOW] + y) * l->grid.pitch_y);
}

/* ---- who has what ---- */

/* y is cut first, because the library filters y first: rows of the halo only are read. Planes of a halo along z go through the
 * filters of y and x on both sides of the cut. */
static void arrange(set_of_orbitals *s) {
  const int periodic[2] = {1, 1};
  int dims[2] = {0, 0}, here[2], other[2], y, z;
  if (s->by == GRID) {
    MPI_Dims_create(job.count, 2, dims);
  } else {
    dims[0] = dims[1] = 1;
  }
  s->across[X] = 1;
  s->across[Y] = dims[0];
  s->across[Z] = dims[1];
  if (s->by == GRID) {
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, 0, &s->ranks);
    MPI_Cart_coords(s->ranks, job.rank, 2, here);
    for (z = 0; z < 3; z++) {
      for (y = 0; y < 3; y++) {
        other[0] = here[0] + y - 1;
        other[1] = here[1] + z - 1;
        MPI_Cart_rank(s->ranks, other, &s->neighbour[z][y]);
      }
    }
    s->first[Y] = (size_t)here[0];
    s->first[Z] = (size_t)here[1];
  }
}

/* The filters of the operation. */
static void choose_stages(set_of_orbitals *s) {
  static float binomial32[2 * SMOOTH + 1];
  static double binomial64[2 * SMOOTH + 1];
  int k;
  s->last = s->operation == POTENTIAL;
  if (s->operation == SMOOTHING) { /* binomial coefficients over 2^28: exact, and almost a Gaussian */
    binomial64[0] = ldexp(1, -2 * SMOOTH);
    for (k = 0; k <= 2 * SMOOTH; k++) {
      binomial64[k] = k > 0 ? binomial64[k - 1] * (2 * SMOOTH + 1 - k) / k : binomial64[0];
      binomial32[k] = (float)binomial64[k];
    }
    s->stages[0].lo = -SMOOTH;
    s->stages[0].up = SMOOTH;
    s->stages[0].taps32 = binomial32;
    s->stages[0].taps64 = binomial64;
    return;
  }
  for (k = 0; k < 2; k++) {
    const convk_filter_f64 filter = convk_magicfilter_taps_f64(k == 0 ? CONVK_FORWARD : CONVK_INVERSE);
    s->stages[k].lo = filter.lo;
    s->stages[k].up = filter.up;
    s->stages[k].taps32 = convk_magicfilter_taps_f32(k == 0 ? CONVK_FORWARD : CONVK_INVERSE).taps;
    s->stages[k].taps64 = filter.taps;
  }
}

/* Blocks that differ by one point at most, or orbitals likewise. */
static void cut(set_of_orbitals *s) {
  const size_t ranks = (size_t)job.count, rank = (size_t)job.rank;
  int d, k;
  for (d = 0; d < AXES; d++) {
    const size_t parts = (size_t)s->across[d], mine = s->first[d], least = s->all[d] / parts;
    size_t halo = 1;
    for (k = 0; k <= s->last; k++) {
      halo = halo < (size_t)-s->stages[k].lo ? (size_t)-s->stages[k].lo : halo;
      halo = halo < (size_t)s->stages[k].up ? (size_t)s->stages[k].up : halo;
    }
    if (parts > 1 && least < halo) {
      fail(BAD_OPTIONS, "--n", "%lu points along %c for %lu ranks: blocks of %lu are narrower than the filter's halo of %lu",
           (unsigned long)s->all[d], "xyz"[d], (unsigned long)parts, (unsigned long)least, (unsigned long)halo);
    }
    s->first[d] = s->all[d] * mine / parts;
    s->n[d] = s->all[d] * (mine + 1) / parts - s->first[d];
  }
  s->first_here = s->by == ORBITALS ? s->orbitals * rank / ranks : 0;
  s->here = s->by == ORBITALS ? s->orbitals * (rank + 1) / ranks - s->first_here : s->orbitals;
  if (s->by == ORBITALS && s->orbitals < ranks) {
    fail(BAD_OPTIONS, "--orbitals", "%lu for %lu ranks: each wants one at least", (unsigned long)s->orbitals,
         (unsigned long)ranks);
  }
}

/* The part of an axis that travels towards lower points (0), higher ones (2), or neither (1). */
static void part(const set_of_orbitals *s, const layout *l, int axis, int where, int sent, int *first, int *count) {
  const size_t low = l->around[axis][LOW], high = l->around[axis][HIGH], n = s->n[axis];
  if (where == 1) {
    *first = ranks_count("--n", low);
    *count = ranks_count("--n", n);
  } else if (sent) { /* what the neighbour has around its points at the side that faces this rank */
    *first = ranks_count("--n", where == 0 ? low : n); /* low + n - low */
    *count = ranks_count("--n", where == 0 ? high : low);
  } else {
    *first = ranks_count("--n", where == 0 ? 0 : low + n);
    *count = ranks_count("--n", where == 0 ? low : high);
  }
}

/* The same of y and z, as a box of an array of a device; 0: nothing. */
static int box(const set_of_orbitals *s, const layout *l, int z, int y, int sent, size_t at[AXES], size_t points[AXES]) {
  int first[2], count[2];
  part(s, l, Y, y, sent, &first[0], &count[0]);
  part(s, l, Z, z, sent, &first[1], &count[1]);
  at[X] = 0;
  at[Y] = (size_t)first[0];
  at[Z] = (size_t)first[1];
  points[X] = s->n[X];
  points[Y] = (size_t)count[0];
  points[Z] = (size_t)count[1];
  return (y != 1 || z != 1) && count[0] > 0 && count[1] > 0;
}

/* An array that filter `next` reads, or that nothing reads (NULL). */
static void describe(set_of_orbitals *s, layout *l, const stage *next) {
  size_t n[AXES], rows = 0;
  int d, y, z, sent;
  memset(l, 0, sizeof *l);
  for (d = 0; d < AXES; d++) {
    if (s->across[d] > 1 && next) {
      l->around[d][LOW] = (size_t)-next->lo;
      l->around[d][HIGH] = (size_t)next->up;
    }
    n[d] = l->around[d][LOW] + s->n[d] + l->around[d][HIGH];
  }
  l->grid = convk_grid3_padded(n[X], n[Y], n[Z], s->element);
  if (next && (s->across[Y] > 1 || s->across[Z] > 1)) { /* a plane is whole rows, as subarrays have it */
    rows = n[Y] + (24 - n[Y] % 16) % 16; /* 8 more than a multiple of 16: other cache sets than the next plane's */
    l->grid.pitch_z = l->grid.pitch_y * rows;
  }
  l->elements = l->grid.pitch_z * n[Z];
  for (z = 0; z < 3; z++) {
    for (y = 0; y < 3; y++) {
      for (sent = 0; sent < 2; sent++) {
        const int sizes[AXES] = {ranks_count("--n", l->grid.nz), ranks_count("--n", rows), ranks_count("--n", l->grid.pitch_y)};
        MPI_Datatype *type = sent ? &l->send[z][y] : &l->receive[z][y];
        int first[AXES], count[AXES]; /* of z, y, x, as MPI has it */
        *type = MPI_DATATYPE_NULL;
        part(s, l, Z, z, sent, &first[0], &count[0]);
        part(s, l, Y, y, sent, &first[1], &count[1]);
        first[2] = 0;
        count[2] = sizes[2]; /* with what pads a row: so rows lie end to end */
        if ((y != 1 || z != 1) && count[0] > 0 && count[1] > 0) {
          ranks_box(type, s->single ? MPI_FLOAT : MPI_DOUBLE, sizes, count, first);
        }
      }
    }
  }
}

static char *array(set_of_orbitals *s, size_t bytes) {
  char *p = (char *)(s->memory[s->arrays++] = convk_huge_alloc(bytes));
  require(p != NULL, "arrays", convk_strerror(CONVK_ERR_MEMORY));
  memset(p, 0, bytes);
  return p;
}

/* Simulated kernels have no results: one piece of memory takes part in all messages. */
static void prepare_messages(set_of_orbitals *s) {
  int k, y, z, bytes, most = 1;
  size_t m;
  char *p;
  for (k = 0; k < 2; k++) {
    for (z = 0; z < 3; z++) {
      for (y = 0; y < 3; y++) {
        if (s->layouts[k].send[z][y] != MPI_DATATYPE_NULL) {
          MPI_Type_size(s->layouts[k].send[z][y], &bytes);
          most = bytes > most ? bytes : most;
        }
      }
    }
  }
  p = (char *)ranks_message((size_t)most);
  for (m = 0; m < s->here; m++) {
    s->psi[m] = p;
  }
  s->between[0] = s->between[1] = p;
}

static void prepare(set_of_orbitals *s) {
  size_t m, k;
  int d;
  for (k = 0; k < 3; k++) {
    describe(s, &s->layouts[k], (int)k <= s->last ? &s->stages[k] : NULL);
  }
  s->psi = (char **)memory(s->here, sizeof *s->psi);
  s->out = (char **)memory(s->here, sizeof *s->out);
  s->memory = (void **)memory(2 * s->here + 4, sizeof *s->memory);
  s->energies = (exact_sum *)memory(s->here, sizeof *s->energies);
  s->sums = (double *)memory(s->orbitals, sizeof *s->sums);
  s->arrays = 0;
  if (job.rate > 0) {
    prepare_messages(s);
    return;
  }
  for (m = 0; m < s->here; m++) {
    s->psi[m] = array(s, s->layouts[0].elements * s->element);
    s->out[m] = array(s, s->layouts[s->last + 1].elements * s->element);
  }
  for (k = 0; k < 2 && s->by == GRID && s->last; k++) {
    s->between[k] = array(s, s->layouts[1].elements * s->element);
  }
  if (s->last) {
    s->potential = array(s, s->layouts[1].elements * s->element);
  }
  s->rows = (double *)memory(s->n[Y] * s->n[Z], sizeof *s->rows);
  for (d = 0; d < AXES; d++) {
    s->wave[d] = (double *)memory(s->all[d], sizeof(double));
    s->well[d] = (double *)memory(s->all[d], sizeof(double));
  }
}

static void leave(set_of_orbitals *s) {
  size_t k;
  int y, z;
  for (k = 0; k < 3; k++) {
    for (z = 0; z < 3; z++) {
      for (y = 0; y < 3; y++) {
        if (s->layouts[k].send[z][y] != MPI_DATATYPE_NULL) {
          MPI_Type_free(&s->layouts[k].send[z][y]);
        }
        if (s->layouts[k].receive[z][y] != MPI_DATATYPE_NULL) {
          MPI_Type_free(&s->layouts[k].receive[z][y]);
        }
      }
    }
  }
  for (k = 0; k < s->arrays; k++) {
    convk_huge_free(s->memory[k]);
  }
  for (k = 0; k < AXES; k++) {
    free(s->wave[k]);
    free(s->well[k]);
  }
  free(s->psi);
  free(s->out);
  free(s->memory);
  free(s->energies);
  free(s->sums);
  free(s->rows);
  free(s->work);
}

/* ---- orbitals ---- */

/* Along each axis an orbital is the sum of two neighbouring waves, and the potential 1 - cos: so the energy has a formula. */
static double blend(size_t orbital, int axis) { return 0.2 + 0.1 * (double)((orbital + 5 * (size_t)axis) % 11); }
static double expected(size_t orbital) {
  int d;
  double energy = 0;
  for (d = 0; d < AXES; d++) {
    energy += 1 - 0.5 * sin(2 * blend(orbital, d));
  }
  return energy;
}

/* Coefficients come from values by the inverse magic filter. */
static void tabulate(const set_of_orbitals *s, size_t orbital) {
  const convk_filter_f64 inverse = convk_magicfilter_taps_f64(CONVK_INVERSE);
  size_t i;
  int d, l;
  for (d = 0; d < AXES; d++) {
    const size_t n = s->all[d];
    const double wave = (double)(1 + (orbital + (size_t)d) % 2), norm = sqrt(2 / (double)n), mix = blend(orbital, d);
    double *value = (double *)memory(n, sizeof *value);
    for (i = 0; i < n; i++) {
      const double angle = 2 * PI * (double)i / (double)n;
      value[i] = norm * (cos(mix) * cos(wave * angle) + sin(mix) * cos((wave + 1) * angle));
      s->well[d][i] = 1 - cos(angle);
    }
    for (i = 0; i < n; i++) {
      s->wave[d][i] = 0;
      for (l = inverse.lo; l <= inverse.up; l++) {
        s->wave[d][i] += inverse.taps[l - inverse.lo] * value[(i + 8 * n + (size_t)(8 + l) - 8) % n];
      }
    }
    free(value);
  }
}

/* Fills the points of a rank with an orbital, or with the potential. */
static void fill(const set_of_orbitals *s, const layout *l, char *p, int potential) {
  size_t x, y, z;
  for (z = 0; z < s->n[Z]; z++) {
    for (y = 0; y < s->n[Y]; y++) {
      char *row = p + point(s, l, y, z);
      const double *const *f = (const double *const *)(potential ? s->well : s->wave);
      const double fy = f[Y][s->first[Y] + y], fz = f[Z][s->first[Z] + z];
      for (x = 0; x < s->n[X]; x++) {
        const double value = potential ? f[X][x] + fy + fz : f[X][x] * fy * fz;
        if (s->single) {
          ((float *)(void *)row)[x] = (float)value;
        } else {
          ((double *)(void *)row)[x] = value;
        }
      }
    }
  }
}

static void set(const set_of_orbitals *s) {
  size_t m;
  for (m = 0; m < s->here; m++) {
    tabulate(s, s->first_here + m);
    fill(s, &s->layouts[0], s->psi[m], 0);
  }
  if (s->potential) {
    fill(s, &s->layouts[1], s->potential, 1);
  }
}

/* ---- the library's calls ---- */

/* An axis that is cut has its halo, and shrinks by it; one that is whole is periodic. */
static void boundaries(const set_of_orbitals *s, int boundary[AXES]) {
  int d;
  for (d = 0; d < AXES; d++) {
    boundary[d] = s->across[d] > 1 ? CONVK_BOUNDARY_SHRINK : CONVK_BOUNDARY_PERIODIC;
  }
}

static convk_filter_f32 filter32(const stage *f) {
  convk_filter_f32 filter;
  filter.lo = f->lo;
  filter.up = f->up;
  filter.taps = f->taps32;
  return filter;
}
static convk_filter_f64 filter64(const stage *f) {
  convk_filter_f64 filter;
  filter.lo = f->lo;
  filter.up = f->up;
  filter.taps = f->taps64;
  return filter;
}

/* The work of all calls, once. */
static void prepare_work(set_of_orbitals *s) {
  convk_sepconv3d_shape shape;
  int k;
  memset(&shape, 0, sizeof shape);
  boundaries(s, shape.boundary);
  for (k = 0; k <= s->last; k++) {
    const convk_filter_f32 f32 = filter32(&s->stages[k]), filters32[AXES] = {f32, f32, f32};
    const convk_filter_f64 f64 = filter64(&s->stages[k]), filters64[AXES] = {f64, f64, f64};
    size_t size = 0;
    int status;
    shape.in = s->layouts[k].grid;
    if (s->by == ORBITALS && s->last) {
      shape.out = s->layouts[1].grid; /* of the potential, whose pitches the values have in between */
    }
    status = s->by == ORBITALS && s->last ? s->single ? convk_potential_apply_work_size_f32(&s->hw, &shape, &size)
                                                      : convk_potential_apply_work_size_f64(&s->hw, &shape, &size)
             : s->single ? convk_sepconv3d_work_size_f32(&s->hw, &shape, filters32, NULL, &size)
                                          : convk_sepconv3d_work_size_f64(&s->hw, &shape, filters64, NULL, &size);
    require_ok(status, "work_size");
    s->work_size = size > s->work_size ? size : s->work_size;
  }
  s->work = (char *)memory(s->work_size, 1);
}

/* One filter along all axes, on a rank's points; to values, they are multiplied by the potential on their way. */
static void run_stage(set_of_orbitals *s, int k, const char *in, char *out) {
  const layout *from = &s->layouts[k], *to = &s->layouts[k + 1];
  const char *potential = k < s->last ? s->potential + point(s, to, 0, 0) : NULL;
  convk_sepconv3d_shape shape;
  /* y and x are filtered in all planes of a halo, too */
  if (ranks_simulated((double)s->n[X] * (double)s->n[Y] * (double)(2 * from->grid.nz + s->n[Z]) / 3 / (s->last + 1))) {
    return;
  }
  shape.in = from->grid;
  shape.out = to->grid; /* without the halo that comes from others */
  shape.out.nx = s->n[X];
  shape.out.ny = s->n[Y];
  shape.out.nz = s->n[Z];
  out += point(s, to, 0, 0);
  boundaries(s, shape.boundary);
  if (s->single) {
    const convk_filter_f32 f = filter32(&s->stages[k]), filters[AXES] = {f, f, f};
    convk_sepconv_epilogue_f32 epilogue;
    memset(&epilogue, 0, sizeof epilogue);
    epilogue.potential = (const float *)(const void *)potential;
    require_ok(convk_sepconv3d_f32(&s->hw, &shape, filters, &epilogue, (const float *)(const void *)in, (float *)(void *)out,
                                   s->work, s->work_size),
               "sepconv3d");
  } else {
    const convk_filter_f64 f = filter64(&s->stages[k]), filters[AXES] = {f, f, f};
    convk_sepconv_epilogue_f64 epilogue;
    memset(&epilogue, 0, sizeof epilogue);
    epilogue.potential = (const double *)(const void *)potential;
    require_ok(convk_sepconv3d_f64(&s->hw, &shape, filters, &epilogue, (const double *)(const void *)in, (double *)(void *)out,
                                   s->work, s->work_size),
               "sepconv3d");
  }
}

/* The potential on a whole orbital: both filters, and the energy, in one call. */
static double apply_potential(set_of_orbitals *s, const char *psi, char *out) {
  convk_sepconv3d_shape shape;
  double energy = 0;
  int status;
  if (ranks_simulated((double)s->n[X] * (double)s->n[Y] * (double)s->n[Z])) {
    return 0;
  }
  shape.in = s->layouts[0].grid;
  shape.out = s->layouts[1].grid; /* of the potential */
  boundaries(s, shape.boundary);
  if (s->single) {
    status = convk_potential_apply_f32(&s->hw, &shape, (const float *)(const void *)s->potential,
                                       (const float *)(const void *)psi, (float *)(void *)out, &energy, s->work, s->work_size);
  } else {
    status =
        convk_potential_apply_f64(&s->hw, &shape, (const double *)(const void *)s->potential, (const double *)(const void *)psi,
                                  (double *)(void *)out, &energy, s->work, s->work_size);
  }
  require_ok(status, "potential_apply");
  return energy;
}

/* ---- energies of orbitals that are cut ---- */

/* The sum over a row, in an order of its own: eight sums side by side, which vectors hold. */
#define ROW(name, type) \
  static double name(const type *a, const type *b, size_t n) { \
    double sum[8] = {0, 0, 0, 0, 0, 0, 0, 0}; \
    size_t i, k; \
    for (i = 0; i + 8 <= n; i += 8) { \
      for (k = 0; k < 8; k++) { \
        sum[k] += (double)a[i + k] * (double)b[i + k]; \
      } \
    } \
    for (k = 0; i + k < n; k++) { \
      sum[k] += (double)a[i + k] * (double)b[i + k]; \
    } \
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7])); \
  }
ROW(row32, float)
ROW(row64, double)

/* Of one plane. */
typedef struct rows_job {
  const set_of_orbitals *s;
  const char *psi, *out;
} rows_job;
static void sum_rows(void *arg, size_t z) {
  const rows_job *j = (const rows_job *)arg;
  const set_of_orbitals *s = j->s;
  size_t y;
  for (y = 0; y < s->n[Y]; y++) {
    const void *a = j->psi + point(s, &s->layouts[0], y, z), *b = j->out + point(s, &s->layouts[2], y, z);
    s->rows[z * s->n[Y] + y] =
        s->single ? row32((const float *)a, (const float *)b, s->n[X]) : row64((const double *)a, (const double *)b, s->n[X]);
  }
}

/* <psi|V|psi> = <MF psi|V MF psi> = <psi|out>, since IMF is the transpose of MF. The library adds up its energies row by row,
 * too, but then the rows of a call one after the other: blocks would have other roundings than the whole. Here the sum of the
 * rows is exact. */
static void add_energy(const set_of_orbitals *s, size_t m) {
  rows_job rows = {s, s->psi[m], s->out[m]};
  size_t k;
  if (job.rate > 0) {
    return;
  }
  memset(&s->energies[m], 0, sizeof *s->energies);
  if (!s->hw.parallel.run || s->hw.parallel.run(s->hw.parallel.ctx, s->n[Z], sum_rows, &rows)) {
    for (k = 0; k < s->n[Z]; k++) {
      sum_rows(&rows, k);
    }
  }
  for (k = 0; k < s->n[Y] * s->n[Z]; k++) {
    exact_add(&s->energies[m], s->rows[k]);
  }
}

/* ---- on a device ---- */

enum { TO_VALUES, BACK }; /* messages of layout 0; of layout 1: BACK and the one behind it */

#define ROOM(s, l) device_memory(&(s)->there.on, (l)->elements *(s)->element)

static size_t work_there(set_of_orbitals *s, int k, const convk_sepconv3d_shape *shape, int apply) {
  const convk_filter_f32 f32 = filter32(&s->stages[k]), filters32[AXES] = {f32, f32, f32};
  const convk_filter_f64 f64 = filter64(&s->stages[k]), filters64[AXES] = {f64, f64, f64};
  size_t size = 0;
  int status = CONVK_OK;
  (void)filters32, (void)filters64, (void)shape, (void)apply;
#ifdef CONVK_CUDA
  if (s->there.on.kind == DEVICE_CUDA) {
    status = apply       ? s->single ? convk_cuda_potential_apply_work_size_f32(&s->there.on.cuda, shape, &size)
                                     : convk_cuda_potential_apply_work_size_f64(&s->there.on.cuda, shape, &size)
                   : s->single ? convk_cuda_sepconv3d_work_size_f32(&s->there.on.cuda, shape, filters32, NULL, &size)
                         : convk_cuda_sepconv3d_work_size_f64(&s->there.on.cuda, shape, filters64, NULL, &size);
  }
#endif
#ifdef CONVK_CL
  if (s->there.on.kind == DEVICE_OPENCL) {
    status = apply       ? s->single ? convk_cl_potential_apply_work_size_f32(&s->there.on.cl, shape, &size)
                                     : convk_cl_potential_apply_work_size_f64(&s->there.on.cl, shape, &size)
                   : s->single ? convk_cl_sepconv3d_work_size_f32(&s->there.on.cl, shape, filters32, NULL, &size)
                         : convk_cl_sepconv3d_work_size_f64(&s->there.on.cl, shape, filters64, NULL, &size);
  }
#endif
  device_ok(&s->there.on, status, "work_size");
  return size;
}

/* Arrays there, and in them what is set here. */
static void prepare_there(set_of_orbitals *s) {
  orbitals_there *d = &s->there;
  const int apply = s->by == ORBITALS && s->last;
  convk_sepconv3d_shape shape;
  size_t m;
  int k, y, z;
  memset(&shape, 0, sizeof shape);
  boundaries(s, shape.boundary);
  s->work_size = 0;
  for (k = 0; k <= s->last; k++) {
    size_t size;
    shape.in = s->layouts[k].grid;
    if (apply) {
      shape.out = s->layouts[1].grid;
    }
    size = work_there(s, k, &shape, apply);
    s->work_size = size > s->work_size ? size : s->work_size;
  }
  d->work = device_memory(&d->on, s->work_size);
  d->psi = (device_array *)memory(s->here, sizeof *d->psi);
  d->out = (device_array *)memory(s->here, sizeof *d->out);
  for (m = 0; m < s->here; m++) {
    d->psi[m] = ROOM(s, &s->layouts[0]);
    d->out[m] = ROOM(s, &s->layouts[s->last + 1]);
    device_copy(&d->on, 1, d->psi[m], s->psi[m], s->layouts[0].elements * s->element);
  }
  if (s->last) {
    d->potential = ROOM(s, &s->layouts[1]);
    device_copy(&d->on, 1, d->potential, s->potential, s->layouts[1].elements * s->element);
    d->energies = device_memory(&d->on, s->here * sizeof(double));
    d->between[0] = ROOM(s, &s->layouts[1]);
    d->between[1] = ROOM(s, &s->layouts[1]);
  }
  device_wait(&d->on);
  for (k = 0; k < 3 && s->by == GRID; k++) {
    for (z = 0; z < 3; z++) {
      for (y = 0; y < 3; y++) {
        const layout *l = &s->layouts[k > 0];
        size_t at[AXES], n[AXES];
        if (box(s, l, z, y, 1, at, n)) {
          d->sent[k][z][y] = device_room(&d->on, n[X] * n[Y] * n[Z] * s->element);
        }
        if (box(s, l, z, y, 0, at, n)) {
          d->received[k][z][y] = device_room(&d->on, n[X] * n[Y] * n[Z] * s->element);
        }
      }
    }
  }
  d->on.moved = 0;
}

/* What all have found, here. */
static void fetch(set_of_orbitals *s) {
  orbitals_there *d = &s->there;
  const layout *l = &s->layouts[s->last + 1];
  size_t m;
  for (m = 0; m < s->here; m++) {
    device_copy(&d->on, 0, d->out[m], s->out[m], l->elements * s->element);
  }
  if (s->last && s->by == ORBITALS) {
    device_copy(&d->on, 0, d->energies, s->sums + s->first_here, s->here * sizeof *s->sums);
  }
  device_wait(&d->on);
  for (m = 0; m < s->here && s->last && s->by == GRID; m++) {
    add_energy(s, m);
  }
}

static void leave_there(set_of_orbitals *s) {
  orbitals_there *d = &s->there;
  size_t m;
  int k;
  for (k = 0; k < 27; k++) {
    device_room_free(&d->on, &d->sent[k / 9][k / 3 % 3][k % 3]);
    device_room_free(&d->on, &d->received[k / 9][k / 3 % 3][k % 3]);
  }
  for (m = 0; m < s->here; m++) {
    device_free(&d->on, d->psi[m]);
    device_free(&d->on, d->out[m]);
  }
  device_free(&d->on, d->between[0]);
  device_free(&d->on, d->between[1]);
  device_free(&d->on, d->potential);
  device_free(&d->on, d->energies);
  device_free(&d->on, d->work);
  free(d->psi);
  free(d->out);
  device_close(&d->on);
}

/* One filter, as run_stage. */
#define STAGE_THERE(type, T, bits) \
  static void stage_there_##type(set_of_orbitals *s, int k, const convk_sepconv3d_shape *shape, device_array in, \
                                 device_array out, device_array potential) { \
    const convk_filter_##type f = filter##bits(&s->stages[k]), filters[AXES] = {f, f, f}; \
    int status = CONVK_OK; \
    (void)filters, (void)shape, (void)in, (void)out, (void)potential; \
    STAGE_CUDA(type, T) \
    STAGE_CL(type) \
    device_ok(&s->there.on, status, "sepconv3d"); \
  }
#ifdef CONVK_CUDA
#define STAGE_CUDA(type, T) \
  if (s->there.on.kind == DEVICE_CUDA) { \
    convk_sepconv_epilogue_##type epilogue; \
    memset(&epilogue, 0, sizeof epilogue); \
    epilogue.potential = potential.memory ? DEVICE_POINTER(const T, potential) : NULL; \
    status = convk_cuda_sepconv3d_##type(&s->there.on.cuda, shape, filters, &epilogue, DEVICE_POINTER(const T, in), \
                                         DEVICE_POINTER(T, out), s->there.work.memory, s->work_size); \
  }
#else
#define STAGE_CUDA(type, T)
#endif
#ifdef CONVK_CL
#define STAGE_CL(type) \
  if (s->there.on.kind == DEVICE_OPENCL) { \
    convk_cl_sepconv_epilogue_##type epilogue; \
    memset(&epilogue, 0, sizeof epilogue); \
    epilogue.potential = device_buffer(potential); \
    status = convk_cl_sepconv3d_##type(&s->there.on.cl, shape, filters, &epilogue, device_buffer(in), device_buffer(out), \
                                       device_buffer(s->there.work), s->work_size); \
  }
#else
#define STAGE_CL(type)
#endif
STAGE_THERE(f32, float, 32)
STAGE_THERE(f64, double, 64)

static void run_stage_there(set_of_orbitals *s, int k, device_array in, device_array out) {
  const layout *from = &s->layouts[k], *to = &s->layouts[k + 1];
  const size_t first = point(s, to, 0, 0) / s->element;
  const device_array none = {NULL, 0}, potential = k < s->last ? device_from(s->there.potential, first) : none;
  convk_sepconv3d_shape shape;
  shape.in = from->grid;
  shape.out = to->grid;
  shape.out.nx = s->n[X];
  shape.out.ny = s->n[Y];
  shape.out.nz = s->n[Z];
  boundaries(s, shape.boundary);
  if (s->single) {
    stage_there_f32(s, k, &shape, in, device_from(out, first), potential);
  } else {
    stage_there_f64(s, k, &shape, in, device_from(out, first), potential);
  }
}

/* Both filters on a whole orbital; its energy stays there, too. */
static void apply_potential_there(set_of_orbitals *s, size_t m) {
  orbitals_there *d = &s->there;
  const device_array energy = device_from(d->energies, m);
  convk_sepconv3d_shape shape;
  int status = CONVK_OK;
  (void)energy;
  shape.in = s->layouts[0].grid;
  shape.out = s->layouts[1].grid;
  boundaries(s, shape.boundary);
#ifdef CONVK_CUDA
#define APPLY(type, T) \
  convk_cuda_potential_apply_##type(&d->on.cuda, &shape, DEVICE_POINTER(const T, d->potential), \
                                    DEVICE_POINTER(const T, d->psi[m]), DEVICE_POINTER(T, d->out[m]), \
                                    DEVICE_POINTER(double, energy), d->work.memory, s->work_size)
  if (d->on.kind == DEVICE_CUDA) {
    status = s->single ? APPLY(f32, float) : APPLY(f64, double);
  }
#undef APPLY
#endif
#ifdef CONVK_CL
#define APPLY(type) \
  convk_cl_potential_apply_##type(&d->on.cl, &shape, device_buffer(d->potential), device_buffer(d->psi[m]), \
                                  device_buffer(d->out[m]), device_buffer(energy), device_buffer(d->work), s->work_size)
  if (d->on.kind == DEVICE_OPENCL) {
    status = s->single ? APPLY(f32) : APPLY(f64);
  }
#undef APPLY
#endif
  device_ok(&d->on, status, "potential_apply");
}

/* ---- by grid: halos ---- */

/* The messages of one array on their way. */
typedef struct exchange {
  MPI_Request request[16];
  MPI_Status status[16];
  int count;
} exchange;

static void post(const set_of_orbitals *s, int k, char *p, exchange *e, ranks_time *t) {
  const layout *l = &s->layouts[k];
  const double start = seconds();
  int y, z;
  e->count = 0;
  for (z = 0; z < 3; z++) {
    for (y = 0; y < 3; y++) {
      const int tag = 16 * k + 3 * z + y, back = 16 * k + 3 * (2 - z) + 2 - y; /* as the neighbour sees it */
      if (l->receive[z][y] != MPI_DATATYPE_NULL) {
        MPI_Irecv(p, 1, l->receive[z][y], s->neighbour[z][y], tag, s->ranks, &e->request[e->count++]);
      }
      if (l->send[z][y] != MPI_DATATYPE_NULL) {
        MPI_Isend(p, 1, l->send[z][y], s->neighbour[z][y], back, s->ranks, &e->request[e->count++]);
      }
    }
  }
  t->communication += seconds() - start;
}

static void await(exchange *e, ranks_time *t) {
  const double start = seconds();
  MPI_Waitall(e->count, e->request, e->status);
  t->communication += seconds() - start;
}

/* The same on a device: in room `k` for the messages of an array, whose halos are all there after await_there. */
static void post_there(set_of_orbitals *s, int k, device_array a, exchange *e, ranks_time *t) {
  orbitals_there *d = &s->there;
  const layout *l = &s->layouts[k > 0];
  const MPI_Datatype type = s->single ? MPI_FLOAT : MPI_DOUBLE;
  size_t at[AXES], n[AXES];
  double start;
  int y, z;
  for (z = 0; z < 3; z++) {
    for (y = 0; y < 3; y++) {
      if (box(s, l, z, y, 1, at, n)) {
        device_pack(&d->on, s->single, n, &l->grid, at, a, &d->sent[k][z][y]);
      }
    }
  }
  device_wait(&d->on);
  start = seconds();
  e->count = 0;
  for (z = 0; z < 3; z++) {
    for (y = 0; y < 3; y++) {
      const int tag = 16 * k + 3 * z + y, back = 16 * k + 3 * (2 - z) + 2 - y;
      if (d->received[k][z][y].bytes) {
        MPI_Irecv(device_sent(&d->received[k][z][y]), ranks_count("--n", d->received[k][z][y].bytes / s->element), type,
                  s->neighbour[z][y], tag, s->ranks, &e->request[e->count++]);
      }
      if (d->sent[k][z][y].bytes) {
        MPI_Isend(device_sent(&d->sent[k][z][y]), ranks_count("--n", d->sent[k][z][y].bytes / s->element), type,
                  s->neighbour[z][y], back, s->ranks, &e->request[e->count++]);
      }
    }
  }
  t->communication += seconds() - start;
}

static void await_there(set_of_orbitals *s, int k, device_array a, exchange *e, ranks_time *t) {
  orbitals_there *d = &s->there;
  const layout *l = &s->layouts[k > 0];
  size_t at[AXES], n[AXES];
  int y, z;
  await(e, t);
  for (z = 0; z < 3; z++) {
    for (y = 0; y < 3; y++) {
      if (box(s, l, z, y, 0, at, n)) {
        device_unpack(&d->on, s->single, n, &l->grid, at, a, &d->received[k][z][y]);
      }
    }
  }
}

/* While an orbital is filtered, halos of the next one travel; so do those between its two filters, while the orbital before it
 * goes through the second. Two exchanges of 15 rows an orbital: one exchange of 30 would be as many bytes in half the messages,
 * but the first filter would have to find 15 rows more, which takes longer than a message. */
static void orbitals_in_turn(set_of_orbitals *s, ranks_time *t) {
  exchange first, second[2];
  size_t m;
  post(s, 0, s->psi[0], &first, t);
  for (m = 0; m < s->here; m++) {
    await(&first, t);
    if (m + 1 < s->here) {
      post(s, 0, s->psi[m + 1], &first, t);
    }
    run_stage(s, 0, s->psi[m], s->last ? s->between[m % 2] : s->out[m]);
    if (s->last) {
      post(s, 1, s->between[m % 2], &second[m % 2], t);
      if (m > 0) {
        await(&second[(m - 1) % 2], t);
        run_stage(s, 1, s->between[(m - 1) % 2], s->out[m - 1]);
        add_energy(s, m - 1);
      }
    }
  }
  if (s->last) {
    await(&second[(m - 1) % 2], t);
    run_stage(s, 1, s->between[(m - 1) % 2], s->out[m - 1]);
    add_energy(s, m - 1);
  }
}

static void orbitals_in_turn_there(set_of_orbitals *s, ranks_time *t) {
  orbitals_there *d = &s->there;
  exchange first, second[2];
  size_t m;
  post_there(s, TO_VALUES, d->psi[0], &first, t);
  for (m = 0; m < s->here + (size_t)s->last; m++) {
    const int mine = (int)(m % 2), before = 1 - mine;
    if (m < s->here) {
      await_there(s, TO_VALUES, d->psi[m], &first, t);
      if (m + 1 < s->here) {
        post_there(s, TO_VALUES, d->psi[m + 1], &first, t);
      }
      run_stage_there(s, 0, d->psi[m], s->last ? d->between[mine] : d->out[m]);
      if (s->last) {
        post_there(s, BACK + mine, d->between[mine], &second[mine], t);
      }
    }
    if (s->last && m > 0) {
      await_there(s, BACK + before, d->between[before], &second[before], t);
      run_stage_there(s, 1, d->between[before], d->out[m - 1]);
    }
  }
}

/* ---- both distributions ---- */

static void whole_orbitals(set_of_orbitals *s) {
  size_t m;
  for (m = 0; m < s->here; m++) {
    if (s->there.on.kind) {
      if (s->last) {
        apply_potential_there(s, m);
      } else {
        run_stage_there(s, 0, s->there.psi[m], s->there.out[m]);
      }
    } else if (s->last) {
      s->sums[s->first_here + m] = apply_potential(s, s->psi[m], s->out[m]);
    } else {
      run_stage(s, 0, s->psi[m], s->out[m]);
    }
  }
}

/* The energies of all orbitals, for rank 0. By orbitals, each rank has its own ones, and zeros add nothing. */
static void reduce(const set_of_orbitals *s, ranks_time *t) {
  const double start = seconds();
  const int root = job.rank == 0;
  if (s->by == GRID) {
    MPI_Reduce(root ? MPI_IN_PLACE : s->energies, s->energies, ranks_count("--orbitals", s->here * EXACT_WORDS), MPI_INT64_T,
               MPI_SUM, 0, s->ranks);
  } else {
    MPI_Reduce(root ? MPI_IN_PLACE : s->sums, s->sums, ranks_count("--orbitals", s->orbitals), MPI_DOUBLE, MPI_SUM, 0,
               MPI_COMM_WORLD);
  }
  t->communication += seconds() - start;
}

static void apply(set_of_orbitals *s, ranks_time *t) {
  if (s->by == GRID && s->there.on.kind) {
    orbitals_in_turn_there(s, t);
  } else if (s->by == GRID) {
    orbitals_in_turn(s, t);
  } else {
    memset(s->sums, 0, s->orbitals * sizeof *s->sums);
    whole_orbitals(s);
  }
  if (s->last && !s->there.on.kind) {
    reduce(s, t);
  }
}

/* ---- the same bits ---- */

static uint64_t hash(const set_of_orbitals *s) {
  const layout *l = &s->layouts[s->last + 1];
  uint64_t sum = 0;
  size_t m, x, y, z;
  for (m = 0; m < s->here; m++) {
    for (z = 0; z < s->n[Z]; z++) {
      for (y = 0; y < s->n[Y]; y++) {
        const char *row = s->out[m] + point(s, l, y, z);
        const uint64_t at =
            (((s->first_here + m) * s->all[Z] + s->first[Z] + z) * s->all[Y] + s->first[Y] + y) * (uint64_t)s->all[X];
        for (x = 0; x < s->n[X]; x++) {
          sum += hash_of(at + x, row + x * s->element, s->element);
        }
      }
    }
  }
  return sum;
}

/* In the order of the orbitals. */
static double energy_of(const set_of_orbitals *s, double *off) {
  double sum = 0;
  size_t m;
  *off = 0;
  for (m = 0; m < s->orbitals; m++) {
    const double energy = s->by == GRID ? exact_value(&s->energies[m]) : s->sums[m];
    sum += energy;
    *off = fmax(*off, fabs(energy - expected(m)));
  }
  return sum;
}

/* All orbitals, whole, by one process: the hash and the energy. */
static uint64_t alone(set_of_orbitals *s, double *energy) {
  set_of_orbitals whole = *s;
  uint64_t h;
  double off;
  size_t m;
  int d;
  whole.there.on.kind = DEVICE_NONE; /* arrays of the host, on any hardware */
  for (d = 0; d < AXES; d++) {
    whole.across[d] = 1;
    whole.first[d] = 0;
    whole.n[d] = s->all[d];
  }
  whole.here = s->orbitals;
  whole.first_here = 0;
  whole.work_size = 0;
  whole.by = ORBITALS;
  prepare(&whole);
  prepare_work(&whole);
  set(&whole);
  whole_orbitals(&whole);
  whole.by = s->by;
  for (m = 0; m < whole.here && s->last && s->by == GRID; m++) {
    add_energy(&whole, m);
  }
  h = hash(&whole);
  *energy = energy_of(&whole, &off);
  leave(&whole);
  return h;
}

/* ---- what is asked for ---- */

static void read_sizes(set_of_orbitals *s, const char *n, const char *edge) {
  int d;
  if (edge) {
    const size_t points = (size_t)whole(edge, "--block", 1, 4096);
    for (d = 0; d < AXES; d++) {
      s->all[d] = points * (size_t)s->across[d];
    }
    s->orbitals *= s->by == ORBITALS ? (size_t)job.count : 1;
  } else {
    grid_sizes(n, "--n", s->all);
  }
}

int main(int argc, char **argv) {
  const char *n = "128", *edge = NULL, *orbitals = "4", *count = "10", *type = "f64", *by = "grid", *operation = "potential",
             *spec = NULL, *threads = NULL, *json = NULL, *rate = "0", *direct = NULL;
  double energy = 0, off = 0, again = 0;
  uint64_t own, all = 0;
  size_t repeat, k;
  ranks_time t;
  int check = 0;
  set_of_orbitals s;
  const option options[] = {{"--operation", &operation, NULL, "NAME", "magic, potential or smooth"},
                            {"--by", &by, NULL, "HOW", "grid or orbitals: what is shared out"},
                            {"--n", &n, NULL, "NX[xNYxNZ]", "points of the grid"},
                            {"--block", &edge, NULL, "N", "instead: N^3 points for each rank"},
                            {"--orbitals", &orbitals, NULL, "M", "how many"},
                            {"--repeat", &count, NULL, "K", "times"},
                            {"--type", &type, NULL, "TYPE", "f32 or f64"},
                            DEVICE_OPTION(direct){"--check", NULL, &check, NULL, "one process alone finds the same bits"},
                            {"--json", &json, NULL, "FILE", "one more line of it"},
                            HARDWARE_OPTION(spec),
                            THREADS_OPTION(threads),
                            RANKS_OPTIONS(rate) END_OF_OPTIONS};

  memset(&s, 0, sizeof s);
  ranks_begin(&argc, &argv);
  read_options(argc, argv, options, NULL, USAGE, NULL);
  s.orbitals = (size_t)whole(orbitals, "--orbitals", 1, MAX_ORBITALS);
  repeat = (size_t)whole(count, "--repeat", 1, 1000000);
  s.single = !word(type, "--type", "f32", "f64");
  s.element = s.single ? sizeof(float) : sizeof(double);
  s.by = word(by, "--by", "grid", "orbitals");
  while (s.operation <= SMOOTHING && strcmp(operation, operations[s.operation])) {
    s.operation++;
  }
  if (s.operation > SMOOTHING) {
    fail(BAD_OPTIONS, "--operation", "magic, potential or smooth is wanted, not %s", operation);
  }
  job.rate = number(rate, "--simulate", 0, 1e30);
  arrange(&s);
  read_sizes(&s, n, edge);
  choose_stages(&s);
  cut(&s);
  ranks_open(&s.hw, spec, threads);
  device_open(&s.there.on, &s.hw, direct);
  prepare(&s);
  say("orbitals:     %lu of %lu x %lu x %lu points, %s, periodic, ", (unsigned long)s.orbitals, (unsigned long)s.all[X],
      (unsigned long)s.all[Y], (unsigned long)s.all[Z], type);
  if (s.by == GRID) {
    say("each in %d x %d x %d blocks\n", s.across[X], s.across[Y], s.across[Z]);
  } else {
    say("%lu%s for each rank\n", (unsigned long)(s.orbitals / (size_t)job.count),
        s.orbitals % (size_t)job.count ? " or one more" : "");
  }
  say("operation:    %s, %d taps, %lu times\n", operation, s.stages[0].up - s.stages[0].lo + 1, (unsigned long)repeat);
  if (s.there.on.kind) {
    set(&s);
    prepare_there(&s);
  } else if (!(job.rate > 0)) {
    prepare_work(&s);
    set(&s);
  }
  ranks_start(&t);
  for (k = 0; k < repeat; k++) {
    ranks_progress((double)k / (double)repeat, t.start);
    apply(&s, &t);
  }
  device_wait(&s.there.on);
  ranks_stop(&t);
  if (s.there.on.kind) {
    device_table(&s.there.on, (double)s.n[X] * (double)s.n[Y] * (double)s.n[Z] * (double)s.here * (double)repeat);
    fetch(&s);
    if (s.last) {
      ranks_time after;
      memset(&after, 0, sizeof after);
      reduce(&s, &after);
    }
    leave_there(&s);
  }
  if (!(job.rate > 0)) {
    own = hash(&s);
    MPI_Reduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    say("bits:         %016llx\n", (unsigned long long)all);
    if (s.last) {
      energy = job.rank ? 0 : energy_of(&s, &off);
      say("energy:       %.17g, an orbital at most %.2g off the formula\n", energy, off);
    }
  }
  ranks_table(&s.hw, &t, (double)s.n[X] * (double)s.n[Y] * (double)s.n[Z] * (double)s.here * (double)repeat, "point", json);
  if (check && !job.rank && !(job.rate > 0)) {
    require(alone(&s, &again) == all, "one process", "different bits");
    require(!s.last || memcmp(&again, &energy, sizeof energy) == 0, "one process", "the energy has different bits");
    say("check:        one process alone finds the same bits\n");
  }
  leave(&s);
  if (s.by == GRID) {
    MPI_Comm_free(&s.ranks);
  }
  convk_close(&s.hw);
  return ranks_end();
}
