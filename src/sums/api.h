/* What sumconv3d adds up; see there.  All zeros: y = 0.  A potential counts only with potential_factor, which is 0
   unless you set it: for H = T + V set 1.
   filter     f of x, y, z; taps NULL: there is none along this axis.  Sizes of the output follow from lo and up
   imag       g of x, y, z, which are multiplied by i: of complex calls
   first      G of x, y, z, of which mixed terms are products; taps may be NULL where no product has them
   mixed      m of yz, zx, xy
   phase      of complex calls, for periodic axes: real and imaginary part of exp(i k.L), by which the array is multiplied from
              one period to the next one up; 0 and 0: 1
   potential  V, real, in the layout of one output grid, for all vectors; NULL: none; potential_factor: b
   shift      c
   add        z, in the layout of `out` with its vectors; NULL: none; add_factor: d */
typedef struct convk_sumconv_terms {
  convk_filter filter[3], imag[3], first[3];
  CONVK_T mixed[3];
  double phase[3][2];
  const CONVK_T *potential;
  CONVK_T potential_factor, shift;
  const CONVK_T *add;
  CONVK_T add_factor;
} convk_sumconv_terms;

/* A sum of filters along the axes, and what else makes a Hamiltonian, in one pass: y = out is
     y = (F_x + F_y + F_z) x + M x + (b V + c) x + d z
   F_d x[i]  sum over l = lo..up of f_d[l] x[i + l e_d], and of complex calls + i sum of g_d[l] x[i + l e_d]
   M         m_yz G_y G_z + m_zx G_z G_x + m_xy G_x G_y: products of a first derivative's filters of two axes, for cells that
             are not orthogonal
   The kinetic energy of codes with wavelets: f = -1/2 D2 / h^2; at a point k also g = -k D1 / h and c = k^2 / 2 (Genovese et
   al. 2008); of codes with differences f = -1/2 c / h^2, and Bloch phases at periodic ends: see convk_derivative_filter.
   shape   any sizes >= 1: periodic axes wrap by modulo, a filter may be longer than its axis
   terms   see convk_sumconv_terms; filters of 1..64 taps, |lo| and |up| at most 1024; all numbers finite
   in      x; out: y.  Complex calls (c32, c64) take pairs of real and imaginary part
   out     may be NULL where sums are wanted.  It may be terms->add (exactly); in place of `in`: no
   sums    one struct for each vector, or NULL
   work    sumconv3d_work_size bytes, or NULL
   Threads: tiles of y, chunks of z and vectors, as sepconv3d.  Devices: on host arrays vectors come and go beside each
   other, each whole; with OpenCL sums and phases want doubles.
   Errors: NULL, SIZE, OVERFLOW, PITCH (also: vectors overlap), TAPS (also: a filter of an axis that grows or shrinks reaches
   farther than filter[d]), BOUNDARY, SHRINK, OPTION (filters times i or phases of a real call; a phase where nothing repeats,
   or that is not of magnitude 1), NONFINITE, OVERLAP, WORK, MEMORY, HANDLE, THREADS.
   Accuracy: 4e-15 (f32: 2e-6) times the sum of |taps| max |x| for each axis, likewise for the other terms.  Each filter sums
   its taps in ascending order; then F_x + F_y, + F_z, + M, + i g, + (b V + c) x, + d z, so that variants of a class agree to
   the last bit, whatever the threads, vectors and sums.  Sums are in f64: rows over 16 interleaved lanes, rows, planes.
   2 (tx + ty + tz) flops per point, complex calls twice that; `in` and V are read and `out` is written once where some planes
   of a tile stay in L2. */
CONVK_OPERATION_ int convk_sumconv3d(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                     const CONVK_T *in, CONVK_T *out, convk_sumconv_sums *sums, void *work, size_t work_size);
CONVK_OPERATION_ int convk_sumconv3d_complex(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                             const CONVK_T *in, CONVK_T *out, convk_sumconv_sums *sums, void *work,
                                             size_t work_size);

