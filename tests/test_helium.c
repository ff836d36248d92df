/* SPDX-License-Identifier: MIT
   The physics of variational Monte Carlo of helium: what must come out of whole runs, against quadrature, a radial solver and
   published values.  Seeds are fixed, so that a run passes or fails always; limits are four standard errors, and an error bar
   itself has a limit, so that a large one hides nothing.

     test_helium [--quick | --long] [--hw NAME] [--only PART]

   --quick makes runs of a tenth and less.  --long makes those of N = 2 and 3 so long that the errors of all three energies are
   at most 1e-3 K.  PART is one of those of main. */
#ifndef CONVK_WITH_VMC
#define CONVK_WITH_VMC
#endif
#include "convk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HBAR2_2M 6.059648
#define PI 3.14159265358979323846

static unsigned long passed, failed, skipped;
static int quick, lengthy; /* --quick, --long */
static convk hw;

/* ------------------------------------------------------------------------------------------------------ judgements -- */

static void expect(int good, const char *what) {
  if (good) {
    passed++;
  } else {
    failed++;
    printf("FAILED: %s\n", what);
  }
}

static void status_is(int status, int wanted, const char *what) {
  if (status != wanted) printf("%s: %s, not %s\n", what, convk_strerror(status), convk_strerror(wanted));
  expect(status == wanted, what);
}

/* A number that is known but for rounding. */
static void near_to(double value, double wanted, double within, const char *what) {
  if (!(fabs(value - wanted) <= within)) printf("%s: %.10g, not %.10g within %.2g\n", what, value, wanted, within);
  expect(fabs(value - wanted) <= within, what);
}

/* A sampled number, whose error must be sane and small enough for the comparison to say something. */
static void agrees(double value, double wanted, double error, double most, const char *what) {
  const double off = fabs(value - wanted);
  const int good = error > 0 && error <= most && off <= 4 * error;
  if (!good)
    printf("%s: %.6f, not %.6f; error %.6f of at most %.6f, %.1f sigma\n", what, value, wanted, error, most, off / error);
  expect(good, what);
}

/* A sampled number below a limit, by the same rules. */
static void is_below(double value, double limit, double error, double most, const char *what) {
  const int good = error > 0 && error <= most && value - limit <= 4 * error;
  if (!good) printf("%s: %.6f, not below %.6f; error %.6f of at most %.6f\n", what, value, limit, error, most);
  expect(good, what);
}

/* Memory or the end. */
static void *room(size_t bytes) {
  void *p = malloc(bytes ? bytes : 1);
  if (!p) {
    printf("out of memory\n");
    exit(2);
  }
  return p;
}

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* ------------------------------------------------------------------------------------------- potentials and pairs -- */

/* HFD-B(HE) once more, so that the quadrature does not rest on the library. */
static double hfdb(double r) {
  const double x = r / 2.963, y = 1.4826 / x - 1, f = x < 1.4826 ? exp(-y * y) : 1, x2 = 1 / (x * x);
  return 10.948 * (184431.01 * exp(-10.43329537 * x - 2.27965105 * x * x) -
                   f * x2 * x2 * x2 * (1.36745214 + x2 * (0.42123807 + x2 * 0.17473318)));
}

static void test_potential(void) {
  static const double at[8] = {2, 2.5, 3, 4, 5, 6, 8, 12};
  static const double wanted[2][8] = {
      {545.976, 20.36802, -10.754347, -2.900445, -0.728031, -0.2350976, -0.04035943, -0.003456267},
      {537.955, 20.47271, -10.888342, -2.933623, -0.728647, -0.2350967, -0.04037128, -0.003458060}};
  static const double digit[8] = {1e-3, 1e-5, 1e-6, 1e-6, 1e-6, 1e-7, 1e-8, 1e-9};
  const convk_pair_potential potential[2] = {convk_pair_hfdhe2(), convk_pair_hfdb()};
  double v[8], r, worst = 0;
  float single[8], v32[8];
  int i, k;
  for (k = 0; k < 2; k++) {
    const char *name = k ? "check values of HFD-B" : "check values of HFDHE2";
    status_is(convk_pair_potential_f64(&hw, &potential[k], 8, at, v), CONVK_OK, name);
    for (i = 0; i < 8; i++) near_to(v[i], wanted[k][i], 0.51 * digit[i], name);
    for (i = 0; i < 8; i++) single[i] = (float)at[i];
    status_is(convk_pair_potential_f32(&hw, &potential[k], 8, single, v32), CONVK_OK, name);
    for (i = 0; i < 8; i++)
      near_to((double)v32[i], wanted[k][i], 3e-6 * (fabs(wanted[k][i]) + 40 * exp(3 * (3 - at[i]))) + digit[i], name);
  }
  for (r = 0.5; r < 30; r *= 1.003) {
    status_is(convk_pair_potential_f64(&hw, &potential[1], 1, &r, v), CONVK_OK, "one distance");
    worst = fmax(worst, fabs(v[0] - hfdb(r)) / fabs(hfdb(r)));
  }
  near_to(worst, 0, 1e-11, "HFD-B of the library and of this test"); /* relative, so that the zero at 2.64 A costs digits */
}

/* ---------------------------------------------------------------------------------------------------------- dimers -- */

enum { DIMER_NODES = 1 << 17 };

/* The bound state of two atoms, u'' = (V - E) u / D with D = hbar^2 / m and Psi = u / r.  With r = exp(t) and u = sqrt(r) y
   this is y'' = (1/4 + r^2 (V - E) / D) y on an even mesh of t, by Numerov's rule from within the core, where u falls off
   inwards by 1e-30 and more, out to where V is 1e-12 of E and u must be exp(-kappa r) with kappa^2 = -E / D.  What u is there
   too much changes sign at the bound state, found by bisection; in mK. */
static double dimer(size_t n, const double *v, double begin, double end, double d) {
  const double h = log(end / begin) / (double)(n - 1);
  double low = -0.01, high = -1e-6;
  int turn;
  for (turn = 0; turn < 60; turn++) {
    const double e = 0.5 * (low + high);
    double y[3] = {0, 0, 1e-200}, k[3] = {0, 0, 0}, r = begin, before = begin, beyond;
    size_t i;
    for (i = 0; i < n; i++) {
      before = r;
      r = begin * exp(h * (double)i);
      k[0] = k[1];
      k[1] = k[2];
      k[2] = 0.25 + r * r * (v[i] - e) / d;
      if (i < 2) continue;
      y[0] = y[1];
      y[1] = y[2];
      y[2] = (2 * (1 + 5 * h * h / 12 * k[1]) * y[1] - (1 - h * h / 12 * k[0]) * y[0]) / (1 - h * h / 12 * k[2]);
    }
    beyond = y[2] * sqrt(r) - y[1] * sqrt(before) * exp(-sqrt(-e / d) * (r - before));
    /* u grows where E is too low, and has bent down where it is too high: one bound state, no other node */
    if (beyond > 0) low = e;
    else high = e;
  }
  return 500 * (low + high);
}

