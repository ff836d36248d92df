/* ---- distances: cells, boxes and pairs of boxes, in doubles ---- */

CONVK_API_ size_t convk_distances_pairs(size_t kinds) {
  const size_t n = kinds ? kinds : 1;
  return n % 2 ? (n + 1) / 2 * n : n / 2 * (n + 1);
}

/* ---- checks ---- */

/* Whether the width of bins is one, and the cut-off. */
CONVK_RARE_ int convk_distances_width_(char *message, const convk_distances *to) {
  if (!to->bins) return convk_refuse_(message, CONVK_ERR_SIZE, "distances->bins is 0");
  if (to->bins > (size_t)0x7fffff00) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "distances->bins is above 2^31 - 257");
  if (!convk_finite_f64_(to->width) || !(to->width > 0))
    return convk_refuse_(message, CONVK_ERR_NONFINITE, "distances->width is not positive and finite");
  if (to->width < 1e-140 || to->width * (double)to->bins > 1e140)
    return convk_refuse_(message, CONVK_ERR_RANGE, "distances->width is below 1e-140, or bins width above 1e140");
  if (to->moments < 0 || to->moments > 2)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "distances->moments is %, none of 0, 1, 2", to->moments, 0, 0);
  return CONVK_OK;
}

/* The arrays of histograms: the bytes of each, how many of them there are. */
CONVK_RARE_ int convk_distances_places_(char *message, const convk_distances *to, int weighted, int flags, convk_place_ *place,
                                        size_t *places) {
  const size_t pairs = convk_distances_pairs(to->kinds), moments = (size_t)to->moments;
  const int wanted = weighted ? flags | CONVK_PLACE_OPTIONAL_ : flags, sums = weighted ? flags : flags | CONVK_PLACE_OPTIONAL_;
  size_t bytes, n;
  if (to->kinds > 65535 || convk_bytes_(pairs, to->bins, &n) || convk_bytes_(n, 4 * sizeof(uint64_t), &bytes))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "distances->bins, for all pairs of kinds, are too many");
  bytes = n * sizeof(uint64_t);
  place[0] = convk_place_of_("distances->count", to->count, weighted ? 0 : bytes, wanted);
  place[1] = convk_place_of_("distances->moment[0]", to->moment[0], weighted || !moments ? 0 : bytes,
                             moments ? wanted : flags | CONVK_PLACE_OPTIONAL_);
  place[2] = convk_place_of_("distances->moment[1]", to->moment[1], weighted || moments < 2 ? 0 : 2 * bytes,
                             moments > 1 ? wanted : flags | CONVK_PLACE_OPTIONAL_);
  place[3] = convk_place_of_("distances->sum", to->sum, weighted ? (moments + 1) * bytes : 0, sums);
  *places = 4;
  return CONVK_OK;
}

/* ---- the frame ---- */

/* Whether the cells that come within the cut-off of one can be gone through. */
CONVK_RARE_ int convk_distances_images_(char *message, const convk_cell_axes_ *frame, double cutoff) {
  double images = 1;
  int k;
  for (k = 0; k < 3; k++) images *= frame->periodic[k] ? 2 * cutoff / frame->height[k] + 1 : 1;
  if (images < CONVK_DISTANCES_IMAGES_) return CONVK_OK;
  return convk_refuse_(message, CONVK_ERR_RANGE, "more than 2^20 images of cell lie within distances->bins width");
}

/* ---- sizes ---- */

/* The place `*at` bytes behind `base`, which may be NULL, for so many bytes; *at moves on. */
CONVK_LOCAL_ void *convk_distances_take_(char *base, size_t *at, size_t bytes) {
  void *const place = base ? base + *at : NULL;
  *at += convk_round_up_(bytes, 64);
  return place;
}

/* What atoms and histograms need of work, for so many tasks, and where from `base` on; base NULL: how much alone.  Fewer of
   anything need no more. */
