#include "device/preamble.cl"
#include "words/opencl.cl"
#include "wavelets/orbital_arguments.h"
#include "wavelets/segments_element.h"

#ifdef COMPLEX_PARTS
/* A work-item takes one complex number; planes along y. */
kernel void complex_parts(const CONVK_ARGUMENTS_(parts) told, global T *parts, global T *numbers, ulong first) {
  const ulong item = get_global_id(0), y = item / told.nx, x = item - y * told.nx, z = get_group_id(1) + first;
  global T *const re = parts + told.parts_at + (x + y * told.pitch_y + z * told.pitch_z), *const im = re + told.apart;
  global T *const number = numbers + 2 * (told.numbers_at + x + y * told.whole_y + z * told.whole_z);
  if (y >= told.ny) return;
  if (told.join) {
    number[0] = *re;
    number[1] = *im;
  } else if (told.add) {
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
kernel void segments(const CONVK_ARGUMENTS_(segments) told, global T *compressed, global T *dense,
                     global const ulong *ends_coarse, global const ulong *place_coarse, global const ulong *ends_fine,
                     global const ulong *place_fine, ulong first) {
  const ulong item = get_global_id(0), y = item / told.nx, x = item - y * told.nx, plane = get_group_id(1) + first;
  const ulong vector = plane / told.nz, z = plane - vector * told.nz, p = x + told.nx * (y + told.ny * z);
  global T *const to = dense + told.dense_at + (vector * told.dense_stride + x + y * told.pitch_y + z * told.pitch_z);
  global T *const of = compressed + told.compressed_at + vector * told.compressed_stride;
  long coarse, fine;
  int k;
  if (y >= told.ny) return;
  coarse = convk_segments_at_(ends_coarse + told.ends_at[0], place_coarse + told.place_at[0], told.count[0], told.points[0], p);
  fine = convk_segments_at_(ends_fine + told.ends_at[1], place_fine + told.place_at[1], told.count[1], told.points[1], p);
  for (k = 0; k < 8; k++) {
    const ulong block = (k & 1 ? told.block[0] : 0) + (k & 2 ? told.block[1] : 0) + (k & 4 ? told.block[2] : 0);
    const long at = k == 0 ? coarse : fine < 0 ? -1 : (long)told.fine + 7 * fine + (k - 1);
    if (!told.compress) to[block] = at < 0 ? (T)0 : of[at];
    else if (at >= 0) of[at] = to[block];
  }
}
#endif
