/* Gaussians: the grid potential stored and summed at once, and orbitals, in values per second.  The stored one is bounded by
   writes past the caches, or by its own rate in the cache times the threads; its peers are a libmvec loop, and SLEEF's
   exponential of at most 1 ulp with stores past the caches.  A sum is compared with the stored form by the same hardware,
   orbitals with loops that call libmvec, those on grids with the same on the list of these points.  Errors: gridpot in units of
   the last place against the exact value, arguments in [-20, 0], whose own rounding is most of it; sums relative to those of
   magnitudes; orbitals relative to the largest of the sample. */

/* ---- contestants of any family, in turns; bench_formfactor.h has them too ---- */

typedef struct racer racer;
struct racer {
  char name[24];
  int own, operation, threads; /* own: this library's, `hw` is open; operation: of the group */
  int planned;                 /* by a plan, where there may be one */
  int repeat;                  /* calls that are timed together, 0: one */
  convk hw;
  const void *of; /* the case */
  double units;   /* of one call */
  void (*call)(racer *p);
  double (*ceiling)(racer *p); /* units per second, or NULL */
  double rate[ROUNDS], bound[ROUNDS];
  energy_spent spent;
};

static int racer_open(racer *p, const char *name, int threads) {
  memset(p, 0, sizeof *p);
  if (!wanted(name) || convk_open(&p->hw, name)) return 0;
  snprintf(p->name, sizeof p->name, "%s", name);
  p->own = 1;
  p->threads = p->hw.parallel.threads = threads;
  p->hw.parallel.run = threads > 1 ? pool_run : NULL;
  return 1;
}

/* Contestants of all hardware, or of the best alone: their number. */
static int racers_open(racer *p, int threads, int best) {
  int count = 0;
  for (size_t i = 0; i < sizeof hardware / sizeof *hardware; i++)
    if (racer_open(&p[count], hardware[i], threads)) count++;
  if (best && count > 1) {
    p[0] = p[count - 1];
    count = 1;
  }
  return count;
}

static void racer_failed(const char *operation, racer *p, int status) {
  if (!status) return;
  fprintf(stderr, "bench: %s %s: %s\n", operation, p->name, convk_strerror(status));
  exit(1);
}

/* Units per second: the median of the calls of at least `limit` seconds. */
static double racer_rate(racer *p, double limit) {
  static double time[4096];
  const double begin = seconds();
  int count = 0;
  do {
    const double t = seconds();
    for (int i = 0; i < p->repeat; i++) p->call(p);
    if (!p->repeat) p->call(p);
    time[count++] = seconds() - t;
  } while (count < 4096 && seconds() - begin < limit);
  return p->units * (p->repeat ? p->repeat : 1) / median(time, count);
}

/* Leaves the medians of all rounds in rate[0] and bound[0]. */
static void racers_run(racer *p, int count) {
  for (int round = -1; round < opt.rounds; round++) /* the first is not counted */
    for (int i = 0; i < count; i++) {
      if (round >= 0 && p[i].ceiling) p[i].bound[round] = p[i].ceiling(&p[i]);
      const double joules = energy_now(), begin = seconds(), rate = racer_rate(&p[i], round < 0 ? 0 : 0.01);
      if (round < 0) continue;
      energy_add(&p[i].spent, begin, joules);
      p[i].rate[round] = rate;
    }
  for (int i = 0; i < count; i++) {
    p[i].rate[0] = median(p[i].rate, opt.rounds);
    if (p[i].ceiling) p[i].bound[0] = median(p[i].bound, opt.rounds);
  }
}

static void racer_line(racer *p, const char *operation, int f32, const char *size, const char *unit, const char *peer,
                       double peer_rate, double error) {
  line_spent = &p->spent;
  line(operation, f32 ? "f32" : "f64", p->name, p->threads, size, p->rate[0] * 1e-9, unit, p->bound[0] * 1e-9,
       p->ceiling ? unit : NULL, peer, peer_rate * 1e-9, error);
}

/* A family's own numbers in [0, 1], the same at every run. */
static double spread(size_t i) { return (double)((i * 2654435761u >> 7) % 20011) / 20010; }

static void put_real(void *to, int f32, size_t i, double v) {
  if (f32) ((float *)to)[i] = (float)v;
  else ((double *)to)[i] = v;
}

static long double real_at(const void *from, int f32, size_t i) {
  return f32 ? (long double)((const float *)from)[i] : (long double)((const double *)from)[i];
}

/* ---- the grid potential and its sums ---- */

#define GRIDPOT_PEER(from) \
  extern void from##_gridpot_f32(size_t, size_t, const float *const *, size_t, const float *, int, float *, size_t) \
      __attribute__((weak)); \
  extern void from##_gridpot_f64(size_t, size_t, const double *const *, size_t, const double *, int, double *, size_t) \
      __attribute__((weak));
extern void naive_gridpot_sum_f32(size_t, size_t, const float *const *, size_t, const float *, size_t, const float *, float *, size_t)
    __attribute__((weak));
extern void naive_gridpot_sum_f64(size_t, size_t, const double *const *, size_t, const double *, size_t, const double *, double *,
                                  size_t) __attribute__((weak));
GRIDPOT_PEER(naive)
GRIDPOT_PEER(sleef)

enum { GRIDPOT, GRIDPOT_EXPONENTS, GRIDPOT_SUM, GRIDPOT_SUM4, GRIDPOT_KINDS, GAUSSIAN_MOST = 96 };
static const char *const gridpot_names[] = {"gridpot", "gridpot: exponents", "gridpot_sum", "gridpot_sum: 4 sums"};

typedef struct gridpot_case {
  int f32;
  size_t n, m, bytes; /* bytes: of g */
  void *r[3], *alpha, *c, *g;
  const struct gridpot_case *in_cache; /* NULL: is one */
} gridpot_case;

static gridpot_case gridpot_arrays(int f32, size_t n, size_t m, const gridpot_case *in_cache) {
  const size_t element = f32 ? 4 : 8;
  gridpot_case c = {f32, n, m, n * m * element, {NULL, NULL, NULL}, NULL, NULL, NULL, in_cache};
  for (size_t k = 0; k < 3; k++) {
    c.r[k] = large_array(n * element);
    for (size_t i = 0; i < n; i++) put_real(c.r[k], f32, i, 2 * spread(3 * i + k) - 1);
  }
  c.alpha = large_array(m * element);
  c.c = large_array(4 * m * element);
  for (size_t j = 0; j < m; j++) put_real(c.alpha, f32, j, -20. / 3 * spread(7 * j + 1));
  for (size_t j = 0; j < 4 * m; j++) put_real(c.c, f32, j, 2 * spread(j) - 1);
  c.g = large_array(c.bytes);
  return c;
}

/* Exponents from 0.05 on, of so many magnitudes that most exponentials are far below the smallest normal number. */
static void gridpot_decaying(gridpot_case *c) {
  for (size_t j = 0; j < c->m; j++) put_real(c->alpha, c->f32, j, -0.05 * exp((c->f32 ? 9.2 : 11.5) * spread(7 * j + 1)));
}

static void gridpot_free(gridpot_case *c) {
  const size_t element = c->f32 ? 4 : 8;
  for (size_t k = 0; k < 3; k++) munmap(c->r[k], c->n * element);
  munmap(c->alpha, c->m * element);
  munmap(c->c, 4 * c->m * element);
  munmap(c->g, c->bytes);
}

