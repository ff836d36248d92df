/* SPDX-License-Identifier: MIT
   A convolution of arrays on device memory, with OpenCL, or as C++ with CUDA in the emulator: the bits of a call on host arrays, and
   nothing is written between results, before or behind them.

     cc -std=c99 -I. -DCONVK_CL -DCONVK_WITH_FFT -DCONVK_F64 tests/test_fft_there.c -o there -lOpenCL -lm
     c++ -x c++ -std=c++11 -ffp-contract=off -I. -DCONVK_CUDA -DCONVK_WITH_FFT -DCONVK_F64 tests/test_fft_there.c -o there  */
#ifdef CONVK_CUDA
#include "cuda_emulator.h"
#elif !defined CONVK_CL
#define CONVK_CL
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "convk.h"

static int passed, failed;
static void check(int good, const char *what) {
  if (good) passed++;
  else failed++;
  if (!good) printf("FAIL %s\n", what);
}

#ifdef CONVK_CUDA
#define HARDWARE "cuda"
#define NAME(name) convk_cuda_##name
typedef convk_batch2d batch_there;
typedef void *memory;
static convk_cuda_stream on;
static void *there(size_t bytes, const void *data) {
  void *p = NULL;
  if (cudaMalloc(&p, bytes) || (data && cudaMemcpy(p, data, bytes, cudaMemcpyHostToDevice))) exit(2);
  return p;
}
static void back(void *p, void *to, size_t bytes) {
  if (cudaStreamSynchronize(NULL) || cudaMemcpy(to, p, bytes, cudaMemcpyDeviceToHost)) exit(2);
}
#define AT(T, p, k) ((T *)(p) + (k))
#define BYTES_AT(p, k) ((char *)(p) + (k))
#else
#define HARDWARE "opencl"
#define NAME(name) convk_cl_##name
typedef convk_cl_batch2d batch_there;
typedef cl_mem memory;
static convk_cl_queue on;
static cl_mem there(size_t bytes, const void *data) {
  cl_mem p = clCreateBuffer(on.cl->context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  if (!p || (data && clEnqueueWriteBuffer(on.queue, p, CL_TRUE, 0, bytes, data, 0, NULL, NULL))) exit(2);
  return p;
}
static void back(cl_mem p, void *to, size_t bytes) {
  if (clEnqueueReadBuffer(on.queue, p, CL_TRUE, 0, bytes, to, 0, NULL, NULL)) exit(2);
}
static convk_cl_array at_(cl_mem p, size_t k) {
  const convk_cl_array a = {p, k};
  return a;
}
#define AT(T, p, k) at_(p, k)
#define BYTES_AT(p, k) at_(p, k)
#endif

/* The middle of the whole convolution: the transform has more rows and columns, of which a pair goes beyond a row's end. */
enum { ROWS = 6, COLUMNS = 7, PITCH = 9, STRIDE = ROWS * PITCH + 5, ITEMS = 3, BEFORE = 4, BEHIND = 40, PLAN_AT = 64 };
enum { SPAN = ITEMS * STRIDE, ALL = BEFORE + SPAN + BEHIND };

int main(void) {
  static double in[SPAN], out[ALL], got[ALL], kernel[9];
  convk_fftconv2d_shape shape;
  convk_fftconv2d_plan_f64 *plan;
  convk_batch2d batch;
  batch_there batched;
  size_t bytes = 0, used = 0, work = 0;
  char *data;
  memory fields, results, plans, room;
  convk hw;
  int i;
  if (convk_open(&hw, HARDWARE)) return 2;
#ifdef CONVK_CL
  on.cl = convk_cl_of(&hw);
  on.queue = clCreateCommandQueue(on.cl->context, on.cl->device, 0, NULL);
#endif
  memset(&shape, 0, sizeof shape);
  memset(&batch, 0, sizeof batch);
  memset(&batched, 0, sizeof batched);
  shape.rows = ROWS;
  shape.columns = COLUMNS;
  shape.kernel_rows = shape.kernel_columns = 3;
  shape.mode = CONVK_FFT_SAME;
  batch.items = batched.items = ITEMS;
  batch.in_pitch = batched.in_pitch = batch.out_pitch = batched.out_pitch = PITCH;
  batch.in_stride = batched.in_stride = batch.out_stride = batched.out_stride = STRIDE;
  for (i = 0; i < SPAN; i++) in[i] = i * 7 % 11 - 5;
  for (i = 0; i < ALL; i++) out[i] = got[i] = -77;
  for (i = 0; i < 9; i++) kernel[i] = 1 + i;
  check(!convk_fftconv2d_plan_size_f64(&hw, &shape, 1, &bytes), "size of a plan");
  data = (char *)calloc(1, PLAN_AT + bytes);
  plan = (convk_fftconv2d_plan_f64 *)(void *)(data + PLAN_AT);
  check(!convk_fftconv2d_prepare_f64(&hw, &shape, 1, kernel, 0, 0, plan, bytes), "a plan");
  check(!convk_fftconv2d_plan_bytes_f64(&hw, plan, &used), "bytes of a plan");
  check(!convk_fftconv2d_f64(&hw, plan, &batch, in, out + BEFORE, NULL, 0), "on host arrays");
  fields = there(sizeof in, in);
  results = there(sizeof got, got);
  plans = there(PLAN_AT + used, data);
  check(!NAME(fftconv2d_work_size_f64)(&on, plan, ITEMS, &work), "size of work");
  room = there(work + 8, NULL);
  check(!NAME(fftconv2d_f64)(&on, plan, BYTES_AT(plans, PLAN_AT), &batched, AT(const double, fields, 0),
                             AT(double, results, BEFORE), BYTES_AT(room, 0), work),
        "there");
  back(results, got, sizeof got);
  check(!memcmp(got, out, sizeof got), "the same bits, and nothing beside results");
  free(data);
  convk_close(&hw);
  printf("%d passed, %d failed, 0 skipped\n", passed, failed);
  return failed || !passed;
}
