/* Arrays that stay on the device of a rank, with CUDA or OpenCL, and their halos on the way to other ranks: a kernel packs the box
 * that a neighbour wants, one contiguous copy takes it to pinned memory of the host, MPI sends it, and one copy and a kernel
 * unpack it there. Where MPI takes device memory, the copies fall away. A second queue brings what comes next, beside the work.
 * Before this text comes ranks.h; halos are of stencils and filters. With hardware of processors there is none of this: device_open
 * says 0. */
#ifndef DEVICE_H
#define DEVICE_H

#if defined OPEN_MPI && !defined SMPI_H
#include <mpi-ext.h> /* MPIX_Query_cuda_support */
#endif

enum { DEVICE_NONE, DEVICE_CUDA, DEVICE_OPENCL };

#define DEVICE_OPTION(to) \
  {"--direct", &(to), NULL, "yes|no", "with --hw cuda: whether MPI takes arrays of the device; as it says itself"},

/* The array from element `at` on. */
typedef struct device_array {
  void *memory; /* a pointer of CUDA, or a cl_mem */
  size_t at;
} device_array;

/* Memory for a packed box: on the device, and on the host; that is NULL where MPI takes device memory. */
typedef struct device_message {
  device_array there;
  void *host, *pinned; /* OpenCL's buffer of the pinned memory */
  size_t bytes;
} device_message;

typedef struct device {
  int kind, direct; /* direct: MPI takes device memory */
  double moved;     /* bytes copied to the device, and from it, since the program last set this to 0 */
#ifdef CONVK_CUDA
  convk_cuda_stream cuda;
  cudaStream_t copies; /* beside it */
#endif
#ifdef CONVK_CL
  convk_cl_queue cl;
  cl_command_queue copies_cl;
#endif
} device;

/* The work, and copies beside it. */
enum { DEVICE_WORK, DEVICE_COPIES };

/* An event: it is over when all work that was in a queue is done.  At first there is none. */
typedef struct device_event {
  void *event;
} device_event;

static inline device_array device_from(device_array a, size_t elements) {
  a.at += elements;
  return a;
}
#ifdef CONVK_CUDA
#define DEVICE_POINTER(T, a) ((T *)(a).memory + (a).at)
static inline void device_cuda(cudaError_t error, const char *what) {
  require(error == cudaSuccess, what, cudaGetErrorString(error));
}
#endif
#ifdef CONVK_CL
static inline convk_cl_array device_buffer(device_array a) {
  convk_cl_array array;
  array.mem = (cl_mem)a.memory;
  array.offset = a.at;
  return array;
}
static inline void device_cl(cl_int error, const char *what) {
  if (error) {
    fail(1, what, "OpenCL's error %d", (int)error);
  }
}
#endif

/* The event of a call of the library. */
static inline void device_ok(const device *d, int status, const char *what) {
  const char *message = "";
  (void)d;
#ifdef CONVK_CUDA
  message = d->kind == DEVICE_CUDA ? d->cuda.message : message;
#endif
#ifdef CONVK_CL
  message = d->kind == DEVICE_OPENCL ? d->cl.cl->message : message;
#endif
  if (status) {
    fail(1, what, "%s%s%s", convk_strerror(status), *message ? ": " : "", message);
  }
}

/* Whether this MPI says that it takes device memory. */
static inline int device_mpi_takes(void) {
#if defined SMPI_H
  return 0;
#elif defined MPIX_CUDA_AWARE_SUPPORT || (defined MPICH_NUMVERSION && MPICH_NUMVERSION >= 40000000)
  return MPIX_Query_cuda_support() == 1;
#else
  return 0;
#endif
}

/* Makes a queue on the device of an open handle; returns 0 where the handle has no device. direct, whether MPI takes device memory:
 * "yes", "no", or NULL for what MPI says. */
