/* SPDX-License-Identifier: MIT
   Histograms of distances on device memory, with OpenCL, or as C++ with CUDA in the emulator: the integers of processors, added
   to what is there, in any number of parts; sums over them, with the bits of calls on host arrays, which golden bits are about;
   nothing else is written, and what is refused and why.

     cc -std=c99 -I. -DCONVK_CL -DCONVK_WITH_DISTANCES tests/test_distances_there.c -o there -lOpenCL
     c++ -x c++ -std=c++11 -ffp-contract=off -I. -DCONVK_CUDA -DCONVK_WITH_DISTANCES tests/test_distances_there.c -o there  */
#include "there.h"
#include <math.h>

/* One buffer has all arrays. */
#define FROM(T, c, which) AT(T, (c)->all, (c)->at[which] / sizeof(T))
enum { X, Y, Z, KIND, COUNT, FIRST, SECOND, BEYOND, WAVES, INTENSITY, BOUND, WORK, ARRAYS };
enum { N = 301, FRAMES = 2, STRIDE = 307, KINDS = 2, BINS = 90, PAIRS = 3, NQ = 67, FILL = 0xa5, GAP = 40 };

/* A call, and where its arrays begin in the buffer, which is FILL between them. */
typedef struct call {
  const convk_cell *cell;
  size_t parts, at[ARRAYS], size[ARRAYS], bytes;
  int moments;
  double width;
  unsigned char *data; /* before it */
  memory all;
} call;

static const convk_scatterer scatterers[KINDS] = {{2, {2.5, 1.25}, {20, 0.5}, {0.25, -0.5}, 0.75}, {0, {0}, {0}, {-3, 0}, 0}};
static const double self[KINDS] = {211, 90};
static convk device;

static void lay_out(call *c, size_t element, size_t work) {
  const size_t n = PAIRS * BINS * sizeof(uint64_t);
  const size_t size[ARRAYS] = {((FRAMES - 1) * STRIDE + N) * element,
                               ((FRAMES - 1) * STRIDE + N) * element,
                               ((FRAMES - 1) * STRIDE + N) * element,
                               N * sizeof(uint32_t),
                               n,
                               n,
                               2 * n,
                               PAIRS * sizeof(uint64_t),
                               NQ * element,
                               NQ * element,
                               NQ * element,
                               work};
  size_t i, at = GAP;
  for (i = 0; i < ARRAYS; i++) {
    c->at[i] = at;
    c->size[i] = size[i];
    at += (size[i] + 7) / 8 * 8 + GAP;
  }
  c->bytes = at;
  c->data = (unsigned char *)malloc(at);
  memset(c->data, FILL, at);
}

static double number(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
  return (double)(*seed >> 40) / 16777216;
}

