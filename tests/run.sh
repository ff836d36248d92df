#!/bin/bash
# Every test that this machine can run, in parts; what is missing is skipped, with the Debian package that provides it.
#   tests/run.sh [PART...]
# In the environment: CC, CXX, CFLAGS; JOBS, how many parts at a time; CONVK_REQUIRE=opencl,nvcc,... makes the skips of
# these features failures.  Logs are kept in build/log.  The last line is `N passed, N failed, N skipped`.
# TEST_LONG=1, before a release, repeats what is otherwise done once of several times: tests of both types at length and under
# tools (the harness in tests/test.c says what it does of each), golden bits of both types by every compiler, each family by
# compilers, levels and standards in tests/compile.sh, optimised OpenCL programs, machine code for two CUDA architectures, faults that
# tests must notice (tests/faults.py), and the harness on the portable variant under valgrind (the sanitizers have it) and on aarch64
# (its golden bits are always compared), how long the headers take to compile (alone: TEST_LONG=1 tests/run.sh compile_time).
# TEST_SMOKE=1 does of every part the least that shows whether its tools are there: the harness and golden bits of one family, in
# portable C, and what tests/compile.sh does with another.  So the part `bare` runs all parts where there are next to no tools.
set -u
cd "$(dirname "$0")/.." || exit 1
smoke=${TEST_SMOKE:-}
export CC=${CC:-cc} CXX=${CXX:-g++} CFLAGS=${CFLAGS:--O2} JOBS=${JOBS:-$(nproc)}
require=${CONVK_REQUIRE:-}
unset CONVK_REQUIRE
features='c++ clang cmake pkg-config png fortran opencl cuda-emulated nvcc gpu sanitizers valgrind qemu-x86 qemu-aarch64
  qemu-riscv64 objdump nvdisasm clang-format clang-tidy mpi mpich hdf5 simgrid x86 sse2 avx avx2 avx512'
# The long ones first and the short ones last, so that no processor is idle at the end; those that share the harness after who makes it.
parts='harness opencl bits compile_code sanitizers cuda_emulated valgrind audit_opencl compile_text
  nvcc audit_cuda gpu_example bench compile_defines golden_riscv64 golden_aarch64 opencl_limits opencl_host opencl_programs
  golden_opencl mpi_mpich cuda_calls cuda_counts cuda_emulator bench_opencl helium_example modes lint'
for file in tests/parts/*.sh; do # their features and parts are added to these
  . "$file"
done
parts+="${TEST_LONG:+ golden_cuda_emulated valgrind_scalar qemu_aarch64 compile_time}"
parts+=' gpu qemu_x86 fft_examples helium gisaxs mpi_simulated tune orbital blur diffraction heat gpu_opencl demo demo_png demo_opencl
  embed embed_cpp embed_fortran own_threads manual readme format cube stl mesh_file shapes assembly pgm molden headers'
for f in ${require//,/ }; do
  [[ " $features " == *[[:space:]]"$f"[[:space:]]* ]] || { echo "CONVK_REQUIRE: $f is none of: "$features; exit 2; }
done
export POCL_CACHE_DIR=$PWD/build/pocl LC_ALL=C
unset CONVK_HW
long=${TEST_LONG:-}
level=${long:+--long} brief=--brief other_brief='--brief --other' # of tests/test.c; the other of two types
[ -z "$long" ] || brief=--quick other_brief=--quick
[ -z "$smoke" ] || level='--brief --filter sincos' brief=$level other_brief=$level
log=build/log out=build/test
mkdir -p $log $out $POCL_CACHE_DIR
PATH=$PATH:/usr/local/cuda/bin

required() { [[ ,$require, == *,"$1",* ]]; }
# The features among these that are required, for the test programs.
among() { for f in "$@"; do required "$f" && printf '%s,' "$f"; done; true; }
# skip FEATURE WHY: ends a part
skip() {
  echo "$2"
  if required "$1"; then exit 1; else exit 77; fi
}
there() { [ -f "$2" ] || skip "$1" "there is no $2"; }              # there FEATURE FILE
need() { command -v "$2" >/dev/null || skip "$1" "Debian package $3"; } # need FEATURE COMMAND PACKAGE

# Parts of several tests: each `try NAME COMMAND...` is one, each `without FEATURE WHAT WHY` is skipped, `total` counts them.
tried=0 wrong=0 left=0
try() {
  local name=$1
  shift
  tried=$((tried + 1))
  if "$@"; then echo "ok $name"; else
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

# ---- the harness, in many ways ----

made() { flock build/lock make -s "$1"; } # parts may want the same
warn='-Wall -Wextra'
cpu='-DCONVK_SSE -DCONVK_AVX'
c99="-std=c99 -D_GNU_SOURCE -ffp-contract=off $warn -I. $cpu"
[ -z "$smoke" ] || cpu=-DCONVK_WITH_VMATH c99=${c99% -DCONVK_SSE*} CFLAGS=-O1
run() { timeout --foreground 1500 "$@"; }

# Programs that several parts run are made once: whoever comes second waits.  With lines for valgrind.
rm -f $out/harness $out/plain $out/emulated.o
once() { # NAME FLAGS
  flock $out/$1.lock bash -c "[ -x $out/$1 ] || $CC $c99 $2 -g1 tests/test.c -o $out/$1 -lm -pthread"
}
# By a compiler that looks for alignment, where there is one: assignments promise it, memory copies do not.
harness() {
  local aligned='-ftree-loop-vectorize -ftree-slp-vectorize -fvect-cost-model=dynamic -mtune=intel'
  [ -z "$smoke" ] || aligned=-O0
  # shellcheck disable=SC2086
  echo 'int x;' | $CC $aligned -x c -c - -o $out/aligned.o 2>/dev/null || aligned=
  once harness "$CFLAGS $aligned"
}
plain() { # for what shows the program another processor
  if [ "$CFLAGS" = -O2 ]; then plain=$out/harness; else plain=$out/plain; fi
  once ${plain##*/} -O2
}

part_harness() {
  harness
  CONVK_REQUIRE=$(among sse2 avx avx2 avx512) run $out/harness $level --hw scalar,sse2,avx,avx2,avx512
}

# What `make check` has of it.
part_check() {
  harness
  run $out/harness $brief --hw scalar,sse2,avx,avx2,avx512
}

cl='-DCONVK_CL -DCL_TARGET_OPENCL_VERSION=120'
opencl() { # is there a device?  The argument keeps parts apart that run at the same time
  there opencl convk_cl.h
  echo 'int main(void) { cl_uint n = 0; return clGetPlatformIDs(0, NULL, &n) || !n; }' >$out/platforms_$1.c
  $CC $cl -include CL/cl.h $out/platforms_$1.c -o $out/platforms_$1 -lOpenCL || skip opencl 'Debian packages opencl-headers ocl-icd-opencl-dev'
  $out/platforms_$1 || skip opencl 'Debian package pocl-opencl-icd'
}

# Every filter makes a program, and PoCL takes its time to build it: brief, and not optimised, which golden_opencl is.
part_opencl() {
  opencl harness
  local more=-cl-opt-disable
  [ -z "$long" ] || more=
  $CC ${c99/$cpu/} $CFLAGS -O1 $cl tests/test.c tests/opencl_options.c -Wl,--wrap=clBuildProgram -o $out/opencl -lOpenCL -lm -pthread
  rm -f $out/options.txt
  CONVK_OPENCL_OPTIONS=$out/options.txt CONVK_OPENCL_MORE=$more CONVK_REQUIRE=$(among opencl) run $out/opencl $brief --hw opencl
  opencl_text
}
# Every source with every set of options that was built, by a compiler with all its warnings.
opencl_text() {
  local file options
  if ! command -v clang >/dev/null; then
    without clang 'OpenCL kernels by clang' 'Debian package clang'
    total
    return
  fi
  while read -r file options; do
    options=${options/-cl-fp32-correctly-rounded-divide-sqrt/}
    try "$file $options" clang -x cl -cl-std=CL1.2 -Wall -Werror -fsyntax-only -Isrc $options src/"$file"
  done < <(sort -u $out/options.txt)
  [ $tried -gt 50 ] || try 'options were written down' false
  total
}

# In turns of one thread each the emulator is slow: brief here, all of it in the part cuda_emulated_long.
part_cuda_emulated() {
  there cuda-emulated convk_cuda.h
  need cuda-emulated "$CXX" g++
  $CXX -x c++ -std=c++11 -ffp-contract=off $warn $CFLAGS -O1 -I. -DCONVK_CUDA -DCONVK_TEST_CUDA_EMULATED tests/test.c -o $out/cuda_emulated -lm -pthread
  CONVK_REQUIRE=$(among cuda-emulated) run $out/cuda_emulated ${1:-$other_brief} --hw cuda-emulated
}
part_cuda_emulated_long() { part_cuda_emulated '--long --seed 2'; }

