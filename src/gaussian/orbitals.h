/* ---- what a set becomes: the tables of a plan, or of one call ---- */

/* Shells that share their exponentials.  Devices read this and the next struct as they are. */
typedef struct convk_orbital_group_ {
  CONVK_T center[6]; /* the center, and what rounding it lost */
  uint64_t shells, shell, primitives, primitive;
  uint64_t radial; /* where its factors begin */
  uint64_t moved;  /* the group before has another center */
} convk_orbital_group_;

typedef struct convk_orbital_shell_ {
  uint64_t l, functions, function, columns, column; /* columns: in the monomials x^a y^b z^c R */
  uint64_t matrix;                                  /* where its functions x columns begin, where there are no coefficients */
} convk_orbital_shell_;

/* The beginning of a plan; then its tables, at at[CONVK_ORBITALS_GROUPS_] and so on from the beginning. */
typedef struct convk_orbitals_head_ {
  uint64_t magic;
  uint64_t bytes, device; /* of the plan; of what devices need of it */
  uint64_t at[CONVK_ORBITALS_TABLES_];
  uint64_t ngroups, primitives, functions, columns, norbitals, max_l;
  uint64_t combined, occupied; /* a row of the matrix is an orbital, or else the functions of a shell; there are occupations */
  uint64_t steep[3];           /* steep[0]: shell steep[1] has no derivatives in this type, for its primitive steep[2] */
  CONVK_T inverse, least;      /* of the scale in the factors, and the smallest normal number times that */
  uint64_t sum;                /* of all before */
} convk_orbitals_head_;

/* One checked call. */
typedef struct convk_orbitals_job_ {
  convk_orbitals_call_ call; /* with a distance that is not 0 */
  convk_gaussian_points_ points;
  convk_gaussian_part_ part;
  const convk_orbitals_head_ *head; /* of the plan, or `built` */
  convk_orbitals_head_ built;
  const convk_orbital_group_ *groups;
  const convk_orbital_shell_ *shells;
  const CONVK_T *exponents, *radial, *matrix; /* rows a, b, top; three factors per primitive and shell */
  const CONVK_T *occupations;
  size_t norbitals, rows;          /* rows: of a result */
  size_t block, pitch, task, need; /* points of a block, elements of a row in scratch, bytes of a task's, and of all work */
  char *scratch;
  int wide; /* results wait in scratch for all columns, or for their squares */
} convk_orbitals_job_;

/* A sum of words, the magic number first: cheap, as every call makes it. */
CONVK_RARE_ uint64_t convk_orbitals_sum_(const convk_orbitals_head_ *head) {
  uint64_t word[sizeof *head / sizeof(uint64_t)], sum = 0;
  size_t i;
  memcpy(word, head, sizeof word);
  for (i = 0; i + 1 < sizeof word / sizeof *word; i++)
    sum += (word[i] ^ UINT64_C(0x9E3779B97F4A7C15) * (2 * i + 1)) * UINT64_C(0xBF58476D1CE4E5B9);
  return sum ^ sum >> 29;
}

#define CONVK_ORBITALS_MAGIC_ (UINT64_C(0x6f72626974616c00) + CONVK_EITHER_(32, 64) + ((uint64_t)(CONVK_VERSION / 100) << 48))

CONVK_RARE_ int convk_orbitals_plan_check_(char *message, const char *name, const convk_orbitals_plan *plan) {
  const convk_orbitals_head_ *const head = (const convk_orbitals_head_ *)(const void *)plan;
  if (!plan) return convk_refuse_names_(message, CONVK_ERR_NULL, "$ is NULL", name, NULL);
  if ((uintptr_t)plan % 8)
    return convk_refuse_names_(message, CONVK_ERR_PLAN, "$ does not lie at a multiple of 8 bytes", name, NULL);
  if (head->magic != CONVK_ORBITALS_MAGIC_ || head->sum != convk_orbitals_sum_(head))
    return convk_refuse_names_(message, CONVK_ERR_PLAN, "$ is no plan of orbitals of this type and version", name, NULL);
  return CONVK_OK;
}

/* ---- sizes ---- */

/* What shells must be for this type.  Factors of exponentials must fit it, of derivatives 4 a^2 c too: head->steep. */
CONVK_RARE_ int convk_orbitals_shells_(char *message, const convk_orbital_set *set, convk_orbitals_head_ *head) {
  const double limit = (double)CONVK_GREATEST_;
  double most = 0, steepest = 0;
  size_t i, p, k, functions = 0;
  int status, own = set->shells && set->nshells <= (size_t)-1 / 4096 ? 0 : -1;
  head->steep[0] = head->steep[1] = head->steep[2] = 0;
  for (i = 0; own >= 0 && i < set->nshells; i++) {
    own = convk_shell_good_(&set->shells[i], &most, &steepest);
    functions += (size_t)own;
  }
  head->functions = functions;
  if (own >= 0 && most <= limit && steepest <= limit / 4) return CONVK_OK;
  status = convk_shells_check_(message, 0, set->nshells, set->shells, &functions);
  head->functions = functions;
  for (i = 0; i < set->nshells && !status; i++) {
    const convk_shell *s = &set->shells[i];
    for (k = 0; k < 3; k++)
      if (s->center[k] > limit || s->center[k] < -limit)
        return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "set->shells[%].center[%] does not fit the type", (int64_t)i,
                                (int64_t)k, 0);
    for (p = 0; p < s->primitives; p++) {
      const double a = s->exponents[p], c = s->coefficients[p] < 0 ? -s->coefficients[p] : s->coefficients[p];
      if (!(c <= limit))
        return convk_refuse_at_(message, CONVK_ERR_NONFINITE, "set->shells[%].coefficients[%] does not fit the type",
                                (int64_t)i, (int64_t)p, 0);
      if (!head->steep[0] && !(c * a * a <= limit / 4)) {
        head->steep[0] = 1;
        head->steep[1] = i;
        head->steep[2] = p;
      }
    }
  }
  return status;
}

/* Sizes of the tables of checked shells for head->norbitals; planned: with a head, occupations, and the exponents of both
   classes.  The bounds of counts are so low that what is made of them cannot overflow. */
