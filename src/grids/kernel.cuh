/* ---- Gaussians on grids ---- */

/* Choices: 16 threads along x, so that the two lines of a warp share what they read of shared memory; a thread's tile is as
   large as registers allow, since its sums are what the multiply-add peak needs: see tests/bench/audit. */
enum {
  CONVK_CUDA_GRIDS_ACROSS_ = 16,
  CONVK_CUDA_GRIDS_LINES_ = CONVK_CUDA_GAUSSIAN_THREADS_ / CONVK_CUDA_GRIDS_ACROSS_,
  CONVK_CUDA_GRIDS_QUEUE_ = 16, /* tables in shared memory at a time */
  CONVK_CUDA_GRIDS_LOOK_ = 64   /* of which it has what they are: 4 times as many, as that takes four reads in turn */
};

template <class real_> struct convk_cuda_grids_args_ {
  convk_grids_arguments_<real_> of;
  unsigned char *work;
  real_ *out[5];
  size_t count,
      tasks; /* of the kernels that make tables: parts of a line, of those that make orbitals: of a place; of all: blocks */
};

/* Bytes from the host, as arguments: nothing else of it is needed. */
enum { CONVK_CUDA_PUT_WORDS_ = 448 }; /* of 4 KB that arguments may take */
struct convk_cuda_put_args_ {
  uint64_t *to;
  uint64_t count, words[CONVK_CUDA_PUT_WORDS_];
};
static __global__ void convk_cuda_put_words_(const convk_cuda_put_args_ a) {
  for (unsigned i = threadIdx.x; i < a.count; i += blockDim.x) a.to[i] = a.words[i];
}

/* Tables of a group along an axis, a thread for a point: sums over images of the center.  kinds_ 2: with phases. */
template <class real_, int kinds_>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_grids_tables_(const convk_cuda_grids_args_<real_> a) {
  const double limit = (double)CONVK_GREATEST_ / 4;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t line = convk_cuda_divide_(task, a.count);
    const convk_grids_axis_device_ &axis = ((const convk_grids_axis_device_ *)(const void *)(a.work + a.of.axes))[line];
    const size_t at = (task - line * a.count) * CONVK_CUDA_GAUSSIAN_THREADS_ + threadIdx.x;
    const uint64_t i = axis.low + at;
    real_ *const to = (real_ *)(void *)(a.work + a.of.values) + axis.table + at;
    const int phased = kinds_ == 2 && axis.size;
    real_ row[kinds_][CONVK_SHELL_MAX_L + 1], size = 0;
    if (at >= axis.count) continue;
    CONVK_CUDA_EACH_(k, kinds_ * (CONVK_SHELL_MAX_L + 1)) row[k % kinds_][k / kinds_] = 0;
    for (double image = axis.image; image <= axis.last; image += 1) {
      double lo, u, rest, square;
      uint64_t low, end;
      real_ s, e;
      const double hi = convk_cuda_grids_image_(axis.start, axis.lost, image, axis.period, &lo);
      convk_cuda_grids_range_(hi, axis.step, axis.radius, axis.n, &low, &end);
      if (i < low || i >= end) continue;
      square = convk_cuda_grids_square_of_(hi, lo, axis.step, (double)i, limit, &u, &rest);
      s = (real_)square;
      e = convk_cuda_gaussian_((real_)axis.a, (real_)axis.b, (real_)axis.top, s,
                               (real_)convk_cuda_add_(convk_cuda_add_(square, -(double)s), rest), a.of.cut, 1);
      if (phased) {
        double cosine, sine;
        convk_cuda_grids_phase_(axis.turn, axis.turn_lo, image, &cosine, &sine);
        convk_cuda_bloch_rows_of_((int)axis.rows - 1, u, e, cosine, sine, row[0], row[kinds_ == 2 ? 1 : 0]);
        size = convk_cuda_add_(size, e);
        continue;
      }
      CONVK_CUDA_EACH_(kind, (kinds_ == 2 ? 1 : kinds_))
        convk_cuda_grids_rows_of_(kind, (int)axis.rows - 1, axis.exponent, u, e, row[kind]);
    }
    if (phased) to[axis.size] = size;
    CONVK_CUDA_EACH_(kind, kinds_) CONVK_CUDA_UNROLL_
    for (int k = 0; k <= CONVK_SHELL_MAX_L; k++)
      if ((uint64_t)k < axis.rows && (kinds_ != 2 || !kind || phased))
        to[((uint64_t)kind * axis.rows + (uint64_t)k) * axis.count] = row[kind][k];
  }
}

