#define CONVK_WAVELETS_STATUS_(item) \
  item(CONVK_ERR_ODD, -44, "an axis of odd size cannot be halved by a wavelet transform") \
  item(CONVK_ERR_LEVELS, -45, "fewer than 0 levels of a wavelet transform, or more than the axes can be halved") \
  item(CONVK_ERR_SEGMENT, -46, "a segment ends before it begins, or behind the grid") \
  item(CONVK_ERR_SEGMENT_ORDER, -47, "segments overlap, or do not ascend") \
  item(CONVK_ERR_SEGMENT_PLACE, -48, "coefficients of segments overlap, do not ascend, or lie behind their vector")

/* Ready pairs of filters, for wavelet_taps. */
enum {
  CONVK_WAVELET_DAUBECHIES16 = 0, /* least asymmetric, 16 taps, -7..8: BigDFT's */
  CONVK_WAVELET_SYM4 = 1,         /* least asymmetric, 8 taps, -3..4 */
  CONVK_WAVELET_VALUES = 2        /* Daubechies-16 and its magic filter in one, 31 taps, -14..16, of s1_to_r and r_to_s1 */
};

/* The two grids of a wavelet transform, in either direction.
   fine      scaling coefficients, or values; along an axis with 2 n coarse coefficients it has 2 n points, along a free one
             2 n + taps - 2: those from point lo on
   coarse    along each axis n scaling coefficients s, then n wavelet coefficients d: eight blocks, sss at the beginning.  With
             several levels each further one stands, in the same way, at the beginning of the block sss before it, with the
             pitches of `coarse`; along free axes it takes taps - 2 fewer than that block, and the rest is not used
             Of either, sizes of 0, all three: those that follow from the other
   boundary  of x, y, z: CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_ZERO, or free: CONVK_BOUNDARY_GROW or, the same,
             CONVK_BOUNDARY_SHRINK, as the fine grid grows out of the coarse one, and shrinks to it
   levels    0: one */
typedef struct convk_dwt3d_shape {
  convk_grid3 fine, coarse;
  int boundary[3];
  int levels;
} convk_dwt3d_shape;

/* Runs of points of a grid of nx x ny x nz, counted from 0, x + nx (y + ny z), where an orbital has coefficients.  Zeros: none.
   count   segments
   ends    first and last point of each, 2 count numbers, in ascending order; a segment may go on in the next row
   place   point of the vector where each begins, ascending; NULL: one behind the other
   points  that the vector has room for; 0: as many as the segments have */
typedef struct convk_segments {
  size_t count;
  const size_t *ends, *place;
  size_t points;
} convk_segments;

/* Orbitals as lists of segments, and as arrays of all wavelet coefficients.
   dense     the array: 2 n coefficients along each axis, in eight blocks, as the coarse grid of dwt3d
   coarse    segments, on a grid of n points along each axis, where there are scaling coefficients: sss
   fine      where there are wavelet coefficients: seven for each point
   vectors   how many orbitals, with the same segments; 0: one
   compressed_stride   elements from one to the next; 0: coarse.points + 7 fine.points, which is what one takes: first
             all that is coarse, then, point by point, dss sds dds ssd dsd sdd ddd, with the letter of x first
   dense_stride        0: nz pitch_z */
typedef struct convk_compressed_shape {
  convk_grid3 dense;
  convk_segments coarse, fine;
  size_t vectors, compressed_stride, dense_stride;
} convk_compressed_shape;

#define CONVK_WAVELETS_TUNABLES_(tunable) \
  tunable(CONVK_FINDS_WAVELETS_, dwt, dwt3d, f32, f32, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 0) \
  tunable(CONVK_FINDS_WAVELETS_, dwt, dwt3d, f64, f64, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 0) \
  tunable(CONVK_FINDS_WAVELETS_, dwt, idwt3d, f32, f32, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 1) \
  tunable(CONVK_FINDS_WAVELETS_, dwt, idwt3d, f64, f64, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 1)
