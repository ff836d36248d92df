/* What the kernels do to memory, counted in the tests' emulator of CUDA: `make count-cuda`, or
     count_cuda [--filter TEXT] [--json FILE]
   For every operation a line with the bytes that it must move for a point, an item, a pair ..., and those of its kernels:
     asked     bytes of the sectors of all requests, of which caches serve some
     touched   bytes of the sectors that are touched at all by a launch: what memory has to move if caches keep everything
     useful    share of the bytes asked for that lanes want: less than 1 where requests are not coalesced
     shared    wavefronts of shared memory for each unit, and how many times those without conflicts
     partial   share of the basic blocks that a part of a warp's lanes runs, and how many lanes are idle in all
     barriers  for each thread block
   The rules of counting are in tests/cuda_counts.h. */
#define BENCH_CUDA_PARTS
#include "../bench_cuda.cu"

static const char *filter = "";

static uint64_t bytes_asked(const convk_counts &c) { return 32 * (c.load.sectors + c.store.sectors); }
static uint64_t bytes_touched(const convk_counts &c) { return 32 * (c.load.distinct + c.store.distinct); }

static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

/* Counts one call that does `units` of work, for each of which `must` bytes have to move; per pass: for each launch. */
template <class Run>
static void count(const std::string &name, const char *unit, double units, double bytes, Run run, bool per_pass = false) {
  if (name.find(filter) == std::string::npos) return;
  convk_counts_reset();
  must(run() == 0, name.c_str());
  uint64_t asked = 0, touched = 0, launches = 0;
  for (const convk_counts &c : convk_counts_all()) {
    asked += bytes_asked(c);
    touched += bytes_touched(c);
    launches += c.launches;
  }
  if (per_pass) units *= (double)launches;
  printf("%-44s %9.4g %9.4g  must %8.4g B/%s, %.3g of it\n", name.c_str(), (double)asked / units, (double)touched / units,
         bytes, unit, ratio((double)touched / units, bytes));
  for (const convk_counts &c : convk_counts_all()) {
    const double wavefronts = (double)(c.shared_load.wavefronts + c.shared_store.wavefronts);
    const size_t prefix = c.kernel.compare(0, 11, "convk_cuda_") ? 0 : 11;
    printf("  %-42.42s %9.4g %9.4g  useful %.3f  shared %8.4g x %.3f  partial %.3f idle %.3f  barriers %.3g\n",
           c.kernel.c_str() + prefix, (double)bytes_asked(c) / units, (double)bytes_touched(c) / units,
           ratio((double)(c.load.least + c.store.least), (double)(c.load.sectors + c.store.sectors)), wavefronts / units,
           ratio(wavefronts, (double)(c.shared_load.least + c.shared_store.least)), ratio((double)c.partial, (double)c.blocks),
           1 - ratio((double)c.lanes, 32 * (double)c.blocks), ratio((double)c.barriers, (double)c.thread_blocks));
  }
  fflush(stdout);
  if (opt.json) convk_counts_json(opt.json, name.c_str());
}

static std::string named(const char *operation, const char *type, const char *size) {
  return std::string(operation) + " " + type + " " + size;
}

static std::string cube(size_t x, size_t y, size_t z) {
  return std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z);
}

template <class T> static void count_filters(const char *type, size_t nx, size_t ny, size_t nz) {
  const convk_grid3 g = {nx, ny, nz, 0, 0};
  const int periodic[3] = {CONVK_PERIODIC, CONVK_PERIODIC, CONVK_PERIODIC};
  const size_t points = nx * ny * nz, bytes = magicfilter_work(&g, periodic, T());
  const on_device<T> x(numbers<T>(points)), y(points);
  const on_device<char> work(bytes);
  count(named("magicfilter3d", type, cube(nx, ny, nz).c_str()), "point", (double)points, 4 * sizeof(T),
        [&] { return magicfilter(&g, periodic, x, y, work, bytes); });
}

