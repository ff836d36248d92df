/* Vector mathematics, against glibc's libmvec (plain loops by gcc) and SLEEF's functions of at most 1 ulp for the same
   instruction set, where they are linked.  Rates are in elements; errors in units of the last place, on the arguments that are
   timed.  Beyond the caches a copy of as many bytes is the bound. */
typedef void vmath_f32(size_t, const float *, float *, float *);
typedef void vmath_f64(size_t, const double *, double *, double *);
#define VMATH_EACH_NAME(item, suffix, more) item(exp, suffix, more) item(expm1, suffix, more) item(log, suffix, more) \
    item(sincos, suffix, more)
#define VMATH_PEER(name, suffix, from) \
  extern void from##_##name##_f32##suffix(size_t, const float *, float *, float *) __attribute__((weak)); \
  extern void from##_##name##_f64##suffix(size_t, const double *, double *, double *) __attribute__((weak));
VMATH_EACH_NAME(VMATH_PEER, , naive)
VMATH_EACH_NAME(VMATH_PEER, _sse2, sleef)
VMATH_EACH_NAME(VMATH_PEER, _avx, sleef)
VMATH_EACH_NAME(VMATH_PEER, _avx2, sleef)
VMATH_EACH_NAME(VMATH_PEER, _avx512f, sleef)

typedef int vmath_call_f32(convk *, size_t, const float *, float *);
typedef int vmath_call_f64(convk *, size_t, const double *, double *);

