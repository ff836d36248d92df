/* What surrounds short rows takes a part of their time: 5% in avx512 without all optimizations. */
CONVK_LIGHT_POP_
#include "stencil/rows.h"
CONVK_LIGHT_PUSH_

/* One checked pass: `depth` steps from a to b on a box. */
typedef struct convk_stencil_job_ {
  const convk_stencil_kernels_ *kernels;
  convk_stencil_cut_ cut;
  convk_stencil7_coefficients c;
  convk_grid3 grid;
  int boundary[3], isotropic;
  size_t whole[3], first[3], count[3], depth, span; /* whole: points that change, count: those of the box */
  ptrdiff_t left, right;                            /* of a row's first point: where the neighbours of its ends lie */
  const CONVK_T *a;
  CONVK_T *b;
  char *scratch;
} convk_stencil_job_;

/* One tile of a pass: rows y0 .. y1 - 1 of planes z0 .. z1 - 1 of b.  Level 0 is a, level `depth` is b.  The planes of the
   levels between wait in queues, row y0 - depth first; what they need around the tile is computed in each tile that needs
   it.  Of the planes that a level makes in a turn, the next level needs the last two in the next turn, too: they are kept, and
   two older ones take their places, which the level after that writes over. */
typedef struct convk_stencil_tile_ {
  const convk_stencil_job_ *job;
  CONVK_T *stage, *made[2][CONVK_STENCIL_PLANES_], *kept[CONVK_STENCIL_DEPTH_][2]; /* of even and odd levels; of each level */
  ptrdiff_t y0, y1, z0, z1;
  ptrdiff_t turn; /* plane turn - l is the first that level l makes in this turn */
} convk_stencil_tile_;

/* What a level computes on an axis, where the tile ends with begin .. end - 1. */
CONVK_LOCAL_ void convk_stencil_range_(const convk_stencil_job_ *job, int axis, size_t level, ptrdiff_t *begin,
                                       ptrdiff_t *end) {
  const ptrdiff_t more = (ptrdiff_t)(job->depth - level), first = (ptrdiff_t)job->first[axis];
  *begin -= more;
  *end += more;
  if (job->boundary[axis] == CONVK_BOUNDARY_PERIODIC) return;
  if (*begin < first) *begin = first;
  if (*end > first + (ptrdiff_t)job->count[axis]) *end = first + (ptrdiff_t)job->count[axis];
}

/* Row y of plane z of a. */
CONVK_LOCAL_ const CONVK_T *convk_stencil_input_(const convk_stencil_job_ *job, ptrdiff_t y, ptrdiff_t z) {
  return job->a + convk_wrap_(z, job->grid.nz) * job->grid.pitch_z + convk_wrap_(y, job->grid.ny) * job->grid.pitch_y +
         job->first[0];
}

/* Row y of plane z of a level's queue. */
CONVK_LOCAL_ CONVK_T *convk_stencil_queued_(const convk_stencil_tile_ *t, size_t level, ptrdiff_t y, ptrdiff_t z) {
  const ptrdiff_t p = z - t->turn + (ptrdiff_t)level;
  return (p < 0 ? t->kept[level][p + 2] : t->made[level & 1][p]) +
         (size_t)(y - t->y0 + (ptrdiff_t)t->job->depth) * t->job->cut.pitch;
}

/* Where the queues of a task lie: those of odd levels, then those of even ones, if there are any. */
CONVK_LOCAL_ void convk_stencil_place_(convk_stencil_tile_ *t, CONVK_T *queues) {
  const convk_stencil_cut_ *cut = &t->job->cut;
  size_t odd, l, p;
  for (odd = cut->depth < 3; odd < 2; odd++) {
    CONVK_T *next = odd ? queues : queues + cut->even;
    for (p = 0; p < cut->planes; p++, next += cut->plane) t->made[odd][p] = next;
    for (l = 2 - odd; l < cut->depth; l += 2, next += 2 * cut->plane) {
      t->kept[l][0] = next;
      t->kept[l][1] = next + cut->plane;
    }
  }
}

