/* SPDX-License-Identifier: MIT
   Tests of Gaussians on regular grids.  Included by test_gaussian.c, whose polynomials of shells it takes. */

/* ---------------------------------------------------------------------------------------------- one interface to both types -- */

enum { ONGRID_SUMS, ONGRID_ORBITALS, ONGRID_VGL, ONGRID_DENSITY, ONGRID_GRADIENT, ONGRID_TAU, ONGRID_KINDS };
static const char *const ongrid_names[ONGRID_KINDS] = {"gridpot_grid", "orbitals_grid", "orbitals_grid_vgl",
                                                       "density_grid", "density_grid",  "density_grid"};

typedef struct ongrid_call {
  convk *hw;
  int operation, missing; /* missing: 1: no box, 2: no set or Gaussians, 3: no out, 4: a plan that is none */
  convk_gaussian_box box;
  size_t nshells, norbitals, ldc, ld, m;
  const convk_shell *shells;
  const void *c, *occupations, *alpha;
  double center[3];
  const convk_gaussian_options *options;
  void *out[PARTS], *work;
  size_t work_size;
} ongrid_call;

#define ONGRID_CALL(TYPE, T) \
  static int ongrid_call_##TYPE(const ongrid_call *k, size_t *bytes) { \
    convk_orbital_set_##TYPE set; \
    convk_gaussians_##TYPE g; \
    convk_vgl_##TYPE vgl; \
    convk_density_parts_##TYPE parts; \
    const convk_gaussian_box *box = k->missing == 1 ? NULL : &k->box; \
    surroundings s; \
    int status, d; \
    memset(&set, 0, sizeof set); \
    set.nshells = k->nshells; \
    set.shells = k->shells; \
    set.norbitals = k->norbitals; \
    set.coefficients = (const T *)k->c; \
    set.ldc = k->ldc; \
    set.occupations = (const T *)k->occupations; \
    set.plan = k->missing == 4 ? (const convk_orbitals_plan_##TYPE *)(const void *)k->shells : NULL; \
    memset(&g, 0, sizeof g); \
    for (d = 0; d < 3; d++) g.center[d] = (T)k->center[d]; \
    g.n = k->m; \
    g.alpha = (const T *)k->alpha; \
    g.nsums = k->norbitals; \
    g.coefficients = (const T *)k->c; \
    g.ldc = k->ldc; \
    vgl.value = parts.density = (T *)k->out[0]; \
    vgl.dx = parts.dx = (T *)k->out[1]; \
    vgl.dy = parts.dy = (T *)k->out[2]; \
    vgl.dz = parts.dz = (T *)k->out[3]; \
    vgl.laplacian = parts.tau = (T *)k->out[4]; \
    vgl.ld = k->ld; \
    s = before_call(); \
    if (bytes) { \
      status = k->operation == ONGRID_SUMS \
                   ? convk_gridpot_grid_work_size_##TYPE(k->hw, box, k->missing == 2 ? NULL : &g, bytes) \
                   : convk_orbitals_grid_work_size_##TYPE(k->hw, box, k->missing == 2 ? NULL : &set, bytes); \
    } else if (k->operation == ONGRID_SUMS) { \
      status = convk_gridpot_grid_##TYPE(k->hw, box, k->missing == 2 ? NULL : &g, k->options, (T *)k->out[0], k->ld, k->work, \
                                         k->work_size); \
    } else if (k->operation == ONGRID_ORBITALS) { \
      status = convk_orbitals_grid_##TYPE(k->hw, box, k->missing == 2 ? NULL : &set, k->options, (T *)k->out[0], k->ld, \
                                          k->work, k->work_size); \
    } else if (k->operation == ONGRID_VGL) { \
      status = convk_orbitals_grid_vgl_##TYPE(k->hw, box, k->missing == 2 ? NULL : &set, k->options, \
                                              k->missing == 3 ? NULL : &vgl, k->work, k->work_size); \
    } else { \
      status = convk_density_grid_##TYPE(k->hw, box, k->missing == 2 ? NULL : &set, k->options, \
                                         k->missing == 3 ? NULL : &parts, k->work, k->work_size); \
    } \
    after_call(s, k->hw && k->hw->ours.inside.device); \
    return status; \
  } \
  static int ongrid_offers_##TYPE(convk *hw, int operation) { \
    (void)operation; \
    return hw->ours.inside.TYPE.orbitals_grid != NULL; \
  }
ONGRID_CALL(f32, float)
ONGRID_CALL(f64, double)

static int ongrid_do(int type, const ongrid_call *k) { return type ? ongrid_call_f64(k, NULL) : ongrid_call_f32(k, NULL); }
static int ongrid_size(int type, const ongrid_call *k, size_t *bytes) {
  return type ? ongrid_call_f64(k, bytes) : ongrid_call_f32(k, bytes);
}

/* Which results an operation has. */
static int ongrid_has(int operation, int part) {
  return part == 0 || operation == ONGRID_VGL || operation == ONGRID_GRADIENT || (operation == ONGRID_TAU && part == 4);
}

/* ----------------------------------------------------------------------------------------------------------- problems -- */

static const double ongrid_least[2] = {3.637978807091713e-12, 3.3881317890172014e-21};

typedef struct ongrid_problem {
  int type, operation, identity, cell; /* cell: of any steps */
  convk_gaussian_box box;
  size_t points, nshells, functions, norbitals;
  convk_shell *shells;
  double *c, *occupations, cutoff;
  long double *value, *bound; /* as of orbitals: PARTS arrays of rows of all points; of a density one row */
} ongrid_problem;

/* A box of n points around the origin, `width` wide along each axis. */
static void ongrid_box(ongrid_problem *p, const size_t n[3], double width, uint64_t *rng) {
  int d;
  memset(&p->box, 0, sizeof p->box);
  for (d = 0; d < 3; d++) {
    double *const step = d == 0 ? p->box.step_x : d == 1 ? p->box.step_y : p->box.step_z;
    const double sign = random_below(rng, 5) ? 1 : -1, size = width / (double)n[d] * (1 + 0.1 * random_unit(rng));
    step[d] = sign * size;
    p->box.origin[d] = -sign * width / 2 * (1 + 0.2 * random_unit(rng));
    if (!random_below(rng, 4))
      p->box.origin[d] = -sign * 8 * size, step[d] = sign * ldexp(1, -4), p->box.origin[d] = -sign * 0.5;
  }
  p->box.grid.nx = n[0];
  p->box.grid.ny = n[1];
  p->box.grid.nz = n[2];
  p->points = n[0] * n[1] * n[2];
}

/* Shells here and there: of all degrees and orders, some with exponents of the shell before, or tiny or huge ones. */
static void ongrid_shells(ongrid_problem *p, size_t nshells, int wild, uint64_t *rng) {
  size_t i, q;
  int d;
  p->nshells = nshells;
  p->shells = (convk_shell *)need(nshells * sizeof *p->shells);
  memset(p->shells, 0, nshells * sizeof *p->shells);
  for (i = 0; i < nshells; i++) {
    convk_shell *const s = &p->shells[i];
    const size_t primitives = 1 + random_below(rng, 4);
    const int alike = i && random_below(rng, 2);
    orbital_shell(p->type, s, p->operation == ONGRID_SUMS ? 0 : (int)random_below(rng, 5), (int)random_below(rng, ORDERS),
                  alike ? s[-1].primitives : primitives, 0.7, rng);
    if (alike) { /* the numbers are those of orbital_shell, which are not const */
      memcpy(s->center, s[-1].center, sizeof s->center);
      if (!random_below(rng, 3)) s->center[1 + random_below(rng, 2)] += 0.25; /* another one, as far as y or z */
      memcpy((void *)(uintptr_t)s->exponents, s[-1].exponents, s->primitives * sizeof(double));
    } else if (!random_below(rng, 4)) {
      for (d = 0; d < 3; d++) s->center[d] = p->box.origin[d]; /* on a point */
    } else if (!random_below(rng, 4)) {
      s->center[random_below(rng, 3)] = 9; /* outside */
    }
    for (q = 1; q < s->primitives && !alike; q++) /* the same exponent twice */
      if (!random_below(rng, 4)) ((double *)(uintptr_t)s->exponents)[q] = s->exponents[q - 1];
    for (q = 0; q < s->primitives && wild && !alike; q++)
      if (random_below(rng, 2)) ((double *)(uintptr_t)s->exponents)[q] = random_below(rng, 2) ? 1e-3 : wild > 1 ? 1e3 : 1e6;
  }
  if (p->operation != ONGRID_SUMS) return;
  for (i = 1; i < nshells; i++) memcpy(p->shells[i].center, p->shells[0].center, sizeof p->shells[0].center);
  for (d = 0; d < 3; d++)
    for (i = 0; i < nshells; i++) p->shells[i].center[d] = rounded_to(p->type, p->shells[i].center[d]);
}

