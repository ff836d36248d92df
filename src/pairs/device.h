/* ---- device memory ---- */

CONVK_API_ int convk_pair_potential_resident(CONVK_ON_ *on, const convk_pair_potential *potential, size_t n,
                                             CONVK_ARRAY_(const CONVK_T) r, CONVK_ARRAY_(CONVK_T) v) {
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, CONVK_DEVICE_(none)(), 0);
  convk_pairs_terms_ terms;
  CONVK_DEVICE_(memory) table = NULL;
  if (!f.status) f.status = convk_pairs_values_check_(f.message, potential, n, convk_pairs_sees_(), &terms);
  CONVK_DEVICE_(frame_place)(&f, "r", r, n, sizeof(CONVK_T), CONVK_PLACE_IN_PLACE_);
  CONVK_DEVICE_(frame_place)(&f, "v", v, n, sizeof(CONVK_T), CONVK_PLACE_WRITTEN_ | CONVK_PLACE_IN_PLACE_);
  if (CONVK_DEVICE_(frame_work)(&f, 0) && n) f.status = convk_pairs_table_begin_(&f.call, &terms, &table);
  if (!f.status && n) f.status = convk_pairs_values_start_(&f.call, &terms, table, n, r, v);
  convk_pairs_table_end_(table);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_pair_energy_work_size_resident(CONVK_ON_ *on, size_t particles, size_t walkers, size_t *bytes) {
  CONVK_DEVICE_(machine) *machine = NULL; /* OpenCL's has limits, but no queue is asked for */
  char *message;
  size_t need = 0;
  int status = CONVK_DEVICE_(machine_of)(on, &machine);
  if (!status) status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_pairs_particles_check_(message, "", particles);
  if (!status) status = convk_need_(message, "bytes", bytes);
  if (!status && walkers) status = convk_pairs_need_(machine, message, particles, walkers, &need);
  if (!status) *bytes = need;
  return status;
}

