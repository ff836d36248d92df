/* The calls as programs use them: captured in a graph, on several streams, devices and host threads, beside errors and contexts
   of the program's own, each with the bits of the plain call.  In the emulator, which checks what a capture allows and whose
   memory is used, and on a device, but for what only the emulator can do:
     nvcc -x cu -O2 -arch=native -Xcompiler -ffp-contract=off -I. tests/test_cuda_calls.cpp -o cuda_calls */
#ifndef __CUDACC__
#include "cuda_emulator.h"
#endif
#include "families.h"
#include "convk_cuda.h"
#include "tracked_memory.h"
#define BENCH_CUDA_PARTS
#include "bench/bench_cuda.cu"

#include <functional>
#include <thread>

static int failures;

static void check(bool passed, const std::string &name) {
  printf("%s %s\n", passed ? "ok" : "FAIL", name.c_str());
  if (!passed) failures++;
}

#ifndef __CUDACC__
/* Leaves an error as programs do that look whether their work is done. */
static void poll() {
  convk_emulator_busy(1);
  must(cudaStreamQuery(NULL) == cudaErrorNotReady && cudaPeekAtLastError() == cudaErrorNotReady, "a query");
}

/* What a call must leave as it was: the thread's context and device, and which devices have a primary context. */
struct surroundings {
  CUcontext context;
  int device, active[2], retained[2];
  surroundings() {
    must(!cuCtxGetCurrent(&context) && !cudaGetDevice(&device), "context");
    for (int i = 0; i < 2; i++) {
      unsigned flags;
      must(!cuDevicePrimaryCtxGetState(i, &flags, &active[i]), "primary context");
      retained[i] = convk_emulator::primary_context(i)->retained;
    }
  }
  bool operator==(const surroundings &other) const {
    return context == other.context && device == other.device && !memcmp(active, other.active, sizeof active) &&
           !memcmp(retained, other.retained, sizeof retained);
  }
};

/* A context of the program's own, current while this lives. */
struct foreign_context {
  CUcontext own;
  explicit foreign_context(int device) { must(!cuCtxCreate(&own, 0, device), "cuCtxCreate"); }
  ~foreign_context() { cuCtxDestroy(own); }
};
#endif

/* The graph of what `run` starts on `stream`; NULL if that fails. */
template <class Run> static cudaGraph_t captured(Run run) {
  cudaGraph_t graph = NULL;
  must(!cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) &&
           !cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal),
       "capture");
  const int status = run();
  if (cudaStreamEndCapture(stream, &graph) != cudaSuccess || status) graph = NULL;
  must(!cudaStreamDestroy(stream), "stream");
  stream = NULL;
  return graph;
}

template <class Run> static void each_call(const std::string &name, const char *, double, double, Run run, bool = false) {
  const contents before = save();
  must(run() == 0, name.c_str());
  const contents plain = save();
#ifndef __CUDACC__
  {
    const foreign_context other(0);
    restore(before);
    poll();
    const surroundings here;
    check(run() == 0 && save() == plain, name + ": in another context, after an error of the program's own");
    check(cudaGetLastError() == cudaErrorNotReady, name + ": that error is still pending");
    check(surroundings() == here, name + ": that context is still current");
  }
#endif
  restore(before);
  cudaGraph_t graph = captured(run);
  cudaGraphExec_t executable = NULL;
  check(plain != before, name + ": the call does something");
  check(graph != NULL && save() == before, name + ": captured, and not run");
  if (graph == NULL) {
    cudaGetLastError();
    return;
  }
  must(!cudaGraphInstantiate(&executable, graph, 0) && !cudaGraphDestroy(graph), "graph");
  for (int launch = 1; launch <= 2; launch++) {
    restore(before);
    check(!cudaGraphLaunch(executable, NULL) && save() == plain, name + ": launch " + std::to_string(launch));
  }
  must(!cudaGraphExecDestroy(executable), "graph");
}

#include "bench/calls_cuda.h"

