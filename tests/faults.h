/* SPDX-License-Identifier: MIT
   Included before all else by programs of tests/faults.py: which fault is switched on, CONVK_FAULT in the environment; 0: none. */

#ifndef CONVK_TESTS_FAULTS_H
#define CONVK_TESTS_FAULTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

static int convk_fault;
__attribute__((constructor)) static void fault_choose(void) {
  const char *number = getenv("CONVK_FAULT");
  convk_fault = number ? atoi(number) : 0;
}

/* OpenCL programs get the number as a macro: the fault's own, so that other programs come from the compiler's cache. */
#ifdef CONVK_CL
#include <CL/cl.h>
enum { FAULT_OPTIONS = 2048 };

static cl_int fault_build(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                          void(CL_CALLBACK *notify)(cl_program, void *), void *data) {
  const char *more = getenv("CONVK_OPENCL_MORE");
  char all[FAULT_OPTIONS], here[32], *source;
  size_t size = 0;
  int has = 0;
  snprintf(here, sizeof here, "convk_fault == %d ", convk_fault);
  if (!clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &size) && size && (source = (char *)malloc(size))) {
    has = !clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, source, NULL) && strstr(source, here);
    free(source);
  }
  snprintf(all, sizeof all, "%s %s -Dconvk_fault=%d", options ? options : "", more ? more : "", has ? convk_fault : 0);
  return clBuildProgram(program, count, devices, all, notify, data);
}
#define clBuildProgram fault_build
#endif

#ifdef __cplusplus
}
#endif
#endif
