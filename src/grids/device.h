/* ---- Gaussians on regular grids, on devices: what the host makes of a call, work memory, host arrays ---- */

/* A checked call, and where everything of it is in work memory: first `sent` bytes that the host makes, then the rest. */
typedef struct convk_grids_built_ {
  convk_grids_job_ *job;
  CONVK_ARGUMENTS_(grids) a;
  size_t sent, bytes, lot, points; /* lot: rows of one; points: the most that a table has */
  char *base;                      /* on the host */
  /* of host arrays */
  size_t each, kinds, rows;
  CONVK_DEVICE_(memory) work, results[5];
} convk_grids_built_;

CONVK_LOCAL_ const convk_grids_kernels_ *convk_grids_kernel_table_(void);

/* What kernels take of any call. */
CONVK_LOCAL_ void convk_grids_arguments_of_(const convk_grids_job_ *job, CONVK_ARGUMENTS_(grids) * a) {
  unsigned d;
  for (d = 0; d < 3; d++) a->n[d] = job->n[d];
  a->norbitals = job->norbitals;
  a->planes = job->n[2];
  a->pitch_y = job->box.grid.pitch_y;
  a->pitch_z = job->box.grid.pitch_z;
  a->ld = job->ld;
  for (d = 0; d < 5; d++) a->wanted |= job->out[d] ? 1u << d : 0;
  a->cut = job->part.cut;
}

/* Bytes of the host's memory beside those that are sent: groups, which of them primitives have, terms of one orbital. */
CONVK_LOCAL_ size_t convk_grids_host_bytes_(const convk_grids_job_ *job, size_t at[3]) {
  size_t end = 0;
  at[0] = end;
  end += convk_round_up_(job->primitives * sizeof *job->groups, 64);
  at[1] = end;
  end += convk_round_up_(job->primitives * sizeof *job->of, 64);
  at[2] = end;
  return end + job->terms * sizeof(double);
}

/* Orbitals of a block of a general cell, whose sums a thread has in registers. */
CONVK_LOCAL_ size_t convk_cells_wide_(const convk_grids_job_ *job) {
  return job->norbitals < 2 ? 1 : job->kinds > 1 || job->bloch ? 4 : 8;
}

/* Where parts of work memory of a general cell are, enough whatever the kinds of results. */
CONVK_RARE_ int convk_cells_layout_(char *message, convk_grids_job_ *job, convk_grids_built_ *built) {
  const size_t s = sizeof(CONVK_T), max_rows = convk_round_up_(job->norbitals, 8);
  const int complex_terms = job->bloch && job->bloch->imag;
  CONVK_ARGUMENTS_(grids) *const a = &built->a;
  size_t end = 0, at[5];
  int status = CONVK_OK;
  memset(built, 0, sizeof *built);
  built->job = job;
  job->unturned = 1;
  job->width = convk_cells_wide_(job);
  if (convk_mul_(max_rows, job->terms, &job->term_rows) || job->term_rows > (size_t)-1 / 4096) status = CONVK_ERR_OVERFLOW;
  if (complex_terms) job->term_rows *= 2;
  if (!status) status = convk_reserve_(&end, 1, 1, 1, sizeof(convk_cells_device_), &at[0]);
  if (!status) status = convk_reserve_(&end, job->primitives, 1, 1, sizeof(convk_cells_group_device_), &at[1]);
  if (!status) status = convk_reserve_(&end, job->term_rows, 1, 1, s, &at[2]);
  if (!status) status = convk_reserve_(&end, job->density ? job->norbitals : 0, 1, 1, s, &at[3]);
  if (!status) status = convk_reserve_(&end, convk_ceil_(job->norbitals, 4), job->primitives, 1, 1, &at[4]);
  if (status) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "the shells of set are too many");
  built->sent = built->bytes = end;
  a->cell = at[0];
  a->axes = at[1];
  a->terms = at[2];
  a->weights = at[3];
  a->used = at[4];
  convk_grids_arguments_of_(job, a);
  a->kinds = job->bloch ? 2 : job->kinds > 1 ? 5 : 1;
  a->wide = (uint32_t)job->width;
  a->imag = complex_terms ? job->term_rows / 2 : 0;
  a->wave = job->add ? 8 : 0;
  return CONVK_OK;
}

