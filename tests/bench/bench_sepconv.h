/* Separable convolution. */

#define NAIVE_LIST(item) item(loops, gcc) item(transposed, gcc) item(loops, clang) item(transposed, clang)
#define NAIVE_DECLARE(kind, cc) \
  extern void naive_##kind##_f32_##cc(const size_t *, const float *, const float *, float *, float *) __attribute__((weak)); \
  extern void naive_##kind##_f64_##cc(const size_t *, const double *, const double *, double *, double *) __attribute__((weak));
#define NAIVE_ONE(item) item(conv1d, gcc) item(conv1d, clang)
NAIVE_LIST(NAIVE_DECLARE)
NAIVE_ONE(NAIVE_DECLARE)

enum { FORWARD, INVERSE, FREE, PASSES, TAPS29, ENERGY, POTENTIAL, TRANSPOSE }; /* what is measured */

typedef struct {
  int what, f32;
  convk_grid3 in, out;
  int boundary[3];
  double taps64[64];
  float taps32[64];
  int lo, up;
  void *x, *y, *v, *work; /* input, output, potential */
  size_t work_size;
  double flops;
} sepconv_case;

static convk_sepconv3d_shape sepconv_shape(const sepconv_case *c) {
  convk_sepconv3d_shape shape = {c->in, {0, 0, 0, 0, 0}, {c->boundary[0], c->boundary[1], c->boundary[2]}};
  return shape;
}
static convk_conv1d_shape sepconv_rows(const sepconv_case *c) {
  const convk_conv1d_shape rows = {c->in.nx, c->in.ny * c->in.nz, 0, 0, CONVK_BOUNDARY_PERIODIC};
  return rows;
}

/* Rows along axis d once the axes before it went to the end. */
static convk_conv1d_shape sepconv_pass(const sepconv_case *c, int d) {
  const size_t n[3] = {c->in.nx, c->in.ny, c->in.nz};
  const convk_conv1d_shape rows = {n[d], n[(d + 1) % 3] * n[(d + 2) % 3], 0, 0, CONVK_BOUNDARY_PERIODIC};
  return rows;
}

/* The magic filter as programs without a 3D call make it: three passes, each of which puts its axis last. */
static int sepconv_passes(convk *hw, sepconv_case *c) {
  void *const from[3] = {c->x, c->y, c->v}, *const to[3] = {c->y, c->v, c->y};
  int status = 0;
  for (int d = 0; d < 3 && !status; d++) {
    const convk_conv1d_shape rows = sepconv_pass(c, d);
    const convk_filter_f32 f32 = {c->lo, c->up, c->taps32};
    const convk_filter_f64 f64 = {c->lo, c->up, c->taps64};
    status = c->f32 ? convk_conv1d_transpose_f32(hw, &rows, &f32, (float *)from[d], (float *)to[d], c->work, c->work_size)
                    : convk_conv1d_transpose_f64(hw, &rows, &f64, (double *)from[d], (double *)to[d], c->work, c->work_size);
  }
  return status;
}

static int sepconv_run(convk *hw, sepconv_case *c) {
  const convk_sepconv3d_shape shape = sepconv_shape(c);
  const convk_conv1d_shape rows = sepconv_rows(c);
  double energy;
  if (c->what == PASSES) return sepconv_passes(hw, c);
  if (c->f32) {
    const convk_filter_f32 f = {c->lo, c->up, c->taps32};
    convk_filter_f32 filter[3];
    convk_sepconv_epilogue_f32 e = {(const float *)c->v, NULL, 0, NULL, &energy, 0, 0, 0};
    filter[0] = filter[1] = filter[2] = f;
    switch (c->what) {
      case TRANSPOSE: return convk_conv1d_transpose_f32(hw, &rows, &f, (float *)c->x, (float *)c->y, c->work, c->work_size);
      case POTENTIAL:
        return convk_potential_apply_f32(hw, &shape, (float *)c->v, (float *)c->x, (float *)c->y, &energy, c->work,
                                         c->work_size);
      default:
        return convk_sepconv3d_f32(hw, &shape, filter, c->what == ENERGY ? &e : NULL, (float *)c->x, (float *)c->y, c->work,
                                   c->work_size);
    }
  } else {
    const convk_filter_f64 f = {c->lo, c->up, c->taps64};
    convk_filter_f64 filter[3];
    convk_sepconv_epilogue_f64 e = {(const double *)c->v, NULL, 0, NULL, &energy, 0, 0, 0};
    filter[0] = filter[1] = filter[2] = f;
    switch (c->what) {
      case TRANSPOSE: return convk_conv1d_transpose_f64(hw, &rows, &f, (double *)c->x, (double *)c->y, c->work, c->work_size);
      case POTENTIAL:
        return convk_potential_apply_f64(hw, &shape, (double *)c->v, (double *)c->x, (double *)c->y, &energy, c->work,
                                         c->work_size);
      default:
        return convk_sepconv3d_f64(hw, &shape, filter, c->what == ENERGY ? &e : NULL, (double *)c->x, (double *)c->y, c->work,
                                   c->work_size);
    }
  }
}

