/* ---- distances on a device: atoms are sorted into cells and counted there, and histograms are summed ---- */

/* Starts stage a->stage of a frame: opencl_calls.h, cuda.h. */
CONVK_LOCAL_ int convk_distances_start_(CONVK_DEVICE_(call) *call, convk_distances_arguments_ *a,
                                        const convk_atoms_resident *atoms, const convk_distances_resident *to,
                                        CONVK_ARRAY_(void) work);

CONVK_LOCAL_ size_t convk_distances_device_need_(const convk_distances_job_ *job) {
  const size_t n = job->n, lists = n / CONVK_DISTANCES_CELL_ + job->kinds;
  return 3 * n * sizeof(double) + (5 * n + 2 * lists + 3) * sizeof(uint32_t) + 256;
}

/* Cuts a job into cells along periodic axes; how far atoms extend along others nobody looks.  A unit has so many slices that
   there is work for all groups, and at most 2^30 pairs. */
CONVK_LOCAL_ int convk_distances_arguments_of_(char *message, convk_distances_job_ *job, convk_distances_arguments_ *a) {
  static const double none[3] = {0, 0, 0};
  const double rows = CONVK_DISTANCES_ROWS_, enough = 16384, n = (double)job->n; /* enough units of 65,000 pairs: an estimate */
  double columns = n, ranges = 1, slices, all;
  int k;
  convk_distances_cut_(job, none, none);
  memset(a, 0, sizeof *a);
  memcpy(a->axis, job->frame.axis, sizeof a->axis);
  memcpy(a->inverse, job->frame.inverse, sizeof a->inverse);
  for (k = 0; k < 3; k++) {
    const double about = 2 * (double)job->about[k] + 1, images = about / (double)job->count[k] + 1;
    a->periodic[k] = job->frame.periodic[k];
    a->cells[k] = (uint32_t)job->count[k];
    a->about[k] = (uint32_t)job->about[k];
    columns *= a->periodic[k] ? images : 1;
    ranges *= k ? about : images;
  }
  a->scale = job->scale;
  a->limit = 4503599627370496. + 1048576 * (double)job->to->bins;
  a->has_beyond = !job->frame.any;
  a->part_index = job->part.index;
  a->part_count = job->part.count;
  a->n = (uint32_t)job->n;
  a->kinds = (uint32_t)job->kinds;
  a->bins = (uint32_t)job->to->bins;
  a->moments = (uint32_t)job->to->moments;
  a->words = 2 + (a->moments > 1 ? 4 : 1 + a->moments) * (size_t)a->bins;
  a->lists = (uint32_t)(job->kinds * job->cells);
  all = (double)job->kinds * (n / rows + a->lists);
  slices = convk_least_of_(enough / all, n / rows);
  if (slices < rows * (columns + rows * ranges) / 1073741824) slices = rows * (columns + rows * ranges) / 1073741824;
  if (all * (slices + 1) > 2147483647.)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "atoms->n times kinds or images of cell are too many");
  a->slices = (uint32_t)slices + 1;
  a->units = (uint32_t)(all * a->slices / (double)job->part.count) + 1;
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_distances_unweighted_(char *message) {
  return convk_refuse_(message, CONVK_ERR_UNSUPPORTED, "devices have no pair_histogram with weights");
}

/* Queues so many frames that are on the device. */
CONVK_LOCAL_ int convk_distances_frames_start_(CONVK_DEVICE_(call) *call, convk_distances_arguments_ *a,
                                               const convk_atoms_resident *atoms, const convk_distances_resident *to,
                                               CONVK_ARRAY_(void) work) {
  const size_t stride = atoms->stride ? atoms->stride : a->n, end = (atoms->frames ? atoms->frames : 1) * stride;
  int status = CONVK_OK;
  a->has_kind = (uint32_t)CONVK_DEVICE_(is_set)(atoms->kind);
  a->has_beyond &= (uint32_t)CONVK_DEVICE_(is_set)(to->beyond);
  for (a->frame = 0; a->frame < end && a->n && !status; a->frame += stride)
    for (a->stage = 0; a->stage <= CONVK_DISTANCES_COUNT_ && !status; a->stage++)
      status = convk_distances_start_(call, a, atoms, to, work);
  return status;
}

