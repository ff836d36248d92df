enum {
  /* 16384 exponentials are worth a task of their own: 1 to 12 us at the 13 to 1.4 per ns of tests/bench/results. */
  CONVK_GAUSSIAN_TASK_ = 16384,
  /* A product of an orbital and a monomial is one multiply-add, an exponential 11 operations (f32) or 16 (f64): tasks count 8
     products as one exponential. */
  CONVK_GAUSSIAN_PRODUCTS_ = 8,
  CONVK_GAUSSIAN_BYTES_ = 16384, /* of points in a block of gridpot: half of an L1 of 32 KiB; twice as much as of exponents */
  CONVK_GAUSSIAN_ROWS_ = 256,    /* in its other direction: three rows of numbers, at most 6 KiB more */
  CONVK_GAUSSIAN_SUMS_ = 4,      /* sums that share exponentials in registers: of 2 or 3 vectors each; see collect */
  CONVK_GAUSSIAN_STRIP_ = 16,    /* exponentials of so many exponents wait for the sums: rows of 2 KiB at most, 32 KiB */
  CONVK_GAUSSIAN_GATHER_ = 256,  /* points gathered at once: three rows on the stack */
  /* Points of a block of orbitals: with values only its scratch has 150 rows of so many bytes and stays in L2.  A choice. */
  CONVK_GAUSSIAN_ORBITAL_BYTES_ = 1024,
  /* Where the values of all orbitals wait for the end they should stay in L2, too: 256 KiB, the smallest L2 of processors with
     AVX.  Blocks get shorter for that, down to the four vectors of 64 bytes that a tile of convk_gaussian_add_ takes. */
  CONVK_GAUSSIAN_VALUES_ = 262144,
  CONVK_GAUSSIAN_ORBITAL_LEAST_ = 256,
  CONVK_GAUSSIAN_COLUMNS_ = 64, /* monomials that wait for coefficients: four shells of l = 4.  A choice */
  CONVK_GAUSSIAN_SHELLS_ = 4,   /* shells that share exponentials: sums of one pass, without derivatives */
  CONVK_GAUSSIAN_LOWER_ = 19,   /* monomials of degrees 1 .. 3 */
  CONVK_GAUSSIAN_UPPER_ = 15,   /* and of degree 4 */
  CONVK_GAUSSIAN_STAGES_ = 2 * CONVK_GAUSSIAN_LOWER_ + CONVK_GAUSSIAN_UPPER_ + 1 /* rows of scratch of a shell's kernel */
};
#include "gaussian/coefficients.h"
/* The tables of a plan of orbitals; what devices do not need comes last. */
enum {
  CONVK_ORBITALS_GROUPS_,
  CONVK_ORBITALS_SHELLS_,
  CONVK_ORBITALS_EXPONENTS_, /* of the fused class */
  CONVK_ORBITALS_RADIAL_,
  CONVK_ORBITALS_MATRIX_,
  CONVK_ORBITALS_OCCUPATIONS_,
  CONVK_ORBITALS_MULADD_, /* exponents of that class */
  CONVK_ORBITALS_TABLES_
};

/* Bytes from the first to the last of rows of n elements at distance ld. */
CONVK_LOCAL_ int convk_rows_bytes_(size_t rows, size_t n, size_t ld, size_t element, size_t *bytes) {
  const size_t limit = (size_t)-1 / 64;
  *bytes = 0;
  if (!rows || !n) return CONVK_OK;
  if (convk_mul_(rows - 1, ld, bytes) || *bytes > limit || n > limit) return CONVK_ERR_OVERFLOW;
  *bytes = (*bytes + n) * element;
  return CONVK_OK;
}

CONVK_EXACT_PUSH_ /* so that factors and coefficients do not depend on what a compiler contracts */

