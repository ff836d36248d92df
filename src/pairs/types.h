#define CONVK_PAIRS_STATUS_(item) \
  item(CONVK_ERR_PARTICLES, -32, "one particle alone has no pairs") \
  item(CONVK_ERR_BOX, -33, "a periodic box is only partly given, or too small for its cutoff or for a pair") \
  item(CONVK_ERR_STATE, -34, "no state of this version and precision, or a damaged one") \
  item(CONVK_ERR_SETUP, -35, "the state is of another system, method or seed") \
  item(CONVK_ERR_SINGULAR, -36, "the parameters cannot be told apart by this sample") \
  item(CONVK_ERR_POTENTIAL, -37, "a pair potential has parameters that it does not take") \
  item(CONVK_ERR_PART, -42, "the parts of a run are not all of its walkers, one after another")
#define CONVK_PAIRS_BLOCK_ 64   /* particles of a block; a multiple of all lanes */
#define CONVK_PAIRS_STRIPES_ 16 /* tasks of one walker, at most */
#define CONVK_PAIRS_SUMS_ 8

/* Where lane k < 16 is added when k goes from the last down to 1: to lane k less its highest bit.  Of 8 lanes 7, 6, 5 and 4 are
   added to 3, 2, 1 and 0, then 3 and 2 to 1 and 0, and 1 to 0, so that vectors of any width find the same sum,
   ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)). */
#define CONVK_PAIRS_ONTO_(k) ((k) - ((k)&8 ? 8 : (k)&4 ? 4 : (k)&2 ? 2 : 1))

/* The trial function ln Psi = sum of u(r) over all pairs, u(r) = -p5 / r^5 - p2 / r^2 - p0 ln r - p1 r.  Any finite numbers; 0:
   no such term.  With a cutoff, u(r) - u(cutoff) within it. */
typedef struct convk_pair_trial {
  double p5, p2, p0, p1;
} convk_pair_trial;

/* What kind of function a pair potential is; see convk_pair_potential. */
enum { CONVK_POTENTIAL_NONE = 0, CONVK_POTENTIAL_HFD = 1, CONVK_POTENTIAL_LENNARD_JONES = 2, CONVK_POTENTIAL_TABLE = 3 };

/* A pair potential V(r), which convk_pair_hfdhe2(), convk_pair_hfdb(), convk_pair_lm2m2(),
   convk_pair_lennard_jones() and convk_pair_table() fill.
   NONE           0 everywhere
   HFD            with x = r / rm: epsilon {a exp(-alpha x + beta x^2) - F(x) (c6 / x^6 + c8 / x^8 + c10 / x^10)}, where F is
                  exp(-(d / x - 1)^2) for x < d and 1 beyond; for x1 <= x <= x2 a bump adds
                  epsilon bump {sin(2 pi (x - x1) / (x2 - x1) - pi / 2) + 1}.  epsilon, rm, a and alpha are positive, beta is
                  not, c6 is positive, and d may be 0
   LENNARD_JONES  4 epsilon {(rm / r)^12 - (rm / r)^6}: rm is sigma
   TABLE          cubic interpolation (four points) of values[k] at first + k spacing, k < entries; values[0] below, 0 beyond
   In K and Angstrom where the predefined ones are used. */
typedef struct convk_pair_potential {
  int kind;
  double epsilon, rm, a, alpha, beta, c6, c8, c10, d;
  double bump, x1, x2;
  const double *values;  /* of a table; must live as long as the calls */
  size_t entries;        /* at least 4 */
  double first, spacing; /* at least 0; positive */
} convk_pair_potential;

/* Identical particles with pair interactions; zero-initialise it, then set what there is. */
typedef struct convk_pair_system {
  size_t particles; /* N, at least 2 */
  convk_pair_trial trial;
  convk_pair_potential potential;
  double box[3];   /* periods of a rectangular box with nearest images; all 0: open space */
  double cutoff;   /* pairs at and beyond it count as nothing; 0: none in open space, half the shortest period in a box,
                            which is also the most */
  double hbar2_2m; /* hbar^2 / (2 m) > 0; 0: that of helium-4, 6.059648 K A^2 */
} convk_pair_system;

/* Where coordinates lie: x of particle i of walker w at w stride + i, y and z each pitch further; gradients in the same way. */
typedef struct convk_pair_walkers {
  size_t walkers;       /* any number, also 0 */
  size_t pitch, stride; /* in elements; 0: packed (N, and 3 pitch) */
} convk_pair_walkers;

/* What pair_energy computes; 0: all. */
enum {
  CONVK_PAIR_LN_PSI = 1,
  CONVK_PAIR_POTENTIAL_ENERGY = 2,
  CONVK_PAIR_GRADIENT = 4,
  CONVK_PAIR_LAPLACIAN = 8,
  CONVK_PAIR_KINETIC = 12,
  CONVK_PAIR_ALL = 15
};

