#if CONVK_HAS_GAUSSIAN_
/* ---- tiles of a grid: which groups they need, panels of their tables, sums ---- */

/* What one task has for itself. */
typedef struct convk_ongrid_scratch_ {
  convk_ongrid_entry_ *entry;
  size_t *column;                      /* groups that may be alive in a column of tiles */
  size_t *place;                       /* where the tables of such a group begin in the panel; none: not alive */
  convk_ongrid_listed_ *list, *strips; /* tables of each block, and of each block and some strips */
  size_t counts[CONVK_ONGRID_WIDE_], strip_counts[CONVK_ONGRID_WIDE_ * CONVK_ONGRID_LISTS_];
  unsigned char *where; /* of each row of the panel: in which strips it is not 0, a bit for those that share lists */
  CONVK_T *panel, *y, *w, *values;
  size_t panel_apart, w_apart, value_apart; /* between kinds */
} convk_ongrid_scratch_;

/* A tile: its first point, its points, its number along each axis. */
typedef struct convk_ongrid_at_ {
  size_t first[3], n[3], index[3], total; /* total: rows of the panel */
  size_t groups;                          /* of the column */
  size_t together, lists, alive;          /* strips that share lists; those, and how many rows are not 0 in all of them */
} convk_ongrid_at_;

#define CONVK_ONGRID_NONE_ ((size_t)-1)
/* Measured on Zen 4, one orbital and five of 22 tables, many of 348: lists for strips pay from the third part of all terms on,
   and where the lists of a tile have a dozen fewer each. */
#define CONVK_ONGRID_PART_ 3
#define CONVK_ONGRID_FEW_ 12
#define CONVK_ONGRID_BLOCKS_ (CONVK_ONGRID_WIDE_ / 4) /* blocks of rows of a tile, at most */

/* Elements of a row of a panel: of any tile, and room for strips that its first one shifts. */
#define CONVK_ONGRID_WIDTH_ ((size_t)192)

/* `at` bytes from base on, if there is one. */
CONVK_LOCAL_ void *convk_ongrid_there_(char *base, size_t at) { return base ? base + at : NULL; }

/* Kinds of rows that tables along y have room for in a tile: phases also need exponentials without them. */
CONVK_LOCAL_ size_t convk_ongrid_y_kinds_(const convk_ongrid_job_ *job) {
  return convk_ongrid_kinds_(job, 1) + (size_t)job->turned[1];
}

/* Where the parts of a task's scratch are, from `base` on; their bytes.  base NULL: for that alone. */
CONVK_RARE_ size_t convk_ongrid_scratch_of_(const convk_ongrid_job_ *job, char *base, convk_ongrid_scratch_ *to) {
  const size_t kinds = convk_ongrid_kinds_(job, 0), width = CONVK_ONGRID_WIDTH_, s = sizeof(CONVK_T);
  const size_t weights = job->bloch ? 2 : kinds > 1 ? 4 : 1;
  size_t at = 0;
  to->panel_apart = job->rows * width;
  to->w_apart = job->rows * CONVK_ONGRID_WIDE_;
  to->value_apart = CONVK_ONGRID_Y_ * width;
  to->panel = (CONVK_T *)convk_ongrid_there_(base, at);
  at += convk_round_up_(kinds * to->panel_apart * s, 64);
  to->y = (CONVK_T *)convk_ongrid_there_(base, at);
  at += convk_round_up_(convk_ongrid_y_kinds_(job) * job->rows * CONVK_ONGRID_WIDE_ * s, 64);
  to->w = (CONVK_T *)convk_ongrid_there_(base, at);
  at += convk_round_up_(weights * to->w_apart * s, 64);
  to->values = (CONVK_T *)convk_ongrid_there_(base, at);
  if (job->density && job->kinds > 1) at += convk_round_up_(weights * to->value_apart * s, 64);
  to->entry = (convk_ongrid_entry_ *)convk_ongrid_there_(base, at);
  at += convk_round_up_(job->primitives * sizeof *to->entry, 64);
  to->place = (size_t *)convk_ongrid_there_(base, at);
  at += convk_round_up_(job->primitives * sizeof *to->place, 64);
  to->column = (size_t *)convk_ongrid_there_(base, at);
  at += convk_round_up_(job->primitives * sizeof *to->column, 64);
  to->list = (convk_ongrid_listed_ *)convk_ongrid_there_(base, at);
  at += convk_round_up_(job->rows * CONVK_ONGRID_BLOCKS_ * sizeof *to->list, 64);
  to->strips = (convk_ongrid_listed_ *)convk_ongrid_there_(base, at);
  at += convk_round_up_(job->rows * CONVK_ONGRID_BLOCKS_ * CONVK_ONGRID_LISTS_ * sizeof *to->strips, 64);
  to->where = (unsigned char *)convk_ongrid_there_(base, at);
  at += convk_round_up_(job->rows, 64);
  return at;
}

