#!/bin/bash
# A program with the library on the tests' emulated CUDA device: tests/emulated.sh DIRECTORY PROGRAM FLAGS... SOURCE
# It only declares the library, which DIRECTORY/emulated.o holds: whoever comes first makes that, others wait.  CXX as in run.sh.
set -eu
directory=$1 program=$2
shift 2
CXX=${CXX:-g++}
flags='-x c++ -std=c++11 -ffp-contract=off -Wall -Wextra -O1 -I. -DCONVK_CUDA -DCONVK_AVX -DCONVK_NO_AVX -DCONVK_NO_AVX2 -DCONVK_NO_AVX512'
flock "$directory/emulated.lock" bash -c "[ -f $directory/emulated.o ] && exit
  echo '#include \"convk.h\"' | $CXX $flags -DCONVK_IMPLEMENT -include tests/cuda_emulator.h -c - -o $directory/emulated.new.o &&
    mv $directory/emulated.new.o $directory/emulated.o"
# shellcheck disable=SC2086
$CXX $flags -DCONVK_DECLARE "$@" -x none "$directory/emulated.o" -o "$program" -pthread