CONVK_RARE_ int convk_orbitals_layout_(char *message, const convk_orbital_set *set, int planned, convk_orbitals_head_ *head) {
  const convk_shell *shells = set->shells;
  size_t i, b[CONVK_ORBITALS_TABLES_], own = 0, columns = 0, primitives = 0, rows = 0;
  size_t sum = planned ? convk_round_up_(sizeof *head, 64) : 0;
  head->max_l = 0;
  for (i = 0; i < set->nshells; i++) {
    const size_t l = (size_t)shells[i].l, width = (l + 1) * (l + 2) / 2;
    if (shells[i].primitives > (size_t)-1 / 4096 - primitives)
      return convk_refuse_at_(message, CONVK_ERR_OVERFLOW, "set->shells[%].primitives is too large", (int64_t)i, 0, 0);
    columns += width;
    primitives += shells[i].primitives;
    own += width * (size_t)convk_shell_functions(shells[i].l, shells[i].functions);
    if (l > head->max_l) head->max_l = l;
  }
  if (convk_mul_((size_t)head->norbitals, columns, &rows) || rows > (size_t)-1 / 256)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "set->norbitals times the functions of the shells is too large");
  head->columns = columns;
  head->primitives = primitives;
  b[CONVK_ORBITALS_GROUPS_] = set->nshells * sizeof(convk_orbital_group_);
  b[CONVK_ORBITALS_SHELLS_] = set->nshells * sizeof(convk_orbital_shell_);
  b[CONVK_ORBITALS_EXPONENTS_] = b[CONVK_ORBITALS_RADIAL_] = 3 * primitives * sizeof(CONVK_T);
  b[CONVK_ORBITALS_MATRIX_] = (head->combined ? rows : own) * sizeof(CONVK_T);
  b[CONVK_ORBITALS_OCCUPATIONS_] = planned ? (size_t)head->norbitals * sizeof(CONVK_T) : 0;
  b[CONVK_ORBITALS_MULADD_] = planned ? b[CONVK_ORBITALS_EXPONENTS_] : 0;
  for (i = 0; i < CONVK_ORBITALS_TABLES_; i++) {
    head->at[i] = sum;
    sum += convk_round_up_(b[i], 64);
  }
  head->device = head->at[CONVK_ORBITALS_MULADD_];
  head->bytes = sum;
  if (sum > (size_t)-1 / 4) return convk_refuse_(message, CONVK_ERR_OVERFLOW, "the shells of set are too many");
  return CONVK_OK;
}

/* Bytes of a task's scratch for blocks of so many points: `values` rows wait for the end. */
CONVK_LOCAL_ size_t convk_orbitals_task_bytes_(size_t kinds, size_t values, size_t block) {
  const size_t rows = 4 + CONVK_GAUSSIAN_STRIP_ + 3 * CONVK_GAUSSIAN_SHELLS_ + CONVK_GAUSSIAN_STAGES_ +
                      kinds * CONVK_GAUSSIAN_COLUMNS_ + values;
  return convk_round_up_(rows * (block + 16) * sizeof(CONVK_T), 64);
}

/* The points of a block, and the scratch of a task. */
CONVK_RARE_ void convk_orbitals_scratch_(convk_orbitals_job_ *job) {
  const size_t values = job->norbitals * job->call.kinds;
  job->block = CONVK_GAUSSIAN_ORBITAL_BYTES_ / sizeof(CONVK_T);
  job->wide = job->call.density || (job->head->combined && job->head->columns > CONVK_GAUSSIAN_COLUMNS_);
  while (job->wide && job->block > CONVK_GAUSSIAN_ORBITAL_LEAST_ / sizeof(CONVK_T) &&
         values > CONVK_GAUSSIAN_VALUES_ / sizeof(CONVK_T) / job->block)
    job->block /= 2;
  job->pitch = job->block + 16;
  job->task = convk_orbitals_task_bytes_(job->call.kinds, job->wide ? values : 0, job->block);
}

/* The most that a task of any call on so many orbitals or fewer needs: blocks of any size, as many values as they come with. */
CONVK_RARE_ size_t convk_orbitals_max_scratch_(size_t norbitals) {
  const size_t least = CONVK_GAUSSIAN_ORBITAL_LEAST_ / sizeof(CONVK_T);
  size_t block = CONVK_GAUSSIAN_ORBITAL_BYTES_ / sizeof(CONVK_T), max_bytes = 0;
  for (; block >= least; block /= 2) {
    const size_t room = CONVK_GAUSSIAN_VALUES_ / sizeof(CONVK_T) / block, values = 5 * norbitals;
    const size_t bytes = convk_orbitals_task_bytes_(5, block > least ? convk_least_(values, room) : values, block);
    if (bytes > max_bytes) max_bytes = bytes;
  }
  return max_bytes;
}

/* `tables` bytes and the scratch of so many tasks. */
CONVK_RARE_ int convk_orbitals_need_(char *message, size_t norbitals, size_t tables, size_t task, size_t tasks, size_t *need) {
  size_t bytes;
  if (convk_mul_(norbitals, tasks, &bytes) || bytes > (size_t)-1 / 65536 || convk_mul_(task, tasks, &bytes) ||
      bytes > (size_t)-1 / 4)
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "set->norbitals is too large");
  *need = tables + bytes + 64;
  return CONVK_OK;
}

/* ---- tables ---- */

CONVK_LIGHT_POP_ /* loops over elements, which take half of a call on a few points */

/* A bound of a shell's functions, and of their gradients and Laplacians.  |x|^k exp(-a r^2) is at most (k / (2 e a))^(k / 2),
   for k <= 6 less than 1.4 max(1, 1 / a)^3.  Of x^4 exp(-a r^2) the Laplacian has the terms 12 x^2, 22 a x^4 and 4 a^2 x^4 r^2
   times exp(-a r^2), at most 22 / a together: 64 max(4, 4 a^2) max(1, 1 / a)^3 is more than ten times that. */