/* The groups that may be alive in a column of tiles, in order. */
CONVK_RARE_ size_t convk_ongrid_column_(const convk_ongrid_job_ *job, const convk_ongrid_at_ *tile,
                                        const convk_ongrid_scratch_ *own) {
  size_t g, count = 0;
  for (g = 0; g < job->ngroups; g++) {
    const convk_ongrid_group_ *const group = &job->groups[g];
    own->column[count] = g;
    own->place[g] = CONVK_ONGRID_NONE_;
    count += group->most[1][tile->index[1]] > 0 && group->most[2][tile->index[2]] > 0;
  }
  return count;
}

/* Which groups of the column are alive in the tile: rows of the panel are given to them. */
CONVK_RARE_ void convk_ongrid_alive_(const convk_ongrid_job_ *job, convk_ongrid_at_ *tile, const convk_ongrid_scratch_ *own) {
  size_t i;
  tile->total = 0;
  for (i = 0; i < tile->groups; i++) {
    const size_t g = own->column[i];
    const convk_ongrid_group_ *const group = &job->groups[g];
    const CONVK_T ez = group->most[2][tile->index[2]] * group->most[0][tile->index[0]];
    const int alive = group->most[1][tile->index[1]] * ez >= job->part.cut;
    own->place[g] = alive ? tile->total : CONVK_ONGRID_NONE_;
    if (alive) tile->total += group->l + 1;
  }
}

/* n elements of a row of a table that has `count` from `low` on, from element `first` on; 0 where it has none. */
CONVK_RARE_ void convk_ongrid_part_(const CONVK_T *row, size_t low, size_t count, size_t first, size_t n, CONVK_T *to) {
  const size_t begin = low > first ? low - first : 0, end = low + count > first ? low + count - first : 0;
  const size_t from = convk_least_(begin, n), last = convk_least_(end, n);
  size_t i;
  for (i = 0; i < from; i++) to[i] = 0;
  if (last > from) memcpy(to + from, row + (first + from - low), (last - from) * sizeof *to);
  for (i = last > from ? last : from; i < n; i++) to[i] = 0;
}

/* In which strips an exponential of a group is not 0. */
CONVK_RARE_ unsigned convk_ongrid_where_(const convk_ongrid_job_ *job, const convk_ongrid_at_ *tile,
                                         const convk_ongrid_group_ *group, size_t strips) {
  const size_t strip = job->kernels->strip, head = job->head_elements, low = group->low[0], end = low + group->count[0];
  const CONVK_T *const size = group->table[0] + convk_ongrid_size_row_(job, 0, group->l) * group->count[0];
  unsigned which = 0;
  size_t s, i, first = tile->first[0];
  for (s = 0; s < strips; first += s || !head ? strip : head, s++) {
    const size_t last = convk_least_(first + strip, end);
    for (i = first > low ? first : low; i < last && !(size[i - low] > 0);) i++;
    if (i < last) which |= 1u << s / tile->together;
  }
  return which;
}

