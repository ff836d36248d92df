#if CONVK_CORE_
/* ============================================================================================ one pointer per operation == */

/* The least GPU, sm_70: before it blocks have no more than 48 KB of shared memory, which form factors exceed. */
#define CONVK_CUDA_LEAST_ 7
#define CONVK_CUDA_OLDER_ "the device is older than sm_70"

#ifdef CONVK_HIP
CONVK_LOCAL_ cudaError_t convk_cuda_find_driver_(convk_cuda_driver_ *driver) {
  driver->device = convk_hip_device_;
  driver->retain = convk_hip_retain_;
  driver->release = convk_hip_release_;
  driver->push = convk_hip_push_;
  driver->pop = convk_hip_pop_;
  return cudaSuccess;
}
#else
/* A call of the driver, as of CUDA 11.3, the first whose runtime hands them out. */
CONVK_LOCAL_ void *convk_cuda_entry_(const char *name, cudaError_t *error) {
  void *entry = NULL;
  if (*error != cudaSuccess) return NULL;
#if CUDART_VERSION >= 12050
  *error = cudaGetDriverEntryPointByVersion(name, &entry, 11030, cudaEnableDefault, NULL);
#elif CUDART_VERSION >= 12000
  *error = cudaGetDriverEntryPoint(name, &entry, cudaEnableDefault, NULL);
#elif CUDART_VERSION >= 11030
  *error = cudaGetDriverEntryPoint(name, &entry, cudaEnableDefault);
#else
#error "convk_cuda.h needs CUDA 11.3 or later"
#endif
  if (*error == cudaSuccess && !entry) *error = cudaErrorInsufficientDriver;
  return entry;
}

CONVK_LOCAL_ cudaError_t convk_cuda_find_driver_(convk_cuda_driver_ *driver) {
  cudaError_t error = cudaSuccess;
  driver->device = (convk_cuda_device_fn_ *)convk_cuda_entry_("cuDeviceGet", &error);
  driver->retain = (convk_cuda_retain_fn_ *)convk_cuda_entry_("cuDevicePrimaryCtxRetain", &error);
  driver->release = (convk_cuda_release_fn_ *)convk_cuda_entry_("cuDevicePrimaryCtxRelease", &error);
  driver->push = (convk_cuda_push_fn_ *)convk_cuda_entry_("cuCtxPushCurrent", &error);
  driver->pop = (convk_cuda_pop_fn_ *)convk_cuda_entry_("cuCtxPopCurrent", &error);
  return error;
}
#endif

/* Destroys what has been made, in its context, and lets that go. */
CONVK_LOCAL_ void convk_cuda_destroy_(convk_cuda_host_ *d) {
  void *own;
  int i;
  if (!d->context) return;
  if (!d->driver.push(d->context)) { /* else it is gone, and all in it */
    for (i = 0; i < CONVK_DEVICE_ARRAYS_; i++) (void)cudaFree(d->buffer[i]);
    convk_cuda_lanes_destroy_(d);
    if (d->stream) (void)cudaStreamDestroy(d->stream);
    (void)d->driver.pop(&own);
  }
  (void)d->driver.release(d->device);
}

CONVK_LOCAL_ void convk_close_cuda_(convk *hw) {
  convk_cuda_host_ *d = (convk_cuda_host_ *)hw->ours.inside.device;
  if (!d) return;
  d->before = cudaPeekAtLastError();
  convk_cuda_destroy_(d);
  (void)convk_cuda_failed_(d, CONVK_ERR_DEVICE); /* a failure, if any, is not told */
  CONVK_FREE(d);
  hw->ours.inside.device = NULL;
}