# The library on the emulated device, for programs that only declare it: emulated PROGRAM FLAGS... SOURCE
emulated() { tests/emulated.sh $out "$@"; }

part_cuda_emulator() {
  need cuda-emulated "$CXX" g++
  $CXX -std=c++11 -ffp-contract=off $warn $CFLAGS -I. tests/test_cuda_emulator.cpp -o $out/cuda_emulator -pthread
  run $out/cuda_emulator
  [ "$(CONVK_EMULATOR_SCHEDULE=greedy,reversed,seed=5,preempt=3 $out/cuda_emulator name)" = greedy,reversed,seed=5,preempt=3 ]
  [ "$(CONVK_EMULATOR_SCHEDULE=random $out/cuda_emulator name)" = random,forward,seed=1,preempt=0 ]
  if CONVK_EMULATOR_SCHEDULE=eager $out/cuda_emulator name; then exit 1; fi
  emulated $out/bench_cuda tests/bench/bench_cuda.cu
  local exp='"arch": "90", "operation": "exp", "type": "f32", "size": "*", "unit": "G/s"'
  printf "{$exp, \"rate\": %s, \"device\": \"%s\"}\n" 3 H200 2 emulat 4 H100 >$out/predicted_cuda.json
  $out/bench_cuda --quick --predicted $out/predicted_cuda.json >$out/bench_cuda.txt
  [ "$(grep -c ' of predicted 2 ' $out/bench_cuda.txt)" = 1 ] # by its name; and the first one, where none has it
  $out/bench_cuda --quick --filter exp --predicted <(grep -v emulat $out/predicted_cuda.json) >$out/bench_cuda.txt
  [ "$(grep -c ' of predicted 3 ' $out/bench_cuda.txt)" = 1 ]
}

# Graphs, streams, devices and host threads.
part_cuda_calls() {
  there cuda-emulated convk_cuda.h
  need cuda-emulated "$CXX" g++
  emulated $out/cuda_calls -Wno-unused-function tests/test_cuda_calls.cpp
  run $out/cuda_calls
  # The driver's calls are asked for in another way by each of these versions.
  local version flags="-std=c++11 $warn -Werror -I. -DCONVK_WITH_VMATH -DCONVK_F32 -include tests/cuda_emulator.h"
  {
    echo '#include "convk_cuda.h"'
    echo 'int main() { convk hw; const int status = convk_open(&hw, "cuda:1"); convk_close(&hw); return status; }'
  } >$out/cuda_version.cpp
  for version in 11030 11080 12000 12040 12050 13000; do
    # shellcheck disable=SC2086
    $CXX $flags -DCUDART_VERSION=$version $out/cuda_version.cpp -o $out/cuda_version -pthread && $out/cuda_version
  done
  # shellcheck disable=SC2086
  ! $CXX $flags -DCUDART_VERSION=11020 -fsyntax-only $out/cuda_version.cpp 2>$out/cuda_version.txt
  grep 'CUDA 11.3' $out/cuda_version.txt
}

part_cuda_counts() {
  need clang clang++ clang
  tests/count.sh $out/cuda_counts tests/test_cuda_counts.cpp $warn
  run $out/cuda_counts
  [ -n "$long" ] || return 0 # the tool that prints them: the same kernels again
  tests/count.sh $out/count_cuda tests/bench/audit/count_cuda.cu -I.
  $out/count_cuda --filter 'exp f32' | grep -q 'must *8 B/number, 1 of it'
}

golden() { CONVK_REQUIRE=$(among sse2 avx avx2 avx512 opencl cuda-emulated) run "$@"; }

# Bits, by the compilers' own rules of contraction.  The text of both types is one: compilers that optimise share them.
part_bits() {
  local c f t single=-DCONVK_F32 double=-DCONVK_F64
  while IFS=: read -r c f; do
    command -v "$c" >/dev/null || continue
    # shellcheck disable=SC2086
    $c $warn $CFLAGS $f -I. tests/test_bits.c -o $out/bits
    try "$c $f" run $out/bits
  done <<<"$CC:
clang:-march=native -DCONVK_STRICT${long:+
$CC:-march=native -DCONVK_STRICT
clang:-march=native
clang:-DCONVK_STRICT
$CC:-march=native
$CC:-DCONVK_STRICT
clang:}"
  [ -z "$long" ] || single='' double=''
  [ -z "$smoke" ] || single+=' -O1' double+=' -O1'
  # Linked without options: gcc's -ffast-math has start-up code that flushes subnormals.
  while IFS=: read -r t c; do
    command -v "${c%% *}" >/dev/null || continue
    rm -f $out/golden.o $out/golden
    $c $warn $t -I. $cpu -c tests/golden.c -o $out/golden.o
    ${c%% *} $out/golden.o -lm -o $out/golden
    try "$c $t, golden bits" golden $out/golden
  done <<<"$double:$CC -O2
$single:$CC -Ofast -march=native
$double:clang -O3 -march=native${long:+
:$CC -O0 -ffp-contract=off
:clang -Ofast}"
  total
}

# The same with one compiler: not in the list below, quick by hand.
part_golden() {
  $CC $warn $CFLAGS -O1 -I. $cpu tests/golden.c -o $out/golden_once
  golden $out/golden_once
}

# PoCL builds a program for every filter, size and option: one case of 24 here.
part_golden_opencl() {
  opencl golden
  $CC ${c99/$cpu/} $CFLAGS -O1 $cl tests/golden.c -o $out/golden_opencl -lOpenCL
  golden $out/golden_opencl --quick
}

