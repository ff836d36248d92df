/* ---- Gaussians on regular grids: groups that share tables, and the tables ----
   On axes, exp(-a r^2) is a product of three factors, one for each axis.  So an orbital is a sum over tables along x, times
   weights that a row (y, z) gives them:

     value(i) = sum over q of W_q(y, z) X_q(i),    W_q = sum over powers b, c of C_qbc Y_b(y) Z_c(z),

   X_q(i) = u^k exp(-a u^2), u = x_i - A_x.  All primitives of a center that share an exponent share the tables; C_qbc has all
   that contraction and orbital make of them. */

typedef struct convk_grids_group_ {
  double center[3], exponent;
  size_t l, terms;         /* where its terms begin among those of a whole orbital */
  size_t low[3], count[3]; /* points of an axis where it is not nothing */
  CONVK_T *table[3];       /* rows of so many points: powers 0 .. l, then their first and second derivatives; at a point k,
                              where images have phases, imaginary parts, then exponentials without phases */
  CONVK_T *maxima[3];      /* the largest exponential of each tile of the axis */
  CONVK_T *blocks;         /* the same along y of each block of rows of each tile, which have BLOCKS of them */
} convk_grids_group_;

/* A group, ready for its rows. */
typedef struct convk_cells_member_ {
  double exponent, reach;
  size_t l, terms, points; /* terms: where they begin among those of an orbital; points: to each side of the nearest one */
  const CONVK_T *table[2]; /* along the second and the third axis, see convk_cells_line_; NULL: none */
  size_t pitch, middle;    /* of these */
} convk_cells_member_;

/* Members that share their center and how their rows are made, the widest first. */
typedef struct convk_cells_cluster_ {
  size_t first, count;
  int kind;
  convk_cells_pair_ at[3]; /* the first point of the box, from the center, in the frame */
} convk_cells_cluster_;

/* One checked call.  Of gridpot_grid `gaussians` are not NULL, and `own` is all its exponents as one shell. */
typedef struct convk_grids_job_ {
  const convk_grids_kernels_ *kernels;
  const convk_grids_general_ *by_cells; /* of a general cell: what calls do otherwise, and what processors offer for it */
  const struct convk_cells_kernels_ *cells;
  const convk_orbital_set *set;
  const convk_gaussians *gaussians;
  convk_shell own;
  const convk_shell *shells;
  convk_gaussian_box box; /* with pitches that are not 0 */
  convk_orbitals_head_ head;
  convk_gaussian_part_ part;
  size_t nshells, norbitals, span, n[3], tile[3], tiles[3], ld, ldc;
  int kinds, density; /* kinds: 1, or 3: of tables, with derivatives */
  int stream;         /* results go past the cache, from the first `head_elements` of a row of a tile on */
  size_t head_elements;
  double step[3], reach;     /* reach: a u^2 from which on an exponential counts as nothing */
  int general;               /* the steps do not lie along x, y, z: what follows is as cells/driver.h explains it */
  int within[3], shared[3];  /* X is the same for all images along this axis of the cell; for all points of a tile */
  const convk_bloch *bloch;  /* NULL: real */
  convk_cells_pair_ turn[3]; /* k period, less whole turns */
  int turned[3];             /* whether that is not 0 */
  int add;                   /* to the density that is there */
  int unturned;              /* terms are those of x, y, z even so: on devices */
  size_t width;              /* orbitals of a block, of which there may be more than it has; 0: not general */
  convk_cells_frame_ frame;
  CONVK_T *out[5];
  const CONVK_T *occupations;
  /* counts, of primitives as though none shared a table */
  size_t primitives, rows, terms, term_rows, table;
  /* in work memory */
  convk_grids_group_ *groups;
  size_t *of; /* the group of each primitive of each shell */
  size_t ngroups, whole, tasks, task_bytes;
  CONVK_T *tables, *coefficients;
  char *scratch;
  convk_cells_member_ *members;
  convk_cells_cluster_ *clusters;
  size_t nclusters;
  CONVK_T *exponents;      /* of members, as kernels want them, and themselves */
  size_t *degrees;         /* of members */
  CONVK_T *offsets;        /* of elements of a line, in two parts */
  int lean[3];             /* rows along this axis take tables */
  ptrdiff_t apart[3];      /* steps along this axis, in whole steps of a row that come nearest to it along x' */
  convk_cells_pair_ by[3]; /* and what is left of it along x' */
  double spread;           /* how far rows of a tile are from its reference, along x', at most */
  unsigned char *used;     /* of each orbitals' block, each member: whether any has terms of it */
} convk_grids_job_;

