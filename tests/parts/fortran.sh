# The module convk of Fortran: sourced by run.sh.

part_fortran() {
  need fortran gfortran gfortran
  local a=examples/adapters o=$out/fortran precision=-DCONVK_F64 absent='f32|c32' # one type, at length both
  [ -z "$long" ] || precision='' absent=none
  mkdir -p $o
  if command -v python3 >/dev/null; then
    try 'convk.f90 (if not: make headers)' src/fortran.py --check
  else
    echo 'whether convk.f90 is up to date: Debian package python3'
  fi
  # shellcheck disable=SC2086
  module() { gfortran -std=f2018 $warn -Werror -O1 -g -fcheck=all -J $o "$@"; }
  try 'the module' module -c $a/convk.f90 -o $o/convk.o

  # shellcheck disable=SC2086
  try 'the unit in C' $quick_cc -std=c99 $warn -Wpedantic -Werror -O0 -DCONVK_NO_SSE2 -DCONVK_NO_AVX -DCONVK_NO_AVX2 -DCONVK_NO_AVX512 -DCONVK_WITH_ALL $precision -I. -c $a/convk_fortran.c -o $o/convk_fortran.o
  there_are() { # every function that the module declares
    local names
    names=$(sed -nE 's/^    (pure )?(function|subroutine) (convk_[a-z0-9_]*).*/\3/p' $a/convk.f90 | grep -vE "_($absent)\$")
    [ "$(wc -l <<<"$names")" -gt 60 ] && ! grep -vxF "$(nm $o/convk_fortran.o | sed -n 's/.* T _\{0,1\}convk/convk/p')" <<<"$names"
  }
  try 'its functions are there' there_are

  # The size of each struct, and where its members lie: printed by a program of each language, made from the module.
  awk '
    function name(type) { return type == "convk_handle" ? "convk" : type }
    BEGIN { print "#define CONVK_DECLARE\n#include \"convk.h\"\n#include <stdio.h>\nint main(void) {" }
    / type, bind\(c\) ::/ { type = $4; printf "  printf(\"%s %%d\\n\", (int)sizeof(%s));\n", type, name(type) }
    / end type/ { type = "" }
    type && / :: / && !/bind|private/ { split($0, part, /:: /); sub(/[ (].*/, "", part[2])
      printf "  printf(\"%s%%%%%s %%d\\n\", (int)offsetof(%s, %s));\n", type, part[2], name(type), part[2] }
    END { print "  return 0;\n}" }' $a/convk.f90 >$o/sizes.c
  awk '
    BEGIN { print "program sizes\nuse convk\nimplicit none" }
    / type, bind\(c\) ::/ { type = $4; types[++n] = type }
    / end type/ { type = "" }
    type && / :: / && !/bind|private/ { split($0, part, /:: /); sub(/[ (].*/, "", part[2]); member[n] = member[n] " " part[2] }
    END {
      for (i = 1; i <= n; i++) printf "call size%d\n", i
      print "contains\ninteger function apart(p, q)\ntype(c_ptr), value :: p, q"
      print "apart = int(transfer(p, 0_c_intptr_t) - transfer(q, 0_c_intptr_t))\nend function"
      for (i = 1; i <= n; i++) {
        printf "subroutine size%d\ntype(%s), target :: v\n", i, types[i]
        printf "print \"(a, 1x, i0)\", \"%s\", storage_size(v) / 8\n", types[i]
        m = split(member[i], names, " ")
        for (k = 1; k <= m; k++) printf "print \"(a, 1x, i0)\", \"%s%%%s\", apart(c_loc(v%%%s), c_loc(v))\n", types[i], names[k], names[k]
        print "end subroutine"
      }
      print "end program"
    }' $a/convk.f90 >$o/sizes.f90
  sizes() {
    $CC -std=c99 -I. $o/sizes.c -o $o/sizes_c && $o/sizes_c >$o/sizes_c.txt &&
      gfortran -std=f2018 -J $o $o/sizes.f90 $o/convk.o $o/convk_fortran.o -o $o/sizes_f -lm && $o/sizes_f >$o/sizes_f.txt &&
      [ "$(grep -c 'convk_mesh_f64%' $o/sizes_f.txt)" = 14 ] && diff $o/sizes_c.txt $o/sizes_f.txt
  }
  try 'structs are those of C' sizes

  # Calls of every family: the bits of the same calls in C, by the best hardware.
  # shellcheck disable=SC2086
  try 'the program in C' $CC -std=c99 $warn -Wpedantic -Werror -O1 -I. tests/adapters/fortran.c $o/convk_fortran.o -o $o/calls_c -lm
  try 'the program in Fortran' module tests/adapters/fortran.f90 $o/convk.o $o/convk_fortran.o -o $o/calls_f -lm
  run $o/calls_c >$o/calls_c.txt
  same() { run $o/calls_f >$o/calls_f.txt && [ "$(wc -l <$o/calls_f.txt)" -gt 10 ] && diff $o/calls_c.txt $o/calls_f.txt; }
  try 'the same bits' same
  cat $o/calls_f.txt
  sed -n '/^```fortran/,/^```$/{/^```/d;p}' $a/README.md | sed -n '/^program/,/^end program/p' >$o/readme.f90 # the other one is of adapters
  try 'the Fortran of README.md' module $o/readme.f90 $o/convk.o $o/convk_fortran.o -o $o/readme -lm
  readme() { run $o/readme | grep -E ': success +1\.0|: success +0\.99'; }
  try 'and what it prints' readme
  total
}
