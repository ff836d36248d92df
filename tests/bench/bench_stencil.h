/* The 7-point stencil, isotropic, fixed faces.  Sizes are those of the points that change.  A contestant's bound in memory is what
   a copy past the caches allows at 16 (f32: 8) bytes per update, or its own rate in the cache times the threads. */
#define STENCIL_LIST(item) item(gcc) item(clang)
#define STENCIL_DECLARE(cc) \
  extern void naive_stencil_f32_##cc(const float *, float *, size_t, size_t, size_t, size_t, size_t, size_t, float, float) \
      __attribute__((weak)); \
  extern void naive_stencil_f64_##cc(const double *, double *, size_t, size_t, size_t, size_t, size_t, size_t, double, double) \
      __attribute__((weak));
STENCIL_LIST(STENCIL_DECLARE)

enum { PADDED, PACKED, SMALL_PAGES }; /* how arrays lie */

typedef struct {
  int f32, threads;
  convk_grid3 grid;
  size_t steps;
  char *a, *b, *memory[2];
  size_t bytes, mapped;
  void *work;
  size_t work_size;
} stencil_case;

typedef struct {
  const char *name;
  convk hw;
  void (*naive64)(const double *, double *, size_t, size_t, size_t, size_t, size_t, size_t, double, double);
  void (*naive32)(const float *, float *, size_t, size_t, size_t, size_t, size_t, size_t, float, float);
  double rate[ROUNDS], ceiling[ROUNDS];
  energy_spent spent;
} stencil_contestant;

#define STENCIL_COPY ((size_t)256 << 20) /* bytes of the copy that is a ceiling */
static double *stencil_copy[2];
static const int stencil_fixed[3] = {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED};

