#!/bin/bash
# A program with the library on the tests' emulated CUDA device: tests/emulated.sh PROGRAM FLAGS... SOURCE
#                                                                tests/emulated.sh PROGRAM --harness
# It only declares the library, whose objects tests/objects.sh makes.  CXX as in run.sh.
# By clang its kernels of double see each access to memory: they look for races (tests/cuda_races.h), or, with CONVK_RACES=no, do not.
# Those of float, whose text is the same, are made in the least time and see nothing, but for TEST_LONG=1.
set -eu
program=$1
shift
CXX=${CXX:-g++}
$CXX --version >/dev/null # or else objects that are there would be made anew
flags='-x c++ -std=c++11 -ffp-contract=off -Wall -Wextra -I. -DCONVK_CUDA'
no_avx='-DCONVK_AVX -DCONVK_NO_AVX -DCONVK_NO_AVX2 -DCONVK_NO_AVX512' # for programs that include convk_avx.h
header=tests/cuda_emulator.h
sees='' more=(--more tests/cuda_emulated.cpp) types=() link='-Wl,-z,muldefs'
[ -n "${TEST_LONG:-}" ] || types=(--type f64 --plain FFT --other '-O0 -g0 -fno-sanitize=thread')
if [[ $CXX == *clang* ]]; then
  flags+=' -DCONVK_EMULATOR_COUNTS' sees=$(tests/count.sh --flags) more+=(--more tests/cuda_races.cpp) link+=,--wrap=memcpy,--wrap=memset
fi
# shellcheck disable=SC2086
objects() {
  tests/objects.sh "$@" "${types[@]}" "${more[@]}" --header $header --library "$no_avx $sees" emulated \
    $CXX $flags -O1 -DCONVK_TEST_CUDA_EMULATED
}
# The objects come first, so that of the emulator's functions theirs are taken: those of cuda_emulated.cpp, which are optimised.
if [ "$1" = --harness ]; then
  # shellcheck disable=SC2046
  $CXX $(objects --harness --units '-O0 -Wno-c++11-narrowing') $link -o "$program" -lm -pthread
else # -lpthread: to a compiler -pthread is another language than that of the precompiled header
  # shellcheck disable=SC2086,SC2046
  $CXX $flags -O0 $no_avx $(tests/precompile.sh $header $CXX $flags -O0 $(printf '%s\n' "$@" | grep '^-D')) -DCONVK_DECLARE -x none $(objects) -x c++ "$@" $link -o "$program" -lpthread
fi
