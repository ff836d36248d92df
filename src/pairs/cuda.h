#if CONVK_HAS_VMC_
/* ------------------------------------------------------------------------------------------------------ device arrays -- */

/* Parts of the work of pair_energy, in bytes from its aligned beginning. */
typedef struct convk_cuda_pair_cut_ {
  size_t tiles, slices, once, places, at_once; /* at_once: walkers whose partial sums it has */
  size_t sums, partial, squares, arrived, need;
} convk_cuda_pair_cut_;

CONVK_LOCAL_ int convk_cuda_pair_cut_of_(size_t n, size_t walkers, convk_cuda_pair_cut_ *cut) {
  size_t end = 0, each;
  int status;
  memset(cut, 0, sizeof *cut);
  cut->at_once = walkers;
  if (n > (size_t)1 << 30) return CONVK_ERR_OVERFLOW;
  if (n <= CONVK_CUDA_PAIR_SMALL_ || !walkers) return CONVK_OK;
  cut->tiles = convk_ceil_(n, CONVK_CUDA_PAIR_TILE_);
  cut->slices = cut->tiles / 2;
  if (cut->slices > CONVK_CUDA_PAIR_SLICES_) cut->slices = CONVK_CUDA_PAIR_SLICES_;
  cut->once = cut->tiles <= CONVK_CUDA_PAIR_ONCE_;
  cut->places = cut->slices + (cut->once ? cut->tiles / 2 : 0);
  each = cut->places * cut->tiles * 3 * CONVK_CUDA_PAIR_TILE_ * sizeof(double);
  if (cut->at_once > CONVK_CUDA_PAIR_WORK_ / each) cut->at_once = CONVK_CUDA_PAIR_WORK_ / each;
  if (!cut->at_once) cut->at_once = 1;
  status =
      convk_cuda_reserve_(&end, cut->at_once * cut->tiles, cut->slices, CONVK_CUDA_PAIR_VALUES_, sizeof(double), &cut->sums);
  if (!status) status = convk_cuda_reserve_(&end, cut->at_once, each, 1, 1, &cut->partial);
  if (!status) status = convk_cuda_reserve_(&end, cut->at_once, cut->tiles, 1, sizeof(double), &cut->squares);
  if (!status) status = convk_cuda_reserve_(&end, cut->at_once, 1, 1, sizeof(unsigned), &cut->arrived);
  cut->need = end + 256;
  return status;
}

/* All pairs of walkers; `force`: NULL, or their gradients in doubles, [walkers][3][n]. */
CONVK_LOCAL_ int convk_cuda_pair_run_(const convk_pair_terms_ &c, int want, size_t n, const convk_pair_walkers &full,
                                      const CONVK_T *r, convk_pair_result *result, CONVK_T *gradient, double *force,
                                      const convk_cuda_pair_cut_ &cut, char *base, cudaStream_t stream) {
  size_t first;
  int status = CONVK_OK;
  for (first = 0; first < full.walkers && !status; first += cut.at_once) {
    convk_cuda_pair_args_<CONVK_T> a;
    memset(&a, 0, sizeof a);
    a.c = c;
    a.r = r + first * full.stride;
    a.n = n;
    a.pitch = full.pitch;
    a.stride = full.stride;
    a.walkers = full.walkers - first < cut.at_once ? full.walkers - first : cut.at_once;
    a.want = want;
    a.result = result + first;
    if (want & CONVK_PAIR_GRADIENT) {
      a.gradient = gradient ? gradient + first * full.stride : NULL;
      a.force = force ? force + first * 3 * n : NULL;
    }
    if (!cut.tiles) {
      const size_t blocks = convk_ceil_(a.walkers, CONVK_CUDA_PAIR_SMALL_ / n);
      status = convk_cuda_start_(want == CONVK_PAIR_ALL      ? convk_cuda_pair_small_<CONVK_T, CONVK_PAIR_ALL>
                                 : want == CONVK_PAIR_LN_PSI ? convk_cuda_pair_small_<CONVK_T, CONVK_PAIR_LN_PSI>
                                                             : convk_cuda_pair_small_<CONVK_T, -1>,
                                 blocks, CONVK_CUDA_PAIR_SMALL_, stream, a);
      continue;
    }
    a.tiles = cut.tiles;
    a.slices = cut.slices;
    a.places = cut.places;
    a.tasks = a.walkers * a.tiles * a.slices;
    a.parts = want & CONVK_PAIR_GRADIENT ? cut.tiles : 1;
    a.sums = convk_cuda_at_<double>(base, cut.sums);
    a.partial = convk_cuda_at_<double>(base, cut.partial);
    a.squares = convk_cuda_at_<double>(base, cut.squares);
    a.arrived = convk_cuda_at_<unsigned>(base, cut.arrived);
    status = convk_cuda_start_(want == CONVK_PAIR_ALL ? convk_cuda_pair_all_of_<CONVK_T>(cut.once != 0)
                               : want == CONVK_PAIR_LN_PSI
                                   ? convk_cuda_pair_tiles_<CONVK_T, CONVK_PAIR_LN_PSI, 0>
                                   : convk_cuda_pair_some_of_<CONVK_T>(cut.once && want & CONVK_PAIR_GRADIENT),
                               a.tasks, CONVK_CUDA_PAIR_THREADS_, stream, a);
    if (!status)
      status = convk_cuda_start_(convk_cuda_pair_add_<CONVK_T>, a.walkers * a.parts, CONVK_CUDA_PAIR_ADD_, stream, a);
  }
  return status;
}

