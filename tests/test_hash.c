/* SPDX-License-Identifier: MIT
   Prints what operations on Gaussians, meshes, functions of arrays, transforms, and pairs give, as one number each: the same for every compiler and
   every flag that keeps IEEE arithmetic, and within a class of variants. */
#define CONVK_SSE
#define CONVK_AVX
#define CONVK_WITH_GAUSSIAN
#define CONVK_WITH_FORMFACTOR
#define CONVK_WITH_VMATH
#define CONVK_WITH_FFT
#define CONVK_WITH_VMC
#include "convk.h"

#include <stdio.h>

enum { N = 777, M = 23, SUMS = 5, SHELLS = 5, TRIANGLES = 200, Q = 700, ATOMS = 70, OPERATIONS = 30 };

static uint64_t state;
static double next(void) {
  volatile double x; /* whatever the compiler makes of what follows */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  x = (double)(state >> 11) / 9007199254740992.0;
  return x;
}

static uint64_t hash(const void *p, size_t n) {
  const unsigned char *c = (const unsigned char *)p;
  uint64_t h = 1469598103934665603u;
  while (n--) h = (h ^ *c++) * 1099511628211u;
  return h;
}

/* Of a plan without the memory of its making, whose place depends on the plan's. */
static uint64_t plan_hash(const void *plan) {
  convk_fft_plan_ head;
  memcpy(&head, plan, sizeof head);
  return hash(plan, head.bytes);
}