/* ---- device memory ---- */

/* The same on the host, without arrays, and what a query knows of it. */
CONVK_LOCAL_ int convk_distances_resident_plan_(char *message, const convk_atoms_resident *atoms,
                                                const convk_distances_resident *distances, convk_atoms *of, convk_distances *to,
                                                convk_distances_job_ *job) {
  size_t need = 0;
  memset(of, 0, sizeof *of);
  memset(to, 0, sizeof *to);
  if (!atoms) return convk_need_(message, "atoms", atoms);
  if (!distances) return convk_need_(message, "distances", distances);
  of->n = atoms->n;
  of->frames = atoms->frames ? atoms->frames : 1;
  of->stride = atoms->stride ? atoms->stride : atoms->n;
  to->bins = distances->bins;
  to->kinds = distances->kinds;
  to->width = distances->width;
  to->moments = distances->moments;
  return convk_distances_plan_(message, NULL, of, to, job, &need);
}

CONVK_API_ int convk_pair_histogram_work_size_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms,
                                                       const convk_distances_resident *distances, size_t *bytes) {
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_query)(on, bytes);
  convk_distances_job_ job;
  convk_distances to;
  convk_atoms of;
  if (!f.status) f.status = convk_distances_resident_plan_(f.message, atoms, distances, &of, &to, &job);
  if (!f.status) (void)CONVK_DEVICE_(frame_work)(&f, convk_distances_device_need_(&job));
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_pair_histogram_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms, const convk_cell *cell,
                                             const convk_part *part, const convk_distances_resident *distances,
                                             CONVK_ARRAY_(void) work, size_t work_size) {
  const int written = CONVK_PLACE_WRITTEN_, maybe = CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_;
  const size_t s = sizeof(CONVK_T), d = sizeof(uint64_t);
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, s, 1, work, work_size);
  convk_distances_arguments_ a;
  convk_distances_job_ job;
  convk_distances to;
  convk_atoms of;
  size_t span, n;
  int flags;
  if (!f.status) f.status = convk_distances_resident_plan_(f.message, atoms, distances, &of, &to, &job);
  if (!f.status && CONVK_DEVICE_(is_set)(atoms->weight)) f.status = convk_distances_unweighted_(f.message);
  if (!f.status) f.status = convk_distances_check_(f.message, NULL, &of, cell, part, &to, NULL, 0, 1, &job, &n);
  if (!f.status) f.status = convk_distances_arguments_of_(f.message, &job, &a);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  span = of.n ? (of.frames - 1) * of.stride + of.n : 0;
  n = job.pairs * to.bins;
  flags = of.n ? 0 : CONVK_PLACE_OPTIONAL_;
  CONVK_DEVICE_(frame_place)(&f, "atoms->x", atoms->x, span, s, flags);
  CONVK_DEVICE_(frame_place)(&f, "atoms->y", atoms->y, span, s, flags);
  CONVK_DEVICE_(frame_place)(&f, "atoms->z", atoms->z, span, s, flags);
  CONVK_DEVICE_(frame_place)(&f, "atoms->kind", atoms->kind, of.n, sizeof(uint32_t), CONVK_PLACE_OPTIONAL_);
  CONVK_DEVICE_(frame_place)(&f, "distances->count", distances->count, n, d, written);
  if (to.moments) CONVK_DEVICE_(frame_place)(&f, "distances->moment[0]", distances->moment[0], n, d, written);
  if (to.moments > 1) CONVK_DEVICE_(frame_place)(&f, "distances->moment[1]", distances->moment[1], 2 * n, d, written);
  CONVK_DEVICE_(frame_place)(&f, "distances->beyond", distances->beyond, job.pairs, d, maybe);
  if (CONVK_DEVICE_(frame_work)(&f, convk_distances_device_need_(&job)))
    f.status = convk_distances_frames_start_(&f.call, &a, atoms, distances, f.work);
  return CONVK_DEVICE_(frame_end)(&f);
}

/* ---- host arrays ---- */

