/* SPDX-License-Identifier: MIT
   What tests/hooks.h declares, as the library has it without: weak, so that a program may have its own. */
#include "hooks.h"

#undef clGetDeviceInfo
#include <stdlib.h>
#include <time.h>

#define WEAK __attribute__((weak))
#ifdef __cplusplus
extern "C" {
#endif
WEAK void *test_malloc(size_t bytes) { return malloc(bytes); }
WEAK void test_free(void *pointer) { free(pointer); }
WEAK double test_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
WEAK double test_fft_task = 131072;
WEAK size_t test_cuda_most_blocks = 0x7fffffff;
WEAK size_t test_cuda_enough_blocks = 2048;
WEAK size_t test_cl_groups_y = 32768;
WEAK size_t test_cl_special = 32;
#ifdef CONVK_CL
WEAK cl_int test_device_info(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *got) {
  return clGetDeviceInfo(device, what, size, value, got);
}
#endif
#ifdef __cplusplus
}
#endif