CONVK_RARE_ int convk_distances_size_(char *message, convk_distances_job_ *job, char *base, size_t *need) {
  const size_t arrays = job->weighted ? 4 : 3, e = sizeof(double), n = job->n, lists = n / CONVK_DISTANCES_CELL_ + job->kinds;
  size_t at = 0, d, each, all;
  if (n > (size_t)-1 / 256) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "atoms->n is too large");
  job->most_cells = n / (CONVK_DISTANCES_CELL_ * job->kinds) + 1;
  job->most_boxes = n / CONVK_DISTANCES_LEAST_ + convk_least_(n, lists) + 1;
  job->room = n + job->most_boxes * CONVK_DISTANCES_LANES_;
  for (d = 0; d < arrays; d++) job->given[d] = (double *)convk_distances_take_(base, &at, n * e);
  for (d = 0; d < arrays; d++) job->sorted[d] = (double *)convk_distances_take_(base, &at, job->room * e);
  job->cell = (uint32_t *)convk_distances_take_(base, &at, n * sizeof *job->cell);
  job->start = (size_t *)convk_distances_take_(base, &at, (lists + 1) * sizeof *job->start);
  job->box = (convk_distances_box_ *)convk_distances_take_(base, &at, job->most_boxes * sizeof *job->box);
  job->cursor = (convk_distances_cursor_ *)convk_distances_take_(base, &at, job->tasks * sizeof *job->cursor);
  job->word = (char *)convk_distances_take_(base, &at, 0);
  if (job->to) {
    job->words = job->to->bins + CONVK_DISTANCES_LANES_;
    job->words *= job->weighted ? (size_t)job->to->moments + 1 : job->to->moments > 1 ? 2 : 1;
    each = job->words * sizeof(uint64_t);
    all = each > CONVK_DISTANCES_FLIGHT_ ? each : CONVK_DISTANCES_FLIGHT_;
    job->flight = convk_least_(all / each, job->pairs);
    if (job->pairs < all / each + 1) all = job->pairs * each;
    if (convk_mul_(job->tasks, all, &all) || all > (size_t)-1 / 4 - at)
      return convk_refuse_(message, CONVK_ERR_OVERFLOW, "distances->bins need more work than can be counted in bytes");
    at += all;
  }
  *need = at + 64;
  return CONVK_OK;
}

/* ---- a frame: atoms into cells, cells into boxes ---- */

/* How many cells there are along each axis, where fractional coordinates of atoms are least .. most, and how many about one may
   have atoms within the cut-off. */
CONVK_RARE_ void convk_distances_cut_(convk_distances_job_ *job, const double *least, const double *most) {
  double want[3], cells = 1;
  int k;
  for (k = 0; k < 3; k++) {
    const double extent = (job->frame.periodic[k] ? 1 : most[k] - least[k]) * job->frame.height[k];
    want[k] = 2 * extent / job->cutoff;
    want[k] = want[k] > 1 ? convk_cell_floor_(want[k] < 1048576 ? want[k] : 1048576) : 1;
    cells *= want[k];
  }
  while (cells > (double)job->most_cells) { /* larger ones along the axis that has most */
    const int axis = want[0] >= want[1] && want[0] >= want[2] ? 0 : want[1] >= want[2] ? 1 : 2;
    const double fewer = convk_cell_floor_(want[axis] * 0.875);
    cells = cells / want[axis] * (fewer > 1 ? fewer : 1);
    want[axis] = fewer > 1 ? fewer : 1;
  }
  for (k = 0; k < 3; k++) {
    const double extent = (job->frame.periodic[k] ? 1 : most[k] - least[k]) * job->frame.height[k];
    const double edge = extent / want[k], reach = edge > 0 ? job->cutoff * 1.000000001 / edge : 0;
    job->count[k] = (size_t)want[k];
    job->about[k] = job->frame.periodic[k] || reach + 1 < want[k] ? (int64_t)reach + 1 : (int64_t)want[k] - 1;
  }
  job->cells = job->count[0] * job->count[1] * job->count[2];
}

/* Where atoms of a kind and cell begin: start[.] counts them first. */
CONVK_LOCAL_ size_t convk_distances_list_(const convk_distances_job_ *job, size_t i) {
  return (job->kind ? ((const convk_any_u32_ *)job->kind)[i] : 0) * job->cells + job->cell[i];
}

