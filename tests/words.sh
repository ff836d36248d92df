# Words that the parts share: sourced by run.sh.

# What CONVK_REQUIRE may name; files of parts add theirs.
features='c++ clang cmake pkg-config png fortran opencl cuda-emulated nvcc gpu sanitizers valgrind qemu-x86 qemu-aarch64
  qemu-riscv64 objdump nvdisasm clang-format clang-tidy mpi mpich hdf5 simgrid x86 sse2 avx avx2 avx512'

# What CONVK_WITH_ stands before in the error that lists the families.
named_families() { grep '^CONVK_WITH_[A-Z]' convk.h | grep -o 'CONVK_WITH_[A-Z0-9_]*' | sed 's/CONVK_WITH_//'; }
required() { [[ ,$require, == *,"$1",* ]]; }
# The features among these that are required, for the test programs.
among() { for f in "$@"; do required "$f" && printf '%s,' "$f"; done; true; }
# skip FEATURE WHY: ends a part
skip() {
  echo "$2"
  if required "$1"; then exit 1; else exit 77; fi
}
there() { [ -f "$2" ] || skip "$1" "there is no $2"; }              # there FEATURE FILE
# In the part `bare`, where there are next to no tools, a part ends here: it looked for them.
decided() { [ -z "$smoke" ] || { echo 'its tools are there'; exit 0; }; }
need() { command -v "$2" >/dev/null || skip "$1" "Debian package $3"; } # need FEATURE COMMAND PACKAGE

# Parts of several tests: each `try NAME COMMAND...` is one, each `without FEATURE WHAT WHY` is skipped, `total` counts them.
tried=0 wrong=0 left=0
# Sets spent: hundredths of processor seconds of this shell and all that it ran and waited for.
spend() {
  local fields
  read -ra fields 2>/dev/null </proc/$BASHPID/stat && spent=$((fields[13] + fields[14] + fields[15] + fields[16])) || spent=0
}
try() {
  local name=$1 spent=0 before
  shift
  tried=$((tried + 1))
  spend
  before=$spent
  if "$@"; then
    spend
    spent=$((spent - before))
    if ((spent < 50)); then echo "ok $name"; else echo "ok $name, $((spent / 100)).$((spent / 10 % 10)) s of processors"; fi
  else
    wrong=$((wrong + 1))
    echo "FAILED $name: $*"
  fi
}
without() {
  if required "$1"; then try "$2: $3" false; else
    left=$((left + 1))
    echo "skipped: $2: $3"
  fi
}
total() {
  echo "$((tried - wrong)) passed, $wrong failed, $left skipped"
  [ $wrong = 0 ]
}

# What went wrong, by the log of a part: each line that says so; before one of `try` the last lines that its command printed, and the first
# of its errors if they stand further up; behind it what other drivers print there.  If no line says so, the last ones; a part that ends without its sum has something to say, too.
failures() { # LOG
  awk '
    function show(most,   i) {
      for (i = 0; i < held; i++) if (i >= held - most || (line[i] ~ /error:|undefined reference/ && errors++ < 3)) print "  " line[i]
      said += held
      held = errors = 0
    }
    { summed = /^[0-9]+ passed, [0-9]+ failed/ }
    summed || /^(ok|skipped:) / { held = behind = 0; next }
    /^FAILED/ { show(12); print; said++; behind = 4; next }
    /^FAIL/ { print; said++; behind = 0; next }
    behind > 0 { print "  " $0; behind--; next }
    { line[held++] = $0 }
    END { if (!summed) show(said ? 4 : 15) }' "$1" | cut -c1-240
}