static double dimer_of(const convk_pair_potential *potential, size_t n, double d) {
  const double begin = 1.2, end = 1500, h = log(end / begin) / (double)(n - 1);
  double *r = (double *)room(2 * n * sizeof *r), *v = r + n, e = 0;
  size_t i;
  for (i = 0; i < n; i++) r[i] = begin * exp(h * (double)i);
  status_is(convk_pair_potential_f64(&hw, potential, n, r, v), CONVK_OK, "potential of a mesh");
  e = dimer(n, v, begin, end, d);
  free(r);
  return e;
}

/* A. K. Motovilov et al., Eur. Phys. J. D 13, 33, 2001, with hbar^2 / m = 12.12 K A^2. */
static void test_dimers(void) {
  static const char *const name[3] = {"dimer, HFDHE2", "dimer, HFD-B", "dimer, LM2M2"};
  static const double published[3] = {-0.83012, -1.68541, -1.30348};
  const convk_pair_potential potential[3] = {convk_pair_hfdhe2(), convk_pair_hfdb(), convk_pair_lm2m2()};
  const size_t fine = quick ? DIMER_NODES / 16 : DIMER_NODES;
  int i;
  printf("\n%-16s%14s%14s%14s%14s   mK\n", "dimer", "published", "here", "finer mesh", "1 ppm of V");
  for (i = 0; i < 3; i++) {
    convk_pair_potential stronger = potential[i];
    const double coarse = dimer_of(&potential[i], fine / 4, 12.12), e = dimer_of(&potential[i], fine, 12.12);
    stronger.epsilon *= 1 + 1e-6;
    printf("%-16s%14.5f%14.7f%14.1e%14.1e\n", name[i] + 7, published[i], e, e - coarse, dimer_of(&stronger, fine, 12.12) - e);
    near_to(e, published[i], 0.6e-5, name[i]);
    near_to(coarse, e, quick ? 1e-5 : 1e-7, "a mesh four times finer");
  }
}

/* ------------------------------------------------------------------------------------------------------ quadrature -- */

typedef struct moments {
  double energy, potential, kinetic, gradient, laplacian, deviation; /* the last: of the local energy */
} moments;

/* Of N = 2: Psi^2 depends on r alone, with r^2 dr; Simpson's rule. */
static moments quadrature2(const convk_pair_trial *p, double (*potential)(double), double end, size_t n) {
  const double h = end / (double)n;
  double sum[5] = {0, 0, 0, 0, 0};
  moments q;
  size_t i;
  for (i = 1; i < n; i++) { /* nothing at both ends */
    const double r = h * (double)i, s = 1 / r, s5 = s * s * s * s * s;
    const double u = -p->p5 * s5 - p->p2 * s * s - p->p0 * log(r) - p->p1 * r;
    const double du = 5 * p->p5 * s5 * s + 2 * p->p2 * s * s * s - p->p0 * s - p->p1;
    const double lap = -20 * p->p5 * s5 * s * s - 2 * p->p2 * s * s * s * s - p->p0 * s * s - 2 * p->p1 * s;
    const double w = (i % 2 ? 4 : 2) * exp(2 * u) * r * r;
    double e;
    if (!(w > 0)) continue;
    e = potential(r) - 2 * HBAR2_2M * (lap + du * du);
    sum[0] += w;
    sum[1] += w * potential(r);
    sum[2] += w * 2 * HBAR2_2M * du * du;
    sum[3] -= w * HBAR2_2M * lap;
    sum[4] += w * e * e;
  }
  q.potential = sum[1] / sum[0];
  q.gradient = sum[2] / sum[0];
  q.laplacian = sum[3] / sum[0];
  q.kinetic = 2 * q.laplacian - q.gradient;
  q.energy = q.potential + q.kinetic;
  q.deviation = sqrt(sum[4] / sum[0] - q.energy * q.energy);
  return q;
}

/* Of N = 3.  Psi^2 r12 r13 r23 over all triangles: with r12 = x + y, r13 = x + z, r23 = y + z these are all x, y, z >= 0, so
   that an even grid gives even distances, functions of which are tabulated.  The sum over the grid is corrected at its faces
   (Gregory); faces are collinear atoms.  Each unordered triple once.  end: of x + y + z; h: the step. */
static moments quadrature3(const convk_pair_trial *p, double (*potential)(double), double end, double h) {
  static const double face[5] = {95. / 288, 317. / 240, 23. / 30, 793. / 720, 157. / 160};
  const size_t n = (size_t)(end / h + 0.5);
  double *table = (double *)room(4 * (n + 1) * sizeof *table), *w = table, *v = w + n + 1, *du = v + n + 1, *lap = du + n + 1;
  double sum[5] = {0, 0, 0, 0, 0};
  moments q;
  size_t i, j, k;
  for (i = 0; i <= n; i++) {
    const double r = h * (double)i, s = r > 1 ? 1 / r : 0, s5 = s * s * s * s * s;
    /* within 1 A, Psi^2 is 1e-80 and less for p5 > 100 */
    w[i] = r > 1 ? r * exp(2 * (-p->p5 * s5 - p->p2 * s * s - p->p0 * log(r) - p->p1 * r)) : 0;
    v[i] = r > 1 ? potential(r) : 0;
    du[i] = 5 * p->p5 * s5 * s + 2 * p->p2 * s * s * s - p->p0 * s - p->p1;
    lap[i] = -20 * p->p5 * s5 * s * s - 2 * p->p2 * s * s * s * s - p->p0 * s * s - 2 * p->p1 * s;
  }
  for (i = 0; i <= n; i++)
    for (j = 0; j <= i && i + j <= n; j++) {
      const double row = w[i + j] * (i < 5 ? face[i] : 1) * (j < 5 ? face[j] : 1);
      const double a = du[i + j], r = h * (double)(i + j), r2 = r * r;
      if (!(row > 0)) continue;
      for (k = 0; k <= j && i + j + k <= n; k++) {
        const double weight = row * w[i + k] * w[j + k] * (k < 5 ? face[k] : 1) *
                              (i == j && j == k   ? 1
                               : i == j || j == k ? 3
                                                  : 6);
        const double b = du[i + k], c = du[j + k], s = h * (double)(i + k), t = h * (double)(j + k), s2 = s * s, t2 = t * t;
        double pairs, gradient, laplacian, e;
        if (!(weight > 0)) continue;
        pairs = v[i + j] + v[i + k] + v[j + k];
        laplacian = 2 * (lap[i + j] + lap[i + k] + lap[j + k]);
        /* sums of two rows each: their products have the cosines of the triangle */
        gradient = 2 * (a * a + b * b + c * c) +
                   (a * b * (r2 + s2 - t2) * t + a * c * (r2 + t2 - s2) * s + b * c * (s2 + t2 - r2) * r) / (r * s * t);
        e = pairs - HBAR2_2M * (laplacian + gradient);
        sum[0] += weight;
        sum[1] += weight * pairs;
        sum[2] += weight * HBAR2_2M * gradient;
        sum[3] -= weight * 0.5 * HBAR2_2M * laplacian;
        sum[4] += weight * e * e;
      }
    }
  free(table);
  q.potential = sum[1] / sum[0];
  q.gradient = sum[2] / sum[0];
  q.laplacian = sum[3] / sum[0];
  q.kinetic = 2 * q.laplacian - q.gradient;
  q.energy = q.potential + q.kinetic;
  q.deviation = sqrt(sum[4] / sum[0] - q.energy * q.energy);
  return q;
}