/* The largest exponential of each tile of an axis of a group: a thread for a tile. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_grids_maxima_(const convk_cuda_grids_args_<real_> a) {
  real_ *const values = (real_ *)(void *)(a.work + a.of.values);
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t line = convk_cuda_divide_(task, a.count);
    const convk_grids_axis_device_ &axis = ((const convk_grids_axis_device_ *)(const void *)(a.work + a.of.axes))[line];
    const size_t tile = (task - line * a.count) * CONVK_CUDA_GAUSSIAN_THREADS_ + threadIdx.x;
    uint64_t i = tile * axis.tile, end = i + axis.tile;
    real_ maximum = 0;
    if (tile >= axis.tiles) continue;
    if (i < axis.low) i = axis.low;
    if (end > axis.low + axis.count) end = axis.low + axis.count;
    for (; i < end; i++) maximum = convk_cuda_max_(maximum, values[axis.table + axis.size + (i - axis.low)]);
    values[axis.maxima + tile] = maximum;
  }
}

/* The tables of groups that are alive in a tile, in order: a block for a tile. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_grids_lists_(const convk_cuda_grids_args_<real_> a) {
  const unsigned threads = CONVK_CUDA_GAUSSIAN_THREADS_, item = threadIdx.x;
  __shared__ unsigned counts[CONVK_CUDA_GAUSSIAN_THREADS_];
  const real_ *const values = (const real_ *)(const void *)(a.work + a.of.values);
  for (size_t tile = blockIdx.x; tile < a.tasks; tile += gridDim.x) {
    const size_t line = convk_cuda_divide_(tile, a.of.tiles[0]), x = tile - line * a.of.tiles[0];
    const size_t z = convk_cuda_divide_(line, a.of.tiles[1]), y = line - z * a.of.tiles[1];
    uint32_t *const list = (uint32_t *)(void *)(a.work + a.of.lists) + tile * a.of.ntables;
    unsigned all = 0;
    for (size_t g0 = 0; g0 < a.of.groups; g0 += threads) {
      const size_t g = g0 + item < a.of.groups ? g0 + item : a.of.groups - 1;
      const convk_grids_axis_device_ *const axis = (const convk_grids_axis_device_ *)(const void *)(a.work + a.of.axes) + 3 * g;
      const real_ ez = convk_cuda_mul_(values[axis[2].maxima + z], values[axis[0].maxima + x]);
      const int alive = g0 + item < a.of.groups && convk_cuda_mul_(values[axis[1].maxima + y], ez) >= a.of.cut;
      unsigned before = 0;
      __syncthreads();
      counts[item] = alive ? (unsigned)axis->rows : 0;
      __syncthreads();
      for (unsigned k = 0; k < item; k++) before += counts[k];
      for (unsigned k = 0; alive && k < axis->rows; k++) list[all + before + k] = (uint32_t)axis->first + k;
      for (unsigned k = 0; k < threads; k++) all += counts[k];
    }
    if (item == 0) ((uint32_t *)(void *)(a.work + a.of.counts))[tile] = all;
  }
}

/* What a block makes: in which plane and tile, of a lot, from which point, row and orbital on, and how many. */
struct convk_cuda_grids_place_ {
  uint64_t tile[3], at[3], list, orbital; /* at: the first point and row, and the plane */
  int nx, ny, orbitals;
  const convk_grids_lot_device_ *lot;
};

/* Tables in shared memory: their part along x, their terms summed along z, and the weights that rows give them.  A thread makes
   rows_ rows of an orbital (abreast_ 1) or a row of as many orbitals (abreast_ is rows_), whose weights lie side by side, at a
   multiple of 16 bytes. */
template <class real_, int each_, int rows_, int abreast_> struct __align__(16) convk_cuda_grids_room_ {
  enum {
    width = CONVK_CUDA_GRIDS_ACROSS_ * each_,
    pack = 16 / (int)sizeof(real_),
    pitch = (rows_ + pack - 1) / pack * pack,
    each = rows_ / abreast_, /* rows of a thread, and of a block */
    rows = CONVK_CUDA_GRIDS_LINES_ * each,
    powers = CONVK_SHELL_MAX_L + 1,
    lanes = abreast_ > 1 ? 8 : 1 /* threads that make sums of a table */
  };
  real_ panel[CONVK_CUDA_GRIDS_QUEUE_][width], weights[CONVK_CUDA_GRIDS_QUEUE_][CONVK_CUDA_GRIDS_LINES_ * pitch];
  real_ v[CONVK_CUDA_GRIDS_QUEUE_][powers * abreast_], w[CONVK_CUDA_GRIDS_QUEUE_][powers * abreast_];
  real_ ez[CONVK_CUDA_GRIDS_LOOK_];
  convk_grids_near_ table[CONVK_CUDA_GRIDS_LOOK_];
};

/* Where task `task` is: parts of tiles along x, kinds of results, lots; then parts along y, planes.  0: nothing is there. */
template <class real_>
CONVK_CUDA_INLINE_ int convk_cuda_grids_place_of_(const convk_grids_arguments_<real_> &of, size_t task, int width,
                                                  unsigned char *work, unsigned *kind, convk_cuda_grids_place_ *place) {
  const size_t groups = of.strips_x * of.kinds * of.nlots, line = convk_cuda_divide_(task, groups),
               group = task - line * groups;
  const size_t rest = convk_cuda_divide_(group, of.strips_x), strip = group - rest * of.strips_x;
  const size_t above = convk_cuda_divide_(line, of.strips_y), part = line - above * of.strips_y;
  const size_t each_x = convk_cuda_divide_(of.strips_x, of.tiles[0]), each_y = convk_cuda_divide_(of.strips_y, of.tiles[1]);
  const size_t lot = convk_cuda_divide_(rest, of.kinds);
  size_t end;
  *kind = (unsigned)(rest - lot * of.kinds);
  place->lot = (const convk_grids_lot_device_ *)(const void *)(work + of.lots) + lot;
  place->at[2] = of.first_plane + above;
  place->tile[0] = convk_cuda_divide_(strip, each_x);
  place->tile[1] = convk_cuda_divide_(part, each_y);
  place->tile[2] = convk_cuda_divide_(place->at[2], of.tile[2]);
  place->list = (place->tile[2] * of.tiles[1] + place->tile[1]) * of.tiles[0] + place->tile[0];
  place->at[0] = place->tile[0] * of.tile[0] + (strip - place->tile[0] * each_x) * (size_t)width;
  place->at[1] = place->tile[1] * of.tile[1] + (part - place->tile[1] * each_y) * of.rows_y;
  end = (place->tile[0] + 1) * of.tile[0] < of.n[0] ? (place->tile[0] + 1) * of.tile[0] : of.n[0];
  if (place->at[0] >= end) return 0;
  place->nx = convk_cuda_least_(end - place->at[0], width);
  end = (place->tile[1] + 1) * of.tile[1] < of.n[1] ? (place->tile[1] + 1) * of.tile[1] : of.n[1];
  if (place->at[1] >= end) return 0;
  place->ny = convk_cuda_least_(end - place->at[1], (int)of.rows_y);
  return 1;
}

