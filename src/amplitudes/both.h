/* ---- amplitudes: what processors and devices have in common, in doubles ---- */
#include "core/plain.h"
#ifndef CONVK_ADD_
CONVK_EXACT_PUSH_
#endif

/* Numbers of results: another one gives other bits. */
#define CONVK_AMPLITUDES_BLOCK_ \
  ((size_t)128) /* atoms whose sum is one of the type, a multiple of all lanes; such sums are added in doubles */
#define CONVK_AMPLITUDES_FOLD_ ((size_t)16) /* values of an axis with q and -q that are worth it where not all axes have both */

/* The axes of a tensor grid: that of the lanes, then those of the rows. */
typedef struct convk_amplitudes_fold_ {
  int octant, folded;        /* all axes have q and -q, or that of the lanes */
  size_t axis[3];            /* x, y, z as 0, 1, 2 */
  size_t all[3];             /* values of the axis */
  size_t count[3], first[3]; /* values that are computed, and the first of them; those before it are -q of these */
} convk_amplitudes_fold_;

/* Which axis has the lanes, and which values are computed, where so many values of x, y, z have q and -q, or not. */
CONVK_PLAIN_ void convk_amplitudes_fold_of_(const int *mirrored, const size_t *n, convk_amplitudes_fold_ *fold) {
  size_t d, lane = 0, longest = 0;
  fold->octant = mirrored[0] && mirrored[1] && mirrored[2];
  for (d = 0; d < 3; d++)
    if (mirrored[d] && n[d] > longest && (fold->octant || n[d] >= CONVK_AMPLITUDES_FOLD_)) longest = n[lane = d];
  fold->folded = longest > 0;
  for (d = 0; d < 3 && !fold->folded; d++)
    if (n[d] > n[lane]) lane = d;
  fold->axis[0] = lane;
  fold->axis[1] = lane == 0 ? 1 : 0;
  fold->axis[2] = lane == 2 ? 1 : 2;
  for (d = 0; d < 3; d++) {
    fold->all[d] = n[fold->axis[d]];
    fold->first[d] = fold->octant || (fold->folded && !d) ? fold->all[d] / 2 : 0;
    fold->count[d] = fold->all[d] - fold->first[d];
  }
}

/* A value of q in turns for each unit of the axis; of a cell it is an index. */
CONVK_PLAIN_ double convk_amplitudes_turns_(int in_cell, double q) {
  return in_cell ? q : CONVK_PLAIN_MUL_(q, 0.15915494309189535); /* 1 / (2 pi) */
}

/* The rate at which exp(i q_z z) of an imaginary part of q_z falls with z. */
CONVK_PLAIN_ double convk_amplitudes_decay_(int in_cell, double imag) {
  return CONVK_PLAIN_MUL_(in_cell ? -6.283185307179586 : -1, imag);
}

/* q as turns, in two numbers of the type, whose sum has no rounding to speak of: on grids the phases of the axes have the
   digits for it.  1 / (2 pi) and q are cut into parts whose products are exact. */
CONVK_PLAIN_ double convk_amplitudes_turns_in_two_(int in_cell, int single, double q, double *rest) {
  const double part[3] = {0.15915494039654732, 2.6953480003477637e-09, 1.791623727803767e-17};
  const double all = convk_amplitudes_turns_(in_cell, q), turns = single ? (double)(float)all : all;
  const double upper = convk_from_bits_(convk_to_bits_(q) >> 26 << 26), lower = q - upper;
  *rest =
      in_cell
          ? 0
          : (CONVK_PLAIN_MUL_(upper, part[0]) - turns + CONVK_PLAIN_MUL_(lower, part[0]) + CONVK_PLAIN_MUL_(upper, part[1])) +
                (CONVK_PLAIN_MUL_(lower, part[1]) + CONVK_PLAIN_MUL_(q, part[2]));
  return turns;
}

/* The sum of a kind at one of the q of a pair and lane: number `which` has bit d where axis d has -q.  s: sums, of the first
   factor c, then s of the lanes, each `pitch` behind the one before. */
CONVK_PLAIN_ void convk_amplitudes_at_(CONVK_PLAIN_FAR_ const double *s, size_t pitch, int octant, int which, double *re,
                                       double *im) {
  const double x = which & 1 ? -1 : 1, y = which & 2 ? -1 : 1, z = which & 4 ? -1 : 1;
  if (octant) { /* of (c + i x s) (c + i y s) (c + i z s) */
    *re = s[0] - x * y * s[3 * pitch] - x * z * s[5 * pitch] - y * z * s[6 * pitch];
    *im = x * s[pitch] + y * s[2 * pitch] + z * s[4 * pitch] - x * y * z * s[7 * pitch];
  } else { /* of (a + i b) (c + i x s) */
    *re = s[0] - x * s[3 * pitch];
    *im = s[2 * pitch] + x * s[pitch];
  }
}

/* What a kind scatters at q, whose values are given: complex.  inverse: [3][3], of the cell whose indices q are. */
CONVK_PLAIN_RARE_ void convk_amplitudes_scatters_(const convk_scatterer *kind, int in_cell, const double *inverse,
                                                  const double *q, double *f) {
  double node[3], thermal = 1;
  int d, k;
  for (d = 0; d < 3; d++) {
    node[d] = in_cell ? 0 : q[d];
    for (k = 0; k < 3 && in_cell; k++)
      node[d] += CONVK_PLAIN_MUL_(CONVK_PLAIN_MUL_(6.283185307179586, q[k]), inverse[3 * k + d]);
  }
  convk_scatterer_of_(kind, convk_sqrt_(convk_cell_dot_(node, node)), f, &thermal);
  for (d = 0; d < 2; d++) f[d] *= thermal;
}

/* Adds S, the sum of a kind, times what it scatters at q, to F; scatters: NULL, 1. */
CONVK_PLAIN_ void convk_amplitudes_add_(const double *scatters, double re, double im, double *f) {
  if (!scatters) {
    f[0] += re;
    f[1] += im;
  } else {
    f[0] += CONVK_PLAIN_MUL_(scatters[0], re) - CONVK_PLAIN_MUL_(scatters[1], im);
    f[1] += CONVK_PLAIN_MUL_(scatters[0], im) + CONVK_PLAIN_MUL_(scatters[1], re);
  }
}

/* |F|^2. */
CONVK_PLAIN_ double convk_amplitudes_square_(const double *f) {
  return CONVK_PLAIN_MUL_(f[0], f[0]) + CONVK_PLAIN_MUL_(f[1], f[1]);
}
#ifndef CONVK_ADD_
CONVK_EXACT_POP_
#endif
#include "core/plain_end.h"
