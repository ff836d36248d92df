#!/bin/bash
# Compile tests: every way in which a program may include the headers, without one warning.
#   tests/compile.sh [SECTION...]
# The sections are below, each after a line `section NAME`; all by default.
# In the environment: CC, CXX, the GNU compilers to use; JOBS, how many at a time.
# A covering set and no full product.  Machine code takes the time, and other parts of tests/run.sh make it of all families: here
# small families are made into it by each compiler, for each architecture and at each level.  What depends on the text alone,
# standards, modes, orders, paths, names, asks for all families without code, and for code of one.  Without code a compiler of each
# maker reads it, and one of each language (`pairs` below); clang reads three times as fast as gcc, so it reads all families where
# one compiler is enough.
# Ends with the line `N passed, N failed, N skipped`.
set -u
cd "$(dirname "$0")/.." || exit 1
export ROOT=$PWD
CC=${CC:-cc} CXX=${CXX:-g++} JOBS=${JOBS:-$(nproc)}
export W="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Werror -include $ROOT/tests/families.h" # all of them, unless flags name some
sections=$(sed -n 's/^section //p' tests/compile.sh | tr '\n' ' ') chosen=$*
for name in $chosen; do
  [[ " $sections" == *" $name "* ]] || { echo "no section $name; there are: $sections"; exit 2; }
done
work=$ROOT/build/compile/${chosen// /-} # of its own: sections may run side by side
rm -rf "$work"
mkdir -p "$work/log" && cd "$work" || exit 1

wanted=yes
section() { [[ -z $chosen || " $chosen " == *" $1 "* ]] && wanted=yes || wanted=no; }
count=0 running=0
# check NAME COMMAND: one test, in the background, if its section is wanted
check() {
  local log
  count=$((count + 1))
  [ $wanted = yes ] || return 0
  log=log/$(printf '%03d' $count)
  echo "$1: $2" >"$log.name"
  if ((running >= JOBS)); then
    wait -n
    running=$((running - 1))
  fi
  {
    timeout 300 bash -c "$2" >"$log.out" 2>&1 && touch "$log.passed"
    times >"$log.times" # of the shell, then of what it ran
    touch "$log.done"
  } &
  running=$((running + 1))
}
after() { # after NUMBER: the checks that follow use what check NUMBER makes
  [ $wanted = yes ] || return 0
  until [ -f "log/$(printf '%03d' "$1").done" ]; do
    wait -n
    [ $? != 127 ] || break
    running=$((running - 1))
  done
}
skipped=0
skip() { # skip FEATURE WHAT PACKAGE
  [ $wanted = yes ] || return 0
  case ,${CONVK_REQUIRE:-}, in
    *,"$1",*) check "$2" "echo 'required, but missing: $3' && false" ;;
    *)
      echo "skipped: $2: $3"
      skipped=$((skipped + 1))
      ;;
  esac
}
have() { command -v "$1" >/dev/null; }

compilers=("$CC")
if have "$CXX"; then compilers+=("$CXX"); else skip c++ 'C++' 'Debian package g++'; fi
for c in clang clang++; do
  if have $c; then compilers+=("$c"); else skip clang $c 'Debian package clang'; fi
