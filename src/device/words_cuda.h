/* ---- the words of <family>/device.h for CUDA; device/host.h says what they mean ---- */

typedef struct convk_cuda_call_ {
  cudaStream_t stream;
  const convk_cuda_stencil_tuning *stencil; /* NULL: chosen by the library */
  char *message;
  convk *hw;               /* whose tuned entries count, or NULL */
  size_t planes;           /* or items, of the whole of which the call has a part; 0: it has all */
  convk_cuda_host_ *timed; /* while convk_tune measures a handle; else NULL */
} convk_cuda_call_;

/* Around the kernels of a call: adds their time where it is measured. */
CONVK_LOCAL_ int convk_cuda_clock_start_(const convk_cuda_call_ *call) {
  if (!call->timed) return CONVK_OK;
  return convk_cuda_status_(call->timed, cudaEventRecord(call->timed->clock[0], call->stream));
}
CONVK_LOCAL_ int convk_cuda_clock_stop_(const convk_cuda_call_ *call, int status) {
  convk_cuda_host_ *const d = call->timed;
  float milliseconds = 0;
  cudaError_t error;
  if (!d || status) return status;
  error = cudaEventRecord(d->clock[1], call->stream);
  if (error == cudaSuccess) error = cudaEventSynchronize(d->clock[1]);
  if (error == cudaSuccess) error = cudaEventElapsedTime(&milliseconds, d->clock[0], d->clock[1]);
  d->seconds += 1e-3 * (double)milliseconds;
  return convk_cuda_status_(d, error);
}

CONVK_LOCAL_ int convk_cuda_call_of_(convk_cuda_stream *on, size_t, unsigned, convk_cuda_call_ *call) {
  memset(call, 0, sizeof *call);
  if (!on) return CONVK_ERR_NULL;
  on->message[0] = 0;
  call->stream = on->stream;
  call->stencil = &on->stencil;
  call->message = on->message;
  call->hw = on->hw;
  if (on->hw && convk_check_handle_(on->hw))
    return convk_refuse_(call->message, CONVK_ERR_HANDLE, "on->hw is not open, or of another version");
  return CONVK_OK;
}

CONVK_LOCAL_ convk_cuda_call_ convk_cuda_call_on_(convk_cuda_host_ *host) {
  convk_cuda_call_ call;
  call.stream = host->stream;
  call.stencil = NULL;
  call.message = host->hw->message;
  call.hw = host->hw;
  call.planes = 0;
  call.timed = host->clock[1] ? host : NULL;
  return call;
}

CONVK_LOCAL_ int convk_cuda_call_end_(convk_cuda_call_ *, int status) { return status; }

/* Memory of a handle as an array of any type. */
struct convk_cuda_any_ {
  void *memory;
  template <class type_> operator type_ *() const { return (type_ *)memory; }
};
CONVK_LOCAL_ convk_cuda_any_ convk_cuda_array_of_(void *memory) {
  const convk_cuda_any_ any = {memory};
  return any;
}

CONVK_LOCAL_ convk_cuda_any_ convk_cuda_none_() { return convk_cuda_array_of_(NULL); }

/* An array within work memory, from so many bytes on. */
CONVK_LOCAL_ convk_cuda_any_ convk_cuda_array_at_(void *base, size_t bytes, size_t) {
  return convk_cuda_array_of_((char *)base + bytes);
}
/* What begins `at` bytes behind the beginning of an array. */
CONVK_LOCAL_ convk_cuda_any_ convk_cuda_array_part_(const void *array, size_t, size_t at, size_t) {
  return convk_cuda_array_of_((void *)((uintptr_t)array + at));
}
CONVK_LOCAL_ int convk_cuda_is_set_(const void *array) { return array != NULL; }

CONVK_LOCAL_ int convk_cuda_array_place_(convk_cuda_call_ *call, const char *name, const void *array, size_t count,
                                         size_t element, int flags, convk_place_ *place) {
  size_t bytes = 0;
  if (convk_bytes_(count, element, &bytes))
    return convk_refuse_names_(call->message, CONVK_ERR_OVERFLOW, "$ has too many elements", name, NULL);
  *place = convk_place_of_(name, array, bytes, flags);
  return CONVK_OK;
}

/* The message of a size query, which may be on no stream. */
CONVK_LOCAL_ int convk_cuda_query_of_(convk_cuda_stream *on, char **message) {
  *message = on ? on->message : NULL;
  if (on) on->message[0] = 0;
  return CONVK_OK;
}

typedef const void convk_cuda_machine_;

CONVK_LOCAL_ int convk_cuda_machine_of_(const convk_cuda_stream *, convk_cuda_machine_ **machine) {
  *machine = NULL;
  return CONVK_OK;
}
CONVK_LOCAL_ convk_cuda_machine_ *convk_cuda_machine_of_call_(const convk_cuda_call_ *) { return NULL; }

/* That work memory is enough, and where it begins: at a multiple of 256 bytes. */
CONVK_LOCAL_ int convk_cuda_work_place_(convk_cuda_call_ *call, void *work, size_t work_size, size_t need, convk_place_ *place,
                                        void **base) {
  *place = convk_place_of_("work", work, work_size, CONVK_PLACE_WRITTEN_);
  *base = (char *)work + (256 - (uintptr_t)work % 256) % 256;
  if (!work) return convk_need_(call->message, "work", work);
  return convk_work_check_(call->message, work, work_size, need);
}
