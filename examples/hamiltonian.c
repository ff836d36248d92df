/* An electron in a potential: the lowest states of H = -1/2 Laplacian + V, in hartree and bohr, by wavelets and by finite
 * differences of order 2 to 12, beside exact energies.
 *   hamiltonian [--quick] [--out FILE] [--data FILE]     a harmonic and a soft Coulomb potential, and bands of a crystal
 *   hamiltonian --time [--n POINTS]                      H psi per second, and its parts
 *   hamiltonian --k KX,KY,KZ                             the crystal at this point k, in 1/bohr
 *   [--hw NAME] [--threads N]
 * operator.h has H and the search for its states. */
#define _POSIX_C_SOURCE 200112L /* for a clock that only moves forward */

#define CONVK_WITH_FILTERS /* the other families are left out: they take their time to compile */
#define CONVK_WITH_SUMS
#define CONVK_F64
#define CONVK_SIMD
#include "convk.h"

#define PROGRAM "hamiltonian"
#define PI 3.14159265358979323846
#include "options.h"
#include "data_file.h"
#include "picture.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "operator.h"

#define USAGE "hamiltonian [OPTION...]; hamiltonian --help lists them"
#define DEGREE 24
#define COLUMNS 7 /* of each block of data */
#define GAP 8     /* pixels between slices */

/* ---- potentials, and what is known of their states ---- */

static double harmonic(double x, double y, double z) { return 0.5 * (x * x + y * y + z * z); }
#define HALF_BOX 6.0 /* bohr: exp(-x^2) is 2e-16 there */

static double soft_coulomb(double x, double y, double z) { return -1 / sqrt(x * x + y * y + z * z + 1); }
#define HALF_COULOMB 17.5

#define CELL 6.0 /* bohr along x; a sixth of it along y and z, where the crystal is empty */
#define WAVE 0.5 /* hartree */
static double cosine(double x, double y, double z) {
  (void)y;
  (void)z;
  return WAVE * cos(2 * PI * x / CELL);
}

/* v becomes the solution u of a u = v, by elimination with the largest pivot of a column; a is lost. */
static void eliminate(int n, double *a, double *v) {
  int i, j, k;
  for (k = 0; k < n; k++) {
    int best = k;
    for (i = k + 1; i < n; i++) {
      best = fabs(a[i * n + k]) > fabs(a[best * n + k]) ? i : best;
    }
    for (j = k; j <= n; j++) {
      double *p = j < n ? a + k * n + j : v + k, *q = j < n ? a + best * n + j : v + best;
      const double swap = *p;
      *p = *q;
      *q = swap;
    }
    a[k * n + k] = a[k * n + k] != 0 ? a[k * n + k] : DBL_EPSILON;
    for (i = k + 1; i < n; i++) {
      const double f = a[i * n + k] / a[k * n + k];
      for (j = k + 1; j < n; j++) {
        a[i * n + j] -= f * a[k * n + j];
      }
      v[i] -= f * v[k];
    }
  }
  for (i = n - 1; i >= 0; i--) {
    for (j = i + 1; j < n; j++) {
      v[i] -= a[i * n + j] * v[j];
    }
    v[i] /= a[i * n + i];
  }
}

/* The lowest energy of the soft Coulomb potential for l = 0 or 1, by sinc functions in the radius (D. T. Colbert, W. H. Miller,
 * J. Chem. Phys. 96, 1982, 1992): r psi is continued to negative r, odd for l = 0, even for l = 1, so that the error falls as
 * exp(-pi / step), from the pole of V at r = i. Inverse iteration whose shift is the energy. */
