/* Pairs of helium clusters, HFD-B, in millions of pairs per second, each pair once: ln Psi, V, gradients and Laplacians in one
   call.  Clusters are random balls of 0.0218 atoms per cubic Angstrom, no two nearer than 2.2 A, in random order, as after a
   long run: the order in which exponentials are skipped least.  Peers: the loop over pairs by gcc -O3 -march=native, and with
   -ffast-math, whose exp and log are libmvec's, in the faster of the compiler's width of vectors and 512 bits.  The ceiling
   counts 60 flops per pair, exponentials left out.  Cycles per pair are of the clock that a chain of dependent additions shows
   beside every round, right after the loop of the multiply-add peak, so that both run at the frequency of that instruction set.
   Sweeps of single-particle moves, in thousands of moves per second: calls of vmc_run of 16 sweeps, with the recomputation of
   ln Psi that it makes every 16, without measurements; against recomputing ln Psi of all pairs for every move, by pair_energy.
   Errors: the largest of those of ln Psi, V and T, relative to sums of the magnitudes of their terms, and of the gradient,
   relative L2, against sums in long double on the same coordinates; of sweeps the drift of ln Psi, relative to the first. */
#define VMC_PEER(from) \
  extern void from(size_t, const double *const *, const double *, const double *, double *const *, double *) \
      __attribute__((weak));
VMC_PEER(naive_vmc_plain)
VMC_PEER(naive_vmc_fast)
VMC_PEER(naive_vmc_wide)
static void (*const vmc_peers[])(size_t, const double *const *, const double *, const double *, double *const *,
                                 double *) = {naive_vmc_plain, naive_vmc_fast, naive_vmc_wide};
static const char *const vmc_peer_names[] = {"naive", "naive fast-math", "naive fast 512"};

enum { VMC_ENERGY, VMC_LN_PSI, VMC_SWEEPS, VMC_PEERS }; /* then the peers */
enum { VMC_MOST = 96, VMC_FLOPS = 60, VMC_BATCH = 16 };
static const char *const vmc_names[] = {"pair_energy", "pair_energy: ln Psi", "vmc_sweep"};

typedef struct {
  int f32;
  size_t n, walkers;
  char size[16];
  convk_vmc vmc;
  void *memory, *r, *gradient, *work;
  convk_pair_result *result;
  size_t bytes, work_size;
  long double *want; /* [walkers] of ln Psi, V, T and sums of magnitudes; [walkers][3][n] of the gradient */
  void *state;       /* of a run in equilibrium, which racers copy */
  size_t state_size;
} vmc_case;

typedef struct {
  racer p[VMC_MOST];
  void *state[VMC_MOST]; /* racers' own */
  double clock[VMC_MOST][ROUNDS + 1];
  int clocks[VMC_MOST], count;
} vmc_race;
static vmc_race *vmc_now;

/* Cycles per second, of a chain of additions that take one cycle each; 0: not known. */
static double vmc_clock(void) {
  double best = 0;
#if defined __x86_64__
#define VMC_ADD4 "add %1, %1\n\tadd %1, %1\n\tadd %1, %1\n\tadd %1, %1\n\t"
#define VMC_ADD16 VMC_ADD4 VMC_ADD4 VMC_ADD4 VMC_ADD4
  for (int t = 0; t < 5; t++) {
    const double begin = seconds();
    long left = 1000;
    unsigned long x = 1;
    __asm__ volatile("1:\n\t" VMC_ADD16 VMC_ADD16 VMC_ADD16 VMC_ADD16 "dec %0\n\tjnz 1b\n\t" : "+r"(left), "+r"(x) : : "cc");
    const double rate = 64000 / (seconds() - begin);
    if (rate > best) best = rate;
  }
#endif
  return best;
}

/* ---- the cases ---- */

static void vmc_size(size_t n, size_t walkers, char size[16]) {
  if (walkers > 1) snprintf(size, 16, "%ux%u", (unsigned)walkers, (unsigned)n);
  else snprintf(size, 16, "%u", (unsigned)n);
}