/* Makes boxes of lists of atoms, whose numbers start[.] has; then start[list] is the first box of a list, and the atoms of box
   b go to box[b].first, which the sorting below moves on. */
CONVK_RARE_ void convk_distances_boxes_(convk_distances_job_ *job) {
  const size_t lists = job->kinds * job->cells;
  size_t list, first = 0;
  job->boxes = 0;
  for (list = 0; list < lists; list++) {
    size_t left = job->start[list];
    job->start[list] = job->boxes;
    while (left) {
      const size_t parts = convk_ceil_(left, job->each), n = convk_ceil_(left, parts);
      convk_distances_box_ *const b = job->box + job->boxes++;
      b->first = first;
      b->n = n;
      b->filled = 0;
      b->kind = (uint32_t)(list / job->cells);
      b->cell = (uint32_t)(list % job->cells);
      first += convk_round_up_(n, CONVK_DISTANCES_LANES_);
      left -= n;
    }
  }
  job->start[lists] = job->boxes;
}

/* Sorts the atoms that job->given has, and moves those into the periodic cell that lie beside it. */
CONVK_RARE_ void convk_distances_sort_(convk_distances_job_ *job) {
  const size_t arrays = job->weighted ? 4 : 3, n = job->n;
  double least[3] = {0, 0, 0}, most[3] = {0, 0, 0};
  size_t i, b, d;
  int k;
  job->spread = 0;
  for (i = 0; i < n; i++) {
    double r[3];
    for (d = 0; d < 3; d++) r[d] = job->given[d][i];
    if (job->frame.any) {
      (void)convk_cell_wrap_(job->frame.periodic, job->frame.inverse[0], job->frame.axis[0], r);
      for (d = 0; d < 3; d++) job->given[d][i] = r[d];
    }
    for (k = 0; k < 3; k++) {
      const double f = convk_cell_dot_(job->frame.inverse[k], r);
      if (!i || f < least[k]) least[k] = f;
      if (!i || f > most[k]) most[k] = f;
      if (r[k] > job->spread) job->spread = r[k];
      if (-r[k] > job->spread) job->spread = -r[k];
    }
  }
  convk_distances_cut_(job, least, most);
  /* Beyond it nothing counts: the last bin takes a little more than the cut-off, and gaps between boxes and shifts are rounded.
     */
  job->reach = job->cutoff;
  for (k = 0; k < 3; k++)
    for (d = 0; d < 3; d++) {
      const double x = job->frame.axis[k][d];
      job->spread += (double)(job->about[k] + 2) * (x < 0 ? -x : x);
    }
  job->reach += (job->to ? 1e-6 * job->to->width : 0) + 1e-14 * (job->cutoff + job->spread);
  /* Of floats: edges lie 2^-21 below their places, the part of a place that is in doubt is taken of half a bin less, and what
     is compared is rounded: 8e-7 bins in all.  Coordinates are floats as they came, but those that were moved in a periodic
     cell, and its images, are off by 2^-24 of themselves, and distances by sqrt(3) times that of two. */
  job->rounding = job->frame.any && job->to ? 1.04e-7 / job->to->width : 0;
  job->doubt = job->to && job->to->width > 1e-9 && job->spread + job->cutoff < 1e13 ? 1e-6 : 1;
  job->each = n / CONVK_DISTANCES_LANES_ > CONVK_DISTANCES_LEAST_ ? n / CONVK_DISTANCES_LANES_ : CONVK_DISTANCES_LEAST_;
  if (job->each > CONVK_DISTANCES_BOX_) job->each = CONVK_DISTANCES_BOX_;
  memset(job->start, 0, (job->kinds * job->cells + 1) * sizeof *job->start);
  for (i = 0; i < n; i++) {
    size_t at[3];
    double r[3];
    for (d = 0; d < 3; d++) r[d] = job->given[d][i];
    for (k = 0; k < 3; k++) {
      const double extent = job->frame.periodic[k] ? 1 : most[k] - least[k];
      const double f = convk_cell_dot_(job->frame.inverse[k], r) - (job->frame.periodic[k] ? 0 : least[k]);
      const double x = extent > 0 ? f / extent * (double)job->count[k] : 0;
      at[k] = x > 0 ? convk_least_((size_t)x, job->count[k] - 1) : 0;
    }
    job->cell[i] = (uint32_t)((at[2] * job->count[1] + at[1]) * job->count[0] + at[0]);
    job->start[convk_distances_list_(job, i)]++;
  }
  convk_distances_boxes_(job);
  for (i = 0; i < n; i++) { /* boxes of a list are filled one after another: its start moves on where one is full */
    const size_t list = convk_distances_list_(job, i);
    convk_distances_box_ *const box = job->box + job->start[list];
    const size_t to = box->first + box->filled++;
    for (k = 0; k < 3; k++) {
      const double x = job->given[k][i];
      if (box->filled == 1 || x < box->least[k]) box->least[k] = x;
      if (box->filled == 1 || x > box->most[k]) box->most[k] = x;
    }
    for (d = 0; d < arrays; d++) job->sorted[d][to] = job->given[d][i];
    if (box->filled == box->n) job->start[list]++;
  }
  for (i = job->kinds * job->cells; i; i--) job->start[i] = job->start[i - 1];
  job->start[0] = 0;
  for (b = 0; b < job->boxes; b++)
    for (d = 0; d < arrays; d++)
      for (i = job->box[b].n; i % CONVK_DISTANCES_LANES_; i++) job->sorted[d][job->box[b].first + i] = 0;
}

