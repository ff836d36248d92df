enum {
  CONVK_STENCIL_DEPTH_ = 16, /* most steps in one pass over memory, that can be asked for */
  /* bytes of a row, of which the 18 rows that 4 planes take from row to row stay in L1: strips of rows of 4 KB, which did not,
     ran 1.4 times as fast in L2 */
  CONVK_STENCIL_STRIP_ = 1536,
  /* bytes by which the input is prefetched past the caches, 16 lines: with 4 or more than 32, several steps are a tenth slower.
     A second prefetch, 64 lines ahead, cost 4 to 10%; one of what the next planes need, by later steps, 2 to 15% */
  CONVK_STENCIL_AHEAD_ = 1024
};
/* Rows of a tile: the fewest of single sweeps, which read 2 more for each tile; the most and the fewest of several steps, which
   read and make 2 more for each step.  No measurement is kept. */
#define CONVK_STENCIL_LEAST_ ((size_t)32)
#define CONVK_STENCIL_MAX_ROWS_ ((size_t)96)
#define CONVK_STENCIL_MIN_ROWS_ ((size_t)8)

/* How a call is cut: task (z, y) of tasks_z x tasks_y sweeps its box in tiles of `rows` rows, `depth` steps in one pass,
   `planes` planes at a time. */
typedef struct convk_stencil_cut_ {
  size_t depth, rows, planes, tasks_y, tasks_z;
  size_t pitch, plane, even; /* of the queues: elements between rows and planes, and before those of even levels */
  size_t stage;              /* elements of the stage; the queues begin a line (64 bytes) behind it, room for what lies left of
                                 a row */
  size_t bytes;              /* of one task's scratch */
  size_t strip;              /* elements of long rows that are swept through all rows of a tile before the next */
  size_t ahead;              /* elements by which the input is prefetched, or 0 */
  int stream;                /* the result bypasses the caches */
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
  size_t safe_end;          /* the least of this and stop is safe */
} convk_stencil_span_;

CONVK_LOCAL_ size_t convk_wrap_(ptrdiff_t i, size_t n) {
  if (i >= 0 && i < (ptrdiff_t)n) return (size_t)i; /* divisions take their time where a call is short */
  i %= (ptrdiff_t)n;
  return (size_t)(i < 0 ? i + (ptrdiff_t)n : i);
}

/* Passes over memory for `steps` steps, of at most `depth` each: as many as make the result end in the first of two arrays
   after an even number of steps, in the second after an odd one.  And the steps of pass p. */
CONVK_LOCAL_ size_t convk_stencil_passes_(size_t steps, size_t depth) {
  const size_t passes = convk_ceil_(steps, depth);
  return passes + ((passes ^ steps) & 1);
}
CONVK_LOCAL_ size_t convk_stencil_pass_(size_t steps, size_t passes, size_t p) { return steps / passes + (p < steps % passes); }

/* Least bytes of updates in a task: about 4 microseconds, several times what it takes to wake a thread that waits for work. */
#define CONVK_STENCIL_TASK_ ((size_t)3 << 16)

/* Threads that a pass of so many steps on so many bytes is worth: a small one stays on the caller's. */
CONVK_LOCAL_ size_t convk_stencil_threads_(size_t threads, size_t bytes, size_t depth) {
  const size_t worth = threads > 1 ? bytes / (CONVK_STENCIL_TASK_ / depth) : 1;
  return threads < worth ? threads : worth ? worth : 1;
}

/* How many of the steps on two arrays of `both` bytes are made in one pass: at most as many as this, which smaller arrays never
   exceed.  Arrays near the threads: single sweeps; beyond: up to 6. */
CONVK_LOCAL_ size_t convk_stencil_max_depth_(const convk_tuning *t, size_t threads, size_t steps, size_t both) {
  size_t depth = t->stencil_steps;
  if (!depth) depth = convk_cache_exceeds_(both, threads, convk_cache_near_(t, threads)) ? 6 : 1;
  if (depth > CONVK_STENCIL_DEPTH_) depth = CONVK_STENCIL_DEPTH_;
  return depth > steps ? steps ? steps : 1 : depth;
}