template <class T> static void test_graphs(const char *type, const char *complex) {
  static const size_t few[3] = {9, 5, 2};
  call_stencil<T>(type, 35, 20, 9);
  call_filters<T>(type, 33, 18, 20);
  call_wavelets<T>(type, 36, 20, 12);
  call_sums<T>(type, 20, 12, 10);
  call_others<T>(type, 21, 17, 19);
  call_maps<T>(type, 1000);
  call_gridpot<T>(type, 300, 9);
  call_orbitals<T>(type, 100, 3);
  call_formfactor<T>(type, 2, few);
  static const size_t sizes[3] = {16, 64, 128}; /* in one kernel, and in parts */
  for (const size_t m : sizes) call_fft<T>(complex, type, m, 1);
  call_pairs<T>(type, 20, 3);
  call_pairs<T>(type, 300, 1);
  call_moves<T>(type, 20, 3);
  call_amplitudes<T>(type, 150, 6);
#ifndef __CUDACC__ /* whose order of threads is the same each time */
  call_distances<T>(type, 300);
#endif
  call_debye<T>(type, 20);
  call_sweeps<T>(type, 20, 2);
  call_sweeps<T>(type, 140, 1);
}

/* Two graphs at once: on two streams, and in the emulator also their kernels in turns. */
static void run_in_turns(cudaGraph_t graph[2]) {
  cudaStream_t streams[2];
  cudaGraphExec_t executable[2];
  for (int i = 0; i < 2; i++)
    must(!cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking) && !cudaGraphInstantiate(&executable[i], graph[i], 0),
         "graph");
  for (int repeat = 0; repeat < 20; repeat++)
    for (int i = 0; i < 2; i++) must(!cudaGraphLaunch(executable[i], streams[i]), "launch of a graph");
  must(!cudaDeviceSynchronize(), "two graphs");
  for (int i = 0; i < 2; i++) must(!cudaGraphExecDestroy(executable[i]) && !cudaStreamDestroy(streams[i]), "graph");
}

/* Two calls on streams of their own, whose kernels run in turns: nothing of a call under way may lie in what they share. */
static void test_turns() {
  const convk_grid3 g = {21, 17, 19, 0, 0};
  const size_t points = g.nx * g.ny * g.nz;
  std::vector<double> in[2] = {numbers<double>(points), numbers<double>(points)};
  for (size_t i = 0; i < points; i++) in[1][i] = 1 - in[1][i] * in[1][i];
  const on_device<double> v(numbers<double>(points)), x0(in[0]), x1(in[1]), y0(points), y1(points), sums0(2), sums1(2);
  const on_device<double> *const x[2] = {&x0, &x1}, *const y[2] = {&y0, &y1}, *const sums[2] = {&sums0, &sums1};
  size_t bytes = 0;
  potential_apply(&g, v.p, x0.p, y0.p, sums0.p, NULL, &bytes);
  const on_device<char> work0(bytes), work1(bytes);
  const on_device<char> *const work[2] = {&work0, &work1};
  std::vector<double> want[2], energy[2];
  cudaGraph_t graph[2];
  const auto spoil = [&](int i) { /* so that whoever writes nothing is found out */
                                  must(!cudaMemset(y[i]->p, 0, points * sizeof(double)) &&
                                           !cudaMemset(work[i]->p, 0xff, bytes) && !cudaMemset(sums[i]->p, 0, sizeof(double)),
                                       "fill");
  };
  const auto compare = [&](const char *how) {
    for (int i = 0; i < 2; i++)
      check(y[i]->back(0, points) == want[i] && sums[i]->back(0, 1) == energy[i], how + std::to_string(i));
  };
  for (int i = 0; i < 2; i++) {
    const auto run = [&] { return potential_apply(&g, v.p, x[i]->p, y[i]->p, sums[i]->p, work[i]->p, &bytes); };
    must(!run(), "potential_apply");
    want[i] = y[i]->back(0, points);
    energy[i] = sums[i]->back(0, 1);
    graph[i] = captured(run);
    must(graph[i] != NULL, "capture of potential_apply");
    spoil(i);
  }
  run_in_turns(graph);
  compare("two streams: call ");
#ifndef __CUDACC__
  check(graph[0]->nodes.size() > 3, "turns: several kernels");
  for (int i = 0; i < 2; i++) spoil(i);
  for (size_t n = 0; n < graph[0]->nodes.size(); n++)
    for (int i = 0; i < 2; i++) graph[i]->nodes[n]();
  compare("turns: call ");
#endif
  for (int i = 0; i < 2; i++) cudaGraphDestroy(graph[i]);
}

