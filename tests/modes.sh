#!/bin/bash
# Units that declare, implement, and leave out what they do not need, in one program: tests/modes.sh DIRECTORY
# CC, CXX and CFLAGS as in tests/run.sh.  The last line is `N passed, N failed, 0 skipped`.
set -u
cd "$(dirname "$0")/.." || exit 1
out=$1
mkdir -p "$out"
warn='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Werror'
passed=0 failed=0
try() { # NAME COMMAND...
  local name=$1
  shift
  if "$@" >"$out/try.txt" 2>&1; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED $name"
    head -n 12 "$out/try.txt"
  fi
}
says() { # TEXT COMMAND...: the command fails and says so
  local text=$1
  shift
  ! "$@" >"$out/said.txt" 2>&1 && grep -q -e "$text" "$out/said.txt" || { cat "$out/said.txt"; false; }
}
quick=$CC # which takes three times as long as clang
! command -v clang >/dev/null || quick=clang
c() { $CC -std=c99 $CFLAGS $warn -I. "$@"; }
cpp() { $CXX -x c++ -std=c++11 $CFLAGS $warn -I. "$@"; }
families='-DCONVK_WITH_STENCIL -DCONVK_WITH_VMATH'
modules='-DCONVK_SIMD -DCONVK_NO_AVX -DCONVK_NO_AVX512' # two are enough to be told apart

printf '#include "convk.h"\n' >"$out/unit.c"
cat >"$out/other.c" <<'END'
#include "convk.h"
#ifdef __cplusplus
extern "C" {
#endif
size_t other_size(void);
int other_sweep(convk *hw);
int other_exp(convk *hw);
size_t other_size(void) { return sizeof(convk); }
/* An operation that the unit which opened the handle may not have. */
int other_sweep(convk *hw) {
  const convk_stencil7_shape shape = {{3, 3, 3, 0, 0}, {CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED, CONVK_BOUNDARY_FIXED}};
  const convk_stencil7_coefficients_f64 c = {0.5, 0.5, 0, 0, 0, 0, 0};
  double a[27] = {0}, b[27] = {0}, *result = NULL;
  int status;
  a[13] = a[12] = 1;
  status = convk_stencil7_f64(hw, &shape, &c, 1, a, b, &result, NULL, 0);
  return status ? status : result == b && b[13] == 1 ? 0 : 1;
}
int other_exp(convk *hw) {
  const float x = 0;
  float y = 7;
  const int status = convk_exp_f32(hw, 1, &x, &y);
  return status ? (y < 7 || y > 7 ? 1 : status) : y < 1 || y > 1;
}
#ifdef __cplusplus
}
#endif
END
cat >"$out/main.c" <<'END'
#include "convk.h"
#include <stdio.h>
#ifdef __cplusplus
extern "C" {
#endif
size_t other_size(void);
int other_sweep(convk *hw);
int other_exp(convk *hw);
#ifdef __cplusplus
}
#endif
#ifndef SWEEP
#define SWEEP CONVK_OK
#endif
#ifndef EXP
#define EXP CONVK_OK
#endif
#ifndef SPEC
#define SPEC NULL
#endif
#ifndef OPENS
#define OPENS CONVK_OK
#endif
int main(void) {
  convk hw;
  const int status = convk_open(&hw, SPEC);
  int sweep, exponential;
  if (status != OPENS) return printf("convk_open: %d\n", status), 1;
  if (status) return 0;
  sweep = other_sweep(&hw);
  exponential = other_exp(&hw);
  convk_close(&hw);
  if (other_size() != sizeof(convk)) return printf("handles of %zu and %zu bytes\n", sizeof(convk), other_size()), 1;
  return sweep == SWEEP && exponential == EXP ? 0 : (printf("status %d and %d\n", sweep, exponential), 1);
}
END

