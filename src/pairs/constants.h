/* The constants of a system, in the type of the pair terms. */
typedef struct convk_pairs_terms_ {
  int periodic, kind, bump; /* kind: of the potential near by, 0 where powers of 1 / r are all of it */
  CONVK_T period[3], inverse[3];
  CONVK_T limit;         /* square of the cutoff, or beyond every distance */
  CONVK_T w[4];          /* u' / r = s (s (w[0] / r^3 + w[1]) + w[2]) - w[3] / r with s = 1 / r^2: 5 p5, 2 p2, -p0, p1 */
  CONVK_T distant[4];    /* V = s^3 (distant[0] + s distant[1] + ...) */
  CONVK_T near_by, damp; /* squares of the distances below which there is more, and of d */
  CONVK_T per_rm, a, alpha, beta, d;
  CONVK_T bump_height, bump_middle, bump_scale;
  const double *values;
  size_t entries;
  double first, per_spacing;
  double p[4], shift, hbar2_2m; /* shift: u at the cutoff */
  int counts;                   /* whether there is a cutoff */
  double edge[4];               /* derivatives of the shift by p */
} convk_pairs_terms_;
