/* ---- the terms of a system, and the checks of its walkers ---- */

#define CONVK_PAIRS_BIG_ CONVK_OF_(1.099511627776e12, 1.2676506002282294e30) /* beyond every square of a distance */
#define CONVK_PAIRS_FAR_ CONVK_OF_(16384, 268435456)                         /* coordinates, at most */

/* The terms of a checked potential, for what is wanted; far_by: of its powers of 1 / r. */
CONVK_RARE_ void convk_pairs_terms_of_potential_(const convk_pair_potential *v, int want, convk_pairs_terms_ *c,
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

/* Which constant does not fit the type: number `at` of those that convk_pairs_terms_of_ looks at, in its order. */
CONVK_RARE_ int convk_pairs_too_large_(char *message, const convk_pair_system *system, int see, int at) {
  static const char *const trial[4] = {"trial.p5", "trial.p2", "trial.p0", "trial.p1"};
  static const char *const power[4] = {"c6", "c8", "c10", "epsilon"};
  static const char *const others[4] = {"rm", "a", "rm", "x2"};
  const int k = at - 6, kind = system->potential.kind;
  const char *name = kind == CONVK_POTENTIAL_TABLE           ? "spacing"
                     : kind == CONVK_POTENTIAL_LENNARD_JONES ? "rm"
                     : k < 16                                ? power[k / 4 & 3]
                                                             : others[(k - 16) & 3];
  if (at < 6) {
    return convk_pairs_refuse_(message, CONVK_ERR_RANGE, convk_pairs_of_system_(see),
                               "box[%] is too large or small for the type", at / 2, 0);
  }
  if (at > 25 || (k < 16 && k % 4 < 2)) {
    return convk_refuse_names_(message, CONVK_ERR_RANGE, "$$ is too large for the type", convk_pairs_of_system_(see),
                               at > 25 ? "trial" : trial[k / 4]);
  }
  return convk_refuse_names_(message, CONVK_ERR_RANGE, "$$ is too large or small for the type", convk_pairs_of_potential_(see),
                             name);
}

/* The terms of a checked system, for what is wanted; RANGE where a constant does not fit the type. */
CONVK_RARE_ int convk_pairs_terms_of_(char *message, const convk_pair_system *system, int want, int see,
                                      convk_pairs_terms_ *c) {
  static const double factor[4] = {5, 2, -1, 1}; /* of the terms of u' / r */
  /* At r = 1 / 256 they are these times 256^7, 256^4, 256^2 and 256, those of V from 256^6 on; with room for 64 of them. */
  static const double least[4] = {72057594037927936. * 64, 4294967296. * 64, 65536. * 64, 256. * 64};
  const double cutoff = convk_pairs_cutoff_(system);
  double far_by[4] = {0, 0, 0, 0}, power = 2.81474976710656e14 * 64;
  CONVK_T all[32]; /* looked at in the type itself: gcc 12 may take a conversion to it and back for nothing */
  const CONVK_UNSIGNED_ infinite = (CONVK_UNSIGNED_)CONVK_EITHER_(0xff, 0x7ff) << CONVK_EITHER_(23, 52);
  CONVK_UNSIGNED_ carry = 0;
  int d, n = 0;
  convk_clear_(c, sizeof *c);
  memcpy(c->p, &system->trial, sizeof c->p);
  convk_pairs_terms_of_potential_(&system->potential, want, c, far_by);
  c->hbar2_2m = convk_pairs_hbar2_2m_(system);
  c->periodic = system->box[0] > 0;
  c->limit = cutoff > 0 ? (CONVK_T)(cutoff * cutoff) : CONVK_PAIRS_BIG_;
  if (c->limit > CONVK_PAIRS_BIG_) c->limit = CONVK_PAIRS_BIG_;
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
  for (d = 0; d < n; d++) { /* one more in an exponent of ones is a carry */
    CONVK_UNSIGNED_ bits;
    memcpy(&bits, &all[d], sizeof bits);
    carry |= (bits & infinite) + (infinite & ~infinite << 1);
  }
  if (!(carry & ~(~(CONVK_UNSIGNED_)0 >> 1)) && convk_finite_f64_(c->shift) && convk_finite_f64_(c->per_spacing))
    return CONVK_OK;
  for (d = 0; d < n && convk_finite_(all[d]);) d++;
  return convk_pairs_too_large_(message, system, see, d < n || !convk_finite_f64_(c->shift) ? d : 25);
}

/* Coordinates of walkers that are to be finite, and within range.  name: of their array. */
CONVK_RARE_ int convk_pairs_coordinates_(char *message, const char *name, const convk_pair_walkers *full, size_t n,
                                         const CONVK_T *r) {
  size_t w, i;
  int d, status = CONVK_OK;
  for (w = 0; w < full->walkers; w++)
    for (d = 0; d < 3; d++) {
      const convk_any_ *x = (const convk_any_ *)(r + w * full->stride + (size_t)d * full->pitch);
      for (i = 0; i < n; i++)
        if (!(CONVK_LESS_EQUAL_(x[i], CONVK_PAIRS_FAR_) && CONVK_LESS_EQUAL_(-CONVK_PAIRS_FAR_, x[i]))) {
          if (!convk_finite_(x[i]))
            return convk_pairs_refuse_(message, CONVK_ERR_COORDINATE, name, "[%] is not finite: of walker %",
                                       (int64_t)(w * full->stride + (size_t)d * full->pitch + i), (int64_t)w);
          if (!status)
            status = convk_pairs_refuse_(message, CONVK_ERR_RANGE, name, "[%] is too large: of walker %",
                                         (int64_t)(w * full->stride + (size_t)d * full->pitch + i), (int64_t)w);
        }
    }
  return status;
}

/* A system and its walkers. */
CONVK_RARE_ int convk_pairs_check_(char *message, const convk_pair_system *system, const convk_pair_walkers *walkers, int want,
                                   int see, convk_pairs_terms_ *terms, convk_pair_walkers *full) {
  int status;
  if (!system) return convk_refuse_(message, CONVK_ERR_NULL, "system is NULL");
  if (!walkers) return convk_refuse_(message, CONVK_ERR_NULL, "walkers is NULL");
  status = convk_pairs_system_check_(message, system, see);
  if (!status) status = convk_walkers_check_(message, walkers, system->particles, sizeof(CONVK_T), full);
  return status ? status : convk_pairs_terms_of_(message, system, want, see, terms);
}

/* Everything that can be wrong with a call, found before anything is written: with pair_energy. */
CONVK_RARE_ int convk_pairs_energy_check_(char *message, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                          int want, int see, convk_pairs_terms_ *terms, convk_pair_walkers *full) {
  const int status = convk_pairs_check_(message, system, walkers, want ? want : CONVK_PAIR_ALL, see, terms, full);
  size_t bytes;
  if (status) return status;
  if (want & ~CONVK_PAIR_ALL)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "want is %, with more than CONVK_PAIR_ALL = 15", want, 0, 0);
  if (convk_bytes_(full->walkers, sizeof(convk_pair_result), &bytes))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "walkers->walkers is too large");
  return CONVK_OK;
}

