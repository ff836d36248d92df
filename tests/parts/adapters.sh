# examples/adapters: sourced by run.sh.

part_adapters() {
  decided
  local a=examples/adapters t=tests/adapters o=$out/adapters
  # of portable C alone, since this is about what they ask for
  local strict="$warn -Wpedantic -Werror" plain='-O0 -DCONVK_NO_SSE2 -DCONVK_NO_AVX -DCONVK_NO_AVX2 -DCONVK_NO_AVX512'
  mkdir -p $o
  c() { # PROGRAM FLAGS...: tests/adapters/PROGRAM.c and the adapter of this name
    # shellcheck disable=SC2086
    $quick_cc -std=c99 $strict $plain -I. $a/"$1".c $t/"$1".c -o "$o/$1" "${@:2}" -lm && run "$o/$1"
  }
  try 'libconv.c: formulas' eval "with_library $o/libconv $strict $a/libconv.c $t/libconv.c && run $o/libconv"
  try 'offsets.c: the loop over a list of offsets' c offsets
  try 'vectors.c: plain loops' c vectors
  try 'host.c: its threads, memory and errors' c host -pthread
  lines() { sed -n "/^\*\*$1/,/^\`\`\`\$/{/^\`\`\`/,/^\`\`\`\$/{/^\`\`\`/d;p}}" $a/README.md; } # HOST: what README.md shows of it
  readme_host() {
    local line count=0
    while IFS= read -r line; do
      count=$((count + 1))
      grep -qF -e "$line" $a/host.c || { echo "host.c has no $line" && return 1; }
    done < <(lines LAMMPS)
    [ $count = 3 ]
  }
  readme_stencil() {
    {
      printf '#define CONVK_WITH_STENCIL\n#include "convk.h"\n#include <math.h>\nint main(void) {\n'
      printf '  enum { nx = 12, ny = 5, nz = 4 };\n  const double h = 0.5, k = 2 * 3.14159265358979323846 / nx;\n'
      printf '  static double psi[nx * ny * nz], out[nx * ny * nz], *end;\n  convk hw;\n  int i, status = convk_open(&hw, "scalar");\n'
      printf '  for (i = 0; i < nx * ny * nz; i++) psi[i] = sin(k * (i %% nx));\n'
      lines GPAW
      printf '  for (i = 0; i < nx * ny * nz; i++)\n    if (!(fabs(out[i] - 2 * (cos(k) - 1) / (h * h) * psi[i]) < 1e-12)) return 2;\n'
      printf '  return status || end != out;\n}\n'
    } >$o/stencil.c
    # shellcheck disable=SC2086
    $quick_cc -std=c99 $strict $plain -I. $o/stencil.c -o $o/stencil -lm && run $o/stencil
  }
  readme_bigdft() {
    {
      printf 'program p\n'
      lines BigDFT | head -n 1
      printf '  implicit none\n  integer, parameter :: n1 = 8, n2 = 6, n3 = 10\n  real(8) :: psi(n1, n2, n3), values(n1, n2, n3), work(n1, n2, n3)\n  psi = 1\n'
      lines BigDFT | tail -n +2
      printf '  if (.not. all(abs(values - 1) < 1d-6 .and. abs(psi - 1) < 1d-6)) stop 1\nend program\n'
    } >$o/lines.f90
    gfortran -std=f2018 -O0 -fopenmp -I $o $o/lines.f90 $o/bigdft.o -o $o/lines && run $o/lines
  }
  try 'the lines of README.md for LAMMPS are those of host.c' readme_host
  try 'the lines of README.md for GPAW' readme_stencil
  if command -v gfortran >/dev/null; then
    bigdft() { # the unit as OpenMP programs have it; gfortran takes arrays that a function returns for uninitialised
      # shellcheck disable=SC2086
      $CC -std=c99 $strict $plain -fopenmp -DCONVK_OPENMP -I. -c $a/bigdft.c -o $o/bigdft.o &&
        gfortran -std=f2018 $warn -Wno-uninitialized -Wno-maybe-uninitialized -Werror -O0 -fopenmp -J $o $a/bigdft_convolutions.f90 $t/bigdft.f90 \
          $t/bigdft_external.f90 $o/bigdft.o -o $o/bigdft && OMP_NUM_THREADS=2 run $o/bigdft
    }
    try 'bigdft.c and bigdft_convolutions.f90: formulas' bigdft
    try 'the lines of README.md for BigDFT' readme_bigdft
    refused() { ! "$o/bigdft_error" >$o/error.txt 2>&1 && grep -x 'convrot_n_per: a size is zero or does not fit the other sizes' $o/error.txt; }
    printf '%s\n' 'program p' 'real(8) :: x(1) = 0, y(1)' 'call convrot_n_per(-1, 1, x, y)' 'print *, y' 'end program' >$o/error.f90
    try 'a program with a bad size' gfortran -fopenmp $o/error.f90 $o/bigdft.o -o $o/bigdft_error
    try 'ends with a message' refused
    try 'an unknown hardware, too' grep -q 'unknown hardware' <(CONVK_HW=abacus $o/bigdft 2>&1)
  else
    without fortran bigdft_convolutions.f90 'Debian package gfortran'
  fi

  adapters_cxx
  total
}

# convk.hpp, where there is a C++ compiler.
adapters_cxx() {
  local way
  command -v "$CXX" >/dev/null || { without c++ convk.hpp 'Debian package g++' && return; }
  local library
  library=$(harness_objects harness "$(harness_flags)")
  hpp() { # FLAGS...
    # shellcheck disable=SC2086
    $quick_cxx $strict -I. $t/hpp.cpp "$@" $library -o $o/hpp -lm -pthread && run $o/hpp
  }
  try 'convk.hpp: C++17, without exceptions' hpp -std=c++17 -fno-exceptions
  try 'convk.hpp: C++20' hpp -std=c++20
  for way in SEPCONV STENCIL VMATH GAUSSIAN FORMFACTOR DISTANCES AMPLITUDES FFT VMC; do # families alone, and implemented in the unit itself
    printf '#include "%s/convk.hpp"\nint main() { return !cvk::quiet_handle::open(); }\n' "$PWD/$a" >$o/alone.cpp
    # shellcheck disable=SC2086
    try "convk.hpp: $way alone" $quick_cxx -std=c++17 $strict -fsyntax-only -DCONVK_WITH_$way -DCONVK_F64 -DCONVK_DECLARE -I. $o/alone.cpp
  done
  readme() { # its C++ program, which implements what it uses
    { sed -n '/^```cpp/,/^```$/{/^```/d;p}' $a/README.md; echo 'int main() { return to_values(8, std::vector<double>(512, 1))[5] < 0.9; }'; } >$o/readme.cpp
    # shellcheck disable=SC2086
    $CXX -std=c++17 $strict -O0 -DCONVK_F64 -I. -I$a $o/readme.cpp -o $o/readme -lm && run $o/readme
  }
  try 'the C++ of README.md' readme
}
