enum { convk_cuda_filters_lanes_ = 0 }; /* lanes of a row join in registers: none are in memory */
enum {
  CONVK_CUDA_GROUP_ = 8, /* outputs that a thread makes together */
  CONVK_CUDA_Z_THREADS_ = 256,
  CONVK_CUDA_TURN_ROWS_ = 32, /* input rows of one tile of conv1d_transpose: the lanes of a warp */
  CONVK_CUDA_TURN_THREADS_ = 256,
  CONVK_CUDA_FINISH_THREADS_ = 256,
  CONVK_CUDA_TOTAL_THREADS_ = 256 /* so many that each may have 32 numbers on their way */
};

/* Blocks of a launch that fill a large device several times: with more, axes are not cut, since each cut reads inputs twice. */
#ifndef CONVK_CUDA_ENOUGH_BLOCKS_
#define CONVK_CUDA_ENOUGH_BLOCKS_ ((size_t)2048)
#endif

/* Kernels come with taps_ = 16 known to the compiler, and with taps_ = 0 for any number up to CONVK_FILTER_MAX_TAPS. */
#define CONVK_CUDA_ROOM_(taps_) ((taps_) ? (taps_) : (int)CONVK_FILTER_MAX_TAPS)
#define CONVK_CUDA_TILE_(taps_) ((taps_) ? 128 : 64) /* outputs along x of one tile, within 48 KB */

/* Tiles of y, then x: their width, their rows, and threads for their columns and those of the halo. */
#define CONVK_CUDA_XY_WIDTH_(taps_, wide_) ((wide_) ? 256 : CONVK_CUDA_TILE_(taps_))
#define CONVK_CUDA_XY_ROWS_(wide_) ((wide_) ? 16 : 32)
#define CONVK_CUDA_XY_THREADS_(wide_) ((wide_) ? 288 : 160)
/* Blocks of a multiprocessor, at least: as many as find registers without spilling any. */
#define CONVK_CUDA_XY_BLOCKS_(real_, wide_) (((wide_) ? 2 : 4) + (sizeof(real_) == 4 ? 1 : CONVK_CUDA_ARCH_ >= 1200 ? -1 : 0))

/* Taps travel in the arguments of a kernel: constant memory, read as operands, and no copy to wait for. */
template <class real_> struct convk_cuda_taps_ { real_ value[CONVK_FILTER_MAX_TAPS]; };

/* Where point i of an axis that goes on beyond its ends lies in the array, or CONVK_NONE_ for a zero. */
CONVK_CUDA_INLINE_ size_t convk_cuda_source_(const convk_axis_device_ &axis, ptrdiff_t i) {
  return (size_t)convk_cuda_axis_source_(i, (ptrdiff_t)axis.n, axis.periodic);
}

/* The arrays of an epilogue, but for sums; what is done with them is in `actions`.  NULL: not there. */
template <class real_> struct convk_cuda_epilogue_ {
  const real_ *potential;
  real_ *density;
};

/* The result times the potential, its square being in the density. */
template <class Args, class real_> CONVK_CUDA_INLINE_ real_ convk_cuda_weigh_(const Args &args, size_t at, real_ v) {
  const convk_cuda_epilogue_<real_> &e = args.epilogue;
  if (e.density) e.density[at] = convk_cuda_fma_(args.factor, convk_cuda_mul_(v, v), e.density[at]);
  return e.potential ? convk_cuda_mul_(e.potential[at], v) : v;
}

template <class Args, class real_> CONVK_CUDA_INLINE_ void convk_cuda_store_(const Args &args, real_ *out, size_t at, real_ w) {
  if (args.actions & CONVK_FILTERS_UPDATE_) w = convk_cuda_fma_(args.a, w, convk_cuda_mul_(args.b, out[at]));
  if (out) out[at] = w;
}

/* sum[g] = sum over k of taps[k] load(g + k) for one group of outputs; every input is loaded once. */
template <int taps_, int group_, class real_, class Load>
CONVK_CUDA_INLINE_ void convk_cuda_group_(const real_ *taps, int ntaps, Load load, real_ *sum) {
  const int count = taps_ ? taps_ : ntaps;
  real_ x[group_];
  CONVK_CUDA_EACH_(g, group_) {
    x[g] = load(g);
    sum[g] = convk_cuda_mul_(taps[0], x[g]);
  }
  CONVK_CUDA_UNROLL_
  for (int k = 1; k < count; k++) {
    CONVK_CUDA_UNROLL_
    for (int g = 0; g + 1 < group_; g++) x[g] = x[g + 1];
    x[group_ - 1] = load(group_ - 1 + k);
    CONVK_CUDA_EACH_(g, group_) sum[g] = convk_cuda_fma_(taps[k], x[g], sum[g]);
  }
}