static void ongrid_finish(ongrid_problem *p, int norbitals, uint64_t *rng) {
  size_t i, all = 0;
  for (i = 0; i < p->nshells; i++) p->functions += (size_t)solid_count(p->shells[i].l, p->shells[i].functions);
  for (i = 0; i < p->nshells; i++) all += p->shells[i].primitives;
  p->identity = norbitals < 0 && p->operation != ONGRID_SUMS;
  p->norbitals = p->identity ? p->functions : (size_t)(norbitals < 0 ? 3 : norbitals);
  if (p->operation == ONGRID_SUMS) p->functions = all;
  p->occupations = reals(p->norbitals);
  for (i = 0; i < p->norbitals; i++) p->occupations[i] = rounded_to(p->type, random_below(rng, 5) ? 1 + random_unit(rng) : 0);
  if (p->identity) return;
  p->c = reals(p->norbitals * p->functions);
  for (i = 0; i < p->norbitals * p->functions; i++) p->c[i] = random_below(rng, 4) ? rounded_to(p->type, random_unit(rng)) : 0;
}

static void ongrid_free(ongrid_problem *p) {
  size_t i;
  for (i = 0; i < p->nshells; i++) free((void *)(uintptr_t)p->shells[i].exponents);
  free(p->shells);
  free(p->c);
  free(p->occupations);
  free(p->value);
  free(p->bound);
}

static void ongrid_describe(const ongrid_problem *p) {
  const convk_gaussian_box *b = &p->box;
  describe("%lux%lux%lu points, %lu shells, %lu functions, %lu orbitals%s, cutoff %g, periods %g %g %g",
           (unsigned long)b->grid.nx, (unsigned long)b->grid.ny, (unsigned long)b->grid.nz, (unsigned long)p->nshells,
           (unsigned long)p->functions, (unsigned long)p->norbitals, p->identity ? " (functions)" : "", p->cutoff, b->period[0],
           b->period[1], b->period[2]);
  if (p->nshells == 1) describe_more(", l %d, order %d", p->shells[0].l, p->shells[0].functions);
}

/* A primitive's R and derivatives of it in r^2 at u, and what is allowed: rounding, and the whole where it may count as nothing. */
static void ongrid_primitive(const ongrid_problem *p, double exponent, double factor, const long double u[3], double errors,
                             long double radial[3], long double size[3]) {
  const long double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2], e = expl(-(long double)exponent * square);
  const double eps = 2 * types[p->type].unit, cut = p->cutoff > ongrid_least[p->type] ? p->cutoff : ongrid_least[p->type];
  long double term = factor * e;
  int k;
  for (k = 0; k < 3; k++) {
    radial[k] += k == 1 ? -term : term;
    size[k] += fabsl(term) * errors + (e < (long double)cut * 1.001L ? fabsl(term) / eps : 0);
    term *= exponent;
  }
}

/* Steps of a box. */
static double *ongrid_step(convk_gaussian_box *box, int d) { return d == 0 ? box->step_x : d == 1 ? box->step_y : box->step_z; }

/* Component k of the period along axis d. */
static long double ongrid_image(const convk_gaussian_box *box, int d, int k) {
  const double *const step = d == 0 ? box->step_x : d == 1 ? box->step_y : box->step_z;
  const long double x = step[0], y = step[1], z = step[2];
  if (y * y + z * z == 0 || x * x + z * z == 0 || x * x + y * y == 0) /* along an axis: exactly */
    return step[k] < 0 ? -(long double)box->period[d] : step[k] > 0 ? (long double)box->period[d] : 0;
  return step[k] / sqrtl(x * x + y * y + z * z) * box->period[d];
}

/* How many times the lengths of edges, more images lie within a sphere than there would be of a rectangular cell. */
static double ongrid_slant(const convk_gaussian_box *box) {
  const double *const a = box->step_x, *const b = box->step_y, *const c = box->step_z;
  double volume = 0, size = 1;
  int d;
  for (d = 0; d < 3; d++) {
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    volume += a[d] * (b[e] * c[f] - b[f] * c[e]);
  }
  for (d = 0; d < 3; d++) {
    const double *const s = d == 0 ? a : d == 1 ? b : c;
    size *= sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
  }
  return size / fabs(volume);
}

/* All images that reach the point. */
static void ongrid_images(const ongrid_problem *p, const convk_shell *s, const long double at[3], long double terms[][PARTS],
                          long double bounds[][PARTS], const solid *polynomials, size_t single, double factor) {
  const int count = solid_count(s->l, s->functions);
  long double image[3][3], beyond = 1e30L, left_out = 0;
  int m[3], most[3], d, k, j;
  size_t q;
  for (k = 0; k < count; k++)
    for (j = 0; j < PARTS; j++) terms[k][j] = bounds[k][j] = 0;
  for (d = 0; d < 3; d++) {
    double least = 1e300;
    for (q = 0; q < s->primitives; q++) least = s->exponents[q] < least ? s->exponents[q] : least;
    most[d] = p->box.period[d] > 0 ? (int)((sqrt(60 / least) + 20) / p->box.period[d] * ongrid_slant(&p->box)) + 1 : 0;
    for (k = 0; k < 3; k++) image[d][k] = ongrid_image(&p->box, d, k);
    if (p->box.period[0] > 0 || p->box.period[1] > 0 || p->box.period[2] > 0)
      beyond = sqrtl(70 / (long double)least); /* images of e^-70 and less are too many */
  }
  for (m[2] = -most[2]; m[2] <= most[2]; m[2]++)
    for (m[1] = -most[1]; m[1] <= most[1]; m[1]++)
      for (m[0] = -most[0]; m[0] <= most[0]; m[0]++) {
        long double u[3], radial[3] = {0, 0, 0}, size[3] = {0, 0, 0};
        double square = 0; /* most images are too far away, which doubles see as well */
        for (d = 0; d < 3; d++) {
          const double v = (double)at[d] - s->center[d] + m[0] * (double)image[0][d] + m[1] * (double)image[1][d] +
                           m[2] * (double)image[2][d];
          square += v * v;
        }
        if (square > 1.01 * (double)(beyond * beyond)) {
          left_out = expl(-70);
          continue;
        }
        for (d = 0; d < 3; d++) u[d] = at[d] - s->center[d] + m[0] * image[0][d] + m[1] * image[1][d] + m[2] * image[2][d];
        if (u[0] * u[0] + u[1] * u[1] + u[2] * u[2] > beyond * beyond) {
          left_out = expl(-70);
          continue;
        }
        for (q = 0; q < s->primitives; q++)
          if (single == SIZE_MAX || q == single)
            ongrid_primitive(p, s->exponents[q], single == SIZE_MAX ? s->coefficients[q] : factor, u,
                             16 + (double)(p->functions + s->primitives), radial, size);
        for (k = 0; k < count; k++) {
          long double value[PARTS], bound[PARTS];
          solid_at(&polynomials[k], u, radial, size, value, bound);
          if (p->cell) { /* polynomials are those of other axes: as large as they are anywhere at this distance */
            const long double r = sqrtl(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), all[3] = {r, r, r};
            long double unused[PARTS], sum = 0;
            const int l = polynomials[k].l;
            int a, b;
            solid_at(&polynomials[k], all, radial, size, unused, bound);
            for (a = 0; a <= l; a++)
              for (b = 0; b <= l - a; b++) sum += fabsl(polynomials[k].c[a][b]);
            for (d = 0; d < 3 && l; d++) bound[DX + d] += sum * l * power(r, l - 1) * size[0]; /* also where it is 0 along d */
            if (l)
              bound[LAPLACIAN] +=
                  sum * (l > 1 ? l * (l - 1) * power(r, l - 2) * size[0] : 0) + 4 * sum * l * power(r, l) * size[1];
          }
          for (j = 0; j < PARTS; j++) {
            terms[k][j] += value[j];
            bounds[k][j] += bound[j];
          }
        }
      }
  for (q = 0; q < s->primitives; q++) /* 1e7: their polynomials */
    for (k = 0; k < count; k++)
      for (j = 0; j < PARTS; j++)
        bounds[k][j] += left_out * 1e7L * (single == SIZE_MAX ? fabs(s->coefficients[q]) : fabs(factor)) / types[p->type].unit;
}

