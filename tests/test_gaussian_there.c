/* SPDX-License-Identifier: MIT
   Gaussians on grids, in device memory, with OpenCL, or as C++ with CUDA in the emulator: the bits of calls on host arrays, of
   general cells also the numbers of processors, nothing written beside results and work, no need of the host's shells once a call is back, and what is refused and why.

     cc -std=c99 -I. -DCONVK_CL -DCONVK_WITH_GAUSSIAN [-DSINGLE] tests/test_gaussian_there.c -o there -lOpenCL
     c++ -x c++ -std=c++11 -ffp-contract=off -I. -DCONVK_CUDA -DCONVK_WITH_GAUSSIAN [-DSINGLE] tests/test_gaussian_there.c -o there
   there [all]     all: each call of each kind with CUDA and with the second shape of OpenCL's work-items, too */
#include <math.h>
#include "there.h"

#ifdef SINGLE
typedef float real;
#define OF(name) convk_##name##_f32
#define TYPED(name) name##_f32
#else
typedef double real;
#define OF(name) convk_##name##_f64
#define TYPED(name) name##_f64
#endif
#define FROM(p, k) AT(real, p, k)
#ifdef CONVK_CUDA
#define THERE(name) TYPED(convk_cuda_##name)
typedef real *array;
typedef void *bytes_of;
typedef OF(vgl) vgl_there;
typedef OF(density_parts) parts_there;
static const array none = NULL;
static const bytes_of no_bytes = NULL;
#else
#define THERE(name) TYPED(convk_cl_##name)
typedef convk_cl_array array;
typedef convk_cl_array bytes_of;
typedef convk_cl_vgl vgl_there;
typedef convk_cl_density_parts parts_there;
static const array none = {NULL, 0};
static const bytes_of no_bytes = {NULL, 0};
#endif

enum { BEFORE = 6, BEHIND = 9, WORK_BEFORE = 65536 + 40, WORK_BEHIND = 64, FILL = 0xa5 };
enum { NX = 21, NY = 17, NZ = 10, PITCH = NX + 3, SHELLS = 3, PRIMITIVES = 2, ORBITALS = 7, FUNCTIONS = 1 + 5 + 15, PARTS = 5 };
enum {
  ORBITALS_GRID,
  FUNCTIONS_GRID,
  VGL_GRID,
  DENSITY_GRID,
  SLOPES_GRID,
  TAU_GRID,
  SUMS_GRID,
  WAVES_GRID,
  WAVES_DENSITY,
  CALLS
};
static const char *const names[CALLS] = {"orbitals_grid",
                                         "orbitals_grid of functions",
                                         "orbitals_grid_vgl",
                                         "density_grid",
                                         "density_grid with slopes",
                                         "density_grid with tau",
                                         "gridpot_grid",
                                         "orbitals_grid_k",
                                         "density_grid_k"};

/* Good arguments of all calls. */
typedef struct arguments {
  convk_gaussian_box box;
  convk_shell shells[SHELLS];
  double exponents[SHELLS][PRIMITIVES], weights[SHELLS][PRIMITIVES];
  real c[ORBITALS * FUNCTIONS], imag[ORBITALS * FUNCTIONS], occupations[ORBITALS], alpha[PRIMITIVES];
  OF(orbital_set) set;
  OF(gaussians) gaussians;
  convk_gaussian_options options;
  size_t ld, work_size;
  array out[PARTS];
  bytes_of work;
  double k[3];
  int no_box, no_set, no_out, no_bloch, no_imag, add;
} arguments;

static int has(int which, int part) {
  return part == 0 || which == VGL_GRID || which == SLOPES_GRID || (which == TAU_GRID && part == 4);
}
static int is_density(int which) { return (which >= DENSITY_GRID && which < SUMS_GRID) || which == WAVES_DENSITY; }
static size_t rows_of(int which) { /* of real numbers */
  return which == FUNCTIONS_GRID ? FUNCTIONS
         : which == SUMS_GRID    ? 3
         : is_density(which)     ? 1
                                 : ORBITALS * (1 + (which == WAVES_GRID));
}

