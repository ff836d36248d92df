/* Sums of filters, Chebyshev filters and the Hamiltonian in wavelets on device arrays, of calls_cuda.h. */

enum { SUM_CALL_ONCE, SUM_CALL_FILTER, SUM_CALL_HAMILTONIAN, SUM_CALL_POINT_K };

/* work NULL: the bytes of it.  A Laplacian of order 8 and a potential; three steps of a filter of that. */
#define TYPED(T, type, complex_type) \
  static int sum_call(int what, const convk_grid3 *g, const T *v, const T *x, T *y, double *sums, void *work, size_t *bytes) { \
    const convk_chebyshev filter = {3, -1, 4, -1.5}; \
    T taps[3][CONVK_DERIVATIVE_TAPS]; \
    convk_sumconv3d_shape shape = convk_sumconv3d_shape(); \
    convk_sumconv_terms_##type terms = convk_sumconv_terms_##type(); \
    convk_hamiltonian_shape orbital = convk_hamiltonian_shape(); \
    convk_hamiltonian_terms_##type h = {{0.5, 0.5, 0.5}, v, 0, {0, 0, 0}}; \
    shape.in = orbital.wavelets = *g; \
    for (int d = 0; d < 3; d++) \
      must(!convk_derivative_filter_##type(NULL, 2, 8, -0.5, taps[d], &terms.filter[d]), "a Laplacian"); \
    terms.potential = v; \
    terms.potential_factor = 1; \
    if (what == SUM_CALL_POINT_K) { \
      h.k[0] = 0.25; \
      return work ? convk_cuda_hamiltonian_apply_##complex_type(on_stream(), &orbital, &h, x, y, \
                                                                (convk_hamiltonian_energies *)sums, work, *bytes) \
                  : convk_cuda_hamiltonian_apply_work_size_##complex_type(on_stream(), &orbital, bytes); \
    } \
    if (what == SUM_CALL_HAMILTONIAN) \
      return work ? convk_cuda_hamiltonian_apply_##type(on_stream(), &orbital, &h, x, y, (convk_hamiltonian_energies *)sums, \
                                                        work, *bytes) \
                  : convk_cuda_hamiltonian_apply_work_size_##type(on_stream(), &orbital, bytes); \
    if (what == SUM_CALL_FILTER) \
      return work ? convk_cuda_chebyshev3d_##type(on_stream(), &shape, &terms, &filter, x, y, work, *bytes) \
                  : convk_cuda_chebyshev3d_work_size_##type(on_stream(), &shape, &terms, &filter, bytes); \
    return work ? convk_cuda_sumconv3d_##type(on_stream(), &shape, &terms, x, y, (convk_sumconv_sums *)sums, work, *bytes) \
                : convk_cuda_sumconv3d_work_size_##type(on_stream(), &shape, &terms, bytes); \
  } \
  static int segments_call(int compress, const convk_compressed_shape *shape, T *packed, T *dense) { \
    return compress ? convk_cuda_wavelet_compress_##type(on_stream(), shape, dense, packed) \
                    : convk_cuda_wavelet_uncompress_##type(on_stream(), shape, packed, dense); \
  }
TYPED(float, f32, c32)
TYPED(double, f64, c64)
#undef TYPED

/* Even sizes. */
template <class T> static void call_sums(const char *type, size_t nx, size_t ny, size_t nz) {
  static const char *const names[] = {"sumconv3d", "chebyshev3d", "hamiltonian_apply", "hamiltonian_apply at k"};
  static const double elements[] = {3, 11, 22, 60};
  const convk_grid3 g = {nx, ny, nz, 0, 0};
  const size_t points = nx * ny * nz;
  const on_device<T> v(numbers<T>(points)), x(numbers<T>(2 * points)), y(2 * points);
  const on_device<double> sums(8);
  for (int what = SUM_CALL_ONCE; what <= SUM_CALL_POINT_K; what++) {
    size_t bytes = 0;
    must(!sum_call(what, &g, v.p, x.p, y.p, sums.p, NULL, &bytes), names[what]);
    const on_device<char> work(bytes);
    each_call(named(names[what], type, cube(nx, ny, nz).c_str()), "point", (double)points, elements[what] * sizeof(T),
              [&] { return sum_call(what, &g, v.p, x.p, y.p, sums.p, work.p, &bytes); });
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
