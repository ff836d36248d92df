/* How a matrix of points x exponents lies in memory: value (i, j) of point i and exponent j. */
enum {
  CONVK_GRIDPOT_POINTS_CONTIGUOUS = 0,   /* g[j ld + i], ld at least the number of points */
  CONVK_GRIDPOT_EXPONENTS_CONTIGUOUS = 1 /* g[i ld + j], ld at least the number of exponents */
};

/* The functions of a shell of angular momentum l and how they follow.  With R(r) = sum_p c_p exp(-a_p r^2), x, y, z from the
   centre:
   CONVK_SHELL_CARTESIAN          x^a y^b z^c R, a + b + c = l, a falling, then b: xx xy xz yy yz zz; 1 3 6 10 15 of them
   CONVK_SHELL_SPHERICAL          S_lm R, m = -l .. l: y z x; xy yz z^2 xz x^2-y^2; 1 3 5 7 9 of them
   CONVK_SHELL_CARTESIAN_MOLDEN   the order of a molden file: x y z; xx yy zz xy xz yz; xxx yyy zzz xyy xxy xxz xzz yzz yyz xyz;
                            xxxx yyyy zzzz xxxy xxxz xyyy yyyz xzzz yzzz xxyy xxzz yyzz xxyz xyyz xyzz; x^a y^b z^c there
                            is divided by sqrt((2a-1)!! (2b-1)!! (2c-1)!!), so that all have the norm of the mixed one
   CONVK_SHELL_SPHERICAL_MOLDEN   S_lm R, m = 0, 1, -1, 2, -2 ..., but x y z for l = 1
   CONVK_SHELL_SPHERICAL_PYSCF    S_lm R, m = -l .. l, but x y z for l = 1, as PySCF (cart=False) has them
   S_lm is the real solid harmonic r^l Y_lm without a sign (-1)^m, so scaled that S_lm R has the norm that convk_shell_normalise
   gives: S_2,-2 = x y, S_20 = (2 z^2 - x^2 - y^2) / (2 sqrt 3), S_22 = (x^2 - y^2) / 2. */
enum {
  CONVK_SHELL_CARTESIAN = 0,
  CONVK_SHELL_SPHERICAL = 1,
  CONVK_SHELL_CARTESIAN_MOLDEN = 2,
  CONVK_SHELL_SPHERICAL_MOLDEN = 3,
  CONVK_SHELL_SPHERICAL_PYSCF = 4
};

/* The largest angular momentum of a shell: g. */
#define CONVK_SHELL_MAX_L 4

/* A shell of contracted Gaussians.  Lengths in the units of the points, exponents a > 0 in their inverse square. */
typedef struct convk_shell {
  double center[3];
  int l;                      /* 0 .. CONVK_SHELL_MAX_L: s p d f g */
  int functions;              /* which ones: CONVK_SHELL_CARTESIAN ... */
  size_t primitives;          /* at least 1 */
  const double *exponents;    /* a_p, finite and positive */
  const double *coefficients; /* c_p, which multiply exp(-a_p r^2) as they stand: see convk_shell_normalise */
} convk_shell;

/* Options of the calls on Gaussians; all 0 (or NULL for the struct) is the default. */
typedef struct convk_gaussian_options {
  int layout;      /* of gridpot: CONVK_GRIDPOT_POINTS_CONTIGUOUS or CONVK_GRIDPOT_EXPONENTS_CONTIGUOUS */
  int compensated; /* 1: the squared distance and its product with the exponent keep what rounding loses, see gridpot */
  double cutoff;   /* exponentials below it count as 0, exactly, element by element; 0: those that are too small anyway, see the
                      calls.  Blocks of points without any above it cost nothing. */
} convk_gaussian_options;