# One unit implements, others declare.
try 'implement, C' c -DCONVK_IMPLEMENT $families $modules -c "$out/unit.c" -o "$out/implement.o"
for l in c cpp; do
  try "declare, $l" $l -DCONVK_DECLARE $families $modules -c "$out/other.c" -o "$out/other_$l.o"
  try "declare, main, $l" $l -DCONVK_DECLARE $families $modules -c "$out/main.c" -o "$out/main_$l.o"
done
for m in c cpp; do
  for o in c cpp; do
    try "declare $m, $o: links" $CXX "$out/main_$m.o" "$out/other_$o.o" "$out/implement.o" -o "$out/program"
    try "declare $m, $o: runs" "$out/program"
  done
done
try 'implement, C++' cpp -DCONVK_IMPLEMENT -DCONVK_WITH_VMATH $modules -c "$out/unit.c" -o "$out/implement_cpp.o"
try 'nothing is visible outside' says none sh -c \
  "readelf -Ws '$out/implement.o' '$out/implement_cpp.o' | grep 'GLOBAL DEFAULT *[0-9]' | grep convk_ || { echo none; false; }"
try 'no unit implements' says 'undefined reference to .convk_open_' $CXX "$out/main_c.o" "$out/other_c.o" -o "$out/program"
try 'two units implement' says 'multiple definition of .convk_' $CXX "$out/main_c.o" "$out/other_c.o" "$out/implement.o" "$out/implement_cpp.o" -o "$out/program"

# Families in units of their own, beside one of what they share: by each compiler and language, as objects, an archive and a shared
# library.
apart() { # NAME COMMAND...: compiles the parts, then main and other of both languages find all families
  local name=$1 d=$out/apart_${1// /_} own=$modules
  [ "$1" = C ] || own+=' -DCONVK_NO_SSE2' # one of them is enough for the others
  shift
  mkdir -p "$d"
  try "apart, $name: the core" "$@" -DCONVK_IMPLEMENT -DCONVK_ONLY_CORE -DCONVK_WITH_STENCIL -DCONVK_WITH_VMATH $own -c "$out/unit.c" -o "$d/core.o"
  for f in STENCIL VMATH; do
    try "apart, $name: $f" "$@" -DCONVK_IMPLEMENT -DCONVK_ONLY_FAMILIES -DCONVK_WITH_$f $own -c "$out/unit.c" -o "$d/$f.o"
  done
  for l in c cpp; do
    try "apart, $name: links $l" $CXX "$out/main_$l.o" "$out/other_$l.o" "$d"/{core,STENCIL,VMATH}.o -o "$d/program"
    try "apart, $name: runs $l" "$d/program"
  done
}
apart C c
apart C++ cpp
if command -v clang >/dev/null; then
  apart 'C, clang' clang -std=c99 $CFLAGS $warn -I.
  apart 'C++, clang' clang -x c++ -std=c++11 $CFLAGS $warn -I.
fi
d=$out/apart_C
rm -f "$d/libparts.a"
try 'apart: an archive' ar cr "$d/libparts.a" "$d"/{STENCIL,VMATH,core}.o
try 'apart: its program' $CXX "$out/main_c.o" "$out/other_c.o" -L"$d" -lparts -o "$d/program"
try 'apart: it runs' "$d/program"
try 'apart: nothing is visible outside' says none sh -c \
  "readelf -Ws '$d'/core.o '$d'/VMATH.o | grep 'GLOBAL DEFAULT *[0-9]' | grep convk_ || { echo none; false; }"
for f in core STENCIL VMATH; do
  case $f in core) w='CORE -DCONVK_WITH_STENCIL -DCONVK_WITH_VMATH' ;; *) w="FAMILIES -DCONVK_WITH_$f" ;; esac
  # shellcheck disable=SC2086
  try "apart: shared, $f" $quick -std=c99 $CFLAGS $warn -I. -fPIC -DCONVK_SHARED -DCONVK_IMPLEMENT -DCONVK_ONLY_$w $modules -c "$out/unit.c" -o "$d/shared_$f.o"