template <class T> static void count_stencil(const char *type, size_t nx, size_t ny, size_t nz) {
  const size_t n[3] = {nx, ny, nz};
  stencil_arrays<T> arrays(n);
  int second;
  arrays.reset();
  for (size_t steps = 1; steps <= 8; steps *= 2)
    count(
        named("stencil7", type, cube(nx, ny, nz).c_str()) + ", steps " + std::to_string(steps), "point and pass",
        (double)arrays.points, 2 * sizeof(T),
        [&] { return stencil7(&arrays.grid, steps, NULL, arrays.a, arrays.b, arrays.shift, &second); }, true);
}

template <class T> static void count_maps(const char *type, size_t n) {
  const on_device<T> x(numbers<T>(n)), y(n), z(n);
  for (int f = 0; f < 2; f++)
    count(named(f ? "sincos" : "exp", type, std::to_string(n).c_str()), "number", (double)n, (f ? 3.0 : 2.0) * sizeof(T),
          [&] { return map(f, n, x, y, z); });
}

template <class T> static void count_gridpot(const char *type, size_t n, size_t m) {
  const on_device<T> xyz(numbers<T>(3 * n)), g(n * m);
  const both<T> alpha(std::vector<T>(m, (T)-0.1)), c(numbers<T>(8 * m));
  const std::string size = std::to_string(n) + "x" + std::to_string(m);
  count(named("gridpot", type, size.c_str()), "exponential", (double)(n * m), sizeof(T) * (1 + 3.0 / (double)m),
        [&] { return gridpot(n, xyz, m, alpha, g); });
  for (size_t sums = 1; sums <= 8; sums *= 8)
    count(named("gridpot_sum", type, (size + "x" + std::to_string(sums)).c_str()), "exponential", (double)(n * m),
          sizeof(T) * (3.0 + (double)sums) / (double)m, [&] { return gridpot_sum(n, xyz, m, alpha, sums, c, g); });
}

#define TYPED(T, type) \
  static size_t orbitals_plan(size_t n, const convk_shell *s, size_t orbitals, const T *c, const T *occupations, void *plan, \
                              size_t bytes) { \
    if (!plan) return convk_cuda_orbitals_plan_size_##type(n, s, orbitals); \
    return (size_t)convk_cuda_orbitals_plan_##type(n, s, orbitals, c, 0, occupations, plan, bytes); \
  } \
  static int orbitals(int form, size_t n, const T *xyz, const void *plan, const void *there, T *out, size_t rows) { \
    const convk_points_##type p = {n, xyz, xyz + n, xyz + 2 * n, 1}; \
    const size_t array = rows * n; \
    if (form == 2) return convk_cuda_density_##type(&p, plan, there, NULL, out, 0); \
    if (form == 1) \
      return convk_cuda_orbitals_vgl_##type(&p, plan, there, NULL, out, out + array, out + 2 * array, out + 3 * array, \
                                            out + 4 * array, 0, 0); \
    return convk_cuda_orbitals_##type(&p, plan, there, NULL, out, 0, 0); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

