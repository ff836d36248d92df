/* SPDX-License-Identifier: MIT
   convk_cuda.h - the kernels of convk for CUDA devices, and their host side.  convk.h has the manual of the operations.

   HOST ARRAYS: adds the hardware "cuda" (the thread's current device) and "cuda:N" (device N) to convk_open:
       #include "convk_cuda.h"                 // or: #define CONVK_CUDA, then convk.h
       convk hw;
       int status = convk_open(&hw, "cuda");   // CONVK_ERR_HW_MACHINE: no such device; hw.message says more
       if (!status) status = convk_magicfilter3d_f64(&hw, &grid, &grid, CONVK_FORWARD, periodic, NULL, in, out, NULL, 0);
       convk_close(&hw);
     Same arguments and same results as on a processor; `work` is ignored.  The call copies the arrays in, runs on the
     handle's own stream, copies back only elements that the grids describe, and waits.  Device memory is kept in the
     handle for the next call.  One thread at a time may use a handle; the thread's current device is left as it was.
     After CONVK_ERR_DEVICE or CONVK_ERR_MEMORY hw.message holds the text of the CUDA error.

   DEVICE ARRAYS: convk_cuda_<operation>_<type> work on device pointers of the current device and on a stream of the caller:
       size_t bytes = convk_cuda_magicfilter3d_work_size_f64(&grid, CONVK_FORWARD, periodic, NULL);
       cudaMalloc(&work, bytes);
       status = convk_cuda_magicfilter3d_f64(&grid, &grid, CONVK_FORWARD, periodic, NULL, in, out, work, bytes, stream);
     They start kernels on that stream and return.  They never allocate, copy, wait, choose a device or touch another
     stream; grids, filters (with their taps) and the epilogue structure are host memory that is free again on return;
     the arrays, and the sums that an epilogue asks for, are device memory.  They may be captured into a graph.
     CONVK_ERR_DEVICE: a launch failed, or an error was already pending before the call (then nothing is started);
     cudaGetLastError tells which, and clears it.  Errors inside a running kernel show in later calls of the runtime.
     stencil7 takes no work, but tuning for the device, and cannot look at the fixed points.

   COMPILING: nvcc -O3 -arch=native prog.cu   (C++11 or later; any target.)
     All arithmetic is rounded as written, whatever --fmad says; -ftz=true (part of -use_fast_math) flushes f32 denormals.

   NUMBERS: the fused class of convk.h: results have the same bits as avx2 and avx512 (compiled with -ffp-contract=off and
     without CONVK_STRICT), sums of an epilogue included.
   MEMORY TRAFFIC: sepconv3d goes through memory twice, y and x in the first kernel, z with the epilogue in the second: 4
     elements per point (32 bytes in f64, 16 in f32), and 2 where the intermediate array stays in the L2 cache.  An
     epilogue with sums makes a third pass over the result: 2 elements more, and its own operands.  conv1d_transpose: 2.
     stencil7 makes two steps in one pass (or one to four, see convk_cuda_stencil_tuning): 2 elements per point and pass,
     and what tiles read twice, which is mostly in the L2 cache. */

#ifndef CONVK_CUDA_H_
#define CONVK_CUDA_H_

#ifndef CONVK_HEADER
#define CONVK_HEADER "convk.h"
#endif
#include CONVK_HEADER

#if defined CONVK_CUDA_EMULATOR
#define CONVK_CUDA_LAUNCH_(kernel, grid, block, shared, stream, ...) \
  convk_emulated_launch(kernel, grid, block, shared, stream, __VA_ARGS__)
#define CONVK_CUDA_UNROLL_
#define CONVK_CUDA_NOINLINE_ __attribute__((noinline))
#elif defined __CUDACC__
#include <cuda_runtime.h>
#define CONVK_CUDA_LAUNCH_(kernel, grid, block, shared, stream, ...) kernel<<<grid, block, shared, stream>>>(__VA_ARGS__)
#define CONVK_CUDA_UNROLL_ _Pragma("unroll")
#define CONVK_CUDA_NOINLINE_ __noinline__
#else
#error "convk_cuda.h needs a CUDA compiler: compile this file with nvcc"
#endif

/* Blocks of one launch, where kernels loop over what there is for more. */
#ifndef CONVK_CUDA_MOST_BLOCKS_
#define CONVK_CUDA_MOST_BLOCKS_ 0x7fffffff
#endif

/* --------------------------------------------------------------------------------------------- the device of a handle -- */

enum { CONVK_CUDA_IN_, CONVK_CUDA_OUT_, CONVK_CUDA_POTENTIAL_, CONVK_CUDA_DENSITY_, CONVK_CUDA_WORK_, CONVK_CUDA_BUFFERS_ };

typedef struct convk_cuda_device_ {
  int ordinal;
  cudaStream_t stream;
  void *buffer[CONVK_CUDA_BUFFERS_]; /* kept between calls, and never made smaller */
  size_t bytes[CONVK_CUDA_BUFFERS_];
} convk_cuda_device_;

/* A call on host arrays under way; `previous` is the thread's device outside it. */
typedef struct convk_cuda_call_ {
  convk *hw;
  convk_cuda_device_ *device;
  int previous;
} convk_cuda_call_;

/* The status of an error of the runtime, with its text in the handle; the error is then no longer pending. */
CONVK_API_ int convk_cuda_status_(convk *hw, cudaError_t error) {
  if (error == cudaSuccess) return CONVK_OK;
  strncpy(hw->message, cudaGetErrorString(error), sizeof hw->message - 1);
  hw->message[sizeof hw->message - 1] = 0;
  (void)cudaGetLastError();
  return error == cudaErrorMemoryAllocation ? CONVK_ERR_MEMORY : CONVK_ERR_DEVICE;
}

/* Checks the handle; changes nothing. */
CONVK_API_ int convk_cuda_handle_(const convk *hw) {
  const int status = convk_check_handle_(hw);
  return status ? status : hw->device && !strcmp(hw->name, "cuda") ? CONVK_OK : CONVK_ERR_HANDLE;
}

/* The handle is const in the signatures that all hardware shares; its message and buffers are not part of its value. */
CONVK_API_ int convk_cuda_begin_(const convk *hw, convk_cuda_call_ *call) {
  cudaError_t error;
  call->hw = (convk *)(uintptr_t)hw;
  call->device = (convk_cuda_device_ *)hw->device;
  error = cudaGetDevice(&call->previous);
  if (error == cudaSuccess && call->previous != call->device->ordinal) error = cudaSetDevice(call->device->ordinal);
  return convk_cuda_status_(call->hw, error);
}

/* Waits for what is under way, also after a failure: the caller's arrays must not be in use when the call returns. */
CONVK_API_ int convk_cuda_end_(const convk_cuda_call_ *call, int status) {
  cudaError_t error = cudaPeekAtLastError(), wait = cudaStreamSynchronize(call->device->stream);
  if (call->previous != call->device->ordinal) {
    const cudaError_t back = cudaSetDevice(call->previous);
    if (wait == cudaSuccess) wait = back;
  }
  if (!status || status == CONVK_ERR_DEVICE) {
    const int late = convk_cuda_status_(call->hw, error != cudaSuccess ? error : wait);
    if (!status) status = late;
  }
  return status;
}

CONVK_API_ int convk_cuda_buffer_(const convk_cuda_call_ *call, int which, size_t bytes, void **pointer) {
  convk_cuda_device_ *d = call->device;
  if (d->bytes[which] < bytes) {
    cudaError_t error = cudaFree(d->buffer[which]);
    d->buffer[which] = NULL;
    d->bytes[which] = 0;
    if (error == cudaSuccess) error = cudaMalloc(&d->buffer[which], bytes);
    if (error != cudaSuccess) {
      d->buffer[which] = NULL;
      return convk_cuda_status_(call->hw, error);
    }
    d->bytes[which] = bytes;
  }
  *pointer = d->buffer[which];
  return CONVK_OK;
}

CONVK_API_ int convk_cuda_copy_(const convk_cuda_call_ *call, void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return convk_cuda_status_(call->hw, cudaMemcpyAsync(to, from, bytes, kind, call->device->stream));
}

/* `count` rows between pitches, all in bytes; a pitch beyond what the runtime takes is gone through row by row. */
CONVK_API_ int convk_cuda_copy_rows_(const convk_cuda_call_ *call, void *to, size_t to_pitch, const void *from,
                                     size_t from_pitch, size_t row, size_t count, cudaMemcpyKind kind) {
  const size_t most = 0x7fffffff;
  int status = CONVK_OK;
  size_t i;
  if (count == 1 || (to_pitch == row && from_pitch == row)) return convk_cuda_copy_(call, to, from, row * count, kind);
  if (to_pitch <= most && from_pitch <= most)
    return convk_cuda_status_(call->hw,
                              cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, row, count, kind, call->device->stream));
  for (i = 0; i < count && !status; i++)
    status = convk_cuda_copy_(call, (char *)to + i * to_pitch, (const char *)from + i * from_pitch, row, kind);
  return status;
}

/* A grid of the caller (checked, with its pitches) to or from one of the same size on the device, whose pitches `there` has;
   padding is left alone. */
CONVK_API_ int convk_cuda_copy_grid_(const convk_cuda_call_ *call, const convk_grid3 *grid, const convk_grid3 *there,
                                     size_t element, void *host, void *device, cudaMemcpyKind kind) {
  const size_t row = grid->nx * element, host_y = grid->pitch_y * element, host_z = grid->pitch_z * element;
  const size_t device_y = there->pitch_y * element, device_z = there->pitch_z * element, most = 0x7fffffff;
  const int in = kind == cudaMemcpyHostToDevice;
  int status = CONVK_OK;
  size_t z;
  if (grid->ny == 1 || (host_y == row && device_y == row)) /* planes are rows */
    return in ? convk_cuda_copy_rows_(call, device, device_z, host, host_z, row * grid->ny, grid->nz, kind)
              : convk_cuda_copy_rows_(call, host, host_z, device, device_z, row * grid->ny, grid->nz, kind);
  if (host_z % host_y == 0 && device_z % device_y == 0 && host_y <= most && device_y <= most) {
    const cudaPitchedPtr outside = make_cudaPitchedPtr(host, host_y, row, host_z / host_y);
    const cudaPitchedPtr inside = make_cudaPitchedPtr(device, device_y, row, device_z / device_y);
    cudaMemcpy3DParms p;
    memset(&p, 0, sizeof p);
    p.srcPtr = in ? outside : inside;
    p.dstPtr = in ? inside : outside;
    p.extent = make_cudaExtent(row, grid->ny, grid->nz);
    p.kind = kind;
    return convk_cuda_status_(call->hw, cudaMemcpy3DAsync(&p, call->device->stream));
  }
  for (z = 0; z < grid->nz && !status; z++) {
    char *outside = (char *)host + z * host_z, *inside = (char *)device + z * device_z;
    status = in ? convk_cuda_copy_rows_(call, inside, device_y, outside, host_y, row, grid->ny, kind)
                : convk_cuda_copy_rows_(call, outside, host_y, inside, device_y, row, grid->ny, kind);
  }
  return status;
}

CONVK_API_ convk_grid3 convk_cuda_packed_(const convk_grid3 *grid) {
  convk_grid3 packed = *grid;
  packed.pitch_y = packed.nx;
  packed.pitch_z = packed.nx * packed.ny;
  return packed;
}

/* A grid of the caller in a buffer of the device, packed; `copy`: with its contents. */
template <class T>
static int convk_cuda_bring_(const convk_cuda_call_ *call, int which, const convk_grid3 *grid, const T *host, int copy,
                             T **device) {
  const convk_grid3 packed = convk_cuda_packed_(grid);
  void *buffer = NULL;
  int status = convk_cuda_buffer_(call, which, packed.pitch_z * packed.nz * sizeof(T), &buffer);
  *device = (T *)buffer;
  if (!status && copy)
    status = convk_cuda_copy_grid_(call, grid, &packed, sizeof(T), (void *)(uintptr_t)host, buffer, cudaMemcpyHostToDevice);
  return status;
}

template <class T> static int convk_cuda_fetch_(const convk_cuda_call_ *call, const convk_grid3 *grid, T *host, T *device) {
  const convk_grid3 packed = convk_cuda_packed_(grid);
  return convk_cuda_copy_grid_(call, grid, &packed, sizeof(T), host, device, cudaMemcpyDeviceToHost);
}

/* Part of a grid of the caller to or from the same part of a packed one on the device. */
CONVK_API_ int convk_cuda_copy_box_(const convk_cuda_call_ *call, const convk_grid3 *grid, const size_t first[3],
                                    const size_t count[3], size_t element, void *host, void *device, cudaMemcpyKind kind) {
  const convk_grid3 packed = convk_cuda_packed_(grid);
  const size_t outside = first[2] * grid->pitch_z + first[1] * grid->pitch_y + first[0];
  const size_t inside = first[2] * packed.pitch_z + first[1] * packed.pitch_y + first[0];
  convk_grid3 box = *grid;
  box.nx = count[0];
  box.ny = count[1];
  box.nz = count[2];
  return convk_cuda_copy_grid_(call, &box, &packed, element, (char *)host + outside * element,
                               (char *)device + inside * element, kind);
}

CONVK_API_ size_t convk_cuda_parts_(size_t n, size_t part) { return n / part + (n % part != 0); }

/* ---------------------------------------------------------------------------------------------- words of the kernels -- */