/* The cell. */
CONVK_RARE_ void convk_cells_cell_of_(const convk_grids_job_ *job, convk_cells_device_ *to) {
  const convk_gaussian_box *const box = &job->box;
  const convk_cells_frame_ *const frame = &job->frame;
  size_t d, k;
  for (d = 0; d < 3; d++) {
    const double *const step = d == 0 ? box->step_x : d == 1 ? box->step_y : box->step_z;
    for (k = 0; k < 3; k++) {
      convk_cells_pair_ period = {0, 0}; /* out of the frame: a step's own components over its length */
      size_t i;
      for (i = 0; i < 3; i++) period = convk_cells_add_(period, convk_cells_mul_(frame->image[d][i], frame->axis[i][k]));
      to->step[3 * d + k] = step[k];
      to->axis[3 * d + k] = frame->axis[d][k].hi;
      to->image[3 * d + k] = k <= d ? frame->image[d][k].hi : 0;
      to->period[3 * d + k] = period.hi;
      to->lost[3 * d + k] = period.lo;
    }
    to->turn[d] = job->turned[d] ? job->turn[d].hi : 0;
    to->turn_lo[d] = job->turned[d] ? job->turn[d].lo : 0;
  }
  to->wide[0] = frame->step[0][0].hi;
  to->wide[1] = frame->step[1][0].hi;
  to->wide[2] = frame->step[1][1].hi;
}

/* Its groups, and which blocks of orbitals have any of them. */
CONVK_RARE_ void convk_cells_groups_of_(const convk_grids_job_ *job, convk_cells_group_device_ *to, unsigned char *used) {
  size_t g, d, b, k;
  for (g = 0; g < job->ngroups; g++, to++) {
    const convk_grids_group_ *const group = &job->groups[g];
    CONVK_T exponent[3];
    convk_gaussian_exponent_(1, -group->exponent, exponent, exponent + 1, exponent + 2);
    for (d = 0; d < 3; d++) {
      const convk_cells_pair_ start = convk_cells_pair_of_(job->box.origin[d], -group->center[d]);
      to->start[d] = start.hi;
      to->lost[d] = start.lo;
    }
    to->radius = convk_grids_radius_(job, g);
    to->exponent = group->exponent;
    to->a = (double)exponent[0];
    to->b = (double)exponent[1];
    to->top = (double)exponent[2];
    to->l = group->l;
    to->terms = group->terms;
    for (b = 0; b * job->width < job->norbitals; b++) {
      const CONVK_T *const terms = job->coefficients + (b * job->whole + group->terms) * job->width;
      int any = 0;
      for (k = 0; k < convk_grids_terms_(group->l) * job->width; k++)
        any |= terms[k] != 0 || (job->bloch && job->bloch->imag && terms[k + job->term_rows / 2] != 0);
      used[b * job->ngroups + g] = (unsigned char)any;
    }
  }
}

/* What the host makes for any call: its groups, by `find`, and the terms of all orbitals. */
CONVK_RARE_ void convk_grids_build_terms_(convk_grids_built_ *built, void (*find)(convk_grids_job_ *job)) {
  convk_grids_job_ *const job = built->job;
  char *const own = built->base + built->sent; /* of the host alone */
  size_t at[3];
  (void)convk_grids_host_bytes_(job, at);
  memset(built->base, 0, built->sent);
  job->groups = (convk_grids_group_ *)(void *)(own + at[0]);
  job->of = (size_t *)(void *)(own + at[1]);
  job->coefficients = (CONVK_T *)(void *)(built->base + built->a.terms);
  find(job);
  convk_grids_terms_of_(job, (double *)(void *)(own + at[2]));
  convk_grids_imaginary_(job, (double *)(void *)(own + at[2]));
  if (job->density && job->norbitals)
    memcpy(built->base + built->a.weights, job->occupations, job->norbitals * sizeof(CONVK_T));
  built->a.groups = job->ngroups;
}

/* All that is sent of a general cell. */
CONVK_RARE_ void convk_cells_build_all_(convk_grids_built_ *built) {
  CONVK_ARGUMENTS_(grids) *const a = &built->a;
  convk_grids_build_terms_(built, convk_grids_group_all_);
  convk_cells_cell_of_(built->job, (convk_cells_device_ *)(void *)(built->base + a->cell));
  convk_cells_groups_of_(built->job, (convk_cells_group_device_ *)(void *)(built->base + a->axes),
                         (unsigned char *)(built->base + a->used));
  a->ntables = built->job->whole;
}