/* Most bytes of a thread's queues in an L3, of which cpuid may tell more than a guest gets.  Where L3 was slow, 5 to 6 steps in
   a pass on 256^3 were, with 4.3; 3.1; 2.2 MB, 1.09; 1.18; 1.41 times as fast as single sweeps in avx2 and 1.29; 1.44; 1.72
   times in avx512, on 512 x 512 x 256 1.09; 1.18; 1.25 and 1.09; 1.18; 1.33 times.  Wider tiles gain little where L3 is fast:
   of 43 rows in place of 21, 5 steps compute 9% less. */
#define CONVK_STENCIL_QUEUES_ ((size_t)1 << 21)

/* Planes in the queues of the levels between `depth` steps: two of each, and what two of them make in a turn. */
CONVK_LOCAL_ size_t convk_stencil_queued_planes_(size_t depth, size_t planes) {
  return 2 * (depth - 1) + (depth > 2 ? 2 : 1) * planes;
}

/* Rows of `row` bytes that the queues of so many steps in one pass have room for, the tile's and those around it.  Queues get
   three quarters of the cache that is near: half of an L2 of 2 MiB was up to 9% slower, all of it 2% faster to 10% slower. */
CONVK_LOCAL_ size_t convk_stencil_room_(const convk_tuning *t, size_t threads, size_t depth, size_t planes, size_t row) {
  size_t bytes = convk_cache_near_(t, threads) / 4 * 3;
  if (bytes > CONVK_STENCIL_QUEUES_) bytes = CONVK_STENCIL_QUEUES_;
  return bytes / convk_stencil_queued_planes_(depth, planes) / row;
}

/* Steps in one pass and rows of a tile, for rows of `row` bytes and two arrays of `both`: as many steps as leave the queues
   wide tiles.  Single sweeps take as many rows as leave the 8 planes of a turn in L2, but tiles of few rows read too much
   twice. */
CONVK_RARE_ void convk_stencil_depth_(const convk_tuning *t, size_t threads, size_t steps, size_t row, size_t both,
                                      convk_stencil_cut_ *cut) {
  size_t rows = (size_t)-1;
  cut->depth = convk_stencil_max_depth_(t, threads, steps, both);
  for (; cut->depth > 1; cut->depth--) {
    const size_t around = 2 * cut->depth, fit = convk_stencil_room_(t, threads, cut->depth, cut->planes, row);
    rows = fit > around + CONVK_STENCIL_MIN_ROWS_ ? fit - around : CONVK_STENCIL_MIN_ROWS_;
    if (rows > CONVK_STENCIL_MAX_ROWS_) rows = CONVK_STENCIL_MAX_ROWS_;
    if (t->stencil_steps || rows >= 4 * cut->depth) break;
  }
  if (cut->depth == 1 && both >= convk_cache_near_(t, threads) / 4 * 3) {
    rows = convk_cache_l2_(t) / 8 / row;
    if (rows < CONVK_STENCIL_LEAST_) rows = CONVK_STENCIL_LEAST_;
  }
  cut->rows = t->stencil_rows ? t->stencil_rows : rows;
}

/* How the queues of planes lie: elements between rows, `pitch`, and planes, `plane`, and before the planes of even levels,
   `even`.  A row begins a line behind what lies left of it, and an odd number of lines after the one before: rows do not
   share cache sets.
   Loads that follow a store to the same place of another page (4 KiB) wait for it on some processors, so that the rows of all
   planes that one step reads lie side by side in the page, and those that it writes half a page away. */
CONVK_RARE_ int convk_stencil_queues_(size_t nx, size_t element, convk_stencil_cut_ *cut) {
  const size_t unit = 64 / element, page = 64;
  size_t lines = (nx * element / 64 + 2) | 1, plane, even;
  if (lines % page >= page / 4 * 3) lines += page + 1 - lines % page; /* long rows: a line on in the page */
  if (convk_mul_(lines, cut->rows + 2 * cut->depth, &plane) || plane > (size_t)-1 / 64 / 64) return CONVK_ERR_OVERFLOW;
  plane += (page + 3 - plane % page) % page;
  if (convk_mul_(plane, cut->planes + cut->depth / 2 * 2, &even) || even > (size_t)-1 / 64 / 64) return CONVK_ERR_OVERFLOW;
  even += (page + page / 2 - even % page) % page;
  cut->pitch = lines * unit;
  cut->plane = plane * unit;
  cut->even = even * unit;
  return CONVK_OK;
}

