/* ---- wavelets: y, then x of each plane of a level, then z ---- */

enum {
  CONVK_CUDA_WAVELETS_GROUP_ = 8,     /* pairs of outputs that a thread makes together */
  CONVK_CUDA_WAVELETS_ROWS_ = 32,     /* of a tile: 16 pairs of y */
  CONVK_CUDA_WAVELETS_THREADS_ = 160, /* for the columns of a tile and those of the halo */
  CONVK_CUDA_WAVELETS_Z_THREADS_ = 256
};

/* Blocks of a multiprocessor, at least: as many as find registers without spilling any. */
#define CONVK_CUDA_WAVELETS_BLOCKS_(real_, kind_) ((sizeof(real_) == 4 ? 4 : 3) - ((kind_) > 1))

/* Kernels for so many taps: of the first filter even_ in part 0 (see dwt_arguments.h) and odd_ in part 1, of the second more_;
   of kind 0 for any number of them. */
template <int kind_> struct convk_cuda_wavelets_kind_ {
  enum { even_ = 0, odd_ = 0, more_ = 0, room_ = CONVK_FILTER_MAX_TAPS / 2, pairs_ = 32 };
};
template <> struct convk_cuda_wavelets_kind_<1> {
  enum { even_ = 8, odd_ = 8, more_ = 0, room_ = 8, pairs_ = 64 };
};
template <> struct convk_cuda_wavelets_kind_<2> {
  enum { even_ = 16, odd_ = 15, more_ = 0, room_ = 16, pairs_ = 64 };
};
template <> struct convk_cuda_wavelets_kind_<3> {
  enum { even_ = 15, odd_ = 15, more_ = 1, room_ = 16, pairs_ = 64 };
};

template <class real_> struct convk_cuda_wavelets_args_ : convk_wavelets_arguments_<real_> {
  const real_ *in, *low_in;
  real_ *mid, *out, *low_out; /* mid: mx my planes, packed */
  real_ tap[2][2][CONVK_FILTER_MAX_TAPS / 2];
};

/* The sums of part `part` of group_ pairs: point k is that of the first pair's tap k.  count_ 0: `ntaps`, and `nmore`. */
template <int count_, int more_, int group_, int begins_, class real_, class Load>
CONVK_CUDA_INLINE_ void convk_cuda_wavelets_part_(const real_ (*taps)[CONVK_FILTER_MAX_TAPS / 2], int ntaps, int nmore,
                                                  Load load, real_ (*sum)[group_]) {
  const int count = count_ ? count_ : ntaps, more = count_ ? more_ : nmore;
  real_ x[group_];
  CONVK_CUDA_EACH_(g, group_) {
    x[g] = load(g);
    CONVK_CUDA_EACH_(f, 2)
      sum[f][g] = begins_ ? convk_cuda_mul_(taps[f][0], x[g]) : convk_cuda_fma_(taps[f][0], x[g], sum[f][g]);
  }
  CONVK_CUDA_UNROLL_
  for (int k = 1; k < count + more; k++) {
    CONVK_CUDA_UNROLL_
    for (int g = 0; g + 1 < group_; g++) x[g] = x[g + 1];
    x[group_ - 1] = load(group_ - 1 + k);
    CONVK_CUDA_EACH_(f, 2)
      if (f || k < count) {
        CONVK_CUDA_EACH_(g, group_) sum[f][g] = convk_cuda_fma_(taps[f][k], x[g], sum[f][g]);
      }
  }
}

/* The same of an axis in memory, from pair t on: element i of the part lies at line[i stride]. */
template <int count_, int more_, int group_, int begins_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_wavelets_along_(const convk_wavelets_on_device_ &axis, int part, ptrdiff_t t,
                                                   const real_ (*taps)[CONVK_FILTER_MAX_TAPS / 2], int ntaps, int nmore,
                                                   const real_ *line, size_t stride, real_ (*sum)[group_]) {
  const ptrdiff_t i = t + (ptrdiff_t)axis.from[part], reach = group_ - 1 + (count_ ? count_ + more_ : ntaps + nmore);
  convk_axis_device_ a;
  a.n = axis.n[part];
  a.periodic = axis.periodic;
  if (i >= 0 && i + reach <= (ptrdiff_t)a.n)
    convk_cuda_wavelets_part_<count_, more_, group_, begins_>(taps, ntaps, nmore,
                                                              convk_cuda_inner_points_<real_>(line, stride, i), sum);
  else
    convk_cuda_wavelets_part_<count_, more_, group_, begins_>(taps, ntaps, nmore,
                                                              convk_cuda_any_points_<real_>(a, line, stride, i), sum);
}

