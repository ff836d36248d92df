# Golden bits, by compilers and their rules of contraction: sourced by run.sh.

# Bits, by the compilers' own rules of contraction.  The text of both types is one: compilers that optimise share them.
part_bits() {
  local c f t single=-DCONVK_F32 double=-DCONVK_F64
  while IFS=: read -r c f; do
    command -v "$c" >/dev/null || continue
    # shellcheck disable=SC2086
    $c $warn $CFLAGS $f -I. tests/test_bits.c -o $out/bits
    try "$c $f" run $out/bits
  done <<<"$CC:
clang:-march=native -DCONVK_STRICT${long:+
$CC:-march=native -DCONVK_STRICT
clang:-march=native
clang:-DCONVK_STRICT
$CC:-march=native
$CC:-DCONVK_STRICT
clang:}"
  [ -z "$long" ] || single='' double=''
  [ -z "$smoke" ] || single+=' -O1' double+=' -O1'
  # Linked without options: gcc's -ffast-math has start-up code that flushes subnormals.
  while IFS=: read -r t c; do
    command -v "${c%% *}" >/dev/null || continue
    rm -f $out/golden.o $out/golden
    $c $warn $t -I. $cpu -c tests/golden.c -o $out/golden.o
    ${c%% *} $out/golden.o -lm -o $out/golden
    try "$c $t, golden bits" golden $out/golden
  done <<<"$double:$CC -O2
$single:$CC -Ofast -march=native
$double:clang -O3 -march=native${long:+
:$CC -O0 -ffp-contract=off
:clang -Ofast}"
  total
}

# The same with one compiler, and of the families that --changed names: quick by hand.
part_golden() {
  $CC $warn $CFLAGS -O1 -I. $cpu ${families:+$(printf -- '-DCONVK_WITH_%s ' $families)} tests/golden.c -o $out/golden_once
  golden $out/golden_once
}
