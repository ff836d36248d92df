#include "formfactor/meshes.h"
#include "formfactor/ready.h"

/* ---- checks, shared by all hardware ---- */

/* Largest and least of n numbers, and 0. */
CONVK_LOCAL_ int convk_formfactor_extremes_(char *message, const char *name, const convk_any_ *x, size_t n, double *least,
                                            double *greatest) {
  const convk_formfactor_about_ about = convk_formfactor_about_of_(message, name, "", 0);
  size_t i;
  *least = *greatest = 0;
  for (i = 0; i < n; i++) {
    if (!convk_finite_(x[i]))
      return convk_formfactor_refuse_(&about, CONVK_ERR_NONFINITE, "&[%] is not finite", NULL, NULL, i, 0);
    if ((double)x[i] < *least) *least = (double)x[i];
    if ((double)x[i] > *greatest) *greatest = (double)x[i];
  }
  return CONVK_OK;
}

/* A checked call. */
typedef struct convk_formfactor_call_ {
  convk_formfactor_about_ about;     /* the mesh, for messages */
  convk_any_ *field[12];             /* of the mesh */
  const convk_indexed_mesh *indexed; /* where some of them are missing */
  const convk_indexed_mesh *faces;   /* which triangles share vertices, or NULL */
  const convk_any_ *q[6];            /* x, y, z, and imaginary parts of z, x and y, or NULL */
  size_t n, nq[6], span;             /* triangles; values of each of q; complex elements of f */
  convk_formfactor_rule_ rule;
  convk_mesh_measures measures; /* `closed` says which form is taken */
  convk_formfactor_body_ body;
  CONVK_T *f;
} convk_formfactor_call_;

/* Whether every phase and exponential can be resolved, and the corners that are asked for are numbers.  limit: exp of it is a
   number of the type, also times `size`, a bound of the sum.  At 2^21 or 2^50 turns the last place is a quarter of a turn. */
CONVK_RARE_ int convk_formfactor_numbers_(const convk_formfactor_call_ *call) {
  const convk_mesh_measures *m = &call->measures;
  const double edge = call->rule.corners ? m->edge : 0; /* corners are no further from a centroid */
  double turns = 0, damped = 0, least, greatest, size = 8 * m->area, limit = CONVK_OF_(87, 708);
  size_t t;
  int i, status;
  for (i = 6; i < 12 && call->rule.corners && !call->indexed; i++)
    for (t = 0; t < call->n; t++)
      if (!convk_finite_(call->field[i][t]))
        return convk_formfactor_refuse_(&call->about, CONVK_ERR_COORDINATE, "@$[%] is not finite", convk_mesh_field_(i), NULL,
                                        t, 0);
  if (edge > 1) size *= edge;
  for (i = 0; i < 6; i++) {
    const int axis = i < 3 ? i : i == 3 ? 2 : i - 4;
    double most;
    if (!call->q[i]) continue;
    status =
        convk_formfactor_extremes_(call->about.message, convk_formfactor_q_(i), call->q[i], call->nq[i], &least, &greatest);
    if (status) return status;
    most = greatest > -least ? greatest : -least;
    if (most > 1) size *= most;
    if (i < 3) turns += most * (edge + (m->most[i] > -m->least[i] ? m->most[i] : -m->least[i]));
    greatest *= edge - m->least[axis];
    least *= -edge - m->most[axis];
    if (i >= 3) damped += greatest > least ? greatest : least;
  }
  if (!(turns <= CONVK_OF_(2097152., 1125899906842624.) * 6.283185307179586))
    return convk_formfactor_refuse_(&call->about, CONVK_ERR_RANGE, "q is too large for &: phases q.r have no digits left", NULL,
                                    NULL, 0, 0);
  if (call->q[3] || call->q[4] || call->q[5]) { /* the sums must not overflow either */
    for (; size > 1 && limit > 0; size *= 0.5) limit -= 0.6931471805599453;
    if (!(damped <= limit))
      return convk_formfactor_refuse_(&call->about, CONVK_ERR_RANGE,
                                      "$ is too large for &: exp(-Im q.r), or a sum of it, may overflow",
                                      convk_formfactor_q_(call->q[3]   ? 3
                                                          : call->q[4] ? 4
                                                                       : 5),
                                      NULL, 0, 0);
  }
  return CONVK_OK;
}

/* The triangles that a call takes, by its rule. */
CONVK_RARE_ int convk_formfactor_triangles_(const convk_mesh *mesh, int list, const convk_formfactor_options *options,
                                            convk_formfactor_call_ *call) {
  const convk_formfactor_about_ *about = &call->about;
  int i, corners, status = convk_mesh_arrays_(about, mesh, 0, call->field);
  if (status) return status;
  for (i = 6, corners = 1; i < 12; i++) corners = corners && call->field[i];
  if (mesh->indexed) corners = 1;
  call->n = mesh->n;
  call->indexed = NULL;
  call->faces = mesh->indexed;
  call->rule =
      convk_formfactor_rule_of_(options, list && corners, call->q[4] || call->q[5], convk_formfactor_eps_(sizeof(CONVK_T)));
  return convk_mesh_source_(about, mesh, call->rule.corners ? 12 : 6, call->field, &call->indexed);
}