/* Tables of alive groups: along x in strips, along y in rows. */
CONVK_RARE_ void convk_ongrid_pack_(const convk_ongrid_job_ *job, convk_ongrid_at_ *tile, const convk_ongrid_scratch_ *own) {
  const size_t strip = job->kernels->strip, kinds = convk_ongrid_kinds_(job, 0), head = job->head_elements;
  const size_t strips = head && head < tile->n[0] ? 1 + convk_ceil_(tile->n[0] - head, strip) : convk_ceil_(tile->n[0], strip);
  size_t at, k, kind, s, first;
  tile->together = convk_ceil_(strips, CONVK_ONGRID_LISTS_);
  tile->lists = convk_ceil_(strips, tile->together);
  tile->alive = 0;
  for (at = 0; at < tile->groups; at++) {
    const size_t g = own->column[at];
    const convk_ongrid_group_ *const group = &job->groups[g];
    const size_t rows = group->l + 1, place = own->place[g];
    unsigned where;
    if (place == CONVK_ONGRID_NONE_) continue;
    for (kind = 0; kind < kinds; kind++)
      for (k = 0; k < rows; k++) {
        CONVK_T *const panel = own->panel + kind * own->panel_apart + (place + k) * strip;
        for (s = first = 0; s < strips; first += s || !head ? strip : head, s++)
          convk_ongrid_part_(group->table[0] + (kind * rows + k) * group->count[0], group->low[0], group->count[0],
                             tile->first[0] + first, strip, panel + s * strip * tile->total);
      }
    for (k = 0; k < convk_ongrid_rows_(job, 1, group->l); k++)
      convk_ongrid_part_(group->table[1] + k * group->count[1], group->low[1], group->count[1], tile->first[1],
                         CONVK_ONGRID_WIDE_, own->y + (convk_ongrid_y_kinds_(job) * place + k) * CONVK_ONGRID_WIDE_);
    where = convk_ongrid_where_(job, tile, group, strips);
    for (k = 0; k < rows; k++) own->where[place + k] = (unsigned char)where;
    for (; where; where &= where - 1) tile->alive += rows;
  }
}

/* Lists of the tables that count in some strips, of each block. */
CONVK_RARE_ void convk_ongrid_lists_(const convk_ongrid_job_ *job, const convk_ongrid_at_ *tile, convk_ongrid_scratch_ *own) {
  const size_t blocks = convk_ceil_(tile->n[1], job->kernels->block);
  size_t b, s, q;
  for (b = 0; b < blocks; b++)
    for (s = 0; s < tile->lists; s++) {
      const convk_ongrid_listed_ *const from = own->list + b * tile->total;
      convk_ongrid_listed_ *const to = own->strips + (b * CONVK_ONGRID_LISTS_ + s) * tile->total;
      size_t count = 0;
      for (q = 0; q < own->counts[b]; q++) {
        to[count] = from[q];
        count += own->where[from[q].x] >> s & 1;
      }
      own->strip_counts[b * CONVK_ONGRID_LISTS_ + s] = count;
    }
}

/* The entry of a group, for an orbital of degree l. */
CONVK_LOCAL_ convk_ongrid_entry_ convk_ongrid_entry_of_(const convk_ongrid_job_ *job, const convk_ongrid_at_ *tile, size_t g,
                                                        const convk_ongrid_scratch_ *own) {
  const convk_ongrid_group_ *const group = &job->groups[g];
  convk_ongrid_entry_ e;
  e.l = group->l;
  e.x = own->place[g];
  e.terms = group->terms;
  e.z_low = group->low[2];
  e.z_count = group->count[2];
  e.y_apart = (e.l + 1) * CONVK_ONGRID_WIDE_;
  e.z_apart = (e.l + 1) * e.z_count;
  e.y = own->y + convk_ongrid_y_kinds_(job) * e.x * CONVK_ONGRID_WIDE_;
  e.z = group->table[2];
  e.ex = group->most[0][tile->index[0]];
  e.ey = group->most[1][tile->index[1]];
  return e;
}

