/* What tests/adapters/fortran.f90 calls, from C: both print the same lines. */
#define CONVK_SIMD
#define CONVK_DECLARE
#include "convk.h"

#include <inttypes.h>
#include <stdio.h>

enum { N = 12 };
static convk hw;

static void must(const char *what, int status) {
  if (!status) return;
  printf("%s: %s\n", what, convk_strerror(status));
  exit(1);
}

static void numbers(double *x, int count, int step) {
  int i;
  for (i = 0; i < count; i++) x[i] = (double)((i + 1) * step % 1000) / 512 - 1;
}

static uint64_t sum;
static void add(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  sum = (sum << 7 | sum >> 57) ^ bits;
}
static void add_all(const double *x, int count, int step) {
  int i;
  for (i = 0; i < count; i++) add(x[i * step]);
}
static void show(const char *what) {
  printf("%s %016" PRIX64 "\n", what, sum);
  sum = 0;
}

static void open_best(void) { /* of all that there are, one after another, since NULL is what is tested */
  static const char *const names[] = {"avx512", "avx2", "avx", "sse2", "scalar"};
  size_t i;
  int status = CONVK_ERR_HW_NAME;
  for (i = 0; i < sizeof names / sizeof *names && status; i++) status = convk_open(&hw, names[i]);
  must("open", status);
  printf("hardware %s\nhardware scalar\n", hw.name);
}

static void separable(void) {
  static double x[N * N * N], y[N * N * N], v[N * N * N];
  static const double taps[3] = {0.25, 0.5, 0.125};
  const convk_sepconv3d_shape shape = {{N, N, N, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0}};
  const convk_conv1d_shape rows = {18, 96, 0, 0, CONVK_BOUNDARY_ZERO};
  const convk_filter_f64 filter = {-1, 1, taps};
  double energy = 0;
  numbers(x, N * N * N, 7919);
  numbers(v, N * N * N, 31);
  must("magicfilter3d", convk_magicfilter3d_f64(&hw, &shape, CONVK_FORWARD, NULL, x, y, NULL, 0));
  add_all(y, N * N * N, 1);
  show("magicfilter3d");
  must("potential_apply", convk_potential_apply_f64(&hw, &shape, v, x, y, &energy, NULL, 0));
  add_all(y, N * N * N, 1);
  add(energy);
  show("potential_apply");
  must("conv1d_transpose", convk_conv1d_transpose_f64(&hw, &rows, &filter, x, y, NULL, 0));
  add_all(y, N * N * N, 1);
  show("conv1d_transpose");
}

static void stencil(void) {
  static double a[N * N * N], b[N * N * N], *result;
  const convk_stencil7_shape shape = {{N, N, N, 0, 0},
                                      {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC}};
  const convk_stencil7_coefficients_f64 c = convk_stencil7_isotropic_f64(0.25, 0.125);
  numbers(a, N * N * N, 77);
  must("stencil7", convk_stencil7_f64(&hw, &shape, &c, 3, a, b, &result, NULL, 0));
  add_all(result, N * N * N, 1);
  show("stencil7");
}

static void functions(void) {
  double x[37], s[37], c[37];
  numbers(x, 37, 123);
  must("sincos", convk_sincos_f64(&hw, 37, x, s, c));
  add_all(s, 37, 1);
  add_all(c, 37, 1);
  show("sincos");
}

static void gaussians(void) {
  static const double exponents[2] = {0.5, 2.25}, contraction[2] = {0.75, 0.5}, occupations[2] = {2, 1};
  double xyz[60], s[2], p[2], coefficients[8], density[20];
  const convk_points_f64 points = {20, xyz, xyz + 1, xyz + 2, 3};
  convk_shell shells[2] = {{{0, 0, 0}, 0, 0, 2, NULL, NULL}, {{0.5, 0, -0.25}, 1, 0, 2, NULL, NULL}};
  const convk_gaussian_options options = {0, 0, 1e-12};
  const convk_orbital_set_f64 set = {2, shells, 2, coefficients, 0, occupations, NULL};
  numbers(xyz, 60, 419);
  numbers(coefficients, 8, 57);
  must("shell_normalise", convk_shell_normalise(&hw, 0, 2, exponents, contraction, s));
  must("shell_normalise", convk_shell_normalise(&hw, 1, 2, exponents, contraction, p));
  shells[0].exponents = shells[1].exponents = exponents;
  shells[0].coefficients = s;
  shells[1].coefficients = p;
  must("density", convk_density_f64(&hw, &points, &set, &options, density, NULL, 0));
  add_all(density, 20, 1);
  show("density");
}

