/* ---- Gaussians on grids ---- */

/* Choices: a thread's tile is as large as registers allow, since its sums are what the multiply-add peak needs; 8 tables at a
   time are what one step of the matrix unit takes; see tests/bench/audit. */
enum {
  CONVK_CUDA_GRIDS_ACROSS_ = 16,
  CONVK_CUDA_GRIDS_LINES_ = CONVK_CUDA_GAUSSIAN_THREADS_ / CONVK_CUDA_GRIDS_ACROSS_,
  CONVK_CUDA_GRIDS_WARPS_ = CONVK_CUDA_GAUSSIAN_THREADS_ / 32,
  CONVK_CUDA_GRIDS_MAXIMUM_ = 8, /* threads that look for the largest exponential of a tile */
  CONVK_CUDA_GRIDS_COLUMNS_ = 8, /* sums of a thread in a point */
  CONVK_CUDA_GRIDS_SLOPES_EACH_ = 3,
  CONVK_CUDA_GRIDS_SLOPES_COLUMNS_ = 2,
  CONVK_CUDA_GRIDS_QUEUE_ = 8 /* tables in shared memory at a time */
};

template <class real_> struct convk_cuda_grids_args_ {
  convk_grids_arguments_<real_> of;
  unsigned char *work;
  real_ *out[5];
  size_t count, tasks; /* of the kernels that make tables: parts of a line, of sums: of a lot, of results: of its columns; of
                              all: blocks */
  size_t deep;         /* planes of a block */
  size_t first_tile;   /* along z */
  size_t sets, steps;  /* kinds of sums along z; those that a weight has at most */
  size_t look;         /* tables of which a block has in shared memory what they are: many, as that takes four reads in turn */
  int shift;           /* of a block in each plane 2^shift columns */
};

/* Bytes from the host, as arguments: nothing else of it is needed, and graphs keep them.  These may take 4 KB, or 32,764 bytes
   with any driver for CUDA 13. */
enum {
#if defined CUDART_VERSION && CUDART_VERSION >= 13000 && !defined CONVK_HIP
  CONVK_CUDA_PUT_WORDS_ = 4080,
#else
  CONVK_CUDA_PUT_WORDS_ = 448,
#endif
  CONVK_CUDA_PUT_EACH_ = 256 /* of a block */
};
struct convk_cuda_put_args_ {
  uint64_t *to;
  uint64_t count, words[CONVK_CUDA_PUT_WORDS_];
};
static __global__ void convk_cuda_put_words_(const convk_cuda_put_args_ a) {
  const unsigned first = blockIdx.x * CONVK_CUDA_PUT_EACH_ + threadIdx.x, end = (blockIdx.x + 1) * CONVK_CUDA_PUT_EACH_;
  for (unsigned i = first; i < end && i < a.count; i += blockDim.x) a.to[i] = a.words[i];
}

/* Tables of a group along an axis, a thread for a point. */
template <class real_, int kinds_>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_grids_tables_(const convk_cuda_grids_args_<real_> a) {
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t line = convk_cuda_divide_(task, a.count);
    const convk_grids_axis_device_ &axis = ((const convk_grids_axis_device_ *)(const void *)(a.work + a.of.axes))[line];
    const size_t at = (task - line * a.count) * CONVK_CUDA_GAUSSIAN_THREADS_ + threadIdx.x;
    real_ *const to = (real_ *)(void *)(a.work + a.of.values) + axis.table + at;
    if (at < axis.count) convk_cuda_grids_table_point_(kinds_, &axis, at, a.of.cut, to);
  }
}

/* The largest exponential of each tile of an axis of a group: 8 threads for a tile. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_grids_maxima_(const convk_cuda_grids_args_<real_> a) {
  const unsigned together = CONVK_CUDA_GRIDS_MAXIMUM_;
  real_ *const values = (real_ *)(void *)(a.work + a.of.values);
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t line = convk_cuda_divide_(task, a.count);
    const convk_grids_axis_device_ &axis = ((const convk_grids_axis_device_ *)(const void *)(a.work + a.of.axes))[line];
    const size_t tile = ((task - line * a.count) * CONVK_CUDA_GAUSSIAN_THREADS_ + threadIdx.x) / together;
    uint64_t i = tile * axis.tile, end = tile < axis.tiles ? i + axis.tile : 0;
    real_ maximum = 0;
    if (i < axis.low) i = axis.low;
    if (end > axis.low + axis.count) end = axis.low + axis.count;
    for (i += threadIdx.x % together; i < end; i += together)
      maximum = convk_cuda_max_(maximum, values[axis.table + axis.size + (i - axis.low)]);
    CONVK_CUDA_UNROLL_
    for (unsigned by = together / 2; by; by /= 2) maximum = convk_cuda_max_(maximum, CONVK_CUDA_SHUFFLE_XOR_(maximum, (int)by));
    if (tile < axis.tiles && threadIdx.x % together == 0) values[axis.maxima + tile] = maximum;
  }
}

/* Of the numbers of a block's threads: the sum of those up to a thread's own, and that of all.  The block waits once, for what
   was written to shared memory before.  counts: of each warp. */
CONVK_CUDA_INLINE_ int convk_cuda_grids_up_to_(int own, int *counts, int *all) {
  const int item = (int)threadIdx.x;
  CONVK_CUDA_UNROLL_
  for (int by = 1; by < 32; by *= 2) {
    const int left = CONVK_CUDA_SHUFFLE_UP_(own, (unsigned)by, 32);
    if (item % 32 >= by) own += left;
  }
  if (item % 32 == 31) counts[item / 32] = own;
  __syncthreads();
  *all = 0;
  CONVK_CUDA_EACH_(w, CONVK_CUDA_GRIDS_WARPS_) {
    if (w == item / 32) own += *all;
    *all += counts[w];
  }
  return own;
}

