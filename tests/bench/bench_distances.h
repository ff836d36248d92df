/* Histograms of distances, in pairs per second, and Debye's sum over their bins, in bins times q, against plain loops by gcc, which
   count alone, and take the middles of bins.  One thread.  Errors: of counts, how many pairs the histogram lacks; of intensities,
   of moments against the sum over pairs, over I(0). */
#define DISTANCES_PEER(type, T) \
  extern void naive_distances_##type(size_t, const T *, const T *, const T *, T, uint32_t *) __attribute__((weak)); \
  extern void naive_debye_##type(size_t, T, const uint32_t *, size_t, const T *, T *) __attribute__((weak));
DISTANCES_PEER(f32, float)
DISTANCES_PEER(f64, double)

enum {
  DISTANCES_COUNTS,
  DISTANCES_MEAN,
  DISTANCES_BOTH,
  DISTANCES_DEBYE,
  DISTANCES_DIRECT,
  DISTANCES_LOOP,
  DISTANCES_SUM,
  DISTANCES_KINDS
};
static const char *const distances_names[] = {"pair_histogram: counts", "pair_histogram", "pair_histogram: both", "debye",
                                              "debye_direct"};

typedef struct distances_case {
  int f32;
  size_t n, few, nq;
  convk_distances to; /* with room for both moments */
  uint32_t *count;
  void *x[3], *q, *out, *work;
  size_t work_size;
} distances_case;

#define DISTANCES_CALL(type, T) \
  static int distances_call_##type(racer *p, const distances_case *c) { \
    const T *const x = (const T *)c->x[0], *const y = (const T *)c->x[1], *const z = (const T *)c->x[2]; \
    convk_atoms_##type a = {c->n, 0, 0, x, y, z, NULL, NULL}; \
    convk_distances to = c->to; \
    if (p->operation == DISTANCES_LOOP) { \
      naive_distances_##type(c->n, x, y, z, (T)(1 / to.width), c->count); \
      return 0; \
    } \
    if (p->operation == DISTANCES_SUM) { \
      naive_debye_##type(to.bins, (T)to.width, c->count, c->nq, (const T *)c->q, (T *)c->out); \
      return 0; \
    } \
    to.moments = p->operation < DISTANCES_DEBYE ? p->operation : 2; \
    if (p->operation == DISTANCES_DEBYE) \
      return convk_debye_##type(&(p)->hw, &to, NULL, NULL, c->nq, (const T *)c->q, (T *)c->out, NULL); \
    a.n = p->operation == DISTANCES_DIRECT ? c->few : c->n; \
    if (p->operation == DISTANCES_DIRECT) \
      return convk_debye_direct_##type(&(p)->hw, &a, 1, NULL, c->nq, (const T *)c->q, (T *)c->out, NULL, 0); \
    return convk_pair_histogram_##type(&(p)->hw, &a, NULL, NULL, &to, c->work, c->work_size); \
  } \
  static size_t distances_work_##type(convk *hw, const distances_case *c) { \
    convk_atoms_##type a = {c->n, 0, 0, NULL, NULL, NULL, NULL, NULL}; \
    size_t bytes = 0; \
    racer_failed("pair_histogram", &(racer){.name = "work"}, convk_pair_histogram_work_size_##type(hw, &a, &c->to, &bytes)); \
    return bytes; \
  }
DISTANCES_CALL(f32, float)
DISTANCES_CALL(f64, double)

static void distances_call(racer *p) {
  const distances_case *c = (const distances_case *)p->of;
  racer_failed("distances", p, c->f32 ? distances_call_f32(p, c) : distances_call_f64(p, c));
}

/* The share of pairs that are in no bin. */
static double distances_error(racer *p) {
  const distances_case *c = (const distances_case *)p->of;
  const uint64_t all = (uint64_t)c->n * (c->n - 1) / 2;
  uint64_t sum = 0;
  memset(c->to.count, 0, c->to.bins * sizeof *c->to.count);
  distances_call(p);
  for (size_t k = 0; k < c->to.bins; k++) sum += c->to.count[k];
  return (double)(sum > all ? sum - all : all - sum) / (double)all;
}