/* Whether lists for strips pay: where they spare some of the product, of one orbital a part of it, of many soon.  Each also
   costs a branch that is foretold wrongly, some 20 cycles. */
CONVK_LOCAL_ int convk_ongrid_sparse_(const convk_ongrid_job_ *job, const convk_ongrid_at_ *tile) {
  const size_t all = tile->total * tile->lists, dead = all - tile->alive;
  return dead * CONVK_ONGRID_PART_ * job->norbitals > all && dead > CONVK_ONGRID_FEW_ * tile->lists;
}

/* Weights of one orbital in one plane of a tile, and what its products need of them.  again: lists are those of the call
   before. */
CONVK_RARE_ void convk_ongrid_weigh_all_(const convk_ongrid_job_ *job, const convk_ongrid_at_ *tile, convk_ongrid_scratch_ *own,
                                         convk_ongrid_weights_ *weights, convk_ongrid_product_ *product, int again) {
  weights->rows = tile->n[1];
  weights->apart = own->w_apart;
  weights->w = own->w;
  weights->list = own->list;
  weights->counts = own->counts;
  weights->cut = job->part.cut;
  weights->again = again;
  if (weights->kinds == 2) job->kernels->wave_weigh(weights);
  else job->kernels->weigh(weights);
  if (product->together && !again) convk_ongrid_lists_(job, tile, own);
  product->counts = product->together ? own->strip_counts : own->counts;
  product->list = product->together ? own->strips : own->list;
  product->list_strip = tile->total;
  product->list_block = weights->total * (product->together ? CONVK_ONGRID_LISTS_ : 1);
  product->rows = tile->n[1];
  product->n = tile->n[0];
  product->total = tile->total;
  product->w_block = weights->total * job->kernels->block;
  product->head = job->head_elements;
}

/* Sums of one orbital in one plane of a tile, of each kind: at out, rows at distance `pitch`; or what product->squares says. */
CONVK_RARE_ void convk_ongrid_plane_(const convk_ongrid_job_ *job, const convk_ongrid_at_ *tile, convk_ongrid_scratch_ *own,
                                     convk_ongrid_weights_ *weights, convk_ongrid_product_ *product, CONVK_T *const *out,
                                     int again) {
  int k;
  weights->kinds = job->kinds > 1 ? 4 : 1;
  convk_ongrid_weigh_all_(job, tile, own, weights, product, again);
  for (k = 0; k < (job->kinds == 1 ? 1 : job->density ? 4 : 5); k++) {
    static const int weight[5] = {0, 0, 1, 2, 0}, table[5] = {0, 1, 0, 0, 2};
    product->w[0] = own->w + (size_t)weight[k] * own->w_apart;
    product->panel[0] = own->panel + (size_t)table[k] * own->panel_apart;
    product->w[1] = own->w + 3 * own->w_apart;
    product->panel[1] = own->panel;
    product->parts = k == 4 ? 2 : 1;
    product->out = out[k];
    product->stream = job->stream && ((uintptr_t)out[k] + job->head_elements * sizeof(CONVK_T)) % 64 == 0;
    job->kernels->multiply(product);
  }
}