/* The tables of groups that are alive in a tile, in order: a block for a tile. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_grids_lists_(const convk_cuda_grids_args_<real_> a) {
  const unsigned threads = CONVK_CUDA_GAUSSIAN_THREADS_, item = threadIdx.x;
  __shared__ int counts[2][CONVK_CUDA_GRIDS_WARPS_]; /* in turn, as slow threads may still read those before */
  const real_ *const values = (const real_ *)(const void *)(a.work + a.of.values);
  unsigned turn = 0;
  for (size_t tile = blockIdx.x; tile < a.tasks; tile += gridDim.x) {
    const size_t line = convk_cuda_divide_(tile, a.of.tiles[0]), x = tile - line * a.of.tiles[0];
    const size_t z = convk_cuda_divide_(line, a.of.tiles[1]), y = line - z * a.of.tiles[1];
    uint32_t *const list = (uint32_t *)(void *)(a.work + a.of.lists) + tile * a.of.ntables;
    unsigned all = 0;
    for (size_t g0 = 0; g0 < a.of.groups; g0 += threads, turn++) {
      const size_t g = g0 + item < a.of.groups ? g0 + item : a.of.groups - 1;
      const convk_grids_axis_device_ *const axis = (const convk_grids_axis_device_ *)(const void *)(a.work + a.of.axes) + 3 * g;
      const real_ ez = convk_cuda_mul_(values[axis[2].maxima + z], values[axis[0].maxima + x]);
      const int alive = g0 + item < a.of.groups && convk_cuda_mul_(values[axis[1].maxima + y], ez) >= a.of.cut;
      const unsigned rows = alive ? (unsigned)axis->rows : 0;
      int some;
      const unsigned end = all + (unsigned)convk_cuda_grids_up_to_((int)rows, counts[turn % 2], &some);
      for (unsigned k = 0; k < rows; k++) list[end - rows + k] = (uint32_t)axis->first + k;
      all += (unsigned)some;
    }
    if (item == 0) ((uint32_t *)(void *)(a.work + a.of.counts))[tile] = all;
  }
}

/* Terms of each orbital summed along z in each plane, which serve all its rows: a thread for a table and an orbital.  There are
   sets of them: with tables along z and with their derivatives; or of Bloch sums, which have real and imaginary parts in turn,
   once themselves, once multiplied by i and once by -1. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_grids_sums_(const convk_cuda_grids_args_<real_> a) {
  const real_ *const values = (const real_ *)(const void *)(a.work + a.of.values);
  const uint64_t parts = a.of.wave ? 2 : 1;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t line = convk_cuda_divide_(task, a.count), above = convk_cuda_divide_(line, a.of.nlots);
    const convk_grids_lot_device_ &lot =
        ((const convk_grids_lot_device_ *)(const void *)(a.work + a.of.lots))[line - above * a.of.nlots];
    const size_t item = (task - line * a.count) * CONVK_CUDA_GAUSSIAN_THREADS_ + threadIdx.x;
    if (item >= lot.count * lot.rows) continue;
    const size_t q = convk_cuda_divide_(item, lot.rows), o = item - q * lot.rows;
    const convk_grids_table_device_ *const t =
        (const convk_grids_table_device_ *)(const void *)(a.work + a.of.tables) + lot.first;
    const convk_grids_axis_device_ &z =
        ((const convk_grids_axis_device_ *)(const void *)(a.work + a.of.axes))[3 * t[q].group + 2];
    const uint64_t plane = a.of.first_plane + above - z.low, kind = z.rows * z.count; /* plane wraps around before the first */
    const real_ *const own = (const real_ *)(const void *)(a.work + a.of.terms) + lot.terms + o * lot.apart + t[q].terms;
    real_ *const to = (real_ *)(void *)(a.work + a.of.sums) + above * a.sets * a.of.plane_sums + lot.sums +
                      ((uint64_t)(t[q].first - t[0].first) * lot.rows + o) * parts;
    if (plane >= z.count) continue;
    for (uint64_t set = 0; set < (a.of.wave ? 1 : a.sets); set++) {
      convk_grids_near_ e;
      e.degree = (int32_t)t[q].degree;
      e.z = z.table + set * kind + plane;
      e.z_count = z.count;
      e.z_bend = a.of.wave && z.size ? kind : 0;
      CONVK_CUDA_EACH_(b, CONVK_SHELL_MAX_L + 1) {
        real_ v, w;
        if (b > e.degree) break;
        convk_cuda_grids_along_z_(&e, values, own, a.of.imag, b, &v, &w);
        real_ *const sums = to + set * a.of.plane_sums + (uint64_t)b * lot.rows * parts;
        sums[0] = v;
        if (!a.of.wave) continue;
        sums[1] = w;
        sums[a.of.plane_sums] = -w;
        sums[a.of.plane_sums + 1] = v;
        sums[2 * a.of.plane_sums] = -v;
        sums[2 * a.of.plane_sums + 1] = -w;
      }
    }
  }
}

/* What a block makes: points of rows of some planes, of some columns: orbitals, or real and imaginary parts in turn. */
struct convk_cuda_grids_place_ {
  uint64_t tile[3], at[3], list, column, columns; /* at: the first point, row and plane; column: the first one, of those of the
                                                     lot, which has `columns` */
  int nx, ny, nz;
  unsigned kind; /* of results */
  const convk_grids_lot_device_ *lot;
};