/* Columns: libmvec, then SLEEF by instruction set as in `hardware`. */
#define VMATH_PEERS(name, type) \
  {naive_##name##_##type, NULL, sleef_##name##_##type##_sse2, sleef_##name##_##type##_avx, sleef_##name##_##type##_avx2, \
   sleef_##name##_##type##_avx512f}
static const struct {
  const char *name;
  double low, high; /* of the arguments */
  long double (*reference)(long double), (*second)(long double);
  vmath_call_f32 *call32; /* NULL: sincos */
  vmath_call_f64 *call64;
  vmath_f32 *peer32[6];
  vmath_f64 *peer64[6];
} vmath_operations[] = {
    {"exp", -20, 20, expl, NULL, convk_exp_f32, convk_exp_f64, VMATH_PEERS(exp, f32), VMATH_PEERS(exp, f64)},
    {"expm1", -20, 20, expm1l, NULL, convk_expm1_f32, convk_expm1_f64, VMATH_PEERS(expm1, f32), VMATH_PEERS(expm1, f64)},
    {"log", 1e-9, 100, logl, NULL, convk_log_f32, convk_log_f64, VMATH_PEERS(log, f32), VMATH_PEERS(log, f64)},
    {"sincos", -10, 10, sinl, cosl, NULL, NULL, VMATH_PEERS(sincos, f32), VMATH_PEERS(sincos, f64)},
};

typedef struct {
  char name[24];
  int own, peer; /* peer: column */
  convk hw;
  double rate[ROUNDS], ceiling[ROUNDS], error;
  energy_spent spent;
} vmath_contestant;

typedef struct {
  size_t operation, n;
  int f32;
  void *x, *y, *z;
} vmath_case;

static void vmath_call(vmath_contestant *p, const vmath_case *c) {
  const size_t o = c->operation, n = c->n;
  int status = 0;
  if (c->f32) {
    const float *x = (const float *)c->x;
    float *y = (float *)c->y, *z = (float *)c->z;
    if (!p->own) vmath_operations[o].peer32[p->peer](n, x, y, z);
    else status = vmath_operations[o].call32 ? vmath_operations[o].call32(&p->hw, n, x, y) : convk_sincos_f32(&p->hw, n, x, y, z);
  } else {
    const double *x = (const double *)c->x;
    double *y = (double *)c->y, *z = (double *)c->z;
    if (!p->own) vmath_operations[o].peer64[p->peer](n, x, y, z);
    else status = vmath_operations[o].call64 ? vmath_operations[o].call64(&p->hw, n, x, y) : convk_sincos_f64(&p->hw, n, x, y, z);
  }
  if (status) {
    fprintf(stderr, "bench: %s %s: %s\n", vmath_operations[o].name, p->name, convk_strerror(status));
    exit(1);
  }
}

/* Elements per second: the median of batches of some 20 us, for at least `limit` seconds. */
static double vmath_rate(vmath_contestant *p, const vmath_case *c, double limit) {
  static double time[4096];
  const double begin = seconds();
  const size_t batch = c->n < 65536 ? 65536 / c->n : 1;
  int count = 0;
  do {
    const double t = seconds();
    for (size_t i = 0; i < batch; i++) vmath_call(p, c);
    time[count++] = seconds() - t;
  } while (count < 4096 && seconds() - begin < limit);
  return (double)c->n * (double)batch / median(time, count);
}

static double vmath_ulp(int f32, const void *got, size_t i, long double want) {
  const long double y = f32 ? (long double)((const float *)got)[i] : (long double)((const double *)got)[i];
  int exponent;
  frexpl(want, &exponent);
  return (double)ldexpl(fabsl(y - want), (f32 ? 24 : 53) - exponent); /* no subnormal results here */
}

static double vmath_error(vmath_contestant *p, const vmath_case *c) {
  double worst = 0;
  vmath_call(p, c);
  for (size_t i = 0; i < c->n && i < 1 << 16; i++) {
    const long double x = c->f32 ? (long double)((float *)c->x)[i] : (long double)((double *)c->x)[i];
    double error = vmath_ulp(c->f32, c->y, i, vmath_operations[c->operation].reference(x));
    if (error > worst) worst = error;
    if (!vmath_operations[c->operation].second) continue;
    error = vmath_ulp(c->f32, c->z, i, vmath_operations[c->operation].second(x));
    if (error > worst) worst = error;
  }
  return worst;
}

static void vmath_group(size_t operation, int f32, size_t n) {
  static const char *const sleef[] = {"", "", "sleef sse2", "sleef avx", "sleef avx2", "sleef avx512"};
  const char *name = vmath_operations[operation].name, *type = f32 ? "f32" : "f64";
  const double low = vmath_operations[operation].low, high = vmath_operations[operation].high;
  const size_t element = f32 ? 4 : 8, bytes = n * element + 4096;
  const int streams = vmath_operations[operation].second ? 3 : 2, in_memory = n > 65536;
  vmath_contestant *p;
  vmath_case c;
  char size[24], *memory[3];
  int count = 0, own;
  if (opt.filter && !strstr(name, opt.filter) && !strstr("vmath", opt.filter)) return;
  p = (vmath_contestant *)calloc(MOST, sizeof *p);
  snprintf(size, sizeof size, "%zu", n);
  for (size_t i = 0; i < sizeof hardware / sizeof *hardware; i++) {
    if (!wanted(hardware[i]) || convk_open(&p[count].hw, hardware[i])) continue;
    snprintf(p[count].name, sizeof p->name, "%s", hardware[i]);
    p[count].own = 1;
    p[count++].peer = (int)i + 1;
  }
  own = count;
  for (int k = 0; k < 6; k++) { /* SLEEF where its instruction set takes part */
    int wants = k == 0 && own;
    for (int i = 0; i < own; i++) wants |= p[i].peer == k;
    if (!wants || !(f32 ? vmath_operations[operation].peer32[k] != NULL : vmath_operations[operation].peer64[k] != NULL))
      continue;
    snprintf(p[count].name, sizeof p->name, "%s", k ? sleef[k] : "libmvec");
    p[count++].peer = k;
  }
  for (int i = 0; i < 3; i++) memory[i] = (char *)large_array(bytes);
  c.operation = operation;
  c.n = n;
  c.f32 = f32;
  c.x = memory[0];
  c.y = memory[1] + 1024; /* apart in the page */
  c.z = memory[2] + 2048;
  for (size_t i = 0; i < n; i++) {
    const double v = low + (high - low) * ((double)((i * 2654435761u >> 3) % 1000003) + 0.5) / 1000003;
    if (f32) ((float *)c.x)[i] = (float)v;
    else ((double *)c.x)[i] = v;
  }
  for (int round = -1; round < opt.rounds; round++) /* the first is not counted */
    for (int i = 0; i < count; i++) {
      double rate;
      if (round >= 0 && in_memory)
        p[i].ceiling[round] =
            bandwidth((double *)memory[1], (double *)memory[0], n * element / 8, 1) / (double)((size_t)streams * element);
      const double joules = energy_now(), begin = seconds();
      rate = vmath_rate(&p[i], &c, round < 0 ? 0 : 0.02);
      if (round < 0) continue;
      energy_add(&p[i].spent, begin, joules);
      p[i].rate[round] = rate;
    }
  for (int i = 0; i < count; i++) {
    p[i].rate[0] = median(p[i].rate, opt.rounds);
    if (in_memory) p[i].ceiling[0] = median(p[i].ceiling, opt.rounds);
    p[i].error = vmath_error(&p[i], &c);
  }
  for (int i = 0; i < count; i++) {
    int lines = 0;
    for (int k = own; k < count && i < own; k++) /* the best one also against libmvec, which is for this processor */
      if (p[k].peer == p[i].peer || (!p[k].peer && i == own - 1)) {
        line_spent = &p[i].spent;
        line(name, type, p[i].name, 1, size, p[i].rate[0] * 1e-9, "G/s", p[i].ceiling[0] * 1e-9, in_memory ? "G/s" : NULL,
             p[k].name, p[k].rate[0] * 1e-9, p[i].error);
        lines++;
      }
    if (lines) continue;
    line_spent = &p[i].spent;
    line(name, type, p[i].name, 1, size, p[i].rate[0] * 1e-9, "G/s", p[i].ceiling[0] * 1e-9, in_memory ? "G/s" : NULL, NULL, 0,
         p[i].error);
  }
  for (int i = 0; i < own; i++) convk_close(&p[i].hw);
  for (int i = 0; i < 3; i++) munmap(memory[i], bytes);
  free(p);
}

/* exp with results down to 0 and expm1 of numbers down to the smallest normal one, over ordinary data; and 16 elements, over plain
   loops: by the best hardware. */
static void vmath_special(size_t operation, int f32) {
  const char *name = vmath_operations[operation].name, *type = f32 ? "f32" : "f64";
  const size_t n = 4096, few = 16, element = f32 ? 4 : 8;
  vmath_contestant p, peer;
  vmath_case c[3];
  double rate[4][ROUNDS];
  int have = 0;
  if (opt.filter && !strstr(name, opt.filter) && !strstr("vmath", opt.filter)) return;
  memset(&p, 0, sizeof p);
  memset(&peer, 0, sizeof peer);
  for (size_t i = sizeof hardware / sizeof *hardware; i-- && !have;)
    if (wanted(hardware[i]) && !convk_open(&p.hw, hardware[i])) {
      have = p.own = 1;
      snprintf(p.name, sizeof p.name, "%s", hardware[i]);
    }
  if (!have) return;
  for (int of = 0; of < 3; of++) {
    c[of].operation = operation;
    c[of].f32 = f32;
    c[of].n = of == 2 ? few : n;
    c[of].x = large_array(n * element);
    c[of].y = (char *)large_array(n * element + 4096) + 1024;
    c[of].z = (char *)large_array(n * element + 4096) + 2048;
    for (size_t i = 0; i < n; i++) {
      const double unit = ((double)((i * 2654435761u >> 3) % 1000003) + 0.5) / 1000003;
      double x = vmath_operations[operation].low + (vmath_operations[operation].high - vmath_operations[operation].low) * unit;
      if (of == 1) x = operation ? exp((f32 ? -87 : -708) * unit) : (f32 ? -110 : -760) * unit;
      if (f32) ((float *)c[of].x)[i] = (float)x;
      else ((double *)c[of].x)[i] = x;
    }
  }
  for (int round = -1; round < opt.rounds; round++)
    for (int of = 0; of < 4; of++) {
      double got = 0;
      if (of < 3) got = vmath_rate(&p, &c[of], round < 0 ? 0 : 0.01);
      else if (vmath_operations[operation].peer32[0]) got = vmath_rate(&peer, &c[2], round < 0 ? 0 : 0.01);
      if (round >= 0) rate[of][round] = got;
    }
  for (int of = 0; of < 4; of++) rate[of][0] = median(rate[of], opt.rounds) * 1e-9;
  if (operation < 2) line(name, type, p.name, 1, "4096 decaying", rate[1][0], "G/s", 0, NULL, "ordinary data", rate[0][0], -1);
  line(name, type, p.name, 1, "16", rate[2][0], "G/s", 0, NULL, rate[3][0] > 0 ? "libmvec" : NULL, rate[3][0], -1);
  for (int of = 0; of < 3; of++) {
    munmap(c[of].x, n * element);
    munmap((char *)c[of].y - 1024, n * element + 4096);
    munmap((char *)c[of].z - 2048, n * element + 4096);
  }
  convk_close(&p.hw);
}

static void vmath(void) {
  for (size_t operation = 0; operation < sizeof vmath_operations / sizeof *vmath_operations; operation++)
    for (int f32 = 1; f32 >= 0; f32--) {
      vmath_group(operation, f32, 4096);
      vmath_special(operation, f32);
      if (!opt.quick) vmath_group(operation, f32, (size_t)1 << 24);
    }
}
