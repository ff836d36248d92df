/* ---- directions, of either precision ---- */

/* Of Gauss and Legendre's rule of n nodes in -1 .. 1, node k from the largest one down as 1 - node, and its weight; all weights
   sum to 2.  Newton's steps on P_n from Tricomi's estimate; P_n by its differences, which keep their digits near 1 where
   1 - x has all. */
CONVK_RARE_ void convk_gauss_node_(size_t n, size_t k, double *below_one, double *weight) {
  double t = 1, slope = 1, cosine, sine; /* 1 - x, P_n' */
  size_t j;
  int step;
  if (2 * k + 1 != n) {
    convk_turn_(4 * k + 3, 16 * (uint64_t)n + 8, &cosine, &sine);
    t = 2 * sine * sine;
  }
  for (step = 0; step < 5; step++) { /* errors of 1 / n^2, then their squares */
    double p = 1, d = 0;
    for (j = 1; j <= n; j++) {
      d = ((double)(j - 1) * d - (double)(2 * j - 1) * t * p) / (double)j;
      p += d;
    }
    slope = (double)n * (t * p - d) / (t * (2 - t)); /* n (P_(n-1) - x P_n) / (1 - x^2) */
    if (2 * k + 1 != n) t += p / slope;
  }
  *below_one = t;
  *weight = 2 / (t * (2 - t) * slope * slope);
}

/* How many rings of a rule of a degree have a place: those at z >= 0 of a half. */
CONVK_LOCAL_ size_t convk_sphere_rings_(size_t degree, int half) {
  const size_t n = degree / 2 + 1;
  return half ? (n + 1) / 2 : n;
}

/* What is wrong with a rule, and its number of directions. */
CONVK_LOCAL_ int convk_sphere_count_(char *message, size_t degree, int half, size_t *count) {
  if (half & ~1) return convk_refuse_at_(message, CONVK_ERR_OPTION, "half is %, neither 0 nor 1", half, 0, 0);
  if (degree > CONVK_SPHERE_DEGREE_)
    return convk_refuse_at_(message, CONVK_ERR_OVERFLOW, "degree is %, more than %", (int64_t)degree,
                            (int64_t)CONVK_SPHERE_DEGREE_, 0);
  *count = convk_sphere_rings_(degree, half) * (degree + 1);
  return CONVK_OK;
}

CONVK_API_ int convk_sphere_directions(convk *hw, size_t degree, int half, size_t *directions) {
  const int status = convk_formfactor_begin_(hw);
  if (status) return status;
  if (!directions) return convk_refuse_(convk_formfactor_message_(hw), CONVK_ERR_NULL, "directions is NULL");
  return convk_sphere_count_(convk_formfactor_message_(hw), degree, half, directions);
}