/* The first 26 digits of x. */
CONVK_LOCAL_ double convk_leading_(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits &= ~(uint64_t)0 << 27;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* a log2(e) = hi + lo, by parts of 26 digits, whose products are exact. */
CONVK_LOCAL_ void convk_times_log2e_(double a, double *hi, double *lo) {
  const double l0 = 1.4426950216293335, l1 = 1.92596298909109e-08, l2 = 2.0355273740931033e-17;
  const double a0 = convk_leading_(a), a1 = a - a0, low = (a0 * l1 + a1 * l0) + (a1 * l1 + a * l2);
  *hi = a0 * l0 + low;
  *lo = (a0 * l0 - *hi) + low;
}

/* ---- shells ---- */

CONVK_API_ int convk_shell_functions(int l, int functions) {
  if (l < 0 || l > CONVK_SHELL_MAX_L || functions < CONVK_SHELL_CARTESIAN || functions > CONVK_SHELL_SPHERICAL_PYSCF)
    return CONVK_ERR_OPTION;
  return functions == CONVK_SHELL_CARTESIAN || functions == CONVK_SHELL_CARTESIAN_MOLDEN ? (l + 1) * (l + 2) / 2 : 2 * l + 1;
}

/* Texts of messages begin with "set->"; shells that are no set's leave that out. */
#define CONVK_SHELLS_BARE_ 5

/* One shell of those, number i.  Text begins `from` letters later. */
CONVK_RARE_ int convk_shell_check_(char *message, size_t from, const convk_shell *s, int64_t i) {
  const char *text = NULL;
  size_t p;
  int64_t at = 0;
  int k, status = CONVK_ERR_OPTION;
  if (s->l < 0 || s->l > CONVK_SHELL_MAX_L)
    return convk_refuse_at_(message, status, &"set->shells[%].l is %, and not from 0 to %"[from], i, s -> l, CONVK_SHELL_MAX_L);
  if (convk_shell_functions(s->l, s->functions) < 0)
    return convk_refuse_at_(message, status, &"set->shells[%].functions is %, none of CONVK_SHELL_CARTESIAN ..."[from], i,
                            s -> functions, 0);
  if (!s->primitives) return convk_refuse_at_(message, status, &"set->shells[%].primitives is 0: at least 1"[from], i, 0, 0);
  if (!s->exponents) return convk_refuse_at_(message, CONVK_ERR_NULL, &"set->shells[%].exponents is NULL"[from], i, 0, 0);
  if (!s->coefficients) return convk_refuse_at_(message, CONVK_ERR_NULL, &"set->shells[%].coefficients is NULL"[from], i, 0, 0);
  if (s->primitives > (size_t)-1 / 4096)
    return convk_refuse_at_(message, CONVK_ERR_OVERFLOW, &"set->shells[%].primitives is too large"[from], i, 0, 0);
  for (k = 0; k < 3; k++)
    if (!convk_finite_f64_(s->center[k]))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, &"set->shells[%].center[%] is not finite"[from], i, k, 0);
  for (p = 0; p < s->primitives && !text; p++) {
    at = (int64_t)p;
    status = CONVK_ERR_NONFINITE;
    if (!convk_finite_f64_(s->exponents[p])) text = "set->shells[%].exponents[%] is not finite";
    else if (!convk_finite_f64_(s->coefficients[p])) text = "set->shells[%].coefficients[%] is not finite";
    else if (!(s->exponents[p] > 0)) text = "set->shells[%].exponents[%] is not positive", status = CONVK_ERR_OPTION;
  }
  return text ? convk_refuse_at_(message, status, text + from, i, at, 0) : CONVK_OK;
}

/* A quick look at what convk_shell_check_ looks at one by one; numbers are compared as bits.  How many functions there are, or
   less than 0 where something is wrong.  Magnitudes of centers and coefficients are at most *most, those of coefficients times
   a^2 at most *steepest. */