/* Of boxes; FAR: no shell reaches it; ALONG_Y: waves turn along y alone, and have no imaginary coefficients. */
enum { PERIODIC = 1, GENERAL = 2, FAR = 4, ALONG_Y = 8 };

static void good_arguments(arguments *a, int which, int kind) {
  static const int l[SHELLS] = {0, 2, 4},
                   functions[SHELLS] = {CONVK_SHELL_CARTESIAN, CONVK_SHELL_SPHERICAL, CONVK_SHELL_CARTESIAN};
  int i, k;
  memset(a, 0, sizeof *a);
  a->box.step_x[0] = 0.25;
  a->box.step_y[1] = -0.5;
  a->box.step_z[2] = 0.75;
  a->box.origin[0] = -2;
  a->box.origin[1] = 4;
  a->box.origin[2] = -3;
  a->box.grid.nx = NX;
  a->box.grid.ny = NY;
  a->box.grid.nz = NZ;
  a->box.grid.pitch_y = PITCH;
  if (kind & PERIODIC) a->box.period[0] = 5.25, a->box.period[2] = 4;
  if (kind & ALONG_Y) a->box.period[1] = 9.5, a->no_imag = 1;
  for (i = 0; i < 3 && kind & FAR; i++) a->box.origin[i] = 1000;
  if (kind & GENERAL) {
    a->box.step_x[1] = 0.0625;
    a->box.step_y[0] = 0.125;
    a->box.step_z[0] = -0.25;
    a->box.step_z[1] = 0.375;
  }
  for (i = 0; i < SHELLS; i++) {
    for (k = 0; k < PRIMITIVES; k++) {
      a->exponents[i][k] = 0.6 + 0.4 * i + 2 * k;
      a->weights[i][k] = 1 - 0.3 * i + 0.1 * k;
    }
    a->shells[i].center[0] = 0.125 * i;
    a->shells[i].center[1] = -0.5 * i;
    a->shells[i].l = l[i];
    a->shells[i].functions = functions[i];
    a->shells[i].primitives = PRIMITIVES;
    a->shells[i].exponents = a->exponents[i];
    a->shells[i].coefficients = a->weights[i];
  }
  for (i = 0; i < ORBITALS * FUNCTIONS; i++) a->c[i] = (real)(i * 37 % 29 - 14) / 16;
  for (i = 0; i < ORBITALS * FUNCTIONS; i++) a->imag[i] = (real)(i * 23 % 31 - 15) / 16;
  for (i = 0; i < 3; i++) a->k[i] = 0.25 - 0.5 * i;
  a->add = which == WAVES_DENSITY;
  for (i = 0; i < ORBITALS; i++) a->occupations[i] = (real)(i + 1) / 4;
  for (i = 0; i < PRIMITIVES; i++) a->alpha[i] = (real)(-0.5 - i);
  a->set.nshells = SHELLS;
  a->set.shells = a->shells;
  a->set.norbitals = ORBITALS;
  a->set.coefficients = a->c;
  a->set.occupations = a->occupations;
  if (which == FUNCTIONS_GRID) a->set.norbitals = 0, a->set.coefficients = NULL;
  a->gaussians.n = PRIMITIVES;
  a->gaussians.alpha = a->alpha;
  a->gaussians.nsums = 3;
  a->gaussians.coefficients = a->c;
  a->ld = is_density(which) ? 0 : (size_t)PITCH * NY * NZ + 5;
}

