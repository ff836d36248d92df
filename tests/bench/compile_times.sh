#!/bin/bash
# How long the families take to compile, over one compilation of stb_image.h (Debian: libstb-dev) in the same run, with all CPU modules.
#   tests/bench/compile_times.sh [--check] [--headers FOLDER] [FAMILY...]
#   --check     compares with the limits below, and ends with `N passed, N failed, 0 skipped`
#   --headers   another folder's headers, for comparisons
# CC is the compiler (gcc), RUNS how many runs the least user time is of (3).
cd "$(dirname "$0")/../.." || exit 1
headers=. check=''
while [[ ${1:-} == --* ]]; do
  case $1 in
    --check) check=yes ;;
    --headers)
      headers=$2
      shift
      ;;
    *) sed -n '2,6s/^# //p' "$0" && exit 2 ;;
  esac
  shift
done
# FAMILY: times of stb_image.h that both precisions may take; f64 alone; MB of the compiler; -O0 -g over -O2
limits='FILTERS 2.2 1.2 330 0.6
WAVELETS 2.0 1.1 320 0.6
SUMS 3.4 1.8 410 0.6
HAMILTONIAN 4.1 2.2 420 0.6
STENCIL 2.0 1.3 380 0.7
VMATH 2.3 1.4 420 0.7
GAUSSIAN_POINTS 3.2 1.8 450 0.6
GAUSSIAN_GRIDS 3.5 1.8 410 0.6
GAUSSIAN_CELLS 5.6 3.0 420 0.6
FORMFACTOR 3.7 2.0 500 0.6
DISTANCES 1.5 1.1 330 0.7
AMPLITUDES 1.4 0.8 330 0.7
FFT 3.2 1.8 470 0.6
PAIRS 3.8 2.0 480 0.6
ALL 30 17 1200 0.6'
declared=0.03 # CONVK_DECLARE with all families
families=${*:-$(awk '{ print $1 }' <<<"$limits")}
unit=$(mktemp -d) || exit 1
trap 'rm -rf "$unit"' EXIT
printf '#define STB_IMAGE_IMPLEMENTATION\n#include <stb/stb_image.h>\n' >"$unit/stb.c"
printf '#define CONVK_SIMD\n#include "convk.h"\nint main(void) { convk hw; return convk_open(&hw, NULL); }\n' >"$unit/unit.c"
took() { # FILE FLAGS...: the least user seconds, and MB
  for _ in $(seq "${RUNS:-3}"); do
    /usr/bin/time -f '%U %M' ${CC:-gcc} -I"$headers" "${@:2}" -c "$unit/$1.c" -o "$unit/$1.o" 2>&1 | tail -n 1
  done | sort -n | awk 'NR == 1 { printf "%s %d\n", $1, $2 / 1024 }'
}
passed=0 failed=0
within() { # WHAT FIGURE LIMIT
  if awk "BEGIN { exit !($2 <= $3) }"; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED $1: $2, limit $3"
  fi
}
over() { awk "BEGIN { printf \"%.3g\", $1 / $2 }"; }
[ -f /usr/include/stb/stb_image.h ] || { echo 'there is no stb_image.h: Debian package libstb-dev'; exit 2; }
echo '| family | both precisions, s | over stb_image | f64 alone, s | over stb_image | MB | -O0 -g over -O2 |'
echo '|---|---|---|---|---|---|---|'
read -r stb _ <<<"$(took stb -O2)"
for family in $families; do
  read -r both mb <<<"$(took unit -O2 -DCONVK_WITH_$family)"
  read -r double _ <<<"$(took unit -O2 -DCONVK_WITH_$family -DCONVK_F64)"
  read -r debug _ <<<"$(took unit -O0 -g -DCONVK_WITH_$family)"
  echo "| $family | $both | $(over "$both" "$stb") | $double | $(over "$double" "$stb") | $mb | $(over "$debug" "$both") |"
  [ "$check" ] || continue
  read -r _ most_both most_double most_mb most_debug <<<"$(grep "^$family " <<<"$limits")"
  within "$family over stb_image" "$(over "$both" "$stb")" "$most_both"
  within "$family, f64 alone, over stb_image" "$(over "$double" "$stb")" "$most_double"
  within "$family, MB of the compiler" "$mb" "$most_mb"
  within "$family, -O0 -g over -O2" "$(over "$debug" "$both")" "$most_debug"
done
declare=$( # twenty at a time: one takes five of the hundredths of a second that `time` counts in
  for _ in {1..20}; do echo ${CC:-gcc} -I"$headers" -O2 -DCONVK_DECLARE -DCONVK_WITH_ALL -c "$unit/unit.c" -o "$unit/unit.o"; done >"$unit/declare.sh"
  for _ in $(seq "${RUNS:-3}"); do /usr/bin/time -f %U bash "$unit/declare.sh" 2>&1 | tail -n 1; done | sort -n | awk 'NR == 1 { print $1 / 20 }'
)
echo "stb_image.h: $stb s; CONVK_DECLARE, all families: $declare s, $(over "$declare" "$stb") of it"
[ ! "$check" ] || { within 'CONVK_DECLARE over stb_image' "$(over "$declare" "$stb")" $declared && echo "$passed passed, $failed failed, 0 skipped"; }
[ $failed = 0 ]
