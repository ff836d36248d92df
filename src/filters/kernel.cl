#include "device/preamble.cl"
#include "words/opencl.cl"
#include "core/axis.h"
#include "device/arguments.h"
#include "filters/arguments.h"

/* Point *i of an axis, and one step on; a periodic walk begins inside. */
T walk(global const T *p, long *i, long n, ulong pitch, int periodic) {
  const long at = *i;
  *i = periodic && at + 1 == n ? 0 : at + 1;
  return periodic || (at >= 0 && at < n) ? p[(ulong)at * pitch] : (T)0;
}

#ifdef ROWS
/* Input r of a group of ROWS outputs, of `count` taps, into their sums. */
void spread(T *sum, constant const T *taps, const int r, const int count, T v) {
  int t;
  CONVK_EACH_(t, ROWS) {
    if (r == t) sum[t] = taps[0] * v;
    else if (r > t && r < t + count) sum[t] = fma(taps[r - t], v, sum[t]);
  }
}
#endif

#ifdef SEPCONV_YX
/* y from memory into a tile that has room for the reach of x, then x from the tile.  A work-item makes ROWS rows
   of y in one column from one set of loads. */
kernel void sepconv_yx(const CONVK_ARGUMENTS_(filters) args, global const T *in, global T *out, constant T *taps,
                       local T *tile) {
  const int taps_x = (int)args.x.ntaps, taps_y = (int)args.y.ntaps;
  const long nx = (long)args.x.n, ny = (long)args.y.n, mx = (long)args.x.m, my = (long)args.y.m;
  const int lx = (int)get_local_id(0), sx = (int)get_local_size(0);
  const int ly = (int)get_local_id(1), sy = (int)get_local_size(1);
  const int columns = TILE_X + TAPS_X - 1;
  const ulong group = get_group_id(0), row = group / args.tiles_x, plane = row / args.strips;
  const long x0 = (long)(group % args.tiles_x) * TILE_X, y0 = (long)(row % args.strips) * TILE_Y;
  int c, i, j, k, r, t;
  (void)taps_x, (void)taps_y; /* options may name them */
  in += args.in_at + plane * args.in_z;
  out += args.mid_at + (plane * (ulong)my + (ulong)y0) * (ulong)mx + (ulong)x0;
  for (j = ly * ROWS; j < TILE_Y; j += sy * ROWS)
    for (c = lx; c < columns; c += sx) {
      const long x = x0 + c < mx + TAPS_X - 1 && y0 + j < my ? convk_axis_source_(x0 + c + args.x.shift, nx, PERIODIC_X) : -1;
      T sum[ROWS];
      CONVK_EACH_(t, ROWS) sum[t] = 0;
      if (x >= 0) {
        long y = y0 + j + args.y.shift;
        if (PERIODIC_Y) y = convk_axis_source_(y, ny, 1);
#if TAPS_Y == 16
#pragma unroll
#endif
        for (r = 0; r < ROWS + TAPS_Y - 1; r++)
          spread(sum, taps + MAX_TAPS, r, TAPS_Y, walk(in + x, &y, ny, args.in_y, PERIODIC_Y));
      }
      CONVK_EACH_(t, ROWS) tile[(j + t) * columns + c] = sum[t];
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (j = ly; j < TILE_Y; j += sy)
    for (i = lx; i < TILE_X; i += sx)
      if (x0 + i < mx && y0 + j < my) {
        local const T *v = tile + j * columns + i;
        T sum = taps[0] * v[0];
#if TAPS_X == 16
#pragma unroll
#endif
        for (k = 1; k < TAPS_X; k++) sum = fma(taps[k], v[k], sum);
        out[(ulong)j * (ulong)mx + (ulong)i] = sum;
      }
}
#endif

#ifdef SEPCONV_Z
#ifndef LAID
#define LAID 0 /* 1: potential and density have pitches of their own */
#endif

/* One value on its way to memory; gives what the energy needs. */
T finish(int actions, T r, global T *out, global const T *potential, global T *density, T factor, T a, T b) {
  T w = r, v;
  if (ACTIONS & 1) *density = fma(factor, r * r, *density);
  if (ACTIONS & 2) w = *potential * r;
  v = w;
  if (ACTIONS & 4) w = fma(a, w, b * *out);
  if (ACTIONS & 8) *out = w;
  return v;
}

#if TAPS_Z == 16 && !defined SUMS
#define WINDOW 1 /* the inputs of a column's last 15 outputs stay in registers */
/* ROWS outputs of a column, whose next inputs begin at *from. */
void march(T *sum, constant const T *taps, T *w, global const T *in, long *from, long nz, ulong pitch) {
  int k, t;
#pragma unroll
  for (k = 15; k < ROWS + 15; k++) w[k] = walk(in, from, nz, pitch, PERIODIC_Z);
  CONVK_EACH_(t, ROWS) {
    sum[t] = taps[0] * w[t];
#pragma unroll
    for (k = 1; k < 16; k++) sum[t] = fma(taps[k], w[t + k], sum[t]);
  }
  CONVK_EACH_(k, 15) w[k] = w[k + ROWS];
}
#else
#define WINDOW 0
/* ROWS outputs of a column, from its inputs `from` on. */
void column(T *sum, constant const T *taps, const int count, global const T *in, long from, long nz, ulong pitch) {
  int k;
  if (PERIODIC_Z) from = convk_axis_source_(from, nz, 1);
#if TAPS_Z == 16
#pragma unroll
#endif
  for (k = 0; k < ROWS + count - 1; k++) spread(sum, taps, k, count, walk(in, &from, nz, pitch, PERIODIC_Z));
}
#endif

/* z and the epilogue.  A work-item takes one column of x and y and marches along a chunk of z, ROWS outputs at a
   time.  With SUMS it takes every 16th column of a row, so that each lane of the row's sums has one owner. */
kernel void sepconv_z(const CONVK_ARGUMENTS_(filters) args, global const T *in, constant T *taps, global T *out,
                      global const T *potential, global T *density
#ifdef SUMS
                      ,
                      global const T *first, global double *lanes
#endif
) {
  const ulong item = get_global_id(0), mx = args.x.m, my = args.y.m;
  const long nz = (long)args.z.n, mz = (long)args.z.m, chunk = (long)args.chunk, shift = args.z.shift;
  const long begin = (long)get_global_id(1) * chunk, end = begin + chunk < mz ? begin + chunk : mz;
  const int actions = (int)args.actions, taps_z = (int)args.z.ntaps;
#ifdef SUMS
  const ulong lane = item % 16, y = item / 16;
  ulong x;
#else
  const ulong x = item % mx, y = item / mx;
#endif
  long z;
  int t;
#if WINDOW
  long from = begin + shift;
  int k;
  T w[ROWS + 15];
#endif
  (void)taps_z;
  if (y >= my) return;
  in += args.mid_at;
#if WINDOW
  if (PERIODIC_Z) from = convk_axis_source_(from, nz, 1);
  CONVK_EACH_(k, 15) w[k] = walk(in + item, &from, nz, mx * my, PERIODIC_Z);
#endif
  for (z = begin; z < end; z += ROWS) {
#ifdef SUMS
    double dots[ROWS], energies[ROWS];
    for (t = 0; t < ROWS; t++) dots[t] = energies[t] = 0;
    for (x = lane; x < mx; x += 16)
#endif
    {
      T sum[ROWS];
#if WINDOW
      march(sum, taps + 2 * MAX_TAPS, w, in + item, &from, nz, mx * my);
#else
      column(sum, taps + 2 * MAX_TAPS, TAPS_Z, in + (y * mx + x), z + shift, nz, mx * my);
#endif
      CONVK_EACH_(t, ROWS)
        if (z + t < end) {
          const ulong at = x + y * args.out_y + (ulong)(z + t) * args.out_z;
          const ulong laid = LAID ? x + y * args.laid_y + (ulong)(z + t) * args.laid_z : at;
          const T v = finish(actions, sum[t], out + (args.out_at + at), potential + (args.potential_at + laid),
                             density + (args.density_at + laid), args.factor, args.a, args.b);
#ifdef SUMS
          if (ACTIONS & 16) {
            const T u = first[args.in_at + x + y * args.in_y + (ulong)(z + t) * args.in_z];
            dots[t] = fma((double)u, (double)sum[t], dots[t]);
          }
          if (ACTIONS & 32) energies[t] = fma((double)sum[t], (double)v, energies[t]);
#else
          (void)v;
#endif
        }
    }
#ifdef SUMS
    for (t = 0; t < ROWS; t++)
      if (z + t < end) {
        const ulong at = ((ulong)(z + t) * my + y) * 16 + lane;
        if (ACTIONS & 16) lanes[args.dot_at + at] = dots[t];
        if (ACTIONS & 32) lanes[args.energy_at + at] = energies[t];
      }
#endif
  }
}
#endif

#ifdef SEPCONV_TREE
/* The 16 lanes of each row, in the order of the processors' sums. */
kernel void sepconv_tree(global double *sums, ulong in_offset, ulong out_offset, ulong count) {
  const ulong i = get_global_id(0);
  double s[16];
  int h, k;
  if (i >= count) return;
  for (k = 0; k < 16; k++) s[k] = sums[in_offset + i * 16 + k];
  for (h = 8; h; h /= 2)
    for (k = 0; k < h; k++) s[k] = CONVK_SUM_(double, s[k], s[k + h]);
  sums[out_offset + i] = s[0];
}
#endif

#ifdef SEPCONV_SUM
/* out[i] = in[i n] + ... + in[i n + n - 1], in sequence; with `more` beginning with what out[i] was. */
kernel void sepconv_sum(global const double *in, ulong in_offset, global double *out, ulong out_offset, ulong count, ulong n,
                        ulong more) {
  const ulong i = get_global_id(0);
  double sum = 0;
  ulong k;
  if (i >= count) return;
  if (more) sum = out[out_offset + i];
  for (k = 0; k < n; k++) sum = CONVK_SUM_(double, sum, in[in_offset + i * n + k]);
  out[out_offset + i] = sum;
}
#endif

#ifdef CONV1D_TRANSPOSE
/* TILE_Y rows, each with room for the reach of the filter, then ROWS outputs per work-item.  The odd pitch spreads a
   column over the banks of local memory. */
kernel void conv1d_transpose(const CONVK_ARGUMENTS_(filters) args, global const T *in, global T *out, constant T *taps,
                             local T *tile) {
  const int taps_x = (int)args.x.ntaps;
  const long n = (long)args.x.n, m = (long)args.x.m;
  const ulong ndat = args.y.n;
  const int lx = (int)get_local_id(0), sx = (int)get_local_size(0);
  const int ly = (int)get_local_id(1), sy = (int)get_local_size(1);
  const int columns = TILE_X + TAPS_X - 1, pitch = columns | 1;
  const ulong group = get_group_id(0), j0 = group / args.tiles_x * TILE_Y;
  const long i0 = (long)(group % args.tiles_x) * TILE_X;
  int c, i, j, r, t;
  (void)taps_x;
  for (j = ly; j < TILE_Y; j += sy)
    for (c = lx; c < columns; c += sx) {
      const long from =
          j0 + (ulong)j < ndat && i0 + c < m + TAPS_X - 1 ? convk_axis_source_(i0 + c + args.x.shift, n, PERIODIC_X) : -1;
      tile[j * pitch + c] = from < 0 ? (T)0 : in[args.in_at + (j0 + (ulong)j) * args.in_y + (ulong)from];
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (i = ly * ROWS; i < TILE_X; i += sy * ROWS)
    for (j = lx; j < TILE_Y; j += sx)
      if (j0 + (ulong)j < ndat && i0 + i < m) {
        T sum[ROWS];
#if TAPS_X == 16
#pragma unroll
#endif
        for (r = 0; r < ROWS + TAPS_X - 1; r++) spread(sum, taps, r, TAPS_X, tile[j * pitch + i + r]);
        CONVK_EACH_(t, ROWS)
          if (i0 + i + t < m) out[args.out_at + (ulong)(i0 + i + t) * args.out_y + j0 + (ulong)j] = sum[t];
      }
}
#endif