CONVK_RARE_ double convk_orbitals_value_bound_(const convk_shell *shell) {
  double sum = 0;
  size_t p;
  for (p = 0; p < shell->primitives; p++) {
    const double a = shell->exponents[p], c = shell->coefficients[p], wide = a < 1 ? 1 / a : 1;
    sum += (c < 0 ? -c : c) * 64 * (a > 1 ? 4 * a * a : 4) * wide * wide * wide;
  }
  return sum;
}

/* The scale of a call's factors: a power of 2, so large that small products of them are not subnormal, and so small that
   results, which are at most `bound`, stay below 2^-20 of the largest number.  At most 2^96 or 2^800: the inverse is a normal
   number, with some reserve.  Found in steps of 2^256, 2^32, then of 2. */
CONVK_RARE_ CONVK_T convk_orbitals_scale_(double bound, convk_orbitals_head_ *head) {
  const double limit = (double)CONVK_GREATEST_ / 1048576;
  const int last = CONVK_EITHER_(96, 800);
  double scale = 1;
  int k;
  for (k = 0; k + 256 <= last && bound * (scale * 5.7896044618658098e76) < limit; k += 256) scale *= 1.157920892373162e77;
  for (; k + 32 <= last && bound * (scale * 2147483648.) < limit; k += 32) scale *= 4294967296.;
  for (; k < last && bound * scale < limit; k++) scale *= 2;
  head->inverse = (CONVK_T)(1 / scale);
  head->least = (CONVK_T)((double)CONVK_OF_(1.17549435082228751e-38f, 2.2250738585072014e-308) * scale);
  return (CONVK_T)scale;
}

/* The larger one of *most and the magnitude of x, as bits twice over: a wait for a comparison of numbers takes longer than an
   element of a matrix. */
CONVK_LOCAL_ void convk_orbitals_most_(double x, uint64_t *most) {
  const uint64_t size = convk_to_bits_(x) << 1;
  *most = *most > size ? *most : size;
}

/* The functions of shells in monomials: those of a column whose number is not 0, most often one. */
typedef struct convk_orbital_kind_ {
  int functions; /* which ones; -1: not filled in */
  unsigned char count[15], where[15][15];
  double number[15][15];
} convk_orbital_kind_;

CONVK_RARE_ void convk_orbitals_kind_(int l, int functions, convk_orbital_kind_ *kind) {
  const int n = convk_shell_functions(l, functions), columns = (l + 1) * (l + 2) / 2;
  double t[15][15];
  int j, k;
  convk_shell_matrix_(l, functions, t);
  kind->functions = functions;
  for (j = 0; j < columns; j++) {
    unsigned char at = 0;
    kind->where[j][0] = 0;
    kind->number[j][0] = 0;
    for (k = 0; k < n; k++)
      if (convk_to_bits_(t[k][j]) << 1) { /* it is not 0 */
        kind->where[j][at] = (unsigned char)k;
        kind->number[j][at++] = t[k][j];
      }
    kind->count[j] = at;
  }
}

/* They themselves, as rows `to` of a shell's columns at distance `ld`, which are 0. */
CONVK_RARE_ void convk_orbitals_own_(const convk_orbital_kind_ *kind, size_t columns, CONVK_T *to, size_t ld, uint64_t *most) {
  size_t j, k;
  for (j = 0; j < columns; j++)
    for (k = 0; k < kind->count[j]; k++) {
      to[kind->where[j][k] * ld + j] = (CONVK_T)kind->number[j][k];
      convk_orbitals_most_(kind->number[j][k], most);
    }
}

/* The same of the coefficients' product with them. */
CONVK_RARE_ void convk_orbitals_matrix_(const convk_orbital_kind_ *kind, size_t columns, const CONVK_T *c, size_t ldc,
                                        size_t rows, CONVK_T *to, size_t ld, uint64_t *most) {
  uint64_t greatest = *most;
  double sum;
  size_t o, j, k;
  for (j = 0; j < columns; j++) {
    const unsigned char n = kind->count[j], *where = kind->where[j];
    const double *number = kind->number[j], first = number[0];
    const CONVK_T *row = c + where[0];
    CONVK_T *at = to + j;
    for (o = 0; o < rows; o++, at += ld, row += ldc) {
      sum = 0 + (double)CONVK_ONE_(row) * first; /* no -0 */
      for (k = 1; CONVK_UNLIKELY_(k < n); k++) sum += (double)CONVK_ONE_(row + (where[k] - where[0])) * number[k];
      *at = (CONVK_T)sum;
      convk_orbitals_most_(sum, &greatest);
    }
  }
  *most = greatest;
}

/* Shells, and the product of the coefficients with their functions in monomials, rounded once; the scale of factors. */
CONVK_RARE_ CONVK_T convk_orbitals_fill_shells_(const convk_orbital_set *set, convk_orbitals_head_ *head, char *base) {
  const convk_shell *shells = set->shells;
  convk_orbital_shell_ *s = (convk_orbital_shell_ *)(void *)(base + head->at[CONVK_ORBITALS_SHELLS_]);
  CONVK_T *const matrix = (CONVK_T *)(void *)(base + head->at[CONVK_ORBITALS_MATRIX_]);
  const size_t columns = (size_t)head->columns, ldc = set->ldc ? set->ldc : (size_t)head->functions;
  convk_orbital_kind_ kinds[CONVK_SHELL_MAX_L + 1]; /* of each l */
  double bound = 0;
  uint64_t most = (uint64_t)1023 << 53, ignored = 0; /* 1, at least */
  size_t i, function = 0, column = 0, own = 0;
  if (!set->coefficients) memset(matrix, 0, (size_t)(head->at[CONVK_ORBITALS_MATRIX_ + 1] - head->at[CONVK_ORBITALS_MATRIX_]));
  for (i = 0; i <= CONVK_SHELL_MAX_L; i++) kinds[i].functions = -1;
  for (i = 0; i < set->nshells; i++, s++) {
    convk_orbital_kind_ *const kind = &kinds[shells[i].l];
    s->l = (uint64_t)shells[i].l;
    s->functions = (uint64_t)convk_shell_functions(shells[i].l, shells[i].functions);
    s->columns = (s->l + 1) * (s->l + 2) / 2;
    s->function = function;
    s->column = column;
    s->matrix = own;
    if (shells[i].functions != kind->functions) convk_orbitals_kind_(shells[i].l, shells[i].functions, kind);
    if (set->coefficients) {
      convk_orbitals_matrix_(kind, (size_t)s->columns, set->coefficients + function, ldc, (size_t)head->norbitals,
                             matrix + column, columns, &most);
    } else if (head->combined) {
      convk_orbitals_own_(kind, (size_t)s->columns, matrix + function * columns + column, columns, &ignored);
    } else {
      convk_orbitals_own_(kind, (size_t)s->columns, matrix + own, (size_t)s->columns, &most);
      own += (size_t)(s->functions * s->columns);
    }
    bound += convk_orbitals_value_bound_(&shells[i]) * (double)s->columns;
    function += (size_t)s->functions;
    column += (size_t)s->columns;
  }
  return convk_orbitals_scale_(bound * convk_from_bits_(most >> 1), head);
}

