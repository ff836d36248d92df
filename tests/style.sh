#!/bin/bash
# The format of src/, tests/ and examples/, and what clang-tidy has to say: tests/style.sh [format|lint|apart]
#   format   clang-format changes nothing, but for the files of tests/style.apart, which are set by hand
#   lint     clang-tidy with the checks of .clang-tidy: the headers with all modules, tests, examples and benchmarks; Python compiles
#   apart    prints what tests/style.apart would hold: the files that clang-format would change
# By default format and lint.  In the environment: JOBS, how many at a time.  The last line is `N passed, N failed, 0 skipped`.
set -u
cd "$(dirname "$0")/.." || exit 1
JOBS=${JOBS:-$(nproc)}
files() { # of those that git would keep, where there is git
  git ls-files -co --exclude-standard src tests examples 2>/dev/null || find src tests examples -type f
}
texts() { files | grep -E '\.(c|h|cpp|cl|cu|cuh)$' | sort -u | while read -r f; do [ -f "$f" ] && echo "$f"; done; }
changes() { ! clang-format --dry-run --Werror "$1" >/dev/null 2>&1; } # what no clang-format knows counts as changed, too
passed=0 failed=0
count() { # RESULT NAME
  if [ "$1" = 0 ]; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED $2"
  fi
}

format() {
  texts | grep -vxFf tests/style.apart | xargs clang-format --dry-run --Werror >build/style.txt 2>&1
  count $? 'clang-format changes nothing: clang-format -i FILE, or name it in tests/style.apart'
  grep -m 9 'error:' build/style.txt
  # what holds for files set by hand, too
  texts | xargs grep -nE $'\t|[[:blank:]]$' >build/style.txt && head -n 5 build/style.txt
  [ ! -s build/style.txt ]
  count $? 'no tabs, and no blanks at the ends of lines'
  # shellcheck disable=SC2016
  texts | grep '^src/' |
    xargs awk 'length > 128 { print FILENAME ":" FNR ": " length " columns"; wide = 1 } END { exit wide }'
  count $? 'lines of src/ of at most 128 columns, comments too'
  # shellcheck disable=SC2016
  texts | grep -v '^src/' | xargs awk 'length > 144 && /[;{}\\,:]$/ { print FILENAME ":" FNR ": " length " columns"; wide = 1 } END { exit wide }'
  count $? 'lines of code of at most 144 columns'
}

lint() {
  local units
  mkdir -p build/style
  {
    printf '#define CONVK_SIMD\n'
    echo '#include <CL/cl.h>' | ${CC:-cc} -DCL_TARGET_OPENCL_VERSION=120 -E -x c - >/dev/null 2>&1 && echo '#define CONVK_CL'
    printf '#include "convk.h"\nint main(void) { convk hw; return convk_open(&hw, 0); }\n'
  } >build/style/every.c
  units=$(texts | grep -E '^(src|tests|examples)/.*\.c$' | xargs grep -lE '\<main *\(' |
    sed 's|^tests/test.c$|tests/whole.c\ntests/test_core.c|') # all its units
  mpi=$(mpicc -show 2>/dev/null | grep -oE -- '-I[^ ]*' | tr '\n' ' ')
  [ -n "$mpi" ] || units=$(grep -v '^examples/mpi/' <<<"$units")
  export mpi
  rm -f build/style/*.txt
  MADE=build/style/made NAMES=build/style/names src/headers.sh --check >build/style/differs.txt # of what tests/test_overlap.c includes
  python3 tests/overlap.py build/style/names/rooms/list.h >build/style/overlap.h || units=$(grep -v test_overlap.c <<<"$units")
  # The library is read twice, with one type each, as the text of both is one; the rest only declares it.
  # shellcheck disable=SC2016
  printf '%s\n' build/style/every.c $units | xargs -P "$JOBS" -n 1 bash -c '
    case $1 in build/style/every.c) some=-DCONVK_F32 ;; tests/test_opencl_host.c) some=-DCONVK_F64 ;; *) some=-DCONVK_DECLARE ;; esac
    grep -q "define CONVK_WITH_" "$1" || some+=" -DCONVK_WITH_ALL"
    clang-tidy --quiet --config-file=.clang-tidy "$1" -- $some -std=gnu99 -DCONVK_SSE -DCONVK_AVX -DCONVK_AVX_WITHOUT_AVX2 -DCL_TARGET_OPENCL_VERSION=120 -I. -Ibuild/style $mpi \
      >build/style/${1//\//_}.txt 2>/dev/null && rm build/style/${1//\//_}.txt' -
  for f in build/style/every.c $units; do
    [ ! -e "build/style/${f//\//_}.txt" ]
    count $? "clang-tidy $f"
    grep -hE 'error:' "build/style/${f//\//_}.txt" 2>/dev/null | sort -u | head -n 8
  done
  files | grep '\.py$' | python3 -c 'import sys
for path in sys.stdin.read().split(): compile(open(path).read(), path, "exec", dont_inherit=True)'
  count $? 'the syntax of Python'
}

mkdir -p build
case ${1:-} in
  '') format && lint ;;
  format) format ;;
  lint) lint ;;
  apart)
    for f in $(texts); do changes "$f" && echo "$f"; done
    exit 0
    ;;
  *) sed -n '2,6s/^# //p' "$0" && exit 2 ;;
esac
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
