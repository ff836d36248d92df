/* SPDX-License-Identifier: MIT
   An OpenCL library that runs nothing: a program linked with it shows what the host sides want.  To the file that
   CONVK_OPENCL_KERNELS names it appends a line `FILE KERNEL ITEMS LOCAL OPTIONS` for every launch, LOCAL being the bytes of local
   memory in arguments.  It refuses launches beyond the limits of its devices, and copies beyond buffers.  In the environment:
     CONVK_OPENCL_UNITS, CONVK_OPENCL_ITEMS, CONVK_OPENCL_LOCAL   compute units, most items of a group, bytes of local memory
     CONVK_OPENCL_KERNEL_ITEMS   most items of a group of a kernel, where they are fewer
     CONVK_OPENCL_DEVICES   by platform, `gpu,gpu+fp64;cpu+fp64` by default `gpu+fp64`; +off: not available, +text: no compiler
     CONVK_OPENCL_DRIVER    the version of its driver
     CONVK_OPENCL_REFUSE    `create` or `build`: what it does not do with binaries
   opencl_device.h says what a test can ask it. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl_device.h"

opencl_counts opencl_seen;

/* Events and queues are memory that nothing looks at. */
static void *object(size_t bytes) {
  opencl_seen.live++;
  return calloc(1, bytes);
}
static cl_int gone(void *it) {
  opencl_seen.live--;
  free(it);
  return CL_SUCCESS;
}
#define OBJECT(type) ((type)object(64))

static size_t limit(const char *name, size_t otherwise) {
  const char *text = getenv(name);
  return text ? (size_t)strtoul(text, NULL, 10) : otherwise;
}

/* Most items of a group of any kernel. */
static size_t kernel_items(void) { return limit("CONVK_OPENCL_KERNEL_ITEMS", limit("CONVK_OPENCL_ITEMS", 1024)); }

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

enum { DEVICES = 8, GROUPS_Y = 65535 };
typedef struct {
  cl_uint platform;
  char name[32]; /* as CONVK_OPENCL_DEVICES has it */
} one_device;
static one_device devices[DEVICES];
static char platforms[DEVICES];

/* All devices, read anew each time; and how many platforms there are. */
static cl_uint read_devices(cl_uint *platform_count) {
  const char *text = getenv("CONVK_OPENCL_DEVICES");
  cl_uint count = 0, platform = 0;
  size_t used = 0;
  memset(devices, 0, sizeof devices);
  for (text = text ? text : "gpu+fp64";; text++) {
    if (*text && *text != ',' && *text != ';') {
      if (used + 1 < sizeof devices->name) devices[count].name[used++] = *text;
      continue;
    }
    if (used) devices[count++].platform = platform;
    used = 0;
    platform += *text == ';';
    if (!*text || count == DEVICES) break;
  }
  *platform_count = platform + 1;
  return count;
}
static int has(cl_device_id device, const char *word) { return strstr(((one_device *)(void *)device)->name, word) != NULL; }