/* Fills the tables at `base`: fused says of which class the exponents are; of a plan they are of both.  slopes: factors of
   derivatives, too. */
CONVK_RARE_ void convk_orbitals_fill_(const convk_orbital_set *set, int planned, int slopes, int fused,
                                      convk_orbitals_head_ *head, char *base) {
  const convk_shell *shells = set->shells;
  const double scale = (double)convk_orbitals_fill_shells_(set, head, base), limit = convk_gaussian_limit_(fused, 0);
  convk_orbital_group_ *g = (convk_orbital_group_ *)(void *)(base + head->at[CONVK_ORBITALS_GROUPS_]);
  CONVK_T *exponents = (CONVK_T *)(void *)(base + head->at[CONVK_ORBITALS_EXPONENTS_]);
  CONVK_T *muladd = (CONVK_T *)(void *)(base + head->at[CONVK_ORBITALS_MULADD_]);
  CONVK_T *radial = (CONVK_T *)(void *)(base + head->at[CONVK_ORBITALS_RADIAL_]);
  const CONVK_T *const first_radial = radial;
  const size_t n = (size_t)head->primitives;
  size_t i, k, p, primitive = 0;
  head->ngroups = 0;
  for (i = 0; i < set->nshells; i += (size_t)g->shells, g++) {
    const convk_shell *first = &shells[i];
    const double *exponent = first->exponents; /* of all of its shells */
    const size_t count = first->primitives;
    head->ngroups++;
    g->shells = convk_shells_alike_(set->nshells - i, first);
    g->shell = i;
    g->primitives = first->primitives;
    g->primitive = primitive;
    g->radial = (uint64_t)(radial - first_radial);
    g->moved = i == 0 || memcmp(first->center, first[-1].center, sizeof first->center) != 0;
    for (k = 0; k < 3; k++) {
      g->center[k] = (CONVK_T)first->center[k];
      if (sizeof(CONVK_T) == sizeof(float)) CONVK_IN_MEMORY_(g->center); /* gcc 12 takes (double)(float)x for x here */
      g->center[3 + k] = (CONVK_T)(first->center[k] - (double)g->center[k]);
    }
    for (p = 0; p < count; p++, primitive++) {
      CONVK_T *a = exponents + primitive, *b = muladd + primitive;
      convk_gaussian_exponent_of_(fused, -exponent[p], limit, a, a + n, a + 2 * n);
      if (planned) convk_gaussian_exponent_(0, -exponent[p], b, b + n, b + 2 * n);
    }
    for (k = 0; k < g->shells; k++, radial += 3 * count) {
      const double *c = first[k].coefficients;
      for (p = 0; p < count; p++) radial[p] = (CONVK_T)(c[p] * scale);
      for (p = 0; slopes && p < count; p++) {
        const double slope = -2 * exponent[p];
        radial[count + p] = (CONVK_T)(c[p] * slope * scale);
        radial[2 * count + p] = (CONVK_T)(c[p] * slope * slope * scale);
      }
    }
  }
}

CONVK_LIGHT_PUSH_

/* Where the tables of a call are. */
CONVK_LOCAL_ void convk_orbitals_tables_(const char *base, int planned, convk_orbitals_job_ *job) {
  const convk_orbitals_head_ *const head = job->head;
  const int muladd = planned && !job->points.kernels->fused;
  job->groups = (const convk_orbital_group_ *)(const void *)(base + head->at[CONVK_ORBITALS_GROUPS_]);
  job->shells = (const convk_orbital_shell_ *)(const void *)(base + head->at[CONVK_ORBITALS_SHELLS_]);
  job->exponents =
      (const CONVK_T *)(const void *)(base + head->at[muladd ? CONVK_ORBITALS_MULADD_ : CONVK_ORBITALS_EXPONENTS_]);
  job->radial = (const CONVK_T *)(const void *)(base + head->at[CONVK_ORBITALS_RADIAL_]);
  job->matrix = (const CONVK_T *)(const void *)(base + head->at[CONVK_ORBITALS_MATRIX_]);
  if (planned) job->occupations = (const CONVK_T *)(const void *)(base + head->at[CONVK_ORBITALS_OCCUPATIONS_]);
}

/* ---- blocks of points ---- */

/* Where the results of a block of n points go: in the end, and before, where that is elsewhere. */
typedef struct convk_orbitals_out_ {
  CONVK_T *last[5], *before[5];
  size_t last_ld, before_ld, n;
} convk_orbitals_out_;

/* Sums of n points for so many orbitals or functions, over m monomials with coefficients c, rows of ldc.  They carry the scale
   of the call, which the last of them takes away. */
CONVK_LOCAL_ convk_gaussian_sums_ convk_orbitals_sums_(const convk_orbitals_job_ *job, size_t rows, size_t n, size_t m,
                                                       const CONVK_T *c, size_t ldc) {
  convk_gaussian_sums_ sums;
  sums.rows = rows;
  sums.n = n;
  sums.m = m;
  sums.c = c;
  sums.ldc = ldc;
  sums.pitch = job->pitch;
  sums.inverse = job->head->inverse;
  sums.least = job->head->least;
  sums.more = 0;
  sums.last = 1;
  return sums;
}

