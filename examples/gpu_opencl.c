/* Chained calls on an OpenCL device, in a context, queues and buffers of this program: arrays stay on the device, each call says
 * by an event what it waits for, and the host waits only at the end. Two such chains, which chains.h describes, are on two queues
 * at the same time.
 *   gpu_opencl [--n POINTS] [--device N] [--repeat N]
 *   cc -O2 -I. examples/gpu_opencl.c -o gpu_opencl -lOpenCL -lm
 * --device counts the devices of all platforms; without it the first GPU is taken, or else the first device. Run it from the root
 * of the repository. */
#define _POSIX_C_SOURCE 200112L

#define CONVK_WITH_GAUSSIAN /* the other families are left out: they take their time to compile */
#define CONVK_WITH_SEPCONV
#define CONVK_WITH_STENCIL
#define CONVK_WITH_FORMFACTOR
#define CONVK_WITH_FFT
#define CONVK_AVX /* the processor, to compare with */
#define CONVK_CL
#include "convk.h"

#define PROGRAM "gpu_opencl"
#include "chains.h"

#define USAGE "gpu_opencl [OPTION...]; gpu_opencl --help lists them"

/* What this program shares with the library: the context of a device, and in `cl` the programs that convk builds for it. */
typedef struct host {
  cl_device_id device;
  cl_context context;
  convk_cl cl;
} host;

static void check(cl_int error, const char *what) {
  if (error != CL_SUCCESS) {
    fail(1, what, "OpenCL error %d", (int)error);
  }
}

/* A failed call of convk leaves a message: which call of OpenCL, or what the compiler says. */
static void check_call(const host *h, int status, const char *what) {
  if (status) {
    fail(1, what, "%s; %s", convk_strerror(status), h->cl.message);
  }
}

/* ---- the device ---- */

/* Number `wanted` of this type, over all platforms; NULL: there is none. */
static cl_device_id find_device(cl_device_type type, size_t wanted) {
  cl_platform_id platforms[16];
  cl_device_id devices[64];
  cl_uint count = 0, found, i;
  if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS) {
    return NULL; /* the loader says so where there is no platform */
  }
  for (i = 0; i < count && i < 16; i++) {
    if (clGetDeviceIDs(platforms[i], type, 64, devices, &found) == CL_SUCCESS) {
      if (wanted < found && wanted < 64) {
        return devices[wanted];
      }
      wanted -= found;
    }
  }
  return NULL;
}

static host open_host(const char *number_of_device) {
  char name[256] = "";
  cl_uint units = 0;
  cl_int error;
  host h;
  if (number_of_device) {
    h.device = find_device(CL_DEVICE_TYPE_ALL, (size_t)whole(number_of_device, "--device", 0, 1000));
  } else {
    h.device = find_device(CL_DEVICE_TYPE_GPU, 0);
    h.device = h.device ? h.device : find_device(CL_DEVICE_TYPE_ALL, 0);
  }
  require(h.device != NULL, "--device", "there is no such OpenCL device");
  h.context = clCreateContext(NULL, 1, &h.device, NULL, NULL, &error);
  check(error, "context");
  check_call(&h, convk_cl_open(&h.cl, h.context, h.device), "convk_cl_open");
  check(clGetDeviceInfo(h.device, CL_DEVICE_NAME, sizeof name, name, NULL), "device");
  check(clGetDeviceInfo(h.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL), "device");
  printf("device:       %s, %u compute units\n", name, (unsigned)units);
  return h;
}

/* Where a device can, commands of a queue are in no order but that of their events. */
static cl_command_queue open_queue(const host *h) {
  cl_command_queue_properties can = 0;
  cl_command_queue queue;
  cl_int error;
  check(clGetDeviceInfo(h->device, CL_DEVICE_QUEUE_PROPERTIES, sizeof can, &can, NULL), "device");
  queue = clCreateCommandQueue(h->context, h->device,
                               CL_QUEUE_PROFILING_ENABLE | (can & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), &error);
  check(error, "queue");
  return queue;
}

