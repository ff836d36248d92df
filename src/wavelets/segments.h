/* ---- orbitals as segments ---- */

/* A checked call.  fine: where these coefficients begin in a vector; half: of the grid of segments; block: where each of the
   eight blocks begins in the array, sss first. */
typedef struct convk_segments_job_ {
  convk_segments part[2]; /* coarse, fine */
  size_t half[3], pitch_y, pitch_z, vectors, compressed_stride, dense_stride, fine, block[8], tasks, planes;
  const CONVK_T *in;
  CONVK_T *out;
} convk_segments_job_;

/* Elements of a call that are worth another thread: copies of fewer end before it wakes up. */
#define CONVK_SEGMENTS_THREAD_ ((size_t)1 << 20)

CONVK_LIGHT_POP_ /* loops over elements */

/* The coefficients of n points of a run, from the compressed vector to the dense array, whose row begins at `to`.  Coarse: one
   of each point.  fine: seven of each, one beside the other, which go to rows of seven blocks; job->block has their offsets. */
CONVK_LOCAL_ void convk_segments_spread_(const convk_segments_job_ *job, int fine, const CONVK_T *from, CONVK_T *to, size_t n) {
  convk_any_ *row[8]; /* elements at any address */
  size_t i, k;
  if (!fine) {
    memcpy(to, from, n * sizeof *to);
    return;
  }
  for (k = 1; k < 8; k++) row[k] = (convk_any_ *)(to + job->block[k]);
  for (i = 0; i < n; i++, from += 7)
    for (k = 1; k < 8; k++) row[k][i] = CONVK_ONE_(from + k - 1);
}

/* The same from the dense array to the compressed vector. */
CONVK_LOCAL_ void convk_segments_collect_(const convk_segments_job_ *job, int fine, const CONVK_T *from, CONVK_T *to,
                                          size_t n) {
  const convk_any_ *row[8];
  size_t i, k;
  if (!fine) {
    memcpy(to, from, n * sizeof *to);
    return;
  }
  for (k = 1; k < 8; k++) row[k] = (const convk_any_ *)(from + job->block[k]);
  for (i = 0; i < n; i++, to += 7)
    for (k = 1; k < 8; k++) ((convk_any_ *)to)[k - 1] = row[k][i];
}
CONVK_LIGHT_PUSH_

/* Where a walk through segments stands: which one, and where the vector has its first point. */
typedef struct convk_segments_walk_ {
  size_t segment, at;
} convk_segments_walk_;

/* On to the next segment that ends at point `begin` or behind. */
CONVK_LOCAL_ void convk_segments_seek_(const convk_segments *s, size_t begin, convk_segments_walk_ *walk) {
  for (; walk->segment < s->count && s->ends[2 * walk->segment + 1] < begin; walk->segment++)
    walk->at += s->ends[2 * walk->segment + 1] - s->ends[2 * walk->segment] + 1;
}

/* A row of the grid of segments, which begins with point `first`: what of it has coefficients. */
CONVK_LOCAL_ void convk_segments_row_(const convk_segments_job_ *job, int fine, size_t first, convk_segments_walk_ *walk,
                                      const CONVK_T *vector, CONVK_T *to) {
  const convk_segments *const s = &job->part[fine];
  const size_t last = first + job->half[0] - 1;
  convk_segments_seek_(s, first, walk);
  while (walk->segment < s->count && s->ends[2 * walk->segment] <= last) {
    const size_t begin = s->ends[2 * walk->segment], end = s->ends[2 * walk->segment + 1];
    const size_t from = begin > first ? begin : first, n = (end < last ? end : last) - from + 1;
    const size_t at = (s->place ? s->place[walk->segment] : walk->at) + (from - begin);
    convk_segments_spread_(job, fine, vector + (fine ? job->fine + 7 * at : at), to + (from - first), n);
    if (end > last) return;
    convk_segments_seek_(s, end + 1, walk);
  }
}

