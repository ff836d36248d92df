/* ---- short filters: all axes at once ---- */

/* A tile: rows y .. y + ny - 1 of a vector, whose planes are made in turn, from copies of those of the input that their filters
   see.  Copies have what lies beyond the ends of axes, so that rows lie the same way everywhere. */
typedef struct convk_sums_copied_ {
  const convk_sums_job_ *job;
  const CONVK_T *in;
  CONVK_T *scratch, *copies;
  size_t planes; /* that have copies: planes z and z + planes share one */
  size_t vector, y, ny;
} convk_sums_copied_;

/* Which copy plane z of the input has; and where copy `at` lies: its row for row y of the output, at x = 0 of the input. */
CONVK_LOCAL_ size_t convk_sums_copy_number_(const convk_sums_copied_ *t, ptrdiff_t z) {
  const ptrdiff_t planes = (ptrdiff_t)t->planes, at = z % planes;
  return (size_t)(at < 0 ? at + planes : at);
}
CONVK_LOCAL_ CONVK_T *convk_sums_copy_at_(const convk_sums_copied_ *t, size_t at) {
  const convk_sums_job_ *const job = t->job;
  return t->copies + at * job->copies.plane + (size_t)-job->copies.below * job->copies.pitch + job->left * job->step;
}

/* Copies what a tile sees of plane z. */
CONVK_LOCAL_ void convk_sums_copy_plane_(const convk_sums_copied_ *t, ptrdiff_t z) {
  const convk_sums_job_ *const job = t->job;
  const ptrdiff_t below = job->copies.below, first = (ptrdiff_t)t->y + job->axis[1].origin + below;
  const ptrdiff_t ny = (ptrdiff_t)job->axis[1].n, end = first + (ptrdiff_t)(t->ny + job->copies.reach_y);
  const int inside = job->axis[2].periodic || (z >= 0 && z < (ptrdiff_t)job->axis[2].n);
  CONVK_T *const to = convk_sums_copy_at_(t, convk_sums_copy_number_(t, z)) + below * (ptrdiff_t)job->copies.pitch;
  const size_t left = job->copies.left, right = job->copies.right, n = job->gi.nx * job->step;
  const int wraps = job->axis[0].periodic && !job->axis[0].turns && left <= n && right <= n;
  ptrdiff_t y = first, at, run, periods;
  for (; y < end; y += run) { /* a stretch of rows of the input, or of zeros */
    const CONVK_T *from = convk_sums_line_(job, t->in, t->scratch, y, z, 0);
    size_t pitch = job->gi.pitch_y * job->step;
    at = job->axis[1].periodic ? convk_sums_wrap_(y, ny, &periods) : y;
    run = 1; /* with phases each row has its own */
    if (!job->any_phase) {
      run = inside && at >= 0 && at < ny ? ny - at : inside && at < 0 ? -at : end - y;
      if (!inside || at < 0 || at >= ny) pitch = 0;
      if (run > end - y) run = end - y;
    }
    job->kernels->wrap(from, pitch, n, wraps ? left : 0, wraps ? right : 0, (size_t)run,
                       to + (y - first) * (ptrdiff_t)job->copies.pitch, job->copies.pitch);
  }
  if (job->axis[0].periodic && !wraps)
    convk_sums_extend_(job, to, job->copies.pitch, job->left + job->right, (size_t)(end - first));
}