/* What up to LOOK tables of the place are, from q0 on. */
template <class real_, int each_, int rows_, int abreast_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_look_up_(const convk_grids_arguments_<real_> &of, const unsigned char *work,
                                                  const convk_cuda_grids_place_ &place, size_t q0, int some, int weight,
                                                  int along, convk_cuda_grids_room_<real_, each_, rows_, abreast_> &room) {
  const int item = (int)threadIdx.x;
  const real_ *const values = (const real_ *)(const void *)(work + of.values);
  __syncthreads();
  if (item < some) {
    const uint32_t *const list = (const uint32_t *)(const void *)(work + of.lists) + place.list * of.ntables;
    const size_t number = of.listed ? list[q0 + (size_t)item] : place.lot->first + q0 + (size_t)item;
    convk_grids_near_ e;
    real_ ez;
    convk_cuda_grids_look_((const convk_grids_table_device_ *)(const void *)(work + of.tables) + number,
                           (const convk_grids_axis_device_ *)(const void *)(work + of.axes), values, place.tile, place.at,
                           place.nx, place.ny, of.cut, weight, along, &e, &ez);
    room.table[item] = e;
    room.ez[item] = ez;
  }
}

/* Weights of `some` tables, of which `table` and ez tell: sums along z, which serve all rows, then those along y.  wave_: of
   Bloch sums. */
template <class real_, int each_, int rows_, int abreast_, int wave_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_weigh_(const convk_grids_arguments_<real_> &of, const convk_cuda_grids_place_ &place,
                                                const real_ *values, const real_ *terms, int some, int weight,
                                                const convk_grids_near_ *table, const real_ *ez,
                                                convk_cuda_grids_room_<real_, each_, rows_, abreast_> &room) {
  const int threads = CONVK_CUDA_GAUSSIAN_THREADS_, item = (int)threadIdx.x, both = wave_ || weight == 3;
  for (int k = item; k < some * room.lanes; k += threads) {
    const int i = k % room.lanes, q = k / room.lanes;
    const convk_grids_near_ &e = table[q];
    const real_ *const own = terms + ((place.orbital + (uint64_t)i) * place.lot->apart + e.terms);
    if (!e.alive || i >= abreast_) continue;
    CONVK_CUDA_EACH_(b, room.powers) {
      real_ v = 0, w = 0;
      if (b > e.degree) break;
      if (i < place.orbitals) convk_cuda_grids_along_z_(&e, values, own, wave_ ? of.imag : 0, b, &v, &w);
      room.v[q][b * abreast_ + i] = v;
      if (both) room.w[q][b * abreast_ + i] = w;
    }
  }
  __syncthreads();
  for (int k = item; k < some * room.rows; k += threads) {
    const int q = k / room.rows, row = k % room.rows;
    const convk_grids_near_ &e = table[q];
    real_ sum[abreast_];
    if (!e.alive) continue;
    CONVK_CUDA_EACH_(i, abreast_) sum[i] = 0;
    if (row < place.ny && convk_cuda_grids_counts_(&e, values, row, ez[q], of.cut)) {
      CONVK_CUDA_EACH_(b, room.powers) {
        if (b > e.degree) break;
        CONVK_CUDA_EACH_(i, abreast_) {
          const real_ v = room.v[q][b * abreast_ + i], w = both ? room.w[q][b * abreast_ + i] : (real_)0;
          if (wave_) convk_cuda_bloch_add_row_(&e, values, row, b, v, w, weight, &sum[i]);
          else convk_cuda_grids_add_row_(&e, values, row, b, v, w, &sum[i]);
        }
      }
    }
    CONVK_CUDA_EACH_(i, abreast_)
      room.weights[q][row / room.each * room.pitch + row % room.each + i] = wave_ && weight == 6 ? -sum[i] : sum[i];
  }
}

/* What shared memory has of up to QUEUE tables. */
template <class real_, int each_, int rows_, int abreast_, int wave_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_fill_(const convk_grids_arguments_<real_> &of, const unsigned char *work,
                                               const convk_cuda_grids_place_ &place, const real_ *terms, int some, int weight,
                                               const convk_grids_near_ *table, const real_ *ez,
                                               convk_cuda_grids_room_<real_, each_, rows_, abreast_> &room) {
  const int across = CONVK_CUDA_GRIDS_ACROSS_, lines = CONVK_CUDA_GRIDS_LINES_, x = (int)threadIdx.x % across;
  const real_ *const values = (const real_ *)(const void *)(work + of.values);
  __syncthreads();
  CONVK_CUDA_UNROLL_BY_(2)
  for (int q = (int)threadIdx.x / across; q < some; q += lines) {
    const convk_grids_near_ &e = table[q];
    const int begin = e.x_begin - x, end = e.x_end - x;
    const real_ *const from = values + (e.x + (uint64_t)x);
    if (!e.alive) continue;
    CONVK_CUDA_EACH_(u, each_)
      room.panel[q][x + u * across] = u * across >= begin && u * across < end ? from[u * across] : (real_)0;
  }
  convk_cuda_grids_weigh_<real_, each_, rows_, abreast_, wave_>(of, place, values, terms, some, weight, table, ez, room);
  __syncthreads();
}