static void gridpot_call(racer *p) {
  const gridpot_case *c = (const gridpot_case *)p->of;
  convk_gaussian_options options;
  const size_t nsums = p->operation == GRIDPOT_SUM4 ? 4 : 1;
  const int stored = p->operation < GRIDPOT_SUM;
  convk *hw = &p->hw;
  int status;
  memset(&options, 0, sizeof options);
  options.layout = p->operation == GRIDPOT_EXPONENTS ? CONVK_GRIDPOT_EXPONENTS_CONTIGUOUS : CONVK_GRIDPOT_POINTS_CONTIGUOUS;
  if (c->f32) {
    const convk_points_f32 points = {c->n, (float *)c->r[0], (float *)c->r[1], (float *)c->r[2], 0};
    const float *alpha = (const float *)c->alpha;
    float *to = (float *)c->g;
    const convk_gaussians_f32 gaussians = {{0, 0, 0}, c->m, alpha, nsums, (float *)c->c, 0};
    status = stored ? convk_gridpot_f32(hw, &points, &gaussians, &options, to, 0)
                    : convk_gridpot_sum_f32(hw, &points, &gaussians, NULL, to, 0);
  } else {
    const convk_points_f64 points = {c->n, (double *)c->r[0], (double *)c->r[1], (double *)c->r[2], 0};
    const double *alpha = (const double *)c->alpha;
    double *to = (double *)c->g;
    const convk_gaussians_f64 gaussians = {{0, 0, 0}, c->m, alpha, nsums, (double *)c->c, 0};
    status = stored ? convk_gridpot_f64(hw, &points, &gaussians, &options, to, 0)
                    : convk_gridpot_sum_f64(hw, &points, &gaussians, NULL, to, 0);
  }
  racer_failed(gridpot_names[p->operation], p, status);
}

/* A peer's points first .. last - 1, cut between threads at whole blocks of its own. */
static void gridpot_peer_task(void *arg, size_t i) {
  racer *p = (racer *)arg;
  const gridpot_case *c = (const gridpot_case *)p->of;
  const size_t t = (size_t)p->threads, first = c->n * i / t / 2048 * 2048;
  const size_t last = i + 1 == t ? c->n : c->n * (i + 1) / t / 2048 * 2048;
  const int exponents = p->operation == GRIDPOT_EXPONENTS;
  const int sleef = p->name[0] == 's';
  if (c->f32) {
    const float *const r[3] = {(float *)c->r[0], (float *)c->r[1], (float *)c->r[2]};
    (sleef ? sleef_gridpot_f32 : naive_gridpot_f32)(first, last, r, c->m, (float *)c->alpha, exponents, (float *)c->g,
                                                    exponents ? c->m : c->n);
  } else {
    const double *const r[3] = {(double *)c->r[0], (double *)c->r[1], (double *)c->r[2]};
    (sleef ? sleef_gridpot_f64 : naive_gridpot_f64)(first, last, r, c->m, (double *)c->alpha, exponents, (double *)c->g,
                                                    exponents ? c->m : c->n);
  }
}

/* The sums of a plain loop, on one thread. */
static void gridpot_sum_peer(racer *p) {
  const gridpot_case *c = (const gridpot_case *)p->of;
  const size_t nsums = p->operation == GRIDPOT_SUM4 ? 4 : 1;
  if (c->f32) {
    const float *const r[3] = {(float *)c->r[0], (float *)c->r[1], (float *)c->r[2]};
    naive_gridpot_sum_f32(0, c->n, r, c->m, (float *)c->alpha, nsums, (float *)c->c, (float *)c->g, c->n);
  } else {
    const double *const r[3] = {(double *)c->r[0], (double *)c->r[1], (double *)c->r[2]};
    naive_gridpot_sum_f64(0, c->n, r, c->m, (double *)c->alpha, nsums, (double *)c->c, (double *)c->g, c->n);
  }
}

static void gridpot_peer(racer *p) { on_threads(p->threads, gridpot_peer_task, p); }

static double gridpot_ceiling(racer *p) {
  const gridpot_case *c = (const gridpot_case *)p->of;
  const double write = bandwidth((double *)c->g, NULL, c->bytes / 8, p->threads) / (c->f32 ? 4 : 8);
  racer one = *p;
  double in_cache;
  one.hw.parallel.threads = 1;
  one.of = c->in_cache;
  one.units = (double)c->in_cache->n * (double)c->in_cache->m;
  in_cache = p->threads * racer_rate(&one, 0.005);
  return write < in_cache ? write : in_cache;
}

/* The largest error at some elements. */
static double gridpot_error(racer *p) {
  const gridpot_case *c = (const gridpot_case *)p->of;
  const int sums = p->operation == GRIDPOT_SUM ? 1 : p->operation == GRIDPOT_SUM4 ? 4 : 0;
  double worst = 0;
  p->call(p);
  for (size_t k = 0; k < (sums ? 40 : 1000); k++) {
    const size_t i = (k * 2654435761u >> 5) % c->n, own = (k * 2246822519u >> 6) % c->m;
    long double square = 0;
    for (int d = 0; d < 3; d++) square += real_at(c->r[d], c->f32, i) * real_at(c->r[d], c->f32, i);
    if (!sums) {
      const size_t at = p->operation == GRIDPOT_EXPONENTS ? i * c->m + own : own * c->n + i;
      const double error = vmath_ulp(c->f32, c->g, at, expl(real_at(c->alpha, c->f32, own) * square));
      if (error > worst) worst = error;
    }
    for (size_t s = 0; s < (size_t)sums; s++) {
      long double sum = 0, all = 0;
      for (size_t j = 0; j < c->m; j++) {
        const long double term = real_at(c->c, c->f32, s * c->m + j) * expl(real_at(c->alpha, c->f32, j) * square);
        sum += term;
        all += fabsl(term);
      }
      sum = fabsl(real_at(c->g, c->f32, s * c->n + i) - sum) / all;
      if ((double)sum > worst) worst = (double)sum;
    }
  }
  return worst;
}

/* All four operations by all hardware, or the best, and the peers; each line of the best also against SLEEF. */
static void gridpot_group(int f32, size_t n, size_t m, int threads, const gridpot_case *in_cache) {
  racer *p = (racer *)calloc(GAUSSIAN_MOST, sizeof *p), *all;
  gridpot_case c;
  char size[48];
  int count = 0, own, hws, peers;
  snprintf(size, sizeof size, "%zux%zu", n, m);
  if (stencil_skipped("gaussian gridpot_sum", size)) hws = 0;
  else hws = racers_open(p, threads, in_cache != NULL);
  if (!hws) {
    free(p);
    return;
  }
  all = (racer *)calloc(GAUSSIAN_MOST, sizeof *all);
  c = gridpot_arrays(f32, n, m, in_cache);
  for (int kind = 0; kind < GRIDPOT_KINDS; kind++)
    for (int i = 0; i < hws; i++, count++) {
      all[count] = p[i];
      all[count].operation = kind;
      all[count].call = gridpot_call;
      all[count].ceiling = in_cache && kind < GRIDPOT_SUM ? gridpot_ceiling : NULL;
    }
  own = count;
  for (int from = 0; from < 2; from++)
    for (int kind = 0; kind < GRIDPOT_SUM && (from ? sleef_gridpot_f32 != NULL : naive_gridpot_f32 != NULL); kind++, count++) {
      snprintf(all[count].name, sizeof all->name, "%s", from ? "sleef u10 avx512" : "libmvec");
      all[count].operation = kind;
      all[count].threads = threads;
      all[count].call = gridpot_peer;
    }
  for (int i = 0; i < count; i++) {
    all[i].of = &c;
    all[i].units = (double)n * (double)m;
  }
  racers_run(all, count);
  for (int i = 0; i < own; i++) {
    racer *q = &all[i];
    const int best = i % hws == hws - 1;
    const double error = gridpot_error(q);
    peers = 0;
    for (int k = q->operation < GRIDPOT_SUM ? own : 0; k < count; k++) {
      const int stored = q->operation >= GRIDPOT_SUM && k == i % hws; /* by the same hardware */
      if (!stored && (k < own || q->operation != all[k].operation || (all[k].name[0] == 's' && !best))) continue;
      racer_line(q, gridpot_names[q->operation], f32, size, "G/s", stored ? "gridpot" : all[k].name, all[k].rate[0], error);
      peers++;
    }
    if (!peers) racer_line(q, gridpot_names[q->operation], f32, size, "G/s", NULL, 0, error);
  }
  for (int i = 0; i < hws; i++) convk_close(&p[i].hw);
  gridpot_free(&c);
  free(all);
  free(p);
}

/* The best hardware on data most of whose exponentials vanish, over the same on ordinary data; and on few points and exponents,
   over plain loops. */
