/* Sums of filters, Chebyshev filters and the Hamiltonian in wavelets on device arrays, of calls_cuda.h. */

#define TYPED(T, type) \
  static int segments_call(int compress, const convk_compressed_shape *shape, T *packed, T *dense) { \
    return compress ? convk_cuda_wavelet_compress_##type(on_stream(), shape, dense, packed) \
                    : convk_cuda_wavelet_uncompress_##type(on_stream(), shape, packed, dense); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

/* Even sizes. */
template <class T> static void call_sums(const char *type, size_t nx, size_t ny, size_t nz) {
  static const char *const names[] = {"sumconv3d", "chebyshev3d", "hamiltonian_apply", "hamiltonian_apply at k"};
  static const double elements[] = {3, 11, 22, 60};
  const convk_grid3 g = {nx, ny, nz, 0, 0};
  const size_t points = nx * ny * nz;
  const on_device<T> v(numbers<T>(points)), x(numbers<T>(2 * points)), y(2 * points);
  const on_device<double> sums(SUM_NUMBERS);
  const sum_case cases[] = {{SUM_ONCE, 8, 0, 1, 1, 0, 1, g},   /* a Laplacian of order 8 and a potential */
                            {SUM_FILTER, 8, 0, 1, 0, 3, 1, g}, /* three steps of a filter of that */
                            {SUM_HAMILTONIAN, 0, 0, 1, 1, 0, 1, g},
                            {SUM_HAMILTONIAN, 0, 1, 1, 1, 0, 1, g}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t bytes = 0;
    must(!sum_call(cases[i], v, x, y, sums, NULL, &bytes), names[i]);
    const on_device<char> work(bytes);
    each_call(named(names[i], type, cube(nx, ny, nz).c_str()), "point", (double)points, elements[i] * sizeof(T),
              [&] { return sum_call(cases[i], v, x, y, sums, &work, &bytes); });
  }
  const on_device<size_t> lists(std::vector<size_t>{0, points / 8 - 1, 0}); /* all points */
  convk_compressed_shape shape = convk_compressed_shape();
  shape.dense = g;
  shape.coarse = {1, lists.p, lists.p + 2, points / 8};
  shape.fine = shape.coarse;
  for (int compress = 0; compress < 2; compress++) /* into arrays that hold something else */
    each_call(named(compress ? "wavelet_compress" : "wavelet_uncompress", type, cube(nx, ny, nz).c_str()), "point",
              (double)points, 2 * sizeof(T), [&] { return segments_call(compress, &shape, compress ? y.p : x.p, v.p); });
}
