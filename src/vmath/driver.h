CONVK_LIGHT_POP_ /* there are loops here whose speed matters */
/* Elements that are worth a task of their own: 1 to 25 us, at the 13 to 0.7 elements per ns of tests/bench/results. */
#define CONVK_MAP_CHUNK_ ((size_t)16384)
#define CONVK_MAP_FLUSH_ ((size_t)1024) /* elements that are flushed while they are still in L1: 4 or 8 KiB */

/* One checked call: a function of each element, in chunks. */
typedef struct convk_map_job_ {
  convk_map_ *map;
  const CONVK_T *x;
  CONVK_T *y, *z; /* z: the second result or NULL */
  size_t n, chunk;
  int flush; /* y may have subnormal numbers, which become 0 */
} convk_map_job_;

/* Replaces subnormal numbers by zeros of the same sign. */
CONVK_LOCAL_ void convk_map_flush_(CONVK_T *y, size_t n) {
  const CONVK_UNSIGNED_ exponent = CONVK_EITHER_(UINT32_C(0x7f800000), UINT64_C(0x7ff0000000000000));
  const CONVK_UNSIGNED_ sign = CONVK_EITHER_(UINT32_C(0x80000000), UINT64_C(0x8000000000000000));
  CONVK_UNSIGNED_ bits;
  size_t i;
  for (i = 0; i < n; i++) {
    memcpy(&bits, y + i, sizeof bits);
    bits &= bits & exponent ? (CONVK_UNSIGNED_)-1 : sign;
    memcpy(y + i, &bits, sizeof bits);
  }
}

CONVK_LOCAL_ void convk_map_task_(void *arg, size_t index) {
  const convk_map_job_ *job = (const convk_map_job_ *)arg;
  const size_t begin = index * job->chunk, left = job->n - begin, count = left < job->chunk ? left : job->chunk;
  const size_t limit = job->flush ? CONVK_MAP_FLUSH_ : count;
  size_t i, n;
  for (i = begin; i < begin + count; i += n) {
    n = begin + count - i < limit ? begin + count - i : limit;
    job->map(job->x + i, job->y + i, job->z ? job->z + i : NULL, n);
    if (job->flush) convk_map_flush_(job->y + i, n);
  }
}

/* Checks the arrays of a call with one result or two, with messages like those of other families. */
CONVK_RARE_ int convk_map_check_(char *message, int function, size_t n, const CONVK_T *x, const CONVK_T *y, const CONVK_T *z) {
  const size_t count = function == CONVK_MAP_SINCOS_ ? 3 : 2;
  convk_place_ place[3];
  size_t bytes = 0, i;
  int status = convk_bytes_of_(NULL, "n", n, sizeof *x, &bytes);
  place[0] = convk_place_of_("x", x, bytes, CONVK_PLACE_IN_PLACE_);
  place[1] = convk_place_of_(count > 2 ? "s" : "y", y, bytes, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_IN_PLACE_);
  place[2] = convk_place_of_("c", z, bytes, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_IN_PLACE_);
  for (i = 0; status && i < count; i++) /* NULL is reported before OVERFLOW */
    if (!place[i].begin) status = CONVK_OK;
  return status ? convk_bytes_of_(message, "n", n, sizeof *x, &bytes) : convk_places_check_(message, place, count);
}

/* Whether two arrays of so many bytes do not overlap, or, with in_place, are the same. */
CONVK_INLINE_ int convk_map_apart_(const CONVK_T *x, const CONVK_T *y, size_t bytes, int in_place) {
  const uintptr_t to = (uintptr_t)y - (uintptr_t)x, back = (uintptr_t)x - (uintptr_t)y;
  return (to >= bytes && back >= bytes) || (in_place && !to);
}
/* Whether convk_map_check_ would find no fault and this thread does all of the work.  Short, as few elements wait for it. */
CONVK_INLINE_ int convk_map_plain_(const convk *hw, size_t n, const CONVK_T *x, const CONVK_T *y, const CONVK_T *z) {
  const size_t bytes = n * sizeof *x;
  if (n >= 2 * CONVK_MAP_CHUNK_ || !x || !y || (hw && hw->flush_subnormals)) return 0;
  if (!convk_map_apart_(x, y, bytes, 1)) return 0;
  return !z || (convk_map_apart_(x, z, bytes, 1) && convk_map_apart_(y, z, bytes, 0));
}