static __device__ __forceinline__ double convk_cuda_mul_(double a, double b) { return __dmul_rn(a, b); }
static __device__ __forceinline__ float convk_cuda_mul_(float a, float b) { return __fmul_rn(a, b); }
static __device__ __forceinline__ double convk_cuda_add_(double a, double b) { return __dadd_rn(a, b); }
static __device__ __forceinline__ float convk_cuda_add_(float a, float b) { return __fadd_rn(a, b); }
static __device__ __forceinline__ double convk_cuda_fma_(double a, double b, double c) { return __fma_rn(a, b, c); }
static __device__ __forceinline__ float convk_cuda_fma_(float a, float b, float c) { return __fmaf_rn(a, b, c); }

/* Division by 32 bits, which is several times faster, where that is enough. */
static __device__ __forceinline__ size_t convk_cuda_divide_(size_t a, size_t b) {
  return (a | b) >> 32 ? a / b : (size_t)((unsigned)a / (unsigned)b);
}

static __device__ __forceinline__ int convk_cuda_least_(size_t left, int most) {
  return left < (size_t)most ? (int)left : most;
}

/* Starts a kernel on one argument.  An error that was pending before is not ours to clear, and would hide our own. */
template <class Args>
static int convk_cuda_launch_(void (*kernel)(Args), size_t blocks, int threads, cudaStream_t stream, const Args &args) {
  if (cudaPeekAtLastError() != cudaSuccess) return CONVK_ERR_DEVICE;
  CONVK_CUDA_LAUNCH_(kernel, dim3((unsigned)blocks), dim3((unsigned)threads), 0, stream, args);
  return cudaPeekAtLastError() == cudaSuccess ? CONVK_OK : CONVK_ERR_DEVICE;
}

/* The same for kernels that loop over what there is for more blocks. */
template <class Args>
static int convk_cuda_start_(void (*kernel)(Args), size_t blocks, int threads, cudaStream_t stream, const Args &args) {
  const size_t most = CONVK_CUDA_MOST_BLOCKS_;
  return convk_cuda_launch_(kernel, blocks < most ? blocks : most, threads, stream, args);
}

/* ================================================================================ room: separable convolution in 3D == */
#if CONVK_HAS_SEPCONV_

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

