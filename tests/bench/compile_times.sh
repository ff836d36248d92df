#!/bin/bash
# How long the families take to compile, with all CPU modules, over stb_image.h (Debian: libstb-dev).  A family and stb_image.h are
# compiled at the same time on one processor, which changes between them: what slows one slows the other.
#   tests/bench/compile_times.sh [--check] [--headers FOLDER] [FAMILY...]
#   --check     compares with the limits below, and ends with `N passed, N failed, 0 skipped`
#   --headers   another folder's headers, for comparisons
# CC is the compiler (gcc); figures are medians of RUNS runs (3), or with --check of one, if that is within all limits.
cd "$(dirname "$0")/../.." || exit 1
headers=. check=''
while [[ ${1:-} == --* ]]; do
  case $1 in
    --check) check=yes ;;
    --headers)
      headers=$2
      shift
      ;;
    *) sed -n '2,7s/^# //p' "$0" && exit 2 ;;
  esac
  shift
done
# FAMILY: times of stb_image.h that both precisions may take; f64 alone; MB of the compiler; -O0 -g over -O2
limits='FILTERS 2.2 1.2 330 0.6
WAVELETS 2.0 1.1 320 0.6
SUMS 3.4 1.8 410 0.6
HAMILTONIAN 4.1 2.2 420 0.6
STENCIL 1.8 1.1 330 0.7
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
[ -f /usr/include/stb/stb_image.h ] || { echo 'there is no stb_image.h: Debian package libstb-dev'; exit 2; }
unit=$(mktemp -d) || exit 1
trap 'rm -rf "$unit"' EXIT
printf '#define STB_IMAGE_IMPLEMENTATION\n#include <stb/stb_image.h>\n' >"$unit/stb.c"
printf '#define CONVK_SIMD\n#include "convk.h"\nint main(void) { convk hw; return convk_open(&hw, NULL); }\n' >"$unit/unit.c"
# ten at a time: one takes five of the hundredths of a second that `time` counts in
printf '"$@" || exit\n%.0s' {1..10} >"$unit/ten.sh"
! command -v taskset >/dev/null || taskset -cp "$(taskset -cp $$ | sed 's/.*[ ,-]//')" $$ >/dev/null
compile() { # NAME FILE FLAGS...: user seconds and MB
  local ten=()
  [ "$1" != declared ] || ten=(bash "$unit/ten.sh")
  /usr/bin/time -f '%U %M' -o "$unit/$1.took" "${ten[@]}" ${CC:-gcc} -I"$headers" "${@:3}" -c "$unit/$2.c" -o "$unit/$1.o"
}
run() { # FAMILY: another line of $unit/FAMILY.runs, with what `names` says; then seconds of both precisions and of f64
  local job jobs=()
  for job in 'stb stb -O2' "both unit -O2 -DCONVK_WITH_$1" "double unit -O2 -DCONVK_WITH_$1 -DCONVK_F64" \
    "debug unit -O0 -g -DCONVK_WITH_$1" 'declared unit -O2 -DCONVK_DECLARE -DCONVK_WITH_ALL'; do
    # shellcheck disable=SC2086
    compile $job &
    jobs+=($!)
  done
  for job in "${jobs[@]}"; do wait "$job" || exit 2; done
  cat "$unit"/{stb,both,double,declared,debug}.took | awk '{ t[NR] = $1; if (NR == 2) mb = $2 / 1024 }
    END { print t[2] / t[1], t[3] / t[1], t[4] / 10 / t[1], t[5] / t[2], mb, t[2], t[3] }' >>"$unit/$1.runs"
}
median() { sort -g -k "$2,$2" "$unit/$1.runs" | awk "{ v[NR] = \$$2 } END { printf \"%.3g\", v[int((NR + 2) / 2)] }"; } # FAMILY COLUMN
names=('over stb_image' 'f64 alone, over stb_image' 'CONVK_DECLARE over stb_image' '-O0 -g over -O2' 'MB of the compiler')
beyond() { # FAMILY: its figures that are over their limits
  local n=0 figure limit
  for limit in $(awk -v d=$declared -v f="$1" '$1 == f { print $2, $3, d, $5, $4 }' <<<"$limits"); do
    n=$((n + 1))
    figure=$(median "$1" $n)
    ! awk "BEGIN { exit !($figure > $limit) }" || echo "FAILED $1, ${names[n - 1]}: $figure, limit $limit"
  done
}
passed=0 failed=0
echo '| family | both precisions, s | over stb_image | f64 alone, s | over stb_image | MB | -O0 -g over -O2 | declarations of all families over stb_image |'
echo '|---|---|---|---|---|---|---|---|'
for family in $families; do
  for ((i = 0; i < ${RUNS:-3}; i++)); do
    run "$family"
    [ ! "$check" ] || [ "$(beyond "$family")" ] || break
  done
  for n in 6 1 7 2 5 4 3; do printf '| %s ' "$([ $n != 6 ] || echo "$family | ")$(median "$family" $n)"; done
  echo '|'
  [ "$check" ] || continue
  beyond=$(beyond "$family")
  [ ! "$beyond" ] || echo "$beyond"
  n=$(grep -c . <<<"$beyond")
  failed=$((failed + n)) passed=$((passed + ${#names[@]} - n))
done
[ ! "$check" ] || echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