/* Points of an axis from i on, one after another, which lie `stride` elements apart: what there is beyond the ends included. */
template <class real_> struct convk_cuda_any_points_ {
  const real_ *line;
  size_t stride, n;
  ptrdiff_t at;
  int periodic;
  __device__ __forceinline__ convk_cuda_any_points_(const convk_axis_device_ &axis, const real_ *from, size_t step, ptrdiff_t i)
      : line(from), stride(step), n(axis.n), at(i), periodic(axis.periodic) {
    if (periodic) at = (ptrdiff_t)convk_cuda_source_(axis, i);
  }
  __device__ __forceinline__ real_ operator()(int) {
    const real_ v = (size_t)at < n ? line[(size_t)at * stride] : (real_)0;
    if ((size_t)++at == n && periodic) at = 0;
    return v;
  }
};

/* The same where all of them are inside: steps of an address. */
template <class real_> struct convk_cuda_inner_points_ {
  const real_ *at;
  size_t stride;
  __device__ __forceinline__ convk_cuda_inner_points_(const real_ *line, size_t step, ptrdiff_t i)
      : at(line + (size_t)i * step), stride(step) {}
  __device__ __forceinline__ real_ operator()(int) {
    const real_ v = *at;
    at += stride;
    return v;
  }
};

template <int count_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_points_of_(const convk_axis_device_ &axis, const real_ *line, size_t stride, ptrdiff_t i,
                                              real_ *x) {
  if (i >= 0 && i + count_ <= (ptrdiff_t)axis.n) {
    convk_cuda_inner_points_<real_> load(line, stride, i);
    CONVK_CUDA_EACH_(g, count_) x[g] = load(g);
  } else {
    convk_cuda_any_points_<real_> load(axis, line, stride, i);
    CONVK_CUDA_EACH_(g, count_) x[g] = load(g);
  }
}

/* The next group_ results along an axis, the first of which begins with point i.  With taps_, the last taps_ - 1 points of the
   results before it are in the window, where each point comes once. */
template <int taps_, int group_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_next_(const convk_axis_device_ &axis, const real_ *taps, const real_ *line, size_t stride,
                                         ptrdiff_t i, real_ *window, real_ *sum) {
  const int more = taps_ ? taps_ - 1 : 1, ntaps = (int)axis.ntaps;
  if (taps_) {
    convk_cuda_points_of_<group_>(axis, line, stride, i + more, window + more);
    CONVK_CUDA_EACH_(g, group_) {
      sum[g] = convk_cuda_mul_(taps[0], window[g]);
      CONVK_CUDA_UNROLL_
      for (int k = 1; k <= more; k++) sum[g] = convk_cuda_fma_(taps[k], window[g + k], sum[g]);
    }
    CONVK_CUDA_EACH_(k, more) window[k] = window[k + group_];
  } else if (i >= 0 && i + group_ - 1 + ntaps <= (ptrdiff_t)axis.n) {
    convk_cuda_group_<taps_, group_>(taps, ntaps, convk_cuda_inner_points_<real_>(line, stride, i), sum);
  } else {
    convk_cuda_group_<taps_, group_>(taps, ntaps, convk_cuda_any_points_<real_>(axis, line, stride, i), sum);
  }
}

/* f(g) for g below `left` and count_: whole groups, which are most, without a look at each. */
template <int count_, class function_> CONVK_CUDA_INLINE_ void convk_cuda_first_(ptrdiff_t left, function_ f) {
  if (left >= count_) {
    CONVK_CUDA_EACH_(g, count_) f(g);
  } else {
    CONVK_CUDA_EACH_(g, count_)
      if (g < left) f(g);
  }
}

/* ---- y, then x ---- */

template <class real_> struct convk_cuda_xy_args_ : convk_filters_arguments_<real_> {
  const real_ *in;
  real_ *mid; /* x.m y.m z.n, packed */
  convk_cuda_taps_<real_> taps_x, taps_y;
};

/* A block goes down a strip of one plane, tile by tile.  Threads march down the columns of the tile and its halo into shared
   memory, and keep their windows for the next tile; then a warp convolves 32 columns of eight rows in a round, a lane eight
   outputs side by side.  Rows have an odd pitch, so the lanes of a half warp (eight rows, two groups) meet 16 different pairs
   of banks.  Results go back into the tile, in order to leave by whole lines, when nobody needs the points there any more: in a
   wide tile all warps do the same rows, and wait for each other; else each has its own rows, and goes from left to right. */