/* A program that asks whether its own work is done is left with cudaErrorNotReady as the last error: calls neither take it for
   theirs nor take it away. */
static void test_not_ready() {
  const convk_grid3 g = {41, 17, 19, 0, 0};
  const convk_sepconv3d_shape shape = periodic_shape(&g);
  const size_t points = g.nx * g.ny * g.nz, bytes = magicfilter_work(&g, 0.0);
  const std::vector<double> in = numbers<double>(points);
  const on_device<double> x(in), y(points), out(1);
  const on_device<char> work(bytes);
  std::vector<double> got(points);
  cudaEvent_t done, mark;
  convk hw;
  must(!convk_open(&hw, "cuda:0") && !cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) && !cudaEventCreate(&done) &&
           !cudaEventCreate(&mark),
       "event");
  cudaStream_t own = stream, busy;
  must(!cudaStreamCreateWithFlags(&busy, cudaStreamNonBlocking), "stream");
  must(!magicfilter(&g, x, y, work, bytes) && !cudaStreamSynchronize(own), "magicfilter3d");
  const std::vector<double> want = y.back(0, points);
  must(!cudaMemset(y.p, 0, points * sizeof(double)) && !cudaDeviceSynchronize(), "fill");
  for (int on_host = 0; on_host < 2; on_host++) {
    const peak_of<double> most(out);
    stream = busy;
    for (int k = 0; k < 50; k++) most();
    stream = own;
    must(!cudaEventRecord(done, busy), "event");
#ifndef __CUDACC__
    convk_emulator_busy(1);
#endif
    /* a runtime may drop it at its next call that succeeds: what one call of its own leaves is what ours have to leave */
    cudaError_t kept = cudaEventQuery(done);
    if (kept == cudaErrorNotReady) {
      must(!cudaEventRecord(mark, own), "event");
      kept = cudaGetLastError();
      if (cudaEventQuery(done) != cudaErrorNotReady) kept = cudaErrorUnknown;
    } else {
      kept = cudaErrorUnknown;
    }
    if (kept == cudaErrorUnknown) {
      printf("skipped: no event says that it is not ready\n");
      break;
    }
    const int status = on_host ? convk_magicfilter3d_f64(&hw, &shape, CONVK_FORWARD, NULL, &in[0], &got[0], NULL, 0)
                               : magicfilter(&g, x, y, work, bytes);
    const cudaError_t left = cudaGetLastError();
    const std::string name = on_host ? "not ready, host arrays" : "not ready, device arrays";
    check(status == 0, name + ": the call");
    check(left == kept, name + ": the program's error is left to it");
    must(!cudaDeviceSynchronize(), "magicfilter3d");
    check((on_host ? got : y.back(0, points)) == want, name + ": its bits");
  }
  stream = NULL;
  must(!cudaStreamDestroy(own) && !cudaStreamDestroy(busy) && !cudaEventDestroy(done) && !cudaEventDestroy(mark), "stream");
  convk_close(&hw);
}

struct results {
  std::vector<double> filtered, resident, gradient;
  std::vector<convk_pair_result> energy;
  bool operator==(const results &other) const {
    return filtered == other.filtered && resident == other.resident && gradient == other.gradient &&
           !memcmp(&energy[0], &other.energy[0], energy.size() * sizeof energy[0]);
  }
};

