/* ---- sweeps of walkers on processors ---- */

/* A run on processors: its job, and what advances it. */
typedef struct convk_vmc_cpu_ {
  const convk_pairs_kernels_ *kernels;
  convk_pairs_terms_ terms;
  const convk_vmc_job_ *job;
  size_t tasks, scratch; /* scratch: doubles of a task */
} convk_vmc_cpu_;

/* One walker at work: its coordinates, filled up to whole blocks, and what a sweep needs. */
typedef struct convk_vmc_walker_ {
  const convk_vmc_cpu_ *run;
  const convk_vmc_job_ *job;
  convk *hw; /* for its threads, or NULL */
  size_t padded;
  CONVK_T *x, *to, *limit; /* [3][padded], [3][padded] of moves of all, [padded] */
  double *g, *scratch;     /* [3][padded]: gradients before a move of all; for pair_walker */
  double ln_psi;
  convk_pairs_change_ change;
} convk_vmc_walker_;

/* Sums into p->change the pairs of particle k with all others: where it is, and where it would be at `place`.  want:
   CONVK_PAIR_LN_PSI, CONVK_PAIR_GRADIENT.  A limit of 0 leaves the pair of k with itself out. */
CONVK_RARE_ void convk_vmc_pairs_of_(convk_vmc_walker_ *p, size_t k, const double place[3], int want) {
  size_t d;
  convk_pairs_change_begin_(&p->change, want);
  for (d = 0; d < 3; d++) {
    p->change.row.x[d] = p->x + d * p->padded;
    p->change.row.at[0][d] = p->x[d * p->padded + k];
    p->change.row.at[1][d] = (CONVK_T)place[d];
  }
  p->change.row.limit = p->limit;
  p->change.row.n = convk_round_up_(p->job->n, CONVK_PAIRS_LANES_);
  p->limit[k] = 0;
  p->run->kernels->row(&p->run->terms, &p->change.row);
  p->limit[k] = p->run->terms.limit;
}

/* Moves one particle of a walker after another, and returns how many moves were accepted.  w: its number among all parts. */
CONVK_RARE_ uint32_t convk_vmc_single_(convk_vmc_walker_ *p, size_t w, uint64_t sweep) {
  const convk_vmc_job_ *job = p->job;
  const uint64_t seed = job->vmc->seed;
  const double step = job->step;
  uint32_t accepted = 0;
  size_t k, d;
  for (k = 0; k < job->n; k++) {
    double u[4], way[3], to[3], at[3], before[3] = {0, 0, 0}, after[3], change, chance;
    for (d = 0; d < 3; d++) at[d] = to[d] = (double)p->x[d * p->padded + k];
    convk_random_(seed, sweep, k, w, CONVK_RANDOM_MOVE_, u);
    if (job->vmc->drift) {
      double normal[3], drift[3];
      convk_vmc_pairs_of_(p, k, to, CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT); /* at its own place: the force there */
      for (d = 0; d < 3; d++) before[d] = convk_pairs_fold_(p->change.force + d * CONVK_PAIRS_LANES_);
      convk_normal_(seed, sweep, k, w, normal);
      convk_vmc_drift_(step, before, drift);
      for (d = 0; d < 3; d++) to[d] += drift[d] + step * normal[d];
    } else
      for (d = 0; d < 3; d++) to[d] += step * (2 * u[d] - 1);
    convk_vmc_pairs_of_(p, k, to, job->vmc->drift ? CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT : CONVK_PAIR_LN_PSI);
    for (d = 0; d < 3; d++) way[d] = (double)p->change.row.at[1][d] - at[d]; /* as it was rounded */
    change = convk_pairs_change_of_(&p->run->terms, &p->change);
    chance = 2 * change;
    if (job->vmc->drift) {
      for (d = 0; d < 3; d++) after[d] = convk_pairs_fold_(p->change.force + (3 + d) * CONVK_PAIRS_LANES_);
      chance += convk_vmc_return_(step, way, before, after);
    }
    if (!convk_vmc_accepts_(chance, u[3])) continue;
    for (d = 0; d < 3; d++) p->x[d * p->padded + k] = p->change.row.at[1][d];
    p->ln_psi += change;
    accepted++;
  }
  return accepted;
}

