/* ---- tiles of a grid: which groups they need, panels of their tables, sums ---- */

/* What one task has for itself.  Members are groups, or of functions without coefficients, all primitives. */
typedef struct convk_grids_scratch_ {
  convk_grids_entry_ *entry;
  size_t *column;                    /* members that may be alive in tiles of this part of the x axis */
  size_t *row;                       /* where the tables of such a member begin in the panel */
  size_t *place;                     /* where they begin among those that are alive in the tile; none: not alive */
  convk_grids_listed_ *every, *list; /* all that are alive; those of each block, or of each block and some strips */
  size_t counts[CONVK_GRIDS_WIDE_ * CONVK_GRIDS_LISTS_];
  unsigned char *degree; /* of each member */
  unsigned char *where;  /* of each row of the panel: in which strips it is not 0, a bit for those that share lists */
  unsigned char *own;    /* the same of those that are alive */
  unsigned short *live;  /* in which blocks these count, a bit for each */
  CONVK_T *panel, *w, *values;
  size_t panel_apart, w_apart, value_apart; /* between kinds */
} convk_grids_scratch_;

/* A tile: its first point, its points, its number along each axis. */
typedef struct convk_grids_at_ {
  size_t first[3], n[3], index[3];
  size_t width, groups;   /* rows of the panel, and members that they are of */
  size_t total;           /* of the rows, those of members that are alive */
  size_t together, lists; /* strips that share lists; those */
  size_t alive;           /* how many of the rows in total are not 0, in all of them */
} convk_grids_at_;

#define CONVK_GRIDS_NONE_ ((size_t)-1)
/* Measured on Zen 4, one orbital and five of 22 tables, many of 348: lists for strips pay from the third part of all terms on,
   and where the lists of a tile have a dozen fewer each. */
#define CONVK_GRIDS_PART_ 3
#define CONVK_GRIDS_SPARSE_ 12

/* Elements of a row of a panel: of any tile, and room for strips that its first one shifts. */
#define CONVK_GRIDS_WIDTH_ ((size_t)192)

/* `at` bytes from base on, if there is one. */
CONVK_LOCAL_ void *convk_grids_device_(char *base, size_t at) { return base ? base + at : NULL; }

/* Where the parts of a task's scratch are, from `base` on; their bytes.  base NULL: for that alone. */
CONVK_RARE_ size_t convk_grids_scratch_of_(const convk_grids_job_ *job, char *base, convk_grids_scratch_ *to) {
  const size_t kinds = convk_grids_kinds_(job, 0), width = CONVK_GRIDS_WIDTH_, s = sizeof(CONVK_T);
  const size_t weights = job->bloch ? 3 : kinds > 1 ? 4 : 1;
  size_t at = 0;
  to->panel_apart = job->rows * width;
  to->w_apart = job->rows * CONVK_GRIDS_WIDE_;
  to->value_apart = CONVK_GRIDS_Y_ * width;
  to->panel = (CONVK_T *)convk_grids_device_(base, at);
  at += convk_round_up_(kinds * to->panel_apart * s, 64);
  to->w = (CONVK_T *)convk_grids_device_(base, at);
  at += convk_round_up_(weights * to->w_apart * s, 64);
  to->values = (CONVK_T *)convk_grids_device_(base, at);
  if (job->density && job->kinds > 1) at += convk_round_up_(weights * to->value_apart * s, 64);
  to->entry = (convk_grids_entry_ *)convk_grids_device_(base, at);
  at += convk_round_up_(job->primitives * sizeof *to->entry, 64);
  to->place = (size_t *)convk_grids_device_(base, at);
  at += convk_round_up_(job->primitives * sizeof *to->place, 64);
  to->row = (size_t *)convk_grids_device_(base, at);
  at += convk_round_up_(job->primitives * sizeof *to->row, 64);
  to->column = (size_t *)convk_grids_device_(base, at);
  at += convk_round_up_(job->primitives * sizeof *to->column, 64);
  to->every = (convk_grids_listed_ *)convk_grids_device_(base, at);
  at += convk_round_up_(job->rows * sizeof *to->every, 64);
  to->list = (convk_grids_listed_ *)convk_grids_device_(base, at); /* of blocks of at least four rows */
  at += convk_round_up_(convk_round_up_(job->rows, 8) * (CONVK_GRIDS_WIDE_ / 4) * CONVK_GRIDS_LISTS_ * sizeof *to->list, 64);
  to->degree = (unsigned char *)convk_grids_device_(base, at);
  at += convk_round_up_(job->primitives, 64);
  to->where = (unsigned char *)convk_grids_device_(base, at);
  at += convk_round_up_(job->rows, 64);
  to->own = (unsigned char *)convk_grids_device_(base, at);
  at += convk_round_up_(job->rows + 8, 64);
  to->live = (unsigned short *)convk_grids_device_(base, at);
  at += convk_round_up_((job->rows + 8) * sizeof *to->live, 64);
  return at;
}

