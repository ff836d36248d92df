# What --changed chooses: sourced by run.sh.

part_choice() {
  chosen() { # PARTS THAT PATHS LEAD TO, PARTS THAT THEY DO NOT, PATHS...
    local parts part
    parts=" $(touched "${@:3}" | tr '\n' ' ')"
    for part in $1; do [[ $parts == *" $part "* ]] || { echo "$part is missing of$parts"; return 1; }; done
    for part in $2; do [[ $parts != *" $part "* ]] || { echo "$part is one of$parts"; return 1; }; done
  }
  equals() { [ "$1" = "$2" ] || { echo "'$1', not '$2'"; return 1; }; }
  local all part
  all=$(parts_of make)
  try 'a kernel of processors' chosen 'harness golden heat headers format' 'opencl cuda_emulated sanitizers bits gisaxs lint' src/stencil/kernel.h
  try 'the headers that are made of it' chosen 'headers golden' 'bits opencl python' src/stencil/kernel.h convk.h
  try 'its family alone' equals "$(families_of src/stencil/kernel.h src/stencil/driver.h convk.h README.md)" STENCIL
  try 'two families' equals "$(families_of src/pairs/energy.h tests/test_mesh.c | tr '\n' ' ')" 'FORMFACTOR VMC '
  try 'all families' equals "$(families_of src/stencil/kernel.h src/core/open.h)" ''
  try 'by their names' equals "$(operations_of STENCIL | tr , '\n' | grep -c '^stencil7$')" 1
  try 'an OpenCL kernel' chosen 'opencl golden_opencl oclgrind opencl_intel' 'harness golden bits cuda_emulated' src/fft/kernel.cl
  try 'a CUDA kernel' chosen 'cuda_emulated cuda_races nvcc audit_cuda' 'harness golden bits opencl' src/fft/squares.cuh
  try 'arithmetic of all' chosen 'harness bits opencl cuda_emulated sanitizers valgrind' 'cube' src/pairs/element.h
  try 'an example' chosen 'gisaxs lint format' 'harness headers orbital' examples/gisaxs.c
  try 'the runner' chosen 'choice bare' 'harness' tests/run.sh
  try 'a path that nobody names' equals "$(touched src/stencil/kernel.h nobody/names/this.txt)" "$all"
  # the table and the functions are of the same parts
  for part in $(parts_of make long changed hand); do try "part_$part" eval "declare -F part_$part >/dev/null"; done
  try 'no others' equals "$(declare -F | sed -n 's/^declare -f part_//p' | sort)" "$(parts_of make long changed hand | sort)"
  # no part is without its time, and all together keep the budget
  try 'tests/times.txt has the parts of make test' equals "$(awk '!/^(#|budget)/ { print $1 }' tests/times.txt | sort)" "$(parts_of make | sort)"
  try 'their sum is within the budget' awk '/^budget/ { most = $2 } !/^(#|budget)/ { sum += $2 } END { print sum, most; exit !(sum <= most) }' tests/times.txt
  # what is shown of a part that failed
  fails() { # LINES THAT ARE SHOWN, with blanks between them, LINES OF ITS LOG
    equals "$(failures <(printf '%s\n' "${@:2}") | paste -sd' ' | tr -s ' ')" "$1"
  }
  local sum='1 passed, 1 failed, 0 skipped'
  try "of a try that failed its command's words" fails ' why FAILED b: c' before 'ok a' why 'FAILED b: c' "$sum"
  try 'the last twelve, and errors' fails " x.c: error: 1 $(echo {8..19}) FAILED b" 'x.c: error: 1' {1..19} 'FAILED b' 'ok c' 4 "$sum"
  try 'words behind the line' fails 'FAILED: b why' 'FAILED: b' why 'ok c' d "$sum"
  try 'lines of the harness alone' fails 'FAIL a: 1 FAIL b: 2' x 'FAIL a: 1' y 'FAIL b: 2' z "$sum"
  try 'the end of a part without them' fails " $(echo {6..20})" {1..20}
  try 'how a part ended that failed before' fails "FAIL a $(echo {3..6})" 'FAIL a' {1..6}
  # Without a command `make NAME` would start a program that nothing has made.
  made() { MAKEFLAGS='' make -n -W "examples/$1.c" "build/$1" | grep "examples/$1\.c -o build/$1 " >/dev/null; }
  for part in $(sed -n 's/^EXAMPLES = .*build\/,\(.*\) gpu_opencl)$/\1/p' Makefile); do try "a command makes $part" made "$part"; done
  total
}
