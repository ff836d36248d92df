#if CONVK_HAS_SEPCONV_
/* y and x, from the input to work. */
CONVK_LOCAL_ int convk_sepconv_yx_(convk_cl_call_ *call, const convk_sepconv_call_ *c, CONVK_ARGUMENTS_(sepconv) * a,
                                   cl_mem mid, cl_mem taps) {
  const size_t s = sizeof(CONVK_T), ntx = c->job.axis[0].ntaps, nty = c->job.axis[1].ntaps;
  size_t tile_x = 64, tile_y = 32, rows, local[2];
  convk_cl_program_ *p = NULL;
  convk_cl_args_ args;
  char options[2][256], count[2][8];
  int i, status = convk_cl_tile_(call->cl, s, ntx - 1, &tile_x, &tile_y, &rows);
  if (status) return status;
  if (rows > tile_y) rows = tile_y;
  for (i = 0; i < 2; i++)
    (void)snprintf(options[i], sizeof options[i],
                   "-DSEPCONV_YX -DT=%s -DF64=%d -DMAX_TAPS=%d -DROWS=%d -DTILE_X=%d -DTILE_Y=%d -DTAPS_X=%s -DTAPS_Y=%s "
                   "-DPERIODIC_X=%d -DPERIODIC_Y=%d",
                   convk_cl_type_(s), s == sizeof(cl_double), CONVK_FILTER_MAX_TAPS, (int)rows, (int)tile_x, (int)tile_y,
                   convk_cl_count_(count[0], ntx, i ? "a.x.ntaps" : NULL),
                   convk_cl_count_(count[1], nty, i ? "a.y.ntaps" : NULL), (int)a->x.periodic, (int)a->y.periodic);
  status = convk_cl_kernel_(call->cl, convk_cl_sepconv_source_(), "sepconv_yx", options[0],
                            ntx == 16 && nty == 16 ? NULL : options[1], &p);
  if (status) return status;
  a->tiles_x = convk_ceil_((size_t)a->x.m, tile_x);
  a->strips = convk_ceil_((size_t)a->y.m, tile_y);
  convk_cl_group_(call->cl, p, 32, tile_y / rows, local);
  args = convk_cl_args_of_(p);
  convk_cl_put_(&args, sizeof *a, a);
  convk_cl_put_mem_(&args, c->in.mem);
  convk_cl_put_mem_(&args, mid);
  convk_cl_put_mem_(&args, taps);
  convk_cl_put_local_(&args, (tile_x + ntx - 1) * tile_y * s);
  return convk_cl_launch_(call, &args, (size_t)(a->tiles_x * a->strips) * c->job.gi.nz, local[0], 1, local[1]);
}