/* The device's name as that of the handle's machine, as much of it as there is room for. */
CONVK_LOCAL_ int convk_cuda_named_(convk_cuda_host_ *d, int ordinal) {
  char *const machine = d->hw->machine;
  cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, ordinal);
  if (error != cudaSuccess) {
    (void)convk_cuda_status_(d, error);
    return CONVK_ERR_HW_MACHINE;
  }
  memset(machine, 0, sizeof d->hw->machine);
  strncpy(machine, properties.name[0] ? properties.name : "CUDA", sizeof d->hw->machine - 1);
  return CONVK_OK;
}

/* Finds a device: that of number `ordinal`, or below 0 the thread's current one.  Makes no context. */
CONVK_LOCAL_ int convk_cuda_find_(convk_cuda_host_ *d, int ordinal) {
  int count = 0, major = 0;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count < 1) error = cudaErrorNoDevice;
  if (error == cudaSuccess && ordinal < 0) error = cudaGetDevice(&ordinal);
  if (error == cudaSuccess && ordinal >= count) error = cudaErrorInvalidDevice;
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal);
  if (error == cudaSuccess) error = convk_cuda_find_driver_(&d->driver);
  if (error == cudaSuccess) error = (cudaError_t)d->driver.device(&d->device, ordinal);
  if (error == cudaSuccess && major >= CONVK_CUDA_LEAST_) return convk_cuda_named_(d, ordinal);
  if (convk_cuda_status_(d, error) == CONVK_OK) strncpy(d->hw->message, CONVK_CUDA_OLDER_, sizeof d->hw->message - 1);
  return CONVK_ERR_HW_MACHINE;
}

/* Takes the device's context, and makes what a handle has there, if the program has machine code for it. */
CONVK_LOCAL_ int convk_cuda_take_(convk_cuda_host_ *d) {
  cudaFuncAttributes kernel;
  void *own;
  int status = convk_cuda_status_(d, (cudaError_t)d->driver.retain(&d->context, d->device));
  if (status) {
    d->context = NULL;
    return status;
  }
  status = convk_cuda_status_(d, (cudaError_t)d->driver.push(d->context));
  if (status) return status;
  status = convk_cuda_status_(d, cudaFuncGetAttributes(&kernel, CONVK_CUDA_ENTRY_(convk_cuda_present_)));
  if (status == CONVK_ERR_DEVICE) status = CONVK_ERR_HW_MACHINE;
  if (!status) status = convk_cuda_status_(d, cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking));
  (void)d->driver.pop(&own);
  return status;
}

CONVK_BIND_ALL_(cuda)

/* options: the number of the device, or NULL for the thread's current one. */
CONVK_LOCAL_ int convk_open_cuda_(convk *hw, const char *options) {
  convk_cuda_host_ *d;
  int status, wanted = options ? 0 : -1;
  size_t i;
  for (i = 0; options && options[i]; i++) {
    if (options[i] < '0' || options[i] > '9' || i > 5) return CONVK_ERR_HW_NAME;
    wanted = wanted * 10 + (options[i] - '0');
  }
  if (options && !i) return CONVK_ERR_HW_NAME;
  d = (convk_cuda_host_ *)CONVK_MALLOC(sizeof *d);
  if (!d) return CONVK_ERR_MEMORY;
  memset(d, 0, sizeof *d);
  d->hw = hw;
  d->before = cudaPeekAtLastError();
  status = convk_cuda_find_(d, wanted);
  if (!status) status = convk_cuda_take_(d);
  if (status) {
    convk_cuda_destroy_(d);
    (void)convk_cuda_failed_(d, status);
    CONVK_FREE(d);
    return status;
  }
  hw->ours.inside.device = d;
  hw->ours.inside.close = convk_close_cuda_;
  hw->ours.inside.clock = convk_cuda_clock_;
  convk_bind_cuda_(hw);
  return CONVK_OK;
}

CONVK_API_ convk_modules_ convk_cuda_modules_(void) {
  static const convk_module_ list[] = {{"cuda", 0, convk_open_cuda_}};
  const convk_modules_ table = {1, list};
  return table;
}
CONVK_OFFER_(cuda)
#endif
