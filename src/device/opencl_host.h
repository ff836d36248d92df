
/* --------------------------------------------------------------------------------------------------------- host arrays -- */

typedef cl_mem convk_cl_memory_;

/* What hw->ours.inside.device points to.  Buffers grow and are kept. */
typedef struct convk_cl_host_ {
  convk *hw; /* of the call under way */
  convk_cl cl;
  cl_command_queue queue;
  cl_command_queue untimed; /* of the handle, while convk_tune has one that notes times; else NULL */
  int still;                /* 1: convk_tune measures, and copies of arrays are left out */
  cl_mem buffer[CONVK_DEVICE_ARRAYS_];
  size_t bytes[CONVK_DEVICE_ARRAYS_];
  unsigned used;                         /* which of them the call under way has, as bits */
  cl_command_queue lane[CONVK_STREAMS_]; /* [0] is `queue` */
  cl_command_queue now;                  /* where copies go */
  cl_event mark[CONVK_MARKS_];
  int has_lanes; /* lanes 1 and 2 are there: they are made when first needed */
} convk_cl_host_;

#if CONVK_CORE_
CONVK_API_ convk_cl *convk_cl_of(convk *hw) {
  if (convk_check_handle_(hw) || strcmp(hw->name, "opencl") || !hw->ours.inside.device) return NULL;
  return &((convk_cl_host_ *)hw->ours.inside.device)->cl;
}
#endif

CONVK_LOCAL_ cl_command_queue convk_cl_new_queue_(const convk_cl *cl, int timed, cl_int *error) {
#if CL_TARGET_OPENCL_VERSION < 200
  return clCreateCommandQueue(cl->context, cl->device, timed ? CL_QUEUE_PROFILING_ENABLE : 0, error);
#else
  const cl_queue_properties properties[3] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  return clCreateCommandQueueWithProperties(cl->context, cl->device, timed ? properties : NULL, error);
#endif
}

CONVK_LOCAL_ int convk_cl_host_of_(convk *hw, convk_cl_host_ **host) {
  const int status = convk_begin_call_(hw);
  if (status) return status;
  if (!convk_cl_of(hw)) return CONVK_ERR_HANDLE;
  *host = (convk_cl_host_ *)hw->ours.inside.device;
  (*host)->hw = hw;
  (*host)->cl.message[0] = 0;
  return CONVK_OK;
}

/* A failed call's message belongs to the handle, which the signature of operations calls const. */
CONVK_LOCAL_ int convk_cl_report_(const convk_cl_host_ *host, int status) {
  if (status && host->cl.message[0]) memcpy(((convk *)host->hw)->message, host->cl.message, sizeof host->hw->message);
  return status;
}

CONVK_LOCAL_ int convk_cl_able_(convk_cl_host_ *host, size_t element, unsigned sums) {
  return convk_cl_report_(host, convk_cl_precision_(&host->cl, element, sums));
}

CONVK_LOCAL_ convk *convk_cl_threads_(convk *hw) { return hw; }

CONVK_LOCAL_ void convk_cl_drop_(convk_cl_host_ *host, size_t which) {
  if (host->buffer[which]) (void)clReleaseMemObject(host->buffer[which]);
  host->buffer[which] = NULL;
  host->bytes[which] = 0;
}

