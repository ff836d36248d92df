// Tests of the CUDA emulator itself. Some of them provoke the errors that it
// detects, so messages on stderr are expected.

#include "cuda_emulator.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

namespace {

int failures = 0;

void check(bool passed, const char* name) {
  std::printf("%s %s\n", passed ? "ok" : "FAIL", name);
  if (!passed) ++failures;
}

template <class T>
T* device_array(const std::vector<T>& values) {
  T* device = nullptr;
  cudaMalloc(&device, values.size() * sizeof(T));
  cudaMemcpy(device, values.data(), values.size() * sizeof(T),
             cudaMemcpyHostToDevice);
  return device;
}

template <class T>
std::vector<T> host_array(const T* device, size_t count) {
  std::vector<T> values(count);
  cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  return values;
}

const int kThreads = 128;
const int kOrders[3] = {CONVK_EMULATOR_FORWARD, CONVK_EMULATOR_REVERSED,
                        CONVK_EMULATOR_SHUFFLED};

// Sums the 128 inputs of each block.
template <bool kBarriers>
__global__ void __launch_bounds__(kThreads)
    reduce(const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float partial[kThreads];
  const unsigned t = threadIdx.x;
  partial[t] = __ldg(&in[blockIdx.x * blockDim.x + t]);
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    if (kBarriers) __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

template <bool kBarriers>
std::vector<float> reduce_in_order(int order) {
  std::vector<float> in(3 * kThreads);
  for (size_t i = 0; i < in.size(); ++i) in[i] = float(i % 11);
  convk_emulator_order(order, 7);
  const float* const from = device_array(in);
  float* const to = device_array(std::vector<float>(3));
  convk_emulated_launch(reduce<kBarriers>, 3, kThreads, 0, nullptr, from, to);
  const std::vector<float> result = host_array(to, 3);
  cudaFree(const_cast<float*>(from));
  cudaFree(to);
  convk_emulator_order(CONVK_EMULATOR_FORWARD, 0);
  return result;
}

void test_reduction() {
  std::vector<float> expected(3, 0.0f);
  for (int i = 0; i < 3 * kThreads; ++i) {
    expected[size_t(i / kThreads)] += float(i % 11);
  }
  check(reduce_in_order<true>(kOrders[0]) == expected, "reduction_forward");
  check(reduce_in_order<true>(kOrders[1]) == expected, "reduction_reversed");
  check(reduce_in_order<true>(kOrders[2]) == expected, "reduction_shuffled");
  check(cudaGetLastError() == cudaSuccess, "reduction_no_error");

  const std::vector<float> forward = reduce_in_order<false>(kOrders[0]);
  const std::vector<float> reversed = reduce_in_order<false>(kOrders[1]);
  const std::vector<float> shuffled = reduce_in_order<false>(kOrders[2]);
  check(forward != reversed && forward != shuffled, "missing_barrier_exposed");
}

__global__ void record_order(int* counter, int* order) {
  order[atomicAdd(counter, 1)] = int(threadIdx.x + blockDim.x * threadIdx.y);
  __syncthreads();
  order[atomicAdd(counter, 1)] = int(threadIdx.x + blockDim.x * threadIdx.y);
}

std::vector<int> recorded_order(int mode, unsigned seed) {
  convk_emulator_order(mode, seed);
  int* const counter = device_array(std::vector<int>(1));
  int* const order = device_array(std::vector<int>(16));
  convk_emulated_launch(record_order, 1, dim3(4, 2), 0, nullptr, counter,
                        order);
  const std::vector<int> result = host_array(order, 16);
  cudaFree(counter);
  cudaFree(order);
  convk_emulator_order(CONVK_EMULATOR_FORWARD, 0);
  return result;
}

void test_orders() {
  const std::vector<int> forward = recorded_order(kOrders[0], 0);
  const std::vector<int> reversed = recorded_order(kOrders[1], 0);
  const std::vector<int> shuffled = recorded_order(kOrders[2], 1);
  bool as_expected = true;
  for (size_t i = 0; i < 16; ++i) {
    as_expected = as_expected && forward[i] == int(i % 8) &&
                  reversed[i] == 7 - int(i % 8);
  }
  check(as_expected, "order_forward_and_reversed");
  check(shuffled != forward && shuffled == recorded_order(kOrders[2], 1) &&
            shuffled != recorded_order(kOrders[2], 2) &&
            !std::equal(shuffled.begin(), shuffled.begin() + 8,
                        shuffled.begin() + 8),
        "order_shuffled_by_seed_and_interval");
}

// A warp writes its results into what the warp before it still reads, with a
// barrier of the warp alone between its own reads and writes.
__global__ void runs_ahead(float* data) {
  __shared__ float row[kThreads + 32];
  const unsigned t = threadIdx.x;
  row[t] = data[t];
  if (t < 32) row[kThreads + t] = 0;
  __syncthreads();
  const float sum = row[t] + row[t + 31];
  __syncwarp();
  row[t] = sum;
  data[t] = sum;
}

std::vector<float> ran_ahead(int schedule, int order, unsigned seed) {
  std::vector<float> in(kThreads);
  for (size_t i = 0; i < in.size(); ++i) in[i] = float(i);
  convk_emulator_order(order, seed);
  convk_emulator_schedule(schedule, 0);
  float* const data = device_array(in);
  convk_emulated_launch(runs_ahead, 1, kThreads, 0, nullptr, data);
  const std::vector<float> result = host_array(data, in.size());
  cudaFree(data);
  convk_emulator_order(CONVK_EMULATOR_FORWARD, 0);
  convk_emulator_schedule(CONVK_EMULATOR_LAZY, 0);
  return result;
}

// Which warps come to an end first, where each lane meets its warp three times.
__global__ void record_ends(int* counter, int* order) {
  for (int i = 0; i < 3; ++i) __syncwarp();
  if (threadIdx.x % 32 == 0) order[atomicAdd(counter, 1)] = int(threadIdx.x / 32);
}

std::vector<int> recorded_ends(int schedule, int mode, unsigned seed) {
  convk_emulator_order(mode, seed);
  convk_emulator_schedule(schedule, 0);
  int* const counter = device_array(std::vector<int>(1));
  int* const order = device_array(std::vector<int>(4));
  convk_emulated_launch(record_ends, 1, kThreads, 0, nullptr, counter, order);
  const std::vector<int> result = host_array(order, 4);
  cudaFree(counter);
  cudaFree(order);
  convk_emulator_order(CONVK_EMULATOR_FORWARD, 0);
  convk_emulator_schedule(CONVK_EMULATOR_LAZY, 0);
  return result;
}

void test_schedules() {
  std::vector<float> expected(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    expected[size_t(i)] = float(i + (i + 31 < kThreads ? i + 31 : 0));
  }
  const int forward = CONVK_EMULATOR_FORWARD, reversed = CONVK_EMULATOR_REVERSED;
  check(ran_ahead(CONVK_EMULATOR_LAZY, forward, 0) == expected &&
            ran_ahead(CONVK_EMULATOR_LAZY, reversed, 0) == expected,
        "lazy_warps_hide_who_runs_ahead");
  check(ran_ahead(CONVK_EMULATOR_GREEDY, reversed, 0) != expected,
        "greedy_warps_show_who_runs_ahead");
  unsigned random = 0;
  bool starved = false;
  for (unsigned seed = 0; seed < 20; ++seed) {
    random += ran_ahead(CONVK_EMULATOR_RANDOM, forward, seed) != expected;
    starved = starved ||
              ran_ahead(CONVK_EMULATOR_STARVED, forward, seed) != expected;
  }
  check(random >= 5, "random_warps_show_who_runs_ahead");
  check(starved, "a_starved_warp_shows_who_runs_ahead");

  std::vector<int> ends[8];
  for (unsigned seed = 0; seed < 8; ++seed) {
    ends[seed] = recorded_ends(CONVK_EMULATOR_STARVED, forward, seed);
  }
  bool last = true, others = false;
  for (const std::vector<int>& e : ends) {
    last = last && std::is_sorted(e.begin(), e.end() - 1);
    others = others || e[3] != ends[0][3];
  }
  check(last && others, "the_starved_warp_comes_last");
  const std::vector<int> greedy =
      recorded_ends(CONVK_EMULATOR_GREEDY, reversed, 0);
  check(greedy == std::vector<int>({3, 2, 1, 0}), "greedy_reversed");
  check(recorded_ends(CONVK_EMULATOR_RANDOM, forward, 1) ==
                recorded_ends(CONVK_EMULATOR_RANDOM, forward, 1) &&
            recorded_order(kOrders[0], 0) == recorded_order(kOrders[0], 1),
        "a_seed_shows_the_same_again");
  convk_emulator_order(reversed, 5);
  convk_emulator_schedule(CONVK_EMULATOR_GREEDY, 7);
  check(std::strcmp(convk_emulator_name(),
                    "greedy,reversed,seed=5,preempt=7") == 0,
        "the_name_of_a_schedule");
  convk_emulator_order(forward, 0);
  convk_emulator_schedule(CONVK_EMULATOR_LAZY, 0);
}

// What another thread put there is there only once it has waited for it.
__global__ void copies(const float* from, float* early, float* late) {
  __shared__ __align__(16) float row[4 * 32];
  const unsigned t = threadIdx.x;
  convk_emulated_copy_async(row + 4 * t, from + 4 * t, 16);
  early[t] = row[4 * t];
  convk_emulated_copies_wait();
  __syncthreads();
  late[t] = row[4 * ((t + 1) % 32) + 3];
}

void test_copies() {
  std::vector<float> in(128);
  for (size_t i = 0; i < in.size(); ++i) in[i] = float(i);
  const float* const from = device_array(in);
  float* const early = device_array(std::vector<float>(32));
  float* const late = device_array(std::vector<float>(32));
  convk_emulated_launch(copies, 1, 32, 0, nullptr, from, early, late);
  const std::vector<float> before = host_array(early, 32);
  const std::vector<float> after = host_array(late, 32);
  bool none = true, all = true;
  for (size_t t = 0; t < 32; ++t) {
    none = none && std::isnan(before[t]);
    all = all && after[t] == in[4 * ((t + 1) % 32) + 3];
  }
  check(none, "a_copy_is_late");
  check(all, "a_copy_that_is_waited_for");
  cudaFree(const_cast<float*>(from));
  cudaFree(early);
  cudaFree(late);
}

__global__ void half_returns(int* data) {
  if (threadIdx.x >= 32) return;
  __syncthreads();
  data[threadIdx.x] = 1;
}

__global__ void two_barriers(int* data) {
  if (threadIdx.x % 2 == 0) {
    __syncthreads();
    data[threadIdx.x] = 1;
  } else {
    __syncthreads();
    data[threadIdx.x] = 2;
  }
}

__global__ void warp_against_block(int* data) {
  if (threadIdx.x == 3) {
    __syncthreads();
  } else {
    __syncwarp();
  }
  data[threadIdx.x] = 1;
}

bool diverges(void (*kernel)(int*)) {
  bool sticky = true;
  for (int order = 0; order < 3; ++order) {
    convk_emulator_order(order, 3);
    int* const data = device_array(std::vector<int>(64));
    const unsigned before = convk_emulator_reports();
    convk_emulated_launch(kernel, 2, 64, 0, nullptr, data);
    sticky = sticky && convk_emulator_reports() == before + 1 &&
             cudaGetLastError() == cudaErrorLaunchFailure &&
             cudaGetLastError() == cudaErrorLaunchFailure &&
             cudaDeviceSynchronize() == cudaErrorLaunchFailure;
    cudaFree(data);
    convk_emulator_clear_errors();
  }
  convk_emulator_order(CONVK_EMULATOR_FORWARD, 0);
  return sticky && cudaDeviceSynchronize() == cudaSuccess;
}

void test_divergence() {
  check(diverges(half_returns), "divergent_barrier_after_return");
  check(diverges(two_barriers), "divergent_barrier_at_two_lines");
  check(diverges(warp_against_block), "divergent_barrier_warp_and_block");
  std::vector<float> result = reduce_in_order<true>(CONVK_EMULATOR_FORWARD);
  check(cudaGetLastError() == cudaSuccess && result[0] > 0.0f,
        "launch_after_divergence");
}

// Not instrumented, or AddressSanitizer would stop the program here.
__attribute__((no_sanitize_address)) __global__ void write_at(
    volatile char* data, int offset) {
  data[offset] = 1;
}

__attribute__((no_sanitize_address)) __global__ void write_shared_at(
    int offset) {
  volatile char* const data =
      static_cast<volatile char*>(convk_emulated_dynamic_shared());
  data[offset] = 1;
}

cudaError_t error_of_write(int offset) {
  char* data = nullptr;
  cudaMalloc(&data, 13);
  convk_emulated_launch(write_at, 1, 1, 0, nullptr, data, offset);
  const cudaError_t error = cudaFree(data);
  convk_emulator_clear_errors();
  return error;
}

cudaError_t error_of_shared_write(int offset) {
  convk_emulated_launch(write_shared_at, 1, 1, 13, nullptr, offset);
  const cudaError_t error = cudaDeviceSynchronize();
  convk_emulator_clear_errors();
  return error;
}

void test_guards() {
  check(error_of_write(0) == cudaSuccess && error_of_write(12) == cudaSuccess,
        "guard_zones_intact");
  check(error_of_write(13) == cudaErrorIllegalAddress, "guard_zone_after");
  check(error_of_write(-1) == cudaErrorIllegalAddress, "guard_zone_before");
  check(error_of_shared_write(12) == cudaSuccess &&
            error_of_shared_write(13) == cudaErrorIllegalAddress &&
            error_of_shared_write(12) == cudaSuccess,
        "guard_zone_of_shared_memory");
}

__global__ void shuffles(int* ints, double* doubles, float* floats,
                         unsigned* unsigneds) {
  const unsigned all = 0xffffffffu;
  const unsigned lane = threadIdx.x % 32;
  int sum = int(threadIdx.x);
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    sum += __shfl_down_sync(all, sum, delta);
  }
  ints[threadIdx.x] = __shfl_sync(all, sum, 0);
  double total = double(lane);
  for (int mask = 16; mask > 0; mask /= 2) {
    total += __shfl_xor_sync(all, total, mask);
  }
  doubles[threadIdx.x] = total;
  // Half of each warp on its own, in groups of eight.
  const unsigned half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
  floats[threadIdx.x] = __shfl_down_sync(half, float(lane), 4, 8);
  __syncwarp();
  unsigneds[threadIdx.x] = __ballot_sync(all, lane % 3 == 0) +
                           __shfl_up_sync(all, lane, 1) +
                           (__all_sync(all, lane < 32) ? 100u : 0u) +
                           (__any_sync(all, lane == 40) ? 1000u : 0u);
}

// In a block that ends inside a warp, the missing lanes give NaN.
__global__ void partial_warp(float* out) {
  if (threadIdx.x == 5) return;
  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, float(threadIdx.x), 1);
}

