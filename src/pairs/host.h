#if CONVK_HAS_VMC_
/* ---- host arrays on a device ----
   For a handle of the device: they copy, run, and wait.  Errors as in convk.h, and HANDLE for other handles, MEMORY, DEVICE,
   and with OpenCL FP64, BUILD and UNSUPPORTED, with hw->message.  `work` of pair_energy is ignored, that of vmc_run is host
   memory as on a processor.  A run leaves its walkers on the device from the first batch of 16 sweeps to the last;
   measurements, coordinates, drift and acceptance come back after each.  With CUDA coordinates have the bits of a processor's
   (with drift: but for rounding errors) until a move is accepted that was rejected there, by a rounding error. */

/* The values of a table, to the device; NULL: there is none. */
CONVK_LOCAL_ int convk_pair_table_there_(CONVK_DEVICE_(host) *host, const convk_pair_terms_ *terms,
                                         CONVK_DEVICE_(memory) *table) {
  *table = NULL;
  if (terms->kind != CONVK_POTENTIAL_TABLE) return CONVK_OK;
  return CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_0_, terms->values, terms->entries * sizeof(double), table);
}

CONVK_API_ int convk_pair_potential_device CONVK_OP_PAIR_POTENTIAL_(CONVK_OP_PARAMETERS_) {
  convk_pair_terms_ terms;
  CONVK_DEVICE_(host) *host = NULL;
  CONVK_DEVICE_(memory) table = NULL, at = NULL;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_pair_values_check_(convk_message_(hw), potential, n, CONVK_PAIR_TABLE_, &terms);
  if (!status) status = convk_pair_values_arrays_(hw->message, n, r, v);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof *r, 1);
  if (!status && n) status = CONVK_DEVICE_(begin)(host);
  if (status || !n) return status;
  status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_IN_, r, n * sizeof *r, &at);
  if (!status) status = convk_pair_table_there_(host, &terms, &table);
  if (!status) status = convk_pair_values_there_(host, &terms, table, n, at);
  if (!status) status = CONVK_DEVICE_(fetch)(host, at, n * sizeof *v, v);
  return CONVK_DEVICE_(end)(host, status);
}

/* On the device walkers are packed. */
CONVK_LOCAL_ convk_grid3 convk_pair_grid_(const convk_pair_walkers *full, size_t n) {
  convk_grid3 grid;
  grid.nx = n;
  grid.ny = 3;
  grid.nz = full->walkers;
  grid.pitch_y = full->pitch;
  grid.pitch_z = full->walkers > 1 ? full->stride : 3 * full->pitch;
  return grid;
}

CONVK_API_ int convk_pair_energy_device CONVK_OP_PAIR_ENERGY_(CONVK_OP_PARAMETERS_) {
  convk_pair_terms_ terms;
  CONVK_DEVICE_(host) *host = NULL;
  CONVK_DEVICE_(memory) table = NULL, at = NULL, out = NULL, slope = NULL;
  convk_pair_walkers full;
  convk_grid3 grid;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)work;
  (void)work_size;
  if (!status) status = convk_pair_energy_check_(hw->message, system, walkers, want, CONVK_PAIR_TABLE_, &terms, &full);
  if (!status) status = convk_pair_energy_arrays_(hw->message, system->particles, &full, r, result, gradient);
  if (!status) status = convk_pair_coordinates_(hw->message, "r", &full, system->particles, r);
  if (status || !full.walkers) return status;
  grid = convk_pair_grid_(&full, system->particles);
  if (!want) want = CONVK_PAIR_ALL;
  if (!(want & CONVK_PAIR_GRADIENT)) gradient = NULL;
  status = CONVK_DEVICE_(able)(host, sizeof *r, 1);
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_IN_, &grid, sizeof *r, r, 1, &at);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, full.walkers * sizeof *result, &out);
  if (!status) status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_MORE_1_, &grid, sizeof *r, gradient, 0, &slope);
  if (!status) status = convk_pair_table_there_(host, &terms, &table);
  if (!status) status = convk_pair_pairs_(host, &terms, table, want, system->particles, full.walkers, at, out, slope);
  if (!status && gradient) status = CONVK_DEVICE_(copy)(host, 1, slope, &grid, sizeof *r, gradient);
  if (!status) status = CONVK_DEVICE_(fetch)(host, out, full.walkers * sizeof *result, result);
  return CONVK_DEVICE_(end)(host, status);
}

/* Either call for a particle's move, checked: with `result` it is pair_move, else pair_accept. */
CONVK_LOCAL_ int convk_pair_steps_(CONVK_DEVICE_(host) *host, const convk_pair_terms_ *terms, size_t n,
                                   const convk_pair_walkers *full, size_t particle, const CONVK_T *r, const CONVK_T *to,
                                   convk_pair_move_result *result, const unsigned char *accept, CONVK_T *gradient) {
  const convk_grid3 grid = convk_pair_grid_(full, n);
  CONVK_DEVICE_(memory) table = NULL, at = NULL, place = NULL, out = NULL, chosen = NULL, slope = NULL;
  int status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_IN_, &grid, sizeof *r, r, 1, &at);
  if (!status) status = CONVK_DEVICE_(bring)(host, CONVK_DEVICE_MORE_1_, &grid, sizeof *r, gradient, 1, &slope);
  if (!status) status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_2_, to, 3 * full->walkers * sizeof *to, &place);
  if (!status && accept) status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_3_, accept, full->walkers, &chosen);
  if (!status && result) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, full->walkers * sizeof *result, &out);
  if (!status) status = convk_pair_table_there_(host, terms, &table);
  if (!status) status = convk_pair_step_there_(host, terms, table, n, full->walkers, particle, at, place, out, chosen, slope);
  if (!status && result) status = CONVK_DEVICE_(fetch)(host, out, full->walkers * sizeof *result, result);
  if (!status && gradient) status = CONVK_DEVICE_(copy)(host, 1, slope, &grid, sizeof *r, gradient);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_API_ int convk_pair_move_device CONVK_OP_PAIR_MOVE_(CONVK_OP_PARAMETERS_) {
  convk_pair_terms_ terms;
  CONVK_DEVICE_(host) *host = NULL;
  convk_pair_walkers full;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status)
    status = convk_pair_step_check_(hw->message, system, walkers, particle, CONVK_PAIR_TABLE_, sizeof *result, &terms, &full);
  if (!status) status = convk_pair_step_arrays_(hw->message, system->particles, &full, 1, r, to, result, NULL, NULL);
  if (!status) status = convk_pair_step_data_(hw->message, system->particles, &full, r, to);
  if (status || !full.walkers) return status;
  status = CONVK_DEVICE_(able)(host, sizeof *r, 1);
  return status ? status : convk_pair_steps_(host, &terms, system->particles, &full, particle, r, to, result, NULL, NULL);
}

