/* ---- atoms ---- */

/* Checks that pairs of atoms can be counted, and atoms; all: as in atoms_check. */
CONVK_RARE_ int convk_distances_atoms_(char *message, const convk_atoms *atoms, size_t kinds, int all) {
  if (atoms && (double)atoms->n * (double)atoms->n * (double)(atoms->frames ? atoms->frames : 1) > 1.8e19)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "pairs of all frames of atoms are more than 2^63");
  return convk_atoms_check_(message, atoms, kinds, all);
}

/* Whether all of them are near enough to the cell. */
CONVK_RARE_ int convk_distances_beside_(char *message, const convk_atoms *atoms, const convk_cell_axes_ *frame) {
  const size_t frames = atoms->frames ? atoms->frames : 1, stride = atoms->stride ? atoms->stride : atoms->n;
  size_t f, i;
  for (f = 0; f < frames && frame->any; f++)
    for (i = f * stride; i < f * stride + atoms->n; i++) {
      double r[3];
      r[0] = (double)CONVK_ONE_(atoms->x + i);
      r[1] = (double)CONVK_ONE_(atoms->y + i);
      r[2] = (double)CONVK_ONE_(atoms->z + i);
      if (convk_cell_wrap_(frame->periodic, frame->inverse[0], frame->axis[0], r))
        return convk_refuse_at_(message, CONVK_ERR_RANGE, "atom % lies 2^30 vectors of cell beside it", (int64_t)i, 0, 0);
    }
  return CONVK_OK;
}

/* Copies a frame, in doubles, and sorts it. */
CONVK_RARE_ void convk_distances_bring_(convk_distances_job_ *job, const convk_atoms *atoms, size_t frame) {
  const size_t at = frame * (atoms->stride ? atoms->stride : atoms->n);
  size_t i;
  for (i = 0; i < job->n; i++) {
    job->given[0][i] = (double)CONVK_ONE_(atoms->x + at + i);
    job->given[1][i] = (double)CONVK_ONE_(atoms->y + at + i);
    job->given[2][i] = (double)CONVK_ONE_(atoms->z + at + i);
    if (job->weighted) job->given[3][i] = (double)CONVK_ONE_(atoms->weight + i);
  }
  convk_distances_sort_(job);
}

/* ---- histograms ---- */

/* What a query knows. */
CONVK_RARE_ int convk_distances_plan_(char *message, convk *hw, const convk_atoms *atoms, const convk_distances *to,
                                      convk_distances_job_ *job, size_t *need) {
  int status;
  memset(job, 0, sizeof *job);
  if (!to) return convk_need_(message, "distances", to);
  job->kinds = to->kinds ? to->kinds : 1;
  status = convk_distances_atoms_(message, atoms, job->kinds, 0);
  if (!status) status = convk_distances_width_(message, to);
  if (status) return status;
  if (job->kinds > 65535) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "distances->kinds is above 65535");
  job->to = to;
  job->n = atoms->n;
  job->pairs = convk_distances_pairs(to->kinds);
  job->weighted = atoms->weight != NULL;
  job->tasks = job->weighted ? CONVK_DISTANCES_SLOTS_ : convk_threads_(hw);
  job->cutoff = to->width * (double)to->bins;
  job->scale = 1048576 / to->width;
  return convk_distances_size_(message, job, NULL, need);
}

