/* ---- Gaussians on regular grids ---- */

/* What the weights of one entry need.  These are copies: compilers would load members again after each store. */
typedef struct convk_grids_origin_ {
  const CONVK_T *y, *z, *ey; /* tables in the first row and in the plane; exponentials along y of rows, without phases */
  CONVK_T *w;                /* weights of x^0 */
  size_t rows, read, step, apart, y_count, y_apart, z_count, z_apart;
} convk_grids_origin_;

/* Gathers what the weights of an entry need in one plane: z points at its tables in that plane, ey at the exponentials along y
   of the rows.  read: rows whose weights are read. */
CONVK_INLINE_ convk_grids_origin_ convk_grids_origin_of_(const convk_grids_weights_ *part, const convk_grids_entry_ *e,
                                                         const CONVK_T *z, const CONVK_T *ey, size_t read) {
  convk_grids_origin_ to;
  to.y = e->y;
  to.z = z;
  to.ey = ey;
  to.w = part->w + e->first * CONVK_GRIDS_BLOCK_;
  to.rows = part->rows;
  to.read = read;
  to.step = part->total * CONVK_GRIDS_BLOCK_;
  to.apart = part->apart;
  to.y_count = e->y_count;
  to.y_apart = e->y_apart;
  to.z_count = e->z_count;
  to.z_apart = e->z_apart;
  return to;
}

/* Adds one term of y^b z^c, whose table along z begins at `at`, to sums along z: v[k] of kind k. */
CONVK_INLINE_ void convk_grids_add_term_(const convk_grids_origin_ *e, CONVK_T t, const CONVK_T *at, CONVK_V *v,
                                         const int kinds) {
  const CONVK_V term = CONVK_SET_(t);
  v[0] = CONVK_FMA_(term, CONVK_SET_(at[0]), v[0]);
  if (kinds > 1) v[1] = CONVK_FMA_(term, CONVK_SET_(at[e->z_apart]), v[1]);
  if (kinds > 3) v[2] = CONVK_FMA_(term, CONVK_SET_(at[2 * e->z_apart]), v[2]);
}

/* Adds such sums v of y^b, whose table begins at `at`, to the weights of one vector of rows. */
CONVK_INLINE_ void convk_grids_add_power_(const convk_grids_origin_ *e, const CONVK_V *v, const CONVK_T *at, CONVK_V *sum,
                                          const int kinds) {
  const CONVK_V own = CONVK_LOAD_(at);
  sum[0] = CONVK_FMA_(v[0], own, sum[0]);
  if (kinds > 1) sum[1] = CONVK_FMA_(v[0], CONVK_LOAD_(at + e->y_apart), sum[1]);
  if (kinds > 1) sum[2] = CONVK_FMA_(v[1], own, sum[2]);
  if (kinds > 3) sum[3] = CONVK_FMA_(v[0], CONVK_LOAD_(at + 2 * e->y_apart), CONVK_FMA_(v[2], own, sum[3]));
}

/* Stores the weights of one vector of rows at w: 0 in rows whose ey times exz is below the cutoff. */
CONVK_INLINE_ void convk_grids_put_weights_(const convk_grids_origin_ *e, const CONVK_V *sum, const CONVK_T *ey, CONVK_T *w,
                                            CONVK_V cut, CONVK_V exz, const int kinds) {
  const CONVK_V zero = CONVK_SET_(0), own = CONVK_MUL_(CONVK_LOAD_(ey), exz);
  int k;
  for (k = 0; k < kinds; k++) CONVK_STORE_(w + (size_t)k * e->apart, CONVK_LESS_(own, cut, zero, sum[k]));
}

/* Weights w of the table x^i, one vector of rows from `row` on.  v: terms summed along z, of y^0 .. y^m. */
CONVK_INLINE_ void convk_grids_weigh_rows_(const convk_grids_origin_ *e, CONVK_V v[CONVK_SHELL_MAX_L + 1][3], size_t row,
                                           CONVK_T *w, CONVK_V cut, CONVK_V exz, const int m, const int kinds) {
  CONVK_V sum[4];
  int b, k;
  for (k = 0; k < kinds; k++) sum[k] = CONVK_SET_(0);
  CONVK_UNROLL_
  for (b = 0; b <= m; b++) convk_grids_add_power_(e, v[b], e->y + (size_t)b * e->y_count + row, sum, kinds);
  convk_grids_put_weights_(e, sum, e->ey + row, w, cut, exz, kinds);
}

