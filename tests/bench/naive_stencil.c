/* What a careful programmer writes without this library: one sweep of the 7-point stencil over planes z0 .. z1 - 1, as a thread
   of an OpenMP loop with a static schedule does.  REAL is the type, SUFFIX ends the name. */
#include <stddef.h>

#define CAT_(a, b) a##_##b
#define CAT(a, b) CAT_(a, b)

void CAT(naive_stencil, SUFFIX)(const REAL *restrict a, REAL *restrict b, size_t nx, size_t ny, size_t z0, size_t z1,
                                size_t pitch_y, size_t pitch_z, REAL c0, REAL c1) {
  for (size_t z = z0; z < z1; z++)
    for (size_t y = 1; y + 1 < ny; y++) {
      const REAL *p = a + z * pitch_z + y * pitch_y;
      REAL *q = b + z * pitch_z + y * pitch_y;
      for (size_t x = 1; x + 1 < nx; x++)
        q[x] = c0 * p[x] + c1 * (p[x - 1] + p[x + 1] + p[x - pitch_y] + p[x + pitch_y] + p[x - pitch_z] + p[x + pitch_z]);
    }
}
