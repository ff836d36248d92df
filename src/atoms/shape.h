/* ---- atoms: what rooms of them share ---- */

/* The axes along which atoms are sorted: vectors of the cell, and where it is open directions at right angles to these. */
typedef struct convk_cell_axes_ {
  double axis[3][3];    /* vectors a, b, c */
  double inverse[3][3]; /* fractional coordinate k of r is inverse[k].r */
  double height[3];     /* of the cell along its axis k: 1 / |inverse[k]| */
  int periodic[3], any;
} convk_cell_axes_;
