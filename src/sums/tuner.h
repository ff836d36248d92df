/* A sum of filters of three axes, of real or of complex numbers. */
CONVK_RARE_ int convk_trial_sumconv_call_(convk_trial_ *t, convk_grid3 *out_grid, int run) {
  const size_t step = (size_t)t->what->which;
  convk_sumconv3d_shape shape;
  convk_sumconv_terms terms;
  size_t bytes = 0;
  CONVK_T taps[CONVK_FILTER_MAX_TAPS];
  int k, status;
  const int ntaps = (int)t->entry.length;
  if (ntaps < 1 || ntaps > CONVK_FILTER_MAX_TAPS) return CONVK_ERR_TAPS;
  memset(&shape, 0, sizeof shape);
  memset(&terms, 0, sizeof terms);
  for (k = 0; k < ntaps; k++) taps[k] = (CONVK_T)1 / (CONVK_T)(k + 2);
  for (k = 0; k < 3; k++) {
    terms.filter[k].lo = -(ntaps / 2);
    terms.filter[k].up = terms.filter[k].lo + ntaps - 1;
    terms.filter[k].taps = taps;
  }
  terms.shift = (CONVK_T)0.5;
  shape.in = t->shape.grid;
  memcpy(shape.boundary, t->shape.boundary, sizeof shape.boundary);
  status = convk_sumconv3d_out_grid(&t->hw, &shape, &terms, out_grid);
  if (status || !run) return status;
  status = step == 1 ? convk_sumconv3d_work_size(&t->hw, &shape, &terms, &bytes)
                     : convk_sumconv3d_work_size_complex(&t->hw, &shape, &terms, &bytes);
  if (!status) status = convk_trial_work_(t, bytes);
  if (status) return status;
  return step == 1 ? convk_sumconv3d(&t->hw, &shape, &terms, (CONVK_T *)t->array[0], (CONVK_T *)t->array[1], NULL, t->work,
                                     t->work_size)
                   : convk_sumconv3d_complex(&t->hw, &shape, &terms, (CONVK_T *)t->array[0], (CONVK_T *)t->array[1], NULL,
                                             t->work, t->work_size);
}

CONVK_RARE_ int convk_trial_sumconv_run_(convk_trial_ *t, void **result) {
  convk_grid3 out;
  *result = t->array[1];
  return convk_trial_sumconv_call_(t, &out, 1);
}

CONVK_ACROSS_ int convk_trial_sumconv_(convk_trial_ *t) {
  const size_t element = (size_t)t->what->which * sizeof(CONVK_T);
  convk_grid3 full, out;
  size_t span, more;
  int status = convk_grid_check_(NULL, "shape->grid", &t->shape.grid, element, &full, &span);
  t->entry.length = t->shape.taps ? (size_t)t->shape.taps : 9;
  if (!status) status = convk_trial_sumconv_call_(t, &out, 0);
  if (!status) status = convk_grid_check_(NULL, "out", &out, element, &out, &more);
  if (status) return status;
  t->entry.nx = full.nx;
  t->entry.ny = full.ny;
  t->entry.nz = full.nz;
  t->bytes = (span > more ? span : more) * element;
  t->fill = convk_trial_fill_;
  t->run = convk_trial_sumconv_run_;
  t->touch = t->what->which == 1;
  return CONVK_OK;
}
