CONVK_LOCAL_ convk_cuda_taps_<CONVK_T> convk_cuda_filters_taps_(const CONVK_T *taps, size_t count) {
  convk_cuda_taps_<CONVK_T> t;
  memset(&t, 0, sizeof t);
  memcpy(t.value, taps, count * sizeof *taps);
  return t;
}

/* y and x of the input, to `mid`. */
CONVK_LOCAL_ int convk_cuda_filters_xy_(convk_cuda_call_ *call, const convk_filters_call_ *c, const long *choice,
                                        CONVK_T *mid) {
  const convk_filters_job_ *job = &c->job;
  const size_t mx = job->axis[0].m, my = job->axis[1].m;
  const int known = job->axis[0].ntaps == 16 && job->axis[1].ntaps == 16;
  const int less = convk_ceil_(mx, 256) * CONVK_CUDA_XY_THREADS_(1) < convk_ceil_(mx, 128) * CONVK_CUDA_XY_THREADS_(0);
  const int wide = known && (choice[CONVK_TUNE_TILE_X] ? choice[CONVK_TUNE_TILE_X] >= 256 : less);
  convk_cuda_xy_args_<CONVK_T> a = convk_cuda_xy_args_<CONVK_T>();
  convk_filters_arguments_of_(c, &a);
  a.in = c->in;
  a.mid = mid;
  a.tiles_x = convk_ceil_(mx, CONVK_CUDA_XY_WIDTH_(known, wide));
  a.strip = choice[CONVK_TUNE_TILE_Y] ? (size_t)choice[CONVK_TUNE_TILE_Y]
                                      : convk_ceil_(my, convk_ceil_(CONVK_CUDA_ENOUGH_BLOCKS_, a.tiles_x * job->gi.nz));
  a.strip = convk_round_up_(a.strip, CONVK_CUDA_XY_ROWS_(wide));
  a.strips = convk_ceil_(my, a.strip);
  a.taps_x = convk_cuda_filters_taps_(job->taps[0], job->axis[0].ntaps);
  a.taps_y = convk_cuda_filters_taps_(job->taps[1], job->axis[1].ntaps);
  return convk_cuda_start_(wide    ? convk_cuda_xy_<CONVK_T, 16, 1>
                           : known ? convk_cuda_xy_<CONVK_T, 16, 0>
                                   : convk_cuda_xy_<CONVK_T, 0, 0>,
                           a.tiles_x * a.strips * job->gi.nz, CONVK_CUDA_XY_THREADS_(wide), call->stream, a);
}

/* z of what the first kernel left in `mid`; with the epilogue, or plainly to a packed `result`. */
CONVK_LOCAL_ int convk_cuda_filters_z_(convk_cuda_call_ *call, const convk_filters_call_ *c, const long *choice,
                                       const CONVK_T *mid, CONVK_T *result, size_t pitch_y, size_t pitch_z, int epilogue) {
  const size_t threads = CONVK_CUDA_Z_THREADS_, group = CONVK_CUDA_GROUP_, enough = CONVK_CUDA_ENOUGH_BLOCKS_;
  const convk_axis_ *z = &c->job.axis[2];
  convk_cuda_z_args_<CONVK_T> a = convk_cuda_z_args_<CONVK_T>();
  size_t chunk;
  convk_filters_arguments_of_(c, &a);
  a.mid = mid;
  a.out = result;
  a.out_y = pitch_y;
  a.out_z = pitch_z;
  a.columns = c->job.axis[0].m * c->job.axis[1].m;
  a.blocks = convk_ceil_(a.columns, threads);
  chunk = convk_ceil_(z->m, convk_ceil_(enough, a.blocks));
  if (choice[CONVK_TUNE_CHUNK]) chunk = (size_t)choice[CONVK_TUNE_CHUNK];
  chunk = convk_round_up_(chunk < 2 * group ? 2 * group : chunk, group);
  a.chunk = chunk;
  a.chunks = convk_ceil_(z->m, chunk);
  a.taps = convk_cuda_filters_taps_(c->job.taps[2], z->ntaps);
  a.epilogue.potential = c->e.potential;
  a.epilogue.density = c->e.density;
  return convk_cuda_start_(z->ntaps == 16 ? epilogue ? convk_cuda_z_<CONVK_T, 16, 1> : convk_cuda_z_<CONVK_T, 16, 0>
                           : epilogue ? convk_cuda_z_<CONVK_T, 0, 1>
                                          : convk_cuda_z_<CONVK_T, 0, 0>,
                           a.blocks * a.chunks, (int)threads, call->stream, a);
}