licensed() { # HEADER: its head is the text of LICENSE
  sed -n '1,30{/^\/\* MIT License$/,/\*\/$/{s|^/\* ||;s| \*/$||;p}}' "$1" | diff - LICENSE
}
made() { flock build/lock make -s "$1"; } # parts may want the same
level=--brief brief=--brief other_brief='--brief --other' # of tests/test.c; the other of two types
[ -z "$long" ] || level=--long brief=--quick other_brief=--quick
[ -z "$smoke" ] || level='--brief --filter sincos' brief=$level other_brief=$level
warn='-Wall -Wextra'
cpu='-DCONVK_SSE -DCONVK_AVX -DCONVK_AVX_WITHOUT_AVX2 -DCONVK_NEON'
c99="-std=c99 -D_GNU_SOURCE -ffp-contract=off $warn -I. $cpu"
[ -z "$smoke" ] || cpu=-DCONVK_WITH_VMATH c99=${c99% -DCONVK_SSE*} CFLAGS='-O0 -DCONVK_NO_AVX -DCONVK_NO_AVX2 -DCONVK_NO_AVX512'
lean='-O1 -DCONVK_NO_SSE2 -DCONVK_NO_AVX -DCONVK_NO_AVX512' # for programs that show how the library is used, not what it makes
[ -z "$smoke" ] || lean='-O0 -DCONVK_NO_SSE2 -DCONVK_NO_AVX -DCONVK_NO_AVX2 -DCONVK_NO_AVX512'
# Flags that leave out what this processor does not run: its machine code other parts make, by the compiler's own flags.
foreign=''
[[ $(uname -m) != x86_64 ]] || grep -qw avx512vl /proc/cpuinfo 2>/dev/null || foreign=' -DCONVK_NO_AVX512'
# For programs whose machine code is not what they are about: clang takes a half to a fifth of the time of gcc.
quick_cc=$CC quick_cxx=$CXX
! command -v clang >/dev/null || quick_cc=clang
! command -v clang++ >/dev/null || quick_cxx=clang++
run() { timeout --foreground 1500 "$@"; }
golden() { CONVK_REQUIRE=$(among sse2 avx avx2 avx512 opencl cuda-emulated) run "$@"; }


# A program with the library as the harness has it: with_library PROGRAM SOURCES AND FLAGS...
with_library() {
  local program=$1 objects
  shift
  if [ -n "$smoke" ]; then # whose harness has no modules
    $CC -std=c99 $warn ${CFLAGS/-O0/-O1} -I. "$@" -o "$program" -lm -pthread # they compute for long
    return
  fi
  objects=$(harness_objects harness "$(harness_flags)") || return
  # shellcheck disable=SC2086
  $CC -std=c99 $warn ${CFLAGS/-O2/-O1} -DCONVK_DECLARE -I. "$@" $objects -o "$program" -lm -pthread
}
# tests/golden.c with the library's objects of a set of flags: golden_of PROGRAM OBJECTS COMPILER FLAGS... ; -l flags go to the end
golden_of() {
  local program=$1 objects=$2
  shift 2
  # shellcheck disable=SC2086
  "$1" $warn -O0 -I. -DCONVK_DECLARE "${@:2}" tests/golden.c -x none $objects -o "$program" -lm ${libraries:-}
}

cl='-DCONVK_CL -DCL_TARGET_OPENCL_VERSION=120'
opencl_objects() { tests/objects.sh "$@" opencl $quick_cc -std=gnu99 -D_GNU_SOURCE $warn -O0 -I. $cl; }
opencl() { # is there a device?  The argument keeps parts apart that run at the same time
  there opencl convk_cl.h
  echo 'int main(void) { cl_uint n = 0; return clGetPlatformIDs(0, NULL, &n) || !n; }' >$out/platforms_$1.c
  $CC $cl -include CL/cl.h $out/platforms_$1.c -o $out/platforms_$1 -lOpenCL || skip opencl 'Debian packages opencl-headers ocl-icd-opencl-dev'
  $out/platforms_$1 || skip opencl 'Debian package pocl-opencl-icd'
}
# The library on the emulated device, for programs that only declare it: emulated PROGRAM FLAGS... SOURCE
emulated() { CXX=$quick_cxx tests/emulated.sh "$@"; }
export CONVK_RACES=no # they look for races where a part asks for it

# usage PROGRAM SOURCES...: --help has a line for each option that the sources name, and what makes no sense is a status of 2.
usage() {
  local program=$1 help option status
  shift
  help=$($program --help) || return
  for option in $(grep -ohE '\{"--[a-z-]+"' "$@" | tr -d '{"') --hw; do
    grep -qE -- "^  $option( [^ ]+)?  +[^ (]" <<<"$help" || { echo "no help for $option"; return 1; }
  done
  for option in --nonsense --hw 'one more'; do
    status=0
    # shellcheck disable=SC2086
    message=$($program $option 2>&1 >/dev/null) || status=$?
    [ $status = 2 ] && [ "$(wc -l <<<"$message")" = 1 ] && grep -q ' usage: ' <<<"$message" || { echo "$option: $status, $message"; return 1; }
  done
}
# From another folder a program finds its data; away from them it says where it wants to be run.
elsewhere() { # PROGRAM ARGUMENTS...
  local there status=0 program=$PWD/$1
  shift
  there=$(mktemp -d)
  (cd "$there" && run "$program" "$@" >/dev/null && cp "$program" alone && ! ./alone "$@" >/dev/null 2>why && grep 'from the top of the repository' why) || status=$?
  rm -r "$there"
  return $status
}
