/* SPDX-License-Identifier: MIT
   Every operation, type and variant that this machine runs, against independent references.

   Its units, of which each has the tests of a family, link what tests/objects.sh makes of the library: make build/harness.
   tests/whole.c is all of it as one unit:

     cc -std=c99 -D_GNU_SOURCE -O2 -ffp-contract=off -I. -DCONVK_SSE -DCONVK_AVX -DCONVK_AVX_WITHOUT_AVX2 tests/whole.c -lm -pthread
       OpenCL            -DCONVK_CL -DCL_TARGET_OPENCL_VERSION=120 ... -lOpenCL
       CUDA on the CPU   g++ -std=c++11 -x c++ -DCONVK_CUDA -DCONVK_TEST_CUDA_EMULATED ...
       CUDA              nvcc -x cu -DCONVK_CUDA -Xcompiler -ffp-contract=off ...

   test [--filter TEXT,...] [--skip TEXT,...] [--hw NAME,...] [--type TYPE] [--seed N] [--brief] [--other] [--quick] [--long] [--full]
   Each test that has types is run at length for one of the two, in turn, and --quick for the other: the text of both is one.
   Some are quick for both (TYPED_LONG in tests/test.h).  --long: both at length; --quick: both quick; --brief: one quick, doubles
   where floats have no case.  --other: the other of the two.
   --type f64: tests of this type alone, and those that have none; the library may lack the other.
   CONVK_REQUIRE=NAME,... in the environment: these variants must be there ("cuda-emulated" is one).
   The last line is "N passed, N failed, N skipped".                                                                   */

#include "test.h"

/* ----------------------------------------------------------------------------------------- what all units of the harness share -- */

harness suite;
allocator heap = {PTHREAD_MUTEX_INITIALIZER, 0, 0, -1, 0};
error_row error_table[512];
size_t error_rows;
variant variants[12];
size_t variant_count;
#ifdef __clang__
const int library_by_clang = 1;
#else
const int library_by_clang = 0;
#endif
double test_fft_task = 0;           /* small work takes threads, too, but where that is tested */
size_t test_cuda_most_blocks = 5;   /* so that blocks take several turns */
size_t test_cuda_enough_blocks = 4; /* so that they march far along y and z */
#ifdef TEST_WHOLE
size_t test_cl_groups_y = 32768;
#endif

typedef struct block_header {
  size_t map_bytes, bytes, rounded;
} block_header;

/* The header has a page of its own before the data's first page; the data ends at a page that faults. */
void *test_malloc(size_t bytes) {
  const size_t page = page_size(), rounded = ((bytes ? bytes : 1) + 15) / 16 * 16;
  const size_t usable = (rounded + page - 1) / page * page;
  block_header header;
  unsigned char *map, *data;
  int refuse;
  pthread_mutex_lock(&heap.lock);
  refuse = heap.until_failure == 0;
  if (heap.until_failure > 0) heap.until_failure--;
  if (!refuse) {
    heap.live++;
    heap.total++;
  }
  pthread_mutex_unlock(&heap.lock);
  if (refuse) return NULL;
  header.map_bytes = usable + 2 * page;
  header.bytes = bytes;
  header.rounded = rounded;
  map = (unsigned char *)mmap(NULL, header.map_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == (unsigned char *)MAP_FAILED) return NULL;
  mprotect(map + page + usable, page, PROT_NONE);
  memset(map + page, FILL_, usable);
  memcpy(map, &header, sizeof header);
  data = map + page + usable - rounded;
  return data;
}

void test_free(void *pointer) {
  const size_t page = page_size();
  unsigned char *data = (unsigned char *)pointer, *first, *map;
  block_header header;
  int good;
  if (!data) return;
  first = data - (uintptr_t)data % page;
  map = first - page;
  memcpy(&header, map, sizeof header);
  good = all_fill(first, data) && all_fill(data + header.bytes, data + header.rounded);
  pthread_mutex_lock(&heap.lock);
  heap.live--;
  if (!good) heap.damaged = 1;
  pthread_mutex_unlock(&heap.lock);
  munmap(map, header.map_bytes);
}