/* A regular grid in space: point (i, j, k) lies at origin + i step_x + j step_y + k step_z.
   origin                  the first point; finite
   step_x, step_y, step_z  from a point to the next one of each axis of the grid: any three vectors that do not lie in a plane.
                           Where they lie along x, along y and along z, of any sign, calls are fastest
   grid                    how many points, and how they lie in arrays: convk_grid3
   period                  0: none; else Gaussians repeat along the direction of this step at distances of so much, at least a
                           step */
typedef struct convk_gaussian_box {
  double origin[3];
  double step_x[3], step_y[3], step_z[3];
  convk_grid3 grid;
  double period[3];
} convk_gaussian_box;

/* The Gaussian grid potential: g(i, j) = exp(alpha_j r_i^2), r_i^2 = |point_i - center|^2.  A physical Gaussian has alpha < 0.
   points      any number, also 0; finite
   gaussians   center, n and alpha: any number of exponents, also 0; all finite.  alpha log2(e) beyond the type's range counts
               as its largest number, and so do distances: their squares and what they are made of
   options     NULL for the default; layout, compensated (0 or 1), cutoff (not negative)
   g           n rows of points->n elements (or points->n rows of n: options->layout) at distance ld, 0: packed; must not
               overlap the inputs.  Past the cache by non-temporal stores where g exceeds the last-level cache
               (hw.tuning.nontemporal).
   Threads: blocks of points and exponents, of at least 16384 exponentials; what is less stays on the caller's thread.
   Errors: NULL, OPTION, NONFINITE (alpha, center, cutoff), COORDINATE (a point), PITCH, OVERFLOW, OVERLAP, HANDLE, THREADS.
   Accuracy: 1.1 ulp of exp(alpha_j s), with s the rounded squared distance; mul-add class: 1 ulp, with alpha_j s rounded too.
   The relative error of an exponential is the absolute one of its argument: rounding the sum of squares costs up to
   3 |alpha r^2| ulp, point - center 2 more and the product of the mul-add class 1 more, at worst.  compensated: all of these
   keep what they lose, 1.2 ulp (mul-add 1.5) of the exact value for the given coordinates; that costs a fifth of the speed.
   +inf beyond the range.  What is less than 1 + 2^-13 times the smallest normal number (1.17563e-38, 2.22529e-308) is 0, so
   that an error of as much adds to the above; no operation meets or makes a subnormal number, which takes some processors a
   hundred times as long, where the data is ordinary (exponents and coordinates whose products are no smaller than that).
   f32 exponents below 1e-30 have fewer digits the smaller they are.
   Both layouts, all cuts and the variants of a class give the same bits.  Elements are stored in long runs; 4 or 8 bytes and
   about 11 operations (f64 16) each: in the caches the operations count, beyond them the stores.
   Source: F. E. Weber III, Performance evaluation of memory and computationally bound chemistry applications on streaming
   GPGPUs and multi-core x86 CPUs, University of Tennessee, 2010, section 4.1, whose matrix is exponents contiguous on GPUs. */
#define CONVK_OP_GRIDPOT_(op) \
  op(gaussian, REAL, gridpot, gridpot, \
     (convk *hw, const convk_points *points, const convk_gaussians *gaussians, const convk_gaussian_options *options, \
      CONVK_T *g, size_t ld), \
     (hw, points, gaussians, options, g, ld))

/* Sums over the exponents without the matrix: sums[s ld + i] = sum_j coefficients[s ldc + j] exp(alpha_j r_i^2), s from 0 to
   nsums - 1.
   gaussians  all members; coefficients are finite (NONFINITE); n and nsums may be 0 (sums over nothing are 0)
   options    layout must be 0
   sums       nsums rows of points->n at distance ld (0: packed)
   Sums run over j in order, in the type itself; error at most (n + 3) eps sum_j |c_j g_j|, and that of g.  A sum is never -0.
   An exponential below 2^-102 = 1.97e-31 (f32) or 2^-969 = 2.0e-292 (f64) counts as nothing, also with a smaller cutoff: that
   is the smallest normal number over eps / 2, so that products with coefficients above 6e-8 or 1.1e-16 are not subnormal.  The
   error of that is at most 1.97e-31 or 2.0e-292 times sum_j |c_j|.
   An exponential serves all sums: it is made once and stays in a register, for more than one sum in L1.  On a regular grid
   convk_gridpot_grid needs none for each point.
   Everything else as gridpot. */