#define SINC 360
#define SINC_STEP 0.11
static double radial(int l) {
  double *a = (double *)memory((size_t)SINC * SINC, sizeof *a), u[SINC], v[SINC], energy = 0, change = 1;
  int round, i, j;
  for (i = 0; i < SINC; i++) {
    const double r = SINC_STEP * (i + (l ? 0.5 : 1));
    u[i] = pow(r, l + 1) * exp(-0.6 * r);
  }
  for (round = 0; round < 12 && change > 1e-14; round++) {
    const double before = energy;
    double norm = 0, sum = 0;
    for (i = 0; i < SINC; i++) {
      const double r = SINC_STEP * (i + (l ? 0.5 : 1));
      for (j = 0, v[i] = 0; j < SINC; j++) {
        const double apart = i - j, around = i + j + (l ? 1 : 2);
        const double near = i == j ? PI * PI / 3 : 2 / (apart * apart), far = 2 / (around * around);
        a[i * SINC + j] = 0.5 / (SINC_STEP * SINC_STEP) * ((i - j) % 2 ? -1 : 1) * (near + (l ? far : -far));
        a[i * SINC + j] += i == j ? soft_coulomb(r, 0, 0) + 0.5 * l * (l + 1) / (r * r) : 0;
        v[i] += a[i * SINC + j] * u[j];
      }
      norm += u[i] * u[i];
      sum += u[i] * v[i];
    }
    energy = sum / norm;
    change = fabs(energy - before);
    for (i = 0; i < SINC; i++) {
      a[i * SINC + i] -= energy;
      v[i] = u[i] / sqrt(norm);
    }
    eliminate(SINC, a, v);
    memcpy(u, v, sizeof u);
  }
  free(a);
  return energy;
}

/* The lowest bands of the crystal at k, by 41 plane waves along x: exact to all digits. */
#define WAVES 41
static void plane_waves(const double k[3], double *energy) {
  cplx *a = (cplx *)memory((size_t)2 * WAVES * WAVES, sizeof *a);
  int i;
  for (i = 0; i < WAVES; i++) {
    a[i * WAVES + i] = 0.5 * pow(k[0] + 2 * PI / CELL * (i - WAVES / 2), 2) + 0.5 * (k[1] * k[1] + k[2] * k[2]);
    if (i > 0) {
      a[i * WAVES + i - 1] = a[(i - 1) * WAVES + i] = 0.5 * WAVE;
    }
  }
  eigen(WAVES, a, a + (size_t)WAVES * WAVES, energy);
  free(a);
}

/* ---- the harmonic potential ---- */

/* Points h apart, symmetric about the middle, within -half..half. */
static convk_grid3 box(double half, double h) {
  const size_t n = 2 * (size_t)(half / h + 1e-9) + 1;
  const convk_grid3 grid = {n, n, n, 0, 0};
  return grid;
}

/* A trial function: x^p[0] y^p[1] z^p[2] times a Gaussian, or times the exponential of -width times the root of r^2 + 1. */
static void guess(hamiltonian *o, states *s, size_t state, const int p[3], double width, int coulomb) {
  double *values = (double *)memory(o->points, sizeof *values);
  size_t i;
  for (i = 0; i < o->points; i++) {
    double x[3], r2;
    point_of(o, i, x);
    r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    values[i] = pow(x[0], p[0]) * pow(x[1], p[1]) * pow(x[2], p[2]) * exp(-width * (coulomb ? sqrt(r2 + 1) : r2));
  }
  change(o, CONVK_INVERSE, values, s->x + state * o->length);
  free(values);
}

/* The lowest energy along one axis, of a grid of n x 1 x 1 points: 1/2. Three of them make that of a box. */
static double line_energy(convk *hw, int order, double h) {
  convk_grid3 grid = box(HALF_BOX, h);
  hamiltonian o;
  states s;
  double energy;
  int i;
  grid.ny = grid.nz = 1;
  hamiltonian_open(&o, hw, order, h, grid, harmonic, NULL);
  states_open(&s, &o, 4);
  for (i = 0; i < 4; i++) {
    const int power[3] = {i, 0, 0};
    guess(&o, &s, (size_t)i, power, 0.4, 0);
  }
  find_states(&o, &s, 1, DEGREE, 1e-13);
  energy = s.energy[0];
  states_close(&s);
  hamiltonian_close(&o);
  return energy;
}

