/* Molden files of programs that do not keep to the format: what their coefficients mean is found from their orbitals.
 *
 * Coefficients of a molden file are those of functions with the norm 1, contracted of normalised primitives. Many programs write
 * something else: coefficients that multiply the exponentials as they stand (ORCA, xTB, Psi4 before 1.0, NWChem where it is asked
 * to), d, f and g functions whose norm is not 1 (Turbomole, CFOUR, Psi4 to 1.3.2), other signs (ORCA), or no [5D] where
 * d functions are spherical. Orbitals are orthonormal, C S C^T = 1, and so they tell: with S, the overlap of the functions,
 * molden_settle tries one meaning after the other, and takes the first with which orbitals are orthonormal. It then rewrites the
 * file's contraction and orbitals to those of the format, of functions that are to be normalised.
 *
 * Norms of orbitals alone would not do: with a wrong meaning some of them are still 1.
 *
 * Coefficients of few digits, of which CP2K writes four where nobody asks for more and leaves out those that round to 0, make no
 * orbitals that are orthonormal to what others reach. Then products may be off by what so many digits leave open, and the meaning that
 * comes nearest is taken where it comes nearer than any other by far; it says how near. */
#ifndef MOLDEN_NORMS_H
#define MOLDEN_NORMS_H

#include "molden.h"

#define MOLDEN_ORTHONORMAL 1e-4    /* what products of orbitals may be off: files have five digits at least */
#define MOLDEN_FEW_DIGITS 1e-6     /* half a unit of the last digit from which on digits are few, */
#define MOLDEN_TOO_FEW_DIGITS 2e-3 /* and above which they are too few */
#define MOLDEN_NEARER 4            /* times as near as any other meaning is one that is taken for coefficients of few digits */
#define MOLDEN_TRIED ((size_t)256) /* orbitals of a spin, of more these are taken evenly: products of all would take long */
#define MOLDEN_CARTESIAN_ ((size_t)(MOLDEN_MAX_L + 1) * (MOLDEN_MAX_L + 2) / 2)
#define MOLDEN_PI_ 3.14159265358979323846

/* ---- functions of one shell ---- */

/* Powers of x, y and z in the order of the file: xx yy zz xy xz yz and so on. */
static inline const unsigned char (*molden_powers_(int l))[3] {
  static const unsigned char s[1][3] = {{0, 0, 0}}, p[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                             d[6][3] = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}},
                             f[10][3] = {{3, 0, 0}, {0, 3, 0}, {0, 0, 3}, {1, 2, 0}, {2, 1, 0},
                                         {2, 0, 1}, {1, 0, 2}, {0, 1, 2}, {0, 2, 1}, {1, 1, 1}},
                             g[15][3] = {{4, 0, 0}, {0, 4, 0}, {0, 0, 4}, {3, 1, 0}, {3, 0, 1}, {1, 3, 0}, {0, 3, 1}, {1, 0, 3},
                                         {0, 1, 3}, {2, 2, 0}, {2, 0, 2}, {0, 2, 2}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}};
  switch (l) {
    case 0: return s;
    case 1: return p;
    case 2: return d;
    case 3: return f;
    default: return g;
  }
}

static inline double molden_binomial_(int n, int k) {
  double b = 1;
  int i;
  for (i = 1; i <= k; i++) {
    b = b * (double)(n - k + i) / (double)i;
  }
  return b;
}

/* The real solid harmonic r^l Y_lm, but for a factor, as a sum of Cartesian functions: c[i] of x^a y^b z^c with these powers. */
static inline void molden_harmonic_(int l, int m, double c[MOLDEN_CARTESIAN_]) {
  const unsigned char(*power)[3] = molden_powers_(l);
  const int size = m < 0 ? -m : m, functions = (l + 1) * (l + 2) / 2;
  int t, u, v, i;
  memset(c, 0, MOLDEN_CARTESIAN_ * sizeof *c);
  for (t = 0; 2 * t <= l - size; t++) {
    for (u = 0; u <= t; u++) {
      for (v = m < 0; v <= size; v += 2) { /* the power of y from (x + i y)^|m| */
        const int y = 2 * u + v, x = 2 * t + size - y, sign = (t + v / 2) % 2 ? -1 : 1;
        for (i = 0; i < functions && (power[i][0] != x || power[i][1] != y); i++) {
        }
        c[i] += sign * ldexp(1, -2 * t) * molden_binomial_(l, t) * molden_binomial_(l - t, size + t) * molden_binomial_(t, u) *
                molden_binomial_(size, v);
      }
    }
  }
}