static void gridpot_special(int f32) {
  racer *p = (racer *)calloc(GAUSSIAN_MOST, sizeof *p), *all;
  const size_t n = 1024, m = f32 ? 128 : 64, few = 16;
  gridpot_case c[3];
  char size[3][48];
  int count = 0;
  snprintf(size[1], sizeof size[1], "%zux%zu decaying", n, m);
  snprintf(size[2], sizeof size[2], "%zux%zu", few, few);
  if (stencil_skipped("gaussian gridpot_sum", size[1]) || !racers_open(p, 1, 1)) {
    free(p);
    return;
  }
  all = (racer *)calloc(GAUSSIAN_MOST, sizeof *all);
  c[0] = gridpot_arrays(f32, n, m, NULL);
  c[1] = gridpot_arrays(f32, n, m, NULL);
  gridpot_decaying(&c[1]);
  c[2] = gridpot_arrays(f32, few, few, NULL);
  for (int of = 0; of < 4; of++) /* the last is the plain loop on few */
    for (int kind = 0; kind < GRIDPOT_KINDS && (of < 3 || naive_gridpot_f32); kind++, count++) {
      const gridpot_case *on = &c[of < 3 ? of : 2];
      all[count] = p[0];
      all[count].operation = kind;
      all[count].of = on;
      all[count].units = (double)on->n * (double)on->m;
      all[count].repeat = of < 2 ? 0 : 100;
      all[count].call = of < 3 ? gridpot_call : kind < GRIDPOT_SUM ? gridpot_peer : gridpot_sum_peer;
      if (of == 3) snprintf(all[count].name, sizeof all->name, "libmvec");
    }
  racers_run(all, count);
  for (int kind = 0; kind < GRIDPOT_KINDS; kind++) {
    racer *q = all + kind, *last = count > 3 * GRIDPOT_KINDS ? q + 3 * GRIDPOT_KINDS : NULL;
    racer_line(q + GRIDPOT_KINDS, gridpot_names[kind], f32, size[1], "G/s", "ordinary data", q->rate[0], -1);
    racer_line(q + 2 * GRIDPOT_KINDS, gridpot_names[kind], f32, size[2], "G/s", last ? "libmvec" : NULL, last ? last->rate[0] : 0,
               -1);
  }
  convk_close(&p->hw);
  for (int i = 0; i < 3; i++) gridpot_free(&c[i]);
  free(all);
  free(p);
}

/* ---- orbitals of a water molecule on points of a cube: six of 24 functions (def2-SVP), or the five that are occupied ---- */

#define ORBITALS_PEER(type, T) \
  extern void naive_orbitals_##type(size_t, size_t, const T *const *, size_t, double (*)[3], const int *, const size_t *, \
                                    const double *const *, const double *const *, size_t, const T *, size_t, T *, size_t) \
      __attribute__((weak));
ORBITALS_PEER(f32, float)
ORBITALS_PEER(f64, double)

/* The last ones on a regular grid, with what lists of points have instead; ORBITALS_ONE: one orbital. */
enum { ORBITALS, ORBITALS_CUTOFF, ORBITALS_VGL, DENSITY, ORBITAL_KINDS, ORBITALS_ONE = ORBITAL_KINDS, ON_GRID, ON_GRID_ONE,
       ON_GRID_VGL, ON_GRID_DENSITY, ON_CELL, ON_CELL_ONE, ON_HEXAGONAL, AT_K, PERIODIC, PERIODIC_ONE,
       PERIODIC_DENSITY, PERIODIC_K, PERIODIC_K_ONE, PERIODIC_K_DENSITY, GRID_KINDS };
static const char *const orbital_names[] = {"orbitals", "orbitals: cutoff 1e-10", "orbitals_vgl", "density", "orbitals: 1",
                                            "orbitals_grid", "orbitals_grid: 1", "orbitals_grid_vgl", "density_grid",
                                            "orbitals_grid: triclinic", "orbitals_grid: triclinic, 1", "orbitals_grid: hexagonal",
                                            "orbitals_grid_k", "orbitals_grid: periodic", "orbitals_grid: periodic, 1",
                                            "density_grid: periodic", "orbitals_grid_k: periodic", "orbitals_grid_k: periodic, 1",
                                            "density_grid_k: periodic"};
/* What a kind on a grid is compared with. */
static const int orbital_lists[GRID_KINDS] = {0, 0, 0, 0, 0, ORBITALS, ORBITALS_ONE, ORBITALS_VGL, DENSITY, ORBITALS,
                                              ORBITALS_ONE, ORBITALS, ON_GRID, ON_GRID, ON_GRID_ONE, ON_GRID_DENSITY,
                                              PERIODIC, PERIODIC_ONE, PERIODIC_DENSITY};
static const int all_kinds[] = {ORBITALS, ORBITALS_CUTOFF, ORBITALS_VGL, DENSITY, ORBITALS_ONE, ON_GRID, ON_GRID_ONE,
                                ON_GRID_VGL, ON_GRID_DENSITY, ON_CELL, ON_CELL_ONE, ON_HEXAGONAL, AT_K, GRID_KINDS};
static const int occupied_kinds[] = {ORBITALS, ORBITALS_ONE, DENSITY, ON_GRID, ON_GRID_ONE, ON_GRID_DENSITY, PERIODIC,
                                     PERIODIC_ONE, PERIODIC_DENSITY, PERIODIC_K, PERIODIC_K_ONE, PERIODIC_K_DENSITY,
                                     GRID_KINDS};

enum { WATER_SHELLS = 12, WATER_PRIMITIVES = 40 }; /* at most */
typedef struct water_basis {
  const char *size; /* of lines, behind that of the grid */
  size_t nshells, functions, norbitals;
  const double *exponents, *contraction;
  struct {
    int atom, l;
    size_t first, primitives; /* in the lists before */
  } shells[WATER_SHELLS];
} water_basis;

static const double svp_exponents[] = {2266.1767785, 340.87010191, 77.363135167, 21.479644940, 6.6589433124, 0.80975975668,
                                       0.25530772234, 17.721504317, 3.8635505440, 1.0480920883, 0.27641544411, 1.2,
                                       13.0107010, 1.9622572, 0.44453796, 0.12194962, 0.8};
static const double svp_contraction[] = {-0.0053431809926, -0.039890039230, -0.17853911985, -0.46427684959,
                                         -0.44309745172, 1, 1, 0.043394573193, 0.23094120765, 0.51375311064, 1, 1,
                                         0.019682158, 0.13796524, 0.47831935, 1, 1};
static const double split_exponents[] = {5484.6717, 825.23495, 188.04696, 52.9645, 16.89757, 5.7996353, 15.539616, 3.5999336,
                                         1.0137618, 15.539616, 3.5999336, 1.0137618, 0.2700058, 18.731137, 2.8253937,
                                         0.6401217, 0.1612778};
static const double split_contraction[] = {0.0018311, 0.0139501, 0.0684451, 0.2327143, 0.470193, 0.3585209, -0.1107775,
                                           -0.1480263, 1.130767, 0.0708743, 0.3397528, 0.7271586, 1, 0.0334946, 0.23472695,
                                           0.81375733, 1};
static const double consistent_exponents[] = {11720, 1759, 400.8, 113.7, 37.03, 13.27, 5.025, 1.013,
                                              11720, 1759, 400.8, 113.7, 37.03, 13.27, 5.025, 1.013,
                                              0.3023, 17.7, 3.854, 1.046, 0.2753, 1.185, 13.01, 1.962, 0.4446, 0.122, 0.727};
static const double consistent_contraction[] = {
    0.00071, 0.00547, 0.027837, 0.1048, 0.283062, 0.448719, 0.270952, 0.015458, -0.00016, -0.001263, -0.006267, -0.025716,
    -0.070924, -0.165411, -0.116955, 0.557368, 1, 0.043018, 0.228913, 0.508728, 1, 1, 0.019685, 0.137977, 0.478148, 1, 1};

static const water_basis def2_svp = {"", 12, 24, 6, svp_exponents, svp_contraction,
                                     {{0, 0, 0, 5}, {0, 0, 5, 1}, {0, 0, 6, 1}, {0, 1, 7, 3}, {0, 1, 10, 1}, {0, 2, 11, 1},
                                      {1, 0, 12, 3}, {1, 0, 15, 1}, {1, 1, 16, 1}, {2, 0, 12, 3}, {2, 0, 15, 1},
                                      {2, 1, 16, 1}}};
