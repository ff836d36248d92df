/* ---- pair_move and pair_accept ---- */

/* What one particle's rows have summed up. */
typedef struct convk_pairs_change_ {
  CONVK_PAIRS_ALIGNED_ double sum[3 * CONVK_PAIRS_LANES_];
  CONVK_PAIRS_ALIGNED_ double force[6 * CONVK_PAIRS_LANES_];
  convk_pairs_sums_ product;
  convk_pairs_row_ row;
} convk_pairs_change_;

CONVK_RARE_ void convk_pairs_change_begin_(convk_pairs_change_ *s, int want) {
  memset(s->sum, 0, sizeof s->sum);
  if (want & CONVK_PAIR_GRADIENT) memset(s->force, 0, sizeof s->force);
  convk_pairs_sums_clear_(&s->product);
  s->row.want = want;
  s->row.sum = s->sum;
  s->row.force = s->force;
  s->row.product = &s->product;
  s->row.gradient[0] = s->row.gradient[1] = s->row.gradient[2] = NULL;
}

/* ln Psi after less before. */
CONVK_RARE_ double convk_pairs_change_of_(const convk_pairs_terms_ *c, const convk_pairs_change_ *s) {
  const size_t lanes = CONVK_PAIRS_LANES_;
  double lane[CONVK_PAIRS_LANES_], change;
  size_t i;
  for (i = 0; i < lanes; i++) lane[i] = -(c->p[0] * s->sum[i] + c->p[1] * s->sum[lanes + i] + c->p[3] * s->sum[2 * lanes + i]);
  change = convk_pairs_fold_(lane);
  if (c->p[2] > 0 || c->p[2] < 0) change -= 0.5 * c->p[2] * convk_pairs_log_(&s->product);
  return change - c->shift * s->product.sum[7];
}

/* Rows of particle k of a walker whose arrays are as they are; gradient: NULL, or its arrays, which are updated. */
CONVK_RARE_ void convk_pairs_rows_(const convk_pairs_kernels_ *kernels, const convk_pairs_terms_ *c, convk_pairs_change_ *s,
                                   size_t n, size_t k, const CONVK_T *r, CONVK_T *gradient, size_t pitch) {
  CONVK_T part[3 * CONVK_PAIRS_BLOCK_], change[3 * CONVK_PAIRS_BLOCK_], limit[CONVK_PAIRS_BLOCK_];
  size_t begin, d, i;
  for (begin = 0; begin < n; begin += CONVK_PAIRS_BLOCK_) {
    const size_t left = n - begin, count = left < CONVK_PAIRS_BLOCK_ ? left : CONVK_PAIRS_BLOCK_;
    convk_pairs_block_(r, pitch, n, begin / CONVK_PAIRS_BLOCK_, part);
    for (i = 0; i < CONVK_PAIRS_BLOCK_; i++) limit[i] = i < count && begin + i != k ? c->limit : 0;
    for (d = 0; d < 3; d++) {
      s->row.x[d] = part + d * CONVK_PAIRS_BLOCK_;
      if (gradient) s->row.gradient[d] = change + d * CONVK_PAIRS_BLOCK_;
    }
    if (gradient) memset(change, 0, sizeof change);
    s->row.limit = limit;
    s->row.n = convk_round_up_(count, CONVK_PAIRS_LANES_);
    kernels->row(c, &s->row);
    for (d = 0; gradient && d < 3; d++) {
      convk_any_ *to = (convk_any_ *)(gradient + d * pitch + begin);
      for (i = 0; i < count; i++) to[i] += change[d * CONVK_PAIRS_BLOCK_ + i];
    }
  }
}

/* Where a particle is, and where it may go. */
CONVK_LOCAL_ void convk_pairs_places_(convk_pairs_row_ *row, const CONVK_T *from, size_t pitch, size_t particle,
                                      const CONVK_T *to) {
  size_t d;
  for (d = 0; d < 3; d++) {
    row->at[0][d] = ((const convk_any_ *)(from + d * pitch))[particle];
    row->at[1][d] = ((const convk_any_ *)to)[d];
  }
}

/* One particle goes, in the walkers that accept it. */
CONVK_LOCAL_ int convk_pairs_go_(const convk_pair_walkers *full, size_t particle, const CONVK_T *to,
                                 const unsigned char *accept, CONVK_T *r) {
  size_t w, d;
  for (w = 0; w < full->walkers; w++)
    for (d = 0; d < 3 && (!accept || accept[w]); d++)
      memcpy(r + w * full->stride + d * full->pitch + particle, to + 3 * w + d, sizeof *r);
  return CONVK_OK;
}

