/* The Hamiltonian in wavelets, beside the calls that give the same: those of scaling coefficients and values, s1_to_r and r_to_s1
   with the kinetic energy beside them, and the five that it is made of, each on packed arrays; and complex orbitals at a point k beside two real ones. */

enum { HAM_WHOLE, HAM_PARTS, HAM_FIVE, HAM_POINT_K, HAM_WAYS };

typedef struct {
  int f32;
  convk_hamiltonian_shape shape;
  convk_dwt3d_shape wavelets;
  convk_sepconv3d_shape values;
  convk_sumconv3d_shape sum;
  size_t points, work_size;
  void *psi, *out, *v, *t0, *t1, *t2, *work;
} ham_case;

#define HAM_RUN(TYPE, COMPLEX, T) \
  static int ham_run_##TYPE(convk *hw, int way, ham_case *c) { \
    const convk_wavelet_##TYPE w = convk_wavelet_taps_##TYPE(CONVK_WAVELET_DAUBECHIES16); \
    T taps[3][CONVK_DERIVATIVE_TAPS], *const t0 = (T *)c->t0, *const t1 = (T *)c->t1, *const t2 = (T *)c->t2, \
                                             *const out = (T *)c->out; \
    const T *const psi = (const T *)c->psi, *const v = (const T *)c->v; \
    convk_sumconv_terms_##TYPE terms; \
    convk_sepconv_epilogue_##TYPE epilogue; \
    int status = 0; \
    if (way == HAM_WHOLE || way == HAM_POINT_K) { \
      convk_hamiltonian_terms_##TYPE all; \
      memset(&all, 0, sizeof all); \
      all.spacing[0] = all.spacing[1] = all.spacing[2] = 0.4; \
      all.potential = v; \
      all.k[0] = all.k[1] = all.k[2] = way == HAM_POINT_K ? 0.3 : 0; \
      if (way == HAM_POINT_K) \
        return convk_hamiltonian_apply_##COMPLEX(hw, &c->shape, &all, psi, out, NULL, c->work, c->work_size); \
      return convk_hamiltonian_apply_##TYPE(hw, &c->shape, &all, psi, out, NULL, c->work, c->work_size); \
    } \
    memset(&terms, 0, sizeof terms); \
    memset(&epilogue, 0, sizeof epilogue); \
    for (int d = 0; d < 3; d++) \
      status |= convk_derivative_filter_##TYPE(hw, 2, 0, -0.5 / (0.4 * 0.4), taps[d], &terms.filter[d]); \
    status |= convk_idwt3d_##TYPE(hw, &c->wavelets, &w, psi, t0, c->work, c->work_size); \
    if (way == HAM_FIVE) { \
      epilogue.potential = v; \
      terms.add = t2; \
      terms.add_factor = 1; \
      status |= convk_magicfilter3d_##TYPE(hw, &c->values, CONVK_FORWARD, &epilogue, t0, t1, c->work, c->work_size); \
      status |= convk_magicfilter3d_##TYPE(hw, &c->values, CONVK_INVERSE, NULL, t1, t2, c->work, c->work_size); \
    } \
    status |= convk_sumconv3d_##TYPE(hw, &c->sum, &terms, t0, t2, NULL, c->work, c->work_size); \
    status |= convk_dwt3d_##TYPE(hw, &c->wavelets, &w, t2, out, c->work, c->work_size); \
    if (way == HAM_FIVE) return status; \
    status |= convk_s1_to_r_##TYPE(hw, &c->wavelets, psi, t0, c->work, c->work_size); \
    for (size_t i = 0; i < c->points; i++) t0[i] *= v[i]; \
    status |= convk_r_to_s1_##TYPE(hw, &c->wavelets, t0, t1, c->work, c->work_size); \
    for (size_t i = 0; i < c->points; i++) out[i] += t1[i]; \
    return status; \
  }
HAM_RUN(f32, c32, float)
HAM_RUN(f64, c64, double)

