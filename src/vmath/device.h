/* ---- device memory ---- */

CONVK_LOCAL_ int convk_map_on_(CONVK_ON_ *on, int function, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) y,
                               CONVK_ARRAY_(CONVK_T) z) {
  const size_t s = sizeof(CONVK_T);
  const int two = function == CONVK_MAP_SINCOS_;
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, s, 0, CONVK_DEVICE_(none)(), 0);
  CONVK_DEVICE_(frame_place)(&f, "x", x, n, s, CONVK_PLACE_IN_PLACE_);
  CONVK_DEVICE_(frame_place)(&f, two ? "s" : "y", y, n, s, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_IN_PLACE_);
  if (two) CONVK_DEVICE_(frame_place)(&f, "c", z, n, s, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_IN_PLACE_);
  if (CONVK_DEVICE_(frame_work)(&f, 0) && n) f.status = convk_map_start_(&f.call, function, n, x, y, z);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_exp_resident(CONVK_ON_ *on, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) y) {
  return convk_map_on_(on, CONVK_MAP_EXP_, n, x, y, y);
}
CONVK_API_ int convk_expm1_resident(CONVK_ON_ *on, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) y) {
  return convk_map_on_(on, CONVK_MAP_EXPM1_, n, x, y, y);
}
CONVK_API_ int convk_log_resident(CONVK_ON_ *on, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) y) {
  return convk_map_on_(on, CONVK_MAP_LOG_, n, x, y, y);
}
CONVK_API_ int convk_sincos_resident(CONVK_ON_ *on, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) s,
                                     CONVK_ARRAY_(CONVK_T) c) {
  return convk_map_on_(on, CONVK_MAP_SINCOS_, n, x, s, c);
}

/* ---- host arrays: in place there ---- */

typedef struct convk_map_parts_ {
  int function;
  size_t n, each;
  const CONVK_T *x;
  CONVK_T *y, *z;
  CONVK_DEVICE_(memory) first, second;
} convk_map_parts_;

CONVK_LOCAL_ size_t convk_map_part_(const convk_map_parts_ *job, size_t part) {
  const size_t left = job->n - part * job->each;
  return left < job->each ? left : job->each;
}

CONVK_LOCAL_ int convk_map_bring_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_map_parts_ *const job = (const convk_map_parts_ *)parts;
  const size_t s = sizeof(CONVK_T), count = convk_map_part_(job, part);
  return CONVK_DEVICE_(send)(host, job->first, slot * job->each * s, count * s, job->x + part * job->each);
}

CONVK_LOCAL_ int convk_map_work_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_map_parts_ *const job = (const convk_map_parts_ *)parts;
  const size_t s = sizeof(CONVK_T), at = slot * job->each * s;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  CONVK_ARRAY_(CONVK_T) x = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(job->first), at, s);
  CONVK_ARRAY_(CONVK_T) z = x;
  int status;
  if (job->z) z = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(job->second), at, s);
  status = convk_map_start_(&call, job->function, convk_map_part_(job, part), x, x, z);
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_LOCAL_ int convk_map_back_(CONVK_DEVICE_(host) *host, void *parts, size_t part, size_t slot) {
  const convk_map_parts_ *const job = (const convk_map_parts_ *)parts;
  const size_t s = sizeof(CONVK_T), at = slot * job->each * s, bytes = convk_map_part_(job, part) * s;
  const int status = CONVK_DEVICE_(fetch)(host, job->first, at, bytes, job->y + part * job->each);
  return status || !job->z ? status : CONVK_DEVICE_(fetch)(host, job->second, at, bytes, job->z + part * job->each);
}

CONVK_LOCAL_ int convk_map_arrays_(convk *hw, int function, size_t n, const CONVK_T *x, CONVK_T *y, CONVK_T *z) {
  const size_t s = sizeof *x;
  CONVK_DEVICE_(host) *host = NULL;
  convk_map_parts_ job;
  size_t parts, bytes = 0;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  memset(&job, 0, sizeof job);
  job.function = function;
  job.n = n;
  job.x = x;
  job.y = y;
  job.z = z;
  if (!status) status = convk_map_check_(convk_message_(hw), function, n, x, y, z);
  if (!status) status = CONVK_DEVICE_(able)(host, s, 0);
  if (!status && n) status = CONVK_DEVICE_(begin)(host);
  if (status || !n) return status;
  status = CONVK_DEVICE_(parts_of)(host, n, z ? 2 * s : s, 0, 0, 1, &job.each);
  if (!status) {
    parts = convk_ceil_(n, job.each);
    bytes = (parts > 1 ? CONVK_SLOTS_ : 1) * job.each * s;
    status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, bytes, &job.first);
    if (!status && z) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, bytes, &job.second);
    if (!status) status = CONVK_DEVICE_(parts_run)(host, parts, convk_map_bring_, convk_map_work_, convk_map_back_, &job);
  }
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_LOCAL_ const convk_vmath_kernels_ *convk_vmath_kernel_table_(void) {
  static const convk_vmath_kernels_ kernels = {{NULL, NULL, NULL, NULL}, convk_map_arrays_};
  return &kernels;
}

/* For a handle of the device: copies, runs, waits; an array goes there and back as a whole.  Errors as in convk.h, and HANDLE
   for other handles, MEMORY, DEVICE, and with OpenCL FP64 and BUILD, with hw->message. */
CONVK_VMATH_OPERATIONS_(CONVK_OP_VARIANT_)
