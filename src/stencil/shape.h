#if CONVK_HAS_STENCIL_
enum {
  CONVK_STENCIL_DEPTH_ = 16, /* most steps in one pass over memory, that can be asked for */
  /* bytes of a row, of which the 18 rows that 4 planes take from row to row stay in L1: strips of rows of 4 KB, which did not,
     ran 1.4 times as fast in L2 */
  CONVK_STENCIL_STRIP_ = 1536,
  CONVK_STENCIL_AHEAD_ = 1024 /* bytes by which the input is prefetched past the caches: 16 lines.  No measurement is kept */
};
/* Rows of a tile: the fewest of single sweeps, which read 2 more for each tile; the most and the fewest of several steps, which
   read and make 2 more for each step.  No measurement is kept. */
#define CONVK_STENCIL_LEAST_ ((size_t)32)
#define CONVK_STENCIL_MOST_ ((size_t)96)
#define CONVK_STENCIL_FEW_ ((size_t)8)

/* How a call is cut: task (z, y) of tasks_z x tasks_y sweeps its box in tiles of `rows` rows, `depth` steps in one pass,
   `planes` planes at a time. */
typedef struct convk_stencil_cut_ {
  size_t depth, rows, planes, tasks_y, tasks_z;
  size_t pitch, plane, level; /* of the queues: elements between rows, planes and levels */
  size_t stage;               /* offset of the queues behind the stage in a task's scratch, in elements */
  size_t bytes;               /* of one task's scratch */
  size_t strip;               /* elements of long rows that are swept through all rows of a tile before the next */
  size_t ahead;               /* elements by which the input is prefetched, or 0 */
  int stream;                 /* the result bypasses the caches */
} convk_stencil_cut_;

/* How the rows of a tile are cut in x, in points:

     0       begin            aligned                safe      stop
     | wraps | parts of vectors | whole vectors ...... | parts ... |

   begin     1 where the neighbour of point 0 lies at the other end of the row, else 0
   aligned   where a line of the cache begins in the output
   safe      to where there is a vector, and what it looks ahead
   stop      an aligned point again, or `end`, behind which a last point may wrap
   Strips after the first begin where the one before them stopped. */
typedef struct convk_stencil_span_ {
  size_t begin, end, strip; /* strip: points from an aligned one to the stop */
  size_t most;              /* the least of this and stop is safe */
} convk_stencil_span_;

CONVK_LOCAL_ size_t convk_wrap_(ptrdiff_t i, size_t n) {
  if (i >= 0 && i < (ptrdiff_t)n) return (size_t)i; /* divisions take their time where a call is short */
  i %= (ptrdiff_t)n;
  return (size_t)(i < 0 ? i + (ptrdiff_t)n : i);
}

/* Where part i of n begins, of `parts` parts that differ by one at most. */
CONVK_LOCAL_ size_t convk_part_(size_t n, size_t i, size_t parts) { return n / parts * i + (i < n % parts ? i : n % parts); }

/* Passes over memory for `steps` steps, of at most `depth` each: as many as make the result end in the first of two arrays
   after an even number of steps, in the second after an odd one.  And the steps of pass p. */
CONVK_LOCAL_ size_t convk_stencil_passes_(size_t steps, size_t depth) {
  const size_t passes = convk_ceil_(steps, depth);
  return passes + ((passes ^ steps) & 1);
}
CONVK_LOCAL_ size_t convk_stencil_pass_(size_t steps, size_t passes, size_t p) { return steps / passes + (p < steps % passes); }

/* Least bytes of updates in a task: about 4 microseconds, several times what it takes to wake a thread that waits for work. */
#define CONVK_STENCIL_TASK_ ((size_t)3 << 16)

/* A box of `count` points among `threads`, in planes or rows, whichever leaves a thread less; steps in one pass make neighbours
   overlap. */
