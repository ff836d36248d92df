/* ---- distances on devices: one text for OpenCL and CUDA, which say before
     CONVK_SHARED_              memory of a group
     CONVK_GLOBAL_              memory of the device
     CONVK_ATOMIC_ADD_(p, v)    of 32 bits, gives what was there before
     CONVK_BARRIER_()           of a group, for both kinds of memory
     CONVK_DOUBLE_BITS_(x)      a double as an integer
     CONVK_GROUP_FUNCTION_      what begins a function; CONVK_TYPED_FUNCTION_: one that knows T
   ---- */

/* An item of a launch: its number in the group and in all, and how many there are. */
typedef struct convk_distances_item_ {
  uint32_t in_group, group, in_all, all;
} convk_distances_item_;

typedef struct convk_distances_work_ {
  CONVK_GLOBAL_ double *at;
  CONVK_GLOBAL_ uint32_t *list, *rank, *order, *rows, *count, *start, *state;
} convk_distances_work_;

CONVK_GROUP_FUNCTION_ convk_distances_work_ convk_distances_work_of_(const convk_distances_arguments_ *a,
                                                                     CONVK_GLOBAL_ double *work) {
  const size_t n = a->n;
  convk_distances_work_ w;
  w.at = work;
  w.list = (CONVK_GLOBAL_ uint32_t *)(work + 3 * n);
  w.rank = w.list + n;
  w.order = w.rank + n;
  w.rows = w.order + n;
  w.count = w.rows + 2 * n;
  w.start = w.count + a->lists;
  w.state = w.start + a->lists + 1;
  return w;
}

/* ---- sorting atoms ---- */

CONVK_TYPED_FUNCTION_ void convk_distances_coordinates_(const convk_distances_arguments_ *a, CONVK_GLOBAL_ const CONVK_T *x,
                                                        CONVK_GLOBAL_ const CONVK_T *y, CONVK_GLOBAL_ const CONVK_T *z,
                                                        size_t i, double *r) {
  r[0] = (double)x[a->frame + i];
  r[1] = (double)y[a->frame + i];
  r[2] = (double)z[a->frame + i];
  (void)convk_distances_wrap_(a->periodic, a->inverse, a->axis, r);
}

/* The list of an atom.  Nothing here may lead beyond the lists, whatever coordinates and kinds there are. */
CONVK_GROUP_FUNCTION_ uint32_t convk_distances_list_of_(const convk_distances_arguments_ *a, uint32_t kind, const double *r) {
  uint32_t cell = 0;
  int k;
  for (k = 2; k >= 0; k--) {
    const double f = convk_distances_dot_(a->inverse + 3 * k, r) - a->least[k], count = (double)a->cells[k];
    const double x = a->extent[k] > 0 ? f / a->extent[k] * count : 0;
    cell = cell * a->cells[k] + (x > 0 ? x < count ? (uint32_t)x : a->cells[k] - 1 : 0);
  }
  return (kind < a->kinds ? kind : a->kinds - 1) * (a->lists / a->kinds) + cell;
}

/* Adds v to a number of so many words of 32 bits, the lowest one first. */
CONVK_GROUP_FUNCTION_ void convk_distances_add_wide_(CONVK_GLOBAL_ uint32_t *word, int words, uint64_t v) {
  int i;
  for (i = 0; i < words && v; i++) {
    const uint32_t low = (uint32_t)v, old = low ? CONVK_ATOMIC_ADD_(word + i, low) : 0;
    v = (v >> 32) + (old > ~low);
  }
}

