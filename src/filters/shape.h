#define CONVK_NONE_ ((size_t)-1)
/* Outputs along y or z that a kernel makes from one set of loads: those of the largest tile, of AVX-512. */
#define CONVK_BLOCK_ ((size_t)8)
/* Points of rows whose epilogue is done at once, unless one row has more: those of a block take 16 KiB of doubles, half of an
   L1. */
#define CONVK_RESULT_ ((size_t)256)
/* Planes fetched before they are read.  No measurement of other numbers is kept. */
#define CONVK_AHEAD_ ((size_t)6)
/* Eighths of L2 that the planes of a tile get; the rest is for input and results that pass by. */
#define CONVK_FILTERS_EIGHTHS_ ((size_t)5)
/* Where L2 would hold fewer rows of y than the first, planes live in L3, in tiles of at most as many as the second.  With 16
   taps a tile reads 15 rows of its neighbours. */
#define CONVK_FILTERS_MIN_ROWS_ (2 * CONVK_BLOCK_)
#define CONVK_FILTERS_MAX_ROWS_ (8 * CONVK_BLOCK_)
/* What beginning a tile costs, in rows.  Of this and the three before it no measurement is kept. */
#define CONVK_FILTERS_BEGIN_ ((size_t)5)

/* One axis of a convolution: output i is the sum over k < ntaps of taps[k] times input i + shift + k. */
typedef struct convk_axis_ {
  size_t n, m, ntaps; /* points in, points out, taps */
  ptrdiff_t shift;
  int boundary;
} convk_axis_;

CONVK_RARE_ int convk_axis_check_(size_t n, int lo, int up, int boundary, convk_axis_ *axis) {
  size_t more;
  if (lo > up || lo < -CONVK_FILTER_MAX_REACH || up > CONVK_FILTER_MAX_REACH || up - lo >= CONVK_FILTER_MAX_TAPS)
    return CONVK_ERR_TAPS;
  more = (size_t)(up - lo);
  axis->n = axis->m = n;
  axis->ntaps = more + 1;
  axis->shift = lo;
  axis->boundary = boundary;
  switch (boundary) {
    case CONVK_BOUNDARY_PERIODIC: /* the same reach, begun at most one period before the axis */
      axis->shift = lo % (ptrdiff_t)n;
      if (axis->shift > 0) axis->shift -= (ptrdiff_t)n;
      return CONVK_OK;
    case CONVK_BOUNDARY_ZERO: return CONVK_OK;
    case CONVK_BOUNDARY_GROW:
      axis->m = n + more;
      axis->shift = -(ptrdiff_t)more;
      return CONVK_OK;
    case CONVK_BOUNDARY_SHRINK:
      if (n <= more) return CONVK_ERR_SHRINK;
      axis->m = n - more;
      axis->shift = 0;
      return CONVK_OK;
    default: return CONVK_ERR_BOUNDARY;
  }
}

/* What an epilogue does, or what it needs: bits. */
enum {
  CONVK_FILTERS_DENSITY_ = 1,
  CONVK_FILTERS_POTENTIAL_ = 2,
  CONVK_FILTERS_UPDATE_ = 4,
  CONVK_FILTERS_STORE_ = 8, /* there is an output */
  CONVK_FILTERS_DOT_ = 16,
  CONVK_FILTERS_ENERGY_ = 32,
  CONVK_FILTERS_SUMS_ = CONVK_FILTERS_DOT_ | CONVK_FILTERS_ENERGY_
};

/* Its arrays on a device, in buffers that device/host.h calls MORE_0 and so on. */
enum {
  CONVK_FILTERS_AT_POTENTIAL_ = 2,
  CONVK_FILTERS_AT_DENSITY_ = 3,
  CONVK_FILTERS_AT_DOT_ = 4,
  CONVK_FILTERS_AT_ENERGY_ = 5
};

/* The two filters of potential_apply, from the orbital to its values and back, and how the potential lies, all pitches filled
   in; elements of an array on the orbital's grid and of the potential; bytes of the values. */
