#if CONVK_HAS_GAUSSIAN_
/* ---- Gaussians on grids of any three steps a, b, c ----
   In the frame of convk_oncell_frame_, y' and z' do not change along a row, so that a row is what it is where axes are
   orthogonal: sum over q of W_q X_q(i) with X_q(i) = x'^q exp(-a x'^2), and weights of y', z' and the polynomial, which is
   turned into the frame once.  X depends on the row by j b1 + k c1.  With u the distance of one point from the center, h = a1
   and v points on,

     exp(-a (u + v h)^2) = exp(-a u^2) exp(-2 a u h v) exp(-a h^2 v^2):

   the last factor is a table, the second one a geometric sequence, of which seven powers are exponentials and all others
   products of these.  u is the point nearest to the center, so that nothing overflows, except where h is so small that the
   first point of a tile serves as well.  Where few points count, each has its own exponential. */

#define CONVK_ONCELL_ROWS_ 16     /* of a tile */
#define CONVK_ONCELL_MEMBERS_ 16  /* groups of a cluster */
#define CONVK_ONCELL_PANEL_ 320   /* rows of a panel, at least MEMBERS (MAX_L + 1) */
#define CONVK_ONCELL_LONG_ 128    /* elements of a row of a panel: a tile's, and what fills up a strip */
#define CONVK_ONCELL_FEW_ 7       /* so many points to each side of the nearest one: an exponential each */
#define CONVK_ONCELL_MANY_ 127    /* more than that: from a tile's first point on */
#define CONVK_ONCELL_TABLE_ 320   /* elements of a table: at least 2 (MANY + 20) + 1, and LONG + 16 */
#define CONVK_ONCELL_VALUES_ 16   /* exponentials of a member for a row */
#define CONVK_ONCELL_PRODUCTS_ 15 /* y^b z^c */

/* How a member's rows are made. */
#define CONVK_ONCELL_DIRECT_ 0
#define CONVK_ONCELL_NEAREST_ 1
#define CONVK_ONCELL_WIDE_ 2

/* One image of a cluster in a batch of a tile; along axes of which X does not depend, all of them. */
typedef struct convk_oncell_entry_ {
  const convk_oncell_cluster_ *cluster;
  convk_oncell_pair_ at[3];
  size_t alive, count; /* the first of its members in the batch, and how many of the cluster's are in it */
  unsigned made;       /* for which rows the panel was made, and 1 */
} convk_oncell_entry_;

/* A member in a batch. */
typedef struct convk_oncell_alive_ {
  size_t entry, place, factor; /* rows of the panel; factors of the first row of the tile */
  unsigned rows;               /* bit r: it counts in row r */
} convk_oncell_alive_;

/* What one task has for itself. */
typedef struct convk_oncell_scratch_ {
  convk_oncell_entry_ *entry;
  convk_oncell_alive_ *alive;
  convk_ongrid_listed_ *list;
  CONVK_T *panel, *w, *values, *sums, *factor, *line, *s, *lo, *e;
  size_t panel_apart, w_apart, value_apart; /* between kinds */
} convk_oncell_scratch_;

/* A tile for some orbitals. */
typedef struct convk_oncell_tile_ {
  const convk_ongrid_job_ *job;
  const convk_oncell_scratch_ *own;
  size_t first[3], n[3], rows, j[CONVK_ONCELL_ROWS_], k[CONVK_ONCELL_ROWS_], key[CONVK_ONCELL_ROWS_];
  size_t orbital, count; /* of orbitals: the first, and how many */
  size_t entries, alive, places, factors, batch;
  convk_oncell_pair_ row[CONVK_ONCELL_ROWS_][3]; /* the first point of a row from that of the box */
  double least[3], most[3];                      /* of points of the tile from the first one of the box */
} convk_oncell_tile_;

/* ---- phases ---- */

/* An angle less so many times `part`. */
CONVK_RARE_ convk_oncell_pair_ convk_oncell_less_(convk_oncell_pair_ angle, double hi, double lo, double *times) {
  convk_oncell_pair_ part;
  part.hi = hi;
  part.lo = lo;
  *times = convk_ongrid_floor_(angle.hi / hi + 0.5);
  return convk_oncell_add_(angle, convk_oncell_times_(part, -*times));
}

/* The cosine and sine of an angle, to some 1e-16: quarters of a turn are taken off, and an eighth is left for the series. */
CONVK_RARE_ void convk_oncell_phase_(convk_oncell_pair_ angle, double *cosine, double *sine) {
  double n;
  angle = convk_oncell_less_(angle, 1.5707963267948966, 6.123233995736766e-17, &n);
  convk_ongrid_circle_(angle.hi, (int)(n - 4 * convk_ongrid_floor_(n / 4)), cosine, sine);
}

/* The phases of one image along each axis. */
CONVK_RARE_ void convk_oncell_turns_(convk_ongrid_job_ *job) {
  double times;
  int d;
  for (d = 0; d < 3; d++) {
    const double k = job->bloch->k[d];
    job->turn[d] = convk_oncell_times_(convk_oncell_pair_of_(job->box.period[d] > 0 ? k : 0, 0), job->box.period[d]);
    job->turn[d] = convk_oncell_less_(job->turn[d], 6.2831853071795862, 2.4492935982947064e-16, &times);
  }
}

/* ---- members, their tables, clusters ---- */

/* `np` exponentials of s + lo, which have room for 16 more, for `count` members from one on. */
CONVK_LOCAL_ void convk_oncell_exponentials_(const convk_ongrid_job_ *job, size_t member, size_t count, size_t np, CONVK_T *s,
                                             CONVK_T *lo, CONVK_T *out, size_t ld) {
  convk_gaussian_part_ part = job->part;
  size_t i;
  part.np = np;
  part.na = count;
  part.s = s;
  part.lo = lo;
  part.a = job->exponents + member;
  part.b = part.a + job->primitives;
  part.top = part.b + job->primitives;
  part.a_most = part.a[0];
  part.a_least = part.a[count - 1];
  part.s_least = part.s_most = s[0];
  for (i = 1; i < np; i++) {
    part.s_least = s[i] < part.s_least ? s[i] : part.s_least;
    part.s_most = s[i] > part.s_most ? s[i] : part.s_most;
  }
  for (i = np; i < np + 16; i++) s[i] = s[np - 1], lo[i] = lo[np - 1];
  part.cut = 0;
  part.below = part.above = -CONVK_GREATEST_;
  part.out = out;
  part.ld = ld;
  job->kernels->exponentials(&part);
}

