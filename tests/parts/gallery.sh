# What the examples write with --data, read back, and drawn by examples/plot: sourced by run.sh.

part_gallery() {
  local g=$out/gallery python='' p
  for p in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! $p -c 'import matplotlib, PIL' 2>/dev/null || python=$p
  done
  [ -n "$python" ] || skip matplotlib 'Debian package python3-matplotlib'
  rm -rf $g
  mkdir -p $g
  for p in demo heat orbital atoms gisaxs diffraction blur helium hamiltonian debye distances; do example $p; done
  wrote() { run $out/"$1" "${@:2}" >$g/"$1".out; } # PROGRAM ARGUMENTS...
  wrote demo --picture $g/plain --data $g/demo.txt
  wrote heat --n 31 --steps 40 --out $g/heat --data $g/heat.txt
  wrote orbital --spacing 1 --out $g/water --data $g/orbital.txt
  wrote atoms flake --rings 2 --spacing 0.4 --check --data $g/flake.txt
  mv $g/atoms.out $g/flake.out
  wrote atoms salt --spacing 0.25 --check --data $g/salt.txt
  mv $g/atoms.out $g/salt.out
  wrote gisaxs box:12x18x24 --exact --type f64 --qmax 1 --grid 24x31 --out $g/plain --data $g/gisaxs.txt
  printf '0 0 0 0\n30 2.4e-6 3e-7 0.4 particles 5\n12 2e-5 1.5e-6 0.6\n0 7.6e-6 1.7e-7 0.3\n' >$g/film.txt
  printf 'box:12x8x6 0 0 0\nbox:4x5x4 1 9 3\n' >$g/particles.txt
  run $out/gisaxs --assembly $g/particles.txt --layers $g/film.txt --incidence 0.25 --grid 24x31 --out $g/plain --data $g/layers.txt >$g/layers.out
  run $out/gisaxs --layers $g/film.txt --reflectivity --grid 2x200 --data $g/reflectivity.txt >$g/reflectivity.out
  wrote diffraction 1 --quick --pillars square --angle 5 --out $g/plain --data $g/diffraction.txt
  awk 'BEGIN { print "P2 120 90 255"; for (y = 0; y < 90; y++) for (x = 0; x < 120; x++) print (int(x / 7) + int(y / 5)) % 2 * 200 + int(x / 3) }' >$g/squares.pgm
  wrote blur $g/squares.pgm --quick --width 2 --result $g/blur.pgm --out $g/plain --data $g/blur.txt
  wrote helium 6 --walkers 16 --sweeps 300 --equilibrate 160 --output $g/helium
  run $out/helium 32 --box 0.0218 --walkers 4 --sweeps 64 --equilibrate 16 --output $g/liquid >/dev/null
  wrote debye --quick --radius 12 --data $g/debye.txt
  for p in ice protein; do run $out/distances $p --quick --data $g/$p.txt >$g/$p.out; done
  wrote hamiltonian --quick --out $g/plain --data $g/hamiltonian.txt
  ! p=$(run $out/gisaxs --grid 9x9 --out $g/plain --data $g/nothing/there 2>&1)
  grep "gisaxs: .*/nothing/there: cannot be written" <<<"$p"
  $python tests/gallery.py $g
}
