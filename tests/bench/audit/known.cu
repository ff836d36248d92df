/* Kernels whose machine code is known beforehand, by which the audit is tested: audit_cuda.py --known. */

/* 64 multiply-adds and nothing else but the loop itself; in f64 their unit takes half as many in a clock. */
template <class T> __global__ void __launch_bounds__(256) known_multiply_add(T *out, T a, T b, int n) {
  T x[8];
#pragma unroll
  for (int k = 0; k < 8; k++) x[k] = a + (T)(threadIdx.x + k);
#pragma unroll 1
  for (int i = 0; i < n; i++)
#pragma unroll
    for (int j = 0; j < 64; j++) x[j % 8] = fma(x[j % 8], a, b);
  T sum = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) sum += x[k];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
template __global__ void known_multiply_add(float *, float, float, int);
template __global__ void known_multiply_add(double *, double, double, int);

/* Four loads and four stores of 16 bytes in each turn. */
extern "C" __global__ void __launch_bounds__(256) known_copy(float4 *out, const float4 *in, unsigned n) {
#pragma unroll 1
  for (unsigned i = blockIdx.x * 1024 + threadIdx.x; i + 768 < n; i += gridDim.x * 1024) {
    const float4 a = in[i], b = in[i + 256], c = in[i + 512], d = in[i + 768];
    out[i] = a, out[i + 256] = b, out[i + 512] = c, out[i + 768] = d;
  }
}

/* Sixteen loads of 4 bytes from shared memory, each added: neither bound by issue nor by arithmetic. */
extern "C" __global__ void __launch_bounds__(256) known_shared(float *out, const float *in, int n) {
  __shared__ float part[2048];
  for (int k = 0; k < 8; k++) part[k * 256 + threadIdx.x] = in[k * 256 + threadIdx.x];
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++)
#pragma unroll
    for (int k = 0; k < 16; k++) sum += part[(k * 64 + i + threadIdx.x) & 2047];
  out[threadIdx.x] = sum;
}

/* More values at once than 32 registers hold. */
extern "C" __global__ void __launch_bounds__(1024, 2) known_spill(double *out, const double *in, int n) {
  double x[32];
#pragma unroll
  for (int k = 0; k < 32; k++) x[k] = in[k * 1024 + threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < n; i++)
#pragma unroll
    for (int k = 0; k < 32; k++) x[k] = fma(x[k], x[(k + 1) % 32], x[(k + 7) % 32]);
#pragma unroll
  for (int k = 0; k < 32; k++) out[k * 1024 + threadIdx.x] = x[k];
}