CONVK_LOCAL_ double convk_grids_exponent_(const convk_grids_job_ *job, const convk_shell *shell, size_t p) {
  return job->gaussians ? -(double)CONVK_ONE_(job->gaussians->alpha + p) : shell->exponents[p];
}

/* Terms x^i y^b z^c up to degree l. */
CONVK_LOCAL_ size_t convk_grids_terms_(size_t l) { return (l + 1) * (l + 2) * (l + 3) / 6; }

/* The place of x^i y^b z^c among them: i, then b, then c, rising. */
CONVK_LOCAL_ size_t convk_grids_term_(size_t l, size_t i, size_t b, size_t c) {
  const size_t m = l - i; /* those with less of x, then those with less of y */
  return convk_grids_terms_(l) - convk_grids_terms_(m) + b * (2 * m + 3 - b) / 2 + c;
}

/* At most so many points of an axis are nearer to a center than where a u^2 reaches `reach`. */
CONVK_RARE_ size_t convk_grids_points_(const convk_grids_job_ *job, size_t axis, double exponent) {
  const double step = job->step[axis] < 0 ? -job->step[axis] : job->step[axis];
  const double points = 2 * convk_sqrt_(job->reach / exponent) / step + 5;
  const size_t more = axis == 1 ? 2 * CONVK_GRIDS_WIDE_ : 0; /* see convk_grids_whole_tiles_ */
  if (job->general) return 0;                                /* which has other tables */
  return (job->box.period[axis] > 0 || !(points < (double)job->n[axis]) ? job->n[axis] : (size_t)points) + more;
}

/* Kinds of rows of a group's tables along an axis: with derivatives 3, with phases 2. */
CONVK_LOCAL_ size_t convk_grids_kinds_(const convk_grids_job_ *job, size_t axis) {
  return job->bloch ? 1 + (size_t)job->turned[axis] : (size_t)job->kinds;
}

/* All rows of these, of a group of degree l; and which of them has the sizes of exponentials: those without phases. */
CONVK_LOCAL_ size_t convk_grids_rows_(const convk_grids_job_ *job, size_t axis, size_t l) {
  return convk_grids_kinds_(job, axis) * (l + 1) + (size_t)job->turned[axis];
}
CONVK_LOCAL_ size_t convk_grids_size_row_(const convk_grids_job_ *job, size_t axis, size_t l) {
  return job->turned[axis] ? 2 * (l + 1) : 0;
}

/* Counts what tables and terms need. */
CONVK_RARE_ int convk_grids_count_(char *message, convk_grids_job_ *job) {
  const size_t limit = (size_t)-1 / 4096;
  size_t i, p, d, own = 0;
  job->primitives = job->rows = job->terms = job->table = 0;
  for (i = 0; i < job->nshells; i++) {
    const convk_shell *const s = &job->shells[i];
    const size_t l = (size_t)s->l, terms = convk_grids_terms_(l);
    job->primitives += s->primitives;
    job->rows += s->primitives * (l + 1);
    job->terms += s->primitives * terms;
    own += s->primitives * terms * (size_t)(job->gaussians ? 1 : convk_shell_functions(s->l, s->functions));
    for (p = 0; p < s->primitives; p++)
      for (d = 0; d < 3; d++) {
        const size_t points = convk_grids_points_(job, d, convk_grids_exponent_(job, s, p));
        if (points > limit / convk_grids_rows_(job, d, l) || job->table > limit)
          return convk_refuse_(message, CONVK_ERR_OVERFLOW, "the tables of the shells along the axes are too large");
        job->table += points * convk_grids_rows_(job, d, l) + job->tiles[d] * (d == 1 ? 1 + CONVK_GRIDS_BLOCKS_ : 1);
      }
    if (job->rows > limit || own > limit) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "the shells of set are too many");
  }
  if (job->rows >= (size_t)1 << 31) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "the shells of set are too many");
  job->term_rows = own;
  if (job->head.combined && (convk_mul_(job->norbitals, job->terms, &job->term_rows) || job->term_rows > limit))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "set->norbitals times the functions of the shells is too large");
  if (job->bloch && job->bloch->imag) job->term_rows *= 2;
  return CONVK_OK;
}

