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