/* How fast the energy converges with the spacing. */
static void converge(convk *hw, const data_file *data) {
  static const double spacing[] = {0.8, 0.6, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15};
  enum { ROWS = sizeof spacing / sizeof *spacing };
  double error[ROWS][COLUMNS];
  int i, j;
  printf("an axis of the harmonic potential, energy 0.5 hartree: error beside the spacing in bohr\n%10s%12s", "spacing",
         "wavelets");
  for (j = 2; j <= 12; j += 2) {
    printf("   order %2d", j);
  }
  for (i = 0; i < ROWS; i++) {
    printf("\n%10.2f ", spacing[i]);
    for (j = 0; j < COLUMNS; j++) {
      error[i][j] = line_energy(hw, 2 * j, spacing[i]) - 0.5;
      printf("%11.1e", error[i][j]);
    }
  }
  printf("\nconverges %c", ' ');
  for (j = 0; j < COLUMNS; j++) {
    printf("%11.2f", log(error[ROWS - 2][j] / error[ROWS - 1][j]) / log(spacing[ROWS - 2] / spacing[ROWS - 1]));
  }
  printf("    order between the last two spacings\n");
  require(fabs(error[ROWS - 1][0]) < 1e-11, "wavelets", "the energy is not 1/2");
  if (data) {
    data_block(data, "convergence",
               "spacing [bohr], wavelets [hartree], order 2 [hartree], order 4 [hartree], "
               "order 6 [hartree], order 8 [hartree], order 12 [hartree]");
    for (i = 0; i < ROWS; i++) {
      const double *e = error[i],
                   row[COLUMNS] = {spacing[i], fabs(e[0]), fabs(e[1]), fabs(e[2]), fabs(e[3]), fabs(e[4]), fabs(e[6])};
      data_row(data, COLUMNS, row);
    }
  }
}

/* States of one energy may be any sums of one another: those along the axes are the eigenstates of x^2 + 2.3 y^2 among them.
 * `values` become those at the points. */
static void align(hamiltonian *o, states *s, double *values) {
  const size_t m = s->m;
  cplx *a = (cplx *)memory(2 * m * m, sizeof *a);
  double *order = (double *)memory(m, sizeof *order);
  size_t i, j, k;
  for (i = 0; i < m; i++) {
    change(o, CONVK_FORWARD, s->x + i * o->length, values + i * o->points);
  }
  for (i = 0; i < m; i++) {
    for (j = 0; j < m; j++) {
      a[i * m + j] = i == j ? 100 * floor(s->energy[i] + 0.25) : 0; /* shells keep their order */
      for (k = 0; fabs(s->energy[i] - s->energy[j]) < 0.1 && k < o->points; k++) {
        double x[3];
        point_of(o, k, x);
        a[i * m + j] += values[i * o->points + k] * values[j * o->points + k] * (x[0] * x[0] + 2.3 * x[1] * x[1]);
      }
    }
  }
  eigen(m, a, a + m * m, order);
  rotate(o, s, a + m * m, s->hx);
  for (i = 0; i < m; i++) {
    change(o, CONVK_FORWARD, s->x + i * o->length, values + i * o->points);
  }
  free(order);
  free(a);
}

#define SHOWN 6 /* states that are not 0 at z = 0, in the order of x^2 + 2.3 y^2 */
static const int shown[SHOWN] = {0, 2, 3, 6, 8, 9};

