#define CONVK_FILTERS_STATUS_(item) \
  item(CONVK_ERR_TAPS, -5, "a filter has fewer than 1 or more than 64 taps, or lies too far off") \
      item(CONVK_ERR_SHRINK, -7, "the shrinking boundary leaves no output") CONVK_WAVELETS_STATUS_(item) CONVK_SEGMENTS_STATUS_(item)

/* What a filter may have at most. */
enum {
  CONVK_FILTER_MAX_TAPS = 64,
  CONVK_FILTER_MAX_REACH = 1024 /* bound of |lo| and |up| of a filter */
};

/* The grids of a convolution, and what its filters see beyond the ends of each axis.
   in        of the input
   out       of the output: the sizes that follow from `in`, in any pitches; sizes of 0, all three: those that follow
   boundary  of x, y, z: CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_SHRINK, CONVK_BOUNDARY_ZERO */
typedef struct convk_sepconv3d_shape {
  convk_grid3 in, out;
  int boundary[3];
} convk_sepconv3d_shape;

/* Rows that are filtered and transposed.
   n         points of an input row; of an output row: n, n + taps - 1 (grow) or n - taps + 1 (shrink)
   ndat      rows of the input
   ld_in     elements between input rows, at least n; ld_out between output rows, at least ndat; 0: packed
   boundary  as of convk_sepconv3d_shape */
typedef struct convk_conv1d_shape {
  size_t n, ndat, ld_in, ld_out;
  int boundary;
} convk_conv1d_shape;

/* Separable 3D convolution: out = (fz o fx o fy) in, with r[i] = sum over l = lo..up of taps[l - lo] x[i + l] on each axis
   (Genovese et al. 2009, with the sign of the index as written here).
   shape     any size >= 1 (periodic wraps by modulo); see above
   filter    of x, y, z; up - lo + 1 = 1..64 taps, |lo| and |up| at most 1024, taps finite
   epilogue  what is fused into the last pass; NULL: out = r
   In place: no; `out` must not overlap `in`, nor `work` any array, gaps of pitches included.
   Work: sepconv3d_work_size.  Threads: tiles of y (and chunks of z), one for
   each 400 000 multiply-adds at most (of f32 800 000: less is not worth a thread), unless tuning.sepconv_rows is set.
   Errors: NULL, SIZE, OVERFLOW, PITCH, TAPS, BOUNDARY, SHRINK, OPTION, NONFINITE, OVERLAP, WORK, MEMORY, HANDLE, THREADS.
   Accuracy, magic filter, |x| <= 1: 4e-15 in f64, 2e-6 in f32; each axis sums its taps in ascending order, y first, then x,
   then z, so that fused variants agree to the last bit, as do mul-add variants.
   2 (tx + ty + tz) flops per point; one read and one write of memory, where planes of a tile fit in the L2 cache. */
#define CONVK_OP_SEPCONV3D_(op) \
  op(sepconv, REAL, sepconv3d, sepconv3d, \
     (convk * hw, const convk_sepconv3d_shape *shape, const convk_filter filter[3], const convk_sepconv_epilogue *epilogue, \
      const CONVK_T *in, CONVK_T *out, void *work, size_t work_size), \
     (hw, shape, filter, epilogue, in, out, work, work_size))

/* The BigDFT magic filter on three axes: sepconv3d with the taps of magicfilter_taps.  direction: CONVK_FORWARD from
   scaling-function coefficients to values, CONVK_INVERSE back (the transpose).  96 flops per point.  Everything else, and
   the status codes, as sepconv3d; CONVK_ERR_OPTION for an unknown direction. */
#define CONVK_OP_MAGICFILTER3D_(op) \
  op(sepconv, REAL, magicfilter3d, magicfilter3d, \
     (convk * hw, const convk_sepconv3d_shape *shape, int direction, const convk_sepconv_epilogue *epilogue, \
      const CONVK_T *in, CONVK_T *out, void *work, size_t work_size), \
     (hw, shape, direction, epilogue, in, out, work, work_size))