/* Adds all tables of the place to sums of a thread.  terms: of the lot; weight, along: see convk_grids_look_. */
template <class real_, int each_, int rows_, int abreast_, int wave_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_product_(const convk_grids_arguments_<real_> &of, const unsigned char *work,
                                                  const convk_cuda_grids_place_ &place, const real_ *terms, int weight,
                                                  int along, convk_cuda_grids_room_<real_, each_, rows_, abreast_> &room,
                                                  real_ (*sum)[each_]) {
  const int across = CONVK_CUDA_GRIDS_ACROSS_, lx = (int)threadIdx.x % across, ly = (int)threadIdx.x / across;
  const int queue = CONVK_CUDA_GRIDS_QUEUE_, look = CONVK_CUDA_GRIDS_LOOK_;
  const size_t count = of.listed ? ((const uint32_t *)(const void *)(work + of.counts))[place.list] : (size_t)place.lot->count;
  for (size_t q0 = 0; q0 < count; q0 += queue) {
    const int some = convk_cuda_least_(count - q0, queue), from = (int)(q0 % look);
    const convk_grids_near_ *const table = room.table + from;
    if (from == 0) convk_cuda_grids_look_up_(of, work, place, q0, convk_cuda_least_(count - q0, look), weight, along, room);
    convk_cuda_grids_fill_<real_, each_, rows_, abreast_, wave_>(of, work, place, terms, some, weight, table, room.ez + from,
                                                                 room);
    CONVK_CUDA_UNROLL_BY_(1)
    for (int q = 0; q < some; q++) {
      real_ v[each_], w[rows_];
      if (!table[q].alive) continue;
      CONVK_CUDA_EACH_(u, each_) v[u] = room.panel[q][lx + u * across];
      CONVK_CUDA_UNROLL_
      for (int p = 0; p + room.pack <= rows_; p += room.pack) convk_cuda_get_(w + p, &room.weights[q][ly * room.pitch + p]);
      CONVK_CUDA_UNROLL_
      for (int p = rows_ / room.pack * room.pack; p < rows_; p++) w[p] = room.weights[q][ly * room.pitch + p];
      CONVK_CUDA_EACH_(p, rows_)
        CONVK_CUDA_EACH_(u, each_) sum[p][u] = convk_cuda_fma_(w[p], v[u], sum[p][u]);
    }
  }
}

/* Sums of a thread go to rows of a result, whose numbers are apart_ from each other. */
template <class real_, int each_, int rows_, int abreast_, int apart_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_store_(const convk_grids_arguments_<real_> &of, const convk_cuda_grids_place_ &place,
                                                const real_ (*sum)[each_], real_ *out) {
  const int across = CONVK_CUDA_GRIDS_ACROSS_, lx = (int)threadIdx.x % across, ly = (int)threadIdx.x / across;
  out += apart_ * ((place.at[2] - of.first_plane) * of.pitch_z + place.at[0] + (uint64_t)lx);
  CONVK_CUDA_EACH_(p, rows_) {
    const int o = p % abreast_, row = ly * (rows_ / abreast_) + p / abreast_;
    real_ *const to =
        out + apart_ * ((place.lot->row + place.orbital + (uint64_t)o) * of.ld + (place.at[1] + (uint64_t)row) * of.pitch_y);
    CONVK_CUDA_EACH_(u, each_)
      if (row < place.ny && o < place.orbitals && lx + u * across < place.nx) to[apart_ * u * across] = sum[p][u];
  }
}

template <class real_, int each_, int rows_> CONVK_CUDA_INLINE_ void convk_cuda_grids_clear_(real_ (*sum)[each_]) {
  CONVK_CUDA_EACH_(i, rows_ * each_) sum[i / each_][i % each_] = 0;
}

/* Blocks of a multiprocessor are named, as else ptxas holds some of these kernels to so few registers that it spills a few. */

/* Where block `task` is, of `parts` of a place with different orbitals; 0: nothing is there. */
template <class real_>
CONVK_CUDA_INLINE_ int convk_cuda_grids_part_of_(const convk_cuda_grids_args_<real_> &a, size_t task, int width, int abreast,
                                                 unsigned *kind, convk_cuda_grids_place_ *place) {
  const size_t group = convk_cuda_divide_(task, a.count);
  place->orbital = (task - group * a.count) * (size_t)abreast;
  if (!convk_cuda_grids_place_of_(a.of, group, width, a.work, kind, place) || place->orbital >= place->lot->rows) return 0;
  place->orbitals = convk_cuda_least_(place->lot->rows - place->orbital, abreast);
  return 1;
}

/* Results on a grid: a block makes points along x of rows of abreast_ orbitals of a lot. */
template <class real_, int each_, int rows_, int abreast_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, sizeof(real_) == 4 ? 4
                                                                        : each_ > 5        ? 2
                                                                                           : 3)
    convk_cuda_grid_(const convk_cuda_grids_args_<real_> a) {
  __shared__ convk_cuda_grids_room_<real_, each_, rows_, abreast_> room;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    convk_cuda_grids_place_ place;
    unsigned kind;
    if (!convk_cuda_grids_part_of_(a, task, room.width, abreast_, &kind, &place)) continue; /* all threads */
    const real_ *const terms = (const real_ *)(const void *)(a.work + a.of.terms) + place.lot->terms;
    real_ sum[rows_][each_];
    convk_cuda_grids_clear_<real_, each_, rows_>(sum);
    CONVK_CUDA_UNROLL_BY_(1)
    for (unsigned half = 0; half < (kind == 4 ? 2u : 1u); half++) /* of a Laplacian that of x, then those of y and z */
      convk_cuda_grids_product_<real_, each_, rows_, abreast_, 0>(a.of, a.work, place, terms,
                                                                  kind == 4  ? 3 * (int)half
                                                                  : kind > 1 ? (int)kind - 1
                                                                             : 0,
                                                                  kind == 4 ? 2 - 2 * (int)half : kind == 1, room, sum);
    convk_cuda_grids_store_<real_, each_, rows_, abreast_, 1>(a.of, place, sum,
                                                              kind == 0   ? a.out[0]
                                                              : kind == 1 ? a.out[1]
                                                              : kind == 2 ? a.out[2]
                                                              : kind == 3 ? a.out[3]
                                                                          : a.out[4]);
  }
}

/* Sums of orbitals o, o + 1, ... become their densities, in this order. */
template <class real_, int each_, int rows_, int abreast_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_square_(const real_ *weights, int orbitals, const real_ (*sum)[each_],
                                                 real_ (*total)[each_]) {
  CONVK_CUDA_EACH_(p, rows_) {
    if (p % abreast_ >= orbitals) continue;
    CONVK_CUDA_EACH_(u, each_)
      total[p / abreast_][u] = convk_cuda_gaussian_add_square_(weights[p % abreast_], sum[p][u], total[p / abreast_][u]);
  }
}