typedef struct convk_potential_shapes_ {
  convk_sepconv3d_shape to_values, back;
  convk_grid3 potential;
  size_t span[2], bytes;
} convk_potential_shapes_;

/* How values lie that wait between two filters: as the potential, of `span` elements, where it takes no more room than rows one
   after the other, and else so, in planes that do not begin in the same sets of the caches.  Gives the elements that are enough
   for either: they follow the points, whatever the pitches of the potential are. */
CONVK_RARE_ size_t convk_values_layout_(const convk_grid3 *potential, size_t span, size_t element, convk_grid3 *laid) {
  const size_t line = 64 / element, plane = potential->nx * potential->ny;
  const size_t pitch = plane < 64 * line ? plane : convk_round_up_(plane, line) + line, enough = potential->nz * pitch;
  *laid = *potential;
  if (span <= enough) return enough;
  laid->pitch_y = potential->nx;
  laid->pitch_z = pitch;
  return enough;
}

/* Where planes wait for the z pass: `distinct` planes are needed; the first `head` keep their places, the others share a
   ring of `size`. */
typedef struct convk_ring_ {
  size_t distinct, head, size, places;
} convk_ring_;

CONVK_LOCAL_ convk_ring_ convk_ring_of_(const convk_axis_ *axis, size_t outputs) {
  const size_t count = outputs + axis->ntaps - 1;
  convk_ring_ r;
  r.distinct = axis->boundary == CONVK_BOUNDARY_PERIODIC && axis->n < count ? axis->n : count;
  r.size = CONVK_BLOCK_ + axis->ntaps - 1;
  r.head = count - r.distinct < r.distinct ? count - r.distinct : r.distinct;
  r.places = r.head + r.size;
  if (r.distinct <= r.places) r.places = r.head = r.distinct;
  return r;
}

CONVK_LOCAL_ size_t convk_ring_slot_(const convk_ring_ *r, size_t plane) {
  return plane < r->head ? plane : r->head + (plane - r->head) % r->size;
}

/* Rows of the planes that come next, fetched behind the arithmetic of the y and z passes: more than one of them can hide; in
   the x pass, which is short of registers for addresses, it cost more than it gave.  Kernels fetch `lines` at each step, about
   `budget` in a call. */
typedef struct convk_fetch_ {
  uintptr_t base;                       /* of plane 0 */
  size_t pitch, z, nz;                  /* bytes from plane to plane; the plane being fetched, of so many */
  int wraps;                            /* after the last comes plane 0 */
  const size_t *offsets;                /* of rows in a plane, in elements */
  size_t element, rows, row, at, bytes; /* bytes of an element; rows of a plane; where in it; bytes of a row */
  size_t next, limit;                   /* how many planes were begun, and may be */
  size_t budget, lines;
} convk_fetch_;

CONVK_INLINE_ void convk_fetch_over_(convk_fetch_ *f, size_t steps) {
  if (f) f->lines = convk_ceil_(f->budget, steps ? steps : 1);
}

/* soon: what is read soon, into L1.  Elsewhere into L2, which asks for more lines at once than an L1 does. */
CONVK_INLINE_ void convk_fetch_some_(convk_fetch_ *f, int soon) {
  uintptr_t p;
  size_t k;
  if (f->next >= f->limit) return;
  p = f->base + f->z * f->pitch + f->at;
  if (f->offsets[f->row] != CONVK_NONE_) p += f->offsets[f->row] * f->element;
  for (k = 0; k < f->lines; k++) {
    if (soon) CONVK_PREFETCH_L1_(p + 64 * k);
    else CONVK_PREFETCH_(p + 64 * k);
  }
  f->at += 64 * f->lines;
  if (f->at < f->bytes) return;
  f->at = 0;
  if (++f->row < f->rows) return;
  f->row = 0;
  f->next++;
  if (++f->z < f->nz) return;
  f->z = 0;
  if (!f->wraps) f->limit = f->next;
}

/* How a call is cut: tiles of `rows` rows of y, the whole of x and a chunk of z; a task takes every tasks_y-th tile of its
   chunk.  The other fields say where things lie in a task's scratch memory, in elements. */
