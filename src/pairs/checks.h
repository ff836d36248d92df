/* ---- checks of arguments ---- */

enum {
  CONVK_PAIRS_TABLE_ = 1,   /* the values of a table are on the host, so that a check may read them */
  CONVK_PAIRS_IN_RUN_ = 2,  /* for messages: the system is vmc's */
  CONVK_PAIRS_ARGUMENT_ = 4 /* the potential is an argument itself */
};

/* Whether numbers are finite: one more in an exponent of ones is a carry. */
CONVK_LOCAL_ int convk_finite_all_(const double *x, size_t n) {
  uint64_t carry = 0;
  size_t i;
  for (i = 0; i < n; i++) carry |= (convk_to_bits_(x[i]) & (uint64_t)0x7ff << 52) + ((uint64_t)1 << 52);
  return !(carry >> 63);
}

/* Refuses a call, as convk_refuse_at_; the argument's name is `before` and then `text`. */
CONVK_RARE_ int convk_pairs_refuse_(char *message, int status, const char *before, const char *text, int64_t first,
                                    int64_t second) {
  char whole[CONVK_MESSAGE_BYTES_];
  convk_refuse_names_(whole, status, "$$", before, text);
  return convk_refuse_at_(message, status, whole, first, second, 0);
}
CONVK_RARE_ int convk_pairs_not_finite_(char *message, const char *before, const char *name) {
  return convk_refuse_names_(message, CONVK_ERR_NONFINITE, "$$ is not finite", before, name);
}

/* The names that a user has for a system and for its potential. */
CONVK_LOCAL_ const char *convk_pairs_of_system_(int see) { return see & CONVK_PAIRS_IN_RUN_ ? "vmc->system." : "system->"; }
CONVK_LOCAL_ const char *convk_pairs_of_potential_(int see) {
  return see & CONVK_PAIRS_ARGUMENT_ ? "potential->"
         : see & CONVK_PAIRS_IN_RUN_ ? "vmc->system.potential."
                                     : "system->potential.";
}

CONVK_RARE_ int convk_pairs_table_check_(char *message, const convk_pair_potential *p, int see) {
  const char *const at = convk_pairs_of_potential_(see);
  size_t k;
  if (!p->values) return convk_pairs_refuse_(message, CONVK_ERR_NULL, at, "values is NULL", 0, 0);
  if (!convk_finite_f64_(p->first)) return convk_pairs_not_finite_(message, at, "first");
  if (!convk_finite_f64_(p->spacing)) return convk_pairs_not_finite_(message, at, "spacing");
  if (p->entries < 4)
    return convk_pairs_refuse_(message, CONVK_ERR_POTENTIAL, at, "entries is %, less than 4", (int64_t)p->entries, 0);
  if (p->entries > (size_t)1 << 30)
    return convk_pairs_refuse_(message, CONVK_ERR_POTENTIAL, at, "entries is more than 2^30", 0, 0);
  if (p->first < 0) return convk_pairs_refuse_(message, CONVK_ERR_POTENTIAL, at, "first is negative", 0, 0);
  if (!(p->spacing > 0)) return convk_pairs_refuse_(message, CONVK_ERR_POTENTIAL, at, "spacing is not positive", 0, 0);
  for (k = 0; (see & CONVK_PAIRS_TABLE_) && k < p->entries; k++)
    if (!convk_finite_f64_(p->values[k]))
      return convk_pairs_refuse_(message, CONVK_ERR_NONFINITE, at, "values[%] is not finite", (int64_t)k, 0);
  return CONVK_OK;
}

CONVK_RARE_ int convk_pairs_bump_check_(char *message, const convk_pair_potential *p, const char *at) {
  if (!convk_finite_f64_(p->bump)) return convk_pairs_not_finite_(message, at, "bump");
  if (!(p->bump > 0 || p->bump < 0)) return CONVK_OK;
  if (!convk_finite_f64_(p->x1)) return convk_pairs_not_finite_(message, at, "x1");
  if (!convk_finite_f64_(p->x2)) return convk_pairs_not_finite_(message, at, "x2");
  if (!(p->x1 > 0)) return convk_pairs_refuse_(message, CONVK_ERR_POTENTIAL, at, "x1 is not positive", 0, 0);
  if (!(p->x2 > p->x1)) return convk_pairs_refuse_(message, CONVK_ERR_POTENTIAL, at, "x2 is not larger than x1", 0, 0);
  return CONVK_OK;
}

