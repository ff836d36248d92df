/* ---- atoms: checks ---- */

/* Checks atoms; all: coordinates, kinds and weights, too, where the rest is right. */
CONVK_RARE_ int convk_atoms_check_(char *message, const convk_atoms *atoms, size_t kinds, int all) {
  static const char *const names[4] = {"atoms->x", "atoms->y", "atoms->z", "atoms->weight"};
  const CONVK_T *array[4];
  size_t frames, stride, span, bytes, i, f, d;
  if (!atoms) return convk_need_(message, "atoms", atoms);
  frames = atoms->frames ? atoms->frames : 1;
  stride = atoms->stride ? atoms->stride : atoms->n;
  array[0] = atoms->x;
  array[1] = atoms->y;
  array[2] = atoms->z;
  array[3] = atoms->weight;
  for (d = 0; d < 3 && atoms->n && all; d++)
    if (!array[d]) return convk_need_(message, names[d], array[d]);
  if (atoms->n >= (size_t)1 << 31 || convk_mul_(frames - 1, stride, &span) || span > (size_t)-1 / 2 ||
      convk_bytes_(span + atoms->n, sizeof(CONVK_T), &bytes) || frames > (size_t)1 << 31)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "atoms->n or frames is too large");
  if (stride < atoms->n && frames > 1)
    return convk_refuse_at_(message, CONVK_ERR_SIZE, "atoms->stride is %, less than n = %", (int64_t)stride, (int64_t)atoms->n,
                            0);
  for (i = 0; i < atoms->n && atoms->kind && all; i++)
    if (((const convk_any_u32_ *)atoms->kind)[i] >= kinds)
      return convk_refuse_at_(message, CONVK_ERR_KIND, "atoms->kind[%] is %, and there are % kinds", (int64_t)i,
                              (int64_t)((const convk_any_u32_ *)atoms->kind)[i], (int64_t)kinds);
  for (d = 0; d < 4 && all; d++)
    for (f = 0; f < (d < 3 ? frames : array[3] != NULL); f++)
      for (i = 0; i < atoms->n; i++) {
        const double x = (double)CONVK_ONE_(array[d] + f * stride + i);
        if (!convk_finite_f64_(x))
          return convk_refuse_of_(message, d < 3 ? CONVK_ERR_COORDINATE : CONVK_ERR_NONFINITE, "$[%] is not finite", names[d],
                                  (int64_t)(f * stride + i), 0);
        if (x > 1e140 || x < -1e140)
          return convk_refuse_of_(message, CONVK_ERR_RANGE, "$[%] is beyond 1e140", names[d], (int64_t)(f * stride + i), 0);
      }
  return CONVK_OK;
}

/* Their arrays, as places that are read. */
CONVK_RARE_ size_t convk_atoms_places_(const convk_atoms *atoms, convk_place_ *place) {
  const size_t frames = atoms->frames ? atoms->frames : 1, stride = atoms->stride ? atoms->stride : atoms->n;
  const size_t n = ((frames - 1) * stride + atoms->n) * sizeof(CONVK_T);
  place[0] = convk_place_of_("atoms->x", atoms->x, n, CONVK_PLACE_OPTIONAL_);
  place[1] = convk_place_of_("atoms->y", atoms->y, n, CONVK_PLACE_OPTIONAL_);
  place[2] = convk_place_of_("atoms->z", atoms->z, n, CONVK_PLACE_OPTIONAL_);
  place[3] = convk_place_of_("atoms->kind", atoms->kind, atoms->n * sizeof *atoms->kind, CONVK_PLACE_OPTIONAL_);
  place[4] = convk_place_of_("atoms->weight", atoms->weight, atoms->n * sizeof(CONVK_T), CONVK_PLACE_OPTIONAL_);
  return 5;
}
