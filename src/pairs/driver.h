#if CONVK_HAS_VMC_
/* Pairs: what is compiled once per precision. */
CONVK_LIGHT_PUSH_
#include "pairs/terms.h"
CONVK_LIGHT_POP_
#include "pairs/energy.h"
#include "pairs/moves.h"
#include "pairs/sweeps.h"

CONVK_LIGHT_PUSH_
/* ---- states and runs of this precision ---- */

CONVK_API_ size_t convk_vmc_work_size(convk *hw, const convk_vmc *vmc) {
  return convk_vmc_work_size_(hw, vmc, sizeof(CONVK_T));
}

CONVK_API_ size_t convk_vmc_state_size(const convk_vmc *vmc) { return convk_vmc_state_size_(vmc, sizeof(CONVK_T)); }

CONVK_API_ int convk_vmc_begin(const convk_vmc *vmc, const CONVK_T *r, void *state, size_t state_size) {
  convk_pair_terms_ terms;
  size_t need;
  int status = !vmc || !state ? CONVK_ERR_NULL : convk_vmc_check_(vmc, CONVK_PAIR_HOST_);
  if (!status) status = convk_pair_terms_of_(&vmc->system, CONVK_PAIR_ALL, &terms);
  if (status) return status;
  need = convk_vmc_state_size(vmc);
  if (!need) return CONVK_ERR_OVERFLOW;
  if (state_size < need) return CONVK_ERR_STATE;
  if (r) {
    convk_pair_walkers all = {0, 0, 0};
    all.walkers = convk_vmc_here_(vmc);
    status = convk_walkers_check_(&all, vmc->system.particles, sizeof *r, &all);
    if (!status && convk_overlap_(r, need - convk_vmc_at_(all.walkers), state, need)) status = CONVK_ERR_OVERLAP;
    if (!status) status = convk_pair_coordinates_(&all, vmc->system.particles, r);
  }
  return status ? status : convk_vmc_begin_(vmc, r, state, need, sizeof *r);
}

CONVK_API_ int convk_vmc_check(const convk_vmc *vmc, const void *state, size_t state_size) {
  return convk_vmc_belongs_(vmc, state, state_size, sizeof(CONVK_T));
}

CONVK_API_ int convk_vmc_positions(const convk_vmc *vmc, const void *state, size_t state_size, CONVK_T *r) {
  const int status = r ? convk_vmc_check(vmc, state, state_size) : CONVK_ERR_NULL;
  const size_t here = status ? 0 : convk_vmc_here_(vmc);
  if (!status) memcpy(r, (const char *)state + convk_vmc_at_(here), here * 3 * vmc->system.particles * sizeof *r);
  return status;
}

CONVK_API_ int convk_vmc_minimise(convk *hw, convk_vmc *vmc, const convk_vmc_minimise_options *options, void *state,
                                  size_t state_size, convk_vmc_result *result, void *work, size_t work_size) {
  return convk_vmc_minimise_(hw, vmc, options, state, state_size, result, work, work_size, sizeof(CONVK_T));
}
CONVK_LIGHT_POP_
#endif