/* All weights w of the table x^i, whose terms have powers of y and z up to m = l - i together.  exz: the tile's largest
   exponential along x times that of the plane along z.  A row whose ey times exz is below the cutoff counts as nothing, and a
   block without any other row leaves the entry out. */
CONVK_INLINE_ void convk_grids_power_(const convk_grids_origin_ *e, const convk_any_ *t, CONVK_T *w, CONVK_V cut, CONVK_V exz,
                                      const int m, const int kinds) {
  enum { block_ = CONVK_GRIDS_BLOCK_, all_ = block_ / CONVK_LANES, group_ = all_ % 3 == 0 ? 3 : all_ % 2 == 0 ? 2 : 1 };
  CONVK_V v[CONVK_SHELL_MAX_L + 1][3];
  size_t r, h;
  int b, c, k, u;
  CONVK_UNROLL_
  for (b = 0; b <= m; b++) {
    for (k = 0; k < 3; k++) v[b][k] = CONVK_SET_(0);
    CONVK_UNROLL_
    for (c = 0; c <= m - b; c++, t++) convk_grids_add_term_(e, *t, e->z + (size_t)c * e->z_count, v[b], kinds);
  }
  for (r = 0; r < e->rows; r += block_, w += e->step) {
    if (kinds > 1) {
      for (h = 0; h < block_ && (h == 0 || r + h < e->read); h += CONVK_LANES)
        convk_grids_weigh_rows_(e, v, r + h, w + h, cut, exz, m, kinds);
      continue;
    }
    /* some vectors in each turn: one at a time was 4 % slower, for 376 orbitals */
    for (h = 0; h < block_ && (h == 0 || r + h < e->read); h += (size_t)group_ * CONVK_LANES) {
      CONVK_EACH_(u, group_) {
        const size_t own = h + (size_t)u * CONVK_LANES;
        if (u && r + own >= e->read) break;
        convk_grids_weigh_rows_(e, v, r + own, w + own, cut, exz, m, kinds);
      }
    }
  }
}

/* The same of any m, by loops, which are less to compile: with derivatives, shells of l = 3 and 4 (f, g) are rare. */
CONVK_INLINE_ void convk_grids_power_any_(const convk_grids_origin_ *e, const convk_any_ *t, CONVK_T *w, CONVK_V cut,
                                          CONVK_V exz, int m, const int kinds) {
  enum { block_ = CONVK_GRIDS_BLOCK_ };
  CONVK_V v[CONVK_SHELL_MAX_L + 1][3];
  size_t r, h;
  int b, c, k;
  for (b = 0; b <= m; b++) {
    CONVK_V sum[3];
    for (k = 0; k < 3; k++) sum[k] = CONVK_SET_(0);
    for (c = 0; c <= m - b; c++, t++) convk_grids_add_term_(e, *t, e->z + (size_t)c * e->z_count, sum, kinds);
    for (k = 0; k < 3; k++) v[b][k] = sum[k];
  }
  for (r = 0; r < e->rows; r += block_, w += e->step)
    for (h = 0; h < block_ && (h == 0 || r + h < e->read); h += CONVK_LANES) {
      const CONVK_T *at = e->y + r + h;
      CONVK_V sum[4];
      for (k = 0; k < kinds; k++) sum[k] = CONVK_SET_(0);
      for (b = 0; b <= m; b++, at += e->y_count) convk_grids_add_power_(e, v[b], at, sum, kinds);
      convk_grids_put_weights_(e, sum, e->ey + r + h, w + h, cut, exz, kinds);
    }
}

/* Weights of the tables x^i, i = 0 .. l, of one entry; m = l - i.  Powers m <= max_power (2, 3 or 4) are unrolled, larger ones
   are loops.  z: its tables in the plane; read: rows that the multiplication reads; kinds: 1, or 4 with derivatives. */
