/* What offsets.c offers: a finite-difference operator as a list of offsets and coefficients, as GPAW and its like keep it,
     y[i] = sum over p < count of coefficient[p] x[i + offset[p]]
   on arrays [n[0]][n[1]][n[2]], which repeat along periodic axes, and are 0 beyond the ends of others. */
#ifndef OFFSETS_H
#define OFFSETS_H
#include <stddef.h>

typedef struct offsets_operator offsets_operator;

/* hardware: NULL for the best.  Each offset is along one axis, at most 31 points; NULL: *why says what is wrong. */
offsets_operator *offsets_new(const char *hardware, size_t count, const int (*offset)[3], const double *coefficient,
                              const size_t n[3], const int periodic[3], const char **why);
/* y = F x of `vectors` arrays, one after the other.  0, or a status of convk.h. */
int offsets_apply(offsets_operator *o, size_t vectors, const double *x, double *y);
/* The same of complex arrays, which phase[d] (real and imaginary part) multiplies from one period along axis d to the next. */
int offsets_apply_complex(offsets_operator *o, size_t vectors, const double phase[3][2], const double *x, double *y);
void offsets_delete(offsets_operator *o);
#endif
