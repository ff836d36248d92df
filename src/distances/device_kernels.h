/* ---- distances on devices: one text for OpenCL and CUDA, which say before
     CONVK_SHARED_, CONVK_GLOBAL_   memory of a group, and of the device
     CONVK_ATOMIC_ADD_(p, v)        of 32 bits, gives what was there before
     CONVK_ADD_LONG_(p, v)          of the 64 bits at p, gives their carry
     CONVK_BARRIER_()               of a group, for memory that it shares
     CONVK_DOUBLE_BITS_(x)          a double as an integer
     CONVK_SUM_(type, sum, x)       sum + x in a loop that adds up
     CONVK_GROUP_FUNCTION_, CONVK_TYPED_FUNCTION_   what begins a function, and one that knows T
   ---- */

/* An item of a launch: its number in the group and in all, and how many there are. */
typedef struct convk_distances_item_ {
  uint32_t in_group, group, in_all, all;
} convk_distances_item_;

/* Work memory.
   at                  [3][n]: sorted coordinates
   list, rank, order   [n]: of each atom, which of its list it is in the order of arrival; and the atoms in that order
   rows                [n][2]: the list and the first atom of rows
   count, start        [lists]: atoms; and [lists + 1] where they begin
   state               units that groups have taken, and how many rows there are */
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