CONVK_API_ int convk_pair_energy_resident(CONVK_ON_ *on, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                          int want, CONVK_ARRAY_(const CONVK_T) r, CONVK_ARRAY_(convk_pair_result) result,
                                          CONVK_ARRAY_(CONVK_T) gradient, CONVK_ARRAY_(void) work, size_t work_size) {
  const int written = CONVK_PLACE_WRITTEN_, maybe = CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_;
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size);
  convk_pairs_terms_ terms;
  convk_pair_walkers full;
  CONVK_DEVICE_(memory) table = NULL;
  size_t span, need = 0;
  if (!f.status) f.status = convk_pairs_energy_check_(f.message, system, walkers, want, convk_pairs_sees_(), &terms, &full);
  if (f.status || !full.walkers) return CONVK_DEVICE_(frame_end)(&f);
  span = convk_walkers_span_(&full, system->particles);
  f.status = convk_pairs_need_(CONVK_DEVICE_(machine_of_call)(&f.call), f.message, system->particles, full.walkers, &need);
  CONVK_DEVICE_(frame_place)(&f, "r", r, span, sizeof(CONVK_T), 0);
  CONVK_DEVICE_(frame_place)(&f, "result", result, full.walkers, sizeof(convk_pair_result), written);
  CONVK_DEVICE_(frame_place)(&f, "gradient", gradient, span, sizeof(CONVK_T), maybe);
  if (!want) want = CONVK_PAIR_ALL;
  if (CONVK_DEVICE_(frame_work)(&f, need) && (want & CONVK_PAIR_POTENTIAL_ENERGY))
    f.status = convk_pairs_table_begin_(&f.call, &terms, &table);
  if (!f.status)
    f.status = convk_pairs_energy_start_(&f.call, &terms, table, want, system->particles, &full, full.walkers, r, result,
                                         gradient, f.work);
  convk_pairs_table_end_(table);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_pair_move_resident(CONVK_ON_ *on, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                        size_t particle, CONVK_ARRAY_(const CONVK_T) r, CONVK_ARRAY_(const CONVK_T) to,
                                        CONVK_ARRAY_(convk_pair_move_result) result) {
  const size_t each = sizeof(convk_pair_move_result);
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, CONVK_DEVICE_(none)(), 0);
  convk_pairs_terms_ terms;
  convk_pair_walkers full;
  size_t n;
  if (!f.status)
    f.status = convk_pairs_step_check_(f.message, system, walkers, particle, convk_pairs_sees_(), each, &terms, &full);
  if (f.status || !full.walkers) return CONVK_DEVICE_(frame_end)(&f);
  n = system->particles;
  CONVK_DEVICE_(frame_place)(&f, "r", r, convk_walkers_span_(&full, n), sizeof(CONVK_T), 0);
  CONVK_DEVICE_(frame_place)(&f, "to", to, 3 * full.walkers, sizeof(CONVK_T), 0);
  CONVK_DEVICE_(frame_place)(&f, "result", result, full.walkers, each, CONVK_PLACE_WRITTEN_);
  if (CONVK_DEVICE_(frame_work)(&f, 0)) f.status = convk_pairs_move_start_(&f.call, &terms, n, &full, particle, r, to, result);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_pair_accept_resident(CONVK_ON_ *on, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                          size_t particle, CONVK_ARRAY_(const CONVK_T) to,
                                          CONVK_ARRAY_(const unsigned char) accept, CONVK_ARRAY_(CONVK_T) r,
                                          CONVK_ARRAY_(CONVK_T) gradient) {
  const int maybe = CONVK_PLACE_OPTIONAL_, written = CONVK_PLACE_WRITTEN_;
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, CONVK_DEVICE_(none)(), 0);
  convk_pairs_terms_ terms;
  convk_pair_walkers full;
  size_t n, span;
  if (!f.status)
    f.status = convk_pairs_step_check_(f.message, system, walkers, particle, convk_pairs_sees_(), 0, &terms, &full);
  if (f.status || !full.walkers) return CONVK_DEVICE_(frame_end)(&f);
  n = system->particles;
  span = convk_walkers_span_(&full, n);
  CONVK_DEVICE_(frame_place)(&f, "to", to, 3 * full.walkers, sizeof(CONVK_T), 0);
  CONVK_DEVICE_(frame_place)(&f, "accept", accept, full.walkers, 1, maybe);
  CONVK_DEVICE_(frame_place)(&f, "r", r, span, sizeof(CONVK_T), written);
  CONVK_DEVICE_(frame_place)(&f, "gradient", gradient, span, sizeof(CONVK_T), written | maybe);
  if (CONVK_DEVICE_(frame_work)(&f, 0))
    f.status = convk_pairs_accept_start_(&f.call, &terms, n, &full, particle, to, accept, r, gradient);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_vmc_sweeps_work_size_resident(CONVK_ON_ *on, const convk_vmc *vmc, size_t *bytes) {
  CONVK_DEVICE_(machine) *machine = NULL;
  char *message;
  size_t need = 0;
  int status = CONVK_DEVICE_(machine_of)(on, &machine);
  if (!status) status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_vmc_check_(message, vmc, convk_pairs_sees_());
  if (!status) status = convk_need_(message, "bytes", bytes);
  if (!status && convk_vmc_walkers_here_(vmc)) status = convk_vmc_need_(machine, message, vmc, &need);
  if (!status) *bytes = need;
  return status;
}