/* Where element 0 of the elements with parity q of an axis lies, whose points are so far apart, and how far those are. */
template <class Args>
CONVK_CUDA_INLINE_ size_t convk_cuda_wavelets_begin_(const Args &a, const convk_wavelets_on_device_ &axis, int q,
                                                     size_t pitch) {
  return q ? a.synthesis ? axis.split * pitch : pitch : 0;
}
template <class Args> CONVK_CUDA_INLINE_ size_t convk_cuda_wavelets_step_(const Args &a, size_t pitch) {
  return a.synthesis ? pitch : 2 * pitch;
}

/* The place of output 2 t + f of an axis, or CONVK_NONE_. */
template <class Args>
CONVK_CUDA_INLINE_ size_t convk_cuda_wavelets_place_(const Args &a, const convk_wavelets_on_device_ &axis, size_t t, int f) {
  const ptrdiff_t n = (ptrdiff_t)axis.fine, m = (ptrdiff_t)axis.first + 2 * (ptrdiff_t)t + f;
  if (!a.synthesis) return (f ? axis.split : 0) + t;
  if (m >= 0 && m < n) return (size_t)m;
  return axis.periodic ? (size_t)(m < 0 ? m + n : m - n) : CONVK_NONE_;
}

/* A column of both parts of y, and how far its points are apart. */
template <class real_> struct convk_cuda_wavelets_column_ {
  const real_ *line[2];
  size_t stride[2];
};

/* That at element x of those with parity qx of the rows of plane z. */
template <class real_>
CONVK_CUDA_INLINE_ convk_cuda_wavelets_column_<real_> convk_cuda_wavelets_column_of_(const convk_cuda_wavelets_args_<real_> &a,
                                                                                     size_t x, int qx, size_t z) {
  const int low = a.synthesis && a.low && !qx && z < a.z.split;
  convk_cuda_wavelets_column_<real_> column;
  CONVK_CUDA_EACH_(h, 2) {
    const int q = h ? 1 - a.y.odd : a.y.odd;
    if (low && !q) {
      column.line[h] = a.low_in + z * a.low_z + x;
      column.stride[h] = a.low_y;
    } else {
      column.line[h] = a.in + (z * a.in_z + convk_cuda_wavelets_begin_(a, a.y, q, a.in_y) +
                               convk_cuda_wavelets_begin_(a, a.x, qx, 1) + x * convk_cuda_wavelets_step_(a, 1));
      column.stride[h] = convk_cuda_wavelets_step_(a, a.in_y);
    }
  }
  return column;
}

/* x of eight rows of a tile, which a warp takes from left to right, 32 pairs in a round, a lane eight of them.  Rows have an
   odd pitch, so the lanes of a half warp (eight rows, two groups) meet 16 different pairs of banks.  rows: those from the first
   of the eight on; width: pairs of the tile, the first of which is t0; output `row` of y is the first of the rows. */
