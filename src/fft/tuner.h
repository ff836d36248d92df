/* A call of fft2d or fftconv2d as it is tuned: nz items by transforms of nx by ny points.  Fields of fftconv2d, and its
   kernel, have half as many along both axes.  The first call makes the plan.  *result: the output. */
CONVK_RARE_ int convk_trial_fft_run_(convk_trial_ *t, void **result) {
  const CONVK_T *in = (const CONVK_T *)t->array[0];
  CONVK_T *out = (CONVK_T *)t->array[1];
  const convk_grid3 *g = &t->shape.grid;
  const int transform = t->what->which == 2, real = t->what->which == 0;
  convk_fftconv2d_shape shape;
  convk_batch2d batch;
  size_t size;
  int status = CONVK_OK;
  memset(&batch, 0, sizeof batch);
  memset(&shape, 0, sizeof shape);
  batch.items = g->nz;
  shape.rows = shape.kernel_rows = convk_ceil_(g->ny, 2);
  shape.columns = shape.kernel_columns = convk_ceil_(g->nx, 2);
  shape.mode = CONVK_FFT_CIRCULAR;
  shape.fft_rows = g->ny;
  shape.fft_columns = g->nx;
  *result = out;
  if (!t->plan) {
    status = transform ? convk_fft2d_plan_size_complex(&t->hw, g->ny, g->nx, &size)
                       : convk_fft_size_of_plan_(&t->hw, &shape, real, 1, &size);
    if (status) return status;
    t->plan = CONVK_MALLOC(size);
    if (!t->plan) return CONVK_ERR_MEMORY;
    status = transform ? convk_fft2d_prepare_complex(&t->hw, g->ny, g->nx, (convk_fft2d_plan_complex *)t->plan, size)
                       : convk_fft_prepare_(&t->hw, &shape, real, convk_fft_source_of_(in, 0, 1, 0, 0), t->plan, size);
    if (status) return status;
  }
  status = convk_fft_work_size_(&t->hw, transform ? CONVK_FFT2D_KIND_ : CONVK_FFT_KIND_(real), t->plan, g->nz, &size);
  if (!status) status = convk_trial_work_(t, size);
  if (status) return status;
  if (transform)
    return convk_fft2d_complex(&t->hw, (const convk_fft2d_plan_complex *)t->plan, CONVK_FORWARD, &batch, in, out, t->work,
                               t->work_size);
  return real ? convk_fftconv2d(&t->hw, (const convk_fftconv2d_plan *)t->plan, &batch, in, out, t->work, t->work_size)
              : convk_fftconv2d_complex(&t->hw, (const convk_fftconv2d_plan_complex *)t->plan, &batch, in, out, t->work,
                                        t->work_size);
}

CONVK_ACROSS_ int convk_trial_fft_(convk_trial_ *t) {
  const size_t limit = (size_t)1 << 28;
  const convk_grid3 *g = &t->shape.grid;
  if (!g->nx || !g->ny || !g->nz) return CONVK_ERR_SIZE;
  if (g->nx > limit || g->ny > limit / g->nx || g->nz > limit / g->nx / g->ny) return CONVK_ERR_OVERFLOW;
  if (!convk_fft_size_(g->nx) || !convk_fft_size_(g->ny)) return CONVK_ERR_FFT_SIZE;
  t->bytes = 2 * sizeof(CONVK_T) * g->nx * g->ny * g->nz;
  t->fill = convk_trial_fill_;
  t->run = convk_trial_fft_run_;
  return CONVK_OK;
}
