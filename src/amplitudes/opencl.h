/* OpenCL C 1.2.  Build options: ITEMS; SUMS, and whether of a grid, TENSOR, or with complex q_z, IMAG. */
CONVK_LOCAL_ const char *const *convk_cl_amplitudes_source_(void) {
  static const char *const lines[] = {
#include "quoted/amplitudes/kernel.cl"
      NULL};
  return lines;
}
