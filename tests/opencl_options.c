/* SPDX-License-Identifier: MIT
   Writes down which OpenCL sources are built, and with which options: linked with -Wl,--wrap=clBuildProgram, it appends lines
   `FILE OPTIONS` to the file that CONVK_OPENCL_OPTIONS names.  CONVK_OPENCL_MORE holds options that are added.  OPENCL_SPECIAL is how
   many programs are made for one filter or one size of transforms, OPENCL_GROUPS_Y how many groups along y a launch has at most.
   CONVK_OPENCL_SHORT=yes: for an interpreter, clang optimises a little, which takes Oclgrind a third of the time, where its LLVM
   can be asked to keep to instructions that Oclgrind has. */
#define CL_TARGET_OPENCL_VERSION 120
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_DEFAULT */
#endif
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OPENCL_SPECIAL /* of tests/hooks.h */
extern size_t test_cl_special;
size_t test_cl_special = OPENCL_SPECIAL;
#endif
#ifdef OPENCL_GROUPS_Y
extern size_t test_cl_groups_y;
size_t test_cl_groups_y = OPENCL_GROUPS_Y;
#endif

cl_int __real_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                             void(CL_CALLBACK *notify)(cl_program, void *), void *data);
cl_int __wrap_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                             void(CL_CALLBACK *notify)(cl_program, void *), void *data);

/* Without the pass that makes saturating differences and funnel shifts, and without marks of what `restrict` means where functions
   are inlined.  Oclgrind 21.10 gives other numbers for the loops of transforms, as its clang simplifies their counters. */
static const char *shortened(const char *source) {
  static const char *const arguments[] = {"", "-instcombine-max-iterations=0", "-use-noalias-intrinsic-during-inlining=0"};
  static int asked, can;
  const char *wanted = getenv("CONVK_OPENCL_SHORT");
  void (*parse)(int, const char *const *, const char *) = NULL;
  if (!asked++ && wanted && *wanted) {
    *(void **)&parse = dlsym(RTLD_DEFAULT, "LLVMParseCommandLineOptions");
    if (parse) parse(3, arguments, NULL);
    can = parse != NULL;
  }
  return can && strcmp(source, "fft/kernel.cl") ? "-O1" : "";
}

cl_int __wrap_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                             void(CL_CALLBACK *notify)(cl_program, void *), void *data) {
  const char *path = getenv("CONVK_OPENCL_OPTIONS"), *more = getenv("CONVK_OPENCL_MORE");
  char *source, name[256] = "", all[2048];
  size_t size = 0;
  FILE *file;
  if (!clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &size) && size && (source = (char *)malloc(size))) {
    if (!clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, source, NULL) &&
        sscanf(source, "#line 1 \"%255[^\"]\"", name) == 1 && path && (file = fopen(path, "a"))) {
      fprintf(file, "%s %s\n", name, options ? options : "");
      fclose(file);
    }
    free(source);
  }
  snprintf(all, sizeof all, "%s %s %s", options ? options : "", more ? more : "", shortened(name));
  return __real_clBuildProgram(program, count, devices, all, notify, data);
}
