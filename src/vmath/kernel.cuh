enum { CONVK_CUDA_MAP_THREADS_ = 256, CONVK_CUDA_MAP_EACH_ = 4 }; /* elements of a thread: loaded before one is needed */

template <class T> struct convk_cuda_map_args_ {
  const T *x;
  T *y, *z; /* either may be x */
  size_t n, tiles;
  size_t skew, whole; /* elements before a multiple of 16 bytes, in all arrays; where the last 16 bytes begin, and 1 more */
};

/* Elements of a thread from i on, which may be less than 0, as far as they are there. */
template <int ALIGNED, class T>
static __device__ __forceinline__ void convk_cuda_map_store_(const convk_cuda_map_args_<T> &a, T *to, size_t i, const T *v) {
  if (ALIGNED && i < a.whole) {
    convk_cuda_put_whole_(to + i, v);
  } else {
    CONVK_CUDA_UNROLL_
    for (unsigned k = 0; k < (ALIGNED ? 16 / sizeof(T) : 1); k++)
      if (i + k < a.n) to[i + k] = v[k];
  }
}

/* ALIGNED: arrays begin alike within 16 bytes, and a thread loads and stores so many at once. */
template <class T, int FUNCTION, int ALIGNED>
static __global__ void __launch_bounds__(CONVK_CUDA_MAP_THREADS_) convk_cuda_map_(const convk_cuda_map_args_<T> a) {
  const unsigned each = CONVK_CUDA_MAP_EACH_, threads = CONVK_CUDA_MAP_THREADS_, pack = ALIGNED ? 16 / sizeof(T) : 1;
  for (size_t tile = blockIdx.x; tile < a.tiles; tile += gridDim.x) {
    const size_t first = tile * (size_t)(each * threads) + pack * threadIdx.x - (ALIGNED ? a.skew : 0); /* or less than 0 */
    T x[each], y[each], z[each];
    CONVK_CUDA_UNROLL_
    for (unsigned u = 0; u < each; u += pack) {
      const size_t i = first + u * threads;
      if (ALIGNED && i < a.whole) convk_cuda_get_(x + u, a.x + i);
      else CONVK_CUDA_UNROLL_
      for (unsigned k = 0; k < pack; k++) x[u + k] = i + k < a.n ? a.x[i + k] : (T)1;
    }
    CONVK_CUDA_UNROLL_
    for (unsigned u = 0; u < each; u++) {
      if (FUNCTION == CONVK_MAP_EXP_) y[u] = convk_cuda_vexp_(x[u]);
      else if (FUNCTION == CONVK_MAP_EXPM1_) y[u] = convk_cuda_vexpm1_(x[u]);
      else if (FUNCTION == CONVK_MAP_LOG_) y[u] = convk_cuda_vlog_(x[u]);
      else convk_cuda_vsincos_(x[u], &y[u], &z[u]);
    }
    CONVK_CUDA_UNROLL_
    for (unsigned u = 0; u < each; u += pack) {
      const size_t i = first + u * threads;
      convk_cuda_map_store_<ALIGNED>(a, a.y, i, y + u);
      if (FUNCTION == CONVK_MAP_SINCOS_) convk_cuda_map_store_<ALIGNED>(a, a.z, i, z + u);
    }
  }
}

template <class T> using convk_cuda_map_kernel_ = void (*)(const convk_cuda_map_args_<T>);

template <class T, int ALIGNED> static convk_cuda_map_kernel_<T> convk_cuda_map_aligned_(int function) {
  return function == CONVK_MAP_EXP_     ? convk_cuda_map_<T, CONVK_MAP_EXP_, ALIGNED>
         : function == CONVK_MAP_EXPM1_ ? convk_cuda_map_<T, CONVK_MAP_EXPM1_, ALIGNED>
         : function == CONVK_MAP_LOG_   ? convk_cuda_map_<T, CONVK_MAP_LOG_, ALIGNED>
                                        : convk_cuda_map_<T, CONVK_MAP_SINCOS_, ALIGNED>;
}
template <class T> static convk_cuda_map_kernel_<T> convk_cuda_map_of_(int function, int aligned) {
  return aligned ? convk_cuda_map_aligned_<T, 1>(function) : convk_cuda_map_aligned_<T, 0>(function);
}