/* Where the queues and the stage of a task lie, and the bytes of both. */
CONVK_RARE_ int convk_stencil_scratch_(size_t nx, size_t element, convk_stencil_cut_ *cut) {
  const size_t even = convk_stencil_queued_planes_(cut->depth, cut->planes) - cut->planes - cut->depth / 2 * 2;
  size_t total;
  cut->stage = cut->bytes = 0;
  if (!cut->stream && cut->depth <= 1) return CONVK_OK;
  if (convk_stencil_queues_(nx, element, cut)) return CONVK_ERR_OVERFLOW;
  cut->stage = cut->stream ? cut->planes * cut->pitch : 0;
  if (convk_mul_(even, cut->plane * element, &total) || total > (size_t)-1 / 4) return CONVK_ERR_OVERFLOW;
  if (cut->depth > 1) total += cut->even * element;
  cut->bytes = total + cut->stage * element + 64;
  return CONVK_OK;
}

/* How many planes are swept together, and whether what is written, of two arrays of `both` bytes, goes past the caches. */
CONVK_LOCAL_ void convk_stencil_way_(const convk_tuning *t, size_t threads, size_t both, convk_stencil_cut_ *cut) {
  cut->planes = CONVK_STENCIL_PLANES_;
  if (t->stencil_planes && t->stencil_planes < cut->planes) cut->planes = t->stencil_planes;
  cut->stream = convk_cache_past_(t, threads, both);
}

/* Points of a box, and bytes of two arrays of them. */
CONVK_LOCAL_ int convk_stencil_extent_(const size_t count[3], size_t element, size_t *points, size_t *both) {
  return count[0] > (size_t)-1 / 64 || convk_mul_(count[0], count[1], points) || convk_mul_(*points, count[2], points) ||
                 convk_mul_(*points, 2 * element, both)
             ? CONVK_ERR_OVERFLOW
             : CONVK_OK;
}

/* The cut for a box of `count` points of the `whole` that changes, whose tuning it takes. */
CONVK_RARE_ int convk_stencil_cut_of_(convk *hw, const size_t whole[3], const size_t count[3], size_t steps, size_t element,
                                      convk_stencil_cut_ *cut, size_t *need) {
  size_t threads = convk_threads_(hw), points, both, rows;
  const convk_tuning *tuning;
  convk_tuning own;
  convk_clear_(cut, sizeof *cut);
  *need = 0;
  if (!count[0] || !count[1] || !count[2]) return CONVK_OK;
  tuning = convk_tuning_for_(hw, "stencil7", element, whole, steps, &own);
  if (convk_stencil_extent_(count, element, &points, &both)) return CONVK_ERR_OVERFLOW;
  convk_stencil_way_(tuning, threads, both, cut);
  cut->ahead = cut->stream ? CONVK_STENCIL_AHEAD_ / element : 0;
  if (tuning->stencil_prefetch) cut->ahead = tuning->stencil_prefetch > 0 ? (size_t)tuning->stencil_prefetch : 0;
  cut->strip = CONVK_STENCIL_STRIP_ / element;
  if (count[0] <= cut->strip / 3 * 4) cut->strip = count[0];
  convk_stencil_depth_(tuning, threads, steps, count[0] * element + 128, both, cut);
  if (cut->rows > count[1]) cut->rows = count[1];
  if (!tuning->stencil_threads_y) threads = convk_stencil_threads_(threads, both / 2, cut->depth);
  convk_grid_parts_(threads, tuning->stencil_threads_y, count, cut->depth - 1, &cut->tasks_y, &cut->tasks_z);
  if (convk_stencil_scratch_(count[0], element, cut)) return CONVK_ERR_OVERFLOW;
  if (!cut->bytes) return CONVK_OK;
  rows = count[1] * count[2]; /* no task has less than one */
  if (convk_mul_(cut->bytes, rows < threads ? rows : threads, need) || *need > (size_t)-1 / 2) return CONVK_ERR_OVERFLOW;
  *need += 64;
  return CONVK_OK;
}

