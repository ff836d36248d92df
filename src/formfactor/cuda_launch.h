/* ---- form factors: device arrays ---- */

/* A checked call, or a part of its mesh: see device.h.  What of the work memory is where, in bytes from base. */
typedef struct convk_cuda_form_ {
  size_t element, n, nq, tuned[3]; /* tuned: the sizes of the whole call that entries have */
  int imag, first, last;
  convk_formfactor_rule_ rule;
  double unit; /* of a grid: of the lanes' axis */
  CONVK_T *field[12], *f;
  const CONVK_T *q[6];
  void *base;
  convk_formfactor_body_ body;
  convk_formfactor_axes_ axes; /* of a grid; nq is 0 of a list */
  size_t sums, partial, need;
  size_t batch;  /* segments of triangles of a list, or ranges of those of a grid, that are worked on at a time */
  size_t scaled; /* of a list */
  size_t phase, row[2], side, block_moment, moment, lanes, pitch, tiles_x, tiles; /* of a grid */
  int direct;
  long choice; /* vectors of a lane of a list, 0: the default */
} convk_cuda_form_;

CONVK_LOCAL_ int convk_cuda_formfactor_list_cut_(convk_cuda_form_ *job) {
  const size_t nq = job->nq, both = 2 * sizeof(CONVK_T);
  size_t end = 0;
  int status = convk_reserve_(&end, nq, CONVK_FORMFACTOR_SCALED_ + 1, 1, sizeof(CONVK_T), &job->scaled);
  if (!status) status = convk_reserve_(&end, nq, 2, 1, sizeof(double), &job->sums);
  if (status) return status;
  job->batch = convk_ceil_(job->n, CONVK_FORMFACTOR_TRIANGLES_);
  if (nq && job->batch > CONVK_CUDA_FORMFACTOR_PARTIAL_ / both / nq) job->batch = CONVK_CUDA_FORMFACTOR_PARTIAL_ / both / nq;
  if (!job->batch) job->batch = 1;
  job->need = end +
              convk_formfactor_batches_(nq * both, convk_ceil_(job->n, CONVK_FORMFACTOR_TRIANGLES_) + 1,
                                        CONVK_CUDA_FORMFACTOR_PARTIAL_) +
              512;
  return convk_reserve_(&end, nq, job->batch, 1, both, &job->partial);
}

typedef void (*convk_cuda_formfactor_list_kernel_)(const convk_cuda_formfactor_list_args_<CONVK_T>);

template <int each_> static convk_cuda_formfactor_list_kernel_ convk_cuda_formfactor_kernel_(int imag, int order) {
  return order == 2
             ? imag ? convk_cuda_formfactor_list_<CONVK_T, each_, 1, 2> : convk_cuda_formfactor_list_<CONVK_T, each_, 0, 2>
         : imag ? convk_cuda_formfactor_list_<CONVK_T, each_, 1, 0>
                : convk_cuda_formfactor_list_<CONVK_T, each_, 0, 0>;
}
/* That for all orders. */
static convk_cuda_formfactor_list_kernel_ convk_cuda_formfactor_fitted_(int imag) {
  return imag ? convk_cuda_formfactor_list_<CONVK_T, 1, 1, CONVK_FORMFACTOR_FITTED_>
              : convk_cuda_formfactor_list_<CONVK_T, 1, 0, CONVK_FORMFACTOR_FITTED_>;
}

