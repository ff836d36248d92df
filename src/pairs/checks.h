/* ---- checks of arguments ---- */

/* What a check may look at.  Calls on OpenCL buffers have no addresses, and of those on CUDA's device arrays only the addresses
   are known. */
enum {
  CONVK_PAIR_ADDRESSES_ = 1, /* of arrays: whether they are there, and overlap */
  CONVK_PAIR_TABLE_ = 2,     /* the values of a potential */
  CONVK_PAIR_DATA_ = 4,      /* coordinates */
  CONVK_PAIR_HOST_ = 7
};

CONVK_RARE_ int convk_finite_all_(const double *x, size_t n) {
  while (n--)
    if (!convk_finite_f64_(x[n])) return 0;
  return 1;
}

CONVK_RARE_ int convk_pair_potential_check_(const convk_pair_potential *p, int see) {
  const double hfd[9] = {p->epsilon, p->rm, p->a, p->alpha, p->beta, p->c6, p->c8, p->c10, p->d};
  if (p->kind < CONVK_POTENTIAL_NONE || p->kind > CONVK_POTENTIAL_TABLE) return CONVK_ERR_OPTION;
  if (p->kind == CONVK_POTENTIAL_NONE) return CONVK_OK;
  if (p->kind == CONVK_POTENTIAL_TABLE) {
    if (!p->values) return CONVK_ERR_NULL;
    if (!convk_finite_f64_(p->first) || !convk_finite_f64_(p->spacing)) return CONVK_ERR_NONFINITE;
    if (p->entries < 4 || p->entries > (size_t)1 << 30 || p->first < 0 || !(p->spacing > 0)) return CONVK_ERR_POTENTIAL;
    return !(see & CONVK_PAIR_TABLE_) || convk_finite_all_(p->values, p->entries) ? CONVK_OK : CONVK_ERR_NONFINITE;
  }
  if (!convk_finite_all_(hfd, p->kind == CONVK_POTENTIAL_HFD ? 9 : 2)) return CONVK_ERR_NONFINITE;
  if (!(p->epsilon > 0) || !(p->rm > 0)) return CONVK_ERR_POTENTIAL;
  if (p->kind == CONVK_POTENTIAL_LENNARD_JONES) return CONVK_OK;
  if (!(p->a > 0) || !(p->alpha > 0) || p->beta > 0 || !(p->c6 > 0) || p->d < 0) return CONVK_ERR_POTENTIAL;
  if (!convk_finite_f64_(p->bump)) return CONVK_ERR_NONFINITE;
  if (p->bump > 0 || p->bump < 0) {
    if (!convk_finite_f64_(p->x1) || !convk_finite_f64_(p->x2)) return CONVK_ERR_NONFINITE;
    if (!(p->x1 > 0) || !(p->x2 > p->x1)) return CONVK_ERR_POTENTIAL;
  }
  return CONVK_OK;
}

/* Where the repulsion of an HFD potential has fallen below an ulp of its c6 term, in units of rm, or a little further: Newton's
   method comes from the right, since the logarithm of their ratio is concave. */
CONVK_RARE_ double convk_hfd_reach_(const convk_pair_potential *p, int digits) {
  const double least = convk_log_(p->c6 / p->a) - (digits + 1) * CONVK_LN_2_;
  double x = ((least < 0 ? -2 * least : 0) + 12) / p->alpha, f = x * (p->beta * x - p->alpha) + 6 * convk_log_(x) - least;
  int i;
  for (i = 0; i < 64 && x < 1e150 && f >= 0; i++) {
    x *= 2;
    f = x * (p->beta * x - p->alpha) + 6 * convk_log_(x) - least;
  }
  for (i = 0; i < 6; i++) {
    const double next = x - f / (2 * p->beta * x - p->alpha + 6 / x);
    const int enough = x - next < 1e-4 * x; /* the next step is of its square */
    if (!(f < 0 && next > 0)) break;        /* below 0: the repulsion is less than that everywhere */
    x = next;
    if (enough) break;
    f = x * (p->beta * x - p->alpha) + 6 * convk_log_(x) - least;
  }
  return x;
}

/* What zeros of a checked system stand for. */
CONVK_RARE_ double convk_pair_cutoff_(const convk_pair_system *system) {
  const double *b = system->box, edge = b[0] < b[1] ? b[0] : b[1], least = edge < b[2] ? edge : b[2];
  return system->cutoff > 0 ? system->cutoff : least > 0 ? 0.5 * least : 0;
}
CONVK_LOCAL_ double convk_pair_hbar2_2m_(const convk_pair_system *system) {
  return system->hbar2_2m > 0 ? system->hbar2_2m : 6.059648; /* helium-4, in K A^2 */
}

