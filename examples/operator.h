/* A Hamiltonian on a uniform grid, H = -1/2 Laplacian + V, in hartree and bohr, and its lowest states: filters of Chebyshev
 * polynomials on a few trial functions, and the states of H among them (Y. Zhou et al., J. Comput. Phys. 219, 172, 2006).
 * Unknowns are coefficients of Daubechies-16 scaling functions, or values at points, of which differences make derivatives.
 * Before this text come convk.h, with f64 of the family sepconv, complex.h and options.h. */
#ifndef OPERATOR_H
#define OPERATOR_H

#include <float.h>
#include <math.h>

typedef double complex cplx;

typedef struct hamiltonian {
  convk *hw;
  int order; /* of differences; 0: wavelets */
  double h;
  convk_grid3 grid;
  size_t points, length; /* doubles of an array: twice the points where it is complex */
  double *potential;     /* at the points */
  double bottom, top;    /* between which the eigenvalues lie */
  int repeats;           /* a cell of a crystal, with complex arrays and a point k */
  double k[3];
  convk_sumconv_terms_f64 terms; /* of H itself */
  double taps[CONVK_DERIVATIVE_TAPS], first[3][CONVK_DERIVATIVE_TAPS];
  double *values, *half; /* of wavelets: the product V psi at the points; half: a complex array has two real ones */
  void *work;
  size_t work_size;
} hamiltonian;

/* ---- H ---- */

/* Along an axis of one point nothing changes: what repeats has no derivative there. */
static inline convk_sepconv3d_shape filtered_shape(const hamiltonian *o) {
  const size_t n[3] = {o->grid.nx, o->grid.ny, o->grid.nz};
  convk_sepconv3d_shape shape = {o->grid, {0, 0, 0, 0, 0}, {0, 0, 0}};
  int d;
  for (d = 0; d < 3; d++) {
    shape.boundary[d] = o->repeats || n[d] == 1 ? CONVK_BOUNDARY_PERIODIC : CONVK_BOUNDARY_ZERO;
  }
  return shape;
}

static inline convk_sumconv3d_shape summed_shape(const hamiltonian *o) {
  const convk_sepconv3d_shape same = filtered_shape(o);
  const convk_sumconv3d_shape shape = {same.in, same.out, {same.boundary[0], same.boundary[1], same.boundary[2]}, 0, 0, 0};
  return shape;
}

/* The largest eigenvalue of an even filter on an endless axis, that of a plane wave. */
static inline double highest(const convk_filter_f64 *f) {
  double most = 0;
  int i, l;
  for (i = 0; i <= 256; i++) {
    double sum = 0;
    for (l = f->lo; l <= f->up; l++) {
      sum += f->taps[l - f->lo] * cos(l * PI * i / 256);
    }
    most = fmax(most, sum);
  }
  return most;
}

/* Taps of the kinetic energy. At a point k wavelets have 1/2 (k - i grad)^2, differences phases at the ends of the cell. */
static inline void kinetic(hamiltonian *o) {
  const size_t n[3] = {o->grid.nx, o->grid.ny, o->grid.nz};
  double k2 = 0;
  int d;
  require_ok(convk_derivative_filter_f64(o->hw, 2, o->order, -0.5 / (o->h * o->h), o->taps, &o->terms.filter[0]), "taps");
  o->terms.filter[1] = o->terms.filter[2] = o->terms.filter[0];
  for (d = 0; o->repeats && d < 3; d++) {
    k2 += o->k[d] * o->k[d];
    if (o->order == 0) {
      require_ok(convk_derivative_filter_f64(o->hw, 1, 0, -o->k[d] / o->h, o->first[d], &o->terms.imag[d]), "taps");
    } else {
      o->terms.phase[d][0] = cos(o->k[d] * o->h * (double)n[d]);
      o->terms.phase[d][1] = sin(o->k[d] * o->h * (double)n[d]);
    }
  }
  o->terms.shift = o->order == 0 ? 0.5 * k2 : 0;
  o->top = (double)((n[0] > 1) + (n[1] > 1) + (n[2] > 1)) * highest(&o->terms.filter[0]);
  o->top = 0.5 * pow(sqrt(2 * o->top) + sqrt(k2), 2);
}

/* V at a point; the middle of the grid is 0. */
typedef double potential_function(double x, double y, double z);

static inline void point_of(const hamiltonian *o, size_t i, double xyz[3]) {
  xyz[0] = o->h * ((double)(i % o->grid.nx) - 0.5 * (double)(o->grid.nx - 1));
  xyz[1] = o->h * ((double)(i / o->grid.nx % o->grid.ny) - 0.5 * (double)(o->grid.ny - 1));
  xyz[2] = o->h * ((double)(i / o->grid.nx / o->grid.ny) - 0.5 * (double)(o->grid.nz - 1));
}

