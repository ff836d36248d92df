/* Chained calls on a CUDA device: arrays stay there, each call begins where the one before ends, and nothing is copied or waited
 * for in between. Two such chains, which chains.h describes, run on two streams at the same time.
 *   gpu [--n POINTS] [--device N] [--repeat N] [--graph]
 *   nvcc -O2 -arch=native -I. examples/gpu.cu -o gpu
 * --graph also captures them in a CUDA graph and replays it. Run it from the root of the repository. */
#define CONVK_WITH_GAUSSIAN /* the other families are left out: they take their time to compile */
#define CONVK_WITH_SEPCONV
#define CONVK_WITH_STENCIL
#define CONVK_WITH_FORMFACTOR
#define CONVK_WITH_FFT
#define CONVK_AVX /* the processor, to compare with */
#define CONVK_CUDA
#include "convk.h"

#define PROGRAM "gpu"
#include "chains.h"

#define USAGE "gpu [OPTION...]; gpu --help lists them"

/* Every call of CUDA and of convk can fail, and each failure has a text. */
static void check(cudaError_t error, const char *what) { require(error == cudaSuccess, what, cudaGetErrorString(error)); }
static void check_call(int status, const char *what) {
  if (status == CONVK_ERR_DEVICE) check(cudaGetLastError(), what); /* a launch failed: CUDA knows why */
  require_ok(status, what);
}

static float *device_array(size_t count, const void *host) {
  void *p = NULL;
  check(cudaMalloc(&p, count * sizeof(float)), "device memory");
  if (host) check(cudaMemcpy(p, host, count * sizeof(float), cudaMemcpyHostToDevice), "copy to the device");
  return (float *)p;
}

/* The convk_..._work_size functions say how many bytes of work a call wants: none is NULL. */
static void *device_bytes(size_t bytes, const void *host) {
  return bytes ? device_array((bytes + sizeof(float) - 1) / sizeof(float), host) : NULL;
}

/* ---- the two chains: a stream each, arrays, and an event before and after every call ---- */

typedef struct density_chain {
  cudaStream_t stream;
  cudaEvent_t event[4];
  float *xyz, *density, *filtered;
  convk_orbitals_plan_f32 *plan; /* of the orbitals, which is needed on both sides */
  void *plan_there, *work;
  size_t work_size;
} density_chain;

typedef struct particle_chain {
  cudaStream_t stream;
  cudaEvent_t event[3];
  float *triangles, *q, *image; /* complex numbers: amplitudes, which the transform overwrites */
  convk_mesh_f32 mesh;          /* a structure on the host, of pointers to the device */
  void *plan_there, *work, *fft_work;
  size_t work_size, fft_work_size;
} particle_chain;

static void open_stream(cudaStream_t *stream, cudaEvent_t *event, int count) {
  /* one that does not wait for the default stream, as other libraries may use it */
  check(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), "stream");
  for (int i = 0; i < count; i++) check(cudaEventCreate(&event[i]), "event");
}

static void close_stream(cudaStream_t stream, cudaEvent_t *event, int count) {
  for (int i = 0; i < count; i++) check(cudaEventDestroy(event[i]), "event");
  check(cudaStreamDestroy(stream), "stream");
}

static density_chain open_density_chain(const chains *c) {
  size_t size = 0, there = 0;
  density_chain d;
  open_stream(&d.stream, d.event, 4);
  d.xyz = device_array(3 * c->points, c->xyz);
  d.density = device_array(c->points, NULL);
  d.filtered = device_array(c->points, NULL);
  check_call(convk_orbitals_plan_size_f32(NULL, &c->set, &size), "plan of the orbitals");
  d.plan = (convk_orbitals_plan_f32 *)memory(size, 1);
  check_call(convk_orbitals_prepare_f32(NULL, &c->set, d.plan, size), "plan of the orbitals");
  check_call(convk_orbitals_plan_bytes_f32(NULL, d.plan, &there), "plan of the orbitals");
  d.plan_there = device_bytes(there, d.plan);
  check_call(convk_cuda_sepconv3d_work_size_f32(NULL, &c->filtered, c->filter, NULL, &d.work_size), "work of the filter");
  d.work = device_bytes(d.work_size, NULL);
  return d;
}