/* Keeps a level's last two planes of a turn, whose others nobody needs any more. */
CONVK_LOCAL_ void convk_stencil_keep_(convk_stencil_tile_ *t, size_t level) {
  CONVK_T **const kept = t->kept[level], **const made = t->made[level & 1];
  size_t i;
  for (i = 0; i < 2; i++) {
    const size_t end = t->job->cut.planes + i;
    CONVK_T **const last = end > 1 ? &made[end - 2] : &kept[1], *const old = kept[i];
    kept[i] = *last;
    *last = old;
  }
}

/* What is given around rows ya .. yb - 1 of plane z, which a level has computed. */
CONVK_LOCAL_ void convk_stencil_surround_(const convk_stencil_tile_ *t, size_t level, ptrdiff_t ya, ptrdiff_t yb, ptrdiff_t z) {
  const convk_stencil_job_ *job = t->job;
  const ptrdiff_t n = (ptrdiff_t)job->count[0], last = (ptrdiff_t)job->grid.ny - 1;
  const CONVK_T *plane = convk_stencil_input_(job, 0, z);
  CONVK_T *row = convk_stencil_queued_(t, level, ya, z);
  size_t at = convk_wrap_(ya, job->grid.ny);
  ptrdiff_t y;
  for (y = ya; y < yb; y++, row += job->cut.pitch) {
    const CONVK_T *from = job->boundary[0] == CONVK_BOUNDARY_PERIODIC ? row : plane + at * job->grid.pitch_y;
    row[-1] = CONVK_ONE_(from + job->left);
    row[n] = CONVK_ONE_(from + job->right);
    if (++at == job->grid.ny) at = 0;
  }
  if (job->boundary[1] == CONVK_BOUNDARY_PERIODIC) return;
  if (ya == 1) memcpy(convk_stencil_queued_(t, level, 0, z), convk_stencil_input_(job, 0, z), (size_t)n * sizeof *job->a);
  if (yb == last)
    memcpy(convk_stencil_queued_(t, level, last, z), convk_stencil_input_(job, last, z), (size_t)n * sizeof *job->a);
}

/* Computes planes z .. z + n - 1 of a level. */
CONVK_LOCAL_ void convk_stencil_step_(const convk_stencil_tile_ *t, size_t level, ptrdiff_t z, size_t n) {
  const convk_stencil_job_ *job = t->job;
  const ptrdiff_t ny = (ptrdiff_t)job->grid.ny, last = (ptrdiff_t)job->grid.nz - 1;
  const int ring = job->boundary[1] == CONVK_BOUNDARY_PERIODIC;
  convk_stencil_part_ part;
  ptrdiff_t ya = t->y0, yb = t->y1, y;
  size_t p;
  convk_stencil_range_(job, 1, level, &ya, &yb);
  part.c = job->c;
  part.isotropic = job->isotropic;
  part.left = level == 1 ? job->left : -1; /* queues have what lies beyond their rows */
  part.right = level == 1 ? job->right : (ptrdiff_t)job->count[0];
  part.stream = level == job->depth && job->cut.stream;
  part.ahead = level == 1 ? job->cut.ahead : 0;
  part.n = job->count[0];
  part.strip = level > 1 || !part.ahead ? job->cut.strip : part.n; /* memory gives whole rows faster */
  part.nplanes = n;
  part.stage = t->stage;
  part.stage_pitch = job->cut.pitch;
  part.out_pitch = level == job->depth ? job->grid.pitch_y : job->cut.pitch;
  for (y = ya; y < yb; y += (ptrdiff_t)part.nrows) {
    const ptrdiff_t at = ring ? (ptrdiff_t)convk_wrap_(y, job->grid.ny) : y;
    const CONVK_T *const row = convk_stencil_input_(job, y, 0);
    size_t end; /* what may be read of a plane's rows, and behind the last one */
    part.nrows = (size_t)(yb - y);
    if (ring && ny - at < yb - y) part.nrows = (size_t)(ny - at);
    end = (size_t)(row - job->a) + (part.nrows - 1) * job->grid.pitch_y + part.n + 1 + 64 / sizeof *job->a;
    part.over = 1;
    for (p = 0; p < n + 2; p++) {
      const ptrdiff_t zp = z + (ptrdiff_t)p - 1;
      const int input = level == 1 || (job->boundary[2] != CONVK_BOUNDARY_PERIODIC && (zp == 0 || zp == last));
      const size_t plane = input ? convk_wrap_(zp, job->grid.nz) * job->grid.pitch_z : 0;
      part.in[p] = input ? row + plane : convk_stencil_queued_(t, level - 1, y, zp);
      part.in_pitch[p] = input ? job->grid.pitch_y : job->cut.pitch;
      if (input && p > 0 && p <= n) part.over &= plane + end <= job->span;
    }
    part.row_minus = -(ptrdiff_t)part.in_pitch[1];
    part.row_plus = (ptrdiff_t)part.in_pitch[1];
    if (level == 1 && ring && at == 0) part.row_minus *= 1 - ny;
    if (level == 1 && ring && at + (ptrdiff_t)part.nrows == ny) part.row_plus *= 1 - ny;
    for (p = 0; p < n; p++) {
      const ptrdiff_t zp = z + (ptrdiff_t)p;
      part.out[p] = level < job->depth ? convk_stencil_queued_(t, level, y, zp)
                    : level == 1       ? job->b + (part.in[p + 1] - job->a)
                                       : job->b + (convk_stencil_input_(job, y, zp) - job->a);
    }
    convk_stencil_compute_(job->kernels, &part);
  }
  for (p = 0; p < n && level < job->depth; p++) convk_stencil_surround_(t, level, ya, yb, z + (ptrdiff_t)p);
}

