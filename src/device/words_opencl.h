/* ---- the words of <family>/device.h for OpenCL; device/host.h says what they mean ---- */

typedef convk_cl_chain_ convk_cl_call_;
typedef convk_cl_array convk_cl_any_;

CONVK_LOCAL_ int convk_cl_call_of_(const convk_cl_queue *on, size_t element, unsigned sums, convk_cl_call_ *call) {
  int status = on ? convk_cl_check_(on->cl) : CONVK_ERR_NULL;
  memset(call, 0, sizeof *call);
  if (status) return status;
  on->cl->message[0] = 0;
  *call = convk_cl_chain_of_(on->cl, on->queue, on->num_wait, on->wait_list);
  call->event = on->event;
  call->message = on->cl->message;
  call->hw = on->cl->hw;
  if (call->hw && convk_check_handle_(call->hw))
    return convk_refuse_(call->message, CONVK_ERR_HANDLE, "on->cl->hw is not open, or of another version");
  if (!on->queue) return convk_refuse_(call->message, CONVK_ERR_NULL, "on->queue is NULL");
  if (on->num_wait && !on->wait_list)
    return convk_refuse_at_(call->message, CONVK_ERR_NULL, "on->wait_list is NULL, and on->num_wait is %", on->num_wait, 0, 0);
  return convk_cl_precision_(on->cl, element, sums);
}

CONVK_LOCAL_ convk_cl_call_ convk_cl_call_on_(convk_cl_host_ *host) {
  convk_cl_call_ call = convk_cl_chain_of_(&host->cl, host->queue, 0, NULL);
  call.message = host->cl.message;
  call.hw = host->hw;
  return call;
}

CONVK_LOCAL_ int convk_cl_call_end_(convk_cl_call_ *call, int status) { return convk_cl_chain_end_(call, status, call->event); }

CONVK_LOCAL_ convk_cl_array convk_cl_array_of_(cl_mem memory) { return convk_cl_at_(memory, 0); }
CONVK_LOCAL_ convk_cl_any_ convk_cl_none_(void) { return convk_cl_at_(NULL, 0); }

CONVK_LOCAL_ int convk_cl_array_place_(convk_cl_call_ *call, const char *name, convk_cl_array array, size_t count,
                                       size_t element, int flags, convk_place_ *place) {
  size_t size = 0, end;
  cl_int error;
  *place = convk_place_of_(name, NULL, 0, flags);
  if (!array.mem) return CONVK_OK;
  error = clGetMemObjectInfo(array.mem, CL_MEM_SIZE, sizeof size, &size, NULL);
  if (error) return convk_cl_status_(call->cl, "clGetMemObjectInfo", error);
  if (array.offset > (size_t)-1 - count || convk_mul_(array.offset + count, element, &end))
    return convk_refuse_names_(call->message, CONVK_ERR_OVERFLOW, "$.offset is too large", name, NULL);
  if (end > size) return convk_refuse_names_(call->message, CONVK_ERR_SIZE, "$.mem is too small a buffer", name, NULL);
  place->buffer = array.mem;
  place->begin = array.offset * element;
  place->bytes = count * element;
  return CONVK_OK;
}

CONVK_LOCAL_ convk_cl_array convk_cl_array_at_(convk_cl_array base, size_t bytes, size_t element) {
  return convk_cl_at_(base.mem, (base.offset + bytes) / element);
}
/* Elements of `element` bytes, the first of them `at` bytes behind the beginning of an array whose own have `each`. */
CONVK_LOCAL_ convk_cl_any_ convk_cl_array_part_(convk_cl_array array, size_t each, size_t at, size_t element) {
  return convk_cl_at_(array.mem, (array.offset * each + at) / element);
}
CONVK_LOCAL_ int convk_cl_is_set_(convk_cl_array array) { return array.mem != NULL; }

CONVK_LOCAL_ int convk_cl_query_of_(const convk_cl_queue *on, char **message) {
  const int status = on && on->cl ? convk_cl_check_(on->cl) : CONVK_OK;
  *message = on && on->cl && !status ? on->cl->message : NULL;
  if (*message) **message = 0;
  return status;
}

typedef convk_cl convk_cl_machine_;

CONVK_LOCAL_ int convk_cl_machine_of_(const convk_cl_queue *on, convk_cl_machine_ **machine) {
  *machine = on ? on->cl : NULL;
  return *machine ? CONVK_OK : CONVK_ERR_NULL;
}
CONVK_LOCAL_ convk_cl_machine_ *convk_cl_machine_of_call_(const convk_cl_call_ *call) { return call->cl; }

/* The offset is in bytes. */
CONVK_LOCAL_ int convk_cl_work_place_(convk_cl_call_ *call, convk_cl_array work, size_t work_size, size_t need,
                                      convk_place_ *place, convk_cl_array *base) {
  int status = convk_need_(call->message, "work", work.mem);
  if (!status) status = convk_work_check_(call->message, work.mem, work_size, need);
  if (!status) status = convk_cl_array_place_(call, "work", work, work_size, 1, CONVK_PLACE_WRITTEN_, place);
  if (!status) *base = convk_cl_at_(work.mem, convk_round_up_(work.offset, 256));
  return status;
}
