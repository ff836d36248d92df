# convk_cuda.h for AMD's GPUs: sourced by run.sh.
features+=' hip'

part_hip() {
  need hip hipcc 'hipcc libamdhip64-dev'
  local strict='-Wall -Wextra -Werror -Wno-unused-command-line-argument'
  printf '#define CONVK_HIP\n#define CONVK_CUDA\n#include "convk.h"\n#ifdef cudaMalloc\n#error "a name of CUDA is left"\n#endif\n' >$out/hip.hip
  printf 'int main() { convk hw; return convk_open(&hw, "cuda"); }\n' >>$out/hip.hip
  local one=-DCONVK_F32 # whose text is that of both; the program has the other
  [ -z "$long" ] || one=
  # shellcheck disable=SC2086
  try 'all families compile, for processor and device' hipcc --offload-arch=gfx90a -fsyntax-only $strict -DCONVK_WITH_ALL $one -I. $out/hip.hip
  # shellcheck disable=SC2086
  try 'a program is made' hipcc --offload-arch=gfx90a -O1 $strict -DCONVK_WITH_VMATH -DCONVK_F64 -I. -c $out/hip.hip -o $out/hip.o
  total
}

part_audit_hip() {
  need hip hipcc 'hipcc libamdhip64-dev'
  tests/bench/audit/audit_hip.py --compare tests/bench/audit/hip.json
}
