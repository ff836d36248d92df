/* What vectors.c offers: y = (a Lap + b diag(v) + c) x on many vectors, as SPARC and its like have it, with a Laplacian of any
   even order to 16 on a grid whose first index runs fastest. */
#ifndef VECTORS_H
#define VECTORS_H
#include <stddef.h>

typedef struct vectors_grid vectors_grid;

/* n points, `spacing` apart, along each axis; beyond the ends x repeats (periodic) or is 0.  radius: order / 2, 1 to 8.
   hardware: NULL for the best.  NULL: *why says what is wrong. */
vectors_grid *vectors_new(const char *hardware, const size_t n[3], const double spacing[3], const int periodic[3], int radius,
                          const char **why);
/* y[j] = (a Lap + b diag(v) + c) x[j] for j < count; ldx, ldy: elements from a vector to the next.  v: NULL where b does not
   count.  y may not overlap x.  0, or a status of convk.h. */
int vectors_apply(vectors_grid *g, size_t count, double a, double b, double c, const double *v, const double *x, size_t ldx,
                  double *y, size_t ldy);
/* One step more of a Chebyshev filter: y[j] = (a Lap + b diag(v) + c) x[j] + d y[j]. */
int vectors_step(vectors_grid *g, size_t count, double a, double b, double c, double d, const double *v, const double *x,
                 size_t ldx, double *y, size_t ldy);
void vectors_delete(vectors_grid *g);
#endif