/* What rows or columns bring to weights of a table, which has `count` of them from `begin` on: for powers 0 .. degree of y, at
   distances of `apart`, one number, and where it is bent another one. */
struct __align__(16) convk_cuda_grids_part_ {
  uint64_t from, other, apart;
  int begin, count;
};

/* A table that counts there: rows [0] and columns [1]; where its points along x are, from the block's first one on, and which
   of them it has; the first exponential along y; for each column the largest exponential along x times that along z.  Its size
   is an odd number of 16 bytes, so that threads side by side write theirs without conflicts. */
template <class real_> struct __align__(16) convk_cuda_grids_table_ {
  convk_cuda_grids_part_ part[2];
  uint64_t x, size;
  int x_begin, x_count, degree, bent;
  real_ ez[CONVK_CUDA_GRIDS_COLUMNS_];
  uint64_t unused[2];
};

/* Where a thread has its sums: of a row of the block, in points x(u).  Two ways: as the matrix unit wants them, or 16 threads
   side by side, so that the two lines of a warp share what they read of shared memory. */
template <class real_, int each_> struct convk_cuda_grids_thread_ {
  enum { matrix = CONVK_CUDA_MATRIX_ && sizeof(real_) == 8 && each_ % 2 == 0 };
  static __device__ __forceinline__ int row() {
    return matrix ? (int)threadIdx.x % 32 / 4 : (int)threadIdx.x / CONVK_CUDA_GRIDS_ACROSS_;
  }
  static __device__ __forceinline__ int x(int u) {
    return matrix ? (int)threadIdx.x / 32 * (4 * each_) + 2 * ((int)threadIdx.x % 4) + u / 2 * 8 + u % 2
                  : (int)threadIdx.x % CONVK_CUDA_GRIDS_ACROSS_ + u * CONVK_CUDA_GRIDS_ACROSS_;
  }
};

/* Shared memory: QUEUE tables along x, and the weights that rows and columns give these, twice, as one set is made while the
   other is read.  A column is an orbital in a plane; a thread has columns_ sums of a row in each of its points.  Pitches keep
   loads of the matrix unit free of conflicts. */
template <class real_, int each_, int columns_> struct __align__(16) convk_cuda_grids_room_ {
  enum {
    width = CONVK_CUDA_GRIDS_ACROSS_ * each_,
    weights_pitch = CONVK_CUDA_GRIDS_LINES_ * columns_ + 16 / (int)sizeof(real_)
  };
  real_ weights[2][CONVK_CUDA_GRIDS_QUEUE_][weights_pitch], panel[2][CONVK_CUDA_GRIDS_QUEUE_][width + 4];
  real_ size[2][CONVK_CUDA_GRIDS_QUEUE_][CONVK_CUDA_GRIDS_LINES_]; /* exponentials along y */
  convk_cuda_grids_place_ place;
  int counts[CONVK_CUDA_GRIDS_WARPS_];
};

/* What is there besides, in dynamic shared memory: up to a.look tables; the numbers of those that count; and for QUEUE of
   these, twice, what makes weights, of 8 rows and as many columns each. */
template <class real_> struct convk_cuda_grids_dynamic_ {
  convk_cuda_grids_table_<real_> *table;
  real_ *parts;
  int *order;
};
template <class real_>
CONVK_CUDA_INLINE_ convk_cuda_grids_dynamic_<real_> convk_cuda_grids_dynamic_of_(size_t look, size_t steps) {
  CONVK_CUDA_SHARED_(memory);
  convk_cuda_grids_dynamic_<real_> dynamic;
  dynamic.parts = (real_ *)(void *)memory;
  dynamic.table = (convk_cuda_grids_table_<real_> *)(void *)(dynamic.parts + 2 * CONVK_CUDA_GRIDS_QUEUE_ * 16 * steps);
  dynamic.order = (int *)(void *)(dynamic.table + look);
  return dynamic;
}

/* One pass over all tables for sums of a kind.  weight, along: see convk_grids_look_, but that those of Bloch sums are 4 for
   both parts; set, other: which sums along z go with tables along y, and with bent ones. */
struct convk_cuda_grids_pass_ {
  int weight, along, set, other;
};

/* Pass number i of a kind of results; 0: there is none. */
template <class real_>
CONVK_CUDA_INLINE_ int convk_cuda_grids_pass_of_(const convk_grids_arguments_<real_> &of, unsigned kind, int i,
                                                 convk_cuda_grids_pass_ *pass) {
  const int laplacian = kind == 4;
  pass->weight = of.wave ? 4 : laplacian ? 3 * i : kind > 1 ? (int)kind - 1 : 0;
  pass->along = of.wave ? i : laplacian ? 2 - 2 * i : kind == 1;
  pass->set = of.wave ? i : pass->weight > 1 ? pass->weight - 1 : 0;
  pass->other = of.wave ? i + 1 : 0;
  return i < (of.wave ? of.wave & 2 ? 2 : 1 : 1 + laplacian);
}