typedef struct convk_filters_cut_ {
  size_t rows, tasks, tasks_y, chunk_z;
  int stream;         /* the output bypasses the caches */
  size_t fetch_lines; /* of a plane of a tile; 0 where the caches hold all input */
  size_t zeros, trash, padded, padded_pitch, padded_left, result, result_pitch, result_rows, planes, plane_pitch;
  size_t offsets_bytes, rows_bytes, bytes; /* in bytes: where row offsets and row pointers lie, and all of one task's scratch */
  size_t sums, sums_bytes;                 /* one f64 per output row, for each of two sums, before the scratch */
} convk_filters_cut_;

/* Threads that a call of so many multiply-adds may use.  Waking a thread costs some microseconds: below about 8 of them for
   each, two threads measured 0.44 to 0.9 of the speed of one (conv1d_transpose of 64 x 64 to 256 x 256); above, 1.2 and more.
   Where the tuning says how tiles are cut, as many as the handle has. */
#define CONVK_THREAD_WORK_ ((size_t)400000) /* multiply-adds of doubles, two of floats */
CONVK_LOCAL_ size_t convk_filters_threads_(convk *hw, double work, size_t element) {
  const size_t threads = convk_threads_(hw);
  const double max_threads = work * (double)element / (8.0 * (double)CONVK_THREAD_WORK_);
  if (hw && hw->tuning.sepconv_rows) return threads;
  return max_threads >= (double)threads ? threads : max_threads < 1 ? 1 : (size_t)max_threads;
}

/* Multiply-adds of a call. */
CONVK_LOCAL_ double convk_filters_madds_(const convk_axis_ axis[3]) {
  const size_t mx = axis[0].m, my = axis[1].m;
  return (double)(my * axis[2].n) * (double)(axis[0].n * axis[1].ntaps + mx * axis[0].ntaps) +
         (double)(mx * my) * (double)(axis[2].m * axis[2].ntaps);
}

/* Rows of a tile, of my, each taking `row` bytes in all planes: these stay in L2, or where that leaves few rows and much
   reading twice, in L3; threads end together. */
CONVK_LOCAL_ size_t convk_filters_rows_(const convk_tuning *tuning, size_t threads, size_t my, size_t row) {
  const size_t l3 = convk_cache_l3_(tuning, threads) / 2;
  size_t max_rows = convk_cache_l2_(tuning) / 8 * CONVK_FILTERS_EIGHTHS_ / row, rows, chosen = CONVK_BLOCK_, best = (size_t)-1;
  if (max_rows < CONVK_FILTERS_MIN_ROWS_) max_rows = l3 / row < CONVK_FILTERS_MAX_ROWS_ ? l3 / row : CONVK_FILTERS_MAX_ROWS_;
  for (rows = CONVK_BLOCK_; rows <= max_rows && rows < my + CONVK_BLOCK_; rows += CONVK_BLOCK_) {
    const size_t turns = convk_ceil_(convk_ceil_(my, rows), threads);
    if (turns * (rows + CONVK_FILTERS_BEGIN_) < best) {
      best = turns * (rows + CONVK_FILTERS_BEGIN_);
      chosen = rows;
    }
  }
  return chosen < my ? chosen : my;
}

/* Chunks of z, where y has fewer blocks than there are threads: at the price of some planes being made twice, and of 2 blocks
   at least. */
CONVK_LOCAL_ size_t convk_filters_chunk_(size_t threads, size_t my, size_t mz) {
  const size_t blocks = convk_ceil_(my, CONVK_BLOCK_), max_chunks = mz / (2 * CONVK_BLOCK_);
  size_t chunks = blocks < threads ? threads / blocks : 1, chunk;
  if (chunks > max_chunks) chunks = max_chunks;
  chunk = convk_ceil_(mz, chunks ? chunks : 1);
  return chunk < mz ? convk_round_up_(chunk, CONVK_BLOCK_) : mz;
}