/* Where parts of work memory are, for as many groups as there are primitives. */
CONVK_RARE_ int convk_grids_layout_(char *message, convk_grids_job_ *job, convk_grids_built_ *built) {
  const size_t s = sizeof(CONVK_T), tiles = job->tiles[1] * job->tiles[2], combined = job->head.combined != 0;
  const size_t rows = job->norbitals ? job->norbitals : 1;
  CONVK_ARGUMENTS_(grids) *const a = &built->a;
  const size_t parts = job->bloch && !job->bloch->imag ? 2 : 1, sets = job->bloch ? 3 : (size_t)job->kinds;
  size_t at[9], end = 0, d, groups;
  int status;
  if (job->general) return convk_cells_layout_(message, job, built);
  memset(built, 0, sizeof *built);
  built->job = job;
  status = convk_reserve_(&end, job->primitives, 3, 1, sizeof(convk_grids_axis_device_), &at[0]);
  if (!status) status = convk_reserve_(&end, job->rows, 1, 1, sizeof(convk_grids_table_device_), &at[1]);
  if (!status) status = convk_reserve_(&end, rows, 1, 1, sizeof(convk_grids_lot_device_), &at[2]);
  if (!status) status = convk_reserve_(&end, job->term_rows, 1, 1, s, &at[3]);
  if (!status) status = convk_reserve_(&end, job->density ? job->norbitals : 0, 1, 1, s, &at[4]);
  built->sent = end;
  if (!status) status = convk_reserve_(&end, job->table, 1, 1, s, &at[5]);
  if (!status) status = convk_reserve_(&end, combined ? job->rows : 0, job->tiles[0], tiles, sizeof(uint32_t), &at[6]);
  if (!status) status = convk_reserve_(&end, combined ? 1 : 0, job->tiles[0], tiles, sizeof(uint32_t), &at[7]);
  a->sums_bytes = CONVK_DEVICE_(grids_room_of)(job->term_rows * parts * sets * s, job->n[2]); /* there are no more than terms */
  if (!status) status = convk_reserve_(&end, (size_t)a->sums_bytes, 1, 1, 1, &at[8]);
  if (status) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "the shells of set are too many");
  built->bytes = end;
  a->sums = at[8];
  a->axes = at[0];
  a->tables = at[1];
  a->lots = at[2];
  a->terms = at[3];
  a->weights = at[4];
  a->values = at[5];
  a->lists = at[6];
  a->counts = at[7];
  for (d = 0; d < 3; d++) {
    a->tile[d] = job->tile[d];
    a->tiles[d] = job->tiles[d];
  }
  convk_grids_arguments_of_(job, a);
  a->kinds = job->bloch ? 2 : (uint32_t)job->kinds;
  if (job->bloch) {
    a->imag = job->bloch->imag ? job->term_rows / 2 : 0;
    a->wave = 1 | (job->turned[0] ? 2 : 0) | (a->imag || job->turned[1] || job->turned[2] ? 4 : 0) | (job->add ? 8 : 0);
  }
  a->listed = (uint32_t)combined;
  groups = job->tiles[0] * job->tiles[1] * job->n[2] * (job->kinds > 1 ? 5 : a->kinds);
  built->lot = CONVK_DEVICE_(grids_lot)(rows, groups);
  return CONVK_OK;
}

/* One axis of a group, whose center has these images; its tables begin at *next, which moves behind them. */
CONVK_RARE_ void convk_grids_axis_of_(const convk_grids_built_ *built, size_t g, size_t d, const convk_grids_images_ *of,
                                      const CONVK_T exponent[3], size_t *next, convk_grids_axis_device_ *to) {
  const convk_grids_job_ *const job = built->job;
  const convk_grids_group_ *const group = &job->groups[g];
  to->start = of->start;
  to->lost = of->lost;
  to->step = job->step[d];
  to->period = job->box.period[d];
  to->image = of->image;
  to->last = of->last;
  to->radius = convk_grids_radius_(job, g);
  to->exponent = group->exponent;
  to->a = (double)exponent[0];
  to->b = (double)exponent[1];
  to->top = (double)exponent[2];
  to->n = job->n[d];
  to->low = group->low[d];
  to->count = group->count[d];
  to->tile = job->tile[d];
  to->tiles = job->tiles[d];
  to->rows = group->l + 1;
  to->turn = job->step[d] < 0 ? job->turn[d].hi : -job->turn[d].hi;
  to->turn_lo = job->step[d] < 0 ? job->turn[d].lo : -job->turn[d].lo;
  to->size = convk_grids_size_row_(job, d, group->l) * group->count[d];
  to->table = *next;
  *next += convk_grids_rows_(job, d, group->l) * group->count[d];
  to->maxima = *next;
  *next += job->tiles[d];
}

