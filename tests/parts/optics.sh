# examples/diffraction.c and blur.c: sourced by run.sh.

# The example checks itself: against direct sums, sums over layers, and its power balance.
part_diffraction() {
  decided
  example diffraction
  for hw in scalar sse2 avx avx2 avx512; do
    if message=$($out/diffraction 1 --quick --hw $hw --out $out/diffraction.ppm 2>&1) || ! grep -E 'machine|module' <<<"$message"; then
      rm -f $out/diffraction.ppm
      try "$hw, case 1" run $out/diffraction 1 --quick --hw $hw --pillars square --angle 7 --out $out/diffraction.ppm
      try "$hw, case 2" run $out/diffraction 2 --quick --hw $hw --contrast -0.03 --angle 3 --out $out/diffraction.ppm
    fi
  done
  try picture test -s $out/diffraction.ppm
  refused() { # WHY ARGUMENTS...
    ! message=$(run $out/diffraction --quick --out $out/diffraction.ppm "${@:2}" 2>&1) && grep "$1" <<<"$message"
  }
  try 'a fifth case' refused 'diffraction: usage' 5
  try 'help' usage $out/diffraction examples/diffraction.c
  try 'too much contrast' refused 'contrast: out of range' 1 --contrast 0.5
  try 'no number' refused 'angle: out of range' 1 --angle x
  total
}

# The example checks itself against direct sums.
part_blur() {
  decided
  local f=$out/blur_files
  mkdir -p $f
  example blur
  for hw in scalar sse2 avx avx2 avx512; do
    if message=$($out/blur --quick --hw $hw --width 1 --out $f/blur.ppm 2>&1) || ! grep -E 'machine|module' <<<"$message"; then
      for options in '--width 3' '--psf gaussian --width 8 --border replicate --tile 60'; do
        # shellcheck disable=SC2086
        try "$hw $options" run $out/blur --quick --hw $hw $options --out $f/blur.ppm
      done
    fi
  done
  try 'test image' run $out/blur --make-test-image $f/chart.pgm
  try 'a file' run $out/blur $f/chart.pgm --quick --width 3 --result $f/file.pgm --out $f/blur.ppm
  try 'the same without' run $out/blur --quick --width 3 --result $f/none.pgm --out $f/blur.ppm
  try 'the same result' cmp $f/file.pgm $f/none.pgm
  try 'another one than before' eval "! cmp -s $f/file.pgm $f/chart.pgm"
  printf 'P2 3 1 9 9 0 5' >$f/small.pgm
  try 'smaller than the kernel' run $out/blur $f/small.pgm --quick --width 5 --out $f/blur.ppm
  try picture test -s $f/blur.ppm
  # beyond a border lies what would lie there in a larger picture
  border() { # KIND LARGER_PICTURE ITS_PIXELS FIRST
    printf 'P2 3 1 255 200 0 90' >$f/narrow.pgm
    printf 'P2 %d 1 255 %s' "$3" "$2" >$f/wide.pgm
    for n in narrow wide; do
      run $out/blur $f/$n.pgm --quick --hw scalar --psf gaussian --width 1 --border "$1" --result $f/$n.pgm --out $f/blur.ppm || return 1
    done
    cmp <(tail -c 3 $f/narrow.pgm) <(tail -c $(($3 - $4)) $f/wide.pgm | head -c 3) && ! cmp -s <(tail -c 3 $f/narrow.pgm) <(printf '\310\0\132')
  }
  try mirror border mirror '90 0 200 200 0 90 90 0 200' 9 3
  try replicate border replicate '200 200 200 200 0 90 90 90 90' 9 3
  refused() { # WHY ARGUMENTS...
    ! message=$(run $out/blur --quick --out $f/blur.ppm "${@:2}" 2>&1) && grep "$1" <<<"$message"
  }
  head -c 1000 $f/chart.pgm >$f/cut.pgm
  try 'a cut file' refused 'byte 1000: the file ends' $f/cut.pgm
  printf 'P5 99999 1 255 x' >$f/wide.pgm
  try 'an absurd size' refused 'the width is not in' $f/wide.pgm
  try 'no picture' refused 'P5 or P2; other pictures are not read, and PNG only where' tests/run.sh
  try 'help' usage $out/blur examples/blur.c
  try 'no place' refused 'nothing/there: cannot be written: No such file or directory' --result $f/nothing/there
  try 'no file' refused 'cannot open' $f/nothing.pgm
  try 'a tile of a prime' refused 'FFT size' --tile 101
  try 'a small tile' refused 'smaller than the kernel' --tile 8
  total
}

# What the Makefile makes of the two: with libpng, with FFTW where it is found.
part_fft_examples() {
  need png pkg-config 'pkg-config'
  pkg-config --exists libpng || skip png 'Debian package libpng-dev'
  flock build/lock make -s build/diffraction build/blur CFLAGS="${lean#-O?}" # at -O3, in every case
  try 'diffraction' run build/diffraction 1 --quick --out $out/diffraction.png
  try 'blur' run build/blur $out/diffraction.png --quick --out $out/blur.png
  try 'blur of a blur' run build/blur $out/blur.png --quick --width 2 --out $out/blur.png
  head -c 3000 $out/diffraction.png >$out/cut.png
  refused() { ! message=$(run build/blur $out/cut.png --quick --out $out/blur.png 2>&1) && grep "$out/cut.png: " <<<"$message"; }
  try 'a cut file' refused
  total
}