/* Some planes of one vector: each row of the four that belong together is filled with zeros, and then what is there. */
CONVK_LOCAL_ void convk_segments_planes_(const convk_segments_job_ *job, size_t vector, size_t z0, size_t z1) {
  const CONVK_T *const in = job->in + vector * job->compressed_stride;
  const size_t bytes = 2 * job->half[0] * sizeof(CONVK_T);
  convk_segments_walk_ walk[2] = {{0, 0}, {0, 0}};
  size_t y, z, k;
  for (z = z0; z < z1; z++)
    for (y = 0; y < job->half[1]; y++) {
      CONVK_T *const to = job->out + vector * job->dense_stride + z * job->pitch_z + y * job->pitch_y;
      const size_t first = job->half[0] * (y + job->half[1] * z);
      for (k = 0; k < 8; k += 2) memset(to + job->block[k], 0, bytes);
      convk_segments_row_(job, 0, first, &walk[0], in, to);
      convk_segments_row_(job, 1, first, &walk[1], in, to);
    }
}

CONVK_LOCAL_ void convk_uncompress_task_(void *arg, size_t index) {
  const convk_segments_job_ *const job = (const convk_segments_job_ *)arg;
  const size_t chunks = convk_ceil_(job->half[2], job->planes), units = job->vectors * chunks;
  size_t u;
  for (u = index; u < units; u += job->tasks) {
    const size_t z = u % chunks * job->planes, end = z + job->planes;
    convk_segments_planes_(job, u / chunks, z, end < job->half[2] ? end : job->half[2]);
  }
}

/* Segment k of a part of one vector, row by row. */
CONVK_LOCAL_ void convk_segments_take_(const convk_segments_job_ *job, int fine, size_t k, size_t at, const CONVK_T *dense,
                                       CONVK_T *vector) {
  const size_t *const half = job->half;
  const size_t end = job->part[fine].ends[2 * k + 1];
  size_t i = job->part[fine].ends[2 * k], n;
  for (; i <= end; i += n, at += n) {
    const size_t x = i % half[0], y = i / half[0] % half[1], z = i / half[0] / half[1];
    n = half[0] - x < end - i + 1 ? half[0] - x : end - i + 1;
    convk_segments_collect_(job, fine, dense + z * job->pitch_z + y * job->pitch_y + x,
                            vector + (fine ? job->fine + 7 * at : at), n);
  }
}

CONVK_LOCAL_ void convk_compress_task_(void *arg, size_t index) {
  const convk_segments_job_ *const job = (const convk_segments_job_ *)arg;
  size_t v, k, at;
  int fine;
  for (v = 0; v < job->vectors; v++) /* stripes of segments */
    for (fine = 0; fine < 2; fine++) {
      const convk_segments *const s = &job->part[fine];
      for (k = at = 0; k < s->count; k++) {
        const size_t unit = (v * s->count + k) / 16;
        if (unit % job->tasks == index)
          convk_segments_take_(job, fine, k, s->place ? s->place[k] : at, job->in + v * job->dense_stride,
                               job->out + v * job->compressed_stride);
        at += s->ends[2 * k + 1] - s->ends[2 * k] + 1;
      }
    }
}