double test_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void add_variant(const char *name, const char *label, int fused, int device, int order, size_t most, const char *module,
                        const char *package) {
  variant *v = &variants[variant_count];
  int status;
  if (suite.hw && !listed(suite.hw, name) && !listed(suite.hw, label)) return;
  variant_count++;
  memset(v, 0, sizeof *v);
  v->name = name;
  v->label = label;
  v->fused = fused;
  v->device = device;
  v->order = order;
  v->most = most;
  v->module = module;
  v->package = package;
  suite.operation = "open";
  suite.type = NULL;
  describe("convk_open(\"%s\")", name);
  use_variant(v);
  begin_case();
  status = convk_open(&v->hw, name);
  v->open = !status;
  if (v->open) {
    if (strcmp(v->hw.name, name)) fail("the handle is named \"%s\"", v->hw.name);
    printf("%-14s open\n", label);
    end_case();
    return;
  }
  if (status != CONVK_ERR_HW_MODULE && status != CONVK_ERR_HW_MACHINE) {
    fail("%s: %s", convk_strerror(status), v->hw.message);
  } else {
    const char *reason = status == CONVK_ERR_HW_MODULE ? "not compiled in" : "not on this machine";
    printf("%-14s skipped: %s; it needs %s\n", label, reason, status == CONVK_ERR_HW_MODULE ? module : package);
    if (listed(suite.require, label)) {
      fail("required by CONVK_REQUIRE, but %s", reason);
    } else {
      suite.skipped++;
      return;
    }
  }
  end_case();
}

static void open_variants(void) {
  add_variant("scalar", "scalar", 0, 0, 0, 0, "nothing", "nothing");
  add_variant("sse2", "sse2", 0, 0, 0, 0, "-DCONVK_SSE", "an x86 processor");
  add_variant("avx", "avx", 0, 0, 0, 0, "-DCONVK_AVX -DCONVK_AVX_WITHOUT_AVX2", "a processor with AVX");
#ifdef CONVK_STRICT
#define FUSED 0
#else
#define FUSED 1
#endif
  add_variant("avx2", "avx2", FUSED, 0, 0, 0, "-DCONVK_AVX", "a processor with AVX2 and FMA");
  add_variant("avx512", "avx512", FUSED, 0, 0, 0, "-DCONVK_AVX", "a processor with AVX-512 F, DQ, BW and VL");
  add_variant("neon", "neon", FUSED, 0, 0, 0, "-DCONVK_NEON", "a processor of 64-bit ARM");
#undef FUSED
  add_variant("opencl", "opencl", 1, 1, 0, 0, "-DCONVK_CL and -lOpenCL", "an OpenCL device: package pocl-opencl-icd");
#ifdef CONVK_TEST_CUDA_EMULATED
  {
    const size_t most = suite.quick ? 500000 : 5000000;
    int i;
    for (i = 0; i < EMULATED; i++) add_variant("cuda", "cuda-emulated", 1, 1, i, most, "-DCONVK_CUDA", "tests/cuda_emulator.h");
  }
#else
  add_variant("cuda", "cuda", 1, 1, 0, 0, "nvcc, or g++ with -DCONVK_TEST_CUDA_EMULATED, and -DCONVK_CUDA", "an NVIDIA GPU");
#endif
}

static void thin_out(void) {
  size_t i;
  for (i = 0; i < variant_count; i++)
    if (!strcmp(variants[i].name, "opencl")) variants[i].thin = suite.quick ? 4 : 8;
}

static void close_variants(void) {
  size_t i;
  suite.operation = "close";
  suite.type = NULL;
  suite.test = NULL;
  for (i = 0; i < variant_count; i++) {
    if (!variants[i].open) continue;
    use_variant(&variants[i]);
    describe("convk_close");
    begin_case();
    convk_close(&variants[i].hw);
    if (variants[i].hw.size) fail("the handle is still open");
    convk_close(&variants[i].hw); /* harmless */
    end_case();
  }
  suite.variant = NULL;
  describe("memory");
  CHECK(heap.live == 0);
  CHECK(!heap.damaged);
#ifdef CONVK_TEST_CUDA_EMULATED
  CHECK(convk_emulator_live_objects() == 0);
  CHECK(convk_emulator_reports() == 0);
#endif
}

