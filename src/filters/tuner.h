/* A call of sepconv3d as it is tuned: taps of no meaning, the same on all axes.  *out_grid: its output.  run: 0: only that; 1:
   makes work, and convolves. */
CONVK_RARE_ int convk_trial_sepconv_call_(convk_trial_ *t, convk_grid3 *out_grid, int run) {
  convk_sepconv3d_shape shape;
  size_t bytes = 0;
  CONVK_T taps[CONVK_FILTER_MAX_TAPS];
  convk_filter filter[3];
  int k, status;
  const int ntaps = (int)t->entry.length;
  if (ntaps < 1 || ntaps > CONVK_FILTER_MAX_TAPS) return CONVK_ERR_TAPS;
  for (k = 0; k < ntaps; k++) taps[k] = (CONVK_T)1 / (CONVK_T)(k + 2);
  for (k = 0; k < 3; k++) {
    filter[k].lo = -(ntaps / 2);
    filter[k].up = filter[k].lo + ntaps - 1;
    filter[k].taps = taps;
  }
  memset(&shape, 0, sizeof shape);
  shape.in = t->shape.grid;
  memcpy(shape.boundary, t->shape.boundary, sizeof shape.boundary);
  status = convk_sepconv3d_out_grid(&t->hw, &shape, filter, out_grid);
  if (!status && run) status = convk_sepconv3d_work_size(&t->hw, &shape, filter, NULL, &bytes);
  if (!status && run) status = convk_trial_work_(t, bytes);
  if (!status && run)
    status =
        convk_sepconv3d(&t->hw, &shape, filter, NULL, (CONVK_T *)t->array[0], (CONVK_T *)t->array[1], t->work, t->work_size);
  return status;
}

CONVK_RARE_ int convk_trial_sepconv_run_(convk_trial_ *t, void **result) {
  convk_grid3 out;
  *result = t->array[1];
  return convk_trial_sepconv_call_(t, &out, 1);
}

CONVK_ACROSS_ int convk_trial_sepconv_(convk_trial_ *t) {
  convk_grid3 full, out;
  size_t span, more;
  int status = convk_grid_check_(NULL, "shape->grid", &t->shape.grid, sizeof(CONVK_T), &full, &span);
  t->entry.length = t->shape.taps ? (size_t)t->shape.taps : 16;
  if (!status) status = convk_trial_sepconv_call_(t, &out, 0);
  if (!status) status = convk_grid_check_(NULL, "out", &out, sizeof(CONVK_T), &out, &more);
  if (status) return status;
  t->entry.nx = full.nx;
  t->entry.ny = full.ny;
  t->entry.nz = full.nz;
  t->bytes = (span > more ? span : more) * sizeof(CONVK_T);
  t->fill = convk_trial_fill_;
  t->run = convk_trial_sepconv_run_;
  t->touch = 1;
  return CONVK_OK;
}
