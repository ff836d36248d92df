#include "device/preamble.cl"
#include "words/opencl.cl"
#include "core/axis.h"
#include "device/arguments.h"
#include "wavelets/arguments.h"

/* Taps are known to the compiler where EVEN, ODD and MORE are numbers; else they are the struct's. */
#define TAPS 32 /* of a filter in a part, at most: tap[p][f] begins at taps + (2 p + f) TAPS */

/* Point *i of n of a part, and one step on; a periodic walk begins inside. */
T walk(global const T *p, long *i, long n, ulong pitch, int periodic) {
  const long at = *i;
  *i = periodic && at + 1 == n ? 0 : at + 1;
  return periodic || (at >= 0 && at < n) ? p[(ulong)at * pitch] : (T)0;
}

/* What ROWS pairs along an axis get from a part, from its element t on, which has `count` taps of the first filter, and `more`
   of the second. */
CONVK_ELEMENT_ void gather(T *sum, constant const T *taps, const int count, const int more, const int begins,
                           global const T *line, long t, long n, ulong pitch, int periodic) {
  T x[ROWS];
  int g, k;
  if (periodic) t = convk_axis_source_(t, n, 1);
  CONVK_EACH_(g, ROWS) {
    x[g] = walk(line, &t, n, pitch, periodic);
    sum[g] = begins ? taps[0] * x[g] : fma(taps[0], x[g], sum[g]);
    sum[ROWS + g] = begins ? taps[TAPS] * x[g] : fma(taps[TAPS], x[g], sum[ROWS + g]);
  }
#if EVEN
#pragma unroll 8
#endif
  for (k = 1; k < count + more; k++) {
#pragma unroll
    for (g = 0; g + 1 < ROWS; g++) x[g] = x[g + 1];
    x[ROWS - 1] = walk(line, &t, n, pitch, periodic);
    if (k < count) {
      CONVK_EACH_(g, ROWS) sum[g] = fma(taps[k], x[g], sum[g]);
    }
    CONVK_EACH_(g, ROWS) sum[ROWS + g] = fma(taps[TAPS + k], x[g], sum[ROWS + g]);
  }
}

/* Where the elements with parity q begin whose points lie so far apart, and how far apart they lie. */
ulong begin_of(ulong split, int q, ulong pitch) { return q ? (SYNTHESIS ? split * pitch : pitch) : 0; }
ulong step_of(ulong pitch) { return SYNTHESIS ? pitch : 2 * pitch; }

/* The place of output 2 t + f of an axis, or -1. */
long place_of(const convk_wavelets_on_device_ axis, long t, int f) {
  const long n = (long)axis.fine, m = axis.first + 2 * t + f;
  if (!SYNTHESIS) return (f ? (long)axis.split : 0) + t;
  if (m >= 0 && m < n) return m;
  return axis.periodic ? (m < 0 ? m + n : m - n) : -1;
}

#ifdef DWT_YX
/* y from memory into a tile of TILE_X by TILE_Y pairs, which keeps the two parts of a row apart and has room for the reach of
   x, then x from the tile.  A work-item makes ROWS pairs of y in one column from one set of loads. */