template <class real_, int taps_, int wide_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_XY_THREADS_(wide_), CONVK_CUDA_XY_BLOCKS_(real_, wide_))
    convk_cuda_xy_(const convk_cuda_xy_args_<real_> a) {
  const int tile_x = CONVK_CUDA_XY_WIDTH_(taps_, wide_), max_rows = CONVK_CUDA_XY_ROWS_(wide_);
  const int pitch = tile_x + CONVK_CUDA_ROOM_(taps_) - 1, group = CONVK_CUDA_GROUP_, more = taps_ ? taps_ - 1 : 1;
  const int rounds = wide_ ? max_rows / 8 : tile_x / 32;
  __shared__ real_ tile[max_rows * pitch];
  const int ntx = taps_ ? taps_ : (int)a.x.ntaps, thread = (int)threadIdx.x, lane = thread % 32, warp = thread / 32;
  const size_t plane = a.tiles_x * a.strips, tasks = plane * a.z.n;
  for (size_t t = blockIdx.x; t < tasks; t += gridDim.x) {
    const size_t z = convk_cuda_divide_(t, plane), in_plane = t - z * plane, strip = convk_cuda_divide_(in_plane, a.tiles_x);
    const size_t begin = strip * a.strip, end = a.y.m - begin < a.strip ? a.y.m : begin + a.strip;
    const size_t x0 = (in_plane - strip * a.tiles_x) * (size_t)tile_x;
    const int width = convk_cuda_least_(a.x.m - x0, tile_x), busy = thread < pitch; /* beyond the last column: zeros */
    const size_t column = thread < width + ntx - 1 ? convk_cuda_source_(a.x, (ptrdiff_t)x0 + thread + a.x.shift) : CONVK_NONE_;
    const real_ *line = a.in + z * a.in_z + (column == CONVK_NONE_ ? 0 : column);
    real_ window[more + CONVK_CUDA_GROUP_];
    if (taps_ && column != CONVK_NONE_) convk_cuda_points_of_<more>(a.y, line, a.in_y, (ptrdiff_t)begin + a.y.shift, window);
    for (size_t y = begin; y < end; y += (size_t)max_rows) {
      const int rows = convk_cuda_least_(end - y, max_rows);
      if (busy) {
        CONVK_CUDA_UNROLL_BY_(1)
        for (int r = 0; r < rows; r += group) {
          real_ sum[CONVK_CUDA_GROUP_];
          if (column != CONVK_NONE_) {
            convk_cuda_next_<taps_, CONVK_CUDA_GROUP_>(a.y, a.taps_y.value, line, a.in_y, (ptrdiff_t)y + r + a.y.shift, window,
                                                       sum);
          } else {
            CONVK_CUDA_EACH_(g, group) sum[g] = 0;
          }
          CONVK_CUDA_EACH_(g, group) tile[(r + g) * pitch + thread] = sum[g];
        }
      }
      __syncthreads();
      CONVK_CUDA_UNROLL_BY_(1)
      for (int round = 0; round < rounds; round++) {
        const int r0 = 8 * (wide_ ? round : warp), c0 = 32 * (wide_ ? warp : round), mine = r0 < rows && c0 < width;
        real_ *own = tile + (r0 + lane % 8) * pitch + c0 + lane / 8 * group;
        real_ sum[CONVK_CUDA_GROUP_];
        if (mine)
          convk_cuda_group_<taps_, CONVK_CUDA_GROUP_>(
              a.taps_x.value, ntx, [&](int k) { return own[k]; }, sum);
        if (wide_) __syncthreads();
        else CONVK_CUDA_WARP_SYNC_();
        if (!mine) continue; /* a whole warp, which meets the others at the next barrier */
        CONVK_CUDA_EACH_(g, group) own[g] = sum[g];
        CONVK_CUDA_WARP_SYNC_();
        real_ *to = a.mid + (z * a.y.m + y + (size_t)r0) * a.x.m + x0 + (size_t)(c0 + lane);
        convk_cuda_first_<8>(c0 + lane < width ? rows - r0 : 0, [&](int k) {
          *to = tile[(r0 + k) * pitch + c0 + lane];
          to += a.x.m;
        });
      }
      __syncthreads();
    }
  }
}

/* ---- z, and the epilogue ---- */