static void form_factors(void) {
  static const double corners[36] = {0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3,
                                     0, 0, 0, 0, 0, 3, 0, 1, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3};
  double storage[48], q[27], f[18];
  convk_mesh_f64 mesh;
  convk_formfactor_options options = {CONVK_FORM_EXACT, 0};
  convk_q_f64 vectors = {9, NULL, NULL, NULL, NULL, NULL, NULL};
  must("mesh_assign", convk_mesh_assign_f64(&hw, 4, 1, storage, &mesh));
  must("mesh_from_triangles", convk_mesh_from_triangles_f64(&hw, corners, &mesh));
  numbers(q, 27, 611);
  vectors.x = q;
  vectors.y = q + 9;
  vectors.z = q + 18;
  must("formfactor", convk_formfactor_f64(&hw, &mesh, &vectors, &options, f));
  add_all(f, 9, 2);
  add_all(f + 1, 9, 2);
  show("formfactor");
}

static void transforms(void) {
  convk_fftconv2d_shape shape;
  convk_batch2d batch;
  double x[96], y[96], part[48], kernel[9], out[80];
  void *plan;
  size_t bytes;
  int i;
  memset(&shape, 0, sizeof shape);
  memset(&batch, 0, sizeof batch);
  batch.items = 1;
  numbers(part, 48, 37);
  for (i = 0; i < 48; i++) x[2 * i] = part[i];
  numbers(part, 48, 91);
  for (i = 0; i < 48; i++) x[2 * i + 1] = part[i];
  must("fft2d_plan_size", convk_fft2d_plan_size_c64(&hw, 6, 8, &bytes));
  plan = malloc(bytes);
  must("fft2d_prepare", convk_fft2d_prepare_c64(&hw, 6, 8, plan, bytes));
  must("fft2d", convk_fft2d_c64(&hw, plan, CONVK_FORWARD, &batch, x, y, NULL, 0));
  free(plan);
  add_all(y, 48, 2);
  add_all(y + 1, 48, 2);
  show("fft2d");
  shape.rows = 6;
  shape.columns = 8;
  shape.kernel_rows = shape.kernel_columns = 3;
  numbers(part, 48, 37);
  numbers(kernel, 9, 5);
  must("fftconv2d_plan_size", convk_fftconv2d_plan_size_f64(&hw, &shape, 1, &bytes));
  plan = malloc(bytes);
  must("fftconv2d_prepare", convk_fftconv2d_prepare_f64(&hw, &shape, 1, kernel, 0, 0, plan, bytes));
  must("fftconv2d", convk_fftconv2d_f64(&hw, plan, &batch, part, out, NULL, 0));
  free(plan);
  add_all(out, 80, 1);
  show("fftconv2d");
}

static void pairs(void) {
  static const uint32_t counter[4] = {1, 2, 3, 4}, key[2] = {5, 6};
  convk_pair_system system;
  convk_pair_walkers walkers;
  convk_pair_result result[2];
  double r[30], gradient[30];
  uint32_t random[4];
  int i;
  memset(&system, 0, sizeof system);
  memset(&walkers, 0, sizeof walkers);
  system.particles = 5;
  system.trial.p5 = 3600;
  system.trial.p2 = 0.5;
  system.trial.p1 = 0.125;
  system.potential = convk_pair_hfdb();
  walkers.walkers = 2;
  numbers(r, 30, 677);
  for (i = 0; i < 30; i++) r[i] *= 8;
  must("pair_energy", convk_pair_energy_f64(&hw, &system, &walkers, CONVK_PAIR_ALL, r, result, gradient, NULL, 0));
  for (i = 0; i < 2; i++) add(result[i].ln_psi);
  for (i = 0; i < 2; i++) add(result[i].potential);
  for (i = 0; i < 2; i++) add(result[i].kinetic);
  add_all(result[1].derivative, 4, 1);
  add_all(gradient, 30, 1);
  show("pair_energy");
  convk_philox4x32(counter, key, random);
  printf("philox4x32 %08" PRIX32 " %08" PRIX32 " %08" PRIX32 " %08" PRIX32 "\n", random[0], random[1], random[2], random[3]);
}

int main(void) {
  open_best();
  separable();
  stencil();
  functions();
  gaussians();
  form_factors();
  transforms();
  pairs();
  convk_close(&hw);
  return 0;
}