/* One list; *points is what its part of a vector has. */
CONVK_RARE_ int convk_segments_list_(char *message, const char *name, const convk_segments *s, size_t total, size_t *points) {
  size_t k, bytes, at = 0;
  *points = s->points;
  if (convk_bytes_(s->count, 2 * sizeof *s->ends, &bytes))
    return convk_refuse_names_(message, CONVK_ERR_OVERFLOW, "shape->$.count is too large", name, NULL);
  if (s->count && !s->ends) return convk_refuse_names_(message, CONVK_ERR_NULL, "shape->$.ends is NULL", name, NULL);
  for (k = 0; k < s->count; k++) {
    const size_t first = s->ends[2 * k], last = s->ends[2 * k + 1];
    const int64_t number = (int64_t)k;
    if (last < first || last >= total)
      return convk_refuse_of_(message, CONVK_ERR_SEGMENT, "segment % of shape->$ does not lie in the grid of % points", name,
                              number, (int64_t)total);
    if (k && first <= s->ends[2 * k - 1])
      return convk_refuse_of_(message, CONVK_ERR_SEGMENT_ORDER, "segment % of shape->$ begins before segment % ends", name,
                              number, number - 1);
    if (s->place && s->place[k] < at)
      return convk_refuse_of_(message, CONVK_ERR_SEGMENT_PLACE, "the place of segment % of shape->$ is less than %", name,
                              number, (int64_t)at);
    if (s->place) at = s->place[k];
    at = at > (size_t)-1 - (last - first + 1) ? (size_t)-1 : at + (last - first + 1);
    if ((s->points && at > s->points) || at > (size_t)-1 / 64)
      return convk_refuse_of_(message, CONVK_ERR_SEGMENT_PLACE, "segment % of shape->$ lies behind its % points", name, number,
                              (int64_t)s->points);
  }
  if (!*points) *points = at;
  if (*points > (size_t)-1 / 64)
    return convk_refuse_names_(message, CONVK_ERR_OVERFLOW, "shape->$.points are too many bytes", name, NULL);
  return CONVK_OK;
}

/* The array, and its elements. */
CONVK_RARE_ int convk_segments_dense_(char *message, const convk_grid3 *user_grid, convk_segments_job_ *job, size_t *dense) {
  convk_grid3 grid;
  size_t k;
  const int status = convk_grid_check_(message, "shape->dense", user_grid, sizeof(CONVK_T), &grid, dense);
  if (status) return status;
  if (grid.nx % 2 || grid.ny % 2 || grid.nz % 2)
    return convk_refuse_at_(message, CONVK_ERR_ODD, "shape->dense has % x % x % coefficients: not even", (int64_t)grid.nx,
                            (int64_t)grid.ny, (int64_t)grid.nz);
  job->half[0] = grid.nx / 2;
  job->half[1] = grid.ny / 2;
  job->half[2] = grid.nz / 2;
  job->pitch_y = grid.pitch_y;
  job->pitch_z = grid.pitch_z;
  for (k = 0; k < 8; k++)
    job->block[k] =
        (k & 1) * job->half[0] + (k >> 1 & 1) * job->half[1] * grid.pitch_y + (k >> 2) * job->half[2] * grid.pitch_z;
  return CONVK_OK;
}

/* What so many vectors take with parts of so many points; span: elements of all, as segments and as arrays. */
CONVK_RARE_ int convk_segments_strides_(char *message, size_t vectors, size_t compressed_stride, size_t dense_stride,
                                        const size_t points[2], size_t dense, convk_segments_job_ *job, size_t span[2]) {
  const size_t one = points[0] + 7 * points[1];
  job->fine = points[0];
  job->vectors = vectors ? vectors : 1;
  job->compressed_stride = compressed_stride ? compressed_stride : one;
  job->dense_stride = dense_stride ? dense_stride : 2 * job->half[2] * job->pitch_z;
  if (job->vectors > 1 && job->compressed_stride < one)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "shape->compressed_stride is %, less than the % of a vector",
                            (int64_t)job->compressed_stride, (int64_t)one, 0);
  if (job->vectors > 1 && job->dense_stride < dense)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "shape->dense_stride is %, less than the % of a grid",
                            (int64_t)job->dense_stride, (int64_t)dense, 0);
  if (convk_mul_(job->vectors - 1, job->compressed_stride, &span[0]) ||
      convk_mul_(job->vectors - 1, job->dense_stride, &span[1]) || span[0] > (size_t)-1 / 64 || span[1] > (size_t)-1 / 64)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "shape->vectors are too many");
  span[0] += one;
  span[1] += dense;
  return CONVK_OK;
}

