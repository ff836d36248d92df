/* ---- Gaussians on regular grids: numbers in two parts, and the frame of a cell ---- */

#define CONVK_CELLS_DEPENDENT_ 9.3132257461547852e-10 /* 2^-30: the sine of an angle that counts as none */

/* A number hi + lo, where hi is the double next to it. */
typedef struct convk_cells_pair_ {
  double hi, lo;
} convk_cells_pair_;

/* Steps a, b, c of a cell in the frame whose first axis lies along a and whose second one lies in the plane of a and b:

     a = (a1, 0, 0),  b = (b1, b2, 0),  c = (c1, c2, c3),  a1, b2 > 0 */
typedef struct convk_cells_frame_ {
  convk_cells_pair_ axis[3][3];  /* of the frame, in x, y, z */
  convk_cells_pair_ step[3][3];  /* a, b, c in the frame */
  convk_cells_pair_ image[3][3]; /* periods along them in the frame */
  double size[3];                /* lengths of steps */
} convk_cells_frame_;

/* hi + lo of any two doubles as such a number. */
CONVK_RARE_ convk_cells_pair_ convk_cells_pair_of_(double hi, double lo) {
  convk_cells_pair_ p;
  p.hi = convk_grids_two_sum_(hi, lo, &p.lo);
  return p;
}

CONVK_RARE_ convk_cells_pair_ convk_cells_add_(convk_cells_pair_ a, convk_cells_pair_ b) {
  double lost;
  const double sum = convk_grids_two_sum_(a.hi, b.hi, &lost);
  return convk_cells_pair_of_(sum, lost + (a.lo + b.lo));
}

CONVK_RARE_ convk_cells_pair_ convk_cells_mul_(convk_cells_pair_ a, convk_cells_pair_ b) {
  double lost;
  const double product = convk_grids_two_product_(a.hi, b.hi, &lost);
  return convk_cells_pair_of_(product, lost + (a.hi * b.lo + a.lo * b.hi));
}

CONVK_RARE_ convk_cells_pair_ convk_cells_times_(convk_cells_pair_ a, double b) {
  convk_cells_pair_ p;
  p.hi = b;
  p.lo = 0;
  return convk_cells_mul_(a, p);
}

/* a / b: what is left of a after the first quotient gives the second part. */
CONVK_RARE_ convk_cells_pair_ convk_cells_over_(convk_cells_pair_ a, convk_cells_pair_ b) {
  const double first = a.hi / b.hi, second = convk_cells_add_(a, convk_cells_times_(b, -first)).hi / b.hi;
  return convk_cells_pair_of_(first, second);
}

/* The square root: a first one, and a step of Newton's method.  0 for 0. */
CONVK_RARE_ convk_cells_pair_ convk_cells_root_(convk_cells_pair_ a) {
  const double root = convk_sqrt_(a.hi);
  convk_cells_pair_ p;
  p.hi = -root;
  p.lo = 0;
  return convk_cells_pair_of_(root, root > 0 ? convk_cells_add_(a, convk_cells_times_(p, root)).hi / (2 * root) : 0);
}

/* The scalar product of two vectors of three components. */
CONVK_RARE_ convk_cells_pair_ convk_cells_dot_(const convk_cells_pair_ *a, const convk_cells_pair_ *b) {
  return convk_cells_add_(convk_cells_add_(convk_cells_mul_(a[0], b[0]), convk_cells_mul_(a[1], b[1])),
                          convk_cells_mul_(a[2], b[2]));
}

/* The largest integer that is not larger; of sizes from 2^50 on just x. */
CONVK_LOCAL_ double convk_grids_floor_(double x) {
  const double whole = x < 1e15 && x > -1e15 ? (double)(int64_t)x : x;
  return whole > x ? whole - 1 : whole;
}

