#!/bin/sh
# gcc makes one fused multiply-add of two intrinsics that are written as a product and a sum, unless it is told an ISO standard.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
case $(uname -m) in x86_64) ;; *) { echo 'skipped: this is about x86-64'; exit 77; } ;; esac
# Debian 12's packages, unpacked here
apt-get download -qq gcc-12=12.2.0-14+deb12u1 cpp-12=12.2.0-14+deb12u1 libgcc-12-dev=12.2.0-14+deb12u1 ||
  { echo 'skipped: apt-get cannot download these versions'; exit 77; }
for package in ./*.deb; do dpkg -x "$package" .; done
gcc=usr/bin/x86_64-linux-gnu-gcc-12
$gcc --version | head -1
echo 'expected: _mm256_add_pd(_mm256_mul_pd(a, b), c) rounds twice, as intrinsics name instructions; the default standard of C
  should not decide how many roundings a result has'
cat >product.c <<'END'
#include <immintrin.h>
__attribute__((target("avx2,fma"))) __m256d product(__m256d a, __m256d b, __m256d c) {
  return _mm256_add_pd(_mm256_mul_pd(a, b), c);
}
END
for standard in gnu11 c11; do
  $gcc -std=$standard -O2 -S product.c -o product.s
  echo "-std=$standard: $(grep -c vfmadd product.s || true) fused, $(grep -c vmulpd product.s || true) products" >>seen.txt
done
$gcc -O2 -S product.c -o product.s
echo "no -std: $(grep -c vfmadd product.s || true) fused, $(grep -c vmulpd product.s || true) products" >>seen.txt
cat seen.txt
cat >was.txt <<'END'
-std=gnu11: 1 fused, 0 products
-std=c11: 0 fused, 1 products
no -std: 1 fused, 0 products
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was'