/* All that can be wrong; there: but for arrays, which are on a device. */
CONVK_RARE_ int convk_distances_check_(char *message, convk *hw, const convk_atoms *atoms, const convk_cell *cell,
                                       const convk_part *part, const convk_distances *to, void *work, size_t work_size,
                                       int there, convk_distances_job_ *job, size_t *need) {
  convk_place_ place[14];
  size_t places = 0;
  int status = convk_distances_plan_(message, hw, atoms, to, job, need);
  if (!status && (to->sum != NULL) != job->weighted)
    status = convk_refuse_names_(message, CONVK_ERR_OPTION, "$ is given without $",
                                 to->sum ? "distances->sum" : "atoms->weight", to->sum ? "atoms->weight" : "distances->sum");
  job->part.count = part && part->count ? part->count : 1;
  job->part.index = part ? part->index : 0;
  if (!status && job->part.index >= job->part.count)
    status = convk_refuse_at_(message, CONVK_ERR_OPTION, "part->index is %, and there are % parts", (int64_t)job->part.index,
                              (int64_t)job->part.count, 0);
  if (!status) status = convk_cell_axes_of_(message, cell, &job->frame);
  if (!status) status = convk_distances_places_(message, to, job->weighted, CONVK_PLACE_WRITTEN_, place, &places);
  if (!status) status = convk_distances_images_(message, &job->frame, job->cutoff);
  if (there) return status;
  if (!status) status = convk_distances_atoms_(message, atoms, job->kinds, 1);
  if (!status) status = convk_distances_beside_(message, atoms, &job->frame);
  if (status) return status;
  place[places++] = convk_place_of_("distances->beyond", to->beyond, job->weighted ? 0 : job->pairs * sizeof *to->beyond,
                                    CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
  place[places++] = convk_place_of_("work", work, work_size, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
  place[places++] = convk_place_of_("atoms", atoms, sizeof *atoms, 0);
  place[places++] = convk_place_of_("distances", to, sizeof *to, 0);
  places += convk_atoms_places_(atoms, place + places);
  return convk_places_check_(message, place, places);
}

/* A frame: rounds until all tasks are done. */
CONVK_RARE_ int convk_distances_frame_run_(convk *hw, convk_distances_job_ *job) {
  size_t t, more = 1;
  int status = CONVK_OK;
  for (t = 0; t < job->tasks; t++) job->cursor[t].row = job->cursor[t].partner = 0;
  while (more && !status) {
    status = convk_run_tasks_(hw, job->tasks, convk_distances_task_run_, job);
    for (t = more = 0; t < job->tasks; t++) more += job->cursor[t].row < job->boxes;
    if (more && !status) status = convk_run_tasks_(hw, job->tasks, convk_distances_add_task_, job);
    for (t = 0; t < job->tasks && more; t++) job->cursor[t].pairs = 0;
  }
  return status;
}

CONVK_RARE_ int convk_distances_run_(convk *hw, convk_distances_job_ *job, const convk_atoms *atoms) {
  const size_t frames = atoms->frames ? atoms->frames : 1;
  size_t f;
  int status = CONVK_OK;
  convk_distances_beyond_(job, 0);
  for (job->first_pair = 0; job->first_pair < job->pairs && !status; job->first_pair += job->flight) {
    memset(job->cursor, 0, job->tasks * sizeof *job->cursor);
    memset(job->word, 0, job->tasks * job->flight * job->words * sizeof(uint64_t));
    for (f = 0; f < frames && !status; f++) {
      convk_distances_bring_(job, atoms, f);
      status = convk_distances_frame_run_(hw, job);
      convk_distances_beyond_frame_(job);
    }
    if (!status) status = convk_run_tasks_(hw, job->tasks, convk_distances_add_task_, job);
  }
  convk_distances_beyond_(job, 1);
  return status;
}

CONVK_RARE_ int convk_pair_histogram_cpu_(const convk_distances_kernels_ *kernels, convk *hw, const convk_atoms *atoms,
                                          const convk_cell *cell, const convk_part *part, const convk_distances *distances,
                                          void *work, size_t work_size) {
  char *const message = hw ? hw->message : NULL;
  convk_distances_job_ job;
  convk_work_ w;
  size_t need = 0;
  int status;
  if (kernels->histogram) return kernels->histogram(hw, atoms, cell, part, distances, work, work_size);
  status = convk_distances_check_(message, hw, atoms, cell, part, distances, work, work_size, 0, &job, &need);
  if (!status) status = convk_work_begin_(message, &w, work, work_size, need);
  if (status) return status;
  job.calls = &kernels->calls;
  job.kind = atoms->kind;
  job.beyond = distances->beyond && !job.weighted && !job.frame.any;
  (void)convk_distances_size_(NULL, &job, w.base, &need);
  status = atoms->n ? convk_distances_run_(hw, &job, atoms) : CONVK_OK;
  convk_work_end_(&w);
  return status;
}

/* ---- Debye's sum ---- */

typedef struct convk_debye_job_ {
  const convk_distances_calls_ *calls;
  const convk_distances *from; /* NULL: of the atoms of `atoms` */
  const convk_distances_job_ *atoms;
  const convk_scatterer *kinds;
  const double *self;
  size_t nq;
  const CONVK_T *q;
  CONVK_T *intensity, *bound;
  double *total; /* from the atoms: of all frames */
} convk_debye_job_;

CONVK_RARE_ void convk_debye_task_(void *arg, size_t index) {
  const convk_debye_job_ *const job = (const convk_debye_job_ *)arg;
  const size_t begin = index * CONVK_DISTANCES_Q_, n = convk_least_(job->nq - begin, CONVK_DISTANCES_Q_);
  double q[CONVK_DISTANCES_Q_] = {0}, intensity[CONVK_DISTANCES_Q_], bound[CONVK_DISTANCES_Q_];
  size_t i;
  for (i = 0; i < n; i++) q[i] = convk_debye_q_((double)CONVK_ONE_(job->q + begin + i));
  convk_debye_block_(job->calls, job->from, job->kinds, job->self, n, q, intensity, bound);
  for (i = 0; i < n; i++) {
    ((convk_any_ *)job->intensity)[begin + i] = (CONVK_T)intensity[i];
    if (job->bound) ((convk_any_ *)job->bound)[begin + i] = (CONVK_T)bound[i];
  }
}

/* Checks q: each times `most`, the longest distance, is a phase with digits. */
CONVK_RARE_ int convk_debye_phases_(char *message, size_t nq, const CONVK_T *q, double most) {
  size_t i;
  for (i = 0; i < nq; i++) {
    const double size = convk_debye_q_((double)CONVK_ONE_(q + i));
    if (!convk_finite_f64_((double)CONVK_ONE_(q + i)))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "q[%] is not finite", (int64_t)i, 0, 0);
    if (size > 1e100 || size * most > 1125899906842624.)
      return convk_refuse_at_(message, CONVK_ERR_RANGE, "q[%] is too large: phases have no digits left", (int64_t)i, 0, 0);
  }
  return CONVK_OK;
}

/* Checks arrays of q and intensities, beside `places` others. */
CONVK_RARE_ int convk_debye_arrays_(char *message, size_t nq, const CONVK_T *q, const CONVK_T *intensity, const CONVK_T *bound,
                                    convk_place_ *place, size_t places) {
  size_t bytes;
  if (convk_bytes_(nq, sizeof(double), &bytes)) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "nq is too large");
  bytes = nq * sizeof(CONVK_T);
  place[places++] = convk_place_of_("q", q, bytes, nq ? 0 : CONVK_PLACE_OPTIONAL_);
  place[places++] = convk_place_of_("intensity", intensity, bytes, CONVK_PLACE_WRITTEN_ | (nq ? 0 : CONVK_PLACE_OPTIONAL_));
  place[places++] = convk_place_of_("bound", bound, bytes, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
  return convk_places_check_(message, place, places);
}

/* Checks what is known of kinds, n of them. */
CONVK_RARE_ int convk_debye_kinds_(char *message, const convk_scatterer *kinds, const double *self, size_t n) {
  int status = convk_scatterers_check_(message, kinds, n);
  size_t i;
  for (i = 0; i < n && self && !status; i++)
    if (!convk_finite_f64_(((const convk_any_f64_ *)self)[i]))
      status = convk_refuse_at_(message, CONVK_ERR_NONFINITE, "self[%] is not finite", (int64_t)i, 0, 0);
  return status;
}

CONVK_RARE_ int convk_debye_cpu_(const convk_distances_kernels_ *kernels, convk *hw, const convk_distances *distances,
                                 const convk_scatterer *kinds, const double *self, size_t nq, const CONVK_T *q,
                                 CONVK_T *intensity, CONVK_T *bound) {
  char *const message = hw ? hw->message : NULL;
  const size_t n = distances && distances->kinds ? distances->kinds : 1;
  convk_debye_job_ job;
  convk_place_ place[9];
  size_t places = 0;
  int status = convk_need_(message, "distances", distances);
  memset(&job, 0, sizeof job);
  if (!status) status = convk_distances_width_(message, distances);
  if (!status) status = convk_distances_places_(message, distances, distances->sum != NULL, 0, place, &places);
  if (!status && distances->sum && bound)
    status = convk_refuse_(message, CONVK_ERR_OPTION, "bound is given, and sums of weights have none");
  if (!status) status = convk_debye_kinds_(message, kinds, self, n);
  if (status) return status;
  place[places++] = convk_place_of_("kinds", kinds, n * sizeof *kinds, CONVK_PLACE_OPTIONAL_);
  place[places++] = convk_place_of_("self", self, n * sizeof *self, CONVK_PLACE_OPTIONAL_);
  status = convk_debye_arrays_(message, nq, q, intensity, bound, place, places);
  if (!status) status = convk_debye_phases_(message, nq, q, distances->width * (double)distances->bins);
  if (status) return status;
  if (kernels->debye) return kernels->debye(hw, distances, kinds, self, nq, q, intensity, bound);
  job.calls = &kernels->calls;
  job.from = distances;
  job.kinds = kinds;
  job.self = self;
  job.nq = nq;
  job.q = q;
  job.intensity = intensity;
  job.bound = bound;
  return convk_run_tasks_(hw, convk_ceil_(nq, CONVK_DISTANCES_Q_), convk_debye_task_, &job);
}

/* ---- the same from the atoms ---- */

CONVK_RARE_ void convk_debye_direct_task_(void *arg, size_t index) {
  const convk_debye_job_ *const job = (const convk_debye_job_ *)arg;
  const size_t begin = index * CONVK_DISTANCES_Q_;
  double q[CONVK_DISTANCES_Q_];
  convk_debye_direct_ d;
  size_t i;
  d.job = job->atoms;
  d.kinds = job->kinds;
  d.nq = convk_least_(job->nq - begin, CONVK_DISTANCES_Q_);
  d.q = q;
  d.intensity = job->total + begin;
  for (i = 0; i < d.nq; i++) q[i] = convk_debye_q_((double)CONVK_ONE_(job->q + begin + i));
  convk_debye_direct_block_(&d);
}

/* No distance is longer. */
CONVK_RARE_ double convk_distances_span_(const convk_atoms *atoms) {
  const size_t frames = atoms->frames ? atoms->frames : 1, stride = atoms->stride ? atoms->stride : atoms->n;
  const CONVK_T *const array[3] = {atoms->x, atoms->y, atoms->z};
  double span = 0;
  size_t d, f, i;
  for (d = 0; d < 3 && atoms->n; d++) {
    double least = (double)CONVK_ONE_(array[d]), most = least;
    for (f = 0; f < frames; f++)
      for (i = f * stride; i < f * stride + atoms->n; i++) {
        const double x = (double)CONVK_ONE_(array[d] + i);
        if (x < least) least = x;
        if (x > most) most = x;
      }
    span += most - least;
  }
  return span;
}

CONVK_RARE_ int convk_debye_direct_plan_(char *message, const convk_atoms *atoms, size_t nkinds, size_t nq,
                                         convk_distances_job_ *job, size_t *need) {
  const int status = convk_distances_atoms_(message, atoms, nkinds ? nkinds : 1, 0);
  memset(job, 0, sizeof *job);
  if (status) return status;
  if (nkinds > 65535) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "nkinds is above 65535");
  job->n = atoms->n;
  job->kinds = nkinds ? nkinds : 1;
  job->weighted = atoms->weight != NULL;
  job->part.count = job->tasks = 1;
  job->cutoff = 1e150; /* one cell has all */
  (void)convk_cell_axes_of_(NULL, NULL, &job->frame);
  (void)convk_distances_size_(NULL, job, NULL, need);
  if (nq < (size_t)-1 / 64 - *need) {
    *need += nq * sizeof(double);
    return CONVK_OK;
  }
  return convk_refuse_(message, CONVK_ERR_OVERFLOW, "nq is too large");
}

