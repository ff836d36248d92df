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

/* The mean, and its error at the least block size B for which B^3 > 2 n (error_B / error_1)^4 (H. Flyvbjerg, H. G. Petersen,
   J. Chem. Phys. 91, 461, 1989; R. M. Lee et al., Phys. Rev. E 83, 066706, 2011). */
CONVK_RARE_ convk_vmc_estimate convk_blocking_estimate_(const convk_blocking_ *b, uint64_t n) {
  convk_vmc_estimate e;
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

/* The square of an upper estimate of the error, which is there for few measurements, too: the largest of the estimates that
   take eight blocks or more. */
CONVK_RARE_ double convk_vmc_scatter_(const convk_blocking_ *b, uint64_t n) {
  double max_square = 0;
  int level;
  for (level = 0; level < CONVK_VMC_LEVELS_ && (!level || n >> level >= 8); level++) {
    const double blocks = (double)(n >> level), mean = b->sum[level] / blocks;
    const double square = (b->square[level] / blocks - mean * mean) / (blocks > 1 ? blocks - 1 : 1);
    if (square > max_square) max_square = square;
  }
  return max_square;
}

/* Whether a sweep ends with a measurement. */
CONVK_LOCAL_ int convk_vmc_measures_(const convk_vmc *v, uint64_t sweep) {
  return sweep >= v->equilibration && (sweep + 1 - v->equilibration) % (v->interval ? v->interval : 1) == 0;
}

/* The series that a walker adds to. */
CONVK_RARE_ void convk_vmc_series_(const convk_pair_result *r, double hbar2_2m, double value[CONVK_VMC_SERIES_]) {
  value[0] = r->kinetic + r->potential;
  value[1] = r->potential;
  value[2] = r->kinetic;
  value[3] = hbar2_2m * r->gradient_squared;
  value[4] = -0.5 * hbar2_2m * r->laplacian;
}

/* All that a walker adds to sums over walkers: series, their squares about the shifts, and what the minimiser wants.
   kink: there is a cutoff, where the slope of ln Psi jumps; derivatives of the energy are then those of potential +
   kinetic_gradient. */
CONVK_RARE_ void convk_vmc_leaf_(const convk_pair_result *r, double hbar2_2m, int kink, const double *shift, double *v) {
  const double *d = r->derivative;
  double energy;
  int i, j, k;
  convk_vmc_series_(r, hbar2_2m, v);
  energy = r->potential + (kink ? v[3] : r->kinetic);
  for (i = 0; i < CONVK_VMC_SERIES_; i++) v[CONVK_VMC_SERIES_ + i] = (v[i] - shift[i]) * (v[i] - shift[i]);
  v += 2 * CONVK_VMC_SERIES_;
  v[0] = energy;
  for (i = 0, k = 13; i < 4; i++) {
    v[1 + i] = d[i];
    v[5 + i] = energy * d[i];
    v[9 + i] = r->kinetic * d[i];
    for (j = 0; j <= i; j++, k++) v[k] = d[i] * d[j];
  }
}

/* One measurement of all walkers, whose sums are given. */
CONVK_RARE_ void convk_vmc_absorb_(convk_vmc_state_ *s, const double *v) {
  const double walkers = (double)s->walkers;
  int i;
  for (i = 0; i < CONVK_VMC_SERIES_; i++)
    convk_blocking_add_(&s->series[i], s->measured, v[i] / walkers, v[CONVK_VMC_SERIES_ + i] / walkers);
  v += 2 * CONVK_VMC_SERIES_;
  s->energies += v[0] / walkers;
  for (i = 0; i < 4; i++) {
    s->derivative[i] += v[1 + i] / walkers;
    s->energy_derivative[i] += v[5 + i] / walkers;
    s->kinetic_derivative[i] += v[9 + i] / walkers;
  }
  for (i = 0; i < 10; i++) s->overlap[i] += v[13 + i] / walkers;
  s->looked++;
  s->measured++;
}
