# Golden bits, by compilers and their rules of contraction: sourced by run.sh.

# Bits, by the compilers' own rules of contraction: those of $CC have the golden bits at the end.
part_bits() {
  decided
  local c f honest='' small='-O1 -DCONVK_SSE -DCONVK_WITH_VMATH -DCONVK_F64'
  ! c=$(clang -dumpversion 2>/dev/null) || [ "${c%%.*}" -lt 17 ] || honest=' -fno-finite-math-only' # an #error wants it from clang 17 on
  while IFS=: read -r c f; do
    command -v "$c" >/dev/null || continue
    # shellcheck disable=SC2086
    $c $warn ${CFLAGS/-O2/-O1} $f$foreign -I. tests/test_bits.c -o $out/bits
    try "$c $f" run $out/bits
  done <<<"clang:-march=native -DCONVK_STRICT${long:+
$CC:
$CC:-march=native -DCONVK_STRICT
clang:-march=native
clang:-DCONVK_STRICT
$CC:-march=native
$CC:-DCONVK_STRICT
clang:}"
  # Options that change the arithmetic of ordinary code.  What withstands them are regions of the text: of families, around what they
  # compute once, in double, and of instruction sets.  So one compiler makes all families, in portable C, and each makes few families, of all
  # instruction sets; then come the classes of options, each with one small family.  Programs are linked without options: gcc's
  # -ffast-math has start-up code that flushes subnormals.
  while IFS=: read -r c f; do
    command -v "$c" >/dev/null || continue
    # shellcheck disable=SC2086
    $c -std=c99 $warn $f$foreign -I. -c tests/golden.c -o $out/flags.o
    $CC $out/flags.o -o $out/flags -lm
    try "$c $f, golden bits" golden $out/flags
  done <<<"$CC:-O1 -ffast-math -march=native -DCONVK_F64
$CC:-Ofast -march=native $cpu -DCONVK_WITH_STENCIL -DCONVK_WITH_VMATH -DCONVK_F32
clang:-Ofast $cpu -DCONVK_WITH_STENCIL -DCONVK_WITH_VMATH -DCONVK_F64$honest
$CC:$small -fshort-enums -funsigned-char -fwrapv -mlong-double-64 -ffp-contract=fast -fexcess-precision=fast -frounding-math -fcx-limited-range
$CC:$small -funsafe-math-optimizations -ffinite-math-only -ftrapv
clang:$small -funsafe-math-optimizations -fno-honor-nans -fno-honor-infinities -fapprox-func -fdenormal-fp-math=preserve-sign$honest${long:+
$CC:-O0 -ffp-contract=off $cpu
$CC:-Ofast -march=native $cpu
clang:-O3 -march=native $cpu
clang:-Ofast $cpu$honest}"
  try "$CC $CFLAGS, golden bits" part_golden # last: the harness may still be making this library
  total
}

# Golden bits of the library as the harness has it, of all families or of those that --changed names: quick by hand.
part_golden() {
  local objects some=${families:+$(printf -- '-DCONVK_WITH_%s ' $families)}
  objects=$(harness_objects harness "$(harness_flags)")
  # shellcheck disable=SC2086
  golden_of $out/golden_harness "$objects" $CC $some $cpu && golden $out/golden_harness
}
