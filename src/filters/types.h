
/* A filter of one axis, in correlation form: y[i] = sum over l = lo..up of taps[l - lo] x[i + l].
   up - lo + 1 from 1 to 64, |lo| and |up| at most 1024; taps must be finite. */
typedef struct convk_filter {
  int lo, up;
  const CONVK_T *taps;
} convk_filter;

/* What happens to the result r = F(x) on its way to memory.  Zero-initialised: out = r.  All that are set are done:
     density    density[k] += density_factor r[k]^2            (layout of the output grid)
     dot        *dot = sum of x[k] r[k]                        (needs equal sizes of input and output; f64 sums)
     potential  r[k] = potential[k] r[k]                       (layout of the output grid; after density and dot)
     energy     *energy = sum of r[k] potential[k] r[k]        (needs potential; f64 sums)
     update     out[k] = a r[k] + b out[k] in place of out[k] = r[k]; a and b finite
   `out` may be NULL when density, dot or energy is asked for and update is not.  What is written (out, density, the sums)
   must not overlap anything else; an array counts from its first to its last element, gaps of pitches included.
   Sums have a fixed order: rows over 16 interleaved lanes, then rows in sequence. */
typedef struct convk_sepconv_epilogue {
  const CONVK_T *potential;
  CONVK_T *density;
  CONVK_T density_factor;
  double *dot, *energy;
  int update;
  CONVK_T a, b;
} convk_sepconv_epilogue;

struct convk_fetch_;
struct convk_sums_kernels_;

/* What an instruction set offers to the drivers below. */
typedef struct convk_filters_kernels_ {
  /* out[t][i] = sum over k < ntaps of taps[k] rows[t + k][i], for t < nout, i < n; stream: past the cache where `out` is
     aligned, until fence; meanwhile what `fetch` says, if it is not NULL */
  void (*columns)(const CONVK_T *const *rows, size_t ntaps, const CONVK_T *taps, size_t n, size_t nout, CONVK_T *const *out,
                  int stream, struct convk_fetch_ *fetch);
  void (*fence)(void);
  /* out[i] = sum over k < ntaps of taps[k] in[i + k], i < n, in nrows rows; reads up to CONVK_SLACK_ elements further */
  void (*rows)(const CONVK_T *in, size_t pitch_in, size_t ntaps, const CONVK_T *taps, size_t n, size_t nrows, CONVK_T *out,
               size_t pitch_out);
  /* out[i] = in[i], i < n, or 0 where in is NULL, in nrows rows */
  void (*copy)(const CONVK_T *in, CONVK_T *out, size_t pitch, size_t n, size_t nrows);
  /* out[i ld_out + j] = in[j ld_in + i], i < n, j < nrows */
  void (*transpose)(const CONVK_T *in, size_t ld_in, size_t n, size_t nrows, CONVK_T *out, size_t ld_out);
  /* the epilogue on some rows: r, one after the other, and x of the input for the dot product; offset into the epilogue's
     arrays, which like `out` have their pitch; ahead: bytes to what is fetched meanwhile; stream as for columns */
  void (*finish)(const convk_sepconv_epilogue *epilogue, size_t offset, size_t pitch, size_t n, size_t nrows, const CONVK_T *r,
                 const CONVK_T *x, size_t pitch_x, CONVK_T *out, double *dot, double *energy, size_t ahead, int stream);
  /* wavelets: out[2 t + f][i] = sum over p, then k, of tap[p][f][k] rows[2 (t + k) + p][i], for t < pairs, i < n; half: 0, or
     element i goes to i / 2 of `out`, an odd one `half` further; stream as for columns; what lies `ahead` bytes further is
     fetched */
  void (*pairs)(const CONVK_T *const *rows, const convk_wavelets_taps_ *taps, size_t n, size_t pairs, CONVK_T *const *out,
                size_t half, int stream, size_t ahead);
  /* pair t of a row: the same sums of even[t + k] and odd[t + k], in nrows rows, to out[t] and out[apart + t], or where apart
     is 0 to out[2 t] and out[2 t + 1]; reads up to CONVK_SLACK_ elements further */
  void (*pairs_along)(const CONVK_T *even, const CONVK_T *odd, size_t pitch_in, const convk_wavelets_taps_ *taps, size_t pairs,
                      size_t nrows, CONVK_T *out, size_t pitch_out, size_t apart);
  /* how many rows of these taps pairs_turned takes at once, where it is the fast way: LANES, or 0.
     NULL: never */
  size_t (*pairs_block)(const convk_wavelets_taps_ *taps);
  /* the sums of `pairs`, transposed, in blocks of LANES outputs and LANES elements: element i of output t goes to
     out[i pitch + t], or where apart is not 0, of an even output to out[i pitch + t / 2], of an odd one `apart` further; n is
     LANES at least, and pairs half of that; fetch as for columns */
  void (*pairs_turned)(const CONVK_T *const *rows, const convk_wavelets_taps_ *taps, size_t n, size_t pairs, CONVK_T *out,
                       size_t pitch, size_t apart, size_t ahead, struct convk_fetch_ *fetch);
  const struct convk_sums_kernels_ *sum; /* what sumconv3d needs besides */
} convk_filters_kernels_;

#if CONVK_HAS_SEPCONV_ && CONVK_HAS_TYPE_
/* The magic filter of the least asymmetric Daubechies-16 family (L. Genovese et al., J. Chem. Phys. 131, 034103, 2009;
   A. I. Neelov, S. Goedecker, J. Comput. Phys. 217, 312, 2006), between scaling-function coefficients and point values.
   CONVK_FORWARD: coefficients to values, l = -8..7.
   CONVK_INVERSE: values to coefficients, l = -7..8: the transpose, which undoes polynomials up to degree 15 exactly.
   Any other direction: taps = NULL, which every call refuses. */
CONVK_API_ convk_filter convk_magicfilter_taps(int direction);

/* Output sizes: fills *out_grid, packed, with what sepconv3d makes of shape->in; shape->out, which it may be, does not count.
   Of the filters only lo and up count.  hw may be NULL.  Status as sepconv3d. */
CONVK_API_ int convk_sepconv3d_out_grid(convk *hw, const convk_sepconv3d_shape *shape, const convk_filter filter[3],
                                        convk_grid3 *out_grid);

/* Bytes of work for sepconv3d on this handle (NULL: serial, default blocks), which are enough for every smaller grid, too.  Of
   the filters only lo and up count, of the epilogue (NULL: none) whether it sums: devices keep more for that.  A handle of a
   device needs none and ignores what it gets.  Status as sepconv3d; after an error *bytes is as it was. */
CONVK_API_ int convk_sepconv3d_work_size(convk *hw, const convk_sepconv3d_shape *shape, const convk_filter filter[3],
                                         const convk_sepconv_epilogue *epilogue, size_t *bytes);

/* Bytes of work for magicfilter3d, as sepconv3d_work_size. */
CONVK_API_ int convk_magicfilter3d_work_size(convk *hw, const convk_sepconv3d_shape *shape, int direction,
                                             const convk_sepconv_epilogue *epilogue, size_t *bytes);

/* Bytes of work for potential_apply with its intermediate array, which has the pitches of shape->out, with or without the
   energy; as sepconv3d_work_size. */
CONVK_API_ int convk_potential_apply_work_size(convk *hw, const convk_sepconv3d_shape *shape, size_t *bytes);

/* Bytes of work for conv1d_transpose, as sepconv3d_work_size. */
CONVK_API_ int convk_conv1d_transpose_work_size(convk *hw, const convk_conv1d_shape *shape, const convk_filter *filter,
                                                size_t *bytes);
#endif