/* Chebyshev filter: out = T_m((H - c) / e) / T_m((lowest - c) / e) x, with H of sumconv3d and m = degree, which enlarges states
   below `low` beside those of [low, high] (Y. Zhou, Y. Saad, M. L. Tiago, J. R. Chelikowsky, J. Comput. Phys. 219, 172, 2006):
     x(1) = s(0) (H - c) x(0),   x(k+1) = s(k) (H - c) x(k) - d(k) x(k-1)
     c = (high + low) / 2,   e = (high - low) / 2,   sigma(1) = e / (lowest - c),   sigma(k+1) = 1 / (2 / sigma(1) - sigma(k))
     s(0) = sigma(1) / e,   s(k) = 2 sigma(k+1) / e,   d(k) = sigma(k) sigma(k+1)
   shape    as of sumconv3d; all axes periodic or with zero ends
   terms    as of sumconv3d; add NULL
   filter   see above
   in, out  x and the result.  In place: no
   work     chebyshev3d_work_size bytes, or NULL
   Hardware, threads: as sumconv3d.
   Errors: as sumconv3d; OPTION (also: terms->add, a degree below 1, not high > low > lowest), BOUNDARY (also: an
   axis that grows or shrinks), NONFINITE (also: of what is multiplied below).
   Bits: those of calls of sumconv3d, for step k with terms that are multiplied in doubles and rounded once each: taps of filter
   and imag, mixed and potential_factor s(k) times what they are, shift s(k) (shift - c), add x(k-1), add_factor -d(k), and for
   the first step no add; c, e, sigma, s and d in doubles, as they stand above.
   degree times the flops of sumconv3d.  Where arrays exceed the caches, and filters have at most 13 taps and no i or mixed
   terms, up to four steps are made in one sweep over memory, tile by tile: 1.2 to 1.4 times as fast as calls of sumconv3d. */
CONVK_OPERATION_ int convk_chebyshev3d(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                       const convk_chebyshev *filter, const CONVK_T *in, CONVK_T *out, void *work,
                                       size_t work_size);
CONVK_OPERATION_ int convk_chebyshev3d_complex(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                               const convk_chebyshev *filter, const CONVK_T *in, CONVK_T *out, void *work,
                                               size_t work_size);

/* Taps of a derivative, times factor, for sumconv3d: into taps, of which *filter has the address.
   hw          for the message of an error; may be NULL
   derivative  1 or 2
   order       2, 4 .. 16: central differences of this order, order + 1 taps, exact rationals (B. Fornberg, Math. Comp. 51, 699,
               1988); 0: the derivative between Daubechies-16 scaling functions, 29 taps, as BigDFT has it (L. Genovese et al.,
               J. Chem. Phys. 129, 014109, 2008)
   factor      finite: 1 / h or 1 / h^2 for points h apart, times what the operator has: -1/2 for a kinetic energy
   Polynomials are exact to degree order (first) and order + 1 (second derivative); wavelets: 16 and 15.
   Errors: NULL, OPTION, NONFINITE, HANDLE. */
CONVK_API_ int convk_derivative_filter(convk *hw, int derivative, int order, double factor, CONVK_T taps[CONVK_DERIVATIVE_TAPS],
                                       convk_filter *filter);

/* Output sizes of sumconv3d: fills *out_grid, packed; shape->out does not count.  Of the filters only lo and up count.  hw may
   be NULL. */
CONVK_API_ int convk_sumconv3d_out_grid(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                        convk_grid3 *out_grid);

/* Bytes of work for sumconv3d on this handle (NULL: serial, default blocks), which are enough for every smaller grid and for
   fewer vectors and taps, with sums and without.  A handle of a device needs none
   and ignores what it gets; calls on the device's arrays have sizes of their own.  Status as sumconv3d. */
CONVK_API_ int convk_sumconv3d_work_size(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                         size_t *bytes);

/* The same for complex calls. */
CONVK_API_ int convk_sumconv3d_work_size_complex(convk *hw, const convk_sumconv3d_shape *shape,
                                                 const convk_sumconv_terms *terms, size_t *bytes);

/* Bytes of work for chebyshev3d on this handle (NULL: serial, default blocks), which are enough for every smaller grid, for
   fewer vectors and taps, and for lower degrees.  Of the filter only the degree counts.  Devices: 0.  Status as chebyshev3d. */
CONVK_API_ int convk_chebyshev3d_work_size(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                           const convk_chebyshev *filter, size_t *bytes);

/* The same for complex calls. */
CONVK_API_ int convk_chebyshev3d_work_size_complex(convk *hw, const convk_sumconv3d_shape *shape,
                                                   const convk_sumconv_terms *terms, const convk_chebyshev *filter,
                                                   size_t *bytes);