/* order: of differences, or 0; k: of a crystal, or NULL for an electron that stays inside of the grid. */
static inline void hamiltonian_open(hamiltonian *o, convk *hw, int order, double h, convk_grid3 grid, potential_function *V,
                                    const double *k) {
  convk_sumconv3d_shape shape;
  convk_sepconv3d_shape same;
  size_t i, size;
  int d;
  memset(o, 0, sizeof *o);
  o->hw = hw;
  o->order = order;
  o->h = h;
  o->grid = grid;
  o->points = grid.nx * grid.ny * grid.nz;
  o->repeats = k != NULL;
  for (d = 0; k && d < 3; d++) {
    o->k[d] = k[d];
  }
  o->length = (k ? 2 : 1) * o->points;
  kinetic(o);
  o->potential = (double *)memory(o->points, sizeof *o->potential);
  o->bottom = DBL_MAX;
  for (i = 0, size = 0; i < o->points; i++) {
    double xyz[3];
    point_of(o, i, xyz);
    o->potential[i] = V(xyz[0], xyz[1], xyz[2]);
    o->bottom = fmin(o->bottom, o->potential[i]);
    size = o->potential[i] > o->potential[size] ? i : size;
  }
  o->top += fmax(0, o->potential[size]);
  shape = summed_shape(o);
  same = filtered_shape(o);
  if (order == 0) {
    o->values = (double *)memory(o->points, sizeof *o->values);
    o->half = k ? (double *)memory(2 * o->points, sizeof *o->half) : NULL;
    require_ok(convk_magicfilter3d_work_size_f64(hw, &same, CONVK_FORWARD, NULL, &o->work_size), "magicfilter3d_work_size");
  } else {
    o->terms.potential = o->potential;
    o->terms.potential_factor = 1;
  }
  require_ok(k ? convk_sumconv3d_work_size_c64(hw, &shape, &o->terms, &size)
               : convk_sumconv3d_work_size_f64(hw, &shape, &o->terms, &size),
             "sumconv3d_work_size");
  o->work_size = size > o->work_size ? size : o->work_size;
  o->work = memory(o->work_size, 1);
}

static inline void hamiltonian_close(hamiltonian *o) {
  free(o->potential);
  free(o->values);
  free(o->half);
  free(o->work);
}

/* out = a V x + b out of wavelets: by the magic filter to values at the points, and back. */
static inline void apply_potential(hamiltonian *o, double a, double b, const double *x, double *out) {
  const convk_sepconv3d_shape shape = filtered_shape(o);
  convk_sepconv_epilogue_f64 there, back;
  memset(&there, 0, sizeof there);
  memset(&back, 0, sizeof back);
  there.potential = o->potential;
  back.update = 1;
  back.a = a;
  back.b = b;
  require_ok(convk_magicfilter3d_f64(o->hw, &shape, CONVK_FORWARD, &there, x, o->values, o->work, o->work_size),
             "magicfilter3d");
  require_ok(convk_magicfilter3d_f64(o->hw, &shape, CONVK_INVERSE, &back, o->values, out, o->work, o->work_size),
             "magicfilter3d");
}

/* The same of real and imaginary parts, which lie side by side. */
static inline void apply_potential_complex(hamiltonian *o, double a, double b, const double *x, double *out) {
  size_t i;
  int part;
  for (part = 0; part < 2; part++) {
    for (i = 0; i < o->points; i++) {
      o->half[i] = x[2 * i + (size_t)part];
      o->half[o->points + i] = out[2 * i + (size_t)part];
    }
    apply_potential(o, a, b, o->half, o->half + o->points);
    for (i = 0; i < o->points; i++) {
      out[2 * i + (size_t)part] = o->half[o->points + i];
    }
  }
}

/* out = a (H - c) x + b out: a step of a filter. Differences need one call, wavelets two more for V. */
static inline void apply(hamiltonian *o, double a, double c, double b, const double *x, double *out) {
  const convk_sumconv3d_shape shape = summed_shape(o);
  convk_sumconv_terms_f64 terms = o->terms;
  double taps[CONVK_DERIVATIVE_TAPS], first[3][CONVK_DERIVATIVE_TAPS];
  int d, l;
  for (l = 0; l <= terms.filter[0].up - terms.filter[0].lo; l++) {
    taps[l] = a * o->taps[l];
  }
  for (d = 0; d < 3; d++) {
    terms.filter[d].taps = taps;
    for (l = 0; terms.imag[d].taps && l <= terms.imag[d].up - terms.imag[d].lo; l++) {
      first[d][l] = a * o->first[d][l];
    }
    terms.imag[d].taps = terms.imag[d].taps ? first[d] : NULL;
  }
  terms.potential_factor *= a;
  terms.shift = a * (terms.shift - c);
  terms.add = o->order == 0 || b != 0 ? out : NULL;
  terms.add_factor = o->order == 0 ? 1 : b;
  if (o->order == 0) {
    (o->repeats ? apply_potential_complex : apply_potential)(o, a, b, x, out);
  }
  require_ok(
      (o->repeats ? convk_sumconv3d_c64 : convk_sumconv3d_f64)(o->hw, &shape, &terms, x, out, NULL, o->work, o->work_size),
      "sumconv3d");
}