/* A local potential on an orbital in scaling-function coefficients: out = IMF(V MF(psi)), *energy = <psi|V|psi>, the sum
   over points (times no volume).  `energy` may be NULL.
   shape->in        grid of psi and out
   shape->out       grid of V, on the points of MF's output: sizes of `in`, or 15 more along axes with CONVK_BOUNDARY_GROW;
                    sizes of 0, all three: those
   shape->boundary  CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_ZERO, or CONVK_BOUNDARY_GROW for a free axis (the way
                    back then shrinks)
   In place: yes, out may be psi (exactly).  Work: potential_apply_work_size, which holds the intermediate array.
   Errors, accuracy, threads: as sepconv3d. */
#define CONVK_OP_POTENTIAL_APPLY_(op) \
  op(sepconv, REAL, potential_apply, potential_apply, \
     (convk * hw, const convk_sepconv3d_shape *shape, const CONVK_T *potential, const CONVK_T *psi, CONVK_T *out, \
      double *energy, void *work, size_t work_size), \
     (hw, shape, potential, psi, out, energy, work, work_size))

/* One filter along the contiguous axis, transposed: out[j + i ld_out] = sum over l of taps[l - lo] in[i + l + j ld_in], for
   j < ndat and output points i, in the order of `boundary`.  Three calls make a 3D convolution, with the axes back in order.
   In place: no.  Work: conv1d_transpose_work_size.  Threads: strips of at most 96 input rows, one
   for each 400 000 multiply-adds at most (of f32 800 000), unless tuning.sepconv_rows is set.
   Errors: as sepconv3d.  Accuracy: one axis of it.  2 taps flops per output. */
#define CONVK_OP_CONV1D_TRANSPOSE_(op) \
  op(sepconv, REAL, conv1d_transpose, conv1d_transpose, \
     (convk * hw, const convk_conv1d_shape *shape, const convk_filter *filter, const CONVK_T *in, CONVK_T *out, void *work, \
      size_t work_size), \
     (hw, shape, filter, in, out, work, work_size))

/* The operations of this family; see core/operations.h. */
#define CONVK_FILTERS_OPERATIONS_(op) \
  CONVK_OP_SEPCONV3D_(op) \
  CONVK_OP_MAGICFILTER3D_(op) \
  CONVK_OP_POTENTIAL_APPLY_(op) \
  CONVK_OP_CONV1D_TRANSPOSE_(op) \
  CONVK_WAVELETS_OPERATIONS_(op) \
  CONVK_OP_SUMCONV3D_(op, REAL, sumconv3d) \
  CONVK_OP_SUMCONV3D_(op, COMPLEX, complex_sumconv3d) \
  CONVK_SEGMENTS_OPERATIONS_(op) \
  CONVK_OP_HAMILTONIAN_APPLY_(op, REAL, hamiltonian_apply) \
  CONVK_OP_HAMILTONIAN_APPLY_(op, COMPLEX, complex_hamiltonian) \
  CONVK_OP_CHEBYSHEV3D_(op, REAL, chebyshev3d) \
  CONVK_OP_CHEBYSHEV3D_(op, COMPLEX, complex_chebyshev3d)

/* rows of y in one tile of sepconv3d, sumconv3d, dwt3d and idwt3d */
#define CONVK_FILTERS_TUNING_(parameter) parameter(size_t, sepconv_rows, ROWS)
#define CONVK_FILTERS_TUNABLES_(tunable) \
  tunable(SEPCONV, sepconv, sepconv3d, f32, F32, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 0) \
      tunable(SEPCONV, sepconv, sepconv3d, f64, F64, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 0) \
          tunable(SEPCONV, sumconv, sumconv3d, f32, F32, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 1) \
              tunable(SEPCONV, sumconv, sumconv3d, f64, F64, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 1) \
                  tunable(SEPCONV, sumconv, sumconv3d, c32, F32, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 2) \
                      tunable(SEPCONV, sumconv, sumconv3d, c64, F64, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 2) \
                          tunable(SEPCONV, dwt, dwt3d, f32, F32, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 0) \
                              tunable(SEPCONV, dwt, dwt3d, f64, F64, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 0) \
                                  tunable(SEPCONV, dwt, idwt3d, f32, F32, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 1) \
                                      tunable(SEPCONV, dwt, idwt3d, f64, F64, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 1)