CONVK_API_ size_t convk_cuda_pair_energy_work_size(size_t particles, size_t walkers) {
  convk_cuda_pair_cut_ cut;
  return convk_cuda_pair_cut_of_(particles, walkers, &cut) ? (size_t)-1 : cut.need;
}

CONVK_API_ int convk_cuda_pair_energy(const convk_pair_system *system, const convk_pair_walkers *walkers, int want,
                                      const CONVK_T *r, convk_pair_result *result, CONVK_T *gradient, void *work,
                                      size_t work_size, cudaStream_t stream) {
  convk_pair_terms_ terms;
  convk_cuda_pair_cut_ cut;
  convk_pair_walkers full;
  char *base = NULL;
  int status = convk_pair_energy_check_(system, walkers, want, CONVK_PAIR_ADDRESSES_, r, result, gradient, &terms, &full);
  if (status || !full.walkers) return status;
  status = convk_cuda_pair_cut_of_(system->particles, full.walkers, &cut);
  if (!status) status = convk_cuda_work_(NULL, work, work_size, cut.need, &base);
  return status ? status
                : convk_cuda_pair_run_(terms, want ? want : CONVK_PAIR_ALL, system->particles, full, r, result, gradient, NULL,
                                       cut, base, stream);
}

CONVK_LOCAL_ int convk_cuda_pair_values_run_(const convk_pair_terms_ &terms, size_t n, const CONVK_T *r, CONVK_T *v,
                                             cudaStream_t stream) {
  convk_cuda_pair_values_args_<CONVK_T> a;
  if (!n) return CONVK_OK;
  a.c = terms;
  a.r = r;
  a.v = v;
  a.n = n;
  return convk_cuda_start_(convk_cuda_pair_values_<CONVK_T>, convk_ceil_(n, CONVK_CUDA_PAIR_EACH_), CONVK_CUDA_PAIR_EACH_,
                           stream, a);
}

CONVK_API_ int convk_cuda_pair_potential(const convk_pair_potential *potential, size_t n, const CONVK_T *r, CONVK_T *v,
                                         cudaStream_t stream) {
  convk_pair_terms_ terms;
  const int status = convk_pair_values_check_(potential, n, CONVK_PAIR_ADDRESSES_, r, v, &terms);
  return status ? status : convk_cuda_pair_values_run_(terms, n, r, v, stream);
}

/* Threads of a block that goes through n others: enough of them to have some each. */
CONVK_LOCAL_ int convk_cuda_pair_threads_(size_t n, int most) {
  int threads = 32;
  while (threads < most && n > 2 * (size_t)threads) threads *= 2;
  return threads;
}

CONVK_LOCAL_ int convk_cuda_pair_moves_(void (*kernel)(const convk_cuda_pair_move_args_<CONVK_T>),
                                        const convk_pair_terms_ &terms, size_t n, const convk_pair_walkers &full,
                                        size_t particle, CONVK_T *r, const CONVK_T *to, convk_pair_move_result *result,
                                        const unsigned char *accept, CONVK_T *gradient, cudaStream_t stream) {
  convk_cuda_pair_move_args_<CONVK_T> a;
  memset(&a, 0, sizeof a);
  a.c = terms;
  a.r = r;
  a.to = to;
  a.n = n;
  a.pitch = full.pitch;
  a.stride = full.stride;
  a.walkers = full.walkers;
  a.particle = particle;
  a.result = result;
  a.accept = accept;
  a.gradient = gradient;
  return convk_cuda_start_(kernel, full.walkers, convk_cuda_pair_threads_(n, CONVK_CUDA_PAIR_EACH_), stream, a);
}

