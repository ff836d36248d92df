# Golden bits, by compilers and their rules of contraction: sourced by run.sh.

# Bits, by the compilers' own rules of contraction.  The text of both types is one: compilers that optimise share them.
part_bits() {
  decided
  local c f t single=-DCONVK_F32 double=-DCONVK_F64 honest='' # an #error wants it from clang 17 on
  ! c=$(clang -dumpversion 2>/dev/null) || [ "${c%%.*}" -lt 17 ] || honest=' -fno-finite-math-only'
  while IFS=: read -r c f; do
    command -v "$c" >/dev/null || continue
    # shellcheck disable=SC2086
    $c $warn $CFLAGS $f$foreign -I. tests/test_bits.c -o $out/bits
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
  # Linked without options: gcc's -ffast-math has start-up code that flushes subnormals.
  harness
  try "$CC $CFLAGS, golden bits" golden_with harness "$single $double"
  while IFS=: read -r t c; do
    command -v "${c%% *}" >/dev/null || continue
    try "$c $t, golden bits" golden_with "bits_${c//[^a-zA-Z0-9]/_}" "$t" "$c"
  done <<<"$single:$CC -Ofast -march=native
$double:clang -Ofast$honest${long:+
:$CC -O0 -ffp-contract=off
:clang -O3 -march=native}"
  # Options that change the arithmetic of ordinary code, each class by one small family, with what is portable and SSE2.
  while IFS=: read -r c f; do
    command -v "$c" >/dev/null || continue
    # shellcheck disable=SC2086
    $c -std=c99 $warn -O1 $f -I. -DCONVK_SSE -DCONVK_WITH_VMATH -DCONVK_F64 -c tests/golden.c -o $out/flags.o
    $CC $out/flags.o -o $out/flags -lm
    try "$c $f, golden bits" run $out/flags
  done <<<"$CC:-fshort-enums -funsigned-char -fwrapv -mlong-double-64 -ffp-contract=fast -fexcess-precision=fast -frounding-math -fcx-limited-range
$CC:-funsafe-math-optimizations -ffinite-math-only
clang:-funsafe-math-optimizations -fno-honor-nans -fno-honor-infinities -fapprox-func -fdenormal-fp-math=preserve-sign$honest"
  total
}

# The same with one compiler, and of the families that --changed names: quick by hand.
part_golden() { golden_with harness "${families:+$(printf -- '-DCONVK_WITH_%s ' $families)}"; }
# golden_with SET FLAGS COMPILER...: of types and families by flags; the harness has the first set, too
golden_with() {
  local objects
  if [ "$1" = harness ]; then objects=$(harness_objects harness "$(harness_flags)"); else objects=$(tests/objects.sh "$1" $3 $warn $2$foreign -I. $cpu); fi
  # shellcheck disable=SC2086
  set -- "$1" "$2" "${3:-$CC}"
  golden_of "$out/golden_$1" "$objects" "${3%% *}" $2 $cpu && golden "$out/golden_$1"
}
