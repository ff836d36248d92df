# Programs of many processes: how they are made, another MPI, and a simulated cluster: sourced by run.sh.

# Builds one or all by the MPI of mpicc, and sets what their parts use: `$mpirun -n 3 $programs/heat`.  Most spend their time at their
# beginning, so that it does not pay to optimise them.
mpi() { # [PROGRAM [LEVEL]]
  need mpi "${MPICC:=mpicc}" 'libopenmpi-dev openmpi-bin, or libmpich-dev mpich'
  need mpi "${mpirun:=mpirun}" 'openmpi-bin or mpich'
  programs=$PWD/$out/$MPICC
  [ -n "${sanitize:-}" ] || export OMPI_CC=$quick_cc MPICH_CC=$quick_cc
  flock build/lock make -s "${1:+$out/$MPICC/}${1:-mpi}" MPICC=$MPICC MPI_OUT=$out/$MPICC CFLAGS="${2:--O0} ${lean#-O?} $warn -Werror ${sanitize:-}"
  [[ $($mpirun --version 2>&1) != *'Open MPI'* ]] || mpirun+=' --oversubscribe'
  # Launchers keep sessions in a folder, which Open MPI's share and remove: of those that begin and end side by side some fail.
  TMPDIR=$(mktemp -d) # as short as sockets need
  export TMPDIR
  trap 'rm -rf "$TMPDIR"' EXIT
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_base_warn_component_unused=0
  export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader # one machine: Open MPI spends a fifth of a short run on looking for networks
}
# Devices: PoCL, which is one, and the emulator of CUDA, which has two, for a program of its own, $programs/heat_cuda, that links the
# library of the emulator's other programs: there are no modules SSE and NEON in it.
mpi_opencl() { # PROGRAM: whether there is one
  export POCL_CACHE_DIR=$PWD/$out/mpi_$1.cache
  (opencl mpi_"$1") && return
  without opencl "$1 on OpenCL" 'Debian package pocl-opencl-icd'
  false
}
mpi_cuda() { # PROGRAM: whether it can be made
  command -v "$CXX" >/dev/null || { without cuda-emulated "$1 on CUDA" 'Debian package g++' && return 1; }
  rm -f $programs/"$1"_cuda
  # shellcheck disable=SC2046
  try "$1 with CUDA" emulated $programs/"$1"_cuda -Werror -DCONVK_{SSE,NEON}_H_ -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -include tests/cuda_emulator.h \
    $($MPICC -show | grep -oE -- '-I[^ ]*') examples/mpi/"$1".c $($MPICC -show | grep -oE -- ' -(L|l|Wl,)[^ ]*')
  [ -x $programs/"$1"_cuda ]
}
# One message, by rank 0, and the end of all ranks in time: dealt WHY RANKS PROGRAM ARGUMENTS...
dealt() {
  local status=0 o=$out/mpi_dealt_${3##*/}.txt
  timeout 60 $mpirun -n "$2" "${@:3}" >$o 2>&1 || status=$?
  if [ $status = 0 ] || [ $status = 124 ] || ! grep -e "$1" $o || [ "$(grep -cE "^(${3##*/}|heat|filter|gisaxs|helium|orbital):" $o)" != 1 ]; then
    echo "status $status"
    cat $o
    return 1
  fi
}
without_hdf5() { # its package is named, and missed where it is required
  grep 'libhdf5-mpi-dev' "$1" && ! required hdf5
}

# The other MPI, under sanitizers: one program here, of portable C, with its file of HDF5, and at length all.
part_mpi_mpich() {
  need mpich mpicc.mpich libmpich-dev
  need mpich mpirun.mpich mpich
  local p MPICC=mpicc.mpich mpirun=mpirun.mpich sanitize='-DCONVK_NO_AVX2 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all'
  export ASAN_OPTIONS=detect_leaks=0 # the MPI library's own
  if [ -n "$long" ]; then mpi; else mpi gisaxs; fi
  local o=$out/mpich_output.txt
  few() { run $mpirun -n "$1" $programs/"$2" "${@:3}" >$o 2>&1 && grep -E "$why" $o || { cat $o; false; }; }
  why='the same bits'
  for p in f32 ${long:+f64}; do
    try "gisaxs, $p" few 3 gisaxs box --grid 41x37 --type $p --tile 16x16 --block 2048 --check
  done
  why='h5, new'
  rm -f $out/mpich.h5
  try 'gisaxs, a file' few 3 gisaxs box --grid 41x37 --tile 16x16 --out $out/mpich.h5
  why='of 9 tiles are there and skipped'
  try 'gisaxs goes on' few 2 gisaxs box --grid 41x37 --out $out/mpich.h5
  [ -n "$long" ] || { total; return; }
  why='the same bits'
  try 'heat' few 3 heat --n 17x19x23 --steps 9 --halo 3 --check
  try 'heat, one layer' few 2 heat --n 17x19x23 --steps 9 --halo 1 --check
  try 'filter' few 3 filter --n 16x30x48 --operation potential --repeat 1 --check
  try 'filter, by orbitals' few 2 filter --n 16x20x24 --by orbitals --orbitals 3 --repeat 1 --check
  why='^energy:'
  try 'helium' few 3 helium 8 --walkers 13 --equilibrate 32 --sweeps 64 --checkpoint $out/mpich.state --output $out/mpich
  try 'helium goes on' few 2 helium --resume $out/mpich.state --sweeps 96 --output $out/mpich
  why='^density:'
  try 'orbital' few 3 orbital --spacing 1 --out $out/mpich --hdf5 $out/mpich_orbital.h5
  total
}

# On a simulated cluster.
part_mpi_simulated() {
  need simgrid smpicc libsimgrid-dev
  need simgrid smpirun libsimgrid-dev
  local p
  for ((p = 0; p < 16; p++)); do echo "node-$p:64"; done >$out/hosts
  simulated() { # RANKS PROGRAM ARGUMENTS...: the share of communication, in percent
    run smpirun -np "$1" -platform tests/bench/cluster/platform.xml -hostfile $out/hosts $out/"$2"_simulated "${@:3}" >$out/simulated.txt 2>&1
    grep "^ *$1 .* %" $out/simulated.txt || { cat $out/simulated.txt; false; }
  }
  for p in heat helium gisaxs; do
    smpicc -std=c99 -O0 -DCONVK_NO_{SSE2,AVX,AVX2,AVX512} $warn -I. examples/mpi/$p.c -o $out/${p}_simulated -lm
  done
  try 'heat' simulated 128 heat --block 256 --steps 4 --halo 1 --simulate 1e9
  try 'helium' simulated 128 helium 112 --walkers 1024 --sweeps 32 --equilibrate 16 --simulate 4e8
  try 'gisaxs' simulated 64 gisaxs --grid 1000x500 --triangles 1000000 --simulate 1e10
  total
}
