/* --------------------------------------------------------------------------------------------- the device of a handle -- */

enum { CONVK_CUDA_IN_, CONVK_CUDA_OUT_, CONVK_CUDA_POTENTIAL_, CONVK_CUDA_DENSITY_, CONVK_CUDA_WORK_, CONVK_CUDA_BUFFERS_ };
#define CONVK_CUDA_RING_ ((size_t)3) /* parts of an array that come while others are worked on */

typedef struct convk_cuda_device_ {
  int ordinal;
  cudaStream_t stream;
  void *buffer[CONVK_CUDA_BUFFERS_]; /* kept between calls, and never made smaller */
  size_t bytes[CONVK_CUDA_BUFFERS_];
  cudaStream_t copies; /* to the device beside its work; made when first needed, with events that it has come, and is done */
  cudaEvent_t here[CONVK_CUDA_RING_], done[CONVK_CUDA_RING_];
  int ring;
} convk_cuda_device_;

/* A call on host arrays under way; `previous` is the thread's device outside it. */
typedef struct convk_cuda_call_ {
  convk *hw;
  convk_cuda_device_ *device;
  int previous;
} convk_cuda_call_;

/* The status of an error of the runtime, with its text in the handle; the error is then no longer pending. */
CONVK_LOCAL_ int convk_cuda_status_(convk *hw, cudaError_t error) {
  if (error == cudaSuccess) return CONVK_OK;
  strncpy(hw->message, cudaGetErrorString(error), sizeof hw->message - 1);
  hw->message[sizeof hw->message - 1] = 0;
  (void)cudaGetLastError();
  return error == cudaErrorMemoryAllocation ? CONVK_ERR_MEMORY : CONVK_ERR_DEVICE;
}

/* Checks the handle; changes nothing. */
CONVK_LOCAL_ int convk_cuda_handle_(const convk *hw) {
  const int status = convk_check_handle_(hw);
  return status ? status : hw->device && !strcmp(hw->name, "cuda") ? CONVK_OK : CONVK_ERR_HANDLE;
}

/* The handle is const in the signatures that all hardware shares; its message and buffers are not part of its value. */
CONVK_LOCAL_ int convk_cuda_begin_(const convk *hw, convk_cuda_call_ *call) {
  cudaError_t error;
  call->hw = (convk *)(uintptr_t)hw;
  call->device = (convk_cuda_device_ *)hw->device;
  error = cudaGetDevice(&call->previous);
  if (error == cudaSuccess && call->previous != call->device->ordinal) error = cudaSetDevice(call->device->ordinal);
  return convk_cuda_status_(call->hw, error);
}

/* Waits for what is under way, also after a failure: the caller's arrays must not be in use when the call returns. */
CONVK_LOCAL_ int convk_cuda_end_(const convk_cuda_call_ *call, int status) {
  cudaError_t error = cudaPeekAtLastError(), wait = cudaStreamSynchronize(call->device->stream);
  if (call->device->ring) {
    const cudaError_t copied = cudaStreamSynchronize(call->device->copies);
    if (wait == cudaSuccess) wait = copied;
  }
  if (call->previous != call->device->ordinal) {
    const cudaError_t back = cudaSetDevice(call->previous);
    if (wait == cudaSuccess) wait = back;
  }
  if (!status || status == CONVK_ERR_DEVICE) {
    const int late = convk_cuda_status_(call->hw, error != cudaSuccess ? error : wait);
    if (!status) status = late;
  }
  return status;
}

CONVK_LOCAL_ int convk_cuda_buffer_(const convk_cuda_call_ *call, int which, size_t bytes, void **pointer) {
  convk_cuda_device_ *d = call->device;
  if (d->bytes[which] < bytes) {
    cudaError_t error = cudaFree(d->buffer[which]);
    d->buffer[which] = NULL;
    d->bytes[which] = 0;
    if (error == cudaSuccess) error = cudaMalloc(&d->buffer[which], bytes);
    if (error != cudaSuccess) {
      d->buffer[which] = NULL;
      return convk_cuda_status_(call->hw, error);
    }
    d->bytes[which] = bytes;
  }
  *pointer = d->buffer[which];
  return CONVK_OK;
}

/* Undoes convk_cuda_ring_, or what it had done when it failed. */
CONVK_LOCAL_ void convk_cuda_ring_end_(convk_cuda_device_ *d) {
  size_t i;
  for (i = 0; i < CONVK_CUDA_RING_; i++) {
    if (d->here[i]) (void)cudaEventDestroy(d->here[i]);
    if (d->done[i]) (void)cudaEventDestroy(d->done[i]);
    d->here[i] = d->done[i] = NULL;
  }
  if (d->copies) (void)cudaStreamDestroy(d->copies);
  d->copies = NULL;
  d->ring = 0;
}