done
is_cxx() { [[ $1 == *++* ]]; }
# Two compilers that are of both makers and of both languages: sets pair, other ones by turns; all that there are, where these are fewer.
turn=0
pairs() {
  pair=("${compilers[@]}")
  [ ${#compilers[@]} != 4 ] || [ -n "${TEST_LONG:-}" ] || if ((turn++ % 2)); then pair=("$CXX" clang); else pair=("$CC" clang++); fi
}
reader=$CC
! have clang || reader=clang
source_of() { if is_cxx "$1"; then echo "$2.cpp"; else echo "$2.c"; fi; }
x86=no
case $("$CC" -dumpmachine) in x86_64*) x86=yes ;; esac

# ---- the sources ----

both() { cat >"$1.c" && cp "$1.c" "$1.cpp"; } # the same text as C and as C++
modules=''
for m in SSE AVX; do [ -f "$ROOT/convk_${m,,}.h" ] && modules+=" $m"; done
umbrella() { for m in $modules; do echo "#define CONVK_$m"; done; }

# One operation with all CPU modules.
{
  umbrella
  cat <<'END'
#include "convk.h"
int sweep(const convk_stencil7_shape *shape, double *a, double *b, double **result);
int sweep(const convk_stencil7_shape *shape, double *a, double *b, double **result) {
  const convk_stencil7_coefficients_f64 c = {0.25, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125};
  convk hw;
  int status = convk_open(&hw, NULL);
  if (!status) status = convk_stencil7_f64(&hw, shape, &c, 1, a, b, result, NULL, 0);
  convk_close(&hw);
  return status;
}
END
} | both unit

# A program that prints, for every hardware name, what opens it or the bits of its results; the includes are put before.
cat >program.inc <<'END'
#include <stdio.h>
#include <string.h>
static unsigned long hash(const void *data, size_t bytes) {
  const unsigned char *p = (const unsigned char *)data;
  unsigned long h = 5381;
  while (bytes--) h = (h * 33 + *p++) & 0xffffffffUL;
  return h;
}
int main(void) {
  static const char *const names[] = {"scalar", "sse2", "avx", "avx2", "avx512", "neon", "nothing"};
  static double x[23 * 19 * 21], y[23 * 19 * 21], *z;
  const convk_stencil7_shape shape = {{23, 19, 21, 0, 0}, {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_PERIODIC}};
  const convk_stencil7_coefficients_f64 c = {0.3, 0.1, 0.15, 0.1, 0.17, 0.1, 0.11};
  unsigned long seed = 1;
  size_t i, k;
  for (i = 0; i < sizeof x / sizeof *x; i++) {
    seed = (seed * 1103515245UL + 12345UL) & 0x7fffffffUL;
    x[i] = (double)seed / 1073741824.0 - 1;
  }
  for (k = 0; k < sizeof names / sizeof *names; k++) {
    convk hw;
    int status = convk_open(&hw, names[k]);
    if (!status) status = convk_stencil7_f64(&hw, &shape, &c, 1, x, y, &z, NULL, 0);
    if (status) {
      printf("%s: %s\n", names[k], convk_strerror(status));
    } else {
      printf("%s: %08lx\n", names[k], hash(y, sizeof y));
    }
    convk_close(&hw);
  }
#ifdef PROGRAM_END
  PROGRAM_END
#endif
  return 0;
}
END
program() { # program NAME <includes; and NAME_text, the includes alone
  both "$1_text"
  { cat "$1_text.c" && echo '#include "program.inc"'; } | both "$1"
}
one='-DCONVK_WITH_STENCIL -DCONVK_F64' # what the unit and the program need, and compiles fastest
# prints COMPILER FLAGS NAME [LIBRARIES]: the command of a check.  The program prints what the umbrella define gives.
prints() { echo "$1 $2 -O0 $one $W -I$ROOT $(source_of "$1" "$3") -o same$count ${4:-} -lm && ./same$count | diff umbrella.txt -"; }

# The umbrella define: what its program prints the other ways of including must give, too.  Two sections use it.
{ umbrella && echo '#include "convk.h"'; } | program umbrella
umbrella_first() {
  [ $wanted = no ] || [ -f umbrella.txt ] && return
  check 'umbrella define' "$reader $c99 $one $W -I$ROOT umbrella.c -o umbrella -lm && ./umbrella >umbrella.txt && cat umbrella.txt"
  after $count
}
c99='-std=c99 -O0 -ffp-contract=off' cxx11='-std=c++11 -O0 -ffp-contract=off'
include() { for m in "$@"; do [ -f "$ROOT/$m.h" ] && echo "#include \"$m.h\""; done; }

# All that a handle has: machine code of every operation that is compiled in.
{ umbrella && cat <<'END'; } | both handle
#include "convk.h"
int open_it(convk *hw);
int open_it(convk *hw) { return convk_open(hw, NULL); }
END
families=$(grep -oE 'CONVK_WITH_[A-Z0-9]+' "$ROOT/convk.h" | grep -v '_ALL$' | sort -u)

# ---- machine code: compilers, levels, architectures ----

section code
row() { # row SOURCE COMPILER FLAGS...: a unit, if there is that compiler
  local source=$1 c=$2
  shift 2
  [[ " ${compilers[*]} " == *" $c "* ]] || return 0
  case "$*" in *-m*) [ $x86 = yes ] || return 0 ;; esac
  check "$c $*" "$c $* $W -I$ROOT -c $(source_of "$c" "$source") -o $source$((count + 1)).o"
}
# 16 ways to compile, among which any two of compilers, architectures, levels and standards meet once: so do the orthogonal Latin
# squares c + a, 2 c + a and 3 c + a over the field of 4 elements.  Rooms take turns; two of those that compile fastest are made
# into machine code, as no other part makes it, of the others the text is read.  TEST_LONG=1: each family meets each compiler,
# architecture, level and standard once.
by=("$CC" "$CXX" clang clang++) architectures=('' -march=native -mno-avx -march=skylake-avx512) levels=(-O1 -O2 -O3 -Os)
c_standards=(c99 c11 c17 c2x) cxx_standards=(c++11 c++14 c++17 c++20) twice=(0 2 3 1) thrice=(0 3 1 2) number=0
way() { # FAMILY COMPILER ARCHITECTURE, by number, [DEFINE]
  local c=$2 a=$3 standards
  if is_cxx "${by[c]}"; then standards=("${cxx_standards[@]}"); else standards=("${c_standards[@]}"); fi
  row handle "${by[c]}" -D$1 ${4:-} -std=${standards[thrice[c] ^ a]} ${levels[c ^ a]} ${architectures[a]}
}
# shellcheck disable=SC2207
rooms=($(awk '!/^#/ && $2 != "-" { print "CONVK_WITH_" $2 }' "$ROOT/src/rooms.txt"))
if [ -n "${TEST_LONG:-}" ]; then
  for family in $families; do
    for c in 0 1 2 3; do way $family $c $((twice[c] ^ number % 4)); done # one of 4 rows of the second square
    number=$((number + 1))
  done
