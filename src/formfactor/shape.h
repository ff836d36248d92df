/* ---- why a call is refused ---- */

/* Where it is said, and of which mesh: `of` is its name, as "mesh" or "assembly->mesh[%]", where `number` stands for %; `in`
   leads to its members, as "->" or "->indexed->". */
typedef struct convk_formfactor_about_ {
  char *message; /* NULL: nowhere */
  const char *of, *in;
  size_t number;
} convk_formfactor_about_;

CONVK_LOCAL_ convk_formfactor_about_ convk_formfactor_about_of_(char *message, const char *of, const char *in, size_t number) {
  const convk_formfactor_about_ about = {message, of, in, number};
  return about;
}

/* The faces of that mesh. */
CONVK_LOCAL_ convk_formfactor_about_ convk_formfactor_indexed_(const convk_formfactor_about_ *about) {
  return convk_formfactor_about_of_(about->message, about->of, *about->in == '.' ? ".indexed->" : "->indexed->", about->number);
}

/* The status, after `text` has been said: & is the mesh, @ leads to a member, $ are names, % numbers in turn. */
CONVK_RARE_ int convk_formfactor_refuse_(const convk_formfactor_about_ *about, int status, const char *text, const char *first,
                                         const char *second, size_t a, size_t b) {
  char whole[CONVK_MESSAGE_BYTES_];
  const char *part[2];
  size_t k = 0, i;
  int numbered = 0;
  if (!about->message) return status;
  for (; *text; text++) {
    part[0] = *text == '@' || *text == '&' ? about->of : *text == '$' ? first : NULL;
    part[1] = *text == '@' ? about->in : NULL;
    if (*text == '$') first = second;
    if (!part[0] && k + 1 < sizeof whole) whole[k++] = *text;
    for (i = 0; i < 2; i++)
      for (; part[i] && *part[i] && k + 1 < sizeof whole; part[i]++) {
        if (*part[i] == '%') numbered = 1;
        whole[k++] = *part[i];
      }
  }
  whole[k] = 0;
  return numbered ? convk_refuse_at_(about->message, status, whole, (int64_t)about->number, (int64_t)a, (int64_t)b)
                  : convk_refuse_at_(about->message, status, whole, (int64_t)a, (int64_t)b, 0);
}

/* The arrays of a mesh in their order, as a call names them; and without the mesh. */
CONVK_LOCAL_ const char *convk_mesh_array_(int i) {
  static const char *const names[12] = {"mesh->ax", "mesh->ay", "mesh->az", "mesh->x",  "mesh->y",  "mesh->z",
                                        "mesh->ux", "mesh->uy", "mesh->uz", "mesh->wx", "mesh->wy", "mesh->wz"};
  return names[i];
}
CONVK_LOCAL_ const char *convk_mesh_field_(int i) { return convk_mesh_array_(i) + 6; }

/* Arrays of q in the order of a checked call. */
CONVK_LOCAL_ const char *convk_formfactor_q_(int i) {
  static const char *const names[6] = {"q->x", "q->y", "q->z", "q->z_imag", "q->x_imag", "q->y_imag"};
  return names[i];
}

/* Calls that need no handle: NULL, or one that is open. */
CONVK_LOCAL_ int convk_formfactor_begin_(convk *hw) { return hw ? convk_begin_call_(hw) : CONVK_OK; }
CONVK_LOCAL_ char *convk_formfactor_message_(convk *hw) { return hw ? hw->message : NULL; }

/* ---- options ---- */

/* What of the options can be wrong by itself. */
CONVK_RARE_ int convk_formfactor_option_(char *message, const convk_formfactor_options *options) {
  const int order = options ? options->order : 0;
  if (!options) return CONVK_OK;
  if (options->form < CONVK_FORM_AUTO || options->form > CONVK_FORM_EXACT)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "options->form is %, none of CONVK_FORM_AUTO ...", options->form, 0, 0);
  if (order && options->form == CONVK_FORM_EXACT)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "options->order is %, and CONVK_FORM_EXACT has none", order, 0, 0);
  if (order != 0 && order != 2 && order != 4 && order != 8 && order != 12 && order != 16)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "options->order is %, none of 0, 2, 4, 8, 12, 16", order, 0, 0);
  return CONVK_OK;
}