CONVK_RARE_ int convk_pairs_potential_check_(char *message, const convk_pair_potential *p, int see) {
  static const char *const names[9] = {"epsilon", "rm", "a", "alpha", "beta", "c6", "c8", "c10", "d"};
  const char *const at = convk_pairs_of_potential_(see);
  const double hfd[9] = {p->epsilon, p->rm, p->a, p->alpha, p->beta, p->c6, p->c8, p->c10, p->d};
  const char *wrong;
  int i;
  if (p->kind < CONVK_POTENTIAL_NONE || p->kind > CONVK_POTENTIAL_TABLE)
    return convk_pairs_refuse_(message, CONVK_ERR_OPTION, at, "kind is %, none of CONVK_POTENTIAL_...", p->kind, 0);
  if (p->kind == CONVK_POTENTIAL_NONE) return CONVK_OK;
  if (p->kind == CONVK_POTENTIAL_TABLE) return convk_pairs_table_check_(message, p, see);
  if (!convk_finite_all_(hfd, p->kind == CONVK_POTENTIAL_HFD ? 9 : 2))
    for (i = 0; i < 9; i++)
      if (!convk_finite_f64_(hfd[i])) return convk_pairs_not_finite_(message, at, names[i]);
  wrong = !(p->epsilon > 0)                          ? "epsilon is not positive"
          : !(p->rm > 0)                             ? "rm is not positive"
          : p->kind == CONVK_POTENTIAL_LENNARD_JONES ? NULL
          : !(p->a > 0)                              ? "a is not positive"
          : !(p->alpha > 0)                          ? "alpha is not positive"
          : p->beta > 0                              ? "beta is positive"
          : !(p->c6 > 0)                             ? "c6 is not positive"
          : p->d < 0                                 ? "d is negative"
                                                     : NULL;
  if (wrong) return convk_pairs_refuse_(message, CONVK_ERR_POTENTIAL, at, wrong, 0, 0);
  return p->kind == CONVK_POTENTIAL_HFD ? convk_pairs_bump_check_(message, p, at) : CONVK_OK;
}

/* The values of a potential that has a table. */
CONVK_RARE_ convk_place_ convk_pairs_table_place_(const char *name, const convk_pair_potential *p) {
  const int table = p->kind == CONVK_POTENTIAL_TABLE;
  return convk_place_read_(name, 0, table ? p->values : NULL, table ? p->entries * sizeof *p->values : 0);
}

/* Calls that need no handle, so that it may be NULL, begin with this. */
CONVK_RARE_ int convk_pairs_call_(convk *hw, char **message) {
  *message = convk_message_(hw);
  return hw ? convk_begin_call_(hw) : CONVK_OK;
}

/* The distance, in units of rm, from which on the repulsion of an HFD potential is below an ulp of its c6 term, or a little
   more: Newton's method approaches it from the right, since the logarithm of their ratio is concave. */
