#include "device/preamble.cl"
#include "words/opencl.cl"
#include "device/arguments.h"
#include "stencil/arguments.h"

/* An item copies `each` points, one after another: one on a GPU, where neighbours have neighbouring points, and more on a
   processor, whose rows become vectors. */
kernel void box_copy(const CONVK_ARGUMENTS_(box) told, global const T *in, global T *out) {
  ulong i = (ulong)get_global_id(0) * told.each;
  const ulong end = i + told.each < told.points ? i + told.each : told.points;
  while (i < end) {
    const ulong row = i / told.count[0], x = i - row * told.count[0], z = row / told.count[1], y = row - z * told.count[1];
    const ulong left = told.count[0] - x, some = left < end - i ? left : end - i;
    global const T *from = in + (told.in_at + z * told.in_pitch[1] + y * told.in_pitch[0] + x);
    global T *to = out + (told.out_at + z * told.out_pitch[1] + y * told.out_pitch[0] + x);
    ulong k;
    for (k = 0; k < some; k++) to[k] = from[k];
    i += some;
  }
}