/* ---- pairs of boxes ---- */

/* Whether number `i` of some, in row `row`, is one of part `index` of `count`: whole rows where there are many of them. */
CONVK_LOCAL_ int convk_distances_mine_(size_t rows, size_t row, size_t i, size_t index, size_t count) {
  return count < 2 || (row + (rows < 64 * count ? i : 0)) % count == index;
}

/* The largest magnitude of numbers from least to most. */
CONVK_LOCAL_ double convk_distances_size_of_(double least, double most) { return -least > most ? -least : most; }

/* Box `to` seen from box `at`, with an image of the cell; 0: nothing of them is near enough. */
CONVK_RARE_ int convk_distances_meet_(const convk_distances_job_ *job, const convk_distances_box_ *at,
                                      const convk_distances_box_ *to, const double *image, convk_distances_rows_ *part) {
  double square = 0, reached = 0;
  int d;
  convk_cell_shift_(image, job->frame.axis[0], part->shift);
  for (d = 0; d < 3; d++) {
    const double shift = part->shift[d];
    double gap = to->least[d] - (at->most[d] - shift);
    if (!(gap > 0)) gap = (at->least[d] - shift) - to->most[d];
    if (gap > 0) square += gap * gap;
    gap = convk_distances_size_of_(to->least[d], to->most[d]) +
          convk_distances_size_of_(at->least[d] - shift, at->most[d] - shift);
    if (gap > reached) reached = gap;
    part->least[d] = to->least[d];
    part->most[d] = to->most[d];
    part->at[d] = job->sorted[d] + at->first;
    part->to[d] = job->sorted[d] + to->first;
  }
  part->weight[0] = job->weighted ? job->sorted[3] + at->first : NULL;
  part->weight[1] = job->weighted ? job->sorted[3] + to->first : NULL;
  part->rows = at->n;
  part->columns = to->n;
  part->triangle = 0;
  part->reach = job->reach;
  part->doubt = job->doubt + job->rounding * reached;
  return square <= job->reach * job->reach;
}

/* Calls `each` for all pairs of boxes of row `row`, at least one atom of which may be within reach of one of the other, until
   it does not return 0.  Each pair of atoms is there once: of two kinds, the lower one has the row; of one kind, the later box;
   a box with itself has its triangle, and of any two opposite images one. */
