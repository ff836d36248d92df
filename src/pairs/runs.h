/* ---- runs on any hardware ---- */

/* A run in the making: what the hardware advances by some sweeps at a time. */
typedef struct convk_vmc_job_ {
  const convk_vmc *vmc;
  size_t n, first, walkers; /* walkers of this part */
  uint64_t sweep;           /* the first of this batch */
  size_t count, measured;   /* sweeps in it, and how many of them end with a measurement */
  int anew, last;           /* anew: some ln Psi are not known, which is so in a first batch only; last: no more batches */
  double step;
  double *ln_psi;            /* of each walker; not a number: not known yet */
  void *r;                   /* [walkers][3][n] of coordinates */
  convk_pair_result *result; /* [CONVK_VMC_BATCH_][walkers], of the sweeps that are measured */
  double *drift;             /* of each walker, the largest; set */
  uint32_t *accepted;        /* of each walker, in this batch; set */
  char *base;                /* work memory of the hardware */
} convk_vmc_job_;

/* Of convk_vmc_sweeps.anew within the library: some ln Psi are not numbers, since they are not known. */
enum { CONVK_VMC_SOME_ANEW_ = 2 };

/* Doubles of scratch of one task on processors. */
CONVK_LOCAL_ size_t convk_vmc_scratch_(size_t n, int threads) {
  return 10 * convk_pairs_padded_(n) + convk_pairs_scratch_(n, threads);
}

/* Bytes of work of a checked run, an upper bound for fewer particles and walkers; (size_t)-1: too large. */
CONVK_RARE_ size_t convk_vmc_work_bytes_(convk *hw, const convk_vmc *vmc, size_t element) {
  const size_t threads = convk_threads_(hw), here = convk_vmc_walkers_here_(vmc), n = vmc->system.particles;
  const size_t common = convk_vmc_common_size_(n, here, element), tasks = here < threads ? 1 : threads;
  size_t bytes, together, energy;
  if (common == (size_t)-1 || convk_mul_(convk_vmc_scratch_(n, 0), tasks * sizeof(double), &bytes) || bytes > (size_t)-1 / 8)
    return (size_t)-1;
  together = threads > 1 ? convk_vmc_scratch_(n, 1) * sizeof(double) : 0;
  if (bytes < together) bytes = together;
  energy = convk_pairs_work_size_(hw, n, here); /* for the minimiser */
  if (energy == (size_t)-1) return energy;
  return common + convk_vmc_record_room_(vmc) + (bytes > energy ? bytes : energy) + 64;
}

CONVK_RARE_ int convk_vmc_work_size_(convk *hw, const convk_vmc *vmc, size_t element, size_t *bytes) {
  char *message;
  size_t need = 0;
  int status = convk_pairs_call_(hw, &message);
  if (!status) status = convk_vmc_check_(message, vmc, CONVK_PAIRS_TABLE_);
  if (!status && !bytes) status = convk_refuse_(message, CONVK_ERR_NULL, "bytes is NULL");
  if (!status) need = convk_vmc_work_bytes_(hw, vmc, element);
  if (need == (size_t)-1)
    status = convk_refuse_(message, CONVK_ERR_OVERFLOW, "vmc->walkers times vmc->system.particles is too large");
  if (!status) *bytes = need;
  return status;
}

/* What all hardware needs of a checked run: of walkers, and the record. */
CONVK_LOCAL_ size_t convk_vmc_least_(const convk_vmc *vmc, size_t element) {
  return convk_vmc_common_size_(vmc->system.particles, convk_vmc_walkers_here_(vmc), element) + convk_vmc_record_room_(vmc);
}

/* What there is of it beyond that. */
CONVK_RARE_ size_t convk_vmc_more_(convk *hw, const convk_vmc *vmc, size_t element) {
  const size_t all = convk_vmc_work_bytes_(hw, vmc, element);
  return all == (size_t)-1 ? 0 : all - convk_vmc_least_(vmc, element) - 64;
}