/* A checked call: its histograms go to the device and come back, frames go one after another. */
CONVK_LOCAL_ int convk_distances_arrays_run_(CONVK_DEVICE_(host) *host, const convk_distances_job_ *job,
                                             const convk_atoms *atoms, convk_distances_arguments_ *a) {
  const convk_distances *const to = job->to;
  const size_t bytes = job->n * sizeof(CONVK_T), d = sizeof(uint64_t), n = job->pairs * to->bins * d;
  const CONVK_T *const from[3] = {atoms->x, atoms->y, atoms->z};
  uint64_t *const list[4] = {to->count, to->moment[0], to->moment[1], to->beyond};
  const size_t size[4] = {n, to->moments ? n : 0, to->moments > 1 ? 2 * n : 0, job->beyond ? job->pairs * d : 0};
  CONVK_DEVICE_(memory) in = NULL, kind = NULL, out = NULL, work = NULL;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  convk_distances_resident there;
  convk_atoms_resident here;
  size_t at[5] = {0, 0, 0, 0, 0}, f, k;
  int status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  for (k = 0; k < 4; k++) at[k + 1] = at[k] + size[k];
  status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, 3 * bytes, &in);
  if (!status && atoms->kind)
    status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_0_, atoms->kind, job->n * sizeof *atoms->kind, &kind);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, at[4], &out);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, convk_distances_device_need_(job), &work);
  for (k = 0; k < 4 && !status; k++)
    if (size[k]) status = CONVK_DEVICE_(send)(host, out, at[k], size[k], list[k]);
  memset(&here, 0, sizeof here);
  memset(&there, 0, sizeof there);
  here.x = CONVK_DEVICE_(array_of)(in);
  here.y = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), bytes, sizeof(CONVK_T));
  here.z = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), 2 * bytes, sizeof(CONVK_T));
  here.kind = CONVK_DEVICE_(array_of)(kind);
  there.count = CONVK_DEVICE_(array_of)(out);
  there.moment[0] = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(out), at[1], d);
  there.moment[1] = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(out), at[2], d);
  if (job->beyond) there.beyond = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(out), at[3], d);
  for (f = 0; f < (atoms->frames ? atoms->frames : 1) && !status; f++) {
    for (k = 0; k < 3 && !status; k++)
      status = CONVK_DEVICE_(send)(host, in, k * bytes, bytes, from[k] + f * (atoms->stride ? atoms->stride : job->n));
    if (!status) status = convk_distances_frames_start_(&call, a, &here, &there, CONVK_DEVICE_(array_of)(work));
  }
  status = CONVK_DEVICE_(call_end)(&call, status);
  for (k = 0; k < 4 && !status; k++)
    if (size[k]) status = CONVK_DEVICE_(fetch)(host, out, at[k], size[k], list[k]);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_LOCAL_ int convk_distances_histogram_(convk *hw, const convk_atoms *atoms, const convk_cell *cell, const convk_part *part,
                                            const convk_distances *distances, void *work, size_t work_size) {
  CONVK_DEVICE_(host) *host = NULL;
  convk_distances_arguments_ a;
  convk_distances_job_ job;
  size_t need = 0;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status)
    status = convk_distances_check_(hw->message, NULL, atoms, cell, part, distances, work, work_size, 0, &job, &need);
  if (!status && job.weighted) status = convk_distances_unweighted_(hw->message);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 1);
  if (status || !atoms->n) return status;
  job.beyond = distances->beyond && !job.frame.any;
  status = convk_distances_arguments_of_(hw->message, &job, &a);
  return status ? status : convk_distances_arrays_run_(host, &job, atoms, &a);
}

/* ---- Debye's sum ---- */

/* Starts stage a->stage: opencl_calls.h, cuda.h. */
CONVK_LOCAL_ int convk_debye_start_(CONVK_DEVICE_(call) *call, convk_debye_arguments_ *a, const convk_distances_resident *from,
                                    const convk_intensities_resident *to, CONVK_ARRAY_(void) work);

CONVK_LOCAL_ int convk_debye_need_of_(char *message, size_t bins, size_t nq, size_t *need) {
  size_t end = 256, at;
  int status = convk_reserve_(&end, CONVK_DEBYE_NUMBERS_, bins, 1, sizeof(double), &at);
  if (!status) status = convk_reserve_(&end, 3, convk_ceil_(bins, CONVK_DISTANCES_LIST_), nq, sizeof(double), &at);
  if (!status) status = convk_reserve_(&end, CONVK_DEBYE_HEAD_, 2, nq, sizeof(double), &at);
  *need = end;
  return status ? convk_refuse_(message, status, "bins and q need more work than can be counted in bytes") : status;
}

