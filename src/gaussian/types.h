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

#if CONVK_HAS_GAUSSIAN_
/* How many functions a shell of angular momentum l has, for CONVK_SHELL_CARTESIAN ..., or CONVK_ERR_OPTION. */
CONVK_API_ int convk_shell_functions(int l, int functions);

/* Looks at all that the calls ask of shells, whatever the type, and counts their functions: *count is set (NULL: not wanted).
   hw   an open handle, whose message then says which shell and what of it is wrong; or NULL
   Errors: NULL, OPTION (l, functions, no primitives, an exponent that is not positive), NONFINITE, OVERFLOW, HANDLE. */
CONVK_API_ int convk_shells_functions(convk *hw, size_t nshells, const convk_shell *shells, size_t *count);

/* Coefficients of a shell from those of its normalised primitives, as files of basis sets give them: coefficients[p] =
   N contraction[p] (2 a_p / pi)^(3/4) (4 a_p)^(l/2), with N such that every S_lm R has the norm 1, as x y R; x^2 R has sqrt(3):
   1 / N^2 = sum over p, q of contraction[p] contraction[q] (2 sqrt(a_p a_q) / (a_p + a_q))^(l + 3/2).
   hw            an open handle for the message, or NULL
   l             0 .. CONVK_SHELL_MAX_L
   exponents     `primitives` >= 1 finite positive numbers
   coefficients  may be contraction: in place
   Errors: NULL, OPTION (l, no primitives, an exponent that is not positive), NONFINITE (also where the norm is 0 or not finite,
   or a result is not finite), OVERFLOW, OVERLAP, HANDLE. */
CONVK_API_ int convk_shell_normalise(convk *hw, int l, size_t primitives, const double *exponents, const double *contraction,
                                     double *coefficients);
#endif

/* points in a block of gridpot, gridpot_sum and orbitals, at most */
#define CONVK_GAUSSIAN_TUNING_(parameter) parameter(size_t, gaussian_points, CONVK_TUNE_ROWS)
#define CONVK_GAUSSIAN_TUNABLES_(tunable) \
  tunable(CONVK_FINDS_GAUSSIAN_, gaussian, gridpot, f32, f32, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 0) \
  tunable(CONVK_FINDS_GAUSSIAN_, gaussian, gridpot, f64, f64, CONVK_TUNE_SIZES_ | CONVK_TUNE_STREAMS_, 0) \
  tunable(CONVK_FINDS_GAUSSIAN_, gaussian, gridpot_sum, f32, f32, CONVK_TUNE_SIZES_, 1) \
  tunable(CONVK_FINDS_GAUSSIAN_, gaussian, gridpot_sum, f64, f64, CONVK_TUNE_SIZES_, 1) \
  tunable(CONVK_FINDS_GAUSSIAN_, gaussian, orbitals, f32, f32, CONVK_TUNE_SIZES_, 2) \
  tunable(CONVK_FINDS_GAUSSIAN_, gaussian, orbitals, f64, f64, CONVK_TUNE_SIZES_, 2)
