#!/bin/sh
# With -ffast-math clang lets a unary minus be rearranged in regions of #pragma float_control(precise, on), where sums keep their order.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v python3 >/dev/null || { echo 'skipped: there is no python3'; exit 77; }
python3 -m venv venv
venv/bin/pip install -q ziglang==0.17.1 || { echo 'skipped: PyPI cannot be reached'; exit 77; }
clang='venv/bin/python -m ziglang cc'
$clang --version | head -1
echo 'expected: what 1e16 + 1 loses, 1, whether the sum of Moller and Knuth is written with a - b or with a + -b'
cat >sum.c <<'END'
#include <stdio.h>
#pragma float_control(precise, on)
#pragma clang fp contract(off)
__attribute__((noinline)) double binary(double a, double b) {
  const double sum = a + b, other = sum - a;
  return (a - (sum - other)) + (b - other);
}
__attribute__((noinline)) double unary(double a, double b) {
  const double sum = a + b, other = sum + -a;
  return (a + -(sum + -other)) + (b + -other);
}
int main(void) {
  volatile double large = 1e16, one = 1;
  printf("a - b: %g\na + -b: %g\n", binary(large, one), unary(large, one));
  return 0;
}
END
for options in -O2 '-O2 -ffast-math'; do
  # shellcheck disable=SC2086
  $clang $options -w sum.c -o sum
  echo "$options" >>seen.txt
  ./sum >>seen.txt
done
cat seen.txt
cat >was.txt <<'END'
-O2
a - b: 1
a + -b: 1
-O2 -ffast-math
a - b: 1
a + -b: 0
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was'