/* The stream for copies beside work, and its events. */
CONVK_LOCAL_ int convk_cuda_ring_(const convk_cuda_call_ *call) {
  convk_cuda_device_ *d = call->device;
  cudaError_t error;
  size_t i;
  if (d->ring) return CONVK_OK;
  error = cudaStreamCreateWithFlags(&d->copies, cudaStreamNonBlocking);
  for (i = 0; i < CONVK_CUDA_RING_ && error == cudaSuccess; i++) {
    error = cudaEventCreateWithFlags(&d->here[i], cudaEventDisableTiming);
    if (error == cudaSuccess) error = cudaEventCreateWithFlags(&d->done[i], cudaEventDisableTiming);
  }
  if (error == cudaSuccess) d->ring = 1;
  else convk_cuda_ring_end_(d);
  return convk_cuda_status_(call->hw, error);
}

CONVK_LOCAL_ int convk_cuda_copy_(const convk_cuda_call_ *call, void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return convk_cuda_status_(call->hw, cudaMemcpyAsync(to, from, bytes, kind, call->device->stream));
}

/* `count` rows between pitches, all in bytes; a pitch beyond what the runtime takes is gone through row by row. */
CONVK_LOCAL_ int convk_cuda_copy_rows_(const convk_cuda_call_ *call, void *to, size_t to_pitch, const void *from,
                                     size_t from_pitch, size_t row, size_t count, cudaMemcpyKind kind) {
  const size_t most = 0x7fffffff;
  int status = CONVK_OK;
  size_t i;
  if (count == 1 || (to_pitch == row && from_pitch == row)) return convk_cuda_copy_(call, to, from, row * count, kind);
  if (to_pitch <= most && from_pitch <= most)
    return convk_cuda_status_(call->hw,
                              cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, row, count, kind, call->device->stream));
  for (i = 0; i < count && !status; i++)
    status = convk_cuda_copy_(call, (char *)to + i * to_pitch, (const char *)from + i * from_pitch, row, kind);
  return status;
}

/* A grid of the caller (checked, with its pitches) to or from one of the same size on the device, whose pitches `there` has;
   padding is left alone. */
CONVK_LOCAL_ int convk_cuda_copy_grid_(const convk_cuda_call_ *call, const convk_grid3 *grid, const convk_grid3 *there,
                                     size_t element, void *host, void *device, cudaMemcpyKind kind) {
  const size_t row = grid->nx * element, host_y = grid->pitch_y * element, host_z = grid->pitch_z * element;
  const size_t device_y = there->pitch_y * element, device_z = there->pitch_z * element, most = 0x7fffffff;
  const int in = kind == cudaMemcpyHostToDevice;
  int status = CONVK_OK;
  size_t z;
  if (grid->ny == 1 || (host_y == row && device_y == row)) /* planes are rows */
    return in ? convk_cuda_copy_rows_(call, device, device_z, host, host_z, row * grid->ny, grid->nz, kind)
              : convk_cuda_copy_rows_(call, host, host_z, device, device_z, row * grid->ny, grid->nz, kind);
  if (host_z % host_y == 0 && device_z % device_y == 0 && host_y <= most && device_y <= most) {
    const cudaPitchedPtr outside = make_cudaPitchedPtr(host, host_y, row, host_z / host_y);
    const cudaPitchedPtr inside = make_cudaPitchedPtr(device, device_y, row, device_z / device_y);
    cudaMemcpy3DParms p;
    memset(&p, 0, sizeof p);
    p.srcPtr = in ? outside : inside;
    p.dstPtr = in ? inside : outside;
    p.extent = make_cudaExtent(row, grid->ny, grid->nz);
    p.kind = kind;
    return convk_cuda_status_(call->hw, cudaMemcpy3DAsync(&p, call->device->stream));
  }
  for (z = 0; z < grid->nz && !status; z++) {
    char *outside = (char *)host + z * host_z, *inside = (char *)device + z * device_z;
    status = in ? convk_cuda_copy_rows_(call, inside, device_y, outside, host_y, row, grid->ny, kind)
                : convk_cuda_copy_rows_(call, outside, host_y, inside, device_y, row, grid->ny, kind);
  }
  return status;
}

CONVK_LOCAL_ convk_grid3 convk_cuda_packed_(const convk_grid3 *grid) {
  convk_grid3 packed = *grid;
  packed.pitch_y = packed.nx;
  packed.pitch_z = packed.nx * packed.ny;
  return packed;
}

/* A grid of the caller in a buffer of the device, packed; `copy`: with its contents. */
template <class T>
static int convk_cuda_bring_(const convk_cuda_call_ *call, int which, const convk_grid3 *grid, const T *host, int copy,
                             T **device) {
  const convk_grid3 packed = convk_cuda_packed_(grid);
  void *buffer = NULL;
  int status = convk_cuda_buffer_(call, which, packed.pitch_z * packed.nz * sizeof(T), &buffer);
  *device = (T *)buffer;
  if (!status && copy)
    status = convk_cuda_copy_grid_(call, grid, &packed, sizeof(T), (void *)(uintptr_t)host, buffer, cudaMemcpyHostToDevice);
  return status;
}