# Devices whose groups are small, kernels whose groups are smaller, 3 groups along y, and no more local memory than there is: the same bits.
# (Sums over pairs have an order of the device's.)
part_opencl_limits() {
  opencl limits
  local f some='-DCONVK_F64 -DCONVK_CL_GROUPS_Y_=3'
  local wrap=-Wl,--wrap=clGetDeviceInfo,--wrap=clGetKernelWorkGroupInfo,--wrap=clEnqueueNDRangeKernel,--wrap=clSetKernelArg
  [ -z "$long" ] || some=${some#* }
  for f in SEPCONV STENCIL VMATH GAUSSIAN FORMFACTOR; do some+=" -DCONVK_WITH_$f"; done
  $CC ${c99/$cpu/} $CFLAGS -O1 $cl $some tests/golden.c tests/opencl_limits.c $wrap -o $out/opencl_limits -lOpenCL
  export CONVK_OPENCL_GROUPS_Y=3 CONVK_OPENCL_LOCAL=32768 # which is what tests/golden.c says of it
  for f in '64 64' '128 32' '1 1'; do
    read -r device kernel <<<"$f"
    try "groups of $device, and $kernel of a kernel" \
      env CONVK_OPENCL_ITEMS=$device CONVK_OPENCL_KERNEL_ITEMS=$kernel CONVK_REQUIRE= timeout --foreground 1500 $out/opencl_limits --quick --hw opencl-gpu
  done
  total
}

# The host side on devices that are not here, which run nothing; and programs that are saved and shared on one that is.
part_opencl_host() {
  there opencl convk_cl.h
  echo '#include <CL/cl.h>' | $CC -E - >/dev/null 2>&1 || skip opencl 'Debian package opencl-headers'
  $CC -std=gnu99 $warn $CFLAGS -O1 -I. tests/test_opencl_host.c tests/bench/audit/opencl_device.c -o $out/opencl_host -lm
  run $out/opencl_host
}
part_opencl_programs() {
  opencl programs
  $CC ${c99/$cpu/} $CFLAGS -O1 $cl tests/test_opencl_programs.c -Wl,--wrap=clCreateProgramWithSource -o $out/opencl_programs -lOpenCL -lm -pthread
  POCL_CACHE_DIR=$out/opencl_programs.cache run $out/opencl_programs
}

part_golden_cuda_emulated() {
  there cuda-emulated convk_cuda.h
  need cuda-emulated "$CXX" g++
  local one=-DCONVK_F32 # the harness compares bits with those of processors, too
  [ -z "$long" ] || one=
  $CXX -x c++ -std=c++11 -ffp-contract=off $warn $CFLAGS -O1 $one -I. -DCONVK_CUDA -DCONVK_TEST_CUDA_EMULATED tests/golden.c -o $out/golden_cuda
  golden $out/golden_cuda
}

golden_elsewhere() { # ARCHITECTURE DEBIAN COMPILER TYPE: its processors fuse if they are let; one compiler and type each
  local c
  need "qemu-$1" "$1-linux-gnu-gcc" "gcc-$1-linux-gnu libc6-dev-${2:-$1}-cross"
  need "qemu-$1" "qemu-$1" qemu-user
  for c in "$1-linux-gnu-gcc" "clang --target=$1-linux-gnu"; do
    command -v ${c%% *} >/dev/null || continue
    [[ -n $long || $c == *"$3"* ]] || ! command -v "$3" >/dev/null || continue
    $c $warn ${long:+-DCONVK_F32 -DCONVK_F64} -D$4 -O2 -static -I. tests/golden.c -o "$out/golden_$1"
    try "$c" golden "qemu-$1" "$out/golden_$1"
  done
  total
}
part_golden_aarch64() { golden_elsewhere aarch64 arm64 gcc CONVK_F64; }
part_golden_riscv64() { golden_elsewhere riscv64 riscv64 clang CONVK_F32; }

part_cube() {
  $CC -std=c99 $warn $CFLAGS -I. tests/test_cube.c -o $out/cube -lm
  run $out/cube $out/cube.tmp
}

part_stl() {
  $CC -std=c99 $warn $CFLAGS -I. tests/test_stl.c -o $out/stl -lm
  run $out/stl $out/stl.tmp
}

part_mesh_file() {
  $CC -std=c99 $warn $CFLAGS -I. tests/test_mesh_file.c -o $out/mesh_file -lm
  run $out/mesh_file $out/mesh_file.tmp
}

part_shapes() {
  $CC -std=c99 $warn $CFLAGS -I. tests/test_shapes.c -o $out/shapes -lm
  run $out/shapes
}

part_assembly() {
  $CC -std=c99 $warn $CFLAGS -I. tests/test_assembly.c -o $out/assembly -lm
  run $out/assembly $out/assembly.tmp
}

part_pgm() {
  $CC -std=c99 $warn $CFLAGS -I. tests/test_pgm.c -o $out/pgm
  run $out/pgm $out/pgm.tmp
}

part_molden() {
  $CC -std=c99 $warn $CFLAGS -I. tests/test_molden.c -o $out/molden -lm
  run $out/molden
}

# nvcc without its optimiser, which takes most of the time: the machine code of all kernels is audited.
nvcc_quick() {
  local fast=
  [[ $(nvcc --help) != *--Ofast-compile* ]] || fast='-Ofc max'
  # shellcheck disable=SC2086
  nvcc $fast -O0 -gencode arch=compute_80,code=compute_80 "$@"
}

# A CUDA program that takes the address of every operation, so that nothing is left out.
part_nvcc() {
  there nvcc convk_cuda.h
  need nvcc nvcc 'nvidia-cuda-toolkit (non-free)'
  {
    echo '#define CONVK_CUDA'
    echo '#include "convk.h"'
    echo 'static void (*volatile use)(void);'
    echo 'int main() {'
    echo '  convk hw;'
    echo '  int status = convk_open(&hw, "cuda");'
    echo '  convk_close(&hw);'
    {
      sed -n '/(fft2d_fn)/d; s/^ *CONVK_TYPED_(\(.*\)_fn) \*\1;.*/convk_\1_f32 convk_\1_f64/p' convk.h | tr ' ' '\n'
      printf '%s\n' convk_fftconv2d_{f32,f64,c32,c64} convk_fft2d_{c32,c64} # types of their own
      $CXX -x c++ -std=c++11 -E -I. -include tests/cuda_emulator.h convk_cuda.h | grep -oE '\bconvk_cuda_[a-z0-9_]*_(f32|f64|c32|c64)\b'
    } | sort -u | sed 's/.*/  use = (void (*)(void))&/; s/$/;/'
    echo '  return status == CONVK_OK ? 0 : 1;'
    echo '}'
  } >$out/every.cu
  grep -c 'use =' $out/every.cu
  try 'every operation' nvcc_quick -Werror all-warnings -Xcompiler -Wall,-Wextra -I. -c $out/every.cu -o $out/every.o
  try 'the harness' nvcc_quick -x cu -Xcompiler -ffp-contract=off -I. -DCONVK_CUDA tests/test.c -o $out/cuda
  try 'the benchmark' nvcc_quick -Werror all-warnings -I. tests/bench/bench_cuda.cu -o $out/bench_cuda_nvcc
  total
}

# The machine code of every kernel: no spills, and what is predicted from it no less than it was.
part_audit_cuda() {
  there nvcc convk_cuda.h
  need nvcc nvcc 'nvidia-cuda-toolkit (non-free)'
  need nvdisasm nvdisasm 'nvidia-cuda-toolkit (non-free), or Python package nvidia-cuda-nvdisasm'
  need nvdisasm python3 python3
  try 'what is known beforehand' python3 tests/bench/audit/audit_cuda.py --known
  try 'every kernel' python3 tests/bench/audit/audit_cuda.py --arch ${long:+80,86,89,100,120,}90 --compare tests/bench/audit/cuda.json
  total
}

# What clang makes of the OpenCL kernels for AMD's processors: nothing in memory that belongs in registers, and no more of those than
# there were.
part_audit_opencl() {
  there opencl convk_cl.h
  need clang clang clang
  need clang python3 python3
  [[ $(clang --print-targets) == *amdgcn* ]] || skip clang 'a clang that has the target amdgcn'
  [[ $(clang --version) == *'version 14.'* ]] || skip clang 'clang 14, as in Debian 12: others count other registers'
  $CC -include CL/cl.h -DCL_TARGET_OPENCL_VERSION=120 -fsyntax-only -x c /dev/null || skip opencl 'Debian package opencl-headers'
  local one='T=double'
  [ -z "$long" ] || one=
  python3 tests/bench/audit/audit_opencl.py --target gfx90a --filter "$one" --jobs 1 --compare tests/bench/audit/opencl.json
}

part_gpu() {
  there gpu convk_cuda.h
  need nvcc nvcc 'nvidia-cuda-toolkit (non-free)'
  nvidia-smi -L || skip gpu 'a machine with an NVIDIA GPU'
  nvcc -x cu -O2 -arch=native -Xcompiler -ffp-contract=off -I. -DCONVK_CUDA tests/test.c -o $out/gpu
  CONVK_REQUIRE=$(required gpu && echo cuda || true) run $out/gpu --long --hw cuda
}

part_sanitizers() {
  sanitize='-Og -g1 -fsanitize=address,undefined -fno-sanitize-recover=all'
  [ -z "$smoke" ] || sanitize+=' -O0'
  echo 'int main(void) { return 0; }' >$out/empty.c
  $CC $sanitize $out/empty.c -o $out/empty && $out/empty || skip sanitizers 'Debian package libgcc-12-dev (libasan, libubsan)'
  export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
  $CC $c99 $sanitize tests/test.c -o $out/sanitized -lm -pthread
  $CC -std=c99 $sanitize -I. tests/test_cube.c -o $out/sanitized_cube -lm
  $CC -std=c99 $sanitize -I. tests/test_stl.c -o $out/sanitized_stl -lm
  $CC -std=c99 $sanitize -I. tests/test_mesh_file.c -o $out/sanitized_mesh_file -lm
  $CC -std=c99 $sanitize -I. tests/test_shapes.c -o $out/sanitized_shapes -lm
  $CC -std=c99 $sanitize -I. tests/test_assembly.c -o $out/sanitized_assembly -lm
  $CC -std=c99 $sanitize -I. tests/test_pgm.c -o $out/sanitized_pgm
  $CC -std=c99 $sanitize -I. tests/test_molden.c -o $out/sanitized_molden -lm
  run $out/sanitized $brief --hw scalar,sse2,avx,avx2,avx512
  run $out/sanitized_cube $out/cube_sanitized.tmp
  run $out/sanitized_stl $out/stl_sanitized.tmp
  run $out/sanitized_mesh_file $out/mesh_file_sanitized.tmp
  run $out/sanitized_shapes
  run $out/sanitized_assembly $out/assembly_sanitized.tmp
  run $out/sanitized_pgm $out/pgm_sanitized.tmp
  run $out/sanitized_molden
  if command -v clang >/dev/null && clang $odd $out/empty.c -o $out/empty; then odd_addresses; else
    echo 'skipped: what clang alone looks for: Debian packages clang libclang-rt-14-dev'
    ! required clang
  fi
}
# What clang alone looks for, offsets to NULL, and arrays that begin this many bytes after an aligned address: every operation
# and variant.
odd='-O0 -g1 -fsanitize=alignment,pointer-overflow -fno-sanitize-recover=all'
odd_addresses() {
  local n one=-DCONVK_F32
  [ -z "$long" ] || one=
  # shellcheck disable=SC2086
  clang $warn $odd $one -I. $cpu tests/golden.c -o $out/odd -lm
  for n in 1 ${long:+2 3 4 5 7}; do golden $out/odd --odd "$n"; done
  # shellcheck disable=SC2086
  clang ${c99/$cpu/} $odd tests/test.c -o $out/odd_harness -lm -pthread
  run $out/odd_harness --brief $([ -n "$long" ] || echo --filter errors) # what is refused has NULL in every place
}

# What sanitizers do not see: values never set.  valgrind shows the program a processor without AVX-512; one variant of each
# class, each test with one type by each, since it is slow and the text of both types is the same.
memcheck() { # OPTIONS...
  need valgrind valgrind valgrind
  plain
  run valgrind -q --error-exitcode=9 --leak-check=full $plain "$@"
}
part_valgrind() {
  local less='--skip tune.search,vmath.floats,formfactor.exact_,formfactor_many.powders' # long ones, which the sanitizers have
  [ -z "$long" ] || less=
  # shellcheck disable=SC2086
  memcheck $brief --hw avx2 $less
}
part_valgrind_scalar() { memcheck $other_brief --hw scalar; }

# ---- other processors ----

part_qemu_x86() {
  [[ $($CC -dumpmachine) == x86_64* ]] || skip qemu-x86 'a compiler for x86-64'
  need qemu-x86 qemu-x86_64 qemu-user
  cat >$out/choose.c <<'END'
#define CONVK_WITH_SEPCONV
#include "convk.h"
#include <stdio.h>
int main(int argc, char **argv) { /* SPEC or "": prints the name, or the status */
  convk hw;
  const int status = convk_open(&hw, argc > 1 && *argv[1] ? argv[1] : NULL);
  if (status) printf("%d\n", status);
  else printf("%s\n", hw.name);
  convk_close(&hw);
  return 0;
}
END
  $CC $c99 -DCONVK_SSE -DCONVK_AVX -O1 $out/choose.c -o $out/choose -lm
  plain
  chooses() { # CPU SPEC ANSWER
    answer=$(qemu-x86_64 -cpu "$1" $out/choose "$2" 2>/dev/null)
    [ "$answer" = "$3" ] || { echo "it gave $answer"; false; }
  }
  module=-15 machine=-16 # CONVK_ERR_HW_MODULE, CONVK_ERR_HW_MACHINE
  for line in 'Conroe::sse2' 'Nehalem::sse2' "Nehalem:avx:$machine" "Nehalem:avx2:$machine" "Nehalem:avx512:$machine" \
    'Nehalem:sse2:sse2' 'Nehalem:scalar:scalar' "Nehalem:opencl:$module" 'SandyBridge::avx' "SandyBridge:avx2:$machine" \
    'Haswell::avx2' 'Haswell,-fma::avx' 'Haswell,-avx2::avx' 'Haswell,-xsave::sse2' 'Haswell,-avx::sse2' "Haswell:avx512:$machine"; do
    IFS=: read -r cpu_name spec answer <<<"$line"
    try "$cpu_name ${spec:-NULL}" chooses "$cpu_name" "$spec" "$answer"
  done
  total
  run qemu-x86_64 -cpu Nehalem $plain --quick --filter magicfilter3d --hw scalar,sse2
}

part_qemu_aarch64() {
  need qemu-aarch64 aarch64-linux-gnu-gcc 'gcc-aarch64-linux-gnu libc6-dev-arm64-cross'
  need qemu-aarch64 qemu-aarch64 qemu-user
  aarch64-linux-gnu-gcc $c99 -O1 -static tests/test.c -o $out/qemu_aarch64 -lm -pthread
  run qemu-aarch64 $out/qemu_aarch64 $brief --hw scalar # both types have the bits of x86: golden_aarch64
}

# ---- examples ----

part_embed() {
  $CC -std=c99 $warn $CFLAGS -I. examples/embed.c examples/embed_other.c -o $out/embed -lm
  run $out/embed
}

part_embed_cpp() {
  need c++ "$CXX" g++
  $CXX -std=c++11 $warn $CFLAGS -I. examples/embed.cpp -o $out/embed_cpp
  run $out/embed_cpp
}

part_embed_fortran() {
  need fortran gfortran gfortran
  mkdir -p $out/embed_module
  $CC -std=c99 $warn $CFLAGS -DCONVK_WITH_SEPCONV -DCONVK_F64 -I. -c examples/adapters/convk_fortran.c -o $out/embed_module/convk_fortran.o
  gfortran -std=f2018 $warn -O2 -J $out/embed_module examples/adapters/convk.f90 examples/embed_fortran.f90 $out/embed_module/convk_fortran.o \
    -o $out/embed_fortran -lm
  run $out/embed_fortran
}

part_own_threads() {
  $CC -std=c99 $warn $CFLAGS -I. examples/own_threads.c -o $out/own_threads -lm -pthread
  run $out/own_threads
}

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

# Every hardware must print the same norms as the scalar variant.
norms() { sed -n 's/^norm: *//p' "$1"; }
demo() { # PROGRAM PICTURE HARDWARE REFERENCE
  run "$1" --hw "$3" --picture "$2" >"$2.txt" || return 1
  cat "$2.txt"
  [ -s "$2" ] && norms "$2.txt" | grep -q 'values again' && diff <(norms "$4") <(norms "$2.txt")
}

part_demo() {
  $CC -std=c99 $warn $CFLAGS -I. examples/demo.c -o $out/demo -lm
  run $out/demo --hw scalar --picture $out/demo.ppm >$out/demo.txt
  try 'help' usage $out/demo examples/demo.c
  try 'another folder' elsewhere $out/demo
  for hw in scalar sse2 avx avx2 avx512; do
    if message=$($out/demo --hw $hw --picture $out/demo.ppm 2>&1) || ! grep -E 'machine|module' <<<"$message"; then
      try $hw demo $out/demo $out/demo_$hw.ppm $hw $out/demo.txt
    fi
  done
  total
}

part_demo_png() {
  need png pkg-config 'pkg-config'
  pkg-config --exists libpng || skip png 'Debian package libpng-dev'
  made build/demo
  rm -f $out/demo.png
  build/demo --picture $out/demo.png
  head -c 8 $out/demo.png | od -An -tx1 | grep -q '89 50 4e 47'
}

part_demo_opencl() {
  opencl demo
  made build/demo
  build/demo --hw scalar --picture $out/demo_cl_scalar.x >$out/demo_cl.txt
  demo build/demo $out/demo_opencl.x opencl $out/demo_cl.txt
}

# Calls chained on a device: `chained PROGRAM SIZE...` tries each size and what is refused.
chained() {
  local n
  program=$1 o=$1.txt
  says() { # ARGUMENTS...: every line that is wanted
    local line
    run $program "$@" >$o 2>&1 || { cat $o; false; } || return
    cat $o
    for line in 'density: .* Gpoint/s' 'filter: .* GFlop/s' 'steps: .* GLUP/s' 'amplitudes: .* Gpair/s' 'transform: .* GFlop/s' \
      'one by one: .* ms' 'at once: .* ms' ' *with the same bits' 'electrons: .* of 10 ' 'thickness: *(19|20)[.]' 'check: '; do
      grep -qE "^$line" $o || { echo "no line $line"; return 1; }
    done
  }
  refused() { # STATUS WHY ARGUMENTS...
    local status=0
    run $program "${@:3}" >$o 2>&1 || status=$?
    cat $o
    [ $status = "$1" ] && [ "$(wc -l <$o)" = 1 ] && grep -q "^gpu[a-z_]*: $2" $o
  }
  for n in "${@:2}"; do try "$n^3 points" says --n "$n" --repeat 2; done
  try 'no such device' refused 1 '--device: ' --device 1000
  try 'no points' refused 2 '--n: out of range' --n 0
  try 'half a point' refused 2 '--n: out of range' --n 2.5
  try 'never' refused 2 '--repeat: out of range' --repeat 0
  try 'an unknown option' refused 2 '--nn: there is no such option' --nn 3
  try 'no value' refused 2 '--n: wants a value' --n
  try 'an argument too many' refused 2 '8: one argument too many' 8
  try 'help' run $program --help
}

part_gpu_example() {
  need cuda-emulated "$CXX" g++
  emulated $out/gpu_example -include tests/cuda_emulator.h examples/gpu.cu
  chained $out/gpu_example 1 18
  if command -v nvcc >/dev/null; then
    try 'nvcc' nvcc_quick -Werror all-warnings -I. examples/gpu.cu -o $out/gpu_nvcc
    program=$out/gpu_nvcc
    if nvidia-smi -L; then
      try 'on a device' says --graph
    else
      try 'without a device' refused 1 'no CUDA device' --n 4
    fi
  fi
  total
}

part_gpu_opencl() {
  opencl gpu
  $CC -std=c99 $warn $CFLAGS -DCL_TARGET_OPENCL_VERSION=120 -I. examples/gpu_opencl.c -o $out/gpu_opencl -lOpenCL -lm
  chained $out/gpu_opencl 1 33 ${long:+5 64}
  total
}

# The picture of every hardware is that of the scalar variant: the example's weights are powers of two.
part_heat() {
  $CC -std=c99 $warn $CFLAGS -I. examples/heat.c -o $out/heat -lm
  run $out/heat --hw scalar --n 40 --steps 60 --out $out/heat_scalar | grep '^sine mode'
  try 'help' usage $out/heat examples/heat.c
  try 'no OpenCL' eval "! $out/heat --hw opencl 2>&1 | grep 'gisaxs, diffraction, blur and helium have'; [ \${PIPESTATUS[1]} = 0 ]"
  for hw in scalar sse2 avx avx2 avx512; do
    if message=$($out/heat --hw $hw --n 40 --steps 60 --out $out/heat 2>&1) || ! grep -E 'machine|module' <<<"$message"; then
      try $hw cmp $out/heat_scalar.ppm $out/heat.ppm
    fi
  done
  total
}

# The example checks itself against a cube file of another program.
part_orbital() {
  $CC -std=c99 $warn $CFLAGS -I. examples/orbital.c -o $out/orbital -lm
  for hw in scalar sse2 avx avx2 avx512; do
    if message=$($out/orbital --hw $hw --spacing 1 --out $out/water 2>&1) || ! grep -E 'machine|module' <<<"$message"; then
      for type in f32 f64; do
        try "$hw $type" run $out/orbital --hw $hw --type $type --spacing 0.4 --out $out/water
      done
    fi
  done
  differs() {
    ! message=$(run $out/orbital --orbital 4 --compare examples/data/water_631g_homo.cube --spacing 1 --out $out/water 2>&1) &&
      grep 'not that of the cube file' <<<"$message"
  }
  try 'another orbital is found out' differs
  try 'help' usage $out/orbital examples/orbital.c
  try 'another folder' elsewhere $out/orbital --spacing 1
  total
}

# The example checks itself against formulas of its shapes.
part_gisaxs() {
  local g=$out/gisaxs_files box=examples/data/box.stl
  $CC -std=c99 $warn $CFLAGS -I. examples/gisaxs.c -o $out/gisaxs -lm
  for hw in scalar sse2 avx avx2 avx512; do
    if message=$($out/gisaxs --hw $hw --grid 9x7 --out $out/gisaxs.ppm 2>&1) || ! grep -E 'machine|module' <<<"$message"; then
      for type in f32 f64; do
        try "$hw $type" run $out/gisaxs cylinder --hw $hw --type $type --grid 61x43 --rotate y30 --absorption 0.05 --list --out $out/gisaxs.ppm
      done
    fi
  done
  try sphere run $out/gisaxs sphere --grid 64x65 --list --out $out/gisaxs.ppm
  try box run $out/gisaxs box --grid 64x65 --list --absorption 0.1 --rotate -50 --out $out/gisaxs.ppm
  for type in f32 f64; do
    for shape in box:12x18x24 sphere:10x1 cylinder:5x16 prism:6x5x9 pyramid:10x6x4 tetrahedron:12 octahedron:12x4; do
      try "$shape $type" run $out/gisaxs $shape --exact --type $type --grid 31x32 --absorption 0.05 --rotate z20 --out $out/gisaxs.ppm
    done
    try "exact on a file $type" run $out/gisaxs box --exact --type $type --grid 31x32 --absorption 0.1 --rotate -50 --out $out/gisaxs.ppm
  done
  try 'twelve triangles of a box are exact for any q' grep -qE 'exact +[0-9.]+e-1[0-9] .* 12$' \
    <<<"$(run $out/gisaxs box:12x18x24 --exact --qmax 20 --type f64 --grid 31x32 --out $out/gisaxs.ppm 2>&1)"
  try picture test -s $out/gisaxs.ppm
  refused() { # WHY ARGUMENTS...
    ! message=$(run $out/gisaxs --grid 64x65 --out $out/gisaxs.ppm "${@:2}" 2>&1) && grep "$1" <<<"$message"
  }
  mkdir -p $g
  { head -c 80 $box; printf '\x26\x1b\0\0'; head -c 347584 $box | tail -c +85; } >$g/box.stl # 6950 of its triangles: there is a hole
  try 'a box with a hole is not exact' refused 'more error' $g/box.stl
  printf 'OFF\n8 6 12\n-6 -9 0\n6 -9 0\n6 9 0\n-6 9 0\n-6 -9 24\n6 -9 24\n6 9 24\n-6 9 24\n' >$g/box.off
  printf '4 %s\n' '0 3 2 1' '4 5 6 7' '0 1 5 4' '1 2 6 5' '2 3 7 6' '3 0 4 7' >>$g/box.off
  try 'a box of vertices and faces' grep -q '8 vertices, 12 triangles, 18 edges, closed' <<<"$(run $out/gisaxs --grid 8x8 --out $out/gisaxs.ppm $g/box.off 2>&1)"
  sed 's/^8 6 12/8 4 0/' $g/box.off | head -n 14 >$g/open.off
  printf '# two boxes, one of them turned\nbox:8x6x4 0 0 2\nbox:8x6x4 0 14 2 rotate 30 0 0\nsphere:3 0 7 3 weight 0.5\n' >$g/particles.txt
  for message in '' --incoherent; do
    try "an assembly $message" grep -q '3 particles of 2 kinds' <<<"$(run $out/gisaxs --assembly $g/particles.txt $message --absorption 0.05 --grid 31x32 --out $out/gisaxs.ppm 2>&1)"
  done
  try 'a box without two sides is open' grep -q 'edges, open' <<<"$(run $out/gisaxs --grid 8x8 --exact --out $out/gisaxs.ppm $g/open.off 2>&1)"
  head -c 1000 $box >$g/cut.stl
  try 'half a box' refused 'box:AxBxC is wanted' box:12x18
  try 'no shape' refused 'is wanted, not ball:3' ball:3
  try 'no file' refused 'nothing.stl: cannot open the file: No such file or directory' $g/nothing.stl
  try 'help' usage $out/gisaxs examples/gisaxs.c
  try 'help lists shapes' grep -qF '  dodecahedron:EDGE[xCUT]' <<<"$($out/gisaxs --help)"
  try 'another folder' elsewhere $out/gisaxs box --grid 9x9
  try 'a cut file' refused 'byte 80: 7012 triangles' $g/cut.stl
  try 'half a grid' refused 'NYxNZ' --grid 64
  total
}

# The example checks itself: against direct sums, sums over layers, and its power balance.
part_diffraction() {
  $CC -std=c99 $warn $CFLAGS -I. examples/diffraction.c -o $out/diffraction -lm
  for hw in scalar sse2 avx avx2 avx512; do
    if message=$($out/diffraction 1 --quick --hw $hw --out $out/diffraction.ppm 2>&1) || ! grep -E 'machine|module' <<<"$message"; then
      rm -f $out/diffraction.ppm
      try "$hw, case 1" run $out/diffraction 1 --quick --hw $hw --pillars square --angle 7 --out $out/diffraction.ppm
      try "$hw, case 2" run $out/diffraction 2 --quick --hw $hw --contrast -0.03 --angle 3 --out $out/diffraction.ppm
    fi
  done
  try picture test -s $out/diffraction.ppm
  refused() { # WHY ARGUMENTS...
    ! message=$(run $out/diffraction --quick --out $out/diffraction.ppm "${@:2}" 2>&1) && grep "$1" <<<"$message"
  }
  try 'a fifth case' refused 'diffraction: usage' 5
  try 'help' usage $out/diffraction examples/diffraction.c
  try 'too much contrast' refused 'contrast: out of range' 1 --contrast 0.5
  try 'no number' refused 'angle: out of range' 1 --angle x
  total
}

# The example checks itself against direct sums.
part_blur() {
  local f=$out/blur_files
  mkdir -p $f
  $CC -std=c99 $warn $CFLAGS -I. examples/blur.c -o $out/blur -lm
  for hw in scalar sse2 avx avx2 avx512; do
    if message=$($out/blur --quick --hw $hw --width 1 --out $f/blur.ppm 2>&1) || ! grep -E 'machine|module' <<<"$message"; then
      for options in '--width 3' '--psf gaussian --width 8 --border replicate --tile 60'; do
        # shellcheck disable=SC2086
        try "$hw $options" run $out/blur --quick --hw $hw $options --out $f/blur.ppm
      done
    fi
  done
  try 'test image' run $out/blur --make-test-image $f/chart.pgm
  try 'a file' run $out/blur $f/chart.pgm --quick --width 3 --result $f/file.pgm --out $f/blur.ppm
  try 'the same without' run $out/blur --quick --width 3 --result $f/none.pgm --out $f/blur.ppm
  try 'the same result' cmp $f/file.pgm $f/none.pgm
  try 'another one than before' eval "! cmp -s $f/file.pgm $f/chart.pgm"
  printf 'P2 3 1 9 9 0 5' >$f/small.pgm
  try 'smaller than the kernel' run $out/blur $f/small.pgm --quick --width 5 --out $f/blur.ppm
  try picture test -s $f/blur.ppm
  # beyond a border lies what would lie there in a larger picture
  border() { # KIND LARGER_PICTURE ITS_PIXELS FIRST
    printf 'P2 3 1 255 200 0 90' >$f/narrow.pgm
    printf 'P2 %d 1 255 %s' "$3" "$2" >$f/wide.pgm
    for n in narrow wide; do
      run $out/blur $f/$n.pgm --quick --hw scalar --psf gaussian --width 1 --border "$1" --result $f/$n.pgm --out $f/blur.ppm || return 1
    done
    cmp <(tail -c 3 $f/narrow.pgm) <(tail -c $(($3 - $4)) $f/wide.pgm | head -c 3) && ! cmp -s <(tail -c 3 $f/narrow.pgm) <(printf '\310\0\132')
  }
  try mirror border mirror '90 0 200 200 0 90 90 0 200' 9 3
  try replicate border replicate '200 200 200 200 0 90 90 90 90' 9 3
  refused() { # WHY ARGUMENTS...
    ! message=$(run $out/blur --quick --out $f/blur.ppm "${@:2}" 2>&1) && grep "$1" <<<"$message"
  }
  head -c 1000 $f/chart.pgm >$f/cut.pgm
  try 'a cut file' refused 'byte 1000: the file ends' $f/cut.pgm
  printf 'P5 99999 1 255 x' >$f/wide.pgm
  try 'an absurd size' refused 'the width is not in' $f/wide.pgm
  try 'no picture' refused 'P5 or P2; other pictures are not read, and PNG only where' tests/run.sh
  try 'help' usage $out/blur examples/blur.c
  try 'no place' refused 'nothing/there: cannot be written: No such file or directory' --result $f/nothing/there
  try 'no file' refused 'cannot open' $f/nothing.pgm
  try 'a tile of a prime' refused 'FFT size' --tile 101
  try 'a small tile' refused 'smaller than the kernel' --tile 8
  total
}

# What the Makefile makes of the two: with libpng, with FFTW where it is found.
part_fft_examples() {
  need png pkg-config 'pkg-config'
  pkg-config --exists libpng || skip png 'Debian package libpng-dev'
  made build/diffraction
  made build/blur
  try 'diffraction' run build/diffraction 1 --quick --out $out/diffraction.png
  try 'blur' run build/blur $out/diffraction.png --quick --out $out/blur.png
  try 'blur of a blur' run build/blur $out/blur.png --quick --width 2 --out $out/blur.png
  head -c 3000 $out/diffraction.png >$out/cut.png
  refused() { ! message=$(run build/blur $out/cut.png --quick --out $out/blur.png 2>&1) && grep "$out/cut.png: " <<<"$message"; }
  try 'a cut file' refused
  total
}

part_tune() {
  $CC -std=c99 $warn ${CFLAGS/-O2/-O1} ${smoke:+-O0} -I. examples/tune.c -o $out/tune -lm
  usage $out/tune examples/tune.c
  rm -f $out/tuned.txt
  echo '# another machine' >$out/tuned.txt
  for _ in 1 2; do run $out/tune --size 40x36x33 --budget 60 --file $out/tuned.txt; done
  [ "$(grep -c '^convk-tuned-1' $out/tuned.txt)" = 2 ] && grep -q '^# another machine' $out/tuned.txt
}

# The walks are the same for all hardware of a class, all numbers of threads, and with a checkpoint between.
part_helium() {
  $CC -std=c99 $warn -Wno-unused-function $CFLAGS -DCONVK_SSE -DCONVK_AVX -I. tests/test_helium.c -o $out/helium_physics -lm
  local few=--quick # the bits of walks do not change by accident: golden.txt
  [ -z "$long" ] || few=
  run $out/helium_physics $few
}

part_helium_example() {
  local d=$out/helium_files h=build/helium eight='8 --walkers 16 --equilibrate 160 --seed 5' picture=ppm hw first message
  mkdir -p $d
  rm -f $d/*
  flock build/lock make -s $h CFLAGS="$CFLAGS $warn"
  export OMP_NUM_THREADS=1
  if command -v pkg-config >/dev/null && pkg-config --exists libpng; then
    picture=png
  else
    without png 'PNG files' 'Debian packages pkg-config libpng-dev'
  fi
  helium() { run $h "${@:2}" --output "$1" >"$1.out"; } # PREFIX ARGUMENTS...
  # all that is printed but for names and times, the table, and the picture
  same() { # PREFIX PREFIX
    diff <(grep -v '^hardware\|^time\|^table\|^atoms\|^picture\|^sweeps' "$1.out") <(grep -v '^hardware\|^time\|^table\|^atoms\|^picture\|^sweeps' "$2.out") &&
      cmp "$1.txt" "$2.txt" && cmp "$1.xyz" "$2.xyz" && cmp "$1.$picture" "$2.$picture" && grep -q '^energy:' "$1.out"
  }
  value() { sed -n "s/^ *$2: *\([-0-9.]*\).*/\1/p" "$1.out"; } # PREFIX NAME
  error() { sed -n "s/^ *$2:.* +- \([0-9.]*\) .*/\1/p" "$1.out"; }
  between() { echo "$1 < $2 < $3"; awk -v a="$1" -v b="$2" -v c="$3" 'BEGIN { exit !(b != "" && a < b + 0 && b + 0 < c) }'; }
  for hw in scalar sse2 avx avx2 avx512; do
    if message=$($h 4 --hw $hw --sweeps 1 --equilibrate 0 --output $d/try 2>&1) || ! grep -E 'machine|module' <<<"$message"; then
      try "$hw" helium $d/$hw $eight --sweeps 700 --hw $hw
      case $hw in scalar | avx2) first=$hw ;; *) try "$hw, bits of $first" same $d/$first $d/$hw ;; esac
    fi
  done
  # 0.594 K and 5.01 A are this trial function's, from long runs
  try 'energy' between -0.67 "$(value $d/scalar energy)" -0.52
  try 'radius' between 4.85 "$(value $d/scalar radius)" 5.17
  try 'error' between 0.002 "$(error $d/scalar energy)" 0.03
  try 'estimators' awk -v a="$(value $d/scalar gradients)" -v b="$(value $d/scalar Laplacians)" -v e="$(error $d/scalar gradients)" \
    'BEGIN { exit !(a > 1 && (a - b)^2 < 16 * e^2) }'
  # the shells' atoms and pairs, but for the outermost thousandth
  try 'sums of the table' awk '/^#/ || !NF { next } { s = (($1 + 0.125)^3 - ($1 - 0.125)^3) * 4.18879; n += s * $2; m += s * $4 }
    END { print n, m; exit !(n > 7.97 && n < 8.001 && m > 6.97 && m < 7.001) }' $d/scalar.txt
  try 'header of the table' grep -q '^# columns: r ' $d/scalar.txt
  try '1 thread' helium $d/one $eight --sweeps 200
  if $h $eight --sweeps 1 --threads 2 --output $d/try 2>&1 >/dev/null | grep 'compile with -fopenmp'; then :; else
    try '2 threads' eval "OMP_NUM_THREADS=2 helium $d/two $eight --sweeps 200 --threads 2"
    try 'the same bits' same $d/one $d/two
  fi
  resumes() { # PRECISION
    helium $d/whole $eight --sweeps 200 --precision "$1" && helium $d/half $eight --sweeps 90 --precision "$1" --checkpoint $d/point &&
      cp $d/point $d/early && helium $d/rest --resume $d/point --sweeps 200 && same $d/whole $d/rest && ! same $d/whole $d/half >/dev/null
  }
  try 'resumed, mixed' resumes mixed
  try 'resumed, f64' resumes f64
  try 'resumed elsewhere' helium $d/half --resume $d/early --sweeps 90 --checkpoint $d/other
  try 'the same file' cmp $d/early $d/other
  stops() {
    local pid
    $h 4 --sweeps 1000000000 --equilibrate 16 --time 60 --output $d/stopped --checkpoint $d/kept >$d/stopped.out &
    pid=$!
    sleep 1
    kill -INT $pid && wait $pid && grep -q '^stopped: .* by a signal' $d/stopped.out && grep -q '^energy:' $d/stopped.out &&
      [ -s $d/stopped.txt ] && [ -s $d/stopped.$picture ] && helium $d/later --resume $d/kept --time 0.1 && grep -q '^stopped: .* time' $d/later.out
  }
  try 'Ctrl-C' stops
  # the least is -0.04136 K, with p1 0.0693 and errors of 0.001 K
  try 'minimise' helium $d/less 3 --sweeps 4000 --minimise
  try 'minimised' between 0.055 "$(sed -n 's/^after:.* p1 //p' $d/less.out)" 0.09
  try 'minimised energy' between -0.046 "$(value $d/less energy)" -0.037
  ends() {
    local pid
    $h 8 --sweeps 100000 --minimise --time 0.1 --output $d/ended >$d/ended.out &
    pid=$!
    sleep 1
    kill -INT $pid && wait $pid && grep -q '^after:' $d/ended.out && ! grep -q '^ *40 ' $d/ended.out
  }
  try 'Ctrl-C of a minimiser' ends
  try 'a box' helium $d/box 32 --box 0.0218 --potential lj --walkers 16 --equilibrate 160 --sweeps 160
  try 'its energy with the tail' between -7 "$(value $d/box 'with tail')" -4.5
  awk 'BEGIN { for (k = 150; k <= 8000; k++) printf "%.2f %.12g\n", k / 100, 40.88 * ((255.6 / k)^12 - (255.6 / k)^6) }' >$d/lj.table
  for v in lj $d/lj.table; do
    try "$v" helium $d/${v##*/} 10 --potential $v --walkers 32 --equilibrate 160 --sweeps 640
  done
  try 'a table of Lennard-Jones' awk -v a="$(value $d/lj potential)" -v b="$(value $d/lj.table potential)" -v e="$(error $d/lj potential)" \
    'BEGIN { print a, b, e; exit !(a < -1 && e < 0.05 && (a - b)^2 < 32 * e^2) }'
  refused() { # STATUS WHY ARGUMENTS...
    local status=0
    run $h --output $d/refused "${@:3}" >/dev/null 2>$d/refused || status=$?
    cat $d/refused
    [ $status = "$1" ] && [ "$(wc -l <$d/refused)" = 1 ] && grep -q "^helium: .*$2" $d/refused && [ ! -e $d/refused.txt ]
  }
  head -c 5000 $d/early >$d/cut
  head -c 50 $d/early >$d/stump
  cat $d/early $d/cut >$d/long
  for at in 60 100 5000 90000 "$(($(stat -c %s $d/early) - 9))"; do
    cp $d/early $d/flipped
    printf "$(tail -c +$((at + 1)) $d/early | head -c 1 | od -An -tu1 | awk '{ printf "\\%03o", ($1 + 64) % 256 }')" |
      dd of=$d/flipped bs=1 seek="$at" conv=notrunc status=none
    try "byte $at damaged" refused 1 'damaged\|version\|cut off' --resume $d/flipped
  done
  try 'a cut checkpoint' refused 1 'cut off' --resume $d/cut
  try 'a stump' refused 1 'cut off' --resume $d/stump
  try 'a long checkpoint' refused 1 'longer' --resume $d/long
  try 'another file' refused 1 'no checkpoint of helium' --resume tests/run.sh
  try 'no file' refused 1 'cannot be read' --resume $d/nothing
  try 'no place' refused 1 'cannot be written' 8 --checkpoint $d/nothing/there
  try 'of another size' refused 2 'of 8 atoms' 9 --resume $d/early
  try 'another seed' refused 2 'the checkpoint says' --resume $d/early --seed 6
  try 'nothing' refused 2 usage
  try 'help' usage $h <(grep -v MORE_OPTIONS examples/helium.h)
  try 'one atom' refused 2 'whole number' 1
  try 'half an atom' refused 2 'whole number' 2.5
  try 'an unknown option' refused 2 'no such option' 8 --walker 3
  try 'no value' refused 2 'wants a value' 8 --sweeps
  try 'three parameters' refused 2 'four numbers' 8 --trial 120,0,0.1
  try 'not a number' refused 2 'four numbers' 8 --trial 120,0,0.1,nan
  try 'atoms that fly apart' refused 1 'hold the atoms together' 8 --minimise --trial 120,0,0,0
  try 'unknown hardware' refused 2 'unknown hardware' 8 --hw abacus
  try 'an unknown move' refused 2 'single or all' 8 --moves none
  try 'no table' refused 2 'No such file' 8 --potential $d/nothing
  printf '1 2\n2 1\n3.5 1\n4 1\n' >$d/uneven.table
  try 'an uneven table' refused 2 'equal steps' 8 --potential $d/uneven.table
  printf '1 2\n2 1\n3 1 1\n4 1\n' >$d/three.table
  try 'three columns' refused 2 'line 3' 8 --potential $d/three.table
  [ $picture = ppm ] || try 'a PNG' eval "head -c 8 $d/scalar.png | od -An -tx1 | grep -q '89 50 4e 47'"
  [ $picture = png ] || try 'a PPM' eval "head -c 2 $d/scalar.ppm | grep -q P6"
  total
}