/* z and the epilogue, from work to the output. */
CONVK_LOCAL_ int convk_sepconv_z_(convk_cl_call_ *call, const convk_sepconv_call_ *c, CONVK_ARGUMENTS_(sepconv) * a, cl_mem mid,
                                  cl_mem taps) {
  const size_t s = sizeof(CONVK_T), ntaps = c->job.axis[2].ntaps, mx = c->job.go.nx, my = c->job.go.ny, mz = c->job.go.nz;
  const int sums = (a->actions & CONVK_SEPCONV_SUMS_) != 0;
  const size_t items = sums ? convk_cl_sepconv_lanes_ * my : mx * my;
  size_t chunk = 64, local[2], i;
  convk_cl_program_ *p = NULL;
  convk_cl_args_ args;
  char options[2][256], count[8];
  int status;
  for (i = 0; i < 2; i++)
    (void)snprintf(options[i], sizeof options[i],
                   "-DSEPCONV_Z%s -DT=%s -DF64=%d -DMAX_TAPS=%d -DROWS=%d -DTAPS_Z=%s -DPERIODIC_Z=%d -DACTIONS=%s",
                   sums ? " -DSUMS" : "", convk_cl_type_(s), s == sizeof(cl_double), CONVK_FILTER_MAX_TAPS, (int)CONVK_CL_ROWS_,
                   convk_cl_count_(count, ntaps, i ? "told.z.ntaps" : NULL), (int)a->z.periodic,
                   a->actions == CONVK_SEPCONV_STORE_ ? "8" : "actions");
  status = convk_cl_kernel_(call->cl, convk_cl_sepconv_source_(), "sepconv_z", options[0], ntaps == 16 ? NULL : options[1], &p);
  if (status) return status;
  while (chunk > CONVK_CL_ROWS_ && items * (mz / chunk) < call->cl->compute_units * CONVK_CL_BUSY_) chunk /= 2;
  if (mz / chunk >= CONVK_CL_GROUPS_Y_) chunk = convk_round_up_(mz / CONVK_CL_GROUPS_Y_ + 1, CONVK_CL_ROWS_);
  a->chunk = chunk;
  convk_cl_group_(call->cl, p, 128, 1, local);
  args = convk_cl_args_of_(p);
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
CONVK_LOCAL_ int convk_sepconv_total_(convk_cl_call_ *call, size_t my, size_t mz, convk_cl_array lanes, convk_cl_array out) {
  const size_t rows = lanes.offset + convk_cl_sepconv_lanes_ * my * mz, planes = rows + my * mz;
  size_t step;
  int status = CONVK_OK;
  for (step = 0; step < 3 && !status; step++) {
    const size_t count = step == 0 ? my * mz : step == 1 ? mz : 1;
    convk_cl_program_ *p = NULL;
    convk_cl_args_ args;
    status = convk_cl_kernel_(call->cl, convk_cl_sepconv_source_(), step ? "sepconv_sum" : "sepconv_tree",
                              step ? "-DSEPCONV_SUM -DT=double -DF64=1" : "-DSEPCONV_TREE -DT=double -DF64=1", NULL, &p);
    if (status) return status;
    args = convk_cl_args_of_(p);
    convk_cl_put_mem_(&args, lanes.mem);
    convk_cl_put_size_(&args, step == 0 ? lanes.offset : step == 1 ? rows : planes);
    if (step) convk_cl_put_mem_(&args, step == 1 ? lanes.mem : out.mem);
    convk_cl_put_size_(&args, step == 0 ? rows : step == 1 ? planes : out.offset);
    convk_cl_put_size_(&args, count);
    if (step) convk_cl_put_size_(&args, step == 1 ? my : mz);
    status = convk_cl_launch_row_(call, p, &args, count, step < 2 ? 32 : 1);
  }
  return status;
}

CONVK_LOCAL_ int convk_sepconv_run_(convk_cl_call_ *call, const convk_sepconv_call_ *c, const convk_sepconv_parts_ *parts,
                                    convk_cl_array base) {
  const convk_cl_array mid = convk_cl_array_at_(base, 0, sizeof(CONVK_T));
  const size_t my = c->job.go.ny, mz = c->job.go.nz, d = sizeof(cl_double);
  CONVK_ARGUMENTS_(sepconv) a;
  const void *given[3];
  size_t count[3], i;
  cl_mem taps = NULL;
  int status;
  for (i = 0; i < 3; i++) {
    given[i] = c->job.taps[i];
    count[i] = c->job.axis[i].ntaps;
  }
  memset(&a, 0, sizeof a);
  convk_sepconv_tell_(c, &a);
  a.in_at = c->in.offset;
  a.out_at = c->out.offset;
  a.mid_at = mid.offset;
  a.potential_at = c->e.potential.offset;
  a.density_at = c->e.density.offset;
  a.dot_at = convk_cl_array_at_(base, parts->sum[0], d).offset;
  a.energy_at = convk_cl_array_at_(base, parts->sum[1], d).offset;
  status = convk_cl_taps_(call->cl, sizeof(CONVK_T), given, count, 3, &taps);
  if (!status) status = convk_sepconv_yx_(call, c, &a, base.mem, taps);
  if (!status) status = convk_sepconv_z_(call, c, &a, base.mem, taps);
  if (!status && a.actions & CONVK_SEPCONV_DOT_)
    status = convk_sepconv_total_(call, my, mz, convk_cl_array_at_(base, parts->sum[0], d), c->e.dot);
  if (!status && a.actions & CONVK_SEPCONV_ENERGY_)
    status = convk_sepconv_total_(call, my, mz, convk_cl_array_at_(base, parts->sum[1], d), c->e.energy);
  return status;
}

CONVK_LOCAL_ int convk_transpose_run_(convk_cl_call_ *call, const convk_transpose_job_ *job, convk_cl_array in,
                                      convk_cl_array out) {
  const convk_axis_ *axis = &job->axis;
  const size_t s = sizeof(CONVK_T);
  const void *given = job->taps;
  size_t tile_i = 32, tile_j = 32, rows, local[2];
  CONVK_ARGUMENTS_(sepconv) a;
  convk_cl_program_ *p = NULL;
  convk_cl_args_ args;
  cl_mem taps = NULL;
  char options[2][256], count[8];
  int i, status = convk_cl_tile_(call->cl, s, axis->ntaps, &tile_i, &tile_j, &rows);
  if (status) return status;
  if (rows > tile_i) rows = tile_i;
  for (i = 0; i < 2; i++)
    (void)snprintf(options[i], sizeof options[i],
                   "-DCONV1D_TRANSPOSE -DT=%s -DF64=%d -DROWS=%d -DTILE_I=%d -DTILE_J=%d -DTAPS_X=%s -DPERIODIC_X=%d",
                   convk_cl_type_(s), s == sizeof(cl_double), (int)rows, (int)tile_i, (int)tile_j,
                   convk_cl_count_(count, axis->ntaps, i ? "a.x.ntaps" : NULL), axis->boundary == CONVK_BOUNDARY_PERIODIC);
  status = convk_cl_kernel_(call->cl, convk_cl_sepconv_source_(), "conv1d_transpose", options[0],
                            axis->ntaps == 16 ? NULL : options[1], &p);
  if (!status) status = convk_cl_taps_(call->cl, s, &given, &axis->ntaps, 1, &taps);
  if (status) return status;
  memset(&a, 0, sizeof a);
  a.x = convk_sepconv_axis_(axis);
  a.y.n = job->ndat;
  a.in_y = job->ld_in;
  a.out_y = job->ld_out;
  a.in_at = in.offset;
  a.out_at = out.offset;
  a.tiles_x = convk_ceil_(axis->m, tile_i);
  convk_cl_group_(call->cl, p, 32, tile_i / rows, local);
  args = convk_cl_args_of_(p);
  convk_cl_put_(&args, sizeof a, &a);
  convk_cl_put_mem_(&args, in.mem);
  convk_cl_put_mem_(&args, out.mem);
  convk_cl_put_mem_(&args, taps);
  convk_cl_put_local_(&args, ((tile_i + axis->ntaps - 1) | 1) * tile_j * s);
  return convk_cl_launch_(call, &args, (size_t)a.tiles_x * convk_ceil_(job->ndat, tile_j), local[0], 1, local[1]);
}
#endif
