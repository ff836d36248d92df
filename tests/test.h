/* SPDX-License-Identifier: MIT
   What every unit of the harness begins with.  A unit has the tests of one family and, with CONVK_DECLARE, only declares the library,
   which the program links; tests/whole.c is all of it as one unit.  Common subset of C99 and C++11. */
#ifndef CONVK_TESTS_TEST_H
#define CONVK_TESTS_TEST_H

#ifdef CONVK_TEST_CUDA_EMULATED
#include "cuda_emulator.h"
#endif
#include "harness.h"
#include "hooks.h"
#include "families.h"
#include "convk.h"

#include "reference.h"
#include "variants.h"
#include "calls.h"
#include "inside.h"

/* Which compiler made the library, as it made test.c; other units may be made by another. */
extern const int library_by_clang;

/* One test of one family.  It runs once for each type, or once when it has none.  The longest of those whose quick run has some of
   each of their cases are at length by --long alone. */
enum { UNTYPED, TYPED, TYPED_LONG };
typedef struct test {
  const char *operation, *name;
  void (*run)(int type);
  int typed;
} test;
/* The tests of a file. */
typedef struct test_list {
  const test *list;
  size_t count;
} test_list;
#ifndef EVERY_TEST_LIST
#define EVERY_TEST_LIST(list) \
  list(own) list(core) list(sepconv) list(dwt) list(hamiltonian) list(chebyshev) list(stencil) list(tune) list(vmath) \
      list(gaussian) list(formfactor) list(many) list(mesh) list(formfactor_exact) list(distances) list(amplitudes) list(fft) \
          list(vmc) list(vmc_parts) list(flush)
#endif
#define TEST_LIST_DECLARE_(name) extern const test_list name##_list;
EVERY_TEST_LIST(TEST_LIST_DECLARE_)
#define TEST_LIST(name) const test_list name##_list = {name##_tests, COUNT_OF(name##_tests)};

#endif
