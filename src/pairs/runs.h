/* ---- runs on any hardware ---- */

/* A run in the making: what the hardware advances by some sweeps at a time. */
typedef struct convk_vmc_job_ {
  const convk_vmc *vmc;
  size_t n, walkers;
  uint64_t sweep;              /* the first of this batch */
  size_t count, measured;      /* sweeps in it, and how many of them end with a measurement */
  int anew, last;              /* anew: some ln Psi are not known, which is so in a first batch only; last: no more batches */
  double step;
  double *ln_psi;              /* of each walker; not a number: not known yet */
  void *r;                     /* [walkers][3][n] of coordinates */
  convk_pair_result *result;   /* [CONVK_VMC_BATCH_][walkers], of the sweeps that are measured */
  double *drift;               /* of each walker, the largest; set */
  uint32_t *accepted;          /* of each walker, in this batch; set */
  char *base;                  /* work memory of the hardware */
} convk_vmc_job_;

/* Doubles of scratch of one task on processors. */
CONVK_LOCAL_ size_t convk_vmc_scratch_(size_t n, int threads) { return 10 * convk_pair_padded_(n) + convk_pair_scratch_(n, threads); }

CONVK_RARE_ size_t convk_vmc_work_size_(const convk *hw, const convk_vmc *vmc, size_t element) {
  const size_t threads = convk_threads_(hw);
  size_t common, tasks, bytes, energy;
  if (convk_vmc_check_(vmc, CONVK_PAIR_HOST_)) return (size_t)-1;
  tasks = vmc->walkers < threads ? 1 : threads;
  common = convk_vmc_common_size_(vmc->system.particles, vmc->walkers, element);
  if (common == (size_t)-1 ||
      convk_mul_(convk_vmc_scratch_(vmc->system.particles, tasks < threads), tasks * sizeof(double), &bytes) ||
      bytes > (size_t)-1 / 8)
    return (size_t)-1;
  energy = convk_pair_work_size_(hw, vmc->system.particles, vmc->walkers, element); /* for the minimiser */
  if (energy == (size_t)-1) return energy;
  return common + (bytes > energy ? bytes : energy) + 64;
}

/* What there is of it beyond what all hardware needs. */
CONVK_RARE_ size_t convk_vmc_more_(const convk *hw, const convk_vmc *vmc, size_t element) {
  const size_t all = convk_vmc_work_size_(hw, vmc, element);
  return all == (size_t)-1 ? 0 : all - convk_vmc_common_size_(vmc->system.particles, vmc->walkers, element) - 64;
}

/* Whether all walkers are where the next batch cannot take them beyond the range of coordinates. */
CONVK_RARE_ int convk_vmc_near_(const convk_vmc_job_ *job, size_t element) {
  const size_t count = job->walkers * 3 * job->n;
  const double most = convk_pair_far_(element) / 2;
  size_t i;
  for (i = 0; i < count; i++) {
    const double x = convk_real_at_(job->r, i, element);
    if (!(x <= most && x >= -most)) return CONVK_ERR_RANGE;
  }
  return CONVK_OK;
}

/* Another step, by the share of moves that were accepted since the last time.  In no batch, walkers leave the range of
   coordinates; longer steps are no better in a box: without a limit they grow for ever where it is dilute. */
CONVK_RARE_ void convk_vmc_tune_(const convk_vmc *vmc, convk_vmc_state_ *s) {
  const double wanted = vmc->acceptance > 0 ? vmc->acceptance : 0.5, have = (double)s->accepted / (double)s->tried;
  double factor = (have + 0.1) / (wanted + 0.1), most = convk_pair_far_(memcmp(s->kind, "vmc f32", 8) ? sizeof(double) : sizeof(float)) / 512;
  int d;
  if (vmc->acceptance < 0) return;
  if (factor < 0.5) factor = 0.5;
  for (d = 0; d < 3; d++)
    if (vmc->system.box[0] > 0 && most > 0.5 * vmc->system.box[d]) most = 0.5 * vmc->system.box[d];
  if (factor < 1 || s->step < most) s->step = s->step * factor < most || factor < 1 ? s->step * factor : most;
}

/* The next batch of up to so many sweeps: to the end of 16, or of equilibration. */
CONVK_LOCAL_ void convk_vmc_batch_(const convk_vmc_state_ *s, size_t sweeps, convk_vmc_job_ *job) {
  size_t i;
  job->sweep = s->sweep;
  job->step = s->step;
  job->count = CONVK_VMC_BATCH_ - (size_t)(s->sweep % CONVK_VMC_BATCH_);
  if (job->count > sweeps) job->count = sweeps;
  if (s->sweep < job->vmc->equilibration && job->count > job->vmc->equilibration - s->sweep)
    job->count = (size_t)(job->vmc->equilibration - s->sweep);
  job->last = job->count == sweeps;
  job->measured = 0;
  for (i = 0; i < job->count; i++) job->measured += (size_t)convk_vmc_measures_(job->vmc, job->sweep + i);
}