/* Planes z of the output on, as many as `some`. */
CONVK_LOCAL_ void convk_sums_fused_some_(const convk_sums_copied_ *t, size_t z, size_t some) {
  const convk_sums_job_ *const job = t->job;
  const convk_sums_filter_ *const f = job->filter[CONVK_SUMS_FILTER_];
  const convk_sumconv_terms *const terms = &job->terms;
  const ptrdiff_t step = (ptrdiff_t)job->step, from = (ptrdiff_t)z + job->axis[2].origin;
  convk_sums_planes_ w;
  size_t at, p, q;
  int d;
  at = convk_sums_copy_number_(t, from + f[2].lo);
  for (q = 0; f[2].ntaps && q < f[2].ntaps - 1 + CONVK_SUMS_PLANES_; q++) {
    w.z[q] = q < f[2].ntaps - 1 + some ? convk_sums_copy_at_(t, at) + job->axis[0].origin * step : w.z[q - 1];
    if (++at == t->planes) at = 0;
  }
  at = convk_sums_copy_number_(t, from);
  for (p = 0; p < CONVK_SUMS_PLANES_; p++) {
    const size_t plane = z + (p < some ? p : some - 1);
    w.here[p] = p < some ? convk_sums_copy_at_(t, at) + job->axis[0].origin * step : w.here[p - 1];
    if (++at == t->planes) at = 0;
    w.x[p] = w.here[p] + f[0].lo * step;
    w.y[p] = w.here[p] + f[1].lo * (ptrdiff_t)job->copies.pitch;
    w.potential[p] = terms->potential ? terms->potential + plane * job->gv.pitch_z + t->y * job->gv.pitch_y : NULL;
    w.add[p] = terms->add
                   ? terms->add + (t->vector * job->add_stride + plane * job->ga.pitch_z + t->y * job->ga.pitch_y) * job->step
                   : NULL;
    w.out[p] = job->out + (t->vector * job->out_stride + plane * job->go.pitch_z + t->y * job->go.pitch_y) * job->step;
  }
  w.pitch = job->copies.pitch;
  w.pitch_potential = job->gv.pitch_y;
  w.pitch_add = job->ga.pitch_y * job->step;
  w.pitch_out = job->go.pitch_y * job->step;
  w.step = job->step;
  w.some = some;
  for (d = 0; d < 3; d++) {
    w.ntaps[d] = f[d].ntaps;
    w.taps[d] = f[d].taps;
  }
  w.wants_x = terms->potential || terms->shift != 0;
  w.potential_factor = terms->potential_factor;
  w.shift = terms->shift;
  w.add_factor = terms->add_factor;
  job->kernels->fused(&w, job->axis[0].m * job->step, t->ny, job->stream && terms->add != job->out);
}

CONVK_LOCAL_ void convk_sums_fused_all_(const convk_sums_job_ *job, size_t index) {
  const size_t units = job->vectors * job->tiles * job->chunks, nz = job->axis[2].n;
  const int repeat = job->axis[2].periodic && !job->any_phase && nz < job->copies.planes; /* all planes fit, once each */
  convk_sums_copied_ t;
  size_t u, z, some;
  t.job = job;
  t.scratch = (CONVK_T *)(void *)(job->scratch + index * job->bytes);
  t.copies = t.scratch + 2 * job->row;
  if (job->axis[0].periodic) memset(t.scratch, 0, job->row * sizeof(CONVK_T)); /* what lies beyond ends */
  else memset(t.scratch, 0, job->bytes);
  t.planes = repeat ? nz : job->copies.planes;
  for (u = index; u < units; u += job->tasks) {
    const size_t z0 = u / job->tiles % job->chunks * job->chunk,
                 z1 = job->go.nz - z0 < job->chunk ? job->go.nz : z0 + job->chunk;
    const ptrdiff_t begin = (ptrdiff_t)z0 + job->axis[2].origin + job->copies.down;
    ptrdiff_t next = begin;
    t.vector = u / job->tiles / job->chunks;
    t.in = job->in + t.vector * job->in_stride * job->step;
    t.y = u % job->tiles * job->tile;
    t.ny = job->go.ny - t.y < job->tile ? job->go.ny - t.y : job->tile;
    for (z = z0; z < z1; z += some) {
      some = z1 - z < (size_t)CONVK_SUMS_PLANES_ ? z1 - z : (size_t)CONVK_SUMS_PLANES_;
      for (; next < (ptrdiff_t)(z + some) + job->axis[2].origin + job->copies.up; next++)
        if (!repeat || next < begin + (ptrdiff_t)nz) convk_sums_copy_plane_(&t, next);
      convk_sums_fused_some_(&t, z, some);
    }
  }
  if (job->stream) job->kernels->fence();
}
