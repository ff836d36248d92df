#!/bin/bash
# Every test that this machine can run, in parts; what is missing is skipped, with the Debian package that provides it.
#   tests/run.sh [PART...]                  these parts, or all of `make test`
#   tests/run.sh --changed [REVISION]       those that concern what differs from REVISION, or else from HEAD
# tests/parts.txt lists the parts, and of each the paths that concern it; tests/parts/*.sh hold them.
# In the environment: CC, CXX, CFLAGS; JOBS, how many parts at a time; CONVK_REQUIRE=opencl,nvcc,... makes the skips of
# these features failures.  Logs are kept in build/log.  The last line is `N passed, N failed, N skipped`.
# TEST_LONG=1, before a release, repeats at length what is otherwise done in short: tests of both types and all sizes, under tools, too
# (the head of tests/test.c says what the harness does of each); golden bits of both types and all families by every compiler, on
# aarch64, PoCL and the CUDA emulator; each family by compilers, levels and standards in tests/compile.sh; machine code of all CUDA
# kernels for two architectures; faults that tests must notice (tests/faults.py).  Here alone: the portable variant under valgrind, the
# harness on aarch64, golden bits of riscv64, WebAssembly and gcc 14 to 16, and how long all families take to compile (also
# TEST_LONG=1 tests/run.sh compile_time).
# TEST_SMOKE=1, in the part `bare`, where there are next to no tools: golden bits of one family in portable C, and of the other parts
# whether they find their tools.
set -u
cd "$(dirname "$0")/.." || exit 1
# shellcheck disable=SC2034 # what the parts read
smoke=${TEST_SMOKE:-} long=${TEST_LONG:-}
export CC=${CC:-cc} CXX=${CXX:-g++} CFLAGS=${CFLAGS:--O2} JOBS=${JOBS:-$(nproc)}
export POCL_CACHE_DIR=$PWD/build/pocl LC_ALL=C
export OBJECT_JOBS=$JOBS # of tests/objects.sh, for which other parts wait
PATH=$PATH:/usr/local/cuda/bin
require=${CONVK_REQUIRE:-}
unset CONVK_REQUIRE CONVK_HW
export CONVK_TEST_RUN=$$.$(date +%s) # what tests/objects.sh has seen once
log=build/log out=build/test families='' # of these families alone, if there are any: --changed
mkdir -p $log $out $POCL_CACHE_DIR
exec 8>build/run.lock # programs and files of parts have names: one run at a time in a tree
flock -n 8 || { echo 'another tests/run.sh works in this tree: waiting for its end'; flock 8; }

. tests/choose.sh
every=$(parts_of make ${long:+long})
parts=$every
if [ "${1:-}" = --changed ]; then
  paths=$(changed_paths "${2:-HEAD}") || exit 2
  # shellcheck disable=SC2086
  parts=$(touched $paths)
  # shellcheck disable=SC2086
  [ "$parts" = "$(parts_of make)" ] || families=$(families_of $paths)
  [ -n "$parts" ] || echo "nothing differs from ${2:-HEAD} that a part is about"
  echo "chosen: ${parts//$'\n'/ }"