/* Of one walker; what was not asked for is 0. */
typedef struct convk_pair_result {
  double ln_psi;
  double potential;        /* sum of V over pairs */
  double gradient_squared; /* sum over particles of |grad_i ln Psi|^2 */
  double laplacian;        /* sum over particles of lap_i ln Psi */
  double kinetic;          /* -hbar2_2m (laplacian + gradient_squared), with CONVK_PAIR_KINETIC */
  double derivative[4];    /* of ln_psi, by p5, p2, p0, p1; with CONVK_PAIR_LN_PSI */
} convk_pair_result;

/* Of one particle that may move. */
typedef struct convk_pair_move_result {
  double ln_psi;              /* after less before */
  double before[3], after[3]; /* grad ln Psi of this particle */
} convk_pair_move_result;

/* How a sweep moves: particles one after another, each accepted or not, or all at once. */
enum { CONVK_VMC_MOVE_SINGLE = 0, CONVK_VMC_MOVE_ALL = 1 };

/* Which walkers of a run are here, where they are spread over processes or devices; zeros: all of them.  A state then has those
   walkers only; convk_vmc_results and a run find the same, to the last bit, however walkers are spread. */
typedef struct convk_vmc_part {
  size_t first, walkers; /* those that are here, of all; possibly none.  Parts are those of all processes, in the order of
                            walkers */
  int (*join)(void *ctx, void *record, size_t bytes); /* NULL: all walkers are here.  Else it replaces the record by that of all
                            parts, in all processes: by convk_vmc_join, in the order of parts.  Returns 0, or a status for the
                            call to return.  `bytes` is the same in all processes, and may differ from call to call */
  void *ctx;
} convk_vmc_part;

/* A variational Monte Carlo run; zero-initialise it, then set what there is. */
typedef struct convk_vmc {
  convk_pair_system system;
  size_t walkers; /* at least 1; of all parts together */
  uint64_t seed;
  int moves;            /* CONVK_VMC_MOVE_SINGLE or CONVK_VMC_MOVE_ALL */
  int drift;            /* 1: moves follow the quantum force */
  double step;          /* half the edge of the cube of moves, or with drift their standard deviation; 0: a first guess */
  double acceptance;    /* what the step is tuned to during equilibration; 0: 0.5; negative: the step stays */
  size_t equilibration; /* sweeps before the first that is measured; see convk_vmc_run for how many */
  size_t interval;      /* sweeps from one measurement to the next; 0: 1 */
  convk_vmc_part part;  /* what is here of it; all else is the same for all parts */
} convk_vmc;

/* Sweeps of a run that stays on a device: see vmc_sweeps of device memory. */
typedef struct convk_vmc_sweeps {
  uint64_t first; /* number of the first: random numbers belong to it, and every 16th begins with ln Psi anew */
  size_t count;   /* how many */
  double step;    /* of the moves; in a run that tunes it, of one choice */
  int anew;       /* 1: ln_psi is not set yet (the first call) */
} convk_vmc_sweeps;

/* Mean of a quantity per walker, over all measurements. */
typedef struct convk_vmc_estimate {
  double mean;
  double error;           /* standard error of the mean, from blocks long enough to be independent; infinite where there is too
                            little to tell */
  double variance;        /* of single walkers, about the mean */
  double autocorrelation; /* integrated time in measurements, (error^2 / uncorrelated error^2) / 2; 1/2: independent */
  double block;           /* measurements in a block of that length */
} convk_vmc_estimate;

/* What a run has found so far: see convk_vmc_results. */
typedef struct convk_vmc_result {
  uint64_t sweeps, measurements;                 /* all, equilibration included; and those that count */
  double step, acceptance;                       /* acceptance since equilibration */
  convk_vmc_estimate energy, potential, kinetic; /* kinetic + potential; kinetic is the local one */
  convk_vmc_estimate kinetic_gradient;  /* hbar2_2m sum |grad ln Psi|^2, whose mean is that of kinetic without a cutoff */
  convk_vmc_estimate kinetic_laplacian; /* -hbar2_2m / 2 sum lap ln Psi: the same */
  double drift;                         /* largest |ln Psi followed by differences less ln Psi anew| since the beginning */
  double pairs;                         /* pairs computed since the beginning */
} convk_vmc_result;

/* How convk_vmc_minimise goes about it; zeros are the defaults. */
typedef struct convk_vmc_minimise_options {
  size_t iterations;     /* 0: 40 */
  size_t sweeps;         /* of each iteration, after a tenth more for equilibration; 0: 500 */
  size_t final_sweeps;   /* of the run that gives the result, after a tenth more; 0: 20 times as many */
  int fixed[4];          /* 1: p5, p2, p0, p1 stays as it is */
  double rate;           /* step in imaginary time, in 1 / energy; 0: as long as the scatter of the energy lets it be */
  double regularisation; /* added to the diagonals of the matrices, relative to them; 0: 1e-3 */
  int (*look)(void *ctx, size_t iteration, const convk_vmc *vmc, const convk_vmc_result *result); /* NULL, or called in each
                            iteration, from 0, with what was found of vmc before it is changed; not 0: no more iterations */
  void *ctx;
} convk_vmc_minimise_options;

