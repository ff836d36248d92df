/* ---- distances on a device: atoms are sorted into cells and counted there; sums over histograms go to the portable kernels of
   the processor that calls ---- */

/* Arrays of a call. */
typedef struct convk_distances_arrays_ {
  CONVK_ARRAY_(const CONVK_T) x;
  CONVK_ARRAY_(const CONVK_T) y;
  CONVK_ARRAY_(const CONVK_T) z;
  CONVK_ARRAY_(const uint32_t) kind;
  CONVK_ARRAY_(uint64_t) count;
  CONVK_ARRAY_(uint64_t) first;
  CONVK_ARRAY_(uint64_t) second;
  CONVK_ARRAY_(uint64_t) beyond;
  CONVK_ARRAY_(void) work;
} convk_distances_arrays_;

/* What a device does: opencl_calls.h, cuda.h.  units: of work, about. */
CONVK_LOCAL_ int convk_distances_sort_start_(CONVK_DEVICE_(call) *call, convk_distances_arguments_ *a,
                                             const convk_distances_arrays_ *arrays);
CONVK_LOCAL_ int convk_distances_count_start_(CONVK_DEVICE_(call) *call, convk_distances_arguments_ *a,
                                              const convk_distances_arrays_ *arrays, int moments, size_t units);

/* Words of 32 bits of a group: two of its own, and those of bins. */
CONVK_LOCAL_ size_t convk_distances_shared_(const convk_distances_arguments_ *a, int moments) {
  return 2 + (moments > 1 ? 4 : 1 + (size_t)moments) * a->bins;
}

CONVK_LOCAL_ size_t convk_distances_device_need_(size_t n, size_t kinds) {
  const size_t lists = n / CONVK_DISTANCES_CELL_ + kinds;
  return 3 * n * sizeof(double) + (6 * n + 2 * lists + 3) * sizeof(uint32_t) + 256;
}

/* Cuts a job, whose atoms have fractional coordinates least .. most along axes that are not periodic.  *units: how much work there
   is.  A unit has so many slices that there is work for all groups, and at most 2^30 pairs. */
CONVK_LOCAL_ int convk_distances_arguments_of_(char *message, convk_distances_job_ *job, const double *least,
                                               const double *most, convk_distances_arguments_ *a, size_t *units) {
  const size_t rows = CONVK_DISTANCES_ROWS_, enough = 16384; /* units of some 65,000 pairs: an estimate */
  double columns = (double)job->n, ranges = 1, slices, all;
  int k;
  convk_distances_cut_(job, least, most);
  memset(a, 0, sizeof *a);
  memcpy(a->axis, job->frame.axis, sizeof a->axis);
  memcpy(a->inverse, job->frame.inverse, sizeof a->inverse);
  for (k = 0; k < 3; k++) {
    const double about = 2 * (double)job->about[k] + 1, images = about / (double)job->count[k] + 1;
    a->periodic[k] = job->frame.periodic[k];
    a->least[k] = a->periodic[k] ? 0 : least[k];
    a->extent[k] = a->periodic[k] ? 1 : most[k] - least[k];
    a->cells[k] = (uint32_t)job->count[k];
    a->about[k] = (uint32_t)job->about[k];
    if (a->periodic[k]) columns *= images;
    ranges *= k ? about : images;
  }
  a->scale = job->scale;
  a->limit = 4503599627370496. + 1048576 * (double)job->to->bins;
  a->part_index = job->part.index;
  a->part_count = job->part.count;
  a->first_part = !job->part.index;
  a->steady = job->part.count > 1;
  a->n = (uint32_t)job->n;
  a->kinds = (uint32_t)job->kinds;
  a->bins = (uint32_t)job->to->bins;
  a->lists = (uint32_t)(job->kinds * job->cells);
  all = (double)job->kinds * (double)(job->n / rows + a->lists);
  slices = convk_least_of_((double)enough / all, (double)(job->n / rows) + 1);
  if (slices < (double)rows * (columns + (double)rows * ranges) / 1073741824)
    slices = (double)rows * (columns + (double)rows * ranges) / 1073741824;
  if (all * (slices + 1) > 2147483647.)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "atoms->n times kinds or images of cell are too many");
  a->slices = (uint32_t)slices + 1;
  *units = (size_t)all * a->slices / job->part.count + 1;
  return CONVK_OK;
}