/* All pairs of coordinates in whole blocks; *gradient as pair_walker. */
CONVK_RARE_ int convk_vmc_pairs_(const convk_vmc_walker_ *p, int want, const CONVK_T *x, convk_pair_result *result,
                                 double **gradient) {
  return convk_pairs_walker_(p->run->kernels, &p->run->terms, p->hw, want, p->job->n, x, p->padded, result, p->scratch,
                             gradient);
}

/* Moves all particles of a walker at once; adds 1 to *accepted if the move is accepted. */
CONVK_RARE_ int convk_vmc_all_(convk_vmc_walker_ *p, size_t w, uint64_t sweep, uint32_t *accepted) {
  const convk_vmc_job_ *job = p->job;
  const int drift = job->vmc->drift, want = drift ? CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT : CONVK_PAIR_LN_PSI;
  convk_pair_result result;
  double u[4], chance, *g = NULL;
  size_t k, d;
  int status = CONVK_OK;
  if (drift) {
    status = convk_vmc_pairs_(p, want, p->x, &result, &g);
    if (status) return status;
    memcpy(p->g, g, 3 * p->padded * sizeof *g);
  }
  for (k = 0; k < job->n; k++) {
    double force[3] = {0, 0, 0}, move[3];
    for (d = 0; d < 3 && drift; d++) force[d] = p->g[d * p->padded + k];
    if (drift) convk_normal_(job->vmc->seed, sweep, k, w, u);
    else convk_random_(job->vmc->seed, sweep, k, w, CONVK_RANDOM_MOVE_, u);
    convk_vmc_move_(drift, job->step, force, u, move);
    for (d = 0; d < 3; d++) p->to[d * p->padded + k] = (CONVK_T)((double)p->x[d * p->padded + k] + move[d]);
  }
  status = convk_vmc_pairs_(p, want, p->to, &result, &g);
  if (status) return status;
  chance = 2 * (result.ln_psi - p->ln_psi);
  for (k = 0; drift && k < job->n; k++) {
    double way[3], before[3], after[3];
    for (d = 0; d < 3; d++) {
      way[d] = (double)p->to[d * p->padded + k] - (double)p->x[d * p->padded + k];
      before[d] = p->g[d * p->padded + k];
      after[d] = g[d * p->padded + k];
    }
    chance += convk_vmc_return_(job->step, way, before, after);
  }
  convk_random_(job->vmc->seed, sweep, job->n, w, CONVK_RANDOM_ACCEPT_, u);
  if (!convk_vmc_accepts_(chance, u[3])) return CONVK_OK;
  memcpy(p->x, p->to, 3 * p->padded * sizeof *p->x);
  p->ln_psi = result.ln_psi;
  ++*accepted;
  return CONVK_OK;
}

/* Brings a cluster back to where coordinates have all their digits, and particles of a box into it. */
CONVK_RARE_ void convk_vmc_recentre_(convk_vmc_walker_ *p) {
  const convk_vmc_job_ *job = p->job;
  size_t d, k;
  for (d = 0; d < 3; d++) {
    CONVK_T *x = p->x + d * p->padded;
    double mean = 0, off;
    for (k = 0; k < job->n; k++) mean += (double)x[k];
    off = convk_vmc_off_(mean / (double)job->n);
    for (k = 0; k < job->n; k++)
      x[k] = (CONVK_T)(p->run->terms.periodic ? convk_vmc_inside_((double)x[k], job->vmc->system.box[d]) : (double)x[k] - off);
  }
}