/* The convk_cl_..._work_size functions say how many bytes of work a call wants: none is NULL. */
static cl_mem buffer(const host *h, size_t bytes, void *from) {
  cl_int error = CL_SUCCESS;
  cl_mem mem = NULL;
  if (bytes) {
    mem = clCreateBuffer(h->context, CL_MEM_READ_WRITE | (from ? CL_MEM_COPY_HOST_PTR : 0), bytes, from, &error);
  }
  check(error, "buffer");
  return mem;
}

/* ---- the two chains: a queue, buffers, and an event before the first call and of every call ---- */

static convk_cl_array array(cl_mem mem) {
  const convk_cl_array whole = {mem, 0};
  return whole;
}

typedef struct density_chain {
  cl_command_queue queue;
  cl_event event[4];
  cl_mem xyz, density, filtered, plan_there, work;
  size_t work_size;
  convk_orbitals_plan_f32 *plan; /* of the orbitals, which is needed on both sides */
} density_chain;

typedef struct particle_chain {
  cl_command_queue queue;
  cl_event event[3];
  size_t work_size;
  cl_mem triangles, q, image, plan, work, fft_work; /* image: amplitudes, which the transform overwrites */
  size_t fft_work_size;
} particle_chain;

static density_chain open_density_chain(const host *h, const chains *c) {
  density_chain d;
  size_t size = 0, there = 0;
  memset(&d, 0, sizeof d);
  d.queue = open_queue(h);
  require_ok(convk_orbitals_plan_size_f32(NULL, &c->set, &size), "plan of the orbitals");
  d.plan = (convk_orbitals_plan_f32 *)memory(size, 1);
  require_ok(convk_orbitals_prepare_f32(NULL, &c->set, d.plan, size), "plan of the orbitals");
  require_ok(convk_orbitals_plan_bytes_f32(NULL, d.plan, &there), "plan of the orbitals");
  d.plan_there = buffer(h, there, d.plan);
  d.xyz = buffer(h, 3 * c->points * sizeof(float), c->xyz);
  d.density = buffer(h, c->points * sizeof(float), NULL);
  d.filtered = buffer(h, c->points * sizeof(float), NULL);
  check_call(h, convk_cl_sepconv3d_work_size_f32(NULL, &c->filtered, c->filter, NULL, &d.work_size), "work of the filter");
  d.work = buffer(h, d.work_size, NULL);
  return d;
}

static particle_chain open_particle_chain(host *h, const chains *c) {
  convk_cl_queue on;
  convk_cl_mesh mesh;
  convk_cl_q axes;
  particle_chain p;
  size_t bytes;
  memset(&p, 0, sizeof p);
  memset(&on, 0, sizeof on);
  p.queue = open_queue(h);
  p.triangles = buffer(h, 6 * c->mesh.n * sizeof(float), c->triangles);
  p.q = buffer(h, (2 * c->side + 1) * sizeof(float), c->q);
  p.image = buffer(h, 2 * c->pixels * sizeof(float), NULL);
  check_call(h, convk_fft2d_plan_bytes_c32(NULL, c->plan, &bytes), "plan of the transform");
  p.plan = buffer(h, bytes, c->plan);
  memset(&mesh, 0, sizeof mesh);
  memset(&axes, 0, sizeof axes); /* nothing is complex */
  on.cl = &h->cl;
  mesh.n = c->mesh.n;
  check_call(h, convk_cl_formfactor_grid_work_size_f32(&on, &mesh, &c->detector, &axes, &p.work_size), "work");
  p.work = buffer(h, p.work_size, NULL);
  check_call(h, convk_cl_fft2d_work_size_c32(&on, c->plan, 1, &p.fft_work_size), "work of the transform");
  p.fft_work = buffer(h, p.fft_work_size, NULL);
  return p;
}

static void forget(cl_event *event, int count) {
  int i;
  for (i = 0; i < count; i++) {
    if (event[i]) {
      check(clReleaseEvent(event[i]), "event");
    }
    event[i] = NULL;
  }
}

static void close_queue(cl_command_queue queue, cl_event *event, int count) {
  forget(event, count);
  check(clReleaseCommandQueue(queue), "queue");
}

