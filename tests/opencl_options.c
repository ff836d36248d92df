/* SPDX-License-Identifier: MIT
   Writes down which OpenCL sources are built, and with which options: linked with -Wl,--wrap=clBuildProgram, it appends lines
   `FILE OPTIONS` to the file that CONVK_OPENCL_OPTIONS names.  CONVK_OPENCL_MORE holds options that are added.  OPENCL_SPECIAL is how
   many programs are made for one filter or one size of transforms. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OPENCL_SPECIAL /* of tests/hooks.h */
extern size_t test_cl_special;
size_t test_cl_special = OPENCL_SPECIAL;
#endif

cl_int __real_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                             void(CL_CALLBACK *notify)(cl_program, void *), void *data);
cl_int __wrap_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                             void(CL_CALLBACK *notify)(cl_program, void *), void *data);

cl_int __wrap_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                             void(CL_CALLBACK *notify)(cl_program, void *), void *data) {
  const char *path = getenv("CONVK_OPENCL_OPTIONS"), *more = getenv("CONVK_OPENCL_MORE");
  char *source, name[256] = "", all[2048];
  size_t size = 0;
  FILE *file;
  if (path && !clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &size) && size && (source = (char *)malloc(size))) {
    if (!clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, source, NULL) &&
        sscanf(source, "#line 1 \"%255[^\"]\"", name) == 1 && (file = fopen(path, "a"))) {
      fprintf(file, "%s %s\n", name, options ? options : "");
      fclose(file);
    }
    free(source);
  }
  snprintf(all, sizeof all, "%s %s", options ? options : "", more ? more : "");
  return __real_clBuildProgram(program, count, devices, all, notify, data);
}
