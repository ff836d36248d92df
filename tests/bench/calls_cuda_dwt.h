/* Wavelets on device arrays, of calls_cuda.h. */

enum { DWT_CALL_FORTH, DWT_CALL_BACK, DWT_CALL_TO_R, DWT_CALL_TO_S1 };

/* work NULL: the bytes of it. */
#define TYPED(T, type) \
  static int dwt_call(int what, const convk_grid3 *g, int levels, const T *x, T *y, void *work, size_t *bytes) { \
    const convk_wavelet_##type w = convk_wavelet_taps_##type(CONVK_WAVELET_DAUBECHIES16); \
    const convk_dwt3d_shape shape = {*g, {0, 0, 0, 0, 0}, {0, 0, 0}, levels}; \
    if (what == DWT_CALL_FORTH) \
      return work ? convk_cuda_dwt3d_##type(on_stream(), &shape, &w, x, y, work, *bytes) \
                  : convk_cuda_dwt3d_work_size_##type(on_stream(), &shape, &w, bytes); \
    if (what == DWT_CALL_BACK) \
      return work ? convk_cuda_idwt3d_##type(on_stream(), &shape, &w, x, y, work, *bytes) \
                  : convk_cuda_idwt3d_work_size_##type(on_stream(), &shape, &w, bytes); \
    if (what == DWT_CALL_TO_R) \
      return work ? convk_cuda_s1_to_r_##type(on_stream(), &shape, x, y, work, *bytes) \
                  : convk_cuda_s1_to_r_work_size_##type(on_stream(), &shape, bytes); \
    return work ? convk_cuda_r_to_s1_##type(on_stream(), &shape, x, y, work, *bytes) \
                : convk_cuda_r_to_s1_work_size_##type(on_stream(), &shape, bytes); \
  }
TYPED(float, f32)
TYPED(double, f64)
#undef TYPED

/* Sizes that are multiples of four. */
template <class T> static void call_wavelets(const char *type, size_t nx, size_t ny, size_t nz) {
  static const char *const names[] = {"dwt3d", "idwt3d", "s1_to_r", "r_to_s1"};
  const convk_grid3 g = {nx, ny, nz, 0, 0};
  const size_t points = nx * ny * nz;
  const on_device<T> x(numbers<T>(points)), y(points);
  for (int what = DWT_CALL_FORTH; what <= DWT_CALL_TO_S1; what++)
    for (int levels = 1; levels <= (what < DWT_CALL_TO_R ? 2 : 1); levels++) {
      size_t bytes = 0;
      dwt_call(what, &g, levels, x.p, y.p, NULL, &bytes);
      const on_device<char> work(bytes);
      each_call(named(names[what], type, cube(nx, ny, nz).c_str()) + (levels > 1 ? ", 2 levels" : ""), "point", (double)points,
                (levels > 1 ? 4.5 : 4) * sizeof(T), [&] { return dwt_call(what, &g, levels, x.p, y.p, work.p, &bytes); });
    }
}
