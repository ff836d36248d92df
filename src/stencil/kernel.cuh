enum {
  CONVK_CUDA_STENCIL_DEPTH_ = 4,   /* most steps in one pass over memory */
  CONVK_CUDA_STENCIL_STEPS_ = 3,   /* and how many if none are asked for */
  CONVK_CUDA_STENCIL_SECTOR_ = 32, /* bytes that device memory moves at a time */
  CONVK_CUDA_STENCIL_WIDE_ = 320,  /* points of rows that single sweeps go through in large tiles */
  CONVK_CUDA_STENCIL_CHUNKS_ = 512 /* most chunks along z that are tried */
};

template <class real_> struct convk_cuda_stencil_args_ : convk_stencil_arguments_<real_> {
  const real_ *in;
  real_ *out;
};

/* Where a point of an axis is loaded from: wrapped, or the nearest that there is. */
CONVK_CUDA_INLINE_ size_t convk_cuda_place_(ptrdiff_t i, ptrdiff_t n, int periodic) {
  if (i >= 0 && i < n) return (size_t)i;
  if (!periodic) return i < 0 ? 0 : (size_t)(n - 1);
  if (n > 1000) return (size_t)(i < 0 ? i + n : i - n); /* a tile reaches less far out */
  return (unsigned)((int)i + CONVK_CUDA_STENCIL_DEPTH_ * (int)n) % (unsigned)n;
}

CONVK_CUDA_INLINE_ int convk_cuda_changes_(ptrdiff_t i, ptrdiff_t n, int periodic) { return periodic || (i > 0 && i < n - 1); }

CONVK_CUDA_INLINE_ ptrdiff_t convk_cuda_between_(ptrdiff_t i, ptrdiff_t least, ptrdiff_t greatest) {
  return i < least ? least : i < greatest ? i : greatest;
}

/* Planes of the input one after another: `at` is where one begins. */
template <class real_> struct convk_cuda_stencil_planes_of_ {
  const char *base, *at;
  size_t pitch, plane, count;
  int periodic;
  __device__ __forceinline__ convk_cuda_stencil_planes_of_(const convk_cuda_stencil_args_<real_> &a, ptrdiff_t first)
      : base((const char *)a.in), pitch(a.pitch_z * sizeof(real_)), plane(convk_cuda_place_(first, a.n[2], a.periodic[2])),
        count((size_t)a.n[2]), periodic(a.periodic[2]) {
    at = base + plane * pitch;
  }
  __device__ __forceinline__ void next() {
    if (++plane < count) {
      at += pitch;
    } else if (periodic) {
      plane = 0;
      at = base;
    }
  }
};

/* ---- several steps ---- */

/* A block's tile has width_ x height_ points, with the halo; a thread has rows_ of them, side by side in y. */
#define CONVK_CUDA_STENCIL_ROWS_(height_) ((height_) <= 32 ? 4 : (height_) / 8)
#define CONVK_CUDA_STENCIL_THREADS_(width_, height_) ((width_) * (height_) / CONVK_CUDA_STENCIL_ROWS_(height_))
/* Points of the halo on the left and on the right: rows that are written are whole sectors of f64 from two steps on. */
#define CONVK_CUDA_STENCIL_HALO_(depth_) ((depth_) < 3 ? (depth_) : 4)

/* Blocks of a multiprocessor: as many as the registers allow, where each point needs 2 depth_ + 1 values. */
#define CONVK_CUDA_STENCIL_REGISTERS_(real_, height_, depth_) \
  ((2 * (depth_) + 1) * CONVK_CUDA_STENCIL_ROWS_(height_) * (int)sizeof(real_) / 4 + 64)
#define CONVK_CUDA_STENCIL_BLOCKS_(real_, width_, height_, depth_) \
  (65536 / (CONVK_CUDA_STENCIL_REGISTERS_(real_, height_, depth_) * 256) * 256 / CONVK_CUDA_STENCIL_THREADS_(width_, height_))

/* Every level one plane on: plane k - l - 1 from level l to l + 1.  above: that of level 0, in the end that of the last level.
   own: where the thread's first rows lie in shared memory.  low, high: planes of the fixed ends. */
