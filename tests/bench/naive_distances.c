/* What a careful programmer writes without this library: distances of all pairs into bins, one loop; and Debye's sum over bins. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define CAT_(a, b) a##_##b
#define CAT(a, b) CAT_(a, b)
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

void CAT(naive_distances, SUFFIX)(size_t n, const REAL *x, const REAL *y, const REAL *z, REAL scale, uint32_t *count) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) {
      const REAL dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
      count[(int)(JOIN(sqrt, END)(dx * dx + dy * dy + dz * dz) * scale)]++;
    }
}

void CAT(naive_debye, SUFFIX)(size_t bins, REAL width, const uint32_t *count, size_t nq, const REAL *q,
                              REAL *restrict intensity) {
  for (size_t i = 0; i < nq; i++) {
    REAL sum = 0;
    for (size_t k = 0; k < bins; k++) {
      const REAL x = q[i] * (((REAL)k + (REAL)0.5) * width);
      sum += (REAL)count[k] * (JOIN(sin, END)(x) / x);
    }
    intensity[i] = 2 * sum;
  }
}
