/* ---- host arrays on a device: in place there ---- */

CONVK_LOCAL_ int CONVK_HARDWARE_(map_arrays)(const convk *hw, int function, size_t n, const CONVK_T *x, CONVK_T *y,
                                             CONVK_T *z) {
  const size_t bytes = n * sizeof *x;
  CONVK_DEVICE_(host) *host = NULL;
  CONVK_DEVICE_(memory) first = NULL, second = NULL;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = CONVK_PRIVATE_(map_check)(function, n, x, y, z);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof *x, 0);
  if (!status && n) status = CONVK_DEVICE_(begin)(host);
  if (status || !n) return status;
  status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_IN_, x, bytes, &first);
  if (!status && z) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, bytes, &second);
  if (!status) status = CONVK_HARDWARE_(map_there)(host, function, n, first, second);
  if (!status) status = CONVK_DEVICE_(fetch)(host, first, bytes, y);
  if (!status && z) status = CONVK_DEVICE_(fetch)(host, second, bytes, z);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_LOCAL_ const CONVK_PRIVATE_(vmath_kernels) *CONVK_HARDWARE_(vmath_kernels)(void) {
  static const CONVK_PRIVATE_(vmath_kernels) kernels = {{NULL, NULL, NULL, NULL}, CONVK_HARDWARE_(map_arrays)};
  return &kernels;
}

/* For a handle of the device: copies, runs, waits; an array goes there and back as a whole.  Errors as in convk.h, and HANDLE for
   other handles, MEMORY, DEVICE, and with OpenCL FP64 and BUILD, with hw->message. */
CONVK_VMATH_OPERATIONS_(CONVK_OP_VARIANT_)