static inline int device_open(device *d, convk *hw, const char *direct) {
  memset(d, 0, sizeof *d);
  (void)hw;
#ifdef CONVK_CUDA
  if (strcmp(hw->name, "cuda") == 0) {
    d->kind = DEVICE_CUDA;
    if (job.device >= 0) {
      device_cuda(cudaSetDevice(job.device), "cudaSetDevice");
    }
    device_cuda(cudaStreamCreateWithFlags(&d->cuda.stream, cudaStreamNonBlocking), "cudaStreamCreate");
    device_cuda(cudaStreamCreateWithFlags(&d->copies, cudaStreamNonBlocking), "cudaStreamCreate");
  }
#endif
#ifdef CONVK_CL
  if (strcmp(hw->name, "opencl") == 0) {
    cl_int error;
    d->kind = DEVICE_OPENCL;
    d->cl.cl = convk_cl_of(hw);
    d->cl.queue = clCreateCommandQueue(d->cl.cl->context, d->cl.cl->device, 0, &error);
    device_cl(error, "clCreateCommandQueue");
    d->copies_cl = clCreateCommandQueue(d->cl.cl->context, d->cl.cl->device, 0, &error);
    device_cl(error, "clCreateCommandQueue");
  }
#endif
  job.alike = 1; /* all have the same options */
  if (direct) {
    d->direct = !word(direct, "--direct", "yes", "no");
    require_option(d->kind == DEVICE_CUDA || !d->direct, "--direct",
                   "goes with --hw cuda: MPI takes no arrays of other hardware");
  } else {
    d->direct = d->kind == DEVICE_CUDA && device_mpi_takes();
  }
  job.alike = 0;
  return d->kind;
}

static inline void device_wait(const device *d) {
  (void)d;
#ifdef CONVK_CUDA
  if (d->kind == DEVICE_CUDA) {
    device_cuda(cudaStreamSynchronize(d->cuda.stream), "cudaStreamSynchronize");
  }
#endif
#ifdef CONVK_CL
  if (d->kind == DEVICE_OPENCL) {
    device_cl(clFinish(d->cl.queue), "clFinish");
  }
#endif
}

/* ---- one queue beside another ---- */

/* An event for all work that is in the queue now. */
static inline void device_mark(const device *d, int queue, device_event *e) {
  (void)d, (void)queue, (void)e;
#ifdef CONVK_CUDA
  if (d->kind == DEVICE_CUDA) {
    if (!e->event) {
      cudaEvent_t event;
      device_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate");
      e->event = event;
    }
    device_cuda(cudaEventRecord((cudaEvent_t)e->event, queue == DEVICE_WORK ? d->cuda.stream : d->copies), "cudaEventRecord");
  }
#endif
#ifdef CONVK_CL
  if (d->kind == DEVICE_OPENCL) {
    const cl_command_queue q = queue == DEVICE_WORK ? d->cl.queue : d->copies_cl;
    cl_event event;
    if (e->event) {
      clReleaseEvent((cl_event)e->event);
    }
    device_cl(clEnqueueMarkerWithWaitList(q, 0, NULL, &event), "clEnqueueMarkerWithWaitList");
    device_cl(clFlush(q), "clFlush"); /* else another queue may wait for what has never begun */
    e->event = event;
  }
#endif
}

/* Makes later work of the queue wait for the event. */
static inline void device_follow(const device *d, int queue, const device_event *e) {
  (void)d, (void)queue, (void)e;
#ifdef CONVK_CUDA
  if (d->kind == DEVICE_CUDA && e->event) {
    device_cuda(cudaStreamWaitEvent(queue == DEVICE_WORK ? d->cuda.stream : d->copies, (cudaEvent_t)e->event, 0),
                "cudaStreamWaitEvent");
  }
#endif
#ifdef CONVK_CL
  if (d->kind == DEVICE_OPENCL && e->event) {
    const cl_event event = (cl_event)e->event;
    device_cl(clEnqueueBarrierWithWaitList(queue == DEVICE_WORK ? d->cl.queue : d->copies_cl, 1, &event, NULL),
              "clEnqueueBarrierWithWaitList");
  }
#endif
}

/* Makes the host wait for the event. */
static inline void device_await(const device *d, const device_event *e) {
  (void)d, (void)e;
#ifdef CONVK_CUDA
  if (d->kind == DEVICE_CUDA && e->event) {
    device_cuda(cudaEventSynchronize((cudaEvent_t)e->event), "cudaEventSynchronize");
  }
#endif
#ifdef CONVK_CL
  if (d->kind == DEVICE_OPENCL && e->event) {
    const cl_event event = (cl_event)e->event;
    device_cl(clWaitForEvents(1, &event), "clWaitForEvents");
  }
#endif
}