CONVK_RARE_ void convk_stencil_tasks_(size_t threads, size_t asked, const size_t count[3], size_t depth,
                                      convk_stencil_cut_ *cut) {
  size_t y, best = (size_t)-1;
  cut->tasks_y = cut->tasks_z = 1;
  if (threads <= 1) return;
  if (asked > threads) asked = threads;
  if (asked > count[1]) asked = count[1];
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

/* Threads that a pass of so many steps on so many bytes is worth: a small one stays on the caller's. */
CONVK_LOCAL_ size_t convk_stencil_threads_(size_t threads, size_t bytes, size_t depth) {
  const size_t worth = threads > 1 ? bytes / (CONVK_STENCIL_TASK_ / depth) : 1;
  return threads < worth ? threads : worth ? worth : 1;
}

/* Steps in one pass and rows of a tile, for rows of `row` bytes and two arrays of `both`.  Arrays near the threads: single
   sweeps; beyond: as many steps, up to 6, from L3 to L2 up to 4, as leave the queues wide tiles.  Queues get three quarters of
   an L3, but half of an L2: that holds the planes of the input, too, and what else passes on its way from memory.  Single
   sweeps take as many rows as leave the 8 planes of a turn in L2, but tiles of few rows read too much twice. */
CONVK_RARE_ void convk_stencil_depth_(const convk_tuning *t, size_t threads, size_t steps, size_t row, size_t both,
                                      convk_stencil_cut_ *cut) {
  const size_t near_bytes = convk_cache_near_(t, threads);
  const int in_l2 = near_bytes == convk_cache_l2_(t);
  const size_t queues = in_l2 ? near_bytes / 2 : near_bytes / 4 * 3;
  size_t rows = (size_t)-1;
  cut->depth = t->stencil_steps;
  if (!cut->depth) cut->depth = !convk_cache_exceeds_(both, threads, near_bytes) ? 1 : in_l2 && !cut->stream ? 4 : 6;
  if (cut->depth > CONVK_STENCIL_DEPTH_) cut->depth = CONVK_STENCIL_DEPTH_;
  if (cut->depth > steps) cut->depth = steps ? steps : 1;
  for (; cut->depth > 1; cut->depth--) {
    const size_t around = 2 * cut->depth, fit = queues / ((cut->depth - 1) * (cut->planes + 2)) / row;
    rows = fit > around + CONVK_STENCIL_FEW_ ? fit - around : CONVK_STENCIL_FEW_;
    if (rows > CONVK_STENCIL_MOST_) rows = CONVK_STENCIL_MOST_;
    if (t->stencil_steps || rows >= 4 * cut->depth) break;
  }
  if (cut->depth == 1 && both >= near_bytes / 4 * 3) {
    rows = convk_cache_l2_(t) / 8 / row;
    if (rows < CONVK_STENCIL_LEAST_) rows = CONVK_STENCIL_LEAST_;
  }
  cut->rows = t->stencil_rows ? t->stencil_rows : rows;
}

/* How the queues of planes lie: elements between rows, `pitch`, planes, `plane`, and levels, `level`.  A row begins a line
   behind what lies left of it, and an odd number of lines after the one before: rows do not share cache sets.
   Loads that follow a store to the same place of another page (4 KiB) wait for it on some processors, so that the rows of all
   planes that one step reads lie side by side in the page, and those that it writes half a page away. */
CONVK_RARE_ int convk_stencil_queues_(size_t nx, size_t element, convk_stencil_cut_ *cut) {
  const size_t unit = 64 / element, page = 64;
  size_t lines = (nx * element / 64 + 2) | 1, plane, level;
  if (lines % page >= page / 4 * 3) lines += page + 1 - lines % page; /* long rows: a line on in the page */
  if (convk_mul_(lines, cut->rows + 2 * cut->depth, &plane) || plane > (size_t)-1 / 64 / 64) return CONVK_ERR_OVERFLOW;
  plane += (page + 3 - plane % page) % page;
  if (convk_mul_(plane, cut->planes + 2, &level) || level > (size_t)-1 / 64 / 64) return CONVK_ERR_OVERFLOW;
  level += (page + page / 2 - level % page) % page;
  cut->pitch = lines * unit;
  cut->plane = plane * unit;
  cut->level = level * unit;
  return CONVK_OK;
}

/* The cut for a box of `count` points of the `whole` that changes, whose tuning it takes. */
CONVK_RARE_ int convk_stencil_cut_of_(convk *hw, const size_t whole[3], const size_t count[3], size_t steps, size_t element,
                                      convk_stencil_cut_ *cut, size_t *need) {
  size_t threads = convk_threads_(hw), points, both, total;
  convk_tuning tuning;
  memset(cut, 0, sizeof *cut);
  *need = 64;
  if (!count[0] || !count[1] || !count[2]) return CONVK_OK;
  tuning = convk_tuning_for_(hw, "stencil7", element, whole, steps);
  if (count[0] > (size_t)-1 / 64 || convk_mul_(count[0], count[1], &points) || convk_mul_(points, count[2], &points) ||
      convk_mul_(points, 2 * element, &both))
    return CONVK_ERR_OVERFLOW;
  cut->planes = CONVK_STENCIL_PLANES_;
  if (tuning.stencil_planes && tuning.stencil_planes < cut->planes) cut->planes = tuning.stencil_planes;
  cut->stream = convk_cache_past_(&tuning, threads, both);
  cut->ahead = cut->stream ? CONVK_STENCIL_AHEAD_ / element : 0;
  if (tuning.stencil_prefetch) cut->ahead = tuning.stencil_prefetch > 0 ? (size_t)tuning.stencil_prefetch : 0;
  cut->strip = CONVK_STENCIL_STRIP_ / element;
  if (count[0] <= cut->strip / 3 * 4) cut->strip = count[0];
  convk_stencil_depth_(&tuning, threads, steps, count[0] * element + 128, both, cut);
  if (cut->rows > count[1]) cut->rows = count[1];
  if (!tuning.stencil_threads_y) threads = convk_stencil_threads_(threads, both / 2, cut->depth);
  convk_stencil_tasks_(threads, tuning.stencil_threads_y, count, cut->depth, cut);
  if ((cut->stream || cut->depth > 1) && convk_stencil_queues_(count[0], element, cut)) return CONVK_ERR_OVERFLOW;
  cut->stage = cut->stream ? cut->planes * cut->pitch : 0;
  if (convk_mul_(cut->depth - 1, cut->level * element, &total) || total > (size_t)-1 / 4) return CONVK_ERR_OVERFLOW;
  cut->bytes = cut->stream || cut->depth > 1 ? total + cut->stage * element + 64 : 0;
  if (threads > 1) points /= count[0]; /* rows: no task has less than one */
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

CONVK_API_ int convk_first_touch(convk *hw, const convk_grid3 *grid, size_t element, void *array) {
  convk_touch_ job;
  size_t span, count[3];
  int status = convk_begin_call_(hw);
  memset(&job, 0, sizeof job);
  if (!status && !array) status = CONVK_ERR_NULL;
  if (!status && !element) status = CONVK_ERR_SIZE;
  if (!status) status = convk_grid_check_(NULL, "grid", grid, element, &job.grid, &span);
  if (status) return status;
  count[0] = grid->nx;
  count[1] = grid->ny;
  count[2] = grid->nz;
  convk_stencil_tasks_(convk_threads_(hw), hw->tuning.stencil_threads_y, count, 1, &job.cut);
  job.element = element;
  job.array = (char *)array;
  return convk_run_(hw, job.cut.tasks_y * job.cut.tasks_z, convk_touch_task_, &job);
}
#endif