template <int width_, int isotropic_, class real_, int depth_, int rows_>
CONVK_CUDA_INLINE_ void convk_cuda_stencil_levels_(const real_ *c, const real_ *own, int level, int k, int low, int high,
                                                   unsigned changing, real_ (&below)[depth_][rows_],
                                                   real_ (&here)[depth_][rows_], real_ (&above)[rows_]) {
  const int last = rows_ - 1;
  CONVK_CUDA_EACH_(l, depth_) {
    const unsigned kept = k - l - 1 == low || k - l - 1 == high ? ~0u : ~changing;
    const real_ before = own[l * level - width_], behind = own[l * level + 2 * width_];
    real_ value[rows_];
    CONVK_CUDA_EACH_(r, rows_) {
      const real_ xm = CONVK_CUDA_SHUFFLE_UP_(here[l][r], 1, width_), xp = CONVK_CUDA_SHUFFLE_DOWN_(here[l][r], 1, width_);
      const real_ ym = r > 0 ? here[l][r > 0 ? r - 1 : 0] : before, yp = r < last ? here[l][r < last ? r + 1 : 0] : behind;
      value[r] = convk_cuda_stencil_value_(c, here[l][r], xm, xp, ym, yp, below[l][r], above[r], isotropic_);
    }
    CONVK_CUDA_EACH_(r, rows_) {
      if (l + 1 < depth_ && (kept >> r & 1)) value[r] = here[l][r];
      below[l][r] = here[l][r];
      here[l][r] = above[r];
      above[r] = value[r];
    }
  }
}

/* depth_ steps in one pass.  A block marches up through its tile; level l is the state after l steps.  When a plane of level 0
   comes in, each level is made one plane behind the one before it.  Threads keep the last two planes of every level of their
   points in registers.  The lanes next to it give a point its neighbours in x; shared memory has the first and the last row
   of every thread for the neighbours in y, in the middle one of each level's three planes: all levels share one exchange,
   and two sets of rows in turn need one barrier per plane.
   A level is right one point less far out than the one before it, and the last one on the tile without its halo; what lies
   further out is computed and does not count.  Points that do not change pass from level to level.  The next plane is
   loaded during the arithmetic; threads beyond what is needed load a needed point again. */
template <class real_, int width_, int height_, int depth_, int isotropic_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_STENCIL_THREADS_(width_, height_),
                                          CONVK_CUDA_STENCIL_BLOCKS_(real_, width_, height_, depth_))
    convk_cuda_stencil_(const convk_cuda_stencil_args_<real_> a) {
  const int rows = CONVK_CUDA_STENCIL_ROWS_(height_), last = rows - 1, halo = CONVK_CUDA_STENCIL_HALO_(depth_);
  const int level = (height_ / rows * 2 + 2) * width_; /* elements; a row at either end that nothing depends on */
  __shared__ real_ shared[2 * depth_ * level];
  const int x = (int)threadIdx.x % width_, group = (int)threadIdx.x / width_, y = group * rows;
  const unsigned chunk = blockIdx.x / a.layer, in_layer = blockIdx.x % a.layer;
  const unsigned tile_y = in_layer / a.tiles_x, tile_x = in_layer % a.tiles_x;
  const ptrdiff_t at_x = a.left + (ptrdiff_t)tile_x * (width_ - 2 * halo) - halo + x;
  const ptrdiff_t at_y = a.first[1] + (ptrdiff_t)tile_y * (height_ - 2 * depth_) - depth_ + y;
  const ptrdiff_t last_y = a.end[1] + depth_ - 1; /* that is needed */
  const ptrdiff_t begin = a.first[2] + (ptrdiff_t)chunk * a.planes, left = a.end[2] - begin;
  /* Planes are counted from depth_ before the first that is written; none is taken below a fixed end. */
  const int end = (int)(left < a.planes ? left : a.planes) + 2 * depth_;
  const int low = !a.periodic[2] && begin <= depth_ ? depth_ - (int)begin : -1; /* where the fixed ends are */
  const int high = !a.periodic[2] && a.n[2] - begin <= end ? (int)(a.n[2] - begin) + depth_ - 1 : -1;
  const int start = low > 0 ? low : 0;
  const size_t column =
      convk_cuda_place_(convk_cuda_between_(at_x, a.first[0] - depth_, a.end[0] + depth_ - 1), a.n[0], a.periodic[0]);
  size_t line = convk_cuda_place_(at_y < last_y ? at_y : last_y, a.n[1], a.periodic[1]);
  convk_cuda_stencil_planes_of_<real_> in(a, begin - depth_ + start);
  char *out = (char *)a.out + (size_t)begin * in.pitch;
  real_ *own = shared + (group * 2 + 1) * width_ + x; /* the thread's first row; its last one comes next */
  int other = depth_ * level;                         /* from this set of rows to the other */
  unsigned changing = 0, written = 0;                 /* a bit for each row */
  size_t offset[rows];
  real_ below[depth_][rows], here[depth_][rows], above[rows], ahead[rows];
  CONVK_CUDA_EACH_(r, rows) {
    const int inside = x >= halo && x < width_ - halo && y + r >= depth_ && y + r < height_ - depth_;
    offset[r] = (line * a.pitch_y + column) * sizeof(real_);
    if (at_y + r < last_y && (a.periodic[1] || at_y + r >= 0) && ++line == (size_t)a.n[1]) line = a.periodic[1] ? 0 : line - 1;
    if (convk_cuda_changes_(at_x, a.n[0], a.periodic[0]) && convk_cuda_changes_(at_y + r, a.n[1], a.periodic[1]))
      changing |= 1u << r;
    if (inside && at_x >= a.first[0] && at_x < a.end[0] && at_y + r < a.end[1]) written |= 1u << r;
    ahead[r] = *(const real_ *)(const void *)(in.at + offset[r]);
    CONVK_CUDA_EACH_(l, depth_) below[l][r] = here[l][r] = 0;
  }
  CONVK_CUDA_EACH_(l, 2 * depth_) { /* the rows at either end: zeros */
    if (group == 0) own[l * level - width_] = 0;
    if (y + rows == height_) own[l * level + 2 * width_] = 0;
  }
  for (int k = start; k < end; k++) {
    CONVK_CUDA_EACH_(l, depth_) {
      own[l * level] = here[l][0];
      own[l * level + width_] = here[l][last];
    }
    if (k + 1 < end) in.next();
    CONVK_CUDA_EACH_(r, rows) {
      above[r] = ahead[r];
      ahead[r] = *(const real_ *)(const void *)(in.at + offset[r]);
    }
    __syncthreads();
    convk_cuda_stencil_levels_<width_, isotropic_>(a.c, own, level, k, low, high, changing, below, here, above);
    if (k >= 2 * depth_) {
      CONVK_CUDA_EACH_(r, rows)
        if (written >> r & 1) *(real_ *)(void *)(out + offset[r]) = above[r];
      out += in.pitch;
    }
    own += other;
    other = -other;
  }
}