CONVK_RARE_ int convk_distances_row_(const convk_distances_job_ *job, size_t row, convk_distances_rows_ *part,
                                     int (*each)(void *arg, const convk_distances_rows_ *part, size_t pair), void *arg) {
  const convk_distances_box_ *const at = job->box + row;
  const int64_t nx = (int64_t)job->count[0], ny = (int64_t)job->count[1];
  int64_t from[3], offset[3], to[3];
  double image[3];
  size_t kind, b;
  int k, stop = 0;
  from[0] = (int64_t)at->cell % nx;
  from[1] = (int64_t)at->cell / nx % ny;
  from[2] = (int64_t)at->cell / nx / ny;
  for (offset[2] = -job->about[2]; offset[2] <= job->about[2] && !stop; offset[2]++)
    for (offset[1] = -job->about[1]; offset[1] <= job->about[1] && !stop; offset[1]++)
      for (offset[0] = -job->about[0]; offset[0] <= job->about[0] && !stop; offset[0]++) {
        int sign = 0, inside = 1;
        for (k = 0; k < 3; k++) {
          const int64_t n = (int64_t)job->count[k], x = from[k] + offset[k], times = x >= 0 ? x / n : -((n - 1 - x) / n);
          inside = inside && (job->frame.periodic[k] || !times);
          to[k] = x - times * n;
          image[k] = (double)times;
          if (!sign) sign = times > 0 ? 1 : times < 0 ? -1 : 0;
        }
        if (!inside) continue;
        for (kind = at->kind; kind < job->kinds && !stop; kind++) {
          const size_t list = kind * job->cells + (size_t)((to[2] * ny + to[1]) * nx + to[0]);
          const size_t pair = convk_kinds_pair_(job->kinds, at->kind, kind);
          for (b = job->start[list]; b < job->start[list + 1] && !stop; b++) {
            if (kind == at->kind && (b > row || (b == row && sign < 0))) continue;
            if (!convk_distances_meet_(job, at, job->box + b, image, part)) continue;
            part->triangle = b == row && !sign;
            stop = each(arg, part, pair);
          }
        }
      }
  return stop;
}

/* ---- tasks: a round of counting, until words may be full, and adding what they have to the histograms ---- */

typedef struct convk_distances_task_ {
  const convk_distances_job_ *job;
  size_t index, row, number, mine; /* pairs of boxes of this row; and those of this part */
} convk_distances_task_;

/* Counts a pair of boxes, if it is the task's; not 0: the words may be full then. */
CONVK_RARE_ int convk_distances_each_(void *arg, const convk_distances_rows_ *from, size_t pair) {
  convk_distances_task_ *const task = (convk_distances_task_ *)arg;
  const convk_distances_job_ *const job = task->job;
  convk_distances_cursor_ *const at = job->cursor + task->index;
  const size_t pairs = from->rows * from->columns, row = task->row / job->part.count;
  convk_distances_rows_ part = *from;
  char *word;
  if (pair < job->first_pair || pair - job->first_pair >= job->flight) return 0;
  if (!convk_distances_mine_(job->boxes, task->row, task->number++, job->part.index, job->part.count)) return 0;
  if (!convk_distances_mine_(job->boxes / job->part.count, row, task->mine++, task->index, job->tasks)) return 0;
  if (task->mine <= at->partner) return 0;
  if (job->to->moments && !job->weighted && at->pairs + pairs >= CONVK_DISTANCES_MOST_) return 1;
  at->pairs += pairs;
  at->partner = task->mine;
  word = job->word + (task->index * job->flight + (pair - job->first_pair)) * job->words * sizeof(uint64_t);
  part.moments = job->to->moments;
  part.scale = job->scale;
  part.bins = job->to->bins;
  part.words = (uint64_t *)(void *)word;
  part.sums = job->weighted ? (double *)(void *)word : NULL;
  job->calls->rows(&part);
  return 0;
}

CONVK_RARE_ void convk_distances_task_run_(void *arg, size_t index) {
  const convk_distances_job_ *const job = (const convk_distances_job_ *)arg;
  convk_distances_cursor_ *const at = job->cursor + index;
  convk_distances_rows_ part;
  convk_distances_task_ task;
  memset(&part, 0, sizeof part);
  task.job = job;
  task.index = index;
  for (; at->row < job->boxes; at->row++, at->partner = 0) {
    task.row = at->row;
    task.number = task.mine = 0;
    if (convk_distances_row_(job, at->row, &part, convk_distances_each_, &task)) return;
  }
}

