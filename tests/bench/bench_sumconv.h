/* Sums of filters along the axes: kinetic operators and Laplacians. */

#define NAIVE_SUMS(item) item(sum_4, gcc) item(sum_14, gcc) item(sum_4, clang) item(sum_14, clang)
NAIVE_SUMS(NAIVE_DECLARE)

typedef struct {
  convk_sumconv3d_shape shape;
  double taps64[CONVK_DERIVATIVE_TAPS];
  float taps32[CONVK_DERIVATIVE_TAPS];
  convk_sumconv_terms_f64 terms64;
  convk_sumconv_terms_f32 terms32;
  convk_sumconv_sums sums;
  int kind, sums_too; /* 0: f64, 1: f32, 2: c64 */
  void *x, *y, *work;
  size_t work_size;
} sumconv_case;

static int sumconv_run(convk *hw, sumconv_case *c) {
  convk_sumconv_sums *const sums = c->sums_too ? &c->sums : NULL;
  if (c->kind == 1)
    return convk_sumconv3d_f32(hw, &c->shape, &c->terms32, (const float *)c->x, (float *)c->y, sums, c->work, c->work_size);
  if (c->kind == 2)
    return convk_sumconv3d_c64(hw, &c->shape, &c->terms64, (const double *)c->x, (double *)c->y, sums, c->work, c->work_size);
  return convk_sumconv3d_f64(hw, &c->shape, &c->terms64, (const double *)c->x, (double *)c->y, sums, c->work, c->work_size);
}

/* The largest error of some points, over the sum of |taps| of three axes; of the real part. */
static double sumconv_error(const sumconv_case *c) {
  const size_t n[3] = {c->shape.in.nx, c->shape.in.ny, c->shape.in.nz}, step = c->kind == 2 ? 2 : 1;
  const int reach = c->terms64.filter[0].up;
  double worst = 0;
  for (size_t i = 0; i < 300; i++) {
    const size_t at[3] = {i * 7 % n[0], i * 5 % n[1], i * 11 % n[2]};
    long double sum = 0, size = 0;
    for (int d = 0; d < 3; d++)
      for (int k = -reach; k <= reach; k++) {
        size_t p[3] = {at[0], at[1], at[2]};
        p[d] = (size_t)(((long)at[d] + k + (long)n[d] * 16) % (long)n[d]);
        const size_t q = (p[0] + n[0] * (p[1] + n[1] * p[2])) * step;
        const double tap = c->kind == 1 ? (double)c->taps32[k + reach] : c->taps64[k + reach];
        sum +=
            (long double)tap * (c->kind == 1 ? (long double)((const float *)c->x)[q] : (long double)((const double *)c->x)[q]);
        size += fabs(tap);
      }
    const size_t q = (at[0] + n[0] * (at[1] + n[1] * at[2])) * step;
    const double got = c->kind == 1 ? (double)((const float *)c->y)[q] : ((const double *)c->y)[q];
    const double error = fabs((double)(((long double)got - sum) / size));
    if (error > worst) worst = error;
  }
  return worst;
}

/* Order 0 is BigDFT's kinetic operator, which is counted as its 45 folded flops an axis; 8 a Laplacian of that order, by points
   per second, for which memory counts as well: a copy takes 2 elements for each. */
