/* SPDX-License-Identifier: MIT
   Amplitudes of atoms on device memory, with OpenCL, or as C++ with CUDA in the emulator: the bits of calls on host arrays, which
   golden bits are about; nothing else is written, and what is refused and why.

     cc -std=c99 -I. -DCONVK_CL -DCONVK_WITH_AMPLITUDES tests/test_amplitudes_there.c -o there -lOpenCL
     c++ -x c++ -std=c++11 -ffp-contract=off -I. -DCONVK_CUDA -DCONVK_WITH_AMPLITUDES tests/test_amplitudes_there.c -o there  */
#include "there.h"

/* One buffer has all arrays. */
enum { X, Y, Z, WEIGHT, QX, QY, QZ, QI, KIND, F, WORK, ARRAYS };
enum { N = 141, FRAMES = 2, STRIDE = 147, KINDS = 2, NX = 7, NY = 5, NZ = 4, PITCH_Y = 9, PITCH_Z = 47, GAP = 40, FILL = 0xa5 };

typedef struct call {
  const char *name;
  int tensor, mirrored, given; /* bits: axes that have -q for every q; 1: kinds, 2: weights, 4: complex q_z */
  convk_amplitude_options options;
} call;

static const convk_cell oblique = {{5, 0.5, 0}, {0.25, 6, 1}, {0, -0.75, 7}};
static const convk_scatterer scatterers[KINDS] = {{2, {2.5, 1.25}, {20, 0.5}, {0.25, -0.5}, 0.75}, {0, {0}, {0}, {-3, 0}, 0}};
static const convk_grid3 grid = {NX, NY, NZ, PITCH_Y, PITCH_Z};
static size_t at[ARRAYS], size[ARRAYS], all;
static unsigned char *data; /* what the buffer holds before */
static memory buffer;
static convk device;

static size_t lay_out(size_t element, size_t work) {
  const size_t atoms = (FRAMES - 1) * STRIDE + N;
  const size_t count[ARRAYS] = {atoms, atoms, atoms, N, NX, NX, NX, NX, N, 2 * FRAMES * KINDS * NZ * PITCH_Z, work};
  size_t i, end = GAP;
  for (i = 0; i < ARRAYS; i++) {
    at[i] = end;
    size[i] = count[i] * (i == KIND ? sizeof(uint32_t) : i == WORK ? 1 : element);
    end += (size[i] + 7) / 8 * 8 + GAP;
  }
  return end;
}

static double number(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
  return (double)(*seed >> 40) / 16777216;
}