CONVK_RARE_ int convk_segments_shape_(char *message, const convk_compressed_shape *shape, convk_segments_job_ *job,
                                      size_t span[2]) {
  size_t points[2], dense = 0, k;
  int status = convk_need_(message, "shape", shape);
  if (!status) status = convk_segments_dense_(message, &shape->dense, job, &dense);
  if (status) return status;
  job->part[0] = shape->coarse;
  job->part[1] = shape->fine;
  for (k = 0; k < 2 && !status; k++)
    status = convk_segments_list_(message, k ? "fine" : "coarse", &job->part[k], job->half[0] * job->half[1] * job->half[2],
                                  &points[k]);
  if (status) return status;
  return convk_segments_strides_(message, shape->vectors, shape->compressed_stride, shape->dense_stride, points, dense, job,
                                 span);
}

/* Both calls but for what their tasks do: everything that can be wrong is found before anything is written. */
CONVK_RARE_ int convk_segments_begin_(convk *hw, const convk_compressed_shape *shape, int compress, const CONVK_T *in,
                                      CONVK_T *out, convk_segments_job_ *job) {
  static const char *const names[2] = {"compressed", "dense"};
  static const char *const lists[2][2] = {{"shape->coarse.ends", "shape->coarse.place"},
                                          {"shape->fine.ends", "shape->fine.place"}};
  char *const message = convk_message_(hw);
  const size_t threads = convk_threads_(hw);
  size_t span[2], max_tasks, k;
  convk_place_ place[6];
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status) status = convk_segments_shape_(message, shape, job, span);
  if (status) return status;
  place[0] = convk_place_of_(names[compress], in, span[compress] * sizeof(CONVK_T), 0);
  place[1] = convk_place_of_(names[!compress], out, span[!compress] * sizeof(CONVK_T), CONVK_PLACE_WRITTEN_);
  if (!span[0]) place[compress].flags |= CONVK_PLACE_OPTIONAL_; /* no segments at all */
  for (k = 0; k < 2; k++) {                                     /* which are read while coefficients are written */
    const convk_segments *s = &job->part[k];
    place[2 + 2 * k] = convk_place_of_(lists[k][0], s->ends, 2 * s->count * sizeof *s->ends, CONVK_PLACE_OPTIONAL_);
    place[3 + 2 * k] = convk_place_of_(lists[k][1], s->place, s->count * sizeof *s->place, CONVK_PLACE_OPTIONAL_);
  }
  status = convk_places_check_(message, place, 6);
  job->in = in;
  job->out = out;
  max_tasks = span[compress ? 0 : 1] / CONVK_SEGMENTS_THREAD_ + 1;
  job->tasks = threads < max_tasks ? threads : max_tasks;
  job->planes = convk_ceil_(job->half[2], job->tasks);
  return status;
}

CONVK_RARE_ int convk_wavelet_uncompress_cpu_(const convk_wavelets_kernels_ *kernels, convk *hw,
                                              const convk_compressed_shape *shape, const CONVK_T *compressed, CONVK_T *dense) {
  convk_segments_job_ job;
  const int status = convk_segments_begin_(hw, shape, 0, compressed, dense, &job);
  (void)kernels;
  return status ? status : convk_run_tasks_(hw, job.tasks, convk_uncompress_task_, &job);
}

CONVK_RARE_ int convk_wavelet_compress_cpu_(const convk_wavelets_kernels_ *kernels, convk *hw,
                                            const convk_compressed_shape *shape, const CONVK_T *dense, CONVK_T *compressed) {
  convk_segments_job_ job;
  const int status = convk_segments_begin_(hw, shape, 1, dense, compressed, &job);
  (void)kernels;
  return status ? status : convk_run_tasks_(hw, job.tasks, convk_compress_task_, &job);
}
