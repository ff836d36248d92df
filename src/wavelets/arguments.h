#ifndef CONVK_WAVELETS_INCLUDED_
#define CONVK_WAVELETS_INCLUDED_
/* One axis of a level of a wavelet transform.  Of the sequence that is read (dwt_shape.h), part p has those elements that taps
   tap[p] meet: elements q, q + 2, .. for q = odd in part 0 and 1 - odd in part 1.  Pair t sums elements t + from[p] and behind
   of part p, which has n[p].  The fine grid has `fine` points, the coarse one `split` of s and of d; output 2 t + f is point
   first + 2 t + f of the fine grid, or point t of s or d. */
typedef struct convk_wavelets_on_device_ {
  uint64_t n[2], split, fine, pairs;
  int64_t from[2], first;
  int32_t odd, periodic;
} convk_wavelets_on_device_;
#endif
/* What both kernels of a level take. */
CONVK_DEFINE_ARGUMENTS_(wavelets) {
  convk_wavelets_on_device_ x, y, z;
  uint64_t planes, mx, my;                         /* of the input; points of a row, and rows, between both kernels */
  uint64_t in_y, in_z, out_y, out_z, low_y, low_z; /* pitches of the input, the output, and the block sss */
  uint64_t tiles_x, strips, strip;                 /* tiles of a row; strips of y, and pairs of each */
  uint64_t columns, blocks, chunks, chunk;         /* of z: columns, in blocks of threads; chunks, and pairs of each */
  uint64_t in_at, out_at, low_at, mid_at;          /* OpenCL: where arrays begin in their buffers, in elements */
  int32_t synthesis, low;                          /* low: the block sss of the coarse grid lies elsewhere */
  int32_t even, odd, more, unused;                 /* taps of the first filter in parts 0 and 1; of the second more */
};

#include "wavelets/orbital_arguments.h"
