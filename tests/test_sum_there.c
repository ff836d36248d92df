/* SPDX-License-Identifier: MIT
   sumconv3d, and what it makes, on device memory, with OpenCL, or as C++ with CUDA in the emulator: what it refuses and why, and its results beside those
   of a processor.

     cc -std=c99 -I. -DCONVK_CL -DCONVK_WITH_SEPCONV tests/test_sum_there.c -o there -lOpenCL
     c++ -x c++ -std=c++11 -ffp-contract=off -I. -DCONVK_CUDA -DCONVK_WITH_SEPCONV tests/test_sum_there.c -o there  */
#ifdef CONVK_CUDA
#include "cuda_emulator.h"
#elif !defined CONVK_CL
#define CONVK_CL
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "convk.h"

enum { RESIDENT_N = 6 * 5 * 4, RESIDENT_WORK = 1 << 16 };
static int passed, failed;
static void resident_refused(int good, const char *what, const char *why) {
  if (good) passed++;
  else failed++;
  if (!good) printf("FAIL %s: %s\n", what, why);
}

/* Arrays there; RESIDENT_PAIR: from complex number k on. */
#ifdef CONVK_CUDA
#define RESIDENT(name) convk_cuda_##name
#define convk_cuda_sumconv_terms_f64 convk_sumconv_terms_f64
#define RESIDENT_ON convk_cuda_stream
#define RESIDENT_SAID on->message
#define RESIDENT_ARRAY(type) type *
#define RESIDENT_NONE NULL
#define RESIDENT_AT(type, array, k) ((array) + (k))
#define RESIDENT_PAIR(array, k) ((array) + 2 * (k))
#define RESIDENT_ONLY_CL(...)
static void resident_send(convk_cuda_stream *on, void *array, const double *x, size_t n) {
  (void)on;
  if (cudaMemcpy(array, x, n * sizeof *x, cudaMemcpyHostToDevice)) exit(2);
}
static void resident_fetch(convk_cuda_stream *on, const void *array, void *x, size_t n) {
  if (cudaStreamSynchronize(on->stream) || cudaMemcpy(x, array, n * sizeof(double), cudaMemcpyDeviceToHost)) exit(2);
}
#else
#define RESIDENT(name) convk_cl_##name
#define RESIDENT_ON const convk_cl_queue
#define RESIDENT_SAID on->cl->message
#define RESIDENT_ARRAY(type) convk_cl_array
#define RESIDENT_NONE no_array
#define RESIDENT_AT(type, array, k) from_element(array, k)
#define RESIDENT_PAIR(array, k) from_element(array, k)
#define RESIDENT_ONLY_CL(...) __VA_ARGS__
static const convk_cl_array no_array = {NULL, 0};
static convk_cl_array from_element(convk_cl_array array, size_t k) {
  array.offset += k;
  return array;
}
static void resident_send(const convk_cl_queue *on, convk_cl_array array, const double *x, size_t n) {
  if (clEnqueueWriteBuffer(on->queue, array.mem, CL_TRUE, 0, n * sizeof *x, x, 0, NULL, NULL)) exit(2);
}
static void resident_fetch(const convk_cl_queue *on, convk_cl_array array, void *x, size_t n) {
  if (clEnqueueReadBuffer(on->queue, array.mem, CL_TRUE, 0, n * sizeof(double), x, 0, NULL, NULL)) exit(2);
}
#endif

/* Good arguments, of which a test spoils one. */
typedef struct resident_sum_call {
  convk_sumconv3d_shape shape;
  const convk_sumconv3d_shape *grids;
  RESIDENT(sumconv_terms_f64) t;
  const RESIDENT(sumconv_terms_f64) * terms;
  RESIDENT_ARRAY(double) in;
  RESIDENT_ARRAY(double) out;
  RESIDENT_ARRAY(convk_sumconv_sums) sums;
  RESIDENT_ARRAY(void) work;
  size_t work_size;
} resident_sum_call;

static const double resident_sum_taps[4] = {0.25, -0.5, 0.375, 0.125};

