/* What a careful programmer writes without this library: the sum of exp(i q.r) over atoms for a list of q. */
#include <math.h>
#include <stddef.h>

#define CAT_(a, b) a##_##b
#define CAT(a, b) CAT_(a, b)
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

void CAT(naive_amplitudes, SUFFIX)(size_t n, const REAL *const r[3], size_t nq, const REAL *const q[3], REAL *restrict f) {
  for (size_t k = 0; k < nq; k++) {
    REAL re = 0, im = 0;
    for (size_t i = 0; i < n; i++) {
      const REAL x = q[0][k] * r[0][i] + q[1][k] * r[1][i] + q[2][k] * r[2][i];
      re += JOIN(cos, END)(x);
      im += JOIN(sin, END)(x);
    }
    f[2 * k] = re;
    f[2 * k + 1] = im;
  }
}