#define CONVK_OP_GRIDPOT_SUM_(op) \
  op(gaussian, REAL, gridpot_sum, gridpot_sum, \
     (convk *hw, const convk_points *points, const convk_gaussians *gaussians, const convk_gaussian_options *options, \
      CONVK_T *sums, size_t ld), \
     (hw, points, gaussians, options, sums, ld))

/* Orbitals on points: value[o ld + i] = sum_f coefficients[o ldc + f] chi_f(point_i), over the functions f of all shells in
   order.  For the points of a regular grid see convk_orbitals_grid, which is many times as fast.
   set        shells and coefficients, see convk_orbital_set; or a plan of them, which makes small calls cheap
   options    cutoff: a primitive counts as 0 where exp(-a r^2) is below it; layout and compensated must be 0.  It also does
              where exp(-a r^2) is below 2^-80 = 8.3e-25 (f32) or 2^-969 = 2.0e-292 (f64), whatever the cutoff is
   value      norbitals rows of points->n at distance ld (0: packed); overlaps nothing
   work       orbitals_work_size bytes, or NULL
   Shells in a row with the same center share its distances; those that have the same exponents too share their exponentials.
   Threads: blocks of points, of at least some 10,000 exponentials and products; what is less stays on the caller's thread.
   Errors: NULL, SIZE (norbitals without coefficients), OPTION (l, functions, no primitives, an exponent that is not positive),
   NONFINITE (exponents, coefficients, centers, cutoff), COORDINATE, PITCH, OVERFLOW, OVERLAP, WORK, PLAN, MEMORY, HANDLE,
   THREADS.
   Accuracy: about (8 + number of functions) eps times the sum of |terms|, and |a r^2| 3 eps of each primitive (mul-add 4),
   where the terms are those of the monomials that make up the functions: a spherical one has some that nearly cancel.
   Primitives that count as nothing add at most |their term|, and results below the smallest normal number are 0.  On the way
   everything is multiplied by a power of 2, so that small coefficients and coordinates make no subnormal numbers.  An f32 call
   takes centers, and in the fused class exponents, with the digits of two floats. */
#define CONVK_OP_ORBITALS_(op) \
  op(gaussian, REAL, orbitals, orbitals, \
     (convk *hw, const convk_points *points, const convk_orbital_set *set, const convk_gaussian_options *options, \
      CONVK_T *value, size_t ld, void *work, size_t work_size), \
     (hw, points, set, options, value, ld, work, work_size))

/* Values, gradients and Laplacians of orbitals: five arrays of norbitals rows.  Coefficients of shells times 4 a^2 must fit the
   type, too (NONFINITE).  On a regular grid: convk_orbitals_grid_vgl.  Everything else as orbitals. */
#define CONVK_OP_ORBITALS_VGL_(op) \
  op(gaussian, REAL, orbitals_vgl, orbitals_vgl, \
     (convk *hw, const convk_points *points, const convk_orbital_set *set, const convk_gaussian_options *options, \
      const convk_vgl *out, void *work, size_t work_size), \
     (hw, points, set, options, out, work, work_size))

/* The density density[i] = sum_o occupations[o] phi_o(point_i)^2 of such orbitals, which are not stored.  Orbitals less than
   2^-51 = 4.4e-16 (f32) or 2^-485 = 1.0e-146 (f64) count as nothing, an error of at most 2.0e-31 or 1.0e-292 times their
   occupation.
   set        with occupations, or a plan that has some (PLAN)
   On a regular grid convk_density_grid is many times as fast.
   Everything else as orbitals. */
