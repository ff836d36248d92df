/* Amplitudes of atoms, in pairs of an atom and a q per second: lists against a plain loop by gcc; grids with -q for every q, for
   those of the lanes' axis, and without, against 1, 2 or 4 multiply-adds per pair at the measured peak.  One thread.  Errors are
   relative to the number of atoms. */
#define AMPLITUDES_PEER(type, T) \
  extern void naive_amplitudes_##type(size_t, const T *const *, size_t, const T *const *, T *) __attribute__((weak));
AMPLITUDES_PEER(f32, float)
AMPLITUDES_PEER(f64, double)

enum { AMPLITUDES_LIST, AMPLITUDES_GENERAL, AMPLITUDES_HALF, AMPLITUDES_OCTANTS, AMPLITUDES_LOOP, AMPLITUDES_SIDE = 60 };
static const char *const amplitudes_names[] = {"amplitudes", "amplitudes_grid", "amplitudes_grid: half",
                                               "amplitudes_grid: octants"};

typedef struct amplitudes_case {
  int f32;
  size_t n, nq;                              /* of the list, and of an axis */
  void *r[3], *q[2][3], *shifted, *f, *work; /* q: of a list, and of axes; shifted: an axis without -q */
  size_t work_size;
} amplitudes_case;

#define AMPLITUDES_CALL(type, T) \
  static int amplitudes_call_##type(racer *p, const amplitudes_case *c) { \
    convk *const hw = &(p)->hw; \
    const T *const r[3] = {(const T *)c->r[0], (const T *)c->r[1], (const T *)c->r[2]}; \
    const int grid = p->operation >= AMPLITUDES_GENERAL && p->operation <= AMPLITUDES_OCTANTS; \
    const T *q[3] = {(const T *)c->q[grid][0], (const T *)c->q[grid][1], (const T *)c->q[grid][2]}; \
    const convk_atoms_##type atoms = {c->n, 0, 0, r[0], r[1], r[2], NULL, NULL}; \
    const convk_grid3 g = {AMPLITUDES_SIDE, AMPLITUDES_SIDE, AMPLITUDES_SIDE, 0, 0}; \
    convk_q_##type v = {c->nq, NULL, NULL, NULL, NULL, NULL, NULL}; \
    if (p->operation == AMPLITUDES_LOOP) { \
      naive_amplitudes_##type(c->n, r, c->nq, q, (T *)c->f); \
      return 0; \
    } \
    v.x = p->operation == AMPLITUDES_GENERAL ? (const T *)c->shifted : q[0]; \
    v.y = p->operation == AMPLITUDES_HALF || p->operation == AMPLITUDES_GENERAL ? (const T *)c->shifted : q[1]; \
    v.z = p->operation == AMPLITUDES_HALF || p->operation == AMPLITUDES_GENERAL ? (const T *)c->shifted : q[2]; \
    if (!grid) v.y = q[1], v.z = q[2]; \
    return grid ? convk_amplitudes_grid_##type(hw, &atoms, &g, &v, NULL, (T *)c->f, c->work, c->work_size) \
                : convk_amplitudes_##type(hw, &atoms, &v, NULL, (T *)c->f, c->work, c->work_size); \
  }
AMPLITUDES_CALL(f32, float)
AMPLITUDES_CALL(f64, double)

static void amplitudes_call(racer *p) {
  const amplitudes_case *c = (const amplitudes_case *)p->of;
  racer_failed("amplitudes", p, c->f32 ? amplitudes_call_f32(p, c) : amplitudes_call_f64(p, c));
}
static double amplitudes_peak(racer *p) {
  const int flops = p->operation == AMPLITUDES_GENERAL ? 8 : p->operation == AMPLITUDES_HALF ? 4 : 2;
  return peak_of(p->name, ((const amplitudes_case *)p->of)->f32, p->threads) / flops;
}

