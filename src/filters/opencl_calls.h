/* A kernel, for the numbers of taps of the axes that it goes along. */
CONVK_LOCAL_ convk_cl_args_ convk_filters_program_(convk_cl *cl, unsigned kernel, const CONVK_ARGUMENTS_(filters) * a,
                                                   const size_t tile[3]) {
  static const char *const name[] = {"sepconv_yx", "sepconv_z", "conv1d_transpose", "sepconv_tree", "sepconv_sum"};
  static const char *const define[] = {"SEPCONV_YX", "SEPCONV_Z", "CONV1D_TRANSPOSE", "SEPCONV_TREE", "SEPCONV_SUM"};
  static const char along[][3] = {{1, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  const convk_axis_device_ *const axis[3] = {&a->x, &a->y, &a->z};
  const size_t s = kernel < CONVK_CL_TREE_ ? sizeof(CONVK_T) : sizeof(cl_double);
  const int last = kernel == CONVK_CL_Z_, sums = last && a->actions & CONVK_FILTERS_SUMS_;
  const int plain = last && a->actions == CONVK_FILTERS_STORE_;
  const int laid = last && !plain && (a->laid_y != a->out_y || a->laid_z != a->out_z);
  uint32_t v[9];
  convk_cl_program_ *p;
  uint64_t number;
  char options[2][CONVK_CL_KEY_], taps[2][3][16];
  int d, i, known = 1, status;
  for (d = 0; d < 3; d++) {
    v[d] = along[kernel][d] ? (uint32_t)axis[d]->ntaps * 2 + (uint32_t)axis[d]->periodic : 0;
    v[3 + d] = (uint32_t)tile[d];
    if (v[d] && v[d] / 2 != 16) known = 0;
    (void)snprintf(taps[0][d], sizeof taps[0][d], "%u", (unsigned)(v[d] / 2));
    (void)snprintf(taps[1][d], sizeof taps[1][d], v[d] ? "taps_%c" : "0", "xyz"[d]);
  }
  v[6] = (uint32_t)s;
  v[7] = (uint32_t)plain;
  v[8] = (uint32_t)(sums + 2 * laid);
  number = convk_cl_number_(CONVK_CL_FILTERS_ + kernel, v, 9);
  p = convk_cl_known_(cl, number);
  if (p) return convk_cl_args_of_(CONVK_OK, p);
  for (i = 0; i < 2; i++) {
    const int length =
        snprintf(options[i], sizeof options[i],
                 "-D%s%s%s -DT=%s -DF64=%d -DMAX_TAPS=%d -DTILE_X=%d -DTILE_Y=%d -DROWS=%d -DTAPS_X=%s -DTAPS_Y=%s -DTAPS_Z=%s "
                 "-DPERIODIC_X=%d -DPERIODIC_Y=%d -DPERIODIC_Z=%d -DACTIONS=%s",
                 define[kernel], sums ? " -DSUMS" : "", laid ? " -DLAID=1" : "", convk_cl_type_(s), s == sizeof(cl_double),
                 CONVK_FILTER_MAX_TAPS, (int)tile[0], (int)tile[1], (int)tile[2], taps[i][0], taps[i][1], taps[i][2],
                 (int)(v[0] & 1), (int)(v[1] & 1), (int)(v[2] & 1), plain ? "8" : "actions");
    if (length < 0 || (size_t)length >= sizeof options[i]) return convk_cl_args_of_(CONVK_ERR_BUILD, p);
  }
  status = convk_cl_kernel_(cl, convk_cl_filters_source_(), name[kernel], options[0], known ? NULL : options[1], &p);
  if (!status) convk_cl_remember_(cl, number, p, NULL, 0);
  return convk_cl_args_of_(status, p);
}

/* y and x, from the input to work. */
CONVK_LOCAL_ int convk_filters_yx_(convk_cl_call_ *call, const convk_filters_call_ *c, CONVK_ARGUMENTS_(filters) * a,
                                   const long *choice, cl_mem mid, cl_mem taps) {
  const size_t s = sizeof(CONVK_T), more = c->job.axis[0].ntaps - 1;
  const cl_mem buffers[] = {c->in.mem, mid, taps};
  size_t tile[3] = {64, 32, 0}, local[2];
  convk_cl_args_ args;
  int status;
  tile[0] = convk_tuned_power_(choice[CONVK_TUNE_TILE_X], 16, 512, tile[0]);
  tile[1] = convk_tuned_power_(choice[CONVK_TUNE_TILE_Y], 8, 128, tile[1]);
  status = convk_cl_tile_(call->cl, s, more, &tile[0], &tile[1], &tile[2]);
  if (tile[2] > tile[1]) tile[2] = tile[1];
  if (status) return status;
  args = convk_filters_program_(call->cl, CONVK_CL_YX_, a, tile);
  a->tiles_x = convk_ceil_(c->job.axis[0].m, tile[0]);
  a->strips = convk_ceil_(c->job.axis[1].m, tile[1]);
  convk_cl_group_(call->cl, args.p, 32, tile[1] / tile[2], local);
  convk_cl_put_all_(&args, a, sizeof *a, buffers, 3);
  convk_cl_put_local_(&args, (tile[0] + more) * tile[1] * s);
  return convk_cl_launch_(call, &args, (size_t)(a->tiles_x * a->strips) * c->job.gi.nz, local[0], 1, local[1]);
}

/* z and the epilogue, from work to the output. */
CONVK_LOCAL_ int convk_filters_z_(convk_cl_call_ *call, const convk_filters_call_ *c, CONVK_ARGUMENTS_(filters) * a,
                                  const long *choice, cl_mem mid, cl_mem taps) {
  const size_t mx = c->job.go.nx, my = c->job.go.ny, mz = c->job.go.nz, tile[3] = {0, 0, CONVK_CL_ROWS_};
  const int sums = (a->actions & CONVK_FILTERS_SUMS_) != 0;
  const size_t items = sums ? convk_cl_filters_lanes_ * my : mx * my;
  size_t chunk = 64, local[2];
  convk_cl_args_ args = convk_filters_program_(call->cl, CONVK_CL_Z_, a, tile);
  if (choice[CONVK_TUNE_CHUNK]) chunk = convk_round_up_((size_t)choice[CONVK_TUNE_CHUNK], CONVK_CL_ROWS_);
  while (!choice[CONVK_TUNE_CHUNK] && chunk > CONVK_CL_ROWS_ && items * (mz / chunk) < call->cl->compute_units * CONVK_CL_BUSY_)
    chunk /= 2;
  if (mz / chunk >= CONVK_CL_GROUPS_Y_) chunk = convk_round_up_(mz / CONVK_CL_GROUPS_Y_ + 1, CONVK_CL_ROWS_);
  a->chunk = chunk;
  convk_cl_group_(call->cl, args.p, 128, 1, local);
  convk_cl_put_(&args, sizeof *a, a);
  convk_cl_put_mem_(&args, mid);
  convk_cl_put_mem_(&args, taps);
  convk_cl_put_mem_(&args, c->out.mem ? c->out.mem : mid); /* what is not there is not used */
  convk_cl_put_mem_(&args, c->e.potential.mem ? c->e.potential.mem : mid);
  convk_cl_put_mem_(&args, c->e.density.mem ? c->e.density.mem : mid);
  if (sums) convk_cl_put_mem_(&args, c->in.mem);
  if (sums) convk_cl_put_mem_(&args, mid);
  return convk_cl_launch_(call, &args, convk_ceil_(items, local[0]), local[0], convk_ceil_(mz, chunk), 1);
}

/* From lanes to one number: rows, planes, all. */
CONVK_LOCAL_ int convk_filters_total_(convk_cl_call_ *call, const convk_filters_call_ *c, const CONVK_ARGUMENTS_(filters) * a,
                                      convk_cl_array lanes, convk_cl_array out) {
  const size_t my = (size_t)a->y.m, mz = (size_t)a->z.m, none[3] = {0, 0, 0};
  const size_t rows = lanes.offset + convk_cl_filters_lanes_ * my * mz, planes = rows + my * mz;
  size_t step;
  int status = CONVK_OK;
  for (step = 0; step < 3 && !status; step++) {
    const size_t count = step == 0 ? my * mz : step == 1 ? mz : 1;
    convk_cl_args_ args = convk_filters_program_(call->cl, step ? CONVK_CL_SUM_ : CONVK_CL_TREE_, a, none);
    convk_cl_put_mem_(&args, lanes.mem);
    convk_cl_put_size_(&args, step == 0 ? lanes.offset : step == 1 ? rows : planes + c->sum_first);
    if (step) convk_cl_put_mem_(&args, step == 1 ? lanes.mem : out.mem);
    convk_cl_put_size_(&args, step == 0 ? rows : step == 1 ? planes : out.offset);
    convk_cl_put_size_(&args, count);
    if (step) convk_cl_put_size_(&args, step == 1 ? my : c->sum_planes);
    if (step) convk_cl_put_size_(&args, step == 2 && c->sum_more);
    status = convk_cl_launch_row_(call, &args, count, step < 2 ? 32 : 1);
  }
  return status;
}

CONVK_LOCAL_ int convk_filters_run_(convk_cl_call_ *call, const convk_filters_call_ *c, const convk_filters_parts_ *parts,
                                    convk_cl_array base) {
  const convk_cl_array mid = convk_cl_array_at_(base, 0, sizeof(CONVK_T));
  const size_t d = sizeof(cl_double);
  CONVK_ARGUMENTS_(filters) a;
  const void *host_taps[3];
  size_t count[3], i;
  cl_mem taps = NULL;
  long choice[CONVK_TUNE_COUNT];
  int status;
  convk_choice_(call->hw, "sepconv3d", sizeof(CONVK_T), c->job.axis[0].n, c->job.axis[1].n,
                call->planes ? call->planes : c->job.axis[2].n, c->job.axis[1].ntaps, choice);
  for (i = 0; i < 3; i++) {
    host_taps[i] = c->job.taps[i];
    count[i] = c->job.axis[i].ntaps;
  }
  memset(&a, 0, sizeof a);
  convk_filters_arguments_of_(c, &a);
  a.in_at = c->in.offset;
  a.out_at = c->out.offset;
  a.mid_at = mid.offset;
  a.potential_at = c->e.potential.offset;
  a.density_at = c->e.density.offset;
  a.dot_at = convk_cl_array_at_(base, parts->sum[0], d).offset;
  a.energy_at = convk_cl_array_at_(base, parts->sum[1], d).offset;
  status = convk_cl_taps_(call->cl, sizeof(CONVK_T), host_taps, count, 3, &taps);
  if (!status) status = convk_filters_yx_(call, c, &a, choice, base.mem, taps);
  a.in_at = c->same.offset;
  if (!status) status = convk_filters_z_(call, c, &a, choice, base.mem, taps);
  if (!status && a.actions & CONVK_FILTERS_DOT_)
    status = convk_filters_total_(call, c, &a, convk_cl_array_at_(base, parts->sum[0], d), c->e.dot);
  if (!status && a.actions & CONVK_FILTERS_ENERGY_)
    status = convk_filters_total_(call, c, &a, convk_cl_array_at_(base, parts->sum[1], d), c->e.energy);
  return status;
}

CONVK_LOCAL_ int convk_transpose_run_(convk_cl_call_ *call, const convk_transpose_job_ *job, convk_cl_array in,
                                      convk_cl_array out) {
  const size_t s = sizeof(CONVK_T), ntaps = job->axis.ntaps;
  const void *host_taps = job->taps;
  size_t tile[3] = {32, 32, 0}, local[2];
  CONVK_ARGUMENTS_(filters) a;
  convk_cl_args_ args;
  cl_mem taps = NULL, buffers[3] = {in.mem, out.mem, NULL};
  int status = convk_cl_tile_(call->cl, s, ntaps, &tile[0], &tile[1], &tile[2]);
  if (tile[2] > tile[0]) tile[2] = tile[0];
  memset(&a, 0, sizeof a);
  a.x = convk_filters_axis_(&job->axis);
  a.y.n = job->ndat;
  a.in_y = job->ld_in;
  a.out_y = job->ld_out;
  a.in_at = in.offset;
  a.out_at = out.offset;
  a.tiles_x = convk_ceil_(job->axis.m, tile[0]);
  if (!status) status = convk_cl_taps_(call->cl, s, &host_taps, &ntaps, 1, &taps);
  if (status) return status;
  args = convk_filters_program_(call->cl, CONVK_CL_TURN_, &a, tile);
  convk_cl_group_(call->cl, args.p, 32, tile[0] / tile[2], local);
  buffers[2] = taps;
  convk_cl_put_all_(&args, &a, sizeof a, buffers, 3);
  convk_cl_put_local_(&args, ((tile[0] + ntaps - 1) | 1) * tile[1] * s);
  return convk_cl_launch_(call, &args, (size_t)a.tiles_x * convk_ceil_(job->ndat, tile[1]), local[0], 1, local[1]);
}