/* Where task `task` is: parts of tiles along x, kinds of results, lots; then parts along y, along z.  place->nx 0: nowhere. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_place_of_(const convk_cuda_grids_args_<real_> &a, size_t task, int width,
                                                   convk_cuda_grids_place_ *place) {
  const convk_grids_arguments_<real_> &of = a.of;
  const size_t many = convk_cuda_divide_(task, a.count), groups = of.strips_x * of.kinds * of.nlots;
  const size_t line = convk_cuda_divide_(many, groups), group = many - line * groups;
  const size_t rest = convk_cuda_divide_(group, of.strips_x), lot = convk_cuda_divide_(rest, of.kinds);
  const size_t above = convk_cuda_divide_(line, of.strips_y);
  const size_t part[3] = {group - rest * of.strips_x, line - above * of.strips_y, above};
  const size_t across[3] = {(size_t)width, CONVK_CUDA_GRIDS_LINES_, a.deep};
  const uint64_t first = of.first_plane, end = first + of.planes;
  int n[3];
  place->nx = 0;
  place->kind = (unsigned)(rest - lot * of.kinds);
  place->lot = (const convk_grids_lot_device_ *)(const void *)(a.work + of.lots) + lot;
  place->column = (task - many * a.count) << a.shift;
  place->columns = place->lot->rows * (of.wave ? 2 : 1);
  if (place->column && place->column >= place->columns) return; /* of a density of no orbitals there is one block, too */
  CONVK_CUDA_EACH_(d, 3) {
    const size_t own = (of.tile[d] + across[d] - 1) / across[d], tile = convk_cuda_divide_(part[d], own);
    place->tile[d] = tile + (d == 2 ? a.first_tile : 0);
    const uint64_t begin = place->tile[d] * of.tile[d], at = begin + (part[d] - tile * own) * across[d];
    uint64_t last = begin + of.tile[d] < of.n[d] ? begin + of.tile[d] : of.n[d];
    if (at + across[d] < last) last = at + across[d];
    if (d == 2 && last > end) last = end;
    place->at[d] = d == 2 && at < first ? first : at;
    if (place->at[d] >= last) return;
    n[d] = (int)(last - place->at[d]);
  }
  place->nx = n[0];
  place->ny = n[1];
  place->nz = n[2];
  place->list = (place->tile[2] * of.tiles[1] + place->tile[1]) * of.tiles[0] + place->tile[0];
}

/* The same for all threads of a block, one of which finds it. */
template <class real_, int each_, int columns_>
CONVK_CUDA_INLINE_ int convk_cuda_grids_go_to_(const convk_cuda_grids_args_<real_> &a, size_t task,
                                               convk_cuda_grids_room_<real_, each_, columns_> &room) {
  __syncthreads();
  if (threadIdx.x == 0) convk_cuda_grids_place_of_(a, task, room.width, &room.place);
  __syncthreads();
  return room.place.nx;
}

/* Which of up to a.look tables of the place count, from q0 on: how many. */
template <class real_, int each_, int columns_>
CONVK_CUDA_INLINE_ int convk_cuda_grids_look_up_(const convk_cuda_grids_args_<real_> &a, unsigned q0, int some,
                                                 const convk_cuda_grids_pass_ &pass,
                                                 const convk_cuda_grids_dynamic_<real_> &dynamic,
                                                 convk_cuda_grids_room_<real_, each_, columns_> &room) {
  const int item = (int)threadIdx.x;
  const convk_grids_arguments_<real_> &of = a.of;
  const convk_cuda_grids_place_ &place = room.place;
  const real_ *const values = (const real_ *)(const void *)(a.work + of.values);
  const convk_grids_table_device_ *const tables = (const convk_grids_table_device_ *)(const void *)(a.work + of.tables);
  int alive = 0, end, all;
  if (item < some) {
    const uint32_t *const list = (const uint32_t *)(const void *)(a.work + of.lists) + place.list * of.ntables;
    const convk_grids_table_device_ &t = tables[of.listed ? list[q0 + (unsigned)item] : place.lot->first + q0 + (unsigned)item];
    const convk_grids_axis_device_ *const x = (const convk_grids_axis_device_ *)(const void *)(a.work + of.axes) + 3 * t.group;
    const uint64_t sums = place.lot->sums + (uint64_t)(t.first - tables[place.lot->first].first) * place.columns;
    convk_cuda_grids_table_<real_> &table = dynamic.table[item];
    convk_grids_near_ e;
    real_ ez;
    convk_cuda_grids_look_(&t, x - 3 * t.group, values, place.tile, place.at, place.nx, place.ny, of.cut, pass.weight,
                           pass.along, &e, &ez);
    alive = e.alive;
    const int begin = convk_cuda_grids_inside_(x[2].low, place.at[2], place.nz);
    const convk_cuda_grids_part_ of_rows = {e.y, e.y + e.y_bend, e.y_count, e.y_begin, e.y_end - e.y_begin};
    const convk_cuda_grids_part_ of_columns = {sums + (uint64_t)pass.set * of.plane_sums,
                                               sums + (uint64_t)pass.other * of.plane_sums, place.columns, begin,
                                               convk_cuda_grids_inside_(x[2].low + x[2].count, place.at[2], place.nz) - begin};
    table.part[0] = of_rows;
    table.part[1] = of_columns;
    table.x = e.x;
    table.size = e.size;
    table.x_begin = e.x_begin;
    table.x_count = e.x_end - e.x_begin;
    table.degree = e.degree;
    table.bent = e.y_bend != 0;
    CONVK_CUDA_UNROLL_BY_(1)
    for (int c = 0; c < columns_; c++) {
      if (c && (c & ((1 << a.shift) - 1)) == 0) {
        ez = 0;
        if (c >> a.shift < place.nz)
          alive |= convk_cuda_grids_reaches_(x, values, place.tile, place.at[2] + (uint64_t)(c >> a.shift), of.cut, &ez);
      }
      table.ez[c] = ez;
    }
  }
  end = convk_cuda_grids_up_to_(alive, room.counts, &all);
  if (alive) dynamic.order[end - 1] = item;
  __syncthreads();
  return all;
}

/* What a thread brings of what makes weights: of a row or of a column, number `place` of them; or nothing, where that is -1.
   own: where its first one would be, if all began at 0. */
