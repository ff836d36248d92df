/* What overlaps in calls on host arrays of a device, by a model (TIMELINE in ../cuda_emulator.h): nothing is computed, copies go 50 GB/s
   each way where host memory is pinned, else 10 and in turn, and kernels take what an H100 is predicted to (audit/cuda.json).
     timeline [--quick]      of each call: the total, and its ratio to the longest of copies in, work, copies out; 1 is all hidden
   Fails where pinned arrays of 512^3 points, or 100,000 items, take more than 1.25 of it. */
#include "../cuda_emulator.h"
#include "../families.h"
#include "convk.h"
#include "convk_cuda.h"

#include <cstdio>
#include <cstring>
#include <vector>

static int quick;

struct operation {
  const char *name;
  double seconds; /* of the kernels for one point and step, or item */
  size_t steps;
};

/* Arrays that nobody touches: what they hold does not matter. */
static double *array(size_t n) {
  double *const p = (double *)calloc(n, sizeof *p);
  if (!p) exit(1);
  return p;
}

static size_t fft_items(size_t n) { return n == 512 ? 100000 : 2000; }

/* Runs an operation on n^3 points, or items. */
static int run(convk *hw, const operation &o, size_t n, double *x, double *y, const std::vector<char> &plan) {
  const convk_sepconv3d_shape filtered = {{n, n, n, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0}};
  const convk_stencil7_shape swept = {{n, n, n, 0, 0}, {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED}};
  const convk_stencil7_coefficients_f64 c = convk_stencil7_isotropic_f64(0.4, 0.1);
  double *result;
  convk_batch2d batch;
  if (!strcmp(o.name, "magicfilter3d")) return convk_magicfilter3d_f64(hw, &filtered, CONVK_FORWARD, NULL, x, y, NULL, 0);
  if (!strcmp(o.name, "exp")) return convk_exp_f64(hw, n * n * n, x, y);
  if (!strcmp(o.name, "stencil7")) return convk_stencil7_f64(hw, &swept, &c, o.steps, x, y, &result, NULL, 0);
  memset(&batch, 0, sizeof batch);
  batch.items = fft_items(n);
  return convk_fftconv2d_c64(hw, (const convk_fftconv2d_plan_c64 *)(const void *)&plan[0], &batch, x, y, NULL, 0);
}

static double units(const operation &o, size_t n) {
  return !strcmp(o.name, "fftconv2d") ? (double)fft_items(n) : (double)(n * n * n) * (double)o.steps;
}

int main(int argc, char **argv) {
  static const operation operations[] = {{"exp", 1 / 209e9, 1},
                                         {"magicfilter3d", 96 / 9.3e12, 1},
                                         {"stencil7", 1 / 196e9, 1},
                                         {"stencil7", 1 / 664e9, 8},
                                         {"fftconv2d", 1 / 3.3e8, 1}};
  convk_fftconv2d_shape shape;
  convk hw;
  int wrong = 0;
  quick = argc > 1 && !strcmp(argv[1], "--quick");
  if (convk_open(&hw, "cuda")) return 1;
  memset(&shape, 0, sizeof shape);
  shape.mode = CONVK_FFT_CIRCULAR;
  shape.rows = shape.columns = shape.fft_rows = shape.fft_columns = 32;
  const std::vector<double> spectrum(2 * 32 * 32, 1.0);
  size_t bytes = 0;
  if (convk_fftconv2d_plan_size_c64(NULL, &shape, 1, &bytes)) return 1;
  std::vector<char> plan(bytes);
  if (convk_fftconv2d_prepare_spectrum_c64(NULL, &shape, 1, &spectrum[0], 0, 0, (convk_fftconv2d_plan_c64 *)(void *)&plan[0],
                                           bytes))
    return 1;
  const size_t n = quick ? 128 : 512, most = quick ? n * n * n : 2048 * fft_items(512);
  double *const x = array(most > n * n * n ? most : n * n * n), *const y = array(most > n * n * n ? most : n * n * n);
  printf("%-22s %-9s %9s %9s %9s %9s %7s\n", "f64", "memory", "in, ms", "work", "out", "total", "ratio");
  for (const operation &o : operations) {
    double busy[3], total, threads;
    /* how many threads a unit takes, of kernels that run at once for arrays that are not cut */
    const size_t small = 64;
    convk_emulator_timeline(true, true, 1);
    if (run(&hw, o, small, x, y, plan)) return 1;
    (void)convk_emulator_took(busy);
    threads = busy[1] / units(o, small);
    for (int pinned = 1; pinned >= 0; pinned--) {
      convk_emulator_timeline(true, pinned != 0, o.seconds / threads);
      if (run(&hw, o, n, x, y, plan)) return 1;
      total = convk_emulator_took(busy);
      const double longest = busy[0] > busy[1]   ? (busy[0] > busy[2] ? busy[0] : busy[2])
                             : busy[1] > busy[2] ? busy[1]
                                                 : busy[2];
      char what[32];
      snprintf(what, sizeof what, "%s%s", o.name, o.steps > 1 ? ", 8 steps" : "");
      printf("%-22s %-9s %9.2f %9.2f %9.2f %9.2f %7.2f\n", what, pinned ? "pinned" : "pageable", 1e3 * busy[0], 1e3 * busy[1],
             1e3 * busy[2], 1e3 * total, total / longest);
      if (pinned && !quick && total > 1.25 * longest) wrong++;
    }
  }
  convk_emulator_timeline(false, false, 0);
  convk_close(&hw);
  free(x);
  free(y);
  return wrong;
}
