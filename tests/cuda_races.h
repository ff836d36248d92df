// Finds races between the threads of CUDA kernels in the emulator, and memory that is read before anybody has written it.
//
// A program looks for races when it is built with tests/count.sh --races. What it finds is printed when it ends, with both places
// in the source, and makes its exit status 1. With CONVK_RACES=no in the environment it only stops threads between accesses, which
// takes less time.
//
// Rules
//   - Two accesses to the same bytes by different threads, one of them a write, not both atomic, are a race unless the first comes
//     before the second by
//       the end of the kernel: launches follow one another, on whatever stream;
//       __syncthreads(), in a block;
//       __syncwarp(), among its lanes. Shuffles and votes let lanes meet, but order no memory (CUDA C++ Programming Guide, "Warp
//       Shuffle Functions": they do not imply a memory barrier);
//       __threadfence() and an atomic operation of the first thread, then an atomic operation of the second on the same address,
//       and __threadfence(): what the first knew at its fence, the second knows after its own. What one thread of a block has
//       learned so, the others know after the next __syncthreads().
//   - A copy by cp.async is a write from the moment when it is asked for to the moment when the thread waits for it.
//   - Shared memory holds nothing when a block begins. Device memory holds what copies, memsets and kernels have written since
//     cudaMalloc.
//
// What it does not see
//   - Races that no run of this program could have: it follows the order of one run. Two accesses that a lucky order of warps
//     separates are found all the same, for it is barriers that count, not when things happen.
//   - Of more than two warps that read the same bytes between two barriers it remembers two.
//   - Accesses of one or two bytes are compared with those of one or two bytes alone.
//   - Memory that kernels of two streams share without waiting for one another.
//   - Partial masks of __syncwarp() order what their lanes do, as they should; volatile orders nothing.

#ifndef CONVK_CUDA_RACES_H
#define CONVK_CUDA_RACES_H

// Findings at different places so far, of any kind, and of one: its text contains this.
unsigned convk_races_found();
unsigned convk_races_found_of(const char *part);
// Prints and forgets them.
void convk_races_print();
void convk_races_reset();

#endif // CONVK_CUDA_RACES_H