/* Slices at z = 0, each from -largest (blue) to +largest (red); returns them one after the other, to be freed. */
static double *draw(const hamiltonian *o, const double *values, const char *path) {
  const size_t n = o->grid.nx, slice = n * n, middle = o->grid.nz / 2 * slice, factor = n < 200 ? 200 / n : 1,
               side = n * factor;
  double *t = (double *)memory(SHOWN * slice, sizeof *t);
  picture_image image;
  size_t i, k;
  require(!picture_open(&image, SHOWN / 2 * (side + GAP) - GAP, 2 * side + GAP), "the picture",
          convk_strerror(CONVK_ERR_MEMORY));
  for (k = 0; k < SHOWN; k++) {
    const double *v = values + (size_t)shown[k] * o->points + middle;
    double largest = 0;
    for (i = 0; i < slice; i++) { /* a sign that does not depend on roundings: more where x + 2 y > 0, or outside */
      largest = fabs(v[i]) > 1.0001 * fabs(largest) || (fabs(v[i]) > 0.9999 * fabs(largest) && i > slice / 2) ? v[i] : largest;
    }
    for (i = 0; i < slice; i++) {
      t[k * slice + i] = v[i] / largest;
    }
    require(!picture_data(&image, k / 2 * (side + GAP), k % 2 * (side + GAP), t + k * slice + (n - 1) * n, 1, -(ptrdiff_t)n, n,
                          n, factor, picture_diverging),
            "the picture", convk_strerror(CONVK_ERR_MEMORY));
  }
  require_written(!picture_write(&image, path), path);
  printf("picture:      %s: states in the plane z = 0; white 0, blue below, red above\n", path);
  picture_close(&image);
  return t;
}

/* As data: the slices, of which the first five fit. */
static void keep(const hamiltonian *o, const double *t, const data_file *data) {
  const size_t n = o->grid.nx;
  size_t i, k;
  data_block(data, "states", "x [bohr], y [bohr], 1 [1], 2 [1], 3 [1], 4 [1], 5 [1]");
  for (i = 0; i < n * n; i++) {
    double xyz[3], row[COLUMNS];
    point_of(o, i, xyz);
    row[0] = xyz[0];
    row[1] = xyz[1];
    for (k = 0; k < COLUMNS - 2; k++) {
      row[2 + k] = t[k * n * n + i];
    }
    data_row(data, COLUMNS, row);
    if (i % n == n - 1) {
      data_line_end(data);
    }
  }
}

/* What was found of the ten lowest states: shells of 1, 3 and 6. */
typedef struct shell_errors {
  double error[3], time;
  size_t applied;
} shell_errors;

static shell_errors shells_of(convk *hw, int order, double h, const char *path, const data_file *data) {
  static const int power[14][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2},
                                   {1, 1, 0}, {0, 1, 1}, {1, 0, 1}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}, {1, 1, 1}};
  const double start = seconds();
  shell_errors f = {{0, 0, 0}, 0, 0};
  hamiltonian o;
  states s;
  size_t i;
  hamiltonian_open(&o, hw, order, h, box(HALF_BOX, h), harmonic, NULL);
  states_open(&s, &o, 14);
  for (i = 0; i < s.m; i++) {
    guess(&o, &s, i, power[i], 0.4, 0);
  }
  find_states(&o, &s, 10, DEGREE, 1e-11);
  f.time = seconds() - start;
  f.applied = s.applied;
  for (i = 0; i < 10; i++) {
    const int shell = (i > 0) + (i > 3);
    const double e = s.energy[i] - 1.5 - shell;
    f.error[shell] = fabs(e) > fabs(f.error[shell]) ? e : f.error[shell];
  }
  if (path) {
    double *values = (double *)memory(s.m * o.points, sizeof *values), *t;
    align(&o, &s, values);
    t = draw(&o, values, path);
    if (data) {
      keep(&o, t, data);
    }
    free(t);
    free(values);
  }
  states_close(&s);
  hamiltonian_close(&o);
  return f;
}

