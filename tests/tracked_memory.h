/* What is in all memory that this program allocates on CUDA devices, to be compared and put back: on a device and in the tests'
   emulator.  Before this text comes convk_cuda.h, whose own memory is left alone; after it `cudaMalloc` and `cudaFree` are tracked. */
#ifndef TRACKED_MEMORY_H
#define TRACKED_MEMORY_H

#include <map>
#include <mutex>
#include <vector>

static std::map<void *, size_t> tracked; /* bytes at each address */
static std::mutex tracking;

static cudaError_t tracked_malloc(void **p, size_t bytes) {
  const cudaError_t error = cudaMalloc(p, bytes);
  std::lock_guard<std::mutex> lock(tracking);
  if (!error) tracked[*p] = bytes;
  return error;
}
static cudaError_t tracked_free(void *p) {
  std::lock_guard<std::mutex> lock(tracking);
  tracked.erase(p);
  return cudaFree(p);
}
#define cudaMalloc tracked_malloc
#define cudaFree tracked_free

typedef std::vector<std::vector<unsigned char>> contents;

/* Waits for all that was started. */
static contents save() {
  contents all;
  bool copied = !cudaDeviceSynchronize();
  for (const auto &a : tracked) {
    all.push_back(std::vector<unsigned char>(a.second));
    copied = copied && !cudaMemcpy(&all.back()[0], a.first, a.second, cudaMemcpyDeviceToHost);
  }
  if (!copied) all.clear(); /* which equals nothing that was saved */
  return all;
}
static void restore(const contents &all) {
  size_t i = 0;
  for (const auto &a : tracked)
    if (i < all.size()) cudaMemcpy(a.first, &all[i++][0], a.second, cudaMemcpyHostToDevice);
}

#endif
