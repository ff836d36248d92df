# The CUDA emulator in programs that see each access to memory: its detector of races, and golden bits under other schedules of the
# threads. Sourced by run.sh.

golden_races() { # OUTPUT TYPE FLAGS...
  MADE=$out/races NAMES=$out/races_names src/headers.sh --check >$out/races_differs.txt || true # the spines as they stand name rooms
  [ -x "$1" ] || tests/count.sh --races "$1" tests/golden.c $warn "${@:3}" -Isrc -I$out/races_names -I. -DCONVK_CUDA -DCONVK_TEST_CUDA_EMULATED "-DCONVK_$2"
}
under() { CONVK_EMULATOR_SCHEDULE=$1 golden "${@:2}"; }

# No kernel has a race, and all bits hold where threads are stopped anywhere, or a warp runs as far ahead as it can; of few blocks, too,
# which take several turns.  The text of both types is one: that whose kernels see their accesses (tests/emulated.sh) has nearly all
# cases, the other a few.
part_cuda_races() {
  there cuda-emulated convk_cuda.h
  need clang clang++ clang
  need clang addr2line binutils
  local t few=--quick skip less=hexagonal-periodic,spherical-periodic,20-steps,40-steps,free-large # of long cases
  less+=,daubechies16-free-levels,closed-,many-all,many-single,filters-grow,filters-shrink,filters-zero,long-grow,long-shrink,long-zero
  less+=,all-grow,all-shrink,imag-grow,imag-shrink,phase-grow,phase-shrink,real-13x17x3,real-3x40x5,real-5x4x33
  less+=,oblique-0-moments,oblique-1-moments,open-complex-5x4x33-fourth,dwba_f64\ complex-exact\ cuda,assembly_f64\ complex-exact\ cuda
  skip=(--skip "$less,density_grid_f64 spherical,orbitals_grid_k_f64 tiles-")
  [ -z "$long" ] || skip=() few=''
  tests/count.sh --races $out/cuda_races tests/test_cuda_races.cpp $warn
  for t in F64 F32; do emulated $out/golden_races_$t -DCONVK_$t -DCONVK_TEST_CUDA_EMULATED tests/golden.c; done
  export CONVK_RACES=yes
  try 'the detector' run $out/cuda_races
  try 'f64, stopped anywhere' under random,seed=1,preempt=16 $out/golden_races_F64 --blocks 3 "${skip[@]}"
  # shellcheck disable=SC2086
  try 'f64, far ahead' under greedy,reversed $out/golden_races_F64 $few
  # shellcheck disable=SC2086
  CONVK_RACES=${long:-no} try 'f32' golden $out/golden_races_F32 $few
  if drawn $out/draws_races; then
    emulated $out/draws_cuda -DCONVK_TEST_CUDA_EMULATED tests/draws.c
    CONVK_RACES=${long:-no} try 'drawn calls on the device' run $out/draws_cuda --hw cuda-emulated --compare $out/draws_races.bin --seconds ${long:+9}14
  fi
  total
}

part_barriers_cuda() {
  need clang clang++ clang
  python3 tests/barriers_cuda.py
}

# All that may happen, but without looking for races, which do not depend on the order of threads.
part_cuda_schedules() {
  need clang clang++ clang
  local t s schedules='greedy greedy,reversed'
  for s in 1 2 3 4; do schedules+=" starved,seed=$s"; done
  for s in {1..10}; do schedules+=" random,seed=$s,preempt=$((2 << s % 5)) random,shuffled,seed=1$s,preempt=$((2 << s % 5))"; done
  for t in F32 F64; do
    golden_races $out/golden_schedules_$t $t
    for s in $schedules; do
      CONVK_RACES=no try "$t, CONVK_EMULATOR_SCHEDULE=$s" under $s $out/golden_schedules_$t
    done
  done
  total
}