/* The call there. */
static int run(int which, const arguments *a) {
  const convk_gaussian_box *box = a->no_box ? NULL : &a->box;
  const OF(orbital_set) *set = a->no_set ? NULL : &a->set;
  vgl_there vgl;
  parts_there parts;
  OF(bloch) bloch;
  memcpy(bloch.k, a->k, sizeof bloch.k);
  bloch.imag = a->no_imag ? NULL : a->imag;
  vgl.value = parts.density = a->out[0];
  vgl.dx = parts.dx = a->out[1];
  vgl.dy = parts.dy = a->out[2];
  vgl.dz = parts.dz = a->out[3];
  vgl.laplacian = parts.tau = a->out[4];
  vgl.ld = a->ld;
  if (which <= FUNCTIONS_GRID) return THERE(orbitals_grid)(&on, box, set, &a->options, a->out[0], a->ld, a->work, a->work_size);
  if (which == VGL_GRID)
    return THERE(orbitals_grid_vgl)(&on, box, set, &a->options, a->no_out ? NULL : &vgl, a->work, a->work_size);
  if (which == WAVES_GRID)
    return THERE(orbitals_grid_k)(&on, box, set, a->no_bloch ? NULL : &bloch, &a->options, a->out[0], a->ld, a->work,
                                  a->work_size);
  if (which == WAVES_DENSITY)
    return THERE(density_grid_k)(&on, box, set, a->no_bloch ? NULL : &bloch, &a->options, a->out[0], a->add, a->work,
                                 a->work_size);
  if (which < SUMS_GRID)
    return THERE(density_grid)(&on, box, set, &a->options, a->no_out ? NULL : &parts, a->work, a->work_size);
  return THERE(gridpot_grid)(&on, box, a->no_set ? NULL : &a->gaussians, &a->options, a->out[0], a->ld, a->work, a->work_size);
}
static int size(int which, const arguments *a, size_t *bytes) {
  const convk_gaussian_box *box = a->no_box ? NULL : &a->box;
  if (which == SUMS_GRID) return THERE(gridpot_grid_work_size)(&on, box, a->no_set ? NULL : &a->gaussians, bytes);
  if (which > SUMS_GRID) return THERE(orbitals_grid_k_work_size)(&on, box, a->no_set ? NULL : &a->set, bytes);
  return THERE(orbitals_grid_work_size)(&on, box, a->no_set ? NULL : &a->set, bytes);
}
/* The same on arrays of the host. */
static int run_here(convk *hw, int which, const arguments *a, real *const *out) {
  const OF(vgl) vgl = {out[0], out[1], out[2], out[3], out[4], a->ld};
  const OF(density_parts) parts = {out[0], out[1], out[2], out[3], out[4]};
  OF(bloch) bloch;
  memcpy(bloch.k, a->k, sizeof bloch.k);
  bloch.imag = a->no_imag ? NULL : a->imag;
  if (which == WAVES_GRID) return OF(orbitals_grid_k)(hw, &a->box, &a->set, &bloch, &a->options, out[0], a->ld, NULL, 0);
  if (which == WAVES_DENSITY) return OF(density_grid_k)(hw, &a->box, &a->set, &bloch, &a->options, out[0], a->add, NULL, 0);
  if (which <= FUNCTIONS_GRID) return OF(orbitals_grid)(hw, &a->box, &a->set, &a->options, out[0], a->ld, NULL, 0);
  if (which == VGL_GRID) return OF(orbitals_grid_vgl)(hw, &a->box, &a->set, &a->options, &vgl, NULL, 0);
  if (which < SUMS_GRID) return OF(density_grid)(hw, &a->box, &a->set, &a->options, &parts, NULL, 0);
  return OF(gridpot_grid)(hw, &a->box, &a->gaussians, &a->options, out[0], a->ld, NULL, 0);
}

/* ---- results of processors, whose sums of general cells run in another order ---- */

static convk processor;

/* How far results may differ: parts of the largest one of each kind. */
static double bound(int which) {
  const double eps = sizeof(real) == 4 ? 1.2e-7 : 2.3e-16;
  return eps * (which == VGL_GRID || which == SLOPES_GRID || which == TAU_GRID ? 20 : 12);
}

