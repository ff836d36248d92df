/* SPDX-License-Identifier: MIT
   After test_sum_there.c: chebyshev3d and hamiltonian_apply on device memory, what they refuse and why, and their results
   beside those of a processor; and there chebyshev3d beside its recurrence by calls of sumconv3d. */

#ifdef CONVK_CUDA
#define convk_cuda_hamiltonian_terms_f64 convk_hamiltonian_terms_f64
#define RESIDENT_ENERGIES(array) ((convk_hamiltonian_energies *)(array))
#else
#define RESIDENT_ENERGIES(array) (array)
#endif

typedef struct resident_filter_call {
  convk_sumconv3d_shape shape;
  const convk_sumconv3d_shape *grids;
  RESIDENT(sumconv_terms_f64) t;
  const RESIDENT(sumconv_terms_f64) * terms;
  convk_chebyshev f;
  const convk_chebyshev *filter;
  RESIDENT_ARRAY(double) in;
  RESIDENT_ARRAY(double) out;
  RESIDENT_ARRAY(void) work;
  size_t work_size;
} resident_filter_call;

static int resident_filter_run(RESIDENT_ON *on, int complex_call, const resident_filter_call *c) {
  return complex_call ? RESIDENT(chebyshev3d_c64)(on, c->grids, c->terms, c->filter, c->in, c->out, c->work, c->work_size)
                      : RESIDENT(chebyshev3d_f64)(on, c->grids, c->terms, c->filter, c->in, c->out, c->work, c->work_size);
}
static int resident_filter_size(RESIDENT_ON *on, int complex_call, const resident_filter_call *c, size_t *bytes) {
  return complex_call ? RESIDENT(chebyshev3d_work_size_c64)(on, c->grids, c->terms, c->filter, bytes)
                      : RESIDENT(chebyshev3d_work_size_f64)(on, c->grids, c->terms, c->filter, bytes);
}

/* Terms of a call there from those here, but for the potential. */
static void resident_filter_terms(const convk_sumconv_terms_f64 *here, RESIDENT(sumconv_terms_f64) * there) {
  memset(there, 0, sizeof *there);
  memcpy(there->filter, here->filter, sizeof here->filter);
  memcpy(there->imag, here->imag, sizeof here->imag);
  memcpy(there->first, here->first, sizeof here->first);
  memcpy(there->mixed, here->mixed, sizeof here->mixed);
  memcpy(there->phase, here->phase, sizeof here->phase);
  there->potential_factor = here->potential_factor;
  there->shift = here->shift;
}

/* The recurrence by calls of sumconv3d here, in arrays that all lie as `out`; x: as the input lies. */
enum { FILTER_N = 4 * RESIDENT_N };
static int resident_recurrence(int complex_call, const convk_sumconv3d_shape *shape, const convk_sumconv_terms_f64 *terms,
                               const convk_chebyshev *f, const double *x, double *y) {
  static double array[3][FILTER_N], taps[2][3][4];
  const double c = (f->high + f->low) / 2, e = (f->high - f->low) / 2, first = e / (f->lowest - c);
  const size_t step = complex_call ? 2 : 1;
  convk_sumconv3d_shape s = *shape;
  double sigma = first;
  size_t v, i, j, k;
  int n, d, status = CONVK_OK;
  s.in = s.out;
  s.in_stride = s.out_stride;
  memset(array, 0, sizeof array);
  for (v = 0; v < s.vectors; v++)
    for (k = 0; k < s.in.nz; k++)
      for (j = 0; j < s.in.ny; j++)
        for (i = 0; i < step * s.in.nx; i++)
          array[0][(v * s.out_stride + k * s.out.pitch_z + j * s.out.pitch_y) * step + i] =
              x[(v * shape->in_stride + k * shape->in.pitch_z + j * shape->in.pitch_y) * step + i];
  for (n = 0; n < f->degree && !status; n++) {
    convk_sumconv_terms_f64 t = *terms;
    const double next = n ? 1 / (2 / first - sigma) : sigma, factor = n ? 2 * next / e : first / e;
    for (d = 0; d < 3; d++) {
      for (i = 0; i < 4; i++) {
        taps[0][d][i] = factor * resident_sum_taps[i];
        taps[1][d][i] = factor * resident_sum_taps[i];
      }
      t.filter[d].taps = taps[0][d];
      if (t.imag[d].taps) t.imag[d].taps = taps[1][d];
      t.mixed[d] = factor * t.mixed[d];
    }
    t.potential_factor = factor * t.potential_factor;
    t.shift = factor * (t.shift - c);
    t.add = n ? array[(n + 2) % 3] : NULL;
    t.add_factor = n ? -(sigma * next) : 0;
    sigma = next;
    status = complex_call ? convk_sumconv3d_c64_scalar(NULL, &s, &t, array[n % 3], array[(n + 1) % 3], NULL, NULL, 0)
                          : convk_sumconv3d_f64_scalar(NULL, &s, &t, array[n % 3], array[(n + 1) % 3], NULL, NULL, 0);
  }
  for (v = 0; v < s.vectors; v++)
    for (k = 0; k < s.in.nz; k++)
      for (j = 0; j < s.in.ny; j++)
        for (i = 0; i < step * s.in.nx; i++) {
          const size_t at = (v * s.out_stride + k * s.out.pitch_z + j * s.out.pitch_y) * step + i;
          y[at] = array[f->degree % 3][at];
        }
  return status;
}

