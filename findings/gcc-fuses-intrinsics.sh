#!/bin/sh
# gcc makes one fused multiply-add of two intrinsics that are written as a product and a sum, unless it is told an ISO standard.
. "$(dirname "$0")/common.sh"
needs gcc 12.2
case $(uname -m) in x86_64) ;; *) skip 'these are intrinsics of x86-64' ;; esac
echo 'expected: _mm256_add_pd(_mm256_mul_pd(a, b), c) rounds twice, as intrinsics name instructions; the default standard of C
  should not decide how many roundings a result has'
cat >product.c <<'END'
#include <immintrin.h>
__attribute__((target("avx2,fma"))) __m256d product(__m256d a, __m256d b, __m256d c) {
  return _mm256_add_pd(_mm256_mul_pd(a, b), c);
}
END
for standard in gnu11 c11; do
  gcc -std=$standard -O2 -S product.c -o product.s
  echo "-std=$standard: $(grep -c vfmadd product.s || true) fused, $(grep -c vmulpd product.s || true) products" >>seen.txt
done
gcc -O2 -S product.c -o product.s
echo "no -std: $(grep -c vfmadd product.s || true) fused, $(grep -c vmulpd product.s || true) products" >>seen.txt
verdict '-std=gnu11: 1 fused, 0 products
-std=c11: 0 fused, 1 products
no -std: 1 fused, 0 products'
