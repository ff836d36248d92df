#!/bin/sh
# The matrix unit of NVIDIA's sm_80 and sm_90 rounds products of doubles after each term, in ascending order: a chain of fused multiply-adds.
set -eu
command -v nvcc >/dev/null || { echo 'skipped: there is no nvcc'; exit 77; }
capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d .) || true
case $capability in 80 | 90) ;; *) echo 'skipped: there is no GPU of compute capability 8.0 or 9.0' && exit 77 ;; esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo "version: $(nvcc --version | grep release), $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)"
echo 'expected: a unit for whole products of 8x4 by 4x8 elements adds four terms in a tree, or rounds once at the end'
cat >unit.cu <<'END'
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

/* A warp makes products C + A B: A 8 x 4 by rows, B 4 x 8 by columns, as lanes have them. */
__global__ void products(const double *a, const double *b, double *c, int count) {
  for (int i = blockIdx.x; i < count; i += gridDim.x) {
    double *const own = c + 64 * i + 2 * threadIdx.x;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(own[0]), "+d"(own[1])
                 : "d"(a[32 * i + threadIdx.x]), "d"(b[32 * i + threadIdx.x]));
  }
}

int main() {
  const int count = 4096;
  std::mt19937_64 random(1);
  std::vector<double> a(32 * count), b(32 * count), c(64 * count), got(64 * count);
  double *there[3];
  long chain = 0, tree = 0;
  for (std::vector<double> *v : {&a, &b, &c})
    for (double &x : *v) x = std::ldexp((double)(int64_t)random(), -63 + (int)(random() % 40) - 20);
  for (int k = 0; k < 3; k++) {
    const std::vector<double> &v = k == 0 ? a : k == 1 ? b : c;
    if (cudaMalloc(&there[k], v.size() * sizeof(double)) ||
        cudaMemcpy(there[k], &v[0], v.size() * sizeof(double), cudaMemcpyHostToDevice))
      return 2;
  }
  products<<<256, 32>>>(there[0], there[1], there[2], count);
  if (cudaMemcpy(&got[0], there[2], got.size() * sizeof(double), cudaMemcpyDeviceToHost)) return 2;
  for (int i = 0; i < count; i++)
    for (int row = 0; row < 8; row++)
      for (int column = 0; column < 8; column++) {
        const double *const x = &a[32 * i + 4 * row], *const y = &b[32 * i + 4 * column], was = c[64 * i + 8 * row + column];
        double sum = was;
        for (int k = 0; k < 4; k++) sum = std::fma(x[k], y[k], sum);
        const double pairs = was + (std::fma(x[1], y[1], x[0] * y[0]) + std::fma(x[3], y[3], x[2] * y[2]));
        chain += !std::memcmp(&sum, &got[64 * i + 8 * row + column], sizeof sum);
        tree += !std::memcmp(&pairs, &got[64 * i + 8 * row + column], sizeof sum);
      }
  printf("%d elements: %s a chain of fused multiply-adds from C in ascending order; %s a sum of pairs\n", 64 * count,
         chain == 64 * count ? "all are" : "not all are", tree == 64 * count ? "all are" : "not all are");
  return chain == 64 * count ? 0 : 1;
}
END
nvcc -O2 -std=c++11 -arch="sm_$capability" unit.cu -o unit
./unit || { echo 'this has changed'; exit 1; }
echo 'as it was'
