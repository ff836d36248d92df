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

/* sin(pi t) and cos(pi t): with n the integer next to t and f = t - n they are (-1)^n times those of f, |f| <= 1/2, by their
   series.  (-1)^n = 1 - 8 p^2 for p = n / 2 less the integer next to it. */
CONVK_ELEMENT_ void convk_distances_half_turns_(CONVK_D t, CONVK_D *s, CONVK_D *c, const int second) {
  CONVK_CONSTANT_ double sine[11] = {3.141592653589793,       -5.16771278004997,       2.5501640398773455,
                                     -0.5992645293207921,     0.08214588661112823,     -0.0073704309457143504,
                                     0.00046630280576761255,  -2.1915353447830217e-05, 7.952054001475513e-07,
                                     -2.2948428997269873e-08, 5.392664662608129e-10};
  CONVK_CONSTANT_ double cosine[12] = {1.00000000000000,        -4.934802200544679,     4.0587121264167685,
                                       -1.3352627688545895,     0.2353306303588932,     -0.02580689139001406,
                                       0.0019295743094039231,   -0.0001046381049248457, 4.303069587032947e-06,
                                       -1.3878952462213771e-07, 3.604730797462501e-09,  -7.700707130601354e-11};
  const CONVK_D round = CONVK_DSET_(6755399441055744.); /* 1.5 2^52 */
  const CONVK_D n = CONVK_DSUB_(CONVK_DADD_(t, round), round), f = CONVK_DSUB_(t, n), z = CONVK_DMUL_(f, f);
  const CONVK_D halved = CONVK_DMUL_(n, CONVK_DSET_(0.5)),
                p = CONVK_DSUB_(halved, CONVK_DSUB_(CONVK_DADD_(halved, round), round));
  const CONVK_D sign = CONVK_DSUB_(CONVK_DSET_(1), CONVK_DMUL_(CONVK_DSET_(8), CONVK_DMUL_(p, p)));
  CONVK_D sum = CONVK_DSET_(sine[10]);
  int k;
  CONVK_UNROLL_
  for (k = 9; k >= 0; k--) sum = CONVK_DFMA_(z, sum, CONVK_DSET_(sine[k]));
  *s = CONVK_DMUL_(CONVK_DMUL_(f, sign), sum);
  if (!second) return;
  sum = CONVK_DSET_(cosine[11]);
  CONVK_UNROLL_
  for (k = 10; k >= 0; k--) sum = CONVK_DFMA_(z, sum, CONVK_DSET_(cosine[k]));
  *c = CONVK_DMUL_(sign, sum);
}
#endif