static inline void device_event_free(const device *d, device_event *e) {
  (void)d;
#ifdef CONVK_CUDA
  if (d->kind == DEVICE_CUDA && e->event) {
    cudaEventDestroy((cudaEvent_t)e->event);
  }
#endif
#ifdef CONVK_CL
  if (d->kind == DEVICE_OPENCL && e->event) {
    clReleaseEvent((cl_event)e->event);
  }
#endif
  e->event = NULL;
}

/* ---- memory ---- */

static inline device_array device_memory(const device *d, size_t bytes) {
  device_array a = {NULL, 0};
  bytes = bytes ? bytes : 1;
  (void)d;
#ifdef CONVK_CUDA
  if (d->kind == DEVICE_CUDA) {
    device_cuda(cudaMalloc(&a.memory, bytes), "arrays on the device");
  }
#endif
#ifdef CONVK_CL
  if (d->kind == DEVICE_OPENCL) {
    cl_int error;
    a.memory = clCreateBuffer(d->cl.cl->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    device_cl(error, "arrays on the device");
  }
#endif
  return a;
}

static inline void device_free(const device *d, device_array a) {
  (void)d, (void)a;
#ifdef CONVK_CUDA
  if (d->kind == DEVICE_CUDA) {
    cudaFree(a.memory);
  }
#endif
#ifdef CONVK_CL
  if (d->kind == DEVICE_OPENCL && a.memory) {
    clReleaseMemObject((cl_mem)a.memory);
  }
#endif
}

/* Room for a packed box. */
static inline device_message device_room(const device *d, size_t bytes) {
  device_message m;
  memset(&m, 0, sizeof m);
  m.bytes = bytes;
  if (bytes) {
    m.there = device_memory(d, bytes);
  }
  if (!bytes || d->direct) {
    return m;
  }
#ifdef CONVK_CUDA
  if (d->kind == DEVICE_CUDA) {
    device_cuda(cudaMallocHost(&m.host, bytes), "pinned memory");
  }
#endif
#ifdef CONVK_CL
  if (d->kind == DEVICE_OPENCL) { /* what OpenCL allocates for the host is pinned */
    cl_int error;
    m.pinned = clCreateBuffer(d->cl.cl->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &error);
    device_cl(error, "pinned memory");
    m.host =
        clEnqueueMapBuffer(d->cl.queue, (cl_mem)m.pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &error);
    device_cl(error, "pinned memory");
  }
#endif
  return m;
}

static inline void device_room_free(const device *d, device_message *m) {
  if (m->bytes) {
    device_free(d, m->there);
  }
#ifdef CONVK_CUDA
  if (d->kind == DEVICE_CUDA && m->host) {
    cudaFreeHost(m->host);
  }
#endif
#ifdef CONVK_CL
  if (d->kind == DEVICE_OPENCL && m->pinned) {
    clEnqueueUnmapMemObject(d->cl.queue, (cl_mem)m->pinned, m->host, 0, NULL, NULL);
    clFinish(d->cl.queue);
    clReleaseMemObject((cl_mem)m->pinned);
  }
#endif
  memset(m, 0, sizeof *m);
}

/* Queues a copy of bytes to an array on the device, or from it, after the work of that queue, and does not wait for it. */
static inline void device_copy_by(device *d, int queue, int to_device, device_array a, void *host, size_t bytes) {
  (void)queue, (void)to_device, (void)a, (void)host;
#ifdef CONVK_CUDA
  if (d->kind == DEVICE_CUDA) {
    const cudaStream_t s = queue == DEVICE_WORK ? d->cuda.stream : d->copies;
    device_cuda(to_device ? cudaMemcpyAsync(a.memory, host, bytes, cudaMemcpyHostToDevice, s)
                          : cudaMemcpyAsync(host, a.memory, bytes, cudaMemcpyDeviceToHost, s),
                "a copy");
  }
#endif
#ifdef CONVK_CL
  if (d->kind == DEVICE_OPENCL) {
    const cl_command_queue q = queue == DEVICE_WORK ? d->cl.queue : d->copies_cl;
    device_cl(to_device ? clEnqueueWriteBuffer(q, (cl_mem)a.memory, CL_FALSE, 0, bytes, host, 0, NULL, NULL)
                        : clEnqueueReadBuffer(q, (cl_mem)a.memory, CL_FALSE, 0, bytes, host, 0, NULL, NULL),
              "a copy");
  }
#endif
  d->moved += (double)bytes;
}
static inline void device_copy(device *d, int to_device, device_array a, void *host, size_t bytes) {
  device_copy_by(d, DEVICE_WORK, to_device, a, host, bytes);
}

static inline void device_close(device *d) {
  (void)d;
#ifdef CONVK_CUDA
  if (d->kind == DEVICE_CUDA) {
    cudaStreamDestroy(d->cuda.stream);
    cudaStreamDestroy(d->copies);
  }
#endif
#ifdef CONVK_CL
  if (d->kind == DEVICE_OPENCL) {
    clReleaseCommandQueue(d->cl.queue);
    clReleaseCommandQueue(d->copies_cl);
  }
#endif
  d->kind = DEVICE_NONE;
}

#ifdef CONVK_WITH_STENCIL
/* ---- halos ---- */

/* Calls of a type that the program has not asked for are not declared. */
#if defined CONVK_F64 && !defined CONVK_F32
#define DEVICE_TYPED(single, f32, f64) (f64)
#else
#define DEVICE_TYPED(single, f32, f64) ((single) ? (f32) : (f64))
#endif

/* A box of one array to one of another, as convk_cuda_box_copy_f64 has it; of f32 where `single`. */
static inline void device_box(device *d, int single, const size_t count[3], const convk_grid3 *in_grid, const size_t *in_first,
                              device_array in, const convk_grid3 *out_grid, const size_t *out_first, device_array out) {
  int status = CONVK_ERR_HANDLE;
  (void)single, (void)count, (void)in_grid, (void)in_first, (void)in, (void)out_grid, (void)out_first, (void)out;
#ifdef CONVK_CUDA
  if (d->kind == DEVICE_CUDA) {
    status = DEVICE_TYPED(single,
                          convk_cuda_box_copy_f32(&d->cuda, count, in_grid, in_first, DEVICE_POINTER(const float, in), out_grid,
                                                  out_first, DEVICE_POINTER(float, out)),
                          convk_cuda_box_copy_f64(&d->cuda, count, in_grid, in_first, DEVICE_POINTER(const double, in),
                                                  out_grid, out_first, DEVICE_POINTER(double, out)));
  }
#endif
#ifdef CONVK_CL
  if (d->kind == DEVICE_OPENCL) {
    status = DEVICE_TYPED(
        single,
        convk_cl_box_copy_f32(&d->cl, count, in_grid, in_first, device_buffer(in), out_grid, out_first, device_buffer(out)),
        convk_cl_box_copy_f64(&d->cl, count, in_grid, in_first, device_buffer(in), out_grid, out_first, device_buffer(out)));
  }
#endif
  device_ok(d, status, "box_copy");
}

/* What MPI sends or receives. */
static inline void *device_sent(const device_message *m) { return m->host ? m->host : m->there.memory; }

/* A box, packed, on its way to where MPI takes it; it is there after device_wait. */
static inline void device_pack(device *d, int single, const size_t count[3], const convk_grid3 *grid, const size_t first[3],
                               device_array a, device_message *m) {
  device_box(d, single, count, grid, first, a, NULL, NULL, m->there);
  if (m->host) {
    device_copy(d, 0, m->there, m->host, m->bytes);
  } else {
    d->moved += (double)m->bytes; /* by MPI, and once: it goes from device to device */
  }
}

/* The same for what has come; the message's memory is in use until device_wait. */
static inline void device_unpack(device *d, int single, const size_t count[3], const convk_grid3 *grid, const size_t first[3],
                                 device_array a, device_message *m) {
  if (m->host) {
    device_copy(d, 1, m->there, m->host, m->bytes);
  }
  device_box(d, single, count, NULL, NULL, m->there, grid, first, a);
}

/* What the bus had to do, of the rank that had the most: `updates` of points are all that a rank has made. */
static inline void device_table(const device *d, double updates) {
  double each = updates > 0 ? d->moved / updates : 0, most = 0;
  MPI_Reduce(&each, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (d->kind) {
    say("bus:          %.4f B a point and step%s\n", most,
        d->direct ? ", sent by MPI from device to device" : ", half of it each way, through pinned memory");
  }
}
#endif

#endif
