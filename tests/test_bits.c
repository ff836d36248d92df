/* Variants of a class give the same bits under the compiler's own rules, with no flag about contraction; all CPU variants do
   under CONVK_STRICT.  Nor do blocks change a bit. */
#define CONVK_F64
#define CONVK_WITH_FILTERS
#define CONVK_WITH_STENCIL
#define CONVK_SIMD
#define CONVK_AVX_WITHOUT_AVX2
#include "convk.h"

#include <stdio.h>

enum { NX = 37, NY = 29, NZ = 41, N = NX * NY * NZ };
enum { MAGICFILTER, STENCIL_EQUAL, STENCIL_SEVEN, OPERATIONS };

int main(void) {
  static const char *const names[] = {"scalar", "sse2", "avx", "avx2", "avx512", "neon"};
  static const size_t rows[] = {0, 1, 3, 5, 13, 29};
  static const int periodic[3] = {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC};
  static const convk_stencil7_shape mixed = {{NX, NY, NZ, 0, 0},
                                             {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_FIXED}};
  static const convk_stencil7_coefficients_f64 seven = {0.1, 0.15, 0.12, 0.17, 0.11, 0.19, 0.13};
  static double in[N], first[2][OPERATIONS][N], out[OPERATIONS][N], a[N], b[N], *end;
  const convk_grid3 grid = {NX, NY, NZ, 0, 0};
  const convk_sepconv3d_shape shape = {{NX, NY, NZ, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0}}; /* periodic */
  int have[2] = {0, 0}, passed = 0, failed = 0, skipped = 0;
  size_t i, r;
  int s;
  for (i = 0; i < N; i++) in[i] = (double)(i * 2654435761u % 100003u) / 50001.5 - 1;
  for (i = 0; i < sizeof names / sizeof *names; i++) {
    convk hw;
#ifdef CONVK_STRICT
    const int k = 0;
#else
    const int k = i > 2;
#endif
    if (convk_open(&hw, names[i])) {
      skipped++;
      continue;
    }
    for (r = 0; r < sizeof rows / sizeof *rows; r++) {
      hw.tuning.sepconv_rows = hw.tuning.stencil_rows = rows[r];
      hw.tuning.stencil_steps = 1 + r;
      if (convk_magicfilter3d_f64(&hw, &shape, CONVK_FORWARD, NULL, in, out[MAGICFILTER], NULL, 0)) failed++;
      for (s = STENCIL_EQUAL; s <= STENCIL_SEVEN; s++) {
        const convk_stencil7_coefficients_f64 c = s == STENCIL_SEVEN ? seven : convk_stencil7_isotropic_f64(0.4, 0.1);
        memcpy(a, in, sizeof a);
        memcpy(b, in, sizeof b);
        end = a;
        if (convk_stencil7_f64(&hw, &mixed, &c, 5, a, b, &end, NULL, 0)) failed++;
        memcpy(out[s], end, sizeof a);
      }
      if (!have[k]) {
        memcpy(first[k], out, sizeof out);
        have[k] = 1;
      }
      if (memcmp(first[k], out, sizeof out)) {
        printf("FAIL %s with %u rows\n", names[i], (unsigned)rows[r]);
        failed++;
      } else passed++;
    }
    convk_close(&hw);
  }
#ifndef CONVK_STRICT
  for (s = 0; s < OPERATIONS && have[1]; s++) /* or the comparison sees nothing */
    if (!memcmp(first[0][s], first[1][s], sizeof *out)) {
      printf("FAIL the classes do not differ in operation %d\n", s);
      failed++;
    }
#endif
  printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
  return failed != 0;
}
