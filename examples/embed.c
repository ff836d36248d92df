/* Two translation units of one program include the library: this one opens the hardware, embed_other.c computes with
 * it. An impulse must come back as the taps of the filter, in the orientation that the manual states. */
#define CONVK_WITH_FILTERS /* the other families are left out: they take their time to compile */
#define CONVK_F64
#define CONVK_SIMD
#include "convk.h"

#include <math.h>
#include <stdio.h>

enum { N = 40, AT = 20 };

int other_transform(convk *hw, const convk_grid3 *grid, const double *in, double *out);

static double in[N * N * N], out[N * N * N];

static double result(int x, int y, int z) { return out[(z * N + y) * N + x]; }

int main(void) {
  static const convk_grid3 grid = {N, N, N, 0, 0};
  const double peak = 0.99404156978340040, first = 8.4334247333529341e-7; /* taps 0 and -8 of the forward filter */
  const double tolerance = 4e-15;
  convk hw;
  double sum = 0;
  int i, bad, status = convk_open(&hw, NULL);
  if (status) {
    fprintf(stderr, "embed: convk_open: %s\n", convk_strerror(status));
    return 1;
  }
  in[(AT * N + AT) * N + AT] = 1;
  status = other_transform(&hw, &grid, in, out);
  if (status) {
    fprintf(stderr, "embed: magicfilter3d: %s\n", convk_strerror(status));
    convk_close(&hw);
    return 1;
  }
  for (i = 0; i < N * N * N; i++) {
    sum += out[i];
  }
  bad = !(fabs(sum - 1) <= 1e-13);
  bad |= !(fabs(result(AT, AT, AT) - peak * peak * peak) <= tolerance);
  /* a correlation puts tap -8 eight points AFTER the impulse, and nothing eight points before it */
  bad |= !(fabs(result(AT + 8, AT, AT) - first * peak * peak) <= tolerance * first);
  bad |= !(fabs(result(AT, AT + 8, AT) - first * peak * peak) <= tolerance * first);
  bad |= !(fabs(result(AT, AT, AT + 8) - first * peak * peak) <= tolerance * first);
  bad |= result(AT - 8, AT, AT) != 0 || result(AT, AT - 8, AT) != 0 || result(AT, AT, AT - 8) != 0;
  printf("embed: two C translation units, %s: impulse of sum %.15f, peak %.15f, first tap %.6e: %s\n", hw.name, sum,
         result(AT, AT, AT), result(AT + 8, AT, AT), bad ? "WRONG" : "ok");
  convk_close(&hw);
  return bad;
}