/* The norm of x^a y^b z^c exp(-r^2 exponent), with one power for each: of xy, xyz and xxyz for d, f and g. */
static inline double molden_primitive_(int l, double exponent) {
  const double square = pow(2 * exponent / MOLDEN_PI_, 1.5) * pow(4 * exponent, l) / (l == 4 ? 3 : 1);
  return 1 / sqrt(square);
}

/* The norm of a contraction of normalised primitives. */
static inline double molden_contracted_(int l, size_t n, const double *exponents, const double *contraction) {
  double square = 0;
  size_t i, k;
  for (i = 0; i < n; i++) {
    for (k = 0; k < n; k++) {
      const double a = exponents[i], b = exponents[k];
      square += contraction[i] * contraction[k] * pow(2 * sqrt(a) * sqrt(b) / (a + b), l + 1.5);
    }
  }
  return sqrt(square);
}

/* ---- overlap ---- */

/* Integrals of (x - a)^i (x - b)^k exp(-p (x - a)^2 - q (x - b)^2) over x up to i = one and k = two, by their recurrence, but for
 * the factor exp(-p q (a - b)^2 / (p + q)) sqrt(pi / (p + q)). */
static inline void molden_line_(double p, double q, double a, double b, int one, int two,
                                double s[MOLDEN_MAX_L + 1][MOLDEN_MAX_L + 1]) {
  const double middle = (p * a + q * b) / (p + q), half = 0.5 / (p + q);
  int i, k;
  for (i = 0; i <= one; i++) {
    for (k = 0; k <= two; k++) {
      if (k == 0) {
        s[i][k] = i == 0 ? 1 : (middle - a) * s[i - 1][0] + (i > 1 ? half * (i - 1) * s[i - 2][0] : 0);
      } else {
        s[i][k] = (middle - b) * s[i][k - 1] + half * ((i > 0 ? i * s[i - 1][k - 1] : 0) + (k > 1 ? (k - 1) * s[i][k - 2] : 0));
      }
    }
  }
}

/* Overlaps of the functions of two shells to s[i * row + k]; contraction: coefficients of normalised primitives. */
static inline void molden_pair_(const molden_file *m, double harmonics[][2 * MOLDEN_MAX_L + 1][MOLDEN_CARTESIAN_],
                                const double *contraction, const molden_shell *one, const molden_shell *two, double *s,
                                size_t row) {
  const double *const a = m->atoms[one->atom].position, *const b = m->atoms[two->atom].position;
  const size_t ones = (size_t)(one->l + 1) * (size_t)(one->l + 2) / 2, twos = (size_t)(two->l + 1) * (size_t)(two->l + 2) / 2;
  const unsigned char(*power)[3] = molden_powers_(one->l), (*other)[3] = molden_powers_(two->l);
  double cartesian[MOLDEN_CARTESIAN_][MOLDEN_CARTESIAN_], apart = 0;
  size_t p, q, i, k, f, g;
  int d;
  memset(cartesian, 0, sizeof cartesian);
  for (d = 0; d < 3; d++) {
    apart += (a[d] - b[d]) * (a[d] - b[d]);
  }
  for (p = one->first; p < one->first + one->primitives; p++) {
    for (q = two->first; q < two->first + two->primitives; q++) {
      const double u = m->exponents[p], v = m->exponents[q], far = u * v / (u + v) * apart;
      double line[3][MOLDEN_MAX_L + 1][MOLDEN_MAX_L + 1], weight;
      if (!(far < 60)) {
        continue; /* nothing is left */
      }
      weight = contraction[p] / molden_primitive_(one->l, u) * (contraction[q] / molden_primitive_(two->l, v)) * exp(-far) *
               pow(MOLDEN_PI_ / (u + v), 1.5);
      for (d = 0; d < 3; d++) {
        molden_line_(u, v, a[d], b[d], one->l, two->l, line[d]);
      }
      for (i = 0; i < ones; i++) {
        for (k = 0; k < twos; k++) {
          cartesian[i][k] += weight * line[0][power[i][0]][other[k][0]] * line[1][power[i][1]][other[k][1]] *
                             line[2][power[i][2]][other[k][2]];
        }
      }
    }
  }
  for (f = 0; f < molden_shell_functions(one); f++) {
    for (g = 0; g < molden_shell_functions(two); g++) {
      double sum = 0;
      for (i = 0; i < ones; i++) {
        const double left = one->spherical ? harmonics[one->l][f][i] : i == f;
        for (k = 0; k < twos && (left < 0 || left > 0); k++) {
          sum += left * (two->spherical ? harmonics[two->l][g][k] : k == g) * cartesian[i][k];
        }
      }
      s[f * row + g] = sum;
    }
  }
}

