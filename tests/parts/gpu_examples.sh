# Calls chained on a device: sourced by run.sh.

# Calls chained on a device: `chained PROGRAM SIZE...` tries each size and what is refused.
chained() {
  local n
  program=$1 o=$1.txt
  says() { # ARGUMENTS...: every line that is wanted
    local line
    run $program "$@" >$o 2>&1 || { cat $o; false; } || return
    cat $o
    for line in 'density: .* Gpoint/s' 'filter: .* GFlop/s' 'steps: .* GLUP/s' 'amplitudes: .* Gpair/s' 'transform: .* GFlop/s' \
      'one by one: .* ms' 'at once: .* ms' ' *with the same bits' 'electrons: .* of 10 ' 'thickness: *(19|20)[.]' 'check: '; do
      grep -qE "^$line" $o || { echo "no line $line"; return 1; }
    done
  }
  refused() { # STATUS WHY ARGUMENTS...
    local status=0
    run $program "${@:3}" >$o 2>&1 || status=$?
    cat $o
    [ $status = "$1" ] && [ "$(wc -l <$o)" = 1 ] && grep -q "^gpu[a-z_]*: $2" $o
  }
  for n in "${@:2}"; do try "$n^3 points" says --n "$n" --repeat 2; done
  try 'no such device' refused 1 '--device: ' --device 1000
  try 'no points' refused 2 '--n: out of range' --n 0
  try 'half a point' refused 2 '--n: out of range' --n 2.5
  try 'never' refused 2 '--repeat: out of range' --repeat 0
  try 'an unknown option' refused 2 '--nn: there is no such option' --nn 3
  try 'no value' refused 2 '--n: wants a value' --n
  try 'an argument too many' refused 2 '8: one argument too many' 8
  try 'help' run $program --help
}

part_gpu_example() {
  need cuda-emulated "$CXX" g++
  emulated $out/gpu_example -include tests/cuda_emulator.h examples/gpu.cu
  chained $out/gpu_example 1 18
  if command -v nvcc >/dev/null; then
    nvcc_every
    try 'nvcc' nvcc_quick -Werror all-warnings -I. -DCONVK_DECLARE examples/gpu.cu $out/every.o -o $out/gpu_nvcc
    program=$out/gpu_nvcc
    if nvidia-smi -L; then
      try 'on a device' says --graph
    else
      try 'without a device' refused 1 'no CUDA device' --n 4
    fi
  fi
  total
}

part_gpu_opencl() {
  opencl gpu
  [ -n "$long" ] || export CONVK_OPENCL_MORE=-cl-opt-disable # PoCL takes its time to optimise each program
  declared $out/gpu_opencl -Wno-macro-redefined -Werror=implicit-function-declaration -DCONVK_AVX_H_ examples/gpu_opencl.c
  chained $out/gpu_opencl 33 ${long:+1 5 64}
  total
}