/* ---- one step ---- */

enum { /* what a block writes of a plane, and what each of its threads does: points side by side in y */
       CONVK_CUDA_SWEEP_WIDTH_ = 128,
       CONVK_CUDA_SWEEP_HEIGHT_ = 32,
       CONVK_CUDA_SWEEP_ROWS_ = 8,
       CONVK_CUDA_SWEEP_THREADS_ = 512
};

/* The points around a tile that its block loads of each plane: above and below, by the threads next to them; left and right, by
   the first 64 threads, a row each. */
template <class real_> struct convk_cuda_sweep_around_ {
  size_t edge_at, side_at;
  int edged, sided;
  real_ edge, side;
  __device__ __forceinline__ convk_cuda_sweep_around_(const convk_cuda_stencil_args_<real_> &a, ptrdiff_t x0, ptrdiff_t y0,
                                                      int group, int inside, size_t column)
      : edge_at(0), side_at(0), edge(0), side(0) {
    const int rows = CONVK_CUDA_SWEEP_ROWS_, height = CONVK_CUDA_SWEEP_HEIGHT_, row = (int)threadIdx.x % height;
    const int right = (int)threadIdx.x / height;
    const ptrdiff_t at_y = y0 + group * rows, edge_y = group ? at_y + rows : at_y - 1;
    const ptrdiff_t side_x = right ? x0 + CONVK_CUDA_SWEEP_WIDTH_ : x0 - 1;
    edged = inside && edge_y <= a.end[1] && (group == 0 || group == height / rows - 1);
    if (edged) edge_at = (convk_cuda_place_(edge_y, a.n[1], a.periodic[1]) * a.pitch_y + column) * sizeof(real_);
    sided = right < 2 && side_x >= a.first[0] - 1 && side_x <= a.end[0] && y0 + row < a.end[1];
    if (sided) side_at = ((size_t)(y0 + row) * a.pitch_y + convk_cuda_place_(side_x, a.n[0], a.periodic[0])) * sizeof(real_);
  }
  __device__ __forceinline__ void load(const char *plane) {
    if (edged) edge = *(const real_ *)(const void *)(plane + edge_at);
    if (sided) side = *(const real_ *)(const void *)(plane + side_at);
  }
};

