#!/bin/sh
# With -ffinite-math-only clang takes arguments of functions as finite in regions of #pragma float_control(precise, on), too.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v python3 >/dev/null || { echo 'skipped: there is no python3'; exit 77; }
python3 -m venv venv
venv/bin/pip install -q ziglang==0.17.1 || { echo 'skipped: PyPI cannot be reached'; exit 77; }
clang='venv/bin/python -m ziglang cc'
$clang --version | head -1
echo 'expected: a function in a precise region finds that its argument is NaN, whatever the command line says'
cat >nan.c <<'END'
#include <stdio.h>
#include <string.h>
#pragma float_control(precise, on)
__attribute__((noinline)) int argument(double x) { return x != x; }
__attribute__((noinline)) int pointer(const double *x) { return *x != *x; }
int main(void) {
  volatile unsigned long long bits = 0x7ff8000000000000;
  unsigned long long copy = bits;
  double x;
  memcpy(&x, &copy, sizeof x);
  printf("an argument is NaN: %d\nwhat a pointer leads to: %d\n", argument(x), pointer(&x));
  return 0;
}
END
for options in -O2 '-O2 -ffinite-math-only' '-O2 -ffinite-math-only -fno-finite-math-only'; do
  # shellcheck disable=SC2086
  $clang $options -w nan.c -o nan
  echo "$options" >>seen.txt
  ./nan >>seen.txt
done
cat seen.txt
cat >was.txt <<'END'
-O2
an argument is NaN: 1
what a pointer leads to: 1
-O2 -ffinite-math-only
an argument is NaN: 0
what a pointer leads to: 1
-O2 -ffinite-math-only -fno-finite-math-only
an argument is NaN: 1
what a pointer leads to: 1
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was'
