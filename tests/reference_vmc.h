/* SPDX-License-Identifier: MIT
   Pairs of particles in long double, from the definitions: potentials, trial function, sums over pairs with what rounding in a
   type may do to them, Philox, and Metropolis sampling.  It shares nothing with the library. */

#ifndef CONVK_TESTS_REFERENCE_VMC_H
#define CONVK_TESTS_REFERENCE_VMC_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define REF_LEAST_ (1.0L / 256) /* distances below count as this */

/* ---- potentials ---- */

enum { REF_NONE, REF_HFD, REF_LJ, REF_TABLE };

/* Of a Lennard-Jones potential only eps and rm (sigma) count. */
typedef struct ref_potential {
  int kind;
  double eps, rm, a, alpha, beta, c6, c8, c10, d, bump, x1, x2;
  double first, spacing;
  size_t entries;
  const double *values;
} ref_potential;

enum { REF_HFDHE2, REF_HFDB, REF_LM2M2, REF_HELIUMS };

static inline ref_potential ref_helium(int which) {
  static const double constants[REF_HELIUMS][12] = {
      {10.8, 2.9673, 544850.4, 13.353384, 0, 1.3732412, 0.4253785, 0.178100, 1.241314, 0, 0, 0},
      {10.948, 2.963, 184431.01, 10.43329537, -2.27965105, 1.36745214, 0.42123807, 0.17473318, 1.4826, 0, 0, 0},
      {10.97, 2.9695, 189635.353, 10.70203539, -1.90740649, 1.34687065, 0.41308398, 0.17060159, 1.4088, 0.0026, 1.003535949,
       1.454790369}};
  const double *c = constants[which];
  ref_potential p;
  memset(&p, 0, sizeof p);
  p.kind = REF_HFD;
  p.eps = c[0];
  p.rm = c[1];
  p.a = c[2];
  p.alpha = c[3];
  p.beta = c[4];
  p.c6 = c[5];
  p.c8 = c[6];
  p.c10 = c[7];
  p.d = c[8];
  p.bump = c[9];
  p.x1 = c[10];
  p.x2 = c[11];
  return p;
}

/* A function, the sum of the magnitudes of its terms, and that of r times their derivatives. */
typedef struct ref_value {
  long double v, size, slope;
} ref_value;

static inline long double ref_table(const ref_potential *p, long double r, long double *size) {
  const long double x = (r - p->first) / p->spacing;
  long double sum = 0;
  size_t k, i, j;
  *size = 0;
  if (x > (long double)(p->entries - 1)) return 0;
  if (x <= 0) {
    *size = fabsl(p->values[0]);
    return p->values[0];
  }
  k = (size_t)x;
  k = k < 1 ? 0 : k - 1;
  if (k > p->entries - 4) k = p->entries - 4;
  for (i = 0; i < 4; i++) {
    long double w = p->values[k + i];
    for (j = 0; j < 4; j++)
      if (j != i) w *= (x - (long double)(k + j)) / ((long double)i - (long double)j);
    sum += w;
    *size += fabsl(w);
  }
  return sum;
}

static inline ref_value ref_v(const ref_potential *p, long double r) {
  ref_value f = {0, 0, 0};
  long double x, c, s, part;
  if (r < REF_LEAST_) r = REF_LEAST_;
  if (p->kind == REF_NONE) return f;
  if (p->kind == REF_TABLE) {
    const long double h = 1e-3L * p->spacing;
    long double unused;
    f.v = ref_table(p, r, &f.size);
    f.slope = fabsl(ref_table(p, r + h, &unused) - ref_table(p, r - h, &unused)) / (2 * h) * r + f.size;
    return f;
  }
  x = r / p->rm;
  c = 1 / (x * x * x * x * x * x);
  if (p->kind == REF_LJ) {
    f.v = 4 * p->eps * (c * c - c);
    f.size = 4 * p->eps * (c * c + c);
    f.slope = 4 * p->eps * (12 * c * c + 6 * c);
    return f;
  }
  part = p->eps * p->a * expl(-p->alpha * x + p->beta * x * x);
  f.v = f.size = part;
  f.slope = part * (fabsl(p->alpha * x) + 2 * fabsl(p->beta * x * x));
  s = 1 / (x * x);
  part = p->c6 * c + p->c8 * c * s + p->c10 * c * s * s;
  c = 6 * p->c6 * c + 8 * fabsl(p->c8) * c * s + 10 * fabsl(p->c10) * c * s * s;
  if (x < p->d) {
    const long double y = p->d / x - 1, damp = expl(-y * y);
    c = c * damp + part * damp * 2 * y * p->d / x;
    part *= damp;
  }
  f.v -= p->eps * part;
  f.size += p->eps * fabsl(part);
  f.slope += p->eps * fabsl(c);
  if (p->bump != 0 && x >= p->x1 && x <= p->x2) {
    const long double pi = 3.14159265358979323846264338328L, turn = 2 * pi / ((long double)p->x2 - p->x1);
    const long double a = turn * (x - p->x1) - pi / 2;
    f.v += p->eps * p->bump * (sinl(a) + 1);
    f.size += 2 * p->eps * fabsl(p->bump);
    f.slope += p->eps * fabsl(p->bump) * turn * x;
  }
  return f;
}