done
try 'apart: a shared library' $CC -shared "$d"/shared_{core,STENCIL,VMATH}.o -o "$d/libshared.so"
for f in main other; do
  try "apart: $f beside it" c -DCONVK_SHARED -DCONVK_DECLARE $families $modules -c "$out/$f.c" -o "$d/$f.o"
done
try 'apart: links to it' $CC "$d/main.o" "$d/other.o" -L"$d" -lshared -Wl,-rpath,"$(cd "$d" && pwd)" -o "$d/program"
try 'apart: runs with it' "$d/program"
try 'apart: its parts are its own' says none sh -c \
  "readelf -W --dyn-syms '$d/libshared.so' | grep 'convk_bind_\|convk_trial_' || { echo none; false; }"
try 'apart: a family without a unit' says 'undefined reference to .convk_bind_vmath_f32_scalar_' \
  $CXX "$out/main_c.o" "$out/other_c.o" "$d"/{core,STENCIL}.o -o "$d/program"
try 'apart: no core' says 'undefined reference to .convk_open_' $CXX "$out/main_c.o" "$out/other_c.o" "$d"/{STENCIL,VMATH}.o -o "$d/program"
try 'apart: one family twice' says 'multiple definition of .convk_exp_f32' \
  $CXX "$out/main_c.o" "$out/other_c.o" "$d"/{core,STENCIL,VMATH}.o "$out/apart_C++/VMATH.o" -o "$d/program"
try 'apart: two cores' says 'multiple definition of .convk_open_' \
  $CXX "$out/main_c.o" "$out/other_c.o" "$d"/{core,STENCIL,VMATH}.o "$out/apart_C++/core.o" -o "$d/program"
try 'apart, but not implemented' says 'say what a unit with CONVK_IMPLEMENT' c -DCONVK_ONLY_CORE -fsyntax-only "$out/unit.c"
try 'apart, both parts' says 'ONLY_FAMILIES in one unit' c -DCONVK_IMPLEMENT -DCONVK_ONLY_CORE -DCONVK_ONLY_FAMILIES -fsyntax-only "$out/unit.c"
printf '#include "convk.h"\n#define CONVK_ONLY_CORE\n#include "convk.h"\n' >"$out/parts.c"
try 'apart, too late' says 'included before for other parts' c -DCONVK_IMPLEMENT -DCONVK_WITH_VMATH -fsyntax-only "$out/parts.c"

# A unit that declares has the modules of the one that implements, whichever of them it includes itself, also where those are included
# after convk.h, and in C++ before main begins.
if [ "$(uname -m)" = x86_64 ] && grep -qw avx2 /proc/cpuinfo; then
  cat >"$out/opens.c" <<'END'
#include "convk.h"
#include <stdio.h>
#include <string.h>
static int opens(const char *spec) {
  convk hw;
  const int status = convk_open(&hw, spec);
  const int wrong = status || strcmp(hw.name, "avx2");
  if (wrong) printf("%s: %d %s\n", spec ? spec : "the best", status, hw.name);
  convk_close(&hw);
  return wrong;
}
#ifdef __cplusplus
static const int early = opens(NULL);
#else
enum { early = 0 };
#endif
int main(void) { return early || opens(NULL) || opens("avx2"); }
END
  printf '#include "convk.h"\n#include "convk_avx.h"\n' >"$out/later.c"
  implement='-DCONVK_IMPLEMENT -DCONVK_WITH_VMATH -DCONVK_F64 -DCONVK_NO_AVX512 -DCONVK_NO_AVX'
  # shellcheck disable=SC2086
  try 'modules: a family' c $implement -DCONVK_ONLY_FAMILIES -c "$out/later.c" -o "$out/later_family.o"
  for l in c cpp; do
    # shellcheck disable=SC2086
    try "modules: the core, $l" $l $implement -DCONVK_ONLY_CORE -c "$out/later.c" -o "$out/later_$l.o"
    try "modules: main, $l" $l -DCONVK_DECLARE -DCONVK_WITH_VMATH -c "$out/opens.c" -o "$out/opens_$l.o"
  done
  for m in c cpp; do
    for l in c cpp; do
      try "modules: main $m, core $l: links" $CXX "$out/opens_$m.o" "$out/later_$l.o" "$out/later_family.o" -o "$out/opens"
      try "modules: main $m, core $l: has AVX2" "$out/opens"
    done
  done