/* 18 exponents, four of which have p functions, too: 22 tables along each axis */
static const water_basis split_valence = {" 6-31G", 9, 13, 5, split_exponents, split_contraction,
                                          {{0, 0, 0, 6}, {0, 0, 6, 3}, {0, 1, 9, 3}, {0, 0, 12, 1}, {0, 1, 12, 1},
                                           {1, 0, 13, 3}, {1, 0, 16, 1}, {2, 0, 13, 3}, {2, 0, 16, 1}}};
static const water_basis cc_pvdz = {" cc-pVDZ", 12, 24, 5, consistent_exponents, consistent_contraction,
                                    {{0, 0, 0, 8}, {0, 0, 8, 8}, {0, 0, 16, 1}, {0, 1, 17, 3}, {0, 1, 20, 1}, {0, 2, 21, 1},
                                     {1, 0, 22, 3}, {1, 0, 25, 1}, {1, 1, 26, 1}, {2, 0, 22, 3}, {2, 0, 25, 1}, {2, 1, 26, 1}}};
static const double water_atoms[3][3] = {{0, 0, 0.22}, {0, 1.43, -0.89}, {0, -1.43, -0.89}};

typedef struct orbital_case {
  int f32;
  size_t n, nshells, functions, norbitals, work_size, plan_size;
  convk_shell *shells;
  double coefficients[WATER_PRIMITIVES]; /* those of shells */
  void *r[3], *c, *occupations, *out[5], *work, *plan;
  convk_gaussian_box box, cell, hexagonal, periodic; /* box: whose points r has, rounded to the type */
} orbital_case;

/* So many molecules along x, 5.3 bohr apart, and random numbers for their orbitals. */
static void orbital_molecules(orbital_case *c, int f32, const water_basis *basis, size_t molecules) {
  const size_t element = f32 ? 4 : 8;
  size_t first = 0;
  memset(c, 0, sizeof *c);
  c->f32 = f32;
  c->nshells = molecules * basis->nshells;
  c->functions = molecules * basis->functions;
  c->norbitals = molecules > 1 ? 1 : basis->norbitals;
  c->shells = (convk_shell *)calloc(c->nshells, sizeof *c->shells);
  for (size_t s = 0; s < c->nshells; s++) {
    const size_t of = s % basis->nshells;
    convk_shell *shell = &c->shells[s];
    memcpy(shell->center, water_atoms[basis->shells[of].atom], sizeof shell->center);
    shell->center[0] += 5.3 * ((double)(s / basis->nshells) - 0.5 * (double)(molecules - 1));
    shell->l = basis->shells[of].l;
    shell->functions = CONVK_SHELL_SPHERICAL;
    shell->primitives = basis->shells[of].primitives;
    shell->exponents = basis->exponents + basis->shells[of].first;
    shell->coefficients = s < basis->nshells ? c->coefficients + first : c->shells[of].coefficients;
    if (s >= basis->nshells) continue;
    convk_shell_normalise(NULL, shell->l, shell->primitives, shell->exponents, basis->contraction + basis->shells[of].first,
                          c->coefficients + first);
    first += shell->primitives;
  }
  c->c = large_array(c->norbitals * c->functions * element);
  c->occupations = large_array(c->norbitals * element);
  for (size_t i = 0; i < c->norbitals * c->functions; i++) put_real(c->c, f32, i, 2 * spread(5 * i) - 1);
  for (size_t i = 0; i < c->norbitals; i++) put_real(c->occupations, f32, i, i < 5 ? 2 : 0);
}

static void orbital_cells(orbital_case *c, size_t side) {
  c->cell = c->hexagonal = c->periodic = c->box; /* of the same steps' lengths, about */
  c->cell.step_y[0] = 0.3 * c->box.step_x[0];
  c->cell.step_z[0] = 0.2 * c->box.step_x[0];
  c->cell.step_z[1] = -0.1 * c->box.step_x[0];
  c->hexagonal.step_y[0] = -0.5 * c->box.step_x[0];
  c->hexagonal.step_y[1] = 0.86602540378443865 * c->box.step_x[0];
  for (int d = 0; d < 3; d++) {
    c->periodic.period[d] = c->box.step_x[0] * (double)side;
    c->cell.origin[d] = -0.5 * (double)(side - 1) * (c->cell.step_x[d] + c->cell.step_y[d] + c->cell.step_z[d]);
    c->hexagonal.origin[d] = -0.5 * (double)(side - 1) * (c->hexagonal.step_x[d] + c->hexagonal.step_y[d] + c->hexagonal.step_z[d]);
  }
}

/* What all calls of these racers on grids and lists need. */
static void orbital_work(orbital_case *c, racer *p, int count) {
  const convk_orbital_set_f32 s32 = {c->nshells, c->shells, c->norbitals, (float *)c->c, 0, (float *)c->occupations, NULL};
  const convk_orbital_set_f64 s64 = {c->nshells, c->shells, c->norbitals, (double *)c->c, 0, (double *)c->occupations, NULL};
  for (int i = 0; i < 3 * count; i++) {
    convk *hw = &p[i / 3].hw;
    const convk_gaussian_box *const box = i % 3 == 1 ? &c->box : &c->periodic;
    size_t need = 0;
    if (i % 3 && !box->grid.nx) continue;
    if (i % 3 == 0 && c->f32) convk_orbitals_work_size_f32(hw, &s32, &need);
    else if (i % 3 == 0) convk_orbitals_work_size_f64(hw, &s64, &need);
    else if (c->f32) convk_orbitals_grid_work_size_f32(hw, box, &s32, &need);
    else convk_orbitals_grid_work_size_f64(hw, box, &s64, &need);
    if (need > c->work_size) c->work_size = need;
  }
  c->work = large_array(c->work_size);
}

static void orbital_arrays(orbital_case *c, int f32, const water_basis *basis, size_t side, racer *p, int count) {
  const size_t element = f32 ? 4 : 8, n = side * side * side;
  orbital_molecules(c, f32, basis, 1);
  c->n = n;
  for (size_t k = 0; k < 3; k++) {
    c->r[k] = large_array(n * element);
    for (size_t i = 0; i < n; i++)
      put_real(c->r[k], f32, i,
               16 * (double)(k == 0 ? i % side : k == 1 ? i / side % side : i / side / side) / (double)(side - 1) - 8);
  }
  for (int d = 0; d < 3; d++) c->box.origin[d] = -8;
  c->box.step_x[0] = c->box.step_y[1] = c->box.step_z[2] = 16 / (double)(side - 1);
  c->box.grid.nx = c->box.grid.ny = c->box.grid.nz = side;
  orbital_cells(c, side);
  for (int k = 0; k < 5; k++) c->out[k] = large_array((k ? 1 : 2) * c->norbitals * n * element); /* the first is complex at k */
  const convk_orbital_set_f32 s32 = {c->nshells, c->shells, c->norbitals, (float *)c->c, 0, (float *)c->occupations, NULL};
  const convk_orbital_set_f64 s64 = {c->nshells, c->shells, c->norbitals, (double *)c->c, 0, (double *)c->occupations, NULL};
  if (f32) convk_orbitals_plan_size_f32(NULL, &s32, &c->plan_size);
  else convk_orbitals_plan_size_f64(NULL, &s64, &c->plan_size);
  c->plan = large_array(c->plan_size);
  if (f32 ? convk_orbitals_prepare_f32(NULL, &s32, (convk_orbitals_plan_f32 *)c->plan, c->plan_size)
          : convk_orbitals_prepare_f64(NULL, &s64, (convk_orbitals_plan_f64 *)c->plan, c->plan_size)) {
    fprintf(stderr, "bench: no plan of orbitals\n");
    exit(1);
  }
  orbital_work(c, p, count);
}