/* As convk_axis_source_. */
static __device__ __forceinline__ size_t convk_cuda_source_(const convk_axis_ &axis, ptrdiff_t i) {
  if (i >= 0 && (size_t)i < axis.n) return (size_t)i;
  if (axis.boundary != CONVK_PERIODIC) return CONVK_NONE_;
  i %= (ptrdiff_t)axis.n;
  return (size_t)(i < 0 ? i + (ptrdiff_t)axis.n : i);
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
  const T *potential;
  T *density, factor, a, b;
  int update;
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
            T w = sum;
            if (EPILOGUE) {
              if (a.density) a.density[at] = convk_cuda_fma_(a.factor, convk_cuda_mul_(sum, sum), a.density[at]);
              if (a.potential) w = convk_cuda_mul_(a.potential[at], sum);
              if (a.update) w = convk_cuda_fma_(a.a, w, convk_cuda_mul_(a.b, a.out[at]));
              if (!a.out) return;
            }
            a.out[at] = w;
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
  const T *potential;
  T *density, factor, a, b;
  int update;
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
      T w = v;
      if (a.density) a.density[at] = convk_cuda_fma_(a.factor, convk_cuda_mul_(v, v), a.density[at]);
      if (a.potential) w = convk_cuda_mul_(a.potential[at], v);
      if (a.dot) dot = convk_cuda_fma_((double)a.in[z * a.in_z + y * a.in_y + i], (double)v, dot);
      if (a.energy) energy = convk_cuda_fma_((double)v, (double)w, energy);
      if (a.update) w = convk_cuda_fma_(a.a, w, convk_cuda_mul_(a.b, a.out[at]));
      if (a.out) a.out[at] = w;
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

/* ------------------------------------------------------------------------------------------------------ device arrays -- */

/* What convk.h has once per precision, by type. */
template <class T> struct convk_cuda_type_;
#define CONVK_CUDA_TYPE_(T, type) \
  template <> struct convk_cuda_type_<T> { \
    typedef convk_filter_##type filter; \
    typedef convk_epilogue_##type epilogue; \
    typedef convk_sepconv_job_##type##_ sepconv_job; \
    typedef convk_transpose_job_##type##_ transpose_job; \
  }; \
  CONVK_API_ int convk_cuda_check_(const convk_grid3 *in_grid, const convk_grid3 *out_grid, const convk_filter_##type *filter, \
                                   const int *boundary, const convk_epilogue_##type *epilogue, const T *in, const T *out, \
                                   convk_sepconv_job_##type##_ *job) { \
    return convk_sepconv_check_##type##_(in_grid, out_grid, filter, boundary, epilogue, in, out, job); \
  } \
  CONVK_API_ int convk_cuda_output_grid_(const convk_grid3 *in_grid, const convk_filter_##type *filter, const int *boundary, \
                                         convk_grid3 *out_grid) { \
    return convk_sepconv3d_output_grid_##type(in_grid, filter, boundary, out_grid); \
  } \
  CONVK_API_ int convk_cuda_magicfilter_(int direction, convk_filter_##type *filter) { \
    return convk_magicfilter_axes_##type##_(direction, filter); \
  } \
  CONVK_API_ int convk_cuda_potential_check_(const convk_grid3 *grid, const convk_grid3 *potential_grid, const int *boundary, \
                                             const T *potential, const T *psi, const T *out, convk_grid3 *values, int back[3], \
                                             size_t *bytes) { \
    return convk_potential_check_##type##_(grid, potential_grid, boundary, potential, psi, out, values, back, bytes); \
  } \
  CONVK_API_ int convk_cuda_potential_clear_(const convk_grid3 *grid, const convk_grid3 *values, const T *potential, \
                                             const T *psi, const T *out, const double *energy, const void *work, \
                                             size_t work_size) { \
    return convk_potential_clear_##type##_(grid, values, potential, psi, out, energy, work, work_size); \
  } \
  CONVK_API_ int convk_cuda_axes_check_(const convk_grid3 *grid, const convk_filter_##type *filter, const int *boundary, \
                                        convk_axis_ axis[3]) { \
    return convk_axes_check_##type##_(grid, filter, boundary, axis); \
  } \
  CONVK_API_ int convk_cuda_conv1d_check_(size_t n, size_t ndat, size_t ld_in, size_t ld_out, \
                                          const convk_filter_##type *filter, int boundary, const T *in, const T *out, \
                                          convk_transpose_job_##type##_ *job) { \
    return convk_conv1d_check_##type##_(n, ndat, ld_in, ld_out, filter, boundary, in, out, NULL, 0, job); \
  }
CONVK_CUDA_TYPE_(float, f32)
CONVK_CUDA_TYPE_(double, f64)
#undef CONVK_CUDA_TYPE_

/* Parts of the work memory, in bytes from its aligned beginning. */
typedef struct convk_cuda_cut_ {
  size_t result, dot, energy, need;
} convk_cuda_cut_;

CONVK_API_ int convk_cuda_reserve_(size_t *end, size_t a, size_t b, size_t c, size_t element, size_t *at) {
  size_t bytes;
  *at = *end;
  if (convk_mul_(a, b, &bytes) || convk_mul_(bytes, c, &bytes) || convk_mul_(bytes, element, &bytes) ||
      bytes > (size_t)-1 / 8 || *end > (size_t)-1 / 2)
    return CONVK_ERR_OVERFLOW;
  *end += convk_round_up_(bytes, 256);
  return CONVK_OK;
}

/* The array between the kernels lies at the beginning; the result of z has a place of its own where the epilogue sums it
   and `out` cannot hold it. */
template <class T>
static int convk_cuda_cut_of_(const convk_axis_ axis[3], const typename convk_cuda_type_<T>::epilogue *epilogue, int has_out,
                              convk_cuda_cut_ *cut) {
  const size_t mx = axis[0].m, my = axis[1].m, mz = axis[2].m, s = sizeof(T);
  const int dot = epilogue && epilogue->dot, energy = epilogue && epilogue->energy;
  size_t mid, end = 0;
  int status = convk_cuda_reserve_(&end, mx, my, axis[2].n, s, &mid);
  if (!status)
    status = convk_cuda_reserve_(&end, mx, my, (dot || energy) && (!has_out || epilogue->update) ? mz : 0, s, &cut->result);
  if (!status) status = convk_cuda_reserve_(&end, my + 1, mz, dot ? 1 : 0, sizeof(double), &cut->dot);
  if (!status) status = convk_cuda_reserve_(&end, my + 1, mz, energy ? 1 : 0, sizeof(double), &cut->energy);
  cut->need = end + 256;
  return status;
}

template <class T>
static size_t convk_cuda_sepconv_need_(const convk_grid3 *in_grid, const typename convk_cuda_type_<T>::filter *filter,
                                       const int *boundary, const typename convk_cuda_type_<T>::epilogue *epilogue,
                                       int has_out) {
  convk_grid3 out, in;
  convk_axis_ axis[3];
  convk_cuda_cut_ cut;
  size_t span;
  if (convk_cuda_output_grid_(in_grid, filter, boundary, &out) || convk_grid_check_(in_grid, sizeof(T), &in, &span)) return 0;
  (void)convk_cuda_axes_check_(&in, filter, boundary, axis);
  return convk_cuda_cut_of_<T>(axis, epilogue, has_out, &cut) ? 0 : cut.need;
}

template <class T> static convk_cuda_taps_<T> convk_cuda_taps_of_(const T *taps, size_t count) {
  convk_cuda_taps_<T> t;
  memset(&t, 0, sizeof t);
  memcpy(t.value, taps, count * sizeof(T));
  return t;
}

/* z of what the first kernel left in `mid`, to `out`; with an epilogue of no sums, or NULL. */
template <class T>
static int convk_cuda_run_z_(const typename convk_cuda_type_<T>::sepconv_job &job, const T *mid, T *out, size_t pitch_y,
                             size_t pitch_z, const typename convk_cuda_type_<T>::epilogue *epilogue, cudaStream_t stream) {
  const size_t threads = CONVK_CUDA_Z_THREADS_, group = CONVK_CUDA_GROUP_, most = CONVK_CUDA_Z_CHUNK_;
  const size_t enough = (size_t)1 << 18; /* threads that fill a large device */
  convk_cuda_z_args_<T> a;
  size_t chunk;
  memset(&a, 0, sizeof a);
  a.mid = mid;
  a.out = out;
  a.mx = job.axis[0].m;
  a.columns = job.axis[0].m * job.axis[1].m;
  a.blocks = convk_cuda_parts_(a.columns, threads);
  a.z = job.axis[2];
  chunk = a.z.m; /* long ones read little twice, but there must be enough of them */
  if (a.columns < enough) chunk = convk_cuda_parts_(chunk, enough / a.columns);
  if (chunk < 2 * group) chunk = 2 * group;
  if (chunk > most) chunk = most;
  chunk = convk_round_up_(chunk, group);
  a.chunk = (int)chunk;
  a.chunks = convk_cuda_parts_(a.z.m, chunk);
  a.pitch_y = pitch_y;
  a.pitch_z = pitch_z;
  a.taps = convk_cuda_taps_of_<T>(job.taps[2], a.z.ntaps);
  if (epilogue) {
    a.potential = epilogue->potential;
    a.density = epilogue->density;
    a.factor = epilogue->density_factor;
    a.update = epilogue->update;
    a.a = epilogue->a;
    a.b = epilogue->b;
  }
  if (a.z.ntaps == 16)
    return convk_cuda_start_(epilogue ? convk_cuda_z_<T, 16, 1> : convk_cuda_z_<T, 16, 0>, a.blocks * a.chunks, (int)threads,
                             stream, a);
  return convk_cuda_start_(epilogue ? convk_cuda_z_<T, 0, 1> : convk_cuda_z_<T, 0, 0>, a.blocks * a.chunks, (int)threads,
                           stream, a);
}

/* The epilogue with its sums, on the result of z. */
template <class T>
static int convk_cuda_run_finish_(const typename convk_cuda_type_<T>::sepconv_job &job, const T *result, size_t result_y,
                                  size_t result_z, char *base, const convk_cuda_cut_ &cut, cudaStream_t stream) {
  const typename convk_cuda_type_<T>::epilogue &e = *job.epilogue;
  const size_t rows = job.go.ny * job.go.nz, block = CONVK_CUDA_FINISH_THREADS_ / 16;
  convk_cuda_finish_args_<T> a;
  convk_cuda_total_args_ t;
  int status;
  memset(&a, 0, sizeof a);
  memset(&t, 0, sizeof t);
  a.result = result;
  a.in = job.in;
  a.out = job.out;
  a.nx = job.go.nx;
  a.ny = t.ny = job.go.ny;
  a.nz = t.nz = job.go.nz;
  a.result_y = result_y;
  a.result_z = result_z;
  a.in_y = job.gi.pitch_y;
  a.in_z = job.gi.pitch_z;
  a.pitch_y = job.go.pitch_y;
  a.pitch_z = job.go.pitch_z;
  a.potential = e.potential;
  a.density = e.density;
  a.factor = e.density_factor;
  a.update = e.update;
  a.a = e.a;
  a.b = e.b;
  a.dot = e.dot ? (double *)(void *)(base + cut.dot) : NULL;
  a.energy = e.energy ? (double *)(void *)(base + cut.energy) : NULL;
  status = convk_cuda_start_(convk_cuda_finish_<T>, convk_cuda_parts_(rows, block), CONVK_CUDA_FINISH_THREADS_, stream, a);
  if (status) return status;
  t.dot.rows = a.dot;
  t.dot.planes = a.dot ? a.dot + rows : NULL;
  t.dot.total = e.dot;
  t.energy.rows = a.energy;
  t.energy.planes = a.energy ? a.energy + rows : NULL;
  t.energy.total = e.energy;
  return convk_cuda_start_(convk_cuda_total_<convk_cuda_total_args_>, 2, CONVK_CUDA_TOTAL_THREADS_, stream, t);
}

/* One checked call on device arrays, `base` being aligned work memory. */
template <class T>
static int convk_cuda_sepconv_run_(const typename convk_cuda_type_<T>::sepconv_job &job, const convk_cuda_cut_ &cut, char *base,
                                   cudaStream_t stream) {
  const typename convk_cuda_type_<T>::epilogue *e = job.epilogue;
  const size_t mx = job.go.nx, my = job.go.ny, threads = CONVK_CUDA_XY_THREADS_;
  const int known = job.axis[0].ntaps == 16 && job.axis[1].ntaps == 16;
  T *mid = (T *)(void *)base, *result = (T *)(void *)(base + cut.result);
  convk_cuda_xy_args_<T> a;
  int status;
  memset(&a, 0, sizeof a);
  a.in = job.in;
  a.mid = mid;
  a.pitch_y = job.gi.pitch_y;
  a.pitch_z = job.gi.pitch_z;
  a.nz = job.gi.nz;
  a.x = job.axis[0];
  a.y = job.axis[1];
  a.tiles_x = convk_cuda_parts_(mx, CONVK_CUDA_TILE_(known));
  a.tiles_y = convk_cuda_parts_(my, CONVK_CUDA_XY_ROWS_);
  a.taps_x = convk_cuda_taps_of_<T>(job.taps[0], a.x.ntaps);
  a.taps_y = convk_cuda_taps_of_<T>(job.taps[1], a.y.ntaps);
  status = convk_cuda_start_(known ? convk_cuda_xy_<T, 16> : convk_cuda_xy_<T, 0>, a.tiles_x * a.tiles_y * a.nz, (int)threads,
                             stream, a);
  if (status) return status;
  if (!e || !(e->dot || e->energy)) return convk_cuda_run_z_<T>(job, mid, job.out, job.go.pitch_y, job.go.pitch_z, e, stream);
  if (job.out && !e->update) { /* the result waits in place */
    status = convk_cuda_run_z_<T>(job, mid, job.out, job.go.pitch_y, job.go.pitch_z, NULL, stream);
    return status ? status : convk_cuda_run_finish_<T>(job, job.out, job.go.pitch_y, job.go.pitch_z, base, cut, stream);
  }
  status = convk_cuda_run_z_<T>(job, mid, result, mx, mx * my, NULL, stream);
  return status ? status : convk_cuda_run_finish_<T>(job, result, mx, mx * my, base, cut, stream);
}

CONVK_API_ int convk_cuda_work_(void *work, size_t work_size, size_t need, char **base) {
  if (!work) return CONVK_ERR_NULL;
  if (work_size < need) return CONVK_ERR_WORK;
  *base = (char *)work + (256 - (uintptr_t)work % 256) % 256;
  return CONVK_OK;
}

template <class T>
static int convk_cuda_sepconv3d_(const convk_grid3 *in_grid, const convk_grid3 *out_grid,
                                 const typename convk_cuda_type_<T>::filter *filter, const int *boundary,
                                 const typename convk_cuda_type_<T>::epilogue *epilogue, const T *in, T *out, void *work,
                                 size_t work_size, cudaStream_t stream) {
  typename convk_cuda_type_<T>::sepconv_job job;
  convk_cuda_cut_ cut;
  char *base = NULL;
  int status = convk_cuda_check_(in_grid, out_grid, filter, boundary, epilogue, in, out, &job);
  if (!status) status = convk_cuda_cut_of_<T>(job.axis, job.epilogue, out != NULL, &cut);
  if (!status) status = convk_cuda_work_(work, work_size, cut.need, &base);
  return status ? status : convk_cuda_sepconv_run_<T>(job, cut, base, stream);
}

template <class T>
static int convk_cuda_magicfilter3d_(const convk_grid3 *in_grid, const convk_grid3 *out_grid, int direction,
                                     const int *boundary, const typename convk_cuda_type_<T>::epilogue *epilogue, const T *in,
                                     T *out, void *work, size_t work_size, cudaStream_t stream) {
  typename convk_cuda_type_<T>::filter filter[3];
  const int status = convk_cuda_magicfilter_(direction, filter);
  return status ? status
                : convk_cuda_sepconv3d_<T>(in_grid, out_grid, filter, boundary, epilogue, in, out, work, work_size, stream);
}

/* Bytes of work of both filters, after the array of values. */
template <class T>
static int convk_cuda_potential_need_(const convk_grid3 *grid, const convk_grid3 *values, const int *boundary, const int *back,
                                      size_t values_bytes, const double *energy, size_t *need) {
  typename convk_cuda_type_<T>::filter filter[3];
  typename convk_cuda_type_<T>::epilogue epilogue;
  size_t there, home;
  memset(&epilogue, 0, sizeof epilogue);
  epilogue.energy = (double *)(uintptr_t)energy; /* only whether there is one counts */
  (void)convk_cuda_magicfilter_(CONVK_FORWARD, filter);
  there = convk_cuda_sepconv_need_<T>(grid, filter, boundary, &epilogue, 1);
  (void)convk_cuda_magicfilter_(CONVK_INVERSE, filter);
  home = convk_cuda_sepconv_need_<T>(values, filter, back, NULL, 1);
  if (!there || !home || values_bytes > (size_t)-1 / 4) return CONVK_ERR_OVERFLOW;
  *need = (there > home ? there : home) + convk_round_up_(values_bytes, 256) + 256;
  return CONVK_OK;
}

template <class T>
static size_t convk_cuda_potential_size_(const convk_grid3 *grid, const convk_grid3 *potential_grid, const int *boundary,
                                         int with_energy) {
  static const T any = 0;
  double energy = 0;
  convk_grid3 values;
  size_t bytes, need;
  int back[3];
  if (convk_cuda_potential_check_(grid, potential_grid, boundary, &any, &any, &any, &values, back, &bytes)) return 0;
  return convk_cuda_potential_need_<T>(grid, &values, boundary, back, bytes, with_energy ? &energy : NULL, &need) ? 0 : need;
}

template <class T>
static int convk_cuda_potential_apply_(const convk_grid3 *grid, const convk_grid3 *potential_grid, const int *boundary,
                                       const T *potential, const T *psi, T *out, double *energy, void *work, size_t work_size,
                                       cudaStream_t stream) {
  typename convk_cuda_type_<T>::epilogue epilogue;
  convk_grid3 values;
  char *base = NULL, *rest;
  size_t bytes, need;
  int back[3];
  int status = convk_cuda_potential_check_(grid, potential_grid, boundary, potential, psi, out, &values, back, &bytes);
  if (!status) status = convk_cuda_potential_clear_(grid, &values, potential, psi, out, energy, work, work_size);
  if (!status) status = convk_cuda_potential_need_<T>(grid, &values, boundary, back, bytes, energy, &need);
  if (!status) status = convk_cuda_work_(work, work_size, need, &base);
  if (status) return status;
  memset(&epilogue, 0, sizeof epilogue);
  epilogue.potential = potential;
  epilogue.energy = energy;
  bytes = convk_round_up_(bytes, 256);
  rest = base + bytes;
  status = convk_cuda_magicfilter3d_<T>(grid, &values, CONVK_FORWARD, boundary, &epilogue, psi, (T *)(void *)base, rest,
                                        need - bytes - 256, stream);
  return status ? status
                : convk_cuda_magicfilter3d_<T>(&values, grid, CONVK_INVERSE, back, NULL, (const T *)(const void *)base, out,
                                               rest, need - bytes - 256, stream);
}

template <class T>
static int convk_cuda_conv1d_transpose_(size_t n, size_t ndat, size_t ld_in, size_t ld_out,
                                        const typename convk_cuda_type_<T>::filter *filter, int boundary, const T *in, T *out,
                                        cudaStream_t stream) {
  typename convk_cuda_type_<T>::transpose_job job;
  convk_cuda_turn_args_<T> a;
  const int status = convk_cuda_conv1d_check_(n, ndat, ld_in, ld_out, filter, boundary, in, out, &job);
  if (status) return status;
  memset(&a, 0, sizeof a);
  a.in = in;
  a.out = out;
  a.ndat = ndat;
  a.ld_in = job.ld_in;
  a.ld_out = job.ld_out;
  a.axis = job.axis;
  a.tiles = convk_cuda_parts_(a.axis.m, CONVK_CUDA_TILE_(a.axis.ntaps == 16));
  a.strips = convk_cuda_parts_(ndat, CONVK_CUDA_TURN_ROWS_);
  a.taps = convk_cuda_taps_of_<T>(job.taps, a.axis.ntaps);
  return convk_cuda_start_(a.axis.ntaps == 16 ? convk_cuda_turn_<T, 16> : convk_cuda_turn_<T, 0>, a.tiles * a.strips,
                           CONVK_CUDA_TURN_THREADS_, stream, a);
}

/* Device arrays, per precision.  `in`, `out`, `potential`, `density`, `psi`, `work` and the places of dot and energy are
   device memory; all else is host memory and free again on return.  Nothing is allocated, copied or waited for, and results
   are there when `stream` has come past the call.  Shapes, layouts, aliasing and status codes are those of the function of
   the same name in convk.h; work may not be NULL (CONVK_ERR_NULL), and CONVK_ERR_DEVICE is a failed launch.

   size_t convk_cuda_sepconv3d_work_size_<type>(in_grid, filter[3], boundary[3], epilogue)
     Bytes of device memory that the call needs; 0 when the arguments are wrong.  Of the filters only the number of taps
     counts, of the epilogue which of its pointers are set (the places of sums may be any non-NULL pointer).  Without sums:
     one array of mx my in.nz elements; with sums one more of the size of the output, which is used where the epilogue
     updates or `out` is NULL.
   int convk_cuda_sepconv3d_<type>(in_grid, out_grid, filter[3], boundary[3], epilogue, in, out, work, work_size, stream)
     Two kernels, two more for sums.  In place: no.
   convk_cuda_magicfilter3d_work_size_<type>, convk_cuda_magicfilter3d_<type>(.., direction, ..)
     sepconv3d with the taps of the magic filter.
   convk_cuda_potential_apply_work_size_<type>(grid, potential_grid, boundary[3], with_energy)
   int convk_cuda_potential_apply_<type>(grid, potential_grid, boundary[3], potential, psi, out, energy, work, work_size,
                                         stream)
     out = IMF(V MF(psi)); *energy = <psi|V|psi> unless energy is NULL.  In place: yes, out may be psi.
   int convk_cuda_conv1d_transpose_<type>(n, ndat, ld_in, ld_out, filter, boundary, in, out, stream)
     One kernel; no work.  In place: no. */
#define CONVK_CUDA_FUNCTIONS_(T, type) \
  CONVK_API_ size_t convk_cuda_sepconv3d_work_size_##type(const convk_grid3 *in_grid, const convk_filter_##type filter[3], \
                                                          const int boundary[3], const convk_epilogue_##type *epilogue) { \
    return convk_cuda_sepconv_need_<T>(in_grid, filter, boundary, epilogue, 0); \
  } \
  CONVK_API_ int convk_cuda_sepconv3d_##type( \
      const convk_grid3 *in_grid, const convk_grid3 *out_grid, const convk_filter_##type filter[3], const int boundary[3], \
      const convk_epilogue_##type *epilogue, const T *in, T *out, void *work, size_t work_size, cudaStream_t stream) { \
    return convk_cuda_sepconv3d_<T>(in_grid, out_grid, filter, boundary, epilogue, in, out, work, work_size, stream); \
  } \
  CONVK_API_ size_t convk_cuda_magicfilter3d_work_size_##type(const convk_grid3 *in_grid, int direction, \
                                                              const int boundary[3], const convk_epilogue_##type *epilogue) { \
    convk_filter_##type filter[3]; \
    if (convk_cuda_magicfilter_(direction, filter)) return 0; \
    return convk_cuda_sepconv_need_<T>(in_grid, filter, boundary, epilogue, 0); \
  } \
  CONVK_API_ int convk_cuda_magicfilter3d_##type(const convk_grid3 *in_grid, const convk_grid3 *out_grid, int direction, \
                                                 const int boundary[3], const convk_epilogue_##type *epilogue, const T *in, \
                                                 T *out, void *work, size_t work_size, cudaStream_t stream) { \
    return convk_cuda_magicfilter3d_<T>(in_grid, out_grid, direction, boundary, epilogue, in, out, work, work_size, stream); \
  } \
  CONVK_API_ size_t convk_cuda_potential_apply_work_size_##type(const convk_grid3 *grid, const convk_grid3 *potential_grid, \
                                                                const int boundary[3], int with_energy) { \
    return convk_cuda_potential_size_<T>(grid, potential_grid, boundary, with_energy); \
  } \
  CONVK_API_ int convk_cuda_potential_apply_##type(const convk_grid3 *grid, const convk_grid3 *potential_grid, \
                                                   const int boundary[3], const T *potential, const T *psi, T *out, \
                                                   double *energy, void *work, size_t work_size, cudaStream_t stream) { \
    return convk_cuda_potential_apply_<T>(grid, potential_grid, boundary, potential, psi, out, energy, work, work_size, \
                                          stream); \
  } \
  CONVK_API_ int convk_cuda_conv1d_transpose_##type(size_t n, size_t ndat, size_t ld_in, size_t ld_out, \
                                                    const convk_filter_##type *filter, int boundary, const T *in, T *out, \
                                                    cudaStream_t stream) { \
    return convk_cuda_conv1d_transpose_<T>(n, ndat, ld_in, ld_out, filter, boundary, in, out, stream); \
  }
CONVK_CUDA_FUNCTIONS_(float, f32)
CONVK_CUDA_FUNCTIONS_(double, f64)
#undef CONVK_CUDA_FUNCTIONS_