convk *class_handle(int fused) {
  static convk handles[2];
  static int known[2];
  if (!known[fused]) {
#ifdef CONVK_STRICT
    known[fused] = fused || convk_open(&handles[fused], "scalar") ? -1 : 1;
#else
    known[fused] = convk_open(&handles[fused], !fused ? "scalar" : CONVK_X86_ ? "avx2" : "neon") ? -1 : 1;
#endif
  }
  return known[fused] > 0 ? &handles[fused] : NULL;
}

int test_open(convk *hw, const char *spec) { return convk_open(hw, spec); }

/* --------------------------------------------------------------------------------------------- the handle and its names -- */

static void test_names(int type) {
  static const char *const wrong[] = {"",         "AVX2",
                                      "Scalar",   "avx2:1",
                                      "scalar:",  "avx2x",
                                      "avx5",     "avx 2",
                                      " avx2",    "avx2 ",
                                      "sse",      "sse2:0",
                                      "gpu",      ":",
                                      "::",       "open",
                                      "cud",      "openclx",
                                      "cuda0",    "avx2,sse2",
                                      "OpenCL:0", "scalarscalarscalarscalarscalarscalar",
                                      "%$",       "avx%:$"};
  static const char *const good[] = {"scalar", "sse2", "avx", "avx2", "avx512", "neon", "opencl", "cuda"};
  convk hw;
  size_t i;
  int status;
  (void)type;
  for (i = 0; i < COUNT_OF(wrong); i++) {
    describe("convk_open(\"%s\")", wrong[i]);
    memset(&hw, FILL_, sizeof hw);
    begin_case();
    status = convk_open(&hw, wrong[i]);
    if (status != CONVK_ERR_HW_NAME) fail("status %d, %s", status, convk_strerror(status));
    if (!strstr(hw.message, wrong[i]) || hw.message[0] != '\'') fail("the message is '%s'", hw.message);
    if (hw.size == sizeof hw && hw.version == CONVK_VERSION) fail("the handle is open");
    convk_close(&hw);
    end_case();
  }
  for (i = 0; i < COUNT_OF(good); i++) {
    int compiled = i == 0;
#ifdef CONVK_SSE_H_
    compiled |= CONVK_X86_ && i == 1;
#endif
#ifdef CONVK_AVX_H_
    compiled |= CONVK_X86_ && i == 3;
#ifdef CONVK_AVX_WITHOUT_AVX2
    compiled |= CONVK_X86_ && i == 2;
#endif
#ifndef CONVK_NO_AVX512
    compiled |= CONVK_X86_ && i == 4;
#endif
#endif
#ifdef CONVK_NEON_H_
    compiled |= CONVK_ARM64_ && i == 5;
#endif
#ifdef CONVK_CL_H_
    compiled |= i == 6;
#endif
#ifdef CONVK_CUDA_H_
    compiled |= i == 7;
#endif
    describe("convk_open(\"%s\")", good[i]);
    begin_case();
    status = convk_open(&hw, good[i]);
    if (!compiled && status != CONVK_ERR_HW_MODULE) fail("not compiled in, but status %d", status);
    if (status && !strstr(hw.message, i < 6 || !compiled ? good[i] : "")) fail("the message is '%s'", hw.message);
    if (compiled && status && status != CONVK_ERR_HW_MACHINE) fail("status %d, %s", status, convk_strerror(status));
    if (status && hw.size) fail("a refused handle is open");
    if (!status && (hw.size != sizeof hw || hw.version != CONVK_VERSION)) fail("the handle is not open");
    convk_close(&hw);
    end_case();
    if (i >= 6) { /* a device that nobody has */
      char spec[32];
      snprintf(spec, sizeof spec, "%s:99999", good[i]);
      describe("convk_open(\"%s\")", spec);
      begin_case();
      status = convk_open(&hw, spec);
      if (status != (compiled ? CONVK_ERR_HW_MACHINE : CONVK_ERR_HW_MODULE))
        fail("status %d, %s", status, convk_strerror(status));
      convk_close(&hw);
      end_case();
    }
  }
}