/* The group of a member. */
CONVK_LOCAL_ const convk_grids_group_ *convk_grids_member_(const convk_grids_job_ *job, size_t m) {
  return &job->groups[job->head.combined ? m : job->of[m]];
}

/* The degree of each member. */
CONVK_RARE_ void convk_grids_members_(const convk_grids_job_ *job, const convk_grids_scratch_ *own) {
  size_t i, p, m = 0;
  if (job->head.combined)
    for (; m < job->ngroups; m++) own->degree[m] = (unsigned char)job->groups[m].l;
  else
    for (i = 0; i < job->nshells; i++)
      for (p = 0; p < job->shells[i].primitives; p++) own->degree[m++] = (unsigned char)job->shells[i].l;
}

/* Which members are alive in the tile, and the list of their tables. */
CONVK_RARE_ void convk_grids_alive_(const convk_grids_job_ *job, convk_grids_at_ *tile, const convk_grids_scratch_ *own) {
  const unsigned block = (unsigned)job->kernels->block;
  size_t i, k;
  tile->total = tile->alive = 0;
  for (i = 0; i < tile->groups; i++) {
    const size_t m = own->column[i], row = own->row[m];
    const convk_grids_group_ *const group = convk_grids_member_(job, m);
    const CONVK_T ez = group->maxima[2][tile->index[2]] * group->maxima[0][tile->index[0]];
    unsigned where = own->where[row];
    own->place[m] = CONVK_GRIDS_NONE_;
    if (!(group->maxima[1][tile->index[1]] * ez >= job->part.cut)) continue;
    own->place[m] = tile->total;
    for (k = 0; k <= own->degree[m]; k++, tile->total++) {
      own->every[tile->total].w = (unsigned)tile->total * block;
      own->every[tile->total].x = (unsigned)(row + k);
      own->own[tile->total] = (unsigned char)where;
    }
    for (; where; where &= where - 1) tile->alive += k;
  }
}

/* n elements of a row of a table that has `count` from `low` on, from element `first` on; 0 where it has none. */
CONVK_RARE_ void convk_grids_part_(const CONVK_T *row, size_t low, size_t count, size_t first, size_t n, CONVK_T *to) {
  const size_t begin = low > first ? low - first : 0, end = low + count > first ? low + count - first : 0;
  const size_t from = convk_least_(begin, n), last = convk_least_(end, n);
  size_t i;
  for (i = 0; i < from; i++) to[i] = 0;
  if (last > from) memcpy(to + from, row + (first + from - low), (last - from) * sizeof *to);
  for (i = last > from ? last : from; i < n; i++) to[i] = 0;
}

/* In which strips an exponential of a group is not 0. */
CONVK_RARE_ unsigned convk_grids_where_(const convk_grids_job_ *job, const convk_grids_at_ *tile,
                                        const convk_grids_group_ *group, size_t strips) {
  const size_t strip = job->kernels->strip, head = job->head_elements, low = group->low[0], end = low + group->count[0];
  const CONVK_T *const size = group->table[0] + convk_grids_size_row_(job, 0, group->l) * group->count[0];
  unsigned which = 0;
  size_t s, i, first = tile->first[0];
  for (s = 0; s < strips; first += s || !head ? strip : head, s++) {
    const size_t last = convk_least_(first + strip, end);
    for (i = first > low ? first : low; i < last && !(size[i - low] > 0);) i++;
    if (i < last) which |= 1u << s / tile->together;
  }
  return which;
}

