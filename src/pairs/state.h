/* ---- states ---- */

CONVK_LOCAL_ const char *convk_vmc_kind_(size_t element) { return element == sizeof(float) ? "vmc f32" : "vmc f64"; }

CONVK_RARE_ uint64_t convk_vmc_sum_(const void *state, size_t bytes) {
  convk_vmc_state_ head;
  uint64_t h;
  memcpy(&head, state, sizeof head);
  head.sum = 0;
  h = convk_hash_(UINT64_C(0x636f6e766b), &head, sizeof head);
  return convk_hash_(h, (const char *)state + sizeof head, bytes - sizeof head);
}

/* Writes the head of a state whose rest is there. */
CONVK_RARE_ void convk_vmc_seal_(convk_vmc_state_ *s, void *state) {
  memcpy(state, s, sizeof *s);
  s->sum = convk_vmc_sum_(state, (size_t)s->bytes);
  memcpy(state, s, sizeof *s);
}

/* What must be the same when a run goes on. */
CONVK_RARE_ uint64_t convk_vmc_setup_(const convk_vmc *v) {
  const convk_pair_potential *p = &v->system.potential;
  const convk_pair_trial *t = &v->system.trial;
  const double *box = v->system.box;
  double real[24] = {t->p5, t->p2, t->p0, t->p1, box[0], box[1], box[2], 0, 0};
  const uint64_t whole[9] = {(uint64_t)v->system.particles,
                             (uint64_t)v->walkers,
                             v->seed,
                             (uint64_t)v->moves,
                             (uint64_t)v->drift,
                             (uint64_t)v->equilibration,
                             (uint64_t)(v->interval ? v->interval : 1),
                             (uint64_t)p->kind,
                             (uint64_t)p->entries};
  uint64_t h;
  real[7] = convk_pairs_cutoff_(&v->system);
  real[8] = convk_pairs_hbar2_2m_(&v->system);
  memcpy(real + 9, &p->epsilon, 12 * sizeof *real); /* up to x2 */
  real[21] = p->first;
  real[22] = p->spacing;
  real[23] = v->acceptance;
  h = convk_hash_(convk_hash_(0, real, sizeof real), whole, sizeof whole);
  if (p->kind == CONVK_POTENTIAL_TABLE) h = convk_hash_(h, p->values, p->entries * sizeof *p->values);
  return h;
}

/* What is written overlaps nothing else of a call on this run: of `count` arrays, behind which `place` has room for one more,
   and of the potential's table. */
CONVK_RARE_ int convk_vmc_apart_(char *message, const convk_vmc *vmc, convk_place_ *place, size_t count) {
  place[count] = convk_pairs_table_place_("vmc->system.potential.values", &vmc->system.potential);
  return convk_places_check_(message, place, count + 1);
}

/* A state has, at any alignment after its head, ln Psi of each walker in doubles and then, from here on, coordinates. */
CONVK_LOCAL_ size_t convk_vmc_at_(size_t walkers) { return sizeof(convk_vmc_state_) + walkers * sizeof(double); }

/* ln Psi of all walkers is to be computed. */
CONVK_RARE_ void convk_vmc_forget_(void *state, size_t walkers) {
  const uint64_t unknown = UINT64_C(0x7ff8000000000000);
  size_t w;
  for (w = 0; w < walkers; w++) memcpy((char *)state + sizeof(convk_vmc_state_) + w * sizeof unknown, &unknown, sizeof unknown);
}

/* What a run keeps in its work memory, in bytes, without what hardware needs for itself; (size_t)-1: too large.  element: of
   coordinates, here and below. */
CONVK_RARE_ size_t convk_vmc_common_size_(size_t n, size_t walkers, size_t element) {
  const size_t head = 2 * sizeof(double) + CONVK_VMC_BATCH_ * sizeof(convk_pair_result) + sizeof(uint32_t);
  size_t bytes;
  if (n > (size_t)-1 / 4096) return (size_t)-1; /* 3 gradients of 16 stripes in doubles, too */
  return convk_mul_(head + 3 * n * element, walkers, &bytes) || bytes > (size_t)-1 / 8 ? (size_t)-1
                                                                                       : convk_round_up_(bytes, 64);
}

/* Bytes of the state of a checked run; 0: too many. */
CONVK_RARE_ size_t convk_vmc_state_bytes_(const convk_vmc *vmc, size_t element) {
  const size_t here = convk_vmc_walkers_here_(vmc);
  return convk_vmc_common_size_(vmc->system.particles, here, element) == (size_t)-1
             ? 0
             : convk_vmc_at_(here) + here * 3 * vmc->system.particles * element;
}

CONVK_RARE_ int convk_vmc_state_size_(char *message, const convk_vmc *vmc, size_t element, size_t *bytes) {
  const int status = convk_vmc_check_(message, vmc, CONVK_PAIRS_TABLE_);
  const size_t need = status ? 0 : convk_vmc_state_bytes_(vmc, element);
  if (status) return status;
  if (!need) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "vmc->walkers times vmc->system.particles is too large");
  *bytes = need;
  return CONVK_OK;
}

