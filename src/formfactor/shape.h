/* What of the options can be wrong by itself. */
CONVK_RARE_ int convk_form_option_(const convk_formfactor_options *options) {
  if (!options) return CONVK_OK;
  return options->form < CONVK_FORM_AUTO || options->form > CONVK_FORM_OPEN || (options->fourth_order & ~1) ? CONVK_ERR_OPTION
                                                                                                            : CONVK_OK;
}

/* The form that is taken: measures->closed tells. */
CONVK_LOCAL_ int convk_form_choose_(const convk_formfactor_options *options, convk_mesh_measures *measures) {
  const int form = options ? options->form : CONVK_FORM_AUTO;
  if (form == CONVK_FORM_CLOSED && !measures->closed) return CONVK_ERR_OPEN_MESH;
  if (form == CONVK_FORM_OPEN) measures->closed = 0;
  return CONVK_OK;
}

/* What F takes of a mesh.  extent: of its box, summed over the axes. */
typedef struct convk_form_body_ {
  double volume, gap[3], extent;
  int closed;
} convk_form_body_;

CONVK_LOCAL_ convk_form_body_ convk_form_body_of_(const convk_mesh_measures *m) {
  convk_form_body_ body = {0, {0, 0, 0}, 0, 0};
  int d;
  body.volume = m->volume;
  for (d = 0; d < 3; d++) {
    body.gap[d] = m->gap[d];
    body.extent += m->most[d] - m->least[d];
  }
  body.closed = m->closed;
  return body;
}

/* A tensor grid by its axes: that of the lanes, then those of the rows. */
typedef struct convk_form_axes_ {
  int axis[3], z;         /* which of x, y, z they are; which of them is complex, 3: none */
  size_t n[3], stride[3]; /* values; of f, in complex elements */
  size_t rows, nq;
} convk_form_axes_;

/* The sizes choose the lanes' axis: the longest, but the complex one.  Nothing else here changes a result. */
CONVK_LOCAL_ int convk_form_axes_of_(const convk_grid3 *full, int imag, convk_form_axes_ *axes) {
  const size_t n[3] = {full->nx, full->ny, full->nz}, stride[3] = {1, full->pitch_y, full->pitch_z};
  int lane = n[1] > n[0] ? 1 : 0, d;
  if (!imag && n[2] > n[lane]) lane = 2;
  axes->axis[0] = lane;
  axes->axis[1] = lane == 0 ? 1 : 0;
  axes->axis[2] = lane == 2 ? 1 : 2;
  axes->z = 3;
  for (d = 0; d < 3; d++) {
    axes->n[d] = n[axes->axis[d]];
    axes->stride[d] = stride[axes->axis[d]];
    if (imag && axes->axis[d] == 2) axes->z = d;
  }
  return convk_mul_(axes->n[1], axes->n[2], &axes->rows) || convk_mul_(axes->rows, axes->n[0], &axes->nq) ? CONVK_ERR_OVERFLOW
                                                                                                          : CONVK_OK;
}
