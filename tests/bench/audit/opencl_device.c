/* SPDX-License-Identifier: MIT
   An OpenCL library of one GPU that runs nothing: a program linked with it shows which kernels the host sides want there.  To the
   file that CONVK_OPENCL_KERNELS names it appends a line `FILE KERNEL ITEMS LOCAL OPTIONS` for every launch, LOCAL being the bytes of
   local memory in arguments.  CONVK_OPENCL_UNITS,
   CONVK_OPENCL_ITEMS and CONVK_OPENCL_LOCAL are its compute units, most items of a group and bytes of local memory. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Programs and kernels are strings, `FILE OPTIONS` and `FILE KERNEL OPTIONS`; everything else is memory that nothing looks at. */
#define OBJECT(type) ((type)calloc(1, 64))

static size_t limit(const char *name, size_t otherwise) {
  const char *text = getenv(name);
  return text ? (size_t)strtoul(text, NULL, 10) : otherwise;
}

static cl_int answer(const void *value, size_t bytes, size_t size, void *to, size_t *need) {
  if (need) *need = bytes;
  if (!to) return CL_SUCCESS;
  if (size < bytes) return CL_INVALID_VALUE;
  memcpy(to, value, bytes);
  return CL_SUCCESS;
}
#define ANSWER(type, ...) \
  do { \
    const type value_[] = {__VA_ARGS__}; \
    return answer(value_, sizeof value_, size, value, need); \
  } while (0)

cl_int clGetPlatformIDs(cl_uint count, cl_platform_id *platforms, cl_uint *there) {
  static int platform;
  if (there) *there = 1;
  if (platforms && count) *platforms = (cl_platform_id)(void *)&platform;
  return CL_SUCCESS;
}

static int the_device;
cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint count, cl_device_id *devices, cl_uint *there) {
  (void)platform, (void)type;
  if (there) *there = 1;
  if (devices && count) *devices = (cl_device_id)(void *)&the_device;
  return CL_SUCCESS;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *need) {
  const size_t items = limit("CONVK_OPENCL_ITEMS", 1024);
  (void)device;
  switch (what) {
    case CL_DEVICE_TYPE: ANSWER(cl_device_type, CL_DEVICE_TYPE_GPU);
    case CL_DEVICE_NAME: return answer("nothing", 8, size, value, need);
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS: ANSWER(cl_uint, 3);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: ANSWER(size_t, items, items, items);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: ANSWER(size_t, items);
    case CL_DEVICE_LOCAL_MEM_SIZE: ANSWER(cl_ulong, limit("CONVK_OPENCL_LOCAL", 65536));
    case CL_DEVICE_MAX_COMPUTE_UNITS: ANSWER(cl_uint, (cl_uint)limit("CONVK_OPENCL_UNITS", 104));
    case CL_DEVICE_DOUBLE_FP_CONFIG:
    case CL_DEVICE_SINGLE_FP_CONFIG: ANSWER(cl_device_fp_config, CL_FP_FMA | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT);
    case 0x4043: ANSWER(cl_uint, 64); /* the wavefront of AMD */
    default: ANSWER(cl_uint, 1);      /* available, with a compiler; vectors of one */
  }
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data, cl_int *error) {
  (void)properties, (void)count, (void)devices, (void)notify, (void)data;
  if (error) *error = CL_SUCCESS;
  return OBJECT(cl_context);
}
cl_int clGetContextInfo(cl_context context, cl_context_info what, size_t size, void *value, size_t *need) {
  (void)context, (void)what;
  ANSWER(cl_device_id, (cl_device_id)(void *)&the_device);
}
cl_int clRetainContext(cl_context context) { return context ? CL_SUCCESS : CL_INVALID_CONTEXT; }
cl_int clReleaseContext(cl_context context) { return context ? CL_SUCCESS : CL_INVALID_CONTEXT; }

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                                      cl_int *error) {
  (void)context, (void)device, (void)properties;
  if (error) *error = CL_SUCCESS;
  return OBJECT(cl_command_queue);
}
cl_int clReleaseCommandQueue(cl_command_queue queue) { return free(queue), CL_SUCCESS; }
cl_int clFlush(cl_command_queue queue) { return queue ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE; }
cl_int clFinish(cl_command_queue queue) { return clFlush(queue); }

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *error) {
  size_t *mem = (size_t *)malloc(sizeof *mem);
  (void)context, (void)flags, (void)host;
  *mem = size;
  if (error) *error = CL_SUCCESS;
  return (cl_mem)(void *)mem;
}
cl_int clReleaseMemObject(cl_mem mem) { return free(mem), CL_SUCCESS; }
cl_int clGetMemObjectInfo(cl_mem mem, cl_mem_info what, size_t size, void *value, size_t *need) {
  return what == CL_MEM_SIZE ? answer(mem, sizeof(size_t), size, value, need) : CL_INVALID_VALUE;
}