#define CONVK_OP_DENSITY_(op) \
  op(gaussian, REAL, density, density, \
     (convk *hw, const convk_points *points, const convk_orbital_set *set, const convk_gaussian_options *options, \
      CONVK_T *density, void *work, size_t work_size), \
     (hw, points, set, options, density, work, work_size))

/* Orbitals on a regular grid: the numbers of convk_orbitals at its points, many times as fast, for on axes exp(-a r^2) is a
   product of three factors, and no point needs an exponential.
   box        where the points are, and how results lie in memory; elements of the pitch between them are not touched
   set        shells and coefficients, see convk_orbital_set; set->plan must be NULL (PLAN)
   options    cutoff: a primitive counts as nothing where exp(-a r^2) is below it, in parts of rows at a time; layout and
              compensated must be 0.  It is at least 2^-38 = 3.6e-12 (f32) or 2^-68 = 3.4e-21 (f64), which is also the default
   value      norbitals grids at distance ld (0: nz pitch_z); overlaps nothing
   work       convk_orbitals_grid_work_size bytes, or NULL
   What a primitive costs grows with the part of the grid where it counts: a large molecule costs what its atoms do.  Shells in
   a row that have one center share tables where they have equal exponents.  Images of periodic axes are summed in the tables:
   they cost next to nothing.
   Other steps: tiles of 4 by 4 rows along step_x take for each primitive an exponential for each point of one row, and products
   with tables make the others.  Rows that differ by steps normal to step_x share all of it: it is best that step_x is normal to
   step_y, to step_z, or to both, and that rows are long.  Where it is normal to none of them, and rows have 80 points, one
   orbital takes a tenth (f64) to a third (f32) of the time of lists of these points, and five take 0.2 to 0.6 of it; with 20
   points f64 takes 0.5 to 1 of it, f32 0.8 to 2.  Where step_y or step_z goes further than two and a half times step_x along
   that, tiles have fewer rows; where both do, each row is for itself.  Images count as primitives do, each where it reaches.
   Devices take an exponential for each point, primitive and image there, as lists of points do, where a block of 16 by 8 points
   is near enough; once for 8 orbitals, with derivatives or at points k for 4.  OpenCL and CUDA have the same bits.
   Threads: columns of tiles of the grid; any number of them gives the same bits.
   Errors: NULL, SIZE, OPTION (as orbitals; a step that is 0, steps along one line or in one plane, to an angle of 2^-30; a
   period that is negative or shorter than its step), NONFINITE, OVERFLOW, PITCH, OVERLAP, WORK, PLAN, MEMORY, RANGE (an
   exponent that reaches over 5000 periods), HANDLE, THREADS; on devices DEVICE, UNSUPPORTED (too little local memory), and
   with OpenCL FP64 (of both types: tables are made by doubles), BUILD.
   Accuracy: about (8 + number of terms) eps of the sum of |terms|, f64 and f32 alike, as points and distances have twice the
   digits: 4e-16 times the square root of the number of terms, and 4e-7, of the largest value of ordinary orbitals.  What is
   left out adds at most cutoff times the sum of |c| r^l; values far from all centers have fewer correct digits for that.
   Other steps: the same, with terms of |c| r^l for r the distance from the center, as polynomials are turned to the axes of
   rows; in derivatives, of |c| l r^(l-1) and |c| 2 a r^(l+1).  The same on devices, whose bits are not those of processors
   there.
   Where coefficients are so small that products of them with the cutoff are subnormal, those are slow. */
#define CONVK_OP_ORBITALS_GRID_(op) \
  op(gaussian, REAL, orbitals_grid, orbitals_grid, \
     (convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set, const convk_gaussian_options *options, \
      CONVK_T *value, size_t ld, void *work, size_t work_size), \
     (hw, box, set, options, value, ld, work, work_size))

