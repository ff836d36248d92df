// The library in a C++11 program: a handle that closes itself, vectors as arrays, and a check. Where the filter sees
// only known points, IMF undoes MF exactly on polynomials up to degree 15 in each variable.
#define CONVK_WITH_FILTERS /* the other families are left out: they take their time to compile */
#define CONVK_F64
#define CONVK_SIMD
#include "convk.h"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace {

void check(int status) {
  if (status) {
    throw std::runtime_error(convk_strerror(status));
  }
}

class Hardware {
public:
  explicit Hardware(const char *spec = nullptr) : handle() { check(convk_open(&handle, spec)); }
  ~Hardware() { convk_close(&handle); }
  Hardware(const Hardware &) = delete;
  Hardware &operator=(const Hardware &) = delete;
  convk *get() { return &handle; }
  const char *name() const { return handle.name; }

private:
  convk handle;
};

struct Field {
  convk_grid3 grid;
  std::vector<double> data;
  Field(std::size_t nx, std::size_t ny, std::size_t nz) : grid{nx, ny, nz, 0, 0}, data(nx * ny * nz) {}
  double &at(std::size_t x, std::size_t y, std::size_t z) { return data[(z * grid.ny + y) * grid.nx + x]; }
};

// The shrinking boundary gives only what is known: taps - 1 = 15 points fewer along each axis.
Field transform(Hardware &hw, int direction, const Field &in) {
  Field out(in.grid.nx - 15, in.grid.ny - 15, in.grid.nz - 15);
  const convk_sepconv3d_shape shape{in.grid, out.grid, {CONVK_BOUNDARY_SHRINK, CONVK_BOUNDARY_SHRINK, CONVK_BOUNDARY_SHRINK}};
  check(convk_magicfilter3d_f64(hw.get(), &shape, direction, nullptr, in.data.data(), out.data.data(), nullptr, 0));
  return out;
}

double polynomial(std::size_t i, std::size_t j, std::size_t k) {
  const auto scaled = [](std::size_t index) { return static_cast<double>(index) / 20 - 1; };
  const double x = scaled(i), y = scaled(j), z = scaled(k);
  return 1 + x * (0.5 - y * y) + z * z * z * (0.25 + x * y) + std::pow(x, 7);
}

} // namespace

int main() {
  try {
    Hardware hw;
    Field in(41, 35, 37);
    for (std::size_t z = 0; z < in.grid.nz; z++) {
      for (std::size_t y = 0; y < in.grid.ny; y++) {
        for (std::size_t x = 0; x < in.grid.nx; x++) {
          in.at(x, y, z) = polynomial(x, y, z);
        }
      }
    }
    // MF starts at tap -8 and IMF at tap -7: together the first known point is number 15.
    Field back = transform(hw, CONVK_INVERSE, transform(hw, CONVK_FORWARD, in));
    double worst = 0;
    for (std::size_t z = 0; z < back.grid.nz; z++) {
      for (std::size_t y = 0; y < back.grid.ny; y++) {
        for (std::size_t x = 0; x < back.grid.nx; x++) {
          const double error = std::fabs(back.at(x, y, z) - polynomial(x + 15, y + 15, z + 15));
          worst = error <= worst ? worst : error;
        }
      }
    }
    const bool good = worst <= 1e-13;
    std::printf("embed.cpp: C++11, %s: IMF(MF(polynomial)) on %zu x %zu x %zu points, largest error %.1e: %s\n", hw.name(),
                back.grid.nx, back.grid.ny, back.grid.nz, worst, good ? "ok" : "WRONG");
    return good ? 0 : 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "embed.cpp: %s\n", error.what());
    return 1;
  }
}
