/* ---- amplitudes: checks ---- */

/* A checked call. */
typedef struct convk_amplitudes_job_ {
  const convk_amplitudes_kernels_ *kernels;
  const convk_atoms *atoms;
  const convk_scatterer *scatterers; /* NULL: 1, or left out */
  convk_cell_axes_ cell;
  int output, in_cell; /* in_cell: q are indices */
  size_t n, frames, stride, kinds;
  size_t apart;               /* elements of f from one frame or kind to the next; complex, but for the mean */
  const CONVK_T *q[3], *imag; /* imag: of q_z in a list, or NULL */
  CONVK_T *f;
  uint32_t *order; /* atoms of kind k are order[start[k]] .. order[start[k + 1] - 1], in their own order */
  size_t *start;
  convk_amplitudes_fold_ fold; /* of a grid */
  size_t step[3];              /* elements of f from one value of an axis to the next */
  size_t tile[3], tiles[3], tile_first, each;
  char *work; /* of tiles */
} convk_amplitudes_job_;

/* What a query knows: all of options, and sizes. */
CONVK_RARE_ int convk_amplitudes_plan_(char *message, const convk_atoms *atoms, const convk_amplitude_options *options,
                                       convk_amplitudes_job_ *job, size_t *need) {
  static const convk_amplitude_options none = {0, 0, NULL, NULL};
  const convk_amplitude_options *const o = options ? options : &none;
  int status;
  memset(job, 0, sizeof *job);
  job->kinds = o->kinds ? o->kinds : 1;
  status = convk_atoms_check_(message, atoms, job->kinds, 0);
  if (status) return status;
  if (job->kinds > 65535) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "options->kinds is above 65535");
  job->atoms = atoms;
  job->n = atoms->n;
  job->frames = atoms->frames ? atoms->frames : 1;
  job->stride = atoms->stride ? atoms->stride : atoms->n;
  job->output = o->output;
  job->scatterers = o->output == CONVK_AMPLITUDES_KINDS ? NULL : o->scatterers;
  job->in_cell = o->cell != NULL;
  *need = convk_round_up_((job->kinds + 1) * sizeof *job->start + job->n * sizeof *job->order, 64) + 64;
  return CONVK_OK;
}

/* Atom i of all frames on the axes of phases: as it is, or in vectors of the cell. */
CONVK_LOCAL_ void convk_amplitudes_place_(const convk_amplitudes_job_ *job, size_t i, double r[3]) {
  const double at[3] = {(double)CONVK_ONE_(job->atoms->x + i), (double)CONVK_ONE_(job->atoms->y + i),
                        (double)CONVK_ONE_(job->atoms->z + i)};
  int d;
  for (d = 0; d < 3; d++) r[d] = job->in_cell ? convk_cell_dot_(job->cell.inverse[d], at) : at[d];
}

/* Checks what no precision and no device matters for: scatterers and the cell. */
CONVK_RARE_ int convk_amplitudes_parameters_(char *message, const convk_amplitude_options *options,
                                             convk_amplitudes_job_ *job) {
  int d, status = convk_scatterers_check_(message, options ? options->scatterers : NULL, job->kinds);
  if (!status && job->in_cell) status = convk_cell_axes_of_(message, options->cell, &job->cell);
  for (d = 0; d < 3 && job->in_cell && !status; d++)
    if (!job->cell.periodic[d])
      status = convk_refuse_at_(message, CONVK_ERR_CELL, "vector % of options->cell is zero", d, 0, 0);
  return status;
}

/* Checks the imaginary parts of q_z, of atoms between heights least and most: exp(- Im q_z z), sums of it, and the mean of
   their squares must be numbers of the type. */
CONVK_RARE_ int convk_amplitudes_decays_(char *message, const convk_amplitudes_job_ *job, size_t nq, double least,
                                         double most) {
  double size = 4 * (double)job->n, weight = 1, limit = CONVK_OF_(87, 708) / (job->output == CONVK_AMPLITUDES_MEAN ? 2 : 1);
  size_t i;
  for (i = 0; i < job->n && job->atoms->weight; i++) {
    const double w = (double)CONVK_ONE_(job->atoms->weight + i);
    weight = w > weight ? w : -w > weight ? -w : weight;
  }
  for (size *= weight; size > 1; size *= 0.5) limit -= 0.6931471805599453;
  for (i = 0; i < nq; i++) {
    const double rate = convk_amplitudes_decay_(job->in_cell, (double)CONVK_ONE_(job->imag + i));
    if (!convk_finite_f64_(rate))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "q->z_imag[%] is not finite", (int64_t)i, 0, 0);
    if (rate * least > limit || rate * most > limit)
      return convk_refuse_(message, CONVK_ERR_RANGE,
                           "q->z_imag is too large for atoms: exp(-Im q.r), or a sum of it, may overflow");
  }
  return CONVK_OK;
}

