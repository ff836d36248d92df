/* The shape of stencil7 that a trial is asked for. */
CONVK_LOCAL_ convk_stencil7_shape convk_trial_stencil_shape_(const convk_trial_ *t) {
  convk_stencil7_shape shape;
  shape.grid = t->shape.grid;
  memcpy(shape.boundary, t->shape.boundary, sizeof shape.boundary);
  return shape;
}

/* A call of stencil7 as it is tuned, of at most 24 steps.  *result: the array that has the last one. */
CONVK_RARE_ int convk_trial_stencil_run_(convk_trial_ *t, void **result) {
  const convk_stencil7_coefficients c = convk_stencil7_isotropic((CONVK_T)0.4, (CONVK_T)0.1);
  const size_t steps = t->entry.length < 24 ? t->entry.length : 24;
  const convk_stencil7_shape shape = convk_trial_stencil_shape_(t);
  CONVK_T *state = NULL;
  size_t need = 0;
  int status = convk_stencil7_work_size(&t->hw, &shape, steps, &need);
  if (!status) status = convk_trial_work_(t, need);
  if (!status)
    status = convk_stencil7(&t->hw, &shape, &c, steps, (CONVK_T *)t->array[0], (CONVK_T *)t->array[1], &state, t->work,
                            t->work_size);
  *result = state;
  return status;
}

/* One choice is set by hand, or is what the default is. */
CONVK_LOCAL_ int convk_trial_stencil_same_(convk_trial_ *t, const long *a, const long *b) {
  const size_t n[3] = {t->entry.nx, t->entry.ny, t->entry.nz};
  convk_stencil_cut_ cut[2];
  size_t need, i;
  for (i = 0; i < 2; i++) {
    memcpy(t->entry.choice, i ? b : a, sizeof t->entry.choice);
    if (convk_stencil_cut_of_(&t->hw, n, n, t->entry.length < 24 ? t->entry.length : 24, sizeof(CONVK_T), &cut[i], &need))
      return 1;
  }
  return !memcmp(&cut[0], &cut[1], sizeof cut[0]);
}

CONVK_ACROSS_ int convk_trial_stencil_(convk_trial_ *t) {
  convk_stencil_job_ job;
  const convk_stencil7_shape shape = convk_trial_stencil_shape_(t);
  const int status = convk_stencil_shape_(NULL, &shape, &job);
  if (status) return status;
  t->entry.nx = job.count[0];
  t->entry.ny = job.count[1];
  t->entry.nz = job.count[2];
  if (!t->entry.nx || !t->entry.ny || !t->entry.nz) return CONVK_ERR_SIZE;
  t->entry.length = t->shape.steps ? t->shape.steps : 1;
  if (t->entry.length > (size_t)1 << 30) t->entry.length = (size_t)1 << 30; /* as much as a line may say */
  t->bytes = job.span * sizeof(CONVK_T);
  t->fill = convk_trial_fill_;
  t->run = convk_trial_stencil_run_;
  t->same = convk_trial_stencil_same_;
  t->touch = 1;
  return CONVK_OK;
}
