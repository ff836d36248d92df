/* SPDX-License-Identifier: MIT
   Tests of chebyshev3d: the bits of its recurrence by calls of sumconv3d, which has a reference of its own.  Included by
   test_sepconv.c, after test_dwt.c, whose turns of devices it takes. */

#define T float
#define OWN(name) name##_f32
#define REAL(name) convk_##name##_f32
#define COMPLEX(name) convk_##name##_c32
#include "chebyshev_typed.h"
#undef T
#undef OWN
#undef REAL
#undef COMPLEX
#define T double
#define OWN(name) name##_f64
#define REAL(name) convk_##name##_f64
#define COMPLEX(name) convk_##name##_c64
#include "chebyshev_typed.h"
#undef T
#undef OWN
#undef REAL
#undef COMPLEX

static void there_cheb_recurrences(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int c;
  for (c = 0; c < (suite.quick ? 12 : 60); c++) {
    dwt_turn++;
    (type ? there_cheb_case_f64 : there_cheb_case_f32)(1 + c % 2, &rng);
  }
}

static void there_cheb_refusals(int type) {
  (type ? there_cheb_errors_f64 : there_cheb_errors_f32)(1);
  (type ? there_cheb_errors_f64 : there_cheb_errors_f32)(2);
}

static const test chebyshev_tests[] = {
    {"chebyshev3d", "recurrence_there", there_cheb_recurrences, 1},
    {"chebyshev3d", "errors_there", there_cheb_refusals, 1},
};
TEST_LIST(chebyshev)