static particle_chain open_particle_chain(const chains *c) {
  const convk_q_f32 axes = {0, NULL, NULL, NULL, NULL, NULL, NULL}; /* nothing is complex */
  particle_chain p;
  size_t plan_bytes;
  open_stream(&p.stream, p.event, 3);
  p.triangles = device_array(6 * c->mesh.n, c->triangles);
  check_call(convk_mesh_assign_f32(NULL, c->mesh.n, 0, p.triangles, &p.mesh), "mesh");
  p.q = device_array(2 * c->side + 1, c->q);
  p.image = device_array(2 * c->pixels, NULL);
  check_call(convk_fft2d_plan_bytes_c32(NULL, c->plan, &plan_bytes), "plan of the transform");
  p.plan_there = device_bytes(plan_bytes, c->plan);
  check_call(convk_cuda_formfactor_grid_work_size_f32(NULL, &p.mesh, &c->detector, &axes, &p.work_size), "work");
  p.work = device_bytes(p.work_size, NULL);
  check_call(convk_cuda_fft2d_work_size_c32(NULL, c->plan, 1, &p.fft_work_size), "work of the transform");
  p.fft_work = device_bytes(p.fft_work_size, NULL);
  return p;
}

static void close_chain(density_chain *d) {
  void *const arrays[] = {d->xyz, d->density, d->filtered, d->plan_there, d->work};
  for (void *array : arrays) check(cudaFree(array), "device memory");
  close_stream(d->stream, d->event, 4);
  free(d->plan);
}
static void close_chain(particle_chain *p) {
  void *const arrays[] = {p->triangles, p->q, p->image, p->plan_there, p->work, p->fft_work};
  for (void *array : arrays) check(cudaFree(array), "device memory");
  close_stream(p->stream, p->event, 3);
}

static void record(cudaEvent_t event, cudaStream_t stream, int timed) {
  if (timed) check(cudaEventRecord(event, stream), "event");
}

/* Starts the chain, and is back long before it is done. The density is free for another use once it is filtered: it is the
 * memory of the stencil's second state. */
static void start(const chains *c, const density_chain *d, int timed) {
  const convk_points_f32 points = {c->points, d->xyz, d->xyz + c->points, d->xyz + 2 * c->points, 0};
  convk_cuda_stream on = {};
  float *end;
  on.stream = d->stream;
  record(d->event[0], d->stream, timed);
  check_call(convk_cuda_density_f32(&on, &points, d->plan, d->plan_there, NULL, d->density), "density");
  record(d->event[1], d->stream, timed);
  check_call(convk_cuda_sepconv3d_f32(&on, &c->filtered, c->filter, NULL, d->density, d->filtered, d->work, d->work_size),
             "filter");
  record(d->event[2], d->stream, timed);
  check_call(convk_cuda_stencil7_f32(&on, &c->torus, &c->step, STEPS, d->filtered, d->density, &end, NULL, 0), "steps");
  record(d->event[3], d->stream, timed);
}

static void start(const chains *c, const particle_chain *p, int timed) {
  convk_cuda_stream on = {p->stream};
  const convk_q_f32 axes = {0, p->q, p->q + c->side, p->q + 2 * c->side, NULL, NULL, NULL};
  record(p->event[0], p->stream, timed);
  check_call(
      convk_cuda_formfactor_grid_f32(&on, &p->mesh, &c->measures, &c->detector, &axes, NULL, p->image, p->work, p->work_size),
      "amplitudes");
  record(p->event[1], p->stream, timed);
  check_call(convk_cuda_fft2d_c32(&on, c->plan, p->plan_there, CONVK_FORWARD, &c->one, p->image, p->image, p->fft_work,
                                  p->fft_work_size),
             "transform");
  record(p->event[2], p->stream, timed);
}

/* ---- how long they take ---- */

/* Of what the device did between two events, once it has come past the second. */
static double milliseconds(cudaEvent_t from, cudaEvent_t to) {
  float time = 0;
  check(cudaEventSynchronize(to), "on the device"); /* where a kernel failed, it shows here */
  check(cudaEventElapsedTime(&time, from, to), "time");
  return (double)time;
}

/* Both at once: the second stream begins where the first one is, and the first one waits for its end. */
static void start_both(const chains *c, const density_chain *d, const particle_chain *p) {
  check(cudaEventRecord(p->event[0], d->stream), "event");
  check(cudaStreamWaitEvent(p->stream, p->event[0], 0), "wait");
  start(c, d, 0);
  start(c, p, 0);
  check(cudaEventRecord(p->event[2], p->stream), "event");
  check(cudaStreamWaitEvent(d->stream, p->event[2], 0), "wait");
}

/* The best time of what `run` starts on a stream. */
template <class Run> static double best_time(cudaStream_t stream, long repeat, const Run &run) {
  cudaEvent_t from, to;
  double best = HUGE_VAL;
  check(cudaEventCreate(&from), "event");
  check(cudaEventCreate(&to), "event");
  for (long i = 0; i < repeat; i++) {
    check(cudaEventRecord(from, stream), "event");
    run();
    check(cudaEventRecord(to, stream), "event");
    best = fmin(best, milliseconds(from, to));
  }
  check(cudaEventDestroy(from), "event");
  check(cudaEventDestroy(to), "event");
  return best;
}