template <class real_> struct convk_cuda_grids_bringer_ {
  const real_ *own;
  int place;
};
template <class real_>
CONVK_CUDA_INLINE_ convk_cuda_grids_bringer_<real_> convk_cuda_grids_bringer_of_(const convk_cuda_grids_args_<real_> &a,
                                                                                 const convk_cuda_grids_place_ &place,
                                                                                 uint64_t column, int columns) {
  const int k = (int)threadIdx.x % 16, c = k - CONVK_CUDA_GRIDS_LINES_, plane = c >> a.shift;
  convk_cuda_grids_bringer_<real_> result = {(const real_ *)(const void *)(a.work + a.of.values) + k, k};
  if (c < 0) return result;
  column += (uint64_t)(c & ((1 << a.shift) - 1));
  result.place = c < columns && column < place.columns ? plane : -1;
  result.own = (const real_ *)(const void *)(a.work + a.of.sums) +
               (place.at[2] - a.of.first_plane + (uint64_t)plane) * a.sets * a.of.plane_sums + column;
  return result;
}

/* Asks for what makes weights of up to QUEUE tables, from q0 on: 16 threads for each of them. */
template <class real_, int each_, int columns_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_bring_(const convk_cuda_grids_args_<real_> &a, int q0, int some,
                                                const convk_cuda_grids_bringer_<real_> &bringer,
                                                const convk_cuda_grids_dynamic_<real_> &dynamic,
                                                convk_cuda_grids_room_<real_, each_, columns_> &room) {
  const int q = (int)threadIdx.x / 16, k = (int)threadIdx.x % 16, role = k / CONVK_CUDA_GRIDS_LINES_;
  const int buffer = q0 / CONVK_CUDA_GRIDS_QUEUE_ % 2;
  if (q >= some) return;
  const convk_cuda_grids_table_<real_> &e = dynamic.table[dynamic.order[q0 + q]];
  const convk_cuda_grids_part_ part = e.part[role];
  const int inside = (unsigned)(bringer.place - part.begin) < (unsigned)part.count, degree = e.degree, bent = e.bent;
  const uint64_t size = e.size;
  const real_ *from = bringer.own + part.from, *other = bringer.own + part.other;
  real_ *to = dynamic.parts + (buffer * CONVK_CUDA_GRIDS_QUEUE_ + q) * (int)a.steps * 16 + k;
  if (role == 0) convk_cuda_bring_one_(&room.size[buffer][q][k], bringer.own + size, inside);
  CONVK_CUDA_UNROLL_BY_(1)
  for (int b = 0; b <= degree; b++, from += part.apart, other += part.apart) {
    convk_cuda_bring_one_(to, from, inside);
    to += 16;
    if (!bent) continue;
    convk_cuda_bring_one_(to, other, inside);
    to += 16;
  }
}

/* Asks for up to QUEUE tables along x from q0 on, and makes their weights; those behind the last table add nothing. */
template <class real_, int each_, int columns_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_weigh_(const convk_cuda_grids_args_<real_> &a, int q0, int some,
                                                const convk_cuda_grids_dynamic_<real_> &dynamic,
                                                convk_cuda_grids_room_<real_, each_, columns_> &room) {
  enum { /* a thread makes `pack` columns that lie side by side, of `rows` rows */
         own = columns_ * CONVK_CUDA_GRIDS_LINES_ / 16,
         most = 16 / (int)sizeof(real_),
         pack = own < most ? 1 : most,
         rows = own / pack,
         apart = CONVK_CUDA_GRIDS_LINES_ / rows
  };
  const int q = (int)threadIdx.x / 16, k = (int)threadIdx.x % 16, row = k * pack / columns_, first = k * pack % columns_;
  const int buffer = q0 / CONVK_CUDA_GRIDS_QUEUE_ % 2;
  const convk_cuda_grids_table_<real_> &e = dynamic.table[dynamic.order[q < some ? q0 + q : q0]];
  const real_ *const from = (const real_ *)(const void *)(a.work + a.of.values) + (e.x + (uint64_t)k);
  const real_ *parts = dynamic.parts + (buffer * CONVK_CUDA_GRIDS_QUEUE_ + q) * (int)a.steps * 16;
  const unsigned x_count = q < some ? (unsigned)e.x_count : 0;
  const int from_x = k - e.x_begin, steps = q < some ? (e.degree + 1) * (e.bent + 1) : 0;
  real_ sum[rows][pack];
  CONVK_CUDA_EACH_(u, each_)
    convk_cuda_bring_one_(&room.panel[buffer][q][k + u * CONVK_CUDA_GRIDS_ACROSS_], from + u * CONVK_CUDA_GRIDS_ACROSS_,
                          (unsigned)(from_x + u * CONVK_CUDA_GRIDS_ACROSS_) < x_count);
  CONVK_CUDA_EACH_(i, own) sum[i / pack][i % pack] = q < some ? (real_)0 : -(real_)0;
  CONVK_CUDA_UNROLL_BY_(1)
  for (int step = 0; step < steps; step++, parts += 16) {
    real_ v[pack];
    convk_cuda_gets_<pack, pack>(v, parts + CONVK_CUDA_GRIDS_LINES_ + first);
    CONVK_CUDA_EACH_(i, own)
      sum[i / pack][i % pack] = convk_cuda_fma_(v[i % pack], parts[row + i / pack * apart], sum[i / pack][i % pack]);
  }
  if (q < some) {
    real_ ez[pack];
    convk_cuda_gets_<pack, pack>(ez, e.ez + first);
    CONVK_CUDA_EACH_(i, own) {
      const real_ size = convk_cuda_mul_(room.size[buffer][q][row + i / pack * apart], ez[i % pack]);
      sum[i / pack][i % pack] = size < a.of.cut ? (real_)0 : sum[i / pack][i % pack];
    }
  }
  CONVK_CUDA_EACH_(i, rows)
    convk_cuda_puts_<pack, pack>(&room.weights[buffer][q][(row + i * apart) * columns_ + first], sum[i]);
}

