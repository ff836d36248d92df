/* ---- elementary functions of device arrays, and of host arrays ---- */

CONVK_LOCAL_ int CONVK_PRIVATE_(cuda_map_run)(int function, size_t n, const CONVK_T *x, CONVK_T *y, CONVK_T *z,
                                            cudaStream_t stream) {
  convk_cuda_map_args_<CONVK_T> a;
  if (!n) return CONVK_OK;
  a.x = x;
  a.y = y;
  a.z = z;
  a.n = n;
  a.tiles = convk_ceil_(n, CONVK_CUDA_MAP_EACH_ * CONVK_CUDA_MAP_THREADS_);
  return convk_cuda_start_(convk_cuda_map_of_<CONVK_T>(function), a.tiles, CONVK_CUDA_MAP_THREADS_, stream, a);
}

CONVK_LOCAL_ int CONVK_PRIVATE_(cuda_map)(int function, size_t n, const CONVK_T *x, CONVK_T *y, CONVK_T *z, cudaStream_t stream) {
  const int status = CONVK_PRIVATE_(map_check)(function, n, x, y, z);
  return status ? status : CONVK_PRIVATE_(cuda_map_run)(function, n, x, y, z, stream);
}

CONVK_LOCAL_ int CONVK_PRIVATE_(cuda_map_host)(const convk *hw, int function, size_t n, const CONVK_T *x, CONVK_T *y, CONVK_T *z) {
  const int two = function == CONVK_MAP_SINCOS_;
  const size_t bytes = n * sizeof *x;
  convk_cuda_call_ call;
  void *in = NULL, *out = NULL;
  int status = convk_cuda_handle_(hw);
  if (!status) status = CONVK_PRIVATE_(map_check)(function, n, x, y, z);
  if (status || !n) return status;
  status = convk_cuda_begin_(hw, &call);
  if (status) return status;
  status = convk_cuda_buffer_(&call, CONVK_CUDA_IN_, bytes, &in);
  if (!status && two) status = convk_cuda_buffer_(&call, CONVK_CUDA_OUT_, bytes, &out);
  if (!status) status = convk_cuda_copy_(&call, in, x, bytes, cudaMemcpyHostToDevice);
  if (!status)
    status = CONVK_PRIVATE_(cuda_map_run)(function, n, (const CONVK_T *)in, (CONVK_T *)in, (CONVK_T *)out, call.device->stream);
  if (!status) status = convk_cuda_copy_(&call, y, in, bytes, cudaMemcpyDeviceToHost);
  if (!status && two) status = convk_cuda_copy_(&call, z, out, bytes, cudaMemcpyDeviceToHost);
  return convk_cuda_end_(&call, status);
}

CONVK_API_ int CONVK_TYPED_(cuda_exp)(size_t n, const CONVK_T *x, CONVK_T *y, cudaStream_t stream) {
  return CONVK_PRIVATE_(cuda_map)(CONVK_MAP_EXP_, n, x, y, NULL, stream);
}
CONVK_API_ int CONVK_TYPED_(cuda_expm1)(size_t n, const CONVK_T *x, CONVK_T *y, cudaStream_t stream) {
  return CONVK_PRIVATE_(cuda_map)(CONVK_MAP_EXPM1_, n, x, y, NULL, stream);
}
CONVK_API_ int CONVK_TYPED_(cuda_log)(size_t n, const CONVK_T *x, CONVK_T *y, cudaStream_t stream) {
  return CONVK_PRIVATE_(cuda_map)(CONVK_MAP_LOG_, n, x, y, NULL, stream);
}
CONVK_API_ int CONVK_TYPED_(cuda_sincos)(size_t n, const CONVK_T *x, CONVK_T *s, CONVK_T *c, cudaStream_t stream) {
  return CONVK_PRIVATE_(cuda_map)(CONVK_MAP_SINCOS_, n, x, s, c, stream);
}

CONVK_LOCAL_ const CONVK_PRIVATE_(vmath_kernels) *CONVK_HARDWARE_(vmath_kernels)(void) {
  static const CONVK_PRIVATE_(vmath_kernels) kernels = {{NULL, NULL, NULL, NULL}, CONVK_PRIVATE_(cuda_map_host)};
  return &kernels;
}

/* Host arrays: as in convk.h, with CONVK_ERR_DEVICE and CONVK_ERR_MEMORY besides; an array goes to the device and back as a whole. */
CONVK_VMATH_OPERATIONS_(CONVK_OP_VARIANT_)
