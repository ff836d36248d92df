# Compile tests: ways to include the headers: sourced by run.sh.

# Units that declare, implement and leave out.
part_modes() {
  need c++ "$CXX" g++
  CFLAGS='-O0' tests/modes.sh $out/modes
}

# Sections of the compile tests, side by side with other parts.
compile() { CONVK_REQUIRE=$require JOBS=1 tests/compile.sh "$1"; }
part_compile_code() {
  decided
  compile code;
}
part_compile_text() {
  decided
  compile text;
}
part_compile_defines() {
  decided
  compile defines;
}

features+=' stb'
stb() {
  [ -f /usr/include/stb/stb_image.h ] || skip stb 'Debian package libstb-dev'
  [ -x /usr/bin/time ] || skip stb 'Debian package time'
}
# What a header costs: one family here, and what only declares; at length all.  User time, which other work on the machine changes little.
part_compile_cost() {
  stb
  columns
  try 'compile times' tests/bench/compile_times.sh --check STENCIL
  total
}
part_compile_time() {
  stb
  tests/bench/compile_times.sh --check
}
# gcc gives up columns where a unit has too many lines, each counted as often as it is read: the user's own messages keep theirs.
columns() {
  printf '#define CONVK_SIMD\n#include "convk.h"\nint main(void) {\n  return convk_there_is_no_such_name;\n}\n' >$out/columns.c
  try 'a column in a message' column_of $CC -std=c99 -Wall
}
column_of() {
  ! "$@" -DCONVK_WITH_ALL -I. -fsyntax-only $out/columns.c 2>$out/columns.txt || return 1
  grep -q 'columns.c:4:1[0-9]: error' $out/columns.txt && ! grep 'note:.*misleading-indentation' $out/columns.txt
}
