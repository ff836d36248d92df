/* SPDX-License-Identifier: MIT
   A device with low limits: linked with --wrap for the four functions below, it answers CONVK_OPENCL_ITEMS to questions for the
   most items of a group, CONVK_OPENCL_KERNEL_ITEMS to those for a kernel's, CONVK_OPENCL_LOCAL for bytes of local memory, and
   refuses launches of larger groups, of more local memory, and of more than CONVK_OPENCL_GROUPS_Y groups along y, or 65,535.  Of
   groups along x it starts CONVK_OPENCL_GROUPS at most, for kernels whose groups take turns. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OPENCL_LIMITS_GROUPS_Y /* of tests/hooks.h */
extern size_t test_cl_groups_y;
size_t test_cl_groups_y = OPENCL_LIMITS_GROUPS_Y;
#endif

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
cl_int __real_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value);
cl_int __wrap_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value);

static size_t limit_or(const char *name, size_t otherwise) {
  const char *text = getenv(name);
  return text ? (size_t)strtoul(text, NULL, 10) : otherwise;
}
static size_t limit(const char *name) { return limit_or(name, (size_t)-1); }

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
  if (!error && value && what == CL_DEVICE_LOCAL_MEM_SIZE && *(cl_ulong *)value > limit("CONVK_OPENCL_LOCAL"))
    *(cl_ulong *)value = limit("CONVK_OPENCL_LOCAL");
  return error;
}

cl_int __wrap_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size,
                                       void *value, size_t *need) {
  const cl_int error = __real_clGetKernelWorkGroupInfo(kernel, device, what, size, value, need);
  if (!error && value && what == CL_KERNEL_WORK_GROUP_SIZE) lower((size_t *)value, 1, "CONVK_OPENCL_KERNEL_ITEMS");
  return error;
}

/* Local memory in the arguments of the kernel whose arguments were set last, as they are always set before a launch. */
static cl_kernel last;
static size_t local_of[64];

cl_int __wrap_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  if (kernel != last) memset(local_of, 0, sizeof local_of);
  last = kernel;
  if (index < 64) local_of[index] = value ? 0 : size;
  return __real_clSetKernelArg(kernel, index, size, value);
}

/* Some implementations count what is in arguments, too, when they say how much a kernel has. */
static size_t local_bytes(cl_command_queue queue, cl_kernel kernel) {
  cl_device_id device = NULL;
  cl_ulong all = 0;
  size_t arguments = 0, i;
  for (i = 0; i < 64 && kernel == last; i++) arguments += local_of[i];
  if (clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL) ||
      __real_clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof all, &all, NULL))
    all = 0;
  return all > arguments ? (size_t)all : arguments;
}

cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                     const size_t *global, const size_t *local, cl_uint count, const cl_event *wait,
                                     cl_event *event) {
  const size_t bytes = local_bytes(queue, kernel), groups_y = limit_or("CONVK_OPENCL_GROUPS_Y", 65535);
  size_t items = 1, all[3];
  cl_uint d;
  for (d = 0; d < dimensions; d++) {
    items *= local[d];
    all[d] = global[d];
  }
  if (items > limit("CONVK_OPENCL_ITEMS") || items > limit("CONVK_OPENCL_KERNEL_ITEMS")) {
    printf("FAIL a launch of %d items\n", (int)items);
    return CL_INVALID_WORK_GROUP_SIZE;
  }
  if (bytes > limit("CONVK_OPENCL_LOCAL")) {
    printf("FAIL a launch with %d bytes of local memory\n", (int)bytes);
    return CL_OUT_OF_RESOURCES;
  }
  for (d = 1; d < dimensions; d++)
    if (global[d] / local[d] > groups_y) {
      printf("FAIL a launch of %d groups along axis %d\n", (int)(global[d] / local[d]), (int)d);
      return CL_INVALID_GLOBAL_WORK_SIZE;
    }
  if (all[0] / local[0] > limit("CONVK_OPENCL_GROUPS")) all[0] = limit("CONVK_OPENCL_GROUPS") * local[0];
  return __real_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, all, local, count, wait, event);
}
