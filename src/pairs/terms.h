/* ---- the terms of a system, and the checks of its walkers ---- */

#define CONVK_PAIR_BIG_ CONVK_OF_(1.099511627776e12, 1.2676506002282294e30) /* beyond every square of a distance */
#define CONVK_PAIR_FAR_ CONVK_OF_(16384, 268435456)                         /* coordinates, at most */

/* The terms of a checked potential, for what is wanted; far_by: of its powers of 1 / r. */
CONVK_RARE_ void convk_pair_terms_of_potential_(const convk_pair_potential *v, int want, convk_pair_terms_ *c,
                                                double far_by[4]) {
  const double rm2 = v->rm * v->rm, rm6 = rm2 * rm2 * rm2;
  double near_by = 0;
  if (v->kind == CONVK_POTENTIAL_LENNARD_JONES) {
    far_by[0] = -4 * v->epsilon * rm6;
    far_by[3] = 4 * v->epsilon * rm6 * rm6;
  } else if (v->kind == CONVK_POTENTIAL_HFD) {
    far_by[0] = -v->epsilon * v->c6 * rm6;
    far_by[1] = -v->epsilon * v->c8 * rm6 * rm2;
    far_by[2] = -v->epsilon * v->c10 * rm6 * rm2 * rm2;
    near_by = want & CONVK_PAIR_POTENTIAL_ENERGY ? convk_hfd_reach_(v, CONVK_EITHER_(24, 53)) : 0;
    if (near_by < v->d) near_by = v->d;
    c->bump = v->bump > 0 || v->bump < 0;
    if (c->bump) {
      if (near_by < v->x2) near_by = v->x2;
      c->bump_height = (CONVK_T)(2 * v->epsilon * v->bump);
      c->bump_middle = (CONVK_T)(0.5 * (v->x1 + v->x2));
      c->bump_scale = (CONVK_T)(1 / (v->x2 - v->x1));
    }
    near_by *= v->rm;
    c->kind = v->kind;
    c->per_rm = (CONVK_T)(1 / v->rm);
    c->a = (CONVK_T)(v->epsilon * v->a);
    c->alpha = (CONVK_T)v->alpha;
    c->beta = (CONVK_T)v->beta;
    c->d = (CONVK_T)(v->d * v->rm);
    c->damp = (CONVK_T)(v->d * v->rm * v->d * v->rm);
  } else if (v->kind == CONVK_POTENTIAL_TABLE) {
    near_by = v->first + (double)(v->entries - 1) * v->spacing;
    c->kind = v->kind;
    c->values = v->values;
    c->entries = v->entries;
    c->first = v->first;
    c->per_spacing = 1 / v->spacing;
  }
  c->near_by = (CONVK_T)(near_by * near_by);
}

/* The terms of a checked system, for what is wanted; RANGE where a constant does not fit the type. */
CONVK_RARE_ int convk_pair_terms_of_(const convk_pair_system *system, int want, convk_pair_terms_ *c) {
  static const double factor[4] = {5, 2, -1, 1}; /* of the terms of u' / r */
  /* At r = 1 / 256 they are these times 256^7, 256^4, 256^2 and 256, those of V from 256^6 on; with room for 64 of them. */
  static const double least[4] = {72057594037927936. * 64, 4294967296. * 64, 65536. * 64, 256. * 64};
  const double cutoff = convk_pair_cutoff_(system);
  double far_by[4] = {0, 0, 0, 0}, power = 2.81474976710656e14 * 64;
  CONVK_T all[32]; /* looked at in the type itself: gcc 12 may take a conversion to it and back for nothing */
  int d, n = 0, good;
  memset(c, 0, sizeof *c);
  convk_trial_parameters_(&system->trial, c->p);
  convk_pair_terms_of_potential_(&system->potential, want, c, far_by);
  c->hbar2_2m = convk_pair_hbar2_2m_(system);
  c->periodic = system->box[0] > 0;
  c->limit = cutoff > 0 ? (CONVK_T)(cutoff * cutoff) : CONVK_PAIR_BIG_;
  if (c->limit > CONVK_PAIR_BIG_) c->limit = CONVK_PAIR_BIG_;
  if (cutoff > 0) {
    const double r2 = cutoff * cutoff;
    c->counts = 1;
    c->edge[0] = -1 / (r2 * r2 * cutoff);
    c->edge[1] = -1 / r2;
    c->edge[2] = -convk_log_(cutoff);
    c->edge[3] = -cutoff;
    for (d = 0; d < 4; d++) c->shift += c->p[d] * c->edge[d];
  }
  for (d = 0; d < 3; d++) {
    all[n++] = c->period[d] = (CONVK_T)system->box[d];
    all[n++] = c->inverse[d] = c->periodic ? (CONVK_T)(1 / system->box[d]) : 0;
  }
  for (d = 0; d < 4; d++, power *= 65536) { /* so that particles on each other stay finite */
    all[n++] = c->w[d] = (CONVK_T)(factor[d] * c->p[d]);
    all[n++] = (CONVK_T)(factor[d] * c->p[d] * least[d]);
    all[n++] = c->distant[d] = (CONVK_T)far_by[d];
    all[n++] = (CONVK_T)(far_by[d] * power);
  }
  all[n++] = c->near_by;
  all[n++] = c->a;
  all[n++] = c->per_rm;
  all[n++] = c->bump_scale;
  good = convk_finite_f64_(c->per_spacing) && convk_finite_f64_(c->shift);
  while (n--) good &= convk_finite_(all[n]);
  return good ? CONVK_OK : CONVK_ERR_RANGE;
}