/* -------------------------------------------------------------------------------------------------------- host arrays -- */

/* The buffer `work` begins with the sums. */
#define CONVK_CUDA_SUMS_ ((size_t)256)

template <class T>
static int convk_cuda_sepconv_host_(const convk *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid,
                                    const typename convk_cuda_type_<T>::filter *filter, const int *boundary,
                                    const typename convk_cuda_type_<T>::epilogue *epilogue, const T *in, T *out) {
  typename convk_cuda_type_<T>::sepconv_job job;
  typename convk_cuda_type_<T>::epilogue e;
  convk_cuda_call_ call;
  convk_cuda_cut_ cut;
  convk_grid3 gi, go;
  T *there = NULL, *back = NULL, *potential = NULL, *density = NULL;
  double sums[2] = {0, 0};
  void *work = NULL;
  int summed, status = convk_cuda_handle_(hw);
  if (!status) status = convk_cuda_check_(in_grid, out_grid, filter, boundary, epilogue, in, out, &job);
  if (!status) status = convk_cuda_cut_of_<T>(job.axis, job.epilogue, out != NULL, &cut);
  if (status) return status;
  memset(&e, 0, sizeof e);
  if (job.epilogue) e = *job.epilogue;
  summed = e.dot || e.energy;
  gi = convk_cuda_packed_(&job.gi);
  go = convk_cuda_packed_(&job.go);
  status = convk_cuda_begin_(hw, &call);
  if (status) return status;
  status = convk_cuda_buffer_(&call, CONVK_CUDA_WORK_, CONVK_CUDA_SUMS_ + cut.need, &work);
  if (!status) status = convk_cuda_bring_(&call, CONVK_CUDA_IN_, &job.gi, in, 1, &there);
  if (!status && out) status = convk_cuda_bring_(&call, CONVK_CUDA_OUT_, &job.go, out, e.update, &back);
  if (!status && e.potential) status = convk_cuda_bring_(&call, CONVK_CUDA_POTENTIAL_, &job.go, e.potential, 1, &potential);
  if (!status && e.density) status = convk_cuda_bring_(&call, CONVK_CUDA_DENSITY_, &job.go, e.density, 1, &density);
  if (!status) {
    e.potential = potential;
    e.density = density;
    if (e.dot) e.dot = (double *)work;
    if (e.energy) e.energy = (double *)work + 1;
    status = convk_cuda_sepconv3d_<T>(&gi, &go, filter, boundary, job.epilogue ? &e : NULL, there, back,
                                      (char *)work + CONVK_CUDA_SUMS_, cut.need, call.device->stream);
  }
  if (!status && summed) status = convk_cuda_copy_(&call, sums, work, sizeof sums, cudaMemcpyDeviceToHost);
  if (!status && e.density) status = convk_cuda_fetch_(&call, &job.go, job.epilogue->density, density);
  if (!status && out) status = convk_cuda_fetch_(&call, &job.go, out, back);
  status = convk_cuda_end_(&call, status);
  if (!status && e.dot) *job.epilogue->dot = sums[0];
  if (!status && e.energy) *job.epilogue->energy = sums[1];
  return status;
}

template <class T>
static int convk_cuda_potential_host_(const convk *hw, const convk_grid3 *grid, const convk_grid3 *potential_grid,
                                      const int *boundary, const T *potential, const T *psi, T *out, double *energy) {
  convk_cuda_call_ call;
  convk_grid3 values, packed_values, full, packed;
  T *there = NULL, *back = NULL, *v = NULL;
  size_t bytes, span, need = 0;
  double sum = 0;
  void *work = NULL;
  int rule[3], status = convk_cuda_handle_(hw);
  if (!status) status = convk_cuda_potential_check_(grid, potential_grid, boundary, potential, psi, out, &values, rule, &bytes);
  if (!status) status = convk_cuda_potential_clear_(grid, &values, potential, psi, out, energy, NULL, 0);
  if (!status) status = convk_grid_check_(grid, sizeof(T), &full, &span);
  if (status) return status;
  packed = convk_cuda_packed_(&full);
  packed_values = convk_cuda_packed_(&values);
  need = convk_cuda_potential_size_<T>(&packed, &packed_values, boundary, energy != NULL);
  if (!need) return CONVK_ERR_OVERFLOW;
  status = convk_cuda_begin_(hw, &call);
  if (status) return status;
  status = convk_cuda_buffer_(&call, CONVK_CUDA_WORK_, CONVK_CUDA_SUMS_ + need, &work);
  if (!status) status = convk_cuda_bring_(&call, CONVK_CUDA_IN_, &full, psi, 1, &there);
  if (!status) status = convk_cuda_bring_(&call, CONVK_CUDA_OUT_, &full, out, 0, &back);
  if (!status) status = convk_cuda_bring_(&call, CONVK_CUDA_POTENTIAL_, &values, potential, 1, &v);
  if (!status)
    status = convk_cuda_potential_apply_<T>(&packed, &packed_values, boundary, v, there, back, energy ? (double *)work : NULL,
                                            (char *)work + CONVK_CUDA_SUMS_, need, call.device->stream);
  if (!status && energy) status = convk_cuda_copy_(&call, &sum, work, sizeof sum, cudaMemcpyDeviceToHost);
  if (!status) status = convk_cuda_fetch_(&call, &full, out, back);
  status = convk_cuda_end_(&call, status);
  if (!status && energy) *energy = sum;
  return status;
}

template <class T>
static int convk_cuda_conv1d_host_(const convk *hw, size_t n, size_t ndat, size_t ld_in, size_t ld_out,
                                   const typename convk_cuda_type_<T>::filter *filter, int boundary, const T *in, T *out) {
  typename convk_cuda_type_<T>::transpose_job job;
  convk_cuda_call_ call;
  convk_grid3 gi, go;
  T *there = NULL, *back = NULL;
  int status = convk_cuda_handle_(hw);
  if (!status) status = convk_cuda_conv1d_check_(n, ndat, ld_in, ld_out, filter, boundary, in, out, &job);
  if (status) return status;
  gi.nx = n;
  gi.ny = 1;
  gi.nz = ndat;
  gi.pitch_y = gi.pitch_z = job.ld_in;
  go.nx = ndat;
  go.ny = 1;
  go.nz = job.axis.m;
  go.pitch_y = go.pitch_z = job.ld_out;
  status = convk_cuda_begin_(hw, &call);
  if (status) return status;
  status = convk_cuda_bring_(&call, CONVK_CUDA_IN_, &gi, in, 1, &there);
  if (!status) status = convk_cuda_bring_(&call, CONVK_CUDA_OUT_, &go, out, 0, &back);
  if (!status) status = convk_cuda_conv1d_transpose_<T>(n, ndat, 0, 0, filter, boundary, there, back, call.device->stream);
  if (!status) status = convk_cuda_fetch_(&call, &go, out, back);
  return convk_cuda_end_(&call, status);
}

/* Host arrays, per precision: what convk_<operation>_<type> calls on a handle of "cuda", and callable by name on such a
   handle (another gives CONVK_ERR_HANDLE, NULL gives CONVK_ERR_NULL):
     convk_sepconv3d_<type>_cuda, convk_magicfilter3d_<type>_cuda, convk_potential_apply_<type>_cuda,
     convk_conv1d_transpose_<type>_cuda
   Arguments as the functions of the same name in convk.h, with CONVK_ERR_DEVICE and CONVK_ERR_MEMORY besides; `work` and
   the thread hook are ignored.  On an error of the device, what is in the outputs is undefined. */
#define CONVK_CUDA_FUNCTIONS_(T, type) \
  CONVK_API_ int convk_sepconv3d_##type##_cuda( \
      const convk *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, const convk_filter_##type filter[3], \
      const int boundary[3], const convk_epilogue_##type *epilogue, const T *in, T *out, void *work, size_t work_size) { \
    (void)work; \
    (void)work_size; \
    return convk_cuda_sepconv_host_<T>(hw, in_grid, out_grid, filter, boundary, epilogue, in, out); \
  } \
  CONVK_API_ int convk_magicfilter3d_##type##_cuda( \
      const convk *hw, const convk_grid3 *in_grid, const convk_grid3 *out_grid, int direction, const int boundary[3], \
      const convk_epilogue_##type *epilogue, const T *in, T *out, void *work, size_t work_size) { \
    convk_filter_##type filter[3]; \
    const int status = convk_cuda_magicfilter_(direction, filter); \
    (void)work; \
    (void)work_size; \
    return status ? status : convk_cuda_sepconv_host_<T>(hw, in_grid, out_grid, filter, boundary, epilogue, in, out); \
  } \
  CONVK_API_ int convk_potential_apply_##type##_cuda( \
      const convk *hw, const convk_grid3 *grid, const convk_grid3 *potential_grid, const int boundary[3], const T *potential, \
      const T *psi, T *out, double *energy, void *work, size_t work_size) { \
    (void)work; \
    (void)work_size; \
    return convk_cuda_potential_host_<T>(hw, grid, potential_grid, boundary, potential, psi, out, energy); \
  } \
  CONVK_API_ int convk_conv1d_transpose_##type##_cuda(const convk *hw, size_t n, size_t ndat, size_t ld_in, size_t ld_out, \
                                                      const convk_filter_##type *filter, int boundary, const T *in, T *out, \
                                                      void *work, size_t work_size) { \
    (void)work; \
    (void)work_size; \
    return convk_cuda_conv1d_host_<T>(hw, n, ndat, ld_in, ld_out, filter, boundary, in, out); \
  }
CONVK_CUDA_FUNCTIONS_(float, f32)
CONVK_CUDA_FUNCTIONS_(double, f64)
#undef CONVK_CUDA_FUNCTIONS_

#endif /* CONVK_HAS_SEPCONV_ */

/* ============================================================================================== room: 7-point stencil == */
#if CONVK_HAS_STENCIL_

enum {
  CONVK_CUDA_STENCIL_ROWS_ = 4, /* points of one thread, side by side in y */
  CONVK_CUDA_STENCIL_DEPTH_ = 4 /* most steps in one pass over memory */
};

/* The tile of a block, with its halo: 16 x 16, 32 x 32 or 64 x 32 points.  In shared memory it has a row more at either end,
   which neighbours of the halo may read and nothing depends on. */
#define CONVK_CUDA_STENCIL_HEIGHT_(WIDTH) ((WIDTH) == 16 ? 16 : 32)
#define CONVK_CUDA_STENCIL_THREADS_(WIDTH) (CONVK_CUDA_STENCIL_HEIGHT_(WIDTH) / CONVK_CUDA_STENCIL_ROWS_ * (WIDTH))
#define CONVK_CUDA_STENCIL_CELLS_(WIDTH) ((CONVK_CUDA_STENCIL_HEIGHT_(WIDTH) + 2) * (WIDTH))

/* Two sets of shared planes in turn, where they fit in 48 KB: then one barrier per plane is enough. */
#define CONVK_CUDA_STENCIL_SETS_(T, WIDTH, DEPTH) \
  (CONVK_CUDA_STENCIL_CELLS_(WIDTH) * (int)sizeof(T) * 2 * (DEPTH) <= 48 * 1024 ? 2 : 1)

/* Threads of a multiprocessor: as many as the registers allow, where each point needs 2 DEPTH + 1 values. */
#define CONVK_CUDA_STENCIL_RESIDENT_(T, DEPTH) \
  (sizeof(T) == 4 ? (DEPTH) < 3 ? 1024 : 768 : (DEPTH) == 1 ? 1024 : (DEPTH) == 2 ? 768 : 512)
#define CONVK_CUDA_STENCIL_BLOCKS_(T, WIDTH, DEPTH) \
  (CONVK_CUDA_STENCIL_RESIDENT_(T, DEPTH) / CONVK_CUDA_STENCIL_THREADS_(WIDTH))

template <class T> struct convk_cuda_stencil_args_ {
  const T *in;
  T *out;
  size_t pitch_y, pitch_z;
  ptrdiff_t n[3], first[3], end[3]; /* the box first .. end - 1 is written */
  ptrdiff_t planes;                 /* of a chunk along z */
  unsigned tiles_x, layer;          /* tiles along x, and of a chunk */
  int periodic[3];
  T c[7];
};

/* Where a point of an axis is loaded from: wrapped, or the nearest that there is. */
static __device__ __forceinline__ size_t convk_cuda_place_(ptrdiff_t i, ptrdiff_t n, int periodic) {
  if (i >= 0 && i < n) return (size_t)i;
  if (!periodic) return i < 0 ? 0 : (size_t)(n - 1);
  if (n > 1000) return (size_t)(i < 0 ? i + n : i - n); /* a tile reaches less far out */
  return (unsigned)((int)i + CONVK_CUDA_STENCIL_DEPTH_ * (int)n) % (unsigned)n;
}

static __device__ __forceinline__ int convk_cuda_changes_(ptrdiff_t i, ptrdiff_t n, int periodic) {
  return periodic || (i > 0 && i < n - 1);
}

