/* ------------------------------------------------------------------------------------------------------ device arrays -- */

/* Parts of the work of pair_energy, in bytes from its aligned beginning. */
typedef struct convk_cuda_pair_cut_ {
  size_t tiles, slices, at_once; /* at_once: walkers whose partial sums it has */
  size_t sums, partial, squares, arrived, need;
} convk_cuda_pair_cut_;

CONVK_LOCAL_ int convk_cuda_pair_cut_of_(size_t n, size_t walkers, convk_cuda_pair_cut_ *cut) {
  size_t end = 0, each;
  int status;
  memset(cut, 0, sizeof *cut);
  cut->at_once = walkers;
  if (n > (size_t)1 << 30) return CONVK_ERR_OVERFLOW;
  if (n <= CONVK_CUDA_PAIR_SMALL_ || !walkers) return CONVK_OK;
  cut->tiles = convk_cuda_parts_(n, CONVK_CUDA_PAIR_TILE_);
  cut->slices = cut->tiles / 2;
  if (cut->slices > CONVK_CUDA_PAIR_SLICES_) cut->slices = CONVK_CUDA_PAIR_SLICES_;
  each = cut->slices * cut->tiles * 3 * CONVK_CUDA_PAIR_TILE_ * sizeof(double);
  if (cut->at_once > CONVK_CUDA_PAIR_WORK_ / each) cut->at_once = CONVK_CUDA_PAIR_WORK_ / each;
  if (!cut->at_once) cut->at_once = 1;
  status = convk_cuda_reserve_(&end, cut->at_once * cut->tiles, cut->slices, CONVK_CUDA_PAIR_VALUES_, sizeof(double), &cut->sums);
  if (!status) status = convk_cuda_reserve_(&end, cut->at_once, each, 1, 1, &cut->partial);
  if (!status) status = convk_cuda_reserve_(&end, cut->at_once, cut->tiles, 1, sizeof(double), &cut->squares);
  if (!status) status = convk_cuda_reserve_(&end, cut->at_once, 1, 1, sizeof(unsigned), &cut->arrived);
  cut->need = end + 256;
  return status;
}

/* Work that may be NULL where none is needed. */
CONVK_LOCAL_ int convk_cuda_pair_work_(void *work, size_t work_size, size_t need, char **base) {
  *base = NULL;
  return need ? convk_cuda_work_(work, work_size, need, base) : CONVK_OK;
}

/* All pairs of walkers; `force`: NULL, or their gradients in doubles, [walkers][3][n]. */
template <class T>
static int convk_cuda_pair_run_(const typename convk_cuda_pair_type_<T>::terms &c, int want, size_t n, const convk_walkers &full,
                                const T *r, convk_pair_result *result, T *gradient, double *force,
                                const convk_cuda_pair_cut_ &cut, char *base, cudaStream_t stream) {
  size_t first;
  int status = CONVK_OK;
  for (first = 0; first < full.walkers && !status; first += cut.at_once) {
    convk_cuda_pair_args_<T> a;
    memset(&a, 0, sizeof a);
    a.c = c;
    a.r = r + first * full.stride;
    a.n = n;
    a.pitch = full.pitch;
    a.stride = full.stride;
    a.walkers = full.walkers - first < cut.at_once ? full.walkers - first : cut.at_once;
    a.want = want;
    a.result = result + first;
    if (want & CONVK_GRADIENT) {
      a.gradient = gradient ? gradient + first * full.stride : NULL;
      a.force = force ? force + first * 3 * n : NULL;
    }
    if (!cut.tiles) {
      const size_t blocks = convk_cuda_parts_(a.walkers, CONVK_CUDA_PAIR_SMALL_ / n);
      status = convk_cuda_start_(want == CONVK_PAIR_ALL ? convk_cuda_pair_small_<T, CONVK_PAIR_ALL>
                                 : want == CONVK_LN_PSI ? convk_cuda_pair_small_<T, CONVK_LN_PSI>
                                                        : convk_cuda_pair_small_<T, -1>,
                                 blocks, CONVK_CUDA_PAIR_SMALL_, stream, a);
      continue;
    }
    a.tiles = cut.tiles;
    a.slices = cut.slices;
    a.parts = want & CONVK_GRADIENT ? cut.tiles : 1;
    a.sums = convk_cuda_at_<double>(base, cut.sums);
    a.partial = convk_cuda_at_<double>(base, cut.partial);
    a.squares = convk_cuda_at_<double>(base, cut.squares);
    a.arrived = convk_cuda_at_<unsigned>(base, cut.arrived);
    status = convk_cuda_start_(want == CONVK_PAIR_ALL ? convk_cuda_pair_tiles_<T, CONVK_PAIR_ALL>
                               : want == CONVK_LN_PSI ? convk_cuda_pair_tiles_<T, CONVK_LN_PSI>
                                                      : convk_cuda_pair_tiles_<T, -1>,
                               a.walkers * a.tiles * a.slices, CONVK_CUDA_PAIR_THREADS_, stream, a);
    if (!status)
      status = convk_cuda_start_(convk_cuda_pair_add_<T>, a.walkers * a.parts, CONVK_CUDA_PAIR_ADD_, stream, a);
  }
  return status;
}