/* The axes of all groups. */
CONVK_RARE_ void convk_grids_axes_(convk_grids_built_ *built, convk_grids_axis_device_ *to) {
  const convk_grids_job_ *const job = built->job;
  convk_grids_images_ of[3];
  size_t next = 0, first = 0, g, end = 0, d;
  for (g = 0; g < job->ngroups; g++) {
    const int moved = g == end; /* to another center */
    CONVK_T exponent[3];
    if (moved) end = convk_grids_center_end_(job, g);
    convk_gaussian_exponent_(1, -job->groups[g].exponent, exponent, exponent + 1, exponent + 2);
    for (d = 0; d < 3; d++, to++) {
      if (moved) of[d] = convk_grids_images_of_(job, g, end, d);
      convk_grids_axis_of_(built, g, d, &of[d], exponent, &next, to);
      to->first = first;
      if (job->groups[g].count[d] > built->points) built->points = job->groups[g].count[d];
    }
    first += job->groups[g].l + 1;
  }
}

/* Tables of one group or primitive, of degrees up to l: returns behind the last. */
CONVK_LOCAL_ convk_grids_table_device_ *convk_grids_list_(convk_grids_table_device_ *to, size_t group, size_t l, size_t terms,
                                                          size_t *sums) {
  size_t k;
  for (k = 0; k <= l; k++, to++) {
    to->first = (uint32_t)*sums;
    *sums += l - k + 1;
    to->terms = terms + convk_grids_term_(l, k, 0, 0);
    to->group = (uint32_t)group;
    to->power = (uint32_t)k;
    to->degree = (uint32_t)(l - k);
  }
  return to;
}

/* Lots of `rows` rows from `row` on, over the same tables, which have so many sums along z. */
CONVK_LOCAL_ convk_grids_lot_device_ *convk_grids_lots_(convk_grids_built_ *built, convk_grids_lot_device_ *to, size_t first,
                                                        size_t count, size_t sums, size_t row, size_t rows, size_t terms,
                                                        size_t apart) {
  CONVK_ARGUMENTS_(grids) *const a = &built->a;
  const size_t max_rows = built->job->density ? rows : built->lot;
  size_t r;
  for (r = 0; r < rows; r += max_rows, to++) {
    to->first = first;
    to->count = count;
    to->row = row + r;
    to->rows = convk_least_(rows - r, max_rows);
    to->terms = terms + r * apart;
    to->apart = apart;
    to->sums = a->plane_sums;
    a->plane_sums += sums * to->rows * (built->job->bloch ? 2 : 1);
    if (to->count * to->rows > a->lot_sums) a->lot_sums = to->count * to->rows;
  }
  return to;
}

