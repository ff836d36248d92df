/* SPDX-License-Identifier: MIT
   What the library asks of a program of tests: memory, the time, and how much work is worth a task.  The library's objects
   (tests/objects.sh) are compiled after it.  tests/hooks.c has weak functions that do as
   the library does without; a program may have its own. */
#ifndef CONVK_TESTS_HOOKS_H
#define CONVK_TESTS_HOOKS_H

#include <stddef.h>
#ifdef CONVK_CL
#include <CL/cl.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif
void *test_malloc(size_t bytes);
void test_free(void *pointer);
double test_clock(void);
extern double test_fft_task;                                  /* as CONVK_FFT_TASK */
extern size_t test_cuda_most_blocks, test_cuda_enough_blocks; /* of one launch; that are enough for a device */
extern size_t test_cl_groups_y;                               /* along y */
extern size_t test_cl_special;                                /* programs for one filter or size of transforms */
#if defined CONVK_CL && !defined TEST_WHOLE
cl_int test_device_info(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *got);
#define clGetDeviceInfo test_device_info
#define CONVK_CL_SPECIAL_ test_cl_special
#endif
#ifdef __cplusplus
}
#endif
#define CONVK_MALLOC(bytes) test_malloc(bytes)
#define CONVK_FREE(pointer) test_free(pointer)
#define CONVK_SECONDS() test_clock()
#define CONVK_FFT_TASK test_fft_task
#define CONVK_CUDA_MAX_BLOCKS_ test_cuda_most_blocks
#define CONVK_CUDA_GRIDS_SUMS_ (test_cuda_most_blocks < 1024 ? (size_t)2048 : (size_t)32 << 20) /* with few blocks few bytes */
#define CONVK_CUDA_FORMFACTOR_PARTIAL_ (test_cuda_most_blocks < 1024 ? (size_t)256 : (size_t)1 << 25)
#define CONVK_CUDA_ENOUGH_BLOCKS_ test_cuda_enough_blocks
#define CONVK_CL_GROUPS_Y_ test_cl_groups_y

#endif
