/* SPDX-License-Identifier: MIT
   Histograms of distances on device memory, with OpenCL, or as C++ with CUDA in the emulator: the integers of processors, added
   to what is there, in any number of parts; nothing else is written, and what is refused and why.

     cc -std=c99 -I. -DCONVK_CL -DCONVK_WITH_DISTANCES tests/test_distances_there.c -o there -lOpenCL
     c++ -x c++ -std=c++11 -ffp-contract=off -I. -DCONVK_CUDA -DCONVK_WITH_DISTANCES tests/test_distances_there.c -o there  */
#include "there.h"

/* One buffer has all arrays. */
#define FROM(T, c, which) AT(T, (c)->all, (c)->at[which] / sizeof(T))
enum { X, Y, Z, KIND, COUNT, FIRST, SECOND, BEYOND, WORK, ARRAYS };
enum { N = 301, FRAMES = 2, STRIDE = 307, KINDS = 2, BINS = 90, PAIRS = 3, FILL = 0xa5, GAP = 40 };

/* A call, and where its arrays begin in the buffer, which is FILL between them. */
typedef struct call {
  const convk_cell *cell;
  size_t parts, at[ARRAYS], size[ARRAYS], bytes;
  int moments;
  double width;
  unsigned char *data; /* before it */
  memory all;
} call;

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
  /* The call by the processor, on `data`. */ \
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
    return convk_pair_histogram_##type(hw, &a, c->cell, NULL, &d, NULL, 0); \
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
    uint64_t seed = 11; \
    size_t work = 0, i, k; \
    check(!NAME(pair_histogram_work_size_##type)(&on, &a, &d, &work), "work", said()); \
    lay_out(c, sizeof(T), work); \
    for (k = 0; k < 3; k++) \
      for (i = 0; i < FRAMES * STRIDE; i++) \
        if (i % STRIDE < N) ((T *)(void *)(c->data + c->at[k]))[i] = (T)(spread * number(&seed)); \
    for (i = 0; i < N; i++) ((uint32_t *)(void *)(c->data + c->at[KIND]))[i] = number(&seed) < 0.3; \
    for (k = COUNT; k < WORK; k++) /* what is there, and carries into the upper words of squares */ \
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
    back(c.all, got, c.bytes); \
    check(!here_##type(hw, &c, c.data), name, hw->message); \
    memset(got + c.at[WORK], 0, c.size[WORK]); \
    memset(c.data + c.at[WORK], 0, c.size[WORK]); \
    check(!memcmp(got + c.at[COUNT], c.data + c.at[COUNT], c.size[COUNT]), name, #type ": other counts"); \
    check(!memcmp(got + c.at[FIRST], c.data + c.at[FIRST], c.size[FIRST]), name, #type ": other first moments"); \
    check(!memcmp(got + c.at[SECOND], c.data + c.at[SECOND], c.size[SECOND]), name, #type ": other second moments"); \
    check(!memcmp(got + c.at[BEYOND], c.data + c.at[BEYOND], c.size[BEYOND]), name, #type ": another number beyond"); \
    check(!memcmp(got, c.data, c.bytes), name, #type ": something beside arrays was written"); \
    drop(c.all); \
    free(got); \
    free(c.data); \
  }
HISTOGRAMS(float, f32)
HISTOGRAMS(double, f64)

/* ---- what is refused ---- */

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
  open_first();
  if (convk_open(&hw, "scalar")) return 2;
  counts_f32(&hw, "open", NULL, 0.05, 1, 1);
  counts_f64(&hw, "open, in parts", NULL, 0.05, 2, 3);
  counts_f64(&hw, "layer, atoms beside it", &layer, 0.02, 0, 1);
  counts_f32(&hw, "layer, in parts", &layer, 0.02, 2, 2);
  counts_f64(&hw, "images", &small, 0.05, 2, 1);
  refusals();
  convk_close(&hw);
  close_first();
  return done();
}