static convk_pair_trial trial_of(double p5, double p2, double p0, double p1) {
  convk_pair_trial t;
  t.p5 = p5;
  t.p2 = p2;
  t.p0 = p0;
  t.p1 = p1;
  return t;
}

static void print_moments(const char *name, const moments *q) {
  printf("%-40s E %.7f  V %.7f  T %.7f  (gradient %.7f, Laplacian %.7f)  sd of E %.3f\n", name, q->energy, q->potential,
         q->kinetic, q->gradient, q->laplacian, q->deviation);
}

static void test_quadrature(void) {
  const convk_pair_trial two = trial_of(119, 0, 1, 0.0118), three = trial_of(120, 0, 0.4, 0.08);
  moments q = quadrature2(&two, hfdb, 2000, quick ? 200000 : 800000);
  printf("\n");
  print_moments("N = 2, (119, 0, 1, 0.0118), HFD-B, K", &q);
  near_to(q.energy, 0.002769, 2e-6, "E of N = 2");
  near_to(q.kinetic, 0.132536, 2e-6, "T of N = 2");
  near_to(q.potential, -0.129767, 2e-6, "V of N = 2");
  near_to(q.gradient, q.laplacian, 1e-8, "both kinetic energies of N = 2");
  q = quadrature3(&three, hfdb, 90, quick ? 0.2 : 0.1);
  print_moments("N = 3, (120, 0, 0.4, 0.08), HFD-B, K", &q);
  near_to(q.energy, -0.119614, 2e-6, "E of N = 3");
  near_to(q.kinetic, 1.545689, quick ? 4e-6 : 2e-6, "T of N = 3"); /* a wider step */
  near_to(q.potential, -1.665303, quick ? 4e-6 : 2e-6, "V of N = 3");
  near_to(q.gradient, q.laplacian, quick ? 2e-6 : 1e-7, "both kinetic energies of N = 3");
}

/* ------------------------------------------------------------------------------------------------------------ runs -- */

enum { SERIES = 5, BATCHES = 32, GRADIENT_LESS = SERIES, SUMS };

/* A run, and what its batches say beside the library's blocking: means over 32 equal parts of it. */
typedef struct sample {
  convk_vmc_result result;
  double mean[SUMS], error[SUMS]; /* E, V, T, T by gradients, T by Laplacians, gradients less Laplacians */
  double seconds;
  double *r; /* where the walkers are in the end; to free */
} sample;

static const char *const series_name[SERIES] = {"E", "V", "T", "T by gradients", "T by Laplacians"};
static convk_vmc_estimate series_of(const convk_vmc_result *r, int i) {
  return i == 0 ? r->energy : i == 1 ? r->potential : i == 2 ? r->kinetic : i == 3 ? r->kinetic_gradient : r->kinetic_laplacian;
}

static size_t state_size(const convk_vmc *vmc, int single) {
  size_t bytes = 0;
  return (single ? convk_vmc_state_size_f32(&hw, vmc, &bytes) : convk_vmc_state_size_f64(&hw, vmc, &bytes)) ? 0 : bytes;
}

static int run(const convk_vmc *vmc, int single, size_t sweeps, void *state, size_t size) {
  return single ? convk_vmc_run_f32(&hw, vmc, sweeps, (convk_vmc_state_f32 *)state, size, NULL, 0)
                : convk_vmc_run_f64(&hw, vmc, sweeps, (convk_vmc_state_f64 *)state, size, NULL, 0);
}

static int results(int single, const void *state, size_t size, convk_vmc_result *result) {
  return single ? convk_vmc_results_f32(&hw, (const convk_vmc_state_f32 *)state, size, result)
                : convk_vmc_results_f64(&hw, (const convk_vmc_state_f64 *)state, size, result);
}

static int begin(const convk_vmc *vmc, int single, const double *r, void *state, size_t size) {
  const size_t n = 3 * vmc->walkers * vmc->system.particles;
  float *f;
  size_t i;
  int status;
  if (!single) return convk_vmc_begin_f64(&hw, vmc, r, (convk_vmc_state_f64 *)state, size);
  if (!r) return convk_vmc_begin_f32(&hw, vmc, NULL, (convk_vmc_state_f32 *)state, size);
  f = (float *)room(n * sizeof *f);
  for (i = 0; i < n; i++) f[i] = (float)r[i];
  status = convk_vmc_begin_f32(&hw, vmc, f, (convk_vmc_state_f32 *)state, size);
  free(f);
  return status;
}

/* sweeps: measured ones; a multiple of 32 intervals is made of them. */
static int simulate(const convk_vmc *vmc, int single, const double *r, size_t sweeps, sample *s) {
  const size_t size = state_size(vmc, single), n = 3 * vmc->walkers * vmc->system.particles;
  const size_t part = (sweeps / BATCHES / vmc->interval) * vmc->interval;
  double sum[SUMS], square[SUMS], before[SUMS], count = 0;
  void *state = room(size);
  int i, k, status = begin(vmc, single, r, state, size);
  memset(s, 0, sizeof *s);
  for (i = 0; i < SUMS; i++) sum[i] = square[i] = before[i] = 0;
  s->seconds = seconds();
  if (!status) status = run(vmc, single, vmc->equilibration, state, size);
  for (k = 0; k < BATCHES && !status; k++) {
    status = run(vmc, single, part, state, size);
    if (!status) status = results(single, state, size, &s->result);
    for (i = 0; i < SUMS && !status; i++) {
      const double now = (double)s->result.measurements;
      const double total = now * (i < SERIES ? series_of(&s->result, i).mean
                                             : s->result.kinetic_gradient.mean - s->result.kinetic_laplacian.mean);
      const double x = (total - before[i]) / (now - count);
      before[i] = total;
      sum[i] += x;
      square[i] += x * x;
      if (i == SUMS - 1) count = now;
    }
  }
  s->seconds = seconds() - s->seconds;
  for (i = 0; i < SUMS && !status; i++) {
    s->mean[i] = sum[i] / BATCHES;
    s->error[i] = sqrt(fmax(0, square[i] / BATCHES - s->mean[i] * s->mean[i]) / (BATCHES - 1));
  }
  s->r = (double *)room(n * sizeof *s->r);
  if (!status && !single) status = convk_vmc_positions_f64(&hw, vmc, (convk_vmc_state_f64 *)state, size, s->r);
  if (!status && single) {
    float *f = (float *)room(n * sizeof *f);
    size_t m;
    status = convk_vmc_positions_f32(&hw, vmc, (convk_vmc_state_f32 *)state, size, f);
    for (m = 0; m < n && !status; m++) s->r[m] = (double)f[m];
    free(f);
  }
  free(state);
  return status;
}

