#!/bin/sh
# A small inline function between `#pragma GCC optimize` and its end is called and no longer inlined, even by an option that
# says nothing about inlining.
. "$(dirname "$0")/common.sh"
needs gcc 12.2
case $(uname -m) in x86_64) ;; *) skip 'this counts calls in code of x86-64' ;; esac
echo 'expected: fp-contract=off, for a function without a product, changes nothing of the code; above all a helper of one line stays inline'
cat >helper.c <<'END'
#ifdef REGION
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off")
#endif
static inline double twice(double x) { return x + x; }
#ifdef REGION
#pragma GCC pop_options
#endif
double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += twice(x[i]);
  return s;
}
END
for define in -DPLAIN -DREGION; do
  gcc -O2 $define -S helper.c -o helper.s
  echo "$define: $(grep -cE 'call[[:space:]]+twice' helper.s || true) calls" >>seen.txt
done
verdict '-DPLAIN: 0 calls
-DREGION: 1 calls'
