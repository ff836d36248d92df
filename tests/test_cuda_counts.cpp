// Tests of the counts of the CUDA emulator, on kernels whose counts are known.

#include "cuda_emulator.h"

#include "cuda_counts.h"

#include <cstdio>
#include <vector>

namespace {

int failures = 0;

void check(const char *name, uint64_t got, uint64_t want) {
  std::printf("%s %s", got == want ? "ok" : "FAIL", name);
  if (got != want) {
    std::printf(": %llu, not %llu", static_cast<unsigned long long>(got), static_cast<unsigned long long>(want));
    ++failures;
  }
  std::printf("\n");
}

const unsigned kThreads = 128;
const unsigned kBlocks = 4;
const unsigned kWarps = kBlocks * kThreads / 32;

__global__ void copy(const float *from, float *to) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}
__global__ void add_in_place(float *data) { data[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f; }
__global__ void every_second(const float *from, float *to) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[2 * i];
}
__global__ void same(const float *from, float *to) { to[blockIdx.x * blockDim.x + threadIdx.x] = from[0]; }
template <class T> __global__ void vectors(const T *from, T *to) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  T v = from[i];
  v.x += v.y;
  to[i] = v;
}
template <class T> __global__ void vectors_as_they_are(const T *from, T *to) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}
__global__ void scalars_in_pairs(const double *from, double *to) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  to[2 * i] = from[2 * i];
  to[2 * i + 1] = from[2 * i + 1];
}
template <int kPitch> __global__ void transpose(const float *from, float *to) {
  __shared__ float tile[32 * kPitch];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  tile[y * kPitch + x] = from[y * 32 + x];
  __syncthreads();
  to[y * 32 + x] = tile[x * kPitch + y];
}
template <class T> __global__ void strided_shared(T *to, unsigned stride) {
  CONVK_EMULATED_DYNAMIC_SHARED(T, data);
  data[threadIdx.x * stride] = T(threadIdx.x);
  __syncthreads();
  to[threadIdx.x] = data[threadIdx.x * stride];
}
typedef double Loose __attribute__((aligned(4), may_alias));
__global__ void unaligned(const Loose *from, double *to) { to[threadIdx.x] = from[threadIdx.x]; }

struct Triple {
  float x, y, z;
};
__global__ void triples(const Triple *from, Triple *to) { to[threadIdx.x] = from[threadIdx.x]; }

// Lanes 0 and 15 meet in a bank, and lanes 21 and 31.
__global__ void conflict_in_both_halves(double *to) {
  CONVK_EMULATED_DYNAMIC_SHARED(double, data);
  const unsigned i = threadIdx.x;
  to[i] = data[i == 15 ? 16 : i == 31 ? 53 : i < 16 ? i : i + 16];
}
template <class T> __global__ void shared_by_lanes(T *to, unsigned lanes) {
  CONVK_EMULATED_DYNAMIC_SHARED(T, data);
  to[threadIdx.x] = data[threadIdx.x / lanes];
}
__global__ void broadcast(float *to) {
  CONVK_EMULATED_DYNAMIC_SHARED(float, data);
  if (threadIdx.x == 0) data[7] = 1.0f;
  __syncthreads();
  to[threadIdx.x] = data[7];
}
__global__ void branch(float *to, unsigned lanes) {
  if (threadIdx.x % 32 < lanes) to[threadIdx.x] = 1.0f;
}
__global__ void loop(volatile float *to) {
  for (unsigned i = 0; i < threadIdx.x % 32; ++i) to[threadIdx.x] = float(i);
}
__global__ void add_atomically(float *to) { atomicAdd(to, 1.0f); }

float *floats(size_t count) {
  float *memory = nullptr;
  cudaMalloc(&memory, count * sizeof(float));
  cudaMemset(memory, 0, count * sizeof(float));
  return memory;
}