/* ---- trial function: p5, p2, p0, p1 ---- */

static inline long double ref_u(const double p[4], long double r) {
  const long double s = 1 / (r * r);
  return -p[0] * s * s / r - p[1] * s - p[2] * logl(r) - p[3] * r;
}

/* ---- a system ---- */

typedef struct ref_system {
  size_t n;
  double p[4];
  ref_potential v;
  double box[3]; /* 0: open */
  double cutoff; /* 0: none */
  double hbar2_2m;
} ref_system;

/* What comes out, and what rounding may do to it.  Index: value, bound. */
typedef struct ref_sums {
  long double ln_psi[2], potential[2], gradient_squared[2], laplacian[2], kinetic[2], derivative[4][2];
} ref_sums;

/* One pair: its difference by nearest images, the distance that counts, what rounding may do to both, and whether it counts;
   2: rounding decides. */
static inline int ref_pair(const ref_system *s, const long double a[3], const long double b[3], double eps, long double d[3],
                           long double *r, long double error[3], long double *relative) {
  long double square = 0, wrong = 0;
  int k;
  for (k = 0; k < 3; k++) {
    d[k] = a[k] - b[k];
    error[k] = 0.5L * eps * fabsl(d[k]);
    if (s->box[0] > 0) {
      const long double images = roundl(d[k] / s->box[k]);
      d[k] -= images * s->box[k];
      error[k] += eps * fabsl(images * s->box[k]) + 0.5L * eps * fabsl(d[k]);
    }
    square += d[k] * d[k];
    wrong += error[k] * error[k];
  }
  *r = sqrtl(square);
  if (*r < REF_LEAST_) *r = REF_LEAST_;
  *relative = sqrtl(wrong) / *r + 2.5L * eps;
  if (!(s->cutoff > 0)) return 1;
  if (fabsl(*r - s->cutoff) < *r * *relative) return 2;
  return *r < s->cutoff;
}

/* Adds a term: index 0 the value, 1 the bound. */
static inline void ref_add(long double to[2], long double value, long double size, long double slope, double eps,
                           long double relative, int counts) {
  if (counts == 1) to[0] += value;
  to[1] += 6 * eps * size + slope * relative + (counts == 1 ? 0 : fabsl(value));
}

/* u' / r, the sum of magnitudes and of r times derivatives. */
static inline ref_value ref_w(const double p[4], long double r) {
  const long double t = 1 / r, s = t * t;
  const long double term[4] = {5 * p[0] * s * s * s * t, 2 * p[1] * s * s, -p[2] * s, -p[3] * t};
  const int power[4] = {7, 4, 2, 1};
  ref_value w = {0, 0, 0};
  int k;
  for (k = 0; k < 4; k++) {
    w.v += term[k];
    w.size += fabsl(term[k]);
    w.slope += power[k] * fabsl(term[k]);
  }
  return w;
}

static inline void ref_sums_add(ref_sums *to, const ref_sums *part) {
  int i, k;
  for (i = 0; i < 2; i++) {
    to->ln_psi[i] += part->ln_psi[i];
    to->potential[i] += part->potential[i];
    to->laplacian[i] += part->laplacian[i];
    for (k = 0; k < 4; k++) to->derivative[k][i] += part->derivative[k][i];
  }
}