#ifndef TEST_UNIT
/* What calls say of arguments, and that they forget it. */
static void test_reasons(int type) {
  const convk_sepconv3d_shape shape = {{4, 4, 4, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0}};
  const convk_sepconv3d_shape less = {{4, 4, 4, 0, 0}, {4, 4, 3, 0, 0}, {0, 0, 0}};
  const convk_stencil7_coefficients_f64 c = convk_stencil7_isotropic_f64(1, 0);
  const convk_formfactor_options order = {CONVK_FORM_AUTO, 6};
  double a[64] = {0}, b[64] = {0}, *result;
  const convk_q_f64 q = {1, a, a, a, NULL, NULL, NULL};
  const convk_mesh_f64 mesh = {1, a, a, a, a, a, a, a, a, a, a, a, a, NULL};
  const convk_stencil7_shape ends = {{4, 4, 4, 0, 0}, {CONVK_BOUNDARY_FIXED, 7, CONVK_BOUNDARY_FIXED}};
  convk hw;
  (void)type;
  describe("the messages of a handle");
  begin_case();
  CHECK(convk_open(&hw, "scalar") == CONVK_OK && !hw.message[0]);
  CHECK(convk_stencil7_f64(&hw, &ends, &c, 1, a, b, &result, NULL, 0) == CONVK_ERR_BOUNDARY);
  CHECK(!strcmp(hw.message, "shape->boundary[1] is 7, neither CONVK_BOUNDARY_PERIODIC nor CONVK_BOUNDARY_FIXED"));
  CHECK(convk_magicfilter3d_f64(&hw, &shape, 5, NULL, a, b, NULL, 0) == CONVK_ERR_OPTION);
  CHECK(!strcmp(hw.message, "direction is 5, neither CONVK_FORWARD nor CONVK_INVERSE"));
  CHECK(convk_magicfilter3d_f64(&hw, &less, CONVK_FORWARD, NULL, a, b, NULL, 0) == CONVK_ERR_SIZE);
  CHECK(!strcmp(hw.message, "shape->out must be of 4 x 4 x 4 points"));
  CHECK(convk_formfactor_f64(&hw, &mesh, &q, &order, b) == CONVK_ERR_OPTION);
  CHECK(!strcmp(hw.message, "options->order is 6, none of 0, 2, 4, 8, 12, 16"));
  CHECK(convk_exp_f64(&hw, 4, NULL, b) == CONVK_ERR_NULL && !strcmp(hw.message, "x is NULL"));
  CHECK(convk_exp_f64(&hw, 4, a, b) == CONVK_OK && !hw.message[0]);
  CHECK(convk_magicfilter3d_f64(&hw, &shape, 5, NULL, a, b, NULL, 0) == CONVK_ERR_OPTION && hw.message[0]);
  CHECK(convk_formfactor_assembly_f64(&hw, NULL, &q, NULL, b, NULL, NULL, 0) == CONVK_ERR_NULL);
  CHECK(!strcmp(hw.message, "assembly is NULL"));
  CHECK(convk_magicfilter3d_f64(&hw, &shape, 5, NULL, a, b, NULL, 0) == CONVK_ERR_OPTION && hw.message[0]);
  CHECK(convk_fft2d_prepare_c64(&hw, 8, 11, (convk_fft2d_plan_c64 *)(void *)b, sizeof b) == CONVK_ERR_FFT_SIZE);
  CHECK(!strcmp(hw.message, "columns is 11, no product of 2, 3, 5, 7 up to 1024"));
  convk_close(&hw);
  end_case();
}
#endif