static void close_chains_there(density_chain *d, particle_chain *p) {
  const cl_mem buffers[] = {d->xyz, d->density, d->filtered, d->plan_there, d->work,    p->triangles,
                            p->q,   p->image,   p->plan,     p->work,       p->fft_work};
  size_t i;
  free(d->plan);
  close_queue(d->queue, d->event, 4);
  close_queue(p->queue, p->event, 3);
  for (i = 0; i < sizeof buffers / sizeof *buffers; i++) {
    if (buffers[i]) {
      check(clReleaseMemObject(buffers[i]), "buffer");
    }
  }
}

/* Starts the chain, and is back before it is done. Arrays are a buffer and the number of their first element. The density is free
 * for another use once it is filtered: it is the memory of the stencil's second state. */
static void start_density(host *h, const chains *c, density_chain *d) {
  const convk_cl_points points = {c->points, {d->xyz, 0}, {d->xyz, c->points}, {d->xyz, 2 * c->points}, 0};
  cl_event *e = d->event;
  const convk_cl_queue first = {&h->cl, d->queue, 1, &e[0], &e[1]};
  const convk_cl_queue on = {&h->cl, d->queue, 1, &e[1], &e[2]}; /* behind e[1], to e[2] */
  const convk_cl_queue then = {&h->cl, d->queue, 1, &e[2], &e[3]};
  const convk_cl_array none = {NULL, 0};
  convk_cl_array end;
  forget(e, 4);
  check(clEnqueueMarkerWithWaitList(d->queue, 0, NULL, &e[0]), "event"); /* all that is in the queue */
  check_call(h, convk_cl_density_f32(&first, &points, d->plan, array(d->plan_there), NULL, array(d->density)), "density");
  check_call(h,
             convk_cl_sepconv3d_f32(&on, &c->filtered, c->filter, NULL, array(d->density), array(d->filtered), array(d->work),
                                    d->work_size),
             "filter");
  check_call(h, convk_cl_stencil7_f32(&then, &c->torus, &c->step, STEPS, array(d->filtered), array(d->density), &end, none, 0),
             "steps");
  check(clFlush(d->queue), "flush"); /* the device may begin */
}

static convk_cl_array at(cl_mem buffer) {
  const convk_cl_array array = {buffer, 0};
  return array;
}

static void start_particle(host *h, const chains *c, particle_chain *p) {
  const size_t n = c->mesh.n;
  convk_cl_batch2d one;
  convk_cl_mesh mesh;
  convk_cl_q q;
  cl_event *e = p->event;
  size_t i;
  convk_cl_array *const field[6] = {&mesh.ax, &mesh.ay, &mesh.az, &mesh.x, &mesh.y, &mesh.z};
  const convk_cl_queue first = {&h->cl, p->queue, 1, &e[0], &e[1]}, second = {&h->cl, p->queue, 1, &e[1], &e[2]};
  memset(&one, 0, sizeof one);
  one.items = 1;
  memset(&mesh, 0, sizeof mesh);
  memset(&q, 0, sizeof q);
  mesh.n = n;
  for (i = 0; i < 6; i++) { /* as convk_mesh_assign_f32 lays out the arrays of a mesh */
    field[i]->mem = p->triangles;
    field[i]->offset = i * n;
  }
  q.x.mem = q.y.mem = q.z.mem = p->q;
  q.y.offset = c->side;
  q.z.offset = 2 * c->side;
  forget(e, 3);
  check(clEnqueueMarkerWithWaitList(p->queue, 0, NULL, &e[0]), "event");
  check_call(h,
             convk_cl_formfactor_grid_f32(&first, &mesh, &c->measures, &c->detector, &q, NULL, at(p->image), at(p->work),
                                          p->work_size),
             "amplitudes");
  check_call(h,
             convk_cl_fft2d_c32(&second, c->plan, at(p->plan), CONVK_FORWARD, &one, at(p->image), at(p->image), at(p->fft_work),
                                p->fft_work_size),
             "transform");
  check(clFlush(p->queue), "flush");
}

/* ---- how long they take, and what comes out ---- */