/* The angle less *times (hi + lo), where *times is the whole number that leaves the least. */
CONVK_RARE_ convk_cells_pair_ convk_cells_less_(convk_cells_pair_ angle, double hi, double lo, double *times) {
  convk_cells_pair_ part;
  part.hi = hi;
  part.lo = lo;
  *times = convk_grids_floor_(angle.hi / hi + 0.5);
  return convk_cells_add_(angle, convk_cells_times_(part, -*times));
}

/* The cosine and sine of an angle, to some 1e-16: quarters of a turn are taken off, and an eighth is left for the series. */
CONVK_RARE_ void convk_cells_phase_(convk_cells_pair_ angle, double *cosine, double *sine) {
  double n;
  angle = convk_cells_less_(angle, 1.5707963267948966, 6.123233995736766e-17, &n);
  convk_grids_circle_(angle.hi, (int)(n - 4 * convk_grids_floor_(n / 4)), cosine, sine);
}

/* Images n of a period, at z - n period for z of least .. most, that are nearer than `reach`: from *first to the result. */
CONVK_LOCAL_ double convk_cells_images_(double least, double greatest, double reach, double period, double *first) {
  double one, other;
  *first = 0;
  if (!(period < 0 || period > 0)) return 0;
  one = (least - reach) / period;
  other = (greatest + reach) / period;
  *first = convk_grids_floor_(one < other ? one : other);
  return convk_grids_floor_(one < other ? other : one) + 1;
}

/* How far 0 is from least .. most. */
CONVK_LOCAL_ double convk_cells_gap_(double least, double greatest) { return least > 0 ? least : greatest < 0 ? -greatest : 0; }

/* ---- the frame ---- */

/* The power of 2 that brings the largest |component| of v, not all 0, into 1 <= . < 2, so that squares neither overflow nor
   vanish.  Below 2^-1022 it is 2^1022, whose inverse is a normal number: then into 2^-52 <= . < 1. */
CONVK_RARE_ double convk_cells_scale_(const double v[3]) {
  double magnitude = 2.2250738585072014e-308; /* 2^-1022 */
  int k;
  for (k = 0; k < 3; k++) magnitude = v[k] > magnitude ? v[k] : -v[k] > magnitude ? -v[k] : magnitude;
  return convk_from_bits_((uint64_t)(2046 - (convk_to_bits_(magnitude) >> 52)) << 52);
}

/* Fills in the frame of a box whose steps are finite and not 0.  Works on steps that are scaled to lengths of about 1, so that
   none is too short or too long; refuses steps that lie along one line or in one plane. */