/* All that is sent, at made->base, behind which is room for what the host needs. */
CONVK_RARE_ void convk_grids_build_all_(convk_grids_built_ *built) {
  convk_grids_job_ *const job = built->job;
  CONVK_ARGUMENTS_(grids) *const a = &built->a;
  convk_grids_table_device_ *const tables = (convk_grids_table_device_ *)(void *)(built->base + a->tables), *table = tables;
  convk_grids_lot_device_ *const lots = (convk_grids_lot_device_ *)(void *)(built->base + a->lots), *lot = lots;
  size_t g, i, p, row = 0, primitive = 0, terms = 0, sums = 0;
  if (job->general) {
    convk_cells_build_all_(built);
    return;
  }
  built->points = 1; /* lists are made even where no group has a point */
  convk_grids_build_terms_(built, convk_grids_ranges_);
  convk_grids_axes_(built, (convk_grids_axis_device_ *)(void *)(built->base + a->axes));
  if (job->head.combined) {
    for (g = 0; g < job->ngroups; g++) table = convk_grids_list_(table, g, job->groups[g].l, job->groups[g].terms, &sums);
    lot = convk_grids_lots_(built, lot, 0, (size_t)(table - tables), sums, 0, job->norbitals, 0, job->whole);
    if (job->density && !job->norbitals) lot++; /* of which nothing is looked at */
  }
  for (i = 0; i < job->nshells && !job->head.combined; i++) {
    const convk_shell *const s = &job->shells[i];
    const size_t l = (size_t)s->l, own = convk_grids_terms_(l), count = (size_t)convk_shell_functions(s->l, s->functions);
    const size_t first = (size_t)(table - tables), before = sums;
    for (p = 0; p < s->primitives; p++) table = convk_grids_list_(table, job->of[primitive + p], l, p * own, &sums);
    lot = convk_grids_lots_(built, lot, first, (size_t)(table - tables) - first, sums - before, row, count, terms,
                            s->primitives * own);
    row += count;
    primitive += s->primitives;
    terms += count * s->primitives * own;
  }
  for (g = 0; g < job->ngroups; g++)
    if (job->groups[g].l >= a->depth) a->depth = (uint32_t)job->groups[g].l + 1;
  if (!job->ngroups) a->listed = 0; /* no lists are made, and lots have no tables */
  a->ntables = (uint64_t)(table - tables);
  a->nlots = (uint64_t)(lot - lots);
}

/* 2: a density with what derivatives give; 1: a density alone. */
CONVK_LOCAL_ int convk_grids_density_(const convk_grids_job_ *job) { return !job->density ? 0 : job->kinds > 1 ? 2 : 1; }

/* ---- host arrays ---- */

/* Planes of a part. */
CONVK_LOCAL_ size_t convk_grids_planes_(const convk_grids_built_ *built, size_t part) {
  return convk_least_(built->job->n[2] - part * built->each, built->each);
}

/* Bytes of a result in a point. */
CONVK_LOCAL_ size_t convk_grids_element_(const convk_grids_job_ *job) {
  return (job->bloch && !job->density ? 2 : 1) * sizeof(CONVK_T);
}

/* Results of a part between the device and the caller's arrays. */
CONVK_LOCAL_ int convk_grids_copy_(CONVK_DEVICE_(host) *host, int download, const convk_grids_built_ *built, size_t part,
                                   size_t slot) {
  const convk_grids_job_ *const job = built->job;
  const size_t s = convk_grids_element_(job), plane = job->n[0] * job->n[1], none[3] = {0, 0, 0};
  convk_grid3 grid = job->box.grid;
  size_t count[3], d, r;
  int status = CONVK_OK;
  count[0] = job->n[0];
  count[1] = job->n[1];
  count[2] = convk_grids_planes_(built, part);
  grid.nz = built->each;
  for (d = 0; d < 5; d++)
    for (r = 0; r < built->rows && built->results[d] && !status; r++)
      status = CONVK_DEVICE_(copy_box)(host, download, built->results[d], (slot * built->rows + r) * built->each * plane * s,
                                       &grid, none, count, s,
                                       job->out[d] + (r * job->ld + part * built->each * grid.pitch_z) * (s / sizeof(CONVK_T)));
  return status;
}

/* A density that is added to. */
CONVK_LOCAL_ int convk_grids_bring_(CONVK_DEVICE_(host) *host, void *arg, size_t part, size_t slot) {
  const convk_grids_built_ *const built = (const convk_grids_built_ *)arg;
  return built->job->add ? convk_grids_copy_(host, 0, built, part, slot) : CONVK_OK;
}

CONVK_LOCAL_ int convk_grids_work_on_(CONVK_DEVICE_(host) *host, void *arg, size_t part, size_t slot) {
  convk_grids_built_ *const built = (convk_grids_built_ *)arg;
  const convk_grids_job_ *const job = built->job;
  const size_t plane = job->n[0] * job->n[1], bytes = built->rows * built->each * plane * convk_grids_element_(job);
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  CONVK_ARRAY_(CONVK_T) out[5];
  size_t d;
  int status = CONVK_OK;
  memset(out, 0, sizeof out);
  for (d = 0; d < 5; d++)
    if (built->results[d])
      out[d] = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(built->results[d]), slot * bytes, sizeof(CONVK_T));
  built->a.first_plane = part * built->each;
  built->a.planes = convk_grids_planes_(built, part);
  built->a.pitch_y = job->n[0];
  built->a.pitch_z = plane;
  built->a.ld = built->each * plane;
  if (!part) status = CONVK_DEVICE_(send)(host, built->work, 0, built->sent, built->base);
  if (!status)
    status = convk_grids_start_(&call, &built->a, part ? 0 : built->points, job->density ? 1 : built->lot,
                                convk_grids_density_(job), CONVK_DEVICE_(array_of)(built->work), out);
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_LOCAL_ int convk_grids_fetch_(CONVK_DEVICE_(host) *host, void *arg, size_t part, size_t slot) {
  return convk_grids_copy_(host, 1, (const convk_grids_built_ *)arg, part, slot);
}