else
  for a in 0 1 2 3; do
    for c in 0 3 1 2; do
      strict=$([ $((number % 8)) != 3 ] || echo ' -DCONVK_STRICT') # two of clang
      room=${rooms[number % ${#rooms[@]}]}
      text=' -fsyntax-only'
      case $number in 5 | 12) text='' ;; esac # clang++ -O3 with FMA, gcc -Os with AVX-512
      way $room $c $a "-DCONVK_F$((32 << number / ${#rooms[@]} % 2))$strict$text"
      number=$((number + 1))
    done
  done
fi
few=$([ -n "${TEST_LONG:-}" ] || echo $one) # else all families
row unit "$CC" -std=gnu17 -O0 -ffp-contract=off $few
linked=$count # its object is unit$linked.o
row handle clang++ -std=gnu++17 -O0 -include immintrin.h $few
if [ -n "${TEST_LONG:-}" ]; then
  row unit "$CXX" -std=gnu++17 -O0
  row unit clang -std=gnu17 -O0
fi

# Two units.
cat >two.inc <<'END'
#include <stdio.h>
int main(void) {
  static double a[4096], b[4096], *result;
  const convk_stencil7_shape shape = {{16, 16, 16, 0, 0}, {0, 0, 0}};
  int status;
  a[0] = 1;
  status = sweep(&shape, a, b, &result);
  printf("%s\n", convk_strerror(status));
  return status || !(b[0] > 0.2 && b[1] > 0.1);
}
END
prototype='int sweep(const convk_stencil7_shape *shape, double *a, double *b, double **result);'
{ include convk_avx convk_sse && printf '%s\n#include "two.inc"\n' "$prototype"; } | both two
after $linked # an object of all families, made above
check 'two units' "$CC -std=c99 -O1 $one $W -I$ROOT two.c unit$linked.o -o two -lm && ./two"
if have "$CXX"; then
  { umbrella && printf '#include "convk.h"\nextern "C" %s\n#include "two.inc"\n' "$prototype"; } >two_cxx.cpp
  check 'two units, C and C++' "$CXX -std=c++11 -O1 $one $W -I$ROOT two_cxx.cpp unit$linked.o -o two_cxx -lm && ./two_cxx"
fi

# ---- standards, and modes ----

section text
# The text of all families, of both types by one maker (in C++ by the part `single`) and of one each by the other, whose warnings take
# three times as long; and what only declares, in each standard.  Of single rooms the section above reads the text by all compilers in
# all standards.
read_it() { # COMPILER FLAGS...
  row umbrella_text "$1" "${@:2}" -O0 -fsyntax-only
}
read_it clang -std=c17
read_it clang++ -std=c++20 -DCONVK_IMPLEMENT -DCONVK_F32
if have clang; then
  read_it "$CC" -std=c2x -DCONVK_F32
  read_it clang -std=c11 -DCONVK_F32 -DCONVK_NO_AVX512
else # one reading less, which has what the next one lacks
  read_it "$CC" -std=c2x -DCONVK_F32 -DCONVK_NO_AVX512
fi
read_it "$CXX" -std=c++14 -DCONVK_F64
read_it $reader -std=c99 -DCONVK_F64 -DCONVK_NO_SSE2 -DCONVK_NO_AVX -DCONVK_NO_AVX2
for c in "${compilers[@]}"; do
  standards=(c99 c11 c17 c2x gnu17)
  ! is_cxx "$c" || standards=(c++11 c++14 c++17 c++20)
  for standard in "${standards[@]}"; do read_it "$c" -std=$standard -DCONVK_DECLARE; done
done

# ---- C before C99 ----

# One error and no other, whichever header and mode it is; compilers that have inline all the same take it.
{ umbrella && echo '#include "convk.h"'; } >old_umbrella.c
for name in convk convk_sse convk_avx convk_cl; do
  [ ! -f "$ROOT/$name.h" ] || printf '#include "%s.h"\n#include "%s.h"\n' $name $name >old_$name.c
done
for c in "$CC" clang; do
  have "$c" || continue
  for file in old_*.c; do
    check "$c -std=c89 $file" "! $c -std=c89 -DCL_TARGET_OPENCL_VERSION=120 -I$ROOT -fsyntax-only $file 2>$file.$c.txt
      [ \$(grep -c 'error:' $file.$c.txt) = 1 ] && grep 'error: .*convk needs C99 or C++11: compile with -std=c99' $file.$c.txt"
  done
  check "$c -ansi -DCONVK_DECLARE" "! $c -ansi -DCONVK_DECLARE -I$ROOT -fsyntax-only old_umbrella.c 2>old.$c.txt
    [ \$(grep -c 'error:' old.$c.txt) = 1 ]"
  check "$c -std=gnu89" "$c -std=gnu89 $one -I$ROOT -Wall -Wextra -Werror -fsyntax-only unit.c"
done

# ---- headers one by one, twice ----

for path in "$ROOT"/convk*.h; do
  name=$(basename "$path" .h) flags='' languages='c cxx'
  case $name in
    convk_cl)
      flags=-DCL_TARGET_OPENCL_VERSION=120
      if ! echo '#include <CL/cl.h>' | "$CC" -x c -E - >/dev/null 2>&1; then
        skip opencl "$name.h alone" 'Debian package opencl-headers'
        continue
      fi
      ;;
    convk_cuda) # its own compiler is nvcc; here the emulator stands in
      flags="-std=c++11 -include $ROOT/tests/cuda_emulator.h" languages=cxx
      [ -f "$ROOT/tests/cuda_emulator.h" ] || continue
      ;;
  esac
  printf '#include "%s.h"\n#include "%s.h"\n' "$name" "$name" | both "twice_$name"
  pairs
  [ "$languages" != cxx ] || pair=("${compilers[@]}")
  for c in "${pair[@]}"; do
    if is_cxx "$c"; then language=cxx std=-std=c++11; else language=c std=-std=c99; fi
    [[ " $languages " == *" $language "* ]] || continue
    # gcc sees what is unused when it makes code: of one family; clang, which sees it in the text, of all
    make="-O1 $few -c -o twice_$name.$c.o"
    [[ $c != clang* || -n ${TEST_LONG:-} ]] || make="-DCONVK_F64 -fsyntax-only"
    check "$c $name.h twice" "$c $std $flags $W -I$ROOT $make $(source_of "$c" "twice_$name")"
  done