static void orbital_free(orbital_case *c) {
  const size_t element = c->f32 ? 4 : 8;
  for (int k = 0; k < 3 && c->r[k]; k++) munmap(c->r[k], c->n * element);
  munmap(c->c, c->norbitals * c->functions * element);
  munmap(c->occupations, c->norbitals * element);
  for (int k = 0; k < 5 && c->out[k]; k++) munmap(c->out[k], (k ? 1 : 2) * c->norbitals * c->n * element);
  munmap(c->work, c->work_size);
  if (c->plan) munmap(c->plan, c->plan_size);
  free(c->shells);
}

#define ORBITAL_CALL(type, T) \
  static int orbital_call_##type(racer *p, const orbital_case *c) { \
    const convk_points_##type points = {c->n, (const T *)c->r[0], (const T *)c->r[1], (const T *)c->r[2], 0}; \
    convk *hw = &p->hw; \
    T *const *out = (T *const *)c->out; \
    const convk_vgl_##type vgl = {out[0], out[1], out[2], out[3], out[4], 0}; \
    convk_orbital_set_##type set = {c->nshells, c->shells, c->norbitals, (const T *)c->c, 0, (const T *)c->occupations, NULL}; \
    convk_gaussian_options options; \
    memset(&options, 0, sizeof options); \
    if (p->operation == ORBITALS_CUTOFF) options.cutoff = 1e-10; \
    if (p->planned) set.plan = (const convk_orbitals_plan_##type *)c->plan; \
    if (p->operation == ORBITALS_ONE || p->operation == ON_GRID_ONE || p->operation == PERIODIC_ONE || \
        p->operation == PERIODIC_K_ONE) \
      set.norbitals = 1; \
    if (p->operation == ON_GRID || p->operation == ON_GRID_ONE || p->operation == PERIODIC || p->operation == PERIODIC_ONE) \
      return convk_orbitals_grid_##type(hw, p->operation >= PERIODIC ? &c->periodic : &c->box, &set, NULL, out[0], 0, c->work, \
                                        c->work_size); \
    if (p->operation >= ON_CELL && p->operation <= ON_HEXAGONAL) { \
      if (p->operation == ON_CELL_ONE) set.norbitals = 1; \
      return convk_orbitals_grid_##type(hw, p->operation == ON_HEXAGONAL ? &c->hexagonal : &c->cell, &set, NULL, out[0], 0, NULL, 0); \
    } \
    if (p->operation == AT_K || p->operation >= PERIODIC_K) { \
      const convk_bloch_##type bloch = {{0.1, 0.2, -0.1}, NULL}; \
      if (p->operation == PERIODIC_K_DENSITY) \
        return convk_density_grid_k_##type(hw, &c->periodic, &set, &bloch, NULL, out[0], 0, NULL, 0); \
      return convk_orbitals_grid_k_##type(hw, &c->periodic, &set, &bloch, NULL, out[0], 0, NULL, 0); \
    } \
    if (p->operation == ON_GRID_VGL) return convk_orbitals_grid_vgl_##type(hw, &c->box, &set, NULL, &vgl, c->work, c->work_size); \
    if (p->operation == ON_GRID_DENSITY || p->operation == PERIODIC_DENSITY) { \
      const convk_density_parts_##type density = {out[0], NULL, NULL, NULL, NULL}; \
      return convk_density_grid_##type(hw, p->operation == PERIODIC_DENSITY ? &c->periodic : &c->box, &set, NULL, &density, \
                                       c->work, c->work_size); \
    } \
    if (p->operation == ORBITALS_VGL) return convk_orbitals_vgl_##type(hw, &points, &set, NULL, &vgl, c->work, c->work_size); \
    if (p->operation == DENSITY) return convk_density_##type(hw, &points, &set, NULL, out[0], c->work, c->work_size); \
    return convk_orbitals_##type(hw, &points, &set, &options, out[0], 0, c->work, c->work_size); \
  }
ORBITAL_CALL(f32, float)
ORBITAL_CALL(f64, double)

static void orbital_call(racer *p) {
  const orbital_case *c = (const orbital_case *)p->of;
  racer_failed(orbital_names[p->operation], p, c->f32 ? orbital_call_f32(p, c) : orbital_call_f64(p, c));
}

static void orbital_peer_task(void *arg, size_t task) {
  racer *p = (racer *)arg;
  const orbital_case *c = (const orbital_case *)p->of;
  const size_t first = c->n * task / (size_t)p->threads, last = c->n * (task + 1) / (size_t)p->threads;
  double centers[WATER_SHELLS][3];
  const double *exponents[WATER_SHELLS], *contraction[WATER_SHELLS];
  size_t primitives[WATER_SHELLS];
  int l[WATER_SHELLS];
  for (size_t s = 0; s < c->nshells; s++) {
    memcpy(centers[s], c->shells[s].center, sizeof centers[s]);
    exponents[s] = c->shells[s].exponents;
    contraction[s] = c->shells[s].coefficients;
    primitives[s] = c->shells[s].primitives;
    l[s] = c->shells[s].l;
  }
  if (c->f32) {
    const float *const r[3] = {(float *)c->r[0], (float *)c->r[1], (float *)c->r[2]};
    naive_orbitals_f32(first, last, r, c->nshells, centers, l, primitives, exponents, contraction, c->norbitals,
                       (float *)c->c, c->functions, (float *)c->out[0], c->n);
  } else {
    const double *const r[3] = {(double *)c->r[0], (double *)c->r[1], (double *)c->r[2]};
    naive_orbitals_f64(first, last, r, c->nshells, centers, l, primitives, exponents, contraction, c->norbitals,
                       (double *)c->c, c->functions, (double *)c->out[0], c->n);
  }
}

static void orbital_peer(racer *p) { on_threads(p->threads, orbital_peer_task, p); }

/* Orbital o at point i, and its Laplacian: S is harmonic and of degree l, so that of S exp(-a r^2) is
   (4 a^2 r^2 - 2 a (3 + 2 l)) S exp(-a r^2). */
static long double orbital_reference(const orbital_case *c, const convk_gaussian_box *box, size_t o, size_t i,
                                     long double *laplacian) {
  const size_t nx = c->box.grid.nx, ny = c->box.grid.ny, at[3] = {i % nx, i / nx % ny, i / nx / ny};
  const size_t base = o * c->functions;
  long double value = 0;
  size_t f = 0;
  *laplacian = 0;
  for (size_t s = 0; s < c->nshells; s++) {
    const convk_shell *shell = &c->shells[s];
    long double r[3], square = 0, radial = 0, second = 0, solid[5], sum = 0;
    for (int d = 0; d < 3; d++) {
      r[d] = box ? (long double)box->origin[d] + (long double)at[0] * (long double)box->step_x[d] +
                       (long double)at[1] * (long double)box->step_y[d] + (long double)at[2] * (long double)box->step_z[d]
                 : real_at(c->r[d], c->f32, i);
      r[d] -= (long double)shell->center[d];
      square += r[d] * r[d];
    }
    for (size_t k = 0; k < shell->primitives; k++) {
      const long double a = (long double)shell->exponents[k], e = (long double)shell->coefficients[k] * expl(-a * square);
      radial += e;
      second += (4 * a * a * square - 2 * a * (3 + 2 * shell->l)) * e;
    }
    if (shell->l == 0) {
      solid[0] = 1;
    } else if (shell->l == 1) {
      solid[0] = r[1];
      solid[1] = r[2];
      solid[2] = r[0];
    } else {
      solid[0] = r[0] * r[1];
      solid[1] = r[1] * r[2];
      solid[2] = (2 * r[2] * r[2] - r[0] * r[0] - r[1] * r[1]) / (2 * sqrtl(3));
      solid[3] = r[0] * r[2];
      solid[4] = (r[0] * r[0] - r[1] * r[1]) / 2;
    }
    for (int k = 0; k < 2 * shell->l + 1; k++, f++) sum += real_at(c->c, c->f32, base + f) * solid[k];
    value += sum * radial;
    *laplacian += sum * second;
  }
  return value;
}