template <class real_> struct convk_cuda_z_args_ : convk_filters_arguments_<real_> {
  const real_ *mid;
  real_ *out; /* NULL: not wanted */
  convk_cuda_taps_<real_> taps;
  convk_cuda_epilogue_<real_> epilogue;
};

/* A thread takes a column of one chunk of z; columns are counted through rows, so that short rows leave no thread idle.
   The epilogue is here when it asks for no sums, and its arrays lie as the output does. */
template <class real_, int taps_, int epilogue_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_Z_THREADS_, epilogue_ || sizeof(real_) == 8 ? 2 : 3)
    convk_cuda_z_(const convk_cuda_z_args_<real_> a) {
  const int group = epilogue_ ? 4 : CONVK_CUDA_GROUP_, more = taps_ ? taps_ - 1 : 1;
  const size_t tasks = a.blocks * a.chunks;
  for (size_t t = blockIdx.x; t < tasks; t += gridDim.x) {
    const size_t chunk = convk_cuda_divide_(t, a.blocks), begin = chunk * a.chunk;
    const size_t end = a.z.m - begin < a.chunk ? a.z.m : begin + a.chunk;
    const size_t column = (t - chunk * a.blocks) * CONVK_CUDA_Z_THREADS_ + threadIdx.x;
    if (column >= a.columns) continue;
    const size_t y = convk_cuda_divide_(column, a.x.m);
    const real_ *line = a.mid + column;
    size_t at = begin * a.out_z + y * a.out_y + (column - y * a.x.m);
    real_ window[more + group];
    if (taps_) convk_cuda_points_of_<more>(a.z, line, a.columns, (ptrdiff_t)begin + a.z.shift, window);
    CONVK_CUDA_UNROLL_BY_(1)
    for (size_t z = begin; z < end; z += (size_t)group) {
      real_ sum[group];
      convk_cuda_next_<taps_, group>(a.z, a.taps.value, line, a.columns, (ptrdiff_t)z + a.z.shift, window, sum);
      convk_cuda_first_<group>((ptrdiff_t)(end - z), [&](int g) {
        if (epilogue_) convk_cuda_store_(a, a.out, at, convk_cuda_weigh_(a, at, sum[g]));
        else a.out[at] = sum[g];
        at += a.out_z;
      });
    }
  }
}

/* ---- an epilogue with sums, or whose arrays lie otherwise than the output ---- */

template <class real_> struct convk_cuda_finish_args_ : convk_filters_arguments_<real_> {
  const real_ *result; /* of z; may be `out` */
  const real_ *in;
  real_ *out;
  size_t result_y, result_z;
  convk_cuda_epilogue_<real_> epilogue;
  double *dot, *energy; /* one sum per row, z fastest, or NULL */
};

/* 16 threads take a row, one for each of the interleaved lanes in which the processors sum, and join their sums by the same
   tree.  laid_: potential and density have pitches of their own. */
template <int laid_, class real_> CONVK_CUDA_INLINE_ void convk_cuda_finish_rows_(const convk_cuda_finish_args_<real_> &a) {
  const size_t rows = a.y.m * a.z.m, block = CONVK_CUDA_FINISH_THREADS_ / 16, blocks = (rows + block - 1) / block;
  for (size_t t = blockIdx.x; t < blocks; t += gridDim.x) {
    const size_t row = t * block + threadIdx.x / 16, z = convk_cuda_divide_(row, a.y.m), y = row - z * a.y.m;
    double dot = 0, energy = 0;
    for (size_t i = row < rows ? threadIdx.x % 16 : a.x.m; i < a.x.m; i += 16) {
      const size_t at = z * a.out_z + y * a.out_y + i, laid = laid_ ? z * a.laid_z + y * a.laid_y + i : at;
      const real_ v = a.result[z * a.result_z + y * a.result_y + i];
      const real_ w = convk_cuda_weigh_(a, laid, v);
      if (a.dot) dot = convk_cuda_fma_((double)a.in[z * a.in_z + y * a.in_y + i], (double)v, dot);
      if (a.energy) energy = convk_cuda_fma_((double)v, (double)w, energy);
      convk_cuda_store_(a, a.out, at, w);
    }
    for (unsigned h = 8; h; h /= 2) {
      dot = convk_cuda_add_(dot, CONVK_CUDA_SHUFFLE_DOWN_(dot, h, 16));
      energy = convk_cuda_add_(energy, CONVK_CUDA_SHUFFLE_DOWN_(energy, h, 16));
    }
    if (row < rows && threadIdx.x % 16 == 0) {
      if (a.dot) a.dot[y * a.z.m + z] = dot;
      if (a.energy) a.energy[y * a.z.m + z] = energy;
    }
  }
}

