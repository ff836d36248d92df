#if CONVK_HAS_VMATH_
/* ---- device memory ---- */

CONVK_LOCAL_ int convk_map_on_(CONVK_ON_ *on, int function, size_t n, CONVK_ARRAY_(const CONVK_T) x, CONVK_ARRAY_(CONVK_T) y,
                               CONVK_ARRAY_(CONVK_T) z) {
  const size_t s = sizeof(CONVK_T), count = function == CONVK_MAP_SINCOS_ ? 3 : 2;
  convk_place_ place[3];
  CONVK_DEVICE_(call) call;
  int status = CONVK_DEVICE_(call_of)(on, s, 0, &call);
  if (!status) status = CONVK_DEVICE_(array_place)(&call, "x", x, n, s, CONVK_PLACE_IN_PLACE_, &place[0]);
  if (!status) status = CONVK_DEVICE_(array_place)(&call, count > 2 ? "s" : "y", y, n, s, CONVK_PLACE_WRITTEN_, &place[1]);
  if (!status && count > 2) status = CONVK_DEVICE_(array_place)(&call, "c", z, n, s, CONVK_PLACE_WRITTEN_, &place[2]);
  if (!status) status = convk_places_check_(call.message, place, count);
  if (!status && n) status = convk_map_start_(&call, function, n, x, y, z);
  return CONVK_DEVICE_(call_end)(&call, status);
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

CONVK_LOCAL_ int convk_map_arrays_(convk *hw, int function, size_t n, const CONVK_T *x, CONVK_T *y, CONVK_T *z) {
  const size_t bytes = n * sizeof *x;
  CONVK_DEVICE_(host) *host = NULL;
  CONVK_DEVICE_(memory) first = NULL, second = NULL;
  CONVK_DEVICE_(call) call;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_map_check_(convk_message_(hw), function, n, x, y, z);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof *x, 0);
  if (!status && n) status = CONVK_DEVICE_(begin)(host);
  if (status || !n) return status;
  call = CONVK_DEVICE_(call_on)(host);
  status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_IN_, x, bytes, &first);
  if (!status && z) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, bytes, &second);
  if (!status)
    status = convk_map_start_(&call, function, n, CONVK_DEVICE_(array_of)(first), CONVK_DEVICE_(array_of)(first),
                              CONVK_DEVICE_(array_of)(z ? second : first));
  status = CONVK_DEVICE_(call_end)(&call, status);
  if (!status) status = CONVK_DEVICE_(fetch)(host, first, bytes, y);
  if (!status && z) status = CONVK_DEVICE_(fetch)(host, second, bytes, z);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_LOCAL_ const convk_vmath_kernels_ *convk_vmath_kernel_table_(void) {
  static const convk_vmath_kernels_ kernels = {{NULL, NULL, NULL, NULL}, convk_map_arrays_};
  return &kernels;
}

/* For a handle of the device: copies, runs, waits; an array goes there and back as a whole.  Errors as in convk.h, and HANDLE
   for other handles, MEMORY, DEVICE, and with OpenCL FP64 and BUILD, with hw->message. */
CONVK_VMATH_OPERATIONS_(CONVK_OP_VARIANT_)
#endif
