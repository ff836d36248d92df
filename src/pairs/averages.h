/* ---- averages ---- */

CONVK_RARE_ void convk_blocking_add_(convk_blocking_ *b, uint64_t count, double x, double spread) {
  int level;
  if (!count) b->shift = x;
  b->spread += spread;
  x -= b->shift;
  for (level = 0; level < CONVK_VMC_LEVELS_; level++, count >>= 1) {
    b->sum[level] += x;
    b->square[level] += x * x;
    if (!(count & 1)) {
      b->pending[level] = x;
      return;
    }
    x = 0.5 * (x + b->pending[level]);
  }
}

/* The mean, and its error at the least block size B for which B^3 > 2 n (error_B / error_1)^4 (H. Flyvbjerg, H. G. Petersen, J. Chem.
   Phys. 91, 461, 1989; R. M. Lee et al., Phys. Rev. E 83, 066706, 2011). */
CONVK_RARE_ convk_estimate convk_blocking_estimate_(const convk_blocking_ *b, uint64_t n) {
  convk_estimate e;
  double first = 0, size = 1;
  int level;
  const uint64_t infinite = UINT64_C(0x7ff0000000000000);
  memset(&e, 0, sizeof e);
  memcpy(&e.error, &infinite, sizeof e.error);
  if (!n) return e;
  e.mean = b->sum[0] / (double)n;
  e.variance = b->spread / (double)n - e.mean * e.mean;
  if (e.variance < 0) e.variance = 0;
  for (level = 0; level < CONVK_VMC_LEVELS_ && n >> level >= 8; level++, size *= 2) {
    const double blocks = (double)(n >> level), mean = b->sum[level] / blocks;
    double square = (b->square[level] / blocks - mean * mean) / (blocks - 1), ratio;
    if (square < 0) square = 0;
    if (!level) first = square;
    ratio = first > 0 ? square / first : 1;
    if (size * size * size > 2 * (double)n * ratio * ratio) {
      e.error = convk_sqrt_(square);
      e.autocorrelation = 0.5 * ratio;
      e.block = size;
      break;
    }
  }
  e.mean += b->shift;
  return e;
}

/* The square of an error to be afraid of, also where there is too little to tell: the largest of those from eight blocks or
   more. */
CONVK_RARE_ double convk_vmc_scatter_(const convk_blocking_ *b, uint64_t n) {
  double most = 0;
  int level;
  for (level = 0; level < CONVK_VMC_LEVELS_ && (!level || n >> level >= 8); level++) {
    const double blocks = (double)(n >> level), mean = b->sum[level] / blocks;
    const double square = (b->square[level] / blocks - mean * mean) / (blocks > 1 ? blocks - 1 : 1);
    if (square > most) most = square;
  }
  return most;
}

/* Whether a sweep ends with a measurement. */
CONVK_LOCAL_ int convk_vmc_measures_(const convk_vmc *v, uint64_t sweep) {
  return sweep >= v->equilibration && (sweep + 1 - v->equilibration) % (v->interval ? v->interval : 1) == 0;
}

/* One measurement of all walkers.  kink: there is a cutoff, where the slope of ln Psi jumps; derivatives of the energy are
   then those of potential + kinetic_gradient. */
CONVK_RARE_ void convk_vmc_absorb_(convk_vmc_state_ *s, const convk_pair_result *r, size_t walkers, double hbar2_2m, int kink) {
  const double share = 1 / (double)walkers;
  double mean[CONVK_VMC_SERIES_] = {0, 0, 0, 0, 0}, spread[CONVK_VMC_SERIES_] = {0, 0, 0, 0, 0};
  size_t w;
  int i, j, k, pass;
  for (pass = 0; pass < 2; pass++)
    for (w = 0; w < walkers; w++) {
      const double value[CONVK_VMC_SERIES_] = {r[w].kinetic + r[w].potential, r[w].potential, r[w].kinetic,
                                               hbar2_2m * r[w].gradient_squared, -0.5 * hbar2_2m * r[w].laplacian};
      for (i = 0; i < CONVK_VMC_SERIES_; i++) {
        const double x = value[i] - (s->measured ? s->series[i].shift : mean[i]);
        if (pass) spread[i] += x * x * share;
        else mean[i] += value[i] * share;
      }
    }
  for (w = 0; w < walkers; w++) {
    const double energy = r[w].potential + (kink ? hbar2_2m * r[w].gradient_squared : r[w].kinetic), *d = r[w].derivative;
    s->energies += energy * share;
    for (i = 0, k = 0; i < 4; i++) {
      s->derivative[i] += d[i] * share;
      s->energy_derivative[i] += energy * d[i] * share;
      s->kinetic_derivative[i] += r[w].kinetic * d[i] * share;
      for (j = 0; j <= i; j++, k++) s->overlap[k] += d[i] * d[j] * share;
    }
  }
  s->looked++;
  for (i = 0; i < CONVK_VMC_SERIES_; i++) convk_blocking_add_(&s->series[i], s->measured, mean[i], spread[i]);
  s->measured++;
}
