/* ---- Gaussians on grids of any three steps a, b, c ----
   In the frame of convk_cells_frame_, y' and z' do not change along a row, so that a row is what it is where axes are
   orthogonal: sum over q of W_q X_q(i) with X_q(i) = x'^q exp(-a x'^2), and weights of y', z' and the polynomial, which is
   turned into the frame once.  X depends on the row by j b1 + k c1.  Rows of a tile, of 4 by 4 as a rule, have one reference:
   where u is the distance of its points from the center, and s the way from there to a row,

     exp(-a (u + s)^2) = exp(-a u^2) exp(-2 a s (u - u0)) exp(-a s (2 u0 + s)).

   Exponentials of the first factor serve all rows of the tile; the second one is a product of tables of the whole call, one for
   each axis, since s = j b1 + k c1 but for whole steps; and the last one is a number of the row.  u0 is the point nearest to
   the center, so that nothing overflows, or the first one where steps are so small that it serves as well.  Where a s^2 is
   large, few points count, and each row has its own exponentials. */

#define CONVK_CELLS_ROWS_ 16    /* of a tile */
#define CONVK_CELLS_MEMBERS_ 16 /* groups of a cluster */
#define CONVK_CELLS_PANEL_ 320  /* rows of a panel, at least MEMBERS (MAX_L + 1) */
#define CONVK_CELLS_LONG_ 128   /* elements of a row of a panel: a tile's, and what fills up a strip */
#define CONVK_CELLS_MANY_ 127   /* more points to a side of the nearest one: tables from the first point on */
#define CONVK_CELLS_SHIFT_ 16   /* whole steps between rows of a tile, at most */
#define CONVK_CELLS_BASE_ 176   /* elements of a base: a tile's, such steps, and 16 on both sides */
#define CONVK_CELLS_LINE_ 192   /* and a factor for each row */
/* sqrt(a) times how far rows are from their reference, at most, where they share it: then no factor and no product of some is
   below the smallest normal number, where a (u + s)^2 is at most what CONVK_GRIDS_LEAST_ leaves, 26.4 or 47.2.  Where the base
   is less, no row has anything. */
#define CONVK_CELLS_STEEP_ CONVK_EITHER_(2., 8.)
#define CONVK_CELLS_BASE_LEAST_ CONVK_OF_(1.3234889800848443e-23f, 2.3411174152216344e-97) /* 2^-76, 2^-321 */

/* How a member's rows are made. */
#define CONVK_CELLS_OWN_ 0
#define CONVK_CELLS_NEAREST_ 1
#define CONVK_CELLS_WIDE_ 2

/* What one task has for itself. */
typedef struct convk_cells_scratch_ {
  convk_cells_alive_ *alive;
  convk_cells_line_ *line;
  convk_grids_listed_ *list;
  CONVK_T *panel, *w, *values, *sums, *factor, *bases, *own, *s, *lo;
  size_t rows, panel_apart, w_apart, value_apart; /* rows of panels, and distances of kinds */
  size_t beside;                                  /* the distance of four panels, or 0: there is one */
} convk_cells_scratch_;

/* An image of a cluster that has more images along the rows than there is room for their lines. */
typedef struct convk_cells_rest_ {
  const convk_cells_cluster_ *cluster;
  convk_cells_pair_ x;
  size_t alive, count;
} convk_cells_rest_;

/* A tile for some orbitals. */
typedef struct convk_cells_tile_ {
  const convk_grids_job_ *job;
  const convk_cells_scratch_ *own;
  size_t first[3], n[3], j[CONVK_CELLS_ROWS_], k[CONVK_CELLS_ROWS_];
  size_t length;         /* elements of lines */
  size_t orbital, count; /* of orbitals: the first, and how many */
  size_t lines, alive, places, factors, rests, batch;
  convk_cells_pair_ at[3];      /* the reference's first point from the first one of the box */
  double least[3], greatest[3]; /* of points of the tile from the first one of the box */
  double lower[3], upper[3];    /* and from the reference's first point */
  convk_cells_shape_ shape;
  convk_cells_rest_ rest;
} convk_cells_tile_;

/* ---- members, their tables, clusters ---- */

/* A number in two parts of the type. */
CONVK_LOCAL_ void convk_cells_split_(convk_cells_pair_ from, CONVK_T *s, CONVK_T *lo) {
  const double limit = (double)CONVK_GREATEST_ / 4;
  if (!(from.hi < limit)) from.hi = limit, from.lo = 0;
  if (!(from.hi > -limit)) from.hi = -limit, from.lo = 0;
  *s = (CONVK_T)from.hi;
  CONVK_IN_MEMORY_(s);
  *lo = (CONVK_T)((from.hi - (double)*s) + from.lo);
}

/* Points to each side of the nearest one that tables of an exponent have, where a row's have so many. */
CONVK_LOCAL_ size_t convk_cells_half_(const convk_grids_job_ *job, size_t points) {
  return points + (size_t)(job->spread / job->frame.step[0][0].hi) + 2;
}

/* Elements of a table: around its middle, where lines are longer by 16 and begin and end at multiples of 16. */
CONVK_LOCAL_ size_t convk_cells_pitch_(const convk_grids_job_ *job, size_t points) {
  return points > CONVK_CELLS_MANY_ ? 32 + CONVK_CELLS_BASE_ : convk_round_up_(2 * (convk_cells_half_(job, points) + 33), 16);
}

CONVK_LOCAL_ size_t convk_cells_middle_(const convk_grids_job_ *job, size_t points) {
  return points > CONVK_CELLS_MANY_ ? 32 : convk_cells_half_(job, points) + 33;
}

/* At most so many points are to each side of the nearest one. */
CONVK_LOCAL_ size_t convk_cells_points_(const convk_grids_job_ *job, double exponent) {
  const double points = convk_sqrt_(job->reach / exponent) / job->frame.step[0][0].hi + 1.5;
  return points < CONVK_CELLS_MANY_ + 1 ? (size_t)points : CONVK_CELLS_MANY_ + 1;
}

/* Elements of all tables of an exponent. */
CONVK_LOCAL_ size_t convk_cells_tables_(const convk_grids_job_ *job, double exponent) {
  return (size_t)(job->lean[1] + job->lean[2]) * 4 * convk_cells_pitch_(job, convk_cells_points_(job, exponent));
}

/* Tables exp(-2 a s h v) of a member for rows at s = (j - middle) by, and point v from the one where they are 1. */
CONVK_RARE_ void convk_cells_table_of_(const convk_grids_job_ *job, size_t member, size_t axis, CONVK_T *to) {
  const size_t points = job->members[member].points, half = convk_cells_half_(job, points);
  const int wide = points > CONVK_CELLS_MANY_;
  convk_cells_table_ part;
  size_t j;
  for (j = 0; j < 3; j++) part.of[j] = job->exponents[j * job->primitives + member];
  part.pitch = job->members[member].pitch;
  part.middle = job->members[member].middle;
  part.from = wide ? 0 : part.middle - half;
  part.end = wide ? part.pitch : part.middle + half + 1;
  for (j = 0; j < job->tile[axis]; j++) {
    const double at = 2 * (double)j - (double)(job->tile[axis] - 1);
    convk_cells_split_(convk_cells_mul_(convk_cells_times_(job->by[axis], at), job->frame.step[0][0]), &part.by[0],
                       &part.by[1]);
    part.to = to + j * part.pitch;
    job->cells->table(&part);
  }
}