/* Where lists begin, and rows of them; by one group, each item for a share of the lists.  share: two numbers of each item. */
CONVK_GROUP_FUNCTION_ void convk_distances_starts_(const convk_distances_arguments_ *a, const convk_distances_work_ *w,
                                                   const convk_distances_item_ *item, CONVK_SHARED_ uint32_t *share) {
  const uint32_t most = CONVK_DISTANCES_ROWS_, each = a->lists / item->group + 1;
  const uint32_t begin = item->in_group * each < a->lists ? item->in_group * each : a->lists;
  const uint32_t end = a->lists - begin < each ? a->lists : begin + each;
  uint32_t atoms = 0, rows = 0, i, k;
  for (i = begin; i < end; i++) {
    atoms += w->count[i];
    rows += w->count[i] / most + (w->count[i] % most != 0);
  }
  share[2 * item->in_group] = atoms;
  share[2 * item->in_group + 1] = rows;
  CONVK_BARRIER_();
  for (i = atoms = rows = 0; i < item->in_group; i++) {
    atoms += share[2 * i];
    rows += share[2 * i + 1];
  }
  for (i = begin; i < end; i++) {
    w->start[i] = atoms;
    for (k = 0; k < w->count[i]; k += most) {
      w->rows[2 * rows] = i;
      w->rows[2 * rows++ + 1] = atoms + k;
    }
    atoms += w->count[i];
  }
  if (item->in_group + 1 < item->group) return;
  w->start[a->lists] = atoms;
  w->state[1] = rows;
}

/* All pairs of atoms of all kinds lie beyond, until they are counted. */
CONVK_GROUP_FUNCTION_ void convk_distances_all_pairs_(const convk_distances_arguments_ *a, const convk_distances_work_ *w,
                                                      const convk_distances_item_ *item, CONVK_GLOBAL_ uint32_t *beyond) {
  const size_t cells = a->lists / a->kinds;
  size_t i, k;
  for (i = item->in_all; i < a->kinds; i += item->all)
    for (k = i; k < a->kinds; k++) {
      const uint64_t n = w->start[(i + 1) * cells] - w->start[i * cells], m = w->start[(k + 1) * cells] - w->start[k * cells];
      convk_distances_add_wide_(beyond + 2 * convk_distances_pair_(a->kinds, i, k), 2,
                                i < k   ? n * m
                                : n % 2 ? (n - 1) / 2 * n
                                        : n / 2 * (n - (n > 0)));
    }
}

/* A stage of the sort. */
CONVK_TYPED_FUNCTION_ void convk_distances_sort_of_(const convk_distances_arguments_ *a, const convk_distances_item_ *item,
                                                    CONVK_GLOBAL_ const CONVK_T *x, CONVK_GLOBAL_ const CONVK_T *y,
                                                    CONVK_GLOBAL_ const CONVK_T *z, CONVK_GLOBAL_ const uint32_t *kind,
                                                    CONVK_GLOBAL_ double *work, CONVK_GLOBAL_ uint32_t *beyond,
                                                    CONVK_SHARED_ uint32_t *share) {
  const convk_distances_work_ w = convk_distances_work_of_(a, work);
  double r[3];
  size_t i;
  if (a->stage == CONVK_DISTANCES_STARTS_) {
    convk_distances_starts_(a, &w, item, share);
  } else if (a->stage == CONVK_DISTANCES_ZERO_) {
    for (i = item->in_all; i < a->lists; i += item->all) w.count[i] = 0;
    if (!item->in_all) w.state[0] = 0;
  } else {
    for (i = item->in_all; i < a->n; i += item->all)
      if (a->stage == CONVK_DISTANCES_LIST_OF_) {
        convk_distances_coordinates_(a, x, y, z, i, r);
        w.list[i] = convk_distances_list_of_(a, a->has_kind ? kind[i] : 0, r);
        w.rank[i] = CONVK_ATOMIC_ADD_(w.count + w.list[i], 1u);
      } else if (a->stage == CONVK_DISTANCES_ORDER_) {
        w.order[w.start[w.list[i]] + w.rank[i]] = (uint32_t)i;
      } else {
        const uint32_t from = w.order[i], end = w.start[w.list[from] + 1];
        uint32_t to = w.start[w.list[from]], k;
        for (k = to; k < end && a->steady; k++) to += w.order[k] < from;
        if (!a->steady) to = (uint32_t)i;
        convk_distances_coordinates_(a, x, y, z, from, r);
        for (k = 0; k < 3; k++) w.at[k * (size_t)a->n + to] = r[k];
      }
    if (a->stage == CONVK_DISTANCES_ORDER_ && a->has_beyond && a->first_part) convk_distances_all_pairs_(a, &w, item, beyond);
  }
}

