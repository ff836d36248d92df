/* The second translation unit of embed: it has its own copy of the library and computes with the other's handle. */
#define CONVK_WITH_SEPCONV
#define CONVK_AVX
#define CONVK_SSE
#include "convk.h"

int other_transform(convk *hw, const convk_grid3 *grid, const double *in, double *out);

int other_transform(convk *hw, const convk_grid3 *grid, const double *in, double *out) {
  static const int periodic[3] = {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC};
  return convk_magicfilter3d_f64(hw, grid, grid, CONVK_FORWARD, periodic, NULL, in, out, NULL, 0);
}