/* Water in a basis of s, p and d functions: 7 shells on each of three atoms. */
template <class T> static void count_orbitals(const char *type, size_t n, size_t rows) {
  static const double exponents[6] = {11720, 1759, 400.8, 113.7, 37.03, 13.27}, ones[6] = {1, 1, 1, 1, 1, 1};
  static const char *const names[] = {"orbitals", "orbitals_vgl", "density"};
  std::vector<convk_shell> shells;
  for (int atom = 0; atom < 3; atom++)
    for (int s = 0; s < 7; s++) {
      const convk_shell shell = {{0.4 * atom, 0.3 * (atom % 2), 0},
                                 s < 3   ? 0
                                 : s < 5 ? 1
                                         : 2,
                                 CONVK_SPHERICAL,
                                 s ? 2u : 6u,
                                 exponents + (s ? 4 - s % 3 : 0),
                                 ones};
      shells.push_back(shell);
    }
  size_t functions = 0;
  must(!convk_shells_functions(shells.size(), &shells[0], &functions), "functions");
  const std::vector<T> c = numbers<T>(rows * functions), occupations(rows, (T)2);
  const on_device<T> xyz(numbers<T>(3 * n)), out(5 * rows * n);
  const double values[] = {(double)rows, 5.0 * (double)rows, 1};
  for (int form = 0; form < 3; form++) {
    std::vector<char> plan(orbitals_plan(shells.size(), &shells[0], rows, &c[0], &occupations[0], NULL, 0));
    must(!orbitals_plan(shells.size(), &shells[0], rows, &c[0], form == 2 ? &occupations[0] : NULL, &plan[0], plan.size()),
         "plan of orbitals");
    const on_device<char> there(plan);
    count(named(names[form], type, (std::to_string(n) + "x" + std::to_string(rows)).c_str()), "point", (double)n,
          sizeof(T) * (3 + values[form]), [&] { return orbitals(form, n, xyz.p, &plan[0], there.p, out.p, rows); });
  }
}

template <class T> static void count_formfactor(const char *type, size_t k, const size_t n[3]) {
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
  count(named("formfactor", type, size.c_str()), "pair", pairs, sizeof(T) * (6.0 / (double)nq + 5.0 / (double)triangles),
        [&] { return formfactor(triangles, arrays, &measures, nq, q, f, work, bytes); });
  count(named("formfactor_grid", type, size.c_str()), "pair", pairs, sizeof(T) * (6.0 / (double)nq + 2.0 / (double)triangles),
        [&] { return formfactor_grid(triangles, arrays, &measures, &grid, q, f, grid_work, grid_bytes); });
}