elif [ $# -gt 0 ]; then
  parts=$*
fi
left_out() { # what --changed did not run
  [ -z "$families" ] || echo "of harness and golden all families but ${families//$'\n'/ }"
  grep -vxF "${parts:-.}" <<<"$every"
}
. tests/words.sh
for file in tests/parts/*.sh; do
  . "$file"
done
for f in ${require//,/ }; do
  [[ " $features " == *[[:space:]]"$f"[[:space:]]* ]] || { echo "CONVK_REQUIRE: $f is none of: "$features; exit 2; }
done

start=$(date +%s)
passed=0 failed=0 skipped=0
table=tests/times.txt # processor seconds of the parts of `make test` in one whole run, and the budget of their sum
busy() { awk 'NR == 1 { print $2 + $3 + $4 }' /proc/stat 2>/dev/null || echo 0; } # ticks that all processors have worked
busy_before=$(busy)
spent() { awk 'END { split($1 "m" $2, t, /[ms]+/); printf "%.1f", 60 * (t[1] + t[3]) + t[2] + t[4] }' "$log/$1.times" 2>/dev/null; } # PART: processor seconds
begun=0 wanted=$(wc -w <<<"$parts")
report() { # PART: its line, and its share of the sums
  local part=$1 f=$log/$1 status word cpu p=0 n=0 s=0 sums
  status=$(cat "$f.status")
  sums=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$f.txt")
  while read -r a b c; do
    p=$((p + a)) n=$((n + b)) s=$((s + c))
  done < <(echo "${sums:-0 0 0}")
  case $status in
    0) [ $((p + n + s)) = 0 ] && p=1 ;;
    77) s=$((s + 1)) ;;
    *) [ $n = 0 ] && n=1 ;;
  esac
  word=ok
  [ "$status" = 77 ] && word=skipped
  [ "$status" = 0 ] || [ "$status" = 77 ] || word=FAILED
  [ "$word" = ok ] && [ $n != 0 ] && word=FAILED
  cpu=$(spent "$part")
  printf '%-8s %-16s %6s s, of processors %6s s  %d passed, %d failed, %d skipped' "$word" "$part" "$(cat "$f.seconds")" "${cpu:--}" $p $n $s
  [ "$word" = skipped ] && printf '  (%s)' "$(tail -n 1 "$f.txt")"
  echo
  if [ "$word" = FAILED ]; then
    failures "$f.txt" | head -n 50 | sed 's/^/    | /'
  else
    grep -E '^skipped|^compile time' "$f.txt" | sed 's/^/    | /'
  fi
  passed=$((passed + p)) failed=$((failed + n)) skipped=$((skipped + s))
}

waiting=()
finish() { # reports the parts that are done, in the order of their ends
  local part left=()
  for part in "${waiting[@]}"; do
    if [ -f "$log/$part.status" ]; then report "$part"; else left+=("$part"); fi
  done
  waiting=("${left[@]}")
}
for part in $parts; do
  declare -F "part_$part" >/dev/null || { echo "no part $part; there are: "$every; exit 2; }
  while ((${#waiting[@]} >= JOBS)); do
    wait -n
    finish
  done
  rm -f "$log/$part".*
  begun=$((begun + 1))
  echo "$begun of $wanted: $part ..."
  {
    first=${EPOCHREALTIME/./}
    export CONVK_GOLDEN_SAW=$PWD/$log/$part.saw
    (set -eo pipefail; "part_$part") >"$log/$part.txt" 2>&1
    echo $? >"$log/$part.new"
    took=$((${EPOCHREALTIME/./} - first))
    echo $((took / 1000000)).$((took / 100000 % 10)) >"$log/$part.seconds"
    times >"$log/$part.times" # of the shell, then of all that it ran: user, system
    mv "$log/$part.new" "$log/$part.status"
  } &
  waiting+=("$part")
done
while ((${#waiting[@]})); do
  wait -n
  if [ $? = 127 ]; then # no more jobs: whoever has no status was killed
    for part in "${waiting[@]}"; do [ -f "$log/$part.status" ] || { echo 137 >"$log/$part.status"; echo '-' >"$log/$part.seconds"; }; done
  fi
  finish
done
echo "$(($(date +%s) - start)) seconds; logs in $log"

# What took long: a part that wants half as much again as its row of the table has, where nothing else ran on the machine, and a
# second run of the part would not find made what another part made before.
times_of_run() {
  local part cpu row sum=0 others
  {
    echo "# Processor seconds of the parts of \`make test\`. tests/run.sh names parts that take half as much again, and tests/parts/choice.sh"
    echo '# compares the sum with the budget. A whole run writes build/times.txt, to be copied here.'
    echo "# machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors, $JOBS parts at a time; $($CC -dumpversion); $(date +%F)"
    grep '^budget ' $table
    for part in $parts; do echo "$part $(spent "$part")"; done
  } >build/times.txt
  sum=$(awk '!/^(#|budget)/ { sum += $2 } END { printf "%.0f", sum }' build/times.txt)
  others=$(awk -v busy=$(($(busy) - busy_before)) -v hz="$(getconf CLK_TCK)" -v own="$sum" 'BEGIN { printf "%.0f", busy / hz - own }')
  echo "$sum processor seconds, of a budget of $(sed -n 's/^budget //p' $table), written to build/times.txt; other programs took $others"
  [ $((others * 10)) -lt "$sum" ] || { echo 'other programs were busy: the parts are not compared with tests/times.txt'; return; }
  for part in $parts; do
    cpu=$(spent "$part") row=$(awk -v p="$part" '$1 == p && $2 != "-" { print $2 }' $table)
    awk -v c="$cpu" -v r="${row:-0}" 'BEGIN { exit !(r && c > 1.5 * r + 2) }' && echo "slow: $part $cpu processor seconds, $row in tests/times.txt"
  done
}
[ "$parts" != "$every" ] || [ -n "$long$smoke" ] || times_of_run
[ "${1:-}" != --changed ] || echo "left out: $(left_out | paste -sd' ')"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