/* Queues the frames that are on the device. */
CONVK_LOCAL_ int convk_distances_frames_start_(CONVK_DEVICE_(call) *call, convk_distances_arguments_ *a,
                                               const convk_distances_arrays_ *arrays, size_t frames, size_t stride, int moments,
                                               size_t units) {
  size_t f;
  int status = CONVK_OK;
  a->has_kind = (uint32_t)CONVK_DEVICE_(is_set)(arrays->kind);
  a->has_beyond = (uint32_t)CONVK_DEVICE_(is_set)(arrays->beyond);
  for (f = 0; f < frames && a->n && !status; f++) {
    a->frame = f * stride;
    for (a->stage = 0; a->stage <= CONVK_DISTANCES_SORT_ && !status; a->stage++)
      status = convk_distances_sort_start_(call, a, arrays);
    if (!status) status = convk_distances_count_start_(call, a, arrays, moments, units);
  }
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
  if (!f.status) (void)CONVK_DEVICE_(frame_work)(&f, convk_distances_device_need_(job.n, job.kinds));
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_pair_histogram_resident(CONVK_ON_ *on, const convk_atoms_resident *atoms, const convk_cell *cell,
                                             const convk_part *part, const convk_distances_resident *distances,
                                             CONVK_ARRAY_(void) work, size_t work_size) {
  static const double none[3] = {0, 0, 0};
  const int written = CONVK_PLACE_WRITTEN_, maybe = CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_;
  const size_t s = sizeof(CONVK_T), d = sizeof(uint64_t);
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, s, 1, work, work_size);
  convk_distances_arguments_ a;
  convk_distances_arrays_ arrays;
  convk_distances_job_ job;
  convk_distances to;
  convk_atoms of;
  convk_place_ place[4];
  size_t span, n, units = 0, places;
  int flags;
  if (!f.status) f.status = convk_distances_resident_plan_(f.message, atoms, distances, &of, &to, &job);
  if (!f.status) f.status = convk_distances_options_(f.message, cell, part, &job);
  if (!f.status)
    f.status = convk_distances_places_(f.message, &to, 0, written, place, &places); /* that there are not too many */
  if (!f.status) f.status = convk_distances_images_(f.message, &job.frame, job.cutoff);
  if (!f.status) f.status = convk_distances_arguments_of_(f.message, &job, none, none, &a, &units);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  span = of.n ? (of.frames - 1) * of.stride + of.n : 0;
  n = job.pairs * to.bins;
  flags = of.n ? 0 : CONVK_PLACE_OPTIONAL_;
  CONVK_DEVICE_(frame_place)(&f, "atoms->x", atoms->x, span, s, flags);
  CONVK_DEVICE_(frame_place)(&f, "atoms->y", atoms->y, span, s, flags);
  CONVK_DEVICE_(frame_place)(&f, "atoms->z", atoms->z, span, s, flags);
  CONVK_DEVICE_(frame_place)(&f, "atoms->kind", atoms->kind, of.n, sizeof(uint32_t), CONVK_PLACE_OPTIONAL_);
  CONVK_DEVICE_(frame_place)(&f, "distances->count", distances->count, n, d, written);
  CONVK_DEVICE_(frame_place)
  (&f, "distances->moment[0]", distances->moment[0], to.moments ? n : 0, d, to.moments ? written : maybe);
  CONVK_DEVICE_(frame_place)
  (&f, "distances->moment[1]", distances->moment[1], to.moments > 1 ? 2 * n : 0, d, to.moments > 1 ? written : maybe);
  CONVK_DEVICE_(frame_place)(&f, "distances->beyond", distances->beyond, job.pairs, d, maybe);
  if (CONVK_DEVICE_(frame_work)(&f, convk_distances_device_need_(job.n, job.kinds))) {
    arrays.x = atoms->x;
    arrays.y = atoms->y;
    arrays.z = atoms->z;
    arrays.kind = atoms->kind;
    arrays.count = distances->count;
    arrays.first = distances->moment[0];
    arrays.second = distances->moment[1];
    arrays.beyond = distances->beyond;
    if (job.frame.any) arrays.beyond = CONVK_DEVICE_(none)();
    arrays.work = f.work;
    f.status = convk_distances_frames_start_(&f.call, &a, &arrays, of.frames, of.stride, to.moments, units);
  }
  return CONVK_DEVICE_(frame_end)(&f);
}

/* ---- host arrays ---- */

/* Fractional coordinates of all frames, along axes that are not periodic. */
CONVK_LOCAL_ void convk_distances_extents_(const convk_atoms *atoms, const convk_distances_frame_ *frame, double *least,
                                           double *most) {
  const size_t frames = atoms->frames ? atoms->frames : 1, stride = atoms->stride ? atoms->stride : atoms->n;
  size_t f, i;
  int k;
  for (f = 0; f < frames; f++)
    for (i = f * stride; i < f * stride + atoms->n; i++) {
      double r[3];
      r[0] = (double)CONVK_ONE_(atoms->x + i);
      r[1] = (double)CONVK_ONE_(atoms->y + i);
      r[2] = (double)CONVK_ONE_(atoms->z + i);
      for (k = 0; k < 3; k++) {
        const double x = frame->periodic[k] ? 0 : convk_distances_dot_(frame->inverse[k], r);
        if (!i || x < least[k]) least[k] = x;
        if (!i || x > most[k]) most[k] = x;
      }
    }
}