/* Products of `count` columns from `column` on, which lie at phi, with the coefficients.  more: added to those of the columns
   before; last: no more follow. */
CONVK_RARE_ void convk_orbitals_product_(const convk_orbitals_job_ *job, const CONVK_T *phi, size_t column, size_t count,
                                         int more, int last, const convk_orbitals_out_ *out) {
  convk_gaussian_sums_ sums =
      convk_orbitals_sums_(job, job->norbitals, out->n, count, job->matrix + column, (size_t)job->head->columns);
  size_t k;
  sums.more = more;
  sums.last = last;
  for (k = 0; k < job->call.kinds && job->norbitals; k++) {
    sums.e = phi + k * CONVK_GAUSSIAN_COLUMNS_ * job->pitch;
    convk_gaussian_sums_at_(&sums, out->before[k], out->before_ld);
    if (last) sums.out = out->last[k];
    if (last) sums.ld = out->last_ld;
    job->points.kernels->sums(&sums);
  }
}

/* Radial functions of a group and, with derivatives, R' / r and (R' / r)' / r: rows at sums->out.  0: all are 0. */
CONVK_RARE_ int convk_orbitals_radial_(const convk_orbitals_job_ *job, const convk_orbital_group_ *g, const CONVK_T *factors,
                                       convk_gaussian_part_ *part, convk_gaussian_sums_ *sums) {
  size_t p;
  sums->rows = (size_t)g->shells * (job->call.kinds > 1 ? 3 : 1);
  sums->ldc = (size_t)g->primitives * (job->call.kinds > 1 ? 1 : 3);
  sums->more = 0;
  for (p = 0; p < g->primitives; p += part->na) {
    part->na = convk_least_((size_t)g->primitives - p, CONVK_GAUSSIAN_ROWS_);
    part->a = job->exponents + g->primitive + p;
    part->b = part->a + job->head->primitives;
    part->top = part->b + job->head->primitives;
    sums->c = factors + p;
    if (sums->rows > CONVK_GAUSSIAN_SUMS_) convk_sums_by_strips_(job->points.kernels, part, sums);
    else if (job->points.kernels->collect(part, sums)) sums->more = 1;
  }
  return sums->more;
}

/* Functions of the shell at phi, as rows of the result.  none: they are all 0. */
CONVK_RARE_ void convk_orbitals_rows_(const convk_orbitals_job_ *job, const convk_orbital_shell_ *s, const CONVK_T *phi,
                                      int none, const convk_orbitals_out_ *out) {
  convk_gaussian_sums_ sums = convk_orbitals_sums_(job, (size_t)s->functions, out->n, none ? 0 : (size_t)s->columns,
                                                   job->matrix + s->matrix, (size_t)s->columns);
  size_t k;
  for (k = 0; k < job->call.kinds; k++) {
    sums.e = phi + k * CONVK_GAUSSIAN_COLUMNS_ * job->pitch;
    convk_gaussian_sums_at_(&sums, out->last[k] + s->function * out->last_ld, out->last_ld);
    job->points.kernels->sums(&sums);
  }
}

/* n points from `first` on. */
CONVK_RARE_ void convk_orbitals_block_(const convk_orbitals_job_ *job, CONVK_T *scratch, size_t first, size_t n) {
  const convk_gaussian_kernels_ *kernels = job->points.kernels;
  const size_t pitch = job->pitch, kinds = job->call.kinds;
  CONVK_T *d = scratch, *strip = d + 4 * pitch, *radial = strip + CONVK_GAUSSIAN_STRIP_ * pitch;
  CONVK_T *stages = radial + 3 * CONVK_GAUSSIAN_SHELLS_ * pitch, *phi = stages + CONVK_GAUSSIAN_STAGES_ * pitch;
  CONVK_T *values = phi + kinds * CONVK_GAUSSIAN_COLUMNS_ * pitch, extremes[2];
  const CONVK_T *factors = job->radial;
  convk_gaussian_sums_ sums; /* of radial functions */
  convk_orbitals_out_ out;
  convk_gaussian_part_ part = job->part;
  convk_gaussian_shell_ shell;
  size_t i, k, begin = 0, waiting = 0; /* columns that wait for the product, from `begin` on */
  int more = 0;
  out.n = n;
  out.last_ld = job->call.density ? pitch : job->call.ld;
  out.before_ld = job->wide ? pitch : job->call.ld;
  for (k = 0; k < kinds; k++) {
    CONVK_T *to = job->call.out[k] + first;
    out.before[k] = job->wide ? values + k * job->norbitals * pitch : to;
    out.last[k] = job->call.density ? values : to;
  }
  part.np = shell.n = convk_round_up_(n, 16);
  part.s = d + 3 * pitch;
  part.out = strip;
  part.ld = shell.pitch = pitch;
  shell.strip = kinds > 1 ? CONVK_GAUSSIAN_COLUMNS_ * pitch : 0;
  shell.d = d;
  shell.scratch = stages;
  sums.n = part.np;
  sums.m = sums.pitch = 0;
  sums.e = NULL;
  sums.inverse = sums.least = 0;
  sums.last = 0;
  convk_gaussian_sums_at_(&sums, radial, pitch);
  for (i = 0; i < job->head->ngroups; i++) {
    const convk_orbital_group_ *g = &job->groups[i];
    int some;
    if (g->moved) {
      convk_gaussian_near_(&job->points, first, n, g->center, d, pitch, d + 3 * pitch, NULL, extremes);
      part.s_least = extremes[0];
      part.s_greatest = extremes[1];
    }
    some = convk_orbitals_radial_(job, g, factors, &part, &sums);
    factors += 3 * g->shells * g->primitives;
    for (k = 0; k < g->shells; k++) {
      const convk_orbital_shell_ *s = &job->shells[g->shell + k];
      if (waiting && (!some || waiting + s->columns > CONVK_GAUSSIAN_COLUMNS_)) {
        convk_orbitals_product_(job, phi, begin, waiting, more, 0, &out);
        more = 1;
        waiting = 0;
      }
      if (!waiting) begin = (size_t)s->column;
      shell.l = (size_t)s->l;
      shell.radial = radial + k * (kinds > 1 ? 3 : 1) * pitch;
      shell.to = phi + waiting * pitch;
      if (some) kernels->shell(&shell);
      if (!job->head->combined) convk_orbitals_rows_(job, s, phi, !some, &out);
      else if (some) waiting += (size_t)s->columns;
    }
  }
  if (job->head->combined) convk_orbitals_product_(job, phi, begin, waiting, more, 1, &out);
  if (job->call.density) kernels->squares(values, pitch, job->norbitals, job->occupations, job->call.out[0] + first, n);
}

