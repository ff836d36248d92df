# examples/gisaxs.c: sourced by run.sh.

# The example checks itself against formulas of its shapes.
part_gisaxs() {
  decided
  local g=$out/gisaxs_files box=examples/data/box.stl
  example gisaxs
  # by the best hardware, and by portable C: those between have its bits or these, as golden.txt has them
  try 'scalar' run $out/gisaxs cylinder --hw scalar --grid 31x22 --rotate y30 --absorption 0.05 --list --out $out/gisaxs.ppm
  for type in f32 f64; do
    try "$type" run $out/gisaxs cylinder --type $type --grid 61x43 --rotate y30 --absorption 0.05 --list --out $out/gisaxs.ppm
  done
  try sphere run $out/gisaxs sphere --grid 64x65 --list --out $out/gisaxs.ppm
  try box run $out/gisaxs box --grid 64x65 --list --absorption 0.1 --rotate -50 --out $out/gisaxs.ppm
  type=f32 # and in turn the other
  for shape in box:12x18x24 sphere:10x1 cylinder:5x16 prism:6x5x9 pyramid:10x6x4 tetrahedron:12 octahedron:12x4; do
    try "$shape $type" run $out/gisaxs $shape --exact --type $type --grid 31x32 --absorption 0.05 --rotate z20 --out $out/gisaxs.ppm
    if [ $type = f32 ]; then type=f64; else type=f32; fi
  done
  for type in f32 f64; do
    try "exact on a file $type" run $out/gisaxs box --exact --type $type --grid 31x32 --absorption 0.1 --rotate -50 --out $out/gisaxs.ppm
  done
  try 'twelve triangles of a box are exact for any q' grep -qE 'exact +[0-9.]+e-1[0-9] .* 12$' \
    <<<"$(run $out/gisaxs box:12x18x24 --exact --qmax 20 --type f64 --grid 31x32 --out $out/gisaxs.ppm 2>&1)"
  try picture test -s $out/gisaxs.ppm
  refused() { # WHY ARGUMENTS...
    ! message=$(run $out/gisaxs --grid 64x65 --out $out/gisaxs.ppm "${@:2}" 2>&1) && grep "$1" <<<"$message"
  }
  mkdir -p $g
  { head -c 80 $box; printf '\x26\x1b\0\0'; head -c 347584 $box | tail -c +85; } >$g/box.stl # 6950 of its triangles: there is a hole
  try 'a box with a hole is not exact' refused 'more error' $g/box.stl
  printf 'OFF\n8 6 12\n-6 -9 0\n6 -9 0\n6 9 0\n-6 9 0\n-6 -9 24\n6 -9 24\n6 9 24\n-6 9 24\n' >$g/box.off
  printf '4 %s\n' '0 3 2 1' '4 5 6 7' '0 1 5 4' '1 2 6 5' '2 3 7 6' '3 0 4 7' >>$g/box.off
  try 'a box of vertices and faces' grep -q '8 vertices, 12 triangles, 18 edges, closed' <<<"$(run $out/gisaxs --grid 8x8 --out $out/gisaxs.ppm $g/box.off 2>&1)"
  sed 's/^8 6 12/8 4 0/' $g/box.off | head -n 14 >$g/open.off
  printf '# two boxes, one of them turned\nbox:8x6x4 0 0 2\nbox:8x6x4 0 14 2 rotate 30 0 0\nsphere:3 0 7 3 weight 0.5\n' >$g/particles.txt
  for message in '' --incoherent; do
    try "an assembly $message" grep -q '3 particles of 2 kinds' <<<"$(run $out/gisaxs --assembly $g/particles.txt $message --absorption 0.05 --grid 31x32 --out $out/gisaxs.ppm 2>&1)"
  done
  printf '0 0 0 0\n30 2.4e-6 3e-9 0.4\n0 7.6e-6 1.7e-7 0.3\n' >$g/film.txt
  for message in cylinder "--rotate z20 pyramid:10x6x4" "--assembly $g/particles.txt"; do
    # shellcheck disable=SC2086
    try "in layers: $message" grep -q 'in layer 1: .* 527 pixels above the horizon' <<<"$(run $out/gisaxs $message --layers examples/data/film.txt --grid 31x36 --out $out/gisaxs.ppm 2>&1)"
  done
  try 'reflectivity below the critical angle' grep -qE '^ +0\.25 +0\.17553[0-9]* +0\.9138[0-9]+$' <<<"$(run $out/gisaxs --layers $g/film.txt --reflectivity --grid 2x16 2>&1)"
  try 'layers without particles' refused 'a layer is wanted that has particles' box:8x6x4 --layers $g/film.txt
  try 'reflectivity of nothing' refused 'reflectivity: goes with --layers' --reflectivity
  try 'absorption of layers' refused 'the file says what absorbs' --layers $g/film.txt --absorption 0.1
  try 'more than a right angle' refused 'more than a right angle' --layers $g/film.txt --reflectivity --qmax 90
  try 'a film without an end' refused 'line 1: a top medium and a substrate' --layers /dev/null
  try 'a box without two sides is open' grep -q 'edges, open' <<<"$(run $out/gisaxs --grid 8x8 --exact --out $out/gisaxs.ppm $g/open.off 2>&1)"
  head -c 1000 $box >$g/cut.stl
  try 'half a box' refused 'box:AxBxC is wanted' box:12x18
  try 'no shape' refused 'is wanted, not ball:3' ball:3
  try 'no file' refused 'nothing.stl: cannot open the file: No such file or directory' $g/nothing.stl
  try 'help' usage $out/gisaxs examples/gisaxs.c
  try 'help lists shapes' grep -qF '  dodecahedron:EDGE[xCUT]' <<<"$($out/gisaxs --help)"
  try 'another folder' elsewhere $out/gisaxs box --grid 9x9
  try 'a cut file' refused 'byte 80: 7012 triangles' $g/cut.stl
  try 'half a grid' refused 'NYxNZ' --grid 64
  total
}
