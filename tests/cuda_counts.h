// What kernels do to memory in the CUDA emulator: requests, sectors, wavefronts, divergence.
//
// A program counts when it is built with CONVK_EMULATOR_COUNTS and the flags of tests/count.sh, by Clang, and linked with
// cuda_counts.cpp. The compiler's ThreadSanitizer pass then calls that file before every load and store that is left
// after optimisation, and its coverage pass at every basic block.
//
// Rules
//   - The k-th time that lanes of a warp come to an instruction since all of them last met (at a barrier, or a warp operation
//     of all that live) is one request of the warp. Where lanes run an inner loop a different number of times,
//     requests of one instruction are matched in this order, which is the best case.
//   - Memory of cudaMalloc is global, __shared__ and dynamic shared memory are shared. All else (stacks, constants, arguments)
//     stands for registers or constant memory, and is not counted.
//   - A request to global memory takes each sector of 32 bytes that its lanes touch once.
//   - A request to shared memory takes wavefronts: 32 banks of 4 bytes give a word each, to any number of lanes. Lanes with
//     8 bytes go in two halves of the warp, with 16 bytes in four quarters, but together where one wavefront serves them. Free
//     of conflicts, what goes together takes as many wavefronts as its different words need.
//   - Copies of vector types are one access, in the types of cuda_emulator.h and in structures of at most 16 bytes that are
//     copied in memory. Scalars one after another are as many accesses.
//   - A basic block is partial if fewer lanes of the warp run it than were alive when all last met.

#ifndef CONVK_CUDA_COUNTS_H
#define CONVK_CUDA_COUNTS_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

struct convk_counts_global {
  uint64_t requests;
  uint64_t sectors;
  uint64_t bytes;    // of all lanes
  uint64_t least;    // sectors that the different bytes of a request would fill
  uint64_t distinct; // sectors that are touched at all, summed over launches
};
struct convk_counts_shared {
  uint64_t requests;
  uint64_t wavefronts;
  uint64_t least; // wavefronts without conflicts
};
struct convk_counts {
  std::string kernel;
  uint64_t launches;
  uint64_t thread_blocks;
  uint64_t warps;
  convk_counts_global load;
  convk_counts_global store;
  convk_counts_shared shared_load;
  convk_counts_shared shared_store;
  uint64_t atomics;  // requests of warps
  uint64_t blocks;   // basic blocks, run by warps
  uint64_t partial;  // those run by a part of the lanes
  uint64_t lanes;    // lanes that run basic blocks
  uint64_t barriers; // of thread blocks
};

// Forgets what was counted.
void convk_counts_reset();
// All kernels, as first launched; the reference ends with the next reset.
const std::vector<convk_counts> &convk_counts_all();
// The kernel whose name contains this, or zeros.
convk_counts convk_counts_of(const char *part);
// One object per line: {"case":..., "kernel":..., ...}
void convk_counts_json(FILE *file, const char *name);

#endif // CONVK_CUDA_COUNTS_H
