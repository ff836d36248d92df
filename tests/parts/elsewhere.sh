# Other processors, by qemu: sourced by run.sh.

# ARCHITECTURE DEBIAN COMPILER TYPE [VARIANT]: its processors fuse if they are let; one compiler and type each.  Where there is a variant
# of the architecture's own, few cases of the portable one: other parts have them all; and of the variant one of 24, the small ones,
# which reach each kernel and its options, and special values, since an emulated processor is slow.
golden_elsewhere() {
  local c flags="-D$4 -O1"
  [ -z "$long" ] || flags='-DCONVK_F32 -DCONVK_F64 -O2'
  need "qemu-$1" "$1-linux-gnu-gcc" "gcc-$1-linux-gnu libc6-dev-${2:-$1}-cross"
  need "qemu-$1" "qemu-$1" qemu-user
  for c in "$1-linux-gnu-gcc" "clang --target=$1-linux-gnu"; do
    command -v ${c%% *} >/dev/null || continue
    [[ -n $long || $c == *"$3"* ]] || ! command -v "$3" >/dev/null || continue
    # shellcheck disable=SC2086
    $c $warn -DCONVK_SIMD $flags -static -I. tests/golden.c -o "$out/golden_$1" -lm
    if [ -n "$long" ] || [ -z "${5:-}" ]; then
      try "$c" golden "qemu-$1" "$out/golden_$1"
      continue
    fi
    try "$c, small cases" golden "qemu-$1" "$out/golden_$1" --hw "$5" --small
    try "$c, special values" golden "qemu-$1" "$out/golden_$1" --hw "$5" --filter special
    try "$c, one case of 24" golden "qemu-$1" "$out/golden_$1" --hw "$5,scalar" --quick
  done
  total
}
part_golden_aarch64() { golden_elsewhere aarch64 arm64 gcc CONVK_F64 neon; }
part_golden_riscv64() { golden_elsewhere riscv64 riscv64 clang CONVK_F32; }

part_qemu_x86() {
  [[ $($CC -dumpmachine) == x86_64* ]] || skip qemu-x86 'a compiler for x86-64'
  need qemu-x86 qemu-x86_64 qemu-user
  cat >$out/choose.c <<'END'
#define CONVK_WITH_VMATH
#define CONVK_F64
#include "convk.h"
#include <stdio.h>
int main(int argc, char **argv) { /* SPEC or "": prints the name, or the status */
  convk hw;
  const int status = convk_open(&hw, argc > 1 && *argv[1] ? argv[1] : NULL);
  if (status) printf("%d\n", status);
  else printf("%s\n", hw.name);
  convk_close(&hw);
  return 0;
}
END
  $quick_cc $c99 -O0 $out/choose.c -o $out/choose -lm
  plain
  chooses() { # CPU SPEC ANSWER
    answer=$(qemu-x86_64 -cpu "$1" $out/choose "$2" 2>/dev/null)
    [ "$answer" = "$3" ] || { echo "it gave $answer"; false; }
  }
  module=-15 machine=-16 # CONVK_ERR_HW_MODULE, CONVK_ERR_HW_MACHINE
  for line in 'Conroe::sse2' 'Nehalem::sse2' "Nehalem:avx:$machine" "Nehalem:avx2:$machine" "Nehalem:avx512:$machine" \
    'Nehalem:sse2:sse2' 'Nehalem:scalar:scalar' "Nehalem:opencl:$module" "Nehalem:neon:$module" 'SandyBridge::avx' "SandyBridge:avx2:$machine" \
    'Haswell::avx2' 'Haswell,-fma::avx' 'Haswell,-avx2::avx' 'Haswell,-xsave::sse2' 'Haswell,-avx::sse2' "Haswell:avx512:$machine"; do
    IFS=: read -r cpu_name spec answer <<<"$line"
    try "$cpu_name ${spec:-NULL}" chooses "$cpu_name" "$spec" "$answer"
  done
  total
  run qemu-x86_64 -cpu Nehalem $plain $brief --filter magicfilter3d --hw scalar,sse2
}

part_qemu_aarch64() {
  need qemu-aarch64 aarch64-linux-gnu-gcc 'gcc-aarch64-linux-gnu libc6-dev-arm64-cross'
  need qemu-aarch64 qemu-aarch64 qemu-user
  aarch64-linux-gnu-gcc $c99 -O1 -static tests/whole.c -o $out/qemu_aarch64 -lm -pthread
  # both types have the bits of x86: golden_aarch64
  CONVK_REQUIRE=neon run qemu-aarch64 $out/qemu_aarch64 $brief --hw scalar,neon --skip $in_long_double,$sines_in_long_double
}