static int convk_cuda_formfactor_list_run_(const convk_cuda_form_ *job, cudaStream_t stream) {
  const convk_cuda_form_ *c = job;
  const size_t threads = CONVK_CUDA_FORMFACTOR_THREADS_, all = convk_ceil_(c->n, CONVK_FORMFACTOR_TRIANGLES_);
  convk_cuda_formfactor_prepare_args_<CONVK_T> p;
  convk_cuda_formfactor_list_args_<CONVK_T> a;
  convk_cuda_formfactor_total_args_<CONVK_T> t;
  const int fitted = c->rule.order != 0 && c->rule.order != 2, imag = c->imag != 0, first = c->first, last = c->last;
  /* four vectors of a lane cost an eighth less than one, unless most of them are not there */
  const int four = c->choice ? c->choice >= 4 : 8 * convk_round_up_(c->nq, 128) <= 9 * convk_round_up_(c->nq, 32);
  const size_t v = !fitted && four ? 4 : 1;
  size_t s = 0, k;
  int status = CONVK_OK;
  memset(&a, 0, sizeof a);
  for (k = 0; k < 6; k++) p.q[k] = t.q[k] = c->q[k];
  p.order = c->rule.order;
  p.body = c->body;
  a.nq = p.nq = t.nq = c->nq;
  a.scaled = p.scaled = convk_cuda_at_<CONVK_T>(job->base, job->scaled);
  a.partial = convk_cuda_at_<CONVK_T>(job->base, job->partial);
  a.tiles = convk_ceil_(c->nq, 32 * v);
  t.body = c->body;
  t.partial = a.partial;
  t.sums = convk_cuda_at_<double>(job->base, job->sums);
  if (first)
    status = convk_cuda_start_(convk_cuda_formfactor_prepare_<CONVK_T>, convk_ceil_(c->nq, threads), (int)threads, stream, p);
  if (status) return status;
  do {
    const size_t now = all - s < job->batch ? all - s : job->batch, begin = s * CONVK_FORMFACTOR_TRIANGLES_;
    for (k = 0; k < (c->rule.corners ? 12 : 6); k++) a.mesh[k] = c->field[k] + begin;
    a.n = c->n - begin < now * CONVK_FORMFACTOR_TRIANGLES_ ? c->n - begin : now * CONVK_FORMFACTOR_TRIANGLES_;
    a.tasks = a.tiles * now;
    if (now)
      status = convk_cuda_start_(fitted   ? convk_cuda_formfactor_fitted_(imag)
                                 : v == 4 ? convk_cuda_formfactor_kernel_<4>(imag, c->rule.order)
                                          : convk_cuda_formfactor_kernel_<1>(imag, c->rule.order),
                                 convk_ceil_(a.tasks, threads / 32), (int)threads, stream, a);
    t.segments = now;
    t.fresh = first && !s;
    s += now;
    t.f = last && s == all ? c->f : NULL;
    if (!status)
      status = convk_cuda_start_(convk_cuda_formfactor_total_<CONVK_T>, convk_ceil_(c->nq, threads), (int)threads, stream, t);
  } while (!status && s < all);
  return status;
}

/* ---- a tensor grid of q ---- */

/* Bytes of work that are enough for smaller grids and meshes, too, which may have more batches. */
CONVK_LOCAL_ int convk_cuda_formfactor_grid_need_(convk_cuda_form_ *job) {
  const size_t range = CONVK_CUDA_FORMFACTOR_RANGE_, wanted = convk_ceil_(job->n, range) + 1, size = sizeof(CONVK_T);
  const size_t numbers = 2 * (job->pitch + job->axes.n[1] + job->axes.n[2]) + CONVK_CUDA_FORMFACTOR_SIDE_;
  const size_t enough = CONVK_CUDA_FORMFACTOR_ENOUGH_ * CONVK_CUDA_FORMFACTOR_Q_, nq = job->axes.nq,
               tables = CONVK_CUDA_FORMFACTOR_TABLES_;
  size_t each, need;
  if (nq > (size_t)-1 / 256 || convk_mul_(numbers + job->axes.n[0], size * range, &each)) return CONVK_ERR_OVERFLOW;
  /* tables of phases, of which the sums of blocks are a twentieth; then sums of ranges, where tiles do not fill the device */
  need = convk_formfactor_batches_(each, wanted, tables + tables / 2);
  need += convk_formfactor_batches_(2 * sizeof(double) * (nq < enough ? nq : enough), wanted, tables / 2);
  need += (6 * job->axes.n[0] + 2 * nq) * sizeof(double) + 16 * 256;
  if (need > job->need) job->need = need;
  return CONVK_OK;
}