/* The overlap of all functions, each of them normalised, to s of nfunctions^2 numbers. Returns 0, or -1 where a norm is none. */
static inline int molden_overlap(const molden_file *m, const double *contraction, double *s) {
  const size_t n = m->nfunctions;
  double harmonics[MOLDEN_MAX_L + 1][2 * MOLDEN_MAX_L + 1][MOLDEN_CARTESIAN_];
  size_t one, two, i, k, first = 0, second;
  int l;
  for (l = 0; l <= MOLDEN_MAX_L; l++) {
    for (i = 0; i <= 2 * (size_t)l; i++) {
      molden_harmonic_(l, i % 2 ? (int)(i + 1) / 2 : -(int)(i / 2), harmonics[l][i]);
    }
  }
  for (one = 0; one < m->nshells; one++) {
    for (two = 0, second = 0; two <= one; two++) {
      molden_pair_(m, harmonics, contraction, &m->shells[one], &m->shells[two], s + first * n + second, n);
      second += molden_shell_functions(&m->shells[two]);
    }
    first += molden_shell_functions(&m->shells[one]);
  }
  for (i = 0; i < n; i++) {
    if (!(s[i * n + i] > 0 && s[i * n + i] <= 1e300)) {
      return -1;
    }
    for (k = 0; k < i; k++) {
      s[i * n + k] /= sqrt(s[i * n + i]) * sqrt(s[k * n + k]);
      s[k * n + i] = s[i * n + k];
    }
  }
  for (i = 0; i < n; i++) {
    s[i * n + i] = 1;
  }
  return 0;
}

/* ---- what coefficients may mean ---- */

/* Norms that a program gives to Cartesian functions, which have the norm 1 in the format. */
enum { MOLDEN_FACTORS_NONE_, MOLDEN_FACTORS_TURBOMOLE_, MOLDEN_FACTORS_CFOUR_, MOLDEN_FACTORS_PSI4_ };

typedef struct molden_dialect_ {
  const char *name, *text;
  int multiply; /* contraction coefficients multiply exponentials as they stand, else normalised primitives */
  int signs;    /* spherical f and g functions with |m| = 3 and 4 have the other sign */
  int factors;
} molden_dialect_;

#define MOLDEN_DIALECTS_ 6
#define MOLDEN_DIALECT_NAMES "format, exponentials, orca, turbomole, cfour, psi4"
#define MOLDEN_MULTIPLY_ "coefficients that multiply exponentials"
static const molden_dialect_ molden_dialects_[MOLDEN_DIALECTS_] = {
    {"format", "the format says", 0, 0, MOLDEN_FACTORS_NONE_},
    {"turbomole", "Turbomole's: Cartesian d, f, g functions with the factor of x^l", 0, 0, MOLDEN_FACTORS_TURBOMOLE_},
    {"cfour", "CFOUR's: Cartesian d, f, g functions with the factor of xyz", 0, 0, MOLDEN_FACTORS_CFOUR_},
    {"psi4", "Psi4's up to 1.3.2: mixed Cartesian d, f, g functions with the factor of x^l", 0, 0, MOLDEN_FACTORS_PSI4_},
    {"exponentials", MOLDEN_MULTIPLY_ " (xTB, ORCA, NWChem, Psi4 before 1.0)", 1, 0, MOLDEN_FACTORS_NONE_},
    {"orca", "ORCA's: " MOLDEN_MULTIPLY_ ", and the other sign of |m| = 3, 4", 1, 1, MOLDEN_FACTORS_NONE_}};

