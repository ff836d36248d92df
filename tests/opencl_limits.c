/* SPDX-License-Identifier: MIT
   A device with small work-groups: linked with --wrap for the three functions below, it answers CONVK_OPENCL_ITEMS to questions for the
   most items of a group, CONVK_OPENCL_KERNEL_ITEMS to those for a kernel's, and refuses larger launches. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

cl_int __real_clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *need);
cl_int __wrap_clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *need);
cl_int __real_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size,
                                       void *value, size_t *need);
cl_int __wrap_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size,
                                       void *value, size_t *need);
cl_int __real_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                     const size_t *global, const size_t *local, cl_uint count, const cl_event *wait,
                                     cl_event *event);
cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                     const size_t *global, const size_t *local, cl_uint count, const cl_event *wait,
                                     cl_event *event);

static size_t limit(const char *name) {
  const char *text = getenv(name);
  return text ? (size_t)strtoul(text, NULL, 10) : (size_t)-1;
}

static void lower(size_t *value, size_t count, const char *name) {
  const size_t most = limit(name);
  size_t i;
  for (i = 0; i < count; i++)
    if (value[i] > most) value[i] = most;
}

cl_int __wrap_clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *need) {
  size_t got = 0;
  const cl_int error = __real_clGetDeviceInfo(device, what, size, value, &got);
  if (need) *need = got;
  if (!error && value && (what == CL_DEVICE_MAX_WORK_GROUP_SIZE || what == CL_DEVICE_MAX_WORK_ITEM_SIZES))
    lower((size_t *)value, got / sizeof(size_t), "CONVK_OPENCL_ITEMS");
  return error;
}

cl_int __wrap_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size,
                                       void *value, size_t *need) {
  const cl_int error = __real_clGetKernelWorkGroupInfo(kernel, device, what, size, value, need);
  if (!error && value && what == CL_KERNEL_WORK_GROUP_SIZE) lower((size_t *)value, 1, "CONVK_OPENCL_KERNEL_ITEMS");
  return error;
}

cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                     const size_t *global, const size_t *local, cl_uint count, const cl_event *wait,
                                     cl_event *event) {
  size_t items = 1;
  cl_uint d;
  for (d = 0; d < dimensions; d++) items *= local[d];
  if (items > limit("CONVK_OPENCL_ITEMS") || items > limit("CONVK_OPENCL_KERNEL_ITEMS")) {
    printf("FAIL a launch of %d items\n", (int)items);
    return CL_INVALID_WORK_GROUP_SIZE;
  }
  return __real_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, wait, event);
}
