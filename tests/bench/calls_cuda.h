/* Every call on device arrays of convk_cuda.h, on data of its own: what includes this gives
     template <class Run> static void each_call(const std::string &name, const char *unit, double units, double bytes, Run run,
                                                bool per_pass = false);
   run() starts the call on `stream`, which on_stream() has, too, and gives its status; it does `units` of work, and `bytes` have
   to move for each; per pass: for each launch, too. */

static std::string named(const char *operation, const char *type, const char *size) {
  return std::string(operation) + " " + type + " " + size;
}

static std::string cube(size_t x, size_t y, size_t z) {
  return std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z);
}

template <class T> static void call_filters(const char *type, size_t nx, size_t ny, size_t nz) {
  const convk_grid3 g = {nx, ny, nz, 0, 0};
  const size_t points = nx * ny * nz, bytes = magicfilter_work(&g, T());
  const on_device<T> x(numbers<T>(points)), y(points);
  const on_device<char> work(bytes);
  each_call(named("magicfilter3d", type, cube(nx, ny, nz).c_str()), "point", (double)points, 4 * sizeof(T),
            [&] { return magicfilter(&g, x, y, work, bytes); });
  const on_device<double> sums(SUM_NUMBERS);
  for (int order = 0; order <= 8; order += 8) { /* 29 taps, and nine */
    const sum_case c = {SUM_ONCE, order, 0, 0, 0, 0, 1, g};
    size_t none = 0;
    each_call(named("sumconv3d", type, cube(nx, ny, nz).c_str()) + (order ? ", order 8" : ", D2"), "point", (double)points,
              2 * sizeof(T), [&] { return sum_call(c, x, x, y, sums, &work, &none); });
  }
}

template <class T> static void call_stencil(const char *type, size_t nx, size_t ny, size_t nz) {
  const size_t n[3] = {nx, ny, nz};
  stencil_arrays<T> arrays(n);
  int second;
  arrays.reset();
  for (size_t steps = 1; steps <= 8; steps += steps < 4 ? 3 : 4)
    each_call(
        named("stencil7", type, cube(nx, ny, nz).c_str()) + ", steps " + std::to_string(steps), "point and pass",
        (double)arrays.points, 2 * sizeof(T),
        [&] { return stencil7(&arrays.grid, steps, NULL, arrays.a, arrays.b, arrays.shift, &second); }, true);
}

template <class T> static void call_maps(const char *type, size_t n) {
  const on_device<T> x(numbers<T>(n)), y(n), z(n);
  for (int f = 0; f < 2; f++)
    each_call(named(f ? "sincos" : "exp", type, std::to_string(n).c_str()), "number", (double)n, (f ? 3.0 : 2.0) * sizeof(T),
              [&] { return map(f, n, x, y, z); });
}

template <class T> static void call_gridpot(const char *type, size_t n, size_t m) {
  const on_device<T> xyz(numbers<T>(3 * n)), g(n * m);
  const both<T> alpha(std::vector<T>(m, (T)-0.1)), c(numbers<T>(8 * m));
  const std::string size = std::to_string(n) + "x" + std::to_string(m);
  each_call(named("gridpot", type, size.c_str()), "exponential", (double)(n * m), sizeof(T) * (1 + 3.0 / (double)m),
            [&] { return gridpot(n, xyz, m, alpha, g); });
  for (size_t sums = 1; sums <= 8; sums *= 8)
    each_call(named("gridpot_sum", type, (size + "x" + std::to_string(sums)).c_str()), "exponential", (double)(n * m),
              sizeof(T) * (3.0 + (double)sums) / (double)m, [&] { return gridpot_sum(n, xyz, m, alpha, sums, c, g); });
}