CONVK_LOCAL_ void convk_orbitals_task_(void *arg, size_t index) {
  const convk_orbitals_job_ *job = (const convk_orbitals_job_ *)arg;
  const size_t begin = index * job->points.chunk, n = convk_least_(job->points.p.n - begin, job->points.chunk);
  CONVK_T *scratch = (CONVK_T *)(void *)(job->scratch + index * job->task);
  size_t p;
  for (p = 0; p < n; p += job->block) convk_orbitals_block_(job, scratch, begin + p, convk_least_(n - p, job->block));
}

/* ---- checks ---- */

/* What a set must be whatever the points are, or the plan that it has. */
CONVK_RARE_ int convk_orbitals_set_(char *message, const convk_orbital_set *set, convk_orbitals_head_ *head, size_t *c_bytes) {
  const size_t s = sizeof(CONVK_T);
  const int status = convk_orbitals_shells_(message, set, head);
  const size_t functions = (size_t)head->functions, ldc = set->ldc ? set->ldc : functions;
  if (status) return status;
  head->norbitals = set->coefficients || set->norbitals ? set->norbitals : functions;
  head->combined = set->coefficients != NULL;
  head->occupied = 0;
  *c_bytes = 0;
  if (!set->coefficients) {
    if (head->norbitals == functions) return CONVK_OK;
    return convk_refuse_at_(message, CONVK_ERR_SIZE,
                            "set->norbitals is %, and without set->coefficients the shells have % functions",
                            (int64_t)head->norbitals, (int64_t)functions, 0);
  }
  if (ldc < functions)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, "set->ldc is %, less than the % functions of the shells", (int64_t)ldc,
                            (int64_t)functions, 0);
  if (ldc > (size_t)-1 / 64 || convk_rows_bytes_(set->norbitals, functions, ldc, s, c_bytes))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "set->norbitals times set->ldc is too large");
  return CONVK_OK;
}

/* Numbers of a set that must be finite. */
CONVK_RARE_ int convk_orbitals_numbers_(int (*finite)(const CONVK_T *const *arrays, size_t count, size_t n), char *message,
                                        const convk_orbital_set *set, const convk_orbitals_head_ *head, int occupations) {
  const size_t functions = (size_t)head->functions;
  int status = CONVK_OK;
  if (set->coefficients)
    status = convk_rows_finite_(finite, message, "set->coefficients[% ldc + %] is not finite", set->coefficients,
                                set->norbitals, functions, set->ldc ? set->ldc : functions);
  if (!status && occupations)
    status = convk_rows_finite_(finite, message, "set->occupations[%] is not finite", set->occupations, 1,
                                (size_t)head->norbitals, 0);
  return status;
}

/* Points, options, and the shells of a call, which are a plan's or its own: all but where arrays are. */
CONVK_RARE_ int convk_orbitals_begin_(const convk_gaussian_kernels_ *kernels, char *message, const convk_orbitals_call_ *call,
                                      convk_orbitals_job_ *job, size_t *c_bytes) {
  const convk_orbital_set *const set = call->set;
  const size_t from = call->resident ? 5 : 0; /* without "set->" */
  int status = convk_points_check_(kernels, message, call->points, &job->points);
  job->call = *call;
  job->head = &job->built;
  job->occupations = NULL;
  *c_bytes = 0;
  if (!status)
    status = convk_gaussian_begin_(message, kernels->fused, call->options, 1, 0, CONVK_GAUSSIAN_LEAST_PRIMITIVE_, &job->part);
  if (status) return status;
  if (!set) return convk_refuse_(message, CONVK_ERR_NULL, "set is NULL");
  if (set->plan || call->resident) {
    status = convk_orbitals_plan_check_(message, &"set->plan"[from], set -> plan);
    if (status) return status;
    job->head = (const convk_orbitals_head_ *)(const void *)set->plan;
    if (call->density && !job->head->occupied)
      return convk_refuse_(message, CONVK_ERR_PLAN, &"set->plan was prepared without occupations"[from]);
    convk_orbitals_tables_((const char *)(const void *)set->plan, 1, job);
  } else {
    status = convk_orbitals_set_(message, set, &job->built, c_bytes);
    if (status) return status;
    if (call->density && job->built.norbitals && !set->occupations)
      return convk_refuse_(message, CONVK_ERR_NULL, "set->occupations is NULL");
    job->occupations = set->occupations;
  }
  job->norbitals = (size_t)job->head->norbitals;
  job->rows = call->density ? 1 : job->norbitals;
  if (call->kinds > 1 && job->head->steep[0])
    return convk_refuse_at_(message, CONVK_ERR_NONFINITE,
                            &"set->shells[%].coefficients[%] times 4 a^2 does not fit the type, as derivatives need"[from],
                            (int64_t)job -> head -> steep[1], (int64_t)job -> head -> steep[2], 0);
  return CONVK_OK;
}

/* Rows of the results: fills in ld, and the bytes of one result. */
CONVK_RARE_ int convk_orbitals_results_(char *message, convk_orbitals_job_ *job, size_t *bytes) {
  convk_orbitals_call_ *const call = &job->call;
  const size_t n = job->points.p.n;
  if (!call->ld) call->ld = n;
  if (call->ld < n)
    return convk_refuse_at_(message, CONVK_ERR_PITCH, &"out->ld is %, less than points->n = %"[call->kinds > 1 ? 0 : 5],
                            (int64_t)call -> ld, (int64_t)n, 0);
  if (call->ld > (size_t)-1 / 64 || convk_rows_bytes_(job->rows, n, call->ld, sizeof(CONVK_T), bytes))
    return convk_refuse_(message, CONVK_ERR_OVERFLOW, "the number of orbitals times ld is too large");
  return CONVK_OK;
}