CONVK_RARE_ double convk_hfd_newton_(const convk_pair_potential *p, int digits) {
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

/* The same distance for the predefined potentials, as constants: its seven logarithms would take half the time of a call with
   two particles.  A test compares them with what convk_hfd_newton_ finds, to the last bit. */
CONVK_RARE_ double convk_hfd_reach_(const convk_pair_potential *p, int digits) {
  static const struct {
    double key[4], reach[2]; /* a, alpha, beta, c6; for f32, f64 */
  } known[3] = {{{544850.4, 13.353384, 0, 1.3732412}, {2.7112382049278354, 4.4379954390188994}},
                {{184431.01, 10.43329537, -2.27965105, 1.36745214}, {2.1934948515536488, 3.1779467638757017}},
                {{189635.353, 10.70203539, -1.90740649, 1.34687065}, {2.2688117465465361, 3.3167454995822219}}};
  int k;
  for (k = 0; k < 3; k++)
    if (!memcmp(&p->a, known[k].key, sizeof known[k].key)) return known[k].reach[digits == 53];
  return convk_hfd_newton_(p, digits);
}

/* A checked system with defaults in place of zeros. */
CONVK_RARE_ double convk_pairs_cutoff_(const convk_pair_system *system) {
  const double *b = system->box, edge = b[0] < b[1] ? b[0] : b[1], least = edge < b[2] ? edge : b[2];
  return system->cutoff > 0 ? system->cutoff : least > 0 ? 0.5 * least : 0;
}
CONVK_LOCAL_ double convk_pairs_hbar2_2m_(const convk_pair_system *system) {
  return system->hbar2_2m > 0 ? system->hbar2_2m : 6.059648; /* helium-4, in K A^2 */
}

/* How many particles there are. */
CONVK_RARE_ int convk_pairs_particles_check_(char *message, const char *before, size_t particles) {
  if (!particles) return convk_pairs_refuse_(message, CONVK_ERR_SIZE, before, "particles is 0", 0, 0);
  if (particles < 2)
    return convk_pairs_refuse_(message, CONVK_ERR_PARTICLES, before, "particles is 1, and a pair needs 2", 0, 0);
  if (particles > (size_t)1 << 30)
    return convk_pairs_refuse_(message, CONVK_ERR_OVERFLOW, before, "particles is more than 2^30", 0, 0);
  return CONVK_OK;
}

CONVK_RARE_ int convk_pairs_finite_check_(char *message, const char *at, const convk_pair_system *system, const double p[4]) {
  static const char *const names[7] = {"trial.p5", "trial.p2", "trial.p0", "trial.p1", "box[0]", "box[1]", "box[2]"};
  int i;
  for (i = 0; i < 7; i++)
    if (!convk_finite_f64_(i < 4 ? p[i] : system->box[i - 4])) return convk_pairs_not_finite_(message, at, names[i]);
  return convk_pairs_not_finite_(message, at, convk_finite_f64_(system->cutoff) ? "hbar2_2m" : "cutoff");
}

CONVK_RARE_ int convk_pairs_box_check_(char *message, const char *at, const convk_pair_system *system, int edge) {
  const double *const box = system->box;
  int d;
  for (d = 0; edge >= 0 && d < 3; d++) {
    if (!(box[d] > 0 || box[d] < 0))
      return convk_pairs_refuse_(message, CONVK_ERR_BOX, at, "box[%] is 0, and others are not", d, 0);
    if (box[d] < 4. / 256) { /* both ends of a pair at the least distance */
      return convk_pairs_refuse_(message, CONVK_ERR_BOX, at, "box[%] is less than 1 / 64", d, 0);
    }
  }
  if (system->cutoff < 0) return convk_pairs_refuse_(message, CONVK_ERR_OPTION, at, "cutoff is negative", 0, 0);
  if (system->hbar2_2m < 0) return convk_pairs_refuse_(message, CONVK_ERR_OPTION, at, "hbar2_2m is negative", 0, 0);
  if (edge >= 0 && system->cutoff > 0.5 * box[edge])
    return convk_pairs_refuse_(message, CONVK_ERR_BOX, at, "cutoff is larger than half of box[%]", edge, 0);
  if (system->cutoff > 0 && system->cutoff < 2. / 256) {
    return convk_pairs_refuse_(message, CONVK_ERR_BOX, at, "cutoff is less than 1 / 128", 0, 0);
  }
  return CONVK_OK;
}

CONVK_RARE_ int convk_pairs_system_check_(char *message, const convk_pair_system *system, int see) {
  const char *const at = convk_pairs_of_system_(see);
  const double *const box = system->box;
  double p[9];      /* p5, p2, p0, p1; periods; cutoff, hbar2_2m */
  int d, edge = -1; /* the shortest */
  int status = convk_pairs_particles_check_(message, at, system->particles);
  if (status) return status;
  memcpy(p, &system->trial, 4 * sizeof *p);
  memcpy(p + 4, box, 3 * sizeof *p);
  p[7] = system->cutoff;
  p[8] = system->hbar2_2m;
  if (!convk_finite_all_(p, 9)) return convk_pairs_finite_check_(message, at, system, p);
  for (d = 0; d < 3; d++)
    if (CONVK_UNLIKELY_(box[d] > 0 || box[d] < 0) && (edge < 0 || box[d] < box[edge])) edge = d;
  if (edge >= 0 || system->cutoff > 0 || system->cutoff < 0 || system->hbar2_2m < 0)
    status = convk_pairs_box_check_(message, at, system, edge);
  return status ? status : convk_pairs_potential_check_(message, &system->potential, see);
}

/* Walkers with defaults in place of zeros. */
CONVK_RARE_ int convk_walkers_check_(char *message, const convk_pair_walkers *in, size_t particles, size_t element,
                                     convk_pair_walkers *full) {
  size_t all, bytes, least;
  *full = *in;
  if (!full->pitch) full->pitch = particles;
  if (full->pitch < particles)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "walkers->pitch is %, less than % particles", (int64_t)full->pitch,
                            (int64_t)particles, 0);
  if (full->pitch > (size_t)-1 / 64) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "walkers->pitch is too large");
  if (!full->stride) full->stride = 3 * full->pitch;
  least = 2 * full->pitch + particles;
  if (full->stride < least && full->walkers > 1)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "walkers->stride is %, less than 2 pitch + particles = %",
                            (int64_t)full->stride, (int64_t)least, 0);
  if (full->walkers &&
      (convk_mul_(full->walkers, full->stride, &all) || convk_mul_(all, element, &bytes) || bytes > (size_t)-1 / 4))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "walkers->walkers times walkers->stride is too large");
  return CONVK_OK;
}

