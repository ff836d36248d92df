CONVK_LOCAL_ int convk_sums_single_(convk_cuda_call_ *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * arguments,
                                    const convk_sums_filter_ *f, const convk_sums_room_ *parts, int product, size_t first,
                                    void *base) {
  const size_t step = c->job.step, all = c->job.axis[0].m * c->job.axis[1].m * c->job.axis[2].m * step;
  CONVK_T *const half = convk_cuda_array_at_(base, parts->half, sizeof(CONVK_T));
  CONVK_T *const products = convk_cuda_array_at_(base, parts->products, sizeof(CONVK_T));
  convk_cuda_along_args_<CONVK_T> a = convk_cuda_along_args_<CONVK_T>();
  *(CONVK_ARGUMENTS_(sums) *)&a = *arguments;
  a.in = product < 0 ? c->at.in + first * c->job.in_stride * step : half;
  a.out = product < 0 ? half : products + (size_t)product * all;
  a.taps = convk_cuda_filters_taps_(f->taps, f->ntaps);
  return convk_cuda_start_(step == 1 ? convk_cuda_sums_single_<CONVK_T, 1> : convk_cuda_sums_single_<CONVK_T, 2>,
                           convk_ceil_(a.x.m * a.y.m * a.z.m, CONVK_CUDA_SUMS_THREADS_), CONVK_CUDA_SUMS_THREADS_, call->stream,
                           a);
}

/* Bytes of a block that goes through tiles. */
CONVK_LOCAL_ size_t convk_cuda_sums_bytes_(const convk_sums_job_ *job) {
  const size_t step = job->step, nx = job->filter[0][0].ntaps, ny = job->filter[0][1].ntaps;
  const size_t height = CONVK_CUDA_SUMS_HEIGHT_(step), width = CONVK_CUDA_SUMS_WIDTH_(step);
  const size_t pitch = CONVK_CUDA_SUMS_PITCH_(step, nx ? nx - 1 : 0);
  return (pitch * (height + (ny ? ny - 1 : 0)) + height * (width + 1)) * sizeof(CONVK_T);
}

/* Whether a call goes tile by tile: what these lack is that of convk_cuda_sums_points_. */
CONVK_LOCAL_ int convk_cuda_sums_tiled_(const convk_sums_job_ *job) {
  const size_t limit = 48 * 1024; /* which every device grants */
  int d;
  for (d = 0; d < 2; d++) {
    const convk_sums_filter_ *const f = &job->filter[CONVK_SUMS_FILTER_][d];
    if (f->ntaps && (f->lo > 0 || f->lo + (ptrdiff_t)f->ntaps <= 0)) return 0;
  }
  return !job->any_imag && !job->any_phase && convk_cuda_sums_bytes_(job) <= limit;
}

CONVK_LOCAL_ int convk_cuda_sums_tile_(convk_cuda_call_ *call, const convk_sums_job_ *job, convk_cuda_sums_args_<CONVK_T> *a) {
  const size_t step = job->step, planes = CONVK_CUDA_SUMS_PLANES_, mz = job->axis[2].m;
  size_t blocks;
  a->tiles_x = convk_ceil_(job->axis[0].m, CONVK_CUDA_SUMS_WIDTH_(step) / step);
  a->tiles_y = convk_ceil_(job->axis[1].m, CONVK_CUDA_SUMS_HEIGHT_(step));
  blocks = a->tiles_x * a->tiles_y * a->vectors;
  a->chunk = convk_round_up_(convk_ceil_(mz, convk_ceil_(CONVK_CUDA_ENOUGH_BLOCKS_, blocks)), planes);
  a->chunks = convk_ceil_(mz, a->chunk);
  return convk_cuda_start_(step == 1 ? convk_cuda_sums_tiles_<CONVK_T, 1> : convk_cuda_sums_tiles_<CONVK_T, 2>,
                           blocks * a->chunks, CONVK_CUDA_SUMS_THREADS_, call->stream, *a, convk_cuda_sums_bytes_(job));
}

/* How far all three filters reach to both sides, if a call goes down columns; else 0.  Then places within a plane have 31
   bits. */
CONVK_LOCAL_ int convk_cuda_sums_reach_(const convk_sums_job_ *job) {
  const ptrdiff_t reach = -job->filter[CONVK_SUMS_FILTER_][0].lo;
  const size_t limit = (size_t)1 << 31;
  int d;
  for (d = 0; d < 3; d++) {
    const convk_sums_filter_ *const f = &job->filter[CONVK_SUMS_FILTER_][d];
    const convk_sums_axis_ *const axis = &job->axis[d];
    if (f->lo != -reach || (ptrdiff_t)f->ntaps != 2 * reach + 1 || job->mixed[d]) return 0;
    if (axis->origin || axis->n != axis->m || axis->n < (size_t)reach || axis->n >= limit) return 0;
  }
  if (job->any_imag || job->any_phase) return 0;
  return job->gi.ny < limit / (job->gi.pitch_y * job->step) ? (int)reach : 0;
}

