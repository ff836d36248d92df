#if CONVK_CORE_
/* ---- what devices are tuned by ---- */

/* Values of one parameter that are tried, in this order, for an operation on some kinds of devices. */
typedef struct convk_tune_axis_ {
  const char *operation;
  int on, which;
  long value[8];
} convk_tune_axis_;

/* The parameter that matters most comes first.  On processors a work-item is a loop over a tile, so that its sizes are those of
   caches and vectors; on GPUs they are those of registers and waves.  What a device's kernels do not have is not listed. */
CONVK_LOCAL_ const convk_tune_axis_ *convk_tune_axes_(void) {
  enum { cpu_ = CONVK_TUNE_ON_CPU_, gpu_ = CONVK_TUNE_ON_GPU_, cuda_ = CONVK_TUNE_ON_CUDA_ };
  static const convk_tune_axis_ axes[] = {{"stencil7", cpu_, CONVK_TUNE_TILE_X, {32, 16, 128}},
                                          {"stencil7", cpu_, CONVK_TUNE_TILE_Y, {8, 32}},
                                          {"stencil7", cpu_ | gpu_, CONVK_TUNE_STEPS, {1, 2, 3, 4}},
                                          {"stencil7", gpu_, CONVK_TUNE_TILE_Y, {16, 8, 32}},
                                          {"stencil7", gpu_, CONVK_TUNE_TILE_X, {64, 32}},
                                          {"stencil7", gpu_, CONVK_TUNE_GROUP_Y, {16, 4, 8}},
                                          {"stencil7", cpu_ | gpu_, CONVK_TUNE_CHUNK, {32, 64, 16, 128}},
                                          {"stencil7", cuda_, CONVK_TUNE_STEPS, {3, 2, 1, 4}},
                                          {"stencil7", cuda_, CONVK_TUNE_TILE_X, {32, 64, 16}},
                                          {"stencil7", cuda_, CONVK_TUNE_CHUNK, {32, 64, 128, 16, 256}},
                                          {"sepconv3d", cpu_ | gpu_, CONVK_TUNE_TILE_X, {128, 32, 256, 64}},
                                          {"sepconv3d", cpu_ | gpu_, CONVK_TUNE_TILE_Y, {16, 64, 32}},
                                          {"sepconv3d", cpu_ | gpu_, CONVK_TUNE_CHUNK, {16, 32, 128, 64}},
                                          {"sepconv3d", cuda_, CONVK_TUNE_TILE_X, {128, 256}},
                                          {"sepconv3d", cuda_, CONVK_TUNE_TILE_Y, {32, 64, 128, 16}},
                                          {"sepconv3d", cuda_, CONVK_TUNE_CHUNK, {32, 64, 16, 128}},
                                          {"gridpot", cpu_, CONVK_TUNE_TILE_X, {256, 1024, 128, 64}},
                                          {"gridpot", cpu_, CONVK_TUNE_TILE_Y, {16, 32, 128}},
                                          {"gridpot", gpu_, CONVK_TUNE_TILE_X, {2, 4, 1}},
                                          {"gridpot", gpu_, CONVK_TUNE_GROUP_X, {64, 256}},
                                          {"gridpot", gpu_, CONVK_TUNE_TILE_Y, {16, 64}},
                                          {"gridpot_sum", cpu_, CONVK_TUNE_TILE_X, {32, 128, 16, 256}},
                                          {"gridpot_sum", gpu_, CONVK_TUNE_TILE_X, {1, 2, 4}},
                                          {"gridpot_sum", gpu_, CONVK_TUNE_GROUP_X, {64, 256}},
                                          {"gridpot_sum", cuda_, CONVK_TUNE_TILE_X, {1, 4}},
                                          {"orbitals", cpu_, CONVK_TUNE_TILE_X, {64, 16, 128, 8}},
                                          {"orbitals", gpu_, CONVK_TUNE_TILE_X, {1, 2}},
                                          {"orbitals", gpu_, CONVK_TUNE_GROUP_X, {64, 256}},
                                          {"orbitals", cuda_, CONVK_TUNE_TILE_Y, {8, 16}},
                                          {"formfactor", cpu_, CONVK_TUNE_TILE_X, {128, 32, 256, 16}},
                                          {"formfactor", gpu_, CONVK_TUNE_TILE_X, {1, 2, 4}},
                                          {"formfactor", gpu_, CONVK_TUNE_GROUP_X, {64, 256}},
                                          {"formfactor", cuda_, CONVK_TUNE_TILE_X, {1, 4}},
                                          {"formfactor_grid", cpu_, CONVK_TUNE_TILE_X, {4, 2, 16}},
                                          {"formfactor_grid", cpu_ | gpu_, CONVK_TUNE_TILE_Y, {8, 2}},
                                          {"formfactor_grid", cpu_ | gpu_, CONVK_TUNE_CHUNK, {32, 16, 8}},
                                          {"formfactor_grid", gpu_, CONVK_TUNE_GROUP_Y, {8}},
                                          {"fftconv2d", cpu_, CONVK_TUNE_CHUNK, {2, 1, 4, 8, 16}},
                                          {"fftconv2d", gpu_ | cuda_, CONVK_TUNE_CHUNK, {1, 2, 4, 3, 8}},
                                          {"fftconv2d", gpu_, CONVK_TUNE_GROUP_X, {64, 128, 32}},
                                          {"fft2d", cpu_, CONVK_TUNE_CHUNK, {2, 1, 4, 8, 16}},
                                          {"fft2d", gpu_ | cuda_, CONVK_TUNE_CHUNK, {1, 2, 4, 3, 8}},
                                          {"fft2d", gpu_, CONVK_TUNE_GROUP_X, {64, 128, 32}},
                                          {NULL, 0, 0, {0}}};
  return axes;
}

