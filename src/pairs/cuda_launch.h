/* ------------------------------------------------------------------------------------------------------ device arrays -- */

/* Parts of the work of pair_energy, in bytes from its aligned beginning. */
typedef struct convk_cuda_pairs_cut_ {
  size_t tiles, slices, once, places, at_once; /* at_once: walkers whose partial sums it has */
  size_t sums, partial, squares, arrived, need;
} convk_cuda_pairs_cut_;

CONVK_LOCAL_ int convk_cuda_pairs_cut_of_(size_t n, size_t walkers, convk_cuda_pairs_cut_ *cut) {
  size_t end = 0, each;
  int status;
  memset(cut, 0, sizeof *cut);
  cut->at_once = walkers;
  if (n > (size_t)1 << 30) return CONVK_ERR_OVERFLOW;
  if (n <= CONVK_CUDA_PAIRS_SMALL_ || !walkers) return CONVK_OK;
  cut->tiles = convk_ceil_(n, CONVK_CUDA_PAIRS_TILE_);
  cut->slices = cut->tiles / 2;
  if (cut->slices > CONVK_CUDA_PAIRS_SLICES_) cut->slices = CONVK_CUDA_PAIRS_SLICES_;
  cut->once = cut->tiles <= CONVK_CUDA_PAIRS_ONCE_;
  cut->places = cut->slices + (cut->once ? cut->tiles / 2 : 0);
  each = cut->places * cut->tiles * 3 * CONVK_CUDA_PAIRS_TILE_ * sizeof(double);
  if (cut->at_once > CONVK_CUDA_PAIRS_WORK_ / each) cut->at_once = CONVK_CUDA_PAIRS_WORK_ / each;
  if (!cut->at_once) cut->at_once = 1;
  status = convk_reserve_(&end, cut->at_once * cut->tiles, cut->slices, CONVK_CUDA_PAIRS_VALUES_, sizeof(double), &cut->sums);
  if (!status) status = convk_reserve_(&end, cut->at_once, each, 1, 1, &cut->partial);
  if (!status) status = convk_reserve_(&end, cut->at_once, cut->tiles, 1, sizeof(double), &cut->squares);
  if (!status) status = convk_reserve_(&end, cut->at_once, 1, 1, sizeof(unsigned), &cut->arrived);
  cut->need = end + 256;
  return status;
}

/* All pairs of walkers; `force`: NULL, or their gradients in doubles, [walkers][3][n]. */
CONVK_LOCAL_ int convk_cuda_pairs_run_(const convk_pairs_terms_ &c, int want, size_t n, const convk_pair_walkers &full,
                                       const CONVK_T *r, convk_pair_result *result, CONVK_T *gradient, double *force,
                                       const convk_cuda_pairs_cut_ &cut, char *base, cudaStream_t stream) {
  size_t first;
  int status = CONVK_OK;
  for (first = 0; first < full.walkers && !status; first += cut.at_once) {
    convk_cuda_pairs_args_<CONVK_T> a;
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
      const size_t blocks = convk_ceil_(a.walkers, CONVK_CUDA_PAIRS_SMALL_ / n);
      status = convk_cuda_start_(want == CONVK_PAIR_ALL      ? convk_cuda_pairs_small_<CONVK_T, CONVK_PAIR_ALL>
                                 : want == CONVK_PAIR_LN_PSI ? convk_cuda_pairs_small_<CONVK_T, CONVK_PAIR_LN_PSI>
                                                             : convk_cuda_pairs_small_<CONVK_T, -1>,
                                 blocks, CONVK_CUDA_PAIRS_SMALL_, stream, a);
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
    status = convk_cuda_start_(want == CONVK_PAIR_LN_PSI ? convk_cuda_pairs_tiles_<CONVK_T, CONVK_PAIR_LN_PSI, 0>
                               : want == CONVK_PAIR_ALL  ? cut.once ? convk_cuda_pairs_tiles_<CONVK_T, CONVK_PAIR_ALL, 1>
                                                                    : convk_cuda_pairs_tiles_<CONVK_T, CONVK_PAIR_ALL, 0>
                               : cut.once && want & CONVK_PAIR_GRADIENT ? convk_cuda_pairs_tiles_<CONVK_T, -1, 1>
                                                                        : convk_cuda_pairs_tiles_<CONVK_T, -1, 0>,
                               a.tasks, CONVK_CUDA_PAIRS_THREADS_, stream, a);
    if (!status)
      status = convk_cuda_start_(convk_cuda_pairs_add_<CONVK_T>, a.walkers * a.parts, CONVK_CUDA_PAIRS_ADD_, stream, a);
  }
  return status;
}