/* Where lists begin, and rows of them; by one group, each item for a share of the lists.  share: two numbers of each item. */
CONVK_GROUP_FUNCTION_ void convk_distances_starts_(const convk_distances_arguments_ *a, const convk_distances_work_ *w,
                                                   const convk_distances_item_ *item, CONVK_SHARED_ uint32_t *share) {
  const uint32_t most = CONVK_DISTANCES_ROWS_, each = a->lists / item->group + 1, left = item->in_group * each;
  const uint32_t begin = left < a->lists ? left : a->lists, end = a->lists - begin < each ? a->lists : begin + each;
  uint32_t atoms = 0, rows = 0, i, k;
  for (i = begin; i < end; i++) {
    atoms += w->count[i];
    rows += (w->count[i] + most - 1) / most;
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

/* A stage of the sort. */
CONVK_TYPED_FUNCTION_ void convk_distances_sort_of_(const convk_distances_arguments_ *a, const convk_distances_item_ *item,
                                                    CONVK_GLOBAL_ const CONVK_T *x, CONVK_GLOBAL_ const CONVK_T *y,
                                                    CONVK_GLOBAL_ const CONVK_T *z, CONVK_GLOBAL_ const uint32_t *kind,
                                                    CONVK_GLOBAL_ double *work, CONVK_SHARED_ uint32_t *share) {
  const convk_distances_work_ w = convk_distances_work_of_(a, work);
  size_t i;
  if (a->stage == CONVK_DISTANCES_STARTS_) convk_distances_starts_(a, &w, item, share);
  if (a->stage == CONVK_DISTANCES_STARTS_) return;
  if (a->stage == CONVK_DISTANCES_ZERO_ && !item->in_all) w.state[0] = 0;
  for (i = item->in_all; i < a->lists && a->stage == CONVK_DISTANCES_ZERO_; i += item->all) w.count[i] = 0;
  for (i = item->in_all; i < a->n && a->stage; i += item->all) {
    const size_t from = a->stage == CONVK_DISTANCES_SORT_ ? w.order[i] : i;
    double r[3];
    int k;
    if (a->stage == CONVK_DISTANCES_ORDER_) {
      w.order[w.start[w.list[i]] + w.rank[i]] = (uint32_t)i;
      continue;
    }
    r[0] = (double)x[a->frame + from];
    r[1] = (double)y[a->frame + from];
    r[2] = (double)z[a->frame + from];
    (void)convk_cell_wrap_(a->periodic, a->inverse, a->axis, r);
    if (a->stage == CONVK_DISTANCES_LISTS_) { /* none lies beyond the others, whatever coordinates and kinds there are */
      uint32_t list = !a->has_kind ? 0 : kind[i] < a->kinds ? kind[i] : a->kinds - 1;
      for (k = 2; k >= 0; k--) {
        const double count = a->cells[k], at = a->periodic[k] ? convk_cell_dot_(a->inverse + 3 * k, r) * count : 0;
        list = list * a->cells[k] + (at > 0 ? at < count ? (uint32_t)at : a->cells[k] - 1 : 0);
      }
      w.list[i] = list;
      w.rank[i] = CONVK_ATOMIC_ADD_(w.count + list, 1u);
    } else {
      const uint32_t begin = w.start[w.list[from]], end = w.start[w.list[from] + 1], parts = a->part_count > 1;
      uint32_t to = parts ? begin : (uint32_t)i, other;
      for (other = begin; other < end && parts; other++) to += w.order[other] < from; /* other parts have the same order */
      for (k = 0; k < 3; k++) w.at[(size_t)k * a->n + to] = r[k];
    }
  }
}

/* ---- counting ---- */

/* Histograms, from `bin` on those of a pair of kinds; and words in shared memory, if there are any: of each bin a count, sums
   of places, and of the lower 20 and the upper 20 bits of their squares, as far as they are wanted.
   pairs    that the group has looked at since it emptied its words, below 2^32; beyond: those of this item that are too far */
typedef struct convk_distances_bins_ {
  CONVK_GLOBAL_ uint64_t *count, *first, *second;
  CONVK_SHARED_ uint32_t *word;
  uint64_t bin;
  uint32_t pairs, beyond;
} convk_distances_bins_;

/* Adds v to the sum that word number m of a bin is part of. */
CONVK_GROUP_FUNCTION_ void convk_distances_add_bin_(const convk_distances_bins_ *b, uint32_t bin, const int m, uint64_t v) {
  const uint64_t at = b->bin + bin;
  if (m < 2) (void)CONVK_ADD_LONG_((m ? b->first : b->count) + at, v);
  else if (CONVK_ADD_LONG_(b->second + 2 * at, m == 2 ? v : v << 20)) (void)CONVK_ADD_LONG_(b->second + 2 * at + 1, 1);
}

/* Counts a pair, or, where it is none, adds the words of a bin to the histograms, and clears them. */
CONVK_GROUP_FUNCTION_ void convk_distances_count_of_(const convk_distances_arguments_ *a, convk_distances_bins_ *b,
                                                     uint32_t bin, uint32_t f, int pair, const int moments, const int shared) {
  const uint64_t square = (uint64_t)f * f;
  const uint32_t v[4] = {1, f, (uint32_t)square & 0xfffff, (uint32_t)(square >> 20)};
  int m;
  CONVK_EACH_(m, (moments > 1 ? 4 : 1 + moments)) {
    CONVK_SHARED_ uint32_t *const word = b->word + (size_t)m * a->bins + bin;
    if (!pair) {
      convk_distances_add_bin_(b, bin, m, *word);
      *word = 0;
    } else if (!shared) convk_distances_add_bin_(b, bin, m, v[m]);
    else if (CONVK_ATOMIC_ADD_(word, v[m]) > ~v[m] && m) convk_distances_add_bin_(b, bin, m, (uint64_t)1 << 32);
  }
}

/* How often n goes into x, rounded down. */
CONVK_GROUP_FUNCTION_ int32_t convk_distances_times_of_(int32_t x, int32_t n) { return x >= 0 ? x / n : -((n - 1 - x) / n); }

/* The unit of a slice, rows of a list from `first` on, and a kind.  Of one kind, the later list has the rows; a list with
   itself has the pairs i > j, and of any two opposite images one.  Cells beside each other along x, with the same image, are
   one range of columns.  Items of a group take rows side by side, whose distances from a column are rarely in one bin; where
   there are fewer rows than items, these share the columns. */
CONVK_GROUP_FUNCTION_ void convk_distances_sweep_(const convk_distances_arguments_ *a, const convk_distances_work_ *w,
                                                  convk_distances_bins_ *b, const convk_distances_item_ *item, uint32_t kind,
                                                  uint32_t list, uint32_t first, uint32_t slice, const int moments,
                                                  const int shared) {
  const uint32_t cells = a->lists / a->kinds, same = list / cells == kind, most = CONVK_DISTANCES_ROWS_, t = item->in_group;
  const uint32_t left = w->start[list + 1] - first, rows = left < most ? left : most, group = item->group;
  const uint32_t step = group > rows ? group / rows : 1, end_row = first + rows, column = t / rows;
  const uint32_t row = group > rows && column >= step ? end_row : first + t % rows;
  const int32_t n[3] = {(int32_t)a->cells[0], (int32_t)a->cells[1], (int32_t)a->cells[2]};
  const int32_t about[3] = {(int32_t)a->about[0], (int32_t)a->about[1], (int32_t)a->about[2]};
  const int32_t cell = (int32_t)(list % cells), x = cell % n[0], y = cell / n[0] % n[1], z = cell / n[0] / n[1];
  int32_t to[3], times[3];
  double image[3], shift[3];
  const size_t all = a->n;
  uint32_t turn = 0, i, j;
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
        convk_cell_shift_(image, a->axis, shift);
        for (from = w->start[begin], past = w->start[end]; from < past; from += most) {
          const uint32_t count = past - from < most ? past - from : most;
          if (turn++ % a->slices != slice) continue;
          b->pairs += rows * count;
          for (i = row; i < end_row; i += group) {
            const uint32_t last_column = same && !sign && i < from + count ? i : from + count;
            const double r[3] = {w->at[i], w->at[all + i], w->at[2 * all + i]};
            for (j = from + column; j < last_column; j += step) {
              const double u = convk_distances_place_(
                  convk_distances_from_(r, shift, w->at[j], w->at[all + j], w->at[2 * all + j]), a->scale);
              const uint64_t bits = CONVK_DOUBLE_BITS_(u);
              if (u < a->limit)
                convk_distances_count_of_(a, b, (uint32_t)(bits >> 20), (uint32_t)bits & 0xfffff, 1, moments, shared);
              else b->beyond++;
            }
          }
        }
      }
    }
}

