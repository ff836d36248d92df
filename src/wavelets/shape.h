/* One axis of one level of a wavelet transform.  What is read is a sequence: the points of the fine grid, or s[0] d[0] s[1]
   d[1] .. of the coarse one; pair t of outputs sums what lies at 2 t + run.shift and behind.  What is written is a sequence,
   too: s[0] d[0] s[1] .., or the points of the fine grid from `first` on. */
typedef struct convk_wavelets_axis_ {
  convk_axis_ run; /* of the sequence that is read: n; outputs m, two of each pair; so that m + ntaps - 1 elements are read */
  size_t fine, half, pairs, before,
      behind; /* what is read before the sequence at most, and how far its reading begins behind */
  ptrdiff_t first;
} convk_wavelets_axis_;

/* What a fine axis has more than the coarse one. */
CONVK_LOCAL_ size_t convk_wavelets_more_(int boundary, int taps) {
  return boundary == CONVK_BOUNDARY_GROW || boundary == CONVK_BOUNDARY_SHRINK ? (size_t)(taps - 2) : 0;
}

/* `half` points of s and of d, of filters from lo to up. */
CONVK_RARE_ void convk_wavelets_axis_of_(size_t half, int lo, int up, int boundary, int synthesis, convk_wavelets_axis_ *axis) {
  const int taps = up - lo + 1, is_free = boundary == CONVK_BOUNDARY_GROW || boundary == CONVK_BOUNDARY_SHRINK;
  const int periodic = boundary == CONVK_BOUNDARY_PERIODIC;
  const ptrdiff_t begin = is_free ? lo : 0; /* what the fine grid begins with */
  axis->half = half;
  axis->fine = 2 * half + convk_wavelets_more_(boundary, taps);
  axis->first = 0;
  axis->pairs = half;
  axis->run.boundary = periodic ? boundary : CONVK_BOUNDARY_ZERO;
  if (!synthesis) {
    axis->run.n = axis->fine;
    axis->run.ntaps = (size_t)taps - 1;
    axis->run.shift = lo - begin;
  } else { /* pairs m, m + 1 for which m - up is odd begin with the same element, of index (m - up + 1) / 2 */
    ptrdiff_t m = begin;
    if ((m - up) % 2 == 0) m += periodic ? 1 : -1;
    axis->first = m - begin;
    axis->run.n = 2 * half;
    axis->run.ntaps = (size_t)((taps + 1) / 2 * 2) - 1;
    axis->run.shift = m - up + 1;
    if (!periodic) axis->pairs = ((size_t)((ptrdiff_t)axis->fine - axis->first) + 1) / 2;
  }
  axis->run.m = 2 * axis->pairs;
  axis->before = axis->run.shift < 0 ? (size_t)-axis->run.shift : 0;
  axis->behind = axis->run.shift > 0 && !periodic ? (size_t)axis->run.shift : 0;
  if (periodic) {
    if (axis->before > axis->run.n || axis->run.shift > 0) axis->before = axis->run.n;
    axis->run.shift %= (ptrdiff_t)axis->run.n;
    if (axis->run.shift > 0) axis->run.shift -= (ptrdiff_t)axis->run.n;
  }
}

/* Where element i of a sequence, and of its array, lies in one that has all that is even before all that is odd. */
CONVK_LOCAL_ size_t convk_wavelets_planar_(size_t i, size_t half) { return i % 2 * half + i / 2; }

/* Where output i of an axis goes, or CONVK_NONE_: nowhere. */
CONVK_LOCAL_ size_t convk_wavelets_target_(const convk_wavelets_axis_ *axis, int synthesis, size_t i) {
  const ptrdiff_t m = axis->first + (ptrdiff_t)i, n = (ptrdiff_t)axis->fine;
  if (!synthesis) return convk_wavelets_planar_(i, axis->half);
  if (m >= 0 && m < n) return (size_t)m;
  return axis->run.boundary == CONVK_BOUNDARY_PERIODIC ? (size_t)(m < 0 ? m + n : m - n) : CONVK_NONE_;
}

/* How a level is cut, and where things lie in a task's scratch, in elements: rows of zeros and for what nobody needs; rows
   between y and x, each as two halves, or as columns of a block; planes that wait for z; after them, in bytes, where columns
   lie for x, and the rows of y. */
typedef struct convk_wavelets_cut_ {
  size_t rows, tasks, tasks_y, chunk_z;
  int stream, fetches; /* caches do not hold input and output; nor the input of an analysis alone */
  size_t zeros, trash, halves, half_left, half_pitch, planes, plane_pitch, row_pitch, line_bytes, source_bytes, bytes;
} convk_wavelets_cut_;

