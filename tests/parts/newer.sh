# Golden bits by compilers newer than the system's, and on WebAssembly: sourced by run.sh.
features+=' wasm'

# Portable C by gcc 14 to 16, whose -ffinite-math-only reaches into regions with other rules, and by clang, which is refused with
# that option. Linked without options, as in the part bits.
part_newer_gcc() {
  local root g f honest
  debian newer unstable gcc,gcc-14,gcc-15,clang,libc6-dev
  rm -rf "$root/src"
  mkdir "$root/src"
  cp -r convk*.h tests "$root/src"
  for g in gcc-14 gcc-15 gcc clang; do
    honest=''
    [ $g != clang ] || honest=' -fno-finite-math-only'
    while read -r f; do
      try "$g $f" timeout --foreground 1500 unshare --mount --pid --fork --kill-child chroot "$root" sh -c \
        "cd /src && $g -std=gnu99 -w $f$honest -I. -DCONVK_WITH_ALL -c tests/golden.c -o golden.o && $g golden.o -o golden -lm && ./golden --hw scalar"
    done <<<'-O2
-Ofast
-O3 -march=native -ffinite-math-only'
  done
  try 'clang with -ffinite-math-only is refused' grep -q 'with -fno-finite-math-only behind' \
    <(chroot "$root" sh -c 'cd /src && clang -std=gnu99 -ffinite-math-only -I. -DCONVK_WITH_STENCIL -c tests/golden.c -o golden.o' 2>&1)
  total
}

# Portable C on a processor of 32 bits.
part_wasm() {
  local python=$PWD/build/wasm/bin/python
  need wasm python3 python3
  if ! $python -c 'import ziglang, wasmtime' 2>$out/wasm.txt; then
    python3 -m venv build/wasm && build/wasm/bin/pip install -q ziglang wasmtime >$out/wasm.txt 2>&1 ||
      skip wasm "Python packages ziglang and wasmtime: $(tail -n 1 $out/wasm.txt)"
  fi
  $python -m ziglang cc -target wasm32-wasi -std=gnu99 -O1 -w -I. -DCONVK_WITH_ALL tests/golden.c -o $out/golden.wasm
  golden $python tests/wasm.py $out/golden.wasm --hw scalar
}
