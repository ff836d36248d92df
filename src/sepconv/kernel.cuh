
enum {
  CONVK_CUDA_GROUP_ = 8,        /* outputs that a thread makes together */
  CONVK_CUDA_XY_ROWS_ = 32,     /* of one tile */
  CONVK_CUDA_XY_THREADS_ = 160, /* 128 columns and 15 of the halo, in whole warps */
  CONVK_CUDA_Z_THREADS_ = 256,
  CONVK_CUDA_Z_CHUNK_ = 128,  /* most outputs of one thread along z */
  CONVK_CUDA_TURN_ROWS_ = 32, /* input rows of one tile of conv1d_transpose: the lanes of a warp */
  CONVK_CUDA_TURN_THREADS_ = 256,
  CONVK_CUDA_FINISH_THREADS_ = 256,
  CONVK_CUDA_TOTAL_THREADS_ = 1024
};

/* Kernels come with TAPS = 16 known to the compiler, and with TAPS = 0 for any number up to CONVK_MAX_TAPS. */
#define CONVK_CUDA_ROOM_(TAPS) ((TAPS) ? (TAPS) : (int)CONVK_MAX_TAPS)
#define CONVK_CUDA_TILE_(TAPS) ((TAPS) ? 128 : 64) /* outputs along x of one tile, within 48 KB */

/* Taps travel in the arguments of a kernel: constant memory, read as operands, and no copy to wait for. */
template <class T> struct convk_cuda_taps_ { T value[CONVK_MAX_TAPS]; };

/* Where point i of an axis that goes on beyond its ends lies in the array, or CONVK_NONE_ for a zero. */
static __device__ __forceinline__ size_t convk_cuda_source_(const convk_axis_ &axis, ptrdiff_t i) {
  return (size_t)convk_cuda_axis_source_(i, (ptrdiff_t)axis.n, axis.boundary == CONVK_PERIODIC);
}

/* What happens to a result on its way to memory, but for sums; zero: it is stored as it is. */
template <class T> struct convk_cuda_epilogue_ {
  const T *potential;
  T *density, factor, a, b;
  int update;
};

/* The result times the potential, its square being in the density. */
template <class T> static __device__ __forceinline__ T convk_cuda_weigh_(const convk_cuda_epilogue_<T> &e, size_t at, T v) {
  if (e.density) e.density[at] = convk_cuda_fma_(e.factor, convk_cuda_mul_(v, v), e.density[at]);
  return e.potential ? convk_cuda_mul_(e.potential[at], v) : v;
}

template <class T>
static __device__ __forceinline__ void convk_cuda_store_(const convk_cuda_epilogue_<T> &e, T *out, size_t at, T w) {
  if (e.update) w = convk_cuda_fma_(e.a, w, convk_cuda_mul_(e.b, out[at]));
  if (out) out[at] = w;
}

/* sum[g] = sum over k of taps[k] load(g + k) for one group of outputs; every input is loaded once. */
template <int TAPS, int GROUP, class T, class Load>
static __device__ __forceinline__ void convk_cuda_group_(const T *taps, int ntaps, Load load, T *sum) {
  const int count = TAPS ? TAPS : ntaps;
  T x[GROUP];
  CONVK_CUDA_UNROLL_
  for (int g = 0; g < GROUP; g++) {
    x[g] = load(g);
    sum[g] = convk_cuda_mul_(taps[0], x[g]);
  }
  CONVK_CUDA_UNROLL_
  for (int k = 1; k < count; k++) {
    CONVK_CUDA_UNROLL_
    for (int g = 0; g + 1 < GROUP; g++) x[g] = x[g + 1];
    x[GROUP - 1] = load(GROUP - 1 + k);
    CONVK_CUDA_UNROLL_
    for (int g = 0; g < GROUP; g++) sum[g] = convk_cuda_fma_(taps[k], x[g], sum[g]);
  }
}

/* store(i, sum over k of taps[k] load(i + k)) for i < count, in ascending order.  Loads go on to the end of the last group.
   With TAPS the window stays in registers, and the loads of a group are under way together. */
