#if CONVK_CORE_
/* ------------------------------------------------------------------------------------------------------- saved programs -- */

/* What saved programs begin with.  Each of them is then a head, and its binary, without gaps. */
typedef struct convk_cl_saved_ {
  char magic[16];
  uint64_t version, sum, bytes, count; /* sum: the checksum of all, where it is itself 0 */
  char device[4][256];                 /* name, vendor, version, and its driver's */
} convk_cl_saved_;
typedef struct convk_cl_saved_head_ {
  char key[CONVK_CL_KEY_];
  uint64_t source, bytes;
} convk_cl_saved_head_;

CONVK_LOCAL_ int convk_cl_saved_head_of_(convk_cl *cl, convk_cl_saved_ *head) {
  static const cl_device_info what[4] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION, CL_DRIVER_VERSION};
  int i;
  memset(head, 0, sizeof *head);
  memcpy(head->magic, "convk programs", 14);
  head->version = CONVK_VERSION;
  for (i = 0; i < 4; i++) {
    const cl_int error = clGetDeviceInfo(cl->device, what[i], sizeof head->device[i] - 1, head->device[i], NULL);
    if (error) return convk_cl_status_(cl, "clGetDeviceInfo", error);
  }
  return CONVK_OK;
}

/* The binary of a program for the device: its size, or with `to` its bytes.  A program may know more devices. */
CONVK_LOCAL_ int convk_cl_binary_(convk_cl *cl, cl_device_id device, cl_program program, unsigned char *to, size_t *bytes) {
  cl_uint count = 0, i, own = 0;
  cl_device_id *devices = NULL;
  size_t *sizes = NULL;
  unsigned char **list = NULL;
  void *memory = NULL;
  cl_int error = clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, NULL);
  *bytes = 0;
  if (!error && count) {
    memory = CONVK_MALLOC(count * (sizeof *devices + sizeof *sizes + sizeof *list));
    if (!memory) return CONVK_ERR_MEMORY;
    sizes = (size_t *)memory; /* three lists of the same alignment, one after another */
    devices = (cl_device_id *)(void *)(sizes + count);
    list = (unsigned char **)(void *)(devices + count);
    error = clGetProgramInfo(program, CL_PROGRAM_DEVICES, count * sizeof *devices, devices, NULL);
    if (!error) error = clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, count * sizeof *sizes, sizes, NULL);
    while (!error && own < count && devices[own] != device) own++;
    if (!error && own < count) *bytes = sizes[own];
    for (i = 0; i < count; i++) list[i] = i == own ? to : NULL;
    if (!error && to) error = clGetProgramInfo(program, CL_PROGRAM_BINARIES, count * sizeof *list, list, NULL);
    CONVK_FREE(memory);
  }
  return convk_cl_status_(cl, "clGetProgramInfo", error);
}

/* The same of a place of a cache, whose program may be a binary still. */
CONVK_LOCAL_ int convk_cl_bytes_of_(convk_cl *cl, cl_device_id device, const convk_cl_program_ *p, unsigned char *to,
                                    size_t *bytes) {
  *bytes = p->bytes;
  if (p->program) return convk_cl_binary_(cl, device, p->program, to, bytes);
  if (to && p->binary) memcpy(to, p->binary, p->bytes);
  return CONVK_OK;
}

CONVK_LOCAL_ uint64_t convk_cl_saved_sum_(const convk_cl_saved_ *head, const unsigned char *data) {
  convk_cl_saved_ plain = *head;
  plain.sum = 0;
  return convk_hash_(convk_hash_(0, &plain, sizeof plain), data + sizeof plain, (size_t)head->bytes - sizeof plain);
}

CONVK_API_ int convk_cl_programs_save(convk_cl *cl, void *data, size_t size, size_t *bytes) {
  unsigned char *to = (unsigned char *)data;
  convk_cl_saved_head_ one;
  convk_cl_saved_ head;
  size_t i, at = sizeof head, used;
  int status, write;
  if (!cl || !bytes || (!data && size)) return CONVK_ERR_NULL;
  if (!cl->cache) return CONVK_ERR_HANDLE;
  status = convk_cl_saved_head_of_(cl, &head);
  for (write = 0; write < 2 && !status; write++) {
    for (i = 0, at = sizeof head; i < CONVK_CL_PROGRAMS_ && !status; i++) {
      const convk_cl_program_ *p = &cl->cache->programs[i];
      unsigned char *binary = write ? to + at + sizeof one : NULL;
      status = convk_cl_bytes_of_(cl, cl->device, p, NULL, &used);
      if (!status && used && write) status = convk_cl_bytes_of_(cl, cl->device, p, binary, &used);
      if (status || !used) continue; /* a driver may have no binaries */
      memset(&one, 0, sizeof one);
      strcpy(one.key, p->key);
      one.source = p->source;
      one.bytes = used;
      if (write) memcpy(to + at, &one, sizeof one);
      head.count += !write;
      at += sizeof one + used;
    }
    if (status) break;
    *bytes = at;
    if (!data) return CONVK_OK;
    if (size < at) return CONVK_ERR_SIZE;
  }
  if (status) return status;
  head.bytes = at;
  head.sum = convk_cl_saved_sum_(&head, to);
  memcpy(to, &head, sizeof head);
  return CONVK_OK;
}

