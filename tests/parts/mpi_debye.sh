# Distances of atoms on many processes: sourced by run.sh.

part_mpi_debye() {
  mpi debye -O1 # which has sums over 50 million pairs
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
  # 25 million squares of nearly 2^40: three quarters of 2^64 on each rank.
  awk 'BEGIN { print 10000; print "two points"; for (i = 0; i < 10000; i++) print "Au", 0, 0, i % 2 * 2.0999 }' >$out/points.xyz
  try 'squares that carry from one rank to the other' debye 2 --xyz $out/points.xyz --width 0.1 --parts 1 --check
  try 'no file' refused 'none.xyz: cannot be read' --xyz $out/none.xyz
  try 'bins of nothing' refused 'width: out of range' --width 0
  rm -f $o.json
  try 'JSON' debye 2 --radius 6 --json $o.json
  try 'one line of it' grep -c '"program":"debye","ranks":2,"threads":1' $o.json
  total
}
