
/* --------------------------------------------------------------------------------------------------------- host arrays -- */

typedef cl_mem convk_cl_memory_;

/* What hw->ours.inside.device points to.  Buffers grow and are kept. */
typedef struct convk_cl_host_ {
  convk *hw; /* of the call under way */
  convk_cl cl;
  cl_command_queue queue, second; /* for copies beside the work; NULL as long as none was needed */
  cl_command_queue untimed;       /* of the handle, while convk_tune has one that notes times; else NULL */
  int still;                      /* while it does not want arrays to be copied */
  cl_mem buffer[CONVK_DEVICE_ARRAYS_];
  size_t bytes[CONVK_DEVICE_ARRAYS_];
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

CONVK_LOCAL_ int convk_cl_begin_(convk_cl_host_ *host) {
  (void)host;
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_cl_buffer_(convk_cl_host_ *host, size_t which, size_t bytes, cl_mem *mem) {
  cl_int error;
  *mem = host->buffer[which];
  if (host->bytes[which] >= bytes) return CONVK_OK;
  if (*mem) (void)clReleaseMemObject(*mem);
  host->bytes[which] = 0;
  *mem = host->buffer[which] = clCreateBuffer(host->cl.context, CL_MEM_READ_WRITE, bytes, NULL, &error);
  if (error) {
    *mem = host->buffer[which] = NULL;
    return convk_cl_fail_(&host->cl, "clCreateBuffer", error);
  }
  host->bytes[which] = bytes;
  return CONVK_OK;
}

/* A queue for copies beside the work, or the same one where there is no other. */
CONVK_LOCAL_ cl_command_queue convk_cl_second_queue_(convk_cl_host_ *host) {
  cl_int error = CL_SUCCESS;
  if (!host->second) host->second = convk_cl_new_queue_(&host->cl, 0, &error);
  if (error) host->second = NULL;
  return host->second ? host->second : host->queue;
}

/* A box between a host array with the pitches of `grid` and a packed buffer of such a grid. */
CONVK_LOCAL_ int convk_cl_copy_box_(convk_cl_host_ *host, int download, cl_mem mem, const convk_grid3 *grid,
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
    char *at = (char *)array + z * slice + origin[1] * pitch + origin[0];
    origin[2] = z;
    error = download ? clEnqueueReadBufferRect(host->queue, mem, CL_FALSE, origin, zero, region, row, plane, pitch,
                                               region[2] > 1 ? slice : 0, at, 0, NULL, NULL)
                     : clEnqueueWriteBufferRect(host->queue, mem, CL_FALSE, origin, zero, region, row, plane, pitch,
                                                region[2] > 1 ? slice : 0, at, 0, NULL, NULL);
  }
  return error ? convk_cl_fail_(&host->cl, "a copy of rows", error) : CONVK_OK;
}

/* The whole grid; padding is left alone. */
CONVK_LOCAL_ int convk_cl_copy_(convk_cl_host_ *host, int download, cl_mem mem, const convk_grid3 *grid, size_t element,
                                void *array) {
  const size_t points = grid->nx * grid->ny, bytes = points * grid->nz * element, first[3] = {0, 0, 0};
  size_t count[3];
  cl_int error;
  if (host->still) return CONVK_OK;
  if ((grid->ny == 1 || grid->pitch_y == grid->nx) && (grid->nz == 1 || grid->pitch_z == points)) {
    error = download ? clEnqueueReadBuffer(host->queue, mem, CL_FALSE, 0, bytes, array, 0, NULL, NULL)
                     : clEnqueueWriteBuffer(host->queue, mem, CL_FALSE, 0, bytes, array, 0, NULL, NULL);
    return error ? convk_cl_fail_(&host->cl, "a copy of an array", error) : CONVK_OK;
  }
  count[0] = grid->nx;
  count[1] = grid->ny;
  count[2] = grid->nz;
  return convk_cl_copy_box_(host, download, mem, grid, first, count, element, array);
}

/* Always waits: whatever was enqueued uses arrays of the caller. */
CONVK_LOCAL_ int convk_cl_wait_(convk_cl_host_ *host, int status) {
  const cl_int error = clFinish(host->queue);
  return !status && error ? convk_cl_fail_(&host->cl, "clFinish", error) : status;
}
CONVK_LOCAL_ int convk_cl_end_(convk_cl_host_ *host, int status) {
  return convk_cl_report_(host, convk_cl_wait_(host, status));
}

/* Bytes of a buffer, from a list of the caller; and the first of them, back to it.  Neither waits. */
CONVK_LOCAL_ int convk_cl_send_(convk_cl_host_ *host, cl_mem mem, size_t at, size_t bytes, const void *list) {
  const cl_int error = clEnqueueWriteBuffer(host->queue, mem, CL_FALSE, at, bytes, list, 0, NULL, NULL);
  return error ? convk_cl_fail_(&host->cl, "a copy of an array", error) : CONVK_OK;
}
CONVK_LOCAL_ int convk_cl_fetch_(convk_cl_host_ *host, cl_mem mem, size_t bytes, void *list) {
  const cl_int error = clEnqueueReadBuffer(host->queue, mem, CL_FALSE, 0, bytes, list, 0, NULL, NULL);
  return error ? convk_cl_fail_(&host->cl, "a copy of results", error) : CONVK_OK;
}
CONVK_LOCAL_ int convk_cl_same_(convk_cl_host_ *host, cl_mem to, cl_mem from, size_t bytes) {
  const cl_int error = clEnqueueCopyBuffer(host->queue, from, to, 0, 0, bytes, 0, NULL, NULL);
  return error ? convk_cl_fail_(&host->cl, "clEnqueueCopyBuffer", error) : CONVK_OK;
}
