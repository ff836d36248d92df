#!/bin/bash
# A program with the library on the tests' emulated CUDA device: tests/emulated.sh PROGRAM FLAGS... SOURCE
#                                                                tests/emulated.sh PROGRAM --harness
# It only declares the library, whose objects tests/objects.sh makes.  CXX as in run.sh.
set -eu
program=$1
shift
CXX=${CXX:-g++}
flags='-x c++ -std=c++11 -ffp-contract=off -Wall -Wextra -O1 -I. -DCONVK_CUDA'
no_avx='-DCONVK_AVX -DCONVK_NO_AVX -DCONVK_NO_AVX2 -DCONVK_NO_AVX512' # for programs that include convk_avx.h
# shellcheck disable=SC2086
objects() { tests/objects.sh "$@" --library "$no_avx -include tests/cuda_emulator.h" emulated $CXX $flags -DCONVK_TEST_CUDA_EMULATED; }
if [ "$1" = --harness ]; then
  # shellcheck disable=SC2046
  $CXX $(objects --harness --units '-O0 -Wno-c++11-narrowing') -o "$program" -lm -pthread
else
  # shellcheck disable=SC2086,SC2046
  $CXX $flags $no_avx -DCONVK_DECLARE "$@" -x none $(objects) -o "$program" -pthread
fi
