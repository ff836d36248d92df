

/* The constants of a system, in the type of the pair terms. */
typedef struct convk_pairs_terms_ {
  int periodic, kind, bump; /* kind: of the potential near by, 0 where powers of 1 / r are all of it */
  CONVK_T period[3], inverse[3];
  CONVK_T limit;         /* square of the cutoff, or beyond every distance */
  CONVK_T w[4];          /* u' / r = s (s (w[0] / r^3 + w[1]) + w[2]) - w[3] / r with s = 1 / r^2: 5 p5, 2 p2, -p0, p1 */
  CONVK_T distant[4];    /* V = s^3 (distant[0] + s distant[1] + ...) */
  CONVK_T near_by, damp; /* squares of the distances below which there is more, and of d */
  CONVK_T per_rm, a, alpha, beta, d;
  CONVK_T bump_height, bump_middle, bump_scale;
  const double *values;
  size_t entries;
  double first, per_spacing;
  double p[4], shift, hbar2_2m; /* shift: u at the cutoff */
  int counts;                   /* whether there is a cutoff */
  double edge[4];               /* derivatives of the shift by p */
} convk_pairs_terms_;

#define CONVK_PAIRS_LANES_ (64 / sizeof(CONVK_T)) /* sums are over so many interleaved lanes, on all hardware */

/* Two blocks of particles, or one and itself.  Coordinates: x of the block, y, z; arrays are filled up to whole blocks. */
typedef struct convk_pairs_tile_ {
  const CONVK_T *rows, *columns;
  const CONVK_T *limit;                    /* of columns: the system's, or 0 for what counts as nothing */
  CONVK_T *row_gradient, *column_gradient; /* [3][CONVK_PAIRS_BLOCK_]: set for rows, and for columns of another block */
  size_t nrows, ncolumns;
  int own, all, want; /* all: no column counts as nothing */
  double *sum;        /* [CONVK_PAIRS_SUMS_][CONVK_PAIRS_LANES_]: added to */
  convk_pairs_sums_ *product;
} convk_pairs_tile_;

/* One particle before and after a move, and a block of others. */
typedef struct convk_pairs_row_ {
  CONVK_T at[2][3]; /* before, after */
  const CONVK_T *x[3], *limit;
  size_t n; /* of a block, filled up to whole sets of lanes */
  int want;
  CONVK_T *gradient[3];      /* NULL, or of the others: the change is added */
  double *sum;               /* [3][CONVK_PAIRS_LANES_]: added to, after less before */
  double *force;             /* [6][CONVK_PAIRS_LANES_]: gradients before and after, with CONVK_PAIR_GRADIENT */
  convk_pairs_sums_ *product; /* of r^2 after over that before */
} convk_pairs_row_;

/* The pairs of two or three particles, one in each lane: their differences, then those times u' / r; and what they add to sums
   and products. */
typedef struct convk_pairs_few_lanes_ convk_pairs_few_lanes_;
#if CONVK_MODE_ != 1 /* no reader of declarations needs to compute sizes */
struct convk_pairs_few_lanes_ {
  CONVK_T way[3][2 * CONVK_PAIRS_LANES_], limit[2 * CONVK_PAIRS_LANES_];
  CONVK_T sum[CONVK_PAIRS_SUMS_][2 * CONVK_PAIRS_LANES_], product[2 * CONVK_PAIRS_LANES_], exponent[2 * CONVK_PAIRS_LANES_];
};
#endif

typedef struct convk_pairs_kernels_ {
  void (*tile)(const convk_pairs_terms_ *terms, const convk_pairs_tile_ *tile);
  void (*row)(const convk_pairs_terms_ *terms, const convk_pairs_row_ *row);
  void (*potential)(const convk_pairs_terms_ *terms, size_t n, const CONVK_T *r, CONVK_T *v);
  void (*few)(const convk_pairs_terms_ *terms, size_t n, size_t pitch, int want, const CONVK_T *r, convk_pairs_few_lanes_ *p);
  int (*inside)(size_t n, const CONVK_T *r); /* whether all coordinates are finite, and within the range */
} convk_pairs_kernels_;

/* The state of a run, in memory of the caller: plain data without pointers, at any alignment, which may be copied, written to a
   file and read again on a machine of the same byte order. */
typedef struct convk_vmc_state convk_vmc_state;

#if CONVK_HAS_VMC_ && CONVK_HAS_TYPE_
/* Bytes of work for pair_energy of so many walkers of n particles on this handle (NULL: of one thread), and for all that is
   smaller.  Errors: SIZE (no particles), PARTICLES (one), OVERFLOW, NULL, HANDLE; then *bytes stays as it is. */
CONVK_API_ int convk_pair_energy_work_size(convk *hw, size_t particles, size_t walkers, size_t *bytes);

/* Bytes of work for convk_vmc_run and convk_vmc_minimise on this handle (NULL: of one thread), and for fewer particles or
   walkers.  Errors: HANDLE, and for what they refuse theirs; then *bytes stays as it is. */
CONVK_API_ int convk_vmc_work_size(convk *hw, const convk_vmc *vmc, size_t *bytes);

/* Bytes of a state.  hw: NULL, or for a message; here and below, where a state is begun, looked at or gathered.  Errors: for
   what convk_vmc_begin refuses of vmc its own; then *bytes stays as it is. */
CONVK_API_ int convk_vmc_state_size(convk *hw, const convk_vmc *vmc, size_t *bytes);

