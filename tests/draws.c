/* SPDX-License-Identifier: MIT
   Calls drawn at random, of every operation: sizes beside those of blocks, lanes and chunks, padded and strided arrays between guards,
   options in any company, and words of shapes that are refused.  Golden bits have chosen cases; here come the sizes and pairs of
   options that nobody has thought of.  What a processor makes of them has the hashes in tests/draws.txt, and is written to a file;
   devices, which share none of its kernels, are compared with that, and processors again with threads and work of their own.

     draws [--hw avx2] --save FILE [--list tests/draws.txt | --print] [--draws 300] [--seed N]
     draws --hw NAME --compare FILE [--seconds N]
     [--filter OPERATION,... [--draw K]]         DRAWS_TELL=yes in the environment prints each

   A draw is made twice on a handle: as it comes, and with as little device memory, as few blocks and groups of a launch, or with threads
   and blocks as they are drawn.  Bits are those of the fused class, or results are near where a device has its own.  Less time is
   shared by all operations, whose later draws are left out.  A failure names the draw.  The last line is `N passed, N failed, N skipped`.
   Of one type: doubles, or with -DCONVK_F32 floats.  Compiled with the library (-include tests/hooks.h, and tests/hooks.c) or with its
   objects; -DCONVK_WITH_FFT: that family alone.  tests/draws.txt changes only on purpose, as golden bits do: it is what
     draws --save /dev/null --draws 300 --print
   writes: a word of every three draws. */

#ifdef CONVK_TEST_CUDA_EMULATED
#include "cuda_emulator.h"
#endif
#include "families.h"
#include "hooks.h"
#include "convk.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

CONVK_EXACT_PUSH_

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#if defined CONVK_F32 && !defined CONVK_F64
typedef float real;
#define OF(name) convk_##name##_f32
#define OF_COMPLEX(name) convk_##name##_c32
enum { DOUBLE = 0 };
#else
typedef double real;
#define OF(name) convk_##name##_f64
#define OF_COMPLEX(name) convk_##name##_c64
enum { DOUBLE = 1 };
#endif
#if defined __GNUC__ || defined __clang__
#define MAYBE_UNUSED __attribute__((unused))
#else
#define MAYBE_UNUSED
#endif

/* ------------------------------------------------------------------------------------------------------------- draws -- */

static uint64_t content, way; /* states: of what is computed, and of how */