/* Of the density: itself, its gradient, tau. */
static void ongrid_density(const ongrid_problem *p, const long double *v, const long double *b, long double occupation,
                           long double *value, long double *bound) {
  const double eps = 2 * types[p->type].unit, least = gauss_least_square[p->type] / eps;
  int d;
  value[0] += occupation * v[0] * v[0];
  bound[0] += occupation * ((double)(p->norbitals + 3) * v[0] * v[0] + 2 * fabsl(v[0]) * b[0] + b[0] * b[0] * eps + least);
  for (d = 1; d < 4; d++) {
    const long double product = fabsl(v[0] * v[d]), square = v[d] * v[d];
    value[d] += 2 * occupation * v[0] * v[d];
    bound[d] += 2 * occupation *
                ((double)(p->norbitals + 3) * product + fabsl(v[0]) * b[d] + fabsl(v[d]) * b[0] + b[0] * b[d] * eps +
                 sqrtl(least / eps) * (fabsl(v[0]) + fabsl(v[d])));
    value[4] += occupation / 2 * square;
    bound[4] += occupation / 2 * ((double)(p->norbitals + 6) * square + 2 * fabsl(v[d]) * b[d] + b[d] * b[d] * eps + least);
  }
}

static void ongrid_reference(ongrid_problem *p) {
  const int density = p->operation >= ONGRID_DENSITY;
  const size_t rows = density ? 1 : p->norbitals, all = rows * p->points;
  const convk_gaussian_box *const b = &p->box;
  solid *polynomials = (solid *)need(p->functions * sizeof *polynomials);
  long double(*terms)[PARTS] = (long double(*)[PARTS])need((p->functions + 1) * sizeof *terms);
  long double(*bounds)[PARTS] = (long double(*)[PARTS])need((p->functions + 1) * sizeof *bounds);
  size_t i, o, f, s, q;
  int k;
  for (s = f = 0; s < p->nshells && p->operation != ONGRID_SUMS; s++)
    for (k = 0; k < solid_count(p->shells[s].l, p->shells[s].functions); k++, f++)
      polynomials[f] = solid_of(p->shells[s].l, p->shells[s].functions, k);
  if (p->operation == ONGRID_SUMS && p->functions) polynomials[0] = solid_of(0, 0, 0);
  p->value = (long double *)need(PARTS * all * sizeof *p->value);
  p->bound = (long double *)need(PARTS * all * sizeof *p->bound);
  for (i = 0; i < PARTS * all; i++) p->value[i] = p->bound[i] = 0;
  for (i = 0; i < p->points; i++) {
    const size_t at[3] = {i % b->grid.nx, i / b->grid.nx % b->grid.ny, i / b->grid.nx / b->grid.ny};
    long double x[3];
    for (k = 0; k < 3; k++)
      x[k] = (long double)b->origin[k] + (long double)at[0] * (long double)b->step_x[k] +
             (long double)at[1] * (long double)b->step_y[k] + (long double)at[2] * (long double)b->step_z[k];
    for (s = f = 0; s < p->nshells; s++) {
      for (q = 0; q < p->shells[s].primitives && p->operation == ONGRID_SUMS; q++, f++)
        ongrid_images(p, &p->shells[s], x, terms + f, bounds + f, polynomials, q, 1);
      if (p->operation == ONGRID_SUMS) continue;
      ongrid_images(p, &p->shells[s], x, terms + f, bounds + f, polynomials + f, SIZE_MAX, 1);
      f += (size_t)solid_count(p->shells[s].l, p->shells[s].functions);
    }
    for (o = 0; o < p->norbitals; o++) {
      long double v[PARTS], allowed[PARTS], parts[PARTS] = {0, 0, 0, 0, 0}, part_bounds[PARTS] = {0, 0, 0, 0, 0};
      for (k = 0; k < PARTS; k++) {
        v[k] = allowed[k] = 0;
        for (f = 0; f < p->functions; f++) {
          const long double c = p->identity ? f == o : p->c[o * p->functions + f];
          v[k] += c * terms[f][k];
          allowed[k] += fabsl(c) * bounds[f][k];
        }
      }
      if (density) ongrid_density(p, v, allowed, p->occupations[o], parts, part_bounds);
      for (k = 0; k < PARTS; k++) {
        p->value[(size_t)k * all + (density ? 0 : o * p->points) + i] += density ? parts[k] : v[k];
        p->bound[(size_t)k * all + (density ? 0 : o * p->points) + i] += density ? part_bounds[k] : allowed[k];
      }
    }
  }
  free(polynomials);
  free(terms);
  free(bounds);
}

/* ------------------------------------------------------------------------------------------------------------ one call -- */

/* Rows of grids between pages that fault: what lies between elements stays as it was. */
static void ongrid_gather(const ongrid_problem *p, const guard *g, const convk_grid3 *full, size_t rows, size_t ld,
                          double *to) {
  const size_t size = types[p->type].size;
  const unsigned char *before = g->data;
  size_t r, i, x, y, z;
  for (r = i = 0; r < rows; r++)
    for (z = 0; z < full->nz; z++)
      for (y = 0; y < full->ny; y++) {
        const unsigned char *const row = g->data + (r * ld + z * full->pitch_z + y * full->pitch_y) * size;
        if (!all_fill(before, row))
          fail("something was written before row %lu of plane %lu", (unsigned long)y, (unsigned long)z);
        for (x = 0; x < full->nx; x++) to[i++] = get(p->type, row, x);
        before = row + full->nx * size;
      }
}