static void sumconv_group(int order, int kind, int sums, size_t nx, size_t ny, size_t nz, int threads, int peers) {
  const char *const operation = order ? "sumconv3d: laplacian" : "sumconv3d: kinetic";
  const char *const type = kind == 1 ? "f32" : kind == 2 ? "c64" : "f64";
  const size_t step = kind == 2 ? 2 : 1, points = nx * ny * nz, element = (kind == 1 ? 4 : 8) * step;
  struct {
    const char *name;
    convk hw;
    void (*naive64)(const size_t *, const double *, const double *, double *, double *);
    void (*naive32)(const size_t *, const float *, const float *, float *, float *);
    double rate[ROUNDS], ceiling[ROUNDS], error;
    energy_spent spent;
  } *p = (void *)calloc(MOST, sizeof *p);
  const double flops = order ? 1 : 135.0 * (double)step;
  const char *const unit = order ? "Gpoint/s" : "GFlop/s";
  sumconv_case *c = (sumconv_case *)calloc(1, sizeof *c);
  char size[48];
  int count = 0, own, best = -1;
  snprintf(size, sizeof size, "%zux%zux%zu%s", nx, ny, nz, sums ? " sums" : "");
  if (opt.filter && !strstr(operation, opt.filter) && !strstr(size, opt.filter)) {
    free(p);
    free(c);
    return;
  }
  c->kind = kind;
  c->sums_too = sums;
  c->shape.in.nx = nx;
  c->shape.in.ny = ny;
  c->shape.in.nz = nz;
  for (int d = 0; d < 3; d++) {
    (void)convk_derivative_filter_f64(NULL, 2, order, -0.5, c->taps64, &c->terms64.filter[d]);
    (void)convk_derivative_filter_f32(NULL, 2, order, -0.5, c->taps32, &c->terms32.filter[d]);
  }
  for (size_t i = 0; i < sizeof hardware / sizeof *hardware; i++) {
    if (!wanted(hardware[i]) || convk_open(&p[count].hw, hardware[i])) continue;
    if (p[count].hw.ours.inside.device) { /* these have none */
      convk_close(&p[count].hw);
      continue;
    }
    p[count].name = hardware[i];
    p[count].hw.parallel.threads = threads;
    p[count++].hw.parallel.run = threads > 1 ? pool_run : NULL;
  }
  own = count;
#define SUM_ADD(reach, cc) \
  if (naive_sum_##reach##_f64_##cc) { \
    p[count].name = "naive loops " #cc; \
    p[count].naive64 = naive_sum_##reach##_f64_##cc; \
    p[count++].naive32 = naive_sum_##reach##_f32_##cc; \
  }
  if (peers && kind != 2 && own) {
    if (order) {
      SUM_ADD(4, gcc)
      SUM_ADD(4, clang)
    } else {
      SUM_ADD(14, gcc)
      SUM_ADD(14, clang)
    }
  }
  for (int i = 0; i < own; i++) {
    size_t need = 0;
    if (kind == 1) (void)convk_sumconv3d_work_size_f32(&p[i].hw, &c->shape, &c->terms32, &need);
    else if (kind == 2) (void)convk_sumconv3d_work_size_c64(&p[i].hw, &c->shape, &c->terms64, &need);
    else (void)convk_sumconv3d_work_size_f64(&p[i].hw, &c->shape, &c->terms64, &need);
    if (need > c->work_size) c->work_size = need;
  }
  if (c->work_size < 4096 * 8) c->work_size = 4096 * 8;
  c->x = large_array(points * element);
  c->y = large_array(points * element);
  c->work = large_array(c->work_size);
  for (size_t i = 0; i < points * step; i++) {
    const double v = (double)((i * 2654435761u >> 7) % 20011) / 10005.5 - 1;
    if (kind == 1) ((float *)c->x)[i] = (float)v;
    else ((double *)c->x)[i] = v;
  }
  for (int round = -1; round < opt.rounds; round++) /* the first is not counted */
    for (int i = 0; i < count; i++) {
      const size_t n[3] = {nx, ny, nz};
      const double limit = round < 0 ? 0 : 0.03;
      static double time[4096];
      double joules, begin;
      int calls = 0;
      if (round >= 0 && i < own) {
        const double top = peak_of(p[i].name, kind == 1, threads);
        p[i].ceiling[round] =
            !order ? top : bandwidth((double *)c->y, (double *)c->x, points * element / 8, threads) / (double)(2 * element);
      }
      joules = energy_now();
      begin = seconds();
      do {
        const double t = seconds();
        if (i < own) {
          const int status = sumconv_run(&p[i].hw, c);
          if (status) {
            fprintf(stderr, "bench: %s %s: %s\n", operation, p[i].name, convk_strerror(status));
            exit(1);
          }
        } else if (kind == 1) p[i].naive32(n, c->taps32, (float *)c->x, (float *)c->y, (float *)c->work);
        else p[i].naive64(n, c->taps64, (double *)c->x, (double *)c->y, (double *)c->work);
        time[calls++] = seconds() - t;
      } while (calls < 4096 && seconds() - begin < limit);
      if (round >= 0) energy_add(&p[i].spent, begin, joules);
      if (round < 0) p[i].error = sumconv_error(c);
      else p[i].rate[round] = flops * (double)points / median(time, calls);
    }
  for (int i = 0; i < count; i++) {
    p[i].rate[0] = median(p[i].rate, opt.rounds);
    if (i < own) p[i].ceiling[0] = median(p[i].ceiling, opt.rounds);
    if (i >= own && (best < 0 || p[i].rate[0] > p[best].rate[0])) best = i;
  }
  for (int i = 0; i < count; i++) {
    const int peer = i < own && best >= 0;
    line_spent = &p[i].spent;
    line(operation, type, p[i].name, i < own ? threads : 1, size, p[i].rate[0] * 1e-9, unit,
         i < own ? p[i].ceiling[0] * 1e-9 : 0, i < own ? unit : NULL, peer ? p[best].name : NULL,
         peer ? p[best].rate[0] * 1e-9 : 0, p[i].error);
  }
  for (int i = 0; i < own; i++) convk_close(&p[i].hw);
  munmap(c->x, points * element);
  munmap(c->y, points * element);
  munmap(c->work, c->work_size);
  free(c);
  free(p);
}

