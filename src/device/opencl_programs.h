/* -------------------------------------------------------------------------------------------------- context and programs -- */

#ifndef CONVK_CL_SPECIAL_
#define CONVK_CL_SPECIAL_ 32 /* programs for one length of filters other than 16, or one size of transforms */
#endif
enum {
  CONVK_CL_PROGRAMS_ = 96,
  CONVK_CL_FILTER_LISTS_ = 16,
  CONVK_CL_KEY_ = 256,
  CONVK_CL_TAPS_BYTES_ = 3 * 64 * 8,
  CONVK_CL_LINES_ = 2560 /* of the longest text, that of Gaussians with its rooms, and some more */
};

/* One kernel; `key` is its build options, which also choose it from the source.  A program that came from elsewhere has no
   kernel until its first use, and one that was saved is a binary until then. */
typedef struct convk_cl_program_ {
  char key[CONVK_CL_KEY_]; /* empty: a free place */
  uint64_t source;         /* the checksum of its text */
  unsigned char *binary;
  size_t bytes;
  cl_program program;
  cl_kernel kernel;
  size_t items;     /* largest work-group */
  size_t choice[4]; /* what its launches go by: see convk_cl_remember_ */
  unsigned long used;
} convk_cl_program_;

/* The taps of one call, three times 64 values. */
typedef struct convk_cl_filter_ {
  size_t bytes;
  unsigned char taps[CONVK_CL_TAPS_BYTES_];
  cl_mem mem;
  unsigned long used;
} convk_cl_filter_;

/* What was used longest ago makes room. */
struct convk_cl_cache_ {
  convk_cl_program_ programs[CONVK_CL_PROGRAMS_];
  uint64_t numbers[CONVK_CL_PROGRAMS_]; /* of these programs; 0: none yet */
  convk_cl_filter_ filters[CONVK_CL_FILTER_LISTS_];
  cl_program failed; /* the last that did not build, for its log */
  unsigned long clock, special;
  const char *lines[CONVK_CL_LINES_]; /* of a program while it is built: calls allocate nothing */
  int timed;      /* convk_tune wants to know how long kernels take: `seconds`, of chains from their first kernel */
  cl_event first; /* of the chain under way, while it does */
  double seconds;
  uint64_t way; /* a checksum of which kernels it had, with which groups */
};

/* The status for what a call of OpenCL gave; a failure is noted. */
CONVK_LOCAL_ int convk_cl_status_(convk_cl *cl, const char *call, cl_int error) {
  if (!error) return CONVK_OK;
  (void)snprintf(cl->message, sizeof cl->message, "%s: OpenCL error %d", call, (int)error);
  switch (error) {
    case CL_OUT_OF_HOST_MEMORY:
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_INVALID_BUFFER_SIZE: return CONVK_ERR_MEMORY;
    default: return CONVK_ERR_DEVICE;
  }
}