CONVK_API_ int convk_vmc_sweeps_resident(CONVK_ON_ *on, const convk_vmc *vmc, const convk_vmc_sweeps *sweeps,
                                         const convk_vmc_walkers_resident *walkers, CONVK_ARRAY_(void) work, size_t work_size) {
  const size_t d = sizeof(double), each = sizeof(convk_pair_result);
  const int written = CONVK_PLACE_WRITTEN_;
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size);
  convk_pairs_terms_ terms;
  CONVK_DEVICE_(memory) table = NULL;
  size_t measured = 0, here, need = 0;
  if (!f.status) f.status = convk_vmc_sweeps_check_(f.message, vmc, convk_pairs_sees_(), sweeps, &terms, &measured);
  if (!f.status) f.status = convk_need_(f.message, "walkers", walkers);
  if (f.status || !convk_vmc_walkers_here_(vmc)) return CONVK_DEVICE_(frame_end)(&f);
  here = convk_vmc_walkers_here_(vmc);
  f.status = convk_vmc_need_(CONVK_DEVICE_(machine_of_call)(&f.call), f.message, vmc, &need);
  CONVK_DEVICE_(frame_place)(&f, "walkers->r", walkers->r, 3 * vmc->system.particles * here, sizeof(CONVK_T), written);
  CONVK_DEVICE_(frame_place)(&f, "walkers->ln_psi", walkers->ln_psi, here, d, written);
  CONVK_DEVICE_(frame_place)(&f, "walkers->result", walkers->result, measured * here, each,
                             written | (measured ? 0 : CONVK_PLACE_OPTIONAL_));
  CONVK_DEVICE_(frame_place)(&f, "walkers->drift", walkers->drift, here, d, written);
  CONVK_DEVICE_(frame_place)(&f, "walkers->accepted", walkers->accepted, here, sizeof(uint32_t), written);
  if (CONVK_DEVICE_(frame_work)(&f, need)) f.status = convk_pairs_table_begin_(&f.call, &terms, &table);
  if (!f.status) f.status = convk_vmc_start_(&f.call, &terms, table, vmc, sweeps, walkers, f.work);
  convk_pairs_table_end_(table);
  return CONVK_DEVICE_(frame_end)(&f);
}

/* ---- host arrays on a device ----
   For a handle of the device: they copy, run, and wait.  Errors as in convk.h, and HANDLE for other handles, MEMORY, DEVICE,
   and with OpenCL FP64, BUILD and UNSUPPORTED, with hw->message.  `work` of pair_energy is ignored, that of vmc_run is host
   memory as on a processor.  A run leaves its walkers on the device from the first batch of 16 sweeps to the last;
   measurements, coordinates, drift and acceptance come back after each.  With CUDA coordinates have the bits of a processor's
   (with drift: but for rounding errors) until a move is accepted that was rejected there, by a rounding error. */

/* The values of a table, to the device; NULL: there is none. */
CONVK_LOCAL_ int convk_pairs_table_device_(CONVK_DEVICE_(host) *host, const convk_pairs_terms_ *terms,
                                           CONVK_DEVICE_(memory) *table) {
  *table = NULL;
  if (terms->kind != CONVK_POTENTIAL_TABLE) return CONVK_OK;
  return CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_0_, terms->values, terms->entries * sizeof(double), table);
}

CONVK_API_ int convk_pair_potential_device(convk *hw, const convk_pair_potential *potential, size_t n, const CONVK_T *r,
                                           CONVK_T *v) {
  convk_pairs_terms_ terms;
  CONVK_DEVICE_(host) *host = NULL;
  CONVK_DEVICE_(memory) table = NULL, at = NULL;
  CONVK_DEVICE_(call) call;
  char *const message = convk_message_(hw);
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_pairs_values_check_(message, potential, n, CONVK_PAIRS_TABLE_, &terms);
  if (!status) status = convk_pairs_values_arrays_(message, potential, n, r, v);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof *r, 1);
  if (!status && n) status = CONVK_DEVICE_(begin)(host);
  if (status || !n) return status;
  call = CONVK_DEVICE_(call_on)(host);
  status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_IN_, r, n * sizeof *r, &at);
  if (!status) status = convk_pairs_table_device_(host, &terms, &table);
  if (!status)
    status = convk_pairs_values_start_(&call, &terms, table, n, CONVK_DEVICE_(array_of)(at), CONVK_DEVICE_(array_of)(at));
  status = CONVK_DEVICE_(call_end)(&call, status);
  if (!status) status = CONVK_DEVICE_(fetch)(host, at, 0, n * sizeof *v, v);
  return CONVK_DEVICE_(end)(host, status);
}

