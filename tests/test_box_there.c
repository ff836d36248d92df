/* SPDX-License-Identifier: MIT
   Boxes of grids on device memory, with OpenCL, or as C++ with CUDA in the emulator: that every bit of a box is copied and nothing
   else is written, and what is refused and why.

     cc -std=c99 -I. -DCONVK_CL -DCONVK_WITH_STENCIL tests/test_box_there.c -o there -lOpenCL
     c++ -x c++ -std=c++11 -ffp-contract=off -I. -DCONVK_CUDA -DCONVK_WITH_STENCIL tests/test_box_there.c -o there  */
#include "there.h"

enum { MOST = 20000 }; /* elements of an array */

/* ---- copies ---- */

typedef struct side {
  convk_grid3 grid; /* nx = 0: packed */
  size_t first[3], shift;
} side;
typedef struct copy {
  const char *name;
  size_t count[3];
  side in, out;
} copy;

static const copy copies[] = {
    {"pack", {3, 5, 2}, {{9, 8, 7, 11, 90}, {2, 1, 4}, 3}, {{0, 0, 0, 0, 0}, {0, 0, 0}, 0}},
    {"unpack", {3, 5, 2}, {{0, 0, 0, 0, 0}, {0, 0, 0}, 5}, {{9, 8, 7, 0, 0}, {6, 3, 5}, 1}},
    {"from grid to grid", {1, 6, 7}, {{9, 8, 7, 0, 73}, {8, 2, 0}, 0}, {{4, 7, 8, 5, 0}, {0, 1, 1}, 2}},
    {"a whole grid", {13, 11, 9}, {{13, 11, 9, 16, 0}, {0, 0, 0}, 0}, {{13, 11, 9, 0, 150}, {0, 0, 0}, 7}},
    {"long rows", {4500, 2, 2}, {{4500, 2, 2, 0, 0}, {0, 0, 0}, 0}, {{4501, 2, 2, 0, 0}, {1, 0, 0}, 0}},
    {"one point", {1, 1, 1}, {{4, 4, 4, 0, 0}, {3, 3, 3}, 0}, {{4, 4, 4, 0, 0}, {0, 0, 0}, 0}},
    {"nothing", {3, 0, 2}, {{4, 4, 4, 0, 0}, {9, 9, 9}, 0}, {{4, 4, 4, 0, 0}, {0, 0, 0}, 0}},
};

static size_t place(const copy *c, const side *s, size_t x, size_t y, size_t z) {
  const int packed = !s->grid.nx;
  const size_t row = packed ? c->count[0] : s->grid.pitch_y ? s->grid.pitch_y : s->grid.nx;
  const size_t plane = packed ? row * c->count[1] : s->grid.pitch_z ? s->grid.pitch_z : row * s->grid.ny;
  return s->shift + (s->first[2] + z) * plane + (s->first[1] + y) * row + s->first[0] + x;
}

/* Any bits: also NaN with something in them, and denormal numbers. */
static void any_bits(unsigned char *p, size_t bytes, unsigned seed) {
  size_t i;
  for (i = 0; i < bytes; i++) {
    seed = seed * 1664525u + 1013904223u;
    p[i] = (unsigned char)(seed >> 24);
  }
  memset(p + bytes / 2, 0xff, bytes / 4);
}

#define COPIES(T, type) \
  static void copies_##type(void) { \
    static T in[MOST], out[MOST], want[MOST]; \
    size_t i, x, y, z; \
    for (i = 0; i < sizeof copies / sizeof *copies; i++) { \
      const copy *c = &copies[i]; \
      const int from_packed = !c->in.grid.nx, to_packed = !c->out.grid.nx; \
      memory a, b; \
      any_bits((unsigned char *)in, sizeof in, 1); \
      any_bits((unsigned char *)out, sizeof out, 2); \
      memcpy(want, out, sizeof want); \
      for (z = 0; z < c->count[2]; z++) \
        for (y = 0; y < c->count[1]; y++) \
          for (x = 0; x < c->count[0]; x++) \
            memcpy(&want[place(c, &c->out, x, y, z)], &in[place(c, &c->in, x, y, z)], sizeof *in); \
      a = there(sizeof in, in); \
      b = there(sizeof out, out); \
      check(NAME(box_copy_##type)(&on, c->count, from_packed ? NULL : &c->in.grid, from_packed ? NULL : c->in.first, \
                                  AT(const T, a, c->in.shift), to_packed ? NULL : &c->out.grid, \
                                  to_packed ? NULL : c->out.first, AT(T, b, c->out.shift)) == CONVK_OK, \
            c->name, said()); \
      back(b, out, sizeof out); \
      check(!memcmp(out, want, sizeof out), c->name, #type ": other bits"); \
      back(a, out, sizeof out); \
      check(!memcmp(out, in, sizeof in), c->name, "what is read has changed"); \
      drop(a); \
      drop(b); \
    } \
  }