/* Members in the order of clusters, from groups g .. end - 1, which have one center. */
CONVK_RARE_ void convk_cells_clusters_(convk_grids_job_ *job, size_t g, size_t end, CONVK_T **tables) {
  const double *const center = job->groups[g].center;
  convk_cells_pair_ from[3];
  size_t i, k;
  for (i = g; i < end; i++) { /* by exponents, rising */
    convk_cells_member_ m;
    m.exponent = job->groups[i].exponent;
    m.l = job->groups[i].l;
    m.terms = job->groups[i].terms;
    m.table[0] = m.table[1] = NULL;
    m.reach = convk_sqrt_(job->reach / m.exponent);
    m.points = convk_cells_points_(job, m.exponent);
    m.pitch = convk_cells_pitch_(job, m.points);
    m.middle = convk_cells_middle_(job, m.points);
    for (k = i; k > g && job->members[k - 1].exponent > m.exponent; k--) job->members[k] = job->members[k - 1];
    job->members[k] = m;
  }
  for (k = 0; k < 3; k++) from[k] = convk_cells_pair_of_(job->box.origin[k], -center[k]);
  for (i = g; i < end; i++) {
    convk_cells_member_ *const m = job->members + i;
    const double steep = convk_sqrt_(m->exponent) * (job->spread + 0.5 * job->frame.step[0][0].hi);
    const int lean = job->lean[1] || job->lean[2], kind = lean && steep > CONVK_CELLS_STEEP_ ? CONVK_CELLS_OWN_
                                                          : m->points <= CONVK_CELLS_MANY_   ? CONVK_CELLS_NEAREST_
                                                                                             : CONVK_CELLS_WIDE_;
    convk_cells_cluster_ *last = job->clusters + job->nclusters - (i > g);
    if (i == g || last->kind != kind || last->count == CONVK_CELLS_MEMBERS_) {
      last = job->clusters + job->nclusters++;
      last->first = i;
      last->count = 0;
      last->kind = kind;
      for (k = 0; k < 3; k++) last->at[k] = convk_cells_dot_(job->frame.axis[k], from);
    }
    last->count++;
    convk_gaussian_exponent_(job->kernels->fused, -m->exponent, job->exponents + i, job->exponents + job->primitives + i,
                             job->exponents + 2 * job->primitives + i);
    job->exponents[3 * job->primitives + i] = (CONVK_T)m->exponent;
    job->degrees[i] = m->l;
    for (k = 1; k < 3 && kind != CONVK_CELLS_OWN_; k++) {
      if (!job->lean[k]) continue;
      convk_cells_table_of_(job, i, k, *tables);
      m->table[m->table[0] ? 1 : 0] = *tables;
      *tables += job->tile[k] * m->pitch;
    }
  }
}

/* All of them, and along which axes X does not depend on the image: what is left is less than rounding does. */
CONVK_RARE_ void convk_cells_fill_(convk_grids_job_ *job) {
  const double tiny = CONVK_EITHER_(4.76837158203125e-07, 8.8817841970012523e-16) * job->frame.step[0][0].hi; /* 2^-21, 2^-50 */
  CONVK_T *tables = job->tables;
  double widest = 0;
  size_t g, end, d;
  for (d = 0; d < CONVK_CELLS_BASE_; d++)
    convk_cells_split_(convk_cells_times_(job->frame.step[0][0], (double)d), job->offsets + d,
                       job->offsets + CONVK_CELLS_BASE_ + d);
  convk_grids_group_all_(job);
  job->nclusters = 0;
  for (g = 0; g < job->ngroups; g = end) {
    for (end = g + 1; end < job->ngroups; end++)
      if (memcmp(job->groups[end].center, job->groups[g].center, sizeof job->groups[g].center) != 0) break;
    convk_cells_clusters_(job, g, end, &tables);
  }
  for (g = 0; g < job->ngroups; g++) widest = job->members[g].reach > widest ? job->members[g].reach : widest;
  for (d = 1; d < 3; d++) {
    const double shift = job->frame.step[d][0].hi, height = job->frame.step[d][d].hi;
    const double images = widest / (height < 0 ? -height : height) + (double)job->n[d];
    job->within[d] = images * (shift < 0 ? -shift : shift) <= tiny;
    /* images along c are one with that of b only if these are the same for all of them */
    if (d == 2 && !job->within[1])
      job->within[2] &= images * (job->frame.step[2][1].hi < 0 ? -job->frame.step[2][1].hi : job->frame.step[2][1].hi) <= tiny;
  }
}

/* ---- scratch ---- */

/* Rows of the panel of a batch. */
CONVK_LOCAL_ size_t convk_cells_panel_rows_(const convk_grids_job_ *job) {
  const int periodic = job->box.period[0] > 0 || job->box.period[1] > 0 || job->box.period[2] > 0;
  const size_t least = CONVK_CELLS_MEMBERS_ * (CONVK_SHELL_MAX_L + 1);
  return periodic || job->rows > CONVK_CELLS_PANEL_ ? CONVK_CELLS_PANEL_ : job->rows > least ? job->rows : least;
}

/* Sets of factors: see convk_cells_weights_. */
CONVK_LOCAL_ size_t convk_cells_sets_(const convk_grids_job_ *job) { return job->kinds > 1 ? 4 : job->bloch ? 2 : 1; }

/* Panels: of kinds of rows, or of real and imaginary parts. */
CONVK_LOCAL_ size_t convk_cells_panels_(const convk_grids_job_ *job) { return job->bloch ? 2 : (size_t)job->kinds; }

/* Whether images along the rows have phases. */
CONVK_LOCAL_ int convk_cells_phased_(const convk_grids_job_ *job) { return job->bloch && job->turn[0].hi != 0; }

/* Whether orbitals wait for all batches of a tile: for their squares, or to become complex numbers. */
CONVK_LOCAL_ int convk_cells_waits_(const convk_grids_job_ *job) { return job->density || job->bloch; }

/* Whether panels are made for four rows at once, which take the same second table and begin at the same element of lines. */
CONVK_LOCAL_ int convk_cells_fours_(const convk_grids_job_ *job) {
  return job->lean[1] && job->lean[2] && !job->apart[1] && job->kinds == 1 && !job->bloch;
}

/* Orbitals at once. */
CONVK_LOCAL_ size_t convk_cells_orbitals_(const convk_grids_job_ *job) {
  return convk_least_(job->norbitals, CONVK_GRIDS_WIDE_);
}

