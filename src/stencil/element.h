/* A point from the weights c, itself and its neighbours: the one order of evaluation. */
CONVK_ELEMENT_ CONVK_V convk_stencil_value_(const CONVK_V *c, CONVK_V m, CONVK_V xm, CONVK_V xp, CONVK_V ym, CONVK_V yp,
                                            CONVK_V zm, CONVK_V zp, const int isotropic) {
  CONVK_V s = CONVK_MUL_(c[0], m);
  if (isotropic) return CONVK_FMA_(c[1], CONVK_ADD_(CONVK_ADD_(CONVK_ADD_(xm, xp), CONVK_ADD_(ym, yp)), CONVK_ADD_(zm, zp)), s);
  s = CONVK_FMA_(c[1], xm, s);
  s = CONVK_FMA_(c[2], xp, s);
  s = CONVK_FMA_(c[3], ym, s);
  s = CONVK_FMA_(c[4], yp, s);
  s = CONVK_FMA_(c[5], zm, s);
  return CONVK_FMA_(c[6], zp, s);
}