/* The hashes of all operations of one variant; a status that is not 0 gives 0. */
#define HASH(CALL) (memset(o, 0, sizeof o), number[k++] = (CALL) ? 0 : hash(o, sizeof o))
#define OPERATIONS_OF(T, TYPE, COMPLEX) \
  static int operations_##TYPE(const char *name, uint64_t *number) { \
    static T x[N], y[N], z[N], alpha[M], c[SUMS * M], o[2 * N * M], corners[9 * TRIANGLES], storage[12 * TRIANGLES], q[4][Q]; \
    const T center[3] = {(T)0.1, (T)-0.2, (T)0.3}; \
    static const double exponents[3] = {3.1, 0.7, 0.11}, weights[3] = {0.3, 0.4, 0.6}; \
    const convk_grid3 grid = {13, 17, 3, 0, 0}; \
    T coefficients[3 * 40]; \
    convk_points_##TYPE points; \
    convk_mesh_##TYPE mesh; \
    convk_gaussian_options options; \
    convk_formfactor_options form; \
    convk_fftconv2d_shape shape; \
    convk_batch2d batch; \
    static char plan[200000]; \
    static char run[20000]; \
    static const convk_walkers one = {1, 0, 0}; \
    T atoms[3 * ATOMS], to[3]; \
    convk_pair_result energy; \
    convk_pair_move_result change; \
    convk_vmc vmc; \
    convk_shell shells[SHELLS]; \
    convk hw; \
    size_t i; \
    int k = 0, d; \
    if (convk_open(&hw, name)) return 0; \
    state = 88172645463325252u; \
    memset(&options, 0, sizeof options); \
    memset(&form, 0, sizeof form); \
    for (i = 0; i < N; i++) { \
      x[i] = (T)(4 * next() - 2); \
      y[i] = (T)(4 * next() - 2); \
      z[i] = (T)(4 * next() - 2); \
    } \
    for (i = 0; i < M; i++) alpha[i] = (T)(-20 * next()); \
    for (i = 0; i < SUMS * M; i++) c[i] = (T)(next() - 0.5); \
    for (i = 0; i < 3 * 40; i++) coefficients[i] = (T)(next() - 0.5); \
    for (i = 0; i < 9 * TRIANGLES; i++) corners[i] = (T)(4 * next() - 2); \
    for (d = 0; d < 4; d++) \
      for (i = 0; i < Q; i++) q[d][i] = (T)((next() - 0.5) * (d == 3 ? 0.5 : 6)); \
    for (i = 0; i < SHELLS; i++) { \
      for (d = 0; d < 3; d++) shells[i].center[d] = next() - 0.5; \
      shells[i].l = (int)i; \
      shells[i].order = (int)(i % 4); \
      shells[i].primitives = 3; \
      shells[i].exponents = exponents; \
      shells[i].coefficients = weights; \
    } \
    points.n = N; \
    points.x = x; \
    points.y = y; \
    points.z = z; \
    points.stride = 0; \
    HASH(convk_exp_##TYPE(&hw, N, x, o)); \
    HASH(convk_expm1_##TYPE(&hw, N, x, o)); \
    HASH(convk_log_##TYPE(&hw, N, x, o)); \
    HASH(convk_sincos_##TYPE(&hw, N, x, o, o + N)); \
    HASH(convk_gridpot_##TYPE(&hw, &points, center, M, alpha, NULL, o, 0)); \
    options.compensated = 1; \
    HASH(convk_gridpot_##TYPE(&hw, &points, center, M, alpha, &options, o, 0)); \
    HASH(convk_gridpot_sum_##TYPE(&hw, &points, center, M, alpha, SUMS, c, 0, NULL, o, 0)); \
    HASH(convk_orbitals_##TYPE(&hw, &points, SHELLS, shells, 3, coefficients, 0, NULL, o, 0, NULL, 0)); \
    HASH(convk_orbitals_vgl_##TYPE(&hw, &points, SHELLS, shells, 3, coefficients, 0, NULL, o, o + 3 * N, o + 6 * N, o + 9 * N, \
                                   o + 12 * N, 0, NULL, 0)); \
    HASH(convk_density_##TYPE(&hw, &points, SHELLS, shells, 3, coefficients, 0, c, NULL, o, NULL, 0)); \
    HASH(convk_mesh_assign_##TYPE(TRIANGLES, 1, storage, &mesh) || convk_mesh_from_triangles_##TYPE(corners, &mesh)); \
    HASH(convk_formfactor_##TYPE(&hw, &mesh, Q, q[0], q[1], q[2], NULL, NULL, o)); \
    HASH(convk_formfactor_##TYPE(&hw, &mesh, Q, q[0], q[1], q[2], q[3], NULL, o)); \
    form.fourth_order = 1; \
    HASH(convk_formfactor_##TYPE(&hw, &mesh, Q, q[0], q[1], q[2], NULL, &form, o)); \
    HASH(convk_formfactor_##TYPE(&hw, &mesh, Q, q[0], q[1], q[2], q[3], &form, o)); \
    HASH(convk_formfactor_grid_##TYPE(&hw, &mesh, &grid, q[0], q[1], q[2], NULL, NULL, o, NULL, 0)); \
    HASH(convk_formfactor_grid_##TYPE(&hw, &mesh, &grid, q[0], q[1], q[2], q[3], NULL, o, NULL, 0)); \
    memset(&shape, 0, sizeof shape); /* passes of 3, 4, 5, 7, 8 and 16 points, a rotated spectrum, a kernel in two parts */ \
    memset(&batch, 0, sizeof batch); \
    memset(plan, 0, sizeof plan); \
    shape.rows = 12; \
    shape.columns = 20; \
    shape.mode = CONVK_CIRCULAR; \
    shape.origin_row = 2; \
    shape.origin_column = -3; \
    shape.fft_rows = 21; \
    shape.fft_columns = 40; \
    batch.items = 3; \
    number[k++] = convk_fftconv2d_plan_spectrum_##COMPLEX(&hw, &shape, 1, corners, 0, 1, plan, sizeof plan) ? 0 : plan_hash(plan); \
    HASH(convk_fftconv2d_##COMPLEX(&hw, plan, &batch, storage, o, NULL, 0)); \
    shape.mode = CONVK_SAME; \
    shape.origin_row = shape.origin_column = 0; \
    shape.kernel_rows = shape.kernel_columns = 5; \
    shape.fft_rows = 16; \
    shape.fft_columns = 128; \
    HASH(convk_fftconv2d_plan_##TYPE(&hw, &shape, 1, corners, 0, 0, plan, sizeof plan) || \
         convk_fftconv2d_##TYPE(&hw, plan, &batch, storage, o, NULL, 0)); \
    HASH(convk_fft2d_plan_##COMPLEX(&hw, 14, 25, plan, sizeof plan) || \
         convk_fft2d_##COMPLEX(&hw, plan, CONVK_INVERSE, &batch, storage, o, NULL, 0)); \
    memset(&vmc, 0, sizeof vmc); /* products that no compiler can contract with other bits */ \
    vmc.system.particles = ATOMS; \
    vmc.system.trial.p5 = 120; \
    vmc.system.trial.p2 = -1; \
    vmc.system.trial.p0 = 0.4; \
    vmc.system.trial.p1 = 0.01; \
    vmc.system.potential = convk_lm2m2(); \
    for (i = 0; i < N; i++) x[i] = (T)(1 + 16 * next()); \
    HASH(convk_pair_potential_##TYPE(&hw, &vmc.system.potential, N, x, o)); \
    for (d = 0; d < 3; d++) { \
      to[d] = (T)(7 + next()); \
      for (i = 0; i < ATOMS; i++) \
        atoms[(size_t)d * ATOMS + i] = (T)(3.5 * (double)(d == 0 ? i % 5 : d == 1 ? i / 5 % 5 : i / 25) + next()); \
    } \
    for (i = 0; i < 2; i++) { \
      HASH(convk_pair_energy_##TYPE(&hw, &vmc.system, &one, 0, atoms, &energy, o, NULL, 0)); \
      number[k - 1] ^= hash(&energy, sizeof energy); \
      HASH(convk_pair_move_##TYPE(&hw, &vmc.system, &one, 40, atoms, to, &change) || \
           convk_pair_accept_##TYPE(&hw, &vmc.system, &one, 40, to, NULL, atoms, o)); \
      number[k - 1] ^= hash(&change, sizeof change); \
      vmc.system.box[0] = vmc.system.box[1] = vmc.system.box[2] = 18; \
    } \
    vmc.system.particles = 7; \
    vmc.walkers = 3; \
    vmc.equilibration = 20; \
    for (i = 0; i < 4; i++) { \
      const size_t bytes = convk_vmc_state_size_##TYPE(&vmc); \
      vmc.moves = (int)i & 1; \
      vmc.drift = (int)i >> 1; \
      if (i == 3) memset(vmc.system.box, 0, sizeof vmc.system.box); \
      number[k++] = bytes > sizeof run || convk_vmc_begin_##TYPE(&vmc, NULL, run, bytes) || \
                            convk_vmc_run_##TYPE(&hw, &vmc, 60, run, bytes, NULL, 0) \
                        ? 0 \
                        : hash(run, bytes); \
    } \
    convk_close(&hw); \
    return 1; \
  }
OPERATIONS_OF(float, f32, c32)
OPERATIONS_OF(double, f64, c64)

int main(void) {
  static const char *const names[] = {"scalar", "sse2", "avx", "avx2", "avx512"};
  static const char *const operations[OPERATIONS] = {
      "exp",     "expm1", "log",        "sincos",          "gridpot",          "gridpot compensated", "gridpot_sum", "orbitals", "orbitals_vgl",
      "density", "mesh",  "formfactor", "formfactor imag", "formfactor order", "formfactor both",     "grid",        "grid imag",
      "plan",    "fftconv2d", "fftconv2d real", "fft2d",
      "pair_potential", "pair_energy", "pair_move", "pair_energy box", "pair_move box",
      "vmc", "vmc all", "vmc drift", "vmc all drift"};
  int type, i, k, failed = 0;
  for (type = 0; type < 2; type++) {
    uint64_t first[2][OPERATIONS], number[OPERATIONS];
    int have[2] = {0, 0};
    for (i = 0; i < 5; i++) {
      const int fused = i > 2;
      memset(number, 0, sizeof number);
      if (!(type ? operations_f64 : operations_f32)(names[i], number)) continue;
      for (k = 0; k < OPERATIONS; k++) {
        if (!have[fused]) {
          first[fused][k] = number[k];
          printf("%-20s %s %-7s %016llx\n", operations[k], type ? "f64" : "f32", fused ? "fused" : "mul-add", (unsigned long long)number[k]);
        }
        if (!number[k] || number[k] != first[fused][k]) {
          printf("FAIL %s %s %s\n", operations[k], type ? "f64" : "f32", names[i]);
          failed++;
        }
      }
      have[fused] = 1;
    }
  }
  return failed != 0;
}
