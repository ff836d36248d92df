/* The grids of a sum of filters, and what they see beyond the ends of each axis.
   in, out     as of convk_sepconv3d_shape: `out` of sizes 0, all three, is what follows from `in`
   boundary    of x, y, z: CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_SHRINK, CONVK_BOUNDARY_ZERO.  All
               filters are taken at the points of the output: where an axis grows, filters along the others find zeros there
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
#define CONVK_OP_SUMCONV3D_(op, kind, member) \
  op(sepconv, kind, member, sumconv3d, \
     (convk * hw, const convk_sumconv3d_shape *shape, const convk_sumconv_terms *terms, const CONVK_T *in, CONVK_T *out, \
      convk_sumconv_sums *sums, void *work, size_t work_size), \
     (hw, shape, terms, in, out, sums, work, work_size))

/* The most taps of convk_derivative_filter. */
#define CONVK_DERIVATIVE_TAPS 29