/* Raises *max_bytes to the work that one tuning takes for the box, and for every smaller one with as many steps or fewer.
   Of every depth: the queues of wide rows have room for fewer, so that a tile of `low` rows is at most as wide as leaves room
   for them.  Heights go by quarters.
     width of rows |
              nx   |------+
                   |      +---+
                   |          +-----+
                   +------------------- height of a tile */
CONVK_RARE_ int convk_stencil_bound_with_(const convk_tuning *t, size_t threads, const size_t count[3], size_t steps,
                                          size_t element, size_t *max_bytes) {
  convk_stencil_cut_ cut;
  size_t points, both, deepest, low, high, rows = 0, need;
  memset(&cut, 0, sizeof cut);
  if (convk_stencil_extent_(count, element, &points, &both)) return CONVK_ERR_OVERFLOW;
  convk_stencil_way_(t, threads, both, &cut);
  deepest = convk_stencil_max_depth_(t, threads, steps, both);
  for (cut.depth = cut.stream ? 1 : 2; cut.depth <= deepest; cut.depth++) {
    const size_t room = cut.depth > 1 ? convk_stencil_room_(t, threads, cut.depth, cut.planes, 1) : 0;
    size_t tasks = t->stencil_threads_y ? threads : convk_stencil_threads_(threads, both / 2, cut.depth);
    if (tasks > count[1] * count[2]) tasks = count[1] * count[2];
    low = CONVK_STENCIL_MIN_ROWS_;
    if (!t->stencil_steps && low < 4 * cut.depth) low = 4 * cut.depth;
    for (; low <= CONVK_STENCIL_MAX_ROWS_; low = high + 1) {
      const size_t row = room / (low + 2 * cut.depth);
      size_t nx = row > 128 ? (row - 128) / element : 0;
      high = low > CONVK_STENCIL_MIN_ROWS_ ? low + low / 4 : low;
      if (low == CONVK_STENCIL_MIN_ROWS_ || cut.depth == 1 || nx > count[0]) nx = count[0];
      rows = t->stencil_rows ? t->stencil_rows : high < CONVK_STENCIL_MAX_ROWS_ ? high : CONVK_STENCIL_MAX_ROWS_;
      cut.rows = rows < count[1] ? rows : count[1];
      if (!nx) break;
      if (convk_stencil_scratch_(nx, element, &cut) || convk_mul_(cut.bytes, tasks, &need) || need > (size_t)-1 / 2)
        return CONVK_ERR_OVERFLOW;
      if (*max_bytes < need + 64) *max_bytes = need + 64;
      if (cut.depth == 1 || t->stencil_rows || rows >= count[1]) break;
    }
  }
  return CONVK_OK;
}

/* Work for a box of `count` points, and for every smaller one with as many steps or fewer: by the handle's tuning, and by
   whatever tuned entry a smaller one may find. */
CONVK_RARE_ int convk_stencil_bound_(convk *hw, const size_t count[3], size_t steps, size_t element, size_t *max_bytes) {
  const size_t threads = convk_threads_(hw);
  convk_tuning tuning;
  size_t i;
  int status;
  *max_bytes = 0;
  if (!count[0] || !count[1] || !count[2] || !steps) return CONVK_OK;
  if (hw) tuning = hw->tuning;
  else memset(&tuning, 0, sizeof tuning);
  status = convk_stencil_bound_with_(&tuning, threads, count, steps, element, max_bytes);
  for (i = 0; !status && hw && hw->tuned && i < hw->ntuned; i++) {
    const convk_tuned *e = &hw->tuned[i];
    if (!convk_tuned_for_(hw, e, "stencil7", element == 4 ? "f32" : "f64") || e->nx / 2 > count[0] || e->ny / 2 > count[1] ||
        e->nz / 2 > count[2] || (e->length > 1 && steps == 1))
      continue;
    tuning = convk_tuning_with_(hw, e);
    status = convk_stencil_bound_with_(&tuning, threads, count, steps, element, max_bytes);
  }
  return status;
}
