/* Kernels of wavelets, OpenCL C 1.2.  Build options choose the kernel, the direction, the number of taps or that the struct has
   them, and the shapes of tiles, in pairs. */
CONVK_LOCAL_ const char *const *convk_cl_wavelets_source_(void) {
  static const char *const lines[] = {
#include "quoted/wavelets/kernel.cl"
      NULL};
  return lines;
}

enum { CONVK_CL_WAVELETS_YX_ = CONVK_CL_FILTERS_ + 0x40, CONVK_CL_WAVELETS_Z_ };

#include "wavelets/orbital_opencl.h"
