/* The second translation unit of embed: it has its own copy of the library and computes with the other's handle. */
#define CONVK_WITH_FILTERS
#define CONVK_F64
#define CONVK_SIMD
#include "convk.h"

int other_transform(convk *hw, const convk_grid3 *grid, const double *in, double *out);

int other_transform(convk *hw, const convk_grid3 *grid, const double *in, double *out) {
  convk_sepconv3d_shape shape = {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0}}; /* periodic, and the output as the input */
  shape.in = *grid;
  return convk_magicfilter3d_f64(hw, &shape, CONVK_FORWARD, NULL, in, out, NULL, 0);
}
