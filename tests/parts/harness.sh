# The harness of tests/test.c, in many ways: sourced by run.sh.

# Programs that several parts run are made once: whoever comes second waits.  With lines for valgrind.
once() { # NAME FLAGS OPTIONS: options of tests/objects.sh
  local objects
  objects=$(harness_objects "$1" "$2" "--harness ${3:-}")
  flock $out/$1.lock bash -c "[ $out/$1 -nt build/objects/$1/made ] || $CC $2 $objects -o $out/$1 -lm -pthread"
}
# Contraction is the compiler's own: the library's text has to see to it.  Of the set `harness` the library has no
# warning where compilers are known: a new one may warn of more, and so may one that looks for faults.
harness_objects() {
  local strict=''
  [ "$1" != harness ] || strict=${require:+--library -Werror}
  # shellcheck disable=SC2086
  tests/objects.sh ${3:-} --by "$(unit_compiler)" $strict "$1" $CC -std=gnu99 -D_GNU_SOURCE $warn -I. ${c99##* -I.} $2 -g1
}
# Of the tests themselves, which the harness and the sanitizers share, as for valgrind with lines: in little time, but not in the least,
# since their references take long; gcc, by -Og, takes three fifths of the time of -O1. Of later lines valgrind 3.19 knows nothing.
unit_compiler() {
  local optimised=-O1
  [ "$quick_cc" = clang ] || optimised=-Og
  echo "$quick_cc -std=gnu99 -D_GNU_SOURCE -w -I. ${c99##* -I.} $optimised$foreign -g1 -gdwarf-4"
}
# By a compiler that looks for alignment, where there is one: assignments promise it, memory copies do not.
harness() { once harness "$(harness_flags)"; }
harness_flags() {
  local aligned='-ftree-loop-vectorize -ftree-slp-vectorize -fvect-cost-model=dynamic -mtune=intel'
  [ -z "$smoke" ] || aligned=-O0
  # shellcheck disable=SC2086
  echo 'int x;' | $CC $aligned -x c -c - -o $out/aligned.o 2>/dev/null || aligned=
  echo "$CFLAGS$foreign $aligned"
}
plain() { # for what shows the program another processor
  if [ "$CFLAGS" = -O2 ]; then
    plain=$out/harness
    harness
  else
    plain=$out/plain
    once plain "-O2$foreign"
  fi
}

of_families() { [ -z "$families" ] || echo "--filter $(operations_of $families)"; }
part_harness() {
  local hw=scalar,sse2,avx2,avx512 # words of AVX are those of AVX2, but for what this fuses, and its golden bits are compared
  [ -z "$long" ] || hw+=,avx
  if [ -n "$smoke" ]; then # golden bits of one family say that the library works there
    # shellcheck disable=SC2086
    $CC -std=c99 $warn $CFLAGS -I. $cpu tests/golden.c -o $out/harness -lm && golden $out/harness
    return
  fi
  # shellcheck disable=SC2086
  [ "$quick_cc" = "$CC" ] || $CC $c99 -w -DCONVK_DECLARE -fsyntax-only tests/whole.c # whose units another compiler makes
  harness
  CONVK_REQUIRE=$(among ${hw//,/ }) run $out/harness $level $(of_families) --hw $hw
}

# What tools and `make check` leave to the harness: tests of numbers and of sizes, whose code others run.
numbers='tune.search,flush_subnormals.bits,sepconv3d.work_monotone,dwt3d.work_monotone,dwt3d.far,vmath.floats,vmath.random'
numbers+=,formfactor.oracles,formfactor.box
numbers+=,formfactor.blocks,formfactor.forms,formfactor.scales,formfactor_many.powders,orbitals.subnormals,orbitals.norms,gridpot.sum_accuracy
numbers+=,hamiltonian_apply.work_monotone,hamiltonian_apply.oscillator,orbitals_grid_k.axes,stencil7.work_size.

# What `make check` has of it: one type, alone on the machine, and lightly optimised, since it is about this machine and not about speed.
part_check() {
  local hw
  export OBJECT_JOBS
  OBJECT_JOBS=$(nproc)
  once check "${CFLAGS/-O2/-O1}$foreign" '--type f64'
  for hw in scalar,sse2 avx,avx2,avx512; do # side by side
    run $out/check $brief --type f64 --hw $hw --skip $numbers >$out/check_$hw.txt 2>&1 &
  done
  wait
  cat $out/check_scalar,sse2.txt $out/check_avx,avx2,avx512.txt
  ! grep -L ' passed, [0-9]* failed, [0-9]* skipped$' $out/check_scalar,sse2.txt $out/check_avx,avx2,avx512.txt | grep . # each came to its end
}

# And what sanitizers leave to it beside: of cuts, threads, long sums and accuracy, of which others run every branch of the library.
looks='dwt3d.cuts,dwt3d.identities,debye.accuracy,amplitudes.accuracy,pair_histogram.order,formfactor.cuts,formfactor.exact_cuts,hamiltonian_apply.points_k'
looks+=,hamiltonian_apply.waves.,fft.concurrent,tuned_read.long,vmc.bits,gridpot.threads,gridpot.accuracy,stencil7.modes,stencil7.sums
looks+=,stencil7.hook,stencil7.accuracy,magicfilter3d.boundaries,magicfilter3d.adjoint,orbitals.differences,density.electrons
looks+=,density.squares,tune.budget
# These alone run 2 of 1,000 branches of the library; there the pages that fault behind the harness's arrays look.
looks+=,orbitals_grid.chain,orbitals_grid.cell_alone,orbitals_grid.periods,pair_histogram.cells,pair_histogram.full,sepconv3d.cuts
looks+=,stencil7.cuts,fft.seams,fft.bounds,vmc.helium,vmc.density,vmc.parts.,tune.results

part_sanitizers() {
  # By clang without its optimiser, which takes a tenth of the time and looks for offsets to NULL, too; golden bits at odd addresses, an
  # array's alignment being a promise.  One type: valgrind has the other.
  local c objects hw=avx2 type=f64 avx='-DCONVK_AVX -DCONVK_NO_AVX512' n few=--small odd='3 5 6' o plain=()
  local checks='-g1 -fsanitize=address,undefined -fno-sanitize-recover=all'
  [ -z "$long" ] || hw=scalar,sse2,avx,avx2,avx512 type='' avx=$cpu$foreign few='' odd='2 3 4 5 6 7'
  [[ $(uname -m) == x86_64 ]] || hw=scalar
  echo 'int main(void) { return 0; }' >$out/empty.c
  for c in $quick_cc $CC; do ! { $c $checks $out/empty.c -o $out/empty && $out/empty; } || break; c=''; done
  [ -n "$c" ] || skip sanitizers 'Debian package libclang-rt-14-dev or libgcc-12-dev (libasan, libubsan)'
  [ "$c" = clang ] || ! required clang || skip clang 'Debian packages clang libclang-rt-14-dev'
  # without any optimisation gcc's kernels of Gaussians meet subnormal numbers
  [ "$c" = clang ] || checks="-Og $checks" plain=(--plain 'SEPCONV STENCIL VMATH FORMFACTOR DISTANCES AMPLITUDES FFT VMC')
  decided
  export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
  # shellcheck disable=SC2086
  objects=$(tests/objects.sh --harness --by "$(unit_compiler)" ${type:+--type $type} --library "-O0 $checks" "${plain[@]}" sanitized $c -std=gnu99 -D_GNU_SOURCE -w -I. $avx -O1)
  # shellcheck disable=SC2086
  $c $checks $objects -o $out/sanitized -lm -pthread
  # shellcheck disable=SC2086
  run $out/sanitized $brief ${type:+--type $type} --hw $hw $([ -n "$long" ] || echo --skip $numbers,$looks)
  objects=$(printf '%s\n' $objects | grep -v /test)
  # shellcheck disable=SC2086
  golden_of $out/odd "$objects" $c $checks ${type:+-DCONVK_${type^^}} $avx
  run $out/odd --odd 1 $few
  for n in $odd; do run $out/odd --odd $n ${few:+--quick}; done # other cases each time
  # The words of all instruction sets, by families that have each that loads or stores: whether they want addresses to be even, and
  # what else the choice of a word may break. All other checks look at the library above.
  # shellcheck disable=SC2086
  $c $warn -O0 -std=c99 -g1 -fsanitize=alignment,bounds,shift -fno-sanitize-recover=all -DCONVK_F32 -DCONVK_WITH_SEPCONV -DCONVK_WITH_VMC \
    -I. $cpu$foreign tests/golden.c -o $out/odd_words -lm
  golden $out/odd_words --odd 1 $few
  for n in cube stl mesh_file shapes assembly layers pgm molden; do
    o=-O1
    [ $n != shapes ] || o=-O0 # which has a family of the library
    $c -std=c99 $o $checks ${few:+-DREADER_STRIDE=4} -I. tests/test_$n.c -o $out/sanitized_$n -lm
    run $out/sanitized_$n $out/${n}_sanitized.tmp
  done
}

# Tests whose sums in long double valgrind makes in double, or which take minutes there.
in_long_double='orbitals_grid.shapes,orbitals_grid.periods,orbitals_grid.cells,orbitals_grid.cell_periods,orbitals_grid.chain,sumconv3d.special'
# And whose sines in long double take minutes where this type has 128 bits and is computed by integers: on an emulated aarch64.
sines_in_long_double=debye.random,debye.accuracy,amplitudes.accuracy

# What sanitizers do not see: values never set.  valgrind shows the program a processor without AVX-512; one type, since it is slow
# and the text of both is the same.
memcheck() { # OPTIONS...
  need valgrind valgrind valgrind
  plain
  run valgrind -q --error-exitcode=9 --leak-check=full $plain "$@"
}
part_valgrind() {
  local less=$in_long_double
  # of cuts, threads and accuracy, of which every part of the code is run by others
  [ -n "$long" ] || less+=,$numbers,formfactor.exact_,formfactor_grid.exact_,formfactor.cuts,tune.search_there,tune.results,tuned.
  [ -n "$long" ] || less+=,dwt3d.cuts,dwt3d.identities,fft.tiles,fft.seams,fft.concurrent,orbitals_grid_k.sums,orbitals_grid.cell_alone
  [ -n "$long" ] || less+=,orbitals.threads,orbitals.hook,tuned_read.bytes,tuned_read.long
  [ -n "$long" ] || less+=,chebyshev3d.sweeps,gridpot.threads,gridpot.hook,gridpot.sums,gridpot.cuts,gridpot.accuracy
  [ -n "$long" ] || less+=,sepconv3d.cuts,hamiltonian_apply.points_k,magicfilter3d.boundaries,stencil7.cuts,stencil7.accuracy,stencil7.modes
  [ -n "$long" ] || less+=,stencil7.sums,vmath.threads,vmc.helium,vmc.density,sepconv3d.random,stencil7.random,stencil7.hook,vmc.bits,vmc.tuning
  [ -n "$long" ] || less+=,stencil7.concurrent,magicfilter3d.concurrent,magicfilter3d.adjoint,hamiltonian_apply.identities,hamiltonian_apply.waves
  [ -n "$long" ] || less+=,pair_histogram.cells,pair_histogram.edges,debye.random,debye.accuracy,amplitudes.accuracy
  [ -n "$long" ] || less+=,formfactor_many.sums,formfactor_grid.units,tune.memory,fft.bounds,density.squares,pair_energy.threads,potential_apply.cuts
  [ -n "$long" ] || less+=,vmc.parts.,vmc.alone,vmc.parts_escape,pair_histogram.fuzz,pair_histogram.fine,magicfilter3d.shapes,gridpot.screening
  [ -n "$long" ] || less+=,tuned_write.round_trip,chebyshev3d.recurrence.,formfactor.invariants
  [ -n "$long" ] || less+=,orbitals.many,orbitals.cutoff,pair_accept.accepts,vmc.starts,vmc.escapes,vmc.rounded,mesh.triangles,gridpot.subnormals
  [ -n "$long" ] || less+=,formfactor_many.few,tune.budget,sepconv3d.taps,magicfilter3d.reach,wavelet_compress.random
  # shellcheck disable=SC2086
  memcheck $brief $([ -n "$long" ] || echo --type f32) --hw avx2 --skip $less
}
part_valgrind_scalar() { # the other types have more of such tests
  # shellcheck disable=SC2086
  memcheck $other_brief --hw scalar --skip $in_long_double,derivative_filter.values,dwt3d.identities,orbitals_grid.each,debye.random,amplitudes.accuracy
}