static int resident_sum_run(RESIDENT_ON *on, int complex_call, const resident_sum_call *c) {
  return complex_call ? RESIDENT(sumconv3d_c64)(on, c->grids, c->terms, c->in, c->out, c->sums, c->work, c->work_size)
                      : RESIDENT(sumconv3d_f64)(on, c->grids, c->terms, c->in, c->out, c->sums, c->work, c->work_size);
}
static int resident_sum_size(RESIDENT_ON *on, int complex_call, const resident_sum_call *c, size_t *bytes) {
  return complex_call ? RESIDENT(sumconv3d_work_size_c64)(on, c->grids, c->terms, bytes)
                      : RESIDENT(sumconv3d_work_size_f64)(on, c->grids, c->terms, bytes);
}

/* Padded grids, two vectors that do not follow each other, and arrays that begin later; has: bits of what the terms have. */
enum { RESIDENT_SUM_MIXED = 1, RESIDENT_SUM_TURNS = 2, RESIDENT_SUM_SUMS = 4, RESIDENT_SUM_GROW = 8, RESIDENT_SUM_ADD = 16 };
static void resident_sum_results(RESIDENT_ON *on, int complex_call, unsigned has, resident_sum_call c,
                                 RESIDENT_ARRAY(double) v) {
  enum { N = 4 * RESIDENT_N };
  static double x[N], y[N], z[N], expected[N], potential[N];
  convk_sumconv_sums sums[2], wanted[2];
  convk_sumconv_terms_f64 here;
  const size_t step = complex_call ? 2 : 1, begin = 3;
  size_t i, need = 0;
  double worst = 0;
  int d, status;
  memset(&here, 0, sizeof here);
  for (i = 0; i < N; i++) {
    x[i] = (double)(i * 37 % 64) / 32 - 1;
    y[i] = expected[i] = z[i] = (double)(i * 11 % 32) / 16 - 1;
    potential[i] = (double)(i * 7 % 16) / 8 - 1;
  }
  c.shape.in.nx = 4, c.shape.in.ny = 3, c.shape.in.nz = 3, c.shape.in.pitch_y = 5, c.shape.in.pitch_z = 17;
  c.shape.out.nx = 4, c.shape.out.ny = 3, c.shape.out.nz = has & RESIDENT_SUM_GROW ? 5 : 3;
  c.shape.out.pitch_y = 4, c.shape.out.pitch_z = 13;
  c.shape.boundary[2] = has & RESIDENT_SUM_GROW ? CONVK_BOUNDARY_GROW : CONVK_BOUNDARY_PERIODIC;
  c.shape.vectors = 2;
  c.shape.in_stride = 60;
  c.shape.out_stride = 70;
  for (d = 0; d < 3; d++) {
    here.filter[d].lo = d == 2 ? -1 : -2;
    here.filter[d].up = 1;
    here.first[d].lo = d == 2 ? 0 : -1;
    here.first[d].up = 1;
    here.filter[d].taps = here.first[d].taps = resident_sum_taps;
    here.mixed[d] = has & RESIDENT_SUM_MIXED ? 0.5 * (d + 1) : 0;
    if (has & RESIDENT_SUM_TURNS && d < 2) here.phase[d][0] = 0.6, here.phase[d][1] = d ? -0.8 : 0.8;
  }
  if (has & RESIDENT_SUM_TURNS) here.imag[1] = here.first[1];
  here.potential = potential + begin;
  here.potential_factor = 0.75;
  here.shift = -0.5;
  here.add = has & RESIDENT_SUM_ADD ? expected + begin * step : NULL;
  here.add_factor = 2;
  memcpy(c.t.filter, here.filter, sizeof here.filter);
  memcpy(c.t.imag, here.imag, sizeof here.imag);
  memcpy(c.t.first, here.first, sizeof here.first);
  memcpy(c.t.mixed, here.mixed, sizeof here.mixed);
  memcpy(c.t.phase, here.phase, sizeof here.phase);
  c.t.potential_factor = here.potential_factor;
  c.t.shift = here.shift;
  c.t.add_factor = here.add_factor;
  resident_send(on, c.in, x, N);
  resident_send(on, c.out, y, N);
  resident_send(on, v, potential, N);
  c.in = complex_call ? RESIDENT_PAIR(c.in, begin) : RESIDENT_AT(double, c.in, begin);
  {
    const resident_sum_call whole = c;
    c.out = complex_call ? RESIDENT_PAIR(c.out, begin) : RESIDENT_AT(double, c.out, begin);
    c.t.potential = RESIDENT_AT(double, v, begin);
    c.t.add = c.out;
    if (!(has & RESIDENT_SUM_ADD)) c.t.add = RESIDENT_NONE;
    if (!(has & RESIDENT_SUM_SUMS)) memset(&c.sums, 0, sizeof c.sums);
    c.grids = &c.shape;
    c.terms = &c.t;
    resident_refused(!resident_sum_size(on, complex_call, &c, &need) && need <= c.work_size, "work of sumconv3d",
                     RESIDENT_SAID);
    c.work_size = need;
    if (!(has & (RESIDENT_SUM_SUMS | RESIDENT_SUM_MIXED))) c.work = RESIDENT_NONE;
    status = resident_sum_run(on, complex_call, &c);
    resident_refused(!status, "sumconv3d there", RESIDENT_SAID);
    resident_fetch(on, whole.out, y, N);
    if (has & RESIDENT_SUM_SUMS) resident_fetch(on, whole.sums, sums, 16);
  }
  status = complex_call
               ? convk_sumconv3d_c64_scalar(NULL, &c.shape, &here, x + begin * step, expected + begin * step, wanted, NULL, 0)
               : convk_sumconv3d_f64_scalar(NULL, &c.shape, &here, x + begin * step, expected + begin * step, wanted, NULL, 0);
  resident_refused(!status, "sumconv3d here", convk_strerror(status));
  for (i = 0; i < N; i++) worst = fabs(y[i] - expected[i]) > worst ? fabs(y[i] - expected[i]) : worst;
  resident_refused(worst < 1e-12, "results of sumconv3d", complex_call ? "complex" : "real");
  if (!(has & RESIDENT_SUM_SUMS)) return;
  for (i = 0; i < 16; i++)
    resident_refused(fabs((&sums[0].dot[0])[i] - (&wanted[0].dot[0])[i]) < 1e-10, "sums of sumconv3d",
                     complex_call ? "complex" : "real");
}

