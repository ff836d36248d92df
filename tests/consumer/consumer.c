/* The smallest program of a user, C99 and C++11: a constant that the magic filter must keep.
   It defines no module: hw.name shows what the package gives it.  CONSUMER_DEFINES: it defines them as the manual says.
   CONSUMER_WANTS_... check what a package is to define. */
#if defined CONSUMER_WANTS_FAMILY && !defined CONVK_WITH_SEPCONV
#error "the package does not define CONVK_WITH_SEPCONV"
#endif
#if defined CONSUMER_WANTS_COMPILED && !defined CONVK_DECLARE
#error "the package does not define CONVK_DECLARE"
#endif
#define CONVK_WITH_SEPCONV
#define CONVK_F64
#ifdef CONSUMER_DEFINES
#define CONVK_SIMD
#endif
#include <convk.h>

#include <math.h>
#include <stdio.h>

enum { N = 20 };

int main(void) {
  static double in[N * N * N], out[N * N * N];
  const convk_sepconv3d_shape shape = {{N, N, N, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0}}; /* periodic */
  double worst = 0;
  convk hw;
  int i, status = convk_open(&hw, NULL);
  if (status) {
    printf("consumer: %s\n", convk_strerror(status));
    return 1;
  }
  for (i = 0; i < N * N * N; i++) in[i] = 1;
  status = convk_magicfilter3d_f64(&hw, &shape, CONVK_FORWARD, NULL, in, out, NULL, 0);
  for (i = 0; i < N * N * N; i++)
    if (!(fabs(out[i] - 1) <= worst)) worst = fabs(out[i] - 1);
  printf("consumer: convk %d, %s: %s, %.1e from 1\n", CONVK_VERSION, hw.name, convk_strerror(status), worst);
  convk_close(&hw);
  return status || !(worst <= 1e-14);
}