/* Adds up to QUEUE tables to sums of a thread, in their order. */
template <class real_, int each_, int columns_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_multiply_(int buffer, int some,
                                                   const convk_cuda_grids_room_<real_, each_, columns_> &room,
                                                   real_ (*sum)[each_]) {
  typedef convk_cuda_grids_thread_<real_, each_> thread;
  enum { pack = 16 / (int)sizeof(real_) };
  const int row = thread::row();
  if (thread::matrix) { /* products of 16 by 8 elements over 8 tables: two columns of all rows by 8 points */
    const int lane = (int)threadIdx.x % 32, k = lane % 4, x = (int)threadIdx.x / 32 * (4 * each_) + lane / 4;
    real_ v[each_ / 2][2];
    CONVK_CUDA_EACH_(i, each_ / 2 * 2) v[i / 2][i % 2] = room.panel[buffer][k + i % 2 * 4][x + i / 2 * 8];
    CONVK_CUDA_UNROLL_
    for (int c = 0; c < columns_; c += 2) {
      real_ w[2][4];
      CONVK_CUDA_EACH_(i, 2) convk_cuda_get_(w[i], &room.weights[buffer][k + 4 * i][row * columns_ + c]);
      CONVK_CUDA_EACH_(i, each_ / 2) convk_cuda_multiply_(w, v[i], &sum[c][2 * i], &sum[c + 1][2 * i]);
    }
  } else {
    CONVK_CUDA_UNROLL_BY_(1)
    for (int q = 0; q < some; q++) {
      real_ v[each_], w[columns_];
      CONVK_CUDA_EACH_(u, each_) v[u] = room.panel[buffer][q][thread::x(u)];
      convk_cuda_gets_ < columns_<pack ? 1 : pack, columns_>(w, &room.weights[buffer][q][row * columns_]);
      CONVK_CUDA_EACH_(p, columns_)
        CONVK_CUDA_EACH_(u, each_) sum[p][u] = convk_cuda_fma_(w[p], v[u], sum[p][u]);
    }
  }
}

/* Sums of a kind, over all tables of the place.  What weights of QUEUE tables need is on its way while those before it get
   their weights, and those before these are multiplied. */
template <class real_, int each_, int columns_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_product_(const convk_cuda_grids_args_<real_> &a, unsigned kind, uint64_t column,
                                                  convk_cuda_grids_room_<real_, each_, columns_> &room, real_ (*sum)[each_]) {
  const convk_cuda_grids_place_ &place = room.place;
  const int queue = CONVK_CUDA_GRIDS_QUEUE_;
  const convk_cuda_grids_dynamic_<real_> dynamic = convk_cuda_grids_dynamic_of_<real_>(a.look, a.steps);
  const unsigned count = /* of all tables of all groups, which are fewer than 2^31 */
      a.of.listed ? ((const uint32_t *)(const void *)(a.work + a.of.counts))[place.list] : (unsigned)place.lot->count;
  convk_cuda_grids_pass_ pass;
  CONVK_CUDA_EACH_(i, columns_ * each_) sum[i / each_][i % each_] = 0;
  CONVK_CUDA_UNROLL_BY_(1)
  for (int i = 0; convk_cuda_grids_pass_of_(a.of, kind, i, &pass); i++) {
    const convk_cuda_grids_bringer_<real_> bringer = convk_cuda_grids_bringer_of_(a, place, column, columns_);
    CONVK_CUDA_UNROLL_BY_(1)
    for (unsigned from = 0; from < count; from += (unsigned)a.look) {
      const int all = convk_cuda_grids_look_up_(a, from, convk_cuda_least_(count - from, (int)a.look), pass, dynamic, room);
      CONVK_CUDA_UNROLL_BY_(1)
      for (int q = -queue; q < all + queue; q += queue) {
        if (q + queue < all) convk_cuda_grids_bring_(a, q + queue, all - q - queue, bringer, dynamic, room);
        if (q >= 0 && q < all) convk_cuda_grids_weigh_(a, q, all - q, dynamic, room);
        if (q >= queue)
          convk_cuda_grids_multiply_((q / queue + 1) % 2, convk_cuda_least_((size_t)(all - q + queue), queue), room, sum);
        convk_cuda_copies_wait_();
        __syncthreads();
      }
    }
  }
}

/* Sums of column c go to its rows of a result, or to those of one of its planes. */
template <class real_, int each_>
CONVK_CUDA_INLINE_ real_ *convk_cuda_grids_to_(const convk_cuda_grids_args_<real_> &a, const convk_cuda_grids_place_ &place,
                                               int apart, int plane, real_ *out) {
  return out + (uint64_t)apart *
                   ((place.at[2] - a.of.first_plane + (uint64_t)plane) * a.of.pitch_z +
                    (place.at[1] + (uint64_t)convk_cuda_grids_thread_<real_, each_>::row()) * a.of.pitch_y + place.at[0]);
}
template <class real_, int each_>
CONVK_CUDA_INLINE_ void convk_cuda_grids_store_(const convk_cuda_grids_place_ &place, int apart, const real_ *sum, real_ *to) {
  typedef convk_cuda_grids_thread_<real_, each_> thread;
  const int pairs = thread::matrix && apart == 1 && ((uintptr_t)to & 15) == 0;
  CONVK_CUDA_EACH_(u, each_) {
    const int x = thread::x(u), even = u & ~1;
    if (pairs && thread::x(even) + 1 < place.nx) {
      if (u == even) convk_cuda_put_whole_(to + x, sum + u);
    } else if (x < place.nx) {
      to[apart * x] = sum[u];
    }
  }
}

