#!/bin/bash
# How long a unit takes to compile, by family and mode, as a table: user seconds, the least of some runs, all CPU modules, -O2.
#   tests/bench/compile_times.sh [HEADERS]     another folder's headers, for comparisons
# CC is the compiler (gcc), RUNS how many runs the least is of (3).
cd "$(dirname "$0")/../.." || exit 1
headers=${1:-.}
unit=$(mktemp -d) || exit 1
trap 'rm -rf "$unit"' EXIT
printf '#define CONVK_SIMD\n#include "convk.h"\n#ifndef CONVK_IMPLEMENT\nint main(void) { convk hw; return convk_open(&hw, NULL); }\n#endif\n' >"$unit/unit.c"
TIMEFORMAT=%U
seconds() {
  for _ in $(seq "${RUNS:-3}"); do
    { time ${CC:-gcc} -O2 -I"$headers" "$@" -c "$unit/unit.c" -o "$unit/unit.o" 2>"$unit/errors.txt"; } 2>&1
  done | sort -n | head -n 1
}
echo "| family | both precisions | f64 alone | \`CONVK_DECLARE\` | \`CONVK_IMPLEMENT\` |"
echo "|---|---|---|---|---|"
for family in SEPCONV STENCIL VMATH GAUSSIAN FORMFACTOR FFT VMC all; do
  define=-DCONVK_WITH_ALL
  [ $family = all ] || define=-DCONVK_WITH_$family
  printf '| %s | %s | %s | %s | %s |\n' "$family" "$(seconds $define)" "$(seconds $define -DCONVK_F64)" \
    "$(seconds $define -DCONVK_DECLARE)" "$(seconds $define -DCONVK_IMPLEMENT)"
done
