# examples/adapters: sourced by run.sh.
parts+=' adapters'

part_adapters() {
  local a=examples/adapters t=tests/adapters o=$out/adapters
  mkdir -p $o
  strict="$warn -Wpedantic -Werror"
  counted() { # PROGRAM: its own count joins that of this part
    local line rc=0
    run "$1" >"$1.txt" 2>&1 || rc=$?
    cat "$1.txt"
    line=$(tail -n 1 "$1.txt")
    [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]] || return 1
    tried=$((tried + BASH_REMATCH[1] + BASH_REMATCH[2])) wrong=$((wrong + BASH_REMATCH[2]))
    return $rc
  }
  # shellcheck disable=SC2086
  try 'libconv.c' $CC -std=c99 $strict -O1 -I. $a/libconv.c $t/libconv.c -o $o/libconv -lm
  try 'libconv.c against formulas' counted $o/libconv
}