CONVK_INLINE_ void convk_grids_weights_of_(const convk_grids_weights_ *part, const convk_grids_entry_ *e, const CONVK_T *z,
                                           size_t read, const int max_power, const int kinds) {
  enum { block_ = CONVK_GRIDS_BLOCK_ };
  const convk_grids_origin_ from = convk_grids_origin_of_(part, e, z, e->y, read);
  const CONVK_V cut = CONVK_SET_(part->cut), exz = CONVK_SET_(z[0] * e->ex);
  const convk_any_ *t = part->terms + e->terms;
  CONVK_T *w = from.w;
  const size_t l = e->l;
  int m;
  for (m = (int)l; m > max_power; m--) {
    convk_grids_power_any_(&from, t, w, cut, exz, m, kinds);
    t += (m + 1) * (m + 2) / 2;
    w += block_;
  }
  if (max_power > 3 && l > 3) convk_grids_power_(&from, t, w, cut, exz, 4, kinds), t += 15, w += block_;
  if (max_power > 2 && l > 2) convk_grids_power_(&from, t, w, cut, exz, 3, kinds), t += 10, w += block_;
  if (max_power > 1 && l > 1) convk_grids_power_(&from, t, w, cut, exz, 2, kinds), t += 6, w += block_;
  if (max_power > 0 && l > 0) convk_grids_power_(&from, t, w, cut, exz, 1, kinds), t += 3, w += block_;
  convk_grids_power_(&from, t, w, cut, exz, 0, kinds);
}

/* In which blocks of rows an entry counts, as bits: where not all rows' ey times `product`, ex ez, are below the cutoff. */
CONVK_INLINE_ unsigned convk_grids_blocks_of_(const convk_grids_weights_ *part, const convk_grids_entry_ *e, CONVK_T product) {
  const CONVK_V cut = CONVK_SET_(part->cut), exz = CONVK_SET_(product);
  unsigned live = 0;
  size_t b;
  for (b = 0; b * CONVK_GRIDS_BLOCK_ < part->rows; b += CONVK_LANES)
    live |= (((1u << CONVK_LANES) - 1) ^ CONVK_WHICH_LESS_(CONVK_MUL_(CONVK_LOAD_(e->maxima + b), exz), cut)) << b;
  return live;
}

/* Where tables of an entry along z begin in the plane, if it counts there in any block of rows, which part->live then says;
   else NULL.  ez_apart: elements from there to the exponential along z, without phases; 0 where the table has it. */
CONVK_INLINE_ const CONVK_T *convk_grids_reached_(const convk_grids_weights_ *part, const convk_grids_entry_ *e,
                                                  size_t ez_apart) {
  const size_t at = part->plane - e->z_low;
  unsigned short *const live = part->live + e->first;
  unsigned blocks;
  size_t k;
  if (at >= e->z_count) blocks = 0;
  else if (part->again) blocks = live[0];
  else blocks = convk_grids_blocks_of_(part, e, e->z[at + ez_apart] * e->ex);
  for (k = 0; k <= e->l && !part->again; k++) live[k] = (unsigned short)blocks;
  return blocks ? e->z + at : NULL;
}

/* Lists of the tables that count in each block, or in each block and some strips. */
CONVK_RARE_ void convk_grids_list_(const convk_grids_weights_ *part) {
#ifdef CONVK_CHOOSE_
  const size_t own = part->first, blocks = (part->rows + CONVK_GRIDS_BLOCK_ - 1) / CONVK_GRIDS_BLOCK_;
  CONVK_CHOOSE_(part->list, part->list_apart, part->every + own, part->live + own, blocks, part->where + own, part->lists,
                CONVK_GRIDS_LISTS_, part->end - own, part->counts);
#else
  const size_t lists = part->lists > 1 ? part->lists : 1, apart = lists > 1 ? CONVK_GRIDS_LISTS_ : 1;
  size_t b, s, t;
  for (b = 0; b * CONVK_GRIDS_BLOCK_ < part->rows; b++) {
    convk_grids_listed_ *const list = part->list + b * apart * part->list_apart;
    size_t *const counts = part->counts + b * apart;
    for (s = 0; s < lists; s++) counts[s] = 0;
    for (t = part->first; t < part->end; t++) {
      if (!(part->live[t] >> b & 1)) continue;
      for (s = 0; s < lists; s++) {
        list[s * part->list_apart + counts[s]] = part->every[t];
        counts[s] += lists > 1 ? part->where[t] >> s & 1 : 1;
      }
    }
  }
#endif
}

