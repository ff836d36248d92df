/* ---- taps of the magic filter ---- */

CONVK_API_ convk_filter convk_magicfilter_taps(int direction) {
  static const CONVK_T forward[16] = {
      (CONVK_T)8.4334247333529341095e-7,  (CONVK_T)-1.2905572013420609695e-5, (CONVK_T)8.7629844762105595647e-5,
      (CONVK_T)-3.0158038132690463167e-4, (CONVK_T)1.7472371367299390345e-3,  (CONVK_T)-9.4204703020108038592e-3,
      (CONVK_T)2.3738214637249423976e-2,  (CONVK_T)6.1262589583120798220e-2,  (CONVK_T)9.9404156978340039932e-1,
      (CONVK_T)-6.0489528919698351600e-2, (CONVK_T)-2.1030251609303814350e-2, (CONVK_T)1.3372634148547947527e-2,
      (CONVK_T)-3.4412814449349385728e-3, (CONVK_T)4.9443227688689919192e-4,  (CONVK_T)-5.1859868811734329228e-5,
      (CONVK_T)2.7273449291197965966e-6};
  static const CONVK_T inverse[16] = {
      (CONVK_T)2.7273449291197965966e-6,  (CONVK_T)-5.1859868811734329228e-5, (CONVK_T)4.9443227688689919192e-4,
      (CONVK_T)-3.4412814449349385728e-3, (CONVK_T)1.3372634148547947527e-2,  (CONVK_T)-2.1030251609303814350e-2,
      (CONVK_T)-6.0489528919698351600e-2, (CONVK_T)9.9404156978340039932e-1,  (CONVK_T)6.1262589583120798220e-2,
      (CONVK_T)2.3738214637249423976e-2,  (CONVK_T)-9.4204703020108038592e-3, (CONVK_T)1.7472371367299390345e-3,
      (CONVK_T)-3.0158038132690463167e-4, (CONVK_T)8.7629844762105595647e-5,  (CONVK_T)-1.2905572013420609695e-5,
      (CONVK_T)8.4334247333529341095e-7};
  convk_filter filter;
  filter.lo = direction == CONVK_INVERSE ? -7 : -8;
  filter.up = direction == CONVK_INVERSE ? 8 : 7;
  filter.taps = direction == CONVK_INVERSE ? inverse : direction == CONVK_FORWARD ? forward : NULL;
  return filter;
}

CONVK_RARE_ int convk_axes_check_(char *message, const convk_grid3 *grid, const convk_filter *filter, const int *boundary,
                                  convk_axis_ axis[3]) {
  const size_t n[3] = {grid->nx, grid->ny, grid->nz};
  int d;
  for (d = 0; d < 3; d++) {
    const int lo = filter[d].lo, up = filter[d].up, status = convk_axis_check_(n[d], lo, up, boundary[d], &axis[d]);
    if (status == CONVK_ERR_TAPS)
      return convk_refuse_at_(message, status, "filter[%] is of lo = %, up = %: not 1 to 64 taps, or too far off", d, lo, up);
    if (status == CONVK_ERR_SHRINK)
      return convk_refuse_at_(message, status, "shape->boundary[%] shrinks % points of shape->in by a filter of % taps", d,
                              (int64_t)n[d], (int64_t)up - lo + 1);
    if (status)
      return convk_refuse_at_(message, status, "shape->boundary[%] is %, which is none of filters", d, boundary[d], 0);
  }
  return CONVK_OK;
}

/* The grids of a call, full, and its axes; a wanted output of no size becomes the one that follows. */
CONVK_RARE_ int convk_filters_grids_(char *message, const convk_sepconv3d_shape *shape, const convk_filter *filter,
                                     convk_axis_ axis[3], convk_grid3 *gi, convk_grid3 *go, size_t span[2]) {
  int status;
  if (!shape || !filter) return convk_refuse_(message, CONVK_ERR_NULL, shape ? "filter is NULL" : "shape is NULL");
  status = convk_grid_check_(message, "shape->in", &shape->in, sizeof(CONVK_T), gi, &span[0]);
  if (!status) status = convk_axes_check_(message, gi, filter, shape->boundary, axis);
  if (status) return status;
  *go = shape->out;
  if (!go->nx && !go->ny && !go->nz) {
    go->nx = axis[0].m;
    go->ny = axis[1].m;
    go->nz = axis[2].m;
  }
  status = convk_grid_check_(message, "shape->out", go, sizeof(CONVK_T), go, &span[1]);
  if (!status && (go->nx != axis[0].m || go->ny != axis[1].m || go->nz != axis[2].m))
    return convk_refuse_at_(message, CONVK_ERR_SIZE, "shape->out must be of % x % x % points", (int64_t)axis[0].m,
                            (int64_t)axis[1].m, (int64_t)axis[2].m);
  return status;
}

CONVK_API_ int convk_sepconv3d_out_grid(convk *hw, const convk_sepconv3d_shape *shape, const convk_filter filter[3],
                                        convk_grid3 *out_grid) {
  convk_sepconv3d_shape follows;
  convk_axis_ axis[3];
  convk_grid3 gi, go;
  size_t span[2];
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (status) return status;
  if (!out_grid) return convk_refuse_(convk_message_(hw), CONVK_ERR_NULL, "out_grid is NULL");
  memset(&follows, 0, sizeof follows);
  if (shape) {
    follows.in = shape->in;
    memcpy(follows.boundary, shape->boundary, sizeof follows.boundary);
  }
  status = convk_filters_grids_(convk_message_(hw), shape ? &follows : NULL, filter, axis, &gi, &go, span);
  if (!status) *out_grid = go;
  return status;
}