static void like_processors(int which, const arguments *a, real *const *here, size_t span, const char *what) {
  real *want[PARTS];
  double worst = 0;
  size_t i;
  int d;
  for (d = 0; d < PARTS; d++) {
    want[d] = (real *)malloc(span * sizeof(real));
    if (!want[d]) exit(2);
    memset(want[d], FILL, span * sizeof(real));
  }
  {
    real *out[PARTS];
    for (d = 0; d < PARTS; d++) out[d] = has(which, d) ? want[d] : NULL;
    check(!run_here(&processor, which, a, out), what, processor.message);
  }
  for (d = 0; d < PARTS; d++) {
    double most = 0, apart = 0;
    for (i = 0; i < span; i++) {
      const double w = (double)want[d][i], g = (double)here[d][i];
      if (fabs(w) > most) most = fabs(w);
      if (!(fabs(w - g) <= apart)) apart = fabs(w - g);
    }
    if (apart > worst * most) worst = apart / most;
    check(apart <= bound(which) * most, what, "other numbers than those of processors");
    free(want[d]);
  }
  if (getenv("SHOW_ERRORS")) printf("%s: %.2g of the largest, %.2g allowed\n", what, worst, bound(which));
}

/* ---- bits ---- */

static void one(convk *hw, int which, int kind, unsigned fill) {
  arguments a;
  char what[80];
  real *here[PARTS];
  memory result[PARTS], work;
  size_t span, bytes, need = 0, i;
  unsigned char *all;
  int d, status;
  good_arguments(&a, which, kind);
  sprintf(what, "%s%s%s", names[which], kind & GENERAL ? ", a general cell" : "",
          kind & PERIODIC  ? ", periodic"
          : kind & FAR     ? ", far"
          : kind & ALONG_Y ? ", along y"
                           : "");
  span = rows_of(which) * (a.ld ? a.ld : (size_t)PITCH * NY * NZ);
  bytes = (BEFORE + span + BEHIND) * sizeof(real);
  all = (unsigned char *)malloc(bytes);
  for (d = 0; d < PARTS; d++) {
    here[d] = (real *)malloc(bytes);
    if (!all || !here[d]) exit(2);
    memset(here[d], FILL, bytes);
    memset(all, FILL, bytes);
    result[d] = there(bytes, all);
    a.out[d] = has(which, d) ? FROM(result[d], BEFORE) : none;
  }
  check(!size(which, &a, &need) && need, what, said());
  work = there(WORK_BEFORE + need + WORK_BEHIND, NULL);
  free(all);
  all = (unsigned char *)malloc(WORK_BEFORE + need + WORK_BEHIND + bytes);
  if (!all) exit(2);
  memset(all, (int)fill, WORK_BEFORE + need + WORK_BEHIND);
  put(work, all, WORK_BEFORE + need + WORK_BEHIND);
  a.work = BYTES_AT(work, WORK_BEFORE);
  a.work_size = need;
  {
    real *out[PARTS];
    for (d = 0; d < PARTS; d++) out[d] = has(which, d) ? here[d] + BEFORE : NULL;
    check(!run_here(hw, which, &a, out), what, hw->message);
  }
  if (kind & (GENERAL | FAR | ALONG_Y)) {
    real *out[PARTS];
    for (d = 0; d < PARTS; d++) out[d] = here[d] + BEFORE;
    like_processors(which, &a, out, span, what);
  }
  status = run(which, &a);
  check(!status && !said()[0], what, said());
  memset(a.c, 0, sizeof a.c); /* the host's arrays are not needed any more */
  memset(a.imag, 0, sizeof a.imag);
  memset(a.exponents, 0, sizeof a.exponents);
  memset(a.alpha, 0, sizeof a.alpha);
  memset(a.occupations, 0, sizeof a.occupations);
  back(work, all, WORK_BEFORE + need + WORK_BEHIND);
  for (i = 0; i < WORK_BEFORE && all[i] == fill;) i++;
  check(i == WORK_BEFORE, what, "something was written before work");
  for (i = WORK_BEFORE + need; i < WORK_BEFORE + need + WORK_BEHIND && all[i] == fill;) i++;
  check(i == WORK_BEFORE + need + WORK_BEHIND, what, "something was written behind work");
  for (d = 0; d < PARTS; d++) {
    back(result[d], all, bytes);
    check(!memcmp(all, here[d], bytes), what, "other bits than with arrays of the host, or beside results");
    drop(result[d]);
    free(here[d]);
  }
  drop(work);
  free(all);
}