/* All pairs of coordinates x[3 n], x y z; gradient and its bounds, of 3 n each, or NULL.  eps: of the type of pair terms. */
static inline void ref_pairs(const ref_system *s, const double *x, double eps, ref_sums *sums, long double *gradient,
                             long double *bound) {
  const size_t n = s->n;
  const double *p = s->p;
  long double *g = (long double *)calloc(6 * n, sizeof *g), *gb = g + 3 * n;
  const long double shift = s->cutoff > 0 ? ref_u(p, s->cutoff) : 0;
  long double pairs = 0, doubtful = 0;
  size_t i, j, k;
  if (!g) exit(2);
  memset(sums, 0, sizeof *sums);
  for (i = 0; i < n; i++) {
    ref_sums row; /* so that few roundings add up where long double has no more digits than double */
    memset(&row, 0, sizeof row);
    for (j = 0; j < i; j++) {
      const long double a[3] = {x[i], x[n + i], x[2 * n + i]}, b[3] = {x[j], x[n + j], x[2 * n + j]};
      long double d[3], error[3], r, relative, t, q, ln;
      const int counts = ref_pair(s, a, b, eps, d, &r, error, &relative);
      ref_value w, v;
      if (!counts) continue;
      t = 1 / r;
      q = t * t;
      ln = logl(r);
      ref_add(row.derivative[0], -q * q * t, q * q * t, 5 * q * q * t, eps, relative, counts);
      ref_add(row.derivative[1], -q, q, 2 * q, eps, relative, counts);
      ref_add(row.derivative[2], -ln, fabsl(ln) / 8 + 0.25L, 1, eps, relative, counts); /* a product, whose log is taken once */
      ref_add(row.derivative[3], -r, r, r, eps, relative, counts);
      ref_add(row.ln_psi, ref_u(p, r) - shift, 0, 0, eps, 0, counts);
      pairs++;
      doubtful += counts == 2;
      ref_add(row.laplacian, 2 * (-20 * p[0] * q * q * q * t - 2 * p[1] * q * q - p[2] * q - 2 * p[3] * t),
              2 * (20 * fabsl(p[0]) * q * q * q * t + 2 * fabsl(p[1]) * q * q + fabsl(p[2]) * q + 2 * fabsl(p[3]) * t),
              2 * (140 * fabsl(p[0]) * q * q * q * t + 8 * fabsl(p[1]) * q * q + 2 * fabsl(p[2]) * q + 2 * fabsl(p[3]) * t),
              eps, relative, counts);
      v = ref_v(&s->v, r);
      ref_add(row.potential, v.v, v.size, v.slope, eps, relative, counts);
      w = ref_w(p, r);
      for (k = 0; k < 3; k++) {
        const long double allowed = (w.size * 6 * eps + w.slope * relative) * fabsl(d[k]) + w.size * error[k] +
                                    (counts == 1 ? 0 : w.size * fabsl(d[k]));
        if (counts == 1) {
          g[k * n + i] += w.v * d[k];
          g[k * n + j] -= w.v * d[k];
        }
        gb[k * n + i] += allowed;
        gb[k * n + j] += allowed;
      }
    }
    ref_sums_add(sums, &row);
  }
  for (k = 0; k < 4; k++) {
    sums->ln_psi[1] += fabs(p[k]) * (sums->derivative[k][1] + 1e-15L * fabsl(sums->derivative[k][0])); /* sums of doubles */
  }
  sums->ln_psi[1] += 1e-15L * pairs * fabsl(shift);
  if (s->cutoff > 0) { /* u at the cutoff is taken off, and so are its derivatives */
    const long double c = s->cutoff, edge[4] = {-1 / (c * c * c * c * c), -1 / (c * c), -logl(c), -c};
    for (k = 0; k < 4; k++) {
      sums->derivative[k][0] -= edge[k] * (pairs - doubtful);
      sums->derivative[k][1] += fabsl(edge[k]) * (1e-15L * pairs + doubtful);
    }
  }
  for (i = 0; i < 3 * n; i++) {
    sums->gradient_squared[0] += g[i] * g[i];
    sums->gradient_squared[1] += 2 * fabsl(g[i]) * gb[i] + gb[i] * gb[i] + 1e-15L * g[i] * g[i];
  }
  sums->kinetic[0] = -s->hbar2_2m * (sums->laplacian[0] + sums->gradient_squared[0]);
  sums->kinetic[1] = s->hbar2_2m * (sums->laplacian[1] + sums->gradient_squared[1]) + 1e-15L * fabsl(sums->kinetic[0]);
  if (gradient) memcpy(gradient, g, 3 * n * sizeof *g);
  if (bound) memcpy(bound, gb, 3 * n * sizeof *g);
  free(g);
}