/* Where things lie in a task's scratch, and its bytes: rows of zeros and for what nobody needs, rows with room for the reach of
   x, results on their way through the epilogue, planes that wait for z, rows as offsets and as pointers. */
CONVK_RARE_ int convk_filters_scratch_(const convk_axis_ axis[3], const convk_ring_ *ring, size_t element,
                                       convk_filters_cut_ *cut) {
  const size_t nx = axis[0].n, mx = axis[0].m, unit = 64 / element;
  size_t long_row, elements;
  if (convk_mul_(cut->rows, mx, &long_row) || long_row > (size_t)-1 / 2) return CONVK_ERR_OVERFLOW;
  cut->plane_pitch = convk_round_up_(long_row, unit) + unit; /* one line more: planes do not share cache sets */
  if (long_row < nx) long_row = nx;
  long_row = convk_round_up_(long_row, unit);
  cut->zeros = 0;
  cut->trash = long_row;
  cut->padded = 2 * long_row;
  if (convk_mul_(convk_round_up_(cut->rows, CONVK_BLOCK_), cut->padded_pitch, &elements)) return CONVK_ERR_OVERFLOW;
  cut->result = cut->padded + elements;
  cut->result_rows = mx < CONVK_RESULT_ ? CONVK_RESULT_ / mx : 1;
  if (cut->result_rows > cut->rows) cut->result_rows = cut->rows;
  cut->result_pitch = convk_round_up_(cut->result_rows * mx, unit);
  cut->planes = cut->result + CONVK_BLOCK_ * cut->result_pitch;
  if (cut->planes < elements || convk_mul_(ring->places, cut->plane_pitch, &elements)) return CONVK_ERR_OVERFLOW;
  elements += cut->planes;
  if (elements < cut->planes || convk_mul_(elements, element, &cut->offsets_bytes)) return CONVK_ERR_OVERFLOW;
  cut->offsets_bytes = convk_round_up_(cut->offsets_bytes, 64);
  elements =
      cut->rows + CONVK_BLOCK_ + CONVK_FILTER_MAX_TAPS; /* rows of y that a tile reads, and some to fill up its last block */
  cut->rows_bytes = cut->offsets_bytes + elements * sizeof(size_t);
  cut->bytes = convk_round_up_(cut->rows_bytes + elements * sizeof(const void *), 64);
  return cut->bytes < cut->offsets_bytes ? CONVK_ERR_OVERFLOW : CONVK_OK;
}

CONVK_RARE_ int convk_filters_cut_of_(convk *hw, const convk_axis_ axis[3], size_t element, convk_filters_cut_ *cut,
                                      size_t *need) {
  const size_t n[3] = {axis[0].n, axis[1].n, axis[2].n}, mx = axis[0].m, my = axis[1].m, mz = axis[2].m;
  convk_tuning own;
  const convk_tuning *const tuning = convk_tuning_for_(hw, "sepconv3d", element, n, axis[1].ntaps, &own);
  const size_t threads = convk_filters_threads_(hw, convk_filters_madds_(axis), element);
  convk_ring_ ring;
  size_t tiles, right, row;
  int status;
  cut->chunk_z = convk_filters_chunk_(threads, my, mz);
  ring = convk_ring_of_(&axis[2], cut->chunk_z);

  cut->padded_left = axis[0].shift < 0 ? (size_t)-axis[0].shift : 0;
  right = (size_t)((ptrdiff_t)(cut->padded_left + mx + axis[0].ntaps - 1) + axis[0].shift);
  if (right < cut->padded_left + n[0]) right = cut->padded_left + n[0];
  cut->padded_pitch = convk_round_up_(right + CONVK_SLACK_, 64 / element);

  if (tuning->sepconv_rows) {
    cut->rows = tuning->sepconv_rows < my ? tuning->sepconv_rows : my;
  } else {
    if (convk_mul_(ring.places, mx, &row) || row + cut->padded_pitch < row ||
        convk_mul_(row + cut->padded_pitch, element, &row))
      return CONVK_ERR_OVERFLOW;
    cut->rows = convk_filters_rows_(tuning, threads, my, row);
  }
  tiles = convk_ceil_(my, cut->rows);
  cut->tasks_y = tiles < threads ? tiles : threads;
  cut->tasks = cut->tasks_y * convk_ceil_(mz, cut->chunk_z);

  /* input and output together leave no room for each other; their checks found that they can be counted in bytes */
  cut->stream = convk_cache_past_(tuning, threads, (n[0] * n[1] * n[2] + mx * my * mz) * element);
  cut->fetch_lines = 0;
  if (n[0] * n[1] * n[2] > convk_cache_l2_(tuning) / 4 / element)
    cut->fetch_lines = (cut->rows + axis[1].ntaps - 1) * convk_ceil_(n[0] * element, 64);

  status = convk_filters_scratch_(axis, &ring, element, cut);
  if (status) return status;
  cut->sums = my * mz;
  if (convk_mul_(cut->sums, 2 * sizeof(double), &cut->sums_bytes) || cut->sums_bytes > (size_t)-1 / 2)
    return CONVK_ERR_OVERFLOW;
  cut->sums_bytes = convk_round_up_(cut->sums_bytes, 64);
  if (convk_mul_(cut->tasks, cut->bytes, need)) return CONVK_ERR_OVERFLOW;
  *need += cut->sums_bytes + 64;
  return *need < cut->sums_bytes ? CONVK_ERR_OVERFLOW : CONVK_OK;
}

