/* ----------------------------------------------------------------------------------------------------------- launching -- */

/* Arguments of a kernel, in sequence.
   status   why there is no program; then puts do nothing, launches return it, and p is a dummy whose sizes are 1, so that
            callers may divide by them */
typedef struct convk_cl_args_ {
  const convk_cl_program_ *p;
  cl_uint next;
  cl_int error;
  int status;
} convk_cl_args_;

CONVK_LOCAL_ convk_cl_args_ convk_cl_args_of_(int status, const convk_cl_program_ *p) {
  static const convk_cl_program_ none = {"", 0, NULL, 0, NULL, NULL, 1, {1, 1, 1, 1}, 0};
  convk_cl_args_ args = {NULL, 0, CL_SUCCESS, CONVK_OK};
  args.p = status ? &none : p;
  args.status = status;
  return args;
}

CONVK_LOCAL_ void convk_cl_put_(convk_cl_args_ *args, size_t size, const void *value) {
  if (args->status || args->error) return;
  args->error = clSetKernelArg(args->p->kernel, args->next++, size, value);
}
CONVK_LOCAL_ void convk_cl_put_mem_(convk_cl_args_ *args, cl_mem mem) { convk_cl_put_(args, sizeof mem, &mem); }
CONVK_LOCAL_ void convk_cl_put_local_(convk_cl_args_ *args, size_t bytes) { convk_cl_put_(args, bytes, NULL); }
CONVK_LOCAL_ void convk_cl_put_int_(convk_cl_args_ *args, size_t value) {
  const cl_int v = (cl_int)value;
  convk_cl_put_(args, sizeof v, &v);
}
CONVK_LOCAL_ void convk_cl_put_size_(convk_cl_args_ *args, size_t value) {
  const cl_ulong v = value;
  convk_cl_put_(args, sizeof v, &v);
}
CONVK_LOCAL_ void convk_cl_put_real_(convk_cl_args_ *args, size_t element, double value) {
  const float f = element == sizeof f ? (float)value : 0;
  convk_cl_put_(args, element, element == sizeof f ? (const void *)&f : (const void *)&value);
}

/* What most kernels take: a struct (device/arguments.h), then buffers. */
CONVK_LOCAL_ void convk_cl_put_all_(convk_cl_args_ *args, const void *arguments, size_t size, const cl_mem *buffers,
                                    size_t count) {
  size_t i;
  convk_cl_put_(args, size, arguments);
  for (i = 0; i < count; i++) convk_cl_put_mem_(args, buffers[i]);
}

/* A kernel by its number.  Where that is new, `format` and what follows it make its options. */
CONVK_LOCAL_ convk_cl_args_ convk_cl_program_of_(convk_cl *cl, uint64_t number, const char *const *text, const char *name,
                                                 const char *format, ...) {
  convk_cl_program_ *p = convk_cl_known_(cl, number);
  char options[CONVK_CL_KEY_];
  va_list list;
  int length, status = CONVK_OK;
  if (p) return convk_cl_args_of_(CONVK_OK, p);
  va_start(list, format);
  length = vsnprintf(options, sizeof options, format, list);
  va_end(list);
  if (length < 0 || (size_t)length >= sizeof options) status = CONVK_ERR_BUILD;
  if (!status) status = convk_cl_kernel_(cl, text, name, options, NULL, &p);
  if (!status) convk_cl_remember_(cl, number, p, NULL, 0);
  return convk_cl_args_of_(status, p);
}

/* Whether a kernel that was built for groups of so many items has room for fewer: it is built again for half of them. */
CONVK_LOCAL_ int convk_cl_fewer_(const convk_cl_program_ *p, size_t *items) {
  const int fewer = *items > p->items && *items > 1;
  if (fewer) *items /= 2;
  return fewer;
}

