# Heat on many processes: sourced by run.sh.

part_mpi_heat() {
  mpi
  local ranks halo size p
  heat() { run $mpirun -n "$1" $programs/heat --threads 1 "${@:2}" >$out/mpi_heat.txt 2>&1; }
  same() {
    heat "$@" --check && grep 'finds the same bits' $out/mpi_heat.txt || {
      cat $out/mpi_heat.txt
      return 1
    }
  }
  refused() { # WHY RANKS ARGUMENTS...
    ! heat "${@:2}" && grep -e "$1" $out/mpi_heat.txt
  }
  for ranks in 1 2 3 4; do
    for halo in 1 2 5; do
      [ -n "$long" ] || [ $(((ranks + halo / 2) % 2)) = 0 ] || continue
      try "$ranks ranks, a halo of $halo" same $ranks --n 37x29x41 --steps 23 --halo $halo
    done
  done
  try '6 ranks, cut along two axes' same 6 --n 13x17x19 --steps 10 --halo 3
  try '8 ranks, cut along all axes' same 8 --n 13x17x19 --steps 10 --halo 4
  try '8 ranks, one layer' same 8 --n 13x17x19 --steps 10 --halo 1
  for size in 2x2x2 1x3x2 3x2x4; do
    try "blocks of a point or two, $size" same 8 --n ${size/1x/2x} --steps 7 --halo 1
  done
  try 'one plane' same 4 --n 1x9x8 --steps 5 --halo 1
  try 'no step' same 2 --n 9 --steps 0
  try 'the halo of small blocks' same 3 --n 8x8x13 --steps 9
  try 'a block for each rank' grep -q '12 x 12 x 24 points' <(heat 2 --block 12 --steps 1 && cat $out/mpi_heat.txt)
  try 'no more ranks than points, but more than planes' same 4 --n 2x2x3 --steps 3 --halo 1
  try 'a halo wider than a block' refused 'blocks of 3 are narrower than a halo of 4' 3 --n 16x16x11 --halo 4
  try 'more ranks than planes' refused 'blocks of 0 are narrower' 3 --n 9x9x2 --halo 1
  try 'no halo' refused 'halo: out of range' 2 --halo 0
  try 'half a size' refused 'n: out of range' 2 --n 20x20
  try 'an unknown option' refused 'there is no such option' 2 --sim 1
  try 'one message for all ranks' [ "$(grep -c '^heat:' $out/mpi_heat.txt)" = 1 ]
  try 'hardware of another world' refused 'abacus' 2 --hw abacus
  try 'a device that is not there' refused 'rank [01] of 2, on .*: cuda:[01]: ' 2 --hw cuda
  for p in examples/mpi/*.c; do # as nvcc will read them
    command -v "$CXX" >/dev/null || { without c++ "$p as C++" 'Debian package g++' && continue; }
    # shellcheck disable=SC2046
    try "$p as C++" $CXX -x c++ -std=c++11 $warn -Werror -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -DCONVK_NO_{SSE2,AVX,AVX2,AVX512} \
      $($MPICC -show | grep -oE -- '-I[^ ]*') -I. -fsyntax-only "$p"
  done
  rm -f $out/mpi_heat.json
  heat 2 --n 16 --steps 2 --json $out/mpi_heat.json
  try 'one line of JSON' grep -c '"program":"heat","ranks":2,"threads":1' $out/mpi_heat.json
  total
}