/* ---- counting ---- */

/* Histograms: those of all pairs of kinds, of which `bin` is the first bin of one; and where `shared` is, its words in shared
   memory, of each bin a count, the sum of places, and the sums of the lower 20 and the upper 20 bits of their squares.  Carries
   of these go to the others at once, some once in 4096 pairs of a bin; counts stay below 2^32. */
typedef struct convk_distances_bins_ {
  CONVK_GLOBAL_ uint32_t *count, *first, *second, *beyond;
  CONVK_SHARED_ uint32_t *word;
  uint64_t bin;
  uint32_t pairs,
      inside; /* that the group may have counted since its words went to the others; those of this item that it has */
} convk_distances_bins_;

/* Adds v to a word in shared memory, whose carry is that of a number of so many words. */
CONVK_GROUP_FUNCTION_ void convk_distances_add_shared_(CONVK_SHARED_ uint32_t *word, uint32_t v, CONVK_GLOBAL_ uint32_t *to,
                                                       int words, uint64_t carry) {
  if (CONVK_ATOMIC_ADD_(word, v) > ~v) convk_distances_add_wide_(to, words, carry);
}

CONVK_GROUP_FUNCTION_ void convk_distances_count_of_(const convk_distances_arguments_ *a, convk_distances_bins_ *b, double u,
                                                     const int moments, const int shared) {
  const uint64_t bits = CONVK_DOUBLE_BITS_(u), bin = b->bin + (uint32_t)(bits >> 20);
  const uint32_t f = (uint32_t)bits & 0xfffff;
  CONVK_SHARED_ uint32_t *const word = b->word + (uint32_t)(bits >> 20);
  if (shared) {
    (void)CONVK_ATOMIC_ADD_(word, 1u);
    if (moments) convk_distances_add_shared_(word + a->bins, f, b->first + 2 * bin + 1, 1, 1);
    if (moments < 2) return;
    convk_distances_add_shared_(word + 2 * (size_t)a->bins, (uint32_t)((uint64_t)f * f) & 0xfffff, b->second + 4 * bin, 4,
                                (uint64_t)1 << 32);
    convk_distances_add_shared_(word + 3 * (size_t)a->bins, (uint32_t)((uint64_t)f * f >> 20), b->second + 4 * bin, 4,
                                (uint64_t)1 << 52);
    return;
  }
  b->inside++;
  convk_distances_add_wide_(b->count + 2 * bin, 2, 1);
  if (moments) convk_distances_add_wide_(b->first + 2 * bin, 2, f);
  if (moments > 1) convk_distances_add_wide_(b->second + 4 * bin, 4, (uint64_t)f * f);
}

/* Adds words in shared memory to the histograms, and clears them: an item those that are its own. */
CONVK_GROUP_FUNCTION_ void convk_distances_flush_(const convk_distances_arguments_ *a, convk_distances_bins_ *b,
                                                  const convk_distances_item_ *item, const int moments, const int shared) {
  const int words = moments > 1 ? 4 : 1 + moments;
  uint32_t k, value[4] = {0, 0, 0, 0};
  int i;
  for (k = item->in_group; k < a->bins && shared; k += item->group) {
    const uint64_t bin = b->bin + k;
    for (i = 0; i < words; i++) {
      value[i] = b->word[(size_t)i * a->bins + k];
      b->word[(size_t)i * a->bins + k] = 0;
    }
    b->inside += value[0];
    convk_distances_add_wide_(b->count + 2 * bin, 2, value[0]);
    if (moments) convk_distances_add_wide_(b->first + 2 * bin, 2, value[1]);
    if (moments > 1) convk_distances_add_wide_(b->second + 4 * bin, 4, value[2] + ((uint64_t)value[3] << 20));
  }
}

