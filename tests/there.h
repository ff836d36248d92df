/* What tests of calls on device memory share: OpenCL, or as C++ CUDA in the emulator; with -DCONVK_CUDA or -DCONVK_CL.
     NAME(name)            a call or a struct of the device: convk_cl_name, convk_cuda_name
     AT(T, memory, k)      an array that begins at element k; BYTES_AT(memory, k) at byte k; NONE(T) none
     on, said()            where calls run, and what the last one said
     open_there, close_there   `device`, and `on` on it */
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

static int passed, failed;
static inline void check(int good, const char *what, const char *why) {
  if (good) passed++;
  else failed++;
  if (!good) printf("FAIL %s: %s\n", what, why);
}

static convk device;
#ifdef CONVK_CUDA
#define HARDWARE "cuda"
#define NAME(name) convk_cuda_##name
typedef void *memory;
static convk_cuda_stream on;
static inline void *there(size_t bytes, const void *data) {
  void *p = NULL;
  if (cudaMalloc(&p, bytes) || (data && cudaMemcpy(p, data, bytes, cudaMemcpyHostToDevice))) exit(2);
  return p;
}
static inline void back(void *p, void *to, size_t bytes) {
  if (cudaStreamSynchronize(NULL) || cudaMemcpy(to, p, bytes, cudaMemcpyDeviceToHost)) exit(2);
}
static inline void drop(void *p) {
  if (cudaFree(p)) exit(2);
}
#define AT(T, p, k) ((T *)(p) + (k))
#define BYTES_AT(p, k) ((void *)((char *)(p) + (k)))
#define NONE(T) ((T *)NULL)
static inline const char *said(void) { return on.message; }
static inline void open_there(void) {
  memset(&on, 0, sizeof on);
  if (convk_open(&device, HARDWARE)) exit(2);
}
static inline void close_there(void) { convk_close(&device); }
#else
#define HARDWARE "opencl"
#define NAME(name) convk_cl_##name
typedef cl_mem memory;
static convk_cl_queue on;
static inline cl_mem there(size_t bytes, const void *data) {
  cl_mem p = clCreateBuffer(on.cl->context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
  if (!p || (data && clEnqueueWriteBuffer(on.queue, p, CL_TRUE, 0, bytes, data, 0, NULL, NULL))) exit(2);
  return p;
}
static inline void back(cl_mem p, void *to, size_t bytes) {
  if (clEnqueueReadBuffer(on.queue, p, CL_TRUE, 0, bytes, to, 0, NULL, NULL)) exit(2);
}
static inline void drop(cl_mem p) {
  if (clReleaseMemObject(p)) exit(2);
}
static inline convk_cl_array array_at(cl_mem p, size_t k) {
  const convk_cl_array a = {p, k};
  return a;
}
#define AT(T, p, k) array_at(p, k)
#define BYTES_AT(p, k) array_at(p, k)
#define NONE(T) array_at(NULL, 0)
static inline const char *said(void) { return on.cl->message; }
static inline void open_there(void) {
  cl_int error;
  if (convk_open(&device, HARDWARE)) exit(2);
  memset(&on, 0, sizeof on);
  on.cl = convk_cl_of(&device);
  on.queue = clCreateCommandQueue(on.cl->context, on.cl->device, 0, &error);
}
static inline void close_there(void) {
  (void)clReleaseCommandQueue(on.queue);
  convk_close(&device);
}
#endif