static double ended(cl_event event) {
  cl_ulong time = 0;
  check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL), "time");
  return 1e-6 * (double)time;
}

/* Milliseconds from one event of a chain to another; where a kernel failed, it shows here. */
static double between(const cl_event *event, int from, int to) {
  check(clWaitForEvents(1, &event[to]), "on the device");
  return ended(event[to]) - ended(event[from]);
}

/* Overwrites results, so that whoever makes no new ones is found out. The markers of the next chains wait for it. */
static void spoil(const chains *c, const density_chain *d, const particle_chain *p) {
  const float none = NAN;
  check(clEnqueueFillBuffer(d->queue, d->filtered, &none, sizeof none, 0, c->points * sizeof none, 0, NULL, NULL), "fill");
  check(clEnqueueFillBuffer(p->queue, p->image, &none, sizeof none, 0, 2 * c->pixels * sizeof none, 0, NULL, NULL), "fill");
}

static chain_results fetch(const chains *c, const density_chain *d, const particle_chain *p) {
  const chain_results r = open_results(c);
  cl_event copied[2];
  check(clEnqueueReadBuffer(d->queue, d->filtered, CL_FALSE, 0, c->points * sizeof(float), r.density, 1, &d->event[3],
                            &copied[0]),
        "copy to the host");
  check(clEnqueueReadBuffer(p->queue, p->image, CL_FALSE, 0, 2 * c->pixels * sizeof(float), r.thickness, 1, &p->event[2],
                            &copied[1]),
        "copy to the host");
  check(clWaitForEvents(2, copied), "copy to the host");
  forget(copied, 2);
  return r;
}

int main(int argc, char **argv) {
  const char *points = "128", *number_of_device = NULL, *times = "10";
  const option options[] = {{"--n", &points, NULL, "POINTS", "along each edge of the grid, 1..320"},
                            {"--device", &number_of_device, NULL, "N", "from 0; a GPU if there is one"},
                            {"--repeat", &times, NULL, "N", "measurements"},
                            END_OF_OPTIONS};
  chain_times best = no_times();
  chain_results alone, together;
  density_chain d;
  particle_chain p;
  chains c;
  host h;
  size_t n;
  long repeat, i;
  int k;

  read_options(argc, argv, options, NULL, USAGE, NULL);
  n = (size_t)whole(points, "--n", 1, 320);
  repeat = (long)whole(times, "--repeat", 1, 1000000);
  h = open_host(number_of_device);
  open_chains(&c, n);
  d = open_density_chain(&h, &c);
  p = open_particle_chain(&h, &c);
  for (i = -1; i < repeat; i++) { /* the first is not counted: programs are built */
    start_density(&h, &c, &d);
    between(d.event, 0, 3);
    start_particle(&h, &c, &p);
    between(p.event, 0, 2);
    for (k = 0; k < CALLS && i >= 0; k++) {
      const double time =
          k < CALL_AMPLITUDES ? between(d.event, k, k + 1) : between(p.event, k - CALL_AMPLITUDES, k + 1 - CALL_AMPLITUDES);
      best.call[k] = fmin(best.call[k], time);
    }
    if (i >= 0) {
      best.alone[0] = fmin(best.alone[0], between(d.event, 0, 3));
      best.alone[1] = fmin(best.alone[1], between(p.event, 0, 2));
    }
  }
  alone = fetch(&c, &d, &p);
  spoil(&c, &d, &p);
  for (i = 0; i < repeat; i++) {
    start_density(&h, &c, &d);
    start_particle(&h, &c, &p);
    between(d.event, 0, 3);
    between(p.event, 0, 2);
    best.together =
        fmin(best.together, fmax(ended(d.event[3]), ended(p.event[2])) - fmin(ended(d.event[0]), ended(p.event[0])));
  }
  together = fetch(&c, &d, &p);
  print_times(&c, &best);
  check_same(&c, &alone, &together);
  check_chains(&c, &together);

  close_results(&alone);
  close_results(&together);
  close_chains_there(&d, &p);
  convk_cl_close(&h.cl);
  check(clReleaseContext(h.context), "context");
  close_chains(&c);
  return 0;
}