/* On the device walkers are packed. */
CONVK_LOCAL_ convk_grid3 convk_pairs_grid_(const convk_pair_walkers *full, size_t n) {
  const convk_grid3 grid = {n, 3, full->walkers, full->pitch, full->walkers > 1 ? full->stride : 3 * full->pitch};
  return grid;
}

/* Checked pairs of all walkers. */
CONVK_LOCAL_ int convk_pairs_device_(CONVK_DEVICE_(host) *host, const convk_pairs_terms_ *terms, int want, size_t n,
                                     const convk_pair_walkers *full, size_t all, const CONVK_T *r, convk_pair_result *result,
                                     CONVK_T *gradient) {
  const convk_grid3 grid = convk_pairs_grid_(full, n);
  const convk_pair_walkers packed = convk_walkers_packed_(full->walkers, n);
  CONVK_DEVICE_(memory) table = NULL, at = NULL, out = NULL, slope = NULL, work = NULL;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  size_t need = 0;
  int status = convk_pairs_need_(CONVK_DEVICE_(machine_of_call)(&call), call.message, n, full->walkers, &need);
  if (!status && need) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, need, &work);
  if (!status) status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_IN_, &grid, sizeof *r, r, 1, &at);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, full->walkers * sizeof *result, &out);
  if (!status) status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_MORE_1_, &grid, sizeof *r, gradient, 0, &slope);
  if (!status) status = convk_pairs_table_device_(host, terms, &table);
  if (!status)
    status =
        convk_pairs_energy_start_(&call, terms, table, want, n, &packed, all, CONVK_DEVICE_(array_of)(at),
                                  CONVK_DEVICE_(array_of)(out), CONVK_DEVICE_(array_of)(slope), CONVK_DEVICE_(array_of)(work));
  status = CONVK_DEVICE_(call_end)(&call, status);
  if (!status && gradient) status = CONVK_DEVICE_(copy)(host, 1, slope, &grid, sizeof *r, gradient);
  return status ? status : CONVK_DEVICE_(fetch)(host, out, 0, full->walkers * sizeof *result, result);
}

CONVK_API_ int convk_pair_energy_device(convk *hw, const convk_pair_system *system, const convk_pair_walkers *walkers, int want,
                                        const CONVK_T *r, convk_pair_result *result, CONVK_T *gradient, void *work,
                                        size_t work_size) {
  convk_pairs_terms_ terms;
  CONVK_DEVICE_(host) *host = NULL;
  convk_pair_walkers full;
  char *const message = convk_message_(hw);
  size_t all;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)work;
  (void)work_size;
  if (!status) status = convk_pairs_energy_check_(message, system, walkers, want, CONVK_PAIRS_TABLE_, &terms, &full);
  if (!status) status = convk_pairs_energy_arrays_(message, system, &full, r, result, gradient, NULL, 0);
  if (!status) status = convk_pairs_coordinates_(message, "r", &full, system->particles, r);
  if (status || !full.walkers) return status;
  all = hw->ours.inside.part_of ? hw->ours.inside.part_of : full.walkers;
  if (!want) want = CONVK_PAIR_ALL;
  if (!(want & CONVK_PAIR_GRADIENT)) gradient = NULL;
  status = CONVK_DEVICE_(able)(host, sizeof *r, 1);
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  status = convk_pairs_device_(host, &terms, want, system->particles, &full, all, r, result, gradient);
  return CONVK_DEVICE_(end)(host, status);
}

