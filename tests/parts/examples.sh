# Examples, and how others embed the library: sourced by run.sh.

# An example with the library as the harness has it, build/test/NAME, made once in a run for all parts that want it.
example() { # NAME
  (
    flock 9
    [ "$(cat $out/"$1".made 2>/dev/null)" = "$CONVK_TEST_RUN" ] || {
      with_library $out/"$1" -DSECONDS=0.01 examples/"$1".c && echo "$CONVK_TEST_RUN" >$out/"$1".made
    }
  ) 9>$out/"$1".lock
}

part_embed() {
  $quick_cc -std=c99 $warn -O0 ${lean#-O?} -I. examples/embed.c examples/embed_other.c -o $out/embed -lm
  run $out/embed
}

part_embed_cpp() {
  need c++ "$CXX" g++
  $quick_cxx -std=c++11 $warn -O0 ${lean#-O?} -I. examples/embed.cpp -o $out/embed_cpp
  run $out/embed_cpp
}

part_embed_fortran() {
  need fortran gfortran gfortran
  mkdir -p $out/embed_module
  $quick_cc -std=c99 $warn -O0 ${lean#-O?} -DCONVK_WITH_SEPCONV -DCONVK_F64 -I. -c examples/adapters/convk_fortran.c -o $out/embed_module/convk_fortran.o
  gfortran -std=f2018 $warn -O0 -J $out/embed_module examples/adapters/convk.f90 examples/embed_fortran.f90 $out/embed_module/convk_fortran.o \
    -o $out/embed_fortran -lm
  run $out/embed_fortran
}

part_own_threads() {
  decided
  example own_threads
  run $out/own_threads
}

# Every hardware must print the same norms as the scalar variant.
norms() { sed -n 's/^norm: *//p' "$1"; }
demo() { # PROGRAM PICTURE HARDWARE REFERENCE
  run "$1" --hw "$3" --picture "$2" >"$2.txt" || return 1
  cat "$2.txt"
  [ -s "$2" ] && norms "$2.txt" | grep -q 'values again' && diff <(norms "$4") <(norms "$2.txt")
}

part_demo() {
  made_demo # which takes seconds, and `make check` has no library of the harness
  run build/demo --hw scalar --picture $out/demo.ppm >$out/demo.txt
  try 'help' usage build/demo examples/demo.c
  try 'another folder' elsewhere build/demo
  for hw in scalar sse2 avx avx2 avx512; do
    if message=$(build/demo --hw $hw --picture $out/demo.ppm 2>&1) || ! grep -E 'machine|module' <<<"$message"; then
      try $hw demo build/demo $out/demo_$hw.ppm $hw $out/demo.txt
    fi
  done
  total
}

# What the Makefile makes of it.
made_demo() { flock build/lock make -s build/demo CC=$quick_cc CFLAGS="-O0 ${lean#-O?}"; }
part_demo_png() {
  need png pkg-config 'pkg-config'
  pkg-config --exists libpng || skip png 'Debian package libpng-dev'
  made_demo
  rm -f $out/demo.png
  build/demo --picture $out/demo.png
  head -c 8 $out/demo.png | od -An -tx1 | grep -q '89 50 4e 47'
}

part_demo_opencl() {
  opencl demo
  made_demo
  build/demo --hw scalar --picture $out/demo_cl_scalar.x >$out/demo_cl.txt
  demo build/demo $out/demo_opencl.x opencl $out/demo_cl.txt
}

# The picture of every hardware is that of the scalar variant: the example's weights are powers of two.
part_heat() {
  decided
  example heat
  run $out/heat --hw scalar --n 40 --steps 60 --out $out/heat_scalar | grep '^sine mode'
  try 'help' usage $out/heat examples/heat.c
  try 'no OpenCL' eval "! $out/heat --hw opencl 2>&1 | grep 'gisaxs, diffraction, blur and helium have'; [ \${PIPESTATUS[1]} = 0 ]"
  for hw in scalar sse2 avx avx2 avx512; do
    if message=$($out/heat --hw $hw --n 40 --steps 60 --out $out/heat 2>&1) || ! grep -E 'machine|module' <<<"$message"; then
      try $hw cmp $out/heat_scalar.ppm $out/heat.ppm
    fi
  done
  total
}

# The example checks itself against a cube file of another program.
part_orbital() {
  decided
  example orbital
  try 'scalar' run $out/orbital --hw scalar --spacing 0.4 --check --out $out/water
  for type in f32 f64; do # by the best hardware; those between have the same bits
    try "$type" run $out/orbital --type $type --spacing 0.4 --check --out $out/water
  done
  differs() {
    ! message=$(run $out/orbital --orbital 4 --compare examples/data/water_631g_homo.cube --spacing 1 --out $out/water 2>&1) &&
      grep 'not that of the cube file' <<<"$message"
  }
  try 'another orbital is found out' differs
  # what coefficients of other programs mean: electrons on the grid, and the norm of the highest orbital
  dialect() { # FILE ELECTRONS MEANING: within 3%, of which cores of oxygen miss most
    run $out/orbital examples/data/molden/$1.molden --spacing 0.17 --out $out/dialect >$out/dialect.txt 2>$out/dialect.err &&
      awk -v all=$2 '/^density/ { n = $(NF - 6) } /^orbital/ { o = $(NF - 3) } END { exit !(n > 0.97 * all && n < 1.03 * all && o > 0.9999 && o < 1.0001) }' $out/dialect.txt &&
      if [ "$3" ]; then grep -q "read as $3" $out/dialect.err && grep -q "read as $3" $out/dialect.txt; else ! [ -s $out/dialect.err ]; fi
  }
  try 'NWChem' dialect nwchem_water 10 ''
  try "NWChem's norms" dialect nwchem_water_norm 10 'coefficients that multiply exponentials'
  try 'xTB' dialect xtb_water 8 'coefficients that multiply exponentials'
  try 'Psi4, Cartesian' dialect psi4_water_cartesian 10 "Psi4's up to 1.3.2"
  try 'cclib' dialect cclib_water 10 'the format says; spherical functions in the order m = -l .. l; spherical d functions without \[5D\]'
  sed 's/^ *1  *-0.79/ 1 -0.69/' examples/data/molden/xtb_water.molden >$out/dialect.molden
  try 'orbitals that are not orthonormal' eval "! $out/orbital $out/dialect.molden --spacing 1 --out $out/dialect 2>&1 | grep 'line [0-9]*: orbitals that are orthonormal are wanted, orbital 1 has the norm'; [ \${PIPESTATUS[1]} = 0 ]"
  try 'coefficients by name' run $out/orbital $out/dialect.molden --spacing 1 --out $out/dialect --coefficients exponentials
  sed 's/^O  *1  *8/I 1 7/; s/^\[GTO\]/[core]\n1 : 46\n[GTO]/' examples/data/molden/xtb_water.molden >$out/core.molden
  charges() { run $out/orbital $out/core.molden --spacing 1 --out $out/core && for f in core core-density; do grep -qE '^ *53 +7\.0+ ' $out/$f.cube || return 1; done; }
  try 'the element and the charge under a pseudopotential' charges
  try 'help' usage $out/orbital examples/orbital.c
  try 'another folder' elsewhere $out/orbital --spacing 1
  total
}

# The example compares bins with the sum over pairs, and looks for the nearest neighbours.
part_debye() {
  decided
  example debye
  local d=$out/debye
  try 'help' usage $d examples/debye.c
  for hw in scalar sse2 avx avx2 avx512; do
    if message=$($d --quick --hw $hw --radius 8 2>&1) || ! grep -E 'machine|module' <<<"$message"; then
      try "$hw" run $d --quick --hw $hw --radius 12 --data $d.txt
    fi
  done
  printf '3\nthree atoms\nAu 0 0 0\nAu 2.88 0 0 and more\nAu 0 2.88 0\n' >$d.xyz
  try 'a file' eval "run $d --xyz $d.xyz --quick | grep 'atoms:  *3,'"
  printf '3\nthree atoms\nAu 0 0 0\nAu 2.88 0\n' >$d.xyz
  try 'a short file' eval "! run $d --xyz $d.xyz 2>&1 | grep 'an atom has no three coordinates'; [ \${PIPESTATUS[1]} = 0 ]"
  try 'no width' eval "! run $d --width 0 2>&1 | grep 'width: out of range'; [ \${PIPESTATUS[1]} = 0 ]"
  # Ice has four neighbours and the counts of a longer box, the protein its radius; bins err less than they may.
  example distances
  try 'help' usage $out/distances examples/distances.c
  for what in ice protein; do try "$what" run $out/distances $what --quick --data $out/$what.txt; done
  total
}

# The example compares its energies with exact ones; what it prints of convergence: wavelets to 1e-10, with order 14.
part_hamiltonian() {
  decided
  example hamiltonian
  local h=$out/hamiltonian o=$out/hamiltonian_files
  rm -rf $o && mkdir $o
  try 'help' usage $h examples/hamiltonian.c
  run $h --quick --out $o/states.ppm >$o/states.txt
  try 'a picture' [ -s $o/states.ppm ]
  # ERROR: of wavelets at 0.15 bohr, and of order 12 ten times as much; orders of both.  Lines behind that of orders may begin with 0.15
  # seconds.
  finest() {
    awk -v e="$1" 'NF == 8 && $1 == "0.15" && !orders { a = $2 < e && -$2 < e && -$8 < 10 * e } /^converges/ { orders = 1; b = $2 > 13.5 && $3 > 1.9 && $5 > 5.8 && $8 > 11.5 }
      END { exit !(a && b) }' $o/states.txt || { echo "status $?" && sed -n 2,11p $o/states.txt && false; }
  }
  try 'wavelets converge' finest 1e-12
  at_k() { # K OPTIONS...: the lowest energy, where plane waves have all three, but for small errors
    run $h --k "$@" | tail -n 3 | awk '{ bad += $2 ^ 2 > 1e-16 || $3 ^ 2 > 1e-12 || $4 ^ 2 > 1e-17 } NR == 1 { printf "%.6f\n", $1 } END { exit bad || NR != 3 }'
  }
  try 'a point k' at_k 0.3,0,0
  try 'another, 0.1 higher' [ "$(at_k 0.3,-0.2,0.4)" = "$(awk -v e="$(at_k -0.3,0,0)" 'BEGIN { printf "%.6f", e + 0.1 }')" ]
  for k in 0.3 0.3,0,x 1,2,3,4 nan,0,0; do
    try "no point k: $k" eval "! run $h --k $k 2>&1 | grep 'three numbers are wanted'; [ \${PIPESTATUS[1]} = 0 ]"
  done
  try 'times' eval "run $h --time --n 8 | grep -c ' ns a point' | grep -x 13"
  for hw in scalar sse2 avx avx2 avx512; do
    if message=$($h --hw $hw --k 0.3,0,0 2>&1) || ! grep -E 'machine|module' <<<"$message"; then
      try $hw [ "$(at_k 0.3,0,0 --hw $hw)" = -0.166648 ]
    fi
  done
  total
}

part_atoms() {
  decided
  example atoms
  try 'a flake' run $out/atoms flake --rings 1 --spacing 0.5 --check
  try 'salt' run $out/atoms salt --spacing 0.5 --check --hw scalar
  try 'a cube file' eval 'run $out/atoms flake --rings 1 --spacing 1 --out $out/flake.cube && [ "$(wc -l <$out/flake.cube)" -gt 100 ]'
  try 'too many points' eval '! run $out/atoms flake --rings 8 --spacing 0.02 2>&1 | grep "atoms: --spacing"; [ "${PIPESTATUS[1]}" = 0 ]'
  try 'help' usage $out/atoms examples/atoms.c
  total
}

part_tune() {
  decided
  example tune
  usage $out/tune examples/tune.c
  rm -f $out/tuned.txt
  echo '# another machine' >$out/tuned.txt
  for _ in 1 2; do run $out/tune --size 40x36x33 --budget 60 --file $out/tuned.txt; done
  [ "$(grep -c '^convk-tuned-1' $out/tuned.txt)" = 4 ] && grep -q '^# another machine' $out/tuned.txt
}