/* Points of a row between x and z. */
CONVK_LOCAL_ size_t convk_wavelets_across_(const convk_wavelets_axis_ *x, int synthesis) {
  return synthesis ? x->fine : 2 * x->half;
}

CONVK_LOCAL_ double convk_wavelets_madds_(const convk_wavelets_axis_ axis[3]) {
  return 3.0 * (double)axis[0].run.m * (double)axis[1].run.m * (double)axis[2].run.m * (double)(axis[0].run.ntaps + 1);
}

/* Scratch for tiles of so many rows whose planes take so many elements; places: planes at a time.  All of it grows with the
   grid. */
CONVK_RARE_ int convk_wavelets_scratch_(const convk_wavelets_axis_ axis[3], int synthesis, size_t places, size_t area,
                                        size_t element, convk_wavelets_cut_ *cut) {
  const convk_wavelets_axis_ *const x = &axis[0];
  const size_t across = convk_wavelets_across_(x, synthesis), unit = 64 / element;
  const size_t row = convk_round_up_(x->fine > across ? x->fine : across, unit) + unit;
  const size_t reach = x->run.n / 2 > x->pairs + x->run.ntaps ? x->run.n / 2 : x->pairs + x->run.ntaps;
  size_t elements, columns;
  cut->zeros = 0;
  cut->trash = row;
  cut->halves = 2 * row;
  cut->half_left = convk_round_up_(x->before / 2 + 2, unit);
  cut->half_pitch = convk_round_up_(cut->half_left + reach + x->behind / 2 + 2 + CONVK_SLACK_, unit);
  if (convk_mul_(2 * CONVK_BLOCK_, cut->half_pitch, &elements) || convk_mul_(x->run.n, unit, &columns))
    return CONVK_ERR_OVERFLOW;
  if (elements < columns) elements = columns;
  cut->planes = cut->halves + elements;
  cut->plane_pitch =
      area + 3 * unit; /* before each, what precedes its first row; behind, a line: planes do not share cache sets */
  if (convk_mul_(places, cut->plane_pitch, &elements) || elements > (size_t)-1 / 8 / element ||
      cut->planes > (size_t)-1 / 8 / element || x->run.m > (size_t)-1 / 64)
    return CONVK_ERR_OVERFLOW;
  cut->line_bytes = convk_round_up_((cut->planes + elements) * element, 64);
  cut->source_bytes = cut->line_bytes + convk_round_up_((x->run.m + x->run.ntaps) * sizeof(void *), 64);
  return CONVK_OK;
}

CONVK_LOCAL_ size_t convk_wavelets_row_pitch_(const convk_wavelets_axis_ *x, int synthesis, size_t element) {
  return convk_round_up_(convk_wavelets_across_(x, synthesis) + 2, 64 / element);
}

/* Bytes of the lists of where the rows of y of a tile lie, and what is fetched. */
CONVK_LOCAL_ size_t convk_wavelets_sources_(size_t rows, const convk_wavelets_axis_ *y) {
  return convk_round_up_(2 * (rows + y->run.ntaps) * sizeof(size_t), 64);
}

CONVK_RARE_ int convk_wavelets_cut_of_(convk *hw, const convk_wavelets_axis_ axis[3], int synthesis, size_t element,
                                       convk_wavelets_cut_ *cut, size_t *need) {
  const size_t my = axis[1].run.m, mz = axis[2].run.m;
  const size_t threads = convk_filters_threads_(hw, convk_wavelets_madds_(axis), element);
  convk_tuning none;
  const convk_tuning *const tuning = hw ? &hw->tuning : &none;
  convk_ring_ ring;
  size_t row, area, tiles, fine, coarse;
  int status;
  memset(&none, 0, sizeof none);
  cut->chunk_z = convk_filters_chunk_(threads, my, mz);
  ring = convk_ring_of_(&axis[2].run, cut->chunk_z);
  cut->row_pitch = convk_wavelets_row_pitch_(&axis[0], synthesis, element);
  if (convk_mul_(ring.places, cut->row_pitch, &row) || convk_mul_(row, element, &row)) return CONVK_ERR_OVERFLOW;
  if (tuning->sepconv_rows) {
    cut->rows = convk_round_up_(tuning->sepconv_rows < my ? tuning->sepconv_rows : my, CONVK_BLOCK_);
    if (cut->rows > my) cut->rows = my;
  } else {
    cut->rows = convk_filters_rows_(tuning, threads, my, row);
  }
  tiles = convk_ceil_(my, cut->rows);
  cut->tasks_y = tiles < threads ? tiles : threads;
  cut->tasks = cut->tasks_y * convk_ceil_(mz, cut->chunk_z);
  fine = axis[0].fine * axis[1].fine * axis[2].fine;
  coarse = 8 * axis[0].half * axis[1].half * axis[2].half;
  cut->stream = convk_cache_past_(tuning, threads, (fine + coarse) * element);
  cut->fetches = !synthesis && convk_cache_past_(tuning, threads, fine * element);
  if (convk_mul_(cut->rows, cut->row_pitch, &area)) return CONVK_ERR_OVERFLOW;
  status = convk_wavelets_scratch_(axis, synthesis, ring.places, area, element, cut);
  if (status) return status;
  cut->bytes = cut->source_bytes + convk_wavelets_sources_(cut->rows, &axis[1]);
  if (cut->bytes > (size_t)-1 / 4 || convk_mul_(cut->tasks, cut->bytes, need)) return CONVK_ERR_OVERFLOW;
  *need += 64;
  return CONVK_OK;
}