done
# All of its families by the other maker, too: no other part has its warnings.
have "$CXX" && check "$CXX convk_cuda.h, all families" \
  "$CXX -std=c++17 -include $ROOT/tests/cuda_emulator.h $W -I$ROOT -DCONVK_F32 -fsyntax-only twice_convk_cuda.cpp"

# ---- orders: the same program by any ----

umbrella_first
# order NAME COMPILER FLAGS INCLUDES [LIBRARIES]: prints what the umbrella define gives
order() {
  echo "$4" | program "$1"
  check "$2 order $1" "$(prints "$2" "$3" "$1" "${5:-}")"
}
# Of any two headers either comes first; at length in each place among three.
orders=('convk convk_sse convk_avx' 'convk_sse convk_avx convk' 'convk_avx convk_sse')
[ -z "${TEST_LONG:-}" ] || orders+=('convk convk_avx convk_sse' 'convk_sse convk convk_avx' 'convk_avx convk convk_sse' 'convk_avx convk_sse convk')
for names in "${orders[@]}"; do
  order "$(echo $names | tr ' ' -)" $reader "$c99" "$(include $names)"
done
order reversed-defines $reader "$c99" "$(umbrella | tac && include convk)"
order after-complex "$CC" "$c99" "$(echo '#include <complex.h>' && umbrella && include convk)"
order names-and-defines "$CC" "$c99" "$(umbrella && include convk_avx convk_sse convk)"
have "$CXX" && order cxx "$CXX" "$cxx11" "$(include convk_sse convk_avx)"
if [ ! -f "$ROOT/convk_cl.h" ]; then
  echo 'there is no convk_cl.h'
