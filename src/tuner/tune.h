#if CONVK_CORE_
CONVK_RARE_ double convk_trial_time_(convk_trial_ *t, const long *choice, size_t runs, int *status) {
  const double begin = CONVK_SECONDS();
  void *result;
  memcpy(t->entry.choice, choice, sizeof t->entry.choice);
  while (runs-- && !*status) *status = t->run(t, &result);
  return CONVK_SECONDS() - begin;
}

/* Whether a choice gives the bits of the first result, which is kept in array[2]. */
CONVK_RARE_ int convk_trial_same_(convk_trial_ *t, const long *choice, int first, int *status) {
  void *result = NULL;
  memcpy(t->entry.choice, choice, sizeof t->entry.choice);
  t->fill(t);
  *status = t->run(t, &result);
  if (*status) return 0;
  if (first) memcpy(t->array[2], result, t->bytes);
  return !memcmp(t->array[2], result, t->bytes);
}

/* The speed of one choice over another, in turns, at least twice: the median of the ratios. */
CONVK_RARE_ double convk_trial_ratio_(convk_trial_ *t, const long *with, const long *over, size_t runs, size_t turns,
                                      double end, int *status) {
  double ratio[9], x;
  size_t i, j;
  for (i = 0; i < turns && !*status && (i < 2 || CONVK_SECONDS() < end); i++) {
    const double base = convk_trial_time_(t, over, runs, status), time = convk_trial_time_(t, with, runs, status);
    ratio[i] = base > 0 && time > 0 ? base / time : 1; /* a clock that stood still says nothing */
    if (!i && ratio[0] < 0.8) return ratio[0];         /* not worth a second look */
    for (j = i; j > 0 && ratio[j - 1] > ratio[j]; j--) {
      x = ratio[j];
      ratio[j] = ratio[j - 1];
      ratio[j - 1] = x;
    }
  }
  return *status ? 0 : i % 2 ? ratio[i / 2] : (ratio[i / 2] + ratio[i / 2 - 1]) / 2;
}

CONVK_RARE_ int convk_search_(convk_trial_ *t, double budget) {
  static const long values[CONVK_TUNE_COUNT][10] = {
      {8, 16, 32, 48, 64, 96, 128, 192, 1L << 20, 0}, {1, 2, 3, 4, 6, 8, 12, 0, 0, 0}, {-1, 1, 0, 0, 0, 0, 0, 0, 0, 0},
      {-1, 64, 128, 256, 512, 1024, 0, 0, 0, 0},      {1, 2, 4, 8, 16, 0, 0, 0, 0, 0}, {1, 2, 4, 0, 0, 0, 0, 0, 0, 0}};
  static const int order[CONVK_TUNE_COUNT] = {CONVK_TUNE_DEPTH,    CONVK_TUNE_ROWS,      CONVK_TUNE_NONTEMPORAL,
                                              CONVK_TUNE_PREFETCH, CONVK_TUNE_THREADS_Y, CONVK_TUNE_PLANES};
  const double begin = CONVK_SECONDS();
  long base[CONVK_TUNE_COUNT], best[CONVK_TUNE_COUNT], next[CONVK_TUNE_COUNT];
  const unsigned chooses = t->what->chooses;
  const int ways = (chooses & CONVK_TUNE_WAYS_) == CONVK_TUNE_WAYS_;
  int status = CONVK_OK, better = 1, p, v, round;
  const double slice = budget < 25 ? budget / 500 : 0.05; /* seconds of a trial */
  double speed, ratio;
  size_t runs;
  memset(base, 0, sizeof base);
  memset(best, 0, sizeof best);
  if (!convk_trial_same_(t, base, 1, &status)) return status ? status : CONVK_ERR_DEVICE;
  for (runs = 1; convk_trial_time_(t, base, runs, &status) < slice && runs < 4096; runs *= 2) continue;
  for (round = 0; round < 3 && better; round++) {
    better = 0;
    for (p = 0; p < CONVK_TUNE_COUNT; p++)
      for (v = 0; values[order[p]][v]; v++) {
        if (status || CONVK_SECONDS() - begin > 0.75 * budget) break;
        if (!(chooses >> order[p] & 1) || (ways && v > 1)) break;
        if (order[p] == CONVK_TUNE_THREADS_Y && values[order[p]][v] > t->entry.threads) break;
        if (order[p] == CONVK_TUNE_DEPTH && (size_t)values[order[p]][v] > t->entry.length) break;
        memcpy(next, best, sizeof best);
        next[order[p]] =
            ways ? v + 1
                 : values[order[p]][v] * (order[p] == CONVK_TUNE_ROWS && values[order[p]][v] < 1024 ? (long)t->unit : 1);
        if (t->same ? t->same(t, next, best) : !memcmp(next, best, sizeof next)) continue;
        speed = convk_trial_ratio_(t, next, best, runs, 3, begin + 0.75 * budget, &status); /* 0 where it failed */
        if (status == CONVK_ERR_MEMORY) status = CONVK_OK; /* queues too large for this machine: not that one */
        if (!(speed >= 1.01)) continue;
        if (!convk_trial_same_(t, next, 0, &status)) continue;
        memcpy(best, next, sizeof best);
        better = 1;
      }
  }
  ratio = 1;
  if (!status && memcmp(best, base, sizeof best)) ratio = convk_trial_ratio_(t, best, base, runs, 9, begin + budget, &status);
  if (!(ratio > 1.03 && ratio < 1000)) { /* noise, or not worth it */
    memcpy(best, base, sizeof best);
    ratio = 1;
  }
  memcpy(t->entry.choice, best, sizeof best);
  t->entry.gain = ratio < 1000 ? (long)(1000 * ratio + 0.5) : 1000000;
  return status;
}

