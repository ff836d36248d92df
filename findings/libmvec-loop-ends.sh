#!/bin/sh
# Equal numbers in one array get different exponentials, depending on their place: gcc's vectors call libmvec, the loop's end libm.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v gcc >/dev/null || { echo 'skipped: there is no gcc'; exit 77; }
case $(gcc -dumpfullversion) in 12.2.*) gcc --version | head -1 ;; *) echo "skipped: this is about gcc 12.2, and here is $(gcc -dumpfullversion)"; exit 77 ;; esac
libc=$(ldd --version 2>&1 | head -1)
case $libc in *GLIBC\ 2.36*) echo "version: $libc" ;; *) { echo "skipped: this is about glibc 2.36, and here is: $libc"; exit 77; } ;; esac
grep -qw avx2 /proc/cpuinfo || { echo 'skipped: this processor has no AVX2'; exit 77; }
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
cat seen.txt
cat >was.txt <<'END'
more than 10000 of 100000 arrays of seven equal numbers have another exponential at their end
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was'