/* One checked call of sepconv3d, and how it is cut. */
typedef struct convk_filters_job_ {
  const convk_filters_kernels_ *kernels;
  convk_axis_ axis[3];
  const CONVK_T *taps[3];
  convk_grid3 gi, go, ge;                 /* of the input, the output, and the arrays of the epilogue */
  const convk_sepconv_epilogue *epilogue; /* NULL: plain store */
  unsigned actions;
  const CONVK_T *in;
  CONVK_T *out;
  size_t in_span, out_span; /* elements from the first to the last */
  convk_filters_cut_ cut;
  char *scratch;
  double *dot, *energy; /* one sum per output row, or NULL */
} convk_filters_job_;

/* A call but for its arrays and its epilogue. */
CONVK_RARE_ int convk_filters_shapes_(char *message, const convk_sepconv3d_shape *shape, const convk_filter *filter,
                                      convk_filters_job_ *job) {
  size_t span[2], d, k;
  const int status = convk_filters_grids_(message, shape, filter, job->axis, &job->gi, &job->go, span);
  if (status) return status;
  job->in_span = span[0];
  job->out_span = span[1];
  job->ge = job->go;
  for (d = 0; d < 3; d++) {
    job->taps[d] = filter[d].taps;
    if (!filter[d].taps) return convk_refuse_at_(message, CONVK_ERR_NULL, "filter[%].taps is NULL", (int64_t)d, 0, 0);
    for (k = 0; k < job->axis[d].ntaps; k++)
      if (!convk_finite_(CONVK_ONE_(filter[d].taps + k)))
        return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "filter[%].taps[%] is not finite", (int64_t)d, (int64_t)k, 0);
  }
  return CONVK_OK;
}

/* The epilogue, of which `actions` says what there is. */
CONVK_RARE_ int convk_filters_actions_(char *message, convk_filters_job_ *job, unsigned actions, int update, CONVK_T factor,
                                       CONVK_T a, CONVK_T b) {
  const unsigned kept = CONVK_FILTERS_DENSITY_ | CONVK_FILTERS_SUMS_;
  if (!(actions & CONVK_FILTERS_STORE_) && (update || !(actions & kept)))
    return convk_refuse_(message, CONVK_ERR_NULL, "out is NULL, and the epilogue keeps nothing, or updates it");
  if (actions & CONVK_FILTERS_ENERGY_ && !(actions & CONVK_FILTERS_POTENTIAL_))
    return convk_refuse_(message, CONVK_ERR_OPTION, "epilogue->energy is wanted without epilogue->potential");
  if (update != 0 && update != 1)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "epilogue->update is %, neither 0 nor 1", update, 0, 0);
  if (actions & CONVK_FILTERS_DENSITY_ && !convk_finite_(factor))
    return convk_refuse_(message, CONVK_ERR_NONFINITE, "epilogue->density_factor is not finite");
  if (update && !(convk_finite_(a) && convk_finite_(b)))
    return convk_refuse_names_(message, CONVK_ERR_NONFINITE, "epilogue->$ is not finite", convk_finite_(a) ? "b" : "a", NULL);
  if (actions & CONVK_FILTERS_DOT_ && (job->gi.nx != job->go.nx || job->gi.ny != job->go.ny || job->gi.nz != job->go.nz))
    return convk_refuse_(message, CONVK_ERR_SIZE, "epilogue->dot is wanted, and shape->out has other sizes than shape->in");
  job->actions = actions;
  if (update) job->actions |= CONVK_FILTERS_UPDATE_;
  return CONVK_OK;
}

/* Everything that can be wrong with the arguments, found before anything is written. */
CONVK_RARE_ int convk_filters_check_(char *message, const convk_sepconv3d_shape *shape, const convk_filter *filter,
                                     const convk_sepconv_epilogue *e, const CONVK_T *in, CONVK_T *out, const void *work,
                                     size_t work_size, convk_filters_job_ *job) {
  const convk_sepconv_epilogue none = {NULL, NULL, 0, NULL, NULL, 0, 0, 0};
  const int may = CONVK_PLACE_OPTIONAL_, put = CONVK_PLACE_OPTIONAL_ | CONVK_PLACE_WRITTEN_;
  unsigned actions = out ? CONVK_FILTERS_STORE_ : 0;
  convk_place_ place[10];
  size_t bytes, count, d;
  int status = convk_filters_shapes_(message, shape, filter, job);
  if (status) return status;
  if (!e) e = &none;
  if (e->potential) actions |= CONVK_FILTERS_POTENTIAL_;
  if (e->density) actions |= CONVK_FILTERS_DENSITY_;
  if (e->dot) actions |= CONVK_FILTERS_DOT_;
  if (e->energy) actions |= CONVK_FILTERS_ENERGY_;
  bytes = job->out_span * sizeof(CONVK_T);
  place[0] = convk_place_of_("in", in, job->in_span * sizeof(CONVK_T), 0);
  place[1] = convk_place_of_("out", out, bytes, put);
  place[2] = convk_place_of_("work", work, work_size, put);
  place[3] = convk_place_of_("epilogue->potential", e->potential, bytes, may);
  place[4] = convk_place_of_("epilogue->density", e->density, bytes, put);
  place[5] = convk_place_of_("epilogue->dot", e->dot, sizeof(double), put);
  place[6] = convk_place_of_("epilogue->energy", e->energy, sizeof(double), put);
  for (d = 0, count = e == &none ? 3 : 7; d < 3; d++, count++)
    place[count] = convk_place_read_("filter[%].taps", d, job->taps[d], job->axis[d].ntaps * sizeof(CONVK_T));
  status = convk_places_check_(message, place, count);
  if (!status) status = convk_filters_actions_(message, job, actions, e->update, e->density_factor, e->a, e->b);
  job->epilogue = actions == CONVK_FILTERS_STORE_ && !e->update ? NULL : e;
  job->in = in;
  job->out = out;
  return status;
}

/* `columns` for up to a block of outputs: a block with a few missing is made whole, which is faster than piecemeal.
   rows has room for CONVK_BLOCK_ + taps pointers, out and factor (or NULL) for CONVK_BLOCK_. */
