#!/bin/bash
# The library's objects of one set of flags, for all programs of tests that want it so; prints their names.
#   tests/objects.sh [--harness] [--library 'FLAGS...'] [--units 'FLAGS...'] [--type f64] SET COMPILER FLAGS...
#   --harness   the units of the harness, too, which only declare the library
#   --library   flags that these units do not have
#   --units     flags that they alone have
#   --type      the library has this type alone; calls of the other trap, for programs that name both and use one
#   --other     the library has the other type, too, by these flags beside all others: -O0 where it matters less
#   --plain     families of this one type, or of the first, by -O0: those whose kernels take longer to optimise than to run
#   --more      a source beside the library, at -O2; its object comes first, so that of functions that others have, too, its copies are
#               linked
# build/objects/SET has convk_<family>.o, convk_core.o, hooks.o (tests/hooks.h), and test*.o.  What is there is kept as long as the
# preprocessor gives the same text for it, so that an edit of one family compiles that family's object alone.  Whoever comes second
# waits for the first; of one run of tests/run.sh, which names it in CONVK_TEST_RUN, he does not ask the preprocessor again, who takes
# as long as a small program.  `made` is as old as the last object.
# OBJECT_JOBS is how many are compiled at a time (1).
set -eu
cd "$(dirname "$0")/.."
harness='' library='' units='' only='' other='' plain='' more=()
while [[ $1 == --* ]]; do
  case $1 in
    --harness) harness=yes ;;
    --library)
      library+=" $2"
      shift
      ;;
    --units)
      units=$2
      shift
      ;;
    --type)
      only=$2
      shift
      ;;
    --other)
      other=$2
      shift
      ;;
    --plain)
      plain=$2
      shift
      ;;
    --more)
      more+=("$2")
      shift
      ;;
  esac
  shift
done
set=build/objects/$1
shift
mkdir -p "$set"
exec 9>"$set/lock"
flock 9

objects=()
object() { # NAME SOURCE COMPILER FLAGS...
  local name=$set/$1 source=$2 sum seen=''
  shift 2
  [ ! -f "$name.seen" ] || seen=$(<"$name.seen")
  if [ -n "${CONVK_TEST_RUN:-}" ] && [ "$seen" = "$CONVK_TEST_RUN $*" ] && [ -f "$name.o" ]; then
    objects+=("$name.o")
    return
  fi
  objects+=("$name.o")
  while ((running >= ${OBJECT_JOBS:-1})); do
    wait -n
    running=$((running - 1))
  done
  compile "$@" &
  running=$((running + 1))
}
running=0
compile() { # COMPILER FLAGS...: in the background, for what object() has set
  rm -f "$name.seen"
  sum="$* $("$@" -w -E -P "$source" | cksum)"
  if [ ! -f "$name.o" ] || [ "$(cat "$name.sum" 2>/dev/null)" != "$sum" ]; then
    rm -f "$name.sum"
    "$@" -c "$source" -o "$name.o"
    echo "$sum" >"$name.sum"
    touch "$set/made"
  fi
  echo "${CONVK_TEST_RUN:-} $*" >"$name.seen"
}

families='' named=() flags=() # -DCONVK_WITH_<FAMILY>... leaves out the others
for flag in "$@"; do
  case $flag in
    -DCONVK_WITH_*) families+=" ${flag#-DCONVK_WITH_}" named+=("$flag") ;;
    *) flags+=("$flag") ;;
  esac
done
[ -n "$families" ] || families='SEPCONV STENCIL VMATH GAUSSIAN FORMFACTOR DISTANCES FFT VMC' named=(-DCONVK_WITH_ALL)
# shellcheck disable=SC2206
own=("${flags[@]}" $library -include tests/hooks.h -DCONVK_IMPLEMENT)
type=${only:+-DCONVK_${only^^}} second=-DCONVK_F32
[ "$only" = f64 ] || second=-DCONVK_F64
for source in "${more[@]}"; do
  object "$(basename "${source%.*}")" "$source" "$@" -O2
done
for family in $families; do
  object "convk_${family,,}" tests/library.c "${own[@]}" $type -DCONVK_ONLY_FAMILIES "-DCONVK_WITH_$family" \
    $([[ " $plain " != *" $family "* ]] || echo -O0)
done
if [ -n "$other" ]; then # what has no type is there twice
  for family in $families; do
    # shellcheck disable=SC2086
    object "convk_${family,,}_other" tests/library.c "${own[@]}" $second -DCONVK_ONLY_FAMILIES "-DCONVK_WITH_$family" $other
  done
fi
[ -z "$other" ] || type=
object convk_core tests/library.c "${own[@]}" $type -DCONVK_ONLY_CORE "${named[@]}"
object hooks tests/hooks.c "$@"
if [ -n "$harness" ]; then
  # Their own text at -O1 at most, which takes two thirds of the time of -O2.  test_core.c, which has much that it does not use, is never
  # at -O0, where compilers keep that.
  for source in tests/test.c tests/test_{core,sepconv,stencil,tune,vmath,gaussian,formfactor,distances,fft,vmc,flush}.c; do
    unit=${source##*/}
    # shellcheck disable=SC2086
    object "${unit%.c}" "$source" "${@/#-O[23]/-O1}" ${units/#-O0/$([ "$unit" = test_core.c ] || echo -O0)} -DCONVK_DECLARE
  done
fi
while ((running)); do
  wait -n
  running=$((running - 1))
done
[ -z "$other" ] || only=''
if [ -n "$only" ] && [ ! "$set/absent.o" -nt "$set/made" ]; then
  nm "${objects[@]}" | awk '$2 == "T" && $3 ~ /^convk_/ { print $3 }' | if [ "$only" = f64 ]; then sed -n 's/\([fc]\)64/\132/gp'; else sed -n 's/\([fc]\)32/\164/gp'; fi |
    sed 's/.*/void &(void) { __builtin_trap(); }/' >"$set/absent.c"
  ${CC:-cc} -w -c "$set/absent.c" -o "$set/absent.o"
fi
echo "${objects[@]}" ${only:+"$set/absent.o"}
