/* A checked system; full: NULL, or its walkers. */
CONVK_LOCAL_ void convk_cl_pairs_begin_(const convk_pairs_terms_ *c, size_t n, const convk_pair_walkers *full,
                                        convk_cl_pair_ *job) {
  memset(job, 0, sizeof *job);
  /* from period to bump_scale the kernels have the same struct */
  memcpy(job->terms, (const char *)c + offsetof(convk_pairs_terms_, period), 25 * sizeof(CONVK_T));
  memcpy(job->args.p, c->p, sizeof c->p);
  job->args.shift = c->shift;
  job->args.hbar2_2m = c->hbar2_2m;
  job->args.first = c->first;
  job->args.per_spacing = c->per_spacing;
  memcpy(job->args.edge, c->edge, sizeof c->edge);
  job->args.n = (cl_uint)n;
  job->args.entries = (cl_uint)c->entries;
  job->args.periodic = (cl_uint)c->periodic;
  job->element = sizeof(CONVK_T);
  job->kind = c->kind;
  job->bump = c->bump;
  job->cut = c->counts;
  job->logarithm = c->p[2] > 0 || c->p[2] < 0;
  if (!full) return;
  job->walkers = full->walkers;
  job->args.pitch = full->pitch;
  job->args.stride = full->stride;
}

/* What pairs/device.h leaves to OpenCL, as CUDA has it in pairs/cuda_launch.h; all of it is checked. */

/* What its checks may look at. */
CONVK_LOCAL_ int convk_pairs_sees_(void) { return CONVK_PAIRS_TABLE_; }