/* A plan of orbitals, and its copy on the device. */
#define TYPED(T, type) \
  static std::vector<char> orbitals_plan(const std::vector<convk_shell> &s, size_t orbitals, const T *c, \
                                         const T *occupations) { \
    const convk_orbital_set_##type set = {s.size(), &s[0], orbitals, c, 0, occupations, NULL}; \
    size_t bytes = 0, there = 0; \
    must(!convk_orbitals_plan_size_##type(NULL, &set, &bytes), "plan of orbitals"); \
    std::vector<char> memory(bytes); \
    convk_orbitals_plan_##type *const plan = (convk_orbitals_plan_##type *)(void *)&memory[0]; \
    must(!convk_orbitals_prepare_##type(NULL, &set, plan, bytes), "plan of orbitals"); \
    must(!convk_orbitals_plan_bytes_##type(NULL, plan, &there) && there <= bytes, "plan of orbitals"); \
    return memory; \
  } \
  static int orbitals(int form, size_t n, const T *xyz, const char *memory, const void *there, T *out, size_t rows) { \
    const convk_points_##type p = {n, xyz, xyz + n, xyz + 2 * n, 1}; \
    const size_t array = rows * n; \
    const convk_vgl_##type vgl = {out, out + array, out + 2 * array, out + 3 * array, out + 4 * array, 0}; \
    const convk_orbitals_plan_##type *const plan = (const convk_orbitals_plan_##type *)(const void *)memory; \
    if (form == 2) return convk_cuda_density_##type(on_stream(), &p, plan, there, NULL, out); \
    if (form == 1) return convk_cuda_orbitals_vgl_##type(on_stream(), &p, plan, there, NULL, &vgl); \
    return convk_cuda_orbitals_##type(on_stream(), &p, plan, there, NULL, out, 0); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

template <class T> static void call_orbitals(const char *type, size_t n, size_t rows) {
  static const char *const names[] = {"orbitals", "orbitals_vgl", "density"};
  const std::vector<convk_shell> shells = water_shells();
  size_t functions = 0;
  must(!convk_shells_functions(NULL, shells.size(), &shells[0], &functions), "functions");
  const std::vector<T> c = numbers<T>(rows * functions), occupations(rows, (T)2);
  const on_device<T> xyz(numbers<T>(3 * n)), out(5 * rows * n);
  const double values[] = {(double)rows, 5.0 * (double)rows, 1};
  for (int form = 0; form < 3; form++) {
    const std::vector<char> plan = orbitals_plan(shells, rows, &c[0], form == 2 ? &occupations[0] : NULL);
    const on_device<char> there(plan);
    each_call(named(names[form], type, (std::to_string(n) + "x" + std::to_string(rows)).c_str()), "point", (double)n,
              sizeof(T) * (3 + values[form]), [&] { return orbitals(form, n, xyz.p, &plan[0], there.p, out.p, rows); });
  }
}

template <class T> static void call_formfactor(const char *type, size_t k, const size_t n[3]) {
  const std::vector<T> corners = box_corners<T>(k);
  const size_t triangles = corners.size() / 9, nq = n[0] * n[1] * n[2];
  const convk_grid3 grid = {n[0], n[1], n[2], 0, 0};
  std::vector<T> storage(6 * triangles);
  typename mesh_type<T>::mesh mesh;
  convk_mesh_measures measures;
  mesh_of(triangles, &storage[0], &mesh);
  mesh_fill(&corners[0], &mesh, &measures);
  const on_device<T> arrays(storage), q(numbers<T>(3 * nq)), f(2 * nq);
  const std::string size = cube(n[0], n[1], n[2]) + "x" + std::to_string(triangles);
  const double pairs = (double)nq * (double)triangles;
  const size_t bytes = formfactor_work(triangles, nq, T()), grid_bytes = formfactor_grid_work(triangles, &grid, T());
  const on_device<char> work(bytes), grid_work(grid_bytes);
  each_call(named("formfactor", type, size.c_str()), "pair", pairs, sizeof(T) * (6.0 / (double)nq + 5.0 / (double)triangles),
            [&] { return formfactor(triangles, arrays, &measures, nq, q, f, work, bytes); });
  each_call(named("formfactor_grid", type, size.c_str()), "pair", pairs,
            sizeof(T) * (6.0 / (double)nq + 2.0 / (double)triangles),
            [&] { return formfactor_grid(triangles, arrays, &measures, &grid, q, f, grid_work, grid_bytes); });
}

#define TYPED(T, complex, real) \
  static size_t fft2d_plan(size_t m, void *plan, size_t bytes, T) { \
    size_t size = 0; \
    if (!plan) return convk_fft2d_plan_size_##complex(NULL, m, m, &size) ? 0 : size; \
    return (size_t)convk_fft2d_prepare_##complex(NULL, m, m, (convk_fft2d_plan_##complex *)plan, bytes); \
  } \
  static size_t fft2d_there(const void *plan, T) { \
    size_t bytes = 0; \
    must(!convk_fft2d_plan_bytes_##complex(NULL, (const convk_fft2d_plan_##complex *)plan, &bytes), "bytes of a plan"); \
    return bytes; \
  } \
  static size_t fft2d_work(const void *plan, size_t items, T) { \
    size_t bytes = 0; \
    must(!convk_cuda_fft2d_work_size_##complex(NULL, (const convk_fft2d_plan_##complex *)plan, items, &bytes), \
         "size of work"); \
    return bytes; \
  } \
  static int fft2d(const void *plan, const void *there, const convk_batch2d *b, const T *in, T *out, void *work, \
                   size_t bytes) { \
    return convk_cuda_fft2d_##complex(on_stream(), (const convk_fft2d_plan_##complex *)plan, there, CONVK_FORWARD, b, in, out, \
                                      work, bytes); \
  } \
  static size_t real_plan_size(const convk_fftconv2d_shape *s, size_t kernels, T) { \
    size_t bytes = 0; \
    must(!convk_fftconv2d_plan_size_##real(NULL, s, kernels, &bytes), "size of a plan of real fftconv2d"); \
    return bytes; \
  } \
  static int real_plan(const convk_fftconv2d_shape *s, size_t kernels, const T *spectra, void *plan, size_t bytes) { \
    return convk_fftconv2d_prepare_spectrum_##real(NULL, s, kernels, spectra, 0, 0, (convk_fftconv2d_plan_##real *)plan, \
                                                   bytes); \
  } \
  static size_t real_there(const void *plan, T) { \
    size_t bytes = 0; \
    must(!convk_fftconv2d_plan_bytes_##real(NULL, (const convk_fftconv2d_plan_##real *)plan, &bytes), "bytes of a plan"); \
    return bytes; \
  } \
  static size_t real_work(const void *plan, size_t items, T) { \
    size_t bytes = 0; \
    must(!convk_cuda_fftconv2d_work_size_##real(NULL, (const convk_fftconv2d_plan_##real *)plan, items, &bytes), \
         "size of work"); \
    return bytes; \
  } \
  static int real_fftconv2d(const void *plan, const void *there, const convk_batch2d *b, const T *in, T *out, void *work, \
                            size_t bytes) { \
    return convk_cuda_fftconv2d_##real(on_stream(), (const convk_fftconv2d_plan_##real *)plan, there, b, in, out, work, \
                                       bytes); \
  }
TYPED(float, c32, f32)
TYPED(double, c64, f64)
#undef TYPED

/* As the benchmark has them: fields of m / 2 - 1 squared, 24 for each kernel, and real fields of m / 2; few if quick. */
template <class T> static void call_fft(const char *complex, const char *real, size_t m, size_t kernels) {
  const size_t each = opt.quick ? 5 : 24, items = kernels * each;
  convk_fftconv2d_shape shape;
  convk_batch2d batch;
  memset(&shape, 0, sizeof shape);
  memset(&batch, 0, sizeof batch);
  shape.mode = CONVK_FFT_CIRCULAR;
  shape.rows = shape.columns = m / 2 - 1;
  shape.fft_rows = shape.fft_columns = m;
  batch.items = items;
  batch.items_per_kernel = each;
  const std::string size = std::to_string(m) + "x" + std::to_string(m) + "x" + std::to_string(items);
  const std::vector<T> spectra = numbers<T>(2 * m * m * kernels);
  const on_device<T> in(numbers<T>(2 * m * m * items)), out(2 * m * m * items);
  const double square = (double)(m * m * sizeof(T));
  {
    const double field = (double)(shape.rows * shape.rows * sizeof(T));
    std::vector<char> plan(fft_plan_size(&shape, kernels, T()));
    must(!fft_plan(&shape, kernels, &spectra[0], &plan[0], plan.size()), "plan of fftconv2d");
    plan.resize(fft_there(&plan[0], T()));
    const size_t bytes = fft_work(&plan[0], items, T());
    const on_device<char> there(plan), work(bytes);
    each_call(named("fftconv2d", complex, size.c_str()), "item", (double)items, 4 * field + 2 * square / (double)each,
              [&] { return fftconv2d(&plan[0], there, &batch, in, out, work, bytes); });
  }
  {
    shape.rows = shape.columns = m / 2;
    const double field = (double)(shape.rows * shape.rows * sizeof(T));
    std::vector<char> plan(real_plan_size(&shape, kernels, T()));
    must(!real_plan(&shape, kernels, &spectra[0], &plan[0], plan.size()), "plan of real fftconv2d");
    plan.resize(real_there(&plan[0], T()));
    const size_t bytes = real_work(&plan[0], items, T());
    const on_device<char> there(plan), work(bytes);
    each_call(named("fftconv2d", real, size.c_str()), "item", (double)items, 2 * field + square / (double)each,
              [&] { return real_fftconv2d(&plan[0], there.p, &batch, in.p, out.p, work.p, bytes); });
  }
  batch.items_per_kernel = 0;
  std::vector<char> plan(fft2d_plan(m, NULL, 0, T()));
  must(!fft2d_plan(m, &plan[0], plan.size(), T()), "plan of fft2d");
  plan.resize(fft2d_there(&plan[0], T()));
  const size_t bytes = fft2d_work(&plan[0], items, T());
  const on_device<char> there(plan), work(bytes);
  each_call(named("fft2d", complex, size.c_str()), "item", (double)items, 4 * square,
            [&] { return fft2d(&plan[0], there.p, &batch, in.p, out.p, work.p, bytes); });
}

template <class T> static void call_pairs(const char *type, size_t n, size_t walkers) {
  const std::vector<double> at = clusters(n, walkers);
  const std::vector<T> r(at.begin(), at.end());
  const convk_pair_system system = helium(n);
  const convk_pair_walkers all = {walkers, 0, 0};
  const size_t bytes = pair_work(n, walkers, T());
  const on_device<T> there(r), gradient(r.size());
  const on_device<convk_pair_result> result(walkers);
  const on_device<char> work(bytes);
  each_call(named("pair_energy", type, (std::to_string(walkers) + "x" + std::to_string(n)).c_str()), "pair",
            0.5 * (double)n * (double)(n - 1) * (double)walkers,
            (6.0 * sizeof(T) + (double)sizeof(convk_pair_result) / (double)n) / (0.5 * (double)(n - 1)),
            [&] { return pair_energy(&system, &all, there, result, gradient, work, bytes); });
}

template <class T> static void call_sweeps(const char *type, size_t n, size_t walkers) {
  const std::vector<double> at = clusters(n, walkers);
  const std::vector<T> r(at.begin(), at.end());
  convk_vmc vmc;
  memset(&vmc, 0, sizeof vmc);
  vmc.system = helium(n);
  vmc.walkers = walkers;
  vmc.seed = 1;
  vmc.step = 0.8;
  vmc.acceptance = -1;
  vmc.equilibration = 1000;
  const size_t bytes = sweeps_work(&vmc, T());
  const on_device<T> there(r);
  const on_device<double> ln_psi(std::vector<double>(walkers, 0.0)), drift(walkers);
  const on_device<uint32_t> accepted(walkers);
  const on_device<char> work(bytes);
  each_call(named("vmc_sweep", type, (std::to_string(walkers) + "x" + std::to_string(n)).c_str()), "move",
            16 * (double)n * (double)walkers, 6.0 * sizeof(T) / 16,
            [&] { return sweeps(&vmc, there, ln_psi, drift, accepted, work, bytes); });
}

/* ---- the calls that the benchmark does not have ---- */

#define TYPED(T, type) \
  static int box(const convk_grid3 *g, const T *a, T *b) { \
    const convk_stencil7_coefficients_##type c = convk_stencil7_isotropic_##type((T)0.4, (T)0.1); \
    const convk_stencil7_shape shape = {*g, {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED}}; \
    const convk_box3 all = {{1, 1, 1}, {g->nx - 2, g->ny - 2, g->nz - 2}}; \
    return convk_cuda_stencil7_box_##type(on_stream(), &shape, &c, &all, a, b, NULL, 0); \
  } \
  static int box_copy(const convk_grid3 *g, const T *from, T *packed) { \
    const size_t count[3] = {g->nx - 1, g->ny, 1}, first[3] = {1, 0, g->nz - 1}; \
    return convk_cuda_box_copy_##type(on_stream(), count, g, first, from, NULL, NULL, packed); \
  } \
  static int sepconv(const convk_grid3 *g, const T *taps, const T *x, T *y, double *sums, const T *potential, T *density, \
                     void *work, size_t *bytes) { \
    const convk_filter_##type filter[3] = {{-2, 3, taps}, {-1, 1, taps}, {0, 4, taps}}; \
    const convk_sepconv3d_shape shape = { \
        *g, {0, 0, 0, 0, 0}, {CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_ZERO}}; \
    const convk_sepconv_epilogue_##type e = {potential, density, 2, sums, sums + 1, 0, 1, 0}; \
    if (!work) return convk_cuda_sepconv3d_work_size_##type(on_stream(), &shape, filter, &e, bytes); \
    return convk_cuda_sepconv3d_##type(on_stream(), &shape, filter, &e, x, y, work, *bytes); \
  } \
  static int hamiltonian(const convk_grid3 *g, const T *v, const T *x, T *y, convk_sumconv_sums *sums, void *work, \
                         size_t *bytes) { \
    const convk_sumconv3d_shape shape = {*g, {0, 0, 0, 0, 0}, {0, 0, 0}, 0, 0, 0}; \
    convk_sumconv_terms_##type terms = convk_sumconv_terms_##type(); \
    T taps[2][CONVK_DERIVATIVE_TAPS]; \
    for (int d = 0; d < 3; d++) { \
      (void)convk_derivative_filter_##type(NULL, 2, 8, 1, taps[0], &terms.filter[d]); \
      (void)convk_derivative_filter_##type(NULL, 1, 8, 1, taps[1], &terms.first[d]); \
      terms.mixed[d] = (T)0.1; \
    } \
    terms.potential = v; \
    terms.potential_factor = 1; \
    if (!work) return convk_cuda_sumconv3d_work_size_##type(on_stream(), &shape, &terms, bytes); \
    return convk_cuda_sumconv3d_##type(on_stream(), &shape, &terms, x, y, sums, work, *bytes); \
  } \
  static int potential_apply(const convk_grid3 *g, const T *v, const T *x, T *y, double *sums, void *work, size_t *bytes) { \
    const convk_sepconv3d_shape shape = periodic_shape(g); \
    if (!work) return convk_cuda_potential_apply_work_size_##type(on_stream(), &shape, bytes); \
    return convk_cuda_potential_apply_##type(on_stream(), &shape, v, x, y, sums, work, *bytes); \
  } \
  static int transposed(size_t n, size_t ndat, const T *x, T *y) { \
    const convk_filter_##type f = convk_magicfilter_taps_##type(CONVK_FORWARD); \
    const convk_conv1d_shape shape = {n, ndat, 0, 0, CONVK_BOUNDARY_PERIODIC}; \
    return convk_cuda_conv1d_transpose_##type(on_stream(), &shape, &f, x, y, NULL, 0); \
  } \
  static int other_map(int log, size_t n, const T *x, T *y) { \
    return log ? convk_cuda_log_##type(on_stream(), n, x, y) : convk_cuda_expm1_##type(on_stream(), n, x, y); \
  } \
  static int pair_potential(const convk_pair_potential *p, size_t n, const T *r, T *v) { \
    return convk_cuda_pair_potential_##type(on_stream(), p, n, r, v); \
  } \
  static int pair_move(const convk_pair_system *s, const convk_pair_walkers *w, const T *r, const T *to, \
                       convk_pair_move_result *result) { \
    return convk_cuda_pair_move_##type(on_stream(), s, w, 1, r, to, result); \
  } \
  static int pair_accept(const convk_pair_system *s, const convk_pair_walkers *w, const T *to, const unsigned char *accept, \
                         T *r, T *gradient) { \
    return convk_cuda_pair_accept_##type(on_stream(), s, w, 1, to, accept, r, gradient); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

template <class T> static void call_others(const char *type, size_t nx, size_t ny, size_t nz) {
  const convk_grid3 g = {nx, ny, nz, 0, 0};
  const size_t points = nx * ny * nz;
  const std::string size = cube(nx, ny, nz);
  static const T taps[6] = {(T)0.5, (T)-0.25, (T)0.75, (T)0.125, (T)-0.5, (T)0.25};
  const on_device<T> x(numbers<T>(points)), y(points), v(numbers<T>(points)), density(numbers<T>(points));
  const on_device<double> sums(2);
  size_t bytes = 0;
  sepconv(&g, taps, x.p, y.p, sums.p, v.p, density.p, NULL, &bytes);
  const on_device<char> work(bytes);
  each_call(named("sepconv3d", type, size.c_str()) + ", sums, potential, density", "point", (double)points, 7 * sizeof(T),
            [&] { return sepconv(&g, taps, x.p, y.p, sums.p, v.p, density.p, work.p, &bytes); });
  size_t more = 0;
  potential_apply(&g, v.p, x.p, y.p, sums.p, NULL, &more);
  const on_device<char> work_apply(more);
  each_call(named("potential_apply", type, size.c_str()) + ", energy", "point", (double)points, 9 * sizeof(T),
            [&] { return potential_apply(&g, v.p, x.p, y.p, sums.p, work_apply.p, &more); });
  size_t most = 0;
  hamiltonian(&g, v.p, x.p, y.p, NULL, NULL, &most);
  const on_device<char> work_sums(most);
  const on_device<convk_sumconv_sums> one(1);
  each_call(named("sumconv3d", type, size.c_str()) + ", mixed terms, sums", "point", (double)points, 3 * sizeof(T),
            [&] { return hamiltonian(&g, v.p, x.p, y.p, one.p, work_sums.p, &most); });
  each_call(named("conv1d_transpose", type, (std::to_string(nx) + "x" + std::to_string(ny * nz)).c_str()), "point",
            (double)points, 2 * sizeof(T), [&] { return transposed(nx, ny * nz, x.p, y.p); });
  each_call(named("stencil7_box", type, size.c_str()), "point", (double)((nx - 2) * (ny - 2) * (nz - 2)), 2 * sizeof(T),
            [&] { return box(&g, x.p, y.p); });
  each_call(named("box_copy", type, size.c_str()), "point", (double)((nx - 1) * ny), 2 * sizeof(T),
            [&] { return box_copy(&g, x.p, y.p); });
  for (int log = 0; log < 2; log++)
    each_call(named(log ? "log" : "expm1", type, std::to_string(points).c_str()), "number", (double)points, 2 * sizeof(T),
              [&] { return other_map(log, points, x.p, y.p); });
}

template <class T> static void call_moves(const char *type, size_t n, size_t walkers) {
  const std::vector<double> at = clusters(n, walkers);
  const std::vector<T> r(at.begin(), at.end());
  const convk_pair_system system = helium(n);
  const convk_pair_walkers all = {walkers, 0, 0};
  const on_device<T> there(r), gradient(r), to(numbers<T>(3 * walkers)), values(r.size());
  const on_device<convk_pair_move_result> result(walkers);
  const std::string size = std::to_string(walkers) + "x" + std::to_string(n);
  each_call(named("pair_potential", type, std::to_string(r.size()).c_str()), "distance", (double)r.size(), 2 * sizeof(T),
            [&] { return pair_potential(&system.potential, r.size(), there.p, values.p); });
  each_call(named("pair_move", type, size.c_str()), "pair", (double)(n * walkers), 3 * sizeof(T),
            [&] { return pair_move(&system, &all, there.p, to.p, result.p); });
  each_call(named("pair_accept", type, size.c_str()), "pair", (double)(n * walkers), 9 * sizeof(T),
            [&] { return pair_accept(&system, &all, to.p, NULL, there.p, gradient.p); });
}

#define TYPED(T, type) \
  static int histogram(size_t n, const T *x, uint64_t *count, uint64_t *place, char *work, size_t *bytes) { \
    const convk_cell cell = {{2, 0, 0}, {0, 0, 0}, {0, 0, 0}}; \
    const convk_cuda_atoms_##type atoms = {n, 1, n, x, x + n, x + 2 * n, NULL, NULL}; \
    const convk_cuda_distances_##type to = {200, 1, 0.01, 1, count, {place, NULL}, NULL}; \
    return work ? convk_cuda_pair_histogram_##type(on_stream(), &atoms, &cell, NULL, &to, work, *bytes) \
                : convk_cuda_pair_histogram_work_size_##type(NULL, &atoms, &to, bytes); \
  } \
  static int debye(size_t bins, const uint64_t *count, T *q, char *work, size_t *bytes) { \
    uint64_t *const all = const_cast<uint64_t *>(count); \
    const convk_cuda_distances_##type from = {bins, 1, 0.01, 2, all, {all, all}, NULL}; \
    const convk_cuda_intensities_##type to = {580, q, q + 580, NULL}; \
    return work ? convk_cuda_debye_##type(on_stream(), &from, NULL, NULL, &to, work, *bytes) \
                : convk_cuda_debye_work_size_##type(NULL, &from, &to, bytes); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

/* Work has atoms in an order that is another one each time. */
template <class T> static void call_distances(const char *type, size_t n) {
  const on_device<T> x(numbers<T>(3 * n));
  const on_device<uint64_t> count(std::vector<uint64_t>(200, 5)), place(std::vector<uint64_t>(200, 7));
  size_t bytes = 0;
  histogram(n, x.p, count.p, place.p, NULL, &bytes);
  const on_device<char> work(bytes);
  each_call(named("pair_histogram", type, std::to_string(n).c_str()), "pair", (double)n * (double)(n - 1) / 2,
            3.0 * sizeof(T) / (double)n, [&] { return histogram(n, x.p, count.p, place.p, work.p, &bytes); });
}

template <class T> static void call_debye(const char *type, size_t bins) {
  const on_device<T> q(numbers<T>(1160));
  const on_device<uint64_t> count(std::vector<uint64_t>(2 * bins, 5));
  size_t bytes = 0;
  debye(bins, count.p, q.p, NULL, &bytes);
  const on_device<char> work(bytes);
  each_call(named("debye", type, std::to_string(bins).c_str()), "bin", 580.0 * (double)bins, 32.0 / 580,
            [&] { return debye(bins, count.p, q.p, work.p, &bytes); });
}

#define TYPED(T, type) \
  static int amplitudes(size_t n, size_t m, int grid, const T *x, T *f, char *work, size_t *bytes) { \
    const convk_cuda_atoms_##type atoms = {n, 1, n, x, x + n, x + 2 * n, NULL, x}; \
    const convk_q_##type q = {m, x + 1, x + 2, x + 3, NULL, NULL, NULL}; \
    const convk_grid3 g = {m, m, m, 0, 0}; \
    if (!work) \
      return grid ? convk_cuda_amplitudes_grid_work_size_##type(NULL, &atoms, &g, NULL, bytes) \
                  : convk_cuda_amplitudes_work_size_##type(NULL, &atoms, &q, NULL, bytes); \
    return grid ? convk_cuda_amplitudes_grid_##type(on_stream(), &atoms, &g, &q, NULL, f, work, *bytes) \
                : convk_cuda_amplitudes_##type(on_stream(), &atoms, &q, NULL, f, work, *bytes); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

template <class T> static void call_amplitudes(const char *type, size_t n, size_t m) {
  const on_device<T> x(numbers<T>(3 * n)), f(2 * m * m * m);
  size_t bytes[2] = {0, 0};
  for (int grid = 0; grid < 2; grid++) amplitudes(n, m, grid, x.p, f.p, NULL, &bytes[grid]);
  const on_device<char> work(bytes[0]), grid_work(bytes[1]);
  each_call(named("amplitudes", type, std::to_string(m).c_str()), "pair", (double)n * (double)m, 3.0 * sizeof(T) / (double)m,
            [&] { return amplitudes(n, m, 0, x.p, f.p, work.p, &bytes[0]); });
  each_call(named("amplitudes_grid", type, cube(m, m, m).c_str()), "pair", (double)n * (double)(m * m * m),
            2.0 * sizeof(T) / (double)n, [&] { return amplitudes(n, m, 1, x.p, f.p, grid_work.p, &bytes[1]); });
}

#include "calls_cuda_dwt.h"
#include "calls_cuda_sum.h"
