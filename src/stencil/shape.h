
enum { CONVK_STENCIL_DEPTH_ = 16 }; /* most steps in one pass over memory */

/* How a call is cut: task (z, y) of tasks_z x tasks_y sweeps its box in tiles of `rows` rows, `depth` steps in one pass,
   `planes` planes at a time. */
typedef struct convk_stencil_cut_ {
  size_t depth, rows, planes, tasks_y, tasks_z;
  size_t pitch, reach; /* of the queues: elements between rows, and rows of a plane: rows + 2 depth */
  size_t stage;        /* offset of the queues behind the stage in a task's scratch, in elements */
  size_t bytes;        /* of one task's scratch */
  size_t ahead;        /* elements by which the input is prefetched, or 0 */
  int stream;          /* the result bypasses the caches */
} convk_stencil_cut_;

CONVK_LOCAL_ size_t convk_wrap_(ptrdiff_t i, size_t n) {
  i %= (ptrdiff_t)n;
  return (size_t)(i < 0 ? i + (ptrdiff_t)n : i);
}

/* Where part i of n begins, of `parts` parts that differ by one at most. */
CONVK_LOCAL_ size_t convk_part_(size_t n, size_t i, size_t parts) { return n / parts * i + (i < n % parts ? i : n % parts); }

/* Passes over memory for `steps` steps, of at most `depth` each: as many as make the result end in the first of two arrays after
   an even number of steps, in the second after an odd one.  And the steps of pass p. */
CONVK_LOCAL_ size_t convk_stencil_passes_(size_t steps, size_t depth) {
  const size_t passes = convk_ceil_(steps, depth);
  return passes + ((passes ^ steps) & 1);
}
CONVK_LOCAL_ size_t convk_stencil_pass_(size_t steps, size_t passes, size_t p) { return steps / passes + (p < steps % passes); }

/* A box of `count` points among the threads, in planes or rows, whichever leaves a thread less; steps in one pass make
   neighbours overlap. */
CONVK_RARE_ void convk_stencil_tasks_(const convk *hw, size_t asked, const size_t count[3], size_t depth,
                                      convk_stencil_cut_ *cut) {
  const size_t threads = convk_threads_(hw);
  size_t y, best = (size_t)-1;
  if (asked > threads) asked = threads;
  if (asked > count[1]) asked = count[1];
  cut->tasks_y = cut->tasks_z = 1;
  for (y = 1; y <= threads && y <= count[1]; y++) {
    size_t z = threads / y, planes, rows;
    if (z > count[2]) z = count[2];
    planes = convk_ceil_(count[2], z) + (z > 1 ? depth - 1 : 0);
    rows = convk_ceil_(count[1], y) + (y > 1 ? depth - 1 : 0);
    if (asked ? y == asked : planes * rows < best) {
      best = planes * rows;
      cut->tasks_y = y;
      cut->tasks_z = z;
    }
  }
}