/* Adds bins of a task's words to the histograms, and clears them. */
CONVK_RARE_ void convk_distances_add_(const convk_distances_job_ *job, size_t pair, size_t task, size_t begin, size_t end) {
  const convk_distances *const to = job->to;
  const size_t moments = (size_t)to->moments, apart = job->weighted ? moments + 1 : moments > 1 ? 2 : 1, n = pair * to->bins;
  convk_any_u64_ *const count = to->count, *const first = to->moment[0], *const second = to->moment[1];
  convk_any_f64_ *const sum = to->sum;
  uint64_t *const word = (uint64_t *)(void *)job->word + (task * job->flight + (pair - job->first_pair)) * job->words;
  size_t k, m;
  for (k = begin; k < end; k++) {
    const uint64_t low = moments ? word[apart * k] >> 42 : word[k];
    for (m = 0; m < apart && job->weighted; m++) sum[apart * (n + k) + m] += ((double *)(void *)word)[apart * k + m];
    if (job->weighted || !low) continue;
    count[n + k] += low;
    if (moments) first[n + k] += word[apart * k] & (((uint64_t)1 << 42) - 1);
    if (moments < 2) continue;
    second[2 * (n + k)] += word[2 * k + 1];
    second[2 * (n + k) + 1] += second[2 * (n + k)] < word[2 * k + 1];
  }
  memset(word + apart * begin, 0, apart * (end - begin) * sizeof *word);
}

/* A share of the bins, of all tasks in their order, which that of real sums is. */
CONVK_RARE_ void convk_distances_add_task_(void *arg, size_t index) {
  const convk_distances_job_ *const job = (const convk_distances_job_ *)arg;
  const size_t begin = convk_part_(job->to->bins, index, job->tasks), end = convk_part_(job->to->bins, index + 1, job->tasks);
  size_t pair, task;
  for (pair = job->first_pair; pair < job->first_pair + job->flight && pair < job->pairs; pair++)
    for (task = 0; task < job->tasks; task++) convk_distances_add_(job, pair, task, begin, end);
}

/* The pairs of atoms of kinds a and b, of a frame. */
CONVK_LOCAL_ uint64_t convk_distances_all_(const convk_distances_job_ *job, size_t a, size_t b) {
  uint64_t n[2] = {0, 0};
  size_t i;
  for (i = 0; i < job->boxes; i++) {
    if (job->box[i].kind == a) n[0] += job->box[i].n;
    if (job->box[i].kind == b) n[1] += job->box[i].n;
  }
  return a == b ? (n[0] % 2 ? n[0] * ((n[0] - 1) / 2) : n[0] / 2 * (n[0] - 1)) : n[0] * n[1];
}

/* Adds or takes away the counts of all bins from what lies beyond; of several parts, the first one has all pairs. */
CONVK_RARE_ void convk_distances_beyond_(const convk_distances_job_ *job, int after) {
  convk_any_u64_ *const beyond = job->to->beyond, *const count = job->to->count;
  size_t pair, k;
  for (pair = 0; pair < job->pairs && job->beyond; pair++)
    for (k = 0; k < job->to->bins; k++)
      if (after) beyond[pair] -= count[pair * job->to->bins + k];
      else beyond[pair] += count[pair * job->to->bins + k];
}

/* Adds the pairs of atoms of a frame to it. */
CONVK_RARE_ void convk_distances_beyond_frame_(const convk_distances_job_ *job) {
  convk_any_u64_ *const beyond = job->to->beyond;
  size_t a, b;
  for (a = 0; a < job->kinds && job->beyond && !job->part.index && !job->first_pair; a++)
    for (b = a; b < job->kinds; b++) beyond[convk_kinds_pair_(job->kinds, a, b)] += convk_distances_all_(job, a, b);
}

/* ---- Debye's sum ---- */

/* A list for `waves`, filled up to whole vectors. */
typedef struct convk_debye_list_ {
  double m[CONVK_DISTANCES_LIST_], sine[CONVK_DISTANCES_LIST_], square[CONVK_DISTANCES_LIST_], cosine[CONVK_DISTANCES_LIST_];
  size_t n;
} convk_debye_list_;

