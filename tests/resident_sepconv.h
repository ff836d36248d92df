/* SPDX-License-Identifier: MIT
   What the calls of sepconv on device memory refuse, and that their messages name it: one text for test_opencl_host.c and
   test_cuda_calls.cpp, which define
     RESIDENT(name)          the call: convk_cl_##name, convk_cuda_##name
     RESIDENT_ON, RESIDENT_SAID   the type of what it runs on, and the message of `on`
     RESIDENT_ARRAY(type)    an array there; RESIDENT_NONE: none
     RESIDENT_AT(type, array, k)  from its element k on
     RESIDENT_ONLY_CL(...)   what OpenCL alone finds
     resident_refused(good, what, why)  counts */

#include <math.h>

enum { RESIDENT_N = 6 * 5 * 4, RESIDENT_WORK = 1 << 20 };

/* Good arguments of all calls, of which a test spoils one. */
typedef struct resident_call {
  convk_sepconv3d_shape shape;
  const convk_sepconv3d_shape *grids;
  convk_conv1d_shape rows;
  const convk_conv1d_shape *lines;
  convk_filter_f64 f[3];
  const convk_filter_f64 *filter;
  RESIDENT(sepconv_epilogue_f64) e;
  const RESIDENT(sepconv_epilogue_f64) * epilogue;
  int direction;
  RESIDENT_ARRAY(double) in;
  RESIDENT_ARRAY(double) out;
  RESIDENT_ARRAY(double) potential;
  RESIDENT_ARRAY(double) energy;
  RESIDENT_ARRAY(void) work;
  size_t work_size;
} resident_call;

enum { RESIDENT_SEPCONV, RESIDENT_MAGIC, RESIDENT_POTENTIAL, RESIDENT_ROWS, RESIDENT_CALLS };

static int resident_run(RESIDENT_ON *on, int which, const resident_call *c) {
  switch (which) {
    case RESIDENT_SEPCONV:
      return RESIDENT(sepconv3d_f64)(on, c->grids, c->filter, c->epilogue, c->in, c->out, c->work, c->work_size);
    case RESIDENT_MAGIC:
      return RESIDENT(magicfilter3d_f64)(on, c->grids, c->direction, c->epilogue, c->in, c->out, c->work, c->work_size);
    case RESIDENT_POTENTIAL:
      return RESIDENT(potential_apply_f64)(on, c->grids, c->potential, c->in, c->out, c->energy, c->work, c->work_size);
    default: return RESIDENT(conv1d_transpose_f64)(on, c->lines, c->filter, c->in, c->out, c->work, c->work_size);
  }
}
static int resident_size(RESIDENT_ON *on, int which, const resident_call *c, size_t *bytes) {
  switch (which) {
    case RESIDENT_SEPCONV: return RESIDENT(sepconv3d_work_size_f64)(on, c->grids, c->filter, c->epilogue, bytes);
    case RESIDENT_MAGIC: return RESIDENT(magicfilter3d_work_size_f64)(on, c->grids, c->direction, c->epilogue, bytes);
    case RESIDENT_POTENTIAL: return RESIDENT(potential_apply_work_size_f64)(on, c->grids, bytes);
    default: return RESIDENT(conv1d_transpose_work_size_f64)(on, c->lines, c->filter, bytes);
  }
}

static void resident_expect(RESIDENT_ON *on, int which, const resident_call *c, int wanted, const char *text,
                            const char *what) {
  const int status = resident_run(on, which, c);
  resident_refused(status == wanted, what, convk_strerror(status));
  resident_refused(wanted ? strstr(RESIDENT_SAID, text) != NULL : !RESIDENT_SAID[0], what, RESIDENT_SAID);
}

