/* ---- where runs begin ---- */

/* Coordinates of either precision, at any alignment. */
CONVK_RARE_ double convk_real_at_(const void *p, size_t i, size_t element) {
  double x = 0;
  float f = 0;
  memcpy(element == sizeof f ? (void *)&f : (void *)&x, (const char *)p + i * element, element);
  return element == sizeof f ? (double)f : x;
}

/* The largest coordinates that there may be. */
CONVK_LOCAL_ double convk_pairs_far_(size_t element) { return element == sizeof(float) ? 16384 : 268435456; }

/* Longest steps: 16 of them in each of 16 sweeps, a batch, take a walker by half the range of coordinates. */
#define CONVK_VMC_STEP_(far) ((far) / 512)

/* RANGE where a particle of a cluster is so far from the middle of its walker that no batch can end well. */
CONVK_RARE_ int convk_vmc_compact_(size_t walkers, size_t n, const void *r, size_t element) {
  const double limit = convk_pairs_far_(element) / 2;
  size_t w, i;
  for (w = 0; w < 3 * walkers; w++) {
    double mean = 0;
    for (i = 0; i < n; i++) mean += convk_real_at_(r, w * n + i, element) / (double)n;
    for (i = 0; i < n; i++) {
      const double x = convk_real_at_(r, w * n + i, element);
      if (!(CONVK_LESS_EQUAL_(x - mean, limit) && CONVK_LESS_EQUAL_(mean - x, limit))) return CONVK_ERR_RANGE;
    }
  }
  return CONVK_OK;
}

