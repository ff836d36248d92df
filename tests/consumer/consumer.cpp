// The same program with convk.hpp, which the target convk::hpp has, in C++17.
#define CONVK_WITH_SEPCONV
#define CONVK_F64
#include <convk.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  constexpr std::size_t n = 20;
  std::vector<double> in(n * n * n, 1), out(in.size());
  const convk_sepconv3d_shape shape = {{n, n, n, 0, 0}, {}, {}};
  double worst = 0;
  cvk::handle hw;
  hw.magicfilter3d(shape, CONVK_FORWARD, nullptr, in, out);
  for (const double x : out) worst = std::fmax(worst, std::fabs(x - 1));
  std::printf("consumer: convk %d, %s: success, %.1e from 1\n", CONVK_VERSION, hw.get()->name, worst);
  return !(worst <= 1e-14);
}
