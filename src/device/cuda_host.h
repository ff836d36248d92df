/* --------------------------------------------------------------------------------------------- the device of a handle -- */

typedef void *convk_cuda_memory_;

/* CONTEXTS: a handle retains the primary context of its device, and a call pushes it onto the thread's stack of contexts and
   pops it: whatever was current before, a context of cuCtxCreate or none, is current again.  The runtime alone cannot do that:
   cudaSetDevice replaces the thread's context, and makes one on a device that had none (since CUDA 12 at once, before at the
   next call).  So these few calls are the driver's, asked of the runtime: programs need not be linked to it.
   ERRORS: only what our own calls return counts.  The runtime also keeps each thread's last error for cudaGetLastError, such as
   cudaErrorNotReady of a program that looks at its events: that one is the program's, is no failure of ours, and stays.  If
   there was none, a call on host arrays that fails takes out its own, which its status and hw->message tell; if there was one,
   a failure of ours has replaced it, and stays.  Calls on device arrays take nothing out. */

typedef int(CUDARTAPI convk_cuda_device_fn_)(int *device, int ordinal);
typedef int(CUDARTAPI convk_cuda_retain_fn_)(void **context, int device);
typedef int(CUDARTAPI convk_cuda_release_fn_)(int device);
typedef int(CUDARTAPI convk_cuda_push_fn_)(void *context);
typedef int(CUDARTAPI convk_cuda_pop_fn_)(void **context);

/* Calls of the driver; its error codes are the runtime's. */
typedef struct convk_cuda_driver_ {
  convk_cuda_device_fn_ *device;
  convk_cuda_retain_fn_ *retain;
  convk_cuda_release_fn_ *release;
  convk_cuda_push_fn_ *push;
  convk_cuda_pop_fn_ *pop;
} convk_cuda_driver_;

/* What hw->ours.inside.device points to.  Buffers grow and are kept. */
typedef struct convk_cuda_host_ {
  convk *hw;          /* of the call under way */
  cudaError_t before; /* the thread's last error when it began */
  convk_cuda_driver_ driver;
  int device; /* the driver's number of it */
  void *context;
  cudaStream_t stream;
  void *buffer[CONVK_DEVICE_ARRAYS_];
  size_t bytes[CONVK_DEVICE_ARRAYS_];
  unsigned used;                     /* which of them the call under way has, as bits */
  cudaStream_t lane[CONVK_STREAMS_]; /* [0] is `stream` */
  cudaStream_t now;                  /* where copies go */
  cudaEvent_t mark[CONVK_MARKS_];
  int has_lanes;        /* lanes 1 and 2 and the marks are there: they are made when first needed */
  cudaEvent_t clock[2]; /* around kernels while convk_tune measures them, and what it has measured; else NULL */
  double seconds;
  int still; /* 1: convk_tune measures, and copies of arrays are left out */
} convk_cuda_host_;

/* The status of an error of the runtime or the driver, with its text in the handle. */
CONVK_LOCAL_ int convk_cuda_status_(convk_cuda_host_ *host, cudaError_t error) {
  convk *const hw = host->hw;
  if (error == cudaSuccess) return CONVK_OK;
  strncpy(hw->message, cudaGetErrorString(error), sizeof hw->message - 1);
  hw->message[sizeof hw->message - 1] = 0;
  return error == cudaErrorMemoryAllocation ? CONVK_ERR_MEMORY : CONVK_ERR_DEVICE;
}

/* Takes the thread's last error out after a call that has failed, unless there was one before; returns the status. */
CONVK_LOCAL_ int convk_cuda_failed_(const convk_cuda_host_ *host, int status) {
  if (status && host->before == cudaSuccess) (void)cudaGetLastError();
  return status;
}

/* Checks the handle, and sets *host to what it has of its device. */
CONVK_LOCAL_ int convk_cuda_host_of_(convk *hw, convk_cuda_host_ **host) {
  const int status = convk_begin_call_(hw);
  if (status) return status;
  if (!hw->ours.inside.device || strcmp(hw->name, "cuda") != 0) return CONVK_ERR_HANDLE;
  *host = (convk_cuda_host_ *)hw->ours.inside.device;
  (*host)->hw = (convk *)(uintptr_t)hw;
  return CONVK_OK;
}

/* All devices have doubles. */
CONVK_LOCAL_ int convk_cuda_able_(convk_cuda_host_ *, size_t, unsigned) { return CONVK_OK; }

/* Checks use no threads. */
CONVK_LOCAL_ convk *convk_cuda_threads_(convk *) { return NULL; }

CONVK_LOCAL_ int convk_cuda_begin_(convk_cuda_host_ *host) {
  host->before = cudaPeekAtLastError();
  host->now = host->stream;
  host->used = 0;
  return convk_cuda_status_(host, (cudaError_t)host->driver.push(host->context));
}

