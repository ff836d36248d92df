# examples/helium.c: sourced by run.sh.

part_helium() {
  decided
  with_library $out/helium_physics -Wno-unused-function -DCONVK_SSE -DCONVK_AVX -DCONVK_AVX_WITHOUT_AVX2 tests/test_helium.c
  local few=--quick # the bits of walks do not change by accident: golden.txt
  [ -z "$long" ] || few=
  run $out/helium_physics $few
}

# What the Makefile makes of it, with OpenMP and libpng, for the parts of this example and of many processes.
made_helium() { flock build/lock make -s build/helium CFLAGS="-O1 ${lean#-O?} $warn"; }
# The walks are the same for all numbers of threads, and with a checkpoint between; for all hardware of a class by golden bits.
part_helium_example() {
  decided
  local d=$out/helium_files h=build/helium eight='8 --walkers 16 --equilibrate 160 --seed 5' picture=ppm message
  mkdir -p $d
  rm -f $d/*
  made_helium
  export OMP_NUM_THREADS=1
  if command -v pkg-config >/dev/null && pkg-config --exists libpng; then
    picture=png
  else
    without png 'PNG files' 'Debian packages pkg-config libpng-dev'
  fi
  helium() { run $h "${@:2}" --output "$1" >"$1.out"; } # PREFIX ARGUMENTS...
  # all that is printed but for names and times, the table, and the picture
  same() { # PREFIX PREFIX
    diff <(grep -v '^hardware\|^time\|^table\|^atoms\|^picture\|^sweeps' "$1.out") <(grep -v '^hardware\|^time\|^table\|^atoms\|^picture\|^sweeps' "$2.out") &&
      cmp "$1.txt" "$2.txt" && cmp "$1.xyz" "$2.xyz" && cmp "$1.$picture" "$2.$picture" && grep -q '^energy:' "$1.out"
  }
  value() { sed -n "s/^ *$2: *\([-0-9.]*\).*/\1/p" "$1.out"; } # PREFIX NAME
  error() { sed -n "s/^ *$2:.* +- \([0-9.]*\) .*/\1/p" "$1.out"; }
  between() { echo "$1 < $2 < $3"; awk -v a="$1" -v b="$2" -v c="$3" 'BEGIN { exit !(b != "" && a < b + 0 && b + 0 < c) }'; }
  try 'a run' helium $d/scalar $eight --sweeps 700 --hw scalar
  # 0.594 K and 5.01 A are this trial function's, from long runs
  try 'energy' between -0.67 "$(value $d/scalar energy)" -0.52
  try 'radius' between 4.85 "$(value $d/scalar radius)" 5.17
  try 'error' between 0.002 "$(error $d/scalar energy)" 0.03
  try 'estimators' awk -v a="$(value $d/scalar gradients)" -v b="$(value $d/scalar Laplacians)" -v e="$(error $d/scalar gradients)" \
    'BEGIN { exit !(a > 1 && (a - b)^2 < 16 * e^2) }'
  # the shells' atoms and pairs, but for the outermost thousandth
  try 'sums of the table' awk '/^#/ || !NF { next } { s = (($1 + 0.125)^3 - ($1 - 0.125)^3) * 4.18879; n += s * $2; m += s * $4 }
    END { print n, m; exit !(n > 7.97 && n < 8.001 && m > 6.97 && m < 7.001) }' $d/scalar.txt
  try 'header of the table' grep -q '^# columns: r ' $d/scalar.txt
  try '1 thread' helium $d/one $eight --sweeps 200
  if $h $eight --sweeps 1 --threads 2 --output $d/try 2>&1 >/dev/null | grep 'compile with -fopenmp'; then :; else
    try '2 threads' eval "OMP_NUM_THREADS=2 helium $d/two $eight --sweeps 200 --threads 2"
    try 'the same bits' same $d/one $d/two
  fi
  resumes() { # PRECISION
    helium $d/whole $eight --sweeps 200 --precision "$1" && helium $d/half $eight --sweeps 90 --precision "$1" --checkpoint $d/point &&
      cp $d/point $d/early && helium $d/rest --resume $d/point --sweeps 200 && same $d/whole $d/rest && ! same $d/whole $d/half >/dev/null
  }
  try 'resumed, mixed' resumes mixed
  try 'resumed, f64' resumes f64
  try 'resumed elsewhere' helium $d/half --resume $d/early --sweeps 90 --checkpoint $d/other
  try 'the same file' cmp $d/early $d/other
  stops() {
    local pid
    $h 4 --sweeps 1000000000 --equilibrate 16 --time 60 --output $d/stopped --checkpoint $d/kept >$d/stopped.out &
    pid=$!
    sleep 1
    kill -INT $pid && wait $pid && grep -q '^stopped: .* by a signal' $d/stopped.out && grep -q '^energy:' $d/stopped.out &&
      [ -s $d/stopped.txt ] && [ -s $d/stopped.$picture ] && helium $d/later --resume $d/kept --time 0.1 && grep -q '^stopped: .* time' $d/later.out
  }
  try 'Ctrl-C' stops
  # the least is -0.04136 K, with p1 0.0693 and errors of 0.001 K
  try 'minimise' helium $d/less 3 --sweeps 4000 --minimise
  try 'minimised' between 0.055 "$(sed -n 's/^after:.* p1 //p' $d/less.out)" 0.09
  try 'minimised energy' between -0.046 "$(value $d/less energy)" -0.037
  ends() {
    local pid
    $h 8 --sweeps 100000 --minimise --time 0.1 --output $d/ended >$d/ended.out &
    pid=$!
    sleep 1
    kill -INT $pid && wait $pid && grep -q '^after:' $d/ended.out && ! grep -q '^ *40 ' $d/ended.out
  }
  try 'Ctrl-C of a minimiser' ends
  try 'a box' helium $d/box 32 --box 0.0218 --potential lj --walkers 16 --equilibrate 160 --sweeps 160
  try 'its energy with the tail' between -7 "$(value $d/box 'with tail')" -4.5
  awk 'BEGIN { for (k = 150; k <= 8000; k++) printf "%.2f %.12g\n", k / 100, 40.88 * ((255.6 / k)^12 - (255.6 / k)^6) }' >$d/lj.table
  for v in lj $d/lj.table; do
    try "$v" helium $d/${v##*/} 10 --potential $v --walkers 32 --equilibrate 160 --sweeps 640
  done
  try 'a table of Lennard-Jones' awk -v a="$(value $d/lj potential)" -v b="$(value $d/lj.table potential)" -v e="$(error $d/lj potential)" \
    'BEGIN { print a, b, e; exit !(a < -1 && e < 0.05 && (a - b)^2 < 32 * e^2) }'
  refused() { # STATUS WHY ARGUMENTS...
    local status=0
    run $h --output $d/refused "${@:3}" >/dev/null 2>$d/refused || status=$?
    cat $d/refused
    [ $status = "$1" ] && [ "$(wc -l <$d/refused)" = 1 ] && grep -q "^helium: .*$2" $d/refused && [ ! -e $d/refused.txt ]
  }
  head -c 5000 $d/early >$d/cut
  head -c 50 $d/early >$d/stump
  cat $d/early $d/cut >$d/long
  for at in 60 100 5000 90000 "$(($(stat -c %s $d/early) - 9))"; do
    cp $d/early $d/flipped
    printf "$(tail -c +$((at + 1)) $d/early | head -c 1 | od -An -tu1 | awk '{ printf "\\%03o", ($1 + 64) % 256 }')" |
      dd of=$d/flipped bs=1 seek="$at" conv=notrunc status=none
    try "byte $at damaged" refused 1 'damaged\|version\|cut off' --resume $d/flipped
  done
  try 'a cut checkpoint' refused 1 'cut off' --resume $d/cut
  try 'a stump' refused 1 'cut off' --resume $d/stump
  try 'a long checkpoint' refused 1 'longer' --resume $d/long
  try 'another file' refused 1 'no checkpoint of helium' --resume tests/run.sh
  try 'no file' refused 1 'cannot be read' --resume $d/nothing
  try 'no place' refused 1 'cannot be written' 8 --checkpoint $d/nothing/there
  try 'of another size' refused 2 'of 8 atoms' 9 --resume $d/early
  try 'another seed' refused 2 'the checkpoint says' --resume $d/early --seed 6
  try 'nothing' refused 2 usage
  try 'help' usage $h <(grep -v MORE_OPTIONS examples/helium.h)
  try 'one atom' refused 2 'whole number' 1
  try 'half an atom' refused 2 'whole number' 2.5
  try 'an unknown option' refused 2 'no such option' 8 --walker 3
  try 'no value' refused 2 'wants a value' 8 --sweeps
  try 'three parameters' refused 2 'four numbers' 8 --trial 120,0,0.1
  try 'not a number' refused 2 'four numbers' 8 --trial 120,0,0.1,nan
  try 'atoms that fly apart' refused 1 'hold the atoms together' 8 --minimise --trial 120,0,0,0
  try 'unknown hardware' refused 2 'unknown hardware' 8 --hw abacus
  try 'an unknown move' refused 2 'single or all' 8 --moves none
  try 'no table' refused 2 'No such file' 8 --potential $d/nothing
  printf '1 2\n2 1\n3.5 1\n4 1\n' >$d/uneven.table
  try 'an uneven table' refused 2 'equal steps' 8 --potential $d/uneven.table
  printf '1 2\n2 1\n3 1 1\n4 1\n' >$d/three.table
  try 'three columns' refused 2 'line 3' 8 --potential $d/three.table
  [ $picture = ppm ] || try 'a PNG' eval "head -c 8 $d/scalar.png | od -An -tx1 | grep -q '89 50 4e 47'"
  [ $picture = png ] || try 'a PPM' eval "head -c 2 $d/scalar.ppm | grep -q P6"
  total
}
