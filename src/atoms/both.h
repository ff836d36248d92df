/* ---- distances: atoms in their cell, for processors and devices; doubles, of which every operation rounds once ---- */

#ifdef CONVK_ADD_ /* words of a device, whose products nothing is fused with */
#define CONVK_ATOM_ CONVK_ELEMENT_
#define CONVK_ATOM_MUL_(a, b) CONVK_MUL_(a, b)
#else
#define CONVK_ATOM_ CONVK_LOCAL_
#define CONVK_ATOM_MUL_(a, b) ((a) * (b))
CONVK_EXACT_PUSH_
#endif

/* The number of a pair of kinds a <= b. */
CONVK_ATOM_ size_t convk_kinds_pair_(size_t kinds, size_t a, size_t b) { return a * (2 * kinds - a - 1) / 2 + b; }

CONVK_ATOM_ double convk_cell_dot_(const double *a, const double *b) {
  return (CONVK_ATOM_MUL_(a[0], b[0]) + CONVK_ATOM_MUL_(a[1], b[1])) + CONVK_ATOM_MUL_(a[2], b[2]);
}

/* The largest integer that is not larger, of |x| < 2^31. */
CONVK_ATOM_ double convk_cell_floor_(double x) {
  const double whole = (double)(int64_t)x;
  return whole > x ? whole - 1 : whole;
}

/* Moves an atom into the periodic cell; not 0: it lies 2^30 vectors beside it, or is no number.  inverse, axis: [3][3]. */
CONVK_ATOM_ int convk_cell_wrap_(const int *periodic, const double *inverse, const double *axis, double *r) {
  double times[3];
  int k, d;
  for (k = 0; k < 3; k++) {
    const double f = periodic[k] ? convk_cell_dot_(inverse + 3 * k, r) : 0;
    if (!(f < 1073741824.) || !(f > -1073741824.)) return 1; /* 2^30 */
    times[k] = convk_cell_floor_(f);
  }
  for (k = 0; k < 3; k++)
    for (d = 0; d < 3 && times[k] != 0; d++) r[d] -= CONVK_ATOM_MUL_(times[k], axis[3 * k + d]);
  return 0;
}

/* Where an image of the cell is; vectors that are not periodic are zero. */
CONVK_ATOM_ void convk_cell_shift_(const double *image, const double *axis, double *shift) {
  int k, d;
  for (d = 0; d < 3; d++)
    for (shift[d] = k = 0; k < 3; k++) shift[d] += CONVK_ATOM_MUL_(image[k], axis[3 * k + d]);
}
#ifndef CONVK_ADD_
CONVK_EXACT_POP_
#endif
#undef CONVK_ATOM_
#undef CONVK_ATOM_MUL_