/* One way to read the coefficients. */
typedef struct molden_meaning_ {
  const molden_dialect_ *dialect;
  int own_norms; /* contractions have the norm that follows from their coefficients, else 1 */
  int ascending; /* spherical functions stand in the order m = -l .. l */
} molden_meaning_;

static inline double molden_double_factorial_(int n) {
  double f = 1;
  for (; n > 1; n -= 2) {
    f *= n;
  }
  return f;
}

/* The norm of function i of a shell, where that of the format is 1. All primitives of CFOUR have the factor of xyz, so that x^a y^b z^c
 * has the norm sqrt((2a - 1)!! (2b - 1)!! (2c - 1)!!). Those of Turbomole are normalised, times the factor of x^l. Those of Psi4
 * have the factor of x^l, which makes mixed ones too small. */
static inline double molden_factor_(const molden_shell *shell, size_t i, const molden_dialect_ *dialect) {
  if (shell->spherical) {
    return dialect->signs && i >= 5 ? -1 : 1;
  } else if (dialect->factors == MOLDEN_FACTORS_NONE_) {
    return 1;
  } else {
    const unsigned char *power = molden_powers_(shell->l)[i];
    const double cfour = sqrt(molden_double_factorial_(2 * power[0] - 1) * molden_double_factorial_(2 * power[1] - 1) *
                              molden_double_factorial_(2 * power[2] - 1)),
                 highest = sqrt(molden_double_factorial_(2 * shell->l - 1));
    return dialect->factors == MOLDEN_FACTORS_CFOUR_       ? cfour
           : dialect->factors == MOLDEN_FACTORS_TURBOMOLE_ ? highest
                                                           : cfour / highest;
  }
}

/* What is known while meanings are tried: of normalised primitives, and where coefficients multiply exponentials. */
typedef struct molden_trial_ {
  double *contraction[2], *norm[2]; /* of all primitives; of all shells */
  double *s, *row, *rows;           /* overlap; an orbital times the overlap; orbitals that were tried, */
  double *length;                   /* and the lengths of these times the overlap */
  size_t *spin;                     /* of these */
  int multiply;                     /* to which the overlap belongs; -1: none yet */
} molden_trial_;

static inline void molden_trial_free_(molden_trial_ *t) {
  free(t->contraction[0]);
  free(t->s);
  free(t->spin);
}

static inline int molden_trial_open_(const molden_file *m, molden_trial_ *t) {
  const size_t n = m->nfunctions, most = (size_t)-1 / sizeof(double) / 8;
  size_t i, k;
  memset(t, 0, sizeof *t);
  t->multiply = -1;
  t->contraction[0] = (double *)malloc((2 * m->nprimitives + 2 * m->nshells) * sizeof(double));
  t->s = n < most / n - 4 * MOLDEN_TRIED
             ? (double *)malloc(((n + 2 * MOLDEN_TRIED + 1) * n + 2 * MOLDEN_TRIED) * sizeof(double))
             : NULL;
  t->spin = (size_t *)malloc(2 * MOLDEN_TRIED * sizeof *t->spin);
  if (!t->contraction[0] || !t->s || !t->spin) {
    return -1;
  }
  t->contraction[1] = t->contraction[0] + m->nprimitives;
  t->norm[0] = t->contraction[1] + m->nprimitives;
  t->norm[1] = t->norm[0] + m->nshells;
  t->row = t->s + n * n;
  t->rows = t->row + n;
  t->length = t->rows + 2 * MOLDEN_TRIED * n;
  for (i = 0; i < m->nshells; i++) {
    const molden_shell *shell = &m->shells[i];
    for (k = shell->first; k < shell->first + shell->primitives; k++) {
      t->contraction[0][k] = m->contraction[k];
      t->contraction[1][k] = m->contraction[k] * molden_primitive_(shell->l, m->exponents[k]);
    }
    for (k = 0; k < 2; k++) {
      t->norm[k][i] =
          molden_contracted_(shell->l, shell->primitives, m->exponents + shell->first, t->contraction[k] + shell->first);
    }
  }
  return 0;
}