/* Rows that the handle's tuning may choose for a tile of some grid: the fewest and the most; 0 where it leaves the choice. */
CONVK_RARE_ void convk_filters_chosen_(convk *hw, size_t *fewest, size_t *max_rows) {
  size_t i;
  *fewest = *max_rows = hw ? hw->tuning.sepconv_rows : 0;
  if (!hw || *max_rows) return;
  for (i = 0; i < hw->ntuned && hw->tuned; i++) {
    const long chosen = hw->tuned[i].choice[CONVK_TUNE_ROWS];
    if (!chosen || strcmp(hw->tuned[i].operation, "sepconv3d")) continue; /* one below 0 is the greatest, as a size */
    if (*max_rows < (size_t)chosen) *max_rows = (size_t)chosen;
    if (!*fewest || *fewest > (size_t)chosen) *fewest = (size_t)chosen;
  }
}

/* Bytes of the rows of a tile, in all planes and padded, that no grid up to this size exceeds; `row` is those of one row. */
CONVK_RARE_ int convk_filters_max_tile_(convk *hw, size_t my, size_t row, size_t chosen, size_t *bytes) {
  convk_tuning none;
  const convk_tuning *const t = hw ? &hw->tuning : &none;
  size_t max_bytes, other;
  memset(&none, 0, sizeof none);
  max_bytes = convk_cache_l2_(t) / 8 * CONVK_FILTERS_EIGHTHS_;
  other = convk_cache_l3_(t, 1) / 2;
  if (max_bytes / row < CONVK_FILTERS_MIN_ROWS_) {
    if (other / row > CONVK_FILTERS_MAX_ROWS_) other = CONVK_FILTERS_MAX_ROWS_ * row;
    if (max_bytes < other) max_bytes = other;
  }
  if (convk_mul_(CONVK_BLOCK_, row, &other)) return CONVK_ERR_OVERFLOW;
  if (max_bytes < other) max_bytes = other;
  if (convk_mul_(chosen < my ? chosen : my, row, &other)) return CONVK_ERR_OVERFLOW;
  if (t->sepconv_rows || max_bytes < other) max_bytes = other;
  *bytes = my <= max_bytes / row ? my * row : max_bytes;
  return CONVK_OK;
}

/* Bytes of work that are enough for these axes and all shorter ones.  What convk_filters_cut_of_ asks for is not: the caches
   hold more rows of a small grid, and its threads share more of them.  So each part of the scratch is as large as it can
   become. */
