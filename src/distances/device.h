/* ---- distances on a device: atoms are sorted into cells and counted there; sums over histograms go to the portable kernels of
   the processor that calls ---- */

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

CONVK_LOCAL_ const convk_distances_kernels_ *convk_distances_kernel_table_(void) {
  static const convk_distances_kernels_ kernels = {
      {NULL, NULL, CONVK_EITHER_(convk_distances_waves_any_f32_scalar_, convk_distances_waves_any_f64_scalar_)},
      convk_distances_histogram_};
  return &kernels;
}

/* For a handle of the device: as in convk.h, but that sums of real weights and debye_direct give UNSUPPORTED.  pair_histogram
   copies, runs, waits, and ignores `work`.  Errors as there, and HANDLE for other handles, MEMORY, DEVICE, and with OpenCL FP64
   and BUILD. */
CONVK_DISTANCES_OPERATIONS_(CONVK_OP_VARIANT_)
