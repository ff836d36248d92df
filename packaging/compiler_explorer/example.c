/* Heat that spreads from a hot point, in C99 or C++: one family, one type, and one instruction set, AVX2. With -O2 its vector
   loops are in the functions whose names end in _avx2_. */
#define CONVK_WITH_STENCIL
#define CONVK_F64
#define CONVK_AVX
#define CONVK_NO_AVX512
#include <convk.h>

#include <stdio.h>

enum { N = 32 };
static double a[N * N * N], b[N * N * N];

int main(void) {
  const convk_stencil7_shape shape = {{N, N, N, 0, 0}, {0, 0, 0}}; /* packed and periodic */
  const convk_stencil7_coefficients_f64 heat = convk_stencil7_isotropic_f64(0.4, 0.1);
  double *end = NULL;
  convk hw;
  int status = convk_open(&hw, NULL);
  a[0] = 1;
  if (!status) status = convk_stencil7_f64(&hw, &shape, &heat, 100, a, b, &end, NULL, 0);
  printf("%s: %s, %.6f\n", hw.name, convk_strerror(status), status ? 0 : end[0]);
  convk_close(&hw);
  return status;
}