/* What is called `name`, `bytes` bytes at p that are written, shares no memory with what is read. */
CONVK_RARE_ int convk_formfactor_written_apart_(const convk_mesh *mesh, const convk_formfactor_call_ *call, const char *name,
                                                const void *p, size_t bytes) {
  int i, status = convk_mesh_apart_(&call->about, mesh, call->field, name, p, bytes);
  for (i = 0; i < 6 && !status; i++)
    if (convk_overlap_(call->q[i], call->nq[i] * sizeof(CONVK_T), p, bytes))
      status = convk_refuse_names_(call->about.message, CONVK_ERR_OVERLAP, "$ overlaps $", name, convk_formfactor_q_(i));
  return status;
}

/* The caller's work on a grid: apart from what is read, and from f. */
CONVK_RARE_ int convk_formfactor_work_apart_(const convk_mesh *mesh, const convk_formfactor_call_ *call, const void *work,
                                             size_t work_size) {
  if (convk_overlap_(call->f, call->span * 2 * sizeof(CONVK_T), work, work_size))
    return convk_refuse_(call->about.message, CONVK_ERR_OVERLAP, "f overlaps work");
  return convk_formfactor_written_apart_(mesh, call, "work", work, work_size);
}

/* All checks, of call->nq values on each axis and of call->span, with messages of call->about; list: with options of lists. */
CONVK_RARE_ int convk_formfactor_check_(const convk_mesh *mesh, int list, const convk_q *q,
                                        const convk_formfactor_options *options, CONVK_T *f, convk_formfactor_call_ *call) {
  char *const message = call->about.message;
  size_t bytes = 0;
  int i, status, beyond;
  if (!f && call->span) return convk_refuse_(message, CONVK_ERR_NULL, "f is NULL");
  call->q[0] = q->x;
  call->q[1] = q->y;
  call->q[2] = q->z;
  call->q[3] = q->z_imag;
  call->q[4] = q->x_imag;
  call->q[5] = q->y_imag;
  call->f = f;
  status = convk_formfactor_triangles_(mesh, list, options, call);
  for (i = 0; i < 3 && !status; i++)
    if (call->nq[i] && !call->q[i])
      status = convk_refuse_names_(message, CONVK_ERR_NULL, "$ is NULL", convk_formfactor_q_(i), NULL);
  if (!status && convk_bytes_(call->span, 2 * sizeof(CONVK_T), &bytes))
    status = convk_refuse_(message, CONVK_ERR_OVERFLOW, "q->n is too large");
  if (!status) status = convk_formfactor_option_(message, options);
  if (!status) status = convk_mesh_measured_(&call->about, mesh, &call->measures);
  if (status) return status;
  beyond = convk_formfactor_numbers_(call);
  if (beyond && beyond != CONVK_ERR_RANGE) return beyond;
  status = convk_formfactor_choose_(&call->about, options, &call->measures);
  if (status == CONVK_ERR_OPEN_MESH && mesh->indexed) {
    status = convk_faces_closed_(mesh->indexed->face, mesh->n);
    if (status == CONVK_ERR_ORIENTATION)
      status = convk_formfactor_refuse_(&call->about, status, "some faces of & are inside out", NULL, NULL, 0, 0);
  }
  if (status || beyond) return status ? status : beyond;
  call->body = convk_formfactor_body_of_(&call->measures, &call->rule);
  return convk_formfactor_written_apart_(mesh, call, "f", f, bytes);
}

CONVK_RARE_ int convk_formfactor_checked_(const convk_formfactor_about_ *about, const convk_mesh *mesh, const convk_q *q,
                                          const convk_formfactor_options *options, CONVK_T *f, convk_formfactor_call_ *call) {
  int d;
  if (!q) return convk_refuse_(about->message, CONVK_ERR_NULL, "q is NULL");
  for (d = 0; d < 6; d++) call->nq[d] = q->n;
  call->span = q->n;
  call->about = *about;
  return convk_formfactor_check_(mesh, 1, q, options, f, call);
}

CONVK_RARE_ int convk_formfactor_grid_check_(char *message, const convk_mesh *mesh, const convk_grid3 *grid, const convk_q *q,
                                             const convk_formfactor_options *options, CONVK_T *f, convk_grid3 *full,
                                             convk_formfactor_call_ *call) {
  const int by_list = options && (options->form == CONVK_FORM_EXACT || options->order > 2);
  int status = q ? CONVK_OK : convk_refuse_(message, CONVK_ERR_NULL, "q is NULL");
  if (!status) status = convk_grid_check_(message, "grid", grid, 2 * sizeof *f, full, &call->span);
  if (status) return status;
  if (q->x_imag || q->y_imag)
    return convk_refuse_names_(message, CONVK_ERR_OPTION, "$ is given, and a tensor grid takes none",
                               q->x_imag ? "q->x_imag" : "q->y_imag", NULL);
  call->nq[0] = call->nq[4] = full->nx;
  call->nq[1] = call->nq[5] = full->ny;
  call->nq[2] = call->nq[3] = full->nz;
  call->about = convk_formfactor_about_of_(message, "mesh", "->", 0);
  return convk_formfactor_check_(mesh, by_list, q, options, f, call);
}

