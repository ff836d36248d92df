/* ---- amplitudes on a device: there are no kernels yet ---- */

CONVK_LOCAL_ const convk_amplitudes_kernels_ *convk_amplitudes_kernel_table_(void) {
  static const convk_amplitudes_kernels_ kernels = {NULL, NULL, NULL, NULL};
  return &kernels;
}

/* For a handle of the device: UNSUPPORTED. */
CONVK_AMPLITUDES_OPERATIONS_(CONVK_OP_VARIANT_)
