/* SPDX-License-Identifier: MIT
   A convolution of arrays on device memory, with OpenCL, or as C++ with CUDA in the emulator: the bits of a call on host arrays, and
   nothing is written between results, before or behind them.

     cc -std=c99 -I. -DCONVK_CL -DCONVK_WITH_FFT -DCONVK_F64 tests/test_fft_there.c -o there -lOpenCL -lm
     c++ -x c++ -std=c++11 -ffp-contract=off -I. -DCONVK_CUDA -DCONVK_WITH_FFT -DCONVK_F64 tests/test_fft_there.c -o there  */
#include "there.h"

#ifdef CONVK_CUDA
#define convk_cuda_batch2d convk_batch2d
#endif

/* The middle of the whole convolution: the transform has more rows and columns, of which a pair goes beyond a row's end. */
enum { ROWS = 6, COLUMNS = 7, PITCH = 9, STRIDE = ROWS * PITCH + 5, ITEMS = 3, BEFORE = 4, BEHIND = 40, PLAN_AT = 64 };
enum { SPAN = ITEMS * STRIDE, ALL = BEFORE + SPAN + BEHIND };

int main(void) {
  static double in[SPAN], out[ALL], got[ALL], kernel[9];
  convk_fftconv2d_shape shape;
  convk_fftconv2d_plan_f64 *plan;
  convk_batch2d batch;
  NAME(batch2d) batched;
  size_t bytes = 0, used = 0, work = 0;
  char *data;
  memory fields, results, plans, room;
  convk hw;
  int i;
  open_there(&hw);
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
  holds(!convk_fftconv2d_plan_size_f64(&hw, &shape, 1, &bytes), "size of a plan");
  data = (char *)calloc(1, PLAN_AT + bytes);
  plan = (convk_fftconv2d_plan_f64 *)(void *)(data + PLAN_AT);
  holds(!convk_fftconv2d_prepare_f64(&hw, &shape, 1, kernel, 0, 0, plan, bytes), "a plan");
  holds(!convk_fftconv2d_plan_bytes_f64(&hw, plan, &used), "bytes of a plan");
  holds(!convk_fftconv2d_f64(&hw, plan, &batch, in, out + BEFORE, NULL, 0), "on host arrays");
  fields = there(sizeof in, in);
  results = there(sizeof got, got);
  plans = there(PLAN_AT + used, data);
  holds(!NAME(fftconv2d_work_size_f64)(&on, plan, ITEMS, &work), "size of work");
  room = there(work + 8, NULL);
  holds(!NAME(fftconv2d_f64)(&on, plan, BYTES_AT(plans, PLAN_AT), &batched, AT(const double, fields, 0),
                             AT(double, results, BEFORE), BYTES_AT(room, 0), work),
        "there");
  back(results, got, sizeof got);
  holds(!memcmp(got, out, sizeof got), "the same bits, and nothing beside results");
  free(data);
  convk_close(&hw);
  return done();
}
