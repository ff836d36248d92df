/* The calls on device arrays as programs use them: captured in a graph, on several streams, devices and host threads, each with
   the bits of the plain call.  In the emulator, which checks what a capture allows and whose memory is used. */
#define BENCH_CUDA_PARTS
#include "bench/bench_cuda.cu"

#include <thread>

static int failures;

static void check(bool passed, const std::string &name) {
  printf("%s %s\n", passed ? "ok" : "FAIL", name.c_str());
  if (!passed) failures++;
}

/* All bytes of device memory. */
typedef std::vector<std::vector<unsigned char>> contents;
static contents save() {
  contents all;
  for (const auto &a : convk_emulator::engine().allocations) {
    const convk_emulator::GuardedMemory &m = *a.second.memory;
    all.push_back(std::vector<unsigned char>(m.data(), m.data() + m.size()));
  }
  return all;
}
static void restore(const contents &all) {
  size_t i = 0;
  for (const auto &a : convk_emulator::engine().allocations) {
    std::copy(all[i].begin(), all[i].end(), a.second.memory->data());
    i++;
  }
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

/* Two calls on streams of their own, whose kernels run in turns: nothing of a call under way may lie in what they share. */
static void test_turns() {
  const convk_grid3 g = {21, 17, 19, 0, 0};
  const size_t points = g.nx * g.ny * g.nz;
  std::vector<double> in[2] = {numbers<double>(points), numbers<double>(points)};
  for (size_t i = 0; i < points; i++) in[1][i] = 1 - in[1][i] * in[1][i];
  const on_device<double> v(numbers<double>(points)), x0(in[0]), x1(in[1]), y0(points), y1(points), sums0(2), sums1(2);
  const double *const x[2] = {x0.p, x1.p};
  double *const y[2] = {y0.p, y1.p}, *const sums[2] = {sums0.p, sums1.p};
  size_t bytes = 0;
  potential_apply(&g, v.p, x[0], y[0], sums[0], NULL, &bytes);
  const on_device<char> work0(bytes), work1(bytes);
  char *const work[2] = {work0.p, work1.p};
  std::vector<double> want[2], energy(2);
  cudaGraph_t graph[2];
  for (int i = 0; i < 2; i++) {
    must(!potential_apply(&g, v.p, x[i], y[i], sums[i], work[i], &bytes), "potential_apply");
    want[i].assign(y[i], y[i] + points);
    energy[(size_t)i] = *sums[i];
    memset(y[i], 0, points * sizeof(double));
    memset(work[i], 0xff, bytes);
    *sums[i] = 0;
    graph[i] = captured([&] { return potential_apply(&g, v.p, x[i], y[i], sums[i], work[i], &bytes); });
    must(graph[i] != NULL, "capture of potential_apply");
  }
  check(graph[0]->nodes.size() > 3, "turns: several kernels");
  for (size_t n = 0; n < graph[0]->nodes.size(); n++)
    for (int i = 0; i < 2; i++) graph[i]->nodes[n]();
  for (int i = 0; i < 2; i++) {
    check(!memcmp(y[i], &want[i][0], points * sizeof(double)) && !memcmp(sums[i], &energy[(size_t)i], sizeof(double)),
          "turns: call " + std::to_string(i));
    cudaGraphDestroy(graph[i]);
  }
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
  int status[2];
  for (int i = 0; i < 2; i++) must(!work_on(0, 0.25 * i, &alone[i]), "calls on one device");
  check(!(alone[0] == alone[1]), "devices: two different problems");
  check(alone[0].filtered == alone[0].resident, "devices: host and device arrays");
  std::thread other([&] { status[1] = work_on(1, 0.25, &together[1]); });
  status[0] = work_on(0, 0, &together[0]);
  other.join();
  for (int i = 0; i < 2; i++)
    check(!status[i] && together[i] == alone[i], "devices: a handle and a thread for device " + std::to_string(i));
  std::thread second([&] { status[1] = work_on(0, 0.25, &together[1]); });
  status[0] = work_on(0, 0, &together[0]);
  second.join();
  for (int i = 0; i < 2; i++)
    check(!status[i] && together[i] == alone[i], "devices: two handles of one device, thread " + std::to_string(i));

  const convk_grid3 g = {9, 8, 7, 0, 0};
  const int periodic[3] = {CONVK_PERIODIC, CONVK_PERIODIC, CONVK_PERIODIC};
  const size_t bytes = magicfilter_work(&g, periodic, 0.0);
  const on_device<double> x(numbers<double>(504)), y(504);
  const on_device<char> work(bytes);
  must(!cudaSetDevice(1), "device 1");
  check(magicfilter(&g, periodic, x, y, work, bytes) == CONVK_ERR_DEVICE, "devices: memory of another one is an error");
  convk_emulator_clear_errors();
  must(!cudaSetDevice(0), "device 0");
}

int main() {
  test_graphs<double>("f64", "c64");
  test_graphs<float>("f32", "c32");
  test_turns();
  test_devices();
  check(convk_emulator_live_objects() == 0, "nothing left");
  printf("%d failed\n", failures);
  return failures ? 1 : 0;
}