/* Arrays of 4 N doubles; `sums` of 2; work of RESIDENT_WORK bytes. */
static void resident_sepconv(RESIDENT_ON *on, RESIDENT_ARRAY(double) x, RESIDENT_ARRAY(double) y, RESIDENT_ARRAY(double) v,
                             RESIDENT_ARRAY(double) density, RESIDENT_ARRAY(double) sums, RESIDENT_ARRAY(void) work) {
  static const double taps[3] = {0.25, 0.5, 0.25}, wrong[3] = {0.25, HUGE_VAL, 0.25};
  resident_call good, c;
  size_t bytes = 0, less = 0;
  int which, k;
  memset(&good, 0, sizeof good);
  good.shape.in.nx = 6, good.shape.in.ny = 5, good.shape.in.nz = 4;
  good.rows.n = 6, good.rows.ndat = 20;
  for (k = 0; k < 3; k++) good.f[k].lo = -1, good.f[k].up = 1, good.f[k].taps = taps;
  good.in = x;
  good.out = y;
  good.potential = v;
  good.work = work;
  good.work_size = RESIDENT_WORK;
#define SPOIL(wanted, text, ...) \
  do { \
    c = good; \
    c.grids = &c.shape; \
    c.lines = &c.rows; \
    c.filter = c.f; \
    __VA_ARGS__; \
    resident_expect(on, which, &c, wanted, text, #__VA_ARGS__); \
  } while (0)
  for (which = 0; which < RESIDENT_CALLS; which++) {
    const int rows = which == RESIDENT_ROWS, filters = which == RESIDENT_SEPCONV || rows;
    SPOIL(CONVK_OK, "", (void)c);
    SPOIL(CONVK_ERR_NULL, "shape is NULL", c.grids = NULL; c.lines = NULL);
    SPOIL(CONVK_ERR_NULL, which == RESIDENT_POTENTIAL ? "psi is NULL" : "in is NULL", c.in = RESIDENT_NONE);
    SPOIL(CONVK_ERR_NULL, "out is NULL", c.out = RESIDENT_NONE);
    SPOIL(CONVK_ERR_OVERLAP, " overlaps out", c.out = RESIDENT_AT(double, x, 1));
    SPOIL(CONVK_ERR_BOUNDARY, "shape->boundary", c.shape.boundary[1] = 7; c.rows.boundary = 7);
    SPOIL(CONVK_ERR_SIZE, rows ? "shape->n is 0" : "shape->in.nx is 0", c.shape.in.nx = 0; c.rows.n = 0);
    SPOIL(CONVK_ERR_PITCH, rows ? "shape->ld_in is 5" : "shape->in.pitch_y is 5, less than nx = 6", c.shape.in.pitch_y = 5;
          c.rows.ld_in = 5);
    SPOIL(CONVK_ERR_OVERFLOW, "shape->", c.shape.in.pitch_z = (size_t)-1; c.rows.ld_in = (size_t)-1);
    RESIDENT_ONLY_CL(SPOIL(CONVK_ERR_SIZE, ".mem is too small a buffer", c.in = RESIDENT_AT(double, x, 4 * RESIDENT_N - 1));)
    if (filters) {
      SPOIL(CONVK_ERR_NULL, "filter is NULL", c.filter = NULL);
      SPOIL(CONVK_ERR_NULL, "taps is NULL", c.f[0].taps = NULL);
      SPOIL(CONVK_ERR_TAPS, "filter", c.f[0].up = 99);
      SPOIL(CONVK_ERR_NONFINITE, "taps[1] is not finite", c.f[0].taps = wrong);
      SPOIL(CONVK_ERR_SHRINK, "shape->boundary", c.f[0].up = 9; c.shape.boundary[0] = c.rows.boundary = CONVK_BOUNDARY_SHRINK);
    }
    if (rows) continue;
    SPOIL(CONVK_ERR_SIZE, "shape->out must be of 6 x 5 x 4", c.shape.out = c.shape.in; c.shape.out.nz++);
    SPOIL(CONVK_ERR_NULL, "work is NULL", c.work = RESIDENT_NONE);
    SPOIL(CONVK_ERR_WORK, "work_size is 100, and ", c.work_size = 100);
    SPOIL(CONVK_ERR_OVERLAP, "overlaps work", c.work = RESIDENT_AT(void, x, 0); c.work_size = 4 * RESIDENT_N * sizeof(double));
    if (which == RESIDENT_POTENTIAL) {
      SPOIL(CONVK_OK, "", c.out = c.in);
      SPOIL(CONVK_OK, "", c.energy = sums);
      SPOIL(CONVK_ERR_NULL, "potential is NULL", c.potential = RESIDENT_NONE);
      SPOIL(CONVK_ERR_OVERLAP, "out overlaps energy", c.energy = y);
      continue;
    }
    if (which == RESIDENT_MAGIC) SPOIL(CONVK_ERR_OPTION, "direction is 5", c.direction = 5);
    SPOIL(CONVK_OK, "", c.epilogue = &c.e; c.e.potential = v; c.e.density = density; c.e.dot = sums;
          c.e.energy = RESIDENT_AT(double, sums, 1); c.e.update = 1);
    SPOIL(CONVK_OK, "", c.epilogue = &c.e; c.e.dot = sums; c.out = RESIDENT_NONE);
    SPOIL(CONVK_ERR_OPTION, "epilogue->energy", c.epilogue = &c.e; c.e.energy = sums);
    SPOIL(CONVK_ERR_OPTION, "epilogue->update", c.epilogue = &c.e; c.e.update = 2);
    SPOIL(CONVK_ERR_NONFINITE, "epilogue->density_factor", c.epilogue = &c.e; c.e.density = density;
          c.e.density_factor = HUGE_VAL);
    SPOIL(CONVK_ERR_NONFINITE, "epilogue->b is", c.epilogue = &c.e; c.e.update = 1; c.e.b = HUGE_VAL);
    SPOIL(CONVK_ERR_OVERLAP, "out overlaps epilogue->potential", c.epilogue = &c.e; c.e.potential = y);
    SPOIL(CONVK_ERR_OVERLAP, "epilogue->density", c.epilogue = &c.e; c.e.density = x);
    SPOIL(CONVK_ERR_OVERLAP, "epilogue->dot overlaps epilogue->energy", c.epilogue = &c.e; c.e.potential = v; c.e.dot = sums;
          c.e.energy = sums);
  }
  /* size queries: enough, no more than is needed, larger for more, and the same refusals */
  for (which = 0; which < RESIDENT_CALLS; which++) {
    c = good;
    c.grids = &c.shape;
    c.lines = &c.rows;
    c.filter = c.f;
    c.epilogue = &c.e;
    c.e.potential = v;
    c.e.dot = sums;
    c.e.energy = RESIDENT_AT(double, sums, 1);
    if (which == RESIDENT_POTENTIAL) c.energy = sums;
    resident_refused(!resident_size(on, which, &c, &bytes), "work_size", RESIDENT_SAID);
    resident_refused(!resident_size(NULL, which, &c, &less) && less == bytes, "work_size on nothing", "NULL");
    c.work_size = bytes;
    resident_refused(!resident_run(on, which, &c), "as much as work_size says", RESIDENT_SAID);
    c.epilogue = NULL;
    resident_refused(!resident_size(on, which, &c, &less) && less <= bytes, "work_size without sums", RESIDENT_SAID);
    for (k = 0; k < 40; k++) { /* smaller grids and shorter rows */
      c = good;
      c.grids = &c.shape;
      c.lines = &c.rows;
      c.filter = c.f;
      c.shape.in.nx = c.rows.n = 3 + (size_t)k;
      c.shape.in.ny = 5 + (size_t)(k / 3);
      resident_refused(!resident_size(on, which, &c, &bytes) && (!k || bytes >= less), "work_size grows", RESIDENT_SAID);
      less = bytes;
    }
    bytes = 77;
    resident_refused(resident_size(on, which, &c, NULL) == CONVK_ERR_NULL && strstr(RESIDENT_SAID, "bytes is NULL"),
                     "work_size to NULL", RESIDENT_SAID);
    c.shape.in.nx = c.rows.n = 0;
    resident_refused(resident_size(on, which, &c, &bytes) == CONVK_ERR_SIZE && strstr(RESIDENT_SAID, "shape->") && bytes == 77,
                     "work_size of nothing", RESIDENT_SAID);
  }
#undef SPOIL
}