/* In [0, 1), the same at every run. */
static double vmc_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 40) / 16777216;
}

/* One cluster, of numbers that are floats. */
static void vmc_cluster(size_t n, uint64_t seed, float *r) {
  const double radius = cbrt(3 * (double)n / (4 * 3.14159265358979324 * 0.0218));
  uint64_t state = seed;
  for (size_t i = 0; i < n;) {
    double at[3], square = 0, nearest = 1e9;
    for (int d = 0; d < 3; d++) {
      at[d] = (float)(radius * (2 * vmc_random(&state) - 1));
      square += at[d] * at[d];
    }
    if (square > radius * radius) continue;
    for (size_t j = 0; j < i && nearest >= 2.2 * 2.2; j++) {
      const double dx = at[0] - r[j], dy = at[1] - r[n + j], dz = at[2] - r[2 * n + j], r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < nearest) nearest = r2;
    }
    if (nearest < 2.2 * 2.2) continue;
    for (size_t d = 0; d < 3; d++) r[d * n + i] = (float)at[d];
    i++;
  }
}

/* Sums of one cluster in long double: ln Psi, V and T, those of the magnitudes of their terms, and the gradient. */
static void vmc_reference(const convk_pair_system *system, const float *r, long double *want, long double *gradient) {
  const convk_pair_trial *u = &system->trial;
  const convk_pair_potential *v = &system->potential;
  const size_t n = system->particles;
  long double laplacian = 0, square = 0;
  for (size_t i = 0; i < 6; i++) want[i] = 0;
  for (size_t i = 0; i < 3 * n; i++) gradient[i] = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) {
      long double d[3], r2 = 0, t, s, x, e, a, b, w, near_by = 0, damp = 1;
      for (size_t k = 0; k < 3; k++) {
        d[k] = (long double)r[k * n + i] - r[k * n + j];
        r2 += d[k] * d[k];
      }
      t = 1 / sqrtl(r2);
      s = t * t;
      x = sqrtl(r2) / v->rm;
      e = 1 / (x * x);
      if (x < 5) near_by = v->a * expl(x * (v->beta * x - v->alpha)); /* 10^-42 beyond */
      if (x < v->d) damp = expl(-(v->d / x - 1) * (v->d / x - 1));
      a = -(u->p5 * s * s * t + u->p2 * s + u->p0 * logl(r2) / 2 + u->p1 * r2 * t);
      b = v->epsilon * (near_by - damp * e * e * e * (v->c6 + e * (v->c8 + e * v->c10)));
      want[0] += a;
      want[1] += b;
      want[3] += fabsl(a);
      want[4] += fabsl(b);
      laplacian -= 2 * (20 * u->p5 * s * s * s * t + 2 * u->p2 * s * s + u->p0 * s + 2 * u->p1 * t);
      w = (5 * u->p5 * s * s * s + 2 * u->p2 * s * t - u->p0 * t - u->p1) * t; /* u' / r */
      for (size_t k = 0; k < 3; k++) {
        gradient[k * n + i] += w * d[k];
        gradient[k * n + j] -= w * d[k];
      }
    }
  for (size_t i = 0; i < 3 * n; i++) square += gradient[i] * gradient[i];
  want[2] = -(long double)system->hbar2_2m * (laplacian + square);
  want[5] = (long double)system->hbar2_2m * (fabsl(laplacian) + square);
}

