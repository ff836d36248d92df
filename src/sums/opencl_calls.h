/* A kernel of a call. */
CONVK_LOCAL_ convk_cl_args_ convk_sums_program_(convk_cl *cl, unsigned kernel, const convk_sums_job_ *job, int sums) {
  static const char *const name[] = {"sumconv_along", "sumconv_points", "sumconv_tiles"};
  static const char *const define[] = {"SUMCONV_ALONG", "SUMCONV_POINTS", "SUMCONV_TILES"};
  const size_t s = sizeof(CONVK_T), which = kernel - CONVK_CL_SUMCONV_SINGLE_;
  uint32_t v[4];
  v[0] = (uint32_t)s;
  v[1] = (uint32_t)job->step;
  v[2] = (uint32_t)job->any_phase;
  v[3] = (uint32_t)sums;
  return convk_cl_program_of_(cl, convk_cl_number_(CONVK_CL_FILTERS_ + kernel, v, 4), convk_cl_sums_source_(), name[which],
                              "-D%s%s -DT=%s -DF64=%d -DMAX_TAPS=%d -DSTEP=%d -DPHASES=%d", define[which],
                              sums ? " -DSUMS" : "", convk_cl_type_(s), s == sizeof(cl_double), CONVK_FILTER_MAX_TAPS,
                              (int)job->step, job->any_phase);
}

/* The taps of one kind of filters, of all axes. */
CONVK_LOCAL_ int convk_sums_taps_(convk_cl_call_ *call, const convk_sums_filter_ *f, cl_mem *taps) {
  const void *host_taps[3];
  size_t count[3], d;
  for (d = 0; d < 3; d++) {
    host_taps[d] = f[d].taps;
    count[d] = f[d].ntaps;
  }
  return convk_cl_taps_(call->cl, sizeof(CONVK_T), host_taps, count, 3, taps);
}

CONVK_LOCAL_ int convk_sums_single_(convk_cl_call_ *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * a,
                                    const convk_sums_filter_ *f, const convk_sums_room_ *parts, int product, size_t first,
                                    convk_cl_array base) {
  const size_t s = sizeof(CONVK_T), step = c->job.step, items = (size_t)(a->x.m * a->y.m);
  const size_t all = c->job.axis[0].m * c->job.axis[1].m * c->job.axis[2].m * step;
  const size_t half = convk_cl_array_at_(base, parts->half, s).offset;
  const size_t products = convk_cl_array_at_(base, parts->products, s).offset;
  convk_cl_args_ args;
  cl_mem taps = NULL, buffers[3];
  size_t local[2];
  const int status = convk_sums_taps_(call, c->job.filter[CONVK_SUMS_FIRST_], &taps);
  (void)f;
  if (status) return status;
  args = convk_sums_program_(call->cl, CONVK_CL_SUMCONV_SINGLE_, &c->job, 0);
  a->in_at = product < 0 ? (c->at.in.offset + first * c->job.in_stride) * step : half;
  a->out_at = product < 0 ? half : products + (size_t)product * all;
  buffers[0] = product < 0 ? c->at.in.mem : base.mem;
  buffers[1] = taps;
  buffers[2] = base.mem;
  convk_cl_group_(call->cl, args.p, 64, 1, local);
  convk_cl_put_all_(&args, a, sizeof *a, buffers, 3);
  return convk_cl_launch_lines_(call, &args, convk_ceil_(items, local[0]), local[0], (size_t)a->z.m);
}

/* Whether a call goes tile by tile: what these lack is that of sumconv_points. */
CONVK_LOCAL_ int convk_sums_tiled_(const convk_sums_call_ *c) {
  int d;
  for (d = 0; d < 2; d++) {
    const convk_sums_filter_ *const f = &c->job.filter[CONVK_SUMS_FILTER_][d];
    if (f->ntaps && (f->lo > 0 || f->lo + (ptrdiff_t)f->ntaps <= 0)) return 0;
  }
  return !c->sums && !c->job.any_imag && !c->job.any_phase;
}

/* Starts it, with tiles of up to 32 numbers and 32 rows; *fits: whether local memory holds one. */
CONVK_LOCAL_ int convk_sums_tile_run_(convk_cl_call_ *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * a, cl_mem taps,
                                      cl_mem work, int *fits) {
  const size_t s = sizeof(CONVK_T), step = c->job.step, nx = c->job.filter[0][0].ntaps, ny = c->job.filter[0][1].ntaps;
  const size_t mx = c->job.axis[0].m, my = c->job.axis[1].m, mz = c->job.axis[2].m, rows = 4, planes = 4;
  const cl_mem none = c->at.in.mem, potential = c->potential ? c->at.potential.mem : none;
  const cl_mem buffers[] = {none, taps, work ? work : none, potential, c->add ? c->at.add.mem : none, c->at.out.mem};
  size_t local[2], width, height, bytes, tiles, chunk = 64;
  convk_cl_args_ args = convk_sums_program_(call->cl, CONVK_CL_SUMCONV_TILES_, &c->job, 0);
  *fits = 0;
  if (args.status) return args.status;
  convk_cl_group_(call->cl, args.p, 256, 1, local);
  for (;; local[0] /= 2) {
    width = local[0] < 32 ? local[0] : 32;
    height = local[0] / width * rows;
    bytes = ((width + (nx ? nx - 1 : 0) * step) | 1) * (height + (ny ? ny - 1 : 0)) * s;
    if (bytes <= call->cl->local_bytes || local[0] == 1) break;
  }
  if (bytes > call->cl->local_bytes) return CONVK_OK;
  *fits = 1;
  a->columns = width;
  a->tiles_x = convk_ceil_(mx * step, width);
  a->tiles_y = convk_ceil_(my, height);
  tiles = (size_t)(a->tiles_x * a->tiles_y);
  while (chunk > planes && tiles * local[0] * (mz / chunk) < call->cl->compute_units * CONVK_CL_BUSY_) chunk /= 2;
  a->chunk = chunk;
  a->chunks = convk_ceil_(mz, chunk);
  convk_cl_put_all_(&args, a, sizeof *a, buffers, 6);
  convk_cl_put_local_(&args, bytes);
  return convk_cl_launch_lines_(call, &args, tiles, local[0], (size_t)(a->chunks * a->vectors));
}