/* ---- what pairs/device.h leaves to CUDA, as OpenCL has it in pairs/opencl_launch.h; all of it is checked ---- */

/* What its checks may look at: not at a table, which is on the device. */
CONVK_LOCAL_ int convk_pairs_sees_(void) { return 0; }

/* Bytes of work: an upper bound, also for fewer particles and walkers, of what the cut of a call has. */
CONVK_LOCAL_ int convk_pairs_need_(convk_cuda_machine_ *, char *message, size_t n, size_t walkers, size_t *need) {
  const size_t tiles = convk_ceil_(n, CONVK_CUDA_PAIRS_TILE_), max_slices = CONVK_CUDA_PAIRS_SLICES_,
               once = CONVK_CUDA_PAIRS_ONCE_;
  const size_t places = (tiles / 2 < max_slices ? tiles / 2 : max_slices) + (tiles < once ? tiles : once) / 2;
  const size_t each = places * tiles * 3 * CONVK_CUDA_PAIRS_TILE_ * sizeof(double);
  size_t bytes;
  *need = 0;
  if (n <= CONVK_CUDA_PAIRS_SMALL_ || !walkers) return CONVK_OK;
  if (n > (size_t)1 << 30 || each / places / tiles != 3 * CONVK_CUDA_PAIRS_TILE_ * sizeof(double) || each > (size_t)-1 / 64)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "particles is too large");
  if (convk_mul_(walkers, each, &bytes) || bytes > CONVK_CUDA_PAIRS_WORK_)
    bytes = each > CONVK_CUDA_PAIRS_WORK_ ? each : CONVK_CUDA_PAIRS_WORK_; /* gradients, of as many walkers as fit */
  /* what else there is of a walker and a tile: sums of each slice, a square, and a counter, where gradients have places times
     192 doubles */
  *need = bytes + convk_ceil_(bytes, 192) * (CONVK_CUDA_PAIRS_VALUES_ + 2) + 5 * 256;
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_pairs_table_begin_(convk_cuda_call_ *, const convk_pairs_terms_ *terms, void **table) {
  *table = (void *)(uintptr_t)terms->values;
  return CONVK_OK;
}
CONVK_LOCAL_ void convk_pairs_table_end_(void *) {}

CONVK_LOCAL_ int convk_pairs_values_start_(convk_cuda_call_ *call, const convk_pairs_terms_ *terms, void *table, size_t n,
                                           const CONVK_T *r, CONVK_T *v) {
  convk_cuda_pairs_values_args_<CONVK_T> a;
  a.c = *terms;
  a.c.values = (const double *)table;
  a.r = r;
  a.v = v;
  a.n = n;
  return convk_cuda_start_(convk_cuda_pairs_values_<CONVK_T>, convk_ceil_(n, CONVK_CUDA_PAIRS_EACH_), CONVK_CUDA_PAIRS_EACH_,
                           call->stream, a);
}

/* all: is for OpenCL. */
CONVK_LOCAL_ int convk_pairs_energy_start_(convk_cuda_call_ *call, const convk_pairs_terms_ *terms, void *table, int want,
                                           size_t n, const convk_pair_walkers *full, size_t, const CONVK_T *r,
                                           convk_pair_result *result, CONVK_T *gradient, void *work) {
  convk_pairs_terms_ device_terms = *terms;
  convk_cuda_pairs_cut_ cut;
  int status = convk_cuda_pairs_cut_of_(n, full->walkers, &cut);
  device_terms.values = (const double *)table;
  return status
             ? status
             : convk_cuda_pairs_run_(device_terms, want, n, *full, r, result, gradient, NULL, cut, (char *)work, call->stream);
}

/* Threads of a block that goes through n others: enough of them to have some each. */
CONVK_LOCAL_ int convk_cuda_pairs_threads_(size_t n, int max_threads) {
  int threads = 32;
  while (threads < max_threads && n > 2 * (size_t)threads) threads *= 2;
  return threads;
}

CONVK_LOCAL_ int convk_cuda_pairs_moves_(void (*kernel)(const convk_cuda_pairs_move_args_<CONVK_T>),
                                         const convk_pairs_terms_ &terms, size_t n, const convk_pair_walkers &full,
                                         size_t particle, CONVK_T *r, const CONVK_T *to, convk_pair_move_result *result,
                                         const unsigned char *accept, CONVK_T *gradient, cudaStream_t stream) {
  convk_cuda_pairs_move_args_<CONVK_T> a;
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
  return convk_cuda_start_(kernel, full.walkers, convk_cuda_pairs_threads_(n, CONVK_CUDA_PAIRS_EACH_), stream, a);
}

