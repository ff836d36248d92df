/* The operator of SPARC and its like on many vectors, by sumconv3d: one pass, which reads each vector and v once.
     cc -O2 -c vectors.c       (with convk.h and the modules of processors beside it, or -I) */
#include "vectors.h"

#define CONVK_WITH_SEPCONV
#define CONVK_F64
#define CONVK_SIMD
#include "convk.h"

struct vectors_grid {
  convk hw;
  convk_sumconv3d_shape shape;
  double spacing[3];
  int order;
};

vectors_grid *vectors_new(const char *hardware, const size_t n[3], const double spacing[3], const int periodic[3], int radius,
                          const char **why) {
  vectors_grid *g = (vectors_grid *)calloc(1, sizeof *g);
  int status = g ? convk_open(&g->hw, hardware) : CONVK_ERR_MEMORY, d;
  *why = status ? convk_strerror(status) : radius < 1 || radius > 8 ? "the radius is not 1 to 8" : NULL;
  for (d = 0; !*why && d < 3; d++) {
    g->spacing[d] = spacing[d];
    g->shape.boundary[d] = periodic[d] ? CONVK_BOUNDARY_PERIODIC : CONVK_BOUNDARY_ZERO;
    if (!(spacing[d] > 0)) *why = "a spacing is not positive";
  }
  if (*why) return vectors_delete(g), NULL;
  g->shape.in.nx = n[0], g->shape.in.ny = n[1], g->shape.in.nz = n[2];
  g->order = 2 * radius;
  return g;
}

int vectors_step(vectors_grid *g, size_t count, double a, double b, double c, double d, const double *v, const double *x,
                 size_t ldx, double *y, size_t ldy) {
  double taps[3][CONVK_DERIVATIVE_TAPS];
  convk_sumconv_terms_f64 terms;
  int status = CONVK_OK, axis;
  if (!count) return CONVK_OK; /* for convk.h 0 means 1 */
  memset(&terms, 0, sizeof terms);
  for (axis = 0; !status && axis < 3; axis++)
    status = convk_derivative_filter_f64(&g->hw, 2, g->order, a / (g->spacing[axis] * g->spacing[axis]), taps[axis],
                                         &terms.filter[axis]);
  if (status) return status;
  terms.potential = v;
  terms.potential_factor = v ? b : 0;
  terms.shift = c;
  terms.add = d != 0 ? y : NULL; /* y may hold anything where it does not count */
  terms.add_factor = d;
  g->shape.vectors = count;
  g->shape.in_stride = ldx;
  g->shape.out_stride = ldy;
  return convk_sumconv3d_f64(&g->hw, &g->shape, &terms, x, y, NULL, NULL, 0);
}

int vectors_apply(vectors_grid *g, size_t count, double a, double b, double c, const double *v, const double *x, size_t ldx,
                  double *y, size_t ldy) {
  return vectors_step(g, count, a, b, c, 0, v, x, ldx, y, ldy);
}

void vectors_delete(vectors_grid *g) {
  if (g) convk_close(&g->hw);
  free(g);
}