/* Blocks of a multiprocessor are named, as else ptxas holds some of these kernels to so few registers that it spills a few. */

/* Results on a grid: a block makes points along x of rows and columns of a lot. */
template <class real_, int each_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, sizeof(real_) == 4 ? 4 : 3)
    convk_cuda_grid_(const convk_cuda_grids_args_<real_> a) {
  enum { columns = CONVK_CUDA_GRIDS_COLUMNS_ };
  __shared__ convk_cuda_grids_room_<real_, each_, columns> room;
  const uint64_t parts = a.of.wave ? 2 : 1;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const convk_cuda_grids_place_ &place = room.place;
    real_ sum[columns][each_];
    if (!convk_cuda_grids_go_to_(a, task, room)) continue; /* all threads */
    convk_cuda_grids_product_(a, place.kind, place.column, room, sum);
    const unsigned kind = place.kind;
    real_ *const out = kind == 0 ? a.out[0] : kind == 1 ? a.out[1] : kind == 2 ? a.out[2] : kind == 3 ? a.out[3] : a.out[4];
    CONVK_CUDA_EACH_(c, columns) {
      const int plane = c >> a.shift;
      const uint64_t column = place.column + (uint64_t)(c & ((1 << a.shift) - 1));
      if (column < place.columns && plane < place.nz && convk_cuda_grids_thread_<real_, each_>::row() < place.ny)
        convk_cuda_grids_store_<real_, each_>(place, (int)parts, sum[c],
                                              convk_cuda_grids_to_<real_, each_>(a, place, (int)parts, plane, out) +
                                                  parts * ((place.lot->row + (a.of.wave ? column / 2 : column)) * a.of.ld) +
                                                  (a.of.wave ? column % 2 : 0));
    }
  }
}

/* A density on a grid, in registers over all columns: those of some planes, or one plane's, abreast at a time. */
template <class real_, int each_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, sizeof(real_) == 4 ? 4
                                                                        : each_ > 4        ? 2
                                                                                           : 3)
    convk_cuda_grids_density_(const convk_cuda_grids_args_<real_> a) {
  enum { columns = CONVK_CUDA_GRIDS_COLUMNS_ };
  typedef convk_cuda_grids_thread_<real_, each_> thread;
  __shared__ convk_cuda_grids_room_<real_, each_, columns> room;
  const real_ *const weights = (const real_ *)(const void *)(a.work + a.of.weights);
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const convk_cuda_grids_place_ &place = room.place;
    real_ total[each_];
    if (!convk_cuda_grids_go_to_(a, task, room)) continue; /* all threads */
    for (uint64_t first = 0; first == 0 || first < place.columns; first += (uint64_t)1 << a.shift) {
      real_ sum[columns][each_];
      convk_cuda_grids_product_(a, 0, first, room, sum);
      CONVK_CUDA_EACH_(c, columns) {
        const int slot = c & ((1 << a.shift) - 1), plane = c >> a.shift;
        const int inside = plane < place.nz && thread::row() < place.ny;
        const uint64_t column = first + (uint64_t)slot;
        real_ *const to = convk_cuda_grids_to_<real_, each_>(a, place, 1, plane, a.out[0]);
        CONVK_CUDA_EACH_(u, each_) {
          if (column == 0) total[u] = a.of.wave & 8 && inside && thread::x(u) < place.nx ? to[thread::x(u)] : (real_)0;
          if (column < place.columns)
            total[u] = convk_cuda_gaussian_add_square_(weights[a.of.wave ? column / 2 : column], sum[c][u], total[u]);
        }
        if (inside && slot + 1 == 1 << a.shift && column + 1 >= place.columns)
          convk_cuda_grids_store_<real_, each_>(place, 1, total, to);
      }
    }
  }
}