/* A density on a grid, in registers over all orbitals, abreast_ at a time. */
template <class real_, int each_, int rows_, int abreast_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, sizeof(real_) == 4                        ? 4
                                                                        : (rows_ + rows_ / abreast_) * each_ > 40 ? 2
                                                                                                                  : 3)
    convk_cuda_grids_density_(const convk_cuda_grids_args_<real_> a) {
  __shared__ convk_cuda_grids_room_<real_, each_, rows_, abreast_> room;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    convk_cuda_grids_place_ place;
    unsigned kind;
    real_ total[rows_ / abreast_][each_];
    if (!convk_cuda_grids_place_of_(a.of, task, room.width, a.work, &kind, &place)) continue; /* all threads */
    convk_cuda_grids_clear_<real_, each_, rows_ / abreast_>(total);
    for (place.orbital = 0; place.orbital < a.of.norbitals; place.orbital += abreast_) {
      real_ sum[rows_][each_];
      place.orbitals = convk_cuda_least_(a.of.norbitals - place.orbital, abreast_);
      convk_cuda_grids_clear_<real_, each_, rows_>(sum);
      convk_cuda_grids_product_<real_, each_, rows_, abreast_, 0>(
          a.of, a.work, place, (const real_ *)(const void *)(a.work + a.of.terms), 0, 0, room, sum);
      convk_cuda_grids_square_<real_, each_, rows_, abreast_>(
          (const real_ *)(const void *)(a.work + a.of.weights) + place.orbital, place.orbitals, sum, total);
    }
    place.orbital = 0;
    place.orbitals = 1;
    convk_cuda_grids_store_<real_, each_, rows_ / abreast_, 1, 1>(a.of, place, total, a.out[0]);
  }
}

/* The same with what derivatives give, an orbital after the other. */
template <class real_, int each_, int rows_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, 2 + (sizeof(real_) == 4))
    convk_cuda_grids_slopes_(const convk_cuda_grids_args_<real_> a) {
  __shared__ convk_cuda_grids_room_<real_, each_, rows_, 1> room;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    convk_cuda_grids_place_ place;
    unsigned kind;
    real_ total[5][rows_][each_];
    if (!convk_cuda_grids_place_of_(a.of, task, room.width, a.work, &kind, &place)) continue; /* all threads */
    place.orbitals = 1;
    CONVK_CUDA_EACH_(k, 5) convk_cuda_grids_clear_<real_, each_, rows_>(total[k]);
    for (place.orbital = 0; place.orbital < a.of.norbitals; place.orbital++) {
      const real_ weight = ((const real_ *)(const void *)(a.work + a.of.weights))[place.orbital];
      real_ value[rows_][each_], squares[rows_][each_];
      CONVK_CUDA_UNROLL_BY_(1)
      for (int d = 0; d < 4; d++) { /* itself, then its slopes */
        real_ sum[rows_][each_];
        convk_cuda_grids_clear_<real_, each_, rows_>(sum);
        convk_cuda_grids_product_<real_, each_, rows_, 1, 0>(
            a.of, a.work, place, (const real_ *)(const void *)(a.work + a.of.terms), d > 1 ? d - 1 : 0, d == 1, room, sum);
        CONVK_CUDA_EACH_(i, rows_ * each_) {
          const int p = i / each_, u = i % each_;
          if (d == 0) {
            total[0][p][u] = convk_cuda_gaussian_add_square_(weight, sum[p][u], total[0][p][u]);
            value[p][u] = sum[p][u];
            squares[p][u] = 0;
          } else {
            const real_ twice = convk_cuda_mul_(convk_cuda_add_(weight, weight), convk_cuda_gaussian_large_(value[p][u]));
            real_ slope = total[1][p][u];
            if (d == 2) slope = total[2][p][u];
            if (d == 3) slope = total[3][p][u];
            convk_cuda_grids_add_slope_(twice, sum[p][u], &slope, &squares[p][u]);
            if (d == 1) total[1][p][u] = slope;
            else if (d == 2) total[2][p][u] = slope;
            else total[3][p][u] = slope;
          }
        }
      }
      CONVK_CUDA_EACH_(i, rows_ * each_) {
        real_ &tau = total[4][i / each_][i % each_];
        tau = convk_cuda_fma_(convk_cuda_mul_((real_)0.5, weight), squares[i / each_][i % each_], tau);
      }
    }
    place.orbital = 0;
    CONVK_CUDA_EACH_(k, 5)
      if (a.of.wanted >> k & 1) convk_cuda_grids_store_<real_, each_, rows_, 1, 1>(a.of, place, total[k], a.out[k]);
  }
}

/* The real or (part 1) the imaginary part of Bloch sums: over real parts of tables along x, then over imaginary ones. */
template <class real_, int each_, int rows_>
CONVK_CUDA_INLINE_ void convk_cuda_bloch_product_(const convk_grids_arguments_<real_> &of, const unsigned char *work,
                                                  const convk_cuda_grids_place_ &place, const real_ *terms, int part,
                                                  convk_cuda_grids_room_<real_, each_, rows_, 1> &room, real_ (*sum)[each_]) {
  CONVK_CUDA_UNROLL_BY_(1)
  for (int along = 0; along < (of.wave & 2 ? 2 : 1); along++)
    if (part == along || of.wave & 4) /* of weights the real part, or there are imaginary ones */
      convk_cuda_grids_product_<real_, each_, rows_, 1, 1>(of, work, place, terms,
                                                           part == along ? 4
                                                           : along       ? 6
                                                                         : 5,
                                                           along, room, sum);
}

