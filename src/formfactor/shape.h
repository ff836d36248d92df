/* What of the options can be wrong by itself. */
CONVK_RARE_ int convk_form_option_(const convk_formfactor_options *options) {
  int order;
  if (!options) return CONVK_OK;
  order = options->order ? options->order : options->fourth_order ? 2 : 0;
  if (options->form < CONVK_FORM_AUTO || options->form > CONVK_FORM_EXACT || (options->fourth_order & ~1) ||
      (order && options->form == CONVK_FORM_EXACT) || (options->fourth_order && order != 2))
    return CONVK_ERR_OPTION;
  return order == 0 || order == 2 || order == 4 || order == 8 || order == 12 ? CONVK_OK : CONVK_ERR_OPTION;
}

/* What a triangle counts by: its centroid (order 0), a series of an order about it, or CONVK_FORM_FITTED_: what each q needs so that
   the error stays below `tolerance`. */
typedef struct convk_form_rule_ {
  int order, corners; /* whether corners are needed */
  int full;           /* whether all components of q may be complex */
  double tolerance;
} convk_form_rule_;

/* What EXACT leaves of F(0): less than roundings do. */
CONVK_LOCAL_ double convk_form_eps_(size_t element) {
  return element == sizeof(float) ? 1.0 / 8388608 : 1.0 / 2251799813685248.;
}

/* The rule for options that are right.  corners: whether the mesh has them; full: whether qx or qy have imaginary
   parts. */
CONVK_LOCAL_ convk_form_rule_ convk_form_rule_of_(const convk_formfactor_options *options, int corners, int full, double eps) {
  convk_form_rule_ rule = {0, 0, 0, 0};
  const int form = options ? options->form : CONVK_FORM_AUTO;
  rule.full = full;
  if (options) rule.order = options->order ? options->order : options->fourth_order ? 2 : 0;
  if (form == CONVK_FORM_EXACT) {
    rule.order = CONVK_FORM_FITTED_;
    rule.tolerance = eps;
  } else if (form == CONVK_FORM_AUTO && !rule.order && corners) {
    rule.order = CONVK_FORM_FITTED_;
    rule.tolerance = CONVK_FORM_TOLERANCE_;
  } else if (rule.full && rule.order < 4) {
    rule.order = 4;
  }
  rule.corners = rule.order != 0;
  return rule;
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
  double volume, gap[3], extent, edge, limit; /* the last two: see form_order */
  int closed, least;
} convk_form_body_;

CONVK_LOCAL_ convk_form_body_ convk_form_body_of_(const convk_mesh_measures *m, const convk_form_rule_ *rule) {
  convk_form_body_ body = {0, {0, 0, 0}, 0, 0, 0, 0, 0};
  const double volume = m->volume < 0 ? -m->volume : m->volume;
  int d;
  body.volume = m->volume;
  for (d = 0; d < 3; d++) {
    body.gap[d] = m->gap[d];
    body.extent += m->most[d] - m->least[d];
  }
  body.closed = m->closed;
  body.edge = m->edge;
  body.least = rule->full ? 4 : rule->tolerance < CONVK_FORM_TOLERANCE_ ? 2 : 0;
  body.limit = rule->tolerance / 6; /* an open surface as that of a body as large as the edge */
  if (m->closed && m->area * m->edge > 0) body.limit = rule->tolerance * (volume / (m->area * m->edge));
  return body;
}

CONVK_API_ double convk_formfactor_error(const convk_mesh_measures *measures, double q, int order) {
  static const double lost[5] = {0.0278, 3.2e-3, 2.2e-6, 3.3e-11, 1.5e-16};
  static const int orders[5] = {0, 2, 4, 8, 12}, power[5] = {1, 2, 5, 9, 13}; /* as in form_order */
  const convk_form_rule_ rule = {0, 0, 0, 1};
  double error = 0;
  int k, i;
  for (k = 0; k < 5 && orders[k] != order;) k++;
  if (!measures || k == 5) return -1;
  error = lost[k] / convk_form_body_of_(measures, &rule).limit;
  for (i = 0; i < power[k]; i++) error *= (q < 0 ? -q : q) * measures->edge;
  return error;
}

/* In what unit of length a grid of fourth order takes the lanes' axis: a power of two, about the mesh's size; without it 1. */
CONVK_RARE_ double convk_form_unit_(const convk_form_body_ *body, double area, size_t element, int fourth_order) {
  const double most = element == sizeof(double) ? 1e153 : 1e18;
  const double square = body->extent * body->extent + area;
  double unit = 1;
  if (!fourth_order) return unit;
  while (unit * unit < square && unit < most) unit *= 2;
  while (unit * unit > 4 * square && square > 0 && unit * most > 1) unit /= 2;
  return unit;
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