static void test_best(int type) {
  static const char *const order[] = {"avx512", "avx2", "avx", "sse2", "neon", "scalar"};
  convk hw, one;
  size_t i;
  int status = convk_open(&hw, NULL);
  (void)type;
  describe("convk_open(NULL)");
  begin_case();
  if (status) fail("status %d", status);
  for (i = 0; !status && i < COUNT_OF(order); i++)
    if (!convk_open(&one, order[i])) {
      if (strcmp(order[i], hw.name)) fail("took %s and not %s", hw.name, order[i]);
      if (hw.ours.inside.f64.filters_kernels != one.ours.inside.f64.filters_kernels ||
          hw.ours.inside.f32.filters_kernels != one.ours.inside.f32.filters_kernels ||
          hw.ours.inside.f64.stencil_kernels != one.ours.inside.f64.stencil_kernels ||
          hw.ours.inside.f32.stencil_kernels != one.ours.inside.f32.stencil_kernels ||
          hw.ours.inside.f64.vmath_kernels != one.ours.inside.f64.vmath_kernels ||
          hw.ours.inside.f32.vmath_kernels != one.ours.inside.f32.vmath_kernels ||
          hw.ours.inside.f64.fft_kernels != one.ours.inside.f64.fft_kernels ||
          hw.ours.inside.f32.fft_kernels != one.ours.inside.f32.fft_kernels ||
          hw.ours.inside.f64.pairs_kernels != one.ours.inside.f64.pairs_kernels ||
          hw.ours.inside.f32.pairs_kernels != one.ours.inside.f32.pairs_kernels)
        fail("other functions than %s", order[i]);
      break;
    }
  if (hw.ours.inside.device || (hw.parallel.threads > 1 && hw.parallel.run == NULL))
    fail("a device, or threads without a hook");
#ifndef CONVK_OPENMP
  if (hw.parallel.run) fail("a thread hook nobody asked for");
#endif
  convk_close(&hw);
  if (hw.size) fail("open after convk_close");
  convk_close(&hw);
  convk_close(NULL);
  end_case();
  describe("convk_open(NULL, ...)");
  CHECK(convk_open(NULL, NULL) == CONVK_ERR_NULL);
  CHECK(convk_open(NULL, "scalar") == CONVK_ERR_NULL);
  CHECK(convk_open(NULL, "nonsense") < 0);
}

static void test_strerror(int type) {
  int i, j;
  (void)type;
  for (i = -45; i < 10; i++) {
    describe("convk_strerror(%d)", i);
    begin_case();
    if (!convk_strerror(i) || !convk_strerror(i)[0]) fail("no text");
    else if (i <= 0 && i >= -37 && !strcmp(convk_strerror(i), convk_strerror(1000))) fail("no text of its own");
    for (j = -37; j < i && i <= 0; j++)
      if (!strcmp(convk_strerror(i), convk_strerror(j))) fail("same text as %d", j);
    end_case();
  }
  describe("convk_strerror of extremes");
  CHECK(convk_strerror(INT_MIN) && convk_strerror(INT_MAX));
}

/* A processor without the features that a variant needs: the variant's own code must not even be asked. */
static int machine_asked;
static int machine_open(convk *hw, const char *options) {
  (void)hw;
  (void)options;
  machine_asked++;
  return CONVK_OK;
}
static convk_modules_ machine_modules(void) {
  static const convk_module_ list[] = {{"avx2", 1u << 31, machine_open}};
  convk_modules_ table = {1, NULL};
  table.list = list;
  return table;
}

static void test_machine(int type) {
  convk hw, best;
  (void)type;
  machine_asked = 0;
  describe("a variant that this machine cannot run");
  CHECK(convk_open_(&hw, "avx2", convk_scalar_modules_, machine_modules, (convk_modules_fn_ *)0) == CONVK_ERR_HW_MACHINE);
  CHECK(!hw.size && !machine_asked);
  CHECK(!convk_open_(&hw, NULL, machine_modules, convk_scalar_modules_, (convk_modules_fn_ *)0));
  CHECK(!convk_open_(&best, NULL, convk_scalar_modules_, (convk_modules_fn_ *)0)); /* with those that units offer */
  CHECK(!strcmp(hw.name, best.name) && !machine_asked);
}

/* Allocation failures while a device opens must come out as an error, and leave nothing behind. */
static void test_open_memory(int type) {
  size_t i;
  long k;
  (void)type;
  for (i = 0; i < variant_count; i++) {
    if (!variants[i].open) continue;
    use_variant(&variants[i]);
    for (k = 0; k < 6; k++) {
      const long live = heap.live, total = heap.total;
      convk hw;
      int status;
      describe("convk_open with %ld allocations", k);
      begin_case();
      heap.until_failure = k;
      status = convk_open(&hw, variants[i].name);
      heap.until_failure = -1;
      if (status && status != CONVK_ERR_MEMORY) fail("status %d, %s", status, convk_strerror(status));
      if (!variants[i].device && (status || heap.total != total)) fail("a CPU variant allocates");
      convk_close(&hw);
      if (heap.live != live) fail("%ld blocks left", heap.live - live);
      end_case();
      if (!status) break;
    }
  }
}

