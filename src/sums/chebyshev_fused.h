/* ---- Chebyshev filters of short filters: several steps in one sweep over memory ---- */

/* Each vector is cut into slabs of rows, which tasks take in turn and go through tile by tile; a tile has some rows of all
   planes.  In a tile the first step computes some planes, and then each further step those planes that it can compute from
   them, before they leave the caches.  So that no point is computed twice, the tile of each step begins `skew` rows earlier
   (below: of smaller y) than that of the step before.  The rows that it needs from further below are in memory, where the
   previous tile wrote them.

       rows     s        s+h      s+2h            e
       step 0   | tile 0 | tile 1 | tile 2 ...    |     a slab, rows s .. e - 1
       step 1     |tile 0| tile 1 | tile 2 ...  |
       step 2       | t 0| tile 1 | tile 2 ...|

   Rows near the edges of slabs need rows of a neighbour, and are left out at first.  When all slabs are ready, they are
   computed in the same way, `skew` more of them on either side of the edge with each step.  Edges where the grid ends with
   zeros need none.  Along z, step l of a periodic axis begins at plane l skew, and computes the planes below that last.
   Step l overwrites the x of step l - 2 at the points that it computes.  Step l - 1 does not need these any more: rows of its
   next tile need x only from skew rows below their own on, and later planes only from skew planes below. */
typedef struct convk_chebyshev_sweep_ {
  convk_sums_job_ level[CONVK_CHEBYSHEV_LEVELS_]; /* of each step */
  size_t max_steps, levels;                       /* steps of a sweep at most; of this one */
  size_t rows, slab, slabs;                       /* rows of a tile; rows of a slab; slabs of a vector */
  size_t skew_y, skew_z;                          /* rows and planes: how far filters reach at most */
  size_t tasks;
  size_t plane, beside; /* elements: of a plane of copies; from its begin to the copies of a second tile */
  size_t bytes;         /* of scratch of a step */
  char *scratch;
} convk_chebyshev_sweep_;

/* How far one step has come in its tiles, of which the second may be empty: which plane is copied next and computed next, and
   how many have been computed, from plane `begin` on. */
typedef struct convk_chebyshev_climb_ {
  convk_sums_copied_ tile[2];
  ptrdiff_t copied;
  size_t begin, next, done;
} convk_chebyshev_climb_;

/* Gives the tiles of each step their part of the scratch of task `index`.  clear: sets to 0 what stands for points beyond the
   ends of axes, before the task copies anything. */
CONVK_LOCAL_ void convk_chebyshev_scratch_(const convk_chebyshev_sweep_ *s, size_t index, int clear,
                                           convk_chebyshev_climb_ *climb) {
  size_t l;
  int k;
  for (l = 0; l < s->levels; l++) {
    const convk_sums_job_ *const job = &s->level[l];
    char *const scratch = s->scratch + (index * s->max_steps + l) * s->bytes;
    if (clear) memset(scratch, 0, job->axis[0].periodic ? job->row * sizeof(CONVK_T) : s->bytes);
    for (k = 0; k < 2; k++) {
      convk_sums_copied_ *const t = &climb[l].tile[k];
      t->job = job;
      t->scratch = (CONVK_T *)(void *)scratch;
      t->copies = t->scratch + 2 * job->row + (size_t)k * s->beside;
      t->planes = job->copies.planes;
    }
  }
}

/* Sets a tile to the rows y .. end - 1 of a vector. */
CONVK_LOCAL_ void convk_chebyshev_place_(convk_sums_copied_ *t, size_t vector, size_t y, size_t end) {
  const convk_sums_job_ *const job = t->job;
  t->vector = vector;
  t->in = job->in + vector * job->in_stride * job->step;
  t->y = y;
  t->ny = end > y ? end - y : 0;
}

/* Copies what the next planes of a step need, and computes these, CONVK_SUMS_PLANES_ of them or what is left before `end`. */
CONVK_LOCAL_ void convk_chebyshev_up_(convk_chebyshev_climb_ *c, size_t end) {
  const size_t left = end - c->next, some = left < (size_t)CONVK_SUMS_PLANES_ ? left : (size_t)CONVK_SUMS_PLANES_;
  const ptrdiff_t sees = (ptrdiff_t)(c->next + some) + c->tile[0].job->copies.up;
  ptrdiff_t z;
  int k;
  for (k = 0; k < 2; k++) {
    if (!c->tile[k].ny) continue;
    for (z = c->copied; z < sees; z++) convk_sums_copy_plane_(&c->tile[k], z);
    convk_sums_fused_some_(&c->tile[k], c->next, some);
  }
  c->copied = sees;
  c->next += some;
  c->done += some;
}

