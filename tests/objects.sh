#!/bin/bash
# The library's objects of one set of flags, for all programs of tests that want it so; prints their names.
#   tests/objects.sh [--harness] [--library 'FLAGS...'] [--units 'FLAGS...'] [--type f64] SET COMPILER FLAGS...
#   --harness   the units of the harness, too, which only declare the library
#   --by        'COMPILER FLAGS...' of these units, all but test.c, which knows the library's instruction sets: they are the set `units`,
#               which sets share.  With --type calls of instruction sets that the library lacks trap, too
#   --apart     these units alone, without test.c
#   --library   flags that these units do not have
#   --units     flags that they alone have
#   --type      the library has this type alone; calls of the other trap, for programs that name both and use one
#   --other     the library has the other type, too, by these flags beside all others: -O0 where it matters less
#   --plain     families of this one type, or of the first, by -O0: those whose kernels take longer to optimise than to run
#   --header    a header that all units include first, but for those of --more and hooks.c (tests/precompile.sh)
#   --more      a source beside the library, at -O2; its object comes first, so that of functions that others have, too, its copies are
#               linked
# build/objects/SET has convk_<family>.o, convk_core.o, hooks.o (tests/hooks.h), and test*.o.  What is there is kept as long as the
# preprocessor gives the same text for it, so that an edit of one family compiles that family's object alone.  Whoever comes second
# waits for the first; of one run of tests/run.sh, which names it in CONVK_TEST_RUN, he does not ask the preprocessor again, who takes
# as long as a small program.  `made` is as old as the last object.
# OBJECT_JOBS is how many are compiled at a time (1).
set -eu
cd "$(dirname "$0")/.."
harness='' by='' library='' units='' only='' other='' plain='' more=() header=''
while [[ $1 == --* ]]; do
  case $1 in
    --harness) harness=yes ;;
    --apart) harness=apart ;;
    --by)
      by=$2
      shift
      ;;
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
    --header)
      header=$2
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
  local name=$set/$1 source=$2 sum seen='' first=$header
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
# Of gcc, which takes as long to expand macros as to compile a small family, the text has them as they are.
text() { # COMPILER FLAGS...
  if [ "$expanded" ]; then "$@" -w -E -P "$source"
  else "$@" -w -E -fdirectives-only -P "$source" | "$1" -w -fpreprocessed -dD -E -P -x c -; fi
}
"$1" -E -fdirectives-only -x c /dev/null >/dev/null 2>&1 && expanded='' || expanded=yes
compile() { # COMPILER FLAGS...: in the background, for what object() has set
  rm -f "$name.seen"
  sum="$* $(text "$1" ${first:+-include "$first"} "${@:2}" | cksum)"
  if [ ! -f "$name.o" ] || [ "$(cat "$name.sum" 2>/dev/null)" != "$sum" ]; then
    rm -f "$name.sum"
    # shellcheck disable=SC2046
    "$1" $([ ! "$first" ] || tests/precompile.sh "$first" "$@") "${@:2}" -c "$source" -o "$name.o"
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
[ -n "$families" ] || families='SEPCONV STENCIL VMATH GAUSSIAN FORMFACTOR DISTANCES AMPLITUDES FFT VMC' named=(-DCONVK_WITH_ALL)
# shellcheck disable=SC2206
own=("${flags[@]}" $library -include tests/hooks.h -DCONVK_IMPLEMENT)
type=${only:+-DCONVK_${only^^}} second=-DCONVK_F32
[ "$only" = f64 ] || second=-DCONVK_F64
[ "$harness" != apart ] || families=''
for source in "${more[@]}"; do
  header='' object "$(basename "${source%.*}")" "$source" "$@" -O2
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
if [ "$harness" != apart ]; then
  object convk_core tests/library.c "${own[@]}" $type -DCONVK_ONLY_CORE "${named[@]}"
  header='' object hooks tests/hooks.c "$@"
fi
if [ -n "$harness" ]; then
  # Their own text at -O1 at most, which takes two thirds of the time of -O2.  test_core.c, which has much that it does not use, is never
  # at -O0, where compilers keep that.
  all=(test test_{core,sepconv,stencil,tune,vmath,gaussian,formfactor,distances,amplitudes,fft,vmc,flush})
  [ "$harness" != apart ] || all=("${all[@]:1}")
  [ -z "$by" ] || all=(test)
  for unit in "${all[@]}"; do
    case $unit in # whose references are short, or have nothing to inline
      test_stencil | test_tune | test_vmath | test_flush) short=-O0 ;;
      test_formfactor) short=-fno-inline-functions ;;
      *) short='' ;;
    esac
    # shellcheck disable=SC2086
    object "$unit" "tests/$unit.c" "${@/#-O[23]/-O1}" $short ${units/#-O0/$([ "$unit" = test_core ] || echo -O0)} -DCONVK_DECLARE
  done
fi
while ((running)); do
  wait -n
  running=$((running - 1))
done
if [ -n "$harness" ] && [ -n "$by" ]; then
  # shellcheck disable=SC2086
  shared=$(tests/objects.sh --apart units $by)
  # shellcheck disable=SC2206
  objects+=($shared)
  [ ! build/objects/units/made -nt "$set/made" ] || touch "$set/made"
fi
[ -z "$other" ] || only=''
if [ -n "$only" ] && [ ! "$set/absent.o" -nt "$set/made" ]; then
  nm "${objects[@]}" | awk -v had="${only#f}" -v lacks="$((96 - ${only#f}))" '
    NF == 3 { there[$3] = 1 }
    $2 == "T" && gsub("f" had, "f" lacks, $3) + gsub("c" had, "c" lacks, $3) { absent[$3] = 1 }
    $1 == "U" { absent[$2] = 1 }
    BEGIN { print "typedef struct { unsigned long count; const void *list; } modules;" } # as convk_modules_: there are none
    END {
      for (name in absent)
        if (name ~ /^convk_/ && !(name in there)) {
          if (name ~ /_modules_$/) print "modules " name "(void) { modules none = {0, 0}; return none; }"
          else print "void " name "(void) { __builtin_trap(); }"
        }
    }' >"$set/absent.c"
  ${CC:-cc} -w -c "$set/absent.c" -o "$set/absent.o"
fi
echo "${objects[@]}" ${only:+"$set/absent.o"}
