#if CONVK_HAS_VMC_
/* A checked system; full: NULL, or its walkers. */
CONVK_LOCAL_ void convk_cl_pair_begin_(const convk_pair_terms_ *c, size_t n, const convk_pair_walkers *full,
                                       convk_cl_pair_ *job) {
  memset(job, 0, sizeof *job);
  /* from period to bump_scale the kernels have the same struct */
  memcpy(job->terms, (const char *)c + offsetof(convk_pair_terms_, period), 25 * sizeof(CONVK_T));
  memcpy(job->scales, c->p, sizeof c->p);
  job->scales[4] = c->shift;
  job->scales[5] = c->hbar2_2m;
  job->scales[6] = c->first;
  job->scales[7] = c->per_spacing;
  memcpy(job->scales + 8, c->edge, sizeof c->edge);
  job->element = sizeof(CONVK_T);
  job->n = n;
  job->kind = c->kind;
  job->bump = c->bump;
  job->periodic = c->periodic;
  job->cut = c->counts;
  job->logarithm = c->p[2] > 0 || c->p[2] < 0;
  job->values = c->values;
  job->entries = c->entries;
  if (!full) return;
  job->walkers = full->walkers;
  job->pitch = full->pitch;
  job->stride = full->stride;
}

CONVK_API_ int convk_cl_pair_potential(convk_cl *cl, cl_command_queue queue, const convk_pair_potential *potential, size_t n,
                                       cl_mem r, size_t r_offset, cl_mem v, size_t v_offset, cl_uint num_wait,
                                       const cl_event *wait_list, cl_event *event) {
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  convk_pair_terms_ terms;
  convk_cl_pair_ job;
  convk_cl_part_ part[2];
  const convk_cl_array from = {r, r_offset}, to = {v, v_offset};
  int status = convk_cl_check_(cl);
  if (!status && (!queue || !r || !v || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status) status = convk_pair_values_check_(cl->message, potential, n, CONVK_PAIR_TABLE_, &terms);
  if (!status) status = convk_cl_precision_(cl, sizeof(CONVK_T), 1);
  if (!status) status = convk_cl_part_of_(cl, r, r_offset, n, sizeof(CONVK_T), 0, &part[0]);
  if (!status) status = convk_cl_part_of_(cl, v, v_offset, n, sizeof(CONVK_T), 1, &part[1]);
  if (!status && !(r == v && r_offset == v_offset)) status = convk_cl_apart_(part, 2);
  if (status) return status;
  convk_cl_pair_begin_(&terms, 0, NULL, &job);
  status = convk_cl_pair_table_(cl, &job);
  if (!status && n) status = convk_cl_pair_values_(&chain, &job, n, &from, &to);
  convk_cl_pair_free_(&job);
  return convk_cl_chain_end_(&chain, status, event);
}

/* A checked call on walkers; r: where coordinates lie, gradient: NULL, or laid out as r. */
CONVK_LOCAL_ int convk_cl_pair_parts_(convk_cl *cl, const convk_pair_terms_ *terms, const convk_pair_walkers *full, size_t n,
                                      int r_written, convk_cl_array r, convk_cl_array gradient, convk_cl_pair_ *job,
                                      convk_cl_part_ part[2]) {
  const size_t span = convk_walkers_span_(full, n);
  int status = convk_cl_precision_(cl, sizeof(CONVK_T), 1);
  if (!status) status = convk_cl_part_of_(cl, r.mem, r.offset, span, sizeof(CONVK_T), r_written, &part[0]);
  if (!status) status = convk_cl_part_of_(cl, gradient.mem, gradient.offset, span, sizeof(CONVK_T), 1, &part[1]);
  convk_cl_pair_begin_(terms, n, full, job);
  job->r = r;
  job->gradient = gradient;
  return status;
}

CONVK_API_ size_t convk_cl_pair_energy_work_size(const convk_cl *cl, size_t particles, size_t walkers) {
  convk_cl_pair_cut_ cut;
  if (!cl || !particles || !walkers || particles > (size_t)1 << 30 ||
      convk_cl_pair_cut_of_(cl, sizeof(CONVK_T), particles, walkers, walkers, 0, &cut))
    return 0;
  return cut.end * sizeof(cl_double);
}

CONVK_API_ int convk_cl_pair_energy(convk_cl *cl, cl_command_queue queue, const convk_pair_system *system,
                                    const convk_pair_walkers *walkers, int want, cl_mem r, size_t r_offset, cl_mem result,
                                    size_t result_offset, cl_mem gradient, size_t gradient_offset, cl_mem work,
                                    cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  const convk_cl_array at = {r, r_offset}, slope = {gradient, gradient_offset};
  convk_pair_terms_ terms;
  convk_cl_part_ part[4];
  convk_cl_pair_cut_ cut;
  convk_cl_pair_ job;
  convk_pair_walkers full;
  int status = convk_cl_check_(cl);
  memset(part, 0, sizeof part);
  if (!status && (!queue || !r || !result || !work || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status) status = convk_pair_energy_check_(cl->message, system, walkers, want, CONVK_PAIR_TABLE_, &terms, &full);
  if (!status) status = convk_cl_pair_parts_(cl, &terms, &full, system->particles, 0, at, slope, &job, part);
  if (!status) status = convk_cl_part_of_(cl, result, result_offset, job.walkers, sizeof(convk_pair_result), 1, &part[2]);
  if (status) return status;
  if (job.walkers) {
    status = convk_cl_pair_cut_of_(cl, sizeof(CONVK_T), job.n, job.walkers, job.walkers, 0, &cut);
    if (!status) status = convk_cl_part_of_(cl, work, 0, cut.end, sizeof(cl_double), 1, &part[3]);
    if (status == CONVK_ERR_SIZE) status = CONVK_ERR_WORK;
    if (!status) status = convk_cl_apart_(part, 4);
    job.result = convk_cl_at_(result, result_offset * (sizeof(convk_pair_result) / sizeof(cl_double)));
    job.work = work;
    if (!status && (!want || (want & CONVK_PAIR_POTENTIAL_ENERGY))) status = convk_cl_pair_table_(cl, &job);
    if (!status) status = convk_cl_pair_run_(&chain, &job, &cut, want ? want : CONVK_PAIR_ALL, (size_t)-1);
    convk_cl_pair_free_(&job);
  }
  return convk_cl_chain_end_(&chain, status, event);
}

/* Either call for a particle's move: pair_move (moves), which has a result, or pair_accept. */
CONVK_LOCAL_ int convk_cl_pair_steps_(convk_cl *cl, cl_command_queue queue, const convk_pair_system *system,
                                      const convk_pair_walkers *walkers, size_t particle, int moves, convk_cl_array r,
                                      convk_cl_array to, convk_cl_array result, convk_cl_array accept, convk_cl_array gradient,
                                      cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  const size_t each = moves ? sizeof(convk_pair_move_result) : 0;
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  convk_pair_terms_ terms;
  convk_cl_part_ part[4];
  convk_cl_pair_ job;
  convk_pair_walkers full;
  int status = convk_cl_check_(cl);
  memset(part, 0, sizeof part);
  if (!status && (!queue || !r.mem || !to.mem || (moves && !result.mem) || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status) status = convk_pair_step_check_(cl->message, system, walkers, particle, CONVK_PAIR_TABLE_, each, &terms, &full);
  if (!status) status = convk_cl_pair_parts_(cl, &terms, &full, system->particles, !moves, r, gradient, &job, part);
  if (!status) status = convk_cl_part_of_(cl, to.mem, to.offset, 3 * job.walkers, sizeof(CONVK_T), 0, &part[2]);
  if (!status && moves) status = convk_cl_part_of_(cl, result.mem, result.offset, job.walkers, each, 1, &part[3]);
  if (!status && !moves) status = convk_cl_part_of_(cl, accept.mem, accept.offset, job.walkers, 1, 0, &part[3]);
  if (!status) status = convk_cl_apart_(part, 4);
  if (status) return status;
  if (moves) job.result = convk_cl_at_(result.mem, result.offset * (each / sizeof(cl_double)));
  if (job.walkers) status = convk_cl_pair_step_(&chain, &job, particle, &to, &accept);
  return convk_cl_chain_end_(&chain, status, event);
}

CONVK_API_ int convk_cl_pair_move(convk_cl *cl, cl_command_queue queue, const convk_pair_system *system,
                                  const convk_pair_walkers *walkers, size_t particle, cl_mem r, size_t r_offset, cl_mem to,
                                  size_t to_offset, cl_mem result, size_t result_offset, cl_uint num_wait,
                                  const cl_event *wait_list, cl_event *event) {
  return convk_cl_pair_steps_(cl, queue, system, walkers, particle, 1, convk_cl_at_(r, r_offset), convk_cl_at_(to, to_offset),
                              convk_cl_at_(result, result_offset), convk_cl_at_(NULL, 0), convk_cl_at_(NULL, 0), num_wait,
                              wait_list, event);
}

CONVK_API_ int convk_cl_pair_accept(convk_cl *cl, cl_command_queue queue, const convk_pair_system *system,
                                    const convk_pair_walkers *walkers, size_t particle, cl_mem to, size_t to_offset,
                                    cl_mem accept, size_t accept_offset, cl_mem r, size_t r_offset, cl_mem gradient,
                                    size_t gradient_offset, cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  return convk_cl_pair_steps_(cl, queue, system, walkers, particle, 0, convk_cl_at_(r, r_offset), convk_cl_at_(to, to_offset),
                              convk_cl_at_(NULL, 0), convk_cl_at_(accept, accept_offset),
                              convk_cl_at_(gradient, gradient_offset), num_wait, wait_list, event);
}

CONVK_API_ size_t convk_cl_vmc_sweeps_work_size(const convk_cl *cl, const convk_vmc *vmc) {
  convk_cl_vmc_cut_ cut;
  return !cl || convk_vmc_check_(NULL, vmc, CONVK_PAIR_TABLE_) || convk_cl_vmc_cut_of_(cl, sizeof(CONVK_T), vmc, &cut)
             ? 0
             : cut.bytes;
}

/* A checked run, whose walkers are packed. */
CONVK_LOCAL_ void convk_cl_vmc_system_(const convk_pair_terms_ *terms, const convk_vmc *vmc, convk_cl_vmc_ *job) {
  const convk_pair_walkers all = convk_walkers_packed_(convk_vmc_here_(vmc), vmc->system.particles);
  convk_cl_pair_begin_(terms, vmc->system.particles, &all, &job->pair);
  memcpy(job->pair.box, vmc->system.box, sizeof job->pair.box);
  job->vmc = vmc;
}

CONVK_API_ int convk_cl_vmc_sweeps(convk_cl *cl, cl_command_queue queue, const convk_vmc *vmc, uint64_t sweep, size_t count,
                                   double step, int anew, cl_mem r, size_t r_offset, cl_mem ln_psi, size_t ln_psi_offset,
                                   cl_mem result, size_t result_offset, cl_mem drift, size_t drift_offset, cl_mem accepted,
                                   size_t accepted_offset, cl_mem work, cl_uint num_wait, const cl_event *wait_list,
                                   cl_event *event) {
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  convk_pair_terms_ terms;
  convk_cl_part_ part[6];
  convk_cl_vmc_cut_ cut;
  convk_cl_vmc_ job;
  size_t measured = 0, walkers, bytes;
  int status = convk_cl_check_(cl);
  memset(part, 0, sizeof part);
  memset(&job, 0, sizeof job);
  if (!status && (!queue || !r || !ln_psi || !accepted || !drift || !work || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status) status = convk_vmc_sweeps_check_(cl->message, vmc, CONVK_PAIR_TABLE_, sweep, count, step, &terms, &measured);
  if (!status && measured && !result) status = CONVK_ERR_NULL;
  if (!status && (anew & ~1)) status = CONVK_ERR_OPTION;
  if (status) return status;
  walkers = convk_vmc_here_(vmc);
  if (!walkers) return convk_cl_chain_end_(&chain, CONVK_OK, event);
  if (convk_mul_(measured, walkers, &bytes)) status = CONVK_ERR_OVERFLOW;
  if (!status) status = convk_cl_precision_(cl, sizeof(CONVK_T), 1);
  if (!status) status = convk_cl_vmc_cut_of_(cl, sizeof(CONVK_T), vmc, &cut);
  if (!status) status = convk_cl_part_of_(cl, r, r_offset, 3 * vmc->system.particles * walkers, sizeof(CONVK_T), 1, &part[0]);
  if (!status) status = convk_cl_part_of_(cl, ln_psi, ln_psi_offset, walkers, sizeof(cl_double), 1, &part[1]);
  if (!status) status = convk_cl_part_of_(cl, result, result_offset, bytes, sizeof(convk_pair_result), 1, &part[2]);
  if (!status) status = convk_cl_part_of_(cl, accepted, accepted_offset, walkers, sizeof(cl_uint), 1, &part[3]);
  if (!status) status = convk_cl_part_of_(cl, drift, drift_offset, walkers, sizeof(cl_double), 1, &part[4]);
  if (status) return status;
  status = convk_cl_part_of_(cl, work, 0, cut.bytes, 1, 1, &part[5]);
  if (status) return status == CONVK_ERR_SIZE ? CONVK_ERR_WORK : status;
  status = convk_cl_apart_(part, 6);
  if (status) return status;
  convk_cl_vmc_system_(&terms, vmc, &job);
  job.pair.r = convk_cl_at_(r, r_offset);
  job.pair.result = convk_cl_at_(result, result_offset * (sizeof(convk_pair_result) / sizeof(cl_double)));
  job.pair.work = work;
  job.sweep = sweep;
  job.count = count;
  job.step = step;
  job.anew = job.unset = anew;
  job.ln_psi = convk_cl_at_(ln_psi, ln_psi_offset);
  job.accepted = convk_cl_at_(accepted, accepted_offset);
  job.drift = convk_cl_at_(drift, drift_offset);
  status = convk_cl_pair_table_(cl, &job.pair);
  if (!status) status = convk_cl_vmc_run_(&chain, &job, &cut);
  convk_cl_pair_free_(&job.pair);
  return convk_cl_chain_end_(&chain, status, event);
}

/* ---- what pairs/host.h leaves to a device; walkers are packed there ---- */

CONVK_LOCAL_ int convk_pair_values_there_(convk_cl_host_ *host, const convk_pair_terms_ *terms, cl_mem table, size_t n,
                                          cl_mem values) {
  convk_cl_chain_ chain = convk_cl_chain_of_(&host->cl, host->queue, 0, NULL);
  const convk_cl_array at = {values, 0};
  convk_cl_pair_ job;
  convk_cl_pair_begin_(terms, 0, NULL, &job);
  job.table = table;
  return convk_cl_chain_end_(&chain, convk_cl_pair_values_(&chain, &job, n, &at, &at), NULL);
}

CONVK_LOCAL_ int convk_pair_pairs_(convk_cl_host_ *host, const convk_pair_terms_ *terms, cl_mem table, int want, size_t n,
                                   size_t walkers, cl_mem r, cl_mem result, cl_mem gradient) {
  convk_cl_chain_ chain = convk_cl_chain_of_(&host->cl, host->queue, 0, NULL);
  const convk_pair_walkers packed = convk_walkers_packed_(walkers, n);
  const size_t all = host->hw->ours.inside.part_of ? host->hw->ours.inside.part_of : walkers;
  convk_cl_pair_cut_ cut;
  convk_cl_pair_ job;
  int status = convk_cl_pair_cut_of_(&host->cl, sizeof(CONVK_T), n, walkers, all, 0, &cut);
  convk_cl_pair_begin_(terms, n, &packed, &job);
  job.table = table;
  job.r.mem = r;
  job.result.mem = result;
  job.gradient.mem = gradient;
  if (!status) status = convk_cl_buffer_(host, CONVK_DEVICE_WORK_, cut.end * sizeof(cl_double), &job.work);
  if (!status) status = convk_cl_pair_run_(&chain, &job, &cut, want, (size_t)-1);
  return convk_cl_chain_end_(&chain, status, NULL);
}

CONVK_LOCAL_ int convk_pair_step_there_(convk_cl_host_ *host, const convk_pair_terms_ *terms, cl_mem table, size_t n,
                                        size_t walkers, size_t particle, cl_mem r, cl_mem to, cl_mem result, cl_mem accept,
                                        cl_mem gradient) {
  convk_cl_chain_ chain = convk_cl_chain_of_(&host->cl, host->queue, 0, NULL);
  const convk_pair_walkers packed = convk_walkers_packed_(walkers, n);
  const convk_cl_array place = {to, 0}, chosen = {accept, 0};
  convk_cl_pair_ job;
  convk_cl_pair_begin_(terms, n, &packed, &job);
  job.table = table;
  job.r.mem = r;
  job.result.mem = result;
  job.gradient.mem = gradient;
  return convk_cl_chain_end_(&chain, convk_cl_pair_step_(&chain, &job, particle, &place, &chosen), NULL);
}

CONVK_LOCAL_ size_t convk_vmc_more_there_(convk *hw, const convk_vmc *vmc, const void *work) {
  (void)hw;
  (void)vmc;
  (void)work;
  return 0;
}

CONVK_LOCAL_ int convk_vmc_batch_there_(convk_cl_host_ *host, const convk_pair_terms_ *terms, cl_mem table,
                                        const convk_vmc_job_ *from, cl_mem r, cl_mem ln_psi, cl_mem result, cl_mem drift,
                                        cl_mem accepted) {
  convk_cl_chain_ chain = convk_cl_chain_of_(&host->cl, host->queue, 0, NULL);
  convk_cl_vmc_cut_ cut;
  convk_cl_vmc_ job;
  int status = convk_cl_vmc_cut_of_(&host->cl, sizeof(CONVK_T), from->vmc, &cut);
  memset(&job, 0, sizeof job);
  convk_cl_vmc_system_(terms, from->vmc, &job);
  job.pair.table = table;
  job.pair.r.mem = r;
  job.pair.result.mem = result;
  job.ln_psi.mem = ln_psi;
  job.drift.mem = drift;
  job.accepted.mem = accepted;
  job.sweep = from->sweep;
  job.count = from->count;
  job.step = from->step;
  job.anew = from->anew;
  if (!status) status = convk_cl_buffer_(host, CONVK_DEVICE_WORK_, cut.bytes, &job.pair.work);
  if (!status) status = convk_cl_vmc_run_(&chain, &job, &cut);
  return convk_cl_chain_end_(&chain, status, NULL);
}
#endif