/* Rows of weights that convk_grids_multiply_ reads for so many rows: its last tile may be larger than what is left. */
CONVK_INLINE_ size_t convk_grids_read_(size_t rows) {
  const size_t tail = rows % CONVK_GRIDS_ROWS_;
  return rows + (tail > CONVK_GRIDS_HALF_ROWS_ ? CONVK_GRIDS_ROWS_ - tail : tail > 1 ? CONVK_GRIDS_HALF_ROWS_ - tail : 0);
}

/* convk_grids_weights_of_ with derivatives. */
CONVK_RARE_ void convk_grids_weights_vgl_(const convk_grids_weights_ *part, const convk_grids_entry_ *e, const CONVK_T *z,
                                          size_t read) {
  convk_grids_weights_of_(part, e, z, read, 0, 4);
}

/* The weights of all entries of a tile in one plane, and the lists of tables that count there. */
static void convk_grids_weigh_(const convk_grids_weights_ *part) {
  const size_t read = convk_grids_read_(part->rows);
  size_t i;
  for (i = 0; i < part->count; i++) {
    const convk_grids_entry_ *const e = &part->entry[i];
    const CONVK_T *const z = convk_grids_reached_(part, e, 0);
    if (!z) continue;
    if (part->kinds > 1) convk_grids_weights_vgl_(part, e, z, read);
    else convk_grids_weights_of_(part, e, z, read, CONVK_TERSE_ ? 0 : CONVK_SHELL_MAX_L, 1);
  }
  if (!part->again) convk_grids_list_(part);
  CONVK_LEAVE_
}

/* Where a tile of sums is: its list of tables, where its weights and panels begin, and whether its sums go past the cache. */
typedef struct convk_grids_spot_ {
  const convk_grids_listed_ *list;
  size_t count, w, panel;
  int stream;
} convk_grids_spot_;

/* One vector of k elements, behind which there may be anything. */
CONVK_INLINE_ CONVK_V convk_grids_value_(const CONVK_T *from, size_t k) {
  return k < CONVK_LANES ? CONVK_LOADK_(from, k) : CONVK_LOAD_(from);
}

/* Puts k sums of one vector, with `pairs` also imaginary ones, to their place at `to`. */
CONVK_INLINE_ void convk_grids_put_(CONVK_T *to, CONVK_V real, CONVK_V imag, size_t k, int stream, const int pairs) {
  CONVK_V v[2];
  int h;
  v[0] = real;
  v[1] = imag;
  if (pairs) {
    CONVK_ZIP_(v);
    k *= 2;
  }
  CONVK_EACH_(h, 1 + pairs) {
    if (k < CONVK_LANES) {
      CONVK_STOREK_(to, v[h], k);
      return;
    }
    if (stream) CONVK_STREAM_(to, v[h]);
    else CONVK_STORE_(to, v[h]);
    to += CONVK_LANES;
    k -= CONVK_LANES;
  }
}

/* Adds their squares to what is there. */
CONVK_INLINE_ CONVK_V convk_grids_squared_(CONVK_V weight, CONVK_V real, CONVK_V imag, CONVK_V there, const int pairs) {
  there = convk_gaussian_add_square_(weight, real, there);
  return pairs ? convk_gaussian_add_square_(weight, imag, there) : there;
}