/* The same of a kernel whose groups have group[0] items, or fewer where there is no room; its choice: all `count` numbers. */
CONVK_LOCAL_ convk_cl_args_ convk_cl_program_in_groups_(convk_cl *cl, uint64_t number, const char *const *text,
                                                        const char *name, size_t *group, size_t count, const char *format,
                                                        ...) {
  convk_cl_program_ *p = convk_cl_known_(cl, number);
  char options[CONVK_CL_KEY_];
  va_list list;
  int length, status;
  if (p) return convk_cl_args_of_(CONVK_OK, p);
  do {
    va_start(list, format);
    length = snprintf(options, sizeof options, "-DITEMS=%d ", (int)group[0]);
    (void)vsnprintf(options + length, sizeof options - (size_t)length, format, list);
    va_end(list);
    status = convk_cl_kernel_(cl, text, name, options, NULL, &p);
  } while (!status && convk_cl_fewer_(p, &group[0]));
  if (!status) convk_cl_remember_(cl, number, p, group, count);
  return convk_cl_args_of_(status, p);
}

/* Commands of one call: the first waits for the caller's events, each other one for its predecessor, so that the queue may be
   out of order. */
typedef struct convk_cl_chain_ {
  convk_cl *cl;
  cl_command_queue queue;
  cl_uint num_wait;
  const cl_event *wait;
  cl_event last;
  cl_event *event; /* the caller's, or NULL */
  char *message;
  convk *hw;     /* whose tuned entries count, or NULL */
  size_t planes; /* or items, of the whole of which the call has a part; 0: it has all */
} convk_cl_chain_;

CONVK_LOCAL_ convk_cl_chain_ convk_cl_chain_of_(convk_cl *cl, cl_command_queue queue, cl_uint num_wait, const cl_event *wait) {
  convk_cl_chain_ chain = {NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0};
  chain.cl = cl;
  chain.queue = queue;
  chain.num_wait = num_wait;
  chain.wait = wait;
  return chain;
}

/* Work-groups of up to want_x by want_y items. */
CONVK_LOCAL_ void convk_cl_group_(const convk_cl *cl, const convk_cl_program_ *p, size_t want_x, size_t want_y,
                                  size_t local[2]) {
  const size_t limit = cl->group_items < p->items ? cl->group_items : p->items;
  if (want_x > cl->group_x) want_x = cl->group_x;
  if (want_y > cl->group_y) want_y = cl->group_y;
  while (want_x * want_y > limit && want_y > 1) want_y /= 2;
  while (want_x * want_y > limit && want_x > 1) want_x /= 2;
  local[0] = want_x ? want_x : 1;
  local[1] = want_y ? want_y : 1;
}

/* Most work-groups of a launch along y, for any device: some take no more than 65,535. */
#ifndef CONVK_CL_GROUPS_Y_
#define CONVK_CL_GROUPS_Y_ ((size_t)32768)
#endif

/* Groups along two axes, and items of each. */
CONVK_LOCAL_ int convk_cl_launch_(convk_cl_chain_ *chain, const convk_cl_args_ *args, size_t groups_x, size_t items_x,
                                  size_t groups_y, size_t items_y) {
  size_t global[2], local[2];
  cl_event next = NULL;
  cl_int error = args->error;
  if (args->status) return args->status;
  if (error) return convk_cl_status_(chain->cl, "clSetKernelArg", error);
  global[0] = groups_x * items_x;
  global[1] = groups_y * items_y;
  local[0] = items_x;
  local[1] = items_y;
  error = clEnqueueNDRangeKernel(chain->queue, args->p->kernel, 2, NULL, global, local, chain->last ? 1 : chain->num_wait,
                                 chain->last ? &chain->last : chain->wait, &next);
  if (error) return convk_cl_status_(chain->cl, "clEnqueueNDRangeKernel", error);
  if (chain->last) (void)clReleaseEvent(chain->last);
  chain->last = next;
  if (chain->cl->cache->timed) {
    struct convk_cl_cache_ *const cache = chain->cl->cache;
    if (!cache->first && !clRetainEvent(next)) cache->first = next;
    cache->way = convk_hash_(cache->way, &args->p->kernel, sizeof args->p->kernel);
    cache->way = convk_hash_(convk_hash_(cache->way, global, sizeof global), local, sizeof local);
  }
  return CONVK_OK;
}

