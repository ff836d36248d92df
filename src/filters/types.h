#define CONVK_FILTERS_STATUS_(item) \
  item(CONVK_ERR_TAPS, -5, "a filter has fewer than 1 or more than 64 taps, or lies too far off") \
  item(CONVK_ERR_SHRINK, -7, "the shrinking boundary leaves no output")

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

/* rows of y in one tile of sepconv3d, sumconv3d, dwt3d and idwt3d */
#define CONVK_FILTERS_TUNING_(parameter) parameter(size_t, sepconv_rows, CONVK_TUNE_ROWS)
#define CONVK_FILTERS_TUNABLES_(tunable) \
  tunable(CONVK_FINDS_FILTERS_, sepconv, sepconv3d, f32, f32, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 0) \
  tunable(CONVK_FINDS_FILTERS_, sepconv, sepconv3d, f64, f64, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 0)
