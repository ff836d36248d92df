enum { CONVK_CL_MAP_POINTS_ = 1024 }; /* elements of an item, on processors: 4 or 8 KiB.  A choice */

/* OpenCL C 1.2.  Build options: FUNCTION, or SINCOS; ITEMS and POINTS, the shape of a group. */
CONVK_LOCAL_ const char *const *convk_cl_vmath_source_(void) {
  static const char *const lines[] = {
#include "quoted/vmath/kernel.cl"
      NULL};
  return lines;
}