/* The cut for a box of `count` points of the `whole` that changes, whose tuning it takes. */
CONVK_RARE_ int convk_stencil_cut_of_(const convk *hw, const size_t whole[3], const size_t count[3], size_t steps,
                                      size_t element, convk_stencil_cut_ *cut, size_t *need) {
  const size_t unit = 64 / element, threads = convk_threads_(hw);
  size_t l2, l3, sharing, share, row, points, both, total;
  convk_tuning tuning;
  memset(cut, 0, sizeof *cut);
  *need = 64;
  if (!count[0] || !count[1] || !count[2]) return CONVK_OK;
  tuning = convk_tuning_for_(hw, "stencil7", element, whole, steps);
  l2 = tuning.l2_bytes ? tuning.l2_bytes : 512 * 1024;
  l3 = tuning.l3_bytes ? tuning.l3_bytes : 4 * l2;
  sharing = tuning.l3_threads && tuning.l3_threads < threads ? tuning.l3_threads : threads;
  share = l3 / 2 / sharing > l2 / 4 * 3 ? l3 / 2 / sharing : l2 / 4 * 3; /* of the caches, for one thread's queues */
  if (count[0] > (size_t)-1 / 64 || convk_mul_(count[0], count[1], &points) || convk_mul_(points, count[2], &points) ||
      convk_mul_(points, 2 * element, &both))
    return CONVK_ERR_OVERFLOW;
  cut->pitch = ((count[0] + unit) / unit + 1) * unit; /* a line before each row, for what lies left of it */
  if (cut->pitch / unit % 2 == 0) cut->pitch += unit; /* an odd number of lines: rows do not share cache sets */
  row = cut->pitch * element;
  cut->planes = CONVK_STENCIL_PLANES_;
  if (tuning.stencil_planes && tuning.stencil_planes < cut->planes) cut->planes = tuning.stencil_planes;
  cut->stream = tuning.nontemporal ? tuning.nontemporal > 0 : tuning.l3_bytes && both > l3 / 4 * 3;
  cut->ahead = cut->stream ? 1024 / element : 0;
  if (tuning.stencil_prefetch) cut->ahead = tuning.stencil_prefetch > 0 ? (size_t)tuning.stencil_prefetch : 0;
  /* arrays in the cache: single sweeps; beyond: as many steps, up to 6, as leave the queues wide tiles */
  cut->depth = tuning.stencil_steps ? tuning.stencil_steps : both > l3 / 4 * 3 ? 6 : 1;
  if (cut->depth > CONVK_STENCIL_DEPTH_) cut->depth = CONVK_STENCIL_DEPTH_;
  if (cut->depth > steps) cut->depth = steps ? steps : 1;
  for (;; cut->depth--) {
    const size_t around = 2 * cut->depth, planes = cut->depth > 1 ? (cut->depth - 1) * (cut->planes + 2) : 8;
    const size_t most = share / planes / row, rows = most > around + 8 ? most - around : 8;
    cut->rows = tuning.stencil_rows ? tuning.stencil_rows : cut->depth > 1 && rows > 96 ? 96 : rows;
    if (cut->depth == 1 || tuning.stencil_steps || rows >= 4 * cut->depth) break;
  }
  if (cut->rows > count[1]) cut->rows = count[1];
  convk_stencil_tasks_(hw, tuning.stencil_threads_y, count, cut->depth, cut);
  cut->reach = cut->rows + 2 * cut->depth;
  cut->stage = cut->stream ? cut->planes * cut->pitch : 0;
  if (convk_mul_((cut->depth - 1) * (cut->planes + 2), cut->reach, &total) || convk_mul_(total, row, &total) ||
      total > (size_t)-1 / 4)
    return CONVK_ERR_OVERFLOW;
  cut->bytes = total + cut->stage * element + 64;
  points /= count[0]; /* rows: no task has less than one */
  if (convk_mul_(cut->bytes, points < threads ? points : threads, need) || *need > (size_t)-1 / 2) return CONVK_ERR_OVERFLOW;
  *need += 64;
  return CONVK_OK;
}

typedef struct convk_touch_ {
  convk_grid3 grid;
  size_t element;
  convk_stencil_cut_ cut;
  char *array;
} convk_touch_;

CONVK_LOCAL_ void convk_touch_task_(void *arg, size_t index) {
  const convk_touch_ *job = (const convk_touch_ *)arg;
  const convk_stencil_cut_ *cut = &job->cut;
  const size_t iz = index / cut->tasks_y, iy = index % cut->tasks_y, end = convk_part_(job->grid.nz, iz + 1, cut->tasks_z);
  size_t y, z;
  for (z = convk_part_(job->grid.nz, iz, cut->tasks_z); z < end; z++)
    for (y = convk_part_(job->grid.ny, iy, cut->tasks_y); y < convk_part_(job->grid.ny, iy + 1, cut->tasks_y); y++)
      memset(job->array + (z * job->grid.pitch_z + y * job->grid.pitch_y) * job->element, 0, job->grid.nx * job->element);
}

CONVK_API_ int convk_first_touch(const convk *hw, const convk_grid3 *grid, size_t element, void *array) {
  convk_touch_ job;
  size_t span, count[3];
  int status = convk_check_handle_(hw);
  memset(&job, 0, sizeof job);
  if (!status && !array) status = CONVK_ERR_NULL;
  if (!status && !element) status = CONVK_ERR_SIZE;
  if (!status) status = convk_grid_check_(grid, element, &job.grid, &span);
  if (status) return status;
  count[0] = grid->nx;
  count[1] = grid->ny;
  count[2] = grid->nz;
  convk_stencil_tasks_(hw, hw->tuning.stencil_threads_y, count, 1, &job.cut);
  job.element = element;
  job.array = (char *)array;
  return convk_run_(hw, job.cut.tasks_y * job.cut.tasks_z, convk_touch_task_, &job);
}
