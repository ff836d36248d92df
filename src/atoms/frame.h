/* ---- atoms: cells and scatterers, in doubles ---- */

CONVK_LOCAL_ void convk_cell_cross_(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* v over its length, which is returned. */
CONVK_LOCAL_ double convk_cell_unit_(double *v) {
  const double size = convk_sqrt_(convk_cell_dot_(v, v));
  int d;
  for (d = 0; d < 3 && size > 0; d++) v[d] /= size;
  return size;
}

/* Directions of axes that are not periodic: at right angles to those that are, and to each other. */
CONVK_RARE_ void convk_cell_open_axes_(const int periodic[3], double unit[3][3]) {
  int known[3], count = 0, k, d, least = 0;
  for (k = 0; k < 3; k++)
    if (periodic[k]) known[count++] = k;
  for (k = 0; k < 3; k++) {
    const double *const u = unit[known[0]];
    double e[3] = {0, 0, 0};
    if (periodic[k]) continue;
    if (count == 1)
      for (d = least = 0; d < 3; d++)
        if (u[d] * u[d] < u[least] * u[least]) least = d;
    e[count ? least : k] = 1;
    if (!count) memcpy(unit[k], e, sizeof e);
    else convk_cell_cross_(u, count == 1 ? e : unit[known[1]], unit[k]);
    (void)convk_cell_unit_(unit[k]);
    known[count++] = k;
  }
}

/* Fills in the frame of a cell, or of none. */
CONVK_RARE_ int convk_cell_axes_of_(char *message, const convk_cell *cell, convk_cell_axes_ *to) {
  static const char *const names[3] = {"a", "b", "c"};
  double unit[3][3], size[3] = {1, 1, 1}, cross[3], volume;
  int k, d;
  memset(to, 0, sizeof *to);
  memset(unit, 0, sizeof unit);
  for (k = 0; k < 3 && cell; k++) {
    const double *const v = k == 0 ? cell->a : k == 1 ? cell->b : cell->c;
    double most = 0;
    for (d = 0; d < 3; d++) {
      if (!convk_finite_f64_(v[d]))
        return convk_refuse_names_(message, CONVK_ERR_NONFINITE, "cell->$ is not finite", names[k], NULL);
      most = v[d] > most ? v[d] : -v[d] > most ? -v[d] : most;
    }
    if (most > 1e140 || (most > 0 && most < 1e-140))
      return convk_refuse_names_(message, CONVK_ERR_RANGE, "cell->$ is longer than 1e140, or shorter than 1e-140", names[k],
                                 NULL);
    if (!(most > 0)) continue;
    to->periodic[k] = to->any = 1;
    memcpy(to->axis[k], v, sizeof to->axis[k]);
    memcpy(unit[k], v, sizeof unit[k]);
    size[k] = convk_cell_unit_(unit[k]);
  }
  convk_cell_open_axes_(to->periodic, unit);
  convk_cell_cross_(unit[1], unit[2], cross);
  volume = convk_cell_dot_(unit[0], cross);
  if (volume > -9.3132257461547852e-10 && volume < 9.3132257461547852e-10) /* 2^-30: the sine of an angle that counts as none */
    return convk_refuse_(message, CONVK_ERR_CELL, "vectors of cell lie along one line or in one plane");
  for (k = 0; k < 3; k++) {
    convk_cell_cross_(unit[(k + 1) % 3], unit[(k + 2) % 3], cross);
    for (d = 0; d < 3; d++) to->inverse[k][d] = cross[d] / volume / size[k];
    to->height[k] = 1 / convk_sqrt_(convk_cell_dot_(to->inverse[k], to->inverse[k]));
  }
  return CONVK_OK;
}

/* ---- scatterers ---- */

/* Checks scatterers, `kinds` of them. */
CONVK_RARE_ int convk_scatterers_check_(char *message, const convk_scatterer *kinds, size_t n) {
  size_t i;
  int k;
  for (i = 0; i < n && kinds; i++) {
    const convk_scatterer *const s = kinds + i;
    double all = s->c[0] * 0 + s->c[1] * 0 + s->thermal * 0;
    if (s->terms < 0 || s->terms > 6)
      return convk_refuse_at_(message, CONVK_ERR_OPTION, "kinds[%].terms is %, and there are 0 to 6", (int64_t)i, s->terms, 0);
    for (k = 0; k < s->terms; k++) all += s->a[k] * 0 + s->b[k] * 0;
    if (!convk_finite_f64_(all))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "kinds[%] has a number that is not finite", (int64_t)i, 0, 0);
  }
  return CONVK_OK;
}