/* f64 and f32 of the same clusters. */
static void vmc_cases(size_t n, size_t walkers, vmc_case c[2]) {
  const size_t all = 3 * n * walkers, room = (all * sizeof(double) + 4095) / 4096 * 4096 + 192; /* apart in the page */
  float *r = (float *)malloc(all * sizeof *r);
  long double *want = (long double *)malloc((6 * walkers + all) * sizeof *want);
  for (int f32 = 0; f32 < 2; f32++) {
    vmc_case *p = &c[f32];
    convk_pair_system *system = &p->vmc.system;
    memset(p, 0, sizeof *p);
    p->f32 = f32;
    p->n = n;
    p->walkers = walkers;
    vmc_size(n, walkers, p->size);
    system->particles = n;
    system->potential = convk_pair_hfdb();
    system->trial.p5 = 120;
    system->trial.p0 = 1.2 / (double)n; /* the pull of all others does not grow with their number */
    system->trial.p1 = 0.24 / (double)n;
    system->hbar2_2m = 6.059648;
    p->vmc.walkers = walkers;
    p->vmc.seed = 1;
    p->vmc.equilibration = 3 * VMC_BATCH;
    p->vmc.interval = (size_t)-1; /* nothing is measured */
    p->bytes = 2 * room + walkers * sizeof *p->result;
    p->memory = large_array(p->bytes);
    p->r = p->memory;
    p->gradient = (char *)p->memory + room;
    p->result = (convk_pair_result *)((char *)p->memory + 2 * room);
    p->want = want;
  }
  for (size_t w = 0; w < walkers; w++) {
    vmc_cluster(n, w + 1, r + w * 3 * n);
    vmc_reference(&c[0].vmc.system, r + w * 3 * n, want + 6 * w, want + 6 * walkers + w * 3 * n);
  }
  for (size_t i = 0; i < all; i++) {
    put_real(c[0].r, 0, i, r[i]);
    put_real(c[1].r, 1, i, r[i]);
  }
  free(r);
}

static void vmc_cases_free(vmc_case c[2]) {
  for (int f32 = 0; f32 < 2 && c[f32].memory; f32++) {
    munmap(c[f32].memory, c[f32].bytes);
    munmap(c[f32].work, c[f32].work_size);
    free(c[f32].state);
  }
  free(c[0].want);
}

/* ---- calls ---- */

#define VMC_CALLS(type, T) \
  static int vmc_call_##type(racer *p, const vmc_case *c) { \
    const convk_pair_walkers walkers = {c->walkers, 0, 0}; \
    const int all = p->operation == VMC_ENERGY; \
    if (p->operation == VMC_SWEEPS) \
      return convk_vmc_run_##type((convk *)(uintptr_t)&p->hw, &c->vmc, VMC_BATCH, \
                                  (convk_vmc_state_##type *)vmc_now->state[p - vmc_now->p], c->state_size, c->work, \
                                  c->work_size); \
    return convk_pair_energy_##type((convk *)(uintptr_t)&p->hw, &c->vmc.system, &walkers, \
                                    all ? CONVK_PAIR_ALL : CONVK_PAIR_LN_PSI, (const T *)c->r, c->result, \
                                    all ? (T *)c->gradient : NULL, c->work, c->work_size); \
  } \
  static size_t vmc_work_##type(racer *p, const vmc_case *c) { \
    convk hw = p->hw; \
    size_t a = 0, b = 0; \
    if (convk_vmc_work_size_##type(&hw, &c->vmc, &a) || convk_pair_energy_work_size_##type(&hw, c->n, c->walkers, &b)) \
      return 0; \
    return a > b ? a : b; \
  } \
  static int vmc_equilibrate_##type(racer *p, vmc_case *c) { \
    convk_vmc_state_##type *state; \
    int status = convk_vmc_state_size_##type(NULL, &c->vmc, &c->state_size); \
    if (status) return status; \
    c->state = malloc(c->state_size); \
    state = (convk_vmc_state_##type *)c->state; \
    status = convk_vmc_begin_##type(NULL, &c->vmc, (const T *)c->r, state, c->state_size); \
    return status ? status \
                  : convk_vmc_run_##type((convk *)(uintptr_t)&p->hw, &c->vmc, c->vmc.equilibration, state, c->state_size, \
                                         c->work, c->work_size); \
  }
VMC_CALLS(f32, float)
VMC_CALLS(f64, double)

