# Calls drawn at random (tests/draws.c), for the parts of processors and CUDA: sourced by run.sh.

# drawn PROGRAM: makes it with the library of the harness, and PROGRAM.bin of what this processor computes, of draws that have the words
# of the list; fails where there is no AVX2, of whose class the list is.
drawn() {
  with_library "$1" -D_GNU_SOURCE tests/draws.c
  try 'drawn calls' run "$1" --save /dev/null --draws 300 --list tests/draws.txt
  "$1" --save "$1.bin" >/dev/null && return
  without avx2 'drawn calls' 'a processor that has AVX2'
  return 1
}