/* Values, gradients and Laplacians of orbitals on a regular grid: five times norbitals grids at distance out->ld (0: nz
   pitch_z).  Four times the squares of exponents, and their products with coefficients, must fit the type (NONFINITE).
   Everything else as orbitals_grid. */
#define CONVK_OP_ORBITALS_GRID_VGL_(op) \
  op(gaussian, REAL, orbitals_grid_vgl, orbitals_grid_vgl, \
     (convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set, const convk_gaussian_options *options, \
      const convk_vgl *out, void *work, size_t work_size), \
     (hw, box, set, options, out, work, work_size))

/* The density of orbitals on a regular grid, which are not stored, and if wanted its gradient and the density of kinetic
   energy.
   set   with occupations
   out   a grid each: see convk_density_parts
   Orbitals and derivatives less than 2^-51 = 4.4e-16 (f32) or 2^-485 = 1.0e-146 (f64) count as nothing.  Everything else as
   orbitals_grid, with derivatives as orbitals_grid_vgl. */
#define CONVK_OP_DENSITY_GRID_(op) \
  op(gaussian, REAL, density_grid, density_grid, \
     (convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set, const convk_gaussian_options *options, \
      const convk_density_parts *out, void *work, size_t work_size), \
     (hw, box, set, options, out, work, work_size))

/* Sums of Gaussians about one center on a regular grid: sums of row s are sum_j coefficients[s ldc + j] exp(alpha_j r^2).  Sums
   over Gaussians about many centers are orbitals_grid of s shells.
   gaussians  all members, see convk_gaussians; alpha < 0 (OPTION), coefficients finite (NONFINITE)
   sums       nsums grids at distance ld (0: nz pitch_z); overlaps nothing
   work       convk_gridpot_grid_work_size bytes, or NULL
   Everything else as orbitals_grid. */
#define CONVK_OP_GRIDPOT_GRID_(op) \
  op(gaussian, REAL, gridpot_grid, gridpot_grid, \
     (convk *hw, const convk_gaussian_box *box, const convk_gaussians *gaussians, const convk_gaussian_options *options, \
      CONVK_T *sums, size_t ld, void *work, size_t work_size), \
     (hw, box, gaussians, options, sums, ld, work, work_size))

/* Bloch sums of orbitals on a periodic grid, at a point k: phi_k(r) = sum over images n of exp(i k R_n) phi(r - R_n), where
   R_n is n[d] periods along each axis, and k R_n the sum of k[d] n[d] period[d].  So phi_k(r + R_n) = exp(i k R_n) phi_k(r).
   box     with steps of any kind, and at least one period, or else the sum is over nothing but phi itself
   bloch   see convk_bloch: k (NONFINITE, RANGE where k[d] period[d] exceeds 2^30) and imaginary parts, for which set needs
           coefficients (NULL)
   value   norbitals grids of complex numbers, real and imaginary part beside each other; pitches of the grid and ld count
           complex numbers
   work    convk_orbitals_grid_k_work_size bytes, or NULL
   Where steps lie along x, y and z, tables along the axes whose images have phases are complex, and weights where others or
   coefficients are: of 4 multiply-adds for each table, orbital and point, those with 0 are left out.
   k = 0, or whole turns of every period, with real coefficients gives the bits of orbitals_grid, and imaginary parts of 0.
   Everything else as orbitals_grid. */
#define CONVK_OP_ORBITALS_GRID_K_(op) \
  op(gaussian, REAL, orbitals_grid_k, orbitals_grid_k, \
     (convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set, const convk_bloch *bloch, \
      const convk_gaussian_options *options, CONVK_T *value, size_t ld, void *work, size_t work_size), \
     (hw, box, set, bloch, options, value, ld, work, work_size))

/* The density of such orbitals: density[i] = sum over orbitals of occupation |phi_k|^2, of real numbers.
   set   with occupations
   add   0, or 1: is added to what is there, so that a sum over points k, whose weights are part of occupations, takes a call
         for each (OPTION)
   Everything else as orbitals_grid_k and density_grid. */
