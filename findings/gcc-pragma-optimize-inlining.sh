#!/bin/sh
# A small inline function between `#pragma GCC optimize` and its end is called and no longer inlined, even by an option that
# says nothing about inlining.
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
  $gcc -O2 $define -S helper.c -o helper.s
  echo "$define: $(grep -cE 'call[[:space:]]+twice' helper.s || true) calls" >>seen.txt
done
cat seen.txt
cat >was.txt <<'END'
-DPLAIN: 0 calls
-DREGION: 1 calls
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was'