#define AMPLITUDES(T, type) \
  static NAME(atoms_##type) atoms_##type(int given) { \
    NAME(atoms_##type) a; \
    memset(&a, 0, sizeof a); \
    a.n = N, a.frames = FRAMES, a.stride = STRIDE; \
    a.x = AT(const T, buffer, at[X] / sizeof(T)); \
    a.y = AT(const T, buffer, at[Y] / sizeof(T)); \
    a.z = AT(const T, buffer, at[Z] / sizeof(T)); \
    if (given & 1) a.kind = AT(const uint32_t, buffer, at[KIND] / sizeof(uint32_t)); \
    if (given & 2) a.weight = AT(const T, buffer, at[WEIGHT] / sizeof(T)); \
    return a; \
  } \
  static waves_##type q_##type(int given) { \
    waves_##type q; \
    memset(&q, 0, sizeof q); \
    q.n = NX; \
    q.x = AT(const T, buffer, at[QX] / sizeof(T)); \
    q.y = AT(const T, buffer, at[QY] / sizeof(T)); \
    q.z = AT(const T, buffer, at[QZ] / sizeof(T)); \
    if (given & 4) q.z_imag = AT(const T, buffer, at[QI] / sizeof(T)); \
    return q; \
  } \
  static int there_##type(const call *c, size_t work) { \
    const NAME(atoms_##type) a = atoms_##type(c->given); \
    const waves_##type q = q_##type(c->given); \
    return c->tensor ? NAME(amplitudes_grid_##type)(&on, &a, &grid, &q, &c->options, AT(T, buffer, at[F] / sizeof(T)), \
                                                    BYTES_AT(buffer, at[WORK]), work) \
                     : NAME(amplitudes_##type)(&on, &a, &q, &c->options, AT(T, buffer, at[F] / sizeof(T)), \
                                               BYTES_AT(buffer, at[WORK]), work); \
  } \
  static int here_##type(const call *c, unsigned char *p) { \
    convk_atoms_##type a; \
    convk_q_##type q; \
    memset(&a, 0, sizeof a); \
    memset(&q, 0, sizeof q); \
    a.n = N, a.frames = FRAMES, a.stride = STRIDE; \
    a.x = (const T *)(void *)(p + at[X]); \
    a.y = (const T *)(void *)(p + at[Y]); \
    a.z = (const T *)(void *)(p + at[Z]); \
    a.kind = c->given & 1 ? (const uint32_t *)(void *)(p + at[KIND]) : NULL; \
    a.weight = c->given & 2 ? (const T *)(void *)(p + at[WEIGHT]) : NULL; \
    q.n = NX; \
    q.x = (const T *)(void *)(p + at[QX]); \
    q.y = (const T *)(void *)(p + at[QY]); \
    q.z = (const T *)(void *)(p + at[QZ]); \
    if (c->given & 4) q.z_imag = (const T *)(void *)(p + at[QI]); \
    return c->tensor ? convk_amplitudes_grid_##type(&device, &a, &grid, &q, &c->options, (T *)(void *)(p + at[F]), NULL, 0) \
                     : convk_amplitudes_##type(&device, &a, &q, &c->options, (T *)(void *)(p + at[F]), NULL, 0); \
  } \
  static size_t make_##type(const call *c) { \
    const NAME(atoms_##type) a = atoms_##type(0); \
    const waves_##type q = q_##type(c->given); \
    const size_t n[4] = {NX, NY, NZ, 0}; \
    uint64_t seed = 11; \
    size_t work = 0, k, i; \
    check(!(c->tensor ? NAME(amplitudes_grid_work_size_##type)(&on, &a, &grid, &c->options, &work) \
                      : NAME(amplitudes_work_size_##type)(&on, &a, &q, &c->options, &work)), \
          c->name, said()); \
    all = lay_out(sizeof(T), work); \
    data = (unsigned char *)malloc(all); \
    memset(data, FILL, all); \
    for (k = X; k < KIND; k++) \
      for (i = 0; i < size[k] / sizeof(T); i++) { \
        T *const v = (T *)(void *)(data + at[k]); \
        v[i] = (T)(8 * number(&seed) - 4); \
        if (k >= QX && i < n[k - QX] && c->mirrored >> (k - QX) & 1 && 2 * i + 1 >= n[k - QX]) \
          v[i] = 2 * i + 1 == n[k - QX] ? (T)0 : -v[n[k - QX] - 1 - i]; \
      } \
    for (i = 0; i < N; i++) ((uint32_t *)(void *)(data + at[KIND]))[i] = number(&seed) < 0.3; \
    buffer = there(all, data); \
    return work; \
  } \
  /* By a device with memory for one block of atoms at a time. */ \
  static void few_##type(const call *c) { \
    unsigned char *const again = (unsigned char *)malloc(all); \
    int status; \
    memcpy(again, data, all); \
    memset(again + at[F], FILL, size[F]); \
    do { \
      device.device_bytes += 1024; \
      status = here_##type(c, again); \
    } while (status == CONVK_ERR_MEMORY); \
    check(!status && !memcmp(again, data, all), c->name, #type ": other amplitudes, block by block"); \
    device.device_bytes = 0; \
    free(again); \
  } \
  static void compared_##type(const call *c) { \
    const size_t work = make_##type(c); \
    unsigned char *const got = (unsigned char *)malloc(all); \
    check(!there_##type(c, work), c->name, said()); \
    back(buffer, got, all); \
    check(!here_##type(c, data), c->name, device.message); \
    few_##type(c); \
    memset(got + at[WORK], 0, size[WORK]); \
    memset(data + at[WORK], 0, size[WORK]); \
    check(!memcmp(got + at[F], data + at[F], size[F]), c->name, #type ": other amplitudes, or between them"); \
    check(!memcmp(got, data, all), c->name, #type ": something beside arrays was written"); \
    drop(buffer); \
    free(got); \
    free(data); \
  }
#ifdef CONVK_CUDA
typedef convk_q_f32 waves_f32;
typedef convk_q_f64 waves_f64;
#else
typedef convk_cl_q waves_f32;
typedef convk_cl_q waves_f64;
#endif
AMPLITUDES(float, f32)
AMPLITUDES(double, f64)

/* ---- what is refused ---- */

static void refusals(void) {
  static const convk_cell layer = {{1, 0, 0}, {0, 2, 0}, {0, 0, 0}}, flat = {{1, 0, 0}, {2, 0, 0}, {0, 0, 1}};
  static const struct {
    int status;
    const char *says;
  } wrong[] = {{CONVK_ERR_NULL, "atoms is NULL"},
               {CONVK_ERR_NULL, "q is NULL"},
               {CONVK_ERR_NULL, "atoms->y is NULL"},
               {CONVK_ERR_NULL, "q->z is NULL"},
               {CONVK_ERR_NULL, "f is NULL"},
               {CONVK_ERR_OPTION, "options->output is 3"},
               {CONVK_ERR_OPTION, "q->y_imag is given"},
               {CONVK_ERR_OPTION, "terms is 7"},
               {CONVK_ERR_CELL, "vector 2 of options->cell is zero"},
               {CONVK_ERR_CELL, "in one plane"},
               {CONVK_ERR_OVERFLOW, "options->kinds is above"},
               {CONVK_ERR_SIZE, "atoms->stride is"},
               {CONVK_ERR_OVERLAP, "overlaps f"},
               {CONVK_ERR_NULL, "work is NULL"},
               {CONVK_ERR_WORK, "work_size is"}};
  convk_scatterer many[KINDS];
  call c = {"refusals", 1, 0, 3, {CONVK_AMPLITUDES_SUM, KINDS, scatterers, NULL}};
  unsigned char *after;
  size_t work = make_f64(&c), i, bytes;
  memcpy(many, scatterers, sizeof many);
  many[1].terms = 7;
  for (i = 0; i < 2 * sizeof wrong / sizeof *wrong; i++) {
    const size_t which = i / 2;
    NAME(atoms_f64) a = atoms_f64(3);
    waves_f64 q = q_f64(0);
    convk_amplitude_options o = c.options;
    int status;
    if (which == 2) a.y = NONE(const double);
    if (which == 3) q.z = NONE(const double);
    if (which == 5) o.output = 3;
    if (which == 6) q.y_imag = q.y;
    if (which == 7) o.scatterers = many;
    if (which == 8) o.cell = &layer;
    if (which == 9) o.cell = &flat;
    if (which == 10) o.kinds = 70000;
    if (which == 11) a.stride = N - 1;
    if (i % 2)
      status = NAME(amplitudes_grid_f64)(&on, which ? &a : NULL, &grid, which == 1 ? NULL : &q, &o,
                                         which == 4    ? NONE(double)
                                         : which == 12 ? AT(double, buffer, at[QY] / sizeof(double))
                                                       : AT(double, buffer, at[F] / sizeof(double)),
                                         which == 13 ? NONE(void) : BYTES_AT(buffer, at[WORK]), which == 14 ? 100 : size[WORK]);
    else
      status = NAME(amplitudes_f64)(&on, which ? &a : NULL, which == 1 ? NULL : &q, &o,
                                    which == 4    ? NONE(double)
                                    : which == 12 ? AT(double, buffer, at[QY] / sizeof(double))
                                                  : AT(double, buffer, at[F] / sizeof(double)),
                                    which == 13 ? NONE(void) : BYTES_AT(buffer, at[WORK]), which == 14 ? 100 : size[WORK]);
    check(status == wrong[which].status && strstr(said(), wrong[which].says), wrong[which].says, said());
    bytes = 0;
    if (which == 0 || which == 10 || which == 11) {
      status = i % 2 ? NAME(amplitudes_grid_work_size_f64)(&on, which ? &a : NULL, &grid, &o, &bytes)
                     : NAME(amplitudes_work_size_f64)(&on, which ? &a : NULL, &q, &o, &bytes);
      check(status == wrong[which].status && strstr(said(), wrong[which].says) && !bytes, wrong[which].says, said());
    }
  }
  {
    const convk_grid3 thin = {NX, NY, NZ, NX - 1, PITCH_Z};
    const NAME(atoms_f64) a = atoms_f64(3);
    waves_f64 q = q_f64(0);
    check(NAME(amplitudes_grid_f64)(&on, &a, &thin, &q, NULL, AT(double, buffer, at[F] / sizeof(double)),
                                    BYTES_AT(buffer, at[WORK]), work) == CONVK_ERR_PITCH,
          "pitch", said());
    check(NAME(amplitudes_f64)(NULL, &a, &q, NULL, AT(double, buffer, at[F] / sizeof(double)), BYTES_AT(buffer, at[WORK]),
                               work) == CONVK_ERR_NULL,
          "on is NULL", said());
    q.n = 0;
    check(
        !NAME(amplitudes_f64)(&on, &a, &q, NULL, AT(double, buffer, at[F] / sizeof(double)), BYTES_AT(buffer, at[WORK]), work),
        "no q", said());
  }
  after = (unsigned char *)malloc(all);
  back(buffer, after, all);
  check(!memcmp(after, data, all), "refusals", "something was written");
  drop(buffer);
  free(after);
  free(data);
}

/* Of many kinds, one that atoms name and is not there counts as the last one, as says the manual. */
static void beyond(void) {
  const call c = {"a kind beyond the last", 0, 0, 3, {CONVK_AMPLITUDES_KINDS, KINDS, NULL, NULL}};
  const size_t work = make_f64(&c);
  uint32_t *const kind = (uint32_t *)(void *)(data + at[KIND]);
  unsigned char *const got = (unsigned char *)malloc(all);
  size_t i;
  for (i = 0; i < N; i++) kind[i] = kind[i] ? 7 : 0;
  drop(buffer);
  buffer = there(all, data);
  check(!there_f64(&c, work), c.name, said());
  back(buffer, got, all);
  for (i = 0; i < N; i++) kind[i] = kind[i] ? 1 : 0;
  check(!here_f64(&c, data) && !memcmp(got + at[F], data + at[F], size[F]), c.name, device.message);
  drop(buffer);
  free(got);
  free(data);
}

int main(void) {
  static const call calls[] = {
      {"list, kinds of a cell", 0, 0, 3, {CONVK_AMPLITUDES_KINDS, KINDS, NULL, &oblique}},
      {"list", 0, 0, 0, {CONVK_AMPLITUDES_SUM, 1, NULL, NULL}},
      {"list, mean", 0, 0, 1, {CONVK_AMPLITUDES_MEAN, KINDS, scatterers, NULL}},
      {"grid", 1, 0, 3, {CONVK_AMPLITUDES_SUM, KINDS, scatterers, &oblique}},
      {"octants, kinds", 1, 7, 1, {CONVK_AMPLITUDES_KINDS, KINDS, NULL, NULL}},
      {"octants, mean of a cell", 1, 7, 2, {CONVK_AMPLITUDES_MEAN, 1, scatterers, &oblique}},
      {"list, complex q_z", 0, 0, 7, {CONVK_AMPLITUDES_SUM, KINDS, scatterers, &oblique}},
  };
  size_t i;
  open_there(&device);
  for (i = 0; i < sizeof calls / sizeof *calls; i++) {
    if (i % 2 || HARDWARE[0] == 'o') compared_f64(&calls[i]); /* OpenCL: another type has other programs, which take long */
    else compared_f32(&calls[i]);
  }
  beyond();
  refusals();
  convk_close(&device);
  return done();
}
