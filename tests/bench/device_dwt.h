/* Wavelets on devices, of device_families.h: analysis and synthesis on periodic grids, with the error of there and back. */

template <class T> static void measure_dwt(const char *type, size_t nx, size_t ny, size_t nz) {
  static const char *const names[] = {"dwt3d", "idwt3d"};
  const convk_grid3 g = {nx, ny, nz, 0, 0};
  if (!wanted(names[0])) return; /* either: idwt3d has it in its name */
  const size_t points = nx * ny * nz, bytes = dwt_work(&g, T());
  const std::vector<T> in = numbers<T>(points);
  const on_device<T> x(in), y(points), z(points);
  const on_device<char> work(bytes);
  double time[2], bound[2], worst = 0;
  char size[48];
  for (int back = 0; back < 2; back++)
    medians(
        20, [&] { must(!dwt(back, &g, back ? y : x, back ? z : y, work, bytes), names[back]); }, [&] { copy(z, x, points); },
        &time[back], &bound[back]);
  must(!dwt(0, &g, x, y, work, bytes) && !dwt(1, &g, y, z, work, bytes), "dwt3d, idwt3d");
  const std::vector<T> out = z.back(0, points);
  for (size_t i = 0; i < points; i++) worst = std::max(worst, (double)std::fabs((double)out[i] - (double)in[i]));
  snprintf(size, sizeof size, "%zux%zux%zu", nx, ny, nz);
  for (int back = 0; back < 2; back++) /* two passes of reading and writing */
    line(names[back], type, size, 96e-6 * (double)points / time[back], "GFlop/s", 96e-6 * (double)points / (2 * bound[back]),
         "two copies", worst);
}