/* Bytes of work: 256 more than the cut has, since that begins with a multiple of them. */
CONVK_LOCAL_ int convk_pairs_need_(const convk_cl *cl, char *message, size_t particles, size_t walkers, size_t *need) {
  size_t force, end;
  const int status = convk_cl_pairs_bound_(cl, sizeof(CONVK_T), particles, walkers, 0, &force, &end);
  if (status) return convk_refuse_(message, status, "particles times walkers is too large");
  *need = end * sizeof(cl_double) + 256;
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_vmc_need_(const convk_cl *cl, char *message, const convk_vmc *vmc, size_t *need) {
  const size_t n = vmc->system.particles, walkers = convk_vmc_walkers_here_(vmc), element = sizeof(CONVK_T);
  const int all = vmc->moves == CONVK_VMC_MOVE_ALL, keep = all && vmc->drift;
  size_t force, end, more;
  int status = convk_cl_pairs_bound_(cl, element, n, walkers, keep, &force, &end);
  if (!status && (convk_mul_(walkers, 3 * n + 9, &more) || more > (size_t)-1 / 64)) status = CONVK_ERR_OVERFLOW;
  if (status) return convk_refuse_(message, status, "vmc->walkers times vmc->system.particles is too large");
  end += (keep ? force : 0) + (all ? convk_ceil_(3 * n * walkers * element, sizeof(cl_double)) : 0) + 9 * walkers;
  *need = end * sizeof(cl_double) + 256;
  return CONVK_OK;
}

/* A table of the host goes to the device: small, and with its call.  Kernels in flight keep it. */
CONVK_LOCAL_ int convk_pairs_table_begin_(convk_cl_call_ *call, const convk_pairs_terms_ *terms, cl_mem *table) {
  cl_int error = CL_SUCCESS;
  *table = NULL;
  if (terms->kind != CONVK_POTENTIAL_TABLE) return CONVK_OK;
  *table = clCreateBuffer(call->cl->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, terms->entries * sizeof(cl_double),
                          (void *)(uintptr_t)terms->values, &error);
  if (!error) return CONVK_OK;
  *table = NULL;
  return convk_cl_status_(call->cl, "clCreateBuffer", error);
}
CONVK_LOCAL_ void convk_pairs_table_end_(cl_mem table) {
  if (table) (void)clReleaseMemObject(table);
}

CONVK_LOCAL_ int convk_pairs_values_start_(convk_cl_call_ *call, const convk_pairs_terms_ *terms, cl_mem table, size_t n,
                                           convk_cl_array r, convk_cl_array v) {
  convk_cl_pair_ job;
  convk_cl_pairs_begin_(terms, 0, NULL, &job);
  job.table = table;
  job.r = r;
  job.to = v;
  job.args.count = n;
  return convk_cl_pairs_values_(call, &job);
}

/* all: walkers of all parts, which decide on the order of sums. */
CONVK_LOCAL_ int convk_pairs_energy_start_(convk_cl_call_ *call, const convk_pairs_terms_ *terms, cl_mem table, int want,
                                           size_t n, const convk_pair_walkers *full, size_t all, convk_cl_array r,
                                           convk_cl_array result, convk_cl_array gradient, convk_cl_array work) {
  convk_cl_pairs_cut_ cut;
  convk_cl_pair_ job;
  const int status = convk_cl_pairs_cut_of_(call->cl, sizeof(CONVK_T), n, full->walkers, all, 0, &cut);
  if (status) return convk_refuse_(call->message, status, "system->particles times walkers->walkers is too large");
  convk_cl_pairs_move_(&cut, work.offset / sizeof(cl_double));
  convk_cl_pairs_begin_(terms, n, full, &job);
  job.table = table;
  job.r = r;
  job.gradient = gradient;
  job.result = convk_cl_at_(result.mem, result.offset * (sizeof(convk_pair_result) / sizeof(cl_double)));
  job.work = work.mem;
  return convk_cl_pairs_run_(call, &job, &cut, want, (size_t)-1);
}

CONVK_LOCAL_ int convk_pairs_move_start_(convk_cl_call_ *call, const convk_pairs_terms_ *terms, size_t n,
                                         const convk_pair_walkers *full, size_t particle, convk_cl_array r, convk_cl_array to,
                                         convk_cl_array result) {
  convk_cl_pair_ job;
  convk_cl_pairs_begin_(terms, n, full, &job);
  job.args.particle = (cl_uint)particle;
  job.r = r;
  job.to = to;
  job.result = convk_cl_at_(result.mem, result.offset * (sizeof(convk_pair_move_result) / sizeof(cl_double)));
  return convk_cl_pairs_step_(call, &job);
}

CONVK_LOCAL_ int convk_pairs_accept_start_(convk_cl_call_ *call, const convk_pairs_terms_ *terms, size_t n,
                                           const convk_pair_walkers *full, size_t particle, convk_cl_array to,
                                           convk_cl_array accept, convk_cl_array r, convk_cl_array gradient) {
  convk_cl_pair_ job;
  convk_cl_pairs_begin_(terms, n, full, &job);
  job.args.particle = (cl_uint)particle;
  job.args.chosen = accept.mem != NULL;
  job.args.gradients = gradient.mem != NULL;
  job.r = r;
  job.to = to;
  job.accept = accept;
  job.gradient = gradient;
  return convk_cl_pairs_step_(call, &job);
}

CONVK_LOCAL_ int convk_vmc_start_(convk_cl_call_ *call, const convk_pairs_terms_ *terms, cl_mem table, const convk_vmc *vmc,
                                  const convk_vmc_sweeps *sweeps, const convk_vmc_walkers_resident *walkers,
                                  convk_cl_array work) {
  const convk_pair_walkers all = convk_walkers_packed_(convk_vmc_walkers_here_(vmc), vmc->system.particles);
  convk_cl_vmc_cut_ cut;
  convk_cl_vmc_ job;
  const int status = convk_cl_vmc_cut_of_(call->cl, sizeof(CONVK_T), vmc, work.offset / sizeof(cl_double), &cut);
  if (status) return convk_refuse_(call->message, status, "vmc->walkers times vmc->system.particles is too large");
  memset(&job, 0, sizeof job);
  convk_cl_pairs_begin_(terms, vmc->system.particles, &all, &job.pair);
  memcpy(job.pair.args.box, vmc->system.box, sizeof job.pair.args.box);
  job.vmc = vmc;
  job.pair.table = table;
  job.pair.r = walkers->r;
  job.pair.result = convk_cl_at_(walkers->result.mem, walkers->result.offset * (sizeof(convk_pair_result) / sizeof(cl_double)));
  job.pair.work = work.mem;
  job.pair.args.sweep = sweeps->first;
  job.pair.args.step = sweeps->step;
  job.pair.args.seed = vmc->seed;
  job.pair.args.first_walker = (cl_uint)vmc->part.first;
  job.pair.ln_psi = walkers->ln_psi;
  job.pair.accepted = walkers->accepted;
  job.pair.drift = walkers->drift;
  job.count = sweeps->count;
  job.anew = sweeps->anew != 0;
  job.unset = sweeps->anew == 1;
  return convk_cl_vmc_run_(call, &job, &cut);
}