/* The Chebyshev filter of degree 8 with a Laplacian of order 8, in steps per second, beside as many calls of sumconv3d. */
static void chebyshev_group(size_t n, int threads) {
  const size_t points = n * n * n;
  const convk_chebyshev filter = {8, 2, 9, -1};
  double taps[CONVK_DERIVATIVE_TAPS], *x, *y, *work;
  convk_sumconv_terms_f64 terms;
  convk_sumconv3d_shape shape;
  char size[48];
  snprintf(size, sizeof size, "%zux%zux%zu", n, n, n);
  if (opt.filter && !strstr("chebyshev3d", opt.filter) && !strstr(size, opt.filter)) return;
  memset(&terms, 0, sizeof terms);
  memset(&shape, 0, sizeof shape);
  shape.in.nx = shape.in.ny = shape.in.nz = n;
  for (int d = 0; d < 3; d++) (void)convk_derivative_filter_f64(NULL, 2, 8, -0.5, taps, &terms.filter[d]);
  x = (double *)large_array(points * sizeof *x);
  y = (double *)large_array(points * sizeof *y);
  for (size_t i = 0; i < points; i++) x[i] = (double)((i * 2654435761u >> 7) % 20011) / 10005.5 - 1;
  for (size_t i = 0; i < sizeof hardware / sizeof *hardware; i++) {
    double rate[ROUNDS], calls[ROUNDS];
    convk hw;
    size_t need = 0;
    if (!wanted(hardware[i]) || convk_open(&hw, hardware[i])) continue;
    hw.parallel.threads = threads;
    hw.parallel.run = threads > 1 ? pool_run : NULL;
    if (hw.ours.inside.device || convk_chebyshev3d_work_size_f64(&hw, &shape, &terms, &filter, &need)) {
      convk_close(&hw);
      continue;
    }
    work = (double *)large_array(need);
    for (int round = -1; round < opt.rounds; round++) { /* the first is not counted */
      double begin = seconds(), middle;
      (void)convk_chebyshev3d_f64(&hw, &shape, &terms, &filter, x, y, work, need);
      middle = seconds();
      for (int k = 0; k < filter.degree; k++) {
        convk_sumconv_terms_f64 more = terms;
        more.shift = 0.5;
        more.add = k ? y : NULL;
        more.add_factor = 0.5;
        (void)convk_sumconv3d_f64(&hw, &shape, &more, x, y, NULL, work, need);
      }
      if (round < 0) continue;
      rate[round] = filter.degree * (double)points / (middle - begin);
      calls[round] = filter.degree * (double)points / (seconds() - middle);
    }
    line("chebyshev3d", "f64", hw.name, threads, size, median(rate, opt.rounds) * 1e-9, "Gpoint/s", 0, NULL,
         "calls of sumconv3d", median(calls, opt.rounds) * 1e-9, 0);
    munmap(work, need);
    convk_close(&hw);
  }
  munmap(x, points * sizeof *x);
  munmap(y, points * sizeof *y);
}

static void sumconv(void) {
  const int all = opt.threads;
  for (int kind = 0; kind < 3; kind++) {
    sumconv_group(0, kind, 0, 128, 126, 130, 1, 1);
    sumconv_group(0, kind, 0, 32, 32, 32, 1, 1);
    sumconv_group(8, kind, 0, 48, 48, 48, 1, 1);
    sumconv_group(8, kind, 0, 8, 8, 8, 1, 1);
    if (!opt.quick) sumconv_group(8, kind, 0, 256, 256, 256, all, 1);
  }
  sumconv_group(0, 0, 1, 128, 126, 130, 1, 0);
  sumconv_group(8, 0, 1, 48, 48, 48, 1, 0);
  chebyshev_group(48, 1);
  if (!opt.quick) chebyshev_group(256, all);
}
