/* What a careful programmer writes without this library: loops that the compiler turns into calls of glibc's vector functions
   (libmvec, up to 4 ulp).  REAL is the type, SUFFIX ends the names, END those of the C library's functions for the type. */
#include <math.h>
#include <stddef.h>

#define CAT_(a, b) a##_##b
#define CAT(a, b) CAT_(a, b)
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define MANY(name) \
  void CAT(naive_##name, SUFFIX)(size_t n, const REAL *restrict x, REAL *restrict y, REAL *restrict z) { \
    (void)z; \
    _Pragma("omp simd") for (size_t i = 0; i < n; i++) y[i] = JOIN(name, END)(x[i]); \
  }
MANY(exp)
MANY(expm1)
MANY(log)
MANY(sin)
MANY(cos)

/* In blocks that stay in the cache: of one loop with both the compiler makes scalar calls of sincos. */
void CAT(naive_sincos, SUFFIX)(size_t n, const REAL *restrict x, REAL *restrict y, REAL *restrict z) {
  for (size_t i = 0; i < n; i += 1024) {
    const size_t block = n - i < 1024 ? n - i : 1024;
    CAT(naive_sin, SUFFIX)(block, x + i, y + i, z);
    CAT(naive_cos, SUFFIX)(block, x + i, z + i, y);
  }
}