kernel void dwt_yx(const CONVK_ARGUMENTS_(wavelets) args, global const T *in, global const T *low_in, global T *mid,
                   constant T *taps, local T *tile) {
  const int even = args.even, odd = args.odd, more = args.more;
  const int lx = (int)get_local_id(0), sx = (int)get_local_size(0);
  const int ly = (int)get_local_id(1), sy = (int)get_local_size(1);
  const int part = TILE_X - 1 + (EVEN > ODD ? EVEN : ODD) + MORE, pitch = 2 * part;
  const ulong group = get_group_id(0), row = group / args.tiles_x, z = row / args.strips;
  const long pairs_x = (long)args.x.pairs, pairs_y = (long)args.y.pairs;
  const long x0 = (long)(group % args.tiles_x) * TILE_X, y0 = (long)(row % args.strips) * TILE_Y;
  int c, i, j, k, t;
  (void)even, (void)odd, (void)more; /* options may name them */
  in += args.in_at + z * args.in_z;
  low_in += args.low_at;
  mid += args.mid_at + z * args.my * args.mx;
  for (j = ly * ROWS; j < TILE_Y; j += sy * ROWS)
    for (c = lx; c < 2 * part; c += sx) {
      /* neighbours in memory are neighbours among work-items: of a synthesis within a part */
      const int p = SYNTHESIS ? c >= part : c % 2, at = SYNTHESIS ? c - p * part : c / 2, qx = p ? 1 - args.x.odd : args.x.odd;
      const long x = x0 + at < pairs_x + (p ? ODD : EVEN) + MORE - 1 && y0 + j < pairs_y
                         ? convk_axis_source_(x0 + at + (p ? args.x.from[1] : args.x.from[0]),
                                              (long)(p ? args.x.n[1] : args.x.n[0]), args.x.periodic)
                         : -1;
      T sum[2 * ROWS];
      CONVK_EACH_(t, 2 * ROWS) sum[t] = 0;
      if (x >= 0) {
        const int low = SYNTHESIS && args.low && !qx && z < args.z.split; /* its s of y are part 0: args.y.odd is 0 */
        const ulong column = begin_of(args.x.split, qx, 1) + (ulong)x * step_of(1);
        gather(sum, taps, EVEN, MORE, 1,
               low ? low_in + (z * args.low_z + (ulong)x) : in + (column + begin_of(args.y.split, args.y.odd, args.in_y)),
               y0 + j + args.y.from[0], (long)args.y.n[0], low ? args.low_y : step_of(args.in_y), args.y.periodic);
        gather(sum, taps + 2 * TAPS, ODD, MORE, 0, in + (column + begin_of(args.y.split, 1 - args.y.odd, args.in_y)),
               y0 + j + args.y.from[1], (long)args.y.n[1], step_of(args.in_y), args.y.periodic);
      }
      CONVK_EACH_(t, ROWS) {
        tile[2 * (j + t) * pitch + p * part + at] = sum[t];
        tile[(2 * (j + t) + 1) * pitch + p * part + at] = sum[ROWS + t];
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (j = ly; j < 2 * TILE_Y; j += sy) {
    const long y = y0 + j / 2 < pairs_y ? place_of(args.y, y0 + j / 2, j % 2) : -1;
    for (i = lx; i < TILE_X; i += sx)
      if (x0 + i < pairs_x && y >= 0) {
        local const T *v = tile + j * pitch + i;
        const long s = place_of(args.x, x0 + i, 0), d = place_of(args.x, x0 + i, 1);
        T a = taps[0] * v[0], b = taps[TAPS] * v[0];
#if EVEN
#pragma unroll 8
#endif
        for (k = 1; k < EVEN + MORE; k++) {
          if (k < EVEN) a = fma(taps[k], v[k], a);
          b = fma(taps[TAPS + k], v[k], b);
        }
#if EVEN
#pragma unroll 8
#endif
        for (k = 0; k < ODD + MORE; k++) {
          if (k < ODD) a = fma(taps[2 * TAPS + k], v[part + k], a);
          b = fma(taps[3 * TAPS + k], v[part + k], b);
        }
        if (s >= 0) mid[(ulong)y * args.mx + (ulong)s] = a;
        if (d >= 0) mid[(ulong)y * args.mx + (ulong)d] = b;
      }
  }
}
#endif

#ifdef DWT_Z
/* A work-item takes one column of x and y and marches along a chunk of z, ROWS pairs at a time. */
kernel void dwt_z(const CONVK_ARGUMENTS_(wavelets) args, global const T *mid, constant T *taps, global T *out,
                  global T *low_out) {
  const ulong item = get_global_id(0), x = item % args.mx, y = item / args.mx;
  const long pairs = (long)args.z.pairs, chunk = (long)args.chunk, begin = (long)get_global_id(1) * chunk;
  const long end = begin + chunk < pairs ? begin + chunk : pairs;
  const int even = args.even, odd = args.odd, more = args.more;
  const int low = !SYNTHESIS && args.low && x < args.x.split && y < args.y.split;
  const ulong step = step_of(args.columns), pitch_s = low ? args.low_z : args.out_z; /* of s, or of what is even */
  global T *to_s;
  long z;
  int t;
  (void)even, (void)odd, (void)more;
  if (y >= args.my) return;
  mid += args.mid_at + item;
  out += args.out_at + y * args.out_y + x;
  to_s = low ? low_out + (args.low_at + y * args.low_y + x) : out;
  for (z = begin; z < end; z += ROWS) {
    T sum[2 * ROWS];
    gather(sum, taps, EVEN, MORE, 1, mid + begin_of(args.z.split, args.z.odd, args.columns), z + args.z.from[0],
           (long)args.z.n[0], step, args.z.periodic);
    gather(sum, taps + 2 * TAPS, ODD, MORE, 0, mid + begin_of(args.z.split, 1 - args.z.odd, args.columns), z + args.z.from[1],
           (long)args.z.n[1], step, args.z.periodic);
    CONVK_EACH_(t, ROWS)
      if (z + t < end) {
        const long s = place_of(args.z, z + t, 0), d = place_of(args.z, z + t, 1);
        if (s >= 0) to_s[(ulong)s * pitch_s] = sum[t];
        if (d >= 0) out[(ulong)d * args.out_z] = sum[ROWS + t];
      }
  }
}
#endif
