/* SPDX-License-Identifier: MIT
   The harness with the library as one unit, for compilers and flags that are used once: test.c has its options.
   With TEST_UNIT, a file, it has the tests of that family alone, whose lists TEST_LISTS(list) names: so it compiles in a fraction of the
   time. */
#define TEST_WHOLE
#ifdef TEST_UNIT
#define EVERY_TEST_LIST TEST_LISTS
#endif
#include "test.h"

#include "test.c"
#ifdef TEST_UNIT
/* Those that look inside, in test_core.c, which needs all families. */
#define ELSEWHERE(name) \
  void name(int type) { (void)type; }
ELSEWHERE(many_order)
ELSEWHERE(vmc_blocking)
ELSEWHERE(vmc_newton)
ELSEWHERE(vmc_reach)
ELSEWHERE(vmc_random)
ELSEWHERE(vmc_parts_join)
void many_counting(convk *hw, int type, size_t triangles) { (void)hw, (void)type, (void)triangles; }
size_t many_counted(void) { return 0; }
#include TEST_UNIT
#else
#ifndef CONVK_DECLARE /* to see whether a compiler takes the tests */
#include "test_core.c"
#endif
#include "test_sepconv.c"
#include "test_stencil.c"
#include "test_tune.c"
#include "test_vmath.c"
#include "test_gaussian.c"
#include "test_formfactor.c"
#include "test_distances.c"
#include "test_amplitudes.c"
#include "test_fft.c"
#include "test_vmc.c"
#include "test_flush.c"
#endif