elif echo 'int main(void) { return 0; }' | "$CC" -include CL/cl.h -x c - -o probe -lOpenCL 2>/dev/null; then
  cl=-DCL_TARGET_OPENCL_VERSION=120
  order cl-first $reader "$c99 $cl" "$(include convk_cl convk_avx convk_sse)" -lOpenCL
  order cl-define $reader "$c99 $cl" "$(umbrella && echo '#define CONVK_CL' && include convk)" -lOpenCL
  have clang++ && order cl-cxx clang++ "$cxx11 $cl" "$(include convk_sse convk_cl convk_avx)" -lOpenCL
else
  skip opencl 'orders with convk_cl.h' 'Debian packages opencl-headers ocl-icd-opencl-dev'
fi

# ---- the defines of the manual ----

section defines
umbrella_first
strict="-DCONVK_STRICT -ffp-contract=off -O2"
check "$reader CONVK_STRICT, all families" "$reader -std=c99 $strict -DCONVK_F32 -fsyntax-only $W -I$ROOT umbrella_text.c"
check 'CONVK_STRICT: all variants give the same bits' \
  "$CC -std=c99 $strict $one $W -I$ROOT umbrella.c -o strict -lm && ./strict | tee strict.txt && grep -q '^scalar: [0-9a-f]*\$' strict.txt &&
   test \$(sed -n 's/^[a-z0-9]*: \\([0-9a-f]\\{8\\}\\)\$/\\1/p' strict.txt | sort -u | wc -l) = 1"
have "$CXX" && check "$CXX CONVK_STRICT" "$CXX -std=c++11 $strict -O0 $one $W -I$ROOT -c unit.cpp -o strict.o"

# Who names no family that there is, gets one error that names all there are; who only declares, has all.
echo '#include "convk.h"' | both alone_told
for c in "${compilers[@]}"; do
  check "$c: a family that is misspelt" "! $c -DCONVK_WITH_SEPCNV -I$ROOT -E $(source_of "$c" alone_told) >told$count.txt 2>&1
    grep -c 'error:' told$count.txt | grep -qx 1 && for f in CONVK_WITH_ALL $(echo $families); do
      grep 'error:.*no family is named' told$count.txt | grep -w \$f || { cat told$count.txt; exit 1; }; done"
done
for f in -DCONVK_WITH_VMATH -DCONVK_WITH_ALL '-DCONVK_WITH_ALL -DCONVK_WITH_FFT' -DCONVK_DECLARE '-DCONVK_WITH_SEPCNV -DCONVK_DECLARE'; do
  check "$f is no error" "$CC $f -I$ROOT -E alone_told.c >told$count.txt"
done
{ cat alone_told.c && echo 'int (*const all_of[])(convk *, size_t, const double *, double *) = {convk_exp_f64, convk_log_f64};'; } >with_all.c
check 'CONVK_WITH_ALL has all' "$CC -DCONVK_DECLARE -DCONVK_WITH_FFT -DCONVK_WITH_ALL $W -I$ROOT -fsyntax-only with_all.c"