void test_shuffles() {
  bool passed = true;
  for (int order = 0; order < 3; ++order) {
    convk_emulator_order(order, 5);
    int* const ints = device_array(std::vector<int>(64));
    double* const doubles = device_array(std::vector<double>(64));
    float* const floats = device_array(std::vector<float>(64));
    unsigned* const unsigneds = device_array(std::vector<unsigned>(64));
    convk_emulated_launch(shuffles, 1, 64, 0, nullptr, ints, doubles, floats,
                          unsigneds);
    const std::vector<int> i = host_array(ints, 64);
    const std::vector<double> d = host_array(doubles, 64);
    const std::vector<float> f = host_array(floats, 64);
    const std::vector<unsigned> u = host_array(unsigneds, 64);
    for (size_t t = 0; t < 64; ++t) {
      const size_t lane = t % 32;
      const size_t moved = lane % 8 < 4 ? lane + 4 : lane;
      passed = passed && i[t] == (t < 32 ? 496 : 1520) &&
               u[t] == 0x49249249u + unsigned(lane == 0 ? 0 : lane - 1) + 100u;
      passed = passed && std::fabs(d[t] - 496.0) < 0.5 &&
               std::fabs(f[t] - float(moved)) < 0.5f;
    }
    cudaFree(ints);
    cudaFree(doubles);
    cudaFree(floats);
    cudaFree(unsigneds);
  }
  check(passed && cudaGetLastError() == cudaSuccess, "shuffles");

  float* const out = device_array(std::vector<float>(8));
  convk_emulated_launch(partial_warp, 1, 8, 0, nullptr, out);
  const std::vector<float> f = host_array(out, 8);
  check(std::fabs(f[0] - 1.0f) < 0.5f && std::isnan(f[4]) && std::isnan(f[7]) &&
            std::fabs(f[6] - 7.0f) < 0.5f,
        "shuffle_from_missing_lane");
  cudaFree(out);
  convk_emulator_order(CONVK_EMULATOR_FORWARD, 0);
}