CONVK_LOCAL_ int convk_cuda_formfactor_grid_cut_(convk_cuda_form_ *job) {
  const size_t range = CONVK_CUDA_FORMFACTOR_RANGE_, blocks = range / CONVK_FORMFACTOR_BLOCK_, *n = job->axes.n,
               size = sizeof(CONVK_T);
  size_t bytes, end = 0;
  int d, status;
  if (n[0] > (size_t)-1 / 2) return CONVK_ERR_OVERFLOW;
  /* wide tiles need fewer factors of rows, but may lie half outside of the grid */
  job->lanes = CONVK_CUDA_FORMFACTOR_LANES_;
  if (convk_round_up_(n[0], 2 * job->lanes) == convk_round_up_(n[0], job->lanes)) job->lanes *= 2;
  job->pitch = convk_round_up_(n[0], job->lanes);
  status = convk_mul_(job->pitch + n[1] + n[2] + CONVK_CUDA_FORMFACTOR_SIDE_, 2 * size * range, &bytes);
  if (status) return status;
  job->tiles_x = job->pitch / job->lanes;
  job->tiles = job->tiles_x * convk_ceil_(job->axes.rows, CONVK_CUDA_FORMFACTOR_Q_ / job->lanes);
  job->direct = job->tiles >= CONVK_CUDA_FORMFACTOR_ENOUGH_;
  job->batch = convk_ceil_(job->n, range);
  if (job->batch > CONVK_CUDA_FORMFACTOR_TABLES_ / bytes) job->batch = CONVK_CUDA_FORMFACTOR_TABLES_ / bytes;
  if (!job->direct && job->batch > CONVK_CUDA_FORMFACTOR_TABLES_ / (4 * sizeof(double)) / job->axes.nq)
    job->batch = CONVK_CUDA_FORMFACTOR_TABLES_ / (4 * sizeof(double)) / job->axes.nq;
  job->batch = job->batch ? convk_even_part_(convk_ceil_(job->n, range), job->batch) : 1;
  status = convk_reserve_(&end, 2 * range, job->batch, job->pitch, size, &job->phase);
  for (d = 0; d < 2 && !status; d++) status = convk_reserve_(&end, 2 * range, job->batch, n[1 + d], size, &job->row[d]);
  if (!status) status = convk_reserve_(&end, CONVK_CUDA_FORMFACTOR_SIDE_ * range, job->batch, 1, size, &job->side);
  if (!status) status = convk_reserve_(&end, 6 * blocks, job->batch, n[0], size, &job->block_moment);
  if (!status) status = convk_reserve_(&end, 6, n[0], 1, sizeof(double), &job->moment);
  if (!status) status = convk_reserve_(&end, 2, job->axes.nq, 1, sizeof(double), &job->sums);
  if (!status) status = convk_reserve_(&end, 2, job->axes.nq, job->direct ? 0 : job->batch, sizeof(double), &job->partial);
  job->need = end + 256;
  if (!status) status = convk_cuda_formfactor_grid_need_(job);
  return status;
}

/* What the kernels of a grid are told, but for the triangles. */
typedef struct convk_cuda_formfactor_args_ {
  convk_cuda_formfactor_phase_args_<CONVK_T> phase;
  convk_cuda_formfactor_moment_args_<CONVK_T> moment;
  convk_cuda_formfactor_grid_args_<CONVK_T> grid;
  convk_cuda_formfactor_grid_total_args_<CONVK_T> total;
} convk_cuda_formfactor_args_;

CONVK_LOCAL_ void convk_cuda_formfactor_arguments_(const convk_cuda_form_ *job, convk_cuda_formfactor_args_ *a) {
  size_t d;
  memset(a, 0, sizeof *a);
  a->phase.axes = a->grid.axes = a->total.axes = job->axes;
  for (d = 0; d < 4; d++) a->phase.q[d] = a->grid.q[d] = a->total.q[d] = job->q[d < 3 ? (size_t)job->axes.axis[d] : d];
  a->grid.phase = a->phase.phase = convk_cuda_at_<CONVK_T>(job->base, job->phase);
  a->moment.moment = a->phase.moment = convk_cuda_at_<CONVK_T>(job->base, job->block_moment);
  a->grid.side = a->phase.side = convk_cuda_at_<CONVK_T>(job->base, job->side);
  a->grid.room = a->phase.room = job->batch * CONVK_CUDA_FORMFACTOR_RANGE_;
  a->phase.lanes = job->lanes;
  a->phase.pitch = job->pitch;
  for (d = 0; d < 3; d++) a->phase.parts[d] = convk_ceil_(d ? job->axes.n[d] : job->pitch, CONVK_CUDA_FORMFACTOR_THREADS_);
  for (d = 0; d < 2; d++) a->grid.row[d] = a->phase.row[d] = convk_cuda_at_<CONVK_T>(job->base, job->row[d]);
  a->moment.sums = convk_cuda_at_<double>(job->base, job->moment);
  a->moment.n = 6 * job->axes.n[0];
  a->grid.sums = convk_cuda_at_<double>(job->base, job->direct ? job->sums : job->partial);
  a->grid.tiles_x = job->tiles_x;
  a->grid.tiles = job->tiles;
  a->grid.direct = job->direct;
  a->grid.unit = (CONVK_T)job->unit;
  a->grid.per = (CONVK_T)(1 / job->unit);
  a->total.body = job->body;
  a->total.partial = convk_cuda_at_<double>(job->base, job->partial);
  a->total.moment = a->moment.sums;
  a->total.sums = convk_cuda_at_<double>(job->base, job->sums);
}

