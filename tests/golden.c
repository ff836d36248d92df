/* SPDX-License-Identifier: MIT
   The bits of every operation, compared with those in tests/golden.txt: one line `operation_type case class hash` each.

     cc -std=c99 -O1 -I. -DCONVK_SSE -DCONVK_AVX -DCONVK_AVX_WITHOUT_AVX2 tests/golden.c -o golden            and with -DCONVK_WITH_FFT only that family
     cc -std=c99 -O1 -I. -DCONVK_CL -DCL_TARGET_OPENCL_VERSION=120 tests/golden.c -o golden_opencl -lOpenCL
     c++ -x c++ -std=c++11 -ffp-contract=off -O1 -I. -DCONVK_CUDA -DCONVK_TEST_CUDA_EMULATED tests/golden.c -o golden_cuda
     golden [--hw NAME,...] [--filter TEXT] [--skip TEXT,...] [--list FILE] [--quick | --small] [--odd N] [--device-bytes N]
            [--local-bytes N] [--any-size] [--blocks N] [--print]
   --quick: one case of 24; --small: few and tiny ones, which reach every kernel of the devices and its options; --odd: all
   arrays, plans and states lie N bytes beyond an aligned address; --device-bytes: calls on a device may take N bytes of its memory,
   and those that take more in any case are left out; --local-bytes: OpenCL has N bytes of local memory; --any-size: its programs
   are not made for one filter or one size of transforms; --blocks: a launch on CUDA has at most N, which take several turns (both
   with the objects of tests/objects.sh).

   Classes: `every` is the same for all hardware, `muladd` for scalar, SSE2 and AVX, `fused` for AVX2, AVX-512 and devices; sums
   and roots of a device's own are `opencl`, `opencl-gpu` and `cuda-emulated`, and `devices` what all of them do in another way.
   No call whose results are finite raises invalid, overflow or division by zero: that fails, too.
   They hold for every compiler, its flags, the architecture and the machine: OpenCL devices are shown with the same limits
   everywhere, and a processor as a GPU, too.
   The list changes only on purpose, and the commit says why.  To make it anew, with these three programs:
     { golden --print && golden_opencl --print | grep -E ' (opencl|devices)' && golden_cuda --print | grep ' cuda'; } |
       LC_ALL=C sort >tests/golden.txt
   CONVK_REQUIRE=NAME,... in the environment: this hardware must be there.  The last line is `N passed, N failed, N skipped`.

   Left out: calls on data that is on a device already, which share the kernels of those on host arrays; convk_tune, which
   measures times; pairs on a real CUDA device, whose roots are its own; a NaN as distance of a tabulated potential, since it gives
   0 on some hardware and NaN on other; transforms with opencl-gpu on PoCL.  PoCL 3.1 miscompiles programs that are made for any
   size of transforms: of 366 lines, 16 of fftconv2d in parts (49x50 and 64x35 of f64, 21x512, ...) get hashes that change from run
   to run and with POCL_WORK_GROUP_METHOD, and are right with -cl-opt-disable; Intel's OpenCL and Oclgrind have the same bits.  */

#ifndef GOLDEN_T

#ifdef CONVK_TEST_CUDA_EMULATED
#include "cuda_emulator.h"
#ifdef CONVK_DECLARE /* tests/hooks.h */
extern "C" size_t test_cuda_most_blocks;
#endif
#endif

static int as_gpu; /* the device says that it is one */
static int pocl;   /* its platform is PoCL */
#if defined CONVK_CL && !defined CONVK_TEST_OWN_LIMITS
#include <CL/cl.h>
#include <string.h>
/* The order of a device's own sums comes from its limits: these are the same for all. */
#ifdef CONVK_DECLARE /* its objects ask this function (tests/hooks.h) */
#define device_info test_device_info
#else
static
#endif
cl_int device_info(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *got) {
  const cl_int error = clGetDeviceInfo(device, what, size, value, got);
  const cl_uint units = 4, floats = 8, doubles = 4;
  const cl_ulong local = 32768;
  const cl_device_type gpu = CL_DEVICE_TYPE_GPU;
  if (error || !value) return error;
  if (what == CL_DEVICE_MAX_COMPUTE_UNITS) memcpy(value, &units, sizeof units);
  if (what == CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT) memcpy(value, &floats, sizeof floats);
  if (what == CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE) memcpy(value, &doubles, sizeof doubles);
  if (what == CL_DEVICE_LOCAL_MEM_SIZE) memcpy(value, &local, sizeof local);
  if (what == CL_DEVICE_TYPE && as_gpu) memcpy(value, &gpu, sizeof gpu);
  return error;
}
#define clGetDeviceInfo device_info
#endif
#if defined CONVK_CL && defined CONVK_DECLARE
extern size_t test_cl_special; /* the same */
#define SPECIAL (&test_cl_special)
#else
#define SPECIAL ((size_t *)0)
#endif
#include "families.h"
#include "convk.h"

#include <fenv.h>
#ifndef FE_INVALID /* processors without flags, as WebAssembly, have no names of them */
#define FE_INVALID 0
#define FE_OVERFLOW 0
#define FE_DIVBYZERO 0
#endif
#include <stdarg.h>
#include <stdio.h>

CONVK_EXACT_PUSH_ /* to the end: inputs, too, are the same whatever the options */

#ifdef CONVK_WITH_ALL
#define GOLDEN_SOME 0
#else
#define GOLDEN_SOME 1
#endif
#if !GOLDEN_SOME || defined CONVK_WITH_SEPCONV
#define GOLDEN_SEPCONV
#endif
#if !GOLDEN_SOME || defined CONVK_WITH_STENCIL
#define GOLDEN_STENCIL
#endif
#if !GOLDEN_SOME || defined CONVK_WITH_VMATH
#define GOLDEN_VMATH
#endif
#if !GOLDEN_SOME || defined CONVK_WITH_GAUSSIAN
#define GOLDEN_GAUSSIAN
#endif
#if !GOLDEN_SOME || defined CONVK_WITH_FORMFACTOR
#define GOLDEN_FORMFACTOR
#endif
#if !GOLDEN_SOME || defined CONVK_WITH_DISTANCES
#define GOLDEN_DISTANCES
#endif
#if !GOLDEN_SOME || defined CONVK_WITH_AMPLITUDES
#define GOLDEN_AMPLITUDES
#endif
#if !GOLDEN_SOME || defined CONVK_WITH_FFT
#define GOLDEN_FFT
#endif
#if !GOLDEN_SOME || defined CONVK_WITH_VMC
#define GOLDEN_VMC
#endif

#if defined __GNUC__ || defined __clang__
#define MAYBE_UNUSED __attribute__((unused))
#else
#define MAYBE_UNUSED
#endif
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#ifdef __clang__
#if __has_warning("-Walign-mismatch")
#pragma clang diagnostic ignored "-Walign-mismatch" /* arrays at any address are what calls are promised to take */
#endif
#endif

#ifdef CONVK_CL
static int is_pocl(convk *hw) {
  cl_platform_id platform;
  char name[64] = "";
  const cl_device_id device = convk_cl_of(hw) ? convk_cl_of(hw)->device : NULL;
  return device && !clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) &&
         !clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL) && strstr(name, "Portable Computing Language");
}
#endif

/* ------------------------------------------------------------------------------------------------------------ hashes -- */

static uint64_t hashed; /* of what was put since the last line */
static int endless;     /* whether any of it is infinite or NaN */

static void put_bytes(uint64_t value, int bytes) { /* FNV-1a, the lowest byte first on every machine */
  for (; bytes--; value >>= 8) hashed = (hashed ^ (value & 255)) * UINT64_C(1099511628211);
}
static MAYBE_UNUSED void put_size(size_t n) { put_bytes((uint64_t)n, 8); }