template <class T>
static int convk_cuda_pair_energy_(const convk_pair_system *system, const convk_walkers *walkers, int want, const T *r,
                                   convk_pair_result *result, T *gradient, void *work, size_t work_size, cudaStream_t stream) {
  typename convk_cuda_pair_type_<T>::terms terms;
  convk_cuda_pair_cut_ cut;
  convk_walkers full;
  char *base = NULL;
  int status = convk_cuda_pair_energy_check_(T(), system, walkers, want, CONVK_PAIR_ADDRESSES_, r, result, gradient, &terms, &full);
  if (status || !full.walkers) return status;
  status = convk_cuda_pair_cut_of_(system->particles, full.walkers, &cut);
  if (!status) status = convk_cuda_pair_work_(work, work_size, cut.need, &base);
  return status ? status
                : convk_cuda_pair_run_<T>(terms, want ? want : CONVK_PAIR_ALL, system->particles, full, r, result, gradient, NULL,
                                          cut, base, stream);
}

template <class T>
static int convk_cuda_pair_values_run_(const typename convk_cuda_pair_type_<T>::terms &terms, size_t n, const T *r, T *v,
                                       cudaStream_t stream) {
  convk_cuda_pair_values_args_<T> a;
  if (!n) return CONVK_OK;
  a.c = terms;
  a.r = r;
  a.v = v;
  a.n = n;
  return convk_cuda_start_(convk_cuda_pair_values_<T>, convk_cuda_parts_(n, CONVK_CUDA_PAIR_EACH_), CONVK_CUDA_PAIR_EACH_, stream,
                           a);
}

template <class T>
static int convk_cuda_pair_potential_(const convk_pair_potential *potential, size_t n, const T *r, T *v, cudaStream_t stream) {
  typename convk_cuda_pair_type_<T>::terms terms;
  const int status = convk_cuda_pair_values_check_(T(), potential, n, CONVK_PAIR_ADDRESSES_, r, v, &terms);
  return status ? status : convk_cuda_pair_values_run_<T>(terms, n, r, v, stream);
}

/* Threads of a block that goes through n others: enough of them to have some each. */
CONVK_LOCAL_ int convk_cuda_pair_threads_(size_t n, int most) {
  int threads = 32;
  while (threads < most && n > 2 * (size_t)threads) threads *= 2;
  return threads;
}

