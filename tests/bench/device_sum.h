/* Sums of filters on devices, of device_families.h: Laplacians of order 8, and by wavelets' 29 taps, on periodic grids. */

template <class T> struct derivative_of;
template <> struct derivative_of<double> {
  typedef convk_filter_f64 filter;
  static int taps(int order, double *taps, filter *f) { return convk_derivative_filter_f64(NULL, 2, order, 1, taps, f); }
};
template <> struct derivative_of<float> {
  typedef convk_filter_f32 filter;
  static int taps(int order, float *taps, filter *f) { return convk_derivative_filter_f32(NULL, 2, order, 1, taps, f); }
};

/* Largest error at some points against sums in long double. */
template <class T>
static double laplacian_error(const convk_grid3 &g, const typename derivative_of<T>::filter &f, const std::vector<T> &x,
                              const std::vector<T> &y) {
  const size_t n[3] = {g.nx, g.ny, g.nz}, pitch[3] = {1, g.nx, g.nx * g.ny};
  double worst = 0;
  for (unsigned s = 0; s < 40; s++) {
    size_t at[3];
    for (int d = 0; d < 3; d++) at[d] = s == 0 ? 0 : s == 1 ? n[d] - 1 : (size_t)(s * 2654435761u >> (3 * d)) % n[d];
    const size_t here = at[0] + n[0] * (at[1] + n[1] * at[2]);
    long double sum = 0;
    for (int d = 0; d < 3; d++)
      for (int l = f.lo; l <= f.up; l++) {
        const size_t i = (at[d] + 64 * n[d] + (size_t)(l + 64) - 64) % n[d];
        sum += (long double)f.taps[l - f.lo] * x[here - at[d] * pitch[d] + i * pitch[d]];
      }
    worst = std::max(worst, (double)std::fabs((long double)y[here] - sum));
  }
  return worst;
}

template <class T> static void measure_laplacian(const char *type, int order, size_t nx, size_t ny, size_t nz) {
  const convk_grid3 g = {nx, ny, nz, 0, 0};
  if (!wanted("sumconv3d")) return;
  const size_t points = nx * ny * nz;
  const std::vector<T> in = numbers<T>(points);
  const on_device<T> x(in), y(points);
  double time, bound;
  char size[48];
  typename derivative_of<T>::filter f;
  T taps[CONVK_DERIVATIVE_TAPS];
  must(!derivative_of<T>::taps(order, taps, &f), "derivative_filter");
  medians(
      20, [&] { must(!laplacian(&g, order, x, y), "sumconv3d"); }, [&] { copy(y, x, points); }, &time, &bound);
  must(!laplacian(&g, order, x, y), "sumconv3d");
  snprintf(size, sizeof size, "%zux%zux%zu %d taps", nx, ny, nz, f.up - f.lo + 1);
  line("sumconv3d", type, size, 1e-6 * (double)points / time, "GLUP/s", 1e-6 * (double)points / bound, "a copy",
       laplacian_error(g, f, in, y.back(0, points)));
}
