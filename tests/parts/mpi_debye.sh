# Distances of atoms on many processes: sourced by run.sh.

part_mpi_debye() {
  mpi debye
  local o=$out/mpi_debye.txt bits='' p
  debye() { run $mpirun -n "$1" $programs/debye --threads 1 "${@:2}" >$o 2>&1; } # RANKS ARGUMENTS...
  same() { # RANKS ARGUMENTS...: the same integers each time, and those of one process
    debye "$@" --radius 14 --check && grep -q 'finds the same numbers' $o && [ "$(sed -n 's/^bits: *//p' $o)" = "${bits:=$(sed -n 's/^bits: *//p' $o)}" ] || {
      cat $o
      return 1
    }
  }
  refused() { # WHY ARGUMENTS...
    ! debye 2 "${@:2}" && grep -e "$1" $o
  }
  for p in '1 8' '3 1' '4 5'; do try "ranks, and parts of each: $p" same ${p% *} --parts ${p#* }; done
  try 'the intensity at 0' grep -q '^I(0): *[0-9]' $o
  printf '3\nwater\nO 0 0 0\nH 0.76 0.59 0\nH -0.76 0.59 0\n' >$out/water.xyz
  try 'more ranks than pairs' debye 4 --xyz $out/water.xyz --check
  try 'no file' refused 'none.xyz: cannot be read' --xyz $out/none.xyz
  try 'bins of nothing' refused 'width: out of range' --width 0
  rm -f $o.json
  try 'JSON' debye 2 --radius 6 --json $o.json
  try 'one line of it' grep -c '"program":"debye","ranks":2,"threads":1' $o.json
  total
}