/* Its arrays, on the host. */
CONVK_RARE_ int convk_pairs_energy_arrays_(char *message, const convk_pair_system *system, const convk_pair_walkers *full,
                                           const CONVK_T *r, const convk_pair_result *result, const CONVK_T *gradient,
                                           const void *work, size_t work_size) {
  const size_t bytes = convk_walkers_span_(full, system->particles) * sizeof *r, results = full->walkers * sizeof *result;
  const uintptr_t begin[4] = {(uintptr_t)r, (uintptr_t)result, (uintptr_t)gradient, (uintptr_t)work};
  const uintptr_t end[4] = {begin[0] + bytes, begin[1] + results, begin[2] + bytes, begin[3] + work_size};
  int apart = r && result && system->potential.kind != CONVK_POTENTIAL_TABLE, i, j;
  convk_place_ place[5];
  if (!full->walkers) return CONVK_OK;
  CONVK_EACH_(i, 4) {
    CONVK_EACH_(j, i) apart &= (end[i] <= begin[j]) | (end[j] <= begin[i]);
  }
  if (apart) return CONVK_OK; /* soon; the rest says which of them do not lie apart */
  place[0] = convk_place_of_("r", r, bytes, 0);
  place[1] = convk_place_of_("result", result, results, CONVK_PLACE_WRITTEN_);
  place[2] = convk_place_of_("gradient", gradient, bytes, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
  place[3] = convk_place_of_("work", work, work_size, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
  place[4] = convk_pairs_table_place_("system->potential.values", &system->potential);
  return convk_places_check_(message, place, 5);
}

/* With pair_potential. */
CONVK_RARE_ int convk_pairs_values_check_(char *message, const convk_pair_potential *potential, size_t n, int see,
                                          convk_pairs_terms_ *terms) {
  convk_pair_system system;
  size_t bytes;
  int status;
  if (!potential) return convk_refuse_(message, CONVK_ERR_NULL, "potential is NULL");
  status = convk_pairs_potential_check_(message, potential, see | CONVK_PAIRS_ARGUMENT_);
  if (status) return status;
  if (convk_bytes_(n, sizeof(CONVK_T), &bytes)) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "n is too large");
  memset(&system, 0, sizeof system);
  system.potential = *potential;
  return convk_pairs_terms_of_(message, &system, CONVK_PAIR_POTENTIAL_ENERGY, see | CONVK_PAIRS_ARGUMENT_, terms);
}

CONVK_RARE_ int convk_pairs_values_arrays_(char *message, const convk_pair_potential *potential, size_t n, const CONVK_T *r,
                                           const CONVK_T *v) {
  convk_place_ place[3];
  place[0] = convk_place_of_("r", r, n * sizeof *r, CONVK_PLACE_IN_PLACE_);
  place[1] = convk_place_of_("v", v, n * sizeof *v, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_IN_PLACE_);
  place[2] = convk_pairs_table_place_("potential->values", potential);
  return convk_places_check_(message, place, 3);
}

/* With pair_move and pair_accept; each: bytes of a walker's result, or 0. */
CONVK_RARE_ int convk_pairs_step_check_(char *message, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                        size_t particle, int see, size_t each, convk_pairs_terms_ *terms,
                                        convk_pair_walkers *full) {
  size_t bytes;
  const int status = convk_pairs_check_(message, system, walkers, CONVK_PAIR_LN_PSI, see, terms, full);
  if (status) return status;
  if (particle >= system->particles)
    return convk_refuse_at_(message, CONVK_ERR_INDEX, "particle is %, and there are %", (int64_t)particle,
                            (int64_t)system->particles, 0);
  if (convk_bytes_(full->walkers, 3 * sizeof(CONVK_T), &bytes) || convk_bytes_(full->walkers, each, &bytes))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "walkers->walkers is too large");
  return CONVK_OK;
}