static int convk_cuda_formfactor_start_product_(const convk_cuda_form_ *job, cudaStream_t stream, size_t blocks,
                                                const convk_cuda_formfactor_grid_args_<CONVK_T> &args) {
  enum { lanes_ = CONVK_CUDA_FORMFACTOR_LANES_ };
  const int fourth = job->rule.order == 2;
  const size_t bytes = convk_cuda_formfactor_grid_bytes_(job->lanes, fourth);
  void (*const kernel)(convk_cuda_formfactor_grid_args_<CONVK_T>) =
      job->lanes > lanes_
          ? fourth ? convk_cuda_formfactor_grid_<CONVK_T, 2 * lanes_, 1> : convk_cuda_formfactor_grid_<CONVK_T, 2 * lanes_, 0>
      : fourth ? convk_cuda_formfactor_grid_<CONVK_T, lanes_, 1>
               : convk_cuda_formfactor_grid_<CONVK_T, lanes_, 0>;
  return convk_cuda_start_(kernel, blocks, CONVK_CUDA_FORMFACTOR_GRID_THREADS_, stream, args, bytes);
}

static int convk_cuda_formfactor_grid_run_(const convk_cuda_form_ *job, cudaStream_t stream) {
  const convk_cuda_form_ *c = job;
  const int first = c->first, last = c->last;
  const size_t threads = CONVK_CUDA_FORMFACTOR_THREADS_, range = CONVK_CUDA_FORMFACTOR_RANGE_, all = convk_ceil_(c->n, range);
  convk_cuda_formfactor_args_ a;
  size_t s = 0;
  int status = CONVK_OK, d;
  convk_cuda_formfactor_arguments_(job, &a);
  do {
    const size_t now = all - s < job->batch ? all - s : job->batch, begin = s * range;
    a.phase.n = a.grid.n = c->n - begin < now * range ? c->n - begin : now * range;
    a.phase.blocks = a.moment.blocks = convk_ceil_(a.phase.n, CONVK_FORMFACTOR_BLOCK_);
    for (d = 0; d < 3; d++) {
      a.phase.area[d] = c->field[job->axes.axis[d]] + begin;
      a.phase.at[d] = c->field[3 + job->axes.axis[d]] + begin;
    }
    for (d = 0; d < 6 && c->rule.order == 2; d++) a.phase.corner[d] = c->field[6 + d / 3 * 3 + job->axes.axis[d % 3]] + begin;
    a.moment.fresh = a.grid.fresh = a.total.fresh = first && !s;
    a.grid.ranges = now;
    a.total.ranges = job->direct ? 0 : now;
    if (job->direct && now) a.total.fresh = 0; /* the sums are there */
    s += now;
    a.total.f = last && s == all ? c->f : NULL;
    if (now)
      status = convk_cuda_start_(convk_cuda_formfactor_phase_<CONVK_T>,
                                 (a.phase.parts[0] + a.phase.parts[1] + a.phase.parts[2]) * a.phase.blocks, (int)threads,
                                 stream, a.phase);
    if (!status)
      status = convk_cuda_start_(convk_cuda_formfactor_moment_<CONVK_T>, convk_ceil_(a.moment.n, threads), (int)threads, stream,
                                 a.moment);
    if (!status && now)
      status = convk_cuda_formfactor_start_product_(job, stream, job->direct ? job->tiles : job->tiles * now, a.grid);
    if (!status && (!job->direct || a.total.f))
      status = convk_cuda_start_(convk_cuda_formfactor_grid_total_<CONVK_T>, convk_ceil_(job->axes.nq, threads), (int)threads,
                                 stream, a.total);
  } while (!status && s < all);
  return status;
}

/* ---- both ---- */

/* Bytes of work, and what of it is where. */
CONVK_LOCAL_ int convk_cuda_formfactor_need_(const void *, convk_cuda_form_ *job, size_t *need) {
  const int status = job->axes.nq ? convk_cuda_formfactor_grid_cut_(job) : convk_cuda_formfactor_list_cut_(job);
  if (!status) *need = job->need;
  return status;
}

/* The triangles of the job: first and last say whether sums begin here, and whether F is made. */
CONVK_LOCAL_ int convk_cuda_formfactor_start_(convk_cuda_call_ *call, const convk_cuda_form_ *job) {
  convk_cuda_form_ tuned = *job;
  long choice[CONVK_TUNE_COUNT];
  int status = convk_cuda_clock_start_(call);
  if (status) return status;
  convk_choice_(call->hw, "formfactor", sizeof(CONVK_T), job->tuned[0], job->tuned[1], job->tuned[2], 1, choice);
  tuned.choice = choice[CONVK_TUNE_TILE_X];
  status =
      job->axes.nq ? convk_cuda_formfactor_grid_run_(job, call->stream) : convk_cuda_formfactor_list_run_(&tuned, call->stream);
  return convk_cuda_clock_stop_(call, status);
}