/* Sums of `rows` times `vectors` vectors, the last of a row of k elements; imaginary ones lie at a distance of `apart`. */
CONVK_RARE_ void convk_grids_leave_(const convk_grids_product_ *part, CONVK_T *out, const CONVK_V *sum, size_t apart,
                                    size_t rows, size_t vectors, size_t k, int stream) {
  const CONVK_V weight = CONVK_SET_(part->weight);
  const size_t each = part->pairs && !part->squares ? 2 * CONVK_LANES : CONVK_LANES;
  size_t r, u;
  for (r = 0; r < rows && k == CONVK_LANES && !part->pairs && !part->squares; r++, out += part->pitch)
    for (u = 0; u < vectors; u++, sum++) {
      if (stream) CONVK_STREAM_(out + u * CONVK_LANES, *sum);
      else CONVK_STORE_(out + u * CONVK_LANES, *sum);
    }
  for (; r < rows; r++) {
    for (u = 0; u < vectors; u++, sum++) {
      CONVK_T *const to = out + r * part->pitch + u * each;
      const size_t own = u + 1 < vectors ? CONVK_LANES : k;
      CONVK_V v = *sum;
      if (part->squares) v = convk_grids_squared_(weight, v, sum[apart], convk_grids_value_(to, own), part->pairs);
      if (each > CONVK_LANES) convk_grids_put_(to, v, sum[apart], own, stream, 1);
      else convk_grids_put_(to, v, v, own, stream, 0);
    }
  }
}

/* Adds products with one panel to sums of rows `first` to `end` of a tile: of weights at a, from half of its rows on at b. */
CONVK_INLINE_ void convk_grids_add_(const convk_grids_spot_ *at, const CONVK_T *panel, const convk_any_ *a, const convk_any_ *b,
                                    const int first, const int half, const int end, const int vectors, CONVK_V *sum) {
  const convk_grids_listed_ *const list = at->list;
  const size_t count = at->count;
  CONVK_V v[3];
  size_t q;
  int p, u;
  for (q = 0; q < count; q++) {
    const size_t w = list[q].w;
    const CONVK_T *const x = panel + (size_t)list[q].x * CONVK_GRIDS_STRIP_;
    CONVK_EACH_(u, vectors) v[u] = CONVK_LOAD_(x + u * CONVK_LANES);
    CONVK_UNROLL_
    for (p = first; p < end; p++) {
      const CONVK_V weight = CONVK_SET_(p < half ? a[w + (size_t)p] : b[w + (size_t)(p - half)]);
      CONVK_EACH_(u, vectors) sum[p * vectors + u] = CONVK_FMA_(weight, v[u], sum[p * vectors + u]);
    }
  }
}

/* A tile of sums, whole vectors all of them, rows at distances of `pitch` from `to` on; or of half as many rows of real sums,
   and as many of imaginary ones behind them.  ready: all are wanted, and go to their places as `part` says. */
CONVK_INLINE_ void convk_grids_tile_(const convk_grids_product_ *part, const convk_grids_spot_ *at, CONVK_T *to, size_t pitch,
                                     int ready, const int rows, const int vectors) {
  enum { most_ = CONVK_GRIDS_ROWS_ };
  const int pairs = rows == most_ && part->pairs, count = rows * vectors, half = count / 2;
  const size_t apart = CONVK_LANES;
  CONVK_V sum[24];
  int p, k;
  CONVK_EACH_(p, count) sum[p] = CONVK_SET_(0);
  for (k = 0; k < part->parts; k++) {
    const CONVK_T *const panel = part->panel[k] + at->panel;
    const convk_any_ *const a = part->w[k][0] ? part->w[k][0] + at->w : NULL;
    const convk_any_ *const b = !pairs ? a + rows / 2 : part->w[k][1] ? part->w[k][1] + at->w : NULL;
    if (!pairs || (a && b)) convk_grids_add_(at, panel, a, b, 0, rows / 2, rows, vectors, sum);
    else if (a) convk_grids_add_(at, panel, a, a, 0, rows / 2, rows / 2, vectors, sum);
    else convk_grids_add_(at, panel, b, b, rows / 2, rows / 2, rows, vectors, sum);
  }
  if (!CONVK_TERSE_ && rows == most_ && ready) {
    const CONVK_V weight = CONVK_SET_(part->weight);
    if (pairs && part->squares) {
      CONVK_EACH_(p, half) {
        CONVK_T *const own = to + (size_t)(p / vectors) * pitch + (size_t)(p % vectors) * apart;
        CONVK_STORE_(own, convk_grids_squared_(weight, sum[p], sum[p + half], CONVK_LOAD_(own), 1));
      }
    } else if (pairs) {
      CONVK_EACH_(p, half)
        convk_grids_put_(to + (size_t)(p / vectors) * pitch + (size_t)(p % vectors) * 2 * apart, sum[p], sum[p + half],
                         CONVK_LANES, at->stream, 1);
    } else if (part->squares) {
      CONVK_EACH_(p, count) {
        CONVK_T *const own = to + (size_t)(p / vectors) * pitch + (size_t)(p % vectors) * apart;
        CONVK_STORE_(own, convk_grids_squared_(weight, sum[p], sum[p], CONVK_LOAD_(own), 0));
      }
    } else {
      CONVK_EACH_(p, count) CONVK_STREAM_(to + (size_t)(p / vectors) * pitch + (size_t)(p % vectors) * apart, sum[p]);
    }
    return;
  }
  CONVK_EACH_(p, count) CONVK_STORE_(to + (size_t)(p / vectors) * pitch + (size_t)(p % vectors) * apart, sum[p]);
}