static const char rule[] =
    "-----------------------------------------------------------------------------------------------------------"
    "-------------------------------------------";

static void head(const char *what) {
  printf("\n%s, K\n%-24s%20s%20s%20s%9s%7s%7s%6s%6s%6s%6s%6s%9s%6s\n%s\n", what, "", "E", "V", "T by Laplacians", "(Tg-Tl)/s",
         "accept", "step", "tau E", "tau V", "tau T", "block", "b/b", "Mpairs/s", "s", rule);
}

/* tau: in measurements; b/b: the library's error of E over that of the batches. */
static void row(const char *name, const sample *s, double per) {
  const convk_vmc_result *r = &s->result;
  printf("%-24s%11.5f +-%7.5f%11.5f +-%7.5f%11.5f +-%7.5f%9.2f%7.3f%7.2f%6.2f%6.2f%6.2f%6.0f%6.2f%9.0f%6.1f\n", name,
         r->energy.mean / per, r->energy.error / per, r->potential.mean / per, r->potential.error / per,
         r->kinetic_laplacian.mean / per, r->kinetic_laplacian.error / per, s->mean[GRADIENT_LESS] / s->error[GRADIENT_LESS],
         r->acceptance, r->step, r->energy.autocorrelation, r->potential.autocorrelation, r->kinetic_laplacian.autocorrelation,
         r->energy.block, r->energy.error / s->error[0], r->pairs / 1e6 / s->seconds, s->seconds);
  fflush(stdout);
}

/* The error of a mean: the library's, or that of the batches, which are longer than its blocks. */
static double bar(const sample *s, int i) { return fmax(series_of(&s->result, i).error, s->error[i]); }

/* What holds for every run without a cutoff. */
static void sane(const convk_vmc *vmc, const sample *s, int single, const char *name) {
  const convk_vmc_result *r = &s->result;
  const double scale = fmax(1, (double)vmc->system.particles * (double)vmc->system.particles);
  expect(r->drift <= (single ? 2e-5 : 2e-13) * scale, name);
  expect(r->acceptance > 0.1 && r->acceptance < 0.9, name);
  near_to(r->kinetic.mean + r->potential.mean, r->energy.mean, 1e-9 * (fabs(r->kinetic.mean) + fabs(r->potential.mean)), name);
  near_to(2 * r->kinetic_laplacian.mean - r->kinetic_gradient.mean, r->kinetic.mean, 1e-6 * fabs(r->kinetic.mean) + 1e-9, name);
}

static convk_vmc cluster(convk_pair_potential potential, size_t particles, convk_pair_trial trial, size_t walkers,
                         uint64_t seed) {
  convk_vmc v;
  memset(&v, 0, sizeof v);
  v.system.particles = particles;
  v.system.trial = trial;
  v.system.potential = potential;
  v.walkers = walkers;
  v.seed = seed;
  v.interval = 1;
  v.equilibration = 512;
  return v;
}

/* ------------------------------------------------------------------------------------- two and three, by quadrature -- */

/* Of a run: sweeps, of which quick runs make fewer and long ones more, and walkers. */
static size_t sweeps_of(double ordinary, double times_long) {
  return (size_t)(quick ? ordinary / 4 : lengthy ? ordinary * times_long : ordinary);
}
static size_t walkers_of(size_t ordinary) { return quick ? ordinary / 4 : ordinary; }

/* A limit of an error bar: of an ordinary or a long run; for quick ones much wider. */
static double most_of(double ordinary, double of_long) { return quick ? 6 * ordinary : lengthy ? of_long : ordinary; }

static void compare(const char *name, const convk_vmc *v, int single, size_t sweeps, const moments *q, const double most[3]) {
  char what[120];
  sample s;
  const int status = simulate(v, single, NULL, sweeps, &s);
  int i;
  status_is(status, CONVK_OK, name);
  if (!status) {
    row(name, &s, 1);
    sane(v, &s, single, name);
    for (i = 0; i < SERIES; i++) {
      const double wanted[SERIES] = {q->energy, q->potential, q->kinetic, q->gradient, q->laplacian};
      const double limit[SERIES] = {most[0], most[1], most[1], 2 * most[1], most[2]};
      snprintf(what, sizeof what, "%s of %s", series_name[i], name);
      agrees(series_of(&s.result, i).mean, wanted[i], bar(&s, i), limit[i], what);
    }
    snprintf(what, sizeof what, "both kinetic energies of %s", name);
    agrees(s.mean[GRADIENT_LESS], 0, s.error[GRADIENT_LESS], 2 * most[1], what);
    free(s.r);
  }
}