template <class T>
static int convk_cuda_pair_moves_(void (*kernel)(const convk_cuda_pair_move_args_<T>),
                                  const typename convk_cuda_pair_type_<T>::terms &terms, size_t n, const convk_walkers &full,
                                  size_t particle, T *r, const T *to, convk_pair_move_result *result, const unsigned char *accept,
                                  T *gradient, cudaStream_t stream) {
  convk_cuda_pair_move_args_<T> a;
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

template <class T>
static int convk_cuda_pair_move_device_(const convk_pair_system *system, const convk_walkers *walkers, size_t particle,
                                        const T *r, const T *to, convk_pair_move_result *result, cudaStream_t stream) {
  typename convk_cuda_pair_type_<T>::terms terms;
  convk_walkers full;
  const int status = convk_cuda_pair_step_check_(T(), system, walkers, particle, CONVK_PAIR_ADDRESSES_, r, to, result, sizeof *result,
                                                 &terms, &full);
  if (status || !full.walkers) return status;
  return convk_cuda_pair_moves_<T>(convk_cuda_pair_move_<T>, terms, system->particles, full, particle, (T *)(uintptr_t)r, to,
                                   result, NULL, NULL, stream);
}

template <class T>
static int convk_cuda_pair_accept_device_(const convk_pair_system *system, const convk_walkers *walkers, size_t particle,
                                          const T *to, const unsigned char *accept, T *r, T *gradient, cudaStream_t stream) {
  typename convk_cuda_pair_type_<T>::terms terms;
  convk_walkers full;
  const int status = convk_cuda_pair_accept_check_(T(), system, walkers, particle, CONVK_PAIR_ADDRESSES_, to, accept, r, gradient, &terms,
                                                   &full);
  if (status || !full.walkers) return status;
  return convk_cuda_pair_moves_<T>(convk_cuda_pair_accept_<T>, terms, system->particles, full, particle, r, to, NULL, accept,
                                   gradient, stream);
}

/* ---- sweeps ---- */

/* Parts of the work of sweeps, in bytes from its aligned beginning. */
typedef struct convk_cuda_vmc_cut_ {
  convk_cuda_pair_cut_ pairs;
  size_t energy, result, to, force[2], need;
} convk_cuda_vmc_cut_;

template <class T> static int convk_cuda_vmc_cut_of_(const convk_vmc &v, convk_cuda_vmc_cut_ *cut) {
  const size_t n = v.system.particles, all = v.moves == CONVK_MOVE_ALL ? v.walkers : 0;
  size_t end = 0;
  int d, status;
  memset(cut, 0, sizeof *cut);
  status = convk_cuda_pair_cut_of_(n, v.walkers, &cut->pairs);
  if (!status) status = convk_cuda_reserve_(&end, cut->pairs.need, 1, 1, 1, &cut->energy);
  if (!status) status = convk_cuda_reserve_(&end, v.walkers, 1, 1, sizeof(convk_pair_result), &cut->result);
  if (!status) status = convk_cuda_reserve_(&end, all, 3, n, sizeof(T), &cut->to);
  for (d = 0; d < 2 && !status; d++) status = convk_cuda_reserve_(&end, v.drift ? all : 0, 3, n, sizeof(double), &cut->force[d]);
  cut->need = end + 256;
  return status;
}

/* So many sweeps of all walkers, whose coordinates are packed.  anew: some ln Psi are not known. */
template <class T>
static int convk_cuda_vmc_batch_(const typename convk_cuda_pair_type_<T>::terms &terms, const convk_vmc &v,
                                 const convk_cuda_vmc_cut_ &cut, uint64_t sweep, size_t count, double step, int anew, T *r,
                                 double *ln_psi, convk_pair_result *result, double *drift, uint32_t *accepted, char *base,
                                 cudaStream_t stream) {
  const size_t n = v.system.particles;
  const size_t each = CONVK_CUDA_PAIR_EACH_, walker_blocks = convk_cuda_parts_(v.walkers, each);
  const int threads = convk_cuda_pair_threads_(n, CONVK_CUDA_PAIR_EACH_), all = v.moves == CONVK_MOVE_ALL;
  const int want = v.drift ? CONVK_LN_PSI | CONVK_GRADIENT : CONVK_LN_PSI;
  convk_pair_result *const own = convk_cuda_at_<convk_pair_result>(base, cut.result);
  char *const energy = base + cut.energy;
  convk_cuda_vmc_args_<T> a;
  const convk_walkers full = convk_walkers_packed_(v.walkers, n);
  size_t done = 0, measured = 0;
  int status = CONVK_OK;
  memset(&a, 0, sizeof a);
  a.c = terms;
  a.n = n;
  a.walkers = v.walkers;
  a.seed = v.seed;
  a.step = step;
  a.drifts = v.drift;
  a.all = sweep % CONVK_VMC_BATCH_ == 0;
  a.r = r;
  a.ln_psi = ln_psi;
  a.drift = drift;
  a.accepted = accepted;
  if (a.all || anew) {
    status = convk_cuda_start_(convk_cuda_vmc_recentre_<T>, v.walkers, threads, stream, a);
    if (!status) status = convk_cuda_pair_run_<T>(terms, CONVK_LN_PSI, n, full, r, own, NULL, NULL, cut.pairs, energy, stream);
    a.result = own;
  }
  if (!status) status = convk_cuda_start_(convk_cuda_vmc_settle_<T, 1>, walker_blocks, CONVK_CUDA_PAIR_EACH_, stream, a);
  if (all) {
    a.to = convk_cuda_at_<T>(base, cut.to);
    a.before = convk_cuda_at_<double>(base, cut.force[0]);
    a.after = convk_cuda_at_<double>(base, cut.force[1]);
  }
  while (done < count && !status) {
    a.sweep = sweep + done;
    a.count = 1;
    a.result = own;
    if (all) {
      if (v.drift)
        status = convk_cuda_pair_run_<T>(terms, want, n, full, r, own, NULL, (double *)(uintptr_t)a.before, cut.pairs, energy,
                                         stream);
      if (!status)
        status = convk_cuda_start_(convk_cuda_vmc_propose_<T>, convk_cuda_parts_(v.walkers * n, each), CONVK_CUDA_PAIR_EACH_,
                                   stream, a);
      if (!status)
        status = convk_cuda_pair_run_<T>(terms, want, n, full, a.to, own, NULL, v.drift ? (double *)(uintptr_t)a.after : NULL,
                                         cut.pairs, energy, stream);
      if (!status) status = convk_cuda_start_(convk_cuda_vmc_accept_<T>, v.walkers, threads, stream, a);
    } else {
      while (done + a.count < count && !convk_vmc_measures_(&v, sweep + done + a.count - 1)) a.count++;
      status = convk_cuda_start_(v.drift ? convk_cuda_vmc_single_<T, 1> : convk_cuda_vmc_single_<T, 0>, v.walkers,
                                 convk_cuda_pair_threads_(n, CONVK_CUDA_VMC_THREADS_), stream, a);
    }
    done += a.count;
    if (status || !convk_vmc_measures_(&v, sweep + done - 1)) continue;
    a.result = result + measured++ * v.walkers;
    status = convk_cuda_pair_run_<T>(terms, CONVK_PAIR_ALL, n, full, r, (convk_pair_result *)(uintptr_t)a.result, NULL, NULL,
                                     cut.pairs, energy, stream);
    if (!status) status = convk_cuda_start_(convk_cuda_vmc_settle_<T, 0>, walker_blocks, CONVK_CUDA_PAIR_EACH_, stream, a);
  }
  return status;
}

template <class T>
static int convk_cuda_vmc_sweeps_(const convk_vmc *vmc, uint64_t sweep, size_t count, double step, int anew, T *r, double *ln_psi,
                                  convk_pair_result *result, double *drift, uint32_t *accepted, void *work, size_t work_size,
                                  cudaStream_t stream) {
  typename convk_cuda_pair_type_<T>::terms terms;
  convk_cuda_vmc_cut_ cut;
  size_t measured = 0;
  char *base = NULL;
  int status;
  if (!vmc || !r || !ln_psi || !drift || !accepted) return CONVK_ERR_NULL;
  status = convk_cuda_vmc_sweeps_check_(T(), vmc, (int)CONVK_PAIR_ADDRESSES_, sweep, count, step, result, &terms, &measured);
  if (!status && count > CONVK_VMC_BATCH_ - sweep % CONVK_VMC_BATCH_) status = CONVK_ERR_OPTION;
  if (!status) status = convk_cuda_vmc_cut_of_<T>(*vmc, &cut);
  if (!status) status = convk_cuda_work_(work, work_size, cut.need, &base);
  return status ? status
                : convk_cuda_vmc_batch_<T>(terms, *vmc, cut, sweep, count, step, anew, r, ln_psi, result, drift, accepted, base,
                                           stream);
}

template <class T> static size_t convk_cuda_vmc_need_(const convk_vmc *vmc) {
  convk_cuda_vmc_cut_ cut;
  if (!vmc || !vmc->system.particles) return 0;
  if (convk_vmc_common_size_(vmc->system.particles, vmc->walkers, sizeof(T)) == (size_t)-1) return 0;
  return convk_cuda_vmc_cut_of_<T>(*vmc, &cut) ? 0 : cut.need;
}

/* Per precision.  Device arrays: r, to, result, gradient, accept, v and work are device memory, and so are the values of a table
   (potential.values), which are not looked at; structures are host memory that is free again on return.  Arguments, results and
   status codes are those of the functions of the same name in convk.h, with CONVK_ERR_DEVICE; what needs a look at device memory
   (COORDINATE, RANGE of coordinates, NONFINITE of a table) is not checked.  f32 sums up pair terms of f32 in f64, as convk.h
   says: devices have f64, if some of them slowly.
   int convk_cuda_pair_potential_<type>(potential, n, r, v, stream)
   size_t convk_cuda_pair_energy_work_size_<type>(particles, walkers)
     Bytes of device memory: 0, and work may be NULL, up to 256 particles; else some 400 bytes per particle of as many walkers as
     fit into 64 MB, of one at least; (size_t)-1: too large.
   int convk_cuda_pair_energy_<type>(system, walkers, want, r, result, gradient, work, work_size, stream)
     One kernel up to 256 particles, else two for as many walkers as fit into work.  The bits are the same for any number of
     walkers and on all devices of one kind, whose 1 / sqrt they begin with.
     f64: 33 operations of a pair from one end and 20 from the other, and exponentials where it is near.
   int convk_cuda_pair_move_<type>(system, walkers, particle, r, to, result, stream)
   int convk_cuda_pair_accept_<type>(system, walkers, particle, to, accept, r, gradient, stream)
     One kernel.
   size_t convk_cuda_vmc_sweeps_work_size_<type>(vmc)
     Bytes of device memory; 0: too large, or no vmc.
   int convk_cuda_vmc_sweeps_<type>(vmc, sweep, count, step, anew, r, ln_psi, result, drift, accepted, work, work_size, stream)
     What convk_vmc_run does with walkers between one look at them and the next: sweeps `sweep` to sweep + count - 1, of one
     batch: sweep / 16 must not change.
     step      as convk_vmc_result has it; the caller tunes it
     anew      1: some ln_psi are not numbers, because they are not known
     r         coordinates, x y z of walker after walker, packed
     ln_psi    of each walker
     result    of each measurement in these sweeps, of each walker; NULL: there is none
     drift     of each walker, set: the largest difference of ln Psi followed and anew
     accepted  moves of each walker, set
     Moves of single particles: one kernel for all sweeps up to a measurement; a block takes a walker.
     Errors: NULL, SIZE, PARTICLES, OVERFLOW, OPTION, NONFINITE, BOX, POTENTIAL, RANGE, WORK, DEVICE. */
#define CONVK_CUDA_FUNCTIONS_(T, type) \
  CONVK_LOCAL_ int convk_cuda_pair_potential_##type(const convk_pair_potential *potential, size_t n, const T *r, T *v, \
                                                  cudaStream_t stream) { \
    return convk_cuda_pair_potential_<T>(potential, n, r, v, stream); \
  } \
  CONVK_LOCAL_ size_t convk_cuda_pair_energy_work_size_##type(size_t particles, size_t walkers) { \
    convk_cuda_pair_cut_ cut; \
    return convk_cuda_pair_cut_of_(particles, walkers, &cut) ? (size_t)-1 : cut.need; \
  } \
  CONVK_LOCAL_ int convk_cuda_pair_energy_##type(const convk_pair_system *system, const convk_walkers *walkers, int want, \
                                               const T *r, convk_pair_result *result, T *gradient, void *work, \
                                               size_t work_size, cudaStream_t stream) { \
    return convk_cuda_pair_energy_<T>(system, walkers, want, r, result, gradient, work, work_size, stream); \
  } \
  CONVK_LOCAL_ int convk_cuda_pair_move_##type(const convk_pair_system *system, const convk_walkers *walkers, size_t particle, \
                                             const T *r, const T *to, convk_pair_move_result *result, cudaStream_t stream) { \
    return convk_cuda_pair_move_device_<T>(system, walkers, particle, r, to, result, stream); \
  } \
  CONVK_LOCAL_ int convk_cuda_pair_accept_##type(const convk_pair_system *system, const convk_walkers *walkers, size_t particle, \
                                               const T *to, const unsigned char *accept, T *r, T *gradient, \
                                               cudaStream_t stream) { \
    return convk_cuda_pair_accept_device_<T>(system, walkers, particle, to, accept, r, gradient, stream); \
  } \
  CONVK_LOCAL_ size_t convk_cuda_vmc_sweeps_work_size_##type(const convk_vmc *vmc) { return convk_cuda_vmc_need_<T>(vmc); } \
  CONVK_LOCAL_ int convk_cuda_vmc_sweeps_##type(const convk_vmc *vmc, uint64_t sweep, size_t count, double step, int anew, T *r, \
                                              double *ln_psi, convk_pair_result *result, double *drift, uint32_t *accepted, \
                                              void *work, size_t work_size, cudaStream_t stream) { \
    return convk_cuda_vmc_sweeps_<T>(vmc, sweep, count, step, anew, r, ln_psi, result, drift, accepted, work, work_size, \
                                     stream); \
  }