template <class T> static int convk_cuda_fetch_(const convk_cuda_call_ *call, const convk_grid3 *grid, T *host, T *device) {
  const convk_grid3 packed = convk_cuda_packed_(grid);
  return convk_cuda_copy_grid_(call, grid, &packed, sizeof(T), host, device, cudaMemcpyDeviceToHost);
}

/* Part of a grid of the caller to or from the same part of a packed one on the device. */
CONVK_LOCAL_ int convk_cuda_copy_box_(const convk_cuda_call_ *call, const convk_grid3 *grid, const size_t first[3],
                                    const size_t count[3], size_t element, void *host, void *device, cudaMemcpyKind kind) {
  const convk_grid3 packed = convk_cuda_packed_(grid);
  const size_t outside = first[2] * grid->pitch_z + first[1] * grid->pitch_y + first[0];
  const size_t inside = first[2] * packed.pitch_z + first[1] * packed.pitch_y + first[0];
  convk_grid3 box = *grid;
  box.nx = count[0];
  box.ny = count[1];
  box.nz = count[2];
  return convk_cuda_copy_grid_(call, &box, &packed, element, (char *)host + outside * element,
                               (char *)device + inside * element, kind);
}

/* A batch of the caller to or from a packed one on the device, in as few copies as its strides allow; padding is left alone. */
CONVK_LOCAL_ int convk_cuda_copy_batch_(const convk_cuda_call_ *call, size_t items, size_t rows, size_t columns, size_t pitch,
                                      size_t stride, size_t element, char *host, char *device, cudaMemcpyKind kind) {
  const size_t row = columns * element, all = rows * row;
  const int in = kind == cudaMemcpyHostToDevice;
  int status = CONVK_OK;
  size_t i;
  if (rows == 1 || pitch == columns) /* items are rows */
    if (items == 1 || stride >= rows * columns)
      return in ? convk_cuda_copy_rows_(call, device, all, host, stride * element, all, items, kind)
                : convk_cuda_copy_rows_(call, host, stride * element, device, all, all, items, kind);
  if (stride == rows * pitch) /* all rows are evenly apart */
    return in ? convk_cuda_copy_rows_(call, device, row, host, pitch * element, row, rows * items, kind)
              : convk_cuda_copy_rows_(call, host, pitch * element, device, row, row, rows * items, kind);
  for (i = 0; i < items && !status; i++) {
    char *outside = host + i * stride * element, *inside = device + i * all;
    status = in ? convk_cuda_copy_rows_(call, inside, row, outside, pitch * element, row, rows, kind)
                : convk_cuda_copy_rows_(call, outside, pitch * element, inside, row, row, rows, kind);
  }
  return status;
}

CONVK_LOCAL_ size_t convk_cuda_parts_(size_t n, size_t part) { return n / part + (n % part != 0); }

/* Room for a b c elements at *at, from *end on, which moves behind it. */
CONVK_LOCAL_ int convk_cuda_reserve_(size_t *end, size_t a, size_t b, size_t c, size_t element, size_t *at) {
  size_t bytes;
  *at = *end;
  if (convk_mul_(a, b, &bytes) || convk_mul_(bytes, c, &bytes) || convk_mul_(bytes, element, &bytes) ||
      bytes > (size_t)-1 / 8 || *end > (size_t)-1 / 2)
    return CONVK_ERR_OVERFLOW;
  *end += convk_round_up_(bytes, 256);
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_cuda_work_(void *work, size_t work_size, size_t need, char **base) {
  if (!work) return CONVK_ERR_NULL;
  if (work_size < need) return CONVK_ERR_WORK;
  *base = (char *)work + (256 - (uintptr_t)work % 256) % 256;
  return CONVK_OK;
}

template <class T> static T *convk_cuda_at_(void *base, size_t bytes) { return (T *)(void *)((char *)base + bytes); }

/* An array of the caller in part of a buffer of the device; *end counts the bytes that are used, and before there is a buffer,
   those that are needed. */
template <class T>
static int convk_cuda_bring_array_(const convk_cuda_call_ *call, void *buffer, size_t *end, const T *host, size_t n,
                                   const T **device) {
  const size_t at = *end;
  *end += convk_round_up_(n * sizeof(T), 256);
  if (!host || !n) *device = NULL;
  if (!buffer || !host || !n) return CONVK_OK;
  *device = convk_cuda_at_<T>(buffer, at);
  return convk_cuda_copy_(call, (char *)buffer + at, host, n * sizeof(T), cudaMemcpyHostToDevice);
}