/* One plane: of all orbitals, or of their density. */
CONVK_RARE_ void convk_ongrid_orbitals_(const convk_ongrid_job_ *job, const convk_ongrid_at_ *tile, convk_ongrid_scratch_ *own,
                                        size_t count, size_t z) {
  const size_t at = (tile->first[2] + z) * job->box.grid.pitch_z + tile->first[1] * job->box.grid.pitch_y + tile->first[0];
  const int parts = job->density && job->kinds > 1; /* of a density, which needs all of an orbital at once */
  convk_ongrid_weights_ weights;
  convk_ongrid_product_ product;
  convk_ongrid_squares_ squares;
  CONVK_T *out[5];
  size_t o, d;
  weights.entry = own->entry;
  weights.count = count;
  weights.total = tile->total;
  weights.plane = tile->first[2] + z;
  product.together = convk_ongrid_sparse_(job, tile) ? tile->together : 0;
  product.pitch = parts ? CONVK_ONGRID_WIDTH_ : job->box.grid.pitch_y;
  squares.rows = tile->n[1];
  squares.n = tile->n[0];
  squares.from_pitch = CONVK_ONGRID_WIDTH_;
  squares.apart = own->value_apart;
  squares.pitch = job->box.grid.pitch_y;
  squares.value = own->values;
  for (d = 0; d < 5; d++) squares.out[d] = job->out[d] ? job->out[d] + at : NULL;
  for (d = 0; d < 5 && job->density && (!parts || !job->norbitals); d++)
    for (o = 0; o < tile->n[1] && job->out[d]; o++)
      memset(job->out[d] + at + o * squares.pitch, 0, tile->n[0] * sizeof *out[0]);
  for (o = 0; o < job->norbitals; o++) {
    weights.terms = job->coefficients + o * job->whole;
    for (d = 0; d < 5; d++)
      out[d] = parts          ? own->values + d * own->value_apart
               : !job->out[d] ? NULL
                              : job->out[d] + at + (job->density ? 0 : o * job->ld);
    squares.weight = product.weight = job->density ? CONVK_ONE_(job->occupations + o) : 0;
    squares.first = o == 0;
    product.squares = job->density && !parts;
    convk_ongrid_plane_(job, tile, own, &weights, &product, out, o > 0);
    if (parts) job->kernels->add_squares(&squares);
  }
}

/* One plane of all Bloch sums, or of their density. */
CONVK_RARE_ void convk_onwave_plane_(const convk_ongrid_job_ *job, const convk_ongrid_at_ *tile, convk_ongrid_scratch_ *own,
                                     size_t count, size_t z) {
  const size_t at = (tile->first[2] + z) * job->box.grid.pitch_z + tile->first[1] * job->box.grid.pitch_y + tile->first[0];
  const size_t each = job->density ? 1 : 2; /* numbers of a point */
  convk_ongrid_weights_ weights;
  convk_ongrid_product_ product;
  size_t o, r;
  memset(&weights, 0, sizeof weights);
  memset(&product, 0, sizeof product);
  weights.entry = own->entry;
  weights.count = count;
  weights.total = tile->total;
  weights.plane = tile->first[2] + z;
  weights.turned_y = job->turned[1];
  weights.turned_z = job->turned[2];
  weights.kinds = job->turned[1] || job->turned[2] || job->bloch->imag ? 2 : 1;
  product.together = convk_ongrid_sparse_(job, tile) ? tile->together : 0;
  product.pitch = each * job->box.grid.pitch_y;
  product.squares = job->density;
  product.w[0] = own->w;
  product.w[1] = weights.kinds > 1 ? own->w + own->w_apart : NULL;
  product.panel[0] = own->panel;
  product.panel[1] = job->turned[0] ? own->panel + own->panel_apart : NULL;
  for (r = 0; r < tile->n[1] && job->density && !job->add; r++)
    memset(job->out[0] + at + r * product.pitch, 0, tile->n[0] * sizeof *job->out[0]);
  for (o = 0; o < job->norbitals; o++) {
    weights.terms = job->coefficients + o * job->whole;
    weights.imag = job->bloch->imag ? weights.terms + job->term_rows / 2 : NULL;
    product.weight = job->density ? CONVK_ONE_(job->occupations + o) : 0;
    product.out = job->out[0] + each * (at + (job->density ? 0 : o * job->ld));
    convk_ongrid_weigh_all_(job, tile, own, &weights, &product, o > 0);
    product.stream = job->stream && ((uintptr_t)product.out + 2 * job->head_elements * sizeof(CONVK_T)) % 64 == 0;
    job->kernels->wave_multiply(&product);
  }
}