/* A number in two parts of the type. */
CONVK_LOCAL_ void convk_oncell_split_(convk_oncell_pair_ from, CONVK_T *s, CONVK_T *lo) {
  const double most = (double)CONVK_GREATEST_ / 4;
  if (!(from.hi < most)) from.hi = most, from.lo = 0;
  if (!(from.hi > -most)) from.hi = -most, from.lo = 0;
  *s = (CONVK_T)from.hi;
  CONVK_IN_MEMORY_(s);
  *lo = (CONVK_T)((from.hi - (double)*s) + from.lo);
}

CONVK_RARE_ void convk_oncell_table_of_(const convk_ongrid_job_ *job, size_t member, int kind, CONVK_T *to) {
  const size_t middle = CONVK_ONCELL_TABLE_ / 2, points = job->members[member].points;
  CONVK_T s[CONVK_ONCELL_TABLE_ + 16], lo[CONVK_ONCELL_TABLE_ + 16];
  size_t i;
  for (i = 0; i < CONVK_ONCELL_TABLE_; i++) {
    const double at = kind == CONVK_ONCELL_WIDE_ ? (double)i : (double)i - (double)middle;
    const convk_oncell_pair_ x = convk_oncell_times_(job->frame.step[0][0], at);
    convk_oncell_split_(convk_oncell_mul_(x, x), s + i, lo + i);
  }
  convk_oncell_exponentials_(job, member, 1, CONVK_ONCELL_TABLE_, s, lo, to, CONVK_ONCELL_TABLE_);
  for (i = 0; i < CONVK_ONCELL_TABLE_ && kind == CONVK_ONCELL_NEAREST_; i++)
    if (i > middle + points || i + points < middle) to[i] = 0;
  job->members[member].table = to + (kind == CONVK_ONCELL_WIDE_ ? 0 : middle);
}

/* Members in the order of clusters, from groups g .. end - 1, which have one center. */
CONVK_RARE_ void convk_oncell_clusters_(convk_ongrid_job_ *job, size_t g, size_t end) {
  const double *const center = job->groups[g].center;
  convk_oncell_pair_ from[3];
  double points;
  size_t i, k;
  for (i = g; i < end; i++) { /* by exponents, rising */
    convk_oncell_member_ m;
    m.exponent = job->groups[i].exponent;
    m.l = job->groups[i].l;
    m.terms = job->groups[i].terms;
    m.table = NULL;
    m.reach = convk_sqrt_(job->reach / m.exponent);
    points = m.reach / job->frame.step[0][0].hi + 1.5;
    m.points = points < CONVK_ONCELL_MANY_ + 1 ? (size_t)points : CONVK_ONCELL_MANY_ + 1;
    for (k = i; k > g && job->members[k - 1].exponent > m.exponent; k--) job->members[k] = job->members[k - 1];
    job->members[k] = m;
  }
  for (k = 0; k < 3; k++) from[k] = convk_oncell_pair_of_(job->box.origin[k], -center[k]);
  for (i = g; i < end; i++) {
    const int kind = job->members[i].points <= CONVK_ONCELL_FEW_    ? CONVK_ONCELL_DIRECT_
                     : job->members[i].points <= CONVK_ONCELL_MANY_ ? CONVK_ONCELL_NEAREST_
                                                                    : CONVK_ONCELL_WIDE_;
    convk_oncell_cluster_ *last = job->clusters + job->nclusters - (i > g);
    if (i == g || last->kind != kind || last->count == CONVK_ONCELL_MEMBERS_) {
      last = job->clusters + job->nclusters++;
      last->first = i;
      last->count = 0;
      last->kind = kind;
      for (k = 0; k < 3; k++) last->at[k] = convk_oncell_dot_(job->frame.axis[k], from);
    }
    last->count++;
    convk_gaussian_exponent_(job->kernels->fused, -job->members[i].exponent, job->exponents + i,
                             job->exponents + job->primitives + i, job->exponents + 2 * job->primitives + i);
    if (kind != CONVK_ONCELL_DIRECT_) convk_oncell_table_of_(job, i, kind, job->tables + i * CONVK_ONCELL_TABLE_);
  }
}

