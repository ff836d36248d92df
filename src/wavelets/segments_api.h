#define CONVK_SEGMENTS_STATUS_(item) \
  item(CONVK_ERR_SEGMENT, -46, "a segment ends before it begins, or behind the grid") \
      item(CONVK_ERR_SEGMENT_ORDER, -47, "segments overlap, or do not ascend") \
          item(CONVK_ERR_SEGMENT_PLACE, -48, "coefficients of segments overlap, do not ascend, or lie behind their vector")

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

/* From segments to the array of all coefficients, with zeros where there is no segment: BigDFT's uncompress (L. Genovese
   et al., J. Chem. Phys. 129, 014109, 2008; keyg and keyv are `ends` and `place`, from 1).
   shape   see above; sizes of the array are even
   In place: no.  No work.  Threads: planes of the array, where a call has more than a million elements.
   Errors: NULL, SIZE, ODD, OVERFLOW, PITCH (also: vectors overlap), SEGMENT, SEGMENT_ORDER, SEGMENT_PLACE, OVERLAP, HANDLE,
   THREADS.  Hardware: all; handles of devices do it on the host, where both arrays are; arrays on a device: see there.
   Copies alone; one read of what segments have and one write of the array. */
#define CONVK_OP_WAVELET_UNCOMPRESS_(op) \
  op(sepconv, REAL, wavelet_uncompress, wavelet_uncompress, \
     (convk * hw, const convk_compressed_shape *shape, const CONVK_T *compressed, CONVK_T *dense), \
     (hw, shape, compressed, dense))

/* From the array to segments: the transpose of wavelet_uncompress.  Points of the vector that no segment has are not written.
   Everything else as there; what has no segment is not read. */
#define CONVK_OP_WAVELET_COMPRESS_(op) \
  op(sepconv, REAL, wavelet_compress, wavelet_compress, \
     (convk * hw, const convk_compressed_shape *shape, const CONVK_T *dense, CONVK_T *compressed), \
     (hw, shape, dense, compressed))

#define CONVK_SEGMENTS_OPERATIONS_(op) \
  CONVK_OP_WAVELET_UNCOMPRESS_(op) \
  CONVK_OP_WAVELET_COMPRESS_(op)