CONVK_IF_(CONVK_HAS_F32_, CONVK_CUDA_FUNCTIONS_(float, f32))
CONVK_IF_(CONVK_HAS_F64_, CONVK_CUDA_FUNCTIONS_(double, f64))
#undef CONVK_CUDA_FUNCTIONS_

/* -------------------------------------------------------------------------------------------------------- host arrays -- */

/* The values of a table, to the device. */
template <class C> static int convk_cuda_pair_bring_(const convk_cuda_call_ *call, C *terms) {
  void *values = NULL;
  int status;
  if (terms->kind != CONVK_POTENTIAL_TABLE) return CONVK_OK;
  status = convk_cuda_buffer_(call, CONVK_CUDA_POTENTIAL_, terms->entries * sizeof(double), &values);
  if (!status) status = convk_cuda_copy_(call, values, terms->values, terms->entries * sizeof(double), cudaMemcpyHostToDevice);
  terms->values = (const double *)values;
  return status;
}

/* Walkers to a packed array on the device; or from there. */
template <class T>
static int convk_cuda_pair_copy_(const convk_cuda_call_ *call, const convk_walkers &full, size_t n, T *host, T *device,
                                 cudaMemcpyKind kind) {
  return convk_cuda_copy_batch_(call, full.walkers, 3, n, full.pitch, full.stride, sizeof(T), (char *)host, (char *)device, kind);
}