#include "formfactor/per_q.h"

/* ---- a list of q ---- */

typedef struct convk_formfactor_job_ {
  const convk_formfactor_kernels_ *kernels;
  convk_formfactor_call_ call;
  size_t chunk; /* vectors of q of a task */
} convk_formfactor_job_;

/* Vector i of q, with the imaginary parts of z, x and y last. */
CONVK_LOCAL_ void convk_formfactor_vector_(const convk_formfactor_call_ *call, size_t i, double q[6]) {
  int d;
  for (d = 0; d < 6; d++) q[d] = call->q[d] ? (double)call->q[d][i] : 0;
}

/* Vectors of q of a task, those of one order together, each of these groups filled up to whole vectors of the kernels. */
enum { convk_formfactor_groups_ = 7, convk_formfactor_places_ = CONVK_FORMFACTOR_Q_ + 7 * 2 * CONVK_FORMFACTOR_QUANTUM_ };

typedef struct convk_formfactor_batch_ {
  CONVK_T scaled[CONVK_FORMFACTOR_SCALED_][convk_formfactor_places_];
  CONVK_T partial[2][convk_formfactor_places_];
  double sum[2][convk_formfactor_places_], norm[CONVK_FORMFACTOR_Q_]; /* |q| of each q */
  size_t begin[convk_formfactor_groups_], count[convk_formfactor_groups_], places;
  int order[convk_formfactor_groups_];
  unsigned short place[CONVK_FORMFACTOR_Q_]; /* of each q */
} convk_formfactor_batch_;

CONVK_LOCAL_ void convk_formfactor_batch_begin_(const convk_formfactor_call_ *call, size_t begin, size_t count,
                                                convk_formfactor_batch_ *b) {
  static const int orders[convk_formfactor_groups_] = {0, 2, 4, 8, 12, 16, CONVK_FORMFACTOR_MEAN_};
  CONVK_T scaled[CONVK_FORMFACTOR_Q_][CONVK_FORMFACTOR_SCALED_], order = (CONVK_T)call->rule.order;
  const int numbers = call->q[3] || call->q[4] || call->q[5] ? CONVK_FORMFACTOR_SCALED_ : 6; /* real q have no others */
  double q[6];
  size_t i, k;
  int d;
  memset(b->count, 0, sizeof b->count);
  for (i = 0; i < count; i++) {
    convk_formfactor_vector_(call, begin + i, q);
    convk_formfactor_scaled_(q, scaled[i], &b->norm[i]);
    if (call->rule.order == CONVK_FORMFACTOR_FITTED_) convk_formfactor_order_(&call->body, b->norm[i], &order);
    for (k = 0; orders[k] != (int)order;) k++;
    b->place[i] = (unsigned short)k;
    b->count[k]++;
  }
  for (k = b->places = 0; k < convk_formfactor_groups_; k++) {
    b->order[k] = orders[k];
    b->begin[k] = b->places;
    b->places += convk_round_up_(b->count[k], (k ? 1 : 2) * CONVK_FORMFACTOR_QUANTUM_);
    b->count[k] = 0;
  }
  for (d = 0; d < numbers; d++) memset(b->scaled[d], 0, b->places * sizeof **b->scaled);
  for (d = 0; d < 2; d++) memset(b->sum[d], 0, b->places * sizeof **b->sum);
  for (i = 0; i < count; i++) {
    k = b->place[i];
    b->place[i] = (unsigned short)(b->begin[k] + b->count[k]++);
    for (d = 0; d < numbers; d++) b->scaled[d][b->place[i]] = scaled[i][d];
  }
}

/* Adds the triangles of `part` for group k. */
CONVK_LOCAL_ void convk_formfactor_batch_add_(convk_formfactor_batch_ *b, size_t k, convk_formfactor_part_ *part,
                                              void (*kernel)(const convk_formfactor_part_ *)) {
  size_t i, d;
  part->nq = b->count[k];
  part->order = b->order[k];
  for (d = 0; d < 3; d++) {
    static const int imag[3] = {9, 11, 7};
    part->turns[d] = b->scaled[d] + b->begin[k];
    part->along[d] = b->scaled[3 + d] + b->begin[k];
    part->imag_along[d] = b->scaled[imag[d]] + b->begin[k];
    part->imag_turns[d] = b->scaled[imag[d] + 1] + b->begin[k];
  }
  part->decay = b->scaled[6] + b->begin[k];
  part->re = b->partial[0] + b->begin[k];
  part->im = b->partial[1] + b->begin[k];
  kernel(part);
  for (d = 0; d < 2; d++)
    for (i = b->begin[k]; i < b->begin[k] + b->count[k]; i++) b->sum[d][i] += (double)b->partial[d][i];
}