/* A group takes one unit after another.  word: of the group: the unit at hand, pairs that lie beyond, and words of bins. */
CONVK_GROUP_FUNCTION_ void convk_distances_group_(const convk_distances_arguments_ *a, const convk_distances_item_ *item,
                                                  CONVK_GLOBAL_ double *work, convk_distances_bins_ *b,
                                                  CONVK_GLOBAL_ uint64_t *beyond, CONVK_SHARED_ uint32_t *word,
                                                  const int moments, const int shared) {
  const convk_distances_work_ w = convk_distances_work_of_(a, work);
  const uint64_t each = (uint64_t)w.state[1] * a->slices, units = each * a->kinds;
  const uint32_t cells = a->lists / a->kinds, words = (uint32_t)(moments > 1 ? 4 : 1 + moments);
  uint64_t pair = 0;
  uint32_t k;
  b->word = word + 2;
  b->pairs = b->beyond = 0;
  if (!item->in_group) word[1] = 0;
  for (k = item->in_group; k < words * a->bins && shared; k += item->group) b->word[k] = 0;
  for (;;) {
    uint64_t unit, next = 0;
    uint32_t kind = 0, list = 0, rows = 0;
    int full, none;
    if (!item->in_group) word[0] = CONVK_ATOMIC_ADD_(w.state, 1u);
    CONVK_BARRIER_(); /* the words have all pairs of the last unit */
    unit = word[0] * a->part_count + a->part_index;
    if (unit < units) {
      kind = (uint32_t)(unit / each);
      rows = 2 * (uint32_t)(unit % each / a->slices);
      list = w.rows[rows];
      next = convk_kinds_pair_(a->kinds, list / cells, kind);
    }
    none = list / cells > kind;
    full = b->pairs && (unit >= units || b->pairs >= 0x80000000u || (!none && next != pair));
    if (full) {
      for (k = item->in_group; k < a->bins && shared; k += item->group)
        convk_distances_count_of_(a, b, k, 0, 0, moments, shared);
      if (b->beyond) (void)CONVK_ATOMIC_ADD_(word + 1, b->beyond);
      b->pairs = b->beyond = 0;
    }
    CONVK_BARRIER_(); /* they are clear */
    if (full && a->has_beyond && !item->in_group) {
      (void)CONVK_ADD_LONG_(beyond + pair, word[1]);
      word[1] = 0;
    }
    if (unit >= units) return;
    if (none) continue;
    pair = next;
    b->bin = pair * a->bins;
    convk_distances_sweep_(a, &w, b, item, kind, list, w.rows[rows + 1], (uint32_t)(unit % a->slices), moments, shared);
  }
}

/* ---- Debye's sum ---- */

/* Arrays: of histograms counts, or sums, and moments; q, intensities and bounds; work memory. */
typedef struct convk_debye_there_ {
  CONVK_GLOBAL_ const void *count;
  CONVK_GLOBAL_ const uint64_t *first, *second;
  CONVK_GLOBAL_ const void *q;
  CONVK_GLOBAL_ void *intensity, *bound;
  CONVK_GLOBAL_ double *work;
} convk_debye_there_;