/* A few planes at a time; each level follows the one before it by one plane.  Single sweeps in the cache to the array at the
   lower address go downwards: a program that sweeps to and fro finds near what it wrote last. */
CONVK_LOCAL_ void convk_stencil_sweep_(convk_stencil_tile_ *t) {
  const convk_stencil_job_ *job = t->job;
  const ptrdiff_t planes = (ptrdiff_t)job->cut.planes, depth = (ptrdiff_t)job->depth;
  const int down = depth == 1 && !job->cut.stream && (uintptr_t)job->a > (uintptr_t)job->b;
  ptrdiff_t begin[CONVK_STENCIL_DEPTH_ + 1], end[CONVK_STENCIL_DEPTH_ + 1], i, l, turns;
  for (l = 1; l <= depth; l++) {
    begin[l] = t->z0;
    end[l] = t->z1;
    convk_stencil_range_(job, 2, (size_t)l, &begin[l], &end[l]);
  }
  turns = (t->z1 + depth - begin[1] - 1 + planes - 1) / planes;
  for (i = 0; i < turns; i++) {
    t->turn = begin[1] + 1 + planes * (down ? turns - 1 - i : i);
    for (l = 1; l <= depth; l++) {
      ptrdiff_t from = t->turn - l, to = from + planes;
      if (from < begin[l]) from = begin[l];
      if (to > end[l]) to = end[l];
      if (from < to) convk_stencil_step_(t, (size_t)l, from, (size_t)(to - from));
      if (l > 1) convk_stencil_keep_(t, (size_t)l - 1);
    }
  }
}

/* Task `index` of a pass: its rows and planes of the box, in tiles of at most cut.rows rows; `arg` is the job. */
CONVK_LOCAL_ void convk_stencil_task_(void *arg, size_t index) {
  const convk_stencil_job_ *job = (const convk_stencil_job_ *)arg;
  const convk_stencil_cut_ *cut = &job->cut;
  const size_t iz = index / cut->tasks_y, iy = index % cut->tasks_y;
  const size_t begin = convk_part_(job->count[1], iy, cut->tasks_y), end = convk_part_(job->count[1], iy + 1, cut->tasks_y);
  const size_t tiles = (end - begin + cut->rows - 1) / cut->rows;
  convk_stencil_tile_ t;
  size_t i;
  t.job = job;
  t.stage = (CONVK_T *)(void *)(job->scratch ? job->scratch + index * cut->bytes : NULL);
  if (cut->depth > 1) convk_stencil_place_(&t, t.stage + cut->stage + 64 / sizeof(CONVK_T));
  t.z0 = (ptrdiff_t)(job->first[2] + convk_part_(job->count[2], iz, cut->tasks_z));
  t.z1 = (ptrdiff_t)(job->first[2] + convk_part_(job->count[2], iz + 1, cut->tasks_z));
  for (i = 0; i < tiles; i++) {
    t.y0 = (ptrdiff_t)(job->first[1] + begin + convk_part_(end - begin, i, tiles));
    t.y1 = (ptrdiff_t)(job->first[1] + begin + convk_part_(end - begin, i + 1, tiles));
    convk_stencil_sweep_(&t);
  }
  if (cut->stream) job->kernels->fence();
}