/* Overwrites results, so that whoever makes no new ones is found out. */
static void spoil(const chains *c, const density_chain *d, const particle_chain *p) {
  check(cudaMemsetAsync(d->filtered, 0xff, c->points * sizeof(float), d->stream), "fill");
  check(cudaMemsetAsync(p->image, 0xff, 2 * c->pixels * sizeof(float), p->stream), "fill");
}

static chain_results fetch(const chains *c, const density_chain *d, const particle_chain *p) {
  const chain_results r = open_results(c);
  check(cudaMemcpy(r.density, d->filtered, c->points * sizeof *r.density, cudaMemcpyDeviceToHost), "copy to the host");
  check(cudaMemcpy(r.thickness, p->image, 2 * c->pixels * sizeof *r.thickness, cudaMemcpyDeviceToHost), "copy to the host");
  return r;
}

/* Both chains as a graph: no call allocates, copies or waits, so a stream may capture them, with the other stream that waits for
 * it, and the host then starts all kernels at once. Arguments are frozen: the graph is for these arrays. */
static double replay(const chains *c, const density_chain *d, const particle_chain *p, long repeat) {
#ifdef __CUDACC__
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  check(cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal), "capture");
  start_both(c, d, p);
  check(cudaStreamEndCapture(d->stream, &graph), "capture");
  check(cudaGraphInstantiateWithFlags(&executable, graph, 0), "graph");
  const double best = best_time(d->stream, repeat, [&] { check(cudaGraphLaunch(executable, d->stream), "graph"); });
  check(cudaGraphExecDestroy(executable), "graph");
  check(cudaGraphDestroy(graph), "graph");
  return best;
#else
  (void)c, (void)d, (void)p, (void)repeat;
  fail(1, "--graph", "there are no graphs without nvcc");
  return 0;
#endif
}

int main(int argc, char **argv) {
  const char *points = "128", *number_of_device = "0", *times = "10";
  int with_graph = 0, devices = 0;
  const option options[] = {{"--n", &points, NULL, "POINTS", "along each edge of the grid, 1..320"},
                            {"--device", &number_of_device, NULL, "N", "from 0"},
                            {"--repeat", &times, NULL, "N", "measurements"},
                            {"--graph", NULL, &with_graph, NULL, "also as a CUDA graph"},
                            END_OF_OPTIONS};
  cudaDeviceProp properties;
  chains c;

  read_options(argc, argv, options, NULL, USAGE, NULL);
  const size_t n = (size_t)whole(points, "--n", 1, 320);
  const int device = (int)whole(number_of_device, "--device", 0, 1000);
  const long repeat = (long)whole(times, "--repeat", 1, 1000000);
  check(cudaGetDeviceCount(&devices), "no CUDA device");
  require(device < devices, "--device", "there is no such CUDA device");
  check(cudaSetDevice(device), "--device"); /* of this thread: all that follows is there */
  check(cudaGetDeviceProperties(&properties, device), "--device");
  printf("device:       %s, %d multiprocessors\n", properties.name, properties.multiProcessorCount);
  open_chains(&c, n);

  density_chain d = open_density_chain(&c);
  particle_chain p = open_particle_chain(&c);
  chain_times best = no_times();
  check(cudaDeviceSynchronize(),
        "copy to the device");         /* copies may be on their way still, and our streams do not wait for them */
  for (long i = -1; i < repeat; i++) { /* the first is not counted: a device wakes up, and kernels are loaded */
    start(&c, &d, 1);
    const double first = milliseconds(d.event[0], d.event[3]);
    start(&c, &p, 1);
    const double second = milliseconds(p.event[0], p.event[2]);
    if (i < 0) continue;
    best.alone[0] = fmin(best.alone[0], first);
    best.alone[1] = fmin(best.alone[1], second);
    for (int k = 0; k < CALLS; k++) {
      const cudaEvent_t *before = k < CALL_AMPLITUDES ? &d.event[k] : &p.event[k - CALL_AMPLITUDES];
      best.call[k] = fmin(best.call[k], milliseconds(before[0], before[1]));
    }
  }
  chain_results alone = fetch(&c, &d, &p);
  spoil(&c, &d, &p);
  best.together = best_time(d.stream, repeat, [&] { start_both(&c, &d, &p); });
  chain_results together = fetch(&c, &d, &p);
  print_times(&c, &best);
  check_same(&c, &alone, &together);
  if (with_graph) {
    spoil(&c, &d, &p);
    check(cudaDeviceSynchronize(), "fill");
    printf("graph:        %10.4f ms, both replayed\n", replay(&c, &d, &p, repeat));
    close_results(&together);
    together = fetch(&c, &d, &p);
    check_same(&c, &alone, &together);
  }
  check_chains(&c, &together);

  close_results(&alone);
  close_results(&together);
  close_chain(&d);
  close_chain(&p);
  close_chains(&c);
  return 0;
}
