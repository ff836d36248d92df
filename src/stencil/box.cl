#include "device/preamble.cl"
#include "words/opencl.cl"
#include "device/arguments.h"
#include "stencil/arguments.h"

/* An item copies `each` points, one after another: one on a GPU, where neighbours have neighbouring points, and more on a
   processor, whose rows become vectors. */
kernel void box_copy(const CONVK_ARGUMENTS_(box) args, global const T *in, global T *out) {
  ulong i = (ulong)get_global_id(0) * args.each;
  const ulong end = i + args.each < args.points ? i + args.each : args.points;
  while (i < end) {
    const ulong row = i / args.count[0], x = i - row * args.count[0], z = row / args.count[1], y = row - z * args.count[1];
    const ulong left = args.count[0] - x, some = left < end - i ? left : end - i;
    global const T *from = in + (args.in_at + z * args.in_pitch[1] + y * args.in_pitch[0] + x);
    global T *to = out + (args.out_at + z * args.out_pitch[1] + y * args.out_pitch[0] + x);
    ulong k;
    for (k = 0; k < some; k++) to[k] = from[k];
    i += some;
  }
}
