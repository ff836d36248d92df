#!/bin/sh
# Equal numbers in one array get different exponentials, depending on their place: gcc's vectors call libmvec, the loop's end libm.
. "$(dirname "$0")/common.sh"
needs gcc 12.2
libc=$(ldd --version 2>&1 | head -1)
case $libc in *GLIBC\ 2.36*) echo "version: $libc" ;; *) skip "this is about glibc 2.36, and here is: $libc" ;; esac
grep -qw avx2 /proc/cpuinfo || skip 'this processor has no AVX2'
echo 'expected: y[i] = exp(x[i]) is a function of x[i]; -ffast-math may cost accuracy, but equal inputs of a loop give equal results'
cat >loop.c <<'END'
#include <math.h>
#include <stdio.h>
static double x[7], y[7];
__attribute__((noinline)) static void exponentials(int n) {
  for (int i = 0; i < n; i++) y[i] = exp(x[i]);
}
int main(void) {
  int differ = 0;
  for (int k = 0; k < 100000; k++) {
    for (int i = 0; i < 7; i++) x[i] = 1e-3 * k - 50;
    exponentials(7);
    differ += y[0] != y[6];
  }
  printf("%s of 100000 arrays of seven equal numbers have another exponential at their end\n", differ > 10000 ? "more than 10000" : differ ? "some" : "none");
  return 0;
}
END
gcc -O3 -ffast-math -mavx2 loop.c -o loop -lm
./loop >seen.txt
verdict 'more than 10000 of 100000 arrays of seven equal numbers have another exponential at their end'