#define CONVK_TUNABLE_(FAMILY, trial, operation, type, PRECISION, chooses, which) \
  CONVK_IF_(CONVK_FINDS_##FAMILY##_, CONVK_IF_(CONVK_HAS_##PRECISION##_, CONVK_TRIAL_##PRECISION##_(trial)))
#define CONVK_TRIAL_F32_(trial) CONVK_ACROSS_ int convk_trial_##trial##_f32_(convk_trial_ *t);
#define CONVK_TRIAL_F64_(trial) CONVK_ACROSS_ int convk_trial_##trial##_f64_(convk_trial_ *t);
CONVK_TUNABLES_(CONVK_TUNABLE_)
#undef CONVK_TUNABLE_
#undef CONVK_TRIAL_F32_
#undef CONVK_TRIAL_F64_

CONVK_API_ int convk_tune(convk *hw, const char *operation, const convk_tune_shape *shape, double budget_ms,
                          convk_tuned *entry) {
  /* trials, in the order of the list */
#define CONVK_TUNABLE_(FAMILY, trial, operation, type, PRECISION, chooses, which) \
  CONVK_PICK_(CONVK_FINDS_##FAMILY##_, CONVK_PICK_(CONVK_HAS_##PRECISION##_, CONVK_TRIAL_##PRECISION##_(trial), NULL), NULL),
#define CONVK_TRIAL_F32_(trial) convk_trial_##trial##_f32_
#define CONVK_TRIAL_F64_(trial) convk_trial_##trial##_f64_
  static int (*const begins[])(convk_trial_ *) = {CONVK_TUNABLES_(CONVK_TUNABLE_) NULL};
#undef CONVK_TUNABLE_
  convk_trial_ t;
  size_t i, which;
  int status = convk_begin_call_(hw);
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
  if (hw->ours.inside.device)
    return convk_refuse_names_(hw->message, CONVK_ERR_UNSUPPORTED, "hw is $: only operations of processors are tuned", hw->name,
                               NULL);
  memset(&t, 0, sizeof t);
  t.hw = *hw;
  t.hw.tuned = &t.entry;
  t.hw.ntuned = 1;
  t.shape = *shape;
  t.what = &convk_tunables_()[which];
  t.unit = 1;
  strcpy(t.entry.operation, t.what->operation);
  strcpy(t.entry.type, t.what->type);
  memcpy(t.entry.hw, hw->name, sizeof t.entry.hw - 1);
  memcpy(t.entry.machine, hw->machine, sizeof t.entry.machine);
  t.entry.threads = (int)convk_threads_(hw);
  status = begins[which](&t);
  for (i = 0; i < 3 && !status; i++) {
    t.array[i] = convk_huge_alloc(t.bytes);
    if (!t.array[i]) status = convk_refuse_(hw->message, CONVK_ERR_MEMORY, "no memory for the arrays of trials");
  }
  for (i = 0; i < 2 && !status && t.touch; i++)
    status = convk_first_touch(hw, &shape->grid, t.what->type[1] == '3' ? 4 : 8, t.array[i]);
  if (!status) status = convk_search_(&t, budget_ms < 0 ? 0 : budget_ms > 1e7 ? 1e4 : budget_ms / 1000);
  for (i = 0; i < 3; i++) convk_huge_free(t.array[i]);
  if (t.work) CONVK_FREE(t.work);
  if (t.plan) CONVK_FREE(t.plan);
  if (status && t.hw.message[0]) memcpy(hw->message, t.hw.message, sizeof hw->message);
  if (status && !hw->message[0]) (void)convk_refuse_names_(hw->message, status, "shape does not fit $", operation, NULL);
  if (!status) *entry = t.entry;
  return status;
}
#endif
