/* offsets.c beside the loop over its list, in long double. */
#include "../../examples/adapters/offsets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N0 = 5, N1 = 7, N2 = 12, N = N0 * N1 * N2, VECTORS = 2, LIST = 24 };
static int failures;
static void check(int good, const char *what) {
  if (!good) printf("FAIL %s\n", what);
  failures += !good;
}

/* The list of a Laplacian of order 6, with other spacings along the axes, the centre three times, and a one-sided term. */
static size_t list(int offset[LIST][3], double *coefficient) {
  static const double c[4] = {-49.0 / 18, 1.5, -0.15, 1.0 / 90}, h[3] = {0.5, 0.4, 0.3};
  size_t count = 0;
  int d, l;
  memset(offset, 0, LIST * sizeof *offset);
  for (d = 0; d < 3; d++)
    for (l = -3; l <= 3; l++) {
      offset[count][d] = l;
      coefficient[count++] = c[abs(l)] / (h[d] * h[d]);
    }
  offset[count][1] = 5;
  coefficient[count++] = 0.25;
  return count;
}

/* part: of numbers with 1 or 2 parts; an offset beyond an end multiplies by a power of the phase, or meets 0. */
static double loop(const double *x, int parts, int part, int i, const int (*offset)[3], const double *coefficient, size_t count,
                   const int periodic[3], const double phase[3][2]) {
  static const int n[3] = {N0, N1, N2};
  const int at[3] = {i / (N1 * N2), i / N2 % N1, i % N2};
  long double sum = 0;
  size_t p;
  int d;
  for (p = 0; p < count; p++) {
    long double re = 1, im = 0, a, b;
    int to = 0;
    for (d = 0; d < 3; d++) {
      int j = at[d] + offset[p][d];
      if (!periodic[d] && (j < 0 || j >= n[d])) re = im = 0;
      for (; j >= n[d]; j -= n[d]) a = re, re = a * phase[d][0] - im * phase[d][1], im = a * phase[d][1] + im * phase[d][0];
      for (; j < 0; j += n[d]) a = re, re = a * phase[d][0] + im * phase[d][1], im = im * phase[d][0] - a * phase[d][1];
      to = to * n[d] + j;
    }
    a = x[parts * to];
    b = parts == 2 ? x[2 * to + 1] : 0;
    sum += coefficient[p] * (part ? re * b + im * a : re * a - im * b);
  }
  return (double)sum;
}

int main(void) {
  static double x[2 * VECTORS * N], y[2 * VECTORS * N];
  static const int ends[2][3] = {{1, 1, 1}, {0, 1, 0}};
  const size_t n[3] = {N0, N1, N2};
  const double phase[3][2] = {{cos(0.4), sin(0.4)}, {cos(-1.3), sin(-1.3)}, {cos(2.5), sin(2.5)}};
  const double none[3][2] = {{1, 0}, {1, 0}, {1, 0}};
  int offset[LIST][3], way, parts, i;
  double coefficient[LIST];
  const size_t count = list(offset, coefficient);
  const char *why;
  for (i = 0; i < 2 * VECTORS * N; i++) x[i] = sin(1.7 * i) + 0.3 * cos(0.01 * i * i);
  for (way = 0; way < 2; way++) {
    const int(*o)[3] = (const int(*)[3])offset;
    offsets_operator *made = offsets_new(NULL, count, o, coefficient, n, ends[way], &why);
    check(made != NULL && !why, "an operator");
    for (parts = 1; made && parts <= 2; parts++) {
      double here[3][2], worst = 0;
      int v, d;
      for (d = 0; d < 3; d++) memcpy(here[d], ends[way][d] && parts == 2 ? phase[d] : none[d], sizeof here[d]);
      memset(y, 0, sizeof y);
      check((parts == 2 ? offsets_apply_complex(made, VECTORS, (const double(*)[2])here, x, y)
                        : offsets_apply(made, VECTORS, x, y)) == 0,
            "a call");
      for (v = 0; v < VECTORS; v++)
        for (i = 0; i < parts * N; i++) {
          const double wanted =
              loop(x + v * parts * N, parts, i % parts, i / parts, o, coefficient, count, ends[way], (const double(*)[2])here);
          worst = fmax(worst, fabs(y[v * parts * N + i] - wanted));
        }
      printf("%s, %s: largest difference %.1e\n", way ? "zeros beyond two axes" : "periodic", parts == 2 ? "complex" : "real",
             worst);
      check(worst < 4e-13, "the loop over the list");
    }
    offsets_delete(made);
  }
  {
    static const int askew[1][3] = {{1, 1, 0}}, far[1][3] = {{0, 0, 32}};
    check(!offsets_new(NULL, 1, askew, coefficient, n, ends[0], &why) && strstr(why, "axis"), "an offset along two axes");
    check(!offsets_new(NULL, 1, far, coefficient, n, ends[0], &why) && strstr(why, "31"), "an offset too far");
    check(!offsets_new("abacus", 0, askew, coefficient, n, ends[0], &why) && why, "no such hardware");
  }
  printf("%d failures\n", failures);
  return failures != 0;
}
