/* ---- one pair of atoms, in doubles: CUDA, which has a text for each precision, has it with that of doubles ---- */
#if CONVK_IS_KERNEL_ || defined CONVK_GLOBAL_ || CONVK_EITHER_(0, 1)
/* The squared distance of an atom at `at` from those at x, y, z and a shift, and the distance. */
CONVK_ELEMENT_ CONVK_D convk_distances_square_(const CONVK_D *at, const CONVK_D *shift, CONVK_D x, CONVK_D y, CONVK_D z) {
  x = CONVK_DSUB_(CONVK_DSUB_(at[0], x), shift[0]);
  y = CONVK_DSUB_(CONVK_DSUB_(at[1], y), shift[1]);
  z = CONVK_DSUB_(CONVK_DSUB_(at[2], z), shift[2]);
  return CONVK_DADD_(CONVK_DADD_(CONVK_DMUL_(x, x), CONVK_DMUL_(y, y)), CONVK_DMUL_(z, z));
}
CONVK_ELEMENT_ CONVK_D convk_distances_from_(const CONVK_D *at, const CONVK_D *shift, CONVK_D x, CONVK_D y, CONVK_D z) {
  return CONVK_DROOT_(convk_distances_square_(at, shift, x, y, z));
}

/* The number 2^52 + X, whose last bits are X = k 2^20 + f: bin k and place f of a distance. */
CONVK_ELEMENT_ CONVK_D convk_distances_place_(CONVK_D r, CONVK_D scale) {
  return CONVK_DADD_(CONVK_DMUL_(r, scale), CONVK_DSET_(4503599627370496.));
}
#endif