/* The next values of a thread's points, in the order of convk.h; `tile` is the first of them in the shared plane. */
template <int ISOTROPIC, int WIDTH, class T>
static __device__ __forceinline__ void convk_cuda_stencil_points_(const T *c, const T *tile, const T *below, const T *here,
                                                                  const T *above, T *value) {
  const int last = CONVK_CUDA_STENCIL_ROWS_ - 1;
  CONVK_CUDA_UNROLL_
  for (int r = 0; r <= last; r++) {
    const T xm = tile[r * WIDTH - 1], xp = tile[r * WIDTH + 1];
    const T ym = r > 0 ? here[r > 0 ? r - 1 : 0] : tile[-WIDTH];
    const T yp = r < last ? here[r < last ? r + 1 : 0] : tile[(last + 1) * WIDTH];
    T s = convk_cuda_mul_(c[0], here[r]);
    if (ISOTROPIC) {
      const T xy = convk_cuda_add_(convk_cuda_add_(xm, xp), convk_cuda_add_(ym, yp));
      s = convk_cuda_fma_(c[1], convk_cuda_add_(xy, convk_cuda_add_(below[r], above[r])), s);
    } else {
      s = convk_cuda_fma_(c[1], xm, s);
      s = convk_cuda_fma_(c[2], xp, s);
      s = convk_cuda_fma_(c[3], ym, s);
      s = convk_cuda_fma_(c[4], yp, s);
      s = convk_cuda_fma_(c[5], below[r], s);
      s = convk_cuda_fma_(c[6], above[r], s);
    }
    value[r] = s;
  }
}

/* DEPTH steps in one pass.  A block marches up through its tile; level l is the state after l steps.  When a plane of level 0
   comes in, each level is made one plane behind the one before it.  Threads keep the last two planes of every level of their
   points in registers; neighbours in x and y come from shared memory, which has the middle one of each level's three planes:
   all levels share one exchange.  A level is right one point less far out than the one before it, and the last one on the
   tile without its halo; what lies further out is computed and does not count.  Points that do not change pass from level
   to level.  The next plane is loaded during the arithmetic; threads beyond what is needed load a needed point again. */
template <class T, int WIDTH, int DEPTH, int ISOTROPIC>
static __global__ void __launch_bounds__(CONVK_CUDA_STENCIL_THREADS_(WIDTH), CONVK_CUDA_STENCIL_BLOCKS_(T, WIDTH, DEPTH))
    convk_cuda_stencil_(const convk_cuda_stencil_args_<T> a) {
  const int rows = CONVK_CUDA_STENCIL_ROWS_, height = CONVK_CUDA_STENCIL_HEIGHT_(WIDTH);
  const int cells = CONVK_CUDA_STENCIL_CELLS_(WIDTH), sets = CONVK_CUDA_STENCIL_SETS_(T, WIDTH, DEPTH);
  __shared__ T shared[sets * DEPTH * cells];
  const int x = (int)threadIdx.x % WIDTH, y = (int)threadIdx.x / WIDTH * rows;
  const unsigned chunk = blockIdx.x / a.layer, in_layer = blockIdx.x % a.layer;
  const unsigned tile_y = in_layer / a.tiles_x, tile_x = in_layer % a.tiles_x;
  const ptrdiff_t at_x = a.first[0] + (ptrdiff_t)tile_x * (WIDTH - 2 * DEPTH) - DEPTH + x;
  const ptrdiff_t at_y = a.first[1] + (ptrdiff_t)tile_y * (height - 2 * DEPTH) - DEPTH + y;
  const ptrdiff_t far_x = a.end[0] + DEPTH - 1, far_y = a.end[1] + DEPTH - 1; /* the last that are needed */
  const ptrdiff_t begin = a.first[2] + (ptrdiff_t)chunk * a.planes, left = a.end[2] - begin;
  /* Planes are counted from DEPTH before the first that is written; none is taken below a fixed end. */
  const int end = (int)(left < a.planes ? left : a.planes) + 2 * DEPTH;
  const int low = !a.periodic[2] && begin <= DEPTH ? DEPTH - (int)begin : -1; /* where the fixed ends are */
  const int high = !a.periodic[2] && a.n[2] - begin <= end ? (int)(a.n[2] - begin) + DEPTH - 1 : -1;
  const int start = low > 0 ? low : 0;
  const size_t pitch = a.pitch_z * sizeof(T);
  const size_t column = convk_cuda_place_(at_x < far_x ? at_x : far_x, a.n[0], a.periodic[0]);
  size_t line = convk_cuda_place_(at_y < far_y ? at_y : far_y, a.n[1], a.periodic[1]);
  size_t from = convk_cuda_place_(begin - DEPTH + start, a.n[2], a.periodic[2]);
  const char *in = (const char *)a.in + from * pitch;
  char *out = (char *)a.out + (size_t)begin * pitch;
  T *tile = shared + (y + 1) * WIDTH + x;
  int other = DEPTH * cells;          /* from this set of planes to the other */
  unsigned changing = 0, written = 0; /* a bit for each row */
  size_t offset[rows];
  T below[DEPTH][rows], here[DEPTH][rows], above[rows], ahead[rows];
  auto load = [&]() {
    CONVK_CUDA_UNROLL_
    for (int r = 0; r < rows; r++) ahead[r] = *(const T *)(const void *)(in + offset[r]);
  };
  CONVK_CUDA_UNROLL_
  for (int r = 0; r < rows; r++) {
    const int inside = x >= DEPTH && x < WIDTH - DEPTH && y + r >= DEPTH && y + r < height - DEPTH;
    offset[r] = (line * a.pitch_y + column) * sizeof(T);
    if (at_y + r < far_y && (a.periodic[1] || at_y + r >= 0) && ++line == (size_t)a.n[1]) line = a.periodic[1] ? 0 : line - 1;
    if (convk_cuda_changes_(at_x, a.n[0], a.periodic[0]) && convk_cuda_changes_(at_y + r, a.n[1], a.periodic[1]))
      changing |= 1u << r;
    if (inside && at_x < a.end[0] && at_y + r < a.end[1]) written |= 1u << r;
    CONVK_CUDA_UNROLL_
    for (int l = 0; l < DEPTH; l++) below[l][r] = here[l][r] = 0;
  }
  load();
  for (int k = start; k < end; k++) {
    CONVK_CUDA_UNROLL_
    for (int r = 0; r < rows; r++) {
      CONVK_CUDA_UNROLL_
      for (int l = 0; l < DEPTH; l++) tile[l * cells + r * WIDTH] = here[l][r];
      above[r] = ahead[r];
    }
    if (k + 1 < end) {
      if (++from < (size_t)a.n[2]) {
        in += pitch;
      } else if (a.periodic[2]) {
        from = 0;
        in = (const char *)a.in;
      }
    }
    load();
    __syncthreads();
    CONVK_CUDA_UNROLL_
    for (int l = 0; l < DEPTH; l++) { /* plane k - l - 1, from level l to l + 1 */
      const unsigned kept = k - l - 1 == low || k - l - 1 == high ? ~0u : ~changing;
      T value[rows];
      convk_cuda_stencil_points_<ISOTROPIC, WIDTH>(a.c, tile + l * cells, below[l], here[l], above, value);
      CONVK_CUDA_UNROLL_
      for (int r = 0; r < rows; r++) {
        if (l + 1 < DEPTH && (kept >> r & 1)) value[r] = here[l][r];
        below[l][r] = here[l][r];
        here[l][r] = above[r];
        above[r] = value[r];
      }
    }
    if (k >= 2 * DEPTH) {
      CONVK_CUDA_UNROLL_
      for (int r = 0; r < rows; r++)
        if (written >> r & 1) *(T *)(void *)(out + offset[r]) = above[r];
      out += pitch;
    }
    if (sets == 2) {
      tile += other;
      other = -other;
    } else {
      __syncthreads();
    }
  }
}

/* ------------------------------------------------------------------------------------------------------ device arrays -- */

/* How stencil7 runs on a device; 0 means: chosen by the library, as is all for NULL.  It changes speed, never a result. */
typedef struct convk_cuda_stencil_tuning {
  size_t tile;   /* points that a block takes, with its halo: 16 (x 16), 32 (x 32) or 64 (x 32) */
  size_t steps;  /* in one pass over memory, at most 4, or 2 with tile 16 and for f64 with tile 64; 1: single sweeps */
  size_t planes; /* along z that a block marches through */
} convk_cuda_stencil_tuning;

/* What convk.h has once per precision, by type. */
template <class T> struct convk_cuda_stencil_type_;
#define CONVK_CUDA_TYPE_(T, type) \
  template <> struct convk_cuda_stencil_type_<T> { \
    typedef convk_stencil7_coefficients_##type coefficients; \
    typedef convk_stencil_job_##type##_ job; \
  }; \
  CONVK_API_ int convk_cuda_stencil_check_(const convk_grid3 *grid, const convk_stencil7_coefficients_##type *c, \
                                           const int *boundary, const T *a, const T *b, convk_stencil_job_##type##_ *job) { \
    return convk_stencil_check_##type##_(grid, c, boundary, a, b, NULL, 0, job); \
  } \
  CONVK_API_ int convk_cuda_stencil_box_(const size_t *first, const size_t *count, convk_stencil_job_##type##_ *job) { \
    return convk_stencil_box_##type##_(first, count, job); \
  } \
  CONVK_API_ int convk_cuda_stencil_rims_(const convk_stencil_job_##type##_ *job, const T *a, const T *b) { \
    return convk_stencil_rims_##type##_(job, a, b); \
  }
CONVK_CUDA_TYPE_(float, f32)
CONVK_CUDA_TYPE_(double, f64)
#undef CONVK_CUDA_TYPE_

/* The kernel of a tile and a number of steps, and what it writes of a tile. */
template <class T> struct convk_cuda_stencil_kernel_ {
  void (*start)(const convk_cuda_stencil_args_<T>);
  size_t width, height, blocks; /* blocks: of one multiprocessor */
  int threads;
};

template <class T, int WIDTH, int DEPTH> static convk_cuda_stencil_kernel_<T> convk_cuda_stencil_of_(int isotropic) {
  convk_cuda_stencil_kernel_<T> k;
  k.start = isotropic ? convk_cuda_stencil_<T, WIDTH, DEPTH, 1> : convk_cuda_stencil_<T, WIDTH, DEPTH, 0>;
  k.width = WIDTH - 2 * DEPTH;
  k.height = CONVK_CUDA_STENCIL_HEIGHT_(WIDTH) - 2 * DEPTH;
  k.blocks = CONVK_CUDA_STENCIL_BLOCKS_(T, WIDTH, DEPTH);
  k.threads = CONVK_CUDA_STENCIL_THREADS_(WIDTH);
  return k;
}

/* The deepest kernels of 64 x 32 points are for f32 only: those of f64 would not fit in 48 KB. */
template <class T> static convk_cuda_stencil_kernel_<T> convk_cuda_stencil_choose_(size_t tile, size_t depth, int isotropic) {
  const int three = sizeof(T) == 4 ? 3 : 2, four = sizeof(T) == 4 ? 4 : 2;
  switch (tile * 10 + depth) { /* 161: tile 16, one step */
    case 161: return convk_cuda_stencil_of_<T, 16, 1>(isotropic);
    case 162: return convk_cuda_stencil_of_<T, 16, 2>(isotropic);
    case 321: return convk_cuda_stencil_of_<T, 32, 1>(isotropic);
    case 322: return convk_cuda_stencil_of_<T, 32, 2>(isotropic);
    case 323: return convk_cuda_stencil_of_<T, 32, 3>(isotropic);
    case 324: return convk_cuda_stencil_of_<T, 32, 4>(isotropic);
    case 641: return convk_cuda_stencil_of_<T, 64, 1>(isotropic);
    case 642: return convk_cuda_stencil_of_<T, 64, 2>(isotropic);
    case 643: return convk_cuda_stencil_of_<T, 64, three>(isotropic);
    default: return convk_cuda_stencil_of_<T, 64, four>(isotropic);
  }
}

/* The tuning with its zeros filled in, for rows of nx points that change.  Rows of a tile have 256 bytes, where there are
   points for them.  Two steps: with more, shared memory bounds the rate and not the device's, and halos take a larger part. */
CONVK_API_ int convk_cuda_stencil_tune_(const convk_cuda_stencil_tuning *tuning, size_t nx, size_t element,
                                        convk_cuda_stencil_tuning *chosen) {
  size_t most;
  memset(chosen, 0, sizeof *chosen);
  if (tuning) *chosen = *tuning;
  if (!chosen->tile) chosen->tile = element == 4 && nx > 28 ? 64 : 32;
  if (chosen->tile != 16 && chosen->tile != 32 && chosen->tile != 64) return CONVK_ERR_OPTION;
  most = chosen->tile == 16 || (chosen->tile == 64 && element == 8) ? 2 : CONVK_CUDA_STENCIL_DEPTH_;
  if (!chosen->steps) chosen->steps = 2;
  if (chosen->steps > most) chosen->steps = most;
  return CONVK_OK;
}

/* Planes of a chunk along z: enough blocks to fill the device evenly, where each also computes 2 depth planes for nobody. */
CONVK_API_ size_t convk_cuda_stencil_planes_(size_t tiles, size_t planes, size_t depth, size_t slots) {
  size_t chunks, best = planes, least = (size_t)-1;
  for (chunks = 1; chunks <= planes && chunks <= 512; chunks++) {
    const size_t each = convk_cuda_parts_(planes, chunks);
    const size_t time = convk_cuda_parts_(tiles * chunks, slots) * (each + 2 * depth);
    if (time < least) {
      least = time;
      best = each;
    }
  }
  return best;
}

