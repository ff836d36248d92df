#!/bin/bash
# The library's objects of one set of flags, for all programs of tests that want it so: tests/objects.sh [--harness] SET COMPILER FLAGS...
#   --harness   the units of the harness, too
# They lie in build/objects/SET: convk_<family>.o, convk_core.o, hooks.o, and test*.o; a program links library.a, or all of them.
# What is there is kept as long as the preprocessor gives the same text for it; whoever comes second waits for the first.
# -DCONVK_WITH_<FAMILY>... leaves out the other families.
set -eu
cd "$(dirname "$0")/.."
harness=
if [ "$1" = --harness ]; then
  harness=yes
  shift
fi
set=build/objects/$1
shift
mkdir -p "$set"
exec 9>"$set/lock"
flock 9

compile() { # NAME SOURCE FLAGS...: after the compiler and its flags
  local name=$set/$1 source=$2 sum
  shift 2
  sum="${command[*]} $* $("${command[@]}" "$@" -w -E -P "$source" | cksum)"
  [ -f "$name.o" ] && [ "$(cat "$name.sum" 2>/dev/null)" = "$sum" ] && return
  rm -f "$name.sum"
  "${command[@]}" "$@" -c "$source" -o "$name.o"
  echo "$sum" >"$name.sum"
}

command=("$@")
every='SEPCONV STENCIL VMATH GAUSSIAN FORMFACTOR FFT VMC'
families= all=()
for flag in "$@"; do
  [[ $flag != -DCONVK_WITH_* ]] || families+=" ${flag#-DCONVK_WITH_}"
done
for family in ${families:-$every}; do all+=("-DCONVK_WITH_$family"); done
hooks='-include tests/hooks.h -DCONVK_IMPLEMENT'
plain=() # without the families, which each object has of its own
for flag in "$@"; do [[ $flag == -DCONVK_WITH_* ]] || plain+=("$flag"); done
command=("${plain[@]}")
for family in ${families:-$every}; do
  # shellcheck disable=SC2086
  compile "convk_${family,,}" tests/library.c $hooks -DCONVK_ONLY_FAMILIES "-DCONVK_WITH_$family"
done
# shellcheck disable=SC2086
compile convk_core tests/library.c $hooks -DCONVK_ONLY_CORE "${all[@]}"
compile hooks tests/hooks.c
[ -n "$harness" ] || exit 0
for source in tests/test.c tests/test_{core,sepconv,stencil,tune,vmath,gaussian,formfactor,fft,vmc,flush}.c; do
  unit=${source##*/}
  compile "${unit%.c}" "$source" -DCONVK_DECLARE
done
