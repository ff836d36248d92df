/* ---- numbers: one text for processors, OpenCL and CUDA, in doubles ----
   Written in words, each of which rounds once:
     NUMBER, NUMBER_APART        what begins a function
     TIMES, PLUS, OVER (a, b)    a b, a + b, a / b
     TIMES_PLUS(a, b, c)         a b + c, fused on CUDA
     SIXTH(x)                    x / 6, on CUDA times 1 / 6
     ROOT_OF, LOG_OF, EXP_OF(x)  the hardware's own functions
     FAR                         of pointers to the memory of a table */

#define CONVK_LN_2_ 0.6931471805599453

#ifndef CONVK_NUMBERS_ARE_FUSED_
/* Puts the exponent of an ordinary x > 0 aside: x = 2^k m becomes m, between 1 and 2, and k is added to *exponent. */
CONVK_NUMBER_ void convk_split_(double *x, double *exponent) {
  const uint64_t bits = convk_to_bits_(*x);
  *exponent += (double)((int)(bits >> 52) - 1023);
  *x = convk_from_bits_((bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1023 << 52);
}

/* ln(a / b 2^k) of a and b within [1, 2): 2 artanh s, s = (a - b) / (a + b), once a / b is between sqrt(1/2) and sqrt(2). */
CONVK_NUMBER_ double convk_log_ratio_(double a, double b, double k) {
  double s, z, sum = 0;
  int i;
  if (a > 1.4142135623730951 * b) {
    a *= 0.5;
    k += 1;
  } else if (b > 1.4142135623730951 * a) {
    b *= 0.5;
    k -= 1;
  }
  s = (a - b) / (a + b);
  z = s * s;
  CONVK_UNROLL_
  for (i = 21; i >= 3; i -= 2) sum = z * (sum + 1. / i);
  return k * CONVK_LN_2_HIGH_ + (k * CONVK_LN_2_LOW_ + (2 * s + 2 * s * sum));
}
#endif

/* V of a table at distance r: Lagrange's polynomial through the four nearest points.  Kernels of processors call it, so that it
   is not fused with what they do. */
CONVK_NUMBER_APART_ double convk_pairs_table_(const CONVK_NUMBER_FAR_ double *values, uint64_t entries, double first,
                                              double per_spacing, double r) {
  const double x = CONVK_TIMES_(CONVK_PLUS_(r, -first), per_spacing);
  const CONVK_NUMBER_FAR_ double *f;
  double t, t1, t2, t3, sum;
  uint64_t k;
  if (!CONVK_LESS_EQUAL_(x, (double)(entries - 1))) return 0; /* beyond, or not a number */
  if (x <= 0) return values[0];
  k = (uint64_t)x;
  k = k < 1 ? 0 : k > entries - 3 ? entries - 4 : k - 1;
  f = values + k;
  t = CONVK_PLUS_(x, -(double)k);
  t1 = CONVK_PLUS_(t, -1);
  t2 = CONVK_PLUS_(t, -2);
  t3 = CONVK_PLUS_(t, -3);
  sum = CONVK_TIMES_(CONVK_SIXTH_(CONVK_TIMES_(CONVK_TIMES_(t1, t2), t3)), -f[0]);
  sum = CONVK_TIMES_PLUS_(CONVK_TIMES_(CONVK_TIMES_(CONVK_TIMES_(t, t2), t3), 0.5), f[1], sum);
  sum = CONVK_TIMES_PLUS_(CONVK_TIMES_(CONVK_TIMES_(CONVK_TIMES_(t, t1), t3), -0.5), f[2], sum);
  return CONVK_TIMES_PLUS_(CONVK_SIXTH_(CONVK_TIMES_(CONVK_TIMES_(t, t1), t2)), f[3], sum);
}

/* ---- random numbers ---- */

/* Philox4x32-10 of the counter c, in its place. */
CONVK_NUMBER_ void convk_philox_(uint32_t *c, uint32_t k0, uint32_t k1) {
  int i;
  CONVK_EACH_(i, 10) {
    const uint64_t a = (uint64_t)0xD2511F53u * c[0], b = (uint64_t)0xCD9E8D57u * c[2];
    c[0] = (uint32_t)(b >> 32) ^ c[1] ^ k0;
    c[2] = (uint32_t)(a >> 32) ^ c[3] ^ k1;
    c[1] = (uint32_t)b;
    c[3] = (uint32_t)a;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
}

/* What random numbers are for: the top byte of the counter's last word, whose rest belongs to the sweep's number. */
#define CONVK_RANDOM_MOVE_ 0
#define CONVK_RANDOM_ACCEPT_ 1
#define CONVK_RANDOM_START_ 2
#define CONVK_RANDOM_NORMAL_ 16

/* Four numbers between 0 and 1, neither included. */
CONVK_NUMBER_ void convk_random_(uint64_t seed, uint64_t sweep, uint64_t particle, uint64_t walker, uint32_t purpose,
                                 double *u) {
  uint32_t c[4];
  int i;
  c[0] = (uint32_t)sweep;
  c[1] = (uint32_t)particle;
  c[2] = (uint32_t)walker;
  c[3] = ((uint32_t)(sweep >> 32) & 0xffffffu) | purpose << 24;
  convk_philox_(c, (uint32_t)seed, (uint32_t)(seed >> 32));
  CONVK_EACH_(i, 4) u[i] = CONVK_TIMES_(CONVK_PLUS_((double)c[i], 0.5), 1. / 4294967296.);
}

/* Three normal deviates, by the polar method: pairs within the unit circle, until there are two.  0 once in 10^80. */
CONVK_NUMBER_ void convk_normal_(uint64_t seed, uint64_t sweep, uint64_t particle, uint64_t walker, double *normal) {
  uint32_t attempt;
  int i, have = 0;
  normal[0] = normal[1] = normal[2] = 0;
  CONVK_ROLLED_
  for (attempt = 0; have < 3 && attempt < 128; attempt++) {
    double u[4];
    convk_random_(seed, sweep, particle, walker, CONVK_RANDOM_NORMAL_ + attempt, u);
    CONVK_UNROLL_
    for (i = 0; i < 4; i += 2) {
      const double x = CONVK_PLUS_(CONVK_TIMES_(2, u[i]), -1), y = CONVK_PLUS_(CONVK_TIMES_(2, u[i + 1]), -1);
      const double s = CONVK_PLUS_(CONVK_TIMES_(x, x), CONVK_TIMES_(y, y));
      double scale;
      if (s >= 1 || have == 3) continue;
      scale = CONVK_ROOT_OF_(CONVK_OVER_(CONVK_TIMES_(-2, CONVK_LOG_OF_(s)), s));
      if (have) {
        normal[2] = CONVK_TIMES_(x, scale);
        have = 3;
      } else {
        normal[0] = CONVK_TIMES_(x, scale);
        normal[1] = CONVK_TIMES_(y, scale);
        have = 2;
      }
    }
  }
}

/* ---- moves ---- */

/* The mean of a move with drift: the force, shortened where it is strong. */
CONVK_NUMBER_ void convk_vmc_drift_(double step, const double *force, double *drift) {
  const double step2 = CONVK_TIMES_(step, step);
  const double x = CONVK_TIMES_(force[0], force[0]), y = CONVK_TIMES_(force[1], force[1]), z = CONVK_TIMES_(force[2], force[2]);
  const double square = CONVK_TIMES_(step2, CONVK_PLUS_(CONVK_PLUS_(x, y), z));
  int d;
  CONVK_EACH_(d, 3) drift[d] = CONVK_OVER_(CONVK_TIMES_(step2, force[d]), CONVK_PLUS_(1, CONVK_TIMES_(0.25, square)));
}

/* A move, of normal deviates where it `drifts` with a force, or else of numbers between 0 and 1. */
CONVK_NUMBER_ void convk_vmc_move_(int drifts, double step, const double *force, const double *number, double *move) {
  int d;
  if (drifts) {
    convk_vmc_drift_(step, force, move);
    CONVK_EACH_(d, 3) move[d] = CONVK_PLUS_(move[d], CONVK_TIMES_(step, number[d]));
  } else {
    CONVK_EACH_(d, 3) move[d] = CONVK_TIMES_(step, CONVK_PLUS_(CONVK_TIMES_(2, number[d]), -1));
  }
}

/* ln of the chance of the way back over that of the way there, of one particle. */
CONVK_NUMBER_ double convk_vmc_return_(double step, const double *way, const double *before, const double *after) {
  double forward[3], back[3], sum = 0;
  int d;
  convk_vmc_drift_(step, before, forward);
  convk_vmc_drift_(step, after, back);
  CONVK_EACH_(d, 3) {
    const double a = CONVK_PLUS_(way[d], -forward[d]), b = CONVK_PLUS_(-way[d], -back[d]);
    sum = CONVK_PLUS_(sum, CONVK_PLUS_(CONVK_TIMES_(a, a), -CONVK_TIMES_(b, b)));
  }
  return CONVK_OVER_(sum, CONVK_TIMES_(CONVK_TIMES_(2, step), step));
}

/* Whether a move is accepted; chance: the logarithm of its probability. */
CONVK_NUMBER_ int convk_vmc_accepts_(double chance, double u) { return chance >= 0 || u < CONVK_EXP_OF_(chance); }

/* A coordinate within its period. */
CONVK_NUMBER_ double convk_vmc_inside_(double x, double period) {
  double cell = (double)(int64_t)CONVK_OVER_(x, period);
  if (CONVK_TIMES_(cell, period) > x) cell -= 1;
  return CONVK_PLUS_(x, -CONVK_TIMES_(cell, period));
}

/* What is subtracted of the coordinates of a cluster that has drifted off, by their mean: whole steps, as digits stay. */
CONVK_NUMBER_ double convk_vmc_off_(double mean) { return mean > -16 && mean < 16 ? 0 : (double)(int64_t)(mean * 0.0625) * 16; }

/* ---- results ---- */

/* What sums s over all pairs mean, as the numbers of convk_pair_result.  p, edge: parameters, and derivatives of u at the
   cutoff; log: ln of the product of all r^2; squares: of the gradient.  The laplacian without its factor is given. */
CONVK_NUMBER_ void convk_pairs_meaning_(const double *p, const double *edge, double hbar2_2m, int want, const double *s,
                                        double log, double laplacian, double squares, double *result) {
  int k;
  CONVK_EACH_(k, 9) result[k] = 0;
  if (want & CONVK_PAIR_LN_PSI) {
    result[5] = -s[0];
    result[6] = -s[1];
    result[7] = -0.5 * log;
    result[8] = -s[2];
    CONVK_EACH_(k, 4) {
      result[5 + k] = CONVK_TIMES_PLUS_(-edge[k], s[7], result[5 + k]);
      result[0] = CONVK_TIMES_PLUS_(p[k], result[5 + k], result[0]);
    }
  }
  if (want & CONVK_PAIR_POTENTIAL_ENERGY) result[1] = s[6];
  if (want & CONVK_PAIR_GRADIENT) result[2] = squares;
  if (want & CONVK_PAIR_LAPLACIAN) result[3] = -2 * laplacian;
  if ((want & CONVK_PAIR_KINETIC) == CONVK_PAIR_KINETIC) result[4] = CONVK_TIMES_(-hbar2_2m, CONVK_PLUS_(result[3], result[2]));
}