/* Computes all planes of the tiles of all steps, each step as far as the one before lets it. */
CONVK_LOCAL_ void convk_chebyshev_climb_all_(const convk_chebyshev_sweep_ *s, convk_chebyshev_climb_ *climb) {
  const convk_sums_axis_ *const a = &s->level[0].axis[2];
  const size_t n = a->n;
  size_t l;
  for (l = 0; l < s->levels; l++) {
    climb[l].begin = climb[l].next = a->periodic ? l * s->skew_z : 0;
    climb[l].copied = (ptrdiff_t)climb[l].next + s->level[l].copies.down;
    climb[l].done = 0;
  }
  while (climb[s->levels - 1].done < n)
    for (l = 0; l < s->levels; l++) {
      convk_chebyshev_climb_ *const c = &climb[l], *const before = l ? c - 1 : NULL;
      while (c->done < n) {
        const size_t sees = c->begin + c->done + CONVK_SUMS_PLANES_ + s->skew_z;
        if (before && before->done < n && sees > before->begin + before->done) break;
        convk_chebyshev_up_(c, c->next < c->begin ? c->begin : n);
        if (c->next == n) { /* go on with the planes below `begin` */
          c->next = 0;
          c->copied = s->level[l].copies.down;
        }
        if (!before) break;
      }
    }
}

/* Rows *y .. result - 1 of a step's tile; none where the result is not above *y. */
CONVK_LOCAL_ size_t convk_chebyshev_rows_(const convk_chebyshev_sweep_ *s, size_t slab, size_t tile, size_t level, size_t *y) {
  const convk_sums_axis_ *const a = &s->level[0].axis[1];
  const size_t begin = slab * s->slab, end = a->n - begin < s->slab ? a->n : begin + s->slab, skew = level * s->skew_y;
  const size_t from = begin + tile * s->rows, to = end - from < s->rows ? end : from + s->rows;
  const size_t first = begin || a->periodic ? begin + skew : 0;
  *y = from < first + skew ? first : from - skew;
  if (to == a->n && !a->periodic) return to;
  return to < skew ? 0 : to - skew;
}

/* Computes the slabs index, index + tasks, .. of all vectors, but for the rows that wait for a neighbour. */
CONVK_LOCAL_ void convk_chebyshev_sweep_task_(void *arg, size_t index) {
  const convk_chebyshev_sweep_ *const s = (const convk_chebyshev_sweep_ *)arg;
  const size_t units = s->level[0].vectors * s->slabs, ny = s->level[0].axis[1].n;
  convk_chebyshev_climb_ climb[CONVK_CHEBYSHEV_LEVELS_];
  size_t l, u, tile;
  convk_chebyshev_scratch_(s, index, 1, climb);
  for (u = index; u < units; u += s->tasks) {
    const size_t slab = u % s->slabs, begin = slab * s->slab, rows = ny - begin < s->slab ? ny - begin : s->slab;
    for (tile = 0; tile * s->rows < rows; tile++) {
      for (l = 0; l < s->levels; l++) {
        size_t y;
        const size_t end = convk_chebyshev_rows_(s, slab, tile, l, &y);
        convk_chebyshev_place_(&climb[l].tile[0], u / s->slabs, y, end);
        climb[l].tile[1].ny = 0;
      }
      convk_chebyshev_climb_all_(s, climb);
    }
  }
}

/* Computes the rows that sweep_task leaves out: of step l, l skew_y on either side of each slab's first row. */
CONVK_LOCAL_ void convk_chebyshev_edges_task_(void *arg, size_t index) {
  const convk_chebyshev_sweep_ *const s = (const convk_chebyshev_sweep_ *)arg;
  const size_t units = s->level[0].vectors * s->slabs, ny = s->level[0].axis[1].n;
  convk_chebyshev_climb_ climb[CONVK_CHEBYSHEV_LEVELS_];
  size_t l, u;
  convk_chebyshev_scratch_(s, index, 0, climb);
  for (u = index; u < units; u += s->tasks) {
    const size_t edge = u % s->slabs * s->slab, vector = u / s->slabs;
    if (!edge && !s->level[0].axis[1].periodic) continue;
    for (l = 0; l < s->levels; l++) { /* below row 0 come the last rows, as the axis is periodic */
      const size_t skew = l * s->skew_y;
      convk_chebyshev_place_(&climb[l].tile[0], vector, edge ? edge - skew : 0, edge + skew);
      convk_chebyshev_place_(&climb[l].tile[1], vector, ny - skew, edge ? 0 : ny);
    }
    convk_chebyshev_climb_all_(s, climb);
  }
}