CONVK_RARE_ int convk_shell_good_(const convk_shell *s, double *most, double *steepest) {
  const uint64_t infinite = (uint64_t)0x7ff << 52;
  const double *a = s->exponents, *c = s->coefficients;
  uint64_t largest = convk_to_bits_(*most), exponent = 0; /* less 1, so that 0 is as large as what is negative */
  double slope = *steepest;
  size_t p;
  int k;
  if (!s->primitives || !a || !c || s->primitives > (size_t)-1 / 4096) return -1;
  for (k = 0; k < 3; k++) {
    const uint64_t size = convk_to_bits_(s->center[k]) << 1 >> 1;
    largest = size > largest ? size : largest;
  }
  for (p = 0; p < s->primitives; p++) {
    const uint64_t size = convk_to_bits_(c[p]) << 1 >> 1, at = convk_to_bits_(a[p]) - 1;
    const double steep = convk_from_bits_(size) * a[p] * a[p];
    largest = size > largest ? size : largest;
    exponent = at > exponent ? at : exponent;
    slope = slope > steep ? slope : steep;
  }
  *most = convk_from_bits_(largest);
  *steepest = slope;
  return largest < infinite && exponent < infinite - 1 ? convk_shell_functions(s->l, s->functions) : -1;
}

/* All of them; counts their functions. */
CONVK_RARE_ int convk_shells_check_(char *message, size_t from, size_t nshells, const convk_shell *shells, size_t *count) {
  size_t i;
  if (nshells && !shells) return convk_refuse_(message, CONVK_ERR_NULL, &"set->shells is NULL"[from]);
  if (nshells > (size_t)-1 / 4096) return convk_refuse_(message, CONVK_ERR_OVERFLOW, &"set->nshells is too large"[from]);
  for (*count = i = 0; i < nshells; i++) {
    const int status = convk_shell_check_(message, from, &shells[i], (int64_t)i);
    if (status) return status;
    *count += (size_t)convk_shell_functions(shells[i].l, shells[i].functions);
  }
  return CONVK_OK;
}

/* Begins a call that a handle may give its message. */
CONVK_LOCAL_ int convk_begin_helper_(convk *hw, char **message) {
  *message = hw ? hw->message : NULL;
  return hw ? convk_begin_call_(hw) : CONVK_OK;
}

CONVK_API_ int convk_shells_functions(convk *hw, size_t nshells, const convk_shell *shells, size_t *count) {
  char *message;
  size_t functions;
  int status = convk_begin_helper_(hw, &message);
  if (!status) status = convk_shells_check_(message, CONVK_SHELLS_BARE_, nshells, shells, &functions);
  if (!status && count) *count = functions;
  return status;
}

/* (2 n - 1)!!, n from 0 to CONVK_SHELL_MAX_L. */
CONVK_LOCAL_ double convk_odd_factorial_(int n) {
  static const unsigned char all[CONVK_SHELL_MAX_L + 1] = {1, 1, 3, 15, 105};
  return all[n];
}