/* Queues all of it.  sums: histograms are of real weights. */
CONVK_LOCAL_ int convk_debye_stages_(CONVK_DEVICE_(call) *call, const convk_distances_resident *from, int sums,
                                     const convk_scatterer *kinds, const double *self, const convk_intensities_resident *to,
                                     CONVK_ARRAY_(void) work) {
  const size_t n = from->kinds ? from->kinds : 1;
  convk_debye_arguments_ a;
  size_t one, other;
  int status = CONVK_OK;
  memset(&a, 0, sizeof a);
  a.width = from->width;
  a.nq = to->nq;
  a.bins = from->bins;
  a.moments = from->moments;
  a.sums = (uint32_t)sums;
  a.scattered = kinds != NULL;
  a.has_bound = (uint32_t)CONVK_DEVICE_(is_set)(to->bound);
  a.fresh = 1;
  for (one = 0; one < n && self && a.nq && !status; one++, a.fresh = 0) {
    if (kinds) a.of[0] = kinds[one];
    a.self = ((const convk_any_f64_ *)self)[one];
    a.stage = CONVK_DEBYE_SELF_;
    status = convk_debye_start_(call, &a, from, to, work);
  }
  for (one = 0; one < n && a.nq; one++)
    for (other = one; other < n && !status; other++, a.fresh = 0) {
      if (kinds) a.of[0] = kinds[one];
      if (kinds) a.of[1] = kinds[other];
      a.pair = convk_kinds_pair_(n, one, other);
      a.last = one + 1 == n;
      for (a.stage = CONVK_DEBYE_LIST_; a.stage > CONVK_DEBYE_SELF_ && !status; a.stage--)
        status = convk_debye_start_(call, &a, from, to, work);
    }
  return status;
}

/* Calls and queries. */
CONVK_LOCAL_ int convk_debye_on_(CONVK_DEVICE_(frame) *f, const convk_distances_resident *distances,
                                 const convk_scatterer *kinds, const double *self, const convk_intensities_resident *to) {
  const size_t d = sizeof(uint64_t), s = sizeof(CONVK_T);
  const int any = to && to->nq ? 0 : CONVK_PLACE_OPTIONAL_;
  convk_place_ place[4];
  convk_distances host;
  size_t need = 0, n = 0, places;
  memset(&host, 0, sizeof host);
  if (!f->status) f->status = convk_need_(f->message, "distances", distances);
  if (!f->status) f->status = convk_need_(f->message, "to", to);
  if (f->status) return CONVK_DEVICE_(frame_end)(f);
  host.bins = distances->bins;
  host.kinds = distances->kinds;
  host.width = distances->width;
  host.moments = distances->moments;
  f->status = convk_distances_width_(f->message, &host);
  if (!f->status) f->status = convk_distances_places_(f->message, &host, 0, 0, place, &places);
  if (!f->status) f->status = convk_debye_kinds_(f->message, kinds, self, host.kinds ? host.kinds : 1);
  if (!f->status) f->status = convk_debye_need_of_(f->message, host.bins, to->nq, &need);
  if (!f->status) n = convk_distances_pairs(host.kinds) * host.bins;
  CONVK_DEVICE_(frame_place)(f, "distances->count", distances->count, n, d, 0);
  if (host.moments) CONVK_DEVICE_(frame_place)(f, "distances->moment[0]", distances->moment[0], n, d, 0);
  if (host.moments > 1) CONVK_DEVICE_(frame_place)(f, "distances->moment[1]", distances->moment[1], 2 * n, d, 0);
  CONVK_DEVICE_(frame_place)(f, "to->q", to->q, to->nq, s, any);
  CONVK_DEVICE_(frame_place)(f, "to->intensity", to->intensity, to->nq, s, CONVK_PLACE_WRITTEN_ | any);
  CONVK_DEVICE_(frame_place)(f, "to->bound", to->bound, to->nq, s, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
  if (CONVK_DEVICE_(frame_work)(f, need)) f->status = convk_debye_stages_(&f->call, distances, 0, kinds, self, to, f->work);
  return CONVK_DEVICE_(frame_end)(f);
}

CONVK_API_ int convk_debye_work_size_resident(CONVK_ON_ *on, const convk_distances_resident *distances,
                                              const convk_intensities_resident *to, size_t *bytes) {
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_query)(on, bytes);
  return convk_debye_on_(&f, distances, NULL, NULL, to);
}

