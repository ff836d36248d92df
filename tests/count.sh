#!/bin/bash
# Builds a program of the CUDA emulator that counts what kernels do (tests/cuda_counts.h): tests/count.sh OUTPUT SOURCE [FLAGS...]
# Loads and stores stay as the kernel has them: no vectors but those of the source, no reads dropped before writes.
set -eu
output=$1 source=$2
shift 2
here=$(dirname "$0")
CLANG=${CLANG:-clang++}
$CLANG -std=c++11 -O2 -c "$here/cuda_counts.cpp" -o "$output.counts.o"
$CLANG -x c++ -std=c++11 -O2 -ffp-contract=off -fno-vectorize -fno-slp-vectorize -DCONVK_EMULATOR_COUNTS -Wno-pass-failed \
  -fsanitize=thread -mllvm -tsan-instrument-read-before-write -mllvm -tsan-instrument-atomics=0 \
  -mllvm -tsan-instrument-func-entry-exit=0 -fsanitize-coverage=bb,no-prune,trace-pc "$@" -c "$source" -o "$output.o"
$CLANG "$output.o" "$output.counts.o" -Wl,--wrap=memcpy,--wrap=memset -o "$output" -lm -pthread
rm "$output.o" "$output.counts.o"