static void vmc_peer(racer *p, const vmc_case *c) {
  const convk_pair_system *s = &c->vmc.system;
  const convk_pair_potential *v = &s->potential;
  const double trial[4] = {s->trial.p5, s->trial.p2, s->trial.p0, s->trial.p1};
  const double hfd[9] = {v->epsilon, v->rm, v->a, v->alpha, v->beta, v->c6, v->c8, v->c10, v->d};
  for (size_t w = 0; w < c->walkers; w++) {
    const double *r = (const double *)c->r + w * 3 * c->n;
    double *g = (double *)c->gradient + w * 3 * c->n;
    const double *const at[3] = {r, r + c->n, r + 2 * c->n};
    double *const to[3] = {g, g + c->n, g + 2 * c->n}, sum[3], square = 0;
    vmc_peers[p->operation - VMC_PEERS](c->n, at, trial, hfd, to, sum);
    for (size_t i = 0; i < 3 * c->n; i++) square += g[i] * g[i];
    c->result[w].ln_psi = sum[0];
    c->result[w].potential = sum[1];
    c->result[w].kinetic = -s->hbar2_2m * (sum[2] + square);
  }
}

static void vmc_call(racer *p) {
  const vmc_case *c = (const vmc_case *)p->of;
  if (p->operation >= VMC_PEERS) vmc_peer(p, c);
  else racer_failed(vmc_names[p->operation], p, c->f32 ? vmc_call_f32(p, c) : vmc_call_f64(p, c));
}

static double vmc_peak(racer *p) {
  const double rate = peak_of(p->name, ((const vmc_case *)p->of)->f32, p->threads) / VMC_FLOPS;
  const int i = (int)(p - vmc_now->p);
  vmc_now->clock[i][vmc_now->clocks[i]++] = vmc_clock();
  return rate;
}

/* See the top. */
static double vmc_error(racer *p) {
  const vmc_case *c = (const vmc_case *)p->of;
  const size_t all = 3 * c->n * c->walkers;
  long double off = 0, square = 0, worst = 0;
  if (p->operation == VMC_SWEEPS) {
    convk_vmc_result result;
    const void *state = vmc_now->state[p - vmc_now->p];
    racer_failed("vmc_results", p,
                 c->f32 ? convk_vmc_results_f32(NULL, (const convk_vmc_state_f32 *)state, c->state_size, &result)
                        : convk_vmc_results_f64(NULL, (const convk_vmc_state_f64 *)state, c->state_size, &result));
    return result.drift / (double)fabsl(c->want[0]);
  }
  memset(c->gradient, 0xff, all * (c->f32 ? 4 : 8)); /* NaN */
  memset(c->result, 0xff, c->walkers * sizeof *c->result);
  p->call(p);
  for (size_t w = 0; w < c->walkers; w++) {
    const double got[3] = {c->result[w].ln_psi, c->result[w].potential, c->result[w].kinetic};
    for (size_t k = 0; k < (p->operation == VMC_LN_PSI ? 1 : 3); k++) {
      const long double e = fabsl(got[k] - c->want[6 * w + k]) / c->want[6 * w + k + 3];
      if (!(e <= worst)) worst = e >= 0 ? e : 1e30L; /* not a number */
    }
  }
  if (p->operation == VMC_LN_PSI) return (double)worst;
  for (size_t i = 0; i < all; i++) {
    const long double want = c->want[6 * c->walkers + i], e = real_at(c->gradient, c->f32, i) - want;
    off += e * e;
    square += want * want;
  }
  off = sqrtl(off / square);
  return (double)(off <= worst ? worst : off >= 0 ? off : 1e30L);
}

/* ---- races ---- */

