/* A call of formfactor or formfactor_grid as it is tuned: a mesh and vectors q of no meaning.  *result: the output. */
CONVK_RARE_ int convk_trial_form_run_(convk_trial_ *t, void **result) {
  const size_t n = t->triangles, list = t->what->which == 0, nq = list ? t->entry.ny : 0;
  CONVK_T *in = (CONVK_T *)t->array[0], *q = in + 6 * n, *out = (CONVK_T *)t->array[1];
  convk_mesh mesh;
  convk_grid3 grid;
  convk_q vectors;
  size_t need = 0;
  int status = convk_mesh_assign(&t->hw, n, 0, in, &mesh);
  *result = out;
  grid = t->shape.grid;
  grid.pitch_y = grid.pitch_z = 0;
  memset(&vectors, 0, sizeof vectors);
  vectors.n = nq;
  vectors.x = q;
  vectors.y = q + (list ? nq : grid.nx);
  vectors.z = vectors.y + (list ? nq : grid.ny);
  if (!status && list) return convk_formfactor(&t->hw, &mesh, &vectors, NULL, out);
  if (!status) status = convk_formfactor_grid_work_size(&t->hw, &grid, &vectors, &need);
  if (!status) status = convk_trial_work_(t, need);
  if (!status) status = convk_formfactor_grid(&t->hw, &mesh, &grid, &vectors, NULL, out, t->work, t->work_size);
  return status;
}

CONVK_ACROSS_ int convk_trial_form_(convk_trial_ *t) {
  const size_t limit = (size_t)1 << 28, list = t->what->which == 0;
  const convk_grid3 *g = &t->shape.grid;
  if (list) t->entry.nz = 1;
  t->triangles = list ? g->nx : t->shape.triangles ? t->shape.triangles : 4096;
  if (!g->nx || !g->ny || !t->entry.nz) return CONVK_ERR_SIZE;
  if (g->nx > limit || g->ny > limit / g->nx || t->entry.nz > limit / g->nx / g->ny || t->triangles > limit)
    return CONVK_ERR_OVERFLOW;
  t->bytes = 2 * (list ? g->ny : g->nx * g->ny * g->nz) + 6 * t->triangles + 3 * (g->nx + g->ny + t->entry.nz);
  t->bytes *= sizeof(CONVK_T);
  t->fill = convk_trial_fill_;
  t->run = convk_trial_form_run_;
  return CONVK_OK;
}