/* Which primitives share a group: those of shells in a row that have one center, where exponents are equal. */
CONVK_RARE_ void convk_grids_group_all_(convk_grids_job_ *job) {
  size_t i, p, g, run = 0, next = 0;
  job->ngroups = job->whole = 0;
  for (i = 0; i < job->nshells; i++) {
    const convk_shell *const s = &job->shells[i];
    if (!i || memcmp(s->center, s[-1].center, sizeof s->center) != 0) run = job->ngroups;
    for (p = 0; p < s->primitives; p++) {
      const double exponent = convk_grids_exponent_(job, s, p);
      for (g = job->gaussians ? job->ngroups : run; g < job->ngroups && job->groups[g].exponent != exponent;) g++;
      if (g == job->ngroups) {
        memset(&job->groups[g], 0, sizeof job->groups[g]);
        memcpy(job->groups[g].center, s->center, sizeof s->center);
        job->groups[g].exponent = exponent;
        job->ngroups++;
      }
      if ((size_t)s->l > job->groups[g].l) job->groups[g].l = (size_t)s->l;
      job->of[next++] = g;
    }
  }
  for (g = 0; g < job->ngroups; g++) {
    job->groups[g].terms = job->whole;
    job->whole += convk_grids_terms_(job->groups[g].l);
  }
}

/* ---- tables ---- */

/* Points of an axis, as far as they are from a center. */
typedef struct convk_grids_line_ {
  double u[CONVK_GRIDS_CHUNK_];
  CONVK_T s[CONVK_GRIDS_CHUNK_ + 16], lo[CONVK_GRIDS_CHUNK_ + 16], e[CONVK_GRIDS_CHUNK_ + 16];
  size_t first, n;
} convk_grids_line_;

/* n points from `first` on, at hi + lo + i step from the center: squares in twice the digits of the type. */
CONVK_RARE_ void convk_grids_line_of_(convk_grids_line_ *line, double hi, double lo, double step, size_t first, size_t n) {
  const double limit = (double)CONVK_GREATEST_ / 4;
  size_t i;
  line->first = first;
  line->n = n;
  for (i = 0; i < n + 16; i++) {
    double rest, u;
    const double square = convk_grids_square_of_(hi, lo, step, (double)(first + (i < n ? i : n - 1)), limit, &u, &rest);
    line->s[i] = (CONVK_T)square;
    CONVK_IN_MEMORY_(line->s);
    line->lo[i] = (CONVK_T)((square - (double)line->s[i]) + rest);
    if (i < n) line->u[i] = u;
  }
}

/* Adds points of a line to a group's tables, with this phase where the axis has any. */
CONVK_RARE_ void convk_grids_add_line_(const convk_grids_job_ *job, const convk_grids_group_ *g, size_t axis,
                                       convk_grids_line_ *line, size_t low, size_t end, const double phase[2]) {
  const size_t first = line->first, count = g->count[axis], l = g->l, rows = l + 1;
  const double a = g->exponent;
  CONVK_T *const table = g->table[axis], exponent[3];
  convk_gaussian_part_ part = job->part;
  size_t i, k;
  if (low < first) low = first;
  if (end > first + line->n) end = first + line->n;
  if (low >= end) return;
  convk_gaussian_exponent_(job->kernels->fused, -a, exponent, exponent + 1, exponent + 2);
  part.np = end - low;
  part.na = 1;
  part.s = line->s + (low - first);
  part.lo = line->lo + (low - first);
  part.a = exponent;
  part.b = exponent + 1;
  part.top = exponent + 2;
  part.a_least = part.a_greatest = exponent[0];
  part.s_least = part.s_greatest = part.s[0];
  for (i = 1; i < part.np; i++) {
    part.s_least = part.s[i] < part.s_least ? part.s[i] : part.s_least;
    part.s_greatest = part.s[i] > part.s_greatest ? part.s[i] : part.s_greatest;
  }
  part.out = line->e;
  part.ld = CONVK_GRIDS_CHUNK_ + 16;
  job->kernels->exponentials(&part);
  for (i = low; i < end; i++) {
    const double u = line->u[i - first], e = (double)line->e[i - low];
    CONVK_T *to = table + (i - g->low[axis]);
    double power[CONVK_SHELL_MAX_L + 3];
    power[0] = 1;
    for (k = 0; k < l + 2; k++) power[k + 1] = power[k] * u;
    if (job->turned[axis]) to[2 * rows * count] += line->e[i - low];
    for (k = 0; k <= l; k++, to += count) {
      if (job->turned[axis]) {
        to[0] += (CONVK_T)(power[k] * e * phase[0]);
        to[rows * count] += (CONVK_T)(power[k] * e * phase[1]);
        continue;
      }
      to[0] += (CONVK_T)(convk_grids_factor_(0, (int)k, a, power) * e);
      if (job->kinds == 1) continue;
      to[rows * count] += (CONVK_T)(convk_grids_factor_(1, (int)k, a, power) * e);
      to[2 * rows * count] += (CONVK_T)(convk_grids_factor_(2, (int)k, a, power) * e);
    }
  }
}