static void vmc_add(vmc_race *race, const char *name, int threads, int operation, vmc_case *c) {
  racer *p = &race->p[race->count];
  if (race->count == VMC_MOST) exit(1);
  if (operation >= VMC_PEERS) {
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "%s", name);
    p->threads = threads;
  } else if (!racer_open(p, name, threads)) return;
  p->operation = operation;
  p->of = c;
  p->call = vmc_call;
  p->ceiling = operation == VMC_ENERGY || operation >= VMC_PEERS ? vmc_peak : NULL;
  p->units = (double)c->walkers * (double)c->n * (operation == VMC_SWEEPS ? VMC_BATCH : ((double)c->n - 1) / 2);
  if (p->own) {
    const size_t bytes = c->f32 ? vmc_work_f32(p, c) : vmc_work_f64(p, c);
    if (bytes > c->work_size) c->work_size = bytes;
  }
  race->count++;
}

/* The best variant that opens. */
static const char *vmc_best(void) {
  const char *best = NULL;
  racer p;
  for (size_t i = 0; i < sizeof hardware / sizeof *hardware; i++)
    if (racer_open(&p, hardware[i], 1)) {
      best = hardware[i];
      convk_close(&p.hw);
    }
  return best;
}

static racer *vmc_find(vmc_race *race, int operation, const char *name, int threads, int f32, size_t n, size_t walkers) {
  for (int i = 0; i < race->count; i++) {
    racer *p = &race->p[i];
    const vmc_case *c = (const vmc_case *)p->of;
    if (p->operation == operation && (!name || !strcmp(p->name, name)) && p->threads == threads && c->f32 == f32 && c->n == n &&
        c->walkers == walkers)
      return p;
  }
  return NULL;
}

/* One line per peer of a racer, at least one. */
static void vmc_lines(vmc_race *race, racer *q) {
  const vmc_case *c = (const vmc_case *)q->of;
  const int sweeps = q->operation == VMC_SWEEPS, own = q->operation < VMC_PEERS;
  const double scale = sweeps ? 1e-3 : 1e-6, error = vmc_error(q);
  const char *unit = sweeps ? "k/s" : "M/s", *type = c->f32 ? "f32" : "f64", *operation = vmc_names[own ? q->operation : 0];
  const char *label[5];
  double rate[5];
  int count = 0;
#define VMC_LABEL(name, p, share) (label[count] = (name), rate[count++] = (p)->rate[0] * (share))
  racer *p = vmc_find(race, q->operation, q->name, 1, c->f32, c->n, c->walkers);
  if (q->threads > 1 && p) VMC_LABEL("one thread", p, 1);
  p = vmc_find(race, q->operation, q->name, q->threads, 0, c->n, c->walkers);
  if (c->f32 && p) VMC_LABEL("f64", p, 1);
  p = vmc_find(race, q->operation, q->name, q->threads, c->f32, 512, 1);
  if (own && c->n == 4096 && p) VMC_LABEL("N = 512", p, 1);
  p = vmc_find(race, VMC_LN_PSI, q->name, 1, c->f32, c->n, c->walkers);
  if (sweeps && q->threads == 1 && p) VMC_LABEL("all pairs per move", p, 2 / ((double)c->n * ((double)c->n - 1)));
  if (q->operation == VMC_ENERGY && !c->f32 && q->threads == 1) {
    racer *wide = vmc_find(race, VMC_PEERS + 2, NULL, 1, 0, c->n, c->walkers);
    p = vmc_find(race, VMC_PEERS, NULL, 1, 0, c->n, c->walkers);
    if (p) VMC_LABEL(vmc_peer_names[0], p, 1);
    p = vmc_find(race, VMC_PEERS + 1, NULL, 1, 0, c->n, c->walkers);
    if (wide && (!p || wide->rate[0] > p->rate[0])) p = wide;
    if (p) VMC_LABEL(vmc_peer_names[1], p, 1);
  }
#undef VMC_LABEL
  if (!count) label[count++] = NULL;
  for (int i = 0; i < count; i++) {
    line_spent = &q->spent;
    line(operation, type, q->name, q->threads, c->size, q->rate[0] * scale, unit, q->bound[0] * scale,
         q->ceiling && q->bound[0] > 0 ? unit : NULL, label[i], rate[i] * scale, error);
  }
}

