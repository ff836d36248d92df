# Programs for macOS by zig: sourced by run.sh.  They compile and link; nothing here could run them.
features+=' zig'

part_macos() {
  local target example d=$out/macos zig=zig
  command -v zig >/dev/null || zig="${ZIG_PYTHON:-python3} -m ziglang"
  $zig version >/dev/null 2>&1 || skip zig "the package ziglang of PyPI, for python3 or for the Python that ZIG_PYTHON names"
  mkdir -p $d
  export ZIG_GLOBAL_CACHE_DIR=$PWD/$d/cache ZIG_LOCAL_CACHE_DIR=$PWD/$d/cache
  for target in aarch64-macos.11.0 x86_64-macos.10.13; do
    cc() { $zig cc -target $target -std=gnu99 -O0 -I. "$@"; }
    try "$target: the library" cc -DCONVK_WITH_ALL -DCONVK_SIMD -Wall -Werror -c packaging/convk.c -o $d/convk.o
    try "$target: embed" cc examples/embed.c examples/embed_other.c -o $d/embed
    for example in demo heat orbital gisaxs diffraction blur helium hamiltonian debye distances tune; do
      try "$target: $example" cc examples/$example.c -o $d/$example -lm
    done
  done
  total
}