CONVK_API_ int convk_pair_accept_device CONVK_OP_PAIR_ACCEPT_(CONVK_OP_PARAMETERS_) {
  convk_pair_terms_ terms;
  CONVK_DEVICE_(host) *host = NULL;
  convk_pair_walkers full;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_pair_step_check_(hw->message, system, walkers, particle, CONVK_PAIR_TABLE_, 0, &terms, &full);
  if (!status) status = convk_pair_step_arrays_(hw->message, system->particles, &full, 0, r, to, NULL, accept, gradient);
  if (!status) status = convk_pair_step_data_(hw->message, system->particles, &full, r, to);
  if (status || !full.walkers) return status;
  status = CONVK_DEVICE_(able)(host, sizeof *r, 1);
  if (!status && gradient)
    status = convk_pair_steps_(host, &terms, system->particles, &full, particle, r, to, NULL, accept, gradient);
  if (!status) status = convk_pair_go_(&full, particle, to, accept, r); /* here, too, it is one particle that moves */
  return status;
}

/* A run between the calls of its driver: its arrays stay on the device. */
typedef struct convk_vmc_state_there_ {
  CONVK_DEVICE_(host) *host;
  convk_pair_terms_ terms;
  CONVK_DEVICE_(memory) table, r, ln_psi, result, drift, accepted;
  int begun;
} convk_vmc_state_there_;

CONVK_LOCAL_ int convk_vmc_upload_(convk_vmc_state_there_ *run, const convk_vmc_job_ *job) {
  const size_t walkers = job->walkers, results = CONVK_VMC_BATCH_ * walkers * sizeof *job->result;
  CONVK_DEVICE_(host) *const host = run->host;
  int status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 1);
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  run->begun = 1;
  status = convk_pair_table_there_(host, &run->terms, &run->table);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, results, &run->result);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_2_, walkers * sizeof(double), &run->drift);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_1_, walkers * sizeof(uint32_t), &run->accepted);
  if (!status)
    status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_IN_, job->r, 3 * job->n * walkers * sizeof(CONVK_T), &run->r);
  return status ? status
                : CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_3_, job->ln_psi, walkers * sizeof(double), &run->ln_psi);
}

/* For convk_vmc_drive_. */
CONVK_LOCAL_ int convk_vmc_advance_(convk *hw, const convk_vmc_job_ *job, void *ctx) {
  convk_vmc_state_there_ *const run = (convk_vmc_state_there_ *)ctx;
  const size_t walkers = job->walkers, doubles = walkers * sizeof(double);
  CONVK_DEVICE_(host) *const host = run->host;
  int status = run->begun ? CONVK_OK : convk_vmc_upload_(run, job);
  (void)hw;
  if (!run->begun) return status;
  if (!status)
    status =
        convk_vmc_batch_there_(host, &run->terms, run->table, job, run->r, run->ln_psi, run->result, run->drift, run->accepted);
  if (!status && job->measured)
    status = CONVK_DEVICE_(fetch)(host, run->result, job->measured * walkers * sizeof *job->result, job->result);
  if (!status) status = CONVK_DEVICE_(fetch)(host, run->drift, doubles, job->drift);
  if (!status) status = CONVK_DEVICE_(fetch)(host, run->accepted, walkers * sizeof(uint32_t), job->accepted);
  if (!status) /* also before the last batch: walkers that escape must be seen */
    status = CONVK_DEVICE_(fetch)(host, run->r, 3 * job->n * walkers * sizeof(CONVK_T), job->r);
  if (!status && job->last) status = CONVK_DEVICE_(fetch)(host, run->ln_psi, doubles, job->ln_psi);
  return CONVK_DEVICE_(wait)(host, status);
}

CONVK_API_ int convk_vmc_run_device CONVK_OP_VMC_RUN_(CONVK_OP_PARAMETERS_) {
  convk_vmc_state_there_ run;
  int status;
  memset(&run, 0, sizeof run);
  status = CONVK_DEVICE_(host_of)(hw, &run.host);
  if (!status) status = convk_vmc_run_check_(hw->message, vmc, state, state_size, &run.terms);
  status = convk_vmc_drive_(hw, vmc, sweeps, state, state_size, work, work_size, sizeof(CONVK_T),
                            status ? 0 : convk_vmc_more_there_(hw, vmc, work), status, convk_vmc_advance_, &run);
  return run.begun ? CONVK_DEVICE_(end)(run.host, status) : status;
}
#endif