static void vmc_run_race(vmc_race *race) {
  vmc_now = race;
  for (int i = 0; i < race->count; i++) {
    vmc_case *c = (vmc_case *)(uintptr_t)race->p[i].of;
    if (!c->work) c->work = large_array(c->work_size);
  }
  for (int i = 0; i < race->count; i++) {
    racer *p = &race->p[i];
    vmc_case *c = (vmc_case *)(uintptr_t)p->of;
    if (p->operation != VMC_SWEEPS) continue;
    if (!c->state) racer_failed("vmc_run", p, c->f32 ? vmc_equilibrate_f32(p, c) : vmc_equilibrate_f64(p, c));
    race->state[i] = malloc(c->state_size);
    memcpy(race->state[i], c->state, c->state_size);
  }
  racers_run(race->p, race->count);
  for (int i = 0; i < race->count; i++) vmc_lines(race, &race->p[i]);
  for (int i = 0; i < race->count; i++) {
    racer *p = &race->p[i];
    const vmc_case *c = (const vmc_case *)p->of;
    const double clock = race->clocks[i] ? median(race->clock[i], race->clocks[i]) : 0;
    if (clock > 0 && p->threads == 1 && c->n == 1024)
      line("pair_energy: cycles", c->f32 ? "f32" : "f64", p->name, 1, c->size, clock / p->rate[0], "cycles", 0, NULL, NULL, 0,
           -1);
  }
  for (int i = 0; i < race->count; i++) {
    if (race->p[i].own) convk_close(&race->p[i].hw);
    free(race->state[i]);
  }
}

/* All variants on 1024 atoms and on 64 walkers of 20, the best on other sizes, and on two atoms; f64 and f32 (mixed). */
static void vmc(void) {
  static const size_t sizes[][2] = {{2, 1}, {512, 1}, {1024, 1}, {2048, 1}, {4096, 1}, {20, 64}};
  enum { SIZES = sizeof sizes / sizeof *sizes };
  vmc_race *energies = (vmc_race *)calloc(1, sizeof *energies), *sweeps = (vmc_race *)calloc(1, sizeof *sweeps);
  vmc_case cases[SIZES][2];
  const char *best = vmc_best();
  memset(cases, 0, sizeof cases);
  for (size_t k = 0; k < SIZES && best; k++) {
    const size_t n = sizes[k][0], walkers = sizes[k][1];
    const int main_one = n == 1024 || walkers > 1;
    char size[16];
    int energy, sweep;
    vmc_size(n, walkers, size);
    energy = !stencil_skipped("pair_energy", size);
    sweep = main_one && !stencil_skipped("vmc_sweep", size);
    if ((!energy && !sweep) || (opt.quick && !main_one && n > 2)) continue;
    vmc_cases(n, walkers, cases[k]);
    for (int f32 = 0; f32 < 2; f32++) {
      vmc_case *c = &cases[k][f32];
      for (size_t i = 0; i < sizeof hardware / sizeof *hardware; i++) {
        const char *name = hardware[i];
        const int is_best = !strcmp(name, best);
        if (energy && (is_best || main_one)) vmc_add(energies, name, 1, VMC_ENERGY, c);
        if (sweep && (is_best || walkers > 1)) {
          vmc_add(sweeps, name, 1, VMC_LN_PSI, c);
          vmc_add(sweeps, name, 1, VMC_SWEEPS, c);
        }
      }
      if (opt.threads > 1 && energy && main_one) vmc_add(energies, best, opt.threads, VMC_ENERGY, c);
      if (opt.threads > 1 && sweep && walkers > 1) vmc_add(sweeps, best, opt.threads, VMC_SWEEPS, c);
      for (int i = 0; i < 3 && energy && !f32; i++)
        if (vmc_peers[i]) vmc_add(energies, vmc_peer_names[i], 1, VMC_PEERS + i, c);
    }
  }
  vmc_run_race(energies);
  vmc_run_race(sweeps);
  for (size_t k = 0; k < SIZES; k++) vmc_cases_free(cases[k]);
  free(energies);
  free(sweeps);
}