/* The values at the points of a real x, or from such values coefficients. */
static inline void change(hamiltonian *o, int direction, const double *x, double *out) {
  const convk_sepconv3d_shape shape = filtered_shape(o);
  if (o->order == 0) {
    require_ok(convk_magicfilter3d_f64(o->hw, &shape, direction, NULL, x, out, o->work, o->work_size), "magicfilter3d");
  } else {
    memcpy(out, x, o->points * sizeof *out);
  }
}

/* ---- small matrices ---- */

/* The eigenvalues of a Hermitian matrix a[i m + j] of m x m, ascending, and its eigenvectors, columns of u, by the rotations of
 * Jacobi: one of the columns p and q makes a[p m + q] zero. */
static inline void eigen(size_t m, cplx *a, cplx *u, double *value) {
  size_t sweep, p, q, i;
  double all = 0;
  int turned = 1;
  for (i = 0; i < m * m; i++) {
    u[i] = i % (m + 1) == 0;
  }
  for (i = 0; i < m * m; i++) {
    all += creal(a[i]) * creal(a[i]) + cimag(a[i]) * cimag(a[i]);
  }
  for (sweep = 0; turned && sweep < 40; sweep++) {
    turned = 0;
    for (p = 0; p + 1 < m; p++) {
      for (q = p + 1; q < m; q++) {
        const double size = cabs(a[p * m + q]);
        const double angle = 0.5 * atan2(2 * size, creal(a[q * m + q]) - creal(a[p * m + p])), c = cos(angle);
        const cplx turn = size > 0 ? conj(a[p * m + q]) / size : 1, s = sin(angle);
        if (!(size > 1e-17 * sqrt(all))) { /* roundings; of smaller ones not even the direction is sure */
          continue;
        }
        turned = 1;
        for (i = 0; i < m; i++) {
          const cplx x = a[i * m + p], y = turn * a[i * m + q], v = u[i * m + p], w = turn * u[i * m + q];
          a[i * m + p] = c * x - s * y;
          a[i * m + q] = s * x + c * y;
          u[i * m + p] = c * v - s * w;
          u[i * m + q] = s * v + c * w;
        }
        for (i = 0; i < m; i++) {
          const cplx x = a[p * m + i], y = conj(turn) * a[q * m + i];
          a[p * m + i] = c * x - s * y;
          a[q * m + i] = s * x + c * y;
        }
      }
    }
  }
  for (i = 0; i < m; i++) {
    value[i] = creal(a[i * m + i]);
  }
  for (p = 0; p + 1 < m; p++) { /* in order */
    size_t least = p;
    double swap;
    for (q = p + 1; q < m; q++) {
      least = value[q] < value[least] ? q : least;
    }
    swap = value[p];
    value[p] = value[least];
    value[least] = swap;
    for (i = 0; i < m; i++) {
      const cplx v = u[i * m + p];
      u[i * m + p] = u[i * m + least];
      u[i * m + least] = v;
    }
  }
}

/* ---- some states ---- */

/* m arrays one after the other, and as many for H of them. */
typedef struct states {
  size_t m;
  double *x, *hx, *energy;
  size_t applied; /* how often H was */
} states;

static inline void states_open(states *s, const hamiltonian *o, size_t m) {
  s->m = m;
  s->x = (double *)memory(m * o->length, sizeof *s->x);
  s->hx = (double *)memory(m * o->length, sizeof *s->hx);
  s->energy = (double *)memory(m, sizeof *s->energy);
  s->applied = 0;
}
static inline void states_close(states *s) {
  free(s->x);
  free(s->hx);
  free(s->energy);
}

/* sum of conj(x) y */
static inline cplx inner(const hamiltonian *o, const double *x, const double *y) {
  double re = 0, im = 0;
  size_t i;
  for (i = 0; i < o->length; i++) {
    re += x[i] * y[i];
  }
  for (i = 0; o->repeats && i < o->length; i += 2) {
    im += x[i] * y[i + 1] - x[i + 1] * y[i];
  }
  return re + im * I;
}

