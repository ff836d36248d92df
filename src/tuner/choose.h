/* ---- choices for a call ---- */

/* Operations that can be tuned; the last has no name. */
CONVK_LOCAL_ const convk_tunable_ *convk_tunables_(void) {
#define CONVK_TUNABLE_(finds, trial, operation, type, precision, chooses, which) {#operation, #type, chooses, which},
  static const convk_tunable_ tunables[] = {CONVK_TUNABLES_(CONVK_TUNABLE_){NULL, NULL, 0, 0}};
#undef CONVK_TUNABLE_
  return tunables;
}

/* The index of an operation in the list, or of the list's end where it is not there.  type: NULL for any. */
CONVK_RARE_ size_t convk_tunable_of_(const char *operation, const char *type) {
  const convk_tunable_ *list = convk_tunables_();
  size_t i = 0;
  while (list[i].operation && (strcmp(list[i].operation, operation) || (type && strcmp(list[i].type, type)))) i++;
  return i;
}

/* How far a tuned size lies from the wanted one: their ratio, or 1e9 where that is above `limit`. */
CONVK_RARE_ double convk_size_ratio_(size_t a, size_t b, double limit) {
  const double ratio = !a || !b ? 1e9 : a > b ? (double)a / (double)b : (double)b / (double)a;
  return ratio <= limit ? ratio : 1e9;
}

/* The number of threads that an entry has to name; 1 for devices, which do not use those of the handle. */
CONVK_LOCAL_ int convk_tuned_threads_(convk *hw) { return hw->ours.inside.device ? 1 : (int)convk_threads_(hw); }

/* Whether an entry is for this handle's calls of an operation. */
CONVK_LOCAL_ int convk_tuned_for_(convk *hw, const convk_tuned *e, const char *operation, const char *type) {
  return !strcmp(e->operation, operation) && !strcmp(e->type, type) && !strcmp(e->hw, hw->name) &&
         !strcmp(e->machine, hw->machine) && e->threads == convk_tuned_threads_(hw);
}

/* The handle's tuning, completed by an entry. */
CONVK_RARE_ convk_tuning convk_tuning_with_(convk *hw, const convk_tuned *e) {
  convk_tuning t = hw->tuning;
  if (!t.nontemporal) t.nontemporal = (int)e->choice[CONVK_TUNE_NONTEMPORAL];
#define CONVK_TUNING_CHOICE_(type, name, which) \
  if (!t.name) t.name = (type)e->choice[which];
  CONVK_TUNING_(CONVK_TUNING_CHOICE_)
#undef CONVK_TUNING_CHOICE_
  return t;
}

/* The handle's entry that fits a call best, whose n are its sizes and `length` its taps, steps or the like; NULL: none does. */
CONVK_RARE_ const convk_tuned *convk_tuned_best_(convk *hw, const char *operation, const char *type, const size_t n[3],
                                                 size_t length) {
  const convk_tuned *best = NULL;
  double least = 0;
  size_t i;
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
  return best;
}

/* The handle's tuning for a call, or `own`, which the entry that fits best completes: small calls have no time for a copy. */
CONVK_RARE_ const convk_tuning *convk_tuning_of_(convk *hw, const char *operation, const char *type, const size_t n[3],
                                                 size_t length, convk_tuning *own) {
  const convk_tuned *best = NULL;
  if (!hw) memset(own, 0, sizeof *own);
  else if (hw->ntuned && !hw->ours.inside.device) /* entries of devices have other choices */
    best = convk_tuned_best_(hw, operation, type, n, length);
  if (best) *own = convk_tuning_with_(hw, best);
  return best || !hw ? own : &hw->tuning;
}

/* The handle whose tuning decides how a call on a processor is cut: a copy with the best entry, or itself. */
CONVK_RARE_ convk *convk_tuned_handle_(convk *hw, const char *operation, const char *type, const size_t n[3], size_t length,
                                       convk *copy) {
  const convk_tuned *best;
  if (!hw || !hw->ntuned || hw->ours.inside.device) return hw;
  best = convk_tuned_best_(hw, operation, type, n, length);
  if (!best) return hw;
  *copy = *hw;
  copy->tuning = convk_tuning_with_(hw, best);
  return copy;
}

/* How many ways a call on a processor may be cut: way 0 is the handle's own, way i > 0 that of its entry i - 1. */
CONVK_LOCAL_ size_t convk_tuned_ways_(const convk *hw) {
  return 1 + (hw && hw->tuned && !hw->ours.inside.device ? hw->ntuned : 0);
}
/* The handle that cuts a call in way i > 0: a copy that its entry completes; NULL: the entry is not for such calls. */
CONVK_RARE_ convk *convk_tuned_way_(convk *hw, const char *operation, const char *type, size_t i, convk *copy) {
  if (!convk_tuned_for_(hw, &hw->tuned[i - 1], operation, type)) return NULL;
  *copy = *hw;
  copy->tuning = convk_tuning_with_(hw, &hw->tuned[i - 1]);
  return copy;
}

/* The choice of parameters for a call on a device; 0 is the default.  hw: NULL, or the handle that has the entries. */
CONVK_RARE_ void convk_tuned_choice_(convk *hw, const char *operation, const char *type, const size_t n[3], size_t length,
                                     long choice[CONVK_TUNE_COUNT]) {
  const convk_tuned *const best = hw && hw->ntuned ? convk_tuned_best_(hw, operation, type, n, length) : NULL;
  size_t i;
  for (i = 0; i < CONVK_TUNE_COUNT; i++) choice[i] = best && best->choice[i] > 0 ? best->choice[i] : 0;
}

/* convk_tuned_choice_ for real numbers of `element` bytes. */
CONVK_LOCAL_ void convk_choice_(convk *hw, const char *operation, size_t element, size_t nx, size_t ny, size_t nz,
                                size_t length, long choice[CONVK_TUNE_COUNT]) {
  size_t n[3];
  n[0] = nx;
  n[1] = ny;
  n[2] = nz;
  convk_tuned_choice_(hw, operation, element == 4 ? "f32" : "f64", n, length, choice);
}

/* A tuned size, rounded down to a power of two from `least` to `greatest`, which are powers of two; for 0 it is `otherwise`. */
CONVK_LOCAL_ size_t convk_tuned_power_(long choice, size_t least, size_t greatest, size_t otherwise) {
  size_t power = least;
  if (choice <= 0) return otherwise;
  while (power < greatest && 2 * power <= (size_t)choice) power *= 2;
  return power;
}

/* convk_tuning_of_ real numbers of `element` bytes. */
CONVK_LOCAL_ const convk_tuning *convk_tuning_for_(convk *hw, const char *operation, size_t element, const size_t n[3],
                                                   size_t length, convk_tuning *own) {
  return convk_tuning_of_(hw, operation, element == 4 ? "f32" : "f64", n, length, own);
}
