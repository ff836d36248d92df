/* ---- predefined potentials, in K and Angstrom ---- */

/* An HFD potential without a bump. */
CONVK_RARE_ convk_pair_potential convk_hfd_(double epsilon, double rm, double a, double alpha, double beta, double c6,
                                            double c8, double c10, double d) {
  const convk_pair_potential p = {CONVK_POTENTIAL_HFD, epsilon, rm, a, alpha, beta, c6, c8, c10, d, 0, 0, 0, NULL, 0, 0, 0};
  return p;
}

CONVK_API_ convk_pair_potential convk_pair_hfdhe2(void) {
  return convk_hfd_(10.8, 2.9673, 544850.4, 13.353384, 0, 1.3732412, 0.4253785, 0.178100, 1.241314);
}
CONVK_API_ convk_pair_potential convk_pair_hfdb(void) {
  return convk_hfd_(10.948, 2.963, 184431.01, 10.43329537, -2.27965105, 1.36745214, 0.42123807, 0.17473318, 1.4826);
}
CONVK_API_ convk_pair_potential convk_pair_lm2m2(void) {
  convk_pair_potential p =
      convk_hfd_(10.97, 2.9695, 189635.353, 10.70203539, -1.90740649, 1.34687065, 0.41308398, 0.17060159, 1.4088);
  p.bump = 0.0026;
  p.x1 = 1.003535949;
  p.x2 = 1.454790369;
  return p;
}
CONVK_API_ convk_pair_potential convk_pair_lennard_jones(double epsilon, double sigma) {
  const convk_pair_potential p = {CONVK_POTENTIAL_LENNARD_JONES, epsilon, sigma, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0, 0};
  return p;
}
CONVK_API_ convk_pair_potential convk_pair_table(double first, double spacing, size_t entries, const double *values) {
  const convk_pair_potential p = {CONVK_POTENTIAL_TABLE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, values, entries, first, spacing};
  return p;
}