__global__ void do_nothing() {}

cudaError_t error_of_launch(dim3 grid, dim3 block, size_t shared) {
  convk_emulated_launch(do_nothing, grid, block, shared, nullptr);
  const cudaError_t error = cudaPeekAtLastError();
  return cudaGetLastError() == error && cudaGetLastError() == cudaSuccess
             ? error
             : cudaErrorUnknown;
}

void test_launch_limits() {
  const cudaError_t refused = cudaErrorInvalidConfiguration;
  check(error_of_launch(1, 1024, 0) == cudaSuccess &&
            error_of_launch(1, 1025, 0) == refused &&
            error_of_launch(1, dim3(64, 32), 0) == refused &&
            error_of_launch(1, dim3(1, 1, 65), 0) == refused &&
            error_of_launch(1, 0, 0) == refused,
        "block_limits");
  check(error_of_launch(dim3(1, 65536), 1, 0) == refused &&
            error_of_launch(dim3(0), 1, 0) == refused &&
            error_of_launch(dim3(2147483648u), 1, 0) == refused,
        "grid_limits");
  const size_t kib = 1024;
  convk_emulator_static_shared(kib);  // which counts, too
  check(error_of_launch(1, 1, 47 * kib) == cudaSuccess &&
            error_of_launch(1, 1, 47 * kib + 1) == cudaErrorInvalidValue &&
            cudaFuncSetAttribute(do_nothing,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 226 * 1024) == cudaSuccess &&
            error_of_launch(1, 1, 226 * kib) == cudaSuccess &&
            error_of_launch(1, 1, 226 * kib + 1) == cudaErrorInvalidValue &&
            cudaFuncSetAttribute(do_nothing,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 227 * 1024) == cudaErrorInvalidValue &&
            cudaGetLastError() == cudaErrorInvalidValue,
        "shared_memory_limits");
  convk_emulator_static_shared(0);
}