cl_int clGetPlatformIDs(cl_uint count, cl_platform_id *list, cl_uint *there) {
  cl_uint all, i;
  (void)read_devices(&all);
  if (there) *there = all;
  for (i = 0; list && i < count && i < all; i++) list[i] = (cl_platform_id)(void *)&platforms[i];
  return CL_SUCCESS;
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t room, void *value, size_t *bytes) {
  (void)platform;
  if (what != CL_PLATFORM_NAME) return CL_INVALID_VALUE;
  return answer("stand-in", sizeof "stand-in", room, value, bytes);
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint count, cl_device_id *list, cl_uint *there) {
  cl_uint all, i, found = 0;
  const cl_uint device_count = read_devices(&all);
  (void)type;
  for (i = 0; i < device_count; i++) {
    if (devices[i].platform != (cl_uint)((char *)(void *)platform - platforms)) continue;
    if (list && found < count) list[found] = (cl_device_id)(void *)&devices[i];
    found++;
  }
  if (there) *there = found;
  return found ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *need) {
  const size_t items = limit("CONVK_OPENCL_ITEMS", 1024);
  const char *name = ((one_device *)(void *)device)->name, *driver = getenv("CONVK_OPENCL_DRIVER");
  if (!driver) driver = "1.0";
  switch (what) {
    case CL_DEVICE_TYPE:
      ANSWER(cl_device_type, has(device, "gpu")   ? CL_DEVICE_TYPE_GPU
                             : has(device, "cpu") ? CL_DEVICE_TYPE_CPU
                                                  : CL_DEVICE_TYPE_ACCELERATOR);
    case CL_DEVICE_NAME: return answer(name, strlen(name) + 1, size, value, need);
    case CL_DEVICE_VENDOR: return answer("nobody", 7, size, value, need);
    case CL_DEVICE_VERSION: return answer("OpenCL 1.2", 11, size, value, need);
    case CL_DRIVER_VERSION: return answer(driver, strlen(driver) + 1, size, value, need);
    case CL_DEVICE_AVAILABLE: ANSWER(cl_bool, !has(device, "+off"));
    case CL_DEVICE_COMPILER_AVAILABLE: ANSWER(cl_bool, !has(device, "+text"));
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS: ANSWER(cl_uint, 3);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: ANSWER(size_t, items, items, items);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: ANSWER(size_t, items);
    case CL_DEVICE_LOCAL_MEM_SIZE: ANSWER(cl_ulong, limit("CONVK_OPENCL_LOCAL", 65536));
    case CL_DEVICE_MAX_COMPUTE_UNITS: ANSWER(cl_uint, (cl_uint)limit("CONVK_OPENCL_UNITS", 104));
    case CL_DEVICE_DOUBLE_FP_CONFIG: ANSWER(cl_device_fp_config, has(device, "+fp64") ? CL_FP_FMA : 0);
    case CL_DEVICE_SINGLE_FP_CONFIG: ANSWER(cl_device_fp_config, CL_FP_FMA | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT);
    case 0x4043: ANSWER(cl_uint, 64); /* the wavefront of AMD */
    default: ANSWER(cl_uint, 1);      /* vectors of one */
  }
}

/* ---- contexts and queues ---- */

typedef struct {
  int shares;
  cl_uint count;
  cl_device_id devices[DEVICES];
} one_context;

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *list,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data, cl_int *error) {
  one_context *context = (one_context *)object(sizeof *context);
  (void)properties, (void)notify, (void)data;
  context->shares = 1;
  context->count = count;
  memcpy(context->devices, list, count * sizeof *list);
  if (error) *error = CL_SUCCESS;
  return (cl_context)(void *)context;
}
cl_int clGetContextInfo(cl_context context, cl_context_info what, size_t size, void *value, size_t *need) {
  const one_context *c = (const one_context *)(void *)context;
  return what == CL_CONTEXT_DEVICES ? answer(c->devices, c->count * sizeof *c->devices, size, value, need) : CL_INVALID_VALUE;
}
cl_int clRetainContext(cl_context context) {
  ((one_context *)(void *)context)->shares++;
  return CL_SUCCESS;
}
cl_int clReleaseContext(cl_context context) { return --((one_context *)(void *)context)->shares ? CL_SUCCESS : gone(context); }

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                                      cl_int *error) {
  (void)context, (void)device, (void)properties;
  if (error) *error = CL_SUCCESS;
  return OBJECT(cl_command_queue);
}
cl_int clReleaseCommandQueue(cl_command_queue queue) { return gone(queue); }
cl_int clFlush(cl_command_queue queue) { return queue ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE; }
cl_int clFinish(cl_command_queue queue) { return clFlush(queue); }

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *error) {
  size_t *mem = (size_t *)object(sizeof *mem);
  (void)context, (void)flags, (void)host;
  *mem = size;
  if (error) *error = CL_SUCCESS;
  return (cl_mem)(void *)mem;
}
cl_int clReleaseMemObject(cl_mem mem) { return gone(mem); }
cl_int clGetMemObjectInfo(cl_mem mem, cl_mem_info what, size_t size, void *value, size_t *need) {
  return what == CL_MEM_SIZE ? answer(mem, sizeof(size_t), size, value, need) : CL_INVALID_VALUE;
}