/* A checked call: its histograms go to the device and come back, frames go one after another. */
CONVK_LOCAL_ int convk_distances_arrays_run_(CONVK_DEVICE_(host) *host, convk_distances_job_ *job, const convk_atoms *atoms,
                                             convk_distances_arguments_ *a, size_t units) {
  const convk_distances *const to = job->to;
  const size_t s = sizeof(CONVK_T), n = job->pairs * to->bins * sizeof(uint64_t), frames = atoms->frames ? atoms->frames : 1;
  void *list[4];
  size_t at[5], f, k;
  CONVK_DEVICE_(memory) in = NULL, kind = NULL, out = NULL, work = NULL;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  convk_distances_arrays_ arrays;
  int status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  list[0] = to->count;
  list[1] = to->moments ? to->moment[0] : NULL;
  list[2] = to->moments > 1 ? to->moment[1] : NULL;
  list[3] = job->frame.any ? NULL : to->beyond;
  for (at[0] = k = 0; k < 4; k++)
    at[k + 1] = at[k] + (!list[k] ? 0 : k == 3 ? job->pairs * sizeof(uint64_t) : k == 2 ? 2 * n : n);
  status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, 3 * job->n * s, &in);
  if (!status && atoms->kind)
    status = CONVK_DEVICE_(bring_list)(host, CONVK_DEVICE_MORE_0_, atoms->kind, job->n * sizeof *atoms->kind, &kind);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, at[4], &out);
  if (!status)
    status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, convk_distances_device_need_(job->n, job->kinds), &work);
  for (k = 0; k < 4 && !status; k++)
    if (list[k]) status = CONVK_DEVICE_(send)(host, out, at[k], at[k + 1] - at[k], list[k]);
  arrays.x = CONVK_DEVICE_(array_of)(in);
  arrays.y = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), job->n * s, s);
  arrays.z = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(in), 2 * job->n * s, s);
  arrays.kind = CONVK_DEVICE_(array_of)(kind);
  arrays.count = CONVK_DEVICE_(array_of)(out);
  arrays.first = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(out), at[1], sizeof(uint64_t));
  arrays.second = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(out), at[2], sizeof(uint64_t));
  arrays.beyond = CONVK_DEVICE_(none)();
  if (list[3]) arrays.beyond = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(out), at[3], sizeof(uint64_t));
  arrays.work = CONVK_DEVICE_(array_of)(work);
  for (f = 0; f < frames && !status; f++) {
    const size_t from = f * (atoms->stride ? atoms->stride : job->n), bytes = job->n * s;
    status = CONVK_DEVICE_(send)(host, in, 0, bytes, atoms->x + from);
    if (!status) status = CONVK_DEVICE_(send)(host, in, bytes, bytes, atoms->y + from);
    if (!status) status = CONVK_DEVICE_(send)(host, in, 2 * bytes, bytes, atoms->z + from);
    if (!status) status = convk_distances_frames_start_(&call, a, &arrays, 1, 0, to->moments, units);
  }
  status = CONVK_DEVICE_(call_end)(&call, status);
  for (k = 0; k < 4 && !status; k++)
    if (list[k]) status = CONVK_DEVICE_(fetch)(host, out, at[k], at[k + 1] - at[k], list[k]);
  return CONVK_DEVICE_(end)(host, status);
}

CONVK_LOCAL_ int convk_distances_histogram_(convk *hw, const convk_atoms *atoms, const convk_cell *cell, const convk_part *part,
                                            const convk_distances *distances, void *work, size_t work_size) {
  double least[3] = {0, 0, 0}, most[3] = {0, 0, 0};
  CONVK_DEVICE_(host) *host = NULL;
  convk_distances_arguments_ a;
  convk_distances_job_ job;
  size_t need = 0, units = 0;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = convk_distances_check_(hw->message, NULL, atoms, cell, part, distances, work, work_size, &job, &need);
  if (!status && job.weighted)
    status = convk_refuse_(hw->message, CONVK_ERR_UNSUPPORTED, "devices have no pair_histogram with weights");
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 1);
  if (status || !atoms->n) return status;
  convk_distances_extents_(atoms, &job.frame, least, most);
  status = convk_distances_arguments_of_(hw->message, &job, least, most, &a, &units);
  return status ? status : convk_distances_arrays_run_(host, &job, atoms, &a, units);
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