/* Bytes of work of a level that are enough for these axes and all shorter ones: its parts are as large as they can become. */
CONVK_RARE_ int convk_wavelets_bound_(convk *hw, const convk_wavelets_axis_ axis[3], int synthesis, size_t element,
                                      size_t *bytes) {
  const convk_axis_ *const z = &axis[2].run;
  const size_t my = axis[1].run.m, more = z->ntaps - 1;
  const size_t count = z->boundary == CONVK_BOUNDARY_PERIODIC ? z->n : z->m + more;
  const size_t around = CONVK_BLOCK_ + more + (z->boundary == CONVK_BOUNDARY_PERIODIC ? more : 0);
  const size_t places = count < around ? count : around;
  const size_t threads = convk_filters_threads_(hw, convk_wavelets_madds_(axis), element);
  size_t row = convk_wavelets_row_pitch_(&axis[0], synthesis, element), fewest, chosen, planes;
  convk_wavelets_cut_ cut;
  convk_filters_chosen_(hw, &fewest, &chosen);
  chosen = convk_round_up_(chosen < my ? chosen : my, CONVK_BLOCK_);
  if (convk_mul_(places, row, &row) || convk_mul_(row, element, &row) || row > (size_t)-1 / 64 ||
      convk_filters_max_tile_(hw, my, row, chosen, &planes) || planes > (size_t)-1 / 16)
    return CONVK_ERR_OVERFLOW;
  if (convk_wavelets_scratch_(axis, synthesis, places, 0, element, &cut)) return CONVK_ERR_OVERFLOW;
  planes += cut.source_bytes + 64 + convk_wavelets_sources_(my, &axis[1]);
  if (planes > (size_t)-1 / 8 || convk_mul_(threads, planes, bytes) || *bytes > (size_t)-1 / 4) return CONVK_ERR_OVERFLOW;
  *bytes += 64;
  return CONVK_OK;
}

/* ---- the shape of a call ---- */

enum { CONVK_WAVELETS_MAX_LEVELS_ = 60 }; /* more halve no size_t */

/* Axis d of a shape: fills in the size that follows, and sees whether `levels` levels do it. */
CONVK_RARE_ int convk_wavelets_size_(char *message, int d, int boundary, int taps, int levels, size_t *fine, size_t *coarse) {
  const size_t more = convk_wavelets_more_(boundary, taps);
  size_t half = *coarse / 2;
  int level;
  if (boundary != CONVK_BOUNDARY_PERIODIC && boundary != CONVK_BOUNDARY_ZERO && boundary != CONVK_BOUNDARY_GROW &&
      boundary != CONVK_BOUNDARY_SHRINK)
    return convk_refuse_at_(message, CONVK_ERR_BOUNDARY, "shape->boundary[%] is %, which is none of wavelet transforms", d,
                            boundary, 0);
  if (*coarse % 2)
    return convk_refuse_at_(message, CONVK_ERR_ODD, "shape->coarse has % points along axis %: not even", (int64_t)*coarse, d,
                            0);
  if (*fine) {
    if (*fine < more + 2 && more)
      return convk_refuse_at_(message, CONVK_ERR_SHRINK,
                              "shape->boundary[%] shrinks % points of shape->fine by filters of % taps", d, (int64_t)*fine,
                              taps);
    if ((*fine - more) % 2)
      return convk_refuse_at_(message, CONVK_ERR_ODD, "shape->fine has % points along axis %: not % and an even number",
                              (int64_t)*fine, d, (int64_t)more);
    half = (*fine - more) / 2;
    if (*coarse && *coarse != 2 * half)
      return convk_refuse_at_(message, CONVK_ERR_SIZE, "shape->coarse must have % points along axis %, as shape->fine has %",
                              (int64_t)(2 * half), d, (int64_t)*fine);
  }
  if (half > (size_t)-1 / 16) return convk_refuse_at_(message, CONVK_ERR_OVERFLOW, "axis % of shape is too long", d, 0, 0);
  *fine = 2 * half + more;
  *coarse = 2 * half;
  for (level = 1; level < levels; level++) {
    if (half < more + 2 || (half - more) % 2)
      return convk_refuse_at_(message, CONVK_ERR_LEVELS, "shape->levels is %, and axis % can be halved % times", levels, d,
                              level);
    half = (half - more) / 2;
  }
  return CONVK_OK;
}