# ---- programs of many processes ----

# Builds them by the MPI of mpicc, and sets what their parts use: `$mpirun -n 3 $programs/heat`.
mpi() {
  need mpi "${MPICC:=mpicc}" 'libopenmpi-dev openmpi-bin, or libmpich-dev mpich'
  need mpi "${mpirun:=mpirun}" 'openmpi-bin or mpich'
  programs=$PWD/$out/$MPICC
  flock build/lock make -s mpi MPICC=$MPICC MPI_OUT=$out/$MPICC CFLAGS="${CFLAGS/-O2/-O1} $warn -Werror ${sanitize:-}"
  [[ $($mpirun --version 2>&1) != *'Open MPI'* ]] || mpirun+=' --oversubscribe'
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_base_warn_component_unused=0
}
without_hdf5() { # its package is named, and missed where it is required
  grep 'libhdf5-mpi-dev' "$1" && ! required hdf5
}

# The other MPI, and all under sanitizers: memory and bits.
part_mpi_mpich() {
  need mpich mpicc.mpich libmpich-dev
  need mpich mpirun.mpich mpich
  local p MPICC=mpicc.mpich mpirun=mpirun.mpich CFLAGS=-O0 sanitize='-g1 -fsanitize=address,undefined -fno-sanitize-recover=all'
  export ASAN_OPTIONS=detect_leaks=0 # the MPI library's own
  mpi
  local o=$out/mpich_output.txt
  few() { run $mpirun -n "$1" $programs/"$2" "${@:3}" >$o 2>&1 && grep -E "$why" $o || { cat $o; false; }; }
  why='the same bits'
  try 'heat' few 3 heat --n 17x19x23 --steps 9 --halo 3 --check
  try 'heat, one layer' few 2 heat --n 17x19x23 --steps 9 --halo 1 --check
  try 'filter' few 3 filter --n 16x30x48 --operation potential --repeat 1 --check
  try 'filter, by orbitals' few 2 filter --n 16x20x24 --by orbitals --orbitals 3 --repeat 1 --check
  for p in f32 f64; do
    try "gisaxs, $p" few 3 gisaxs box --grid 41x37 --type $p --tile 16x16 --block 2048 --check
  done
  why='h5, new'
  rm -f $out/mpich.h5
  try 'gisaxs, a file' few 3 gisaxs box --grid 41x37 --tile 16x16 --out $out/mpich.h5
  why='of 9 tiles are there and skipped'
  try 'gisaxs goes on' few 2 gisaxs box --grid 41x37 --out $out/mpich.h5
  why='^energy:'
  try 'helium' few 3 helium 8 --walkers 13 --equilibrate 32 --sweeps 64 --checkpoint $out/mpich.state --output $out/mpich
  try 'helium goes on' few 2 helium --resume $out/mpich.state --sweeps 96 --output $out/mpich
  why='^density:'
  try 'orbital' few 3 orbital --spacing 1 --out $out/mpich --hdf5 $out/mpich_orbital.h5
  total
}