/* One call in a random way; results of all parts without gaps. */
static void ongrid_one(const ongrid_problem *p, variant *v, uint64_t *rng, double *results) {
  static const int hooks[] = {HOOK_NONE, HOOK_REVERSED, HOOK_SHUFFLED, HOOK_THREADS};
  const size_t rows = p->operation >= ONGRID_DENSITY ? 1 : p->norbitals, size = types[p->type].size, m = p->functions;
  const size_t n[3] = {p->box.grid.nx, p->box.grid.ny, p->box.grid.nz};
  const long live = heap.live;
  const int kind = hooks[random_below(rng, 4)];
  hook h = hook_new(kind, 1 + (int)random_below(rng, 5), random64(rng));
  convk copy = v->hw, *const hw = v->device ? &v->hw : &copy;
  convk_gaussian_options options;
  ongrid_call k;
  array layout;
  guard c, occupations, alpha, out[PARTS], work;
  size_t i, q, f, ld, span, bytes = 0;
  int d;
  memset(&k, 0, sizeof k);
  memset(&options, 0, sizeof options);
  any_layout(&layout, n, rng);
  if (random_below(rng, 2))
    layout.given.pitch_y = layout.full.pitch_y = (n[0] + 15) / 16 * 16, layout.given.pitch_z = 0,
    layout.full.pitch_z = layout.full.pitch_y * n[1];
  if (kind != HOOK_NONE) {
    hw->parallel.threads = h.threads;
    hw->parallel.run = hook_run;
    hw->parallel.ctx = &h;
  }
  hw->tuning.nontemporal = (int)random_below(rng, 3) - 1;
  k.hw = hw;
  k.operation = p->operation;
  k.box = p->box;
  k.box.grid = layout.given;
  k.nshells = p->nshells;
  k.shells = p->shells;
  k.norbitals = p->norbitals;
  k.ldc = random_below(rng, 2) ? 0 : m + random_below(rng, 5);
  k.m = m;
  options.cutoff = p->cutoff;
  k.options = p->cutoff == 0 && random_below(rng, 2) ? NULL : &options;
  c = gauss_array(p->type, p->c, p->identity ? 0 : p->norbitals, m, k.ldc, rng);
  occupations = gauss_array(p->type, p->occupations, 1, p->norbitals, 0, rng);
  alpha = guard_new((p->operation == ONGRID_SUMS ? m : 0) * size, AT_END, 0);
  for (i = f = 0; i < p->nshells && p->operation == ONGRID_SUMS; i++)
    for (q = 0; q < p->shells[i].primitives; q++) put(p->type, alpha.data, f++, -p->shells[i].exponents[q]);
  for (d = 0; d < 3 && p->nshells; d++) k.center[d] = p->shells[0].center[d];
  k.c = p->identity ? NULL : c.data;
  k.occupations = p->operation >= ONGRID_DENSITY ? occupations.data : NULL;
  k.alpha = alpha.data;
  span = (n[2] - 1) * layout.full.pitch_z + (n[1] - 1) * layout.full.pitch_y + n[0];
  ld = random_below(rng, 2) ? 0 : span + random_below(rng, 40);
  if (ld && random_below(rng, 2)) ld = (span + 15) / 16 * 16;
  if (p->operation < ONGRID_DENSITY) k.ld = ld;
  if (!ld) ld = layout.full.nz * layout.full.pitch_z;
  for (d = 0; d < PARTS; d++) {
    const size_t all = ongrid_has(p->operation, d) && rows ? ((rows - 1) * ld + span) * size : 0;
    out[d] = guard_new(all, random_below(rng, 2) ? AT_END : AT_START, random_below(rng, 2) ? 0 : size * random_below(rng, 16));
    k.out[d] = ongrid_has(p->operation, d) ? out[d].data : NULL;
  }
  if (p->identity && random_below(rng, 2)) { /* nothing says yet whether it is a density that they are for */
    k.occupations = NULL;
    k.norbitals = 0;
  }
  if (ongrid_size(p->type, &k, &bytes)) fail("work_size failed: %s", hw->message);
  k.occupations = p->operation >= ONGRID_DENSITY ? occupations.data : NULL;
  k.norbitals = p->norbitals;
  work = guard_new(random_below(rng, 2) ? bytes : 0, AT_END, 0);
  if (work.bytes) k.work = work.data, k.work_size = bytes;
  ongrid_describe(p);
  describe_more("; pitches %lu %lu, ld %lu, %s, %d threads%s, nontemporal %d", (unsigned long)layout.given.pitch_y,
                (unsigned long)layout.given.pitch_z, (unsigned long)k.ld, hook_names[kind], h.threads, k.work ? ", work" : "",
                hw->tuning.nontemporal);
  begin_case();
  if (want_status(ongrid_do(p->type, &k), CONVK_OK)) want_returned(live);
  else fail("%s", hw->message);
  if (v->device) v->hw = copy; /* as it was */
  for (d = 0; d < PARTS; d++) {
    if (!guard_intact(&out[d])) fail("memory around result %d was written", d);
    if (ongrid_has(p->operation, d) && !suite.bad)
      ongrid_gather(p, &out[d], &layout.full, rows, ld, results + (size_t)d * rows * p->points);
    guard_free(&out[d]);
  }
  if (!guard_intact(&work)) fail("memory around the work was written");
  gauss_array_end(&c, "the coefficients");
  gauss_array_end(&occupations, "the occupations");
  guard_free(&alpha);
  guard_free(&work);
  end_case();
}

/* Against long double. */
static void ongrid_judge(const ongrid_problem *p, const double *got, const char *variant_name) {
  const size_t rows = p->operation >= ONGRID_DENSITY ? 1 : p->norbitals, all = rows * p->points;
  const double eps = 2 * types[p->type].unit * slack(), tiny = p->type ? DBL_MIN : (double)FLT_MIN;
  double worst = 0;
  size_t i;
  int d;
  ongrid_describe(p);
  describe_more("; %s", variant_name);
  begin_case();
  for (d = 0; d < PARTS; d++)
    for (i = 0; i < all && ongrid_has(p->operation, d); i++) {
      const size_t at = (size_t)d * all + i;
      const long double off = fabsl((long double)got[at] - p->value[at]);
      const long double allowed = eps * p->bound[at] + (double)(p->functions + 1) * tiny;
      if (!(off <= allowed) && !suite.bad)
        fail("part %d: point %lu of row %lu is %.17g, not %.17g; allowed %g", d, (unsigned long)(i % p->points),
             (unsigned long)(i / p->points), got[at], (double)p->value[at], (double)allowed);
      if (off / allowed > (long double)worst) worst = (double)(off / allowed);
    }
  error_note("of the bound", worst, 1, 0, 0, 0, all);
  end_case();
}

/* All variants: the first of a class against the reference, the others its bits; of general cells devices have their own. */
static void ongrid_run(ongrid_problem *p, uint64_t *rng) {
  const size_t rows = p->operation >= ONGRID_DENSITY ? 1 : p->norbitals, all = PARTS * rows * p->points;
  class_results results, there;
  size_t number = 0, i;
  variant *v;
  memset(&results, 0, sizeof results);
  memset(&there, 0, sizeof there);
  suite.operation = ongrid_names[p->operation];
  suite.type = types[p->type].name;
  while ((v = next_offering(&number, 0, p->type ? ongrid_offers_f64 : ongrid_offers_f32, 0)) != NULL) {
    double *got;
    const int turns = suite.quick ? 1 : 2;
    int turn;
    got = reals(all);
    for (i = 0; i < all; i++) got[i] = 0;
    for (turn = 0; turn < turns; turn++) {
      ongrid_one(p, v, rng, got);
      begin_case();
      if (!same_as_class(v->device && p->cell ? &there : &results, v, got, all * sizeof *got)) {
        if (!p->value) ongrid_reference(p);
        ongrid_judge(p, got, v->label);
      }
      end_case();
    }
    free(got);
  }
  class_results_end(&results);
  class_results_end(&there);
}

/* ------------------------------------------------------------------------------------------------------------- the tests -- */

/* One shell of each degree and order, all results. */
static void ongrid_each(int type) {
  static const size_t n[3] = {11, 7, 3};
  uint64_t rng = random_seed("ongrid_each");
  int l, order, operation;
  for (l = 0; l <= CONVK_SHELL_MAX_L; l++)
    for (order = 0; order < ORDERS; order++)
      for (operation = 1; operation < ONGRID_KINDS; operation++) {
        ongrid_problem p;
        if (suite.quick && (l + order + operation) % 3) continue;
        memset(&p, 0, sizeof p);
        p.type = type;
        p.operation = operation;
        ongrid_box(&p, n, 5, &rng);
        p.nshells = 1;
        p.shells = (convk_shell *)need(sizeof *p.shells);
        memset(p.shells, 0, sizeof *p.shells);
        orbital_shell(type, p.shells, l, order, 2, 0.7, &rng);
        ongrid_finish(&p, -1, &rng);
        ongrid_run(&p, &rng);
        ongrid_free(&p);
      }
}

/* Boxes of all shapes, some longer than tiles; tiny and huge exponents, cutoffs. */
static void ongrid_shapes(int type) {
  static const size_t some[][3] = {{1, 1, 1},  {1, 5, 1},  {3, 1, 4},  {7, 1, 1},  {8, 9, 2},    {16, 6, 1}, {31, 4, 1},
                                   {33, 5, 2}, {64, 2, 2}, {80, 3, 1}, {97, 2, 1}, {130, 1, 2},  {2, 49, 1}, {3, 97, 1},
                                   {2, 3, 17}, {5, 50, 9}, {96, 1, 1}, {1, 1, 9},  {127, 13, 1}, {20, 20, 3}};
  uint64_t rng = random_seed("ongrid_shapes");
  size_t i;
  int operation;
  for (i = 0; i < COUNT_OF(some); i++)
    for (operation = 0; operation < ONGRID_KINDS; operation++) {
      ongrid_problem p;
      if (suite.quick && (i + (size_t)operation) % 3) continue;
      memset(&p, 0, sizeof p);
      p.type = type;
      p.operation = operation;
      p.cutoff = i % 3 == 2 ? 1e-4 : 0;
      ongrid_box(&p, some[i], i % 4 == 1 ? 40 : 6, &rng);
      ongrid_shells(&p, 1 + random_below(&rng, 6), i % 5 == 4 ? 1 + !type : 0, &rng);
      ongrid_finish(&p, i % 3 == 1 ? -1 : (int)random_below(&rng, 6), &rng);
      ongrid_run(&p, &rng);
      ongrid_free(&p);
    }
}