/* The largest error of some q, those at one place of each row of the grid. */
static double amplitudes_error(racer *p) {
  const amplitudes_case *c = (const amplitudes_case *)p->of;
  const int grid = p->operation >= AMPLITUDES_GENERAL && p->operation <= AMPLITUDES_OCTANTS;
  const int shifted = p->operation == AMPLITUDES_GENERAL ? 7 : p->operation == AMPLITUDES_HALF ? 6 : 0;
  double worst = 0;
  amplitudes_call(p);
  for (size_t k = 0; k < 40; k++) {
    const size_t i = grid ? k * 5000 + 7 * k : k * c->nq / 40, side = AMPLITUDES_SIDE;
    const size_t at[3] = {grid ? i % side : i, grid ? i / side % side : i, grid ? i / side / side : i};
    long double re = 0, im = 0, q[3];
    for (int d = 0; d < 3; d++) q[d] = real_at(grid && shifted >> d & 1 ? c->shifted : c->q[grid][d], c->f32, at[d]);
    for (size_t a = 0; a < c->n; a++) {
      long double x = 0;
      for (int d = 0; d < 3; d++) x += q[d] * real_at(c->r[d], c->f32, a);
      re += cosl(x);
      im += sinl(x);
    }
    const double error =
        (double)(hypotl(real_at(c->f, c->f32, 2 * i) - re, real_at(c->f, c->f32, 2 * i + 1) - im) / (long double)c->n);
    if (error > worst) worst = error;
  }
  return worst;
}

static void amplitudes(void) {
  for (int f32 = 1; f32 >= 0; f32--) {
    racer *p = (racer *)calloc(GAUSSIAN_MOST, sizeof *p), *all = (racer *)calloc(GAUSSIAN_MOST, sizeof *all);
    amplitudes_case c = {f32, opt.quick ? 500 : 4000, opt.quick ? 1024 : 4096, {NULL}, {{NULL}}, NULL, NULL, NULL, 0};
    const size_t element = f32 ? 4 : 8, most = (size_t)AMPLITUDES_SIDE * AMPLITUDES_SIDE * AMPLITUDES_SIDE;
    char list[48], grid[48];
    int hws, count = 0;
    snprintf(list, sizeof list, "%zu q %zu", c.n, c.nq);
    snprintf(grid, sizeof grid, "%zu q %dx%dx%d", c.n, AMPLITUDES_SIDE, AMPLITUDES_SIDE, AMPLITUDES_SIDE);
    hws = stencil_skipped("amplitudes", list) && stencil_skipped("amplitudes_grid", grid) ? 0 : racers_open(p, 1, 0);
    if (hws) {
      const int loops = f32 ? naive_amplitudes_f32 != NULL : naive_amplitudes_f64 != NULL;
      c.work_size = (size_t)32 << 20;
      c.work = calloc(c.work_size, 1);
      c.f = calloc(2 * most, element);
      c.shifted = calloc(AMPLITUDES_SIDE, element);
      for (int d = 0; d < 3; d++) {
        c.r[d] = calloc(c.n, element);
        c.q[0][d] = calloc(c.nq, element);
        c.q[1][d] = calloc(AMPLITUDES_SIDE, element);
        for (size_t i = 0; i < c.n; i++) put_real(c.r[d], f32, i, 20 * spread(3 * i + (size_t)d) - 10);
        for (size_t i = 0; i < c.nq; i++) put_real(c.q[0][d], f32, i, 4 * spread(5 * i + (size_t)d) - 2);
        for (size_t i = 0; i < AMPLITUDES_SIDE; i++) {
          put_real(c.q[1][d], f32, i, 0.03125 * (2 * (double)i - AMPLITUDES_SIDE + 1));
          put_real(c.shifted, f32, i, 0.0625 * (double)i);
        }
      }
      for (int h = 0; h < hws; h++)
        for (int kind = 0; kind < AMPLITUDES_LOOP; kind++, count++) {
          all[count] = p[h];
          all[count].operation = kind;
          all[count].ceiling = kind ? amplitudes_peak : NULL;
        }
      if (loops) {
        all[count].operation = AMPLITUDES_LOOP;
        all[count].threads = 1;
        snprintf(all[count++].name, sizeof all->name, "naive loop");
      }
      for (int i = 0; i < count; i++) {
        all[i].of = &c;
        all[i].call = amplitudes_call;
        all[i].units = (double)c.n * (double)(all[i].ceiling ? most : c.nq);
      }
      racers_run(all, count);
      for (int i = 0; i < hws * AMPLITUDES_LOOP; i++) {
        const int has = loops && !all[i].operation;
        racer_line(&all[i], amplitudes_names[all[i].operation], f32, all[i].operation ? grid : list, "G/s",
                   has ? "naive loop" : NULL, has ? all[count - 1].rate[0] : 0, amplitudes_error(&all[i]));
      }
      for (int h = 0; h < hws; h++) convk_close(&p[h].hw);
      for (int d = 0; d < 3; d++) {
        free(c.r[d]);
        free(c.q[0][d]);
        free(c.q[1][d]);
      }
      free(c.shifted);
      free(c.work);
      free(c.f);
    }
    free(all);
    free(p);
  }
}