/* Calls on host arrays by a handle of this device, and one on device arrays; results depend on `shift`, not on the device. */
static int work_on(int device, double shift, results *r) {
  const convk_grid3 g = {25, 19, 14, 0, 0};
  const convk_sepconv3d_shape shape = periodic_shape(&g);
  const size_t points = g.nx * g.ny * g.nz, particles = 300, walkers = 2;
  const std::string name = "cuda:" + std::to_string(device);
  const convk_pair_system system = helium(particles);
  const convk_pair_walkers all = {walkers, 0, 0};
  std::vector<double> x = numbers<double>(points), at = clusters(particles, walkers);
  convk hw;
  int status = convk_open(&hw, name.c_str());
  if (status) return status;
  for (size_t i = 0; i < points; i++) x[i] += shift;
  for (size_t i = 0; i < at.size(); i++) at[i] *= 1 + 0.01 * shift;
  r->filtered.assign(points, 0);
  r->gradient.assign(at.size(), 0);
  r->energy.assign(walkers, convk_pair_result());
  for (int repeat = 0; repeat < 3 && !status; repeat++) {
    status = convk_magicfilter3d_f64(&hw, &shape, CONVK_FORWARD, NULL, &x[0], &r->filtered[0], NULL, 0);
    if (!status)
      status = convk_pair_energy_f64(&hw, &system, &all, CONVK_PAIR_ALL, &at[0], &r->energy[0], &r->gradient[0], NULL, 0);
  }
  convk_close(&hw);
  if (status || cudaSetDevice(device) != cudaSuccess) return status ? status : -1;
  {
    const size_t bytes = magicfilter_work(&g, 0.0);
    const on_device<double> there(x), out(points);
    const on_device<char> work(bytes);
    status = magicfilter(&g, there, out, work, bytes);
    r->resident = out.back(0, points);
  }
  return cudaSetDevice(0) != cudaSuccess ? -1 : status;
}

static void test_devices() {
  results alone[2], together[2];
  int devices;
  must(!cudaGetDeviceCount(&devices), "devices");
  int status[2];
  for (int i = 0; i < 2; i++) must(!work_on(0, 0.25 * i, &alone[i]), "calls on one device");
  check(!(alone[0] == alone[1]), "devices: two different problems");
  check(alone[0].filtered == alone[0].resident, "devices: host and device arrays");
  for (int one = 0; one < 2; one++) { /* two devices, and one */
    const int second = one ? 0 : 1;
    if (second >= devices) continue;
    std::thread other([&] { status[1] = work_on(second, 0.25, &together[1]); });
    status[0] = work_on(0, 0, &together[0]);
    other.join();
    for (int i = 0; i < 2; i++)
      check(!status[i] && together[i] == alone[i],
            (one ? "devices: two handles of one device, thread " : "devices: a handle and a thread for device ") +
                std::to_string(i));
  }

#ifndef __CUDACC__ /* which a device may allow */
  const convk_grid3 g = {9, 8, 7, 0, 0};
  const size_t bytes = magicfilter_work(&g, 0.0);
  const on_device<double> x(numbers<double>(504)), y(504);
  const on_device<char> work(bytes);
  must(!cudaSetDevice(1), "device 1");
  check(magicfilter(&g, x, y, work, bytes) == CONVK_ERR_DEVICE, "devices: memory of another one is an error");
  convk_emulator_clear_errors();
  must(!cudaSetDevice(0), "device 0");
#endif
}

#ifndef __CUDACC__
/* ---- calls on host arrays ---- */

typedef std::vector<double> values;
struct host_call {
  const char *name;
  std::function<int(convk *, values *)> run;
};

static int host_fft(convk *hw, size_t m, values *out) {
  const values in = numbers<double>(2 * m * m);
  size_t bytes = 0;
  must(!convk_fft2d_plan_size_c64(hw, m, m, &bytes), "size of a plan of fft2d");
  std::vector<char> memory(bytes);
  convk_fft2d_plan_c64 *const plan = (convk_fft2d_plan_c64 *)(void *)&memory[0];
  convk_batch2d batch;
  memset(&batch, 0, sizeof batch);
  batch.items = 1;
  out->assign(2 * m * m, 0);
  must(!convk_fft2d_prepare_c64(hw, m, m, plan, bytes), "plan of fft2d");
  return convk_fft2d_c64(hw, plan, CONVK_FORWARD, &batch, &in[0], &(*out)[0], NULL, 0);
}