/* The parameters of the trial function p5, p2, p0, p1, in this order. */
CONVK_LOCAL_ void convk_trial_parameters_(const convk_pair_trial *t, double p[4]) {
  p[0] = t->p5;
  p[1] = t->p2;
  p[2] = t->p0;
  p[3] = t->p1;
}

CONVK_RARE_ int convk_pair_system_check_(const convk_pair_system *system, int see) {
  double p[4], edge = 0;
  int d, periods = 0;
  if (!system->particles) return CONVK_ERR_SIZE;
  if (system->particles < 2) return CONVK_ERR_PARTICLES;
  if (system->particles > (size_t)1 << 30) return CONVK_ERR_OVERFLOW;
  convk_trial_parameters_(&system->trial, p);
  if (!convk_finite_all_(p, 4) || !convk_finite_all_(system->box, 3) || !convk_finite_f64_(system->cutoff) ||
      !convk_finite_f64_(system->hbar2_2m))
    return CONVK_ERR_NONFINITE;
  for (d = 0; d < 3; d++)
    if (system->box[d] > 0 || system->box[d] < 0) {
      edge = periods && edge < system->box[d] ? edge : system->box[d];
      periods++;
    }
  if (periods && (periods < 3 || edge < 4. / 256)) return CONVK_ERR_BOX; /* both ends of a pair at the least distance */
  if (system->cutoff < 0 || system->hbar2_2m < 0) return CONVK_ERR_OPTION;
  if ((periods && system->cutoff > 0.5 * edge) || (system->cutoff > 0 && system->cutoff < 2. / 256)) return CONVK_ERR_BOX;
  return convk_pair_potential_check_(&system->potential, see);
}

/* Walkers with what zeros stand for. */
CONVK_RARE_ int convk_walkers_check_(const convk_pair_walkers *in, size_t particles, size_t element, convk_pair_walkers *full) {
  size_t all, bytes;
  *full = *in;
  if (!full->pitch) full->pitch = particles;
  if (full->pitch < particles) return CONVK_ERR_PITCH;
  if (full->pitch > (size_t)-1 / 64) return CONVK_ERR_OVERFLOW;
  if (!full->stride) full->stride = 3 * full->pitch;
  if (full->stride < 2 * full->pitch + particles && full->walkers > 1) return CONVK_ERR_PITCH;
  return full->walkers &&
                 (convk_mul_(full->walkers, full->stride, &all) || convk_mul_(all, element, &bytes) || bytes > (size_t)-1 / 4)
             ? CONVK_ERR_OVERFLOW
             : CONVK_OK;
}

/* Elements from the first to the last that checked walkers describe. */
CONVK_LOCAL_ size_t convk_walkers_span_(const convk_pair_walkers *full, size_t particles) {
  return full->walkers ? (full->walkers - 1) * full->stride + 2 * full->pitch + particles : 0;
}

CONVK_LOCAL_ convk_pair_walkers convk_walkers_packed_(size_t walkers, size_t particles) {
  convk_pair_walkers packed;
  packed.walkers = walkers;
  packed.pitch = particles;
  packed.stride = 3 * particles;
  return packed;
}

/* Walkers of a part. */
CONVK_LOCAL_ size_t convk_vmc_here_(const convk_vmc *v) {
  return v->part.join || v->part.walkers ? v->part.walkers : v->walkers;
}

CONVK_RARE_ int convk_vmc_check_(const convk_vmc *v, int see) {
  int status;
  if (!v) return CONVK_ERR_NULL;
  status = convk_pair_system_check_(&v->system, see);
  if (status) return status;
  if (!v->walkers) return CONVK_ERR_SIZE;
  if (v->walkers > (size_t)1 << 30) return CONVK_ERR_OVERFLOW;
  if ((v->moves != CONVK_VMC_MOVE_SINGLE && v->moves != CONVK_VMC_MOVE_ALL) || (v->drift != 0 && v->drift != 1))
    return CONVK_ERR_OPTION;
  if (!convk_finite_f64_(v->step) || !convk_finite_f64_(v->acceptance)) return CONVK_ERR_NONFINITE;
  if (v->step < 0 || v->acceptance >= 1) return CONVK_ERR_OPTION;
  if (v->part.first > v->walkers || convk_vmc_here_(v) > v->walkers - v->part.first) return CONVK_ERR_PART;
  return v->part.join || convk_vmc_here_(v) == v->walkers ? CONVK_OK : CONVK_ERR_PART;
}
