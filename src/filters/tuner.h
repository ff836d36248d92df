#if CONVK_HAS_SEPCONV_
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

/* A wavelet transform by filters of so many taps, in one direction. */
CONVK_RARE_ int convk_trial_dwt_call_(convk_trial_ *t, convk_dwt3d_shape *full, int run) {
  const int synthesis = t->what->which, ntaps = (int)t->entry.length;
  convk_dwt3d_shape shape;
  convk_wavelet wavelet;
  size_t bytes = 0;
  CONVK_T taps[CONVK_FILTER_MAX_TAPS];
  int k, status;
  if (ntaps < 2 || ntaps > CONVK_FILTER_MAX_TAPS) return CONVK_ERR_TAPS;
  for (k = 0; k < ntaps; k++) taps[k] = (CONVK_T)1 / (CONVK_T)(k + 2);
  wavelet.lo = 1 - ntaps / 2;
  wavelet.up = wavelet.lo + ntaps - 1;
  wavelet.low = wavelet.high = taps;
  memset(&shape, 0, sizeof shape);
  shape.fine = t->shape.grid;
  memcpy(shape.boundary, t->shape.boundary, sizeof shape.boundary);
  status = convk_dwt3d_resolve(&t->hw, &shape, &wavelet, full);
  if (status || !run) return status;
  status = synthesis ? convk_idwt3d_work_size(&t->hw, full, &wavelet, &bytes)
                     : convk_dwt3d_work_size(&t->hw, full, &wavelet, &bytes);
  if (!status) status = convk_trial_work_(t, bytes);
  if (status) return status;
  return synthesis ? convk_idwt3d(&t->hw, full, &wavelet, (CONVK_T *)t->array[0], (CONVK_T *)t->array[1], t->work, t->work_size)
                   : convk_dwt3d(&t->hw, full, &wavelet, (CONVK_T *)t->array[0], (CONVK_T *)t->array[1], t->work, t->work_size);
}

CONVK_RARE_ int convk_trial_dwt_run_(convk_trial_ *t, void **result) {
  convk_dwt3d_shape full;
  *result = t->array[1];
  return convk_trial_dwt_call_(t, &full, 1);
}

CONVK_ACROSS_ int convk_trial_dwt_(convk_trial_ *t) {
  convk_dwt3d_shape full;
  convk_grid3 grid;
  size_t span = 0, more = 0;
  int status = convk_grid_check_(NULL, "shape->grid", &t->shape.grid, sizeof(CONVK_T), &grid, &span);
  t->entry.length = t->shape.taps ? (size_t)t->shape.taps : 16;
  if (!status) status = convk_trial_dwt_call_(t, &full, 0);
  if (!status) status = convk_grid_check_(NULL, "coarse", &full.coarse, sizeof(CONVK_T), &full.coarse, &more);
  if (status) return status;
  t->entry.nx = full.fine.nx;
  t->entry.ny = full.fine.ny;
  t->entry.nz = full.fine.nz;
  t->bytes = (span > more ? span : more) * sizeof(CONVK_T);
  t->fill = convk_trial_fill_;
  t->run = convk_trial_dwt_run_;
  t->touch = 1;
  return CONVK_OK;
}
#endif