static void shells(convk *hw, double h, const char *path, const data_file *data) {
  const shell_errors wavelets = shells_of(hw, 0, h, path, data), order8 = shells_of(hw, 8, h, NULL, NULL);
  const double axes = 3 * (line_energy(hw, 8, h) - 0.5);
  int i;
  printf("the harmonic potential r^2/2, spacing %g bohr: largest errors of energies in hartree\n", h);
  printf("%10s%8s%12s%12s\n", "energy", "states", "wavelets", "order 8");
  for (i = 0; i < 3; i++) {
    printf("%10.1f%8d%12.1e%12.1e\n", 1.5 + i, (i + 1) * (i + 2) / 2, wavelets.error[i], order8.error[i]);
  }
  printf("%18s%10.2f s%10.2f s    H was applied %lu and %lu times\n", "", wavelets.time, order8.time,
         (unsigned long)wavelets.applied, (unsigned long)order8.applied);
  require(fabs(order8.error[0] - axes) < 1e-10, "order 8", "the lowest energy is not the sum of those of three axes");
}

/* ---- the soft Coulomb potential ---- */

/* The lowest states with l = 0 and l = 1 along z: trial functions of these symmetries leave out all others. */
static void coulomb(convk *hw, double h) {
  static const int power[4][3] = {{0, 0, 0}, {2, 0, 0}, {0, 0, 1}, {0, 0, 3}}, orders[] = {0, 4, 8, 12};
  enum { METHODS = sizeof orders / sizeof *orders };
  double error[METHODS][2], time[METHODS];
  const double exact[2] = {radial(0), radial(1)};
  size_t j;
  int i, l;
  for (i = 0; i < METHODS; i++) {
    const double start = seconds();
    hamiltonian o;
    states s;
    hamiltonian_open(&o, hw, orders[i], h, box(HALF_COULOMB, h), soft_coulomb, NULL);
    states_open(&s, &o, 4);
    for (j = 0; j < s.m; j++) {
      guess(&o, &s, j, power[j], j < 2 ? 0.75 : 0.45, 1);
    }
    find_states(&o, &s, 2, DEGREE, 1e-8);
    error[i][0] = s.energy[0] - exact[0];
    error[i][1] = s.energy[1] - exact[1];
    time[i] = seconds() - start;
    states_close(&s);
    hamiltonian_close(&o);
  }
  printf("the potential -1/sqrt(r^2 + 1), spacing %g bohr: errors of energies in hartree\n%14s", h, "energy");
  for (i = 0; i < METHODS; i++) {
    printf(orders[i] ? "    order %2d" : "    wavelets", orders[i]);
  }
  for (l = 0; l < 2; l++) {
    printf("\n%14.10f", exact[l]);
    for (i = 0; i < METHODS; i++) {
      printf("%12.1e", error[i][l]);
    }
    printf(l ? "    2p, whose tail the box cuts at %g bohr" : "    1s", HALF_COULOMB);
  }
  printf("\n%14s", "");
  for (i = 0; i < METHODS; i++) {
    printf("%10.2f s", time[i]);
  }
  printf("\n");
  require(fmax(fabs(error[0][0]), fabs(error[0][1])) < 1e-4 * pow(h / 0.7, 8), "soft Coulomb",
          "more error than the grid explains");
}

/* ---- a crystal ---- */

/* The lowest bands at k, in a cell of N x 4 x 4 points. */
#define BANDS 3
#define N 24
static void bands_at(convk *hw, int order, const double k[3], double energy[BANDS]) {
  const convk_grid3 grid = {N, 4, 4, 0, 0};
  hamiltonian o;
  states s;
  size_t i, j;
  hamiltonian_open(&o, hw, order, CELL / N, grid, cosine, k);
  states_open(&s, &o, BANDS + 3);
  for (j = 0; j < s.m; j++) { /* plane waves along x, as they come: 0, 1, -1, 2, .. */
    for (i = 0; i < o.points; i++) {
      const double angle = 2 * PI * (j % 2 ? 1.0 : -1.0) * (double)((j + 1) / 2) * (double)(i % N) / N;
      s.x[j * o.length + 2 * i] = cos(angle + (order ? k[0] * CELL / N * (double)(i % N) : 0));
      s.x[j * o.length + 2 * i + 1] = sin(angle + (order ? k[0] * CELL / N * (double)(i % N) : 0));
    }
  }
  find_states(&o, &s, BANDS, DEGREE, 1e-12);
  for (i = 0; i < BANDS; i++) {
    energy[i] = s.energy[i];
  }
  states_close(&s);
  hamiltonian_close(&o);
}

