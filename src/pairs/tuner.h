/* Atoms throughout a cube, as dense as helium. */
CONVK_LOCAL_ void convk_trial_pairs_fill_(convk_trial_ *t) {
  CONVK_T *r = (CONVK_T *)t->array[0], edge = 1;
  size_t i;
  convk_trial_fill_(t);
  while (edge * edge * edge < (CONVK_T)t->entry.nx * 46) edge++;
  for (i = 0; i < t->bytes / sizeof *r; i++) r[i] *= 2 * edge;
}

/* A call of pair_energy as it is tuned: ny walkers of nx particles, with all results.  *result: the gradients. */
CONVK_RARE_ int convk_trial_pairs_run_(convk_trial_ *t, void **result) {
  size_t need = 0;
  const size_t results = t->entry.ny * sizeof(convk_pair_result);
  convk_pair_system system;
  convk_pair_walkers walkers;
  int status = convk_pair_energy_work_size(&t->hw, t->entry.nx, t->entry.ny, &need);
  if (!status) status = convk_trial_work_(t, need + results);
  if (status) return status;
  memset(&system, 0, sizeof system);
  memset(&walkers, 0, sizeof walkers);
  system.particles = t->entry.nx;
  system.potential = convk_pair_hfdb();
  system.trial.p5 = 120;
  walkers.walkers = t->entry.ny;
  *result = t->array[1];
  return convk_pair_energy(&t->hw, &system, &walkers, 0, (const CONVK_T *)t->array[0], (convk_pair_result *)t->work,
                           (CONVK_T *)t->array[1], (char *)t->work + results, need);
}

CONVK_ACROSS_ int convk_trial_pairs_(convk_trial_ *t) {
  const size_t limit = (size_t)1 << 26;
  const convk_grid3 *g = &t->shape.grid;
  t->entry.nz = 1;
  if (!g->nx || !g->ny) return CONVK_ERR_SIZE;
  if (g->nx > (size_t)1 << 20 || g->ny > limit / g->nx) return CONVK_ERR_OVERFLOW;
  t->bytes = 3 * sizeof(CONVK_T) * g->nx * g->ny;
  t->fill = convk_trial_pairs_fill_;
  t->run = convk_trial_pairs_run_;
  return CONVK_OK;
}