/* Checks options and the numbers of atoms and q, of which there are nq on each axis. */
CONVK_RARE_ int convk_amplitudes_numbers_(char *message, const convk_amplitude_options *options, const size_t nq[3],
                                          convk_amplitudes_job_ *job) {
  static const char *const names[3] = {"q->x", "q->y", "q->z"};
  double most[3] = {0, 0, 0}, height[2] = {0, 0}, turns = 0;
  size_t f, i, d;
  int status = convk_amplitudes_parameters_(message, options, job);
  if (!status) status = convk_atoms_check_(message, job->atoms, job->kinds, 1);
  if (status) return status;
  for (f = 0; f < job->frames; f++)
    for (i = 0; i < job->n; i++) {
      double r[3];
      convk_amplitudes_place_(job, f * job->stride + i, r);
      for (d = 0; d < 3; d++) most[d] = r[d] > most[d] ? r[d] : -r[d] > most[d] ? -r[d] : most[d];
      height[0] = r[2] < height[0] ? r[2] : height[0];
      height[1] = r[2] > height[1] ? r[2] : height[1];
    }
  for (d = 0; d < 3; d++) {
    double size = 0;
    for (i = 0; i < nq[d]; i++) {
      const double x = (double)CONVK_ONE_(job->q[d] + i);
      if (!convk_finite_f64_(x))
        return convk_refuse_of_(message, CONVK_ERR_NONFINITE, "$[%] is not finite", names[d], (int64_t)i, 0);
      size = x > size ? x : -x > size ? -x : size;
    }
    turns += convk_amplitudes_turns_(job->in_cell, size) * most[d];
  }
  if (turns > CONVK_OF_(2097152., 1125899906842624.))
    return convk_refuse_(message, CONVK_ERR_RANGE, "q is too large for atoms: phases q.r have no digits left");
  return job->imag ? convk_amplitudes_decays_(message, job, nq[2], height[0], height[1]) : CONVK_OK;
}

/* Elements of f, where `span` numbers, complex but for the mean, hold one frame and kind, and the next begin job->apart behind
   them.  refused: NULL, or the array of q that is given and must not be, of grids or also of lists. */
CONVK_RARE_ int convk_amplitudes_elements_(char *message, const char *refused, int grid, size_t span,
                                           const convk_amplitudes_job_ *job, size_t *elements) {
  const int mean = job->output == CONVK_AMPLITUDES_MEAN, kinds = job->output == CONVK_AMPLITUDES_KINDS;
  size_t bytes;
  if (job->output < CONVK_AMPLITUDES_SUM || job->output > CONVK_AMPLITUDES_MEAN)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "options->output is %, none of CONVK_AMPLITUDES_SUM ...", job->output, 0,
                            0);
  if (refused)
    return convk_refuse_names_(message, CONVK_ERR_OPTION, "$ is given, and amplitudes$ take none", refused,
                               grid ? " on grids" : "");
  if (convk_mul_((mean    ? 1
                  : kinds ? job->frames * job->kinds
                          : job->frames) -
                     1,
                 job->apart, &bytes) ||
      bytes > (size_t)-1 / 2 || span > (size_t)-1 / 2 || convk_bytes_(bytes + span, 4 * sizeof(CONVK_T), elements))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "q, of all frames and kinds, are too many");
  *elements = (mean ? 1 : 2) * (bytes + span);
  return CONVK_OK;
}

