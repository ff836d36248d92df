/* SPDX-License-Identifier: MIT
   The library alone: tests/objects.sh compiles it family by family. */
#include "convk.h"