/* `steps` steps on the job's box, from a to b and back, as in convk.h; one step alone may have any box. */
template <class T>
static int convk_cuda_stencil_run_(const typename convk_cuda_stencil_type_<T>::job &job,
                                   const convk_cuda_stencil_tuning &tuning, size_t steps, T *a, T *b, cudaStream_t stream) {
  const size_t n[3] = {job.grid.nx, job.grid.ny, job.grid.nz}, most = (size_t)1 << 30;
  convk_cuda_stencil_args_<T> args;
  convk_cuda_stencil_kernel_<T> kernel;
  size_t passes, p, depth = 0, tiles = 0, chunks = 0;
  int d, device = 0, processors = 0, status = CONVK_OK;
  if (!steps || !job.count[0] || !job.count[1] || !job.count[2]) return CONVK_OK;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    return CONVK_ERR_DEVICE;
  memset(&args, 0, sizeof args);
  args.pitch_y = job.grid.pitch_y;
  args.pitch_z = job.grid.pitch_z;
  for (d = 0; d < 3; d++) {
    args.n[d] = (ptrdiff_t)n[d];
    args.first[d] = (ptrdiff_t)job.first[d];
    args.end[d] = (ptrdiff_t)(job.first[d] + job.count[d]);
    args.periodic[d] = job.boundary[d] == CONVK_PERIODIC;
  }
  memcpy(args.c, &job.c, sizeof args.c); /* in the order of the sum */
  passes = convk_cuda_parts_(steps, tuning.steps);
  if ((passes ^ steps) & 1) passes++; /* an even number of steps ends in a, an odd one in b */
  for (p = 0; p < passes && !status; p++) {
    const size_t now = steps / passes + (p < steps % passes);
    if (now != depth) { /* at most twice, the greater depth first */
      size_t planes = tuning.planes;
      depth = now;
      kernel = convk_cuda_stencil_choose_<T>(tuning.tile, depth, job.isotropic);
      args.tiles_x = (unsigned)convk_cuda_parts_(job.count[0], kernel.width);
      tiles = convk_cuda_parts_(job.count[0], kernel.width) * convk_cuda_parts_(job.count[1], kernel.height);
      if (tiles > most) return CONVK_ERR_OVERFLOW; /* only before the first pass */
      if (!planes) planes = convk_cuda_stencil_planes_(tiles, job.count[2], depth, kernel.blocks * (size_t)processors);
      if (planes < convk_cuda_parts_(job.count[2], most / tiles)) planes = convk_cuda_parts_(job.count[2], most / tiles);
      if (planes > most) planes = most;
      chunks = convk_cuda_parts_(job.count[2], planes);
      args.layer = (unsigned)tiles;
      args.planes = (ptrdiff_t)planes;
    }
    args.in = p % 2 ? b : a;
    args.out = p % 2 ? a : b;
    status = convk_cuda_launch_(kernel.start, tiles * chunks, kernel.threads, stream, args);
  }
  return status;
}

template <class T>
static int convk_cuda_stencil7_(const convk_grid3 *grid, const typename convk_cuda_stencil_type_<T>::coefficients *coefficients,
                                const int *boundary, size_t steps, const convk_cuda_stencil_tuning *tuning, T *a, T *b,
                                T **result, cudaStream_t stream) {
  typename convk_cuda_stencil_type_<T>::job job;
  convk_cuda_stencil_tuning chosen;
  size_t updates;
  int status = result ? convk_cuda_stencil_check_(grid, coefficients, boundary, a, b, &job) : CONVK_ERR_NULL;
  if (!status) status = convk_mul_(grid->nx * grid->ny * grid->nz, steps, &updates);
  if (!status) status = convk_cuda_stencil_tune_(tuning, job.count[0], sizeof(T), &chosen);
  if (!status) status = convk_cuda_stencil_run_<T>(job, chosen, steps, a, b, stream);
  if (!status) *result = steps % 2 ? b : a;
  return status;
}

template <class T>
static int convk_cuda_stencil7_box_(const convk_grid3 *grid,
                                    const typename convk_cuda_stencil_type_<T>::coefficients *coefficients, const int *boundary,
                                    const size_t *first, const size_t *count, const convk_cuda_stencil_tuning *tuning,
                                    const T *a, T *b, cudaStream_t stream) {
  typename convk_cuda_stencil_type_<T>::job job;
  convk_cuda_stencil_tuning chosen;
  int status = first && count ? convk_cuda_stencil_check_(grid, coefficients, boundary, a, b, &job) : CONVK_ERR_NULL;
  if (!status) status = convk_cuda_stencil_box_(first, count, &job);
  if (!status) status = convk_cuda_stencil_tune_(tuning, job.count[0], sizeof(T), &chosen);
  return status ? status : convk_cuda_stencil_run_<T>(job, chosen, 1, (T *)(uintptr_t)a, b, stream);
}

/* Device arrays, per precision.  a and b are device memory, all else is host memory and free again on return; no work.
   Nothing is allocated, copied or waited for, and results are there when `stream` has come past the call.  Arguments, results
   and status codes are those of the function of the same name in convk.h, except that the fixed points are not looked at:
   from two steps on, the caller answers for their being the same in both arrays (there is no CONVK_ERR_RIM).
   CONVK_ERR_OPTION is a tile that there is not, CONVK_ERR_OVERFLOW also a plane of more than 2^30 tiles, and CONVK_ERR_DEVICE
   a failed launch.  `tuning` may be NULL.

   int convk_cuda_stencil7_<type>(grid, coefficients, boundary[3], steps, tuning, a, b, &result, stream)
     One kernel for each pass over memory.  The number of passes is even when `steps` is: two steps are two passes.
   int convk_cuda_stencil7_box_<type>(grid, coefficients, boundary[3], first[3], count[3], tuning, a, b, stream)
     One kernel.  In place: no, neither. */
#define CONVK_CUDA_FUNCTIONS_(T, type) \
  CONVK_API_ int convk_cuda_stencil7_##type(const convk_grid3 *grid, const convk_stencil7_coefficients_##type *coefficients, \
                                            const int boundary[3], size_t steps, const convk_cuda_stencil_tuning *tuning, T *a, \
                                            T *b, T **result, cudaStream_t stream) { \
    return convk_cuda_stencil7_<T>(grid, coefficients, boundary, steps, tuning, a, b, result, stream); \
  } \
  CONVK_API_ int convk_cuda_stencil7_box_##type( \
      const convk_grid3 *grid, const convk_stencil7_coefficients_##type *coefficients, const int boundary[3], \
      const size_t first[3], const size_t count[3], const convk_cuda_stencil_tuning *tuning, const T *a, T *b, \
      cudaStream_t stream) { \
    return convk_cuda_stencil7_box_<T>(grid, coefficients, boundary, first, count, tuning, a, b, stream); \
  }
CONVK_CUDA_FUNCTIONS_(float, f32)
CONVK_CUDA_FUNCTIONS_(double, f64)
#undef CONVK_CUDA_FUNCTIONS_

/* -------------------------------------------------------------------------------------------------------- host arrays -- */

/* A checked call: brings the box and its neighbours, takes the steps, and fetches the box. */
template <class T>
static int convk_cuda_stencil_host_(const convk *hw, const typename convk_cuda_stencil_type_<T>::job &job, size_t steps,
                                    const T *a, const T *b, T *result) {
  typename convk_cuda_stencil_type_<T>::job there = job;
  const convk_grid3 *const g = &job.grid;
  const size_t n[3] = {g->nx, g->ny, g->nz};
  convk_cuda_stencil_tuning tuning, chosen;
  convk_cuda_call_ call;
  size_t first[3], count[3];
  T *from = NULL, *to = NULL;
  int d, fixed = 0, status;
  memset(&tuning, 0, sizeof tuning);
  tuning.steps = hw->tuning.stencil_steps;
  status = convk_cuda_stencil_tune_(&tuning, job.count[0], sizeof(T), &chosen);
  if (status || !steps || !job.count[0] || !job.count[1] || !job.count[2]) return status;
  for (d = 0; d < 3; d++) {
    const size_t end = job.first[d] + job.count[d];
    const int all = !job.first[d] || end == n[d]; /* neighbours at the other end of the axis */
    first[d] = all ? 0 : job.first[d] - 1;
    count[d] = all ? n[d] : end + 1 - first[d];
    fixed |= job.boundary[d] == CONVK_FIXED;
  }
  there.grid = convk_cuda_packed_(g);
  status = convk_cuda_begin_(hw, &call);
  if (status) return status;
  status = convk_cuda_bring_(&call, CONVK_CUDA_IN_, g, a, 0, &from);
  if (!status) status = convk_cuda_bring_(&call, CONVK_CUDA_OUT_, g, b, 0, &to);
  if (!status)
    status = convk_cuda_copy_box_(&call, g, first, count, sizeof(T), (void *)(uintptr_t)a, from, cudaMemcpyHostToDevice);
  if (!status && steps > 1 && fixed) /* the fixed points, which are those of a */
    status = convk_cuda_copy_(&call, to, from, there.grid.pitch_z * n[2] * sizeof(T), cudaMemcpyDeviceToDevice);
  if (!status) status = convk_cuda_stencil_run_<T>(there, chosen, steps, from, to, call.device->stream);
  if (!status)
    status = convk_cuda_copy_box_(&call, g, job.first, job.count, sizeof(T), result, steps % 2 ? to : from,
                                  cudaMemcpyDeviceToHost);
  return convk_cuda_end_(&call, status);
}

template <class T>
static int convk_cuda_stencil7_host_(const convk *hw, const convk_grid3 *grid,
                                     const typename convk_cuda_stencil_type_<T>::coefficients *coefficients,
                                     const int *boundary, size_t steps, T *a, T *b, T **result) {
  typename convk_cuda_stencil_type_<T>::job job;
  size_t updates;
  int status = convk_cuda_handle_(hw);
  if (!status && !result) status = CONVK_ERR_NULL;
  if (!status) status = convk_cuda_stencil_check_(grid, coefficients, boundary, a, b, &job);
  if (!status) status = convk_mul_(grid->nx * grid->ny * grid->nz, steps, &updates);
  if (!status && steps > 1) status = convk_cuda_stencil_rims_(&job, a, b);
  if (!status) status = convk_cuda_stencil_host_<T>(hw, job, steps, a, b, steps % 2 ? b : a);
  if (!status) *result = steps % 2 ? b : a;
  return status;
}

template <class T>
static int convk_cuda_stencil7_box_host_(const convk *hw, const convk_grid3 *grid,
                                         const typename convk_cuda_stencil_type_<T>::coefficients *coefficients,
                                         const int *boundary, const size_t *first, const size_t *count, const T *a, T *b) {
  typename convk_cuda_stencil_type_<T>::job job;
  int status = convk_cuda_handle_(hw);
  if (!status && (!first || !count)) status = CONVK_ERR_NULL;
  if (!status) status = convk_cuda_stencil_check_(grid, coefficients, boundary, a, b, &job);
  if (!status) status = convk_cuda_stencil_box_(first, count, &job);
  return status ? status : convk_cuda_stencil_host_<T>(hw, job, 1, a, b, b);
}

/* Host arrays, per precision, as the functions of the room above: convk_stencil7_<type>_cuda, convk_stencil7_box_<type>_cuda.
   Arguments and status codes as in convk.h, CONVK_ERR_RIM too, with CONVK_ERR_DEVICE and CONVK_ERR_MEMORY besides; `work` and
   the thread hook are ignored.  Of the handle's tuning stencil_steps counts, as in convk_cuda_stencil_tuning.  stencil7 copies
   in a, and copies out the points of the result that change; stencil7_box copies in the box and its neighbours, and out the
   box.  On an error of the device, what is in the points that change is undefined. */
#define CONVK_CUDA_FUNCTIONS_(T, type) \
  CONVK_API_ int convk_stencil7_##type##_cuda(const convk *hw, const convk_grid3 *grid, \
                                              const convk_stencil7_coefficients_##type *coefficients, const int boundary[3], \
                                              size_t steps, T *a, T *b, T **result, void *work, size_t work_size) { \
    (void)work; \
    (void)work_size; \
    return convk_cuda_stencil7_host_<T>(hw, grid, coefficients, boundary, steps, a, b, result); \
  } \
  CONVK_API_ int convk_stencil7_box_##type##_cuda( \
      const convk *hw, const convk_grid3 *grid, const convk_stencil7_coefficients_##type *coefficients, const int boundary[3], \
      const size_t first[3], const size_t count[3], const T *a, T *b, void *work, size_t work_size) { \
    (void)work; \
    (void)work_size; \
    return convk_cuda_stencil7_box_host_<T>(hw, grid, coefficients, boundary, first, count, a, b); \
  }
CONVK_CUDA_FUNCTIONS_(float, f32)
CONVK_CUDA_FUNCTIONS_(double, f64)
#undef CONVK_CUDA_FUNCTIONS_

#endif /* CONVK_HAS_STENCIL_ */

/* ========================================================================================= room: vector mathematics == */
/* Functions of one element serve other families too, functions of arrays only this one. */
#if CONVK_HAS_VMATH_ || CONVK_HAS_GAUSSIAN_ || CONVK_HAS_FORMFACTOR_

/* In templates over T, the constants of convk.h that differ with the precision. */
#define CONVK_TYPE_ cuda
#define CONVK_T T
#define CONVK_EITHER_cuda_(f32, f64) (sizeof(T) == sizeof(float) ? (T)(f32) : (T)(f64))

static __device__ __forceinline__ uint32_t convk_cuda_bits_(float x) { return __float_as_uint(x); }
static __device__ __forceinline__ uint64_t convk_cuda_bits_(double x) { return (uint64_t)__double_as_longlong(x); }
static __device__ __forceinline__ float convk_cuda_real_(uint32_t bits) { return __uint_as_float(bits); }
static __device__ __forceinline__ double convk_cuda_real_(uint64_t bits) { return __longlong_as_double((long long)bits); }
static __device__ __forceinline__ float convk_cuda_divided_(float a, float b) { return __fdiv_rn(a, b); }
static __device__ __forceinline__ double convk_cuda_divided_(double a, double b) { return __ddiv_rn(a, b); }
template <class T> static __device__ __forceinline__ T convk_cuda_sub_(T a, T b) { return convk_cuda_add_(a, -b); }
/* b where one of them is NaN. */
template <class T> static __device__ __forceinline__ T convk_cuda_min_(T a, T b) { return a < b ? a : b; }
template <class T> static __device__ __forceinline__ T convk_cuda_max_(T a, T b) { return a > b ? a : b; }

