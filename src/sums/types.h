/* The grids of a sum of filters, and what the filters find beyond the ends of each axis.
   in, out     as of convk_sepconv3d_shape: `out` of sizes 0, all three, is what follows from `in`
   boundary    of x, y, z: CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_SHRINK, CONVK_BOUNDARY_ZERO.  All
               filters are taken at the points of the output: where an axis grows, filters along the others find zeros there.
               With a halo, shrink: `in` has the halo, `out` begins at the first point within it
   vectors     how many arrays are filtered, with the same terms; 0: one
   in_stride, out_stride   elements from one to the next of the input, and of what lies as the output; 0: nz pitch_z
   Complex calls count complex numbers. */
typedef struct convk_sumconv3d_shape {
  convk_grid3 in, out;
  int boundary[3];
  size_t vectors, in_stride, out_stride;
} convk_sumconv3d_shape;

enum {
  CONVK_SUMS_PLANES_ = 4, /* that are made together */
  CONVK_SUMS_SHORT_ = 13  /* taps of filters that all axes take at once: of each axis */
};

/* Sums over the points of the output (times no volume) that sumconv3d makes on its way, with y = out.
   dot        <x|y>: real and imaginary part, of conj(x) y
   potential  <x|V|x>
   norm       <y|y>
   axis       <x|F_d x> of the filters of x, y, z, with those that are multiplied by i: the real part
   mixed      <x|M x> of all mixed terms: the real part */
typedef struct convk_sumconv_sums {
  double dot[2], potential, norm, axis[3], mixed;
} convk_sumconv_sums;

/* The most taps of convk_derivative_filter. */
#define CONVK_DERIVATIVE_TAPS 29

enum { CONVK_CHEBYSHEV_LEVELS_ = 4 }; /* steps of a sweep over memory, at most */

/* Which part of a spectrum chebyshev3d damps.
   degree     1 or more; the larger, the stronger is the filter
   low, high  the interval of energies whose states are damped
   lowest     an energy below low: a state with this energy keeps its magnitude, states between it and low keep a part */
typedef struct convk_chebyshev {
  int degree;
  double low, high, lowest;
} convk_chebyshev;

#define CONVK_SUMS_TUNABLES_(tunable) \
  tunable(CONVK_FINDS_SUMS_, sumconv, sumconv3d, f32, f32, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 1) \
  tunable(CONVK_FINDS_SUMS_, sumconv, sumconv3d, f64, f64, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 1) \
  tunable(CONVK_FINDS_SUMS_, sumconv, sumconv3d, c32, f32, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 2) \
  tunable(CONVK_FINDS_SUMS_, sumconv, sumconv3d, c64, f64, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 2)