/* Tables along x of all members that are not nothing in this part of that axis, in strips. */
CONVK_RARE_ void convk_grids_pack_(const convk_grids_job_ *job, convk_grids_at_ *tile, const convk_grids_scratch_ *own) {
  const size_t strip = job->kernels->strip, kinds = convk_grids_kinds_(job, 0), head = job->head_elements;
  const size_t strips = head && head < tile->n[0] ? 1 + convk_ceil_(tile->n[0] - head, strip) : convk_ceil_(tile->n[0], strip);
  const size_t members = job->head.combined ? job->ngroups : job->primitives;
  size_t m, at, k, kind, s, first;
  tile->together = convk_ceil_(strips, CONVK_GRIDS_LISTS_);
  tile->lists = convk_ceil_(strips, tile->together);
  tile->width = tile->groups = 0;
  for (m = 0; m < members; m++) {
    own->place[m] = CONVK_GRIDS_NONE_;
    if (!(convk_grids_member_(job, m)->maxima[0][tile->index[0]] > 0)) continue;
    own->column[tile->groups++] = m;
    own->row[m] = tile->width;
    tile->width += (size_t)own->degree[m] + 1;
  }
  for (at = 0; at < tile->groups; at++) {
    const convk_grids_group_ *const group = convk_grids_member_(job, own->column[at]);
    const size_t rows = (size_t)own->degree[own->column[at]] + 1, row = own->row[own->column[at]];
    unsigned where;
    for (kind = 0; kind < kinds; kind++)
      for (k = 0; k < rows; k++) {
        const CONVK_T *const table = group->table[0] + (kind * (group->l + 1) + k) * group->count[0];
        CONVK_T *const panel = own->panel + kind * own->panel_apart + (row + k) * strip;
        for (s = first = 0; s < strips; first += s || !head ? strip : head, s++)
          convk_grids_part_(table, group->low[0], group->count[0], tile->first[0] + first, strip,
                            panel + s * strip * tile->width);
      }
    where = convk_grids_where_(job, tile, group, strips);
    for (k = 0; k < rows; k++) own->where[row + k] = (unsigned char)where;
  }
}

/* The entry of a member. */
CONVK_LOCAL_ convk_grids_entry_ convk_grids_entry_of_(const convk_grids_job_ *job, const convk_grids_at_ *tile, size_t m,
                                                      const convk_grids_scratch_ *own) {
  const convk_grids_group_ *const group = convk_grids_member_(job, m);
  convk_grids_entry_ e;
  e.l = own->degree[m];
  e.first = own->place[m];
  e.terms = group->terms;
  e.y_count = group->count[1];
  e.z_low = group->low[2];
  e.z_count = group->count[2];
  e.y_apart = (group->l + 1) * e.y_count;
  e.z_apart = (group->l + 1) * e.z_count;
  e.y = group->table[1] + (tile->first[1] - group->low[1]);
  e.z = group->table[2];
  e.ex = group->maxima[0][tile->index[0]];
  e.maxima = group->blocks + tile->index[1] * CONVK_GRIDS_BLOCKS_;
  return e;
}

/* Whether lists for strips pay: where they spare some of the product, of one orbital a part of it, of many soon.  Each also
   costs a branch that is foretold wrongly, some 20 cycles. */
CONVK_LOCAL_ int convk_grids_sparse_(const convk_grids_job_ *job, const convk_grids_at_ *tile) {
  const size_t all = tile->total * tile->lists, dead = all - tile->alive;
  return dead * CONVK_GRIDS_PART_ * job->norbitals > all && dead > CONVK_GRIDS_SPARSE_ * tile->lists;
}

/* Weights of one orbital in one plane of a tile, and what its products need of them.  again: with the same lists. */
CONVK_RARE_ void convk_grids_weigh_all_(const convk_grids_job_ *job, const convk_grids_at_ *tile, convk_grids_scratch_ *own,
                                        convk_grids_weights_ *weights, convk_grids_product_ *product, int again) {
  weights->rows = tile->n[1];
  weights->apart = own->w_apart;
  weights->w = own->w;
  weights->total = tile->total;
  weights->lists = product->together ? tile->lists : 1;
  weights->every = own->every;
  weights->where = own->own;
  weights->live = own->live;
  weights->again = again;
  weights->list = own->list;
  weights->list_apart = convk_round_up_(tile->total, 8);
  weights->counts = own->counts;
  weights->cut = job->part.cut;
  if (weights->kinds == 2) job->kernels->bloch_weigh(weights);
  else job->kernels->weigh(weights);
  product->counts = own->counts;
  product->list = own->list;
  product->list_strip = weights->list_apart;
  product->list_block = weights->list_apart * (product->together ? CONVK_GRIDS_LISTS_ : 1);
  product->rows = tile->n[1];
  product->n = tile->n[0];
  product->total = tile->width;
  product->w_block = tile->total * job->kernels->block;
  product->head = job->head_elements;
}