#define CONVK_OP_DENSITY_GRID_K_(op) \
  op(gaussian, REAL, density_grid_k, density_grid_k, \
     (convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set, const convk_bloch *bloch, \
      const convk_gaussian_options *options, CONVK_T *density, int add, void *work, size_t work_size), \
     (hw, box, set, bloch, options, density, add, work, work_size))

/* The operations of this family; see core/operations.h. */
#define CONVK_GAUSSIAN_OPERATIONS_(op) \
  CONVK_OP_GRIDPOT_(op) \
  CONVK_OP_GRIDPOT_SUM_(op) \
  CONVK_OP_ORBITALS_(op) \
  CONVK_OP_ORBITALS_VGL_(op) \
  CONVK_OP_DENSITY_(op) \
  CONVK_OP_ORBITALS_GRID_(op) \
  CONVK_OP_ORBITALS_GRID_VGL_(op) \
  CONVK_OP_DENSITY_GRID_(op) \
  CONVK_OP_GRIDPOT_GRID_(op) \
  CONVK_OP_ORBITALS_GRID_K_(op) \
  CONVK_OP_DENSITY_GRID_K_(op)

#if CONVK_HAS_GAUSSIAN_
/* How many functions a shell of angular momentum l has, for CONVK_SHELL_CARTESIAN ..., or CONVK_ERR_OPTION. */
CONVK_API_ int convk_shell_functions(int l, int functions);

/* Looks at all that the calls ask of shells, whatever the type, and counts their functions: *count is set (NULL: not wanted).
   hw   an open handle, whose message then says which shell and what of it is wrong; or NULL
   Errors: NULL, OPTION (l, functions, no primitives, an exponent that is not positive), NONFINITE, OVERFLOW, HANDLE. */
CONVK_API_ int convk_shells_functions(convk *hw, size_t nshells, const convk_shell *shells, size_t *count);

/* Coefficients of a shell from those of its normalised primitives, as files of basis sets give them: coefficients[p] =
   N contraction[p] (2 a_p / pi)^(3/4) (4 a_p)^(l/2), with N such that x y z ... R, and so every S_lm R, has the norm 1:
   1 / N^2 = sum over p, q of contraction[p] contraction[q] (2 sqrt(a_p a_q) / (a_p + a_q))^(l + 3/2).
   hw            an open handle for the message, or NULL
   l             0 .. CONVK_SHELL_MAX_L
   exponents     `primitives` >= 1 finite positive numbers
   coefficients  may be contraction: in place
   Errors: NULL, OPTION (l, no primitives, an exponent that is not positive), NONFINITE (also where the norm or a result is 0 or
   not finite), HANDLE. */
CONVK_API_ int convk_shell_normalise(convk *hw, int l, size_t primitives, const double *exponents, const double *contraction,
                                     double *coefficients);
#endif

/* points in a block of gridpot, gridpot_sum and orbitals, at most */
#define CONVK_GAUSSIAN_TUNING_(parameter) parameter(size_t, gaussian_points, ROWS)
#define CONVK_GAUSSIAN_TUNABLES_(tunable) \
  tunable(GAUSSIAN, gaussian, gridpot, f32, F32, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 0) \
  tunable(GAUSSIAN, gaussian, gridpot, f64, F64, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 0) \
  tunable(GAUSSIAN, gaussian, gridpot_sum, f32, F32, CONVK_TUNE_SIZES_, 1) \
  tunable(GAUSSIAN, gaussian, gridpot_sum, f64, F64, CONVK_TUNE_SIZES_, 1) \
  tunable(GAUSSIAN, gaussian, orbitals, f32, F32, CONVK_TUNE_SIZES_, 2) \
  tunable(GAUSSIAN, gaussian, orbitals, f64, F64, CONVK_TUNE_SIZES_, 2)