/* All that can be wrong. */
CONVK_RARE_ int convk_amplitudes_check_(char *message, const convk_q *q, const convk_amplitude_options *options,
                                        const convk_grid3 *grid, const size_t nq[3], size_t span, const CONVK_T *f,
                                        const void *work, size_t work_size, convk_amplitudes_job_ *job) {
  const int some = nq[0] ? 0 : CONVK_PLACE_OPTIONAL_;
  size_t places, elements = 0;
  convk_place_ place[17];
  int status = convk_amplitudes_elements_(message,
                                          q->x_imag           ? "q->x_imag"
                                          : q->y_imag         ? "q->y_imag"
                                          : q->z_imag && grid ? "q->z_imag"
                                                              : NULL,
                                          grid != NULL, span, job, &elements);
  if (status) return status;
  job->imag = q->z_imag;
  job->q[0] = q->x;
  job->q[1] = q->y;
  job->q[2] = q->z;
  places = convk_atoms_places_(job->atoms, place);
  place[places++] = convk_place_of_("q->x", q->x, nq[0] * sizeof(CONVK_T), some);
  place[places++] = convk_place_of_("q->y", q->y, nq[1] * sizeof(CONVK_T), some);
  place[places++] = convk_place_of_("q->z", q->z, nq[2] * sizeof(CONVK_T), some);
  place[places++] = convk_place_of_("q->z_imag", q->z_imag, nq[2] * sizeof(CONVK_T), CONVK_PLACE_OPTIONAL_);
  place[places++] = convk_place_of_("f", f, elements * sizeof(CONVK_T), CONVK_PLACE_WRITTEN_ | some);
  place[places++] = convk_place_of_("work", work, work_size, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
  place[places++] = convk_place_of_("atoms", job->atoms, sizeof *job->atoms, 0);
  place[places++] = convk_place_of_("q", q, sizeof *q, 0);
  place[places++] = convk_place_of_("options", options, sizeof *options, CONVK_PLACE_OPTIONAL_);
  place[places++] = convk_place_of_("options->scatterers", options ? options->scatterers : NULL,
                                    job->kinds * sizeof(convk_scatterer), CONVK_PLACE_OPTIONAL_);
  place[places++] = convk_place_of_("options->cell", options ? options->cell : NULL, sizeof(convk_cell), CONVK_PLACE_OPTIONAL_);
  place[places++] = convk_place_of_("grid", grid, sizeof *grid, CONVK_PLACE_OPTIONAL_);
  status = convk_places_present_(message, place, places);
  if (!status) status = convk_amplitudes_numbers_(message, options, nq, job);
  return status ? status : convk_places_check_(message, place, places);
}

/* A checked call of a list. */
CONVK_RARE_ int convk_amplitudes_list_checked_(convk *hw, const convk_atoms *atoms, const convk_q *q,
                                               const convk_amplitude_options *options, CONVK_T *f, const void *work,
                                               size_t work_size, convk_amplitudes_job_ *job, size_t *need) {
  char *const message = convk_message_(hw);
  size_t nq[3];
  int status = convk_amplitudes_plan_(message, atoms, options, job, need);
  if (!status) status = convk_need_(message, "q", q);
  if (status) return status;
  job->f = f;
  nq[0] = nq[1] = nq[2] = job->apart = job->fold.count[0] = q->n;
  return convk_amplitudes_check_(message, q, options, NULL, nq, q->n, f, work, work_size, job);
}

/* Sorts the numbers of atoms by kind. */
CONVK_RARE_ void convk_amplitudes_sort_(convk_amplitudes_job_ *job, char *base) {
  const convk_any_u32_ *const kind = job->atoms->kind;
  size_t i;
  job->start = (size_t *)(void *)base;
  job->order = (uint32_t *)(void *)(job->start + job->kinds + 1);
  memset(job->start, 0, (job->kinds + 1) * sizeof *job->start);
  for (i = 0; i < job->n; i++) job->start[kind ? kind[i] : 0]++;
  for (i = 1; i <= job->kinds; i++) job->start[i] += job->start[i - 1];
  for (i = job->n; i--;) job->order[--job->start[kind ? kind[i] : 0]] = (uint32_t)i;
}

/* n atoms from place `first` of the order on, in one frame: their places on the axes, then weights; filled up by weights 0. */
CONVK_RARE_ void convk_amplitudes_block_(const convk_amplitudes_job_ *job, size_t frame, size_t first, size_t n,
                                         CONVK_T (*to)[CONVK_AMPLITUDES_BLOCK_]) {
  size_t t, d;
  for (t = 0; t < n; t++) {
    const size_t i = job->order[first + t];
    double r[3];
    convk_amplitudes_place_(job, frame * job->stride + i, r);
    for (d = 0; d < 3; d++) to[d][t] = (CONVK_T)r[d];
    to[3][t] = job->atoms->weight ? CONVK_ONE_(job->atoms->weight + i) : 1;
  }
  for (; t < CONVK_AMPLITUDES_BLOCK_; t++) to[0][t] = to[1][t] = to[2][t] = to[3][t] = 0;
}

/* Writes F of frame and kind, or adds its square to the mean, which is written behind the last frame; `to` is the element. */
CONVK_LOCAL_ void convk_amplitudes_give_(const convk_amplitudes_job_ *job, size_t frame, size_t kind, size_t to,
                                         const double *f, double *mean) {
  const size_t set = job->output == CONVK_AMPLITUDES_KINDS ? frame * job->kinds + kind : frame;
  convk_any_ *const out = (convk_any_ *)job->f;
  if (job->output == CONVK_AMPLITUDES_MEAN) {
    *mean += convk_amplitudes_square_(f);
    if (frame + 1 == job->frames) out[to] = (CONVK_T)(*mean / (double)job->frames);
  } else {
    out[2 * (set * job->apart + to)] = (CONVK_T)f[0];
    out[2 * (set * job->apart + to) + 1] = (CONVK_T)f[1];
  }
}

/* ---- a list of q ---- */

/* Vectors of q of a task, filled up to twice the longest vector. */
typedef struct convk_amplitudes_batch_ {
  CONVK_T turns[3][CONVK_AMPLITUDES_Q_], decay[CONVK_AMPLITUDES_Q_], partial[3][CONVK_AMPLITUDES_Q_];
  CONVK_T atom[4][CONVK_AMPLITUDES_BLOCK_];
  double sum[3][CONVK_AMPLITUDES_Q_], f[CONVK_AMPLITUDES_Q_][2], mean[CONVK_AMPLITUDES_Q_], weight;
  size_t begin, n, filled;
} convk_amplitudes_batch_;

/* Sums of a kind in a frame. */
CONVK_RARE_ void convk_amplitudes_batch_sum_(const convk_amplitudes_job_ *job, convk_amplitudes_batch_ *b, size_t frame,
                                             size_t kind) {
  convk_amplitudes_part_ part;
  size_t t, i, d;
  memset(b->sum, 0, sizeof b->sum);
  b->weight = 0;
  for (d = 0; d < 3; d++) {
    part.at[d] = b->atom[d];
    part.turns[d] = b->turns[d];
  }
  part.weight = b->atom[3];
  part.nq = b->filled;
  part.re = b->partial[0];
  part.im = b->partial[1];
  part.damped = b->partial[2];
  part.decay = job->imag ? b->decay : NULL;
  for (t = job->start[kind]; t < job->start[kind + 1]; t += part.n) {
    part.n = convk_least_(job->start[kind + 1] - t, CONVK_AMPLITUDES_BLOCK_);
    convk_amplitudes_block_(job, frame, t, part.n, b->atom);
    for (i = 0; i < part.n; i++) b->weight += (double)b->atom[3][i];
    job->kernels->list(&part);
    for (d = 0; d < (job->imag ? 3 : 2); d++)
      for (i = 0; i < b->n; i++) b->sum[d][i] += (double)b->partial[d][i];
  }
}

CONVK_RARE_ void convk_amplitudes_task_(void *arg, size_t index) {
  const convk_amplitudes_job_ *const job = (const convk_amplitudes_job_ *)arg;
  const int kinds = job->output == CONVK_AMPLITUDES_KINDS;
  convk_amplitudes_batch_ b;
  size_t frame, kind, i, d;
  b.begin = index * job->each;
  b.n = convk_least_(job->fold.count[0] - b.begin, job->each);
  b.filled = convk_round_up_(b.n, 2 * CONVK_AMPLITUDES_LANES_);
  memset(b.turns, 0, sizeof b.turns);
  for (d = 0; d < 3; d++)
    for (i = 0; i < b.n; i++)
      b.turns[d][i] = (CONVK_T)convk_amplitudes_turns_(job->in_cell, (double)CONVK_ONE_(job->q[d] + b.begin + i));
  memset(b.decay, 0, sizeof b.decay);
  for (i = 0; i < b.n && job->imag; i++)
    b.decay[i] = (CONVK_T)convk_amplitudes_decay_(job->in_cell, (double)CONVK_ONE_(job->imag + b.begin + i));
  memset(b.mean, 0, sizeof b.mean);
  for (frame = 0; frame < job->frames; frame++)
    for (kind = 0; kind < job->kinds; kind++) {
      if (kinds || !kind) memset(b.f, 0, sizeof b.f);
      convk_amplitudes_batch_sum_(job, &b, frame, kind);
      for (i = 0; i < b.n; i++) {
        double q[3], scatters[2] = {1, 0};
        const double all = job->imag ? b.sum[2][i] : b.weight;
        for (d = 0; d < 3; d++) q[d] = (double)CONVK_ONE_(job->q[d] + b.begin + i);
        if (job->scatterers)
          convk_amplitudes_scatters_(job->scatterers + kind, job->in_cell, job->cell.inverse[0], q, scatters);
        convk_amplitudes_add_(job->scatterers ? scatters : NULL, all - 2 * b.sum[0][i], 2 * b.sum[1][i], b.f[i]);
        if (kinds || kind + 1 == job->kinds) convk_amplitudes_give_(job, frame, kind, b.begin + i, b.f[i], &b.mean[i]);
      }
    }
}

CONVK_RARE_ int convk_amplitudes_cpu_(const convk_amplitudes_kernels_ *kernels, convk *hw, const convk_atoms *atoms,
                                      const convk_q *q, const convk_amplitude_options *options, CONVK_T *f, void *work,
                                      size_t work_size) {
  convk_amplitudes_job_ job;
  convk_work_ w;
  size_t need = 0;
  int status;
  if (kernels->device) return kernels->device(hw, atoms, 0, NULL, q, options, f, work, work_size);
  status = convk_amplitudes_list_checked_(hw, atoms, q, options, f, work, work_size, &job, &need);
  if (!status) status = convk_work_begin_(convk_message_(hw), &w, work, work_size, need);
  if (status) return status;
  job.kernels = kernels;
  convk_amplitudes_sort_(&job, w.base);
  job.each = convk_round_up_(convk_even_part_(q->n + 1, convk_least_(q->n / convk_threads_(hw) + 1, CONVK_AMPLITUDES_Q_)),
                             2 * CONVK_AMPLITUDES_LANES_);
  status = convk_run_tasks_(hw, convk_ceil_(q->n, job.each), convk_amplitudes_task_, &job);
  convk_work_end_(&w);
  return status;
}

/* ---- a tensor grid ---- */

/* Whether an axis has -q for every q. */
CONVK_LOCAL_ int convk_amplitudes_mirrored_(const CONVK_T *q, size_t n) {
  size_t i;
  for (i = 0; i <= n / 2; i++)
    if (CONVK_ONE_(q + i) < -CONVK_ONE_(q + n - 1 - i) || CONVK_ONE_(q + i) > -CONVK_ONE_(q + n - 1 - i)) return 0;
  return 1;
}

CONVK_RARE_ void convk_amplitudes_fold_job_(convk_amplitudes_job_ *job, const size_t n[3], const size_t step[3]) {
  int mirrored[3];
  size_t d;
  for (d = 0; d < 3; d++) mirrored[d] = convk_amplitudes_mirrored_(job->q[d], n[d]);
  convk_amplitudes_fold_of_(mirrored, n, &job->fold);
  for (d = 0; d < 3; d++) job->step[d] = step[job->fold.axis[d]];
}

/* Bytes of tiles that any grid of such sizes, or a smaller one, may want.  Of each lane of a row 8 sums, and F and mean of 8 q;
   without octants at most 4 sums, and 2 q, of twice as many. */
CONVK_LOCAL_ size_t convk_amplitudes_tile_need_(const size_t n[3]) {
  const size_t longest = n[0] > n[1] ? n[0] > n[2] ? n[0] : n[2] : n[1] > n[2] ? n[1] : n[2], block = CONVK_AMPLITUDES_BLOCK_;
  const size_t lanes = convk_round_up_(convk_least_(longest, CONVK_AMPLITUDES_MOST_), CONVK_AMPLITUDES_LANES_);
  const size_t values = lanes + convk_least_(longest, CONVK_AMPLITUDES_VALUES_) + convk_least_(longest, 512);
  size_t all;
  if (convk_mul_(n[0], n[1], &all) || convk_mul_(all, n[2], &all) || all > CONVK_AMPLITUDES_SUMS_) all = CONVK_AMPLITUDES_SUMS_;
  all = convk_least_(CONVK_AMPLITUDES_LANES_ * all, CONVK_AMPLITUDES_SUMS_ / 8);
  return convk_round_up_(
      32 * all * sizeof(double) + ((2 * values + CONVK_AMPLITUDES_FACTORS_ + 4) * block + 2 * lanes) * sizeof(CONVK_T), 64);
}

/* Cuts what is computed into tiles. */
CONVK_RARE_ void convk_amplitudes_cut_(size_t threads, convk_amplitudes_job_ *job) {
  size_t padded, pairs, d;
  job->tile[0] = convk_even_part_(job->fold.count[0], CONVK_AMPLITUDES_MOST_);
  padded = convk_round_up_(job->tile[0], CONVK_AMPLITUDES_LANES_);
  pairs = convk_ceil_(job->fold.count[1], threads) * job->fold.count[2];
  if (pairs < CONVK_AMPLITUDES_FACTORS_) pairs = CONVK_AMPLITUDES_FACTORS_; /* never so few that a tile is all phases */
  pairs = convk_least_(pairs, CONVK_AMPLITUDES_SUMS_ / (job->fold.octant ? 8 : 4) / padded);
  job->tile[1] = convk_even_part_(job->fold.count[1], convk_least_(pairs, CONVK_AMPLITUDES_VALUES_));
  job->tile[2] = convk_even_part_(job->fold.count[2], convk_least_(pairs / job->tile[1], 512));
  for (d = 0; d < 3; d++) job->tiles[d] = convk_ceil_(job->fold.count[d], job->tile[d]);
}

/* A tile: where it is and its arrays. */
typedef struct convk_amplitudes_tile_ {
  const convk_amplitudes_job_ *job;
  size_t at[3], n[3], pairs; /* of what is computed */
  int each;                  /* q of a pair and lane: 8, 2 or 1 */
  double *f, *mean;          /* of all of them */
  CONVK_T *turns, *phase[3], (*atom)[CONVK_AMPLITUDES_BLOCK_];
  convk_amplitudes_rows_ rows;
} convk_amplitudes_tile_;

CONVK_LOCAL_ double convk_amplitudes_q_(const convk_amplitudes_job_ *job, size_t d, size_t i) {
  return (double)CONVK_ONE_(job->q[job->fold.axis[d]] + job->fold.first[d] + i);
}

/* Its turns, in two numbers. */
CONVK_LOCAL_ CONVK_T convk_amplitudes_of_axis_(const convk_amplitudes_job_ *job, size_t d, size_t i, CONVK_T *rest) {
  double more;
  const double turns = convk_amplitudes_turns_in_two_(job->in_cell, CONVK_EITHER_(1, 0), convk_amplitudes_q_(job, d, i), &more);
  *rest = (CONVK_T)more;
  return (CONVK_T)turns;
}

CONVK_RARE_ void convk_amplitudes_tile_begin_(const convk_amplitudes_job_ *job, size_t index, convk_amplitudes_tile_ *t) {
  const size_t which = job->tile_first + index, block = CONVK_AMPLITUDES_BLOCK_;
  const size_t place[3] = {which % job->tiles[0], which / job->tiles[0] % job->tiles[1], which / job->tiles[0] / job->tiles[1]};
  size_t d, i, cells;
  memset(t, 0, sizeof *t);
  t->job = job;
  for (d = 0; d < 3; d++) {
    t->at[d] = place[d] * job->tile[d];
    t->n[d] = convk_least_(job->fold.count[d] - t->at[d], job->tile[d]);
  }
  t->pairs = t->n[1] * t->n[2];
  t->rows.lanes = t->n[0];
  t->rows.pitch = convk_round_up_(t->n[0], CONVK_AMPLITUDES_LANES_);
  t->rows.octant = job->fold.octant;
  cells = t->pairs * t->rows.pitch;
  t->each = job->fold.octant ? 8 : job->fold.folded ? 2 : 1;
  t->rows.sum = (double *)(void *)(job->work + index * job->each);
  t->f = t->rows.sum + (job->fold.octant ? 8 : 4) * cells;
  t->mean = t->f + 2 * (size_t)t->each * cells;
  t->phase[0] = (CONVK_T *)(void *)(t->mean + (size_t)t->each * cells);
  t->phase[1] = t->phase[0] + 2 * block * t->rows.pitch;
  t->phase[2] = t->phase[1] + 2 * block * t->n[1];
  t->rows.factors = t->phase[2] + 2 * block * t->n[2];
  t->atom = (CONVK_T(*)[CONVK_AMPLITUDES_BLOCK_])(void *)(t->rows.factors + block * CONVK_AMPLITUDES_FACTORS_);
  t->turns = t->atom[4];
  t->rows.phase = t->phase[0];
  memset(t->turns, 0, 2 * t->rows.pitch * sizeof *t->turns);
  for (i = 0; i < t->n[0]; i++) t->turns[i] = convk_amplitudes_of_axis_(job, 0, t->at[0] + i, &t->turns[t->rows.pitch + i]);
  if (job->output == CONVK_AMPLITUDES_MEAN) memset(t->mean, 0, (size_t)t->each * cells * sizeof *t->mean);
}

/* Adds a block of n atoms, which t->atom has, to the sums. */
CONVK_RARE_ void convk_amplitudes_tile_block_(convk_amplitudes_tile_ *t, size_t n) {
  const convk_amplitudes_job_ *const job = t->job;
  const size_t block = CONVK_AMPLITUDES_BLOCK_, factors = job->fold.octant ? 4 : 2;
  convk_amplitudes_rows_ rows = t->rows;
  CONVK_T ones[CONVK_AMPLITUDES_BLOCK_];
  size_t d, i, pair;
  for (i = 0; i < block; i++) ones[i] = 1;
  job->kernels->lanes(t->atom[job->fold.axis[0]], n, t->turns, t->turns + rows.pitch, rows.lanes, t->phase[0]);
  for (d = 1; d < 3; d++)
    for (i = 0; i < t->n[d]; i++) {
      CONVK_T rest;
      const CONVK_T turns = convk_amplitudes_of_axis_(job, d, t->at[d] + i, &rest);
      job->kernels->row(t->atom[job->fold.axis[d]], d == 2 ? t->atom[3] : ones, n, turns, rest, t->phase[d] + 2 * block * i);
    }
  rows.n = n;
  for (pair = 0; pair < t->pairs; pair += rows.pairs) {
    rows.pairs = convk_least_(t->pairs - pair, CONVK_AMPLITUDES_FACTORS_ / factors);
    for (i = 0; i < rows.pairs; i++) {
      rows.row_phase[i][0] = t->phase[1] + 2 * block * ((pair + i) % t->n[1]);
      rows.row_phase[i][1] = t->phase[2] + 2 * block * ((pair + i) / t->n[1]);
    }
    rows.sum = t->rows.sum + 2 * factors * pair * rows.pitch;
    job->kernels->rows(&rows);
  }
}

/* What the sums of a kind in a frame add to F of a pair's q with number `which`, n of them; with the last kind F is given.
   scatters: of each lane where all q of a lane have one |q|, or NULL. */
CONVK_RARE_ void convk_amplitudes_run_end_(const convk_amplitudes_tile_ *t, size_t frame, size_t kind, size_t pair, int which,
                                           const double (*scatters)[2]) {
  const convk_amplitudes_job_ *const job = t->job;
  const size_t pitch = t->rows.pitch, run = (pair * (size_t)t->each + (size_t)which) * pitch;
  const size_t at[3] = {t->at[0], t->at[1] + pair % t->n[1], t->at[2] + pair / t->n[1]};
  const double *const sum = t->rows.sum + (job->fold.octant ? 8 : 4) * pair * pitch;
  const int kinds = job->output == CONVK_AMPLITUDES_KINDS;
  double q[3], re, im, own[2] = {1, 0};
  size_t d, i[3], to = 0, lane;
  for (d = 0; d < 3; d++) {
    i[d] = job->fold.first[d] + at[d];
    if (which >> d & 1) i[d] = job->fold.all[d] - 1 - i[d]; /* for q = 0 itself: F is given twice */
    if (d) q[job->fold.axis[d]] = (double)CONVK_ONE_(job->q[job->fold.axis[d]] + i[d]);
    if (d) to += i[d] * job->step[d];
  }
  if (!job->scatterers && job->kinds == 1 && job->output != CONVK_AMPLITUDES_MEAN) { /* F is the sum itself */
    const ptrdiff_t step = which & 1 ? -2 * (ptrdiff_t)job->step[0] : 2 * (ptrdiff_t)job->step[0];
    convk_any_ *out = (convk_any_ *)job->f + 2 * (frame * job->apart + to + i[0] * job->step[0]);
    for (lane = 0; lane < t->n[0]; lane++) {
      convk_amplitudes_at_(sum + lane, pitch, job->fold.octant, which, &re, &im);
      out[step * (ptrdiff_t)lane] = (CONVK_T)re;
      out[step * (ptrdiff_t)lane + 1] = (CONVK_T)im;
    }
    return;
  }
  for (lane = 0; lane < t->n[0]; lane++) {
    const size_t x = which & 1 ? i[0] - lane : i[0] + lane;
    double *const f = t->f + 2 * (run + lane);
    if (job->scatterers && !scatters) {
      q[job->fold.axis[0]] = (double)CONVK_ONE_(job->q[job->fold.axis[0]] + x);
      convk_amplitudes_scatters_(job->scatterers + kind, job->in_cell, job->cell.inverse[0], q, own);
    }
    convk_amplitudes_at_(sum + lane, pitch, job->fold.octant, which, &re, &im);
    if (kinds || !kind) f[0] = f[1] = 0;
    convk_amplitudes_add_(scatters ? scatters[lane] : job->scatterers ? own : NULL, re, im, f);
    if (kinds || kind + 1 == job->kinds)
      convk_amplitudes_give_(job, frame, kind, to + x * job->step[0], f, t->mean + run + lane);
  }
}

/* The same of all q of the tile. */
CONVK_RARE_ void convk_amplitudes_tile_end_(const convk_amplitudes_tile_ *t, size_t frame, size_t kind) {
  const convk_amplitudes_job_ *const job = t->job;
  const int once = job->scatterers && !job->in_cell;
  double scatters[CONVK_AMPLITUDES_MOST_][2], q[3];
  size_t pair, lane;
  int which;
  for (pair = 0; pair < t->pairs; pair++) {
    q[job->fold.axis[1]] = convk_amplitudes_q_(job, 1, t->at[1] + pair % t->n[1]);
    q[job->fold.axis[2]] = convk_amplitudes_q_(job, 2, t->at[2] + pair / t->n[1]);
    for (lane = 0; lane < t->n[0] && once; lane++) {
      q[job->fold.axis[0]] = convk_amplitudes_q_(job, 0, t->at[0] + lane);
      convk_amplitudes_scatters_(job->scatterers + kind, job->in_cell, job->cell.inverse[0], q, scatters[lane]);
    }
    for (which = 0; which < t->each; which++)
      convk_amplitudes_run_end_(t, frame, kind, pair, which, once ? (const double(*)[2])scatters : NULL);
  }
}

CONVK_RARE_ void convk_amplitudes_grid_task_(void *arg, size_t index) {
  const convk_amplitudes_job_ *const job = (const convk_amplitudes_job_ *)arg;
  convk_amplitudes_tile_ t;
  size_t frame, kind, i, n;
  convk_amplitudes_tile_begin_(job, index, &t);
  for (frame = 0; frame < job->frames; frame++)
    for (kind = 0; kind < job->kinds; kind++) {
      memset(t.rows.sum, 0, (job->fold.octant ? 8 : 4) * t.pairs * t.rows.pitch * sizeof(double));
      for (i = job->start[kind]; i < job->start[kind + 1]; i += n) {
        n = convk_least_(job->start[kind + 1] - i, CONVK_AMPLITUDES_BLOCK_);
        convk_amplitudes_block_(job, frame, i, n, t.atom);
        convk_amplitudes_tile_block_(&t, n);
      }
      convk_amplitudes_tile_end_(&t, frame, kind);
    }
}

/* What a query of a grid knows; before: bytes of work that come before those of tiles. */
CONVK_RARE_ int convk_amplitudes_grid_plan_(char *message, convk *hw, const convk_atoms *atoms, const convk_grid3 *grid,
                                            const convk_amplitude_options *options, convk_amplitudes_job_ *job,
                                            convk_grid3 *full, size_t *before, size_t *need) {
  size_t n[3], span;
  int status = convk_amplitudes_plan_(message, atoms, options, job, before);
  if (!status) status = convk_grid_check_(message, "grid", grid, 2 * sizeof(CONVK_T), full, &span);
  if (status) return status;
  n[0] = full->nx;
  n[1] = full->ny;
  n[2] = full->nz;
  job->each = convk_amplitudes_tile_need_(n);
  if (convk_mul_(convk_threads_(hw), job->each, need) || *need > (size_t)-1 / 2 || *before > (size_t)-1 / 2)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "atoms or threads need more work than can be counted in bytes");
  *need += *before;
  return CONVK_OK;
}