CONVK_RARE_ void convk_filters_block_(convk_filters_columns_fn_ *columns, const CONVK_T **rows, size_t ntaps,
                                      const CONVK_T *taps, size_t n, size_t nout, CONVK_T **out, const CONVK_T **factor,
                                      const CONVK_T *zeros, CONVK_T *trash, int stream, convk_fetch_ *fetch) {
  if (nout > CONVK_BLOCK_ / 2)
    for (; nout < CONVK_BLOCK_; nout++) {
      rows[nout + ntaps - 1] = zeros;
      out[nout] = trash;
      if (factor) factor[nout] = zeros;
    }
  columns(rows, ntaps, taps, n, nout, out, factor, stream, fetch);
}

/* Where point i of an axis that goes on beyond its ends lies in the array, or CONVK_NONE_ for a zero. */
CONVK_RARE_ size_t convk_filters_source_(const convk_axis_ *axis, ptrdiff_t i) {
  return (size_t)convk_axis_source_(i, (ptrdiff_t)axis->n, axis->boundary == CONVK_BOUNDARY_PERIODIC);
}

/* Fills points begin .. end - 1, outside 0 .. n - 1, of the padded rows that begin at `row`. */
CONVK_RARE_ void convk_filters_extend_(convk_filters_copy_fn_ *copy, const convk_axis_ *axis, CONVK_T *row, size_t pitch,
                                       size_t nrows, ptrdiff_t begin, ptrdiff_t end) {
  while (begin < end) {
    const size_t from = convk_filters_source_(axis, begin), left = (size_t)(end - begin);
    const size_t run = from == CONVK_NONE_ ? left : axis->n - from < left ? axis->n - from : left;
    copy(from == CONVK_NONE_ ? NULL : row + from, row + begin, pitch, run, nrows);
    begin += (ptrdiff_t)run;
  }
}

/* One tile's part of one plane: y from the source into rows padded for x, then x into `plane`, by rows of go.nx; meanwhile
   the next planes are fetched.  rows: where the tile's rows of y lie in plane 0, or NULL for zeros. */
CONVK_LOCAL_ void convk_filters_plane_(const convk_filters_job_ *job, CONVK_T *scratch, size_t z, size_t ny, CONVK_T *plane,
                                       convk_fetch_ *fetch) {
  const convk_axis_ *ax = &job->axis[0], *ay = &job->axis[1];
  const convk_filters_cut_ *cut = &job->cut;
  const size_t *offsets = (const size_t *)(const void *)((const char *)scratch + cut->offsets_bytes);
  const CONVK_T **rows = (const CONVK_T **)(void *)((char *)scratch + cut->rows_bytes);
  const CONVK_T *source = job->in + z * job->gi.pitch_z, *zeros = scratch + cut->zeros;
  const size_t nrows = ny + ay->ntaps - 1;
  CONVK_T *padded = scratch + cut->padded + cut->padded_left;
  CONVK_T *out[CONVK_BLOCK_];
  size_t y, k;
  for (k = 0; k < nrows; k++) rows[k] = offsets[k] == CONVK_NONE_ ? zeros : source + offsets[k];
  for (y = 0; y < ny; y += CONVK_BLOCK_) {
    const size_t nout = ny - y < CONVK_BLOCK_ ? ny - y : CONVK_BLOCK_;
    for (k = 0; k < nout; k++) out[k] = padded + (y + k) * cut->padded_pitch;
    if (fetch) fetch->budget = cut->fetch_lines * nout / ny;
    convk_filters_block_(job->kernels->columns, rows + y, ay->ntaps, job->taps[1], ax->n, nout, out, NULL, zeros,
                         scratch + cut->trash, 0, fetch);
  }
  convk_filters_extend_(job->kernels->copy, ax, padded, cut->padded_pitch, ny, ax->shift, 0);
  convk_filters_extend_(job->kernels->copy, ax, padded, cut->padded_pitch, ny, (ptrdiff_t)ax->n,
                        ax->shift + (ptrdiff_t)(ax->m + ax->ntaps - 1));
  job->kernels->rows(padded + ax->shift, cut->padded_pitch, ax->ntaps, job->taps[0], ax->m, ny, plane, ax->m);
}

/* z from the planes in scratch to the output, with the epilogue, for outputs z .. z + nout - 1 of one tile. */
CONVK_LOCAL_ void convk_filters_store_(const convk_filters_job_ *job, CONVK_T *scratch, const CONVK_T *const *planes, size_t z,
                                       size_t nout, size_t y0, size_t ny, convk_fetch_ *fetch) {
  const convk_axis_ *az = &job->axis[2];
  const convk_filters_cut_ *cut = &job->cut;
  const CONVK_T *zeros = scratch + cut->zeros;
  const size_t mx = job->go.nx;
  const convk_sepconv_epilogue *e = job->epilogue;
  /* the tile's rows are contiguous in the output, too */
  const int contiguous = job->go.pitch_y == mx && (!e || job->ge.pitch_y == mx);
  /* all that is wanted is the potential, and it meets results where they are made: its lines and those of the output then come
     and go one by one among multiplications, and do not wait for each other (1.15 times as fast) */
  const int meets = contiguous && e && job->actions == (CONVK_FILTERS_STORE_ | CONVK_FILTERS_POTENTIAL_);
  const int finish = e && !meets;
  const size_t max_rows = finish ? cut->result_rows : contiguous ? ny : 1; /* rows at once */
  const size_t step = job->ge.pitch_y == job->go.pitch_y ? max_rows : 1;   /* and of these, through the epilogue */
  const CONVK_T *rows[CONVK_BLOCK_ + CONVK_FILTER_MAX_TAPS];
  CONVK_T *out[CONVK_BLOCK_];
  const CONVK_T *factor[CONVK_BLOCK_];
  size_t y, k, r;
  if (fetch) fetch->budget = cut->fetch_lines * nout / convk_ceil_(ny, max_rows);
  for (y = 0; y < ny; y += max_rows) {
    const size_t some = ny - y < max_rows ? ny - y : max_rows;
    for (k = 0; k < nout + az->ntaps - 1; k++) rows[k] = planes[k] ? planes[k] + y * mx : zeros;
    for (k = 0; k < nout; k++) {
      out[k] = finish ? scratch + cut->result + k * cut->result_pitch
                      : job->out + (z + k) * job->go.pitch_z + (y0 + y) * job->go.pitch_y;
      if (meets) factor[k] = e->potential + (z + k) * job->ge.pitch_z + (y0 + y) * mx;
    }
    convk_filters_block_(job->kernels->columns, rows, az->ntaps, job->taps[2], some * mx, nout, out, meets ? factor : NULL,
                         zeros, scratch + cut->trash, contiguous && !finish && cut->stream, fetch);
    for (k = 0; finish && k < nout; k++)
      for (r = 0; r < some; r += step) {
        const size_t to = y0 + y + r, row = (z + k) * job->go.ny + to;
        job->kernels->finish(
            e, (z + k) * job->ge.pitch_z + to * job->ge.pitch_y, job->ge.pitch_y, mx, step < some ? step : some,
            out[k] + r * mx, job->in + (job->dot ? (z + k) * job->gi.pitch_z + to * job->gi.pitch_y : 0), job->gi.pitch_y,
            job->out ? job->out + (z + k) * job->go.pitch_z + to * job->go.pitch_y : NULL, job->dot ? job->dot + row : NULL,
            job->energy ? job->energy + row : NULL, y + some < ny ? some * job->ge.pitch_y * sizeof(CONVK_T) : 0, cut->stream);
      }
  }
}