CONVK_API_ int convk_cuda_pair_move(const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle,
                                    const CONVK_T *r, const CONVK_T *to, convk_pair_move_result *result, cudaStream_t stream) {
  convk_pair_terms_ terms;
  convk_pair_walkers full;
  const int status =
      convk_pair_step_check_(system, walkers, particle, CONVK_PAIR_ADDRESSES_, r, to, result, sizeof *result, &terms, &full);
  if (status || !full.walkers) return status;
  return convk_cuda_pair_moves_(convk_cuda_pair_move_<CONVK_T>, terms, system->particles, full, particle,
                                (CONVK_T *)(uintptr_t)r, to, result, NULL, NULL, stream);
}

CONVK_API_ int convk_cuda_pair_accept(const convk_pair_system *system, const convk_pair_walkers *walkers, size_t particle,
                                      const CONVK_T *to, const unsigned char *accept, CONVK_T *r, CONVK_T *gradient,
                                      cudaStream_t stream) {
  convk_pair_terms_ terms;
  convk_pair_walkers full;
  const int status =
      convk_pair_accept_check_(system, walkers, particle, CONVK_PAIR_ADDRESSES_, to, accept, r, gradient, &terms, &full);
  if (status || !full.walkers) return status;
  return convk_cuda_pair_moves_(convk_cuda_pair_accept_<CONVK_T>, terms, system->particles, full, particle, r, to, NULL, accept,
                                gradient, stream);
}

/* ---- sweeps ---- */

/* Parts of the work of sweeps, in bytes from its aligned beginning. */
typedef struct convk_cuda_vmc_cut_ {
  convk_cuda_pair_cut_ pairs;
  size_t energy, result, to, force[2], need;
} convk_cuda_vmc_cut_;

CONVK_LOCAL_ int convk_cuda_vmc_cut_of_(const convk_vmc &v, convk_cuda_vmc_cut_ *cut) {
  const size_t n = v.system.particles, walkers = convk_vmc_here_(&v), all = v.moves == CONVK_VMC_MOVE_ALL ? walkers : 0;
  size_t end = 0;
  int d, status;
  memset(cut, 0, sizeof *cut);
  status = convk_cuda_pair_cut_of_(n, walkers, &cut->pairs);
  if (!status) status = convk_cuda_reserve_(&end, cut->pairs.need, 1, 1, 1, &cut->energy);
  if (!status) status = convk_cuda_reserve_(&end, walkers, 1, 1, sizeof(convk_pair_result), &cut->result);
  if (!status) status = convk_cuda_reserve_(&end, all, 3, n, sizeof(CONVK_T), &cut->to);
  for (d = 0; d < 2 && !status; d++)
    status = convk_cuda_reserve_(&end, v.drift ? all : 0, 3, n, sizeof(double), &cut->force[d]);
  cut->need = end + 256;
  return status;
}

