enum { CONVK_CL_DISTANCES_ITEMS_ = 256, CONVK_CL_DISTANCES_GROUPS_ = 1024 }; /* of a group, and of a launch; of GPUs */

/* OpenCL C 1.2.  Build options: ITEMS; DEBYE, SORT, or MOMENTS and whether words of bins are SHARED. */
CONVK_LOCAL_ const char *const *convk_cl_distances_source_(void) {
  static const char *const lines[] = {
#include "quoted/distances/kernel.cl"
      NULL};
  return lines;
}
