
/* A checked system; full: NULL, or its walkers. */
CONVK_LOCAL_ void CONVK_PRIVATE_(cl_pair_begin)(const CONVK_PRIVATE_(pair_terms) *c, size_t n, const convk_walkers *full,
                                              convk_cl_pair_ *job) {
  memset(job, 0, sizeof *job);
  /* from period to bump_scale the kernels have the same struct */
  memcpy(job->terms, (const char *)c + offsetof(CONVK_PRIVATE_(pair_terms), period), 25 * sizeof(CONVK_T));
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

CONVK_API_ int CONVK_TYPED_(cl_pair_potential)(convk_cl *cl, cl_command_queue queue, const convk_pair_potential *potential,
                                               size_t n, cl_mem r, size_t r_offset, cl_mem v, size_t v_offset, cl_uint num_wait,
                                               const cl_event *wait_list, cl_event *event) {
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  CONVK_PRIVATE_(pair_terms) terms;
  convk_cl_pair_ job;
  convk_cl_part_ part[2];
  const convk_cl_array from = {r, r_offset}, to = {v, v_offset};
  int status = convk_cl_check_(cl);
  if (!status && (!queue || !r || !v || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status) status = CONVK_PRIVATE_(pair_values_check)(potential, n, CONVK_PAIR_TABLE_, NULL, NULL, &terms);
  if (!status) status = convk_cl_precision_(cl, sizeof(CONVK_T), 1);
  if (!status) status = convk_cl_part_of_(cl, r, r_offset, n, sizeof(CONVK_T), 0, &part[0]);
  if (!status) status = convk_cl_part_of_(cl, v, v_offset, n, sizeof(CONVK_T), 1, &part[1]);
  if (!status && !(r == v && r_offset == v_offset)) status = convk_cl_apart_(part, 2);
  if (status) return status;
  CONVK_PRIVATE_(cl_pair_begin)(&terms, 0, NULL, &job);
  if (n) status = convk_cl_pair_values_(&chain, &job, n, &from, &to);
  if (!status && event) status = convk_cl_chain_mark_(&chain);
  return convk_cl_chain_end_(&chain, status, event);
}

/* A checked call on walkers; r: where coordinates lie, gradient: NULL, or laid out as r. */
CONVK_LOCAL_ int CONVK_PRIVATE_(cl_pair_parts)(convk_cl *cl, const CONVK_PRIVATE_(pair_terms) *terms, const convk_walkers *full,
                                             size_t n, int r_written, convk_cl_array r, convk_cl_array gradient,
                                             convk_cl_pair_ *job, convk_cl_part_ part[2]) {
  const size_t span = convk_walkers_span_(full, n);
  int status = convk_cl_precision_(cl, sizeof(CONVK_T), 1);
  if (!status) status = convk_cl_part_of_(cl, r.mem, r.offset, span, sizeof(CONVK_T), r_written, &part[0]);
  if (!status) status = convk_cl_part_of_(cl, gradient.mem, gradient.offset, span, sizeof(CONVK_T), 1, &part[1]);
  CONVK_PRIVATE_(cl_pair_begin)(terms, n, full, job);
  job->r = r;
  job->gradient = gradient;
  return status;
}

CONVK_API_ size_t CONVK_TYPED_(cl_pair_energy_work_size)(const convk_cl *cl, size_t particles, size_t walkers) {
  convk_cl_pair_cut_ cut;
  if (!cl || !particles || !walkers || particles > (size_t)1 << 30 ||
      convk_cl_pair_cut_of_(cl, sizeof(CONVK_T), particles, walkers, 0, &cut))
    return 0;
  return cut.end * sizeof(cl_double);
}

CONVK_API_ int CONVK_TYPED_(cl_pair_energy)(convk_cl *cl, cl_command_queue queue, const convk_pair_system *system,
                                            const convk_walkers *walkers, int want, cl_mem r, size_t r_offset, cl_mem result,
                                            size_t result_offset, cl_mem gradient, size_t gradient_offset, cl_mem work,
                                            cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  const convk_cl_array at = {r, r_offset}, slope = {gradient, gradient_offset};
  CONVK_PRIVATE_(pair_terms) terms;
  convk_cl_part_ part[4];
  convk_cl_pair_cut_ cut;
  convk_cl_pair_ job;
  convk_walkers full;
  int status = convk_cl_check_(cl);
  memset(part, 0, sizeof part);
  if (!status && (!queue || !r || !result || !work || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status)
    status = CONVK_PRIVATE_(pair_energy_check)(system, walkers, want, CONVK_PAIR_TABLE_, NULL, NULL, NULL, &terms, &full);
  if (!status) status = CONVK_PRIVATE_(cl_pair_parts)(cl, &terms, &full, system->particles, 0, at, slope, &job, part);
  if (!status)
    status = convk_cl_part_of_(cl, result, result_offset, job.walkers, sizeof(convk_pair_result), 1, &part[2]);
  if (status) return status;
  if (job.walkers) {
    status = convk_cl_pair_cut_of_(cl, sizeof(CONVK_T), job.n, job.walkers, 0, &cut);
    if (!status) status = convk_cl_part_of_(cl, work, 0, cut.end, sizeof(cl_double), 1, &part[3]);
    if (status == CONVK_ERR_SIZE) status = CONVK_ERR_WORK;
    if (!status) status = convk_cl_apart_(part, 4);
    job.result.mem = result;
    job.result.offset = result_offset * (sizeof(convk_pair_result) / sizeof(cl_double));
    job.work = work;
    if (!status && (!want || (want & CONVK_POTENTIAL))) status = convk_cl_pair_table_(cl, &job);
    if (!status) status = convk_cl_pair_run_(&chain, &job, &cut, want ? want : CONVK_PAIR_ALL, (size_t)-1);
    convk_cl_pair_free_(&job);
  }
  if (!status && event) status = convk_cl_chain_mark_(&chain);
  return convk_cl_chain_end_(&chain, status, event);
}

CONVK_API_ int CONVK_TYPED_(cl_pair_move)(convk_cl *cl, cl_command_queue queue, const convk_pair_system *system,
                                          const convk_walkers *walkers, size_t particle, cl_mem r, size_t r_offset, cl_mem to,
                                          size_t to_offset, cl_mem result, size_t result_offset, cl_uint num_wait,
                                          const cl_event *wait_list, cl_event *event) {
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  const convk_cl_array at = {r, r_offset}, none = {NULL, 0}, place = {to, to_offset};
  CONVK_PRIVATE_(pair_terms) terms;
  convk_cl_part_ part[4];
  convk_cl_pair_ job;
  convk_walkers full;
  int status = convk_cl_check_(cl);
  memset(part, 0, sizeof part);
  if (!status && (!queue || !r || !to || !result || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status)
    status = CONVK_PRIVATE_(pair_step_check)(system, walkers, particle, CONVK_PAIR_TABLE_, NULL, NULL, NULL,
                                             sizeof(convk_pair_move_result), &terms, &full);
  if (!status) status = CONVK_PRIVATE_(cl_pair_parts)(cl, &terms, &full, system->particles, 0, at, none, &job, part);
  if (!status) status = convk_cl_part_of_(cl, to, to_offset, 3 * job.walkers, sizeof(CONVK_T), 0, &part[2]);
  if (!status)
    status = convk_cl_part_of_(cl, result, result_offset, job.walkers, sizeof(convk_pair_move_result), 1, &part[3]);
  if (!status) status = convk_cl_apart_(part, 4);
  if (status) return status;
  job.result.mem = result;
  job.result.offset = result_offset * (sizeof(convk_pair_move_result) / sizeof(cl_double));
  if (job.walkers) status = convk_cl_pair_move_(&chain, &job, particle, &place);
  if (!status && event) status = convk_cl_chain_mark_(&chain);
  return convk_cl_chain_end_(&chain, status, event);
}

CONVK_API_ int CONVK_TYPED_(cl_pair_accept)(convk_cl *cl, cl_command_queue queue, const convk_pair_system *system,
                                            const convk_walkers *walkers, size_t particle, cl_mem to, size_t to_offset,
                                            cl_mem accept, size_t accept_offset, cl_mem r, size_t r_offset, cl_mem gradient,
                                            size_t gradient_offset, cl_uint num_wait, const cl_event *wait_list,
                                            cl_event *event) {
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  const convk_cl_array at = {r, r_offset}, slope = {gradient, gradient_offset}, place = {to, to_offset};
  const convk_cl_array chosen = {accept, accept_offset};
  CONVK_PRIVATE_(pair_terms) terms;
  convk_cl_part_ part[4];
  convk_cl_pair_ job;
  convk_walkers full;
  int status = convk_cl_check_(cl);
  memset(part, 0, sizeof part);
  if (!status && (!queue || !r || !to || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status)
    status = CONVK_PRIVATE_(pair_accept_check)(system, walkers, particle, CONVK_PAIR_TABLE_, NULL, NULL, NULL, NULL, &terms, &full);
  if (!status) status = CONVK_PRIVATE_(cl_pair_parts)(cl, &terms, &full, system->particles, 1, at, slope, &job, part);
  if (!status) status = convk_cl_part_of_(cl, to, to_offset, 3 * job.walkers, sizeof(CONVK_T), 0, &part[2]);
  if (!status) status = convk_cl_part_of_(cl, accept, accept_offset, job.walkers, 1, 0, &part[3]);
  if (!status) status = convk_cl_apart_(part, 4);
  if (status) return status;
  if (job.walkers) status = convk_cl_pair_accept_(&chain, &job, particle, &place, &chosen);
  if (!status && event) status = convk_cl_chain_mark_(&chain);
  return convk_cl_chain_end_(&chain, status, event);
}

CONVK_API_ size_t CONVK_TYPED_(cl_vmc_sweeps_work_size)(const convk_cl *cl, const convk_vmc *vmc) {
  convk_cl_vmc_cut_ cut;
  return !cl || convk_vmc_check_(vmc, CONVK_PAIR_TABLE_) || convk_cl_vmc_cut_of_(cl, sizeof(CONVK_T), vmc, &cut) ? 0 : cut.bytes;
}

/* A checked run, whose walkers are packed. */
CONVK_LOCAL_ void CONVK_PRIVATE_(cl_vmc_system)(const CONVK_PRIVATE_(pair_terms) *terms, const convk_vmc *vmc, convk_cl_vmc_ *job) {
  const convk_walkers all = convk_walkers_packed_(vmc->walkers, vmc->system.particles);
  CONVK_PRIVATE_(cl_pair_begin)(terms, vmc->system.particles, &all, &job->pair);
  memcpy(job->pair.box, vmc->system.box, sizeof job->pair.box);
  job->vmc = vmc;
}

CONVK_API_ int CONVK_TYPED_(cl_vmc_sweeps)(convk_cl *cl, cl_command_queue queue, const convk_vmc *vmc, uint64_t sweep,
                                           size_t count, double step, int anew, cl_mem r, size_t r_offset, cl_mem ln_psi,
                                           size_t ln_psi_offset, cl_mem result, size_t result_offset, cl_mem drift,
                                           size_t drift_offset, cl_mem accepted, size_t accepted_offset, cl_mem work,
                                           cl_uint num_wait, const cl_event *wait_list, cl_event *event) {
  convk_cl_chain_ chain = convk_cl_chain_of_(cl, queue, num_wait, wait_list);
  CONVK_PRIVATE_(pair_terms) terms;
  convk_cl_part_ part[6];
  convk_cl_vmc_cut_ cut;
  convk_cl_vmc_ job;
  size_t measured = 0, bytes;
  int status = convk_cl_check_(cl);
  memset(part, 0, sizeof part);
  memset(&job, 0, sizeof job);
  if (!status && (!queue || !r || !ln_psi || !accepted || !drift || !work || (num_wait && !wait_list))) status = CONVK_ERR_NULL;
  if (!status)
    status = CONVK_PRIVATE_(vmc_sweeps_check)(vmc, CONVK_PAIR_TABLE_, sweep, count, step, result, &terms, &measured);
  if (!status && (anew & ~1)) status = CONVK_ERR_OPTION;
  if (status) return status;
  if (convk_mul_(measured, vmc->walkers, &bytes)) status = CONVK_ERR_OVERFLOW;
  if (!status) status = convk_cl_precision_(cl, sizeof(CONVK_T), 1);
  if (!status) status = convk_cl_vmc_cut_of_(cl, sizeof(CONVK_T), vmc, &cut);
  if (!status) status = convk_cl_part_of_(cl, r, r_offset, 3 * vmc->system.particles * vmc->walkers, sizeof(CONVK_T), 1, &part[0]);
  if (!status) status = convk_cl_part_of_(cl, ln_psi, ln_psi_offset, vmc->walkers, sizeof(cl_double), 1, &part[1]);
  if (!status) status = convk_cl_part_of_(cl, result, result_offset, bytes, sizeof(convk_pair_result), 1, &part[2]);
  if (!status) status = convk_cl_part_of_(cl, accepted, accepted_offset, vmc->walkers, sizeof(cl_uint), 1, &part[3]);
  if (!status) status = convk_cl_part_of_(cl, drift, drift_offset, vmc->walkers, sizeof(cl_double), 1, &part[4]);
  if (status) return status;
  status = convk_cl_part_of_(cl, work, 0, cut.bytes, 1, 1, &part[5]);
  if (status) return status == CONVK_ERR_SIZE ? CONVK_ERR_WORK : status;
  status = convk_cl_apart_(part, 6);
  if (status) return status;
  CONVK_PRIVATE_(cl_vmc_system)(&terms, vmc, &job);
  job.pair.r.mem = r;
  job.pair.r.offset = r_offset;
  job.pair.result.mem = result;
  job.pair.result.offset = result_offset * (sizeof(convk_pair_result) / sizeof(cl_double));
  job.pair.work = work;
  job.sweep = sweep;
  job.count = count;
  job.step = step;
  job.anew = anew;
  job.ln_psi.mem = ln_psi;
  job.ln_psi.offset = ln_psi_offset;
  job.accepted.mem = accepted;
  job.accepted.offset = accepted_offset;
  job.drift.mem = drift;
  job.drift.offset = drift_offset;
  status = convk_cl_pair_table_(cl, &job.pair);
  if (!status) status = convk_cl_vmc_run_(&chain, &job, &cut);
  convk_cl_pair_free_(&job.pair);
  if (!status && event) status = convk_cl_chain_mark_(&chain);
  return convk_cl_chain_end_(&chain, status, event);
}

/* ---- host arrays ----
   The operations for a handle of "opencl": what they are given is copied, they run, what they give is copied back, and they wait.
   Errors as those of convk.h, and HANDLE for other handles, FP64, BUILD, DEVICE, UNSUPPORTED, with hw->message.  `work` is
   ignored, but that of vmc_run is host memory as on a processor. */

CONVK_API_ int CONVK_VARIANT_(pair_potential) CONVK_OP_PAIR_POTENTIAL_(CONVK_OP_PARAMETERS_) {
  convk_cl_host_ *host = NULL;
  convk_cl_chain_ chain;
  CONVK_PRIVATE_(pair_terms) terms;
  convk_cl_pair_ job;
  convk_cl_array at = {NULL, 0};
  int status = convk_cl_host_of_(hw, &host);
  if (!status) status = CONVK_PRIVATE_(pair_values_check)(potential, n, CONVK_PAIR_HOST_, r, v, &terms);
  if (status) return status;
  status = convk_cl_precision_(&host->cl, sizeof(CONVK_T), 1);
  if (status || !n) return convk_cl_report_(hw, host, status);
  CONVK_PRIVATE_(cl_pair_begin)(&terms, 0, NULL, &job);
  chain = convk_cl_chain_of_(&host->cl, host->queue, 0, NULL);
  status = convk_cl_pair_bring_(host, CONVK_CL_IN_, r, n * sizeof *r, &at.mem);
  if (!status) status = convk_cl_pair_values_(&chain, &job, n, &at, &at);
  status = convk_cl_chain_end_(&chain, status, NULL);
  if (!status) status = convk_cl_pair_fetch_(host, at.mem, 0, n * sizeof *v, v);
  return convk_cl_report_(hw, host, convk_cl_wait_(host, status));
}

/* Coordinates go to the device, where they are packed. */
CONVK_LOCAL_ int CONVK_PRIVATE_(cl_pair_up)(convk_cl_host_ *host, const CONVK_PRIVATE_(pair_terms) *terms,
                                          const convk_walkers *full, size_t n, const CONVK_T *r, convk_grid3 *grid,
                                          convk_cl_pair_ *job) {
  const convk_walkers packed = convk_walkers_packed_(full->walkers, n);
  size_t bytes;
  int status = convk_cl_precision_(&host->cl, sizeof(CONVK_T), 1);
  CONVK_PRIVATE_(cl_pair_begin)(terms, n, &packed, job);
  grid->nx = n;
  grid->ny = 3;
  grid->nz = full->walkers;
  grid->pitch_y = full->pitch;
  grid->pitch_z = full->stride;
  if (!status && convk_mul_(full->walkers, 3 * n * sizeof(CONVK_T), &bytes)) status = CONVK_ERR_OVERFLOW;
  if (!status) status = convk_cl_buffer_(host, CONVK_CL_IN_, bytes, &job->r.mem);
  return status ? status : convk_cl_copy_(host, 0, job->r.mem, grid, sizeof(CONVK_T), (void *)(uintptr_t)r);
}

CONVK_API_ int CONVK_VARIANT_(pair_energy) CONVK_OP_PAIR_ENERGY_(CONVK_OP_PARAMETERS_) {
  convk_cl_host_ *host = NULL;
  convk_cl_chain_ chain;
  CONVK_PRIVATE_(pair_terms) terms;
  convk_cl_pair_cut_ cut;
  convk_cl_pair_ job;
  convk_walkers full;
  convk_grid3 grid;
  size_t n;
  int status = convk_cl_host_of_(hw, &host);
  (void)work;
  (void)work_size;
  if (!status)
    status = CONVK_PRIVATE_(pair_energy_check)(system, walkers, want, CONVK_PAIR_HOST_, r, result, gradient, &terms, &full);
  if (status || !full.walkers) return status;
  n = system->particles;
  want = want ? want : CONVK_PAIR_ALL;
  chain = convk_cl_chain_of_(&host->cl, host->queue, 0, NULL);
  status = CONVK_PRIVATE_(cl_pair_up)(host, &terms, &full, n, r, &grid, &job);
  if (!status) status = convk_cl_pair_cut_of_(&host->cl, sizeof(CONVK_T), n, full.walkers, 0, &cut);
  if (!status) status = convk_cl_buffer_(host, CONVK_CL_WORK_, cut.end * sizeof(cl_double), &job.work);
  if (!status) status = convk_cl_buffer_(host, CONVK_CL_OUT_, full.walkers * sizeof *result, &job.result.mem);
  if (!status && gradient && (want & CONVK_GRADIENT))
    status = convk_cl_buffer_(host, CONVK_CL_VALUES_, full.walkers * 3 * n * sizeof(CONVK_T), &job.gradient.mem);
  if (!status && (want & CONVK_POTENTIAL)) status = convk_cl_pair_table_(&host->cl, &job);
  if (!status) status = convk_cl_pair_run_(&chain, &job, &cut, want, (size_t)-1);
  convk_cl_pair_free_(&job);
  status = convk_cl_chain_end_(&chain, status, NULL);
  if (!status && job.gradient.mem) status = convk_cl_copy_(host, 1, job.gradient.mem, &grid, sizeof(CONVK_T), gradient);
  if (!status) status = convk_cl_pair_fetch_(host, job.result.mem, 0, full.walkers * sizeof *result, result);
  return convk_cl_report_(hw, host, convk_cl_wait_(host, status));
}

CONVK_API_ int CONVK_VARIANT_(pair_move) CONVK_OP_PAIR_MOVE_(CONVK_OP_PARAMETERS_) {
  convk_cl_host_ *host = NULL;
  convk_cl_chain_ chain;
  CONVK_PRIVATE_(pair_terms) terms;
  convk_cl_array place = {NULL, 0};
  convk_cl_pair_ job;
  convk_walkers full;
  convk_grid3 grid;
  int status = convk_cl_host_of_(hw, &host);
  if (!status)
    status = CONVK_PRIVATE_(pair_step_check)(system, walkers, particle, CONVK_PAIR_HOST_, r, to, result, sizeof *result, &terms,
                                             &full);
  if (status || !full.walkers) return status;
  chain = convk_cl_chain_of_(&host->cl, host->queue, 0, NULL);
  status = CONVK_PRIVATE_(cl_pair_up)(host, &terms, &full, system->particles, r, &grid, &job);
  if (!status) status = convk_cl_pair_bring_(host, CONVK_CL_SQUARES_, to, 3 * full.walkers * sizeof *to, &place.mem);
  if (!status) status = convk_cl_buffer_(host, CONVK_CL_OUT_, full.walkers * sizeof *result, &job.result.mem);
  if (!status) status = convk_cl_pair_move_(&chain, &job, particle, &place);
  status = convk_cl_chain_end_(&chain, status, NULL);
  if (!status) status = convk_cl_pair_fetch_(host, job.result.mem, 0, full.walkers * sizeof *result, result);
  return convk_cl_report_(hw, host, convk_cl_wait_(host, status));
}

CONVK_API_ int CONVK_VARIANT_(pair_accept) CONVK_OP_PAIR_ACCEPT_(CONVK_OP_PARAMETERS_) {
  convk_cl_host_ *host = NULL;
  convk_cl_chain_ chain;
  CONVK_PRIVATE_(pair_terms) terms;
  convk_cl_array place = {NULL, 0}, chosen = {NULL, 0};
  convk_cl_pair_ job;
  convk_walkers full;
  convk_grid3 grid;
  int status = convk_cl_host_of_(hw, &host);
  if (!status)
    status = CONVK_PRIVATE_(pair_accept_check)(system, walkers, particle, CONVK_PAIR_HOST_, to, accept, r, gradient, &terms, &full);
  if (status || !full.walkers) return status;
  if (gradient) {
    chain = convk_cl_chain_of_(&host->cl, host->queue, 0, NULL);
    status = CONVK_PRIVATE_(cl_pair_up)(host, &terms, &full, system->particles, r, &grid, &job);
    if (!status) status = convk_cl_pair_bring_(host, CONVK_CL_SQUARES_, to, 3 * full.walkers * sizeof *to, &place.mem);
    if (!status)
      status = convk_cl_buffer_(host, CONVK_CL_VALUES_, full.walkers * job.stride * sizeof(CONVK_T), &job.gradient.mem);
    if (!status) status = convk_cl_copy_(host, 0, job.gradient.mem, &grid, sizeof(CONVK_T), gradient);
    if (!status && accept) status = convk_cl_pair_bring_(host, CONVK_CL_DOTS_, accept, full.walkers, &chosen.mem);
    if (!status) status = convk_cl_pair_accept_(&chain, &job, particle, &place, &chosen);
    status = convk_cl_chain_end_(&chain, status, NULL);
    if (!status) status = convk_cl_copy_(host, 1, job.gradient.mem, &grid, sizeof(CONVK_T), gradient);
    status = convk_cl_wait_(host, status);
  } else
    status = convk_cl_precision_(&host->cl, sizeof(CONVK_T), 1);
  if (!status) status = CONVK_PRIVATE_(pair_go)(&full, particle, to, accept, r); /* here, too, it is one particle that moves */
  return convk_cl_report_(hw, host, status);
}

/* A run between the calls of its driver: coordinates stay on the device. */
typedef struct CONVK_PRIVATE_(cl_vmc_host) {
  convk_cl_host_ *host;
  CONVK_PRIVATE_(pair_terms) terms;
  convk_cl_vmc_ job;
  convk_cl_vmc_cut_ cut;
  int begun;
} CONVK_PRIVATE_(cl_vmc_host);

CONVK_LOCAL_ int CONVK_PRIVATE_(cl_vmc_upload)(CONVK_PRIVATE_(cl_vmc_host) *run, const convk_vmc_job_ *from) {
  const size_t walkers = from->walkers, bytes = 3 * from->n * walkers * sizeof(CONVK_T);
  convk_cl_host_ *host = run->host;
  convk_cl_vmc_ *job = &run->job;
  int status = convk_cl_precision_(&host->cl, sizeof(CONVK_T), 1);
  if (!status) status = convk_cl_vmc_cut_of_(&host->cl, sizeof(CONVK_T), from->vmc, &run->cut);
  if (status) return status;
  CONVK_PRIVATE_(cl_vmc_system)(&run->terms, from->vmc, job);
  status = convk_cl_buffer_(host, CONVK_CL_OUT_, CONVK_VMC_BATCH_ * walkers * sizeof(convk_pair_result), &job->pair.result.mem);
  if (!status) status = convk_cl_buffer_(host, CONVK_CL_DOTS_, 2 * walkers * sizeof(cl_double), &job->ln_psi.mem);
  if (!status) status = convk_cl_buffer_(host, CONVK_CL_SQUARES_, walkers * sizeof(cl_uint), &job->accepted.mem);
  if (!status) status = convk_cl_buffer_(host, CONVK_CL_WORK_, run->cut.bytes, &job->pair.work);
  job->drift.mem = job->ln_psi.mem;
  job->drift.offset = walkers;
  if (!status) status = convk_cl_pair_table_(&host->cl, &job->pair);
  if (!status) status = convk_cl_pair_bring_(host, CONVK_CL_IN_, from->r, bytes, &job->pair.r.mem);
  return status ? status
                : convk_cl_pair_bring_(host, CONVK_CL_DOTS_, from->ln_psi, walkers * sizeof(cl_double), &job->ln_psi.mem);
}

CONVK_LOCAL_ int CONVK_PRIVATE_(cl_vmc_advance)(const convk *hw, const convk_vmc_job_ *to, void *ctx) {
  CONVK_PRIVATE_(cl_vmc_host) *run = (CONVK_PRIVATE_(cl_vmc_host) *)ctx;
  const size_t walkers = to->walkers, doubles = walkers * sizeof(cl_double);
  convk_cl_host_ *host = run->host;
  convk_cl_vmc_ *job = &run->job;
  convk_cl_chain_ chain = convk_cl_chain_of_(&host->cl, host->queue, 0, NULL);
  int status = run->begun ? CONVK_OK : CONVK_PRIVATE_(cl_vmc_upload)(run, to);
  run->begun = 1;
  job->sweep = to->sweep;
  job->count = to->count;
  job->step = to->step;
  job->anew = to->anew;
  if (!status) status = convk_cl_vmc_run_(&chain, job, &run->cut);
  status = convk_cl_chain_end_(&chain, status, NULL);
  if (!status && to->measured)
    status = convk_cl_pair_fetch_(host, job->pair.result.mem, 0, to->measured * walkers * sizeof *to->result, to->result);
  if (!status) status = convk_cl_pair_fetch_(host, job->drift.mem, doubles, doubles, to->drift);
  if (!status) status = convk_cl_pair_fetch_(host, job->accepted.mem, 0, walkers * sizeof(cl_uint), to->accepted);
  if (!status) /* also before the last batch: walkers that escape must be seen */
    status = convk_cl_pair_fetch_(host, job->pair.r.mem, 0, 3 * to->n * walkers * sizeof(CONVK_T), to->r);
  if (!status && to->last) status = convk_cl_pair_fetch_(host, job->ln_psi.mem, 0, doubles, to->ln_psi);
  return convk_cl_report_(hw, host, convk_cl_wait_(host, status));
}

/* Coordinates are on the device from the first sweep to the last; every 16 sweeps energies and coordinates come back. */
CONVK_API_ int CONVK_VARIANT_(vmc_run) CONVK_OP_VMC_RUN_(CONVK_OP_PARAMETERS_) {
  CONVK_PRIVATE_(cl_vmc_host) run;
  int status;
  memset(&run, 0, sizeof run);
  status = convk_cl_host_of_(hw, &run.host);
  if (!status) status = CONVK_PRIVATE_(vmc_run_check)(vmc, state, state_size, &run.terms);
  if (status) return status;
  status = convk_vmc_drive_(hw, vmc, sweeps, state, state_size, work, work_size, sizeof(CONVK_T), 0,
                            CONVK_PRIVATE_(cl_vmc_advance), &run);
  convk_cl_pair_free_(&run.job.pair);
  return status;
}