CONVK_RARE_ int convk_chebyshev_sweep_all_(convk *hw, convk_chebyshev_sweep_ *s) {
  const int status = convk_run_tasks_(hw, s->tasks, convk_chebyshev_sweep_task_, s);
  if (status || (s->slabs == 1 && !s->level[0].axis[1].periodic)) return status;
  return convk_run_tasks_(hw, s->tasks, convk_chebyshev_edges_task_, s);
}

/* Rows of copies behind those of a tile: kernels compute several rows at once, and may read so many more. */
#define CONVK_CHEBYSHEV_SLACK_ ((size_t)4)

/* How many steps a sweep has; 1 where more do not pay.  In slabs of few rows most rows lie at edges, and within the caches
   single steps are as fast.  AMD EPYC, 2 threads, radius 4, f64, sweeps of 1, 2, 4 steps: 80^3 0.89, 0.84, 0.65 points per
   ns, 96^3 0.52, 0.60, 0.65, 256^3 0.48, 0.58, 0.61.  bytes: of the three arrays that steps go through. */
CONVK_RARE_ size_t convk_chebyshev_max_steps_(convk *hw, const convk_sums_job_ *job, const convk_chebyshev_sweep_ *s,
                                              size_t max_steps, size_t bytes) {
  const size_t last = job->axis[1].n - (s->slabs - 1) * s->slab;
  convk_tuning none;
  if (!hw) memset(&none, 0, sizeof none);
  if (!job->fuses || !convk_cache_exceeds_(bytes, s->tasks, convk_cache_l3_(hw ? &hw->tuning : &none, s->tasks))) return 1;
  while (max_steps > 1 && (last < 4 * (max_steps - 1) * s->skew_y || job->axis[2].n < 2 * (max_steps - 1) * s->skew_z))
    max_steps--;
  return max_steps;
}

/* Decides how sweeps are cut, and raises *need to bytes of work that are also enough for smaller grids, fewer taps and vectors,
   and lower degrees.  arrays: bytes of x. */
CONVK_RARE_ int convk_chebyshev_cut_(convk *hw, const convk_sums_job_ *job, int degree, size_t arrays,
                                     convk_chebyshev_sweep_ *s, size_t *need) {
  const convk_sums_copies_ *const c = &job->copies;
  const size_t threads = convk_filters_threads_(hw, convk_sums_madds_(job), sizeof(CONVK_T)), n = job->axis[1].n;
  const size_t row = c->pitch * sizeof(CONVK_T), own = hw ? hw->tuning.sepconv_rows : 0, levels = CONVK_CHEBYSHEV_LEVELS_;
  const size_t room = CONVK_SUMS_COPIES_(convk_cache_l2_(hw ? &hw->tuning : NULL)) / c->planes;
  const size_t max_levels = (size_t)degree < levels ? (size_t)degree : levels;
  const size_t more = (max_levels + 1) * c->reach_y + CONVK_CHEBYSHEV_SLACK_;
  size_t rows = own ? own : room / row > CONVK_SUMS_ROWS_LEAST_ ? room / row : CONVK_SUMS_ROWS_LEAST_, plane, all;
  if (!own) rows = rows / CONVK_SUMS_PLANES_ * CONVK_SUMS_PLANES_; /* as many as kernels take at once */
  if (rows > n) rows = n;
  s->skew_y = c->above > -c->below ? (size_t)c->above : (size_t)-c->below;
  s->skew_z = c->up > -c->down ? (size_t)c->up : (size_t)-c->down;
  s->tasks = threads;
  s->slabs = convk_ceil_(threads, job->vectors);
  s->slab = convk_ceil_(n, s->slabs);
  s->slabs = convk_ceil_(n, s->slab);
  s->max_steps = convk_chebyshev_max_steps_(hw, job, s, max_levels, 3 * arrays);
  s->rows = convk_even_part_(s->slab, rows);
  if (!own && s->rows < s->slab) s->rows = convk_round_up_(s->rows, CONVK_SUMS_PLANES_);
  s->beside = more * c->pitch;
  s->plane = 2 * s->beside + s->rows * c->pitch;
  plane = (2 * more + rows) * row + 64;
  if (!own && rows < n && rows * row < room) plane += room - rows * row;
  if (convk_mul_(c->planes, plane, &all) || all > (size_t)-1 / 64) return CONVK_ERR_OVERFLOW;
  s->bytes = convk_round_up_(all + (2 * job->row + CONVK_SLACK_) * sizeof(CONVK_T), 64);
  if (convk_mul_(threads * max_levels, s->bytes, &all) || all > (size_t)-1 / 8) return CONVK_ERR_OVERFLOW;
  if (max_levels > 1 && *need < all + 64) *need = all + 64;
  return CONVK_OK;
}
