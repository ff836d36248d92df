#!/bin/bash
# Compile tests: every way in which a program may include the headers, without one warning.
#   tests/compile.sh
# In the environment: CC, CXX, the GNU compilers to use; JOBS, how many at a time; CONVK_COMPILE_LIMIT, in seconds, for
# slow machines.
# A covering set and no full product: each standard, compiler, level, architecture and define is met at least once, and
# each pair of compiler and architecture.  Ends with the line `N passed, N failed, N skipped`.
set -u
cd "$(dirname "$0")/.." || exit 1
export ROOT=$PWD
CC=${CC:-cc} CXX=${CXX:-g++} JOBS=${JOBS:-$(nproc)}
export W='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Werror'
work=$ROOT/build/compile
rm -rf "$work"
mkdir -p "$work/log" && cd "$work" || exit 1

count=0 running=0
# check NAME COMMAND: one test, in the background
check() {
  local log
  count=$((count + 1))
  log=log/$(printf '%03d' $count)
  echo "$1: $2" >"$log.name"
  if ((running >= JOBS)); then
    wait -n
    running=$((running - 1))
  fi
  { timeout 300 bash -c "$2" >"$log.out" 2>&1 && touch "$log.passed"; } &
  running=$((running + 1))
}
skipped=0
skip() { # skip FEATURE WHAT PACKAGE
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
int smooth(const convk_grid3 *grid, const double *in, double *out);
int smooth(const convk_grid3 *grid, const double *in, double *out) {
  static const int periodic[3] = {CONVK_PERIODIC, CONVK_PERIODIC, CONVK_PERIODIC};
  convk hw;
  int status = convk_open(&hw, NULL);
  if (!status) status = convk_magicfilter3d_f64(&hw, grid, grid, CONVK_FORWARD, periodic, NULL, in, out, NULL, 0);
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
  static const char *const names[] = {"scalar", "sse2", "avx", "avx2", "avx512", "nothing"};
  static const int rules[3] = {CONVK_PERIODIC, CONVK_ZERO, CONVK_PERIODIC};
  static double x[23 * 19 * 21], y[23 * 19 * 21];
  static float u[23 * 19 * 21], v[23 * 19 * 21];
  const convk_grid3 grid = {23, 19, 21, 0, 0};
  unsigned long seed = 1;
  size_t i, k;
  for (i = 0; i < sizeof x / sizeof *x; i++) {
    seed = (seed * 1103515245UL + 12345UL) & 0x7fffffffUL;
    x[i] = (double)seed / 1073741824.0 - 1;
    u[i] = (float)x[i];
  }
  for (k = 0; k < sizeof names / sizeof *names; k++) {
    convk hw;
    int status = convk_open(&hw, names[k]);
    if (!status) status = convk_magicfilter3d_f64(&hw, &grid, &grid, CONVK_INVERSE, rules, NULL, x, y, NULL, 0);
    if (!status) status = convk_magicfilter3d_f32(&hw, &grid, &grid, CONVK_FORWARD, rules, NULL, u, v, NULL, 0);
    if (status) {
      printf("%s: %s\n", names[k], convk_strerror(status));
    } else {
      printf("%s: %08lx %08lx\n", names[k], hash(y, sizeof y), hash(v, sizeof v));
    }
    convk_close(&hw);
  }
#ifdef PROGRAM_END
  PROGRAM_END
#endif
  return 0;
}
END
program() { { cat && echo '#include "program.inc"'; } | both "$1"; } # program NAME <includes

# ---- how long a unit takes ----

# processor time, so that other work on the machine counts little
TIMEFORMAT='%U %S'
printf '#define CONVK_SSE\n#define CONVK_AVX\n#include "convk.h"\nint main(void) { convk hw; return convk_open(&hw, 0); }\n' >time.c
for family in SEPCONV STENCIL VMATH GAUSSIAN FORMFACTOR FFT VMC; do
  limit=${CONVK_COMPILE_LIMIT:-6.0}
  case $family in FFT | VMC) limit=${CONVK_COMPILE_LIMIT:-10.0} ;; esac # passes of eight radices in registers; many texts of pairs
  for _ in 1 2 3; do
    { time "$CC" -O2 -std=c99 $W -I"$ROOT" -DCONVK_WITH_$family -c time.c -o time.o 2>/dev/null; } 2>&1 | awk '{ print $1 + $2 }'
  done | sort -n >time.txt
  took=$(sed -n 2p time.txt)
  echo "compile time: $family with all CPU modules, $CC -O2: $took s, median of 3 (limit $limit s)"
  check "compile time of $family" "awk 'BEGIN { exit !($took <= $limit) }' || { echo '$took s, limit $limit s'; false; }"