/* As many triangles as fit by their vertices.  Of faces near each other a vertex is there once. */
typedef struct convk_formfactor_corners_ {
  CONVK_T vertex[3][CONVK_FORMFACTOR_VERTICES_], area[3][CONVK_FORMFACTOR_FACES_], center[3][CONVK_FORMFACTOR_FACES_];
  unsigned short corner[3 * CONVK_FORMFACTOR_FACES_];
  size_t vertices, n;
} convk_formfactor_corners_;

CONVK_LOCAL_ void convk_formfactor_corners_of_(const convk_formfactor_call_ *call, size_t first, convk_formfactor_corners_ *c) {
  enum { slots_ = 1024 };
  uint32_t vertex_of[slots_];
  unsigned short slot[slots_]; /* by the last digits of a vertex: where it is here, and one; 0: nowhere */
  const convk_any_u32_ *face = call->faces ? (const convk_any_u32_ *)call->faces->face + 3 * first : NULL;
  convk_any_ *arrays[12] = {NULL};
  size_t d, k, t;
  memset(slot, 0, sizeof slot);
  for (d = 0; d < 3; d++) {
    arrays[d] = c->area[d];
    arrays[3 + d] = c->center[d];
  }
  c->vertices = c->n = 0;
  for (t = first; t < call->n && c->n < CONVK_FORMFACTOR_FACES_ && c->vertices + 3 <= CONVK_FORMFACTOR_VERTICES_; t++) {
    double v[9];
    if (call->indexed) {
      convk_indexed_corners_(call->indexed, t, v);
      convk_mesh_triangle_(v, arrays, c->n);
    } else {
      for (d = 0; d < 3; d++) {
        const double r = (double)call->field[3 + d][t], u = (double)call->field[6 + d][t], w = (double)call->field[9 + d][t];
        v[d] = r + u;
        v[3 + d] = r + w;
        v[6 + d] = r - u - w;
        c->area[d][c->n] = call->field[d][t];
      }
    }
    for (k = 0; k < 3; k++) {
      size_t to = c->vertices;
      if (face) {
        const uint32_t vertex = *face++;
        const size_t at = vertex % slots_;
        if (slot[at] && vertex_of[at] == vertex) to = slot[at] - (size_t)1;
        vertex_of[at] = vertex;
        slot[at] = (unsigned short)(to + 1);
      }
      c->corner[3 * c->n + k] = (unsigned short)to;
      if (to < c->vertices) continue;
      for (d = 0; d < 3; d++) c->vertex[d][to] = (CONVK_T)v[3 * k + d];
      c->vertices++;
    }
    c->n++;
  }
}

CONVK_RARE_ void convk_formfactor_task_(void *arg, size_t index) {
  const convk_formfactor_job_ *job = (const convk_formfactor_job_ *)arg;
  const convk_formfactor_call_ *call = &job->call;
  const size_t begin = index * job->chunk, count = call->span - begin < job->chunk ? call->span - begin : job->chunk;
  const size_t mean = convk_formfactor_groups_ - 1;
  const int corners = call->rule.corners ? 12 : 6;
  convk_formfactor_batch_ batch;
  convk_formfactor_corners_ vertices;
  convk_formfactor_part_ part;
  convk_any_ *field[12];
  CONVK_T room[12 * CONVK_FORMFACTOR_TRIANGLES_], one[2];
  size_t i, t, k, d;
  int centroids = 0;
  memset(&part, 0, sizeof part);
  convk_formfactor_batch_begin_(call, begin, count, &batch);
  part.imag = call->q[3] || call->q[4] || call->q[5];
  for (k = 0; k < mean; k++) centroids += batch.count[k] > 0;
  for (t = 0; t < call->n && centroids; t += CONVK_FORMFACTOR_TRIANGLES_) {
    part.n = call->n - t < CONVK_FORMFACTOR_TRIANGLES_ ? call->n - t : CONVK_FORMFACTOR_TRIANGLES_;
    convk_mesh_block_(call->field, call->indexed, t, part.n, corners, room, field);
    for (d = 0; d < 3; d++) {
      part.area[d] = field[d];
      part.at[d] = field[3 + d];
      part.u[d] = field[6 + d];
      part.w[d] = field[9 + d];
    }
    for (k = 0; k < mean; k++)
      if (batch.count[k]) convk_formfactor_batch_add_(&batch, k, &part, job->kernels->list);
  }
  for (t = 0; t < call->n && batch.count[mean]; t += vertices.n) {
    convk_formfactor_corners_of_(call, t, &vertices);
    part.n = vertices.n;
    part.vertices = vertices.vertices;
    part.corner = vertices.corner;
    for (d = 0; d < 3; d++) {
      part.area[d] = vertices.area[d];
      part.vertex[d] = vertices.vertex[d];
    }
    convk_formfactor_batch_add_(&batch, mean, &part, job->kernels->faces);
  }
  for (i = 0; i < count; i++) {
    double q[6];
    convk_formfactor_vector_(call, begin + i, q);
    convk_formfactor_list_value_(&call->body, q, batch.norm[i], batch.sum[0][batch.place[i]], batch.sum[1][batch.place[i]],
                                 one);
    memcpy(call->f + 2 * (begin + i), one, sizeof one);
  }
}