template <int TAPS, int GROUP, class T, class Load, class Store>
static __device__ __forceinline__ void convk_cuda_march_(const T *taps, int ntaps, int count, Load load, Store store) {
  if (TAPS) {
    const int more = TAPS ? TAPS - 1 : 1;
    T x[more + GROUP];
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < more; k++) x[k] = load(k);
    for (int i = 0; i < count; i += GROUP) {
      CONVK_CUDA_UNROLL_
      for (int g = 0; g < GROUP; g++) x[more + g] = load(i + more + g);
      CONVK_CUDA_UNROLL_
      for (int g = 0; g < GROUP; g++) {
        T sum = convk_cuda_mul_(taps[0], x[g]);
        CONVK_CUDA_UNROLL_
        for (int k = 1; k <= more; k++) sum = convk_cuda_fma_(taps[k], x[g + k], sum);
        if (i + g < count) store(i + g, sum);
      }
      CONVK_CUDA_UNROLL_
      for (int k = 0; k < more; k++) x[k] = x[k + GROUP];
    }
  } else {
    for (int i = 0; i < count; i += GROUP) {
      T sum[GROUP];
      convk_cuda_group_<TAPS, GROUP>(
          taps, ntaps, [&](int k) { return load(i + k); }, sum);
      CONVK_CUDA_UNROLL_
      for (int g = 0; g < GROUP; g++)
        if (i + g < count) store(i + g, sum[g]);
    }
  }
}

/* ---- y, then x ---- */

template <class T> struct convk_cuda_xy_args_ {
  const T *in;
  T *mid; /* x.m y.m nz, packed */
  size_t pitch_y, pitch_z, nz, tiles_x, tiles_y;
  convk_axis_ x, y;
  convk_cuda_taps_<T> taps_x, taps_y;
};

/* One tile of one plane at a time.  Threads march down the columns of the tile and its halo into shared memory; then warps
   take eight rows each, a lane eight outputs side by side.  Rows have an odd pitch, so the lanes of a half warp (eight rows,
   two groups) meet 16 different pairs of banks.  Results go back into the part of the tile that is done with, in order to
   leave by whole lines. */
template <class T, int TAPS>
static __global__ void __launch_bounds__(CONVK_CUDA_XY_THREADS_, 4) convk_cuda_xy_(const convk_cuda_xy_args_<T> a) {
  const int tile_x = CONVK_CUDA_TILE_(TAPS), pitch = tile_x + CONVK_CUDA_ROOM_(TAPS) - 1, group = CONVK_CUDA_GROUP_;
  __shared__ T tile[CONVK_CUDA_XY_ROWS_ * pitch];
  __shared__ size_t offset[CONVK_CUDA_XY_ROWS_ + CONVK_CUDA_ROOM_(TAPS) - 1];
  const int ntx = TAPS ? TAPS : (int)a.x.ntaps, nty = TAPS ? TAPS : (int)a.y.ntaps;
  const int thread = (int)threadIdx.x, lane = thread % 32, warp = thread / 32;
  const size_t plane = a.tiles_x * a.tiles_y, tiles = plane * a.nz;
  for (size_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    const size_t z = convk_cuda_divide_(t, plane), in_plane = t - z * plane, tile_y = convk_cuda_divide_(in_plane, a.tiles_x);
    const size_t y0 = tile_y * CONVK_CUDA_XY_ROWS_, x0 = (in_plane - tile_y * a.tiles_x) * (size_t)tile_x;
    const int rows = convk_cuda_least_(a.y.m - y0, CONVK_CUDA_XY_ROWS_), width = convk_cuda_least_(a.x.m - x0, tile_x);
    T *mid = a.mid + (z * a.y.m + y0) * a.x.m + x0;
    for (int k = thread; k < CONVK_CUDA_XY_ROWS_ + nty - 1; k += CONVK_CUDA_XY_THREADS_) {
      const size_t from = convk_cuda_source_(a.y, (ptrdiff_t)y0 + k + a.y.shift);
      offset[k] = from == CONVK_NONE_ ? from : from * a.pitch_y;
    }
    __syncthreads();
    for (int c = thread; c < width + ntx - 1; c += CONVK_CUDA_XY_THREADS_) {
      const size_t from = convk_cuda_source_(a.x, (ptrdiff_t)x0 + c + a.x.shift);
      T *column = tile + c;
      if (from == CONVK_NONE_) {
        for (int r = 0; r < rows; r++) column[r * pitch] = 0;
      } else {
        const T *in = a.in + z * a.pitch_z + from;
        convk_cuda_march_<TAPS, CONVK_CUDA_GROUP_>(
            a.taps_y.value, nty, rows, [&](int k) { return offset[k] == CONVK_NONE_ ? (T)0 : in[offset[k]]; },
            [&](int r, T sum) { column[r * pitch] = sum; });
      }
    }
    __syncthreads();
    for (int r0 = warp * 8; r0 < rows; r0 += CONVK_CUDA_XY_THREADS_ / 32 * 8)
      for (int c0 = 0; c0 < width; c0 += 32) {
        T *own = tile + (r0 + lane % 8) * pitch + c0 + lane / 8 * group;
        T sum[CONVK_CUDA_GROUP_];
        convk_cuda_group_<TAPS, CONVK_CUDA_GROUP_>(
            a.taps_x.value, ntx, [&](int k) { return own[k]; }, sum);
        __syncwarp();
        CONVK_CUDA_UNROLL_
        for (int g = 0; g < group; g++) own[g] = sum[g];
        __syncwarp();
        CONVK_CUDA_UNROLL_
        for (int k = 0; k < 8; k++)
          if (r0 + k < rows && c0 + lane < width)
            mid[(size_t)(r0 + k) * a.x.m + (size_t)(c0 + lane)] = tile[(r0 + k) * pitch + c0 + lane];
      }
    __syncthreads();
  }
}