CONVK_GROUP_FUNCTION_ void convk_debye_bin_at_(const convk_debye_arguments_ *a, const convk_debye_there_ *d, uint64_t k,
                                               convk_debye_bin_ *bin) {
  const uint64_t at = a->pair * a->bins + k;
  double sum[3] = {0, 0, 0};
  int m;
  CONVK_EACH_(m, 3) {
    if (m > a->moments) continue;
    if (a->sums) sum[m] = ((CONVK_GLOBAL_ const double *)d->count)[at * (uint64_t)(a->moments + 1) + (uint64_t)m];
    else if (m < 2) sum[m] = (double)(m ? d->first : (CONVK_GLOBAL_ const uint64_t *)d->count)[at];
    else sum[m] = (double)d->second[2 * at] + CONVK_MUL_(18446744073709551616., (double)d->second[2 * at + 1]);
  }
  convk_debye_bin_of_(a->width, k, a->moments, sum[0], sum[1], sum[2], bin);
}

/* By one group, each item for a share of the bins.  share: a number of each item. */
CONVK_GROUP_FUNCTION_ void convk_debye_list_of_(const convk_debye_arguments_ *a, const convk_debye_there_ *d,
                                                const convk_distances_item_ *item, CONVK_SHARED_ uint32_t *share) {
  const uint64_t each = a->bins / item->group + 1, left = item->in_group * each, begin = left < a->bins ? left : a->bins;
  const uint64_t end = a->bins - begin < each ? a->bins : begin + each;
  CONVK_GLOBAL_ double *const head = d->work, *const list = head + CONVK_DEBYE_HEAD_;
  uint64_t k, at = 0;
  uint32_t i;
  share[item->in_group] = 0;
  for (k = begin; k < end; k++) {
    convk_debye_bin_ bin;
    int is;
    convk_debye_bin_at_(a, d, k, &bin);
    is = convk_debye_is_(&bin);
    share[item->in_group] += k && is;
    if (k) continue;
    head[0] = bin.m;
    head[1] = is ? bin.a[0] : 0;
    head[2] = is ? bin.a[1] : 0;
    head[3] = is ? bin.a[2] : 0;
    head[4] = is ? bin.n : 0;
    head[5] = is ? bin.bound : 0;
  }
  CONVK_BARRIER_();
  for (i = 0; i < item->in_group; i++) at += share[i];
  if (item->in_group + 1 == item->group) head[CONVK_DEBYE_COUNT_] = (double)(at + share[item->in_group]);
  for (k = begin ? begin : 1; k < end; k++) {
    convk_debye_bin_ bin;
    double terms[3];
    convk_debye_bin_at_(a, d, k, &bin);
    if (!convk_debye_is_(&bin)) continue;
    convk_debye_terms_(&bin, terms);
    list[at] = bin.m;
    list[a->bins + at] = terms[0];
    list[2 * a->bins + at] = terms[1];
    list[3 * a->bins + at] = terms[2];
    list[4 * a->bins + at] = bin.n;
    list[5 * a->bins + at++] = bin.bound;
  }
}

/* The sums of a step for q, in the order of processors, whose lanes are `parts` here. */
CONVK_GROUP_FUNCTION_ void convk_debye_step_(CONVK_GLOBAL_ const double *list, uint64_t bins, uint64_t n, double q,
                                             CONVK_GLOBAL_ double *to, uint64_t apart, const int second) {
  enum { parts_ = CONVK_DISTANCES_LANES_ };
  const double turns = q * 0.3183098861837907;
  double sum[3][parts_];
  uint64_t i;
  int g, k;
  CONVK_EACH_(k, 3)
    CONVK_EACH_(g, parts_) sum[k][g] = 0;
  for (i = 0; i < n; i += parts_) {
    CONVK_EACH_(g, parts_) {
      CONVK_GLOBAL_ const double *const at = list + i + g;
      double s, c = 0;
      if (i + (uint64_t)g >= n) continue;
      convk_distances_half_turns_(CONVK_MUL_(at[0], turns), &s, &c, second);
      sum[0][g] = CONVK_FMA_(s, at[bins], sum[0][g]);
      if (!second) continue;
      sum[1][g] = CONVK_FMA_(s, at[2 * bins], sum[1][g]);
      sum[2][g] = CONVK_FMA_(c, at[3 * bins], sum[2][g]);
    }
  }
  CONVK_EACH_(k, 3)
    to[(uint64_t)k * apart] =
        ((sum[k][0] + sum[k][1]) + (sum[k][2] + sum[k][3])) + ((sum[k][4] + sum[k][5]) + (sum[k][6] + sum[k][7]));
}