/* How far norms of contractions are from 1. */
static inline double molden_trial_off_(const molden_file *m, const molden_trial_ *t, int multiply) {
  double off = 0;
  size_t i;
  for (i = 0; i < m->nshells; i++) {
    const double here = fabs(t->norm[multiply][i] - 1);
    off = here <= off ? off : here;
  }
  return off;
}

/* An orbital's coefficients, with the meaning of the format. */
static inline void molden_translate_(const molden_file *m, const molden_trial_ *t, const molden_meaning_ *meaning,
                                     const double *from, double *to) {
  size_t shell, i, first = 0;
  for (shell = 0; shell < m->nshells; shell++) {
    const molden_shell *s = &m->shells[shell];
    const double norm = meaning->own_norms ? t->norm[meaning->dialect->multiply][shell] : 1;
    const size_t functions = molden_shell_functions(s), l = (size_t)s->l;
    for (i = 0; i < functions; i++) {
      const size_t at = !meaning->ascending || !s->spherical ? i : i % 2 ? l + (i + 1) / 2 : l - i / 2;
      to[first + i] = from[first + at] * norm * molden_factor_(s, i, meaning->dialect);
    }
    first += functions;
  }
}

/* What the first product of orbitals that is wrong is and should be, for the message. */
typedef struct molden_wrong_ {
  size_t one, two; /* orbitals, from 0 */
  double product;
  double off; /* of coefficients of few digits: the most that a product is off */
} molden_wrong_;

/* Are the orbitals orthonormal with this meaning? 0, 1 where they are not, -1 where a function has no norm. rounding: 0, or half a
 * unit of the last digit of coefficients, for which products may be off by more: each coefficient that is off by so much at most moves a
 * product at random by its share of an orbital times the overlap, so that twice the lengths of both is beyond three deviations. */
static inline int molden_try_(const molden_file *m, molden_trial_ *t, const molden_meaning_ *meaning, double rounding,
                              molden_wrong_ *wrong) {
  const size_t n = m->nfunctions;
  size_t spins[2] = {0, 0}, seen[2] = {0, 0}, tried = 0, i, k, j;
  int status = 0;
  wrong->off = 0;
  if (t->multiply != meaning->dialect->multiply) {
    t->multiply = -1;
    if (molden_overlap(m, t->contraction[meaning->dialect->multiply], t->s)) {
      return -1;
    }
    t->multiply = meaning->dialect->multiply;
  }
  for (i = 0; i < m->norbitals; i++) {
    spins[m->orbitals[i].beta]++;
  }
  for (i = 0; i < m->norbitals; i++) {
    const int beta = m->orbitals[i].beta;
    const size_t every = (spins[beta] + MOLDEN_TRIED - 1) / MOLDEN_TRIED;
    double *row = t->rows + tried * n;
    if (seen[beta]++ % every) {
      continue;
    }
    molden_translate_(m, t, meaning, m->coefficients + i * n, row);
    t->spin[tried++] = i;
    t->length[tried - 1] = 0;
    for (k = 0; k < n; k++) {
      double sum = 0;
      for (j = 0; j < n; j++) {
        sum += t->s[k * n + j] * row[j];
      }
      t->row[k] = sum;
      t->length[tried - 1] += sum * sum;
    }
    t->length[tried - 1] = sqrt(t->length[tried - 1]);
    for (k = tried; k-- > 0;) {
      const double *other = t->rows + k * n;
      const double open = 2 * rounding * (t->length[k] + t->length[tried - 1]);
      double sum = 0, off;
      if (m->orbitals[t->spin[k]].beta != beta) {
        continue;
      }
      for (j = 0; j < n; j++) {
        sum += t->row[j] * other[j];
      }
      off = fabs(sum - (k + 1 == tried));
      wrong->off = off <= wrong->off ? wrong->off : off;
      if (!(off <= MOLDEN_ORTHONORMAL + open)) {
        wrong->one = i;
        wrong->two = t->spin[k];
        wrong->product = sum;
        status = 1;
        if (rounding <= 0) {
          return status;
        }
      }
    }
  }
  return status;
}