/* What a batch has brought. */
CONVK_RARE_ void convk_vmc_count_(convk_vmc_state_ *s, const convk_vmc_job_ *job) {
  const convk_vmc *vmc = job->vmc;
  const double n = (double)job->n, pairs = 0.5 * n * (n - 1) * (double)job->walkers;
  /* rows have a pair before and after each, twice */
  const double share = (vmc->moves == CONVK_MOVE_SINGLE ? 4 : 1) * (vmc->drift ? 2 : 1);
  const int equilibrates = s->sweep < vmc->equilibration;
  size_t i;
  for (i = 0; i < job->measured; i++)
    convk_vmc_absorb_(s, job->result + i * job->walkers, job->walkers, convk_pair_hbar2_2m_(&vmc->system),
                      convk_pair_cutoff_(&vmc->system) > 0);
  for (i = 0; i < job->walkers; i++) {
    s->accepted += job->accepted[i];
    if (job->drift[i] > s->drift) s->drift = job->drift[i];
  }
  s->tried += (uint64_t)job->count * job->walkers * (vmc->moves == CONVK_MOVE_SINGLE ? job->n : 1);
  s->pairs += pairs * ((double)job->count * share + (double)job->measured + (s->sweep % CONVK_VMC_BATCH_ ? 0 : 1));
  s->sweep += job->count;
  if (equilibrates && (s->sweep % CONVK_VMC_BATCH_ == 0 || s->sweep == vmc->equilibration)) {
    if (s->sweep % CONVK_VMC_BATCH_ == 0) convk_vmc_tune_(vmc, s); /* not after a part of a batch, which says little */
    s->tried = s->accepted = 0;
  }
}

/* A checked run on any hardware: `advance` takes the job's walkers through a batch.  The state changes only when all is done.
   more: bytes of work that advance needs beyond what all need, at job->base. */
CONVK_RARE_ int convk_vmc_drive_(const convk *hw, const convk_vmc *vmc, size_t sweeps, void *state, size_t state_size, void *work,
                                 size_t work_size, size_t element, size_t more,
                                 int (*advance)(const convk *hw, const convk_vmc_job_ *job, void *ctx), void *ctx) {
  const size_t n = vmc->system.particles, walkers = vmc->walkers, bytes = 3 * n * walkers * element;
  const size_t common = convk_vmc_common_size_(n, walkers, element);
  char *saved = (char *)state + sizeof(convk_vmc_state_);
  convk_vmc_state_ s;
  convk_vmc_job_ job;
  convk_work_ memory;
  size_t w;
  int status;
  if (!sweeps) return CONVK_OK;
  if (convk_overlap_(work, work_size, state, state_size)) return CONVK_ERR_OVERLAP;
  status = convk_work_begin_(&memory, work, work_size, common + more + 64);
  if (status) return status;
  memcpy(&s, state, sizeof s);
  job.vmc = vmc;
  job.n = n;
  job.walkers = walkers;
  job.result = (convk_pair_result *)(void *)memory.base;
  job.ln_psi = (double *)(void *)(job.result + CONVK_VMC_BATCH_ * walkers);
  job.drift = job.ln_psi + walkers;
  job.r = job.drift + walkers;
  job.accepted = (uint32_t *)(void *)((char *)job.r + bytes);
  job.base = memory.base + common;
  job.anew = 0;
  memcpy(job.ln_psi, saved, walkers * sizeof(double));
  memcpy(job.r, saved + walkers * sizeof(double), bytes);
  for (w = 0; w < walkers; w++) job.anew |= !convk_finite_f64_(job.ln_psi[w]);
  for (; sweeps && !status; sweeps -= job.count) {
    convk_vmc_batch_(&s, sweeps, &job);
    status = advance(hw, &job, ctx);
    if (!status) status = convk_vmc_near_(&job, element);
    if (!status) convk_vmc_count_(&s, &job);
    job.anew = 0;
  }
  if (!status) {
    memcpy(saved, job.ln_psi, walkers * sizeof(double));
    memcpy(saved + walkers * sizeof(double), job.r, bytes);
    convk_vmc_seal_(&s, state);
  }
  convk_work_end_(&memory);
  return status;
}