/* What a tile fetches: nothing yet. */
CONVK_LOCAL_ void convk_filters_fetch_(const convk_filters_job_ *job, const size_t *offsets, size_t rows, convk_fetch_ *fetch) {
  memset(fetch, 0, sizeof *fetch);
  fetch->base = (uintptr_t)job->in;
  fetch->pitch = job->gi.pitch_z * sizeof(CONVK_T);
  fetch->nz = job->gi.nz;
  fetch->wraps = job->axis[2].boundary == CONVK_BOUNDARY_PERIODIC;
  fetch->offsets = offsets;
  fetch->element = sizeof(CONVK_T);
  fetch->rows = rows;
  fetch->bytes = job->gi.nx * sizeof(CONVK_T);
}

/* Outputs z0 .. z1 - 1 of one tile.  Planes that went through y and x wait in scratch until z has used them: in a ring, or
   where the axis comes round to its first planes again, at its head. */
CONVK_LOCAL_ void convk_filters_tile_(const convk_filters_job_ *job, CONVK_T *scratch, size_t y0, size_t ny, size_t z0,
                                      size_t z1) {
  const convk_axis_ *ay = &job->axis[1], *az = &job->axis[2];
  const size_t more = az->ntaps - 1;
  const convk_ring_ ring = convk_ring_of_(az, z1 - z0);
  const CONVK_T *planes[CONVK_BLOCK_ + CONVK_FILTER_MAX_TAPS];
  size_t *offsets = (size_t *)(void *)((char *)scratch + job->cut.offsets_bytes);
  convk_fetch_ fetch;
  size_t z, k, ready = 0;
  convk_filters_fetch_(job, offsets, ny + ay->ntaps - 1, &fetch);
  for (k = 0; k < ny + ay->ntaps - 1; k++) { /* where the rows of y lie in every plane */
    const size_t from = convk_filters_source_(ay, (ptrdiff_t)(y0 + k) + ay->shift);
    offsets[k] = from == CONVK_NONE_ ? from : from * job->gi.pitch_y;
  }
  for (z = z0; z < z1; z += CONVK_BLOCK_) {
    const size_t nout = z1 - z < CONVK_BLOCK_ ? z1 - z : CONVK_BLOCK_;
    for (; ready < z - z0 + nout + more; ready++) {
      const size_t from = convk_filters_source_(az, (ptrdiff_t)(z0 + ready) + az->shift);
      if (from == CONVK_NONE_ || ready >= ring.distinct) continue;
      if (fetch.next <= ready) { /* from the next plane on */
        fetch.next = ready + 1;
        fetch.z = from + 1 < fetch.nz ? from + 1 : 0;
        fetch.row = fetch.at = 0;
      }
      fetch.limit = ready + CONVK_AHEAD_ < ring.distinct ? ready + CONVK_AHEAD_ : ring.distinct;
      convk_filters_plane_(job, scratch, from, ny,
                           scratch + job->cut.planes + convk_ring_slot_(&ring, ready) * job->cut.plane_pitch,
                           job->cut.fetch_lines ? &fetch : NULL);
    }
    for (k = 0; k < nout + more; k++)
      planes[k] =
          convk_filters_source_(az, (ptrdiff_t)(z + k) + az->shift) == CONVK_NONE_
              ? NULL
              : scratch + job->cut.planes + convk_ring_slot_(&ring, (z - z0 + k) % ring.distinct) * job->cut.plane_pitch;
    convk_filters_store_(job, scratch, planes, z, nout, y0, ny, job->cut.fetch_lines ? &fetch : NULL);
  }
}

CONVK_LOCAL_ void convk_filters_task_(void *arg, size_t index) {
  const convk_filters_job_ *job = (const convk_filters_job_ *)arg;
  const convk_filters_cut_ *cut = &job->cut;
  const size_t z0 = index / cut->tasks_y * cut->chunk_z;
  const size_t z1 = z0 + cut->chunk_z < job->go.nz ? z0 + cut->chunk_z : job->go.nz;
  CONVK_T *scratch = (CONVK_T *)(void *)(job->scratch + index * cut->bytes);
  size_t y;
  memset(scratch, 0, cut->planes * sizeof(CONVK_T)); /* the zeros, and padding that is read and dropped */
  for (y = index % cut->tasks_y * cut->rows; y < job->go.ny; y += cut->tasks_y * cut->rows)
    convk_filters_tile_(job, scratch, y, job->go.ny - y < cut->rows ? job->go.ny - y : cut->rows, z0, z1);
  if (cut->stream) job->kernels->fence();
}