void test_global(float *from, float *to) {
  convk_counts_reset();
  convk_emulated_launch(copy, kBlocks, kThreads, 0, nullptr, from, to);
  convk_counts c = convk_counts_of("copy");
  check("copy_launches", c.launches, 1);
  check("copy_warps", c.warps, kWarps);
  check("copy_load_requests", c.load.requests, kWarps);
  check("copy_load_sectors", c.load.sectors, 4 * kWarps);
  check("copy_load_bytes", c.load.bytes, 128 * kWarps);
  check("copy_least_sectors", c.load.least, 4 * kWarps);
  check("copy_store_sectors", c.store.sectors, 4 * kWarps);
  check("copy_distinct_sectors", c.load.distinct + c.store.distinct, 8 * kWarps);
  check("copy_partial_blocks", c.partial, 0);
  check("copy_whole_warps", c.lanes, 32 * c.blocks);
  check("copy_shared", c.shared_load.requests + c.shared_store.requests + c.barriers + c.atomics, 0);
  convk_emulated_launch(copy, kBlocks, kThreads, 0, nullptr, from, to);
  check("launches_are_added_up", convk_counts_of("copy").load.distinct, 8 * kWarps);

  convk_counts_reset();
  convk_emulated_launch(copy, kBlocks, kThreads, 0, nullptr, from + 1, to);
  c = convk_counts_of("copy");
  check("misaligned_load_sectors", c.load.sectors, 5 * kWarps);
  check("misaligned_least_sectors", c.load.least, 4 * kWarps);
  check("misaligned_distinct_sectors", c.load.distinct, 4 * kWarps + 1);
  check("misaligned_store_sectors", c.store.sectors, 4 * kWarps);

  convk_emulated_launch(add_in_place, kBlocks, kThreads, 0, nullptr, to);
  c = convk_counts_of("add_in_place");
  check("reads_before_writes", c.load.sectors, 4 * kWarps);
  check("writes_after_reads", c.store.sectors, 4 * kWarps);

  convk_emulated_launch(every_second, kBlocks, kThreads, 0, nullptr, from, to);
  c = convk_counts_of("every_second");
  check("every_second_load_sectors", c.load.sectors, 8 * kWarps);
  check("every_second_least_sectors", c.load.least, 4 * kWarps);

  convk_emulated_launch(same, kBlocks, kThreads, 0, nullptr, from, to);
  c = convk_counts_of("same");
  check("same_load_sectors", c.load.sectors, kWarps);
  check("same_distinct_sectors", c.load.distinct, 1);
}

template <class T> void test_vectors(float *from, float *to) {
  const uint64_t sectors = kWarps * sizeof(T);
  convk_counts_reset();
  convk_emulated_launch(vectors<T>, kBlocks, kThreads, 0, nullptr, reinterpret_cast<T *>(from), reinterpret_cast<T *>(to));
  convk_emulated_launch(vectors_as_they_are<T>, kBlocks, kThreads, 0, nullptr, reinterpret_cast<T *>(from),
                        reinterpret_cast<T *>(to));
  for (size_t i = 0; i < 2; ++i) {
    const convk_counts c = convk_counts_all()[i];
    check("vector_load_requests", c.load.requests, kWarps);
    check("vector_load_sectors", c.load.sectors, sectors);
    check("vector_store_requests", c.store.requests, kWarps);
    check("vector_store_sectors", c.store.sectors, sectors);
  }
}

void test_scalars(float *from, float *to) {
  convk_counts_reset();
  convk_emulated_launch(scalars_in_pairs, kBlocks, kThreads, 0, nullptr, reinterpret_cast<double *>(from),
                        reinterpret_cast<double *>(to));
  const convk_counts c = convk_counts_of("scalars_in_pairs");
  check("scalars_load_requests", c.load.requests, 2 * kWarps);
  check("scalars_load_sectors", c.load.sectors, 2 * 16 * kWarps);
  check("scalars_distinct_sectors", c.load.distinct, 16 * kWarps);
}

void test_unaligned(float *from, float *to) {
  convk_counts_reset();
  convk_emulated_launch(unaligned, 1, 32, 0, nullptr, reinterpret_cast<Loose *>(from + 1), reinterpret_cast<double *>(to));
  check("unaligned_sectors", convk_counts_of("unaligned").load.sectors, 9);
  convk_emulated_launch(triples, 1, 32, 0, nullptr, reinterpret_cast<Triple *>(from), reinterpret_cast<Triple *>(to));
  check("triples_bytes", convk_counts_of("triples").load.bytes, 12 * 32);
  check("triples_distinct", convk_counts_of("triples").store.distinct, 12);
}