/* Begins a run: fills a state.
   vmc     see convk_vmc; the same must be given to every call that goes on with the state
   r       coordinates to begin with, x y z of walker after walker, packed; NULL: near the sites of a cubic lattice, in a ball
           or throughout the box
   state   of convk_vmc_state_size bytes, at any alignment
   Errors: NULL, SIZE (no particles or walkers), PARTICLES (one), OVERFLOW, NONFINITE, OPTION, BOX, POTENTIAL, PART, RANGE (what
   no run can keep within the range of coordinates: steps beyond 2^19 (f64) or 32 (f32), periods beyond 2^26 or 2^12, particles
   further than 2^27 or 2^13 from the middle of a cluster; coordinates or constants too large for the type), COORDINATE, STATE
   (too small), OVERLAP, HANDLE. */
CONVK_API_ int convk_vmc_begin(convk *hw, const convk_vmc *vmc, const CONVK_T *r, convk_vmc_state *state, size_t state_size);

/* Whether a state is whole and belongs to this run: what convk_vmc_run checks before anything else.
   Errors: NULL, STATE (not whole, damaged, or of another version or precision), SETUP (of another system, method or seed), and
   those of convk_vmc_begin. */
CONVK_API_ int convk_vmc_check(convk *hw, const convk_vmc *vmc, const convk_vmc_state *state, size_t state_size);

/* The coordinates of a state's walkers: r of walkers x 3 x particles, x y z of walker after walker.  Errors: as
   convk_vmc_check, and OVERLAP. */
CONVK_API_ int convk_vmc_positions(convk *hw, const convk_vmc *vmc, const convk_vmc_state *state, size_t state_size,
                                   CONVK_T *r);

/* What a run has found so far.
   state    as convk_vmc_run left it, of any part; not changed
   Errors: NULL, STATE (not whole, of another version or precision, or damaged), HANDLE. */
CONVK_API_ int convk_vmc_results(convk *hw, const convk_vmc_state *state, size_t state_size, convk_vmc_result *result);

/* Gathers a state for vmc's part from states of other parts of the same run, such as a checkpoint of more or fewer processes.
   vmc      as given to convk_vmc_begin, but for its part
   state    of convk_vmc_state_size bytes; from: whole.  They must not overlap
   taken    0 before the first call, which gives the state its head; then how many of its walkers are there.  Call it with one
            state after another, until it is vmc.part.walkers: until then the state is refused by all but convk_vmc_results
   Errors: NULL, STATE (from is not whole, damaged or of the other precision; state is too small or not from the call before),
   SETUP (of another system, method, seed or time), OVERLAP, and those of convk_vmc_begin. */
CONVK_API_ int convk_vmc_take(convk *hw, const convk_vmc *vmc, convk_vmc_state *state, size_t state_size,
                              const convk_vmc_state *from, size_t from_size, size_t *taken);

/* Lowers the energy over the parameters of the trial function.  In each iteration their change is -(B + mu S)^-1 f, with
     f_i = <O_i E> - <O_i> <E>,  B_ij = hbar2_2m <sum over particles of grad O_i . grad O_j>,  S_ij = <O_i O_j> - <O_i> <O_j>
   where O_i = d ln Psi / d p_i and E is the local energy.  2 f is the gradient of the energy, and 2 B that part of its second
   derivatives which is always positive, and all of them where Psi is the ground state: without mu this is Newton's method,
   with a large one it is stochastic reconfiguration (S. Sorella, Phys. Rev. B 64, 024512, 2001; C. J. Umrigar, C. Filippi,
   Phys. Rev. Lett. 94, 150201, 2005).  mu is 1 / rate, or 10 times the error of the energy and a quarter more of that with
   each iteration, and more where else the normalised wave function would change by more than 0.4 (in the norm of S).  p5
   changes by a tenth at most, and p2 by what counts as much where p5 / r^5 is 1; p1 of a cluster stays positive.  A cluster
   whose energy is positive gains most by falling apart: until it is negative, energy / kinetic energy is lowered instead,
   which does not depend on how large all is.  The step of moves is tuned from iteration to iteration, if vmc has it tuned at
   all.  The parameters of the last quarter of the iterations are averaged, and a longer run with them gives the energy and
   its error bar.
   vmc      the trial function is changed; the rest as convk_vmc_run, with at least one measurement per iteration
   options  NULL or zeros: defaults.  After a `look` that had enough, the last parameters are taken
   state    of this vmc; afterwards of the new one, after the final run
   result   of the final run
   work     convk_vmc_work_size bytes
   From poor parameters it takes some 10 iterations to where sampling hides the rest.  With 64 walkers and the defaults three
   atoms of helium come within 0.5 mK of their least energy (-126 mK), and two within 0.5 mK (-1.1 mK).
   With a cutoff it is potential + kinetic_gradient that is lowered, the energy of the wave function; it scatters more than the
   local energy, and wants more sweeps.
   Errors: as convk_vmc_run; OPTION, NONFINITE (options); SINGULAR (no parameter is free, or they cannot be told apart);
   RANGE, too, for a trial function to begin with that does not bind: in open space without a cutoff p1 must be positive, or 0
   with N p0 > 3.  After an error vmc and state belong together, and the state may have gone on. */
CONVK_API_ int convk_vmc_minimise(convk *hw, convk_vmc *vmc, const convk_vmc_minimise_options *options, convk_vmc_state *state,
                                  size_t state_size, convk_vmc_result *result, void *work, size_t work_size);
#endif
