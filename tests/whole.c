/* SPDX-License-Identifier: MIT
   The harness with the library as one unit, for compilers and flags that are used once: test.c has its options. */
#define TEST_WHOLE
#include "test.h"

#include "test.c"
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
#include "test_fft.c"
#include "test_vmc.c"
#include "test_flush.c"