template <class T>
static int convk_cuda_pair_energy_host_(const convk *hw, const convk_pair_system *system, const convk_walkers *walkers, int want,
                                        const T *r, convk_pair_result *result, T *gradient, void *, size_t) {
  typename convk_cuda_pair_type_<T>::terms terms;
  convk_cuda_pair_cut_ cut;
  convk_walkers full, packed;
  convk_cuda_call_ call;
  size_t end = 0, results = 0, gradients = 0, bytes;
  void *in = NULL, *out = NULL, *work = NULL;
  char *base = NULL;
  int status = convk_cuda_handle_(hw);
  if (!status)
    status = convk_cuda_pair_energy_check_(T(), system, walkers, want, CONVK_PAIR_HOST_, r, result, gradient, &terms, &full);
  if (status || !full.walkers) return status;
  if (!want) want = CONVK_PAIR_ALL;
  if (!(want & CONVK_GRADIENT)) gradient = NULL;
  packed = convk_walkers_packed_(full.walkers, system->particles);
  bytes = packed.walkers * packed.stride * sizeof(T);
  status = convk_cuda_pair_cut_of_(system->particles, full.walkers, &cut);
  if (!status) status = convk_cuda_reserve_(&end, full.walkers, 1, 1, sizeof *result, &results);
  if (!status) status = convk_cuda_reserve_(&end, gradient ? bytes : 0, 1, 1, 1, &gradients);
  if (!status) status = convk_cuda_begin_(hw, &call);
  if (status) return status;
  status = convk_cuda_buffer_(&call, CONVK_CUDA_IN_, bytes, &in);
  if (!status) status = convk_cuda_buffer_(&call, CONVK_CUDA_OUT_, end, &out);
  if (!status && cut.need) status = convk_cuda_buffer_(&call, CONVK_CUDA_WORK_, cut.need, &work);
  if (!status) status = convk_cuda_pair_work_(work, cut.need, cut.need, &base);
  if (!status) status = convk_cuda_pair_bring_(&call, &terms);
  if (!status)
    status = convk_cuda_pair_copy_(&call, full, system->particles, (T *)(uintptr_t)r, (T *)in, cudaMemcpyHostToDevice);
  if (!status)
    status = convk_cuda_pair_run_<T>(terms, want, system->particles, packed, (const T *)in,
                                     convk_cuda_at_<convk_pair_result>(out, results),
                                     gradient ? convk_cuda_at_<T>(out, gradients) : NULL, NULL, cut, base, call.device->stream);
  if (!status)
    status = convk_cuda_copy_(&call, result, (char *)out + results, full.walkers * sizeof *result, cudaMemcpyDeviceToHost);
  if (!status && gradient)
    status = convk_cuda_pair_copy_(&call, full, system->particles, gradient, convk_cuda_at_<T>(out, gradients),
                                   cudaMemcpyDeviceToHost);
  return convk_cuda_end_(&call, status);
}

