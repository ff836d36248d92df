/* What sumconv3d adds up; see there.  Good as zeros: y = 0.
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

/* Rows at equal distances; NULL: none. */
typedef struct convk_sums_rows_ {
  const CONVK_T *first;
  size_t pitch;
} convk_sums_rows_;

/* Rows on their way to memory, and what they are the sum of:
     a filter of x on rows `in` (ntaps 0: none), alone also into part_x, where that is not NULL; at each step element
     parts: results of y and of z; mixed times factor; turned; (potential_factor potential + shift) x; add_factor add */
typedef struct convk_sums_way_ {
  convk_sums_rows_ in, parts[2], mixed[3], turned, x, potential, add;
  size_t step, ntaps;
  const CONVK_T *taps;
  CONVK_T factor[3], potential_factor, shift, add_factor;
  CONVK_T *part_x, *out;
  size_t pitch_x, pitch_out;
} convk_sums_way_;

/* Rows of some planes on their way to memory, from copies of the input that have what filters see beyond their ends:
     z       rows of the planes that the filter of z sees: output plane p those from p on
     x, y    what the first tap meets; here: the points themselves
     pitch   of all of these; ntaps 0: no filter; some: of the planes are there, the others repeat the last one; otherwise as a
             way */
typedef struct convk_sums_planes_ {
  const CONVK_T *z[CONVK_SUMS_PLANES_ + CONVK_SUMS_SHORT_ - 1];
  const CONVK_T *x[CONVK_SUMS_PLANES_], *y[CONVK_SUMS_PLANES_], *here[CONVK_SUMS_PLANES_], *potential[CONVK_SUMS_PLANES_],
      *add[CONVK_SUMS_PLANES_];
  CONVK_T *out[CONVK_SUMS_PLANES_];
  size_t pitch, pitch_potential, pitch_add, pitch_out, step, ntaps[3], some;
  const CONVK_T *taps[3];
  int wants_x;
  CONVK_T potential_factor, shift, add_factor;
} convk_sums_planes_;

/* What an instruction set offers for it. */
typedef struct convk_sums_kernels_ {
  /* n elements of nrows rows of a way; may read up to CONVK_SLACK_ elements behind `in`; stream as elsewhere */
  void (*finish)(const convk_sums_way_ *way, size_t n, size_t nrows, int stream);
  /* n complex numbers of rows times (re, im), or where turn is set, times i; out may be in */
  void (*spin)(const CONVK_T *in, size_t pitch_in, size_t n, size_t nrows, int turn, CONVK_T re, CONVK_T im, CONVK_T *out,
               size_t pitch_out);
  /* out[2 i] = out[2 i + 1] = in[i], i < n, in rows */
  void (*twice)(const CONVK_T *in, size_t pitch_in, size_t n, size_t nrows, CONVK_T *out, size_t pitch_out);
  /* out[i] = in[i], i < n, in rows */
  void (*copy)(const CONVK_T *in, size_t pitch_in, size_t n, size_t nrows, CONVK_T *out, size_t pitch_out);
  /* the sum of a[i] b[i], or of potential[i] b[i] b[i] where a is NULL */
  double (*dot)(const CONVK_T *a, const CONVK_T *potential, const CONVK_T *b, size_t n);
  /* n elements of nrows rows of planes; may read up to CONVK_SLACK_ elements behind rows of copies */
  void (*walk)(const convk_sums_planes_ *planes, size_t n, size_t nrows, int stream);
  /* rows of n elements, with the last `left` of them before, and the first `right` behind them; neither is more than n */
  void (*wrap)(const CONVK_T *in, size_t pitch_in, size_t n, size_t left, size_t right, size_t nrows, CONVK_T *out,
               size_t pitch_out);
} convk_sums_kernels_;

#if CONVK_HAS_SEPCONV_ && CONVK_HAS_TYPE_
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
   and ignores what it gets.  Status as sumconv3d. */
CONVK_API_ int convk_sumconv3d_work_size(convk *hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms,
                                         size_t *bytes);
/* The same for complex calls. */
CONVK_API_ int convk_sumconv3d_work_size_complex(convk *hw, const convk_sumconv3d_shape *shape,
                                                 const convk_sumconv_terms *terms, size_t *bytes);
#endif