/* How a call is cut, and the bytes that it needs. */
CONVK_RARE_ int convk_filters_cut_checked_(convk *hw, const convk_axis_ axis[3], convk_filters_cut_ *cut, size_t *need) {
  if (!convk_filters_cut_of_(hw, axis, sizeof(CONVK_T), cut, need)) return CONVK_OK;
  return convk_refuse_(convk_message_(hw), CONVK_ERR_OVERFLOW, "shape needs more work than can be counted in bytes");
}

/* sepconv3d with the kernels of any CPU variant.  laid: how the arrays of the epilogue lie; NULL: as the output. */
CONVK_RARE_ int convk_sepconv3d_laid_(const convk_filters_kernels_ *kernels, convk *hw, const convk_sepconv3d_shape *shape,
                                      const convk_filter *filter, const convk_sepconv_epilogue *epilogue,
                                      const convk_grid3 *laid, const CONVK_T *in, CONVK_T *out, void *work, size_t work_size) {
  convk_filters_job_ job;
  CONVK_T taps[3][CONVK_FILTER_MAX_TAPS]; /* of kernels, which take them where they are aligned */
  convk_work_ memory;
  size_t need, sums, y, z, d;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status) status = convk_filters_check_(convk_message_(hw), shape, filter, epilogue, in, out, work, work_size, &job);
  if (!status) status = convk_filters_cut_checked_(hw, job.axis, &job.cut, &need);
  if (!status) status = convk_work_begin_(convk_message_(hw), &memory, work, work_size, need);
  if (status) return status;
  job.kernels = kernels;
  if (laid) job.ge = *laid;
  for (d = 0; d < 3; d++) {
    memcpy(taps[d], job.taps[d], job.axis[d].ntaps * sizeof(CONVK_T));
    job.taps[d] = taps[d];
  }
  sums = job.cut.sums;
  job.dot = job.epilogue && job.epilogue->dot ? (double *)(void *)memory.base : NULL;
  job.energy = job.epilogue && job.epilogue->energy ? (double *)(void *)memory.base + sums : NULL;
  job.scratch = memory.base + job.cut.sums_bytes;
  status = convk_run_tasks_(hw, job.cut.tasks, convk_filters_task_, &job);
  if (!status && (job.dot || job.energy)) { /* planes of rows, then planes */
    double dot = 0, energy = 0;
    for (z = 0; z < job.go.nz; z++) {
      double plane_dot = 0, plane_energy = 0;
      for (y = 0; y < job.go.ny; y++) {
        if (job.dot) plane_dot += job.dot[z * job.go.ny + y];
        if (job.energy) plane_energy += job.energy[z * job.go.ny + y];
      }
      dot += plane_dot;
      energy += plane_energy;
    }
    if (job.dot) *job.epilogue->dot = dot;
    if (job.energy) *job.epilogue->energy = energy;
  }
  convk_work_end_(&memory);
  return status;
}

/* The arguments are those of the public function. */
CONVK_RARE_ int convk_sepconv3d_cpu_(const convk_filters_kernels_ *kernels, convk *hw, const convk_sepconv3d_shape *shape,
                                     const convk_filter *filter, const convk_sepconv_epilogue *epilogue, const CONVK_T *in,
                                     CONVK_T *out, void *work, size_t work_size) {
  return convk_sepconv3d_laid_(kernels, hw, shape, filter, epilogue, NULL, in, out, work, work_size);
}

/* ---- the magic filter as three filters, and the potential ---- */

CONVK_LOCAL_ int convk_magicfilter_axes_(char *message, int direction, convk_filter filter[3]) {
  if (direction != CONVK_FORWARD && direction != CONVK_INVERSE)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "direction is %, neither CONVK_FORWARD nor CONVK_INVERSE", direction, 0,
                            0);
  filter[0] = filter[1] = filter[2] = convk_magicfilter_taps(direction);
  return CONVK_OK;
}

/* potential_apply but for its arrays: there, and back. */
CONVK_RARE_ int convk_potential_apply_shapes_(char *message, const convk_sepconv3d_shape *shape,
                                              convk_potential_shapes_ *shapes) {
  convk_filter filter[3];
  convk_axis_ axis[3];
  size_t d;
  int status;
  if (!shape) return convk_refuse_(message, CONVK_ERR_NULL, "shape is NULL");
  for (d = 0; d < 3; d++) {
    const int boundary = shape->boundary[d];
    if (boundary != CONVK_BOUNDARY_PERIODIC && boundary != CONVK_BOUNDARY_GROW && boundary != CONVK_BOUNDARY_ZERO)
      return convk_refuse_at_(message, CONVK_ERR_BOUNDARY,
                              "shape->boundary[%] is %, not CONVK_BOUNDARY_PERIODIC, _GROW or _ZERO", (int64_t)d, boundary, 0);
    shapes->to_values.boundary[d] = boundary;
    shapes->back.boundary[d] = boundary == CONVK_BOUNDARY_GROW ? CONVK_BOUNDARY_SHRINK : boundary;
  }
  (void)convk_magicfilter_axes_(NULL, CONVK_FORWARD, filter);
  status = convk_filters_grids_(message, shape, filter, axis, &shapes->to_values.in, &shapes->to_values.out, shapes->span);
  if (status) return status;
  shapes->potential = shapes->to_values.out;
  shapes->bytes = convk_values_layout_(&shapes->potential, shapes->span[1], sizeof(CONVK_T), &shapes->to_values.out);
  shapes->bytes = convk_round_up_(shapes->bytes * sizeof(CONVK_T), 64);
  shapes->back.in = shapes->to_values.out;
  shapes->back.out = shapes->to_values.in;
  return CONVK_OK;
}