template <class T>
static int convk_cuda_pair_potential_host_(const convk *hw, const convk_pair_potential *potential, size_t n, const T *r, T *v) {
  typename convk_cuda_pair_type_<T>::terms terms;
  convk_cuda_call_ call;
  void *in = NULL;
  int status = convk_cuda_handle_(hw);
  if (!status) status = convk_cuda_pair_values_check_(T(), potential, n, CONVK_PAIR_HOST_, r, v, &terms);
  if (status || !n) return status;
  status = convk_cuda_begin_(hw, &call);
  if (status) return status;
  status = convk_cuda_buffer_(&call, CONVK_CUDA_IN_, n * sizeof(T), &in);
  if (!status) status = convk_cuda_pair_bring_(&call, &terms);
  if (!status) status = convk_cuda_copy_(&call, in, r, n * sizeof(T), cudaMemcpyHostToDevice);
  if (!status) status = convk_cuda_pair_values_run_<T>(terms, n, (const T *)in, (T *)in, call.device->stream);
  if (!status) status = convk_cuda_copy_(&call, v, in, n * sizeof(T), cudaMemcpyDeviceToHost);
  return convk_cuda_end_(&call, status);
}

/* One of both calls for a particle's move: `gradient` and `accept` are those of pair_accept. */
template <class T>
static int convk_cuda_pair_moves_host_(const convk *hw, typename convk_cuda_pair_type_<T>::terms *terms, size_t n,
                                       const convk_walkers &full, size_t particle, const T *r, const T *to,
                                       convk_pair_move_result *result, const unsigned char *accept, T *gradient) {
  const convk_walkers packed = convk_walkers_packed_(full.walkers, n);
  const size_t bytes = packed.walkers * packed.stride * sizeof(T);
  convk_cuda_call_ call;
  size_t end = 0, places = 0, flags = 0;
  void *in = NULL, *out = NULL, *more = NULL;
  int status = convk_cuda_reserve_(&end, full.walkers, 3, 1, sizeof(T), &places);
  if (!status) status = convk_cuda_reserve_(&end, accept ? full.walkers : 0, 1, 1, 1, &flags);
  if (!status) status = convk_cuda_begin_(hw, &call);
  if (status) return status;
  status = convk_cuda_buffer_(&call, CONVK_CUDA_IN_, bytes, &in);
  if (!status) status = convk_cuda_buffer_(&call, CONVK_CUDA_OUT_, result ? full.walkers * sizeof *result : bytes, &out);
  if (!status) status = convk_cuda_buffer_(&call, CONVK_CUDA_DENSITY_, end, &more);
  if (!status) status = convk_cuda_pair_bring_(&call, terms);
  if (!status) status = convk_cuda_pair_copy_(&call, full, n, (T *)(uintptr_t)r, (T *)in, cudaMemcpyHostToDevice);
  if (!status && gradient) status = convk_cuda_pair_copy_(&call, full, n, gradient, (T *)out, cudaMemcpyHostToDevice);
  if (!status)
    status = convk_cuda_copy_(&call, (char *)more + places, to, 3 * full.walkers * sizeof(T), cudaMemcpyHostToDevice);
  if (!status && accept)
    status = convk_cuda_copy_(&call, (char *)more + flags, accept, full.walkers, cudaMemcpyHostToDevice);
  if (!status)
    status = convk_cuda_pair_moves_<T>(result ? convk_cuda_pair_move_<T> : convk_cuda_pair_accept_<T>, *terms, n, packed,
                                       particle, (T *)in, convk_cuda_at_<T>(more, places),
                                       result ? (convk_pair_move_result *)out : NULL,
                                       accept ? convk_cuda_at_<unsigned char>(more, flags) : NULL, gradient ? (T *)out : NULL,
                                       call.device->stream);
  if (!status && result)
    status = convk_cuda_copy_(&call, result, out, full.walkers * sizeof *result, cudaMemcpyDeviceToHost);
  if (!status && gradient) status = convk_cuda_pair_copy_(&call, full, n, gradient, (T *)out, cudaMemcpyDeviceToHost);
  return convk_cuda_end_(&call, status);
}