/* ---- z, and the epilogue ---- */

template <class T> struct convk_cuda_z_args_ {
  const T *mid;
  T *out; /* NULL: not wanted */
  size_t mx, columns, blocks, chunks, pitch_y, pitch_z;
  int chunk; /* outputs of one thread: a multiple of the group */
  convk_axis_ z;
  convk_cuda_taps_<T> taps;
  convk_cuda_epilogue_<T> epilogue;
};

/* A thread takes a column of one chunk of z; columns are counted through rows, so that short rows leave no thread idle.
   The epilogue is here when it asks for no sums. */
template <class T, int TAPS, int EPILOGUE>
static __global__ void __launch_bounds__(CONVK_CUDA_Z_THREADS_, EPILOGUE ? 2 : 3) convk_cuda_z_(const convk_cuda_z_args_<T> a) {
  __shared__ size_t offset[CONVK_CUDA_Z_CHUNK_ + CONVK_CUDA_ROOM_(TAPS) - 1];
  const int ntaps = TAPS ? TAPS : (int)a.z.ntaps, thread = (int)threadIdx.x;
  const size_t tasks = a.blocks * a.chunks;
  for (size_t t = blockIdx.x; t < tasks; t += gridDim.x) {
    const size_t chunk = convk_cuda_divide_(t, a.blocks), z0 = chunk * (size_t)a.chunk;
    const size_t column = (t - chunk * a.blocks) * CONVK_CUDA_Z_THREADS_ + threadIdx.x;
    const int count = convk_cuda_least_(a.z.m - z0, a.chunk);
    for (int k = thread; k < a.chunk + ntaps - 1; k += CONVK_CUDA_Z_THREADS_) {
      const size_t from = convk_cuda_source_(a.z, (ptrdiff_t)z0 + k + a.z.shift);
      offset[k] = from == CONVK_NONE_ ? from : from * a.columns;
    }
    __syncthreads();
    if (column < a.columns) {
      const size_t y = convk_cuda_divide_(column, a.mx), first = z0 * a.pitch_z + y * a.pitch_y + (column - y * a.mx);
      const T *mid = a.mid + column;
      convk_cuda_march_<TAPS, EPILOGUE ? 4 : CONVK_CUDA_GROUP_>(
          a.taps.value, ntaps, count, [&](int k) { return offset[k] == CONVK_NONE_ ? (T)0 : mid[offset[k]]; },
          [&](int k, T sum) {
            const size_t at = first + (size_t)k * a.pitch_z;
            if (EPILOGUE) convk_cuda_store_(a.epilogue, a.out, at, convk_cuda_weigh_(a.epilogue, at, sum));
            else a.out[at] = sum;
          });
    }
    __syncthreads();
  }
}

/* ---- an epilogue with sums ---- */

template <class T> struct convk_cuda_finish_args_ {
  const T *result; /* of z; may be `out` */
  const T *in;
  T *out;
  size_t nx, ny, nz, result_y, result_z, in_y, in_z, pitch_y, pitch_z;
  convk_cuda_epilogue_<T> epilogue;
  double *dot, *energy; /* one sum per row, z fastest, or NULL */
};

/* 16 threads take a row, one for each of the interleaved lanes in which the processors sum, and join their sums by the same
   tree. */
template <class T>
static __global__ void __launch_bounds__(CONVK_CUDA_FINISH_THREADS_) convk_cuda_finish_(const convk_cuda_finish_args_<T> a) {
  const size_t rows = a.ny * a.nz, block = CONVK_CUDA_FINISH_THREADS_ / 16, blocks = (rows + block - 1) / block;
  for (size_t t = blockIdx.x; t < blocks; t += gridDim.x) {
    const size_t row = t * block + threadIdx.x / 16, z = convk_cuda_divide_(row, a.ny), y = row - z * a.ny;
    double dot = 0, energy = 0;
    for (size_t i = row < rows ? threadIdx.x % 16 : a.nx; i < a.nx; i += 16) {
      const size_t at = z * a.pitch_z + y * a.pitch_y + i;
      const T v = a.result[z * a.result_z + y * a.result_y + i];
      const T w = convk_cuda_weigh_(a.epilogue, at, v);
      if (a.dot) dot = convk_cuda_fma_((double)a.in[z * a.in_z + y * a.in_y + i], (double)v, dot);
      if (a.energy) energy = convk_cuda_fma_((double)v, (double)w, energy);
      convk_cuda_store_(a.epilogue, a.out, at, w);
    }
    for (unsigned h = 8; h; h /= 2) {
      dot = __dadd_rn(dot, __shfl_down_sync(0xffffffffu, dot, h, 16));
      energy = __dadd_rn(energy, __shfl_down_sync(0xffffffffu, energy, h, 16));
    }
    if (row < rows && threadIdx.x % 16 == 0) {
      if (a.dot) a.dot[y * a.nz + z] = dot;
      if (a.energy) a.energy[y * a.nz + z] = energy;
    }
  }
}

