# The headers as one file: sourced by run.sh.

part_single() {
  need python python3 python3
  local o=$PWD/$out/single f c flags
  rm -rf "$o"
  mkdir -p "$o/empty"
  packaging/single.py "$o" >"$o/made.txt"
  printf '#include "convk_%s.h"\n' sse avx neon >"$o/three.c"

  # The preprocessor makes the same of them, to the last character but blanks: of each family, and in each mode.
  text() { # COMMAND...
    "$@" -E -P 2>>"$o/said.txt" | tr -d ' \t\n' | sha256sum
  }
  local nothing
  nothing=$(text $quick_cc /dev/null)
  as_three() { # FILE FLAGS...
    local three
    # shellcheck disable=SC2086
    three=$(text $quick_cc "${@:2}" -I. "$o/three.c") && [ "$three" != "$nothing" ] && [ "$three" = "$(text $quick_cc "${@:2}" -x c "$o/$1")" ]
  }
  for flags in -DCONVK_DECLARE -DCONVK_IMPLEMENT '-DCONVK_NO_AVX2 -DCONVK_F32' '-DCONVK_STRICT -DCONVK_F64'; do
    # shellcheck disable=SC2086
    try "convk_single.h $flags" as_three convk_single.h $flags -DCONVK_WITH_ALL
  done
  for f in $(named_families | tr A-Z a-z); do
    try "convk_${f}_single.h" as_three "convk_${f}_single.h" "-DCONVK_WITH_${f^^}" -DCONVK_F32 # the text of both types is one
  done
  for f in "$o"/convk_*.h; do try "${f##*/} has the licence at its head" licensed "$f"; done
  try 'eighteen files' [ "$(wc -l <"$o/made.txt")" = 18 ]
  other() { ! $CC -DCONVK_WITH_FFT -fsyntax-only -x c "$o/convk_stencil_single.h" 2>"$o/other.txt" && grep -q 'take convk_single.h' "$o/other.txt"; }
  try 'another family than it has' other

  # Pasted above the program of packaging/README.md, in a folder without any header.
  sed -n '/^```c$/,/^```$/{/^```/d;p}' packaging/README.md >"$o/program.txt"
  try 'the program of README.md' grep -q convk_magicfilter3d_f64 "$o/program.txt"
  { cat "$o/convk_sepconv_single.h" "$o/program.txt"; } >"$o/empty/pasted.c"
  { echo '#define CONVK_WITH_SEPCONV' && cat "$o/three.c" "$o/program.txt"; } >"$o/included.c"
  local strict="$warn -Wpedantic -Wconversion -Wshadow -Wundef -Werror" few="-O0 ${lean#-O?}" # of what runs: that it is made, and links
  # shellcheck disable=SC2086
  try 'the program with the headers' $CC -std=c99 $few -DCONVK_F64 $strict -I. "$o/included.c" -o "$o/included" -lm
  pasted() { # NAME COMPILER FLAGS...: says what the program with the headers says
    (cd "$o/empty" && "${@:2}" $strict -DCONVK_F64 pasted.c -o "../$1" -lm) && run "$o/$1" | diff <(run "$o/included") -
  }
  # shellcheck disable=SC2086
  try 'pasted, C99' pasted c99 $CC -std=c99 $few
  for c in "$CXX -std=c++11 -x c++" 'clang -std=c99 -x c' 'clang++ -std=c++11 -x c++'; do
    command -v ${c%% *} >/dev/null || continue
    # shellcheck disable=SC2086
    try "pasted, $c" $c $strict -DCONVK_F64 -fsyntax-only "$o/empty/pasted.c"
    [ -n "$long" ] || [[ $c == clang++* ]] || continue # which tells most of what is unused
    # shellcheck disable=SC2086
    try "all families, $c" $c $strict -DCONVK_WITH_ALL -fsyntax-only "$o/convk_single.h"
  done
  without() { (cd "$o/empty" && $CC -DCONVK_PLAIN -DCONVK_F64 -O0 pasted.c -o ../plain -lm) && run "$o/plain" | grep -q '^scalar: success'; }
  try 'without instruction sets' without
  [ "$(uname -m)" != x86_64 ] || try 'with them' eval "run '$o/c99' | grep -vq '^scalar'"

  # Two units, which both have all of it, and of which one declares what the other implements.
  echo 'int other(convk *hw); int other(convk *hw) { return convk_open(hw, NULL); }' >"$o/other.txt"
  sed 's/convk_open(&hw, NULL)/other(\&hw)/; s/^int main/int other(convk *hw);\nint main/' "$o/program.txt" >"$o/main.txt"
  two() { # NAME FLAGS-OF-ONE FLAGS-OF-OTHER
    local u
    for u in main other; do cat "$o/convk_sepconv_single.h" "$o/$u.txt" >"$o/empty/$u.c"; done
    (cd "$o/empty" && $quick_cc -std=c99 $few $strict -DCONVK_F64 $2 -c main.c -o main.o && $quick_cc -std=c99 $few $strict -DCONVK_F64 $3 -c other.c -o other.o &&
      $CC main.o other.o -o "../$1" -lm) && run "$o/$1" | diff <(run "$o/included") -
  }
  try 'two units' two two '' ''
  try 'one of two implements' two implements -DCONVK_DECLARE -DCONVK_IMPLEMENT
  total
}
