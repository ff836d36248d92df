#!/bin/sh
# Equal numbers in one array get different exponentials, depending on their place: gcc's vectors call libmvec, the loop's end libm.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
case $(uname -m) in x86_64) ;; *) { echo 'skipped: this is about x86-64'; exit 77; } ;; esac
# Debian 12's packages, unpacked here
apt-get download -qq gcc-12=12.2.0-14+deb12u1 cpp-12=12.2.0-14+deb12u1 libgcc-12-dev=12.2.0-14+deb12u1 libc6=2.36-9+deb12u14 ||
  { echo 'skipped: apt-get cannot download these versions'; exit 77; }
for package in ./*.deb; do dpkg -x "$package" .; done
gcc=usr/bin/x86_64-linux-gnu-gcc-12
$gcc --version | head -1
libc=lib/x86_64-linux-gnu
$libc/libc.so.6 | head -1
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
$gcc -O3 -ffast-math -mavx2 loop.c -o loop -lm
$libc/ld-linux-x86-64.so.2 --library-path "$PWD/$libc" ./loop >seen.txt
cat seen.txt
cat >was.txt <<'END'
more than 10000 of 100000 arrays of seven equal numbers have another exponential at their end
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was'
