/* ---- choices for a call ---- */

/* Operations that can be tuned; the last has no name. */
CONVK_LOCAL_ const convk_tunable_ *convk_tunables_(void) {
#define CONVK_TUNABLE_(FAMILY, trial, operation, type, PRECISION, chooses, which) {#operation, #type, chooses, which},
  static const convk_tunable_ tunables[] = {CONVK_TUNABLES_(CONVK_TUNABLE_){NULL, NULL, 0, 0}};
#undef CONVK_TUNABLE_
  return tunables;
}

/* The place of an operation in the list, of any type where that is NULL; that of its end: there is none. */
CONVK_RARE_ size_t convk_tunable_of_(const char *operation, const char *type) {
  const convk_tunable_ *list = convk_tunables_();
  size_t i = 0;
  while (list[i].operation && (strcmp(list[i].operation, operation) || (type && strcmp(list[i].type, type)))) i++;
  return i;
}

/* How far a tuned size lies from the wanted one: their ratio, or too far. */
CONVK_RARE_ double convk_size_ratio_(size_t a, size_t b, double most) {
  const double ratio = !a || !b ? 1e9 : a > b ? (double)a / (double)b : (double)b / (double)a;
  return ratio <= most ? ratio : 1e9;
}

/* Whether an entry is for this handle's calls of an operation. */
CONVK_LOCAL_ int convk_tuned_for_(convk *hw, const convk_tuned *e, const char *operation, const char *type) {
  return !strcmp(e->operation, operation) && !strcmp(e->type, type) && !strcmp(e->hw, hw->name) &&
         !strcmp(e->machine, hw->machine) && e->threads == (int)convk_threads_(hw);
}

/* The handle's tuning, completed by an entry. */
CONVK_RARE_ convk_tuning convk_tuning_with_(convk *hw, const convk_tuned *e) {
  convk_tuning t = hw->tuning;
  if (!t.nontemporal) t.nontemporal = (int)e->choice[CONVK_TUNE_NONTEMPORAL];
#define CONVK_TUNING_CHOICE_(type, name, which) \
  if (!t.name) t.name = (type)e->choice[CONVK_TUNE_##which];
  CONVK_TUNING_PARAMETERS_(CONVK_TUNING_CHOICE_)
#undef CONVK_TUNING_CHOICE_
  return t;
}

/* The handle's tuning for a call, completed by the entry that fits best. */
CONVK_RARE_ convk_tuning convk_tuning_of_(convk *hw, const char *operation, const char *type, const size_t n[3],
                                          size_t length) {
  const convk_tuned *best = NULL;
  convk_tuning t;
  double least = 0;
  size_t i;
  if (!hw) {
    memset(&t, 0, sizeof t);
    return t;
  }
  for (i = 0; i < hw->ntuned && hw->tuned; i++) {
    const convk_tuned *e = &hw->tuned[i];
    double sum;
    if (!convk_tuned_for_(hw, e, operation, type)) continue;
    sum = convk_size_ratio_(e->nx, n[0], 2) + convk_size_ratio_(e->ny, n[1], 2) + convk_size_ratio_(e->nz, n[2], 2);
    if (convk_tunables_()[convk_tunable_of_(operation, NULL)].chooses & CONVK_TUNE_ONCE_OR_MORE_)
      sum += convk_size_ratio_(1 + (e->length > 1), 1 + (length > 1), 1);
    else sum += convk_size_ratio_(e->length, length, 2);
    if (sum < 1e9 && (!best || sum < least)) {
      best = e;
      least = sum;
    }
  }
  return best ? convk_tuning_with_(hw, best) : hw->tuning;
}

CONVK_LOCAL_ convk_tuning convk_tuning_for_(convk *hw, const char *operation, size_t element, const size_t n[3],
                                            size_t length) {
  return convk_tuning_of_(hw, operation, element == 4 ? "f32" : "f64", n, length);
}
