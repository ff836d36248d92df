# Filters on many processes: sourced by run.sh.

part_mpi_filter() {
  mpi filter
  local f="$programs/filter --threads 1 --repeat 2" o=$out/mpi_filter operation type by ranks devices args
  filter() { run $mpirun -n "$1" $f "${@:2}" >$o.txt 2>&1; }
  # the result and its energy as printed: those of one rank are kept for the others
  same() { # RANKS ARGUMENTS...
    filter "$@" --check && grep -q 'finds the same bits' $o.txt && grep -E '^(bits|energy):' $o.txt >$o.bits || {
      cat $o.txt
      return 1
    }
    [ "$1" = 1 ] && cp $o.bits $o.first
    diff $o.first $o.bits
  }
  # 3 ranks cut 45 rows, 4 ranks cut rows and 51 planes; each looks whether one process alone finds the same
  for by in 'magic f32 grid 1 4' 'magic f32 orbitals 1' 'potential f64 grid 1 3 4' 'potential f64 orbitals 1 3' 'smooth f32 grid 1 3' 'smooth f32 orbitals 1'; do
    read -r operation type by ranks <<<"$by"
    for ranks in $ranks; do
      try "$operation $type by $by, $ranks ranks" same $ranks --operation $operation --type $type --by $by --n 17x45x51 --orbitals 4
    done
    cp $o.first $o.$operation.$type.$by
    [ $by = grid ] || try "$operation $type has the same bits by grid" cmp <(grep bits $o.$operation.$type.grid) <(grep bits $o.$operation.$type.orbitals)
  done
  # by grid and by orbitals the energies are added up in different orders
  try 'energies by grid and by orbitals' awk '{ d = $2 - $12; if (d < 0) d = -d; exit !($1 == "energy:" && $11 == "energy:" && d < 1e-12) }' \
    <(paste -d ' ' $o.potential.f64.grid $o.potential.f64.orbitals | tail -n 1)
  try 'energies have their formula' awk '$9 + 0 < 1e-11 && NR == 2 { good = 1 } END { exit !good }' $o.potential.f64.grid
  try 'one orbital alone' same 1 --n 24x32x25 --orbitals 1
  try 'one orbital cut into 4 blocks' same 4 --n 24x32x25 --orbitals 1
  try 'a few points' same 1 --n 5x16x17 --orbitals 3
  try 'blocks as narrow as the halo' same 4 --n 5x16x17 --orbitals 3
  try 'one point along x' same 1 --n 1x16x9
  try 'one point along x, 2 ranks' same 2 --n 1x16x9
  weak() { filter 2 --block 20 --orbitals 2 "$@" && grep "$why" $o.txt; }
  why='20 x 40 x 20 points' try 'a block for each rank' weak
  why='4 of 20 x 20 x 20 points' try 'orbitals for each rank' weak --by orbitals
  refused() { # WHY RANKS ARGUMENTS...
    ! filter "${@:2}" && grep -e "$1" $o.txt
  }
  try 'a halo wider than a block' refused 'blocks of 6 are narrower than the filter.s halo of 8' 4 --n 33x45x13
  try 'a wider halo' refused 'blocks of 13 are narrower than the filter.s halo of 14' 3 --operation smooth --n 20x41x41
  try 'more ranks than planes' refused 'blocks of 0 are narrower' 3 --n 20x2x20
  try 'more ranks than orbitals' refused '--orbitals: 2 for 3 ranks' 3 --by orbitals --orbitals 2 --n 16
  try 'an unknown operation' refused 'magic, potential or smooth is wanted, not sharp' 2 --operation sharp
  try 'an unknown distribution' refused '--by: grid or orbitals is wanted, not rows' 2 --by rows
  try 'an unknown type' refused 'f32 or f64 is wanted' 2 --type f16
  try 'no size' refused '--n: out of range' 2 --n 20x20
  try 'a size of 0' refused 'N or NXxNYxNZ is wanted' 2 --n 20x0x20
  try 'a device that is not there' refused 'rank [01] of 2, on .*: cuda:[01]: ' 2 --hw cuda --n 32
  rm -f $o.json
  try 'JSON' filter 2 --n 32 --json $o.json
  try 'one line of it' grep -c '"program":"filter","ranks":2,"threads":1' $o.json
  try 'a file that cannot be written' refused '/nowhere/file: cannot be written' 2 --n 32 --json /nowhere/file
  # ---- devices ----
  if mpi_opencl filter; then
    f="$f --hw opencl"
    # PoCL takes seconds to build each program: few kinds
    try 'OpenCL, 1 rank' same 1 --operation potential --n 5x16x17 --orbitals 3
    try 'OpenCL, 2 ranks on a device' same 2 --devices 0,0 --operation potential --n 5x16x17 --orbitals 3
    try 'half of what travels goes each way' grep -q '^bus: *[1-9][0-9.]* B .* half of it each way' $o.txt
    [ -z "$long" ] || try 'OpenCL, 4 ranks on a device' same 4 --devices 0,0,0,0 --operation potential --n 5x16x17 --orbitals 3
    try 'OpenCL, by orbitals' same 1 --by orbitals --operation magic --n 5x16x17 --orbitals 3
  fi
  if mpi_cuda filter; then
    f="$programs/filter_cuda --repeat 2 --hw cuda"
    for args in '1 0 magic --type f32' '1 0 potential' '3 1,0,0 potential' '1 0 smooth' '2 0,1 smooth --by orbitals'; do
      read -r ranks devices args <<<"$args"
      try "CUDA, $ranks ranks, $args" same $ranks --devices $devices --operation $args --n 3x28x29 --orbitals 2
    done
    try 'CUDA, and MPI takes device memory' same 4 --devices 1,0,1,0 --operation smooth --n 3x28x29 --orbitals 2 --direct yes
    try 'more devices than ranks' dealt '0,0,1 has 3 devices for the 2 ranks' 2 $programs/filter_cuda --n 32 --hw cuda --devices 0,0,1
  fi
  total
}
