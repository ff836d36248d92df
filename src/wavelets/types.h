/* Two filters of one axis for wavelet transforms; dwt3d has the formulas.  low and high have up - lo + 1 taps each. */
typedef struct convk_wavelet {
  int lo, up;
  const CONVK_T *low, *high;
} convk_wavelet;

/* Two filters of a kernel: tap[p][f] meets what lies at even (p = 0) or odd (1) places behind the first, and makes a pair's
   first (f = 0) or second (1) output; count[p] taps, of the second filter `more`: 0 or 1. */
#define CONVK_WAVELETS_TAPS_ (CONVK_FILTER_MAX_TAPS / 2)
typedef struct convk_wavelets_taps_ {
  size_t count[2];
  int more;
  CONVK_T tap[2][2][CONVK_FILTER_MAX_TAPS / 2];
} convk_wavelets_taps_;

#if CONVK_HAS_SEPCONV_ && CONVK_HAS_TYPE_
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
#endif
