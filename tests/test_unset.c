/* SPDX-License-Identifier: MIT
   A first call of sweeps of walkers on a device (anew = 1) gives the same whatever lies in the arrays that it only writes: zeros,
   large negative numbers, NaN.
     cc -std=c99 -I. -DCONVK_CL tests/test_unset.c -lOpenCL
     c++ -x c++ -std=c++11 -ffp-contract=off -I. -DCONVK_CUDA tests/test_unset.c       in the tests' emulator                     */
#ifdef CONVK_CUDA
#include "cuda_emulator.h"
#else
#define CL_TARGET_OPENCL_VERSION 120
#ifndef CONVK_CL
#define CONVK_CL
#endif
#endif
#include "convk.h"

#include <stdio.h>

enum { N = 7, WALKERS = 3, SWEEPS = 5, BYTES = 1 << 20 };
enum { R, LN_PSI, RESULT, DRIFT, ACCEPTED, WORK, ARRAYS };

/* What a call leaves in all arrays but the work. */
typedef struct outcome {
  double r[3 * N * WALKERS], ln_psi[WALKERS], result[SWEEPS * WALKERS * 9], drift[WALKERS];
  uint32_t accepted[WALKERS];
} outcome;

static void *array_of(outcome *o, int which, size_t *bytes) {
  void *const at[] = {o->r, o->ln_psi, o->result, o->drift, o->accepted};
  const size_t size[] = {sizeof o->r, sizeof o->ln_psi, sizeof o->result, sizeof o->drift, sizeof o->accepted};
  *bytes = size[which];
  return at[which];
}

static convk_vmc vmc_make(int moves, int drift) {
  convk_vmc vmc;
  memset(&vmc, 0, sizeof vmc);
  vmc.system.particles = N;
  vmc.system.potential = convk_pair_lm2m2();
  vmc.system.trial.p5 = 120;
  vmc.system.trial.p2 = -1;
  vmc.system.trial.p0 = 0.4;
  vmc.system.trial.p1 = 0.01;
  vmc.walkers = WALKERS;
  vmc.seed = 1;
  vmc.step = 0.5;
  vmc.acceptance = -1;
  vmc.interval = 1;
  vmc.moves = moves;
  vmc.drift = drift;
  return vmc;
}