CONVK_LOCAL_ int convk_cl_begin_(convk_cl_host_ *host) {
  host->now = host->queue;
  host->used = 0;
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_cl_allot_(convk_cl_host_ *host, size_t which, size_t bytes) {
  cl_int error;
  host->buffer[which] = clCreateBuffer(host->cl.context, CL_MEM_READ_WRITE, bytes, NULL, &error);
  return convk_cl_status_(&host->cl, "clCreateBuffer", error);
}

/* Releases lanes 1 and 2 and the marks, also where some are missing; errors count for nothing. */
CONVK_LOCAL_ void convk_cl_lanes_destroy_(convk_cl_host_ *host) {
  size_t i;
  for (i = 0; i < CONVK_MARKS_; i++) {
    if (host->mark[i]) (void)clReleaseEvent(host->mark[i]);
    host->mark[i] = NULL;
  }
  for (i = 1; i < CONVK_STREAMS_; i++) {
    if (host->lane[i]) (void)clReleaseCommandQueue(host->lane[i]);
    host->lane[i] = NULL;
  }
  host->has_lanes = 0;
}

/* Makes lanes 1 and 2, once. */
CONVK_LOCAL_ int convk_cl_lanes_(convk_cl_host_ *host) {
  cl_int error = CL_SUCCESS;
  size_t i;
  if (host->has_lanes) return CONVK_OK;
  host->lane[0] = host->queue;
  for (i = 1; i < CONVK_STREAMS_ && !error; i++) {
    host->lane[i] = convk_cl_new_queue_(&host->cl, 0, &error);
    if (error) host->lane[i] = NULL;
  }
  if (!error) host->has_lanes = 1;
  else convk_cl_lanes_destroy_(host);
  return convk_cl_status_(&host->cl, "a command queue", error);
}

CONVK_LOCAL_ void convk_cl_lane_(convk_cl_host_ *host, int which) { host->now = which ? host->lane[which] : host->queue; }

/* Queues go on by themselves once they are flushed, so that another one may wait for the mark. */
CONVK_LOCAL_ int convk_cl_mark_(convk_cl_host_ *host, size_t which) {
  cl_int error;
  if (host->mark[which]) (void)clReleaseEvent(host->mark[which]);
  host->mark[which] = NULL;
  error = clEnqueueMarkerWithWaitList(host->now, 0, NULL, &host->mark[which]);
  if (!error) error = clFlush(host->now);
  return convk_cl_status_(&host->cl, "clEnqueueMarkerWithWaitList", error);
}
CONVK_LOCAL_ int convk_cl_after_(convk_cl_host_ *host, size_t which) {
  return convk_cl_status_(&host->cl, "clEnqueueBarrierWithWaitList",
                          clEnqueueBarrierWithWaitList(host->now, 1, &host->mark[which], NULL));
}

CONVK_LOCAL_ int convk_cl_until_(convk_cl_host_ *host, size_t which) {
  return convk_cl_status_(&host->cl, "clWaitForEvents", clWaitForEvents(1, &host->mark[which]));
}

/* A processor would copy instead of working. */
CONVK_LOCAL_ int convk_cl_beside_(const convk_cl_host_ *host) { return !host->cl.cpu; }

/* Bytes that buffers of a call may take: what the handle allows, or all of the device's memory. */
CONVK_LOCAL_ int convk_cl_allowed_(convk_cl_host_ *host, size_t *bytes) {
  cl_ulong all = 0;
  cl_int error = CL_SUCCESS;
  if (!host->hw->device_bytes) error = clGetDeviceInfo(host->cl.device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof all, &all, NULL);
  *bytes = host->hw->device_bytes ? host->hw->device_bytes : (size_t)all;
  return convk_cl_status_(&host->cl, "clGetDeviceInfo", error);
}

/* A box between a host array with the pitches of `grid` and a packed buffer of such a grid, which begins `at` bytes, a number
   of planes, behind the buffer's beginning. */
CONVK_LOCAL_ int convk_cl_copy_box_(convk_cl_host_ *host, int download, cl_mem mem, size_t at, const convk_grid3 *grid,
                                    const size_t first[3], const size_t count[3], size_t element, void *array) {
  const size_t row = grid->nx * element, plane = row * grid->ny;
  const size_t pitch = grid->pitch_y * element, slice = grid->pitch_z * element;
  /* OpenCL wants slices to be whole numbers of rows */
  const int one = count[2] > 1 && !(grid->pitch_z >= grid->ny * grid->pitch_y && grid->pitch_z % grid->pitch_y == 0);
  const size_t zero[3] = {0, 0, 0};
  size_t region[3], origin[3], z;
  cl_int error = CL_SUCCESS;
  if (host->still) return CONVK_OK;
  region[0] = count[0] * element;
  region[1] = count[1];
  region[2] = one ? 1 : count[2];
  origin[0] = first[0] * element;
  origin[1] = first[1];
  for (z = first[2]; z < first[2] + count[2] && !error; z += region[2]) {
    char *here = (char *)array + z * slice + origin[1] * pitch + origin[0];
    origin[2] = at / plane + z;
    error = download ? clEnqueueReadBufferRect(host->now, mem, CL_FALSE, origin, zero, region, row, plane, pitch,
                                               region[2] > 1 ? slice : 0, here, 0, NULL, NULL)
                     : clEnqueueWriteBufferRect(host->now, mem, CL_FALSE, origin, zero, region, row, plane, pitch,
                                                region[2] > 1 ? slice : 0, here, 0, NULL, NULL);
  }
  return convk_cl_status_(&host->cl, "a copy of rows", error);
}

/* Enqueues a copy of a whole grid between a host array and a packed buffer; does not wait. */
CONVK_LOCAL_ int convk_cl_copy_(convk_cl_host_ *host, int download, cl_mem mem, const convk_grid3 *grid, size_t element,
                                void *array) {
  const size_t plane = grid->nx * grid->ny, bytes = plane * grid->nz * element, first[3] = {0, 0, 0};
  size_t count[3];
  cl_int error;
  if (host->still) return CONVK_OK;
  if ((grid->ny == 1 || grid->pitch_y == grid->nx) && (grid->nz == 1 || grid->pitch_z == plane)) {
    error = download ? clEnqueueReadBuffer(host->now, mem, CL_FALSE, 0, bytes, array, 0, NULL, NULL)
                     : clEnqueueWriteBuffer(host->now, mem, CL_FALSE, 0, bytes, array, 0, NULL, NULL);
    return convk_cl_status_(&host->cl, "a copy of an array", error);
  }
  count[0] = grid->nx;
  count[1] = grid->ny;
  count[2] = grid->nz;
  return convk_cl_copy_box_(host, download, mem, 0, grid, first, count, element, array);
}

/* Always waits for all lanes: whatever was enqueued uses arrays of the caller. */
CONVK_LOCAL_ int convk_cl_wait_(convk_cl_host_ *host, int status) {
  cl_int error = clFinish(host->queue);
  int i;
  for (i = 1; i < CONVK_STREAMS_ && host->has_lanes; i++) {
    const cl_int copied = clFinish(host->lane[i]);
    if (!error) error = copied;
  }
  return !status && error ? convk_cl_status_(&host->cl, "clFinish", error) : status;
}
CONVK_LOCAL_ int convk_cl_end_(convk_cl_host_ *host, int status) {
  return convk_cl_report_(host, convk_cl_wait_(host, status));
}

/* Bytes of a buffer, from a list of the caller; and the first of them, back to it.  Neither waits. */
CONVK_LOCAL_ int convk_cl_send_(convk_cl_host_ *host, cl_mem mem, size_t at, size_t bytes, const void *list) {
  return convk_cl_status_(&host->cl, "a copy of an array",
                          clEnqueueWriteBuffer(host->now, mem, CL_FALSE, at, bytes, list, 0, NULL, NULL));
}
CONVK_LOCAL_ int convk_cl_fetch_(convk_cl_host_ *host, cl_mem mem, size_t at, size_t bytes, void *list) {
  return convk_cl_status_(&host->cl, "a copy of results",
                          clEnqueueReadBuffer(host->now, mem, CL_FALSE, at, bytes, list, 0, NULL, NULL));
}
CONVK_LOCAL_ int convk_cl_same_(convk_cl_host_ *host, cl_mem to, size_t to_at, cl_mem from, size_t from_at, size_t bytes) {
  return convk_cl_status_(&host->cl, "clEnqueueCopyBuffer",
                          clEnqueueCopyBuffer(host->now, from, to, from_at, to_at, bytes, 0, NULL, NULL));
}