/* A checked call of a list. */
CONVK_RARE_ int convk_formfactor_list_run_(const convk_formfactor_kernels_ *kernels, convk *hw,
                                           const convk_formfactor_call_ *call) {
  const size_t nq = call->span, threads = convk_threads_(hw), size[3] = {call->n, nq, 1};
  convk_tuning own;
  const convk_tuning *const tuning = convk_tuning_for_(hw, "formfactor", sizeof *call->f, size, 1, &own);
  convk_formfactor_job_ job;
  job.kernels = kernels;
  job.call = *call;
  job.chunk = threads == 1 ? CONVK_FORMFACTOR_Q_ : nq / (4 * threads) + 1;
  if (tuning->formfactor_q) job.chunk = tuning->formfactor_q;
  job.chunk = job.chunk < CONVK_FORMFACTOR_Q_ ? convk_round_up_(job.chunk, 2 * CONVK_FORMFACTOR_QUANTUM_) : CONVK_FORMFACTOR_Q_;
  return convk_run_tasks_(hw, convk_ceil_(nq, job.chunk), convk_formfactor_task_, &job);
}

CONVK_RARE_ int convk_formfactor_cpu_(const convk_formfactor_kernels_ *kernels, convk *hw, const convk_mesh *mesh,
                                      const convk_q *q, const convk_formfactor_options *options, CONVK_T *f) {
  const convk_formfactor_about_ about = convk_formfactor_about_of_(convk_formfactor_message_(hw), "mesh", "->", 0);
  convk_formfactor_call_ call;
  int status = convk_formfactor_begin_(hw);
  if (!status) status = convk_formfactor_checked_(&about, mesh, q, options, f, &call);
  return status || !q->n ? status : convk_formfactor_list_run_(kernels, hw, &call);
}

/* ---- a tensor grid of q ---- */

/* What is no product over the axes goes by lists of q.  how: what the function of lists wants to know. */
typedef int convk_formfactor_lister_(const void *how, convk *hw, const convk_mesh *mesh, const convk_q *q,
                                     const convk_formfactor_options *options, CONVK_T *f);

CONVK_RARE_ int convk_formfactor_grid_by_list_(convk_formfactor_lister_ *list, const void *how, convk *hw,
                                               const convk_mesh *mesh, const convk_grid3 *full,
                                               const convk_formfactor_call_ *call, const convk_formfactor_options *options) {
  const size_t nq = full->nx * full->ny * full->nz, length = CONVK_FORMFACTOR_LIST_;
  CONVK_T *room = (CONVK_T *)CONVK_MALLOC(6 * length * sizeof *room), *q[4], *f;
  convk_q some;
  size_t begin, count, i, d;
  int status = CONVK_OK;
  if (!room) return CONVK_ERR_MEMORY;
  for (d = 0; d < 4; d++) q[d] = d < 3 || call->q[3] ? room + d * length : NULL;
  memset(&some, 0, sizeof some);
  some.x = q[0];
  some.y = q[1];
  some.z = q[2];
  some.z_imag = q[3];
  f = room + 4 * length;
  for (begin = 0; begin < nq && !status; begin += count) {
    some.n = count = nq - begin < length ? nq - begin : length;
    for (i = 0; i < count; i++) {
      const size_t row = (begin + i) / full->nx, at[3] = {(begin + i) % full->nx, row % full->ny, row / full->ny};
      for (d = 0; d < 4; d++)
        if (q[d]) q[d][i] = call->q[d][at[d < 3 ? d : 2]];
    }
    status = list(how, hw, mesh, &some, options, f);
    for (i = 0; i < count && !status; i++) {
      const size_t row = (begin + i) / full->nx, x = (begin + i) % full->nx;
      memcpy(call->f + 2 * (x + row % full->ny * full->pitch_y + row / full->ny * full->pitch_z), f + 2 * i, 2 * sizeof *f);
    }
  }
  CONVK_FREE(room);
  return status;
}

CONVK_LOCAL_ int convk_formfactor_list_cpu_(const void *how, convk *hw, const convk_mesh *mesh, const convk_q *q,
                                            const convk_formfactor_options *options, CONVK_T *f) {
  return convk_formfactor_cpu_((const convk_formfactor_kernels_ *)how, hw, mesh, q, options, f);
}