/* The kernel of this reach, or NULL. */
template <class real_, int step_> static void (*convk_cuda_sums_columns_for_(int reach))(const convk_cuda_sums_args_<real_>) {
  return reach == 1   ? convk_cuda_sums_columns_of_<real_, step_, 1>
         : reach == 2 ? convk_cuda_sums_columns_of_<real_, step_, 2>
         : reach == 3 ? convk_cuda_sums_columns_of_<real_, step_, 3>
         : reach == 4 ? convk_cuda_sums_columns_of_<real_, step_, 4>
         : reach == 6 ? convk_cuda_sums_columns_of_<real_, step_, 6>
         : reach == 8 ? convk_cuda_sums_columns_of_<real_, step_, 8>
                      : NULL;
}

CONVK_LOCAL_ int convk_cuda_sums_go_down_(convk_cuda_call_ *call, const convk_sums_job_ *job, int reach,
                                          void (*kernel)(const convk_cuda_sums_args_<CONVK_T>),
                                          convk_cuda_sums_args_<CONVK_T> *a) {
  const int lines = CONVK_CUDA_SUMS_LINES_(reach);
  const size_t mz = job->axis[2].m, least = 4; /* planes of a chunk, which sees as many as its filter reaches besides */
  size_t blocks;
  a->tiles_x = convk_ceil_(job->axis[0].m * job->step, CONVK_CUDA_SUMS_COLUMNS_);
  a->tiles_y = convk_ceil_(job->axis[1].m, (size_t)lines);
  blocks = a->tiles_x * a->tiles_y * a->vectors;
  a->chunk = convk_ceil_(mz, convk_ceil_(CONVK_CUDA_ENOUGH_BLOCKS_, blocks));
  if (a->chunk < least) a->chunk = least;
  a->chunks = convk_ceil_(mz, a->chunk);
  return convk_cuda_start_(kernel, blocks * a->chunks, CONVK_CUDA_SUMS_COLUMNS_ * lines, call->stream, *a);
}

CONVK_LOCAL_ int convk_sums_points_(convk_cuda_call_ *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * arguments,
                                    const convk_sums_room_ *parts, size_t first, void *base) {
  const size_t step = c->job.step, rows = c->job.axis[1].m * c->job.axis[2].m, lanes = 16 / step;
  const size_t block = CONVK_CUDA_SUMS_THREADS_;
  convk_cuda_sums_args_<CONVK_T> a = convk_cuda_sums_args_<CONVK_T>();
  double *const to = convk_cuda_array_at_(base, parts->rows, sizeof(double));
  const int reach = convk_cuda_sums_reach_(&c->job);
  void (*down)(const convk_cuda_sums_args_<CONVK_T>);
  size_t d;
  *(CONVK_ARGUMENTS_(sums) *)&a = *arguments;
  a.in = c->at.in + first * c->job.in_stride * step;
  a.products = convk_cuda_array_at_(base, parts->products, sizeof(CONVK_T));
  a.potential = c->at.potential;
  a.add = c->add ? c->at.add + first * c->job.add_stride * step : NULL;
  a.out = c->out ? c->at.out + first * c->job.out_stride * step : NULL;
  for (d = 0; d < 3; d++) {
    a.taps[d] = convk_cuda_filters_taps_(c->job.filter[CONVK_SUMS_FILTER_][d].taps, c->job.filter[CONVK_SUMS_FILTER_][d].ntaps);
    a.imag[d] = convk_cuda_filters_taps_(c->job.filter[CONVK_SUMS_IMAG_][d].taps, c->job.filter[CONVK_SUMS_IMAG_][d].ntaps);
  }
  down = step == 1 ? convk_cuda_sums_columns_for_<CONVK_T, 1>(reach) : convk_cuda_sums_columns_for_<CONVK_T, 2>(reach);
  if (!c->sums && down) return convk_cuda_sums_go_down_(call, &c->job, reach, down, &a);
  if (!c->sums && convk_cuda_sums_tiled_(&c->job)) return convk_cuda_sums_tile_(call, &c->job, &a);
  if (!c->sums)
    return convk_cuda_start_(step == 1 ? convk_cuda_sums_points_<CONVK_T, 1> : convk_cuda_sums_points_<CONVK_T, 2>,
                             convk_ceil_(a.x.m * rows * a.vectors, block), (int)block, call->stream, a);
  a.rows = to + first * 8 * rows;
  return convk_cuda_start_(step == 1 ? convk_cuda_sums_rows_<CONVK_T, 1> : convk_cuda_sums_rows_<CONVK_T, 2>,
                           convk_ceil_(rows * a.vectors, block / lanes), (int)block, call->stream, a);
}

CONVK_LOCAL_ int convk_sums_total_(convk_cuda_call_ *call, const convk_sums_call_ *c, const convk_sums_room_ *parts,
                                   void *base) {
  convk_cuda_sums_total_args_ a;
  a.rows = convk_cuda_array_at_(base, parts->rows, sizeof(double));
  a.planes = convk_cuda_array_at_(base, parts->planes, sizeof(double));
  a.total = c->at.sums->dot;
  a.count = 8 * c->job.vectors;
  a.ny = c->job.axis[1].m;
  a.nz = c->job.axis[2].m;
  return convk_cuda_start_(convk_cuda_sums_total_<convk_cuda_sums_total_args_>, a.count, CONVK_CUDA_SUMS_THREADS_, call->stream,
                           a);
}