/* Elements from the first to the last that checked walkers describe. */
CONVK_LOCAL_ size_t convk_walkers_span_(const convk_pair_walkers *full, size_t particles) {
  return full->walkers ? (full->walkers - 1) * full->stride + 2 * full->pitch + particles : 0;
}

CONVK_LOCAL_ convk_pair_walkers convk_walkers_packed_(size_t walkers, size_t particles) {
  const convk_pair_walkers packed = {walkers, particles, 3 * particles};
  return packed;
}

/* How many walkers are here: part.walkers, or all of them where part is zeros.  With join it may be 0. */
CONVK_LOCAL_ size_t convk_vmc_walkers_here_(const convk_vmc *v) {
  return v->part.join || v->part.walkers ? v->part.walkers : v->walkers;
}

CONVK_RARE_ int convk_vmc_part_check_(char *message, const convk_vmc *v) {
  if (v->part.first > v->walkers)
    return convk_refuse_at_(message, CONVK_ERR_PART, "vmc->part.first is %, and vmc->walkers %", (int64_t)v->part.first,
                            (int64_t)v->walkers, 0);
  if (convk_vmc_walkers_here_(v) > v->walkers - v->part.first)
    return convk_refuse_at_(message, CONVK_ERR_PART, "vmc->part.walkers is %, and vmc->walkers % from vmc->part.first on",
                            (int64_t)convk_vmc_walkers_here_(v), (int64_t)(v->walkers - v->part.first), 0);
  if (!v->part.join && convk_vmc_walkers_here_(v) != v->walkers)
    return convk_refuse_at_(message, CONVK_ERR_PART, "vmc->part.walkers is % of %, and vmc->part.join is NULL",
                            (int64_t)convk_vmc_walkers_here_(v), (int64_t)v->walkers, 0);
  return CONVK_OK;
}

CONVK_RARE_ int convk_vmc_check_(char *message, const convk_vmc *v, int see) {
  int status;
  if (!v) return convk_refuse_(message, CONVK_ERR_NULL, "vmc is NULL");
  status = convk_pairs_system_check_(message, &v->system, see | CONVK_PAIRS_IN_RUN_);
  if (status) return status;
  if (!v->walkers) return convk_refuse_(message, CONVK_ERR_SIZE, "vmc->walkers is 0");
  if (v->walkers > (size_t)1 << 30) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "vmc->walkers is more than 2^30");
  if (v->moves != CONVK_VMC_MOVE_SINGLE && v->moves != CONVK_VMC_MOVE_ALL)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "vmc->moves is %, none of CONVK_VMC_MOVE_...", v->moves, 0, 0);
  if (v->drift != 0 && v->drift != 1)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "vmc->drift is %, neither 0 nor 1", v->drift, 0, 0);
  if (!convk_finite_f64_(v->step)) return convk_refuse_(message, CONVK_ERR_NONFINITE, "vmc->step is not finite");
  if (!convk_finite_f64_(v->acceptance)) return convk_refuse_(message, CONVK_ERR_NONFINITE, "vmc->acceptance is not finite");
  if (v->step < 0) return convk_refuse_(message, CONVK_ERR_OPTION, "vmc->step is negative");
  if (v->acceptance >= 1) return convk_refuse_(message, CONVK_ERR_OPTION, "vmc->acceptance is not less than 1");
  return convk_vmc_part_check_(message, v);
}
