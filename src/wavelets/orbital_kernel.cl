#include "device/preamble.cl"
#include "words/opencl.cl"
#include "wavelets/orbital_arguments.h"
#include "wavelets/segments_element.h"

#ifdef COMPLEX_PARTS
/* A work-item takes one complex number; planes along y. */
kernel void complex_parts(const CONVK_ARGUMENTS_(parts) args, global T *parts, global T *numbers, ulong first) {
  const ulong item = get_global_id(0), y = item / args.nx, x = item - y * args.nx, z = get_group_id(1) + first;
  global T *const re = parts + args.parts_at + (x + y * args.pitch_y + z * args.pitch_z), *const im = re + args.apart;
  global T *const number = numbers + 2 * (args.numbers_at + x + y * args.whole_y + z * args.whole_z);
  if (y >= args.ny) return;
  if (args.join) {
    number[0] = *re;
    number[1] = *im;
  } else if (args.add) {
    *re = number[0] + *re;
    *im = number[1] + *im;
  } else {
    *re = number[0];
    *im = number[1];
  }
}
#endif

#ifdef SEGMENTS
/* A work-item takes one point of the grid of segments, and the eight elements of the array that it has; planes of vectors along
   y. */
kernel void segments(const CONVK_ARGUMENTS_(segments) args, global T *compressed, global T *dense,
                     global const ulong *ends_coarse, global const ulong *place_coarse, global const ulong *ends_fine,
                     global const ulong *place_fine, ulong first) {
  const ulong item = get_global_id(0), y = item / args.nx, x = item - y * args.nx, plane = get_group_id(1) + first;
  const ulong vector = plane / args.nz, z = plane - vector * args.nz, p = x + args.nx * (y + args.ny * z);
  global T *const to = dense + args.dense_at + (vector * args.dense_stride + x + y * args.pitch_y + z * args.pitch_z);
  global T *const of = compressed + args.compressed_at + vector * args.compressed_stride;
  long coarse, fine;
  int k;
  if (y >= args.ny) return;
  coarse = convk_segments_at_(ends_coarse + args.ends_at[0], place_coarse + args.place_at[0], args.count[0], args.points[0], p);
  fine = convk_segments_at_(ends_fine + args.ends_at[1], place_fine + args.place_at[1], args.count[1], args.points[1], p);
  for (k = 0; k < 8; k++) {
    const ulong block = (k & 1 ? args.block[0] : 0) + (k & 2 ? args.block[1] : 0) + (k & 4 ? args.block[2] : 0);
    const long at = k == 0 ? coarse : fine < 0 ? -1 : (long)args.fine + 7 * fine + (k - 1);
    if (!args.compress) to[block] = at < 0 ? (T)0 : of[at];
    else if (at >= 0) of[at] = to[block];
  }
}
#endif
