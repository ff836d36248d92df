#if CONVK_CORE_
/* The device's answer to a question, 0 where it has none; *status keeps the first failure. */
CONVK_LOCAL_ double convk_trial_ask_(convk_trial_ *t, int ask, int *status) {
  double answer = 0;
  const int failed = t->hw.ours.inside.clock(&t->hw, ask, &answer);
  if (failed && !*status) *status = failed;
  return answer;
}

CONVK_RARE_ double convk_trial_time_(convk_trial_ *t, const long *choice, size_t runs, int *status) {
  const double begin = t->device ? 0 : CONVK_SECONDS();
  double time;
  void *result;
  memcpy(t->entry.choice, choice, sizeof t->entry.choice);
  if (t->device) (void)convk_trial_ask_(t, CONVK_CLOCK_STILL_, status);
  while (runs-- && !*status) *status = t->run(t, &result);
  if (!t->device) return CONVK_SECONDS() - begin;
  time = convk_trial_ask_(t, CONVK_CLOCK_LOOK_, status);
  (void)convk_trial_ask_(t, CONVK_CLOCK_COPY_, status);
  return time;
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
    ratio[i] = base > 0 && time > 0 ? base / time : 1; /* the clock is too coarse to tell */
    if (!i && ratio[0] < 0.8) return ratio[0];         /* not worth a second look */
    for (j = i; j > 0 && ratio[j - 1] > ratio[j]; j--) {
      x = ratio[j];
      ratio[j] = ratio[j - 1];
      ratio[j - 1] = x;
    }
  }
  return *status ? 0 : i % 2 ? ratio[i / 2] : (ratio[i / 2] + ratio[i / 2 - 1]) / 2;
}

/* The end of a search: the best choice, or the default where it is not clearly better. */
CONVK_RARE_ int convk_trial_chosen_(convk_trial_ *t, const long *best, const long *base, double ratio, int status) {
  const int better = ratio > 1.03 && ratio < 1000; /* smaller gains are noise, or not worth it */
  memcpy(t->entry.choice, better ? best : base, sizeof t->entry.choice);
  t->entry.gain = better ? (long)(1000 * ratio + 0.5) : 1000;
  t->entry.tried = t->tried;
  t->entry.refused = t->refused;
  return status;
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
        t->tried++;
        t->refused += status == CONVK_ERR_MEMORY;
        if (status == CONVK_ERR_MEMORY) status = CONVK_OK; /* too large for this machine: go on */
        if (!(speed >= 1.01)) continue;
        if (!convk_trial_same_(t, next, 0, &status)) continue;
        memcpy(best, next, sizeof best);
        better = 1;
      }
  }
  ratio = 1;
  if (!status && memcmp(best, base, sizeof best)) ratio = convk_trial_ratio_(t, best, base, runs, 9, begin + budget, &status);
  return convk_trial_chosen_(t, best, base, ratio, status);
}
#endif