/* Where the parts of a task's scratch are, from `base` on; their bytes.  base NULL: for that alone. */
CONVK_RARE_ size_t convk_cells_scratch_of_(const convk_grids_job_ *job, char *base, convk_cells_scratch_ *to) {
  const size_t s = sizeof(CONVK_T), kinds = convk_cells_panels_(job), sets = convk_cells_sets_(job);
  const size_t rows = convk_cells_panel_rows_(job), count = convk_cells_orbitals_(job);
  size_t at = 0;
  to->rows = rows;
  to->panel_apart = rows * CONVK_CELLS_LONG_;
  to->w_apart = rows * CONVK_GRIDS_WIDE_;
  to->value_apart = count * CONVK_CELLS_LONG_;
  to->panel = (CONVK_T *)convk_grids_device_(base, at);
  to->beside = convk_cells_fours_(job) ? to->panel_apart + 80 : 0; /* not a multiple of 4096 bytes */
  at += to->beside ? 4 * to->beside * s : kinds * to->panel_apart * s;
  to->w = (CONVK_T *)convk_grids_device_(base, at);
  at += (sets > 2 ? 8 : sets > 1 ? 3 : 1) * to->w_apart * s;
  to->values = (CONVK_T *)convk_grids_device_(base, at);
  if (convk_cells_waits_(job)) at += CONVK_CELLS_ROWS_ * sets * to->value_apart * s;
  to->sums = (CONVK_T *)convk_grids_device_(base, at);
  at += to->value_apart * s;
  to->factor = (CONVK_T *)convk_grids_device_(base, at);
  at += rows * CONVK_CELLS_ROWS_ * sets * CONVK_CELLS_PRODUCTS_ * s;
  to->bases = (CONVK_T *)convk_grids_device_(base, at);
  at += rows * CONVK_CELLS_LINE_ * s;
  to->own = (CONVK_T *)convk_grids_device_(base, at + 16 * s);
  to->s = (CONVK_T *)convk_grids_device_(base, at + CONVK_CELLS_BASE_ * s);
  to->lo = (CONVK_T *)convk_grids_device_(base, at + 2 * CONVK_CELLS_BASE_ * s);
  at += 3 * CONVK_CELLS_BASE_ * s;
  to->line = (convk_cells_line_ *)convk_grids_device_(base, at);
  at += convk_round_up_((rows + CONVK_CELLS_MEMBERS_) * sizeof *to->line, 64);
  to->alive = (convk_cells_alive_ *)convk_grids_device_(base, at);
  at += convk_round_up_(rows * sizeof *to->alive, 64);
  to->list = (convk_grids_listed_ *)convk_grids_device_(base, at);
  at += convk_round_up_(rows * sizeof *to->list, 64);
  return convk_round_up_(at, 64);
}

/* ---- images ---- */

/* x less n images along an axis of the cell. */
CONVK_LOCAL_ void convk_cells_shift_(const convk_grids_job_ *job, convk_cells_pair_ *x, size_t axis, double n) {
  size_t k;
  for (k = 0; k <= axis && n != 0; k++) x[k] = convk_cells_add_(x[k], convk_cells_times_(job->frame.image[axis][k], -n));
}

/* ---- a batch: factors of rows ---- */

/* One image of a cluster in all rows, for members from `alive` on. */
CONVK_RARE_ void convk_cells_image_(convk_cells_tile_ *tile, const convk_cells_cluster_ *cluster, size_t alive,
                                    const convk_cells_pair_ at[3], const double *phase) {
  const convk_grids_job_ *const job = tile->job;
  convk_cells_image_part_ part;
  part.shape = &tile->shape;
  part.a = job->exponents + cluster->first;
  part.b = part.a + job->primitives;
  part.top = part.b + job->primitives;
  part.exponent = part.top + job->primitives;
  part.l = job->degrees + cluster->first;
  part.used = job->used + tile->orbital / CONVK_GRIDS_WIDE_ * job->ngroups + cluster->first;
  part.alive = tile->own->alive + alive;
  part.count = cluster->count;
  part.x = (CONVK_T)at[0].hi;
  convk_cells_split_(at[1], &part.y[0], &part.y[1]);
  convk_cells_split_(at[2], &part.z[0], &part.z[1]);
  part.width = job->box.period[0] > 0 ? -1 : (CONVK_T)(job->frame.step[0][0].hi * (double)(tile->n[0] - 1));
  part.reach = (CONVK_T)job->reach;
  part.phase[0] = (CONVK_T)phase[0];
  part.phase[1] = (CONVK_T)phase[1];
  part.sets = (int)convk_cells_sets_(job);
  (void)job->cells->image(&part);
}

/* Lines of those of `count` members from `alive` on that count in any row, for one image along the rows, at x from the center:
   how many.  kind: how they are made, not always as the cluster's are.  done: bits of members that have a line. */
CONVK_RARE_ size_t convk_cells_lines_(const convk_cells_tile_ *tile, const convk_cells_cluster_ *cluster, size_t alive,
                                      size_t count, convk_cells_pair_ x, int kind, unsigned *done, convk_cells_line_ *to) {
  const convk_grids_job_ *const job = tile->job;
  const convk_cells_member_ *const m = job->members + cluster->first;
  const double h = job->frame.step[0][0].hi, nearest = convk_grids_floor_(0.5 - x.hi / h), length = (double)tile->length;
  const convk_cells_pair_ delta = convk_cells_add_(x, convk_cells_times_(job->frame.step[0][0], nearest));
  const convk_cells_pair_ from = kind == CONVK_CELLS_WIDE_ ? x : delta;
  size_t i, d, n = 0;
  for (i = 0; i < count; i++) {
    const convk_cells_alive_ *const of = tile->own->alive + alive + i;
    const CONVK_T *const exponents = job->exponents + cluster->first + i;
    convk_cells_line_ *const line = to + n;
    double low, high;
    if (!of->rows) continue;
    low = (-m[i].reach - job->spread - x.hi) / h;
    high = (m[i].reach + job->spread - x.hi) / h + 1;
    low = low > 0 ? low : 0;
    high = high < length ? high : length;
    if (!(low < high)) continue;
    line->from = (size_t)low / 16 * 16;
    line->to = convk_round_up_((size_t)high + (high > (double)(size_t)high), 16);
    line->base = line->factor = NULL;
    for (d = 0; d < 2; d++) line->table[d] = kind == CONVK_CELLS_OWN_ ? NULL : m[i].table[d];
    line->pitch = m[i].pitch;
    line->lean = (ptrdiff_t)m[i].middle - (kind == CONVK_CELLS_WIDE_ ? 0 : (ptrdiff_t)nearest);
    line->of = of;
    line->place = of->place;
    line->l = m[i].l;
    for (d = 0; d < 4; d++) line->exponents[d] = exponents[d * job->primitives];
    convk_cells_split_(x, line->start, line->start + 1);
    convk_cells_split_(convk_cells_times_(from, 2), line->twice, line->twice + 1);
    line->delta = (CONVK_T)delta.hi;
    line->index = (CONVK_T)-nearest;
    line->phase[0] = 1;
    line->phase[1] = 0;
    line->rows = of->rows;
    line->more = *done >> i & 1;
    *done |= 1u << i;
    n++;
  }
  return n;
}