CONVK_LOCAL_ int convk_pairs_move_start_(convk_cuda_call_ *call, const convk_pairs_terms_ *terms, size_t n,
                                         const convk_pair_walkers *full, size_t particle, const CONVK_T *r, const CONVK_T *to,
                                         convk_pair_move_result *result) {
  return convk_cuda_pairs_moves_(convk_cuda_pairs_move_<CONVK_T>, *terms, n, *full, particle, (CONVK_T *)(uintptr_t)r, to,
                                 result, NULL, NULL, call->stream);
}

CONVK_LOCAL_ int convk_pairs_accept_start_(convk_cuda_call_ *call, const convk_pairs_terms_ *terms, size_t n,
                                           const convk_pair_walkers *full, size_t particle, const CONVK_T *to,
                                           const unsigned char *accept, CONVK_T *r, CONVK_T *gradient) {
  return convk_cuda_pairs_moves_(convk_cuda_pairs_accept_<CONVK_T>, *terms, n, *full, particle, r, to, NULL, accept, gradient,
                                 call->stream);
}

/* ---- sweeps ---- */

/* Parts of the work of sweeps, in bytes from its aligned beginning. */
typedef struct convk_cuda_vmc_cut_ {
  convk_cuda_pairs_cut_ pairs;
  size_t energy, result, to, force[2], need;
} convk_cuda_vmc_cut_;

/* energy: bytes of the pairs' work. */
CONVK_LOCAL_ int convk_cuda_vmc_cut_of_(const convk_vmc &v, size_t energy, convk_cuda_vmc_cut_ *cut) {
  const size_t n = v.system.particles, walkers = convk_vmc_walkers_here_(&v), all = v.moves == CONVK_VMC_MOVE_ALL ? walkers : 0;
  size_t end = 0;
  int d, status = convk_reserve_(&end, energy, 1, 1, 1, &cut->energy);
  if (!status) status = convk_reserve_(&end, walkers, 1, 1, sizeof(convk_pair_result), &cut->result);
  if (!status) status = convk_reserve_(&end, all, 3, n, sizeof(CONVK_T), &cut->to);
  for (d = 0; d < 2 && !status; d++) status = convk_reserve_(&end, v.drift ? all : 0, 3, n, sizeof(double), &cut->force[d]);
  cut->need = end + 256;
  return status;
}

CONVK_LOCAL_ int convk_vmc_need_(convk_cuda_machine_ *machine, char *message, const convk_vmc *vmc, size_t *need) {
  convk_cuda_vmc_cut_ cut;
  size_t energy = 0;
  int status = convk_pairs_need_(machine, message, vmc->system.particles, convk_vmc_walkers_here_(vmc), &energy);
  if (!status) status = convk_cuda_vmc_cut_of_(*vmc, energy, &cut);
  if (status) return convk_refuse_(message, status, "vmc->walkers times vmc->system.particles is too large");
  *need = cut.need;
  return CONVK_OK;
}

/* Sweeps of one batch, of all walkers, whose coordinates are packed; goes_on: not the first of a call.  Returns how many
   measurements there were by *measured. */