/* A NaN's sign and payload depend on the instructions that made it. */
static MAYBE_UNUSED void put_f32(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  endless |= (bits & 0x7f800000u) == 0x7f800000u;
  put_bytes((bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : bits, 4);
}
static MAYBE_UNUSED void put_f64(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  endless |= (bits & UINT64_C(0x7ff) << 52) == UINT64_C(0x7ff) << 52;
  put_bytes((bits & ~(UINT64_C(1) << 63)) > UINT64_C(0x7ff) << 52 ? UINT64_C(0x7ff8) << 48 : bits, 8);
}
static MAYBE_UNUSED void put_f64s(const double *x, size_t n) {
  while (n--) put_f64(*x++);
}
static MAYBE_UNUSED void put_text(const char *s, size_t n) {
  while (n--) put_bytes((unsigned char)*s++, 1);
}

/* ------------------------------------------------------------------------------------------------------------- inputs -- */

/* The shape of a call, which lasts until the next. */
static MAYBE_UNUSED const convk_sepconv3d_shape *shape_of(const convk_grid3 *in, const convk_grid3 *out, const int *boundary) {
  static convk_sepconv3d_shape shape;
  memset(&shape, 0, sizeof shape);
  shape.in = *in;
  if (out) shape.out = *out;
  memcpy(shape.boundary, boundary, sizeof shape.boundary);
  return &shape;
}
static MAYBE_UNUSED const convk_conv1d_shape *rows_of(size_t n, size_t ndat, size_t ld_in, size_t ld_out, int boundary) {
  static convk_conv1d_shape shape;
  shape.n = n;
  shape.ndat = ndat;
  shape.ld_in = ld_in;
  shape.ld_out = ld_out;
  shape.boundary = boundary;
  return &shape;
}

static uint64_t random_state;

static void seed(const char *name) { /* so that no case moves another's inputs */
  random_state = 88172645463325252u;
  while (*name) random_state = (random_state ^ (unsigned char)*name++) * UINT64_C(1099511628211);
  random_state |= 1;
}
static uint64_t next64(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}
/* Between two numbers: volatile, so that no compiler contracts it into what uses it. */
static double uniform(double low, double high) {
  volatile double x = (double)(next64() >> 11) / 9007199254740992.0;
  x = (high - low) * x;
  x = low + x;
  return x;
}

/* Memory for one case after another; all zeros. */
static union {
  double align;
  char bytes[48 << 20];
} arena;
static size_t arena_used, odd, device_bytes, local_bytes;
static void *take(size_t bytes) {
  char *p = arena.bytes + arena_used;
  arena_used += (bytes + 63) / 64 * 64;
  if (arena_used > sizeof arena.bytes) {
    printf("a case wants more memory than there is\n");
    exit(2);
  }
  memset(p, 0, bytes);
  return p;
}
/* What may lie at any address. */
static MAYBE_UNUSED char *take_odd(size_t bytes) { return (char *)take(bytes + odd) + odd; }

/* -------------------------------------------------------------------------------------------------------------- lines -- */

/* Who shares a line's bits: all hardware; a class; a class but for CUDA; a class of processors, each device having its own, or
   all devices another one. */
enum { EVERY, CLASS, NOT_CUDA, PROCESSORS, NOT_DEVICES };

typedef struct golden_line {
  char key[128]; /* "operation_type case class" */
  uint64_t hash;
  int seen;
} golden_line;

static golden_line lines[8192];
static size_t line_count, line_order[8192]; /* sorted by key */
static const char *variant, *classes[5], *filter, *skip;
static int printing, quick, small;
static unsigned case_number;

/* Which cases a filter or --small leaves.  Their names are known only after their calls: they are learned beforehand, from calls
   that a handle of no version refuses at once. */
static int learning;
static char chosen[8192]; /* by number of the case */
static unsigned long large, passed, failed, skipped;

/* What a processor raised in a call whose results are finite: programs may have made any of it a signal.  Looked at where compilers
   keep to it: gcc without -ffast-math and the like.  Not of AVX-512, whose own instructions nobody has tried. */
#if defined __GNUC__ && !defined __clang__ && !defined __FAST_MATH__ && !__FINITE_MATH_ONLY__ && !defined CONVK_CL && \
    !defined CONVK_CUDA && (defined __SSE2_MATH__ || defined __aarch64__)
#define RAISED (strcmp(variant, "avx512") ? fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO) : 0)
#else
#define RAISED 0
#endif

/* Whether to run the next case: one of 24, of nearly every operation, where it has to be quick; others with --odd. */
static MAYBE_UNUSED int due(void) {
  if (++case_number == COUNT_OF(chosen)) {
    printf("too many cases\n");
    exit(2);
  }
  if (quick && (case_number * 2654435761u >> 16) % 24 != 4 + odd) return 0;
  feclearexcept(FE_ALL_EXCEPT);
  return learning || chosen[case_number];
}

#ifdef GOLDEN_SEPCONV
/* Sums of filters: what their terms have. */
enum {
  SUM_V = 1,
  SUM_C = 2,
  SUM_Z = 4,
  SUM_SUMS = 8,
  SUM_MIXED = 16,
  SUM_IMAG = 32,
  SUM_PHASE = 64,
  SUM_LONG = 128,
  SUM_READY = 256,
  SUM_COMPLEX = 512,
  SUM_ALONE = 1024,
  SUM_IN_PLACE = 2048,
  SUM_TINY = 4096
};
static const struct {
  const char *name;
  unsigned has;
  size_t nx, vectors;
} sum_cases[] = {
    {"filters", 0, 37, 1},
    {"filters-long", SUM_LONG, 70, 1},
    {"ready", SUM_READY | SUM_V | SUM_SUMS, 37, 1},
    {"ready-sums-alone", SUM_READY | SUM_V | SUM_SUMS | SUM_ALONE, 37, 1},
    {"terms", SUM_V | SUM_C | SUM_Z, 37, 3},
    {"terms-in-place", SUM_C | SUM_Z | SUM_IN_PLACE | SUM_SUMS, 131, 2},
    {"mixed", SUM_MIXED | SUM_C | SUM_SUMS, 37, 1},
    {"filters", SUM_COMPLEX, 37, 1},
    {"filters-long", SUM_COMPLEX | SUM_LONG, 35, 1},
    {"imag", SUM_COMPLEX | SUM_IMAG | SUM_V | SUM_SUMS, 37, 1},
    {"phase", SUM_COMPLEX | SUM_PHASE | SUM_READY | SUM_V | SUM_C | SUM_Z, 37, 2},
    {"all", SUM_COMPLEX | SUM_IMAG | SUM_PHASE | SUM_MIXED | SUM_V | SUM_C | SUM_Z | SUM_SUMS, 21, 2},
    {"tiny", SUM_TINY | SUM_MIXED | SUM_V | SUM_C | SUM_Z, 9, 1},
    {"tiny-sums", SUM_TINY | SUM_MIXED | SUM_V | SUM_SUMS, 9, 1},
    {"tiny", SUM_TINY | SUM_COMPLEX | SUM_IMAG | SUM_PHASE | SUM_MIXED | SUM_V | SUM_C | SUM_Z, 9, 1},
    {"tiny-sums", SUM_TINY | SUM_COMPLEX | SUM_IMAG | SUM_PHASE | SUM_MIXED | SUM_V | SUM_SUMS, 9, 2},
};
#endif

static size_t line_place(const char *key) {
  size_t low = 0, high = line_count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (strcmp(lines[line_order[middle]].key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
static golden_line *line_of(const char *key) {
  const size_t place = line_place(key);
  return place < line_count && !strcmp(lines[line_order[place]].key, key) ? &lines[line_order[place]] : NULL;
}
static golden_line *line_new(const char *key, uint64_t hash) {
  const size_t place = line_place(key);
  golden_line *line = &lines[line_count];
  if (line_count == COUNT_OF(lines)) {
    printf("too many lines\n");
    exit(2);
  }
  memmove(line_order + place + 1, line_order + place, (line_count - place) * sizeof *line_order);
  line_order[place] = line_count++;
  memset(line, 0, sizeof *line);
  snprintf(line->key, sizeof line->key, "%s", key);
  line->hash = hash;
  return line;
}

/* Cases of which an interpreter of OpenCL takes seconds at most.  Each kernel with each of its switches comes once, in one of the
   two types. */
static int is_small(const char *key) {
  static const char *const cases[] = {"sepconv3d_f32 one-tap",
                                      "sepconv3d_f64 one-point",
                                      "sepconv3d_f32 far-taps-zero",
                                      "sepconv3d_f64 far-taps-periodic",
                                      "sepconv3d_f64 mixed-boundaries-2",
                                      "magicfilter3d_f32 forward-shrink",
                                      "magicfilter3d_f32 epilogue-density-dot-potential-energy-alone-periodic",
                                      "conv1d_transpose_f32 periodic-16-taps",
                                      "sumconv3d_f32 tiny-periodic",
                                      "sumconv3d_f64 tiny-sums-mixed",
                                      "sumconv3d_c32 tiny-mixed",
                                      "sumconv3d_c64 tiny-sums-periodic",
                                      "chebyshev3d_f32 2-steps-mixed",
                                      "hamiltonian_apply_c64 k-tiny",
                                      "conv1d_transpose_f64 zero-5-taps",
                                      "conv1d_transpose_f64 shrink-1-taps",
                                      "dwt3d_f32 7-taps-free",
                                      "dwt3d_f64 sym4-periodic-levels",
                                      "idwt3d_f64 daubechies16-mixed",
                                      "idwt3d_f32 sym4-periodic-levels",
                                      "stencil7_f32 tiny-fixed-equal-1-steps",
                                      "stencil7_f32 tiny-fixed-seven-5-steps",
                                      "stencil7_f64 tiny-periodic-seven-1-steps",
                                      "stencil7_f64 tiny-periodic-equal-5-steps",
                                      "stencil7_box_f32 box-1-fixed-equal",
                                      "exp_f32 special",
                                      "exp_f64 special",
                                      "expm1_f32 special",
                                      "expm1_f64 special",
                                      "log_f32 special",
                                      "log_f64 special",
                                      "sincos_f32 special",
                                      "sincos_f64 special",
                                      "gridpot_f32 points",
                                      "gridpot_f64 points-compensated-strided-padded",
                                      "gridpot_f32 exponents",
                                      "gridpot_sum_f32 many-exponents",
                                      "gridpot_sum_f64 3-sums-compensated",
                                      "gridpot_sum_f32 5-sums",
                                      "orbitals_f32 spherical-coefficients",
                                      "orbitals_vgl_f64 spherical-coefficients",
                                      "density_f32 spherical",
                                      "orbitals_vgl_f32 shell-0",
                                      "orbitals_f64 spherical",
                                      "pair_histogram_f32 tiny-layer-2-moments",
                                      "debye_f32 tiny-2-moments",
                                      "amplitudes_f32 list-kinds-of-a-cell",
                                      "amplitudes_f32 complex-mean",
                                      "amplitudes_grid_f32 tiny-mean",
                                      "orbitals_grid_f32 tiny",
                                      "orbitals_grid_f32 many-groups",
                                      "orbitals_grid_f32 tiny-cell",
                                      "density_grid_f32 tiny-cell",
                                      "orbitals_grid_k_f32 tiny-cell",
                                      "orbitals_grid_vgl_f64 tiny",
                                      "density_grid_f64 tiny",
                                      "density_grid_f32 tiny-alone",
                                      "orbitals_grid_k_f32 tiny-axes",
                                      "orbitals_grid_k_f64 tiny-complex",
                                      "orbitals_grid_k_f32 tiny-gamma",
                                      "density_grid_k_f32 tiny-axes",
                                      "formfactor_grid_f32 open-real-2x2x2",
                                      "formfactor_f32 tiny-second-order-real",
                                      "formfactor_f64 tiny-second-order-complex-z",
                                      "formfactor_f32 tiny-fourth-order-real",
                                      "formfactor_f64 tiny-fourth-order-complex",
                                      "formfactor_f32 tiny-order-4-complex",
                                      "formfactor_f64 tiny-order-12-real",
                                      "formfactor_f32 tiny-auto-complex-z",
                                      "formfactor_f64 tiny-auto-real",
                                      "formfactor_f32 tiny-exact-real",
                                      "formfactor_f64 tiny-exact-complex",
                                      "formfactor_grid_f32 tiny-fourth-order-complex",
                                      "fftconv2d_f32 fft-2x3",
                                      "fftconv2d_c64 fft-4x5",
                                      "fft2d_c32 4x5-forward",
                                      "fft2d_c64 2x3-inverse",
                                      "fft2d_c64 16x9-forward",
                                      "fftconv2d_f64 fft-8x9",
                                      "fftconv2d_f32 one-point",
                                      "fftconv2d_f32 one-row",
                                      "pair_potential_f32 none-ends",
                                      "pair_potential_f64 hfdb-ends",
                                      "pair_potential_f32 lm2m2-ends",
                                      "pair_potential_f64 lennard-jones-ends",
                                      "pair_potential_f32 table-ends",
                                      "pair_energy_f32 pair-all",
                                      "pair_energy_f64 cluster-7-ln-psi-gradient",
                                      "pair_energy_f32 cluster-7-potential",
                                      "pair_energy_f64 box-7-all",
                                      "pair_energy_f32 table-potential",
                                      "pair_energy_f32 none-kinetic",
                                      "pair_energy_f64 cutoff-laplacian",
                                      "pair_energy_f32 cluster-140-gradient",
                                      "pair_energy_f32 cluster-70-ln-psi",
                                      "pair_move_f32 cluster-7",
                                      "pair_move_f64 cluster-70",
                                      "pair_move_f32 cluster-140",
                                      "pair_accept_f64 box-7-gradient",
                                      "pair_accept_f32 cluster-140-gradient",
                                      "pair_accept_f32 pair-mask",
                                      "vmc_run_f32 few-single",
                                      "vmc_run_f64 few-all",
                                      "vmc_run_f32 few-all-drift",
                                      "vmc_run_f64 few-single-drift"};
  size_t i;
  for (i = 0; i < COUNT_OF(cases); i++)
    if (!strncmp(key, cases[i], strlen(cases[i])) && key[strlen(cases[i])] == ' ') return 1;
  return 0;
}

/* Does the key contain one of the texts between commas? */
static int named(const char *texts, const char *key) {
  const char *from, *to;
  for (from = texts; from; from = *to ? to + 1 : NULL) {
    char text[64];
    to = from + strcspn(from, ",");
    snprintf(text, sizeof text, "%.*s", (int)(to - from), from);
    if (strstr(key, text)) return 1;
  }
  return 0;
}

/* Whether a line is left out, or only learned. */
static int unwanted(const char *key) {
  const int wanted = (!filter || strstr(key, filter)) && !named(skip, key) && (!small || is_small(key));
  if (wanted && learning) chosen[case_number] = 1;
  return learning || !wanted;
}

/* Writes down what was right, where CONVK_GOLDEN_SAW names a file: docs/verified.py makes a table of it. */
static void saw(const char *operation, const char *type) {
  static FILE *file;
  const char *path = getenv("CONVK_GOLDEN_SAW");
  if (!file && path && *path) file = fopen(path, "a");
  if (file) fprintf(file, "%s %s %s\n", operation, type, variant);
}

#if defined __GNUC__ || defined __clang__
__attribute__((format(printf, 5, 6)))
#endif
/* What a call gave and what was put is one line. */
static void
line(int sharing, int status, const char *operation, const char *type, const char *format, ...) {
  char name[72], key[128];
  golden_line *have;
  const uint64_t hash = hashed;
  const int raised = endless ? 0 : RAISED;
  va_list arguments;
  hashed = UINT64_C(14695981039346656037);
  endless = 0;
  feclearexcept(FE_ALL_EXCEPT);
  arena_used = 0;
  va_start(arguments, format);
  vsnprintf(name, sizeof name, format, arguments);
  va_end(arguments);
  snprintf(key, sizeof key, "%s_%s %s %s", operation, type, name, classes[sharing]);
  if (unwanted(key) || !classes[sharing][0]) return;
  have = line_of(key);
  if (device_bytes && status == CONVK_ERR_MEMORY) large++;
  else if (status) {
    fprintf(printing ? stderr : stdout, "FAIL %s: %s has status %d, %s\n", key, variant, status, convk_strerror(status));
    failed++;
  } else if (printing && !have) {
    line_new(key, hash);
    printf("%s %016llx\n", key, (unsigned long long)hash);
  } else if (!have) {
    printf("FAIL %s: the list has no such line; %s gives %016llx\n", key, variant, (unsigned long long)hash);
    failed++;
  } else if (have->hash != hash) {
    fprintf(printing ? stderr : stdout, "FAIL %s: %s gives %016llx, not %016llx\n", key, variant, (unsigned long long)hash,
            (unsigned long long)have->hash);
    failed++;
  } else if (raised) {
    fprintf(printing ? stderr : stdout, "FAIL %s: %s raises%s%s%s\n", key, variant, raised & FE_INVALID ? " invalid" : "",
            raised & FE_OVERFLOW ? " overflow" : "", raised & FE_DIVBYZERO ? " division by zero" : "");
    failed++;
  } else {
    passed++;
    saw(operation, type);
  }
  if (have) have->seen = 1;
}

/* ----------------------------------------------------------------------------------------- parameters of the families -- */

#ifdef GOLDEN_SEPCONV
typedef struct sepconv_case {
  const char *name;
  size_t nx, ny, nz;
  int padded, reach[3][2], boundary[3];
} sepconv_case;
#define ALL(boundary) \
  { boundary, boundary, boundary }
static const sepconv_case sepconv_cases[] = {
    {"16-taps-periodic", 21, 18, 19, 1, {{-8, 7}, {-8, 7}, {-8, 7}}, ALL(CONVK_BOUNDARY_PERIODIC)},
    {"16-taps-grow", 21, 18, 19, 1, {{-8, 7}, {-8, 7}, {-8, 7}}, ALL(CONVK_BOUNDARY_GROW)},
    {"16-taps-shrink", 35, 18, 19, 1, {{-8, 7}, {-8, 7}, {-8, 7}}, ALL(CONVK_BOUNDARY_SHRINK)},
    {"16-taps-zero", 21, 18, 19, 1, {{-8, 7}, {-8, 7}, {-8, 7}}, ALL(CONVK_BOUNDARY_ZERO)},
    {"uneven-taps-periodic", 37, 11, 13, 0, {{-2, 5}, {-1, 0}, {-7, 3}}, ALL(CONVK_BOUNDARY_PERIODIC)},
    {"uneven-taps-grow", 19, 11, 13, 1, {{-2, 5}, {-1, 0}, {-7, 3}}, ALL(CONVK_BOUNDARY_GROW)},
    {"uneven-taps-shrink", 37, 11, 17, 0, {{-2, 5}, {-1, 0}, {-7, 3}}, ALL(CONVK_BOUNDARY_SHRINK)},
    {"uneven-taps-zero", 37, 11, 13, 1, {{-2, 5}, {-1, 0}, {-7, 3}}, ALL(CONVK_BOUNDARY_ZERO)},
    {"mixed-boundaries",
     23,
     19,
     20,
     1,
     {{-4, 6}, {0, 15}, {-15, 0}},
     {CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_SHRINK}},
    {"mixed-boundaries-2",
     23,
     19,
     20,
     0,
     {{-4, 6}, {0, 15}, {-15, 0}},
     {CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_SHRINK, CONVK_BOUNDARY_GROW}},
    {"one-tap", 17, 5, 9, 1, {{0, 0}, {0, 0}, {0, 0}}, ALL(CONVK_BOUNDARY_PERIODIC)},
    {"64-taps-wrap", 9, 7, 5, 0, {{-31, 32}, {-40, 23}, {0, 63}}, ALL(CONVK_BOUNDARY_PERIODIC)},
    {"64-taps-zero", 70, 7, 9, 1, {{-31, 32}, {-40, 23}, {0, 63}}, ALL(CONVK_BOUNDARY_ZERO)},
    {"far-taps-periodic", 13, 14, 15, 0, {{20, 27}, {-31, -29}, {5, 9}}, ALL(CONVK_BOUNDARY_PERIODIC)},
    {"far-taps-zero", 13, 14, 15, 0, {{5, 9}, {-7, -2}, {3, 4}}, ALL(CONVK_BOUNDARY_ZERO)},
    {"one-point", 1, 1, 1, 0, {{-8, 7}, {-3, 2}, {-1, 1}}, ALL(CONVK_BOUNDARY_PERIODIC)},
    {"thin-x", 1, 33, 34, 1, {{-1, 1}, {-8, 7}, {-2, 2}}, ALL(CONVK_BOUNDARY_ZERO)},
    {"large", 70, 41, 33, 1, {{-8, 7}, {-8, 7}, {-8, 7}}, {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_GROW}},
    {"large-uneven",
     131,
     27,
     22,
     0,
     {{-3, 1}, {-8, 7}, {-2, 6}},
     {CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC}}};
static const char *const boundary_names[] = {"periodic", "grow", "shrink", "zero"};
#endif

#ifdef GOLDEN_STENCIL
static const struct {
  const char *name;
  size_t nx, ny, nz;
  int padded, boundary[3];
  size_t steps[4]; /* as many as are not 0 */
} stencil_cases[] = {
    {"fixed", 19, 17, 15, 1, {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED}, {1, 2, 7, 40}},
    {"periodic", 19, 17, 15, 1, {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC}, {1, 2, 7, 40}},
    {"mixed", 22, 9, 14, 0, {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_FIXED}, {1, 4, 9, 0}},
    {"mixed-2", 22, 9, 14, 1, {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_PERIODIC}, {1, 4, 9, 0}},
    {"tiny-periodic", 2, 1, 3, 0, {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC}, {1, 5, 0, 0}},
    {"tiny-fixed", 3, 3, 3, 0, {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED}, {1, 5, 0, 0}},
    {"large", 133, 39, 21, 1, {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED}, {1, 3, 20, 0}},
    {"large-periodic",
     133,
     22,
     37,
     0,
     {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC},
     {1, 3, 20, 0}}};
static const size_t stencil_boxes[][6] = {
    {1, 1, 1, 17, 7, 11}, {3, 2, 5, 1, 1, 1}, {1, 4, 2, 20, 1, 9}, {20, 1, 1, 1, 7, 12}, {2, 3, 12, 13, 5, 1}};
#endif

#ifdef GOLDEN_GAUSSIAN
enum { SHELLS = 7 };
/* Of an order or, where it is -1, of the first four; two share a center, and two more all. */
static void shells_make(convk_shell *shells, int order, double *exponents, double *coefficients) {
  size_t i, p;
  int d;
  memset(shells, 0, SHELLS * sizeof *shells);
  for (i = 0; i < SHELLS; i++) {
    for (d = 0; d < 3; d++) shells[i].center[d] = i == 4 || i == 6 ? shells[i - 1].center[d] : uniform(-0.5, 0.5);
    shells[i].l = (int)(i < 5 ? i : i - 4);
    shells[i].functions = order < 0 ? (int)(i % 4) : order;
    shells[i].primitives = i == 6 ? shells[5].primitives : 1 + i % 4;
    shells[i].exponents = i == 6 ? shells[5].exponents : exponents;
    shells[i].coefficients = coefficients;
    for (p = 0; p < shells[i].primitives; p++) {
      *exponents++ = uniform(0.1, 4);
      *coefficients++ = uniform(-1, 1);
    }
  }
}
#endif

#ifdef GOLDEN_FFT
/* A call that devices do not offer; the line of processors counts as looked at. */
static void unsupported(int status, const char *operation, const char *type, const char *name) {
  char key[128];
  golden_line *have;
  hashed = UINT64_C(14695981039346656037);
  arena_used = 0;
  snprintf(key, sizeof key, "%s_%s %s %s", operation, type, name, classes[CLASS]);
  if (unwanted(key)) return;
  have = line_of(key);
  if (have) have->seen = 1;
  if (status == CONVK_ERR_UNSUPPORTED) passed++;
  else {
    printf("FAIL %s: %s has status %d, %s\n", key, variant, status, convk_strerror(status));
    failed++;
  }
}
#endif

#ifdef GOLDEN_FFT
static const struct {
  const char *name;
  int correlation, spectrum;
  size_t items, kernels;
  int kernel_index, padded;
  size_t rows, columns, kernel_rows, kernel_columns;
  int mode;
  ptrdiff_t origin_row, origin_column;
  size_t out_rows, out_columns, fft_rows, fft_columns;
} fft_cases[] = {{"full", 0, 0, 3, 1, 0, 0, 11, 14, 5, 3, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 0},
                 {"same", 0, 0, 3, 1, 0, 1, 12, 13, 5, 4, CONVK_FFT_SAME, 0, 0, 0, 0, 0, 0},
                 {"valid", 0, 0, 3, 1, 0, 0, 16, 15, 5, 3, CONVK_FFT_VALID, 0, 0, 0, 0, 0, 0},
                 {"circular", 0, 0, 3, 1, 0, 1, 12, 20, 12, 20, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 0, 0},
                 {"window", 0, 0, 3, 1, 0, 0, 12, 20, 7, 6, CONVK_FFT_WINDOW, 3, 4, 9, 11, 0, 0},
                 {"full-correlation", 1, 0, 3, 1, 0, 1, 11, 14, 5, 3, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 0},
                 {"same-correlation", 1, 0, 3, 1, 0, 0, 12, 13, 5, 4, CONVK_FFT_SAME, 0, 0, 0, 0, 0, 0},
                 {"valid-correlation", 1, 0, 3, 1, 0, 1, 16, 15, 5, 3, CONVK_FFT_VALID, 0, 0, 0, 0, 0, 0},
                 {"circular-correlation", 1, 0, 3, 1, 0, 0, 12, 20, 9, 7, CONVK_FFT_CIRCULAR, 1, -2, 0, 0, 0, 0},
                 {"window-correlation", 1, 0, 3, 1, 0, 1, 12, 20, 7, 6, CONVK_FFT_WINDOW, 3, 4, 9, 11, 0, 0},
                 {"circular-origin", 0, 0, 2, 1, 0, 0, 10, 9, 10, 9, CONVK_FFT_CIRCULAR, 2, -3, 7, 5, 21, 40},
                 {"circular-any-period", 0, 0, 2, 1, 0, 0, 11, 13, 11, 13, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 0, 0},
                 {"kernels-in-turn", 0, 0, 8, 4, 0, 1, 9, 10, 3, 5, CONVK_FFT_SAME, 0, 0, 0, 0, 0, 0},
                 {"kernels-by-index", 0, 0, 19, 3, 1, 0, 9, 10, 3, 5, CONVK_FFT_SAME, 0, 0, 0, 0, 0, 0},
                 {"one-item", 0, 0, 1, 1, 0, 0, 30, 31, 5, 5, CONVK_FFT_SAME, 0, 0, 0, 0, 0, 0},
                 {"many-items", 0, 0, 35, 1, 0, 0, 7, 8, 3, 3, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 0},
                 {"one-point", 0, 0, 5, 1, 0, 0, 1, 1, 1, 1, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 0},
                 {"one-row", 0, 0, 5, 1, 0, 0, 1, 40, 1, 7, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 0},
                 {"one-column", 0, 0, 5, 1, 0, 0, 40, 1, 7, 1, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 0},
                 {"spectrum-circular", 0, 1, 3, 1, 0, 0, 12, 20, 0, 0, CONVK_FFT_CIRCULAR, 2, -3, 0, 0, 21, 40},
                 {"spectrum-same", 0, 1, 3, 2, 1, 0, 12, 20, 5, 5, CONVK_FFT_SAME, 0, 0, 0, 0, 18, 25},
                 {"spectrum-correlation", 1, 1, 3, 1, 0, 0, 12, 20, 12, 20, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 12, 20},
                 {"fft-2x3", 0, 0, 5, 1, 0, 0, 1, 2, 2, 2, CONVK_FFT_FULL, 0, 0, 0, 0, 2, 3},
                 {"fft-4x5", 0, 0, 5, 1, 0, 0, 3, 4, 2, 2, CONVK_FFT_FULL, 0, 0, 0, 0, 4, 5},
                 {"fft-7x6", 0, 0, 5, 1, 0, 0, 5, 4, 3, 3, CONVK_FFT_FULL, 0, 0, 0, 0, 7, 6},
                 {"fft-8x9", 0, 0, 5, 1, 0, 0, 5, 6, 3, 3, CONVK_FFT_FULL, 0, 0, 0, 0, 8, 9},
                 {"fft-16x10", 0, 0, 5, 1, 0, 0, 12, 8, 5, 3, CONVK_FFT_FULL, 0, 0, 0, 0, 16, 10},
                 {"fft-15x32", 0, 0, 3, 1, 0, 0, 11, 29, 5, 3, CONVK_FFT_FULL, 0, 0, 0, 0, 15, 32},
                 {"fft-64x35", 0, 0, 3, 1, 0, 0, 60, 30, 5, 5, CONVK_FFT_FULL, 0, 0, 0, 0, 64, 35},
                 {"fft-30x128", 0, 0, 3, 1, 0, 0, 20, 64, 5, 5, CONVK_FFT_SAME, 0, 0, 0, 0, 30, 128},
                 {"fft-256x14", 0, 0, 2, 1, 0, 0, 200, 12, 9, 3, CONVK_FFT_FULL, 0, 0, 0, 0, 256, 14},
                 {"fft-21x512", 0, 0, 2, 1, 0, 0, 18, 300, 3, 99, CONVK_FFT_FULL, 0, 0, 0, 0, 21, 512},
                 {"fft-1024x8", 0, 0, 2, 1, 0, 0, 600, 6, 300, 3, CONVK_FFT_FULL, 0, 0, 0, 0, 1024, 8},
                 {"fft-49x50", 0, 0, 3, 1, 0, 0, 40, 40, 7, 7, CONVK_FFT_SAME, 0, 0, 0, 0, 49, 50},
                 {"fft-16x16", 0, 0, 6, 2, 0, 0, 11, 15, 5, 4, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 16, 16},
                 {"fft-16x16-half", 0, 1, 6, 2, 0, 0, 7, 8, 0, 0, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 16, 16},
                 {"fft-32x32", 0, 0, 6, 2, 0, 0, 19, 31, 5, 4, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 32, 32},
                 {"fft-32x32-half", 0, 1, 6, 2, 0, 0, 15, 16, 0, 0, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 32, 32},
                 {"fft-64x64", 0, 0, 6, 2, 0, 0, 35, 63, 5, 4, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 64, 64},
                 {"fft-64x64-half", 0, 1, 6, 2, 0, 0, 31, 32, 0, 0, CONVK_FFT_CIRCULAR, 0, 0, 0, 0, 64, 64},
                 {"fft-20x20", 0, 0, 6, 2, 0, 0, 16, 15, 5, 4, CONVK_FFT_SAME, 0, 0, 0, 0, 20, 20},
                 {"fft-128x128", 0, 0, 2, 1, 0, 0, 120, 121, 5, 8, CONVK_FFT_SAME, 0, 0, 0, 0, 128, 128},
                 {"tiles", 0, 0, 2, 1, 0, 0, 1030, 2, 5, 2, CONVK_FFT_FULL, 0, 0, 0, 0, 0, 0}};
static const size_t fft2d_sizes[][3] = {/* rows, columns, items */
                                        {1, 1, 3},    {2, 3, 5},    {4, 5, 5},    {7, 8, 5},    {16, 9, 5},   {6, 10, 5},
                                        {12, 14, 3},  {15, 18, 19}, {20, 21, 3},  {24, 25, 3},  {27, 28, 1},  {32, 30, 3},
                                        {35, 36, 2},  {64, 40, 2},  {42, 49, 2},  {128, 45, 2}, {48, 256, 2}, {512, 5, 2},
                                        {3, 1024, 2}, {63, 60, 1},  {125, 81, 1}, {16, 16, 9},  {32, 32, 5},  {64, 64, 3},
                                        {28, 28, 4},  {128, 128, 1}};
#endif

#ifdef GOLDEN_VMC
static double table_values[40];
static convk_pair_potential potential_make(int i) {
  static const double low = -12, high = 400;
  convk_pair_potential none;
  size_t k;
  memset(&none, 0, sizeof none);
  switch (i) {
    case 1: return convk_pair_hfdhe2();
    case 2: return convk_pair_hfdb();
    case 3: return convk_pair_lm2m2();
    case 4: return convk_pair_lennard_jones(10.22, 2.556);
    case 5:
      seed("table");
      for (k = 0; k < COUNT_OF(table_values); k++) table_values[k] = k < 8 ? uniform(0, high) : k < 38 ? uniform(low, 0) : 0;
      return convk_pair_table(1.75, 0.25, COUNT_OF(table_values), table_values);
    default: return none;
  }
}
static const char *const potential_names[] = {"none", "hfdhe2", "hfdb", "lm2m2", "lennard-jones", "table"};

static const struct {
  const char *name;
  size_t particles, walkers;
  int padded, potential;
  double box, cutoff;
} pair_cases[] = {
    {"pair", 2, 5, 0, 2, 0, 0},        {"cluster-7", 7, 3, 1, 3, 0, 0},     {"cluster-64", 64, 1, 0, 1, 0, 0},
    {"cluster-70", 70, 2, 1, 2, 0, 0}, {"cluster-140", 140, 1, 0, 4, 0, 0}, {"cutoff", 70, 2, 0, 3, 0, 7.5},
    {"table", 33, 2, 0, 5, 0, 0},      {"none", 33, 2, 0, 0, 0, 0},         {"box-7", 7, 3, 0, 2, 18, 0},
    {"box-70", 70, 2, 1, 2, 18, 0},    {"box-bump", 70, 1, 0, 3, 18, 0},    {"box-cutoff", 140, 1, 0, 4, 27, 6.25},
    {"box-table", 64, 2, 0, 5, 18, 0}, {"cluster-300", 300, 1, 1, 3, 0, 0}};

static void put_results(const convk_pair_result *r, size_t n) {
  for (; n--; r++) {
    put_f64(r->ln_psi);
    put_f64(r->potential);
    put_f64(r->gradient_squared);
    put_f64(r->laplacian);
    put_f64(r->kinetic);
    put_f64s(r->derivative, 4);
  }
}
static void put_estimate(const convk_vmc_estimate *e) {
  put_f64(e->mean);
  put_f64(e->error);
  put_f64(e->variance);
  put_f64(e->autocorrelation);
  put_f64(e->block);
}
static void put_vmc_result(const convk_vmc_result *r) {
  put_bytes(r->sweeps, 8);
  put_bytes(r->measurements, 8);
  put_f64(r->step);
  put_f64(r->acceptance);
  put_estimate(&r->energy);
  put_estimate(&r->potential);
  put_estimate(&r->kinetic);
  put_estimate(&r->kinetic_gradient);
  put_estimate(&r->kinetic_laplacian);
  put_f64(r->drift);
  put_f64(r->pairs);
}
/* All that a state keeps, but for the library's version and the check sum that covers it. */
static void put_state(const void *state, size_t bytes) {
  convk_vmc_state_ head;
  if (bytes < sizeof head) return;
  memcpy(&head, state, sizeof head);
  head.version = 0;
  head.sum = 0;
  put_text((const char *)&head, sizeof head);
  put_text((const char *)state + sizeof head, bytes - sizeof head);
}
#endif

/* ------------------------------------------------------------------------------------------------- once per precision -- */

#define CAT3_(a, b, c) a##b##c
#define CAT4_(a, b, c, d) a##b##c##d
#define PASTE3(a, b, c) CAT3_(a, b, c)
#define PASTE4(a, b, c, d) CAT4_(a, b, c, d)
#define QUOTE_(a) #a
#define QUOTE(a) QUOTE_(a)
#define OF(name) PASTE4(convk_, name, _, GOLDEN_TYPE)            /* a public name of the precision */
#define OF_COMPLEX(name) PASTE4(convk_, name, _, GOLDEN_COMPLEX) /* and of its complex numbers */
#define OWN(name) PASTE3(name, _, GOLDEN_TYPE)
#define REAL QUOTE(GOLDEN_TYPE)
#define COMPLEX QUOTE(GOLDEN_COMPLEX)

#if !defined CONVK_F64 || defined CONVK_F32
#define GOLDEN_T convk_any_f32_
#define GOLDEN_DOUBLE 0
#define GOLDEN_TYPE f32
#define GOLDEN_COMPLEX c32
#include "golden.c"
#endif
#if !defined CONVK_F32 || defined CONVK_F64
#define GOLDEN_T convk_any_f64_
#define GOLDEN_DOUBLE 1
#define GOLDEN_TYPE f64
#define GOLDEN_COMPLEX c64
#include "golden.c"
#endif

/* ------------------------------------------------------------------------------------------ what has no precision -- */

static void golden_tuned(void) { /* text of tuned choices, and entries of text */
  convk_tuned entries[3], back[3];
  char *text = (char *)take(2000);
  size_t length = 0, count = 0, i, p;
  int status;
  memset(entries, 0, sizeof entries);
  seed("tuned");
  for (i = 0; i < 3; i++) {
    strcpy(entries[i].operation, i == 0 ? "stencil7" : i == 1 ? "sepconv3d" : "fftconv2d");
    strcpy(entries[i].type, i == 0 ? "f64" : i == 1 ? "f32" : "c64");
    strcpy(entries[i].hw, i == 2 ? "scalar" : "avx512");
    strcpy(entries[i].machine, "a_machine");
    entries[i].threads = (int)i + 1;
    entries[i].nx = 100 + i;
    entries[i].ny = 200;
    entries[i].nz = 7 - i;
    entries[i].length = 1 + 15 * i;
    for (p = 0; p < CONVK_TUNE_COUNT; p++) entries[i].choice[p] = (long)(next64() % 2);
    entries[i].gain = 1000 + (long)i;
  }
  status = convk_tuned_write(NULL, entries, 3, text, 2000, &length);
  put_text(text, length);
  if (!status) status = convk_tuned_read(NULL, text, length, back, 3, &count, NULL);
  put_size(count);
  for (i = 0; i < count && !status; i++) {
    put_size(back[i].nx);
    put_size(back[i].length);
    for (p = 0; p < CONVK_TUNE_COUNT; p++) put_bytes((uint64_t)back[i].choice[p], 8);
  }
  line(EVERY, status, "tuned", "text", "entries");
}

static void golden_host(void) { /* what needs no handle */
  size_t i;
  for (i = 0; i < 2; i++) {
    const size_t element = i ? 8 : 4, n[3][3] = {{1, 1, 1}, {100, 37, 5}, {512, 512, 512}};
    size_t k;
    for (k = 0; k < 3; k++) {
      const convk_grid3 grid = convk_grid3_padded(n[k][0], n[k][1], n[k][2], element);
      put_size(grid.pitch_y);
      put_size(grid.pitch_z);
    }
  }
  line(EVERY, 0, "grid3", "sizes", "padded");
  golden_tuned();
#ifdef GOLDEN_GAUSSIAN
  for (i = 0; i <= CONVK_SHELL_MAX_L; i++) {
    double exponents[4], contraction[4], coefficients[4];
    int status, k;
    seed("shell");
    for (k = 0; k < 4; k++) {
      exponents[k] = uniform(0.05, 30);
      contraction[k] = uniform(-0.2, 1);
    }
    status = convk_shell_normalise(NULL, (int)i, 4, exponents, contraction, coefficients);
    put_f64s(coefficients, 4);
    line(EVERY, status, "shell_normalise", "f64", "l-%d", (int)i);
  }
#endif
#ifdef GOLDEN_VMC
  {
    uint32_t counter[4], key[2], words[4];
    seed("philox");
    for (i = 0; i < 64; i++) {
      const uint64_t a = next64(), b = next64(), c = next64();
      counter[0] = (uint32_t)a;
      counter[1] = (uint32_t)(a >> 32);
      counter[2] = (uint32_t)b;
      counter[3] = (uint32_t)(b >> 32);
      key[0] = (uint32_t)c;
      key[1] = (uint32_t)(c >> 32);
      convk_philox4x32(counter, key, words);
      put_bytes(words[0], 4);
      put_bytes(words[1], 4);
      put_bytes(words[2], 4);
      put_bytes(words[3], 4);
    }
    line(EVERY, 0, "philox4x32", "u32", "random");
  }
#endif
}

/* --------------------------------------------------------------------------------------------------------------- main -- */

static int listed(const char *list, const char *word) {
  const size_t length = strlen(word);
  while (list && *list) {
    const char *end = strchr(list, ',');
    const size_t n = end ? (size_t)(end - list) : strlen(list);
    if (n == length && !strncmp(list, word, n)) return 1;
    list = end ? end + 1 : NULL;
  }
  return 0;
}

static int list_read(const char *path) {
  char text[200], word[3][96];
  FILE *f = fopen(path, "r");
  if (!f) {
    printf("cannot read %s\n", path);
    return 0;
  }
  while (fgets(text, sizeof text, f)) {
    unsigned long long hash;
    char key[3 * 96];
    if (sscanf(text, "%95s %95s %95s %llx", word[0], word[1], word[2], &hash) != 4) {
      printf("not a line of hashes: %s", text);
      fclose(f);
      return 0;
    }
    snprintf(key, sizeof key, "%s %s %s", word[0], word[1], word[2]);
    line_new(key, hash);
  }
  fclose(f);
  return 1;
}

/* Lines of this variant's classes that nobody has looked at, but for those that it has of its own. */
static void unseen(void) {
  size_t i, k;
  for (i = 0; i < line_count; i++) {
    const char *class_name = strrchr(lines[i].key, ' ') + 1;
    int ours = 0;
    for (k = 0; k < COUNT_OF(classes); k++) ours |= !strcmp(class_name, classes[k]);
    if (ours && !lines[i].seen) {
      int own = 0;
      for (k = PROCESSORS; k <= NOT_DEVICES; k++) {
        char key[128];
        snprintf(key, sizeof key, "%.*s%s", (int)(class_name - lines[i].key), lines[i].key, classes[k]);
        own |= strcmp(key, lines[i].key) && line_of(key);
      }
      if (!own) {
        printf("FAIL %s: in the list, but %s does not compute it\n", lines[i].key, variant);
        failed++;
      }
    }
  }
  for (i = 0; i < line_count; i++) lines[i].seen = 0;
}

static void golden_all(convk *hw) {
  golden_host();
#if !defined CONVK_F64 || defined CONVK_F32
  golden_f32(hw);
#endif
#if !defined CONVK_F32 || defined CONVK_F64
  golden_f64(hw);
#endif
}

static void golden_learn(convk *hw) {
  convk none = *hw;
  none.version = 0;
  learning = 1;
  case_number = 0;
  memset(chosen, 0, sizeof chosen);
  golden_all(&none);
  learning = 0;
}

static void golden_variant(const char *name, const char *label, int fused) {
  const char *require = getenv("CONVK_REQUIRE");
  const int cuda = !strcmp(name, "cuda"), device = cuda || !strcmp(name, "opencl");
  const char *own;
  convk hw;
  int status;
  variant = label;
  classes[EVERY] = "every";
  classes[CLASS] = fused ? "fused" : "muladd";
  own = strcmp(label, "cuda") ? label : ""; /* a real one's are not in the list */
  classes[NOT_CUDA] = cuda ? own : classes[CLASS];
  classes[PROCESSORS] = device ? own : classes[CLASS];
  classes[NOT_DEVICES] = device ? "devices" : classes[CLASS];
  as_gpu = !strcmp(label, "opencl-gpu");
  status = convk_open(&hw, name);
#ifdef CONVK_CL
  pocl = !status && is_pocl(&hw);
  if (!status && local_bytes) convk_cl_of(&hw)->local_bytes = local_bytes;
#endif
  (void)pocl; /* of a program without transforms */
  if (status) {
    fprintf(printing ? stderr : stdout, "%s: %s\n", label, convk_strerror(status));
    if (listed(require, label) || (status != CONVK_ERR_HW_MODULE && status != CONVK_ERR_HW_MACHINE)) failed++;
    else skipped++;
    return;
  }
  hw.device_bytes = device_bytes;
  if (filter || skip || small) golden_learn(&hw);
  else memset(chosen, 1, sizeof chosen);
  case_number = 0;
  golden_all(&hw);
  convk_close(&hw);
#if !GOLDEN_SOME && !defined CONVK_F32 && !defined CONVK_F64
  if (!printing && !filter && !quick && !small && own[0] && strcmp(label, "opencl-gpu")) unseen();
#else
  (void)unseen;
#endif
}

int main(int argc, char **argv) {
  const char *list = "tests/golden.txt", *hw = NULL;
#ifdef CONVK_STRICT
  const int fused = 0; /* of processors */
#else
  const int fused = 1;
#endif
  int i;
  for (i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--print")) printing = 1;
    else if (!strcmp(argv[i], "--quick")) quick = 1;
    else if (!strcmp(argv[i], "--small")) small = 1;
    else if (!strcmp(argv[i], "--hw") && i + 1 < argc) hw = argv[++i];
    else if (!strcmp(argv[i], "--filter") && i + 1 < argc) filter = argv[++i];
    else if (!strcmp(argv[i], "--skip") && i + 1 < argc) skip = argv[++i];
    else if (!strcmp(argv[i], "--list") && i + 1 < argc) list = argv[++i];
    else if (!strcmp(argv[i], "--odd") && i + 1 < argc) odd = (size_t)strtoul(argv[++i], NULL, 10);
    else if (!strcmp(argv[i], "--device-bytes") && i + 1 < argc) device_bytes = (size_t)strtoul(argv[++i], NULL, 10);
    else if (!strcmp(argv[i], "--local-bytes") && i + 1 < argc) local_bytes = (size_t)strtoul(argv[++i], NULL, 10);
    else if (!strcmp(argv[i], "--any-size") && SPECIAL) *SPECIAL = 0;
#if defined CONVK_DECLARE && defined CONVK_TEST_CUDA_EMULATED
    else if (!strcmp(argv[i], "--blocks") && i + 1 < argc) test_cuda_most_blocks = (size_t)strtoul(argv[++i], NULL, 10);
#endif
    else {
      fprintf(stderr,
              "usage: %s [--hw NAME,...] [--filter TEXT] [--skip TEXT,...] [--list FILE] [--quick | --small] [--odd N] "
              "[--device-bytes N] [--local-bytes N] [--any-size] [--blocks N] [--print]\n",
              argv[0]);
      return 2;
    }
  }
  hashed = UINT64_C(14695981039346656037);
  if (!printing && !list_read(list)) return 2;
#if defined CONVK_CL || defined CONVK_CUDA /* programs for processors look at these */
#ifdef CONVK_CL
  if (!hw || listed(hw, "opencl")) golden_variant("opencl", "opencl", fused);
  if (!hw || listed(hw, "opencl-gpu")) golden_variant("opencl", "opencl-gpu", fused);
#endif
#ifdef CONVK_TEST_CUDA_EMULATED
  if (!hw || listed(hw, "cuda-emulated")) golden_variant("cuda", "cuda-emulated", fused);
#elif defined CONVK_CUDA
  if (!hw || listed(hw, "cuda")) golden_variant("cuda", "cuda", fused);
#endif
#else
  for (i = 0; i < 6; i++) {
    static const char *const names[] = {"scalar", "sse2", "avx", "avx2", "avx512", "neon"};
#ifndef CONVK_SSE
    if (!hw && i == 1) continue;
#endif
#ifndef CONVK_AVX
    if (!hw && i > 1 && i < 5) continue;
#endif
#ifndef CONVK_NEON
    if (!hw && i == 5) continue;
#endif
    if (!hw || listed(hw, names[i])) golden_variant(names[i], names[i], fused && i > 2);
  }
#endif
#ifdef CONVK_TEST_CUDA_EMULATED
  if (failed) printf("shown again by CONVK_EMULATOR_SCHEDULE=%s\n", convk_emulator_name());
#endif
  if (device_bytes) printf("%lu take more memory\n", large);
  if (device_bytes && !passed) failed++;
  fprintf(printing ? stderr : stdout, "%lu passed, %lu failed, %lu skipped\n", passed, failed, skipped);
  return failed != 0;
}

#else /* once per precision */

static MAYBE_UNUSED void OWN(puts)(const GOLDEN_T *x, size_t n) {
  while (n--) PASTE3(put_, GOLDEN_TYPE, )(*x++);
}
static MAYBE_UNUSED void OWN(fill)(GOLDEN_T *x, size_t n, double low, double high) {
  while (n--) *x++ = (GOLDEN_T)uniform(low, high);
}
static MAYBE_UNUSED GOLDEN_T *OWN(array)(size_t n) { return (GOLDEN_T *)(void *)take_odd(n * sizeof(GOLDEN_T)); }
static MAYBE_UNUSED GOLDEN_T *OWN(values)(size_t n, double low, double high) {
  GOLDEN_T *x = OWN(array)(n);
  OWN(fill)(x, n, low, high);
  return x;
}
static MAYBE_UNUSED GOLDEN_T OWN(of_bits)(uint64_t bits) { /* of f64: those of f32 are the upper half */
#if GOLDEN_DOUBLE
  double x;
  memcpy(&x, &bits, sizeof x);
#else
  const uint32_t upper = (uint32_t)(bits >> 32);
  float x;
  memcpy(&x, &upper, sizeof x);
#endif
  return x;
}
/* Elements from the first to the last of a grid, and more pitch where it is padded. */
static MAYBE_UNUSED size_t OWN(lay_out)(convk_grid3 *grid, int padded) {
  grid->pitch_y = padded ? grid->nx + 3 : grid->nx;
  grid->pitch_z = padded ? grid->pitch_y * grid->ny + 5 : grid->pitch_y * grid->ny;
  return grid->pitch_z * grid->nz;
}

#ifdef GOLDEN_SEPCONV
/* Wavelets: both directions of each pair, boundaries in turn, one and several levels. */
static void OWN(golden_dwt)(convk *hw) {
  static const char *const pairs[4] = {"daubechies16", "sym4", "values", "7-taps"};
  static const int axes[3][3] = {ALL(CONVK_BOUNDARY_PERIODIC),
                                 ALL(CONVK_BOUNDARY_GROW),
                                 {CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_SHRINK}};
  static const char *const names[3] = {"periodic", "free", "mixed"};
  int i, direction, status;
  for (i = 0; i < 4 * 3 * 3; i++) {
    const int pair = i % 4, b = i / 4 % 3, large = i / 12 == 1, levels = i / 12 == 2 ? 3 : 1;
    for (direction = 0; direction < 2; direction++) {
      const char *const operation = pair == 2 ? direction ? "s1_to_r" : "r_to_s1" : direction ? "idwt3d" : "dwt3d";
      OF(wavelet) w = OF(wavelet_taps)(pair);
      convk_dwt3d_shape shape, full;
      GOLDEN_T *in, *out;
      size_t n, m;
      if ((pair == 2 && levels > 1) || !due()) continue;
      seed("dwt3d");
      if (pair == 3) {
        w.lo = -4;
        w.up = 2;
        w.low = OWN(values)(7, -0.5, 0.6);
        w.high = OWN(values)(7, -0.6, 0.5);
      }
      memset(&shape, 0, sizeof shape);
      memcpy(shape.boundary, axes[b], sizeof shape.boundary);
      shape.levels = levels;
      shape.coarse.nx = large ? 70 : 12;
      shape.coarse.ny = large ? 22 : 10;
      shape.coarse.nz = large ? 18 : 14;
      if (levels > 1) {
        const size_t more = b ? (size_t)(w.up - w.lo - 1) : 0;
        shape.coarse.nx = 16 + (b == 1 ? 6 * more : 0);
        shape.coarse.ny = 8 + (b == 1 ? 6 * more : 0);
        shape.coarse.nz = 8 + 6 * more;
      }
      status = OF(dwt3d_resolve)(NULL, &shape, &w, &full);
      if (!status) shape = full;
      n = OWN(lay_out)(&shape.fine, i % 2);
      m = OWN(lay_out)(&shape.coarse, i % 3 == 0);
      in = OWN(values)(direction ? m : n, -1, 1);
      out = OWN(array)(direction ? n : m);
      if (status) {
      } else if (pair == 2) {
        status = direction ? OF(s1_to_r)(hw, &shape, in, out, NULL, 0) : OF(r_to_s1)(hw, &shape, in, out, NULL, 0);
      } else {
        status = direction ? OF(idwt3d)(hw, &shape, &w, in, out, NULL, 0) : OF(dwt3d)(hw, &shape, &w, in, out, NULL, 0);
      }
      OWN(puts)(out, direction ? n : m);
      line(CLASS, status, operation, REAL, "%s-%s%s", pairs[pair], names[b], large ? "-large" : levels > 1 ? "-levels" : "");
    }
  }
}

/* Orbitals in wavelets: the Hamiltonian on two of them, and segments there and back. */
static void OWN(golden_hamiltonian)(convk *hw) {
  static const int axes[3][3] = {ALL(CONVK_BOUNDARY_PERIODIC),
                                 ALL(CONVK_BOUNDARY_GROW),
                                 {CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_SHRINK}};
  static const char *const names[3] = {"periodic", "free", "mixed"};
  static const size_t ends[] = {0, 0, 3, 9, 11, 12, 40, 58}, place[] = {1, 2, 9, 11};
  int i, status;
  for (i = 0; i < 6; i++) {
    convk_hamiltonian_shape shape, full;
    convk_hamiltonian_energies energies[2];
    OF(hamiltonian_terms) terms;
    GOLDEN_T *in, *out;
    size_t n, m;
    if (!due()) continue;
    seed("hamiltonian_apply");
    memset(&shape, 0, sizeof shape);
    memset(&full, 0, sizeof full);
    memset(&terms, 0, sizeof terms);
    memset(energies, 0, sizeof energies);
    memcpy(shape.boundary, axes[i % 3], sizeof shape.boundary);
    shape.wavelets.nx = i < 3 ? 12 : 26;
    shape.wavelets.ny = i < 3 ? 8 : 18;
    shape.wavelets.nz = 10;
    shape.vectors = 2;
    status = OF(hamiltonian_resolve)(NULL, &shape, &full);
    n = OWN(lay_out)(&full.wavelets, i % 2);
    m = OWN(lay_out)(&full.values, i % 2);
    full.in_stride = full.out_stride = n;
    terms.spacing[0] = 0.4;
    terms.spacing[1] = 0.5;
    terms.spacing[2] = i == 4 ? 0 : 0.45;
    terms.shift = (GOLDEN_T)(i == 5 ? -0.25 : 0);
    in = OWN(values)(2 * n, -1, 1);
    out = OWN(array)(2 * n);
    terms.potential = i == 2 ? NULL : OWN(values)(m, -2, 1);
    if (!status) status = OF(hamiltonian_apply)(hw, &full, &terms, in, out, i == 3 ? NULL : energies, NULL, 0);
    OWN(puts)(out, 2 * n);
    for (n = 0; n < 8; n++) put_f64(n % 4 < 3 ? energies[n / 4].kinetic[n % 4] : energies[n / 4].potential);
    line(CLASS, status, "hamiltonian_apply", REAL, "%s%s", names[i % 3], i < 3 ? "" : "-large");
  }
  for (i = 0; i < 5; i++) { /* complex, at points k */
    static const double k[5][3] = {{0, 0, 0}, {0.3, -0.4, 0.5}, {0, 1.5, 0}, {-0.7, 0.2, 0.1}, {0.2, 0, -0.3}};
    convk_hamiltonian_shape shape, full;
    convk_hamiltonian_energies energies[2];
    OF(hamiltonian_terms) terms;
    GOLDEN_T *in, *out;
    size_t n, m;
    if (!due()) continue;
    seed("hamiltonian_apply complex");
    memset(&shape, 0, sizeof shape);
    memset(&full, 0, sizeof full);
    memset(&terms, 0, sizeof terms);
    memset(energies, 0, sizeof energies);
    memcpy(shape.boundary, axes[i % 4 % 3], sizeof shape.boundary);
    shape.wavelets.nx = i == 4 ? 8 : i < 3 ? 12 : 26;
    shape.wavelets.ny = i == 4 ? 4 : 8;
    shape.wavelets.nz = i == 4 ? 4 : i < 3 ? 10 : 14;
    shape.vectors = 2;
    status = OF(hamiltonian_resolve)(NULL, &shape, &full);
    n = OWN(lay_out)(&full.wavelets, i % 2);
    m = OWN(lay_out)(&full.values, i % 2);
    full.in_stride = full.out_stride = n;
    terms.spacing[0] = 0.4;
    terms.spacing[1] = 0.5;
    terms.spacing[2] = i == 2 ? 0 : 0.45;
    terms.shift = (GOLDEN_T)(i == 1 ? -0.25 : 0);
    memcpy(terms.k, k[i], sizeof terms.k);
    in = OWN(values)(4 * n, -1, 1);
    out = OWN(array)(4 * n);
    terms.potential = i == 2 ? NULL : OWN(values)(m, -2, 1);
    if (!status) status = OF_COMPLEX(hamiltonian_apply)(hw, &full, &terms, in, out, i == 3 ? NULL : energies, NULL, 0);
    OWN(puts)(out, 4 * n);
    for (n = 0; n < 8; n++) put_f64(n % 4 < 3 ? energies[n / 4].kinetic[n % 4] : energies[n / 4].potential);
    line(CLASS, status, "hamiltonian_apply", COMPLEX, "%s%s", i ? "k-" : "", i < 3 ? names[i % 3] : i == 3 ? "large" : "tiny");
  }
  for (i = 0; i < 2; i++) {
    convk_compressed_shape shape;
    GOLDEN_T *packed, *dense;
    size_t n;
    if (!due()) continue;
    seed("wavelet_compress");
    memset(&shape, 0, sizeof shape);
    shape.dense.nx = 10;
    shape.dense.ny = 6;
    shape.dense.nz = 8;
    n = OWN(lay_out)(&shape.dense, 1);
    shape.coarse.count = 4;
    shape.coarse.ends = ends;
    shape.fine.count = 3;
    shape.fine.ends = ends;
    shape.fine.place = place;
    shape.fine.points = 12;
    packed = i ? OWN(array)(29 + 84) : OWN(values)(29 + 84, -1, 1);
    dense = i ? OWN(values)(n, -1, 1) : OWN(array)(n);
    status = i ? OF(wavelet_compress)(hw, &shape, dense, packed) : OF(wavelet_uncompress)(hw, &shape, packed, dense);
    OWN(puts)(i ? packed : dense, i ? 29 + 84 : n);
    line(CLASS, status, i ? "wavelet_compress" : "wavelet_uncompress", REAL, "segments");
  }
}

static void OWN(golden_sepconv)(convk *hw) {
  static const int same[4][3] = {ALL(CONVK_BOUNDARY_PERIODIC), ALL(CONVK_BOUNDARY_GROW), ALL(CONVK_BOUNDARY_SHRINK),
                                 ALL(CONVK_BOUNDARY_ZERO)};
  size_t i, k, n;
  int d, status;
  for (i = 0; i < COUNT_OF(sepconv_cases); i++) {
    const sepconv_case *c = &sepconv_cases[i];
    GOLDEN_T *in, *out, *taps;
    OF(filter) filter3[3];
    convk_grid3 from, to;
    from.nx = c->nx;
    from.ny = c->ny;
    from.nz = c->nz;
    n = OWN(lay_out)(&from, c->padded);
    if (!due()) continue;
    seed(c->name);
    taps = OWN(values)(3 * 64, -0.5, 0.6);
    for (d = 0; d < 3; d++) {
      filter3[d].lo = c->reach[d][0];
      filter3[d].up = c->reach[d][1];
      filter3[d].taps = taps + 64 * d;
    }
    in = OWN(values)(n, -1, 1);
    memset(&to, 0, sizeof to);
    status = OF(sepconv3d_out_grid)(NULL, shape_of(&from, NULL, c->boundary), filter3, &to);
    n = OWN(lay_out)(&to, !c->padded);
    out = OWN(array)(n);
    if (!status) status = OF(sepconv3d)(hw, shape_of(&from, &to, c->boundary), filter3, NULL, in, out, NULL, 0);
    OWN(puts)(out, n);
    line(CLASS, status, "sepconv3d", REAL, "%s", c->name);
  }
  for (i = 0; i < 8; i++) { /* the magic filter, and numbers that are none */
    const int direction = i & 1 ? CONVK_INVERSE : CONVK_FORWARD;
    const int *boundary = same[i / 2];
    for (k = 0; k < 2; k++) {
      convk_grid3 from, to;
      GOLDEN_T *in, *out;
      OF(filter) filter3[3];
      from.nx = 26;
      from.ny = 17;
      from.nz = 18;
      n = OWN(lay_out)(&from, (int)k);
      if (!due()) continue;
      seed("magicfilter3d");
      in = OWN(values)(n, -1, 1);
      if (k) {
        in[3 * from.pitch_y + 2] = OWN(of_bits)(UINT64_C(0x7ff8000000000000) | UINT64_C(0x7fc00000) << 32); /* NaN */
        in[from.pitch_z * 15 + from.pitch_y * 9 + 20] =
            (GOLDEN_T)1e30 * (GOLDEN_T)1e30 * (GOLDEN_T)(GOLDEN_DOUBLE ? 1e300 : 1); /* infinite in f32 */
      }
      filter3[0] = filter3[1] = filter3[2] = OF(magicfilter_taps)(direction);
      memset(&to, 0, sizeof to);
      status = OF(sepconv3d_out_grid)(NULL, shape_of(&from, NULL, boundary), filter3, &to);
      n = OWN(lay_out)(&to, (int)k);
      out = OWN(array)(n);
      if (!status) status = OF(magicfilter3d)(hw, shape_of(&from, &to, boundary), direction, NULL, in, out, NULL, 0);
      OWN(puts)(out, n);
      line(CLASS, status, "magicfilter3d", REAL, "%s-%s%s", direction == CONVK_FORWARD ? "forward" : "inverse",
           boundary_names[boundary[0]], k ? "-nan" : "");
    }
  }
  if (due()) { /* rows for which a device takes wide tiles: warps side by side */
    convk_grid3 grid = {200, 17, 3, 0, 0};
    GOLDEN_T *in, *out;
    n = grid.nx * grid.ny * grid.nz;
    seed("magicfilter3d-wide");
    in = OWN(values)(n, -1, 1);
    out = OWN(array)(n);
    status = OF(magicfilter3d)(hw, shape_of(&grid, NULL, same[0]), CONVK_FORWARD, NULL, in, out, NULL, 0);
    OWN(puts)(out, n);
    line(CLASS, status, "magicfilter3d", REAL, "wide-periodic");
  }
  for (i = 0; i < 12; i++) { /* density 1, dot 2, potential 4, energy 8, update 16, no output 32 */
    static const int parts[12] = {1, 2, 4, 12, 16, 31, 1 + 32, 2 + 32, 12 + 32, 1 + 2 + 16, 15 + 32, 1 + 4};
    const int b = i == 11 ? 1 : i % 2 ? 3 : 0, part = parts[i]; /* grow at the end */
    convk_grid3 from, to;
    GOLDEN_T *in, *out, *density, *potential;
    double dot = 0, energy = 0;
    OF(sepconv_epilogue) e;
    OF(filter) filter3[3];
    from.nx = 35;
    from.ny = 19;
    from.nz = 12;
    n = OWN(lay_out)(&from, 1);
    if (!due()) continue;
    seed("epilogue");
    in = OWN(values)(n, -1, 1);
    filter3[0] = filter3[1] = filter3[2] = OF(magicfilter_taps)(CONVK_FORWARD);
    memset(&to, 0, sizeof to);
    status = OF(sepconv3d_out_grid)(NULL, shape_of(&from, NULL, same[b]), filter3, &to);
    n = OWN(lay_out)(&to, 1);
    out = OWN(values)(n, -1, 1);
    density = OWN(values)(n, 0, 1);
    potential = OWN(values)(n, -2, 2);
    memset(&e, 0, sizeof e);
    if (part & 1) e.density = density;
    e.density_factor = (GOLDEN_T)0.7;
    if (part & 2) e.dot = &dot;
    if (part & 4) e.potential = potential;
    if (part & 8) e.energy = &energy;
    if (part & 16) e.update = 1;
    e.a = (GOLDEN_T)0.3;
    e.b = (GOLDEN_T)-0.9;
    if (!status)
      status = OF(magicfilter3d)(hw, shape_of(&from, &to, same[b]), CONVK_FORWARD, &e, in, part & 32 ? NULL : out, NULL, 0);
    OWN(puts)(out, n);
    OWN(puts)(density, n);
    put_f64(dot);
    put_f64(energy);
    line(CLASS, status, "magicfilter3d", REAL, "epilogue%s%s%s%s%s%s-%s", part & 1 ? "-density" : "", part & 2 ? "-dot" : "",
         part & 4 ? "-potential" : "", part & 8 ? "-energy" : "", part & 16 ? "-update" : "", part & 32 ? "-alone" : "",
         boundary_names[b]);
  }
  for (i = 0; i < 5; i++) {
    static const int boundary[5][3] = {ALL(CONVK_BOUNDARY_PERIODIC),
                                       ALL(CONVK_BOUNDARY_ZERO),
                                       ALL(CONVK_BOUNDARY_GROW),
                                       {CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_ZERO},
                                       {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_GROW}};
    static const char *const name[5] = {"periodic", "zero", "grow", "mixed", "mixed-2"};
    for (k = 0; k < 2; k++) { /* in place, without the energy */
      convk_grid3 grid, values;
      GOLDEN_T *psi, *potential, *out;
      double energy = 0;
      grid.nx = 21;
      grid.ny = 14;
      grid.nz = 17;
      n = OWN(lay_out)(&grid, 1);
      if (!due()) continue;
      seed("potential_apply");
      psi = OWN(values)(n, -1, 1);
      out = k ? psi : OWN(array)(n);
      values.nx = grid.nx + (boundary[i][0] == CONVK_BOUNDARY_GROW ? 15 : 0);
      values.ny = grid.ny + (boundary[i][1] == CONVK_BOUNDARY_GROW ? 15 : 0);
      values.nz = grid.nz + (boundary[i][2] == CONVK_BOUNDARY_GROW ? 15 : 0);
      potential = OWN(values)(OWN(lay_out)(&values, i != 1), -2, 2);
      status = OF(potential_apply)(hw, shape_of(&grid, &values, boundary[i]), potential, psi, out, k ? NULL : &energy, NULL, 0);
      OWN(puts)(out, n);
      if (!k) put_f64(energy);
      line(CLASS, status, "potential_apply", REAL, "%s%s", name[i], k ? "-in-place" : "-energy");
    }
  }
  for (i = 0; i < 16; i++) { /* lengths and shapes, for each boundary */
    static const int reach[4][2] = {{-8, 7}, {-1, 3}, {0, 0}, {-20, 12}};
    static const size_t shape[4][4] = {{40, 37, 43, 0}, {64, 200, 0, 203}, {35, 1, 0, 0}, {133, 100, 0, 0}};
    const int b = (int)i / 4;
    const size_t *s = shape[i % 4], m = s[0] + (b == CONVK_BOUNDARY_GROW ? 64 : 0);
    GOLDEN_T *in, *out;
    OF(filter) f;
    if (!due()) continue;
    seed("conv1d_transpose");
    f.lo = reach[i % 4][0];
    f.up = reach[i % 4][1];
    f.taps = OWN(values)(64, -0.5, 0.6);
    in = OWN(values)((s[2] ? s[2] : s[0]) * s[1], -1, 1);
    n = m * (s[3] ? s[3] : s[1]);
    out = OWN(array)(n);
    status = OF(conv1d_transpose)(hw, rows_of(s[0], s[1], s[2], s[3], b), &f, in, out, NULL, 0);
    OWN(puts)(out, n);
    line(CLASS, status, "conv1d_transpose", REAL, "%s-%d-taps", boundary_names[b], f.up - f.lo + 1);
  }
}
/* Of sum_cases[i] the terms, of filters along one axis. */
static void OWN(sum_terms)(size_t i, int d, int periodic, GOLDEN_T (*taps)[3][64],
                           PASTE3(convk_sumconv_terms_, GOLDEN_TYPE, ) * terms) {
  const unsigned has = sum_cases[i].has;
  const int reach = has & SUM_LONG ? 16 : 4 - d;
  int k;
  for (k = 0; k < 3; k++) OWN(fill)(taps[k][d], 64, -1, 1);
  terms->filter[d].lo = -reach;
  terms->filter[d].up = has & SUM_LONG ? reach - 1 - d : reach;
  terms->filter[d].taps = taps[0][d];
  if (has & SUM_READY) (void)OF(derivative_filter)(NULL, 2, d == 1 ? 0 : 8, -0.5, taps[0][d], &terms->filter[d]);
  if (has & SUM_IMAG && d != 1) {
    terms->imag[d].lo = -2;
    terms->imag[d].up = 1;
    terms->imag[d].taps = taps[1][d];
  }
  if (has & SUM_MIXED) {
    terms->first[d].lo = -1;
    terms->first[d].up = 2;
    terms->first[d].taps = taps[2][d];
    terms->mixed[d] = (GOLDEN_T)0.25 * (GOLDEN_T)(d + 1);
  }
  if (has & SUM_PHASE && periodic) {
    terms->phase[d][0] = 0.6;
    terms->phase[d][1] = d == 1 ? -0.8 : 0.8;
  }
}

static void OWN(golden_sumconv)(convk *hw) {
  static const int boundary[5][3] = {ALL(CONVK_BOUNDARY_PERIODIC),
                                     ALL(CONVK_BOUNDARY_GROW),
                                     ALL(CONVK_BOUNDARY_SHRINK),
                                     ALL(CONVK_BOUNDARY_ZERO),
                                     {CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_ZERO}};
  static const char *const names[5] = {"periodic", "grow", "shrink", "zero", "mixed"};
  size_t i, b, n, k;
  for (i = 0; i < COUNT_OF(sum_cases); i++)
    for (b = 0; b < 5; b++) {
      const unsigned has = sum_cases[i].has;
      const size_t step = has & SUM_COMPLEX ? 2 : 1;
      GOLDEN_T taps[3][3][64], *in, *out = NULL, *z = NULL;
      PASTE3(convk_sumconv_terms_, GOLDEN_TYPE, ) terms;
      convk_sumconv3d_shape shape;
      convk_sumconv_sums found[3], *sums = has & SUM_SUMS ? found : NULL;
      int d, status;
      if (!due()) continue;
      seed("sumconv3d");
      memset(&shape, 0, sizeof shape);
      memset(&terms, 0, sizeof terms);
      memset(found, 0, sizeof found);
      for (d = 0; d < 3; d++) OWN(sum_terms)(i, d, !boundary[b][d], taps, &terms);
      memcpy(shape.boundary, boundary[b], sizeof shape.boundary);
      shape.vectors = sum_cases[i].vectors;
      shape.in.nx = sum_cases[i].nx;
      shape.in.ny = has & SUM_TINY ? 7 : b == 2 ? 37 : 19;
      shape.in.nz = has & SUM_TINY ? 5 : b == 2 ? 35 : 13;
      in = OWN(values)(OWN(lay_out)(&shape.in, 1) * shape.vectors * step, -1, 1);
      status = OF(sumconv3d_out_grid)(NULL, &shape, &terms, &shape.out);
      n = OWN(lay_out)(&shape.out, 1);
      if (has & SUM_Z) z = OWN(values)(n * shape.vectors * step, -1, 1);
      if (!(has & SUM_ALONE)) out = has & SUM_IN_PLACE ? z : OWN(array)(n * shape.vectors * step);
      terms.potential = has & SUM_V ? OWN(values)(n, -2, 2) : NULL;
      terms.potential_factor = (GOLDEN_T)0.75;
      terms.shift = has & SUM_C ? (GOLDEN_T)-1.5 : 0;
      terms.add = z;
      terms.add_factor = (GOLDEN_T)-0.5;
      if (!status)
        status = step == 2 ? OF_COMPLEX(sumconv3d)(hw, &shape, &terms, in, out, sums, NULL, 0)
                           : OF(sumconv3d)(hw, &shape, &terms, in, out, sums, NULL, 0);
      if (out) OWN(puts)(out, n * shape.vectors * step);
      for (k = 0; sums && k < shape.vectors; k++) {
        put_f64(found[k].dot[0]);
        put_f64(found[k].dot[1]);
        put_f64(found[k].potential);
        put_f64(found[k].norm);
        for (d = 0; d < 3; d++) put_f64(found[k].axis[d]);
        put_f64(found[k].mixed);
      }
      {
        char name[64];
        snprintf(name, sizeof name, "%s-%s", sum_cases[i].name, names[b]);
        line(CLASS, status, "sumconv3d", step == 2 ? COMPLEX : REAL, "%s", name);
      }
    }
}

/* Filters as long to both sides along all axes, as finite differences are: real, then complex; all terms but those that mix axes.
   Of the last ones the grid is no larger than their reach, or it is of several tiles. */
static void OWN(golden_sumconv_even)(convk *hw) {
  static const struct {
    size_t nx, ny, nz;
    int reach, step;
  } cases[] = {{41, 18, 9, 1, 1}, {41, 18, 9, 2, 1}, {41, 18, 9, 3, 1}, {41, 18, 9, 4, 1}, {41, 18, 9, 6, 1},
               {23, 17, 7, 1, 2}, {23, 17, 7, 4, 2}, {4, 5, 4, 4, 1},   {6, 6, 6, 6, 2},   {33, 33, 6, 2, 1},
               {41, 18, 9, 8, 1}, {97, 21, 5, 1, 1}, {97, 21, 5, 4, 1}, {70, 21, 4, 3, 2}, {97, 21, 8, 8, 1}};
  size_t i, k, n;
  for (i = 0; i < 2 * COUNT_OF(cases); i++) {
    const size_t step = (size_t)cases[i / 2].step;
    GOLDEN_T taps[3][64], *in, *out, *z;
    PASTE3(convk_sumconv_terms_, GOLDEN_TYPE, ) terms;
    convk_sumconv3d_shape shape;
    int status;
    if (!due()) continue;
    seed("sumconv3d");
    memset(&shape, 0, sizeof shape);
    memset(&terms, 0, sizeof terms);
    if (i % 2) shape.boundary[0] = shape.boundary[2] = CONVK_BOUNDARY_ZERO;
    for (k = 0; k < 3; k++) {
      OWN(fill)(taps[k], 64, -1, 1);
      terms.filter[k].lo = -cases[i / 2].reach;
      terms.filter[k].up = cases[i / 2].reach;
      terms.filter[k].taps = taps[k];
    }
    shape.vectors = 2;
    shape.in.nx = cases[i / 2].nx;
    shape.in.ny = cases[i / 2].ny;
    shape.in.nz = cases[i / 2].nz;
    shape.out = shape.in;
    n = OWN(lay_out)(&shape.in, 1) * step;
    in = OWN(values)(n * shape.vectors, -1, 1);
    n = OWN(lay_out)(&shape.out, i % 4 == 0) * step;
    z = OWN(values)(n * shape.vectors, -1, 1);
    out = OWN(array)(n * shape.vectors);
    if (i % 3) terms.potential = OWN(values)(n / step, -2, 2);
    terms.potential_factor = (GOLDEN_T)0.75;
    if (i % 5) terms.shift = (GOLDEN_T)-1.5;
    if (i % 7) terms.add = z;
    terms.add_factor = (GOLDEN_T)-0.5;
    status = step == 2 ? OF_COMPLEX(sumconv3d)(hw, &shape, &terms, in, out, NULL, NULL, 0)
                       : OF(sumconv3d)(hw, &shape, &terms, in, out, NULL, NULL, 0);
    OWN(puts)(out, n * shape.vectors);
    line(CLASS, status, "sumconv3d", step == 2 ? COMPLEX : REAL, "reach-%d-of-%d-%s", cases[i / 2].reach, (int)cases[i / 2].nx,
         i % 2 ? "mixed" : "periodic");
  }
}

/* The same with sums, and of complex numbers with filters times i and phases: all that goes through one kernel of a device. */
static void OWN(golden_sumconv_even_sums)(convk *hw) {
  static const struct {
    size_t nx, ny, nz;
    int reach, step, has; /* 1: sums; 2: filters times i; 4: phases */
  } cases[] = {{41, 11, 9, 1, 1, 1},   {37, 10, 6, 4, 1, 1},   {35, 9, 8, 6, 1, 1},    {41, 10, 9, 8, 1, 1},
               {67, 17, 14, 14, 1, 0}, {67, 17, 14, 14, 1, 1}, {15, 33, 40, 14, 1, 1}, {19, 9, 6, 4, 2, 1},
               {19, 9, 5, 4, 2, 5},    {23, 15, 14, 14, 2, 0}, {37, 14, 17, 14, 2, 1}, {35, 17, 14, 14, 2, 2},
               {20, 15, 17, 14, 2, 3}, {35, 14, 15, 14, 2, 7}, {18, 9, 5, 1, 2, 4}};
  size_t i, k, n;
  for (i = 0; i < 2 * COUNT_OF(cases); i++) {
    const size_t step = (size_t)cases[i / 2].step;
    const int has = cases[i / 2].has;
    GOLDEN_T taps[2][3][64], *in, *out;
    PASTE3(convk_sumconv_terms_, GOLDEN_TYPE, ) terms;
    convk_sumconv3d_shape shape;
    convk_sumconv_sums sums[2];
    int status;
    if (!due()) continue;
    seed("sumconv3d");
    memset(&shape, 0, sizeof shape);
    memset(&terms, 0, sizeof terms);
    if (i % 2) shape.boundary[0] = shape.boundary[1] = CONVK_BOUNDARY_ZERO;
    for (k = 0; k < 3; k++) {
      OWN(fill)(taps[0][k], 64, -1, 1);
      OWN(fill)(taps[1][k], 64, -1, 1);
      terms.filter[k].lo = -cases[i / 2].reach;
      terms.filter[k].up = cases[i / 2].reach;
      terms.filter[k].taps = taps[0][k];
      if (has & 2 && (i % 4 || k != 1)) {
        terms.imag[k] = terms.filter[k];
        terms.imag[k].taps = taps[1][k];
      }
      if (has & 4 && shape.boundary[k] == CONVK_BOUNDARY_PERIODIC) {
        terms.phase[k][0] = 0.6;
        terms.phase[k][1] = k == 1 ? -0.8 : 0.8;
      }
    }
    shape.vectors = 2;
    shape.in.nx = cases[i / 2].nx;
    shape.in.ny = cases[i / 2].ny;
    shape.in.nz = cases[i / 2].nz;
    shape.out = shape.in;
    n = OWN(lay_out)(&shape.in, 1) * step;
    in = OWN(values)(n * shape.vectors, -1, 1);
    n = OWN(lay_out)(&shape.out, i % 4 == 0) * step;
    out = OWN(array)(n * shape.vectors);
    if (i % 3) terms.potential = OWN(values)(n / step, -2, 2);
    terms.potential_factor = (GOLDEN_T)0.75;
    if (i % 5) terms.shift = (GOLDEN_T)-1.5;
    status = step == 2 ? OF_COMPLEX(sumconv3d)(hw, &shape, &terms, in, out, has & 1 ? sums : NULL, NULL, 0)
                       : OF(sumconv3d)(hw, &shape, &terms, in, out, has & 1 ? sums : NULL, NULL, 0);
    OWN(puts)(out, n * shape.vectors);
    for (k = 0; has & 1 && k < 2 * sizeof *sums / sizeof *sums->dot; k++) put_f64(((const double *)(const void *)sums)[k]);
    line(CLASS, status, "sumconv3d", step == 2 ? COMPLEX : REAL, "even-%d-of-%d-%d-%s", cases[i / 2].reach,
         (int)cases[i / 2].nx, has, i % 2 ? "mixed" : "periodic");
  }
}

/* Others, on larger grids, which on devices take too long: of one array, in arrays of other pitches, of several steps; filters of
   x alone are long in some. */
static void OWN(golden_chebyshev_more)(convk *hw) {
  static const int boundary[2][3] = {ALL(CONVK_BOUNDARY_PERIODIC),
                                     {CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_ZERO}};
  static const int degree[] = {1, 2, 5, 8};
  size_t i, b, n;
  for (i = 0; i < 2 * COUNT_OF(degree); i++)
    for (b = 0; b < 2; b++) {
      const int complex = (int)(i / COUNT_OF(degree)), m = degree[i % COUNT_OF(degree)];
      const size_t step = complex ? 2 : 1;
      GOLDEN_T taps[3][3][64], *in, *out;
      PASTE3(convk_sumconv_terms_, GOLDEN_TYPE, ) terms;
      convk_sumconv3d_shape shape;
      convk_chebyshev filter;
      int d, k, status;
      char name[64];
      if (!due()) continue;
      seed("chebyshev3d");
      memset(&shape, 0, sizeof shape);
      memset(&terms, 0, sizeof terms);
      for (k = 0; k < 3; k++)
        for (d = 0; d < 3; d++) OWN(fill)(taps[k][d], 64, -1, 1);
      for (d = 0; d < 3; d++) {
        const int reach = m == 5 ? 8 - 2 * d : 4;
        terms.filter[d].lo = -reach;
        terms.filter[d].up = reach - (m == 2);
        terms.filter[d].taps = taps[0][d];
        if (complex && !boundary[b][d]) {
          terms.phase[d][0] = 0.6;
          terms.phase[d][1] = 0.8;
        }
      }
      if (m == 8) (void)OF(derivative_filter)(NULL, 2, 8, -0.5, taps[0][0], &terms.filter[0]);
      memcpy(shape.boundary, boundary[b], sizeof shape.boundary);
      shape.vectors = m == 2 ? 3 : 1;
      shape.in.nx = 37;
      shape.in.ny = 19;
      shape.in.nz = 13;
      shape.out = shape.in;
      in = OWN(values)(OWN(lay_out)(&shape.in, 1) * shape.vectors * step, -1, 1);
      n = OWN(lay_out)(&shape.out, 0);
      out = OWN(array)(n * shape.vectors * step);
      terms.potential = m > 1 ? OWN(values)(n, -2, 2) : NULL;
      terms.potential_factor = (GOLDEN_T)0.75;
      terms.shift = (GOLDEN_T)0.5;
      filter.degree = m;
      filter.low = -1;
      filter.high = 11;
      filter.lowest = -3;
      status = complex ? OF_COMPLEX(chebyshev3d)(hw, &shape, &terms, &filter, in, out, NULL, 0)
                       : OF(chebyshev3d)(hw, &shape, &terms, &filter, in, out, NULL, 0);
      OWN(puts)(out, n * shape.vectors * step);
      snprintf(name, sizeof name, "degree-%d-%s", m, b ? "mixed" : "periodic");
      line(CLASS, status, "chebyshev3d", complex ? COMPLEX : REAL, "%s", name);
    }
}

/* Chebyshev filters: degrees, with what terms may have, on padded grids that do not lie alike. */
static void OWN(golden_chebyshev)(convk *hw) {
  static const struct {
    const char *name;
    int degree;
    unsigned has;
    size_t vectors, nx;
  } cases[] = {{"1-step", 1, SUM_V | SUM_C, 1, 21},
               {"2-steps", 2, SUM_V, 2, 21},
               {"5-steps", 5, SUM_V | SUM_C | SUM_READY, 1, 70},
               {"4-steps-mixed", 4, SUM_MIXED | SUM_C, 2, 9},
               {"3-steps-phases", 3, SUM_COMPLEX | SUM_PHASE | SUM_IMAG | SUM_V | SUM_MIXED, 2, 9},
               {"6-steps", 6, SUM_COMPLEX | SUM_V | SUM_C, 1, 35}};
  static const int boundary[3][3] = {ALL(CONVK_BOUNDARY_PERIODIC),
                                     ALL(CONVK_BOUNDARY_ZERO),
                                     {CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC}};
  static const char *const names[3] = {"periodic", "zero", "mixed"};
  size_t i, n;
  for (i = 0; i < 3 * COUNT_OF(cases); i++) {
    const unsigned has = cases[i / 3].has;
    const size_t step = has & SUM_COMPLEX ? 2 : 1;
    GOLDEN_T taps[3][3][64], *in, *out;
    PASTE3(convk_sumconv_terms_, GOLDEN_TYPE, ) terms;
    convk_sumconv3d_shape shape;
    convk_chebyshev filter;
    int d, k, status;
    if (!due()) continue;
    seed("chebyshev3d");
    memset(&shape, 0, sizeof shape);
    memset(&terms, 0, sizeof terms);
    memcpy(shape.boundary, boundary[i % 3], sizeof shape.boundary);
    for (d = 0; d < 3; d++) {
      for (k = 0; k < 3; k++) OWN(fill)(taps[k][d], 64, -1, 1);
      terms.filter[d].lo = -2 - d;
      terms.filter[d].up = 2;
      terms.filter[d].taps = taps[0][d];
      if (has & SUM_READY) (void)OF(derivative_filter)(NULL, 2, d == 1 ? 0 : 8, -0.5, taps[0][d], &terms.filter[d]);
      if (has & SUM_IMAG) terms.imag[d] = terms.filter[d], terms.imag[d].taps = taps[1][d];
      if (!(has & SUM_MIXED)) continue;
      terms.first[d].lo = -1;
      terms.first[d].up = 2;
      terms.first[d].taps = taps[2][d];
      terms.mixed[d] = (GOLDEN_T)0.25 * (GOLDEN_T)(d + 1);
    }
    for (d = 0; has & SUM_PHASE && d < 3; d++)
      if (boundary[i % 3][d] == CONVK_BOUNDARY_PERIODIC) terms.phase[d][0] = 0.6, terms.phase[d][1] = d == 1 ? -0.8 : 0.8;
    shape.vectors = cases[i / 3].vectors;
    shape.in.nx = cases[i / 3].nx;
    shape.in.ny = 7;
    shape.in.nz = 6;
    shape.out = shape.in;
    in = OWN(values)(OWN(lay_out)(&shape.in, i % 2) * shape.vectors * step, -1, 1);
    shape.out.pitch_y = shape.out.nx + 3;
    shape.out.pitch_z = shape.out.pitch_y * (shape.out.ny + 1);
    n = shape.out.pitch_z * shape.out.nz;
    out = OWN(array)(n * shape.vectors * step);
    terms.potential = has & SUM_V ? OWN(values)(n, -2, 2) : NULL;
    terms.potential_factor = (GOLDEN_T)0.75;
    terms.shift = has & SUM_C ? (GOLDEN_T)-1.5 : 0;
    filter.degree = cases[i / 3].degree;
    filter.low = -0.5;
    filter.high = 7.25;
    filter.lowest = -2.25;
    status = step == 2 ? OF_COMPLEX(chebyshev3d)(hw, &shape, &terms, &filter, in, out, NULL, 0)
                       : OF(chebyshev3d)(hw, &shape, &terms, &filter, in, out, NULL, 0);
    OWN(puts)(out, n * shape.vectors * step);
    line(CLASS, status, "chebyshev3d", step == 2 ? COMPLEX : REAL, "%s-%s", cases[i / 3].name, names[i % 3]);
  }
}
#endif

#ifdef GOLDEN_STENCIL
static OF(stencil7_coefficients) OWN(stencil_coefficients)(int seven) {
  OF(stencil7_coefficients) c = OF(stencil7_isotropic)((GOLDEN_T)0.4, (GOLDEN_T)0.1);
  if (seven) {
    c.x_minus = (GOLDEN_T)0.15;
    c.x_plus = (GOLDEN_T)0.05;
    c.y_minus = (GOLDEN_T)-0.12;
    c.y_plus = (GOLDEN_T)0.17;
    c.z_minus = (GOLDEN_T)0.19;
    c.z_plus = (GOLDEN_T)0.13;
  }
  return c;
}

static void OWN(golden_stencil)(convk *hw) {
  size_t i, k, n;
  int seven, status;
  for (i = 0; i < COUNT_OF(stencil_cases); i++)
    for (k = 0; k < 4 && stencil_cases[i].steps[k]; k++)
      for (seven = 0; seven < 2; seven++) {
        const OF(stencil7_coefficients) c = OWN(stencil_coefficients)(seven);
        GOLDEN_T *a, *b, *end = NULL;
        convk_stencil7_shape shape;
        shape.grid.nx = stencil_cases[i].nx;
        shape.grid.ny = stencil_cases[i].ny;
        shape.grid.nz = stencil_cases[i].nz;
        memcpy(shape.boundary, stencil_cases[i].boundary, sizeof shape.boundary);
        n = OWN(lay_out)(&shape.grid, stencil_cases[i].padded);
        if (!due()) continue;
        seed(stencil_cases[i].name);
        a = OWN(values)(n, -1, 1);
        b = OWN(array)(n);
        memcpy(b, a, n * sizeof *b);
        status = OF(stencil7)(hw, &shape, &c, stencil_cases[i].steps[k], a, b, &end, NULL, 0);
        if (end) OWN(puts)(end, n);
        line(CLASS, status, "stencil7", REAL, "%s-%s-%d-steps", stencil_cases[i].name, seven ? "seven" : "equal",
             (int)stencil_cases[i].steps[k]);
      }
  for (i = 0; i < 2 * COUNT_OF(stencil_boxes); i++)
    for (seven = 0; seven < 2; seven++) {
      const OF(stencil7_coefficients) c = OWN(stencil_coefficients)(seven);
      const size_t *box = stencil_boxes[i / 2];
      const int periodic = (int)i % 2;
      convk_stencil7_shape shape;
      convk_box3 part;
      GOLDEN_T *a, *b;
      shape.grid.nx = 22;
      shape.grid.ny = 9;
      shape.grid.nz = 14;
      shape.boundary[0] = shape.boundary[2] = periodic ? CONVK_BOUNDARY_PERIODIC : CONVK_BOUNDARY_FIXED;
      shape.boundary[1] = CONVK_BOUNDARY_FIXED;
      n = OWN(lay_out)(&shape.grid, 1);
      if (!due()) continue;
      seed("box");
      a = OWN(values)(n, -1, 1);
      b = OWN(values)(n, -1, 1);
      memcpy(part.first, box, sizeof part.first);
      memcpy(part.count, box + 3, sizeof part.count);
      if (periodic && part.first[0] == 1) part.first[0] = 0;
      if (periodic && part.first[2] == 12) part.first[2] = 13;
      status = OF(stencil7_box)(hw, &shape, &c, &part, a, b, NULL, 0);
      OWN(puts)(b, n);
      line(CLASS, status, "stencil7_box", REAL, "box-%d-%s-%s", (int)i / 2, periodic ? "periodic" : "fixed",
           seven ? "seven" : "equal");
    }
}
#endif

#ifdef GOLDEN_VMATH
/* Zeros, infinities, NaN, the smallest and the largest numbers, and what lies about the ends of the functions' ranges. */
static size_t OWN(special)(GOLDEN_T *x) {
  static const double ends[] = {0,           1,          2,          88.7228,   88.72284,    88.7229,    103.97, 103.9721,
                                103.98,      87.33,      709.7827,   709.78272, 745.1332,    745.14,     708.39, 0.34657359,
                                0.693147181, 0.70710678, 1.41421356, 1.5707963, 0.785398163, 3.14159265, 131072, 1073741824.,
                                1e-10,       17.3,       36.7,       25,        37.5,        0.5};
  size_t n = 0, i;
  for (i = 0; i < COUNT_OF(ends); i++) {
    x[n++] = (GOLDEN_T)ends[i];
    x[n++] = (GOLDEN_T)-ends[i];
  }
  for (i = 0; i < 2; i++) {
    const uint64_t sign = (uint64_t)i << 63;
    const uint64_t one = GOLDEN_DOUBLE ? 1 : UINT64_C(1) << 32; /* the last place */
    const uint64_t infinite = GOLDEN_DOUBLE ? UINT64_C(0x7ff) << 52 : UINT64_C(0x7f800000) << 32;
    const uint64_t least = GOLDEN_DOUBLE ? UINT64_C(1) << 52 : UINT64_C(0x00800000) << 32;
    x[n++] = OWN(of_bits)(sign | infinite);
    x[n++] = OWN(of_bits)(sign | infinite | least / 2);
    x[n++] = OWN(of_bits)(sign | (infinite - one));
    x[n++] = OWN(of_bits)(sign | least);
    x[n++] = OWN(of_bits)(sign | (least - one));
    x[n++] = OWN(of_bits)(sign | one);
    x[n++] = OWN(of_bits)(sign | 3 * one);
    x[n++] = OWN(of_bits)(sign | least / 4);
  }
  return n;
}

static void OWN(golden_vmath)(convk *hw) {
  static const char *const operations[] = {"exp", "expm1", "log", "sincos"};
  static const char *const inputs[] = {"special", "near", "wide", "far", "bits", "subnormal", "in-place"};
  size_t operation, input, n, i;
  int status = 0;
  for (operation = 0; operation < 4; operation++)
    for (input = 0; input < COUNT_OF(inputs); input++) {
      GOLDEN_T *x, *y, *z;
      if (!due()) continue;
      seed(inputs[input]);
      x = OWN(array)(2000);
      y = OWN(array)(2000);
      z = OWN(array)(2000);
      n = 1009;
      switch (input) {
        case 0: n = OWN(special)(x); break;
        case 1: OWN(fill)(x, n, operation == 2 ? 0.25 : -2, operation == 2 ? 4 : 2); break;
        case 2:
          OWN(fill)(x, n, operation == 2 ? 0 : GOLDEN_DOUBLE ? -760 : -110, operation == 2 ? 1e30 : GOLDEN_DOUBLE ? 720 : 92);
          break;
        case 3: /* magnitudes of all sizes from 2^10 on */
          for (i = 0; i < n; i++) {
            const uint64_t r = next64(), exponent = GOLDEN_DOUBLE ? 1033 + (r >> 1) % 1013 : 137 + (r >> 1) % 117;
            x[i] = OWN(of_bits)((r & UINT64_C(1)) << 63 | exponent << (GOLDEN_DOUBLE ? 52 : 55) |
                                (r >> 12) % (GOLDEN_DOUBLE ? UINT64_C(1) << 52 : UINT64_C(1) << 55));
          }
          break;
        case 4:
          for (i = 0; i < n; i++) x[i] = OWN(of_bits)(next64());
          break;
        case 5:
          for (i = 0; i < n; i++)
            x[i] = OWN(of_bits)(next64() >> (GOLDEN_DOUBLE ? 12 : 9) &
                                ~((GOLDEN_DOUBLE ? UINT64_C(0x7ff) << 52 : UINT64_C(0x7f800000) << 32)));
          break;
        default:
          OWN(fill)(x, n, 0.1, 8);
          y = x;
          break;
      }
      switch (operation) {
        case 0: status = OF(exp)(hw, n, x, y); break;
        case 1: status = OF(expm1)(hw, n, x, y); break;
        case 2: status = OF(log)(hw, n, x, y); break;
        default: status = OF(sincos)(hw, n, x, y, z); break;
      }
      OWN(puts)(y, n);
      OWN(puts)(z, n);
      line(CLASS, status, operations[operation], REAL, "%s", inputs[input]);
    }
}
#endif

#ifdef GOLDEN_GAUSSIAN
static void OWN(golden_gaussian)(convk *hw) {
  enum { N = 333, M = 21, SUMS = 5, MANY = 15 * SHELLS };
  static const GOLDEN_T center[3] = {(GOLDEN_T)0.1, (GOLDEN_T)-0.2, (GOLDEN_T)0.3};
  size_t functions = 0;
  int option, sums, order, kind, status;
  for (option = 0; option < 32;
       option++) { /* order 1, compensated 2, cutoff 4, strided points and a center of their own 8, padded 16 */
    convk_gaussian_options o;
    OF(points) points;
    OF(gaussians) gaussians;
    GOLDEN_T *p, *alpha, *g;
    size_t ld;
    if (!due()) continue;
    seed("gridpot");
    memset(&o, 0, sizeof o);
    o.layout = option & 1 ? CONVK_GRIDPOT_EXPONENTS_CONTIGUOUS : CONVK_GRIDPOT_POINTS_CONTIGUOUS;
    o.compensated = option >> 1 & 1;
    o.cutoff = option & 4 ? 1e-3 : 0;
    p = OWN(values)(3 * N, -2, 2);
    points.n = N;
    points.x = p;
    points.y = option & 8 ? p + 1 : p + N;
    points.z = option & 8 ? p + 2 : p + 2 * N;
    points.stride = option & 8 ? 3 : 0;
    alpha = OWN(values)(M, -20, 0);
    alpha[3] = 0;
    alpha[4] = (GOLDEN_T)0.5;
    alpha[5] = (GOLDEN_T)-1e4;
    alpha[6] = (GOLDEN_T)-60; /* subnormal results of f32 */
    alpha[7] = (GOLDEN_T)-1e-20;
    ld = (size_t)(option & 1 ? M : N) + (option & 16 ? 5 : 0);
    g = OWN(array)((size_t)(N + 5) * (M + 5));
    memset(&gaussians, 0, sizeof gaussians);
    if (option & 8) memcpy(gaussians.center, center, sizeof center);
    gaussians.n = M;
    gaussians.alpha = alpha;
    status = OF(gridpot)(hw, &points, &gaussians, &o, g, option & 16 ? ld : 0);
    OWN(puts)(g, (size_t)(N + 5) * (M + 5));
    line(CLASS, status, "gridpot", REAL, "%s%s%s%s%s", option & 1 ? "exponents" : "points", option & 2 ? "-compensated" : "",
         option & 4 ? "-cutoff" : "", option & 8 ? "-strided" : "", option & 16 ? "-padded" : "");
  }
  for (option = 0; option < 4; option++) /* compensated 1, cutoff 2 */
    for (sums = 1; sums <= SUMS; sums += 2) {
      convk_gaussian_options o;
      OF(points) points;
      OF(gaussians) gaussians;
      GOLDEN_T *p, *alpha, *c, *g;
      if (!due()) continue;
      seed("gridpot_sum");
      memset(&o, 0, sizeof o);
      o.compensated = option & 1;
      o.cutoff = option & 2 ? 1e-3 : 0;
      p = OWN(values)(3 * N, -2, 2);
      points.n = N;
      points.x = p;
      points.y = p + N;
      points.z = p + 2 * N;
      points.stride = 0;
      alpha = OWN(values)(M, -20, 0);
      c = OWN(values)((M + 2) * SUMS, -0.5, 0.5);
      g = OWN(array)((N + 3) * SUMS);
      memcpy(gaussians.center, center, sizeof center);
      gaussians.n = M;
      gaussians.alpha = alpha;
      gaussians.nsums = (size_t)sums;
      gaussians.coefficients = c;
      gaussians.ldc = sums == 3 ? M + 2 : 0;
      status = OF(gridpot_sum)(hw, &points, &gaussians, &o, g, sums == 3 ? N + 3 : 0);
      OWN(puts)(g, (N + 3) * SUMS);
      line(CLASS, status, "gridpot_sum", REAL, "%d-sums%s%s", sums, option & 1 ? "-compensated" : "",
           option & 2 ? "-cutoff" : "");
    }
  if (due()) { /* more exponents than a work-group holds at a time, and few points */
    enum { FEW = 5, MORE = 70 };
    OF(points) points;
    OF(gaussians) gaussians;
    GOLDEN_T *p, *alpha, *c, *g;
    seed("many-exponents");
    p = OWN(values)(3 * FEW, -2, 2);
    points.n = FEW;
    points.x = p;
    points.y = p + FEW;
    points.z = p + 2 * FEW;
    points.stride = 0;
    alpha = OWN(values)(MORE, -20, 0);
    c = OWN(values)(MORE, -0.5, 0.5);
    g = OWN(array)(FEW);
    memcpy(gaussians.center, center, sizeof center);
    gaussians.n = MORE;
    gaussians.alpha = alpha;
    gaussians.nsums = 1;
    gaussians.coefficients = c;
    gaussians.ldc = 0;
    status = OF(gridpot_sum)(hw, &points, &gaussians, NULL, g, 0);
    OWN(puts)(g, FEW);
    line(CLASS, status, "gridpot_sum", REAL, "many-exponents");
  }
  for (order = 0; order < 6; order++)
    for (option = 0; option < (order < 5 ? 4 : 2); option++) /* coefficients 1, cutoff 2 */
      for (kind = 0; kind < 3; kind++) {
        static const char *const operations[] = {"orbitals", "orbitals_vgl", "density"};
        static const char *const orders[] = {"cartesian",        "spherical", "cartesian-molden",
                                             "spherical-molden", "mixed",     "spherical-pyscf"};
        static const int values[] = {0, 1, 2, 3, -1, CONVK_SHELL_SPHERICAL_PYSCF};
        convk_gaussian_options o;
        OF(points) points;
        convk_shell shells[SHELLS];
        double exponents[4 * SHELLS], weights[4 * SHELLS];
        OF(orbital_set) set;
        OF(vgl) out;
        GOLDEN_T *p, *c, *value, *more[4], *occupations;
        size_t orbitals = 3, ld, all, i;
        if (!due()) continue;
        seed("orbitals");
        shells_make(shells, values[order], exponents, weights);
        status = convk_shells_functions(hw, SHELLS, shells, &functions);
        memset(&o, 0, sizeof o);
        o.cutoff = option & 2 ? 1e-2 : 0;
        p = OWN(values)(3 * N, -2, 2);
        points.n = order == 1 ? 101 : N;
        points.x = p;
        points.y = p + 1;
        points.z = p + 2;
        points.stride = 3;
        c = OWN(values)(3 * (MANY + 4), -0.5, 0.5);
        occupations = OWN(values)(MANY, 0, 2);
        ld = option & 1 ? N + 2 : 0;
        if (!(option & 1)) orbitals = functions;
        all = (size_t)(N + 2) * (option & 1 ? 3 : MANY);
        value = OWN(array)(all);
        for (i = 0; i < 4; i++) more[i] = OWN(array)(all);
        memset(&set, 0, sizeof set);
        set.nshells = SHELLS;
        set.shells = shells;
        set.norbitals = orbitals;
        set.coefficients = option & 1 ? c : NULL;
        set.ldc = option & 1 && kind == 0 ? functions + 4 : 0;
        set.occupations = kind == 2 ? occupations : NULL;
        out.value = value;
        out.dx = more[0];
        out.dy = more[1];
        out.dz = more[2];
        out.laplacian = more[3];
        out.ld = ld;
        if (!status)
          status = kind == 0   ? OF(orbitals)(hw, &points, &set, &o, value, ld, NULL, 0)
                   : kind == 1 ? OF(orbitals_vgl)(hw, &points, &set, &o, &out, NULL, 0)
                               : OF(density)(hw, &points, &set, &o, value, NULL, 0);
        OWN(puts)(value, all);
        for (i = 0; i < 4 && kind == 1; i++) OWN(puts)(more[i], all);
        line(CLASS, status, operations[kind], REAL, "%s%s%s", orders[order], option & 1 ? "-coefficients" : "",
             option & 2 ? "-cutoff" : "");
      }
  for (order = 0; order < 12; order++) { /* on regular grids: open or periodic, coefficients or functions */
    static const char *const operations[] = {"orbitals_grid", "orbitals_grid_vgl", "density_grid"};
    convk_gaussian_box box;
    convk_shell shells[SHELLS];
    double exponents[4 * SHELLS], weights[4 * SHELLS];
    OF(orbital_set) set;
    OF(vgl) out;
    OF(density_parts) parts;
    GOLDEN_T *value[5], *occupations, *c;
    char name[40];
    size_t all, i;
    if (!due()) continue;
    kind = order % 3;
    seed("orbitals_grid");
    shells_make(shells, order < 6 ? -1 : 1, exponents, weights);
    status = convk_shells_functions(hw, SHELLS, shells, &functions);
    memset(&box, 0, sizeof box);
    box.step_x[0] = 0.0625;
    box.step_y[1] = -0.25;
    box.step_z[2] = 0.375;
    box.origin[0] = -2.125;
    box.origin[1] = 1.5;
    box.origin[2] = -0.75;
    box.grid.nx = order < 6 ? 67 : 35;
    box.grid.ny = 9;
    box.grid.nz = 3;
    box.grid.pitch_y = order / 3 % 2 ? 70 : 0;
    if (order / 3 % 2) box.period[0] = 4.1875, box.period[2] = 3;
    all = order < 6 ? 3 : functions;
    c = OWN(values)(3 * (MANY + 4), -0.5, 0.5);
    occupations = OWN(values)(MANY, 0, 2);
    for (i = 0; i < 5; i++) value[i] = OWN(array)(70 * 9 * 3 * all);
    memset(&set, 0, sizeof set);
    set.nshells = SHELLS;
    set.shells = shells;
    set.norbitals = all;
    set.coefficients = order < 6 ? c : NULL;
    set.occupations = kind == 2 ? occupations : NULL;
    out.value = parts.density = value[0];
    out.dx = parts.dx = value[1];
    out.dy = parts.dy = value[2];
    out.dz = parts.dz = value[3];
    out.laplacian = parts.tau = value[4];
    out.ld = 0;
    if (!status)
      status = kind == 0   ? OF(orbitals_grid)(hw, &box, &set, NULL, value[0], 0, NULL, 0)
               : kind == 1 ? OF(orbitals_grid_vgl)(hw, &box, &set, NULL, &out, NULL, 0)
                           : OF(density_grid)(hw, &box, &set, NULL, &parts, NULL, 0);
    for (i = 0; i < (kind ? 5u : 1u); i++) OWN(puts)(value[i], (order / 3 % 2 ? 70 : box.grid.nx) * 27 * (kind == 2 ? 1 : all));
    snprintf(name, sizeof name, "%s%s", order < 6 ? "coefficients" : "spherical", order / 3 % 2 ? "-periodic" : "");
    line(CLASS, status, operations[kind], REAL, "%s", name);
  }
  for (kind = 0; kind < 4; kind++) { /* few shells on a small grid; the last is a density alone */
    static const char *const operations[] = {"orbitals_grid", "orbitals_grid_vgl", "density_grid", "density_grid"};
    enum { NX = 18, NY = 9, NZ = 2, FEW = 3 };
    const int l[FEW] = {0, 1, 4};
    convk_gaussian_box box;
    convk_shell shells[FEW];
    double exponents[FEW], weights[FEW];
    OF(orbital_set) set;
    OF(vgl) out;
    OF(density_parts) parts;
    GOLDEN_T *value[5];
    size_t i;
    if (!due()) continue;
    seed("orbitals_grid_tiny");
    memset(&box, 0, sizeof box);
    memset(shells, 0, sizeof shells);
    memset(&set, 0, sizeof set);
    memset(&parts, 0, sizeof parts);
    box.step_x[0] = box.step_y[1] = box.step_z[2] = 0.25;
    box.origin[0] = -2;
    box.origin[1] = -1.25;
    box.grid.nx = NX;
    box.grid.ny = NY;
    box.grid.nz = NZ;
    box.period[1] = 2.5;
    for (i = 0; i < FEW; i++) {
      exponents[i] = uniform(0.5, 20);
      weights[i] = uniform(-1, 1);
      shells[i].center[0] = uniform(-0.5, 0.5);
      shells[i].l = l[i];
      shells[i].functions = CONVK_SHELL_SPHERICAL;
      shells[i].primitives = 1;
      shells[i].exponents = exponents + i;
      shells[i].coefficients = weights + i;
    }
    set.nshells = FEW;
    set.shells = shells;
    set.norbitals = 2;
    set.coefficients = OWN(values)(2 * 13, -1, 1);
    set.occupations = OWN(values)(2, 0, 2);
    for (i = 0; i < 5; i++) value[i] = OWN(array)(2 * NX * NY * NZ);
    out.value = parts.density = value[0];
    out.dx = value[1];
    out.dy = value[2];
    out.dz = value[3];
    out.laplacian = value[4];
    out.ld = 0;
    if (kind == 2) parts.dx = value[1], parts.dy = value[2], parts.dz = value[3], parts.tau = value[4];
    status = kind == 0   ? OF(orbitals_grid)(hw, &box, &set, NULL, value[0], 0, NULL, 0)
             : kind == 1 ? OF(orbitals_grid_vgl)(hw, &box, &set, NULL, &out, NULL, 0)
                         : OF(density_grid)(hw, &box, &set, NULL, &parts, NULL, 0);
    for (i = 0; i < (kind == 1 || kind == 2 ? 5u : 1u); i++) OWN(puts)(value[i], (kind < 2 ? 2 : 1) * NX * NY * NZ);
    line(CLASS, status, operations[kind], REAL, kind == 3 ? "tiny-alone" : "tiny");
  }
  if (due()) { /* more groups than devices look at together, of which a grid needs some */
    enum { NX = 9, NY = 4, NZ = 2, LOTS = 70 };
    convk_gaussian_box box;
    convk_shell shells[LOTS];
    double exponents[2 * LOTS], weights[2 * LOTS];
    OF(orbital_set) set;
    GOLDEN_T *value;
    size_t i, k;
    seed("orbitals_grid_lots");
    memset(&box, 0, sizeof box);
    memset(shells, 0, sizeof shells);
    memset(&set, 0, sizeof set);
    box.step_x[0] = box.step_y[1] = box.step_z[2] = 0.25;
    box.origin[0] = -1;
    box.grid.nx = NX;
    box.grid.ny = NY;
    box.grid.nz = NZ;
    for (i = 0; i < 2 * LOTS; i++) {
      exponents[i] = uniform(0.5, 20);
      weights[i] = uniform(-1, 1);
    }
    for (i = 0; i < LOTS; i++) {
      for (k = 0; k < 3; k++) shells[i].center[k] = uniform(-4, 4);
      shells[i].l = (int)(i % 2);
      shells[i].primitives = 2;
      shells[i].exponents = exponents + 2 * i;
      shells[i].coefficients = weights + 2 * i;
    }
    set.nshells = LOTS;
    set.shells = shells;
    set.norbitals = 2;
    set.coefficients = OWN(values)(2 * 2 * LOTS, -1, 1);
    value = OWN(array)(2 * NX * NY * NZ);
    status = OF(orbitals_grid)(hw, &box, &set, NULL, value, 0, NULL, 0);
    OWN(puts)(value, 2 * NX * NY * NZ);
    line(CLASS, status, "orbitals_grid", REAL, "many-groups");
  }
  if (due()) { /* tiles along all axes, which need different groups, and a line longer than a block */
    enum { NX = 131, NY = 49, NZ = 9, CORNERS = 8 };
    convk_gaussian_box box;
    convk_shell shells[CORNERS + 1];
    double exponents[CORNERS + 1], weights[CORNERS + 1];
    OF(orbital_set) set;
    GOLDEN_T *value;
    size_t i, k;
    seed("orbitals_grid_tiles");
    memset(&box, 0, sizeof box);
    memset(shells, 0, sizeof shells);
    memset(&set, 0, sizeof set);
    box.step_x[0] = 0.125;
    box.step_y[1] = 0.25;
    box.step_z[2] = 1.25;
    box.grid.nx = NX;
    box.grid.ny = NY;
    box.grid.nz = NZ;
    for (i = 0; i <= CORNERS; i++) { /* the last one is everywhere */
      const double end[3] = {15, 11, 9};
      exponents[i] = i < CORNERS ? uniform(2, 4) : 0.0625;
      weights[i] = uniform(0.5, 1);
      for (k = 0; k < 3; k++) shells[i].center[k] = i < CORNERS ? (i >> k & 1 ? end[k] : 1) : end[k] / 2;
      shells[i].primitives = 1;
      shells[i].exponents = exponents + i;
      shells[i].coefficients = weights + i;
    }
    set.nshells = CORNERS + 1;
    set.shells = shells;
    set.norbitals = 1;
    set.coefficients = OWN(values)(CORNERS + 1, 0.5, 1);
    value = OWN(array)(NX * NY * NZ);
    status = OF(orbitals_grid)(hw, &box, &set, NULL, value, 0, NULL, 0);
    OWN(puts)(value, NX * NY * NZ);
    line(CLASS, status, "orbitals_grid", REAL, "tiles");
  }
  for (option = 0; option < 2; option++) { /* sums on a grid */
    convk_gaussian_box box;
    OF(gaussians) gaussians;
    GOLDEN_T *g, *alpha;
    if (!due()) continue;
    seed("gridpot_grid");
    memset(&box, 0, sizeof box);
    box.step_x[0] = box.step_y[1] = box.step_z[2] = 0.125;
    box.origin[0] = box.origin[1] = box.origin[2] = -1;
    box.grid.nx = 33;
    box.grid.ny = 13;
    box.grid.nz = 5;
    if (option) box.period[1] = 2;
    memset(&gaussians, 0, sizeof gaussians);
    alpha = OWN(values)(M, -20, -0.1);
    gaussians.n = M;
    gaussians.alpha = alpha;
    gaussians.nsums = 2;
    gaussians.coefficients = OWN(values)(2 * M, -1, 1);
    g = OWN(array)(2 * 33 * 13 * 5);
    status = OF(gridpot_grid)(hw, &box, &gaussians, NULL, g, 0, NULL, 0);
    OWN(puts)(g, 2 * 33 * 13 * 5);
    line(CLASS, status, "gridpot_grid", REAL, option ? "periodic" : "open");
  }
  for (order = 0; order < 18; order++) { /* on grids of any steps: results of two cells and of few points, sums, points k */
    static const char *const operations[] = {"orbitals_grid", "orbitals_grid_vgl", "density_grid",
                                             "gridpot_grid",  "orbitals_grid_k",   "density_grid_k"};
    static const char *const cells[] = {"triclinic", "hexagonal-periodic", "tiny-cell"};
    const int hexagonal = order / 6 == 1, tiny = order / 6 == 2;
    convk_gaussian_box box;
    convk_shell shells[SHELLS];
    double exponents[4 * SHELLS], weights[4 * SHELLS];
    OF(orbital_set) set;
    OF(gaussians) gaussians;
    OF(bloch) bloch;
    OF(vgl) out;
    OF(density_parts) parts;
    GOLDEN_T *value[5], *c;
    size_t i, n;
    if (!due()) continue;
    kind = order % 6;
    seed("orbitals_grid cell");
    shells_make(shells, 1, exponents, weights);
    exponents[0] = 200; /* few points along a row, and very many */
    exponents[1] = 0.0009765625;
    memset(&box, 0, sizeof box);
    box.step_x[0] = 0.125;
    box.step_y[0] = -0.125;
    box.step_y[1] = 0.21875;
    box.step_z[2] = hexagonal ? 0.375 : -0.375;
    if (!hexagonal) {
      box.step_x[1] = 0.03125;
      box.step_z[0] = 0.0625;
      box.step_z[1] = -0.09375;
    }
    box.origin[0] = -3.125;
    box.origin[1] = -1.5;
    box.origin[2] = -0.75;
    box.grid.nx = 51;
    box.grid.ny = 7;
    box.grid.nz = 3;
    if (hexagonal) box.period[0] = 6.5, box.period[1] = 3.25, box.period[2] = 5;
    if (hexagonal) exponents[1] = 0.5;
    if (kind > 3 && !hexagonal) box.period[2] = 4, exponents[1] = 0.25;
    if (tiny) {
      box.grid.nx = 19;
      box.grid.ny = 9;
      box.grid.nz = 2;
      exponents[0] = 4;
      exponents[1] = 0.5;
    }
    c = OWN(values)(2 * (MANY + 4), -0.5, 0.5);
    n = box.grid.nx * box.grid.ny * box.grid.nz;
    for (i = 0; i < 5; i++) value[i] = OWN(array)(n * 4);
    bloch.k[0] = 0.375;
    bloch.k[1] = -0.75;
    bloch.k[2] = 0.25;
    bloch.imag = hexagonal ? c + MANY : NULL;
    memset(&set, 0, sizeof set);
    set.nshells = tiny ? 2 : SHELLS;
    set.shells = shells;
    set.norbitals = 2;
    set.coefficients = c;
    set.occupations = c;
    memset(&gaussians, 0, sizeof gaussians);
    gaussians.n = tiny ? 2 : 20;
    gaussians.alpha = OWN(values)(20, -20, -0.25);
    gaussians.nsums = 2;
    gaussians.coefficients = c;
    out.value = parts.density = value[0];
    out.dx = parts.dx = value[1];
    out.dy = parts.dy = value[2];
    out.dz = parts.dz = value[3];
    out.laplacian = parts.tau = value[4];
    out.ld = 0;
    status = kind == 0   ? OF(orbitals_grid)(hw, &box, &set, NULL, value[0], 0, NULL, 0)
             : kind == 1 ? OF(orbitals_grid_vgl)(hw, &box, &set, NULL, &out, NULL, 0)
             : kind == 2 ? OF(density_grid)(hw, &box, &set, NULL, &parts, NULL, 0)
             : kind == 3 ? OF(gridpot_grid)(hw, &box, &gaussians, NULL, value[0], 0, NULL, 0)
             : kind == 4 ? OF(orbitals_grid_k)(hw, &box, &set, &bloch, NULL, value[0], 0, NULL, 0)
                         : OF(density_grid_k)(hw, &box, &set, &bloch, NULL, value[0], 0, NULL, 0);
    for (i = 0; i < (kind == 1 || kind == 2 ? 5u : 1u); i++)
      OWN(puts)(value[i], n * (kind == 4 ? 4 : kind == 2 || kind == 5 ? 1 : 2));
    line(NOT_DEVICES, status, operations[kind], REAL, "%s", cells[order / 6]);
  }
  for (order = 0; order < 14; order++) { /* points k on axes: on a small grid and on one of several tiles */
    static const char *const cases[] = {"axes", "x", "y", "z", "gamma", "complex", "x-complex"};
    static const double k[][3] = {{0.375, -0.75, 1.25}, {0.375, 0, 0}, {0, -0.75, 0}, {0, 0, 7.25}, {0, 0, 0},
                                  {0.375, -0.75, 1.25}, {-2.5, 0, 0}};
    enum { FEW = 3 };
    const int l[FEW] = {0, 1, 4}, which = order % 7, large = order / 7, density = which == 0 || which == 6;
    convk_gaussian_box box;
    convk_shell shells[FEW];
    double exponents[FEW], weights[FEW];
    char name[32];
    OF(orbital_set) set;
    OF(bloch) bloch;
    GOLDEN_T *value[2], *c;
    size_t i, n;
    if (!due()) continue;
    seed("orbitals_grid_k axes");
    memset(&box, 0, sizeof box);
    memset(shells, 0, sizeof shells);
    memset(&set, 0, sizeof set);
    box.step_x[0] = 0.25;
    box.step_y[1] = -0.25;
    box.step_z[2] = 0.5;
    box.origin[0] = -2;
    box.origin[1] = 1.25;
    box.grid.nx = large ? 131 : 18;
    box.grid.ny = large ? 53 : 9;
    box.grid.nz = large ? 9 : 2;
    for (i = 0; i < 3; i++) box.period[i] = large ? 14 : 2.5;
    if (which == 2) box.period[0] = 0;
    n = box.grid.nx * box.grid.ny * box.grid.nz;
    for (i = 0; i < FEW; i++) {
      exponents[i] = uniform(0.5, 20);
      weights[i] = uniform(-1, 1);
      shells[i].center[0] = uniform(-0.5, 0.5);
      shells[i].l = l[i];
      shells[i].functions = CONVK_SHELL_SPHERICAL;
      shells[i].primitives = 1;
      shells[i].exponents = exponents + i;
      shells[i].coefficients = weights + i;
    }
    c = OWN(values)(4 * 13, -1, 1);
    memcpy(bloch.k, k[which], sizeof bloch.k);
    bloch.imag = which > 4 ? c + 26 : NULL;
    set.nshells = FEW;
    set.shells = shells;
    set.norbitals = 2;
    set.coefficients = c;
    set.occupations = OWN(values)(2, 0, 2);
    value[0] = OWN(array)(4 * n);
    value[1] = OWN(values)(n, 0, 1);
    status = OF(orbitals_grid_k)(hw, &box, &set, &bloch, NULL, value[0], 0, NULL, 0);
    OWN(puts)(value[0], 4 * n);
    snprintf(name, sizeof name, "%s%s", large ? "tiles-" : "tiny-", cases[which]);
    line(CLASS, status, "orbitals_grid_k", REAL, "%s", name);
    if (!density) continue;
    status = OF(density_grid_k)(hw, &box, &set, &bloch, NULL, value[1], which == 0, NULL, 0);
    OWN(puts)(value[1], n);
    line(CLASS, status, "density_grid_k", REAL, "%s", name);
  }
  for (kind = 0; kind <= CONVK_SHELL_MAX_L; kind++) { /* one shell alone, and all its derivatives */
    OF(points) points;
    convk_shell shell;
    double exponents[3], weights[3];
    OF(orbital_set) set;
    OF(vgl) out;
    GOLDEN_T *p, *value[5];
    int i;
    if (!due()) continue;
    seed("shell");
    memset(&shell, 0, sizeof shell);
    for (i = 0; i < 3; i++) {
      shell.center[i] = uniform(-1, 1);
      exponents[i] = uniform(0.1, 3);
      weights[i] = uniform(-1, 1);
    }
    shell.l = kind;
    shell.functions = CONVK_SHELL_SPHERICAL;
    shell.primitives = 3;
    shell.exponents = exponents;
    shell.coefficients = weights;
    p = OWN(values)(3 * N, -2, 2);
    points.n = N;
    points.x = p;
    points.y = p + N;
    points.z = p + 2 * N;
    points.stride = 0;
    for (i = 0; i < 5; i++) value[i] = OWN(array)(15 * N);
    memset(&set, 0, sizeof set);
    set.nshells = 1;
    set.shells = &shell;
    out.value = value[0];
    out.dx = value[1];
    out.dy = value[2];
    out.dz = value[3];
    out.laplacian = value[4];
    out.ld = 0;
    status = OF(orbitals_vgl)(hw, &points, &set, NULL, &out, NULL, 0);
    for (i = 0; i < 5; i++) OWN(puts)(value[i], 15 * N);
    line(CLASS, status, "orbitals_vgl", REAL, "shell-%d", kind);
  }
}
#endif

#ifdef GOLDEN_FORMFACTOR
/* Triangles here and there, or closed: the sides of tetrahedra. */
static int OWN(mesh_make)(size_t triangles, int closed, OF(mesh) * mesh) {
  static const int side[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  GOLDEN_T *corners = OWN(values)(9 * triangles, -2, 2), *storage = OWN(array)(12 * triangles);
  size_t t;
  int i, k, status;
  for (t = 0; closed && t + 4 <= triangles; t += 4) {
    GOLDEN_T p[12];
    memcpy(p, corners + 9 * t, sizeof p);
    for (i = 0; i < 12; i++)
      for (k = 0; k < 3; k++) corners[9 * t + 3 * (size_t)i + (size_t)k] = p[3 * side[i] + k];
  }
  status = OF(mesh_assign)(NULL, triangles, 1, storage, mesh);
  return status ? status : OF(mesh_from_triangles)(NULL, corners, mesh);
}
static void OWN(put_mesh)(const OF(mesh) * mesh) {
  OWN(puts)(mesh->ax, mesh->n);
  OWN(puts)(mesh->ay, mesh->n);
  OWN(puts)(mesh->az, mesh->n);
  OWN(puts)(mesh->x, mesh->n);
  OWN(puts)(mesh->y, mesh->n);
  OWN(puts)(mesh->z, mesh->n);
  OWN(puts)(mesh->ux, mesh->n);
  OWN(puts)(mesh->uy, mesh->n);
  OWN(puts)(mesh->uz, mesh->n);
  OWN(puts)(mesh->wx, mesh->n);
  OWN(puts)(mesh->wy, mesh->n);
  OWN(puts)(mesh->wz, mesh->n);
}

/* As a list; z, all: which parts are complex. */
static OF(q) OWN(vectors)(size_t n, GOLDEN_T *const *q, int z, int all) {
  OF(q) v;
  v.n = n;
  v.x = q[0];
  v.y = q[1];
  v.z = q[2];
  v.z_imag = z ? q[3] : NULL;
  v.x_imag = all ? q[4] : NULL;
  v.y_imag = all ? q[5] : NULL;
  return v;
}

/* q from nearly 0 to many turns in a triangle, so that every order is taken, and the means over triangles in each of their ways. */
static void OWN(golden_formfactor_orders)(convk *hw) {
  static const char *const rules[] = {"order-4", "order-8", "order-12", "auto", "exact", "exact-faces"};
  static const char *const kinds[] = {"real", "complex-z", "complex"};
  const size_t n = 320, nq = 400;
  int closed, rule, kind, d, status;
  size_t i;
  for (closed = 0; closed < 2; closed++)
    for (rule = 0; rule < (closed ? 5 : 6); rule++)
      for (kind = 0; kind < 3; kind++) {
        convk_formfactor_options o;
        OF(indexed_mesh) indexed;
        OF(mesh) mesh;
        OF(q) v;
        GOLDEN_T *q[6], *f;
        uint32_t face[3 * 320];
        if (!due()) continue;
        seed("formfactor");
        status = OWN(mesh_make)(n, closed, &mesh);
        memset(&o, 0, sizeof o);
        if (rule < 3) o.order = rule == 2 ? 12 : 4 << rule;
        if (rule >= 4) o.form = CONVK_FORM_EXACT;
        if (rule == 5) { /* any three of 200 vertices: shared ones, some of them far apart in the list */
          memset(&mesh, 0, sizeof mesh);
          indexed.vertices = 200;
          indexed.faces = mesh.n = n;
          indexed.face = face;
          indexed.x = OWN(values)(200, -2, 2);
          indexed.y = OWN(values)(200, -2, 2);
          indexed.z = OWN(values)(200, -2, 2);
          mesh.indexed = &indexed;
          for (i = 0; i < 3 * n; i++) face[i] = (uint32_t)((i % 3 ? i / 3 * 2 + i : next64()) % 200);
        }
        for (d = 0; d < 6; d++) q[d] = OWN(values)(nq, d < 3 ? -1 : -0.25, d < 3 ? 1 : 0.25);
        for (d = 0; d < 3; d++) q[d][7] = 0;
        for (i = 0; i < nq; i++) {
          const GOLDEN_T scale = (GOLDEN_T)((i % 2 ? 1e-3 : 1) * (double)(i + 1) * (double)(i + 1) / 4000); /* up to 40 */
          for (d = 0; d < 3; d++) q[d][i] = i % 11 == (size_t)d ? 0 : q[d][i] * scale;
        }
        v = OWN(vectors)(nq, q, kind, kind == 2);
        f = OWN(array)(2 * nq);
        if (!status) status = OF(formfactor)(hw, &mesh, &v, &o, f);
        OWN(puts)(f, 2 * nq);
        line(rule < 3 ? CLASS : PROCESSORS, status, "formfactor", REAL, "%s-%s-%s", closed ? "closed" : "open", rules[rule],
             kinds[kind]);
      }
}

/* Few triangles and q, in each way to add them up; once more triangles than a work-group holds at a time. */
static void OWN(golden_formfactor_tiny)(convk *hw) {
  static const char *const rules[] = {"second-order", "fourth-order", "order-4", "order-12", "auto", "exact"};
  static const char *const kinds[] = {"real", "complex-z", "complex"};
  static const int orders[] = {0, 2, 4, 12, 0, 0};
  int rule, kind, d, status;
  for (rule = 0; rule < 6; rule++)
    for (kind = 0; kind < 3; kind++) {
      convk_formfactor_options o;
      OF(mesh) mesh;
      OF(q) v;
      GOLDEN_T *q[6], *f;
      if (!due()) continue;
      seed("formfactor_tiny");
      status = OWN(mesh_make)(rule || kind ? 4 : 68, kind == 0, &mesh);
      memset(&o, 0, sizeof o);
      o.order = orders[rule];
      if (rule == 5) o.form = CONVK_FORM_EXACT;
      if (!rule) mesh.ux = NULL;
      for (d = 0; d < 6; d++) q[d] = OWN(values)(3, d < 3 ? -1 : -0.25, d < 3 ? 1 : 0.25);
      v = OWN(vectors)(3, q, kind, kind == 2 && rule > 1); /* only series and exact sums have the others */
      f = OWN(array)(6);
      if (!status) status = OF(formfactor)(hw, &mesh, &v, &o, f);
      OWN(puts)(f, 6);
      line(rule < 4 ? CLASS : PROCESSORS, status, "formfactor", REAL, "tiny-%s-%s", rules[rule], kinds[kind]);
    }
  for (kind = 0; kind < 2; kind++) {
    const convk_formfactor_options o = {CONVK_FORM_AUTO, 2};
    const convk_grid3 grid = {2, 3, 2, 0, 0};
    OF(mesh) mesh;
    OF(q) v;
    GOLDEN_T *q[4], *f;
    if (!due()) continue;
    seed("formfactor_grid_tiny");
    status = OWN(mesh_make)(4, kind, &mesh);
    for (d = 0; d < 4; d++) q[d] = OWN(values)(3, d < 3 ? -1 : -0.25, d < 3 ? 1 : 0.25);
    v = OWN(vectors)(0, q, kind, 0);
    f = OWN(array)(24);
    if (!status) status = OF(formfactor_grid)(hw, &mesh, &grid, &v, &o, f, NULL, 0);
    OWN(puts)(f, 24);
    line(CLASS, status, "formfactor_grid", REAL, "tiny-fourth-order%s", kind ? "-complex" : "");
  }
}

static void OWN(golden_formfactor)(convk *hw) {
  static const char *const qz_names[] = {"real", "complex", "shared-imaginary"};
  size_t i;
  int closed, kind, option, d, status;
  for (closed = 0; closed < 2; closed++) {
    static const double rotation[9] = {0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6};
    convk_mesh_measures m;
    OF(mesh) mesh, rotated;
    GOLDEN_T *storage;
    if (!due()) continue;
    seed("mesh");
    status = OWN(mesh_make)(120, closed, &mesh);
    OWN(put_mesh)(&mesh);
    memset(&m, 0, sizeof m);
    if (!status) status = OF(mesh_measure)(hw, &mesh, &m);
    put_f64(m.area);
    put_f64(m.volume);
    put_f64s(m.gap, 3);
    put_f64s(m.least, 3);
    put_f64s(m.most, 3);
    put_bytes((uint64_t)m.closed, 1);
    storage = OWN(array)(12 * 120);
    if (!status) status = OF(mesh_assign)(hw, 120, 1, storage, &rotated);
    if (!status) status = OF(mesh_rotate)(hw, &mesh, rotation, &rotated);
    if (!status) OWN(put_mesh)(&rotated);
    if (!status && m.closed != closed) status = CONVK_ERR_OPEN_MESH;
    line(EVERY, status, "mesh", REAL, "%s", closed ? "closed" : "open");
  }
  for (closed = 0; closed < 2; closed++)
    for (kind = 0; kind < 3; kind++)
      for (option = 0; option < 8; option++) { /* fourth order 1, the form given 2, triangles for two blocks 4 */
        const size_t nq = option & 4 ? 70 : 333;
        convk_formfactor_options o;
        OF(mesh) mesh;
        OF(q) v;
        GOLDEN_T *q[4], *f;
        if (option & 2 && !closed) continue; /* which is what an open mesh has anyway */
        if (!due()) continue;
        seed("formfactor");
        status = OWN(mesh_make)(option & 4 ? 640 : 120, closed, &mesh);
        memset(&o, 0, sizeof o);
        o.order = 2 * (option & 1);
        o.form = option & 2 ? CONVK_FORM_OPEN : CONVK_FORM_AUTO;
        for (d = 0; d < 4; d++) q[d] = OWN(values)(nq, d == 3 ? -0.25 : -3, d == 3 ? 0.25 : 3);
        for (i = 0; i < nq && kind == 2; i++) q[3][i] = (GOLDEN_T)0.125;
        for (d = 0; d < 4; d++) q[d][7] = 0;
        q[0][8] = q[1][8] = (GOLDEN_T)1e-5;
        q[2][8] = 0;
        f = OWN(array)(2 * nq);
        if (!(option & 1)) mesh.ux = NULL; /* with corners the default takes what each q needs, as below */
        v = OWN(vectors)(nq, q, kind, 0);
        if (!status) status = OF(formfactor)(hw, &mesh, &v, &o, f);
        OWN(puts)(f, 2 * nq);
        line(CLASS, status, "formfactor", REAL, "%s-%s%s%s%s", closed ? "closed" : "open", qz_names[kind],
             option & 1 ? "-fourth-order" : "", option & 2 ? "-open-form" : "", option & 4 ? "-many" : "");
      }
  OWN(golden_formfactor_orders)(hw);
  for (closed = 0; closed < 2; closed++)
    for (kind = 0; kind < 2; kind++)
      for (option = 0; option < 10; option++) { /* from 6 on fourth order, lanes on each axis */
        static const size_t sizes[10][4] = {{13, 17, 3, 120}, {3, 40, 5, 120}, {1, 1, 70, 120},  {70, 1, 1, 40},
                                            {5, 4, 33, 1300}, {2, 2, 2, 4},    {17, 13, 3, 120}, {3, 40, 5, 120},
                                            {5, 4, 33, 1300}, {6, 7, 21, 64}};
        const convk_formfactor_options o = {CONVK_FORM_AUTO, option > 5 ? 2 : 0};
        convk_grid3 grid;
        OF(mesh) mesh;
        OF(q) v;
        GOLDEN_T *q[4], *f;
        size_t n, count[3];
        if (!due()) continue;
        seed("formfactor_grid");
        for (d = 0; d < 3; d++) count[d] = sizes[option][d];
        grid.nx = count[0];
        grid.ny = count[1];
        grid.nz = count[2];
        n = OWN(lay_out)(&grid, option % 2);
        status = OWN(mesh_make)(sizes[option][3], closed, &mesh);
        for (d = 0; d < 3; d++) q[d] = OWN(values)(count[d], -3, 3);
        q[3] = OWN(values)(count[2], -0.25, 0.25);
        for (d = 0; d < 4; d++)
          if (count[d < 3 ? d : 2] > 1) q[d][0] = 0;
        v = OWN(vectors)(0, q, kind, 0);
        f = OWN(array)(2 * n);
        if (!status) status = OF(formfactor_grid)(hw, &mesh, &grid, &v, &o, f, NULL, 0);
        OWN(puts)(f, 2 * n);
        line(count[2] == 33 ? NOT_CUDA : CLASS, status, "formfactor_grid", REAL, "%s-%s-%dx%dx%d%s", closed ? "closed" : "open",
             qz_names[kind], (int)count[0], (int)count[1], (int)count[2], option > 5 ? "-fourth-order" : "");
      }
}

/* Particles of two meshes, turned, scaled, several alike.  Devices have another way to structure factors, and so bits of their own. */
static void OWN(golden_many)(convk *hw) {
  enum { PARTICLES = 30, NQ = 300, DIRECTIONS = 13 };
  static const double turns[2][9] = {{0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6}, {0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1}};
  static const char *const operations[3] = {"formfactor_assembly", "formfactor_powder", "formfactor_dwba"};
  convk_formfactor_options options;
  int kind, complex_q, heavy, d, status;
  size_t i;
  for (kind = 0; kind < 3; kind++)
    for (complex_q = 0; complex_q < (kind == 1 ? 1 : 3); complex_q++)
      for (heavy = 0; heavy < 2; heavy++) {
        convk_placement *placement;
        OF(mesh) mesh[2];
        OF(assembly) a;
        OF(dwba) w;
        OF(q) v;
        OF(directions) n;
        GOLDEN_T *q[10], *f, *intensity;
        if (!due()) continue;
        seed("formfactor_many");
        memset(&options, 0, sizeof options);
        options.form = complex_q == 2 ? CONVK_FORM_EXACT : CONVK_FORM_OPEN;
        status = OWN(mesh_make)(40, 1, &mesh[0]);
        if (!status) status = OWN(mesh_make)(37, 0, &mesh[1]);
        placement = (convk_placement *)take(PARTICLES * sizeof *placement);
        memset(placement, 0, PARTICLES * sizeof *placement);
        for (i = 0; i < PARTICLES; i++) {
          placement[i].mesh = i % 2;
          for (d = 0; d < 3; d++) placement[i].position[d] = uniform(-5, 5);
          if (i % 3) memcpy(placement[i].rotation, turns[complex_q == 1], sizeof turns[0]);
          if (i % 5 == 1) placement[i].scale = 1.25;
          placement[i].weight[0] = uniform(-1, 1);
          placement[i].weight[1] = heavy ? uniform(-1, 1) : 0;
        }
        a.meshes = 2;
        a.placements = PARTICLES;
        a.mesh = mesh;
        a.placement = placement;
        for (d = 0; d < 10; d++)
          q[d] = OWN(values)(d < 6 ? NQ : 2 * NQ, d == 3 || d == 5 ? 0 : -2, d == 3 || d == 5 ? 0.0625 : 2);
        for (d = 6; d < 10; d++) q[d][2 * d] = q[d][2 * d + 1] = 0;
        f = OWN(array)(2 * NQ);
        intensity = OWN(array)(NQ);
        memset(f, 0, 2 * NQ * sizeof *f);
        memset(intensity, 0, NQ * sizeof *f);
        v = OWN(vectors)(NQ, q, complex_q, 0);
        n.n = DIRECTIONS;
        n.x = q[1];
        n.y = q[2];
        n.z = q[4];
        n.weight = q[5];
        w.n = NQ;
        w.qx = q[0];
        w.qy = q[1];
        w.kz_in = q[2];
        w.kz_in_imag = complex_q ? q[3] : NULL;
        w.kz_out = q[4];
        w.kz_out_imag = complex_q ? q[5] : NULL;
        w.t_in = q[6];
        w.t_out = q[7];
        w.r_in = q[8];
        w.r_out = q[9];
        if (!status && kind == 0) status = OF(formfactor_assembly)(hw, &a, &v, &options, f, intensity, NULL, 0);
        if (!status && kind == 1)
          status = OF(formfactor_powder)(hw, &a, NQ / DIRECTIONS, q[0], &n, &options, intensity, NULL, 0);
        if (!status && kind == 2) status = OF(formfactor_dwba)(hw, &a, &w, &options, f, NULL, 0);
        OWN(puts)(f, 2 * NQ);
        OWN(puts)(intensity, NQ);
        line(PROCESSORS, status, operations[kind], REAL, "%s%s",
             complex_q == 2 ? "complex-exact"
             : complex_q    ? "complex"
                            : "real",
             heavy ? "-complex-weights" : "");
      }
}
#endif

#ifdef GOLDEN_DISTANCES
/* Histograms, whose bits are the same for all hardware and both classes; real weights, too.  Debye's sum has those of its class. */
static void OWN(golden_distances)(convk *hw) {
  static const convk_cell cells[] = {
      {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {{9, 0, 0}, {4, 8, 0}, {-3, 1, 7}}, {{0, 6, 0}, {0, 0, 0}, {0, 2, 9}}};
  static const char *const names[] = {"open", "oblique", "layer"};
  static const convk_scatterer kinds[2] = {{2, {2.5, 1.25}, {20, 0.5}, {0.25, -0.5}, 0.75}, {0, {0}, {0}, {-3, 0}, 0}};
  static const double self[2] = {150, 151};
  size_t c;
  for (c = 0; c < 18 + 6 + 2 + 2; c++) { /* histograms, sums from those of open cells, sums over pairs; tiny ones */
    const size_t tiny = c >= 26, direct = c == 24 || c == 25, counts = c < 18 || c == 26, i = c < 18 ? c / 6 : c == 26 ? 2 : 0;
    const size_t weights = !tiny && c % 2, nq = tiny ? 9 : 70;
    const int moments = tiny ? 2 : direct ? 0 : (int)(c / 2 % 3);
    const size_t n = tiny ? 70 : moments == 2 ? 700 : 301;
    OF(atoms) a;
    convk_distances d;
    GOLDEN_T *x[4], *q, *intensity;
    uint32_t *kind;
    size_t k, words = 0;
    char *from[3] = {NULL, NULL, NULL};
    int status = 0;
    if (hw->ours.inside.device && ((weights && counts) || direct)) continue; /* devices have these not */
    if (!due()) continue;
    seed(names[i]);
    memset(&a, 0, sizeof a);
    memset(&d, 0, sizeof d);
    for (k = 0; k < 4; k++) {
      x[k] = OWN(array)(n);
      OWN(fill)(x[k], n, k < 3 ? -4 : -0.5, k < 3 ? 4 : 1);
    }
    kind = (uint32_t *)(void *)take_odd(n * sizeof *kind);
    for (k = 0; k < n; k++) {
      const uint32_t of = (uint32_t)(k % 2);
      memcpy((char *)kind + k * sizeof of, &of, sizeof of);
    }
    a.n = n;
    a.x = x[0];
    a.y = x[1];
    a.z = x[2];
    a.kind = kind;
    a.weight = weights ? x[3] : NULL;
    d.bins = tiny ? 40 : 700;
    d.kinds = 2;
    d.width = tiny ? 0.1 : moments == 2 ? 0.002 : 0.021;
    d.moments = moments;
    for (k = 0; k < 3; k++) from[k] = take_odd(3 * d.bins * 3 * sizeof(uint64_t));
    words = weights ? 3 * d.bins * (size_t)(moments + 1) : 3 * d.bins;
    d.sum = weights ? (double *)(void *)from[0] : NULL;
    d.count = weights ? NULL : (uint64_t *)(void *)from[0];
    d.moment[0] = (uint64_t *)(void *)from[1];
    d.moment[1] = (uint64_t *)(void *)from[2];
    q = OWN(array)(nq);
    OWN(fill)(q, nq, 0, 25);
    intensity = OWN(array)(nq);
    if (!direct && hw->ours.inside.device && weights) {
      convk scalar;
      status = convk_open(&scalar, "scalar");
      if (!status) status = OF(pair_histogram)(&scalar, &a, &cells[i], NULL, &d, NULL, 0);
      convk_close(&scalar);
    } else if (!direct) status = OF(pair_histogram)(hw, &a, &cells[i], NULL, &d, NULL, 0);
    if (counts) {
      for (k = 0; k < (weights ? words : 4 * words); k++) {
        uint64_t bits;
        memcpy(&bits, from[k / words < 2 ? k / words : 2] + (k - (k / words < 2 ? k / words : 2) * words) * sizeof bits,
               sizeof bits);
        put_bytes(bits, 8);
      }
      line(EVERY, status, "pair_histogram", REAL, "%s%s-%d-moments%s", tiny ? "tiny-" : "", names[i], moments,
           weights ? "-weights" : "");
      continue;
    }
    if (!status && !direct) status = OF(debye)(hw, &d, kinds, self, nq, q, intensity, NULL);
    if (direct) status = OF(debye_direct)(hw, &a, 2, kinds, nq, q, intensity, NULL, 0);
    OWN(puts)(intensity, nq);
    if (!direct) line(CLASS, status, "debye", REAL, "%s%d-moments%s", tiny ? "tiny-" : "", moments, weights ? "-weights" : "");
    else line(CLASS, status, "debye_direct", REAL, "pairs%s", weights ? "-weights" : "");
  }
}
#endif

#ifdef GOLDEN_AMPLITUDES
/* Sums of each frame and kind, and means: of lists, also with complex q_z, and of grids with -q on no axis, on that of the lanes,
   and on all; and a tiny one of these. */
static void OWN(golden_amplitudes)(convk *hw) {
  static const convk_cell cell = {{9, 0, 0}, {4, 8, 0}, {-3, 1, 7}};
  static const convk_scatterer kinds[2] = {{2, {2.5, 1.25}, {20, 0.5}, {0.25, -0.5}, 0.75}, {0, {0}, {0}, {-3, 0}, 0}};
  static const char *const names[] = {"list", "general", "half", "octants", "complex", "tiny"};
  static const char *const outputs[] = {"frames", "kinds-of-a-cell", "mean"};
  size_t c;
  for (c = 0; c < 16; c++) {
    const int imag = c >= 12 && c < 15, tiny = c == 15;
    const size_t sizes[2][3] = {{21, 10, 7}, {5, 4, 3}}, *const nq = sizes[tiny], n = tiny ? 130 : 301;
    const size_t way = imag ? 0 : tiny ? 3 : c / 3, all = way ? nq[0] * nq[1] * nq[2] : nq[0];
    const convk_grid3 grid = {nq[0], nq[1], nq[2], 0, 0};
    convk_amplitude_options o;
    OF(atoms) a;
    OF(q) q;
    GOLDEN_T *x[4], *axis[3], *damps = NULL, *f;
    uint32_t *kind;
    size_t i, d;
    int status;
    if (!due()) continue;
    seed(names[c / 3]);
    memset(&a, 0, sizeof a);
    memset(&q, 0, sizeof q);
    memset(&o, 0, sizeof o);
    for (d = 0; d < 4; d++) {
      x[d] = OWN(array)(2 * n);
      OWN(fill)(x[d], 2 * n, d < 3 ? -4 : -0.5, d < 3 ? 4 : 1);
    }
    kind = (uint32_t *)(void *)take_odd(n * sizeof *kind);
    for (i = 0; i < n; i++) {
      const uint32_t of = (uint32_t)(i % 2);
      memcpy((char *)kind + i * sizeof of, &of, sizeof of);
    }
    for (d = 0; d < 3; d++) {
      const size_t m = way ? nq[d] : nq[0];
      axis[d] = OWN(array)(m);
      OWN(fill)(axis[d], m, -5, 5);
      for (i = 0; i < (m + 1) / 2 && (way == 3 || (way == 2 && !d)); i++) {
        GOLDEN_T v = 0;
        if (2 * i + 1 < m) memcpy(&v, (char *)axis[d] + i * sizeof v, sizeof v);
        v = -v;
        if (2 * i + 1 == m) v = 0;
        memcpy((char *)axis[d] + (m - 1 - i) * sizeof v, &v, sizeof v);
      }
    }
    if (imag) OWN(fill)(damps = OWN(array)(nq[0]), nq[0], -0.5, 0.5);
    a.n = n;
    a.frames = 2;
    a.x = x[0];
    a.y = x[1];
    a.z = x[2];
    a.kind = kind;
    a.weight = x[3];
    q.n = nq[0];
    q.x = axis[0];
    q.y = axis[1];
    q.z = axis[2];
    q.z_imag = damps;
    o.output = tiny ? CONVK_AMPLITUDES_MEAN : (int)(c % 3);
    o.kinds = 2;
    o.scatterers = kinds;
    o.cell = c % 3 == 1 ? &cell : NULL;
    f = OWN(array)(2 * 4 * all);
    OWN(fill)(f, 2 * 4 * all, 0, 0);
    if (way) status = OF(amplitudes_grid)(hw, &a, &grid, &q, &o, f, NULL, 0);
    else status = OF(amplitudes)(hw, &a, &q, &o, f, NULL, 0);
    OWN(puts)(f, o.output == 2 ? all : (o.output + 1) * 4 * all);
    line(CLASS, status, way ? "amplitudes_grid" : "amplitudes", REAL, "%s-%s", names[c / 3], outputs[o.output]);
  }
}
#endif

#ifdef GOLDEN_FFT
/* A plan's tables and spectra: the same whoever made it. */
static void OWN(put_plan)(const void *plan) {
  convk_fft_plan_ head;
  memcpy(&head, plan, sizeof head);
  put_text((const char *)plan + head.position[0], head.bytes - head.position[0]);
}

static void OWN(golden_fft)(convk *hw) {
  const size_t before = hw->tuning.fft_lanes;
  size_t i, k, lanes;
  int real, status, direction;
  for (i = 0; i < COUNT_OF(fft_cases); i++)
    for (real = 0; real < 2; real++)
      for (lanes = hw->ours.inside.device ? 0 : 1; lanes <= (hw->ours.inside.device ? 0 : 2);
           lanes++) { /* both layouts give the same */
        const size_t width = real ? 1 : 2, items = fft_cases[i].items, kernels = fft_cases[i].kernels;
        const char *type = real ? REAL : COMPLEX;
        convk_fftconv2d_shape shape, full;
        convk_batch2d batch;
        size_t index[64], bytes, in_count, out_count, n; /* index: at least the most items of a case */
        GOLDEN_T *in, *out, *kernel;
        char *plan;
        if (!due()) continue;
        seed(fft_cases[i].name);
        memset(&shape, 0, sizeof shape);
        memset(&batch, 0, sizeof batch);
        memset(&full, 0, sizeof full);
        shape.rows = fft_cases[i].rows;
        shape.columns = fft_cases[i].columns;
        shape.kernel_rows = fft_cases[i].kernel_rows;
        shape.kernel_columns = fft_cases[i].kernel_columns;
        shape.mode = fft_cases[i].mode;
        shape.correlation = fft_cases[i].correlation;
        shape.origin_row = fft_cases[i].origin_row;
        shape.origin_column = fft_cases[i].origin_column;
        shape.out_rows = fft_cases[i].out_rows;
        shape.out_columns = fft_cases[i].out_columns;
        shape.fft_rows = fft_cases[i].fft_rows;
        shape.fft_columns = fft_cases[i].fft_columns;
        status = convk_fftconv2d_resolve(hw, &shape, &full);
        put_size(full.out_rows);
        put_size(full.out_columns);
        put_size(full.fft_rows);
        put_size(full.fft_columns);
        n = fft_cases[i].spectrum ? 2 * full.fft_rows * full.fft_columns : width * shape.kernel_rows * shape.kernel_columns;
        kernel = OWN(values)(kernels * n, -0.5, 0.6);
        bytes = 0;
        if (!status) status = (real ? OF(fftconv2d_plan_size) : OF_COMPLEX(fftconv2d_plan_size))(hw, &shape, kernels, &bytes);
        plan = take_odd(bytes);
        if (!status && real)
          status = (fft_cases[i].spectrum ? OF(fftconv2d_prepare_spectrum) : OF(fftconv2d_prepare))(
              hw, &shape, kernels, kernel, 0, 0, (OF(fftconv2d_plan) *)(void *)plan, bytes);
        else if (!status)
          status = (fft_cases[i].spectrum ? OF_COMPLEX(fftconv2d_prepare_spectrum) : OF_COMPLEX(fftconv2d_prepare))(
              hw, &shape, kernels, kernel, 0, 0, (OF_COMPLEX(fftconv2d_plan) *)(void *)plan, bytes);
        batch.items = items;
        if (fft_cases[i].padded) {
          batch.in_pitch = shape.columns + 3;
          batch.in_stride = batch.in_pitch * shape.rows + 1;
          batch.out_pitch = full.out_columns + 1;
          batch.out_stride = batch.out_pitch * full.out_rows + 5;
        }
        in_count = (batch.in_stride ? batch.in_stride : shape.rows * shape.columns) * items;
        out_count = (batch.out_stride ? batch.out_stride : full.out_rows * full.out_columns) * items;
        in = OWN(values)(width * in_count, -1, 1);
        out = OWN(array)(width * out_count);
        for (k = 0; k < items; k++) index[k] = (size_t)((next64() >> 20) % kernels);
        if (fft_cases[i].kernel_index) batch.kernel = index;
        else if (kernels > 1) batch.items_per_kernel = items / kernels;
        hw->tuning.fft_lanes = lanes;
        if (!status || learning) {
          if (!learning) OWN(put_plan)(plan);
          k = arena_used; /* what the plan's line takes back */
          line(EVERY, status, "fftconv2d_plan", type, "%s", fft_cases[i].name);
          arena_used = k;
          status = real ? OF(fftconv2d)(hw, (OF(fftconv2d_plan) *)(void *)plan, &batch, in, out, NULL, 0)
                        : OF_COMPLEX(fftconv2d)(hw, (OF_COMPLEX(fftconv2d_plan) *)(void *)plan, &batch, in, out, NULL, 0);
        }
        if (hw->ours.inside.device && !strcmp(fft_cases[i].name, "tiles")) {
          unsupported(status, "fftconv2d", type, fft_cases[i].name);
          continue;
        }
        OWN(puts)(out, width * out_count);
        line(CLASS, status, "fftconv2d", type, "%s", fft_cases[i].name);
      }
  for (i = 0; i < COUNT_OF(fft2d_sizes); i++)
    for (direction = 0; direction < 2; direction++)
      for (lanes = hw->ours.inside.device ? 0 : 1; lanes <= (hw->ours.inside.device ? 0 : 2); lanes++) {
        const size_t rows = fft2d_sizes[i][0], columns = fft2d_sizes[i][1], n = 2 * fft2d_sizes[i][2] * rows * columns;
        size_t bytes = 0;
        OF_COMPLEX(fft2d_plan) * plan;
        GOLDEN_T *in, *out;
        convk_batch2d batch;
        if (!due()) continue;
        status = OF_COMPLEX(fft2d_plan_size)(hw, rows, columns, &bytes);
        plan = (OF_COMPLEX(fft2d_plan) *)(void *)take_odd(bytes);
        seed("fft2d");
        in = OWN(values)(n, -1, 1);
        out = OWN(array)(n);
        memset(&batch, 0, sizeof batch);
        batch.items = fft2d_sizes[i][2];
        hw->tuning.fft_lanes = lanes;
        if (batch.items > 2) in[1] = OWN(of_bits)(UINT64_C(0x7ffc0000) << 32); /* a NaN stays in its item */
        if (!status) status = OF_COMPLEX(fft2d_prepare)(hw, rows, columns, plan, bytes);
        if (!status) status = OF_COMPLEX(fft2d)(hw, plan, direction ? CONVK_INVERSE : CONVK_FORWARD, &batch, in, out, NULL, 0);
        OWN(puts)(out, n);
        line(CLASS, status, "fft2d", COMPLEX, "%dx%d-%s", (int)rows, (int)columns, direction ? "inverse" : "forward");
      }
  hw->tuning.fft_lanes = before;
}
#endif

#ifdef GOLDEN_VMC
static void OWN(golden_pairs)(convk *hw) {
  static const int wants[] = {CONVK_PAIR_LN_PSI,
                              CONVK_PAIR_POTENTIAL_ENERGY,
                              CONVK_PAIR_GRADIENT,
                              CONVK_PAIR_LAPLACIAN,
                              CONVK_PAIR_KINETIC,
                              CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT,
                              0};
  static const char *const want_names[] = {"ln-psi", "potential", "gradient", "laplacian", "kinetic", "ln-psi-gradient", "all"};
  size_t i, k, w, n;
  int d, status;
  for (i = 0; i < 2 * COUNT_OF(potential_names); i++) { /* second: what lies at the ends and beyond */
    const convk_pair_potential p = potential_make((int)i / 2);
    GOLDEN_T *r, *v;
    if (!due()) continue;
    seed("pair_potential");
    n = i % 2 ? 12 : 777;
    r = OWN(values)(777, 1, 17);
    for (k = 0; k < 64; k++) r[k] = (GOLDEN_T)uniform(2.9, 3.1); /* about minima and the ends of pieces */
    for (k = 64; k < 128; k++) r[k] = (GOLDEN_T)uniform(3.6, 4.5);
    if (i % 2) {
      static const double ends[] = {0, 1e-3, 0.00390625, 0.0039, 1.75, 11.5, 11.75, 1e5, 1e7, 1e20};
      for (k = 0; k < COUNT_OF(ends); k++) r[k] = (GOLDEN_T)ends[k];
      r[k] = OWN(of_bits)(GOLDEN_DOUBLE ? UINT64_C(0x7ff) << 52 : UINT64_C(0x7f8) << 52); /* infinity */
      if (i / 2 != 5) r[k + 1] = OWN(of_bits)(UINT64_C(0x7ffc0000) << 32);                /* NaN */
    }
    v = OWN(array)(n);
    status = OF(pair_potential)(hw, &p, n, r, v);
    OWN(puts)(v, n);
    line(PROCESSORS, status, "pair_potential", REAL, "%s%s", potential_names[i / 2], i % 2 ? "-ends" : "");
  }
  for (i = 0; i < COUNT_OF(pair_cases); i++)
    for (w = 0; w < COUNT_OF(wants) + 3; w++) { /* at the end: a move, and acceptance with and without a mask */
      const size_t particles = pair_cases[i].particles, walkers = pair_cases[i].walkers, side = particles > 75 ? 6 : 5;
      convk_pair_system system;
      convk_pair_walkers lay;
      convk_pair_result *results;
      convk_pair_move_result *moves;
      static const unsigned char accept[8] = {1, 0, 1, 1, 0, 1, 0, 1};
      GOLDEN_T *r, *gradient, *to;
      if (!due()) continue;
      results = (convk_pair_result *)take(walkers * sizeof *results);
      moves = (convk_pair_move_result *)take(walkers * sizeof *moves);
      memset(&system, 0, sizeof system);
      system.particles = particles;
      system.potential = potential_make(pair_cases[i].potential);
      system.trial.p5 = 120;
      system.trial.p2 = i % 2 ? -1 : 0.7;
      system.trial.p0 = 0.4;
      system.trial.p1 = 0.01;
      for (d = 0; d < 3; d++) system.box[d] = pair_cases[i].box > 0 ? pair_cases[i].box + d : 0;
      system.cutoff = pair_cases[i].cutoff;
      if (i == 3) system.hbar2_2m = 1.25;
      seed("pairs");
      lay.walkers = walkers;
      lay.pitch = pair_cases[i].padded ? particles + 3 : 0;
      lay.stride = pair_cases[i].padded ? 3 * (particles + 3) + 2 : 0;
      n = (lay.stride ? lay.stride : 3 * particles) * walkers;
      r = OWN(array)(n);
      gradient = OWN(array)(n);
      for (k = 0; k < walkers * particles; k++)
        for (d = 0; d < 3; d++) {
          const size_t p = k % particles, site = d == 0 ? p % side : d == 1 ? p / side % side : p / side / side;
          r[k / particles * (lay.stride ? lay.stride : 3 * particles) + (size_t)d * (lay.pitch ? lay.pitch : particles) + p] =
              (GOLDEN_T)uniform(3.5 * (double)site, 3.5 * (double)site + 1);
        }
      to = OWN(values)(3 * walkers, 6.5, 8);
      if (w < COUNT_OF(wants)) {
        status = OF(pair_energy)(hw, &system, &lay, wants[w], r, results,
                                 !wants[w] || wants[w] & CONVK_PAIR_GRADIENT ? gradient : NULL, NULL, 0);
        put_results(results, walkers);
        OWN(puts)(gradient, n);
        line(PROCESSORS, status, "pair_energy", REAL, "%s-%s", pair_cases[i].name, want_names[w]);
      } else if (w == COUNT_OF(wants)) {
        status = OF(pair_move)(hw, &system, &lay, particles / 2, r, to, moves);
        for (k = 0; k < walkers; k++) {
          put_f64(moves[k].ln_psi);
          put_f64s(moves[k].before, 3);
          put_f64s(moves[k].after, 3);
        }
        line(PROCESSORS, status, "pair_move", REAL, "%s", pair_cases[i].name);
      } else {
        const int all = w == COUNT_OF(wants) + 1;
        status = OF(pair_accept)(hw, &system, &lay, particles - 1, to, all ? NULL : accept, r, all ? gradient : NULL);
        OWN(puts)(r, n);
        OWN(puts)(gradient, n);
        line(all ? PROCESSORS : EVERY, status, "pair_accept", REAL, "%s-%s", pair_cases[i].name, all ? "gradient" : "mask");
      }
    }
}

static void OWN(golden_vmc)(convk *hw) {
  int i, d, status;
  for (i = 0; i < 24;
       i++) { /* moves of all at once 1, drift 2; open, in a box, other walkers and potentials, many particles; few sweeps */
    static const char *const kinds[] = {"open", "box", "walkers", "lennard-jones", "many", "few"};
    const int kind = i / 4;
    convk_vmc vmc;
    convk_vmc_result result;
    GOLDEN_T *r;
    size_t bytes, n;
    char *state, name[40];
    if (!due()) continue;
    seed("vmc");
    memset(&vmc, 0, sizeof vmc);
    memset(&result, 0, sizeof result);
    vmc.system.particles = kind == 5 ? 34 : kind == 4 ? 70 : kind == 2 ? 3 : 7;
    vmc.system.potential = potential_make(kind == 3 ? 4 : 3);
    vmc.system.trial.p5 = 120;
    vmc.system.trial.p2 = kind == 2 ? 0 : -1;
    vmc.system.trial.p0 = 0.4;
    vmc.system.trial.p1 = 0.01;
    for (d = 0; d < 3; d++) vmc.system.box[d] = kind == 5 && i & 1 ? 30 : kind == 1 ? 18 : 0;
    vmc.walkers = kind > 3 ? 1 : kind == 2 ? 37 : 3;
    vmc.seed = 12345 + (uint64_t)i;
    vmc.moves = i & 1 ? CONVK_VMC_MOVE_ALL : CONVK_VMC_MOVE_SINGLE;
    vmc.drift = i >> 1 & 1;
    vmc.equilibration = kind == 5 ? 1 : 20;
    vmc.interval = kind == 3 ? 2 : 0;
    snprintf(name, sizeof name, "%s%s%s", kinds[kind], i & 1 ? "-all" : "-single", i & 2 ? "-drift" : "");
    if (OF(vmc_state_size)(NULL, &vmc, &bytes)) exit(2);
    n = 3 * vmc.system.particles * vmc.walkers;
    state = take_odd(bytes);
    status = OF(vmc_begin)(NULL, &vmc, NULL, (OF(vmc_state) *)(void *)state, bytes);
    put_state(state, bytes);
    line(EVERY, status, "vmc_begin", REAL, "%s", name);
    state = take_odd(bytes);
    r = OWN(array)(n);
    if (!status) status = OF(vmc_begin)(NULL, &vmc, NULL, (OF(vmc_state) *)(void *)state, bytes);
    if (!status)
      status = OF(vmc_run)(hw, &vmc, kind == 5 ? 2 : kind == 4 ? 24 : 60, (OF(vmc_state) *)(void *)state, bytes, NULL, 0);
    if (!status) status = OF(vmc_results)(NULL, (OF(vmc_state) *)(void *)state, bytes, &result);
    if (!status) status = OF(vmc_positions)(NULL, &vmc, (OF(vmc_state) *)(void *)state, bytes, r);
    put_vmc_result(&result);
    OWN(puts)(r, n);
    put_state(state, bytes);
    line(PROCESSORS, status, "vmc_run", REAL, "%s", name);
  }
  for (i = 0; i < 2; i++) {
    convk_vmc vmc;
    convk_vmc_result result;
    convk_vmc_minimise_options options;
    size_t bytes;
    char *state;
    if (!due()) continue;
    seed("minimise");
    memset(&vmc, 0, sizeof vmc);
    memset(&result, 0, sizeof result);
    memset(&options, 0, sizeof options);
    vmc.system.particles = i ? 8 : 3;
    vmc.system.potential = potential_make(2);
    vmc.system.trial.p5 = 120;
    vmc.system.trial.p0 = 0.4;
    vmc.system.trial.p1 = 0.05;
    for (d = 0; d < 3; d++) vmc.system.box[d] = i ? 18 : 0;
    vmc.walkers = 16;
    vmc.seed = 5;
    vmc.equilibration = 20;
    options.iterations = 3;
    options.sweeps = 40;
    options.final_sweeps = 40;
    options.fixed[1] = 1;
    options.fixed[2] = i;
    if (OF(vmc_state_size)(NULL, &vmc, &bytes)) exit(2);
    state = take_odd(bytes);
    status = OF(vmc_begin)(NULL, &vmc, NULL, (OF(vmc_state) *)(void *)state, bytes);
    if (!status) status = OF(vmc_minimise)(hw, &vmc, &options, (OF(vmc_state) *)(void *)state, bytes, &result, NULL, 0);
    put_vmc_result(&result);
    put_f64(vmc.system.trial.p5);
    put_f64(vmc.system.trial.p2);
    put_f64(vmc.system.trial.p0);
    put_f64(vmc.system.trial.p1);
    put_state(state, bytes);
    line(PROCESSORS, status, "vmc_minimise", REAL, "%s", i ? "box" : "open");
  }
}
#endif

static void OWN(golden)(convk *hw) {
#ifdef GOLDEN_SEPCONV
  OWN(golden_sepconv)(hw);
  OWN(golden_dwt)(hw);
  OWN(golden_sumconv)(hw);
  OWN(golden_sumconv_even)(hw);
  OWN(golden_sumconv_even_sums)(hw);
  OWN(golden_chebyshev)(hw);
  OWN(golden_hamiltonian)(hw);
  if (!hw->ours.inside.device) OWN(golden_chebyshev_more)(hw);
#endif
#ifdef GOLDEN_STENCIL
  OWN(golden_stencil)(hw);
#endif
#ifdef GOLDEN_VMATH
  OWN(golden_vmath)(hw);
#endif
#ifdef GOLDEN_GAUSSIAN
  OWN(golden_gaussian)(hw);
#endif
#ifdef GOLDEN_FORMFACTOR
  OWN(golden_formfactor)(hw);
  OWN(golden_formfactor_tiny)(hw);
  OWN(golden_many)(hw);
#endif
#ifdef GOLDEN_DISTANCES
  OWN(golden_distances)(hw);
#endif
#ifdef GOLDEN_AMPLITUDES
  OWN(golden_amplitudes)(hw);
#endif
#ifdef GOLDEN_FFT
  if (!as_gpu || !pocl) OWN(golden_fft)(hw);
#endif
#ifdef GOLDEN_VMC
  OWN(golden_pairs)(hw);
  OWN(golden_vmc)(hw);
#endif
}

#undef GOLDEN_T
#undef GOLDEN_DOUBLE
#undef GOLDEN_TYPE
#undef GOLDEN_COMPLEX
#endif
