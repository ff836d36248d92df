/* ---- distances on a device: sums over histograms go to the portable kernels of the processor that calls; there are no others
   ---- */

CONVK_LOCAL_ const convk_distances_kernels_ *convk_distances_kernel_table_(void) {
  static const convk_distances_kernels_ kernels = {
      {NULL, NULL, CONVK_EITHER_(convk_distances_waves_any_f32_scalar_, convk_distances_waves_any_f64_scalar_)}};
  return &kernels;
}

/* For a handle of the device: convk_debye as in convk.h; the others give UNSUPPORTED. */
CONVK_DISTANCES_OPERATIONS_(CONVK_OP_VARIANT_)