CONVK_RARE_ int convk_cells_frame_of_(char *message, const convk_gaussian_box *box, convk_cells_frame_ *to) {
  const double *const steps[3] = {box->step_x, box->step_y, box->step_z};
  convk_cells_pair_ v[3][3], size[3], along, (*const e)[3] = to->axis;
  double scale[3];
  int d, k;
  for (d = 0; d < 3; d++) {
    scale[d] = convk_cells_scale_(steps[d]);
    for (k = 0; k < 3; k++) v[d][k] = convk_cells_pair_of_(steps[d][k] * scale[d], 0);
    size[d] = convk_cells_root_(convk_cells_dot_(v[d], v[d]));
  }
  memset(to->step, 0, sizeof to->step);
  for (k = 0; k < 3; k++) e[0][k] = convk_cells_over_(v[0][k], size[0]);
  to->step[0][0] = size[0];
  along = convk_cells_dot_(e[0], v[1]);
  to->step[1][0] = along;
  for (k = 0; k < 3; k++) e[1][k] = convk_cells_add_(v[1][k], convk_cells_times_(convk_cells_mul_(e[0][k], along), -1));
  to->step[1][1] = convk_cells_root_(convk_cells_dot_(e[1], e[1]));
  if (!(to->step[1][1].hi > CONVK_CELLS_DEPENDENT_ * size[1].hi))
    return convk_refuse_names_(message, CONVK_ERR_OPTION, "$ and $ lie along one line", "box->step_x", "box->step_y");
  for (k = 0; k < 3; k++) e[1][k] = convk_cells_over_(e[1][k], to->step[1][1]);
  for (k = 0; k < 3; k++)
    e[2][k] = convk_cells_add_(convk_cells_mul_(e[0][(k + 1) % 3], e[1][(k + 2) % 3]),
                               convk_cells_times_(convk_cells_mul_(e[0][(k + 2) % 3], e[1][(k + 1) % 3]), -1));
  for (k = 0; k < 3; k++) to->step[2][k] = convk_cells_dot_(e[k], v[2]);
  if (!(to->step[2][2].hi > CONVK_CELLS_DEPENDENT_ * size[2].hi || -to->step[2][2].hi > CONVK_CELLS_DEPENDENT_ * size[2].hi)) {
    for (d = 0; d < 2; d++) { /* along one of the others, or in their plane */
      along = convk_cells_dot_(v[d], v[2]);
      along = convk_cells_add_(convk_cells_mul_(convk_cells_mul_(size[d], size[d]), convk_cells_mul_(size[2], size[2])),
                               convk_cells_times_(convk_cells_mul_(along, along), -1));
      if (!(along.hi > CONVK_CELLS_DEPENDENT_ * CONVK_CELLS_DEPENDENT_ * size[d].hi * size[d].hi * size[2].hi * size[2].hi))
        return convk_refuse_names_(message, CONVK_ERR_OPTION, "$ and $ lie along one line", d ? "box->step_y" : "box->step_x",
                                   "box->step_z");
    }
    return convk_refuse_names_(message, CONVK_ERR_OPTION, "$ lies in the plane of $ and box->step_y", "box->step_z",
                               "box->step_x");
  }
  for (d = 0; d < 3; d++)
    for (k = 0; k <= d; k++) {
      to->image[d][k] = convk_cells_over_(convk_cells_times_(to->step[d][k], box->period[d]), size[d]);
      to->step[d][k] = convk_cells_times_(to->step[d][k], 1 / scale[d]);
    }
  for (d = 0; d < 3; d++) to->size[d] = size[d].hi / scale[d];
  return CONVK_OK;
}

/* Turns functions of a shell into the frame: rows[f], coefficients of function f for monomials of degree l in x, y, z, become
   those for monomials in x', y', z'. */
CONVK_RARE_ void convk_cells_turn_(const convk_cells_frame_ *frame, int l, size_t functions, double rows[15][15]) {
  double turned[15][15];
  size_t f, i, c, n, at, k, columns = (size_t)((l + 1) * (l + 2) / 2);
  for (i = 0; i <= (size_t)l; i++)
    for (c = 0; c <= i; c++) { /* x^(l - i) y^(i - c) z^c, one factor after the other */
      double *const row = turned[i * (i + 1) / 2 + c], more[15];
      memset(row, 0, sizeof turned[0]);
      row[0] = 1;
      for (n = 0; n < (size_t)l; n++) {
        const size_t axis = n < (size_t)l - i ? 0 : n < (size_t)l - c ? 1 : 2;
        memset(more, 0, sizeof more);
        for (at = k = 0; k <= n; k++)
          for (f = 0; f <= k; f++, at++) {
            more[at] += frame->axis[0][axis].hi * row[at];
            more[at + k + 1] += frame->axis[1][axis].hi * row[at];
            more[at + k + 2] += frame->axis[2][axis].hi * row[at];
          }
        memcpy(row, more, sizeof more);
      }
    }
  for (f = 0; f < functions; f++) {
    double sum[15];
    memset(sum, 0, sizeof sum);
    for (i = 0; i < columns; i++)
      for (k = 0; k < columns; k++) sum[k] += rows[f][i] * turned[i][k];
    memcpy(rows[f], sum, sizeof sum);
  }
}
