/* Wavelet transforms. */

#define NAIVE_DWT(cc) \
  extern void naive_dwt_f32_##cc(const size_t *, int, const float *, const float *, float *, float *) __attribute__((weak)); \
  extern void naive_dwt_f64_##cc(const size_t *, int, const double *, const double *, double *, double *) __attribute__((weak));
NAIVE_DWT(gcc)
NAIVE_DWT(clang)

enum {
  DWT_FORTH,
  DWT_BACK,
  DWT_TO_R,
  DWT_TO_S1,
  DWT_TWO,
  DWT_GCC,
  DWT_CLANG
}; /* TWO: what DWT_TO_R has in one; the last: plain loops */

typedef struct {
  int f32, inverse;
  size_t n[3];
  convk_dwt3d_shape shape;
  convk_sepconv3d_shape values;
  void *x, *y, *t, *work;
  size_t work_size;
  double taps64[32];
  float taps32[32];
} dwt_case;

#define DWT_RUN(TYPE, T) \
  static int dwt_run_##TYPE(convk *hw, int what, dwt_case *c) { \
    const convk_wavelet_##TYPE w = convk_wavelet_taps_##TYPE(CONVK_WAVELET_DAUBECHIES16); \
    const T *const x = (const T *)c->x; \
    T *const y = (T *)c->y, *const t = (T *)c->t; \
    int status; \
    switch (what) { \
      case DWT_FORTH: return convk_dwt3d_##TYPE(hw, &c->shape, &w, x, y, c->work, c->work_size); \
      case DWT_BACK: return convk_idwt3d_##TYPE(hw, &c->shape, &w, x, y, c->work, c->work_size); \
      case DWT_TO_R: return convk_s1_to_r_##TYPE(hw, &c->shape, x, y, c->work, c->work_size); \
      case DWT_TO_S1: return convk_r_to_s1_##TYPE(hw, &c->shape, x, y, c->work, c->work_size); \
      default: \
        status = convk_idwt3d_##TYPE(hw, &c->shape, &w, x, t, c->work, c->work_size); \
        return status ? status : convk_magicfilter3d_##TYPE(hw, &c->values, CONVK_FORWARD, NULL, t, y, c->work, c->work_size); \
    } \
  } \
  static size_t dwt_need_##TYPE(convk *hw, const dwt_case *c) { \
    const convk_wavelet_##TYPE w = convk_wavelet_taps_##TYPE(CONVK_WAVELET_DAUBECHIES16); \
    size_t bytes[4] = {0, 0, 0, 0}, most = 0; \
    (void)convk_dwt3d_work_size_##TYPE(hw, &c->shape, &w, &bytes[0]); \
    (void)convk_idwt3d_work_size_##TYPE(hw, &c->shape, &w, &bytes[1]); \
    (void)convk_s1_to_r_work_size_##TYPE(hw, &c->shape, &bytes[2]); \
    (void)convk_magicfilter3d_work_size_##TYPE(hw, &c->values, CONVK_FORWARD, NULL, &bytes[3]); \
    for (int i = 0; i < 4; i++) \
      if (bytes[i] > most) most = bytes[i]; \
    return most; \
  }
DWT_RUN(f32, float)
DWT_RUN(f64, double)

static void dwt_call(convk *hw, int what, dwt_case *c) {
  int status = 0;
#define DWT_NAIVE(cc) \
  if (c->f32) naive_dwt_f32_##cc(c->n, c->inverse, c->taps32, (float *)c->x, (float *)c->y, (float *)c->t); \
  else naive_dwt_f64_##cc(c->n, c->inverse, c->taps64, (double *)c->x, (double *)c->y, (double *)c->t)
  if (what == DWT_GCC) {
    DWT_NAIVE(gcc);
  } else if (what == DWT_CLANG) {
    DWT_NAIVE(clang);
  } else {
    status = c->f32 ? dwt_run_f32(hw, what, c) : dwt_run_f64(hw, what, c);
  }
  if (status) {
    fprintf(stderr, "bench: wavelets, %s\n", convk_strerror(status));
    exit(1);
  }
}