/* What a triangle counts by: its centroid (order 0), a series of an order about it, or CONVK_FORMFACTOR_FITTED_: what each q
   needs so that the error stays below `tolerance`. */
typedef struct convk_formfactor_rule_ {
  int order, corners; /* whether corners are needed */
  int full;           /* whether all components of q may be complex */
  double tolerance;
} convk_formfactor_rule_;

/* What EXACT leaves of F(0): less than roundings do. */
CONVK_LOCAL_ double convk_formfactor_eps_(size_t element) {
  return element == sizeof(float) ? 1.0 / 8388608 : 1.0 / 2251799813685248.;
}

/* The rule for options that are right.  corners: the mesh has them; full: qx or qy are complex. */
CONVK_LOCAL_ convk_formfactor_rule_ convk_formfactor_rule_of_(const convk_formfactor_options *options, int corners, int full,
                                                              double eps) {
  convk_formfactor_rule_ rule = {0, 0, 0, 0};
  const int form = options ? options->form : CONVK_FORM_AUTO;
  rule.full = full;
  if (options) rule.order = options->order;
  if (form == CONVK_FORM_EXACT) {
    rule.order = CONVK_FORMFACTOR_FITTED_;
    rule.tolerance = eps;
  } else if (form == CONVK_FORM_AUTO && !rule.order && corners) {
    rule.order = CONVK_FORMFACTOR_FITTED_;
    rule.tolerance = CONVK_FORMFACTOR_TOLERANCE_;
  } else if (rule.full && !rule.order) {
    rule.order = 2;
  }
  rule.corners = rule.order != 0;
  return rule;
}

/* The form that is taken: measures->closed tells. */
CONVK_LOCAL_ int convk_formfactor_choose_(const convk_formfactor_about_ *about, const convk_formfactor_options *options,
                                          convk_mesh_measures *measures) {
  const int form = options ? options->form : CONVK_FORM_AUTO;
  if (form == CONVK_FORM_CLOSED && !measures->closed)
    return convk_formfactor_refuse_(about, CONVK_ERR_OPEN_MESH, "options->form is CONVK_FORM_CLOSED, and & is open", NULL, NULL,
                                    0, 0);
  if (form == CONVK_FORM_OPEN) measures->closed = 0;
  return CONVK_OK;
}

/* What F takes of a mesh.  extent: of its box, summed over the axes. */
typedef struct convk_formfactor_body_ {
  double volume, gap[3], extent, edge, limit; /* the last two: see form_order */
  int closed, least;
} convk_formfactor_body_;

CONVK_LOCAL_ convk_formfactor_body_ convk_formfactor_body_of_(const convk_mesh_measures *m,
                                                              const convk_formfactor_rule_ *rule) {
  convk_formfactor_body_ body = {0, {0, 0, 0}, 0, 0, 0, 0, 0};
  const double volume = m->volume < 0 ? -m->volume : m->volume;
  int d;
  body.volume = m->volume;
  for (d = 0; d < 3; d++) {
    body.gap[d] = m->gap[d];
    body.extent += m->most[d] - m->least[d];
  }
  body.closed = m->closed;
  body.edge = m->edge;
  body.least = rule->full || rule->tolerance < CONVK_FORMFACTOR_TOLERANCE_ ? 2 : 0;
  body.limit = rule->tolerance / 6; /* an open surface as that of a cube of this edge, whose volume is area edge / 6 */
  if (m->closed && m->area * m->edge > 0) body.limit = rule->tolerance * (volume / (m->area * m->edge));
  return body;
}

/* With the corners of a triangle at phases u0, u1, u2 about that of the centroid, of differences up to g = |q| edge, a series
   of the mean of exp(i u) up to degree m - 1 leaves no more than the mean of |u|^m / m!.  It is convex in u0, u1, u2, and so
   largest at (2, -1, -1) g / 3: lost g^m.  (Of complex u it is that times the greatest exp(-Im q.r).)  A triangle adds no more
   than its area / |q| times that to F, all of them no more than area edge lost g^(m - 1).  m is 2 without a series, 3 for order
   2, which ends before its odd term, and the order plus 2 for those that have it. */