/* Any number of lines of groups along y, in several launches: the kernel's last argument is the first line of one. */
CONVK_LOCAL_ int convk_cl_launch_lines_(convk_cl_chain_ *chain, const convk_cl_args_ *args, size_t groups_x, size_t items_x,
                                        size_t lines) {
  size_t first, some;
  int status = args->status;
  for (first = 0; first < lines && !status; first += some) {
    convk_cl_args_ with = *args;
    some = lines - first < CONVK_CL_GROUPS_Y_ ? lines - first : CONVK_CL_GROUPS_Y_;
    convk_cl_put_size_(&with, first);
    status = convk_cl_launch_(chain, &with, groups_x, items_x, some, 1);
  }
  return status;
}

/* `count` items, and some more of the last group; groups of up to `want`. */
CONVK_LOCAL_ int convk_cl_launch_row_(convk_cl_chain_ *chain, const convk_cl_args_ *args, size_t count, size_t want) {
  size_t local[2];
  convk_cl_group_(chain->cl, args->p, want, 1, local);
  return convk_cl_launch_(chain, args, convk_ceil_(count, local[0]), local[0], 1, 1);
}

/* Adds the time from the first kernel of a chain to its end, and waits for that. */
CONVK_LOCAL_ int convk_cl_chain_time_(convk_cl_chain_ *chain) {
  struct convk_cl_cache_ *const cache = chain->cl->cache;
  cl_ulong from = 0, to = 0;
  cl_int error = clWaitForEvents(1, &chain->last);
  if (!error) error = clGetEventProfilingInfo(cache->first, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL);
  if (!error) error = clGetEventProfilingInfo(chain->last, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL);
  if (!error && to > from) cache->seconds += 1e-9 * (double)(to - from);
  return convk_cl_status_(chain->cl, "the time of a kernel", error);
}

/* The last command's event goes to the caller, or away; a call that enqueues nothing has one all the same. */
CONVK_LOCAL_ int convk_cl_chain_end_(convk_cl_chain_ *chain, int status, cl_event *event) {
  if (!status && event && !chain->last) {
    const cl_int error = clEnqueueMarkerWithWaitList(chain->queue, chain->num_wait, chain->wait, &chain->last);
    if (error) status = convk_cl_status_(chain->cl, "clEnqueueMarkerWithWaitList", error);
  }
  if (chain->cl && chain->cl->cache && chain->cl->cache->first) {
    if (!status && chain->last) status = convk_cl_chain_time_(chain);
    (void)clReleaseEvent(chain->cl->cache->first);
    chain->cl->cache->first = NULL;
  }
  if (chain->last) {
    if (event && !status) *event = chain->last;
    else (void)clReleaseEvent(chain->last);
  }
  chain->last = NULL;
  return status;
}

CONVK_LOCAL_ convk_cl_array convk_cl_at_(cl_mem mem, size_t offset) {
  convk_cl_array array;
  array.mem = mem;
  array.offset = offset;
  return array;
}

CONVK_LOCAL_ void convk_cl_put_array_(convk_cl_args_ *args, const convk_cl_array *array) {
  convk_cl_put_mem_(args, array->mem);
  convk_cl_put_size_(args, array->offset);
}
CONVK_LOCAL_ void convk_cl_put_arrays_(convk_cl_args_ *args, const convk_cl_array *array, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) convk_cl_put_array_(args, &array[i]);
}

/* Double precision is needed for f64, and for sums. */
CONVK_LOCAL_ int convk_cl_precision_(convk_cl *cl, size_t element, unsigned sums) {
  if (cl->fp64 || (element == sizeof(cl_float) && !sums)) return CONVK_OK;
  (void)snprintf(cl->message, sizeof cl->message, "the device has no double precision");
  return CONVK_ERR_FP64;
}

CONVK_LOCAL_ int convk_cl_little_(convk_cl *cl) {
  (void)snprintf(cl->message, sizeof cl->message, "the device has too little local memory");
  return CONVK_ERR_UNSUPPORTED;
}

CONVK_LOCAL_ const char *convk_cl_type_(size_t element) { return element == sizeof(cl_float) ? "float" : "double"; }

CONVK_LOCAL_ int convk_cl_check_(const convk_cl *cl) { return !cl ? CONVK_ERR_NULL : cl->cache ? CONVK_OK : CONVK_ERR_HANDLE; }