/* The shape of a call: its grid and the points of it that change. */
CONVK_RARE_ int convk_stencil_shape_(char *message, const convk_stencil7_shape *shape, convk_stencil_job_ *job) {
  int d, status;
  if (!shape) return convk_refuse_(message, CONVK_ERR_NULL, "shape is NULL");
  status = convk_grid_check_(message, "shape->grid", &shape->grid, sizeof(CONVK_T), &job->grid, &job->span);
  for (d = 0; d < 3 && !status; d++) {
    const size_t n = d == 0 ? job->grid.nx : d == 1 ? job->grid.ny : job->grid.nz;
    const int boundary = shape->boundary[d];
    if (boundary != CONVK_BOUNDARY_PERIODIC && boundary != CONVK_BOUNDARY_FIXED)
      return convk_refuse_at_(message, CONVK_ERR_BOUNDARY,
                              "shape->boundary[%] is %, neither CONVK_BOUNDARY_PERIODIC nor CONVK_BOUNDARY_FIXED", (int64_t)d,
                              boundary, 0);
    job->boundary[d] = boundary;
    job->first[d] = boundary == CONVK_BOUNDARY_FIXED && n > 2;
    job->whole[d] = job->count[d] = boundary != CONVK_BOUNDARY_FIXED ? n : n > 2 ? n - 2 : 0;
  }
  return status;
}

/* The coefficients of a call. */
CONVK_RARE_ int convk_stencil_weights_(char *message, const convk_stencil7_coefficients *c, convk_stencil_job_ *job) {
  static const char *const name[7] = {"centre", "x_minus", "x_plus", "y_minus", "y_plus", "z_minus", "z_plus"};
  CONVK_T w[7];
  size_t i;
  if (!c) return convk_refuse_(message, CONVK_ERR_NULL, "coefficients is NULL");
  memcpy(w, c, sizeof w);
  job->c = *c;
  job->isotropic = !memcmp(w + 1, w + 2, 5 * sizeof *w);
  for (i = 0; i < 7; i++)
    if (!convk_finite_(w[i]))
      return convk_refuse_names_(message, CONVK_ERR_NONFINITE, "coefficients->$ is not finite", name[i], NULL);
  return CONVK_OK;
}

/* Steps times points must be countable. */
CONVK_LOCAL_ int convk_stencil_steps_(char *message, const convk_stencil_job_ *job, size_t steps) {
  return convk_mul_(job->grid.nx * job->grid.ny * job->grid.nz, steps, &steps)
             ? convk_refuse_(message, CONVK_ERR_OVERFLOW, "steps times the points of shape->grid is too large")
             : CONVK_OK;
}

/* Narrows a checked job to a box of the points that change. */
CONVK_RARE_ int convk_stencil_box_(char *message, const convk_box3 *box, convk_stencil_job_ *job) {
  size_t d;
  if (!box) return convk_refuse_(message, CONVK_ERR_NULL, "box is NULL");
  for (d = 0; d < 3; d++) {
    const size_t first = box->first[d], count = box->count[d], end = job->first[d] + job->count[d];
    if (count && (first < job->first[d] || first > end || count > end - first))
      return convk_refuse_at_(message, CONVK_ERR_SIZE, "box->first[%] and box->count[%] go beyond the points that change",
                              (int64_t)d, (int64_t)d, 0);
    job->first[d] = first;
    job->count[d] = count;
  }
  return CONVK_OK;
}