done

# ---- headers one by one, alone and twice ----

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
  echo "#include \"$name.h\"" | both "alone_$name"
  printf '#include "%s.h"\n#include "%s.h"\n' "$name" "$name" | both "twice_$name"
  for c in "${compilers[@]}"; do
    if is_cxx "$c"; then language=cxx std=-std=c++11; else language=c std=-std=c99; fi
    [[ " $languages " == *" $language "* ]] || continue
    check "$c $name.h alone and twice" \
      "$c $std $flags $W -I$ROOT -c $(source_of "$c" "alone_$name") -o alone_$name.$c.o &&
       $c $std $flags $W -I$ROOT -c $(source_of "$c" "twice_$name") -o twice_$name.$c.o"
  done
done

# ---- standards, levels, architectures ----

row() { # row COMPILER FLAGS...: the unit, if there is that compiler
  local c=$1
  shift
  [[ " ${compilers[*]} " == *" $c "* ]] || return 0
  case "$*" in *-m*) [ $x86 = yes ] || return 0 ;; esac
  check "$c $*" "$c $* $W -I$ROOT -c $(source_of "$c" unit) -o unit$count.o"
}
for std in c99 c11 c17 c2x gnu17; do
  row "$CC" -std=$std -O0
  row clang -std=$std -O0
done
for std in c++11 c++14 c++17 c++20 gnu++17; do
  row "$CXX" -std=$std -O0
  row clang++ -std=$std -O0
done
row "$CC" -std=c99 -O1
row "$CC" -std=c11 -O2 -march=native
row "$CC" -std=c17 -O3
row "$CC" -std=c2x -O2 -march=skylake-avx512
row "$CC" -std=c99 -O3 -mno-avx
row "$CC" -std=gnu17 -Os -ffp-contract=off
row "$CXX" -std=c++11 -O2
row "$CXX" -std=c++11 -O1 -include immintrin.h
row "$CXX" -std=c++14 -O1 -march=skylake-avx512
row "$CXX" -std=c++17 -O3 -march=native
row "$CXX" -std=c++20 -O2 -mno-avx
row clang -std=c99 -O3 -march=native
row clang -std=c11 -O1
row clang -std=c17 -O2
row clang -std=c2x -O1 -march=skylake-avx512
row clang -std=c99 -O2 -mno-avx
row clang++ -std=c++11 -O1 -march=native
row clang++ -std=c++14 -O3
row clang++ -std=c++17 -O2 -march=skylake-avx512
row clang++ -std=c++20 -O1 -mno-avx

# ---- orders: the same program by any ----

{ umbrella && echo '#include "convk.h"'; } | program umbrella
flags="-std=c99 -O1 -ffp-contract=off $W -I$ROOT"
check 'umbrella define' "$CC $flags umbrella.c -o umbrella -lm && ./umbrella >umbrella.txt && cat umbrella.txt"
wait
running=0
# order NAME COMPILER FLAGS INCLUDES [LIBRARIES]: prints what the umbrella define gives
order() {
  echo "$4" | program "$1"
  check "$2 order $1" "$2 $3 $W -I$ROOT $(source_of "$2" "$1") -o $1 ${5:-} -lm && ./$1 | diff umbrella.txt -"
}
include() { for m in "$@"; do [ -f "$ROOT/$m.h" ] && echo "#include \"$m.h\""; done; }
c99='-std=c99 -O1 -ffp-contract=off' cxx11='-std=c++11 -O1 -ffp-contract=off'
for names in 'convk convk_sse convk_avx' 'convk convk_avx convk_sse' 'convk_sse convk convk_avx' \
  'convk_sse convk_avx convk' 'convk_avx convk convk_sse' 'convk_avx convk_sse convk' 'convk_avx convk_sse'; do
  order "$(echo $names | tr ' ' -)" "$CC" "$c99" "$(include $names)"
done
order reversed-defines "$CC" "$c99" "$(umbrella | tac && include convk)"
order after-complex "$CC" "$c99" "$(echo '#include <complex.h>' && umbrella && include convk)"
order names-and-defines "$CC" "$c99" "$(umbrella && include convk_avx convk_sse convk)"
have clang && order clang clang "$c99" "$(include convk_avx convk_sse)"
have "$CXX" && order cxx "$CXX" "$cxx11" "$(include convk_sse convk_avx)"
if [ ! -f "$ROOT/convk_cl.h" ]; then
  echo 'there is no convk_cl.h'