/* A free place for a program that a cache does not have, or NULL. */
CONVK_LOCAL_ convk_cl_program_ *convk_cl_place_(struct convk_cl_cache_ *cache, const char *key) {
  convk_cl_program_ *p = NULL;
  return convk_cl_find_(cache, key, &p) || p->key[0] ? NULL : p;
}

/* Gives place p of the cache memory for a program's binary of so many bytes, a copy of `from` if not NULL, and its key. */
CONVK_LOCAL_ int convk_cl_settle_(convk_cl *cl, convk_cl_program_ *p, const char *key, uint64_t source, const void *from,
                                  size_t bytes) {
  unsigned char *binary = (unsigned char *)CONVK_MALLOC(bytes);
  if (!binary) return CONVK_ERR_MEMORY;
  if (from) memcpy(binary, from, bytes);
  p->binary = binary;
  p->bytes = bytes;
  p->source = source;
  strcpy(p->key, key);
  p->used = ++cl->cache->clock;
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_cl_refuse_(convk_cl *cl, const char *why) {
  (void)snprintf(cl->message, sizeof cl->message, "saved programs: %s", why);
  return CONVK_ERR_PROGRAMS;
}

/* The next of saved programs, whose head is `one`; 0: damaged. */
CONVK_LOCAL_ int convk_cl_saved_next_(const unsigned char *data, size_t size, size_t at, convk_cl_saved_head_ *one) {
  if (size - at < sizeof *one) return 0;
  memcpy(one, data + at, sizeof *one);
  return one->key[0] && !one->key[sizeof one->key - 1] && one->bytes && one->bytes <= size - at - sizeof *one;
}

/* Whether `data` holds programs for this device, unharmed. */
CONVK_LOCAL_ int convk_cl_saved_check_(convk_cl *cl, const unsigned char *data, size_t size, convk_cl_saved_ *head) {
  convk_cl_saved_head_ one;
  convk_cl_saved_ own;
  size_t at = sizeof *head;
  uint64_t i;
  const int status = convk_cl_saved_head_of_(cl, &own);
  if (status) return status;
  if (size < sizeof *head || memcmp(data, own.magic, sizeof own.magic)) return convk_cl_refuse_(cl, "these are none");
  memcpy(head, data, sizeof *head);
  if (head->version != own.version) return convk_cl_refuse_(cl, "of another version of convk");
  if (head->bytes != size || head->sum != convk_cl_saved_sum_(head, data)) return convk_cl_refuse_(cl, "damaged");
  for (i = 0; i < head->count; i++, at += sizeof one + (size_t)one.bytes)
    if (!convk_cl_saved_next_(data, size, at, &one)) return convk_cl_refuse_(cl, "damaged");
  if (at != size) return convk_cl_refuse_(cl, "damaged");
  if (memcmp(head->device, own.device, sizeof own.device)) return convk_cl_refuse_(cl, "of another device or driver");
  return CONVK_OK;
}

CONVK_API_ int convk_cl_programs_load(convk_cl *cl, const void *data, size_t size) {
  const unsigned char *from = (const unsigned char *)data;
  convk_cl_saved_head_ one;
  convk_cl_saved_ head;
  size_t at = sizeof head;
  uint64_t i;
  int status;
  if (!cl || !data) return CONVK_ERR_NULL;
  if (!cl->cache) return CONVK_ERR_HANDLE;
  status = convk_cl_saved_check_(cl, from, size, &head);
  for (i = 0; !status && i < head.count; i++, at += sizeof one + (size_t)one.bytes) {
    convk_cl_program_ *p;
    (void)convk_cl_saved_next_(from, size, at, &one);
    p = convk_cl_place_(cl->cache, one.key);
    if (p) status = convk_cl_settle_(cl, p, one.key, one.source, from + at + sizeof one, (size_t)one.bytes);
  }
  return status;
}

CONVK_API_ int convk_cl_programs_share(convk_cl *cl, const convk_cl *from) {
  size_t i, bytes;
  int status = CONVK_OK;
  if (!cl || !from) return CONVK_ERR_NULL;
  if (!cl->cache || !from->cache) return CONVK_ERR_HANDLE;
  if (cl->device != from->device) return convk_cl_refuse_(cl, "of another device or driver");
  for (i = 0; i < CONVK_CL_PROGRAMS_ && cl != from && !status; i++) {
    const convk_cl_program_ *q = &from->cache->programs[i];
    convk_cl_program_ *p = q->key[0] ? convk_cl_place_(cl->cache, q->key) : NULL;
    if (!p) continue;
    if (q->program && cl->context == from->context) {
      const cl_int error = clRetainProgram(q->program);
      if (error) return convk_cl_status_(cl, "clRetainProgram", error);
      strcpy(p->key, q->key);
      p->source = q->source;
      p->program = q->program;
      p->used = ++cl->cache->clock;
      continue;
    }
    status = convk_cl_bytes_of_(cl, from->device, q, NULL, &bytes);
    if (status || !bytes) continue;
    status = convk_cl_settle_(cl, p, q->key, q->source, NULL, bytes);
    if (!status) status = convk_cl_bytes_of_(cl, from->device, q, p->binary, &bytes);
    if (status) convk_cl_drop_program_(p);
  }
  return status;
}
#endif