/* Whether all walkers are where the next batch cannot take them beyond the range of coordinates. */
CONVK_RARE_ int convk_vmc_near_(char *message, const convk_vmc_job_ *job, size_t element) {
  const size_t count = job->walkers * 3 * job->n;
  const double limit = convk_pairs_far_(element) / 2;
  size_t i;
  for (i = 0; i < count; i++) {
    const double x = convk_real_at_(job->r, i, element);
    if (!(CONVK_LESS_EQUAL_(x, limit) && CONVK_LESS_EQUAL_(-limit, x))) {
      return convk_refuse_at_(message, CONVK_ERR_RANGE, "vmc->system does not bind: a particle of walker % has left",
                              (int64_t)(job->first + i / (3 * job->n)), 0, 0);
    }
  }
  return CONVK_OK;
}

/* Another step, by the share of moves that were accepted since the last time; it grows to 11/6 of itself at most, where half
   are wanted, and falls to a half (set by hand).  In no batch, walkers leave the range of
   coordinates; longer steps are no better in a box: without a limit they grow for ever where it is dilute. */
CONVK_RARE_ void convk_vmc_tune_(const convk_vmc *vmc, convk_vmc_state_ *s) {
  const double wanted = vmc->acceptance > 0 ? vmc->acceptance : 0.5, have = (double)s->accepted / (double)s->tried;
  double factor = (have + 0.1) / (wanted + 0.1),
         max_step = CONVK_VMC_STEP_(convk_pairs_far_(memcmp(s->kind, "vmc f32", 8) ? sizeof(double) : sizeof(float)));
  int d;
  if (vmc->acceptance < 0) return;
  if (factor < 0.5) factor = 0.5;
  for (d = 0; d < 3; d++)
    if (vmc->system.box[0] > 0 && max_step > 0.5 * vmc->system.box[d]) max_step = 0.5 * vmc->system.box[d];
  if (factor < 1 || s->step < max_step) s->step = s->step * factor < max_step || factor < 1 ? s->step * factor : max_step;
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

/* The means of the first measurement over all walkers, about which squares are summed. */
CONVK_RARE_ int convk_vmc_shift_(const convk_vmc_job_ *job, convk_vmc_record_ *record, int status,
                                 double shift[CONVK_VMC_SERIES_]) {
  const convk_vmc *vmc = job->vmc;
  const double *total;
  double v[CONVK_VMC_SERIES_];
  size_t w, count = 0;
  int i;
  convk_vmc_record_begin_(vmc, CONVK_VMC_SERIES_, 1, status, record);
  for (w = 0; w < job->walkers && !status; w++) {
    convk_vmc_series_(job->result + w, convk_pairs_hbar2_2m_(&vmc->system), v);
    count = convk_vmc_grow_(record, count, job->first + w, 0, v, CONVK_VMC_SERIES_);
  }
  status = convk_vmc_share_(vmc, record);
  if (status) return status;
  total = convk_vmc_total_(record);
  for (i = 0; i < CONVK_VMC_SERIES_; i++) shift[i] = total[i] / (double)vmc->walkers;
  return CONVK_OK;
}

/* What a batch has brought, in all parts; status: that of this one. */
CONVK_RARE_ int convk_vmc_count_(convk_vmc_state_ *s, const convk_vmc_job_ *job, convk_vmc_record_ *record, int status) {
  const convk_vmc *vmc = job->vmc;
  const double n = (double)job->n, pairs = 0.5 * n * (n - 1) * (double)vmc->walkers;
  /* rows have a pair before and after each, twice */
  const double share = (vmc->moves == CONVK_VMC_MOVE_SINGLE ? 4 : 1) * (vmc->drift ? 2 : 1);
  const double hbar2_2m = convk_pairs_hbar2_2m_(&vmc->system), *total;
  const int equilibrates = s->sweep<vmc->equilibration, kink = convk_pairs_cutoff_(&vmc->system)> 0;
  double shift[CONVK_VMC_SERIES_], v[CONVK_VMC_VALUES_];
  size_t i, w, count;
  for (i = 0; i < CONVK_VMC_SERIES_; i++) shift[i] = s->series[i].shift;
  if (job->measured && !s->measured) {
    status = convk_vmc_shift_(job, record, status, shift);
    if (status) return status;
  }
  convk_vmc_record_begin_(vmc, job->measured * CONVK_VMC_VALUES_, 1, status, record);
  for (i = 0; i < job->measured && !status; i++)
    for (w = 0, count = 0; w < job->walkers; w++) {
      convk_vmc_leaf_(job->result + i * job->walkers + w, hbar2_2m, kink, shift, v);
      count = convk_vmc_grow_(record, count, job->first + w, i * CONVK_VMC_VALUES_, v, CONVK_VMC_VALUES_);
    }
  for (w = 0; w < job->walkers && !status; w++) {
    record->accepted += job->accepted[w];
    if (job->drift[w] > record->drift) record->drift = job->drift[w];
  }
  status = convk_vmc_share_(vmc, record);
  if (status) return status;
  total = convk_vmc_total_(record);
  for (i = 0; i < job->measured; i++) convk_vmc_absorb_(s, total + i * CONVK_VMC_VALUES_);
  s->accepted += record->accepted;
  if (record->drift > s->drift) s->drift = record->drift;
  s->tried += (uint64_t)job->count * vmc->walkers * (vmc->moves == CONVK_VMC_MOVE_SINGLE ? job->n : 1);
  s->pairs += pairs * ((double)job->count * share + (double)job->measured + (s->sweep % CONVK_VMC_BATCH_ ? 0 : 1));
  s->sweep += job->count;
  if (equilibrates && (s->sweep % CONVK_VMC_BATCH_ == 0 || s->sweep == vmc->equilibration)) {
    if (s->sweep % CONVK_VMC_BATCH_ == 0) convk_vmc_tune_(vmc, s); /* not after a part of a batch, which says little */
    s->tried = s->accepted = 0;
  }
  return CONVK_OK;
}

/* A run on any hardware: `advance` takes the job's walkers through a batch.  The state changes only when all is done.  status:
   of the checks of this part; other parts wait for it.  more: bytes of work of advance alone, at job->base. */
CONVK_RARE_ int convk_vmc_drive_(convk *hw, const convk_vmc *vmc, size_t sweeps, void *state, size_t state_size, void *work,
                                 size_t work_size, size_t element, size_t more, int status,
                                 int (*advance)(convk *hw, const convk_vmc_job_ *job, void *ctx), void *ctx) {
  char *const message = hw ? hw->message : NULL;
  char *saved;
  size_t walkers, bytes, w;
  convk_vmc_record_ *record;
  convk_vmc_state_ s;
  convk_vmc_job_ job;
  convk_work_ memory;
  if (!vmc) return status;
  memory.own = memory.base = NULL;
  if (!status && sweeps) {
    convk_place_ place[3];
    place[0] = convk_place_of_("work", work, work_size, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
    place[1] = convk_place_of_("state", state, state_size, CONVK_PLACE_WRITTEN_);
    status = convk_vmc_apart_(message, vmc, place, 2);
    if (!status) status = convk_work_begin_(message, &memory, work, work_size, convk_vmc_least_(vmc, element) + more + 64);
  }
  if (!status) memcpy(&s, state, sizeof s);
  status = convk_vmc_agree_(vmc, status ? 0 : convk_vmc_alike_(&s, sweeps), status);
  if (status || !sweeps) {
    convk_work_end_(&memory);
    return status;
  }
  saved = (char *)state + sizeof(convk_vmc_state_);
  walkers = convk_vmc_walkers_here_(vmc);
  bytes = 3 * vmc->system.particles * walkers * element;
  record = (convk_vmc_record_ *)(void *)(memory.base + convk_vmc_common_size_(vmc->system.particles, walkers, element));
  job.vmc = vmc;
  job.n = vmc->system.particles;
  job.first = vmc->part.first;
  job.walkers = walkers;
  job.result = (convk_pair_result *)(void *)memory.base;
  job.ln_psi = (double *)(void *)(job.result + CONVK_VMC_BATCH_ * walkers);
  job.drift = job.ln_psi + walkers;
  job.r = job.drift + walkers;
  job.accepted = (uint32_t *)(void *)((char *)job.r + bytes);
  job.base = memory.base + convk_vmc_least_(vmc, element);
  job.anew = 0;
  memcpy(job.ln_psi, saved, walkers * sizeof(double));
  memcpy(job.r, saved + walkers * sizeof(double), bytes);
  for (w = 0; w < walkers; w++) job.anew |= !convk_finite_f64_(job.ln_psi[w]);
  for (; sweeps && !status; sweeps -= job.count) {
    convk_vmc_batch_(&s, sweeps, &job);
    if (walkers) status = advance(hw, &job, ctx);
    if (!status) status = convk_vmc_near_(message, &job, element);
    status = convk_vmc_count_(&s, &job, record, status);
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
