/* z: the second result, or any array. */
CONVK_LOCAL_ int convk_map_start_(convk_cuda_call_ *call, int function, size_t n, const CONVK_T *x, CONVK_T *y, CONVK_T *z) {
  const uintptr_t at = (uintptr_t)x % 16, pack = 16 / sizeof(CONVK_T);
  const int aligned = at % sizeof(CONVK_T) == 0 && (uintptr_t)y % 16 == at && (uintptr_t)z % 16 == at;
  convk_cuda_map_args_<CONVK_T> a;
  if (!n) return CONVK_OK;
  a.x = x;
  a.y = y;
  a.z = z;
  a.n = n;
  a.skew = aligned ? at / sizeof(CONVK_T) : 0;
  a.whole = n < pack ? 0 : n - pack + 1;
  a.tiles = convk_ceil_(n + a.skew, CONVK_CUDA_MAP_EACH_ * CONVK_CUDA_MAP_THREADS_);
  return convk_cuda_start_(convk_cuda_map_of_<CONVK_T>(function, aligned), a.tiles, CONVK_CUDA_MAP_THREADS_, call->stream, a);
}