/* So many sweeps of all walkers, whose coordinates are packed.  anew: as cuda_vmc_sweeps. */
CONVK_LOCAL_ int convk_cuda_vmc_batch_(const convk_pair_terms_ &terms, const convk_vmc &v, const convk_cuda_vmc_cut_ &cut,
                                       uint64_t sweep, size_t count, double step, int anew, CONVK_T *r, double *ln_psi,
                                       convk_pair_result *result, double *drift, uint32_t *accepted, char *base,
                                       cudaStream_t stream) {
  const size_t n = v.system.particles, walkers = convk_vmc_here_(&v);
  const size_t each = CONVK_CUDA_PAIR_EACH_, walker_blocks = convk_ceil_(walkers, each);
  const int threads = convk_cuda_pair_threads_(n, CONVK_CUDA_PAIR_EACH_), all = v.moves == CONVK_VMC_MOVE_ALL;
  const int want = v.drift ? CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT : CONVK_PAIR_LN_PSI;
  convk_pair_result *const own = convk_cuda_at_<convk_pair_result>(base, cut.result);
  char *const energy = base + cut.energy;
  convk_cuda_vmc_args_<CONVK_T> a;
  const convk_pair_walkers full = convk_walkers_packed_(walkers, n);
  size_t done = 0, measured = 0;
  int status = CONVK_OK;
  memset(&a, 0, sizeof a);
  a.c = terms;
  a.n = n;
  a.first = v.part.first;
  a.walkers = walkers;
  a.seed = v.seed;
  a.step = step;
  a.drifts = v.drift;
  a.unset = anew == 1;
  a.all = sweep % CONVK_VMC_BATCH_ == 0 || a.unset;
  a.r = r;
  a.ln_psi = ln_psi;
  a.drift = drift;
  a.accepted = accepted;
  if (a.all || anew) {
    status = convk_cuda_start_(convk_cuda_vmc_recentre_<CONVK_T>, walkers, threads, stream, a);
    if (!status)
      status = convk_cuda_pair_run_(terms, CONVK_PAIR_LN_PSI, n, full, r, own, NULL, NULL, cut.pairs, energy, stream);
    a.result = own;
  }
  if (!status) status = convk_cuda_start_(convk_cuda_vmc_settle_<CONVK_T, 1>, walker_blocks, CONVK_CUDA_PAIR_EACH_, stream, a);
  if (all) {
    a.to = convk_cuda_at_<CONVK_T>(base, cut.to);
    a.before = convk_cuda_at_<double>(base, cut.force[0]);
    a.after = convk_cuda_at_<double>(base, cut.force[1]);
  }
  while (done < count && !status) {
    a.sweep = sweep + done;
    a.count = 1;
    a.result = own;
    if (all) {
      if (v.drift)
        status =
            convk_cuda_pair_run_(terms, want, n, full, r, own, NULL, (double *)(uintptr_t)a.before, cut.pairs, energy, stream);
      if (!status)
        status = convk_cuda_start_(convk_cuda_vmc_propose_<CONVK_T>, convk_ceil_(walkers * n, each), CONVK_CUDA_PAIR_EACH_,
                                   stream, a);
      if (!status)
        status = convk_cuda_pair_run_(terms, want, n, full, a.to, own, NULL, v.drift ? (double *)(uintptr_t)a.after : NULL,
                                      cut.pairs, energy, stream);
      if (!status) status = convk_cuda_start_(convk_cuda_vmc_accept_<CONVK_T>, walkers, threads, stream, a);
    } else {
      while (done + a.count < count && !convk_vmc_measures_(&v, sweep + done + a.count - 1)) a.count++;
      status = convk_cuda_start_(v.drift ? convk_cuda_vmc_single_<CONVK_T, 1> : convk_cuda_vmc_single_<CONVK_T, 0>, walkers,
                                 convk_cuda_pair_threads_(n, CONVK_CUDA_VMC_THREADS_), stream, a);
    }
    done += a.count;
    if (status || !convk_vmc_measures_(&v, sweep + done - 1)) continue;
    a.result = result + measured++ * walkers;
    status = convk_cuda_pair_run_(terms, CONVK_PAIR_ALL, n, full, r, (convk_pair_result *)(uintptr_t)a.result, NULL, NULL,
                                  cut.pairs, energy, stream);
    if (!status)
      status = convk_cuda_start_(convk_cuda_vmc_settle_<CONVK_T, 0>, walker_blocks, CONVK_CUDA_PAIR_EACH_, stream, a);
  }
  return status;
}

CONVK_API_ int convk_cuda_vmc_sweeps(const convk_vmc *vmc, uint64_t sweep, size_t count, double step, int anew, CONVK_T *r,
                                     double *ln_psi, convk_pair_result *result, double *drift, uint32_t *accepted, void *work,
                                     size_t work_size, cudaStream_t stream) {
  convk_pair_terms_ terms;
  convk_cuda_vmc_cut_ cut;
  size_t measured = 0;
  char *base = NULL;
  int status;
  if (!vmc || !r || !ln_psi || !drift || !accepted) return CONVK_ERR_NULL;
  status = convk_vmc_sweeps_check_(vmc, CONVK_PAIR_ADDRESSES_, sweep, count, step, result, &terms, &measured);
  if (!status && (count > CONVK_VMC_BATCH_ - sweep % CONVK_VMC_BATCH_ || anew < 0 || anew > 2)) status = CONVK_ERR_OPTION;
  if (!status && !convk_vmc_here_(vmc)) return CONVK_OK;
  if (!status) status = convk_cuda_vmc_cut_of_(*vmc, &cut);
  if (!status) status = convk_cuda_work_(NULL, work, work_size, cut.need, &base);
  return status ? status
                : convk_cuda_vmc_batch_(terms, *vmc, cut, sweep, count, step, anew, r, ln_psi, result, drift, accepted, base,
                                        stream);
}