/* ---- finding the meaning ---- */

/* Which angular momenta from d on have spherical or Cartesian shells, as a sum of 1 << l. */
static inline unsigned molden_kinds_(const molden_file *m, int spherical) {
  unsigned found = 0;
  size_t i;
  for (i = 0; i < m->nshells; i++) {
    found |= m->shells[i].l > 1 && !m->shells[i].spherical == !spherical ? 1u << m->shells[i].l : 0;
  }
  return found;
}

/* A copy whose shells of these angular momenta are spherical, with fewer functions, though no fewer than the file names. Returns 0, or 1
 * where they are fewer, or -1 where memory is short; only shells and coefficients are the copy's own. */
static inline int molden_spherical_copy_(const molden_file *m, unsigned kinds, molden_file *copy) {
  size_t i;
  *copy = *m;
  copy->nfunctions = 0;
  copy->coefficients = NULL;
  copy->shells = (molden_shell *)malloc(m->nshells * sizeof *copy->shells);
  if (!copy->shells) {
    return -1;
  }
  for (i = 0; i < m->nshells; i++) {
    copy->shells[i] = m->shells[i];
    copy->shells[i].spherical |= (int)(kinds >> m->shells[i].l & 1u);
    copy->nfunctions += molden_shell_functions(&copy->shells[i]);
  }
  if (copy->nfunctions < m->named) {
    return 1;
  }
  copy->coefficients = (double *)malloc(m->norbitals * copy->nfunctions * sizeof *copy->coefficients);
  if (!copy->coefficients) {
    return -1;
  }
  for (i = 0; i < m->norbitals; i++) {
    memcpy(copy->coefficients + i * copy->nfunctions, m->coefficients + i * m->nfunctions,
           copy->nfunctions * sizeof *m->coefficients);
  }
  return 0;
}

static inline void molden_copy_free_(molden_file *copy) {
  free(copy->shells);
  free(copy->coefficients);
}

/* The dialects in the order in which they are tried: where coefficients that multiply exponentials make contractions of norm 1 as ORCA's
 * and others do not, first these, since signs of an atom's functions change no product of orbitals. */
static inline const molden_dialect_ *molden_dialect_at_(int i, int orca) {
  return &molden_dialects_[orca ? MOLDEN_DIALECTS_ - 1 - i : i];
}

/* Of coefficients of few digits: the nearest meaning so far, and how near it and the next one come. */
typedef struct molden_nearest_ {
  molden_meaning_ meaning;
  int status; /* as molden_try_ has it */
  double off, next;
} molden_nearest_;

/* Meanings that come equally near are the same for these orbitals: the first one counts. */
static inline void molden_nearer_(molden_nearest_ *nearest, const molden_meaning_ *meaning, int status, double off) {
  if (!nearest->meaning.dialect || off < 0.999999 * nearest->off) {
    nearest->next = nearest->meaning.dialect ? nearest->off : HUGE_VAL;
    nearest->meaning = *meaning;
    nearest->status = status;
    nearest->off = off;
  } else if (off > 1.000001 * nearest->off && off < nearest->next) {
    nearest->next = off;
  }
}

enum { MOLDEN_UNKNOWN_ = 1, MOLDEN_OPEN_ }; /* no meaning, or several of coefficients of few digits */

/* Tries all meanings with the shells as they are; returns 0 where one is found, else which of these. rounding: as of molden_try_; *wrong
 * then has what products are off. */