CONVK_LOCAL_ int convk_sums_points_(convk_cl_call_ *call, const convk_sums_call_ *c, CONVK_ARGUMENTS_(sums) * a,
                                    const convk_sums_room_ *parts, size_t first, convk_cl_array base) {
  const size_t s = sizeof(CONVK_T), step = c->job.step, mx = c->job.axis[0].m, my = c->job.axis[1].m, mz = c->job.axis[2].m;
  const size_t lanes = 16 / step, more = first * c->job.out_stride, each = (16 * CONVK_SUMS_PARTS_ + CONVK_SUMS_PARTS_) * 8;
  const cl_mem none = c->at.in.mem; /* what is not there is not used */
  cl_mem taps = NULL, imag = NULL, buffers[8];
  convk_cl_args_ args;
  size_t local[2], rows = 8;
  int fits = 0, status = convk_sums_taps_(call, c->job.filter[CONVK_SUMS_FILTER_], &taps);
  if (status) return status;
  a->in_at = (c->at.in.offset + first * c->job.in_stride) * step;
  a->out_at = (c->at.out.offset + more) * step;
  a->add_at = (c->at.add.offset + first * c->job.add_stride) * step;
  a->potential_at = c->at.potential.offset;
  if (base.mem) a->mixed_at = convk_cl_array_at_(base, parts->products, s).offset;
  if (base.mem) a->rows_at = convk_cl_array_at_(base, parts->rows, 8).offset + first * 8 * my * mz;
  if (convk_sums_tiled_(c)) status = convk_sums_tile_run_(call, c, a, taps, base.mem, &fits);
  if (fits || status) return status;
  status = convk_sums_taps_(call, c->job.filter[CONVK_SUMS_IMAG_], &imag);
  if (status) return status;
  buffers[0] = c->at.in.mem;
  buffers[1] = taps;
  buffers[2] = imag;
  buffers[3] = base.mem ? base.mem : none;
  buffers[4] = c->potential ? c->at.potential.mem : none;
  buffers[5] = c->add ? c->at.add.mem : none;
  buffers[6] = c->out ? c->at.out.mem : none;
  buffers[7] = base.mem; /* of rows: with sums alone */
  args = convk_sums_program_(call->cl, CONVK_CL_SUMCONV_POINTS_, &c->job, c->sums);
  convk_cl_put_all_(&args, a, sizeof *a, buffers, c->sums ? 8 : 7);
  if (!c->sums) {
    convk_cl_group_(call->cl, args.p, 64, 1, local);
    return convk_cl_launch_lines_(call, &args, convk_ceil_(mx * my, local[0]), local[0], mz * (size_t)a->vectors);
  }
  while (rows > 1 && rows * each > call->cl->local_bytes) rows /= 2;
  convk_cl_group_(call->cl, args.p, rows * lanes, 1, local);
  if (each > call->cl->local_bytes) return convk_cl_little_(call->cl);
  rows = local[0] < lanes ? 1 : local[0] / lanes;
  if (local[0] > lanes) local[0] = rows * lanes;
  convk_cl_put_local_(&args, rows * each);
  return convk_cl_launch_lines_(call, &args, convk_ceil_(my, rows), local[0], mz * (size_t)a->vectors);
}

CONVK_LOCAL_ int convk_sums_total_(convk_cl_call_ *call, const convk_sums_call_ *c, const convk_sums_room_ *parts,
                                   convk_cl_array base) {
  const size_t my = c->job.axis[1].m, mz = c->job.axis[2].m, none[3] = {0, 0, 0};
  const size_t rows = convk_cl_array_at_(base, parts->rows, 8).offset + (c->axes ? 4 * my * mz : 0),
               planes = convk_cl_array_at_(base, parts->planes, 8).offset;
  CONVK_ARGUMENTS_(filters) a;
  size_t step;
  int status = CONVK_OK;
  memset(&a, 0, sizeof a);
  for (step = 0; step < 2 && !status; step++) {
    const size_t count = (c->axes ? c->axes : 8 * c->job.vectors) * (step ? 1 : mz);
    convk_cl_args_ args = convk_filters_program_(call->cl, CONVK_CL_SUM_, &a, none);
    convk_cl_put_mem_(&args, base.mem);
    convk_cl_put_size_(&args, step ? planes : rows);
    convk_cl_put_mem_(&args, step ? c->axes ? c->at.energies.mem : c->at.sums.mem : base.mem);
    convk_cl_put_size_(&args, step ? c->axes ? c->at.energies.offset : c->at.sums.offset * 8 : planes);
    convk_cl_put_size_(&args, count);
    convk_cl_put_size_(&args, step ? mz : my);
    convk_cl_put_size_(&args, 0);
    status = convk_cl_launch_row_(call, &args, count, 32);
  }
  return status;
}