/* The same with what derivatives give, an orbital after the other. */
template <class real_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, 2 + (sizeof(real_) == 4))
    convk_cuda_grids_slopes_(const convk_cuda_grids_args_<real_> a) {
  enum { each = CONVK_CUDA_GRIDS_SLOPES_EACH_, columns = CONVK_CUDA_GRIDS_SLOPES_COLUMNS_ };
  __shared__ convk_cuda_grids_room_<real_, each, columns> room;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const convk_cuda_grids_place_ &place = room.place;
    real_ total[5][columns][each];
    if (!convk_cuda_grids_go_to_(a, task, room)) continue; /* all threads */
    CONVK_CUDA_EACH_(i, 5 * columns * each) total[i / (columns * each)][i / each % columns][i % each] = 0;
    for (uint64_t o = 0; o < place.columns; o++) {
      const real_ weight = ((const real_ *)(const void *)(a.work + a.of.weights))[o];
      real_ value[columns][each], squares[columns][each];
      CONVK_CUDA_UNROLL_BY_(1)
      for (int d = 0; d < 4; d++) { /* itself, then its slopes */
        real_ sum[columns][each];
        convk_cuda_grids_product_(a, (unsigned)d, o, room, sum);
        CONVK_CUDA_EACH_(i, columns * each) {
          const int p = i / each, u = i % each;
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
      CONVK_CUDA_EACH_(i, columns * each) {
        real_ &tau = total[4][i / each][i % each];
        tau = convk_cuda_fma_(convk_cuda_mul_((real_)0.5, weight), squares[i / each][i % each], tau);
      }
    }
    CONVK_CUDA_EACH_(i, 5 * columns) {
      const int k = i / columns, plane = i % columns;
      if (a.of.wanted >> k & 1 && plane < place.nz && convk_cuda_grids_thread_<real_, each>::row() < place.ny)
        convk_cuda_grids_store_<real_, each>(place, 1, total[k][plane],
                                             convk_cuda_grids_to_<real_, each>(a, place, 1, plane, a.out[k]));
    }
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

/* Images of groups from g0 on, a thread for each group: how many may count in the block, if its orbitals have the group. */
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

template <class real_> static convk_cuda_grids_kernel_<real_> convk_cuda_grids_of_(int density, size_t each) {
  if (density > 1) return convk_cuda_grids_slopes_<real_>;
  if (density)
    return each == 2   ? convk_cuda_grids_density_<real_, 2>
           : each == 4 ? convk_cuda_grids_density_<real_, 4>
                       : convk_cuda_grids_density_<real_, 6>;
  return each == 2 ? convk_cuda_grid_<real_, 2> : each == 4 ? convk_cuda_grid_<real_, 4> : convk_cuda_grid_<real_, 6>;
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

/* Dynamic shared memory, of up to as many tables as threads, which with a kernel's own is at most 48 KB. */
template <class real_> static size_t convk_cuda_grids_shared_(size_t each, size_t steps, size_t *look) {
  const size_t table = sizeof(convk_cuda_grids_table_<real_>) + sizeof(int);
  const size_t parts = 2 * CONVK_CUDA_GRIDS_QUEUE_ * 16 * steps * sizeof(real_);
  const size_t own = each == 2   ? sizeof(convk_cuda_grids_room_<real_, 2, CONVK_CUDA_GRIDS_COLUMNS_>)
                     : each == 4 ? sizeof(convk_cuda_grids_room_<real_, 4, CONVK_CUDA_GRIDS_COLUMNS_>)
                                 : sizeof(convk_cuda_grids_room_<real_, 6, CONVK_CUDA_GRIDS_COLUMNS_>);
  *look = (49152 - own - parts) / table / 8 * 8;
  if (*look > CONVK_CUDA_GAUSSIAN_THREADS_) *look = CONVK_CUDA_GAUSSIAN_THREADS_;
  return parts + *look * table;
}

/* Rows of results that have their tables in common: blocks make some of them. */
CONVK_LOCAL_ size_t convk_cuda_grids_lot_(size_t rows, size_t) { return rows; }

#ifndef CONVK_CUDA_GRIDS_SUMS_
#define CONVK_CUDA_GRIDS_SUMS_ ((size_t)32 << 20) /* bytes of sums along z at a time, which caches of large devices hold */
#endif

/* Bytes for sums along z of some planes at a time, whose number grows with what there is, of a grid with this many planes. */
CONVK_LOCAL_ size_t convk_cuda_grids_room_of_(size_t plane_bytes, size_t planes) {
  const size_t limit = CONVK_CUDA_GRIDS_SUMS_;
  if (plane_bytes >= limit) return plane_bytes;
  return plane_bytes && planes > limit / plane_bytes ? limit : planes * plane_bytes;
}

/* How tiles are cut: points of a thread, columns abreast, planes of a block, parts along x, y and z. */
struct convk_cuda_grids_cut_ {
  size_t each, abreast, deep, parts[3];
  int shift; /* abreast is 2^shift */
};

/* `columns` of each plane, in tiles of these sizes.  So many of them go abreast that fewest are idle, but all of a density, up
   to as many as a thread has; and so many points along x, with 1 for what is the same whatever they are.  few: so few tiles
   that small blocks keep the device busy where large ones do not. */
CONVK_LOCAL_ convk_cuda_grids_cut_ convk_cuda_grids_cut_of_(int density, size_t least, size_t columns, const uint64_t *tile,
                                                            size_t tiles) {
  const size_t across = CONVK_CUDA_GRIDS_ACROSS_, most = CONVK_CUDA_GRIDS_COLUMNS_, busy = 256;
  convk_cuda_grids_cut_ cut = {CONVK_CUDA_GRIDS_SLOPES_EACH_, 1, CONVK_CUDA_GRIDS_SLOPES_COLUMNS_, {1, 1, 1}, 0};
  size_t k, used = 0, cost = 0, blocks;
  for (k = most; k >= least && density < 2; k /= 2) {
    const size_t all = convk_ceil_(columns, k) * convk_ceil_((size_t)tile[2], most / k);
    if ((used && all >= used) || (density && k < most && k < columns)) continue;
    used = all;
    cut.abreast = k;
    cut.deep = most / k;
    for (cut.shift = 0; (size_t)1 << cut.shift < k;) cut.shift++;
  }
  cut.parts[1] = convk_ceil_((size_t)tile[1], CONVK_CUDA_GRIDS_LINES_);
  cut.parts[2] = convk_ceil_((size_t)tile[2], cut.deep);
  blocks = tiles * cut.parts[1] * cut.parts[2] * (density ? 1 : convk_ceil_(columns, cut.abreast));
  for (k = 6; k >= 2 && density < 2; k -= 2) {
    const size_t parts = convk_ceil_((size_t)tile[0], across * k), all = parts * (k + 1);
    if (cost && all >= cost && (k > 2 || blocks * cut.parts[0] >= busy)) continue;
    cost = all;
    cut.each = k;
    cut.parts[0] = parts;
  }
  if (density > 1) cut.parts[0] = convk_ceil_((size_t)tile[0], across * cut.each);
  return cut;
}