static inline int molden_find_(const molden_file *m, molden_trial_ *t, double rounding, molden_meaning_ *meaning,
                               molden_wrong_ *wrong) {
  const unsigned spherical = molden_kinds_(m, 1), cartesian = molden_kinds_(m, 0);
  const int orca = molden_trial_off_(m, t, 1) < 1e-3 && !(molden_trial_off_(m, t, 0) < 1e-3);
  const double norms = rounding > 1e-6 ? rounding : 1e-6; /* nearer to 1 they make no other meaning */
  molden_nearest_ nearest;
  int i, first = 1;
  memset(&nearest, 0, sizeof nearest);
  for (i = 0; i < MOLDEN_DIALECTS_; i++) {
    const molden_dialect_ *d = molden_dialect_at_(i, orca);
    meaning->dialect = d;
    if ((d->signs && !(spherical >> 3)) || (d->factors != MOLDEN_FACTORS_NONE_ && !cartesian)) {
      continue; /* the same as another one */
    }
    for (meaning->ascending = 0; meaning->ascending <= (spherical != 0); meaning->ascending++) {
      for (meaning->own_norms = 0; meaning->own_norms <= (molden_trial_off_(m, t, d->multiply) > norms); meaning->own_norms++) {
        molden_wrong_ here;
        const int status = molden_try_(m, t, meaning, rounding, &here);
        if (rounding > 0) {
          if (status >= 0) {
            molden_nearer_(&nearest, meaning, status, here.off);
          }
          continue;
        }
        if (!status) {
          return 0;
        }
        if (status > 0 && first) {
          *wrong = here;
          first = 0;
        }
      }
    }
  }
  if (!nearest.meaning.dialect || nearest.status) {
    return MOLDEN_UNKNOWN_;
  }
  *meaning = nearest.meaning;
  wrong->off = nearest.off;
  return nearest.next < MOLDEN_NEARER * nearest.off ? MOLDEN_OPEN_ : 0;
}

/* Rewrites contraction and orbitals from their meaning to that of the format. */
static inline void molden_rewrite_(molden_file *m, const molden_trial_ *t, const molden_meaning_ *meaning) {
  size_t i;
  for (i = 0; i < m->norbitals; i++) {
    double *row = m->coefficients + i * m->nfunctions;
    molden_translate_(m, t, meaning, row, t->row);
    memcpy(row, t->row, m->nfunctions * sizeof *row);
  }
  memcpy(m->contraction, t->contraction[meaning->dialect->multiply], m->nprimitives * sizeof *m->contraction);
  snprintf(m->meaning, sizeof m->meaning, "%s%s", meaning->dialect->text,
           meaning->ascending ? "; spherical functions in the order m = -l .. l" : "");
  m->rewritten = meaning->dialect != molden_dialects_ || meaning->ascending || meaning->own_norms;
}

/* With d, f and g functions spherical, of which the file does not say that they are: 0 where a meaning is found, which *m then has. */
static inline int molden_settle_spherical_(molden_file *m, molden_trial_ *t) {
  static const char letters[] = "spdfg";
  const unsigned open = molden_kinds_(m, 0) & ~m->told;
  unsigned kinds;
  int status = 1, l;
  for (kinds = open & (~open + 1u); kinds && status > 0; kinds = (kinds - open) & open) {
    molden_meaning_ meaning;
    molden_wrong_ wrong;
    molden_file copy;
    status = molden_spherical_copy_(m, kinds, &copy);
    if (!status) {
      t->multiply = -1;
      status = molden_find_(&copy, t, 0, &meaning, &wrong);
    }
    if (!status) {
      molden_shell *const shells = m->shells;
      double *const coefficients = m->coefficients;
      molden_rewrite_(&copy, t, &meaning);
      *m = copy;
      copy.shells = shells;
      copy.coefficients = coefficients;
      m->rewritten = 1;
      for (l = 2; l <= MOLDEN_MAX_L; l++) {
        const size_t used = strlen(m->meaning);
        if (kinds >> l & 1u) {
          snprintf(m->meaning + used, sizeof m->meaning - used, "; spherical %c functions without [%s]", letters[l],
                   l == 2   ? "5D"
                   : l == 3 ? "7F"
                            : "9G");
        }
      }
    }
    molden_copy_free_(&copy);
  }
  return status;
}