/* Shared memory, where points meet their neighbours of other warps: the first and the last row of every thread, then the
   columns on either side of each border between warps, the outer borders of the tile included.  Two sets in turn need one
   barrier a plane. */
template <class real_> struct convk_cuda_sweep_shared_ {
  enum {
    width = CONVK_CUDA_SWEEP_WIDTH_,
    height = CONVK_CUDA_SWEEP_HEIGHT_,
    rows = CONVK_CUDA_SWEEP_ROWS_,
    groups = height / rows,
    borders = width / 32 + 1,
    set = groups * 2 * width + borders * 2 * height
  };
  int x, group, lane, side; /* side: 0 and 1 for threads that load a point left and right of the tile */
  real_ *own, *border,
      *side_to;      /* the thread's first row, which its last one follows; the column of its warp's border; its side */
  int beyond, other; /* from the warp's side of its border to the other; from this set to the other */
  __device__ __forceinline__ explicit convk_cuda_sweep_shared_(real_ *shared)
      : x((int)threadIdx.x % width), group((int)threadIdx.x / width), lane(x % 32), side((int)threadIdx.x / height),
        other(set) {
    real_ *columns = shared + groups * 2 * width;
    own = shared + group * 2 * width + x;
    border = columns + (x / 32 * 2 + (lane == 31 ? 2 : 1)) * height + group * rows;
    side_to = columns + (side ? (borders - 1) * 2 + 1 : 0) * height + (int)threadIdx.x % height;
    beyond = lane == 31 ? height : -height;
  }
  __device__ __forceinline__ void give(const real_ (&here)[rows], real_ at_side) {
    own[0] = here[0];
    own[width] = here[rows - 1];
    if (lane == 0 || lane == 31) {
      CONVK_CUDA_EACH_(r, rows) border[r] = here[r];
    }
    if (side < 2) *side_to = at_side;
  }
  __device__ __forceinline__ void turn() {
    own += other;
    border += other;
    side_to += other;
    other = -other;
  }
};

/* One step.  A block marches up through its tile with three planes of it in registers.  The lanes next to it give a point its
   neighbours in x; shared memory has those of other warps, of the middle plane.  Of the points around the tile, that plane's
   are loaded.  The tile itself is all of it written. */