static void at_k(convk *hw, const double k[3]) {
  double exact[WAVES], found[3][BANDS];
  int i;
  plane_waves(k, exact);
  bands_at(hw, 0, k, found[0]);
  bands_at(hw, 8, k, found[1]);
  bands_at(hw, 12, k, found[2]);
  printf("crystal %g cos(2 pi x / %g) hartree at k = (%g, %g, %g)/bohr, spacing %g bohr: bands and errors in hartree\n", WAVE,
         CELL, k[0], k[1], k[2], CELL / N);
  printf("%14s%12s%12s%12s\n", "energy", "wavelets", "order 8", "order 12");
  for (i = 0; i < BANDS; i++) {
    printf("%14.10f%12.1e%12.1e%12.1e\n", exact[i], found[0][i] - exact[i], found[1][i] - exact[i], found[2][i] - exact[i]);
  }
}

static void bands(convk *hw, int points, const data_file *data) {
  double worst = 0, k[3] = {0, 0, 0};
  int i, b;
  if (data) {
    data_block(data, "bands",
               "k [1/bohr], exact 1 [hartree], exact 2 [hartree], exact 3 [hartree], "
               "band 1 [hartree], band 2 [hartree], band 3 [hartree]");
  }
  for (i = 0; i < points; i++) {
    double exact[WAVES], found[BANDS];
    k[0] = PI / CELL * (2.0 * i / (points - 1) - 1);
    plane_waves(k, exact);
    bands_at(hw, 0, k, found);
    for (b = 0; b < BANDS; b++) {
      worst = fmax(worst, fabs(found[b] - exact[b]));
    }
    if (data) {
      const double row[COLUMNS] = {k[0], exact[0], exact[1], exact[2], found[0], found[1], found[2]};
      data_row(data, COLUMNS, row);
    }
  }
  printf("crystal:      %d bands at %d points k, wavelets: largest error %.1e hartree\n", BANDS, points, worst);
  require(worst < 1e-5, "crystal", "bands that plane waves do not have");
}

/* ---- how fast ---- */

static double best_of(void (*call)(hamiltonian *o, const double *x, double *y), hamiltonian *o, const double *x, double *y) {
  const double start = seconds();
  double best = DBL_MAX;
  int i;
  for (i = 0; i < 5 || (i < 200 && seconds() - start < 0.25); i++) {
    const double from = seconds();
    call(o, x, y);
    best = fmin(best, seconds() - from);
  }
  return best;
}

static void whole_of(hamiltonian *o, const double *x, double *y) { apply(o, 1, 0, 0, x, y); }
static void potential_of(hamiltonian *o, const double *x, double *y) { apply_potential(o, 1, 0, x, y); }
static void values_of(hamiltonian *o, const double *x, double *y) { change(o, CONVK_FORWARD, x, y); }
static void kinetic_of(hamiltonian *o, const double *x, double *y) {
  const convk_sumconv3d_shape shape = summed_shape(o);
  convk_sumconv_terms_f64 terms = o->terms;
  terms.potential = NULL;
  require_ok(convk_sumconv3d_f64(o->hw, &shape, &terms, x, y, NULL, o->work, o->work_size), "sumconv3d");
}

static void say_rate(const char *what, double time, const hamiltonian *o) {
  printf("%-42s%10.1f/s%9.3f ns a point\n", what, 1 / time, 1e9 * time / (double)o->points);
}