/* What one stripe, or one walker, has summed up. */
typedef struct convk_pairs_sums_ {
  double sum[CONVK_PAIRS_SUMS_]; /* of 1 / r^5, 1 / r^2, r, 1 / r^7, 1 / r^4, 1 / r, V, and of pairs within the cutoff */
  double mantissa, exponent;     /* the product of all r^2 */
} convk_pairs_sums_;

enum {
  CONVK_VMC_LEVELS_ = 40,
  CONVK_VMC_SERIES_ = 5,
  CONVK_VMC_BATCH_ = 16,
  CONVK_VMC_VALUES_ = 33 /* of a measurement, that are summed over walkers: see convk_vmc_leaf_ */
};

/* Sums over blocks of 2^level measurements, for the error of a mean; pending: the first half of a block. */
typedef struct convk_blocking_ {
  double shift;  /* the first value: sums are of differences from it */
  double spread; /* sum over measurements of the mean square over walkers of such differences */
  double sum[CONVK_VMC_LEVELS_], square[CONVK_VMC_LEVELS_], pending[CONVK_VMC_LEVELS_];
} convk_blocking_;

/* The beginning of a state; then ln Psi and the coordinates of the walkers.  No pointers: it may be copied, written and read
   whole. */
typedef struct convk_vmc_state_ {
  char kind[8]; /* "vmc f64" */
  uint32_t version, endian;
  uint64_t bytes;                            /* of the state, from this struct on */
  uint64_t setup;                            /* sum over what a run must have in common with the one that began */
  uint64_t walkers, particles;               /* walkers: of all parts, and so is what is counted */
  uint64_t first, here;                      /* walkers of this part */
  uint64_t missing;                          /* of which convk_vmc_take has not yet found so many */
  uint64_t sweep, measured, tried, accepted; /* the last two since the step was tuned, or since equilibration */
  double step, drift, pairs;
  convk_blocking_ series[CONVK_VMC_SERIES_];
  double derivative[4], energy_derivative[4], kinetic_derivative[4], overlap[10], energies; /* for the minimiser: sums */
  uint64_t looked;
  uint64_t sum; /* of all bytes, with 0 here */
} convk_vmc_state_;

#if CONVK_HAS_PAIRS_
/* The potential HFDHE2 of two helium atoms (R. A. Aziz et al., J. Chem. Phys. 70, 4330, 1979), in K and Angstrom. */
CONVK_API_ convk_pair_potential convk_pair_hfdhe2(void);

/* The potential HFD-B(HE) of two helium atoms (R. A. Aziz, F. R. W. McCourt, C. C. K. Wong, Mol. Phys. 61, 1487, 1987), in K
   and Angstrom. */
CONVK_API_ convk_pair_potential convk_pair_hfdb(void);

/* The potential LM2M2 of two helium atoms (R. A. Aziz, M. J. Slaman, J. Chem. Phys. 94, 8047, 1991), in K and Angstrom. */
CONVK_API_ convk_pair_potential convk_pair_lm2m2(void);

/* The Lennard-Jones potential 4 epsilon {(sigma / r)^12 - (sigma / r)^6}; for helium epsilon is 10.22 K and sigma 2.556 A. */
CONVK_API_ convk_pair_potential convk_pair_lennard_jones(double epsilon, double sigma);

/* A potential given by a table: values[k] at first + k spacing, k < entries; see convk_pair_potential.  The array stays the
   caller's. */
CONVK_API_ convk_pair_potential convk_pair_table(double first, double spacing, size_t entries, const double *values);

/* Philox4x32-10 (J. K. Salmon et al., SC11, 2011): four random words of a counter and a key. */
CONVK_API_ void convk_philox4x32(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* For vmc.part.join: what `record` says becomes that of both; walkers of `before` come right before its own.  Any brackets give
   the same bits, the order matters.  With MPI, where `type` is of `bytes` bytes (MPI_Type_contiguous, MPI_BYTE):
     void both(void *before, void *record, int *count, MPI_Datatype *type) { convk_vmc_join(before, record); }
     MPI_Op_create(both, 0, &op);  ...  MPI_Allreduce(MPI_IN_PLACE, record, 1, type, op, MPI_COMM_WORLD);
   Both have the same number of bytes, at any alignment. */
CONVK_API_ void convk_vmc_join(const void *before, void *record);
#endif

/* pair_energy: 1: threads take walkers, 2: blocks of one walker after another */
#define CONVK_PAIRS_TUNING_(parameter) parameter(size_t, pair_split, CONVK_TUNE_ROWS)
#define CONVK_PAIRS_TUNABLES_(tunable) \
  tunable(CONVK_FINDS_PAIRS_, pairs, pair_energy, f32, f32, CONVK_TUNE_WAYS_, 0) \
  tunable(CONVK_FINDS_PAIRS_, pairs, pair_energy, f64, f64, CONVK_TUNE_WAYS_, 0)