/* Buffers, then parts. */
CONVK_LOCAL_ int convk_grids_parts_(CONVK_DEVICE_(host) *host, convk_grids_built_ *built) {
  const convk_grids_job_ *const job = built->job;
  const size_t s = convk_grids_element_(job), plane = job->n[0] * job->n[1];
  size_t d, parts, places, unit = 0;
  int status = CONVK_OK;
  for (d = 0; d < 5; d++) built->kinds += job->out[d] != NULL;
  built->rows = job->density ? 1 : job->norbitals;
  if (convk_mul_(built->kinds * built->rows * s, plane, &unit)) status = CONVK_ERR_OVERFLOW;
  if (!status) status = CONVK_DEVICE_(parts_of)(host, job->n[2], unit, 0, built->bytes, 1, &built->each);
  parts = status ? 1 : convk_ceil_(job->n[2], built->each);
  places = parts > 1 ? CONVK_SLOTS_ : 1;
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, built->bytes, &built->work);
  for (d = 0; d < 5 && !status; d++)
    if (job->out[d])
      status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_ + d, places * built->rows * built->each * plane * s,
                                     &built->results[d]);
  if (status) return status;
  return CONVK_DEVICE_(parts_run)(host, parts, convk_grids_bring_, convk_grids_work_on_, convk_grids_fetch_, built);
}

CONVK_LOCAL_ int convk_grids_host_(convk *hw, void *checked) {
  convk_grids_job_ *const job = (convk_grids_job_ *)checked;
  CONVK_DEVICE_(host) *host = NULL;
  convk_grids_built_ built;
  convk_work_ memory;
  size_t at[3];
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), 1);
  if (!status) status = convk_grids_layout_(hw->message, job, &built);
  if (!status) status = convk_work_begin_(hw->message, &memory, NULL, 0, built.sent + convk_grids_host_bytes_(job, at) + 64);
  if (status) return status;
  built.base = memory.base;
  convk_grids_build_all_(&built);
  status = CONVK_DEVICE_(begin)(host);
  if (!status) status = CONVK_DEVICE_(end)(host, convk_grids_parts_(host, &built)); /* which waits for what is sent */
  convk_work_end_(&memory);
  return status;
}

/* ---- device memory ---- */

/* Bytes of the caller's work memory, wherever that begins. */
#define CONVK_GRIDS_ASKED_(bytes) ((bytes) + 256)

CONVK_LOCAL_ int convk_grids_query_(char *message, convk_grids_job_ *job, size_t *bytes) {
  convk_grids_built_ built;
  const int status = convk_grids_layout_(message, job, &built);
  if (!status) *bytes = CONVK_GRIDS_ASKED_(built.bytes);
  return status;
}

/* Of orbitals and densities, at a point k or not. */
CONVK_LOCAL_ int convk_grids_shells_query_(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                           const convk_bloch *bloch, size_t *bytes) {
  convk_grids_job_ job;
  char *message;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_grids_query_set_(message, box, set, bloch, bytes, &job);
  return status ? status : convk_grids_query_(message, &job, bytes);
}

CONVK_API_ int convk_orbitals_grid_work_size_resident(CONVK_ON_ *on, const convk_gaussian_box *box,
                                                      const convk_orbital_set *set, size_t *bytes) {
  return convk_grids_shells_query_(on, box, set, NULL, bytes);
}

CONVK_API_ int convk_orbitals_grid_k_work_size_resident(CONVK_ON_ *on, const convk_gaussian_box *box,
                                                        const convk_orbital_set *set, size_t *bytes) {
  const convk_bloch bloch = convk_grids_any_bloch_();
  return convk_grids_shells_query_(on, box, set, &bloch, bytes);
}