/* Rows, first .. end - 1, and those of an item: row, row + group, ..  Columns turn, turn + step, .. are the item's. */
typedef struct convk_distances_tile_ {
  uint32_t first, end, row, turn, step;
} convk_distances_tile_;

/* Items of a group take rows side by side, whose distances from a column are rarely in one bin. */
CONVK_GROUP_FUNCTION_ convk_distances_tile_ convk_distances_tile_of_(const convk_distances_item_ *item, uint32_t first,
                                                                     uint32_t rows) {
  convk_distances_tile_ t;
  t.first = first;
  t.end = first + rows;
  t.row = first + item->in_group % rows;
  t.turn = item->in_group / rows;
  t.step = item->group > rows ? item->group / rows : 1;
  if (item->group > rows && t.turn >= t.step) t.row = t.end; /* it has none */
  return t;
}

/* Rows against columns from .. to - 1; before: of which row i has those before `i` alone. */
CONVK_GROUP_FUNCTION_ void convk_distances_columns_(const convk_distances_arguments_ *a, const convk_distances_work_ *w,
                                                    convk_distances_bins_ *b, const convk_distances_item_ *item,
                                                    const convk_distances_tile_ *tile, uint32_t from, uint32_t to, int before,
                                                    const double *shift, const int moments, const int shared) {
  const size_t n = a->n;
  uint32_t i, k;
  for (i = tile->row; i < tile->end; i += item->group) {
    const uint32_t end = before && i < to ? i : to;
    double at[3];
    for (k = 0; k < 3; k++) at[k] = w->at[k * n + i];
    for (k = from + tile->turn; k < end; k += tile->step) {
      const double r = convk_distances_from_(at, shift, w->at[k], w->at[n + k], w->at[2 * n + k]);
      const double u = convk_distances_place_(r, a->scale);
      if (u < a->limit) convk_distances_count_of_(a, b, u, moments, shared);
    }
  }
}

/* How often n goes into x, rounded down. */
CONVK_GROUP_FUNCTION_ int32_t convk_distances_times_of_(int32_t x, int32_t n) { return x >= 0 ? x / n : -((n - 1 - x) / n); }

/* The unit of a slice, rows and a kind.  Of one kind, the later list has the rows; a list with itself has the pairs i > k, and of
   any two opposite images one.  Cells beside each other along x, with the same image, are one range of columns. */
CONVK_GROUP_FUNCTION_ void convk_distances_sweep_(const convk_distances_arguments_ *a, const convk_distances_work_ *w,
                                                  convk_distances_bins_ *b, const convk_distances_item_ *item, uint32_t kind,
                                                  uint32_t list, uint32_t first, uint32_t slice, const int moments,
                                                  const int shared) {
  const uint32_t cells = a->lists / a->kinds, same = list / cells == kind, most = CONVK_DISTANCES_ROWS_;
  const uint32_t left = w->start[list + 1] - first, rows = left < most ? left : most;
  const convk_distances_tile_ tile = convk_distances_tile_of_(item, first, rows);
  const int32_t n[3] = {(int32_t)a->cells[0], (int32_t)a->cells[1], (int32_t)a->cells[2]};
  const int32_t about[3] = {(int32_t)a->about[0], (int32_t)a->about[1], (int32_t)a->about[2]};
  const int32_t cell = (int32_t)(list % cells), x = cell % n[0], y = cell / n[0] % n[1], z = cell / n[0] / n[1];
  int32_t to[3], times[3];
  double image[3], shift[3];
  uint32_t turn = 0;
  for (to[2] = z - about[2]; to[2] <= z + about[2]; to[2]++)
    for (to[1] = y - about[1]; to[1] <= y + about[1]; to[1]++) {
      times[2] = convk_distances_times_of_(to[2], n[2]);
      times[1] = convk_distances_times_of_(to[1], n[1]);
      if ((times[2] && !a->periodic[2]) || (times[1] && !a->periodic[1])) continue;
      for (to[0] = x - about[0]; to[0] <= x + about[0];) {
        const int32_t at = to[0], last = x + about[0];
        int32_t begin, end, sign, k;
        uint32_t from, past;
        times[0] = convk_distances_times_of_(at, n[0]);
        to[0] = (times[0] + 1) * n[0];
        if (times[0] && !a->periodic[0]) continue;
        begin = (int32_t)(kind * cells) + ((to[2] - times[2] * n[2]) * n[1] + to[1] - times[1] * n[1]) * n[0];
        end = begin + (last < to[0] ? last + 1 : to[0]) - times[0] * n[0];
        begin += at - times[0] * n[0];
        sign = times[0] ? times[0] : times[1] ? times[1] : times[2];
        if (same && end > (int32_t)list + (sign >= 0)) end = (int32_t)list + (sign >= 0);
        if (begin >= end) continue;
        for (k = 0; k < 3; k++) image[k] = (double)times[k];
        convk_distances_shift_(image, a->axis, shift);
        from = w->start[begin];
        past = w->start[end];
        for (; from < past; from += most) {
          const uint32_t count = past - from < most ? past - from : most;
          if (turn++ % a->slices != slice) continue;
          b->pairs += rows * count;
          convk_distances_columns_(a, w, b, item, &tile, from, from + count, same && !sign, shift, moments, shared);
        }
      }
    }
}