static size_t sepconv_work_size(convk *hw, const sepconv_case *c) {
  const convk_filter_f64 f64 = {c->lo, c->up, c->taps64};
  const convk_filter_f32 f32 = {c->lo, c->up, c->taps32};
  const convk_filter_f64 filter64[3] = {f64, f64, f64};
  const convk_filter_f32 filter32[3] = {f32, f32, f32};
  const convk_sepconv3d_shape shape = sepconv_shape(c);
  const convk_conv1d_shape rows = sepconv_rows(c);
  size_t bytes = 0, most = 0;
  for (int d = 0; d < 3 && c->what == PASSES; d++) {
    const convk_conv1d_shape pass = sepconv_pass(c, d);
    if (c->f32 ? convk_conv1d_transpose_work_size_f32(hw, &pass, &f32, &bytes)
               : convk_conv1d_transpose_work_size_f64(hw, &pass, &f64, &bytes))
      return 0;
    if (bytes > most) most = bytes;
  }
  if (c->what == PASSES) return most;
  const int status = c->what == TRANSPOSE   ? c->f32 ? convk_conv1d_transpose_work_size_f32(hw, &rows, &f32, &bytes)
                                                     : convk_conv1d_transpose_work_size_f64(hw, &rows, &f64, &bytes)
                       : c->what == POTENTIAL ? c->f32 ? convk_potential_apply_work_size_f32(hw, &shape, &bytes)
                                                       : convk_potential_apply_work_size_f64(hw, &shape, &bytes)
                       : c->f32 ? convk_sepconv3d_work_size_f32(hw, &shape, filter32, NULL, &bytes)
                                            : convk_sepconv3d_work_size_f64(hw, &shape, filter64, NULL, &bytes);
  return status ? 0 : bytes;
}

/* Largest error of plain convolutions at some points, against sums in long double with the taps as stored. */
static double sepconv_error(const sepconv_case *c) {
  const int t = c->up - c->lo + 1;
  const size_t n[3] = {c->in.nx, c->in.ny, c->in.nz};
  double worst = 0;
  if (c->what > TAPS29) return -1;
  for (unsigned s = 0; s < 40; s++) {
    size_t at[3], m[3] = {c->out.nx, c->out.ny, c->out.nz};
    long double sum = 0, got;
    for (int d = 0; d < 3; d++) at[d] = s == 0 ? 0 : s == 1 ? m[d] - 1 : (size_t)(s * 2654435761u >> (3 * d)) % m[d];
    for (int kz = 0; kz < t; kz++)
      for (int ky = 0; ky < t; ky++)
        for (int kx = 0; kx < t; kx++) {
          const int k[3] = {kx, ky, kz};
          long double term = 1;
          size_t i[3];
          int inside = 1;
          for (int d = 0; d < 3; d++) {
            const long from =
                c->boundary[d] == CONVK_BOUNDARY_PERIODIC ? (long)at[d] + c->lo + k[d] : (long)at[d] - (t - 1) + k[d];
            const long wrapped = (from % (long)n[d] + (long)n[d]) % (long)n[d];
            if (c->boundary[d] != CONVK_BOUNDARY_PERIODIC && from != wrapped) inside = 0;
            i[d] = (size_t)wrapped;
            term *= c->f32 ? (long double)c->taps32[k[d]] : (long double)c->taps64[k[d]];
          }
          if (inside) {
            const size_t p = i[0] + n[0] * (i[1] + n[1] * i[2]);
            sum += term * (c->f32 ? (long double)((float *)c->x)[p] : (long double)((double *)c->x)[p]);
          }
        }
    const size_t p = at[0] + m[0] * (at[1] + m[1] * at[2]);
    got = c->f32 ? (long double)((float *)c->y)[p] : (long double)((double *)c->y)[p];
    if ((double)fabsl(got - sum) > worst) worst = (double)fabsl(got - sum);
  }
  return worst;
}