CONVK_LOCAL_ int convk_cuda_vmc_batch_(const convk_pairs_terms_ &terms, const convk_vmc &v, const convk_cuda_vmc_cut_ &cut,
                                       const convk_vmc_sweeps &sweeps, int goes_on, const convk_vmc_walkers_resident &arrays,
                                       size_t *measured_before, char *base, cudaStream_t stream) {
  const uint64_t sweep = sweeps.first;
  const size_t count = sweeps.count;
  const size_t n = v.system.particles, walkers = convk_vmc_walkers_here_(&v);
  const size_t each = CONVK_CUDA_PAIRS_EACH_, walker_blocks = convk_ceil_(walkers, each);
  const int threads = convk_cuda_pairs_threads_(n, CONVK_CUDA_PAIRS_EACH_), all = v.moves == CONVK_VMC_MOVE_ALL;
  const int want = v.drift ? CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT : CONVK_PAIR_LN_PSI;
  convk_pair_result *const own = convk_cuda_at_<convk_pair_result>(base, cut.result);
  char *const energy = base + cut.energy;
  convk_cuda_vmc_args_<CONVK_T> a;
  const convk_pair_walkers full = convk_walkers_packed_(walkers, n);
  size_t done = 0, &measured = *measured_before;
  int status = CONVK_OK;
  memset(&a, 0, sizeof a);
  a.c = terms;
  a.n = n;
  a.goes_on = goes_on;
  a.first = v.part.first;
  a.walkers = walkers;
  a.seed = v.seed;
  a.step = sweeps.step;
  a.drifts = v.drift;
  a.unset = sweeps.anew == 1;
  a.all = sweep % CONVK_VMC_BATCH_ == 0 || a.unset;
  a.r = arrays.r;
  a.ln_psi = arrays.ln_psi;
  a.drift = arrays.drift;
  a.accepted = arrays.accepted;
  if (a.all || sweeps.anew) {
    status = convk_cuda_start_(convk_cuda_vmc_recentre_<CONVK_T>, walkers, threads, stream, a);
    if (!status)
      status = convk_cuda_pairs_run_(terms, CONVK_PAIR_LN_PSI, n, full, a.r, own, NULL, NULL, cut.pairs, energy, stream);
    a.result = own;
  }
  if (!status) status = convk_cuda_start_(convk_cuda_vmc_settle_<CONVK_T, 1>, walker_blocks, CONVK_CUDA_PAIRS_EACH_, stream, a);
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
        status = convk_cuda_pairs_run_(terms, want, n, full, a.r, own, NULL, (double *)(uintptr_t)a.before, cut.pairs, energy,
                                       stream);
      if (!status)
        status = convk_cuda_start_(convk_cuda_vmc_propose_<CONVK_T>, convk_ceil_(walkers * n, each), CONVK_CUDA_PAIRS_EACH_,
                                   stream, a);
      if (!status)
        status = convk_cuda_pairs_run_(terms, want, n, full, a.to, own, NULL, v.drift ? (double *)(uintptr_t)a.after : NULL,
                                       cut.pairs, energy, stream);
      if (!status) status = convk_cuda_start_(convk_cuda_vmc_accept_<CONVK_T>, walkers, threads, stream, a);
    } else {
      while (done + a.count < count && !convk_vmc_measures_(&v, sweep + done + a.count - 1)) a.count++;
      status = convk_cuda_start_(v.drift ? convk_cuda_vmc_single_<CONVK_T, 1> : convk_cuda_vmc_single_<CONVK_T, 0>, walkers,
                                 convk_cuda_pairs_threads_(n, CONVK_CUDA_VMC_THREADS_), stream, a);
    }
    done += a.count;
    if (status || !convk_vmc_measures_(&v, sweep + done - 1)) continue;
    a.result = arrays.result + measured++ * walkers;
    status = convk_cuda_pairs_run_(terms, CONVK_PAIR_ALL, n, full, a.r, (convk_pair_result *)(uintptr_t)a.result, NULL, NULL,
                                   cut.pairs, energy, stream);
    if (!status)
      status = convk_cuda_start_(convk_cuda_vmc_settle_<CONVK_T, 0>, walker_blocks, CONVK_CUDA_PAIRS_EACH_, stream, a);
  }
  return status;
}

/* Batches, each to the next sweep that begins with ln Psi anew. */
CONVK_LOCAL_ int convk_vmc_start_(convk_cuda_call_ *call, const convk_pairs_terms_ *terms, void *table, const convk_vmc *vmc,
                                  const convk_vmc_sweeps *sweeps, const convk_vmc_walkers_resident *walkers, void *work) {
  convk_pairs_terms_ device_terms = *terms;
  convk_cuda_vmc_cut_ cut;
  convk_vmc_sweeps some = *sweeps;
  size_t left = sweeps->count, measured = 0;
  int goes_on = 0, status = convk_cuda_pairs_cut_of_(vmc->system.particles, convk_vmc_walkers_here_(vmc), &cut.pairs);
  if (!status) status = convk_cuda_vmc_cut_of_(*vmc, cut.pairs.need, &cut);
  device_terms.values = (const double *)table;
  do {
    some.count = CONVK_VMC_BATCH_ - (size_t)(some.first % CONVK_VMC_BATCH_);
    if (some.count > left) some.count = left;
    if (!status)
      status = convk_cuda_vmc_batch_(device_terms, *vmc, cut, some, goes_on, *walkers, &measured, (char *)work, call->stream);
    some.first += some.count;
    some.anew = 0;
    left -= some.count;
    goes_on = 1;
  } while (left && !status);
  return status;
}
