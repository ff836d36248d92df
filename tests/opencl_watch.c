/* SPDX-License-Identifier: MIT
   Watches a program's OpenCL: linked with --wrap for the two functions below, it appends the name of every kernel that is enqueued,
   once each, to the file that CONVK_OPENCL_KERNELS names, and fills each new buffer whose contents nobody gives with the byte that
   CONVK_OPENCL_FILL holds as a number: what a call only writes must not depend on it. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cl_int __real_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                     const size_t *global, const size_t *local, cl_uint count, const cl_event *wait,
                                     cl_event *event);
cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                     const size_t *global, const size_t *local, cl_uint count, const cl_event *wait,
                                     cl_event *event);
cl_mem __real_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *error);
cl_mem __wrap_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *error);

static void write_down(cl_kernel kernel) {
  static char seen[64][64];
  static size_t count;
  const char *path = getenv("CONVK_OPENCL_KERNELS");
  char name[64] = "";
  FILE *file;
  size_t i;
  if (!path || clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL)) return;
  for (i = 0; i < count; i++)
    if (!strcmp(seen[i], name)) return;
  if (count == sizeof seen / sizeof *seen || (file = fopen(path, "a")) == NULL) return;
  strcpy(seen[count++], name);
  fprintf(file, "%s\n", name);
  fclose(file);
}

cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                     const size_t *global, const size_t *local, cl_uint count, const cl_event *wait,
                                     cl_event *event) {
  write_down(kernel);
  return __real_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, wait, event);
}

cl_mem __wrap_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *error) {
  const char *text = getenv("CONVK_OPENCL_FILL");
  void *filled = NULL;
  cl_mem mem;
  if (text && !host && (filled = malloc(bytes)) != NULL) {
    memset(filled, atoi(text), bytes);
    flags |= CL_MEM_COPY_HOST_PTR;
  }
  mem = __real_clCreateBuffer(context, flags, bytes, filled ? filled : host, error);
  free(filled);
  return mem;
}