/* Either call for a particle's move, checked: with `result` it is pair_move, else pair_accept. */
CONVK_LOCAL_ int convk_pairs_steps_(CONVK_DEVICE_(host) *host, const convk_pairs_terms_ *terms, size_t n,
                                    const convk_pair_walkers *full, size_t particle, const CONVK_T *r, const CONVK_T *to,
                                    convk_pair_move_result *result, const unsigned char *accept, CONVK_T *gradient) {
  const convk_grid3 grid = convk_pairs_grid_(full, n);
  const convk_pair_walkers packed = convk_walkers_packed_(full->walkers, n);
  CONVK_DEVICE_(memory) at = NULL, place = NULL, out = NULL, chosen = NULL, slope = NULL;
  CONVK_DEVICE_(call) call;
  int status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  call = CONVK_DEVICE_(call_on)(host);
  status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_IN_, &grid, sizeof *r, r, 1, &at);
  if (!status) status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_MORE_1_, &grid, sizeof *r, gradient, 1, &slope);
  if (!status) status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_2_, to, 3 * full->walkers * sizeof *to, &place);
  if (!status && accept) status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_3_, accept, full->walkers, &chosen);
  if (!status && result) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, full->walkers * sizeof *result, &out);
  if (!status && result)
    status = convk_pairs_move_start_(&call, terms, n, &packed, particle, CONVK_DEVICE_(array_of)(at),
                                     CONVK_DEVICE_(array_of)(place), CONVK_DEVICE_(array_of)(out));
  else if (!status)
    status =
        convk_pairs_accept_start_(&call, terms, n, &packed, particle, CONVK_DEVICE_(array_of)(place),
                                  CONVK_DEVICE_(array_of)(chosen), CONVK_DEVICE_(array_of)(at), CONVK_DEVICE_(array_of)(slope));
  status = CONVK_DEVICE_(call_end)(&call, status);
  if (!status && result) status = CONVK_DEVICE_(fetch)(host, out, 0, full->walkers * sizeof *result, result);
  if (!status && gradient) status = CONVK_DEVICE_(copy)(host, 1, slope, &grid, sizeof *r, gradient);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_API_ int convk_pair_move_device(convk *hw, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                      size_t particle, const CONVK_T *r, const CONVK_T *to, convk_pair_move_result *result) {
  convk_pairs_terms_ terms;
  CONVK_DEVICE_(host) *host = NULL;
  convk_pair_walkers full;
  char *const message = convk_message_(hw);
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status)
    status = convk_pairs_step_check_(message, system, walkers, particle, CONVK_PAIRS_TABLE_, sizeof *result, &terms, &full);
  if (!status) status = convk_pairs_step_arrays_(message, system, &full, 1, r, to, result, NULL, NULL);
  if (status || !full.walkers) return status;
  status = CONVK_DEVICE_(able)(host, sizeof *r, 1);
  return status ? status : convk_pairs_steps_(host, &terms, system->particles, &full, particle, r, to, result, NULL, NULL);
}

CONVK_API_ int convk_pair_accept_device(convk *hw, const convk_pair_system *system, const convk_pair_walkers *walkers,
                                        size_t particle, const CONVK_T *to, const unsigned char *accept, CONVK_T *r,
                                        CONVK_T *gradient) {
  convk_pairs_terms_ terms;
  CONVK_DEVICE_(host) *host = NULL;
  convk_pair_walkers full;
  char *const message = convk_message_(hw);
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_pairs_step_check_(message, system, walkers, particle, CONVK_PAIRS_TABLE_, 0, &terms, &full);
  if (!status) status = convk_pairs_step_arrays_(message, system, &full, 0, r, to, NULL, accept, gradient);
  if (status || !full.walkers) return status;
  status = CONVK_DEVICE_(able)(host, sizeof *r, 1);
  if (!status && gradient)
    status = convk_pairs_steps_(host, &terms, system->particles, &full, particle, r, to, NULL, accept, gradient);
  if (!status) status = convk_pairs_go_(&full, particle, to, accept, r); /* here, too, it is one particle that moves */
  return status;
}

/* ---- runs ---- */

/* A run between the calls of its driver: its arrays stay on the device. */
typedef struct convk_vmc_state_device_ {
  CONVK_DEVICE_(host) *host;
  convk_pairs_terms_ terms;
  CONVK_DEVICE_(memory) table, r, ln_psi, result, drift, accepted, work;
  int begun;
} convk_vmc_state_device_;