__global__ void reverse(double* data, int* stale) {
  CONVK_EMULATED_DYNAMIC_SHARED(double, tile);
  double* const mine = data + blockIdx.x * blockDim.x;
  if (!std::isnan(tile[threadIdx.x])) *stale = 1;
  tile[threadIdx.x] = mine[threadIdx.x];
  __syncthreads();
  mine[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

void test_dynamic_shared() {
  std::vector<double> in(2 * 96);
  for (size_t i = 0; i < in.size(); ++i) in[i] = double(i);
  bool passed = true;
  for (int order = 0; order < 3; ++order) {
    convk_emulator_order(order, 11);
    double* const data = device_array(in);
    int* const stale = device_array(std::vector<int>(1));
    convk_emulated_launch(reverse, 2, 96, 96 * sizeof(double), nullptr, data,
                          stale);
    const std::vector<double> out = host_array(data, in.size());
    passed = passed && host_array(stale, 1)[0] == 0;
    for (size_t i = 0; i < in.size(); ++i) {
      passed = passed && int(out[i]) == int(i / 96 * 96 + 95 - i % 96);
    }
    cudaFree(data);
    cudaFree(stale);
  }
  convk_emulator_order(CONVK_EMULATOR_FORWARD, 0);
  check(passed && cudaGetLastError() == cudaSuccess, "dynamic_shared_memory");
}

__global__ void count(int* i, unsigned long long* u, float* f, double* d) {
  atomicAdd(i, 1);
  atomicAdd(u, 1ull << 32);
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
}

void test_atomics() {
  int* const i = device_array(std::vector<int>(1));
  unsigned long long* const u =
      device_array(std::vector<unsigned long long>(1));
  float* const f = device_array(std::vector<float>(1));
  double* const d = device_array(std::vector<double>(1));
  convk_emulated_launch(count, dim3(2, 3, 4), dim3(8, 4, 2), 0, nullptr, i, u,
                        f, d);
  check(host_array(i, 1)[0] == 1536 && host_array(u, 1)[0] == 1536ull << 32 &&
            int(host_array(f, 1)[0]) == 768 && int(host_array(d, 1)[0]) == 384,
        "atomics");
  cudaFree(i);
  cudaFree(u);
  cudaFree(f);
  cudaFree(d);
}

// Each block of one thread; visits must be exactly one per block.
__global__ void visit(int* visits) {
  atomicAdd(&visits[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x +
                    blockIdx.x], 1);
}

void test_blocks() {
  bool passed = true;
  for (int order = 0; order < 3; ++order) {
    convk_emulator_order(order, 1234);
    int* const visits = device_array(std::vector<int>(60));
    convk_emulated_launch(visit, dim3(3, 4, 5), 1, 0, nullptr, visits);
    convk_emulated_launch(visit, 1, 1, 0, nullptr, visits);
    std::vector<int> expected(60, 1);
    expected[0] = 2;
    passed = passed && host_array(visits, 60) == expected;
    cudaFree(visits);
  }
  convk_emulator_order(CONVK_EMULATOR_FORWARD, 0);
  check(passed, "every_block_runs_once");
}

__constant__ float weights[4];

__global__ void arithmetic(float* out, double* exact) {
  const float a = 1.0f + 1.0f / 4096.0f;
  out[0] = __fmaf_rn(a, a, -__fmul_rn(a, a));
  out[1] = __fadd_rn(__fmul_rn(a, a), -__fmul_rn(a, a));
  out[2] = weights[2] + max(1.0f, min(3.0f, 2.0f));
  const double b = 1.0 + 1.0 / double(1 << 30);
  exact[0] = __fma_rn(b, b, -__dmul_rn(b, b));
  exact[1] = __dadd_rn(__dmul_rn(b, b), -__dmul_rn(b, b));
}

void test_arithmetic() {
  const float host[4] = {1.0f, 2.0f, 3.0f, 4.0f};
  check(cudaMemcpyToSymbol(weights, host, sizeof host) == cudaSuccess,
        "copy_to_symbol");
  float* const out = device_array(std::vector<float>(3));
  double* const exact = device_array(std::vector<double>(2));
  convk_emulated_launch(arithmetic, 1, 1, 0, nullptr, out, exact);
  const std::vector<float> f = host_array(out, 3);
  const std::vector<double> d = host_array(exact, 2);
  check(f[0] > 0.0f && !(f[1] > 0.0f) && !(f[1] < 0.0f) && int(f[2]) == 5 &&
            d[0] > 0.0 && !(d[1] > 0.0) && !(d[1] < 0.0),
        "fused_and_unfused");
  cudaFree(out);
  cudaFree(exact);
}

void test_memory() {
  float* data = nullptr;
  check(cudaMalloc(&data, 6 * sizeof(float)) == cudaSuccess &&
            std::isnan(data[0]) && std::isnan(data[5]),
        "fresh_memory_is_nan");
  float host[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  check(cudaMemcpy(data, host, 7 * sizeof(float), cudaMemcpyHostToDevice) ==
                cudaErrorInvalidValue &&
            cudaMemcpy(data, host, 4, cudaMemcpyDeviceToHost) ==
                cudaErrorInvalidValue &&
            cudaMemcpy(host, data + 6, 4, cudaMemcpyDeviceToHost) ==
                cudaErrorInvalidValue &&
            cudaMemset(data + 1, 0, 6 * sizeof(float)) ==
                cudaErrorInvalidValue,
        "copies_checked");
  // Two columns of a 3 x 3 matrix, there and back as one plane.
  check(cudaMemcpy2DAsync(data, 8, host + 1, 12, 8, 3, cudaMemcpyHostToDevice,
                          nullptr) == cudaSuccess,
        "copy_2d");
  cudaMemcpy3DParms box = cudaMemcpy3DParms();
  float back[4] = {0, 0, 0, 0};
  box.srcPtr = make_cudaPitchedPtr(data, 8, 2, 3);
  box.srcPos = make_cudaPos(4, 1, 0);
  box.dstPtr = make_cudaPitchedPtr(back, 4, 1, 2);
  box.extent = make_cudaExtent(4, 2, 1);
  box.kind = cudaMemcpyDeviceToHost;
  check(cudaMemcpy3DAsync(&box, nullptr) == cudaSuccess && int(back[0]) == 5 &&
            int(back[1]) == 8 && int(back[2]) == 0,
        "copy_3d");
  check(cudaFree(data) == cudaSuccess &&
            cudaFree(host) == cudaErrorInvalidValue &&
            cudaFree(nullptr) == cudaSuccess,
        "free");
  convk_emulator_memory_limit(1000);
  check(cudaMalloc(&data, 1001) == cudaErrorMemoryAllocation &&
            data == nullptr && cudaMalloc(&data, 1000) == cudaSuccess &&
            cudaFree(data) == cudaSuccess,
        "memory_limit");
  convk_emulator_memory_limit(size_t(1) << 31);
  int* pinned = nullptr;
  check(cudaMallocHost(&pinned, 16) == cudaSuccess &&
            cudaFree(pinned) == cudaErrorInvalidValue &&
            cudaFreeHost(pinned) == cudaSuccess,
        "pinned_memory");
  cudaGetLastError();
}

__global__ void add_to(double* data, double value) {
  data[threadIdx.x] += value;
}

cudaStream_t capturing_stream(unsigned flags) {
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, flags);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  return stream;
}

// Whether a call fails with this error, and the capture with the call.
template <class Call>
bool refused(cudaError_t error, unsigned flags, Call call) {
  const cudaStream_t stream = capturing_stream(flags);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaGraph_t graph = nullptr;
  bool passed = cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
                status == cudaStreamCaptureStatusActive;
  call(stream);
  passed = passed && cudaGetLastError() == error &&
           cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
           status == cudaStreamCaptureStatusInvalidated &&
           cudaStreamEndCapture(stream, &graph) ==
               cudaErrorStreamCaptureInvalidated &&
           graph == nullptr;
  cudaGetLastError();
  return cudaStreamDestroy(stream) == cudaSuccess && passed;
}

void test_capture() {
  const cudaError_t unsupported = cudaErrorStreamCaptureUnsupported;
  double* const data = device_array(std::vector<double>(8));
  double host[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  const size_t bytes = sizeof host;
  cudaEvent_t event = nullptr;
  cudaEventCreate(&event);
  check(refused(unsupported, cudaStreamNonBlocking,
                [](cudaStream_t) {
                  void* memory = nullptr;
                  cudaMalloc(&memory, 8);
                }),
        "capture_without_malloc");
  check(refused(unsupported, cudaStreamNonBlocking,
                [](cudaStream_t) { cudaFree(nullptr); }) &&
            refused(unsupported, cudaStreamNonBlocking,
                    [&](cudaStream_t) { cudaFreeHost(host); }),
        "capture_without_free");
  check(refused(unsupported, cudaStreamNonBlocking,
                [](cudaStream_t) { cudaDeviceSynchronize(); }) &&
            refused(unsupported, cudaStreamNonBlocking,
                    [](cudaStream_t stream) { cudaStreamSynchronize(stream); }) &&
            refused(unsupported, cudaStreamNonBlocking,
                    [](cudaStream_t stream) { cudaStreamQuery(stream); }) &&
            refused(unsupported, cudaStreamNonBlocking,
                    [&](cudaStream_t) { cudaEventSynchronize(event); }),
        "capture_without_waiting");
  check(refused(unsupported, cudaStreamNonBlocking,
                [&](cudaStream_t) {
                  cudaMemcpy(data, host, bytes, cudaMemcpyHostToDevice);
                }) &&
            refused(unsupported, cudaStreamNonBlocking,
                    [&](cudaStream_t) { cudaMemset(data, 0, bytes); }),
        "capture_without_copies_that_wait");
  check(refused(cudaErrorStreamCaptureImplicit, cudaStreamDefault,
                [&](cudaStream_t) {
                  convk_emulated_launch(add_to, 1, 8, 0, nullptr, data, 1.0);
                }),
        "capture_without_the_default_stream");
  check(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) ==
                unsupported &&
            cudaGetLastError() == unsupported,
        "no_capture_of_the_default_stream");

  const cudaStream_t stream = capturing_stream(cudaStreamNonBlocking);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  double value = 0.5;
  for (double& number : host) number = 1.0;
  cudaMemcpyAsync(data, host, bytes, cudaMemcpyHostToDevice, stream);
  convk_emulated_launch(add_to, 1, 8, 0, stream, data, value);
  value = 100.0;
  cudaMemcpyAsync(host, data, bytes, cudaMemcpyDeviceToHost, stream);
  cudaMemsetAsync(data, 0, bytes, stream);
  // Others may go on meanwhile, if they do not wait.
  convk_emulated_launch(add_to, 1, 8, 0, nullptr, data, 7.0);
  convk_emulated_launch(add_to, 1, 2048, 0, stream, data, value);
  check(cudaGetLastError() == cudaErrorInvalidConfiguration,
        "capture_checks_launches");
  check(cudaStreamEndCapture(stream, &graph) == cudaSuccess &&
            int(host[0]) == 1 && int(host_array(data, 8)[3]) == 7,
        "capture_runs_nothing");
  check(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess &&
            cudaGraphDestroy(graph) == cudaSuccess &&
            cudaGraphLaunch(executable, stream) == cudaSuccess &&
            int(2 * host[0]) == 3 && int(2 * host[7]) == 3 &&
            int(host_array(data, 8)[3]) == 0 &&
            cudaGraphLaunch(executable, nullptr) == cudaSuccess &&
            int(host[0]) == 2 && cudaGraphExecDestroy(executable) == cudaSuccess,
        "graph_runs_what_was_captured");
  check(cudaStreamEndCapture(stream, &graph) == cudaErrorIllegalState &&
            cudaGetLastError() == cudaErrorIllegalState &&
            cudaGraphLaunch(executable, stream) == cudaErrorInvalidValue &&
            cudaGetLastError() == cudaErrorInvalidValue,
        "no_capture_and_no_graph");
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  std::thread([&] {
    void* memory = nullptr;
    check(cudaMalloc(&memory, 8) == cudaSuccess && cudaFree(memory) == cudaSuccess,
          "capture_of_another_thread");
  }).join();
  check(cudaStreamEndCapture(stream, &graph) == cudaSuccess &&
            cudaGraphDestroy(graph) == cudaSuccess,
        "capture_of_this_thread");
  cudaStreamDestroy(stream);
  cudaEventDestroy(event);
  cudaFree(data);
}

void test_devices() {
  double* data[2] = {nullptr, nullptr};
  cudaStream_t stream[2] = {nullptr, nullptr};
  cudaEvent_t event = nullptr;
  int count = 0;
  int device = -1;
  bool passed = cudaGetDeviceCount(&count) == cudaSuccess && count == 2;
  for (int i = 0; i < 2; ++i) {
    passed = passed && cudaSetDevice(i) == cudaSuccess;
    data[i] = device_array(std::vector<double>(8));
    cudaStreamCreate(&stream[i]);
  }
  cudaEventCreate(&event);
  check(passed && cudaGetDevice(&device) == cudaSuccess && device == 1,
        "two_devices");
  std::thread([&] { cudaGetDevice(&device); }).join();
  check(device == 0, "device_of_a_new_thread");
  convk_emulated_launch(add_to, 1, 8, 0, stream[1], data[1], 3.0);
  check(cudaGetLastError() == cudaSuccess && int(host_array(data[1], 8)[7]) == 3,
        "memory_of_this_device");
  convk_emulated_launch(add_to, 1, 8, 0, stream[0], data[1], 3.0);
  check(cudaGetLastError() == cudaErrorInvalidResourceHandle,
        "stream_of_another_device");
  check(cudaEventRecord(event, stream[0]) == cudaErrorInvalidResourceHandle &&
            cudaGetLastError() == cudaErrorInvalidResourceHandle &&
            cudaEventRecord(event, stream[1]) == cudaSuccess,
        "event_of_another_device");
  convk_emulated_launch(add_to, 1, 8, 0, nullptr, data[0] + 7, 3.0);
  check(cudaGetLastError() == cudaErrorIllegalAddress &&
            cudaDeviceSynchronize() == cudaErrorIllegalAddress,
        "memory_of_another_device");
  convk_emulator_clear_errors();
  check(int(host_array(data[0], 8)[7]) == 0, "nothing_ran_there");
  cudaSetDevice(0);
  convk_emulated_launch(add_to, 1, 8, 0, nullptr, data[0], 4.0);
  check(cudaGetLastError() == cudaSuccess && int(host_array(data[0], 8)[7]) == 4,
        "back_on_the_first_device");
  for (int i = 0; i < 2; ++i) {
    cudaFree(data[i]);
    cudaStreamDestroy(stream[i]);
  }
  cudaEventDestroy(event);
}

// A launch with a list of pointers to its arguments.
void test_launch_of_a_list() {
  double* data = device_array(std::vector<double>(8));
  double value = 2.5;
  void* arguments[] = {&data, &value};
  const auto launch = [&](cudaStream_t stream, unsigned threads) {
    return cudaLaunchKernel(add_to, 1, threads, arguments, 0, stream);
  };
  check(launch(nullptr, 8) == cudaSuccess && launch(nullptr, 8) == cudaSuccess &&
            int(host_array(data, 8)[7]) == 5,
        "launch_of_a_list");
  convk_emulator_busy(1);
  check(cudaStreamQuery(nullptr) == cudaErrorNotReady &&
            cudaStreamQuery(nullptr) == cudaSuccess &&
            launch(nullptr, 8) == cudaSuccess &&
            cudaGetLastError() == cudaErrorNotReady &&
            cudaGetLastError() == cudaSuccess,
        "launch_while_an_error_is_pending");
  check(launch(nullptr, 2048) == cudaErrorInvalidConfiguration &&
            cudaGetLastError() == cudaErrorInvalidConfiguration,
        "launch_that_fails");
  convk_emulator_image(cudaErrorNoKernelImageForDevice);
  cudaFuncAttributes attributes;
  check(launch(nullptr, 8) == cudaErrorNoKernelImageForDevice &&
            cudaFuncGetAttributes(&attributes, add_to) ==
                cudaErrorNoKernelImageForDevice &&
            cudaGetLastError() == cudaErrorNoKernelImageForDevice,
        "no_image");
  convk_emulator_image(cudaSuccess);
  cudaSetDevice(1);
  check(launch(nullptr, 8) == cudaErrorIllegalAddress, "list_of_another_device");
  convk_emulator_clear_errors();
  cudaSetDevice(0);
  cudaFree(data);
}

void test_attributes() {
  const int optin = 227 * 1024;
  const int fixed = 1000;
  cudaFuncAttributes attributes;
  convk_emulator_static_shared(size_t(fixed));
  const bool before =
      cudaFuncGetAttributes(&attributes, add_to) == cudaSuccess &&
      attributes.maxDynamicSharedSizeBytes == 48 * 1024 - fixed &&
      attributes.sharedSizeBytes == size_t(fixed);
  const auto ask = [](int bytes) {
    return cudaFuncSetAttribute(
        add_to, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  };
  check(before && ask(optin) == cudaErrorInvalidValue &&
            cudaGetLastError() == cudaErrorInvalidValue &&
            ask(optin - fixed) == cudaSuccess &&
            convk_emulator_least_shared() <= size_t(optin - fixed) &&
            cudaFuncGetAttributes(&attributes, add_to) == cudaSuccess &&
            attributes.maxDynamicSharedSizeBytes == optin - fixed,
        "attributes_of_a_kernel");
  check(ask(100) == cudaSuccess && convk_emulator_least_shared() == 100,
        "least_shared_memory");
  convk_emulator_static_shared(0);
  int major = 0;
  convk_emulator_capability(6, 1);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 1);
  convk_emulator_capability(9, 0);
  check(major == 6, "compute_capability");
}

bool has_context(int device) {
  unsigned flags = 0;
  int active = 0;
  cuDevicePrimaryCtxGetState(device, &flags, &active);
  return active != 0;
}

// The thread's context, NULL if there is none.
CUcontext context_here() {
  CUcontext context = nullptr;
  cuCtxGetCurrent(&context);
  return context;
}

void test_contexts() {
  cudaDeviceReset();
  CUcontext primary = nullptr;
  CUcontext own = nullptr;
  CUcontext popped = nullptr;
  void* memory = nullptr;
  cudaStream_t stream = nullptr;
  int device = -1;
  std::thread([&] {
    cudaGetDevice(&device);
    check(device == 0 && context_here() == nullptr && !has_context(0) &&
              !has_context(1),
          "no_context_at_first");
    check(cuDevicePrimaryCtxRetain(&primary, 1) == CUDA_SUCCESS &&
              has_context(1) && context_here() == nullptr &&
              cuCtxPushCurrent(primary) == CUDA_SUCCESS &&
              cudaGetDevice(&device) == cudaSuccess && device == 1 &&
              cudaMalloc(&memory, 8) == cudaSuccess &&
              cudaFree(memory) == cudaSuccess && !has_context(0) &&
              cuCtxPopCurrent(&popped) == CUDA_SUCCESS && popped == primary &&
              context_here() == nullptr &&
              cudaGetDevice(&device) == cudaSuccess && device == 0 &&
              cuCtxPopCurrent(&popped) == CUDA_ERROR_INVALID_CONTEXT,
          "primary_context_pushed_and_popped");
    check(cuDevicePrimaryCtxRelease(1) == CUDA_SUCCESS &&
              cuDevicePrimaryCtxRelease(1) == CUDA_ERROR_INVALID_CONTEXT,
          "primary_context_released");
    check(cudaMalloc(&memory, 8) == cudaSuccess && has_context(0) &&
              context_here() != nullptr && cudaFree(memory) == cudaSuccess,
          "context_when_first_needed");
    cudaStreamCreate(&stream);
    cuCtxCreate(&own, 0, 0);  // on the device of the stream
    double value = 0.0;
    void* arguments[] = {&memory, &value};
    check(context_here() == own && cudaGetDevice(&device) == cudaSuccess &&
              device == 0 &&
              cudaLaunchKernel(add_to, 1, 1, arguments, 0, stream) ==
                  cudaErrorInvalidResourceHandle,
          "own_context");
    cudaSetDevice(1);
    check(context_here() == primary, "own_context_is_replaced");
    cuCtxDestroy(own);
    cudaStreamDestroy(stream);
  }).join();
}

// How programs get the driver's calls.
void test_entry_points() {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSuccess;
  check(cudaGetDriverEntryPointByVersion("cuDeviceGet", &entry, 11030,
                                         cudaEnableDefault) == cudaSuccess &&
            entry == reinterpret_cast<void*>(&cuDeviceGet),
        "entry_point");
  check(cudaGetDriverEntryPointByVersion("cuNothing", &entry, 11030,
                                         cudaEnableDefault,
                                         &found) == cudaSuccess &&
            entry == nullptr && found == cudaDriverEntryPointSymbolNotFound &&
            cudaGetDriverEntryPointByVersion("cuNothing", &entry, 11030,
                                             cudaEnableDefault) ==
                cudaErrorSymbolNotFound &&
            cudaGetLastError() == cudaErrorSymbolNotFound,
        "no_entry_point");
}

// Each of two host threads launches and copies by itself.
void test_host_threads() {
  std::vector<double> result[2];
  std::atomic<int> here(0);
  const auto work = [&](int device) {
    cudaSetDevice(device);
    double* const data = device_array(std::vector<double>(64));
    for (++here; here < 2;) std::this_thread::yield();
    for (int i = 1; i <= 3000; ++i) {
      convk_emulated_launch(add_to, 1, 64, 0, nullptr, data,
                            double(i * (device + 1)));
    }
    cudaSetDevice(7);
    result[device] = host_array(data, 64);
    check(cudaGetLastError() == cudaErrorInvalidDevice, "error_of_a_thread");
    cudaFree(data);
  };
  std::thread other([&] { work(1); });
  work(0);
  other.join();
  check(int(result[0][63]) == 4501500 && int(result[1][0]) == 9003000 &&
            cudaGetLastError() == cudaSuccess,
        "two_host_threads");
}

void test_runtime() {
  cudaStream_t stream = nullptr;
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
  float milliseconds = -1.0f;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start, stream);
  convk_emulated_launch(do_nothing, 2, 32, 0, stream);
  cudaEventRecord(stop, stream);
  check(cudaEventSynchronize(stop) == cudaSuccess &&
            cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess &&
            milliseconds >= 0.0f,
        "stream_and_events");
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  CUstream_st foreign = CUstream_st();
  check(cudaStreamDestroy(stream) == cudaSuccess &&
            cudaStreamSynchronize(&foreign) == cudaErrorInvalidResourceHandle,
        "foreign_stream");
  cudaGetLastError();
  cudaDeviceProp properties;
  int value = 0;
  check(cudaGetDeviceProperties(&properties, 0) == cudaSuccess &&
            properties.multiProcessorCount == 2 &&
            std::strcmp(properties.name, "emulator") == 0 &&
            cudaDeviceGetAttribute(&value,
                                   cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                   0) == cudaSuccess &&
            value == 227 * 1024 && cudaSetDevice(2) == cudaErrorInvalidDevice &&
            cudaGetLastError() == cudaErrorInvalidDevice &&
            cudaGetLastError() == cudaSuccess,
        "device_queries");
  check(convk_emulator_live_objects() == 0, "nothing_left");
}

}  // namespace

int main(int argc, char**) {
  if (argc > 1) {  // what CONVK_EMULATOR_SCHEDULE has chosen, and tests cannot
    convk_emulator_order(CONVK_EMULATOR_SHUFFLED, 9);
    convk_emulator_schedule(CONVK_EMULATOR_STARVED, 9);
    const std::vector<int> first = recorded_order(kOrders[2], 9);
    const std::vector<int> again = recorded_order(kOrders[2], 8);
    std::printf("%s%s\n", convk_emulator_name(),
                first == again ? "" : ", but not the same again");
    return 0;
  }
  test_reduction();
  test_orders();
  test_schedules();
  test_copies();
  test_divergence();
  test_guards();
  test_shuffles();
  test_launch_limits();
  test_dynamic_shared();
  test_atomics();
  test_blocks();
  test_arithmetic();
  test_memory();
  test_capture();
  test_devices();
  test_launch_of_a_list();
  test_attributes();
  test_contexts();
  test_entry_points();
  test_host_threads();
  test_runtime();
  return failures == 0 ? 0 : 1;
}
