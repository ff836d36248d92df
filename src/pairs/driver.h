CONVK_LIGHT_POP_ /* loops that count are in here, too */
/* Pairs: what is compiled once per precision. */
CONVK_LIGHT_PUSH_
#include "pairs/terms.h"
CONVK_LIGHT_POP_
#include "pairs/energy.h"
#include "pairs/moves.h"
#include "pairs/sweeps.h"

CONVK_LIGHT_PUSH_
/* ---- states and runs of this precision ---- */

CONVK_API_ int convk_vmc_work_size(convk *hw, const convk_vmc *vmc, size_t *bytes) {
  return convk_vmc_work_size_(hw, vmc, sizeof(CONVK_T), bytes);
}

CONVK_API_ int convk_vmc_state_size(convk *hw, const convk_vmc *vmc, size_t *bytes) {
  char *message;
  const int status = convk_pairs_call_(hw, &message);
  if (status) return status;
  if (!bytes) return convk_refuse_(message, CONVK_ERR_NULL, "bytes is NULL");
  return convk_vmc_state_size_(message, vmc, sizeof(CONVK_T), bytes);
}

CONVK_API_ int convk_vmc_begin(convk *hw, const convk_vmc *vmc, const CONVK_T *r, convk_vmc_state *state, size_t state_size) {
  convk_pairs_terms_ terms;
  convk_pair_walkers all;
  convk_place_ place[3];
  size_t need = 0;
  char *message;
  int status = convk_pairs_call_(hw, &message);
  if (!status) status = convk_vmc_check_(message, vmc, CONVK_PAIRS_TABLE_);
  if (!status) status = convk_pairs_terms_of_(message, &vmc->system, CONVK_PAIR_ALL, CONVK_PAIRS_IN_RUN_, &terms);
  if (!status) status = convk_vmc_state_size_(message, vmc, sizeof(CONVK_T), &need);
  if (status) return status;
  if (!state) return convk_refuse_(message, CONVK_ERR_NULL, "state is NULL");
  if (state_size < need)
    return convk_refuse_at_(message, CONVK_ERR_STATE, "state_size is %, and % are needed", (int64_t)state_size, (int64_t)need,
                            0);
  all = convk_walkers_packed_(convk_vmc_walkers_here_(vmc), vmc->system.particles);
  place[0] = convk_place_of_("r", r, need - convk_vmc_at_(all.walkers), CONVK_PLACE_OPTIONAL_);
  place[1] = convk_place_of_("state", state, need, CONVK_PLACE_WRITTEN_);
  status = convk_vmc_apart_(message, vmc, place, 2);
  if (!status && r) status = convk_pairs_coordinates_(message, "r", &all, vmc->system.particles, r);
  return status ? status : convk_vmc_begin_(message, vmc, r, state, need, sizeof *r);
}

CONVK_API_ int convk_vmc_check(convk *hw, const convk_vmc *vmc, const convk_vmc_state *state, size_t state_size) {
  char *message;
  const int status = convk_pairs_call_(hw, &message);
  return status ? status : convk_vmc_belongs_(message, vmc, state, state_size, sizeof(CONVK_T));
}

CONVK_API_ int convk_vmc_positions(convk *hw, const convk_vmc *vmc, const convk_vmc_state *state, size_t state_size,
                                   CONVK_T *r) {
  const void *const from = state;
  convk_place_ place[3];
  size_t here, bytes;
  char *message;
  int status = convk_pairs_call_(hw, &message);
  if (!status) status = convk_vmc_belongs_(message, vmc, state, state_size, sizeof(CONVK_T));
  if (status) return status;
  if (!r) return convk_refuse_(message, CONVK_ERR_NULL, "r is NULL");
  here = convk_vmc_walkers_here_(vmc);
  bytes = here * 3 * vmc->system.particles * sizeof *r;
  place[0] = convk_place_of_("state", state, convk_vmc_at_(here) + bytes, 0);
  place[1] = convk_place_of_("r", r, bytes, CONVK_PLACE_WRITTEN_);
  status = convk_vmc_apart_(message, vmc, place, 2);
  if (status) return status;
  memcpy(r, (const char *)from + convk_vmc_at_(here), bytes);
  return CONVK_OK;
}

CONVK_API_ int convk_vmc_results(convk *hw, const convk_vmc_state *state, size_t state_size, convk_vmc_result *result) {
  char *message;
  const int status = convk_pairs_call_(hw, &message);
  return status ? status : convk_vmc_results_(message, state, state_size, sizeof(CONVK_T), result);
}

CONVK_API_ int convk_vmc_take(convk *hw, const convk_vmc *vmc, convk_vmc_state *state, size_t state_size,
                              const convk_vmc_state *from, size_t from_size, size_t *taken) {
  char *message;
  const int status = convk_pairs_call_(hw, &message);
  return status ? status : convk_vmc_take_(message, vmc, state, state_size, from, from_size, taken, sizeof(CONVK_T));
}

CONVK_API_ int convk_vmc_minimise(convk *hw, convk_vmc *vmc, const convk_vmc_minimise_options *options, convk_vmc_state *state,
                                  size_t state_size, convk_vmc_result *result, void *work, size_t work_size) {
  return convk_vmc_minimise_(hw, vmc, options, state, state_size, result, work, work_size, sizeof(CONVK_T));
}
CONVK_LIGHT_POP_
CONVK_LIGHT_PUSH_