CONVK_API_ int convk_gridpot_grid_work_size_resident(CONVK_ON_ *on, const convk_gaussian_box *box,
                                                     const convk_gaussians *gaussians, size_t *bytes) {
  convk_grids_job_ job;
  convk_gaussians own;
  char *message;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_grids_query_gaussians_(message, box, gaussians, bytes, &own, &job);
  return status ? status : convk_grids_query_(message, &job, bytes);
}

/* A call whose job has its kinds, on results `out`. */
CONVK_RARE_ int convk_grids_on_(CONVK_DEVICE_(frame) *f, const convk_gaussian_box *box, const convk_orbital_set *set,
                                const convk_gaussians *of, int plain, const convk_gaussian_options *options,
                                convk_grids_job_ *job, CONVK_ARRAY_(CONVK_T) const *out) {
  const size_t s = sizeof(CONVK_T);
  convk_grids_built_ built;
  convk_work_ memory;
  size_t c_bytes = 0, bytes = 0, at[3], d;
  if (!f->status) f->status = convk_grids_request_(f->message, box, set, of, plain, options, job, &c_bytes);
  if (!f->status) f->status = convk_grids_results_(f->message, job, &bytes);
  if (!f->status) f->status = convk_grids_counted_(f->message, job);
  if (!f->status) f->status = convk_grids_layout_(f->message, job, &built);
  if (f->status) return CONVK_DEVICE_(frame_end)(f);
  for (d = 0; d < 5; d++) {
    const int must = convk_grids_must_(job, d), may = bytes && must ? 0 : CONVK_PLACE_OPTIONAL_;
    if (must || CONVK_DEVICE_(is_set)(out[d]))
      CONVK_DEVICE_(frame_place)(f, convk_grids_name_(job, d), out[d], bytes / s, s, CONVK_PLACE_WRITTEN_ | may);
    built.a.wanted |= CONVK_DEVICE_(is_set)(out[d]) ? 1u << d : 0;
  }
  if (!CONVK_DEVICE_(frame_work)(f, CONVK_GRIDS_ASKED_(built.bytes)) || (!job->norbitals && !job->density))
    return CONVK_DEVICE_(frame_end)(f);
  f->status = convk_work_begin_(f->message, &memory, NULL, 0, built.sent + convk_grids_host_bytes_(job, at) + 64);
  if (f->status) return CONVK_DEVICE_(frame_end)(f);
  built.base = memory.base;
  convk_grids_build_all_(&built);
  f->status = convk_grids_send_(&f->call, f->work, built.base, built.sent);
  if (!f->status)
    f->status = convk_grids_start_(&f->call, &built.a, built.points, job->density ? 1 : built.lot, convk_grids_density_(job),
                                   f->work, out);
  convk_work_end_(&memory);
  return CONVK_DEVICE_(frame_end)(f);
}

/* The same where there is one result. */
CONVK_RARE_ int convk_grids_one_(CONVK_DEVICE_(frame) f, const convk_gaussian_box *box, const convk_orbital_set *set,
                                 const convk_gaussians *of, int plain, const convk_gaussian_options *options,
                                 convk_grids_job_ *job, CONVK_ARRAY_(CONVK_T) to) {
  CONVK_ARRAY_(CONVK_T) out[5];
  memset(out, 0, sizeof out);
  out[0] = to;
  return convk_grids_on_(&f, box, set, of, plain, options, job, out);
}

CONVK_API_ int convk_orbitals_grid_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                            const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) value, size_t ld,
                                            CONVK_ARRAY_(void) work, size_t work_size) {
  convk_grids_job_ job;
  convk_grids_begin_(convk_grids_kernel_table_(), 1, 0, &job);
  job.ld = ld;
  return convk_grids_one_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size), box, set, NULL, 0, options, &job,
                          value);
}

CONVK_API_ int convk_orbitals_grid_vgl_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                                const convk_gaussian_options *options, const CONVK_DEVICE_STRUCT_(vgl) * to,
                                                CONVK_ARRAY_(void) work, size_t work_size) {
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size);
  CONVK_ARRAY_(CONVK_T) out[5];
  convk_grids_job_ job;
  if (!f.status) f.status = convk_need_(f.message, "out", to);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  memcpy(out, to, sizeof out); /* value .. laplacian */
  convk_grids_begin_(convk_grids_kernel_table_(), 3, 0, &job);
  job.ld = to->ld;
  return convk_grids_on_(&f, box, set, NULL, 0, options, &job, out);
}