/* Numbers as their bits: how many there are of the fraction, and an exponent or a sign alone. */
template <class T> struct convk_cuda_number_;
template <> struct convk_cuda_number_<float> {
  typedef uint32_t bits;
  enum { fraction = 23 };
};
template <> struct convk_cuda_number_<double> {
  typedef uint64_t bits;
  enum { fraction = 52 };
};
#define CONVK_CUDA_SIGN_ ((typename convk_cuda_number_<T>::bits)1 << (sizeof(T) * 8 - 1))

/* The sum of c[k] x^k for k < count, in the order of convk.h. */
template <int COUNT, class T> static __device__ __forceinline__ T convk_cuda_poly_(T x, T x2, const T *c) {
  T even = c[(COUNT - 1) & ~1], odd = c[(COUNT - 2) | 1];
  CONVK_CUDA_UNROLL_
  for (int k = ((COUNT - 1) & ~1) - 2; k >= 0; k -= 2) even = convk_cuda_fma_(x2, even, c[k]);
  CONVK_CUDA_UNROLL_
  for (int k = ((COUNT - 2) | 1) - 2; k >= 0; k -= 2) odd = convk_cuda_fma_(x2, odd, c[k]);
  return convk_cuda_fma_(x, odd, even);
}
template <int COUNT, class T> static __device__ __forceinline__ T convk_cuda_horner_(T x, const T *c) {
  T sum = c[COUNT - 1];
  CONVK_CUDA_UNROLL_
  for (int k = COUNT - 2; k >= 0; k--) sum = convk_cuda_fma_(x, sum, c[k]);
  return sum;
}

/* A polynomial of convk.h by its table, from coefficient `skip` on; local arrays, which unrolled loops turn into constants. */
#define CONVK_CUDA_POLY_(table, function, skip) \
  static __device__ __forceinline__ float function(float x, float x2) { \
    const float c[] = CONVK_##table##_f32_; \
    return convk_cuda_poly_<(int)(sizeof c / sizeof *c) - skip>(x, x2, c + skip); \
  } \
  static __device__ __forceinline__ double function(double x, double x2) { \
    const double c[] = CONVK_##table##_f64_; \
    return convk_cuda_poly_<(int)(sizeof c / sizeof *c) - skip>(x, x2, c + skip); \
  }
CONVK_CUDA_POLY_(EXP, convk_cuda_exp_poly_, 0)
CONVK_CUDA_POLY_(EXP, convk_cuda_expm1_poly_, 1)
CONVK_CUDA_POLY_(LOG, convk_cuda_log_poly_, 0)
CONVK_CUDA_POLY_(SIN, convk_cuda_sin_poly_, 0)
CONVK_CUDA_POLY_(COS, convk_cuda_cos_poly_, 0)
#undef CONVK_CUDA_POLY_

/* ---- functions of one element, step by step those of convk.h in the fused class ---- */

/* n and t of x, what is left in `high` before the low part of ln 2 is subtracted, and r. */
template <class T> static __device__ __forceinline__ T convk_cuda_exp_reduce_(T x, T *n, T *t, T *high) {
  *t = convk_cuda_fma_(x, CONVK_OF_(1.442695, 1.4426950408889634), CONVK_EXP_SHIFT_);
  *n = convk_cuda_sub_(*t, CONVK_EXP_SHIFT_);
  *high = convk_cuda_fma_(*n, -CONVK_LN2_HIGH_, x);
  return convk_cuda_fma_(*n, -CONVK_LN2_LOW_, *high);
}

/* v 2^n in two factors. */
template <class T> static __device__ __forceinline__ T convk_cuda_scale_(T v, T t) {
  const typename convk_cuda_number_<T>::bits all = convk_cuda_bits_(t), half = all >> 1;
  return convk_cuda_mul_(convk_cuda_mul_(v, convk_cuda_real_(half << convk_cuda_number_<T>::fraction)),
                         convk_cuda_real_((all - half) << convk_cuda_number_<T>::fraction));
}

template <class T> static __device__ __forceinline__ T convk_cuda_exp_(T x) {
  T n, t, high, r, r2, h, l;
  x = convk_cuda_max_(CONVK_OF_(-104, -746), convk_cuda_min_(CONVK_OF_(89, 710), x));
  r = convk_cuda_exp_reduce_(x, &n, &t, &high);
  r2 = convk_cuda_mul_(r, r);
  h = convk_cuda_add_((T)1, high);
  l = convk_cuda_fma_(n, -CONVK_LN2_LOW_, convk_cuda_add_(convk_cuda_sub_((T)1, h), high));
  l = convk_cuda_fma_(r2, convk_cuda_exp_poly_(r, r2), l);
  return convk_cuda_scale_(convk_cuda_add_(h, l), t);
}

template <class T> static __device__ __forceinline__ T convk_cuda_expm1_(T x) {
  const typename convk_cuda_number_<T>::bits sign = convk_cuda_bits_(x) & CONVK_CUDA_SIGN_;
  T n, t, high, r, r2, v, a, b, h, l;
  x = convk_cuda_max_(CONVK_OF_(-18, -38), convk_cuda_min_(CONVK_OF_(89, 710), x));
  r = convk_cuda_exp_reduce_(x, &n, &t, &high);
  r2 = convk_cuda_mul_(r, r);
  v = convk_cuda_real_(convk_cuda_bits_((T)-0.25) - (convk_cuda_bits_(t) << convk_cuda_number_<T>::fraction));
  v = convk_cuda_max_((T)0, v);
  a = convk_cuda_sub_((T)1, v);
  b = convk_cuda_sub_(a, (T)1);
  b = convk_cuda_sub_(convk_cuda_sub_((T)1, convk_cuda_sub_(a, b)), convk_cuda_add_(v, b));
  h = convk_cuda_add_(a, high);
  l = convk_cuda_fma_(n, -CONVK_LN2_LOW_, convk_cuda_add_(convk_cuda_add_(convk_cuda_sub_(a, h), high), b));
  l = convk_cuda_fma_(r, convk_cuda_fma_(n, -CONVK_LN2_LOW_, convk_cuda_sub_(high, r)), l);
  a = h;
  h = convk_cuda_fma_(r2, (T)0.5, a);
  l = convk_cuda_add_(l, convk_cuda_fma_(r2, (T)0.5, convk_cuda_sub_(a, h)));
  l = convk_cuda_fma_(convk_cuda_mul_(r2, r), convk_cuda_expm1_poly_(r, r2), l);
  return convk_cuda_real_(convk_cuda_bits_(convk_cuda_scale_(convk_cuda_add_(h, l), t)) | sign);
}

template <class T> static __device__ __forceinline__ T convk_cuda_log_(T x) {
  typedef typename convk_cuda_number_<T>::bits bits;
  const int fraction = convk_cuda_number_<T>::fraction;
  const bits one = (bits)1 << fraction;
  const T infinite = convk_cuda_real_(~(bits)0 >> (fraction + 1) << fraction), least = convk_cuda_real_(one);
  const T big = CONVK_OF_(8388608, 4503599627370496.);
  const T bias = x < least ? CONVK_OF_(8388608. + 126 + 25, 4503599627370496. + 1022 + 54)
                           : CONVK_OF_(8388608. + 126, 4503599627370496. + 1022);
  const bits y = convk_cuda_bits_(x < least ? convk_cuda_mul_(x, CONVK_OF_(33554432, 18014398509481984.)) : x);
  const bits e = (y - one / 2) >> fraction;
  const T k = convk_cuda_sub_(convk_cuda_real_(e | convk_cuda_bits_(big)), bias);
  const T m = convk_cuda_real_(y - (e << fraction) + convk_cuda_bits_((T)0.5));
  const T f = convk_cuda_sub_(m, (T)1), s = convk_cuda_divided_(f, convk_cuda_sub_((T)-1, m)), z = convk_cuda_mul_(s, s);
  const T half = convk_cuda_mul_((T)-0.5, f), h = convk_cuda_fma_(k, CONVK_LN2_HIGH_, f);
  T l = convk_cuda_sub_(f, convk_cuda_fma_(k, -CONVK_LN2_HIGH_, h)), g;
  l = convk_cuda_fma_(half, f, convk_cuda_fma_(k, CONVK_LN2_LOW_, l));
  g = convk_cuda_fma_(z, convk_cuda_log_poly_(z, convk_cuda_mul_(z, z)), convk_cuda_mul_(half, f));
  l = convk_cuda_add_(h, convk_cuda_fma_(s, g, l));
  if (!(x > 0)) l = x < 0 ? convk_cuda_real_(CONVK_CUDA_SIGN_ | ~(bits)0 >> (fraction) << (fraction - 1)) : -infinite;
  return x < infinite ? l : convk_cuda_add_(x, x);
}

/* x = q pi/2 + hi + lo for any finite x > 0, as convk_reduce_far_ of convk.h has it, bit for bit. */
template <class T> static __device__ CONVK_CUDA_NOINLINE_ unsigned convk_cuda_reduce_far_(double x, T *hi, T *lo) {
  const uint32_t w[40] = {
      0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
      0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,
      0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
      0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};
  const uint32_t half_pi[4] = {0xc90fdaa2u, 0x2168c234u, 0xc4c6628bu, 0x80dc1cd1u};
  const int digits = convk_cuda_number_<T>::fraction + 1;
  const uint64_t whole = (uint64_t)1 << 52, all = convk_cuda_bits_(x);
  const uint64_t m = (all & (whole - 1)) | whole;
  uint32_t part[6] = {0, 0, 0, 0, 0, 0}, product[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  uint64_t sum;
  int e = (int)(all >> 52) - 1075, flip;
  const int first = e + 62;
  unsigned q;
  for (int i = 0; i < 2; i++) {
    const uint64_t factor = i ? m >> 32 : m & 0xffffffffu;
    sum = 0;
    for (int k = 0; k + i < 6; k++) {
      const int at = first + 32 * (5 - k), word = at / 32, shift = at % 32;
      const uint32_t digit = shift ? w[word] << shift | w[word + 1] >> (32 - shift) : w[word];
      sum += factor * digit + part[k + i];
      part[k + i] = (uint32_t)sum;
      sum >>= 32;
    }
  }
  q = part[5] >> 30;
  flip = (int)(part[5] >> 29 & 1);
  part[5] &= 0x3fffffffu;
  if (flip) {
    q++;
    sum = 1;
    for (int k = 0; k < 6; k++) {
      sum += (uint32_t)~part[k];
      part[k] = (uint32_t)sum;
      sum >>= 32;
    }
    part[5] &= 0x3fffffffu;
  }
  for (e = 2; e < 128 && !(part[5] >> 31); e++)
    for (int k = 5; k >= 0; k--) part[k] = part[k] << 1 | (k ? part[k - 1] >> 31 : 0);
  for (int i = 0; i < 4; i++) {
    sum = 0;
    for (int k = 0; k < 4; k++) {
      sum += (uint64_t)part[2 + i] * half_pi[3 - k] + product[i + k];
      product[i + k] = (uint32_t)sum;
      sum >>= 32;
    }
    product[i + 4] = (uint32_t)sum;
  }
  e = 5 - e;
  for (int i = 0; i < 2; i++) { /* the next digits, and where they end */
    if (i || !(product[7] >> 31)) {
      const int places = i ? digits : 1;
      if (!i) e--;
      for (int p = 0; p < places; p++)
        for (int k = 7; k > 0; k--) product[k] = product[k] << 1 | product[k - 1] >> 31;
    }
    const uint64_t bits = ((uint64_t)product[7] << 32 | product[6]) >> (64 - digits);
    const double scale = convk_cuda_real_((uint64_t)(e - digits * (i + 1) + 1023) << 52);
    *(i ? lo : hi) = (T)((flip ? -(double)bits : (double)bits) * scale);
  }
  return q;
}

template <class T> static __device__ __forceinline__ void convk_cuda_sincos_(T x, T *sine, T *cosine) {
  typedef typename convk_cuda_number_<T>::bits bits;
  const int top = (int)sizeof(T) * 8 - 1, fraction = convk_cuda_number_<T>::fraction;
  const T a = convk_cuda_real_(convk_cuda_bits_(x) & ~CONVK_CUDA_SIGN_), shift = CONVK_OF_(12582912, 6755399441055744.);
  const T t = convk_cuda_fma_(a, CONVK_OF_(0.63661975, 0.6366197723675814), shift), n = convk_cuda_sub_(t, shift);
  /* pi / 2 in three parts of all digits, of which convk.h says more */
  const T high = convk_cuda_fma_(n, CONVK_OF_(-1.5707964f, -1.5707963267948966), a);
  const T p1 = convk_cuda_mul_(n, CONVK_OF_(-4.371139e-08f, 6.123233995736766e-17));
  bits quadrant = convk_cuda_bits_(t);
  T r = convk_cuda_sub_(high, p1), lo, z, z2, h, e, p, q;
  lo = convk_cuda_fma_(n, CONVK_OF_(4.371139e-08f, -6.123233995736766e-17), p1);
  lo = convk_cuda_add_(convk_cuda_sub_(convk_cuda_sub_(high, r), p1), lo);
  lo = convk_cuda_fma_(n, CONVK_OF_(1.7151245e-15f, 1.4973849048591698e-33), lo);
  if (a > CONVK_SINCOS_FAR_ && convk_cuda_bits_(a) >> fraction != ~(bits)0 >> (fraction + 1)) /* but finite */
    quadrant = convk_cuda_reduce_far_<T>((double)a, &r, &lo);
  z = convk_cuda_mul_(r, r);
  z2 = convk_cuda_mul_(z, z);
  h = convk_cuda_fma_(z, (T)-0.5, (T)1);
  e = convk_cuda_fma_(r, lo, convk_cuda_fma_(z, (T)0.5, convk_cuda_sub_(h, (T)1)));
  q = convk_cuda_sub_(h, convk_cuda_fma_(z2, convk_cuda_cos_poly_(z, z2), e));
  lo = convk_cuda_mul_(lo, h);
  p = convk_cuda_add_(r, convk_cuda_fma_(convk_cuda_mul_(z, r), convk_cuda_sin_poly_(z, z2), lo));
  const bits flip = quadrant << (top - 1);
  const bits s = convk_cuda_bits_(quadrant & 1 ? q : p), c = convk_cuda_bits_(quadrant & 1 ? p : q);
  *sine = convk_cuda_real_(s ^ ((flip ^ convk_cuda_bits_(x)) & CONVK_CUDA_SIGN_));
  *cosine = convk_cuda_real_(c ^ ((flip ^ (quadrant << top)) & CONVK_CUDA_SIGN_));
}

/* Memory of the caller's for a kernel to read: the same address in another type of pointer. */
template <class T> static T *convk_cuda_at_(void *base, size_t bytes) { return (T *)(void *)((char *)base + bytes); }

/* An array of the caller in part of a buffer of the device; *end counts the bytes that are used, and before there is a buffer,
   those that are needed. */
template <class T>
static int convk_cuda_bring_array_(const convk_cuda_call_ *call, void *buffer, size_t *end, const T *host, size_t n,
                                   const T **device) {
  const size_t at = *end;
  *end += convk_round_up_(n * sizeof(T), 256);
  if (!host || !n) *device = NULL;
  if (!buffer || !host || !n) return CONVK_OK;
  *device = convk_cuda_at_<T>(buffer, at);
  return convk_cuda_copy_(call, (char *)buffer + at, host, n * sizeof(T), cudaMemcpyHostToDevice);
}
#endif

#if CONVK_HAS_VMATH_

enum { CONVK_CUDA_EXP_, CONVK_CUDA_EXPM1_, CONVK_CUDA_LOG_, CONVK_CUDA_SINCOS_ };
enum { CONVK_CUDA_MAP_THREADS_ = 256, CONVK_CUDA_MAP_EACH_ = 4 }; /* elements of a thread: loaded before one is needed */

template <class T> struct convk_cuda_map_args_ {
  const T *x;
  T *y, *z; /* either may be x */
  size_t n, tiles;
};

template <class T, int FUNCTION>
static __global__ void __launch_bounds__(CONVK_CUDA_MAP_THREADS_) convk_cuda_map_(const convk_cuda_map_args_<T> a) {
  const int each = CONVK_CUDA_MAP_EACH_, threads = CONVK_CUDA_MAP_THREADS_;
  for (size_t tile = blockIdx.x; tile < a.tiles; tile += gridDim.x) {
    const size_t first = tile * (size_t)(each * threads) + threadIdx.x;
    T x[each];
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < each; k++) {
      const size_t i = first + (size_t)(k * threads);
      x[k] = i < a.n ? a.x[i] : (T)1;
    }
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < each; k++) {
      const size_t i = first + (size_t)(k * threads);
      T y, z = 0;
      if (FUNCTION == CONVK_CUDA_EXP_) y = convk_cuda_exp_(x[k]);
      else if (FUNCTION == CONVK_CUDA_EXPM1_) y = convk_cuda_expm1_(x[k]);
      else if (FUNCTION == CONVK_CUDA_LOG_) y = convk_cuda_log_(x[k]);
      else convk_cuda_sincos_(x[k], &y, &z);
      if (i >= a.n) continue;
      a.y[i] = y;
      if (FUNCTION == CONVK_CUDA_SINCOS_) a.z[i] = z;
    }
  }
}

