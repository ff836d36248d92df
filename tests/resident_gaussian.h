/* SPDX-License-Identifier: MIT
   What the calls on Gaussians on device memory refuse, and that their messages name it: after resident_sepconv.h, in its words,
   and with RESIDENT(points) and RESIDENT(vgl).  Those of grids: test_gaussian_there.c. */

typedef struct resident_gaussians {
  RESIDENT(points) points;
  const RESIDENT(points) * at;
  convk_gaussians_f64 exponents;
  const convk_gaussians_f64 *gaussians;
  convk_gaussian_options options;
  const convk_orbitals_plan_f64 *plan;
  RESIDENT_ARRAY(const void) device_plan;
  RESIDENT(vgl) five;
  const RESIDENT(vgl) * vgl;
  RESIDENT_ARRAY(double) out;
  size_t ld;
} resident_gaussians;

enum { RESIDENT_GRIDPOT, RESIDENT_SUM, RESIDENT_ORBITALS, RESIDENT_VGL, RESIDENT_DENSITY };

static int resident_gaussian_run(RESIDENT_ON *on, int which, const resident_gaussians *c) {
  switch (which) {
    case RESIDENT_GRIDPOT: return RESIDENT(gridpot_f64)(on, c->at, c->gaussians, &c->options, c->out, c->ld);
    case RESIDENT_SUM: return RESIDENT(gridpot_sum_f64)(on, c->at, c->gaussians, &c->options, c->out, c->ld);
    case RESIDENT_ORBITALS: return RESIDENT(orbitals_f64)(on, c->at, c->plan, c->device_plan, &c->options, c->out, c->ld);
    case RESIDENT_VGL: return RESIDENT(orbitals_vgl_f64)(on, c->at, c->plan, c->device_plan, &c->options, c->vgl);
    default: return RESIDENT(density_f64)(on, c->at, c->plan, c->device_plan, &c->options, c->out);
  }
}

static void resident_gaussian_expect(RESIDENT_ON *on, int which, const resident_gaussians *c, int wanted, const char *text) {
  const int status = resident_gaussian_run(on, which, c);
  resident_refused(status == wanted, text, convk_strerror(status));
  resident_refused(wanted ? strstr(RESIDENT_SAID, text) != NULL : !RESIDENT_SAID[0], text, RESIDENT_SAID);
}

#define RESIDENT_SPOIL(which, wanted, text, ...) \
  do { \
    resident_gaussians c = *good; \
    c.at = &c.points; \
    c.gaussians = &c.exponents; \
    c.vgl = &c.five; \
    __VA_ARGS__; \
    resident_gaussian_expect(on, which, &c, wanted, text); \
  } while (0)

static void resident_gridpot_refused(RESIDENT_ON *on, const resident_gaussians *good) {
  static const char *const names[2] = {"g is NULL", "sums is NULL"};
  int k;
  for (k = RESIDENT_GRIDPOT; k <= RESIDENT_SUM; k++) {
    RESIDENT_SPOIL(k, CONVK_OK, "", c.ld = 0);
    RESIDENT_SPOIL(k, CONVK_ERR_NULL, "points is NULL", c.at = NULL);
    RESIDENT_SPOIL(k, CONVK_ERR_NULL, "gaussians is NULL", c.gaussians = NULL);
    RESIDENT_SPOIL(k, CONVK_ERR_NULL, "points->z is NULL", c.points.z = RESIDENT_NONE);
    RESIDENT_SPOIL(k, CONVK_ERR_NULL, "gaussians->alpha is NULL", c.exponents.alpha = NULL);
    RESIDENT_SPOIL(k, CONVK_ERR_NULL, names[k], c.out = RESIDENT_NONE);
    RESIDENT_SPOIL(k, CONVK_ERR_OPTION, "options->layout is 7", c.options.layout = 7);
    RESIDENT_SPOIL(k, CONVK_ERR_NONFINITE, "gaussians->center[1]", c.exponents.center[1] = (double)NAN);
    RESIDENT_SPOIL(k, CONVK_ERR_PITCH, "ld is 1", c.ld = 1);
    RESIDENT_SPOIL(k, CONVK_ERR_OVERFLOW, "points->n", c.points.n = SIZE_MAX);
    RESIDENT_SPOIL(k, CONVK_ERR_OVERLAP, "points->y overlaps", c.points.y = c.out);
    RESIDENT_ONLY_CL(RESIDENT_SPOIL(k, CONVK_ERR_SIZE, ".mem is too small", c.out.offset += 4 * RESIDENT_N);)
    RESIDENT_ONLY_CL({
      static const double odd[3] = {-1, (double)INFINITY, -1};
      RESIDENT_SPOIL(k, CONVK_ERR_NONFINITE, "gaussians->alpha[1]", c.exponents.alpha = odd);
      if (k) RESIDENT_SPOIL(k, CONVK_ERR_NONFINITE, "gaussians->coefficients[", c.exponents.coefficients = odd);
    })
  }
  RESIDENT_SPOIL(RESIDENT_SUM, CONVK_ERR_NULL, "gaussians->coefficients is NULL", c.exponents.coefficients = NULL);
  RESIDENT_SPOIL(RESIDENT_SUM, CONVK_ERR_PITCH, "gaussians->ldc is 1", c.exponents.ldc = 1);
}