static uint64_t next64(uint64_t *state) { /* splitmix64 */
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}
static size_t below(size_t n) { return (size_t)(next64(&content) % n); }
static int one_of(size_t n) { return !below(n); }
static size_t way_below(size_t n) { return (size_t)(next64(&way) % n); }
static double uniform(double low, double high) {
  volatile double x = (double)(next64(&content) >> 11) / 9007199254740992.0;
  x = (high - low) * x;
  x = low + x;
  return x;
}
/* A size from 1 on: often once or twice that of a block, or one less, or one more. */
static size_t about(size_t most) {
  static const size_t blocks[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  const size_t other = 1 + below(most), block = blocks[below(COUNT_OF(blocks))], twice = below(2);
  const size_t n = (block << twice) + below(3) - 1;
  return one_of(3) || n < 1 || n > most ? other : n;
}

static char text[1000]; /* what is drawn */
#if defined __GNUC__ || defined __clang__
__attribute__((format(printf, 1, 2)))
#endif
static MAYBE_UNUSED void
say(const char *format, ...) {
  const size_t used = strlen(text);
  va_list list;
  va_start(list, format);
  vsnprintf(text + used, sizeof text - used, format, list);
  va_end(list);
}

/* ------------------------------------------------------------------------------------------------------------ arrays -- */

/* Arrays end at a page that nobody may touch, or some elements before it; what lies beside them in their pages must stay.  They last
   until the draw ends. */
static struct {
  char *map, *data;
  size_t bytes, all;
} maps[200];
static size_t map_count;
enum { BESIDE = 0xa5, PAGE = 4096 };

static char *memory_before(size_t bytes, size_t shift) {
  const size_t all = (bytes + shift + PAGE - 1) / PAGE * PAGE;
  char *const map = (char *)mmap(NULL, all + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == (char *)MAP_FAILED || map_count == COUNT_OF(maps) || mprotect(map + all, PAGE, PROT_NONE)) {
    printf("no memory for arrays\n");
    exit(2);
  }
  maps[map_count].map = map;
  maps[map_count].data = map + all - shift - bytes;
  maps[map_count].bytes = bytes;
  maps[map_count++].all = all;
  memset(map, BESIDE, all - shift - bytes);
  memset(map + all - shift, BESIDE, shift);
  return map + all - shift - bytes;
}
static char *memory(size_t bytes, size_t size) { return memory_before(bytes, way_below(2) ? way_below(9) * size : 0); }
/* Whether nothing was written beside the arrays. */
static int forget(void) {
  int good = 1;
  while (map_count) {
    const char *p, *const map = maps[--map_count].map, *const data = maps[map_count].data;
    for (p = map; p < map + maps[map_count].all; p++) {
      if (p == data) p += maps[map_count].bytes;
      if (p < map + maps[map_count].all && (unsigned char)*p != BESIDE) good = 0;
    }
    munmap(maps[map_count].map, maps[map_count].all + PAGE);
  }
  return good;
}
/* Numbers that calls read. */
static struct {
  real *x;
  size_t n;
} given[64];
static size_t given_count;
static MAYBE_UNUSED real *array(size_t n, double low, double high) {
  real *const x = (real *)(void *)memory(n * sizeof *x, sizeof *x);
  size_t i;
  for (i = 0; i < n; i++) x[i] = (real)uniform(low, high);
  if (n && given_count < COUNT_OF(given)) given[given_count].x = x, given[given_count++].n = n;
  return x;
}
static MAYBE_UNUSED double *doubles(size_t n, double low, double high) {
  double *const x = (double *)(void *)memory(n * sizeof *x, sizeof *x);
  size_t i;
  for (i = 0; i < n; i++) x[i] = uniform(low, high);
  return x;
}

/* What a call writes, whole with its gaps: bits, or relative to the largest. */
static struct {
  const void *data;
  size_t n;
  int kind; /* 0: double, 1: float, 2: words of 64 bits */
  double within;
} results[24];
static size_t result_count;
static int written_refused; /* the status of a call that wrote something all the same */

static MAYBE_UNUSED size_t size_of_result(size_t k) {
  return results[k].n * (results[k].kind == 1 ? sizeof(float) : sizeof(double));
}
static MAYBE_UNUSED void result(const void *data, size_t n, int kind, double within) {
  if (result_count == COUNT_OF(results)) exit(2);
  results[result_count].data = data;
  results[result_count].n = n;
  results[result_count].kind = kind;
  results[result_count++].within = within;
}
static MAYBE_UNUSED real *written(size_t n, double within) {
  const size_t before = given_count;
  real *const x = array(n, -1, 1);
  given_count = before;
  result(x, n, !DOUBLE, within);
  return x;
}
static MAYBE_UNUSED double *numbers(size_t n, double within) {
  double *const x = doubles(n, -1, 1);
  result(x, n, 0, within);
  return x;
}

/* What a plane takes, also with pitch_z of 0. */
static MAYBE_UNUSED size_t plane_of(const convk_grid3 *g) {
  const size_t packed = g->ny * (g->pitch_y ? g->pitch_y : g->nx);
  return g->pitch_z > packed ? g->pitch_z : packed;
}
/* Pitches, or zeros; the number of elements from the first to the last one. */
static MAYBE_UNUSED size_t lay_out(convk_grid3 *g) {
  const size_t y = g->nx + (one_of(2) ? below(7) : 0);
  size_t z = g->ny * y;
  if (one_of(2)) z = (g->ny - 1) * y + g->nx + below(12);
  g->pitch_y = y == g->nx && one_of(2) ? 0 : y;
  g->pitch_z = z == g->ny * y && one_of(2) ? 0 : z;
  say(" [%zu %zu %zu: %zu %zu]", g->nx, g->ny, g->nz, g->pitch_y, g->pitch_z);
  return (g->nz - 1) * plane_of(g) + (g->ny - 1) * y + g->nx;
}
/* One axis may be long. */
static MAYBE_UNUSED void size_of(convk_grid3 *g, size_t most, size_t all) {
  size_t n[3], k;
  do {
    const size_t longest = below(4);
    for (k = 0; k < 3; k++) n[k] = about(k == longest ? most : 24);
  } while (n[0] * n[1] * n[2] > all);
  memset(g, 0, sizeof *g);
  g->nx = n[0];
  g->ny = n[1];
  g->nz = n[2];
}

/* ------------------------------------------------------------------------------------------------------------- calls -- */

static convk *hw;
static convk_tuning tuning; /* as the handle has it at first */
static size_t tuned_count;
static int spoiled[8]; /* statuses of calls with a word of the shape, or a number, that is not right */
static size_t spoiled_count;

/* With CUDA in the emulator, whose kernels take arrays from anywhere, some draws go to calls on device memory. */
static int there;
#ifdef CONVK_TEST_CUDA_EMULATED
static convk_cuda_stream on;
#define THERE(name) PASTE(convk_cuda_, name, _f64)
#define THERE_COMPLEX(name) PASTE(convk_cuda_, name, _c64)
#define RUN(name, ...) (there ? THERE(name)(&on, __VA_ARGS__) : OF(name)(hw, __VA_ARGS__))
#define RUN_COMPLEX(name, ...) (there ? THERE_COMPLEX(name)(&on, __VA_ARGS__) : OF_COMPLEX(name)(hw, __VA_ARGS__))
#else
#define RUN(name, ...) OF(name)(hw, __VA_ARGS__)
#define RUN_COMPLEX(name, ...) OF_COMPLEX(name)(hw, __VA_ARGS__)
#endif

static const char *said(void) {
#ifdef CONVK_TEST_CUDA_EMULATED
  if (there) return on.message;
#endif
  return hw->message;
}

/* Work as the size of it says, at any byte, or none. */
static void *work;
static size_t work_size;
static MAYBE_UNUSED int room(int status, size_t bytes) {
  work = NULL;
  work_size = 0;
  if (status || (!there && way_below(2))) return status;
  work_size = bytes;
  work = memset(memory_before(bytes, way_below(64)), 0xff, bytes);
  return 0;
}

/* Eight bytes of a struct without pointers as somebody might pass them, both of two numbers: none that make a call larger. */
static MAYBE_UNUSED void spoil(void *shape, size_t bytes) {
  static const uint64_t bad[] = {0, 1, UINT64_C(0x4d4d4d4d4d4d4d4d)};
  const size_t word = below(bytes / 8);
  const uint64_t value = bad[below(COUNT_OF(bad))];
  memcpy((char *)shape + 8 * word, &value, 8);
}
/* A call that is refused writes nothing; what others write is undone. */
static char *kept;
static MAYBE_UNUSED void keep(void) {
  size_t k, bytes = 0;
  for (k = 0; k < result_count; k++) bytes += size_of_result(k);
  kept = (char *)malloc(bytes + 1);
  if (!kept) exit(2);
  for (k = bytes = 0; k < result_count; bytes += size_of_result(k++)) memcpy(kept + bytes, results[k].data, size_of_result(k));
}
static MAYBE_UNUSED void undo(int status) {
  size_t k, bytes = 0;
  for (k = 0; k < result_count; bytes += size_of_result(k++)) {
    if (status && memcmp(kept + bytes, results[k].data, size_of_result(k))) written_refused = status;
    memcpy((char *)(uintptr_t)results[k].data, kept + bytes, size_of_result(k));
  }
}
/* The first, the last, or any number of an array, or of none. */
static MAYBE_UNUSED real *number(void) {
  static real none;
  const size_t k = given_count ? below(given_count) : 0;
  if (!given_count) return &none;
  return given[k].x + (one_of(3) ? 0 : one_of(2) ? given[k].n - 1 : below(given[k].n));
}
static MAYBE_UNUSED real not_a_number(void) {
  const unsigned char bytes[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  real x;
  memcpy(&x, bytes, sizeof x);
  return x;
}
#define WORK work, work ? work_size : 0
/* With a number that is none, of which device memory is not searched; with a byte less of work, which is refused or enough; then as
   it is. */
#define CALL_ONCE(status, call) \
  do { \
    void *const work_ = work; \
    real *const number_ = number(); \
    const real it_was_ = *number_; \
    if (one_of(3) && !there && spoiled_count < COUNT_OF(spoiled)) { \
      keep(); \
      *number_ = not_a_number(); \
      work = NULL; \
      undo(spoiled[spoiled_count++] = (call)); \
      *number_ = it_was_; \
      work = work_; \
      free(kept); \
    } \
    if (work && work_size && !way_below(4)) { \
      keep(); \
      work = (char *)work + 1; \
      work_size--; \
      undo(call); \
      work = work_; \
      work_size++; \
      free(kept); \
    } \
    (status) = (call); \
  } while (0)
/* Of one draw in three twice with a struct that is spoiled before. */
#define CALL(status, type, shape, call) \
  do { \
    const type right_ = (shape); \
    size_t left_ = one_of(3) ? 2 : 0; \
    void *const all_ = work; \
    work = there ? work : NULL; \
    if (left_) keep(); \
    for (; left_ && spoiled_count < COUNT_OF(spoiled); left_--) { \
      spoil(&(shape), sizeof right_); \
      undo(spoiled[spoiled_count++] = (call)); \
      (shape) = right_; \
      if (left_ == 1) free(kept); \
    } \
    work = all_; \
    CALL_ONCE(status, call); \
  } while (0)

/* ---------------------------------------------------------------------------------------------------------- families -- */

#if CONVK_HAS_FILTERS_
static void draw_taps(OF(filter) * f) {
  const size_t taps = one_of(4) ? 16 : one_of(6) ? 1 + below(64) : 1 + below(9);
  f->lo = one_of(6) ? (int)below(40) - 30 : -(int)below(taps + 2);
  if (one_of(3)) f->lo = -(int)taps / 2;
  f->up = f->lo + (int)taps - 1;
  f->taps = array(taps, -0.5, 0.6);
  say(" %d..%d", f->lo, f->up);
}
static void draw_boundaries(int *boundary, int zero_only) {
  int d;
  for (d = 0; d < 3; d++) {
    static const int few[] = {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_GROW};
    boundary[d] = zero_only ? few[below((size_t)zero_only)] : (int)below(4);
    say("%s%d", d ? "" : " boundaries ", boundary[d]);
  }
}
static OF(sepconv_epilogue) * draw_epilogue(const convk_grid3 *out, size_t n, int equal) {
  static OF(sepconv_epilogue) e;
  const size_t parts = below(32);
  (void)out;
  if (one_of(2)) return NULL;
  say(" epilogue %zu", parts);
  memset(&e, 0, sizeof e);
  e.density_factor = (real)0.7;
  e.a = (real)0.3;
  e.b = (real)-0.9;
  if (parts & 1) e.density = written(n, 0);
  if (parts & 2 && equal) e.dot = numbers(1, 0);
  if (parts & 4) e.potential = array(n, -2, 2);
  if ((parts & 12) == 12) e.energy = numbers(1, 0);
  e.update = parts >> 4 & 1;
  return &e;
}
static int draw_sepconv3d(void) {
  convk_sepconv3d_shape shape;
  OF(filter) f[3];
  OF(sepconv_epilogue) * e;
  size_t n, bytes = 0;
  real *in, *out;
  int d, status, equal = 1;
  const int magic = one_of(2), direction = one_of(2) ? CONVK_INVERSE : CONVK_FORWARD;
  memset(&shape, 0, sizeof shape);
  size_of(&shape.in, 140, 5000);
  n = lay_out(&shape.in);
  in = array(n, -1, 1);
  draw_boundaries(shape.boundary, one_of(2) ? 2 : 0);
  for (d = 0; d < 3; d++) {
    if (magic) f[d] = OF(magicfilter_taps)(direction);
    else draw_taps(&f[d]);
    equal &= shape.boundary[d] == CONVK_BOUNDARY_PERIODIC || shape.boundary[d] == CONVK_BOUNDARY_ZERO;
  }
  status = OF(sepconv3d_out_grid)(NULL, &shape, f, &shape.out);
  if (status) return status;
  n = lay_out(&shape.out);
  if (n > 60000) return 0;
  e = draw_epilogue(&shape.out, n, equal);
  out = e && (e->density || e->dot || e->energy) && !e->update && one_of(2) ? NULL : written(n, 0);
  status = magic ? RUN(magicfilter3d_work_size, &shape, direction, e, &bytes) : RUN(sepconv3d_work_size, &shape, f, e, &bytes);
  if ((status = room(status, bytes)) != 0) return status;
  if (magic) CALL(status, convk_sepconv3d_shape, shape, RUN(magicfilter3d, &shape, direction, e, in, out, WORK));
  else CALL(status, convk_sepconv3d_shape, shape, RUN(sepconv3d, &shape, f, e, in, out, WORK));
  return status;
}
static int draw_potential_apply(void) {
  convk_sepconv3d_shape shape;
  size_t n, bytes = 0;
  real *in, *out, *potential;
  double *energy;
  int status = 0;
  memset(&shape, 0, sizeof shape);
  size_of(&shape.in, 140, 3000);
  draw_boundaries(shape.boundary, 3);
  n = lay_out(&shape.in);
  shape.out.nx = shape.in.nx + (shape.boundary[0] == CONVK_BOUNDARY_GROW ? 15 : 0);
  shape.out.ny = shape.in.ny + (shape.boundary[1] == CONVK_BOUNDARY_GROW ? 15 : 0);
  shape.out.nz = shape.in.nz + (shape.boundary[2] == CONVK_BOUNDARY_GROW ? 15 : 0);
  in = array(n, -1, 1);
  potential = array(lay_out(&shape.out), -2, 2);
  out = written(n, 0);
  if (one_of(3)) memcpy(out, in, n * sizeof *out), in = out;
  energy = one_of(2) ? numbers(1, 0) : NULL;
  status = RUN(potential_apply_work_size, &shape, &bytes);
  if ((status = room(status, bytes)) != 0) return status;
  if (in == out) CALL_ONCE(status, RUN(potential_apply, &shape, potential, in, out, energy, WORK));
  else CALL(status, convk_sepconv3d_shape, shape, RUN(potential_apply, &shape, potential, in, out, energy, WORK));
  return status;
}
static int draw_conv1d_transpose(void) {
  convk_conv1d_shape shape;
  OF(filter) f;
  size_t m, bytes = 0;
  real *in, *out;
  int status = 0;
  memset(&shape, 0, sizeof shape);
  do {
    shape.n = about(300);
    shape.ndat = about(300);
  } while (shape.n * shape.ndat > 12000);
  shape.boundary = (int)below(4);
  draw_taps(&f);
  m = shape.n;
  if (shape.boundary == CONVK_BOUNDARY_GROW) m += (size_t)(f.up - f.lo);
  if (shape.boundary == CONVK_BOUNDARY_SHRINK) {
    if (m <= (size_t)(f.up - f.lo)) return 0;
    m -= (size_t)(f.up - f.lo);
  }
  shape.ld_in = one_of(2) ? shape.n + below(9) : 0;
  shape.ld_out = one_of(2) ? shape.ndat + below(9) : 0;
  say(" %zu x %zu boundary %d ld %zu %zu", shape.n, shape.ndat, shape.boundary, shape.ld_in, shape.ld_out);
  in = array((shape.ndat - 1) * (shape.ld_in ? shape.ld_in : shape.n) + shape.n, -1, 1);
  m = shape.n + (size_t)(f.up - f.lo); /* room for any boundary, which a spoiled shape may have */
  out = written((m - 1) * (shape.ld_out ? shape.ld_out : shape.ndat) + shape.ndat, 0);
  status = RUN(conv1d_transpose_work_size, &shape, &f, &bytes);
  if ((status = room(status, bytes)) != 0) return status;
  CALL(status, convk_conv1d_shape, shape, RUN(conv1d_transpose, &shape, &f, in, out, WORK));
  return status;
}
#endif

#if CONVK_HAS_WAVELETS_
static int draw_dwt3d(void) {
  static const int axes[] = {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW};
  const int pair = (int)below(4), inverse = one_of(2);
  OF(wavelet) w = OF(wavelet_taps)(pair);
  convk_dwt3d_shape shape, full;
  size_t n, m, bytes = 0;
  real *in, *out;
  int d, status;
  memset(&shape, 0, sizeof shape);
  size_of(&shape.coarse, 70, 1000);
  for (d = 0; d < 3; d++) shape.boundary[d] = axes[below(2)];
  shape.levels = pair != 2 && one_of(3) ? (int)below(4) : 1;
  if (shape.levels > 1) {
    shape.coarse.nx = (size_t)8 << below(3);
    shape.coarse.ny = (size_t)8 << below(2);
    shape.coarse.nz = 8;
    for (d = 0; d < 3; d++) shape.boundary[d] = CONVK_BOUNDARY_PERIODIC;
  } else {
    shape.coarse.nx += shape.coarse.nx % 2;
    shape.coarse.ny += shape.coarse.ny % 2;
    shape.coarse.nz += shape.coarse.nz % 2;
  }
  if (pair == 3) {
    const size_t taps = 2 + below(one_of(4) ? 40 : 9);
    w.lo = -(int)below(taps);
    w.up = w.lo + (int)taps - 1;
    w.low = array(taps, -0.5, 0.6);
    w.high = array(taps, -0.6, 0.5);
  }
  say(" pair %d levels %d boundaries %d%d%d%s", pair, shape.levels, shape.boundary[0], shape.boundary[1], shape.boundary[2],
      inverse ? " inverse" : "");
  status = OF(dwt3d_resolve)(NULL, &shape, &w, &full);
  if (status) return status;
  shape = full;
  n = lay_out(&shape.fine);
  m = lay_out(&shape.coarse);
  if (n + m > 60000) return 0;
  in = array(inverse ? m : n, -1, 1);
  out = written(inverse ? n : m, 0);
  status = pair == 2 ? inverse ? RUN(s1_to_r_work_size, &shape, &bytes) : RUN(r_to_s1_work_size, &shape, &bytes)
           : inverse ? RUN(idwt3d_work_size, &shape, &w, &bytes)
                     : RUN(dwt3d_work_size, &shape, &w, &bytes);
  if ((status = room(status, bytes)) != 0) return status;
  if (pair == 2)
    CALL(status, convk_dwt3d_shape, shape, inverse ? RUN(s1_to_r, &shape, in, out, WORK) : RUN(r_to_s1, &shape, in, out, WORK));
  else
    CALL(status, convk_dwt3d_shape, shape,
         inverse ? RUN(idwt3d, &shape, &w, in, out, WORK) : RUN(dwt3d, &shape, &w, in, out, WORK));
  return status;
}
/* Runs of so many points, and where the vector has them; how many points it has room for. */
static size_t draw_segments(convk_segments *s, size_t points) {
  const size_t most = below(9);
  size_t *const ends = (size_t *)(void *)memory((2 * most + 1) * sizeof *ends, 8),
                *const place = (size_t *)(void *)memory((most + 1) * sizeof *place, 8), at = 0, used = 0;
  const int gaps = one_of(2);
  memset(s, 0, sizeof *s);
  for (; s->count < most; s->count++) {
    at += one_of(3) ? below(points) : below(4);
    if (at >= points) break;
    ends[2 * s->count] = at;
    place[s->count] = used += gaps ? below(3) : 0;
    used += 1 + below(one_of(3) ? points - at : points - at < 5 ? points - at : 5);
    at += used - place[s->count];
    ends[2 * s->count + 1] = at - 1;
  }
  used += gaps ? below(3) : 0;
  s->ends = ends;
  if (gaps || one_of(3)) s->place = place;
  if (gaps || one_of(3)) s->points = used + !used;
  if (!s->place || !s->points) there = 0; /* nobody could count them */
  say(" %zu segments of %zu", s->count, s->points);
  return s->points ? s->points : used;
}
static int draw_compressed(void) {
  convk_compressed_shape shape;
  size_t n, m, vectors;
  real *in, *out;
  const int compress = one_of(2);
  int status = 0;
  memset(&shape, 0, sizeof shape);
  size_of(&shape.dense, 70, 700);
  m = shape.dense.nx * shape.dense.ny * shape.dense.nz;
  shape.dense.nx *= 2;
  shape.dense.ny *= 2;
  shape.dense.nz *= 2;
  m = draw_segments(&shape.coarse, m) + 7 * draw_segments(&shape.fine, m);
  n = lay_out(&shape.dense);
  shape.vectors = one_of(2) ? 1 + below(4) : 0;
  vectors = shape.vectors ? shape.vectors : 1;
  if (one_of(2)) shape.compressed_stride = m + below(4);
  if (one_of(2)) shape.dense_stride = plane_of(&shape.dense) * shape.dense.nz + below(4);
  n += (vectors - 1) * (shape.dense_stride ? shape.dense_stride : plane_of(&shape.dense) * shape.dense.nz);
  m += (vectors - 1) * (shape.compressed_stride ? shape.compressed_stride : m);
  say(" vectors %zu strides %zu %zu%s", vectors, shape.compressed_stride, shape.dense_stride, compress ? " compress" : "");
  in = array(compress ? n : m, -1, 1);
  out = written(compress ? m : n, 0);
  CALL_ONCE(status, compress ? RUN(wavelet_compress, &shape, in, out) : RUN(wavelet_uncompress, &shape, in, out));
  return status;
}
#endif

#if CONVK_HAS_SUMS_
static const OF(filter) no_filter = {0, 0, NULL};
/* Filters as long to both sides, in half of the draws all alike; and what else terms have. */
static void draw_terms(OF(sumconv_terms) * terms, convk_sumconv3d_shape *shape, int complex, int same) {
  const int even = one_of(2), reach = 1 + (int)below(one_of(3) ? 16 : 8), imag = complex && one_of(2),
            mixed = !even && one_of(2);
  int d;
  memset(terms, 0, sizeof *terms);
  for (d = 0; d < 3; d++) {
    if (even) {
      terms->filter[d].lo = -reach;
      terms->filter[d].up = reach;
      terms->filter[d].taps = array((size_t)(2 * reach + 1), -1, 1);
    } else {
      draw_taps(&terms->filter[d]);
      if (!same && one_of(6)) terms->filter[d] = no_filter;
    }
    if (imag && (even || one_of(2))) {
      terms->imag[d] = terms->filter[d];
      if (terms->imag[d].taps) terms->imag[d].taps = array((size_t)(terms->imag[d].up - terms->imag[d].lo + 1), -1, 1);
    }
    if (mixed) {
      draw_taps(&terms->first[d]);
      terms->mixed[d] = (real)(one_of(3) ? 0 : uniform(-1, 1));
    }
    if (complex && shape->boundary[d] == CONVK_BOUNDARY_PERIODIC && one_of(2)) {
      terms->phase[d][0] = 0.6;
      terms->phase[d][1] = d == 1 ? -0.8 : 0.8;
    }
  }
  if (one_of(2)) terms->shift = (real)-1.5;
  say("%s%s%s%s", even ? " even" : "", imag ? " imag" : "", mixed ? " mixed" : "", terms->shift != 0 ? " shift" : "");
}
static int draw_sumconv3d(void) {
  const int complex = one_of(2);
  const size_t step = complex ? 2 : 1;
  convk_sumconv3d_shape shape;
  OF(sumconv_terms) terms;
  convk_sumconv_sums *sums = NULL;
  size_t n, bytes = 0;
  real *in, *out = NULL;
  int status;
  memset(&shape, 0, sizeof shape);
  size_of(&shape.in, 140, 2500);
  draw_boundaries(shape.boundary, one_of(3) ? 0 : 2);
  draw_terms(&terms, &shape, complex, 0);
  shape.vectors = one_of(2) ? 1 + below(3) : 0;
  n = lay_out(&shape.in);
  if (one_of(2)) shape.in_stride = plane_of(&shape.in) * shape.in.nz + below(5);
  n += (shape.vectors ? shape.vectors - 1 : 0) * (shape.in_stride ? shape.in_stride : plane_of(&shape.in) * shape.in.nz);
  in = array(n * step, -1, 1);
  status = OF(sumconv3d_out_grid)(NULL, &shape, &terms, &shape.out);
  if (status) return status;
  n = lay_out(&shape.out);
  if (n > 40000) return 0;
  if (one_of(2)) terms.potential = array(n, -2, 2), terms.potential_factor = (real)0.75;
  if (one_of(2)) shape.out_stride = plane_of(&shape.out) * shape.out.nz + below(5);
  n += (shape.vectors ? shape.vectors - 1 : 0) * (shape.out_stride ? shape.out_stride : plane_of(&shape.out) * shape.out.nz);
  if (one_of(2)) terms.add = array(n * step, -1, 1), terms.add_factor = (real)-0.5;
  if (one_of(2))
    sums = (convk_sumconv_sums *)(void *)numbers((shape.vectors ? shape.vectors : 1) * sizeof *sums / sizeof(double), 0);
  if (!sums || !one_of(4)) out = written(n * step, 0);
  say(" vectors %zu strides %zu %zu%s%s%s%s%s", shape.vectors, shape.in_stride, shape.out_stride, complex ? " complex" : "",
      terms.potential ? " potential" : "", terms.add ? " add" : "", sums ? " sums" : "", out ? "" : " alone");
  status =
      complex ? RUN_COMPLEX(sumconv3d_work_size, &shape, &terms, &bytes) : RUN(sumconv3d_work_size, &shape, &terms, &bytes);
  if ((status = room(status, bytes)) != 0) return status;
  CALL(status, convk_sumconv3d_shape, shape,
       complex ? RUN_COMPLEX(sumconv3d, &shape, &terms, in, out, sums, WORK)
               : RUN(sumconv3d, &shape, &terms, in, out, sums, WORK));
  return status;
}
static int draw_chebyshev3d(void) {
  const int complex = one_of(2);
  const size_t step = complex ? 2 : 1;
  convk_sumconv3d_shape shape;
  OF(sumconv_terms) terms;
  convk_chebyshev filter;
  size_t n, bytes = 0;
  real *in, *out;
  int status = 0;
  there = 0;
  memset(&shape, 0, sizeof shape);
  size_of(&shape.in, 70, 1200);
  draw_boundaries(shape.boundary, 2);
  draw_terms(&terms, &shape, complex, 1);
  shape.vectors = one_of(2) ? 1 + below(3) : 0;
  n = lay_out(&shape.in);
  if (one_of(2)) shape.in_stride = plane_of(&shape.in) * shape.in.nz + below(5);
  n += (shape.vectors ? shape.vectors - 1 : 0) * (shape.in_stride ? shape.in_stride : plane_of(&shape.in) * shape.in.nz);
  in = array(n * step, -1, 1);
  shape.out = shape.in;
  n = lay_out(&shape.out);
  if (one_of(2)) terms.potential = array(n, -2, 2), terms.potential_factor = (real)0.75;
  if (one_of(2)) shape.out_stride = plane_of(&shape.out) * shape.out.nz + below(5);
  n += (shape.vectors ? shape.vectors - 1 : 0) * (shape.out_stride ? shape.out_stride : plane_of(&shape.out) * shape.out.nz);
  out = written(n * step, 0);
  filter.degree = 1 + (int)below(6);
  filter.low = -0.5;
  filter.high = 7.25;
  filter.lowest = -2.25;
  say(" vectors %zu strides %zu %zu%s%s degree %d", shape.vectors, shape.in_stride, shape.out_stride, complex ? " complex" : "",
      terms.potential ? " potential" : "", filter.degree);
  status = complex ? OF_COMPLEX(chebyshev3d_work_size)(hw, &shape, &terms, &filter, &bytes)
                   : OF(chebyshev3d_work_size)(hw, &shape, &terms, &filter, &bytes);
  if ((status = room(status, bytes)) != 0) return status;
  CALL(status, convk_sumconv3d_shape, shape,
       complex ? OF_COMPLEX(chebyshev3d)(hw, &shape, &terms, &filter, in, out, WORK)
               : OF(chebyshev3d)(hw, &shape, &terms, &filter, in, out, WORK));
  return status;
}
#endif

#if CONVK_HAS_HAMILTONIAN_
static int draw_hamiltonian_apply(void) {
  static const int axes[] = {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW};
  const int complex = one_of(2);
  const size_t step = complex ? 2 : 1;
  convk_hamiltonian_shape shape, full;
  convk_hamiltonian_energies *energies = NULL;
  OF(hamiltonian_terms) terms;
  real *in, *out;
  size_t n, m, bytes = 0;
  int d, status;
  memset(&shape, 0, sizeof shape);
  memset(&terms, 0, sizeof terms);
  size_of(&shape.wavelets, 40, 400);
  shape.wavelets.nx += shape.wavelets.nx % 2;
  shape.wavelets.ny += shape.wavelets.ny % 2;
  shape.wavelets.nz += shape.wavelets.nz % 2;
  for (d = 0; d < 3; d++) {
    shape.boundary[d] = axes[below(2)];
    terms.spacing[d] = one_of(4) ? 0 : uniform(0.3, 0.6);
    if (complex && one_of(2)) terms.k[d] = uniform(-1, 1);
  }
  shape.vectors = one_of(2) ? 1 + below(3) : 0;
  status = OF(hamiltonian_resolve)(NULL, &shape, &full);
  if (status) return status;
  shape = full;
  n = lay_out(&shape.wavelets);
  m = lay_out(&shape.values);
  if (m > 40000) return 0;
  shape.in_stride = one_of(2) ? plane_of(&shape.wavelets) * shape.wavelets.nz + below(5) : 0;
  shape.out_stride = one_of(2) ? plane_of(&shape.wavelets) * shape.wavelets.nz + below(5) : 0;
  d = (int)(shape.vectors ? shape.vectors - 1 : 0);
  in = array(step * (n + (size_t)d * (shape.in_stride ? shape.in_stride : plane_of(&shape.wavelets) * shape.wavelets.nz)), -1,
             1);
  out = written(step * (n + (size_t)d * (shape.out_stride ? shape.out_stride : plane_of(&shape.wavelets) * shape.wavelets.nz)),
                0);
  if (one_of(2)) terms.shift = (real)-0.25;
  if (!one_of(3)) terms.potential = array(m, -2, 1);
  if (one_of(2))
    energies = (convk_hamiltonian_energies *)(void *)numbers((size_t)(d + 1) * sizeof *energies / sizeof(double), 0);
  say(" vectors %zu strides %zu %zu boundaries %d%d%d%s%s%s", shape.vectors, shape.in_stride, shape.out_stride,
      shape.boundary[0], shape.boundary[1], shape.boundary[2], complex ? " complex" : "", terms.potential ? " potential" : "",
      energies ? " energies" : "");
  status =
      complex ? RUN_COMPLEX(hamiltonian_apply_work_size, &shape, &bytes) : RUN(hamiltonian_apply_work_size, &shape, &bytes);
  if ((status = room(status, bytes)) != 0) return status;
  CALL(status, convk_hamiltonian_shape, shape,
       complex ? RUN_COMPLEX(hamiltonian_apply, &shape, &terms, in, out, energies, WORK)
               : RUN(hamiltonian_apply, &shape, &terms, in, out, energies, WORK));
  return status;
}
#endif

#if CONVK_HAS_STENCIL_
static int draw_stencil7(void) {
  convk_stencil7_shape shape;
  OF(stencil7_coefficients) c = OF(stencil7_isotropic)((real)0.4, (real)0.1);
  real *a, *b, *end = NULL;
  size_t n, steps = 1 + below(one_of(3) ? 40 : 9), bytes = 0;
  int d, status = 0;
  memset(&shape, 0, sizeof shape);
  size_of(&shape.grid, 300, 9000);
  if (one_of(2)) shape.grid.nx = shape.grid.nx < 3 ? 40 + below(100) : shape.grid.nx;
  for (d = 0; d < 3; d++) shape.boundary[d] = one_of(2) ? CONVK_BOUNDARY_PERIODIC : CONVK_BOUNDARY_FIXED;
  n = lay_out(&shape.grid);
  if (n > 40000) return 0;
  if (one_of(2)) c.x_minus = (real)0.15, c.y_plus = (real)-0.12, c.z_minus = (real)0.19, c.z_plus = (real)0.13;
  a = written(n, 0);
  b = written(n, 0);
  if (one_of(2)) {
    convk_box3 box;
    const size_t size[3] = {shape.grid.nx, shape.grid.ny, shape.grid.nz};
    for (d = 0; d < 3; d++) {
      const size_t rim = shape.boundary[d] == CONVK_BOUNDARY_FIXED, inner = size[d] > 2 * rim ? size[d] - 2 * rim : 1;
      box.first[d] = rim + (one_of(2) ? 0 : below(inner));
      box.count[d] = one_of(2) && inner > box.first[d] - rim ? inner - (box.first[d] - rim) : 1 + below(inner);
    }
    say(" boundaries %d%d%d box %zu+%zu %zu+%zu %zu+%zu", shape.boundary[0], shape.boundary[1], shape.boundary[2], box.first[0],
        box.count[0], box.first[1], box.count[1], box.first[2], box.count[2]);
    if (one_of(2)) CALL(status, convk_box3, box, RUN(stencil7_box, &shape, &c, &box, a, b, NULL, 0));
    else CALL(status, convk_stencil7_shape, shape, RUN(stencil7_box, &shape, &c, &box, a, b, NULL, 0));
    return status;
  }
  memcpy(b, a, n * sizeof *b);
  say(" boundaries %d%d%d steps %zu", shape.boundary[0], shape.boundary[1], shape.boundary[2], steps);
  status = RUN(stencil7_work_size, &shape, steps, &bytes);
  if ((status = room(status, bytes)) != 0) return status;
  /* which of the two has the result, and what the other holds, is a device's own affair */
  CALL(status, convk_stencil7_shape, shape, RUN(stencil7, &shape, &c, steps, a, b, &end, WORK));
  result_count = 0;
  if (!status) result(end, n, !DOUBLE, 0);
  return status;
}
#endif

#if CONVK_HAS_VMATH_
static int draw_vmath(void) {
  const size_t function = below(4), n = one_of(3) ? below(5000) : about(600), in_place = below(4);
  real *x = array(n, function == 2 ? 0.01 : -3, 3), *y, *z = NULL;
  size_t i;
  int status = 0;
  for (i = 0; i < n; i++)
    if (one_of(16)) {
      const double scale = one_of(2) ? 1e30 : one_of(2) ? 800 : 1e-30;
      x[i] = (real)uniform(-scale, scale);
    }
  y = written(n, 0);
  if (function == 3) z = written(n, 0);
  if (!in_place) memcpy(y, x, n * sizeof *x), x = y;
  if (in_place == 1 && z) memcpy(z, x, n * sizeof *x), x = z;
  say(" function %zu of %zu, in place %zu, at %zu %zu %zu", function, n, in_place, (size_t)x % 64, (size_t)y % 64,
      (size_t)z % 64);
  CALL_ONCE(status, function == 0   ? RUN(exp, n, x, y)
                    : function == 1 ? RUN(expm1, n, x, y)
                    : function == 2 ? RUN(log, n, x, y)
                                    : RUN(sincos, n, x, y, z));
  return status;
}
#endif

#if CONVK_HAS_GAUSSIAN_
static OF(points) draw_points(size_t n) {
  OF(points) p;
  p.n = n;
  p.stride = one_of(2) ? below(5) : 0;
  if (p.stride >= 3 && one_of(2)) {
    real *const x = array((n - 1) * p.stride + 3, -2, 2);
    p.x = x;
    p.y = x + 1;
    p.z = x + 2;
  } else {
    const size_t all = (n - 1) * (p.stride ? p.stride : 1) + 1;
    p.x = array(all, -2, 2);
    p.y = array(all, -2, 2);
    p.z = array(all, -2, 2);
  }
  say(" points %zu stride %zu", n, p.stride);
  return p;
}
static OF(gaussians) draw_gaussians(size_t n, size_t sums) {
  OF(gaussians) g;
  real *alpha;
  int d;
  memset(&g, 0, sizeof g);
  alpha = array(n, -20, 0);
  for (d = 0; d < 3 && n; d++)
    if (one_of(2)) g.center[d] = (real)uniform(-0.5, 0.5);
  if (one_of(3) && n > 2) alpha[below(n)] = 0, alpha[below(n)] = (real)-1e4;
  g.n = n;
  g.alpha = alpha;
  g.nsums = sums;
  if (sums) {
    g.ldc = one_of(2) ? n + below(4) : 0;
    g.coefficients = array((sums - 1) * (g.ldc ? g.ldc : n) + n, -0.5, 0.5);
  }
  say(" exponents %zu sums %zu ldc %zu", n, sums, g.ldc);
  return g;
}
static convk_gaussian_options *draw_options(int layout, int sums) {
  static convk_gaussian_options o;
  memset(&o, 0, sizeof o);
  o.layout = layout;
  o.compensated = sums && one_of(2);
  o.cutoff = one_of(2) ? 1e-3 : 0;
  say(" layout %d compensated %d cutoff %g", o.layout, o.compensated, o.cutoff);
  return !layout && one_of(3) ? NULL : &o;
}
static int draw_gridpot(void) {
  const int layout = one_of(2), sum = one_of(2);
  const OF(points) p = draw_points(about(400));
  const size_t sums = sum ? 1 + below(one_of(4) ? 20 : 6) : 0;
  const OF(gaussians) g = draw_gaussians(about(one_of(8) ? 300 : 40), sums);
  convk_gaussian_options *const o = draw_options(sum ? 0 : layout, 1);
  const size_t rows = sum ? g.nsums : layout ? p.n : g.n, row = !sum && layout ? g.n : p.n, ld = one_of(2) ? row + below(5) : 0;
  real *const out = written((rows - 1) * (ld ? ld : row) + row, 0);
  int status = 0;
  say(" ld %zu", ld);
  CALL_ONCE(status, sum ? RUN(gridpot_sum, &p, &g, o, out, ld) : RUN(gridpot, &p, &g, o, out, ld));
  return status;
}
/* Shells of a set, some of which share a center, and orbitals. */
static OF(orbital_set) draw_set(size_t most, size_t *functions, int density) {
  static convk_shell shells[80];
  OF(orbital_set) set;
  const size_t n = 1 + below(most), kinds = below(6);
  size_t i, k;
  int d;
  memset(shells, 0, sizeof shells);
  memset(&set, 0, sizeof set);
  for (i = 0; i < n; i++) {
    for (d = 0; d < 3; d++) shells[i].center[d] = i && one_of(3) ? shells[i - 1].center[d] : uniform(-1, 1);
    shells[i].l = (int)below(5);
    shells[i].functions = kinds < 5 ? (int)kinds : (int)below(5);
    shells[i].primitives = 1 + below(4);
    if (i && one_of(4)) {
      shells[i].primitives = shells[i - 1].primitives;
      shells[i].exponents = shells[i - 1].exponents;
    } else {
      double *const e = doubles(shells[i].primitives, 0.1, 4);
      for (k = 0; k < shells[i].primitives; k++)
        if (one_of(5)) e[k] *= 8;
      shells[i].exponents = e;
    }
    shells[i].coefficients = doubles(shells[i].primitives, -1, 1);
  }
  *functions = 0;
  (void)convk_shells_functions(NULL, n, shells, functions);
  set.nshells = n;
  set.shells = shells;
  set.norbitals = *functions;
  if (!one_of(3)) {
    set.norbitals = 1 + below(one_of(4) ? 40 : 5);
    set.ldc = one_of(2) ? *functions + below(4) : 0;
    set.coefficients = array((set.norbitals - 1) * (set.ldc ? set.ldc : *functions) + *functions, -0.5, 0.5);
  }
  if (density) set.occupations = array(set.norbitals, 0, 2);
  say(" shells %zu functions %zu orbitals %zu ldc %zu%s", n, *functions, set.norbitals, set.ldc,
      set.coefficients ? "" : " none");
  return set;
}
static OF(vgl) draw_vgl(size_t n, int which, double within) {
  OF(vgl) v;
  real **const array_of[5] = {&v.value, &v.dx, &v.dy, &v.dz, &v.laplacian};
  int i;
  memset(&v, 0, sizeof v);
  for (i = 0; i < 5; i++)
    if (which >> i & 1) *array_of[i] = written(n, within);
  return v;
}
static int draw_orbitals(void) {
  const size_t kind = below(3);
  size_t functions, ld, bytes = 0;
  const OF(orbital_set) set = draw_set(one_of(4) ? 12 : 4, &functions, kind == 2);
  const OF(points) p = draw_points(about(300));
  convk_gaussian_options *const o = draw_options(0, 0);
  OF(vgl) v;
  int status = 0;
  if (p.n * set.norbitals > 20000) return 0;
  ld = kind < 2 && one_of(2) ? p.n + below(5) : 0;
  v = draw_vgl(kind == 2 ? p.n : (set.norbitals - 1) * (ld ? ld : p.n) + p.n, kind == 1 ? 31 : 1, 0);
  v.ld = ld;
#ifdef CONVK_TEST_CUDA_EMULATED
  if (there) {
    OF(orbitals_plan) * plan;
    const void *device_plan;
    status = OF(orbitals_plan_size)(hw, &set, &bytes);
    if (status) return status;
    plan = (OF(orbitals_plan) *)(void *)memory(bytes, 8);
    status = OF(orbitals_prepare)(hw, &set, plan, bytes);
    if (!status) status = OF(orbitals_plan_bytes)(hw, plan, &bytes);
    if (status) return status;
    device_plan = memcpy(memory((bytes + 15) / 16 * 16, 16), plan, bytes);
    return kind == 0   ? THERE(orbitals)(&on, &p, plan, device_plan, o, v.value, ld)
           : kind == 1 ? THERE(orbitals_vgl)(&on, &p, plan, device_plan, o, &v)
                       : THERE(density)(&on, &p, plan, device_plan, o, v.value);
  }
#endif
  status = OF(orbitals_work_size)(hw, &set, &bytes);
  if ((status = room(status, bytes)) != 0) return status;
  CALL_ONCE(status, kind == 0   ? OF(orbitals)(hw, &p, &set, o, v.value, ld, WORK)
                    : kind == 1 ? OF(orbitals_vgl)(hw, &p, &set, o, &v, WORK)
                                : OF(density)(hw, &p, &set, o, v.value, WORK));
  return status;
}
#endif

#if CONVK_HAS_GRIDS_
/* Along the axes, of which some repeat, or in a cell, for which devices have bits of their own. */
static convk_gaussian_box draw_box(int cell, size_t *n) {
  convk_gaussian_box box;
  int d;
  memset(&box, 0, sizeof box);
  size_of(&box.grid, cell ? 40 : 150, cell ? 1000 : 3000);
  box.step_x[0] = one_of(4) ? uniform(-0.3, -0.05) : uniform(0.05, 0.3);
  box.step_y[1] = one_of(4) ? uniform(-0.4, -0.1) : uniform(0.1, 0.4);
  box.step_z[2] = one_of(4) ? uniform(-0.5, -0.2) : uniform(0.2, 0.5);
  if (cell) {
    box.step_y[0] = 0.125;
    if (one_of(2)) box.step_x[1] = 0.03125;
    if (one_of(2)) box.step_z[0] = 0.0625;
    if (one_of(2)) box.step_z[1] = -0.09375;
  }
  for (d = 0; d < 3; d++) {
    box.origin[d] = uniform(-3, 1);
    if (one_of(3)) box.period[d] = uniform(3, 8);
  }
  *n = lay_out(&box.grid);
  say("%s periods %g %g %g", cell ? " cell" : "", box.period[0], box.period[1], box.period[2]);
  return box;
}
static int draw_orbitals_grid(void) {
  const size_t kind = below(6);
  const int cell = CONVK_HAS_CELLS_ && one_of(4);
  const double within = cell ? DOUBLE ? 1e-11 : 2e-4 : 0;
  size_t functions = 0, n, one, m, bytes = 0, ld = 0;
  convk_gaussian_box box = draw_box(cell, &n);
  int status = 0;
  one = plane_of(&box.grid) * box.grid.nz;
  if (kind == 3) {
    const size_t sums = 1 + below(3);
    const OF(gaussians) g = draw_gaussians(about(20), sums);
    real *out;
    size_t i;
    for (i = 0; i < g.n; i++)
      if (g.alpha[i] > -0.1) ((real *)(uintptr_t)g.alpha)[i] = (real)-0.1;
    ld = one_of(2) ? one + below(5) : 0;
    out = written((g.nsums - 1) * (ld ? ld : one) + n, within);
    status = RUN(gridpot_grid_work_size, &box, &g, &bytes);
    if ((status = room(status, bytes)) != 0) return status;
    CALL(status, convk_gaussian_box, box, RUN(gridpot_grid, &box, &g, NULL, out, ld, WORK));
    return status;
  } else {
    const OF(orbital_set) set = draw_set(one_of(6) ? 40 : 5, &functions, kind == 2 || kind == 5);
    const size_t last = set.norbitals - 1;
    OF(bloch) bloch;
    int d;
    if (n * set.norbitals > 20000) return 0;
    ld = one_of(2) ? one + below(5) : 0;
    m = last * (ld ? ld : one) + n;
    memset(&bloch, 0, sizeof bloch);
    for (d = 0; d < 3; d++)
      if (box.period[d] > 0 && one_of(2)) bloch.k[d] = uniform(-1, 1);
    if (kind > 3 && set.coefficients && one_of(2))
      bloch.imag = array(last * (set.ldc ? set.ldc : functions) + functions, -0.5, 0.5);
    say(" kind %zu ld %zu k %g %g %g%s", kind, ld, bloch.k[0], bloch.k[1], bloch.k[2], bloch.imag ? " imag" : "");
    status = kind < 3 ? RUN(orbitals_grid_work_size, &box, &set, &bytes) : RUN(orbitals_grid_k_work_size, &box, &set, &bytes);
    if (kind == 1) {
      OF(vgl) v = draw_vgl(m, 31, within);
      v.ld = ld;
      if ((status = room(status, bytes)) != 0) return status;
      CALL(status, convk_gaussian_box, box, RUN(orbitals_grid_vgl, &box, &set, NULL, &v, WORK));
      return status;
    }
    if (kind == 2) {
      const OF(vgl) v = draw_vgl(n, one_of(2) ? 31 : 1, within);
      OF(density_parts) parts;
      parts.density = v.value;
      parts.dx = v.dx;
      parts.dy = v.dy;
      parts.dz = v.dz;
      parts.tau = v.laplacian;
      if ((status = room(status, bytes)) != 0) return status;
      CALL(status, convk_gaussian_box, box, RUN(density_grid, &box, &set, NULL, &parts, WORK));
      return status;
    }
    if (kind == 0) {
      real *const out = written(m, within);
      if ((status = room(status, bytes)) != 0) return status;
      CALL(status, convk_gaussian_box, box, RUN(orbitals_grid, &box, &set, NULL, out, ld, WORK));
      return status;
    }
    if (kind == 4) {
      real *const out = written(2 * m, within);
      if ((status = room(status, bytes)) != 0) return status;
      CALL(status, convk_gaussian_box, box, RUN(orbitals_grid_k, &box, &set, &bloch, NULL, out, ld, WORK));
      return status;
    }
    {
      real *const out = written(n, within);
      const int add = one_of(2);
      if ((status = room(status, bytes)) != 0) return status;
      CALL(status, convk_gaussian_box, box, RUN(density_grid_k, &box, &set, &bloch, NULL, out, add, WORK));
      return status;
    }
  }
}
#endif

#if CONVK_HAS_FORMFACTOR_
static int draw_mesh(size_t triangles, int closed, OF(mesh) * mesh) {
  static const int side[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  real *const corners = array(9 * triangles, -2, 2), *const storage = array(12 * triangles, 0, 0);
  size_t t;
  int i, k, status;
  for (t = 0; closed && t + 4 <= triangles; t += 4) {
    real p[12];
    memcpy(p, corners + 9 * t, sizeof p);
    for (i = 0; i < 12; i++)
      for (k = 0; k < 3; k++) corners[9 * t + 3 * (size_t)i + (size_t)k] = p[3 * side[i] + k];
  }
  status = OF(mesh_assign)(NULL, triangles, 1, storage, mesh);
  say(" triangles %zu%s", triangles, closed ? " closed" : "");
  return status ? status : OF(mesh_from_triangles)(NULL, corners, mesh);
}
static int draw_formfactor_of(int grid) {
  static const int orders[] = {0, 0, 2, 4, 8, 12};
  const int closed = one_of(2), rule = (int)below(6), exact = rule == 1;
  const size_t triangles = grid || !one_of(3) ? about(130) : 500 + about(600), most = triangles > 300 ? 64 : 300;
  /* sums with as many orders as each q needs, and exact ones, are a device's own */
  const double within = rule < 2 ? DOUBLE ? 1e-10 : 1e-3 : 0;
  convk_formfactor_options o;
  convk_grid3 g;
  OF(mesh) mesh;
  OF(q) q;
  size_t n, bytes = 0, sizes[3];
  real *f;
  int status;
  memset(&o, 0, sizeof o);
  memset(&q, 0, sizeof q);
  status = draw_mesh(closed ? (triangles + 3) / 4 * 4 : triangles, closed, &mesh);
  if (status) return status;
  o.order = grid && rule > 2 ? 2 : orders[rule];
  if (exact) o.form = CONVK_FORM_EXACT;
  else if (one_of(4)) o.form = CONVK_FORM_OPEN;
  if (rule > 1 && o.order == 2 && one_of(2)) o.order = 0, mesh.ux = NULL;
  memset(&g, 0, sizeof g);
  if (grid) {
    size_of(&g, 150, 400);
    n = lay_out(&g);
    sizes[0] = g.nx;
    sizes[1] = g.ny;
    sizes[2] = g.nz;
  } else {
    sizes[0] = sizes[1] = sizes[2] = n = about(most);
    q.n = n;
    say(" q %zu", n);
  }
  q.x = array(sizes[0], -3, 3);
  q.y = array(sizes[1], -3, 3);
  q.z = array(sizes[2], -3, 3);
  if (one_of(2)) q.z_imag = array(sizes[2], -0.25, 0.25);
  if (!grid && q.z_imag && rule != 2 && !(mesh.ux == NULL) && one_of(2))
    q.x_imag = array(sizes[0], -0.25, 0.25), q.y_imag = array(sizes[1], -0.25, 0.25);
  say(" form %d order %d%s%s%s", o.form, o.order, mesh.ux ? "" : " no corners", q.z_imag ? " z_imag" : "",
      q.x_imag ? " imag" : "");
  f = written(2 * n, within);
  if (grid && (exact || o.order > 2)) there = 0;
#ifdef CONVK_TEST_CUDA_EMULATED
  if (there) {
    convk_mesh_measures measures;
    status = OF(mesh_measure)(hw, &mesh, &measures);
    if (!status && grid) status = THERE(formfactor_grid_work_size)(&on, &mesh, &g, &q, &bytes);
    if (!status && !grid) status = THERE(formfactor_work_size)(&on, &mesh, &q, &bytes);
    if ((status = room(status, bytes)) != 0) return status;
    CALL_ONCE(status, grid ? THERE(formfactor_grid)(&on, &mesh, &measures, &g, &q, &o, f, WORK)
                           : THERE(formfactor)(&on, &mesh, &measures, &q, &o, f, WORK));
    return status;
  }
#endif
  if (!grid) {
    CALL_ONCE(status, OF(formfactor)(hw, &mesh, &q, &o, f));
    return status;
  }
  status = OF(formfactor_grid_work_size)(hw, &g, &q, &bytes);
  if ((status = room(status, bytes)) != 0) return status;
  CALL_ONCE(status, OF(formfactor_grid)(hw, &mesh, &g, &q, &o, f, WORK));
  return status;
}
static int draw_formfactor(void) { return draw_formfactor_of(0); }
static int draw_formfactor_grid(void) { return draw_formfactor_of(1); }
static int draw_many(void) {
  static const double turn[9] = {0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6};
  const int kind = (int)below(3), complex = kind != 1 && one_of(2);
  const double within = DOUBLE ? 1e-9 : 1e-3;
  const size_t placements = about(40), n = about(150);
  convk_placement *const p = (convk_placement *)(void *)memory(placements * sizeof *p, 8);
  convk_formfactor_options o;
  OF(mesh) mesh[2];
  OF(assembly) a;
  size_t i, bytes = 0;
  int d, status;
  there = 0;
  memset(&o, 0, sizeof o);
  if (one_of(2)) o.form = complex && one_of(2) ? CONVK_FORM_EXACT : CONVK_FORM_OPEN;
  status = draw_mesh(4 * about(20), 1, &mesh[0]);
  if (!status) status = draw_mesh(about(50), 0, &mesh[1]);
  if (status) return status;
  memset(p, 0, placements * sizeof *p);
  for (i = 0; i < placements; i++) {
    p[i].mesh = below(2);
    for (d = 0; d < 3; d++) p[i].position[d] = uniform(-5, 5);
    if (one_of(2)) memcpy(p[i].rotation, turn, sizeof turn);
    if (one_of(3)) p[i].scale = 1.25;
    p[i].weight[0] = uniform(-1, 1);
    if (one_of(2)) p[i].weight[1] = uniform(-1, 1);
  }
  a.meshes = 2;
  a.placements = placements;
  a.mesh = mesh;
  a.placement = p;
  say(" kind %d placements %zu q %zu form %d%s", kind, placements, n, o.form, complex ? " complex" : "");
  if (kind < 2) {
    OF(q) q;
    OF(directions) ways;
    real *f = NULL, *intensity;
    memset(&q, 0, sizeof q);
    q.n = n;
    q.x = array(n, -2, 2);
    q.y = array(n, -2, 2);
    q.z = array(n, -2, 2);
    if (complex) q.z_imag = array(n, 0, 0.0625);
    ways.n = 1 + below(20);
    ways.x = array(ways.n, -1, 1);
    ways.y = array(ways.n, -1, 1);
    ways.z = array(ways.n, -1, 1);
    ways.weight = array(ways.n, 0, 1);
    if (kind == 0 && one_of(2)) f = written(2 * n, within);
    intensity = f && one_of(2) ? NULL : written(n, within);
    status = OF(formfactor_assembly_work_size)(hw, &a, kind ? n * ways.n : n, &bytes);
    if ((status = room(status, bytes)) != 0) return status;
    CALL_ONCE(status, kind ? OF(formfactor_powder)(hw, &a, n, q.x, &ways, &o, intensity, WORK)
                           : OF(formfactor_assembly)(hw, &a, &q, &o, f, intensity, WORK));
    return status;
  } else {
    OF(dwba) w;
    real *f;
    memset(&w, 0, sizeof w);
    w.n = n;
    w.qx = array(n, -2, 2);
    w.qy = array(n, -2, 2);
    w.kz_in = array(n, -2, 2);
    w.kz_out = array(n, -2, 2);
    if (complex) w.kz_in_imag = array(n, 0, 0.0625), w.kz_out_imag = array(n, 0, 0.0625);
    w.t_in = array(2 * n, -2, 2);
    w.t_out = array(2 * n, -2, 2);
    w.r_in = array(2 * n, -2, 2);
    w.r_out = array(2 * n, -2, 2);
    f = written(2 * n, within);
    status = OF(formfactor_assembly_work_size)(hw, &a, 4 * n, &bytes);
    if ((status = room(status, bytes)) != 0) return status;
    CALL_ONCE(status, OF(formfactor_dwba)(hw, &a, &w, &o, f, WORK));
    return status;
  }
}
#endif

#if CONVK_HAS_DISTANCES_ || CONVK_HAS_AMPLITUDES_
static OF(atoms) draw_atoms(size_t n, size_t kinds) {
  OF(atoms) a;
  size_t i, all;
  uint32_t *kind;
  memset(&a, 0, sizeof a);
  a.n = n;
  a.frames = one_of(2) ? 1 + below(3) : 0;
  a.stride = one_of(2) ? n + below(4) : 0;
  all = (a.frames ? a.frames - 1 : 0) * (a.stride ? a.stride : n) + n;
  a.x = array(all, -4, 4);
  a.y = array(all, -4, 4);
  a.z = array(all, -4, 4);
  kind = (uint32_t *)(void *)memory(n * sizeof *kind, 4);
  for (i = 0; i < n; i++) kind[i] = (uint32_t)below(kinds);
  if (kinds > 1 || one_of(2)) a.kind = kind;
  say(" atoms %zu frames %zu stride %zu kinds %zu", n, a.frames, a.stride, kinds);
  return a;
}
static const convk_cell some_cells[] = {
    {{9, 0, 0}, {4, 8, 0}, {-3, 1, 7}}, {{0, 6, 0}, {0, 0, 0}, {0, 2, 9}}, {{5, 0, 0}, {0, 4, 0}, {0, 0, 3}}};
static const convk_scatterer some_kinds[3] = {
    {2, {2.5, 1.25}, {20, 0.5}, {0.25, -0.5}, 0.75}, {0, {0}, {0}, {-3, 0}, 0}, {1, {1.5}, {3}, {0, 1}, 0}};
/* One of them, of which a vector may be missing, or none. */
static const convk_cell *draw_cell(size_t step) {
  static convk_cell cell;
  if (one_of(2)) return NULL;
  cell = some_cells[step * below((COUNT_OF(some_cells) + step - 1) / step)];
  say(" cell %g", cell.a[0]);
  if (one_of(4)) {
    double *const vectors[] = {cell.a, cell.b, cell.c};
    memset(vectors[below(3)], 0, sizeof cell.a);
  }
  return &cell;
}
#endif
#if CONVK_HAS_DISTANCES_
static int count_pairs(convk *handle, const OF(atoms) * a, const convk_cell *cell, const convk_part *part, convk_distances *d) {
  size_t bytes = 0;
  int status = 0;
#ifdef CONVK_TEST_CUDA_EMULATED
  if (there && handle == hw) {
    const THERE(atoms) atoms = {a->n, a->frames, a->stride, a->x, a->y, a->z, a->kind, a->weight};
    const THERE(distances) to = {d->bins, d->kinds, d->width, d->moments, d->count, {d->moment[0], d->moment[1]}, d->beyond};
    status = THERE(pair_histogram_work_size)(&on, &atoms, &to, &bytes);
    if ((status = room(status, bytes)) != 0) return status;
    return THERE(pair_histogram)(&on, &atoms, cell, part, &to, WORK);
  }
#endif
  status = OF(pair_histogram_work_size)(handle, a, d, &bytes);
  if ((status = room(status, bytes)) != 0) return status;
  if (handle != hw) return OF(pair_histogram)(handle, a, cell, part, d, WORK); /* to what is no result */
  CALL_ONCE(status, OF(pair_histogram)(handle, a, cell, part, d, WORK));
  return status;
}
/* Zeros, for so many kinds and bins. */
static convk_distances draw_distances(size_t bins, size_t kinds, int weighted, int all) {
  const size_t pairs = kinds * (kinds + 1) / 2, m = pairs * bins;
  convk_distances d;
  size_t i;
  memset(&d, 0, sizeof d);
  d.bins = bins;
  d.kinds = kinds;
  d.width = uniform(0.5, 9) / (double)bins;
  d.moments = (int)below(3);
  for (i = 0; i < 5; i++) {
    const size_t n = i == 4 ? ((size_t)d.moments + 1) * m : i == 3 ? pairs : i == 2 ? 2 * m : m;
    uint64_t *const words = i == 4 && !weighted ? NULL : (uint64_t *)(void *)memory(n * 8, 8);
    if (words) memset(words, 0, n * 8);
    if (all && words && (i == 0 || i > 2 || d.moments >= (int)i)) result(words, n, i == 4 ? 0 : 2, 0);
    if (i == 0) d.count = words;
    else if (i < 3) d.moment[i - 1] = words;
    else if (i == 3) d.beyond = words;
    else d.sum = (double *)(void *)words;
  }
  return d;
}
static int draw_pair_histogram(void) {
  const size_t kinds = 1 + below(3);
  OF(atoms) a = draw_atoms(about(500), kinds);
  const convk_cell *const cell = draw_cell(1);
  const int weighted = one_of(6);
  convk_distances d;
  convk_part part = {0, 1};
  size_t i;
  int status = 0;
  if (weighted) a.weight = array(a.n, -0.5, 1);
  /* words of few or of many bins: of all pairs of kinds at once, of one after another, and beyond a device's local memory */
  d = draw_distances(one_of(30) ? 70000 : one_of(6) ? 3000 + 11 * about(300) : about(900), kinds, weighted, 1);
  part.count = weighted ? 1 : 1 + below(3);
  say(" bins %zu of %g moments %d cell %d parts %zu%s", d.bins, d.width, d.moments, cell != NULL, part.count,
      weighted ? " weights" : "");
  /* parts of devices are others than those of processors: all of them give the same */
  for (i = 0; i < part.count && !status; i++) {
    part.index = i;
    status = count_pairs(hw, &a, cell, part.count > 1 ? &part : NULL, &d);
  }
  return status;
}
/* Histograms of a processor, which are the same on all. */
static int draw_debye(void) {
  static convk processor;
  const size_t kinds = 1 + below(3), nq = about(60);
  const int weighted = one_of(3), direct = one_of(4);
  OF(atoms) a = draw_atoms(about(direct ? 100 : 260), kinds);
  convk_distances d = draw_distances(about(one_of(4) ? 2500 : 600), kinds, weighted, 0);
  double *const self = one_of(3) ? NULL : doubles(kinds, 0, 300);
  real *const q = array(nq, -7, 7), *intensity, *bound = NULL;
  const convk_scatterer *const scatterers = one_of(4) ? NULL : some_kinds;
  size_t bytes = 0;
  int status = 0;
  if (!processor.size && convk_open(&processor, "scalar")) exit(2);
  if (weighted) a.weight = array(a.n, one_of(2) ? -0.5 : 0.25, 1);
  say(" bins %zu moments %d q %zu%s%s", d.bins, d.moments, nq, weighted ? " weights" : "", direct ? " direct" : "");
  if (direct) {
    there = 0;
    intensity = written(nq, 0);
    status = OF(debye_direct_work_size)(hw, &a, kinds, nq, &bytes);
    if ((status = room(status, bytes)) != 0) return status;
    CALL_ONCE(status, OF(debye_direct)(hw, &a, kinds, scatterers, nq, q, intensity, WORK));
    return status;
  }
  status = count_pairs(&processor, &a, NULL, NULL, &d);
  if (status) return status;
  if (kinds > 1 && one_of(8)) memset(d.count, 0, d.bins * 8); /* a pair of kinds that has none */
  intensity = written(nq, 0);
  if (!weighted && one_of(2)) bound = written(nq, 0);
#ifdef CONVK_TEST_CUDA_EMULATED
  if (there && !weighted) {
    const THERE(distances) from = {d.bins, d.kinds, d.width, d.moments, d.count, {d.moment[0], d.moment[1]}, d.beyond};
    const THERE(intensities) to = {nq, q, intensity, bound};
    status = THERE(debye_work_size)(&on, &from, &to, &bytes);
    if ((status = room(status, bytes)) != 0) return status;
    CALL_ONCE(status, THERE(debye)(&on, &from, scatterers, self, &to, WORK));
    return status;
  }
#endif
  CALL_ONCE(status, OF(debye)(hw, &d, scatterers, self, nq, q, intensity, bound));
  return status;
}
#endif
#if CONVK_HAS_AMPLITUDES_
static int draw_amplitudes(void) {
  const size_t kinds = 1 + below(3);
  OF(atoms) a = draw_atoms(about(one_of(4) ? 700 : 150), kinds);
  const int grid = one_of(2), symmetric = (int)below(8);
  convk_amplitude_options o;
  convk_grid3 g;
  OF(q) q;
  real *axis[3];
  size_t n, i, d, sizes[3], frames = a.frames ? a.frames : 1, bytes = 0;
  int status = 0;
  memset(&o, 0, sizeof o);
  memset(&q, 0, sizeof q);
  memset(&g, 0, sizeof g);
  if (grid) {
    size_of(&g, 60, 400);
    n = lay_out(&g);
    sizes[0] = g.nx;
    sizes[1] = g.ny;
    sizes[2] = g.nz;
  } else {
    sizes[0] = sizes[1] = sizes[2] = q.n = n = about(600);
    say(" q %zu", n);
  }
  for (d = 0; d < 3; d++) {
    axis[d] = array(sizes[d], -5, 5);
    for (i = 0; i < sizes[d] && grid && symmetric >> d & 1; i++)
      axis[d][i] = 2 * i + 1 == sizes[d] ? 0 : 2 * i + 1 < sizes[d] ? axis[d][i] : -axis[d][sizes[d] - 1 - i];
  }
  q.x = axis[0];
  q.y = axis[1];
  q.z = axis[2];
  if (one_of(2)) a.weight = array(a.n, -0.5, 1);
  o.output = (int)below(3);
  o.kinds = kinds;
  o.scatterers = some_kinds;
  o.cell = draw_cell(2);
  say(" output %d symmetric %d%s%s", o.output, symmetric, o.cell ? " cell" : "", a.weight ? " weights" : "");
#ifdef CONVK_TEST_CUDA_EMULATED
  if (there) {
    const THERE(atoms) atoms = {a.n, a.frames, a.stride, a.x, a.y, a.z, a.kind, a.weight};
    const size_t one = grid ? plane_of(&g) * g.nz : n, sums = o.output == 2 ? 1 : frames * (o.output ? kinds : 1);
    real *const f = written((o.output == 2 ? 1 : 2) * ((sums - 1) * one + n), 0);
    status = grid ? THERE(amplitudes_grid_work_size)(&on, &atoms, &g, &o, &bytes)
                  : THERE(amplitudes_work_size)(&on, &atoms, &q, &o, &bytes);
    if ((status = room(status, bytes)) != 0) return status;
    CALL_ONCE(status, grid ? THERE(amplitudes_grid)(&on, &atoms, &g, &q, &o, f, WORK)
                           : THERE(amplitudes)(&on, &atoms, &q, &o, f, WORK));
    return status;
  }
#endif
  status = grid ? OF(amplitudes_grid_work_size)(hw, &a, &g, &o, &bytes) : OF(amplitudes_work_size)(hw, &a, &o, &bytes);
  if ((status = room(status, bytes)) != 0) return status;
  {
    const size_t one = grid ? plane_of(&g) * g.nz : n, sums = o.output == 2 ? 1 : frames * (o.output ? kinds : 1);
    real *const f = written((o.output == 2 ? 1 : 2) * ((sums - 1) * one + n), 0);
    if (!grid) CALL_ONCE(status, OF(amplitudes)(hw, &a, &q, &o, f, WORK));
    else CALL(status, convk_grid3, g, OF(amplitudes_grid)(hw, &a, &g, &q, &o, f, WORK));
    return status;
  }
}
#endif

#if CONVK_HAS_FFT_
static int draw_fftconv2d(void) {
  const int is_real = one_of(2), spectrum = one_of(4), few = !one_of(3); /* few sizes, for which devices have one program */
  const size_t width = is_real ? 1 : 2, kernels = one_of(2) ? 1 : 1 + below(4);
  convk_fftconv2d_shape shape, full;
  convk_batch2d batch;
  size_t index[40], k, n, m, bytes = 0, room_of = 0;
  real *in, *out, *kernel;
  void *plan;
  int status;
  memset(&shape, 0, sizeof shape);
  memset(&batch, 0, sizeof batch);
  do {
    shape.rows = about(few ? 12 : one_of(4) ? 150 : 40);
    shape.columns = about(few ? 12 : one_of(4) ? 150 : 40);
  } while (shape.rows * shape.columns > 3000);
  shape.mode = (int)below(5);
  shape.kernel_rows = shape.mode == CONVK_FFT_CIRCULAR && one_of(2) ? shape.rows : 1 + below(shape.rows < 12 ? shape.rows : 12);
  shape.kernel_columns =
      shape.mode == CONVK_FFT_CIRCULAR && one_of(2) ? shape.columns : 1 + below(shape.columns < 12 ? shape.columns : 12);
  shape.correlation = one_of(2);
  if (shape.mode == CONVK_FFT_CIRCULAR && one_of(2)) {
    shape.origin_row = (ptrdiff_t)below(7) - 3;
    shape.origin_column = (ptrdiff_t)below(7) - 3;
  }
  if (shape.mode == CONVK_FFT_WINDOW) {
    const size_t rows = shape.rows + shape.kernel_rows - 1, columns = shape.columns + shape.kernel_columns - 1;
    shape.origin_row = (ptrdiff_t)below(rows);
    shape.origin_column = (ptrdiff_t)below(columns);
    shape.out_rows = 1 + below(rows - (size_t)shape.origin_row);
    shape.out_columns = 1 + below(columns - (size_t)shape.origin_column);
  }
  if (few && shape.mode != CONVK_FFT_CIRCULAR) shape.fft_rows = 24, shape.fft_columns = 32;
  say(" %zu x %zu with %zu of %zu x %zu mode %d correlation %d origin %td %td out %zu %zu%s%s", shape.rows, shape.columns,
      kernels, shape.kernel_rows, shape.kernel_columns, shape.mode, shape.correlation, shape.origin_row, shape.origin_column,
      shape.out_rows, shape.out_columns, is_real ? "" : " complex", spectrum ? " spectrum" : "");
  status = convk_fftconv2d_resolve(NULL, &shape, &full);
  if (status) return status;
  if (spectrum) shape.fft_rows = full.fft_rows, shape.fft_columns = full.fft_columns;
  n = spectrum ? 2 * full.fft_rows * full.fft_columns : width * shape.kernel_rows * shape.kernel_columns;
  kernel = array(kernels * n, -0.5, 0.6);
  status = is_real ? OF(fftconv2d_plan_size)(NULL, &shape, kernels, &bytes)
                   : OF_COMPLEX(fftconv2d_plan_size)(NULL, &shape, kernels, &bytes);
  if (status) return status;
  plan = memory(bytes, 8);
  if (is_real)
    status = (spectrum ? OF(fftconv2d_prepare_spectrum) : OF(fftconv2d_prepare))(hw, &shape, kernels, kernel, 0, 0,
                                                                                 (OF(fftconv2d_plan) *)plan, bytes);
  else
    status = (spectrum ? OF_COMPLEX(fftconv2d_prepare_spectrum) : OF_COMPLEX(fftconv2d_prepare))(
        hw, &shape, kernels, kernel, 0, 0, (OF_COMPLEX(fftconv2d_plan) *)plan, bytes);
  if (status) return status;
  batch.items = kernels * (1 + below(one_of(3) ? 8 : 3));
  if (one_of(2)) {
    batch.in_pitch = shape.columns + below(4);
    batch.in_stride = batch.in_pitch * shape.rows + below(4);
  }
  if (one_of(2)) {
    batch.out_pitch = full.out_columns + below(4);
    batch.out_stride = batch.out_pitch * full.out_rows + below(4);
  }
  if (kernels > 1) {
    batch.items_per_kernel = batch.items / kernels;
    if (one_of(2)) {
      batch.items = 1 + below(COUNT_OF(index));
      batch.items_per_kernel = 0;
      batch.kernel = index;
      for (k = 0; k < batch.items; k++) index[k] = below(kernels);
    }
  }
  say(" items %zu by %zu%s", batch.items, batch.items_per_kernel, batch.kernel ? " by index" : "");
  k = batch.items - 1;
  n = k * (batch.in_stride ? batch.in_stride : shape.rows * shape.columns) +
      (shape.rows - 1) * (batch.in_pitch ? batch.in_pitch : shape.columns) + shape.columns;
  m = k * (batch.out_stride ? batch.out_stride : full.out_rows * full.out_columns) +
      (full.out_rows - 1) * (batch.out_pitch ? batch.out_pitch : full.out_columns) + full.out_columns;
  if (n + m > 50000) return 0;
  in = array(width * n, -1, 1);
  out = written(width * m, 0);
  status = is_real ? RUN(fftconv2d_work_size, (OF(fftconv2d_plan) *)plan, batch.items, &room_of)
                   : RUN_COMPLEX(fftconv2d_work_size, (OF_COMPLEX(fftconv2d_plan) *)plan, batch.items, &room_of);
  if ((status = room(status, room_of)) != 0) return status;
#ifdef CONVK_TEST_CUDA_EMULATED
  if (there) {
    const void *device_plan;
    status = is_real ? OF(fftconv2d_plan_bytes)(hw, (OF(fftconv2d_plan) *)plan, &bytes)
                     : OF_COMPLEX(fftconv2d_plan_bytes)(hw, (OF_COMPLEX(fftconv2d_plan) *)plan, &bytes);
    if (status) return status;
    device_plan = memcpy(memory((bytes + 15) / 16 * 16, 16), plan, bytes);
    CALL_ONCE(status,
              is_real ? THERE(fftconv2d)(&on, (OF(fftconv2d_plan) *)plan, device_plan, &batch, in, out, WORK)
                      : THERE_COMPLEX(fftconv2d)(&on, (OF_COMPLEX(fftconv2d_plan) *)plan, device_plan, &batch, in, out, WORK));
    return status;
  }
#endif
  CALL_ONCE(status, is_real ? OF(fftconv2d)(hw, (OF(fftconv2d_plan) *)plan, &batch, in, out, WORK)
                            : OF_COMPLEX(fftconv2d)(hw, (OF_COMPLEX(fftconv2d_plan) *)plan, &batch, in, out, WORK));
  return status;
}
static int draw_fft2d(void) {
  static const size_t sizes[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 12, 14, 15, 16, 18, 20, 21,  24,  25,
                                 27, 28, 30, 32, 35, 36, 40, 42, 45, 48, 49, 50, 60, 64, 70, 81, 100, 128, 256};
  size_t rows, columns, n, m, bytes = 0, room_of = 0;
  OF_COMPLEX(fft2d_plan) * plan;
  convk_batch2d batch;
  real *in, *out;
  const int direction = one_of(2) ? CONVK_INVERSE : CONVK_FORWARD;
  int status;
  do {
    rows = sizes[below(COUNT_OF(sizes))];
    columns = one_of(3) ? rows : sizes[below(COUNT_OF(sizes))];
  } while (rows * columns > 4100);
  memset(&batch, 0, sizeof batch);
  batch.items = 1 + below(rows * columns > 1000 ? 3 : 9);
  if (one_of(2)) batch.in_pitch = columns + below(4), batch.in_stride = batch.in_pitch * rows + below(4);
  if (one_of(2)) batch.out_pitch = columns + below(4), batch.out_stride = batch.out_pitch * rows + below(4);
  say(" %zu x %zu items %zu %s", rows, columns, batch.items, direction == CONVK_INVERSE ? "inverse" : "forward");
  status = OF_COMPLEX(fft2d_plan_size)(NULL, rows, columns, &bytes);
  if (status) return status;
  plan = (OF_COMPLEX(fft2d_plan) *)(void *)memory(bytes, 8);
  status = OF_COMPLEX(fft2d_prepare)(hw, rows, columns, plan, bytes);
  if (status) return status;
  n = (batch.items - 1) * (batch.in_stride ? batch.in_stride : rows * columns) +
      (rows - 1) * (batch.in_pitch ? batch.in_pitch : columns) + columns;
  m = (batch.items - 1) * (batch.out_stride ? batch.out_stride : rows * columns) +
      (rows - 1) * (batch.out_pitch ? batch.out_pitch : columns) + columns;
  in = array(2 * n, -1, 1);
  out = written(2 * m, 0);
  status = RUN_COMPLEX(fft2d_work_size, plan, batch.items, &room_of);
  if ((status = room(status, room_of)) != 0) return status;
#ifdef CONVK_TEST_CUDA_EMULATED
  if (there) {
    const void *device_plan;
    status = OF_COMPLEX(fft2d_plan_bytes)(hw, plan, &bytes);
    if (status) return status;
    device_plan = memcpy(memory((bytes + 15) / 16 * 16, 16), plan, bytes);
    CALL_ONCE(status, THERE_COMPLEX(fft2d)(&on, plan, device_plan, direction, &batch, in, out, WORK));
    return status;
  }
#endif
  CALL_ONCE(status, OF_COMPLEX(fft2d)(hw, plan, direction, &batch, in, out, WORK));
  return status;
}
#endif

#if CONVK_HAS_PAIRS_
static convk_pair_potential draw_potential(void) {
  convk_pair_potential none;
  memset(&none, 0, sizeof none);
  switch (below(6)) {
    case 1: return convk_pair_hfdhe2();
    case 2: return convk_pair_hfdb();
    case 3: return convk_pair_lm2m2();
    case 4: return convk_pair_lennard_jones(10.22, 2.556);
    case 5: return convk_pair_table(1.75, 0.25, 40, doubles(40, -12, 12));
    default: return none;
  }
}
static convk_pair_system draw_system(size_t particles, int box) {
  convk_pair_system s;
  int d;
  memset(&s, 0, sizeof s);
  s.particles = particles;
  s.potential = draw_potential();
  s.trial.p5 = 120;
  s.trial.p2 = one_of(2) ? -1 : 0.7;
  s.trial.p0 = 0.4;
  s.trial.p1 = one_of(4) ? 0 : 0.01;
  for (d = 0; d < 3 && box; d++) s.box[d] = 27 + d;
  s.cutoff = one_of(3) ? 7.5 : 0;
  if (one_of(3)) s.hbar2_2m = 1.25;
  say(" particles %zu potential %d%s cutoff %g", particles, s.potential.kind, box ? " box" : "", s.cutoff);
  return s;
}
static int draw_pairs(void) {
  static const int wants[] = {CONVK_PAIR_LN_PSI,
                              CONVK_PAIR_POTENTIAL_ENERGY,
                              CONVK_PAIR_GRADIENT,
                              CONVK_PAIR_LAPLACIAN,
                              CONVK_PAIR_KINETIC,
                              CONVK_PAIR_ALL,
                              0};
  const double within = DOUBLE ? 1e-10 : 1e-3;
  const int far = one_of(4), box = !far && one_of(2), want = one_of(2) ? wants[below(COUNT_OF(wants))] : (int)below(16);
  const size_t n = 1 + about(one_of(3) ? 260 : 70), side = 7, what = below(4), walkers = 1 + below(n > 70 ? 2 : 7);
  const convk_pair_system s = draw_system(n, box);
  convk_pair_walkers lay;
  real *r, *to;
  size_t k, d, all, bytes = 0;
  int status = 0;
  lay.walkers = walkers;
  lay.pitch = one_of(2) ? n + below(4) : 0;
  lay.stride = one_of(2) ? 3 * (lay.pitch ? lay.pitch : n) + below(4) : 0;
  all = (walkers - 1) * (lay.stride ? lay.stride : 3 * (lay.pitch ? lay.pitch : n)) + 2 * (lay.pitch ? lay.pitch : n) + n;
  say(" walkers %zu pitch %zu stride %zu what %zu want %d%s", walkers, lay.pitch, lay.stride, what, want, far ? " far" : "");
  r = what == 1 ? written(all, 0) : array(all, -1, 1);
  for (k = 0; k < walkers * n; k++)
    for (d = 0; d < 3; d++) {
      const size_t p = k % n, site = d == 0 ? p % side : d == 1 ? p / side % side : p / side / side;
      r[k / n * (lay.stride ? lay.stride : 3 * (lay.pitch ? lay.pitch : n)) + d * (lay.pitch ? lay.pitch : n) + p] =
          (real)(uniform(3.5 * (double)site, 3.5 * (double)site + 1) * (far ? DOUBLE ? 5e6 : 500 : 1));
    }
  to = array(3 * walkers, 6.5, 8);
  if (what == 0) {
    double *const moves = numbers(walkers * sizeof(convk_pair_move_result) / sizeof(double), within);
    const size_t particle = below(n);
    CALL(status, convk_pair_walkers, lay, RUN(pair_move, &s, &lay, particle, r, to, (convk_pair_move_result *)(void *)moves));
    return status;
  }
  if (what == 1) {
    unsigned char *const accept = (unsigned char *)memory(walkers, 1);
    real *const gradient = one_of(2) ? written(all, within) : NULL;
    const int masked = one_of(2);
    for (k = 0; k < walkers; k++) accept[k] = (unsigned char)below(2);
    k = below(n);
    CALL(status, convk_pair_walkers, lay, RUN(pair_accept, &s, &lay, k, to, masked ? accept : NULL, r, gradient));
    return status;
  }
  {
    double *const found = numbers(walkers * sizeof(convk_pair_result) / sizeof(double), within);
    real *const gradient = !want || want & CONVK_PAIR_GRADIENT ? written(all, within) : NULL;
    result_count--; /* by member, of which each has a size of its own */
    if (gradient) results[result_count - 1] = results[result_count];
    else result_count++;
    status = RUN(pair_energy_work_size, n, walkers, &bytes);
    if ((status = room(status, bytes)) != 0) return status;
    CALL(status, convk_pair_walkers, lay,
         RUN(pair_energy, &s, &lay, want, r, (convk_pair_result *)(void *)found, gradient, WORK));
    if (gradient) {
      static double of[9][8];
      for (k = 0; k < 9; k++) {
        for (d = 0; d < walkers; d++) of[k][d] = found[9 * d + k];
        result(of[k], walkers, 0, within);
      }
    }
    return status;
  }
}
static int draw_vmc_run(void) {
  convk_vmc vmc;
  size_t bytes = 0, n, sweeps;
  void *state;
  real *r;
  double *found;
  int status;
  there = 0;
  memset(&vmc, 0, sizeof vmc);
  n = 2 + below(one_of(3) ? 70 : 12);
  vmc.system = draw_system(n, one_of(2));
  if (vmc.system.trial.p1 <= 0 && vmc.system.box[0] <= 0) vmc.system.trial.p1 = 0.01;
  vmc.walkers = 1 + below(vmc.system.particles > 12 ? 2 : 9);
  vmc.seed = 12345 + below(1000);
  vmc.moves = one_of(2) ? CONVK_VMC_MOVE_ALL : CONVK_VMC_MOVE_SINGLE;
  vmc.drift = one_of(2);
  vmc.equilibration = below(3);
  vmc.interval = below(3);
  if (one_of(2)) vmc.step = uniform(0.1, 0.8);
  if (one_of(2)) vmc.acceptance = one_of(2) ? -1 : uniform(0.3, 0.7);
  say(" walkers %zu moves %d drift %d equilibration %zu", vmc.walkers, vmc.moves, vmc.drift, vmc.equilibration);
  status = OF(vmc_state_size)(NULL, &vmc, &bytes);
  if (status) return status;
  state = memory(bytes, 8);
  status = OF(vmc_begin)(NULL, &vmc, NULL, (OF(vmc_state) *)state, bytes);
  sweeps = 1 + below(6);
  if (!status) status = OF(vmc_work_size)(hw, &vmc, &n);
  if ((status = room(status, n)) != 0) return status;
  status = OF(vmc_run)(hw, &vmc, sweeps, (OF(vmc_state) *)state, bytes, WORK);
  r = written(3 * vmc.system.particles * vmc.walkers, DOUBLE ? 1e-7 : 1e-2);
  if (!status) status = OF(vmc_positions)(NULL, &vmc, (OF(vmc_state) *)state, bytes, r);
  found = numbers(sizeof(convk_vmc_result) / sizeof(double), DOUBLE ? 1e-7 : 1e-2);
  if (!status) status = OF(vmc_results)(NULL, (OF(vmc_state) *)state, bytes, (convk_vmc_result *)(void *)found);
  return status;
}
static int draw_pair_potential(void) {
  const convk_pair_potential p = draw_potential();
  const size_t n = about(600);
  real *const r = array(n, 2, 17), *v;
  int status = 0;
  say(" potential %d of %zu", p.kind, n);
  v = written(n, DOUBLE ? 1e-11 : 1e-4);
  CALL_ONCE(status, RUN(pair_potential, &p, n, r, v));
  return status;
}
#endif

static const struct {
  const char *name;
  int (*draw)(void);
} operations[] = {
#if CONVK_HAS_FILTERS_
    {"sepconv3d", draw_sepconv3d},
    {"sepconv3d-2", draw_sepconv3d},
    {"potential_apply", draw_potential_apply},
    {"conv1d_transpose", draw_conv1d_transpose},
#endif
#if CONVK_HAS_WAVELETS_
    {"dwt3d", draw_dwt3d},
    {"wavelet_compress", draw_compressed},
#endif
#if CONVK_HAS_SUMS_
    {"sumconv3d", draw_sumconv3d},
    {"sumconv3d-2", draw_sumconv3d},
    {"chebyshev3d", draw_chebyshev3d},
#endif
#if CONVK_HAS_HAMILTONIAN_
    {"hamiltonian_apply", draw_hamiltonian_apply},
#endif
#if CONVK_HAS_STENCIL_
    {"stencil7", draw_stencil7},
    {"stencil7-2", draw_stencil7},
#endif
#if CONVK_HAS_VMATH_
    {"vmath", draw_vmath},
#endif
#if CONVK_HAS_GAUSSIAN_
    {"gridpot", draw_gridpot},
    {"gridpot-2", draw_gridpot},
    {"orbitals", draw_orbitals},
    {"orbitals-2", draw_orbitals},
#endif
#if CONVK_HAS_GRIDS_
    {"orbitals_grid", draw_orbitals_grid},
    {"orbitals_grid-2", draw_orbitals_grid},
#endif
#if CONVK_HAS_FORMFACTOR_
    {"formfactor", draw_formfactor},
    {"formfactor_grid", draw_formfactor_grid},
    {"formfactor_many", draw_many},
#endif
#if CONVK_HAS_DISTANCES_
    {"pair_histogram", draw_pair_histogram},
    {"debye", draw_debye},
#endif
#if CONVK_HAS_AMPLITUDES_
    {"amplitudes", draw_amplitudes},
#endif
#if CONVK_HAS_FFT_
    {"fftconv2d", draw_fftconv2d},
    {"fftconv2d-2", draw_fftconv2d},
    {"fft2d", draw_fft2d},
#endif
#if CONVK_HAS_PAIRS_
    {"pair_energy", draw_pairs},
    {"pair_energy-2", draw_pairs},
    {"vmc_run", draw_vmc_run},
    {"pair_potential", draw_pair_potential},
#endif
};

/* -------------------------------------------------------------------------------------------------------------- ways -- */

/* Last task first: what a task leaves to the next one is wrong. */
static int run_tasks(void *ctx, size_t count, void (*task)(void *arg, size_t index), void *arg) {
  (void)ctx;
  while (count--) task(arg, count);
  return 0;
}

#ifdef __cplusplus
extern "C" {
#endif
size_t test_cuda_most_blocks = 0x7fffffff, test_cl_groups_y = 32768, test_cl_special = CONVK_HAS_FFT_ ? 64 : 0;
double test_fft_task = 131072;
#ifdef __cplusplus
}
#endif

#define DRAW_TUNING(type, name, choice) hw->tuning.name = way_below(2) ? 0 : (type)way_below(way_below(2) ? 5 : 70);
/* Choices for a device, of every operation at sizes that are within twice those of any call; they change no result either. */
static size_t choices(convk_tuned *list) {
  static const char *const names[][2] = {
#define DRAW_TUNABLE(finds, trial, operation, type, precision, chooses, which) {#operation, #type},
      CONVK_TUNABLES_(DRAW_TUNABLE)};
  static const size_t sizes[] = {2, 8, 32, 128, 512};
  static const long some[] = {0, 0, 0, 1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 1000};
  size_t op, x, y, z, length, k, n = 0;
  for (op = 0; op < COUNT_OF(names); op++)
    for (x = 0; x < 5; x++)
      for (y = 0; y < 5; y++)
        for (z = 0; z < 5; z++)
          for (length = 0; length < 3 && strcmp(names[op][1], DOUBLE ? "f32" : "f64"); length++, n++) {
            convk_tuned *const one = list ? &list[n] : NULL;
            if (!one) continue;
            memset(one, 0, sizeof *one);
            strcpy(one->operation, names[op][0]);
            strcpy(one->type, names[op][1]);
            strncpy(one->hw, hw->name, sizeof one->hw - 1);
            memcpy(one->machine, hw->machine, sizeof one->machine);
            one->threads = 1;
            one->nx = sizes[x];
            one->ny = sizes[y];
            one->nz = sizes[z];
            one->length = length ? sizes[length] : 1;
            for (k = 0; k < CONVK_TUNE_COUNT; k++) one->choice[k] = some[way_below(COUNT_OF(some))];
          }
  return n;
}
static void choose_way(int pass) {
  static const size_t bytes[] = {0, 0, 9000, 30000, 100000};
  there = 0;
#ifdef CONVK_TEST_CUDA_EMULATED
  there = hw->ours.inside.device && way_below(2);
#endif
  hw->device_bytes = 0;
  hw->parallel.threads = 0;
  hw->parallel.run = NULL;
  test_cuda_most_blocks = 0x7fffffff;
  test_cl_groups_y = 32768;
  test_fft_task = 131072;
  hw->tuning = tuning;
  hw->ntuned = 0;
  if (!pass) return;
  /* with OpenCL each makes programs */
  if (hw->ours.inside.device && (strcmp(hw->name, "cuda") ? !way_below(6) : way_below(3))) hw->ntuned = tuned_count;
  hw->device_bytes = bytes[way_below(COUNT_OF(bytes))];
  test_cuda_most_blocks = way_below(3) ? 1 + way_below(5) : 0x7fffffff;
  test_cl_groups_y = way_below(3) ? 2 + way_below(4) : 32768;
  if (!hw->ours.inside.device && way_below(3)) { /* blocks of any size change no result */
    CONVK_TUNING_(DRAW_TUNING)
    hw->tuning.nontemporal = (int)way_below(3) - 1;
    hw->tuning.l2_bytes = (size_t)4096 << way_below(9);
    hw->tuning.l3_bytes = way_below(2) ? hw->tuning.l2_bytes << way_below(4) : 0;
  }
  if (!hw->ours.inside.device && way_below(4)) {
    test_fft_task = 1;
    hw->parallel.threads = 2 + (int)way_below(6);
    hw->parallel.run = run_tasks;
  }
}

/* ------------------------------------------------------------------------------------------------------------- files -- */

/* Memory that a device has given out, where the program knows it, in whole sizes of what a handle keeps. */
static size_t held(void) {
#ifdef CONVK_TEST_CUDA_EMULATED
  return convk_emulator::engine().device_bytes[0];
#else
  return 0;
#endif
}

static unsigned long passed, failed, refused;
static FILE *file;

static double value_of(size_t k, size_t i) {
  if (results[k].kind == 0) return ((const double *)results[k].data)[i];
  return (double)((const float *)results[k].data)[i];
}
static void put(const void *data, size_t bytes) {
  if (fwrite(data, 1, bytes, file) != bytes) exit(2);
}

typedef struct head {
  uint64_t draw, bytes;
  int status, spoiled[COUNT_OF(spoiled)];
} head;

/* The status, those of spoiled shapes, and results; of NaN nothing but that it is one. */
static void hash_bytes(uint64_t *hash, uint64_t value, int bytes) {
  for (; bytes--; value >>= 8) *hash = (*hash ^ (value & 255)) * UINT64_C(1099511628211);
}
static unsigned hash_of(int status) {
  uint64_t hash = UINT64_C(14695981039346656037);
  size_t k, i;
  hash_bytes(&hash, (uint64_t)(status + 1000), 4);
  for (k = 0; k < COUNT_OF(spoiled); k++) hash_bytes(&hash, (uint64_t)(spoiled[k] + 1000), 4);
  for (k = 0; k < result_count; k++)
    for (i = 0; i < results[k].n; i++) {
      const int bytes = results[k].kind == 1 ? 4 : 8;
      uint64_t bits = 0;
      uint32_t narrow;
      if (bytes == 4) memcpy(&narrow, (const char *)results[k].data + 4 * i, 4), bits = narrow;
      else memcpy(&bits, (const char *)results[k].data + 8 * i, 8);
      if (results[k].kind != 2 && value_of(k, i) != value_of(k, i)) bits = 1;
      hash_bytes(&hash, bits, bytes);
    }
  return (unsigned)(hash ^ hash >> 32) & 0xffffffffu;
}
/* The file has a line of each operation: its name, and words of its draws: word k is of draws k, 100 + k and so on. */
static char list_text[1 << 20];
static int list_read(const char *path) {
  FILE *const f = fopen(path, "r");
  size_t n;
  if (!f) return 0;
  n = fread(list_text, 1, sizeof list_text - 1, f);
  list_text[n] = 0;
  fclose(f);
  return n > 0;
}
enum { WORDS = 100 };
static int list_has(const char *name, uint64_t word, unsigned hash) {
  const size_t length = strlen(name);
  const char *p = list_text;
  while (p && !(!strncmp(p, name, length) && p[length] == ':')) p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL;
  return p && strcspn(p, "\n") >= length + 1 + 9 * ((size_t)word + 1) && strtoul(p + length + 1 + 9 * word, NULL, 16) == hash;
}

static void save(uint64_t draw, int status) {
  head h;
  size_t k;
  memset(&h, 0, sizeof h);
  h.draw = draw;
  h.status = status;
  memcpy(h.spoiled, spoiled, sizeof spoiled);
  for (k = 0; k < result_count; k++) h.bytes += size_of_result(k);
  put(&h, sizeof h);
  for (k = 0; k < result_count; k++) put(results[k].data, size_of_result(k));
}

static void wrong(const char *name, uint64_t draw, int pass, const char *format, ...) {
  va_list list;
  printf("FAIL %s: draw %llu, pass %d,%s%s device_bytes %zu, blocks %zu, groups %zu, threads %d, work %zu:%s: ", name,
         (unsigned long long)draw, pass, there ? " on device memory," : "", hw->ntuned ? " tuned," : "", hw->device_bytes,
         test_cuda_most_blocks, test_cl_groups_y, hw->parallel.threads, work ? work_size : 0, text);
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
  printf("\n");
}

/* What a device may refuse, which others do not. */
static int own_refusal(int status) {
  return hw->ours.inside.device && (status == CONVK_ERR_MEMORY || status == CONVK_ERR_UNSUPPORTED);
}

static int compare(const char *name, uint64_t draw, int pass, int status, const head *h, const char *saved) {
  size_t i, k;
  const char *p = saved;
  for (k = 0; k < spoiled_count; k++)
    if (spoiled[k] != h->spoiled[k] && !own_refusal(spoiled[k])) {
      wrong(name, draw, pass, "of a spoiled shape %zu the status is %d, not %d", k, spoiled[k], h->spoiled[k]);
      return 0;
    }
  if (own_refusal(status)) {
    refused++;
    return 1;
  }
  if (status != h->status) {
    wrong(name, draw, pass, "status %d, not %d: %s", status, h->status, said());
    return 0;
  }
  for (k = 0, i = 0; k < result_count; k++) i += size_of_result(k);
  if (i != h->bytes) {
    wrong(name, draw, pass, "other sizes of results");
    return 0;
  }
  for (k = 0; k < result_count; p += size_of_result(k++)) {
    const size_t each = results[k].kind == 1 ? sizeof(float) : sizeof(double);
    double most = 0;
    if (!results[k].n || !memcmp(p, results[k].data, size_of_result(k))) continue;
    for (i = 0; i < results[k].n && results[k].kind != 2; i++) {
      double want = 0;
      float narrow;
      if (each == 4) memcpy(&narrow, p + 4 * i, 4), want = (double)narrow;
      else memcpy(&want, p + 8 * i, 8);
      if (want < 0) want = -want;
      if (want > most && want < 1e300) most = want;
    }
    for (i = 0; i < results[k].n; i++) {
      double want = 0, got;
      if (!memcmp(p + each * i, (const char *)results[k].data + each * i, each)) continue;
      if (results[k].kind == 2) {
        wrong(name, draw, pass, "word %zu of result %zu of %zu", i, k, results[k].n);
        return 0;
      }
      got = value_of(k, i);
      if (each == 4) {
        float narrow;
        memcpy(&narrow, p + 4 * i, 4);
        want = (double)narrow;
      } else {
        memcpy(&want, p + 8 * i, 8);
      }
      if (got != got && want != want) continue;
      if (results[k].within > 0 && (got - want <= results[k].within * most && want - got <= results[k].within * most)) continue;
      wrong(name, draw, pass, "element %zu of result %zu of %zu is %.17g, not %.17g", i, k, results[k].n, got, want);
      return 0;
    }
  }
  return 1;
}

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

static double seconds_now(void) { return (double)clock() / CLOCKS_PER_SEC; }

int main(int argc, char **argv) {
  const char *name = "avx2", *path = NULL, *list = NULL, *filter = NULL, *handle_name, *require = getenv("CONVK_REQUIRE");
  const int telling = getenv("DRAWS_TELL") != NULL;
  int saving = 0, printing = 0, i, status;
  uint64_t draws = 100, seed = 1, only = (uint64_t)-1, draw;
  static double share[COUNT_OF(operations)];
  double spent = 0;
  unsigned long tried = 0, made = 0;
  static unsigned hashes[COUNT_OF(operations)][WORDS];
  double seconds = 1e9;
  size_t k;
  convk handle;
  for (i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--print")) printing = 1;
    else if (i + 1 == argc) break;
    else if (!strcmp(argv[i], "--hw")) name = argv[++i];
    else if (!strcmp(argv[i], "--save")) saving = 1, path = argv[++i];
    else if (!strcmp(argv[i], "--compare")) path = argv[++i];
    else if (!strcmp(argv[i], "--list")) list = argv[++i];
    else if (!strcmp(argv[i], "--draws")) draws = (uint64_t)strtoul(argv[++i], NULL, 10);
    else if (!strcmp(argv[i], "--seed")) seed = (uint64_t)strtoul(argv[++i], NULL, 10);
    else if (!strcmp(argv[i], "--draw")) only = (uint64_t)strtoul(argv[++i], NULL, 10);
    else if (!strcmp(argv[i], "--seconds")) seconds = strtod(argv[++i], NULL);
    else if (!strcmp(argv[i], "--filter")) filter = argv[++i];
    else break;
  }
  if (i != argc || !path || (draws % WORDS && (list || printing))) {
    fprintf(stderr,
            "usage: %s [--hw NAME] --save FILE [--list FILE | --print] [--draws N] [--seed N] | --compare FILE [--seconds N] "
            "[--filter NAME,...] [--draw K]\n",
            argv[0]);
    return 2;
  }
  file = fopen(path, saving ? "wb" : "rb");
  if (!file || (list && !list_read(list))) {
    printf("cannot open %s\n", file ? list : path);
    return 2;
  }
  handle_name = strcmp(name, "cuda-emulated") ? name : "cuda";
  status = convk_open(&handle, handle_name);
  if (status) {
    printf("%s: %s\n", name, convk_strerror(status));
    failed = require && listed(require, name);
    printf("0 passed, %lu failed, 1 skipped\n", failed);
    return failed != 0;
  }
  hw = &handle;
  tuning = hw->tuning;
  if (hw->ours.inside.device) {
    convk_tuned *const list = (convk_tuned *)malloc(choices(NULL) * sizeof *list);
    if (!list) return 2;
    tuned_count = choices(list);
    hw->tuned = list;
#ifdef CONVK_TEST_CUDA_EMULATED
    on.hw = hw;
#endif
  }
  if (saving) put(&seed, sizeof seed), put(&draws, sizeof draws);
  else if (fread(&seed, 1, sizeof seed, file) != sizeof seed || fread(&draws, 1, sizeof draws, file) != sizeof draws) return 2;
  for (k = 0; k < COUNT_OF(operations); k++) tried += !filter || listed(filter, operations[k].name);
  for (draw = 0; draw < draws && spent < seconds; draw++)
    for (k = 0; k < COUNT_OF(operations); k++) {
      const char *const operation = operations[k].name;
      const double begin = seconds_now();
      const int wanted = (only == (uint64_t)-1 || draw == only) && (!filter || listed(filter, operation)) &&
                         (draw == 0 || share[k] < seconds / (double)tried);
      int pass, good = 1;
      head h;
      char *saved = NULL;
      memset(&h, 0, sizeof h);
      if (!saving) {
        if (fread(&h, 1, sizeof h, file) != sizeof h || h.draw != draw || !(saved = (char *)malloc((size_t)h.bytes + 1)) ||
            fread(saved, 1, (size_t)h.bytes, file) != h.bytes) {
          printf("%s is not of this program\n", path);
          return 2;
        }
      }
      for (pass = 0; pass < (saving ? 1 : 2) && good && (saving || wanted); pass++) {
        const char *c;
        int more = 0; /* memory, until it is enough */
      again:
        content = seed * UINT64_C(0x100000001b3) + draw * 7919;
        for (c = operation; *c; c++) content = (content ^ (uint64_t)(unsigned char)*c) * UINT64_C(0x100000001b3);
        way = content + (uint64_t)pass + (saving ? 99 : 0);
        text[0] = 0;
        result_count = spoiled_count = given_count = 0;
        written_refused = 0;
        memset(spoiled, 0, sizeof spoiled);
        work = NULL;
        choose_way(pass);
        hw->device_bytes <<= more;
        if (hw->device_bytes && held() > hw->device_bytes) { /* which the call may keep */
          const convk before = *hw;
          convk_close(hw);
          if (convk_open(hw, handle_name)) exit(2);
          hw->device_bytes = before.device_bytes;
          hw->tuned = before.tuned;
          hw->ntuned = before.ntuned;
        }
        status = operations[k].draw();
        if (status == CONVK_ERR_MEMORY && hw->device_bytes && more < 12) {
          more += 2;
          (void)forget();
          goto again;
        }
        if (status) result_count = 0;
        if (telling) printf("%s status %d:%s\n", operation, status, text);
        if (saving) {
          save(draw, status);
          hashes[k][draw % WORDS] = hashes[k][draw % WORDS] * 31 + hash_of(status);
          good = !list || draw + WORDS < draws || list_has(operation, draw % WORDS, hashes[k][draw % WORDS]);
          if (!good)
            wrong(operation, draw, pass,
                  "of status %d: of this draw, or of others that it shares a word with, the list does not have %08x", status,
                  hashes[k][draw % WORDS]);
        } else {
          good = compare(operation, draw, pass, status, &h, saved);
        }
        if (good && hw->device_bytes && held() > hw->device_bytes)
          wrong(operation, draw, pass, "the handle keeps %zu bytes", held()), good = 0;
        if (good && written_refused)
          wrong(operation, draw, pass, "a call that is refused by %d has written", written_refused), good = 0;
        if (!forget() && good) wrong(operation, draw, pass, "something is written beside an array"), good = 0;
        if (good) passed++;
        else failed++;
      }
      free(saved);
      share[k] += seconds_now() - begin;
      spent += seconds_now() - begin;
      made += wanted;
    }
  fclose(file);
  convk_close(hw);
  for (k = 0; printing && k < COUNT_OF(operations); k++) {
    printf("%s:", operations[k].name);
    for (i = 0; i < WORDS; i++) printf(" %08x", hashes[k][i]);
    printf("\n");
  }
  if (printing) return 0;
#ifdef CONVK_TEST_CUDA_EMULATED
  if (failed) printf("shown again by CONVK_EMULATOR_SCHEDULE=%s\n", convk_emulator_name());
#endif
  printf("seed %llu: %lu draws of %zu operations; %lu calls that %s refuses by itself\n", (unsigned long long)seed, made,
         COUNT_OF(operations), refused, name);
  if (!passed) failed++;
  printf("%lu passed, %lu failed, 0 skipped\n", passed, failed);
  return failed != 0;
}