/* Arrays of 4 N doubles; `sums` of 16; work of RESIDENT_WORK bytes. */
static void resident_sum(RESIDENT_ON *on, RESIDENT_ARRAY(double) x, RESIDENT_ARRAY(double) y, RESIDENT_ARRAY(double) v,
                         RESIDENT_ARRAY(convk_sumconv_sums) sums, RESIDENT_ARRAY(void) work) {
  static const double wrong[4] = {0.25, HUGE_VAL, 0.25, 0};
  resident_sum_call good, c;
  size_t bytes = 0, less = 0;
  unsigned has;
  int which, d, status;
  memset(&good, 0, sizeof good);
  good.shape.in.nx = 6, good.shape.in.ny = 5, good.shape.in.nz = 4;
  for (d = 0; d < 3; d++) {
    good.t.filter[d].lo = good.t.first[d].lo = -1, good.t.filter[d].up = good.t.first[d].up = 1;
    good.t.filter[d].taps = good.t.first[d].taps = resident_sum_taps;
    good.t.mixed[d] = 1;
  }
  good.in = x;
  good.out = y;
  good.sums = sums;
  good.work = work;
  good.work_size = RESIDENT_WORK;
#define SPOIL(wanted, text, ...) \
  do { \
    c = good; \
    c.grids = &c.shape; \
    c.terms = &c.t; \
    __VA_ARGS__; \
    status = resident_sum_run(on, which, &c); \
    resident_refused(status == wanted, #__VA_ARGS__, convk_strerror(status)); \
    resident_refused((wanted) != CONVK_OK ? strstr(RESIDENT_SAID, text) != NULL : !RESIDENT_SAID[0], #__VA_ARGS__, \
                     RESIDENT_SAID); \
  } while (0)
  for (which = 0; which < 2; which++) {
    SPOIL(CONVK_OK, "", (void)c);
    SPOIL(CONVK_OK, "", c.t.potential = v);
    SPOIL(CONVK_OK, "", c.t.add = y);
    SPOIL(CONVK_OK, "", c.out = RESIDENT_NONE);
    SPOIL(CONVK_ERR_NULL, "shape is NULL", c.grids = NULL);
    SPOIL(CONVK_ERR_NULL, "terms is NULL", c.terms = NULL);
    SPOIL(CONVK_ERR_NULL, "in is NULL", c.in = RESIDENT_NONE);
    SPOIL(CONVK_ERR_NULL, "out and sums are NULL", c.out = RESIDENT_NONE; memset(&c.sums, 0, sizeof c.sums));
    SPOIL(CONVK_ERR_NULL, "work is NULL", c.work = RESIDENT_NONE);
    SPOIL(CONVK_ERR_NULL, "terms->first", c.t.first[1].taps = NULL);
    SPOIL(CONVK_ERR_WORK, "work_size is 100, and ", c.work_size = 100);
    SPOIL(CONVK_ERR_SIZE, "shape->in.nx is 0", c.shape.in.nx = 0);
    SPOIL(CONVK_ERR_SIZE, "shape->out must be of 6 x 5 x 4", c.shape.out = c.shape.in; c.shape.out.nz++);
    SPOIL(CONVK_ERR_PITCH, "shape->out_stride is 119", c.shape.vectors = 2; c.shape.out_stride = RESIDENT_N - 1);
    SPOIL(CONVK_ERR_TAPS, "terms->filter[0]", c.t.filter[0].up = 99);
    SPOIL(CONVK_ERR_BOUNDARY, "shape->boundary[1]", c.shape.boundary[1] = 7);
    SPOIL(CONVK_ERR_NONFINITE, "a tap of terms->filter[2]", c.t.filter[2].taps = wrong);
    SPOIL(CONVK_ERR_NONFINITE, "terms->shift", c.t.shift = HUGE_VAL);
    SPOIL(CONVK_ERR_OVERLAP, "in overlaps out", c.out = RESIDENT_AT(double, x, 2));
    SPOIL(CONVK_ERR_OVERLAP, "out overlaps terms->potential", c.t.potential = RESIDENT_AT(double, y, 2));
    SPOIL(CONVK_ERR_OVERLAP, "out overlaps terms->add", c.t.add = RESIDENT_AT(double, y, 2));
    SPOIL(CONVK_ERR_OVERLAP, "overlaps work", c.work = RESIDENT_AT(void, x, 0); c.work_size = 4 * RESIDENT_N * sizeof(double);
          c.sums = sums; memset(c.t.mixed, 0, sizeof c.t.mixed); c.shape.in.nx = 1);
    RESIDENT_ONLY_CL(SPOIL(CONVK_ERR_SIZE, "in.mem is too small a buffer", c.in = RESIDENT_AT(double, x, 4 * RESIDENT_N - 1));)
    if (!which) SPOIL(CONVK_ERR_OPTION, "complex calls", c.t.phase[0][0] = -1);
    c = good;
    c.grids = &c.shape;
    c.terms = &c.t;
    resident_refused(!resident_sum_size(on, which, &c, &bytes), "work_size", RESIDENT_SAID);
    resident_refused(!resident_sum_size(NULL, which, &c, &less) && less == bytes, "work_size on nothing", "NULL");
    c.work_size = bytes;
    resident_refused(!resident_sum_run(on, which, &c), "as much as work_size says", RESIDENT_SAID);
    c.t.mixed[0] = 0;
    c.t.first[1].up = 0;
    c.shape.in.nx--;
    resident_refused(!resident_sum_size(on, which, &c, &less) && less <= bytes, "work_size of less", RESIDENT_SAID);
    resident_refused(resident_sum_size(on, which, &c, NULL) == CONVK_ERR_NULL && strstr(RESIDENT_SAID, "bytes is NULL"),
                     "work_size to NULL", RESIDENT_SAID);
    for (has = 0; has < 32; has++)
      if (which || !(has & RESIDENT_SUM_TURNS)) resident_sum_results(on, which, has, good, v);
  }
#undef SPOIL
}

#include "resident_hamiltonian.h"

/* A filter of host arrays that go to the device in parts has the sums, too, that it has of all at once. */
static void sums_in_parts(const char *hardware) {
  enum { NX = 3, NY = 4, NZ = 600, N = NX * NY * NZ };
  static double in[N], out[2][N], density[2][N], potential[N];
  const convk_sepconv3d_shape shape = {
      {NX, NY, NZ, 0, 0}, {0, 0, 0, 0, 0}, {CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_ZERO}};
  double sums[2][2];
  convk hw;
  int i;
  if (convk_open(&hw, hardware)) exit(2);
  for (i = 0; i < N; i++) in[i] = 0.5 + i * 7 % 11, potential[i] = 0.25 * (i * 5 % 13 - 6);
  for (i = 0; i < 2; i++) {
    convk_sepconv_epilogue_f64 epilogue;
    memset(&epilogue, 0, sizeof epilogue);
    epilogue.density = density[i];
    epilogue.density_factor = 2;
    epilogue.potential = potential;
    epilogue.dot = &sums[i][0];
    epilogue.energy = &sums[i][1];
    hw.device_bytes = i ? 3 * sizeof in : 0; /* too little for all four arrays */
    resident_refused(!convk_magicfilter3d_f64(&hw, &shape, CONVK_FORWARD, &epilogue, in, out[i], NULL, 0), "a filter in parts",
                     hw.message);
  }
  resident_refused(!memcmp(out[0], out[1], sizeof in) && !memcmp(density[0], density[1], sizeof in), "results in parts", "");
  resident_refused(!memcmp(sums[0], sums[1], sizeof sums[0]), "sums in parts", "");
  convk_close(&hw);
}

#ifdef CONVK_CUDA
int main(int argc, char **argv) {
  const int all = argc < 2; /* or segments alone, for an interpreter of kernels */
  convk_cuda_stream on = convk_cuda_stream();
  void *array[5];
  int i;
  for (i = 0; i < 5; i++)
    if (cudaMalloc(&array[i], i == 4 ? (size_t)RESIDENT_WORK : 4 * RESIDENT_N * sizeof(double))) return 2;
  if (all) {
    resident_sum(&on, (double *)array[0], (double *)array[1], (double *)array[2], (convk_sumconv_sums *)array[3], array[4]);
    resident_filter(&on, (double *)array[0], (double *)array[1], (double *)array[2], array[4]);
    resident_ham(&on, (double *)array[0], (double *)array[1], (double *)array[2], (convk_hamiltonian_energies *)array[3],
                 array[4]);
    sums_in_parts("cuda");
  }
  resident_segments(&on, (double *)array[0], (double *)array[1], (double *)array[2]);
#else
int main(int argc, char **argv) {
  const int all = argc < 2; /* or segments alone, for an interpreter of kernels */
  convk_cl_array array[5];
  convk_cl_queue on;
  cl_device_id device;
  cl_int error;
  convk hw;
  int i;
  if (convk_open(&hw, "opencl")) return 2;
  memset(&on, 0, sizeof on);
  on.cl = convk_cl_of(&hw);
  if (clGetContextInfo(on.cl->context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL)) return 2;
  on.queue = clCreateCommandQueue(on.cl->context, device, 0, &error);
  for (i = 0; i < 5 && !error; i++) {
    const size_t bytes = i == 4 ? (size_t)RESIDENT_WORK : 4 * RESIDENT_N * sizeof(double);
    array[i].mem = clCreateBuffer(on.cl->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    array[i].offset = 0;
  }
  if (error) return 2;
  if (all) {
    resident_sum(&on, array[0], array[1], array[2], array[3], array[4]);
    resident_filter(&on, array[0], array[1], array[2], array[4]);
    resident_ham(&on, array[0], array[1], array[2], array[3], array[4]);
    sums_in_parts("opencl");
  }
  resident_segments(&on, array[0], array[1], array[2]);
  for (i = 0; i < 5; i++) clReleaseMemObject(array[i].mem);
  clReleaseCommandQueue(on.queue);
  convk_close(&hw);
#endif
  (void)argv;
  printf("%d passed, %d failed, 0 skipped\n", passed, failed);
  return failed != 0;
}
