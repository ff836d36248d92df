/* ---- grids ---- */

/* What the host has made goes to the beginning of work memory, a multiple of 8 bytes: as arguments of kernels. */
CONVK_LOCAL_ int convk_grids_send_(convk_cuda_call_ *call, void *work, const void *data, size_t bytes) {
  const size_t chunk = sizeof(uint64_t) * CONVK_CUDA_PUT_WORDS_;
  convk_cuda_put_args_ a;
  size_t at;
  int status = CONVK_OK;
  for (at = 0; at < bytes && !status; at += chunk) {
    const size_t some = bytes - at < chunk ? bytes - at : chunk;
    a.to = convk_cuda_at_<uint64_t>(work, at);
    a.count = some / sizeof(uint64_t);
    memcpy(a.words, (const char *)data + at, some);
    status =
        convk_cuda_launch_(convk_cuda_put_words_, convk_ceil_((size_t)a.count, CONVK_CUDA_PUT_EACH_), 128, call->stream, a);
  }
  return status;
}

/* Of a general cell there are no tables. */
CONVK_LOCAL_ int convk_cells_start_(convk_cuda_call_ *call, convk_cuda_grids_args_<CONVK_T> *a, int density) {
  a->of.strips_x = convk_ceil_((size_t)a->of.n[0], CONVK_CUDA_GRIDS_ACROSS_);
  a->of.strips_y = convk_ceil_((size_t)a->of.n[1], CONVK_CUDA_GRIDS_LINES_);
  a->count = (size_t)(a->of.strips_x * a->of.strips_y * a->of.planes);
  a->tasks = a->count * (density ? 1 : convk_ceil_((size_t)a->of.norbitals, a->of.wide));
  return convk_cuda_start_(convk_cuda_cells_of_<CONVK_T>(a->of.kinds, a->of.wide, density), a->tasks,
                           CONVK_CUDA_GAUSSIAN_THREADS_, call->stream, *a);
}

/* Makes tables, where `points` is not 0 but the most points of any, and then results; given->kinds: of tables; lot: most rows
   of results that go together; density: 2 with what derivatives give. */
CONVK_LOCAL_ int convk_grids_start_(convk_cuda_call_ *call, const convk_grids_arguments_<CONVK_T> *arguments, size_t points,
                                    size_t lot, int density, void *work, CONVK_T *const *out) {
  const size_t threads = CONVK_CUDA_GAUSSIAN_THREADS_, parts = arguments->wave ? 2 : 1;
  const size_t columns = parts * (density ? (size_t)arguments->norbitals : lot);
  convk_cuda_grids_cut_ cut;
  convk_cuda_grids_args_<CONVK_T> a;
  size_t k, first, some, shared;
  int status = CONVK_OK;
  memset(&a, 0, sizeof a);
  a.of = *arguments;
  a.work = (unsigned char *)work;
  for (k = 0; k < 5; k++) a.out[k] = out[k];
  if (arguments->wide) return convk_cells_start_(call, &a, density);
  if (points && a.of.groups) {
    a.count = convk_ceil_(points, threads);
    a.tasks = 3 * (size_t)a.of.groups * a.count;
    status = convk_cuda_start_(a.of.wave        ? convk_cuda_grids_tables_<CONVK_T, 2>
                               : a.of.kinds > 1 ? convk_cuda_grids_tables_<CONVK_T, 3>
                                                : convk_cuda_grids_tables_<CONVK_T, 1>,
                               a.tasks, (int)threads, call->stream, a);
    k = (size_t)(a.of.tiles[0] > a.of.tiles[1] ? a.of.tiles[0] : a.of.tiles[1]);
    if (k < a.of.tiles[2]) k = (size_t)a.of.tiles[2];
    a.count = convk_ceil_(k, threads / CONVK_CUDA_GRIDS_MAXIMUM_);
    a.tasks = 3 * (size_t)a.of.groups * a.count;
    if (!status) status = convk_cuda_start_(convk_cuda_grids_maxima_<CONVK_T>, a.tasks, (int)threads, call->stream, a);
  }
  a.tasks = (size_t)(a.of.tiles[0] * a.of.tiles[1] * a.of.tiles[2]);
  if (!status && points && a.of.listed)
    status = convk_cuda_start_(convk_cuda_grids_lists_<CONVK_T>, a.tasks, (int)threads, call->stream, a);
  a.sets = a.of.wave ? 3 : a.of.kinds;
  a.steps = (size_t)a.of.depth * (a.of.wave || a.of.kinds > 1 ? 2 : 1);
  a.of.kinds = a.of.kinds == 1 || density || a.of.wave ? 1 : 5;
  cut = convk_cuda_grids_cut_of_(density, parts, columns, a.of.tile,
                                 (size_t)(a.of.tiles[0] * a.of.tiles[1] * a.of.tiles[2] * a.of.kinds * a.of.nlots));
  a.shift = cut.shift;
  a.deep = cut.deep;
  a.of.strips_x = a.of.tiles[0] * cut.parts[0];
  a.of.strips_y = a.of.tiles[1] * cut.parts[1];
  shared = convk_cuda_grids_shared_<CONVK_T>(cut.each, a.steps, &a.look);
  some = (size_t)a.of.plane_sums * a.sets * sizeof(CONVK_T); /* bytes of a plane, then planes at a time */
  some = some ? (size_t)a.of.sums_bytes / some : (size_t)arguments->planes;
  if (some > a.of.tile[2]) some -= some % (size_t)a.of.tile[2];
  for (first = 0; first < arguments->planes && !status; first += some) {
    a.of.first_plane = arguments->first_plane + first;
    a.of.planes = convk_least_((size_t)arguments->planes - first, some);
    for (k = 0; k < 5; k++) a.out[k] = out[k] ? out[k] + first * a.of.pitch_z * (density ? 1 : parts) : NULL;
    a.count = convk_ceil_((size_t)a.of.lot_sums, threads);
    a.tasks = (size_t)(a.of.nlots * a.of.planes) * a.count;
    if (a.of.plane_sums) status = convk_cuda_start_(convk_cuda_grids_sums_<CONVK_T>, a.tasks, (int)threads, call->stream, a);
    a.first_tile = (size_t)(a.of.first_plane / a.of.tile[2]);
    a.count = density ? 1 : convk_ceil_(columns, cut.abreast);
    k = (size_t)((a.of.first_plane + a.of.planes - 1) / a.of.tile[2]) + 1 - a.first_tile;
    a.tasks = (size_t)(a.of.strips_x * a.of.kinds * a.of.nlots * a.of.strips_y) * k * cut.parts[2] * a.count;
    if (!status)
      status =
          convk_cuda_start_(convk_cuda_grids_of_<CONVK_T>(density, cut.each), a.tasks, (int)threads, call->stream, a, shared);
  }
  return status;
}