template <class real_, int kind_>
CONVK_CUDA_INLINE_ void convk_cuda_wavelets_rows_(const convk_cuda_wavelets_args_<real_> &a, real_ *tile, int rows, int width,
                                                  size_t t0, size_t row, size_t z) {
  typedef convk_cuda_wavelets_kind_<kind_> kind;
  const int part = kind::pairs_ + kind::room_ - 1, pitch = 2 * part | 1, group = CONVK_CUDA_WAVELETS_GROUP_;
  const int more = kind_ ? kind::more_ : a.more, even = kind_ ? kind::even_ : a.even, odd = kind_ ? kind::odd_ : a.odd;
  const int lane = (int)threadIdx.x % 32;
  CONVK_CUDA_UNROLL_BY_(1)
  for (int c0 = 0; c0 < kind::pairs_; c0 += 32) {
    const int mine = rows > 0 && c0 < width;
    real_ *own = tile + lane % 8 * pitch + c0 + lane / 8 * group;
    real_ sum[2][CONVK_CUDA_WAVELETS_GROUP_];
    if (mine) {
      convk_cuda_wavelets_part_<kind::even_, kind::more_, CONVK_CUDA_WAVELETS_GROUP_, 1>(
          a.tap[0], even, more, [&](int i) { return own[i]; }, sum);
      convk_cuda_wavelets_part_<kind::odd_, kind::more_, CONVK_CUDA_WAVELETS_GROUP_, 0>(
          a.tap[1], odd, more, [&](int i) { return own[part + i]; }, sum);
    }
    CONVK_CUDA_WARP_SYNC_();
    if (!mine) continue; /* a whole warp, which meets the others at the next barrier */
    CONVK_CUDA_EACH_(g, group) {
      own[g] = sum[0][g];
      own[part + g] = sum[1][g];
    }
    CONVK_CUDA_WARP_SYNC_();
    CONVK_CUDA_EACH_(h, 2) { /* 32 outputs of s and of d, or twice 32 points side by side */
      const int f = a.synthesis ? lane % 2 : h, c = c0 + (a.synthesis ? 16 * h + lane / 2 : lane);
      const size_t x = c < width ? convk_cuda_wavelets_place_(a, a.x, t0 + (size_t)c, f) : CONVK_NONE_;
      const real_ *from = tile + f * part + c;
      if (x == CONVK_NONE_) continue;
      for (int r = 0; r < 8 && r < rows; r++) {
        const size_t y = convk_cuda_wavelets_place_(a, a.y, (row + (size_t)r) / 2, r % 2);
        if (y != CONVK_NONE_) a.mid[(z * a.my + y) * a.mx + x] = from[r * pitch];
      }
    }
  }
}

/* A block goes down a strip of one plane, tile by tile.  A tile keeps the two parts of a row apart; pair t of x then reads both
   from place t on, and its outputs take place t in both, when nobody needs what was there any more.  Threads march down
   columns, then each warp has eight rows. */
template <class real_, int kind_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_WAVELETS_THREADS_, CONVK_CUDA_WAVELETS_BLOCKS_(real_, kind_))
    convk_cuda_wavelets_xy_(const convk_cuda_wavelets_args_<real_> a) {
  typedef convk_cuda_wavelets_kind_<kind_> kind;
  const int pairs_x = kind::pairs_, part = kind::pairs_ + kind::room_ - 1, pitch = 2 * part | 1;
  const int down = sizeof(real_) == 8 ? 4 : CONVK_CUDA_WAVELETS_GROUP_; /* pairs of y at once: more doubles find no registers */
  const int more = kind_ ? kind::more_ : a.more, even = kind_ ? kind::even_ : a.even, odd = kind_ ? kind::odd_ : a.odd;
  __shared__ real_ tile[CONVK_CUDA_WAVELETS_ROWS_ * pitch];
  const int thread = (int)threadIdx.x, r0 = thread / 32 * 8;
  /* neighbours in memory are neighbours among threads: of a synthesis within a part */
  const int p = a.synthesis ? thread >= part : thread % 2, k = a.synthesis ? thread - p * part : thread / 2;
  const int busy = thread < 2 * part;
  const size_t plane = a.tiles_x * a.strips, tasks = plane * a.planes;
  for (size_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    const size_t z = convk_cuda_divide_(task, plane), in_plane = task - z * plane;
    const size_t strip = convk_cuda_divide_(in_plane, a.tiles_x), t0 = (in_plane - strip * a.tiles_x) * (size_t)pairs_x;
    const size_t begin = strip * a.strip, end = a.y.pairs - begin < a.strip ? a.y.pairs : begin + a.strip;
    const int width = convk_cuda_least_(a.x.pairs - t0, pairs_x);
    convk_axis_device_ ax;
    ax.n = a.x.n[p];
    ax.periodic = a.x.periodic;
    const size_t x = busy && k < width + (p ? odd : even) + more - 1
                         ? convk_cuda_source_(ax, (ptrdiff_t)t0 + k + (ptrdiff_t)a.x.from[p])
                         : CONVK_NONE_; /* beyond the last: zeros */
    const convk_cuda_wavelets_column_<real_> column =
        convk_cuda_wavelets_column_of_(a, x == CONVK_NONE_ ? 0 : x, p ? 1 - a.x.odd : a.x.odd, z);
    for (size_t y = begin; y < end; y += CONVK_CUDA_WAVELETS_ROWS_ / 2) {
      const int rows = 2 * convk_cuda_least_(end - y, CONVK_CUDA_WAVELETS_ROWS_ / 2);
      CONVK_CUDA_UNROLL_BY_(1)
      for (int r = 0; r < (busy ? rows : 0); r += 2 * down) {
        real_ sum[2][down];
        if (x != CONVK_NONE_) {
          const ptrdiff_t t = (ptrdiff_t)y + r / 2;
          convk_cuda_wavelets_along_<kind::even_, kind::more_, down, 1>(a.y, 0, t, a.tap[0], even, more, column.line[0],
                                                                        column.stride[0], sum);
          convk_cuda_wavelets_along_<kind::odd_, kind::more_, down, 0>(a.y, 1, t, a.tap[1], odd, more, column.line[1],
                                                                       column.stride[1], sum);
        } else {
          CONVK_CUDA_EACH_(g, down) sum[0][g] = sum[1][g] = 0;
        }
        real_ *to = tile + r * pitch + p * part + k;
        CONVK_CUDA_EACH_(g, down) {
          to[2 * g * pitch] = sum[0][g];
          to[(2 * g + 1) * pitch] = sum[1][g];
        }
      }
      __syncthreads();
      convk_cuda_wavelets_rows_<real_, kind_>(a, tile + r0 * pitch, rows - r0, width, t0, 2 * y + (size_t)r0, z);
      __syncthreads();
    }
  }
}