static int host_form(convk *hw, bool on_grid, values *out) {
  const values corners = box_corners<double>(2), q = numbers<double>(300);
  const size_t triangles = corners.size() / 9;
  const convk_grid3 grid = {20, 5, 3, 0, 0};
  values storage(6 * triangles);
  convk_mesh_f64 mesh;
  convk_mesh_measures measures;
  mesh_of(triangles, &storage[0], &mesh);
  mesh_fill(&corners[0], &mesh, &measures);
  out->assign(600, 0);
  const convk_q_f64 axes = {0, &q[0], &q[20], &q[25], NULL, NULL, NULL};
  const convk_q_f64 list = {100, &q[0], &q[100], &q[200], NULL, NULL, NULL};
  return on_grid ? convk_formfactor_grid_f64(hw, &mesh, &grid, &axes, NULL, &(*out)[0], NULL, 0)
                 : convk_formfactor_f64(hw, &mesh, &list, NULL, &(*out)[0]);
}

static int host_sweeps(convk *hw, values *out) {
  const size_t n = 20, walkers = 2;
  const values r = clusters(n, walkers);
  convk_vmc vmc;
  memset(&vmc, 0, sizeof vmc);
  vmc.system = helium(n);
  vmc.walkers = walkers;
  vmc.seed = 1;
  vmc.step = 0.8;
  size_t bytes = 0;
  must(!convk_vmc_state_size_f64(hw, &vmc, &bytes), "vmc_state_size");
  std::vector<char> memory(bytes);
  convk_vmc_state_f64 *const state = (convk_vmc_state_f64 *)(void *)&memory[0];
  must(!convk_vmc_begin_f64(hw, &vmc, &r[0], state, bytes), "vmc_begin");
  const int status = convk_vmc_run_f64(hw, &vmc, 20, state, bytes, NULL, 0);
  out->assign(r.size(), 0);
  must(!convk_vmc_positions_f64(NULL, &vmc, state, bytes, &(*out)[0]), "vmc_positions");
  return status;
}

static int host_arrays(convk *hw, int which, values *out) {
  static const int periodic[3] = {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC};
  const convk_stencil7_shape torus = {{21, 17, 9, 0, 0},
                                      {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC}};
  const convk_grid3 g = torus.grid;
  const size_t points = g.nx * g.ny * g.nz, particles = 300;
  const convk_stencil7_coefficients_f64 c = convk_stencil7_isotropic_f64(0.4, 0.1);
  const convk_points_f64 at = {100, NULL, NULL, NULL, 1};
  const convk_shell shell = {{0.1, 0.2, 0.3}, 1, CONVK_SHELL_SPHERICAL, 2, NULL, NULL};
  const convk_pair_system system = helium(particles);
  const convk_pair_walkers all = {1, 0, 0};
  const double alpha[3] = {-0.1, -0.5, -2}, exponents[2] = {0.5, 2}, ones[3] = {1, 1, 1};
  values x = numbers<double>(points);
  convk_points_f64 p = at;
  convk_shell s = shell;
  convk_pair_result energy;
  double *result = NULL;
  p.x = &x[0], p.y = &x[100], p.z = &x[200];
  s.exponents = exponents, s.coefficients = ones;
  const convk_gaussians_f64 gaussians = {{0, 0, 0}, 3, alpha, 0, NULL, 0};
  const convk_orbital_set_f64 set = {1, &s, 1, ones, 0, NULL, NULL};
  out->assign(points, 0);
  double *const y = &(*out)[0];
  const convk_sepconv3d_shape shape = periodic_shape(&g);
  if (which == 0) return convk_magicfilter3d_f64(hw, &shape, CONVK_FORWARD, NULL, &x[0], y, NULL, 0);
  if (which == 1) return convk_stencil7_f64(hw, &torus, &c, 1, &x[0], y, &result, NULL, 0);
  if (which == 2) return convk_exp_f64(hw, points, &x[0], y);
  if (which == 3) return convk_gridpot_f64(hw, &p, &gaussians, NULL, y, 0);
  if (which == 4) return convk_orbitals_f64(hw, &p, &set, NULL, y, 0, NULL, 0);
  const values r = clusters(particles, 1);
  return convk_pair_energy_f64(hw, &system, &all, CONVK_PAIR_ALL, &r[0], &energy, y, NULL, 0);
}