/* The largest error of values (and Laplacians) at some points, over the largest value (Laplacian) there. */
static double orbital_error(racer *p) {
  const orbital_case *c = (const orbital_case *)p->of;
  const int density = p->operation == DENSITY || p->operation == ON_GRID_DENSITY, cell = p->operation >= ON_CELL;
  const convk_gaussian_box *const other = p->operation == ON_HEXAGONAL ? &c->hexagonal : &c->cell;
  const convk_gaussian_box *const grid = cell ? other : p->operation >= ON_GRID ? &c->box : NULL;
  const int derivatives = p->operation == ORBITALS_VGL || p->operation == ON_GRID_VGL;
  const int one = p->operation == ORBITALS_ONE || p->operation == ON_GRID_ONE || p->operation == ON_CELL_ONE;
  const size_t rows = density || one ? 1 : c->norbitals;
  long double worst[2] = {0, 0}, most[2] = {0, 0};
  if (p->operation >= AT_K) return -1; /* sums of images */
  p->call(p);
  for (size_t k = 0; k < 200; k++) {
    const size_t i = (k * 2654435761u >> 5) % c->n;
    for (size_t row = 0; row < rows; row++) {
      long double want[2] = {0, 0};
      if (!density) want[0] = orbital_reference(c, grid, row, i, &want[1]);
      for (size_t o = 0; o < c->norbitals && density; o++) {
        const long double value = orbital_reference(c, grid, o, i, &want[1]);
        want[0] += real_at(c->occupations, c->f32, o) * value * value;
      }
      for (int d = 0; d < (derivatives ? 2 : 1); d++) {
        const long double error = fabsl(real_at(c->out[d ? 4 : 0], c->f32, row * c->n + i) - want[d]);
        if (error > worst[d]) worst[d] = error;
        if (fabsl(want[d]) > most[d]) most[d] = fabsl(want[d]);
      }
    }
  }
  worst[0] /= most[0];
  if (most[1] > 0 && worst[1] / most[1] > worst[0]) worst[0] = worst[1] / most[1];
  return (double)worst[0];
}

/* These kinds of calls, the last of which is GRID_KINDS.  Rates count values of functions. */
static void orbital_group(int f32, const water_basis *basis, const int *kinds, size_t side, int threads, int best) {
  racer *p = (racer *)calloc(GAUSSIAN_MOST, sizeof *p), *all;
  orbital_case c;
  char size[48];
  int count = 0, hws, own, at[GRID_KINDS] = {0}; /* at: where a kind's racers begin */
  snprintf(size, sizeof size, "%zux%zux%zu%s", side, side, side, basis->size);
  hws = stencil_skipped(basis == &def2_svp ? "gaussian orbitals_vgl density" : "gaussian orbitals_grid_k density_grid_k", size)
            ? 0
            : racers_open(p, threads, best);
  if (!hws) {
    free(p);
    return;
  }
  all = (racer *)calloc(GAUSSIAN_MOST, sizeof *all);
  orbital_arrays(&c, f32, basis, side, p, hws);
  for (; *kinds < GRID_KINDS; kinds++) {
    at[*kinds] = count;
    for (int i = 0; i < hws; i++, count++) {
      all[count] = p[i];
      all[count].operation = *kinds;
      all[count].call = orbital_call;
      all[count].of = &c;
      all[count].units = (double)(c.n * c.functions);
    }
  }
  own = count;
  if (naive_orbitals_f32 && basis == &def2_svp) { /* operation: what it is a peer of */
    all[count] = all[0];
    snprintf(all[count].name, sizeof all->name, "%s", "libmvec");
    all[count].own = 0;
    all[count++].call = orbital_peer;
  }
  racers_run(all, count);
  for (int i = 0; i < count; i++) {
    const int compared = all[i].own && all[i].operation < ORBITALS_VGL && own < count;
    const int grid = all[i].own && all[i].operation >= ON_GRID; /* compared with another form by the same hardware */
    racer *list = &all[grid ? at[orbital_lists[all[i].operation]] + i % hws : count - 1];
    racer_line(&all[i], orbital_names[all[i].operation], f32, size, "G/s",
               grid ? orbital_names[list->operation] : compared ? "libmvec" : NULL, list->rate[0], orbital_error(&all[i]));
    if (all[i].operation == ON_GRID_DENSITY || all[i].operation == PERIODIC_K_DENSITY)
      line(all[i].operation == ON_GRID_DENSITY ? "density_grid: ms" : "density_grid_k: ms", f32 ? "f32" : "f64", all[i].name,
           threads, size, 1e3 * all[i].units / all[i].rate[0], "ms", 0,
           NULL, NULL, 0, -1);
  }
  for (int i = 0; i < hws; i++) convk_close(&p[i].hw);
  orbital_free(&c);
  free(all);
  free(p);
}

/* The best hardware on points of which most are far away, in no order, over ordinary ones; and on 16 points, over plain loops. */
static void orbital_special(int f32) {
  racer *p = (racer *)calloc(GAUSSIAN_MOST, sizeof *p), *all;
  orbital_case c[3];
  int count = 0;
  if (stencil_skipped("gaussian orbitals_vgl density", "20x20x20 decaying") || !racers_open(p, 1, 1)) {
    free(p);
    return;
  }
  all = (racer *)calloc(GAUSSIAN_MOST, sizeof *all);
  for (int i = 0; i < 3; i++) orbital_arrays(&c[i], f32, &def2_svp, 20, p, 1);
  for (size_t i = 0; i < 3 * c[1].n; i++) put_real(c[1].r[i % 3], f32, i / 3, (f32 ? 80 : 160) * (spread(3 * i + 1) - 0.5));
  c[2].n = 16;
  for (size_t i = 0; i < 3 * c[2].n; i++) put_real(c[2].r[i % 3], f32, i / 3, 4 * (spread(3 * i + 1) - 0.5));
  for (int of = 0; of < 5; of++) /* the fourth by a plan, the last the plain loop on few */
    for (int kind = 0; kind < ORBITAL_KINDS && (of < 4 || (kind == ORBITALS && naive_orbitals_f32)); kind++, count++) {
      all[count] = p[0];
      all[count].operation = kind;
      all[count].planned = of == 3;
      all[count].of = &c[of < 3 ? of : 2];
      all[count].units = (double)c[of < 3 ? of : 2].n * (double)c->functions;
      all[count].repeat = of < 2 ? 0 : 30;
      all[count].call = of < 4 ? orbital_call : orbital_peer;
    }
  racers_run(all, count);
  for (int kind = 0; kind < ORBITAL_KINDS; kind++) {
    racer *q = all + kind, *last = kind == ORBITALS && count > 4 * ORBITAL_KINDS ? all + 4 * ORBITAL_KINDS : NULL;
    racer_line(q + ORBITAL_KINDS, orbital_names[kind], f32, "20x20x20 decaying", "G/s", "ordinary data", q->rate[0], -1);
    for (int planned = 0; planned < 2; planned++)
      racer_line(q + (2 + planned) * ORBITAL_KINDS, orbital_names[kind], f32, planned ? "16 prepared" : "16", "G/s",
                 last ? "libmvec" : NULL, last ? last->rate[0] : 0, -1);
  }
  convk_close(&p->hw);
  for (int i = 0; i < 3; i++) orbital_free(&c[i]);
  free(all);
  free(p);
}

/* ---- multiply-adds that grids need, and a chain of molecules ----
   A table is u^k exp(-a u^2) along x, k from 0 to the largest l of the functions that a center has of an exponent a.  Where
   exp(-a r^2) is below the cutoff, 2^-68 (f64) or 2^-38 (f32), it counts as nothing.  An orbital needs a multiply-add for each
   table and each point of the grid

     in the box about that ball:  in rows with |y| and |z| up to its radius R, points with |x| up to R
     in the ball:                 of these rows, points with x^2 up to R^2 - y^2 - z^2

   Rows' weights and the tables themselves are not counted: n^2 and n against n^3. */

/* Points of an axis that are nearer to `center` than the root of `square`. */
static double grid_points(double origin, double step, size_t n, double center, double square) {
  double low, high;
  if (square <= 0) return 0;
  low = ceil((center - sqrt(square) - origin) / step);
  high = floor((center + sqrt(square) - origin) / step);
  low = low < 0 ? 0 : low;
  high = high > (double)n - 1 ? (double)n - 1 : high;
  return high < low ? 0 : high - low + 1;
}

