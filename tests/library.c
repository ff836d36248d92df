/* SPDX-License-Identifier: MIT
   The library alone: tests/objects.sh compiles it family by family. */
#ifdef CONVK_EMULATOR_COUNTS /* on the emulated device processors' kernels need not be fast: not optimised they compile faster */
#undef CONVK_CUDA
#pragma clang optimize off
#include "convk.h"
#pragma clang optimize on
#include "convk_cuda.h"
#else
#include "convk.h"
#endif