/* All of them, and along which axes X does not depend on the image: what is left is less than rounding does. */
CONVK_RARE_ void convk_oncell_fill_(convk_ongrid_job_ *job) {
  const double tiny = CONVK_EITHER_(4.76837158203125e-07, 8.8817841970012523e-16) * job->frame.step[0][0].hi; /* 2^-21, 2^-50 */
  double widest = 0;
  size_t g, end, d;
  convk_ongrid_group_all_(job);
  job->nclusters = 0;
  for (g = 0; g < job->ngroups; g = end) {
    for (end = g + 1; end < job->ngroups; end++)
      if (memcmp(job->groups[end].center, job->groups[g].center, sizeof job->groups[g].center) != 0) break;
    convk_oncell_clusters_(job, g, end);
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
CONVK_LOCAL_ size_t convk_oncell_panel_rows_(const convk_ongrid_job_ *job) {
  const int periodic = job->box.period[0] > 0 || job->box.period[1] > 0 || job->box.period[2] > 0;
  const size_t least = CONVK_ONCELL_MEMBERS_ * (CONVK_SHELL_MAX_L + 1);
  return periodic || job->rows > CONVK_ONCELL_PANEL_ ? CONVK_ONCELL_PANEL_ : job->rows > least ? job->rows : least;
}

/* Sets of factors: see convk_oncell_weights_. */
CONVK_LOCAL_ size_t convk_oncell_sets_(const convk_ongrid_job_ *job) { return job->kinds > 1 ? 4 : job->bloch ? 2 : 1; }

/* Panels: of kinds of rows, or of real and imaginary parts. */
CONVK_LOCAL_ size_t convk_oncell_panels_(const convk_ongrid_job_ *job) { return job->bloch ? 2 : (size_t)job->kinds; }

/* Whether images along the rows have phases. */
CONVK_LOCAL_ int convk_oncell_phased_(const convk_ongrid_job_ *job) { return job->bloch && job->turn[0].hi != 0; }

/* Whether orbitals wait for all batches of a tile: for their squares, or to become complex numbers. */
CONVK_LOCAL_ int convk_oncell_waits_(const convk_ongrid_job_ *job) { return job->density || job->bloch; }

/* Orbitals at once, and how far apart their terms lie. */
CONVK_LOCAL_ size_t convk_oncell_orbitals_(const convk_ongrid_job_ *job) {
  return convk_least_(job->norbitals, CONVK_ONGRID_WIDE_);
}
CONVK_LOCAL_ size_t convk_oncell_width_(const convk_ongrid_job_ *job) {
  return convk_round_up_(convk_oncell_orbitals_(job), 16);
}

/* Where the parts of a task's scratch are, from `base` on; their bytes.  base NULL: for that alone. */
CONVK_RARE_ size_t convk_oncell_scratch_of_(const convk_ongrid_job_ *job, char *base, convk_oncell_scratch_ *to) {
  const size_t s = sizeof(CONVK_T), kinds = convk_oncell_panels_(job), sets = convk_oncell_sets_(job);
  const size_t rows = convk_oncell_panel_rows_(job), count = convk_oncell_orbitals_(job);
  size_t at = 0;
  to->panel_apart = rows * CONVK_ONCELL_LONG_;
  to->w_apart = rows * CONVK_ONGRID_WIDE_;
  to->value_apart = count * CONVK_ONCELL_LONG_;
  to->panel = (CONVK_T *)convk_ongrid_there_(base, at);
  at += kinds * to->panel_apart * s;
  to->w = (CONVK_T *)convk_ongrid_there_(base, at);
  at += (sets > 2 ? 8 : sets > 1 ? 3 : 1) * to->w_apart * s;
  to->values = (CONVK_T *)convk_ongrid_there_(base, at);
  if (convk_oncell_waits_(job)) at += CONVK_ONCELL_ROWS_ * sets * to->value_apart * s;
  to->sums = (CONVK_T *)convk_ongrid_there_(base, at);
  at += to->value_apart * s;
  to->factor = (CONVK_T *)convk_ongrid_there_(base, at);
  at += convk_round_up_(rows * CONVK_ONCELL_ROWS_ * sets * CONVK_ONCELL_PRODUCTS_ * s, 64);
  to->line = (CONVK_T *)convk_ongrid_there_(base, at);
  at += (CONVK_ONCELL_LONG_ + 16) * s;
  to->s = (CONVK_T *)convk_ongrid_there_(base, at);
  to->lo = (CONVK_T *)convk_ongrid_there_(base, at + 32 * s);
  to->e = (CONVK_T *)convk_ongrid_there_(base, at + 64 * s);
  at += (64 + CONVK_ONCELL_MEMBERS_ * 16 + 16) * s;
  to->entry = (convk_oncell_entry_ *)convk_ongrid_there_(base, at);
  at += convk_round_up_(rows * sizeof *to->entry, 64);
  to->alive = (convk_oncell_alive_ *)convk_ongrid_there_(base, at);
  at += convk_round_up_(rows * sizeof *to->alive, 64);
  to->list = (convk_ongrid_listed_ *)convk_ongrid_there_(base, at);
  at += convk_round_up_(rows * sizeof *to->list, 64);
  return convk_round_up_(at, 64);
}

/* ---- images ---- */

/* Images n of a period, at z - n period for z of least .. most, that are nearer than `reach`: from *first to the result. */
CONVK_LOCAL_ double convk_oncell_images_(double least, double most, double reach, double period, double *first) {
  const double one = (least - reach) / period, other = (most + reach) / period;
  *first = 0;
  if (!(period < 0 || period > 0)) return 0;
  *first = convk_ongrid_floor_(one < other ? one : other);
  return convk_ongrid_floor_(one < other ? other : one) + 1;
}

/* How far 0 is from least .. most. */
CONVK_LOCAL_ double convk_oncell_gap_(double least, double most) { return least > 0 ? least : most < 0 ? -most : 0; }

/* x less n images along an axis of the cell. */
CONVK_LOCAL_ void convk_oncell_shift_(const convk_ongrid_job_ *job, convk_oncell_pair_ *x, size_t axis, double n) {
  size_t k;
  for (k = 0; k <= axis && n != 0; k++) x[k] = convk_oncell_add_(x[k], convk_oncell_times_(job->frame.image[axis][k], -n));
}

/* ---- a batch: factors of rows ---- */

/* y^k exp(-a y^2) without the exponential, k = 0 .. l, and with `kinds` its first and second derivatives. */
CONVK_LOCAL_ void convk_oncell_powers_(double y, double a, size_t l, int kinds, double to[3][CONVK_SHELL_MAX_L + 1]) {
  double power[CONVK_SHELL_MAX_L + 3];
  size_t k;
  power[0] = 1;
  for (k = 0; k < l + 2; k++) power[k + 1] = power[k] * y;
  for (k = 0; k <= l; k++) {
    const double f = (double)k;
    to[0][k] = power[k];
    if (kinds == 1) continue;
    to[1][k] = (k ? f * power[k - 1] : 0) - 2 * a * power[k + 1];
    to[2][k] = (k > 1 ? f * (f - 1) * power[k - 2] : 0) - 2 * a * (2 * f + 1) * power[k] + 4 * a * a * power[k + 2];
  }
}

/* Factors of one member in one row, stored or added. */
CONVK_LOCAL_ void convk_oncell_factors_(const convk_ongrid_job_ *job, const convk_oncell_member_ *m, double y, double z,
                                        double e, const double *phase, int more, CONVK_T *to) {
  double ys[3][CONVK_SHELL_MAX_L + 1], zs[3][CONVK_SHELL_MAX_L + 1];
  size_t i, c, k, at = 0, sets = convk_oncell_sets_(job);
  convk_oncell_powers_(y, m->exponent, m->l, job->kinds, ys);
  convk_oncell_powers_(z, m->exponent, m->l, job->kinds, zs);
  for (i = 0; i <= m->l; i++)
    for (c = 0; c <= i; c++, at++) {
      double v[4];
      v[0] = ys[0][i - c] * zs[0][c] * e;
      if (sets == 2) {
        v[1] = v[0] * phase[1];
        v[0] *= phase[0];
      }
      if (sets == 4) {
        v[1] = ys[1][i - c] * zs[0][c] * e;
        v[2] = ys[0][i - c] * zs[1][c] * e;
        v[3] = (ys[2][i - c] * zs[0][c] + ys[0][i - c] * zs[2][c]) * e;
      }
      for (k = 0; k < sets; k++) {
        CONVK_T *const own = to + k * CONVK_ONCELL_PRODUCTS_ + at;
        *own = (more ? *own : 0) + (CONVK_T)v[k];
      }
    }
}

/* One image of an entry in all rows. */
CONVK_RARE_ void convk_oncell_image_(convk_oncell_tile_ *tile, const convk_oncell_entry_ *entry, const convk_oncell_pair_ at[3],
                                     const double *phase) {
  const convk_ongrid_job_ *const job = tile->job;
  const convk_oncell_scratch_ *const own = tile->own;
  const convk_oncell_member_ *const m = job->members + entry->cluster->first;
  const double width = job->frame.step[0][0].hi * (double)(tile->n[0] - 1);
  const unsigned char *const used = job->used + tile->orbital / CONVK_ONGRID_WIDE_ * job->ngroups + entry->cluster->first;
  double y[CONVK_ONCELL_ROWS_], z[CONVK_ONCELL_ROWS_], size[CONVK_ONCELL_ROWS_], least = -1;
  size_t r, i, count = 0;
  for (r = 0; r < tile->rows; r++) {
    const double x = at[0].hi + tile->row[r][0].hi, gap = job->box.period[0] > 0 ? 0 : convk_oncell_gap_(x, x + width);
    const convk_oncell_pair_ yy = convk_oncell_add_(at[1], tile->row[r][1]), zz = convk_oncell_add_(at[2], tile->row[r][2]);
    const convk_oncell_pair_ square = convk_oncell_add_(convk_oncell_mul_(yy, yy), convk_oncell_mul_(zz, zz));
    y[r] = yy.hi;
    z[r] = zz.hi;
    size[r] = square.hi + gap * gap;
    own->s[r] = own->lo[r] = 0;
    if (!(size[r] * m->exponent <= job->reach)) continue;
    convk_oncell_split_(square, own->s + r, own->lo + r);
    least = least < 0 || size[r] < least ? size[r] : least;
  }
  if (least < 0) return;
  while (count < entry->cluster->count && m[count].exponent * least <= job->reach) count++;
  convk_oncell_exponentials_(job, entry->cluster->first, count, tile->rows, own->s, own->lo, own->e, CONVK_ONCELL_ROWS_);
  for (i = 0; i < count; i++) {
    convk_oncell_alive_ *const alive = own->alive + entry->alive + i;
    for (r = 0; r < tile->rows && used[i]; r++) {
      if (!(size[r] * m[i].exponent <= job->reach)) continue;
      convk_oncell_factors_(job, m + i, y[r], z[r], (double)own->e[i * CONVK_ONCELL_ROWS_ + r], phase, alive->rows >> r & 1,
                            own->factor + alive->factor + r * convk_oncell_sets_(job) * CONVK_ONCELL_PRODUCTS_);
      alive->rows |= 1u << r;
    }
  }
}

/* Adds an image of a cluster to a batch that has room for it: those along axes of which X does not depend are one with it. */
CONVK_RARE_ void convk_oncell_enter_(convk_oncell_tile_ *tile, const convk_oncell_cluster_ *cluster, double nb, double nc) {
  const convk_ongrid_job_ *const job = tile->job;
  const convk_oncell_scratch_ *const own = tile->own;
  const double reach = job->members[cluster->first].reach;
  const size_t sets = convk_oncell_sets_(job);
  convk_oncell_entry_ *const entry = own->entry + tile->entries;
  double first = 0, last = 0, inner_b, inner_c, phase[2] = {1, 0};
  size_t i, kept = 0;
  entry->cluster = cluster;
  memcpy(entry->at, cluster->at, sizeof entry->at);
  convk_oncell_shift_(job, entry->at, 2, nc);
  convk_oncell_shift_(job, entry->at, 1, nb);
  entry->alive = tile->alive;
  entry->made = 0;
  for (i = 0; i < cluster->count; i++) {
    own->alive[tile->alive + i].rows = 0;
    own->alive[tile->alive + i].factor = tile->factors + i * CONVK_ONCELL_ROWS_ * sets * CONVK_ONCELL_PRODUCTS_;
  }
  if (job->within[2])
    last = convk_oncell_images_(entry->at[2].hi + tile->least[2], entry->at[2].hi + tile->most[2], reach,
                                job->frame.image[2][2].hi, &first);
  for (inner_c = first; inner_c <= last; inner_c += 1) {
    convk_oncell_pair_ plane[3];
    double from = 0, to = 0;
    memcpy(plane, entry->at, sizeof plane);
    convk_oncell_shift_(job, plane, 2, inner_c);
    if (job->within[1])
      to = convk_oncell_images_(plane[1].hi + tile->least[1], plane[1].hi + tile->most[1], reach, job->frame.image[1][1].hi,
                                &from);
    for (inner_b = from; inner_b <= to; inner_b += 1) {
      convk_oncell_pair_ at[3];
      memcpy(at, plane, sizeof at);
      convk_oncell_shift_(job, at, 1, inner_b);
      if (job->bloch)
        convk_oncell_phase_(
            convk_oncell_add_(convk_oncell_times_(job->turn[1], nb + inner_b), convk_oncell_times_(job->turn[2], nc + inner_c)),
            &phase[0], &phase[1]);
      convk_oncell_image_(tile, entry, at, phase);
    }
  }
  for (i = 0; i < cluster->count; i++) { /* the widest come first: what is left is a part of them, but for unused ones */
    convk_oncell_alive_ *const alive = own->alive + tile->alive + i;
    alive->entry = tile->entries;
    alive->place = tile->places;
    if (!alive->rows) continue;
    tile->places += job->members[cluster->first + i].l + 1;
    kept = i + 1;
  }
  entry->count = kept;
  tile->alive += kept;
  tile->factors += kept * CONVK_ONCELL_ROWS_ * sets * CONVK_ONCELL_PRODUCTS_;
  tile->entries += kept > 0;
}

/* ---- a batch: rows of panels ---- */

/* Exponentials of a member in points around the nearest one, of which e has those from `before` points before it on. */
CONVK_RARE_ void convk_oncell_direct_(const convk_ongrid_job_ *job, const convk_oncell_member_ *m, const CONVK_T *e,
                                      size_t before, double nearest, convk_oncell_rows_ *part) {
  const double points = (double)m->points;
  const CONVK_T least = job->part.cut / 1024;
  size_t i;
  for (i = part->from; i < part->to; i++) {
    const double t = (double)i - nearest;
    const CONVK_T value = t >= -points && t <= points ? e[(size_t)(t + (double)before)] : 0;
    part->line[i] = value < least ? 0 : value;
  }
}

/* Squares of distances, or what exponentials are made of: see convk_oncell_rows_.  How many. */
CONVK_RARE_ size_t convk_oncell_values_(const convk_oncell_tile_ *tile, const convk_oncell_cluster_ *cluster,
                                        convk_oncell_pair_ x, convk_oncell_pair_ delta, double nearest) {
  const convk_ongrid_job_ *const job = tile->job;
  const convk_oncell_scratch_ *const own = tile->own;
  const convk_oncell_pair_ h = job->frame.step[0][0], from = cluster->kind == CONVK_ONCELL_WIDE_ ? x : delta;
  const size_t points = job->members[cluster->first].points;
  convk_oncell_pair_ s;
  size_t k;
  if (cluster->kind == CONVK_ONCELL_DIRECT_) {
    for (k = 0; k < 2 * points + 1; k++) {
      s = convk_oncell_add_(delta, convk_oncell_times_(h, (double)k - (double)points));
      convk_oncell_split_(convk_oncell_mul_(s, s), own->s + k, own->lo + k);
    }
    return k;
  }
  s = from; /* a u^2 in the first point, less what the table has of it */
  if (cluster->kind == CONVK_ONCELL_NEAREST_) s = convk_oncell_add_(s, convk_oncell_times_(h, -2 * nearest));
  convk_oncell_split_(convk_oncell_mul_(s, from), own->s, own->lo);
  s = convk_oncell_mul_(from, h);
  convk_oncell_split_(s, own->s + 1, own->lo + 1);
  for (k = 1; k < 8; k++) { /* what it changes by, linearly, in 2^(k - 1) points */
    own->s[k] = 2 * own->s[k - (k > 1)];
    own->lo[k] = 2 * own->lo[k - (k > 1)];
  }
  return k;
}

/* Rows of the members of an entry that are alive, for one image along the rows, whose first point is at x from the center. */
CONVK_RARE_ void convk_oncell_along_(const convk_oncell_tile_ *tile, const convk_oncell_entry_ *entry, convk_oncell_pair_ x,
                                     unsigned *done, convk_oncell_rows_ *part) {
  const convk_ongrid_job_ *const job = tile->job;
  const convk_oncell_scratch_ *const own = tile->own;
  const convk_oncell_cluster_ *const cluster = entry->cluster;
  const convk_oncell_member_ *const m = job->members + cluster->first;
  const double h = job->frame.step[0][0].hi, last = (double)(tile->n[0] - 1);
  const double gap = convk_oncell_gap_(x.hi, x.hi + h * last), nearest = convk_ongrid_floor_(0.5 - x.hi / h);
  const convk_oncell_pair_ delta = convk_oncell_add_(x, convk_oncell_times_(job->frame.step[0][0], nearest));
  size_t i, k, values, count = 0;
  while (count < entry->count && m[count].exponent * gap * gap <= job->reach) count++;
  if (!count) return;
  values = convk_oncell_values_(tile, cluster, x, delta, nearest);
  convk_oncell_exponentials_(job, cluster->first, count, values, own->s, own->lo, own->e, CONVK_ONCELL_VALUES_);
  part->delta = (CONVK_T)delta.hi;
  part->index = (CONVK_T)-nearest;
  for (i = 0; i < count; i++) {
    const convk_oncell_alive_ *const alive = own->alive + entry->alive + i;
    double low = (-m[i].reach - x.hi) / h, high = (m[i].reach - x.hi) / h + 1;
    if (!alive->rows) continue;
    if (cluster->kind == CONVK_ONCELL_DIRECT_) low = nearest - (double)m[i].points, high = nearest + (double)m[i].points + 1;
    low = low > 0 ? low : 0;
    high = high < last + 1 ? high : last + 1;
    if (!(low < high)) continue;
    part->from = (size_t)low / 16 * 16;
    part->to = convk_round_up_((size_t)high + (high > (double)(size_t)high), 16);
    part->l = m[i].l;
    part->exponent = (CONVK_T)m[i].exponent;
    part->factor = own->e + i * CONVK_ONCELL_VALUES_;
    part->table = NULL;
    if (cluster->kind == CONVK_ONCELL_NEAREST_) part->table = m[i].table + ((ptrdiff_t)part->from - (ptrdiff_t)nearest);
    else if (cluster->kind == CONVK_ONCELL_WIDE_) part->table = m[i].table + part->from;
    else convk_oncell_direct_(job, m + i, part->factor, m->points, nearest, part);
    for (k = 0; k < (part->phased ? 2 : (size_t)job->kinds); k++)
      part->panel[k] = own->panel + k * own->panel_apart + alive->place * job->kernels->strip;
    part->more = *done >> i & 1;
    job->kernels->cell_rows(part);
    *done |= 1u << i;
  }
}

/* Makes the rows of an entry in the panel for row r. */
CONVK_RARE_ void convk_oncell_make_(const convk_oncell_tile_ *tile, convk_oncell_entry_ *entry, size_t r) {
  const convk_ongrid_job_ *const job = tile->job;
  const convk_oncell_scratch_ *const own = tile->own;
  const convk_oncell_member_ *const m = job->members + entry->cluster->first;
  const convk_oncell_pair_ start = convk_oncell_add_(entry->at[0], tile->row[r][0]);
  const double reach = m->reach;
  double image, last;
  unsigned done = 0;
  convk_oncell_rows_ part;
  size_t i, k;
  memset(&part, 0, sizeof part);
  part.line = own->line;
  part.n = convk_round_up_(tile->n[0], job->kernels->strip);
  part.total = own->panel_apart / CONVK_ONCELL_LONG_;
  part.step = (CONVK_T)job->frame.step[0][0].hi;
  part.kinds = job->kinds;
  part.phased = convk_oncell_phased_(job);
  last = convk_oncell_images_(start.hi, start.hi + job->frame.step[0][0].hi * (double)(tile->n[0] - 1), reach,
                              job->frame.image[0][0].hi, &image);
  for (; image <= last; image += 1) {
    double cosine = 1, sine = 0;
    if (part.phased) convk_oncell_phase_(convk_oncell_times_(job->turn[0], image), &cosine, &sine);
    part.phase[0] = (CONVK_T)cosine;
    part.phase[1] = (CONVK_T)sine;
    convk_oncell_along_(tile, entry, convk_oncell_add_(start, convk_oncell_times_(job->frame.image[0][0], -image)), &done,
                        &part);
  }
  for (i = 0; i < entry->count; i++) { /* those that no image reaches */
    const convk_oncell_alive_ *const alive = own->alive + entry->alive + i;
    if (!alive->rows || done >> i & 1) continue;
    part.table = NULL;
    part.from = part.to = 0;
    part.more = 0;
    part.l = m[i].l;
    for (k = 0; k < (part.phased ? 2 : (size_t)job->kinds); k++)
      part.panel[k] = own->panel + k * own->panel_apart + alive->place * job->kernels->strip;
    job->kernels->cell_rows(&part);
  }
  entry->made = (unsigned)tile->key[r] + 1;
}

/* ---- a batch: sums ---- */

/* Weights and places of all that is alive in row r: how many rows of the panel these are. */
CONVK_RARE_ size_t convk_oncell_row_(const convk_oncell_tile_ *tile, size_t r) {
  const convk_ongrid_job_ *const job = tile->job;
  const convk_oncell_scratch_ *const own = tile->own;
  convk_oncell_weights_ weights;
  size_t i, k, d, q = 0;
  memset(&weights, 0, sizeof weights);
  weights.count = tile->count;
  weights.width = job->width;
  weights.apart = own->w_apart;
  weights.imag = job->bloch && job->bloch->imag ? job->term_rows / 2 : 0;
  weights.sets = (int)convk_oncell_sets_(job);
  for (k = 0; k < 3; k++)
    for (d = 0; d < 3; d++) weights.axis[k][d] = (CONVK_T)job->frame.axis[k][d].hi;
  for (i = 0; i < tile->alive; i++) {
    const convk_oncell_alive_ *const alive = own->alive + i;
    convk_oncell_entry_ *entry;
    const convk_oncell_member_ *m;
    if (!(alive->rows >> r & 1)) continue;
    entry = own->entry + alive->entry;
    m = job->members + entry->cluster->first + (i - entry->alive);
    if (entry->made != (unsigned)tile->key[r] + 1) convk_oncell_make_(tile, entry, r);
    weights.l = m->l;
    weights.terms = job->coefficients + (tile->orbital / CONVK_ONGRID_WIDE_ * job->whole + m->terms) * job->width;
    weights.factor = own->factor + alive->factor + r * convk_oncell_sets_(job) * CONVK_ONCELL_PRODUCTS_;
    weights.w = own->w + q * CONVK_ONGRID_WIDE_;
    job->kernels->cell_weigh(&weights);
    for (k = 0; k <= m->l; k++, q++) {
      own->list[q].w = (unsigned)(q * CONVK_ONGRID_WIDE_);
      own->list[q].x = (unsigned)(alive->place + k);
    }
  }
  return q;
}

/* to[o to_pitch + i] += from[o LONG + i] */
CONVK_RARE_ void convk_oncell_more_(const CONVK_T *from, size_t rows, size_t n, CONVK_T *to, size_t pitch) {
  size_t o, i;
  for (o = 0; o < rows; o++)
    for (i = 0; i < n; i++) to[o * pitch + i] += from[o * CONVK_ONCELL_LONG_ + i];
}

/* Sums of a kind in a row, as `product` has them: stored, or added to those of batches before.  alone: there is one batch. */
CONVK_RARE_ void convk_oncell_store_(const convk_oncell_tile_ *tile, convk_ongrid_product_ *product, CONVK_T *to, size_t pitch,
                                     int alone) {
  const convk_ongrid_job_ *const job = tile->job;
  const int more = tile->batch > 0;
  if (more && !product->counts[0]) return;
  product->out = more ? tile->own->sums : to;
  product->pitch = more ? CONVK_ONCELL_LONG_ : pitch;
  product->stream = alone && job->stream && (uintptr_t)to % 64 == 0;
  job->kernels->multiply(product);
  if (more) convk_oncell_more_(product->out, tile->count, tile->n[0], to, pitch);
}

/* All kinds of sums of row r, at `to` and at distances of `pitch` between orbitals: of which weights with which panels, and
   with which ones besides. */
CONVK_RARE_ void convk_oncell_sums_of_(const convk_oncell_tile_ *tile, size_t r, CONVK_T *const *to, size_t pitch, int alone) {
  static const int table[5][2] = {{0, 0}, {1, 0}, {1, 0}, {1, 0}, {2, 0}},
                   weight[5][2] = {{0, 0}, {1, 4}, {2, 5}, {3, 6}, {0, 7}};
  static const int complex_table[2] = {0, 1}, complex_weight[2][2] = {{0, 2}, {1, 0}};
  const convk_ongrid_job_ *const job = tile->job;
  const convk_oncell_scratch_ *const own = tile->own;
  const size_t sums = job->bloch ? 2 : job->kinds == 1 ? 1 : job->density ? 4 : 5;
  convk_ongrid_product_ product;
  size_t k, part, counts[CONVK_ONGRID_WIDE_]; /* of blocks of orbitals, whose tables are the same */
  memset(&product, 0, sizeof product);
  counts[0] = convk_oncell_row_(tile, r);
  for (k = 1; k * job->kernels->block < tile->count; k++) counts[k] = counts[0];
  product.counts = counts;
  product.w_block = job->kernels->block;
  product.rows = tile->count;
  product.n = tile->n[0];
  product.total = own->panel_apart / CONVK_ONCELL_LONG_;
  product.list = own->list;
  for (k = 0; k < sums; k++) {
    product.parts = job->bloch ? 1 + convk_oncell_phased_(job) : k ? 2 : 1;
    for (part = 0; part < 2; part++) {
      product.w[part] = own->w + (size_t)(job->bloch ? complex_weight[k][part] : weight[k][part]) * own->w_apart;
      product.panel[part] = own->panel + (size_t)(job->bloch ? complex_table[part] : table[k][part]) * own->panel_apart;
    }
    convk_oncell_store_(tile, &product, to[k], pitch, alone);
  }
}

/* Orbitals of row r, which are complete, as complex numbers. */
CONVK_RARE_ void convk_oncell_pair_up_(const convk_oncell_tile_ *tile, size_t r, size_t at) {
  const convk_ongrid_job_ *const job = tile->job;
  convk_oncell_pairs_ pairs;
  pairs.real = tile->own->values + 2 * r * tile->own->value_apart;
  pairs.imag = pairs.real + tile->own->value_apart;
  pairs.rows = tile->count;
  pairs.n = tile->n[0];
  pairs.from_pitch = CONVK_ONCELL_LONG_;
  pairs.pitch = 2 * job->ld;
  pairs.to = job->out[0] + 2 * (tile->orbital * job->ld + at);
  job->kernels->cell_pairs(&pairs);
}

/* Adds orbitals of row r, which are complete, to the density. */
CONVK_RARE_ void convk_oncell_square_(const convk_oncell_tile_ *tile, size_t r, size_t at) {
  const convk_ongrid_job_ *const job = tile->job;
  convk_ongrid_squares_ squares;
  size_t o, d;
  memset(&squares, 0, sizeof squares);
  squares.rows = 1;
  squares.n = tile->n[0];
  squares.apart = job->kinds > 1 ? tile->own->value_apart : 0;
  for (d = 0; d < 5; d++) squares.out[d] = job->out[d] ? job->out[d] + at : NULL;
  for (o = 0; o < tile->count; o++)
    for (d = 0; d < (job->bloch ? 2 : 1); d++) { /* real and imaginary parts */
      squares.value = tile->own->values + (r * convk_oncell_sets_(job) + d) * tile->own->value_apart + o * CONVK_ONCELL_LONG_;
      squares.weight = CONVK_ONE_(job->occupations + tile->orbital + o);
      squares.first = !job->add && tile->orbital + o + d == 0;
      job->kernels->add_squares(&squares);
    }
}

/* What is in a batch, in all rows of the tile; last: there is no other one. */
CONVK_RARE_ void convk_oncell_batch_(convk_oncell_tile_ *tile, int last) {
  const convk_ongrid_job_ *const job = tile->job;
  const size_t sets = convk_oncell_sets_(job);
  size_t r, k;
  for (r = 0; r < tile->rows; r++) {
    const size_t at = (tile->first[2] + tile->k[r]) * job->box.grid.pitch_z +
                      (tile->first[1] + tile->j[r]) * job->box.grid.pitch_y + tile->first[0];
    CONVK_T *to[5] = {NULL, NULL, NULL, NULL, NULL};
    for (k = 0; k < 5; k++) {
      if (convk_oncell_waits_(job) && k < sets) to[k] = tile->own->values + (r * sets + k) * tile->own->value_apart;
      else if (!convk_oncell_waits_(job) && job->out[k]) to[k] = job->out[k] + tile->orbital * job->ld + at;
    }
    convk_oncell_sums_of_(tile, r, to, convk_oncell_waits_(job) ? CONVK_ONCELL_LONG_ : job->ld,
                          last && !tile->batch && !convk_oncell_waits_(job));
    if (last && job->density) convk_oncell_square_(tile, r, at);
    else if (last && job->bloch) convk_oncell_pair_up_(tile, r, at);
  }
  tile->entries = tile->alive = tile->places = tile->factors = 0;
  tile->batch++;
}

/* ---- tiles ---- */

/* Rows of a tile, those that share a panel one after the other. */
CONVK_RARE_ void convk_oncell_rows_in_(convk_oncell_tile_ *tile) {
  const convk_ongrid_job_ *const job = tile->job;
  const convk_oncell_frame_ *const f = &job->frame;
  const size_t planes = tile->n[2];
  size_t r, d;
  for (r = 0; r < tile->rows; r++) {
    const size_t j = job->shared[2] ? r / planes : r % tile->n[1], k = job->shared[2] ? r % planes : r / tile->n[1];
    const double at[3] = {(double)tile->first[0], (double)(tile->first[1] + j), (double)(tile->first[2] + k)};
    tile->j[r] = j;
    tile->k[r] = k;
    tile->key[r] = (job->shared[1] ? 0 : j) + (job->shared[2] ? 0 : k) * tile->n[1];
    for (d = 0; d < 3; d++) {
      convk_oncell_pair_ x = convk_oncell_times_(f->step[2][d], at[2]);
      if (d < 2) x = convk_oncell_add_(x, convk_oncell_times_(f->step[1][d], at[1]));
      if (d < 1) x = convk_oncell_add_(x, convk_oncell_times_(f->step[0][d], at[0]));
      tile->row[r][d] = x;
      if (!r || x.hi < tile->least[d]) tile->least[d] = x.hi;
      if (!r || x.hi > tile->most[d]) tile->most[d] = x.hi;
    }
  }
  tile->most[0] += f->step[0][0].hi * (double)(tile->n[0] - 1);
}

/* A cluster in the tile: all images of it that X depends on, in as many batches as it takes. */
CONVK_RARE_ void convk_oncell_visit_(convk_oncell_tile_ *tile, const convk_oncell_cluster_ *cluster) {
  const convk_ongrid_job_ *const job = tile->job;
  const convk_oncell_pair_(*const image)[3] = job->frame.image;
  const double exponent = job->members[cluster->first].exponent, reach = job->members[cluster->first].reach;
  const unsigned char *const used = job->used + tile->orbital / CONVK_ONGRID_WIDE_ * job->ngroups + cluster->first;
  const size_t room = tile->own->panel_apart / CONVK_ONCELL_LONG_;
  double from, to, first, last, nb, nc, gap[3];
  size_t i, places = 0;
  for (i = 0; i < cluster->count; i++) places += used[i] ? job->members[cluster->first + i].l + 1 : 0;
  if (!places) return;
  first = last = from = to = 0;
  if (!job->within[2])
    last = convk_oncell_images_(cluster->at[2].hi + tile->least[2], cluster->at[2].hi + tile->most[2], reach, image[2][2].hi,
                                &first);
  for (nc = first; nc <= last; nc += 1) {
    const double x = cluster->at[0].hi - nc * image[2][0].hi, y = cluster->at[1].hi - nc * image[2][1].hi;
    const double z = cluster->at[2].hi - nc * image[2][2].hi;
    gap[2] = job->within[2] && job->box.period[2] > 0 ? 0 : convk_oncell_gap_(z + tile->least[2], z + tile->most[2]);
    if (!job->within[1]) to = convk_oncell_images_(y + tile->least[1], y + tile->most[1], reach, image[1][1].hi, &from);
    for (nb = from; nb <= to; nb += 1) {
      const double own_x = x - nb * image[1][0].hi, own_y = y - nb * image[1][1].hi;
      gap[0] = job->box.period[0] > 0 ? 0 : convk_oncell_gap_(own_x + tile->least[0], own_x + tile->most[0]);
      gap[1] = job->box.period[1] > 0 && (job->within[1] || job->within[2])
                   ? 0
                   : convk_oncell_gap_(own_y + tile->least[1], own_y + tile->most[1]);
      if (job->within[2] && job->box.period[2] > 0) gap[1] = 0; /* other images lie elsewhere along y', too */
      if (!(exponent * (gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]) <= job->reach * 1.0001)) continue;
      if (tile->alive + cluster->count > room || tile->places + places > room || tile->entries == room)
        convk_oncell_batch_(tile, 0);
      convk_oncell_enter_(tile, cluster, nb, nc);
    }
  }
}

/* Rows of a density without orbitals. */
CONVK_RARE_ void convk_oncell_zero_(const convk_oncell_tile_ *tile) {
  const convk_ongrid_job_ *const job = tile->job;
  size_t r, d;
  for (r = 0; r < tile->rows; r++)
    for (d = 0; d < 5; d++)
      if (job->out[d])
        memset(job->out[d] + (tile->first[2] + tile->k[r]) * job->box.grid.pitch_z +
                   (tile->first[1] + tile->j[r]) * job->box.grid.pitch_y + tile->first[0],
               0, tile->n[0] * sizeof *job->out[d]);
}

/* Columns of tiles, every so many of them. */
CONVK_LOCAL_ void convk_oncell_task_(void *arg, size_t index) {
  const convk_ongrid_job_ *const job = (const convk_ongrid_job_ *)arg;
  convk_oncell_scratch_ own;
  convk_oncell_tile_ tile;
  size_t column, d, i, c;
  (void)convk_oncell_scratch_of_(job, job->scratch + index * job->task_bytes, &own);
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
      tile.rows = tile.n[1] * tile.n[2];
      convk_oncell_rows_in_(&tile);
      if (!job->norbitals && !job->add) convk_oncell_zero_(&tile);
      for (tile.orbital = 0; tile.orbital < job->norbitals; tile.orbital += CONVK_ONGRID_WIDE_) {
        tile.count = convk_least_(job->norbitals - tile.orbital, CONVK_ONGRID_WIDE_);
        tile.batch = 0;
        for (c = 0; c < job->nclusters; c++) convk_oncell_visit_(&tile, job->clusters + c);
        convk_oncell_batch_(&tile, 1);
      }
    }
  if (job->stream) job->kernels->fence();
}