CONVK_LOCAL_ int convk_cl_limits_(convk_cl *cl) {
  cl_device_fp_config fp64 = 0, fp32 = 0;
  cl_device_type type = 0;
  cl_uint dimensions = 0, units = 1;
  cl_ulong bytes = 0;
  cl_device_id *devices;
  size_t sizes[16], size = 0, i, found = 0;
  cl_int error = clGetDeviceInfo(cl->device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, sizeof dimensions, &dimensions, NULL);
  if (!error && (dimensions < 3 || dimensions > 16)) error = CL_INVALID_DEVICE;
  if (!error) error = clGetDeviceInfo(cl->device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL);
  if (!error) error = clGetDeviceInfo(cl->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t), &cl->group_items, NULL);
  if (!error) error = clGetDeviceInfo(cl->device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
  if (!error) error = clGetDeviceInfo(cl->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
  if (!error) error = clGetDeviceInfo(cl->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  if (error) return convk_cl_status_(cl, "clGetDeviceInfo", error);
  if (clGetDeviceInfo(cl->device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof fp64, &fp64, NULL)) fp64 = 0;
  cl->local_bytes = bytes > (size_t)-1 ? (size_t)-1 : (size_t)bytes;
  cl->group_x = sizes[0];
  cl->group_y = sizes[1];
  cl->compute_units = units;
  cl->fp64 = fp64 != 0;
  if (clGetDeviceInfo(cl->device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof fp32, &fp32, NULL)) fp32 = 0;
  cl->divides = (fp32 & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  cl->cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  error = clGetContextInfo(cl->context, CL_CONTEXT_DEVICES, 0, NULL, &size);
  if (error) return convk_cl_status_(cl, "clGetContextInfo", error);
  devices = (cl_device_id *)CONVK_MALLOC(size ? size : 1);
  if (!devices) return CONVK_ERR_MEMORY;
  error = clGetContextInfo(cl->context, CL_CONTEXT_DEVICES, size, devices, NULL);
  for (i = 0; !error && i < size / sizeof *devices; i++) found |= devices[i] == cl->device;
  CONVK_FREE(devices);
  if (error || !found) return convk_cl_status_(cl, "the device is not of this context", error ? error : CL_INVALID_DEVICE);
  return CONVK_OK;
}

#if CONVK_CORE_
CONVK_API_ int convk_cl_open(convk_cl *cl, cl_context context, cl_device_id device) {
  cl_int error;
  int status;
  if (!cl) return CONVK_ERR_NULL;
  memset(cl, 0, sizeof *cl);
  if (!context || !device) return CONVK_ERR_NULL;
  cl->context = context;
  cl->device = device;
  status = convk_cl_limits_(cl);
  if (status) return status;
  cl->cache = (struct convk_cl_cache_ *)CONVK_MALLOC(sizeof *cl->cache);
  if (!cl->cache) return CONVK_ERR_MEMORY;
  memset(cl->cache, 0, sizeof *cl->cache);
  error = clRetainContext(context);
  if (!error) return CONVK_OK;
  CONVK_FREE(cl->cache);
  cl->cache = NULL;
  return convk_cl_status_(cl, "clRetainContext", error);
}
#endif

CONVK_LOCAL_ void convk_cl_drop_program_(convk_cl_program_ *p) {
  if (p->kernel) (void)clReleaseKernel(p->kernel);
  if (p->program) (void)clReleaseProgram(p->program);
  if (p->binary) CONVK_FREE(p->binary);
  memset(p, 0, sizeof *p);
}

#if CONVK_CORE_
CONVK_API_ void convk_cl_close(convk_cl *cl) {
  size_t i;
  if (!cl || !cl->cache) return;
  for (i = 0; i < CONVK_CL_PROGRAMS_; i++) convk_cl_drop_program_(&cl->cache->programs[i]);
  for (i = 0; i < CONVK_CL_FILTER_LISTS_; i++)
    if (cl->cache->filters[i].mem) (void)clReleaseMemObject(cl->cache->filters[i].mem);
  if (cl->cache->failed) (void)clReleaseProgram(cl->cache->failed);
  CONVK_FREE(cl->cache);
  (void)clReleaseContext(cl->context);
  memset(cl, 0, sizeof *cl);
}

CONVK_API_ int convk_cl_build_log(const convk_cl *cl, char *text, size_t size, size_t *length) {
  size_t need = 0;
  char *whole;
  cl_int error;
  if (!cl || (size && !text) || !length) return CONVK_ERR_NULL;
  if (!cl->cache) return CONVK_ERR_HANDLE;
  if (size) text[0] = 0;
  *length = 0;
  if (!cl->cache->failed) return CONVK_OK;
  if (clGetProgramBuildInfo(cl->cache->failed, cl->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &need)) return CONVK_ERR_DEVICE;
  *length = need;
  if (!size || !need) return CONVK_OK;
  whole = (char *)CONVK_MALLOC(need); /* OpenCL gives all or nothing */
  if (!whole) return CONVK_ERR_MEMORY;
  error = clGetProgramBuildInfo(cl->cache->failed, cl->device, CL_PROGRAM_BUILD_LOG, need, whole, NULL);
  if (!error) {
    const size_t n = need < size ? need : size;
    memcpy(text, whole, n);
    text[n - 1] = 0;
  }
  CONVK_FREE(whole);
  return error ? CONVK_ERR_DEVICE : CONVK_OK;
}
#endif

/* ---- programs by number ----
   A launch that was made before costs no text and no search among texts: its program is known by a number, a checksum of which
   kernel it is and of all values that its options are made of.
     p = convk_cl_known_(cl, number = convk_cl_number_(kernel, values, count));
     if (!p) { options, convk_cl_kernel_(..., &p), convk_cl_remember_(cl, number, p, choice, count) }
   which is convk_cl_program_of_ where options are one text and there is no choice.
   The choice is what a launch needs to know beside the kernel, such as the items of a group that the program was built for. */

enum { /* kernels, and those of a family one after another */
       CONVK_CL_FILTERS_ = 0x100,
       CONVK_CL_STENCIL_ = 0x200,
       CONVK_CL_VMATH_ = 0x300,
       CONVK_CL_GAUSSIAN_ = 0x400,
       CONVK_CL_FORM_ = 0x500,
       CONVK_CL_FFT_ = 0x600,
       CONVK_CL_PAIR_ = 0x700,
       CONVK_CL_DISTANCES_ = 0x800,
       CONVK_CL_AMPLITUDES_ = 0x900
};

/* values: `count` of them, without padding. */
CONVK_LOCAL_ uint64_t convk_cl_number_(unsigned kernel, const uint32_t *values, size_t count) {
  return convk_hash_(kernel, values, count * sizeof *values) | 1;
}

CONVK_LOCAL_ convk_cl_program_ *convk_cl_known_(convk_cl *cl, uint64_t number) {
  struct convk_cl_cache_ *const cache = cl->cache;
  size_t i;
  for (i = 0; i < CONVK_CL_PROGRAMS_; i++)
    if (cache->numbers[i] == number) {
      cache->programs[i].used = ++cache->clock;
      return &cache->programs[i];
    }
  return NULL;
}

CONVK_LOCAL_ void convk_cl_remember_(convk_cl *cl, uint64_t number, convk_cl_program_ *p, const size_t *choice, size_t count) {
  cl->cache->numbers[p - cl->cache->programs] = number;
  if (count) memcpy(p->choice, choice, count * sizeof *choice);
}

/* The program with these options, or NULL; *oldest is where another may go. */
CONVK_LOCAL_ convk_cl_program_ *convk_cl_find_(struct convk_cl_cache_ *cache, const char *options, convk_cl_program_ **oldest) {
  convk_cl_program_ *p = cache->programs;
  size_t i;
  for (i = 0; i < CONVK_CL_PROGRAMS_; i++) {
    convk_cl_program_ *q = &cache->programs[i];
    if (q->key[0] && !strcmp(q->key, options)) {
      q->used = ++cache->clock;
      return q;
    }
    if (q->used < p->used) p = q;
  }
  *oldest = p;
  return NULL;
}

/* The kernel of a program that is there. */
CONVK_LOCAL_ cl_int convk_cl_take_kernel_(const convk_cl *cl, const char *name, convk_cl_program_ *p) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(p->program, name, &error);
  if (error) return error;
  error = clGetKernelWorkGroupInfo(kernel, cl->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(size_t), &p->items, NULL);
  if (error) (void)clReleaseKernel(kernel);
  else p->kernel = kernel;
  return error;
}

/* The same for one that came from elsewhere; not zero where it is of another text, or the driver does not want it any more. */
CONVK_LOCAL_ cl_int convk_cl_wake_(const convk_cl *cl, const char *const *text, const char *name, convk_cl_program_ *p) {
  const unsigned char *binary = p->binary;
  cl_int error;
  if (p->source != convk_cl_checksum_(text, 0)) return CL_INVALID_BINARY;
  if (!p->program) {
    p->program = clCreateProgramWithBinary(cl->context, 1, &cl->device, &p->bytes, &binary, NULL, &error);
    if (error) p->program = NULL;
    if (!error) error = clBuildProgram(p->program, 1, &cl->device, p->key, NULL, NULL);
    if (error) return error;
    CONVK_FREE(p->binary);
    p->binary = NULL;
  }
  return convk_cl_take_kernel_(cl, name, p);
}

/* Builds a program from its text. */
CONVK_LOCAL_ int convk_cl_build_(convk_cl *cl, const char *const *text, const char *name, const char *options,
                                 convk_cl_program_ *fresh) {
  struct convk_cl_cache_ *cache = cl->cache;
  const size_t count = convk_cl_expand_(text, NULL);
  cl_int error;
  memset(fresh, 0, sizeof *fresh);
  if (strlen(options) >= sizeof fresh->key || count > CONVK_CL_LINES_) return CONVK_ERR_BUILD;
  strcpy(fresh->key, options);
  fresh->source = convk_cl_checksum_(text, 0);
  (void)convk_cl_expand_(text, cache->lines);
  fresh->program = clCreateProgramWithSource(cl->context, (cl_uint)count, cache->lines, NULL, &error);
  if (error) return convk_cl_status_(cl, "clCreateProgramWithSource", error);
  error = clBuildProgram(fresh->program, 1, &cl->device, options, NULL, NULL);
  if (error) {
    int status = convk_cl_status_(cl, "clBuildProgram", error);
    if (error == CL_BUILD_PROGRAM_FAILURE || error == CL_INVALID_BUILD_OPTIONS || error == CL_COMPILER_NOT_AVAILABLE) {
      const size_t used = strlen(cl->message);
      size_t length = 0;
      if (cache->failed) (void)clReleaseProgram(cache->failed);
      cache->failed = fresh->program;
      status = CONVK_ERR_BUILD;
      if (used + 2 < sizeof cl->message &&
          !convk_cl_build_log(cl, cl->message + used + 2, sizeof cl->message - used - 2, &length) && length)
        memcpy(cl->message + used, ": ", 2);
    } else {
      (void)clReleaseProgram(fresh->program);
    }
    return status;
  }
  error = convk_cl_take_kernel_(cl, name, fresh);
  if (!error) return CONVK_OK;
  convk_cl_drop_program_(fresh);
  return convk_cl_status_(cl, "clCreateKernel", error);
}

/* The kernel that `options` choose from the text, built once.  After CONVK_CL_SPECIAL_ programs, one that is built with
   `general` instead: a program that meets many filters should not build for each. */
CONVK_LOCAL_ int convk_cl_kernel_(convk_cl *cl, const char *const *text, const char *name, const char *options,
                                  const char *general, convk_cl_program_ **found) {
  struct convk_cl_cache_ *cache = cl->cache;
  convk_cl_program_ *p = NULL, fresh;
  int status;
  *found = convk_cl_find_(cache, options, &p);
  if (!*found && general && cache->special >= CONVK_CL_SPECIAL_) *found = convk_cl_find_(cache, options = general, &p);
  if (*found) {
    if ((*found)->kernel || !convk_cl_wake_(cl, text, name, *found)) return CONVK_OK;
    p = *found; /* it is built in its own place */
    *found = NULL;
  }
  status = convk_cl_build_(cl, text, name, options, &fresh);
  if (status) return status;
  fresh.used = ++cache->clock;
  cache->special += general && options != general;
  convk_cl_drop_program_(p);
  *p = fresh;
  cache->numbers[p - cache->programs] = 0;
  *found = p;
  return CONVK_OK;
}

/* A buffer with these taps, 64 to an axis, made once: filters live on the host. */
CONVK_LOCAL_ int convk_cl_taps_(convk_cl *cl, size_t element, const void *const *taps, const size_t *count, size_t axes,
                                cl_mem *mem) {
  struct convk_cl_cache_ *cache = cl->cache;
  convk_cl_filter_ *p = cache->filters, fresh;
  size_t i;
  cl_int error;
  memset(&fresh, 0, sizeof fresh);
  fresh.bytes = 3 * 64 * element;
  for (i = 0; i < axes; i++) memcpy(fresh.taps + i * 64 * element, taps[i], count[i] * element);
  for (i = 0; i < CONVK_CL_FILTER_LISTS_; i++) {
    convk_cl_filter_ *q = &cache->filters[i];
    if (q->mem && q->bytes == fresh.bytes && !memcmp(q->taps, fresh.taps, fresh.bytes)) {
      q->used = ++cache->clock;
      *mem = q->mem;
      return CONVK_OK;
    }
    if (q->used < p->used) p = q;
  }
  fresh.mem = clCreateBuffer(cl->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, fresh.bytes, fresh.taps, &error);
  if (error) return convk_cl_status_(cl, "clCreateBuffer", error);
  fresh.used = ++cache->clock;
  if (p->mem) (void)clReleaseMemObject(p->mem);
  *p = fresh;
  *mem = p->mem;
  return CONVK_OK;
}