/* A center on an axis: how far the first point is from it, in two parts, how far its exponentials reach, and the first and the
   last of its images, at so many periods from it, that reach the box. */
typedef struct convk_grids_images_ {
  double start, lost, reach, image, last;
} convk_grids_images_;

CONVK_LOCAL_ double convk_grids_radius_(const convk_grids_job_ *job, size_t g) {
  return convk_sqrt_(job->reach / job->groups[g].exponent);
}

/* Of groups g .. end - 1, which have one center. */
CONVK_RARE_ convk_grids_images_ convk_grids_images_of_(const convk_grids_job_ *job, size_t g, size_t end, size_t axis) {
  const double period = job->box.period[axis], width = job->step[axis] * (double)(job->n[axis] - 1);
  const double least = width < 0 ? width : 0, greatest = width < 0 ? 0 : width;
  convk_grids_images_ of;
  of.reach = 0;
  of.start = convk_grids_two_sum_(job->box.origin[axis], -job->groups[g].center[axis], &of.lost);
  for (; g < end; g++) of.reach = convk_grids_radius_(job, g) > of.reach ? convk_grids_radius_(job, g) : of.reach;
  of.image = period > 0 ? convk_grids_floor_((-of.reach - of.start - greatest) / period) : 0;
  of.last = period > 0 ? convk_grids_floor_((of.reach - of.start - least) / period) + 1 : 0;
  return of;
}

/* The tables of groups g .. end - 1, which have one center, along one axis: over all images of it. */
CONVK_RARE_ void convk_grids_tables_(convk_grids_job_ *job, size_t g, size_t end, size_t axis) {
  const convk_grids_images_ of = convk_grids_images_of_(job, g, end, axis);
  const double step = job->step[axis];
  double image;
  uint64_t at, low, to;
  size_t k;
  convk_grids_line_ line;
  for (image = of.image; image <= of.last; image += 1) {
    const double turn = step < 0 ? 1 : -1; /* this image of a point is so many periods along the step */
    double lo, phase[2] = {1, 0};
    const double hi = convk_grids_image_(of.start, of.lost, image, job->box.period[axis], &lo);
    if (job->turned[axis])
      convk_grids_phase_(turn * job->turn[axis].hi, turn * job->turn[axis].lo, image, &phase[0], &phase[1]);
    convk_grids_range_(hi, step, of.reach, job->n[axis], &low, &to);
    for (at = low; at < to; at += CONVK_GRIDS_CHUNK_) {
      convk_grids_line_of_(&line, hi, lo, step, (size_t)at, convk_least_((size_t)(to - at), CONVK_GRIDS_CHUNK_));
      for (k = g; k < end; k++) {
        uint64_t own_low, own_to;
        convk_grids_range_(hi, step, convk_grids_radius_(job, k), job->n[axis], &own_low, &own_to);
        convk_grids_add_line_(job, &job->groups[k], axis, &line, (size_t)own_low, (size_t)own_to, phase);
      }
    }
  }
}

/* The largest exponential of each tile. */
CONVK_RARE_ void convk_grids_maxima_(const convk_grids_job_ *job, const convk_grids_group_ *g, size_t axis) {
  const CONVK_T *const size = g->table[axis] + convk_grids_size_row_(job, axis, g->l) * g->count[axis];
  size_t t, i = 0, end;
  for (t = 0; t < job->tiles[axis]; t++) {
    CONVK_T maximum = 0;
    for (end = (t + 1) * job->tile[axis]; i < g->count[axis] && g->low[axis] + i < end; i++)
      maximum = size[i] > maximum ? size[i] : maximum;
    g->maxima[axis][t] = maximum;
  }
}