/* The epilogue with its sums, if there are any, on the result of z. */
CONVK_LOCAL_ int convk_cuda_filters_finish_(convk_cuda_call_ *call, const convk_filters_call_ *c, const CONVK_T *result,
                                            size_t result_y, size_t result_z, double *dot, double *energy) {
  const size_t rows = c->job.go.ny * c->job.go.nz, block = CONVK_CUDA_FINISH_THREADS_ / 16;
  convk_cuda_finish_args_<CONVK_T> a = convk_cuda_finish_args_<CONVK_T>();
  convk_cuda_total_args_ t;
  int status;
  memset(&t, 0, sizeof t);
  convk_filters_arguments_of_(c, &a);
  a.result = result;
  a.result_y = result_y;
  a.result_z = result_z;
  a.in = c->same;
  a.out = c->out;
  a.epilogue.potential = c->e.potential;
  a.epilogue.density = c->e.density;
  a.dot = c->e.dot ? dot : NULL;
  a.energy = c->e.energy ? energy : NULL;
  status = convk_cuda_start_(convk_filters_laid_(c) ? convk_cuda_finish_laid_<CONVK_T> : convk_cuda_finish_<CONVK_T>,
                             convk_ceil_(rows, block), CONVK_CUDA_FINISH_THREADS_, call->stream, a);
  if (status || !(a.dot || a.energy)) return status;
  t.ny = c->job.go.ny;
  t.nz = c->job.go.nz;
  t.first = c->sum_first;
  t.planes = c->sum_planes;
  t.more = c->sum_more;
  t.dot.rows = a.dot;
  t.dot.planes = a.dot ? dot + rows : NULL;
  t.dot.total = c->e.dot;
  t.energy.rows = a.energy;
  t.energy.planes = a.energy ? energy + rows : NULL;
  t.energy.total = c->e.energy;
  return convk_cuda_start_(convk_cuda_total_<convk_cuda_total_args_>, 2, CONVK_CUDA_TOTAL_THREADS_, call->stream, t);
}

CONVK_LOCAL_ int convk_filters_run_(convk_cuda_call_ *call, const convk_filters_call_ *c, const convk_filters_parts_ *parts,
                                    void *base) {
  CONVK_T *const mid = convk_cuda_array_at_(base, 0, sizeof(CONVK_T));
  CONVK_T *result = c->out; /* where it waits in place */
  size_t pitch_y = c->job.go.pitch_y, pitch_z = c->job.go.pitch_z;
  const unsigned actions = c->job.actions;
  const int sums = (actions & CONVK_FILTERS_SUMS_) != 0;
  const int later = sums || convk_filters_laid_(c);
  long choice[CONVK_TUNE_COUNT];
  int status = convk_cuda_clock_start_(call);
  convk_choice_(call->hw, "sepconv3d", sizeof(CONVK_T), c->job.axis[0].n, c->job.axis[1].n,
                call->planes ? call->planes : c->job.axis[2].n, c->job.axis[1].ntaps, choice);
  if (!status) status = convk_cuda_filters_xy_(call, c, choice, mid);
  if (later && (!c->out || actions & CONVK_FILTERS_UPDATE_)) {
    result = convk_cuda_array_at_(base, parts->result, sizeof(CONVK_T));
    pitch_y = c->job.go.nx;
    pitch_z = c->job.go.nx * c->job.go.ny;
  }
  if (!status)
    status = convk_cuda_filters_z_(call, c, choice, mid, result, pitch_y, pitch_z, !later && actions != CONVK_FILTERS_STORE_);
  if (!status && later)
    status =
        convk_cuda_filters_finish_(call, c, result, pitch_y, pitch_z, convk_cuda_array_at_(base, parts->sum[0], sizeof(double)),
                                   convk_cuda_array_at_(base, parts->sum[1], sizeof(double)));
  return convk_cuda_clock_stop_(call, status);
}

CONVK_LOCAL_ int convk_transpose_run_(convk_cuda_call_ *call, const convk_transpose_job_ *job, const CONVK_T *in,
                                      CONVK_T *out) {
  const int known = job->axis.ntaps == 16;
  convk_cuda_turn_args_<CONVK_T> a = convk_cuda_turn_args_<CONVK_T>();
  a.x = convk_filters_axis_(&job->axis);
  a.y.n = job->ndat;
  a.in = in;
  a.out = out;
  a.in_y = job->ld_in;
  a.out_y = job->ld_out;
  a.tiles_x = convk_ceil_(job->axis.m, CONVK_CUDA_TILE_(known));
  a.strips = convk_ceil_(job->ndat, CONVK_CUDA_TURN_ROWS_);
  a.taps = convk_cuda_filters_taps_(job->taps, job->axis.ntaps);
  return convk_cuda_start_(known ? convk_cuda_turn_<CONVK_T, 16> : convk_cuda_turn_<CONVK_T, 0>, a.tiles_x * a.strips,
                           CONVK_CUDA_TURN_THREADS_, call->stream, a);
}
