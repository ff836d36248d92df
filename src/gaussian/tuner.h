/* A call of gridpot, gridpot_sum or orbitals as it is tuned: nx points, ny exponents or shells, nz sums or orbitals, of no
   meaning.  *result: the output. */
CONVK_RARE_ int convk_trial_gaussian_run_(convk_trial_ *t, void **result) {
  const size_t n = t->entry.nx, m = t->entry.ny, k = t->entry.nz;
  CONVK_T *in = (CONVK_T *)t->array[0], *out = (CONVK_T *)t->array[1];
  convk_points points;
  convk_gaussians gaussians;
  points.n = n;
  points.x = in;
  points.y = in + n;
  points.z = in + 2 * n;
  points.stride = 1;
  *result = out;
  memset(&gaussians, 0, sizeof gaussians);
  gaussians.n = m;
  gaussians.alpha = in + 3 * n;
  if (t->what->which == 0) return convk_gridpot(&t->hw, &points, &gaussians, NULL, out, 0);
  gaussians.nsums = k;
  gaussians.coefficients = in + 3 * n + m;
  if (t->what->which == 1) return convk_gridpot_sum(&t->hw, &points, &gaussians, NULL, out, 0);
  { /* s functions of three primitives each */
    static const double exponents[3] = {0.25, 1.5, 9}, coefficients[3] = {0.5, 0.75, 1};
    convk_shell *shells = (convk_shell *)CONVK_MALLOC(m * sizeof *shells);
    convk_orbital_set set;
    size_t i, need = 0;
    int status = CONVK_ERR_MEMORY;
    if (!shells) return status;
    memset(shells, 0, m * sizeof *shells);
    for (i = 0; i < m; i++) {
      shells[i].center[0] = 0.125 * (double)(i % 8);
      shells[i].primitives = 3;
      shells[i].exponents = exponents;
      shells[i].coefficients = coefficients;
    }
    memset(&set, 0, sizeof set);
    set.nshells = m;
    set.shells = shells;
    set.norbitals = k;
    set.coefficients = in + 3 * n;
    status = convk_orbitals_work_size(&t->hw, &set, &need);
    if (!status) status = convk_trial_work_(t, need);
    if (!status) status = convk_orbitals(&t->hw, &points, &set, NULL, out, 0, t->work, t->work_size);
    CONVK_FREE(shells);
    return status;
  }
}

CONVK_ACROSS_ int convk_trial_gaussian_(convk_trial_ *t) {
  const size_t limit = (size_t)1 << 28;
  const convk_grid3 *g = &t->shape.grid;
  if (!g->nz) t->entry.nz = 1;
  if (!g->nx || !g->ny) return CONVK_ERR_SIZE;
  if (g->nx > limit || g->ny > limit / g->nx || t->entry.nz > limit / g->nx || t->entry.nz > limit / g->ny)
    return CONVK_ERR_OVERFLOW;
  t->bytes = g->ny > t->entry.nz ? g->ny : t->entry.nz; /* rows of results at most */
  t->bytes = (g->nx * t->bytes + 3 * g->nx + g->ny * (1 + t->entry.nz)) * sizeof(CONVK_T);
  t->fill = convk_trial_fill_;
  t->run = convk_trial_gaussian_run_;
  t->unit = 16;
  return CONVK_OK;
}
