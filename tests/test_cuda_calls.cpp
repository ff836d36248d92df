/* The calls on device arrays as programs use them: captured in a graph, on several streams, devices and host threads, each with
   the bits of the plain call.  In the emulator, which checks what a capture allows and whose memory is used, and on a device:
     nvcc -x cu -O2 -arch=native -Xcompiler -ffp-contract=off -I. tests/test_cuda_calls.cpp -o cuda_calls */
#ifndef __CUDACC__
#include "cuda_emulator.h"
#endif
#include "convk_cuda.h"
#include "tracked_memory.h"
#define BENCH_CUDA_PARTS
#include "bench/bench_cuda.cu"

#include <thread>

static int failures;

static void check(bool passed, const std::string &name) {
  printf("%s %s\n", passed ? "ok" : "FAIL", name.c_str());
  if (!passed) failures++;
}

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
  call_others<T>(type, 21, 17, 19);
  call_maps<T>(type, 1000);
  call_gridpot<T>(type, 300, 9);
  call_orbitals<T>(type, 100, 3);
  call_formfactor<T>(type, 2, few);
  for (size_t m = 16; m <= 256; m *= 4) call_fft<T>(complex, type, m, 1);
  call_pairs<T>(type, 20, 3);
  call_pairs<T>(type, 300, 1);
  call_moves<T>(type, 20, 3);
  call_sweeps<T>(type, 20, 2);
  call_sweeps<T>(type, 300, 1);
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
  const int periodic[3] = {CONVK_PERIODIC, CONVK_PERIODIC, CONVK_PERIODIC};
  const size_t points = g.nx * g.ny * g.nz, bytes = magicfilter_work(&g, periodic, 0.0);
  const std::vector<double> in = numbers<double>(points);
  const on_device<double> x(in), y(points), out(1);
  const on_device<char> work(bytes);
  std::vector<double> got(points);
  cudaEvent_t done;
  convk hw;
  must(!convk_open(&hw, "cuda:0") && !cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) && !cudaEventCreate(&done),
       "event");
  cudaStream_t own = stream, busy;
  must(!cudaStreamCreateWithFlags(&busy, cudaStreamNonBlocking), "stream");
  must(!magicfilter(&g, periodic, x, y, work, bytes) && !cudaStreamSynchronize(own), "magicfilter3d");
  const std::vector<double> want = y.back(0, points);
  must(!cudaMemset(y.p, 0, points * sizeof(double)) && !cudaDeviceSynchronize(), "fill");
  for (int on_host = 0; on_host < 2; on_host++) {
    for (int k = 0; k < 50; k++) {
      peak_of<double> most(out);
      CONVK_CUDA_LAUNCH_(peak<double>, dim3(most.blocks), dim3(256), 0, busy, most.args);
    }
    must(!cudaEventRecord(done, busy), "event");
    if (cudaEventQuery(done) != cudaErrorNotReady) {
      printf("skipped: no event says that it is not ready\n");
      break;
    }
    const int status = on_host ? convk_magicfilter3d_f64(&hw, &g, &g, CONVK_FORWARD, periodic, NULL, &in[0], &got[0], NULL, 0)
                               : magicfilter(&g, periodic, x, y, work, bytes);
    const cudaError_t left = cudaGetLastError();
    const std::string name = on_host ? "not ready, host arrays" : "not ready, device arrays";
    check(status == 0, name + ": the call");
    check(left == cudaErrorNotReady, name + ": the program's error is left to it");
    must(!cudaDeviceSynchronize(), "magicfilter3d");
    check((on_host ? got : y.back(0, points)) == want, name + ": its bits");
  }
  stream = NULL;
  must(!cudaStreamDestroy(own) && !cudaStreamDestroy(busy) && !cudaEventDestroy(done), "stream");
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
  const int periodic[3] = {CONVK_PERIODIC, CONVK_PERIODIC, CONVK_PERIODIC};
  const size_t points = g.nx * g.ny * g.nz, particles = 300, walkers = 2;
  const std::string name = "cuda:" + std::to_string(device);
  const convk_pair_system system = helium(particles);
  const convk_walkers all = {walkers, 0, 0};
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
    status = convk_magicfilter3d_f64(&hw, &g, &g, CONVK_FORWARD, periodic, NULL, &x[0], &r->filtered[0], NULL, 0);
    if (!status)
      status = convk_pair_energy_f64(&hw, &system, &all, CONVK_PAIR_ALL, &at[0], &r->energy[0], &r->gradient[0], NULL, 0);
  }
  convk_close(&hw);
  if (status || cudaSetDevice(device) != cudaSuccess) return status ? status : -1;
  {
    const size_t bytes = magicfilter_work(&g, periodic, 0.0);
    const on_device<double> there(x), out(points);
    const on_device<char> work(bytes);
    status = magicfilter(&g, periodic, there, out, work, bytes);
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
  const int periodic[3] = {CONVK_PERIODIC, CONVK_PERIODIC, CONVK_PERIODIC};
  const size_t bytes = magicfilter_work(&g, periodic, 0.0);
  const on_device<double> x(numbers<double>(504)), y(504);
  const on_device<char> work(bytes);
  must(!cudaSetDevice(1), "device 1");
  check(magicfilter(&g, periodic, x, y, work, bytes) == CONVK_ERR_DEVICE, "devices: memory of another one is an error");
  convk_emulator_clear_errors();
  must(!cudaSetDevice(0), "device 0");
#endif
}

int main() {
#ifndef __CUDACC__
  opt.quick = 1; /* how long the device is kept busy */
#endif
  test_graphs<double>("f64", "c64");
  test_graphs<float>("f32", "c32");
  test_turns();
  test_devices();
  test_not_ready();
#ifndef __CUDACC__
  check(convk_emulator_live_objects() == 0, "nothing left");
#endif
  printf("%d failed\n", failures);
  return failures ? 1 : 0;
}