#define HISTOGRAMS(T, type) \
  /* The calls on `data`: by the processor, and debye by the device. */ \
  static int here_##type(convk *hw, const call *c, unsigned char *data) { \
    convk_atoms_##type a; \
    convk_distances d; \
    memset(&a, 0, sizeof a); \
    memset(&d, 0, sizeof d); \
    a.n = N, a.frames = FRAMES, a.stride = STRIDE; \
    a.x = (const T *)(void *)(data + c->at[X]); \
    a.y = (const T *)(void *)(data + c->at[Y]); \
    a.z = (const T *)(void *)(data + c->at[Z]); \
    a.kind = (const uint32_t *)(void *)(data + c->at[KIND]); \
    d.bins = BINS, d.kinds = KINDS, d.width = c->width, d.moments = c->moments; \
    d.count = (uint64_t *)(void *)(data + c->at[COUNT]); \
    d.moment[0] = (uint64_t *)(void *)(data + c->at[FIRST]); \
    d.moment[1] = (uint64_t *)(void *)(data + c->at[SECOND]); \
    d.beyond = (uint64_t *)(void *)(data + c->at[BEYOND]); \
    return convk_pair_histogram_##type(hw, &a, c->cell, NULL, &d, NULL, 0) || \
           convk_debye_##type(&device, &d, c->parts > 1 ? NULL : scatterers, c->parts > 1 ? NULL : self, NQ, \
                              (const T *)(void *)(data + c->at[WAVES]), (T *)(void *)(data + c->at[INTENSITY]), \
                              c->cell ? NULL : (T *)(void *)(data + c->at[BOUND])); \
  } \
  static NAME(intensities_##type) intensities_##type(const call *c) { \
    NAME(intensities_##type) to; \
    memset(&to, 0, sizeof to); \
    to.nq = NQ; \
    to.q = FROM(const T, c, WAVES); \
    to.intensity = FROM(T, c, INTENSITY); \
    if (!c->cell) to.bound = FROM(T, c, BOUND); \
    return to; \
  } \
  static NAME(atoms_##type) atoms_##type(const call *c) { \
    NAME(atoms_##type) a; \
    memset(&a, 0, sizeof a); \
    a.n = N, a.frames = FRAMES, a.stride = STRIDE; \
    a.x = FROM(const T, c, X); \
    a.y = FROM(const T, c, Y); \
    a.z = FROM(const T, c, Z); \
    a.kind = FROM(const uint32_t, c, KIND); \
    return a; \
  } \
  static NAME(distances_##type) distances_##type(const call *c) { \
    NAME(distances_##type) d; \
    memset(&d, 0, sizeof d); \
    d.bins = BINS, d.kinds = KINDS, d.width = c->width, d.moments = c->moments; \
    d.count = FROM(uint64_t, c, COUNT); \
    d.moment[0] = FROM(uint64_t, c, FIRST); \
    d.moment[1] = FROM(uint64_t, c, SECOND); \
    d.beyond = FROM(uint64_t, c, BEYOND); \
    return d; \
  } \
  static void make_##type(call *c, double spread) { \
    NAME(atoms_##type) a = atoms_##type(c); \
    NAME(distances_##type) d = distances_##type(c); \
    const NAME(intensities_##type) to = intensities_##type(c); \
    uint64_t seed = 11; \
    size_t work = 0, more = 0, i, k; \
    check(!NAME(pair_histogram_work_size_##type)(&on, &a, &d, &work), "work", said()); \
    check(!NAME(debye_work_size_##type)(&on, &d, &to, &more), "work", said()); \
    lay_out(c, sizeof(T), work > more ? work : more); \
    for (k = 0; k < 3; k++) \
      for (i = 0; i < FRAMES * STRIDE; i++) \
        if (i % STRIDE < N) ((T *)(void *)(c->data + c->at[k]))[i] = (T)(spread * number(&seed)); \
    for (i = 0; i < N; i++) ((uint32_t *)(void *)(c->data + c->at[KIND]))[i] = number(&seed) < 0.3; \
    for (i = 0; i < NQ; i++) ((T *)(void *)(c->data + c->at[WAVES]))[i] = (T)(i ? 40 * number(&seed) - 20 : 0); \
    for (k = COUNT; k < WAVES; k++) /* what is there, and carries into the upper words of squares */ \
      for (i = 0; i < c->size[k] / 8; i++) ((uint64_t *)(void *)(c->data + c->at[k]))[i] = UINT64_C(0) - 70 - i; \
    c->all = there(c->bytes, c->data); \
  } \
  static void counts_##type(convk *hw, const char *name, const convk_cell *cell, double width, int moments, size_t parts) { \
    call c = {cell, parts, {0}, {0}, 0, moments, width, NULL, NULL}; \
    unsigned char *got; \
    convk_part part; \
    make_##type(&c, 8); \
    got = (unsigned char *)malloc(c.bytes); \
    for (part.index = 0, part.count = parts; part.index < parts; part.index++) { \
      const NAME(atoms_##type) a = atoms_##type(&c); \
      const NAME(distances_##type) d = distances_##type(&c); \
      check(!NAME(pair_histogram_##type)(&on, &a, cell, parts > 1 ? &part : NULL, &d, BYTES_AT(c.all, c.at[WORK]), \
                                         c.size[WORK]), \
            name, said()); \
    } \
    { \
      const NAME(distances_##type) d = distances_##type(&c); \
      const NAME(intensities_##type) to = intensities_##type(&c); \
      check(!NAME(debye_##type)(&on, &d, parts > 1 ? NULL : scatterers, parts > 1 ? NULL : self, &to, \
                                BYTES_AT(c.all, c.at[WORK]), c.size[WORK]), \
            name, said()); \
    } \
    back(c.all, got, c.bytes); \
    check(!here_##type(hw, &c, c.data), name, hw->message); \
    memset(got + c.at[WORK], 0, c.size[WORK]); \
    memset(c.data + c.at[WORK], 0, c.size[WORK]); \
    check(!memcmp(got + c.at[COUNT], c.data + c.at[COUNT], c.size[COUNT]), name, #type ": other counts"); \
    check(!memcmp(got + c.at[FIRST], c.data + c.at[FIRST], c.size[FIRST]), name, #type ": other first moments"); \
    check(!memcmp(got + c.at[SECOND], c.data + c.at[SECOND], c.size[SECOND]), name, #type ": other second moments"); \
    check(!memcmp(got + c.at[BEYOND], c.data + c.at[BEYOND], c.size[BEYOND]), name, #type ": another number beyond"); \
    check(!memcmp(got + c.at[INTENSITY], c.data + c.at[INTENSITY], c.size[INTENSITY]), name, #type ": other intensities"); \
    check(!memcmp(got + c.at[BOUND], c.data + c.at[BOUND], c.size[BOUND]), name, #type ": other bounds"); \
    check(!memcmp(got, c.data, c.bytes), name, #type ": something beside arrays was written"); \
    drop(c.all); \
    free(got); \
    free(c.data); \
  }
HISTOGRAMS(float, f32)
HISTOGRAMS(double, f64)

/* ---- what is refused ---- */

static void debye_refusals(const call *c) {
  static const struct {
    int status;
    const char *says;
  } wrong[] = {{CONVK_ERR_NULL, "distances is NULL"},
               {CONVK_ERR_NULL, "to is NULL"},
               {CONVK_ERR_NULL, "distances->count is NULL"},
               {CONVK_ERR_NULL, "distances->moment[1] is NULL"},
               {CONVK_ERR_SIZE, "distances->bins is 0"},
               {CONVK_ERR_OPTION, "distances->moments is 4"},
               {CONVK_ERR_NULL, "to->q is NULL"},
               {CONVK_ERR_NULL, "to->intensity is NULL"},
               {CONVK_ERR_OPTION, "kinds[1].terms is 7"},
               {CONVK_ERR_NONFINITE, "self[1] is not finite"},
               {CONVK_ERR_OVERLAP, "overlaps to->bound"},
               {CONVK_ERR_OVERLAP, "distances->count overlaps"},
               {CONVK_ERR_WORK, "work_size is"},
               {CONVK_ERR_NULL, "work is NULL"},
               {CONVK_ERR_OVERFLOW, "more work than"}};
  size_t i, bytes = 0;
  for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    NAME(distances_f64) d = distances_f64(c);
    NAME(intensities_f64) to = intensities_f64(c);
    convk_scatterer many[KINDS];
    double some[KINDS] = {1, 2};
    int got;
    memcpy(many, scatterers, sizeof many);
    if (i == 2) d.count = NONE(uint64_t);
    if (i == 3) d.moment[1] = NONE(uint64_t);
    if (i == 4) d.bins = 0;
    if (i == 5) d.moments = 4;
    if (i == 6) to.q = NONE(const double);
    if (i == 7) to.intensity = NONE(double);
    if (i == 8) many[1].terms = 7;
    if (i == 9) some[1] = HUGE_VAL;
    if (i == 10) to.bound = to.intensity;
    if (i == 11) to.intensity = FROM(double, c, COUNT);
    if (i == 14) to.nq = (size_t)-1 / 16;
    got = NAME(debye_f64)(&on, i ? &d : NULL, many, some, i == 1 ? NULL : &to,
                          i == 13 ? NONE(void) : BYTES_AT(c->all, c->at[WORK]), i == 12 ? 100 : c->size[WORK]);
    check(got == wrong[i].status && strstr(said(), wrong[i].says), wrong[i].says, said());
    if (i > 1 && i != 4 && i != 5 && i != 14) continue;
    got = NAME(debye_work_size_f64)(&on, i ? &d : NULL, i == 1 ? NULL : &to, &bytes);
    check(got == wrong[i].status && strstr(said(), wrong[i].says) && !bytes, wrong[i].says, said());
  }
}

static void refusals(void) {
  static const convk_cell flat = {{1, 0, 0}, {2, 0, 0}, {0, 0, 0}}, tiny = {{0.01, 0, 0}, {0, 0.01, 0}, {0, 0, 0.01}};
  call c = {NULL, 1, {0}, {0}, 0, 2, 0.05, NULL, NULL};
  unsigned char *after;
  size_t bytes = 0;
  int wrong;
  make_f64(&c, 8);
  for (wrong = 0; wrong < 16; wrong++) {
    static const char *const says[16] = {"atoms is NULL",
                                         "distances is NULL",
                                         "atoms->y is NULL",
                                         "distances->count is NULL",
                                         "distances->moment[1] is NULL",
                                         "distances->bins is 0",
                                         "distances->width is not positive",
                                         "part->index is 3",
                                         "in one plane",
                                         "images of cell",
                                         "overlaps distances->beyond",
                                         "work_size is",
                                         "work is NULL",
                                         "atoms->stride is",
                                         "distances->moments is 4",
                                         "no pair_histogram with weights"};
    static const int status[16] = {CONVK_ERR_NULL, CONVK_ERR_NULL,  CONVK_ERR_NULL,      CONVK_ERR_NULL,
                                   CONVK_ERR_NULL, CONVK_ERR_SIZE,  CONVK_ERR_NONFINITE, CONVK_ERR_OPTION,
                                   CONVK_ERR_CELL, CONVK_ERR_RANGE, CONVK_ERR_OVERLAP,   CONVK_ERR_WORK,
                                   CONVK_ERR_NULL, CONVK_ERR_SIZE,  CONVK_ERR_OPTION,    CONVK_ERR_UNSUPPORTED};
    NAME(atoms_f64) a = atoms_f64(&c);
    NAME(distances_f64) d = distances_f64(&c);
    convk_part part = {wrong == 7 ? 3u : 0u, 3};
    int got;
    if (wrong == 2) a.y = NONE(const double);
    if (wrong == 3) d.count = NONE(uint64_t);
    if (wrong == 4) d.moment[1] = NONE(uint64_t);
    if (wrong == 5) d.bins = 0;
    if (wrong == 6) d.width = -1;
    if (wrong == 10) d.beyond = d.count;
    if (wrong == 13) a.stride = N - 1;
    if (wrong == 14) d.moments = 4;
    if (wrong == 15) a.weight = a.x;
    got = NAME(pair_histogram_f64)(&on, wrong ? &a : NULL,
                                   wrong == 8   ? &flat
                                   : wrong == 9 ? &tiny
                                                : NULL,
                                   &part, wrong == 1 ? NULL : &d, wrong == 12 ? NONE(void) : BYTES_AT(c.all, c.at[WORK]),
                                   wrong == 11 ? 100 : c.size[WORK]);
    check(got == status[wrong] && strstr(said(), says[wrong]), says[wrong], said());
    if (wrong < 2 || wrong == 5 || wrong == 6 || wrong == 14) {
      got = NAME(pair_histogram_work_size_f64)(&on, wrong ? &a : NULL, wrong == 1 ? NULL : &d, &bytes);
      check(got == status[wrong] && strstr(said(), says[wrong]) && !bytes, says[wrong], said());
    }
  }
  {
    const NAME(atoms_f64) a = atoms_f64(&c);
    const NAME(distances_f64) d = distances_f64(&c);
    NAME(atoms_f64) none;
    memset(&none, 0, sizeof none);
    check(NAME(pair_histogram_f64)(NULL, &a, NULL, NULL, &d, BYTES_AT(c.all, c.at[WORK]), c.size[WORK]) == CONVK_ERR_NULL,
          "on is NULL", said());
    check(!NAME(pair_histogram_f64)(&on, &none, NULL, NULL, &d, BYTES_AT(c.all, c.at[WORK]), c.size[WORK]), "no atoms", said());
  }
  debye_refusals(&c);
  after = (unsigned char *)malloc(c.bytes);
  back(c.all, after, c.bytes);
  check(!memcmp(after, c.data, c.bytes), "refusals", "something was written");
  drop(c.all);
  free(after);
  free(c.data);
}

int main(void) {
  static const convk_cell layer = {{9, 0, 0}, {0, 0, 0}, {2, 0, 7}}, small = {{2, 0, 0}, {0.5, 2.25, 0}, {0, -0.25, 3}};
  convk hw;
  open_there(&device);
  if (convk_open(&hw, "scalar")) return 2;
  counts_f32(&hw, "open", NULL, 0.05, 1, 1);
  counts_f64(&hw, "open, in parts", NULL, 0.05, 2, 3);
  counts_f64(&hw, "layer, atoms beside it", &layer, 0.02, 0, 1);
  counts_f32(&hw, "layer, in parts", &layer, 0.02, 2, 2);
  counts_f64(&hw, "images", &small, 0.05, 2, 1);
  refusals();
  convk_close(&hw);
  convk_close(&device);
  return done();
}