/* all: each call of each kind; or else every other call is periodic, whose sums over images take long. */
static void bits(int all) {
  convk hw;
  int which;
  if (convk_open(&hw, HARDWARE)) exit(2);
  for (which = 0; which < CALLS; which++) {
    const int open = all || which % 2 == 0, periodic = all || !open;
    if (open) one(&hw, which, 0, 0xff); /* as work NaN, and lists of whatever */
    if (open) one(&hw, which, GENERAL, 0xff);
    if (periodic) one(&hw, which, PERIODIC, 0);
    if (periodic) one(&hw, which, GENERAL | PERIODIC, 0);
    one(&hw, which, FAR, 0xff);
    if (which > SUMS_GRID) one(&hw, which, ALONG_Y, 0xff);
    one(&hw, which, GENERAL | FAR, 0xff);
  }
  convk_close(&hw);
}

/* ---- refusals ---- */

static void expect(int which, const arguments *a, int wanted, const char *text) {
  const int status = run(which, a);
  char what[160];
  sprintf(what, "%s, %.90s", names[which], text);
  check(status == wanted, what, convk_strerror(status));
  check(wanted ? strstr(said(), text) != NULL : !said()[0], what, said());
}

#define SPOIL(wanted, text, ...) \
  do { \
    arguments c; \
    good_arguments(&c, which, 0); \
    for (d = 0; d < PARTS; d++) c.out[d] = has(which, d) ? FROM(result[d], 0) : none; \
    c.work = BYTES_AT(work, 0); \
    c.work_size = need; \
    __VA_ARGS__; \
    expect(which, &c, wanted, text); \
  } while (0)