/* Both grids of a call, full, and elements from their first to their last; levels is 1 at least. */
CONVK_RARE_ int convk_wavelets_grids_(char *message, const convk_dwt3d_shape *shape, int lo, int up, size_t element,
                                      convk_dwt3d_shape *full, size_t span[2]) {
  size_t *n[3][2];
  int d, status = CONVK_OK, none[2];
  if (!shape) return convk_refuse_(message, CONVK_ERR_NULL, "shape is NULL");
  *full = *shape;
  if (lo >= up || lo < -CONVK_FILTER_MAX_REACH || up > CONVK_FILTER_MAX_REACH || up - lo >= CONVK_FILTER_MAX_TAPS)
    return convk_refuse_at_(message, CONVK_ERR_TAPS, "wavelet is of lo = %, up = %: not 2 to 64 taps, or too far off", lo, up,
                            0);
  if (shape->levels < 0 || shape->levels > CONVK_WAVELETS_MAX_LEVELS_)
    return convk_refuse_at_(message, CONVK_ERR_LEVELS, "shape->levels is %", shape->levels, 0, 0);
  if (!full->levels) full->levels = 1;
  none[0] = !full->fine.nx && !full->fine.ny && !full->fine.nz;
  none[1] = !full->coarse.nx && !full->coarse.ny && !full->coarse.nz;
  if (none[0] && none[1]) return convk_refuse_(message, CONVK_ERR_SIZE, "shape->fine and shape->coarse have no sizes");
  if (!none[0]) status = convk_grid_check_(message, "shape->fine", &full->fine, element, &full->fine, &span[0]);
  if (!none[1] && !status)
    status = convk_grid_check_(message, "shape->coarse", &full->coarse, element, &full->coarse, &span[1]);
  if (status) return status;
  n[0][0] = &full->fine.nx;
  n[1][0] = &full->fine.ny;
  n[2][0] = &full->fine.nz;
  n[0][1] = &full->coarse.nx;
  n[1][1] = &full->coarse.ny;
  n[2][1] = &full->coarse.nz;
  for (d = 0; d < 3 && !status; d++)
    status = convk_wavelets_size_(message, d, full->boundary[d], up - lo + 1, full->levels, n[d][0], n[d][1]);
  if (!status) status = convk_grid_check_(message, "shape->fine", &full->fine, element, &full->fine, &span[0]);
  if (!status) status = convk_grid_check_(message, "shape->coarse", &full->coarse, element, &full->coarse, &span[1]);
  return status;
}

/* Half the sizes of level `level` of a checked shape, from 0 on. */
CONVK_LOCAL_ void convk_wavelets_halves_(const convk_dwt3d_shape *full, int taps, int level, size_t half[3]) {
  int d;
  half[0] = full->coarse.nx / 2;
  half[1] = full->coarse.ny / 2;
  half[2] = full->coarse.nz / 2;
  for (; level > 0; level--)
    for (d = 0; d < 3; d++) half[d] = (half[d] - convk_wavelets_more_(full->boundary[d], taps)) / 2;
}

/* Axes and grids of level `level`: the fine grid is a packed block sss, but for that of the first. */
CONVK_RARE_ void convk_wavelets_level_of_(const convk_dwt3d_shape *full, int lo, int up, int synthesis, int level,
                                          convk_wavelets_axis_ axis[3], convk_grid3 *fine, convk_grid3 *coarse) {
  size_t half[3];
  int d;
  convk_wavelets_halves_(full, up - lo + 1, level, half);
  for (d = 0; d < 3; d++) convk_wavelets_axis_of_(half[d], lo, up, full->boundary[d], synthesis, &axis[d]);
  *fine = full->fine;
  *coarse = full->coarse;
  coarse->nx = 2 * half[0];
  coarse->ny = 2 * half[1];
  coarse->nz = 2 * half[2];
  if (!level) return;
  fine->nx = fine->pitch_y = axis[0].fine;
  fine->ny = axis[1].fine;
  fine->nz = axis[2].fine;
  fine->pitch_z = fine->nx * fine->ny;
}
