/* Two filters of one axis for wavelet transforms; dwt3d has the formulas.  low and high have up - lo + 1 taps each. */
typedef struct convk_wavelet {
  int lo, up;
  const CONVK_T *low, *high;
} convk_wavelet;

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
CONVK_OPERATION_ int convk_dwt3d(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet, const CONVK_T *fine,
                                 CONVK_T *coarse, void *work, size_t work_size);

/* Wavelet synthesis on three axes, from the coarse grid to the fine one: along each axis
     x[m] = sum over i of low[m - 2 i - lo] s[i] + high[m - 2 i - lo] d[i]
   This is the transpose of dwt3d, and its inverse if the filters are orthonormal (within free ends).  Each axis sums the terms
   of s, and then those of d, over ascending i.  Everything else as dwt3d. */
CONVK_OPERATION_ int convk_idwt3d(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                  const CONVK_T *coarse, CONVK_T *fine, void *work, size_t work_size);

/* From Daubechies-16 wavelet coefficients to values: idwt3d and the magic filter in one, by the pair CONVK_WAVELET_VALUES.  A
   free axis has 2 n + 29 values, from point -14 on.  One level.  62 flops per value and axis; everything else as idwt3d. */
CONVK_OPERATION_ int convk_s1_to_r(convk *hw, const convk_dwt3d_shape *shape, const CONVK_T *coarse, CONVK_T *values,
                                   void *work, size_t work_size);

/* From values to Daubechies-16 wavelet coefficients: the inverse magic filter and dwt3d in one, the transpose of s1_to_r. */
CONVK_OPERATION_ int convk_r_to_s1(convk *hw, const convk_dwt3d_shape *shape, const CONVK_T *values, CONVK_T *coarse,
                                   void *work, size_t work_size);

/* From segments to the array of all coefficients, with zeros where there is no segment: BigDFT's uncompress (L. Genovese
   et al., J. Chem. Phys. 129, 014109, 2008; keyg and keyv are `ends` and `place`, from 1).
   shape   see above; sizes of the array are even
   In place: no.  No work.  Threads: planes of the array, where a call has more than a million elements.
   Errors: NULL, SIZE, ODD, OVERFLOW, PITCH (also: vectors overlap), SEGMENT, SEGMENT_ORDER, SEGMENT_PLACE, OVERLAP, HANDLE,
   THREADS.  Hardware: all.  Handles of devices do it on the host, where both arrays are; for arrays on a device there are
   calls of their own.  Elements are only copied: one read of the segments and one write of the array. */
CONVK_OPERATION_ int convk_wavelet_uncompress(convk *hw, const convk_compressed_shape *shape, const CONVK_T *compressed,
                                              CONVK_T *dense);

/* From the array to segments: the transpose of wavelet_uncompress.  Elements of the vector that belong to no segment are not
   written, and elements of the array that belong to none are not read.  Everything else as wavelet_uncompress. */
CONVK_OPERATION_ int convk_wavelet_compress(convk *hw, const convk_compressed_shape *shape, const CONVK_T *dense,
                                            CONVK_T *compressed);

/* A ready pair: CONVK_WAVELET_DAUBECHIES16, CONVK_WAVELET_SYM4 or CONVK_WAVELET_VALUES.  The first two are orthonormal, with 8
   and 4 vanishing moments.  Any other: low = high = NULL, which every call refuses. */
CONVK_API_ convk_wavelet convk_wavelet_taps(int which);

/* Sizes: *resolved is the shape with both grids, full sizes and pitches.  Of the wavelet only lo and up count.  hw may be NULL.
   Status as dwt3d. */
CONVK_API_ int convk_dwt3d_resolve(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet,
                                   convk_dwt3d_shape *resolved);

/* Bytes of work for dwt3d on this handle (NULL: serial, default blocks), which are enough for every smaller grid, too.  Of the
   wavelet only lo and up count.  Status as dwt3d; after an error *bytes is as it was. */
CONVK_API_ int convk_dwt3d_work_size(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet, size_t *bytes);

/* Bytes of work for idwt3d, as dwt3d_work_size. */
CONVK_API_ int convk_idwt3d_work_size(convk *hw, const convk_dwt3d_shape *shape, const convk_wavelet *wavelet, size_t *bytes);

/* Bytes of work for s1_to_r, as dwt3d_work_size. */
CONVK_API_ int convk_s1_to_r_work_size(convk *hw, const convk_dwt3d_shape *shape, size_t *bytes);

/* Bytes of work for r_to_s1, as dwt3d_work_size. */
CONVK_API_ int convk_r_to_s1_work_size(convk *hw, const convk_dwt3d_shape *shape, size_t *bytes);