/* All of it: psi and out (which may be one array), the potential, the energy and the work keep clear of each other. */
CONVK_RARE_ int convk_potential_apply_check_(char *message, const convk_sepconv3d_shape *shape, const CONVK_T *potential,
                                             const CONVK_T *psi, const CONVK_T *out, const double *energy, const void *work,
                                             size_t work_size, convk_potential_shapes_ *shapes) {
  const int put = CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_;
  convk_place_ place[5];
  const int status = convk_potential_apply_shapes_(message, shape, shapes);
  if (status) return status;
  place[0] = convk_place_of_("potential", potential, shapes->span[1] * sizeof(CONVK_T), 0);
  place[1] = convk_place_of_("psi", psi, shapes->span[0] * sizeof(CONVK_T), CONVK_PLACE_IN_PLACE_);
  place[2] = convk_place_of_("out", out, shapes->span[0] * sizeof(CONVK_T), CONVK_PLACE_WRITTEN_ | CONVK_PLACE_IN_PLACE_);
  place[3] = convk_place_of_("energy", energy, sizeof(double), put);
  place[4] = convk_place_of_("work", work, work_size, put);
  return convk_places_check_(message, place, 5);
}

/* Work of both filters, after the intermediate array: what a call needs, or what is enough for smaller ones, too. */
CONVK_RARE_ int convk_potential_need_(convk *hw, const convk_potential_shapes_ *shapes, int bound, size_t *need) {
  convk_filter filter[3];
  size_t i, one = 0, max_need = 0;
  int status = CONVK_OK;
  for (i = 0; i < 2 && !status; i++) {
    const convk_sepconv3d_shape *const shape = i ? &shapes->back : &shapes->to_values;
    convk_axis_ axis[3];
    convk_filters_cut_ cut;
    (void)convk_magicfilter_axes_(NULL, i ? CONVK_INVERSE : CONVK_FORWARD, filter);
    (void)convk_axes_check_(NULL, &shape->in, filter, shape->boundary, axis);
    status = bound ? convk_filters_bound_(hw, axis, sizeof(CONVK_T), &one)
                   : convk_filters_cut_of_(hw, axis, sizeof(CONVK_T), &cut, &one);
    if (one > max_need) max_need = one;
  }
  if (!status && max_need + shapes->bytes + 64 < max_need) status = CONVK_ERR_OVERFLOW;
  if (status) return convk_refuse_(convk_message_(hw), status, "shape needs more work than can be counted in bytes");
  *need = max_need + shapes->bytes + 64;
  return CONVK_OK;
}

CONVK_RARE_ int convk_potential_apply_cpu_(const convk_filters_kernels_ *kernels, convk *hw, const convk_sepconv3d_shape *shape,
                                           const CONVK_T *potential, const CONVK_T *psi, CONVK_T *out, double *energy,
                                           void *work, size_t work_size) {
  convk_filter filter[3];
  convk_sepconv_epilogue epilogue;
  convk_potential_shapes_ shapes;
  convk_work_ memory;
  CONVK_T *between;
  size_t need, rest;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status)
    status = convk_potential_apply_check_(convk_message_(hw), shape, potential, psi, out, energy, work, work_size, &shapes);
  if (!status) status = convk_potential_need_(hw, &shapes, 0, &need);
  if (!status) status = convk_work_begin_(convk_message_(hw), &memory, work, work_size, need);
  if (status) return status;
  memset(&epilogue, 0, sizeof epilogue);
  epilogue.potential = potential;
  epilogue.energy = energy;
  between = (CONVK_T *)(void *)memory.base;
  rest = need - 64 - shapes.bytes;
  (void)convk_magicfilter_axes_(NULL, CONVK_FORWARD, filter);
  status = convk_sepconv3d_laid_(kernels, hw, &shapes.to_values, filter, &epilogue, &shapes.potential, psi, between,
                                 memory.base + shapes.bytes, rest);
  (void)convk_magicfilter_axes_(NULL, CONVK_INVERSE, filter);
  if (!status)
    status = convk_sepconv3d_cpu_(kernels, hw, &shapes.back, filter, NULL, between, out, memory.base + shapes.bytes, rest);
  convk_work_end_(&memory);
  return status;
}

/* ---- one axis at a time, transposed ---- */

/* One checked call of conv1d_transpose, cut into strips of input rows. */
typedef struct convk_transpose_job_ {
  const convk_filters_kernels_ *kernels;
  convk_axis_ axis;
  size_t ndat, ld_in, ld_out, in_span, out_span, tasks, strip;
  int fetches; /* the caches do not hold input and output */
  const CONVK_T *taps, *in;
  CONVK_T *out;
  char *scratch;
} convk_transpose_job_;

/* A strip is transposed piece by piece into scratch, from where `columns` writes rows of the output;
   meanwhile the next strip is fetched. */