typedef struct convk_formfactor_grid_job_ {
  const convk_formfactor_kernels_ *kernels;
  convk_formfactor_call_ call;
  convk_formfactor_axes_ axes;
  size_t tile[3], count[3]; /* points of a tile and tiles, in the order of the axes */
  size_t first;             /* tile of this batch */
  size_t each;              /* bytes of work of a task */
  char *work;
} convk_formfactor_grid_job_;

/* The most rows that a tile has on this handle, whatever the grid. */
CONVK_RARE_ size_t convk_formfactor_tile_rows_(size_t tuned) {
  return tuned && tuned <= 65536 ? tuned : CONVK_FORMFACTOR_TILE_ROWS_;
}
CONVK_RARE_ size_t convk_formfactor_max_rows_(convk *hw) {
  size_t max_rows = convk_formfactor_tile_rows_(hw ? hw->tuning.formfactor_rows : 0), i;
  for (i = 0; hw && hw->tuned && i < hw->ntuned; i++) {
    const size_t rows = convk_formfactor_tile_rows_((size_t)hw->tuned[i].choice[CONVK_TUNE_ROWS]);
    if (rows > max_rows && !strcmp(hw->tuned[i].operation, "formfactor_grid")) max_rows = rows;
  }
  return max_rows;
}

/* Cuts the grid and counts the work; nothing here changes a result.  The work is enough for any smaller grid, too. */
CONVK_RARE_ int convk_formfactor_grid_cut_(convk *hw, const convk_grid3 *full, int imag, convk_formfactor_grid_job_ *job,
                                           size_t *tasks, size_t *work_size) {
  const size_t threads = convk_threads_(hw), n[3] = {full->nx, full->ny, full->nz}, *along = job->axes.n;
  size_t rows, lanes, i, tiles, max_rows = convk_formfactor_max_rows_(hw);
  convk_tuning own;
  const int status = convk_formfactor_axes_of_(full, imag, &job->axes);
  if (status) return status;
  job->tile[0] = along[0] < CONVK_FORMFACTOR_LANES_ ? along[0] : CONVK_FORMFACTOR_LANES_;
  rows = convk_formfactor_tile_rows_(convk_tuning_for_(hw, "formfactor_grid", sizeof(CONVK_T), n, 1, &own)->formfactor_rows);
  if (rows > max_rows) max_rows = rows;
  if (job->axes.rows / threads < rows) rows = convk_ceil_(job->axes.rows, threads);
  if (job->axes.rows / threads < max_rows) max_rows = convk_ceil_(job->axes.rows, threads);
  if (along[1] >= rows) {
    job->tile[1] = convk_even_part_(along[1], rows);
    job->tile[2] = 1;
  } else {
    job->tile[1] = along[1];
    job->tile[2] = convk_even_part_(along[2], rows / along[1]);
  }
  for (i = 0, tiles = 1; i < 3; i++) {
    job->count[i] = convk_ceil_(along[i], job->tile[i]);
    tiles *= job->count[i];
  }
  *tasks = tiles < threads ? tiles : threads;
  lanes = convk_round_up_(job->tile[0], CONVK_FORMFACTOR_QUANTUM_);
  /* q, phases and moments of the lanes; two E - 1 of the rows, of which a tile's two axes have `max_rows` and one at most;
     terms; triangles (both as for order 2, which the caller of the work's size may want too); sums and moments in doubles */
  job->each = lanes * (2 + 2 * CONVK_FORMFACTOR_BLOCK_ + 6) + (max_rows + 1) * 2 * CONVK_FORMFACTOR_BLOCK_ +
              (8 * CONVK_FORMFACTOR_ROWS_ + 12) * CONVK_FORMFACTOR_BLOCK_;
  rows = convk_round_up_(max_rows, CONVK_FORMFACTOR_ROWS_);
  job->each = convk_round_up_(job->each * sizeof(CONVK_T) + (2 * rows + 6) * lanes * sizeof(double), 4096) + 192;
  /* a smaller grid may be cut into more tiles, up to one for each row */
  tiles = job->count[0] * job->axes.rows < threads ? job->count[0] * job->axes.rows : threads;
  if (convk_mul_(job->each, tiles, work_size) || *work_size > (size_t)-1 - 64) return CONVK_ERR_OVERFLOW;
  *work_size += 64;
  return CONVK_OK;
}

/* A tile under way: where it begins on the axes of the grid, its points, and what lies in its work. */
typedef struct convk_formfactor_tile_job_ {
  convk_formfactor_tile_ tile;
  size_t at[3], n[3], rows;
  const convk_any_ *q[3], *imag; /* on the axes; imag: of axis z */
  double *sum, *moment;
  CONVK_T *block, *phase; /* triangles, and E - 1 of the rows' two axes */
} convk_formfactor_tile_job_;