static void resident_orbitals_refused(RESIDENT_ON *on, const resident_gaussians *good, const convk_orbitals_plan_f64 *poor) {
  static const char *const names[3] = {"value is NULL", "out->value is NULL", "density is NULL"};
  int k;
  for (k = RESIDENT_ORBITALS; k <= RESIDENT_DENSITY; k++) {
    RESIDENT_SPOIL(k, CONVK_OK, "", c.ld = 0);
    RESIDENT_SPOIL(k, CONVK_ERR_NULL, "points is NULL", c.at = NULL);
    RESIDENT_SPOIL(k, CONVK_ERR_NULL, "points->x is NULL", c.points.x = RESIDENT_NONE);
    RESIDENT_SPOIL(k, CONVK_ERR_NULL, "plan is NULL", c.plan = NULL);
    RESIDENT_SPOIL(k, CONVK_ERR_NULL, "device_plan is NULL", c.device_plan = RESIDENT_NONE);
    RESIDENT_SPOIL(k, CONVK_ERR_NULL, names[k - RESIDENT_ORBITALS], c.out = c.five.value = RESIDENT_NONE);
    RESIDENT_SPOIL(k, CONVK_ERR_OPTION, "options->compensated", c.options.compensated = 1);
    RESIDENT_SPOIL(k, CONVK_ERR_OVERLAP, "device_plan", c.device_plan = c.out = c.five.value);
    RESIDENT_ONLY_CL(RESIDENT_SPOIL(k, CONVK_ERR_PLAN, "device_plan does not lie", c.device_plan.offset += 4);)
    RESIDENT_ONLY_CL(RESIDENT_SPOIL(k, CONVK_ERR_SIZE, "device_plan.mem", c.device_plan.offset = RESIDENT_WORK);)
  }
  RESIDENT_SPOIL(RESIDENT_ORBITALS, CONVK_ERR_PITCH, "ld is 1", c.ld = 1);
  RESIDENT_SPOIL(RESIDENT_VGL, CONVK_ERR_PITCH, "out->ld is 1", c.five.ld = 1);
  RESIDENT_SPOIL(RESIDENT_VGL, CONVK_ERR_NULL, "out is NULL", c.vgl = NULL);
  RESIDENT_SPOIL(RESIDENT_VGL, CONVK_ERR_NULL, "out->dz is NULL", c.five.dz = RESIDENT_NONE);
  RESIDENT_SPOIL(RESIDENT_VGL, CONVK_ERR_OVERLAP, "out->dx overlaps out->dz", c.five.dz = c.five.dx);
  RESIDENT_SPOIL(RESIDENT_DENSITY, CONVK_ERR_PLAN, "plan was prepared without occupations", c.plan = poor);
}
#undef RESIDENT_SPOIL

/* x: points; a to c: arrays of 4 N doubles for results; there: of RESIDENT_WORK bytes, for a plan that is never read, as no
   point is looked at: gaussian's own arrays are on the host, or, where the device reads them, `numbers`. */
static void resident_gaussian(RESIDENT_ON *on, RESIDENT_ARRAY(double) x, RESIDENT_ARRAY(double) a, RESIDENT_ARRAY(double) b,
                              RESIDENT_ARRAY(void) there, const double *numbers,
                              void (*send)(RESIDENT_ON *on, RESIDENT_ARRAY(void) there, const void *plan, size_t bytes)) {
  static const double exponents[1] = {1}, ones[3] = {1, 1, 1};
  enum { POINTS = 20 };
  convk_shell shell;
  convk_orbital_set_f64 set;
  resident_gaussians good;
  convk_orbitals_plan_f64 *plan[2] = {NULL, NULL};
  size_t bytes = 0, k;
  memset(&shell, 0, sizeof shell);
  memset(&set, 0, sizeof set);
  memset(&good, 0, sizeof good);
  shell.primitives = 1;
  shell.exponents = exponents;
  shell.coefficients = ones;
  set.nshells = 1;
  set.shells = &shell;
  set.norbitals = 1;
  set.coefficients = ones;
  for (k = 0; k < 2; k++) { /* the second has no occupations */
    set.occupations = k ? NULL : ones;
    resident_refused(!convk_orbitals_plan_size_f64(NULL, &set, &bytes), "plan", "size");
    plan[k] = (convk_orbitals_plan_f64 *)malloc(bytes);
    resident_refused(plan[k] && !convk_orbitals_prepare_f64(NULL, &set, plan[k], bytes), "plan", "prepare");
  }
  send(on, there, plan[0], bytes);
  good.points.n = POINTS;
  good.points.x = x;
  good.points.y = RESIDENT_AT(double, x, POINTS);
  good.points.z = RESIDENT_AT(double, x, 2 * POINTS);
  good.exponents.n = 3;
  good.exponents.alpha = numbers;
  good.exponents.nsums = 1;
  good.exponents.coefficients = numbers;
  good.plan = plan[0];
  good.device_plan = there;
  good.out = a;
  good.five.value = a;
  good.five.dx = RESIDENT_AT(double, a, POINTS);
  good.five.dy = RESIDENT_AT(double, a, 2 * POINTS);
  good.five.dz = b;
  good.five.laplacian = RESIDENT_AT(double, b, POINTS);
  resident_gridpot_refused(on, &good);
  resident_orbitals_refused(on, &good, plan[1]);
  free(plan[0]);
  free(plan[1]);
}