/* The phase of an image along the rows, in lines of it. */
CONVK_RARE_ void convk_cells_phase_of_(const convk_grids_job_ *job, double image, convk_cells_line_ *line, size_t count) {
  double cosine, sine;
  size_t i;
  if (!convk_cells_phased_(job)) return;
  convk_cells_phase_(convk_cells_times_(job->turn[0], image), &cosine, &sine);
  for (i = 0; i < count; i++) {
    line[i].phase[0] = (CONVK_T)cosine;
    line[i].phase[1] = (CONVK_T)sine;
  }
}

/* Lines without any element of members that no image reaches. */
CONVK_RARE_ size_t convk_cells_no_lines_(const convk_cells_tile_ *tile, const convk_cells_cluster_ *cluster, size_t alive,
                                         size_t count, unsigned done, convk_cells_line_ *to) {
  size_t i, n = 0;
  for (i = 0; i < count; i++) {
    const convk_cells_alive_ *const of = tile->own->alive + alive + i;
    if (!of->rows || done >> i & 1) continue;
    memset(to + n, 0, sizeof *to);
    to[n].base = tile->own->own;
    to[n].of = of;
    to[n].place = of->place;
    to[n].l = tile->job->members[cluster->first + i].l;
    to[n++].rows = of->rows;
  }
  return n;
}

/* What bases of lines need besides these. */
CONVK_LOCAL_ void convk_cells_bases_begin_(const convk_cells_tile_ *tile, convk_cells_bases_ *part) {
  memset(part, 0, sizeof *part);
  part->shape = &tile->shape;
  part->offset = tile->job->offsets;
  part->apart = CONVK_CELLS_BASE_;
  part->s = tile->own->s;
  part->lo = tile->own->lo;
  part->sets = convk_cells_sets_(tile->job);
}

/* Images along the rows of what lies at x: from *first to the result. */
CONVK_LOCAL_ double convk_cells_along_(const convk_cells_tile_ *tile, double x, double reach, double *first) {
  return convk_cells_images_(x + tile->lower[0], x + tile->upper[0], reach, tile->job->frame.image[0][0].hi, first);
}

/* Lines of all images along the rows, which have room, of members that begin at `alive`. */
CONVK_RARE_ void convk_cells_all_lines_(convk_cells_tile_ *tile, const convk_cells_cluster_ *cluster, size_t alive,
                                        size_t count, convk_cells_pair_ x) {
  const convk_grids_job_ *const job = tile->job;
  const convk_cells_scratch_ *const own = tile->own;
  double image, last;
  unsigned done = 0;
  convk_cells_bases_ part;
  convk_cells_bases_begin_(tile, &part);
  last = convk_cells_along_(tile, x.hi, job->members[cluster->first].reach, &image);
  for (; image <= last; image += 1) {
    const convk_cells_pair_ at = convk_cells_add_(x, convk_cells_times_(job->frame.image[0][0], -image));
    size_t i;
    part.line = own->line + tile->lines;
    part.count = convk_cells_lines_(tile, cluster, alive, count, at, cluster->kind, &done, part.line);
    convk_cells_phase_of_(job, image, part.line, part.count);
    for (i = 0; i < part.count && cluster->kind != CONVK_CELLS_OWN_; i++) {
      part.line[i].base = own->bases + (tile->lines + i) * CONVK_CELLS_LINE_ + 16;
      if (job->box.period[0] > 0) part.line[i].factor = part.line[i].base + CONVK_CELLS_BASE_ - 16;
    }
    part.cut = part.count && part.line->table[0] ? CONVK_CELLS_BASE_LEAST_ : job->part.cut / 1024;
    if (part.count && cluster->kind != CONVK_CELLS_OWN_) job->cells->bases(&part);
    tile->lines += part.count;
  }
  tile->lines += convk_cells_no_lines_(tile, cluster, alive, count, done, own->line + tile->lines);
}

/* Adds an image of a cluster to a batch that has room for it: those along axes of which X does not depend are one with it.
   room: also for all its lines. */
CONVK_RARE_ void convk_cells_enter_(convk_cells_tile_ *tile, const convk_cells_cluster_ *cluster, double nb, double nc,
                                    int room) {
  const convk_grids_job_ *const job = tile->job;
  const convk_cells_scratch_ *const own = tile->own;
  const double reach = job->members[cluster->first].reach;
  const size_t one = CONVK_CELLS_ROWS_ * convk_cells_sets_(job) * CONVK_CELLS_PRODUCTS_;
  double first = 0, last = 0, inner_b, inner_c, phase[2] = {1, 0};
  convk_cells_pair_ own_at[3];
  size_t i, kept = 0;
  for (i = 0; i < 3; i++) own_at[i] = convk_cells_add_(cluster->at[i], tile->at[i]);
  convk_cells_shift_(job, own_at, 2, nc);
  convk_cells_shift_(job, own_at, 1, nb);
  for (i = 0; i < cluster->count; i++) {
    convk_cells_alive_ *const alive = own->alive + tile->alive + i;
    alive->rows = 0;
    alive->factor = own->factor + tile->factors + i * one;
    alive->l = job->members[cluster->first + i].l;
    alive->terms = job->members[cluster->first + i].terms;
  }
  if (job->within[2])
    last = convk_cells_images_(own_at[2].hi + tile->lower[2], own_at[2].hi + tile->upper[2], reach, job->frame.image[2][2].hi,
                               &first);
  for (inner_c = first; inner_c <= last; inner_c += 1) {
    convk_cells_pair_ plane[3];
    double from = 0, to = 0;
    memcpy(plane, own_at, sizeof plane);
    convk_cells_shift_(job, plane, 2, inner_c);
    if (job->within[1])
      to = convk_cells_images_(plane[1].hi + tile->lower[1], plane[1].hi + tile->upper[1], reach, job->frame.image[1][1].hi,
                               &from);
    for (inner_b = from; inner_b <= to; inner_b += 1) {
      convk_cells_pair_ at[3];
      memcpy(at, plane, sizeof at);
      convk_cells_shift_(job, at, 1, inner_b);
      if (job->bloch)
        convk_cells_phase_(
            convk_cells_add_(convk_cells_times_(job->turn[1], nb + inner_b), convk_cells_times_(job->turn[2], nc + inner_c)),
            &phase[0], &phase[1]);
      convk_cells_image_(tile, cluster, tile->alive, at, phase);
    }
  }
  for (i = 0; i < cluster->count; i++) { /* the widest come first: what is left is a part of them, but for unused ones */
    convk_cells_alive_ *const alive = own->alive + tile->alive + i;
    alive->place = tile->places;
    if (!alive->rows) continue;
    tile->places += alive->l + 1;
    kept = i + 1;
  }
  if (kept && room) convk_cells_all_lines_(tile, cluster, tile->alive, kept, own_at[0]);
  else if (kept) {
    tile->rests = 1;
    tile->rest.cluster = cluster;
    tile->rest.x = own_at[0];
    tile->rest.alive = tile->alive;
    tile->rest.count = kept;
  }
  tile->alive += kept;
  tile->factors += kept * one;
}