/* One checked call of either. */
typedef struct convk_pairs_step_job_ {
  const convk_pairs_kernels_ *kernels;
  convk_pairs_terms_ terms;
  convk_pair_walkers full;
  size_t n, particle;
  const CONVK_T *r, *to;
  const unsigned char *accept;
  convk_pair_move_result *result;
  CONVK_T *gradient;
} convk_pairs_step_job_;

CONVK_LOCAL_ void convk_pairs_step_begin_(const convk_pairs_kernels_ *kernels, size_t n, size_t particle, const CONVK_T *r,
                                          const CONVK_T *to, convk_pairs_step_job_ *job) {
  job->kernels = kernels;
  job->n = n;
  job->particle = particle;
  job->r = r;
  job->to = to;
}

/* The rows of a walker's particle; gradient: as pair_rows. */
CONVK_RARE_ void convk_pairs_step_rows_(const convk_pairs_step_job_ *job, size_t w, CONVK_T *gradient, convk_pairs_change_ *s) {
  const CONVK_T *r = job->r + w * job->full.stride;
  convk_pairs_change_begin_(s, CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT);
  convk_pairs_places_(&s->row, r, job->full.pitch, job->particle, job->to + 3 * w);
  convk_pairs_rows_(job->kernels, &job->terms, s, job->n, job->particle, r, gradient, job->full.pitch);
}

CONVK_LOCAL_ void convk_pairs_move_task_(void *arg, size_t index) {
  const convk_pairs_step_job_ *job = (const convk_pairs_step_job_ *)arg;
  convk_pairs_change_ s;
  size_t w, d;
  (void)index;
  for (w = 0; w < job->full.walkers; w++) {
    convk_pairs_step_rows_(job, w, NULL, &s);
    job->result[w].ln_psi = convk_pairs_change_of_(&job->terms, &s);
    for (d = 0; d < 3; d++) {
      job->result[w].before[d] = convk_pairs_fold_(s.force + d * CONVK_PAIRS_LANES_);
      job->result[w].after[d] = convk_pairs_fold_(s.force + (3 + d) * CONVK_PAIRS_LANES_);
    }
  }
}

CONVK_RARE_ int convk_pair_move_cpu_(const convk_pairs_kernels_ *kernels, convk *hw, const convk_pair_system *system,
                                     const convk_pair_walkers *walkers, size_t particle, const CONVK_T *r, const CONVK_T *to,
                                     convk_pair_move_result *result) {
  convk_pairs_step_job_ job;
  char *const message = hw ? hw->message : NULL;
  int status =
      convk_pairs_step_check_(message, system, walkers, particle, CONVK_PAIRS_TABLE_, sizeof *result, &job.terms, &job.full);
  if (!status) status = convk_pairs_step_arrays_(message, system, &job.full, 1, r, to, result, NULL, NULL);
  if (status) return status;
  convk_pairs_step_begin_(kernels, system->particles, particle, r, to, &job);
  job.result = result;
  return convk_run_tasks_(hw, 1, convk_pairs_move_task_, &job);
}

CONVK_LOCAL_ void convk_pairs_accept_task_(void *arg, size_t index) {
  const convk_pairs_step_job_ *job = (const convk_pairs_step_job_ *)arg;
  convk_pairs_change_ s;
  size_t w, d;
  (void)index;
  for (w = 0; w < job->full.walkers; w++) {
    CONVK_T *g = job->gradient + w * job->full.stride;
    if (job->accept && !job->accept[w]) continue;
    convk_pairs_step_rows_(job, w, g, &s);
    for (d = 0; d < 3; d++)
      ((convk_any_ *)(g + d * job->full.pitch))[job->particle] =
          (CONVK_T)convk_pairs_fold_(s.force + (3 + d) * CONVK_PAIRS_LANES_);
  }
}

CONVK_RARE_ int convk_pair_accept_cpu_(const convk_pairs_kernels_ *kernels, convk *hw, const convk_pair_system *system,
                                       const convk_pair_walkers *walkers, size_t particle, const CONVK_T *to,
                                       const unsigned char *accept, CONVK_T *r, CONVK_T *gradient) {
  convk_pairs_step_job_ job;
  char *const message = hw ? hw->message : NULL;
  int status = convk_pairs_step_check_(message, system, walkers, particle, CONVK_PAIRS_TABLE_, 0, &job.terms, &job.full);
  if (!status) status = convk_pairs_step_arrays_(message, system, &job.full, 0, r, to, NULL, accept, gradient);
  if (status) return status;
  convk_pairs_step_begin_(kernels, system->particles, particle, r, to, &job);
  job.accept = accept;
  job.gradient = gradient;
  if (gradient) status = convk_run_tasks_(hw, 1, convk_pairs_accept_task_, &job);
  return status ? status : convk_pairs_go_(&job.full, particle, to, accept, r);
}
