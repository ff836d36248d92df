#!/bin/bash
# Builds a program of the CUDA emulator that sees what kernels do to memory, and counts it (tests/cuda_counts.h) or, with --races as
# the first argument, looks for races (tests/cuda_races.h): tests/count.sh [--races] OUTPUT SOURCE [FLAGS...]
#   tests/count.sh --flags    those of --races, for the kernels: tests/emulated.sh
# Loads and stores stay as the kernel has them: no vectors but those of the source, no reads dropped before writes.
set -eu
sees='-fno-vectorize -fno-slp-vectorize -Wno-pass-failed -fsanitize=thread -mllvm -tsan-instrument-read-before-write -mllvm -tsan-instrument-atomics=0
  -mllvm -tsan-instrument-func-entry-exit=0'
listener=cuda_counts more='-O2 -DCONVK_EMULATOR_UNROLLS -fsanitize-coverage=bb,no-prune,trace-pc'
if [ "$1" = --flags ]; then
  echo $sees -O1 -g1
  exit
fi
if [ "$1" = --races ]; then
  listener=cuda_races more='-O1 -g1'
  shift
fi
output=$1 source=$2
shift 2
here=$(dirname "$0")
CLANG=${CLANG:-clang++}
$CLANG -std=c++11 -O2 -c "$here/$listener.cpp" -o "$output.listener.o"
# shellcheck disable=SC2086
$CLANG -x c++ -std=c++11 -ffp-contract=off -DCONVK_EMULATOR_COUNTS $sees $more "$@" -c "$source" -o "$output.o"
$CLANG "$output.o" "$output.listener.o" -Wl,--wrap=memcpy,--wrap=memset -o "$output" -lm -pthread
rm "$output.o" "$output.listener.o"
