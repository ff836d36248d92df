# Form factors on many processes: sourced by run.sh.

part_mpi_gisaxs() {
  mpi gisaxs
  local g=$out/mpi_gisaxs cylinder=examples/data/cylinder.stl ranks team type mesh bits pid rank args hdf5=yes
  rm -rf $g
  mkdir -p $g
  gisaxs() { timeout 100 $mpirun -n "$1" $programs/gisaxs "${@:2}" >$g/out.txt 2>&1; } # RANKS ARGUMENTS...
  bits_of() { sed -n 's/^bits: *//p' $g/out.txt; }
  # As many ranks find $bits, or those of the first who look
  same() { # RANKS ARGUMENTS...
    gisaxs "$@" && grep -q '^bits' $g/out.txt && [ "$(bits_of)" = "${bits:=$(bits_of)}" ] || {
      cat $g/out.txt
      return 1
    }
  }
  says() { grep -q "$1" $g/out.txt || { # WHAT
    cat $g/out.txt
    return 1
  }; }
  refused() { # WHY RANKS ARGUMENTS...
    ! gisaxs "${@:2}" && says "$1"
  }

  # a box by vertices and faces, and without two of its sides
  printf 'OFF\n8 6 12\n-6 -9 0\n6 -9 0\n6 9 0\n-6 9 0\n-6 -9 24\n6 -9 24\n6 9 24\n-6 9 24\n' >$g/box.off
  printf '4 %s\n' '0 3 2 1' '4 5 6 7' '0 1 5 4' '1 2 6 5' '2 3 7 6' '3 0 4 7' >>$g/box.off
  sed 's/^8 6 12/8 4 0/' $g/box.off | head -n 14 >$g/open.off
  { # the same tetrahedron twice: as a text, and in 50 bytes a triangle
    printf 'solid t\n'
    printf 'facet normal 0 0 0 outer loop vertex %s vertex %s vertex %s endloop endfacet\n' \
      '0 0 0' '0 8 0' '8 0 0' '0 0 0' '8 0 0' '0 0 8' '0 0 0' '0 0 8' '0 8 0' '8 0 0' '0 8 0' '0 0 8'
    printf 'endsolid t\n'
  } >$g/text.stl
  local o='\0\0\0\0' e='\0\0\0\101' # 0 and 8
  local zero=$o$o$o x=$e$o$o y=$o$e$o z=$o$o$e
  { # a head of 80 bytes, 4 triangles, each with a normal of zeros
    printf '%-80s\4\0\0\0' binary
    printf "$zero$zero$y$x\0\0$zero$zero$x$z\0\0$zero$zero$z$y\0\0$zero$x$y$z\0\0"
  } >$g/binary.stl

  # sizes that no number of tiles divides; the longer axis along y and along z
  ranks=0 # numbers of ranks in turn: each looks whether one process alone finds the same
  local cases=('--grid 37x31 --tile 16x8 --block 1024' '--grid 21x27 --tile 16x8 --block 512 --type f64 --memory 0'
    '--grid 37x51 --tile 16x34 --absorption 0.05' '--grid 15x14 --exact --block 1024')
  [ -z "$long" ] || cases+=('--grid 51x37 --tile 15x10' '--grid 27x41 --tile 16x18 --type f64' '--grid 15x17 --exact --type f64 --tile 7x9')
  for args in "${cases[@]}"; do
    bits=
    for ranks in $([ -n "$long" ] && echo 1 2 3 4 || echo $((ranks % 4 + 1))); do
      try "$args, $ranks ranks" same $ranks $cylinder $args --check
      try 'one process finds them, too' says 'finds the same bits'
    done
  done
  for args in $g/box.off $g/open.off sphere:10 "$g/text.stl --exact"; do
    bits=
    try "$args" same 3 $args --grid 41x37 --tile 9x40 --check
  done
  try 'the open box is open' gisaxs 2 $g/open.off --grid 8x8
  try 'and computed as one' says 'edges, open'
  bits=
  try 'a text' same 1 $g/text.stl --grid 9x9
  try 'and the same mesh in binary' same 2 $g/binary.stl --grid 9x9
  try 'is read in another way' says '4 triangles, closed'
  bits=
  try 'one tile' same 1 $cylinder --grid 30x30 --tile 30x30
  try 'more ranks than tiles' same 4 $cylinder --grid 30x30 --tile 30x30
  bits=
  try 'blocks that are kept' same 2 $cylinder --grid 50x50 --tile 40x40 --block 512
  try 'blocks that are read again' same 2 $cylinder --grid 50x50 --tile 40x40 --block 512 --memory 0
  try 'are said to be' says 'read again for each tile'

  # teams share the blocks of a tile
  cases=('--grid 15x16 --tile 8x8 --type f64 --exact --memory 0')
  [ -z "$long" ] || cases+=('--grid 37x31 --tile 16x8')
  for args in "${cases[@]}"; do
    bits=
    try "$args, alone" same 1 $cylinder $args --block 512
    for team in '3 2' '4 2' '4 4'; do # ranks and team
      try "ranks and ranks of a team: $team" same ${team% *} $cylinder $args --block 512 --team ${team#* }
    done
  done
  try 'teams are said to be' says 'of 4 ranks, which share'
  try 'no larger teams than ranks' refused 'team: out of range' 2 --team 3

  # the serial program, made in the same way, draws the same picture
  flock build/lock make -s build/gisaxs CC=$quick_cc CFLAGS="-O0 ${lean#-O?}"
  try 'the serial program' run build/gisaxs sphere:10 --grid 45x60 --out $g/serial.ppm --data $g/serial.txt >/dev/null
  try 'a picture' gisaxs 2 sphere:10 --grid 45x60 --tile 32x32 --picture $g/picture.ppm --data $g/picture.txt
  try 'the same pictures' cmp $g/serial.ppm $g/picture.ppm
  try 'the same data' cmp $g/serial.txt $g/picture.txt

  # devices: blocks that stay there, and blocks that come while others are summed
  if mpi_opencl gisaxs; then
    bits=
    try 'OpenCL' same 1 $cylinder --hw opencl --grid 19x17 --tile 9x9 --block 512 --check
    try 'OpenCL, 3 ranks on a device' same 3 $cylinder --hw opencl --devices 0,0,0 --grid 19x17 --tile 9x9 --block 512 --memory 0
  fi
  if [ -n "$long" ] && mpi_cuda gisaxs; then
    gisaxs() { timeout 300 $mpirun -n "$1" $programs/gisaxs_cuda "${@:2}" --hw cuda >$g/out.txt 2>&1; }
    bits=
    try 'CUDA' same 1 $cylinder --grid 9x8 --tile 5x5 --block 1024 --check
    try 'CUDA, 4 ranks on 2 devices' same 4 $cylinder --devices 0,0,1,1 --grid 9x8 --tile 5x5 --block 1024 --memory 0
    try 'CUDA, in teams' same 3 $cylinder --devices 0,0,1 --grid 9x8 --tile 5x5 --block 1024 --team 3 --memory 0
    gisaxs() { timeout 100 $mpirun -n "$1" $programs/gisaxs "${@:2}" >$g/out.txt 2>&1; }
  fi
  try 'no CUDA' refused 'cuda:.*not compiled in' 2 --hw cuda
  try 'half a grid' refused 'NYxNZ is wanted' 2 --grid 64
  try 'odd blocks' refused 'multiple of 512' 2 --block 600
  try 'no file' refused 'cannot open the file' 2 $g/none.stl
  head -c 1000 $cylinder >$g/cut.stl
  try 'a cut file' refused '4460 triangles announced, the file ends after 18' 2 $g/cut.stl
  { cat $g/binary.stl; tail -c 50 $g/binary.stl; } >$g/long.stl
  try 'a file with more' refused '4 triangles announced, as many bytes as of 1 follow' 2 $g/long.stl
  { head -c 150 $g/binary.stl; printf '\377\377\377\377'; tail -c +155 $g/binary.stl; } >$g/nan.stl
  try 'a corner that is no number' refused 'byte 150: corner 1 of triangle 2 is not finite' 2 $g/nan.stl

  if gisaxs 2 $cylinder --grid 9x9 --out $g/first.h5; then
    rm -f $g/first.h5
  else
    try 'without HDF5 its package is named' without_hdf5 $g/out.txt
    hdf5=no
  fi
  for type in f32 f64; do
    [ $hdf5 = yes ] || break
    args="$cylinder --grid 61x55 --type $type"
    bits=
    try "$type without a file" same 2 $args --tile 16x16
    for ranks in $([ $type = f32 ] && echo 1 2 || echo 4); do
      try "a file of $ranks ranks" same $ranks $args --tile 16x16 --out $g/$type.$ranks.h5
      try 'is read again' same $((5 - ranks)) $args --out $g/$type.$ranks.h5
      try 'and all of it skipped' says '16 of 16 tiles are there and skipped$'
    done
  done
  if [ $hdf5 = yes ]; then
    args="$cylinder --grid 61x55 --tile 16x16"
    bits=$(gisaxs 1 $args && bits_of)
    cp $g/f32.2.h5 $g/torn.h5
    # what lies in the middle of all numbers: 61 * 55 complex ones, one after the other
    printf 'abcd' | dd of=$g/torn.h5 bs=1 seek=$(($(stat -c %s $g/torn.h5) / 2)) conv=notrunc status=none
    try 'a torn tile is done again' same 3 $args --out $g/torn.h5
    try 'and said to be' says '15 of 16 tiles are there and skipped, 1 torn: done again'
    try 'and then whole' same 2 $args --out $g/torn.h5
    try 'for good' says '16 of 16 tiles are there and skipped$'
    for mesh in 'qmax 2, not 3:--qmax 3' 'type f32, not f64:--type f64' 'absorption 0, not 0.5:--absorption 0.5' \
      'tiles_y 4, not 3:--tile 21x16' 'not exact:--exact' 'grid_y 61, not 62:--grid 62x55' 'block 4608, not 512:--block 512'; do
      try "another ${mesh#*:}" refused "f32.1.h5: holds results of .*${mesh%%:*}" 1 $args ${mesh#*:} --out $g/f32.1.h5
    done
    try 'another mesh' refused 'holds results of triangles 4460, not 7012' 2 box --grid 61x55 --out $g/f32.1.h5
    cp $g/f32.1.h5 $g/cut.h5
    truncate -s 20000 $g/cut.h5
    try 'a truncated file' refused 'cut.h5: HDF5 cannot read it: it is truncated' 2 $args --out $g/cut.h5
    echo 'my thesis' >$g/foreign.h5
    try 'a foreign file' refused 'it is there, and no HDF5 file' 2 $args --out $g/foreign.h5
    try 'is left alone' grep -qx 'my thesis' $g/foreign.h5
    try 'no such folder' refused 'none/a.h5: cannot be created' 2 $args --out $g/none/a.h5
    sed 's/version 1/version 0/' $g/f32.1.h5 >$g/other.h5
    try 'results of something else' refused 'holds something else' 2 $args --out $g/other.h5

    # a rank is killed when some tiles are written
    args="$cylinder --grid 45x40 --exact --type f64 --hw scalar"
    bits=
    try 'many tiles' same 2 $args --tile 5x4
    gisaxs 3 $args --tile 5x4 --out $g/killed.h5 &
    pid=$!
    local seen='' now='' changes=0
    while [ $changes -lt 4 ] && kill -0 $pid 2>/dev/null; do
      now=$(cksum $g/killed.h5 2>/dev/null || true)
      [ "$now" = "$seen" ] || changes=$((changes + 1))
      seen=$now
      sleep 0.02
    done
    rank=$(pgrep -f "^$programs/gisaxs .*$g/killed.h5" | tail -n 1 || true)
    try 'there is a rank to kill' kill -9 $rank
    try 'its job ends' eval "! wait $pid"
    try 'another number of ranks goes on' same 2 $args --out $g/killed.h5
    try 'without tiles that were done' grep -qE '^ +[1-9][0-9]* of 90 tiles are there and skipped' $g/out.txt
    try 'and not with all of them' eval "! grep -q '90 of 90' $g/out.txt"
    sed -n 's/^ *\([0-9]* of 90 .*\)/\1/p' $g/out.txt
  fi
  total
}