#ifdef CONVK_CUDA
static int call(convk *hw, const convk_vmc *vmc, uint64_t sweep, int fill, outcome *o) {
  void *there[ARRAYS];
  size_t bytes;
  int i, status;
  (void)hw;
  for (i = 0; i < ARRAYS; i++) {
    if (cudaMalloc(&there[i], BYTES) || cudaMemset(there[i], fill, BYTES)) return 1;
    if (i == R && cudaMemcpy(there[i], o->r, sizeof o->r, cudaMemcpyHostToDevice)) return 1;
  }
  {
    convk_cuda_stream on = {};
    const convk_vmc_sweeps sweeps = {sweep, SWEEPS, vmc->step, 1};
    const convk_cuda_vmc_walkers_f64 walkers = {(double *)there[R], (double *)there[LN_PSI], (convk_pair_result *)there[RESULT],
                                                (double *)there[DRIFT], (uint32_t *)there[ACCEPTED]};
    status = convk_cuda_vmc_sweeps_f64(&on, vmc, &sweeps, &walkers, there[WORK], BYTES);
    if (status) printf("%s\n", on.message);
  }
  for (i = 0; i < WORK && !status; i++) {
    void *const to = array_of(o, i, &bytes);
    if (cudaMemcpy(to, there[i], bytes, cudaMemcpyDeviceToHost)) return 1;
  }
  for (i = 0; i < ARRAYS; i++) cudaFree(there[i]);
  return status;
}
#else
static int call(convk *hw, const convk_vmc *vmc, uint64_t sweep, int fill, outcome *o) {
  static unsigned char garbage[BYTES];
  convk_cl *cl = convk_cl_of(hw);
  cl_command_queue queue = clCreateCommandQueue(cl->context, cl->device, 0, NULL);
  convk_cl_queue on = {NULL, NULL, 0, NULL, NULL};
  convk_cl_array work = {NULL, 0};
  convk_cl_vmc_walkers_f64 walkers = {{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
  convk_vmc_sweeps sweeps = {0, SWEEPS, 0, 1};
  cl_mem there[ARRAYS];
  size_t bytes;
  int i, status;
  sweeps.first = sweep;
  sweeps.step = vmc->step;
  memset(garbage, fill, sizeof garbage);
  for (i = 0; i < ARRAYS; i++) {
    there[i] = clCreateBuffer(cl->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BYTES, garbage, NULL);
    if (i == R && clEnqueueWriteBuffer(queue, there[i], CL_TRUE, 0, sizeof o->r, o->r, 0, NULL, NULL)) return 1;
  }
  on.cl = cl;
  on.queue = queue;
  walkers.r.mem = there[R];
  walkers.ln_psi.mem = there[LN_PSI];
  walkers.result.mem = there[RESULT];
  walkers.drift.mem = there[DRIFT];
  walkers.accepted.mem = there[ACCEPTED];
  work.mem = there[WORK];
  status = convk_cl_vmc_sweeps_f64(&on, vmc, &sweeps, &walkers, work, BYTES);
  if (status) printf("%s\n", cl->message);
  for (i = 0; i < WORK && !status; i++) {
    void *const to = array_of(o, i, &bytes);
    if (clEnqueueReadBuffer(queue, there[i], CL_TRUE, 0, bytes, to, 0, NULL, NULL)) return 1;
  }
  clFinish(queue);
  for (i = 0; i < ARRAYS; i++) clReleaseMemObject(there[i]);
  clReleaseCommandQueue(queue);
  return status;
}
#endif

int main(void) {
  static const int fills[] = {0, 0xc1, 0xff}; /* 0, -6e8 and NaN */
  static const uint64_t sweeps[] = {0, 3};    /* where ln Psi is due anew, and where it is not */
  static outcome first, next;
  convk hw;
  size_t which;
  int f, i, failed = 0, passed = 0, status = CONVK_OK;
#ifdef CONVK_CUDA
  memset(&hw, 0, sizeof hw);
#else
  status = convk_open(&hw, "opencl");
#endif
  if (status) printf("FAIL %s\n", convk_strerror(status));
  for (which = 0; which < 8 && !status; which++) {
    const convk_vmc vmc = vmc_make(which & 1 ? CONVK_VMC_MOVE_ALL : CONVK_VMC_MOVE_SINGLE, which >> 1 & 1);
    for (f = 0; f < 3; f++) {
      outcome *o = f ? &next : &first;
      memset(o, 0, sizeof *o);
      for (i = 0; i < 3 * N * WALKERS; i++) o->r[i] = 4.0 * (i % N % 3 + (i / N % 3) * (i % N / 3)) + 0.25 * (i % 5);
      status = call(&hw, &vmc, sweeps[which / 4], fills[f], o);
      for (i = 0; i < WALKERS && !status; i++) /* not followed from what was there */
        if (!(o->drift[i] < 1e-9)) status = 1;
      if (status || memcmp(o, &first, sizeof *o)) failed++;
      else passed++;
      if (status || memcmp(o, &first, sizeof *o))
        printf("FAIL moves %d, drift %d, from sweep %d on, arrays of bytes %d: status %d, drift %g\n", (int)(which & 1),
               vmc.drift, (int)sweeps[which / 4], fills[f], status, o->drift[0]);
      status = CONVK_OK;
    }
  }
#ifndef CONVK_CUDA
  if (hw.size) convk_close(&hw);
#endif
  printf("%d passed, %d failed, 0 skipped\n", passed, failed);
  return failed || !passed;
}