template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_FINISH_THREADS_)
    convk_cuda_finish_(const convk_cuda_finish_args_<real_> a) {
  convk_cuda_finish_rows_<0>(a);
}
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_FINISH_THREADS_)
    convk_cuda_finish_laid_(const convk_cuda_finish_args_<real_> a) {
  convk_cuda_finish_rows_<1>(a);
}

/* One sum per row, room for one per plane, and where the total goes; rows NULL: not wanted. */
struct convk_cuda_sum_ {
  double *rows, *planes, *total;
};

struct convk_cuda_total_args_ {
  convk_cuda_sum_ dot, energy;
  size_t ny, nz, first, planes; /* the sum is that of planes first .. first + planes - 1 */
  int more;                     /* and of what it was before */
};

/* Rows of a plane, then planes, each in sequence.  One block for each sum. */
template <class Args> /* a template, so that units that do not start it hold no copy */
static __global__ void __launch_bounds__(CONVK_CUDA_TOTAL_THREADS_) convk_cuda_total_(const Args a) {
  for (unsigned s = blockIdx.x; s < 2; s += gridDim.x) {
    const convk_cuda_sum_ sum = s ? a.energy : a.dot;
    if (!sum.rows) continue;
    for (size_t z = threadIdx.x; z < a.nz; z += CONVK_CUDA_TOTAL_THREADS_)
      sum.planes[z] = convk_cuda_total_of_<32>(sum.rows + z, a.nz, a.ny, 0.0);
    __syncthreads();
    if (threadIdx.x == 0) *sum.total = convk_cuda_total_of_<32>(sum.planes + a.first, 1, a.planes, a.more ? *sum.total : 0.0);
  }
}

/* ---- one axis, transposed ---- */

template <class real_> struct convk_cuda_turn_args_ : convk_filters_arguments_<real_> {
  const real_ *in;
  real_ *out;
  convk_cuda_taps_<real_> taps;
};

/* A tile of 32 input rows comes into shared memory along the rows, and is read across them: the lanes of a warp take one
   row each, at an odd pitch, and write side by side. */
template <class real_, int taps_>
static __global__ void __launch_bounds__(CONVK_CUDA_TURN_THREADS_) convk_cuda_turn_(const convk_cuda_turn_args_<real_> a) {
  const int length = CONVK_CUDA_TILE_(taps_), pitch = length + CONVK_CUDA_ROOM_(taps_) - 1, group = CONVK_CUDA_GROUP_;
  const int warps = CONVK_CUDA_TURN_THREADS_ / 32;
  __shared__ real_ tile[CONVK_CUDA_TURN_ROWS_ * pitch];
  const int ntaps = taps_ ? taps_ : (int)a.x.ntaps, lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
  for (size_t t = blockIdx.x; t < a.tiles_x * a.strips; t += gridDim.x) {
    const size_t strip = convk_cuda_divide_(t, a.tiles_x), j0 = strip * CONVK_CUDA_TURN_ROWS_;
    const size_t i0 = (t - strip * a.tiles_x) * (size_t)length;
    const int width = convk_cuda_least_(a.x.m - i0, length), rows = convk_cuda_least_(a.y.n - j0, CONVK_CUDA_TURN_ROWS_);
    const int valid = width + ntaps - 1, read = (width + group - 1) / group * group + ntaps - 1; /* beyond it: zeros */
    for (int c = lane; c < read; c += 32) {
      const size_t from = c < valid ? convk_cuda_source_(a.x, (ptrdiff_t)i0 + c + a.x.shift) : CONVK_NONE_;
      CONVK_CUDA_UNROLL_
      for (int j = warp; j < CONVK_CUDA_TURN_ROWS_; j += warps)
        tile[j * pitch + c] = j >= rows || from == CONVK_NONE_ ? (real_)0 : a.in[(j0 + (size_t)j) * a.in_y + from];
    }
    __syncthreads();
    for (int q = warp * group; q < width; q += warps * group) {
      const real_ *own = tile + lane * pitch + q;
      real_ sum[CONVK_CUDA_GROUP_];
      convk_cuda_group_<taps_, CONVK_CUDA_GROUP_>(
          a.taps.value, ntaps, [&](int k) { return own[k]; }, sum);
      CONVK_CUDA_EACH_(g, group)
        if (lane < rows && q + g < width) a.out[(i0 + (size_t)(q + g)) * a.out_y + j0 + (size_t)lane] = sum[g];
    }
    __syncthreads();
  }
}