/* Padded grids that do not lie alike, two vectors, and arrays that begin later. */
static void resident_filter_results(RESIDENT_ON *on, int complex_call, int degree, unsigned has, resident_filter_call c,
                                    RESIDENT_ARRAY(double) v) {
  static double x[FILTER_N], y[FILTER_N], got[FILTER_N], known[FILTER_N], potential[FILTER_N];
  const size_t step = complex_call ? 2 : 1, begin = 3;
  convk_sumconv_terms_f64 here;
  RESIDENT_ARRAY(double) all = c.out;
  convk_sumconv3d_shape apart;
  size_t i, need = 0, more = 0;
  double worst = 0, most = 0;
  int d, status;
  memset(&here, 0, sizeof here);
  for (i = 0; i < FILTER_N; i++) {
    x[i] = (double)(i * 37 % 64) / 32 - 1;
    y[i] = got[i] = known[i] = (double)(i * 11 % 32) / 16 - 1;
    potential[i] = (double)(i * 7 % 16) / 8 - 1;
  }
  c.shape.in.nx = 4, c.shape.in.ny = 3, c.shape.in.nz = 3, c.shape.in.pitch_y = 5, c.shape.in.pitch_z = 17;
  c.shape.out = c.shape.in;
  c.shape.out.pitch_y = 6, c.shape.out.pitch_z = 19;
  c.shape.vectors = 2, c.shape.in_stride = 55, c.shape.out_stride = 60;
  c.shape.boundary[1] = CONVK_BOUNDARY_ZERO;
  for (d = 0; d < 3; d++) {
    here.filter[d].lo = d == 2 || degree % 2 ? -1 : -2; /* of one length to both sides, too */
    here.filter[d].up = 1;
    here.first[d].lo = d == 2 ? 0 : -1;
    here.first[d].up = 1;
    here.filter[d].taps = here.first[d].taps = resident_sum_taps;
    here.mixed[d] = has & RESIDENT_SUM_MIXED ? 0.5 * (d + 1) : 0;
    if (has & RESIDENT_SUM_TURNS && d != 1) here.phase[d][0] = 0.6, here.phase[d][1] = d ? -0.8 : 0.8;
  }
  if (has & RESIDENT_SUM_TURNS) here.imag[1] = here.filter[1];
  here.potential_factor = 0.75;
  here.shift = -0.5;
  resident_filter_terms(&here, &c.t);
  c.f.degree = degree;
  resident_send(on, c.in, x, FILTER_N);
  resident_send(on, c.out, y, FILTER_N);
  resident_send(on, v, potential, FILTER_N);
  c.in = complex_call ? RESIDENT_PAIR(c.in, begin) : RESIDENT_AT(double, c.in, begin);
  c.out = complex_call ? RESIDENT_PAIR(c.out, begin) : RESIDENT_AT(double, c.out, begin);
  if (has & RESIDENT_SUM_ADD) here.potential = potential + begin, c.t.potential = RESIDENT_AT(double, v, begin);
  apart = c.shape;
  c.grids = &c.shape;
  c.terms = &c.t;
  c.filter = &c.f;
  resident_refused(!resident_filter_size(on, complex_call, &c, &need) && need <= c.work_size, "work of chebyshev3d",
                   RESIDENT_SAID);
  apart.out.pitch_z = 1 << 20;
  apart.out_stride = 3 << 20;
  c.grids = &apart;
  resident_refused(!resident_filter_size(on, complex_call, &c, &more) && more == need, "work of chebyshev3d follows points",
                   RESIDENT_SAID);
  c.grids = &c.shape;
  c.work_size = need;
  if (!need) c.work = RESIDENT_NONE;
  status = resident_filter_run(on, complex_call, &c);
  resident_refused(!status, "chebyshev3d there", RESIDENT_SAID);
  resident_fetch(on, all, y, FILTER_N);
  status = complex_call
               ? convk_chebyshev3d_c64_scalar(NULL, &c.shape, &here, &c.f, x + begin * step, got + begin * step, NULL, 0)
               : convk_chebyshev3d_f64_scalar(NULL, &c.shape, &here, &c.f, x + begin * step, got + begin * step, NULL, 0);
  resident_refused(!status, "chebyshev3d here", convk_strerror(status));
  status = resident_recurrence(complex_call, &c.shape, &here, &c.f, x + begin * step, known + begin * step);
  resident_refused(!status && !memcmp(got, known, sizeof got), "chebyshev3d has the bits of its recurrence",
                   complex_call ? "complex" : "real");
  for (i = 0; i < FILTER_N; i++) {
    worst = fabs(y[i] - got[i]) > worst ? fabs(y[i] - got[i]) : worst;
    most = fabs(got[i]) > most ? fabs(got[i]) : most;
  }
  resident_refused(worst <= 5e-14 * degree * most, "results of chebyshev3d", complex_call ? "complex" : "real");
}