# On a simulated cluster.
part_mpi_simulated() {
  need simgrid smpicc libsimgrid-dev
  need simgrid smpirun libsimgrid-dev
  local p
  for ((p = 0; p < 16; p++)); do echo "node-$p:64"; done >$out/hosts
  simulated() { # RANKS PROGRAM ARGUMENTS...: the share of communication, in percent
    run smpirun -np "$1" -platform tests/bench/cluster/platform.xml -hostfile $out/hosts $out/"$2"_simulated "${@:3}" >$out/simulated.txt 2>&1
    grep "^ *$1 .* %" $out/simulated.txt || { cat $out/simulated.txt; false; }
  }
  for p in heat helium gisaxs; do
    smpicc -std=c99 $CFLAGS -O1 $warn -I. examples/mpi/$p.c -o $out/${p}_simulated -lm
  done
  try 'heat' simulated 128 heat --block 256 --steps 4 --halo 1 --simulate 1e9
  try 'helium' simulated 128 helium 112 --walkers 1024 --sweeps 32 --equilibrate 16 --simulate 4e8
  try 'gisaxs' simulated 64 gisaxs --grid 1000x500 --triangles 1000000 --simulate 1e10
  total
}

# ---- what the documentation says ----

# A fragment is put between declarations and an empty main.
snippet() { # NAME: a program from standard input
  cat >"$out/$1.c"
  [ -s "$out/$1.c" ] || { echo 'nothing found'; return 1; }
  grep -q '\<main *(' "$out/$1.c" || echo 'int main(void) { return 0; }' >>"$out/$1.c"
  $CC -std=c99 $warn $CFLAGS -I. "$out/$1.c" -o "$out/$1" -lm
  run "$out/$1"
}

