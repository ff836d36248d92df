/* The words of CUDA that HIP spells in another way; operations round one by one, uncontracted. */
CONVK_CUDA_INLINE_ double convk_cuda_mul_(double a, double b) {
#pragma clang fp contract(off)
  return a * b;
}
CONVK_CUDA_INLINE_ float convk_cuda_mul_(float a, float b) {
#pragma clang fp contract(off)
  return a * b;
}
CONVK_CUDA_INLINE_ double convk_cuda_add_(double a, double b) {
#pragma clang fp contract(off)
  return a + b;
}
CONVK_CUDA_INLINE_ float convk_cuda_add_(float a, float b) {
#pragma clang fp contract(off)
  return a + b;
}
CONVK_CUDA_INLINE_ double convk_cuda_fma_(double a, double b, double c) { return __builtin_fma(a, b, c); }
CONVK_CUDA_INLINE_ float convk_cuda_fma_(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
CONVK_CUDA_INLINE_ float convk_cuda_divided_(float a, float b) { return a / b; }
CONVK_CUDA_INLINE_ double convk_cuda_divided_(double a, double b) { return a / b; }
CONVK_CUDA_INLINE_ double convk_cuda_root_(double x) { return __builtin_sqrt(x); }

/* A warp is 32 neighbouring threads, also where the device runs 64 in step. */
#define CONVK_CUDA_SHUFFLE_XOR_(v, mask) __shfl_xor(v, mask, 32)
#define CONVK_CUDA_SHUFFLE_UP_(v, by, width) __shfl_up(v, by, width)
#define CONVK_CUDA_SHUFFLE_DOWN_(v, by, width) __shfl_down(v, by, width)
#define CONVK_CUDA_ANY_(is) convk_hip_any_(is)
#define CONVK_CUDA_WARP_SYNC_() convk_hip_warp_sync_()

CONVK_CUDA_INLINE_ int convk_hip_any_(int is) {
  const unsigned long long all = __ballot(is);
  return warpSize == 32 ? all != 0 : (unsigned)(all >> (__lane_id() & 32)) != 0;
}
/* Threads of a warp run in step: what one has stored another may load, once the compiler leaves both in their order. */
CONVK_CUDA_INLINE_ void convk_hip_warp_sync_() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
