/* SPDX-License-Identifier: MIT
   What convk_tune finds on a device, as a table: the tuner's own gain, by the device's clock, and that of whole calls on host arrays,
   whose copies no choice makes faster; how long it took, of its budget.
     cc -O2 -DCONVK_CL -DCL_TARGET_OPENCL_VERSION=120 -I. tests/bench/tune.c -o tune -lOpenCL -lm
     nvcc -x cu -O2 -arch=native -DCONVK_CUDA -I. tests/bench/tune.c -o tune
   tune [HARDWARE [MILLISECONDS [TEXT]]]: that of each case, and those whose names have TEXT in them */
#define _DEFAULT_SOURCE 1
#define CONVK_WITH_SEPCONV
#define CONVK_WITH_STENCIL
#define CONVK_WITH_GAUSSIAN
#define CONVK_WITH_FORMFACTOR
#define CONVK_WITH_FFT
#include "convk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct tuned_case {
  const char *operation;
  size_t n[3], steps, triangles;
} tuned_case;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One call as convk_tune makes it; its status, or 1 where none is written here. */
#define CALLS(TYPE, COMPLEX, T) \
  static int call_##TYPE(convk *hw, const tuned_case *c, T *in, T *out) { \
    const size_t *n = c->n; \
    const convk_grid3 grid = {n[0], n[1], n[2], 0, 0}, none = {0, 0, 0, 0, 0}; \
    if (!strncmp(c->operation, "stencil7", 8)) { \
      const convk_stencil7_shape shape = {grid, {0, 0, 0}}; \
      const convk_stencil7_coefficients_##TYPE weights = convk_stencil7_isotropic_##TYPE((T)0.4, (T)0.1); \
      T *result; \
      return convk_stencil7_##TYPE(hw, &shape, &weights, c->steps, in, out, &result, NULL, 0); \
    } \
    if (!strncmp(c->operation, "sepconv3d", 9)) { \
      static const T taps[16] = {1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1, 1}; \
      const convk_filter_##TYPE filter = {-8, 7, taps}, all[3] = {filter, filter, filter}; \
      const convk_sepconv3d_shape shape = {grid, none, {0, 0, 0}}; \
      return convk_sepconv3d_##TYPE(hw, &shape, all, NULL, in, out, NULL, 0); \
    } \
    if (!strncmp(c->operation, "gridpot", 7)) { \
      const convk_points_##TYPE points = {n[0], in, in + n[0], in + 2 * n[0], 1}; \
      const convk_gaussians_##TYPE gaussians = {{0, 0, 0}, n[1], in + 3 * n[0], n[2], in + 3 * n[0] + n[1], 0}; \
      if (!strncmp(c->operation, "gridpot_sum", 11)) return convk_gridpot_sum_##TYPE(hw, &points, &gaussians, NULL, out, 0); \
      return convk_gridpot_##TYPE(hw, &points, &gaussians, NULL, out, 0); \
    } \
    if (!strncmp(c->operation, "formfactor", 10)) { \
      const int list = strncmp(c->operation, "formfactor_grid", 15) != 0; \
      const size_t triangles = list ? n[0] : c->triangles; \
      T *q = in + 6 * triangles; \
      const convk_q_##TYPE vectors = { \
          list ? n[1] : 0, q, q + (list ? n[1] : n[0]), q + (list ? 2 * n[1] : n[0] + n[1]), NULL, NULL, NULL}; \
      convk_mesh_##TYPE mesh; \
      const int status = convk_mesh_assign_##TYPE(hw, triangles, 0, in, &mesh); \
      if (status) return status; \
      return list ? convk_formfactor_##TYPE(hw, &mesh, &vectors, NULL, out) \
                  : convk_formfactor_grid_##TYPE(hw, &mesh, &grid, &vectors, NULL, out, NULL, 0); \
    } \
    if (!strncmp(c->operation, "fft2d", 5)) { \
      const convk_batch2d batch = {n[2], 0, 0, 0, 0, NULL, 0}; \
      size_t bytes = 0; \
      int status = convk_fft2d_plan_size_##COMPLEX(hw, n[1], n[0], &bytes); \
      convk_fft2d_plan_##COMPLEX *plan = (convk_fft2d_plan_##COMPLEX *)malloc(bytes); \
      if (!status) status = convk_fft2d_prepare_##COMPLEX(hw, n[1], n[0], plan, bytes); \
      if (!status) status = convk_fft2d_##COMPLEX(hw, plan, CONVK_FORWARD, &batch, in, out, NULL, 0); \
      free(plan); \
      return status; \
    } \
    return 1; \
  }