part_manual() { sed -n '/^ *IN TEN LINES/,/^ *cc /{/IN TEN LINES/d;/^ *cc /d;p;}' convk.h | snippet manual; }

part_readme() {
  there readme README.md
  # the first C block with a main, or else the first
  awk '/^```c$/ { inside = 1; text = ""; next }
       /^```/ && inside { inside = 0; if (first == "") first = text; if (text ~ /main *\(/) { found = text; exit } }
       inside { text = text $0 "\n" }
       END { printf "%s", found != "" ? found : first }' README.md | snippet readme
}

# ---- compile tests, benchmarks ----

# Units that declare, implement and leave out.
part_modes() {
  need c++ "$CXX" g++
  CFLAGS='-O0' tests/modes.sh $out/modes
}

# Other versions of clang-format break other lines.
part_format() {
  need clang-format clang-format clang-format
  clang-format --version | grep 'version 14\.' || skip clang-format 'clang-format 14, as in Debian 12'
  tests/style.sh format
}

part_lint() {
  need clang-tidy clang-tidy clang-tidy
  JOBS=1 tests/style.sh lint
}

# The headers at the top are what src/ makes.
part_headers() {
  local h differ
  differ=$(MADE=$out/headers src/headers.sh --check) || true
  for h in convk.h convk_sse.h convk_avx.h convk_cl.h convk_cuda.h src/core/list.h src/device/opencl_list.h src/device/cuda_list.h; do
    try "$h (if not: edit src/, then make headers)" eval "[ -s $out/headers/${h#src/} ] && ! grep -qxF $h <<<'$differ'"
  done
  for h in 'int convk_density_f32(' 'int convk_density_f64(' 'int convk_fft2d_c64(' 'struct convk_epilogue_f64 {' 'int convk_tune('; do
    try "convk.h has a line '$h'" grep -qF "     $h" convk.h
  done
  try 'a line for a call on a queue' grep -qF '     int convk_cl_exp_f64(' convk_cl.h
  try 'and for one on a stream' grep -qF '     int convk_cuda_exp_f64(' convk_cuda.h
  total
}

# Sections of the compile tests, side by side with other parts.
compile() { CONVK_REQUIRE=$require JOBS=1 tests/compile.sh "$1"; }
part_compile_code() { compile code; }
part_compile_text() { compile text; }
part_compile_defines() { compile defines; }
part_compile_time() { compile time; }

part_bench() {
  there bench tests/bench/bench.c
  [ -z "$smoke" ] || CFLAGS=-O0
  made build/bench
  run build/bench --quick --hw scalar,avx512 --filter magicfilter3d --json $out/bench.json
  if [ -z "$smoke" ]; then
    run build/bench --quick --filter stencil7
    for f in sincos gridpot formfactor fft; do run build/bench --quick --hw scalar,avx512 --filter $f; done
  fi
  grep -q '^{.*"operation".*}$' $out/bench.json
}

# Lines of a benchmark of devices, as text and as JSON, and the rates that were predicted.
part_bench_opencl() {
  opencl bench
  need c++ "$CXX" g++
  local b=$out/bench_opencl
  $CC -std=c99 -c tests/opencl_options.c -o $out/bench_options.o
  $CXX -std=c++11 $warn $CFLAGS -O1 -I. tests/bench/bench_opencl.cpp $out/bench_options.o -Wl,--wrap=clBuildProgram -o $b -lOpenCL
  export CONVK_OPENCL_MORE=-cl-opt-disable # the rates do not count
  {
    echo '{"operation": "stencil7", "type": "f64", "size": "*", "rate": 1e-9, "unit": "GLUP/s"}'
    echo '{"operation":"stencil7","type":"f64","size":"33x18x6","rate":1e9,"unit":"GLUP/s"}'
    echo '{"operation":"stencil7","type":"f32","size":"1x1x1","rate":1,"unit":"GLUP/s"}'
    echo '{"operation":"sincos","type":"f32","size":"*","rate":2,"unit":"G/s"}'
    echo '{"operation":"exp","type":"f32","size":"*","rate":1,"unit":"s"}'
    echo '{"arch":"90","operation":"gridpot","type":"f32","size":"*","rate":1,"unit":"Gexp/s"}'
    echo 'not a line'
  } >$out/predicted.json
  try 'all lines' run $b --quick --json $b.json --predicted $out/predicted.json
  run $b --quick --filter stencil7 --predicted $out/predicted.json >$b.txt
  try 'predicted of this size' grep -q '^stencil7 .*f64 .*of predicted 1e+09' $b.txt
  try 'predicted of another size or operation' eval "[ \$(grep -c predicted $b.txt) = 1 ]"
  try 'predicted of any size' grep -q '"sincos","type":"f32".*"predicted":2,' $b.json
  try 'predicted in another unit' eval "! grep '\"exp\",.*predicted' $b.json"
  try 'predicted of another device' eval "! grep '\"gridpot\",.*predicted' $b.json"
  try 'a filter' eval "! grep -v stencil7 $b.txt | grep error"
  for l in magicfilter3d stencil7 stencil7_steps exp sincos gridpot gridpot_sum formfactor formfactor_grid pair_energy vmc_sweep; do
    try "$l" grep -q "^{\"operation\":\"$l\",\"type\":\"f32\",\"hw\":\"opencl\".*\"fraction\":.*\"max_error\":.*}\$" $b.json
  done
  try 'fftconv2d' eval "[ \$(grep -c '^{.operation.:.fftconv2d' $b.json) = 8 ]"
  try 'ceilings' eval "[ \$(grep -c '^{.operation.:.ceiling_' $b.json) = 6 ]"
  if command -v python3 >/dev/null; then
    try 'JSON' python3 -c 'import json, sys; print(len([json.loads(line) for line in open(sys.argv[1])]))' $b.json
  fi
  try 'no such device' eval "! $b --quick --device 1000"
  try 'an unknown option' eval "! $b --fast"
  try 'no such file' eval "! $b --quick --predicted $out/nothing"
  total
}

# ---- all of them ----

every=$parts
[ $# = 0 ] || parts=$*

start=$(date +%s)
passed=0 failed=0 skipped=0
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
  cpu=$(awk 'END { split($1 "m" $2, t, /[ms]+/); printf "%.1f", 60 * (t[1] + t[3]) + t[2] + t[4] }' "$f.times" 2>/dev/null)
  printf '%-8s %-16s %6s s, of processors %6s s  %d passed, %d failed, %d skipped' "$word" "$part" "$(cat "$f.seconds")" "${cpu:--}" $p $n $s
  [ "$word" = skipped ] && printf '  (%s)' "$(tail -n 1 "$f.txt")"
  echo
  if [ "$word" = FAILED ]; then
    { grep -E '^FAIL|error:|undefined reference' "$f.txt" || tail -n 15 "$f.txt"; } | head -n 30 | sed 's/^/    | /' | cut -c1-240
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
  {
    begun=${EPOCHREALTIME/./}
    (set -eo pipefail; "part_$part") >"$log/$part.txt" 2>&1
    echo $? >"$log/$part.new"
    took=$((${EPOCHREALTIME/./} - begun))
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
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
