/* A block of points and one of exponents, as kernels want them.  In the fused class a + b is the exponent times log2(e); else a
   is the exponent. */
typedef struct convk_gaussian_part_ {
  size_t np, na;
  const CONVK_T *s, *lo;                            /* squared distances, and what they lost or NULL */
  const CONVK_T *a, *b, *top;                       /* top: squared distances beyond it give 0 or infinity, as it does */
  CONVK_T s_least, s_greatest, a_least, a_greatest; /* bounds of s, and of a where they are known */
  CONVK_T cut, below, above; /* elements less than cut are 0: all with a s < below, none with a s > above */
  CONVK_T *out;
  size_t ld;
  int layout, stream;
} convk_gaussian_part_;

/* out[r ld + i] = sum_j c[r ldc + j] e[j pitch + i] for rows r and i < n; `more`: added to from[r from_ld + i], which may be
   out.  last: times `inverse`, and 0 where it was less than `least`. */
typedef struct convk_gaussian_sums_ {
  size_t rows, n, m, ldc, pitch, ld, from_ld;
  const convk_any_ *c;
  const CONVK_T *e, *from;
  CONVK_T *out, inverse, least;
  int more, last;
} convk_gaussian_sums_;

/* A shell of angular momentum l on n points: rows of x^a y^b z^c R at `to`, and where `strip` is not 0 those of its derivatives
   and its Laplacian at distances of `strip` from it.  Rows at `radial`: R, and for derivatives D = R' / r and D' / r. */
typedef struct convk_gaussian_shell_ {
  size_t l, n, pitch, strip;
  const CONVK_T *d; /* rows of x, y, z and r^2 */
  const CONVK_T *radial;
  CONVK_T *to, *scratch;
} convk_gaussian_shell_;

/* The arguments of gridpot, and with `sum` of gridpot_sum. */
typedef struct convk_gridpot_call_ {
  const convk_points *points;
  const convk_gaussians *gaussians;
  const convk_gaussian_options *options;
  CONVK_T *out;
  size_t ld;
  int sum;
} convk_gridpot_call_;

/* Those of orbitals, of orbitals_vgl (of 5 kinds, else 1) and of density. */
typedef struct convk_orbitals_call_ {
  const convk_points *points;
  const convk_orbital_set *set;
  const convk_gaussian_options *options;
  CONVK_T *out[5]; /* one result of each kind */
  size_t ld;
  void *work;
  size_t work_size, kinds;
  int density, resident; /* resident: arrays are there, and the plan is no set's */
} convk_orbitals_call_;

/* What an instruction set offers; or a device, which besides fused and finite has only gridpot and orbitals. */
typedef struct convk_gaussian_kernels_ {
  int fused;
  int (*finite)(const CONVK_T *const *arrays, size_t count, size_t n);
  void (*exponents)(const CONVK_T *alpha, size_t n, CONVK_T *rows, size_t pitch, CONVK_T *bounds);
  void (*distances)(const CONVK_T *const *xyz, size_t n, const CONVK_T *center, CONVK_T *d, size_t pitch, CONVK_T *s,
                    CONVK_T *lo, CONVK_T *extremes);
  void (*exponentials)(const convk_gaussian_part_ *part);
  void (*sums)(const convk_gaussian_sums_ *part);
  int (*collect)(const convk_gaussian_part_ *part, const convk_gaussian_sums_ *sums);
  void (*shell)(const convk_gaussian_shell_ *part);
  void (*squares)(const CONVK_T *value, size_t pitch, size_t rows, const CONVK_T *weight, CONVK_T *out, size_t n);
  void (*fence)(void);
  int (*gridpot)(convk *hw, const convk_gridpot_call_ *call);
  int (*orbitals)(convk *hw, const convk_orbitals_call_ *call);
} convk_gaussian_kernels_;