/* All hardware and plain loops on one case, in turns; s1_to_r beside the two calls that it is. */
static void dwt_group(const char *operation, int what, int f32, size_t nx, size_t ny, size_t nz, int threads) {
  struct {
    const char *name;
    int what;
    convk hw;
    double rate[ROUNDS], ceiling[ROUNDS];
  } p[16];
  const size_t points = nx * ny * nz, element = f32 ? 4 : 8;
  dwt_case c;
  char size[48];
  int count = 0, own, best = -1;
  memset(p, 0, sizeof p);
  memset(&c, 0, sizeof c);
  snprintf(size, sizeof size, "%zux%zux%zu", nx, ny, nz);
  if (opt.filter && !strstr(operation, opt.filter) && !strstr(size, opt.filter)) return;
  c.f32 = f32;
  c.inverse = what == DWT_BACK;
  c.n[0] = c.shape.fine.nx = nx;
  c.n[1] = c.shape.fine.ny = ny;
  c.n[2] = c.shape.fine.nz = nz;
  c.values.in = c.shape.fine;
  for (int k = 0; k < 32; k++) {
    const convk_wavelet_f64 w = convk_wavelet_taps_f64(CONVK_WAVELET_DAUBECHIES16);
    c.taps64[k] = k < 16 ? w.low[k] : w.high[k - 16];
    c.taps32[k] = (float)c.taps64[k];
  }
  for (size_t i = 0; i < sizeof hardware / sizeof *hardware && count < 7; i++) {
    if (!wanted(hardware[i]) || convk_open(&p[count].hw, hardware[i])) continue;
    p[count].name = hardware[i];
    p[count].what = what;
    if (threads > 1) {
      p[count].hw.parallel.threads = threads;
      p[count].hw.parallel.run = pool_run;
    }
    if (p[count].hw.ours.inside.device) convk_close(&p[count].hw);
    else count++;
  }
  if (!count) return;
  own = count;
  for (int i = 0; i < own && what == DWT_TO_R; i++) {
    p[count] = p[i];
    p[count++].what = DWT_TWO;
  }
  if (what <= DWT_BACK && threads == 1 && naive_dwt_f64_gcc) p[count].name = "naive loops gcc", p[count++].what = DWT_GCC;
  if (what <= DWT_BACK && threads == 1 && naive_dwt_f64_clang) p[count].name = "naive loops clang", p[count++].what = DWT_CLANG;
  c.x = large_array(points * element);
  c.y = large_array(points * element);
  c.t = large_array(points * element);
  for (size_t i = 0; i < points; i++) {
    const double v = (double)((i * 2654435761u >> 7) % 20011) / 10005.5 - 1;
    if (f32) ((float *)c.x)[i] = (float)v;
    else ((double *)c.x)[i] = v;
  }
  for (int i = 0; i < own; i++) {
    const size_t need = f32 ? dwt_need_f32(&p[i].hw, &c) : dwt_need_f64(&p[i].hw, &c);
    if (need > c.work_size) c.work_size = need;
  }
  c.work = large_array(c.work_size);
  for (int round = -1; round < opt.rounds; round++) /* the first is not counted */
    for (int i = 0; i < count; i++) {
      static double time[4096];
      const double limit = round < 0 ? 0 : 0.03, begin = seconds();
      int calls = 0;
      do {
        const double t = seconds();
        dwt_call(&p[i].hw, p[i].what, &c);
        time[calls++] = seconds() - t;
      } while (calls < 4096 && seconds() - begin < limit);
      if (round < 0) continue;
      p[i].rate[round] = (what >= DWT_TO_R ? 186.0 : 96.0) * (double)points / median(time, calls);
      if (i < own) p[i].ceiling[round] = peak_of(p[i].name, f32, threads);
    }
  for (int i = 0; i < count; i++) {
    p[i].rate[0] = median(p[i].rate, opt.rounds);
    if (i < own) p[i].ceiling[0] = median(p[i].ceiling, opt.rounds);
    else if (what <= DWT_BACK && (best < 0 || p[i].rate[0] > p[best].rate[0])) best = i;
  }
  for (int i = 0; i < own; i++) {
    const int peer = what == DWT_TO_R ? own + i : best;
    line(operation, f32 ? "f32" : "f64", p[i].name, threads, size, p[i].rate[0] * 1e-9, "GFlop/s", p[i].ceiling[0] * 1e-9,
         "GFlop/s",
         peer < 0           ? NULL
         : what == DWT_TO_R ? "idwt3d, magicfilter3d"
                            : p[peer].name,
         peer < 0 ? 0 : p[peer].rate[0] * 1e-9, -1);
  }
  for (int i = 0; i < own; i++) convk_close(&p[i].hw);
  munmap(c.x, points * element);
  munmap(c.y, points * element);
  munmap(c.t, points * element);
  munmap(c.work, c.work_size);
}

static void wavelets(void) {
  for (int f32 = 0; f32 < 2; f32++) {
    dwt_group("dwt3d", DWT_FORTH, f32, 128, 126, 130, 1);
    dwt_group("idwt3d", DWT_BACK, f32, 128, 126, 130, 1);
    dwt_group("dwt3d", DWT_FORTH, f32, 16, 16, 16, 1);
    dwt_group("idwt3d", DWT_BACK, f32, 16, 16, 16, 1);
    if (opt.threads > 1) dwt_group("dwt3d", DWT_FORTH, f32, 128, 126, 130, opt.threads);
    if (opt.threads > 1) dwt_group("idwt3d", DWT_BACK, f32, 128, 126, 130, opt.threads);
    dwt_group("s1_to_r", DWT_TO_R, f32, 128, 126, 130, 1);
    dwt_group("r_to_s1", DWT_TO_S1, f32, 128, 126, 130, 1);
    if (!opt.quick) dwt_group("s1_to_r", DWT_TO_R, f32, 256, 256, 256, 1);
  }
}