/* With coefficients of few digits. Returns 0 where a meaning is found, which *m then has, else what molden_find_ returns. */
static inline int molden_settle_digits_(molden_file *m, molden_trial_ *t) {
  molden_meaning_ meaning;
  molden_wrong_ wrong;
  int status;
  if (!(m->rounding >= MOLDEN_FEW_DIGITS && m->rounding <= MOLDEN_TOO_FEW_DIGITS)) {
    return MOLDEN_UNKNOWN_;
  }
  t->multiply = -1; /* the overlap may be that of other shells */
  status = molden_find_(m, t, m->rounding, &meaning, &wrong);
  if (!status) {
    size_t used;
    molden_rewrite_(m, t, &meaning);
    used = strlen(m->meaning);
    snprintf(m->meaning + used, sizeof m->meaning - used, "; with so few digits orbitals are orthonormal to %.0e", wrong.off);
    m->rewritten = 1;
  }
  return status;
}

static inline int molden_settle_fail_(file_reader *r, const molden_wrong_ *wrong) {
  static const char known[] = "no known meaning of coefficients makes them so; the known ones are " MOLDEN_DIALECT_NAMES
                              "; those of a periodic cell are not so without its images";
  const unsigned long one = (unsigned long)wrong->one + 1, two = (unsigned long)wrong->two + 1;
  return one == two ? file_fail(r, "orbitals that are orthonormal are wanted, orbital %lu has the norm %.5f: %s", one,
                                sqrt(fabs(wrong->product)), known)
                    : file_fail(r, "orbitals that are orthonormal are wanted, orbitals %lu and %lu have the product %.5f: %s",
                                two, one, wrong->product, known);
}

/* Rewrites a file that was read to what the format wants: coefficients of functions of norm 1. m->meaning then says what was taken,
 * and m->rewritten whether it is not what the format says. as: NULL for what is found, or the name of a dialect, which is taken
 * whatever orbitals say. Returns 0, or -1 with a message that names the line of [MO] and an unchanged file. */
static inline int molden_settle(molden_file *m, const char *as, char *message, size_t message_size) {
  file_reader r = file_reader_of("", 0, m->line, message, message_size);
  molden_meaning_ meaning = {&molden_dialects_[0], 0, 0};
  molden_wrong_ wrong = {0, 0, 0, 0};
  molden_trial_ t;
  int status = 0, i = 0;
  if (as) {
    for (; i < MOLDEN_DIALECTS_ && strcmp(as, molden_dialects_[i].name) != 0; i++) {
    }
    if (i == MOLDEN_DIALECTS_) {
      return file_fail(&r, "coefficients have one of the meanings " MOLDEN_DIALECT_NAMES ", not %s", as);
    }
    meaning.dialect = &molden_dialects_[i];
  }
  if (molden_trial_open_(m, &t)) {
    status = -1;
  } else if (!as) {
    status = molden_find_(m, &t, 0, &meaning, &wrong);
  }
  if (!status) {
    molden_rewrite_(m, &t, &meaning);
  } else if (status > 0) {
    status = molden_settle_spherical_(m, &t);
    status = status > 0 ? molden_settle_digits_(m, &t) : status;
  }
  molden_trial_free_(&t);
  return !status      ? 0
         : status < 0 ? file_fail(&r, "not enough memory for the overlap of %lu functions", (unsigned long)m->nfunctions)
         : status == MOLDEN_OPEN_
             ? file_fail(&r,
                         "coefficients of so few digits fit several meanings: let more digits be written (CP2K: NDIGITS 9), or "
                         "name one of " MOLDEN_DIALECT_NAMES)
             : molden_settle_fail_(&r, &wrong);
}

/* The same of a file that is read. */
static inline int molden_read_settled(molden_file *m, const char *path, const char *as, char *message, size_t message_size) {
  int status = molden_read(m, path, message, message_size);
  if (!status && molden_settle(m, as, message, message_size)) {
    molden_free(m);
    status = -1;
  }
  return status;
}

#endif