/* The part of ln Psi that a particle k at `at` has, its bound, and its gradient there with bounds. */
static inline void ref_row(const ref_system *s, const double *x, size_t k, const double at[3], double eps, long double ln[2],
                           long double g[3], long double gb[3]) {
  const long double shift = s->cutoff > 0 ? ref_u(s->p, s->cutoff) : 0, a[3] = {at[0], at[1], at[2]};
  const size_t n = s->n;
  size_t j;
  int c;
  ln[0] = ln[1] = 0;
  for (c = 0; c < 3; c++) g[c] = gb[c] = 0;
  for (j = 0; j < n; j++) {
    const long double b[3] = {x[j], x[n + j], x[2 * n + j]};
    long double d[3], error[3], r, relative, t, q, size, slope;
    ref_value w;
    int counts;
    if (j == k) continue;
    counts = ref_pair(s, a, b, eps, d, &r, error, &relative);
    if (!counts) continue;
    t = 1 / r;
    q = t * t;
    size = fabsl(s->p[0]) * q * q * t + fabsl(s->p[1]) * q + fabsl(s->p[2]) * (fabsl(logl(r)) / 8 + 0.25L) + fabsl(s->p[3]) * r;
    slope = 5 * fabsl(s->p[0]) * q * q * t + 2 * fabsl(s->p[1]) * q + fabsl(s->p[2]) + fabsl(s->p[3]) * r;
    ref_add(ln, ref_u(s->p, r) - shift, size, slope, eps, relative, counts);
    ln[1] += 1e-15L * fabsl(shift);
    w = ref_w(s->p, r);
    for (c = 0; c < 3; c++) {
      if (counts == 1) g[c] += w.v * d[c];
      gb[c] +=
          (w.size * 6 * eps + w.slope * relative) * fabsl(d[c]) + w.size * error[c] + (counts == 1 ? 0 : w.size * fabsl(d[c]));
    }
  }
}

/* ---- Philox4x32-10 ---- */

static inline void ref_philox(uint32_t c[4], uint32_t k0, uint32_t k1) {
  int round;
  for (round = 0; round < 10; round++) {
    const uint64_t p = (uint64_t)c[0] * 3528531795u, q = (uint64_t)c[2] * 3449720151u;
    const uint32_t c1 = c[1], c3 = c[3];
    if (round) {
      k0 += 2654435769u;
      k1 += 3144134277u;
    }
    c[0] = (uint32_t)(q >> 32) ^ c1 ^ k0;
    c[1] = (uint32_t)q;
    c[2] = (uint32_t)(p >> 32) ^ c3 ^ k1;
    c[3] = (uint32_t)p;
  }
}

/* Four numbers within (0, 1): the counter is sweep, particle, walker, and purpose above the sweep's upper 24 bits. */
static inline void ref_uniform(uint64_t seed, uint64_t sweep, size_t particle, size_t walker, uint32_t purpose, double u[4]) {
  uint32_t c[4];
  int i;
  c[0] = (uint32_t)sweep;
  c[1] = (uint32_t)particle;
  c[2] = (uint32_t)walker;
  c[3] = (uint32_t)(sweep >> 32) | purpose << 24;
  ref_philox(c, (uint32_t)seed, (uint32_t)(seed >> 32));
  for (i = 0; i < 4; i++) u[i] = (c[i] + 0.5) / 4294967296.0;
}

/* ---- Metropolis ---- */

static inline void ref_normal(uint64_t seed, uint64_t sweep, size_t particle, size_t walker, long double normal[3]) {
  uint32_t purpose;
  int have = 0, i;
  for (purpose = 16; have < 3; purpose++) {
    double u[4];
    ref_uniform(seed, sweep, particle, walker, purpose, u);
    for (i = 0; i < 4 && have < 3; i += 2) {
      const long double a = 2 * (long double)u[i] - 1, b = 2 * (long double)u[i + 1] - 1, s = a * a + b * b;
      if (s >= 1) continue;
      normal[have++] = a * sqrtl(-2 * logl(s) / s);
      if (have < 3) normal[have++] = b * sqrtl(-2 * logl(s) / s);
    }
  }
}

/* The mean of a move that follows the force, which is limited. */
static inline void ref_drift(long double step, const long double g[3], long double mean[3]) {
  const long double square = step * step * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  int k;
  for (k = 0; k < 3; k++) mean[k] = step * step * g[k] / (1 + square / 4);
}

/* One sweep of one walker, x[3 n] in numbers of the type; the number of accepted moves.  *doubt: the least distance of a decision
   from the other one. */
