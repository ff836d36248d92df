# Every function of src/ is found by its name, and none is too long: tests/functions.py.  Sourced by run.sh.
features+=' ctags'

# What is planted at the end of a room, in a copy of src/, is noticed.
planted() { # WHAT IT SAYS, ROOM, TEXT
  local copy=$out/names/src
  rm -rf $copy
  mkdir -p $out/names
  cp -r src $copy
  printf '%b\n' "$3" >>"$copy/$2"
  python3 tests/functions.py --src $copy >$out/names/said.txt || true
  grep -qE "^FAIL ($copy/)?$1" $out/names/said.txt || { grep planted $out/names/said.txt; false; }
}
of_lines() { # HOW MANY: a function of so many
  printf 'static void convk_planted_(void) {\\n'
  printf ';\\n%.0s' $(seq $(($1 - 2)))
  printf '}'
}

part_names() {
  need ctags ctags universal-ctags
  need python python3 python3
  [[ $(ctags --version) == 'Universal Ctags'* ]] || skip ctags 'Debian package universal-ctags: this is another ctags'
  python3 tests/functions.py || true # a line of its own says how many passed
  local one='static int' room=stencil/driver.h
  try 'planted: a name of a macro' planted "$room:.*does not list CONVK_MADE_\(planted\)" $room "$one CONVK_MADE_(planted)(void) { return 0; }"
  try 'planted: a macro that hides a name' planted "$room: ctags lists CONVK_MADE_, " $room "CONVK_MADE_(a)\n$one convk_planted_(void) { return 0; }"
  try 'planted: a maker of names' planted "$room:.*makes a name" $room "$one convk_planted_(void) { return CONVK_KERNEL_(other)(); }"
  try 'planted: a maker in a spine' planted 'convk.h:.*makes a name' convk.h 'CONVK_PRIVATE_(planted)'
  try 'planted: a name with two places' planted 'convk_stencil_rows_, processors: in' $room "$one convk_stencil_rows_(void) { return 0; }"
  try 'planted: two kernels of a name' planted 'convk_cuda_stencil_, CUDA: in' fft/squares.cuh 'static void convk_cuda_stencil_(void) { }'
  try 'planted: 81 lines' planted "$room:.*convk_planted_ has 81 lines" $room "$(of_lines 81)"
  try '80 lines' eval '! planted "$room:.*convk_planted_ " $room "$(of_lines 80)"'
  try 'planted: an open brace' planted "$room: braces" $room '{'
  total
}