CONVK_LOCAL_ void convk_transpose_task_(void *arg, size_t index) {
  const convk_transpose_job_ *job = (const convk_transpose_job_ *)arg;
  const convk_axis_ *axis = &job->axis;
  CONVK_T *zeros = (CONVK_T *)(void *)(job->scratch + index * CONVK_STRIP_BYTES_(sizeof(CONVK_T)));
  CONVK_T *trash = zeros + CONVK_STRIP_, *piece = trash + CONVK_STRIP_;
  const size_t first = 0, lines = convk_ceil_(axis->n * sizeof(CONVK_T), 64);
  convk_fetch_ fetch;
  const CONVK_T *rows[CONVK_STRIP_LENGTH_ + CONVK_BLOCK_ + CONVK_FILTER_MAX_TAPS];
  CONVK_T *out[CONVK_BLOCK_];
  size_t j, i, r, k;
  memset(zeros, 0, CONVK_STRIP_ * sizeof(CONVK_T));
  memset(&fetch, 0, sizeof fetch);
  fetch.base = (uintptr_t)job->in; /* each row is a plane */
  fetch.pitch = job->ld_in * sizeof(CONVK_T);
  fetch.nz = job->ndat;
  fetch.offsets = &first;
  fetch.rows = 1;
  fetch.element = sizeof(CONVK_T);
  fetch.bytes = axis->n * sizeof(CONVK_T);
  for (j = index * job->strip; j < job->ndat; j += job->tasks * job->strip) {
    const size_t width = job->ndat - j < job->strip ? job->ndat - j : job->strip, next = j + job->tasks * job->strip;
    fetch.z = next;
    fetch.at = fetch.next = 0;
    fetch.limit = !job->fetches || next >= job->ndat ? 0 : job->ndat - next < job->strip ? job->ndat - next : job->strip;
    for (i = 0; i < axis->m; i += CONVK_STRIP_LENGTH_) {
      const size_t length = axis->m - i < CONVK_STRIP_LENGTH_ ? axis->m - i : CONVK_STRIP_LENGTH_;
      const size_t count = length + axis->ntaps - 1;
      size_t run;
      r = 0;
      if (axis->boundary == CONVK_BOUNDARY_PERIODIC && count >= axis->n) { /* the whole axis, once */
        size_t from = convk_filters_source_(axis, (ptrdiff_t)i + axis->shift);
        job->kernels->transpose(job->in + j * job->ld_in, job->ld_in, axis->n, width, piece, CONVK_STRIP_);
        for (; r < count; r++) {
          rows[r] = piece + from * CONVK_STRIP_;
          from = from + 1 < axis->n ? from + 1 : 0;
        }
      }
      for (; r < count; r += run) {
        const size_t from = convk_filters_source_(axis, (ptrdiff_t)(i + r) + axis->shift);
        run = 1;
        rows[r] = zeros;
        if (from == CONVK_NONE_) continue;
        run = axis->n - from < count - r ? axis->n - from : count - r;
        job->kernels->transpose(job->in + j * job->ld_in + from, job->ld_in, run, width, piece + r * CONVK_STRIP_,
                                CONVK_STRIP_);
        for (k = r; k < r + run; k++) rows[k] = piece + k * CONVK_STRIP_;
      }
      for (r = 0; r < length; r += CONVK_BLOCK_) {
        const size_t nout = length - r < CONVK_BLOCK_ ? length - r : CONVK_BLOCK_;
        for (k = 0; k < nout; k++) out[k] = job->out + (i + r + k) * job->ld_out + j;
        fetch.budget = fetch.limit * lines * nout / axis->m * 5 / 4;
        convk_filters_block_(job->kernels->columns, rows + r, axis->ntaps, job->taps, width, nout, out, NULL, zeros, trash, 0,
                             fetch.limit ? &fetch : NULL);
      }
    }
  }
}

/* conv1d_transpose but for its arrays. */
CONVK_RARE_ int convk_conv1d_shapes_(char *message, const convk_conv1d_shape *shape, const convk_filter *filter,
                                     convk_transpose_job_ *job) {
  size_t bytes;
  int status;
  if (!shape || !filter) return convk_refuse_(message, CONVK_ERR_NULL, shape ? "filter is NULL" : "shape is NULL");
  if (!shape->n || !shape->ndat)
    return convk_refuse_names_(message, CONVK_ERR_SIZE, "shape->$ is 0", shape->n ? "ndat" : "n", NULL);
  if (shape->n > (size_t)-1 / 8) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "shape->n is too large");
  status = convk_axis_check_(shape->n, filter->lo, filter->up, shape->boundary, &job->axis);
  if (status == CONVK_ERR_TAPS)
    return convk_refuse_at_(message, status, "filter is of lo = %, up = %: not 1 to 64 taps, or too far off", filter->lo,
                            filter->up, 0);
  if (status == CONVK_ERR_SHRINK)
    return convk_refuse_at_(message, status, "shape->boundary shrinks shape->n = % points by a filter of % taps",
                            (int64_t)shape->n, (int64_t)filter->up - filter->lo + 1, 0);
  if (status) return convk_refuse_at_(message, status, "shape->boundary is %, which is none of filters", shape->boundary, 0, 0);
  job->ndat = shape->ndat;
  job->ld_in = shape->ld_in ? shape->ld_in : shape->n;
  job->ld_out = shape->ld_out ? shape->ld_out : shape->ndat;
  if (job->ld_in < shape->n)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "shape->ld_in is %, less than n = %", (int64_t)job->ld_in,
                            (int64_t)shape->n, 0);
  if (job->ld_out < shape->ndat)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "shape->ld_out is %, less than ndat = %", (int64_t)job->ld_out,
                            (int64_t)shape->ndat, 0);
  if (convk_mul_(job->ndat, job->ld_in, &job->in_span) || convk_mul_(job->in_span, sizeof(CONVK_T), &bytes) ||
      bytes > (size_t)-1 / 4)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "shape->ndat rows of shape->ld_in elements are too many bytes");
  if (convk_mul_(job->axis.m, job->ld_out, &job->out_span) || convk_mul_(job->out_span, sizeof(CONVK_T), &bytes) ||
      bytes > (size_t)-1 / 4)
    return convk_refuse_at_(message, CONVK_ERR_OVERFLOW, "% rows of shape->ld_out elements are too many bytes",
                            (int64_t)job->axis.m, 0, 0);
  job->in_span += shape->n - job->ld_in;
  job->out_span += shape->ndat - job->ld_out;
  return CONVK_OK;
}

/* The taps of a filter that conv1d_shapes_ has seen. */
CONVK_RARE_ int convk_conv1d_taps_(char *message, const convk_filter *filter, convk_transpose_job_ *job) {
  size_t k;
  job->taps = filter->taps;
  if (!filter->taps) return convk_refuse_(message, CONVK_ERR_NULL, "filter->taps is NULL");
  for (k = 0; k < job->axis.ntaps; k++)
    if (!convk_finite_(CONVK_ONE_(filter->taps + k)))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "filter->taps[%] is not finite", (int64_t)k, 0, 0);
  return CONVK_OK;
}