/* Waits for the handle's stream and for its further streams, and returns the first error. */
CONVK_LOCAL_ cudaError_t convk_cuda_still_(convk_cuda_host_ *host) {
  cudaError_t error = cudaStreamSynchronize(host->stream);
  int i;
  for (i = 1; i < CONVK_STREAMS_ && host->has_lanes; i++) {
    const cudaError_t copied = cudaStreamSynchronize(host->lane[i]);
    if (error == cudaSuccess) error = copied;
  }
  return error;
}
CONVK_LOCAL_ int convk_cuda_wait_(convk_cuda_host_ *host, int status) {
  const cudaError_t error = convk_cuda_still_(host);
  return status ? status : convk_cuda_status_(host, error);
}

/* Waits for what is under way, also after a failure: the caller's arrays must not be in use when the call returns. */
CONVK_LOCAL_ int convk_cuda_end_(convk_cuda_host_ *host, int status) {
  cudaError_t error = cudaPeekAtLastError(); /* that of a launch is nowhere else */
  const cudaError_t wait = convk_cuda_still_(host);
  void *own;
  if (status != CONVK_ERR_DEVICE || error == host->before) error = cudaSuccess;
  if (!status || status == CONVK_ERR_DEVICE) {
    const int late = convk_cuda_status_(host, error != cudaSuccess ? error : wait);
    if (!status) status = late;
  }
  (void)host->driver.pop(&own);
  return convk_cuda_failed_(host, status);
}

CONVK_LOCAL_ void convk_cuda_drop_(convk_cuda_host_ *d, size_t which) {
  (void)cudaFree(d->buffer[which]);
  d->buffer[which] = NULL;
  d->bytes[which] = 0;
}

CONVK_LOCAL_ int convk_cuda_allot_(convk_cuda_host_ *d, size_t which, size_t bytes) {
  return convk_cuda_status_(d, cudaMalloc(&d->buffer[which], bytes));
}

/* Destroys lanes 1 and 2 and the marks, also where some are missing.  The context is current; errors count for nothing. */
CONVK_LOCAL_ void convk_cuda_lanes_destroy_(convk_cuda_host_ *d) {
  size_t i;
  for (i = 0; i < CONVK_MARKS_; i++) {
    if (d->mark[i]) (void)cudaEventDestroy(d->mark[i]);
    d->mark[i] = NULL;
  }
  for (i = 1; i < CONVK_STREAMS_; i++) {
    if (d->lane[i]) (void)cudaStreamDestroy(d->lane[i]);
    d->lane[i] = NULL;
  }
  d->has_lanes = 0;
}

/* Makes lanes 1 and 2 and the marks, once. */
CONVK_LOCAL_ int convk_cuda_lanes_(convk_cuda_host_ *d) {
  cudaError_t error = cudaSuccess;
  size_t i;
  if (d->has_lanes) return CONVK_OK;
  d->lane[0] = d->stream;
  for (i = 1; i < CONVK_STREAMS_ && error == cudaSuccess; i++)
    error = cudaStreamCreateWithFlags(&d->lane[i], cudaStreamNonBlocking);
  for (i = 0; i < CONVK_MARKS_ && error == cudaSuccess; i++)
    error = cudaEventCreateWithFlags(&d->mark[i], cudaEventDisableTiming);
  if (error == cudaSuccess) d->has_lanes = 1;
  else convk_cuda_lanes_destroy_(d);
  return convk_cuda_status_(d, error);
}

CONVK_LOCAL_ void convk_cuda_lane_(convk_cuda_host_ *d, int which) { d->now = which ? d->lane[which] : d->stream; }
CONVK_LOCAL_ int convk_cuda_mark_(convk_cuda_host_ *d, size_t which) {
  return convk_cuda_status_(d, cudaEventRecord(d->mark[which], d->now));
}
CONVK_LOCAL_ int convk_cuda_after_(convk_cuda_host_ *d, size_t which) {
  return convk_cuda_status_(d, cudaStreamWaitEvent(d->now, d->mark[which], 0));
}

CONVK_LOCAL_ int convk_cuda_until_(convk_cuda_host_ *d, size_t which) {
  return convk_cuda_status_(d, cudaEventSynchronize(d->mark[which]));
}

/* All devices copy beside their work. */
CONVK_LOCAL_ int convk_cuda_beside_(const convk_cuda_host_ *) { return 1; }

/* Bytes that buffers of a call may take: what the handle allows, or what is free and what the handle has. */
CONVK_LOCAL_ int convk_cuda_allowed_(convk_cuda_host_ *d, size_t *bytes) {
  size_t whole = 0, i;
  if (d->hw->device_bytes) {
    *bytes = d->hw->device_bytes;
    return CONVK_OK;
  }
  const int status = convk_cuda_status_(d, cudaMemGetInfo(bytes, &whole));
  for (i = 0; i < CONVK_DEVICE_ARRAYS_ && !status; i++) *bytes += d->bytes[i];
  return status;
}

CONVK_LOCAL_ int convk_cuda_copy_bytes_(convk_cuda_host_ *host, void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  if (host->still) return CONVK_OK;
  return convk_cuda_status_(host, cudaMemcpyAsync(to, from, bytes, kind, host->now));
}