static void resident_filter(RESIDENT_ON *on, RESIDENT_ARRAY(double) x, RESIDENT_ARRAY(double) y, RESIDENT_ARRAY(double) v,
                            RESIDENT_ARRAY(void) work) {
  resident_filter_call good, c;
  size_t bytes = 0, less = 0;
  unsigned has;
  int which, d, degree, status;
  memset(&good, 0, sizeof good);
  good.shape.in.nx = 6, good.shape.in.ny = 5, good.shape.in.nz = 4;
  for (d = 0; d < 3; d++) {
    good.t.filter[d].lo = good.t.first[d].lo = -1, good.t.filter[d].up = good.t.first[d].up = 1;
    good.t.filter[d].taps = good.t.first[d].taps = resident_sum_taps;
    good.t.mixed[d] = 1;
  }
  good.f.degree = 3, good.f.low = -1, good.f.high = 4, good.f.lowest = -1.5;
  good.in = x;
  good.out = y;
  good.work = work;
  good.work_size = RESIDENT_WORK;
#define SPOIL(wanted, text, ...) \
  do { \
    c = good; \
    c.grids = &c.shape; \
    c.terms = &c.t; \
    c.filter = &c.f; \
    __VA_ARGS__; \
    status = resident_filter_run(on, which, &c); \
    resident_refused(status == wanted, #__VA_ARGS__, convk_strerror(status)); \
    resident_refused((wanted) != CONVK_OK ? strstr(RESIDENT_SAID, text) != NULL : !RESIDENT_SAID[0], #__VA_ARGS__, \
                     RESIDENT_SAID); \
  } while (0)
  for (which = 0; which < 2; which++) {
    SPOIL(CONVK_OK, "", (void)c);
    SPOIL(CONVK_OK, "", c.t.potential = v);
    SPOIL(CONVK_ERR_NULL, "shape is NULL", c.grids = NULL);
    SPOIL(CONVK_ERR_NULL, "terms is NULL", c.terms = NULL);
    SPOIL(CONVK_ERR_NULL, "filter is NULL", c.filter = NULL);
    SPOIL(CONVK_ERR_NULL, "in is NULL", c.in = RESIDENT_NONE);
    SPOIL(CONVK_ERR_NULL, "out is NULL", c.out = RESIDENT_NONE);
    SPOIL(CONVK_ERR_NULL, "work is NULL", c.work = RESIDENT_NONE);
    SPOIL(CONVK_ERR_WORK, "work_size is 100, and ", c.work_size = 100);
    SPOIL(CONVK_ERR_OPTION, "terms->add is set", c.t.add = v);
    SPOIL(CONVK_ERR_OPTION, "filter->degree is 0", c.f.degree = 0);
    SPOIL(CONVK_ERR_OPTION, "filter->low is not below", c.f.high = -1);
    SPOIL(CONVK_ERR_OPTION, "filter->lowest is not below", c.f.lowest = -1);
    SPOIL(CONVK_ERR_NONFINITE, "filter->high", c.f.high = HUGE_VAL);
    SPOIL(CONVK_ERR_NONFINITE, "terms become infinite", c.t.shift = 1e300; c.f.high = c.f.low + 1e-10;
          c.f.lowest = -1.0000000001);
    SPOIL(CONVK_ERR_BOUNDARY, "shape->boundary[2]", c.shape.boundary[2] = CONVK_BOUNDARY_GROW);
    SPOIL(CONVK_ERR_OVERLAP, "in overlaps out", c.out = RESIDENT_AT(double, x, 2));
    SPOIL(CONVK_ERR_OVERLAP, "out overlaps terms->potential", c.t.potential = RESIDENT_AT(double, y, 2));
    SPOIL(CONVK_ERR_OVERLAP, "overlaps work", c.work = RESIDENT_AT(void, x, 0); c.work_size = 4 * RESIDENT_N * sizeof(double);
          memset(c.t.mixed, 0, sizeof c.t.mixed); c.shape.in.nx = 1);
    RESIDENT_ONLY_CL(SPOIL(CONVK_ERR_SIZE, "in.mem is too small a buffer", c.in = RESIDENT_AT(double, x, 4 * RESIDENT_N - 1));)
    c = good;
    c.grids = &c.shape;
    c.terms = &c.t;
    c.filter = &c.f;
    resident_refused(!resident_filter_size(on, which, &c, &bytes), "work_size", RESIDENT_SAID);
    resident_refused(!resident_filter_size(NULL, which, &c, &less) && less == bytes, "work_size on nothing", "NULL");
    c.f.degree = 1;
    memset(c.t.mixed, 0, sizeof c.t.mixed);
    resident_refused(!resident_filter_size(on, which, &c, &less) && !less, "work_size of one step", RESIDENT_SAID);
    resident_refused(resident_filter_size(on, which, &c, NULL) == CONVK_ERR_NULL && strstr(RESIDENT_SAID, "bytes is NULL"),
                     "work_size to NULL", RESIDENT_SAID);
    resident_filter_results(on, which, 20, RESIDENT_SUM_ADD, good, v); /* more taps than OpenCL keeps */
    for (degree = 1; degree < 5; degree++)
      for (has = 0; has < 32; has++)
        if (!(has & (RESIDENT_SUM_SUMS | RESIDENT_SUM_GROW)) && (which || !(has & RESIDENT_SUM_TURNS)))
          resident_filter_results(on, which, degree, has, good, v);
  }
#undef SPOIL
}

/* ---- hamiltonian_apply ---- */

typedef struct resident_ham_call {
  int complex_call;
  convk_hamiltonian_shape shape;
  const convk_hamiltonian_shape *grids;
  RESIDENT(hamiltonian_terms_f64) t;
  const RESIDENT(hamiltonian_terms_f64) * terms;
  RESIDENT_ARRAY(double) in;
  RESIDENT_ARRAY(double) out;
  RESIDENT_ARRAY(convk_hamiltonian_energies) energies;
  RESIDENT_ARRAY(void) work;
  size_t work_size;
} resident_ham_call;

static int resident_ham_run(RESIDENT_ON *on, const resident_ham_call *c) {
  return c->complex_call
             ? RESIDENT(hamiltonian_apply_c64)(on, c->grids, c->terms, c->in, c->out, c->energies, c->work, c->work_size)
             : RESIDENT(hamiltonian_apply_f64)(on, c->grids, c->terms, c->in, c->out, c->energies, c->work, c->work_size);
}
static int resident_ham_size(RESIDENT_ON *on, int complex_call, const convk_hamiltonian_shape *shape, size_t *bytes) {
  return complex_call ? RESIDENT(hamiltonian_apply_work_size_c64)(on, shape, bytes)
                      : RESIDENT(hamiltonian_apply_work_size_f64)(on, shape, bytes);
}

/* Two orbitals in padded arrays that begin later. */
enum { HAM_ORBITAL = 60, HAM_N = 2 * (2 * HAM_ORBITAL + 8) };
static void resident_ham_results(RESIDENT_ON *on, int with_v, int sums, int in_place, resident_ham_call c,
                                 RESIDENT_ARRAY(double) v) {
  static double x[HAM_N], y[HAM_N], got[HAM_N], potential[HAM_N];
  convk_hamiltonian_energies there[2], here[2];
  convk_hamiltonian_terms_f64 terms;
  RESIDENT_ARRAY(double) all;
  const size_t step = c.complex_call ? 2 : 1;
  size_t i, begin = 3, need = 0;
  double worst = 0;
  int status;
  memset(&terms, 0, sizeof terms);
  memset(there, 0, sizeof there);
  memset(here, 0, sizeof here);
  for (i = 0; i < HAM_N; i++) {
    x[i] = (double)(i * 37 % 64) / 32 - 1;
    y[i] = got[i] = in_place ? x[i] : (double)(i * 11 % 32) / 16 - 1;
    potential[i] = (double)(i * 7 % 16) / 8 - 1;
  }
  c.shape.wavelets.nx = 4, c.shape.wavelets.ny = 2, c.shape.wavelets.nz = 4;
  c.shape.wavelets.pitch_y = 5, c.shape.wavelets.pitch_z = 12;
  c.shape.values = c.shape.wavelets;
  c.shape.values.pitch_z = 11;
  c.shape.boundary[1] = CONVK_BOUNDARY_ZERO;
  c.shape.vectors = 2, c.shape.in_stride = 51, c.shape.out_stride = in_place ? 51 : 55;
  terms.spacing[0] = c.t.spacing[0] = 0.5;
  terms.spacing[1] = c.t.spacing[1] = 0.25;
  terms.spacing[2] = c.t.spacing[2] = 0;
  terms.shift = c.t.shift = -0.75;
  if (c.complex_call) terms.k[0] = c.t.k[0] = 0.25, terms.k[1] = c.t.k[1] = -1.5, terms.k[2] = c.t.k[2] = 0.5;
  if (with_v) terms.potential = potential + begin, c.t.potential = RESIDENT_AT(double, v, begin);
  if (in_place) c.out = c.in;
  all = c.out;
  resident_send(on, c.in, x, HAM_N);
  resident_send(on, c.out, y, HAM_N);
  resident_send(on, v, potential, HAM_N);
  c.in = c.complex_call ? RESIDENT_PAIR(c.in, begin) : RESIDENT_AT(double, c.in, begin);
  c.out = c.complex_call ? RESIDENT_PAIR(c.out, begin) : RESIDENT_AT(double, c.out, begin);
  if (!sums) memset(&c.energies, 0, sizeof c.energies);
  c.grids = &c.shape;
  c.terms = &c.t;
  resident_refused(!resident_ham_size(on, c.complex_call, c.grids, &need) && need <= c.work_size, "work of hamiltonian_apply",
                   RESIDENT_SAID);
  c.work_size = need;
  status = resident_ham_run(on, &c);
  resident_refused(!status, "hamiltonian_apply there", RESIDENT_SAID);
  resident_fetch(on, all, y, HAM_N);
  status =
      c.complex_call
          ? convk_hamiltonian_apply_c64_scalar(NULL, &c.shape, &terms, x + 2 * begin, got + 2 * begin, here, NULL, 0)
          : convk_hamiltonian_apply_f64_scalar(NULL, &c.shape, &terms, x + step * begin, got + step * begin, here, NULL, 0);
  resident_refused(!status, "hamiltonian_apply here", convk_strerror(status));
  for (i = 0; i < HAM_N; i++) worst = fabs(y[i] - got[i]) > worst ? fabs(y[i] - got[i]) : worst;
  resident_refused(worst < 1e-11, "results of hamiltonian_apply", in_place ? "in place" : "elsewhere");
  if (!sums) return;
  resident_fetch(on, c.energies, there, 8);
  for (i = 0; i < 6; i++)
    resident_refused(fabs(there[i / 3].kinetic[i % 3] - here[i / 3].kinetic[i % 3]) < 1e-9, "kinetic energies",
                     with_v ? "with V" : "without");
  for (i = 0; i < 2; i++)
    resident_refused(fabs(there[i].potential - here[i].potential) < 1e-9, "potential energy", with_v ? "with V" : "without");
}

static void resident_ham_of(RESIDENT_ON *on, int complex_call, RESIDENT_ARRAY(double) x, RESIDENT_ARRAY(double) y,
                            RESIDENT_ARRAY(double) v, RESIDENT_ARRAY(convk_hamiltonian_energies) energies,
                            RESIDENT_ARRAY(void) work) {
  resident_ham_call good, c;
  size_t bytes = 0, less = 0;
  int k, status;
  memset(&good, 0, sizeof good);
  good.complex_call = complex_call;
  good.shape.wavelets.nx = 6, good.shape.wavelets.ny = 4, good.shape.wavelets.nz = 2;
  good.t.spacing[0] = 0.5;
  good.in = x;
  good.out = y;
  good.energies = energies;
  good.work = work;
  good.work_size = RESIDENT_WORK;
#define SPOIL(wanted, text, ...) \
  do { \
    c = good; \
    c.grids = &c.shape; \
    c.terms = &c.t; \
    __VA_ARGS__; \
    status = resident_ham_run(on, &c); \
    resident_refused(status == wanted, #__VA_ARGS__, convk_strerror(status)); \
    resident_refused((wanted) != CONVK_OK ? strstr(RESIDENT_SAID, text) != NULL : !RESIDENT_SAID[0], #__VA_ARGS__, \
                     RESIDENT_SAID); \
  } while (0)
  SPOIL(CONVK_OK, "", (void)c);
  SPOIL(CONVK_OK, "", c.t.potential = v);
  SPOIL(CONVK_OK, "", c.out = x);
  SPOIL(CONVK_ERR_NULL, "shape is NULL", c.grids = NULL);
  SPOIL(CONVK_ERR_NULL, "terms is NULL", c.terms = NULL);
  SPOIL(CONVK_ERR_NULL, "in is NULL", c.in = RESIDENT_NONE);
  SPOIL(CONVK_ERR_NULL, "out is NULL", c.out = RESIDENT_NONE);
  SPOIL(CONVK_ERR_NULL, "work is NULL", c.work = RESIDENT_NONE);
  SPOIL(CONVK_ERR_WORK, "work_size is 100, and ", c.work_size = 100);
  SPOIL(CONVK_ERR_ODD, "shape->wavelets has 5 points", c.shape.wavelets.nx = 5);
  SPOIL(CONVK_ERR_SIZE, "have no sizes", memset(&c.shape.wavelets, 0, sizeof c.shape.wavelets));
  SPOIL(CONVK_ERR_BOUNDARY, "shape->boundary[1]", c.shape.boundary[1] = 9);
  SPOIL(CONVK_ERR_PITCH, "shape->out_stride is 47", c.shape.vectors = 2; c.shape.out_stride = 47);
  SPOIL(CONVK_ERR_NONFINITE, "terms->spacing[1] is so small", c.t.spacing[1] = 1e-200);
  if (complex_call) {
    SPOIL(CONVK_OK, "", c.t.k[0] = 0.5; c.t.k[2] = 1);
    SPOIL(CONVK_ERR_NONFINITE, "terms->k[0] is so large", c.t.k[0] = 1e160);
  } else {
    SPOIL(CONVK_ERR_OPTION, "terms->k is for complex calls", c.t.k[2] = 1);
  }
  SPOIL(CONVK_ERR_NONFINITE, "terms->k[1] is not finite", c.t.k[1] = HUGE_VAL);
  SPOIL(CONVK_ERR_NONFINITE, "terms->shift", c.t.shift = HUGE_VAL);
  SPOIL(CONVK_ERR_OVERLAP, "in overlaps out", c.out = RESIDENT_AT(double, x, 2));
  SPOIL(CONVK_ERR_OVERLAP, "terms->potential overlaps out", c.t.potential = RESIDENT_AT(double, y, 2));
  SPOIL(CONVK_ERR_OVERLAP, "overlaps work", c.energies = RESIDENT_ENERGIES(work));
  RESIDENT_ONLY_CL(SPOIL(CONVK_ERR_SIZE, "in.mem is too small a buffer", c.in = RESIDENT_AT(double, x, 4 * RESIDENT_N - 1));)
  c = good;
  resident_refused(!resident_ham_size(on, complex_call, &c.shape, &bytes), "work_size", RESIDENT_SAID);
  resident_refused(!resident_ham_size(NULL, complex_call, &c.shape, &less) && less == bytes, "work_size on nothing", "NULL");
  c.shape.wavelets.nx -= 2;
  resident_refused(!resident_ham_size(on, complex_call, &c.shape, &less) && less <= bytes, "work_size of less", RESIDENT_SAID);
  resident_refused(resident_ham_size(on, complex_call, &c.shape, NULL) == CONVK_ERR_NULL &&
                       strstr(RESIDENT_SAID, "bytes is NULL"),
                   "work_size to NULL", RESIDENT_SAID);
  for (k = 0; k < 8; k++) resident_ham_results(on, k % 2, k / 2 % 2, k / 4, good, v);
#undef SPOIL
}
static void resident_ham(RESIDENT_ON *on, RESIDENT_ARRAY(double) x, RESIDENT_ARRAY(double) y, RESIDENT_ARRAY(double) v,
                         RESIDENT_ARRAY(convk_hamiltonian_energies) energies, RESIDENT_ARRAY(void) work) {
  resident_ham_of(on, 0, x, y, v, energies, work);
  resident_ham_of(on, 1, x, y, v, energies, work);
}

/* ---- wavelet_compress and wavelet_uncompress ---- */

#ifdef CONVK_CUDA
#define RESIDENT_LIST(array) ((const size_t *)(const void *)(array))
typedef convk_compressed_shape resident_compressed;
#else
#define RESIDENT_LIST(array) (array)
typedef convk_cl_compressed_shape resident_compressed;
#endif

enum { SEG_COUNT = 4 };
static const uint64_t resident_ends[2 * SEG_COUNT] = {0, 1, 3, 3, 5, 8, 11, 11}, resident_place[SEG_COUNT] = {1, 3, 4, 9};

static void resident_segments_results(RESIDENT_ON *on, int compress, int coarse, int fine, RESIDENT_ARRAY(double) x,
                                      RESIDENT_ARRAY(double) y, resident_compressed there) {
  static double from[4 * RESIDENT_N], to[4 * RESIDENT_N], want[4 * RESIDENT_N];
  const size_t ends[2 * SEG_COUNT] = {0, 1, 3, 3, 5, 8, 11, 11}, place[SEG_COUNT] = {1, 3, 4, 9}, begin = 3;
  convk_compressed_shape here;
  size_t i;
  int status;
  memset(&here, 0, sizeof here);
  for (i = 0; i < 4 * RESIDENT_N; i++) {
    from[i] = (double)(i * 37 % 64) / 32 - 1;
    to[i] = want[i] = (double)(i * 11 % 32) / 16 - 1;
  }
  here.dense = there.dense;
  here.vectors = there.vectors;
  here.compressed_stride = there.compressed_stride;
  here.dense_stride = there.dense_stride;
  here.coarse.count = there.coarse.count = coarse ? SEG_COUNT : 0;
  here.fine.count = there.fine.count = fine ? SEG_COUNT - 1 : 0;
  here.coarse.points = there.coarse.points = coarse ? 11 : 0;
  here.fine.points = there.fine.points = fine ? 8 : 0;
  here.coarse.ends = here.fine.ends = ends;
  here.coarse.place = here.fine.place = place;
  if (!coarse) memset(&there.coarse, 0, sizeof there.coarse);
  if (!fine) memset(&there.fine, 0, sizeof there.fine);
  resident_send(on, x, compress ? to : from, 4 * RESIDENT_N);
  resident_send(on, y, compress ? from : to, 4 * RESIDENT_N);
  if (compress) {
    status = RESIDENT(wavelet_compress_f64)(on, &there, RESIDENT_AT(double, y, begin), RESIDENT_AT(double, x, begin));
    resident_refused(!status && !convk_wavelet_compress_f64_scalar(NULL, &here, from + begin, want + begin), "wavelet_compress",
                     RESIDENT_SAID);
  } else {
    status = RESIDENT(wavelet_uncompress_f64)(on, &there, RESIDENT_AT(double, x, begin), RESIDENT_AT(double, y, begin));
    resident_refused(!status && !convk_wavelet_uncompress_f64_scalar(NULL, &here, from + begin, want + begin),
                     "wavelet_uncompress", RESIDENT_SAID);
  }
  resident_fetch(on, compress ? x : y, to, 4 * RESIDENT_N);
  resident_refused(!memcmp(to, want, sizeof to), compress ? "segments of the array" : "the array of segments", "other bits");
}

/* x, y: arrays; lists: for what says where segments are. */
static void resident_segments(RESIDENT_ON *on, RESIDENT_ARRAY(double) x, RESIDENT_ARRAY(double) y,
                              RESIDENT_ARRAY(double) lists) {
  static double text[4 * RESIDENT_N];
  const resident_compressed *shape;
  resident_compressed good, c;
  RESIDENT_ARRAY(double) packed;
  RESIDENT_ARRAY(double) dense;
  int compress, k, status;
  memset(text, 0, sizeof text);
  memcpy(text + 2, resident_ends, sizeof resident_ends);
  memcpy(text + 20, resident_place, sizeof resident_place);
  resident_send(on, lists, text, 4 * RESIDENT_N);
  memset(&good, 0, sizeof good);
  good.dense.nx = 6, good.dense.ny = 4, good.dense.nz = 4, good.dense.pitch_y = 7, good.dense.pitch_z = 29;
  good.vectors = 2, good.compressed_stride = 69, good.dense_stride = 119;
  good.coarse.count = SEG_COUNT, good.coarse.points = 11;
  good.fine.count = SEG_COUNT - 1, good.fine.points = 8;
  good.coarse.ends = good.fine.ends = RESIDENT_LIST(RESIDENT_AT(double, lists, 2));
  good.coarse.place = good.fine.place = RESIDENT_LIST(RESIDENT_AT(double, lists, 20));
#define SPOIL(wanted, text, ...) \
  do { \
    c = good; \
    shape = &c; \
    packed = x; \
    dense = y; \
    __VA_ARGS__; \
    status = compress ? RESIDENT(wavelet_compress_f64)(on, shape, dense, packed) \
                      : RESIDENT(wavelet_uncompress_f64)(on, shape, packed, dense); \
    resident_refused(status == wanted, #__VA_ARGS__, convk_strerror(status)); \
    resident_refused((wanted) != CONVK_OK ? strstr(RESIDENT_SAID, text) != NULL : !RESIDENT_SAID[0], #__VA_ARGS__, \
                     RESIDENT_SAID); \
  } while (0)
  for (compress = 0; compress < 2; compress++) {
    SPOIL(CONVK_OK, "", (void)c);
    SPOIL(CONVK_ERR_NULL, "shape is NULL", shape = NULL);
    SPOIL(CONVK_ERR_NULL, "compressed is NULL", packed = RESIDENT_NONE);
    SPOIL(CONVK_ERR_NULL, "dense is NULL", dense = RESIDENT_NONE);
    SPOIL(CONVK_ERR_NULL, "shape->coarse.ends is NULL", memset(&c.coarse.ends, 0, sizeof c.coarse.ends));
    SPOIL(CONVK_ERR_NULL, "shape->fine.place is NULL", memset(&c.fine.place, 0, sizeof c.fine.place));
    SPOIL(CONVK_ERR_SIZE, "shape->fine.points is 0", c.fine.points = 0);
    SPOIL(CONVK_ERR_OVERFLOW, "shape->coarse has too many", c.coarse.points = (size_t)-1 / 8);
    SPOIL(CONVK_ERR_ODD, "not even", c.dense.nx = 5);
    SPOIL(CONVK_ERR_PITCH, "shape->compressed_stride is 66", c.compressed_stride = 66);
    SPOIL(CONVK_ERR_PITCH, "shape->dense_stride is 100", c.dense_stride = 100);
    SPOIL(CONVK_ERR_OVERLAP, "overlaps", dense = RESIDENT_AT(double, x, 2));
    SPOIL(CONVK_ERR_OVERLAP, "overlaps", if (compress) packed = lists; else dense = lists);
    RESIDENT_ONLY_CL(SPOIL(CONVK_ERR_SIZE, "dense.mem is too small", dense = RESIDENT_AT(double, y, 4 * RESIDENT_N - 1));)
    for (k = 0; k < 4; k++) resident_segments_results(on, compress, k % 2, k / 2, x, y, good);
  }
  /* a list that lies: nothing outside the arrays is touched, which the emulator and valgrind look at */
  compress = 1;
  SPOIL(CONVK_OK, "", c.fine.place = RESIDENT_LIST(RESIDENT_AT(double, lists, 3)); c.fine.points = 1; c.compressed_stride = 0);
#undef SPOIL
}