static const std::vector<host_call> host_calls = {
    {"magicfilter3d", [](convk *hw, values *out) { return host_arrays(hw, 0, out); }},
    {"stencil7", [](convk *hw, values *out) { return host_arrays(hw, 1, out); }},
    {"exp", [](convk *hw, values *out) { return host_arrays(hw, 2, out); }},
    {"gridpot", [](convk *hw, values *out) { return host_arrays(hw, 3, out); }},
    {"orbitals", [](convk *hw, values *out) { return host_arrays(hw, 4, out); }},
    {"formfactor", [](convk *hw, values *out) { return host_form(hw, false, out); }},
    {"formfactor_grid", [](convk *hw, values *out) { return host_form(hw, true, out); }},
    {"fft2d", [](convk *hw, values *out) { return host_fft(hw, 64, out); }},
    {"pair_energy", [](convk *hw, values *out) { return host_arrays(hw, 5, out); }},
    {"vmc_run", host_sweeps}};

/* A handle of the other device beside a program with errors and a context of its own. */
static void test_host_arrays() {
  convk hw;
  must(!cudaSetDevice(0) && !convk_open(&hw, "cuda:1"), "cuda:1");
  for (const host_call &call : host_calls) {
    const std::string name = std::string(call.name) + " on host arrays";
    values plain, got;
    must(!call.run(&hw, &plain), call.name);
    for (int own = 0; own < 2; own++) {
      const foreign_context other(0);
      const surroundings here;
      const std::string when = own ? " after an error of the program's own" : "";
      const auto pending = [&](int status) { /* what may be left after this status */
                                             const cudaError_t left = cudaGetLastError();
                                             return own ? left != cudaSuccess && (status || left == cudaErrorNotReady)
                                                        : left == cudaSuccess;
      };
      if (own) poll();
      check(call.run(&hw, &got) == 0 && got == plain && pending(0) && surroundings() == here, name + when);
      if (own) poll();
      convk_emulator_image(cudaErrorNoKernelImageForDevice);
      check(call.run(&hw, &got) == CONVK_ERR_DEVICE && strstr(hw.message, "no kernel image"), name + ", no launch" + when);
      convk_emulator_image(cudaSuccess);
      check(pending(1) && surroundings() == here, name + ", no launch" + when + ": what is left");
    }
  }
  convk_close(&hw);
  for (const host_call &call : host_calls)
    for (int own = 0; own < 2; own++) { /* a new handle has no memory yet */
      values got;
      must(!convk_open(&hw, "cuda:1"), "cuda:1");
      convk_emulator_memory_limit(1);
      if (own) poll();
      const int status = call.run(&hw, &got);
      convk_emulator_memory_limit((size_t)2 << 30);
      check(status == CONVK_ERR_MEMORY && !strcmp(hw.message, "out of memory") &&
                (cudaGetLastError() != cudaSuccess) == (own != 0),
            std::string(call.name) + " on host arrays, no memory");
      convk_close(&hw);
    }
}

/* Before anything else is done: no device has a context. */
static void test_contexts() {
  const surroundings nothing;
  convk hw;
  values out;
  must(!nothing.active[0] && !nothing.active[1] && !nothing.context, "no context at first");
  convk_emulator_capability(6, 1);
  check(convk_open(&hw, "cuda:1") == CONVK_ERR_HW_MACHINE && strstr(hw.message, "sm_70") && surroundings() == nothing,
        "contexts: a device that is too old");
  convk_emulator_capability(7, 0);
  must(!convk_open(&hw, "cuda:1"), "sm_70");
  convk_close(&hw);
  convk_emulator_capability(9, 0);
  check(convk_open(&hw, "cuda:1") == 0, "contexts: device 1");
  for (const host_call &call : host_calls) check(call.run(&hw, &out) == 0, std::string("contexts: ") + call.name);
  convk_close(&hw);
  const surroundings after;
  check(!after.active[0] && after.active[1] && !after.retained[1], "contexts: device 0 has none, and device 1 is let go");
  check(!after.context && !after.device, "contexts: the thread has none");
  check(cudaGetLastError() == cudaSuccess, "contexts: no error");
}