static void distances(void) {
  for (int f32 = 1; f32 >= 0; f32--) {
    racer *p = (racer *)calloc(GAUSSIAN_MOST, sizeof *p), *all = (racer *)calloc(GAUSSIAN_MOST, sizeof *all);
    distances_case c = {
        f32, opt.quick ? 2000 : 20000, opt.quick ? 200 : 500, opt.quick ? 64 : 580, {0}, NULL, {NULL}, NULL, NULL, NULL, 0};
    const double side = cbrt((double)c.n / 0.625);
    char size[48];
    int hws, count = 0;
    snprintf(size, sizeof size, "%zu", c.n);
    hws = stencil_skipped(distances_names[1], size) && stencil_skipped("debye", size) ? 0 : racers_open(p, 1, 0);
    if (hws) {
      const int loops = f32 ? naive_distances_f32 != NULL : naive_distances_f64 != NULL;
      const size_t element = f32 ? 4 : 8;
      c.to.width = 0.01;
      c.to.moments = 2;
      c.to.bins = (size_t)(side * 1.7321 / c.to.width) + 2;
      c.to.count = (uint64_t *)calloc(c.to.bins, sizeof(uint64_t));
      c.to.moment[0] = (uint64_t *)calloc(c.to.bins, sizeof(uint64_t));
      c.to.moment[1] = (uint64_t *)calloc(2 * c.to.bins, sizeof(uint64_t));
      c.count = (uint32_t *)calloc(c.to.bins, sizeof *c.count);
      for (size_t d = 0; d < 5; d++) {
        const size_t n = d < 3 ? c.n : c.nq;
        void *const array = calloc(n, element);
        for (size_t i = 0; i < n; i++) {
          const double v = d < 3 ? side * (0.5 + 0.5 * spread(3 * i + d)) : 0.05 * (double)(i + 1);
          if (f32) ((float *)array)[i] = (float)v;
          else ((double *)array)[i] = v;
        }
        *(d < 3 ? &c.x[d] : d == 3 ? &c.q : &c.out) = array;
      }
      c.work_size = f32 ? distances_work_f32(&p[0].hw, &c) : distances_work_f64(&p[0].hw, &c);
      c.work = malloc(c.work_size);
      for (int h = 0; h < hws; h++)
        for (int kind = 0; kind <= DISTANCES_DIRECT; kind++, count++) {
          all[count] = p[h];
          all[count].operation = kind;
        }
      for (int kind = DISTANCES_LOOP; kind < DISTANCES_KINDS && loops; kind++, count++) {
        all[count].operation = kind;
        all[count].threads = 1;
        snprintf(all[count].name, sizeof all->name, "naive loop");
      }
      for (int i = 0; i < count; i++) {
        const int kind = all[i].operation;
        all[i].of = &c;
        all[i].call = distances_call;
        all[i].units = kind == DISTANCES_DEBYE || kind == DISTANCES_SUM ? (double)c.to.bins * (double)c.nq
                       : kind == DISTANCES_DIRECT ? 0.5 * (double)c.few * (double)(c.few - 1) * (double)c.nq
                                                  : 0.5 * (double)c.n * (double)(c.n - 1);
      }
      racers_run(all, count);
      for (int i = 0; i < hws * (DISTANCES_DIRECT + 1); i++) {
        const int kind = all[i].operation, peer = kind < DISTANCES_DEBYE ? count - 2 : kind == DISTANCES_DEBYE ? count - 1 : -1;
        const int has = loops && peer >= 0;
        racer_line(&all[i], distances_names[kind], f32, size, "G/s", has ? "naive loop" : NULL, has ? all[peer].rate[0] : 0,
                   kind < DISTANCES_DEBYE ? distances_error(&all[i]) : -1);
      }
      for (int h = 0; h < hws; h++) convk_close(&p[h].hw);
      free(c.work);
    }
    free(all);
    free(p);
  }
}