template <class real_, int isotropic_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_SWEEP_THREADS_, 1)
    convk_cuda_sweep_(const convk_cuda_stencil_args_<real_> a) {
  const int width = CONVK_CUDA_SWEEP_WIDTH_, rows = CONVK_CUDA_SWEEP_ROWS_, last = rows - 1;
  const int height = CONVK_CUDA_SWEEP_HEIGHT_, groups = height / rows;
  __shared__ real_ shared[2 * convk_cuda_sweep_shared_<real_>::set];
  convk_cuda_sweep_shared_<real_> s(shared);
  const int group = s.group, lane = s.lane;
  const unsigned chunk = blockIdx.x / a.layer, in_layer = blockIdx.x % a.layer;
  const ptrdiff_t x0 = a.left + (ptrdiff_t)(in_layer % a.tiles_x) * width, at_x = x0 + s.x;
  const ptrdiff_t y0 = a.first[1] + (ptrdiff_t)(in_layer / a.tiles_x) * height, at_y = y0 + group * rows;
  const ptrdiff_t begin = a.first[2] + (ptrdiff_t)chunk * a.planes, left = a.end[2] - begin;
  const int end = (int)(left < a.planes ? left : a.planes);
  const unsigned row = (unsigned)(a.pitch_y * sizeof(real_)); /* addresses by one instruction */
  const int seen = at_x >= a.first[0] - 1 && at_x <= a.end[0], inside = at_x >= a.first[0] && at_x < a.end[0];
  /* Rows of the box, and with the neighbour behind them, which may be row 0. */
  const int written = inside && at_y < a.end[1] ? convk_cuda_least_((size_t)(a.end[1] - at_y), rows) : 0;
  const int taken = seen && at_y <= a.end[1] ? convk_cuda_least_((size_t)(a.end[1] + 1 - at_y), rows) : 0;
  const int wraps = at_y + rows > a.n[1] ? (int)(a.n[1] - at_y) : rows;
  const size_t column = seen ? convk_cuda_place_(at_x, a.n[0], a.periodic[0]) : 0;
  const size_t corner = ((size_t)at_y * a.pitch_y + column) * sizeof(real_);
  convk_cuda_sweep_around_<real_> around(a, x0, y0, group, inside, column);
  convk_cuda_stencil_planes_of_<real_> in(a, begin - 1);
  char *out = (char *)a.out + (size_t)begin * in.pitch + corner;
  int k = 0;
  real_ p[3][rows];
  const char *from = in.at;
  auto load = [&](int r, real_ *value) {
    if (r == wraps) from -= (size_t)a.n[1] * row;
    if (r < taken) *value = *(const real_ *)(const void *)(from + (size_t)r * row);
  };
  /* The next plane takes the place of `below`, row by row; the planes take turns, so that none is moved. */
  auto step = [&](real_(&below)[rows], const real_(&here)[rows], const real_(&above)[rows]) {
    const int more = k + 1 < end;
    real_ before = around.edge, behind = around.edge;
    s.give(here, around.side);
    __syncthreads();
    if (more) {
      around.load(in.at);
      in.next();
    }
    from = in.at + corner;
    if (group > 0) before = s.own[-width];
    if (group < groups - 1) behind = s.own[2 * width];
    CONVK_CUDA_EACH_(r, rows) {
      real_ xm = CONVK_CUDA_SHUFFLE_UP_(here[r], 1, 32), xp = CONVK_CUDA_SHUFFLE_DOWN_(here[r], 1, 32);
      const real_ ym = r > 0 ? here[r > 0 ? r - 1 : 0] : before, yp = r < last ? here[r < last ? r + 1 : 0] : behind;
      if (lane == 0) xm = s.border[s.beyond + r];
      if (lane == 31) xp = s.border[s.beyond + r];
      const real_ value = convk_cuda_stencil_value_(a.c, here[r], xm, xp, ym, yp, below[r], above[r], isotropic_);
      if (r < written) *(real_ *)(void *)(out + (size_t)r * row) = value;
      if (more) load(r, &below[r]);
    }
    out += in.pitch;
    s.turn();
    return ++k < end;
  };
  CONVK_CUDA_EACH_(i, 3) {
    from = in.at + corner;
    CONVK_CUDA_EACH_(r, rows) {
      p[i][r] = 0;
      load(r, &p[i][r]);
    }
    if (i == 1) around.load(in.at);
    if (i < 2) in.next();
  }
  while (step(p[0], p[1], p[2]) && step(p[1], p[2], p[0]) && step(p[2], p[0], p[1])) continue;
}

/* ---- which kernel ---- */

/* A kernel, and what a block of it writes of a plane. */
template <class real_> struct convk_cuda_stencil_kernel_ {
  void (*start)(const convk_cuda_stencil_args_<real_>);
  size_t width, height, blocks; /* blocks: of one multiprocessor */
  int threads;
};

template <class real_, int width_, int height_, int depth_>
static convk_cuda_stencil_kernel_<real_> convk_cuda_stencil_of_(int isotropic) {
  convk_cuda_stencil_kernel_<real_> k;
  k.start = isotropic ? convk_cuda_stencil_<real_, width_, height_, depth_, 1>
                      : convk_cuda_stencil_<real_, width_, height_, depth_, 0>;
  k.width = width_ - 2 * CONVK_CUDA_STENCIL_HALO_(depth_);
  k.height = height_ - 2 * depth_;
  k.blocks = CONVK_CUDA_STENCIL_BLOCKS_(real_, width_, height_, depth_);
  k.threads = CONVK_CUDA_STENCIL_THREADS_(width_, height_);
  return k;
}

template <class real_> static convk_cuda_stencil_kernel_<real_> convk_cuda_sweep_of_(int isotropic) {
  convk_cuda_stencil_kernel_<real_> k;
  k.start = isotropic ? convk_cuda_sweep_<real_, 1> : convk_cuda_sweep_<real_, 0>;
  k.width = CONVK_CUDA_SWEEP_WIDTH_;
  k.height = CONVK_CUDA_SWEEP_HEIGHT_;
  k.blocks = 1;
  k.threads = CONVK_CUDA_SWEEP_THREADS_;
  return k;
}