/* Where a program has no machine code for a device, it can go on with a processor. */
static void test_images() {
  static const cudaError_t errors[] = {cudaErrorNoKernelImageForDevice, cudaErrorInvalidDeviceFunction};
  for (const cudaError_t error : errors)
    for (int own = 0; own < 2; own++) {
      const size_t objects = convk_emulator_live_objects();
      const surroundings here;
      convk hw;
      if (own) poll();
      convk_emulator_image(error);
      check(convk_open(&hw, "cuda:0") == CONVK_ERR_HW_MACHINE && !strcmp(hw.message, cudaGetErrorString(error)),
            std::string("images: ") + cudaGetErrorName(error));
      convk_emulator_image(cudaSuccess);
      const surroundings after;
      check(after.context == here.context && after.device == here.device && after.retained[0] == here.retained[0] &&
                convk_emulator_live_objects() == objects && (cudaGetLastError() != cudaSuccess) == (own != 0),
            "images: nothing is left");
    }
}

/* Threads whose transforms need much and little shared memory of one kernel. */
static void test_shared_memory(size_t fixed) {
  static const size_t sizes[2] = {100, 64};
  int status[2] = {-1, -1};
  const auto work = [&](int i) {
    convk hw;
    values out;
    status[i] = convk_open(&hw, "cuda:0");
    for (int k = 0; k < 3 && !status[i]; k++) status[i] = host_fft(&hw, sizes[i], &out);
    convk_close(&hw);
  };
  std::thread other([&] { work(1); });
  work(0);
  other.join();
  check(!status[0] && !status[1], "shared memory: two threads");
  check(convk_emulator_least_shared() == convk_emulator::kSharedBytesOptIn - fixed,
        "shared memory: what is asked for is always what the device grants");
}
#endif

#define RESIDENT(name) convk_cuda_##name
#define convk_cuda_sepconv_epilogue_f64 convk_sepconv_epilogue_f64
#define RESIDENT_ON convk_cuda_stream
#define RESIDENT_SAID on->message
#define RESIDENT_ARRAY(type) type *
#define RESIDENT_NONE NULL
#define RESIDENT_AT(type, array, k) ((array) + (k))
#define RESIDENT_ONLY_CL(...)
static void resident_refused(int good, const char *what, const char *why) {
  if (!good) check(false, std::string("refusals: ") + what + ": " + why);
}
#include "resident_sepconv.h"
#include "resident_dwt.h"
#define convk_cuda_points convk_points_f64
#define convk_cuda_vgl convk_vgl_f64
#include "resident_gaussian.h"
static void send_plan(convk_cuda_stream *, void *there, const void *plan, size_t bytes) {
  must(!cudaMemcpy(there, plan, bytes, cudaMemcpyHostToDevice), "a plan");
}

static void test_refusals() {
  const on_device<double> x(4 * RESIDENT_N), y(4 * RESIDENT_N), v(4 * RESIDENT_N), density(4 * RESIDENT_N), sums(2);
  const on_device<char> work(RESIDENT_WORK);
  convk_cuda_stream on = convk_cuda_stream();
  resident_sepconv(&on, x.p, y.p, v.p, density.p, sums.p, work.p);
  resident_dwt(&on, x.p, y.p, work.p);
  const on_device<double> exponents(std::vector<double>(3, -1.0)), zeros(std::vector<double>(4 * RESIDENT_N, 0.5));
  resident_gaussian(&on, zeros.p, y.p, v.p, work.p, exponents.p, send_plan);
  must(!cudaDeviceSynchronize(), "refusals");
  check(true, "refusals");
}

/* Kernels that a graph starts. */
static size_t kernels_of(cudaGraph_t graph) {
  size_t count = 0;
#ifdef __CUDACC__
  must(!cudaGraphGetNodes(graph, NULL, &count), "nodes");
#else
  count = graph->nodes.size();
#endif
  must(!cudaGraphDestroy(graph), "graph");
  return count;
}

