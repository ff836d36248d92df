/* A point k of reciprocal space, and what makes coefficients complex.
   k           inverse lengths along the steps of a box: an image n periods along axis d gets the factor
               exp(i k[d] n period[d]); axes without a period do not look at it
   imag        the imaginary parts of the coefficients of a set, laid out as those; NULL: none */
typedef struct convk_bloch {
  double k[3];
  const CONVK_T *imag;
} convk_bloch;

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
   Oblique cells: put an axis that is normal to another one along step_x, and make rows long.  A tile has 4 by 4 rows along
   step_x.  A primitive takes an exponential for each point of one row, and products with tables make the others; rows that
   differ by steps normal to step_x share all of it.  Time over that of lists of points, where step_x is normal to neither:
     rows of 80 points   one orbital 0.1 (f64) to 0.33 (f32), five 0.2 to 0.6
     rows of 20 points   f64 0.5 to 1, f32 0.8 to 2
   Where step_y or step_z goes further than two and a half times step_x along that, tiles have fewer rows; where both do, each
   row is for itself.  Images count as primitives do, each where it reaches.
   Devices take an exponential for each point, primitive and image there, as lists of points do, where a block of 16 by 8 points
   is near enough; once for 8 orbitals, with derivatives or at points k for 4.  OpenCL and CUDA have the same bits.
   Threads: columns of tiles of the grid; any number of them gives the same bits.
   Errors: NULL, SIZE, OPTION (as orbitals; a step that is 0, steps along one line or in one plane, to an angle of 2^-30; a
   period that is negative or shorter than its step), NONFINITE, OVERFLOW, PITCH, OVERLAP, WORK, PLAN, MEMORY, RANGE (an
   exponent that reaches over 5000 periods, a center more than 2^48 periods from the box), HANDLE, THREADS; on devices DEVICE,
   UNSUPPORTED (too little local memory), and with OpenCL FP64 (of both types: tables are made by doubles), BUILD.
   Accuracy: about (8 + number of terms) eps of the sum of |terms|, f64 and f32 alike, as points and distances have twice the
   digits: 4e-16 times the square root of the number of terms, and 4e-7, of the largest value of ordinary orbitals.  What is
   left out adds at most cutoff times the sum of |c| r^l; values far from all centers have fewer correct digits for that.
   Oblique cells: the same, with terms of |c| r^l for r the distance from the center, as polynomials are turned to the axes of
   rows; in derivatives, of |c| l r^(l-1) and |c| 2 a r^(l+1).  The same on devices, whose bits are not those of processors
   there.
   Where coefficients are so small that products of them with the cutoff are subnormal, those are slow. */
CONVK_OPERATION_ int convk_orbitals_grid(convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set,
                                         const convk_gaussian_options *options, CONVK_T *value, size_t ld, void *work,
                                         size_t work_size);

/* Values, gradients and Laplacians of orbitals on a regular grid: five times norbitals grids at distance out->ld (0: nz
   pitch_z).  Four times the squares of exponents, and their products with coefficients, must fit the type (NONFINITE).
   Everything else as orbitals_grid. */
CONVK_OPERATION_ int convk_orbitals_grid_vgl(convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set,
                                             const convk_gaussian_options *options, const convk_vgl *out, void *work,
                                             size_t work_size);

/* The density of orbitals on a regular grid, which are not stored, and if wanted its gradient and the density of kinetic
   energy.
   set   with occupations.  Of a symmetric density matrix give its eigenvectors as coefficients, and its eigenvalues as
         occupations, which may be negative
   out   a grid each: see convk_density_parts
   Orbitals and derivatives less than 2^-51 = 4.4e-16 (f32) or 2^-485 = 1.0e-146 (f64) count as nothing.  Everything else as
   orbitals_grid, with derivatives as orbitals_grid_vgl. */
CONVK_OPERATION_ int convk_density_grid(convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set,
                                        const convk_gaussian_options *options, const convk_density_parts *out, void *work,
                                        size_t work_size);

/* Sums of Gaussians about one center on a regular grid: sums of row s are sum_j coefficients[s ldc + j] exp(alpha_j r^2).  Sums
   over Gaussians about many centers are orbitals_grid of s shells.
   gaussians  all members, see convk_gaussians; alpha < 0 (OPTION), coefficients finite (NONFINITE)
   sums       nsums grids at distance ld (0: nz pitch_z); overlaps nothing
   work       convk_gridpot_grid_work_size bytes, or NULL
   Everything else as orbitals_grid. */
CONVK_OPERATION_ int convk_gridpot_grid(convk *hw, const convk_gaussian_box *box, const convk_gaussians *gaussians,
                                        const convk_gaussian_options *options, CONVK_T *sums, size_t ld, void *work,
                                        size_t work_size);

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
CONVK_OPERATION_ int convk_orbitals_grid_k(convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set,
                                           const convk_bloch *bloch, const convk_gaussian_options *options, CONVK_T *value,
                                           size_t ld, void *work, size_t work_size);

/* The density of such orbitals: density[i] = sum over orbitals of occupation |phi_k|^2, of real numbers.
   set   with occupations
   add   0, or 1: is added to what is there, so that a sum over points k, whose weights are part of occupations, takes a call
         for each (OPTION)
   Everything else as orbitals_grid_k and density_grid. */
CONVK_OPERATION_ int convk_density_grid_k(convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set,
                                          const convk_bloch *bloch, const convk_gaussian_options *options, CONVK_T *density,
                                          int add, void *work, size_t work_size);

/* Bytes of work for orbitals_grid, orbitals_grid_vgl and density_grid of this set, or of fewer shells or orbitals, in this box,
   or in one of fewer points with the same steps, on this handle (NULL: serial).  Coefficients and occupations are not looked
   at; norbitals 0 stands for as many as there are functions.
   Errors: NULL, SIZE, OPTION, NONFINITE, PITCH, OVERFLOW, RANGE, PLAN, HANDLE; *bytes then stays as it is. */
CONVK_API_ int convk_orbitals_grid_work_size(convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set,
                                             size_t *bytes);

/* The same of orbitals_grid_k and density_grid_k. */
CONVK_API_ int convk_orbitals_grid_k_work_size(convk *hw, const convk_gaussian_box *box, const convk_orbital_set *set,
                                               size_t *bytes);

/* The same of gridpot_grid; coefficients are not looked at, alpha is. */
CONVK_API_ int convk_gridpot_grid_work_size(convk *hw, const convk_gaussian_box *box, const convk_gaussians *gaussians,
                                            size_t *bytes);