/* A thread takes a column of one chunk of z; columns are counted through rows, so that short rows leave no thread idle. */
template <class real_, int kind_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_WAVELETS_Z_THREADS_, 2)
    convk_cuda_wavelets_z_(const convk_cuda_wavelets_args_<real_> a) {
  typedef convk_cuda_wavelets_kind_<kind_> kind;
  const int group = CONVK_CUDA_WAVELETS_GROUP_;
  const int more = kind_ ? kind::more_ : a.more, even = kind_ ? kind::even_ : a.even, odd = kind_ ? kind::odd_ : a.odd;
  const size_t tasks = a.blocks * a.chunks, step = convk_cuda_wavelets_step_(a, a.columns);
  for (size_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    const size_t chunk = convk_cuda_divide_(task, a.blocks), begin = chunk * a.chunk;
    const size_t end = a.z.pairs - begin < a.chunk ? a.z.pairs : begin + a.chunk;
    const size_t column = (task - chunk * a.blocks) * CONVK_CUDA_WAVELETS_Z_THREADS_ + threadIdx.x;
    if (column >= a.columns) continue;
    const size_t y = convk_cuda_divide_(column, a.mx), x = column - y * a.mx;
    const int low = a.low && !a.synthesis && x < a.x.split && y < a.y.split;
    const real_ *const part0 = a.mid + column + convk_cuda_wavelets_begin_(a, a.z, a.z.odd, a.columns);
    const real_ *const part1 = a.mid + column + convk_cuda_wavelets_begin_(a, a.z, 1 - a.z.odd, a.columns);
    real_ *const to = a.out + y * a.out_y + x, *const to_s = low ? a.low_out + y * a.low_y + x : to;
    const size_t pitch_s = low ? a.low_z : a.out_z; /* of s, or of what is even */
    CONVK_CUDA_UNROLL_BY_(1)
    for (size_t t = begin; t < end; t += (size_t)group) {
      real_ sum[2][CONVK_CUDA_WAVELETS_GROUP_];
      convk_cuda_wavelets_along_<kind::even_, kind::more_, CONVK_CUDA_WAVELETS_GROUP_, 1>(a.z, 0, (ptrdiff_t)t, a.tap[0], even,
                                                                                          more, part0, step, sum);
      convk_cuda_wavelets_along_<kind::odd_, kind::more_, CONVK_CUDA_WAVELETS_GROUP_, 0>(a.z, 1, (ptrdiff_t)t, a.tap[1], odd,
                                                                                         more, part1, step, sum);
      CONVK_CUDA_EACH_(g, group) {
        const size_t pair = t + (size_t)g;
        const size_t s = pair < end ? convk_cuda_wavelets_place_(a, a.z, pair, 0) : CONVK_NONE_;
        const size_t d = pair < end ? convk_cuda_wavelets_place_(a, a.z, pair, 1) : CONVK_NONE_;
        if (s != CONVK_NONE_) to_s[s * pitch_s] = sum[0][g];
        if (d != CONVK_NONE_) to[d * a.out_z] = sum[1][g];
      }
    }
  }
}

#include "wavelets/orbital_kernel.cuh"
