# CUDA, in the tests' emulator and by nvcc: sourced by run.sh.

# In turns of one thread each the emulator is slow: brief here, of the type whose kernels are optimised, all of it in the part
# cuda_emulated_long.
part_cuda_emulated() {
  local some='--brief --type f64'
  # without tests that no device takes part in, which the harness has
  some+=' --skip stencil7.work_size.,sepconv3d.work_monotone,tune.search,tuned_read,chebyshev3d.sizes,chebyshev3d.sweeps,debye.random'
  some+=,pair_histogram.cells,pair_histogram.periodic,pair_histogram.fuzz,formfactor.exact_reference
  # and those with long references, whose kernels golden bits run under other schedules (cuda_races)
  some+=,orbitals_grid.chain,hamiltonian_apply.points_k,dwt3d.far,formfactor.exact_automatic,formfactor.exact_open.
  [ -z "$long" ] || some=--quick
  there cuda-emulated convk_cuda.h
  need cuda-emulated "$CXX" g++
  emulated $out/cuda_emulated --harness
  CONVK_REQUIRE=$(among cuda-emulated) run $out/cuda_emulated ${1:-$some} --hw cuda-emulated
}
part_cuda_emulated_long() { part_cuda_emulated '--long --seed 2'; }

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
    $quick_cxx $flags -DCUDART_VERSION=$version $out/cuda_version.cpp -o $out/cuda_version -pthread && $out/cuda_version
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

part_golden_cuda_emulated() {
  there cuda-emulated convk_cuda.h
  need cuda-emulated "$CXX" g++
  local one=-DCONVK_F64 # the harness compares bits with those of processors, too
  [ -z "$long" ] || one=
  emulated $out/golden_cuda $one -DCONVK_TEST_CUDA_EMULATED tests/golden.c
  golden $out/golden_cuda
  # host arrays in parts: what streams get is run in an order of lots, which every wait that is missing shows
  try 'in parts of few bytes' lots 1 --device-bytes 60000
  try 'in parts' lots 2 --device-bytes 400000
  [ -n "$long" ] || return 0
  for n in 3 4 5; do try "in parts, order $n" lots $n --device-bytes $((100000 * n)); done
  emulated $out/timeline -DCONVK_TEST_CUDA_EMULATED tests/bench/timeline.cpp
  try 'what overlaps' run $out/timeline
}
lots() { CONVK_EMULATOR_STREAMS=$1 golden $out/golden_cuda "${@:2}"; }

# nvcc without its optimiser, which takes most of the time: machine code is what audit_cuda is about.
nvcc_quick() {
  local fast=
  [[ $(nvcc --help) != *--Ofast-compile* ]] || fast='-Ofc max'
  # shellcheck disable=SC2086
  nvcc $fast -O0 -gencode arch=compute_80,code=compute_80 "$@"
}

# The library by nvcc, with a function that takes the address of every operation: nothing is left out.  One type here, since
# the text of both is one, and the audit of machine code has the other.  Programs that declare the library are linked with it;
# whoever comes second waits.
rm -f $out/every.o
nvcc_every() {
  (
    flock 9
    [ ! -f $out/every.o ] || exit 0
    local one='-DCONVK_F32' types='(f32|c32)'
    [ -z "$long" ] || one='' types='(f32|f64|c32|c64)'
    {
      printf '#define CONVK_%s\n' CUDA AVX IMPLEMENT
      echo '#include "convk.h"'
      echo 'void (*volatile use)(void);'
      echo 'void every_operation(void);'
      echo 'void every_operation(void) {'
      {
        sed -n '/(fft2d_fn)/d; s/^ *CONVK_TYPED_(\(.*\)_fn) \*\1;.*/convk_\1_f32 convk_\1_f64/p' convk.h | tr ' ' '\n'
        printf '%s\n' convk_fftconv2d_{f32,f64,c32,c64} convk_fft2d_{c32,c64} # types of their own
        $CXX -x c++ -std=c++11 -E -I. -DCONVK_DECLARE -include tests/cuda_emulator.h convk_cuda.h | grep -oE '\bconvk_cuda_[a-z0-9_]*_(f32|f64|c32|c64)\(' | tr -d '('
      } | grep -E "_$types\$" | sort -u | sed 's/.*/  use = (void (*)(void))&/; s/$/;/'
      echo '}'
    } >$out/every.cu
    nvcc_quick -Werror all-warnings -Xcompiler -Wall,-Wextra -I. -DCONVK_WITH_ALL $one -c $out/every.cu -o $out/every.new.o && mv $out/every.new.o $out/every.o
  ) 9>$out/every.lock
}
part_nvcc() {
  there nvcc convk_cuda.h
  need nvcc nvcc 'nvidia-cuda-toolkit (non-free)'
  try 'every operation' nvcc_every
  grep -c 'use =' $out/every.cu
  # the text of the library is in every_operation: these declare it
  local p declared='-DCONVK_DECLARE -c'
  [ -z "$long" ] || declared=
  # shellcheck disable=SC2086
  try 'the harness' nvcc_quick -x cu -Xcompiler -ffp-contract=off -I. -DCONVK_CUDA $declared tests/whole.c -o $out/cuda
  for p in bench_cuda rivals_cuda; do
    try "$p" nvcc_quick -Werror all-warnings -I. -DCONVK_WITH_ALL -DCONVK_DECLARE '-DCONVK_CUDA_ENTRY_(kernel)=(const void *)(kernel)' -c tests/bench/$p.cu -o $out/${p}_nvcc.o
  done
  total
}

# The machine code of kernels, of every one with TEST_LONG=1: no spills, and what is predicted from it no less than it was.
part_audit_cuda() {
  there nvcc convk_cuda.h
  need nvcc nvcc 'nvidia-cuda-toolkit (non-free)'
  need nvdisasm nvdisasm 'nvidia-cuda-toolkit (non-free), or Python package nvidia-cuda-nvdisasm'
  need nvdisasm python3 python3
  try 'what is known beforehand' python3 tests/bench/audit/audit_cuda.py --known
  # the type whose kernels take the more registers, and the families that have kernels with next to none left
  local some='--define CONVK_F64 --define CONVK_WITH_SEPCONV --define CONVK_WITH_FORMFACTOR --define CONVK_WITH_AMPLITUDES'
  [ -z "$long" ] || some=
  # shellcheck disable=SC2086
  try 'every kernel of these' python3 tests/bench/audit/audit_cuda.py --arch ${long:+80,86,89,100,120,}90 $some --compare tests/bench/audit/cuda.json
  total
}

part_gpu() {
  there gpu convk_cuda.h
  need nvcc nvcc 'nvidia-cuda-toolkit (non-free)'
  nvidia-smi -L || skip gpu 'a machine with an NVIDIA GPU'
  nvcc -x cu -O2 -arch=native -Xcompiler -ffp-contract=off -I. -DCONVK_CUDA tests/whole.c -o $out/gpu
  CONVK_REQUIRE=$(required gpu && echo cuda || true) run $out/gpu --long --hw cuda
}