COPIES(float, f32)
COPIES(double, f64)

/* ---- what is refused ---- */

static void refused(int is, int status, const char *why) {
  check(is == status && strstr(said(), why) && (*why || !*said()), why, said());
}

static void refusals(void) {
  static double numbers[1000], after[1000];
  const convk_grid3 g = {6, 5, 4, 0, 0}, thin = {6, 5, 4, 5, 0}, none = {6, 0, 4, 0, 0}, huge = {6, 5, (size_t)1 << 60, 0, 0};
  const size_t count[3] = {2, 3, 4}, many[3] = {2, 6, 4}, first[3] = {4, 2, 0}, beyond[3] = {5, 0, 0}, other[3] = {0, 2, 0},
               far[3] = {0, (size_t)-1, 0}, plane[3] = {6, 5, 1}, last[3] = {0, 0, 3};
  const memory a = there(sizeof numbers, numbers), b = there(sizeof numbers, numbers);
#define COPY(count, in_grid, in_first, in, out_grid, out_first, out) \
  NAME(box_copy_f64)(&on, count, in_grid, in_first, in, out_grid, out_first, out)
  refused(COPY(count, &g, first, AT(const double, a, 0), NULL, NULL, AT(double, b, 0)), CONVK_OK, "");
  refused(COPY(NULL, &g, first, AT(const double, a, 0), NULL, NULL, AT(double, b, 0)), CONVK_ERR_NULL, "count is NULL");
  refused(COPY(count, &g, first, NONE(const double), NULL, NULL, AT(double, b, 0)), CONVK_ERR_NULL, "in is NULL");
  refused(COPY(count, &g, first, AT(const double, a, 0), NULL, NULL, NONE(double)), CONVK_ERR_NULL, "out is NULL");
  refused(COPY(count, &g, beyond, AT(const double, a, 0), NULL, NULL, AT(double, b, 0)), CONVK_ERR_SIZE,
          "count and in_first reach beyond in_grid");
  refused(COPY(count, NULL, NULL, AT(const double, a, 0), &g, far, AT(double, b, 0)), CONVK_ERR_SIZE,
          "count and out_first reach beyond out_grid");
  refused(COPY(many, &g, NULL, AT(const double, a, 0), NULL, NULL, AT(double, b, 0)), CONVK_ERR_SIZE,
          "count and in_first reach beyond in_grid");
  refused(COPY(count, NULL, first, AT(const double, a, 0), NULL, NULL, AT(double, b, 0)), CONVK_ERR_SIZE,
          "count and in_first reach beyond count");
  refused(COPY(count, &none, NULL, AT(const double, a, 0), NULL, NULL, AT(double, b, 0)), CONVK_ERR_SIZE, "in_grid.ny is 0");
  refused(COPY(count, NULL, NULL, AT(const double, a, 0), &thin, NULL, AT(double, b, 0)), CONVK_ERR_PITCH,
          "out_grid.pitch_y is 5");
  refused(COPY(count, &huge, NULL, AT(const double, a, 0), NULL, NULL, AT(double, b, 0)), CONVK_ERR_OVERFLOW, "in_grid");
  refused(COPY(count, &g, first, AT(const double, a, 0), &g, other, AT(double, a, 0)), CONVK_ERR_OVERLAP, "in overlaps out");
  refused(COPY(count, &g, first, AT(const double, a, 0), &g, first, AT(double, a, 0)), CONVK_ERR_OVERLAP, "in overlaps out");
  refused(COPY(plane, &g, NULL, AT(const double, a, 0), &g, last, AT(double, a, 0)), CONVK_OK, "");
#ifdef CONVK_CL
  refused(COPY(count, &g, first, AT(const double, a, 881), NULL, NULL, AT(double, b, 0)), CONVK_ERR_SIZE,
          "in.mem is too small");
  refused(COPY(count, &g, first, AT(const double, a, 0), NULL, NULL, AT(double, b, 977)), CONVK_ERR_SIZE,
          "out.mem is too small");
  check(convk_cl_box_copy_f64(NULL, count, &g, first, AT(double, a, 0), NULL, NULL, AT(double, b, 0)) == CONVK_ERR_NULL, "on",
        "NULL");
#else
  check(convk_cuda_box_copy_f64(NULL, count, &g, first, (double *)a, NULL, NULL, (double *)b) == CONVK_ERR_NULL, "on", "NULL");
#endif
  back(a, after, sizeof after);
  check(!memcmp(numbers, after, sizeof numbers), "refusals", "something was written");
  drop(a);
  drop(b);
}

int main(void) {
  open_first();
  copies_f32();
  copies_f64();
  refusals();
#ifdef CONVK_CL
  first_device.cpu = !first_device.cpu; /* the other shape of work-items */
  copies_f32();
  copies_f64();
#endif
  close_first();
  return done();
}