CONVK_RARE_ int convk_debye_direct_cpu_(const convk_distances_kernels_ *kernels, convk *hw, const convk_atoms *atoms,
                                        size_t nkinds, const convk_scatterer *kinds, size_t nq, const CONVK_T *q,
                                        CONVK_T *intensity, void *work, size_t work_size) {
  char *const message = hw ? hw->message : NULL;
  convk_distances_job_ atoms_job;
  convk_debye_job_ job;
  convk_place_ place[12];
  convk_work_ w;
  size_t need = 0, places, f, i;
  int status;
  if (!kernels->calls.lengths) return convk_refuse_(message, CONVK_ERR_UNSUPPORTED, "devices have no debye_direct");
  status = convk_debye_direct_plan_(message, atoms, nkinds, nq, &atoms_job, &need);
  if (!status) status = convk_scatterers_check_(message, kinds, atoms_job.kinds);
  if (!status) status = convk_distances_atoms_(message, atoms, atoms_job.kinds, 1);
  if (status) return status;
  places = convk_atoms_places_(atoms, place);
  place[places++] = convk_place_of_("work", work, work_size, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
  place[places++] = convk_place_of_("atoms", atoms, sizeof *atoms, 0);
  place[places++] = convk_place_of_("kinds", kinds, atoms_job.kinds * sizeof *kinds, CONVK_PLACE_OPTIONAL_);
  status = convk_debye_arrays_(message, nq, q, intensity, NULL, place, places);
  if (!status) status = convk_debye_phases_(message, nq, q, convk_distances_span_(atoms));
  if (!status) status = convk_work_begin_(message, &w, work, work_size, need);
  if (status) return status;
  memset(&job, 0, sizeof job);
  atoms_job.calls = &kernels->calls;
  atoms_job.kind = atoms->kind;
  (void)convk_distances_size_(NULL, &atoms_job, w.base, &need);
  job.atoms = &atoms_job;
  job.kinds = kinds;
  job.nq = nq;
  job.q = q;
  job.total = (double *)(void *)atoms_job.word; /* behind all else */
  for (i = 0; i < nq; i++) job.total[i] = 0;
  for (f = 0; f < (atoms->frames ? atoms->frames : 1) && atoms->n && !status; f++) {
    convk_distances_bring_(&atoms_job, atoms, f);
    status = convk_run_tasks_(hw, convk_ceil_(nq, CONVK_DISTANCES_Q_), convk_debye_direct_task_, &job);
  }
  for (i = 0; i < nq && !status; i++) ((convk_any_ *)intensity)[i] = (CONVK_T)job.total[i];
  convk_work_end_(&w);
  return status;
}

/* ---- how much work they need ---- */

CONVK_API_ int convk_pair_histogram_work_size(convk *hw, const convk_atoms *atoms, const convk_distances *distances,
                                              size_t *bytes) {
  convk_distances_job_ job;
  size_t need = 0;
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (!status) status = convk_need_(hw ? hw->message : NULL, "bytes", bytes);
  if (!status) status = convk_distances_plan_(hw ? hw->message : NULL, hw, atoms, distances, &job, &need);
  if (!status) *bytes = need;
  return status;
}

CONVK_API_ int convk_debye_direct_work_size(convk *hw, const convk_atoms *atoms, size_t nkinds, size_t nq, size_t *bytes) {
  convk_distances_job_ job;
  size_t need = 0;
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (!status) status = convk_need_(hw ? hw->message : NULL, "bytes", bytes);
  if (!status) status = convk_debye_direct_plan_(hw ? hw->message : NULL, atoms, nkinds, nq, &job, &need);
  if (!status) *bytes = need;
  return status;
}
