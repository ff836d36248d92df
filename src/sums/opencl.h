/* OpenCL C 1.2.  Build options choose the kernel (SUMCONV_POINTS, ...), STEP numbers of an element, whether there are PHASES,
   and SUMS. */
CONVK_LOCAL_ const char *const *convk_cl_sums_source_(void) {
  static const char *const lines[] = {
#include "quoted/sums/kernel.cl"
      NULL};
  return lines;
}

/* Kernels of this family, behind those of filters/opencl.h. */
enum { CONVK_CL_SUMCONV_SINGLE_ = 16, CONVK_CL_SUMCONV_POINTS_, CONVK_CL_SUMCONV_TILES_ };