CONVK_API_ int convk_density_grid_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                           const convk_gaussian_options *options,
                                           const CONVK_DEVICE_STRUCT_(density_parts) * to, CONVK_ARRAY_(void) work,
                                           size_t work_size) {
  CONVK_DEVICE_(frame) f = CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size);
  CONVK_ARRAY_(CONVK_T) out[5];
  convk_grids_job_ job;
  int slopes = 0;
  size_t d;
  if (!f.status) f.status = convk_need_(f.message, "out", to);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  memcpy(out, to, sizeof out); /* density .. tau */
  for (d = 1; d < 4; d++) slopes += CONVK_DEVICE_(is_set)(out[d]);
  convk_grids_begin_(convk_grids_kernel_table_(), slopes || CONVK_DEVICE_(is_set)(out[4]) ? 3 : 1, 1, &job);
  if (slopes % 3) f.status = convk_refuse_(f.message, CONVK_ERR_NULL, "out->dx, out->dy and out->dz: all three or none");
  return convk_grids_on_(&f, box, set, NULL, 0, options, &job, out);
}

/* At a point k. */
CONVK_RARE_ int convk_grids_bloch_on_(CONVK_DEVICE_(frame) f, const convk_gaussian_box *box, const convk_orbital_set *set,
                                      const convk_bloch *bloch, const convk_gaussian_options *options, convk_grids_job_ *job,
                                      CONVK_ARRAY_(CONVK_T) to) {
  job->bloch = bloch;
  if (!f.status) f.status = convk_need_(f.message, "bloch", bloch);
  if (!f.status && job->add != 0 && job->add != 1)
    f.status = convk_refuse_at_(f.message, CONVK_ERR_OPTION, "add is %, and not 0 or 1", job->add, 0, 0);
  return convk_grids_one_(f, box, set, NULL, 0, options, job, to);
}

CONVK_API_ int convk_orbitals_grid_k_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                              const convk_bloch *bloch, const convk_gaussian_options *options,
                                              CONVK_ARRAY_(CONVK_T) value, size_t ld, CONVK_ARRAY_(void) work,
                                              size_t work_size) {
  convk_grids_job_ job;
  convk_grids_begin_(convk_grids_kernel_table_(), 1, 0, &job);
  job.ld = ld;
  return convk_grids_bloch_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size), box, set, bloch, options, &job,
                               value);
}

CONVK_API_ int convk_density_grid_k_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_orbital_set *set,
                                             const convk_bloch *bloch, const convk_gaussian_options *options,
                                             CONVK_ARRAY_(CONVK_T) density, int add, CONVK_ARRAY_(void) work,
                                             size_t work_size) {
  convk_grids_job_ job;
  convk_grids_begin_(convk_grids_kernel_table_(), 1, 1, &job);
  job.add = add;
  return convk_grids_bloch_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size), box, set, bloch, options, &job,
                               density);
}

CONVK_API_ int convk_gridpot_grid_resident(CONVK_ON_ *on, const convk_gaussian_box *box, const convk_gaussians *gaussians,
                                           const convk_gaussian_options *options, CONVK_ARRAY_(CONVK_T) sums, size_t ld,
                                           CONVK_ARRAY_(void) work, size_t work_size) {
  convk_grids_job_ job;
  convk_grids_begin_(convk_grids_kernel_table_(), 1, 0, &job);
  job.ld = ld;
  return convk_grids_one_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), 1, work, work_size), box, NULL, gaussians, 1, options,
                          &job, sums);
}
#undef CONVK_GRIDS_ASKED_

static const convk_grids_kernels_ convk_grids_table_ = {1,    convk_gaussian_finite_, NULL, NULL, NULL, 0, 0, NULL, NULL,
                                                        NULL, convk_grids_host_,      NULL};
CONVK_LOCAL_ const convk_grids_kernels_ *convk_grids_kernel_table_(void) { return &convk_grids_table_; }

/* For a handle of the device: as those of Gaussians at points. */
CONVK_GRIDS_OPERATIONS_(CONVK_OP_VARIANT_)
