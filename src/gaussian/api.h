/* Points (x[i stride], y[i stride], z[i stride]), i = 0 .. n - 1.  A stride of 0 means 1: three arrays; packed xyz is
   {n, p, p + 1, p + 2, 3}. */
typedef struct convk_points {
  size_t n;
  const CONVK_T *x, *y, *z;
  size_t stride;
} convk_points;

/* Exponents about a center; the last three are of gridpot_sum.  Zeros are the origin and no exponents. */
typedef struct convk_gaussians {
  CONVK_T center[3];
  size_t n;             /* exponents */
  const CONVK_T *alpha; /* n of them */
  size_t nsums;
  const CONVK_T *coefficients; /* nsums rows of n at distance ldc, 0: packed */
  size_t ldc;
} convk_gaussians;

/* Shells and what orbitals are made of, prepared for any number of calls: see convk_orbitals_prepare. */
typedef struct convk_orbitals_plan convk_orbitals_plan;

/* Orbitals over the functions of shells.
   norbitals      rows of coefficients; without coefficients 0, or the number of functions
   coefficients   norbitals rows of all functions at distance ldc (0: packed); NULL: the functions themselves
   occupations    norbitals finite numbers, which density takes and other calls do not look at
   plan           NULL, or what orbitals_prepare made of all these, which are then not looked at */
typedef struct convk_orbital_set {
  size_t nshells;
  const convk_shell *shells;
  size_t norbitals;
  const CONVK_T *coefficients;
  size_t ldc;
  const CONVK_T *occupations;
  const convk_orbitals_plan *plan;
} convk_orbital_set;

/* Results of orbitals_vgl: norbitals rows of points->n elements each, at distance ld (0: packed). */
typedef struct convk_vgl {
  CONVK_T *value, *dx, *dy, *dz, *laplacian;
  size_t ld;
} convk_vgl;

/* Results of density_grid, arrays of the box's grid; all but the density may be NULL: not wanted.
   density      sum over orbitals of occupation phi^2
   dx, dy, dz   its gradient, all three or none
   tau          the density of kinetic energy, half the sum of occupation |grad phi|^2 */
typedef struct convk_density_parts {
  CONVK_T *density, *dx, *dy, *dz, *tau;
} convk_density_parts;

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
CONVK_OPERATION_ int convk_gridpot(convk *hw, const convk_points *points, const convk_gaussians *gaussians,
                                   const convk_gaussian_options *options, CONVK_T *g, size_t ld);

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
CONVK_OPERATION_ int convk_gridpot_sum(convk *hw, const convk_points *points, const convk_gaussians *gaussians,
                                       const convk_gaussian_options *options, CONVK_T *sums, size_t ld);

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
CONVK_OPERATION_ int convk_orbitals(convk *hw, const convk_points *points, const convk_orbital_set *set,
                                    const convk_gaussian_options *options, CONVK_T *value, size_t ld, void *work,
                                    size_t work_size);

/* Values, gradients and Laplacians of orbitals: five arrays of norbitals rows.  Coefficients of shells times 4 a^2 must fit the
   type, too (NONFINITE).  On a regular grid: convk_orbitals_grid_vgl.  Everything else as orbitals. */
CONVK_OPERATION_ int convk_orbitals_vgl(convk *hw, const convk_points *points, const convk_orbital_set *set,
                                        const convk_gaussian_options *options, const convk_vgl *out, void *work,
                                        size_t work_size);

/* The density density[i] = sum_o occupations[o] phi_o(point_i)^2 of such orbitals, which are not stored.  Orbitals less than
   2^-51 = 4.4e-16 (f32) or 2^-485 = 1.0e-146 (f64) count as nothing, an error of at most 2.0e-31 or 1.0e-292 times their
   occupation.
   set        with occupations, or a plan that has some (PLAN)
   On a regular grid convk_density_grid is many times as fast.
   Everything else as orbitals. */
CONVK_OPERATION_ int convk_density(convk *hw, const convk_points *points, const convk_orbital_set *set,
                                   const convk_gaussian_options *options, CONVK_T *density, void *work, size_t work_size);

/* Bytes of work for orbitals, orbitals_vgl and density of this set, or of fewer shells or orbitals, on this handle (NULL:
   serial).  Coefficients and occupations are not looked at; norbitals 0 stands for as many as there are functions.  Devices
   need no work and ignore what they get.
   Errors: NULL, OPTION, NONFINITE, OVERFLOW, PLAN, HANDLE; *bytes then stays as it is. */
CONVK_API_ int convk_orbitals_work_size(convk *hw, const convk_orbital_set *set, size_t *bytes);

/* Bytes of a plan of this set (whose coefficients are given or not, but not read), or of fewer shells or orbitals.
   hw   an open handle for the message, or NULL.  Errors: as orbitals_work_size, and SIZE. */
CONVK_API_ int convk_orbitals_plan_size(convk *hw, const convk_orbital_set *set, size_t *bytes);

/* Makes a plan: all that calls check, group and convert of a set, so that a call on few points costs little more than its
   arithmetic.  It lies in memory of the caller, holds no pointers, may be copied, and is only read by calls: by any threads and
   any hardware at once.  Results have the bits that they have without a plan.
   hw     an open handle for the message, or NULL: plans are the same for all hardware
   set    set->plan is not looked at; occupations may be NULL, then density refuses the plan
   plan   plan_size bytes at a multiple of 8, at least orbitals_plan_size; overlaps nothing
   Errors: those of orbitals that concern the set; WORK (plan_size), PLAN (where it lies), OVERLAP. */
CONVK_API_ int convk_orbitals_prepare(convk *hw, const convk_orbital_set *set, convk_orbitals_plan *plan, size_t plan_size);

/* How many bytes of a plan, from its beginning on, calls on device memory need on the device.  Errors: NULL, PLAN, HANDLE. */
CONVK_API_ int convk_orbitals_plan_bytes(convk *hw, const convk_orbitals_plan *plan, size_t *bytes);