fi

# Two libraries of one program, each with its own.
printf '#include "convk.h"\nint library_%%s(void);\nint library_%%s(void) { convk hw; const int s = convk_open(&hw, "scalar"); convk_close(&hw); return s; }\n' >"$out/library.txt"
for l in one two; do
  sed "s/%s/$l/g" "$out/library.txt" >"$out/$l.c"
  try "library $l" c -DCONVK_IMPLEMENT -DCONVK_WITH_VMATH -DCONVK_F64 -fPIC -shared "$out/$l.c" -o "$out/lib$l.so"
done
printf 'int library_one(void);\nint library_two(void);\nint main(void) { return library_one() + library_two(); }\n' >"$out/both.c"
try 'two libraries link' c "$out/both.c" -L"$out" -lone -ltwo -Wl,-rpath,"$(cd "$out" && pwd)" -o "$out/both"
try 'two libraries run' "$out/both"

# Units with other families, precisions and instruction sets share handles, and say what is missing.
c $families -c "$out/other.c" -o "$out/other.o"
mixed() { # DEFINES...: how main is compiled
  $quick -std=c99 $CFLAGS $warn -I. "$@" "$out/main.c" "$out/other.o" -o "$out/mixed" && "$out/mixed"
}
try 'families differ' mixed -DCONVK_WITH_VMATH -DSWEEP=CONVK_ERR_COMPILED
try 'precisions differ: f64' mixed $families -DCONVK_F64 -DEXP=CONVK_ERR_COMPILED
try 'precisions differ: f32' mixed $families -DCONVK_F32 -DSWEEP=CONVK_ERR_COMPILED
try 'modules differ' mixed $families $modules
for f in SSE2:sse2 AVX:avx AVX2:avx2 AVX512:avx512 NEON:neon; do
  try "without ${f#*:}" mixed -DCONVK_WITH_VMATH -DCONVK_F64 -DCONVK_SIMD -DCONVK_NO_${f%:*} "-DSPEC=\"${f#*:}\"" -DOPENS=CONVK_ERR_HW_MODULE
done

# Contradictions are errors with a sentence.
if command -v clang >/dev/null; then
  printf '#include <immintrin.h>\n#include "convk_avx.h"\n' >"$out/late.c"
  try 'clang fuses' says 'compile this file without -ffast-math' clang -ffast-math -mfma -I. -fsyntax-only "$out/unit.c"
  try 'clang has intrinsics' says 'include convk_avx.h before' clang -ffast-math -I. -fsyntax-only "$out/late.c"
fi
try 'both modes' says 'CONVK_DECLARE and CONVK_IMPLEMENT in one unit' c -DCONVK_DECLARE -DCONVK_IMPLEMENT -fsyntax-only "$out/unit.c"
for first in '' CONVK_DECLARE CONVK_IMPLEMENT; do
  for second in '' CONVK_DECLARE CONVK_IMPLEMENT; do
    [ "$first" = "$second" ] && continue
    {
      printf '#define CONVK_WITH_VMATH\n'
      [ -z "$first" ] || printf '#define %s\n' $first
      printf '#include "convk.h"\n'
      [ -z "$first" ] || printf '#undef %s\n' $first
      [ -z "$second" ] || printf '#define %s\n' $second
      printf '#include "convk.h"\n'
    } >"$out/twice.c"
    try "first ${first:-static}, then ${second:-static}" says 'included before in this unit, in another mode' c -fsyntax-only "$out/twice.c"
  done
done

echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