elif echo 'int main(void) { return 0; }' | "$CC" -include CL/cl.h -x c - -o probe -lOpenCL 2>/dev/null; then
  cl=-DCL_TARGET_OPENCL_VERSION=120
  order cl-first "$CC" "$c99 $cl" "$(include convk_cl convk_avx convk_sse)" -lOpenCL
  order cl-define "$CC" "$c99 $cl" "$(umbrella && echo '#define CONVK_CL' && include convk)" -lOpenCL
  have clang++ && order cl-cxx clang++ "$cxx11 $cl" "$(include convk_sse convk_cl convk_avx)" -lOpenCL
else
  skip opencl 'orders with convk_cl.h' 'Debian packages opencl-headers ocl-icd-opencl-dev'
fi

# ---- two units ----

cat >two.inc <<'END'
#include <stdio.h>
int main(void) {
  static double in[4096], out[4096];
  const convk_grid3 grid = {16, 16, 16, 0, 0};
  int status;
  in[0] = 1;
  status = smooth(&grid, in, out);
  printf("%s\n", convk_strerror(status));
  return status || !(out[0] > 0.9);
}
END
prototype='int smooth(const convk_grid3 *grid, const double *in, double *out);'
{ include convk_avx convk_sse && printf '%s\n#include "two.inc"\n' "$prototype"; } | both two
check 'two units' "$CC -std=c99 -O1 $W -I$ROOT unit.c two.c -o two -lm && ./two"
if have "$CXX"; then
  { umbrella && printf '#include "convk.h"\nextern "C" %s\n#include "two.inc"\n' "$prototype"; } >two_cxx.cpp
  check 'two units, C and C++' "$CC -std=c99 -O1 $W -I$ROOT -c unit.c -o two_c.o &&
    $CXX -std=c++11 -O1 $W -I$ROOT two_cxx.cpp two_c.o -o two_cxx -lm && ./two_cxx"
fi

# ---- the defines of the manual ----

for family in $(grep -o 'CONVK_WITH_[A-Z0-9]*' "$ROOT/convk.h" | sort -u); do
  { umbrella && cat <<'END'; } | both "only_$family"
#include "convk.h"
int open_it(convk *hw);
int open_it(convk *hw) { return convk_open(hw, NULL); }
END
  for c in "${compilers[@]}"; do
    check "$c $family" "$c -O0 -D$family $W -I$ROOT -c $(source_of "$c" "only_$family") -o only_$family.$c.o"
  done
done

strict="-DCONVK_STRICT -ffp-contract=off -O2"
for c in "$CC" clang; do
  have "$c" || continue
  check "$c CONVK_STRICT: all variants give the same bits" \
    "$c -std=c99 $strict $W -I$ROOT umbrella.c -o strict_$c -lm && ./strict_$c | tee strict_$c.txt && grep -q '^scalar: [0-9a-f]* [0-9a-f]*\$' strict_$c.txt &&
     test \$(sed -n 's/^[a-z0-9]*: \\([0-9a-f]\\{8\\} [0-9a-f]\\{8\\}\\)\$/\\1/p' strict_$c.txt | sort -u | wc -l) = 1"
done
have "$CXX" && check "$CXX CONVK_STRICT" "$CXX -std=c++11 $strict $W -I$ROOT -c unit.cpp -o strict.o"

check 'CONVK_OPENMP, threads change nothing' \
  "$CC -std=c99 -O1 -ffp-contract=off -fopenmp -DCONVK_OPENMP $W -I$ROOT umbrella.c -o openmp -lm &&
   OMP_NUM_THREADS=3 ./openmp | diff umbrella.txt - && OMP_NUM_THREADS=1 ./openmp | diff umbrella.txt -"
check 'CONVK_OPENMP without -fopenmp is refused' "! $CC -std=c99 -O0 -DCONVK_OPENMP $W -I$ROOT -c unit.c -o noopenmp.o 2>/dev/null"
have "$CXX" && check "$CXX CONVK_OPENMP" "$CXX -std=c++11 -O0 -fopenmp -DCONVK_OPENMP $W -I$ROOT -c unit.cpp -o openmp_cxx.o"

{
  cat <<'END'
#include <stdlib.h>
static int taken, given;
static void *take(size_t bytes) {
  taken++;
  return malloc(bytes);
}
static void give(void *pointer) {
  given += pointer != NULL;
  free(pointer);
}
#define CONVK_MALLOC(bytes) take(bytes)
#define CONVK_FREE(pointer) give(pointer)
#define PROGRAM_END if (taken == 0 || taken != given) return 1;
END
  umbrella
  echo '#include "convk.h"'
} | program memory
for c in "${compilers[@]}"; do
  check "$c CONVK_MALLOC, CONVK_FREE" \
    "$c -O1 -ffp-contract=off $W -I$ROOT $(source_of "$c" memory) -o memory.$c -lm && ./memory.$c | diff umbrella.txt -"