CONVK_LOCAL_ void convk_formfactor_tile_begin_(const convk_formfactor_grid_job_ *job, size_t index,
                                               convk_formfactor_tile_job_ *t) {
  const size_t which = job->first + index, block = CONVK_FORMFACTOR_BLOCK_;
  const double unit =
      convk_formfactor_unit_(&job->call.body, job->call.measures.area, sizeof(CONVK_T), job->call.rule.order == 2);
  CONVK_T *lane_q, none;
  size_t i, d;
  t->at[0] = which % job->count[0] * job->tile[0];
  t->at[1] = which / job->count[0] % job->count[1] * job->tile[1];
  t->at[2] = which / job->count[0] / job->count[1] * job->tile[2];
  for (d = 0; d < 3; d++) {
    t->n[d] = job->axes.n[d] - t->at[d] < job->tile[d] ? job->axes.n[d] - t->at[d] : job->tile[d];
    t->q[d] = job->call.q[job->axes.axis[d]] + t->at[d];
  }
  t->imag = job->call.q[3] ? job->call.q[3] + t->at[job->axes.z] : NULL;
  t->rows = t->n[1] * t->n[2];
  t->tile.lanes = convk_round_up_(t->n[0], CONVK_FORMFACTOR_QUANTUM_);
  /* the work: doubles first */
  t->sum = (double *)(void *)(job->work + index * job->each);
  t->moment = t->sum + 2 * convk_round_up_(t->rows, CONVK_FORMFACTOR_ROWS_) * t->tile.lanes;
  t->tile.phase = (CONVK_T *)(void *)(t->moment + 6 * t->tile.lanes);
  t->tile.moment = t->tile.phase + 2 * block * t->tile.lanes;
  lane_q = t->tile.moment + 6 * t->tile.lanes;
  t->block = lane_q + 2 * t->tile.lanes;
  t->tile.terms = t->block + 12 * block;
  t->phase = t->tile.terms + 8 * CONVK_FORMFACTOR_ROWS_ * block;
  memset(t->sum, 0, (size_t)((char *)t->tile.phase - (char *)t->sum));
  memset(lane_q, 0, 2 * t->tile.lanes * sizeof *lane_q);
  for (i = 0; i < t->n[0]; i++) {
    lane_q[i] = (CONVK_T)(t->q[0][i] * unit);
    convk_formfactor_rate_((double)t->q[0][i], 0, &lane_q[t->tile.lanes + i], &none);
  }
  t->tile.q = lane_q;
  t->tile.turns = lane_q + t->tile.lanes;
  for (d = 0; d < 3; d++) {
    t->tile.area[d] = t->block + d * block;
    t->tile.at[d] = t->block + (3 + d) * block;
  }
  for (d = 0; d < 6; d++) t->tile.corner[d] = t->block + (6 + d) * block;
  t->tile.fourth_order = job->call.rule.order == 2;
  t->tile.per = (CONVK_T)(1 / unit);
}

/* Adds triangles from `first` on, one block of them. */
CONVK_LOCAL_ void convk_formfactor_tile_block_(const convk_formfactor_grid_job_ *job, convk_formfactor_tile_job_ *t,
                                               size_t first) {
  const size_t block = CONVK_FORMFACTOR_BLOCK_, left = job->call.n - first < block ? job->call.n - first : block;
  const int z = job->axes.z;
  convk_any_ *field[12];
  CONVK_T room[12 * CONVK_FORMFACTOR_BLOCK_], turns, decay;
  const int fields = t->tile.fourth_order ? 12 : 6;
  size_t i, row;
  int d, r;
  if (left < block) memset(t->block, 0, 12 * block * sizeof *t->block);
  convk_mesh_block_(job->call.field, job->call.indexed, first, left, fields, room, field);
  for (d = 0; d < fields; d++)
    memcpy(t->block + (size_t)d * block, field[d / 3 * 3 + job->axes.axis[d % 3]], left * sizeof *t->block);
  job->kernels->lanes(&t->tile);
  for (i = 0; i < 6 * t->tile.lanes; i++) t->moment[i] += (double)t->tile.moment[i];
  for (d = 1; d < 3; d++)
    for (i = 0; i < t->n[d]; i++) {
      convk_formfactor_rate_((double)t->q[d][i], d == z ? (double)t->imag[i] : 0, &turns, &decay);
      job->kernels->row(t->tile.at[d], turns, d == z, decay, t->phase + 2 * block * (d == 1 ? i : t->n[1] + i));
    }
  for (row = 0; row < t->rows; row += CONVK_FORMFACTOR_ROWS_) {
    for (r = 0; r < CONVK_FORMFACTOR_ROWS_; r++) { /* rows beyond the last compute the last again, aside */
      const size_t mine = row + (size_t)r < t->rows ? row + (size_t)r : t->rows - 1;
      const size_t pair[2] = {mine % t->n[1], mine / t->n[1]};
      for (d = 0; d < 2; d++) {
        t->tile.row_q[r][d] = t->q[1 + d][pair[d]];
        t->tile.row_imag[r][d] = z == 1 + d ? t->imag[pair[d]] : 0;
        t->tile.row_phase[r][d] = t->phase + 2 * block * (d ? t->n[1] + pair[1] : pair[0]);
      }
      t->tile.sum[r] = t->sum + 2 * (row + (size_t)r) * t->tile.lanes;
    }
    job->kernels->rows(&t->tile);
  }
}