/* Bloch sums on a grid: real parts and imaginary ones are two kinds of results. */
template <class real_, int each_, int rows_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, sizeof(real_) == 4 ? 4 : 3)
    convk_cuda_bloch_(const convk_cuda_grids_args_<real_> a) {
  __shared__ convk_cuda_grids_room_<real_, each_, rows_, 1> room;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    convk_cuda_grids_place_ place;
    unsigned kind;
    if (!convk_cuda_grids_part_of_(a, task, room.width, 1, &kind, &place)) continue; /* all threads */
    const real_ *const terms = (const real_ *)(const void *)(a.work + a.of.terms) + place.lot->terms;
    real_ sum[rows_][each_];
    convk_cuda_grids_clear_<real_, each_, rows_>(sum);
    convk_cuda_bloch_product_<real_, each_, rows_>(a.of, a.work, place, terms, (int)kind, room, sum);
    convk_cuda_grids_store_<real_, each_, rows_, 1, 2>(a.of, place, sum, a.out[0] + kind);
  }
}

/* What stands in the rows of a density. */
template <class real_, int each_, int rows_>
CONVK_CUDA_INLINE_ void convk_cuda_bloch_load_(const convk_grids_arguments_<real_> &of, const convk_cuda_grids_place_ &place,
                                               const real_ *from, real_ (*sum)[each_]) {
  const int across = CONVK_CUDA_GRIDS_ACROSS_, lx = (int)threadIdx.x % across, ly = (int)threadIdx.x / across;
  from += (place.at[2] - of.first_plane) * of.pitch_z + place.at[0] + (uint64_t)lx;
  CONVK_CUDA_EACH_(i, rows_ * each_) {
    const int c = ly * rows_ + i / each_, x = i % each_ * across;
    if (c < place.ny && lx + x < place.nx)
      sum[i / each_][i % each_] = from[(place.at[1] + (uint64_t)c) * of.pitch_y + (uint64_t)x];
  }
}

/* Their density, sums in registers over all orbitals. */
template <class real_, int each_, int rows_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, sizeof(real_) == 4 ? 4 : 3)
    convk_cuda_bloch_density_(const convk_cuda_grids_args_<real_> a) {
  __shared__ convk_cuda_grids_room_<real_, each_, rows_, 1> room;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    convk_cuda_grids_place_ place;
    unsigned kind;
    real_ total[rows_][each_];
    if (!convk_cuda_grids_place_of_(a.of, task, room.width, a.work, &kind, &place)) continue; /* all threads */
    place.orbitals = 1;
    convk_cuda_grids_clear_<real_, each_, rows_>(total);
    if (a.of.wave & 8) convk_cuda_bloch_load_<real_, each_, rows_>(a.of, place, a.out[0], total);
    for (place.orbital = 0; place.orbital < a.of.norbitals; place.orbital++) {
      CONVK_CUDA_UNROLL_BY_(1)
      for (int part = 0; part < 2; part++) {
        real_ sum[rows_][each_];
        convk_cuda_grids_clear_<real_, each_, rows_>(sum);
        convk_cuda_bloch_product_<real_, each_, rows_>(a.of, a.work, place, (const real_ *)(const void *)(a.work + a.of.terms),
                                                       part, room, sum);
        convk_cuda_grids_square_<real_, each_, rows_, 1>((const real_ *)(const void *)(a.work + a.of.weights) + place.orbital,
                                                         1, sum, total);
      }
    }
    place.orbital = 0;
    convk_cuda_grids_store_<real_, each_, rows_, 1, 1>(a.of, place, total, a.out[0]);
  }
}

/* ---- general cells: a thread makes a point, of wide_ orbitals; images come through shared memory ---- */

template <class real_> struct convk_cuda_cells_room_ {
  double at[CONVK_CUDA_GAUSSIAN_THREADS_][6];                                    /* see convk_cells_moved_ */
  uint64_t own[CONVK_CUDA_GAUSSIAN_THREADS_], end[CONVK_CUDA_GAUSSIAN_THREADS_]; /* images of groups, and all up to them */
  real_ phase[CONVK_CUDA_GAUSSIAN_THREADS_][2];
  int alive[CONVK_CUDA_GAUSSIAN_THREADS_]; /* the number of its group among those in `own`, or -1 */
};

/* Where a block is: its first point and row, its plane, how many points and rows there are; the block's first point and the
   thread's from the first one of the box. */
struct convk_cuda_cells_place_ {
  uint64_t first[3];
  int nx, ny;
  double from[3], hi[3], lo[3];
};

template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_cells_place_of_(const convk_cuda_grids_args_<real_> &a, size_t task,
                                                   convk_cuda_cells_place_ *place) {
  const int across = CONVK_CUDA_GRIDS_ACROSS_, x = (int)threadIdx.x % across, y = (int)threadIdx.x / across;
  const convk_cells_device_ *const cell = (const convk_cells_device_ *)(const void *)(a.work + a.of.cell);
  const size_t line = convk_cuda_divide_(task, a.of.strips_x), plane = convk_cuda_divide_(line, a.of.strips_y);
  double lost[3];
  place->first[0] = (task - line * a.of.strips_x) * (size_t)across;
  place->first[1] = (line - plane * a.of.strips_y) * (size_t)CONVK_CUDA_GRIDS_LINES_;
  place->first[2] = a.of.first_plane + plane;
  place->nx = convk_cuda_least_(a.of.n[0] - place->first[0], across);
  place->ny = convk_cuda_least_(a.of.n[1] - place->first[1], CONVK_CUDA_GRIDS_LINES_);
  convk_cuda_cells_point_(cell, (double)place->first[0], (double)place->first[1], (double)place->first[2], place->from, lost);
  convk_cuda_cells_point_(cell, (double)(place->first[0] + (uint64_t)x), (double)(place->first[1] + (uint64_t)y),
                          (double)place->first[2], place->hi, place->lo);
}