CONVK_RARE_ int convk_filters_bound_(convk *hw, const convk_axis_ axis[3], size_t element, size_t *bytes) {
  const convk_axis_ *const x = &axis[0], *const z = &axis[2];
  const size_t mx = x->m, my = axis[1].m, unit = 64 / element, more = z->ntaps - 1;
  const size_t count = z->boundary == CONVK_BOUNDARY_PERIODIC ? z->n : z->m + more;
  const size_t ring = CONVK_BLOCK_ + more + (z->boundary == CONVK_BOUNDARY_PERIODIC ? more : 0);
  const size_t places = count < ring ? count : ring;
  const size_t left = x->boundary == CONVK_BOUNDARY_PERIODIC ? x->n - 1 : x->shift < 0 ? (size_t)-x->shift : 0;
  size_t tasks = convk_filters_threads_(hw, convk_filters_madds_(axis), element);
  size_t fewest, chosen, padded = x->m + x->ntaps - 1, row, tile, area, elements, rows, sums;
  if (x->boundary != CONVK_BOUNDARY_PERIODIC) padded += (size_t)((ptrdiff_t)left + x->shift);
  if (padded < left + x->n) padded = left + x->n;
  padded = convk_round_up_(padded + CONVK_SLACK_, unit);
  convk_filters_chosen_(hw, &fewest, &chosen);
  if (convk_mul_(places, mx, &row) || row + padded < row || convk_mul_(row + padded, element, &row) ||
      convk_filters_max_tile_(hw, my, row, chosen, &tile) || tile > (size_t)-1 / 16)
    return CONVK_ERR_OVERFLOW;
  area = mx * my < tile / element ? mx * my : tile / element; /* the longest row of zeros */
  rows = my < tile / 64 ? my : tile / 64;
  elements = 2 * convk_round_up_(area > x->n ? area : x->n, unit);                    /* zeros and trash */
  elements += convk_ceil_(tile, element) + CONVK_BLOCK_ * padded + 2 * places * unit; /* padded rows, and planes */
  elements += CONVK_BLOCK_ * (unit + (mx < CONVK_RESULT_ ? CONVK_RESULT_ : mx));      /* results */
  tile = elements * element + (rows + CONVK_BLOCK_ + CONVK_FILTER_MAX_TAPS) * 2 * sizeof(size_t) + 128; /* offsets, pointers */
  if (fewest && fewest < CONVK_BLOCK_) tasks *= CONVK_BLOCK_; /* tiles of less than a block, and chunks */
  if (elements > (size_t)-1 / 16 || convk_mul_(tasks, tile, &tile) || convk_mul_(my * z->m, 2 * sizeof(double), &sums) ||
      sums > (size_t)-1 / 4 || tile > (size_t)-1 / 4)
    return CONVK_ERR_OVERFLOW;
  *bytes = tile + convk_round_up_(sums, 64) + 64;
  return CONVK_OK;
}

/* conv1d_transpose: strips of so many input rows are transposed in pieces of so many columns.  A piece of doubles takes 96 KiB,
   and with the most taps 147 KiB: it stays in an L2 of 256 KiB. */
#define CONVK_STRIP_ ((size_t)96)
#define CONVK_STRIP_LENGTH_ ((size_t)128)
#define CONVK_STRIP_BYTES_(element) ((CONVK_STRIP_LENGTH_ + CONVK_FILTER_MAX_TAPS + 2) * CONVK_STRIP_ * (element))

/* Rows of a strip: the most, or fewer where threads would go without. */
CONVK_LOCAL_ size_t convk_strip_rows_(size_t threads, size_t ndat) {
  const size_t share = ndat / threads;
  return share < CONVK_STRIP_ ? convk_round_up_(share + 1, 16) : CONVK_STRIP_;
}

CONVK_LOCAL_ size_t convk_strip_tasks_(size_t threads, size_t ndat) {
  const size_t strips = convk_ceil_(ndat, convk_strip_rows_(threads, ndat));
  return strips < threads ? strips : threads;
}

/* The most tasks of so many rows or fewer: strips have 16 at least. */
CONVK_LOCAL_ size_t convk_strip_tasks_max_(size_t threads, size_t ndat) {
  const size_t strips = convk_ceil_(ndat, 16);
  return strips < threads ? strips : threads;
}