static void test_few(void) {
  const convk_pair_trial two = trial_of(119, 0, 1, 0.0118), three = trial_of(120, 0, 0.4, 0.08),
                         all = trial_of(116, 2.4, 0.8, 0.05);
  const moments q2 = quadrature2(&two, hfdb, 2000, 200000), q3 = quadrature3(&three, hfdb, 90, 0.2),
                q4 = quadrature3(&all, hfdb, 120, 0.2);
  const double e = most_of(1e-3, 1e-3);
  const double most2[3] = {e, most_of(4e-3, 1e-3), most_of(3e-3, 1e-3)},
               most3[3] = {e, most_of(6e-3, 1e-3), most_of(3e-3, 1e-3)};
  const double rough2[3] = {4 * e, most_of(0.01, 0.01), most_of(0.01, 0.01)};
  const double rough3[3] = {4 * e, most_of(0.03, 0.03), most_of(0.015, 0.015)};
  static const char *const kind[4] = {"single", "single, drift", "all", "all, drift"};
  char name[80];
  int i;
  head("N = 2 and N = 3, HFD-B");
  {
    convk_vmc v = cluster(convk_pair_hfdb(), 2, two, walkers_of(64), 6);
    v.step = 10; /* half of all moves would be accepted at 30 A, which is too far for the well */
    v.acceptance = -1;
    v.equilibration = 2048; /* atoms that are 100 A apart need hundreds of sweeps to meet again */
    v.interval = 2;
    compare("2", &v, 0, sweeps_of(24000, 16), &q2, most2);
    compare("2, f32", &v, 1, sweeps_of(5000, 4), &q2, rough2);
  }
  {
    convk_vmc v = cluster(convk_pair_hfdb(), 3, three, walkers_of(64), 2);
    compare("3", &v, 0, sweeps_of(64000, 20), &q3, most3);
    compare("3, f32", &v, 1, sweeps_of(6000, 4), &q3, rough3);
    v.interval = 3;
    v.seed = 3;
    compare("3, every third sweep", &v, 0, sweeps_of(9000, 1), &q3, rough3);
    v = cluster(convk_pair_hfdb(), 3, all, walkers_of(64), 4);
    compare("3, all parameters", &v, 0, sweeps_of(6000, 1), &q4, rough3);
  }
  for (i = 1; i < 4; i++) {
    convk_vmc v = cluster(convk_pair_hfdb(), 3, three, walkers_of(64), (uint64_t)(10 + i));
    v.moves = i / 2 ? CONVK_VMC_MOVE_ALL : CONVK_VMC_MOVE_SINGLE;
    v.drift = i % 2;
    v.interval = i / 2 ? 2 : 1;
    snprintf(name, sizeof name, "3, %s", kind[i]);
    compare(name, &v, 0, sweeps_of(6000, 1) * v.interval, &q3, rough3);
  }
}

/* ----------------------------------------------------------------------------------------------- twenty and seventy -- */

static void drops(size_t n, convk_pair_trial trial, size_t walkers, size_t sweeps, double binds, double most_e, double most_t) {
  static const char *const kind[4] = {"single", "single, drift", "all", "all, drift"};
  const size_t interval[4] = {4, 4, 16, 8};
  const double per = (double)n, times[5] = {1, 0.4, 0.8, 0.4, 0.5};
  sample s, first;
  int i, m;
  memset(&first, 0, sizeof first);
  for (i = 0; i < 5; i++) { /* all kinds of moves, then f32 */
    convk_vmc v = cluster(convk_pair_hfdb(), n, trial, walkers_of(walkers), (uint64_t)(20 + i));
    char name[80], what[160];
    int status;
    v.moves = i % 4 / 2 ? CONVK_VMC_MOVE_ALL : CONVK_VMC_MOVE_SINGLE;
    v.drift = i % 4 % 2;
    v.interval = interval[i % 4];
    v.equilibration = v.interval * (v.moves == CONVK_VMC_MOVE_ALL ? 256 : 128);
    snprintf(name, sizeof name, "%lu, %s", (unsigned long)n, i < 4 ? kind[i] : "f32");
    if ((n > 20 || quick) && (i == 2 || i == 3)) continue; /* all at once takes many sweeps */
    status = simulate(&v, i == 4, NULL, (size_t)(times[i] * (double)sweeps) * v.interval, &s);
    status_is(status, CONVK_OK, name);
    if (status) continue;
    row(name, &s, per);
    sane(&v, &s, i == 4, name);
    snprintf(what, sizeof what, "both kinetic energies of %s", name);
    agrees(s.mean[GRADIENT_LESS] / per, 0, s.error[GRADIENT_LESS] / per, most_t, what);
    snprintf(what, sizeof what, "T and its gradients of %s", name);
    agrees(s.mean[GRADIENT_LESS] / per, (s.mean[3] - s.mean[2]) / 2 / per, 1e-6, most_t, what);
    if (!i) {
      is_below(s.result.energy.mean / per, binds, bar(&s, 0) / per, most_e, "a drop that is bound");
      first = s;
    } else {
      if (first.r)
        for (m = 0; m < SERIES; m++) {
          const double a = bar(&first, m), b = bar(&s, m);
          snprintf(what, sizeof what, "%s of %s and of single moves", series_name[m], name);
          agrees(series_of(&s.result, m).mean / per, series_of(&first.result, m).mean / per, sqrt(a * a + b * b) / per,
                 m ? 4 * most_t : 4 * most_e, what);
        }
      free(s.r);
    }
  }
  free(first.r);
}

static void test_drops(void) {
  head("drops of HFD-B helium, energies per atom");
  drops(20, trial_of(125, 0, 0, 0.04), 16, sweeps_of(4000, 4), -1.45, most_of(0.01, 0.005), most_of(0.04, 0.02));
  drops(70, trial_of(130, 0, 0, 0.0115), 8, quick ? 640 : sweeps_of(768, 4), -2.6, most_of(0.02, 0.01), most_of(0.06, 0.03));
}

/* ---------------------------------------------------------------------------------------------------------- liquid -- */

/* W. L. McMillan's liquid, Phys. Rev. 138, A442, 1965: 108 atoms in a box, u = -(2.6 A / r)^5, Lennard-Jones of 10.22 K and
   2.556 A.  Pairs count within R, half the period; beyond, g(r) = 1 stands for them.  Per atom, at density rho:
     potential         2 pi rho int_R^inf V r^2 dr = 8 pi rho epsilon {sigma^12 / (9 R^9) - sigma^6 / (3 R^3)}
     by Laplacians     <T> = -(D / 2) <sum over i of lap_i ln Psi> = -D rho / 2 int 4 pi r^2 g (u'' + 2 u' / r) dr, where
                       r^2 (u'' + 2 u' / r) = (r^2 u')': beyond R there is -(D rho / 2) 4 pi [0 - R^2 u'(R)] = 2 pi D rho R^2 u'(R)
     by gradients      the forces of the atoms beyond cancel each other where g = 1: nothing
     local             T = 2 (by Laplacians) - (by gradients), so that it is twice that: 4 pi D rho R^2 u'(R)
   The same tail makes good what the samples do not show, the jump of u' at R, whose Laplacian is -u'(R) delta(r - R). */
static void tails(double density, double cutoff, double *v, double *t) {
  const double s = 2.556 / cutoff, s3 = s * s * s, s9 = s3 * s3 * s3;
  const double q = 2.6 / cutoff, du = 5 * q * q * q * q * q / cutoff;
  *v = 8 * PI * density * 10.22 * 2.556 * 2.556 * 2.556 * (s9 / 9 - s3 / 3);
  *t = 2 * PI * HBAR2_2M * density * cutoff * cutoff * du;
}