/* Sums of one orbital in one plane of a tile, of each kind: at out, rows at distance `pitch`; or what product->squares says. */
CONVK_RARE_ void convk_grids_plane_(const convk_grids_job_ *job, const convk_grids_at_ *tile, convk_grids_scratch_ *own,
                                    convk_grids_weights_ *weights, convk_grids_product_ *product, CONVK_T *const *out,
                                    int again) {
  int k;
  weights->kinds = job->kinds > 1 ? 4 : 1;
  convk_grids_weigh_all_(job, tile, own, weights, product, again);
  for (k = 0; k < (job->kinds == 1 ? 1 : job->density ? 4 : 5); k++) {
    static const int weight[5] = {0, 0, 1, 2, 0}, table[5] = {0, 1, 0, 0, 2};
    product->w[0][0] = own->w + (size_t)weight[k] * own->w_apart;
    product->panel[0] = own->panel + (size_t)table[k] * own->panel_apart;
    product->w[1][0] = own->w + 3 * own->w_apart;
    product->panel[1] = own->panel;
    product->parts = k == 4 ? 2 : 1;
    product->out = out[k];
    product->stream = job->stream && ((uintptr_t)out[k] + job->head_elements * sizeof(CONVK_T)) % 64 == 0;
    job->kernels->multiply(product);
  }
}

/* One plane: of all orbitals, or of their density. */
CONVK_RARE_ void convk_grids_orbitals_(const convk_grids_job_ *job, const convk_grids_at_ *tile, convk_grids_scratch_ *own,
                                       size_t count, size_t z) {
  const size_t at = (tile->first[2] + z) * job->box.grid.pitch_z + tile->first[1] * job->box.grid.pitch_y + tile->first[0];
  const int parts = job->density && job->kinds > 1; /* of a density, which needs all of an orbital at once */
  convk_grids_weights_ weights;
  convk_grids_product_ product;
  convk_grids_squares_ squares;
  CONVK_T *out[5];
  size_t o, d;
  weights.entry = own->entry;
  weights.count = count;
  weights.first = 0;
  weights.end = tile->total;
  weights.plane = tile->first[2] + z;
  product.pairs = 0;
  product.together = convk_grids_sparse_(job, tile) ? tile->together : 0;
  product.pitch = parts ? CONVK_GRIDS_WIDTH_ : job->box.grid.pitch_y;
  squares.rows = tile->n[1];
  squares.n = tile->n[0];
  squares.from_pitch = CONVK_GRIDS_WIDTH_;
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
    convk_grids_plane_(job, tile, own, &weights, &product, out, o > 0);
    if (parts) job->kernels->add_squares(&squares);
  }
}

/* One plane of all Bloch sums, or of their density. */
CONVK_RARE_ void convk_bloch_plane_(const convk_grids_job_ *job, const convk_grids_at_ *tile, convk_grids_scratch_ *own,
                                    size_t count, size_t z) {
  const size_t at = (tile->first[2] + z) * job->box.grid.pitch_z + tile->first[1] * job->box.grid.pitch_y + tile->first[0];
  const size_t each = job->density ? 1 : 2; /* numbers of a point */
  convk_grids_weights_ weights;
  convk_grids_product_ product;
  size_t o, r;
  memset(&weights, 0, sizeof weights);
  memset(&product, 0, sizeof product);
  weights.entry = own->entry;
  weights.count = count;
  weights.end = tile->total;
  weights.plane = tile->first[2] + z;
  weights.turned_y = job->turned[1];
  weights.turned_z = job->turned[2];
  weights.kinds = job->turned[1] || job->turned[2] || job->bloch->imag ? 2 : 1;
  product.together = convk_grids_sparse_(job, tile) ? tile->together : 0;
  product.pitch = each * job->box.grid.pitch_y;
  product.squares = job->density;
  product.pairs = 1;
  product.parts = job->turned[0] ? 2 : 1;
  product.w[0][0] = product.w[1][1] = own->w;
  product.w[0][1] = weights.kinds > 1 ? own->w + own->w_apart : NULL;
  product.w[1][0] = weights.kinds > 1 ? own->w + 2 * own->w_apart : NULL;
  product.panel[0] = own->panel;
  product.panel[1] = own->panel + own->panel_apart;
  for (r = 0; r < tile->n[1] && job->density && !job->add; r++)
    memset(job->out[0] + at + r * product.pitch, 0, tile->n[0] * sizeof *job->out[0]);
  for (o = 0; o < job->norbitals; o++) {
    weights.terms = job->coefficients + o * job->whole;
    weights.imag = job->bloch->imag ? weights.terms + job->term_rows / 2 : NULL;
    product.weight = job->density ? CONVK_ONE_(job->occupations + o) : 0;
    product.out = job->out[0] + each * (at + (job->density ? 0 : o * job->ld));
    convk_grids_weigh_all_(job, tile, own, &weights, &product, o > 0);
    product.stream = job->stream && ((uintptr_t)product.out + 2 * job->head_elements * sizeof(CONVK_T)) % 64 == 0;
    job->kernels->multiply(&product);
  }
}