CONVK_GROUP_FUNCTION_ int convk_debye_second_(const convk_debye_arguments_ *a) { return a->moments > 1 || a->sums; }

/* A stage, LIST apart. */
CONVK_TYPED_FUNCTION_ void convk_debye_stage_of_(const convk_debye_arguments_ *a, const convk_debye_there_ *d,
                                                 const convk_distances_item_ *item, CONVK_GLOBAL_ const CONVK_T *from,
                                                 CONVK_GLOBAL_ CONVK_T *intensity, CONVK_GLOBAL_ CONVK_T *bound) {
  const uint64_t list = CONVK_DISTANCES_LIST_, nq = a->nq, steps = (a->bins + list - 1) / list;
  CONVK_GLOBAL_ double *const head = d->work, *const bins = head + CONVK_DEBYE_HEAD_;
  CONVK_GLOBAL_ double *const sums = bins + CONVK_DEBYE_NUMBERS_ * a->bins, *const total = sums + 3 * steps * nq;
  const uint64_t count = a->stage == CONVK_DEBYE_SELF_ ? 0 : (uint64_t)head[CONVK_DEBYE_COUNT_],
                 used = (count + list - 1) / list;
  uint64_t j, k;
  if (a->stage == CONVK_DEBYE_WAVES_) {
    for (j = item->in_all; j < used * nq; j += item->all) {
      const uint64_t step = j / nq, i = j - step * nq, n = count - step * list < list ? count - step * list : list;
      const double q = convk_debye_q_((double)from[i]);
      if (convk_debye_second_(a)) convk_debye_step_(bins + step * list, a->bins, n, q, sums + 3 * step * nq + i, nq, 1);
      else convk_debye_step_(bins + step * list, a->bins, n, q, sums + 3 * step * nq + i, nq, 0);
    }
    if (item->in_all + 1 == item->all) { /* of all bins, in their order */
      double all = head[4], left = head[5];
      for (k = 0; k < count; k++) {
        all = CONVK_SUM_(double, all, bins[4 * a->bins + k]);
        left = CONVK_SUM_(double, left, bins[5 * a->bins + k]);
      }
      head[CONVK_DEBYE_ALL_] = all;
      head[CONVK_DEBYE_LEFT_] = left;
    }
    return;
  }
  for (j = item->in_all; j < nq; j += item->all) {
    const double q = convk_debye_q_((double)from[j]);
    double sum = 0, value = a->fresh ? 0 : total[j], edge = a->fresh ? 0 : total[nq + j];
    if (a->stage == CONVK_DEBYE_SELF_)
      value += CONVK_MUL_(a->self, convk_scatterer_self_(a->scattered ? &a->of[0] : (const convk_scatterer *)0, q));
    else {
      const convk_debye_bin_ first = {head[0], {head[1], head[2], head[3]}, head[4], head[5]};
      const convk_scatterer *const one = a->scattered ? &a->of[0] : (const convk_scatterer *)0;
      const convk_scatterer *const other = a->scattered ? &a->of[1] : (const convk_scatterer *)0;
      double waves[3];
      if (q * first.m < 1) sum = convk_debye_series_(&first, q);
      else {
        double s, c, terms[3];
        convk_debye_terms_(&first, terms);
        convk_distances_half_turns_(CONVK_MUL_(first.m, q * 0.3183098861837907), &s, &c, 1);
        waves[0] = CONVK_MUL_(s, terms[0]);
        waves[1] = CONVK_MUL_(s, terms[1]);
        waves[2] = CONVK_MUL_(c, terms[2]);
        sum = convk_debye_waved_(0, waves, q, 1);
      }
      for (k = 0; k < used && q > 0; k++) {
        CONVK_GLOBAL_ const double *const at = sums + 3 * k * nq + j;
        waves[0] = at[0];
        waves[1] = at[nq];
        waves[2] = at[2 * nq];
        sum = convk_debye_waved_(sum, waves, q, convk_debye_second_(a));
      }
      convk_debye_add_(convk_scatterer_product_(one, other, q), sum, q, a->width, a->moments, head[CONVK_DEBYE_ALL_],
                       head[CONVK_DEBYE_LEFT_], &value, &edge);
    }
    total[j] = value;
    total[nq + j] = edge;
    if (!a->last) continue;
    intensity[j] = (CONVK_T)value;
    if (a->has_bound) bound[j] = (CONVK_T)edge;
  }
}