/* Tuned entries of a handle decide how its calls run, and those on device arrays that are shown it; with the same bits. */
static void test_tuned() {
  const size_t n = 20, points = n * n * n;
  const convk_stencil7_shape torus = {{n, n, n, 0, 0},
                                      {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC}};
  const convk_stencil7_coefficients_f64 c = convk_stencil7_isotropic_f64(0.4, 0.1);
  const std::vector<double> in = numbers<double>(points);
  convk_cuda_stream on = convk_cuda_stream();
  convk_tuned entry;
  convk hw, closed;
  std::vector<double> a, b, want;
  double *result = NULL;
  const auto host = [&] {
    a = in, b = in;
    must(!convk_stencil7_f64(&hw, &torus, &c, 8, &a[0], &b[0], &result, NULL, 0), "stencil7");
    return std::vector<double>(result, result + points);
  };
  const on_device<double> x(in), y(in);
  const auto passes = [&] {
    return kernels_of(captured([&] {
      on.stream = stream;
      return convk_cuda_stencil7_f64(&on, &torus, &c, 8, x.p, y.p, &result, NULL, 0);
    }));
  };
  memset(&closed, 0, sizeof closed);
  memset(&entry, 0, sizeof entry);
  must(!convk_open(&hw, "cuda:0"), "open");
  want = host();
  strcpy(entry.operation, "stencil7");
  strcpy(entry.type, "f64");
  strcpy(entry.hw, "cuda");
  memcpy(entry.machine, hw.machine, sizeof entry.machine);
  entry.threads = 1;
  entry.nx = entry.ny = entry.nz = n;
  entry.length = 8;
  entry.choice[CONVK_TUNE_STEPS] = 1;
  hw.tuned = &entry;
  hw.ntuned = 1;
  check(host() == want, "tuned: the same bits");
  check(passes() == 4,
        "tuned: calls on device arrays do not know the handle"); /* three steps at once, an even number of times */
  on.hw = &hw;
  check(passes() == 8, "tuned: calls on device arrays use the handle's entry");
  on.stencil.steps = 4;
  check(passes() == 2, "tuned: by hand, before the entry");
  on.stencil.steps = 0;
  entry.machine[0]++;
  check(passes() == 4, "tuned: an entry of another device does not count");
  on.hw = &closed;
  check(convk_cuda_stencil7_f64(&on, &torus, &c, 8, x.p, y.p, &result, NULL, 0) == CONVK_ERR_HANDLE &&
            strstr(on.message, "on->hw"),
        "tuned: a handle that is not open");
  convk_close(&hw);
}

#ifndef __CUDACC__
/* A sweep starts as many blocks as fill a device evenly: here the time of a thread is 1, so that busy[1] is how many threads ran. */
static void test_blocks() {
  const size_t ny = 256, nz = 8, rows[] = {256, 200};
  const size_t threads[] = {2 * 2 * 8 * 512, 7 * 9 * 256}; /* two parts along z of 2 x 8 tiles; and 7 x 9 of 30 x 30 points */
  double busy[3];
  convk_emulator_processors(32);
  for (int i = 0; i < 2; i++) {
    const convk_grid3 g = {rows[i], ny, nz, 0, 0};
    const convk_stencil7_shape shape = fixed_ends(&g);
    const convk_stencil7_coefficients_f64 c = convk_stencil7_isotropic_f64(0.4, 0.1);
    const on_device<double> x(rows[i] * ny * nz), y(rows[i] * ny * nz);
    double *result = NULL;
    convk_emulator_timeline(true, true, 1.0);
    must(!convk_cuda_stencil7_f64(on_stream(), &shape, &c, 1, x.p, y.p, &result, NULL, 0), "stencil7");
    (void)convk_emulator_took(busy);
    convk_emulator_timeline(false, false, 0);
    check(busy[1] == (double)threads[i], "blocks of a sweep over " + std::to_string(rows[i]) + " points a row");
  }
  convk_emulator_processors(2);
}
#endif

int main() {
#ifndef __CUDACC__
  const size_t fixed = 1024;
  convk_emulator_static_shared(fixed);
  test_contexts();
  test_images();
  test_shared_memory(fixed);
  test_host_arrays();
  test_blocks();
#endif
#ifndef __CUDACC__
  opt.quick = 1; /* how long the device is kept busy */
#endif
  test_graphs<double>("f64", "c64");
  test_graphs<float>("f32", "c32");
  test_turns();
  test_refusals();
  test_tuned();
  test_devices();
  test_not_ready();
#ifndef __CUDACC__
  check(convk_emulator_live_objects() == 0, "nothing left");
#endif
  printf("%d failed\n", failures);
  return failures ? 1 : 0;
}