static void ham_group(int f32, size_t n, int threads) {
  static const char *const peers[HAM_WAYS] = {NULL, "s1_to_r, r_to_s1, idwt3d, sumconv3d, dwt3d",
                                              "idwt3d, magicfilter3d twice, sumconv3d, dwt3d", NULL};
  ham_case c;
  char size[48];
  snprintf(size, sizeof size, "%zux%zux%zu", n, n, n);
  if (opt.filter && !strstr("hamiltonian_apply", opt.filter) && !strstr(size, opt.filter)) return;
  memset(&c, 0, sizeof c);
  c.f32 = f32;
  c.points = n * n * n;
  c.shape.wavelets.nx = c.shape.wavelets.ny = c.shape.wavelets.nz = n;
  c.wavelets.coarse = c.values.in = c.sum.in = c.shape.wavelets;
  void **const arrays[] = {&c.psi, &c.out, &c.v, &c.t0, &c.t1, &c.t2};
  for (int k = 0; k < 6; k++) {
    const size_t reals = (k < 2 ? 2 : 1) * c.points; /* psi and out also as complex numbers */
    *arrays[k] = large_array(reals * (f32 ? 4 : 8));
    for (size_t i = 0; i < reals; i++) {
      const double x = (double)((i * 2654435761u >> 7) % 20011) / 10005.5 - 1;
      if (f32) ((float *)*arrays[k])[i] = (float)x;
      else ((double *)*arrays[k])[i] = x;
    }
  }
  for (size_t i = 0; i < sizeof hardware / sizeof *hardware; i++) {
    static double rate[HAM_WAYS][ROUNDS], ceiling[ROUNDS];
    convk hw;
    size_t bytes = 0, more = 0;
    if (!wanted(hardware[i]) || convk_open(&hw, hardware[i])) continue;
    if (hw.ours.inside.device) {
      convk_close(&hw);
      continue;
    }
    if (threads > 1) {
      hw.parallel.threads = threads;
      hw.parallel.run = pool_run;
    }
    (void)(f32 ? convk_hamiltonian_apply_work_size_f32(&hw, &c.shape, &bytes)
               : convk_hamiltonian_apply_work_size_f64(&hw, &c.shape, &bytes));
    (void)(f32 ? convk_hamiltonian_apply_work_size_c32(&hw, &c.shape, &more)
               : convk_hamiltonian_apply_work_size_c64(&hw, &c.shape, &more));
    if (more > bytes) bytes = more;
    if (bytes > c.work_size) {
      if (c.work) munmap(c.work, c.work_size);
      c.work = large_array(bytes);
      c.work_size = bytes;
    }
    for (int round = -1; round < opt.rounds; round++) /* the first is not counted; ways in turn */
      for (int way = 0; way < HAM_WAYS; way++) {
        double best = 1e9;
        const double begin = seconds();
        do {
          const double t = seconds();
          const int status = f32 ? ham_run_f32(&hw, way, &c) : ham_run_f64(&hw, way, &c);
          const double took = seconds() - t;
          if (status) {
            fprintf(stderr, "bench: hamiltonian_apply, %s\n", convk_strerror(status));
            exit(1);
          }
          if (took < best) best = took;
        } while (round >= 0 && seconds() - begin < 0.03);
        if (round < 0) continue;
        rate[way][round] = (way == HAM_POINT_K ? 2 : 1) * 558.0 * (double)c.points / best;
        if (!way) ceiling[round] = peak_of(hardware[i], f32, threads);
      }
    for (int way = 0; way < HAM_WAYS; way++) rate[way][0] = median(rate[way], opt.rounds);
    ceiling[0] = median(ceiling, opt.rounds);
    line("hamiltonian_apply", f32 ? "c32" : "c64", hardware[i], threads, size, rate[HAM_POINT_K][0] * 1e-9, "GFlop/s",
         ceiling[0] * 1e-9, "GFlop/s", "two real orbitals", rate[0][0] * 1e-9, -1);
    for (int way = 1; way < HAM_POINT_K; way++)
      line("hamiltonian_apply", f32 ? "f32" : "f64", hardware[i], threads, size, rate[0][0] * 1e-9, "GFlop/s",
           ceiling[0] * 1e-9, "GFlop/s", peers[way], rate[way][0] * 1e-9, -1);
    convk_close(&hw);
  }
  for (int k = 0; k < 6; k++) munmap(*arrays[k], (k < 2 ? 2 : 1) * c.points * (f32 ? 4 : 8));
  if (c.work) munmap(c.work, c.work_size);
}

static void hamiltonian(void) {
  for (int f32 = 0; f32 < 2; f32++) {
    ham_group(f32, 128, 1);
    ham_group(f32, 32, 1);
    if (opt.threads > 1) ham_group(f32, 128, opt.threads);
  }
}