/* Where particles begin: a ball of a cubic lattice, or one that fills the box. */
CONVK_RARE_ void convk_vmc_sites_(const convk_pair_system *system, double spacing,
                                  void (*put)(void *ctx, size_t i, const double *at), void *ctx) {
  const size_t n = system->particles;
  ptrdiff_t m = 1, a[3], level;
  size_t i = 0, sites, site, low = 0, high = 3;
  double at[3];
  int d;
  while ((size_t)m * (size_t)m * (size_t)m < n) m++;
  if (system->box[0] > 0) {
    sites = (size_t)m * (size_t)m * (size_t)m;
    for (i = 0; i < n; i++) {
      site = i * (sites / n) + i * (sites % n) / n;
      for (d = 0; d < 3; d++, site /= (size_t)m) at[d] = ((double)(site % (size_t)m) + 0.5) / (double)m * system->box[d];
      put(ctx, i, at);
    }
    return;
  }
  high = 3 * (size_t)m * (size_t)m; /* the least square of a radius within which there are n sites */
  while (low < high) {
    const size_t middle = (low + high) / 2;
    sites = 0;
    for (a[2] = -m; a[2] <= m; a[2]++)
      for (a[1] = -m; a[1] <= m; a[1]++)
        for (a[0] = -m; a[0] <= m; a[0]++) sites += (size_t)(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) <= middle;
    if (sites < n) low = middle + 1;
    else high = middle;
  }
  for (level = 0; level < 2; level++)
    for (a[2] = -m; a[2] <= m; a[2]++)
      for (a[1] = -m; a[1] <= m; a[1]++)
        for (a[0] = -m; a[0] <= m; a[0]++) {
          const size_t square = (size_t)(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
          if (i == n || (level ? square != low : square >= low)) continue;
          for (d = 0; d < 3; d++) at[d] = spacing * (double)a[d];
          put(ctx, i++, at);
        }
}

/* Sites with some scatter for all walkers of a part, whose coordinates are at `to`; or the largest coordinate of any site. */
typedef struct convk_vmc_beginning_ {
  const convk_vmc *vmc;
  char *to;
  size_t element;
  double spread, reach;
} convk_vmc_beginning_;

CONVK_RARE_ void convk_vmc_put_(void *ctx, size_t i, const double *at) {
  const convk_vmc_beginning_ *s = (const convk_vmc_beginning_ *)ctx;
  size_t w, d;
  for (w = 0; w < convk_vmc_walkers_here_(s->vmc); w++) {
    double u[4];
    convk_random_(s->vmc->seed, 0, i, s->vmc->part.first + w, CONVK_RANDOM_START_, u);
    for (d = 0; d < 3; d++) {
      const double x = at[d] + s->spread * (2 * u[d] - 1);
      const float f = s->element == sizeof f ? (float)x : 0;
      memcpy(s->to + ((w * 3 + d) * s->vmc->system.particles + i) * s->element,
             s->element == sizeof f ? (const void *)&f : (const void *)&x, s->element);
    }
  }
}

CONVK_RARE_ void convk_vmc_reach_(void *ctx, size_t i, const double *at) {
  convk_vmc_beginning_ *s = (convk_vmc_beginning_ *)ctx;
  int d;
  (void)i;
  for (d = 0; d < 3; d++) {
    if (at[d] > s->reach) s->reach = at[d];
    if (-at[d] > s->reach) s->reach = -at[d];
  }
}

/* The distance of sites: a little more than that of the least potential (rm, and 1.12 sigma), or what fills the box.  This and
   the scatter and steps that go with it are first guesses: equilibration does the rest.  3.6 A is that of liquid helium. */
CONVK_RARE_ double convk_vmc_spacing_(const convk_pair_system *system) {
  const double *b = system->box;
  double edge = b[0] < b[1] ? b[0] : b[1];
  size_t k;
  if (!(b[0] > 0))
    return system->potential.kind == CONVK_POTENTIAL_HFD             ? 1.2 * system->potential.rm
           : system->potential.kind == CONVK_POTENTIAL_LENNARD_JONES ? 1.35 * system->potential.rm
                                                                     : 3.6;
  edge = edge < b[2] ? edge : b[2];
  for (k = 1; k * k * k < system->particles; k++) continue;
  return edge / (double)k;
}

/* Fills a state, of `need` bytes.  r: checked coordinates, or NULL. */
CONVK_RARE_ int convk_vmc_begin_(char *message, const convk_vmc *vmc, const void *r, void *state, size_t need, size_t element) {
  const double widest = convk_pairs_far_(element), spacing = convk_vmc_spacing_(&vmc->system);
  const size_t here = convk_vmc_walkers_here_(vmc);
  const int periodic = vmc->system.box[0] > 0;
  convk_vmc_beginning_ start;
  convk_vmc_state_ s;
  int d;
  if (r && !periodic && convk_vmc_compact_(here, vmc->system.particles, r, element))
    return convk_refuse_(message, CONVK_ERR_RANGE, "r has particles too far from the middle of their walker");
  for (d = 0; periodic && d < 3; d++)
    if (vmc->system.box[d] > widest / 4)
      return convk_refuse_at_(message, CONVK_ERR_RANGE, "vmc->system.box[%] is too large for a run", d, 0, 0);
  memset(&start, 0, sizeof start);
  start.vmc = vmc;
  start.to = (char *)state + convk_vmc_at_(here);
  start.element = element;
  start.spread = 0.1 * spacing;
  if (!r) {
    convk_vmc_sites_(&vmc->system, spacing, convk_vmc_reach_, &start);
    if (!(start.reach + start.spread <= widest / 2))
      return convk_refuse_(message, CONVK_ERR_RANGE, "vmc->system.potential.rm puts sites beyond the range of coordinates");
  }
  memset(&s, 0, sizeof s);
  memcpy(s.kind, convk_vmc_kind_(element), sizeof s.kind);
  s.version = CONVK_VERSION;
  s.endian = 0x01020304u;
  s.bytes = need;
  s.setup = convk_vmc_setup_(vmc);
  s.walkers = vmc->walkers;
  s.first = vmc->part.first;
  s.here = here;
  s.particles = vmc->system.particles;
  s.step = vmc->step > 0 ? vmc->step : (vmc->moves == CONVK_VMC_MOVE_ALL ? 0.05 : 0.25) * spacing;
  if (s.step > CONVK_VMC_STEP_(widest)) {
    if (vmc->step > 0) return convk_refuse_(message, CONVK_ERR_RANGE, "vmc->step is too large");
    s.step = CONVK_VMC_STEP_(widest);
  }
  convk_vmc_forget_(state, here);
  if (r) memcpy(start.to, r, need - convk_vmc_at_(here));
  else convk_vmc_sites_(&vmc->system, spacing, convk_vmc_put_, &start);
  convk_vmc_seal_(&s, state);
  return CONVK_OK;
}