# What options or a header of others would change without a word is refused: arithmetic where it is, structs everywhere.
{ echo '#pragma pack(1)' && cat alone_told.c; } | both packed
refused() { # TEXT COMPILER FILE FLAGS...
  check "$2 ${*:4}: $1" "! $2 ${*:4} $one -I$ROOT -fsyntax-only $(source_of "$2" "$3") 2>refused$count.txt || cat refused$count.txt
    grep -E 'error:.*$1' refused$count.txt"
}
for c in "${compilers[@]}"; do
  refused 'structs.are.packed' "$c" packed -DCONVK_DECLARE
  [[ $c != "$CC" && $c != "$CXX" ]] || refused 'constants.of.double.are.float' "$c" alone_told -fsingle-precision-constant
done
refused 'constants.of.double.are.float' "$CC" alone_told -std=c99 -fsingle-precision-constant
[ $x86 = no ] || refused 'compile without -mfpmath=387' "$CC" alone_told -mfpmath=387

# A plan belongs to its operation and type: another one does not compile.
for t in f32 c32 c64; do
  printf '#include "convk.h"\nint call(convk *hw, const convk_fftconv2d_plan_%s *plan, const convk_batch2d *batch, float *x);\n' $t
  echo 'int call(convk *hw, const convk_fftconv2d_plan_'$t' *plan, const convk_batch2d *batch, float *x) {'
  echo '  return convk_fftconv2d_f32(hw, plan, batch, x, x, NULL, 0); }'
done | split -l 4 --additional-suffix=.c - plan_
for c in "${compilers[@]}"; do
  for t in a: b:! c:!; do
    f=plan_a${t%:*}
    cp $f.c $f.cpp
    check "$c: a plan of $(grep -o 'plan_[fc][0-9]*' $f.c | head -1) for f32" \
      "${t#*:} $c -DCONVK_DECLARE -DCONVK_WITH_FFT $W -I$ROOT -fsyntax-only $(source_of "$c" $f)"
  done
done
check 'CONVK_OPENMP, threads change nothing' \
  "export OMP_NUM_THREADS=3 && $(prints "$CC" "$c99 -fopenmp -DCONVK_OPENMP" umbrella) && OMP_NUM_THREADS=1 ./same$count | diff umbrella.txt -"
check 'CONVK_OPENMP without -fopenmp is refused' "! $CC -std=c99 -DCONVK_OPENMP $one -fsyntax-only $W -I$ROOT unit.c 2>refused.txt &&
   grep 'needs OpenMP' refused.txt"
have "$CXX" && check "$CXX CONVK_OPENMP" \
  "$CXX -std=c++11 -O0 -fopenmp -DCONVK_OPENMP $one $W -I$ROOT -c unit.cpp -o openmp_cxx.o"

{
  cat <<'END'
#include <stdlib.h>
static int blocks_taken, blocks_given;
static void *take(size_t bytes) {
  blocks_taken++;
  return malloc(bytes);
}
static void give(void *pointer) {
  blocks_given += pointer != NULL;
  free(pointer);
}
#define CONVK_MALLOC(bytes) take(bytes)
#define CONVK_FREE(pointer) give(pointer)
#define PROGRAM_END if (blocks_taken == 0 || blocks_taken != blocks_given) return 1;
END
  umbrella
  echo '#include "convk.h"'
} | program memory
pairs
for c in "${pair[@]}"; do
  check "$c CONVK_MALLOC, CONVK_FREE" \
    "$(prints "$c" -ffp-contract=off memory)"
done

mkdir -p renamed
cp "$ROOT"/convk_*.h renamed
cp "$ROOT/convk.h" renamed/kernels.h
{ echo '#define CONVK_HEADER "kernels.h"' && umbrella && echo '#include "renamed/kernels.h"'; } | program header
check 'CONVK_HEADER' "$reader $c99 $one $W -I. header.c -o header -lm && ./header | diff umbrella.txt -"
include convk_avx convk_sse | program header_names
named="$c99 -Irenamed -DCONVK_HEADER='\"kernels.h\"'"
# of all families whether each is found under this name; warnings are those of its own
check 'CONVK_HEADER on the command line' \
  "$reader $named -w -include $ROOT/tests/families.h -DCONVK_F32 -fsyntax-only header_names_text.c &&
   $CC $named $W $one header_names.c -o header_names -lm && ./header_names | diff umbrella.txt -"