/* n over k, n from 0 to CONVK_SHELL_MAX_L. */
CONVK_LOCAL_ int convk_binomial_(int n, int k) {
  static const unsigned char triangle[CONVK_SHELL_MAX_L + 1][CONVK_SHELL_MAX_L + 1] = {
      {1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
  return k > CONVK_SHELL_MAX_L ? 0 : triangle[n][k];
}

/* Functions of a shell in x^a y^b z^c, which stand in the order of CONVK_SHELL_CARTESIAN at
   (b + c)(b + c + 1) / 2 + c: rows of t.
   S_lm = N sum over t, u, w of (-1)^(t + w div 2) 4^-t (l over t) (l - t over |m| + t) (t over u) (|m| over w)
   x^(2 t + |m| - 2 u - w) y^(2 u + w) z^(l - 2 t - |m|), w even for m >= 0 and odd for m < 0 (Helgaker, Jorgensen, Olsen, 6.4),
   N^2 = 2 (l + |m|)! (l - |m|)! / (4^|m| l!^2 (2 l - 1)!!), half of it for m = 0. */
CONVK_RARE_ void convk_shell_matrix_(int l, int functions, double t[15][15]) {
  static const char *const molden[CONVK_SHELL_MAX_L + 1] = {"000", "100010001", "200020002110101011",
                                                            "300030003120210201102012021111",
                                                            "400040004310301130031103013220202022211121112"};
  const int n = convk_shell_functions(l, functions);
  /* N of l and |m|, by that formula: its roots and quotients would take a twentieth of a call on a few points */
  static const double norms[CONVK_SHELL_MAX_L + 1][CONVK_SHELL_MAX_L + 1] = {
      {1},
      {1, 1},
      {0.57735026918962573, 0.5, 0.5},
      {0.25819888974716115, 0.21081851067789195, 0.16666666666666666, 0.20412414523193148},
      {0.097590007294853301, 0.077151674981045956, 0.054554472558998091, 0.05103103630798287, 0.072168783648703216}};
  int f, i, u, w;
  convk_clear_(t, (size_t)(n > 0 ? n : 0) * sizeof *t);
  for (f = 0; f < n; f++) {
    if (functions == CONVK_SHELL_CARTESIAN || l < 2) { /* of l = 1 some are y z x: what follows gives as much, but later */
      t[f][l == 1 && functions == CONVK_SHELL_SPHERICAL ? (f + 1) % 3 : f] = 1;
    } else if (functions == CONVK_SHELL_CARTESIAN_MOLDEN) {
      const int a = molden[l][3 * f] - '0', b = molden[l][3 * f + 1] - '0', c = molden[l][3 * f + 2] - '0';
      t[f][(b + c) * (b + c + 1) / 2 + c] =
          1 / convk_sqrt_(convk_odd_factorial_(a) * convk_odd_factorial_(b) * convk_odd_factorial_(c));
    } else {
      const int m = functions != CONVK_SHELL_SPHERICAL_MOLDEN ? f - l : f % 2 ? (f + 1) / 2 : -f / 2, k = m < 0 ? -m : m;
      const double norm = norms[l][k];
      for (i = 0; 2 * i + k <= l; i++)
        for (u = 0; u <= i; u++)
          for (w = m < 0; w <= k; w += 2) {
            const int b = 2 * u + w, c = l - 2 * i - k;
            const int product =
                convk_binomial_(l, i) * convk_binomial_(l - i, k + i) * convk_binomial_(i, u) * convk_binomial_(k, w);
            const double value = (double)product / (1 << 2 * i);
            t[f][(b + c) * (b + c + 1) / 2 + c] += (i + w / 2) % 2 ? -norm * value : norm * value;
          }
    }
  }
}

CONVK_API_ int convk_shell_normalise(convk *hw, int l, size_t primitives, const double *exponents, const double *contraction,
                                     double *coefficients) {
  convk_place_ place[3];
  char *message;
  double sum = 0;
  size_t p, q;
  int turn, k, status = convk_begin_helper_(hw, &message);
  if (status) return status;
  if (!exponents) return convk_refuse_(message, CONVK_ERR_NULL, "exponents is NULL");
  if (!contraction) return convk_refuse_(message, CONVK_ERR_NULL, "contraction is NULL");
  if (!coefficients) return convk_refuse_(message, CONVK_ERR_NULL, "coefficients is NULL");
  if (l < 0 || l > CONVK_SHELL_MAX_L)
    return convk_refuse_at_(message, CONVK_ERR_OPTION, "l is %, and not from 0 to %", l, CONVK_SHELL_MAX_L, 0);
  if (!primitives) return convk_refuse_(message, CONVK_ERR_OPTION, "primitives is 0: at least 1");
  if (convk_bytes_(primitives, sizeof *exponents, &p))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "primitives is too large");
  for (p = 0; p < primitives; p++) {
    if (!convk_finite_f64_(exponents[p]))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "exponents[%] is not finite", (int64_t)p, 0, 0);
    if (!convk_finite_f64_(contraction[p]))
      return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "contraction[%] is not finite", (int64_t)p, 0, 0);
    if (!(exponents[p] > 0))
      return convk_refuse_at_(message, CONVK_ERR_OPTION, "exponents[%] is not positive", (int64_t)p, 0, 0);
  }
  place[0] = convk_place_of_("exponents", exponents, primitives * sizeof *exponents, 0);
  place[1] = convk_place_of_("contraction", contraction, primitives * sizeof *contraction, CONVK_PLACE_IN_PLACE_);
  place[2] = convk_place_of_("coefficients", coefficients, primitives * sizeof *coefficients,
                             CONVK_PLACE_WRITTEN_ | CONVK_PLACE_IN_PLACE_);
  status = convk_places_check_(message, place, 3);
  if (status) return status;
  for (p = 0; p < primitives; p++)
    for (q = 0; q < primitives; q++) {
      const double ratio = exponents[p] / exponents[q], y = 2 / (convk_sqrt_(ratio) + convk_sqrt_(1 / ratio));
      double power = y * convk_sqrt_(y);
      for (k = 0; k < l; k++) power *= y;
      sum += contraction[p] * contraction[q] * power;
    }
  if (!convk_finite_f64_(sum) || !(sum > 0))
    return convk_refuse_(message, CONVK_ERR_NONFINITE, "the norm that contraction has is 0 or not finite");
  sum = convk_sqrt_(sum);
  for (turn = 0; turn < 2; turn++) /* all are looked at before the first is written */
    for (p = 0; p < primitives; p++) {
      const double root = convk_sqrt_(exponents[p] * 0.63661977236758134308); /* 2 a / pi */
      double value = contraction[p] / sum * root * convk_sqrt_(root);
      for (k = 0; k < l; k++) value *= 2 * convk_sqrt_(exponents[p]);
      if (turn) coefficients[p] = value;
      else if (!convk_finite_f64_(value))
        return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "coefficients[%] would not be finite", (int64_t)p, 0, 0);
    }
  return CONVK_OK;
}