template <class T>
static int convk_cuda_pair_move_host_(const convk *hw, const convk_pair_system *system, const convk_walkers *walkers,
                                      size_t particle, const T *r, const T *to, convk_pair_move_result *result) {
  typename convk_cuda_pair_type_<T>::terms terms;
  convk_walkers full;
  int status = convk_cuda_handle_(hw);
  if (!status)
    status = convk_cuda_pair_step_check_(T(), system, walkers, particle, CONVK_PAIR_HOST_, r, to, result, sizeof *result, &terms, &full);
  if (status || !full.walkers) return status;
  return convk_cuda_pair_moves_host_<T>(hw, &terms, system->particles, full, particle, r, to, result, NULL, NULL);
}

template <class T>
static int convk_cuda_pair_accept_host_(const convk *hw, const convk_pair_system *system, const convk_walkers *walkers,
                                        size_t particle, const T *to, const unsigned char *accept, T *r, T *gradient) {
  typename convk_cuda_pair_type_<T>::terms terms;
  convk_walkers full;
  int status = convk_cuda_handle_(hw);
  if (!status)
    status = convk_cuda_pair_accept_check_(T(), system, walkers, particle, CONVK_PAIR_HOST_, to, accept, r, gradient, &terms, &full);
  if (status || !full.walkers) return status;
  if (gradient)
    status = convk_cuda_pair_moves_host_<T>(hw, &terms, system->particles, full, particle, r, to, NULL, accept, gradient);
  if (!status) status = convk_cuda_pair_go_(T(), &full, particle, to, accept, r);
  return status;
}

/* A run under way: what is on the device, from one batch to the next. */
template <class T> struct convk_cuda_vmc_run_ {
  convk_cuda_call_ call;
  convk_cuda_vmc_cut_ cut;
  typename convk_cuda_pair_type_<T>::terms terms;
  int begun;
  T *r;
  double *ln_psi, *drift;
  uint32_t *accepted;
  convk_pair_result *result;
  char *base;
};

template <class T> static int convk_cuda_vmc_begin_(const convk *hw, const convk_vmc_job_ *job, convk_cuda_vmc_run_<T> *run) {
  const size_t w = job->walkers, bytes = 3 * job->n * w * sizeof(T);
  size_t end = 0, at[4];
  void *in = NULL, *out = NULL, *work = NULL;
  int status = convk_cuda_vmc_cut_of_<T>(*job->vmc, &run->cut);
  if (!status) status = convk_cuda_reserve_(&end, bytes, 1, 1, 1, &at[0]);
  if (!status) status = convk_cuda_reserve_(&end, w, 1, 1, sizeof(double), &at[1]);
  if (!status) status = convk_cuda_reserve_(&end, w, 1, 1, sizeof(double), &at[2]);
  if (!status) status = convk_cuda_reserve_(&end, w, 1, 1, sizeof(uint32_t), &at[3]);
  if (!status) status = convk_cuda_begin_(hw, &run->call);
  if (status) return status;
  run->begun = 1;
  status = convk_cuda_buffer_(&run->call, CONVK_CUDA_IN_, end, &in);
  if (!status) status = convk_cuda_buffer_(&run->call, CONVK_CUDA_OUT_, CONVK_VMC_BATCH_ * w * sizeof(convk_pair_result), &out);
  if (!status) status = convk_cuda_buffer_(&run->call, CONVK_CUDA_WORK_, run->cut.need, &work);
  if (!status) status = convk_cuda_work_(work, run->cut.need, run->cut.need, &run->base);
  if (!status) status = convk_cuda_pair_bring_(&run->call, &run->terms);
  if (status) return status;
  run->r = convk_cuda_at_<T>(in, at[0]);
  run->ln_psi = convk_cuda_at_<double>(in, at[1]);
  run->drift = convk_cuda_at_<double>(in, at[2]);
  run->accepted = convk_cuda_at_<uint32_t>(in, at[3]);
  run->result = (convk_pair_result *)out;
  status = convk_cuda_copy_(&run->call, run->r, job->r, bytes, cudaMemcpyHostToDevice);
  return status ? status : convk_cuda_copy_(&run->call, run->ln_psi, job->ln_psi, w * sizeof(double), cudaMemcpyHostToDevice);
}

