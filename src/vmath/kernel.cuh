enum { CONVK_CUDA_MAP_THREADS_ = 256, CONVK_CUDA_MAP_EACH_ = 4 }; /* elements of a thread: loaded before one is needed */

template <class T> struct convk_cuda_map_args_ {
  const T *x;
  T *y, *z; /* either may be x */
  size_t n, tiles;
};

template <class T, int FUNCTION>
static __global__ void __launch_bounds__(CONVK_CUDA_MAP_THREADS_) convk_cuda_map_(const convk_cuda_map_args_<T> a) {
  const int each = CONVK_CUDA_MAP_EACH_, threads = CONVK_CUDA_MAP_THREADS_;
  for (size_t tile = blockIdx.x; tile < a.tiles; tile += gridDim.x) {
    const size_t first = tile * (size_t)(each * threads) + threadIdx.x;
    T x[each];
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < each; k++) {
      const size_t i = first + (size_t)(k * threads);
      x[k] = i < a.n ? a.x[i] : (T)1;
    }
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < each; k++) {
      const size_t i = first + (size_t)(k * threads);
      T y, z = 0;
      if (FUNCTION == CONVK_MAP_EXP_) y = convk_cuda_vexp_(x[k]);
      else if (FUNCTION == CONVK_MAP_EXPM1_) y = convk_cuda_vexpm1_(x[k]);
      else if (FUNCTION == CONVK_MAP_LOG_) y = convk_cuda_vlog_(x[k]);
      else convk_cuda_vsincos_(x[k], &y, &z);
      if (i >= a.n) continue;
      a.y[i] = y;
      if (FUNCTION == CONVK_MAP_SINCOS_) a.z[i] = z;
    }
  }
}

template <class T> static void (*convk_cuda_map_of_(int function))(const convk_cuda_map_args_<T>) {
  return function == CONVK_MAP_EXP_     ? convk_cuda_map_<T, CONVK_MAP_EXP_>
         : function == CONVK_MAP_EXPM1_ ? convk_cuda_map_<T, CONVK_MAP_EXPM1_>
         : function == CONVK_MAP_LOG_   ? convk_cuda_map_<T, CONVK_MAP_LOG_>
                                         : convk_cuda_map_<T, CONVK_MAP_SINCOS_>;
}