/* ---- calls ---- */

/* What the box decides: shapes of tiles, and along which axes rows of one share a panel. */
CONVK_RARE_ void convk_oncell_begin_(convk_ongrid_job_ *job) {
  const double tiny =
      CONVK_EITHER_(2.98023223876953125e-08, 5.5511151231257827e-17) * job->frame.step[0][0].hi; /* 2^-25, 2^-54 */
  size_t most[3] = {0, 4, 4}, d;
  for (d = 1; d < 3; d++) {
    const double shift = job->frame.step[d][0].hi * CONVK_ONCELL_ROWS_;
    job->shared[d] = shift <= tiny && -shift <= tiny;
  }
  if (job->shared[1] != job->shared[2]) {
    most[1] = job->shared[1] ? CONVK_ONCELL_ROWS_ : 1;
    most[2] = job->shared[2] ? CONVK_ONCELL_ROWS_ : 1;
  }
  for (d = 1; d < 3; d++) {
    job->tile[d] = convk_even_part_(job->n[d], most[d]);
    job->tiles[d] = convk_ceil_(job->n[d], job->tile[d]);
  }
}

/* Counts what tables and terms need; the checks are those of axes along x, y, z, whose tables are not made. */
CONVK_RARE_ int convk_oncell_count_(char *message, convk_ongrid_job_ *job) {
  const size_t blocks = convk_ceil_(job->norbitals, CONVK_ONGRID_WIDE_), most = (size_t)-1 / 4096;
  job->width = convk_round_up_(job->norbitals ? convk_least_(job->norbitals, CONVK_ONGRID_WIDE_) : 1, 16);
  if (convk_mul_(job->primitives, CONVK_ONCELL_TABLE_, &job->table) || job->table > most)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "the shells of set are too many");
  if (convk_mul_(blocks * job->width, job->terms, &job->term_rows) || job->term_rows > most)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "set->norbitals times the functions of the shells is too large");
  if (job->bloch && job->bloch->imag) job->term_rows *= 2;
  return CONVK_OK;
}