/* Those of a table of this exponent. */
static double grid_table(const convk_gaussian_box *box, const double *center, double square, int balls) {
  const double step = box->step_x[0], *const o = box->origin, y_step = box->step_y[1], z_step = box->step_z[2];
  double sum = 0;
  if (!balls)
    return grid_points(o[0], step, box->grid.nx, center[0], square) *
           grid_points(o[1], y_step, box->grid.ny, center[1], square) *
           grid_points(o[2], z_step, box->grid.nz, center[2], square);
  for (size_t z = 0; z < box->grid.nz; z++)
    for (size_t y = 0; y < box->grid.ny; y++) {
      const double uy = o[1] + y_step * (double)y - center[1], uz = o[2] + z_step * (double)z - center[2];
      sum += grid_points(o[0], step, box->grid.nx, center[0], square - uy * uy - uz * uz);
    }
  return sum;
}

/* Multiply-adds of one orbital, of steps along the axes. */
static double grid_madds(const convk_gaussian_box *box, size_t nshells, const convk_shell *shells, int f32, int balls) {
  double sum = 0;
  for (size_t s = 0, first = 0; s < nshells; s++) {
    if (memcmp(shells[s].center, shells[first].center, sizeof shells->center)) first = s;
    for (size_t k = 0; k < shells[s].primitives; k++) {
      const double exponent = shells[s].exponents[k];
      int known = -1; /* the largest l before */
      for (size_t before = first; before <= s; before++)
        for (size_t i = 0; i < (before < s ? shells[before].primitives : k); i++)
          if (shells[before].exponents[i] == exponent && shells[before].l > known) known = shells[before].l;
      if (shells[s].l > known)
        sum += (shells[s].l - known) * grid_table(box, shells[s].center, (f32 ? 38 : 68) * log(2) / exponent, balls);
    }
  }
  return sum;
}

static double madds_peak(racer *p, int f32) {
  return peak_of(p->name, f32, p->threads) / (strcmp(p->name, "scalar") ? 2 : 1);
}

static double chain_ceiling(racer *p) {
  const orbital_case *c = (const orbital_case *)p->of;
  return madds_peak(p, c->f32);
}

/* The time of multiply-adds and that of writes past the caches, one after the other. */
static double chain_writes_ceiling(racer *p) {
  const orbital_case *c = (const orbital_case *)p->of;
  const size_t bytes = c->n * (c->f32 ? 4 : 8);
  return p->units / (p->units / chain_ceiling(p) + (double)bytes / bandwidth((double *)c->out[0], NULL, bytes / 8, p->threads));
}

/* One orbital of 50 water molecules (6-31G), at least 6 bohr around, 0.2 bohr from point to point: 1100 tables along x, and
   1392 x 80 x 80 = 8.9e6 points.  Rates count multiply-adds, f64 2.885e8 (f32 1.903e8) in boxes, or 2.272e8 (1.376e8) in balls;
   the ceiling is their peak, or with writes, the peak and then writes of all points.  So the time over that of the boxes alone
   is one over the fraction. */
static void chain_group(int f32, size_t molecules, int threads) {
  static const char *const names[] = {"orbitals_grid: boxes, writes", "orbitals_grid: boxes", "orbitals_grid: balls"};
  const size_t element = f32 ? 4 : 8;
  racer p[8], all[3];
  orbital_case c;
  char size[48];
  snprintf(size, sizeof size, "chain of %zu water", molecules);
  if (stencil_skipped("gaussian orbitals_grid", size) || !racers_open(p, threads, 1)) return;
  orbital_molecules(&c, f32, &split_valence, molecules);
  c.box.grid.nx = ((size_t)(5.3 * (double)(molecules - 1) / 0.2) + 80 + 15) / 16 * 16;
  c.box.grid.ny = c.box.grid.nz = 80;
  c.box.step_x[0] = c.box.step_y[1] = c.box.step_z[2] = 0.2;
  c.box.origin[0] = -0.1 * (double)(c.box.grid.nx - 1);
  c.box.origin[1] = c.box.origin[2] = -0.1 * 79;
  c.n = c.box.grid.nx * 80 * 80;
  c.out[0] = large_array(2 * c.n * element);
  orbital_work(&c, p, 1);
  for (int i = 0; i < 3; i++) {
    all[i] = *p;
    all[i].operation = ON_GRID_ONE;
    all[i].call = orbital_call;
    all[i].of = &c;
    all[i].units = grid_madds(&c.box, c.nshells, c.shells, f32, i == 2);
    all[i].ceiling = i ? chain_ceiling : chain_writes_ceiling;
  }
  racers_run(all, 3);
  for (int i = 0; i < 3; i++) racer_line(&all[i], names[i], f32, size, "Gmadd/s", NULL, 0, i ? -1 : orbital_error(all));
  convk_close(&p->hw);
  orbital_free(&c);
}

/* ---- all orbitals of a hexane molecule in the shells of cc-pVTZ, 376 functions: bound by multiply-adds ---- */

enum { HEXANE_SHELLS = 144, HEXANE_FUNCTIONS = 376, HEXANE_SIDE = 16, HEXANE_LARGE = 64 };

typedef struct hexane_case {
  int f32;
  convk_shell shells[HEXANE_SHELLS];
  size_t n, nshells, work_size;
  void *r[3], *c, *out, *work;
  convk_gaussian_box box;
} hexane_case;

static const double hexane_carbon[] = {8236, 1235, 280.8, 79.27, 25.59, 8.997, 3.319, 0.3643, 0.9059, 0.1285, 18.71, 4.133, 1.2,
                                       0.3827, 0.1209, 1.097, 0.318, 0.761};
static const double hexane_hydrogen[] = {33.87, 5.095, 1.159, 0.3258, 0.1027, 1.407, 0.388, 1.057};
static const struct {
  int l, first, primitives;
} hexane_shells[2][10] = {{{0, 0, 8}, {0, 0, 8}, {0, 8, 1}, {0, 9, 1}, {1, 10, 3}, {1, 13, 1}, {1, 14, 1}, {2, 15, 1}, {2, 16, 1},
                           {3, 17, 1}},
                          {{0, 0, 3}, {0, 3, 1}, {0, 4, 1}, {1, 5, 1}, {1, 6, 1}, {2, 7, 1}}};

#define HEXANE_CALL(type, T) \
  static int hexane_call_##type(racer *p, const hexane_case *c) { \
    const convk_points_##type points = {c->n, (const T *)c->r[0], (const T *)c->r[1], (const T *)c->r[2], 0}; \
    const convk_orbital_set_##type set = {c->nshells, c->shells, HEXANE_FUNCTIONS, (const T *)c->c, 0, NULL, NULL}; \
    return convk_orbitals_##type(&p->hw, &points, &set, NULL, (T *)c->out, 0, c->work, c->work_size); \
  }
#define HEXANE_GRID(type, T) \
  static int hexane_grid_##type(racer *p, const hexane_case *c) { \
    const convk_orbital_set_##type set = {c->nshells, c->shells, HEXANE_FUNCTIONS, (const T *)c->c, 0, NULL, NULL}; \
    return convk_orbitals_grid_##type(&p->hw, &c->box, &set, NULL, (T *)c->out, 0, NULL, 0); \
  }
HEXANE_GRID(f32, float)
HEXANE_GRID(f64, double)
HEXANE_CALL(f32, float)
HEXANE_CALL(f64, double)

static void hexane_call(racer *p) {
  const hexane_case *c = (const hexane_case *)p->of;
  racer_failed("orbitals", p, c->f32 ? hexane_call_f32(p, c) : hexane_call_f64(p, c));
}

static void hexane_grid(racer *p) {
  const hexane_case *c = (const hexane_case *)p->of;
  racer_failed("orbitals_grid", p, c->f32 ? hexane_grid_f32(p, c) : hexane_grid_f64(p, c));
}

static double hexane_ceiling(racer *p) {
  return madds_peak(p, ((const hexane_case *)p->of)->f32);
}