/* |sum of exp(i k r)|^2 / N of the crystal's (1, 1, 1): N in a crystal, about 1 in a liquid. */
static double crystal(const double *r, size_t n, double box) {
  double re = 0, im = 0;
  size_t i;
  for (i = 0; i < n; i++) {
    const double phase = 2 * PI / box * 3 * (r[i] + r[n + i] + r[2 * n + i]);
    re += cos(phase);
    im += sin(phase);
  }
  return (re * re + im * im) / (double)n;
}

/* The least value of a cubic through five points, by least squares with weights, within their range. */
static double lowest(const double *x, const double *y, const double *error, int n, double *at) {
  double m[4][5], c[4], best = 1e300;
  int i, j, k;
  memset(m, 0, sizeof m);
  for (i = 0; i < n; i++) {
    const double z = (x[i] - 0.0205) / 0.0035, p[4] = {1, z, z * z, z * z * z}, w = 1 / (error[i] * error[i]);
    for (j = 0; j < 4; j++) {
      for (k = 0; k < 4; k++) m[j][k] += w * p[j] * p[k];
      m[j][4] += w * p[j] * y[i];
    }
  }
  for (i = 0; i < 4; i++)
    for (j = i + 1; j < 4; j++) {
      const double f = m[j][i] / m[i][i];
      for (k = i; k < 5; k++) m[j][k] -= f * m[i][k];
    }
  for (i = 3; i >= 0; i--) {
    c[i] = m[i][4];
    for (k = i + 1; k < 4; k++) c[i] -= m[i][k] * c[k];
    c[i] /= m[i][i];
  }
  for (i = 0; i <= 1000; i++) {
    const double z = -1 + 2e-3 * i, f = c[0] + z * (c[1] + z * (c[2] + z * c[3]));
    if (f < best) {
      best = f;
      *at = 0.0205 + 0.0035 * z;
    }
  }
  return best;
}