/* Tables as long as they can be: along x and y points reach a little further than whole steps do, and along y also into the last
   row of one tile and the first of another. */
static void ongrid_room(int type) {
  static const size_t n[3] = {64, 144, 1};
  const double reach = 20 * 0.69314718055994531 * 1.0000001, radius = 23.25; /* of a cutoff of 2^-20, in steps */
  uint64_t rng = random_seed("ongrid_room");
  ongrid_problem p;
  int d;
  memset(&p, 0, sizeof p);
  p.type = type;
  p.operation = ONGRID_VGL;
  p.cutoff = ldexp(1, -20);
  ongrid_box(&p, n, 6, &rng);
  for (d = 0; d < 3; d++) {
    p.box.origin[d] = 0;
    ongrid_step(&p.box, d)[d] = 1;
  }
  p.nshells = 1;
  p.shells = (convk_shell *)need(sizeof *p.shells);
  memset(p.shells, 0, sizeof *p.shells);
  orbital_shell(type, p.shells, 1, 0, 1, 0.7, &rng);
  *(double *)(uintptr_t)p.shells->exponents = reach / (radius * radius);
  p.shells->center[0] = 7.7 + radius;
  p.shells->center[1] = 48.7 + radius;
  p.shells->center[2] = 0;
  ongrid_finish(&p, 1, &rng);
  ongrid_run(&p, &rng);
  ongrid_free(&p);
}

/* Many narrow shells one after another along x, each in a small part of the tiles: every strip has lists of its own. */
static void ongrid_chain(int type) {
  static const size_t n[3] = {137, 9, 2};
  uint64_t rng = random_seed("ongrid_chain");
  size_t i, q;
  int operation;
  for (operation = 1; operation < ONGRID_KINDS; operation++) {
    ongrid_problem p;
    memset(&p, 0, sizeof p);
    p.type = type;
    p.operation = operation;
    ongrid_box(&p, n, 4, &rng);
    p.box.origin[0] = -20;
    p.box.step_x[0] = 0.3;
    ongrid_shells(&p, suite.quick ? 30 : 90, 0, &rng);
    for (i = 0; i < p.nshells; i++) {
      p.shells[i].center[0] = 40. * (double)i / (double)p.nshells - 20;
      for (q = 0; q < p.shells[i].primitives; q++) ((double *)(uintptr_t)p.shells[i].exponents)[q] = 8 + 3. * (double)q;
    }
    ongrid_finish(&p, operation, &rng);
    ongrid_run(&p, &rng);
    ongrid_free(&p);
  }
}

/* Periods along some axes, down to a step and up to far more than the box. */
static void ongrid_periods(int type) {
  static const size_t n[3] = {9, 6, 4};
  uint64_t rng = random_seed("ongrid_periods");
  int turn, operation, d;
  for (turn = 1; turn < 8; turn++)
    for (operation = 0; operation < ONGRID_KINDS; operation++) {
      ongrid_problem p;
      if (suite.quick && (turn + operation) % 3) continue;
      memset(&p, 0, sizeof p);
      p.type = type;
      p.operation = operation;
      p.cutoff = turn == 4 ? 1e-3 : 0;
      ongrid_box(&p, n, 6, &rng);
      ongrid_shells(&p, 1 + random_below(&rng, 3), 0, &rng);
      ongrid_finish(&p, turn % 2 ? 2 : -1, &rng);
      for (d = 0; d < 3; d++)
        if (turn >> d & 1) p.box.period[d] = random_below(&rng, 4) ? 3 + 4 * fabs(random_unit(&rng)) : 30;
      ongrid_run(&p, &rng);
      ongrid_free(&p);
    }
}

/* No shells, no orbitals, no Gaussians: zeros, or nothing at all. */
static void ongrid_nothing(int type) {
  static const size_t n[3] = {5, 4, 3};
  uint64_t rng = random_seed("ongrid_nothing");
  int operation, turn;
  for (operation = 0; operation < ONGRID_KINDS; operation++)
    for (turn = 0; turn < 2; turn++) {
      ongrid_problem p;
      memset(&p, 0, sizeof p);
      p.type = type;
      p.operation = operation;
      ongrid_box(&p, n, 6, &rng);
      ongrid_shells(&p, turn ? 2 : 0, 0, &rng);
      ongrid_finish(&p, turn ? 0 : 2, &rng);
      ongrid_run(&p, &rng);
      ongrid_free(&p);
    }
}

/* -------------------------------------------------------------------------------------------------------------- errors -- */

typedef struct ongrid_stage {
  ongrid_call k;
  convk copy;
  convk_shell shells[2];
  double numbers[2][4];
  convk_gaussian_options options;
  unsigned char c[20 * 8], occupations[5 * 8], alpha[3 * 8];
  guard out[PARTS], work;
  int type;
} ongrid_stage;

static void ongrid_reset(ongrid_stage *s, variant *v, int operation) {
  const size_t n = 3 * 4 * 5;
  int i, d;
  memset(&s->k, 0, sizeof s->k);
  memset(&s->options, 0, sizeof s->options);
  memset(s->shells, 0, sizeof s->shells);
  s->copy = v->hw;
  s->k.hw = &s->copy;
  s->k.operation = operation;
  for (i = 0; i < 2; i++) {
    for (d = 0; d < 4; d++) s->numbers[i][d] = 0.5 + 0.25 * d;
    s->shells[i].l = i;
    s->shells[i].primitives = 2;
    s->shells[i].exponents = s->numbers[i];
    s->shells[i].coefficients = s->numbers[i] + 2;
  }
  s->k.box.step_x[0] = s->k.box.step_y[1] = s->k.box.step_z[2] = 0.5;
  s->k.box.grid.nx = 3;
  s->k.box.grid.ny = 4;
  s->k.box.grid.nz = 5;
  s->k.nshells = 2;
  s->k.shells = s->shells;
  s->k.norbitals = 2;
  s->k.m = 3;
  s->k.options = &s->options;
  for (i = 0; i < 20; i++) put(s->type, s->c, (size_t)i, 0.25 * i);
  for (i = 0; i < 5; i++) put(s->type, s->occupations, (size_t)i, 1);
  for (i = 0; i < 3; i++) put(s->type, s->alpha, (size_t)i, -1 - i);
  s->k.c = s->c;
  s->k.occupations = s->occupations;
  s->k.alpha = s->alpha;
  for (d = 0; d < PARTS; d++) {
    memset(s->out[d].data, FILL_, s->out[d].bytes);
    s->k.out[d] = ongrid_has(operation, d) ? s->out[d].data : NULL;
  }
  (void)n;
}

static void ongrid_expect(ongrid_stage *s, int wanted, const char *names, const char *what) {
  const long live = heap.live, total = heap.total;
  int d;
  describe("%s", what);
  begin_case();
  want_status(ongrid_do(s->type, &s->k), wanted);
  want_returned(live);
  want_checked_first(wanted, total);
  if (s->k.hw && wanted != CONVK_ERR_HANDLE) want_said(s->k.hw->message, wanted, names);
  for (d = 0; d < PARTS; d++) {
    if (wanted && !all_fill(s->out[d].data, s->out[d].data + s->out[d].bytes)) fail("result %d was written", d);
    if (!guard_intact(&s->out[d])) fail("memory around result %d was written", d);
  }
  if (wanted && !all_fill(s->work.data, s->work.data + s->work.bytes)) fail("the work memory was written");
  memset(s->work.data, FILL_, s->work.bytes);
  end_case();
}

