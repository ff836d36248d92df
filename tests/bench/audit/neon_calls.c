/* SPDX-License-Identifier: MIT
   One call of an operation in one precision, on a processor: what audit_neon.py has an emulator trace, from audit_begin to audit_end.
     aarch64-linux-gnu-gcc -O3 -static -I. -DNUMBER=double -DNAMED=f64 -DCONVK_F64 -DCONVK_WITH_ALL tests/bench/audit/neon_calls.c
     a.out OPERATION HARDWARE [TIMES]
   The problems are small: their arrays lie in the caches, of which the model of a processor knows nothing. */
#ifndef NUMBER
#define NUMBER double
#define NAMED f64
#endif
#define CONVK_SIMD
#include "convk.h"

#include <stdio.h>

#define JOINED(a, b) a##b
#define PASTED(a, b) JOINED(a, b)
#define OF(name) PASTED(convk_##name##_, NAMED)

enum { MOST = 1 << 16 };
static NUMBER memory[16][MOST]; /* arrays of the calls, all of numbers in [0, 1) */
static char work[1 << 24];
static convk hw;

void audit_begin(void);
void audit_end(void);
__attribute__((noinline)) void audit_begin(void) { __asm__ volatile("" : : : "memory"); }
__attribute__((noinline)) void audit_end(void) { __asm__ volatile("" : : : "memory"); }

static void random_numbers(NUMBER *to, size_t n, double low, double high) {
  static uint64_t state = 1;
  while (n--) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    *to++ = (NUMBER)(low + (high - low) * (double)(state >> 40) / 16777216);
  }
}

/* Calls between the marks. */
#define TRACED(call) (audit_begin(), status = (call), audit_end(), status)

