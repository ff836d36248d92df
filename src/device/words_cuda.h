/* ---- the words of <family>/device.h for CUDA; device/host.h says what they mean ---- */

typedef struct convk_cuda_call_ {
  cudaStream_t stream;
  const convk_cuda_stencil_tuning *stencil; /* NULL: chosen by the library */
  char *message;
} convk_cuda_call_;

CONVK_LOCAL_ int convk_cuda_call_of_(convk_cuda_stream *on, size_t, unsigned, convk_cuda_call_ *call) {
  memset(call, 0, sizeof *call);
  if (!on) return CONVK_ERR_NULL;
  on->message[0] = 0;
  call->stream = on->stream;
  call->stencil = &on->stencil;
  call->message = on->message;
  return CONVK_OK;
}

CONVK_LOCAL_ convk_cuda_call_ convk_cuda_call_on_(convk_cuda_host_ *host) {
  convk_cuda_call_ call;
  call.stream = host->stream;
  call.stencil = NULL;
  call.message = host->hw->message;
  return call;
}

CONVK_LOCAL_ int convk_cuda_call_end_(convk_cuda_call_ *, int status) { return status; }

/* Memory of a handle as an array of any type. */
struct convk_cuda_any_ {
  void *memory;
  template <class T> operator T *() const { return (T *)memory; }
};
CONVK_LOCAL_ convk_cuda_any_ convk_cuda_array_of_(void *memory) {
  const convk_cuda_any_ any = {memory};
  return any;
}

CONVK_LOCAL_ int convk_cuda_array_place_(convk_cuda_call_ *call, const char *name, const void *array, size_t count,
                                         size_t element, int flags, convk_place_ *place) {
  size_t bytes = 0;
  if (convk_mul_(count, element, &bytes))
    return convk_refuse_names_(call->message, CONVK_ERR_OVERFLOW, "$ has too many elements", name, NULL);
  *place = convk_place_of_(name, array, bytes, flags);
  return CONVK_OK;
}
