/* ---- Bloch sums on regular grids: complex weights ---- */

/* Which factors of an image's phase and of terms are complex: those along y and z; and how far behind terms their imaginary
   parts are, 0: there are none. */
typedef struct convk_bloch_parts_ {
  int turned_y, turned_z;
  ptrdiff_t imag;
} convk_bloch_parts_;

/* Adds a term at t, whose table along z begins at `at`, to the real and the imaginary sum along z. */
CONVK_INLINE_ void convk_bloch_add_term_(const convk_grids_origin_ *e, const convk_bloch_parts_ *is, const convk_any_ *t,
                                         const CONVK_T *at, CONVK_V *real, CONVK_V *imag) {
  const CONVK_V term = CONVK_SET_(*t), own = CONVK_SET_(at[0]);
  *real = CONVK_FMA_(term, own, *real);
  if (is->turned_z) *imag = CONVK_FMA_(term, CONVK_SET_(at[e->z_apart]), *imag);
  if (!is->imag) return;
  *imag = CONVK_FMA_(CONVK_SET_(t[is->imag]), own, *imag);
  if (is->turned_z) *real = CONVK_FNMA_(CONVK_SET_(t[is->imag]), CONVK_SET_(at[e->z_apart]), *real);
}

/* Adds such sums of y^b, whose table begins at `at`, to the weights of one vector of rows. */
CONVK_INLINE_ void convk_bloch_add_power_(const convk_grids_origin_ *e, const convk_bloch_parts_ *is, CONVK_V real_part,
                                          CONVK_V imag_part, const CONVK_T *at, CONVK_V *real, CONVK_V *imag) {
  CONVK_V own = CONVK_LOAD_(at);
  *real = CONVK_FMA_(real_part, own, *real);
  *imag = CONVK_FMA_(imag_part, own, *imag);
  if (!is->turned_y) return;
  own = CONVK_LOAD_(at + e->y_apart);
  *real = CONVK_FNMA_(imag_part, own, *real);
  *imag = CONVK_FMA_(real_part, own, *imag);
}

/* Stores weights at w, real parts, imaginary ones, and these times -1: 0 in rows whose ey times exz is below the cutoff. */
CONVK_INLINE_ void convk_bloch_put_weights_(const convk_grids_origin_ *e, const CONVK_T *ey, CONVK_V real, CONVK_V imag,
                                            CONVK_T *w, CONVK_V cut, CONVK_V exz) {
  const CONVK_V zero = CONVK_SET_(0), own = CONVK_MUL_(CONVK_LOAD_(ey), exz);
  imag = CONVK_LESS_(own, cut, zero, imag);
  CONVK_STORE_(w, CONVK_LESS_(own, cut, zero, real));
  CONVK_STORE_(w + e->apart, imag);
  CONVK_STORE_(w + 2 * e->apart, CONVK_SUB_(zero, imag));
}

/* Weights w of the table x^i of one entry, real and imaginary parts; else as convk_grids_power_. */
CONVK_INLINE_ void convk_bloch_power_(const convk_grids_origin_ *e, const convk_bloch_parts_ *is, const convk_any_ *t,
                                      CONVK_T *w, CONVK_V cut, CONVK_V exz, const int m) {
  enum { block_ = CONVK_GRIDS_BLOCK_ };
  CONVK_V v[2][CONVK_SHELL_MAX_L + 1], real, imag;
  size_t r, h;
  int b, c;
  for (b = 0; b <= m; b++) {
    real = imag = CONVK_SET_(0);
    for (c = 0; c <= m - b; c++, t++) convk_bloch_add_term_(e, is, t, e->z + (size_t)c * e->z_count, &real, &imag);
    v[0][b] = real;
    v[1][b] = imag;
  }
  for (r = 0; r < e->rows; r += block_, w += e->step)
    for (h = 0; h < block_; h += CONVK_LANES) {
      const CONVK_T *at = e->y + r + h;
      real = imag = CONVK_SET_(0);
      for (b = 0; b <= m; b++, at += e->y_count) convk_bloch_add_power_(e, is, v[0][b], v[1][b], at, &real, &imag);
      convk_bloch_put_weights_(e, e->ey + r + h, real, imag, w + h, cut, exz);
    }
}

/* Weights of the tables x^0 .. x^l of one entry.  product: the tile's largest exponential along x times that along z. */
CONVK_INLINE_ void convk_bloch_weights_of_(const convk_grids_weights_ *part, const convk_grids_entry_ *e, const CONVK_T *z,
                                           CONVK_T product, const convk_bloch_parts_ *is) {
  enum { block_ = CONVK_GRIDS_BLOCK_ };
  const convk_grids_origin_ from = convk_grids_origin_of_(part, e, z, e->y + (is->turned_y ? 2 * e->y_apart : 0), 0);
  const CONVK_V cut = CONVK_SET_(part->cut), exz = CONVK_SET_(product);
  const convk_any_ *t = part->terms + e->terms;
  CONVK_T *w = from.w;
  int m;
  for (m = (int)e->l; m >= 0; m--) {
    convk_bloch_power_(&from, is, t, w, cut, exz, m);
    t += (m + 1) * (m + 2) / 2;
    w += block_;
  }
}

static void convk_bloch_weigh_(const convk_grids_weights_ *part) {
  convk_bloch_parts_ is;
  size_t i;
  is.turned_y = part->turned_y;
  is.turned_z = part->turned_z;
  is.imag = part->imag ? part->imag - part->terms : 0;
  for (i = 0; i < part->count; i++) {
    const convk_grids_entry_ *const e = &part->entry[i];
    const size_t ez_apart = is.turned_z ? 2 * e->z_apart : 0;
    const CONVK_T *const z = convk_grids_reached_(part, e, ez_apart);
    if (z) convk_bloch_weights_of_(part, e, z, z[ez_apart] * e->ex, &is);
  }
  if (!part->again) convk_grids_list_(part);
  CONVK_LEAVE_
}