done

mkdir -p renamed
cp "$ROOT"/convk_*.h renamed
cp "$ROOT/convk.h" renamed/kernels.h
{ echo '#define CONVK_HEADER "kernels.h"' && umbrella && echo '#include "renamed/kernels.h"'; } | program header
check 'CONVK_HEADER' "$CC -std=c99 -O1 -ffp-contract=off $W -I. header.c -o header -lm && ./header | diff umbrella.txt -"
include convk_avx convk_sse | program header_names
check 'CONVK_HEADER on the command line' \
  "$CC -std=c99 -O1 -ffp-contract=off $W -Irenamed -DCONVK_HEADER='\"kernels.h\"' header_names.c -o header_names -lm && ./header_names | diff umbrella.txt -"

# ---- paths ----

mkdir -p dir/inc
cp "$ROOT"/convk*.h dir
cp "$ROOT"/convk*.h dir/inc
cp unit.c dir/beside.c
sed 's|"convk.h"|"inc/convk.h"|' unit.c >dir/below.c
sed 's|"convk.h"|<convk.h>|' unit.c >dir/angle.c
for c in "$CC" clang; do
  have "$c" || continue
  check "$c dir/beside.c" "$c -std=c99 $W -c dir/beside.c -o beside.$c.o"
  check "$c dir/below.c" "$c -std=c99 $W -c dir/below.c -o below.$c.o"
  check "$c -Iinc" "cd dir && $c -std=c99 $W -Iinc -c angle.c -o angle.$c.o"
  check "$c -isystem" "cd dir && $c -std=c99 $W -isystem inc -c angle.c -o system.$c.o"
  check "$c -ffile-prefix-map" "$c -std=c99 $W -ffile-prefix-map=$work=. -c dir/beside.c -o mapped.$c.o"
  check "$c -ffile-prefix-map to elsewhere" "$c -std=c99 $W -ffile-prefix-map=dir=/nowhere -c dir/below.c -o mapped2.$c.o"
done

# ---- the smallest program ----

cat >prog.c <<'END'
#include "convk.h"
int main(void) { convk hw; return convk_open(&hw, NULL); }
/* and nothing else */
END
check 'three lines, convk.h alone' "$CC -std=c99 -I$ROOT prog.c -o prog -lm && ./prog"

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
      "$c -O3 -march=x86-64 $W -I$ROOT -c $(source_of "$c" after) -o after.$c.o && objdump -d --no-show-raw-insn after.$c.o >after.$c.txt &&
       grep -q mulpd after.$c.txt && ! grep -E '%[yz]mm|[[:space:]]v[a-z0-9]+[[:space:]]+.*%xmm' after.$c.txt"
  done
  check 'code of the kernels is not baseline' \
    "$CC -O1 -march=x86-64 -I$ROOT -c unit.c -o wide.o && objdump -d --no-show-raw-insn wide.o >wide.txt && grep -q %ymm wide.txt && grep -q %zmm wide.txt && grep -q vfmadd wide.txt"
fi

# Macros: none without the prefix, and no word of a pass is left.
{ umbrella && echo '#include "convk.h"'; } >macros.c
printf '#include <%s>\n' stddef.h stdint.h stdlib.h string.h time.h sys/mman.h sys/time.h >system.c
[ $x86 = yes ] && printf '#include <%s>\n' emmintrin.h immintrin.h >>system.c
check 'macros have the prefix' \
  "$CC -I$ROOT -dM -E macros.c | awk '{ sub(/\\(.*/, \"\", \$2); print \$2 }' | sort >macros.txt &&
   $CC -dM -E system.c | awk '{ sub(/\\(.*/, \"\", \$2); print \$2 }' | sort >system.txt &&
   ! comm -23 macros.txt system.txt | grep -v '^CONVK_\\|^convk_'"
check 'the words of a pass are gone' \
  "! grep -xE 'CONVK_(PASS_|TYPE_|T|V|LANES|HW_|LOAD_|STORE_|LOADK_|STOREK_|SET_|ADD_|MUL_|FMA_|BEFORE_|AFTER_)' <($CC -I$ROOT -dM -E macros.c | awk '{ sub(/\\(.*/, \"\", \$2); print \$2 }')"

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
