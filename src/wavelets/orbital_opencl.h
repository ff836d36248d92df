/* OpenCL C 1.2.  Build options choose the kernel (COMPLEX_PARTS, SEGMENTS). */
CONVK_LOCAL_ const char *const *convk_cl_orbital_source_(void) {
  static const char *const lines[] = {
#include "quoted/wavelets/orbital_kernel.cl"
      NULL};
  return lines;
}

enum { CONVK_CL_PARTS_ = CONVK_CL_FILTERS_ + 0x50, CONVK_CL_SEGMENTS_ };