/* The name of a result. */
CONVK_LOCAL_ const char *convk_orbitals_name_(const convk_orbitals_call_ *call, size_t kind) {
  static const char *const names[5] = {"out->value", "out->dx", "out->dy", "out->dz", "out->laplacian"};
  return call->kinds > 1 ? names[kind] : call->density ? "density" : "value";
}

/* Arrays of the host, all that a call has: what is written overlaps nothing. */
CONVK_RARE_ int convk_orbitals_arrays_(char *message, const convk_orbitals_job_ *job, size_t c_bytes, size_t bytes) {
  const convk_orbitals_call_ *const call = &job->call;
  const convk_orbital_set *const set = call->set;
  const size_t o_bytes = call->density && !set->plan ? job->norbitals * sizeof(CONVK_T) : 0;
  convk_place_ place[12];
  size_t count = 3, first, k;
  int status;
  convk_points_places_(&job->points.p, place);
  if (set->plan) {
    place[count++] = convk_place_of_("set->plan", set->plan, (size_t)job->head->bytes, 0);
  } else {
    place[count++] = convk_place_of_("set->coefficients", set->coefficients, c_bytes, CONVK_PLACE_OPTIONAL_);
    place[count++] = convk_place_of_("set->occupations", set->occupations, o_bytes, CONVK_PLACE_OPTIONAL_);
  }
  first = count;
  place[count++] = convk_place_of_("work", call->work, call->work_size, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_OPTIONAL_);
  for (k = 0; k < call->kinds; k++)
    place[count++] = convk_place_of_(convk_orbitals_name_(call, k), call->out[k], bytes,
                                     CONVK_PLACE_WRITTEN_ | (bytes ? 0 : CONVK_PLACE_OPTIONAL_));
  status = convk_places_check_(message, place, count);
  if (!status && !set->plan) status = convk_shells_apart_(message, set->nshells, set->shells, place + first, count - first);
  return status;
}

/* All checks of a call on arrays of the host, by the threads of `with` (hw, or NULL), and its tables' sizes. */
CONVK_RARE_ int convk_orbitals_check_(const convk_gaussian_kernels_ *kernels, convk *hw, convk *with,
                                      const convk_orbitals_call_ *call, convk_orbitals_job_ *job) {
  char *const message = convk_message_(hw);
  size_t bytes, c_bytes;
  int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (!status) status = convk_orbitals_begin_(kernels, message, call, job, &c_bytes);
  if (!status) status = convk_orbitals_results_(message, job, &bytes);
  if (!status && !call->set->plan) status = convk_orbitals_layout_(message, call->set, 0, &job->built);
  if (!status) status = convk_orbitals_arrays_(message, job, c_bytes, bytes);
  if (!status && !call->set->plan)
    status = convk_orbitals_numbers_(kernels->finite, message, call->set, &job->built, call->density);
  return status ? status : convk_points_finite_(with, message, &job->points);
}

/* ---- calls ---- */

CONVK_RARE_ int convk_orbitals_all_(const convk_gaussian_kernels_ *kernels, convk *hw, const convk_orbitals_call_ *call) {
  convk_orbitals_job_ job;
  convk_work_ memory;
  char *const message = convk_message_(hw);
  size_t n, tables, tasks;
  double products, each;
  int status;
  if (kernels->orbitals) { /* a device needs no work */
    convk_orbitals_call_ own = *call;
    own.work = NULL;
    own.work_size = 0;
    return kernels->orbitals(hw, &own);
  }
  status = convk_orbitals_check_(kernels, hw, hw, call, &job);
  n = job.points.p.n;
  if (status || !n || !job.rows) return status;
  convk_orbitals_scratch_(&job);
  products = (double)job.head->columns * (double)(job.head->combined ? job.norbitals : 1) / (double)CONVK_GAUSSIAN_PRODUCTS_;
  each = (double)job.head->primitives + (double)job.head->columns + products;
  tasks = convk_gaussian_cut_(n, convk_gaussian_tasks_(hw, n, (double)call->kinds * each), &job.points.chunk);
  tables = call->set->plan ? 0 : (size_t)job.built.bytes;
  status = convk_orbitals_need_(message, job.norbitals, tables, job.task, tasks, &job.need);
  if (!status) status = convk_work_begin_(message, &memory, call->work, call->work_size, job.need);
  if (status) return status;
  if (!call->set->plan) {
    convk_orbitals_fill_(call->set, 0, call->kinds > 1, kernels->fused, &job.built, memory.base);
    convk_orbitals_tables_(memory.base, 0, &job);
  }
  job.scratch = memory.base + tables;
  status = convk_run_tasks_(hw, tasks, convk_orbitals_task_, &job);
  convk_work_end_(&memory);
  return status;
}

CONVK_LOCAL_ int convk_orbitals_cpu_(const convk_gaussian_kernels_ *kernels, convk *hw, const convk_points *points,
                                     const convk_orbital_set *set, const convk_gaussian_options *options, CONVK_T *value,
                                     size_t ld, void *work, size_t work_size) {
  const convk_orbitals_call_ call = {points, set, options, {value, NULL, NULL, NULL, NULL}, ld, work, work_size, 1, 0, 0};
  return convk_orbitals_all_(kernels, hw, &call);
}

CONVK_LOCAL_ int convk_orbitals_vgl_cpu_(const convk_gaussian_kernels_ *kernels, convk *hw, const convk_points *points,
                                         const convk_orbital_set *set, const convk_gaussian_options *options,
                                         const convk_vgl *out, void *work, size_t work_size) {
  convk_orbitals_call_ call = {points, set, options, {NULL, NULL, NULL, NULL, NULL}, 0, work, work_size, 5, 0, 0};
  const int status = hw ? convk_check_handle_(hw) : CONVK_OK;
  if (status) return status;
  if (!out) return convk_refuse_(convk_message_(hw), CONVK_ERR_NULL, "out is NULL");
  memcpy(call.out, out, sizeof call.out); /* value .. laplacian */
  call.ld = out->ld;
  return convk_orbitals_all_(kernels, hw, &call);
}