/* The functions of each shell, without coefficients: one plane after another. */
CONVK_RARE_ void convk_grids_functions_(const convk_grids_job_ *job, const convk_grids_at_ *tile, convk_grids_scratch_ *own) {
  const size_t at = tile->first[2] * job->box.grid.pitch_z + tile->first[1] * job->box.grid.pitch_y + tile->first[0];
  const CONVK_T *terms = job->coefficients;
  convk_grids_weights_ weights;
  convk_grids_product_ product;
  CONVK_T *out[5];
  size_t i, p, f, z, d, primitive = 0, function = 0;
  product.pairs = 0;
  product.together = 0;
  product.pitch = job->box.grid.pitch_y;
  product.weight = 0;
  product.squares = 0;
  for (i = 0; i < job->nshells; i++) {
    const convk_shell *const s = &job->shells[i];
    const size_t own_terms = convk_grids_terms_((size_t)s->l), count = (size_t)convk_shell_functions(s->l, s->functions);
    weights.entry = own->entry;
    weights.count = weights.first = weights.end = 0;
    for (p = 0; p < s->primitives; p++) {
      convk_grids_entry_ *const e = own->entry + weights.count;
      if (own->place[primitive + p] == CONVK_GRIDS_NONE_) continue;
      *e = convk_grids_entry_of_(job, tile, primitive + p, own);
      e->terms = p * own_terms;
      if (!weights.count++) weights.first = e->first;
      weights.end = e->first + e->l + 1;
    }
    for (f = 0; f < count; f++, function++, terms += s->primitives * own_terms)
      for (z = 0; z < tile->n[2]; z++) {
        weights.plane = tile->first[2] + z;
        weights.terms = terms;
        for (d = 0; d < 5; d++) out[d] = job->out[d] ? job->out[d] + function * job->ld + at + z * job->box.grid.pitch_z : NULL;
        convk_grids_plane_(job, tile, own, &weights, &product, out, 0);
      }
    primitive += s->primitives;
  }
}

/* The entries of members that are alive: shells s first, so that what is done next is foretold. */
CONVK_RARE_ size_t convk_grids_entries_(const convk_grids_job_ *job, const convk_grids_at_ *tile,
                                        const convk_grids_scratch_ *own) {
  size_t i, count = 0;
  int higher;
  for (higher = 0; higher < 2; higher++)
    for (i = 0; i < tile->groups; i++) {
      const size_t m = own->column[i];
      if (own->place[m] != CONVK_GRIDS_NONE_ && (own->degree[m] > 0) == higher)
        own->entry[count++] = convk_grids_entry_of_(job, tile, m, own);
    }
  return count;
}

/* Columns of tiles, every so many of them; for each part of the x axis anew, as its panel serves them all. */
CONVK_LOCAL_ void convk_grids_task_(void *arg, size_t index) {
  const convk_grids_job_ *const job = (const convk_grids_job_ *)arg;
  convk_grids_scratch_ own;
  convk_grids_at_ tile;
  size_t column, d, z;
  (void)convk_grids_scratch_of_(job, job->scratch + index * job->task_bytes, &own);
  convk_grids_members_(job, &own);
  for (tile.index[0] = 0; tile.index[0] < job->tiles[0]; tile.index[0]++)
    for (column = index; column < job->tiles[1] * job->tiles[2]; column += job->tasks) {
      tile.index[1] = column % job->tiles[1];
      tile.index[2] = column / job->tiles[1];
      for (d = 0; d < 3; d++) {
        tile.first[d] = tile.index[d] * job->tile[d];
        tile.n[d] = convk_least_(job->n[d] - tile.first[d], job->tile[d]);
      }
      if (column == index) convk_grids_pack_(job, &tile, &own);
      convk_grids_alive_(job, &tile, &own);
      if (job->head.combined) {
        const size_t count = convk_grids_entries_(job, &tile, &own);
        for (z = 0; z < tile.n[2]; z++) {
          if (job->bloch) convk_bloch_plane_(job, &tile, &own, count, z);
          else convk_grids_orbitals_(job, &tile, &own, count, z);
        }
      } else {
        convk_grids_functions_(job, &tile, &own);
      }
    }
  if (job->stream) job->kernels->fence();
}