static cl_int enqueued(cl_event *event) {
  if (event) *event = OBJECT(cl_event);
  return CL_SUCCESS;
}
static int beyond(cl_mem mem, size_t at, size_t bytes) {
  const size_t size = mem ? *(const size_t *)(void *)mem : 0;
  return at > size || bytes > size - at;
}
/* A box in a buffer. */
static int box_beyond(cl_mem mem, const size_t *from, const size_t *region, size_t row, size_t slice) {
  return beyond(mem, from[2] * slice + from[1] * row + from[0], (region[2] - 1) * slice + (region[1] - 1) * row + region[0]);
}
cl_int clReleaseEvent(cl_event event) { return gone(event); }
cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool waits, size_t at, size_t bytes, void *array,
                           cl_uint count, const cl_event *wait, cl_event *event) {
  (void)queue, (void)waits, (void)count, (void)wait;
  if (beyond(mem, at, bytes)) return CL_INVALID_VALUE;
  memset(array, 0, bytes);
  return enqueued(event);
}
cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool waits, size_t at, size_t bytes, const void *array,
                            cl_uint count, const cl_event *wait, cl_event *event) {
  (void)queue, (void)waits, (void)array, (void)count, (void)wait;
  return beyond(mem, at, bytes) ? CL_INVALID_VALUE : enqueued(event);
}
cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem mem, cl_bool waits, const size_t *from, const size_t *to,
                               const size_t *region, size_t row, size_t slice, size_t pitch, size_t plane, void *array,
                               cl_uint count, const cl_event *wait, cl_event *event) {
  (void)queue, (void)waits, (void)to, (void)pitch, (void)plane, (void)array, (void)count, (void)wait;
  return box_beyond(mem, from, region, row, slice) ? CL_INVALID_VALUE : enqueued(event);
}
cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem mem, cl_bool waits, const size_t *from, const size_t *to,
                                const size_t *region, size_t row, size_t slice, size_t pitch, size_t plane, const void *array,
                                cl_uint count, const cl_event *wait, cl_event *event) {
  (void)queue, (void)waits, (void)to, (void)pitch, (void)plane, (void)array, (void)count, (void)wait;
  return box_beyond(mem, from, region, row, slice) ? CL_INVALID_VALUE : enqueued(event);
}
cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t at, size_t there, size_t bytes, cl_uint count,
                           const cl_event *wait, cl_event *event) {
  (void)queue, (void)count, (void)wait;
  return beyond(from, at, bytes) || beyond(to, there, bytes) ? CL_INVALID_VALUE : enqueued(event);
}
cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *wait, cl_event *event) {
  (void)queue, (void)count, (void)wait;
  return enqueued(event);
}
cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *wait, cl_event *event) {
  (void)queue, (void)count, (void)wait;
  return event ? enqueued(event) : CL_SUCCESS;
}
/* Of clocks, which nothing here asks for. */
cl_int clRetainEvent(cl_event event) { return event ? CL_SUCCESS : CL_INVALID_EVENT; }
cl_int clWaitForEvents(cl_uint count, const cl_event *events) { return count && events ? CL_SUCCESS : CL_INVALID_VALUE; }
cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size, void *value, size_t *bytes) {
  (void)event, (void)what, (void)bytes;
  memset(value, 0, size);
  return CL_SUCCESS;
}

/* ---- programs ---- */

/* A program, or a kernel, and the memory that its arguments ask for. */
typedef struct {
  int shares, built, binary;
  one_context context;
  char file[256], name[64], options[1024];
  size_t local[64];
} text;
static const char magic[8] = "BINARY 1"; /* what a binary begins with; behind it the file and the options */

