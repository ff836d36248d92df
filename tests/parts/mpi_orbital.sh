# Orbitals on many processes: sourced by run.sh.

part_mpi_orbital() {
  mpi orbital
  local o=$out/mpi_orbital water=examples/data/water_631g.molden ranks type
  orbital() { run $mpirun -n "$1" $programs/orbital --threads 1 "${@:2}" >$o.txt 2>&1; }
  refused() { # WHY RANKS ARGUMENTS...
    ! orbital "${@:2}" && grep -e "$1" $o.txt
  }
  example orbital
  serial() { run $out/orbital --out ${o}_serial "$@" >/dev/null; }
  same() { # RANKS ARGUMENTS...: the bytes of the serial program's files
    rm -f $o.cube $o-density.cube
    orbital "$@" --out $o && cmp ${o}_serial.cube $o.cube && cmp ${o}_serial-density.cube $o-density.cube || {
      cat $o.txt
      return 1
    }
  }
  for type in f32 f64; do
    serial --spacing 0.45 --type $type
    for ranks in 1 $([ $type = f32 ] && echo 3 || echo 2 4); do
      try "$ranks ranks, $type" same $ranks --spacing 0.45 --type $type
      grep bits $o.txt >$o.bits
      [ $ranks = 1 ] && cp $o.bits $o.first
      try "all bits of values and sums, $ranks ranks, $type" cmp $o.first $o.bits
    done
  done
  awk '$1 == "[MO]" { small = 1 } small && $1 ~ /^[0-9]+$/ { $2 = sprintf("%.12e", 1e-105 * $2) } { print }' $water >$o.small.molden
  serial $o.small.molden --spacing 0.9 --coefficients format # orbitals of no norm, whatever they mean
  try 'negative values with exponents of three digits' grep -qE ' -[0-9.]+E-[1-9][0-9][0-9]' ${o}_serial.cube
  try 'exponents of three digits' same 3 $o.small.molden --spacing 0.9 --coefficients format
  serial --spacing 0.23 --margin 8
  try 'far from the atoms' same 4 --spacing 0.23 --margin 8 # tables end within slabs: what counts as nothing is that of slabs
  serial --spacing 5 --margin 0
  try 'more ranks than rows' same 4 --spacing 5 --margin 0
  longer() {
    head -c 100000 /dev/zero >$o.old.cube
    orbital 2 --spacing 5 --margin 0 --out $o.old && cmp ${o}_serial.cube $o.old.cube
  }
  try 'a longer file of before is cut' longer
  if mpi_opencl orbital; then
    by_opencl() { orbital "$@" --spacing 0.9 --hw opencl --out $o.cl && grep bits $o.txt; }
    by_opencl 1 >$o.first
    try 'OpenCL' grep -q '10 electrons' $o.first
    try 'OpenCL, 2 ranks on a device' cmp $o.first <(by_opencl 2 --devices 0,0)
  fi
  if orbital 1 --spacing 2 --hdf5 $o.1.h5 --out $o; then
    orbital_hdf5 # the program has it
  else
    try 'without HDF5 its package is named' without_hdf5 $o.txt
  fi
  sed '9s/5484/548x/' $water >$o.molden
  try 'a bad molden file' refused "$o.molden: line 9: an exponent is not a number" 3 $o.molden
  try 'no molden file' refused '/nowhere/file: cannot open the file' 2 /nowhere/file
  try 'another kind of file' refused 'does not begin with' 2 $o.cube
  try 'no such orbital' refused 'the file has no such orbital' 2 $water --orbital 99
  try 'output that cannot be written' refused '/nowhere/file.cube: cannot open the file' 3 --out /nowhere/file
  try 'too many points' refused 'too many points' 2 --spacing 0.005 --margin 50
  try 'a device that is not there' refused 'rank [01] of 2, on .*: cuda:[01]: ' 2 --hw cuda
  try 'an unknown option' refused 'there is no such option' 2 --picture
  total
}

# Values as the cube file has them, places by their names, and the same of several ranks.
orbital_hdf5() {
  try 'HDF5 that cannot be written' refused '/nowhere/file.h5: cannot open the file' 3 --hdf5 /nowhere/file.h5 --out $o
  try 'HDF5' orbital 1 --spacing 1.1 --hdf5 $o.1.h5 --out $o
  if ! command -v h5dump >/dev/null; then
    echo 'Debian package hdf5-tools to look into files of HDF5'
    return 0
  fi
  values() { # as the text of a cube file
    h5dump -y -w 0 -m %.5E -d "/$1" $o.1.h5 | sed -n '/^   DATA {/,/^   }/p' | sed '1d;$d' | tr -d ' ' | tr ',' '\n' | grep .
  }
  lines() { tail -n +10 "$1" | tr -s ' ' '\n' | grep .; }
  try 'the orbital in HDF5' cmp <(lines $o.cube) <(values orbital)
  try 'the density in HDF5' cmp <(lines $o-density.cube) <(values density)
  try 'the grid and the atoms in HDF5' grep -q '(0): 8, 1, 1$' <(h5dump -a /orbital/origin -a /orbital/axes -a /density/atomic_numbers -a /density/positions $o.1.h5)
  try 'positions in HDF5' grep -q '1\.4276' <(h5dump -a /orbital/positions $o.1.h5)
  alike() { orbital "$1" --spacing 1.1 --hdf5 $o.h5 --out $o && h5diff $o.1.h5 $o.h5; }
  try 'HDF5 of 3 ranks' alike 3
}