/* Whether `size` bytes hold a whole state, of any precision.  name: of the argument. */
CONVK_RARE_ int convk_vmc_intact_(char *message, const char *name, const void *state, size_t size, convk_vmc_state_ *head) {
  if (!state) return convk_refuse_names_(message, CONVK_ERR_NULL, "$ is NULL", name, NULL);
  if (size < sizeof *head)
    return convk_pairs_refuse_(message, CONVK_ERR_STATE, name, "_size is %, and the head of a state has %", (int64_t)size,
                               (int64_t)sizeof *head);
  memcpy(head, state, sizeof *head);
  if (memcmp(head->kind, "vmc f", 5)) return convk_refuse_names_(message, CONVK_ERR_STATE, "$ is no state", name, NULL);
  if (head->version != CONVK_VERSION || head->endian != 0x01020304u)
    return convk_refuse_names_(message, CONVK_ERR_STATE, "$ is of another version, or another order of bytes", name, NULL);
  if (head->bytes > size)
    return convk_pairs_refuse_(message, CONVK_ERR_STATE, name, "_size is %, and the state has %", (int64_t)size,
                               (int64_t)head->bytes);
  if (head->bytes < sizeof *head || head->sum != convk_vmc_sum_(state, (size_t)head->bytes))
    return convk_refuse_names_(message, CONVK_ERR_STATE, "$ is damaged", name, NULL);
  return CONVK_OK;
}

/* Whether a whole state has been gathered, and is of this precision. */
CONVK_RARE_ int convk_vmc_kind_check_(char *message, const char *name, const convk_vmc_state_ *s, size_t element) {
  if (memcmp(s->kind, convk_vmc_kind_(element), sizeof s->kind))
    return convk_refuse_names_(message, CONVK_ERR_STATE, "$ is of the other precision", name, NULL);
  if (s->missing) return convk_pairs_refuse_(message, CONVK_ERR_STATE, name, " lacks % walkers", (int64_t)s->missing, 0);
  return CONVK_OK;
}

/* Whether a state is that of a run: what convk_vmc_check does. */
CONVK_RARE_ int convk_vmc_belongs_(char *message, const convk_vmc *vmc, const void *state, size_t size, size_t element) {
  convk_vmc_state_ s;
  int status;
  if (!vmc) return convk_refuse_(message, CONVK_ERR_NULL, "vmc is NULL");
  if (!state) return convk_refuse_(message, CONVK_ERR_NULL, "state is NULL");
  status = convk_vmc_check_(message, vmc, CONVK_PAIRS_TABLE_);
  if (!status) status = convk_vmc_intact_(message, "state", state, size, &s);
  if (!status) status = convk_vmc_kind_check_(message, "state", &s, element);
  if (status) return status;
  if (s.walkers != vmc->walkers)
    return convk_refuse_at_(message, CONVK_ERR_SETUP, "vmc->walkers is %, and state has %", (int64_t)vmc->walkers,
                            (int64_t)s.walkers, 0);
  if (s.particles != vmc->system.particles)
    return convk_refuse_at_(message, CONVK_ERR_SETUP, "vmc->system.particles is %, and state has %",
                            (int64_t)vmc->system.particles, (int64_t)s.particles, 0);
  if (s.setup != convk_vmc_setup_(vmc))
    return convk_refuse_(message, CONVK_ERR_SETUP, "state is of another system, method or seed than vmc");
  if (s.first != vmc->part.first || s.here != convk_vmc_walkers_here_(vmc) || s.bytes != convk_vmc_state_bytes_(vmc, element))
    return convk_refuse_at_(message, CONVK_ERR_SETUP, "vmc->part is of % walkers from % on, and state of others",
                            (int64_t)convk_vmc_walkers_here_(vmc), (int64_t)vmc->part.first, 0);
  return CONVK_OK;
}

/* What is the same in the states of all parts, with something else that must be; not 0. */
CONVK_RARE_ uint64_t convk_vmc_alike_(const convk_vmc_state_ *s, uint64_t other) {
  convk_vmc_state_ head;
  memcpy(&head, s, sizeof head);
  head.first = head.here = head.missing = head.bytes = head.sum = 0;
  return convk_hash_(other, &head, sizeof head) | 1;
}

CONVK_RARE_ int convk_vmc_results_(char *message, const void *state, size_t state_size, size_t element,
                                   convk_vmc_result *result) {
  convk_vmc_state_ s;
  convk_vmc_estimate *to[CONVK_VMC_SERIES_];
  int i, status;
  status = convk_vmc_intact_(message, "state", state, state_size, &s);
  if (status) return status;
  if (!result) return convk_refuse_(message, CONVK_ERR_NULL, "result is NULL");
  if (memcmp(s.kind, convk_vmc_kind_(element), sizeof s.kind))
    return convk_refuse_(message, CONVK_ERR_STATE, "state is of the other precision");
  if (convk_overlap_(result, sizeof *result, state, (size_t)s.bytes))
    return convk_refuse_(message, CONVK_ERR_OVERLAP, "state overlaps result");
  memset(result, 0, sizeof *result);
  to[0] = &result->energy;
  to[1] = &result->potential;
  to[2] = &result->kinetic;
  to[3] = &result->kinetic_gradient;
  to[4] = &result->kinetic_laplacian;
  for (i = 0; i < CONVK_VMC_SERIES_; i++) *to[i] = convk_blocking_estimate_(&s.series[i], s.measured);
  result->sweeps = s.sweep;
  result->measurements = s.measured;
  result->step = s.step;
  result->acceptance = s.tried ? (double)s.accepted / (double)s.tried : 0;
  result->drift = s.drift;
  result->pairs = s.pairs;
  return CONVK_OK;
}