/* All of a call of stencil7 but its arrays, and of stencil7_box. */
CONVK_RARE_ int convk_stencil7_check_(char *message, const convk_stencil7_shape *shape, const convk_stencil7_coefficients *c,
                                      size_t steps, convk_stencil_job_ *job) {
  int status = convk_stencil_shape_(message, shape, job);
  if (!status) status = convk_stencil_weights_(message, c, job);
  return status ? status : convk_stencil_steps_(message, job, steps);
}

CONVK_RARE_ int convk_stencil7_box_check_(char *message, const convk_stencil7_shape *shape,
                                          const convk_stencil7_coefficients *c, const convk_box3 *box,
                                          convk_stencil_job_ *job) {
  int status = convk_stencil_shape_(message, shape, job);
  if (!status) status = convk_stencil_weights_(message, c, job);
  return status ? status : convk_stencil_box_(message, box, job);
}

/* The arrays of a call.  box: of stencil7_box, which reads a, and has no result. */
CONVK_RARE_ int convk_stencil_arrays_check_(char *message, const convk_stencil_job_ *job, int box, const CONVK_T *a,
                                            const CONVK_T *b, const void *result, const void *work, size_t work_size) {
  const size_t bytes = job->span * sizeof(CONVK_T);
  convk_place_ place[4];
  place[0] = convk_place_of_("a", a, bytes, box ? 0 : CONVK_PLACE_WRITTEN_);
  place[1] = convk_place_of_("b", b, bytes, CONVK_PLACE_WRITTEN_);
  place[2] = convk_place_of_("work", work, work_size, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
  place[3] = convk_place_of_("result", result, sizeof(CONVK_T *), 0);
  return convk_places_check_(message, place, box ? 3 : 4);
}

/* Whether the points that do not change are the same bits in both arrays. */
CONVK_RARE_ int convk_stencil_rims_(char *message, const convk_stencil_job_ *job, const CONVK_T *a, const CONVK_T *b) {
  const convk_grid3 *g = &job->grid;
  const size_t s = sizeof(CONVK_T), end = g->nx - 1;
  size_t y, z;
  for (z = 0; z < g->nz; z++)
    for (y = 0; y < g->ny; y++) {
      const CONVK_T *p = a + z * g->pitch_z + y * g->pitch_y, *q = b + z * g->pitch_z + y * g->pitch_y;
      const int inside = job->count[0] && y - job->first[1] < job->count[1] && z - job->first[2] < job->count[2];
      if (inside ? job->first[0] && (memcmp(p, q, s) || memcmp(p + end, q + end, s)) : memcmp(p, q, g->nx * s))
        return convk_refuse_at_(message, CONVK_ERR_RIM, "b lacks fixed points of a: in row % of plane %", (int64_t)y,
                                (int64_t)z, 0);
    }
  return CONVK_OK;
}

/* `steps` steps on the job's box, from a to b and back; one step alone may have any box. */
CONVK_RARE_ int convk_stencil_all_steps_(convk *hw, convk_stencil_job_ *job, size_t steps, CONVK_T *a, CONVK_T *b, void *work,
                                         size_t work_size) {
  convk_work_ memory;
  size_t need, passes, p;
  int status = convk_stencil_cut_of_(hw, job->whole, job->count, steps, sizeof(CONVK_T), &job->cut, &need);
  if (status) return convk_refuse_(convk_message_(hw), status, "shape->grid is too large for work");
  if (!steps || !job->count[0] || !job->count[1] || !job->count[2]) return CONVK_OK;
  memory.own = memory.base = NULL;
  if (need) status = convk_work_begin_(convk_message_(hw), &memory, work, work_size, need);
  if (status) return status;
  job->scratch = memory.base;
  job->left = job->boundary[0] == CONVK_BOUNDARY_PERIODIC && !job->first[0] ? (ptrdiff_t)job->grid.nx - 1 : -1;
  job->right = (ptrdiff_t)job->count[0];
  if (job->boundary[0] == CONVK_BOUNDARY_PERIODIC && job->first[0] + job->count[0] == job->grid.nx)
    job->right = -(ptrdiff_t)job->first[0];
  passes = convk_stencil_passes_(steps, job->cut.depth);
  for (p = 0; p < passes && !status; p++) {
    job->depth = convk_stencil_pass_(steps, passes, p);
    job->a = p % 2 ? b : a;
    job->b = p % 2 ? a : b;
    status = convk_run_tasks_(hw, job->cut.tasks_y * job->cut.tasks_z, convk_stencil_task_, job);
  }
  convk_work_end_(&memory);
  return status;
}

CONVK_RARE_ int convk_stencil7_cpu_(const convk_stencil_kernels_ *kernels, convk *hw, const convk_stencil7_shape *shape,
                                    const convk_stencil7_coefficients *coefficients, size_t steps, CONVK_T *a, CONVK_T *b,
                                    CONVK_T **result, void *work, size_t work_size) {
  char *const message = hw ? hw->message : NULL; /* by name of a variant there may be none */
  convk_stencil_job_ job;
  int status = convk_stencil7_check_(message, shape, coefficients, steps, &job);
  if (!status) status = convk_stencil_arrays_check_(message, &job, 0, a, b, result, work, work_size);
  if (!status && steps > 1) status = convk_stencil_rims_(message, &job, a, b);
  job.kernels = kernels;
  if (!status) status = convk_stencil_all_steps_(hw, &job, steps, a, b, work, work_size);
  if (!status) *result = steps % 2 ? b : a;
  return status;
}

CONVK_RARE_ int convk_stencil7_box_cpu_(const convk_stencil_kernels_ *kernels, convk *hw, const convk_stencil7_shape *shape,
                                        const convk_stencil7_coefficients *coefficients, const convk_box3 *box,
                                        const CONVK_T *a, CONVK_T *b, void *work, size_t work_size) {
  char *const message = hw ? hw->message : NULL; /* by name of a variant there may be none */
  convk_stencil_job_ job;
  int status = convk_stencil7_box_check_(message, shape, coefficients, box, &job);
  if (!status) status = convk_stencil_arrays_check_(message, &job, 1, a, b, NULL, work, work_size);
  job.kernels = kernels;
  job.span = 0; /* nothing but the box and its neighbours is read: others may be writing beyond */
  return status ? status : convk_stencil_all_steps_(hw, &job, 1, (CONVK_T *)(uintptr_t)a, b, work, work_size);
}

/* ---- public operations ---- */

CONVK_API_ convk_stencil7_coefficients convk_stencil7_isotropic(CONVK_T c0, CONVK_T c1) {
  convk_stencil7_coefficients c;
  c.centre = c0;
  c.x_minus = c.x_plus = c.y_minus = c.y_plus = c.z_minus = c.z_plus = c1;
  return c;
}

/* What size queries of processors and devices check. */
CONVK_RARE_ int convk_stencil7_size_check_(char *message, const convk_stencil7_shape *shape, size_t steps, const size_t *bytes,
                                           convk_stencil_job_ *job) {
  int status = convk_stencil_shape_(message, shape, job);
  if (!status) status = convk_stencil_steps_(message, job, steps);
  return !status && !bytes ? convk_refuse_(message, CONVK_ERR_NULL, "bytes is NULL") : status;
}

CONVK_API_ int convk_stencil7_work_size(convk *hw, const convk_stencil7_shape *shape, size_t steps, size_t *bytes) {
  convk_stencil_job_ job;
  size_t max_bytes = 0;
  int status = hw ? convk_begin_call_(hw) : CONVK_OK;
  char *const message = hw && !status ? hw->message : NULL;
  if (!status) status = convk_stencil7_size_check_(message, shape, steps, bytes, &job);
  if (!status && !(hw && hw->ours.inside.device) && convk_stencil_bound_(hw, job.count, steps, sizeof(CONVK_T), &max_bytes))
    status = convk_refuse_(message, CONVK_ERR_OVERFLOW, "shape->grid is too large for work");
  if (!status) *bytes = max_bytes;
  return status;
}