/* `count` rows between pitches of the caller's array and of memory of the device, all in bytes; a pitch beyond what the runtime
   takes is gone through row by row. */
CONVK_LOCAL_ int convk_cuda_copy_rows_(convk_cuda_host_ *host, int download, void *memory, size_t memory_pitch, void *array,
                                       size_t array_pitch, size_t row, size_t count) {
  char *const to = (char *)(download ? array : memory), *const from = (char *)(download ? memory : array);
  const size_t to_pitch = download ? array_pitch : memory_pitch, from_pitch = download ? memory_pitch : array_pitch;
  const cudaMemcpyKind kind = download ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
  const size_t limit = 0x7fffffff;
  int status = CONVK_OK;
  size_t i;
  if (host->still) return CONVK_OK;
  if (count == 1 || (to_pitch == row && from_pitch == row)) return convk_cuda_copy_bytes_(host, to, from, row * count, kind);
  if (to_pitch <= limit && from_pitch <= limit)
    return convk_cuda_status_(host, cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, row, count, kind, host->now));
  for (i = 0; i < count && !status; i++)
    status = convk_cuda_copy_bytes_(host, to + i * to_pitch, from + i * from_pitch, row, kind);
  return status;
}

/* Part of a grid of the caller (checked, with its pitches) to the same part of a packed one on the device, `at` bytes behind
   the buffer's beginning, or from it; padding is left alone. */
CONVK_LOCAL_ int convk_cuda_copy_box_(convk_cuda_host_ *host, int download, void *memory, size_t at, const convk_grid3 *grid,
                                      const size_t first[3], const size_t count[3], size_t element, void *array) {
  const size_t row = count[0] * element, host_y = grid->pitch_y * element, host_z = grid->pitch_z * element;
  const size_t device_y = grid->nx * element, device_z = grid->ny * device_y, limit = 0x7fffffff;
  char *const outside = (char *)array + first[2] * host_z + first[1] * host_y + first[0] * element;
  char *const inside = (char *)memory + at + first[2] * device_z + first[1] * device_y + first[0] * element;
  int status = CONVK_OK;
  size_t z;
  if (host->still) return CONVK_OK;
  /* planes are rows, but those of batches whose items overlap */
  if ((count[1] == 1 || (host_y == row && device_y == row)) && (count[2] == 1 || host_z >= row * count[1]))
    return convk_cuda_copy_rows_(host, download, inside, device_z, outside, host_z, row * count[1], count[2]);
  if (host_z % host_y == 0 && host_z / host_y >= count[1] && host_y <= limit && device_y <= limit) {
    const cudaPitchedPtr on_device = make_cudaPitchedPtr(inside, device_y, row, grid->ny);
    const cudaPitchedPtr here = make_cudaPitchedPtr(outside, host_y, row, host_z / host_y);
    cudaMemcpy3DParms p;
    memset(&p, 0, sizeof p);
    p.srcPtr = download ? on_device : here;
    p.dstPtr = download ? here : on_device;
    p.extent = make_cudaExtent(row, count[1], count[2]);
    p.kind = download ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
    return convk_cuda_status_(host, cudaMemcpy3DAsync(&p, host->now));
  }
  for (z = 0; z < count[2] && !status; z++)
    status =
        convk_cuda_copy_rows_(host, download, inside + z * device_z, device_y, outside + z * host_z, host_y, row, count[1]);
  return status;
}

/* Enqueues a copy of a whole grid between a host array and a packed buffer; does not wait. */
CONVK_LOCAL_ int convk_cuda_copy_(convk_cuda_host_ *host, int download, void *memory, const convk_grid3 *grid, size_t element,
                                  void *array) {
  const size_t first[3] = {0, 0, 0}, count[3] = {grid->nx, grid->ny, grid->nz};
  return convk_cuda_copy_box_(host, download, memory, 0, grid, first, count, element, array);
}

/* Bytes of a buffer, from a list of the caller; and the first of them, back to it. */
CONVK_LOCAL_ int convk_cuda_send_(convk_cuda_host_ *host, void *memory, size_t at, size_t bytes, const void *list) {
  return convk_cuda_copy_bytes_(host, (char *)memory + at, list, bytes, cudaMemcpyHostToDevice);
}
CONVK_LOCAL_ int convk_cuda_fetch_(convk_cuda_host_ *host, void *memory, size_t at, size_t bytes, void *list) {
  return convk_cuda_copy_bytes_(host, list, (char *)memory + at, bytes, cudaMemcpyDeviceToHost);
}

CONVK_LOCAL_ int convk_cuda_same_(convk_cuda_host_ *host, void *to, size_t to_at, const void *from, size_t from_at,
                                  size_t bytes) {
  return convk_cuda_copy_bytes_(host, (char *)to + to_at, (const char *)from + from_at, bytes, cudaMemcpyDeviceToDevice);
}

template <class element> static element *convk_cuda_at_(void *base, size_t bytes) {
  return (element *)(void *)((char *)base + bytes);
}