# ---- paths ----

mkdir -p dir/inc
cp "$ROOT"/convk*.h dir
cp "$ROOT"/convk*.h dir/inc
cp unit.c dir/beside.c
sed 's|"convk.h"|"inc/convk.h"|' unit.c >dir/below.c
sed 's|"convk.h"|<convk.h>|' unit.c >dir/angle.c
path="-std=c99 $one -E -o included.txt"
for c in "$CC" clang; do
  have "$c" || continue
  check "$c dir/beside.c" "$c $path dir/beside.c"
  check "$c dir/below.c" "$c $path dir/below.c"
  check "$c -Iinc" "cd dir && $c $path -Iinc angle.c"
  check "$c -isystem" "cd dir && $c $path -isystem inc angle.c"
  check "$c -ffile-prefix-map" "$c $path -ffile-prefix-map=$work=. dir/beside.c"
  check "$c -ffile-prefix-map to elsewhere" "$c $path -ffile-prefix-map=dir=/nowhere dir/below.c"
done

# ---- the smallest program ----

cat >prog.c <<'END'
#include "convk.h"
int main(void) { convk hw; return convk_open(&hw, NULL); }
/* and nothing else */
END
check 'three lines, convk.h alone' "$CC -std=c99 $one -I$ROOT prog.c -o prog -lm && ./prog"

# ---- what the headers leave behind ----

# Ordinary code stays baseline: a loop that any compiler would vectorise, beside kernels that do have wide registers.
if [ $x86 = no ]; then
  skip x86 'code generation' 'a machine of this kind'
elif ! have objdump; then
  skip objdump 'code generation' 'Debian package binutils'
else
  { umbrella && cat <<'END'; } | both after
#include "convk.h"
void axpy(size_t n, double a, const double *x, double *y);
void axpy(size_t n, double a, const double *x, double *y) {
  size_t i;
  for (i = 0; i < n; i++) y[i] += a * x[i];
}
END
  for c in "${compilers[@]}"; do
    check "$c: code after the headers stays baseline" \
      "$c -O3 -march=x86-64 $one $W -I$ROOT -c $(source_of "$c" after) -o after.$c.o && objdump -d --no-show-raw-insn after.$c.o >after.$c.txt &&
       grep -q mulpd after.$c.txt && ! grep -E '%[yz]mm|[[:space:]]v[a-z0-9]+[[:space:]]+.*%xmm' after.$c.txt"
  done
  check 'code of the kernels is not baseline' \
    "$CC -O1 -march=x86-64 $one -I$ROOT -c unit.c -o wide.o && objdump -d --no-show-raw-insn wide.o >wide.txt && grep -q %ymm wide.txt && grep -q %zmm wide.txt && grep -q vfmadd wide.txt"
fi

# Macros: none without the prefix, and no word of a pass is left.
{ umbrella && echo '#include "convk.h"'; } >macros.c
printf '#include <%s>\n' stdarg.h stddef.h stdint.h stdlib.h string.h time.h sys/mman.h sys/time.h >system.c
[ $x86 = yes ] && printf '#include <%s>\n' emmintrin.h immintrin.h >>system.c
passing='CONVK_(PASS_|TYPE_|T|V|ELEMENT_|KERNEL_|FUSES_|LANES|HW_|LOAD_|STORE_|LOADK_|STOREK_|SET_|ADD_|MUL_|FMA_|BEFORE_|AFTER_)'
check 'macros have the prefix, and the words of a pass are gone' \
  "$CC -DCONVK_WITH_ALL -I$ROOT -dM -E macros.c | awk '{ sub(/\\(.*/, \"\", \$2); print \$2 }' | sort >macros.txt &&
   $CC -dM -E system.c | awk '{ sub(/\\(.*/, \"\", \$2); print \$2 }' | sort >system.txt &&
   ! comm -23 macros.txt system.txt | grep -v '^CONVK_\\|^convk_' && ! grep -xE '$passing' macros.txt"

# ---- the sum ----

wait
passed=0 failed=0
for name in log/*.name; do
  test=${name%.name}
  if [ -f "$test.passed" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $(tr -s ' \n' ' ' <"$name")"
    grep -m 1 -E 'error|warning|^[<>]' "$test.out" || head -n 8 "$test.out"
  fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