/* y += f x */
static inline void add(const hamiltonian *o, cplx f, const double *x, double *y) {
  const double re = creal(f), im = cimag(f);
  size_t i;
  for (i = 0; i < o->length; i++) {
    y[i] += re * x[i];
  }
  for (i = 0; o->repeats && i < o->length; i += 2) {
    y[i] -= im * x[i + 1];
    y[i + 1] += im * x[i];
  }
}

/* By Gram and Schmidt, twice, so that roundings do not matter. */
static inline void orthonormalise(const hamiltonian *o, states *s) {
  size_t i, j, k;
  for (i = 0; i < s->m; i++) {
    double *x = s->x + i * o->length, norm;
    for (k = 0; k < 2; k++) {
      for (j = 0; j < i; j++) {
        add(o, -inner(o, s->x + j * o->length, x), s->x + j * o->length, x);
      }
      norm = 1 / sqrt(creal(inner(o, x, x)));
      for (j = 0; j < o->length; j++) {
        x[j] *= norm;
      }
    }
  }
}

/* x becomes x u; `spare` has room for as much. */
static inline void rotate(const hamiltonian *o, states *s, const cplx *u, double *spare) {
  size_t i, j;
  memset(spare, 0, s->m * o->length * sizeof *spare);
  for (i = 0; i < s->m; i++) {
    for (j = 0; j < s->m; j++) {
      add(o, u[j * s->m + i], s->x + j * o->length, spare + i * o->length);
    }
  }
  memcpy(s->x, spare, s->m * o->length * sizeof *spare);
}

/* The states of H among all sums of x (Rayleigh and Ritz). */
static inline void states_of(hamiltonian *o, states *s) {
  const size_t m = s->m;
  cplx *a = (cplx *)memory(2 * m * m, sizeof *a);
  size_t i, j;
  orthonormalise(o, s);
  for (i = 0; i < m; i++) {
    apply(o, 1, 0, 0, s->x + i * o->length, s->hx + i * o->length);
    for (j = 0; j <= i; j++) {
      a[j * m + i] = inner(o, s->x + j * o->length, s->hx + i * o->length);
      a[i * m + j] = conj(a[j * m + i]);
    }
  }
  s->applied += m;
  eigen(m, a, a + m * m, s->energy);
  rotate(o, s, a + m * m, s->hx);
  free(a);
}

/* What lies between low and o->top stays small in x, what lies below grows, by `degree` steps of
 *   y(n+1) = 2 (sigma(n+1) / e) (H - c) y(n) - sigma(n) sigma(n+1) y(n-1)
 * whose scale keeps the lowest state as large as it is: one call where sumconv3d has all of H, as of differences. */
static inline void filter(hamiltonian *o, double lowest, double low, int degree, double *x, double *spare) {
  const double e = 0.5 * (o->top - low), c = 0.5 * (o->top + low), first = e / (lowest - c);
  double sigma = first, *now = spare, *before = x;
  int n;
  if (o->order) {
    const convk_sumconv3d_shape shape = summed_shape(o);
    const convk_chebyshev interval = {degree, low, o->top, lowest};
    require_ok(
        (o->repeats ? convk_chebyshev3d_c64 : convk_chebyshev3d_f64)(o->hw, &shape, &o->terms, &interval, x, spare, NULL, 0),
        "chebyshev3d");
  } else {
    apply(o, first / e, c, 0, x, now);
    for (n = 2; n <= degree; n++) {
      const double next = 1 / (2 / first - sigma);
      double *swap = before;
      apply(o, 2 * next / e, c, -sigma * next, now, before);
      before = now;
      now = swap;
      sigma = next;
    }
  }
  if (now != x) {
    memcpy(x, now, o->length * sizeof *x);
  }
}

/* Until none of the `wanted` lowest energies changes by more than `tolerance`; further states make that faster. */
static inline void find_states(hamiltonian *o, states *s, size_t wanted, int degree, double tolerance) {
  double *before = (double *)memory(s->m, sizeof *before), change = DBL_MAX;
  size_t i;
  int round;
  states_of(o, s);
  for (round = 0; round < 60 && change > tolerance; round++) {
    const double low = s->energy[s->m - 1], lowest = s->energy[0];
    memcpy(before, s->energy, s->m * sizeof *before);
    for (i = 0; i < s->m; i++) {
      filter(o, lowest, low, degree, s->x + i * o->length, s->hx);
    }
    s->applied += s->m * (size_t)degree;
    states_of(o, s);
    for (i = 0, change = 0; i < wanted; i++) {
      change = fmax(change, fabs(s->energy[i] - before[i]));
    }
  }
  require(change <= tolerance, "the states", "do not converge");
  free(before);
}

#endif