/* Images of groups from g0 on, a thread for each group: how many may count in the block, if orbitals of its block have any of
   the group. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_cells_count_(const convk_cuda_grids_args_<real_> &a, const convk_cuda_cells_place_ &place,
                                                size_t block, size_t g0, convk_cuda_cells_room_<real_> &room) {
  const size_t g = g0 + threadIdx.x;
  const convk_cells_device_ *const cell = (const convk_cells_device_ *)(const void *)(a.work + a.of.cell);
  uint64_t end = 0;
  room.own[threadIdx.x] = 0;
  if (g < a.of.groups && a.work[a.of.used + block * a.of.groups + g]) {
    convk_cells_reach_device_ reach;
    convk_cuda_cells_reach_of_(cell, (const convk_cells_group_device_ *)(const void *)(a.work + a.of.axes) + g, place.from,
                               place.nx, place.ny, &reach);
    room.own[threadIdx.x] = reach.count[0] * reach.count[1] * reach.count[2];
  }
  __syncthreads();
  for (unsigned i = 0; i <= threadIdx.x; i++) end += room.own[i];
  room.end[threadIdx.x] = end;
  __syncthreads();
}

/* Number q of these images: a thread looks at it. */
template <class real_, int wave_>
CONVK_CUDA_INLINE_ void convk_cuda_cells_look_(const convk_cuda_grids_args_<real_> &a, const convk_cuda_cells_place_ &place,
                                               size_t g0, uint64_t q, convk_cuda_cells_room_<real_> &room) {
  const int item = (int)threadIdx.x;
  const convk_cells_device_ *const cell = (const convk_cells_device_ *)(const void *)(a.work + a.of.cell);
  const convk_cells_group_device_ *group = (const convk_cells_group_device_ *)(const void *)(a.work + a.of.axes) + g0;
  convk_cells_reach_device_ reach;
  double n[3], at[6], cosine = 1, sine = 0;
  int low = 0, high = CONVK_CUDA_GAUSSIAN_THREADS_ - 1;
  room.alive[item] = -1;
  if (q >= room.end[high]) return;
  while (low < high) { /* the first group that ends behind q */
    const int middle = (low + high) / 2;
    if (room.end[middle] > q) high = middle;
    else low = middle + 1;
  }
  group += low;
  convk_cuda_cells_reach_of_(cell, group, place.from, place.nx, place.ny, &reach);
  if (!convk_cuda_cells_number_(cell, &reach, q - (room.end[low] - room.own[low]), n)) return;
  convk_cuda_cells_moved_(cell, group, n, at);
  for (int d = 0; d < 6; d++) room.at[item][d] = at[d];
  if (wave_) convk_cuda_cells_phase_device_(cell, n, &cosine, &sine);
  room.phase[item][0] = (real_)cosine;
  room.phase[item][1] = (real_)sine;
  room.alive[item] = low;
}

/* Sums of a block of orbitals over all groups and images, in their order. */
template <class real_, int kinds_, int wide_>
CONVK_CUDA_INLINE_ void convk_cuda_cells_sum_(const convk_cuda_grids_args_<real_> &a, const convk_cuda_cells_place_ &place,
                                              size_t block, convk_cuda_cells_room_<real_> &room, real_ *sum) {
  const int threads = CONVK_CUDA_GAUSSIAN_THREADS_;
  const real_ *const terms = (const real_ *)(const void *)(a.work + a.of.terms) + block * a.of.ntables * wide_;
  CONVK_CUDA_EACH_(i, kinds_ * wide_) sum[i] = 0;
  for (size_t g0 = 0; g0 < a.of.groups; g0 += threads) {
    const convk_cells_group_device_ *const group = (const convk_cells_group_device_ *)(const void *)(a.work + a.of.axes) + g0;
    convk_cuda_cells_count_(a, place, block, g0, room);
    const uint64_t all = room.end[threads - 1];
    for (uint64_t q0 = 0; q0 < all; q0 += threads) {
      const int some = convk_cuda_least_(all - q0, threads);
      convk_cuda_cells_look_<real_, kinds_ == 2>(a, place, g0, q0 + threadIdx.x, room);
      __syncthreads();
      CONVK_CUDA_UNROLL_BY_(1)
      for (int q = 0; q < some; q++)
        if (room.alive[q] >= 0)
          convk_cuda_cells_image_of_device_(kinds_, wide_, group + room.alive[q], terms, a.of.imag, a.of.cut, place.hi,
                                            place.lo, room.at[q], room.phase[q][0], room.phase[q][1], sum);
      __syncthreads();
    }
  }
}

/* Results on a grid of a general cell: a block makes points of rows of a plane, of wide_ orbitals or of a density. */
template <class real_, int kinds_, int wide_, int density_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, (sizeof(real_) == 4 ? 4 : 3) - (kinds_ == 5))
    convk_cuda_cell_(const convk_cuda_grids_args_<real_> a) {
  __shared__ convk_cuda_cells_room_<real_> room;
  const int x = (int)threadIdx.x % CONVK_CUDA_GRIDS_ACROSS_, y = (int)threadIdx.x / CONVK_CUDA_GRIDS_ACROSS_;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t o = convk_cuda_divide_(task, a.count); /* the block of orbitals */
    convk_cuda_cells_place_ place;
    real_ sum[kinds_ * wide_], total[5] = {0, 0, 0, 0, 0};
    convk_cuda_cells_place_of_(a, task - o * a.count, &place);
    const int inside = x < place.nx && y < place.ny;
    const size_t at = (size_t)((place.first[2] - a.of.first_plane) * a.of.pitch_z +
                               (place.first[1] + (uint64_t)y) * a.of.pitch_y + place.first[0] + (uint64_t)x);
    if (density_) {
      const real_ *const weights = (const real_ *)(const void *)(a.work + a.of.weights);
      if (inside && a.of.wave & 8) total[0] = a.out[0][at];
      for (size_t block = 0; block * wide_ < a.of.norbitals; block++) {
        convk_cuda_cells_sum_<real_, kinds_, wide_>(a, place, block, room, sum);
        convk_cuda_cells_density_of_(kinds_, wide_, weights + block * wide_, a.of.norbitals - block * wide_, sum, total);
      }
      CONVK_CUDA_EACH_(k, (kinds_ == 5 ? 5 : 1))
        if (inside && a.of.wanted >> k & 1) a.out[k][at] = total[k];
      continue;
    }
    convk_cuda_cells_sum_<real_, kinds_, wide_>(a, place, o, room, sum);
    CONVK_CUDA_EACH_(i, wide_) {
      const size_t row = o * wide_ + (size_t)i;
      if (!inside || row >= a.of.norbitals) continue;
      CONVK_CUDA_EACH_(k, kinds_) {
        if (kinds_ == 2) a.out[0][2 * (row * a.of.ld + at) + (size_t)k] = sum[k * wide_ + i];
        else a.out[k][row * a.of.ld + at] = sum[k * wide_ + i];
      }
    }
  }
}

