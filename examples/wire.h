/* What heat.c and mpi/heat.c cool: a hot wire, wound to a helix, in a block whose faces stay at 0. */
#ifndef WIRE_H
#define WIRE_H

#include <math.h>

#define PI 3.14159265358979323846
#define C1 0.125 /* of the neighbours; at most 1/6, where c0 is 0: beyond it a step overshoots, and errors grow */

/* The length of the block is 1, and (x, y, z) is counted from its centre. */
static inline double hot_wire(double x, double y, double z) {
  const double radius = 0.25, rise = 0.5, thickness = 0.06; /* of the helix, per turn, and half that of the wire */
  const double turns = z / rise - atan2(y, x) / (2 * PI);   /* whole on the helix */
  const double away = (turns - floor(turns + 0.5)) * rise * cos(atan(rise / (2 * PI * radius)));
  return hypot(hypot(x, y) - radius, away) < thickness ? 1 : 0;
}

#endif
