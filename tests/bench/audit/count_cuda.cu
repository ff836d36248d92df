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

#include "../../cuda_counts.h"

static const char *filter = "";

static uint64_t bytes_asked(const convk_counts &c) { return 32 * (c.load.sectors + c.store.sectors); }
static uint64_t bytes_touched(const convk_counts &c) { return 32 * (c.load.distinct + c.store.distinct); }

static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

/* Counts one call that does `units` of work, for each of which `must` bytes have to move; per pass: for each launch. */
template <class Run>
static void each_call(const std::string &name, const char *unit, double units, double bytes, Run run, bool per_pass = false) {
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

#include "../calls_cuda.h"

template <class T> static void call_all(const char *type, const char *complex) {
  static const size_t few[3] = {64, 16, 1}, many[3] = {64, 16, 4};
  call_stencil<T>(type, 128, 128, 32);
  call_filters<T>(type, 64, 64, 32);
  call_wavelets<T>(type, 128, 32, 32);
  call_sums<T>(type, 64, 32, 32);
  call_filters<T>(type, 256, 32, 32);
  call_others<T>(type, 64, 48, 40);
  call_maps<T>(type, 100000);
  call_gridpot<T>(type, 4096, 64);
  call_orbitals<T>(type, 2048, 8);
  call_formfactor<T>(type, 4, few);
  call_formfactor<T>(type, 8, many);
  for (size_t m = 16; m <= 128; m *= 2) call_fft<T>(complex, type, m, m == 16 ? 32 : m == 32 ? 16 : 2);
  call_pairs<T>(type, 20, 64);
  call_pairs<T>(type, 64, 16);
  call_pairs<T>(type, 256, 2);
  call_pairs<T>(type, 1024, 1);
  call_moves<T>(type, 64, 64);
  call_distances<T>(type, 2048);
  call_debye<T>(type, 4096);
  call_amplitudes<T>(type, 512, 32);
  call_sweeps<T>(type, 20, 16);
  call_sweeps<T>(type, 256, 1);
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
  convk_emulator_processors(4); /* as much work for each as a large call has for those of a device */
  printf("%-44s %9s %9s  bytes of global memory for each unit\n", "", "asked", "touched");
  call_all<double>("f64", "c64");
  call_all<float>("f32", "c32");
  if (opt.json) fclose(opt.json);
  return 0;
}