static void test_liquid(void) {
  enum { N = 108, DENSITIES = 5, WALKERS = 8 };
  static const double density[DENSITIES] = {0.017, 0.019, 0.0205, 0.022, 0.024};
  static const double cell[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  double energy[DENSITIES], error[DENSITIES], at = 0, least, order;
  double *r = (double *)room(sizeof *r * 3 * N * WALKERS);
  sample s;
  const int walkers = (int)walkers_of(WALKERS);
  int i, d, w, least_of = 0, complete = 1;
  head("McMillan's liquid, 108 atoms from a crystal, energies per atom without tails");
  for (i = 0; i < DENSITIES; i++) {
    convk_vmc v =
        cluster(convk_pair_lennard_jones(10.22, 2.556), N, trial_of(118.81376, 0, 0, 0), (size_t)walkers, (uint64_t)(40 + i));
    const double box = pow(N / density[i], 1. / 3);
    double v_tail, t_tail;
    char name[80], what[160];
    int k, status;
    for (d = 0; d < 3; d++) v.system.box[d] = box;
    for (w = 0; w < walkers; w++)
      for (k = 0; k < N; k++) {
        const int c[3] = {k / 4 % 3, k / 12 % 3, k / 36};
        for (d = 0; d < 3; d++) r[(w * 3 + d) * N + k] = (c[d] + cell[k % 4][d] + 0.25) * box / 3;
      }
    near_to(crystal(r, N, box), N, 1e-9, "a crystal");
    v.interval = 4;
    v.equilibration = 1024;
    snprintf(name, sizeof name, "108, %.4f / A^3", density[i]);
    status = simulate(&v, 0, r, sweeps_of(2560, 10), &s);
    status_is(status, CONVK_OK, name);
    if (status) {
      complete = 0;
      continue;
    }
    tails(density[i], box / 2, &v_tail, &t_tail);
    row(name, &s, N);
    for (order = 0, w = 0; w < walkers; w++) order += crystal(s.r + 3 * N * w, N, box) / walkers;
    energy[i] = s.result.energy.mean / N + v_tail + 2 * t_tail;
    error[i] = bar(&s, 0) / N;
    printf("%24s%11.5f +-%7.5f%11.5f%20s%11.5f%20sS(111) %.2f\n", "with tails", energy[i], error[i],
           s.result.potential.mean / N + v_tail, "", s.result.kinetic_laplacian.mean / N + t_tail, "", order);
    snprintf(what, sizeof what, "%s has melted", name);
    expect(order < 0.1 * N, what);
    snprintf(what, sizeof what, "both kinetic energies of %s", name);
    /* the tail by g = 1 is that good */
    agrees(s.mean[GRADIENT_LESS] / N, t_tail, s.error[GRADIENT_LESS] / N + 0.02 * t_tail, most_of(0.07, 0.03), what);
    snprintf(what, sizeof what, "error of %s", name);
    expect(error[i] > 0 && error[i] <= most_of(0.02, 0.01), what);
    if (energy[i] < energy[least_of]) least_of = i;
    free(s.r);
  }
  free(r);
  if (!complete) return;
  least = lowest(density, energy, error, DENSITIES, &at);
  printf("least of the five: %.4f +- %.4f K at %.4f; of a cubic through them: %.4f K at %.5f / A^3 (published: -5.65 K)\n",
         energy[least_of], error[least_of], density[least_of], least, at);
  is_below(energy[least_of], -5.4, error[least_of], most_of(0.02, 0.01), "energy of the liquid");
  is_below(-5.9, energy[least_of], error[least_of], most_of(0.02, 0.01), "energy of the liquid, from below");
  is_below(least, -5.4, error[least_of], most_of(0.02, 0.01), "energy of the liquid, by a cubic");
  is_below(-5.9, least, error[least_of], most_of(0.02, 0.01), "energy of the liquid, by a cubic, from below");
  expect(least_of > 0 && least_of < DENSITIES - 1, "a least energy between the densities");
  agrees(energy[0], fmax(energy[0], least), error[0], 0.1, "less bound where it is thin");
  agrees(energy[4], fmax(energy[4], least + 0.2), error[4], 0.1, "less bound where it is dense");
}

/* ------------------------------------------------------------------------------------------------------ error bars -- */

/* Error bars from blocking against what they mean: the scatter of many seeds.  For n seeds the ratio of both is known to
   about 1 / sqrt(2 n): four sigma of chi^2 of 63, and what blocking may lack: 15%. */
static void honest(const char *name, convk_vmc v, size_t sweeps) {
  enum { SEEDS = 64 };
  double sum[SERIES], square[SERIES], error[SERIES], tau[SERIES], block[SERIES];
  const size_t size = state_size(&v, 0);
  void *state = room(size);
  char what[120];
  int k, i, status = CONVK_OK;
  for (i = 0; i < SERIES; i++) sum[i] = square[i] = error[i] = tau[i] = block[i] = 0;
  for (k = 0; k < SEEDS && !status; k++) {
    convk_vmc_result r;
    v.seed = (uint64_t)(1000 + k);
    status = begin(&v, 0, NULL, state, size);
    if (!status) status = run(&v, 0, v.equilibration + sweeps, state, size);
    if (!status) status = results(0, state, size, &r);
    for (i = 0; i < SERIES && !status; i++) {
      const convk_vmc_estimate e = series_of(&r, i);
      sum[i] += e.mean / SEEDS;
      square[i] += e.mean * e.mean / SEEDS;
      error[i] += e.error * e.error / SEEDS;
      tau[i] += e.autocorrelation / SEEDS;
      block[i] += e.block / SEEDS;
    }
  }
  free(state);
  status_is(status, CONVK_OK, name);
  for (i = 0; i < SERIES && !status; i++) {
    const double scatter = sqrt((square[i] - sum[i] * sum[i]) * SEEDS / (SEEDS - 1)), ratio = scatter / sqrt(error[i]);
    printf("%-22s%-18s%12.5f%12.5f%12.5f%8.2f%8.2f%8.1f\n", name, series_name[i], sum[i], scatter, sqrt(error[i]), ratio,
           tau[i], block[i]);
    snprintf(what, sizeof what, "error bar of %s, %s", name, series_name[i]);
    expect(ratio > 0.66 && ratio < 1.37 * 1.15, what);
  }
}

static void test_errors(void) {
  convk_vmc v = cluster(convk_pair_hfdb(), 3, trial_of(120, 0, 0.4, 0.08), walkers_of(8), 0);
  printf("\n%-22s%-18s%12s%12s%12s%8s%8s%8s\n", "64 seeds", "", "mean, K", "scatter", "blocking", "ratio", "tau", "block");
  v.equilibration = 256;
  honest("3, single", v, 1024);
  v.moves = CONVK_VMC_MOVE_ALL;
  honest("3, all", v, 1536);
  if (quick) return;
  v = cluster(convk_pair_hfdb(), 20, trial_of(125, 0, 0, 0.04), 2, 0);
  v.interval = 2;
  v.equilibration = 256;
  honest("20, single", v, 2048);
  v = cluster(convk_pair_hfdb(), 3, trial_of(120, 0, 0.4, 0.08), 2, 0);
  v.moves = CONVK_VMC_MOVE_ALL;
  v.step = 1.5; /* short: blocks must become long */
  v.acceptance = -1;
  v.interval = 2;
  v.equilibration = 1024;
  honest("3, all, short steps", v, 12288);
}

/* --------------------------------------------------------------------------------------------------------- threads -- */

static int backwards(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  ++*(size_t *)ctx;
  while (ntasks--) task(arg, ntasks);
  return 0;
}

static void test_threads(void) {
  size_t calls = 0;
  int k;
  printf("\n");
  for (k = 0; k < 6; k++) { /* many walkers or one; moves and precisions */
    const size_t walkers = k % 2 ? 1 : 6;
    const int single = k >= 4;
    convk_vmc v = cluster(convk_pair_hfdb(), 70, trial_of(130, 0, 0, 0.0115), walkers, 60);
    const convk_parallel serial = hw.parallel;
    size_t size;
    void *one, *two;
    int status;
    v.moves = k / 2 % 2 ? CONVK_VMC_MOVE_ALL : CONVK_VMC_MOVE_SINGLE;
    v.drift = k / 2 % 2;
    v.equilibration = 20;
    size = state_size(&v, single);
    one = room(size);
    two = room(size);
    status = begin(&v, single, NULL, one, size);
    memcpy(two, one, size);
    if (!status) status = run(&v, single, 50, one, size);
    hw.parallel.threads = 2;
    hw.parallel.run = backwards;
    hw.parallel.ctx = &calls;
    if (!status) status = run(&v, single, 23, two, size);
    if (!status) status = run(&v, single, 27, two, size);
    hw.parallel = serial;
    status_is(status, CONVK_OK, "a run by two threads");
    expect(!memcmp(one, two, size), "two threads, in two calls: the same bits");
    free(one);
    free(two);
  }
  if (!hw.ours.inside.device) expect(calls > 0, "threads were used");
}

/* ------------------------------------------------------------------------------------------------------- minimiser -- */

/* Few atoms, HFD-B, from poor parameters: too narrow, too wide, or of a long tail.  The least energies of these trial functions
   by quadrature, without p2 and with it: N = 2 -0.001128 K (136.6, 0, 0.911, 0.0126) and -0.001454 K (118.1, 2.61, 1.08,
   0.0091), N = 3 -0.124080 K (129.5, 0, 0.519, 0.0693) and -0.125899 K (116.1, 2.44, 0.81, 0.0479). */
static void test_minimiser(void) {
  static const struct {
    size_t particles;
    convk_pair_trial start;
    int without; /* p2 */
    double wanted, least;
  } of[7] = {{3, {80, 0, 0, 0.2}, 1, -0.1232, -0.12409},     {3, {80, 0, 0, 0.2}, 0, -0.1247, -0.12590},
             {3, {200, 0, 0, 0.02}, 0, -0.1247, -0.12590},   {3, {119, 0, 1, 0.0118}, 0, -0.1247, -0.12590},
             {3, {120, 0, 0.4, 0.08}, 0, -0.1247, -0.12590}, {2, {80, 0, 0, 0.2}, 1, 0.0003, -0.00113},
             {2, {200, 0, 1, 0.05}, 0, 0.0002, -0.00146}};
  int i;
  printf("\nminimised from%32s%38s%18s%12s%12s%7s\n", "", "to", "sampled", "quadrature", "before", "s");
  for (i = 0; i < 7; i++) {
    convk_vmc v = cluster(convk_pair_hfdb(), of[i].particles, of[i].start, 64, (uint64_t)(70 + i));
    const size_t size = state_size(&v, 0);
    const convk_pair_trial *t = &v.system.trial, *f = &of[i].start;
    void *state = room(size);
    double begun = seconds();
    convk_vmc_minimise_options o;
    convk_vmc_result r;
    moments before, after;
    char name[80];
    int status;
    snprintf(name, sizeof name, "minimised, N = %lu from %g, %g, %g, %g", (unsigned long)of[i].particles, f->p5, f->p2, f->p0,
             f->p1);
    memset(&o, 0, sizeof o);
    memset(&r, 0, sizeof r);
    o.fixed[1] = of[i].without;
    o.final_sweeps = of[i].particles == 2 ? 10000 : sweeps_of(8000, 8); /* two are slow: a tenth of it is equilibration */
    if (quick) o.sweeps = 150;
    status = begin(&v, 0, NULL, state, size);
    if (!status) status = convk_vmc_minimise_f64(&hw, &v, &o, (convk_vmc_state_f64 *)state, size, &r, NULL, 0);
    free(state);
    status_is(status, CONVK_OK, name);
    if (status) continue;
    begun = seconds() - begun;
    if (of[i].particles == 2) {
      before = quadrature2(f, hfdb, 4000, 200000);
      after = quadrature2(t, hfdb, 4000, 200000);
    } else {
      before = quadrature3(f, hfdb, 160, quick ? 0.3 : 0.2);
      after = quadrature3(t, hfdb, 160, quick ? 0.3 : 0.2);
    }
    printf("%lu: %5g,%2g,%4g,%7g to %9.3f%9.4f%9.4f%9.5f%12.5f +-%8.5f%12.6f%12.6f%7.1f\n", (unsigned long)of[i].particles,
           f->p5, f->p2, f->p0, f->p1, t->p5, t->p2, t->p0, t->p1, r.energy.mean, r.energy.error, after.energy, before.energy,
           begun);
    expect(!of[i].without || !(t->p2 > 0 || t->p2 < 0), "a fixed parameter stays");
    agrees(r.energy.mean, after.energy, r.energy.error, most_of(4e-3, 2e-3), name);
    expect(after.energy < of[i].wanted + (quick ? 0.002 : 0), name);
    expect(after.energy < before.energy, "lower than before");
    expect(after.energy > of[i].least - (quick ? 4e-4 : 1e-5), "no lower than can be"); /* but for the grid */
  }
}

/* Drops and the liquid: from both sides to the same energy.  In a box the cutoff makes it that of gradients. */
static void test_minimiser_many(void) {
  static const convk_pair_trial start[2][2] = {{{80, 0, 0, 0.1}, {200, 0, 0, 0.01}}, {{70, 0, 0, 0}, {250, 0, 0, 0}}};
  int box, i;
  printf("\nminimised from%57s%22s%22s%7s\n", "to", "energy", "with gradients", "s");
  for (box = 0; box < 2; box++) {
    double energy[2] = {0, 0}, error[2] = {0, 0};
    if (quick && !box) continue; /* drops take their time */
    for (i = 0; i < 2; i++) {
      convk_vmc v =
          cluster(box ? convk_pair_lennard_jones(10.22, 2.556) : convk_pair_hfdb(), box ? 32 : 20, start[box][i], 16, 80);
      const convk_pair_trial *t = &v.system.trial;
      convk_vmc_minimise_options o;
      convk_vmc_result r;
      double begun = seconds();
      size_t size;
      void *state;
      int d, status;
      for (d = 0; d < 3 && box; d++) v.system.box[d] = 11.3643; /* 0.0218 per cubic Angstrom */
      memset(&o, 0, sizeof o);
      memset(&r, 0, sizeof r);
      o.fixed[1] = o.fixed[2] = o.fixed[3] = box;
      o.iterations = box ? 24 : 0;
      o.sweeps = quick ? 50 : box ? 100 : 400;
      o.final_sweeps = quick ? 1500 : 4000;
      size = state_size(&v, 0);
      state = room(size);
      status = begin(&v, 0, NULL, state, size);
      if (!status) status = convk_vmc_minimise_f64(&hw, &v, &o, (convk_vmc_state_f64 *)state, size, &r, NULL, 0);
      free(state);
      status_is(status, CONVK_OK, box ? "minimised liquid" : "minimised drop");
      if (status) continue;
      energy[i] = box ? r.potential.mean + r.kinetic_gradient.mean : r.energy.mean;
      error[i] = box ? r.potential.error + r.kinetic_gradient.error : r.energy.error;
      printf("%s: %5g,%2g,%4g,%7g to %9.3f%9.4f%9.4f%9.5f%12.3f +-%7.3f%12.3f +-%7.3f%7.1f\n", box ? "32" : "20",
             start[box][i].p5, start[box][i].p2, start[box][i].p0, start[box][i].p1, t->p5, t->p2, t->p0, t->p1, r.energy.mean,
             r.energy.error, r.potential.mean + r.kinetic_gradient.mean, error[i], seconds() - begun);
      expect(box ? t->p5 > 95 && t->p5 < 150 && !(t->p1 > 0) : t->p1 > 0, "parameters of the least energy");
    }
    agrees(energy[0], energy[1], sqrt(error[0] * error[0] + error[1] * error[1]), box ? 8 : 0.2, "the same energy");
    if (!box) is_below(energy[0], -29.9, error[0], 0.15, "a drop");
  }
}

/* ------------------------------------------------------------------------------------------------------------ main -- */

typedef struct part {
  const char *name;
  void (*test)(void);
} part;

int main(int argc, char **argv) {
  static const part parts[] = {{"potential", test_potential},   {"dimers", test_dimers},
                               {"quadrature", test_quadrature}, {"few", test_few},
                               {"drops", test_drops},           {"liquid", test_liquid},
                               {"errors", test_errors},         {"threads", test_threads},
                               {"minimiser", test_minimiser},   {"minimiser_many", test_minimiser_many}};
  const char *name = NULL, *only = NULL;
  const double begun = seconds();
  size_t i, done = 0;
  int a, status;
  for (a = 1; a < argc; a++) {
    if (!strcmp(argv[a], "--quick")) quick = 1;
    else if (!strcmp(argv[a], "--long")) lengthy = 1;
    else if (!strcmp(argv[a], "--hw") && a + 1 < argc) name = argv[++a];
    else if (!strcmp(argv[a], "--only") && a + 1 < argc) only = argv[++a];
    else {
      printf("test_helium [--quick | --long] [--hw NAME] [--only PART]\n");
      return 2;
    }
  }
  status = convk_open(&hw, name);
  if (status) {
    printf("%s: %s\n", name ? name : "the best hardware", convk_strerror(status));
    return 2;
  }
  printf("%s, %s%s\n", hw.name, hw.machine, quick ? ", quick" : lengthy ? ", long" : "");
  for (i = 0; i < sizeof parts / sizeof *parts; i++) {
    const double before = seconds();
    if (only && strcmp(only, parts[i].name)) continue;
    if (!hw.ours.inside.f64.vmc_run) {
      skipped++;
      continue;
    }
    parts[i].test();
    printf("%s: %.1f s\n", parts[i].name, seconds() - before);
    fflush(stdout);
    done++;
  }
  if (!done && !skipped) {
    printf("there is no part %s\n", only);
    return 2;
  }
  convk_close(&hw);
  printf("%.1f s\n%lu passed, %lu failed, %lu skipped\n", seconds() - begun, passed, failed, skipped);
  return failed != 0;
}