static int magicfilter3d(void) {
  const convk_sepconv3d_shape shape = {{32, 16, 20, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0}};
  int status;
  random_numbers(memory[0], 32 * 16 * 20, -1, 1);
  return TRACED(OF(magicfilter3d)(&hw, &shape, CONVK_FORWARD, NULL, memory[0], memory[1], work, sizeof work));
}
static int stencil7(void) {
  const convk_stencil7_shape shape = {{64, 16, 16, 0, 0}, {0, 0, 0}};
  const OF(stencil7_coefficients) c = OF(stencil7_isotropic)((NUMBER)0.4, (NUMBER)0.1);
  NUMBER *result;
  int status;
  random_numbers(memory[0], 64 * 16 * 16, -1, 1);
  return TRACED(OF(stencil7)(&hw, &shape, &c, 1, memory[0], memory[1], &result, work, sizeof work));
}
static int exponential(void) {
  int status;
  random_numbers(memory[0], 4096, -20, 0);
  return TRACED(OF(exp)(&hw, 4096, memory[0], memory[1]));
}
static int logarithm(void) {
  int status;
  random_numbers(memory[0], 4096, 0.1, 100);
  return TRACED(OF(log)(&hw, 4096, memory[0], memory[1]));
}
static int sincos_of(void) {
  int status;
  random_numbers(memory[0], 4096, -10, 10);
  return TRACED(OF(sincos)(&hw, 4096, memory[0], memory[1], memory[2]));
}
static int gridpot_sum(void) {
  const OF(points) points = {512, memory[0], memory[1], memory[2], 0};
  const OF(gaussians) gaussians = {{0, 0, 0}, 24, memory[3], 8, memory[4], 0};
  int status;
  for (int i = 0; i < 3; i++) random_numbers(memory[i], 512, -1, 1);
  random_numbers(memory[3], 24, 0.1, 3);
  random_numbers(memory[4], 24 * 8, -1, 1);
  return TRACED(OF(gridpot_sum)(&hw, &points, &gaussians, NULL, memory[5], 0));
}
/* All orbitals of eight atoms with shells of s, p, d and f. */
static int orbitals(void) {
  static const double exponents[] = {280.8, 25.59, 8.997, 3.319, 0.9059, 1.2, 0.38, 1.097, 0.761},
                      ones[] = {0.3, 0.4, 0.5, 0.6};
  static const struct {
    int l, first;
    size_t primitives;
  } kinds[] = {{0, 0, 4}, {0, 4, 1}, {1, 5, 2}, {1, 4, 1}, {2, 7, 1}, {3, 8, 1}};
  convk_shell shells[48];
  OF(orbital_set) set;
  const OF(points) points = {256, memory[0], memory[1], memory[2], 0};
  size_t functions = 0;
  int status, i;
  memset(shells, 0, sizeof shells);
  for (i = 0; i < 48; i++) {
    shells[i].l = kinds[i % 6].l;
    shells[i].primitives = kinds[i % 6].primitives;
    shells[i].exponents = exponents + kinds[i % 6].first;
    shells[i].coefficients = ones;
    shells[i].center[0] = i / 6 % 2 * 2.1;
    shells[i].center[1] = i / 12 % 2 * 2.2;
    shells[i].center[2] = i / 24 * 1.9;
  }
  if (convk_shells_functions(&hw, 48, shells, &functions)) return 1;
  memset(&set, 0, sizeof set);
  set.nshells = 48;
  set.shells = shells;
  set.norbitals = functions;
  set.coefficients = memory[3];
  for (i = 0; i < 3; i++) random_numbers(memory[i], 256, -0.5, 2.5);
  random_numbers(memory[3], functions * functions, -1, 1);
  return TRACED(OF(orbitals)(&hw, &points, &set, NULL, memory[4], 0, work, sizeof work));
}
static int formfactor(void) {
  enum { TRIANGLES = 384, Q = 512 };
  OF(mesh) mesh;
  const OF(q) q = {Q, memory[0], memory[1], memory[2], NULL, NULL, NULL};
  int status, i;
  for (i = 0; i < 3; i++) random_numbers(memory[i], Q, 0.1, 2);
  random_numbers(memory[3], TRIANGLES * 9, -3, 3);
  if (OF(mesh_assign)(&hw, TRIANGLES, 0, memory[4], &mesh) || OF(mesh_from_triangles)(&hw, memory[3], &mesh)) return 1;
  return TRACED(OF(formfactor)(&hw, &mesh, &q, NULL, memory[5]));
}
static int formfactor_grid(void) {
  enum { TRIANGLES = 96 };
  OF(mesh) mesh;
  const convk_grid3 grid = {32, 8, 2, 0, 0};
  const OF(q) q = {0, memory[0], memory[1], memory[2], NULL, NULL, NULL};
  int status, i;
  for (i = 0; i < 3; i++) random_numbers(memory[i], 32, 0.1, 2);
  random_numbers(memory[3], TRIANGLES * 9, -3, 3);
  if (OF(mesh_assign)(&hw, TRIANGLES, 0, memory[4], &mesh) || OF(mesh_from_triangles)(&hw, memory[3], &mesh)) return 1;
  return TRACED(OF(formfactor_grid)(&hw, &mesh, &grid, &q, NULL, memory[5], work, sizeof work));
}
static int fftconv2d(void) {
  convk_fftconv2d_shape shape;
  OF(fftconv2d_plan) *plan = (OF(fftconv2d_plan) *)(void *)(work + sizeof work / 2);
  const convk_batch2d batch = {1, 0, 0, 0, 0, 0};
  int status;
  memset(&shape, 0, sizeof shape);
  shape.rows = shape.columns = 56;
  shape.kernel_rows = shape.kernel_columns = 9;
  random_numbers(memory[0], 56 * 56, -1, 1);
  random_numbers(memory[1], 81, -1, 1);
  if (OF(fftconv2d_prepare)(&hw, &shape, 1, memory[1], 0, 0, plan, sizeof work / 2)) return 1;
  return TRACED(OF(fftconv2d)(&hw, plan, &batch, memory[0], memory[2], work, sizeof work / 2));
}
/* A lattice of helium, shaken. */
static int pair_energy(void) {
  enum { SIDE = 7, N = SIDE * SIDE * SIDE };
  convk_pair_system system;
  const convk_pair_walkers walkers = {1, NULL, NULL, 0};
  convk_pair_result result;
  int status, i, d;
  memset(&system, 0, sizeof system);
  system.particles = N;
  system.potential = convk_pair_hfdb();
  system.trial.p5 = 120;
  system.trial.p0 = 1.2 / N;
  system.trial.p1 = 0.24 / N;
  system.hbar2_2m = 6.059648;
  random_numbers(memory[0], 3 * N, -0.4, 0.4);
  for (d = 0; d < 3; d++)
    for (i = 0; i < N; i++)
      memory[0][d * N + i] += (NUMBER)(3.4 * (d == 0 ? i % SIDE : d == 1 ? i / SIDE % SIDE : i / SIDE / SIDE));
  return TRACED(OF(pair_energy)(&hw, &system, &walkers, CONVK_PAIR_ALL, memory[0], &result, memory[1], work, sizeof work));
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*call)(void);
  } calls[] = {{"magicfilter3d", magicfilter3d},
               {"stencil7", stencil7},
               {"exp", exponential},
               {"log", logarithm},
               {"sincos", sincos_of},
               {"gridpot_sum", gridpot_sum},
               {"orbitals", orbitals},
               {"formfactor", formfactor},
               {"formfactor_grid", formfactor_grid},
               {"fftconv2d", fftconv2d},
               {"pair_energy", pair_energy}};
  for (size_t i = 0; argc == 3 && i < sizeof calls / sizeof *calls; i++) {
    int status;
    if (strcmp(calls[i].name, argv[1])) continue;
    status = convk_open(&hw, argv[2]);
    if (!status) status = calls[i].call();
    if (status) fprintf(stderr, "%s: %d %s %s\n", argv[1], status, convk_strerror(status), hw.message);
    convk_close(&hw);
    return status != 0;
  }
  return 2;
}
