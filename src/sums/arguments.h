#ifndef CONVK_SUMS_AXIS_INCLUDED_
#define CONVK_SUMS_AXIS_INCLUDED_
/* An axis of sums of filters: n points in, `pitch` elements apart, m points out, the first of which is point `origin` of those
   that come in; the filter and that times i, or of products that of a first derivative; what it is multiplied by from one
   period to the next, as the bits of doubles. */
typedef struct convk_sums_axis_device_ {
  uint64_t n, m, pitch;
  int64_t origin, lo[2];
  uint64_t phase[2];
  uint32_t ntaps[2];
  int32_t periodic, turns;
} convk_sums_axis_device_;

/* What there is besides filters: `has` of the struct below.  Mixed terms: of yz, and the next two bits. */
#define CONVK_SUMS_HAS_MIXED_ 1
#define CONVK_SUMS_HAS_IMAG_ 8
#define CONVK_SUMS_HAS_V_ 16
#define CONVK_SUMS_HAS_X_ 32
#define CONVK_SUMS_HAS_ADD_ 64
#define CONVK_SUMS_HAS_OUT_ 128

/* Sums of a row before some of them join: <x|y>, its imaginary part, <x|V|x>, <y|y>; <x| of the filter of each axis; of those
   times i; of mixed terms. */
#define CONVK_SUMS_PARTS_ 13
#endif
/* What kernels of sums of filters take.  Elements are complex numbers where the array has such. */
CONVK_DEFINE_ARGUMENTS_(sums) {
  convk_sums_axis_device_ x, y, z;
  uint64_t in_v, out_y, out_z, out_v, add_y, add_z, add_v;         /* strides of vectors, pitches of output and `add` */
  uint64_t potential_y, potential_z;                               /* pitches of the potential, which all vectors share */
  uint64_t vectors, columns, tiles_x, tiles_y, chunk, chunks;      /* items of a plane; tiles; planes of a chunk */
  uint64_t in_at, out_at, potential_at, add_at, mixed_at, rows_at; /* OpenCL: where arrays begin, in real numbers */
  uint32_t has, along;                                             /* along: the axis of a filter that is alone */
  CONVK_ARGUMENT_T_ mixed[3], potential_factor, shift, add_factor;
};
