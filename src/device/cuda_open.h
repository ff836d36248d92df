/* ============================================================================================ one pointer per operation == */

CONVK_LOCAL_ void convk_close_cuda_(convk *hw) {
  convk_cuda_host_ *d = (convk_cuda_host_ *)hw->device;
  int i, previous = -1;
  if (!d) return;
  if (cudaGetDevice(&previous) != cudaSuccess) previous = -1;
  (void)cudaSetDevice(d->ordinal);
  for (i = 0; i < CONVK_DEVICE_ARRAYS_; i++) (void)cudaFree(d->buffer[i]);
  convk_cuda_ring_end_(d);
  (void)cudaStreamDestroy(d->stream);
  if (previous >= 0) (void)cudaSetDevice(previous);
  CONVK_FREE(d);
  hw->device = NULL;
}

/* options: the number of the device, or NULL for the thread's current one. */
CONVK_LOCAL_ int convk_open_cuda_(convk *hw, const char *options) {
  convk_cuda_host_ *d;
  cudaError_t error;
  int count = 0, previous = 0, wanted = 0;
  size_t i;
  for (i = 0; options && options[i]; i++) {
    if (options[i] < '0' || options[i] > '9' || i > 5) return CONVK_ERR_HW_NAME;
    wanted = wanted * 10 + (options[i] - '0');
  }
  if (options && !i) return CONVK_ERR_HW_NAME;
  error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess) error = count < 1 ? cudaErrorNoDevice : cudaGetDevice(&previous);
  if (!options) wanted = previous;
  if (error == cudaSuccess && wanted >= count) error = cudaErrorInvalidDevice;
  if (error != cudaSuccess) {
    (void)convk_cuda_status_(hw, error);
    return CONVK_ERR_HW_MACHINE;
  }
  d = (convk_cuda_host_ *)CONVK_MALLOC(sizeof *d);
  if (!d) return CONVK_ERR_MEMORY;
  memset(d, 0, sizeof *d);
  d->ordinal = wanted;
  error = cudaSetDevice(wanted);
  if (error == cudaSuccess) error = cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking);
  if (error != cudaSuccess) {
    const int status = convk_cuda_status_(hw, error);
    (void)cudaSetDevice(previous);
    CONVK_FREE(d);
    return status;
  }
  error = cudaSetDevice(previous);
  hw->device = d;
  if (error != cudaSuccess) {
    const int status = convk_cuda_status_(hw, error);
    convk_close_cuda_(hw);
    return status;
  }
  hw->close = convk_close_cuda_;
  CONVK_IF_(CONVK_HAS_F32_, convk_cuda_bind_f32_(&hw->f32);)
  CONVK_IF_(CONVK_HAS_F64_, convk_cuda_bind_f64_(&hw->f64);)
  return CONVK_OK;
}

CONVK_API_ convk_modules_ convk_cuda_modules_(void) {
  static const convk_module_ list[] = {{"cuda", 0, convk_open_cuda_}};
  convk_modules_ table = {1, NULL};
  table.list = list;
  return table;
}