/* That of each block of rows of each tile. */
CONVK_RARE_ void convk_grids_block_maxima_(const convk_grids_job_ *job, const convk_grids_group_ *g) {
  const size_t block = job->kernels->block, tile = job->tile[1];
  const CONVK_T *const size = g->table[1] + convk_grids_size_row_(job, 1, g->l) * g->count[1];
  size_t i;
  memset(g->blocks, 0, job->tiles[1] * CONVK_GRIDS_BLOCKS_ * sizeof *g->blocks);
  for (i = 0; i < g->count[1] && g->low[1] + i < job->n[1]; i++) {
    const size_t at = g->low[1] + i;
    CONVK_T *const maximum = g->blocks + at / tile * CONVK_GRIDS_BLOCKS_ + at % tile / block;
    *maximum = size[i] > *maximum ? size[i] : *maximum;
  }
}

/* All groups, and which points their tables have. */
CONVK_RARE_ void convk_grids_ranges_(convk_grids_job_ *job) {
  size_t g, d;
  convk_grids_group_all_(job);
  for (g = 0; g < job->ngroups; g++)
    for (d = 0; d < 3; d++) {
      convk_grids_group_ *const group = &job->groups[g];
      uint64_t low = 0, to = job->n[d];
      if (!(job->box.period[d] > 0))
        convk_grids_range_(job->box.origin[d] - group->center[d], job->step[d], convk_grids_radius_(job, g), job->n[d], &low,
                           &to);
      group->low[d] = (size_t)low;
      group->count[d] = (size_t)(to - low);
    }
}

/* Behind the last of the groups from g on that have one center. */
CONVK_LOCAL_ size_t convk_grids_center_end_(const convk_grids_job_ *job, size_t g) {
  size_t end = g + 1;
  while (end < job->ngroups && !memcmp(job->groups[end].center, job->groups[g].center, sizeof job->groups[g].center)) end++;
  return end;
}

/* Tables along y are of whole tiles, with zeros up to the end of a tile's last block, as kernels read them where they are. */
CONVK_LOCAL_ void convk_grids_whole_tiles_(const convk_grids_job_ *job, convk_grids_group_ *group) {
  const size_t tile = job->tile[1], low = group->low[1] / tile * tile;
  const size_t end = convk_ceil_(group->low[1] + group->count[1], tile) * tile;
  if (group->count[1]) group->count[1] = end - low + (CONVK_GRIDS_WIDE_ - tile);
  group->low[1] = low;
}

/* The first of earlier groups whose tables along this axis are those of groups g .. end - 1, which have one center: of a center
   at the same place of the axis; g: there are none.  So molecules in a row, or in a plane, share tables. */
CONVK_RARE_ size_t convk_grids_twin_(const convk_grids_job_ *job, size_t g, size_t end, size_t axis) {
  const convk_grids_group_ *const own = &job->groups[g];
  size_t look = CONVK_GRIDS_TWINS_, before, k;
  for (before = g; before > 0 && look > 0; before--, look--) {
    const convk_grids_group_ *const other = &job->groups[before - 1];
    if (before - 1 + (end - g) > g) continue;
    for (k = 0; k < end - g && other[k].center[axis] == own->center[axis] && other[k].exponent == own[k].exponent &&
                other[k].l == own[k].l;)
      k++;
    if (k == end - g) return before - 1;
  }
  return g;
}

/* Tables of groups g .. end - 1, which have one center, along an axis, at `next`; where those behind them begin. */
CONVK_RARE_ CONVK_T *convk_grids_center_(convk_grids_job_ *job, size_t g, size_t end, size_t axis, CONVK_T *next) {
  size_t k;
  for (k = g; k < end; k++) {
    convk_grids_group_ *const group = &job->groups[k];
    const size_t all = convk_grids_rows_(job, axis, group->l) * group->count[axis];
    group->table[axis] = next;
    group->maxima[axis] = next + all;
    memset(next, 0, all * sizeof *next);
    next += all + job->tiles[axis];
    if (axis != 1) continue;
    group->blocks = next;
    next += job->tiles[axis] * CONVK_GRIDS_BLOCKS_;
  }
  convk_grids_tables_(job, g, end, axis);
  for (k = g; k < end; k++) {
    convk_grids_maxima_(job, &job->groups[k], axis);
    if (axis == 1) convk_grids_block_maxima_(job, &job->groups[k]);
  }
  return next;
}