/* From the middle of the grid, exp(-r), with r so that about a fifth of the values is subnormal and half is 0. */
static double decay(const convk_grid3 *g, size_t i, int f32) {
  const size_t n[3] = {g->nx, g->ny, g->nz}, at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
  double r2 = 0;
  for (int d = 0; d < 3; d++) {
    const double u = n[d] > 1 ? 2.0 * (double)at[d] / (double)(n[d] - 1) - 1 : 0;
    r2 += u * u;
  }
  return exp(-sqrt(r2) * (f32 ? 95 : 727));
}

/* What a group is measured against. */
enum { ALONE, NAIVE, ORDINARY }; /* ORDINARY: on decaying data, and against ordinary */

/* All hardware and peers on one case, in turns.  ceiling: of the arithmetic, or of memory too for arrays beyond the caches. */
static void sepconv_group(const char *operation, int what, int f32, size_t nx, size_t ny, size_t nz, int threads, int peers,
                          int memory_bound) {
  const char *type = f32 ? "f32" : "f64";
  struct {
    const char *name;
    int one;       /* threads */
    const void *x; /* input */
    convk hw;
    void (*naive64)(const size_t *, const double *, const double *, double *, double *);
    void (*naive32)(const size_t *, const float *, const float *, float *, float *);
    double rate[ROUNDS], ceiling[ROUNDS], error;
    energy_spent spent;
  } *p = (void *)calloc(MOST, sizeof *p), *last;
  sepconv_case c;
  char size[48];
  int count = 0, best_naive = -1;
  memset(&c, 0, sizeof c);
  c.what = what;
  c.f32 = f32;
  c.in.nx = nx;
  c.in.ny = ny;
  c.in.nz = nz;
  c.lo = what == INVERSE ? -7 : what == TAPS29 ? -14 : -8;
  c.up = what == INVERSE ? 8 : what == TAPS29 ? 14 : 7;
  for (int d = 0; d < 3; d++) c.boundary[d] = what == FREE ? CONVK_BOUNDARY_GROW : CONVK_BOUNDARY_PERIODIC;
  for (int k = 0; k <= c.up - c.lo; k++) {
    c.taps64[k] = what == TAPS29 ? 1.0 / (1 + k) - 0.1
                                 : convk_magicfilter_taps_f64(what == INVERSE ? CONVK_INVERSE : CONVK_FORWARD).taps[k];
    c.taps32[k] = (float)c.taps64[k];
  }
  c.out = c.in;
  if (what == FREE) {
    c.out.nx += 15;
    c.out.ny += 15;
    c.out.nz += 15;
  }
  c.flops = 2.0 * (c.up - c.lo + 1) * (what == POTENTIAL ? 2 : 1) * /* y on x's input, x, z */
            (what == TRANSPOSE ? (double)(nx * ny * nz)
                               : (double)(nx * c.out.ny * nz) + (double)(c.out.nx * c.out.ny) * (double)(nz + c.out.nz));
  if (what == TRANSPOSE && nz == 1) snprintf(size, sizeof size, "%zux%zu", nx, ny);
  else snprintf(size, sizeof size, "%zux%zux%zu%s", nx, ny, nz, peers == ORDINARY ? " decaying" : "");
  if (opt.filter && !strstr(operation, opt.filter) && !strstr(size, opt.filter)) {
    free(p);
    return;
  }
  for (size_t i = 0; i < sizeof hardware / sizeof *hardware; i++) {
    if (!wanted(hardware[i])) continue;
    if (convk_open(&p[count].hw, hardware[i])) continue;
    p[count].name = hardware[i];
    p[count].one = threads;
    if (threads > 1) {
      p[count].hw.parallel.threads = threads;
      p[count].hw.parallel.run = pool_run;
    }
    count++;
  }
  if (!count) {
    free(p);
    return;
  }
  const size_t points = c.out.nx * c.out.ny * c.out.nz, element = f32 ? 4 : 8;
  c.x = large_array(points * element);
  c.y = large_array(points * element);
  c.v = large_array(points * element);
  void *const x = c.x, *const decaying = peers == ORDINARY ? large_array(points * element) : NULL;
  for (size_t i = 0; i < points; i++) {
    const double v = (double)((i * 2654435761u >> 7) % 20011) / 10005.5 - 1;
    if (f32) ((float *)c.x)[i] = ((float *)c.v)[i] = (float)v;
    else ((double *)c.x)[i] = ((double *)c.v)[i] = v;
    if (decaying && i < nx * ny * nz) {
      if (f32) ((float *)decaying)[i] = (float)decay(&c.in, i, 1);
      else ((double *)decaying)[i] = decay(&c.in, i, 0);
    }
  }
  for (int i = 0; i < count; i++) p[i].x = x;
  if (decaying) { /* each hardware again, and again where it flushes subnormals */
    for (int i = 0; i < 2 * count; i++) {
      p[count + i] = p[i % count];
      p[count + i].x = decaying;
      p[count + i].hw.flush_subnormals = i >= count;
    }
    count *= 3;
  }
  if (threads > 1 && count && !memory_bound) { /* the best hardware again, on one thread */
    p[count] = p[count - 1];
    p[count].one = 1;
    p[count].hw.parallel.threads = 1;
    count++;
  }
  const int own = count;
  if (peers == NAIVE) {
#define NAIVE_ADD(kind, cc) \
  if (naive_##kind##_f64_##cc) { \
    p[count].name = "naive " #kind " " #cc; \
    p[count].one = 1; \
    p[count].x = x; \
    p[count].naive64 = naive_##kind##_f64_##cc; \
    p[count++].naive32 = naive_##kind##_f32_##cc; \
  }
    if (what == TRANSPOSE) {
      NAIVE_ONE(NAIVE_ADD)
    } else {
      NAIVE_LIST(NAIVE_ADD)
    }
  }
  for (int i = 0; i < own; i++) {
    const size_t need = sepconv_work_size(&p[i].hw, &c);
    if (need > c.work_size) c.work_size = need;
  }
  c.work = large_array(c.work_size > points * element ? c.work_size : points * element);
  for (int round = -1; round < opt.rounds; round++) /* the first is not counted */
    for (int i = 0; i < count; i++) {
      const size_t n[3] = {nx, ny, nz};
      const double limit = round < 0 ? 0 : 0.03;
      static double time[4096]; /* of each call; its median counts */
      double begin;
      int calls = 0;
      if (round >= 0 && i < own) {
        const double top = peak_of(p[i].name, f32, p[i].one);
        double copy = memory_bound ? bandwidth((double *)c.y, (double *)c.x, points * element / 8, p[i].one) : 0;
        /* two passes of reading and writing, or one */
        copy *= what == TRANSPOSE ? 32.0 / (2.0 * (double)element) : 96.0 / (4.0 * (double)element);
        p[i].ceiling[round] = memory_bound && copy < top ? copy : top;
      }
      memcpy(&c.x, &p[i].x, sizeof c.x);
      const double joules = energy_now();
      begin = seconds();
      do {
        const double t = seconds();
        if (i < own) {
          const int status = sepconv_run(&p[i].hw, &c);
          if (status) {
            fprintf(stderr, "bench: %s %s: %s\n", operation, p[i].name, convk_strerror(status));
            exit(1);
          }
        } else if (f32) p[i].naive32(n, c.taps32, (float *)c.x, (float *)c.y, (float *)c.work);
        else p[i].naive64(n, c.taps64, (double *)c.x, (double *)c.y, (double *)c.work);
        time[calls++] = seconds() - t;
      } while (calls < 4096 && seconds() - begin < limit);
      if (round >= 0) energy_add(&p[i].spent, begin, joules);
      if (round < 0) p[i].error = c.x == x ? sepconv_error(&c) : -1;
      else p[i].rate[round] = c.flops / median(time, calls);
    }
  for (int i = 0; i < count; i++) {
    p[i].rate[0] = median(p[i].rate, opt.rounds);
    if (i < own) p[i].ceiling[0] = median(p[i].ceiling, opt.rounds);
    if (i >= own && (best_naive < 0 || p[i].rate[0] > p[best_naive].rate[0])) best_naive = i;
  }
  last = &p[own - 1];
  for (int i = own / 3; decaying && i < own; i++) {
    char full[64];
    snprintf(full, sizeof full, "%s%s", size, i >= own / 3 * 2 ? ", flushed" : "");
    line_spent = &p[i].spent;
    line(operation, type, p[i].name, p[i].one, full, p[i].rate[0] * 1e-9, "GFlop/s", p[i].ceiling[0] * 1e-9,
         p[i].ceiling[0] > 0 ? "GFlop/s" : NULL, "ordinary data", p[i % (own / 3)].rate[0] * 1e-9, -1);
  }
  for (int i = 0; !decaying && i < count; i++) {
    const int to_one = own > 1 && last->one < threads && &p[i] == last - 1;
    line_spent = &p[i].spent;
    line(operation, type, p[i].name, p[i].one, size, p[i].rate[0] * 1e-9, "GFlop/s", i < own ? p[i].ceiling[0] * 1e-9 : 0,
         i < own && p[i].ceiling[0] > 0 ? "GFlop/s" : NULL,
         i >= own          ? NULL
         : to_one          ? "one thread"
         : best_naive >= 0 ? p[best_naive].name
                           : NULL,
         i >= own          ? 0
         : to_one          ? last->rate[0] * 1e-9
         : best_naive >= 0 ? p[best_naive].rate[0] * 1e-9
                           : 0,
         p[i].error);
  }
  for (int i = 0; i < own; i++) convk_close(&p[i].hw);
  munmap(x, points * element);
  if (decaying) munmap(decaying, points * element);
  munmap(c.y, points * element);
  munmap(c.v, points * element);
  munmap(c.work, c.work_size > points * element ? c.work_size : points * element);
  free(p);
}