/* ---- a batch: rows of panels ---- */

/* What panels of a tile need, whatever the row. */
CONVK_RARE_ void convk_cells_panel_begin_(const convk_cells_tile_ *tile, convk_cells_rows_ *part) {
  const convk_grids_job_ *const job = tile->job;
  memset(part, 0, sizeof *part);
  convk_cells_bases_begin_(tile, &part->own);
  part->own.cut = job->part.cut / 1024;
  part->n = convk_round_up_(tile->n[0], job->kernels->strip);
  part->total = tile->own->rows;
  part->apart = tile->own->panel_apart;
  part->step = (CONVK_T)job->frame.step[0][0].hi;
  part->panel = tile->own->panel;
  part->base = tile->own->own;
  part->kinds = job->kinds;
  part->phased = convk_cells_phased_(job);
  part->beside = tile->own->beside;
}

/* Makes the panel for row r. */
CONVK_LOCAL_ void convk_cells_make_(const convk_cells_tile_ *tile, size_t r, convk_cells_rows_ *part) {
  part->line = tile->own->line;
  part->count = tile->lines;
  part->row = r;
  part->group = tile->shape.group[r];
  tile->job->cells->rows(part);
}

/* And of the image whose lines have no room. */
CONVK_RARE_ void convk_cells_make_rest_(const convk_cells_tile_ *tile, convk_cells_rows_ *part) {
  const convk_grids_job_ *const job = tile->job;
  const convk_cells_rest_ *const rest = &tile->rest;
  convk_cells_line_ *const line = tile->own->line + tile->own->rows; /* of one image */
  double image, last;
  unsigned done = 0;
  part->line = line;
  last = convk_cells_along_(tile, rest->x.hi, job->members[rest->cluster->first].reach, &image);
  for (; image <= last; image += 1) {
    const convk_cells_pair_ at = convk_cells_add_(rest->x, convk_cells_times_(job->frame.image[0][0], -image));
    part->count = convk_cells_lines_(tile, rest->cluster, rest->alive, rest->count, at, CONVK_CELLS_OWN_, &done, line);
    convk_cells_phase_of_(job, image, line, part->count);
    job->cells->rows(part);
  }
  part->count = convk_cells_no_lines_(tile, rest->cluster, rest->alive, rest->count, done, line);
  job->cells->rows(part);
}

/* ---- a batch: sums ---- */

/* What weights of a tile need, whatever the row. */
CONVK_RARE_ void convk_cells_weights_begin_(const convk_cells_tile_ *tile, convk_cells_weights_ *part) {
  const convk_grids_job_ *const job = tile->job;
  size_t k, d;
  part->alive = tile->own->alive;
  part->terms = job->coefficients + tile->orbital / CONVK_GRIDS_WIDE_ * job->whole * job->width;
  part->list = tile->own->list;
  part->count = tile->alive;
  part->orbitals = tile->count;
  part->width = job->width;
  part->imag = job->bloch && job->bloch->imag ? job->term_rows / 2 : 0;
  part->apart = tile->own->w_apart;
  part->w = tile->own->w;
  part->sets = (int)convk_cells_sets_(job);
  for (k = 0; k < 3; k++)
    for (d = 0; d < 3; d++) part->axis[k][d] = (CONVK_T)job->frame.axis[k][d].hi;
}

/* to[o to_pitch + i] += from[o LONG + i] */
CONVK_RARE_ void convk_cells_more_(const CONVK_T *from, size_t rows, size_t n, CONVK_T *to, size_t pitch) {
  size_t o, i;
  for (o = 0; o < rows; o++)
    for (i = 0; i < n; i++) to[o * pitch + i] += from[o * CONVK_CELLS_LONG_ + i];
}

/* Sums of a kind in a row, as `product` has them: stored, or added to those of batches before.  single: there is one batch. */
CONVK_RARE_ void convk_cells_store_(const convk_cells_tile_ *tile, convk_grids_product_ *product, CONVK_T *to, size_t pitch,
                                    int single) {
  const convk_grids_job_ *const job = tile->job;
  const int more = tile->batch > 0;
  if (more && !product->counts[0]) return;
  product->out = more ? tile->own->sums : to;
  product->pitch = more ? CONVK_CELLS_LONG_ : pitch;
  product->stream = single && job->stream && (uintptr_t)to % 64 == 0;
  job->kernels->multiply(product);
  if (more) convk_cells_more_(product->out, tile->count, tile->n[0], to, pitch);
}

/* What all sums of a tile need. */
CONVK_RARE_ void convk_cells_product_begin_(const convk_cells_tile_ *tile, convk_grids_product_ *product) {
  memset(product, 0, sizeof *product);
  product->w_block = tile->job->kernels->block;
  product->rows = tile->count;
  product->n = tile->n[0];
  product->total = tile->own->rows;
  product->list = tile->own->list;
}

/* All kinds of sums of a row with `count` rows of panels, at `to` and at distances of `pitch` between orbitals: of which
   weights with which panels, and with which ones besides. */
CONVK_RARE_ void convk_cells_sums_of_(const convk_cells_tile_ *tile, size_t count, convk_grids_product_ *product,
                                      CONVK_T *const *to, size_t pitch, int single) {
  static const int table[5][2] = {{0, 0}, {1, 0}, {1, 0}, {1, 0}, {2, 0}},
                   weight[5][2] = {{0, 0}, {1, 4}, {2, 5}, {3, 6}, {0, 7}};
  static const int complex_table[2] = {0, 1}, complex_weight[2][2] = {{0, 2}, {1, 0}};
  const convk_grids_job_ *const job = tile->job;
  const convk_cells_scratch_ *const own = tile->own;
  const size_t sums = job->bloch ? 2 : job->kinds == 1 ? 1 : job->density ? 4 : 5;
  const CONVK_T *const panel = product->panel[0];
  size_t k, part, counts[CONVK_GRIDS_WIDE_]; /* of blocks of orbitals, whose tables are the same */
  for (k = 0; k == 0 || k * product->w_block < tile->count; k++) counts[k] = count;
  product->counts = counts;
  for (k = 0; k < sums; k++) {
    product->parts = job->bloch ? 1 + convk_cells_phased_(job) : k ? 2 : 1;
    for (part = 0; part < 2; part++) {
      product->w[part][0] = own->w + (size_t)(job->bloch ? complex_weight[k][part] : weight[k][part]) * own->w_apart;
      product->panel[part] = panel + (size_t)(job->bloch ? complex_table[part] : table[k][part]) * own->panel_apart;
    }
    convk_cells_store_(tile, product, to[k], pitch, single);
  }
  product->counts = NULL;
}

/* Orbitals of row r, which are complete, as complex numbers. */
CONVK_RARE_ void convk_cells_pair_up_(const convk_cells_tile_ *tile, size_t r, size_t at) {
  const convk_grids_job_ *const job = tile->job;
  convk_cells_pairs_ pairs;
  pairs.real = tile->own->values + 2 * r * tile->own->value_apart;
  pairs.imag = pairs.real + tile->own->value_apart;
  pairs.rows = tile->count;
  pairs.n = tile->n[0];
  pairs.from_pitch = CONVK_CELLS_LONG_;
  pairs.pitch = 2 * job->ld;
  pairs.to = job->out[0] + 2 * (tile->orbital * job->ld + at);
  job->cells->pairs(&pairs);
}