CONVK_LOCAL_ int convk_density_cpu_(const convk_gaussian_kernels_ *kernels, convk *hw, const convk_points *points,
                                    const convk_orbital_set *set, const convk_gaussian_options *options, CONVK_T *density,
                                    void *work, size_t work_size) {
  const convk_orbitals_call_ call = {points, set, options, {density, NULL, NULL, NULL, NULL}, 0, work, work_size, 1, 1, 0};
  return convk_orbitals_all_(kernels, hw, &call);
}

/* ---- sizes and plans ---- */

/* What size queries ask of a set, and the norbitals and matrix that they count: coefficients may come later. */
CONVK_RARE_ int convk_orbitals_sizes_(convk *hw, const convk_orbital_set *set, size_t *bytes, int planned, char **message,
                                      convk_orbitals_head_ *head) {
  int status = convk_begin_helper_(hw, message);
  if (status) return status;
  if (!set) return convk_refuse_(*message, CONVK_ERR_NULL, "set is NULL");
  if (!bytes) return convk_refuse_(*message, CONVK_ERR_NULL, "bytes is NULL");
  if (set->plan && !planned) return convk_orbitals_plan_check_(*message, "set->plan", set->plan);
  status = convk_orbitals_shells_(*message, set, head);
  if (status) return status;
  head->combined = set->coefficients || set->norbitals || (planned && set->occupations);
  head->norbitals = set->coefficients || set->norbitals ? set->norbitals : head->functions;
  return convk_orbitals_layout_(*message, set, planned, head);
}

CONVK_API_ int convk_orbitals_work_size(convk *hw, const convk_orbital_set *set, size_t *bytes) {
  char *message;
  convk_orbitals_head_ head;
  size_t norbitals, need = 0;
  int status = convk_orbitals_sizes_(hw, set, bytes, 0, &message, &head);
  if (status) return status;
  norbitals = (size_t)(set->plan ? ((const convk_orbitals_head_ *)(const void *)set->plan)->norbitals : head.norbitals);
  if (norbitals > (size_t)-1 / 65536) norbitals = (size_t)-1 / 65536 + 1; /* which is refused */
  status = convk_orbitals_need_(message, norbitals, set->plan ? 0 : (size_t)head.bytes, convk_orbitals_max_scratch_(norbitals),
                                convk_threads_(hw), &need);
  if (!status) *bytes = need;
  return status;
}

CONVK_API_ int convk_orbitals_plan_size(convk *hw, const convk_orbital_set *set, size_t *bytes) {
  char *message;
  convk_orbitals_head_ head;
  const int status = convk_orbitals_sizes_(hw, set, bytes, 1, &message, &head);
  if (!status) *bytes = (size_t)head.bytes;
  return status;
}

CONVK_API_ int convk_orbitals_prepare(convk *hw, const convk_orbital_set *set, convk_orbitals_plan *plan, size_t plan_size) {
  char *message;
  convk_orbitals_head_ head;
  convk_place_ place[3];
  size_t c_bytes = 0;
  int status = convk_begin_helper_(hw, &message);
  if (status) return status;
  if (!set) return convk_refuse_(message, CONVK_ERR_NULL, "set is NULL");
  memset(&head, 0, sizeof head);
  status = convk_orbitals_set_(message, set, &head, &c_bytes);
  head.occupied = set->occupations != NULL;
  if (head.occupied) head.combined = 1; /* of functions, too: so that a density is one of orbitals */
  if (!status) status = convk_orbitals_layout_(message, set, 1, &head);
  if (!status) status = convk_orbitals_numbers_(convk_gaussian_finite_, message, set, &head, head.occupied != 0);
  if (status) return status;
  place[0] = convk_place_of_("set->coefficients", set->coefficients, c_bytes, CONVK_PLACE_OPTIONAL_);
  place[1] =
      convk_place_of_("set->occupations", set->occupations, (size_t)head.norbitals * sizeof(CONVK_T), CONVK_PLACE_OPTIONAL_);
  place[2] = convk_place_of_("plan", plan, (size_t)head.bytes, CONVK_PLACE_WRITTEN_);
  status = convk_places_check_(message, place, 3);
  if (status) return status;
  if (convk_shells_overlap_(set->nshells, set->shells, plan, (size_t)head.bytes))
    return convk_refuse_(message, CONVK_ERR_OVERLAP, "plan overlaps set->shells or what they point to");
  if ((uintptr_t)plan % 8) return convk_refuse_(message, CONVK_ERR_PLAN, "plan does not lie at a multiple of 8 bytes");
  if (plan_size < head.bytes)
    return convk_refuse_at_(message, CONVK_ERR_WORK, "plan_size is %, and % are needed", (int64_t)plan_size,
                            (int64_t)head.bytes, 0);
  memset(plan, 0, (size_t)head.bytes);
  head.magic = CONVK_ORBITALS_MAGIC_;
  convk_orbitals_fill_(set, 1, 1, 1, &head, (char *)(void *)plan);
  if (head.occupied && head.norbitals)
    memcpy((char *)(void *)plan + head.at[CONVK_ORBITALS_OCCUPATIONS_], set->occupations,
           (size_t)head.norbitals * sizeof(CONVK_T));
  head.sum = convk_orbitals_sum_(&head);
  memcpy(plan, &head, sizeof head);
  return CONVK_OK;
}

CONVK_API_ int convk_orbitals_plan_bytes(convk *hw, const convk_orbitals_plan *plan, size_t *bytes) {
  char *message;
  int status = convk_begin_helper_(hw, &message);
  if (!status) status = convk_orbitals_plan_check_(message, "plan", plan);
  if (!status && !bytes) status = convk_refuse_(message, CONVK_ERR_NULL, "bytes is NULL");
  if (!status) *bytes = (size_t)((const convk_orbitals_head_ *)(const void *)plan)->device;
  return status;
}
