/* Sums of filters on devices, of device_families.h: Laplacians, Chebyshev filters and Hamiltonians, with the largest difference of the
   last vector from the processor's over its largest number. */

template <class T>
static double sum_error(sum_case c, const std::vector<T> &v, const std::vector<T> &x, const std::vector<T> &got) {
  std::vector<T> want(c.elements());
  double error = 0, largest = 0;
  convk hw;
  const size_t last = (c.vectors - 1) * c.elements();
  c.vectors = 1;
  must(!convk_open(&hw, NULL) && !sum_here(&hw, c, &v[0], &x[last], &want[0], NULL), "sums of filters on the processor");
  convk_close(&hw);
  for (size_t i = 0; i < want.size(); i++) {
    error = std::max(error, std::fabs((double)got[i] - (double)want[i]));
    largest = std::max(largest, std::fabs((double)want[i]));
  }
  return error / largest;
}

template <class T> static void measure_sum(const char *type, const char *complex_type, const sum_case &c) {
  if (!wanted(c.name()) || (c.sums && !bench_f64)) return;
  const size_t elements = c.elements() * c.vectors, passes = c.operation == SUM_FILTER ? (size_t)c.degree : 1;
  const double done = 1e-6 * (double)(c.points() * c.vectors * passes);
  const std::vector<T> in = numbers<T>(elements), potential = numbers<T>(c.points());
  const on_device<T> x(in), v(potential), y(elements);
  const on_device<double> sums(SUM_NUMBERS * c.vectors);
  size_t bytes = 0;
  must(!sum_call(c, v, x, y, sums, NULL, &bytes), c.name());
  const on_device<char> work(bytes);
  double time, bound;
  char size[96];
  int taps = c.order ? c.order + 1 : CONVK_DERIVATIVE_TAPS;
  const auto call = [&] { must(!sum_call(c, v, x, y, sums, &work, &bytes), c.name()); };
  medians(
      10, call, [&] { copy(y, x, elements); }, &time, &bound);
  call();
  int n = snprintf(size, sizeof size, "%zux%zux%zu", c.grid.nx, c.grid.ny, c.grid.nz);
  if (c.operation != SUM_HAMILTONIAN) n += snprintf(size + n, sizeof size - n, " %d taps", taps);
  if (c.potential && c.operation == SUM_ONCE) n += snprintf(size + n, sizeof size - n, " V");
  if (c.sums) n += snprintf(size + n, sizeof size - n, c.operation == SUM_ONCE ? " sums" : " energies");
  if (c.vectors > 1) snprintf(size + n, sizeof size - n, " of %zu", c.vectors);
  line(c.name(), c.is_complex ? complex_type : type, size, done / time, "GLUP/s",
       1e-6 * (double)(c.points() * c.vectors) / bound, "one copy",
       sum_error(c, potential, in, y.back(elements - c.elements(), c.elements())));
}

template <class T> static void measure_sums(const char *type, const char *complex_type, size_t nx, size_t ny, size_t nz) {
  const convk_grid3 g = {nx, ny, nz, 0, 0};
  const sum_case cases[] = {
      {SUM_ONCE, 8, 0, 0, 0, 0, 1, g},        {SUM_FILTER, 8, 0, 1, 0, 8, 1, g},
      {SUM_HAMILTONIAN, 0, 0, 1, 1, 0, 1, g}, {SUM_HAMILTONIAN, 0, 0, 1, 0, 0, 1, g},
      {SUM_HAMILTONIAN, 0, 1, 1, 0, 0, 1, g}, {SUM_ONCE, 0, 0, 0, 0, 0, 1, g},
      {SUM_ONCE, 8, 1, 0, 0, 0, 1, g},        {SUM_ONCE, 8, 0, 1, 1, 0, 1, g},
      {SUM_ONCE, 2, 0, 0, 0, 0, 1, g}, /* and those below not with --quick */
      {SUM_ONCE, 16, 0, 0, 0, 0, 1, g},       {SUM_ONCE, 0, 1, 0, 0, 0, 1, g},
      {SUM_ONCE, 8, 0, 1, 0, 0, 8, g},        {SUM_FILTER, 8, 0, 1, 0, 8, 8, g},
      {SUM_HAMILTONIAN, 0, 0, 1, 1, 0, 8, g},
  };
  const size_t few = !bench_builds ? 8 : sizeof(T) == 8 ? 3 : 1;
  const size_t count = opt.quick ? few : sizeof cases / sizeof *cases;
  for (size_t i = 0; i < count; i++) measure_sum<T>(type, complex_type, cases[i]);
}