/* Adds orbitals of row r, which are complete, to the density. */
CONVK_RARE_ void convk_cells_square_(const convk_cells_tile_ *tile, size_t r, size_t at) {
  const convk_grids_job_ *const job = tile->job;
  convk_grids_squares_ squares;
  size_t o, d;
  memset(&squares, 0, sizeof squares);
  squares.rows = 1;
  squares.n = tile->n[0];
  squares.apart = job->kinds > 1 ? tile->own->value_apart : 0;
  for (d = 0; d < 5; d++) squares.out[d] = job->out[d] ? job->out[d] + at : NULL;
  for (o = 0; o < tile->count; o++)
    for (d = 0; d < (job->bloch ? 2 : 1); d++) { /* real and imaginary parts */
      squares.value = tile->own->values + (r * convk_cells_sets_(job) + d) * tile->own->value_apart + o * CONVK_CELLS_LONG_;
      squares.weight = CONVK_ONE_(job->occupations + tile->orbital + o);
      squares.first = !job->add && tile->orbital + o + d == 0;
      job->kernels->add_squares(&squares);
    }
}

/* All rows of a tile of one orbital, whose rows begin at `to`, if these can be made at once. */
CONVK_RARE_ int convk_cells_single_tile_(const convk_cells_tile_ *tile, convk_cells_rows_ *rows) {
  const convk_grids_job_ *const job = tile->job;
  const convk_cells_scratch_ *const own = tile->own;
  convk_cells_single_ part;
  size_t r;
  if (tile->count != 1 || tile->rests || tile->batch || convk_cells_waits_(job) || !own->beside) return 0;
  rows->line = own->line;
  rows->count = tile->lines;
  part.rows = rows;
  part.terms =
      job->coefficients + tile->orbital / CONVK_GRIDS_WIDE_ * job->whole * job->width + tile->orbital % CONVK_GRIDS_WIDE_;
  part.width = job->width;
  part.n = tile->n[0];
  part.w = own->w;
  part.bases = own->panel;
  part.room = 4 * own->beside;
  part.stream = job->stream;
  for (r = 0; r < tile->shape.rows; r++) {
    part.to[r] = job->out[0] + tile->orbital * job->ld + (tile->first[2] + tile->k[r]) * job->box.grid.pitch_z +
                 (tile->first[1] + tile->j[r]) * job->box.grid.pitch_y + tile->first[0];
    if ((uintptr_t)part.to[r] % 64) part.stream = 0;
  }
  return job->cells->single(&part);
}

/* What is in a batch, in all rows of the tile; last: there is no other one. */
CONVK_RARE_ void convk_cells_batch_(convk_cells_tile_ *tile, int last) {
  const convk_grids_job_ *const job = tile->job;
  const size_t sets = convk_cells_sets_(job);
  convk_cells_rows_ rows;
  convk_cells_weights_ weights;
  convk_grids_product_ product;
  size_t r, k;
  convk_cells_panel_begin_(tile, &rows);
  convk_cells_weights_begin_(tile, &weights);
  convk_cells_product_begin_(tile, &product);
  for (r = last && convk_cells_single_tile_(tile, &rows) ? tile->shape.rows : 0; r < tile->shape.rows; r++) {
    const size_t at = (tile->first[2] + tile->k[r]) * job->box.grid.pitch_z +
                      (tile->first[1] + tile->j[r]) * job->box.grid.pitch_y + tile->first[0];
    CONVK_T *to[5] = {NULL, NULL, NULL, NULL, NULL};
    for (k = 0; k < 5; k++) {
      if (convk_cells_waits_(job) && k < sets) to[k] = tile->own->values + (r * sets + k) * tile->own->value_apart;
      else if (!convk_cells_waits_(job) && job->out[k]) to[k] = job->out[k] + tile->orbital * job->ld + at;
    }
    product.panel[0] = tile->own->panel + tile->shape.panel[r] * tile->own->beside;
    if (tile->shape.group[r]) {
      convk_cells_make_(tile, r, &rows);
      if (tile->rests) convk_cells_make_rest_(tile, &rows);
    }
    weights.row = r;
    convk_cells_sums_of_(tile, job->cells->weigh(&weights), &product, to, convk_cells_waits_(job) ? CONVK_CELLS_LONG_ : job->ld,
                         last && !tile->batch && !convk_cells_waits_(job));
    if (last && job->density) convk_cells_square_(tile, r, at);
    else if (last && job->bloch) convk_cells_pair_up_(tile, r, at);
  }
  tile->lines = tile->alive = tile->places = tile->factors = tile->rests = 0;
  tile->batch++;
}

/* ---- tiles ---- */

/* Numbers of rows in two parts of the type. */
CONVK_LOCAL_ void convk_cells_put_row_(convk_cells_pair_ from, CONVK_T to[2][16], size_t r) {
  convk_cells_split_(from, &to[0][r], &to[1][r]);
}

/* Rows of a tile, those that share a panel one after the other, as they lie from its reference; and how long its lines are. */
CONVK_RARE_ void convk_cells_shape_of_(convk_cells_tile_ *tile) {
  const convk_grids_job_ *const job = tile->job;
  const convk_cells_frame_ *const f = &job->frame;
  convk_cells_shape_ *const shape = &tile->shape;
  ptrdiff_t shift[CONVK_CELLS_ROWS_], least = 0, greatest = 0;
  size_t r, o, d;
  shape->rows = tile->n[1] * tile->n[2];
  for (r = 0; r < CONVK_CELLS_ROWS_; r++) {
    const size_t of = r < shape->rows ? r : shape->rows - 1, planes = tile->n[2];
    const size_t j = job->shared[2] ? of / planes : of % tile->n[1], k = job->shared[2] ? of % planes : of / tile->n[1];
    tile->j[r] = j;
    tile->k[r] = k;
    shift[r] = (ptrdiff_t)j * job->apart[1] + (ptrdiff_t)k * job->apart[2];
    least = shift[r] < least ? shift[r] : least;
    greatest = shift[r] > greatest ? shift[r] : greatest;
  }
  tile->length = tile->n[0] + (size_t)(greatest - least);
  for (r = 0; r < CONVK_CELLS_ROWS_; r++) {
    const size_t j = tile->j[r], k = tile->k[r];
    convk_cells_pair_ at[3];
    shape->shift[r] = (size_t)(shift[r] - least);
    shape->step[r][0] = job->lean[1] ? j : k;
    shape->step[r][1] = k;
    shape->same[r] = 0;
    for (o = 0; o < shape->rows; o++)
      if ((job->shared[1] || tile->j[o] == j) && (job->shared[2] || tile->k[o] == k)) shape->same[r] |= 1u << o;
    shape->group[r] = !r || !(shape->same[r] >> (r - 1) & 1);
    shape->panel[r] = 0;
    if (convk_cells_fours_(job) && r < shape->rows) {
      shape->panel[r] = j;
      shape->group[r] = j ? 0 : (int)tile->n[1];
    }
    at[0] = convk_cells_add_(convk_cells_times_(job->by[1], (double)j - 0.5 * (double)(job->tile[1] - 1)),
                             convk_cells_times_(job->by[2], (double)k - 0.5 * (double)(job->tile[2] - 1)));
    at[1] = convk_cells_add_(convk_cells_times_(f->step[1][1], (double)j), convk_cells_times_(f->step[2][1], (double)k));
    at[2] = convk_cells_times_(f->step[2][2], (double)k);
    convk_cells_put_row_(at[0], shape->s, r);
    convk_cells_put_row_(at[1], shape->y, r);
    convk_cells_put_row_(at[2], shape->z, r);
    at[0] = convk_cells_add_(at[0], convk_cells_times_(f->step[0][0], (double)shape->shift[r]));
    shape->x[r] = (CONVK_T)at[0].hi;
    for (d = 0; d < 3; d++) {
      if (!r || at[d].hi < tile->lower[d]) tile->lower[d] = at[d].hi;
      if (!r || at[d].hi > tile->upper[d]) tile->upper[d] = at[d].hi;
    }
  }
  tile->upper[0] += f->step[0][0].hi * (double)(tile->n[0] - 1);
}

