# Heat on many processes: sourced by run.sh.

part_mpi_heat() {
  mpi heat
  local p
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
  for p in '1 2' '2 5' '3 1' '4 5'; do # each looks whether one process alone finds the same
    try "ranks, and layers of a halo: $p" same ${p% *} --n 37x29x41 --steps 23 --halo ${p#* }
  done
  try '6 ranks, cut along two axes' same 6 --n 13x17x19 --steps 10 --halo 3
  try '8 ranks, cut along all axes' same 8 --n 13x17x19 --steps 10 --halo 4
  try 'blocks of a point or two' same 8 --n 3x2x4 --steps 7 --halo 1
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
  try 'counts of MPI' $MPICC -std=c99 ${CFLAGS/-O2/-O0} -w -I. -DCONVK_DECLARE tests/ranks_count.c -o $programs/ranks_count -lm
  ! $mpirun -n 1 $programs/ranks_count >$out/mpi_counts.txt 2>&1
  try 'the largest count passes' grep 'the largest count passes' $out/mpi_counts.txt
  try 'a larger one is refused' grep 'ranks_count: --n: 2147483648 elements side by side' $out/mpi_counts.txt
  try 'and ends the program' [ "$(grep -c 'more passes' $out/mpi_counts.txt)" = 0 ]
  try 'hardware of another world' refused 'abacus' 2 --hw abacus
  try 'a device that is not there' refused 'rank [01] of 2, on .*: cuda:[01]: ' 2 --hw cuda
  rm -f $out/mpi_heat.json
  heat 2 --n 16 --steps 2 --json $out/mpi_heat.json
  try 'one line of JSON' grep -c '"program":"heat","ranks":2,"threads":1' $out/mpi_heat.json
  # ---- devices: the bus has what the faces of a block are, and no more ----
  moved() { # BYTES RANKS ARGUMENTS...
    same "${@:2}" && grep "^bus: *$1 B " $out/mpi_heat.txt || {
      cat $out/mpi_heat.txt
      return 1
    }
  }
  if mpi_opencl heat; then
    # blocks of 16^3, cut along y and z: 8 layers of 18 x 16 and of 18 x 25 points for 8 steps, there and back
    try 'OpenCL, 4 ranks, 8 steps for a halo' moved 2.8828 4 --hw opencl --devices 0,0,0,0 --block 16 --steps 8 --halo 8
    try 'OpenCL, more ranks than devices' dealt 'rank [12] of 3, on .*: opencl:[12]: ' 3 $programs/heat --n 9 --hw opencl
    try 'OpenCL, no such device' dealt 'rank 1 of 2, on .*: opencl:7: ' 2 $programs/heat --n 9 --hw opencl --devices 0,7
  fi
  if mpi_cuda heat; then
    heat() { timeout 120 $mpirun -n "$1" $programs/heat_cuda --hw cuda "${@:2}" >$out/mpi_heat.txt 2>&1; }
    try 'CUDA, 8 ranks, cut along all axes' same 8 --devices 0,0,0,0,1,1,1,1 --n 13x17x19 --steps 10 --halo 4
    try 'CUDA, and MPI takes device memory' moved 1.4414 4 --devices 1,1,0,0 --block 16 --steps 8 --halo 8 --direct yes
    try 'CUDA, 2 ranks, 2 devices by themselves' same 2 --n 9x8x13 --steps 5 --halo 1
    try 'more ranks than devices' dealt 'rank 2 of 3, on .*: cuda:2: ' 3 $programs/heat_cuda --n 9 --hw cuda
    try 'no such device' dealt 'rank 1 of 3, on .*: cuda:2: ' 3 $programs/heat_cuda --n 9 --hw cuda --devices 0,2,1
    try 'a rank without a device' dealt '0,1 has 2 devices for the 3 ranks' 3 $programs/heat_cuda --n 9 --hw cuda --devices 0,1
    try 'more devices than ranks' dealt '0,0,1 has 3 devices for the 2 ranks' 2 $programs/heat_cuda --n 9 --hw cuda --devices 0,0,1
    for p in 0,x 0, ,0 0,-1 0,99999; do
      try "devices $p" dealt "whole numbers .* not $p\$" 2 $programs/heat_cuda --n 9 --hw cuda --devices $p
    done
    try 'devices of processors' dealt 'devices: goes with --hw cuda' 2 $programs/heat_cuda --n 9 --hw scalar --devices 0,1
    try 'direct to processors' dealt 'direct: goes with --hw cuda' 2 $programs/heat_cuda --n 9 --hw scalar --direct yes
  fi
  for p in examples/mpi/*.c; do # as nvcc will read them
    [[ ! $p =~ (heat|filter)\.c ]] || continue # which are made with CUDA
    command -v "$CXX" >/dev/null || { without c++ "$p as C++" 'Debian package g++' && continue; }
    # shellcheck disable=SC2046
    try "$p as C++" $quick_cxx -x c++ -std=c++11 $warn -Werror -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -DCONVK_NO_{SSE2,AVX,AVX2,AVX512} \
      $($MPICC -show | grep -oE -- '-I[^ ]*') -I. -fsyntax-only "$p"
  done
  total
}