/* For convk_vmc_drive_: what the device goes on with stays there until the last batch is done. */
template <class T> static int convk_cuda_vmc_advance_(const convk *hw, const convk_vmc_job_ *job, void *ctx) {
  convk_cuda_vmc_run_<T> *const run = (convk_cuda_vmc_run_<T> *)ctx;
  const convk_cuda_call_ *const call = &run->call;
  const size_t walkers = job->walkers;
  int status = run->begun ? CONVK_OK : convk_cuda_vmc_begin_<T>(hw, job, run);
  if (!status)
    status = convk_cuda_vmc_batch_<T>(run->terms, *job->vmc, run->cut, job->sweep, job->count, job->step, job->anew, run->r,
                                      run->ln_psi, run->result, run->drift, run->accepted, run->base, call->device->stream);
  if (!status && job->measured)
    status = convk_cuda_copy_(call, job->result, run->result, job->measured * walkers * sizeof *run->result, cudaMemcpyDeviceToHost);
  if (!status) status = convk_cuda_copy_(call, job->drift, run->drift, walkers * sizeof(double), cudaMemcpyDeviceToHost);
  if (!status) status = convk_cuda_copy_(call, job->accepted, run->accepted, walkers * sizeof(uint32_t), cudaMemcpyDeviceToHost);
  if (!status) /* also before the last batch: walkers that escape must be seen */
    status = convk_cuda_copy_(call, job->r, run->r, 3 * job->n * walkers * sizeof(T), cudaMemcpyDeviceToHost);
  if (!status && job->last)
    status = convk_cuda_copy_(call, job->ln_psi, run->ln_psi, walkers * sizeof(double), cudaMemcpyDeviceToHost);
  return status ? status : convk_cuda_status_(call->hw, cudaStreamSynchronize(call->device->stream));
}

template <class T>
static int convk_cuda_vmc_run_host_(const convk *hw, const convk_vmc *vmc, size_t sweeps, void *state, size_t state_size,
                                    void *work, size_t work_size) {
  convk_cuda_vmc_run_<T> run;
  int status = convk_cuda_handle_(hw);
  memset(&run, 0, sizeof run);
  if (!status) status = convk_cuda_vmc_run_check_(T(), vmc, state, state_size, &run.terms);
  if (status) return status;
  status = convk_vmc_drive_(hw, vmc, sweeps, state, state_size, work, work_size, sizeof(T),
                            work ? convk_vmc_more_(hw, vmc, sizeof(T)) : 0, convk_cuda_vmc_advance_<T>, &run);
  return run.begun ? convk_cuda_end_(&run.call, status) : status;
}

/* Host arrays, per precision, as the functions of the same name in convk.h: convk_pair_potential_<type>_cuda,
   convk_pair_energy_<type>_cuda, convk_pair_move_<type>_cuda, convk_pair_accept_<type>_cuda, convk_vmc_run_<type>_cuda.
   Arguments and status codes as there, with CONVK_ERR_DEVICE and CONVK_ERR_MEMORY besides; `work` of pair_energy is ignored, that
   of vmc_run is host memory as on a processor.  A run leaves its walkers on the device from the first batch of 16 sweeps to the
   last; measurements, coordinates, drift and acceptance come back after each.  Coordinates have the bits of a processor's (with
   drift: but for rounding errors) until a move is accepted that was rejected there, by a rounding error. */
#define CONVK_CUDA_HOST_(family, KIND, member, name, parameters, arguments) \
  CONVK_API_ int CONVK_VARIANT_(name) parameters { return convk_cuda_##name##_host_<CONVK_T> arguments; }
#pragma push_macro("CONVK_TYPE_")
#pragma push_macro("CONVK_T")
#undef CONVK_TYPE_
#undef CONVK_T
#define CONVK_HW_ cuda
#define CONVK_TYPE_ f32
#define CONVK_T float
CONVK_IF_(CONVK_HAS_F32_, CONVK_PAIR_OPERATIONS_(CONVK_CUDA_HOST_))
#undef CONVK_TYPE_
#undef CONVK_T
#define CONVK_TYPE_ f64
#define CONVK_T double
CONVK_IF_(CONVK_HAS_F64_, CONVK_PAIR_OPERATIONS_(CONVK_CUDA_HOST_))
#undef CONVK_HW_
#pragma pop_macro("CONVK_TYPE_")
#pragma pop_macro("CONVK_T")
#undef CONVK_CUDA_HOST_
