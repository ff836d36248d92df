/* A filter of one axis, in correlation form: y[i] = sum over l = lo..up of taps[l - lo] x[i + l].
   up - lo + 1 from 1 to 64, |lo| and |up| at most 1024; taps must be finite. */
typedef struct convk_filter {
  int lo, up;
  const CONVK_T *taps;
} convk_filter;

/* What is done with the result r = F(x) before it is stored.  Zeros mean out = r.  All members that are set are applied:
     density    density[k] += density_factor r[k]^2            (layout of the output grid)
     dot        *dot = sum of x[k] r[k]                        (needs equal sizes of input and output; f64 sums)
     potential  r[k] = potential[k] r[k]                       (layout of the output grid; after density and dot)
     energy     *energy = sum of r[k] potential[k] r[k]        (needs potential; f64 sums)
     update     out[k] = a r[k] + b out[k] in place of out[k] = r[k]; a and b finite
   `out` may be NULL when density, dot or energy is asked for and update is not.  The arrays that are written (out,
   density, the sums) must not overlap others; an array counts from its first to its last element, gaps of pitches included.
   Sums have a fixed order: rows over 16 interleaved lanes, then rows in sequence. */
typedef struct convk_sepconv_epilogue {
  const CONVK_T *potential;
  CONVK_T *density;
  CONVK_T density_factor;
  double *dot, *energy;
  int update;
  CONVK_T a, b;
} convk_sepconv_epilogue;

/* Separable 3D convolution: out = (fz o fx o fy) in, with r[i] = sum over l = lo..up of taps[l - lo] x[i + l] on each axis
   (Genovese et al. 2009, with the sign of the index as written here).
   shape     any size >= 1 (periodic wraps by modulo); see above
   filter    of x, y, z; up - lo + 1 = 1..64 taps, |lo| and |up| at most 1024, taps finite
   epilogue  what is fused into the last pass; NULL: out = r
   In place: no; `out` must not overlap `in`, nor `work` any array, gaps of pitches included.
   Work: sepconv3d_work_size.  Threads: tiles of y (and chunks of z), each of at least 400 000 multiply-adds (f32: 800 000), as
   less is not worth a thread, unless tuning.sepconv_rows is set.
   Errors: NULL, SIZE, OVERFLOW, PITCH, TAPS, BOUNDARY, SHRINK, OPTION, NONFINITE, OVERLAP, WORK, MEMORY, HANDLE, THREADS.
   Accuracy, magic filter, |x| <= 1: 4e-15 in f64, 2e-6 in f32; each axis sums its taps in ascending order, y first, then x,
   then z, so that fused variants agree to the last bit, as do mul-add variants.
   2 (tx + ty + tz) flops per point; one read and one write of memory, where planes of a tile fit in the L2 cache. */
CONVK_OPERATION_ int convk_sepconv3d(convk *hw, const convk_sepconv3d_shape *shape, const convk_filter filter[3],
                                     const convk_sepconv_epilogue *epilogue, const CONVK_T *in, CONVK_T *out, void *work,
                                     size_t work_size);

/* The BigDFT magic filter on three axes: sepconv3d with the taps of magicfilter_taps.  direction: CONVK_FORWARD from
   scaling-function coefficients to values, CONVK_INVERSE back (the transpose).  96 flops per point.  Everything else, and
   the status codes, as sepconv3d; CONVK_ERR_OPTION for an unknown direction. */
CONVK_OPERATION_ int convk_magicfilter3d(convk *hw, const convk_sepconv3d_shape *shape, int direction,
                                         const convk_sepconv_epilogue *epilogue, const CONVK_T *in, CONVK_T *out, void *work,
                                         size_t work_size);

/* A local potential on an orbital in scaling-function coefficients: out = IMF(V MF(psi)), *energy = <psi|V|psi>, the sum
   over points (times no volume).  `energy` may be NULL.
   shape->in        grid of psi and out
   shape->out       grid of V, on the points of MF's output: sizes of `in`, or 15 more along axes with CONVK_BOUNDARY_GROW.
                    All three sizes may be 0, which means these
   shape->boundary  CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_ZERO, or CONVK_BOUNDARY_GROW for a free axis (the way
                    back then shrinks)
   In place: yes, out may be the same array as psi.  Work: potential_apply_work_size, which holds the intermediate array.
   Errors, accuracy, threads: as sepconv3d. */
CONVK_OPERATION_ int convk_potential_apply(convk *hw, const convk_sepconv3d_shape *shape, const CONVK_T *potential,
                                           const CONVK_T *psi, CONVK_T *out, double *energy, void *work, size_t work_size);

/* One filter along the contiguous axis, transposed: out[j + i ld_out] = sum over l of taps[l - lo] in[i + l + j ld_in], for
   j < ndat and output points i, in the order of `boundary`.  Three calls make a 3D convolution, with the axes back in order.
   In place: no.  Work: conv1d_transpose_work_size.  Threads: strips of at most 96 input rows, one
   for each 400 000 multiply-adds at most (of f32 800 000), unless tuning.sepconv_rows is set.
   Errors: as sepconv3d.  Accuracy: one axis of it.  2 taps flops per output. */
CONVK_OPERATION_ int convk_conv1d_transpose(convk *hw, const convk_conv1d_shape *shape, const convk_filter *filter,
                                            const CONVK_T *in, CONVK_T *out, void *work, size_t work_size);

/* The magic filter of the least asymmetric Daubechies-16 family (L. Genovese et al., J. Chem. Phys. 131, 034103, 2009;
   A. I. Neelov, S. Goedecker, J. Comput. Phys. 217, 312, 2006), between scaling-function coefficients and point values.
   CONVK_FORWARD: coefficients to values, l = -8..7.
   CONVK_INVERSE: values to coefficients, l = -7..8: the transpose, which undoes polynomials up to degree 15 exactly.
   Any other direction: taps = NULL, which every call refuses. */
CONVK_API_ convk_filter convk_magicfilter_taps(int direction);

/* Output sizes: fills *out_grid with the packed grid that sepconv3d makes of shape->in.  shape->out is ignored, and out_grid
   may point to it.  Of the filters only lo and up count.  hw may be NULL.  Status as sepconv3d. */
CONVK_API_ int convk_sepconv3d_out_grid(convk *hw, const convk_sepconv3d_shape *shape, const convk_filter filter[3],
                                        convk_grid3 *out_grid);

/* Bytes of work for sepconv3d on this handle (NULL: serial, default blocks), which are enough for every smaller grid, too.  Of
   the filters only lo and up count, of the epilogue (NULL: none) whether it sums: devices keep more for that.  A handle of a
   device needs none and ignores what it gets; calls on the device's arrays have sizes of their own.  Status as
   sepconv3d; after an error *bytes is as it was. */
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