/* Two arrays whose first point that changes begins a line, 8 lines apart in the page. */
static stencil_case stencil_arrays(int f32, size_t nx, size_t ny, size_t nz, size_t steps, int threads, int layout) {
  const size_t element = f32 ? 4 : 8;
  stencil_case c;
  memset(&c, 0, sizeof c);
  c.f32 = f32;
  c.threads = threads;
  c.steps = steps;
  c.grid = convk_grid3_padded(nx + 2, ny + 2, nz + 2, element);
  if (layout == PACKED) {
    c.grid.pitch_y = nx + 2;
    c.grid.pitch_z = (nx + 2) * (ny + 2);
  }
  c.bytes = c.grid.pitch_z * (nz + 2) * element;
  c.mapped = c.bytes + 4096;
  for (int i = 0; i < 2; i++) {
    c.memory[i] = (char *)large_array(c.mapped);
    if (layout == SMALL_PAGES) {
      munmap(c.memory[i], c.mapped);
      c.memory[i] = (char *)mmap(NULL, c.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      madvise(c.memory[i], c.mapped, MADV_NOHUGEPAGE);
    }
  }
  c.a = c.memory[0] + 64 - element;
  c.b = c.memory[1] + 64 - element + 512;
  for (size_t i = 0; i < c.bytes / element; i++) {
    const double v = (double)((i * 2654435761u >> 7) % 20011) / 20011;
    if (f32) ((float *)c.a)[i] = ((float *)c.b)[i] = (float)v;
    else ((double *)c.a)[i] = ((double *)c.b)[i] = v;
  }
  return c;
}

static void stencil_free(stencil_case *c) {
  for (int i = 0; i < 2; i++) munmap(c->memory[i], c->mapped);
  if (c->work) munmap(c->work, c->work_size);
}

typedef struct {
  stencil_contestant *p;
  const stencil_case *c;
  int back;
} naive_job;

static void naive_task(void *arg, size_t i) {
  const naive_job *job = (const naive_job *)arg;
  const stencil_case *c = job->c;
  const convk_grid3 *g = &c->grid;
  const size_t n = g->nz - 2, t = (size_t)c->threads, z0 = 1 + n * i / t, z1 = 1 + n * (i + 1) / t;
  const char *a = job->back ? c->b : c->a;
  char *b = job->back ? c->a : c->b;
  if (c->f32) job->p->naive32((const float *)a, (float *)b, g->nx, g->ny, z0, z1, g->pitch_y, g->pitch_z, 0.4f, 0.1f);
  else job->p->naive64((const double *)a, (double *)b, g->nx, g->ny, z0, z1, g->pitch_y, g->pitch_z, 0.4, 0.1);
}

static convk_stencil7_shape stencil_shape(const stencil_case *c) {
  const convk_stencil7_shape shape = {c->grid, {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED}};
  return shape;
}

/* One call: all the steps, or one sweep of a naive contestant. */
static void stencil_call(stencil_contestant *p, stencil_case *c, int turn) {
  const convk_stencil7_shape shape = stencil_shape(c);
  int status;
  if (p->naive64) {
    naive_job job = {p, c, turn % 2};
    on_threads(c->threads, naive_task, &job);
    return;
  }
  if (c->f32) {
    const convk_stencil7_coefficients_f32 w = convk_stencil7_isotropic_f32(0.4f, 0.1f);
    float *r;
    status = convk_stencil7_f32(&p->hw, &shape, &w, c->steps, (float *)(turn % 2 ? c->b : c->a),
                                (float *)(turn % 2 ? c->a : c->b), &r, c->work, c->work_size);
  } else {
    const convk_stencil7_coefficients_f64 w = convk_stencil7_isotropic_f64(0.4, 0.1);
    double *r;
    status = convk_stencil7_f64(&p->hw, &shape, &w, c->steps, (double *)(turn % 2 ? c->b : c->a),
                                (double *)(turn % 2 ? c->a : c->b), &r, c->work, c->work_size);
  }
  if (status) {
    fprintf(stderr, "bench: stencil7 %s: %s\n", p->name, convk_strerror(status));
    exit(1);
  }
}

/* Updates per second: the median of the calls of at least `limit` seconds; short ones are timed by the hundred. */
static double stencil_rate(stencil_contestant *p, stencil_case *c, double limit) {
  static double time[4096];
  const double points = (double)(c->grid.nx - 2) * (double)(c->grid.ny - 2) * (double)(c->grid.nz - 2);
  const double begin = seconds();
  const int together = points * (double)c->steps < 1e4 ? 100 : 1;
  int calls = 0;
  do {
    const double t = seconds();
    for (int i = 0; i < together; i++) stencil_call(p, c, calls + i);
    time[calls++] = (seconds() - t) / together;
  } while (calls < 4096 && seconds() - begin < limit);
  return points * (double)(p->naive64 ? 1 : c->steps) / median(time, calls);
}

static void stencil_work(stencil_case *c, stencil_contestant *p) {
  const convk_stencil7_shape shape = stencil_shape(c);
  size_t need = 0;
  if (c->f32 ? convk_stencil7_work_size_f32(&p->hw, &shape, c->steps, &need)
             : convk_stencil7_work_size_f64(&p->hw, &shape, c->steps, &need))
    exit(1);
  if (need <= c->work_size) return;
  if (c->work) munmap(c->work, c->work_size);
  c->work = large_array(need);
  c->work_size = need;
}

/* The largest error of one sweep at some points, against long double. */
static double stencil_error(stencil_contestant *p, stencil_case *c) {
  const convk_grid3 *g = &c->grid;
  double worst = 0;
  if (c->steps > 1) return -1;
  stencil_call(p, c, 0);
  for (unsigned s = 0; s < 200; s++) {
    const size_t x = 1 + (size_t)(s * 2654435761u >> 5) % (g->nx - 2), y = 1 + (size_t)(s * 2654435761u >> 9) % (g->ny - 2);
    const size_t z = 1 + (size_t)(s * 2654435761u >> 13) % (g->nz - 2), at = x + y * g->pitch_y + z * g->pitch_z;
    const ptrdiff_t near[7] = {
        0, 1, -1, (ptrdiff_t)g->pitch_y, -(ptrdiff_t)g->pitch_y, (ptrdiff_t)g->pitch_z, -(ptrdiff_t)g->pitch_z};
    long double sum = 0, got;
    for (int k = 0; k < 7; k++) {
      const size_t from = (size_t)((ptrdiff_t)at + near[k]);
      const long double v = c->f32 ? (long double)((float *)c->a)[from] : (long double)((double *)c->a)[from];
      sum += v * (c->f32 ? (long double)(k ? 0.1f : 0.4f) : (long double)(k ? 0.1 : 0.4));
    }
    got = c->f32 ? (long double)((float *)c->b)[at] : (long double)((double *)c->b)[at];
    if ((double)fabsl(got - sum) > worst) worst = (double)fabsl(got - sum);
  }
  return worst;
}

static int stencil_open(stencil_contestant *p, const char *name, int threads) {
  memset(p, 0, sizeof *p);
  if (!wanted(name) || convk_open(&p->hw, name)) return 0;
  p->name = name;
  p->hw.parallel.threads = threads;
  p->hw.parallel.run = threads > 1 ? pool_run : NULL;
  return 1;
}

static int stencil_skipped(const char *operation, const char *size) {
  return opt.filter && !strstr(operation, opt.filter) && !strstr(size, opt.filter);
}

/* All hardware (or the best, where `best`) and plain loops on one size, in turns. */
static void stencil_group(const char *operation, int f32, size_t nx, size_t ny, size_t nz, size_t steps, int threads,
                          int layout, int best, int in_memory) {
  stencil_contestant *p = (stencil_contestant *)calloc(MOST, sizeof *p);
  const char *type = f32 ? "f32" : "f64";
  stencil_case c, in_cache;
  char size[48];
  int count = 0, own, naive = -1;
  snprintf(size, sizeof size, "%zux%zux%zu", nx, ny, nz);
  for (size_t i = 0; i < sizeof hardware / sizeof *hardware && !stencil_skipped(operation, size); i++)
    if (stencil_open(&p[count], hardware[i], threads)) count++;
  if (best && count > 1) {
    p[0] = p[count - 1];
    count = 1;
  }
  own = count;
  if (!own) {
    free(p);
    return;
  }
#define STENCIL_ADD(cc) \
  if (naive_stencil_f64_##cc) { \
    p[count].name = "naive loops " #cc; \
    p[count].naive64 = naive_stencil_f64_##cc; \
    p[count++].naive32 = naive_stencil_f32_##cc; \
  }
  STENCIL_LIST(STENCIL_ADD)
  c = stencil_arrays(f32, nx, ny, nz, steps, threads, layout);
  in_cache = stencil_arrays(f32, 48, 48, 48, 1, 1, PADDED);
  for (int i = 0; i < own; i++) {
    stencil_work(&c, &p[i]);
    stencil_work(&in_cache, &p[i]);
  }
  for (int round = -1; round < opt.rounds; round++) /* the first is not counted */
    for (int i = 0; i < count; i++) {
      const double limit = round < 0 ? 0 : 0.03;
      if (round >= 0 && i < own && in_memory) {
        const double copy = bandwidth(stencil_copy[0], stencil_copy[1], STENCIL_COPY / 8, threads) / (f32 ? 8 : 16);
        stencil_contestant one = p[i];
        one.hw.parallel.threads = 1;
        p[i].ceiling[round] = threads * stencil_rate(&one, &in_cache, 0.005);
        if (copy < p[i].ceiling[round]) p[i].ceiling[round] = copy;
      }
      const double joules = energy_now(), begin = seconds(), rate = stencil_rate(&p[i], &c, limit);
      if (round < 0) continue;
      energy_add(&p[i].spent, begin, joules);
      p[i].rate[round] = rate;
    }
  for (int i = 0; i < count; i++) {
    p[i].rate[0] = median(p[i].rate, opt.rounds);
    if (i < own && in_memory) p[i].ceiling[0] = median(p[i].ceiling, opt.rounds);
    if (i >= own && (naive < 0 || strstr(p[i].name, "gcc"))) naive = i;
  }
  for (int i = 0; i < count; i++) {
    line_spent = &p[i].spent;
    line(operation, type, p[i].name, threads, size, p[i].rate[0] * 1e-9, "GLUP/s", p[i].ceiling[0] * 1e-9,
         i < own && in_memory ? "GLUP/s" : NULL, i < own && naive >= 0 ? p[naive].name : NULL,
         naive >= 0 ? p[naive].rate[0] * 1e-9 : 0, i < own ? stencil_error(&p[i], &c) : -1);
  }
  for (int i = 0; i < own; i++) convk_close(&p[i].hw);
  stencil_free(&c);
  stencil_free(&in_cache);
  free(p);
}

/* One switch of Datta et al. (2009) after the other, against the defaults: f64, best hardware, all threads. */
static void stencil_switches(size_t nx, size_t ny, size_t nz) {
  enum { SWITCHES = 20 };
  static const char *const best[] = {"avx512", "avx2", "avx", "sse2", "scalar"};
  stencil_contestant *p = (stencil_contestant *)calloc(SWITCHES, sizeof *p);
  const char *label[SWITCHES];
  stencil_case c[SWITCHES], *of[SWITCHES];
  int count = 0, cases = 0;
  char size[48], text[64];
  snprintf(size, sizeof size, "%zux%zux%zu", nx, ny, nz);
  if (stencil_skipped("stencil7_switch", size)) {
    free(p);
    return;
  }
  for (int many = 0; many < 2; many++) {
    const int first = count;
    stencil_case *mine = &c[cases++];
    *mine = stencil_arrays(0, nx, ny, nz, many ? 24 : 1, opt.threads, PADDED);
#define SWITCH(name, setting) \
  do { \
    size_t h = 0; \
    while (h < 5 && !stencil_open(&p[count], best[h], opt.threads)) h++; \
    label[count] = name; \
    of[count] = mine; \
    { \
      convk_tuning *t = &p[count].hw.tuning; \
      setting; \
      (void)t; \
    } \
    stencil_work(mine, &p[count]); \
    count++; \
  } while (0)
    if (!many) {
      SWITCH("defaults", (void)0);
      SWITCH("register block of 1 plane", t->stencil_planes = 1);
      SWITCH("register block of 2 planes", t->stencil_planes = 2);
      SWITCH("core block of 16 rows", t->stencil_rows = 16);
      SWITCH("core block of 64 rows", t->stencil_rows = 64);
      SWITCH("core block of all rows", t->stencil_rows = ny);
      if (opt.threads > 1) SWITCH("thread block: threads side by side in y", t->stencil_threads_y = (size_t)opt.threads);
      SWITCH("no prefetch", t->stencil_prefetch = -1);
      SWITCH("prefetch 64 elements", t->stencil_prefetch = 64);
      SWITCH("no cache bypass", t->nontemporal = -1);
      if (stencil_open(&p[count], "scalar", opt.threads)) {
        label[count] = "no SIMD";
        of[count++] = mine;
      }
      mine = &c[cases++];
      *mine = stencil_arrays(0, nx, ny, nz, 1, opt.threads, PACKED);
      SWITCH("no padding", (void)0);
      mine = &c[cases++];
      *mine = stencil_arrays(0, nx, ny, nz, 1, opt.threads, SMALL_PAGES);
      SWITCH("4K pages", (void)0);
      mine = &c[cases++];
      *mine = stencil_arrays(0, nx, ny, nz, 1, opt.threads, PADDED);
      for (int i = 0; i < 2; i++) { /* fresh pages, written first by the threads that will use them */
        const size_t offset = (size_t)((i ? mine->b : mine->a) - mine->memory[i]);
        madvise(mine->memory[i], mine->mapped, MADV_DONTNEED);
        convk_first_touch(&p[0].hw, &mine->grid, 8, mine->memory[i] + offset);
      }
      SWITCH("first touch by the threads", (void)0);
    } else {
      SWITCH("24 steps: defaults", (void)0);
      SWITCH("24 steps: no queue of planes", t->stencil_steps = 1);
      SWITCH("24 steps: queue of 2 steps", t->stencil_steps = 2);
      SWITCH("24 steps: queue of 4 steps", t->stencil_steps = 4);
      SWITCH("24 steps: no cache bypass", t->nontemporal = -1);
    }
    for (int round = -1; round < opt.rounds; round++)
      for (int i = first; i < count; i++) {
        const double joules = energy_now(), begin = seconds(), rate = stencil_rate(&p[i], of[i], round < 0 ? 0 : 0.03);
        if (round < 0) continue;
        energy_add(&p[i].spent, begin, joules);
        p[i].rate[round] = rate;
      }
    for (int i = first; i < count; i++) p[i].rate[0] = median(p[i].rate, opt.rounds);
    for (int i = first; i < count; i++) {
      snprintf(text, sizeof text, "stencil7_switch: %s", label[i]);
      line_spent = &p[i].spent;
      line(text, "f64", p[i].hw.name, opt.threads, size, p[i].rate[0] * 1e-9, "GLUP/s", 0, NULL, i > first ? "defaults" : NULL,
           p[first].rate[0] * 1e-9, -1);
    }
  }
  for (int i = 0; i < cases; i++) stencil_free(&c[i]);
  free(p);
}

/* Decay from the middle of the grid, as a wave function does: exp(-r), which leaves the normal numbers at the faces. */
static void stencil_decay(stencil_case *c) {
  const convk_grid3 *g = &c->grid;
  const double rate = c->f32 ? 95 : 726;
  for (size_t z = 0; z < g->nz; z++)
    for (size_t y = 0; y < g->ny; y++)
      for (size_t x = 0; x < g->nx; x++) {
        const double dx = 2.0 * (double)x / (double)g->nx - 1, dy = 2.0 * (double)y / (double)g->ny - 1;
        const double dz = 2.0 * (double)z / (double)g->nz - 1, v = exp(-rate * sqrt(dx * dx + dy * dy + dz * dz));
        const size_t at = x + y * g->pitch_y + z * g->pitch_z;
        if (c->f32) ((float *)c->a)[at] = ((float *)c->b)[at] = (float)v;
        else ((double *)c->a)[at] = ((double *)c->b)[at] = v;
      }
}

/* Ways of the best hardware, in turns: many steps in one pass over memory against single sweeps; or decaying data, as they are and
   flushed, against ordinary data. */
static void stencil_ways(const char *operation, int f32, size_t nx, size_t ny, size_t nz, size_t steps, int threads,
                         int decaying) {
  static const char *const ends[] = {"", " decaying", " decaying, flushed"};
  const int ways = decaying ? 3 : 2, cases = decaying ? 2 : 1;
  stencil_contestant p[3];
  stencil_case c[2];
  char size[64];
  size_t h = sizeof hardware / sizeof *hardware;
  snprintf(size, sizeof size, "%zux%zux%zu%s", nx, ny, nz, ends[decaying]);
  if (stencil_skipped(operation, size)) return;
  while (h && !stencil_open(&p[0], hardware[h - 1], threads)) h--;
  if (!h) return;
  for (int i = 1; i < ways; i++) p[i] = p[0];
  if (decaying) p[2].hw.flush_subnormals = 1;
  else p[0].hw.tuning.stencil_steps = 1;
  for (int i = 0; i < cases; i++) c[i] = stencil_arrays(f32, nx, ny, nz, steps, threads, PADDED);
  if (decaying) stencil_decay(&c[1]);
  for (int i = 0; i < ways; i++) stencil_work(&c[i && decaying], &p[i]);
  for (int round = -1; round < opt.rounds; round++)
    for (int i = 0; i < ways; i++) {
      const double joules = energy_now(), begin = seconds(),
                   rate = stencil_rate(&p[i], &c[i && decaying], round < 0 ? 0 : 0.03);
      if (round < 0) continue;
      energy_add(&p[i].spent, begin, joules);
      p[i].rate[round] = rate;
    }
  for (int i = 1; i < ways; i++) {
    snprintf(size, sizeof size, "%zux%zux%zu%s", nx, ny, nz, ends[decaying * i]);
    line_spent = &p[i].spent;
    line(operation, f32 ? "f32" : "f64", p[0].name, threads, size, median(p[i].rate, opt.rounds) * 1e-9, "GLUP/s", 0, NULL,
         decaying ? "ordinary data" : "single sweeps", median(p[0].rate, opt.rounds) * 1e-9, -1);
  }
  for (int i = 0; i < cases; i++) stencil_free(&c[i]);
  convk_close(&p[0].hw);
}

/* How far the defaults are from what the tuner finds: both in turns, once it has chosen.  Its own gain is that of the best of many
   trials, and so of a lucky one. */
static void stencil_tuned(int f32, size_t nx, size_t ny, size_t nz, size_t steps) {
  stencil_contestant p[2];
  stencil_case c;
  convk_tune_shape shape;
  convk_tuned entry;
  char size[48], text[256];
  size_t h = sizeof hardware / sizeof *hardware, length;
  int status;
  snprintf(size, sizeof size, "%zux%zux%zu", nx, ny, nz);
  if (stencil_skipped("stencil7_tuned", size)) return;
  while (h && !stencil_open(&p[0], hardware[h - 1], opt.threads)) h--;
  if (!h) return;
  memset(&shape, 0, sizeof shape);
  shape.grid = convk_grid3_padded(nx + 2, ny + 2, nz + 2, f32 ? 4 : 8);
  memcpy(shape.boundary, stencil_fixed, sizeof stencil_fixed);
  shape.steps = steps;
  status = convk_tune(&p[0].hw, f32 ? "stencil7_f32" : "stencil7_f64", &shape, 2000, &entry);
  if (status) fprintf(stderr, "bench: convk_tune: %s\n", convk_strerror(status));
  else {
    p[1] = p[0];
    p[1].hw.tuned = &entry;
    p[1].hw.ntuned = 1;
    c = stencil_arrays(f32, nx, ny, nz, steps, opt.threads, PADDED);
    for (int i = 0; i < 2; i++) stencil_work(&c, &p[i]);
    for (int round = -1; round < opt.rounds; round++)
      for (int i = 0; i < 2; i++) {
        const double rate = stencil_rate(&p[i], &c, round < 0 ? 0 : 0.03);
        if (round >= 0) p[i].rate[round] = rate;
      }
    line(steps > 1 ? "stencil7_tuned: 24 steps" : "stencil7_tuned: 1 step", f32 ? "f32" : "f64", p[0].name, opt.threads, size,
         median(p[0].rate, opt.rounds) * 1e-9, "GLUP/s", 0, NULL, "tuned", median(p[1].rate, opt.rounds) * 1e-9, -1);
    if (!convk_tuned_write(NULL, &entry, 1, text, sizeof text, &length)) printf("  %s", text);
    stencil_free(&c);
  }
  convk_close(&p[0].hw);
}

static void stencil(void) {
  static const size_t shapes[][3] = {{48, 48, 48},   {96, 96, 96},   {160, 160, 160}, {256, 256, 256},
                                     {512, 512, 64}, {1024, 64, 64}, {64, 64, 1024},  {300, 200, 100}};
  const int all = opt.threads;
  for (int i = 0; i < 2 && !opt.quick; i++) stencil_copy[i] = (double *)large_array(STENCIL_COPY);
  for (int f32 = 0; f32 < 2; f32++) {
    stencil_group("stencil7", f32, 10, 10, 10, 1, 1, PADDED, 0, 0);
    stencil_group("stencil7", f32, 48, 48, 48, 1, 1, PADDED, 0, 0);
    stencil_ways("stencil7", f32, 48, 48, 48, 1, 1, 1);
    if (opt.quick) continue;
    stencil_group("stencil7", f32, 256, 256, 256, 1, 1, PADDED, 0, 1);
    stencil_group("stencil7_steps", f32, 256, 256, 256, 64, 1, PADDED, f32, 1);
    if (all > 1) {
      stencil_group("stencil7", f32, 256, 256, 256, 1, all, PADDED, 1, 1);
      stencil_group("stencil7_steps", f32, 256, 256, 256, 64, all, PADDED, 1, 1);
    }
    stencil_group("stencil7", f32, 512, 512, 256, 1, all, PADDED, 1, 1);
    stencil_group("stencil7_steps", f32, 512, 512, 256, 64, all, PADDED, 1, 1);
    stencil_ways("stencil7_steps: over single sweeps", f32, 256, 256, 256, 64, all, 0);
    stencil_ways("stencil7_steps: over single sweeps", f32, 512, 512, 256, 64, all, 0);
  }
  if (opt.quick) return;
  stencil_switches(256, 256, 256);
  stencil_switches(512, 512, 256);
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int k = 0; k < 4; k++) stencil_tuned(k % 2, shapes[i][0], shapes[i][1], shapes[i][2], k < 2 ? 1 : 24);
}
