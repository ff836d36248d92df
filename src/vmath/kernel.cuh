enum { CONVK_CUDA_MAP_THREADS_ = 256, CONVK_CUDA_MAP_EACH_ = 4 }; /* elements of a thread: loaded before one is needed */

template <class real_> struct convk_cuda_map_args_ {
  const real_ *x;
  real_ *y, *z; /* either may be x */
  size_t n, tiles;
  size_t skew, whole; /* elements before a multiple of 16 bytes, in all arrays; where the last 16 bytes begin, and 1 more */
};

/* Elements of a thread from i on, which may be less than 0, as far as they are there. */
template <int aligned_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_map_store_(const convk_cuda_map_args_<real_> &a, real_ *to, size_t i, const real_ *v) {
  if (aligned_ && i < a.whole) {
    convk_cuda_put_whole_(to + i, v);
  } else {
    CONVK_CUDA_UNROLL_
    for (unsigned k = 0; k < (aligned_ ? 16 / sizeof(real_) : 1); k++)
      if (i + k < a.n) to[i + k] = v[k];
  }
}

/* aligned_: arrays begin alike within 16 bytes, and a thread loads and stores so many at once. */
template <class real_, int function_, int aligned_>
static __global__ void __launch_bounds__(CONVK_CUDA_MAP_THREADS_) convk_cuda_map_(const convk_cuda_map_args_<real_> a) {
  const unsigned each = CONVK_CUDA_MAP_EACH_, threads = CONVK_CUDA_MAP_THREADS_, pack = aligned_ ? 16 / sizeof(real_) : 1;
  for (size_t tile = blockIdx.x; tile < a.tiles; tile += gridDim.x) {
    const size_t first = tile * (size_t)(each * threads) + pack * threadIdx.x - (aligned_ ? a.skew : 0); /* or less than 0 */
    real_ x[each], y[each], z[each];
    CONVK_CUDA_UNROLL_
    for (unsigned u = 0; u < each; u += pack) {
      const size_t i = first + u * threads;
      if (aligned_ && i < a.whole) convk_cuda_get_(x + u, a.x + i);
      else CONVK_CUDA_UNROLL_
      for (unsigned k = 0; k < pack; k++) x[u + k] = i + k < a.n ? a.x[i + k] : (real_)1;
    }
    CONVK_CUDA_UNROLL_
    for (unsigned u = 0; u < each; u++) {
      if (function_ == CONVK_MAP_EXP_) y[u] = convk_cuda_vexp_(x[u]);
      else if (function_ == CONVK_MAP_EXPM1_) y[u] = convk_cuda_vexpm1_(x[u]);
      else if (function_ == CONVK_MAP_LOG_) y[u] = convk_cuda_vlog_(x[u]);
      else convk_cuda_vsincos_(x[u], &y[u], &z[u]);
    }
    CONVK_CUDA_UNROLL_
    for (unsigned u = 0; u < each; u += pack) {
      const size_t i = first + u * threads;
      convk_cuda_map_store_<aligned_>(a, a.y, i, y + u);
      if (function_ == CONVK_MAP_SINCOS_) convk_cuda_map_store_<aligned_>(a, a.z, i, z + u);
    }
  }
}

template <class real_> using convk_cuda_map_kernel_ = void (*)(const convk_cuda_map_args_<real_>);

template <class real_, int aligned_> static convk_cuda_map_kernel_<real_> convk_cuda_map_aligned_(int function) {
  return function == CONVK_MAP_EXP_     ? convk_cuda_map_<real_, CONVK_MAP_EXP_, aligned_>
         : function == CONVK_MAP_EXPM1_ ? convk_cuda_map_<real_, CONVK_MAP_EXPM1_, aligned_>
         : function == CONVK_MAP_LOG_   ? convk_cuda_map_<real_, CONVK_MAP_LOG_, aligned_>
                                        : convk_cuda_map_<real_, CONVK_MAP_SINCOS_, aligned_>;
}
template <class real_> static convk_cuda_map_kernel_<real_> convk_cuda_map_of_(int function, int aligned) {
  return aligned ? convk_cuda_map_aligned_<real_, 1>(function) : convk_cuda_map_aligned_<real_, 0>(function);
}