CONVK_LOCAL_ int convk_vmc_upload_(convk_vmc_state_device_ *run, const convk_vmc_job_ *job) {
  const size_t walkers = job->walkers, results = CONVK_VMC_BATCH_ * walkers * sizeof *job->result;
  CONVK_DEVICE_(host) *const host = run->host;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  size_t need = 0;
  int status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 1);
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  run->begun = 1;
  status = convk_vmc_need_(CONVK_DEVICE_(machine_of_call)(&call), call.message, job->vmc, &need);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, need, &run->work);
  if (!status) status = convk_pairs_table_device_(host, &run->terms, &run->table);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, results, &run->result);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_2_, walkers * sizeof(double), &run->drift);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_1_, walkers * sizeof(uint32_t), &run->accepted);
  if (!status)
    status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_IN_, job->r, 3 * job->n * walkers * sizeof(CONVK_T), &run->r);
  return status ? status
                : CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_3_, job->ln_psi, walkers * sizeof(double), &run->ln_psi);
}

/* A batch of a run that is there. */
CONVK_LOCAL_ int convk_vmc_batch_device_(convk_vmc_state_device_ *run, const convk_vmc_job_ *job) {
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(run->host);
  convk_vmc_walkers_resident walkers;
  convk_vmc_sweeps sweeps;
  sweeps.first = job->sweep;
  sweeps.count = job->count;
  sweeps.step = job->step;
  sweeps.anew = job->anew ? CONVK_VMC_SOME_ANEW_ : 0;
  walkers.r = CONVK_DEVICE_(array_of)(run->r);
  walkers.ln_psi = CONVK_DEVICE_(array_of)(run->ln_psi);
  walkers.result = CONVK_DEVICE_(array_of)(run->result);
  walkers.drift = CONVK_DEVICE_(array_of)(run->drift);
  walkers.accepted = CONVK_DEVICE_(array_of)(run->accepted);
  return CONVK_DEVICE_(call_end)(
      &call, convk_vmc_start_(&call, &run->terms, run->table, job->vmc, &sweeps, &walkers, CONVK_DEVICE_(array_of)(run->work)));
}

/* For convk_vmc_drive_. */
CONVK_LOCAL_ int convk_vmc_advance_(convk *hw, const convk_vmc_job_ *job, void *ctx) {
  convk_vmc_state_device_ *const run = (convk_vmc_state_device_ *)ctx;
  const size_t walkers = job->walkers, doubles = walkers * sizeof(double);
  CONVK_DEVICE_(host) *const host = run->host;
  int status = run->begun ? CONVK_OK : convk_vmc_upload_(run, job);
  (void)hw;
  if (!run->begun) return status;
  if (!status) status = convk_vmc_batch_device_(run, job);
  if (!status && job->measured)
    status = CONVK_DEVICE_(fetch)(host, run->result, 0, job->measured * walkers * sizeof *job->result, job->result);
  if (!status) status = CONVK_DEVICE_(fetch)(host, run->drift, 0, doubles, job->drift);
  if (!status) status = CONVK_DEVICE_(fetch)(host, run->accepted, 0, walkers * sizeof(uint32_t), job->accepted);
  if (!status) /* also before the last batch: walkers that escape must be seen */
    status = CONVK_DEVICE_(fetch)(host, run->r, 0, 3 * job->n * walkers * sizeof(CONVK_T), job->r);
  if (!status && job->last) status = CONVK_DEVICE_(fetch)(host, run->ln_psi, 0, doubles, job->ln_psi);
  return CONVK_DEVICE_(wait)(host, status);
}

CONVK_API_ int convk_vmc_run_device(convk *hw, const convk_vmc *vmc, size_t sweeps, convk_vmc_state *state, size_t state_size,
                                    void *work, size_t work_size) {
  convk_vmc_state_device_ run;
  int status;
  memset(&run, 0, sizeof run);
  status = CONVK_DEVICE_(host_of)(hw, &run.host);
  if (!status) status = convk_vmc_run_check_(hw->message, vmc, state, state_size, &run.terms);
  status = convk_vmc_drive_(hw, vmc, sweeps, state, state_size, work, work_size, sizeof(CONVK_T), 0, status, convk_vmc_advance_,
                            &run);
  return run.begun ? CONVK_DEVICE_(end)(run.host, status) : status;
}
