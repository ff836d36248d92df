#include "device/preamble.cl"
#include "words/opencl.cl"
#include "sepconv/orbital_arguments.h"

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
