#if CONVK_CORE_
/* ---- the call ---- */

#define CONVK_TUNABLE_(finds, trial, operation, type, precision, chooses, which) \
  CONVK_IF_(finds, CONVK_TRIAL_##precision##_(trial))
#define CONVK_TRIAL_f32_(trial) CONVK_IF_(CONVK_HAS_F32_, CONVK_ACROSS_ int convk_trial_##trial##_f32_(convk_trial_ *t);)
#define CONVK_TRIAL_f64_(trial) CONVK_IF_(CONVK_HAS_F64_, CONVK_ACROSS_ int convk_trial_##trial##_f64_(convk_trial_ *t);)
CONVK_TUNABLES_(CONVK_TUNABLE_)
#undef CONVK_TUNABLE_
#undef CONVK_TRIAL_f32_
#undef CONVK_TRIAL_f64_

/* What kind of device this is, if it can be tuned by something; 0: a processor. */
CONVK_RARE_ int convk_tune_on_(convk *hw, const char *operation, int *on) {
  double kind = 0;
  *on = 0;
  if (!hw->ours.inside.device) return CONVK_OK;
  if (hw->ours.inside.clock && !hw->ours.inside.clock(hw, CONVK_CLOCK_KIND_, &kind)) *on = (int)kind;
  if (*on && convk_tune_axis_of_(convk_tune_axes_(), operation, *on)) return CONVK_OK;
  return convk_refuse_names_(hw->message, CONVK_ERR_UNSUPPORTED, "hw is $, where $ has nothing to choose", hw->name, operation);
}

CONVK_API_ int convk_tune(convk *hw, const char *operation, const convk_tune_shape *shape, double budget_ms,
                          convk_tuned *entry) {
  /* trials, in the order of the list */
#define CONVK_TUNABLE_(finds, trial, operation, type, precision, chooses, which) \
  CONVK_PICK_(finds, CONVK_TRIAL_##precision##_(trial), NULL),
#define CONVK_TRIAL_f32_(trial) CONVK_PICK_(CONVK_HAS_F32_, convk_trial_##trial##_f32_, NULL)
#define CONVK_TRIAL_f64_(trial) CONVK_PICK_(CONVK_HAS_F64_, convk_trial_##trial##_f64_, NULL)
  static int (*const begins[])(convk_trial_ *) = {CONVK_TUNABLES_(CONVK_TUNABLE_) NULL};
#undef CONVK_TUNABLE_
  convk_trial_ t;
  size_t i, which;
  int on, status = convk_begin_call_(hw);
  if (!status) status = convk_need_(hw->message, "operation", operation);
  if (!status) status = convk_need_(hw->message, "shape", shape);
  if (!status) status = convk_need_(hw->message, "entry", entry);
  if (!status) status = convk_need_finite_(hw->message, "budget_ms", budget_ms);
  if (status) return status;
  for (which = 0; convk_tunables_()[which].operation; which++) {
    const convk_tunable_ *what = &convk_tunables_()[which];
    const size_t letters = strlen(what->operation);
    if (!strncmp(operation, what->operation, letters) && operation[letters] == '_' &&
        !strcmp(operation + letters + 1, what->type))
      break;
  }
  if (!begins[which] && !convk_tunables_()[which].operation)
    return convk_refuse_names_(hw->message, CONVK_ERR_OPTION,
                               "operation is '$', none that is tuned, with its type: stencil7_f64", operation, NULL);
  if (!begins[which])
    return convk_refuse_names_(hw->message, CONVK_ERR_COMPILED, "operation is '$', which is not compiled in", operation, NULL);
  status = convk_tune_on_(hw, convk_tunables_()[which].operation, &on);
  if (status) return status;
  memset(&t, 0, sizeof t);
  t.hw = *hw;
  t.hw.tuned = &t.entry;
  t.hw.ntuned = 1;
  t.shape = *shape;
  t.what = &convk_tunables_()[which];
  t.unit = 1;
  t.entry.nx = shape->grid.nx;
  t.entry.ny = shape->grid.ny;
  t.entry.nz = shape->grid.nz;
  t.entry.length = 1;
  strcpy(t.entry.operation, t.what->operation);
  strcpy(t.entry.type, t.what->type);
  memcpy(t.entry.hw, hw->name, sizeof t.entry.hw - 1);
  memcpy(t.entry.machine, hw->machine, sizeof t.entry.machine);
  t.entry.threads = convk_tuned_threads_(hw);
  status = begins[which](&t);
  for (i = 0; i < 3 && !status; i++) {
    t.array[i] = convk_huge_alloc(t.bytes);
    if (!t.array[i]) status = convk_refuse_(hw->message, CONVK_ERR_MEMORY, "no memory for the arrays of trials");
  }
  for (i = 0; i < 2 && !status && t.touch; i++)
    status = convk_first_touch(hw, &shape->grid, t.what->type[1] == '3' ? 4 : 8, t.array[i]);
  if (!status && !on) status = convk_search_(&t, budget_ms < 0 ? 0 : budget_ms > 1e7 ? 1e4 : budget_ms / 1000);
  if (!status && on) {
    status = hw->ours.inside.clock(&t.hw, CONVK_CLOCK_BEGIN_, NULL);
    t.device = !status;
    if (!status) status = convk_search_device_(&t, on, budget_ms < 0 ? 0 : budget_ms > 1e7 ? 1e4 : budget_ms / 1000);
    if (t.device) (void)hw->ours.inside.clock(&t.hw, CONVK_CLOCK_END_, NULL);
  }
  for (i = 0; i < 3; i++) convk_huge_free(t.array[i]);
  if (t.work) CONVK_FREE(t.work);
  if (t.plan) CONVK_FREE(t.plan);
  if (status && t.hw.message[0]) memcpy(hw->message, t.hw.message, sizeof hw->message);
  if (status && !hw->message[0]) (void)convk_refuse_names_(hw->message, status, "shape does not fit $", operation, NULL);
  if (!status) *entry = t.entry;
  return status;
}
#endif
