/* What adapters of interfaces share that know neither handles nor status codes: a handle for each thread, what becomes of an error,
   and filters of the Daubechies-16 family that come without a function of their own. */
#ifndef ADAPTER_H
#define ADAPTER_H

#define CONVK_WITH_SEPCONV
#define CONVK_SIMD
#include "convk.h"

#include <stdio.h>

/* An error ends the program, as it does in the codes that these adapters serve.  Define this macro for another end; if it returns,
   the call has changed nothing. */
#ifndef ADAPTER_ERROR
#define ADAPTER_ERROR(routine, text) (fprintf(stderr, "%s: %s\n", routine, text), exit(1))
#endif

#if defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#define ADAPTER_OF_THREAD _Thread_local
#else
#define ADAPTER_OF_THREAD __thread
#endif

/* The handle of the calling thread: opened by its first call, so that no program needs to open it.  CONVK_HW in the environment names
   another hardware than the best.  Serial, or with -DCONVK_OPENMP -fopenmp as many threads as OpenMP has. */
static convk *adapter_handle(int *status) {
  static ADAPTER_OF_THREAD convk hw;
  *status = hw.size ? CONVK_OK : convk_open(&hw, getenv("CONVK_HW"));
  return &hw;
}

static void adapter_check(const char *routine, int status) {
  if (status) ADAPTER_ERROR(routine, convk_strerror(status));
}

enum { ADAPTER_REACH = 14 };

/* Points 0 .. 14 of the filters of derivatives, divided by the grid spacing or its square: the first is odd, the second even. */
static const double adapter_d1[ADAPTER_REACH + 1] = {
    0,
    0.8834460460908270942785856,
    -0.3032593514765938346887962,
    0.1063640682894442760934532,
    -0.03129014783948023634381564,
    0.006958379116450707495020408,
    -0.001031530213375445369097965,
    7.667706908380351933901775e-5,
    2.451992111053665419191564e-7,
    3.993810456408053712133667e-8,
    -7.207948238588481597101904e-8,
    -9.697184925637300947553069e-10,
    -7.252206916665149851135592e-13,
    1.240078536096648534547439e-14,
    -1.585464751677102510097179e-19,
};
static const double adapter_d2[ADAPTER_REACH + 1] = {
    -3.553692289913190194129681,     2.219146593891116389879455,     -0.6156141465570069496314854,
    0.2371780582153805636239248,     -0.08226639997421233409876635,  0.02207029188482255523789911,
    -0.004097656893426338238993271,  4.516792028750223534948004e-4,  -2.398228524507599670405556e-5,
    2.090423495292036595792289e-6,   -3.723076304736927584879150e-7, -1.058570554967414703734941e-8,
    -5.813879830282540547959251e-11, 2.708004936263194382698567e-13, -6.924474940639200152025731e-18,
};

/* All 29 taps times a factor. */
static void adapter_taps(const double half[ADAPTER_REACH + 1], int odd, double factor, double taps[2 * ADAPTER_REACH + 1]) {
  int l;
  for (l = 0; l <= ADAPTER_REACH; l++) {
    taps[ADAPTER_REACH - l] = factor * (odd ? -half[l] : half[l]);
    taps[ADAPTER_REACH + l] = factor * half[l];
  }
}

#endif
