#if CONVK_HAS_VMATH_
/* ---- elementary functions of device arrays, and of host arrays ---- */

CONVK_LOCAL_ int convk_cuda_map_run_(int function, size_t n, const CONVK_T *x, CONVK_T *y, CONVK_T *z, cudaStream_t stream) {
  const uintptr_t at = (uintptr_t)x % 16, pack = 16 / sizeof(CONVK_T);
  const int aligned = at % sizeof(CONVK_T) == 0 && (uintptr_t)y % 16 == at && (!z || (uintptr_t)z % 16 == at);
  convk_cuda_map_args_<CONVK_T> a;
  if (!n) return CONVK_OK;
  a.x = x;
  a.y = y;
  a.z = z;
  a.n = n;
  a.skew = aligned ? at / sizeof(CONVK_T) : 0;
  a.whole = n < pack ? 0 : n - pack + 1;
  a.tiles = convk_ceil_(n + a.skew, CONVK_CUDA_MAP_EACH_ * CONVK_CUDA_MAP_THREADS_);
  return convk_cuda_start_(convk_cuda_map_of_<CONVK_T>(function, aligned), a.tiles, CONVK_CUDA_MAP_THREADS_, stream, a);
}

CONVK_LOCAL_ int convk_cuda_map_call_(int function, size_t n, const CONVK_T *x, CONVK_T *y, CONVK_T *z, cudaStream_t stream) {
  const int status = convk_map_check_(function, n, x, y, z);
  return status ? status : convk_cuda_map_run_(function, n, x, y, z, stream);
}

CONVK_API_ int convk_cuda_exp(size_t n, const CONVK_T *x, CONVK_T *y, cudaStream_t stream) {
  return convk_cuda_map_call_(CONVK_MAP_EXP_, n, x, y, NULL, stream);
}
CONVK_API_ int convk_cuda_expm1(size_t n, const CONVK_T *x, CONVK_T *y, cudaStream_t stream) {
  return convk_cuda_map_call_(CONVK_MAP_EXPM1_, n, x, y, NULL, stream);
}
CONVK_API_ int convk_cuda_log(size_t n, const CONVK_T *x, CONVK_T *y, cudaStream_t stream) {
  return convk_cuda_map_call_(CONVK_MAP_LOG_, n, x, y, NULL, stream);
}
CONVK_API_ int convk_cuda_sincos(size_t n, const CONVK_T *x, CONVK_T *s, CONVK_T *c, cudaStream_t stream) {
  return convk_cuda_map_call_(CONVK_MAP_SINCOS_, n, x, s, c, stream);
}

CONVK_LOCAL_ int convk_map_there_(convk_cuda_host_ *host, int function, size_t n, void *first, void *second) {
  return convk_cuda_map_run_(function, n, (const CONVK_T *)first, (CONVK_T *)first, (CONVK_T *)second, host->stream);
}
#endif