static cl_int enqueued(cl_event *event) {
  if (event) *event = OBJECT(cl_event);
  return CL_SUCCESS;
}
cl_int clReleaseEvent(cl_event event) { return free(event), CL_SUCCESS; }
cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool waits, size_t at, size_t bytes, void *array,
                           cl_uint count, const cl_event *wait, cl_event *event) {
  (void)queue, (void)mem, (void)waits, (void)at, (void)count, (void)wait;
  memset(array, 0, bytes);
  return enqueued(event);
}
cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool waits, size_t at, size_t bytes, const void *array,
                            cl_uint count, const cl_event *wait, cl_event *event) {
  (void)queue, (void)mem, (void)waits, (void)at, (void)bytes, (void)array, (void)count, (void)wait;
  return enqueued(event);
}
cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem mem, cl_bool waits, const size_t *from, const size_t *to,
                               const size_t *region, size_t row, size_t slice, size_t pitch, size_t plane, void *array,
                               cl_uint count, const cl_event *wait, cl_event *event) {
  (void)queue, (void)mem, (void)waits, (void)from, (void)to, (void)region, (void)row, (void)slice, (void)pitch, (void)plane;
  (void)array, (void)count, (void)wait;
  return enqueued(event);
}
cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem mem, cl_bool waits, const size_t *from, const size_t *to,
                                const size_t *region, size_t row, size_t slice, size_t pitch, size_t plane, const void *array,
                                cl_uint count, const cl_event *wait, cl_event *event) {
  (void)queue, (void)mem, (void)waits, (void)from, (void)to, (void)region, (void)row, (void)slice, (void)pitch, (void)plane;
  (void)array, (void)count, (void)wait;
  return enqueued(event);
}
cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t at, size_t there, size_t bytes, cl_uint count,
                           const cl_event *wait, cl_event *event) {
  (void)queue, (void)from, (void)to, (void)at, (void)there, (void)bytes, (void)count, (void)wait;
  return enqueued(event);
}
cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *wait, cl_event *event) {
  (void)queue, (void)count, (void)wait;
  return enqueued(event);
}

/* ---- programs ---- */

typedef struct {
  char file[256], name[64], options[1024];
  size_t local[64];
} text;

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **lines, const size_t *lengths,
                                     cl_int *error) {
  text *program = (text *)calloc(1, sizeof *program);
  (void)context, (void)lengths;
  if (!count || sscanf(lines[0], "#line 1 \"%255[^\"]\"", program->file) != 1) strcpy(program->file, "?");
  if (error) *error = CL_SUCCESS;
  return (cl_program)(void *)program;
}
cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                      void(CL_CALLBACK *notify)(cl_program, void *), void *data) {
  (void)count, (void)devices, (void)notify, (void)data;
  snprintf(((text *)(void *)program)->options, sizeof((text *)0)->options, "%s", options ? options : "");
  return CL_SUCCESS;
}
cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what, size_t size, void *value,
                             size_t *need) {
  (void)program, (void)device, (void)what;
  return answer("", 1, size, value, need);
}
cl_int clReleaseProgram(cl_program program) { return free(program), CL_SUCCESS; }
cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *error) {
  text *kernel = (text *)malloc(sizeof *kernel);
  *kernel = *(const text *)(const void *)program;
  snprintf(kernel->name, sizeof kernel->name, "%s", name);
  if (error) *error = CL_SUCCESS;
  return (cl_kernel)(void *)kernel;
}
cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size, void *value,
                                size_t *need) {
  (void)kernel, (void)device;
  ANSWER(size_t, what == CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE ? 64 : limit("CONVK_OPENCL_ITEMS", 1024));
}
cl_int clReleaseKernel(cl_kernel kernel) { return free(kernel), CL_SUCCESS; }
cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  if (index < 64) ((text *)(void *)kernel)->local[index] = value ? 0 : size;
  return CL_SUCCESS;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                              const size_t *global, const size_t *local, cl_uint count, const cl_event *wait, cl_event *event) {
  const char *path = getenv("CONVK_OPENCL_KERNELS");
  const text *t = (const text *)(const void *)kernel;
  FILE *file = path ? fopen(path, "a") : NULL;
  size_t bytes = 0, i;
  (void)queue, (void)dimensions, (void)offset, (void)global, (void)count, (void)wait;
  for (i = 0; i < 64; i++) bytes += t->local[i];
  if (file) {
    fprintf(file, "%s %s %d %d %s\n", t->file, t->name, (int)(local[0] * local[1]), (int)bytes, t->options);
    fclose(file);
  }
  return enqueued(event);
}