/* One sum per row, room for one per plane, and where the total goes; rows NULL: not wanted. */
struct convk_cuda_sum_ {
  double *rows, *planes, *total;
};

struct convk_cuda_total_args_ {
  convk_cuda_sum_ dot, energy;
  size_t ny, nz;
};

/* Rows of a plane, then planes, each in sequence.  One block for each sum. */
template <class Args> /* a template, so that units that do not start it hold no copy */
static __global__ void __launch_bounds__(CONVK_CUDA_TOTAL_THREADS_) convk_cuda_total_(const Args a) {
  for (unsigned s = blockIdx.x; s < 2; s += gridDim.x) {
    const convk_cuda_sum_ sum = s ? a.energy : a.dot;
    if (!sum.rows) continue;
    for (size_t z = threadIdx.x; z < a.nz; z += CONVK_CUDA_TOTAL_THREADS_) {
      double plane = 0;
      for (size_t y = 0; y < a.ny; y++) plane = __dadd_rn(plane, sum.rows[y * a.nz + z]);
      sum.planes[z] = plane;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      double total = 0;
      for (size_t z = 0; z < a.nz; z++) total = __dadd_rn(total, sum.planes[z]);
      *sum.total = total;
    }
  }
}

/* ---- one axis, transposed ---- */

template <class T> struct convk_cuda_turn_args_ {
  const T *in;
  T *out;
  size_t ndat, ld_in, ld_out, tiles, strips;
  convk_axis_ axis;
  convk_cuda_taps_<T> taps;
};

/* A tile of 32 input rows comes into shared memory along the rows, and is read across them: the lanes of a warp take one
   row each, at an odd pitch, and write side by side. */
template <class T, int TAPS>
static __global__ void __launch_bounds__(CONVK_CUDA_TURN_THREADS_) convk_cuda_turn_(const convk_cuda_turn_args_<T> a) {
  const int length = CONVK_CUDA_TILE_(TAPS), pitch = length + CONVK_CUDA_ROOM_(TAPS) - 1, group = CONVK_CUDA_GROUP_;
  const int warps = CONVK_CUDA_TURN_THREADS_ / 32;
  __shared__ T tile[CONVK_CUDA_TURN_ROWS_ * pitch];
  const int ntaps = TAPS ? TAPS : (int)a.axis.ntaps, lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
  for (size_t t = blockIdx.x; t < a.tiles * a.strips; t += gridDim.x) {
    const size_t strip = convk_cuda_divide_(t, a.tiles), j0 = strip * CONVK_CUDA_TURN_ROWS_;
    const size_t i0 = (t - strip * a.tiles) * (size_t)length;
    const int width = convk_cuda_least_(a.axis.m - i0, length), rows = convk_cuda_least_(a.ndat - j0, CONVK_CUDA_TURN_ROWS_);
    for (int c = lane; c < width + ntaps - 1; c += 32) {
      const size_t from = convk_cuda_source_(a.axis, (ptrdiff_t)i0 + c + a.axis.shift);
      CONVK_CUDA_UNROLL_
      for (int j = warp; j < CONVK_CUDA_TURN_ROWS_; j += warps)
        if (j < rows) tile[j * pitch + c] = from == CONVK_NONE_ ? (T)0 : a.in[(j0 + (size_t)j) * a.ld_in + from];
    }
    __syncthreads();
    for (int q = warp * group; q < width; q += warps * group) {
      const T *own = tile + lane * pitch + q;
      T sum[CONVK_CUDA_GROUP_];
      convk_cuda_group_<TAPS, CONVK_CUDA_GROUP_>(
          a.taps.value, ntaps, [&](int k) { return own[k]; }, sum);
      CONVK_CUDA_UNROLL_
      for (int g = 0; g < group; g++)
        if (lane < rows && q + g < width) a.out[(i0 + (size_t)(q + g)) * a.ld_out + j0 + (size_t)lane] = sum[g];
    }
    __syncthreads();
  }
}