template <class real_>
static convk_cuda_stencil_kernel_<real_> convk_cuda_stencil_choose_(size_t tile, size_t depth, int isotropic) {
  const int tall = sizeof(real_) == 4 ? 128 : 64;
  switch (tile * 10 + depth) { /* 161: tile 16, one step */
    case 161: return convk_cuda_stencil_of_<real_, 16, 16, 1>(isotropic);
    case 162: return convk_cuda_stencil_of_<real_, 16, 16, 2>(isotropic);
    case 321: return convk_cuda_stencil_of_<real_, 32, 32, 1>(isotropic);
    case 322: return convk_cuda_stencil_of_<real_, 32, 32, 2>(isotropic);
    case 323: return convk_cuda_stencil_of_<real_, 32, 32, 3>(isotropic);
    case 324: return convk_cuda_stencil_of_<real_, 32, 32, 4>(isotropic);
    case 641: return convk_cuda_sweep_of_<real_>(isotropic);
    case 642: return convk_cuda_stencil_of_<real_, 32, tall, 2>(isotropic);
    case 643: return convk_cuda_stencil_of_<real_, 32, tall, 3>(isotropic);
    default: return convk_cuda_stencil_of_<real_, 32, tall, 4>(isotropic);
  }
}

/* The tuning with its zeros filled in, for rows of nx points that change.  Measured on an H100, in GLUP/s: one step on 256^3
   points in f64 139 with tiles of 32; on 512^3 142, and 162 with 64, which are for rows that fill them, too: on 256^3, where
   blocks were made for three tiles of a row instead of two, they gave 124.  Several steps in f64 352 on 256^3 and 386 on 512^3
   with three in tiles of 32, 303 and 322 with four, 286 and 351 with four in tiles of 64; in f32 on 256^3 598, 604 and 437. */
CONVK_LOCAL_ int convk_cuda_stencil_tune_(const convk_cuda_stencil_tuning *tuning, size_t nx, size_t steps,
                                          convk_cuda_stencil_tuning *chosen) {
  const size_t width = CONVK_CUDA_SWEEP_WIDTH_;
  size_t max_steps;
  int large;
  memset(chosen, 0, sizeof *chosen);
  if (tuning) *chosen = *tuning;
  max_steps = chosen->tile == 16 ? 2 : CONVK_CUDA_STENCIL_DEPTH_;
  if (!chosen->steps) chosen->steps = CONVK_CUDA_STENCIL_STEPS_;
  if (chosen->steps > max_steps) chosen->steps = max_steps;
  large = nx > CONVK_CUDA_STENCIL_WIDE_ || (nx > width && convk_round_up_(nx, width) <= nx + nx / 5);
  if (!chosen->tile) chosen->tile = (steps == 1 || chosen->steps == 1) && large ? 64 : 32;
  return chosen->tile == 16 || chosen->tile == 32 || chosen->tile == 64 ? CONVK_OK : CONVK_ERR_OPTION;
}

/* Planes of a chunk along z: enough blocks to fill the device evenly, where each also computes 2 depth planes for nobody. */
CONVK_LOCAL_ size_t convk_cuda_stencil_planes_(size_t tiles, size_t planes, size_t depth, size_t places) {
  size_t chunks, best = planes, least = (size_t)-1;
  for (chunks = 1; chunks <= planes && chunks <= CONVK_CUDA_STENCIL_CHUNKS_; chunks++) {
    const size_t each = convk_ceil_(planes, chunks);
    const size_t time = convk_ceil_(tiles * chunks, places) * (each + 2 * depth);
    if (time < least) {
      least = time;
      best = each;
    }
  }
  return best;
}

enum { CONVK_CUDA_BOX_THREADS_ = 256 };

template <class real_> struct convk_cuda_box_args_ : convk_box_arguments_<real_> {
  const real_ *in;
  real_ *out;
};

/* A thread copies one point at a time: those of a row side by side. */
template <class real_> static __global__ void convk_cuda_box_copy_(convk_cuda_box_args_<real_> a) {
  CONVK_CUDA_EVERY_(i, a.points, CONVK_CUDA_BOX_THREADS_) {
    const size_t row = convk_cuda_divide_(i, a.count[0]), x = i - row * a.count[0];
    const size_t z = convk_cuda_divide_(row, a.count[1]), y = row - z * a.count[1];
    a.out[a.out_at + z * a.out_pitch[1] + y * a.out_pitch[0] + x] = a.in[a.in_at + z * a.in_pitch[1] + y * a.in_pitch[0] + x];
  }
}