static void measure(convk *hw, size_t n) {
  static const double k[3] = {0.3, 0, 0};
  const convk_grid3 grid = {n, n, n, 0, 0};
  double *x, *y;
  char what[64];
  hamiltonian o;
  size_t i;
  int order;
  x = (double *)memory(2 * n * n * n, sizeof *x);
  y = (double *)memory(2 * n * n * n, sizeof *y);
  for (i = 0; i < 2 * n * n * n; i++) {
    x[i] = 1 + 0.5 * sin((double)i);
  }
  printf("grid:         %lu^3 points, f64\n", (unsigned long)n);
  hamiltonian_open(&o, hw, 0, 0.4, grid, harmonic, NULL);
  say_rate("wavelets: H psi", best_of(whole_of, &o, x, y), &o);
  say_rate("  V: magic filter, V, back", best_of(potential_of, &o, x, y), &o);
  say_rate("    magic filter alone", best_of(values_of, &o, x, y), &o);
  say_rate("  -1/2 Laplacian, 29 taps along each axis", best_of(kinetic_of, &o, x, y), &o);
  hamiltonian_close(&o);
  for (order = 2; order <= 12; order += 2) {
    hamiltonian_open(&o, hw, order, 0.4, grid, harmonic, NULL);
    snprintf(what, sizeof what, "order %d: H psi", order);
    say_rate(what, best_of(whole_of, &o, x, y), &o);
    if (order == 8) {
      say_rate("  -1/2 Laplacian alone", best_of(kinetic_of, &o, x, y), &o);
    }
    hamiltonian_close(&o);
  }
  hamiltonian_open(&o, hw, 0, 0.4, grid, cosine, k);
  say_rate("complex, k, wavelets: H psi", best_of(whole_of, &o, x, y), &o);
  hamiltonian_close(&o);
  hamiltonian_open(&o, hw, 8, 0.4, grid, cosine, k);
  say_rate("complex, k, order 8: H psi", best_of(whole_of, &o, x, y), &o);
  hamiltonian_close(&o);
  free(x);
  free(y);
}

int main(int argc, char **argv) {
  const char *spec = NULL, *points = "64", *threads = NULL, *picture = "hamiltonian" PICTURE_SUFFIX, *file = NULL, *at = NULL;
  int timed = 0, quick = 0;
  double k[3];
  convk hw;
  data_file data;
  const option options[] = {{"--time", NULL, &timed, NULL, "H psi per second, and its parts"},
                            {"--n", &points, NULL, "N", "points along each edge of --time, 8..400"},
                            {"--k", &at, NULL, "KX,KY,KZ", "a crystal at this point k, in 1/bohr"},
                            {"--quick", NULL, &quick, NULL, "coarse grids"},
                            {"--out", &picture, NULL, "FILE", "the picture of states"},
                            DATA_OPTION(file),
                            HARDWARE_OPTION(spec),
                            THREADS_OPTION(threads),
                            END_OF_OPTIONS};

  read_options(argc, argv, options, NULL, USAGE, NULL);
  if (at) {
    char rest;
    require_option(sscanf(at, "%lf,%lf,%lf%c", k, k + 1, k + 2, &rest) == 3 && fabs(k[0]) + fabs(k[1]) + fabs(k[2]) < 1e3,
                   "--k", "three numbers are wanted, as 0.3,0,0");
  }
  open_hardware(&hw, spec, threads);
  printf("hardware:     %s, threads: %d\n", hw.name, threads_of(&hw));
  if (at) {
    at_k(&hw, k);
  } else if (timed) {
    measure(&hw, (size_t)whole(points, "--n", 8, 400));
  } else {
    if (file) {
      data = data_open(file, "hamiltonian");
    }
    converge(&hw, file ? &data : NULL);
    shells(&hw, quick ? 0.8 : 0.5, picture, file ? &data : NULL);
    coulomb(&hw, quick ? 1.25 : 0.7);
    bands(&hw, quick ? 5 : 21, file ? &data : NULL);
    if (file) {
      data_close(&data, "data:");
    }
  }
  convk_close(&hw);
  return 0;
}