/* Of a pair of kinds. */
CONVK_LOCAL_ void convk_debye_bin_from_(const convk_distances *from, size_t pair, size_t k, convk_debye_bin_ *bin) {
  const size_t at = pair * from->bins + k;
  double sum[3] = {0, 0, 0}; /* of weights, or pairs, and of places and their squares */
  int m;
  for (m = 0; m <= from->moments && from->sum; m++)
    sum[m] = ((const convk_any_f64_ *)from->sum)[at * (size_t)(from->moments + 1) + (size_t)m];
  if (!from->sum) sum[0] = (double)((const convk_any_u64_ *)from->count)[at];
  if (!from->sum && from->moments) sum[1] = (double)((const convk_any_u64_ *)from->moment[0])[at];
  if (!from->sum && from->moments > 1) {
    const convk_any_u64_ *const square = from->moment[1] + 2 * at;
    sum[2] = (double)square[0] + 18446744073709551616. * (double)square[1];
  }
  convk_debye_bin_of_(from->width, k, from->moments, sum[0], sum[1], sum[2], bin);
}

CONVK_LOCAL_ void convk_debye_enter_(convk_debye_list_ *list, const convk_debye_bin_ *bin) {
  double terms[3];
  const size_t i = list->n++;
  convk_debye_terms_(bin, terms);
  list->m[i] = bin->m;
  list->sine[i] = terms[0];
  list->square[i] = terms[1];
  list->cosine[i] = terms[2];
}

/* What a list adds to sums of q. */
CONVK_RARE_ void convk_debye_list_add_(const convk_distances_calls_ *calls, convk_debye_list_ *list, int second, size_t nq,
                                       const double *q, double *sum) {
  convk_distances_waves_ waves;
  size_t i;
  for (i = list->n; i % CONVK_DISTANCES_LANES_; i++) list->m[i] = list->sine[i] = list->square[i] = list->cosine[i] = 0;
  waves.m = list->m;
  waves.sine = list->sine;
  waves.square = list->square;
  waves.cosine = list->cosine;
  waves.n = i;
  waves.second = second;
  for (i = 0; i < nq && waves.n; i++) {
    if (!(q[i] > 0)) continue;
    waves.q = q[i];
    calls->waves(&waves);
    sum[i] = convk_debye_waved_(sum[i], waves.sum, q[i], second);
  }
  list->n = 0;
}

/* A bin whose m may be 0. */
CONVK_RARE_ void convk_debye_first_(const convk_distances_calls_ *calls, const convk_debye_bin_ *bin, size_t nq,
                                    const double *q, double *sum) {
  convk_debye_list_ list;
  size_t i;
  for (i = 0; i < nq; i++)
    if (q[i] * bin->m < 1) sum[i] += convk_debye_series_(bin, q[i]);
    else {
      list.n = 0;
      convk_debye_enter_(&list, bin);
      convk_debye_list_add_(calls, &list, 1, 1, q + i, sum + i);
    }
}

