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
  tests/objects.sh ${3:-} $strict "$1" $CC -std=gnu99 -D_GNU_SOURCE $warn -I. ${c99##* -I.} $2 -g1
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
  harness
  CONVK_REQUIRE=$(among ${hw//,/ }) run $out/harness $level $(of_families) --hw $hw
}

# What `make check` has of it: one type, alone on the machine, and lightly optimised, since it is about this machine and not about speed.
part_check() {
  local hw
  export OBJECT_JOBS
  OBJECT_JOBS=$(nproc)
  once check "${CFLAGS/-O2/-O1}$foreign" '--type f64'
  for hw in scalar,sse2 avx,avx2,avx512; do # side by side; without what takes long because it times or shares out work
    run $out/check $brief --type f64 --hw $hw --skip tune.search,flush_subnormals.bits,sepconv3d.work_monotone,dwt3d.work_monotone >$out/check_$hw.txt 2>&1 &
  done
  wait
  cat $out/check_scalar,sse2.txt $out/check_avx,avx2,avx512.txt
  ! grep -L ' passed, [0-9]* failed, [0-9]* skipped$' $out/check_scalar,sse2.txt $out/check_avx,avx2,avx512.txt | grep . # each came to its end
}

sanitized_readers() {
  local r readers='cube stl mesh_file shapes assembly layers pgm molden'
  for r in $readers; do
    $CC -std=c99 $sanitize -I. tests/test_$r.c -o $out/sanitized_$r -lm
    run $out/sanitized_$r $out/${r}_sanitized.tmp
  done
}
part_sanitizers() {
  sanitize="-Og -g1 -fsanitize=address,undefined -fno-sanitize-recover=all$foreign"
  echo 'int main(void) { return 0; }' >$out/empty.c
  $CC $sanitize $out/empty.c -o $out/empty && $out/empty || skip sanitizers 'Debian package libgcc-12-dev (libasan, libubsan)'
  decided
  export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
  # One type and a variant of each class, as under valgrind, which has the other; what is about numbers, or shared out work, alone is left out.
  local hw=scalar,avx2,avx512 type=f64 less='--skip tune.search,flush_subnormals.bits,sepconv3d.work_monotone,dwt3d.work_monotone'
  [ -z "$long" ] || hw=scalar,sse2,avx,avx2,avx512 type='' less=''
  once sanitized "$sanitize" "${type:+--type $type}"
  # shellcheck disable=SC2086
  run $out/sanitized $brief ${type:+--type $type} --hw $hw $less
  sanitized_readers
  if command -v clang >/dev/null && clang $odd $out/empty.c -o $out/empty; then odd_addresses; else
    echo 'skipped: what clang alone looks for: Debian packages clang libclang-rt-14-dev'
    ! required clang
  fi
}
# What clang alone looks for, offsets to NULL, and arrays that begin this many bytes after an aligned address: every operation
# and variant.
odd='-O0 -g1 -fsanitize=alignment,pointer-overflow -fno-sanitize-recover=all'
odd_addresses() {
  local n objects one=-DCONVK_F32
  [ -z "$long" ] || one=
  # shellcheck disable=SC2086
  clang $warn $odd $one -I. $cpu$foreign tests/golden.c -o $out/odd -lm
  for n in 1 ${long:+2 3 4 5 7}; do golden $out/odd --odd "$n"; done
  # shellcheck disable=SC2086
  objects=$(tests/objects.sh --harness ${one:+--type f64} odd clang -std=gnu99 -D_GNU_SOURCE -w -I. $cpu$foreign $odd) || return
  clang $odd $objects -o $out/odd_harness -lm -pthread
  run $out/odd_harness --brief $([ -n "$long" ] || echo --type f64 --hw scalar --filter errors) # what is refused has NULL in every place
}

# What sanitizers do not see: values never set.  valgrind shows the program a processor without AVX-512; one variant of each
# class, each test with one type by each, since it is slow and the text of both types is the same.
memcheck() { # OPTIONS...
  need valgrind valgrind valgrind
  plain
  run valgrind -q --error-exitcode=9 --leak-check=full $plain "$@"
}
part_valgrind() {
  # whose sums in long double valgrind makes in double, or which take minutes
  local less='--skip orbitals_grid.shapes,orbitals_grid.periods,orbitals_grid.cells,orbitals_grid.cell_periods,orbitals_grid.chain,sumconv3d.special'
  # long ones, which the sanitizers have: of numbers, by code that others run, and of sizes alone
  [ -n "$long" ] || less+=,tune.search,vmath.floats,vmath.random,formfactor.exact_,formfactor.oracles,formfactor.box,formfactor.blocks,formfactor.forms
  [ -n "$long" ] || less+=,formfactor.scales,formfactor_many.powders,orbitals.subnormals,orbitals.norms,gridpot.sum_accuracy
  [ -n "$long" ] || less+=,sepconv3d.work_monotone,dwt3d.work_monotone,dwt3d.far,dwt3d.cuts,hamiltonian_apply.work_monotone,hamiltonian_apply.oscillator,orbitals_grid_k.axes,stencil7.work_size.,flush_subnormals.bits,tune.search_there
  # shellcheck disable=SC2086
  memcheck $brief $([ -n "$long" ] || echo --type f32) --hw avx2 $less
}
part_valgrind_scalar() { memcheck $other_brief --hw scalar; }