static void sepconv(void) {
  static const struct {
    const char *operation;
    int what;
  } list[] = {{"magicfilter3d", FORWARD},
              {"sepconv3d_29taps", TAPS29},
              {"potential_apply", POTENTIAL},
              {"conv1d_transpose", TRANSPOSE}};
  const int all = opt.threads;
  for (int f32 = 0; f32 < 2; f32++) {
    sepconv_group("magicfilter3d", FORWARD, f32, 128, 126, 130, 1, NAIVE, 0);
    sepconv_group("magicfilter3d", FORWARD, f32, 32, 32, 32, 1, NAIVE, 0);
    sepconv_group("magicfilter3d", FORWARD, f32, 64, 64, 64, 1, ALONE, 0);
    sepconv_group("magicfilter3d", FORWARD, f32, 8, 8, 8, 1, NAIVE, 0);
    if (all > 1) sepconv_group("magicfilter3d", FORWARD, f32, 8, 8, 8, all, ALONE, 0);
    if (all > 1) sepconv_group("magicfilter3d", FORWARD, f32, 128, 126, 130, all, ALONE, 0);
    if (!opt.quick) sepconv_group("magicfilter3d", FORWARD, f32, 512, 512, 256, all, ALONE, 1);
    sepconv_group("magicfilter3d_inverse", INVERSE, f32, 128, 126, 130, 1, ALONE, 0);
    sepconv_group("magicfilter3d_free", FREE, f32, 113, 111, 115, 1, ALONE, 0);
    sepconv_group("sepconv3d_29taps", TAPS29, f32, 128, 126, 130, 1, ALONE, 0);
    sepconv_group("magicfilter3d_energy", ENERGY, f32, 128, 126, 130, 1, ALONE, 0);
    sepconv_group("potential_apply", POTENTIAL, f32, 128, 126, 130, 1, ALONE, 0);
    sepconv_group("conv1d_transpose", TRANSPOSE, f32, 128, 126, 130, 1, NAIVE, 1);
    /* 32 rows of 5040 in cache, on which programs of BigDFT were timed, and three such passes on as many points and on more */
    sepconv_group("conv1d_transpose", TRANSPOSE, f32, 5040, 32, 1, 1, NAIVE, 0);
    sepconv_group("magicfilter3d: passes", PASSES, f32, 32, 72, 70, 1, NAIVE, 0);
    sepconv_group("magicfilter3d: passes", PASSES, f32, 128, 126, 130, 1, NAIVE, 0);
    sepconv_group("conv1d_transpose", TRANSPOSE, f32, 16, 16, 1, 1, NAIVE, 0);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
      sepconv_group(list[i].operation, list[i].what, f32, 96, 96, 96, 1, ORDINARY, 0);
  }
}