/* F of the tile. */
CONVK_LOCAL_ void convk_formfactor_tile_end_(const convk_formfactor_grid_job_ *job, const convk_formfactor_tile_job_ *t) {
  const size_t lanes = t->tile.lanes;
  size_t row, i, d;
  for (row = 0; row < t->rows; row++)
    for (i = 0; i < t->n[0]; i++) {
      const size_t at[3] = {i, row % t->n[1], row / t->n[1]};
      size_t to = 0;
      double q[6] = {0, 0, 0, 0, 0, 0}, moment[6];
      CONVK_T f[2];
      for (d = 0; d < 3; d++) {
        q[d] = (double)t->q[d][at[d]];
        to += (t->at[d] + at[d]) * job->axes.stride[d];
      }
      for (d = 0; d < 6; d++) moment[d] = t->moment[d * lanes + i];
      if (t->imag) q[3] = (double)t->imag[at[job->axes.z]];
      convk_formfactor_grid_value_(&job->call.body, job->axes.axis, job->axes.z, q, moment, t->sum[2 * row * lanes + i],
                                   t->sum[(2 * row + 1) * lanes + i], f);
      memcpy(job->call.f + 2 * to, f, sizeof f);
    }
}

CONVK_RARE_ void convk_formfactor_grid_task_(void *arg, size_t index) {
  const convk_formfactor_grid_job_ *job = (const convk_formfactor_grid_job_ *)arg;
  convk_formfactor_tile_job_ tile;
  size_t t;
  convk_formfactor_tile_begin_(job, index, &tile);
  for (t = 0; t < job->call.n; t += CONVK_FORMFACTOR_BLOCK_) convk_formfactor_tile_block_(job, &tile, t);
  convk_formfactor_tile_end_(job, &tile);
}

CONVK_RARE_ int convk_formfactor_grid_cpu_(const convk_formfactor_kernels_ *kernels, convk *hw, const convk_mesh *mesh,
                                           const convk_grid3 *grid, const convk_q *q, const convk_formfactor_options *options,
                                           CONVK_T *f, void *work, size_t work_size) {
  char *const message = convk_formfactor_message_(hw);
  convk_formfactor_grid_job_ job;
  convk_grid3 full;
  convk_work_ w;
  size_t tasks = 1, need = 0, tiles;
  int status = convk_formfactor_begin_(hw);
  if (!status) status = convk_formfactor_grid_check_(message, mesh, grid, q, options, f, &full, &job.call);
  if (!status) status = convk_formfactor_work_apart_(mesh, &job.call, work, work_size);
  if (!status && job.call.rule.order && job.call.rule.order != 2)
    return convk_formfactor_grid_by_list_(convk_formfactor_list_cpu_, kernels, hw, mesh, &full, &job.call, options);
  if (!status && convk_formfactor_grid_cut_(hw, &full, q->z_imag != NULL, &job, &tasks, &need))
    status = convk_refuse_(message, CONVK_ERR_OVERFLOW, "grid is too large");
  if (!status) status = convk_work_begin_(message, &w, work, work_size, need);
  if (status) return status;
  job.kernels = kernels;
  job.work = w.base;
  tiles = job.count[0] * job.count[1] * job.count[2];
  for (job.first = 0; job.first < tiles && !status; job.first += tasks)
    status = convk_run_tasks_(hw, tiles - job.first < tasks ? tiles - job.first : tasks, convk_formfactor_grid_task_, &job);
  convk_work_end_(&w);
  return status;
}

CONVK_API_ int convk_formfactor_grid_work_size(convk *hw, const convk_grid3 *grid, const convk_q *q, size_t *bytes) {
  char *const message = convk_formfactor_message_(hw);
  convk_formfactor_grid_job_ job;
  convk_grid3 full;
  size_t span, tasks, size = 0;
  int status = convk_formfactor_begin_(hw);
  if (!status && !q) status = convk_refuse_(message, CONVK_ERR_NULL, "q is NULL");
  if (!status) status = convk_need_(message, "bytes", bytes);
  if (!status) status = convk_grid_check_(message, "grid", grid, 2 * sizeof(CONVK_T), &full, &span);
  if (!status && !(hw && hw->ours.inside.device) &&
      convk_formfactor_grid_cut_(hw, &full, q->z_imag != NULL, &job, &tasks, &size))
    status = convk_refuse_(message, CONVK_ERR_OVERFLOW, "grid is too large");
  if (!status) *bytes = size;
  return status;
}

#include "formfactor/many.h"