/* A checked call of a grid. */
CONVK_RARE_ int convk_amplitudes_grid_checked_(convk *hw, const convk_atoms *atoms, const convk_grid3 *grid, const convk_q *q,
                                               const convk_amplitude_options *options, CONVK_T *f, const void *work,
                                               size_t work_size, convk_amplitudes_job_ *job, convk_grid3 *full, size_t *before,
                                               size_t *need) {
  char *const message = convk_message_(hw);
  size_t n[3];
  int status = convk_amplitudes_grid_plan_(message, hw, atoms, grid, options, job, full, before, need);
  if (!status) status = convk_need_(message, "q", q);
  if (status) return status;
  n[0] = full->nx;
  n[1] = full->ny;
  n[2] = full->nz;
  job->f = f;
  job->apart = full->nz * full->pitch_z;
  return convk_amplitudes_check_(message, q, options, grid, n,
                                 (full->nz - 1) * full->pitch_z + (full->ny - 1) * full->pitch_y + full->nx, f, work, work_size,
                                 job);
}

CONVK_RARE_ int convk_amplitudes_grid_cpu_(const convk_amplitudes_kernels_ *kernels, convk *hw, const convk_atoms *atoms,
                                           const convk_grid3 *grid, const convk_q *q, const convk_amplitude_options *options,
                                           CONVK_T *f, void *work, size_t work_size) {
  const size_t threads = convk_threads_(hw);
  convk_amplitudes_job_ job;
  convk_grid3 full;
  convk_work_ w;
  size_t before = 0, need = 0, tiles;
  int status;
  if (kernels->device) return kernels->device(hw, atoms, 1, grid, q, options, f, work, work_size);
  status = convk_amplitudes_grid_checked_(hw, atoms, grid, q, options, f, work, work_size, &job, &full, &before, &need);
  if (!status) status = convk_work_begin_(convk_message_(hw), &w, work, work_size, need);
  if (status) return status;
  {
    const size_t n[3] = {full.nx, full.ny, full.nz}, step[3] = {1, full.pitch_y, full.pitch_z};
    convk_amplitudes_fold_job_(&job, n, step);
  }
  convk_amplitudes_cut_(threads, &job);
  job.kernels = kernels;
  convk_amplitudes_sort_(&job, w.base);
  job.work = w.base + before - 64;
  tiles = job.tiles[0] * job.tiles[1] * job.tiles[2];
  for (job.tile_first = 0; job.tile_first < tiles && !status; job.tile_first += threads)
    status = convk_run_tasks_(hw, convk_least_(tiles - job.tile_first, threads), convk_amplitudes_grid_task_, &job);
  convk_work_end_(&w);
  return status;
}

/* ---- how much work they need ---- */

CONVK_API_ int convk_amplitudes_work_size(convk *hw, const convk_atoms *atoms, const convk_amplitude_options *options,
                                          size_t *bytes) {
  convk_amplitudes_job_ job;
  size_t need = 0;
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (!status) status = convk_need_(hw ? hw->message : NULL, "bytes", bytes);
  if (!status) status = convk_amplitudes_plan_(hw ? hw->message : NULL, atoms, options, &job, &need);
  if (!status) *bytes = need;
  return status;
}

CONVK_API_ int convk_amplitudes_grid_work_size(convk *hw, const convk_atoms *atoms, const convk_grid3 *grid,
                                               const convk_amplitude_options *options, size_t *bytes) {
  char *const message = hw ? hw->message : NULL;
  convk_amplitudes_job_ job;
  convk_grid3 full;
  size_t before, need = 0;
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  if (!status) status = convk_need_(message, "bytes", bytes);
  if (!status) status = convk_amplitudes_grid_plan_(message, hw, atoms, grid, options, &job, &full, &before, &need);
  if (!status) *bytes = need;
  return status;
}