/* Coordinates of walkers that are to be finite, and within range. */
CONVK_RARE_ int convk_pair_coordinates_(const convk_pair_walkers *full, size_t n, const CONVK_T *r) {
  size_t w, i;
  int d, status = CONVK_OK;
  for (w = 0; w < full->walkers; w++)
    for (d = 0; d < 3; d++) {
      const convk_any_ *x = (const convk_any_ *)(r + w * full->stride + (size_t)d * full->pitch);
      for (i = 0; i < n; i++)
        if (!(x[i] <= CONVK_PAIR_FAR_ && x[i] >= -CONVK_PAIR_FAR_)) {
          if (!convk_finite_(x[i])) return CONVK_ERR_COORDINATE;
          status = CONVK_ERR_RANGE;
        }
    }
  return status;
}

/* A system and its walkers. */
CONVK_RARE_ int convk_pair_check_(const convk_pair_system *system, const convk_pair_walkers *walkers, int want, int see,
                                  const CONVK_T *r, convk_pair_terms_ *terms, convk_pair_walkers *full) {
  int status;
  if (!system || !walkers || ((see & CONVK_PAIR_ADDRESSES_) && walkers->walkers && !r)) return CONVK_ERR_NULL;
  status = convk_pair_system_check_(system, see);
  if (!status) status = convk_walkers_check_(walkers, system->particles, sizeof(CONVK_T), full);
  return status ? status : convk_pair_terms_of_(system, want, terms);
}

/* Everything that can be wrong with a call, found before anything is written: with pair_energy. */
CONVK_RARE_ int convk_pair_energy_check_(const convk_pair_system *system, const convk_pair_walkers *walkers, int want, int see,
                                         const CONVK_T *r, const convk_pair_result *result, const CONVK_T *gradient,
                                         convk_pair_terms_ *terms, convk_pair_walkers *full) {
  size_t span, bytes = 0;
  const int status = convk_pair_check_(system, walkers, want ? want : CONVK_PAIR_ALL, see, r, terms, full);
  if (status) return status;
  if (want & ~CONVK_PAIR_ALL) return CONVK_ERR_OPTION;
  if (!full->walkers || !(see & CONVK_PAIR_ADDRESSES_)) return CONVK_OK;
  if (!result) return CONVK_ERR_NULL;
  if (convk_mul_(full->walkers, sizeof *result, &bytes)) return CONVK_ERR_OVERFLOW;
  span = convk_walkers_span_(full, system->particles) * sizeof *r;
  if (convk_overlap_(r, span, result, bytes) || convk_overlap_(r, span, gradient, span) ||
      convk_overlap_(result, bytes, gradient, span))
    return CONVK_ERR_OVERLAP;
  return see & CONVK_PAIR_DATA_ ? convk_pair_coordinates_(full, system->particles, r) : CONVK_OK;
}