/* Where a tile is: that of the reference's first point, from which shifts are counted. */
CONVK_RARE_ void convk_cells_place_(convk_cells_tile_ *tile) {
  const convk_grids_job_ *const job = tile->job;
  const convk_cells_frame_ *const f = &job->frame;
  double back = 0; /* to the least shift */
  size_t d;
  for (d = 1; d < 3; d++) back += job->apart[d] < 0 ? (double)job->apart[d] * (double)(tile->n[d] - 1) : 0;
  for (d = 0; d < 3; d++) {
    convk_cells_pair_ x = convk_cells_times_(f->step[2][d], (double)tile->first[2]);
    if (d < 2) x = convk_cells_add_(x, convk_cells_times_(f->step[1][d], (double)tile->first[1]));
    if (d < 1) {
      x = convk_cells_add_(x, convk_cells_times_(f->step[0][0], (double)tile->first[0] + back));
      x = convk_cells_add_(x, convk_cells_times_(job->by[1], 0.5 * (double)(job->tile[1] - 1)));
      x = convk_cells_add_(x, convk_cells_times_(job->by[2], 0.5 * (double)(job->tile[2] - 1)));
    }
    tile->at[d] = x;
    tile->least[d] = x.hi + tile->lower[d];
    tile->greatest[d] = x.hi + tile->upper[d];
  }
}

/* A cluster in the tile: all images of it that X depends on, in as many batches as it takes. */
CONVK_RARE_ void convk_cells_visit_(convk_cells_tile_ *tile, const convk_cells_cluster_ *cluster) {
  const convk_grids_job_ *const job = tile->job;
  const convk_cells_pair_(*const image)[3] = job->frame.image;
  const double reach = job->members[cluster->first].reach;
  const unsigned char *const used = job->used + tile->orbital / CONVK_GRIDS_WIDE_ * job->ngroups + cluster->first;
  const size_t room = tile->own->rows;
  double from, to, first, last, nb, nc, gap[3], lines, begin, limit = reach * 1.00005;
  size_t i, places = 0;
  for (i = 0; i < cluster->count; i++) places += used[i] ? job->members[cluster->first + i].l + 1 : 0;
  if (!places) return;
  for (i = 0; i < 3; i++) limit += 1e-14 * (cluster->at[i].hi < 0 ? -cluster->at[i].hi : cluster->at[i].hi); /* how gaps err */
  first = last = from = to = 0;
  if (!job->within[2])
    last = convk_cells_images_(cluster->at[2].hi + tile->least[2], cluster->at[2].hi + tile->greatest[2], reach, image[2][2].hi,
                               &first);
  for (nc = first; nc <= last; nc += 1) {
    const double x = cluster->at[0].hi - nc * image[2][0].hi, y = cluster->at[1].hi - nc * image[2][1].hi;
    const double z = cluster->at[2].hi - nc * image[2][2].hi;
    gap[2] = job->within[2] && job->box.period[2] > 0 ? 0 : convk_cells_gap_(z + tile->least[2], z + tile->greatest[2]);
    if (!job->within[1]) to = convk_cells_images_(y + tile->least[1], y + tile->greatest[1], reach, image[1][1].hi, &from);
    for (nb = from; nb <= to; nb += 1) {
      const double own_x = x - nb * image[1][0].hi, own_y = y - nb * image[1][1].hi;
      gap[0] = job->box.period[0] > 0 ? 0 : convk_cells_gap_(own_x + tile->least[0], own_x + tile->greatest[0]);
      gap[1] = job->box.period[1] > 0 && (job->within[1] || job->within[2])
                   ? 0
                   : convk_cells_gap_(own_y + tile->least[1], own_y + tile->greatest[1]);
      if (job->within[2] && job->box.period[2] > 0) gap[1] = 0; /* other images lie elsewhere along y', too */
      if (!(gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2] <= limit * limit)) continue;
      lines = (convk_cells_along_(tile, own_x + tile->at[0].hi, reach, &begin) - begin + 1) * (double)cluster->count;
      if (tile->alive + cluster->count > room || tile->places + places > room || tile->rests ||
          (double)tile->lines + lines > (double)room)
        if (tile->alive) convk_cells_batch_(tile, 0);
      convk_cells_enter_(tile, cluster, nb, nc, lines <= (double)room);
    }
  }
}

/* Rows of a density without orbitals. */
CONVK_RARE_ void convk_cells_zero_(const convk_cells_tile_ *tile) {
  const convk_grids_job_ *const job = tile->job;
  size_t r, d;
  for (r = 0; r < tile->shape.rows; r++)
    for (d = 0; d < 5; d++)
      if (job->out[d])
        memset(job->out[d] + (tile->first[2] + tile->k[r]) * job->box.grid.pitch_z +
                   (tile->first[1] + tile->j[r]) * job->box.grid.pitch_y + tile->first[0],
               0, tile->n[0] * sizeof *job->out[d]);
}