/* `rows` rows of so many vectors. */
CONVK_INLINE_ void convk_grids_strip_(const convk_grids_product_ *part, const convk_grids_spot_ *at, CONVK_T *to, size_t pitch,
                                      int ready, const int rows, size_t vectors) {
  if (CONVK_GRIDS_VECTORS_ > 2 && vectors > 2) convk_grids_tile_(part, at, to, pitch, ready, rows, 3);
  else if (vectors > 1) convk_grids_tile_(part, at, to, pitch, ready, rows, 2);
  else convk_grids_tile_(part, at, to, pitch, ready, rows, 1);
}

/* Weights times panels, tile by tile: see convk_grids_product_. */
static void convk_grids_multiply_(const convk_grids_product_ *part) {
  enum { most_ = CONVK_GRIDS_ROWS_, half_ = CONVK_GRIDS_HALF_ROWS_, block_ = CONVK_GRIDS_BLOCK_ };
  const size_t lists = part->together ? CONVK_GRIDS_LISTS_ : 1, each = part->pairs && !part->squares ? 2 : 1;
  const size_t step = part->pairs ? most_ / 2 : most_;
  convk_grids_spot_ at;
  CONVK_V kept[24];
  size_t b, r, i, n, strip;
  for (b = 0; b * block_ < part->rows; b++)
    for (r = 0; r < block_ && b * block_ + r < part->rows; r += step)
      for (i = strip = 0; i < part->n; i += n, strip++) {
        const size_t left = part->rows - b * block_ - r, list = part->together ? strip / part->together : 0;
        const size_t rows = part->pairs ? step : left > half_ ? most_ : left > 1 ? half_ : 1;
        CONVK_T *const out = part->out + (b * block_ + r) * part->pitch + each * i;
        size_t vectors, pitch;
        int ready, direct;
        n = i || !part->head ? CONVK_GRIDS_STRIP_ : part->head;
        if (n > part->n - i) n = part->n - i;
        vectors = (n + CONVK_LANES - 1) / CONVK_LANES;
        at.list = part->list + b * part->list_block + list * part->list_strip;
        at.count = part->counts[b * lists + list];
        at.w = b * part->w_block + r;
        at.panel = strip * part->total * CONVK_GRIDS_STRIP_;
        at.stream = part->stream && i >= part->head;
        ready = part->squares || part->pairs || at.stream;
        direct = n == vectors * CONVK_LANES && left >= rows && (!ready || (!CONVK_TERSE_ && rows >= step));
        ready = ready && direct;
        pitch = direct ? part->pitch : vectors * CONVK_LANES;
        if (rows >= step) convk_grids_strip_(part, &at, direct ? out : (CONVK_T *)kept, pitch, ready, most_, vectors);
        else if (left > 1) convk_grids_strip_(part, &at, direct ? out : (CONVK_T *)kept, pitch, 0, half_, vectors);
        else convk_grids_strip_(part, &at, direct ? out : (CONVK_T *)kept, pitch, 0, 1, vectors);
        if (!direct)
          convk_grids_leave_(part, out, kept, part->pairs ? step * vectors : 0, left < rows ? left : rows, vectors,
                             n - (vectors - 1) * CONVK_LANES, at.stream);
      }
  CONVK_LEAVE_
}