/* The shells, and the box of side^3 points, 16 x 10 x 10 bohr. */
static void hexane_molecule(hexane_case *c, size_t side) {
  static const double ones[8] = {0.3, 0.4, 0.5, 0.6, 0.7, 0.3, 0.4, 0.5};
  c->n = side * side * side;
  for (int atom = 0; atom < 20; atom++)
    for (int s = 0; s < (atom < 6 ? 10 : 6); s++) {
      convk_shell *shell = &c->shells[c->nshells++];
      shell->center[0] = 2.4 * (atom % 6) - 6;
      shell->center[1] = atom < 6 ? 1.6 * (atom % 2) : 2 * (atom % 3) - 2;
      shell->center[2] = atom < 6 ? 0.1 : 3.4 * (atom % 2) - 1.7;
      shell->l = hexane_shells[atom >= 6][s].l;
      shell->functions = CONVK_SHELL_SPHERICAL;
      shell->primitives = (size_t)hexane_shells[atom >= 6][s].primitives;
      shell->exponents = (atom < 6 ? hexane_carbon : hexane_hydrogen) + hexane_shells[atom >= 6][s].first;
      shell->coefficients = ones;
    }
  for (int d = 0; d < 3; d++) {
    double *const step = d == 0 ? c->box.step_x : d == 1 ? c->box.step_y : c->box.step_z;
    step[d] = (d ? 10. : 16.) / (double)(side - 1);
    c->box.origin[d] = d ? -5 : -8;
  }
  c->box.grid.nx = c->box.grid.ny = c->box.grid.nz = side;
}

/* Coefficients and results. */
static void hexane_arrays(hexane_case *c) {
  const size_t element = c->f32 ? 4 : 8;
  c->c = large_array(HEXANE_FUNCTIONS * HEXANE_FUNCTIONS * element);
  for (size_t i = 0; i < HEXANE_FUNCTIONS * HEXANE_FUNCTIONS; i++) put_real(c->c, c->f32, i, 2 * spread(5 * i) - 1);
  c->out = large_array(HEXANE_FUNCTIONS * c->n * element);
}

static void hexane_free(hexane_case *c) {
  const size_t element = c->f32 ? 4 : 8;
  munmap(c->c, HEXANE_FUNCTIONS * HEXANE_FUNCTIONS * element);
  munmap(c->out, HEXANE_FUNCTIONS * c->n * element);
}

/* Rates count multiply-adds of coefficients with functions. */
static void hexane_group(int f32, int threads) {
  const size_t element = f32 ? 4 : 8;
  racer p[8], both[2];
  hexane_case c;
  memset(&c, 0, sizeof c);
  if (stencil_skipped("gaussian orbitals", "hexane 376x376") || !racers_open(p, threads, 1)) return;
  c.f32 = f32;
  hexane_molecule(&c, HEXANE_SIDE);
  hexane_arrays(&c);
  for (size_t k = 0; k < 3; k++) {
    c.r[k] = large_array(c.n * element);
    for (size_t i = 0; i < c.n; i++)
      put_real(c.r[k], f32, i,
               (k ? 10. : 16.) / (HEXANE_SIDE - 1) *
                   ((double)(k == 0 ? i % HEXANE_SIDE : k == 1 ? i / HEXANE_SIDE % HEXANE_SIDE : i / HEXANE_SIDE / HEXANE_SIDE) -
                    (HEXANE_SIDE - 1) / 2.));
  }
  const convk_orbital_set_f32 s32 = {c.nshells, c.shells, HEXANE_FUNCTIONS, (float *)c.c, 0, NULL, NULL};
  const convk_orbital_set_f64 s64 = {c.nshells, c.shells, HEXANE_FUNCTIONS, (double *)c.c, 0, NULL, NULL};
  if (f32) convk_orbitals_work_size_f32(&p->hw, &s32, &c.work_size);
  else convk_orbitals_work_size_f64(&p->hw, &s64, &c.work_size);
  c.work = large_array(c.work_size);
  p->of = &c;
  p->call = hexane_call;
  p->ceiling = hexane_ceiling;
  p->units = (double)HEXANE_FUNCTIONS * HEXANE_FUNCTIONS * (double)c.n;
  both[0] = both[1] = *p;
  both[1].call = hexane_grid;
  both[1].ceiling = NULL; /* it has other terms than functions, and fewer */
  racers_run(both, 2);
  racer_line(&both[0], "orbitals", f32, "hexane 376x376", "Gmadd/s", NULL, 0, -1);
  racer_line(&both[1], "orbitals_grid", f32, "hexane 376x376", "Gmadd/s", "orbitals", both[0].rate[0], -1);
  convk_close(&p->hw);
  for (size_t k = 0; k < 3; k++) munmap(c.r[k], c.n * element);
  munmap(c.work, c.work_size);
  hexane_free(&c);
}

/* On 64^3 points, by a grid alone: rates count multiply-adds in the boxes of 348 tables along x, 376 x 5.322e7 = 2.001e10, of
   which 0.859 are in their balls. */
static void hexane_large(size_t side, int threads) {
  const int f32 = 0; /* of which results are 789 MB */
  racer p[8], *q = p;
  hexane_case c;
  char size[48];
  double balls;
  memset(&c, 0, sizeof c);
  snprintf(size, sizeof size, "hexane %zux%zux%zu", side, side, side);
  if (stencil_skipped("gaussian orbitals_grid", size) || !racers_open(p, threads, 1)) return;
  hexane_molecule(&c, side);
  hexane_arrays(&c);
  q->of = &c;
  q->call = hexane_grid;
  q->ceiling = hexane_ceiling;
  q->units = HEXANE_FUNCTIONS * grid_madds(&c.box, c.nshells, c.shells, f32, 0);
  balls = HEXANE_FUNCTIONS * grid_madds(&c.box, c.nshells, c.shells, f32, 1) / q->units;
  racers_run(q, 1);
  racer_line(q, "orbitals_grid: boxes", f32, size, "Gmadd/s", NULL, 0, -1);
  q->rate[0] *= balls;
  racer_line(q, "orbitals_grid: balls", f32, size, "Gmadd/s", NULL, 0, -1);
  convk_close(&q->hw);
  hexane_free(&c);
}

static void gaussian(void) {
  const int all = opt.threads;
  for (int f32 = 1; f32 >= 0; f32--) {
    const size_t n = (size_t)1 << 18, m = f32 ? 640 : 320; /* 671 MB */
    gridpot_group(f32, 1024, f32 ? 128 : 64, 1, NULL); /* in L2 */
    if (!opt.quick && !stencil_skipped("gaussian gridpot_sum", "262144x640")) {
      gridpot_case in_cache = gridpot_arrays(f32, 1024, m, NULL); /* as many exponents: their rows are as long */
      gridpot_group(f32, n, m, 1, &in_cache);
      if (all > 1) gridpot_group(f32, n, m, all, &in_cache);
      gridpot_free(&in_cache);
    }
    if (f32 && !opt.quick && !stencil_skipped("gaussian gridpot_sum", "65536x4096")) { /* fewer points, more exponents */
      gridpot_case in_cache = gridpot_arrays(f32, 160, 4096, NULL);
      gridpot_group(f32, 65536, 4096, 1, &in_cache);
      if (all > 1) gridpot_group(f32, 65536, 4096, all, &in_cache);
      gridpot_free(&in_cache);
    }
    gridpot_special(f32);
    orbital_group(f32, &def2_svp, all_kinds, 20, 1, 0);
    orbital_special(f32);
    hexane_group(f32, 1);
    orbital_group(f32, &split_valence, occupied_kinds, opt.quick ? 20 : 80, 1, 1);
    orbital_group(f32, &cc_pvdz, occupied_kinds, opt.quick ? 20 : 80, 1, 1);
    chain_group(f32, opt.quick ? 2 : 50, 1);
    if (!f32) hexane_large(opt.quick ? 8 : HEXANE_LARGE, 1);
    if (opt.quick) continue;
    if (all > 1) hexane_group(f32, all);
    orbital_group(f32, &def2_svp, all_kinds, 80, 1, 1);
    if (all > 1) orbital_group(f32, &def2_svp, all_kinds, 80, all, 1);
  }
}