/* How far images along an axis are apart, seen across the other axes. */
CONVK_LOCAL_ double convk_oncell_apart_(const convk_ongrid_job_ *job, size_t d) {
  const double height = job->frame.image[d][d].hi;
  return !job->general ? job->box.period[d] : height < 0 ? -height : height;
}

/* Which members have terms of any orbital of a block. */
CONVK_RARE_ void convk_oncell_used_(convk_ongrid_job_ *job) {
  size_t b, i, k;
  for (b = 0; b * CONVK_ONGRID_WIDE_ < job->norbitals; b++)
    for (i = 0; i < job->ngroups; i++) {
      const convk_oncell_member_ *const m = job->members + i;
      const CONVK_T *const terms = job->coefficients + (b * job->whole + m->terms) * job->width;
      int any = 0;
      for (k = 0; k < convk_ongrid_terms_(m->l) * job->width; k++)
        any |= terms[k] != 0 || (job->bloch && job->bloch->imag && terms[k + job->term_rows / 2] != 0);
      job->used[b * job->ngroups + i] = (unsigned char)any;
    }
}

/* Bytes of what general cells need besides, from `at` on; these parts of `base` where that is not NULL. */
CONVK_RARE_ size_t convk_oncell_work_(convk_ongrid_job_ *job, char *base, size_t at) {
  job->members = (convk_oncell_member_ *)convk_ongrid_there_(base, at);
  at += convk_round_up_(job->primitives * sizeof *job->members, 64);
  job->clusters = (convk_oncell_cluster_ *)convk_ongrid_there_(base, at);
  at += convk_round_up_(job->primitives * sizeof *job->clusters, 64);
  job->exponents = (CONVK_T *)convk_ongrid_there_(base, at);
  at += convk_round_up_(3 * job->primitives * sizeof(CONVK_T), 64);
  job->used = (unsigned char *)convk_ongrid_there_(base, at);
  at += convk_round_up_(convk_ceil_(job->norbitals, CONVK_ONGRID_WIDE_) * job->primitives, 64);
  return at;
}

/* All of this once it has its memory. */
CONVK_RARE_ void convk_oncell_ready_(convk_ongrid_job_ *job, double *sum) {
  memset(job->coefficients, 0, job->term_rows * sizeof *job->coefficients);
  convk_oncell_fill_(job);
  convk_ongrid_terms_of_(job, sum);
  convk_ongrid_imaginary_(job, sum);
  convk_oncell_used_(job);
}
#endif