static text *new_program(cl_context context) {
  text *program = (text *)object(sizeof *program);
  program->shares = 1;
  program->context = *(const one_context *)(void *)context;
  return program;
}
cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **lines, const size_t *lengths,
                                     cl_int *error) {
  text *program = new_program(context);
  (void)lengths;
  if (!count || sscanf(lines[0], "#line 1 \"%255[^\"]\"", program->file) != 1) strcpy(program->file, "?");
  if (error) *error = CL_SUCCESS;
  return (cl_program)(void *)program;
}
cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *list, const size_t *lengths,
                                     const unsigned char **binaries, cl_int *each, cl_int *error) {
  const char *refuse = getenv("CONVK_OPENCL_REFUSE");
  text *program;
  (void)list;
  *error = CL_INVALID_BINARY;
  if (each) *each = CL_INVALID_BINARY;
  if (count != 1 || lengths[0] != sizeof magic + sizeof program->file + sizeof program->options) return NULL;
  if (memcmp(binaries[0], magic, sizeof magic) || (refuse && !strcmp(refuse, "create"))) return NULL;
  program = new_program(context);
  program->binary = 1;
  memcpy(program->file, binaries[0] + sizeof magic, sizeof program->file);
  memcpy(program->options, binaries[0] + sizeof magic + sizeof program->file, sizeof program->options);
  *error = CL_SUCCESS;
  if (each) *each = CL_SUCCESS;
  return (cl_program)(void *)program;
}
cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *list, const char *options,
                      void(CL_CALLBACK *notify)(cl_program, void *), void *data) {
  const char *refuse = getenv("CONVK_OPENCL_REFUSE");
  text *t = (text *)(void *)program;
  (void)count, (void)list, (void)notify, (void)data;
  if (t->binary && refuse && !strcmp(refuse, "build")) return CL_BUILD_PROGRAM_FAILURE;
  if (t->binary && strcmp(t->options, options)) return CL_BUILD_PROGRAM_FAILURE;
  if (t->binary) opencl_seen.loaded++;
  else opencl_seen.built++;
  t->built = 1;
  snprintf(t->options, sizeof t->options, "%s", options ? options : "");
  return CL_SUCCESS;
}
cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what, size_t size, void *value,
                             size_t *need) {
  (void)program, (void)device, (void)what;
  return answer("", 1, size, value, need);
}
/* Only the last device of a context has its programs. */
cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t size, void *value, size_t *need) {
  const text *t = (const text *)(void *)program;
  const cl_uint count = t->context.count;
  size_t sizes[DEVICES] = {0};
  unsigned char *to;
  switch (what) {
    case CL_PROGRAM_NUM_DEVICES: ANSWER(cl_uint, count);
    case CL_PROGRAM_DEVICES: return answer(t->context.devices, count * sizeof(cl_device_id), size, value, need);
    case CL_PROGRAM_BINARY_SIZES:
      if (t->built) sizes[count - 1] = sizeof magic + sizeof t->file + sizeof t->options;
      return answer(sizes, count * sizeof *sizes, size, value, need);
    case CL_PROGRAM_BINARIES:
      if (need) *need = count * sizeof to;
      if (!value) return CL_SUCCESS;
      if (size < count * sizeof to || !t->built) return CL_INVALID_VALUE;
      to = ((unsigned char **)value)[count - 1];
      if (!to) return CL_SUCCESS;
      memcpy(to, magic, sizeof magic);
      memcpy(to + sizeof magic, t->file, sizeof t->file);
      memcpy(to + sizeof magic + sizeof t->file, t->options, sizeof t->options);
      return CL_SUCCESS;
    default: return CL_INVALID_VALUE;
  }
}
cl_int clRetainProgram(cl_program program) {
  ((text *)(void *)program)->shares++;
  return CL_SUCCESS;
}
cl_int clReleaseProgram(cl_program program) { return --((text *)(void *)program)->shares ? CL_SUCCESS : gone(program); }
cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *error) {
  text *kernel = (text *)object(sizeof *kernel);
  *kernel = *(const text *)(const void *)program;
  snprintf(kernel->name, sizeof kernel->name, "%s", name);
  if (error) *error = kernel->built ? CL_SUCCESS : CL_INVALID_PROGRAM_EXECUTABLE;
  return (cl_kernel)(void *)kernel;
}
cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size, void *value,
                                size_t *need) {
  (void)kernel, (void)device;
  ANSWER(size_t, what == CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE ? 64 : kernel_items());
}
cl_int clReleaseKernel(cl_kernel kernel) { return gone(kernel); }
cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  if (index < 64) ((text *)(void *)kernel)->local[index] = value ? 0 : size;
  if (!index && value && size <= sizeof opencl_seen.argument) memcpy(opencl_seen.argument, value, size);
  return size ? CL_SUCCESS : CL_INVALID_ARG_SIZE;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                              const size_t *global, const size_t *local, cl_uint count, const cl_event *wait, cl_event *event) {
  const char *path = getenv("CONVK_OPENCL_KERNELS");
  const text *t = (const text *)(const void *)kernel;
  const size_t groups = global[1] / local[1];
  FILE *file = path ? fopen(path, "a") : NULL;
  size_t bytes = 0, i;
  (void)queue, (void)dimensions, (void)offset, (void)count, (void)wait;
  for (i = 0; i < 64; i++) bytes += t->local[i];
  if (file) {
    fprintf(file, "%s %s %d %d %s\n", t->file, t->name, (int)(local[0] * local[1]), (int)bytes, t->options);
    fclose(file);
  }
  opencl_seen.launches++;
  if (groups > opencl_seen.groups_y) opencl_seen.groups_y = groups;
  if (bytes > opencl_seen.local_bytes) opencl_seen.local_bytes = bytes;
  if (local[0] * local[1] > kernel_items()) return CL_INVALID_WORK_GROUP_SIZE;
  if (bytes > limit("CONVK_OPENCL_LOCAL", 65536)) return CL_OUT_OF_RESOURCES;
  if (groups > GROUPS_Y) return CL_INVALID_GLOBAL_WORK_SIZE;
  return enqueued(event);
}