CONVK_API_ int convk_formfactor_error(convk *hw, const convk_mesh_measures *measures, double q, int order, double *error) {
  static const double lost[6] = {0.0278, 3.2e-3, 2.2e-6, 3.3e-11, 1.5e-16, 2.5e-22};
  static const int orders[6] = {0, 2, 4, 8, 12, 16}, power[6] = {1, 2, 5, 9, 13, 17}; /* m - 1; as in form_order */
  double volume, bound;
  int k, i;
  const int status = convk_formfactor_begin_(hw);
  if (status) return status;
  if (!measures) return convk_refuse_(convk_formfactor_message_(hw), CONVK_ERR_NULL, "measures is NULL");
  if (!error) return convk_refuse_(convk_formfactor_message_(hw), CONVK_ERR_NULL, "error is NULL");
  for (k = 0; k < 6 && orders[k] != order;) k++;
  if (k == 6)
    return convk_refuse_at_(convk_formfactor_message_(hw), CONVK_ERR_OPTION, "order is %, none of 0, 2, 4, 8, 12, 16", order, 0,
                            0);
  *error = 0;
  if (!(measures->area * measures->edge > 0)) return CONVK_OK;
  volume = measures->volume < 0 ? -measures->volume : measures->volume;
  bound = lost[k] / (measures->closed ? volume / (measures->area * measures->edge)
                                      : measures->edge / measures->area * measures->edge); /* a cube of this edge */
  for (i = 0; i < power[k]; i++) bound *= (q < 0 ? -q : q) * measures->edge;
  *error = bound;
  return CONVK_OK;
}

/* In what unit of length a grid of fourth order takes the lanes' axis: a power of two, about the mesh's size; without it 1. */
CONVK_RARE_ double convk_formfactor_unit_(const convk_formfactor_body_ *body, double area, size_t element, int fourth_order) {
  const double limit = element == sizeof(double) ? 1e153 : 1e18;
  const double square = body->extent * body->extent + area;
  double unit = 1;
  if (!fourth_order) return unit;
  while (unit * unit < square && unit < limit) unit *= 2;
  while (unit * unit > 4 * square && square > 0 && unit * limit > 1) unit /= 2;
  return unit;
}

/* A tensor grid by its axes: that of the lanes, then those of the rows. */
typedef struct convk_formfactor_axes_ {
  int axis[3], z;         /* which of x, y, z they are; which of them is complex, 3: none */
  size_t n[3], stride[3]; /* values; of f, in complex elements */
  size_t rows, nq;
} convk_formfactor_axes_;