static const test own_tests[] = {
#ifndef TEST_UNIT /* calls of several families */
    {"open", "reasons", test_reasons, 0},
#endif
    {"open", "names", test_names, 0},        {"open", "best", test_best, 0},          {"open", "machine", test_machine, 0},
    {"open", "memory", test_open_memory, 0}, {"strerror", "codes", test_strerror, 0},
};
TEST_LIST(own)

/* Does the name have a text of a list "a,b,c" in it, or begin with one? */
static int named(const char *name, const char *list, int begins) {
  while (list && *list) {
    const size_t n = strcspn(list, ",");
    const char *at = name;
    do {
      if (n && !strncmp(at, list, n)) return 1;
    } while (!begins && *at++);
    list += n + (list[n] != 0);
  }
  return 0;
}

static void run_tests(const test_list *tests) {
  const test *list = tests->list;
  const size_t count = tests->count;
  size_t i, v;
  int type;
  for (i = 0; i < count; i++) {
    const unsigned long before = suite.passed;
    for (type = 0; type < (list[i].typed ? 2 : 1); type++) {
      static char name[80];          /* outlives the loop: messages point at it */
      const clock_t start = clock(); /* of processors, whatever else runs */
      const unsigned long failed = suite.failed, passed = suite.passed;
      const int other = list[i].typed && (i + (size_t)type + (size_t)suite.other) % 2;
      snprintf(name, sizeof name, "%s.%s%s", list[i].operation, list[i].name, !list[i].typed ? "" : type ? ".f64" : ".f32");
      if ((suite.filter && !named(name, suite.filter, 0)) || named(name, suite.skip, 1)) continue;
      if (suite.only ? list[i].typed && !has_type(type)
                     : suite.level == LEVEL_BRIEF && other && (!type || suite.passed > before)) /* some have doubles alone */
        continue;
      suite.quick = suite.level <= LEVEL_QUICK || (suite.level == LEVEL_USUAL && (other || list[i].typed == TYPED_LONG));
      suite.operation = list[i].operation;
      suite.test = list[i].name;
      suite.type = !list[i].typed ? NULL : type ? "f64" : "f32";
      suite.variant = NULL;
      describe("-");
      for (v = 0; v < variant_count; v++)
        memset(&variants[v].hw.parallel, 0, sizeof variants[v].hw.parallel); /* of a test that ended */
      list[i].run(type);
      printf("%-36s %7lu passed %5lu failed %7.2f s\n", name, suite.passed - passed, suite.failed - failed,
             (double)(clock() - start) / CLOCKS_PER_SEC);
      fflush(stdout);
    }
  }
}

int main(int argc, char **argv) {
  const double start = test_seconds();
  if (!harness_options(argc, argv)) return 2;
  catch_signals();
  setvbuf(stdout, NULL, _IOLBF, 1 << 16);
  printf("convk %d.%d.%d, seed %llu%s\n", CONVK_VERSION_MAJOR, CONVK_VERSION_MINOR, CONVK_VERSION_PATCH,
         (unsigned long long)suite.seed, suite.quick ? ", quick" : "");
  if (!long_double_is_long()) printf("long double is no longer than double here: limits are doubled\n");
  open_variants();
  thin_out();
#define RUN_(name) run_tests(&name##_list);
  EVERY_TEST_LIST(RUN_)
  close_variants();
  error_print();
  if (suite.printed > HARNESS_PRINT_) printf("%lu more failures were not told in full\n", suite.printed - HARNESS_PRINT_);
  printf("%.1f s\n", test_seconds() - start);
  printf("%lu passed, %lu failed, %lu skipped\n", suite.passed, suite.failed, suite.skipped);
  return suite.failed ? 1 : 0;
}