/* The next parameter of an operation from `axis` on, or NULL. */
CONVK_LOCAL_ const convk_tune_axis_ *convk_tune_axis_of_(const convk_tune_axis_ *axis, const char *operation, int on) {
  while (axis->operation && (strcmp(axis->operation, operation) || !(axis->on & on))) axis++;
  return axis->operation ? axis : NULL;
}

/* Tries a choice against the best one, first its bits, then its speed.  What the device refuses (too large a group, too little
   memory, a program that does not build) is not tried again; *status is a failure of the best one. */
CONVK_RARE_ void convk_try_device_(convk_trial_ *t, const long *next, long *best, size_t runs, double end, int *status) {
  int failed = CONVK_OK;
  double speed = 0, way = convk_trial_ask_(t, CONVK_CLOCK_WAY_, &failed);
  const int same = convk_trial_same_(t, next, 0, &failed);
  way = convk_trial_ask_(t, CONVK_CLOCK_WAY_, &failed);
  if (!failed && way != 0 && way == t->way) return; /* other parameters, which come to the same call */
  if (same) speed = convk_trial_ratio_(t, next, best, runs, 3, end, &failed);
  t->tried++;
  if (failed) {
    t->refused++;
    (void)convk_trial_same_(t, best, 0, status); /* if the best one fails now, the search ends */
  } else if (speed >= 1.01) {
    memcpy(best, next, sizeof t->entry.choice);
    t->way = way;
  }
}

/* Goes through the parameters in turn, as long as one of them made calls faster.  No trial begins that would end after the
   budget if it took as long as the longest one, as building a program takes most of its time. */
CONVK_RARE_ int convk_search_device_(convk_trial_ *t, int on, double budget) {
  const double begin = CONVK_SECONDS(), slice = budget < 5 ? budget / 500 : 0.01; /* seconds of kernels in a trial */
  long base[CONVK_TUNE_COUNT], best[CONVK_TUNE_COUNT], next[CONVK_TUNE_COUNT];
  const convk_tune_axis_ *axis;
  int status = CONVK_OK, better = 1, round, v;
  double now, longest, time, way, ratio = 1;
  size_t runs;
  memset(base, 0, sizeof base);
  memset(best, 0, sizeof best);
  (void)convk_trial_ask_(t, CONVK_CLOCK_WAY_, &status);
  if (!convk_trial_same_(t, base, 1, &status)) return status ? status : CONVK_ERR_DEVICE;
  way = t->way = convk_trial_ask_(t, CONVK_CLOCK_WAY_, &status);
  longest = CONVK_SECONDS() - begin; /* with a program to build, as trials have */
  time = convk_trial_time_(t, base, 1, &status);
  for (runs = 1; runs < 64 && time * (double)runs < slice; runs *= 2) continue;
  for (round = 0; round < 3 && better; round++) {
    better = 0;
    for (axis = convk_tune_axes_(); (axis = convk_tune_axis_of_(axis, t->what->operation, on)) != NULL; axis++)
      for (v = 0; v < 8 && axis->value[v]; v++) {
        const double start = CONVK_SECONDS() - begin;
        if (status || start + 1.5 * longest > 0.85 * budget) break; /* larger tiles take longer to build */
        memcpy(next, best, sizeof best);
        next[axis->which] = axis->value[v];
        if (!memcmp(next, best, sizeof best)) continue;
        convk_try_device_(t, next, best, runs, begin + 0.85 * budget, &status);
        better |= !memcmp(next, best, sizeof best);
        now = CONVK_SECONDS() - begin;
        if (now - start > longest) longest = now - start;
      }
  }
  if (!status && memcmp(best, base, sizeof best) && (way == 0 || way != t->way))
    ratio = convk_trial_ratio_(t, best, base, runs, 9, begin + budget, &status);
  return convk_trial_chosen_(t, best, base, ratio, status);
}
#endif