/* The checks of the processors, with nothing to do after them. */
template <class T> static void convk_cuda_no_map_(const T *, T *, T *, size_t) {}
CONVK_API_ int convk_cuda_map_check_(size_t n, const float *x, float *y, float *z, int results) {
  return convk_map_cpu_f32_(convk_cuda_no_map_<float>, NULL, n, x, y, z, results);
}
CONVK_API_ int convk_cuda_map_check_(size_t n, const double *x, double *y, double *z, int results) {
  return convk_map_cpu_f64_(convk_cuda_no_map_<double>, NULL, n, x, y, z, results);
}

template <class T, int FUNCTION>
static int convk_cuda_map_run_(size_t n, const T *x, T *y, T *z, cudaStream_t stream) {
  convk_cuda_map_args_<T> a;
  if (!n) return CONVK_OK;
  a.x = x;
  a.y = y;
  a.z = z;
  a.n = n;
  a.tiles = convk_cuda_parts_(n, CONVK_CUDA_MAP_EACH_ * CONVK_CUDA_MAP_THREADS_);
  return convk_cuda_start_(convk_cuda_map_<T, FUNCTION>, a.tiles, CONVK_CUDA_MAP_THREADS_, stream, a);
}

template <class T, int FUNCTION>
static int convk_cuda_map_device_(size_t n, const T *x, T *y, T *z, cudaStream_t stream) {
  const int status = convk_cuda_map_check_(n, x, y, z, FUNCTION == CONVK_CUDA_SINCOS_ ? 2 : 1);
  return status ? status : convk_cuda_map_run_<T, FUNCTION>(n, x, y, z, stream);
}

template <class T, int FUNCTION> static int convk_cuda_map_host_(const convk *hw, size_t n, const T *x, T *y, T *z) {
  const int two = FUNCTION == CONVK_CUDA_SINCOS_;
  const size_t bytes = n * sizeof(T);
  convk_cuda_call_ call;
  void *in = NULL, *out = NULL;
  int status = convk_cuda_handle_(hw);
  if (!status) status = convk_cuda_map_check_(n, x, y, z, two ? 2 : 1);
  if (status || !n) return status;
  status = convk_cuda_begin_(hw, &call);
  if (status) return status;
  status = convk_cuda_buffer_(&call, CONVK_CUDA_IN_, bytes, &in);
  if (!status && two) status = convk_cuda_buffer_(&call, CONVK_CUDA_OUT_, bytes, &out);
  if (!status) status = convk_cuda_copy_(&call, in, x, bytes, cudaMemcpyHostToDevice);
  if (!status) status = convk_cuda_map_run_<T, FUNCTION>(n, (const T *)in, (T *)in, (T *)out, call.device->stream);
  if (!status) status = convk_cuda_copy_(&call, y, in, bytes, cudaMemcpyDeviceToHost);
  if (!status && two) status = convk_cuda_copy_(&call, z, out, bytes, cudaMemcpyDeviceToHost);
  return convk_cuda_end_(&call, status);
}

/* Per precision.  Device arrays: x, y, s, c are device memory, in place or apart as in convk.h; nothing is allocated, copied or
   waited for, and results are there when `stream` has come past the call.
   int convk_cuda_exp_<type>(n, x, y, stream), and so convk_cuda_expm1_<type>, convk_cuda_log_<type>
   int convk_cuda_sincos_<type>(n, x, s, c, stream)
     One kernel; no work.  Errors: NULL, OVERFLOW, OVERLAP, DEVICE.
   Host arrays: convk_exp_<type>_cuda(hw, n, x, y) and the others as in convk.h, with CONVK_ERR_DEVICE and CONVK_ERR_MEMORY
   besides; an array goes to the device and back as a whole.  Bits are those of the fused class.
   Traffic: 2 elements each, 3 for sincos: exp in f32 has a bound by memory, sincos in f64 one by arithmetic. */
#define CONVK_CUDA_FUNCTION_(name, FUNCTION, T, type) \
  CONVK_API_ int convk_cuda_##name##_##type(size_t n, const T *x, T *y, cudaStream_t stream) { \
    return convk_cuda_map_device_<T, FUNCTION>(n, x, y, NULL, stream); \
  } \
  CONVK_API_ int convk_##name##_##type##_cuda(const convk *hw, size_t n, const T *x, T *y) { \
    return convk_cuda_map_host_<T, FUNCTION>(hw, n, x, y, NULL); \
  }
#define CONVK_CUDA_FUNCTIONS_(T, type) \
  CONVK_CUDA_FUNCTION_(exp, CONVK_CUDA_EXP_, T, type) \
  CONVK_CUDA_FUNCTION_(expm1, CONVK_CUDA_EXPM1_, T, type) \
  CONVK_CUDA_FUNCTION_(log, CONVK_CUDA_LOG_, T, type) \
  CONVK_API_ int convk_cuda_sincos_##type(size_t n, const T *x, T *s, T *c, cudaStream_t stream) { \
    return convk_cuda_map_device_<T, CONVK_CUDA_SINCOS_>(n, x, s, c, stream); \
  } \
  CONVK_API_ int convk_sincos_##type##_cuda(const convk *hw, size_t n, const T *x, T *s, T *c) { \
    return convk_cuda_map_host_<T, CONVK_CUDA_SINCOS_>(hw, n, x, s, c); \
  }
CONVK_CUDA_FUNCTIONS_(float, f32)
CONVK_CUDA_FUNCTIONS_(double, f64)
#undef CONVK_CUDA_FUNCTIONS_
#undef CONVK_CUDA_FUNCTION_

#endif /* CONVK_HAS_VMATH_ */

/* ============================================================================================ one pointer per operation == */

CONVK_API_ void convk_cuda_bind_(convk *hw) {
  (void)hw;
#if CONVK_HAS_SEPCONV_
  hw->f32.sepconv3d = convk_sepconv3d_f32_cuda;
  hw->f32.magicfilter3d = convk_magicfilter3d_f32_cuda;
  hw->f32.potential_apply = convk_potential_apply_f32_cuda;
  hw->f32.conv1d_transpose = convk_conv1d_transpose_f32_cuda;
  hw->f64.sepconv3d = convk_sepconv3d_f64_cuda;
  hw->f64.magicfilter3d = convk_magicfilter3d_f64_cuda;
  hw->f64.potential_apply = convk_potential_apply_f64_cuda;
  hw->f64.conv1d_transpose = convk_conv1d_transpose_f64_cuda;
#endif
#if CONVK_HAS_STENCIL_
  hw->f32.stencil7 = convk_stencil7_f32_cuda;
  hw->f32.stencil7_box = convk_stencil7_box_f32_cuda;
  hw->f64.stencil7 = convk_stencil7_f64_cuda;
  hw->f64.stencil7_box = convk_stencil7_box_f64_cuda;
#endif
#if CONVK_HAS_VMATH_
  hw->f32.exp = convk_exp_f32_cuda;
  hw->f32.expm1 = convk_expm1_f32_cuda;
  hw->f32.log = convk_log_f32_cuda;
  hw->f32.sincos = convk_sincos_f32_cuda;
  hw->f64.exp = convk_exp_f64_cuda;
  hw->f64.expm1 = convk_expm1_f64_cuda;
  hw->f64.log = convk_log_f64_cuda;
  hw->f64.sincos = convk_sincos_f64_cuda;
#endif
}

CONVK_API_ void convk_close_cuda_(convk *hw) {
  convk_cuda_device_ *d = (convk_cuda_device_ *)hw->device;
  int i, previous = -1;
  if (!d) return;
  if (cudaGetDevice(&previous) != cudaSuccess) previous = -1;
  (void)cudaSetDevice(d->ordinal);
  for (i = 0; i < CONVK_CUDA_BUFFERS_; i++) (void)cudaFree(d->buffer[i]);
  (void)cudaStreamDestroy(d->stream);
  if (previous >= 0) (void)cudaSetDevice(previous);
  CONVK_FREE(d);
  hw->device = NULL;
}

/* options: the number of the device, or NULL for the thread's current one. */
CONVK_API_ int convk_open_cuda_(convk *hw, const char *options) {
  convk_cuda_device_ *d;
  cudaError_t error;
  int count = 0, previous = 0, wanted = 0;
  size_t i;
  for (i = 0; options && options[i]; i++) {
    if (options[i] < '0' || options[i] > '9' || i > 5) return CONVK_ERR_HW_NAME;
    wanted = wanted * 10 + (options[i] - '0');
  }
  if (options && !i) return CONVK_ERR_HW_NAME;
  error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess) error = count < 1 ? cudaErrorNoDevice : cudaGetDevice(&previous);
  if (!options) wanted = previous;
  if (error == cudaSuccess && wanted >= count) error = cudaErrorInvalidDevice;
  if (error != cudaSuccess) {
    (void)convk_cuda_status_(hw, error);
    return CONVK_ERR_HW_MACHINE;
  }
  d = (convk_cuda_device_ *)CONVK_MALLOC(sizeof *d);
  if (!d) return CONVK_ERR_MEMORY;
  memset(d, 0, sizeof *d);
  d->ordinal = wanted;
  error = cudaSetDevice(wanted);
  if (error == cudaSuccess) error = cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking);
  if (error != cudaSuccess) {
    const int status = convk_cuda_status_(hw, error);
    (void)cudaSetDevice(previous);
    CONVK_FREE(d);
    return status;
  }
  error = cudaSetDevice(previous);
  hw->device = d;
  if (error != cudaSuccess) {
    const int status = convk_cuda_status_(hw, error);
    convk_close_cuda_(hw);
    return status;
  }
  hw->close = convk_close_cuda_;
  convk_cuda_bind_(hw);
  return CONVK_OK;
}

CONVK_API_ convk_modules_ convk_cuda_modules_(void) {
  static const convk_module_ list[] = {{"cuda", 0, convk_open_cuda_}};
  convk_modules_ table = {1, NULL};
  table.list = list;
  return table;
}
#undef CONVK_TYPE_
#undef CONVK_T
#undef CONVK_CUDA_MODULES_
#define CONVK_CUDA_MODULES_ convk_cuda_modules_

#endif