CONVK_RARE_ int convk_conv1d_check_(char *message, const convk_conv1d_shape *shape, const convk_filter *filter,
                                    const CONVK_T *in, CONVK_T *out, const void *work, size_t work_size,
                                    convk_transpose_job_ *job) {
  const size_t s = sizeof(CONVK_T);
  convk_place_ place[4];
  int status = convk_conv1d_shapes_(message, shape, filter, job);
  if (!status) status = convk_conv1d_taps_(message, filter, job);
  if (status) return status;
  job->in = in;
  job->out = out;
  place[0] = convk_place_of_("in", in, job->in_span * s, 0);
  place[1] = convk_place_of_("out", out, job->out_span * s, CONVK_PLACE_WRITTEN_);
  place[2] = convk_place_of_("work", work, work_size, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
  place[3] = convk_place_read_("filter->taps", 0, job->taps, job->axis.ntaps * s);
  return convk_places_check_(message, place, 4);
}

CONVK_LOCAL_ size_t convk_conv1d_threads_(convk *hw, const convk_transpose_job_ *job) {
  return convk_filters_threads_(hw, (double)job->ndat * (double)(job->axis.m * job->axis.ntaps), sizeof(CONVK_T));
}

CONVK_RARE_ int convk_conv1d_transpose_cpu_(const convk_filters_kernels_ *kernels, convk *hw, const convk_conv1d_shape *shape,
                                            const convk_filter *filter, const CONVK_T *in, CONVK_T *out, void *work,
                                            size_t work_size) {
  convk_transpose_job_ job;
  CONVK_T taps[CONVK_FILTER_MAX_TAPS]; /* as above */
  convk_work_ memory;
  size_t threads;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status) status = convk_conv1d_check_(convk_message_(hw), shape, filter, in, out, work, work_size, &job);
  if (status) return status;
  threads = convk_conv1d_threads_(hw, &job);
  job.strip = convk_strip_rows_(threads, job.ndat);
  job.tasks = convk_strip_tasks_(threads, job.ndat);
  job.fetches = (job.in_span + job.out_span) * sizeof(CONVK_T) > convk_cache_l2_(hw ? &hw->tuning : NULL);
  status =
      convk_work_begin_(convk_message_(hw), &memory, work, work_size, job.tasks * CONVK_STRIP_BYTES_(sizeof(CONVK_T)) + 64);
  if (status) return status;
  job.kernels = kernels;
  memcpy(taps, job.taps, job.axis.ntaps * sizeof *taps);
  job.taps = taps;
  job.scratch = memory.base;
  status = convk_run_tasks_(hw, job.tasks, convk_transpose_task_, &job);
  convk_work_end_(&memory);
  return status;
}

CONVK_RARE_ int convk_magicfilter3d_cpu_(const convk_filters_kernels_ *kernels, convk *hw, const convk_sepconv3d_shape *shape,
                                         int direction, const convk_sepconv_epilogue *epilogue, const CONVK_T *in, CONVK_T *out,
                                         void *work, size_t work_size) {
  convk_filter filter[3];
  const int status = convk_magicfilter_axes_(convk_message_(hw), direction, filter);
  return status ? status : convk_sepconv3d_cpu_(kernels, hw, shape, filter, epilogue, in, out, work, work_size);
}

/* ---- public operations ---- */

CONVK_API_ int convk_sepconv3d_work_size(convk *hw, const convk_sepconv3d_shape *shape, const convk_filter filter[3],
                                         const convk_sepconv_epilogue *epilogue, size_t *bytes) {
  convk_axis_ axis[3];
  convk_grid3 gi, go;
  size_t span[2];
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  (void)epilogue;
  if (status) return status;
  if (!bytes) return convk_refuse_(convk_message_(hw), CONVK_ERR_NULL, "bytes is NULL");
  status = convk_filters_grids_(convk_message_(hw), shape, filter, axis, &gi, &go, span);
  if (status) return status;
  if (!convk_filters_bound_(hw, axis, sizeof(CONVK_T), bytes)) return CONVK_OK;
  return convk_refuse_(convk_message_(hw), CONVK_ERR_OVERFLOW, "shape needs more work than can be counted in bytes");
}

CONVK_API_ int convk_magicfilter3d_work_size(convk *hw, const convk_sepconv3d_shape *shape, int direction,
                                             const convk_sepconv_epilogue *epilogue, size_t *bytes) {
  convk_filter filter[3];
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (!status) status = convk_magicfilter_axes_(convk_message_(hw), direction, filter);
  return status ? status : convk_sepconv3d_work_size(hw, shape, filter, epilogue, bytes);
}

CONVK_API_ int convk_potential_apply_work_size(convk *hw, const convk_sepconv3d_shape *shape, size_t *bytes) {
  convk_potential_shapes_ shapes;
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (!status && !bytes) return convk_refuse_(convk_message_(hw), CONVK_ERR_NULL, "bytes is NULL");
  if (!status) status = convk_potential_apply_shapes_(convk_message_(hw), shape, &shapes);
  return status ? status : convk_potential_need_(hw, &shapes, 1, bytes);
}

CONVK_API_ int convk_conv1d_transpose_work_size(convk *hw, const convk_conv1d_shape *shape, const convk_filter *filter,
                                                size_t *bytes) {
  convk_transpose_job_ job;
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (!status && !bytes) return convk_refuse_(convk_message_(hw), CONVK_ERR_NULL, "bytes is NULL");
  if (!status) status = convk_conv1d_shapes_(convk_message_(hw), shape, filter, &job);
  if (status) return status;
  *bytes = convk_strip_tasks_max_(convk_conv1d_threads_(hw, &job), job.ndat) * CONVK_STRIP_BYTES_(sizeof(CONVK_T)) + 64;
  return CONVK_OK;
}