/* One vector of an array of a density: what is there, and back. */
CONVK_INLINE_ CONVK_V convk_grids_load_(const convk_grids_squares_ *part, int d, size_t at, size_t k) {
  return part->out[d] && !part->first ? convk_grids_value_(part->out[d] + at, k) : CONVK_SET_(0);
}
CONVK_INLINE_ void convk_grids_store_(const convk_grids_squares_ *part, int d, size_t at, size_t k, CONVK_V sum) {
  if (!part->out[d]) return;
  if (k < CONVK_LANES) CONVK_STOREK_(part->out[d] + at, sum, k);
  else CONVK_STORE_(part->out[d] + at, sum);
}
CONVK_INLINE_ void convk_grids_square_(const convk_grids_squares_ *part, const CONVK_T *from, size_t at, const size_t k) {
  const CONVK_V weight = CONVK_SET_(part->weight), value = convk_grids_value_(from, k);
  CONVK_V twice, squares = CONVK_SET_(0);
  int d;
  convk_grids_store_(part, 0, at, k, convk_gaussian_add_square_(weight, value, convk_grids_load_(part, 0, at, k)));
  if (!part->apart) return;
  twice = CONVK_MUL_(CONVK_ADD_(weight, weight), convk_gaussian_large_(value));
  for (d = 1; d < 4; d++) {
    CONVK_V sum = convk_grids_load_(part, d, at, k);
    convk_grids_add_slope_(twice, convk_grids_value_(from + (size_t)d * part->apart, k), &sum, &squares);
    convk_grids_store_(part, d, at, k, sum);
  }
  twice = CONVK_MUL_(CONVK_SET_((CONVK_T)0.5), weight);
  convk_grids_store_(part, 4, at, k, CONVK_FMA_(twice, squares, convk_grids_load_(part, 4, at, k)));
}

/* The last k elements of a row. */
CONVK_RARE_ void convk_grids_last_square_(const convk_grids_squares_ *part, const CONVK_T *from, size_t at, size_t k) {
  convk_grids_square_(part, from, at, k);
}

static void convk_grids_add_squares_(const convk_grids_squares_ *part) {
  size_t i, r;
  for (r = 0; r < part->rows; r++) {
    const CONVK_T *const from = part->value + r * part->from_pitch;
    for (i = 0; i + CONVK_LANES <= part->n; i += CONVK_LANES)
      convk_grids_square_(part, from + i, r * part->pitch + i, CONVK_LANES);
    if (i < part->n) convk_grids_last_square_(part, from + i, r * part->pitch + i, part->n - i);
  }
  CONVK_LEAVE_
}

#include "grids/bloch_kernel.h"

#if CONVK_HAS_CELLS_
CONVK_LOCAL_ const convk_cells_kernels_ *convk_cells_kernel_table_(void);
#define CONVK_GRIDS_CELLS_ convk_cells_kernel_table_
#else
#define CONVK_GRIDS_CELLS_ NULL
#endif
static const convk_grids_kernels_ convk_grids_table_ = {CONVK_FUSES_,
                                                        convk_gaussian_are_finite_,
                                                        convk_gaussian_exponentials_,
                                                        convk_gaussian_fence_,
                                                        CONVK_GRIDS_CELLS_,
                                                        CONVK_GRIDS_STRIP_,
                                                        CONVK_GRIDS_BLOCK_,
                                                        convk_grids_weigh_,
                                                        convk_grids_multiply_,
                                                        convk_grids_add_squares_,
                                                        NULL,
                                                        convk_bloch_weigh_};
#undef CONVK_GRIDS_CELLS_
CONVK_LOCAL_ const convk_grids_kernels_ *convk_grids_kernel_table_(void) { return &convk_grids_table_; }