static void refusals(void) {
  const size_t bytes = (size_t)FUNCTIONS * (PITCH * NY * NZ + 5) * sizeof(real);
  memory result[PARTS], work;
  unsigned char *all = (unsigned char *)malloc(bytes);
  size_t need = 0, own = 0, i, sum = 0;
  arguments a;
  int which, d;
  good_arguments(&a, VGL_GRID, 0);
  if (!all || size(VGL_GRID, &a, &need) || size(WAVES_GRID, &a, &own)) exit(2);
  if (need < own) need = own; /* enough for all of them */
  memset(all, FILL, bytes);
  for (d = 0; d < PARTS; d++) result[d] = there(bytes, all);
  work = there(need + bytes, NULL);
  for (which = 0; which < CALLS; which++) {
    const int sums = which == SUMS_GRID;
    SPOIL(CONVK_ERR_NULL, "box is NULL", c.no_box = 1);
    SPOIL(CONVK_ERR_NULL, sums ? "gaussians is NULL" : "set is NULL", c.no_set = 1);
    SPOIL(CONVK_ERR_OPTION, "box->step_y", c.box.step_y[1] = 0);
    SPOIL(CONVK_ERR_OPTION, "box->step_x and box->step_y lie along one line", c.box.step_x[1] = 0.125; c.box.step_y[0] = -1);
    SPOIL(CONVK_ERR_RANGE, "reaches over too many periods", c.box.step_x[1] = 0.125; c.box.period[2] = 1;
          c.exponents[1][0] = 1e-8; c.alpha[1] = (real)-1e-8);
    SPOIL(CONVK_ERR_WORK, "work_size is 9", c.box.step_z[0] = -0.25; c.work_size = 9);
    SPOIL(CONVK_ERR_OVERLAP, "work", c.box.step_y[2] = 0.5; c.out[0] = FROM(work, 0));
    SPOIL(CONVK_ERR_OPTION, "options->layout", c.options.layout = 1);
    SPOIL(CONVK_ERR_NULL, "is NULL", c.out[0] = none);
    SPOIL(CONVK_ERR_NULL, "work is NULL", c.work = no_bytes);
    SPOIL(CONVK_ERR_WORK, "work_size is 9", c.work_size = 9);
    if (which >= SLOPES_GRID && which != WAVES_GRID && which != WAVES_DENSITY) { /* which need all that a query tells */
      good_arguments(&a, which, 0);
      check(!size(which, &a, &own), names[which], said());
      SPOIL(CONVK_ERR_WORK, "work_size is ", c.work_size = own - 1);
    }
    SPOIL(CONVK_ERR_OVERLAP, "work", c.out[0] = FROM(work, 0));
    if (sums) SPOIL(CONVK_ERR_OPTION, "gaussians->alpha[1] is not negative", c.alpha[1] = 1);
    else SPOIL(CONVK_ERR_OPTION, "set->shells[1].exponents[0] is not positive", c.exponents[1][0] = -1);
    if (sums) SPOIL(CONVK_ERR_NONFINITE, "gaussians->coefficients[1 ldc + 1]", c.c[3] = (real)INFINITY);
    else if (which != FUNCTIONS_GRID) SPOIL(CONVK_ERR_NONFINITE, "set->coefficients[0 ldc + 3]", c.c[3] = (real)NAN);
    if (!is_density(which)) SPOIL(CONVK_ERR_PITCH, "ld is 7", c.ld = 7);
    if (which == VGL_GRID || (is_density(which) && which != WAVES_DENSITY)) SPOIL(CONVK_ERR_NULL, "out is NULL", c.no_out = 1);
    if (which == VGL_GRID) SPOIL(CONVK_ERR_NULL, "out->dz is NULL", c.out[3] = none);
    if (which == VGL_GRID || which == SLOPES_GRID) SPOIL(CONVK_ERR_OVERLAP, "out->dx overlaps out->dz", c.out[3] = c.out[1]);
    if (which == SLOPES_GRID) SPOIL(CONVK_ERR_NULL, "out->dx, out->dy and out->dz: all three or none", c.out[2] = none);
    if (which > SUMS_GRID) {
      SPOIL(CONVK_ERR_NULL, "bloch is NULL", c.no_bloch = 1);
      SPOIL(CONVK_ERR_NONFINITE, "bloch->k[2]", c.k[2] = (double)NAN);
      SPOIL(CONVK_ERR_RANGE, "bloch->k[0]", c.k[0] = 1e30; c.box.period[0] = 5.25);
      SPOIL(CONVK_ERR_NONFINITE, "bloch->imag[0 ldc + 3]", c.imag[3] = (real)NAN);
    }
    if (which == WAVES_DENSITY) SPOIL(CONVK_ERR_OPTION, "add is 2", c.add = 2);
    if (which == DENSITY_GRID || which == WAVES_DENSITY)
      SPOIL(CONVK_ERR_NULL, "set->occupations is NULL", c.set.occupations = NULL);
    if (which == DENSITY_GRID) SPOIL(CONVK_ERR_NONFINITE, "set->occupations[2]", c.occupations[2] = (real)NAN);
#ifdef CONVK_CL
    SPOIL(CONVK_ERR_SIZE, ".mem is too small", c.out[0].offset = bytes / sizeof(real));
    SPOIL(CONVK_ERR_SIZE, "work.mem is too small", c.work.offset = bytes + 8);
#endif
  }
  for (d = 0; d < PARTS; d++) {
    back(result[d], all, bytes);
    for (i = 0; i < bytes; i++) sum += all[i] != FILL;
    drop(result[d]);
  }
  check(!sum, "refusals", "a result was written");
  need = 77;
  a.no_box = 1;
  check(size(VGL_GRID, &a, &need) == CONVK_ERR_NULL && size(SUMS_GRID, &a, &need) == CONVK_ERR_NULL && need == 77, "sizes",
        said());
  drop(work);
  free(all);
}

int main(int argc, char **argv) {
  const int all = argc > 1 && !strcmp(argv[1], "all");
  open_first();
  if (convk_open(&processor, NULL)) return 2;
  refusals();
#ifdef CONVK_CL
  bits(1);
  first_device.cpu = !first_device.cpu; /* the other shape of work-items */
#endif
  bits(all);
  close_first();
  convk_close(&processor);
  return done();
}