/* Intensities of at most CONVK_DISTANCES_Q_ values of q >= 0, and their bounds where these are asked for. */
CONVK_RARE_ void convk_debye_block_(const convk_distances_calls_ *calls, const convk_distances *from,
                                    const convk_scatterer *kinds, const double *self, size_t nq, const double *q,
                                    double *intensity, double *bound) {
  const size_t n = from->kinds ? from->kinds : 1;
  const int second = from->moments > 1 || from->sum;
  convk_debye_list_ list;
  double sum[CONVK_DISTANCES_Q_];
  size_t a, b, i, k;
  for (i = 0; i < nq; i++) intensity[i] = bound[i] = 0;
  for (a = 0; a < n && self; a++)
    for (i = 0; i < nq; i++)
      intensity[i] += ((const convk_any_f64_ *)self)[a] * convk_scatterer_self_(kinds ? kinds + a : NULL, q[i]);
  for (a = 0; a < n; a++)
    for (b = a; b < n; b++) {
      const size_t pair = convk_kinds_pair_(n, a, b);
      double all = 0, left = 0;
      for (i = 0; i < nq; i++) sum[i] = 0;
      list.n = 0;
      for (k = 0; k < from->bins; k++) {
        convk_debye_bin_ bin;
        convk_debye_bin_from_(from, pair, k, &bin);
        if (!convk_debye_is_(&bin)) continue;
        all += bin.n;
        left += bin.bound;
        if (!k) convk_debye_first_(calls, &bin, nq, q, sum);
        else convk_debye_enter_(&list, &bin);
        if (list.n == CONVK_DISTANCES_LIST_) convk_debye_list_add_(calls, &list, second, nq, q, sum);
      }
      convk_debye_list_add_(calls, &list, second, nq, q, sum);
      for (i = 0; i < nq; i++)
        convk_debye_add_(convk_scatterer_product_(kinds ? kinds + a : NULL, kinds ? kinds + b : NULL, q[i]), sum[i], q[i],
                         from->width, from->moments, all, left, &intensity[i], &bound[i]);
    }
}

/* ---- the same from the atoms ---- */

/* A block of q, at most CONVK_DISTANCES_Q_ values. */
typedef struct convk_debye_direct_ {
  const convk_distances_job_ *job;
  const convk_scatterer *kinds;
  size_t nq;
  const double *q;
  double *intensity;
} convk_debye_direct_;

/* Adds a pair of boxes.  Atoms at the same place count as they are. */
CONVK_RARE_ int convk_debye_direct_each_(void *arg, const convk_distances_rows_ *part, size_t pair) {
  const convk_debye_direct_ *const d = (const convk_debye_direct_ *)arg;
  convk_debye_list_ list;
  double sum[CONVK_DISTANCES_Q_], r[CONVK_DISTANCES_BOX_ + CONVK_DISTANCES_LANES_], together = 0, all = 0;
  size_t i, j, a, b, last;
  for (i = 0; i < d->nq; i++) sum[i] = 0;
  list.n = 0;
  for (i = 0; i < part->rows; i++) {
    const size_t n = part->triangle ? i : part->columns;
    d->job->calls->lengths(part, i, r);
    for (j = 0; j < n; j++) {
      const double w = part->weight[0] ? part->weight[0][i] * part->weight[1][j] : 1;
      all += w;
      if (!(r[j] > 0)) {
        together += w;
        continue;
      }
      list.m[list.n] = r[j];
      list.sine[list.n] = w / r[j];
      list.square[list.n] = list.cosine[list.n] = 0;
      if (++list.n == CONVK_DISTANCES_LIST_) convk_debye_list_add_(d->job->calls, &list, 0, d->nq, d->q, sum);
    }
  }
  convk_debye_list_add_(d->job->calls, &list, 0, d->nq, d->q, sum);
  for (a = 0, last = d->job->kinds; pair >= last; pair -= last--) a++; /* rows of the triangle of pairs */
  b = a + pair;
  for (i = 0; i < d->nq; i++)
    d->intensity[i] += 2 * convk_scatterer_product_(d->kinds ? d->kinds + a : NULL, d->kinds ? d->kinds + b : NULL, d->q[i]) *
                       (d->q[i] > 0 ? sum[i] + together : all);
  return 0;
}

/* The frame at hand. */
CONVK_RARE_ void convk_debye_direct_block_(convk_debye_direct_ *d) {
  const convk_distances_job_ *const job = d->job;
  convk_distances_rows_ part;
  size_t row, i, k;
  memset(&part, 0, sizeof part);
  for (row = 0; row < job->boxes; row++) {
    const convk_distances_box_ *const box = job->box + row;
    double self = job->weighted ? 0 : (double)box->n;
    for (i = 0; i < box->n && job->weighted; i++) self += job->sorted[3][box->first + i] * job->sorted[3][box->first + i];
    for (k = 0; k < d->nq; k++)
      d->intensity[k] += self * convk_scatterer_self_(d->kinds ? d->kinds + box->kind : NULL, d->q[k]);
    (void)convk_distances_row_(job, row, &part, convk_debye_direct_each_, d);
  }
}
