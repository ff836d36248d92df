/* The text of the filters' kernels, in OpenCL C 1.2, as lines that end with NULL.  Build options choose the kernel
   (SEPCONV_YX, ...), whether an axis is periodic, the shapes of tiles, and, as numbers or as members of the kernel's struct,
   how many taps an axis has and what is done with results (ACTIONS, bits CONVK_FILTERS_DENSITY_ and so on).  Taps of x, y
   and z lie MAX_TAPS apart in `taps`. */
CONVK_LOCAL_ const char *const *convk_cl_filters_source_(void) {
  static const char *const lines[] = {
#include "quoted/filters/kernel.cl"
      NULL};
  return lines;
}

enum { CONVK_CL_YX_, CONVK_CL_Z_, CONVK_CL_TURN_, CONVK_CL_TREE_, CONVK_CL_SUM_ };
#define CONVK_CL_ROWS_ ((size_t)8)     /* outputs that a work-item makes from one set of loads */
#define CONVK_CL_BUSY_ ((size_t)2048)  /* work-items that fill a compute unit: about what those of AMD and NVIDIA hold */
enum { convk_cl_filters_lanes_ = 16 }; /* of the sum of a row, which work-items leave in memory */

/* Makes a tile smaller until `more` elements beyond its x fit into local memory. */
CONVK_LOCAL_ int convk_cl_tile_(convk_cl *cl, size_t element, size_t more, size_t *x, size_t *y, size_t *rows) {
  *rows = CONVK_CL_ROWS_;
  while ((*x + more) * *y * element > cl->local_bytes) {
    if (*y > *rows) *y /= 2;
    else if (*x > *rows) *x /= 2;
    else if (*y > 1) *rows = *y /= 2;
    else if (*x > 1) *rows = *x /= 2;
    else return convk_cl_little_(cl);
  }
  return CONVK_OK;
}