CALLS(f32, c32, float)
CALLS(f64, c64, double)

/* The fastest calls without the entry and with it, in turns: their ratio, or 0 where the call is not written here. */
static double of_calls(convk *hw, const tuned_case *c, const convk_tuned *entry) {
  const size_t room = (size_t)16 << 20;
  double *in = (double *)malloc(room * sizeof *in), *out = (double *)calloc(room, sizeof *out), best[2] = {1e30, 1e30};
  size_t i, k;
  int status = in && out ? 0 : 1;
  hw->tuned = entry;
  for (i = 0; i < 24 && !status; i++) {
    const int f64 = strstr(c->operation, "64") != NULL;
    double time;
    for (k = 0; k < room && !i; k++)
      if (f64) in[k] = 0.25 + (double)(k * 7919 % 65536) / 131072;
      else ((float *)in)[2 * k] = ((float *)in)[2 * k + 1] = 0.25f + (float)(k * 7919 % 65536) / 131072;
    hw->ntuned = i % 2;
    time = seconds();
    status = f64 ? call_f64(hw, c, in, out) : call_f32(hw, c, (float *)in, (float *)out);
    time = seconds() - time;
    if (time < best[i % 2]) best[i % 2] = time;
  }
  hw->ntuned = 0;
  free(in);
  free(out);
  return status ? 0 : best[0] / best[1];
}

int main(int argc, char **argv) {
  static const tuned_case cases[] = {{"stencil7_f64", {128, 128, 128}, 24, 0},
                                     {"stencil7_f32", {128, 128, 128}, 24, 0},
                                     {"sepconv3d_f64", {96, 96, 96}, 0, 0},
                                     {"sepconv3d_f32", {96, 96, 96}, 0, 0},
                                     {"gridpot_f32", {100000, 64, 1}, 0, 0},
                                     {"gridpot_sum_f64", {20000, 64, 8}, 0, 0},
                                     {"orbitals_f64", {10000, 50, 20}, 0, 0},
                                     {"formfactor_f32", {2000, 2000, 1}, 0, 0},
                                     {"formfactor_grid_f32", {64, 64, 16}, 0, 1000},
                                     {"fftconv2d_c32", {32, 32, 2000}, 0, 0},
                                     {"fft2d_c32", {64, 64, 500}, 0, 0},
                                     {"fft2d_c64", {64, 64, 500}, 0, 0}};
  const double budget = argc > 2 ? atof(argv[2]) : 20000;
  double worst = 1e30, longest = 0;
  convk hw;
  size_t i;
  int bad = 0;
  if (convk_open(&hw, argc > 1 ? argv[1] : "opencl")) {
    printf("%s\n", hw.message);
    return 1;
  }
  printf("%s on %s, %g s for each\n%-21s%8s%8s%9s%7s%9s  %s\n", hw.name, hw.machine, budget / 1000, "operation", "gain",
         "calls", "seconds", "tried", "refused", "choice");
  for (i = 0; i < sizeof cases / sizeof *cases; i++) {
    const tuned_case *c = &cases[i];
    const double begin = seconds();
    convk_tune_shape shape;
    convk_tuned entry;
    char line[512];
    size_t length;
    double took, calls;
    int status;
    if (argc > 3 && !strstr(c->operation, argv[3])) continue;
    memset(&shape, 0, sizeof shape);
    shape.grid.nx = c->n[0];
    shape.grid.ny = c->n[1];
    shape.grid.nz = c->n[2];
    shape.steps = c->steps;
    shape.triangles = c->triangles;
    status = convk_tune(&hw, c->operation, &shape, budget, &entry);
    took = seconds() - begin;
    if (status) {
      printf("%-21s%s: %s\n", c->operation, convk_strerror(status), hw.message);
      bad |= status != CONVK_ERR_UNSUPPORTED;
      continue;
    }
    calls = of_calls(&hw, c, &entry);
    (void)convk_tuned_write(&hw, &entry, 1, line, sizeof line, &length);
    printf("%-21s%8.3f%8.3f%9.1f%7d%9d %s", c->operation, 1e-3 * (double)entry.gain, calls, took, entry.tried, entry.refused,
           strchr(strstr(line, " length=") + 1, ' '));
    fflush(stdout);
    if (1e-3 * (double)entry.gain < worst) worst = 1e-3 * (double)entry.gain;
    if (took > longest) longest = took;
  }
  convk_close(&hw);
  printf("worst gain %.3f, longest %.1f s\n", worst, longest);
  return bad || worst < 1;
}
