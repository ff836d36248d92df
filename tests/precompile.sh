#!/bin/bash
# Prints the options by which a unit includes a header of tests/ first: precompiled, by clang, with what it makes of templates, so that it
# takes a sixth of a second instead of one and a half; code and data of objects are the same to the last byte. Other compilers read it.
#   tests/precompile.sh HEADER COMPILER FLAGS...
# A precompiled header goes with all units whose flags differ in defines alone that the header does not ask for. It is made anew in each
# run of tests/run.sh, and when a header of tests/ changes. Whoever comes second waits.
set -eu
cd "$(dirname "$0")/.."
header=$1
shift
version=$("$1" --version)
[[ $version == *clang* ]] || { echo "-include $header"; exit; }
kept=("$1") level=-O0 sanitize=''
shift
while [ $# != 0 ]; do
  case $1 in
    -D*) ! grep -qw -e "$(sed 's/^-D//; s/=.*//' <<<"$1")" tests/cuda_*.h || kept+=("$1") ;;
    -O*) level=$1 ;;
    -fsanitize=*) sanitize=$1 ;;
    -fno-sanitize=*) sanitize='' ;;
    -f*vectorize | -g* | -W*) ;;
    -include | -mllvm | -x) shift ;;
    *) kept+=("$1") ;;
  esac
  shift
done
kept+=("$level" ${sanitize:+"$sanitize"})
key=$(cksum <<<"$header ${kept[*]}")
made=build/objects/precompiled/${key% *}
made=${made// /-}
mkdir -p "${made%/*}"
seen="${CONVK_TEST_RUN:-} $(stat -c '%n %y' tests/*.h | cksum) $version"
(
  flock 9
  if [ ! -f "$made.pch" ] || [ "$(cat "$made.seen" 2>/dev/null)" != "$seen" ]; then
    rm -f "$made.seen"
    "${kept[@]}" -x c++-header "$header" -Xclang -fpch-instantiate-templates -o "$made.new"
    mv "$made.new" "$made.pch" # whoever reads the old one goes on
    echo "$seen" >"$made.seen"
  fi
) 9>"$made.lock"
echo "-include-pch $made.pch"