CONVK_API_ size_t convk_cuda_vmc_sweeps_work_size(const convk_vmc *vmc) {
  convk_cuda_vmc_cut_ cut;
  if (!vmc || !vmc->system.particles) return 0;
  if (convk_vmc_common_size_(vmc->system.particles, convk_vmc_here_(vmc), sizeof(CONVK_T)) == (size_t)-1) return 0;
  return convk_cuda_vmc_cut_of_(*vmc, &cut) ? 0 : cut.need;
}

/* ---- what pairs/host.h leaves to a device; walkers are packed there ---- */

CONVK_LOCAL_ int convk_pair_values_there_(convk_cuda_host_ *host, const convk_pair_terms_ *terms, void *table, size_t n,
                                          void *values) {
  convk_pair_terms_ there = *terms;
  there.values = (const double *)table;
  return convk_cuda_pair_values_run_(there, n, (const CONVK_T *)values, (CONVK_T *)values, host->stream);
}

CONVK_LOCAL_ int convk_pair_pairs_(convk_cuda_host_ *host, const convk_pair_terms_ *terms, void *table, int want, size_t n,
                                   size_t walkers, void *r, void *result, void *gradient) {
  convk_pair_terms_ there = *terms;
  convk_cuda_pair_cut_ cut;
  void *work = NULL;
  char *base = NULL;
  int status = convk_cuda_pair_cut_of_(n, walkers, &cut);
  if (!status) status = convk_cuda_buffer_(host, CONVK_DEVICE_WORK_, cut.need, &work);
  if (!status) status = convk_cuda_work_(NULL, work, cut.need, cut.need, &base);
  there.values = (const double *)table;
  return status ? status
                : convk_cuda_pair_run_(there, want, n, convk_walkers_packed_(walkers, n), (const CONVK_T *)r,
                                       (convk_pair_result *)result, (CONVK_T *)gradient, NULL, cut, base, host->stream);
}

CONVK_LOCAL_ int convk_pair_step_there_(convk_cuda_host_ *host, const convk_pair_terms_ *terms, void *table, size_t n,
                                        size_t walkers, size_t particle, void *r, void *to, void *result, void *accept,
                                        void *gradient) {
  convk_pair_terms_ there = *terms;
  there.values = (const double *)table;
  return convk_cuda_pair_moves_(result ? convk_cuda_pair_move_<CONVK_T> : convk_cuda_pair_accept_<CONVK_T>, there, n,
                                convk_walkers_packed_(walkers, n), particle, (CONVK_T *)r, (const CONVK_T *)to,
                                (convk_pair_move_result *)result, (const unsigned char *)accept, (CONVK_T *)gradient,
                                host->stream);
}

/* The caller's work is as large as a processor wants it. */
CONVK_LOCAL_ size_t convk_vmc_more_there_(convk *hw, const convk_vmc *vmc, const void *work) {
  return work ? convk_vmc_more_(hw, vmc, sizeof(CONVK_T)) : 0;
}

CONVK_LOCAL_ int convk_vmc_batch_there_(convk_cuda_host_ *host, const convk_pair_terms_ *terms, void *table,
                                        const convk_vmc_job_ *job, void *r, void *ln_psi, void *result, void *drift,
                                        void *accepted) {
  convk_pair_terms_ there = *terms;
  convk_cuda_vmc_cut_ cut;
  void *work = NULL;
  char *base = NULL;
  int status = convk_cuda_vmc_cut_of_(*job->vmc, &cut);
  if (!status) status = convk_cuda_buffer_(host, CONVK_DEVICE_WORK_, cut.need, &work);
  if (!status) status = convk_cuda_work_(NULL, work, cut.need, cut.need, &base);
  there.values = (const double *)table;
  return status ? status
                : convk_cuda_vmc_batch_(there, *job->vmc, cut, job->sweep, job->count, job->step, 2 * job->anew, (CONVK_T *)r,
                                        (double *)ln_psi, (convk_pair_result *)result, (double *)drift, (uint32_t *)accepted,
                                        base, host->stream);
}
#endif