/* A checked call of tasks: of at least two chunks, or one task that flushes subnormals. */
CONVK_RARE_ int convk_map_tasks_(convk_map_ *map, convk *hw, int function, size_t n, const CONVK_T *x, CONVK_T *y, CONVK_T *z) {
  convk_map_job_ job;
  size_t tasks = convk_threads_(hw);
  if (tasks > n / CONVK_MAP_CHUNK_) tasks = n / CONVK_MAP_CHUNK_;
  if (!tasks) tasks = 1;
  job.map = map;
  job.x = x;
  job.y = y;
  job.z = z;
  job.n = n;
  /* exp composes subnormal results of bits, and expm1 copies subnormal arguments: the processor's mode does not flush these */
  job.flush = CONVK_FLUSH_ && hw->flush_subnormals && (function == CONVK_MAP_EXP_ || function == CONVK_MAP_EXPM1_);
  job.chunk = convk_round_up_(n / tasks + 1, 64 / sizeof *x);
  return convk_run_tasks_(hw, convk_ceil_(n, job.chunk), convk_map_task_, &job);
}

/* All other calls; the handle has been checked. */
CONVK_RARE_ int convk_map_all_(const convk_vmath_kernels_ *kernels, convk *hw, int function, size_t n, const CONVK_T *x,
                               CONVK_T *y, CONVK_T *z) {
  const int status = convk_map_check_(hw ? hw->message : NULL, function, n, x, y, z);
  if (status || !n) return status;
  if ((n >= 2 * CONVK_MAP_CHUNK_ && convk_threads_(hw) > 1) || (hw && hw->flush_subnormals))
    return convk_map_tasks_(kernels->map[function], hw, function, n, x, y, z);
  kernels->map[function](x, y, z, n);
  return CONVK_OK;
}

/* x to y, or to y and z. */
CONVK_INLINE_ int convk_map_one_(const convk_vmath_kernels_ *kernels, convk *hw, int function, size_t n, const CONVK_T *x,
                                 CONVK_T *y) {
  if (kernels->arrays) return kernels->arrays(hw, function, n, x, y, NULL);
  if (CONVK_UNLIKELY_(!convk_map_plain_(hw, n, x, y, NULL))) return convk_map_all_(kernels, hw, function, n, x, y, NULL);
  return kernels->map[function](x, y, NULL, n);
}

CONVK_LOCAL_ int convk_exp_cpu_(const convk_vmath_kernels_ *kernels, convk *hw, size_t n, const CONVK_T *x, CONVK_T *y) {
  return convk_map_one_(kernels, hw, CONVK_MAP_EXP_, n, x, y);
}
CONVK_LOCAL_ int convk_expm1_cpu_(const convk_vmath_kernels_ *kernels, convk *hw, size_t n, const CONVK_T *x, CONVK_T *y) {
  return convk_map_one_(kernels, hw, CONVK_MAP_EXPM1_, n, x, y);
}
CONVK_LOCAL_ int convk_log_cpu_(const convk_vmath_kernels_ *kernels, convk *hw, size_t n, const CONVK_T *x, CONVK_T *y) {
  return convk_map_one_(kernels, hw, CONVK_MAP_LOG_, n, x, y);
}
CONVK_LOCAL_ int convk_sincos_cpu_(const convk_vmath_kernels_ *kernels, convk *hw, size_t n, const CONVK_T *x, CONVK_T *s,
                                   CONVK_T *c) {
  if (kernels->arrays) return kernels->arrays(hw, CONVK_MAP_SINCOS_, n, x, s, c);
  if (CONVK_UNLIKELY_(!c || !convk_map_plain_(hw, n, x, s, c)))
    return convk_map_all_(kernels, hw, CONVK_MAP_SINCOS_, n, x, s, c);
  return kernels->map[CONVK_MAP_SINCOS_](x, s, c, n);
}
CONVK_LIGHT_PUSH_