#define TYPED(T, complex, real) \
  static size_t fft2d_plan(size_t m, void *plan, size_t bytes, T) { \
    if (!plan) return convk_fft2d_plan_size_##complex(NULL, m, m); \
    return (size_t)convk_fft2d_plan_##complex(NULL, m, m, plan, bytes); \
  } \
  static size_t fft2d_there(const void *plan, T) { return convk_cuda_fft2d_plan_size_##complex(plan); } \
  static size_t fft2d_work(const void *plan, size_t items, T) { return convk_cuda_fft2d_work_size_##complex(plan, items); } \
  static int fft2d(const void *plan, const void *there, const convk_batch2d *b, const T *in, T *out, void *work, \
                   size_t bytes) { \
    return convk_cuda_fft2d_##complex(plan, there, CONVK_FORWARD, b, in, out, work, bytes, 0); \
  } \
  static size_t real_plan_size(const convk_fftconv2d_shape *s, size_t kernels, T) { \
    return convk_fftconv2d_plan_size_##real(NULL, s, kernels); \
  } \
  static int real_plan(const convk_fftconv2d_shape *s, size_t kernels, const T *spectra, void *plan, size_t bytes) { \
    return convk_fftconv2d_plan_spectrum_##real(NULL, s, kernels, spectra, 0, 0, plan, bytes); \
  } \
  static size_t real_there(const void *plan, T) { return convk_cuda_fftconv2d_plan_size_##real(plan); } \
  static size_t real_work(const void *plan, size_t items, T) { return convk_cuda_fftconv2d_work_size_##real(plan, items); } \
  static int real_fftconv2d(const void *plan, const void *there, const convk_batch2d *b, const T *in, T *out, void *work, \
                            size_t bytes) { \
    return convk_cuda_fftconv2d_##real(plan, there, b, in, out, work, bytes, 0); \
  }
TYPED(float, c32, f32)
TYPED(double, c64, f64)
#undef TYPED

/* As the benchmark has them: fields of m / 2 - 1 squared, 24 for each kernel, and real fields of m / 2. */
template <class T> static void count_fft(const char *complex, const char *real, size_t m, size_t kernels) {
  const size_t each = 24, items = kernels * each;
  convk_fftconv2d_shape shape;
  convk_batch2d batch;
  memset(&shape, 0, sizeof shape);
  memset(&batch, 0, sizeof batch);
  shape.mode = CONVK_CIRCULAR;
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
    count(named("fftconv2d", complex, size.c_str()), "item", (double)items, 4 * field + 2 * square / (double)each,
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
    count(named("fftconv2d", real, size.c_str()), "item", (double)items, 2 * field + square / (double)each,
          [&] { return real_fftconv2d(&plan[0], there.p, &batch, in.p, out.p, work.p, bytes); });
  }
  batch.items_per_kernel = 0;
  std::vector<char> plan(fft2d_plan(m, NULL, 0, T()));
  must(!fft2d_plan(m, &plan[0], plan.size(), T()), "plan of fft2d");
  plan.resize(fft2d_there(&plan[0], T()));
  const size_t bytes = fft2d_work(&plan[0], items, T());
  const on_device<char> there(plan), work(bytes);
  count(named("fft2d", complex, size.c_str()), "item", (double)items, 4 * square,
        [&] { return fft2d(&plan[0], there.p, &batch, in.p, out.p, work.p, bytes); });
}

template <class T> static void count_pairs(const char *type, size_t n, size_t walkers) {
  const std::vector<double> at = clusters(n, walkers);
  const std::vector<T> r(at.begin(), at.end());
  const convk_pair_system system = helium(n);
  const convk_walkers all = {walkers, 0, 0};
  const size_t bytes = pair_work(n, walkers, T());
  const on_device<T> there(r), gradient(r.size());
  const on_device<convk_pair_result> result(walkers);
  const on_device<char> work(bytes);
  count(named("pair_energy", type, (std::to_string(walkers) + "x" + std::to_string(n)).c_str()), "pair",
        0.5 * (double)n * (double)(n - 1) * (double)walkers,
        (6.0 * sizeof(T) + (double)sizeof(convk_pair_result) / (double)n) / (0.5 * (double)(n - 1)),
        [&] { return pair_energy(&system, &all, there, result, gradient, work, bytes); });
}

template <class T> static void count_sweeps(const char *type, size_t n, size_t walkers) {
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
  count(named("vmc_sweep", type, (std::to_string(walkers) + "x" + std::to_string(n)).c_str()), "move",
        16 * (double)n * (double)walkers, 6.0 * sizeof(T) / 16,
        [&] { return sweeps(&vmc, there, ln_psi, drift, accepted, work, bytes); });
}

template <class T> static void count_all(const char *type, const char *complex) {
  static const size_t few[3] = {64, 16, 1}, many[3] = {64, 16, 4};
  count_stencil<T>(type, 128, 128, 32);
  count_filters<T>(type, 64, 64, 32);
  count_maps<T>(type, 100000);
  count_gridpot<T>(type, 4096, 64);
  count_orbitals<T>(type, 2048, 8);
  count_formfactor<T>(type, 4, few);
  count_formfactor<T>(type, 8, many);
  for (size_t m = 16; m <= 128; m *= 2) count_fft<T>(complex, type, m, m < 64 ? 4 : 1);
  count_pairs<T>(type, 20, 64);
  count_pairs<T>(type, 64, 16);
  count_pairs<T>(type, 256, 2);
  count_pairs<T>(type, 1024, 1);
  count_sweeps<T>(type, 20, 16);
  count_sweeps<T>(type, 256, 1);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--filter") && i + 1 < argc) filter = argv[++i];
    else if (!strcmp(argv[i], "--json") && i + 1 < argc) {
      i++;
      opt.json = fopen(argv[i], "w");
      must(opt.json != NULL, argv[i]);
    } else {
      fprintf(stderr, "usage: count_cuda [--filter TEXT] [--json FILE]\n");
      return 1;
    }
  }
  printf("%-44s %9s %9s  bytes of global memory for each unit\n", "", "asked", "touched");
  count_all<double>("f64", "c64");
  count_all<float>("f32", "c32");
  if (opt.json) fclose(opt.json);
  return 0;
}
