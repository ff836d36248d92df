/* Variants of a class give the same bits under the compiler's own rules, with no flag about contraction; all CPU variants do
   under CONVK_STRICT.  Nor do blocks change a bit. */
#define CONVK_SSE
#define CONVK_AVX
#include "convk.h"

#include <stdio.h>

enum { NX = 37, NY = 29, NZ = 41, N = NX * NY * NZ };

int main(void) {
  static const char *const names[] = {"scalar", "sse2", "avx", "avx2", "avx512"};
  static const size_t rows[] = {0, 1, 3, 5, 13, 29};
  static const int periodic[3] = {CONVK_PERIODIC, CONVK_PERIODIC, CONVK_PERIODIC};
  static double in[N], first[2][N], out[N];
  static float in32[N], first32[2][N], out32[N];
  const convk_grid3 grid = {NX, NY, NZ, 0, 0};
  int have[2] = {0, 0}, passed = 0, failed = 0, skipped = 0;
  size_t i, r;
  for (i = 0; i < N; i++) {
    in[i] = (double)(i * 2654435761u % 100003u) / 50001.5 - 1;
    in32[i] = (float)in[i];
  }
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
      hw.tuning.sepconv_rows = rows[r];
      if (convk_magicfilter3d_f64(&hw, &grid, &grid, CONVK_FORWARD, periodic, NULL, in, out, NULL, 0) ||
          convk_magicfilter3d_f32(&hw, &grid, &grid, CONVK_FORWARD, periodic, NULL, in32, out32, NULL, 0))
        failed++;
      if (!have[k]) {
        memcpy(first[k], out, sizeof out);
        memcpy(first32[k], out32, sizeof out32);
        have[k] = 1;
      }
      if (memcmp(first[k], out, sizeof out) || memcmp(first32[k], out32, sizeof out32)) {
        printf("FAIL %s with %u rows\n", names[i], (unsigned)rows[r]);
        failed++;
      } else passed++;
    }
    convk_close(&hw);
  }
#ifndef CONVK_STRICT
  if (have[1] && !memcmp(first[0], first[1], sizeof out)) { /* or the comparison sees nothing */
    printf("FAIL the classes do not differ\n");
    failed++;
  }
#endif
  printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
  return failed != 0;
}
