/* ---- predefined potentials, in K and Angstrom ---- */

/* In the order of the struct: kind; epsilon, rm, a, alpha, beta, c6, c8, c10, d; bump, x1, x2; a table's. */
CONVK_API_ convk_pair_potential convk_hfdhe2(void) {
  const convk_pair_potential p = {CONVK_POTENTIAL_HFD,
                                  10.8,
                                  2.9673,
                                  544850.4,
                                  13.353384,
                                  0,
                                  1.3732412,
                                  0.4253785,
                                  0.178100,
                                  1.241314,
                                  0,
                                  0,
                                  0,
                                  NULL,
                                  0,
                                  0,
                                  0};
  return p;
}
CONVK_API_ convk_pair_potential convk_hfdb(void) {
  const convk_pair_potential p = {CONVK_POTENTIAL_HFD,
                                  10.948,
                                  2.963,
                                  184431.01,
                                  10.43329537,
                                  -2.27965105,
                                  1.36745214,
                                  0.42123807,
                                  0.17473318,
                                  1.4826,
                                  0,
                                  0,
                                  0,
                                  NULL,
                                  0,
                                  0,
                                  0};
  return p;
}
CONVK_API_ convk_pair_potential convk_lm2m2(void) {
  const convk_pair_potential p = {CONVK_POTENTIAL_HFD,
                                  10.97,
                                  2.9695,
                                  189635.353,
                                  10.70203539,
                                  -1.90740649,
                                  1.34687065,
                                  0.41308398,
                                  0.17060159,
                                  1.4088,
                                  0.0026,
                                  1.003535949,
                                  1.454790369,
                                  NULL,
                                  0,
                                  0,
                                  0};
  return p;
}
CONVK_API_ convk_pair_potential convk_lennard_jones(double epsilon, double sigma) {
  const convk_pair_potential p = {CONVK_POTENTIAL_LENNARD_JONES, epsilon, sigma, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0, 0};
  return p;
}
CONVK_API_ convk_pair_potential convk_table_potential(double first, double spacing, size_t entries, const double *values) {
  const convk_pair_potential p = {CONVK_POTENTIAL_TABLE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, values, entries, first, spacing};
  return p;
}
