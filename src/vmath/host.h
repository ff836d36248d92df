#if CONVK_HAS_VMATH_
/* ---- host arrays on a device: in place there ---- */

CONVK_LOCAL_ int convk_map_arrays_(convk *hw, int function, size_t n, const CONVK_T *x, CONVK_T *y, CONVK_T *z) {
  const size_t bytes = n * sizeof *x;
  CONVK_DEVICE_(host) *host = NULL;
  CONVK_DEVICE_(memory) first = NULL, second = NULL;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_map_check_(function, n, x, y, z);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof *x, 0);
  if (!status && n) status = CONVK_DEVICE_(begin)(host);
  if (status || !n) return status;
  status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_IN_, x, bytes, &first);
  if (!status && z) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, bytes, &second);
  if (!status) status = convk_map_there_(host, function, n, first, second);
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
