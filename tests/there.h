/* What tests of arrays on device memory share, with OpenCL, or as C++ with CUDA in the emulator: checks, and memory, which no test need
   give back.  It includes the library: CONVK_CUDA, or else CONVK_CL, which it defines. */
#ifndef TESTS_THERE_H
#define TESTS_THERE_H
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
static inline void check(int good, const char *what, const char *why) {
  if (good) passed++;
  else failed++;
  if (!good) printf("FAIL %s%s%s\n", what, *why ? ": " : "", why);
}
static inline void holds(int good, const char *what) { check(good, what, ""); }
static inline int done(void) { /* the status of the program */
  printf("%d passed, %d failed, 0 skipped\n", passed, failed);
  return failed || !passed;
}

/* NAME: a call or type of the device.  An array: ALL of a piece of memory, AT: from element k on, BYTES_AT: from byte k on, NONE.  said:
   why the last call was refused.  there: new memory, and what is in it, or NULL. */
#ifdef CONVK_CUDA
#define HARDWARE "cuda"
#define NAME(name) convk_cuda_##name
#define AT(T, p, k) ((T *)(p) + (k))
#define BYTES_AT(p, k) ((void *)((char *)(p) + (k)))
#define ALL(T, p) ((T *)(p))
typedef void *memory;
static convk_cuda_stream on;
static inline const char *said(void) { return on.message; }
static inline void put(memory p, const void *data, size_t bytes) {
  if (cudaMemcpy(p, data, bytes, cudaMemcpyHostToDevice)) exit(2);
}
static inline void back(memory p, void *to, size_t bytes) {
  if (cudaStreamSynchronize(NULL) || cudaMemcpy(to, p, bytes, cudaMemcpyDeviceToHost)) exit(2);
}
static inline memory there(size_t bytes, const void *data) {
  memory p = NULL;
  if (cudaMalloc(&p, bytes)) exit(2);
  if (data) put(p, data, bytes);
  return p;
}
static inline void drop(memory p) {
  if (cudaFree(p)) exit(2);
}
#else
#define HARDWARE "opencl"
#define NAME(name) convk_cl_##name
#define AT(T, p, k) at_(p, k)
#define BYTES_AT(p, k) at_(p, k)
#define ALL(T, p) at_(p, 0)
typedef cl_mem memory;
static convk_cl_queue on;
static convk_cl first_device; /* of open_first */
static inline convk_cl_array at_(memory p, size_t k) {
  const convk_cl_array a = {p, k};
  return a;
}
static inline const char *said(void) { return on.cl->message; }
static inline void put(memory p, const void *data, size_t bytes) {
  if (clEnqueueWriteBuffer(on.queue, p, CL_TRUE, 0, bytes, data, 0, NULL, NULL)) exit(2);
}
static inline void back(memory p, void *to, size_t bytes) {
  if (clEnqueueReadBuffer(on.queue, p, CL_TRUE, 0, bytes, to, 0, NULL, NULL)) exit(2);
}
static inline memory there(size_t bytes, const void *data) {
  memory p = clCreateBuffer(on.cl->context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  if (!p) exit(2);
  if (data) put(p, data, bytes);
  return p;
}
static inline void drop(memory p) {
  if (clReleaseMemObject(p)) exit(2);
}
static inline void queue_of(convk_cl *cl) {
  on.cl = cl;
  on.queue = clCreateCommandQueue(cl->context, cl->device, 0, NULL);
}
#endif
#define NONE(T) ALL(T, NULL)

/* The device is that of a handle. */
static inline void open_there(convk *hw) {
  if (convk_open(hw, HARDWARE)) exit(2);
#ifdef CONVK_CL
  queue_of(convk_cl_of(hw));
#endif
}
/* Or a program's own context has the first one. */
static inline void open_first(void) {
#ifdef CONVK_CL
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) exit(2);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  if (!context || convk_cl_open(&first_device, context, device)) exit(2);
  queue_of(&first_device);
#endif
}
static inline void close_first(void) {
#ifdef CONVK_CL
  const cl_context context = first_device.context;
  clReleaseCommandQueue(on.queue);
  convk_cl_close(&first_device);
  clReleaseContext(context);
#endif
}

#endif