static inline size_t ref_sweep(const ref_system *s, int all, int drift, int is_float, uint64_t seed, uint64_t sweep,
                               size_t walker, double step, double *x, long double *doubt) {
  const size_t n = s->n;
  double *to = (double *)malloc(3 * n * sizeof *to);
  ref_sums before, after;
  long double *g = (long double *)malloc(6 * n * sizeof *g), chance = 0;
  size_t k, accepted = 0;
  double u[4];
  int c, pass;
  if (!to || !g) exit(2);
  memcpy(to, x, 3 * n * sizeof *to);
  if (all) ref_pairs(s, x, 0, &before, g, NULL);
  for (k = 0; k < n; k++) {
    double at[3], way[3];
    long double move[3], mean[3] = {0, 0, 0}, ln[2][2], force[2][3], unused[3];
    for (c = 0; c < 3; c++) at[c] = x[(size_t)c * n + k];
    if (all)
      for (c = 0; c < 3; c++) force[0][c] = g[(size_t)c * n + k];
    else ref_row(s, x, k, at, 0, ln[0], force[0], unused);
    ref_uniform(seed, sweep, k, walker, 0, u);
    if (drift) {
      ref_normal(seed, sweep, k, walker, move);
      ref_drift(step, force[0], mean);
    }
    for (c = 0; c < 3; c++) {
      move[c] = drift ? mean[c] + step * move[c] : step * (2 * (long double)u[c] - 1);
      way[c] = at[c] + (double)move[c]; /* rounded once: not to long double first */
      if (is_float) way[c] = (double)(float)way[c];
      to[(size_t)c * n + k] = way[c];
    }
    if (all) continue;
    ref_row(s, x, k, way, 0, ln[1], force[1], unused);
    chance = 2 * (ln[1][0] - ln[0][0]);
    for (pass = 0; pass < 2 && drift; pass++) { /* back, and there */
      ref_drift(step, force[!pass], mean);
      for (c = 0; c < 3; c++) {
        const long double off = (pass ? (long double)way[c] - at[c] : (long double)at[c] - way[c]) - mean[c];
        chance += (pass ? off * off : -off * off) / (2 * (long double)step * step);
      }
    }
    if (fabsl(chance - logl(u[3])) < *doubt) *doubt = fabsl(chance - logl(u[3]));
    if (chance > logl(u[3])) accepted++;
    for (c = 0; c < 3; c++) {
      if (chance > logl(u[3])) x[(size_t)c * n + k] = way[c];
      else to[(size_t)c * n + k] = at[c];
    }
  }
  if (all) {
    ref_pairs(s, to, 0, &after, g + 3 * n, NULL);
    chance = 2 * (after.ln_psi[0] - before.ln_psi[0]);
    for (k = 0; k < n && drift; k++)
      for (pass = 0; pass < 2; pass++) {
        long double force[3], mean[3];
        for (c = 0; c < 3; c++) force[c] = g[(pass ? 0 : 3 * n) + (size_t)c * n + k];
        ref_drift(step, force, mean);
        for (c = 0; c < 3; c++) {
          const long double way = (long double)to[(size_t)c * n + k] - x[(size_t)c * n + k],
                            off = (pass ? way : -way) - mean[c];
          chance += (pass ? off * off : -off * off) / (2 * (long double)step * step);
        }
      }
    ref_uniform(seed, sweep, n, walker, 1, u);
    if (fabsl(chance - logl(u[3])) < *doubt) *doubt = fabsl(chance - logl(u[3]));
    if (chance > logl(u[3])) {
      accepted = 1;
      memcpy(x, to, 3 * n * sizeof *x);
    }
  }
  free(to);
  free(g);
  return accepted;
}

/* ---- the error of a mean by blocks ---- */

typedef struct ref_estimate {
  long double mean, error, autocorrelation;
  size_t block;
} ref_estimate;

/* The least block length B = 2^k with B^3 > 2 n (error_B / error_1)^4 of which there are eight blocks; else infinite. */
static inline ref_estimate ref_blocks(const long double *x, size_t n) {
  ref_estimate e = {0, (long double)HUGE_VAL, 0, 0};
  long double first = 0;
  size_t b, i, j;
  for (i = 0; i < n; i++) e.mean += x[i] / (long double)n;
  for (b = 1; n / b >= 8; b *= 2) {
    const size_t m = n / b;
    long double mean = 0, square = 0, ratio;
    for (i = 0; i < m * b; i++) mean += x[i] / (long double)(m * b);
    for (i = 0; i < m; i++) {
      long double part = 0;
      for (j = 0; j < b; j++) part += x[i * b + j] / (long double)b;
      square += (part - mean) * (part - mean);
    }
    square /= (long double)m * (long double)(m - 1);
    if (b == 1) first = square;
    ratio = first > 0 ? square / first : 1;
    if ((long double)b * (long double)b * (long double)b > 2 * (long double)n * ratio * ratio) {
      e.error = sqrtl(square);
      e.autocorrelation = ratio / 2;
      e.block = b;
      break;
    }
  }
  return e;
}

#endif