void test_shared(float *from, float *to) {
  convk_counts_reset();
  convk_emulated_launch(transpose<32>, 1, dim3(32, 32), 0, nullptr, from, to);
  convk_emulated_launch(transpose<33>, 1, dim3(32, 32), 0, nullptr, from, to);
  convk_counts c = convk_counts_of("transpose<32>");
  check("transpose_store_wavefronts", c.shared_store.wavefronts, 32);
  check("transpose_load_wavefronts", c.shared_load.wavefronts, 32 * 32);
  check("transpose_load_least", c.shared_load.least, 32);
  check("transpose_barriers", c.barriers, 1);
  c = convk_counts_of("transpose<33>");
  check("padded_store_wavefronts", c.shared_store.wavefronts, 32);
  check("padded_load_wavefronts", c.shared_load.wavefronts, 32);
  check("padded_load_requests", c.shared_load.requests, 32);

  for (unsigned stride = 1; stride <= 2; ++stride) {
    convk_counts_reset();
    convk_emulated_launch(strided_shared<float>, 1, 32, 1024, nullptr, to, stride);
    convk_emulated_launch(strided_shared<double>, 1, 32, 1024, nullptr, reinterpret_cast<double *>(to), stride);
    c = convk_counts_of("strided_shared<float>");
    check("stride_of_floats", c.shared_load.wavefronts, stride);
    check("stride_of_floats_least", c.shared_load.least, 1);
    c = convk_counts_of("strided_shared<double>");
    check("stride_of_doubles", c.shared_store.wavefronts, 2 * stride);
    check("stride_of_doubles_least", c.shared_store.least, 2);
  }
  convk_emulated_launch(conflict_in_both_halves, 1, 32, 1024, nullptr, reinterpret_cast<double *>(to));
  check("conflict_in_both_halves", convk_counts_of("conflict_in").shared_load.wavefronts, 4);
  check("halves_least", convk_counts_of("conflict_in").shared_load.least, 2);
  const unsigned lanes[] = {32, 2, 1};
  for (unsigned i = 0; i < 3; ++i) {
    convk_counts_reset();
    convk_emulated_launch(shared_by_lanes<double>, 1, 32, 1024, nullptr, reinterpret_cast<double *>(to), lanes[i]);
    convk_emulated_launch(shared_by_lanes<double2>, 1, 32, 1024, nullptr, reinterpret_cast<double2 *>(to), lanes[i]);
    check("doubles_together", convk_counts_of("shared_by_lanes<double>").shared_load.wavefronts, i < 2 ? 1 : 2);
    check("pairs_together", convk_counts_of("shared_by_lanes<double2>").shared_load.wavefronts, i == 0 ? 1 : 2 * i);
  }
  convk_counts_reset();
  convk_emulated_launch(vectors<float4>, 1, 32, 0, nullptr, reinterpret_cast<float4 *>(from), reinterpret_cast<float4 *>(to));
  convk_emulated_launch(broadcast, 1, 64, 64, nullptr, to);
  c = convk_counts_of("broadcast");
  check("broadcast_wavefronts", c.shared_load.wavefronts, 2);
  check("one_lane_wavefronts", c.shared_store.wavefronts, 1);
  check("no_shared_in_global", convk_counts_of("vectors").shared_load.requests, 0);
}

void test_divergence(float *to) {
  convk_counts_reset();
  convk_emulated_launch(branch, 1, 64, 0, nullptr, to, 32u);
  const convk_counts whole = convk_counts_of("branch");
  check("whole_branch", whole.partial, 0);
  convk_counts_reset();
  convk_emulated_launch(branch, 1, 64, 0, nullptr, to, 5u);
  const convk_counts part = convk_counts_of("branch");
  check("partial_branch", part.partial, 2);
  check("partial_branch_lanes", whole.lanes - part.lanes, 2 * 27);
  check("partial_store_sectors", part.store.sectors, 2);
  convk_emulated_launch(loop, 1, 32, 0, nullptr, to);
  check("loop_requests", convk_counts_of("loop").store.requests, 31);
  check("loop_bytes", convk_counts_of("loop").store.bytes, 4 * 31 * 16);
  convk_emulated_launch(add_atomically, 2, 64, 0, nullptr, to);
  const convk_counts atomics = convk_counts_of("add_atomically");
  check("atomics", atomics.atomics, 4);
  check("atomics_apart", atomics.load.requests + atomics.store.requests, 0);
}

} // namespace

int main() {
  float *const from = floats(4096);
  float *const to = floats(4096);
  test_global(from, to);
  test_vectors<float2>(from, to);
  test_vectors<float4>(from, to);
  test_vectors<double2>(from, to);
  test_scalars(from, to);
  test_unaligned(from, to);
  test_shared(from, to);
  test_divergence(to);
  cudaFree(from);
  cudaFree(to);
  return failures == 0 ? 0 : 1;
}