/* Columns of tiles, every so many of them. */
CONVK_LOCAL_ void convk_cells_task_(void *arg, size_t index) {
  const convk_grids_job_ *const job = (const convk_grids_job_ *)arg;
  convk_cells_scratch_ own;
  convk_cells_tile_ tile;
  size_t column, d, i, c, n[3] = {0, 0, 0}; /* of the tile before */
  (void)convk_cells_scratch_of_(job, job->scratch + index * job->task_bytes, &own);
  memset(&tile, 0, sizeof tile);
  tile.job = job;
  tile.own = &own;
  for (column = index; column < job->tiles[1] * job->tiles[2]; column += job->tasks)
    for (i = 0; i < job->tiles[0]; i++) {
      const size_t at[3] = {i, column % job->tiles[1], column / job->tiles[1]};
      for (d = 0; d < 3; d++) {
        tile.first[d] = at[d] * job->tile[d];
        tile.n[d] = convk_least_(job->n[d] - tile.first[d], job->tile[d]);
      }
      if (tile.n[0] != n[0] || tile.n[1] != n[1] || tile.n[2] != n[2]) {
        memcpy(n, tile.n, sizeof n);
        convk_cells_shape_of_(&tile);
      }
      convk_cells_place_(&tile);
      if (!job->norbitals && !job->add) convk_cells_zero_(&tile);
      for (tile.orbital = 0; tile.orbital < job->norbitals; tile.orbital += CONVK_GRIDS_WIDE_) {
        tile.count = convk_least_(job->norbitals - tile.orbital, CONVK_GRIDS_WIDE_);
        tile.batch = 0;
        for (c = 0; c < job->nclusters; c++) convk_cells_visit_(&tile, job->clusters + c);
        convk_cells_batch_(&tile, 1);
      }
    }
  if (job->stream) job->kernels->fence();
}

/* ---- calls ---- */

/* What the box decides: shapes of tiles, along which axes rows of one share a panel, and along which they take tables. */
CONVK_RARE_ void convk_cells_begin_(convk_grids_job_ *job) {
  const convk_cells_pair_ h = job->frame.step[0][0];
  const double tiny = CONVK_EITHER_(2.98023223876953125e-08, 5.5511151231257827e-17) * h.hi; /* 2^-25, 2^-54 */
  size_t max_tile[3] = {0, 4, 4}, d;
  for (d = 1; d < 3; d++) {
    const double shift = job->frame.step[d][0].hi * CONVK_CELLS_ROWS_;
    job->shared[d] = shift <= tiny && -shift <= tiny;
  }
  if (job->shared[1] != job->shared[2]) {
    max_tile[1] = job->shared[1] ? CONVK_CELLS_ROWS_ : 1;
    max_tile[2] = job->shared[2] ? CONVK_CELLS_ROWS_ : 1;
  }
  job->spread = 0;
  for (d = 1; d < 3; d++) {
    double whole = convk_grids_floor_(job->frame.step[d][0].hi / h.hi + 0.5), left;
    if (!(3 * (whole < 0 ? -whole : whole) <= CONVK_CELLS_SHIFT_ / 2)) max_tile[d] = 1;
    if (max_tile[d] == 1) whole = 0;
    job->tile[d] = convk_even_part_(job->n[d], max_tile[d]);
    job->tiles[d] = convk_ceil_(job->n[d], job->tile[d]);
    job->apart[d] = job->shared[d] ? 0 : (ptrdiff_t)whole;
    job->by[d].hi = job->by[d].lo = 0;
    job->lean[d] = !job->shared[d] && max_tile[d] > 1;
    if (!job->lean[d]) continue;
    job->by[d] = convk_cells_add_(job->frame.step[d][0], convk_cells_times_(h, -whole));
    left = 0.5 * (double)(job->tile[d] - 1) * job->by[d].hi;
    job->spread += left < 0 ? -left : left;
  }
}

/* Counts what tables and terms need; the checks are those of axes along x, y, z, whose tables are not made. */
CONVK_RARE_ int convk_cells_count_(char *message, convk_grids_job_ *job) {
  const size_t blocks = convk_ceil_(job->norbitals, CONVK_GRIDS_WIDE_), limit = (size_t)-1 / 4096;
  size_t i, p;
  job->width = convk_round_up_(job->norbitals ? convk_least_(job->norbitals, CONVK_GRIDS_WIDE_) : 1, 16);
  job->table = 0;
  for (i = 0; i < job->nshells; i++)
    for (p = 0; p < job->shells[i].primitives && job->table <= limit; p++)
      job->table += convk_cells_tables_(job, convk_grids_exponent_(job, job->shells + i, p));
  if (job->table > limit) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "the shells of set are too many");
  if (convk_mul_(blocks * job->width, job->terms, &job->term_rows) || job->term_rows > limit)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "set->norbitals times the functions of the shells is too large");
  if (job->bloch && job->bloch->imag) job->term_rows *= 2;
  return CONVK_OK;
}

/* Which members have terms of any orbital of a block. */
CONVK_RARE_ void convk_cells_used_(convk_grids_job_ *job) {
  size_t b, i, k;
  for (b = 0; b * CONVK_GRIDS_WIDE_ < job->norbitals; b++)
    for (i = 0; i < job->ngroups; i++) {
      const convk_cells_member_ *const m = job->members + i;
      const CONVK_T *const terms = job->coefficients + (b * job->whole + m->terms) * job->width;
      int any = 0;
      for (k = 0; k < convk_grids_terms_(m->l) * job->width; k++)
        any |= terms[k] != 0 || (job->bloch && job->bloch->imag && terms[k + job->term_rows / 2] != 0);
      job->used[b * job->ngroups + i] = (unsigned char)any;
    }
}

/* Bytes of what general cells need besides, from `at` on; these parts of `base` where that is not NULL. */
CONVK_RARE_ size_t convk_cells_work_(convk_grids_job_ *job, char *base, size_t at) {
  job->members = (convk_cells_member_ *)convk_grids_device_(base, at);
  at += convk_round_up_(job->primitives * sizeof *job->members, 64);
  job->clusters = (convk_cells_cluster_ *)convk_grids_device_(base, at);
  at += convk_round_up_(job->primitives * sizeof *job->clusters, 64);
  job->exponents = (CONVK_T *)convk_grids_device_(base, at);
  at += convk_round_up_(4 * job->primitives * sizeof(CONVK_T), 64);
  job->degrees = (size_t *)convk_grids_device_(base, at);
  at += convk_round_up_(job->primitives * sizeof *job->degrees, 64);
  job->offsets = (CONVK_T *)convk_grids_device_(base, at);
  at += 2 * CONVK_CELLS_BASE_ * sizeof(CONVK_T);
  job->used = (unsigned char *)convk_grids_device_(base, at);
  at += convk_round_up_(convk_ceil_(job->norbitals, CONVK_GRIDS_WIDE_) * job->primitives, 64);
  return at;
}

/* All of this once it has its memory. */
CONVK_RARE_ void convk_cells_ready_(convk_grids_job_ *job, double *sum) {
  memset(job->coefficients, 0, job->term_rows * sizeof *job->coefficients);
  convk_cells_fill_(job);
  convk_grids_terms_of_(job, sum);
  convk_grids_imaginary_(job, sum);
  convk_cells_used_(job);
}

CONVK_RARE_ size_t convk_cells_scratch_bytes_(const convk_grids_job_ *job) {
  convk_cells_scratch_ none;
  return convk_cells_scratch_of_(job, NULL, &none);
}

CONVK_RARE_ const convk_grids_general_ *convk_grids_general_calls_(void) {
  static const convk_grids_general_ calls = {convk_cells_begin_, convk_cells_count_,         convk_cells_work_,
                                             convk_cells_ready_, convk_cells_scratch_bytes_, convk_cells_task_};
  return &calls;
}
