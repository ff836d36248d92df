CONVK_RARE_ int CONVK_PRIVATE_(trial_sepconv_call)(convk_trial_ *t, convk_grid3 *out_grid, int run) {
  CONVK_T taps[CONVK_MAX_TAPS];
  CONVK_TYPED_(filter) filter[3];
  int k, status;
  const int ntaps = (int)t->entry.length;
  if (ntaps < 1 || ntaps > CONVK_MAX_TAPS) return CONVK_ERR_TAPS;
  for (k = 0; k < ntaps; k++) taps[k] = (CONVK_T)1 / (CONVK_T)(k + 2);
  for (k = 0; k < 3; k++) {
    filter[k].lo = -(ntaps / 2);
    filter[k].up = filter[k].lo + ntaps - 1;
    filter[k].taps = taps;
  }
  status = CONVK_TYPED_(sepconv3d_output_grid)(&t->shape.grid, filter, t->shape.boundary, out_grid);
  if (!status && run)
    status = convk_trial_work_(t, CONVK_TYPED_(sepconv3d_work_size)(&t->hw, &t->shape.grid, filter, t->shape.boundary));
  if (!status && run)
    status = CONVK_TYPED_(sepconv3d)(&t->hw, &t->shape.grid, out_grid, filter, t->shape.boundary, NULL, (CONVK_T *)t->array[0],
                                     (CONVK_T *)t->array[1], t->work, t->work_size);
  return status;
}

CONVK_RARE_ int CONVK_PRIVATE_(trial_sepconv_run)(convk_trial_ *t, void **result) {
  convk_grid3 out;
  *result = t->array[1];
  return CONVK_PRIVATE_(trial_sepconv_call)(t, &out, 1);
}

CONVK_ACROSS_ int CONVK_PRIVATE_(trial_sepconv)(convk_trial_ *t) {
  convk_grid3 full, out;
  size_t span, more;
  int status = convk_grid_check_(&t->shape.grid, sizeof(CONVK_T), &full, &span);
  t->entry.length = t->shape.taps ? (size_t)t->shape.taps : 16;
  if (!status) status = CONVK_PRIVATE_(trial_sepconv_call)(t, &out, 0);
  if (!status) status = convk_grid_check_(&out, sizeof(CONVK_T), &out, &more);
  if (status) return status;
  t->entry.nx = full.nx;
  t->entry.ny = full.ny;
  t->entry.nz = full.nz;
  t->bytes = (span > more ? span : more) * sizeof(CONVK_T);
  t->fill = CONVK_PRIVATE_(trial_fill);
  t->run = CONVK_PRIVATE_(trial_sepconv_run);
  t->touch = 1;
  return CONVK_OK;
}
