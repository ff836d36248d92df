/* Faults that compute-sanitizer has to notice, one by one, before its silence about the library means anything: planted TOOL. */
#include <cstdio>
#include <cstring>

enum { ITEMS = 64 }; /* two warps, so that no lockstep hides a race */

static __global__ void race(int *out) {
  __shared__ int items[ITEMS];
  items[threadIdx.x] = (int)threadIdx.x;
  out[threadIdx.x] = items[ITEMS - 1 - threadIdx.x]; /* without a barrier */
}
static __global__ void beyond(int *out) { out[ITEMS + threadIdx.x] = 1; }
static __global__ void divergent(int *out) {
  if (threadIdx.x % 32 < 16) __syncthreads(); /* the other half of each warp does not come */
  out[threadIdx.x] = 1;
}
static __global__ void unset(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x]; }

int main(int argc, char **argv) {
  const char *const tool = argc > 1 ? argv[1] : "";
  int *in, *out;
  if (cudaMalloc((void **)&in, ITEMS * sizeof *in) || cudaMalloc((void **)&out, ITEMS * sizeof *out)) return 1;
  if (!strcmp(tool, "racecheck")) race<<<1, ITEMS>>>(out);
  else if (!strcmp(tool, "memcheck")) beyond<<<1, ITEMS>>>(out);
  else if (!strcmp(tool, "synccheck")) divergent<<<1, ITEMS>>>(out);
  else if (!strcmp(tool, "initcheck")) unset<<<1, ITEMS>>>(in, out);
  else {
    fprintf(stderr, "usage: planted racecheck|memcheck|synccheck|initcheck\n");
    return 2;
  }
  cudaDeviceSynchronize(); /* an error is what is wanted */
  return 0;
}