/* The functions of each shell, without coefficients: one plane after another. */
CONVK_RARE_ void convk_ongrid_functions_(const convk_ongrid_job_ *job, const convk_ongrid_at_ *tile,
                                         convk_ongrid_scratch_ *own) {
  const size_t at = tile->first[2] * job->box.grid.pitch_z + tile->first[1] * job->box.grid.pitch_y + tile->first[0];
  const CONVK_T *terms = job->coefficients;
  convk_ongrid_weights_ weights;
  convk_ongrid_product_ product;
  CONVK_T *out[5];
  size_t i, p, f, z, d, primitive = 0, function = 0;
  product.together = 0;
  product.pitch = job->box.grid.pitch_y;
  product.weight = 0;
  product.squares = 0;
  for (i = 0; i < job->nshells; i++) {
    const convk_shell *const s = &job->shells[i];
    const size_t own_terms = convk_ongrid_terms_((size_t)s->l), count = (size_t)convk_shell_functions(s->l, s->functions);
    weights.entry = own->entry;
    weights.count = weights.total = 0; /* two primitives of one exponent are two entries of one group */
    for (p = 0; p < s->primitives; p++) {
      convk_ongrid_entry_ *const e = own->entry + weights.count;
      const size_t g = job->of[primitive + p];
      if (own->place[g] == CONVK_ONGRID_NONE_) continue;
      *e = convk_ongrid_entry_of_(job, tile, g, own);
      e->l = (size_t)s->l;
      e->terms = p * own_terms;
      weights.count++;
      weights.total += e->l + 1;
    }
    for (f = 0; f < count; f++, function++, terms += s->primitives * own_terms)
      for (z = 0; z < tile->n[2]; z++) {
        weights.plane = tile->first[2] + z;
        weights.terms = terms;
        for (d = 0; d < 5; d++) out[d] = job->out[d] ? job->out[d] + function * job->ld + at + z * job->box.grid.pitch_z : NULL;
        convk_ongrid_plane_(job, tile, own, &weights, &product, out, 0);
      }
    primitive += s->primitives;
  }
}

/* Columns of tiles, every so many of them. */
CONVK_LOCAL_ void convk_ongrid_task_(void *arg, size_t index) {
  const convk_ongrid_job_ *const job = (const convk_ongrid_job_ *)arg;
  convk_ongrid_scratch_ own;
  convk_ongrid_at_ tile;
  size_t column, d, g, z;
  (void)convk_ongrid_scratch_of_(job, job->scratch + index * job->task_bytes, &own);
  for (column = index; column < job->tiles[1] * job->tiles[2]; column += job->tasks) {
    tile.index[1] = column % job->tiles[1];
    tile.index[2] = column / job->tiles[1];
    tile.groups = convk_ongrid_column_(job, &tile, &own);
    for (tile.index[0] = 0; tile.index[0] < job->tiles[0]; tile.index[0]++) {
      size_t count = 0;
      for (d = 0; d < 3; d++) {
        tile.first[d] = tile.index[d] * job->tile[d];
        tile.n[d] = convk_least_(job->n[d] - tile.first[d], job->tile[d]);
      }
      convk_ongrid_alive_(job, &tile, &own);
      convk_ongrid_pack_(job, &tile, &own);
      if (!job->head.given) {
        convk_ongrid_functions_(job, &tile, &own);
        continue;
      }
      for (g = 0; g < tile.groups; g++)
        if (own.place[own.column[g]] != CONVK_ONGRID_NONE_)
          own.entry[count++] = convk_ongrid_entry_of_(job, &tile, own.column[g], &own);
      for (z = 0; z < tile.n[2]; z++) {
        if (job->bloch) convk_onwave_plane_(job, &tile, &own, count, z);
        else convk_ongrid_orbitals_(job, &tile, &own, count, z);
      }
    }
  }
  if (job->stream) job->kernels->fence();
}
#endif