#define ONGRID_SPOIL(expected, text, ...) \
  do { \
    ongrid_stage *c = s; \
    (void)c; /* not all spoil something of it */ \
    ongrid_reset(s, v, operation); \
    __VA_ARGS__; \
    ongrid_expect(s, expected, text, #__VA_ARGS__); \
  } while (0)

static void ongrid_errors_box(ongrid_stage *s, variant *v, int operation) {
  static const char *const axes[3] = {"box->step_x", "box->step_y", "box->step_z"};
  int d, turn;
  ONGRID_SPOIL(CONVK_ERR_NULL, "box is NULL", c->k.missing = 1);
  ONGRID_SPOIL(CONVK_ERR_SIZE, "box->grid.nx", c->k.box.grid.nx = 0);
  ONGRID_SPOIL(CONVK_ERR_SIZE, "box->grid.nz", c->k.box.grid.nz = 0);
  ONGRID_SPOIL(CONVK_ERR_PITCH, "box->grid.pitch_y", c->k.box.grid.pitch_y = 2);
  ONGRID_SPOIL(CONVK_ERR_PITCH, "box->grid.pitch_z", c->k.box.grid.pitch_z = 2);
  ONGRID_SPOIL(CONVK_ERR_OVERFLOW, "box->grid", c->k.box.grid.nz = SIZE_MAX / 4);
  for (d = 0; d < 3; d++) {
#define STEP_OF(c, d) ongrid_step(&(c)->k.box, d)
    ONGRID_SPOIL(CONVK_ERR_OPTION, axes[d], STEP_OF(c, d)[d] = 0);
    ONGRID_SPOIL(CONVK_OK, NULL, STEP_OF(c, d)[(d + 1) % 3] = 0.1);
    ONGRID_SPOIL(CONVK_OK, NULL, STEP_OF(c, d)[(d + 2) % 3] = -0.1);
    ONGRID_SPOIL(CONVK_ERR_OPTION, axes[d], STEP_OF(c, d)[(d + 1) % 3] = 0.1; STEP_OF(c, d)[d] = 0);
    ONGRID_SPOIL(CONVK_ERR_OPTION, axes[(d + 1) % 3], STEP_OF(c, d)[(d + 1) % 3] = 0.1; STEP_OF(c, d)[d] = 0);
    ONGRID_SPOIL(CONVK_ERR_OPTION, axes[d], STEP_OF(c, d)[(d + 1) % 3] = 0.1; STEP_OF(c, d)[(d + 2) % 3] = -0.3;
                 STEP_OF(c, d)[d] = 1e-11);
    ONGRID_SPOIL(CONVK_ERR_OPTION, "box->period", STEP_OF(c, d)[(d + 1) % 3] = 0.5; c->k.box.period[d] = 0.703125);
    ONGRID_SPOIL(CONVK_OK, NULL, STEP_OF(c, d)[(d + 1) % 3] = 0.5; c->k.box.period[d] = 0.75);
    ONGRID_SPOIL(CONVK_ERR_RANGE, "box->period", STEP_OF(c, d)[(d + 1) % 3] = 0.25; c->k.box.period[d] = 0.75;
                 c->numbers[1][1] = 1e-8; put(c->type, c->alpha, 1, -1e-8));
    ONGRID_SPOIL(CONVK_ERR_OVERFLOW, "box->origin", c->k.box.origin[d] = 1e200);
    ONGRID_SPOIL(CONVK_ERR_OVERFLOW, "box->origin", STEP_OF(c, d)[d] = -1e200);
    ONGRID_SPOIL(CONVK_ERR_OPTION, "box->period", c->k.box.period[d] = -1);
    ONGRID_SPOIL(CONVK_ERR_OPTION, "box->period", c->k.box.period[d] = 0.4375);
    ONGRID_SPOIL(CONVK_OK, NULL, c->k.box.period[d] = 0.5);
    ONGRID_SPOIL(CONVK_ERR_RANGE, "box->period", c->k.box.period[d] = 0.5; c->numbers[1][1] = 1e-8;
                 put(c->type, c->alpha, 1, -1e-8));
    for (turn = 0; turn < 3; turn++) {
      ONGRID_SPOIL(CONVK_ERR_NONFINITE, axes[d], STEP_OF(c, d)[turn] = not_finite(turn));
      ONGRID_SPOIL(CONVK_ERR_NONFINITE, "box->origin", c->k.box.origin[d] = not_finite(turn));
      ONGRID_SPOIL(CONVK_ERR_NONFINITE, "box->period", c->k.box.period[d] = not_finite(turn));
    }
  }
}

/* Images whose numbers are too large to count them, since a point of a general cell lies far along another one's axis, or since an
   image along one axis lies far along another one. */
static void ongrid_errors_far(ongrid_stage *s, variant *v, int operation) {
  ONGRID_SPOIL(CONVK_ERR_RANGE, "some point of the box, box->period[0]", STEP_OF(c, 1)[0] = 1e17; STEP_OF(c, 1)[1] = 1e9;
               c->k.box.period[0] = 0.5);
  ONGRID_SPOIL(CONVK_ERR_RANGE, "some point of the box, box->period[1]", STEP_OF(c, 2)[1] = 3; STEP_OF(c, 2)[2] = 0.1;
               c->k.box.period[1] = 0.5; c->k.box.period[2] = 3.25; c->shells[1].center[2] = c->k.center[2] = 1.5e13);
}

static void ongrid_errors_set(ongrid_stage *s, variant *v, int operation) {
  int turn;
  if (operation == ONGRID_SUMS) {
    ONGRID_SPOIL(CONVK_ERR_NULL, "gaussians is NULL", c->k.missing = 2);
    ONGRID_SPOIL(CONVK_ERR_NULL, "gaussians->alpha", c->k.alpha = NULL);
    ONGRID_SPOIL(CONVK_ERR_NULL, "gaussians->coefficients", c->k.c = NULL);
    ONGRID_SPOIL(CONVK_ERR_PITCH, "gaussians->ldc", c->k.ldc = 2);
    ONGRID_SPOIL(CONVK_ERR_OVERFLOW, "gaussians->n", c->k.m = SIZE_MAX / 2);
    ONGRID_SPOIL(CONVK_ERR_OPTION, "gaussians->alpha[2] is not negative", put(c->type, c->alpha, 2, 0));
    ONGRID_SPOIL(CONVK_ERR_OPTION, "gaussians->alpha[1] is not negative", put(c->type, c->alpha, 1, 1));
    ONGRID_SPOIL(CONVK_ERR_NONFINITE, "gaussians->alpha[1]", put(c->type, c->alpha, 1, (double)NAN));
    ONGRID_SPOIL(CONVK_ERR_NONFINITE, "gaussians->coefficients[1 ldc + 2]", put(c->type, c->c, 5, (double)INFINITY));
    ONGRID_SPOIL(CONVK_ERR_NONFINITE, "gaussians->center[1]", c->k.center[1] = (double)INFINITY);
    return;
  }
  ONGRID_SPOIL(CONVK_ERR_NULL, "set is NULL", c->k.missing = 2);
  ONGRID_SPOIL(CONVK_ERR_PLAN, "set->plan", c->k.missing = 4);
  ONGRID_SPOIL(CONVK_ERR_NULL, "set->shells", c->k.shells = NULL);
  ONGRID_SPOIL(CONVK_ERR_OPTION, "set->shells[1].l", c->shells[1].l = 5);
  ONGRID_SPOIL(CONVK_ERR_OPTION, "set->shells[0].exponents[1] is not positive", c->numbers[0][1] = -1);
  ONGRID_SPOIL(CONVK_ERR_PITCH, "set->ldc", c->k.ldc = 3);
  ONGRID_SPOIL(CONVK_ERR_SIZE, "set->norbitals", c->k.c = NULL; c->k.norbitals = 3);
  ONGRID_SPOIL(CONVK_ERR_NONFINITE, "set->coefficients[1 ldc + 1]", put(c->type, c->c, 5, (double)NAN));
  ONGRID_SPOIL(CONVK_ERR_OVERFLOW, "set->norbitals", c->k.norbitals = SIZE_MAX / 2);
  for (turn = 0; turn < 3; turn++) {
    ONGRID_SPOIL(CONVK_ERR_NONFINITE, "set->shells[1].exponents[0]", c->numbers[1][0] = not_finite(turn));
    ONGRID_SPOIL(CONVK_ERR_NONFINITE, "set->shells[1].coefficients[1]", c->numbers[1][3] = not_finite(turn));
    ONGRID_SPOIL(CONVK_ERR_NONFINITE, "set->shells[1].center[2]", c->shells[1].center[2] = not_finite(turn));
  }
  if (operation >= ONGRID_DENSITY) {
    ONGRID_SPOIL(CONVK_ERR_NULL, "set->occupations", c->k.occupations = NULL);
    ONGRID_SPOIL(CONVK_ERR_NONFINITE, "set->occupations[1]", put(c->type, c->occupations, 1, (double)NAN));
  }
  if (operation == ONGRID_VGL || operation > ONGRID_DENSITY) {
    const double a = s->type ? 1e160 : 1e20;
    ONGRID_SPOIL(CONVK_ERR_NONFINITE, "set->shells[1].", c->numbers[1][0] = a);
    ONGRID_SPOIL(CONVK_ERR_NONFINITE, "set->shells[1].exponents[0]", c->numbers[1][0] = a; c->numbers[1][2] = 0);
  }
  if (operation == ONGRID_GRADIENT) ONGRID_SPOIL(CONVK_ERR_NULL, "out->dx", c->k.out[2] = NULL);
}

static void ongrid_errors_arrays(ongrid_stage *s, variant *v, int operation) {
  const size_t size = types[s->type].size, span = 60 * size;
  size_t need_bytes = 0;
  int d;
  ONGRID_SPOIL(CONVK_OK, NULL, (void)0);
  ONGRID_SPOIL(CONVK_OK, NULL, c->k.options = NULL);
  ONGRID_SPOIL(CONVK_ERR_NULL, NULL, c->k.hw = NULL);
  ONGRID_SPOIL(CONVK_ERR_HANDLE, NULL, c->copy.version += 100);
  ONGRID_SPOIL(CONVK_ERR_OPTION, "options->layout", c->options.layout = 1);
  ONGRID_SPOIL(CONVK_ERR_OPTION, "options->compensated", c->options.compensated = 1);
  ONGRID_SPOIL(CONVK_ERR_OPTION, "options->cutoff", c->options.cutoff = -1);
  ONGRID_SPOIL(CONVK_ERR_NONFINITE, "options->cutoff", c->options.cutoff = (double)NAN);
  if (operation < ONGRID_DENSITY) {
    ONGRID_SPOIL(CONVK_ERR_PITCH, "ld is 59", c->k.ld = 59);
    ONGRID_SPOIL(CONVK_ERR_OVERFLOW, "ld", c->k.ld = SIZE_MAX / 2);
    ONGRID_SPOIL(CONVK_ERR_OVERLAP, operation ? "set->coefficients" : "gaussians->coefficients",
                 c->k.c = (char *)c->k.out[0] + span);
  } else {
    ONGRID_SPOIL(CONVK_ERR_OVERLAP, "set->occupations", c->k.occupations = c->k.out[0]);
    ONGRID_SPOIL(CONVK_ERR_OVERLAP, "set->occupations", c->k.occupations = (char *)c->k.out[0] - size); /* the last one */
  }
  ONGRID_SPOIL(CONVK_ERR_OVERLAP, operation ? "set->coefficients" : "gaussians->coefficients",
               c->k.c = (char *)c->k.out[0] - (operation ? 7 : 5) * size);
  if (operation >= ONGRID_VGL) ONGRID_SPOIL(CONVK_ERR_NULL, "out is NULL", c->k.missing = 3);
  for (d = 0; d < PARTS; d++)
    if (operation == ONGRID_VGL || d == 0) ONGRID_SPOIL(CONVK_ERR_NULL, NULL, c->k.out[d] = NULL);
  if (operation == ONGRID_GRADIENT) ONGRID_SPOIL(CONVK_ERR_OVERLAP, "out->tau", c->k.out[4] = (char *)c->k.out[3] + span - 1);
  if (operation && !v->device)
    ONGRID_SPOIL(CONVK_ERR_OVERLAP, "set->shells", c->k.work = c->shells; c->k.work_size = sizeof c->shells);
  if (operation == ONGRID_SUMS) {
    ONGRID_SPOIL(CONVK_ERR_OVERLAP, "gaussians->alpha", c->k.alpha = c->k.out[0]; c->k.m = 3);
    ONGRID_SPOIL(CONVK_ERR_OVERLAP, "gaussians->alpha", c->k.alpha = (char *)c->k.out[0] - 2 * size);
  }
  if (v->device) { /* which ignores it */
    ONGRID_SPOIL(CONVK_OK, NULL, c->k.work = c->work.data; c->k.work_size = 8);
  } else {
    ONGRID_SPOIL(CONVK_ERR_OVERLAP, "work", c->k.work = c->k.out[0]; c->k.work_size = 8);
    ONGRID_SPOIL(CONVK_ERR_OVERLAP, "work", c->k.work = (char *)c->k.out[0] - 7; c->k.work_size = 8);
    ONGRID_SPOIL(CONVK_ERR_OVERLAP, "coefficients overlaps work", c->k.work = c->c; c->k.work_size = 8);
    ONGRID_SPOIL(CONVK_ERR_WORK, "work_size is 8", c->k.work = c->work.data; c->k.work_size = 8);
  }
  ongrid_reset(s, v, operation);
  describe("sizes of work");
  begin_case();
  need_bytes = 99;
  s->k.missing = 1;
  want_status(ongrid_size(s->type, &s->k, &need_bytes), CONVK_ERR_NULL);
  s->k.missing = 2;
  want_status(ongrid_size(s->type, &s->k, &need_bytes), CONVK_ERR_NULL);
  s->k.missing = 0;
  s->k.box.grid.nx = 0;
  want_status(ongrid_size(s->type, &s->k, &need_bytes), CONVK_ERR_SIZE);
  s->k.box.grid.nx = 3;
  s->numbers[1][0] = -1;
  put(s->type, s->alpha, 0, 1);
  want_status(ongrid_size(s->type, &s->k, &need_bytes), CONVK_ERR_OPTION);
  if (need_bytes != 99) fail("a refused query wrote");
  end_case();
}

/* A center so many periods away has the values of one in the box, and is refused where its images cannot be counted. */
static void ongrid_far_one(ongrid_stage *s, variant *v, int operation, size_t d, int slanted) {
  static const double away[] = {0, 1099511627776., -70368744177664., 1125899906842624., -1e17}; /* 2^40, 2^46, 2^50 */
  unsigned char near[PARTS][2 * 60 * 8];
  const size_t values = operation >= ONGRID_DENSITY ? 60 : 120;
  size_t turn, part, i, bytes;
  for (turn = 0; turn < COUNT_OF(away); turn++) {
    const double periods = away[turn];
    const int far = turn > 2, wanted = far ? CONVK_ERR_RANGE : CONVK_OK;
    double *const step = (ongrid_reset(s, v, operation), ongrid_step(&s->k.box, (int)d));
    if (slanted && d) step[d - 1] = 0.375; /* 0.625 long, so that components of a period are whole */
    s->k.box.period[d] = 5;
    s->shells[0].center[d] = 0.5; /* not one group with the other shell */
    s->shells[1].center[d] = s->k.center[d] = (slanted && d ? 4 : 5) * periods;
    if (slanted && d) s->shells[1].center[d - 1] = s->k.center[d - 1] = 3 * periods;
    if (slanted && !d) s->k.box.step_z[1] = 0.375;
    describe("%s cell, period along axis %d, center %g periods away", slanted ? "a general" : "a", (int)d, periods);
    begin_case();
    want_status(ongrid_do(s->type, &s->k), wanted);
    for (part = 0; part < PARTS; part++) {
      if (far && !all_fill(s->out[part].data, s->out[part].data + s->out[part].bytes))
        fail("result %u was written", (unsigned)part);
      if (far || !ongrid_has(operation, (int)part)) continue;
      if (!turn) memcpy(near[part], s->out[part].data, values * types[s->type].size);
      for (i = 0; i < values; i++) {
        const double want = get(s->type, near[part], i), got = get(s->type, s->out[part].data, i);
        if (!(fabs(got - want) <= (slanted ? types[s->type].unit * 64 : 0)))
          fail("element %u of result %u is %.17g, not %.17g", (unsigned)i, (unsigned)part, got, want);
      }
    }
    if (far) {
      want_said(s->k.hw->message, wanted, operation == ONGRID_SUMS ? "gaussians->center is" : "set->shells[1].center is");
      want_status(ongrid_size(s->type, &s->k, &bytes), wanted);
      s->k.box.period[d] = 0; /* no images along this axis */
      s->k.box.period[(d + 1) % 3] = slanted && d == 1 ? 0 : 5;
      want_status(ongrid_do(s->type, &s->k), CONVK_OK);
      ongrid_reset(s, v, operation);
      s->k.box.period[d] = 5;
      s->k.box.origin[d] = 5 * periods;
      want_status(ongrid_do(s->type, &s->k), wanted);
    }
    end_case();
  }
}

/* Its image that just reaches the first point counts, however far rounding moves it among the images: such a number of a general
   cell, whose axes are none of x, y and z. */
static void ongrid_far_edge(ongrid_stage *s, variant *v) {
  static const double steps[9] = {0.5, 0.21, 0.13, 0.3, 0.5, -0.11, 0, 0.375, 0.5};
  size_t far, i;
  suite.operation = ongrid_names[ONGRID_ORBITALS];
  describe("images that just reach a point");
  begin_case();
  for (far = 0; far < 8; far++) {
    const double periods = 140737488355328. + 8388608. * (double)far; /* 2^47, 2^23 */
    ongrid_reset(s, v, ONGRID_ORBITALS);
    for (i = 0; i < 9; i++) ongrid_step(&s->k.box, (int)i / 3)[i % 3] = steps[i];
    s->k.box.grid.ny = s->k.box.grid.nz = 3;
    s->k.box.period[2] = 5;
    s->k.box.origin[1] = 0.375;
    s->shells[0].center[1] = 3 * periods;
    s->shells[0].center[2] = 4 * periods;
    s->shells[0].primitives = s->k.nshells = s->k.norbitals = 1;
    s->numbers[0][0] = s->type ? 320 : 180;
    s->k.c = NULL;
    want_status(ongrid_do(s->type, &s->k), CONVK_OK);
    if (!(get(s->type, s->out[0].data, 0) > 0)) fail("%g periods away: %g", periods, get(s->type, s->out[0].data, 0));
  }
  end_case();
}

static void ongrid_errors(int type) {
  size_t number = 0, d;
  variant *v;
  while ((v = next_offering(&number, 0, type ? ongrid_offers_f64 : ongrid_offers_f32, 0)) != NULL) {
    ongrid_stage stage, *const s = &stage;
    int operation;
    memset(s, 0, sizeof *s);
    s->type = type;
    for (d = 0; d < PARTS; d++) s->out[d] = guard_new(2 * 70 * types[type].size, AT_END, 0);
    s->work = guard_new(64, AT_END, 0);
    for (operation = 0; operation < ONGRID_KINDS; operation++) {
      suite.operation = ongrid_names[operation];
      suite.type = types[type].name;
      ongrid_errors_box(s, v, operation);
      ongrid_errors_far(s, v, operation);
      ongrid_errors_set(s, v, operation);
      ongrid_errors_arrays(s, v, operation);
      for (d = 0; d < 6; d++) ongrid_far_one(s, v, operation, d / 2, (int)d % 2);
    }
    ongrid_far_edge(s, v);
    for (d = 0; d < PARTS; d++) guard_free(&s->out[d]);
    guard_free(&s->work);
  }
}

/* On devices with less memory than results take: planes go in parts, with the same bits. */
static void ongrid_parts(int type) {
  const size_t n[3] = {20, 13, suite.quick ? 9 : 19};
  size_t number = 0, i;
  variant *v;
  while ((v = next_variant(&number, 0)) != NULL) {
    const size_t size = types[type].size;
    uint64_t rng = random_seed("ongrid_parts");
    int operation, cell;
    if (!v->device || !(type ? ongrid_offers_f64 : ongrid_offers_f32)(&v->hw, 0)) continue;
    for (cell = operation = 0; operation < ONGRID_KINDS; operation += cell, cell = !cell) {
      ongrid_problem p;
      ongrid_call k;
      size_t rows, span, whole, bytes, turn;
      char *out[3][PARTS], *c, *weights, *alpha;
      int d, status = CONVK_OK;
      memset(&p, 0, sizeof p);
      p.type = type;
      p.operation = operation;
      ongrid_box(&p, n, 6, &rng);
      if (cell) p.box.step_y[0] = 0.25 * p.box.step_x[0], p.box.step_z[1] = -0.125 * p.box.step_y[1];
      ongrid_shells(&p, 2, 0, &rng);
      ongrid_finish(&p, 40, &rng);
      suite.operation = ongrid_names[operation];
      suite.type = types[type].name;
      ongrid_describe(&p);
      describe_more("; %sin parts", cell ? "a general cell, " : "");
      begin_case();
      memset(&k, 0, sizeof k);
      rows = operation >= ONGRID_DENSITY ? 1 : p.norbitals;
      span = p.points + 5 * n[1] * n[2];
      c = (char *)need(p.norbitals * p.functions * size);
      weights = (char *)need(p.norbitals * size);
      alpha = (char *)need(p.functions * size);
      for (i = 0; i < p.norbitals * p.functions; i++) put(type, c, i, p.c[i]);
      for (i = 0; i < p.norbitals; i++) put(type, weights, i, p.occupations[i]);
      for (i = 0; i < p.functions; i++) put(type, alpha, i, -0.25 - (double)i);
      k.operation = operation;
      k.hw = &v->hw;
      k.box = p.box;
      k.box.grid.pitch_y = n[0] + 5;
      k.nshells = p.nshells;
      k.shells = p.shells;
      k.norbitals = p.norbitals;
      k.m = p.functions;
      k.c = c;
      k.alpha = alpha;
      k.occupations = weights;
      for (turn = 0, whole = 0; turn < 3; turn++)
        for (d = 0; d < PARTS; d++) {
          out[turn][d] = ongrid_has(operation, d) ? (char *)need(rows * span * size) : NULL;
          if (!out[turn][d]) continue;
          memset(out[turn][d], FILL_, rows * span * size);
          whole += turn ? 0 : rows * span * size;
        }
      /* whole, planes one by one, some together, of the last part fewer */
      for (turn = 0, bytes = 0; turn < 3 && !status; turn++) {
        for (d = 0; d < PARTS; d++) k.out[d] = out[turn][d];
        for (bytes = turn == 1 ? 512 : turn ? bytes + 4 * whole / n[2] : 0;; bytes += bytes / 8) {
          v->hw.device_bytes = bytes;
          status = ongrid_do(type, &k);
          if (status != CONVK_ERR_MEMORY || bytes > 2 * whole + ((size_t)1 << 20)) break;
          if (!strstr(v->hw.message, "hw->device_bytes is ")) fail("too little memory: %s", v->hw.message);
        }
        if (turn == 1 && operation < ONGRID_DENSITY && bytes > whole / 2)
          fail("%lu bytes of a device are needed for results of %lu", (unsigned long)bytes, (unsigned long)whole);
      }
      v->hw.device_bytes = 0;
      if (want_status(status, CONVK_OK))
        for (d = 0; d < PARTS; d++)
          for (turn = 1; turn < 3 && out[0][d]; turn++)
            if (memcmp(out[0][d], out[turn][d], rows * span * size)) fail("other bits in parts, or between rows");
      for (d = 0; d < PARTS; d++) free(out[0][d]), free(out[1][d]), free(out[2][d]);
      free(c);
      free(weights);
      free(alpha);
      ongrid_free(&p);
      end_case();
    }
  }
}
