/* vectors.c beside plain loops in long double. */
#include "../../examples/adapters/vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NX = 13, NY = 6, NZ = 9, N = NX * NY * NZ, COUNT = 3, LDX = N + 5, LDY = N + 2 };
static int failures;
static void check(int good, const char *what) {
  if (!good) printf("FAIL %s\n", what);
  failures += !good;
}

/* c_k = 2 (-1)^(k + 1) (r!)^2 / (k^2 (r - k)! (r + k)!), c_0 = -2 sum of c_k */
static long double tap(int r, int k) {
  long double c = 2.0L * (k % 2 ? 1 : -1) / ((long double)k * k), sum = 0;
  int i;
  if (k == 0) {
    for (i = 1; i <= r; i++) sum -= 2 * tap(r, i);
    return sum;
  }
  for (i = 0; i < k; i++) c *= (long double)(r - i) / (r + k - i);
  return c;
}

static long double at(const double *x, int i, int j, int k, const int periodic[3]) {
  static const int n[3] = {NX, NY, NZ};
  int p[3], d;
  p[0] = i, p[1] = j, p[2] = k;
  for (d = 0; d < 3; d++) {
    if (!periodic[d] && (p[d] < 0 || p[d] >= n[d])) return 0;
    p[d] = (p[d] % n[d] + n[d]) % n[d];
  }
  return x[(p[2] * NY + p[1]) * NX + p[0]];
}

static double wanted(const double *x, const double *v, double a, double b, double c, int i, int r, const double h[3],
                     const int periodic[3]) {
  const int p = i % NX, q = i / NX % NY, s = i / NX / NY;
  long double sum = 0;
  int l;
  for (l = -r; l <= r; l++) {
    const long double t = tap(r, l < 0 ? -l : l);
    sum += t * (at(x, p + l, q, s, periodic) / (h[0] * h[0]) + at(x, p, q + l, s, periodic) / (h[1] * h[1]) +
                at(x, p, q, s + l, periodic) / (h[2] * h[2]));
  }
  return (double)(a * sum + ((v ? b * v[i] : 0.0L) + c) * x[i]);
}

int main(void) {
  static double x[COUNT * LDX], y[COUNT * LDY], v[N], before[COUNT * LDY];
  static const int ends[2][3] = {{1, 1, 1}, {0, 1, 0}}, radius[3] = {1, 4, 6};
  const size_t n[3] = {NX, NY, NZ};
  const double h[3] = {0.5, 0.4, 0.6};
  const char *why;
  int way, i, j, which;
  for (i = 0; i < COUNT * LDX; i++) x[i] = sin(1.7 * i) + 0.3 * cos(0.01 * i * i);
  for (i = 0; i < COUNT * LDY; i++) before[i] = cos(0.7 * i);
  for (i = 0; i < N; i++) v[i] = sin(0.3 * i);
  for (way = 0; way < 6; way++) {
    const int *periodic = ends[way % 2], r = radius[way / 2];
    vectors_grid *g = vectors_new(NULL, n, h, periodic, r, &why);
    check(g != NULL && !why, "a grid");
    for (which = 0; g && which < 3; which++) { /* with v, without, a further step */
      const double d = which == 2 ? -0.75 : 0, *potential = which == 1 ? NULL : v;
      double worst = 0;
      memcpy(y, before, sizeof y);
      check((which == 2 ? vectors_step(g, COUNT, -0.5, 1.5, 0.25, d, potential, x, LDX, y, LDY)
                        : vectors_apply(g, COUNT, -0.5, 1.5, 0.25, potential, x, LDX, y, LDY)) == 0,
            "a call");
      for (j = 0; j < COUNT; j++)
        for (i = 0; i < LDY; i++) {
          const double old = before[j * LDY + i];
          const double right = i < N ? wanted(x + j * LDX, potential, -0.5, 1.5, 0.25, i, r, h, periodic) + d * old : old;
          worst = fmax(worst, fabs(y[j * LDY + i] - right));
        }
      check(worst < 1e-13, "plain loops");
      if (which == 2)
        printf("radius %d, %s: largest difference %.1e\n", r, way % 2 ? "zeros beyond two axes" : "periodic", worst);
    }
    check(!g || vectors_apply(g, 0, 1, 1, 1, v, x, LDX, y, LDY) == 0, "no vectors");
    vectors_delete(g);
  }
  check(!vectors_new(NULL, n, h, ends[0], 9, &why) && strstr(why, "radius"), "a radius too large");
  check(!vectors_new("abacus", n, h, ends[0], 4, &why) && why, "no such hardware");
  printf("%d failures\n", failures);
  return failures != 0;
}