/* How many shells from the first one on have its center and exponents, so that they share their exponentials. */
CONVK_LOCAL_ size_t convk_shells_alike_(size_t nshells, const convk_shell *shells) {
  size_t i = 1;
  while (i < nshells && i < CONVK_GAUSSIAN_SHELLS_ && shells[i].primitives == shells->primitives &&
         !memcmp(shells[i].center, shells->center, sizeof shells->center) &&
         !memcmp(shells[i].exponents, shells->exponents, shells->primitives * sizeof *shells->exponents))
    i++;
  return i;
}

/* Whether memory that is written overlaps what describes checked shells. */
CONVK_RARE_ int convk_shells_overlap_(size_t nshells, const convk_shell *shells, const void *out, size_t bytes) {
  const uintptr_t begin = (uintptr_t)out, end = begin + bytes;
  int overlap = convk_overlap_(shells, nshells * sizeof *shells, out, bytes);
  size_t i;
  for (i = 0; bytes && i < nshells; i++) {
    const uintptr_t span = shells[i].primitives * sizeof *shells[i].exponents;
    const uintptr_t a = (uintptr_t)shells[i].exponents, c = (uintptr_t)shells[i].coefficients;
    overlap |= (a < end) & (begin < a + span);
    overlap |= (c < end) & (begin < c + span);
  }
  return overlap;
}

/* Refuses arrays that are written and overlap what describes checked shells: most often at once, since what they span lies
   apart from it. */
CONVK_RARE_ int convk_shells_apart_(char *message, size_t nshells, const convk_shell *shells, const convk_place_ *places,
                                    size_t count) {
  uintptr_t begin = (uintptr_t)-1, end = 0;
  size_t i;
  for (i = 0; i < count; i++) {
    if (!places[i].begin || !places[i].bytes) continue;
    if (places[i].begin < begin) begin = places[i].begin;
    if (places[i].begin + places[i].bytes > end) end = places[i].begin + places[i].bytes;
  }
  if (begin >= end || !convk_shells_overlap_(nshells, shells, (const void *)begin, end - begin)) return CONVK_OK;
  for (i = 0; i < count; i++)
    if (convk_shells_overlap_(nshells, shells, (const void *)places[i].begin, places[i].bytes))
      return convk_refuse_names_(message, CONVK_ERR_OVERLAP, "$ overlaps set->shells or what they point to", places[i].name,
                                 NULL);
  return CONVK_OK;
}

CONVK_EXACT_POP_