/* Their arrays on the host, and what stands in them; with moves of pair_move, which has a result. */
CONVK_RARE_ int convk_pairs_step_arrays_(char *message, const convk_pair_system *system, const convk_pair_walkers *full,
                                         int moves, const CONVK_T *r, const CONVK_T *to, const convk_pair_move_result *result,
                                         const unsigned char *accept, const CONVK_T *gradient) {
  const size_t n = system->particles, span = convk_walkers_span_(full, n) * sizeof *r;
  const int written = CONVK_PLACE_WRITTEN_, maybe = CONVK_PLACE_OPTIONAL_;
  const convk_pair_walkers places = convk_walkers_packed_(full->walkers, 1);
  convk_place_ place[5];
  int status;
  if (!full->walkers) return CONVK_OK;
  place[0] = convk_place_of_("to", to, 3 * full->walkers * sizeof *to, 0);
  place[1] = convk_place_of_("r", r, span, moves ? 0 : written);
  if (moves) {
    place[2] = convk_place_of_("result", result, full->walkers * sizeof *result, written);
    place[3] = convk_pairs_table_place_("system->potential.values", &system->potential);
  } else {
    place[2] = convk_place_of_("accept", accept, full->walkers, maybe);
    place[3] = convk_place_of_("gradient", gradient, span, written | maybe);
    place[4] = convk_pairs_table_place_("system->potential.values", &system->potential);
  }
  status = convk_places_check_(message, place, moves ? 4 : 5);
  if (!status) status = convk_pairs_coordinates_(message, "to", &places, 1, to);
  return status ? status : convk_pairs_coordinates_(message, "r", full, n, r);
}

/* With a run. */
CONVK_RARE_ int convk_vmc_run_check_(char *message, const convk_vmc *vmc, const void *state, size_t state_size,
                                     convk_pairs_terms_ *terms) {
  const int status = convk_vmc_belongs_(message, vmc, state, state_size, sizeof(CONVK_T));
  return status ? status : convk_pairs_terms_of_(message, &vmc->system, CONVK_PAIR_ALL, CONVK_PAIRS_IN_RUN_, terms);
}

/* With sweeps on a device; *measured: how many of them end with a measurement. */
CONVK_RARE_ int convk_vmc_sweeps_check_(char *message, const convk_vmc *vmc, int see, const convk_vmc_sweeps *sweeps,
                                        convk_pairs_terms_ *terms, size_t *measured) {
  size_t i, bytes;
  int status = convk_vmc_check_(message, vmc, see);
  if (!status) status = convk_need_(message, "sweeps", sweeps);
  if (!status) status = convk_need_finite_(message, "sweeps->step", sweeps->step);
  if (status) return status;
  if (!(sweeps->step > 0)) return convk_refuse_(message, CONVK_ERR_OPTION, "sweeps->step is not positive");
  if (sweeps->anew & ~1)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "sweeps->anew is %, neither 0 nor 1", sweeps->anew, 0, 0);
  status = convk_pairs_terms_of_(message, &vmc->system, CONVK_PAIR_ALL, see | CONVK_PAIRS_IN_RUN_, terms);
  for (i = 0, *measured = 0; i < sweeps->count; i++) *measured += (size_t)convk_vmc_measures_(vmc, sweeps->first + i);
  if (status) return status;
  if (convk_mul_(*measured, convk_vmc_walkers_here_(vmc), &bytes) || convk_bytes_(bytes, sizeof(convk_pair_result), &bytes))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "sweeps->count times vmc->walkers is too large");
  if (convk_vmc_common_size_(vmc->system.particles, convk_vmc_walkers_here_(vmc), sizeof(CONVK_T)) == (size_t)-1)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "vmc->walkers times vmc->system.particles is too large");
  return CONVK_OK;
}