/* A group takes one unit after another.  word: of the group: the unit at hand, pairs that were counted, and words of bins. */
CONVK_GROUP_FUNCTION_ void convk_distances_group_(const convk_distances_arguments_ *a, const convk_distances_item_ *item,
                                                  CONVK_GLOBAL_ double *work, convk_distances_bins_ *b,
                                                  CONVK_SHARED_ uint32_t *word, const int moments, const int shared) {
  const convk_distances_work_ w = convk_distances_work_of_(a, work);
  const uint32_t cells = a->lists / a->kinds;
  const uint64_t rows = w.state[1], each = rows * a->slices, units = each * a->kinds;
  const uint32_t words = moments > 1 ? 4 : 1 + moments;
  uint64_t pair = 0;
  uint32_t k;
  b->word = word + 2;
  b->pairs = b->inside = 0;
  if (!item->in_group) word[1] = 0;
  for (k = item->in_group; k < words * a->bins && shared; k += item->group) b->word[k] = 0;
  for (;;) {
    uint64_t unit, next = 0;
    uint32_t kind = 0, list = 0, first = 0;
    int full, none = 1;
    if (!item->in_group) word[0] = CONVK_ATOMIC_ADD_(w.state, 1u);
    CONVK_BARRIER_(); /* the words have all pairs of the last unit */
    unit = word[0] * a->part_count + a->part_index;
    if (unit < units) {
      kind = (uint32_t)(unit / each);
      list = w.rows[2 * (unit % each / a->slices)];
      first = w.rows[2 * (unit % each / a->slices) + 1];
      none = list / cells > kind;
      if (!none) next = convk_distances_pair_(a->kinds, list / cells, kind);
    }
    full = b->pairs && (unit >= units || b->pairs >= 0x80000000u || (!none && next != pair));
    if (full) {
      convk_distances_flush_(a, b, item, moments, shared);
      if (a->has_beyond && b->inside) (void)CONVK_ATOMIC_ADD_(word + 1, b->inside);
      b->pairs = b->inside = 0;
    }
    CONVK_BARRIER_(); /* they are clear */
    if (full && a->has_beyond && !item->in_group) {
      convk_distances_add_wide_(b->beyond + 2 * pair, 2, (uint64_t)0 - word[1]);
      word[1] = 0;
    }
    if (unit >= units) return;
    if (none) continue;
    pair = next;
    b->bin = pair * a->bins;
    convk_distances_sweep_(a, &w, b, item, kind, list, first, (uint32_t)(unit % a->slices), moments, shared);
  }
}
