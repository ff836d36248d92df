# Windows by mingw-w64 and wine: sourced by run.sh.
features+=' mingw wine'

part_windows() {
  need mingw x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
  need wine wine 'wine wine64'
  local gcc="x86_64-w64-mingw32-gcc -std=c99 $warn -Werror -I." d=$out/windows
  local golden="-include windows.h -include rpc.h $cpu -DCONVK_WITH_FFT -DCONVK_F32 -O1 tests/golden.c"
  mkdir -p $d
  export WINEPREFIX=$PWD/$d/wine WINEDEBUG=-all DISPLAY=
  timeout 300 wine wineboot -i >$d/boot.txt 2>&1 || skip wine 'a wine that runs programs of 64 bits (wine64)'
  printf '#include <windows.h>\n#include <rpc.h>\n#include "convk.h"\n' >$d/all.c
  # the text alone, by clang where it finds mingw's headers: it reads them in a quarter of the time
  local reader='clang --target=x86_64-w64-mingw32'
  $reader -fsyntax-only $d/all.c -DCONVK_DECLARE -I. 2>$d/reader.txt || reader=x86_64-w64-mingw32-gcc
  try 'all families after windows.h' $reader -std=c99 $warn -Werror -I. $cpu -DCONVK_WITH_ALL -DCONVK_F64 -fsyntax-only $d/all.c

  $gcc $golden -S -o $d/golden.s
  $gcc $d/golden.s -o $d/golden.exe
  try 'golden bits' golden wine $d/golden.exe --quick
  # As gcc makes it where Debian has not mended it: vectors go to the stack as if that were aligned to them.
  sed -E '/%[yz]mm.*\(%r[sb]p\)|\(%r[sb]p\).*%[yz]mm/s/vmov(up[sd]|dqu(32|64)?)\t/&A/; s/vmovup([sd])\tA/vmovap\1\t/; s/vmovdqu(32|64)?\tA/vmovdqa\1\t/' \
    $d/golden.s >$d/aligned.s
  try 'aligned moves in the text' grep -Eq 'vmov(ap|dqa).*\(%r[sb]p\)' $d/aligned.s
  $gcc $d/aligned.s -o $d/aligned.exe
  try 'none in the program' eval "! x86_64-w64-mingw32-objdump -d $d/aligned.exe | grep -E 'vmov(ap[sd]|dqa(32|64)?) .*\('"
  try 'golden bits, an unmended gcc' golden wine $d/aligned.exe --quick

  $gcc $lean examples/embed.c examples/embed_other.c -o $d/embed.exe
  try 'embed' run wine $d/embed.exe
  $gcc -D_GNU_SOURCE -O1 tests/test_python_hook.c -o $d/hook.exe
  try 'threads of the Python package' run wine $d/hook.exe
  $gcc $lean examples/demo.c -o $d/demo.exe -lm
  try 'demo' run wine $d/demo.exe --picture $d/demo.ppm
  example demo
  $out/demo --picture $d/native.ppm >/dev/null
  try 'its picture' cmp $d/demo.ppm $d/native.ppm
  wineserver -k || true # of this prefix
  total
}
