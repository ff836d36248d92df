// Tests of the race detector of the CUDA emulator (cuda_races.h), on kernels that have a race and on kernels that have none.

#include "cuda_emulator.h"

#include "cuda_races.h"

#include <cstdio>
#include <vector>

namespace {

int failures = 0;

// Runs something that has no race, or one of this kind: its text contains `what`. Which of two accesses comes first, and what else
// goes wrong with them, depends on the order of the threads.
template <class Run> void check(const char *name, Run run, const char *what) {
  convk_races_reset();
  run();
  const unsigned all = convk_races_found();
  const unsigned got = convk_races_found_of(what);
  const bool passed = *what != 0 ? got > 0 : all == 0;
  std::printf("%s %s", passed ? "ok" : "FAIL", name);
  if (!passed) {
    std::printf(": %u findings, %u of the kind '%s'\n", all, got, what);
    convk_races_print();
    ++failures;
  }
  std::printf("\n");
  convk_races_reset();
}

const char *const kRace = "after";
const char *const kReadAfter = "read after write";
const char *const kWriteAfterWrite = "write after write";

template <class T> T *device_array(size_t count, T value) {
  const std::vector<T> values(count, value);
  T *device = nullptr;
  cudaMalloc(&device, count * sizeof(T));
  cudaMemcpy(device, values.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

// ---- what a barrier of the block orders ----

enum { kThreads = 128 };

template <bool kBetween, bool kAfter> __global__ void neighbours(float *data, int rounds) {
  __shared__ float row[kThreads];
  const unsigned t = threadIdx.x;
  for (int k = 0; k < rounds; ++k) {
    row[t] = data[t];
    if (kBetween) __syncthreads();
    data[t] = row[(t + 40) % kThreads];
    if (kAfter) __syncthreads();
  }
}

// A warp writes its results into what its neighbour still reads: the fault that no order shows in which all read before any writes.
template <bool kBarrier> __global__ void overwrites(float *data) {
  __shared__ float row[kThreads + 32];
  const unsigned t = threadIdx.x;
  row[t] = data[t];
  if (t < 32) row[kThreads + t] = 0;
  __syncthreads();
  const float sum = row[t] + row[t + 31];
  if (kBarrier) {
    __syncthreads();
  } else {
    __syncwarp();
  }
  row[t] = sum;
  __syncwarp();
  data[t] = row[t / 32 * 32 + (t + 1) % 32];
}

// ---- within a warp ----

enum Meeting { kNothing, kBarrierOfWarp, kShuffle, kVote, kHalves };

template <int kMeeting> __global__ void lanes(float *data) {
  __shared__ float row[32];
  const unsigned t = threadIdx.x;
  row[t] = data[t];
  if (kMeeting == kBarrierOfWarp) __syncwarp();
  if (kMeeting == kShuffle) data[t] = __shfl_xor_sync(0xffffffffu, data[t], 1);
  if (kMeeting == kVote && !__any_sync(0xffffffffu, 1)) return;
  if (kMeeting == kHalves) __syncwarp(t < 16 ? 0xffffu : 0xffff0000u);
  data[t] = row[t ^ 1];
}

// Halves of a warp meet, but each reads what the other half wrote.
__global__ void other_half(float *data) {
  __shared__ float row[32];
  const unsigned t = threadIdx.x;
  row[t] = data[t];
  __syncwarp(t < 16 ? 0xffffu : 0xffff0000u);
  data[t] = row[t ^ 16];
}

// Lane 0 hands on to lane 1, and lane 1 to lane 2: what lane 0 did is then known to lane 2.
__global__ void handed_on(float *data) {
  __shared__ float row[32];
  const unsigned t = threadIdx.x;
  if (t > 2) return;
  if (t == 0) row[0] = data[0];
  if (t < 2) __syncwarp(3u);
  if (t > 0) __syncwarp(6u);
  if (t == 2) data[2] = row[0];
}

// All lanes read a number, lane 0 replaces it, before or after all have read.
template <bool kBarrier> __global__ void replaced(float *data) {
  __shared__ float one;
  if (threadIdx.x == 0) one = data[0];
  __syncwarp();
  const float value = one;
  if (kBarrier) __syncwarp();
  if (threadIdx.x == 0) one = value + 1;
  data[threadIdx.x] = value;
}

// The same by all warps, which nothing but a barrier of the block orders.
template <bool kBarrier> __global__ void replaced_by_warp_1(float *data) {
  __shared__ float one;
  if (threadIdx.x == 0) one = data[0];
  __syncthreads();
  const float value = one;
  if (kBarrier) {
    __syncthreads();
  } else {
    __syncwarp();
  }
  if (threadIdx.x == 32) one = value + 1;
  data[threadIdx.x] = value;
}

// ---- between blocks ----

// The block that comes last adds up what the others left.
template <bool kRelease, bool kAtomic, bool kAcquire> __global__ void last_block(float *parts, unsigned *arrived, float *sum) {
  __shared__ int last;
  if (threadIdx.x == 5) parts[blockIdx.x] = float(blockIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) {
    if (kRelease) __threadfence();
    last = kAtomic ? atomicAdd(arrived, 1u) == gridDim.x - 1 : ++*arrived == gridDim.x;
    if (kAcquire) __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x == 7) {
    for (unsigned k = 0; k < gridDim.x; ++k) *sum += parts[k];
  }
}
__global__ void all_blocks_write(float *one) { *one = 1; }
__global__ void all_blocks_count(unsigned *count) { atomicAdd(count, 1u); }
__global__ void count_and_look(unsigned *count, unsigned *seen) {
  atomicAdd(count, 1u);
  if (threadIdx.x == 0) seen[blockIdx.x] = *count;
}
__global__ void to_the_right(const float *from, float *to) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i + 1] = from[i];
}

// ---- copies beside the work ----

template <bool kWait, bool kBarrier> __global__ void copied(const float *from, float *to) {
  __shared__ __align__(16) float row[4 * 64];
  const unsigned t = threadIdx.x;
  convk_emulated_copy_async(row + 4 * t, from + 4 * t, 16);
  if (kWait) convk_emulated_copies_wait();
  if (kBarrier) __syncthreads();
  to[t] = row[4 * ((t + 33) % 64)];
  if (!kWait) convk_emulated_copies_wait();
}

// ---- memory that holds nothing ----

template <bool kAll> __global__ void partly_filled(float *data) {
  __shared__ float row[64];
  if (kAll || threadIdx.x < 63) row[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = row[63 - threadIdx.x];
}
__global__ void copy(const float *from, float *to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void bytes(const unsigned char *from, unsigned char *to) { to[threadIdx.x] = from[threadIdx.x]; }

template <class Kernel, class... Args> void launch(Kernel kernel, unsigned blocks, unsigned threads, Args... args) {
  convk_emulated_launch(kernel, blocks, threads, 0, nullptr, args...);
}

void test_blocks() {
  float *const data = device_array(kThreads, 1.0f);
  check(
      "a barrier between", [=] { launch(neighbours<true, true>, 2, kThreads, data, 3); }, "device memory");
  check(
      "one block alone", [=] { launch(neighbours<true, true>, 1, kThreads, data, 3); }, "");
  check(
      "no barrier between", [=] { launch(neighbours<false, true>, 1, kThreads, data, 3); }, kReadAfter);
  check(
      "no barrier before the next round", [=] { launch(neighbours<true, false>, 1, kThreads, data, 3); }, kRace);
  check(
      "no barrier after the last round", [=] { launch(neighbours<true, false>, 1, kThreads, data, 1); }, "");
  check(
      "results over input of the next warp", [=] { launch(overwrites<false>, 1, kThreads, data); }, "shared memory");
  check(
      "results over input, after all have read", [=] { launch(overwrites<true>, 1, kThreads, data); }, "");
  cudaFree(data);
}

void test_warps() {
  float *const data = device_array(kThreads, 1.0f);
  check(
      "lanes that do not meet", [=] { launch(lanes<kNothing>, 1, 32, data); }, kReadAfter);
  check(
      "lanes at a barrier", [=] { launch(lanes<kBarrierOfWarp>, 1, 32, data); }, "");
  check(
      "lanes that shuffle", [=] { launch(lanes<kShuffle>, 1, 32, data); }, "shared memory");
  check(
      "lanes that vote", [=] { launch(lanes<kVote>, 1, 32, data); }, kReadAfter);
  check(
      "halves that meet and read their own", [=] { launch(lanes<kHalves>, 1, 32, data); }, "");
  check(
      "halves that meet and read the other's", [=] { launch(other_half, 1, 32, data); }, kReadAfter);
  check(
      "handed on from lane to lane", [=] { launch(handed_on, 1, 32, data); }, "");
  check(
      "replaced after all have read", [=] { launch(replaced<true>, 1, 32, data); }, "");
  check(
      "replaced while others read", [=] { launch(replaced<false>, 1, 32, data); }, kRace);
  check(
      "replaced by another warp, after all have read", [=] { launch(replaced_by_warp_1<true>, 1, 64, data); }, "");
  check(
      "replaced by another warp", [=] { launch(replaced_by_warp_1<false>, 1, 64, data); }, kRace);
  cudaFree(data);
}

void test_grid() {
  float *const data = device_array(kThreads, 0.0f);
  float *const sum = device_array(1, 0.0f);
  const auto last = [=](void (*kernel)(float *, unsigned *, float *)) {
    unsigned *const arrived = device_array(1, 0u);
    launch(kernel, 4, 32, data, arrived, sum);
    cudaFree(arrived);
  };
  check(
      "the last block", [=] { last(last_block<true, true, true>); }, "");
  check(
      "the last block, nothing published", [=] { last(last_block<false, true, true>); }, kReadAfter);
  check(
      "the last block, nothing taken in", [=] { last(last_block<true, true, false>); }, kReadAfter);
  check(
      "the last block, by a plain counter", [=] { last(last_block<true, false, true>); }, kRace);
  check(
      "one launch after another",
      [=] {
        launch(to_the_right, 1, 64, static_cast<const float *>(data), data + 64 - 1);
        launch(to_the_right, 1, 63, static_cast<const float *>(data), data + 64);
      },
      "");
  check(
      "blocks that write one number", [=] { launch(all_blocks_write, 3, 1, sum); }, kWriteAfterWrite);
  unsigned *const count = device_array(1, 0u);
  unsigned *const seen = device_array(8, 0u);
  check(
      "blocks that count", [=] { launch(all_blocks_count, 3, 40, count); }, "");
  check(
      "blocks that count and look", [=] { launch(count_and_look, 3, 40, count, seen); }, "device memory");
  check(
      "a block reads what another writes", [=] { launch(to_the_right, 2, 32, static_cast<const float *>(data), data); },
      "device memory");
  cudaFree(count), cudaFree(seen), cudaFree(data), cudaFree(sum);
}

void test_copies() {
  const float *const from = device_array(256, 1.0f);
  float *const to = device_array(64, 1.0f);
  check(
      "a copy that is waited for", [=] { launch(copied<true, true>, 1, 64, from, to); }, "");
  check(
      "a copy that others do not wait for", [=] { launch(copied<true, false>, 1, 64, from, to); }, kReadAfter);
  check(
      "a copy that nobody waits for", [=] { launch(copied<false, true>, 1, 64, from, to); }, kRace);
  cudaFree(const_cast<float *>(from)), cudaFree(to);
}

void test_unwritten() {
  float *const data = device_array(64, 1.0f);
  float *fresh = nullptr;
  cudaMalloc(&fresh, 64 * sizeof *fresh);
  check(
      "shared memory that is filled", [=] { launch(partly_filled<true>, 2, 64, device_array(64, 1.0f)); }, "device memory");
  check(
      "shared memory that is filled, one block", [=] { launch(partly_filled<true>, 1, 64, data); }, "");
  check(
      "shared memory that is not", [=] { launch(partly_filled<false>, 1, 64, data); }, "shared memory before any write");
  check(
      "device memory that is fresh", [=] { launch(copy, 1, 64, static_cast<const float *>(fresh), data); },
      "nobody has written");
  check(
      "device memory that a kernel wrote",
      [=] {
        launch(copy, 1, 64, static_cast<const float *>(data), fresh);
        launch(copy, 1, 64, static_cast<const float *>(fresh), data);
      },
      "");
  cudaFree(fresh);
  cudaMalloc(&fresh, 64 * sizeof *fresh);
  cudaMemset(fresh, 0, 64 * sizeof *fresh);
  check(
      "device memory that the host cleared", [=] { launch(copy, 1, 64, static_cast<const float *>(fresh), data); }, "");
  unsigned char *const small = reinterpret_cast<unsigned char *>(fresh);
  check(
      "bytes side by side", [=] { launch(bytes, 1, 64, static_cast<const unsigned char *>(small), small + 64); }, "");
  check(
      "bytes of one another", [=] { launch(bytes, 1, 64, static_cast<const unsigned char *>(small), small + 1); }, kRace);
  cudaFree(fresh), cudaFree(data);
}

} // namespace

// The same findings in whatever order threads run.
int main() {
  const int schedules[][2] = {{CONVK_EMULATOR_LAZY, CONVK_EMULATOR_FORWARD},
                              {CONVK_EMULATOR_GREEDY, CONVK_EMULATOR_FORWARD},
                              {CONVK_EMULATOR_GREEDY, CONVK_EMULATOR_REVERSED},
                              {CONVK_EMULATOR_STARVED, CONVK_EMULATOR_FORWARD},
                              {CONVK_EMULATOR_RANDOM, CONVK_EMULATOR_SHUFFLED}};
  for (const auto &s : schedules) {
    convk_emulator_order(s[1], 3);
    convk_emulator_schedule(s[0], s[0] == CONVK_EMULATOR_RANDOM ? 5 : 0);
    std::printf("%s\n", convk_emulator_name());
    test_blocks();
    test_warps();
    test_grid();
    test_copies();
    test_unwritten();
  }
  std::printf("%d failures\n", failures);
  return failures != 0;
}