/* Which kernel a call starts, with how many points and rows of a thread. */
template <class real_> using convk_cuda_grids_kernel_ = void (*)(const convk_cuda_grids_args_<real_>);

template <class real_, int each_> static convk_cuda_grids_kernel_<real_> convk_cuda_grids_rows_(int density, size_t abreast) {
  if (density)
    return abreast == 1   ? convk_cuda_grids_density_<real_, each_, 3, 1>
           : abreast == 8 ? convk_cuda_grids_density_<real_, each_, 8, 8>
                          : convk_cuda_grids_density_<real_, each_, 6, 6>;
  return abreast == 1   ? convk_cuda_grid_<real_, each_, 6, 1>
         : abreast == 8 ? convk_cuda_grid_<real_, each_, 8, 8>
                        : convk_cuda_grid_<real_, each_, 6, 6>;
}
template <class real_> static convk_cuda_grids_kernel_<real_> convk_cuda_grids_of_(int density, size_t each, size_t abreast) {
  if (density > 1) return convk_cuda_grids_slopes_<real_, 3, 2>;
  if (each == 4) return convk_cuda_grids_rows_<real_, 4>(density, abreast);
  return each == 5 ? convk_cuda_grids_rows_<real_, 5>(density, abreast) : convk_cuda_grids_rows_<real_, 6>(density, abreast);
}

/* Of general cells, by kinds of sums and orbitals of a block, of which there is one or as many as convk_cells_wide_ tells. */
template <class real_> static convk_cuda_grids_kernel_<real_> convk_cuda_cells_of_(unsigned kinds, unsigned wide, int density) {
  if (kinds == 1 && wide == 1) return density ? convk_cuda_cell_<real_, 1, 1, 1> : convk_cuda_cell_<real_, 1, 1, 0>;
  if (kinds == 1) return density ? convk_cuda_cell_<real_, 1, 8, 1> : convk_cuda_cell_<real_, 1, 8, 0>;
  if (kinds == 2 && wide == 1) return density ? convk_cuda_cell_<real_, 2, 1, 1> : convk_cuda_cell_<real_, 2, 1, 0>;
  if (kinds == 2) return density ? convk_cuda_cell_<real_, 2, 4, 1> : convk_cuda_cell_<real_, 2, 4, 0>;
  if (wide == 1) return density ? convk_cuda_cell_<real_, 5, 1, 1> : convk_cuda_cell_<real_, 5, 1, 0>;
  return density ? convk_cuda_cell_<real_, 5, 4, 1> : convk_cuda_cell_<real_, 5, 4, 0>;
}

/* Of Bloch sums: of 4 rows, of a density 3. */
template <class real_> static convk_cuda_grids_kernel_<real_> convk_cuda_bloch_of_(int density, size_t each) {
  if (density)
    return each == 4   ? convk_cuda_bloch_density_<real_, 4, 3>
           : each == 5 ? convk_cuda_bloch_density_<real_, 5, 3>
                       : convk_cuda_bloch_density_<real_, 6, 3>;
  return each == 4   ? convk_cuda_bloch_<real_, 4, 4>
         : each == 5 ? convk_cuda_bloch_<real_, 5, 4>
                     : convk_cuda_bloch_<real_, 6, 4>;
}

/* Rows of results that have their tables in common, at most; blocks make some of them. */
CONVK_LOCAL_ size_t convk_cuda_grids_lot_(size_t rows, size_t groups) {
  const size_t limit = 24; /* of which 6 and 8 are factors */
  (void)groups;
  return rows < limit ? rows : limit;
}

/* How a tile is cut: points of a thread, orbitals abreast, parts of the tile along both axes. */
struct convk_cuda_grids_cut_ {
  size_t each, abreast, parts_x, parts_y;
};

/* A tile of x points and y rows. orbitals: those whose sums run over the same tables; 3 and more go side by side, as their
   rows share what a weight needs along y; 6 or 8 at a time, so that fewest are idle. wave: of Bloch sums. */
CONVK_LOCAL_ convk_cuda_grids_cut_ convk_cuda_grids_cut_of_(int density, int wave, size_t x, size_t y, size_t orbitals) {
  static const size_t rows[2][3] = {{6, 3, 2}, {4, 3, 0}}; /* of a thread with one orbital */
  const size_t across = CONVK_CUDA_GRIDS_ACROSS_, lines = CONVK_CUDA_GRIDS_LINES_;
  convk_cuda_grids_cut_ cut = {density > 1 ? 3u : 4u, 1, 1, 1};
  while (density < 2 && cut.each < 6 && across * cut.each < x) cut.each++;
  if (!wave && density < 2 && orbitals > 2) cut.abreast = (orbitals + 5) / 6 * 6 < (orbitals + 7) / 8 * 8 ? 6 : 8;
  cut.parts_x = (x + across * cut.each - 1) / (across * cut.each);
  cut.parts_y =
      cut.abreast > 1 ? (y + lines - 1) / lines : (y + lines * rows[wave][density] - 1) / (lines * rows[wave][density]);
  return cut;
}