CONVK_API_ int convk_debye_resident(CONVK_ON_ *on, const convk_distances_resident *distances, const convk_scatterer *kinds,
                                    const double *self, const convk_intensities_resident *to, CONVK_ARRAY_(void) work,
                                    size_t work_size) {
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size);
  return convk_debye_on_(&f, distances, kinds, self, to);
}

/* A checked call on host arrays: histograms and q go to the device, intensities come back. */
CONVK_LOCAL_ int convk_debye_arrays_run_(convk *hw, const convk_distances *distances, const convk_scatterer *kinds,
                                         const double *self, size_t nq, const CONVK_T *q, CONVK_T *intensity, CONVK_T *bound) {
  const size_t n = convk_distances_pairs(distances->kinds) * distances->bins * sizeof(uint64_t), s = nq * sizeof(CONVK_T);
  const size_t moments = (size_t)distances->moments, sums = distances->sum != NULL;
  const void *const list[4] = {sums ? (const void *)distances->sum : distances->count, distances->moment[0],
                               distances->moment[1], q};
  const size_t size[4] = {sums ? (moments + 1) * n : n, sums || !moments ? 0 : n, sums || moments < 2 ? 0 : 2 * n, s};
  CONVK_DEVICE_(host) *host = NULL;
  CONVK_DEVICE_(memory) in = NULL, out = NULL, work = NULL;
  CONVK_DEVICE_(call) call;
  convk_distances_resident from;
  convk_intensities_resident to;
  size_t at[5] = {0, 0, 0, 0, 0}, need = 0, k;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 1);
  if (!status) status = convk_debye_need_of_(hw->message, distances->bins, nq, &need);
  if (status) return status;
  call = CONVK_DEVICE_(call_on)(host);
  status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  for (k = 0; k < 4; k++) at[k + 1] = at[k] + size[k];
  status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, at[4], &in);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, 2 * s, &out);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, need, &work);
  for (k = 0; k < 4 && !status; k++)
    if (size[k]) status = CONVK_DEVICE_(send)(host, in, at[k], size[k], list[k]);
  memset(&from, 0, sizeof from);
  memset(&to, 0, sizeof to);
  from.bins = distances->bins;
  from.kinds = distances->kinds;
  from.width = distances->width;
  from.moments = distances->moments;
  from.count = CONVK_DEVICE_(array_of)(in);
  from.moment[0] = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[1], sizeof(uint64_t));
  from.moment[1] = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[2], sizeof(uint64_t));
  to.nq = nq;
  to.q = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), at[3], sizeof(CONVK_T));
  to.intensity = CONVK_DEVICE_(array_of)(out);
  if (bound) to.bound = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(out), s, sizeof(CONVK_T));
  if (!status) status = convk_debye_stages_(&call, &from, (int)sums, kinds, self, &to, CONVK_DEVICE_(array_of)(work));
  status = CONVK_DEVICE_(call_end)(&call, status);
  if (!status && s) status = CONVK_DEVICE_(fetch)(host, out, 0, s, intensity);
  if (!status && s && bound) status = CONVK_DEVICE_(fetch)(host, out, s, s, bound);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_LOCAL_ const convk_distances_kernels_ *convk_distances_kernel_table_(void) {
  static const convk_distances_kernels_ kernels = {{NULL, NULL, NULL}, convk_distances_histogram_, convk_debye_arrays_run_};
  return &kernels;
}

/* For a handle of the device: as in convk.h, but that pair_histogram with weights and debye_direct give UNSUPPORTED.  The
   others copy, run, wait, and ignore `work`.  Errors as there, and HANDLE for other handles, MEMORY, DEVICE, and with OpenCL
   FP64 and BUILD. */
CONVK_DISTANCES_OPERATIONS_(CONVK_OP_VARIANT_)