/* All groups and their tables. */
CONVK_RARE_ void convk_grids_fill_(convk_grids_job_ *job) {
  CONVK_T *next = job->tables;
  size_t g, d, k, end;
  convk_grids_ranges_(job);
  for (g = 0; g < job->ngroups; g++) convk_grids_whole_tiles_(job, &job->groups[g]);
  for (g = 0; g < job->ngroups; g = end) {
    end = convk_grids_center_end_(job, g);
    for (d = 0; d < 3; d++) {
      const size_t twin = convk_grids_twin_(job, g, end, d);
      if (twin == g) next = convk_grids_center_(job, g, end, d, next);
      for (k = g; k < end && twin < g; k++) {
        convk_grids_group_ *const group = &job->groups[k], *const from = group - (g - twin);
        group->table[d] = from->table[d];
        group->maxima[d] = from->maxima[d];
        if (d == 1) group->blocks = from->blocks;
      }
    }
  }
}

/* ---- terms ---- */

/* Adds an orbital's part in a shell, columns of monomials, to its terms, which are of degrees up to l. */
CONVK_RARE_ void convk_grids_add_shell_(const convk_shell *s, double factor, const double *column, size_t l, double *terms) {
  const size_t own = (size_t)s->l;
  size_t i, c;
  for (i = 0; i <= own; i++) /* b + c = i */
    for (c = 0; c <= i; c++) terms[convk_grids_term_(l, own - i, i - c, c)] += factor * column[i * (i + 1) / 2 + c];
}

/* The terms of all orbitals, or of each function of each shell for itself. */
CONVK_RARE_ void convk_grids_terms_of_(const convk_grids_job_ *job, double *sum) {
  CONVK_T *to = job->coefficients;
  double matrices[CONVK_SHELL_MAX_L + 1][15][15], column[15];
  int known[CONVK_SHELL_MAX_L + 1] = {-1, -1, -1, -1, -1}; /* of which functions they are */
  size_t o, i, p, k, f, j, own, function, count, terms, rows = job->head.combined ? job->norbitals : 1;
  for (o = 0; o < rows; o++) {
    const CONVK_T *const all = job->gaussians ? job->gaussians->coefficients : job->set->coefficients;
    const CONVK_T *const c = all ? all + o * job->ldc : NULL;
    memset(sum, 0, job->whole * sizeof *sum);
    for (function = k = i = 0; i < job->nshells; i++, k += job->shells[i - 1].primitives) {
      const convk_shell *const s = &job->shells[i];
      if (job->gaussians) {
        for (p = 0; p < s->primitives; p++) sum[job->groups[job->of[k + p]].terms] += (double)CONVK_ONE_(c + p);
        continue;
      }
      count = (size_t)convk_shell_functions(s->l, s->functions);
      terms = convk_grids_terms_((size_t)s->l);
      if (known[s->l] != s->functions) {
        convk_shell_matrix_(s->l, s->functions, matrices[s->l]);
        if (job->general && !job->unturned) convk_cells_turn_(&job->frame, s->l, count, matrices[s->l]);
      }
      known[s->l] = s->functions;
      for (f = 0; f < (c || job->head.combined ? 1 : count); f++) {
        for (j = 0; j < 15; j++)
          for (own = 0, column[j] = 0; own < count && j < (size_t)((s->l + 1) * (s->l + 2) / 2); own++) {
            const double factor = c                    ? (double)CONVK_ONE_(c + function + own)
                                  : job->head.combined ? own + function == o
                                                       : own == f;
            column[j] += factor * matrices[s->l][own][j];
          }
        for (p = 0; p < s->primitives; p++) {
          const convk_grids_group_ *const g = &job->groups[job->of[k + p]];
          double single[35];
          if (job->head.combined) {
            convk_grids_add_shell_(s, s->coefficients[p], column, g->l, sum + g->terms);
            continue;
          }
          memset(single, 0, sizeof single);
          convk_grids_add_shell_(s, s->coefficients[p], column, (size_t)s->l, single);
          for (j = 0; j < terms; j++) *to++ = (CONVK_T)single[j];
        }
      }
      function += count;
    }
    for (j = 0; job->head.combined && j < job->whole; j++) /* general cells: in blocks of orbitals */
      job->coefficients[job->width ? (o / job->width * job->whole + j) * job->width + o % job->width : o * job->whole + j] =
          (CONVK_T)sum[j];
  }
}

/* Those of imaginary parts of coefficients, behind them. */
CONVK_RARE_ void convk_grids_imaginary_(const convk_grids_job_ *job, double *sum) {
  convk_grids_job_ other = *job;
  convk_orbital_set set;
  if (!job->bloch || !job->bloch->imag) return;
  set = *job->set;
  set.coefficients = job->bloch->imag;
  other.set = &set;
  other.coefficients += job->term_rows / 2;
  convk_grids_terms_of_(&other, sum);
}

#include "grids/tiles.h"

#include "grids/calls.h"