/* With pair_potential. */
CONVK_RARE_ int convk_pair_values_check_(const convk_pair_potential *potential, size_t n, int see, const CONVK_T *r,
                                         const CONVK_T *v, convk_pair_terms_ *terms) {
  convk_pair_system system;
  size_t bytes;
  int status;
  if (!potential || ((see & CONVK_PAIR_ADDRESSES_) && (!r || !v))) return CONVK_ERR_NULL;
  status = convk_pair_potential_check_(potential, see);
  if (status) return status;
  if (convk_mul_(n, sizeof *r, &bytes)) return CONVK_ERR_OVERFLOW;
  if (r != v && convk_overlap_(r, bytes, v, bytes)) return CONVK_ERR_OVERLAP;
  memset(&system, 0, sizeof system);
  system.potential = *potential;
  return convk_pair_terms_of_(&system, CONVK_PAIR_POTENTIAL_ENERGY, terms);
}

/* With pair_move and pair_accept; written: what is written besides r, and 0 or how many bytes of that a walker has. */
CONVK_RARE_ int convk_pair_step_check_(const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle,
                                       int see, const CONVK_T *r, const CONVK_T *to, const void *written, size_t each,
                                       convk_pair_terms_ *terms, convk_pair_walkers *full) {
  convk_pair_walkers places;
  size_t span, places_bytes, bytes;
  int status = convk_pair_check_(system, walkers, CONVK_PAIR_LN_PSI, see, r, terms, full);
  if (status) return status;
  if (particle >= system->particles) return CONVK_ERR_INDEX;
  if (!full->walkers) return CONVK_OK;
  if (convk_mul_(full->walkers, 3 * sizeof *to, &places_bytes) || convk_mul_(full->walkers, each, &bytes))
    return CONVK_ERR_OVERFLOW;
  if (!(see & CONVK_PAIR_ADDRESSES_)) return CONVK_OK;
  if (!to || (each && !written)) return CONVK_ERR_NULL;
  span = convk_walkers_span_(full, system->particles) * sizeof *r;
  if (!each) bytes = span;
  if (convk_overlap_(written, bytes, r, span) || convk_overlap_(written, bytes, to, places_bytes)) return CONVK_ERR_OVERLAP;
  if (!(see & CONVK_PAIR_DATA_)) return CONVK_OK;
  places.walkers = full->walkers;
  places.pitch = 1;
  places.stride = 3;
  status = convk_pair_coordinates_(&places, 1, to);
  return status ? status : convk_pair_coordinates_(full, system->particles, r);
}

CONVK_RARE_ int convk_pair_accept_check_(const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle,
                                         int see, const CONVK_T *to, const unsigned char *accept, const CONVK_T *r,
                                         const CONVK_T *gradient, convk_pair_terms_ *terms, convk_pair_walkers *full) {
  const int status = convk_pair_step_check_(system, walkers, particle, see, r, to, gradient, 0, terms, full);
  size_t span;
  if (status || !(see & CONVK_PAIR_ADDRESSES_)) return status;
  span = convk_walkers_span_(full, system->particles) * sizeof *r;
  return convk_overlap_(r, span, to, 3 * full->walkers * sizeof *to) || convk_overlap_(r, span, accept, full->walkers) ||
                 convk_overlap_(gradient, span, accept, full->walkers)
             ? CONVK_ERR_OVERLAP
             : CONVK_OK;
}

/* With a run. */
CONVK_RARE_ int convk_vmc_run_check_(const convk_vmc *vmc, const void *state, size_t state_size, convk_pair_terms_ *terms) {
  const int status = convk_vmc_belongs_(vmc, state, state_size, sizeof(CONVK_T));
  return status ? status : convk_pair_terms_of_(&vmc->system, CONVK_PAIR_ALL, terms);
}

/* With sweeps on a device; *measured: how many of them end with a measurement.  result: where it goes, or NULL. */
CONVK_RARE_ int convk_vmc_sweeps_check_(const convk_vmc *vmc, int see, uint64_t sweep, size_t count, double step,
                                        const void *result, convk_pair_terms_ *terms, size_t *measured) {
  size_t i;
  int status = convk_vmc_check_(vmc, see);
  if (status) return status;
  if (!convk_finite_f64_(step)) return CONVK_ERR_NONFINITE;
  if (!(step > 0)) return CONVK_ERR_OPTION;
  status = convk_pair_terms_of_(&vmc->system, CONVK_PAIR_ALL, terms);
  for (i = 0, *measured = 0; i < count; i++) *measured += (size_t)convk_vmc_measures_(vmc, sweep + i);
  if (status) return status;
  if (convk_vmc_common_size_(vmc->system.particles, convk_vmc_here_(vmc), sizeof(CONVK_T)) == (size_t)-1)
    return CONVK_ERR_OVERFLOW;
  return *measured && !result ? CONVK_ERR_NULL : CONVK_OK;
}
