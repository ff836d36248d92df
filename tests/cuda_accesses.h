// What the CUDA emulator tells a program that sees what kernels do to memory: tests/count.sh links one of those who listen,
// cuda_counts.cpp, which counts, or cuda_races.cpp, which looks for races. The compiler's ThreadSanitizer pass calls it before
// every load and store that is left after optimisation.

#ifndef CONVK_CUDA_ACCESSES_H
#define CONVK_CUDA_ACCESSES_H

#include <cstddef>

namespace convk_counting {
extern unsigned current;   // the thread of the block
extern bool inside;        // the emulator runs, not the kernel
extern void (*give_way)(); // lets another thread go first, now and then
void launch_begin(const void *kernel);
void range(const void *begin, size_t bytes, bool shared);
void block_begin(unsigned threads, unsigned x, unsigned y, unsigned z);
void order(unsigned warp, unsigned lanes, bool memory); // lanes have met; whether that orders what they do to memory
void meet(unsigned warp, unsigned live);                // all lanes that live are at one place
void barrier();
void fence(); // of the device
void launch_end();
void atomic(const void *address, size_t bytes, const void *place);
void bring(const void *to, const void *from, size_t bytes,
           const void *place);                                 // asked for a copy, which may be done from now on
void brought(const void *to, size_t bytes, const void *place); // it is done
void written(const void *begin, size_t bytes);                 // by the host
void allocated(const void *begin, size_t bytes);
void forget(const void *begin); // it is freed
} // namespace convk_counting

#endif // CONVK_CUDA_ACCESSES_H
