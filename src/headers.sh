#!/bin/bash
# Joins src/ into the headers; build/names gets what src/names.c makes of src/rooms.txt and of the rooms, and lists of functions.
#   src/headers.sh [--check]
#   --check   only names the headers that src/ makes otherwise
# In the environment: CC, CFLAGS.  Needs a C compiler alone.
set -u
cd "$(dirname "$0")/.." || exit 1
names=${NAMES:-build/names}
made=${MADE:-build/headers}
headers=$(cd src && echo convk*.h)
mkdir -p "$names/rooms" "$names/spelled" "$made/stubs/sys" "$made/stubs/CL" || exit 1
for tool in names join list; do
  # shellcheck disable=SC2086
  [ "$made/$tool" -nt "src/$tool.c" ] || ${CC:-cc} -std=c99 ${CFLAGS:--O1} "src/$tool.c" -o "$made/$tool" || exit 1
done
differ=
place() { # MADE PLACE
  cmp -s "$1" "$2" && return
  if [ "${check:-}" ]; then
    echo "$2"
    differ=1
  else
    cp "$1" "$2"
  fi
}
[ "${1:-}" != --check ] || check=1
"$made/names" src "$names" || exit 1

# The system's headers are empty here: what they declare is not ours.
for h in stdarg stddef stdint stdlib string time stdio sys/mman sys/time CL/cl cuda_runtime_api; do : >"$made/stubs/$h.h"; done

# What a header declares, under a title and with the beginnings of files that it is about.
part() { # TITLE FILES
  printf '\nLIST %s\nROOMS %s\n' "$1" "$2"
  cat "$made/expanded"
}
rooms=$(sed -n '/^[a-z]/s/ .*//p' src/rooms.txt)
lists() { # HEADER, FILES OF ALL FAMILIES, FILE OF A ROOM: lists, of what the preprocessor is asked once
  printf '#define CONVK_DECLARE\n#define CONVK_WITH_ALL\n#include "src/%s"\n' "$1" |
    ${CC:-cc} -E -nostdinc -I. -Isrc -I"$names" -I"$made/stubs" -D__x86_64__ -x c - >"$made/expanded" || exit 1
  part 'all families' "$2"
  for r in $rooms; do [ ! -f "src/$r/$3" ] || part "$r" "$([ "$3" != api.h ] || echo "spelled/$r ")$r/"; done
  printf '\nLISTED\n'
}
list() { # NAME
  local body
  body=$("$made/list") && printf '/* FUNCTIONS AND STRUCTS\n   Every one that is declared below, on a line of its own, for those who search.\n%s\n*/\n' "$body" >"$names/rooms/$1.h" || exit 1
}
: >"$names/rooms/opencl_list.h" && : >"$names/rooms/cuda_list.h" || exit 1
lists convk.h 'core/ tuner/' api.h | list list
lists convk_cl.h device/opencl device_api.h | list opencl_list
lists convk_cuda.h device/cuda device_api.h | list cuda_list

for f in $headers; do
  "$made/join" src "$names" "$f" >"$made/$f" || exit 1
  place "$made/$f" "$f"
done
[ -z "$differ" ]
