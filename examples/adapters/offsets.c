/* Finite differences of a code that keeps lists of offsets, by sumconv3d: each axis becomes a filter, and a point is read once
   instead of once for each offset.
     cc -O2 -c offsets.c       (with convk.h and the modules of processors beside it, or -I) */
#include "offsets.h"

#define CONVK_WITH_SEPCONV
#define CONVK_F64
#define CONVK_SIMD
#include "convk.h"

enum { OFFSETS_REACH = 31 };

struct offsets_operator {
  convk hw;
  convk_sumconv3d_shape shape;
  convk_sumconv_terms_f64 terms;
  double taps[3][2 * OFFSETS_REACH + 1];
};

/* The list's last axis is contiguous: it is x of convk.h. */
offsets_operator *offsets_new(const char *hardware, size_t count, const int (*offset)[3], const double *coefficient,
                              const size_t n[3], const int periodic[3], const char **why) {
  offsets_operator *o = (offsets_operator *)calloc(1, sizeof *o);
  int status = o ? convk_open(&o->hw, hardware) : CONVK_ERR_MEMORY, d;
  size_t p;
  *why = status ? convk_strerror(status) : NULL;
  for (p = 0; !*why && p < count; p++) {
    const int *at = offset[p], axis = at[0] ? 0 : at[1] ? 1 : 2, far = at[axis];
    convk_filter_f64 *f = &o->terms.filter[2 - axis];
    if ((at[0] != 0) + (at[1] != 0) + (at[2] != 0) > 1) *why = "an offset is not along an axis";
    else if (far < -OFFSETS_REACH || far > OFFSETS_REACH) *why = "an offset of more than 31 points";
    else o->taps[2 - axis][OFFSETS_REACH + far] += coefficient[p];
    if (far < f->lo) f->lo = far;
    if (far > f->up) f->up = far;
  }
  if (*why) return offsets_delete(o), NULL;
  for (d = 0; d < 3; d++) {
    o->terms.filter[d].taps = o->taps[d] + OFFSETS_REACH + o->terms.filter[d].lo;
    o->shape.boundary[d] = periodic[2 - d] ? CONVK_BOUNDARY_PERIODIC : CONVK_BOUNDARY_ZERO;
  }
  o->shape.in.nx = n[2], o->shape.in.ny = n[1], o->shape.in.nz = n[0];
  return o;
}

int offsets_apply(offsets_operator *o, size_t vectors, const double *x, double *y) {
  if (!vectors) return CONVK_OK; /* for convk.h 0 means 1 */
  o->shape.vectors = vectors;
  return convk_sumconv3d_f64(&o->hw, &o->shape, &o->terms, x, y, NULL, NULL, 0);
}

int offsets_apply_complex(offsets_operator *o, size_t vectors, const double phase[3][2], const double *x, double *y) {
  convk_sumconv_terms_f64 terms = o->terms;
  int d, part;
  if (!vectors) return CONVK_OK;
  for (d = 0; d < 3; d++)
    for (part = 0; part < 2 && o->shape.boundary[d] == CONVK_BOUNDARY_PERIODIC; part++)
      terms.phase[d][part] = phase[2 - d][part];
  o->shape.vectors = vectors;
  return convk_sumconv3d_c64(&o->hw, &o->shape, &terms, x, y, NULL, NULL, 0);
}

void offsets_delete(offsets_operator *o) {
  if (o) convk_close(&o->hw);
  free(o);
}