/* The sizes choose the lanes' axis: the longest, but the complex one.  Nothing else here changes a result. */
CONVK_LOCAL_ int convk_formfactor_axes_of_(const convk_grid3 *full, int imag, convk_formfactor_axes_ *axes) {
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

/* Bytes of work of a device for batches of `each` bytes: as many as are wanted, but no more than `limit` bytes of them, unless
   it is one.  Enough where either is less. */
CONVK_LOCAL_ size_t convk_formfactor_batches_(size_t each, size_t wanted, size_t limit) {
  size_t bytes;
  if (!convk_mul_(each, wanted, &bytes) && bytes <= limit) return bytes;
  return each > limit ? each : limit;
}

/* ---- placements of an assembly ---- */

/* One that is wrong: which, and why. */
CONVK_RARE_ int convk_placement_refuse_(char *message, int status, size_t i, const char *member, const char *why) {
  return convk_refuse_with_(message, status, why, "assembly->placement[%]", (int64_t)i, member, -1, 0, 0, 0);
}

/* What is wrong with them.  limit: of numbers. */
CONVK_RARE_ int convk_placements_check_(char *message, const convk_placement *p, size_t n, size_t meshes, double limit) {
  size_t i, k;
  for (i = 0; i < n; i++) {
    const double *at = p[i].position;
    double other[12];
    if (p[i].mesh >= meshes)
      return convk_refuse_at_(message, CONVK_ERR_PLACEMENT, "assembly->placement[%].mesh is %, and there are % meshes",
                              (int64_t)i, (int64_t)p[i].mesh, (int64_t)meshes);
    memcpy(other, p[i].rotation, 9 * sizeof *other);
    other[9] = p[i].scale;
    memcpy(other + 10, p[i].weight, 2 * sizeof *other);
    for (k = 0; k < 3; k++)
      if (!convk_finite_f64_(at[k]))
        return convk_placement_refuse_(message, CONVK_ERR_COORDINATE, i, "position", "$.$ is not finite");
    for (k = 0; k < 12; k++)
      if (!convk_finite_f64_(other[k]))
        return convk_placement_refuse_(message, CONVK_ERR_NONFINITE, i,
                                       k < 9    ? "rotation"
                                       : k == 9 ? "scale"
                                                : "weight",
                                       "$.$ is not finite");
    if (p[i].scale < 0) return convk_placement_refuse_(message, CONVK_ERR_PLACEMENT, i, "scale", "$.$ is negative");
    for (k = 0; k < 15; k++) {
      const double x = k < 3 ? at[k] : other[k - 3];
      if (x > limit || x < -limit)
        return convk_placement_refuse_(message, CONVK_ERR_RANGE, i,
                                       k < 3    ? "position"
                                       : k < 12 ? "rotation"
                                       : k < 13 ? "scale"
                                                : "weight",
                                       "$.$ is too large");
    }
  }
  return CONVK_OK;
}

/* The order of form factors: 0 for particles that share one. */
CONVK_LOCAL_ int convk_placements_compare_(const convk_placement *a, const convk_placement *b) {
  int i;
  if (a->mesh != b->mesh) return a->mesh < b->mesh ? -1 : 1;
  for (i = 0; i < 9; i++) {
    if (a->rotation[i] < b->rotation[i]) return -1;
    if (a->rotation[i] > b->rotation[i]) return 1;
  }
  return a->scale < b->scale ? -1 : a->scale > b->scale;
}

/* Sorts their numbers in that order: a heap, which needs no memory. */
CONVK_RARE_ void convk_placements_sort_(const convk_placement *p, size_t n, size_t *order) {
  size_t i, k, next, left = n / 2, end = n;
  for (i = 0; i < n; i++) order[i] = i;
  for (i = 1; i < n && convk_placements_compare_(&p[i - 1], &p[i]) <= 0;) i++;
  if (i >= n) return; /* as it mostly is */
  while (end > 1) {
    size_t item;
    if (left) item = order[--left];
    else {
      item = order[--end];
      order[end] = order[0];
    }
    for (k = left; (next = 2 * k + 1) < end; k = next) {
      const size_t other = next + 1 < end ? next + 1 : next;
      int is = convk_placements_compare_(&p[order[next]], &p[order[other]]);
      if (is < 0 || (!is && order[next] < order[other])) next = other;
      is = convk_placements_compare_(&p[item], &p[order[next]]);
      if (is > 0 || (!is && item > order[next])) break;
      order[k] = order[next];
    }
    order[k] = item;
  }
}

/* Whether no particle has a weight: then all count as 1. */
CONVK_RARE_ int convk_placements_unweighted_(const convk_placement *p, size_t n) {
  size_t i;
  int d;
  for (i = 0; i < n; i++)
    for (d = 0; d < 2; d++)
      if (p[i].weight[d] < 0 || p[i].weight[d] > 0) return 0;
  return 1;
}

/* The scale times R^T, in rows; the cube of the scale. */
CONVK_LOCAL_ double convk_placement_turn_(const convk_placement *p, double turn[9]) {
  const double scale = p->scale > 0 ? p->scale : 1;
  int i, rotated = 0;
  for (i = 0; i < 9; i++)
    if (p->rotation[i] < 0 || p->rotation[i] > 0) rotated = 1;
  for (i = 0; i < 9; i++) turn[i] = scale * (rotated ? p->rotation[i % 3 * 3 + i / 3] : i % 4 == 0);
  return scale * scale * scale;
}

#include "formfactor/edges.h"

CONVK_EXACT_PUSH_
CONVK_LIGHT_PUSH_
#include "formfactor/solids.h"
#include "formfactor/sphere.h"
CONVK_LIGHT_POP_
CONVK_EXACT_POP_