/* Takes walker w of this part through a batch of sweeps; the caller's coordinates change only when all of it is done. */
CONVK_RARE_ int convk_vmc_walk_(const convk_vmc_cpu_ *run, convk *hw, size_t w, double *scratch) {
  const convk_vmc_job_ *job = run->job;
  convk_vmc_walker_ walker, *p = &walker;
  convk_pair_result result;
  CONVK_T *r = (CONVK_T *)job->r + w * 3 * job->n;
  uint32_t accepted = 0;
  size_t i, d, measured = 0;
  double off;
  int status = CONVK_OK;
  p->run = run;
  p->job = job;
  p->hw = hw;
  p->padded = convk_pairs_padded_(job->n);
  p->g = scratch;
  p->scratch = scratch + 3 * p->padded;
  p->x = (CONVK_T *)(void *)(p->scratch + convk_pairs_scratch_(job->n, hw && convk_threads_(hw) > 1));
  p->to = p->x + 3 * p->padded;
  p->limit = p->to + 3 * p->padded;
  p->ln_psi = job->ln_psi[w];
  for (i = 0; i < p->padded; i++) p->limit[i] = i < job->n ? run->terms.limit : 0;
  memset(p->x, 0, 6 * p->padded * sizeof *p->x);
  for (d = 0; d < 3; d++) memcpy(p->x + d * p->padded, r + d * job->n, job->n * sizeof *r);
  job->drift[w] = 0;
  if (job->sweep % CONVK_VMC_BATCH_ == 0 || !convk_finite_f64_(p->ln_psi)) {
    convk_vmc_recentre_(p);
    status = convk_vmc_pairs_(p, CONVK_PAIR_LN_PSI, p->x, &result, NULL);
    off = p->ln_psi - result.ln_psi;
    if (convk_finite_f64_(off)) job->drift[w] = off < 0 ? -off : off;
    p->ln_psi = result.ln_psi;
  }
  for (i = 0; i < job->count && !status; i++) {
    if (job->vmc->moves == CONVK_VMC_MOVE_SINGLE) accepted += convk_vmc_single_(p, job->first + w, job->sweep + i);
    else status = convk_vmc_all_(p, job->first + w, job->sweep + i, &accepted);
    if (status || !convk_vmc_measures_(job->vmc, job->sweep + i)) continue;
    status = convk_vmc_pairs_(p, CONVK_PAIR_ALL, p->x, &result, NULL);
    job->result[measured++ * job->walkers + w] = result;
    off = p->ln_psi - result.ln_psi;
    if (off < 0) off = -off;
    if (off > job->drift[w]) job->drift[w] = off;
    p->ln_psi = result.ln_psi;
  }
  if (status) return status;
  for (d = 0; d < 3; d++) memcpy(r + d * job->n, p->x + d * p->padded, job->n * sizeof *r);
  job->ln_psi[w] = p->ln_psi;
  job->accepted[w] = accepted;
  return CONVK_OK;
}

/* One task's share of the walkers, each by this thread alone. */
CONVK_LOCAL_ void convk_vmc_task_(void *arg, size_t index) {
  const convk_vmc_cpu_ *run = (const convk_vmc_cpu_ *)arg;
  size_t w = convk_share_(run->job->walkers, run->tasks, index);
  for (; w < convk_share_(run->job->walkers, run->tasks, index + 1); w++)
    (void)convk_vmc_walk_(run, NULL, w, (double *)(void *)run->job->base + index * run->scratch);
}

/* All walkers, one after another, each by all threads of the handle. */
CONVK_RARE_ int convk_vmc_in_turn_(void *arg, convk *hw) {
  const convk_vmc_cpu_ *run = (const convk_vmc_cpu_ *)arg;
  size_t w;
  int status = CONVK_OK;
  for (w = 0; w < run->job->walkers && !status; w++) status = convk_vmc_walk_(run, hw, w, (double *)(void *)run->job->base);
  return status;
}

/* Walkers on the threads, or threads on one walker after another. */
CONVK_RARE_ int convk_vmc_advance_cpu_(convk *hw, const convk_vmc_job_ *job, void *ctx) {
  convk_vmc_cpu_ *run = (convk_vmc_cpu_ *)ctx;
  run->job = job;
  if (job->walkers >= run->tasks) return convk_run_tasks_(hw, run->tasks, convk_vmc_task_, run);
  return convk_run_here_(hw, convk_vmc_in_turn_, run);
}

CONVK_RARE_ int convk_vmc_run_cpu_(const convk_pairs_kernels_ *kernels, convk *hw, const convk_vmc *vmc, size_t sweeps,
                                   convk_vmc_state *state, size_t state_size, void *work, size_t work_size) {
  convk_vmc_cpu_ run;
  int status = convk_vmc_run_check_(hw ? hw->message : NULL, vmc, state, state_size, &run.terms);
  run.kernels = kernels;
  if (!status) {
    run.tasks = convk_threads_(hw);
    run.scratch = convk_vmc_scratch_(vmc->system.particles, convk_vmc_walkers_here_(vmc) < run.tasks);
  }
  return convk_vmc_drive_(hw, vmc, sweeps, state, state_size, work, work_size, sizeof(CONVK_T),
                          status ? 0 : convk_vmc_more_(hw, vmc, sizeof(CONVK_T)), status, convk_vmc_advance_cpu_, &run);
}
