#define CONVK_WAVELETS_STATUS_(item) \
  item(CONVK_ERR_ODD, -44, "an axis of odd size cannot be halved by a wavelet transform") \
      item(CONVK_ERR_LEVELS, -45, "fewer than 0 levels of a wavelet transform, or more than the axes can be halved")

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

/* Wavelet analysis on three axes, from the fine grid to the coarse one: along each axis
     s[i] = sum over l = lo..up of low[l - lo] x[2 i + l],   d[i] = sum over l = lo..up of high[l - lo] x[2 i + l]
   (S. Mallat, IEEE Trans. PAMI 11, 674, 1989; in the layout of Genovese et al., J. Chem. Phys. 129, 014109, 2008).
   shape     see above
   wavelet   2 to 64 taps each, |lo| and |up| at most 1024, finite
   In place: no; `coarse` must not overlap `fine`, nor `work` any array, gaps of pitches included.
   Work: dwt3d_work_size.  Threads: as sepconv3d.
   Errors: NULL, SIZE (coarse and fine do not match), ODD, LEVELS, SHRINK (a free axis leaves nothing), BOUNDARY, OVERFLOW,
   PITCH, TAPS, NONFINITE, OVERLAP, WORK, MEMORY, HANDLE, THREADS.
   Accuracy: one level of Daubechies-16, |x| <= 1: 4e-15 in f64, 2e-6 in f32.  Each axis sums taps lo, lo + 2, .. and then lo +
   1, lo + 3, .., y first, then x, then z, so that fused variants agree to the last bit, as do mul-add variants, whatever the
   threads.  Handles of devices take whole grids there; they need no work, and ignore what they get.
   6 taps flops per fine point and level; one read and one write of memory per level. */
#define CONVK_OP_DWT3D_(op) \
  op(sepconv, REAL, dwt3d, dwt3d, \
     (convk * hw, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet, const CONVK_T *fine, CONVK_T *coarse, \
      void *work, size_t work_size), \
     (hw, shape, wavelet, fine, coarse, work, work_size))

/* Wavelet synthesis on three axes, from the coarse grid to the fine one: along each axis
     x[m] = sum over i of low[m - 2 i - lo] s[i] + high[m - 2 i - lo] d[i]
   the transpose of dwt3d, and its inverse where the filters are orthonormal (within free ends).  Each axis sums s, and then
   d, over ascending i.  Everything else as dwt3d. */
#define CONVK_OP_IDWT3D_(op) \
  op(sepconv, REAL, idwt3d, idwt3d, \
     (convk * hw, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet, const CONVK_T *coarse, CONVK_T *fine, \
      void *work, size_t work_size), \
     (hw, shape, wavelet, coarse, fine, work, work_size))

/* From Daubechies-16 wavelet coefficients to values: idwt3d and the magic filter in one, by the pair CONVK_WAVELET_VALUES.  A
   free axis has 2 n + 29 values, from point -14 on.  One level.  62 flops per value and axis; everything else as idwt3d. */
#define CONVK_OP_S1_TO_R_(op) \
  op(sepconv, REAL, s1_to_r, s1_to_r, \
     (convk * hw, const convk_dwt3d_shape *shape, const CONVK_T *coarse, CONVK_T *values, void *work, size_t work_size), \
     (hw, shape, coarse, values, work, work_size))

/* From values to Daubechies-16 wavelet coefficients: the inverse magic filter and dwt3d in one, the transpose of s1_to_r. */
#define CONVK_OP_R_TO_S1_(op) \
  op(sepconv, REAL, r_to_s1, r_to_s1, \
     (convk * hw, const convk_dwt3d_shape *shape, const CONVK_T *values, CONVK_T *coarse, void *work, size_t work_size), \
     (hw, shape, values, coarse, work, work_size))

#define CONVK_WAVELETS_OPERATIONS_(op) \
  CONVK_OP_DWT3D_(op) \
  CONVK_OP_IDWT3D_(op) \
  CONVK_OP_S1_TO_R_(op) \
  CONVK_OP_R_TO_S1_(op)
